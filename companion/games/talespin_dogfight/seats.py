"""Who sits at the table: seats A to D in turn order, two to four of them.  (TS-WIN-03)"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Piece
from companion.core.ruling import Seat

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
