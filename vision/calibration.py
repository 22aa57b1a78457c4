"""Where each board lies in the picture, found from its own corner markers.

Boards may lie anywhere and be nudged: each has a place of its own in each frame. Inside it the
camera's own place over the board is known, so that a token's top, some mm above the board, is not
taken for a point further out (6 mm at the edge of a table, more than any other error).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, BoardPlan
from vision.lens import Lens, Points, fitted_lens
from vision.observation import MarkerSeen

MARKERS_NEEDED = 3
STILL_PX = 0.5
"""A board whose corners are this near to where they were (rms) has not moved."""
SAME_PX = 3.0
"""Fewer than three markers confirm a remembered place when they are this near to it (rms)."""
POOR_FIT_PX = 1.0
"""Above this (rms) one of four markers is doubted: it may be half under a finger."""


@dataclass(frozen=True, eq=False)
class BoardPlace:
    """One board's place before the camera.

    `plane` maps rays of the lens to mm on the board, [3, 3]; `camera_mm` is where the camera stands
    in the board's frame (x, y, height above it); `error_px` how well the corners fit (rms).
    """

    board: Board
    lens: Lens
    plane: NDArray[np.float64]
    camera_mm: tuple[float, float, float]
    error_px: float

    def to_board(self, points_px: Points, height_mm: float = 0.0) -> Points:
        """Pixels to mm on the board, [n, 2], of things `height_mm` above it."""
        flat = _through(self.plane, self.lens.rays(points_px))
        foot, above = np.array(self.camera_mm[:2]), self.camera_mm[2]
        return flat + (height_mm / above) * (foot - flat)

    def to_picture(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Millimetres on (or above) the board to pixels, [n, 2]: the reverse of `to_board`."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        foot, above = np.array(self.camera_mm[:2]), self.camera_mm[2]
        flat = points + (height_mm / (above - height_mm)) * (points - foot)
        return self.lens.pictured(_through(np.asarray(np.linalg.inv(self.plane), np.float64), flat))

    @property
    def outline_px(self) -> Points:
        """The board's four corners in the picture, its printed top left first."""
        width, height = self.board.size_mm
        return self.to_picture(np.array([(0, 0), (width, 0), (width, height), (0, height)]))


class TableView:
    """The boards of a plan as one camera has them, remembered while hands cover them.

    Without a `lens` one is fitted from the boards themselves, as soon as enough of them are seen.
    """

    def __init__(self, plan: BoardPlan, lens: Lens | None = None) -> None:
        self.plan = plan
        self.places: Mapping[str, BoardPlace] = {}
        self.moved: frozenset[str] = frozenset()
        self._given = lens
        self._lens: Lens | None = None
        self._fitted_from = -1

    @property
    def lens(self) -> Lens | None:
        """The lens in use; None before the first picture."""
        return self._lens

    def forget(self) -> None:
        """Start afresh: another camera, or the camera was moved."""
        self.places, self.moved, self._lens, self._fitted_from = {}, frozenset(), None, -1

    def look(
        self, markers: Sequence[MarkerSeen], size_px: tuple[int, int]
    ) -> Mapping[str, BoardPlace]:
        """Find each board's place in a frame; a covered one keeps the place it had.

        `moved` then names the boards that had another place before. A board of which fewer than
        three markers show, and those not where they were, has no place until three show again.
        """
        corners = {board.name: _corners(board, markers) for board in self.plan.boards}
        lens = self._choose_lens(corners, size_px)
        places: dict[str, BoardPlace] = {}
        moved: set[str] = set()
        for board in self.plan.boards:
            before = self.places.get(board.name)
            place = _place(board, lens, corners[board.name], before)
            if before is not None and place is not before:
                moved.add(board.name)
            if place is not None:
                places[board.name] = place
        self.places, self.moved = places, frozenset(moved)
        return places

    def _choose_lens(self, corners: Mapping[str, _Corners], size_px: tuple[int, int]) -> Lens:
        """The lens given, or one fitted from the most corners seen so far."""
        if self._lens is not None and self._lens.size_px != size_px:
            self.forget()
        if self._given is not None:
            self._lens = self._lens if self._lens is not None else self._given.at(size_px)
            return self._lens
        full = [seen for seen in corners.values() if seen.markers >= MARKERS_NEEDED]
        points = sum(len(seen.mm) for seen in full)
        again = points > self._fitted_from and set(self.places) <= {seen.board for seen in full}
        if self._lens is None or again:
            self.forget()
            self._lens = fitted_lens(size_px, [one.mm for one in full], [one.px for one in full])
            self._fitted_from = points
        return self._lens


@dataclass(frozen=True, eq=False)
class _Corners:
    """The corners seen of one board's markers: on the board and in the picture, [4 n, 2] each."""

    board: str
    mm: Points
    px: Points

    @property
    def markers(self) -> int:
        return len(self.mm) // 4

    def without(self, marker: int) -> _Corners:
        keep = np.arange(len(self.mm)) // 4 != marker
        return _Corners(self.board, self.mm[keep], self.px[keep])


def marker_corners_mm(board: Board, marker: int) -> Points:
    """The four corners of a board's corner marker, mm on the board, its own top left first."""
    x, y = (board.corners or {})[marker]
    half = board.corner_side_mm / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + (x, y)


def _corners(board: Board, markers: Sequence[MarkerSeen]) -> _Corners:
    """What is seen of a board's markers; an id seen twice counts for nothing."""
    wanted = board.corners or {}
    mine = [marker for marker in markers if marker.id in wanted]
    ids = [marker.id for marker in mine]
    once = [marker for marker in mine if ids.count(marker.id) == 1]
    if not once:
        return _Corners(board.name, np.empty((0, 2)), np.empty((0, 2)))
    on_board = np.concatenate([marker_corners_mm(board, marker.id) for marker in once])
    return _Corners(board.name, on_board, np.concatenate([marker.corners_px for marker in once]))


def _place(
    board: Board, lens: Lens, seen: _Corners, before: BoardPlace | None
) -> BoardPlace | None:
    """The place before if it still holds, else a new one, else none."""
    if before is not None and not seen.markers:
        return before
    off_px = None if before is None else _rms(before.to_picture(seen.mm) - seen.px)
    if off_px is not None and off_px <= STILL_PX:
        return before
    if seen.markers >= MARKERS_NEEDED:
        return _sound_place(board, lens, seen)
    return before if off_px is not None and off_px <= SAME_PX else None


def _sound_place(board: Board, lens: Lens, seen: _Corners) -> BoardPlace | None:
    """Fit all markers seen; where they fit poorly, the best fit that leaves one of four out."""
    fits: list[BoardPlace | None] = [_fit(board, lens, seen)]
    poor = fits[0] is None or fits[0].error_px > POOR_FIT_PX
    if poor and seen.markers > MARKERS_NEEDED:
        fits.extend(_fit(board, lens, seen.without(one)) for one in range(seen.markers))
    sound = [fit for fit in fits if fit is not None]
    return min(sound, key=lambda fit: fit.error_px, default=None)


def _fit(board: Board, lens: Lens, seen: _Corners) -> BoardPlace | None:
    """A board's place from corners: the plane by homography, the camera by its pose."""
    rays = lens.rays(seen.px)
    plane, _ = cv2.findHomography(rays, seen.mm)
    camera = _camera_over(seen.mm, rays)
    if plane is None or camera is None:
        return None
    draft = BoardPlace(board, lens, np.asarray(plane, np.float64), camera, 0.0)
    error = _rms(draft.to_picture(seen.mm) - seen.px)
    return BoardPlace(board, lens, draft.plane, camera, error)


def _camera_over(points_mm: Points, rays: Points) -> tuple[float, float, float] | None:
    """Where the camera stands in the board's frame: x, y and height, mm."""
    flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
    found, turn, shift = cv2.solvePnP(flat, rays, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    turn, shift = cv2.solvePnPRefineLM(flat, rays, np.eye(3), np.zeros(5), turn, shift)
    matrix, _ = cv2.Rodrigues(turn)
    x, y, z = (-np.asarray(matrix).T @ np.asarray(shift).reshape(3)).tolist()
    return (x, y, -z) if z < 0 else None  # y points down, so z points into the table


def _through(matrix: NDArray[np.float64], points: Points) -> Points:
    """Points through a homography, [n, 2]."""
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:], np.float64)


def _rms(differences: Points) -> float:
    return float(np.sqrt((differences**2).sum(axis=1).mean()))
