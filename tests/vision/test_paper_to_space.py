"""From paper to space: printed sheets, cut out, laid down, photographed, calibrated and read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.core.board import Board, BoardPlan, Piece, PointMm, Token
from companion.games import RULEBOOKS
from ui.terminal.setting_up import plan_of
from vision.boards.calibrating import READS, Calibrating, Quality, Stage
from vision.boards.lens import Lens
from vision.boards.view import TableView
from vision.camera.frame import Frame, GreyImage
from vision.markers.choice import nose_of
from vision.markers.dictionaries import load_dictionary
from vision.markers.reading import MarkerReader, MarkerSeen
from vision.printing.sheets import write_sheets
from vision.tracking.observation import observe

SIZE = (1920, 1080)
DOTS_PER_MM = 4.0
HEIGHT_MM = 1000.0
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def printed(plan: BoardPlan, folder: Path) -> list[GreyImage]:
    path = folder / "sheets.pdf"
    write_sheets(replace(plan, decks=()), path)
    scale: Any = DOTS_PER_MM * 25.4 / 72.0
    pages = pypdfium2.PdfDocument(str(path))
    drawn = [page.render(scale=scale, grayscale=True).to_numpy() for page in pages]
    return [np.asarray(page, np.uint8).squeeze() for page in drawn]


def cut_out(page: GreyImage, seen: MarkerSeen, from_mm: PointMm, size_mm: PointMm) -> GreyImage:
    """A rectangle of a page; `from_mm` is from the middle of a marker on it to its top left."""
    (x, y), (right, down) = seen.centre_px, from_mm
    left, top = (round(at + 0.5) for at in (x + right * DOTS_PER_MM, y + down * DOTS_PER_MM))
    wide, high = (round(side * DOTS_PER_MM) for side in size_mm)
    return page[top : top + high, left : left + wide]


class Camera:
    """Over the middle of a table, hung a little askew."""

    def __init__(self, table_mm: PointMm) -> None:
        self.lens = replace(Lens.usual(SIZE), assumed=False)
        turn = np.asarray(cv2.Rodrigues(np.array([0.05, -0.04, 0.02]))[0], np.float64)
        middle = np.array([*table_mm, 0.0]) / 2
        ahead = np.array([0.0, 0.0, HEIGHT_MM]) - turn @ middle
        self.table_to_px = self.lens.matrix @ np.column_stack([turn[:, 0], turn[:, 1], ahead])
        self.picture = np.full(SIZE[::-1], 90, np.uint8)

    def lay(self, paper: GreyImage, to_table: Floats) -> None:
        """Put a piece of paper down; `to_table` takes its mm to the table's."""
        to_mm = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, DOTS_PER_MM]]) / DOTS_PER_MM
        motion = self.table_to_px @ to_table @ to_mm
        left, top, right, low = self._under(paper, motion)
        fine = np.diag([3.0, 3.0, 1.0]) @ motion
        fine[0] += (1.0 - 3 * left) * fine[2]
        fine[1] += (1.0 - 3 * top) * fine[2]
        size = (right - left, low - top)
        large = (3 * size[0], 3 * size[1])
        drawn = cv2.warpPerspective(paper, fine, large, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(np.full_like(paper, 255), fine, large)
        small = cv2.resize(np.asarray(drawn, np.uint8), size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(np.asarray(mask, np.uint8), size, interpolation=cv2.INTER_AREA) / 255.0
        here = self.picture[top:low, left:right]
        here[:] = np.asarray(np.rint(here * (1 - cover) + small), np.uint8)

    def _under(self, paper: GreyImage, motion: Floats) -> tuple[int, int, int, int]:
        """What of the picture a paper covers: left, top, right, low in px."""
        high, wide = paper.shape
        corners = motion @ np.array([[0, wide, wide, 0], [0, 0, high, high], [1, 1, 1, 1]])
        x, y = corners[:2] / corners[2]
        left, top = max(0, int(x.min()) - 2), max(0, int(y.min()) - 2)
        return left, top, min(SIZE[0], int(x.max()) + 3), min(SIZE[1], int(y.max()) + 3)

    def frame(self, number: int) -> Frame:
        """What it sees, a little blurred and noisy."""
        soft = cv2.GaussianBlur(self.picture, (0, 0), 0.7)
        noise = np.random.default_rng(number).normal(0, 2.0, soft.shape)
        return Frame(np.asarray(np.clip(soft + noise, 0, 255), np.uint8), number / 20, number)


def placing(middle_mm: PointMm, turn_deg: float, own_middle_mm: PointMm) -> Floats:
    """Lay a paper's own middle on a place of the table, turned clockwise."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    (x, y), (u, v) = middle_mm, own_middle_mm
    return np.array(
        [[cos, -sin, x - cos * u + sin * v], [sin, cos, y - sin * u - cos * v], [0, 0, 1]]
    )


def on_page(pages: Sequence[GreyImage], name: str, marker: int) -> tuple[GreyImage, MarkerSeen]:
    """The page that a marker of a dictionary is on, and where."""
    reader = MarkerReader(name, [marker])
    return next((page, seen[0]) for page in pages if (seen := reader.read(page)))


def lay_board(camera: Camera, page: GreyImage, plan: BoardPlan, board: Board) -> None:
    marker, (x, y) = next(iter((board.corners or {}).items()))
    _, seen = on_page([page], plan.dictionary, marker)
    paper = cut_out(page, seen, (-x, -y), board.size_mm)
    width, height = board.size_mm
    camera.lay(paper, placing(board.centre_mm, board.turn_deg, (width / 2, height / 2)))


def lay_token(
    camera: Camera,
    pages: Sequence[GreyImage],
    plan: BoardPlan,
    token: Token,
    spot: PointMm,
    turn_deg: float,
) -> None:
    """Cut a token out along its lines, arrow and all, and put its middle on a spot."""
    side = token.side_mm * (1 + 4 / load_dictionary(plan.dictionary).cells)
    nose = nose_of(plan, token)
    page, seen = on_page(pages, plan.dictionary, token.marker)
    paper = cut_out(page, seen, (-side / 2, -side / 2 - nose), (side, side + nose))
    camera.lay(paper, placing(spot, turn_deg, (side / 2, nose + side / 2)))


def one_of_each(plan: BoardPlan) -> tuple[Token, ...]:
    """Tokens as their labels name them: a ship, debris, wreckage, a hull point, Sun, Moon."""
    kinds = {token.label.split()[0]: token for token in reversed(plan.tokens)}
    return tuple(replace(token, height_mm=0.0) for token in kinds.values())


def lay_counted(camera: Camera, pages: Sequence[GreyImage], plan: BoardPlan) -> dict[str, int]:
    """Two of each kind of counted tokens into the first tray, and how many lie there now."""
    board = plan.boards[0]
    for kind in plan.counters:
        left, top = board.trays[0].outline_mm[0]
        like = Token(Piece(kind.name), kind.label, kind.marker, kind.side_mm, headed=False)
        for aside in (25.0, 65.0):
            spot = board.to_table((left + aside, top + 30.0))
            lay_token(camera, pages, plan, like, spot, 3.0 * aside)
    return {kind.name: 2 for kind in plan.counters}


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("box", "variants"), [
    *((box, ()) for box in RULEBOOKS), ("jaws-and-paws", ("night",)),
])  # fmt: skip
def test_what_is_printed_is_what_is_read(
    box: str, variants: tuple[str, ...], tmp_path: Path
) -> None:
    """Every board is good from its own print; tokens are on their spaces, the arrow at the nose.

    One of each kind of token in every box, each in its turn on another space, and counted ones.
    """
    plan = plan_of(box, variants)
    flat = tuple(replace(kind, height_mm=0.0) for kind in plan.counters)
    plan = replace(plan, tokens=one_of_each(plan), counters=flat)
    pages = printed(plan, tmp_path)
    camera = Camera(plan.table_mm)
    marked = [board for board in plan.boards if board.corners]
    for page, board in zip(pages[1:], marked, strict=False):
        lay_board(camera, page, plan, board)
    spaces = [space.name for board in marked if board.holds_pieces for space in board.spaces]
    standing = dict(zip([t.piece for t in plan.tokens], spaces[2::4], strict=False))
    loose = pages[1 + len(marked) :]
    for number, token in enumerate(plan.tokens):
        space = standing[token.piece]
        turn = plan.board_of[space].turn_deg + _heading(plan, space, number)
        lay_token(camera, loose, plan, token, plan.centre_on_table(space), turn)
    counted = lay_counted(camera, loose, plan)
    _check(plan, camera, standing, counted)


def _heading(plan: BoardPlan, space: str, number: int) -> float:
    board = plan.board_of[space]
    return board.facing_deg(number) if board.facings else 70.0 * number


def _check(
    plan: BoardPlan, camera: Camera, standing: Mapping[Piece, str], counted: Mapping[str, int]
) -> None:
    calibrating = Calibrating(plan, "paper", camera.lens)
    *_, progress = (calibrating.look(camera.frame(number)) for number in range(READS))
    assert progress.stage is Stage.READY
    assert {check.quality for check in progress.boards} == {Quality.GOOD}
    view = TableView(plan)
    view.remember(calibrating.result())
    frame = camera.frame(READS)
    observation = observe(frame, MarkerReader(plan.dictionary).read(frame.grey), view)
    trays = [tray.name for board in plan.boards for tray in board.trays]
    assert observation.counts == {kind: {trays[0]: many} for kind, many in counted.items()}
    pieces = observation.pieces
    for number, (piece, space) in enumerate(standing.items()):
        seen, wanted = pieces[piece], _heading(plan, space, number)
        assert seen.pose is not None
        assert seen.pose.space == space
        off_deg = ((seen.heading_deg or 0.0) - wanted + 180.0) % 360.0 - 180.0
        assert abs(off_deg) < 1.0
        assert (seen.x_mm, seen.y_mm) == pytest.approx(plan.spaces[space].centre_mm, abs=0.6)
        if plan.board_of[space].facings and plan.token_of[piece].headed:
            assert seen.pose.facing == number
