"""Cards: one tap a card that was turned over. A Reveal question, or a form of them."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Line, PadGroup, Side
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class CardsState:
    """The pad of one team's card: groups as the options lay them out.

    `left` groups have rows of movement keys, `right` the boards and "no effect"; `others` are the
    cards of the section already told, with source and age. `side` is who is asked, `asked` the
    words where Done will stand ("PAWS: FLIP 3").
    """

    frame: Frame
    side: Side
    asked: str
    left: tuple[PadGroup, ...]
    right: tuple[PadGroup, ...]
    others: tuple[Line, ...]
    map: MapState
    notes: tuple[str, ...] = ()
