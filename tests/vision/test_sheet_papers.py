"""Which paper sheets go on, what their first page says, and what is refused beforehand."""

from __future__ import annotations

import errno
from dataclasses import replace
from itertools import product
from pathlib import Path

import pypdfium2
import pytest

from companion.core.errors import BadCall, BadFile
from companion.games.dogfight_1917.boards import board_plan as map_plan
from companion.games.dogfight_1917.figures import read_figures
from companion.games.jaws_and_paws.boards import board_plan
from ui.terminal.setting_up import plan_of
from vision.markers.dictionaries import load_dictionary
from vision.printing.items import BoardItem
from vision.printing.pages import NAMED_PAPERS, page_of
from vision.printing.sheets import papers_needed, write_sheets
from vision.printing.tiles import tiles_of


def test_boards_stand_on_the_paper_that_takes_them(tmp_path: Path) -> None:
    """A board of 566 x 620 mm on A1, upright; all else is A4."""
    path = tmp_path / "hexes.pdf"
    write_sheets(plan_of("dogfight-1917"), path)
    assert _papers_mm(path) == [(297, 210), (594, 841), *[(297, 210)] * 5]


def _papers_mm(path: Path) -> list[tuple[int, int]]:
    sizes = [page.get_size() for page in pypdfium2.PdfDocument(str(path))]
    return [(round(width * 25.4 / 72), round(height * 25.4 / 72)) for width, height in sizes]


def test_pages_are_as_large_as_paper(tmp_path: Path) -> None:
    """A4 where it is enough; a board that needs it gets the next larger paper."""
    wide = replace(board_plan().boards[0], size_mm=(380.0, 200.0))
    path = tmp_path / "wide.pdf"
    write_sheets(replace(board_plan(), boards=(wide,)), path)
    first, second, *others = _papers_mm(path)
    assert (first, second) == ((297, 210), (420, 297))
    assert set(others) == {(297, 210)}


def test_no_seam_goes_through_a_marker() -> None:
    """On any paper, for maps of any size: each marker and its rim lie in one part's own share."""
    for radius, paper in product((3, 5, 8), NAMED_PAPERS):
        figures = read_figures({"board": {"radius": radius, "one_token": [], "two_tokens": []}})
        (board,) = map_plan(figures).boards
        item = BoardItem((0, 0), board, load_dictionary("ARUCO_MIP_36h12"))
        width, height = page_of(paper)
        tiles = [tile for row in tiles_of(item, (width - 34.0, height - 50.0)) for tile in row]
        half = board.corner_side_mm / 2
        for x, y in (board.corners or {}).values():
            assert (
                sum(
                    tile.across[0] < x - half
                    and x + half < tile.across[1]
                    and tile.down[0] < y - half
                    and y + half < tile.down[1]
                    for tile in tiles
                )
                == 1
            )


def test_the_first_page_says_which_sheet_is_what(tmp_path: Path) -> None:
    """Parts of a board in one line; every sheet after the first is in the list."""
    path = tmp_path / "sheets.pdf"
    count = write_sheets(plan_of("dogfight-1917"), path, "A4")
    words = pypdfium2.PdfDocument(str(path))[0].get_textpage().get_text_range()
    assert "2 to 13: Battlefield Board" in words
    assert "14: tokens" in words
    assert "15 to 16: Tactical Token" in words
    assert f"{count}: calibration board" in words


def test_the_first_page_has_heights_and_each_cameras_own_sizes(tmp_path: Path) -> None:
    """However large the markers of these sheets are: other cameras' sheets have theirs."""
    own, path = plan_of("dogfight-1917"), tmp_path / "sheets.pdf"
    larger = replace(own, tokens=tuple(replace(one, side_mm=35.0) for one in own.tokens))
    write_sheets(larger, path, "A4", own)
    words = pypdfium2.PdfDocument(str(path))[0].get_textpage().get_text_range()
    assert "8 mm, 2.5 mm (Tactical Token) above the board" in words
    assert "ARUCO_MIP_36h12; tokens 22 and 35 mm" in words
    assert "1080p over 60 x 60 cm: 1.8 px a mm; tokens 22 and 30 mm" in words
    assert "rings are tokens" in words


def test_sleeves_say_in_full_whose_and_what_they_are(tmp_path: Path) -> None:
    """The codes stay on the sticker, their meaning stands below it."""
    path = tmp_path / "sheets.pdf"
    write_sheets(replace(plan_of("jaws-and-paws"), boards=(), tokens=()), path)
    document = pypdfium2.PdfDocument(str(path))
    words = " ".join(page.get_textpage().get_text_range() for page in document)
    assert "sleeves of Jaws Pilot (JP), faces" in words
    assert "Move Plane Left" in words
    assert "JP MPL (0)" in words


def test_larger_paper_is_named_beforehand(tmp_path: Path) -> None:
    """In the list on the first page, and for the command's last line."""
    plan, path = plan_of("dogfight-1917"), tmp_path / "sheets.pdf"
    count = write_sheets(plan, path)
    words = pypdfium2.PdfDocument(str(path))[0].get_textpage().get_text_range()
    assert "2: Battlefield Board (A1)" in words
    assert papers_needed(plan) == f"{count - 1} A4, 1 A1"
    assert papers_needed(plan, "letter").endswith(" letter")


def test_paper_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sheets.pdf"
    with pytest.raises(BadCall, match="paper 'B5' is unknown; there are A4, A3, letter, tabloid"):
        write_sheets(board_plan(), path, "B5")
    assert not path.exists()


def test_what_cannot_be_printed_is_refused(tmp_path: Path) -> None:
    """Nothing is written: no paper so large, no such marker, no such folder."""
    plan, path = board_plan(), tmp_path / "sheets.pdf"
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


def test_a_disk_that_is_full_leaves_the_sheets_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a file is none to be printed: the old one stays whole."""
    path = tmp_path / "sheets.pdf"
    path.write_bytes(b"the sheets of before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadFile, match=r"sheets\.pdf: cannot be written: No space left"):
        write_sheets(board_plan(), path)
    assert path.read_bytes() == b"the sheets of before"
    assert [one.name for one in tmp_path.iterdir()] == ["sheets.pdf"]
