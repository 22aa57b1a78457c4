"""New match: five choices in any order."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Mark, Side
from ui.presenters.map import MapState


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the five: BOX, GAME, SEATS, TIMER, HOUSE RULES, with its present value."""

    title: str
    value: str
    mark: Mark
    key: Key


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One thing to choose: its values as keys, one line why, the ruling, barred if changed."""

    title: str
    values: tuple[Key, ...]
    why: str = ""
    cite: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class SeatField:
    """A seat's name to type; `name` of the action is "seat.CODE"."""

    seat: str
    label: str
    player: str
    side: Side
    action_name: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class NewMatchState:
    """Left the five choices, right the chosen one: rows, or for seats the fields and the map."""

    frame: Frame
    choices: tuple[Choice, ...]
    title: str
    rows: tuple[ChoiceRow, ...] = ()
    seats: tuple[SeatField, ...] = ()
    map: MapState | None = None
    page: int = 1
    pages: int = 1
