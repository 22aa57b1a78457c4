"""Where each board lies in the picture, found from its own corner markers.

Boards may lie anywhere and be nudged: each has a place of its own in each frame. Inside it the
camera's own place over the board is known, so that a token's top, some mm above the board, is not
taken for a point further out (6 mm at the edge of a table, more than any other error).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, BoardPlan
from companion.errors import CameraError
from vision.lens import Lens, Points, fitted_lens
from vision.observation import MarkerSeen
from vision.spaces import Spaces

Matrix = NDArray[np.float64]
"""A homography, [3, 3]."""

MARKERS_NEEDED = 3
MARKERS_BESIDE = 2
"""Enough for a board while another one tells how the table lies before the camera."""
STILL_PX = 0.5
"""A board whose corners are this near to where they were (rms) has not moved."""
SAME_PX = 3.0
"""Fewer than three markers confirm a remembered place when they are this near to it (rms)."""
DOUBTFUL_PX = 0.5
"""Above this (rms) one of four markers is doubted: it may be half under a finger."""
POOR_FIT_PX = 1.0
"""Above this (rms) two markers are not those of a board that lies flat beside another."""


@dataclass(frozen=True, eq=False)
class BoardPlace:
    """One board's place before the camera.

    `plane` maps rays of the lens to mm on the board, [3, 3]; `camera_mm` is where the camera stands
    in the board's frame (x, y, height above it). `wide_plane` is `plane` by the camera's pose
    alone: a little less exact on the board, and right far beyond it. `error_px` is how well the
    corners of so many `markers` fit (rms).
    """

    board: Board
    lens: Lens
    plane: Matrix
    wide_plane: Matrix
    camera_mm: tuple[float, float, float]
    markers: int
    error_px: float = 0.0

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

    Without a `lens` one is fitted from the boards themselves, as soon as enough of them are seen;
    so it is, with the reason in `trouble`, where the pictures have another shape than the lens has.
    """

    def __init__(self, plan: BoardPlan, lens: Lens | None = None) -> None:
        self.plan = plan
        self.spaces = {board.name: Spaces(board) for board in plan.boards}
        self.places: Mapping[str, BoardPlace] = {}
        self.moved: frozenset[str] = frozenset()
        self.trouble = ""
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

        `moved` then names the boards that had another place before. A board needs three markers, or
        two beside another board that shows three; with fewer, and those not where they were, it has
        no place.
        """
        corners = {board.name: _corners(board, markers) for board in self.plan.boards}
        lens = self._choose_lens(corners, size_px)
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
            if places.get(name) is not place and not _holds(place, corners[name], STILL_PX)
        )
        return places

    def _add_beside(self, places: dict[str, BoardPlace], corners: Mapping[str, _Corners]) -> None:
        """Place boards that show two markers beside the one whose corners fit best."""
        whole = [place for name, place in places.items() if corners[name].markers >= MARKERS_NEEDED]
        if not whole:
            return
        best = min(whole, key=lambda place: place.error_px)
        for board in self.plan.boards:
            seen = corners[board.name]
            if board.name not in places and seen.markers >= MARKERS_BESIDE:
                place = _beside(best, board, seen)
                if place.error_px <= POOR_FIT_PX:
                    places[board.name] = place

    def _choose_lens(self, corners: Mapping[str, _Corners], size_px: tuple[int, int]) -> Lens:
        """The lens given, or one fitted from the most corners seen so far."""
        if self._lens is not None and self._lens.size_px != size_px:
            self.forget()
        if self._lens is None and self._given is not None:
            self._lens, self.trouble = _scaled(self._given, size_px)
        if self._lens is not None and self._fitted_from < 0:
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
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float64)
    return np.asarray(np.add(around, (x, y)), np.float64)


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
    if before is not None and seen.markers <= before.markers and _holds(before, seen, STILL_PX):
        return before
    if seen.markers >= MARKERS_NEEDED:
        return _sound_place(board, lens, seen)
    return before if before is not None and _holds(before, seen, SAME_PX) else None


def _holds(place: BoardPlace, seen: _Corners, within_px: float) -> bool:
    """Whether what is seen of a board, if anything, lies where the place has it."""
    return not seen.markers or _rms(place.to_picture(seen.mm) - seen.px) <= within_px


def _sound_place(board: Board, lens: Lens, seen: _Corners) -> BoardPlace | None:
    """Fit all markers seen; without one of four where that fits twice as well."""
    whole = _fit(board, lens, seen)
    if whole is not None and (whole.error_px <= DOUBTFUL_PX or seen.markers <= MARKERS_NEEDED):
        return whole
    parts = [_fit(board, lens, seen.without(one)) for one in range(seen.markers)]
    best = min(filter(None, parts), key=lambda fit: fit.error_px, default=None)
    if whole is None or best is None or best.error_px < whole.error_px / 2:
        return best or whole
    return whole


def _fit(board: Board, lens: Lens, seen: _Corners) -> BoardPlace | None:
    """A board's place from corners: the plane by homography, the camera by its pose."""
    rays = lens.rays(seen.px)
    plane = cast("Matrix | None", cv2.findHomography(rays, seen.mm)[0])
    pose = _pose(seen.mm, rays)
    if plane is None or pose is None:
        return None
    wide_plane, camera_mm = pose
    return _judged(BoardPlace(board, lens, plane, wide_plane, camera_mm, seen.markers), seen)


def _pose(points_mm: Points, rays: Points) -> tuple[Matrix, tuple[float, float, float]] | None:
    """Rays to mm by the camera's pose, and where it stands: x, y and height over the board, mm.

    The board is first turned upright in the picture: a rotation vector of half a turn, which is how
    the boards on the far side lie, is where the refinement gets stuck.
    """
    upright = _shift_and_turn(points_mm, rays)
    flat = np.column_stack([_through(upright, points_mm), np.zeros(len(points_mm))])
    eye, straight = np.eye(3), np.zeros(5)
    found, turn, shift = cv2.solvePnP(flat, rays, eye, straight, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    turn, shift = cv2.solvePnPRefineLM(flat, rays, eye, straight, turn, shift)
    axes, ahead = np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift)
    x, y, z = (-axes.T @ ahead).tolist()
    if z >= 0:  # y points down, so z points into the table: this camera would be under it
        return None
    back = np.asarray(np.linalg.inv(upright), np.float64)
    wide_plane = back @ np.linalg.inv(np.column_stack([axes[:, 0], axes[:, 1], ahead]))
    return np.asarray(wide_plane, np.float64), _moved_camera(back, (x, y, -z))


def _moved_camera(
    motion: Matrix, camera_mm: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The camera's place in a frame that is shifted and turned on the same plane."""
    x, y = _through(motion, np.array([camera_mm[:2]]))[0].tolist()
    return (x, y, camera_mm[2])


def _beside(known: BoardPlace, board: Board, seen: _Corners) -> BoardPlace:
    """A board that lies on the same table as one whose place is known: only shifted and turned."""
    on_known = _through(known.wide_plane, known.lens.rays(seen.px))
    back = _shift_and_turn(on_known, seen.mm)
    plane = np.asarray(back @ known.wide_plane, np.float64)
    camera_mm = _moved_camera(back, known.camera_mm)
    return _judged(BoardPlace(board, known.lens, plane, plane, camera_mm, seen.markers), seen)


def _shift_and_turn(points: Points, onto: Points) -> Matrix:
    """The rigid motion that brings points nearest to others (least squares), [3, 3]."""
    middle, goal = points.mean(axis=0), onto.mean(axis=0)
    (x, y), (to_x, to_y) = (points - middle).T, (onto - goal).T
    angle = math.atan2(float(x @ to_y - y @ to_x), float(x @ to_x + y @ to_y))
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    motion = np.eye(3)
    motion[:2, :2], motion[:2, 2] = turn, goal - turn @ middle
    return motion


def _judged(place: BoardPlace, seen: _Corners) -> BoardPlace:
    """The place with how well it fits what was seen."""
    return replace(place, error_px=_rms(place.to_picture(seen.mm) - seen.px))


def _scaled(lens: Lens, size_px: tuple[int, int]) -> tuple[Lens | None, str]:
    """A lens for another picture size, or why it does not serve there."""
    try:
        return lens.at(size_px), ""
    except CameraError as trouble:
        return None, str(trouble)


def _through(matrix: Matrix, points: Points) -> Points:
    """Points through a homography, [n, 2]."""
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:], np.float64)


def _rms(differences: Points) -> float:
    return float(np.sqrt((differences**2).sum(axis=1).mean()))
