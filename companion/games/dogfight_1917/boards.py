"""The Battlefield Board of Dogfight: 1917 for camera and map, and how pieces are drawn.  (DF-2)

The size of the printed board is not in the book: these are the sizes of our printed sheet and
corner markers, and a table's own file may replace them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.board import (
    Board,
    BoardPlan,
    Counter,
    Look,
    Piece,
    PointMm,
    Rgb,
    Space,
    Token,
)
from companion.games.dogfight_1917.cards import FIGHTER_NAMES, SEATS
from companion.kit.hexes import hex_board, plan_of

if TYPE_CHECKING:
    from companion.core.ruling import Seat
    from companion.games.dogfight_1917.figures import Figures
    from companion.games.dogfight_1917.position import Dogfight1917Position


SIDE_MM = 34.0
"""The side of one hex, mm."""
BOARD = "Battlefield Board"
MARKERS = {Piece("fokker"): 20, Piece("camel"): 21, Piece("albatros"): 22, Piece("spad"): 23}
COLOURS: Mapping[Piece, Rgb] = {
    Piece("fokker"): (178, 34, 34),
    Piece("camel"): (122, 106, 60),
    Piece("albatros"): (60, 110, 70),
    Piece("spad"): (70, 100, 150),
}
"""Of the models, as drawn tables and sheets show them."""
MARKER_MM = 30.0
"""The side of a token's marker: with 25 mm a camera of 720 lines has too few points of it."""
DICE_MM = 16.0
TACTICAL = Counter("tactical", "Tactical Token", marker=28, side_mm=22.0, copies=20)
"""Twenty alike, in the supply or with a player: only how many lie where counts.  (DF-15.1)"""
TRAY_AT_MM: PointMm = (46.0, 6.0)
"""Where the tray at the top left begins: beside the corner marker and its white rim."""
LARGEST_TRAY_MM, SMALLEST_TRAY_MM = (160, 100), (70, 40)
FIRST_CORNER = 24
"""Corner markers 24 to 27: top left, top right, bottom right, bottom left."""


def board_plan(figures: Figures) -> BoardPlan:
    """One board of hexes with flat tops, a token for each Fighter's base, and Tactical Tokens.

    >>> from companion.games.dogfight_1917.figures import assumed_figures
    >>> plan = board_plan(assumed_figures())
    >>> len(plan.spaces), plan.spaces["0,-3"].sign
    (61, 'token-1')
    """
    tokens = [
        Token(piece, FIGHTER_NAMES[piece], marker, side_mm=MARKER_MM, colour=COLOURS[piece])
        for piece, marker in MARKERS.items()
    ]
    plan = plan_of("dogfight-1917", _battlefield(figures), tokens)
    return replace(plan, dice_mm=DICE_MM, counters=(TACTICAL,))


def _battlefield(figures: Figures) -> Board:
    signs = {space: f"token-{tokens}" for space, tokens in figures.token_spaces.items() if tokens}
    board = hex_board(BOARD, figures.board.spaces, FIRST_CORNER, side_mm=SIDE_MM, signs=signs)
    middles = [space.centre_mm for space in board.spaces]
    return replace(board, trays=tuple(_trays(board.size_mm, middles)))


def tray_of(seat: Seat) -> str:
    """The place on the board for a seat's Tactical Tokens, as counts name it: "A.tokens"."""
    return f"{seat}.tokens"


def _trays(size: PointMm, middles: Sequence[PointMm]) -> Iterator[Space]:
    """A place for each seat's tokens, in the corners that the hexes leave; A sits at the near edge.

    B sits opposite, and each has its own at its right hand. Left out on boards too small for any.
    """
    width, height = size
    inner = _tray_mm(size, middles)
    if inner is None:
        return
    right, low = width - TRAY_AT_MM[0] - inner[0], height - TRAY_AT_MM[1] - inner[1]
    near, far = (TRAY_AT_MM[0], low), (right, TRAY_AT_MM[1])
    for seat, (x, y) in zip(SEATS, ((right, low), TRAY_AT_MM, near, far), strict=True):
        outline = ((x, y), (x + inner[0], y), (x + inner[0], y + inner[1]), (x, y + inner[1]))
        yield Space(tray_of(seat), f"Tactical Tokens of {seat}", outline)


def _tray_mm(size: PointMm, middles: Sequence[PointMm]) -> PointMm | None:
    """The largest tray that keeps clear of every hex in each corner; None where none has room."""
    width, height = size
    in_corner = [(min(x, width - x), min(y, height - y)) for x, y in middles]
    sizes = (
        (float(wide), float(high))
        for wide in range(LARGEST_TRAY_MM[0], SMALLEST_TRAY_MM[0] - 1, -10)
        for high in range(LARGEST_TRAY_MM[1], SMALLEST_TRAY_MM[1] - 1, -10)
        if TRAY_AT_MM[0] + wide < width / 2 and TRAY_AT_MM[1] + high < height / 2
    )
    clear = (inner for inner in sizes if all(_apart_mm(inner, at) > SIDE_MM for at in in_corner))
    return max(clear, key=lambda inner: inner[0] * inner[1], default=None)


def _apart_mm(tray: PointMm, middle: PointMm) -> float:
    """How far a hex's middle is from the tray at the top left."""
    off = (
        max(0.0, at - start - long)
        for at, start, long in zip(middle, TRAY_AT_MM, tray, strict=True)
    )
    return math.hypot(*off)


# How seats, sides and planes are drawn: a plane has its player's colour.


_UNFLOWN: Mapping[str, Look] = {
    piece: Look(None, piece, piece[0].upper()) for piece in FIGHTER_NAMES
}
_SEATED: Mapping[Seat, Look] = {seat: Look(at, "", seat) for at, seat in enumerate(SEATS)}


def looks_of(position: Dogfight1917Position, side_of: Mapping[Seat, Seat]) -> Mapping[str, Look]:
    """The look of every seat, side and piece, as far as Fighters are chosen."""
    flown = tuple((seat, player.fighter) for seat, player in position.players.items())
    return _looks_of(flown, tuple(side_of.items()))


@lru_cache(maxsize=64)
def _looks_of(
    flown: tuple[tuple[Seat, str], ...], side_of: tuple[tuple[Seat, Seat], ...]
) -> Mapping[str, Look]:
    looks, sides = {**_UNFLOWN}, dict(side_of)
    for seat, look in _SEATED.items():
        looks[seat] = look
        looks.setdefault(sides.get(seat, seat), look)
    for seat, fighter in flown:
        if fighter:
            bare = _UNFLOWN[fighter]
            looks[fighter] = Look(_SEATED[seat].colour, bare.sign, bare.letter)
    return looks
