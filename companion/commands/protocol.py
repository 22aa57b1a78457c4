"""The protocol of a match as it is printed: for people on a console or in a file, and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.commands.origin import why_drifted
from companion.commands.voice import notice_json, plain, result_in_words
from companion.core.text import listed
from ui.local_time import date_and_time, time_of_day

if TYPE_CHECKING:
    from rich.console import Console

    from companion.core.ruling import Json, Seat
    from companion.match.rulebook import Rulebook, Switch
    from companion.record.evidence import EvidenceFile
    from companion.record.match import LoadedMatch
    from companion.referee.protocol import Protocol, ProtocolLine, Said

MATCH_S_PER_MIN = 60
LEGEND = (
    "Each line: its number, the time of day, minutes and seconds of play, what was asked — what "
    "was answered, and in brackets who, how, and the question's key. » is a ruling with its rule; "
    "~ says what became of a line later."
)
"""How a protocol is read; it stands at its head."""


class Row(NamedTuple):
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

    def _rows(self) -> Iterator[Row]:
        yield from self._head()
        for line in self.protocol.lines:
            yield from rows_of(line)
            for file in self.kept:
                if file.seq == line.entry.seq:
                    at = time_of_day(file.at_utc)
                    yield Row(f"        Evidence: {file}, {at}: {file.name}", "cyan")
        yield from self._end()
        for trouble in self.troubles:
            yield Row(trouble, "red")

    def _head(self) -> Iterator[Row]:
        setup, first = self.loaded.setup, self.loaded.entries[0]
        box = " ".join((setup.box, *setup.variants))
        yield Row(f"Match {self.loaded.match_id}  {box}  {date_and_time(first.at_utc)}", "bold")
        kept = f"its evidence lies in {self.folder}" if self.folder is not None else ""
        for told in (*self._people(), *self._house_rules(), self._editions(), kept, LEGEND):
            if told:
                yield Row(f"  {told}")

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

    def _end(self) -> Iterator[Row]:
        """How it ended or what is asked; where it no longer replays, what the closing line kept."""
        match, closing = self.protocol.match, self.loaded.closing
        if self.protocol.drift is not None:
            if closing is not None:
                yield Row("Ruled in all, as the record kept it:")
                for text, cite in closing.rulings:
                    yield Row(f"    » {text} [{cite}]", "green")
                yield Row(f"= {closing.outcome} [{closing.cite}]", "bold")
        elif match is not None and match.outcome is not None:
            ruling = match.outcome.ruling
            named = match.rulebook.named
            result = result_in_words([named.get(seat, seat) for seat in match.outcome.winners])
            yield Row(f"= {result}. {ruling.text} [{ruling.cite}]", "bold")
        if self.protocol.undecided:
            yield Row(self.protocol.undecided, "yellow")
        for question in () if self.protocol.drift is not None else self.protocol.open:
            yield Row(f"open: {question.prompt} [{question.cite}]  ({question.key})", "cyan")

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
        return said


def rows_of(line: ProtocolLine) -> Iterator[Row]:
    """A line in words: what was asked and told, what became of it, what it led to."""
    entry = line.entry
    minutes, seconds = divmod(entry.match_s, MATCH_S_PER_MIN)
    when = f"{time_of_day(entry.at_utc)} {minutes:3.0f}:{seconds:04.1f}"
    asked = f"{line.asked} — " if line.asked else ""
    by = ", ".join(part for part in (line.who, line.source, entry.key) if part)
    stop = "" if line.told.endswith((".", "!", "?")) else "."
    reason = f"{stop} Reason: {entry.reason}" if entry.reason else ""
    style = "" if line.in_effect else "strike dim"
    yield Row(f"{entry.seq:4}  {when}  {asked}{line.told}{reason}  ({by})", style)
    for mark in line.marks:
        yield Row(f"        ~ {mark.text}", "yellow")
    for had in line.noticed:
        told = f"{had.notice.text} [{had.notice.cite}; {had.notice.code}]"
        yield Row(f"        had been, until line {had.until}: {told}", "dim")
    if line.notice is not None:
        notice = line.notice
        text = f"{notice.text} {notice.way_out}".strip()
        yield Row(f"        ! {text} [{notice.cite}; {notice.code}]", "yellow")
    yield from _ruled(line)


def _ruled(line: ProtocolLine) -> Iterator[Row]:
    """Its rulings; where a correction has changed them, those before and those now."""
    for was in line.was:
        for said in was.rulings:
            yield Row(f"        had been ruled, until line {was.until}: {said}", "dim")
    standing, anew = Counter(line.rulings), Counter(line.anew)
    if not line.was or line.in_effect:
        for said in line.rulings:
            standing[said] -= 1
            is_new = bool(line.was) and standing[said] < anew[said]
            yield Row(f"        {'ruled now:' if is_new else '»'} {said}", "green")
        if line.was and not line.rulings:
            moved = f"see line {line.see}" if line.see else "nothing"
            yield Row(f"        ruled now: {moved}", "green")


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


def _said_json(said: Said) -> dict[str, Json]:
    return {"text": said.text, "cite": said.cite}
