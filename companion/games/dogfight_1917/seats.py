"""Who sits at the table: seats A to D clockwise, A being the Starting Player.  (DF-3.1, DF-19)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games.dogfight_1917.cards import FIGHTERS, MENTOR, PILOTS

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
    from companion.games.dogfight_1917.naming import fighter_named, pilot_named  # it names seats

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
