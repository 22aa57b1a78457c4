"""`companion show`, `replay`, `export`, `import` and `learned`: one match of the record."""

from __future__ import annotations

import contextlib
import json
import json as json_text
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import tomli_w
import typer
from rich.console import Console

from companion.core.errors import BadCall, Drift
from companion.core.text import listed
from companion.games import find_rulebook
from companion.kit.figures import merged
from companion.match.entry import app_version
from companion.match.match import Match
from companion.record.file import read_export
from companion.record.lines import read_entry
from companion.referee.protocol import read_protocol
from ui.table.table import date_and_time, time_of_day
from ui.terminal.matches import begin_record, is_there, open_record
from ui.terminal.options import AsJson, MatchName, NewFile, RecordPlace
from ui.terminal.voice import notice_json, plain, result_in_words

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.match.entry import Entry
    from companion.match.rulebook import Rulebook, Switch
    from companion.record.evidence import EvidenceFile
    from companion.record.match import LoadedMatch
    from companion.record.record import Record
    from companion.referee.protocol import Protocol, ProtocolLine, ReadRuling


# Drift: which companion wrote a match that does not replay.


def why_drifted(drift: Drift, first: Entry) -> str:
    """The drift, who wrote the log and who reads it, and what can still be done.

    `first` is the log's set-up line, read as it stands: another version may have other fields.
    """
    said = first.answer if isinstance(first.answer, dict) else {}
    box, wrote = str(said.get("box", "")), str(said.get("app_version", ""))
    there, here = said.get("edition", 1), _edition_of(box)
    if (wrote, there) == (app_version(), here):
        why = f"Companion {wrote} wrote it, as this one is called: its rules were changed since"
        why += ", or these lines never followed from them"
    else:
        writer = f"companion {wrote}" if wrote else "a companion that left no version"
        why = f"Written by {writer} with edition {there} of {box}; this is companion "
        why += f"{app_version()} with edition {here}"
    return f"{drift}. {why}. Nothing is lost: `companion show` reads it, `export` keeps it."


def _edition_of(box: str) -> str | int:
    try:
        return find_rulebook(box).edition
    except BadCall:
        return "none"


# The protocol: for people on a console or in a file, and as JSON.

MATCH_S_PER_MIN = 60
LEGEND = (
    "Each line: its number, the time of day, minutes and seconds of play, what was asked — what "
    "was answered, and in brackets who, how, and the question's key. » is a ruling with its rule; "
    "~ says what became of a line later."
)
"""How a protocol is read; it stands at its head."""


class PrintedLine(NamedTuple):
    """One printed line: its words, and how a console has them."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Printed:
    """A match of the record with its protocol and the evidence files kept with it."""

    loaded: LoadedMatch
    protocol: Protocol
    kept: Sequence[EvidenceFile] = ()
    folder: Path | None = None

    @property
    def troubles(self) -> Sequence[str]:
        """What is wrong with the record, or with playing it once more."""
        drift = self.protocol.drift
        drifted = "" if drift is None else why_drifted(drift, self.loaded.entries[0])
        return [*self.loaded.troubles, *([drifted] if drifted else [])]

    def to_console(self, console: Console) -> None:
        """For people at a terminal."""
        for row in self._rows():
            console.print(plain(row.text), style=row.style, soft_wrap=True)

    def as_text(self) -> str:
        """For people, in a file: the same words."""
        return "".join(f"{row.text}\n" for row in self._rows())

    def as_json(self) -> str:
        """For programs: the match, its lines and its end, an object a line."""
        objects = (
            {"match": self._match_json()},
            *({"line": self._line_json(line)} for line in self.protocol.lines),
            {"end": self._end_json()},
        )
        return "".join(f"{json.dumps(said, ensure_ascii=False)}\n" for said in objects)

    # -- in words --------------------------------------------------------------------------

    def _rows(self) -> Iterator[PrintedLine]:
        yield from self._head()
        for line in self.protocol.lines:
            yield from rows_of(line)
            for file in self.kept:
                if file.seq == line.entry.seq:
                    at = time_of_day(file.at_utc)
                    yield PrintedLine(f"        Evidence: {file}, {at}: {file.name}", "cyan")
        yield from self._end()
        for trouble in self.troubles:
            yield PrintedLine(trouble, "red")

    def _head(self) -> Iterator[PrintedLine]:
        setup, first = self.loaded.setup, self.loaded.entries[0]
        box = " ".join((setup.box, *setup.variants))
        yield PrintedLine(
            f"Match {self.loaded.match_id}  {box}  {date_and_time(first.at_utc)}", "bold"
        )
        kept = f"its evidence lies in {self.folder}" if self.folder is not None else ""
        for told in (*self._people(), *self._house_rules(), self._editions(), kept, LEGEND):
            if told:
                yield PrintedLine(f"  {told}")

    def _people(self) -> Iterator[str]:
        """Who sat where: "At the table: Ana (Jaws Pilot, JP) and Bo (Jaws Gunner, JG)."."""
        titles, rulebook = self._titles()
        told: list[str] = []
        for seat in sorted(self.loaded.setup.seats, key=[*titles, *self.loaded.setup.seats].index):
            said = self.loaded.setup.seats[seat]
            name = rulebook.person(said) if rulebook is not None else said
            more = f"; {said}" if name != said else ""
            title = titles.get(seat, f"seat {seat}")
            code = "" if title.endswith(f" {seat}") else f", {seat}"
            told.append(f"{name} ({title}{code}{more})")
        if told:
            yield f"At the table: {listed(told)}."

    def _titles(self) -> tuple[Mapping[Seat, str], Rulebook[Any] | None]:
        match = self.protocol.match
        return ({}, None) if match is None else (match.rulebook.seats, match.rulebook)

    def _house_rules(self) -> Iterator[str]:
        """Each option that was set, what it does and the rule that it turns."""
        match = self.protocol.match
        switches: Mapping[str, Switch] = {} if match is None else match.rulebook.switches
        for name, value in self.loaded.setup.options.items():
            switch = switches.get(name)
            does = "" if switch is None else f": {switch.text} [{switch.cite}]"
            yield f"House rule {name}={value}{does}"

    def _editions(self) -> str:
        setup = self.loaded.setup
        if not setup.app_version:
            return ""
        by = f"companion {setup.app_version}"
        return f"Ruled by edition {setup.edition} of this box's rules in {by}."

    def _end(self) -> Iterator[PrintedLine]:
        """How it ended or what is asked; where it no longer replays, what the closing line kept."""
        match, closing = self.protocol.match, self.loaded.closing
        if self.protocol.drift is not None:
            if closing is not None:
                yield PrintedLine("Ruled in all, as the record kept it:")
                for text, cite in closing.rulings:
                    yield PrintedLine(f"    » {text} [{cite}]", "green")
                yield PrintedLine(f"= {closing.outcome} [{closing.cite}]", "bold")
        elif match is not None and match.outcome is not None:
            ruling = match.outcome.ruling
            named = match.rulebook.named
            result = result_in_words([named.get(seat, seat) for seat in match.outcome.winners])
            yield PrintedLine(f"= {result}. {ruling.text} [{ruling.cite}]", "bold")
        if self.protocol.undecided:
            yield PrintedLine(self.protocol.undecided, "yellow")
        for question in () if self.protocol.drift is not None else self.protocol.open:
            yield PrintedLine(
                f"open: {question.prompt} [{question.cite}]  ({question.key})", "cyan"
            )

    # -- as JSON ---------------------------------------------------------------------------

    def _match_json(self) -> dict[str, Json]:
        setup, first = self.loaded.setup, self.loaded.entries[0]
        return {
            "match_id": self.loaded.match_id,
            "box": setup.box,
            "variants": list(setup.variants),
            "seats": {str(seat): name for seat, name in setup.seats.items()},
            "options": dict(setup.options),
            "edition": setup.edition,
            "app_version": setup.app_version,
            "begun": first.at_utc,
            "evidence": str(self.folder) if self.folder is not None else "",
        }

    def _line_json(self, line: ProtocolLine) -> dict[str, Json]:
        files = [file.name for file in self.kept if file.seq == line.entry.seq]
        return {**line_json(line), "evidence": [*files]}

    def _end_json(self) -> dict[str, Json]:
        match, closing = self.protocol.match, self.loaded.closing
        said: dict[str, Json] = {"outcome": None, "open": [], "troubles": [*self.troubles]}
        if self.protocol.drift is not None:
            if closing is not None:
                winners: list[Json] = [*closing.winners]
                said["outcome"] = {
                    "winners": winners,
                    "text": closing.outcome,
                    "cite": closing.cite,
                }
            return said
        if match is not None and match.outcome is not None:
            ruling = match.outcome.ruling
            winners = [str(winner) for winner in match.outcome.winners]
            said["outcome"] = {"winners": winners, "text": ruling.text, "cite": str(ruling.cite)}
        said["open"] = [{"key": q.key, "prompt": q.prompt} for q in self.protocol.open]
        said["undecided"] = self.protocol.undecided
        return said


def rows_of(line: ProtocolLine) -> Iterator[PrintedLine]:
    """A line in words: what was asked and told, what became of it, what it led to."""
    entry = line.entry
    minutes, seconds = divmod(entry.match_s, MATCH_S_PER_MIN)
    when = f"{time_of_day(entry.at_utc)} {minutes:3.0f}:{seconds:04.1f}"
    asked = f"{line.asked} — " if line.asked else ""
    by = ", ".join(part for part in (line.who, line.source, entry.key) if part)
    stop = "" if line.told.endswith((".", "!", "?")) else "."
    reason = f"{stop} Reason: {entry.reason}" if entry.reason else ""
    style = "" if line.in_effect else "strike dim"
    yield PrintedLine(f"{entry.seq:4}  {when}  {asked}{line.told}{reason}  ({by})", style)
    for mark in line.marks:
        yield PrintedLine(f"        ~ {mark.text}", "yellow")
    for had in line.noticed:
        told = f"{had.notice.text} [{had.notice.cite}; {had.notice.code}]"
        yield PrintedLine(f"        had been, until line {had.until}: {told}", "dim")
    if line.notice is not None:
        notice = line.notice
        text = f"{notice.text} {notice.way_out}".strip()
        yield PrintedLine(f"        ! {text} [{notice.cite}; {notice.code}]", "yellow")
    yield from _ruled(line)


def _ruled(line: ProtocolLine) -> Iterator[PrintedLine]:
    """Its rulings; where a correction has changed them, those before and those now."""
    for was in line.was:
        for said in was.rulings:
            yield PrintedLine(f"        had been ruled, until line {was.until}: {said}", "dim")
    standing, anew = Counter(line.rulings), Counter(line.anew)
    if not line.was or line.in_effect:
        for said in line.rulings:
            standing[said] -= 1
            is_new = bool(line.was) and standing[said] < anew[said]
            yield PrintedLine(f"        {'ruled now:' if is_new else '»'} {said}", "green")
        if line.was and not line.rulings:
            moved = f"see line {line.see}" if line.see else "nothing"
            yield PrintedLine(f"        ruled now: {moved}", "green")


def line_json(line: ProtocolLine) -> dict[str, Json]:
    """A line of the protocol as `show --json` has it; the keys stand in companion/README.md."""
    entry, notice = line.entry, line.notice
    had = [(was.until, said) for was in line.was for said in was.rulings]
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "at_utc": entry.at_utc,
        "match_s": entry.match_s,
        "key": entry.key,
        "by": line.by,
        "who": line.who,
        "source": entry.source,
        "asked": line.asked,
        "cite": line.cite,
        "answer": entry.answer,
        "told": line.told,
        "target": entry.target,
        "reason": entry.reason,
        "in_effect": line.in_effect,
        "amended_to": line.now,
        "marks": [{"line": mark.line, "text": mark.text} for mark in line.marks],
        "rulings": [_said_json(said) for said in line.rulings],
        "had_been_ruled": [{"until": until, **_said_json(said)} for until, said in had],
        "notice": None if notice is None else notice_json(notice),
        "had_notices": [{"until": had.until, **notice_json(had.notice)} for had in line.noticed],
        "see": line.see or None,
    }


def _said_json(said: ReadRuling) -> dict[str, Json]:
    return {"text": said.text, "cite": said.cite}


# Show, replay, export and import.


def show(
    match: MatchName,
    out: Annotated[Path | None, typer.Option(help="Write it to a new file instead.")] = None,
    record: RecordPlace = None,
    *,
    position: Annotated[
        bool, typer.Option("--position", help="The position file of where it stands, instead.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Print a match's protocol: every line in words, with every ruling and its rule."""
    if not position:
        return _show(match, record, json=json, out=out)
    if json or out:
        raise BadCall("--position prints a file as it is: leave --json and --out away")
    return _show_position(match, record)


def _show(name: str, place: str | None, *, json: bool, out: Path | None) -> int:
    """1 if the match is damaged or cannot be replayed whole. BadCall: `out` is there already."""
    with open_record(place) as record:
        loaded = record.load(_find(name, record))
        kept = record.evidence_of(loaded.match_id)
        folder = record.evidence(loaded.match_id) if kept else None
    printed = Printed(loaded, read_protocol(loaded.entries, time_of_day), kept, folder)
    if out is None and not json:
        printed.to_console(_console())
    else:
        text = printed.as_json() if json else printed.as_text()
        if out is None:
            print(text, end="")  # noqa: T201
        else:
            write_new(out, text)
            print(f"{out}: match {loaded.match_id}, {len(loaded.entries)} lines")  # noqa: T201
    return 1 if printed.troubles else 0


def _find(name: str, record: Record) -> str:
    """The match meant; BadCall says of a file how it is taken in."""
    try:
        return record.find(name)
    except BadCall as unknown:
        if not is_there(name):
            raise
        text = f"{name} is a file, no match of this record; `companion import {name}` takes it in"
        raise BadCall(text) from unknown


def _show_position(name: str, place: str | None) -> int:
    """Print the position file of where a match stands; 1 if it is damaged."""
    with open_record(place) as record:
        loaded = record.load(_find(name, record))
    try:
        match = Match[Any].replay(loaded.entries)
    except Drift as wrong:
        trouble = loaded.damage or why_drifted(wrong, loaded.entries[0])
        raise BadCall(f"no position can be shown: {trouble}") from wrong
    print(json_text.dumps(match.position_file(), indent=2, ensure_ascii=False))  # noqa: T201
    if loaded.damage:
        print(f"companion: {loaded.damage}", file=sys.stderr)  # noqa: T201
    return 1 if loaded.damage else 0


def replay(
    match: Annotated[str, typer.Argument(help="A match of the record, or an exported file.")],
    record: RecordPlace = None,
) -> int:
    """Rule a match once more, line by line; 1 at the first line that diverges."""
    entries, damage = _entries_of(match, record)
    try:
        ruled = Match[Any].replay(entries)
    except Drift as drift:
        why = why_drifted(drift, entries[0])
        _console().print(f"[red]diverges:[/] {plain(why)}", soft_wrap=True)
        return 1
    if damage:
        _console().print(f"[red]{plain(damage)}[/]", soft_wrap=True)
        return 1
    digests = sum(1 for entry in entries if entry.digest)
    ended = ruled.outcome.ruling.text if ruled.outcome is not None else "it is still open."
    told = f"{len(entries)} lines replayed, {digests} digests equal: {ended}"
    _console().print(plain(told), soft_wrap=True)
    return 0


def _entries_of(name: str, place: str | None) -> tuple[Sequence[Entry], str]:
    """The lines of a match and what is wrong after them; a file is taken before a match."""
    if is_there(name):
        export = read_export(Path(name), good_part=True)
        entries = [read_entry(row.line, row.chain) for row in export.rows]
        return entries, str(export.damage or "")
    with open_record(place) as record:
        loaded = record.load(record.find(name))
    return loaded.entries, loaded.damage or ""


def export(match: MatchName, out: NewFile = None, record: RecordPlace = None) -> int:
    """Write a match as JSON lines that any companion imports."""
    with open_record(record) as opened:
        match_id = _find(match, opened)
        loaded, text = opened.load(match_id), opened.export(match_id)
    if loaded.damage:
        print(f"companion: {loaded.damage}", file=sys.stderr)  # noqa: T201
    if out is None:
        print(text, end="")  # noqa: T201
    else:
        write_new(out, text)
        print(f"{out}: match {match_id}, {len(loaded.entries)} lines")  # noqa: T201
    return 1 if loaded.damage else 0


def write_new(path: Path, text: str) -> None:
    """A file that was not there, on disk before it is told; BadCall where there is one."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as wrong:
        raise BadCall(f"{path} exists; name a new file: no export overwrites another") from wrong
    except OSError as wrong:
        with contextlib.suppress(OSError):  # a torn file would stand in the way of the next try
            path.unlink(missing_ok=True)
        raise BadCall(f"{path} cannot be written: {wrong.strerror}") from wrong


def import_match(
    file: Annotated[Path, typer.Argument(help="An exported match.")],
    record: RecordPlace = None,
    *,
    good_part: Annotated[
        bool, typer.Option("--good-part", help="Take the lines before the first bad one.")
    ] = False,
) -> int:
    """Take in an exported match; nothing that is here is changed."""
    with begin_record(record) as opened:
        imported = opened.import_file(file, good_part=good_part)
    if imported.damage:
        print(f"companion: {imported.damage}", file=sys.stderr)  # noqa: T201
    if not imported.is_new:
        told = f"match {imported.match_id} is here already; nothing was changed"
    elif imported.match_id != imported.was:
        told = f"match {imported.match_id}: another one is called {imported.was} here"
    else:
        told = f"match {imported.match_id}"
    print(told)  # noqa: T201
    return 1 if imported.damage else 0


def _console() -> Console:
    return Console(highlight=False)


# `companion learned`: what a match has taught, kept as the table's own file.


def learned(match: MatchName, out: NewFile = None, record: RecordPlace = None) -> int:
    """Write what a match has taught, such as cards declared in it, as a file for --data."""
    with open_record(record) as opened:
        loaded = opened.load(opened.find(match))
    ruled = Match[Any].replay(loaded.entries)
    taught = ruled.rulebook.learned()
    if not taught:
        said = f"match {loaded.match_id} has taught nothing"
        raise BadCall(f"{said}: no card was declared under a title in it")
    text = tomli_w.dumps(merged(ruled.setup.cards, taught))
    if out is None:
        print(text, end="")  # noqa: T201
    else:
        write_new(out, text)
        words = ", ".join(f"{part} ({_names(kept)})" for part, kept in taught.items())
        print(f"{out}: {words}")  # noqa: T201
    return 0


def _names(kept: Json) -> str:
    return ", ".join(kept) if isinstance(kept, dict) else str(kept)
