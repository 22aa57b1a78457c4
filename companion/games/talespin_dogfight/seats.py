"""Who sits at the table, what their planes are called, and where cards may lie.

Seats are A to D in turn order, two to four of them.  (TS-WIN-03)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.core.text import one_of
from companion.kit.piles import own_pile

SEATS = tuple(Seat(letter) for letter in "ABCD")
NAMES: Mapping[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}
FEWEST, MOST = 2, len(SEATS)

TOKENS: Mapping[Seat, Piece] = {seat: Piece(f"plane-{seat.lower()}") for seat in SEATS}
"""The token of each player on the ring of locations.  (RULING 2)"""
LABELS: Mapping[Piece, str] = {TOKENS[seat]: f"Plane {seat}" for seat in SEATS}
"""What is written on each token."""


def labels_of(names: Mapping[Seat, str]) -> Mapping[Piece, str]:
    """What each token is called: by its player's name where that is known.

    >>> labels = labels_of({Seat("A"): "Ana", Seat("B"): "Player B"})
    >>> labels["plane-a"], labels["plane-b"]
    ("Ana's plane", 'Plane B')
    """
    people = {seat: name for seat, name in names.items() if name != NAMES[seat]}
    return {**LABELS, **{TOKENS[seat]: f"{name}'s plane" for seat, name in people.items()}}


def seat_named(raw: object) -> Seat:
    """A seat by its letter.

    >>> seat_named("c")
    'C'
    """
    return Seat(one_of(raw, SEATS, "seat"))


ATTACKER, DEFENDER, OTHERS = "attacker", "defender", "others"
"""What players are in a dogfight."""
NOBODY = "nobody"
"""Who won a dogfight that a card ended.  (RULING 16)"""


# Where cards may lie.

DRAW, DISCARD, IN_PLAY = "draw", "discard", "in play"
HAND, PACKED, OPEN, MANEUVERS = "hand", "packed", "open", "maneuvers"
COMMON_PILES = (DRAW, DISCARD, IN_PLAY)
"""Of everybody; `in play` is a card of a window while it is carried out."""
OWN_PILES = (HAND, PACKED, OPEN, MANEUVERS)
"""Before each player: `packed` and `open` are cargo, `maneuvers` what was played this dogfight."""

MOST_COUNTED = 200
"""More cards than this are at no table."""


def pile_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Every pile of a table: the common ones, and those before each player."""
    return (*COMMON_PILES, *(own_pile(seat, pile) for seat in seats for pile in OWN_PILES))
