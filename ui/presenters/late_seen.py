"""A late card that the camera saw: the frames before and after, and the keys that decide it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.referee.late import team_of
from ui.presenters.table_check import Picture
from ui.scene.scene import BACK, CAMERA, place_words, said_words
from ui.scene.values import Band, Frame, Key, Mark
from ui.touch.actions import LetLie, RuleSeenLate

if TYPE_CHECKING:
    from companion.core.offers import LateCard
    from companion.core.ruling import Seat
    from ui.scene.scene import Scene

COMING = Picture(None, 0, (4, 3), note="The picture is being kept.")
NOT_KEPT = Picture(None, 0, (4, 3), note="No picture was kept of this.")


@dataclass(frozen=True, slots=True)
class LateState:
    """The section before and after the buzzer, side by side; the next row decides."""

    frame: Frame
    band: Band
    before: Picture
    after: Picture


def present_late(scene: Scene, late: LateCard) -> LateState:
    """Whose it is, or that it lay there: one touch decides, and nothing is proposed."""
    sections = scene.situation.kept.sections_of(late.section)
    missing = NOT_KEPT if scene.situation.kept.trouble else COMING
    before, after = sections if sections is not None else (missing, missing)
    frame = scene.frame("LATE CARD?", " · ".join(scene.place), keys=_keys(scene, late), wide=True)
    if frame.refusal is not None and frame.refusal.code == CAMERA:
        frame = replace(frame, refusal=None)  # the band says it
    band = Band(
        (f"{place_words(scene, late).upper()}: LATE?", said_words(scene, late)),
        scene.side(team_of(late)),
        Mark.WARN,
    )
    return LateState(frame, band, before, after)


def _keys(scene: Scene, late: LateCard) -> tuple[Key, ...]:
    """Back, then equal keys: late and whose, or there in time."""
    seats = scene.referee.late_seen.whose(late)
    whose = tuple(
        Key(f"Late: {scene.names.player(seat)}", RuleSeenLate(late, str(seat)), _seat(scene, seat))
        for seat in seats
    )
    return (BACK, *whose, Key("In time", LetLie(late), "it lay there"))


def _seat(scene: Scene, seat: Seat) -> str:
    label, player = scene.names.label(seat), scene.names.player(seat)
    return label if label != player else ""
