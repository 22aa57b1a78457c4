"""The figures that the scanned book lost, and the printed cards, three of which rest on them.

`table.toml` holds the figures that are assumed; a table's own file replaces any part of it. Rulings
that rest on an assumed figure say so. `cards.toml` holds the cards.
(DF-2.2, DF-2.8, DF-17, RULING 1, 2, 22, 23, 35, 36)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.core.board import Piece
from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.core.ruling import Cite, Seat
from companion.core.text import spelt_like
from companion.games.dogfight_1917.cards import (
    COPIES,
    PILOTS,
    Check,
    Evasion,
    Fighter,
    Maneuver,
    Result,
    SpecialAttack,
    SpecialTactic,
)
from companion.kit.figures import Confirmed, OwnTable, confirmed_names, merged, read_once
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, HexMap, hexagon

if TYPE_CHECKING:
    from companion.core.ruling import Json


TABLE_FILE = Path(__file__).with_name("table.toml")
LARGEST_RADIUS = 9
_OTHER_ACTIONS = (
    "Basic Attack", "Spandau Machine Guns", "Regroup", "Emergency Repair", "Blackout",
    "Immelmann Turn", "end turn",
)  # fmt: skip

Space = tuple[int, int]
Die = Annotated[int, Field(ge=1, le=6)]
Corner = Literal["N", "NE", "SE", "S", "SW", "NW"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class _BoardPart(_Part):
    radius: Annotated[int, Field(ge=2, le=LARGEST_RADIUS)]
    spaces: list[Space] | None = None
    one_token: list[Space]
    two_tokens: list[Space]


class _BasicAttack(_Part):
    difficulty_range_1: Die
    difficulty_range_2: Die


class _LewisGuns(_Part):
    range: tuple[Annotated[int, Field(ge=1, le=9)], Annotated[int, Field(ge=1, le=9)]]


class _EvasiveDive(_Part):
    dice: Annotated[int, Field(ge=1, le=4)]
    difficulty: Die
    token_at_least: Die
    damage_at_most: Annotated[int, Field(ge=0, le=6)]


class _SecondAttack(_Part):
    name: Annotated[str, Field(min_length=1, max_length=30)]


class _BattleRoyale(_Part):
    tokens: Annotated[list[Annotated[int, Field(ge=0, le=20)]], Field(min_length=4, max_length=4)]


class _TeamMap(_Part):
    A: Corner
    B: Corner
    C: Corner
    D: Corner


class _TableFile(_Part):
    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: Confirmed
    board: _BoardPart
    basic_attack: _BasicAttack
    lewis_guns: _LewisGuns
    albatros_evasive_dive: _EvasiveDive
    albatros_second_attack: _SecondAttack
    battle_royale: _BattleRoyale
    team_map: _TeamMap


ASSUMED: Mapping[str, tuple[str, str]] = {
    "board.radius": ("Spaces from the middle to a corner", "DF-2.2, RULING 1"),
    "board.one_token": ("Tactical Positions worth 1 token", "DF-2.8"),
    "board.two_tokens": ("Tactical Positions worth 2 tokens", "DF-2.8"),
    "basic_attack.difficulty_range_1": ("Basic Attack, Difficulty at range 1", "DF-11.3, RULING 2"),
    "lewis_guns.range": ("Lewis Guns, range", "DF-17.2.S2, RULING 22"),
    "albatros_evasive_dive.dice": ("Albatros Evasive Dive, dice", "DF-17.3.E2, RULING 23"),
    "albatros_evasive_dive.difficulty": ("Albatros Evasive Dive, Difficulty",
                                         "DF-17.3.E2, RULING 23"),
    "albatros_evasive_dive.token_at_least": ("Albatros Evasive Dive, a token from",
                                             "DF-17.3.E2, RULING 23"),
    "albatros_evasive_dive.damage_at_most": ("Albatros Evasive Dive, 1 damage up to",
                                             "DF-17.3.E2, RULING 23"),
    "albatros_second_attack.name": ("Albatros, name of the second attack", "DF-17.3.S2"),
    "battle_royale.tokens": ("Battle Royale, tokens at the start", "DF-22.2, RULING 35"),
    "team_map.A": ("Team map, corner of player A", "DF-23.2, RULING 36"),
    "team_map.B": ("Team map, corner of player B", "DF-23.2, RULING 36"),
    "team_map.C": ("Team map, corner of player C", "DF-23.2, RULING 36"),
    "team_map.D": ("Team map, corner of player D", "DF-23.2, RULING 36"),
}  # fmt: skip
"""Every figure that is assumed until confirmed: what to call it, and where it belongs."""


@dataclass(frozen=True, eq=False)
class Figures:
    """One table's figures; `confirmed` names those that were held against the real components."""

    name: str
    confirmed: frozenset[str]
    board: HexMap
    token_spaces: Mapping[Hex, int]
    difficulty: Mapping[int, int]
    lewis_range: tuple[int, int]
    dive_dice: int
    dive_difficulty: int
    dive_token_at_least: int
    dive_damage_at_most: int
    second_attack: str
    royale_tokens: tuple[int, ...]
    team_corners: Mapping[Seat, int]

    def assumed(self, *names: str) -> str:
        """What a ruling owes that rests on these: " (assumed figure)", or nothing."""
        return "" if self.confirmed.issuperset(names) else " (assumed figure)"

    @cached_property
    def team_starts(self) -> Mapping[Seat, Heading]:
        """Where each seat's Fighter starts on the team map, facing the middle.  (DF-23.2)"""
        return {seat: self.corner_start(corner) for seat, corner in self.team_corners.items()}

    def corner_start(self, corner: int) -> Heading:
        """A corner space, facing the middle of the board.  (DF-22.1)"""
        return Heading(self.board.corners[corner], (corner + 3) % 6)


@cache
def assumed_figures() -> Figures:
    """The figures that ship with the box.

    >>> len(assumed_figures().board.spaces)
    61
    """
    return judge_table(_shipped(), TABLE_FILE.name)


@read_once
def read_figures(raw: Mapping[str, Json], source: str = "data") -> Figures:
    """A table's own figures over the assumed ones; BadFile names the place and what is allowed."""
    if not raw:
        return assumed_figures()
    return judge_table(merged(_shipped(), raw), source)


def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def _refuse_taken_name(name: str, source: str) -> None:
    """The second attack of the Albatros must be told from every other action of its menu."""
    others = (*_OTHER_ACTIONS, *COPIES, *(pilot.action for pilot in PILOTS.values()))
    taken = spelt_like(name, others)
    if taken is not None:
        wrong = f"{taken!r} is another action already; give the name printed on the Fighter Board"
        raise BadFile(source, "albatros_second_attack.name", wrong)


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table; BadFile where no game could be played with them."""
    file = read_model(_TableFile, raw, source, "figure")
    board = HexMap(_spaces(file.board, source))
    low, high = file.lewis_guns.range
    if low > high:
        raise BadFile(source, "lewis_guns.range", f"{low} is more than {high}")
    _refuse_taken_name(file.albatros_second_attack.name, source)
    dive = file.albatros_evasive_dive
    return Figures(
        name=file.name,
        confirmed=confirmed_names(file.confirmed, ASSUMED, source),
        board=board,
        token_spaces=_token_spaces(file.board, board, source),
        difficulty={
            1: file.basic_attack.difficulty_range_1,
            2: file.basic_attack.difficulty_range_2,
        },
        lewis_range=(low, high),
        dive_dice=dive.dice,
        dive_difficulty=dive.difficulty,
        dive_token_at_least=dive.token_at_least,
        dive_damage_at_most=dive.damage_at_most,
        second_attack=file.albatros_second_attack.name,
        royale_tokens=tuple(file.battle_royale.tokens),
        team_corners=_team_corners(file.team_map, source),
    )


def _spaces(part: _BoardPart, source: str) -> Sequence[Hex]:
    if part.spaces is None:
        return list(hexagon(part.radius))
    spaces = [Hex(*space) for space in part.spaces]
    wrong = _wrong_with(spaces)
    if wrong:
        raise BadFile(source, "board.spaces", wrong)
    return spaces


def _wrong_with(spaces: Sequence[Hex]) -> str:
    """Why planes could not be flown on these spaces; empty if they can."""
    middle, board = Hex(0, 0), set(spaces)
    twice = next((space for space in spaces if spaces.count(space) > 1), None)
    if twice is not None:
        return f"{twice} is named twice"
    far = next((space for space in spaces if space.distance(middle) > LARGEST_RADIUS), None)
    if far is not None:
        return f"{far} lies over {LARGEST_RADIUS} spaces from 0,0"
    missing = [near for near in hexagon(1) if near not in board]
    if missing:
        return f"{missing[0]} is missing: 0,0 and all around it belong to every board [DF-3.6]"
    stray = HexMap(board).apart_from(middle)
    return f"{min(stray)} cannot be reached from 0,0" if stray else ""


def _token_spaces(part: _BoardPart, board: HexMap, source: str) -> Mapping[Hex, int]:
    worth: dict[Hex, int] = {}
    for name, tokens in (("one_token", 1), ("two_tokens", 2)):
        for raw in getattr(part, name):
            space = Hex(*raw)
            place = f"board.{name}"
            if space not in board:
                text = f"{space} is not on the board; name this board's own positions [DF-2.8]"
                raise BadFile(source, place, text)
            if space in worth:
                raise BadFile(source, place, f"{space} is named twice [DF-2.8]")
            worth[space] = tokens
    return worth


def _team_corners(part: _TeamMap, source: str) -> Mapping[Seat, int]:
    corners = {Seat(seat): FLAT_TOP_NAMES.index(getattr(part, seat)) for seat in "ABCD"}
    if len(set(corners.values())) != len(corners):
        raise BadFile(source, "team_map", "two players start on one corner [DF-2.6]")
    return corners


# Confirming the assumed figures.  (DF-2.2, RULING 1)

LIMITS: Mapping[str, tuple[int, int]] = {
    "board.radius": (2, LARGEST_RADIUS),
    "basic_attack.difficulty_range_1": (1, 6),
    "albatros_evasive_dive.dice": (1, 4),
    "albatros_evasive_dive.difficulty": (1, 6),
    "albatros_evasive_dive.token_at_least": (1, 6),
    "albatros_evasive_dive.damage_at_most": (0, 6),
}
"""Figures that are one whole number, with their limits."""


class FiguresOf1917(OwnTable):
    """The figures of Dogfight: 1917 that a table may confirm or correct."""

    def __init__(self) -> None:
        names = frozenset({"albatros_second_attack.name"})
        super().__init__(TABLE_FILE, ASSUMED, judge_table, LIMITS, names=names)


# The printed cards, with these figures where the print is lost.  (DF-17)

CARDS_FILE = Path(__file__).with_name("cards.toml")


@lru_cache(maxsize=8)
def fighters_of(figures: Figures) -> Mapping[str, Fighter]:
    """All Fighters by piece, with this table's own figures where the print is lost.

    >>> fighters_of(assumed_figures())["camel"].attacks["Lewis Guns"].farthest
    3
    """
    return {piece: _fighter(Piece(piece), raw, figures) for piece, raw in _printed().items()}


@cache
def _printed() -> Mapping[str, Any]:
    return tomllib.loads(CARDS_FILE.read_text("utf-8"))


def _fighter(piece: Piece, raw: Mapping[str, Any], figures: Figures) -> Fighter:
    attacks = (_attack(line, figures) for line in raw.get("attacks", ()))
    evasions = (_evasion(line, figures) for line in raw["evasions"])
    return Fighter(
        piece=piece,
        name=raw["name"],
        side=raw["side"],
        pilot=raw["pilot"],
        maneuvers={line["name"]: _maneuver(line) for line in raw["maneuvers"]},
        evasions={evasion.name: evasion for evasion in evasions},
        attacks={attack.name: attack for attack in attacks},
        tactics={line["name"]: _tactic(line) for line in raw.get("tactics", ())},
    )


def _maneuver(line: Mapping[str, Any]) -> Maneuver:
    fewest, most = line["advance"]
    checks = tuple(Check(**check) for check in line.get("checks", ()))
    return Maneuver(line["name"], Cite.of(line["rule"]), fewest, most, line["turns"], checks)


def _evasion(line: Mapping[str, Any], figures: Figures) -> Evasion:
    cite = Cite.of(line["rule"])
    if "figures" in line:
        return _lost_dive(line["name"], cite, figures)
    results = tuple(Result(**result) for result in line["results"])
    return Evasion(
        line["name"], cite, line["dice"], line["difficulty"], results, line.get("tokens", 0)
    )


def _lost_dive(name: str, cite: Cite, figures: Figures) -> Evasion:
    """The Albatros' Evasive Dive, of which only traces are printed.  (RULING 23)"""
    results = (
        Result("token", low=figures.dive_token_at_least),
        Result("damage", high=figures.dive_damage_at_most),
    )
    ruled = Cite(cite.rules, (23,))
    return Evasion(name, ruled, figures.dive_dice, figures.dive_difficulty, results)


def _attack(line: Mapping[str, Any], figures: Figures) -> SpecialAttack:
    lewis = line["range"] == "lewis_guns.range"
    nearest, farthest = figures.lewis_range if lewis else line["range"]
    unread = line["name"] == "albatros_second_attack.name"
    kept = {name: line[name] for name in ("multiplier", "effect", "dead_six_from") if name in line}
    return SpecialAttack(
        name=figures.second_attack if unread else line["name"],
        cite=Cite.of(line["rule"] + (", RULING 22" if lewis else "")),
        tokens=line["tokens"],
        nearest=nearest,
        farthest=farthest,
        dice=line["dice"],
        difficulty=line["difficulty"],
        assumed="lewis_guns.range" if lewis else "",
        **kept,
    )


def _tactic(line: Mapping[str, Any]) -> SpecialTactic:
    return SpecialTactic(
        line["name"], Cite.of(line["rule"]), line["tokens"], line["dice"], line["low"],
        line["turns"],
    )  # fmt: skip
