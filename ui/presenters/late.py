"""A late card that a slot sensor felt or the camera saw: what is known of it, and who decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.referee.late import number_of, team_of
from ui.presenters.common import Key, Mark, Refusal
from ui.touch.actions import FeltInTime, Panel, RuleLate, Show

if TYPE_CHECKING:
    from companion.core import offers
    from companion.core.ruling import Seat
    from companion.referee.late import FeltCard
    from ui.presenters.scene import Scene

SENSED, CAMERA = "SENSOR", "CAMERA"
"""Stands where other refusals have their code: who says so."""
BY_PICTURES = "late"
"""The part of the evidence on which a late card is decided."""


def late_card(scene: Scene) -> Refusal | None:
    """The first late card that nobody has ruled on: whose it is, or none's, one touch decides.

    None where no sensor saw one, or nobody is seated who may have laid it.
    """
    tracks = scene.referee.tracks
    late = tracks.late[0] if tracks.late else None
    if late is None:
        return None
    keys = [_key(scene, late, seat) for seat in tracks.whose(late)]
    if not keys:
        return None
    queue = f" (1 of {len(tracks.late)})" if len(tracks.late) > 1 else ""
    text = f"Late card: {scene.names.label(late.team)} {late.section}. Whose?{queue}"
    in_time = Key("In time", FeltInTime(late))
    return Refusal(text, _evidence(late), SENSED, "", Mark.WARN, keys[0], (*keys[1:], in_time))


def _evidence(late: FeltCard) -> str:
    """The sensor's own words; a card that was lifted elsewhere first came from there."""
    moved = f", from {late.moved_from}" if late.moved_from is not None else ""
    return f"Laid {late.after_zero}{moved}"


def _key(scene: Scene, late: FeltCard, seat: Seat) -> Key:
    player, label = scene.names.player(seat), scene.names.label(seat)
    role = scene.names.role(seat) if label != player else ""
    return Key(player, RuleLate(late, str(seat)), role)


def seen_late_card(scene: Scene) -> Refusal | None:
    """The first one that the camera saw and nobody ruled on, with the way to its two pictures."""
    waiting = scene.referee.late_seen.waiting
    if not waiting:
        return None
    late, queue = waiting[0], f" (1 of {len(waiting)})" if len(waiting) > 1 else ""
    key = Key("Decide", Show(Panel.EVIDENCE, BY_PICTURES), "by two pictures")
    text = f"Late card? {place_words(scene, late)}{queue}"
    return Refusal(text, said_words(scene, late), CAMERA, "", Mark.WARN, key)


def place_words(scene: Scene, late: offers.LateCard) -> str:
    """The section in words: "Jaws 4"."""
    return f"{scene.names.label(team_of(late))} {number_of(late)}"


def said_words(scene: Scene, late: offers.LateCard) -> str:
    """What the camera knows of it."""
    seats = scene.referee.late_seen.whose(late)
    whose = f"{scene.names.label(seats[0])}'s card" if late.owner and seats else "A card"
    if not late.sure:
        return f"{whose}; at the buzzer a hand was over it"
    if late.moved_from:
        return f"{whose}, moved from {late.moved_from.replace('.', ' ')}"
    return f"{whose} was not there at the buzzer"
