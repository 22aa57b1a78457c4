"""What one frame shows: markers, and the pieces they stand for on the boards they lie on."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.core.board import Board, Counter, Piece, Pose, Token
from companion.core.offers import RIM, Counts, Seen, SeenState
from vision.camera.frame import Frame
from vision.markers.reading import CornersPx, MarkerSeen
from vision.tracking.seen import TokensOn, headings_deg

if TYPE_CHECKING:  # calibration is built on the markers that are defined here
    from vision.boards.view import TableView


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What one frame shows, with no memory of the pieces in the frames before.

    `pieces` has every piece of the plan: seen, unsure (between spaces or facings, or on no
    space) or lost (its marker was not found); whether a lost one is covered by a hand, settling
    decides. `boards_seen` are the boards whose place in the picture is known. `conflicts` are
    pieces whose marker was found twice; they are unsure. `dice`, `thrown_at` and `counts` are as a
    sighting has them.
    """

    frame: int
    taken_at: float
    markers: tuple[MarkerSeen, ...] = ()
    pieces: Mapping[Piece, Seen] = field(default_factory=dict[Piece, Seen])
    boards_seen: frozenset[str] = frozenset()
    conflicts: tuple[Piece, ...] = ()
    dice: tuple[int | None, ...] = ()
    thrown_at: float = 0.0
    counts: Counts = field(default_factory=dict[str, Mapping[str, int]])


BORDER_MM = 2.5
"""Nearer than this to the border of two spaces, or of a space and the rim, a piece is too close to
call."""
SURE_SDS = 3.0
"""So it is nearer than so many of its own standard deviations: of a place that is less sure, as
with a lens that was never measured, more is asked."""
ASKED_FROM_DEG = 20.0
"""Pointing so far off its nearest facing, or farther, a piece's heading is asked for: who sets one
down leaves it 15 degrees off at most, and from there on the next of six facings may be meant."""
BORDER_DEG = 6.0
"""Nearer than this to halfway it is asked for on boards with more facings, too."""


def observe(frame: Frame, markers: Sequence[MarkerSeen], table: TableView) -> Observation:
    """Read the pieces of one frame off the markers found in it.

    `markers` are those of the whole table, of the plan's dictionary or of others besides; `table`
    remembers the boards, and is brought up to this frame.
    """
    plan = table.plan
    known = [marker for marker in markers if marker.dictionary == plan.dictionary]
    places = table.look(known, frame.size_px)
    found: dict[int, list[MarkerSeen]] = {}
    for marker in known:
        found.setdefault(marker.id, []).append(marker)
    once = [(token, found[token.marker][0]) for token in plan.tokens if token.marker in found]
    seen = dict(zip((token.piece for token, _ in once), _seen(once, table), strict=True))
    twice = tuple(token.piece for token in plan.tokens if len(found.get(token.marker, [])) > 1)
    pieces = {token.piece: seen.get(token.piece, Seen(SeenState.LOST)) for token in plan.tokens}
    pieces |= {piece: Seen(SeenState.UNSURE) for piece in twice}
    counts = {
        kind.name: _counted(kind, found.get(kind.marker, []), table) for kind in plan.counters
    }
    return Observation(
        frame.number, frame.taken_at, tuple(markers), pieces, frozenset(places), twice,
        counts=counts,
    )  # fmt: skip


def _counted(kind: Counter, found: Sequence[MarkerSeen], table: TableView) -> Mapping[str, int]:
    """How many tokens of one kind lie on each space or tray; under "" those on none or between."""
    if not found:  # as a rule
        return Tally()
    piece = Piece(kind.name)
    token = Token(
        piece, kind.label, kind.marker, kind.side_mm, kind.height_mm, kind.colour, headed=False
    )
    each = _seen([(token, marker) for marker in found], table)
    return Tally(_lies_on(seen, table) for seen in each)


def _lies_on(seen: Seen, table: TableView) -> str:
    """The space or tray that a counted token lies on; "" for none, or between two."""
    if seen.pose is not None:
        return seen.pose.space
    if seen.board is None or seen.x_mm is None or seen.y_mm is None:
        return ""
    place = (seen.x_mm, seen.y_mm)
    trays = table.plan.board(seen.board).trays
    return next((tray.name for tray in trays if tray.inside_mm(place) >= 0), "")


def _seen(tokens: Sequence[tuple[Token, MarkerSeen]], table: TableView) -> list[Seen]:
    """Each of some tokens, by its marker, on the board on which it is the deepest in a space."""
    boards = [
        TokensOn(place, table.spaces[name], tokens)
        for name, place in table.places.items()
        if place.board.holds_pieces
    ]
    if not boards:
        return [Seen(SeenState.UNSURE) for _ in tokens]
    return [_judge(boards, at) for at in range(len(tokens))]


def heading_deg(corners_mm: CornersPx) -> float:
    """Where one marker's top points, degrees clockwise from up (y points down), 0 to below 360.

    >>> import numpy as np
    >>> heading_deg(np.array([(10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (0.0, 0.0)]))
    90.0
    """
    return float(headings_deg(corners_mm[None])[0])


def facings_at(board: Board, heading: float) -> tuple[int, ...]:
    """The facing of a heading, the two it points between where that is unclear, or none."""
    if not board.facings:
        return ()
    facing, beyond_deg = board.facing_near(heading)
    if abs(beyond_deg) < asked_from_deg(board):
        return (facing,)
    return (facing, (facing + (1 if beyond_deg > 0 else -1)) % len(board.facings))


def asked_from_deg(board: Board) -> float:
    """How far off its nearest facing a heading is asked for, degrees; 20 where there are six."""
    return min(ASKED_FROM_DEG, 180.0 / len(board.facings) - BORDER_DEG)


def border_of(place_sd_mm: float) -> float:
    """How near to a border a place is too close to call, by how uncertain it is.

    >>> border_of(0.2), border_of(1.5)
    (2.5, 4.5)
    """
    return max(BORDER_MM, SURE_SDS * place_sd_mm)


def spaces_at(near: Sequence[tuple[str, float]], border_mm: float = BORDER_MM) -> tuple[str, ...]:
    """The space of a place, those that it is too close to call between, or none.

    `near` are spaces and how far inside each the place lies, mm, the deepest first; within
    `border_mm` of a border it is too close to call: of all that meet where they have a corner.

    >>> spaces_at([("-1,3", 12.0), ("-1,2", -12.0)]), spaces_at([("-1,3", 1.0), ("-1,2", -1.0)])
    (('-1,3',), ('-1,3', '-1,2'))
    >>> spaces_at([("-1,4", 1.0), ("-1,3", -30.0)]), spaces_at([("-1,4", -9.0), ("-1,3", -40.0)])
    (('-1,4', 'the rim of the board'), ())
    >>> spaces_at([("3,2", 0.3), ("2,2", -0.3), ("3,3", -0.3), ("2,3", -0.3)])
    ('3,2', '2,2', '3,3', '2,3')
    """
    close = tuple(space for space, inside_mm in near if inside_mm > -border_mm)
    if len(close) == 1 and near[0][1] < border_mm:
        return (*close, RIM)
    return close


def placed(seen: Seen, spaces: tuple[str, ...], facings: tuple[int, ...]) -> Seen:
    """A piece as seen, on these spaces and facings: seen for sure, or too close to call."""
    state, pose = standing(spaces, facings)
    return replace(seen, state=state, pose=pose, spaces=spaces, facings=facings)


def standing(spaces: tuple[str, ...], facings: tuple[int, ...]) -> tuple[SeenState, Pose | None]:
    """Whether a piece on these is seen for sure, and its pose if so."""
    if len(spaces) != 1 or len(facings) > 1:
        return SeenState.UNSURE, None
    return SeenState.SEEN, Pose(spaces[0], facings[0] if facings else None)


def _judge(boards: Sequence[TokensOn], at: int) -> Seen:
    """One space, some that are too close to call, or none; of a token as each board has it."""
    its_own = max(boards, key=lambda board: board.inside_mm(at))
    here, (token, _) = its_own.places[at], its_own.tokens[at]
    if not here.on_board:
        return Seen(SeenState.UNSURE)
    near = here.near
    if len(boards) > 1:
        near = sorted((one for board in boards for one in board.near[at]), key=lambda one: -one[1])
    spaces = spaces_at(near, border_of(here.place_sd_mm))
    facings = facings_at(here.board, here.heading_deg) if token.headed and spaces else ()
    state, pose = standing(spaces, facings)
    return Seen(
        state, pose, spaces, here.board.name, here.x_mm, here.y_mm, here.heading_deg, facings,
        here.place_sd_mm, here.heading_sd_deg,
    )  # fmt: skip
