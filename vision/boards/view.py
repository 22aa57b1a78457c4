"""Where each board lies in the picture, found from its own corner markers.

Boards may lie anywhere and be nudged: each has a place of its own in each frame. Inside it the
camera's own place over the board is known, so that a token's top, some mm above the board, is not
taken for a point further out (6 mm at the edge of a table, more than any other error).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_

import numpy as np

from companion.core.board import Board, BoardPlan
from companion.core.errors import CameraError
from vision.boards.lens import Lens
from vision.boards.lens_guess import guessed_lens
from vision.boards.place import (
    BoardCorners,
    BoardDrift,
    BoardPlace,
    Calibration,
    beside,
    corners_of,
    each_off_px,
    fitted,
    holds,
    marker_corners_mm,
    recalled,
    told,
)
from vision.markers.reading import MarkerSeen
from vision.tracking.seen import Spaces, board_sds_mm

__all__ = ["MARKERS_NEEDED", "BoardPlace", "TableView", "marker_corners_mm", "places_told"]

MARKERS_NEEDED = 3
MARKERS_BESIDE = 2
"""Enough for a board while another one tells how the table lies before the camera."""
STILL_PX = 0.5
"""A board whose corners are this near to where they were (rms) has not moved."""
AGREEING = 2
"""So many markers must say that a board moved, where so many are seen."""
MOVED_PX = 5.0
"""A board further than this (rms) from its calibrated place does not lie there any more."""
SAME_PX = 3.0
"""Fewer than three markers confirm a remembered place when they are this near to it (rms)."""
DOUBTFUL_PX = 0.5
"""Above this (rms) one of four markers is doubted: it may be half under a finger."""
POOR_FIT_PX = 1.0
"""Above this (rms) two markers are not those of a board that lies flat beside another."""


# How surely places are told, and what a measured lens would better.

TOLD_SDS = 3.0
"""Places are told to within so many of their standard deviations: 99 of 100 of them are."""
WORTH_TELLING_MM = 1.0
"""Where places are told to within less, measuring the lens would hardly be noticed."""
MEASURED_FOCAL = 0.005
"""How unsure a measured focal length is, as a share: by so much of a token's height over the board
it is told further out or in than it stands."""


@dataclass(frozen=True, slots=True)
class PlacesTold:
    """To within how much places are told at their worst, mm: now, and with a measured lens.

    >>> print(PlacesTold(3.62, 0.24))
    places are told to within 4 mm; measuring the lens brings that to 0.3 mm
    """

    within_mm: float
    measured_mm: float

    @property
    def worth_measuring(self) -> bool:
        """Whether a measured lens would be noticed."""
        return self.within_mm >= WORTH_TELLING_MM and self.within_mm >= 2 * self.measured_mm

    @property
    def briefly(self) -> str:
        """To within how much now, in a line's few words."""
        return f"within {_rounded_up(self.within_mm)} mm"

    def __str__(self) -> str:
        """As the table check has it, in the middle of a sentence."""
        now, then = _rounded_up(self.within_mm), _rounded_up(self.measured_mm)
        return f"places are told to within {now} mm; measuring the lens brings that to {then} mm"


def _rounded_up(mm: float) -> str:
    return f"{math.ceil(mm)}" if mm > 2 else f"{math.ceil(10 * mm - 1e-6) / 10:.1f}"


def places_told(places: Iterable[BoardPlace], height_mm: float) -> PlacesTold | None:
    """How surely things so high stand in the spaces of some boards; None where there are none."""
    worst = [_told_on(place, height_mm) for place in places if place.board.spaces]
    if not worst:
        return None
    return PlacesTold(*(max(figures) for figures in zip(*worst, strict=True)))


def _told_on(place: BoardPlace, height_mm: float) -> tuple[float, float]:
    """To within how much one board's spaces are told, now and with a measured lens, mm."""
    points_mm = np.array([space.centre_mm for space in place.board.spaces])
    at_px = place.to_picture(points_mm, height_mm)
    lens_mm = float(place.lens_sds_mm(at_px, height_mm).max())
    x, y, above = place.camera_mm
    aside = float(np.linalg.norm(points_mm - (x, y), axis=1).max()) / above
    own_mm = float(board_sds_mm(place, points_mm).max())
    measured_mm = math.hypot(own_mm, MEASURED_FOCAL * height_mm * aside)
    return (TOLD_SDS * math.hypot(own_mm, lens_mm), TOLD_SDS * measured_mm)


class TableView:
    """The boards of a plan as one camera has them, remembered while hands cover them.

    Without a `lens` one is guessed from the boards themselves, as soon as enough of them are seen,
    and so it is where one was guessed before and nobody knows how well; likewise, with the reason
    in `trouble`, where the pictures have another shape than the lens has.
    """

    def __init__(self, plan: BoardPlan, lens: Lens | None = None) -> None:
        self.plan = plan
        self.spaces = {board.name: Spaces(board) for board in plan.boards}
        self.places: Mapping[str, BoardPlace] = {}
        self.moved: frozenset[str] = frozenset()
        self.trouble = ""
        self._given = _known(lens)
        self._lens: Lens | None = None
        self._fitted_from = -1
        self._first: dict[str, BoardPlace] = {}
        self._known: Calibration | None = None
        self._told: tuple[Mapping[str, BoardPlace], PlacesTold | None] = ({}, None)
        self._looked: tuple[list[MarkerSeen], Mapping[str, BoardPlace]] = ([], {})
        self._ahead: tuple[Sequence[BoardCorners], Lens | None] = ((), None)
        self._unready: list[BoardPlace] = []

    @property
    def told(self) -> PlacesTold | None:
        """How surely tokens are told in the spaces of these boards; None before any is seen."""
        places = self.places
        if self._told[0] is not places:
            holding = [place for place in places.values() if place.board.holds_pieces]
            self._told = (places, places_told(holding, tallest_mm(self.plan)))
        return self._told[1]

    @property
    def lens(self) -> Lens | None:
        """The lens in use; None before the first picture."""
        return self._lens

    @property
    def drifts(self) -> Mapping[str, BoardDrift]:
        """How far each board is from where it was calibrated, or else first found."""
        return {
            name: self._first[name].drift_to(place)
            for name, place in self.places.items()
            if name in self._first
        }

    @property
    def drift_words(self) -> tuple[str, ...]:
        """A sentence for each board that was nudged or moved, or one for the camera; often none."""
        return told(self.drifts, tuple(self.places))

    def remember(self, known: Calibration) -> None:
        """Begin with the boards where a calibration has them, covered though they may be.

        With the first picture of its size that shows a corner of one they are compared with what it
        shows; those before it say nothing of them, for the camera may look elsewhere.
        """
        self._known, self._given = known, _known(known.lens)
        self.forget()

    def forget(self) -> None:
        """Start afresh: another camera, or the camera was moved."""
        self.places, self.moved, self._lens, self._fitted_from = {}, frozenset(), None, -1
        self._first = {}

    def _recall(self, corners: Mapping[str, BoardCorners], size_px: tuple[int, int]) -> None:
        """Take the calibrated places for those before the first picture, if they may still hold.

        What is seen of other boards tells: where most of those lie elsewhere, the camera hangs
        elsewhere, and what is not seen is not known.
        """
        known = self._known
        if known is None or known.size_px != size_px or self._lens is None:
            return
        if not any(corners[name].markers for name in known.boards):
            return
        self._known = None
        kept = {
            board.name: place
            for board in self.plan.boards
            if (found := known.boards.get(board.name)) is not None
            and (place := recalled(board, self._lens, found)) is not None
        }
        self._first = dict(kept)
        seen = [name for name in kept if corners[name].markers]
        held = [name for name in seen if holds(kept[name], corners[name], MOVED_PX)]
        self.places = kept if 2 * len(held) >= len(seen) else {}

    def look(
        self, markers: Sequence[MarkerSeen], size_px: tuple[int, int]
    ) -> Mapping[str, BoardPlace]:
        """Find each board's place in a frame; a covered one keeps the place it had.

        `moved` then names the boards that had another place before. A board needs three markers, or
        two beside another board that shows three; with fewer, and those not where they were, it has
        no place. Where the boards' markers are the same objects as last time, so are the places.
        """
        corner_ids = {one for board in self.plan.boards for one in board.corners or {}}
        own = [marker for marker in markers if marker.id in corner_ids]
        as_before = self._lens is not None and self._lens.size_px == size_px
        if as_before and _are_same(self._looked, own, self.places):
            self.moved = frozenset()
            return self.places
        corners = self._corners(markers)
        lens = self._choose_lens(corners, size_px)
        self._recall(corners, size_px)
        before, places = self.places, dict[str, BoardPlace]()
        for board in self.plan.boards:
            place = _place(board, lens, corners[board.name], before.get(board.name))
            if place is not None:
                places[board.name] = place
        self._add_beside(places, corners)
        self.places = places
        self.moved = frozenset(
            name
            for name, place in before.items()
            if places.get(name) is not place and not holds(place, corners[name], STILL_PX)
        )
        for name, place in places.items():
            self._first.setdefault(name, place)
        self._looked = (own, places)
        self._unready = [place for place in places.values() if place.board.holds_pieces]
        return places

    def is_to_guess(self, markers: Sequence[MarkerSeen], size_px: tuple[int, int]) -> bool:
        """Whether `look` at these markers would begin with guessing a lens by boards."""
        if self._has_lens(size_px):
            return False
        full = self._to_guess_by(self._corners(markers), size_px)
        return bool(full) and self._guessed_by(full or (), size_px) is None

    def guess_ahead(self, markers: Sequence[MarkerSeen], size_px: tuple[int, int]) -> None:
        """Guess that lens before: it takes as long as all the rest of a look."""
        full = self._to_guess_by(self._corners(markers), size_px)
        if full is not None:
            self._ahead = (full, _guess(full, size_px))

    def get_ready(self) -> None:
        """Work out for one more board what the first token on it would wait for."""
        if self._unready:
            _ = self._unready.pop().others

    def _add_beside(
        self, places: dict[str, BoardPlace], corners: Mapping[str, BoardCorners]
    ) -> None:
        """Place boards that show two markers beside the one whose corners fit best."""
        whole = [place for name, place in places.items() if corners[name].markers >= MARKERS_NEEDED]
        if not whole:
            return
        best = min(whole, key=lambda place: place.error_px)
        for board in self.plan.boards:
            seen = corners[board.name]
            if board.name not in places and seen.markers >= MARKERS_BESIDE:
                place = beside(best, board, seen)
                if place.error_px <= POOR_FIT_PX:
                    places[board.name] = place

    def _choose_lens(self, corners: Mapping[str, BoardCorners], size_px: tuple[int, int]) -> Lens:
        """The lens given, or one guessed from the most corners seen so far."""
        full = self._to_guess_by(corners, size_px)
        if full is None and self._lens is not None:
            return self._lens
        full = full or []
        self.forget()
        self._lens = self._guessed_by(full, size_px) or _guess(full, size_px)
        self._fitted_from = _points(full)
        return self._lens

    def _corners(self, markers: Sequence[MarkerSeen]) -> Mapping[str, BoardCorners]:
        """What is seen of each board."""
        return {board.name: corners_of(board, markers) for board in self.plan.boards}

    def _to_guess_by(
        self, corners: Mapping[str, BoardCorners], size_px: tuple[int, int]
    ) -> list[BoardCorners] | None:
        """The boards by which a lens is to be guessed now; None where the one in use stays."""
        if self._has_lens(size_px):
            return None
        full = [seen for seen in corners.values() if seen.markers >= MARKERS_NEEDED]
        again = _points(full) > self._fitted_from and set(self.places) <= {
            one.board for one in full
        }
        return full if self._lens is None or again else None

    def _has_lens(self, size_px: tuple[int, int]) -> bool:
        """Whether there is a lens for these pictures that nothing seen of boards will better."""
        if self._lens is not None and self._lens.size_px != size_px:
            self.forget()
        if self._lens is None and self._given is not None:
            self._lens, self.trouble = _scaled(self._given, size_px)
        return self._lens is not None and self._fitted_from < 0

    def _guessed_by(self, full: Sequence[BoardCorners], size_px: tuple[int, int]) -> Lens | None:
        """The lens that was guessed ahead by just these boards; None where it was not."""
        before, lens = self._ahead
        if lens is None or lens.size_px != size_px or len(before) != len(full):
            return None
        return lens if all(map(BoardCorners.is_same, before, full)) else None


def _guess(full: Sequence[BoardCorners], size_px: tuple[int, int]) -> Lens:
    return guessed_lens(size_px, [one.mm for one in full], [one.px for one in full])


def _points(boards: Sequence[BoardCorners]) -> int:
    return sum(len(seen.mm) for seen in boards)


def _are_same(
    looked: tuple[list[MarkerSeen], Mapping[str, BoardPlace]],
    own: Sequence[MarkerSeen],
    places: Mapping[str, BoardPlace],
) -> bool:
    """Whether these markers made these places when they were last looked at."""
    before, then = looked
    return then is places and len(own) == len(before) and all(map(is_, own, before))


def _place(
    board: Board, lens: Lens, seen: BoardCorners, before: BoardPlace | None
) -> BoardPlace | None:
    """The place before if it still holds, else a new one, else none.

    One marker of several that lies elsewhere is half under a finger, or came off: a board has moved
    where two agree on it.
    """
    if before is not None and seen.markers <= before.markers:
        off_px = each_off_px(before, seen)
        if (off_px > np.hypot(STILL_PX, before.error_px)).sum() < min(AGREEING, seen.markers):
            return before
    if seen.markers >= MARKERS_NEEDED:
        return _sound_place(board, lens, seen)
    return before if before is not None and holds(before, seen, SAME_PX) else None


def _sound_place(board: Board, lens: Lens, seen: BoardCorners) -> BoardPlace | None:
    """Fit all markers seen; without one of four where that fits twice as well."""
    whole = fitted(board, lens, seen)
    if whole is not None and (whole.error_px <= DOUBTFUL_PX or seen.markers <= MARKERS_NEEDED):
        return whole
    parts = [fitted(board, lens, seen.without(one)) for one in range(seen.markers)]
    best = min(filter(None, parts), key=lambda fit: fit.error_px, default=None)
    if whole is None or best is None or best.error_px < whole.error_px / 2:
        return best or whole
    return whole


def tallest_mm(plan: BoardPlan) -> float:
    """How high the highest marker of a plan's tokens is above the board."""
    return max((token.height_mm for token in plan.tokens), default=0.0)


def _known(lens: Lens | None) -> Lens | None:
    """A lens of which it is known how sure it is."""
    return lens if lens is not None and lens.known else None


def _scaled(lens: Lens, size_px: tuple[int, int]) -> tuple[Lens | None, str]:
    """A lens for another picture size, or why it does not serve there."""
    try:
        return lens.at(size_px), ""
    except CameraError as trouble:
        return None, str(trouble)
