"""An exact eye over a table of boards: what markers a perfect camera would report, and noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.core.board import Board, BoardPlan, Piece, Pose
from companion.core.offers import Seen, SeenState, Sighting
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import board_plan
from vision.boards.lens import Lens, Points
from vision.boards.view import marker_corners_mm
from vision.camera.frame import Frame
from vision.drawing.table import SimulatedTable
from vision.markers.reading import MarkerSeen
from vision.tracking.tracker import Tracker

BENT = (-0.11, 0.0, 0.0, 0.0, 0.0)


@dataclass
class Eye:
    """A camera at a known place over a plan's boards; boards and tokens are put where one likes.

    `standing` has for each piece its board, x and y in mm there, and its heading in degrees.
    """

    plan: BoardPlan
    lens: Lens
    tilt_deg: float = 7.0
    height_mm: float = 700.0
    noise_px: float = 0.0
    seed: int = 1
    boards: dict[str, Board] = field(default_factory=dict)
    standing: dict[Piece, tuple[str, float, float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.boards = {board.name: board for board in self.plan.boards}
        self._chance = np.random.default_rng(self.seed)
        axis = self._chance.normal(size=3) * (1, 1, 0)
        turn = axis / np.linalg.norm(axis) * math.radians(self.tilt_deg)
        middle = np.array([*self.plan.table_mm, 0.0]) / 2
        self._turn = turn
        self._shift = np.array([0, 0, self.height_mm]) - np.asarray(cv2.Rodrigues(turn)[0]) @ middle

    def pixels(self, board: str, points_mm: Sequence[Sequence[float]], height: float = 0) -> Points:
        """Where points on (or `height` mm above) a board are in the picture."""
        lying = self.boards[board]
        table = [(*lying.to_table((float(x), float(y))), -height) for x, y in points_mm]
        found, _ = cv2.projectPoints(
            np.array(table), self._turn, self._shift, self.lens.matrix, self.lens.coefficients
        )
        noise = self._chance.normal(0, self.noise_px, (len(table), 2)) if self.noise_px else 0.0
        return np.asarray(found.reshape(-1, 2) + noise, np.float64)

    def nudge(self, board: str, dx_mm: float, dy_mm: float, turn_deg: float = 0.0) -> None:
        """Move a board on the table."""
        lying = self.boards[board]
        x, y = lying.centre_mm
        self.boards[board] = replace(
            lying, centre_mm=(x + dx_mm, y + dy_mm), turn_deg=lying.turn_deg + turn_deg
        )

    def corner_markers(self, hidden: Sequence[int] = ()) -> list[MarkerSeen]:
        """The corner markers of all boards but those hidden."""
        return [
            self._marker(marker, self.pixels(name, marker_corners_mm(board, marker).tolist()))
            for name, board in self.boards.items()
            for marker in board.corners or {}
            if marker not in hidden
        ]

    def tokens(self) -> list[MarkerSeen]:
        """The markers of the tokens that stand on boards."""
        return [self._token(piece, *place) for piece, place in self.standing.items()]

    def look(self, hidden: Sequence[int] = ()) -> list[MarkerSeen]:
        """All markers but those hidden."""
        seen = [*self.corner_markers(hidden), *self.tokens()]
        return [marker for marker in seen if marker.id not in hidden]

    def frame(self, number: int = 0) -> Frame:
        """A frame of this camera's size, for what needs one; its picture is black."""
        width, height = self.lens.size_px
        return Frame(np.zeros((height, width), np.uint8), number / 20.0, number)

    def _token(self, piece: Piece, board: str, x: float, y: float, heading: float) -> MarkerSeen:
        token = self.plan.token_of[piece]
        cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
        half = token.side_mm / 2
        around = [(-half, -half), (half, -half), (half, half), (-half, half)]
        corners = [(x + cos * dx - sin * dy, y + sin * dx + cos * dy) for dx, dy in around]
        return self._marker(token.marker, self.pixels(board, corners, token.height_mm))

    def _marker(self, number: int, corners_px: Points) -> MarkerSeen:
        return MarkerSeen(number, self.plan.dictionary, corners_px)


def bent_lens(size_px: tuple[int, int] = (1280, 720), focal_per_width: float = 0.866) -> Lens:
    """A webcam of 60 degrees whose middle is a little off and which bends straight lines."""
    width, height = size_px
    focal = focal_per_width * width
    return Lens(size_px, (focal, focal), (width / 2 + 3.0, height / 2 - 2.0), BENT)


def tracker_of(table: SimulatedTable, *, calibrated: bool = True) -> Tracker:
    """A tracker as the table's file sets it up."""
    setup = table.setup(calibrated=calibrated)
    return Tracker(setup.plan, setup.lens)


def seen_places(sighting: Sighting) -> dict[Piece, Pose | None]:
    """Where every piece that was seen for sure stands."""
    return {
        piece: seen.pose
        for piece, seen in sighting.pieces.items()
        if seen.state is SeenState.SEEN and piece not in sighting.conflicts
    }


def off_mm(table: SimulatedTable, piece: Piece, seen: Seen) -> float:
    """How far a reading is from where the piece really stands."""
    standing = table.standing(piece)
    assert standing is not None
    assert standing.board == seen.board
    assert seen.x_mm is not None
    assert seen.y_mm is not None
    return math.hypot(seen.x_mm - standing.x_mm, seen.y_mm - standing.y_mm)


def off_deg(table: SimulatedTable, piece: Piece, seen: Seen) -> float:
    """How far a heading is from the true one."""
    standing = table.standing(piece)
    assert standing is not None
    assert seen.heading_deg is not None
    return abs((seen.heading_deg - standing.heading_deg + 180) % 360 - 180)


@pytest.fixture(scope="session")
def make_eye() -> Callable[..., Eye]:
    """Build eyes over the boards of Jaws & Paws; keywords as `Eye`, and `lens`."""

    def make(lens: Lens | None = None, **settings: float) -> Eye:
        return Eye(board_plan(), lens or bent_lens(), **settings)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def hex_plan() -> BoardPlan:
    """The one board of Dogfight: 1917: 61 hexes, pieces with headings."""
    return battlefield_plan(assumed_figures())


@pytest.fixture(scope="session")
def make_hex_eye(hex_plan: BoardPlan) -> Callable[..., Eye]:
    """Build eyes over that board."""

    def make(**settings: float) -> Eye:
        return Eye(hex_plan, bent_lens(), **settings)  # type: ignore[arg-type]

    return make


@pytest.fixture
def eye(make_eye: Callable[..., Eye]) -> Eye:
    """One exact eye."""
    return make_eye()


@pytest.fixture(scope="session")
def places() -> Mapping[str, tuple[float, float]]:
    """The middle of each space on its own board, mm."""
    return {name: space.centre_mm for name, space in board_plan().spaces.items()}


@pytest.fixture(scope="session")
def bent() -> Callable[..., Lens]:
    """Make a lens that bends: its picture size, its focal length per width."""
    return bent_lens
