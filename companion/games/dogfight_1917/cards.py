"""What Fighters, Flight Cards, special actions and pilots are; piles, phases, seats; their names.

What each Fighter's cards say is read by `figures.py`.  (DF-1.2, DF-3.1, DF-17, DF-18)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as brief
from typing import NamedTuple

from companion.core.board import Piece, no_heading
from companion.core.errors import BadCall
from companion.core.ruling import Cite, Seat
from companion.core.text import counted, one_of, spelt_like
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, parted

BASIC, HIGH_SPEED, TURNING = "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"
CLIMB, DIVE, KILLER_INSTINCT = "Evasive Climb", "Evasive Dive", "Killer Instinct"
STEEP_DIVE = "Steep Dive"

COPIES: Mapping[str, int] = {
    BASIC: 8, HIGH_SPEED: 3, TURNING: 2, CLIMB: 3, DIVE: 2, KILLER_INSTINCT: 2,
}  # fmt: skip
"""How many of each Flight Card a Fighter owns.  (DF-1.2)"""

MANEUVERS = (BASIC, HIGH_SPEED, TURNING)
EVASIONS = (CLIMB, DIVE, STEEP_DIVE)
"""Flight Cards and the one Special Action that answer an attack.  (DF-13.2)"""
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
    is_aimed: bool = False
    """Whether the action is done to another player, who is named with it."""


RICHTHOFEN, MACLAREN, LOEWENHARDT, FONCK, MENTOR = (
    "richthofen", "maclaren", "loewenhardt", "fonck", "mentor",
)  # fmt: skip

PILOTS: Mapping[str, Pilot] = {
    pilot.code: pilot
    for pilot in (
        Pilot(RICHTHOFEN, "Manfred von Richthofen", "The Red Baron", "The Flying Circus",
              Cite.of("DF-18.1.S"), is_aimed=True),
        Pilot(MACLAREN, "Donald Roderick MacLaren", "Silent Pursuer", "Northern Falcon",
              Cite.of("DF-18.2.S")),
        Pilot(LOEWENHARDT, "Erich Loewenhardt", "Heart of Iron", "Smiling Beast",
              Cite.of("DF-18.3.S")),
        Pilot(FONCK, "René Fonck", "Aerial Sharpshooter", "Ace of Aces", Cite.of("DF-18.4.S")),
        Pilot(MENTOR, "Pilot Mentor", "Marksmanship", "Pioneer of the Sky",
              Cite.of("DF-18.5.S")),
    )
}  # fmt: skip


# Piles for Flight Cards, and the stages of a game.  (DF-4.1, DF-5.1)

DECK, HAND, DISCARD, DAMAGE, BOX, PLAYED = (
    "deck", "hand", "discard", "damage", "box", "played",
)  # fmt: skip
PILES = (DECK, HAND, DISCARD, DAMAGE, BOX, PLAYED)
"""Where a Flight Card may be; `played` is face up before its owner while it is carried out."""

SET_UP, RECONNAISSANCE, ASSESSMENT, ENGAGEMENT = (
    "set-up", "reconnaissance", "assessment", "engagement",
)  # fmt: skip
STAGES = (SET_UP, RECONNAISSANCE, ASSESSMENT, ENGAGEMENT)
"""In the order of the book; the last three are the phases of a turn.  (DF-5.1)"""


# Words for dice and cards in a sentence.


def with_article(card: str) -> str:
    """A card by its name.

    >>> with_article("Evasive Climb"), with_article("Basic Maneuver")
    ('an Evasive Climb', 'a Basic Maneuver')
    """
    return f"{'an' if card[0] in 'AEIOU' else 'a'} {card}"


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")


# Names as people type them: Fighters, pilots, seats, stages, spaces.

PILOT_NAMES: Mapping[str, str] = {code: pilot.name for code, pilot in PILOTS.items()}
"""The printed name of each pilot, by the code that seats and facts use."""

FARTHEST = 99
"""No board reaches beyond so many spaces from its middle."""


def fighter_named(raw: object) -> str:
    """The piece of a Fighter, by the printed name or by what seats call it; "" for none.

    >>> fighter_named("sopwith camel"), fighter_named("spad"), fighter_named("")
    ('camel', 'spad', '')
    """
    return _coded(raw, FIGHTER_NAMES, "Fighter")


def pilot_named(raw: object) -> str:
    """The code of a pilot, by the printed name or by what seats call them; "" for none.

    >>> pilot_named("Rene Fonck"), pilot_named("mentor")
    ('fonck', 'mentor')
    """
    return _coded(raw, PILOT_NAMES, "pilot")


def seat_named(raw: object) -> Seat:
    """A seat by its letter."""
    return Seat(one_of(raw, SEATS, "seat"))


def stage_named(raw: object) -> str:
    """Set-up, or a phase of a turn.  (DF-5.1)"""
    return one_of(raw, STAGES, "phase")


def side_named(raw: object) -> str:
    """The side of a Pilot Card that lies up.  (DF-14.2)"""
    return one_of(raw, ("A", "B"), "side of a Pilot Card")


def pile_named(raw: object) -> str:
    """A pile of Flight Cards.  (DF-4.1)"""
    return one_of(raw, PILES, "pile")


def card_named(raw: object) -> str:
    """One of the six Flight Cards that every Fighter owns.  (DF-1.2)"""
    return one_of(raw, tuple(COPIES), "Flight Card")


def place_named(raw: object) -> Heading:
    """A space and one of the six headings; whether the board has the space is for the faults.

    >>> place_named("0,-1 n").name()
    '0,-1 N'
    """
    name, facing = parted(str(raw))
    space = _space(name)
    if facing.upper() not in FLAT_TOP_NAMES:
        raise ValueError(f"{no_heading(str(space), facing, FLAT_TOP_NAMES)} [DF-2.3]")
    return Heading(space, FLAT_TOP_NAMES.index(facing.upper()))


def _space(text: str) -> Hex:
    try:
        space = Hex.read(text)
    except ValueError:
        raise ValueError(f"{brief(text)} names no space; places go as 0,-1 N [DF-2.1]") from None
    if space.distance(Hex(0, 0)) > FARTHEST:
        raise ValueError(f"{brief(text)} is over {FARTHEST} spaces from the middle [DF-2.2]")
    return space


def _coded(raw: object, names: Mapping[str, str], what: str) -> str:
    """The code that a printed name, or the code itself, stands for."""
    if raw == "":
        return ""
    meant = called(raw, names)
    if meant is None:
        known = ", ".join(f"{name} ({code})" for code, name in names.items())
        raise ValueError(f"{brief(raw)} is no {what}; there are {known}")
    return meant


def called(raw: object, names: Mapping[str, str]) -> str | None:
    """The code of the Fighter or pilot that is meant, of those with these printed names.

    >>> called("dr1", FIGHTER_NAMES), called("von Richthofen", PILOT_NAMES)
    ('fokker', 'richthofen')
    """
    if not isinstance(raw, str):
        return None
    if raw in names:  # mostly so: what bots and logs say
        return raw
    for code, name in names.items():
        first, *_ = words = _bare(name).split()
        ways = (code, *spellings(name), first, " ".join(words[1:]))
        if spelt_like(_bare(raw), ways) is not None:
            return code
    return None


def spellings(name: str) -> tuple[str, ...]:
    """How people write the printed name of a Fighter or a pilot.

    >>> spellings("Fokker Dr.I")
    ('Fokker Dr.I', 'Dr.I', 'Fokker Dr. I', 'Dr. I', 'Fokker DrI', 'DrI', 'Fokker Dr1', 'Dr1')
    >>> spellings("René Fonck")
    ('René Fonck', 'Rene Fonck', 'Fonck')
    """
    first, _, last = name.rpartition(" ")
    letters, dot, number = last.partition(".")
    lasts = [last]
    if dot:
        lasts += [f"{letters}. {number}", letters + number, letters + _IN_FIGURES[number]]
    ways = (way for last in lasts for way in (f"{first} {last}", _bare(f"{first} {last}"), last))
    return tuple(dict.fromkeys(ways))


_IN_FIGURES = {"I": "1", "III": "3", "XIII": "13"}


def _bare(name: str) -> str:
    """Without accents, which not every keyboard has."""
    parts = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


# Who sits at the table: seats A to D clockwise, A the Starting Player.  (DF-3.1, DF-19)

A, B, C, D = Seat("A"), Seat("B"), Seat("C"), Seat("D")
SEATS = (A, B, C, D)
NAMES: Mapping[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}

AC, BD = Seat("A+C"), Seat("B+D")
TEAM_OF: Mapping[Seat, Seat] = {A: AC, B: BD, C: AC, D: BD}

WINGMEN = frozenset({C, D})
"""The seats whose Fighters come back after a crash, in Entente vs Central Powers.  (DF-24.1)"""


class Sitting(NamedTuple):
    """What is said of a seat before the match: who sits there, and what they fly ("" = unsaid)."""

    name: str
    fighter: str = ""
    pilot: str = ""


def read_sitting(seat: Seat, text: str) -> Sitting:
    """Read NAME[/FIGHTER[/PILOT]], by printed names or codes; BadCall names what there is.

    >>> read_sitting(A, "Ana/Sopwith Camel/maclaren")
    Sitting(name='Ana', fighter='camel', pilot='maclaren')
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 3:
        raise BadCall(f"seat {seat}: {text!r} is not NAME/FIGHTER/PILOT")
    name, fighter, pilot = (*parts, "", "")[:3]
    try:
        flown = fighter_named(fighter)
    except ValueError as wrong:
        known = ", ".join(FIGHTERS)
        raise BadCall(f"seat {seat}: no fighter {fighter!r}; there are {known}") from wrong
    try:
        flier = pilot_named(pilot)
    except ValueError as wrong:
        known = ", ".join(PILOTS)
        raise BadCall(f"seat {seat}: no pilot {pilot!r}; there are {known}") from wrong
    return Sitting(name, flown, flier)


def is_unique(pilot: str) -> bool:
    """Whether only one seat may have this pilot: all but the two Pilot Mentors.  (DF-1.1)"""
    return pilot != MENTOR
