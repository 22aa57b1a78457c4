"""Printed sheets: drawn as a printer would, looked at as a camera would, measured in mm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.board import Board, BoardPlan
from companion.errors import BadCall, BadFile
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import board_plan
from vision.dictionaries import load_dictionary
from vision.frame import GreyImage
from vision.markers import MarkerReader
from vision.observation import CornersPx
from vision.sheets import (
    CHARUCO_DICTIONARY,
    CHARUCO_MARKER_MM,
    CHARUCO_SQUARE_MM,
    CHARUCO_SQUARES,
    write_sheets,
)

DOTS_PER_MM = 8.0
EXACT_MM = 0.15
"""The drawing snaps straight edges to its own dots, which are an eighth of a millimetre."""


@pytest.fixture(scope="module", params=["jaws-and-paws", "dogfight-1917"])
def plan(request: pytest.FixtureRequest) -> BoardPlan:
    hexes = request.param == "dogfight-1917"
    return battlefield_plan(assumed_figures()) if hexes else board_plan()


@pytest.fixture(scope="module")
def pages(plan: BoardPlan, tmp_path_factory: pytest.TempPathFactory) -> list[GreyImage]:
    path = tmp_path_factory.mktemp("sheets") / "markers.pdf"
    count = write_sheets(plan, path)
    drawn = _drawn(path)
    assert len(drawn) == count
    return drawn


def _drawn(path: Path) -> list[GreyImage]:
    scale: Any = DOTS_PER_MM * 25.4 / 72.0  # pypdfium2 says int, and takes any number
    pages = pypdfium2.PdfDocument(str(path))
    drawn = [page.render(scale=scale, grayscale=True).to_numpy() for page in pages]
    return [np.asarray(picture, np.uint8).squeeze() for picture in drawn]


def _markers_mm(page: GreyImage, dictionary: str) -> Mapping[int, CornersPx]:
    """Each marker's corners on the page, mm from its top left."""
    found = MarkerReader(dictionary).read(page)
    return {marker.id: (marker.corners_px + 0.5) / DOTS_PER_MM for marker in found}


def test_boards_are_true_to_size(plan: BoardPlan, pages: list[GreyImage]) -> None:
    """Every corner marker has its side and stands where the plan has it, but for a dot."""
    boards = [board for board in plan.boards if board.corners]
    for board, page in zip(boards, pages, strict=False):
        seen = _markers_mm(page, plan.dictionary)
        assert set(seen) == set(board.corners or ())
        _check_board(board, seen)


def _check_board(board: Board, seen: Mapping[int, CornersPx]) -> None:
    corners = board.corners or {}
    first = min(corners)
    for marker, centre in corners.items():
        sides_mm = np.linalg.norm(np.roll(seen[marker], -1, axis=0) - seen[marker], axis=1)
        assert np.abs(sides_mm - board.corner_side_mm).max() < EXACT_MM
        apart_mm = seen[marker].mean(axis=0) - seen[first].mean(axis=0)
        planned_mm = np.subtract(centre, corners[first])
        assert np.abs(apart_mm - planned_mm).max() < EXACT_MM


def test_tokens_are_true_to_size(plan: BoardPlan, pages: list[GreyImage]) -> None:
    """Each token's marker, upright, with its own side."""
    page = next(
        page for page in pages if plan.tokens[0].marker in _markers_mm(page, plan.dictionary)
    )
    seen = _markers_mm(page, plan.dictionary)
    assert set(seen) == {token.marker for token in plan.tokens}
    for token in plan.tokens:
        top_left, top_right = seen[token.marker][:2]
        assert np.abs(top_right - top_left - (token.side_mm, 0.0)).max() < EXACT_MM


def test_a_token_has_a_nose_where_it_matters_which_way_it_points(
    plan: BoardPlan, pages: list[GreyImage]
) -> None:
    """Above the marker's top, clear of its white rim of two cells; elsewhere there is nothing."""
    page = next(
        page for page in pages if plan.tokens[0].marker in _markers_mm(page, plan.dictionary)
    )
    for token in plan.tokens:
        left, top = _markers_mm(page, plan.dictionary)[token.marker][0].tolist()
        rim = 2 * token.side_mm / load_dictionary(plan.dictionary).cells
        middle, above = left + token.side_mm / 2, top - rim
        spots = {
            name: page[round(y * DOTS_PER_MM), round(x * DOTS_PER_MM)] < 128
            for name, (x, y) in {
                "nose": (middle, above - 4.0),
                "rim": (middle, above + 0.5 * rim),
                "left": (left, above - 4.0),
            }.items()
        }
        assert spots == {"nose": plan.has_facings, "rim": False, "left": False}


def test_single_corner_markers_are_there_for_boards_of_ones_own(
    plan: BoardPlan, pages: list[GreyImage]
) -> None:
    """All of them, each once, on the sheets after the tokens."""
    boards = sum(1 for board in plan.boards if board.corners)
    loose = [
        marker for page in pages[boards + 1 : -1] for marker in _markers_mm(page, plan.dictionary)
    ]
    assert sorted(loose) == sorted(m for board in plan.boards for m in board.corners or ())


def test_the_calibration_board_is_one_that_opencv_reads(pages: list[GreyImage]) -> None:
    """Every inner corner is found, and neighbours are a square apart."""
    board = cv2.aruco.CharucoBoard(
        CHARUCO_SQUARES,
        CHARUCO_SQUARE_MM,
        CHARUCO_MARKER_MM,
        load_dictionary(CHARUCO_DICTIONARY).codes,
    )
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(pages[-1])
    columns, rows = CHARUCO_SQUARES
    assert sorted(np.ravel(ids)) == list(range((columns - 1) * (rows - 1)))
    steps_px = np.diff(np.asarray(corners, np.float64).reshape(rows - 1, columns - 1, 2), axis=1)
    assert (
        np.abs(np.subtract(steps_px / DOTS_PER_MM, (CHARUCO_SQUARE_MM, 0.0))).max() < 2 * EXACT_MM
    )


def test_every_page_has_a_ruler_of_100_mm(pages: list[GreyImage]) -> None:
    """A line at the foot, 100 mm long: a wrongly scaled print is found before the game."""
    for page in pages:
        foot = page[-int(20 * DOTS_PER_MM) :]
        longest = max(_longest_run(row < 128) for row in foot)
        assert abs(longest / DOTS_PER_MM - 100.0) < 0.4  # the pen is 0.2 mm wide


def _longest_run(dark: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], dark.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def test_a_board_of_hexes_stands_on_the_paper_that_takes_it(tmp_path: Path) -> None:
    """566 x 620 mm: A1, upright; everything else is A4."""
    path = tmp_path / "hexes.pdf"
    write_sheets(battlefield_plan(assumed_figures()), path)
    sizes = [page.get_size() for page in pypdfium2.PdfDocument(str(path))]
    in_mm = [(round(width * 25.4 / 72), round(height * 25.4 / 72)) for width, height in sizes]
    assert in_mm == [(594, 841), (297, 210), (297, 210), (297, 210)]


def test_pages_are_as_large_as_paper(tmp_path: Path) -> None:
    """A4 where it is enough; a board that needs it gets the next larger paper."""
    plan = replace(board_plan(), boards=board_plan().boards[:4])
    wide = replace(plan.boards[0], size_mm=(380.0, 200.0))
    path = tmp_path / "wide.pdf"
    write_sheets(replace(plan, boards=(wide, *plan.boards[1:])), path)
    sizes = [page.get_size() for page in pypdfium2.PdfDocument(str(path))]
    in_mm = [(round(width * 25.4 / 72), round(height * 25.4 / 72)) for width, height in sizes]
    assert in_mm[0] == (420, 297)
    assert set(in_mm[1:]) == {(297, 210)}


def test_sheets_are_the_same_each_time(plan: BoardPlan, tmp_path: Path) -> None:
    """No date in them: two prints can be compared."""
    first, second = tmp_path / "a.pdf", tmp_path / "b.pdf"
    write_sheets(plan, first)
    write_sheets(plan, second)
    assert first.read_bytes() == second.read_bytes()


def test_many_tokens_go_on_more_pages(plan: BoardPlan, tmp_path: Path) -> None:
    """Forty tokens: each is printed once, none over the edge or the ruler."""
    token = plan.tokens[0]
    tokens = tuple(replace(token, marker=number) for number in range(100, 140))
    path = tmp_path / "many.pdf"
    write_sheets(replace(plan, boards=(), tokens=tokens), path)
    seen = [marker for page in _drawn(path) for marker in _markers_mm(page, plan.dictionary)]
    assert sorted(seen) == list(range(100, 140))


def test_what_cannot_be_printed_is_refused(plan: BoardPlan, tmp_path: Path) -> None:
    """Nothing is written: no paper so large, no such marker, no such folder."""
    path = tmp_path / "sheets.pdf"
    huge = replace(plan.boards[0], size_mm=(1500.0, 110.0))
    with pytest.raises(BadCall, match="1500 x 110 mm: larger than any paper"):
        write_sheets(replace(plan, boards=(huge,)), path)
    with pytest.raises(BadCall, match="4X4_50 has markers 0 to 49, not 77"):
        write_sheets(
            replace(plan, dictionary="4X4_50", tokens=(replace(plan.tokens[0], marker=77),)), path
        )
    with pytest.raises(BadFile, match=r"none.sheets\.pdf: cannot be written: No such file"):
        write_sheets(plan, tmp_path / "none" / "sheets.pdf")
    assert not path.exists()
