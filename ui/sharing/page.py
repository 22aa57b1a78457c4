"""One match as one HTML file: a scrubber over its log, with everything in it and nothing elsewhere.

It opens in any browser without a network. The log itself lies in it, so that `companion import`
takes the page back in and verifies it: what the page shows is told for people, what counts is that
log. No script but the page's own can run in it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.text import counted
from companion.record.evidence import EvidenceFile, EvidencePart
from companion.record.file import log_in_html
from ui.sharing.course import BEFORE, Course, DrawnBoards
from ui.sharing.page_pen import colours_css
from ui.table import protocol

if TYPE_CHECKING:
    from companion.referee.protocol import ProtocolLine

MOST_PICTURE_BYTES = 8_000_000
"""Pictures after these are named, not shown: a page is sent by mail."""
MATCH_S_PER_MIN = 60
_STEP_KEYS = (
    "Arrow keys step through the log, with Shift round by round; a touch on a line goes there."
)


def page_of(
    printed: protocol.Printed, log: str, thumbnail: protocol.Thumbnail, *, beside: bool = False
) -> str:
    """The page of a match; `log` is its exported file, word for word.

    Where its pictures lie `beside` it, each small one leads to its file.
    """
    course = Course.of(printed.loaded.entries)
    title = escape(protocol.shown(printed.title))
    body = "\n".join(_Body(printed, course, thumbnail, beside=beside).parts())
    data = "" if course is None else _data_of(course, printed)
    script = "" if course is None else f"<script>{_file('page.js')}</script>"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{colours_css()}{_file('page.css')}</style></head>\n"
        f"<body>\n{body}\n{data}{log_in_html(log)}\n{script}</body></html>\n"
    )


@cache
def _file(name: str) -> str:
    """A file of this room, as it stands in every page."""
    return Path(__file__).with_name(name).read_text("utf-8")


@cache
def _policy() -> str:
    """Nothing is loaded from anywhere, and no script runs but this room's own."""
    own = b64encode(sha256(_file("page.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{own}'"
    )


def as_data(name: str, said: object) -> str:
    """Something for the page's script to read; whatever names hold, it ends no element."""
    text = json.dumps(said, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def _data_of(course: Course, printed: protocol.Printed) -> str:
    """Boards by the numbers of their parts, and of each line its board and what everybody has."""
    said: dict[str, int] = {}
    steps = [
        [moment.seq, moment.board, [said.setdefault(words, len(said)) for words in moment.score]]
        for moment in course.moments
    ]
    rounds = _rounds(course, printed)
    told = {"steps": steps, "rounds": rounds, "boards": course.drawn.boards, "said": [*said]}
    return as_data("course", told)


def _rounds(course: Course, printed: protocol.Printed) -> Sequence[str]:
    """The round or turn that each line stands in; what names none stands in the one before."""
    of_line = {line.entry.seq: printed.round_of(line) for line in printed.protocol.lines}
    place, rounds = "", list[str]()
    for moment in course.moments:
        place = of_line.get(moment.seq, "") or place
        rounds.append(place)
    return rounds


class _Body:
    """What a reader sees, part by part."""

    def __init__(
        self,
        printed: protocol.Printed,
        course: Course | None,
        thumbnail: protocol.Thumbnail,
        *,
        beside: bool,
    ) -> None:
        self._printed, self._course, self._beside = printed, course, beside
        self._known = {one.rule for one in printed.cited()}
        self._boards = {} if course is None else {one.seq: one.board for one in course.moments}
        self._small = _pictures(printed.kept, thumbnail)

    def parts(self) -> Iterator[str]:
        drawn = None if self._course is None else self._course.drawn
        if drawn is not None:
            yield f'<svg class="store" aria-hidden="true">{drawn.definitions()}</svg>'
        yield f"<header>{''.join(self._head())}</header>\n<main>"
        if drawn is not None:
            yield _view(drawn)
        yield '<section aria-label="Log"><h2>The log, line by line</h2>\n<ol class="lines">'
        yield from self._lines()
        yield "</ol>"
        if self._printed.numbers is None:
            for row in (*self._printed.disputes(), *self._printed.end()):
                yield self._said(row)
        yield "</section></main>"
        words = "\n".join(
            f'<dt id="{escape(one.rule)}">{escape(one.rule)} · '
            f"{escape(protocol.shown(one.heading))}</dt>"
            f"<dd>{escape(protocol.shown(one.text))}</dd>"
            for one in self._printed.cited()
        )
        if words:
            yield f"<section><h2>{protocol.CITED}</h2>\n<dl>{words}</dl></section>"

    def _head(self) -> Iterator[str]:
        printed = self._printed
        yield f"<p class=small>{escape(protocol.shown(printed.title))}</p>"
        yield f"<h1>{escape(protocol.shown(printed.result))}</h1>"
        for row in printed.head():
            if row.style != "bold" and row.text.strip() != protocol.LEGEND:
                yield f'<p class="small">{self._cited(row.text.strip())}</p>'
        for trouble in printed.troubles:
            yield f'<p class="trouble">{escape(protocol.shown(trouble))}</p>'
        lines = counted(len(printed.loaded.entries), "line")
        kept = f"The log, {lines}, lies in this page: <code>companion import</code> takes it in"
        yield f'<p class="small">{kept} and verifies every seal and the signature.</p>'
        yield f'<p class="small how">{_STEP_KEYS}</p>'

    def _lines(self) -> Iterator[str]:
        yield '<li class="line" id="line-0"><button type="button" class="head">'
        yield '<span class="no">0</span> The match is set up.</button></li>'
        place = ""
        for line in self._printed.lines:
            now = self._printed.round_of(line)
            if now and now != place:
                place = now
                yield f"<li><h3>{escape(now)}</h3>{self._then(line)}</li>"
            yield self._line(line)

    def _then(self, line: ProtocolLine) -> str:
        """The board as that round began, for paper."""
        return self._drawn(line.entry.seq - 1, "as it begins")

    def _drawn(self, seq: int, told: str) -> str:
        """The board as it stood after a line, for paper: there is no scrubber on it."""
        board = self._boards.get(seq)
        if board is None or self._course is None:
            return ""
        drawn = self._course.drawn
        return (
            f'<figure class="then"><svg class="board" viewBox="{drawn.view_box}" '
            f'aria-hidden="true">{drawn.uses(board)}</svg>'
            f"<figcaption>Line {seq}, {told}</figcaption></figure>"
        )

    def _line(self, line: ProtocolLine) -> str:
        entry = line.entry
        minutes, seconds = divmod(entry.match_s, MATCH_S_PER_MIN)
        asked = (
            f'<span class="asked">{escape(protocol.shown(line.asked))} — </span>'
            if line.asked
            else ""
        )
        reason = f" Reason: {entry.reason}" if entry.reason else ""
        played = f"{minutes:.0f}:{seconds:04.1f}"
        parts = (line.who, line.source, protocol.time_of_day(entry.at_utc), played)
        by = " · ".join(filter(None, parts))
        head = (
            f'<button type="button" class="head"><span class="no">{entry.seq}</span> {asked}'
            f'<span class="told">{escape(protocol.shown(line.told + reason))}</span> '
            f'<span class="by">{escape(protocol.shown(by))}</span></button>'
        )
        gone = "" if line.in_effect else " gone"
        more = "".join(self._said(row) for row in list(protocol.rows_of(line))[1:])
        figures = "".join(
            protocol.picture_in_html(file, self._small.get(file), beside=self._beside)
            for file in self._printed.kept
            if file.seq == entry.seq
        )
        if self._printed.numbers is not None and self._moves(entry.seq):
            figures += self._drawn(entry.seq - 1, "before") + self._drawn(entry.seq, "after")
        return f'<li class="line{gone}" id="line-{entry.seq}">{head}{more}{figures}</li>'

    def _moves(self, seq: int) -> bool:
        return self._boards.get(seq) != self._boards.get(seq - 1)

    def _said(self, row: protocol.PrintedLine) -> str:
        within = "told-more" if row.text.startswith(" ") else ""
        named = f"{row.style} {within}".strip()
        return f'<p class="{named}">{self._cited(row.text.strip())}</p>'

    def _cited(self, text: str) -> str:
        return protocol.linked_cites(escape(protocol.shown(text)), self._known)


def _view(drawn: DrawnBoards) -> str:
    """The board, the scrubber, what everybody has, and the line itself with its paragraphs."""
    keys = "".join(
        f'<button type="button" id="{name}"{far} aria-label="{told}">{_sign(name)}</button>'
        for name, told, far in (
            ("first", "Round before", ' class="far"'),
            ("back", "Line before", ""),
            ("play", "Play", ""),
            ("on", "Next line", ""),
            ("last", "Next round", ' class="far"'),
        )
    )
    slider = '<input type="range" id="slider" min="0" value="0" aria-label="Line of the log">'
    return (
        '<section id="view" aria-label="Board and score"><div class="board-now">'
        f'<figure><svg class="board" id="board" role="img" aria-labelledby="where" '
        f'viewBox="{drawn.view_box}">{drawn.uses(0)}</svg>'
        '<figcaption><span id="where" role="status">Line 0</span>'
        f' <span class="small">· dashed: {BEFORE}</span></figcaption></figure>'
        f'<div id="controls" hidden>{keys}{slider}</div></div>'
        '<div><ul id="score" aria-label="What everybody has"></ul>'
        '<div id="now" aria-label="This line"></div></div></section>'
    )


_SIGNS = {
    "first": "M2 2V18H5V2ZM18 2L6 10L18 18Z",
    "back": "M15 2L4 10L15 18Z",
    "play": "M5 2L17 10L5 18Z",
    "on": "M5 2L16 10L5 18Z",
    "last": "M2 2L14 10L2 18ZM15 2V18H18V2Z",
}
"""The keys of the scrubber, 20 by 20; no font is sure to have them."""


def _sign(name: str) -> str:
    shape = _SIGNS[name]
    if name in ("back", "on"):  # a line at its end: one step
        shape += "M1 2V18H3V2Z" if name == "back" else "M17 2V18H19V2Z"
    paths = f'<path d="{shape}"/>'
    if name == "play":
        paths = f'<path class="when-still" d="{shape}"/>'
        paths += '<path class="when-playing" d="M3 2V18H8V2ZM12 2V18H17V2Z"/>'
    return f'<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">{paths}</svg>'


def _pictures(
    kept: Sequence[EvidenceFile], thumbnail: protocol.Thumbnail
) -> Mapping[EvidenceFile, bytes]:
    """As many as a page that is sent by mail may hold, the first ones first."""
    small: dict[EvidenceFile, bytes] = {}
    size = 0
    for file in kept[: protocol.MOST_PICTURES]:
        picture = None if file.part is EvidencePart.CLIP else thumbnail(file)
        if picture is not None and size + len(picture) <= MOST_PICTURE_BYTES:
            small[file] = picture
            size += len(picture)
    return small
