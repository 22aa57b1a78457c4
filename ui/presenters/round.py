"""The round: the count, lamps, and what the teams may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ui.presenters.common import Frame, Key, Side


class Phase(StrEnum):
    """How the round stands."""

    RUNNING = "running"
    PAUSED = "paused"
    LOCKED = "locked"
    UNTIMED = "untimed"


@dataclass(frozen=True, slots=True)
class Badge:
    """What a team has: the Sun, smoke; drawn with its sign."""

    sign: str
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TeamStrip:
    """One side of the round: name, decks, badges, and the words of a turned half."""

    side: Side
    lines: tuple[str, ...]
    badges: tuple[Badge, ...] = ()
    may: str = ""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One countdown lamp: its figure, and whether it is lit."""

    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class RoundState:
    """The count ("4", "" when untimed), ticks below it, lamps, strips.

    `inverted`: the middle (last five seconds) or, when locked, the whole body. `big` and `below`
    are LOCKED / HANDS OFF THE CARDS, or PAUSED; `facing` splits the screen in two halves.
    """

    frame: Frame
    phase: Phase
    count: str
    ticks: int
    ticks_lit: int
    lamps: tuple[Lamp, ...]
    lead: str
    strips: tuple[TeamStrip, ...]
    inverted: bool = False
    big: str = ""
    below: str = ""
    note: str = ""
    facing: bool = False
    keys: tuple[Key, ...] = ()
