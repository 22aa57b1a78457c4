"""What people call things in files and corrections: seats, steps, winners, maneuvers.

Every function takes a name whatever its case and dashes, and raises ValueError that lists what
there is; who calls it adds the place at which the name stood.
"""

from __future__ import annotations

from companion.core.ruling import Seat
from companion.core.text import one_of
from companion.games.talespin_dogfight.layout import ATTACKER, DEFENDER, NAMES_OF_STEPS, NOBODY
from companion.games.talespin_dogfight.maneuver import FROM_PILOT, SOURCES
from companion.games.talespin_dogfight.seats import SEATS

BY_PILOT, BY_RANGE = FROM_PILOT, "range"
STARTS = (BY_PILOT, BY_RANGE)
"""How a dogfight is started.  (TS-101)"""
WINNERS = (ATTACKER, DEFENDER, NOBODY)


def seat_named(raw: object) -> Seat:
    """A seat by its letter.

    >>> seat_named("c")
    'C'
    """
    return Seat(one_of(raw, SEATS, "seat"))


def step_named(raw: object) -> str:
    """A step of the table.

    >>> step_named("Answer 2")
    'answer-2'
    """
    return one_of(raw, NAMES_OF_STEPS, "step")


def start_named(raw: object) -> str:
    """By Pilot card or by RANGE; "" before it is announced."""
    return "" if raw == "" else one_of(raw, STARTS, "start of a dogfight")


def winner_named(raw: object) -> str:
    """Attacker, defender or nobody; "" while it is open."""
    return "" if raw == "" else one_of(raw, WINNERS, "winner of a dogfight")


def source_named(raw: object) -> str:
    """Whence a maneuver was played."""
    return one_of(raw, SOURCES, "source of a maneuver")
