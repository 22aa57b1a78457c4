"""Table and record differ: nothing is ruled until one of the three keys says how to go on."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Frame, Key
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class DifferState:
    """Band: what is seen. Map: solid the table, dashed the record. Causes open the fitting amend.

    The bottom row is wide: Undo, Look again, Accept table (held), Follow the record.
    """

    frame: Frame
    band: Band
    map: MapState
    causes: tuple[Key, ...]
