"""A match's protocol as people read it: in rows and as a text.

What `companion show` prints and what lies beside a match that was taken along are the same rows.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall, Drift
from companion.core.ruling import TABLE, Seat
from companion.core.text import listed
from companion.games import find_rulebook
from companion.match.entry import Entry, app_version
from companion.match.history import place_in_words
from companion.record import signing
from companion.record.signing import UNSIGNED
from companion.referee.challenge import VERDICTS, challenges_in, corrections_of
from companion.referee.protocol import Protocol, ProtocolLine, quantities_in_words

if TYPE_CHECKING:
    from companion.match.book import Paragraph
    from companion.match.house_rules import Switch
    from companion.match.rulebook import Rulebook, Setup
    from companion.record.evidence import EvidenceFile
    from companion.record.match import LoadedMatch


def time_of_day(at_utc: str) -> str:
    """A log line's UTC as this table's time of day; as it stands where it is none."""
    return _here(at_utc, "%H:%M:%S")


def date_and_time(at_utc: str) -> str:
    """A log line's UTC as this table's date and time; as it stands where it is none."""
    return _here(at_utc, "%Y-%m-%d %H:%M")


def _here(at_utc: str, form: str) -> str:
    try:
        at = datetime.fromisoformat(at_utc)
    except ValueError:
        return at_utc
    return at.astimezone().strftime(form)


def result_in_words(winners: Sequence[str]) -> str:
    """Who won: "Won by Ana and Bo"; nobody: "A draw"."""
    return f"Won by {listed(winners)}" if winners else "A draw"


def shown(text: str) -> str:
    """A text that somebody typed; what is no letter is told as its number: a file rings no bell."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


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
        ours = f" with edition {here}" if here is not None else ", which does not know that box"
        why = f"Written by {writer} with edition {there} of {box}; this is companion "
        why += f"{app_version()}{ours}"
    return f"{drift}. {why}. Nothing is lost: `companion show` reads it, `export` keeps it."


def _edition_of(box: str) -> int | None:
    try:
        return find_rulebook(box).edition
    except BadCall:
        return None


# The protocol in rows, and as a text.

MATCH_S_PER_MIN = 60
BY_BOTS = "Played by bots"
"""How the line begins that tells so."""

LEGEND = (
    "Each line: its number, the time of day, minutes and seconds of play, what was asked — what "
    "was answered, and in brackets who, how, and the question's key. » is a ruling with its rule; "
    "~ says what became of a line later."
)
"""How a protocol is read; it stands at its head."""


def played_by_bots(setup: Setup) -> str:
    """That it is nobody's match, where bots played it: its numbers are no people's."""
    if setup.simulated:
        return f"{BY_BOTS}: simulated, without a table."
    return f"{BY_BOTS}: a demonstration." if setup.demonstration else ""


class PrintedLine(NamedTuple):
    """One printed line: its words, how a console has them, and the picture that it names."""

    text: str
    style: str = ""
    file: EvidenceFile | None = None


@dataclass(frozen=True)
class Printed:
    """A match of the record with its protocol and the evidence files kept with it.

    `numbers` are the lines that are told, where not all are: a round, a ruling. `unseen` says that
    no witness has seen the match.
    """

    loaded: LoadedMatch
    protocol: Protocol
    kept: Sequence[EvidenceFile] = ()
    folder: Path | None = None
    numbers: frozenset[int] | None = None
    unseen: Sequence[str] = ()

    def of_line(self, seq: int) -> Printed:
        """That line alone, with those that have corrected it; BadCall where there is none."""
        known = {line.entry.seq: line for line in self.protocol.lines}
        if seq not in known:
            raise BadCall(f"there is no line {seq}: this match has lines 1 to {len(known)}")
        told = {seq, *(mark.line for mark in known[seq].marks), known[seq].see}
        return replace(self, numbers=frozenset(told & known.keys()))

    def of_round(self, number: int) -> Printed:
        """The lines of that round or turn, and whatever corrected them; BadCall where none is."""
        if self.protocol.drift is not None and self.protocol.match is None:
            raise BadCall(f"which lines are of a round cannot be told: {self.protocol.drift}")
        rounds = {line.entry.seq: self.round_of(line) for line in self.protocol.lines}
        names = [name for name in dict.fromkeys(rounds.values()) if name]
        wanted = {name for name in names if re.search(rf"\b{number}\b", name)}
        if not wanted:
            told = f"its rounds are {listed(names)}" if names else "it has no rounds yet"
            raise BadCall(f"there is no round {number} in this match: {told}")
        own = {seq for seq, name in rounds.items() if name in wanted}
        corrected = {
            mark.line
            for line in self.protocol.lines
            if line.entry.seq in own
            for mark in line.marks
        }
        between = {seq for seq, name in rounds.items() if not name and min(own) < seq < max(own)}
        return replace(self, numbers=frozenset(own | between | corrected))

    def thumbnail(self, file: EvidenceFile) -> bytes | None:
        """A kept picture, small; None for one that cannot be read."""
        from vision.evidence.evidence import small_jpeg  # with the libraries of sight

        try:
            return small_jpeg((self.folder / file.name).read_bytes()) if self.folder else None
        except OSError:
            return None

    @property
    def lines(self) -> Sequence[ProtocolLine]:
        """The lines that are told: all of them, or those of a round or ruling."""
        every = self.protocol.lines
        if self.numbers is None:
            return every
        return [line for line in every if line.entry.seq in self.numbers]

    @property
    def result(self) -> str:
        """Who won, or that it is open, in a few words."""
        match, closing = self.protocol.match, self.loaded.closing
        if match is not None and match.outcome is not None:
            named = match.rulebook.named
            return result_in_words([named.get(seat, seat) for seat in match.outcome.winners])
        if self.protocol.drift is not None and closing is not None:
            people = self.loaded.setup.seats if match is None else match.rulebook.named
            return result_in_words([people.get(Seat(won), won) for won in closing.winners])
        return "Open: it has not ended"

    @property
    def troubles(self) -> Sequence[str]:
        """What is wrong with the record, or with playing it once more."""
        drift = self.protocol.drift
        drifted = "" if drift is None else why_drifted(drift, self.loaded.entries[0])
        return [*self.loaded.troubles, *self.unseen, *([drifted] if drifted else [])]

    @property
    def signed(self) -> str:
        """By which table it was signed; whether that still holds is among the troubles."""
        return str(self.loaded.signature or UNSIGNED)

    @cached_property
    def signed_in_words(self) -> str:
        """The same for people: who looks at another table's match is told that it is one."""
        return signing.told(self.loaded.signature)

    @property
    def title(self) -> str:
        """Which match it is: its name, its box, when it was begun."""
        setup, first = self.loaded.setup, self.loaded.entries[0]
        box = " ".join((setup.box, *setup.variants))
        return f"Match {self.loaded.match_id}  {box}  {date_and_time(first.at_utc)}"

    def rows(self) -> Iterator[PrintedLine]:
        """All of it, row by row."""
        yield from self.head()
        place = ""
        for line in self.lines:
            now = self.round_of(line)
            if now and now != place:
                place = now
                yield PrintedLine(f"-- {place} --", "bold")
            yield from rows_of(line)
            for file in self.kept:
                if file.seq == line.entry.seq:
                    at = time_of_day(file.at_utc)
                    yield PrintedLine(f"        Evidence: {file}, {at}: {file.name}", "cyan", file)
        if self.numbers is None:
            yield from self.disputes()
            yield from self.end()
        for trouble in self.troubles:
            yield PrintedLine(trouble, "red")

    def as_text(self) -> str:
        """For people, in a file: the same rows, and what the rules say that it cites."""
        rows = [row.text for row in self.rows()]
        cited = [f"{one.rule}  {one.heading}: {one.text}" for one in self.cited()]
        told = [*rows, *(("", CITED, *cited) if cited else ())]
        return "".join(f"{shown(row)}\n" for row in told)

    def cited(self) -> Sequence[Paragraph]:
        """The paragraphs that rulings and questions cite, in the order of the book."""
        if self.protocol.match is None:
            return ()
        said = " ".join(row.text for row in self.rows())
        names = {name for found in _CITE.findall(said) for name in found.split(", ")}
        known = self.protocol.match.rulebook.paragraphs()
        return [one for rule, one in known.items() if rule in names]

    # -- in words --------------------------------------------------------------------------

    def round_of(self, line: ProtocolLine) -> str:
        """The round or turn that a line belongs to, in words; empty outside any."""
        match, key = self.protocol.match, line.entry.key
        return "" if match is None else place_in_words(match.rulebook.split_key(key)[0])

    def head(self) -> Iterator[PrintedLine]:
        """Which match it is, who sat where, by which rules, and how its lines are read."""
        yield PrintedLine(self.title, "bold")
        kept = f"Its evidence lies in {self.folder}" if self.folder is not None else ""
        told = self.signed_in_words
        signed = f"{told[0].upper()}{told[1:]}." if self.loaded.closing is not None else ""
        bots, people = played_by_bots(self.loaded.setup), self._people()
        rules = (*self._house_rules(), self._editions())
        for told in (bots, *people, *rules, signed, kept, LEGEND):
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

    def disputes(self) -> Iterator[PrintedLine]:
        """Each challenge in full: whose, of which line, what every side said, what came of it."""
        match, entries = self.protocol.match, self.loaded.entries
        named: Mapping[Seat, str] = {} if match is None else match.rulebook.named
        told = {line.entry.seq: line for line in self.protocol.lines}
        for number, one in enumerate(challenges_in(entries), 1):
            by = "the table" if one.by == TABLE else named.get(one.by, str(one.by))
            line = told.get(one.line) if one.line is not None else None
            of = f", of line {one.line}: {line.asked} — {line.told}" if line is not None else ""
            of += "" if of.endswith((".", "?", "!")) else "."
            why = _reason(told.get(one.seq))
            yield PrintedLine(f"Challenge {number}, by {by}, line {one.seq}{of}{why}", "bold")
            for claim in one.claims:
                who = named.get(claim.by, str(claim.by))
                yield PrintedLine(f"        Claim of {who}: {claim.text}")
            for struck in one.struck:
                was = VERDICTS[struck.verdict] if struck.verdict else "decided"
                why = f": {struck.reason}" if struck.reason else ""
                said = f"        Decided by line {struck.seq}: {was}; taken back by line "
                yield PrintedLine(f"{said}{struck.taken_back}{why}.")
            unsaid = "No word of a decision." if one.decided or not one.struck else "It is open."
            decided = told.get(one.decided) if one.decided is not None else None
            who = f" by {decided.who}, line {one.decided}" if decided is not None else ""
            came = f"Decided{who}: {VERDICTS[one.verdict]}." if one.verdict else unsaid
            came += _reason(decided)
            yield PrintedLine(f"        {came}", "yellow")
            for entry in corrections_of(entries, one):
                if (line := told.get(entry.seq)) is not None:
                    since = "" if line.in_effect else " It counts no more."
                    yield PrintedLine(f"        Corrected by line {entry.seq}: {line.told}{since}")

    def end(self) -> Iterator[PrintedLine]:
        """How it ended or what is asked; where it no longer replays, what the closing line kept."""
        match, closing = self.protocol.match, self.loaded.closing
        if self.protocol.drift is not None:
            if closing is not None:
                yield PrintedLine("Ruled in all, as the record kept it:")
                for text, cite in closing.rulings:
                    yield PrintedLine(f"    » {text} [{cite}]", "green")
                yield PrintedLine(f"= {closing.outcome} [{closing.cite}]", "bold")
        elif match is not None:
            for said in quantities_in_words(match):
                yield PrintedLine(said)
        if self.protocol.drift is None and match is not None and match.outcome is not None:
            ruling = match.outcome.ruling
            yield PrintedLine(f"= {self.result}. {ruling.text} [{ruling.cite}]", "bold")
        if self.protocol.undecided:
            yield PrintedLine(self.protocol.undecided, "yellow")
        for question in () if self.protocol.drift is not None else self.protocol.open:
            yield PrintedLine(
                f"open: {question.prompt} [{question.cite}]  ({question.key})", "cyan"
            )


def _reason(line: ProtocolLine | None) -> str:
    return f" Reason: {line.entry.reason}" if line is not None and line.entry.reason else ""


def rows_of(line: ProtocolLine) -> Iterator[PrintedLine]:
    """A line in words: what was asked and told, what became of it, what it led to."""
    entry = line.entry
    minutes, seconds = divmod(entry.match_s, MATCH_S_PER_MIN)
    when = f"{time_of_day(entry.at_utc)} {minutes:3.0f}:{seconds:04.1f}"
    asked = f"{line.asked} — " if line.asked else ""
    by = ", ".join(part for part in (line.who, line.source, entry.key) if part)
    told = line.told
    if entry.reason:
        stop = "" if not told else " " if told.endswith((".", "!", "?")) else ". "
        told = f"{told}{stop}Reason: {entry.reason}"
    style = "" if line.in_effect else "strike dim"
    yield PrintedLine(f"{entry.seq:4}  {when}  {asked}{told}  ({by})", style)
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


# As a page, which ui/sharing makes: cites lead to paragraphs, pictures are in it, small.

CITED = "What the rules say that are cited, in our words:"
_CITE = re.compile(r"\[((?:RULING \d+|[A-Z0-9]+(?:-[A-Za-z0-9.]+)+)(?:, [^\];]+)*)")

MOST_PICTURES = 120
"""So many pictures are in the page itself, 2 to 3 MB of them; those after them are links alone."""
Thumbnail = Callable[["EvidenceFile"], bytes | None]
"""A kept picture as a small JPEG; None where it cannot be read."""


def linked_cites(words: str, known: Collection[str]) -> str:
    """Escaped words in which each rule that is known leads to its paragraph."""

    def linked(found: re.Match[str]) -> str:
        parts = found[1].split(", ")
        links = (f'<a href="#{one}">{one}</a>' if one in known else one for one in parts)
        return f"[{', '.join(links)}"

    return _CITE.sub(linked, words)


def picture_in_html(file: EvidenceFile, small: bytes | None, *, beside: bool = True) -> str:
    """A kept picture, small, with what it shows; it leads to its file where that lies beside."""
    at = time_of_day(file.at_utc)
    link, words = escape(file.name), escape(f"Evidence: {file}, {at}: {file.name}")
    if small is None:
        told = f'<a href="{link}">{words}</a>' if beside else words
        return f'<p class="told">{told}</p>'
    source = f"data:image/jpeg;base64,{b64encode(small).decode()}"
    image = f'<img src="{source}" alt="{words}">'
    whole = f'<a href="{link}">{image}</a>' if beside else image
    return f"<figure>{whole}<figcaption>{words}</figcaption></figure>"
