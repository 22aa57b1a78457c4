"""Choose: one of several options, as keys or as places on the map."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Frame, PadGroup
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class ChooseState:
    """Who is asked for what; `groups` of keys, and the map where options are places.

    Where `map` has cells with actions they are the keys, and `groups` may be empty.
    """

    frame: Frame
    band: Band
    groups: tuple[PadGroup, ...]
    map: MapState | None = None
