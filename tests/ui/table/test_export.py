"""A match taken along: what a stick may do to it, and the protocol that people read of it."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.core.errors import BadCall, RecordError
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.record.record import Record
from companion.referee.protocol import read_protocol
from ui.table import export, protocol
from ui.table.export import export_to, take_along
from ui.terminal.app import run

ANA = Stamp("Ana", "2026-11-21T19:34:07.250Z", 60.0)
CRUEL = "<script>alert(1)</script>\x07\ud800"
PICTURE = EvidenceFile(2, Occasion.CHALLENGE, EvidencePart.AT, ANA.at_utc)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record.open(tmp_path / "record.db") as opened:
        yield opened


@pytest.fixture
def match_id(record: Record) -> str:
    """A disputed match with an undo, a claim by a cruel name, and a picture."""
    setup = Setup("jaws-and-paws", ("day",), {Seat("JP"): CRUEL, Seat("PG"): "Bo"}, {})
    match = Match[Any].start(setup, ANA)
    play_out(match, bots_of(setup, Random(2)), 40)
    told: tuple[dict[str, Any], ...] = (
        {"event": "challenged", "by": "Paws", "rest_s": 3.0},
        {"event": "disputed", "line": 2},
        {"event": "claimed", "by": "Paws", "claim": "It stood on <b>PL</b>."},
        {"event": "decided", "by": "Paws", "verdict": "stands"},
    )
    for said in told:
        match.note_clock("", said, ANA)
    match.undo(len(match.entries) - 6, "misheard", stamp=ANA)
    made = record.create(match.setup, ANA)
    record.append(made, match.entries)
    _, coded = cv2.imencode(".jpg", np.full((90, 160), 90, np.uint8))
    (record.evidence(made) / PICTURE.name).write_bytes(coded.tobytes())
    return made


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "STICK").mkdir()
    return tmp_path / "STICK"


class Page(HTMLParser):
    """What a browser would find: tags, where they lead, what they load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.found: dict[str, list[str]] = {"href": [], "src": [], "id": []}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.found.get(name, []).append(value or "")


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# What goes wrong.


def test_names_that_people_typed_do_nothing_in_the_page(
    record: Record, match_id: str, stick: Path
) -> None:
    """Neither a tag nor a bell nor half a letter gets out of a name or a claim."""
    home = export_to(record, match_id, stick, "J").folder
    told, text = ((home / name).read_text("utf-8") for name in ("match.html", "protocol.txt"))
    assert "b" not in Page(told).tags
    assert told.count("<script") == 2, "the page's own"
    assert "&lt;script&gt;" in told
    assert "<script>" in text  # a text runs nothing
    for written in (told, text):
        assert all(c.isprintable() or c == "\n" for c in written)


def test_a_stick_with_too_little_room_says_how_much_is_needed(
    record: Record, match_id: str, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written."""
    usage = shutil.disk_usage(stick)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=9_000))
    with pytest.raises(BadCall, match="MB left and 1 MB are needed: delete something on it"):
        export_to(record, match_id, stick, "J")
    assert files_in(stick) == []


def test_a_server_that_falls_silent_in_the_middle_is_told(
    record: Record, match_id: str, stick: Path
) -> None:
    """Nothing is left on the stick, and nobody waits at the screen."""
    asked: list[object] = []

    def patience(call: Callable[[], Any]) -> Any:
        asked.append(call)
        if len(asked) == 2:
            raise RecordError("the record's server does not answer within 0.5 s")
        return call()

    with pytest.raises(RecordError, match="does not answer"):
        export_to(record, match_id, stick, "J", patience)
    assert len(asked) == 2
    assert not [*stick.iterdir()]


@pytest.mark.parametrize("number", [errno.EIO, errno.ENODEV, errno.ENOENT])
def test_a_stick_that_is_pulled_at_the_last_step_keeps_what_it_had(
    record: Record, match_id: str, stick: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The folder written earlier is there again, whole; nothing half written is."""
    export_to(record, match_id, stick, "J")
    before = files_in(stick)
    rename = Path.rename

    def pulled(path: Path, to: Path) -> Path:
        if path.name.endswith(export.PARTIAL):
            raise OSError(number, os.strerror(number))
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", pulled)
    with pytest.raises(BadCall, match="Nothing was written to STICK: it "):
        export_to(record, match_id, stick, "J")
    assert files_in(stick) == before


def test_a_folder_in_which_people_keep_something_else_is_left_alone(
    record: Record, match_id: str, stick: Path
) -> None:
    """The match gets the next number, be that name a folder's or a file's."""
    home = export_to(record, match_id, stick, "J").folder
    (home / "our notes.txt").write_text("mine")
    home.with_name(f"{home.name}-2").write_text("a file of this name")
    assert export_to(record, match_id, stick, "J").folder.name == f"{home.name}-3"
    assert (home / "our notes.txt").read_text() == "mine"


def test_the_user_of_another_machine_may_read_what_was_taken_along(
    record: Record, match_id: str, stick: Path
) -> None:
    """A stick may have a file system with rights, and the service makes files for itself alone."""
    before = os.umask(0o077)
    try:
        home = export_to(record, match_id, stick, "J").folder
    finally:
        os.umask(before)
    assert home.stat().st_mode & 0o777 == 0o755
    assert {file.stat().st_mode & 0o777 for file in home.iterdir()} == {0o644}


def test_a_picture_that_its_own_disk_does_not_give_keeps_no_other_away(
    record: Record, match_id: str, stick: Path
) -> None:
    """It is told, and the stick is not blamed."""
    torn = EvidenceFile(3, Occasion.REVEAL, EvidencePart.AT, ANA.at_utc)
    no_picture = EvidenceFile(4, Occasion.REVEAL, EvidencePart.AT, ANA.at_utc)
    folder = record.evidence(match_id)
    (folder / torn.name).mkdir()  # cannot be read as a file
    (folder / no_picture.name).write_bytes(b"no picture")
    written = export_to(record, match_id, stick, "J")
    assert written.told.endswith(
        "log, protocol, page, score sheet, 2 pictures; 1 picture could not be read"
    )
    told = (written.folder / "match.html").read_text("utf-8")
    assert f'href="{no_picture.name}"' in told


# What people read.


def test_the_score_sheet_is_written_beside_the_log(
    record: Record, match_id: str, stick: Path
) -> None:
    """One page, with everybody's name and a line for the arbiter; the one that `sheet` prints."""
    home = export_to(record, match_id, stick, "J").folder
    document = pypdfium2.PdfDocument(home / "sheet.pdf")
    assert len(document) == 1
    told = document[0].get_textpage().get_text_range()
    assert "Arbiter" in told
    assert "Bo" in told
    assert match_id in told


def test_the_page_needs_nothing_but_itself(record: Record, match_id: str, stick: Path) -> None:
    """Its picture is in it, its cites lead to paragraphs in it, its links to files beside it."""
    home = export_to(record, match_id, stick, "J").folder
    found = Page((home / "match.html").read_text("utf-8")).found
    assert [source[:23] for source in found["src"]] == ["data:image/jpeg;base64,"]
    assert "#JP-3.5" in found["href"]
    for link in found["href"]:
        assert link[1:] in found["id"] if link.startswith("#") else (home / link).is_file()


def test_the_text_tells_the_dispute_the_undone_line_the_rules_and_the_score(
    record: Record, match_id: str, stick: Path
) -> None:
    home = export_to(record, match_id, stick, "J").folder
    text = (home / "protocol.txt").read_text("utf-8")
    for words in (
        r"^Challenge 1, by Paws, line \d+, of line 2: .*",
        r"^ +Claim of Paws: It stood on <b>PL</b>\.$",
        r"^ +Decided by .+, line \d+: what was ruled stands\.$",
        r"^ +~ Taken back by line \d+ \(.*: misheard\.$",
        r"^JP-3\.5  .+: .+",
        r"^-- Round 1 --$",
        r"Deck \d+, .*hand",
    ):
        assert re.search(words, text, re.MULTILINE | re.IGNORECASE), words


def test_what_is_taken_along_is_what_the_terminal_shows(
    record: Record, match_id: str, stick: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One maker: `show --out` writes the same text, but for where its pictures lie."""
    home = export_to(record, match_id, stick, "J").folder
    out = tmp_path / "shown.txt"
    assert run(["show", "last", "--record", str(tmp_path / "record.db"), "--out", str(out)]) == 0
    shown = out.read_text("utf-8").splitlines()
    lies = [row for row in shown if row.startswith("  Its evidence lies in")]
    assert len(lies) == 1
    assert [row for row in shown if row not in lies] == (
        (home / "protocol.txt").read_text("utf-8").splitlines()
    )


def test_a_page_of_very_many_pictures_stays_small(
    record: Record, match_id: str, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those after the first so many are links."""
    monkeypatch.setattr(protocol, "MOST_PICTURES", 1)
    folder = record.evidence(match_id)
    later = EvidenceFile(5, Occasion.REVEAL, EvidencePart.AT, ANA.at_utc)
    (folder / later.name).write_bytes((folder / PICTURE.name).read_bytes())
    home = export_to(record, match_id, stick, "J").folder
    found = Page((home / "match.html").read_text("utf-8")).found
    assert len(found["src"]) == 1
    assert {PICTURE.name, later.name} <= {*found["href"]}


# -- kept pictures -------------------------------------------------------------------------------


def kept(folder: Path, told: str) -> Path:
    """A folder as *Keep pictures* leaves it, with looks beside the table's file."""
    (folder / "looks").mkdir(parents=True)
    (folder / "told.jsonl").write_text(told, "utf-8")
    (folder / "looks" / "sun.png").write_bytes(b"a look")
    (folder / "000000.png").write_bytes(b"a picture")
    return folder


def test_kept_pictures_come_onto_the_stick_once(tmp_path: Path, stick: Path) -> None:
    """Whole, for whoever opens it; what is there already is let be."""
    one, other = kept(tmp_path / "kept-1", "of today"), kept(tmp_path / "kept-2", "of today, too")
    assert take_along([one], [stick]) == stick.name
    (stick / "kept-1" / "000000.png").write_bytes(b"looked at and turned")
    take_along([one, other], [stick])
    assert (stick / "kept-1" / "000000.png").read_bytes() == b"looked at and turned"
    assert (stick / "kept-2" / "looks" / "sun.png").read_bytes() == b"a look"
    assert (stick / "kept-2" / "looks").stat().st_mode & 0o755 == 0o755
    assert sorted(path.name for path in stick.iterdir()) == ["kept-1", "kept-2"]


def test_another_tables_pictures_of_that_name_stay_on_the_stick(
    tmp_path: Path, stick: Path
) -> None:
    """Two tables of a club keep their first pictures of a day under one name."""
    kept(stick / "kept-1", "of the other table")
    own = kept(tmp_path / "kept-1", "of this table")
    for _ in range(2):
        take_along([own], [stick])
    told = {path.name: (path / "told.jsonl").read_text("utf-8") for path in stick.iterdir()}
    assert told == {"kept-1": "of the other table", "kept-1-2": "of this table"}


def test_a_stick_that_takes_no_pictures_is_told_and_gets_none(
    tmp_path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pulled out, full in the middle, a folder that went away: no half of a folder stays there."""
    own = kept(tmp_path / "kept-1", "of today")
    assert take_along([own], []) == ""
    gone = tmp_path / "gone"
    with pytest.raises(BadCall, match=f"^gone: {re.escape(export.GONE)}"):
        take_along([own], [gone])

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(export, "_write", full)
    with pytest.raises(BadCall, match=f"^{stick.name}: {export.FULL}"):
        take_along([own], [stick])
    assert list(stick.iterdir()) == []


def test_a_challenge_is_told_with_the_reasons_of_its_beginning_and_its_end(
    record: Record,
) -> None:
    """Whoever reads that part alone knows what was meant, who decided and why."""
    match = Match[Any].start(Setup("talespin-dogfight"), ANA)
    by = Stamp("Eve", "2026-11-21T20:00:00Z", 1.0)
    match.note_clock("", {"event": "challenged", "by": "A"}, by, "it lay upside down")
    match.note_clock("", {"event": "decided", "by": "A", "verdict": "stands"}, by, "the film")
    made = record.create(match.setup, ANA)
    record.append(made, match.entries)
    printed = protocol.Printed(
        record.load(made), read_protocol(match.entries, protocol.time_of_day)
    )
    told = [row.text for row in printed.disputes()]
    assert told == [
        "Challenge 1, by Player A, line 1. Reason: it lay upside down",
        "        Decided by Eve, line 2: what was ruled stands. Reason: the film",
    ]
