"""Who sits at the table, where an action card may lie, and the stages of a game.

Seats are A to F, clockwise.  (HX-SET-02, HX-SET-07, HX-TRN-01)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.core.text import spelt_like

if TYPE_CHECKING:
    from companion.core.ruling import Json

# Piles and stages.  (HX-TRN-01)

DECK, DISCARD = "deck", "discard"
HAND, CARD, CAPTURED = "hand", "card", "captured"
OWN_PILES = (HAND, CARD, CAPTURED)
"""Before each player: `card` is the one declared this turn, `captured` one kept for the next."""

SET_UP, DECLARE, MOVEMENT, REVEAL, RESOLUTION, DEBRIS = (
    "set-up", "declare", "movement", "reveal", "resolution", "debris",
)  # fmt: skip
STAGES = (SET_UP, DECLARE, MOVEMENT, REVEAL, RESOLUTION, DEBRIS)
"""In the order of the book; the last five make a turn."""

HULL_POINTS = 2
HAND_SIZE = 4
MOVE_STEPS = 4
DEBRIS_STEPS = 3
SHORT_RADIUS = 2
MEDIUM_RANGE = 4
WRECKAGE_TOKENS = 4
"""What the book prints."""


# Seats.  (HX-SET-02, HX-SET-07)

SEATS = tuple(Seat(letter) for letter in "ABCDEF")
NAMES: Mapping[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}
FEWEST, MOST = 3, len(SEATS)

SHIPS: Mapping[Seat, Piece] = {seat: Piece(f"ship-{seat.lower()}") for seat in SEATS}
DEBRIS_OF: Mapping[Seat, Piece] = {seat: Piece(f"ship-{seat.lower()}-debris") for seat in SEATS}
"""The other side of each ship token.  (HX-MAT-02)"""
WRECKS = tuple(Piece(f"wreck-{number}") for number in range(1, WRECKAGE_TOKENS + 1))
"""The four wreckage tokens that lie there from the start.  (HX-SET-01)"""
HULLS: Mapping[Seat, tuple[Piece, ...]] = {
    seat: tuple(Piece(f"hull-{seat.lower()}-{number}") for number in range(1, HULL_POINTS + 1))
    for seat in SEATS
}
"""The hull point tokens of each player.  (HX-SET-04)"""
WRECKAGE = (*WRECKS, *(hull for seat in SEATS for hull in HULLS[seat]))
"""Everything that may lie on the map as wreckage.  (HX-DMG-02)"""

LABELS: Mapping[Piece, str] = {
    **{SHIPS[seat]: f"Ship {seat}" for seat in SEATS},
    **{DEBRIS_OF[seat]: f"Debris {seat}" for seat in SEATS},
    **{wreck: f"Wreckage {number}" for number, wreck in enumerate(WRECKS, 1)},
    **{
        hull: f"Hull {seat}{number}" for seat in SEATS for number, hull in enumerate(HULLS[seat], 1)
    },
}
"""What is written on each token."""


def labels_of(names: Mapping[Seat, str]) -> Mapping[Piece, str]:
    """What each token is called: by its player's name where that is known.

    >>> labels = labels_of({Seat("A"): "Ana", Seat("B"): "Player B"})
    >>> labels["ship-a"], labels["hull-a-2"], labels["ship-b-debris"], labels["wreck-1"]
    ("Ana's ship", "Ana's hull token 2", 'Debris B', 'Wreckage 1')
    """
    called = dict(LABELS)
    for seat, name in names.items():
        if name != NAMES[seat]:
            called[SHIPS[seat]], called[DEBRIS_OF[seat]] = f"{name}'s ship", f"{name}'s debris"
            for number, hull in enumerate(HULLS[seat], 1):
                called[hull] = f"{name}'s hull token {number}"
    return called


# Tokens as people name them.


class Thing(NamedTuple):
    """What an answer names: a token, and whose it is (None: nobody's)."""

    piece: Piece
    seat: Seat | None


_THINGS: Mapping[str, Thing] = {
    **{seat: Thing(SHIPS[seat], seat) for seat in SEATS},
    **{piece: Thing(piece, seat) for names in (SHIPS, DEBRIS_OF) for seat, piece in names.items()},
    **{LABELS[names[seat]]: Thing(names[seat], seat)
       for names in (SHIPS, DEBRIS_OF) for seat in SEATS},
    **{name: Thing(piece, None) for piece in WRECKAGE for name in (piece, LABELS[piece])},
}  # fmt: skip


def thing_named(raw: Json) -> Thing | None:
    """A token by its letter, its name or what is written on it; None if none is meant.

    >>> thing_named("Debris b")
    Thing(piece='ship-b-debris', seat='B')
    """
    name = spelt_like(raw, _THINGS)
    return _THINGS[name] if name is not None else None


def ship_named(raw: Json) -> Seat | None:
    """Whose ship is meant, by letter or token; None if it is no ship."""
    thing = thing_named(raw)
    return thing.seat if thing is not None and thing.piece in SHIPS.values() else None
