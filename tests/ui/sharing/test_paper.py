"""Boards as SVG and on paper, the protocol as PDF, the score sheet: read back and looked at."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import cv2
import numpy as np
import pypdfium2
import pytest
import segno
from reportlab.lib.units import mm

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import played_out
from companion.record.record import Record
from companion.record.signing import TableKey
from tests.ui.sharing.conftest import ANA, GOLDEN
from ui.sharing.logbook import logbook_link
from ui.sharing.page_pen import colours_css, symbol
from ui.sharing.paper import HIGHEST_MM, MARGIN_MM, photograph
from ui.sharing.sheet import CODE_MM
from ui.terminal.app import run
from ui.widgets.signs import SIGNS

WAY = re.compile(r"M-?[\d.]+ -?[\d.]+(?:L-?[\d.]+ -?[\d.]+)*Z?")
BASE = "dogfight-1917-edition-3-base-1"
DRAW = "jaws-and-paws-edition-2-day-draw"


def words_of(paper: Path) -> tuple[int, str]:
    """How many pages a PDF has, and all its words."""
    document = pypdfium2.PdfDocument(paper)
    return len(document), "\n".join(page.get_textpage().get_text_bounded() for page in document)


def looked_at(paper: Path, page: int = 0) -> Any:
    """One page as it is seen, BGR."""
    return np.asarray(pypdfium2.PdfDocument(paper)[page].render(scale=1).to_numpy())[:, :, :3]


@pytest.mark.parametrize("name", sorted(SIGNS))
@pytest.mark.parametrize("kind", ["sign", "rim"])
def test_every_sign_is_a_drawing_that_a_browser_takes(name: str, kind: str) -> None:
    """Its paths are well formed, its colours have classes, its masks are there."""
    drawn = symbol(f"{kind}-{name}")
    ways = re.findall(r' d="([^"]*)"', drawn)
    assert all(re.fullmatch(f"(?:{WAY.pattern})+", way) for way in ways)
    assert set(re.findall(r"url\(#(\w+)\)", drawn)) == set(re.findall(r'<mask id="(\w+)"', drawn))
    known = set(re.findall(r"\.(t-[\w-]+)\{", colours_css()))
    assert set(re.findall(r'class="([\w-]+)"', drawn)) <= known
    if kind == "rim":
        assert ways


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("name", [BASE, DRAW])
def test_a_protocol_on_paper_has_every_line(record: Record, tmp_path: Path, name: str) -> None:
    taken = record.import_file(GOLDEN / f"{name}.jsonl")
    out = tmp_path / "protocol.pdf"
    assert run(["show", taken.match_id, "--out", str(out), "--record", record.name]) == 0
    _, words = words_of(out)
    lines = record.load(taken.match_id).entries[1:]
    assert {str(entry.seq) for entry in lines} <= set(re.findall(r"^\d+", words, re.MULTILINE))


def test_a_ruling_on_paper_shows_the_board_before_and_after(record: Record, tmp_path: Path) -> None:
    """On one page, with the paragraphs it cites; the two boards differ."""
    taken = record.import_file(GOLDEN / f"{BASE}.jsonl")
    entries = record.load(taken.match_id).entries
    flown = next(entry.seq for entry in entries if entry.key.endswith("/fly"))
    out = tmp_path / "ruling.pdf"
    call = ["show", taken.match_id, "--line", str(flown), "--record", record.name]
    assert run([*call, "--out", str(out)]) == 0
    pages, words = words_of(out)
    assert pages == 1
    assert f"Line {flown - 1}, before" in words
    assert f"Line {flown}, after" in words
    assert "What the rules say" in words
    seen = looked_at(out)
    inked = cv2.countNonZero(cv2.inRange(seen, (0, 0, 0), (120, 120, 120)))
    assert inked > 2000


def test_a_round_has_its_own_lines_and_no_others(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = record.import_file(GOLDEN / f"{DRAW}.jsonl")
    call = ["show", taken.match_id, "--record", record.name]
    assert run([*call, "--round", "2"]) == 0
    told = capsys.readouterr().out
    assert re.findall(r"^-- (.*) --$", told, re.MULTILINE) == ["Round 2"]
    for wrong in (["--round", "99"], ["--line", "9999"], ["--round", "1", "--line", "2"]):
        assert run([*call, *wrong]) == 2
        assert "companion: " in capsys.readouterr().err
    out = tmp_path / "round.html"
    assert run([*call, "--round", "2", "--out", str(out)]) == 0
    assert "23 of 209 lines" in capsys.readouterr().out
    page = out.read_text("utf-8")
    assert "Round 3</h3>" not in page
    drawn = re.findall(r'<figure class="then"><svg[^>]*>(.*?)</svg><figcaption>.*?, (\w+)<', page)
    boards = [board for board, when in drawn if when in ("before", "after")]
    assert boards
    pairs = zip(boards[::2], boards[1::2], strict=True)
    assert all(before != after for before, after in pairs), "where nothing moved none is drawn"


@pytest.mark.slow
def test_a_score_sheet_has_one_page_whoever_plays(record: Record, tmp_path: Path) -> None:
    """Every player with what they have, a line to sign, the code, the signature's key."""
    for n, name in enumerate((BASE, DRAW, "starship-edition-edition-3-six-1")):
        taken = record.import_file(GOLDEN / f"{name}.jsonl")
        out = tmp_path / f"sheet-{n}.pdf"
        assert run(["sheet", taken.match_id, "--out", str(out), "--record", record.name]) == 0
        pages, words = words_of(out)
        assert pages == 1
        for player in record.load(taken.match_id).setup.seats.values():
            assert words.count(player.split("/")[0]) >= 2
        assert "Arbiter" in words
        assert "Unsigned" in words


def test_a_name_in_letters_that_paper_has_not_is_no_blank(record: Record, tmp_path: Path) -> None:
    """A sheet with an empty line would be signed by nobody; other scripts stay as they are."""
    seats = {Seat("A"): "日本", Seat("B"): "Łukasz Жук"}
    match = Match[Any].start(Setup("talespin-dogfight", (), seats, {}), ANA)
    made = record.create(match.setup, ANA)
    record.append(made, match.entries)
    for command in ("sheet", "show"):
        paper = tmp_path / f"{command}.pdf"
        assert run([command, made, "--out", str(paper), "--record", record.name]) == 0
        said = words_of(paper)[1]
        assert "\ufffd\ufffd" in said
        assert "Łukasz Жук" in said


def test_a_score_sheet_names_the_key_that_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People compare its fingerprint with what `companion key` says."""
    key = TableKey.make(tmp_path / "key.toml", "Club table 2")
    with Record.open(tmp_path / "record.db") as record:
        taken = record.import_file(GOLDEN / f"{DRAW}.jsonl")
        loaded = record.load(taken.match_id)
    from dataclasses import replace

    from companion.referee.protocol import read_protocol
    from ui.sharing.sheet import score_sheet
    from ui.table.protocol import Printed, time_of_day

    signed = replace(loaded, signature=key.sign(loaded.entries[-1].chain))
    printed = Printed(signed, read_protocol(loaded.entries, time_of_day))
    out = tmp_path / "sheet.pdf"
    out.write_bytes(score_sheet(printed))
    assert signed.signature is not None
    assert f"Club table 2, key {signed.signature.fingerprint}" in words_of(out)[1]


@pytest.mark.parametrize("size", [(1, 1), (1, 4000), (4000, 1)])
def test_a_picture_of_any_shape_has_room_on_a_page(size: tuple[int, int]) -> None:
    coded = cv2.imencode(".png", np.full((*size, 3), 90, np.uint8))[1].tobytes()
    drawn = photograph(coded, 58.0)
    assert drawn is not None
    assert drawn.drawHeight <= HIGHEST_MM * mm + 0.01


def test_nobody_signs_what_bots_played_without_a_table(record: Record, tmp_path: Path) -> None:
    """Its sheet says so in its first line, and has no code that enters it into a logbook."""
    from dataclasses import replace

    from companion.referee.protocol import read_protocol
    from ui.sharing.sheet import SIMULATED, score_sheet
    from ui.table.protocol import Printed, time_of_day

    loaded = record.load(record.import_file(GOLDEN / f"{DRAW}.jsonl").match_id)
    bots = replace(loaded.setup, demonstration=True, simulated=True)
    protocol = read_protocol(loaded.entries, time_of_day)
    out = tmp_path / "sheet.pdf"
    for setup, is_simulated in ((loaded.setup, False), (bots, True)):
        out.write_bytes(score_sheet(Printed(replace(loaded, setup=setup), protocol)))
        words = words_of(out)[1]
        assert ("simulated" in words) == (SIMULATED in words) == is_simulated
        assert ("Arbiter" in words) == ("BG Stats" in words) == (not is_simulated)


@pytest.mark.slow
def test_the_sheets_code_is_the_logbooks_module_by_module(record: Record, tmp_path: Path) -> None:
    """What is printed at the top right is the code of the link that the result screen shows."""
    taken = record.import_file(GOLDEN / f"{BASE}.jsonl")
    out = tmp_path / "sheet.pdf"
    run(["sheet", taken.match_id, "--out", str(out), "--record", record.name])
    seen = np.asarray(pypdfium2.PdfDocument(out)[0].render(scale=5).to_numpy())
    match = Match[Any].replay(record.load(taken.match_id).entries)
    wanted = np.array(segno.make(logbook_link(match, taken.match_id), error="l").matrix)
    modules = len(wanted) + 4  # with its quiet edge
    px_a_mm = 5 * 72 / 25.4
    side = round(CODE_MM * px_a_mm)
    part = seen[:, -round((MARGIN_MM + CODE_MM + 6) * px_a_mm) :, 0]
    scored = []
    for top in range(round(14 * px_a_mm), round(24 * px_a_mm), 3):
        for left in range(0, part.shape[1] - side, 3):
            at = ((np.arange(modules) + 0.5) * side / modules).astype(int)
            read = part[top + at][:, left + at][2:-2, 2:-2] < 128
            scored.append(float((read == wanted).mean()))
    assert max(scored) > 0.99


def test_a_log_of_another_hand_has_a_link_too() -> None:
    """Its time is none, and half a letter stands in a name: no sheet fails for it."""
    setup = Setup("talespin-dogfight", seats={Seat("A"): "Bo", Seat("B"): "A\ud800na"})
    match = Match[Any].start(setup, Stamp("Ana", "yesterday", 0.0))
    played_out(match, Random(1))
    link = unquote(logbook_link(match, "m"))
    assert '"playDate":"yesterday"' in link
    assert '"A?na"' in link


def left_of(paper: Path, words: str) -> float:
    """How far from the left edge of its page a text begins, in points; its last occurrence."""
    left = -1.0
    for page in pypdfium2.PdfDocument(paper):
        written = page.get_textpage()
        found = written.search(words)
        while (at := found.get_next()) is not None:
            left = written.get_charbox(at[0])[0]
    assert left >= 0, words
    return left


def test_a_decision_that_was_taken_back_is_told_on_paper_and_page(
    record: Record, taken_back: str, tmp_path: Path
) -> None:
    """Both decisions stand in it; what has no part in the dispute does not seem to have one."""
    call = [taken_back, "--record", record.name, "--out"]
    paper, page = tmp_path / "protocol.pdf", tmp_path / "page.html"
    assert run(["show", *call, str(paper)]) == 0
    assert run(["page", *call, str(page)]) == 0
    _, words = words_of(paper)
    html = page.read_text("utf-8")
    for told in (
        r"it is corrected; taken back by line",
        r"Decided by \w+, line 48: what was ruled\s",
    ):
        assert re.search(told, words)
        assert re.search(told, html)
    assert "Each line: its number, the time of day, minutes and seconds of play" in words
    score = r"Ana: Damage \d+"
    assert re.search(score, words)
    assert left_of(paper, "Ana: Damage") < left_of(paper, "Claim of Bo") - 5
    assert re.search(rf'<p class="">{score}', html)
    assert '<p class="told-more">Claim of Bo' in html


def test_a_score_sheet_counts_what_was_taken_back_as_that(
    record: Record, taken_back: str, tmp_path: Path
) -> None:
    """One undo stands; the one that the decision had led to does not, nor that which ended it."""
    out = tmp_path / "sheet.pdf"
    assert run(["sheet", taken_back, "--out", str(out), "--record", record.name]) == 0
    _, words = words_of(out)
    assert "1 undone · 1 decision taken back · 1 challenge: 1 stood" in words


@pytest.mark.parametrize(
    ("command", "name", "told"),
    [
        ("show", "match.docx", "a protocol is written as .txt or .pdf or .html"),
        ("sheet", "sheet.png", "a score sheet is written as .pdf"),
        ("page", "page.pdf", "a page is written as .html"),
    ],
)
def test_a_file_is_not_named_as_what_it_will_not_be(
    record: Record,
    taken_back: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    name: str,
    told: str,
) -> None:
    """Whoever opens it would take it for torn."""
    out = tmp_path / name
    assert run([command, taken_back, "--out", str(out), "--record", record.name]) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("named", [True, False])
def test_a_sheet_has_seats_where_players_have_names(
    record: Record, tmp_path: Path, *, named: bool
) -> None:
    """Where each is called as the seat there is no empty column."""
    seats = {Seat("A"): "Cleo"} if named else {}
    match = Match[Any].start(Setup("starship-edition", seats=seats), ANA)
    made = record.create(match.setup, ANA)
    paper = tmp_path / "sheet.pdf"
    assert run(["sheet", made, "--record", record.name, "--out", str(paper)]) == 0
    assert ("Seat" in words_of(paper)[1]) is named
