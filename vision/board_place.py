"""Where one board lies before the camera, fitted to its corner markers.

The plane is a homography of the corners; besides, the camera's own place over the board is known,
so that a token's top, some mm above the board, is not taken for a point further out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.calibrated import BoardFound
from vision.drift import Drift
from vision.lens import Lens, Points
from vision.observation import MarkerSeen

Matrix = NDArray[np.float64]
"""A homography, [3, 3]."""


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

    def to_board(self, points_px: Points, height_mm: float | Points = 0.0) -> Points:
        """Pixels to mm on the board, [n, 2], of things `height_mm` (or [n, 1], each) above it."""
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
        return self.to_picture(_outline_mm(self.board))

    @property
    def px_per_mm(self) -> float:
        """The scale in the middle of the board, along the board's two directions."""
        x, y = self.board.size_mm[0] / 2, self.board.size_mm[1] / 2
        cross = np.array([(x - 5, y), (x + 5, y), (x, y - 5), (x, y + 5)])
        (left, right, top, low) = self.to_picture(cross)
        across, along = np.linalg.norm(right - left), np.linalg.norm(low - top)
        return float(across + along) / 20.0

    @property
    def error_mm(self) -> float:
        """How well the corners fit, on the board."""
        return self.error_px / self.px_per_mm

    def drift_to(self, now: BoardPlace) -> Drift:
        """How far the board has gone from this place of its."""
        here, there = self.outline_px, now.outline_px
        way_px = there - here
        on_board = self.to_board(there)
        turn = _shift_and_turn(_outline_mm(self.board), on_board)
        way_mm = float(np.linalg.norm(on_board - _outline_mm(self.board), axis=1).mean())
        x, y = way_px.mean(axis=0).tolist()
        turn_deg = math.degrees(math.atan2(float(turn[1, 0]), float(turn[0, 0])))
        shift_px = float(np.linalg.norm(way_px, axis=1).mean())
        return Drift(self.board.name, (x, y), shift_px, way_mm, turn_deg)


@dataclass(frozen=True, eq=False)
class BoardCorners:
    """The corners seen of one board's markers: on the board and in the picture, [4 n, 2] each."""

    board: str
    mm: Points
    px: Points

    @property
    def markers(self) -> int:
        return len(self.mm) // 4

    def without(self, marker: int) -> BoardCorners:
        keep = np.arange(len(self.mm)) // 4 != marker
        return BoardCorners(self.board, self.mm[keep], self.px[keep])


def found_of(place: BoardPlace) -> BoardFound:
    """A board's place as a calibration keeps it."""
    first, second, third, fourth = ((x, y) for x, y in place.outline_px.round(2).tolist())
    outline = (first, second, third, fourth)
    return BoardFound(outline, place.markers, round(place.error_px, 3))


def recalled(board: Board, lens: Lens, found: BoardFound) -> BoardPlace | None:
    """The place that a calibration kept; None where its outline is no board's."""
    corners = BoardCorners(board.name, _outline_mm(board), np.array(found.outline_px, np.float64))
    place = fitted(board, lens, corners)
    if place is None:
        return None
    return replace(place, markers=found.markers, error_px=found.error_px)


def _outline_mm(board: Board) -> Points:
    width, height = board.size_mm
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def marker_corners_mm(board: Board, marker: int) -> Points:
    """The four corners of a board's corner marker, mm on the board, its own top left first."""
    x, y = (board.corners or {})[marker]
    half = board.corner_side_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float64)
    return np.asarray(np.add(around, (x, y)), np.float64)


def corners_of(board: Board, markers: Sequence[MarkerSeen]) -> BoardCorners:
    """What is seen of a board's markers; an id seen twice counts for nothing."""
    wanted = board.corners or {}
    mine = [marker for marker in markers if marker.id in wanted]
    ids = [marker.id for marker in mine]
    once = [marker for marker in mine if ids.count(marker.id) == 1]
    if not once:
        return BoardCorners(board.name, np.empty((0, 2)), np.empty((0, 2)))
    on_board = np.concatenate([marker_corners_mm(board, marker.id) for marker in once])
    return BoardCorners(
        board.name, on_board, np.concatenate([marker.corners_px for marker in once])
    )


def each_off_px(place: BoardPlace, seen: BoardCorners) -> NDArray[np.float64]:
    """How far each marker is from where the place has it (rms of its corners), [n]."""
    if not seen.markers:
        return np.empty(0)
    squares = ((place.to_picture(seen.mm) - seen.px) ** 2).sum(axis=1)
    return np.asarray(np.sqrt(squares.reshape(-1, 4).mean(axis=1)), np.float64)


def holds(place: BoardPlace, seen: BoardCorners, within_px: float) -> bool:
    """Whether what is seen of a board, if anything, lies where the place has it."""
    return not seen.markers or _rms(place.to_picture(seen.mm) - seen.px) <= within_px


def fitted(board: Board, lens: Lens, seen: BoardCorners) -> BoardPlace | None:
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


def beside(known: BoardPlace, board: Board, seen: BoardCorners) -> BoardPlace:
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


def _judged(place: BoardPlace, seen: BoardCorners) -> BoardPlace:
    """The place with how well it fits what was seen."""
    return replace(place, error_px=_rms(place.to_picture(seen.mm) - seen.px))


def _through(matrix: Matrix, points: Points) -> Points:
    """Points through a homography, [n, 2]."""
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:], np.float64)


def _rms(differences: Points) -> float:
    return float(np.sqrt((differences**2).sum(axis=1).mean()))
