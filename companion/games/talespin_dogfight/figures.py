"""The printed cards, assumed or as a table has read them off.  (RULING 2, 4, 6, 8)

Maneuvers, Pilot cards, Player cards and cards of windows. `table.toml` holds what is assumed; a
table's own file replaces and adds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.games.talespin_dogfight import maneuvers
from companion.games.talespin_dogfight.maneuvers import Effect, Maneuver
from companion.games.talespin_dogfight.steps import INSTEAD
from companion.kit.figures import Confirmed, OwnTable, confirmed_names, merged, read_once

if TYPE_CHECKING:
    from companion.core.ruling import Json

TABLE_FILE = Path(__file__).with_name("table.toml")
LUCKY_SHOT = "Lucky Shot"
FEWEST_LOCATIONS, MOST_LOCATIONS = 3, 24
MOST_PILOT, MOST_RANGE, MOST_EFFECT = 20, 24, 9
"""Far beyond what any card prints: what is more was mistyped."""

_Title = Annotated[str, Field(min_length=1, max_length=40)]
_Value = Annotated[int, Field(ge=maneuvers.LOWEST, le=maneuvers.HIGHEST)]
_Few = Annotated[int, Field(ge=0, le=MOST_EFFECT)]
_Pilot = Annotated[int, Field(ge=0, le=MOST_PILOT)]
_Range = Annotated[int, Field(ge=0, le=MOST_RANGE)]
_Does = Literal["draw", "discard", "raise", "lower", "pilot", "cancel", "remove", "no winner"]
_Result = Literal["met", "value", "skip", "attacker wins", "defender wins", "no winner", "other"]
_Window = Literal[
    "start_own", "start_against", "before_pilot", "after_pilot", "instead", "win", "lose", "end"
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Ring(_Part):
    locations: Annotated[int, Field(ge=FEWEST_LOCATIONS, le=MOST_LOCATIONS)]


class _Effect(_Part):
    does: _Does
    who: Literal["self", "opponent"] = "self"
    count: Annotated[int, Field(ge=1, le=maneuvers.MOST)] = 1


class _Reward(_Part):
    text: Annotated[str, Field(max_length=200)] = ""
    effects: list[_Effect] = []


class _WindowCard(_Part):
    windows: Annotated[list[_Window], Field(min_length=1)]
    result: _Result | None = None
    value: _Value | None = None
    text: Annotated[str, Field(max_length=200)] = ""
    effects: list[_Effect] = []


class _TableFile(_Part):
    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: Confirmed
    ring: _Ring
    maneuvers: dict[_Title, tuple[_Value, _Few, _Few]]
    pilots: dict[_Title, tuple[_Pilot, _Value, _Few, _Few]]
    characters: dict[_Title, tuple[_Pilot, _Range, _Value, _Few, _Few]]
    passengers: dict[_Title, tuple[_Pilot, _Range]]
    rewards: dict[_Title, _Reward]
    windows: dict[_Title, _WindowCard]


ASSUMED: Mapping[str, tuple[str, str]] = {
    "ring.locations": ("Locations on the ring", "RULING 2"),
    "pilots.Pilot card": ("Pilot card: PILOT, value, Damage, Draw", "TS-101, RULING 4"),
    "characters.Player card": ("Player card: PILOT, RANGE, value, Damage, Draw", "RULING 4"),
    "passengers.Passenger": ("Passenger: PILOT and RANGE added", "RULING 4"),
    **{
        f"maneuvers.{title}": (f"{title}: value, Damage, Draw", "TS-304, TS-306, RULING 6")
        for title in tomllib.loads(TABLE_FILE.read_text("utf-8"))["maneuvers"]
    },
}
"""Every figure that is assumed until confirmed: what to call it, and where it belongs."""

ROWS: Mapping[str, str] = {
    "maneuvers": "value, Damage, Draw",
    "pilots": "PILOT, value, Damage, Draw",
    "characters": "PILOT, RANGE, value, Damage, Draw",
    "passengers": "PILOT, RANGE",
}
"""What the numbers of a row mean, by the part of the file."""

LIMITS: Mapping[str, tuple[int, int]] = {"ring.locations": (FEWEST_LOCATIONS, MOST_LOCATIONS)}
"""Figures that are one whole number, with their limits."""


@dataclass(frozen=True, slots=True)
class Reward:
    """What a Pilot card brings its winner: words, and operations for the record."""

    text: str = ""
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class PilotCard:
    """A card of the hand that starts a dogfight; its reward is None where nobody wrote it down."""

    pilot: int
    maneuver: Maneuver
    reward: Reward | None = None


@dataclass(frozen=True, slots=True)
class Character:
    """A Player card: the character before its owner, who is never discarded.  (TS-313)"""

    pilot: int
    range: int
    maneuver: Maneuver


@dataclass(frozen=True, slots=True)
class WindowCard:
    """A card with the text of one or more windows; `result` where it replaces a maneuver."""

    title: str
    windows: tuple[str, ...]
    result: str = maneuvers.OTHER
    value: int = 0
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, eq=False)
class Figures:
    """One table's figures; `confirmed` names those that were held against the real cards."""

    name: str
    confirmed: frozenset[str]
    locations: int
    maneuvers: Mapping[str, Maneuver]
    pilots: Mapping[str, PilotCard]
    characters: Mapping[str, Character]
    passengers: Mapping[str, tuple[int, int]]
    windows: Mapping[str, WindowCard]

    def assumed(self, *names: str) -> str:
        """What a ruling owes that rests on these: " (assumed figure)", or nothing."""
        shipped = [name for name in names if name in ASSUMED]
        return "" if self.confirmed.issuperset(shipped) else " (assumed figure)"


@cache
def assumed_figures() -> Figures:
    """The figures that ship with the box.

    >>> figures = assumed_figures()
    >>> figures.locations, figures.maneuvers["Swoop"].value, figures.pilots["Pilot card"].pilot
    (12, 3, 3)
    """
    return judge_table(_shipped(), TABLE_FILE.name)


@read_once
def read_figures(raw: Mapping[str, Json], source: str = "data") -> Figures:
    """A table's own figures over the assumed ones; BadFile names the place and what is allowed."""
    return judge_table(merged(_shipped(), raw), source) if raw else assumed_figures()


def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table; BadFile where a card cannot be."""
    file = _read(raw, source)
    for title, card in file.windows.items():
        _refuse_window_card(title, card, source)
    for title in file.rewards:
        if title not in file.pilots:
            known = ", ".join(file.pilots)
            text = f"no Pilot card is called {title!r}; there are {known} [TS-303]"
            raise BadFile(source, f"rewards.{title}", text)
    rewards = {title: _reward(reward) for title, reward in file.rewards.items()}
    return Figures(
        name=file.name,
        confirmed=confirmed_names(file.confirmed, ASSUMED, source),
        locations=file.ring.locations,
        maneuvers={title: _maneuver(title, *row) for title, row in file.maneuvers.items()},
        pilots={
            title: PilotCard(pilot, _maneuver(title, *row), rewards.get(title))
            for title, (pilot, *row) in file.pilots.items()
        },
        characters={
            title: Character(pilot, reach, _maneuver(title, *row))
            for title, (pilot, reach, *row) in file.characters.items()
        },
        passengers=file.passengers,
        windows={title: _window_card(title, card) for title, card in file.windows.items()},
    )


def _read(raw: Mapping[str, Any], source: str) -> _TableFile:
    """The file as its model has it; a row that is wrong is told with what its numbers mean."""
    try:
        return read_model(_TableFile, _with_tuples(raw), source, "figure")
    except BadFile as wrong:
        part, *row = wrong.place.split(".")
        if part not in ROWS or not row:
            raise
        text = f"{wrong.text} (a row has {ROWS[part]})"
        raise BadFile(source, wrong.place, text) from wrong


def _with_tuples(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Rows of numbers as the model has them: TOML knows lists alone."""
    parts = cast("Mapping[str, object]", raw)
    return {part: _rows_as_tuples(rows) for part, rows in parts.items()}


def _rows_as_tuples(rows: object) -> object:
    if not isinstance(rows, dict):
        return rows
    named = cast("dict[str, object]", rows)
    return {
        title: tuple(cast("list[object]", row)) if isinstance(row, list) else row
        for title, row in named.items()
    }


def _maneuver(title: str, value: int, damage: int, draw: int) -> Maneuver:
    return Maneuver(title, value, damage, draw, any_answer=title == LUCKY_SHOT)


def _reward(reward: _Reward) -> Reward:
    return Reward(reward.text, tuple(_effect(effect) for effect in reward.effects))


def _effect(effect: _Effect) -> Effect:
    return Effect(effect.does, effect.who, effect.count)


def _window_card(title: str, card: _WindowCard) -> WindowCard:
    effects = tuple(_effect(effect) for effect in card.effects)
    return WindowCard(
        title, tuple(card.windows), card.result or maneuvers.OTHER, card.value or 0, effects
    )


def _refuse_window_card(title: str, card: _WindowCard, source: str) -> None:
    """A result belongs to cards played instead of a maneuver, and a value to the result value."""
    place = f"windows.{title}"
    if card.result is not None and INSTEAD not in card.windows:
        text = f"{card.result!r} needs the window {INSTEAD!r} [RULING 8]"
        raise BadFile(source, f"{place}.result", text)
    if (card.result == maneuvers.VALUE) != (card.value is not None):
        values = f"{maneuvers.LOWEST} to {maneuvers.HIGHEST}"
        text = f"a value of {values} goes with the result {maneuvers.VALUE!r}, and only with it"
        raise BadFile(source, f"{place}.value", f"{text} [RULING 8]")


OWN_FIGURES = OwnTable(TABLE_FILE, ASSUMED, judge_table, LIMITS)
"""Holding the assumed figures against a table's own copy of the box."""
