"""Ready: a word that something is done, of the table or of several seats."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Frame, Key, Line, Side
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class ReadyRow:
    """One seat's word: its key, lit when given."""

    side: Side
    name: str
    prompt: str
    key: Key


@dataclass(frozen=True, slots=True)
class ReadyState:
    """What hands do before the word is said; rows where several seats say it (or the buttons)."""

    frame: Frame
    band: Band
    rows: tuple[ReadyRow, ...]
    lines: tuple[Line, ...] = ()
    map: MapState | None = None
