"""The protocol of a match: every line of its log in words, as an appeal reads it.

A line that was taken back or amended stays in it, with who did that, when and why; what had been
ruled before a correction stands beside what is ruled now. It is read off the log by playing it
once more, line by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.core.errors import Drift, IllegalAnswer
from companion.core.ruling import TABLE, Level, Notice, Seat
from companion.core.text import in_codes, lines_in_words, listed
from companion.kit.adjusting import changed_facts, changed_options, words_of
from companion.kit.reports import reported_in_words
from companion.match.match import CORRECTIONS, Match, brings_back
from companion.match.revision import never_came
from companion.referee.challenge import (
    CALLED,
    CHALLENGED,
    CLAIMED,
    OPEN_EVENTS,
    TAKEN_BACK,
    challenge_in_words,
    challenges_in,
    left_open,
)
from companion.referee.presses import CARD_IN_TIME

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.question import Question
    from companion.core.ruling import Fact, Json, Ruling
    from companion.kit.adjusting import Changed
    from companion.match.entry import Entry
    from companion.match.rulebook import Rulebook

SOURCES = {
    "terminal": "typed",
    "script": "by script",
    "touch": "by touch",
    "camera": "by camera",
    "clock": "",
    "button": "by button",
    "sensor": "by slot sensor",
    "bot": "by a bot",
    "lapse": "by silence",
}
"""How an answer was given, in words."""

ARBITER, CLOCK = "arbiter", "clock"
"""Who a line comes from where it is nobody at the table; see `ProtocolLine.by`."""

NOBODY: Mapping[Seat, str] = MappingProxyType({})

TimeOfDay = Callable[[str], str]
"""A log line's UTC in the local time of the table."""


@dataclass(frozen=True, slots=True)
class ReadRuling:
    """A ruling as it was read out: its words and its rule."""

    text: str
    cite: str

    def __str__(self) -> str:
        return f"{self.text} [{self.cite}]"


@dataclass(frozen=True, slots=True)
class LaterMark:
    """A sentence on what line `line` did to an earlier line."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """Rulings of a line that stood until line `until` changed the past, of `all_then`."""

    until: int
    rulings: tuple[ReadRuling, ...]
    all_then: tuple[ReadRuling, ...]


@dataclass(frozen=True, slots=True)
class Noticed:
    """A notice of a report that stood until line `until` changed the past."""

    until: int
    notice: Notice


@dataclass(slots=True)
class ProtocolLine:
    """One line of the log in words.

    `by` is the code of whoever it comes from: a seat, a team, "table", "clock", or "arbiter" for
    what was done in the arbiter's name; `who` is what people call that one.
    `asked` is what the question said (empty where nobody was asked), `told` what was answered or
    done, `now` what an amend has put in its place (empty: nothing). `in_effect` is False for what
    counts no longer; `marks` say why. `rulings` are what it leads to now, `was` what it had led to
    before, `anew` what a correction has brought; `see` is the line that they moved to (0: none).
    `notice` is how its report stands now, `noticed` how it had stood before.
    """

    entry: Entry
    who: str
    by: str = str(TABLE)
    asked: str = ""
    cite: str = ""
    told: str = ""
    now: str = ""
    in_effect: bool = True
    marks: list[LaterMark] = field(default_factory=list[LaterMark])
    was: list[Replaced] = field(default_factory=list[Replaced])
    rulings: tuple[ReadRuling, ...] = ()
    anew: tuple[ReadRuling, ...] = ()
    see: int = 0
    notice: Notice | None = None
    noticed: list[Noticed] = field(default_factory=list[Noticed])

    @property
    def source(self) -> str:
        """How it was given: "typed", "by camera"; empty for what the arbiter or the clock did."""
        if self.entry.kind == "clock":
            return ""
        return SOURCES.get(self.entry.source, self.entry.source)


@dataclass(frozen=True)
class Protocol:
    """A log in words.

    `match` stands after its last line that replays (None: not even the set-up does); `drift` is why
    not all do.
    """

    match: Match[Any] | None
    lines: Sequence[ProtocolLine]
    drift: Drift | None = None

    @property
    def undecided(self) -> str:
        """Whose challenge the log leaves open, in a sentence; empty where none is."""
        challenge = left_open([line.entry for line in self.lines])
        if challenge is None:
            return ""
        named: Mapping[Seat, str] = {} if self.match is None else self.match.rulebook.named
        by = "the table" if challenge.by == TABLE else named.get(challenge.by, str(challenge.by))
        return f"A challenge by {by} is open; it is not decided yet."

    @property
    def open(self) -> Sequence[Question[Any]]:
        """The questions that wait for an answer."""
        if self.match is None:
            return ()
        answered = self.match.answered
        return [question for key, question in self.match.open.items() if key not in answered]


def read_protocol(entries: Sequence[Entry], time_of_day: TimeOfDay) -> Protocol:
    """The protocol of a log, its set-up left out.

    Lines after one that no longer replays are there as they were written.
    """
    try:
        reader = _Reader(Match[Any].begun_by(entries), time_of_day)
    except Drift as wrong:
        return Protocol(None, [_copied(entry, entry.author) for entry in entries[1:]], wrong)
    drift: Drift | None = None
    for entry in entries[1:]:
        if drift is None:
            try:
                reader.read(entry)
                continue
            except Drift as wrong:
                drift = wrong
        reader.copy(entry)
    return Protocol(reader.match, reader.finished(), drift)


@dataclass(frozen=True, slots=True)
class _Standing:
    """What stood at one line: the steps in effect, those that wait, and what they had led to.

    `dropped` wait in vain: their question never comes again, as what is named is over.
    """

    steps: Mapping[int, Json]
    parked: frozenset[int]
    dropped: Mapping[int, str]
    ruled: Mapping[int, tuple[ReadRuling, ...]]

    @classmethod
    def of(cls, match: Match[Any]) -> _Standing:
        steps = {step.seq: step.value for step in match.steps}
        ruled = {seq: tuple(map(_said, rulings)) for seq, _, rulings in match.ruled_by()}
        parked = frozenset(step.seq for step in match.parked)
        return cls(steps, parked, dict(match.dropped), ruled)


class _Reader:
    """Plays a log once more and writes down each line as it comes."""

    def __init__(self, match: Match[Any], time_of_day: TimeOfDay) -> None:
        self.match = match
        self._time_of_day = time_of_day
        self._lines: dict[int, ProtocolLine] = {}
        self._by_key: dict[str, int] = {}
        self._values: dict[str, Json] = {}  # what counts of each answer, as a report corrects it
        self._amends: dict[int, tuple[int, Json]] = {}
        self._amended_once: dict[int, tuple[int, Json]] = {}
        self._gone: list[int] = []  # what the last correction took out of effect
        self._came: list[int] = []  # what it brought back into effect
        self._out_since: dict[int, int] = {}
        self._stood: Mapping[int, Notice] = {}  # the notices before the line that is read
        self._solvers: dict[int, int] = {}  # the line that solved a line's notice

    def read(self, entry: Entry) -> None:
        """Play a line; Drift where it does not fit the rules any more."""
        match = self.match
        line = self._drafted(entry)
        changes_past = entry.kind in CORRECTIONS or bool(match.parked or match.dropped)
        before = _Standing.of(match) if changes_past else None
        facts = match.position.facts() if entry.kind == "adjust" else ()
        options = dict(match.rulebook.options)
        anew = entry.key in match.answered and entry.kind == "answer"
        self._stood = dict(match.notices)
        match.again(entry)
        self._lines[entry.seq] = line
        if before is not None:
            self._compare(before, _Standing.of(match), entry)
        if entry.kind in CORRECTIONS:
            self._tell_correction(line, facts, options)
            self._follow_values(entry)
        elif entry.kind == "clock":
            self._strike_decision(entry)
        elif entry.kind in ("answer", "lapse"):
            self._follow_key(line, anew=anew)
            for seq, notice in self._stood.items():
                gone = seq not in match.notices and seq in self._lines
                if gone and notice.level is Level.WARN:
                    self._mark(seq, entry, f"Needed no longer since line {entry.seq}.")

    def _strike_decision(self, entry: Entry) -> None:
        """The line of a decision that this one takes back."""
        if _event_of(entry) != TAKEN_BACK:
            return
        for challenge in challenges_in(self.match.entries):
            for struck in challenge.struck:
                if struck.taken_back == entry.seq:
                    text = f"Taken back by line {entry.seq} {self._by(entry)}"
                    self._set_aside(struck.seq, entry, text)

    def copy(self, entry: Entry) -> None:
        """A line that cannot be played any more, as it was written."""
        self._lines[entry.seq] = _copied(entry, self._who(entry.author))

    def finished(self) -> Sequence[ProtocolLine]:
        """Every line, with the rulings that stand now."""
        standing = _Standing.of(self.match)
        for seq, line in self._lines.items():
            line.rulings = standing.ruled.get(seq, ())
            had = {said for was in line.was for said in was.rulings}
            line.anew = tuple(said for said in line.anew if said not in had)
            left = (_without(was, line.rulings) for was in line.was)
            line.was = [was for was in left if was.rulings]
        for line in self._lines.values():
            if line.was and not line.rulings and line.entry.key:
                line.see = self._moved_to(line)
        self._end_what_solved()
        return list(self._lines.values())

    def _moved_to(self, line: ProtocolLine) -> int:
        """The line that rules what this one had ruled: it answers a further question of its own."""
        within = f"{line.entry.key}/"
        return next(
            (
                other.entry.seq
                for other in self._lines.values()
                if other.rulings and other.in_effect and other.entry.key.startswith(within)
            ),
            0,
        )

    def _end_what_solved(self) -> None:
        """Notices whose solution counts no longer."""
        for seq, solver in self._solvers.items():
            if not self._lines[solver].in_effect:
                until = self._out_since.get(solver, solver)
                text = f"Had been solved by line {solver}, until line {until}."
                self._mark_again(seq, solver, text)

    # -- one line in words -----------------------------------------------------------------

    def _drafted(self, entry: Entry) -> ProtocolLine:
        """A line before it is played, while its question is still open."""
        question = self.match.open.get(entry.key)
        by = self._author(entry, question)
        line = ProtocolLine(entry, self._who_is(by, entry.author), by)
        if entry.kind in ("answer", "lapse"):
            line.asked = entry.key if question is None else question.prompt
            line.cite = "" if question is None else str(question.cite)
            line.told = _answer_in_words(question, entry.answer)
        elif entry.kind == "clock" and isinstance(entry.answer, dict):
            who = line.who if by == ARBITER else ""
            line.told = clock_in_words(entry.answer, who, self.match.rulebook.named)
        return line

    def _author(self, entry: Entry, question: Question[Any] | None) -> str:
        """Whose line it is: a seat's or a team's code, the table's, the clock's, the arbiter's.

        Silence is that of whoever was asked. A challenge that no arbiter opened is the caller's.
        """
        if entry.source == "clock" and entry.kind == "answer":
            return CLOCK
        if entry.kind == "lapse" and question is not None:
            return str(question.by)
        named = entry.author not in ("", TABLE)
        if entry.kind in ("answer", "lapse"):
            return entry.author if named else str(TABLE)
        if named:
            return ARBITER
        if entry.kind != "clock" or not isinstance(entry.answer, dict):
            return str(TABLE)
        event = str(entry.answer.get("event", ""))
        if event in (CHALLENGED, CALLED, CLAIMED, CARD_IN_TIME):
            return str(entry.answer.get("by", TABLE))
        return str(TABLE) if event in BY_PEOPLE else CLOCK

    def _who_is(self, by: str, author: str) -> str:
        """What people call the author of a line."""
        return author if by == ARBITER else "the clock" if by == CLOCK else self._who(by)

    def _who(self, author: str) -> str:
        """A seat, a team or the table, as people call it; else the name itself."""
        if author in ("", TABLE):
            return "the table"
        return self.match.rulebook.named.get(Seat(author), author)

    def _follow_key(self, line: ProtocolLine, *, anew: bool) -> None:
        """An answer in an open form takes the place of the one that was given to it before."""
        entry = line.entry
        if entry.seq in self.match.no_longer_asked:
            line.asked = entry.key
            text = "No longer asked: the rules know it by themselves, and the digests agree."
            line.marks.append(LaterMark(entry.seq, text))
            return
        earlier = self._by_key.get(entry.key)
        if anew and earlier is not None:
            self._set_aside(earlier, entry, f"Told anew by line {entry.seq}.")
        self._by_key[entry.key] = entry.seq
        self._values[entry.key] = entry.answer

    def _follow_values(self, entry: Entry) -> None:
        """Answers that a report corrects, as of a lock when a card was laid late."""
        for key, value in self.match.answered.items():
            seq, question = self._by_key.get(key), self.match.open.get(key)
            if seq is None or self._values.get(key) == value:
                continue
            self._values[key] = value
            if entry.kind == "report":
                words = _answer_in_words(question, value)
                self._mark(seq, entry, f"Corrected by line {entry.seq}: {words}.")

    # -- corrections -----------------------------------------------------------------------

    def _tell_correction(
        self, line: ProtocolLine, facts: Sequence[Fact], options: Mapping[str, Json]
    ) -> None:
        entry, match = line.entry, self.match
        said: Mapping[str, Any] = entry.answer if isinstance(entry.answer, dict) else {}
        match entry.kind:
            case "undo":
                line.told = self._undone(entry)
            case "amend":
                line.told = self._amended(entry)
            case "adjust":
                line.told = adjusted_in_words(
                    (
                        *changed_facts(facts, match.rulebook, said),
                        *changed_options(options, match.rulebook.options),
                    )
                )
            case "report":
                line.told = reported_in_words(said, match.rulebook)
                line.notice = match.notices.get(entry.seq)
                self._solved(said, entry)
            case "restart":
                line.told = "The match goes on from a position that was given."
            case _:
                line.told = closed_in_words(match, said)
        if entry.target is not None and entry.kind == "adjust":
            line.told = f"Before line {entry.target}: {line.told[:1].lower()}{line.told[1:]}"

    def _undone(self, entry: Entry) -> str:
        if brings_back(entry):
            return self._brought_back(entry)
        with_it = sorted(seq for seq in self._gone if seq != entry.target)
        told = f"Line {entry.target} is taken back"
        return f"{told}, and with it {lines_in_words(with_it)}." if with_it else f"{told}."

    def _brought_back(self, entry: Entry) -> str:
        """All stands as before a correction: what counts again, and what counts no more."""
        came, gone = (lines_in_words(sorted(seqs)) for seqs in (self._came, self._gone))
        verb = "counts" if len(self._came) == 1 else "count"
        count = f"; {came} {verb} again" if self._came else ""
        go = f"; taken back: {gone}" if self._gone else ""
        return f"All stands as it stood before line {entry.target}{count}{go}."

    def _amended(self, entry: Entry) -> str:
        target = entry.target if entry.target is not None else -1
        question = self.match.asked_at(target)
        now = _answer_in_words(question, self._as_read(question, entry.answer))
        amended = self._lines.get(target)
        was = ""
        if amended is not None:
            text = f"Amended to “{now}” by line {entry.seq} {self._by(entry)}"
            amended.marks.append(LaterMark(entry.seq, text))
            was, amended.now = amended.now or amended.told, now
        return f"Line {target} is amended to “{now}”; it had been “{was}”."

    def _as_read(self, question: Question[Any] | None, typed: Json) -> Json:
        """An answer as the question reads it, however it was typed."""
        for said in (typed, in_codes(typed, self.match.rulebook.spoken_names())):
            try:
                return typed if question is None else question.parse(said).plain
            except IllegalAnswer:
                continue
        return typed

    def _solved(self, said: Mapping[str, Any], entry: Entry) -> None:
        if said.get("what") != "solved":
            return
        for line in self._lines.values():
            notice = line.notice
            fell = line.entry.seq in self._stood and line.entry.seq not in self.match.notices
            if notice is not None and notice.code == said.get("code") and fell:
                self._mark(line.entry.seq, entry, f"Solved by line {entry.seq} {self._by(entry)}")
                self._solvers[line.entry.seq] = entry.seq

    def _by(self, entry: Entry) -> str:
        """Who did it, when and why, as the end of a sentence."""
        who = self._who_is(self._author(entry, None), entry.author)
        told = f"({who}, {self._time_of_day(entry.at_utc)})"
        return f"{told}: {_sentence(entry.reason)}" if entry.reason else f"{told}."

    def _compare(self, before: _Standing, after: _Standing, entry: Entry) -> None:
        """What a line has changed of the past: answers that go and come, rulings that change."""
        self._gone = [seq for seq in before.steps if seq not in after.steps]
        self._came = [seq for seq in after.steps if seq not in before.steps]
        self._count_again(entry)
        for seq in before.steps:
            if seq in after.steps and before.steps[seq] != after.steps[seq] and entry.target != seq:
                text = f"It stands again as told before, by line {entry.seq} {self._by(entry)}"
                self._mark(seq, entry, text)
                self._lines[seq].now = ""
        self._take_out(before, after, entry)
        self._bring_back(before, after, entry)
        self._follow_amends(after, entry)
        for seq in {**before.ruled, **after.ruled}:
            if seq in self._lines and seq != entry.seq:
                old, new = before.ruled.get(seq, ()), after.ruled.get(seq, ())
                self._lines[seq].anew += _more(new, old)
                if gone := _more(old, new):
                    self._lines[seq].was.append(Replaced(entry.seq, gone, old))

    def _take_out(self, before: _Standing, after: _Standing, entry: Entry) -> None:
        """Lines that count no longer, or not before their question comes again."""
        for seq in (*before.steps, *sorted(before.parked), *sorted(before.dropped)):
            if seq in after.steps or seq not in self._lines:
                continue
            if seq in after.parked or seq in after.dropped:
                self._let_wait(seq, before, after, entry)
            elif seq in before.steps:
                done = "Taken back" if entry.kind == "undo" else "Asked again since"
                by = "by " if entry.kind == "undo" else ""
                text = f"{done} {by}line {entry.seq} {self._by(entry)}"
                self._set_aside(seq, entry, text)
            else:
                since = self._out_since.get(seq, seq)
                self._mark_again(seq, since, self._why_dropped(seq, since, entry))

    def _let_wait(self, seq: int, before: _Standing, after: _Standing, entry: Entry) -> None:
        """A line that waits for its question, or waits no longer as that never comes again."""
        over = after.dropped.get(seq)
        why = "its question has to come again." if over is None else f"{never_came(over)}."
        if seq in before.steps:
            self._set_aside(seq, entry, f"Out of effect since line {entry.seq}: {why}")
        elif over != before.dropped.get(seq):
            since = self._out_since.get(seq, seq)
            self._mark_again(seq, since, f"Out of effect since line {since}: {why}")

    def _why_dropped(self, seq: int, since: int, entry: Entry) -> str:
        """Why a line that waited counts no more."""
        line = self._lines[seq]
        out = f"Out of effect since line {since}"
        if entry.kind == "undo":
            return f"{out}, and taken back by line {entry.seq} {self._by(entry)}"
        said = line.entry.answer
        if line.entry.kind == "report" and isinstance(said, dict) and said.get("what") == "solved":
            return f"{out}, and no longer needed: at line {entry.seq} nothing was left to solve."
        return f"{out}: it does not fit what stands since line {entry.seq}."

    def _bring_back(self, before: _Standing, after: _Standing, entry: Entry) -> None:
        """Lines that count again, and what is said now of those that reported something."""
        for seq in after.steps:
            line = self._lines.get(seq)
            if line is None:
                continue
            until = entry.seq
            if seq not in before.steps and not line.in_effect:
                line.in_effect = True
                until = self._out_since.pop(seq, entry.seq)
                text = f"Out of effect from line {until} to line {entry.seq}."
                self._mark_again(seq, until, text)
            now = self.match.notices.get(seq)
            if line.notice is not None and now is not None and now != line.notice:
                line.noticed.append(Noticed(until, line.notice))
                line.notice = now

    def _count_again(self, entry: Entry) -> None:
        """Answers of an open form that had been told anew, where just that was taken back."""
        for seq, line in self._lines.items():
            told_anew = [mark for mark in line.marks if mark.line in self._gone]
            if told_anew and seq not in self._gone and entry.kind == "undo":
                line.in_effect = True
                self._mark(seq, entry, f"It counts again since line {entry.seq}.")
                self._by_key[line.entry.key] = seq

    def _follow_amends(self, after: _Standing, entry: Entry) -> None:
        """Amends that this line has put out of effect, and the one that it puts into it."""
        for seq, (amended, value) in list(self._amends.items()):
            if amended not in after.steps or after.steps[amended] != value:
                self._amended_once[seq] = self._amends.pop(seq)
                done = "Taken back" if entry.kind == "undo" else "Replaced"
                self._set_aside(seq, entry, f"{done} by line {entry.seq} {self._by(entry)}")
        target = entry.target
        if brings_back(entry):
            self._overtake(entry, after)
        if entry.kind == "amend" and target is not None and target in after.steps:
            self._amends[entry.seq] = (target, after.steps[target])

    def _overtake(self, entry: Entry, after: _Standing) -> None:
        """Undos and amends that count no more, and amends that count again."""
        overtaken = self.match.overtaken | {*range(entry.target or 0, entry.seq)}
        for seq, line in self._lines.items():
            if seq in overtaken and line.entry.kind == "undo" and line.in_effect:
                self._set_aside(seq, entry, f"Taken back by line {entry.seq} {self._by(entry)}")
        for seq, (amended, value) in list(self._amended_once.items()):
            if seq not in overtaken and after.steps.get(amended) == value:
                self._amends[seq] = self._amended_once.pop(seq)
                self._lines[seq].in_effect = True
                until = self._out_since.pop(seq, entry.seq)
                text = f"Out of effect from line {until} to line {entry.seq}."
                self._mark_again(seq, until, text)

    def _set_aside(self, seq: int, entry: Entry, text: str) -> None:
        if seq in self._lines:
            self._lines[seq].in_effect = False
            self._out_since[seq] = entry.seq
            self._mark(seq, entry, text)

    def _mark(self, seq: int, entry: Entry, text: str) -> None:
        self._lines[seq].marks.append(LaterMark(entry.seq, text))

    def _mark_again(self, seq: int, by: int, text: str) -> None:
        """In the place of what was last said of line `by`, which is so no longer."""
        marks = self._lines[seq].marks
        at = next((at for at in reversed(range(len(marks))) if marks[at].line == by), len(marks))
        marks[at : at + 1] = [LaterMark(by, text)]


def _event_of(entry: Entry) -> str:
    """What the clock did, or was told of a challenge; empty for another line."""
    said = entry.answer if entry.kind == "clock" else None
    return str(said.get("event", "")) if isinstance(said, dict) else ""


def _copied(entry: Entry, who: str) -> ProtocolLine:
    """A line that is not ruled on, as it was written."""
    told = "" if entry.answer is None else str(entry.answer)
    by = entry.author or str(TABLE)
    line = ProtocolLine(entry, who, by, entry.key or entry.kind, "", told, in_effect=False)
    line.marks.append(LaterMark(entry.seq, "It cannot be ruled on by this version."))
    return line


def _without(was: Replaced, now: Sequence[ReadRuling]) -> Replaced:
    """Leaves out what is ruled again by now."""
    gone = Counter(_more(was.all_then, now)) & Counter(was.rulings)
    return replace(was, rulings=tuple(gone.elements()))


def _more(some: Sequence[ReadRuling], others: Sequence[ReadRuling]) -> tuple[ReadRuling, ...]:
    """What is said more often among some than among others, as often as that."""
    return tuple((Counter(some) - Counter(others)).elements())


def _said(ruling: Ruling) -> ReadRuling:
    return ReadRuling(ruling.text, str(ruling.cite))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _answer_in_words(question: Question[Any] | None, answer: Json) -> str:
    return str(answer) if question is None else question.in_words(answer, brief=True)


# -- what was done, in sentences -------------------------------------------------------------


def clock_in_words(
    event: Mapping[str, Json], who: str = "", named: Mapping[Seat, str] = NOBODY
) -> str:
    """What the clock did, as a sentence; `who` did it (empty: the table, or the clock itself).

    >>> clock_in_words({"event": "paused", "rest_s": 12.4}, "Ana")
    'The clock was paused by Ana with 12.4 s left.'
    >>> clock_in_words({"event": "challenged", "by": "Paws", "rest_s": 3.0})
    'A challenge is open, by Paws; the clock stands with 3 s left.'
    """
    name, by = str(event.get("event", "")), f" by {who}" if who else ""
    if name in (*OPEN_EVENTS, CARD_IN_TIME):
        return _disputed_in_words(event, named, by)
    if name == "sounded":
        late = event.get("late_s")
        lateness = f", {late * 1000:.1f} ms late" if isinstance(late, int | float) else ""
        return f"The end of the phase sounded{lateness}."
    told, given, left = (
        _CLOCK_WORDS.get(name, f"The clock: {name}"),
        event.get("given_s"),
        _left(event),
    )
    if isinstance(given, int | float):
        told = f"{given:g} s were given" if given >= 0 else f"{-given:g} s were taken off"
    if name in ("given", "set"):
        left = f", so that{left.removeprefix(' with').removesuffix(' left')} are left"
    if name == "ended" and left:
        left = f"; match time goes on by the {left.removeprefix(' with ')}"
    silent = f" Nothing sounded: {event['silent']}" if event.get("silent") else ""
    return f"{told}{by}{left}.{silent}"


def _left(event: Mapping[str, Json]) -> str:
    rest = event.get("rest_s")
    return f" with {round(rest, 1):g} s left" if isinstance(rest, int | float) else ""


def _disputed_in_words(
    event: Mapping[str, Json], named: Mapping[Seat, str], decided_by: str
) -> str:
    """All that is told of a challenge, and a card that people say was laid in time."""
    said = Seat(str(event.get("by", TABLE)))
    caller = "the table" if said == TABLE else named.get(said, said)
    if event.get("event") != CARD_IN_TIME:
        return challenge_in_words(event, caller, decided_by, _left(event))
    seen_by = event.get("seen_by", "the sensor")
    return f"Card {event.get('card')} lay there in time, by {caller}; the {seen_by} had it as late."


BY_PEOPLE = ("paused", "resumed", "set", "given", "ended", CARD_IN_TIME, *OPEN_EVENTS)
"""What the clock does at somebody's word alone, and what is told of a challenge."""

_CLOCK_WORDS = {
    "started": "The clock started",
    "paused": "The clock was paused",
    "resumed": "The clock was started again",
    "set": "The clock was set",
    "stopped": "The clock was stopped",
    "ended": "The phase was let run out",
    "adopted": "The clock had run on while the companion was started anew; it is adopted",
    "sounds again": "Lamps and buzzer are there again; the clock runs on",
}


def adjusted_in_words(changes: Sequence[Changed]) -> str:
    """What an adjustment has changed: "The record is corrected: Sun Paws.GC, was Jaws.GL"."""
    if not changes:
        return "Nothing is corrected: the record said so already."
    return f"The record is corrected: {'; '.join(str(change) for change in changes)}."


def closed_in_words(match: Match[Any], said: Mapping[str, Any]) -> str:
    """How the arbiter closed the match."""
    winners = [
        match.rulebook.named.get(Seat(str(one)), str(one)) for one in said.get("winners", ())
    ]
    result = f"won by {listed(winners)}" if winners else "a draw"
    return f"The arbiter closes the match: {result}."


# -- what stands, in sentences ---------------------------------------------------------------


def what_stands(match: Match[Any], troubles: Sequence[str] = ()) -> Sequence[str]:
    """Round and turn, `troubles` that hold play up, pieces, who has what, and what is asked."""
    rulebook, position = match.rulebook, match.position
    called = position.place_names
    place = ", ".join(called.get(part, part.replace("-", " ")) for part in position.where())
    told = [f"{place[:1].upper()}{place[1:]}."] if place else []
    told += [*_whose_turn(match), *troubles]
    stand = [
        f"{_piece(piece, rulebook)} on {rulebook.plan.said_of(pose)}"
        for piece, pose in position.placement().items()
    ]
    told += [f"On the boards: {', '.join(stand)}."] if stand else []
    told += quantities_in_words(match)
    if match.outcome is not None:
        return [*told, f"The match has ended: {match.outcome.ruling.text}"]
    waiting = [q for key, q in match.open.items() if key not in match.answered]
    return [*told, *(f"Asked: {question.prompt}" for question in waiting)]


def _whose_turn(match: Match[Any]) -> Sequence[str]:
    """Who acts, where the position knows it: "Turn of: Ana."; nobody once the match has ended."""
    if match.outcome is not None:
        return []
    named = match.rulebook.named
    return [
        f"{fact.label}: {named[Seat(str(fact.value))]}."
        for fact in match.position.facts()
        if fact.name in _TURN and fact.seat == TABLE and Seat(str(fact.value)) in named
    ]


def quantities_in_words(match: Match[Any]) -> Sequence[str]:
    """What each side and player has, damage first, then what the whole table has.

    While the table is set up nothing is told of what nobody has counted or drawn yet.
    """
    rulebook, facts = match.rulebook, match.position.facts()
    setting_up = _SETTING_UP in match.position.where()
    shown = [fact for fact in facts if fact.public and fact.shows and _is_told(fact)]
    shown = [fact for fact in shown if not setting_up or (fact.value and fact.seat != TABLE)]
    shown.sort(key=lambda fact: fact.name.rpartition(".")[2] not in _DAMAGE)
    told: list[str] = []
    taken = rulebook.seats_taken()
    if rulebook.held_by:  # a person's second seat has piles of its own
        taken = tuple(s for s in rulebook.seats if s in taken or s in rulebook.held_by)
    for seat in dict.fromkeys((*rulebook.sides_taken(), *taken, TABLE)):
        own = [_have(fact, rulebook) for fact in shown if fact.seat == seat]
        called = rulebook.who(seat) if seat in rulebook.named else str(seat)
        whose = "" if seat == TABLE else f"{called}: "
        told += [f"{whose}{', '.join(own)}."] if own else []
    return told


_SETTING_UP = "set-up"
_TURN = ("active", "turn of")
_DAMAGE = ("hull", "damage", "destroyed", "down", "smoke", "gone")
"""Facts that say whose turn it is, and those that say how somebody fares; others follow them."""


def _is_told(fact: Fact) -> bool:
    """Whether there is anything to tell: nobody has to hear what is not so."""
    return fact.value not in (None, "", False, [], {}) or fact.shows.is_count


def _have(fact: Fact, rulebook: Rulebook[Any]) -> str:
    """What somebody has: "Hand 4", "Sun: Jaws", "Shot down"."""
    if fact.value is True:
        return fact.label
    colon = "" if isinstance(fact.value, int) else ":"
    return f"{fact.label}{colon} {words_of(fact, rulebook)}"


def _piece(piece: Piece, rulebook: Rulebook[Any]) -> str:
    token = rulebook.plan.token_of.get(piece)
    return token.label if token is not None else str(piece)
