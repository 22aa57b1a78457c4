"""Printed sheets: drawn as a printer would, looked at as a camera would, measured in mm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.core.board import Board, BoardPlan, Piece
from companion.games import RULEBOOKS
from companion.games.jaws_and_paws.boards import board_plan
from ui.terminal.setting_up import plan_of
from vision.boards.lens_fit import (
    PRINTED_DICTIONARY,
    PRINTED_MARKER_MM,
    PRINTED_SQUARE_MM,
    PRINTED_SQUARES,
    CharucoBoard,
)
from vision.camera.frame import GreyImage
from vision.cards.sleeves import SLEEVE_AT_MM, SLEEVE_DICTIONARY, SLEEVE_SIDE_MM, sleeves_of
from vision.markers.dictionaries import load_dictionary
from vision.markers.reading import CornersPx, MarkerReader, MarkerSeen
from vision.printing.items import BoardItem
from vision.printing.pages import PrintedPage, in_parts, page_of
from vision.printing.sheets import write_sheets
from vision.printing.tiles import AROUND_MM, TileItem

DOTS_PER_MM = 5.0
EXACT_MM = 0.22
"""The drawing snaps straight edges to its own dots, which are a fifth of a millimetre."""
MODES = [*((box, ()) for box in RULEBOOKS), ("jaws-and-paws", ("night", "five-players"))]


@cache
def reader(dictionary: str) -> MarkerReader:
    return MarkerReader(dictionary)


@dataclass(eq=False)
class Page:
    """A page as a printer draws it, and what is read on it.

    A page is a whole number of dots wide and high: of a large one a millimetre has a few less.
    """

    picture: GreyImage
    dots_per_mm: tuple[float, float] = (DOTS_PER_MM, DOTS_PER_MM)
    _seen: dict[str, Sequence[MarkerSeen]] = field(default_factory=dict)

    def markers(self, dictionary: str) -> Sequence[MarkerSeen]:
        if dictionary not in self._seen:
            self._seen[dictionary] = reader(dictionary).read(self.picture)
        return self._seen[dictionary]

    def is_dark(self, x_mm: float, y_mm: float) -> bool:
        across, down = self.dots_per_mm
        return bool(self.picture[round(y_mm * down), round(x_mm * across)] < 128)


@pytest.fixture(scope="module", params=MODES, ids=lambda mode: "-".join((mode[0], *mode[1])))
def plan(request: pytest.FixtureRequest) -> BoardPlan:
    box, variants = request.param
    return plan_of(box, variants)


@pytest.fixture(scope="module")
def pages(plan: BoardPlan, tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    path = tmp_path_factory.mktemp("sheets") / "markers.pdf"
    count = write_sheets(replace(plan, decks=plan.decks[:1]), path)
    drawn = list(_drawn(path))
    assert len(drawn) == count
    return drawn


def _drawn(path: Path) -> Iterator[Page]:
    scale: Any = DOTS_PER_MM * 25.4 / 72.0  # pypdfium2 says int, and takes any number
    for page in pypdfium2.PdfDocument(str(path)):
        picture = np.asarray(
            page.render(scale=scale, grayscale=True).to_numpy(), np.uint8
        ).squeeze()
        wide_mm, high_mm = (side * 25.4 / 72.0 for side in page.get_size())
        yield Page(picture, (picture.shape[1] / wide_mm, picture.shape[0] / high_mm))


def _markers_mm(page: Page, dictionary: str) -> Mapping[int, CornersPx]:
    """Each marker's corners on the page, mm from its top left."""
    found = page.markers(dictionary)
    return {marker.id: (marker.corners_px + 0.5) / page.dots_per_mm for marker in found}


def _all_markers(pages: list[Page], dictionary: str) -> list[int]:
    return [marker.id for page in pages for marker in page.markers(dictionary)]


def test_boards_are_true_to_size(plan: BoardPlan, pages: list[Page]) -> None:
    """Every corner marker has its side and stands where the plan has it, but for a dot."""
    boards = [board for board in plan.boards if board.corners]
    for board, page in zip(boards, pages[1:], strict=False):
        seen = _markers_mm(page, plan.dictionary)
        assert set(seen) == set(board.corners or ())
        _check_board(board, seen)


def test_a_board_of_a_size_of_its_own_is_true_to_it(tmp_path: Path) -> None:
    """One that only the largest paper takes, from a table's own figures."""
    figures = tmp_path / "ours.toml"
    figures.write_text("[map]\nradius = 6\n", "utf-8")
    plan = plan_of("dogfight-hex", figures=figures)
    (board,) = plan.boards
    assert board.size_mm[0] > 800
    write_sheets(replace(plan, tokens=(), counters=(), decks=()), tmp_path / "sheets.pdf")
    pages = list(_drawn(tmp_path / "sheets.pdf"))
    _check_board(board, _markers_mm(pages[1], plan.dictionary))


def _check_board(board: Board, seen: Mapping[int, CornersPx]) -> None:
    corners = board.corners or {}
    first = min(corners)
    for marker, centre in corners.items():
        sides_mm = np.linalg.norm(np.roll(seen[marker], -1, axis=0) - seen[marker], axis=1)
        assert np.abs(sides_mm - board.corner_side_mm).max() < EXACT_MM
        apart_mm = seen[marker].mean(axis=0) - seen[first].mean(axis=0)
        planned_mm = np.subtract(centre, corners[first])
        assert np.abs(apart_mm - planned_mm).max() < EXACT_MM


def _token_pages(plan: BoardPlan, pages: list[Page]) -> list[Mapping[int, CornersPx]]:
    """What the pages with tokens show: those that no board's corners are on."""
    ids = {token.marker for token in plan.tokens}
    seen = [_markers_mm(page, plan.dictionary) for page in pages]
    return [markers for markers in seen if ids & set(markers)]


def test_every_token_is_there_once_upright_and_true_to_size(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """With its other side, be that a piece of the plan or not; none twice."""
    wanted = {token.marker: token.side_mm for token in plan.tokens}
    wanted |= {t.other_side.marker: t.side_mm for t in plan.tokens if t.other_side is not None}
    found = [item for page in _token_pages(plan, pages) for item in page.items()]
    assert sorted(marker for marker, _ in found) == sorted(wanted)
    for marker, (top_left, top_right, *_) in found:
        assert np.abs(top_right - top_left - (wanted[marker], 0.0)).max() < EXACT_MM


def test_counted_tokens_have_a_marker_each(plan: BoardPlan, pages: list[Page]) -> None:
    """As many as the box has, all alike, true to size."""
    found = [m for page in pages for m in page.markers(plan.dictionary)]
    for kind in plan.counters:
        alike = [m.corners_px / DOTS_PER_MM for m in found if m.id == kind.marker]
        assert len(alike) == kind.copies
        for top_left, top_right, *_ in alike:
            assert np.abs(top_right - top_left - (kind.side_mm, 0.0)).max() < EXACT_MM


def test_other_sides_lie_beside_their_faces(plan: BoardPlan, pages: list[Page]) -> None:
    """Sun and Moon, ship and debris: cut out as one piece they cover each other when folded."""
    for token in plan.tokens:
        if token.other_side is None:
            continue
        (page,) = (one for one in _token_pages(plan, pages) if token.marker in one)
        face, back = page[token.marker].mean(axis=0), page[token.other_side.marker].mean(axis=0)
        whole_mm = token.side_mm * (1 + 4 / load_dictionary(plan.dictionary).cells)
        assert np.abs(back - face - (whole_mm, 0.0)).max() < EXACT_MM


def test_a_token_has_a_nose_where_it_matters_which_way_it_points(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """Above the marker's top, clear of its white rim of two cells; elsewhere there is nothing."""
    cells = load_dictionary(plan.dictionary).cells
    for token in plan.tokens:
        (page,) = (one for one in pages if token.marker in _markers_mm(one, plan.dictionary))
        left, top = _markers_mm(page, plan.dictionary)[token.marker][0].tolist()
        rim = 2 * token.side_mm / cells
        middle, above = left + token.side_mm / 2, top - rim
        spots = {
            name: page.is_dark(x, y)
            for name, (x, y) in {
                "nose": (middle, above - 4.0),
                "rim": (middle, above + 0.5 * rim),
                "left": (left, above - 4.0),
            }.items()
        }
        nose = plan.has_facings and token.headed
        assert spots == {"nose": nose, "rim": False, "left": False}, token.label


def test_what_is_cut_out_keeps_its_name(plan: BoardPlan, tmp_path: Path) -> None:
    """Tokens, their other sides and sleeves have it twice: beside the cut, and inside of it.

    Beside a sleeve's face the code is spelt out where the book has words for it.
    """
    path = tmp_path / "sheets.pdf"
    write_sheets(replace(plan, boards=(), decks=plan.decks[:1]), path)
    read = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(str(path))]
    words = "\n".join(read)
    for token in plan.tokens:
        assert words.count(f"{token.label} ({token.marker})") == 2
    for marker, sleeve in sleeves_of(replace(plan, decks=plan.decks[:1])).items():
        copies = _copies(sleeve.deck.copies, sleeve.card)
        spelt = sleeve.deck.titles.get(sleeve.card, "") if sleeve.card else ""
        assert words.count(f"{sleeve.title} ({marker})") == (copies if spelt else 2 * copies)
        assert words.count(spelt) >= copies


def test_a_name_leaves_the_white_next_to_its_marker_alone(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """One cell all around is white; the letters are under it, above the cut."""
    for page in _pages_with(plan, pages):
        for marker, corners in _markers_mm(page, plan.dictionary).items():
            (left, top), _, (right, low), _ = (corners * DOTS_PER_MM).round().astype(int).tolist()
            cell = (right - left) / load_dictionary(plan.dictionary).cells
            near, far = round(low + cell), round(low + 1.9 * cell)
            assert page.picture[low + 2 : near, left:right].min() > 200, marker
            assert page.picture[near:far, left:right].min() < 128, marker
            assert page.picture[top:low, right + 2 : round(right + cell)].min() > 200, marker


def _pages_with(plan: BoardPlan, pages: list[Page]) -> list[Page]:
    """Those with tokens."""
    ids = {token.marker for token in plan.tokens}
    return [page for page in pages if ids & set(_markers_mm(page, plan.dictionary))]


def test_a_camera_reads_every_sleeve_with_its_name(pages: list[Page]) -> None:
    """As small as a camera of 720 lines has them."""
    for page in pages[:-1]:
        small = cv2.resize(page.picture, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
        seen = reader(SLEEVE_DICTIONARY).read(np.asarray(small, np.uint8))
        printed = page.markers(SLEEVE_DICTIONARY)
        assert sorted(one.id for one in seen) == sorted(one.id for one in printed)


def test_single_corner_markers_are_there_for_boards_of_ones_own(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """Each corner marker is there twice: on its board, and alone."""
    corners = {marker for board in plan.boards for marker in board.corners or ()}
    found = [marker for marker in _all_markers(pages, plan.dictionary) if marker in corners]
    assert sorted(found) == sorted([*corners, *corners])


def test_sleeves_have_a_face_for_each_card_and_a_back_of_their_deck(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """As many as the deck has cards; every back of a deck looks the same, so it tells no card."""
    wanted = [
        marker
        for marker, sleeve in sleeves_of(replace(plan, decks=plan.decks[:1])).items()
        for _ in range(_copies(sleeve.deck.copies, sleeve.card))
    ]
    calibration = range(PRINTED_SQUARES[0] * PRINTED_SQUARES[1] // 2)
    found = _all_markers(pages[:-1], SLEEVE_DICTIONARY)
    assert sorted(found) == sorted(wanted)
    assert bool(found) == bool(plan.decks)
    assert sorted(_all_markers(pages[-1:], PRINTED_DICTIONARY)) == list(calibration)


def _copies(copies: Mapping[str, int], card: str) -> int:
    return copies[card] if card else sum(copies.values())


def test_a_sleeves_marker_sits_where_the_reader_of_tracks_takes_it_to_sit(
    plan: BoardPlan, pages: list[Page]
) -> None:
    """So far under the edge that goes to the card's upper edge: the cut line above it."""
    for page in pages[:-1]:
        for corners in _markers_mm(page, SLEEVE_DICTIONARY).values():
            (left, top), (right, _) = corners[:2].tolist()
            assert abs(right - left - SLEEVE_SIDE_MM) < EXACT_MM
            edge = top + SLEEVE_SIDE_MM / 2 - SLEEVE_AT_MM[1]
            row = page.picture[round(edge * DOTS_PER_MM) - 1 : round(edge * DOTS_PER_MM) + 2]
            dashes = row[:, round(left * DOTS_PER_MM) : round(right * DOTS_PER_MM)].min(axis=0)
            assert 0.3 < (dashes < 230).mean() < 0.9


def test_the_calibration_board_is_one_that_the_lens_is_measured_with(pages: list[Page]) -> None:
    """Every inner corner is found, and neighbours are a square apart."""
    board = cv2.aruco.CharucoBoard(
        PRINTED_SQUARES,
        PRINTED_SQUARE_MM,
        PRINTED_MARKER_MM,
        load_dictionary(PRINTED_DICTIONARY).codes,
    )
    _, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(pages[-1].picture)
    columns, rows = (side - 1 for side in PRINTED_SQUARES)
    assert sorted(np.ravel(ids)) == list(range(columns * rows))
    view = CharucoBoard().find(pages[-1].picture)
    assert view is not None
    off_mm = view.in_picture_px / DOTS_PER_MM - view.on_sheet_mm
    assert np.abs(off_mm - off_mm.mean(axis=0)).max() < EXACT_MM


def test_every_page_has_a_ruler_of_100_mm(pages: list[Page]) -> None:
    """A line at the foot, 100 mm long: a wrongly scaled print is found before the game."""
    for page in pages:
        foot = page.picture[-int(20 * DOTS_PER_MM) :]
        longest = max(_longest_run(row < 128) for row in foot)
        assert abs(longest / DOTS_PER_MM - 100.0) < 0.5  # the pen is 0.2 mm wide


def _longest_run(dark: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], dark.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def test_a_camera_is_not_misled_by_cut_lines(plan: BoardPlan, pages: list[Page]) -> None:
    """Each page, as small as a camera of 720 lines has it, shows the same markers."""
    for page in pages[1:-1]:
        small = cv2.resize(page.picture, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
        seen = {marker.id for marker in reader(plan.dictionary).read(np.asarray(small, np.uint8))}
        assert seen == set(_markers_mm(page, plan.dictionary))


@pytest.mark.parametrize(("box", "paper"), [
    ("dogfight-1917", "A4"), ("dogfight-hex", "tabloid"), ("jaws-and-paws", "letter"),
])  # fmt: skip
def test_a_board_in_parts_is_the_board_once_it_is_glued(
    box: str, paper: str, tmp_path: Path
) -> None:
    """Cut at the dashes and laid over the strips: every corner marker is whole, and in its place.

    All pages are of the paper that was named.
    """
    board = max(plan_of(box).boards, key=lambda board: board.size_mm)
    plan = replace(plan_of(box), boards=(board,), tokens=(), counters=(), decks=())
    path = tmp_path / "parts.pdf"
    write_sheets(plan, path, paper)
    page_mm = page_of(paper)
    for page in pypdfium2.PdfDocument(str(path)):
        width, height = (round(side * 25.4 / 72) for side in page.get_size())
        assert {width, height} == {round(side) for side in page_mm}
    codes = load_dictionary(plan.dictionary)
    sheets = list(in_parts(BoardItem((0, 0), board, codes), "", paper))
    pages = list(_drawn(path))[1 : 1 + len(sheets)]
    assert len(sheets) > 1
    _check_board(board, _markers_mm(Page(_glued(sheets, pages, board)), plan.dictionary))


def _glued(sheets: Sequence[PrintedPage], pages: Sequence[Page], board: Board) -> GreyImage:
    """The parts laid over each other in turn, as a player glues them."""
    tiles = [sheet.items[0] for sheet in sheets]
    assert all(isinstance(tile, TileItem) for tile in tiles)
    across, down = (round((side + 2 * AROUND_MM) * DOTS_PER_MM) for side in board.size_mm)
    whole = np.full((down, across), 255, np.uint8)
    for tile, page in zip(tiles, pages, strict=True):
        assert isinstance(tile, TileItem)
        x, y = (round((at + AROUND_MM) * DOTS_PER_MM) for at in (tile.across[0], tile.down[0]))
        left, top = (round(at * DOTS_PER_MM) for at in tile.place_mm)
        wide, high = (round(side * DOTS_PER_MM) for side in tile.size_mm)
        part = page.picture[top : top + high, left : left + wide]
        assert part.shape == (high, wide), "it goes over the edge of its page"
        whole[y : y + high, x : x + wide] = part
    return whole


@pytest.mark.slow(gate=1)
def test_sheets_are_the_same_each_time(plan: BoardPlan, tmp_path: Path) -> None:
    """No date in them: two prints can be compared."""
    first, second = tmp_path / "a.pdf", tmp_path / "b.pdf"
    write_sheets(plan, first)
    write_sheets(plan, second)
    assert first.read_bytes() == second.read_bytes()


def test_many_tokens_go_on_more_pages(tmp_path: Path) -> None:
    """Forty tokens: each is printed once, none over the edge or the ruler."""
    plan = board_plan()
    tokens = tuple(
        replace(plan.tokens[0], piece=Piece(f"plane-{number}"), marker=number)
        for number in range(100, 140)
    )
    path = tmp_path / "many.pdf"
    write_sheets(replace(plan, boards=(), tokens=tokens), path)
    seen = _all_markers(list(_drawn(path)), plan.dictionary)
    assert sorted(seen) == list(range(100, 140))
