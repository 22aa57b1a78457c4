"""One match of the record: `show`, `replay`, `export`, `import`, `learned`, `whatif`, `reread`.

And `key`, by which a table signs those that have ended.
"""

from __future__ import annotations

import contextlib
import json as json_text
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import tomli_w
import typer
from rich.console import Console
from rich.table import Table

from companion.core.errors import BadCall, CompanionError, Drift
from companion.core.text import counted
from companion.games import rulebook_of
from companion.kit.figures import merged
from companion.match.match import Match
from companion.match.timeline import Fate
from companion.record.file import read_export
from companion.record.lines import read_entry
from companion.record.signing import CHANGED, TableKey, fingerprint, usual_key
from companion.referee.protocol import ProtocolLine, ReadRuling, read_protocol
from companion.referee.script import read_line
from ui.table.protocol import Printed, played_by_bots, result_in_words, time_of_day, why_drifted
from ui.terminal.options import AsJson, HouseRules, MatchName, NewFile, RecordPlace
from ui.terminal.record import begin_record, is_there, open_record
from ui.terminal.setting_up import read_options
from ui.terminal.voice import JsonVoice, PlainVoice, notice_json, plain, say

if TYPE_CHECKING:
    from companion.core.ruling import Json, Outcome
    from companion.match.entry import Entry
    from companion.match.revision import Revision
    from companion.match.rulebook import Setup
    from companion.record.match import LoadedMatch
    from companion.record.record import Record


# The protocol on a console, and as JSON for programs.


def to_console(printed: Printed, console: Console) -> None:
    """For people at a terminal."""
    for row in printed.rows():
        console.print(plain(row.text), style=row.style, soft_wrap=True)


def as_json(printed: Printed) -> str:
    """For programs: the match, its lines and its end, an object a line."""
    objects = (
        {"match": _match_json(printed)},
        *({"line": _line_json(printed, line)} for line in printed.lines),
        {"end": _end_json(printed)},
    )
    return "".join(f"{json_text.dumps(said, ensure_ascii=False)}\n" for said in objects)


def _match_json(printed: Printed) -> dict[str, Json]:
    setup, first = printed.loaded.setup, printed.loaded.entries[0]
    return {
        "match_id": printed.loaded.match_id,
        "box": setup.box,
        "variants": list(setup.variants),
        "seats": {str(seat): name for seat, name in setup.seats.items()},
        "options": dict(setup.options),
        "edition": setup.edition,
        "app_version": setup.app_version,
        "begun": first.at_utc,
        "signed": printed.signed,
        "evidence": str(printed.folder) if printed.folder is not None else "",
    }


def _line_json(printed: Printed, line: ProtocolLine) -> dict[str, Json]:
    files = [file.name for file in printed.kept if file.seq == line.entry.seq]
    return {**line_json(line), "evidence": [*files]}


def _end_json(printed: Printed) -> dict[str, Json]:
    match, closing = printed.protocol.match, printed.loaded.closing
    said: dict[str, Json] = {"outcome": None, "open": [], "troubles": [*printed.troubles]}
    if printed.protocol.drift is not None:
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
    said["open"] = [{"key": q.key, "prompt": q.prompt} for q in printed.protocol.open]
    said["undecided"] = printed.protocol.undecided
    return said


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
    out: Annotated[
        Path | None,
        typer.Option(help="A new file instead: .pdf and .html have boards and pictures in them."),
    ] = None,
    record: RecordPlace = None,
    *,
    round_: Annotated[int | None, typer.Option("--round", help="Only this round or turn.")] = None,
    line: Annotated[int | None, typer.Option(help="Only this line, and what corrected it.")] = None,
    position: Annotated[
        bool, typer.Option("--position", help="The position file of where it stands, instead.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Print a match's protocol: every line in words, with every ruling and its rule."""
    parts = [one for one in (round_, line) if one is not None]
    if len(parts) > 1:
        raise BadCall("name a round or a line, not both")
    if not position:
        return _show(match, record, json=json, out=out, part=(round_, line))
    if json or out or parts:
        told = "leave --json, --out, --round and --line away"
        raise BadCall(f"--position prints a file as it is: {told}")
    return _show_position(match, record)


def _show(
    name: str,
    place: str | None,
    *,
    json: bool,
    out: Path | None,
    part: tuple[int | None, int | None],
) -> int:
    """1 if the match is damaged or cannot be replayed whole. BadCall: `out` is there already."""
    if out is not None and not json:
        named_as(
            out, "a protocol", ".txt", ".pdf", ".html", besides=(".htm", ".md", ".log", ".text")
        )
    with open_record(place) as record:
        printed = read_printed(name, record)
        log = record.export(printed.loaded.match_id)
    if part[0] is not None:
        printed = printed.of_round(part[0])
    elif part[1] is not None:
        printed = printed.of_line(part[1])
    if out is not None:
        write_new(out, as_json(printed) if json else _as_file(printed, log, out.suffix.lower()))
        whole = counted(len(printed.loaded.entries), "line")
        lines = whole if printed.numbers is None else f"{len(printed.numbers)} of {whole}"
        print(f"{out}: match {printed.loaded.match_id}, {lines}")  # noqa: T201
        tell_troubles(printed)
    elif json:
        print(as_json(printed), end="")  # noqa: T201
    else:
        to_console(printed, _console())
    return 1 if printed.troubles else 0


def tell_troubles(printed: Printed) -> None:
    """Beside a file in which they stand: what is wrong with the match, on standard error."""
    for told in printed.troubles:
        print(f"companion: {told}", file=sys.stderr)  # noqa: T201


def read_printed(name: str, record: Record) -> Printed:
    """A match of the record with everything that is told of it."""
    loaded = record.load(find_match(name, record))
    kept = record.evidence_of(loaded.match_id)
    folder = record.evidence(loaded.match_id) if kept else None
    unseen = record.against_witness(loaded.match_id)
    protocol = read_protocol(loaded.entries, time_of_day)
    return Printed(loaded, protocol, kept, folder, unseen=unseen)


def _as_file(printed: Printed, log: str, ending: str) -> str | bytes:
    """The protocol as its file's name ends."""
    if ending == ".pdf":
        from ui.sharing.protocol_pdf import protocol_pdf

        return protocol_pdf(printed, printed.thumbnail)
    if ending in (".html", ".htm"):
        from ui.sharing.page import page_of

        return page_of(printed, log, printed.thumbnail)
    return printed.as_text()


def find_match(name: str, record: Record) -> str:
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
        loaded = record.load(find_match(name, record))
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
    by = played_by_bots(ruled.setup)
    _console().print(plain(f"{told} {by}".rstrip()), soft_wrap=True)
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
        match_id = find_match(match, opened)
        loaded, text = opened.load(match_id), opened.export(match_id)
    if loaded.damage:
        print(f"companion: {loaded.damage}", file=sys.stderr)  # noqa: T201
    if out is None:
        print(text, end="")  # noqa: T201
    else:
        write_new(out, text)
        print(f"{out}: match {match_id}, {len(loaded.entries)} lines")  # noqa: T201
    return 1 if loaded.damage else 0


def write_new(path: Path, content: str | bytes) -> None:
    """A file that was not there, on disk before it is told; BadCall where there is one."""
    if str(path) == "-":
        raise BadCall("'-' names no file; leave --out away where it is to be printed")
    try:
        with path.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as wrong:
        raise BadCall(f"{path} exists; name a new file: no export overwrites another") from wrong
    except FileNotFoundError as wrong:
        raise BadCall(f"there is no folder {path.parent}; make it, or name another") from wrong
    except OSError as wrong:
        with contextlib.suppress(OSError):  # a torn file would stand in the way of the next try
            path.unlink(missing_ok=True)
        raise BadCall(f"{path} cannot be written: {wrong.strerror}") from wrong


def named_as(path: Path, what: str, *endings: str, besides: Sequence[str] = ()) -> None:
    """BadCall where a new file is named as what it will not be, such as a picture."""
    if path.suffix.lower() not in ("", *endings, *besides):
        raise BadCall(f"{path}: {what} is written as {' or '.join(endings)}; name the file so")


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
    print(f"{told}; {imported.signed}")  # noqa: T201
    return 1 if imported.damage or imported.signed == CHANGED else 0


def _console() -> Console:
    return Console(highlight=False)


# `companion learned`: what a match has taught, kept as the table's own file.


def learned(match: MatchName, out: NewFile = None, record: RecordPlace = None) -> int:
    """Write what a match has taught, such as cards declared in it, as a file for --data."""
    with open_record(record) as opened:
        loaded = opened.load(opened.find(match))
    ruled = _replayed(loaded)
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


# `companion whatif` and `reread`: the same match, had something been otherwise. Nothing is changed.

FULL = "--full lists every line and every ruling of it."
InFull = Annotated[
    bool, typer.Option("--full", help="Every line and ruling, however many there are.")
]


def whatif(
    match: MatchName,
    line: Annotated[int, typer.Argument(help="The number of a line, as `show` prints it.")],
    answer: Annotated[
        list[str], typer.Argument(help="What would have been answered there, as `show` prints it.")
    ],
    record: RecordPlace = None,
    *,
    full: InFull = False,
    json: AsJson = False,
) -> int:
    """Show what another answer would have changed: rulings side by side, and who would have won."""
    if unknown := [word for word in answer if word.startswith("--")]:
        raise BadCall(
            f"no such option: {unknown[0]}; `companion whatif --help` lists what there is"
        )
    with open_record(record) as opened:
        loaded = opened.load(find_match(match, opened))
    try:
        read = read_line(f"!whatif {line} {' '.join(answer)}")
    except ValueError as wrong:
        raise BadCall(f"{wrong}".replace("!whatif", "whatif")) from wrong
    assert read is not None, "the line has words"
    ruled = _replayed(loaded)
    _tell_revision(ruled, ruled.amend(line, read.value), full=full, json=json)
    return 0


def reread(
    match: Annotated[
        str | None, typer.Argument(help="A match of the record; --all for every one.")
    ] = None,
    option: HouseRules = None,
    record: RecordPlace = None,
    *,
    edition: Annotated[
        int | None, typer.Option(min=1, help="An edition of the box's rules, as `show` names it.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every match that people played.")] = False,
    full: InFull = False,
    json: AsJson = False,
) -> int:
    """Rule matches again by other house rules or another edition: which rulings flip, who wins."""
    if (match is None) != all_:
        raise BadCall("name a match, or --all of them")
    if not option and edition is None:
        raise BadCall("say what is to be otherwise: --option NAME=VALUE, or --edition")
    with open_record(record) as opened:
        if match is not None:
            loaded = opened.load(find_match(match, opened))
            ruled = _replayed(loaded)
            revision = ruled.reread(_otherwise(ruled, option, edition))
            _tell_revision(ruled, revision, full=full, json=json)
            return 0
        names = [line.match_id for line in opened.matches() if not line.demonstration]
        rows = [row for name in names if (row := _reread_one(opened, name, option, edition))]
    if names and not rows:
        rules = " and ".join(pair.partition("=")[0].strip() or "''" for pair in option or ())
        raise BadCall(f"no match here is of a box that has the house rule {rules}")
    if json:
        for row in rows:
            say(row._asdict())
    else:
        _print_reread(rows)
    return 0


class Reread(NamedTuple):
    """A match ruled again: how many rulings are otherwise, answers no longer fit, and who wins.

    `why` says why a match could not be ruled so.
    """

    match_id: str
    box: str
    flips: int = 0
    unanswered: int = 0
    won: str = ""
    would_win: str = ""
    why: str = ""


def _reread_one(
    opened: Record, name: str, option: Sequence[str] | None, edition: int | None
) -> Reread | None:
    """None for a match of a box that has no such house rule."""
    box = ""
    try:
        loaded = opened.load(name)
        box = loaded.setup.box
        ruled = _replayed(loaded)
        revision = ruled.reread(_otherwise(ruled, option, edition))
    except UnknownOption:
        return None
    except CompanionError as wrong:
        return Reread(name, box, why=str(wrong))
    run = revision.changed.run
    kept = sum(1 for fate in revision.fate.values() if fate is Fate.KEPT)
    falling = sum(len(rulings) for rulings in revision.falling.values())
    return Reread(
        name,
        box,
        len(revision.flips) + falling,
        len(revision.fate) - kept,
        _ended(ruled, ruled.outcome),
        _ended(ruled, run.outcome),
    )


def _print_reread(rows: Sequence[Reread]) -> None:
    if not rows:
        _console().print("No match that people played is in the record; demonstrations are none.")
        return
    done = [row for row in rows if not row.why]
    table = Table(box=None, pad_edge=False)
    for heading in ("match", "box", "rulings", "answers", "ended", "would have ended"):
        right = heading in ("rulings", "answers")
        table.add_column(heading, justify="right" if right else "left")
    for row in done:
        counts = str(row.flips), str(row.unanswered)
        ends = (row.won, row.would_win if row.would_win != row.won else "the same")
        table.add_row(row.match_id, row.box, *counts, *map(plain, ends))
    if done:
        _console().print(table)
    for row in rows:
        if row.why:
            _console().print(plain(f"{row.match_id} not ruled again: {row.why}"), soft_wrap=True)
    others = sum(row.won != row.would_win for row in done)
    flipped = counted(sum(row.flips for row in done), "ruling")
    words = f"{counted(len(done), 'match', 'matches')} ruled again: {flipped} otherwise"
    _console().print(f"{words}, {counted(others, 'match', 'matches')} with another end")


def _replayed(loaded: LoadedMatch) -> Match[Any]:
    """The match as it was ruled; BadCall where it no longer replays."""
    try:
        return Match[Any].replay(loaded.entries)
    except Drift as drift:
        raise BadCall(why_drifted(drift, loaded.entries[0])) from drift


class UnknownOption(BadCall):
    """A house rule that a box has not."""


def _otherwise(match: Match[Any], option: Sequence[str] | None, edition: int | None) -> Setup:
    """The match's set-up with what is to be otherwise; UnknownOption, BadCall."""
    for pair in option or ():
        name, known = pair.partition("=")[0], match.rulebook.switches
        if name.strip() not in known:
            there = ", ".join(known)
            raise UnknownOption(f"{match.setup.box} has no house rule {name!r}; it has {there}")
    newest = rulebook_of(match.setup).edition
    if edition is not None and edition > newest:
        raise BadCall(f"{match.setup.box} has no edition {edition}: the newest is {newest}")
    options = {**match.setup.options, **read_options(option or (), rulebook_of(match.setup))}
    return replace(match.setup, options=options, edition=edition or match.setup.edition)


def _tell_revision(match: Match[Any], revision: Revision, *, full: bool, json: bool) -> None:
    """How it would have ended, and what would be ruled otherwise."""
    ended, would = _ended(match, match.outcome), _ended(match, revision.changed.run.outcome)
    if json:
        JsonVoice().revision(revision)
        say({"ended": ended, "would_have_ended": would})
        return
    told = f"It ended: {ended}. It would have ended: {would}."
    same = f"It ends the same: {ended}."
    _console().print(plain(same if ended == would else told), soft_wrap=True)
    PlainVoice(_console(), "" if full else FULL).revision(revision)
    if not (revision.flips or revision.falling):
        _console().print("No ruling would have been otherwise.")


def _ended(match: Match[Any], outcome: Outcome | None) -> str:
    if outcome is None:
        return "still open"
    named = match.rulebook.named
    won = result_in_words([named.get(seat, str(seat)) for seat in outcome.winners])
    return f"{won[0].lower()}{won[1:]}"


# `companion key`: by what this table signs a match that has ended.


def key(
    *,
    export: Annotated[
        Path | None, typer.Option(help="Write the public half to a new file, for who checks.")
    ] = None,
    renew: Annotated[
        bool, typer.Option("--renew", help="Put the key aside and make another.")
    ] = False,
    name: Annotated[
        str | None, typer.Option(help="What the table is called, with --renew.")
    ] = None,
) -> int:
    """The key by which this table signs matches that have ended; it is made on first use."""
    if name is not None and not renew:
        raise BadCall("a key keeps its table's name; --renew makes another under a new one")
    path = usual_key()
    try:
        key_, told = TableKey.renew(path, name) if renew else (TableKey.at(path), "")
    except OSError as wrong:
        told = f"this table's key cannot be kept as {path}: {wrong.strerror}"
        raise BadCall(f"{told}; without a key its matches end unsigned") from wrong
    if told:
        _console().print(plain(told), soft_wrap=True)
    shown = f"{key_.name}: {fingerprint(key_.public)}, kept in {path}"
    _console().print(plain(shown), soft_wrap=True)
    if export is not None:
        write_new(export, f"{key_.name} {key_.public}\n")
        _console().print(plain(f"{export}: the public half"), soft_wrap=True)
    return 0
