"""Makes one sighting of many observations: what lies on the table once hands are gone.

A hand hides, it does not lie: a piece that cannot be seen keeps its last pose. The table is settled
after five quiet frames without a hand (four of a camera with little noise) in which every expected
piece was seen, or after a second with the rest marked as not seen. Light and shadow move nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.core.board import BoardPlan, Piece
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from vision.tracking.observation import Observation, asked_from_deg, placed

QUIET_FRAMES, CALM_FRAMES = 5, 4
"""So many quiet frames, and so many of a camera in whose noise no slow motion is lost."""
QUIET_S = 0.15
"""This must have passed, too: a quick camera has many frames in the time that a hand hesitates."""
PATIENCE_S = 1.0
"""After so long without motion, pieces that were not found are given as not seen."""

SAME_MM = 0.5
SAME_DEG = 1.5
"""A piece read again this near to where it stood has not moved: its reading stays, bit for bit."""
UNMOVED_MM = 2.0
LEAVE_MM = 1.0
ENTER_MM = 4.0
"""A piece that did not move leaves its space for "between two" only this near to the border, and
comes back to being sure only this far inside: jitter on the line is not read as a change."""
UNTURNED_DEG = 5.0
LEAVE_DEG = 1.0
ENTER_DEG = 2.0
"""The same for a heading, by how far it is beyond where headings are asked for, and within."""


@dataclass(frozen=True, slots=True, eq=False)
class SettlingFrame:
    """One frame as settling needs it.

    `state` is the frame's alone: still, moving, hand, light. `observation` is the newest reading of
    the markers (of this frame or an earlier one); `hidden` the pieces over whose place something
    lies; `steady` whether enough reads agree on everything in it; `held` the pieces that may be in
    the fingers of an arm that has rested for long: they count only where they stood before.
    """

    state: PictureState
    frame: int
    taken_at: float
    observation: Observation
    hidden: frozenset[Piece] = frozenset()
    steady: bool = True
    held: frozenset[Piece] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """What was told of an observation once telling it again had changed nothing."""

    observation: Observation
    held: frozenset[Piece]
    touched: set[Piece]
    told: Sighting

    def is_read_again(self, look: SettlingFrame, touched: set[Piece]) -> bool:
        """Whether nothing that it was told of is another now."""
        same = look.observation is self.observation
        return same and look.held == self.held and touched == self.touched


class PictureSettling:
    """Holds what was last settled and decides when the next picture of the table is.

    The sighting given back is the same object as long as nothing in it changes.
    """

    def __init__(self, plan: BoardPlan) -> None:
        self.quiet_frames = QUIET_FRAMES  # of this camera, as its noise is now
        self._plan = plan
        self._settled: dict[Piece, Seen] = {}
        self._touched: set[Piece] = set()
        self._quiet = 0
        self._quiet_since = 0.0
        self._last: Sighting | None = None
        self._same: _Rest | None = None

    @property
    def settled(self) -> bool:
        """Whether the last sighting was settled."""
        return self._last is not None and self._last.state is PictureState.SETTLED

    def see(self, look: SettlingFrame) -> Sighting:
        """Take in the next frame."""
        self._touched |= look.hidden
        self._count(look)
        if (told := self._told_again(look)) is not None:
            return told
        if look.state is not PictureState.STILL:
            return self._tell(look, look.state, self._meanwhile(look))
        if not self._is_time(look):
            return self._tell(look, PictureState.STILL, self._meanwhile(look))
        if not look.observation.boards_seen:
            return self._tell(look, PictureState.BLIND, self._meanwhile(look))
        return self._commit(look)

    def blind(self, frame: int, taken_at: float) -> Sighting:
        """There is no picture: every piece keeps its pose, and none is seen."""
        self._quiet = 0
        unseen = {piece: _unseen(seen, SeenState.LOST) for piece, seen in self._known().items()}
        look = SettlingFrame(PictureState.BLIND, frame, taken_at, Observation(frame, taken_at))
        return self._tell(look, PictureState.BLIND, unseen)

    def is_due(self, state: PictureState, taken_at: float) -> bool:
        """Whether a next frame of that state is one that may settle: then read the markers."""
        return state is PictureState.STILL and (
            self._quiet + 1 >= self.quiet_frames and taken_at - self._quiet_since >= QUIET_S
        )

    @property
    def expected(self) -> frozenset[Piece]:
        """The pieces that should be seen: all at the start, then all that last were."""
        return frozenset(
            piece
            for piece, before in self._known().items()
            if before.state in {SeenState.SEEN, SeenState.UNSURE}
        )

    def _count(self, look: SettlingFrame) -> None:
        if look.state is not PictureState.STILL:
            self._quiet = 0
            return
        if not self._quiet:
            self._quiet_since = look.taken_at
        self._quiet += 1

    def _is_time(self, look: SettlingFrame) -> bool:
        rest_s = look.taken_at - self._quiet_since
        if self._quiet < self.quiet_frames or rest_s < QUIET_S or not look.steady:
            return False
        found = look.observation.pieces
        all_found = all(
            found.get(piece, _NOWHERE).state is not SeenState.LOST for piece in self.expected
        )
        return all_found or rest_s >= PATIENCE_S

    def _known(self) -> Mapping[Piece, Seen]:
        """What was settled; at the start every piece of the plan is expected."""
        return {
            token.piece: self._settled.get(token.piece, _EXPECTED) for token in self._plan.tokens
        }

    def _told_again(self, look: SettlingFrame) -> Sighting | None:
        """What was told last, where the table has settled and still rests; else None."""
        same = self._same
        rests = look.state is PictureState.STILL and look.steady
        if not rests or same is None or self._last is not same.told:
            return None
        return same.told if same.is_read_again(look, self._touched) else None

    def _commit(self, look: SettlingFrame) -> Sighting:
        before, touched = self._settled, set(self._touched)
        pieces = {token.piece: self._judge(token.piece, look) for token in self._plan.tokens}
        self._settled = pieces
        self._touched = {p for p, seen in pieces.items() if seen.state is SeenState.COVERED}
        told = self._tell(look, PictureState.SETTLED, pieces)
        rests = pieces == before and self._touched == touched
        self._same = _Rest(look.observation, look.held, touched, told) if rests else None
        return told

    def _judge(self, piece: Piece, look: SettlingFrame) -> Seen:
        read = look.observation
        before, now = self._settled.get(piece), read.pieces.get(piece, _NOWHERE)
        if piece in read.conflicts:  # two of one id: neither moves the piece
            return _unseen(before or _NOWHERE, SeenState.UNSURE)
        if now.state is SeenState.LOST:
            hidden = piece in self._touched and before is not None
            return _unseen(before or _NOWHERE, SeenState.COVERED if hidden else SeenState.LOST)
        if piece in look.held and not _stands(before or _NOWHERE, now):
            was = before or _NOWHERE
            return _unseen(was, SeenState.LOST if was.board is None else SeenState.COVERED)
        return now if before is None else _steadied(self._plan, before, now)

    def _meanwhile(self, look: SettlingFrame) -> Mapping[Piece, Seen]:
        """Between two settled pictures: the last one, with what is hidden now marked so."""
        seen = {
            token.piece: self._settled.get(token.piece, _NOWHERE) for token in self._plan.tokens
        }
        hidden = {piece: _unseen(seen[piece], SeenState.COVERED) for piece in look.hidden}
        return seen | hidden

    def _tell(
        self, look: SettlingFrame, state: PictureState, pieces: Mapping[Piece, Seen]
    ) -> Sighting:
        read = look.observation
        told = Sighting(
            look.taken_at,
            look.frame,
            state,
            pieces,
            read.boards_seen,
            read.conflicts,
            dice=read.dice,
            thrown_at=read.thrown_at,
            counts=read.counts,
        )
        last = self._last
        if last is not None and told == replace(last, taken_at=told.taken_at, frame=told.frame):
            return last
        self._last = told
        return told


_NOWHERE, _EXPECTED = Seen(SeenState.LOST), Seen(SeenState.UNSURE)


def _unseen(seen: Seen, state: SeenState) -> Seen:
    """The same place, known from before and not from this picture."""
    return replace(seen, state=state)


def _stands(before: Seen, now: Seen) -> bool:
    """Whether a piece is read where it stood, and pointing as it did."""
    apart_mm = _apart_mm(before, now)
    turned = abs(_turn_deg(before, now)) > UNTURNED_DEG
    return apart_mm is not None and apart_mm <= UNMOVED_MM and not turned


def _steadied(plan: BoardPlan, before: Seen, now: Seen) -> Seen:
    """A reading freed of jitter: what stands where it stood is what it was."""
    apart_mm = _apart_mm(before, now)
    if apart_mm is None or apart_mm > UNMOVED_MM:
        return now
    if before.state in {SeenState.SEEN, SeenState.UNSURE}:
        spaces, facings = _same_spaces(plan, before, now), _same_facings(plan, before, now)
        if (spaces, facings) != (now.spaces, now.facings):
            now = placed(now, spaces, facings)
    return before if _is_same(before, now, apart_mm) else now


def _same_spaces(plan: BoardPlan, before: Seen, now: Seen) -> tuple[str, ...]:
    """What a piece that has not moved stands on: its space, or the two it stood between."""
    was_sure, is_sure = len(before.spaces) == 1, len(now.spaces) == 1
    if was_sure and not is_sure and _inside_mm(plan, before.spaces[0], now) >= LEAVE_MM:
        return before.spaces
    if len(before.spaces) > 1 and is_sure and _inside_mm(plan, now.spaces[0], now) < ENTER_MM:
        return before.spaces
    return now.spaces


def _same_facings(plan: BoardPlan, before: Seen, now: Seen) -> tuple[int, ...]:
    """Likewise where it points, if it has not been turned."""
    if not before.facings or abs(_turn_deg(before, now)) > UNTURNED_DEG:
        return now.facings
    board = plan.board(now.board or "")
    facing, beyond_deg = board.facing_near(now.heading_deg or 0.0)
    over_deg = abs(beyond_deg) - asked_from_deg(board)
    was_sure, is_sure = len(before.facings) == 1, len(now.facings) == 1
    if was_sure and not is_sure and before.facings == (facing,) and over_deg < LEAVE_DEG:
        return before.facings
    if not was_sure and is_sure and over_deg > -ENTER_DEG:
        return before.facings
    return now.facings


def _is_same(before: Seen, now: Seen, apart_mm: float) -> bool:
    was, is_now = ((seen.state, seen.pose, seen.spaces, seen.facings) for seen in (before, now))
    return was == is_now and apart_mm <= SAME_MM and abs(_turn_deg(before, now)) <= SAME_DEG


def _turn_deg(before: Seen, now: Seen) -> float:
    """By how much a piece was turned clockwise, -180 to 180."""
    turn = (now.heading_deg or 0.0) - (before.heading_deg or 0.0)
    return (turn + 180.0) % 360.0 - 180.0


def _apart_mm(one: Seen, other: Seen) -> float | None:
    """How far apart two readings are on one board; None where that cannot be said."""
    places = (one.x_mm, one.y_mm, other.x_mm, other.y_mm)
    if one.board != other.board or None in places:
        return None
    x, y, other_x, other_y = (place or 0.0 for place in places)
    return float(((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5)


def _inside_mm(plan: BoardPlan, space: str, seen: Seen) -> float:
    """How far inside a space of its board a piece stands; negative outside of it."""
    return plan.spaces[space].inside_mm((seen.x_mm or 0.0, seen.y_mm or 0.0))
