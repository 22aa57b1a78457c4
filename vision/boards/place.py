"""Where one board lies before the camera: its place, how far it drifted, what a calibration keeps.

The plane is a homography of the corners; besides, the camera's own place over the board is known,
so that a token's top, some mm above the board, is not taken for a point further out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property, partial
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board
from companion.core.errors import CameraError
from vision.boards.lens import Lens, Points, times
from vision.markers.reading import MarkerSeen

# A drift in words: a board was nudged or moved, or the camera was.

IGNORED_PX = 1.0
"""A board that lies this near to where it was has not moved."""
NUDGED_PX = 5.0
"""Up to here it was nudged; beyond, somebody moved it."""
ALIKE_SHARE = 0.5
"""Boards that all shift by about the same were not each pushed: the camera was."""


class DriftKind(StrEnum):
    """What became of a board."""

    STILL = "still"
    NUDGED = "nudged"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class BoardDrift:
    """A board's way from where it was first found: in the picture, on the table, and its turn.

    `along_px` is the way of its middle, x and y; `shift_px` the mean way of its four corners,
    `shift_mm` the same on the table; `turn_deg` clockwise.
    """

    board: str
    along_px: tuple[float, float]
    shift_px: float
    shift_mm: float
    turn_deg: float

    @property
    def kind(self) -> DriftKind:
        """Still up to 1 px, nudged up to 5, moved beyond."""
        if self.shift_px <= IGNORED_PX:
            return DriftKind.STILL
        return DriftKind.NUDGED if self.shift_px <= NUDGED_PX else DriftKind.MOVED

    def __str__(self) -> str:
        """As the table check says it.

        >>> print(BoardDrift("Hexagon Map", (9.0, 1.0), 9.1, 6.2, 0.4))
        Hexagon Map was moved (6 mm): it is followed, pieces keep their spaces
        """
        if self.kind is DriftKind.STILL:
            return f"{self.board} lies where it was"
        turned = f", {self.turn_deg:+.0f} degrees" if abs(self.turn_deg) >= 1 else ""
        way = f"{self.shift_mm:.0f} mm" if self.shift_mm >= 1 else f"{self.shift_mm:.1f} mm"
        followed = "it is followed, pieces keep their spaces"
        return f"{self.board} was {self.kind} ({way}{turned}): {followed}"


def told(drifts: Mapping[str, BoardDrift], placed: Sequence[str]) -> tuple[str, ...]:
    """What to say of boards that are not where they were; nothing where all are.

    Where all boards that are `placed`, two at the least, shifted alike, it was the camera.
    """
    shifted = [one for one in drifts.values() if one.kind is not DriftKind.STILL]
    if len(shifted) >= 2 and len(shifted) == len(placed) and _alike(shifted):
        way_px = max(one.shift_px for one in shifted)
        found = "all boards were found anew; calibrate again when there is time"
        return (f"the camera was moved, or the table under it ({way_px:.0f} px): {found}",)
    return tuple(str(one) for one in shifted)


def _alike(drifts: Sequence[BoardDrift]) -> bool:
    """Whether all went about the same way: none differs from the mean by half of it."""
    x = sum(one.along_px[0] for one in drifts) / len(drifts)
    y = sum(one.along_px[1] for one in drifts) / len(drifts)
    limit = ALIKE_SHARE * max((x * x + y * y) ** 0.5, IGNORED_PX)
    return all(
        ((one.along_px[0] - x) ** 2 + (one.along_px[1] - y) ** 2) ** 0.5 <= limit for one in drifts
    )


# What a calibration keeps: for one camera at one size of picture.

Outline = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""The four corners of a board in the picture, px, its printed top left first, then clockwise."""


@dataclass(frozen=True, slots=True)
class BoardFound:
    """Where one board lay: its outline, from how many corner markers, how well those fit (rms)."""

    outline_px: Outline
    markers: int
    error_px: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where every board lay before one camera, and how good its picture was.

    `camera` is a device's stable name; empty where it was made from pictures or a film, which do
    not tell what took them. `blur_px` is the blur of the corner markers (sigma), `px_per_mm` the
    scale in the middle of the boards, `made_on` the day as the file has it.
    """

    camera: str
    size_px: tuple[int, int]
    lens: Lens
    boards: Mapping[str, BoardFound] = field(default_factory=dict[str, BoardFound])
    blur_px: float = 0.0
    px_per_mm: float = 0.0
    made_on: str = ""


def check_camera(
    made_with: str, size_px: tuple[int, int], camera: str, seen_px: tuple[int, int], source: str
) -> None:
    """Refuse what was calibrated with another camera, or at another size of picture.

    `camera` is empty where pictures do not say which camera they are from. Raises `CameraError`
    that names both, and the way out.
    """
    again = f"run `companion calibrate` with this camera, or take {source} away"
    if camera and made_with and camera != made_with:
        raise CameraError(
            f"{source} was calibrated with the camera {made_with}, and this is {camera}: plug that "
            f"one in, or {again}"
        )
    if (0, 0) not in (size_px, seen_px) and size_px != seen_px:
        raise CameraError(
            f"{source} was calibrated at {times(size_px)} and the pictures are {times(seen_px)}: "
            f"let the camera give {times(size_px)}, or {again}"
        )


# A board's place, fitted to its corner markers.

Matrix = NDArray[np.float64]
"""A homography, [3, 3]."""


GRID = 17
"""How surely a board's place is known is worked out at so many times so many places of it."""


@dataclass(frozen=True, eq=False)
class BoardPlace:
    """One board's place before the camera.

    `plane` maps rays of the lens to mm on the board, [3, 3]; `camera_mm` is where the camera stands
    in the board's frame (x, y, height above it). `wide_plane` is `plane` by the camera's pose
    alone: a little less exact on the board, and right far beyond it. `error_px` is how well the
    corners of so many `markers` fit (rms), and `corners_mm` where those are on it: none where the
    place was not fitted to any, of which nobody asks how sure it is. `fit_others`
    gives the same place by other lenses that a guessed one may be.
    """

    board: Board
    lens: Lens
    plane: Matrix
    wide_plane: Matrix
    camera_mm: tuple[float, float, float]
    markers: int
    corners_mm: Points = field(default_factory=lambda: np.empty((0, 2)))
    error_px: float = 0.0
    fit_others: Callable[[], tuple[BoardPlace, ...]] = tuple

    @cached_property
    def others(self) -> tuple[BoardPlace, ...]:
        """The same by other lenses: so far apart they have a point, the lens is unsure of it.

        They are fitted when they are first asked for, which takes five times as long as the place
        did itself; how well they fit, nobody asks.
        """
        return self.fit_others()

    @property
    def is_guessed(self) -> bool:
        """Whether there are other lenses by which the place may as well be another."""
        return bool(self.lens.spread)

    def to_board(self, points_px: Points, height_mm: float | Points = 0.0) -> Points:
        """Pixels to mm on the board, [n, 2], of things `height_mm` (or [n, 1], each) above it."""
        flat = _through(self.plane, self.lens.rays(points_px))
        foot, above = np.array(self.camera_mm[:2]), np.array(self.camera_mm[2])
        return _under(flat, height_mm, foot, above)

    def to_picture(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Millimetres on (or above) the board to pixels, [n, 2]: the reverse of `to_board`."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        foot, above = np.array(self.camera_mm[:2]), self.camera_mm[2]
        flat = points + (height_mm / (above - height_mm)) * (points - foot)
        return self.lens.pictured(_through(np.asarray(np.linalg.inv(self.plane), np.float64), flat))

    def lens_sds_mm(
        self, points_px: Points, height_mm: float | Points = 0.0
    ) -> NDArray[np.float64]:
        """How unsure a guessed lens makes where points lie, mm, [n]: as far as along its worst way.

        Of things `height_mm` (or [n, 1], each) above the board; 0 for a lens that was measured.
        """
        if not self.others:
            return np.zeros(len(points_px))
        planes, feet, above = self._ways
        rays = np.array([other.lens.rays(points_px) for other in self.others])
        flat = _through(planes, rays)
        there = _under(flat, height_mm, feet, above)
        return _farthest((there - self.to_board(points_px, height_mm)).transpose(1, 2, 0))

    @cached_property
    def _ways(self) -> tuple[Matrix, Points, Points]:
        """The planes of the others, [m, 3, 3], and where their cameras stand and how high."""
        cameras = np.array([other.camera_mm for other in self.others])
        planes = np.array([other.plane for other in self.others])
        return planes, cameras[:, None, :2], cameras[:, None, 2:]

    def corner_sds(self, points_mm: Points) -> list[float]:
        """How far off the corners leave points of the board, if each corner is by 1.

        As far as along its worst way: about 0.4 in the middle of four markers, and 2 where a marker
        would be that was not seen. Errors of one corner and another are taken for independent.
        """
        across, down = ((GRID - 1) / side for side in self.board.size_mm)
        return [
            self._grid_sds[_nearest(down * y)][_nearest(across * x)] for x, y in points_mm.tolist()
        ]

    @cached_property
    def _grid_sds(self) -> list[list[float]]:
        """The same at places all over the board, rows of it, worked out at once."""
        free = self.plane is not self.wide_plane
        seen = _motions(self.board.size_mm, self.corners_mm, free=free).reshape(
            2 * len(self.corners_mm), -1
        )
        spread = np.linalg.pinv(seen.T @ seen)
        x, y = _grid_motions(self.board.size_mm, free=free)
        xx, xy, yy = ((one @ spread * other).sum(axis=1) for one, other in ((x, x), (x, y), (y, y)))
        sds: list[list[float]] = _along_worst(xx, xy, yy).reshape(-1, GRID).tolist()
        return sds

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

    def drift_to(self, now: BoardPlace) -> BoardDrift:
        """How far the board has gone from this place of its."""
        here, there = self.outline_px, now.outline_px
        way_px = there - here
        on_board = self.to_board(there)
        turn = _shift_and_turn(_outline_mm(self.board), on_board)
        way_mm = float(np.linalg.norm(on_board - _outline_mm(self.board), axis=1).mean())
        x, y = way_px.mean(axis=0).tolist()
        turn_deg = math.degrees(math.atan2(float(turn[1, 0]), float(turn[0, 0])))
        shift_px = float(np.linalg.norm(way_px, axis=1).mean())
        return BoardDrift(self.board.name, (x, y), shift_px, way_mm, turn_deg)


@dataclass(frozen=True, eq=False)
class BoardCorners:
    """The corners seen of one board's markers: on the board and in the picture, [4 n, 2] each."""

    board: str
    mm: Points
    px: Points

    @property
    def markers(self) -> int:
        return len(self.mm) // 4

    def is_same(self, other: BoardCorners) -> bool:
        """Whether the same corners of the same board were seen in the same places."""
        same = (np.array_equal(self.mm, other.mm), np.array_equal(self.px, other.px))
        return self.board == other.board and all(same)

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
    markers_mm = [marker_corners_mm(board, one) for one in board.corners or {}]
    corners_mm = np.concatenate(markers_mm) if markers_mm else corners.mm
    return replace(
        place, markers=found.markers, corners_mm=corners_mm, error_px=found.error_px
    )  # which of them were seen is not kept


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
    """A board's place from corners, and how well it fits them."""
    place = _by_corners(board, lens, seen)
    return None if place is None else _judged(place, seen)


def _by_corners(board: Board, lens: Lens, seen: BoardCorners) -> BoardPlace | None:
    """A board's place: the plane by homography, the camera by its pose."""
    rays = lens.rays(seen.px)
    plane = cast("Matrix | None", cv2.findHomography(rays, seen.mm)[0])
    pose = _pose(seen.mm, rays)
    if plane is None or pose is None:
        return None
    wide_plane, camera_mm = pose
    return BoardPlace(
        board, lens, plane, wide_plane, camera_mm, seen.markers, seen.mm,
        fit_others=partial(_by_other_lenses, board, lens, seen),
    )  # fmt: skip


def _by_other_lenses(board: Board, lens: Lens, seen: BoardCorners) -> tuple[BoardPlace, ...]:
    """The same by each lens that a guessed one may be; one that fits nothing is left out."""
    fits = (_by_corners(board, other, seen) for other in lens.others)
    return tuple(fit for fit in fits if fit is not None)


EYE, STRAIGHT = np.eye(3), np.zeros(5)
"""Rays are what a camera of this matrix and without any bend sees."""


def _pose(points_mm: Points, rays: Points) -> tuple[Matrix, tuple[float, float, float]] | None:
    """Rays to mm by the camera's pose, and where it stands: x, y and height over the board, mm.

    The board is first turned upright in the picture: a rotation vector of half a turn, which is how
    the boards on the far side lie, is where the refinement gets stuck.
    """
    upright = _shift_and_turn(points_mm, rays)
    flat = np.zeros((len(points_mm), 3))
    flat[:, :2] = _through(upright, points_mm)
    found, turn, shift = cv2.solvePnP(flat, rays, EYE, STRAIGHT, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    turn, shift = cv2.solvePnPRefineLM(flat, rays, EYE, STRAIGHT, turn, shift)
    axes, ahead = np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift)
    above_mm = float(axes[:, 2] @ ahead)
    if above_mm <= 0:  # y points down, so z points into the table: this camera would be under it
        return None
    axes[:, 2] = ahead
    board = axes @ upright  # its own two axes, and its origin, before the camera
    x, y, _ = (-board[:, 2] @ board).tolist()
    return np.asarray(np.linalg.inv(board), np.float64), (x, y, above_mm)


def _moved_camera(
    motion: Matrix, camera_mm: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The camera's place in a frame that is shifted and turned on the same plane."""
    x, y = _through(motion, np.array([camera_mm[:2]]))[0].tolist()
    return (x, y, camera_mm[2])


def beside(known: BoardPlace, board: Board, seen: BoardCorners) -> BoardPlace:
    """A board that lies on the same table as one whose place is known: only shifted and turned."""
    return _judged(_beside(known, board, seen), seen)


def _beside(known: BoardPlace, board: Board, seen: BoardCorners) -> BoardPlace:
    on_known = _through(known.wide_plane, known.lens.rays(seen.px))
    back = _shift_and_turn(on_known, seen.mm)
    plane = np.asarray(back @ known.wide_plane, np.float64)
    camera_mm = _moved_camera(back, known.camera_mm)
    return BoardPlace(
        board, known.lens, plane, plane, camera_mm, seen.markers, seen.mm,
        fit_others=lambda: tuple(_beside(other, board, seen) for other in known.others),
    )  # fmt: skip


def _shift_and_turn(points: Points, onto: Points) -> Matrix:
    """The rigid motion that brings points nearest to others (least squares), [3, 3]."""
    middle, goal = points.sum(axis=0) / len(points), onto.sum(axis=0) / len(onto)
    (x, y), (to_x, to_y) = (points - middle).T, (onto - goal).T
    angle = math.atan2(float(x @ to_y - y @ to_x), float(x @ to_x + y @ to_y))
    cos, sin = math.cos(angle), math.sin(angle)
    right, down = (goal - np.array([[cos, -sin], [sin, cos]]) @ middle).tolist()
    return np.array([[cos, -sin, right], [sin, cos, down], [0.0, 0.0, 1.0]])


def _judged(place: BoardPlace, seen: BoardCorners) -> BoardPlace:
    """The place with how well it fits what was seen."""
    return replace(place, error_px=_rms(place.to_picture(seen.mm) - seen.px))


def _nearest(step: float) -> int:
    return min(max(round(step), 0), GRID - 1)


def _farthest(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """One deviation along the worst way, [n], of some independent ones, [n, 2, ways]."""
    (xx, xy), (_, yy) = (ways @ ways.transpose(0, 2, 1)).transpose(1, 2, 0)
    return _along_worst(xx, xy, yy)


def _along_worst(
    xx: NDArray[np.float64], xy: NDArray[np.float64], yy: NDArray[np.float64]
) -> NDArray[np.float64]:
    """One deviation along the worst way, [n], of what spreads so: two variances, a covariance."""
    return np.asarray(np.sqrt((xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)), np.float64)


def _motions(size_mm: tuple[float, float], points_mm: Points, *, free: bool) -> NDArray[np.float64]:
    """How points of a board go with each small motion that its fit was free to choose.

    [n, 2, motions]: the eight of a plane before a camera; where it was not free, shift and turn of
    a board that lies beside another.
    """
    size = np.array(size_mm)
    x, y = ((points_mm - size / 2) / (size.max() / 2)).T
    one, none = np.ones_like(x), np.zeros_like(x)
    motions = [(one, none), (none, one), (-y, x)]
    if free:
        motions += [(x, none), (y, none), (none, y), (x * x, x * y), (x * y, y * y)]
    return np.array(motions).transpose(2, 1, 0)


@cache
def _grid_motions(size_mm: tuple[float, float], *, free: bool) -> NDArray[np.float64]:
    """The same of places all over boards of a size: across and down, [2, places, motions]."""
    xs, ys = (np.linspace(0.0, side, GRID) for side in size_mm)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return np.ascontiguousarray(_motions(size_mm, grid, free=free).transpose(1, 0, 2))


def _through(matrix: Matrix, points: Points) -> Points:
    """Points, [n, 2], through a homography; or [m, n, 2] through so many, [m, 3, 3]."""
    full = points @ matrix[..., :2].swapaxes(-1, -2) + matrix[..., None, :, 2]
    return np.asarray(full[..., :2] / full[..., 2:], np.float64)


def _under(flat: Points, height_mm: float | Points, foot: Points, above: Points) -> Points:
    """Where things stand, so high above a board, that are seen as if they lay `flat` on it.

    From a camera `above` the board's `foot`, mm; [n, 2], or of m cameras [m, n, 2].
    """
    return flat + (height_mm / above) * (foot - flat)


def _rms(differences: Points) -> float:
    return float(np.sqrt((differences**2).sum(axis=1).mean()))
