"""What people call things in files and corrections: seats, phases, cards, places, tokens.

Every function takes a name whatever its case and dashes, and raises ValueError that lists what
there is; who calls it adds the place at which the name stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as brief

from companion.core.board import Piece, no_heading
from companion.core.ruling import Seat
from companion.core.text import one_of, spelt_like
from companion.games.dogfight_hex.cards import ATTACKS, KINDS
from companion.games.dogfight_hex.layout import OWN_PILES, STAGES
from companion.games.dogfight_hex.seats import LABELS, SEATS, SHIPS, WRECKAGE
from companion.kit.hexes import Heading, Hex, parted

FARTHEST = 99
"""No map reaches beyond so many spaces from its middle."""


def seat_named(raw: object) -> Seat:
    """A seat by its letter, or by its ship.

    >>> seat_named("c"), seat_named("Ship B")
    ('C', 'B')
    """
    ships = {spelling: seat for seat, ship in SHIPS.items() for spelling in (ship, LABELS[ship])}
    meant = spelt_like(raw, ships) if isinstance(raw, str) else None
    return ships[meant] if meant is not None else Seat(one_of(raw, SEATS, "seat"))


def stage_named(raw: object) -> str:
    """Set-up, or a phase of a turn."""
    return one_of(raw, STAGES, "phase")


def card_named(raw: object) -> str:
    """One of the six kinds of action cards.

    >>> card_named("shield_no_draw")
    'shield no draw'
    """
    return one_of(raw, KINDS, "action card")


def attack_named(raw: object) -> str:
    """One of the three attacks, which alone can be captured; "" for none.  (HX-SHD-06)"""
    return "" if raw == "" else one_of(raw, ATTACKS, "attack card")


def pile_named(raw: object) -> str:
    """A pile before a player."""
    return one_of(raw, OWN_PILES, "pile of a player")


def wreckage_named(raw: object) -> Piece:
    """A wreckage or hull point token: "wreck-2", "hull-b-1"."""
    return Piece(one_of(raw, WRECKAGE, "wreckage"))


def space_named(raw: object) -> Hex:
    """A space; whether the map has it is for the faults.

    >>> space_named("0,-1")
    Hex(q=0, r=-1)
    """
    try:
        space = Hex.read(str(raw).strip())
    except ValueError:
        raise ValueError(f"{brief(raw)} names no space; spaces go as 0,-1 [RULING 1]") from None
    if space.distance(Hex(0, 0)) > FARTHEST:
        raise ValueError(f"{brief(raw)} is over {FARTHEST} spaces from the middle [RULING 1]")
    return space


def place_named(raw: object, facings: Sequence[str]) -> Heading:
    """A space and one of this map's six headings.

    >>> from companion.kit.hexes import POINTY_TOP_NAMES
    >>> place_named("0,-1 se", POINTY_TOP_NAMES)
    Heading(hex=Hex(q=0, r=-1), facing=3)
    """
    name, facing = parted(str(raw))
    space = space_named(name)
    if facing.upper() not in facings:
        raise ValueError(no_heading(str(space), facing, facings))
    return Heading(space, facings.index(facing.upper()))
