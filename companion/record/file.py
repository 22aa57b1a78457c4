"""A match as a file of JSON lines, which any record takes in and anybody can read.

Each line is `{"chain": …, "line": …}`, sealed as in the record. First comes what the file is, then
the log, then what the match ended with if it has, then the number of lines. So a line that was
changed, is missing or was cut off is found and named.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadFile
from companion.core.files import text_of, written
from companion.record.lines import UNSEALED, StoredLine, json_object, read_closing, read_entry, seal
from companion.record.salvage import MATCH_ID
from companion.record.signing import CHANGED, UNSIGNED, Signature

if TYPE_CHECKING:
    from companion.core.ruling import Json

FILE_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Export:
    """What a file holds: the match's id, its rows, and the row it ended with."""

    match_id: str
    rows: tuple[StoredLine, ...]
    closing: StoredLine | None = None
    signature: Signature | None = None
    damage: BadFile | None = None
    """What is wrong with the line after these, where only the good part was asked for."""

    @property
    def signed(self) -> str:
        """By whom it is signed, that it is not, or that it was changed after signing."""
        if self.signature is None or self.closing is None:
            return UNSIGNED
        return str(self.signature) if self.signature.holds(self.closing.chain) else CHANGED


def write_export(
    match_id: str,
    rows: Sequence[StoredLine],
    closing: StoredLine | None,
    signature: Signature | None = None,
) -> str:
    """The file of a match, its last line ended too."""
    about = written({"format": FILE_FORMAT, "match": match_id})
    said: dict[str, Json] = {"lines": len(rows), "match": match_id}
    end = written(said if signature is None else {**said, "signed": {**signature.to_json()}})
    last = closing or rows[-1]
    return "".join(
        f'{{"chain":"{row.chain}","line":{row.line}}}\n'
        for row in (
            StoredLine(0, about, seal(UNSEALED, about)),
            *rows,
            *([closing] if closing is not None else []),
            StoredLine(0, end, seal(last.chain, end)),
        )
    )


def read_export(path: Path, *, good_part: bool = False) -> Export:
    """Read and verify an exported match; BadFile names the first line that was changed.

    With `good_part` the lines before that one are returned, as long as one is the set-up.
    """
    lines = _Lines(path)
    match_id = lines.about()
    rows: list[StoredLine] = []
    closing: StoredLine | None = None
    try:
        closing = lines.log(match_id, rows)
    except BadFile as damage:
        if not (good_part and rows):
            raise
        return Export(match_id, tuple(rows), damage=damage)
    return Export(match_id, tuple(rows), closing, lines.signature)


# A page for people that has the log in it.

_LOG_ID = "match-log"
_IN_PAGE = re.compile(rf'<pre\b[^>]*\bid="{_LOG_ID}"[^>]*>(.*?)</pre>', re.DOTALL)
_BEGUN_IN_PAGE = re.compile(rf'<pre\b[^>]*\bid="{_LOG_ID}"')
_PAGE = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)


def log_in_html(text: str) -> str:
    """An exported file as an element of a page; none of it can end that element.

    >>> log_in_html('{"a": "</pre>"}')
    '<pre id="match-log" hidden>{"a": "&lt;/pre&gt;"}</pre>'
    """
    return f'<pre id="{_LOG_ID}" hidden>{html.escape(text, quote=False)}</pre>'


def log_of_html(page: str, source: str) -> str:
    """The exported file in a page, word for word; BadFile where the page has none, or two."""
    found = _IN_PAGE.findall(page)
    if not found and _BEGUN_IN_PAGE.search(page):
        raise BadFile(source, "", "this page is cut off within its log; fetch it once more, whole")
    if len(found) != 1:
        many = "more than one log" if found else "no log of a match"
        raise BadFile(source, "", f"this page has {many} in it; `companion page` writes one")
    return html.unescape(found[0])


def _is_page(text: str) -> bool:
    return _PAGE.match(text) is not None


MOST_BYTES_OF_A_MATCH = 512 << 20
"""A page with the pictures of a long evening has some tens of megabytes."""


_NO_TEXT = "this is no text; no line was taken"
_RECORD = "this is a whole record: --record opens it, `companion sync` carries its matches here"
_UTF_16 = "this is text as UTF-16; save it as UTF-8, or export it with --out FILE"
_KNOWN = (
    (b"SQLite format 3", _RECORD),
    (codecs.BOM_UTF16_LE, _UTF_16),
    (codecs.BOM_UTF16_BE, _UTF_16),
)
"""What is no text of ours, by how it begins; consoles that redirect may write UTF-16."""


class _Lines:
    """The lines of a file under way: their numbers as an editor counts, and the last seal."""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        try:
            text = text_of(path, MOST_BYTES_OF_A_MATCH)
        except UnicodeDecodeError as error:
            known = next((told for begins, told in _KNOWN if error.object.startswith(begins)), "")
            place = "" if known else f"byte {error.start}"
            raise BadFile(self.source, place, known or _NO_TEXT) from error
        except OSError as error:
            raise BadFile(self.source, "", f"cannot be read: {error.strerror}") from error
        if _is_page(text):
            self.source = f"{path}, the log in it"
            text = log_of_html(text, str(path))
        if not text.strip():
            raise BadFile(self.source, "", "the file is empty; `companion export` writes one")
        self.texts = text.splitlines()
        self.number = 0
        self.before = UNSEALED
        self.signature: Signature | None = None

    def about(self) -> str:
        """Read what the file is; the id of its match."""
        said = self._next()
        if "format" not in said:
            raise self._wrong("this is no exported match; `companion export` writes one")
        if said["format"] != FILE_FORMAT:
            raise self._wrong(f"format {said['format']!r} is a newer companion's; update this one")
        match_id = said.get("match")
        if not isinstance(match_id, str) or not MATCH_ID.fullmatch(match_id):
            raise self._wrong(f"{match_id!r} is no match's id: ten figures 0 to f")
        self.before = UNSEALED  # the log is sealed from its own first line
        return match_id

    def log(self, match_id: str, rows: list[StoredLine]) -> StoredLine | None:
        """Read the log into `rows`, and what it ended with, down to the file's last line."""
        closing: StoredLine | None = None
        while True:
            said = self._next()
            line = written(said)
            if "lines" in said and "match" in said:
                self._end(match_id, said, len(rows))
                return closing
            if closing is not None:
                raise self._wrong("nothing but the number of lines follows a closing")
            if "closing" in said:
                closing = self._closing(line, len(rows))
            else:
                rows.append(self._entry(line, len(rows)))

    def _entry(self, line: str, expected: int) -> StoredLine:
        try:
            entry = read_entry(line, self.before)
        except (ValueError, RecursionError) as error:
            raise self._wrong(f"{_why(error)}; it is a newer companion's, or no log") from error
        if entry.seq != expected or (entry.seq == 0) != (entry.kind == "setup"):
            raise self._wrong(f"line {expected} of the log belongs here, not {entry.seq}")
        return StoredLine(entry.seq, line, self.before)

    def _closing(self, line: str, count: int) -> StoredLine:
        try:
            lines = read_closing(line)[1]
        except (ValueError, RecursionError) as error:
            raise self._wrong(_why(error)) from error
        if lines != count:
            raise self._wrong(f"it closes {lines} lines, the file has {count}")
        return StoredLine(count, line, self.before)

    def _end(self, match_id: str, said: dict[str, Any], count: int) -> None:
        if said["match"] != match_id or said["lines"] != count or not count:
            raise self._wrong("the number of lines or the match is not what line 1 and the log say")
        self.signature = Signature.read(said.get("signed"))
        if self.number < len(self.texts):
            self.number += 1
            raise self._wrong("the file has ended before this line")

    def _next(self) -> dict[str, Any]:
        """What the next line says, proved by its seal."""
        self.number += 1
        if self.number > len(self.texts):
            raise self._wrong("the file is cut off here: its last lines are missing")
        try:
            whole = json_object(self.texts[self.number - 1])
            line = written(whole["line"])
            said = json_object(line)
            chain = whole["chain"]
        except (ValueError, KeyError, RecursionError) as error:
            raise self._wrong(f"this is no line of an exported match: {_why(error)}") from error
        if chain != seal(self.before, line):
            raise self._wrong("this line was changed, or one before it is missing")
        self.before = chain
        return said

    def _wrong(self, text: str) -> BadFile:
        return BadFile(self.source, f"line {self.number}", text)


def _why(error: ValueError | KeyError | RecursionError) -> str:
    """Why a line could not be read, for whoever has it in an editor."""
    match error:
        case JSONDecodeError():
            return f"it breaks off or goes wrong at column {error.colno}"
        case RecursionError():
            return "lists or objects lie too deep in one another"
        case KeyError():
            return f"it lacks {error.args[0]!r}"
        case _:
            too_long = str(error).startswith("Exceeds the limit")  # of an int() of thousands
            return "a number has too many digits to be read" if too_long else str(error)
