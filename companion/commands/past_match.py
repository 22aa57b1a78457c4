"""`companion show`, `replay`, `export` and `import`: one match of the record."""

from __future__ import annotations

import contextlib
import json as json_text
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from companion.commands.origin import why_drifted
from companion.commands.record_here import begin_record, is_there, open_record
from companion.commands.voice import plain
from companion.errors import BadCall, Drift
from companion.match import Match
from companion.record_file import read_export
from companion.record_line import read_entry

if TYPE_CHECKING:
    from companion.entry import Entry
    from companion.evidence import EvidenceFile
    from companion.record_match import LoadedMatch
    from companion.ruling import Ruling

MATCH_S_PER_MIN = 60


def show(name: str, place: str | None, *, position: bool) -> int:
    """Print a match's log with its rulings, or its position; 1 if it cannot be replayed whole."""
    with open_record(place) as record:
        loaded = record.load(record.find(name))
        kept = record.evidence_of(loaded.match_id)
        folder = record.evidence(loaded.match_id) if kept else None
    try:
        match: Match[Any] | None = Match[Any].replay(loaded.entries)
        drift = ""
    except Drift as wrong:
        match, drift = None, why_drifted(wrong, loaded.entries[0])
    if position:
        return _show_position(match, loaded.damage or drift)
    _show_log(loaded, match, kept, folder)
    for trouble in filter(None, (loaded.damage, drift)):
        _console().print(f"[red]{plain(trouble)}[/]", soft_wrap=True)
    return 1 if loaded.damage or drift else 0


def _show_position(match: Match[Any] | None, trouble: str) -> int:
    if match is None:
        raise BadCall(f"no position can be shown: {trouble}")
    print(json_text.dumps(match.position_file(), indent=2, ensure_ascii=False))  # noqa: T201
    if trouble:
        print(f"companion: {trouble}", file=sys.stderr)  # noqa: T201
    return 1 if trouble else 0


def _show_log(
    loaded: LoadedMatch,
    match: Match[Any] | None,
    kept: Sequence[EvidenceFile],
    folder: Path | None,
) -> None:
    console = _console()
    _show_setup(console, loaded)
    if folder is not None:
        console.print(f"  {plain(f'its evidence lies in {folder}')}", soft_wrap=True)
    ruled: Mapping[int, Sequence[Ruling]] = {}
    in_effect: set[int] = set()
    if match is not None:
        ruled = {seq: rulings for seq, _, rulings in match.ruled_by()}
        in_effect = {step.seq for step in match.steps}
    for entry in loaded.entries[1:]:
        taken_back = match is not None and entry.kind in ("answer", "lapse")
        taken_back = taken_back and entry.seq not in in_effect
        _show_line(console, entry, taken_back=taken_back)
        for ruling in ruled.get(entry.seq, ()):
            cite = plain(f"[{ruling.cite}]")
            console.print(
                f"        [green]»[/] {plain(ruling.text)} [dim]{cite}[/]", soft_wrap=True
            )
        for file in kept:
            if file.seq == entry.seq:
                _show_evidence(console, file)
    _show_end(console, loaded, match)


def _show_evidence(console: Console, file: EvidenceFile) -> None:
    """A picture kept with the line above: what it shows, when it was taken, its file."""
    told = plain(f"{file}, {file.at_utc}: {file.name}")
    console.print(f"        [cyan]Evidence[/] {told}", soft_wrap=True)


def _show_setup(console: Console, loaded: LoadedMatch) -> None:
    setup, first = loaded.setup, loaded.entries[0]
    box = " ".join((setup.box, *setup.variants))
    seats = ", ".join(f"{seat} {name}" for seat, name in setup.seats.items())
    options = ", ".join(f"{name}={value}" for name, value in setup.options.items())
    console.print(f"[bold]Match {loaded.match_id}[/]  {box}  {first.at_utc}")
    written = f"companion {setup.app_version}, edition {setup.edition}" if setup.app_version else ""
    for told in filter(None, (seats, options, written)):
        console.print(f"  {plain(told)}", soft_wrap=True)


def _show_line(console: Console, entry: Entry, *, taken_back: bool) -> None:
    minutes, seconds = divmod(entry.match_s, MATCH_S_PER_MIN)
    said = "" if entry.answer is None else json_text.dumps(entry.answer, ensure_ascii=False)
    aimed = f"line {entry.target}" if entry.target is not None else ""
    what = "  ".join(part for part in (entry.key, aimed, said.strip('"')) if part)
    who = "/".join(part for part in (entry.author, entry.source) if part)
    reason = f"  # {entry.reason}" if entry.reason else ""
    style = "strike dim" if taken_back else ""
    line = f"{entry.seq:4} {minutes:3.0f}:{seconds:04.1f} {entry.kind:7} {what}{reason}  ({who})"
    console.print(plain(line), style=style, soft_wrap=True)


def _show_end(console: Console, loaded: LoadedMatch, match: Match[Any] | None) -> None:
    """The outcome; of a match that no longer replays, what its closing line kept as text."""
    if match is not None and match.outcome is not None:
        ruling = match.outcome.ruling
        cite = plain(f"[{ruling.cite}]")
        console.print(f"[bold]= {plain(ruling.text)}[/] [dim]{cite}[/]", soft_wrap=True)
    elif match is None and loaded.closing is not None:
        for text, cite in loaded.closing.rulings:
            console.print(f"    [green]»[/] {plain(f'{text} [{cite}]')}", soft_wrap=True)
        console.print(f"[bold]= {plain(loaded.closing.outcome)}[/]", soft_wrap=True)
    elif match is not None:
        asked = ", ".join(match.open)
        console.print(f"[cyan]open:[/] {plain(asked)}", soft_wrap=True)


def replay(name: str, place: str | None) -> int:
    """Re-adjudicate a match of the record or of a file; 1 at the first line that diverges."""
    entries, damage = _entries_of(name, place)
    try:
        match = Match[Any].replay(entries)
    except Drift as drift:
        why = why_drifted(drift, entries[0])
        _console().print(f"[red]diverges:[/] {plain(why)}", soft_wrap=True)
        return 1
    if damage:
        _console().print(f"[red]{plain(damage)}[/]", soft_wrap=True)
        return 1
    digests = sum(1 for entry in entries if entry.digest)
    ended = match.outcome.ruling.text if match.outcome is not None else "it is still open."
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


def export(name: str, place: str | None, out: Path | None) -> int:
    """Write a match as JSON lines, to a new file or to standard output; 1 if it is damaged."""
    with open_record(place) as record:
        match_id = record.find(name)
        loaded, text = record.load(match_id), record.export(match_id)
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


def import_match(path: Path, place: str | None, *, good_part: bool) -> int:
    """Take a match in from a file; 1 if only its good part could be taken."""
    with begin_record(place) as record:
        imported = record.import_file(path, good_part=good_part)
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
