"""The page of a match: safe to open, whole, read back as it was, and looked at in a browser."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest

from companion.core.errors import BadFile
from companion.core.offers import Stamp
from companion.games import RULEBOOKS, find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out, played_out
from companion.record.file import read_export
from companion.record.keeping import sealed
from companion.record.record import Record
from tests.ui.sharing.browser import ABSENT, CHROMIUM, Browser
from tests.ui.sharing.conftest import CRUEL, GOLDEN, PICTURE
from ui.sharing.course import Course
from ui.table.protocol import linked_cites
from ui.terminal.app import run

LONG = GOLDEN / "dogfight-1917-edition-3-entente-vs-central-powers-1.jsonl"
MATCHES = (
    "dogfight-1917-edition-3-arbiter", "dogfight-hex-edition-2-together-1",
    "jaws-and-paws-edition-2-five-players", "starship-edition-edition-3-six-1",
    "talespin-dogfight-edition-2-unwritten",
)  # fmt: skip


def page_at(record: Record, match_id: str, out: Path) -> str:
    """What `companion page` writes."""
    run(["page", match_id, "--out", str(out), "--record", record.name])
    return out.read_text("utf-8")


class Tags(HTMLParser):
    """Every element of a page, and each place that it names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("name", MATCHES)
def test_a_page_is_taken_back_in_as_it_was(record: Record, tmp_path: Path, name: str) -> None:
    """Log, seals and signature come out of it word for word."""
    source = GOLDEN / f"{name}.jsonl"
    taken = record.import_file(source)
    out = tmp_path / "page.html"
    page_at(record, taken.match_id, out)
    assert read_export(out).rows == read_export(source).rows
    with Record.open(tmp_path / "other.db") as other:
        again = other.import_file(out)
        assert (again.is_new, again.signed) == (True, taken.signed)
        assert other.export(again.match_id) == record.export(taken.match_id)


def test_a_page_that_a_browser_saved_anew_is_taken_in(
    record: Record, disputed: str, tmp_path: Path
) -> None:
    """It writes attributes and entities in ways of its own."""
    text = page_at(record, disputed, tmp_path / "page.html")
    saved = text.replace('id="match-log" hidden>', 'hidden="" class="x" id="match-log">')
    (tmp_path / "saved.html").write_text(f"\n{saved}".replace("&gt;", ">"), "utf-8")
    rows = read_export(tmp_path / "page.html").rows
    assert read_export(tmp_path / "saved.html").rows == rows


@pytest.mark.parametrize("change", ["Bo", '"seq":7', '{"chain"', "&lt;"])
def test_a_log_that_was_changed_in_a_page_is_named(
    record: Record, disputed: str, tmp_path: Path, change: str
) -> None:
    """The page's own words count for nothing; its log is sealed."""
    text = page_at(record, disputed, tmp_path / "page.html")
    start = text.index('<pre id="match-log"')
    at = text.index(change, start)
    (tmp_path / "forged.html").write_text(f"{text[:at]}x{text[at + 1 :]}", "utf-8")
    with pytest.raises(BadFile, match="the log in it"):
        read_export(tmp_path / "forged.html")


SMALL = (
    "dogfight-1917-edition-3-arbiter", "dogfight-hex-edition-2-leaving",
    "jaws-and-paws-edition-2-arbiter", "starship-edition-edition-3-all-kinds",
    "talespin-dogfight-edition-2-giving-up",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_change_of_the_log_in_a_page_goes_unseen(
    record: Record, tmp_path: Path, memory: Path, name: str
) -> None:
    """Every byte once, cut tails, swapped lines: refused, or read back as the same match.

    The same: after the log, in the tag before it, and one blank or line end for another.
    """
    page_at(record, record.import_file(GOLDEN / f"{name}.jsonl").match_id, tmp_path / "page.html")
    raw, chance, torn = (tmp_path / "page.html").read_bytes(), Random(name), memory / "torn.html"
    right = read_export(tmp_path / "page.html")
    start = raw.index(b'<pre id="match-log"')
    end = raw.index(b"</pre>", start)

    def is_same(changed: bytes) -> bool:
        torn.write_bytes(changed)
        try:
            assert replace(read_export(torn), damage=None) == right
        except BadFile:
            return False
        return True

    changed = (
        raw[:at] + bytes([raw[at] ^ chance.randint(1, 255)]) + raw[at + 1 :]
        for at in range(start, end)
    )
    assert sum(map(is_same, changed)) < 10
    for _ in range(100):
        assert not is_same(raw[: chance.randrange(end)])
        lines = raw[start:end].splitlines(keepends=True)
        one, two = chance.sample(range(1, len(lines) - 1), 2)
        lines[one], lines[two] = lines[two], lines[one]
        assert not is_same(raw[:start] + b"".join(lines) + raw[end:])


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(1, 200)
@pytest.mark.parametrize("box", sorted(RULEBOOKS))
def test_a_random_match_is_the_same_after_its_way_through_a_page(
    record: Record, tmp_path: Path, box: str, seed: int
) -> None:
    """From JSON lines to a page and back: the same lines, digests, end and position."""
    rulebook = find_rulebook(box)
    setup = Setup(rulebook.box, rulebook.usual(()))
    match = Match[Any].start(setup, Stamp("bots", "2026-11-21T19:00:00.000Z", 0.0))
    played_out(match, Random(seed))
    match_id = record.take(sealed(match)).match_id
    out, lines = tmp_path / "page.html", tmp_path / "match.jsonl"
    page_at(record, match_id, out)
    lines.write_text(record.export(match_id), "utf-8")
    assert read_export(out).rows == read_export(lines).rows
    with Record.open(tmp_path / "other.db") as other:
        again = other.import_file(out).match_id
        assert other.export(again) == record.export(match_id)
        replayed = Match[Any].replay(other.load(again).entries)
    assert replayed.entries[-1].digest == match.entries[-1].digest
    assert replayed.position.digest() == match.position.digest()


@pytest.mark.parametrize("box", sorted(RULEBOOKS))
def test_whatever_a_box_cites_leads_to_its_paragraph(box: str) -> None:
    """However the box numbers its rules: JP-9.3, HX-MOV-02, SE-R04."""
    known = find_rulebook(box).paragraphs()
    assert known
    for rule in known:
        told = linked_cites(f"Ana moves. [{rule}, RULING 0]", known)
        assert f'[<a href="#{rule}">{rule}</a>, RULING 0]' in told


def test_a_page_without_a_log_says_so(tmp_path: Path) -> None:
    for n, text in enumerate(("<!doctype html><p>Hello", "<html><pre id=match-log></pre>")):
        path = tmp_path / f"{n}.html"
        path.write_text(text, "utf-8")
        with pytest.raises(BadFile, match="no log of a match in it"):
            read_export(path)


def test_a_page_that_was_cut_off_says_so(record: Record, disputed: str, tmp_path: Path) -> None:
    """As a download that broke off: within the log, no line of which is taken."""
    path = tmp_path / "page.html"
    text = page_at(record, disputed, path)
    begins = text.index('<pre id="match-log"')
    path.write_text(text[: begins + 2000], "utf-8")
    with pytest.raises(BadFile, match="cut off within its log"):
        read_export(path)


def test_a_cruel_name_opens_nothing(record: Record, disputed: str, tmp_path: Path) -> None:
    """Two scripts, the page's own; nothing leads out of it, nothing is loaded."""
    text = page_at(record, disputed, tmp_path / "page.html")
    tags = Tags(text).found
    assert [attrs.get("type") for tag, attrs in tags if tag == "script"] == [
        "application/json",
        None,
    ]
    places = [attrs[name] or "" for _, attrs in tags for name in ("href", "src") if name in attrs]
    assert all(place.startswith(("#", "data:image/jpeg;base64,")) for place in places)
    assert not any(name.startswith("on") for _, attrs in tags for name in attrs)
    ids = {attrs["id"] for _, attrs in tags if "id" in attrs}
    assert {place[1:] for place in places if place.startswith("#")} <= ids
    assert text.count("data:image/jpeg;base64,") == 1, PICTURE
    assert CRUEL not in text


@pytest.mark.slow
def test_a_page_takes_time_by_its_lines_and_not_by_their_square() -> None:
    """Twice as many lines: about twice the work of drawing and telling them."""
    setup = Setup("dogfight-1917", ("base",), {}, {})

    def spent(lines: int) -> float:
        match = Match[Any].start(setup, Stamp("", "2026-11-21T19:00:00Z", 0.0))
        play_out(match, bots_of(setup, Random(3)), lines)
        before = time.process_time()
        Course.of(match.entries)
        return time.process_time() - before

    spent(20)
    few, many = (min(spent(lines) for _ in range(3)) for lines in (40, 160))
    assert many < 4 * 2.5 * few


@pytest.mark.slow
def test_a_long_page_is_no_larger_than_a_mail_takes(record: Record, tmp_path: Path) -> None:
    """467 lines of four fighters; a board is drawn once, however often it stood."""
    taken = record.import_file(LONG)
    text = page_at(record, taken.match_id, tmp_path / "page.html")
    assert len(text) < 700_000
    assert len(re.findall(r'<g id="part-', text)) < 400


# In a browser, with no network.

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason=ABSENT)


@needs_chromium
def test_a_page_is_scrubbed_by_keys_mouse_and_touch(
    record: Record, disputed: str, tmp_path: Path
) -> None:
    """In headless Chromium, which reaches nothing but the file itself."""
    out = tmp_path / "page.html"
    page_at(record, disputed, out)
    last = len(record.load(disputed).entries) - 1
    where = "document.getElementById('where').textContent"
    with Browser(tmp_path / "browser") as browser:
        browser.open(out.as_uri(), (1280, 800))
        assert browser.ask(where).startswith(f"Line 0 of {last}")
        browser.press("ArrowRight")
        browser.press("ArrowRight")
        assert browser.ask(where).startswith("Line 2 of")
        browser.press("End")
        assert browser.ask(where).startswith(f"Line {last} of")
        board = browser.ask("document.getElementById('board').innerHTML")
        browser.press("Home")
        assert browser.ask("document.getElementById('board').innerHTML") != board
        x, y = browser.ask(
            "(r => [r.x + r.width / 2, r.y + r.height / 2])"
            "(document.getElementById('slider').getBoundingClientRect())"
        )
        browser.click(x, y)
        assert abs(int(browser.ask("document.getElementById('slider').value")) - last / 2) <= 2
        browser.resize((390, 844))
        middle = "(r => [r.x + r.width / 2, r.y + 9])"
        browser.ask("document.querySelector('#line-6').scrollIntoView()")
        line = "document.querySelector('#line-6').getBoundingClientRect()"
        browser.touch(*browser.ask(f"{middle}({line})"))
        assert browser.ask(where).startswith("Line 6 of")
        assert browser.ask("document.title").startswith("Match ")
        assert browser.ask("document.documentElement.scrollWidth <= innerWidth")
        assert browser.loaded == [out.as_uri()] or all(
            url.startswith(("file:", "data:")) for url in browser.loaded
        )
        assert not browser.said
        picture = cv2.imread(str(browser.picture(tmp_path / "page.png")))
        assert picture is not None
        assert picture.std() > 10


@pytest.mark.slow
@needs_chromium
def test_a_page_prints_as_a_protocol(record: Record, disputed: str, tmp_path: Path) -> None:
    """Every line is on paper, keys are not."""
    import pypdfium2

    out = tmp_path / "page.html"
    page_at(record, disputed, out)
    with Browser(tmp_path / "browser") as browser:
        browser.open(out.as_uri())
        paper = pypdfium2.PdfDocument(browser.printed(tmp_path / "page.pdf"))
    words = "".join(page.get_textpage().get_text_bounded() for page in paper)
    assert "The log, line by line" in words
    assert "Arrow keys" not in words
    assert "Line 0 of" not in words
