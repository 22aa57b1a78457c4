"""The rulings of a section in step order: what hands do, the map, and why."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Frame, Key, Mark
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One ruling: step, two lines, the Why? key with its rule id; `struck` after a correction."""

    step: str
    first: str
    second: str
    why: Key
    mark: Mark = Mark.NONE
    struck: bool = False


@dataclass(frozen=True, slots=True)
class RulingState:
    """The band is the deed at hand; the message has counts before and after; Done goes on.

    `objection` is the share of the objection window that is left, 1 to 0; None where there is none.
    """

    frame: Frame
    band: Band
    map: MapState
    lines: tuple[RulingLine, ...]
    objection: float | None = None
    page: int = 1
    pages: int = 1
