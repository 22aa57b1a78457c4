"""The printed cards: Fighters, their Flight Cards and special actions, and the pilots.

`cards.toml` has them as data; three of them take figures from the table's own (`figures.py`).
(DF-1.2, DF-17, DF-18)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece
from companion.core.ruling import Cite

if TYPE_CHECKING:
    from companion.games.dogfight_1917.figures import Figures

CARDS_FILE = Path(__file__).with_name("cards.toml")

BASIC, HIGH_SPEED, TURNING = "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"
CLIMB, DIVE, KILLER_INSTINCT = "Evasive Climb", "Evasive Dive", "Killer Instinct"
STEEP_DIVE = "Steep Dive"

COPIES: Mapping[str, int] = {
    BASIC: 8, HIGH_SPEED: 3, TURNING: 2, CLIMB: 3, DIVE: 2, KILLER_INSTINCT: 2,
}  # fmt: skip
"""How many of each Flight Card a Fighter owns.  (DF-1.2)"""

MANEUVERS = (BASIC, HIGH_SPEED, TURNING)
DECK_SIZE = sum(COPIES.values())
MENTOR_CARDS = 2
"""So many Pilot Mentors there are; every other Pilot Card exists once.  (DF-1.1)"""
TOKENS_IN_BOX = 20
FIRST_GAME_OUT: Mapping[str, int] = {BASIC: 2, CLIMB: 1}
"""Cards that go to the box before a first game.  (DF-3.3, RULING 21)"""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A Conditional Effect: which steps make a die due, and which rolls bring the effect.

    `steps` is left, center, right, same or all; flown `least` to `most` times one die is rolled,
    and from `low` to `high` the `effect` happens (token, damage, turn, again).
    """

    steps: str
    effect: str
    least: int = 1
    most: int = 9
    low: int = 1
    high: int = 6

    def happens(self, rolled: int) -> bool:
        """Whether a die brings the effect."""
        return self.low <= rolled <= self.high


_READ_BY: Mapping[str, int] = {"center": 6, "same": 7}
"""By which ruling steps are counted where the print is damaged.  (RULING 6, RULING 7)"""


@dataclass(frozen=True, slots=True, eq=False)
class Maneuver:
    """A Maneuver Card: spaces to advance, optional Turns (all or none), Conditional Effects."""

    name: str
    cite: Cite
    fewest: int
    most: int
    turns: int
    checks: tuple[Check, ...] = ()

    @property
    def condition_cite(self) -> Cite:
        """Where its Conditional Effects are, with the ruling that says how steps are counted."""
        counted = {_READ_BY[check.steps] for check in self.checks if check.steps in _READ_BY}
        return Cite((*self.cite.rules, "DF-9.7"), tuple(sorted(counted)))


@dataclass(frozen=True, slots=True)
class Result:
    """What a die of an evasion brings besides: a token, 1 damage, or Dead Six."""

    effect: str
    low: int = 1
    high: int = 6


@dataclass(frozen=True, slots=True)
class Evasion:
    """An Evasion Card, or a Special Action of that type, which costs tokens instead of a card."""

    name: str
    cite: Cite
    dice: int
    difficulty: int
    results: tuple[Result, ...] = ()
    tokens: int = 0

    @property
    def is_special(self) -> bool:
        """Whether it is paid with tokens and no card is played."""
        return self.tokens > 0


@dataclass(frozen=True, slots=True)
class SpecialAttack:
    """A Special Action of type Attack; `effect` is damage or discard (of the target's Hand)."""

    name: str
    cite: Cite
    tokens: int
    nearest: int
    farthest: int
    dice: int
    difficulty: int
    multiplier: int = 1
    effect: str = "damage"
    dead_six_from: int = 0
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class SpecialTactic:
    """A Special Action of type Tactic that rolls dice: from `low` on so many compulsory Turns."""

    name: str
    cite: Cite
    tokens: int
    dice: int
    low: int
    turns: int


@dataclass(frozen=True, slots=True)
class Fighter:
    """A Fighter with all it can do; `pilot` is its partner of the Basic Combination chart."""

    piece: Piece
    name: str
    side: str
    pilot: str
    maneuvers: Mapping[str, Maneuver]
    evasions: Mapping[str, Evasion]
    attacks: Mapping[str, SpecialAttack]
    tactics: Mapping[str, SpecialTactic]


FIGHTERS = (Piece("fokker"), Piece("camel"), Piece("albatros"), Piece("spad"))
FIGHTER_NAMES: Mapping[str, str] = {
    "fokker": "Fokker Dr.I", "camel": "Sopwith Camel", "albatros": "Albatros D.III",
    "spad": "SPAD S.XIII",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pilot:
    """A pilot: what the two sides of the card and the action that flips it are called."""

    code: str
    name: str
    first: str
    action: str
    cite: Cite


RICHTHOFEN, MACLAREN, LOEWENHARDT, FONCK, MENTOR = (
    "richthofen", "maclaren", "loewenhardt", "fonck", "mentor",
)  # fmt: skip

PILOTS: Mapping[str, Pilot] = {
    pilot.code: pilot
    for pilot in (
        Pilot(RICHTHOFEN, "Manfred von Richthofen", "The Red Baron", "The Flying Circus",
              Cite.of("DF-18.1.S")),
        Pilot(MACLAREN, "Donald Roderick MacLaren", "Silent Pursuer", "Northern Falcon",
              Cite.of("DF-18.2.S")),
        Pilot(LOEWENHARDT, "Erich Loewenhardt", "Heart of Iron", "Smiling Beast",
              Cite.of("DF-18.3.S")),
        Pilot(FONCK, "René Fonck", "Aerial Sharpshooter", "Ace of Aces", Cite.of("DF-18.4.S")),
        Pilot(MENTOR, "Pilot Mentor", "Marksmanship", "Pioneer of the Sky",
              Cite.of("DF-18.5.S")),
    )
}  # fmt: skip


@lru_cache(maxsize=8)
def fighters_of(figures: Figures) -> Mapping[str, Fighter]:
    """All Fighters by piece, with this table's own figures where the print is lost.

    >>> from companion.games.dogfight_1917.figures import assumed_figures
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
