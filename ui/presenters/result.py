"""The result: winner, reason, the count sheet that adds up, and the code for a logbook."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Frame, Side


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One player's counts; `values` in the order of the sheet's columns."""

    side: Side
    player: str
    role: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultState:
    """Band: winner, `note` the reason with its ids. `code` is the text of the QR code.

    `code_large`: the code fills the screen; a touch closes it. Both agree makes it official.
    """

    frame: Frame
    band: Band
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]
    code: str
    code_caption: str
    code_large: bool = False
    official: bool = False
