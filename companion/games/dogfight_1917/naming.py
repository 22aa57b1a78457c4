"""What people call things in files and corrections: Fighters, pilots, seats, phases, spaces.

Every function takes a name whatever its case, dashes and accents, and raises ValueError that lists
what there is; who calls it adds the place at which the name stood.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.board import no_heading
from companion.core.ruling import Seat
from companion.core.text import one_of, spelt_like
from companion.games.dogfight_1917.cards import COPIES, FIGHTER_NAMES, MENTOR, PILOTS
from companion.games.dogfight_1917.layout import PILES, SET_UP, STAGES
from companion.games.dogfight_1917.seats import SEATS
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, parted

if TYPE_CHECKING:
    from companion.games.dogfight_1917.position import Dogfight1917Position

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


def names_of_flown(position: Dogfight1917Position) -> Mapping[str, str]:
    """The printed names of Fighters and pilots in play, each with the letter of its seat.

    In set-up, where they are still chosen by these names, there are none; nor is there one for the
    Pilot Mentor, whom two may have.
    """
    if position.stage == SET_UP:
        return {}
    names: dict[str, str] = {}
    for seat, player in position.players.items():
        printed = [FIGHTER_NAMES[player.fighter]]
        if player.pilot != MENTOR:
            pilot = PILOT_NAMES[player.pilot]
            printed += [pilot, pilot.rpartition(" ")[2]]
        names |= {spelt: str(seat) for name in printed for spelt in (name, _bare(name))}
    return names


def player_named(position: Dogfight1917Position, raw: object) -> Seat | None:
    """Who is meant by a letter, or by the Fighter that they fly; None where nobody is.

    Fighters go by what answers call them ("camel"); printed names were put as letters before.
    """
    for seat, player in position.players.items():
        if spelt_like(raw, [code for code in (str(seat), player.fighter) if code]) is not None:
            return seat
    return None


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
    codes = {_bare(name): code for code, name in names.items()} | {code: code for code in names}
    meant = spelt_like(_bare(raw), codes) if isinstance(raw, str) else None
    if meant is None:
        known = ", ".join(f"{name} ({code})" for code, name in names.items())
        raise ValueError(f"{brief(raw)} is no {what}; there are {known}")
    return codes[meant]


def _bare(name: str) -> str:
    """Without accents, which not every keyboard has."""
    parts = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
