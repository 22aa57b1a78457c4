"""The board plan: boards and their spaces in millimetres, tokens and their markers, decks.

Frames of reference. A *board* has its own frame: millimetres, x right and y down from its printed
top left, as its owner reads it. The *table* frame is the plan's nominal layout: millimetres, x
right and y down as the screen's map (and, roughly, the overhead camera) has it. Only drawing and
the simulated table use the nominal layout; reading a picture needs no board to lie just there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NewType, TypeVar

Piece = NewType("Piece", str)
"""A thing that stands on spaces: "jaws", "paws", "sun"."""

PointMm = tuple[float, float]

Rgb = tuple[int, int, int]
"""Red, green, blue, 0-255."""

PLAIN: Rgb = (124, 124, 118)
"""The colour of a thing to which its box gives none."""


_NUMBERED = re.compile(r"(?<=[a-z])-(?=\d)")
"""The dash in the full name of a numbered space; sentences have a blank there."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a piece stands: a space by its full name and, in boxes that have them, a facing 0-5."""

    space: str
    facing: int | None = None

    def __str__(self) -> str:
        return self.space if self.facing is None else f"{self.space}/{self.facing}"


@dataclass(frozen=True, slots=True)
class Space:
    """One zone, section or hex: its full name, its printed label and its outline on its board.

    `sign` is what is printed in its middle, as screens draw it ("cross", "ring", "" for nothing).
    """

    name: str
    label: str
    outline_mm: tuple[PointMm, ...]
    sign: str = ""

    @property
    def centre_mm(self) -> PointMm:
        xs, ys = zip(*self.outline_mm, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))

    def inside_mm(self, point: PointMm) -> float:
        """How far inside the (convex) outline a point lies, in mm; negative outside."""
        x, y = point
        corners = self.outline_mm
        sign = 1.0 if _area(corners) > 0 else -1.0
        return min(
            sign * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / math.hypot(bx - ax, by - ay)
            for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
        )


FEW_ZONES = 6
"""A board with more spaces than this is a field."""


@dataclass(frozen=True, slots=True)
class Board:
    """A printed board: its size, its spaces, its corner markers and where it nominally lies.

    `corners` maps marker id to that marker's centre on the board; all have side `corner_side_mm`
    and lie upright on the board. `centre_mm` and `turn_deg` (clockwise) are the nominal layout.
    `holds_pieces` is false for boards on which only cards lie. `facings` names the six headings of
    a hex board clockwise from facing 0, which points `first_facing_deg` clockwise from its printed
    top; empty where pieces have no heading. `colour` is that of its print and of its cards. `trays`
    are places beside its spaces where counted tokens are laid; no piece ever stands on one.
    """

    name: str
    owner: str
    size_mm: PointMm
    spaces: tuple[Space, ...]
    centre_mm: PointMm
    turn_deg: float = 0.0
    corners: Mapping[int, PointMm] | None = None
    corner_side_mm: float = 28.0
    holds_pieces: bool = True
    facings: tuple[str, ...] = ()
    first_facing_deg: float = 0.0
    colour: Rgb = PLAIN
    trays: tuple[Space, ...] = ()

    @property
    def is_field(self) -> bool:
        """Whether pieces move about on it from space to space: more than a few zones in a row."""
        return self.holds_pieces and (bool(self.facings) or len(self.spaces) > FEW_ZONES)

    def facing_deg(self, facing: int) -> float:
        """The direction of a facing, in degrees clockwise from the board's printed top."""
        return (self.first_facing_deg + facing * 360.0 / len(self.facings)) % 360.0

    def facing_near(self, heading_deg: float) -> tuple[int, float]:
        """The facing nearest to a heading, and how far beyond it the heading points, degrees.

        >>> board = Board("Field", "", (9.0, 9.0), (), (0.0, 0.0), facings=tuple("ABCDEF"))
        >>> board.facing_near(350.0), board.facing_near(80.0)
        ((0, -10.0), (1, 20.0))
        """
        sector_deg = 360.0 / len(self.facings)
        turns, beyond_deg = divmod(heading_deg - self.first_facing_deg + sector_deg / 2, sector_deg)
        return int(turns) % len(self.facings), beyond_deg - sector_deg / 2

    def to_table(self, point: PointMm) -> PointMm:
        """A point of this board in the nominal table frame."""
        dx, dy = point[0] - self.size_mm[0] / 2, point[1] - self.size_mm[1] / 2
        cos, sin = _turned(self.turn_deg)
        return (self.centre_mm[0] + cos * dx - sin * dy, self.centre_mm[1] + sin * dx + cos * dy)


@lru_cache(maxsize=64)
def _turned(turn_deg: float) -> tuple[float, float]:
    """Cosine and sine of a board's turn."""
    return math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))


def no_heading(space: str, said: str, headings: Sequence[str]) -> str:
    """What to say where a space was named without a heading, or with one that does not exist.

    >>> no_heading("0,-2", "", ("N", "S"))
    'The heading is missing: add one of N, S to 0,-2.'
    >>> no_heading("0,-2", "up", ("N", "S"))
    'up is no heading: add one of N, S to 0,-2.'
    """
    wrong = f"{said} is no heading" if said else "The heading is missing"
    return f"{wrong}: add one of {', '.join(headings)} to {space}."


def off_board(space: object) -> str:
    """What to say of a space that no board has."""
    return f"{space} is off the board."


def four_corners(first: int, size_mm: PointMm, inset_mm: float) -> dict[int, PointMm]:
    """Corner markers by id, so far from both edges: top left, top right, bottom right, bottom left.

    >>> four_corners(8, (100.0, 60.0), 10.0)
    {8: (10.0, 10.0), 9: (90.0, 10.0), 10: (90.0, 50.0), 11: (10.0, 50.0)}
    """
    right, low = size_mm[0] - inset_mm, size_mm[1] - inset_mm
    places = ((inset_mm, inset_mm), (right, inset_mm), (right, low), (inset_mm, low))
    return {first + number: place for number, place in enumerate(places)}


def hex_outline(middle_mm: PointMm, side_mm: float, turned_deg: float = 0.0) -> tuple[PointMm, ...]:
    """The six corners of a hex, from the right one on; turned by 30 degrees, one is on top."""
    x, y = middle_mm
    turns = (math.radians(60 * corner + turned_deg) for corner in range(6))
    return tuple((x + side_mm * math.cos(turn), y + side_mm * math.sin(turn)) for turn in turns)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece as a camera knows it: marker id, side of the black square, height of its top.

    The top of the marker is the piece's front; `headed` is false for a piece that has none, and may
    lie any way round even on a board with facings. `other_side` is what is printed on the back of
    the same token, with a marker of its own; it may be a piece of the plan besides.
    """

    piece: Piece
    label: str
    marker: int
    side_mm: float = 25.0
    height_mm: float = 8.0
    colour: Rgb = PLAIN
    headed: bool = True
    other_side: Token | None = None


@dataclass(frozen=True, slots=True)
class Counter:
    """A kind of token of which many are alike: all carry one marker, and a camera counts them.

    `name` is what counts are told under; `side_mm` and `height_mm` as a token has them. `copies` is
    how many the box has, for whoever prints their markers.
    """

    name: str
    label: str
    marker: int
    side_mm: float = 20.0
    height_mm: float = 2.5
    colour: Rgb = PLAIN
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Deck:
    """One player's cards as a camera may tell them apart: by the sleeves they are put in.

    `owner` is the player's code, `back` one of the plan's card backs. `number` stays the same in
    every match of the box, for sleeves are printed once. `cards` gives for each kind of card the
    names it is revealed by: one, or where the way up matters two, the printed upper half first.
    `copies` is how many of each kind are in it, for whoever prints sleeves; one where it is silent.
    `player` is whose it is and `titles` what each kind is called, in full; empty where the codes
    say it all.
    """

    owner: str
    number: int
    back: str
    cards: Mapping[str, tuple[str, ...]]
    copies: Mapping[str, int] = field(default_factory=dict[str, int])
    player: str = ""
    titles: Mapping[str, str] = field(default_factory=dict[str, str])


MARKERS = "ARUCO_MIP_36h12"
"""The dictionary of markers that our boxes use, as OpenCV names it: ids 0 to 249."""
FREE_MARKERS = range(124, 250)
"""Ids of it that no box here bears. Two boxes never lie on one table: they may share the others."""


@dataclass(frozen=True)
class BoardPlan:
    """All boards and tokens of a box at one table; `dictionary` as OpenCV names it.

    `card_backs` are the kinds of cards that lie face down on boards, each with the colour of its
    border; `decks` are the players' cards that lie there. `dice_mm` is the side of the dice rolled
    beside the boards, 0 where none are. `counters` are kinds of tokens that are only counted.
    ValueError where two things bear one marker.
    """

    box: str
    dictionary: str
    boards: tuple[Board, ...]
    tokens: tuple[Token, ...]
    table_mm: PointMm
    card_backs: Mapping[str, Rgb] = field(default_factory=dict[str, Rgb])
    dice_mm: float = 0.0
    decks: tuple[Deck, ...] = ()
    counters: tuple[Counter, ...] = ()

    def __post_init__(self) -> None:
        bearers: dict[int, str] = {}
        for marker, bearer in self._markers():
            if bearers.setdefault(marker, bearer) != bearer:
                text = f"marker {marker} is on {bearers[marker]} and on {bearer}: give one another"
                raise ValueError(f"{self.box}: {text}")

    def _markers(self) -> Iterator[tuple[int, str]]:
        """Every marker id, and what bears it; the back of a token may be a piece of its own."""
        for board in self.boards:
            for marker, (x, y) in (board.corners or {}).items():
                yield marker, f"the corner {x:g},{y:g} of board {board.name!r}"
        for token in self.tokens:
            for side in (token, token.other_side):
                if side is not None:
                    yield side.marker, f"piece {side.piece!r}"
        for counter in self.counters:
            yield counter.marker, f"counter {counter.name!r}"

    @cached_property
    def board_of(self) -> Mapping[str, Board]:
        """Space name to the board it is printed on."""
        return {space.name: board for board in self.boards for space in board.spaces}

    @cached_property
    def spaces(self) -> Mapping[str, Space]:
        """Every space by its full name."""
        return {space.name: space for board in self.boards for space in board.spaces}

    @cached_property
    def bounds_mm(self) -> Mapping[str, tuple[PointMm, PointMm]]:
        """Board name to the least and the greatest x and y of its spaces in the table frame, mm."""
        found: dict[str, tuple[PointMm, PointMm]] = {}
        for board in self.boards:
            points = [board.to_table(p) for space in board.spaces for p in space.outline_mm]
            if points:
                xs, ys = zip(*points, strict=True)
                found[board.name] = ((min(xs), min(ys)), (max(xs), max(ys)))
        return found

    @cached_property
    def has_facings(self) -> bool:
        """Whether it matters on any board which way a piece points."""
        return any(board.facings for board in self.boards)

    @cached_property
    def token_of(self) -> Mapping[Piece, Token]:
        """Every piece's token."""
        return {token.piece: token for token in self.tokens}

    def board(self, name: str) -> Board:
        """The board of that name; KeyError with the names there are."""
        for board in self.boards:
            if board.name == name:
                return board
        raise KeyError(f"no board {name!r}; there are {[board.name for board in self.boards]}")

    def name_of(self, pose: Pose) -> str:
        """A pose as people write it: the space, and the facing by its name ("0,-1 N")."""
        if pose.facing is None:
            return pose.space
        return f"{pose.space} {self.board_of[pose.space].facings[pose.facing]}"

    def said_of(self, pose: Pose) -> str:
        """A pose as it stands in a sentence: "location 5", not "location-5"."""
        return _NUMBERED.sub(" ", self.name_of(pose))

    def no_place(self, told: str) -> str:
        """Why what was typed names no place on these boards; empty where it does, or names none.

        A space of the same spelling that no board has is off the board; one whose board has
        headings wants one of them.
        """
        said = " ".join(told.split())
        by_name = {name.lower(): name for name in self.spaces}
        for space, rest in ((said, ""), said.rpartition(" ")[::2]):
            if _spelling(space) not in self._spellings:
                continue
            known = by_name.get(space.lower())
            if known is None:
                return off_board(space)
            headings = self.board_of[known].facings
            whole = not headings or rest.upper() in headings
            return "" if whole else no_heading(known, rest, headings)
        return ""

    @cached_property
    def _spellings(self) -> frozenset[str]:
        """How the names of spaces are made."""
        return frozenset(map(_spelling, self.spaces))

    def centre_on_table(self, space: str) -> PointMm:
        """The middle of a space in the nominal table frame, mm."""
        return self.board_of[space].to_table(self.spaces[space].centre_mm)


def _spelling(name: str) -> str:
    """The form of a space's name: "#,#", "location-#", "jaws.*"."""
    before, dot, _ = name.lower().partition(".")
    one_word = dot and " " not in name
    return f"{before}.*" if one_word else re.sub(r"-?\d+", "#", name.lower())


def _area(corners: tuple[PointMm, ...]) -> float:
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2


# How seats, sides and pieces are drawn: a box names them, screens keep the palettes.

SIGNS = frozenset((
    "jaw", "paw", "sun", "moon", "gunsight",
    "jaws-plane", "paws-plane", "fokker", "camel", "albatros", "spad", "ship",
    "debris", "wreckage", "token",
))  # fmt: skip
"""Drawings that a look may have: emblems, aircraft from above with their nose up, things that lie
about. Aircraft show which way they point; without a drawing a piece is a disc with its letter."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and drawing of one side, seat or piece.

    `colour` is a place among a theme's colours of sides, 0 to 5 (None: no side's own); `sign` the
    name of a drawing, one of SIGNS, `letter` what is written where there is no drawing. ValueError
    for a sign that nobody has drawn.
    """

    colour: int | None = None
    sign: str = ""
    letter: str = ""

    def __post_init__(self) -> None:
        if self.sign and self.sign not in SIGNS:
            known = ", ".join(sorted(SIGNS))
            raise ValueError(f"no sign is called {self.sign!r}; there are {known}")

    def __bool__(self) -> bool:
        """Whether there is anything to draw."""
        return self.colour is not None or bool(self.sign or self.letter)


NO_LOOK = Look()
"""The look of a thing to which no box gives one."""


SeatT = TypeVar("SeatT", bound=str)


def looks_by_seat(pieces: Mapping[SeatT, Piece], sign: str = "") -> dict[str, Look]:
    """A colour for each seat and for its piece, which has the sign; both bear the seat's code.

    A box whose seats have several pieces each joins what it gives for the first, the second...:
    `looks_by_seat(SHIPS, "ship") | looks_by_seat(GUNNERS, "gunsight")`.

    >>> looks = looks_by_seat({"A": "red", "B": "blue"}, "ship")
    >>> looks["B"], looks["blue"]
    (Look(colour=1, sign='', letter='B'), Look(colour=1, sign='ship', letter='B'))
    """
    of_seats: dict[str, Look] = {seat: Look(at, "", seat) for at, seat in enumerate(pieces)}
    of_pieces: dict[str, Look] = {
        piece: Look(of_seats[seat].colour, sign, seat) for seat, piece in pieces.items()
    }
    return {**of_seats, **of_pieces}
