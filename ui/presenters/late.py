"""A late card that a slot sensor saw: its evidence, and a key for each player it may be of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.presenters.calls import RuleLate
from ui.presenters.common import Key, Mark, Refusal

if TYPE_CHECKING:
    from companion.ruling import Seat
    from companion.tracks import LateCard
    from ui.presenters.scene import Scene

SENSED = "SENSOR"
"""Stands where other refusals have their code: who says so."""


def late_card(scene: Scene) -> Refusal | None:
    """The first late card that nobody has ruled on: whose it is, one touch decides.

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
    return Refusal(text, _evidence(late), SENSED, "", Mark.WARN, keys[0], (*keys[1:],))


def _evidence(late: LateCard) -> str:
    """The sensor's own words; a card that was lifted elsewhere first came from there."""
    moved = f", from {late.moved_from}" if late.moved_from is not None else ""
    return f"Laid {late.after_zero}{moved}"


def _key(scene: Scene, late: LateCard, seat: Seat) -> Key:
    player, label = scene.names.player(seat), scene.names.label(seat)
    return Key(player, RuleLate(late, str(seat)), label if label != player else "")
