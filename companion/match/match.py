"""Match: one game as a log of answers; position, questions and rulings are a replay of it.

There is no clock and no I/O in here: every verb takes a Stamp, and what a verb returns is not yet
on disk. `Referee` is what writes it down and only then shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core.errors import (
    BadCall,
    BadPosition,
    CompanionError,
    Drift,
    IllegalAnswer,
    MatchClosed,
    RuleBug,
    StaleOffer,
    refuse_kind,
    refuse_others,
)
from companion.core.offers import Offer, Stamp
from companion.core.question import Locked, Question, Ready
from companion.core.ruling import Fault, Level, Notice, Outcome, Ruling, Seat
from companion.core.text import counted, in_codes
from companion.games import rulebook_of
from companion.kit.adjusting import UnknownName
from companion.kit.box import PLAYERS
from companion.kit.reports import reported_in_words, ways_on
from companion.match.entry import Entry, Step
from companion.match.revision import Revision
from companion.match.rulebook import Position, Rulebook, Setup
from companion.match.timeline import Fate, Timeline

if TYPE_CHECKING:
    from companion.core.question import Taken
    from companion.core.ruling import Deed, Json
    from companion.match.run import Closing

PositionT = TypeVar("PositionT", bound=Position)
_NO_STEPS = {
    "clock": "tells what the clock or a button did",
    "undo": "is an undo",
}
"""Lines of the log that are no step, and what each is."""
AS_IT_STOOD = "as it stood"
"""The answer of an undo that takes back a correction and all that came after it."""
Hold = Callable[[Question[Any], Offer], None]
"""Raises IllegalAnswer where an answer must wait for the table, whatever the rules say of it."""

_NOBODYS = ("text", "what")
"""Fields of a report in which no person is named."""


class Match(Generic[PositionT]):
    """One match: its log, and what follows from it: open questions, position, rulings, outcome.

    `open` has the questions by key. Each says whom it asks (`by`), by which rule (`cite`), of which
    `kind` it is and, where it lists answers, which they are (`options_now()`).

    >>> stamp = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
    >>> match = Match.start(Setup("jaws-and-paws"), stamp)
    >>> match
    <Match of jaws-and-paws, 1 line; asked: set-up/toss>
    >>> [question.kind for question in match.open.values()]
    ['choose']
    """

    def __init__(self, setup: Setup) -> None:
        """A match without a log; use `start` or `replay`."""
        self.setup = setup
        self.entries: list[Entry] = []
        self.no_longer_asked: set[int] = set()
        """Lines of an earlier edition's log that answer what the rules by now know by themselves;
        the digests after them prove that nothing hangs on it."""
        self.note: Callable[[Step, Question[Any]], None] | None = None
        """Told of each answer before it is applied, while its question stands as it was asked."""
        self._timeline: Timeline[PositionT] = Timeline(rulebook_of(setup), setup)

    def __repr__(self) -> str:
        lines, asked = counted(len(self.entries), "line"), ", ".join(self.open) or "nothing more"
        return f"<Match of {self.setup.box}, {lines}; asked: {asked}>"

    @classmethod
    def start(cls, setup: Setup, stamp: Stamp) -> Match[PositionT]:
        """A new match; its log has one line, the set-up. BadCall or BadFile if that is wrong.

        It is played by the present edition of its rules, whatever edition the set-up names.
        """
        refuse_kind(setup, Setup, _A_SETUP)
        match = cls(replace(setup, edition=rulebook_of(setup).edition))
        match.entries.append(setup_line(match.setup, stamp))
        return match

    @classmethod
    def replay(cls, entries: Sequence[Entry]) -> Match[PositionT]:
        """The match that a log tells; Drift at the first line that no longer fits the rules."""
        match = cls.begun_by(entries)
        for seq, entry in enumerate(entries[1:], 1):
            _refuse_no_entry(seq, entry)
            match.again(entry)
        return match

    @classmethod
    def begun_by(cls, entries: Sequence[Entry]) -> Match[PositionT]:
        """The match as the first line of a log begins it.

        Drift where that is no set-up, or one of a box that this companion does not know.
        """
        first = entries[0] if entries else None
        if (
            not isinstance(first, Entry)
            or first.kind != "setup"
            or not isinstance(first.answer, dict)
        ):
            raise Drift(0, "no set-up line", "one")
        try:
            setup = Setup.from_json(first.answer)
        except TypeError as wrong:
            raise Drift(0, f"a set-up of {', '.join(first.answer)}", f"{wrong}") from wrong
        try:
            match = cls(setup)
        except BadCall as unknown:
            mode = " ".join((setup.box, *setup.variants))
            raise Drift(0, f"a match of {mode}", f"none such: {unknown}") from unknown
        match.entries.append(first)
        return match

    # -- what stands -----------------------------------------------------------------------

    @property
    def open(self) -> Mapping[str, Question[Any]]:
        """The open questions by key, answered ones of an open form included."""
        return self._timeline.run.open

    @property
    def answered(self) -> Mapping[str, Json]:
        """Answers already given in the open form; they may still be revised."""
        return {key: taken.plain for key, taken in self._timeline.run.answered.items()}

    @property
    def done_in_form(self) -> Sequence[Deed]:
        """What hands have done with the answers of the open form, which no ruling tells yet."""
        questions = [self.open[key] for key in self.answered]
        absent = self.rulebook.absent
        return [deed for one in questions if one.by not in absent for deed in one.deeds]

    @property
    def position(self) -> PositionT:
        """The position as ruled. Change it by answers and the arbiter's verbs alone."""
        return self._timeline.run.rules.position

    @property
    def rulebook(self) -> Rulebook[PositionT]:
        """The rules under way, with options and board plan."""
        return self._timeline.run.rules

    @property
    def rulings(self) -> Sequence[Ruling]:
        """Every ruling that stands, in order."""
        return self._timeline.run.said

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, once the match is over."""
        return self._timeline.run.outcome

    @property
    def notices(self) -> Mapping[int, Notice]:
        """What the table reported, by log number, as long as it is not solved."""
        return self._timeline.run.notices

    @property
    def steps(self) -> Sequence[Step]:
        """The steps in effect, in order: what undo and amend can reach."""
        return self._timeline.steps

    @property
    def parked(self) -> Sequence[Step]:
        """Old answers that wait, after an amend, until their question comes again."""
        return self._timeline.waiting

    @property
    def dropped(self) -> Mapping[int, str]:
        """Old answers whose question never comes again, and what is over by now ("round 4")."""
        return self._timeline.dropped

    @property
    def fates(self) -> Mapping[int, Fate]:
        """What became of the answers that an amend refitted, by log number."""
        return self._timeline.fates

    @property
    def last_act(self) -> int | None:
        """The log line that a plain undo would take back; None at the beginning."""
        return self._timeline.last_act

    def word_before(self, key: str, raw: Json) -> Notice | None:
        """What to tell whoever gives this answer before it counts; None: nothing, whatever it is.

        Where there may be something it is read as an answer is, with names of people and tokens put
        as codes. StaleOffer or MatchClosed: the question is not asked. IllegalAnswer: refused.
        """
        caution = self._timeline.run.question(key).caution
        if caution is None:
            return None
        word = caution(self._timeline.run.judge(key, raw).value)
        return word and replace(word, text=self.rulebook.with_people(word.text))

    def ruled_by(self) -> Sequence[tuple[int, str, Sequence[Ruling]]]:
        """Rulings grouped by the step that brought them: log number, key, rulings."""
        return self._timeline.run.ruled_by()

    def asked_at(self, seq: int) -> Question[Any] | None:
        """The question that line `seq` answered, as it was asked; None if it is not in effect."""
        run = self._timeline.replayer(0)
        try:
            for step in self.steps:
                if step.seq == seq:
                    return run.open.get(step.key)
                run.apply(step)
        finally:
            run.close()
        return None

    def says(self, seq: int, raw: Json) -> bool:
        """Whether line `seq`, which is in effect, has this answer, in whatever spelling."""
        run = self._timeline.replayer(0)
        try:
            for step in self.steps:
                if step.seq == seq:
                    was, now = run.judge(step.key, step.value), run.judge(step.key, raw)
                    return was.plain == now.plain
                run.apply(step)
        finally:
            run.close()
        return False

    def step_by_step(self) -> Iterator[tuple[Step | None, PositionT, Sequence[Ruling]]]:
        """The match played again: the beginning (None), then each step in effect.

        With the position right after it, which the next step changes, and what it had ruled.
        """
        run = self._timeline.replayer(0)
        try:
            yield None, run.rules.position, run.said[:]
            for step in self.steps:
                said = len(run.said)
                run.apply(step)
                yield step, run.rules.position, run.said[said:]
        finally:
            run.close()

    def _in_words(self, seqs: Collection[int]) -> dict[int, str]:
        """What lines in effect say: the question as it was asked and its answer, or the report."""
        told: dict[int, str] = {}
        run = self._timeline.replayer(0)
        try:
            for step in self.steps:
                if step.kind == "report" and isinstance(step.value, dict) and step.seq in seqs:
                    told[step.seq] = reported_in_words(step.value, self.rulebook).rstrip(".")
                question = run.open.get(step.key) if step.answers and step.seq in seqs else None
                if question is not None:
                    answer = question.in_words(step.value, brief=True)
                    told[step.seq] = f"{question.prompt} — {answer}"
                run.apply(step)
        finally:
            run.close()
        return told

    # -- answers ---------------------------------------------------------------------------

    def starts_round(self, question: Question[Any]) -> bool:
        """Whether a round begins with the answer to this open question.

        So do the first question of a round, and each word that says so; before the first round it
        is the word that all is in place.
        """
        if isinstance(question, Locked):
            return False
        if isinstance(question, Ready) and question.starts:
            return True
        place = self.rulebook.split_key(question.key)[0]
        return place != self._place_before() if place else isinstance(question, Ready)

    def _place_before(self) -> str:
        """The round of the last question that is closed; empty where play begins afresh."""
        for step in reversed(self.steps):
            if step.kind == "restart":
                return ""
            if step.answers and step.key not in self.open:
                return self.rulebook.split_key(step.key)[0]
        return ""

    def answer(self, offer: Offer, stamp: Stamp, hold: Hold | None = None) -> Entry:
        """Judge, apply, and log an answer; nothing is changed if it is refused.

        StaleOffer: the question is gone. IllegalAnswer: refused, with code and cite; `hold` may
        refuse it besides. RuleBug: a rule of ours failed; the match stands as before.
        """
        refuse_kind(offer, Offer, "an Offer is wanted")
        refuse_kind(stamp, Stamp, _A_STAMP)
        run = self._timeline.run
        if run.notices:
            self._refuse_while_blocked()
        question = run.open.get(offer.key)
        if question is None:
            lapsed = self._answer_by_lapsing(offer, stamp, hold)
            if lapsed is not None:
                return lapsed
        else:
            if offer.opened != -1:
                self.refuse_stale(question, offer)
            if hold is not None:
                hold(question, offer)
        taken, lapses = self._judged(offer)
        return self._put(offer, taken, lapses, stamp)

    def refuse_stale(self, question: Question[Any], offer: Offer) -> None:
        """StaleOffer where the question was asked afresh since the offer was made."""
        if offer.opened not in (-1, question.opened):
            raise StaleOffer(f"{offer.key} was asked afresh since; look at what is asked now.")

    def judge_together(self, answers: Mapping[str, Json]) -> None:
        """Judge answers to open questions by key, as if each were given after the other.

        Nothing is given. Errors as `answer`, but for RuleBug.
        """
        _refuse_no_names("answers", answers)
        if self._timeline.run.notices:
            self._refuse_while_blocked()
        self._timeline.run.judge_together(answers)

    def _judged(self, offer: Offer) -> tuple[Taken, Closing | None]:
        """The answer as taken, and what lapses with it; a law that fails is a RuleBug."""
        run = self._timeline.run
        try:
            taken = run.judge(offer.key, offer.raw)
            return taken, run.closing(offer.key, taken)
        except CompanionError:
            raise
        except Exception as bug:
            what = f"a law failed on {offer.key} = {offer.raw!r}"
            raise RuleBug.of(what, bug, run.rules) from bug

    def _refuse_while_blocked(self) -> None:
        run = self._timeline.run
        for seq, notice in run.notices.items():
            if notice.level is Level.BLOCK:
                text = f"{notice.text} {ways_on(notice, run.reported.get(seq, {}))}"
                raise IllegalAnswer(notice.code, text, notice.cite)

    def _answer_by_lapsing(self, offer: Offer, stamp: Stamp, hold: Hold | None) -> Entry | None:
        """Where silence leads to the question that the offer names: log both answers.

        What that question refuses is refused in its words; elsewhere nothing has happened.
        """
        run = self._timeline.run
        waiting = [q for k, q in run.open.items() if k not in run.answered]
        if not waiting or any(question.lapse is None for question in waiting):
            return None
        steps, lines, opened = len(self.steps), len(self.entries), run.opened
        try:
            self._let_lapse(waiting, stamp, hold)
            return self.answer(offer, stamp, hold)
        except CompanionError as wrong:
            del self.entries[lines:]
            self._timeline.cut(steps, opened)
            if isinstance(wrong, IllegalAnswer | RuleBug):
                raise
            return None

    def _let_lapse(self, waiting: Sequence[Question[Any]], stamp: Stamp, hold: Hold | None) -> None:
        """Silence answers these; StaleOffer where it does not go with what was said."""
        for question in waiting:
            if question.key not in self.open:
                continue
            silence = Offer(question.key, question.lapse, "lapse", question.by)
            if hold is not None:
                hold(question, silence)
            try:
                self.answer(silence, stamp)
            except IllegalAnswer as refused:
                raise StaleOffer(f"{question.key} waits for a word: {refused}") from refused

    def _put(self, offer: Offer, taken: Taken, lapses: Closing | None, stamp: Stamp) -> Entry:
        """Apply a judged answer and what lapses with it, then log both."""
        seq, source, timeline = len(self.entries), offer.source, self._timeline
        silences: Sequence[Step] = ()
        if lapses:
            silences = [Step(seq + at, "lapse", key, t.plain) for at, (key, t) in enumerate(lapses)]
            seq += len(silences)
        kind = "lapse" if source == "lapse" else "answer"
        step = Step(seq, kind, offer.key, taken.plain)
        if self.note is not None:
            for one in (*silences, step):  # while their questions stand
                self.note(one, self.open[one.key])
        begun = timeline.run.begun
        timeline.put(step, taken, lapses)
        run = timeline.run
        digest = run.digest if run.begun != begun else ""
        author, at_utc, match_s = stamp.author, stamp.at_utc, stamp.match_s
        for silence in silences:
            self.entries.append(Entry(*silence, None, author, "lapse", "", at_utc, match_s))
        line = Entry(
            seq, kind, offer.key, taken.plain, None, author, source, offer.reason, at_utc, match_s,
            digest,
        )  # fmt: skip
        self.entries.append(line)
        return line

    # -- the arbiter -----------------------------------------------------------------------

    def undo(self, seq: int | None = None, reason: str = "", *, stamp: Stamp) -> Entry:
        """Back to before log line `seq` (None: the last act). In an open form: that key alone.

        BadCall: there is nothing to undo, no such line, or none that can be undone.
        """
        refuse_kind(stamp, Stamp, _A_STAMP)
        target = self._timeline.last_act if seq is None else seq
        if target is None:
            raise BadCall("Nothing to undo: this is where the match began.")
        self._refuse_no_line(target)
        self._back_to(target, len(self.entries) + 1)
        return self._log("undo", stamp, target=target, reason=reason)

    def bring_back(self, seq: int, reason: str = "", *, stamp: Stamp) -> Entry:
        """Let all stand as before the correction in line `seq`, be it an undo; later lines go.

        BadCall where that line corrected nothing.
        """
        refuse_kind(stamp, Stamp, _A_STAMP)
        refuse_kind(seq, int, _A_LINE)
        kind = self.entries[seq].kind if 0 < seq < len(self.entries) else ""
        if kind not in CORRECTIONS:
            raise BadCall(f"Line {seq} is no correction: there is nothing to bring back.")
        self._timeline.stand_as_before(seq, len(self.entries) + 1)
        return self._log("undo", stamp, target=seq, answer=AS_IT_STOOD, reason=reason)

    @property
    def overtaken(self) -> frozenset[int]:
        """The lines that no longer count: a later line brought back what stood before them."""
        gone: set[int] = set()
        for entry in reversed(self.entries):
            if brings_back(entry) and entry.seq not in gone and entry.target is not None:
                gone.update(range(entry.target, entry.seq))
        return frozenset(gone)

    def amend(self, seq: int, raw: Json, reason: str = "") -> Revision:
        """What changes if line `seq` had been answered `raw`; nothing changes until commit().

        BadCall: no such line, or none that answers. IllegalAnswer: its question refuses `raw`.
        """
        self._refuse_no_line(seq)
        stood = tuple(self.steps)

        def put(seen: Revision, stamp: Stamp) -> Entry:
            refuse_kind(stamp, Stamp, _A_STAMP)
            if tuple(self.steps) != stood:
                raise BadCall("The match has gone on since: look at the change again.")
            self._timeline.amend(seen.seq, seen.raw, len(self.entries))
            return self._log("amend", stamp, answer=seen.raw, target=seen.seq, reason=seen.reason)

        changed = self._timeline.amended(seq, raw, len(self.entries) + 1)
        said = self._in_words(set(changed.fates))
        acts = self._acts()
        asked = {key: question.prompt for key, question in self.open.items()}
        return Revision(seq, raw, reason, changed, self.ruled_by(), put, said, acts, asked)

    def _acts(self) -> frozenset[int]:
        """The lines in effect that answer no question."""
        return frozenset(step.seq for step in self.steps if not step.answers)

    def reread(self, setup: Setup) -> Revision:
        """What the same answers come to under another set-up: house rules, or an edition.

        Nothing is changed. An answer stands where its question comes and still takes it, whatever
        else may be answered there by then. BadCall where the set-up cannot be, or is another box's.
        """
        refuse_kind(setup, Setup, _A_SETUP)
        if setup.box != self.setup.box:
            raise BadCall(f"a match of {self.setup.box} cannot be read as one of {setup.box}")
        other: Match[PositionT] = Match(setup)
        changed = other._timeline.fitted(self.steps)

        def put(_seen: Revision, _stamp: Stamp) -> Entry:
            raise BadCall("What a match would have come to is no change of it.")

        said, acts = self._in_words({step.seq for step in self.steps}), self._acts()
        asked = {key: question.prompt for key, question in self.open.items()}
        return Revision(0, None, "", changed, self.ruled_by(), put, said, acts, asked)

    def adjust(
        self, changes: Mapping[str, Json], reason: str, *, before: int | None = None, stamp: Stamp
    ) -> Entry:
        """Set quantities, places and options ("option.NAME") together, judged after all of them.

        `before` inserts the adjustment before an older line and refits what followed.
        BadCall: an unknown name, or none at all. BadPosition: together they cannot be. Nothing is
        changed by either.
        """
        _refuse_no_names("changes", changes)
        if not changes:
            raise BadCall("An adjustment names what it changes: nothing is named here.")
        if before is not None:
            self._refuse_no_line(before)
        self._refuse_other_seats(changes)
        return self._insert("adjust", dict(changes), stamp, reason, before)

    def _refuse_other_seats(self, changes: Mapping[str, Json]) -> None:
        """BadPosition for another number of people than sat down to this match."""
        switch, told = self.rulebook.switches.get(PLAYERS), changes.get(f"option.{PLAYERS}")
        many = len(self.rulebook.seats_taken())
        if switch is None or told is None or switch.read(told) == many:
            return
        text = f"{many} people play here. The house rule players cannot make them {told} now."
        raise BadPosition("adjustment", [Fault(PLAYERS, text, switch.cite)])

    def report(self, fact: Mapping[str, Json], stamp: Stamp, reason: str = "") -> Notice | None:
        """What the table saw and no question asked; the notice it brings (None: one was solved).

        BadCall: the box knows no such report, or a field of it is missing or wrong.
        """
        _refuse_no_names("a report", fact)
        entry = self._insert("report", dict(fact), stamp, reason)
        return self.notices.get(entry.seq)

    def restart(self, position: Mapping[str, Json], reason: str, stamp: Stamp) -> Entry:
        """Go on from another position, for an arbiter who sees no other way.

        `position` is a position file's object. BadFile names what is wrong in it, BadPosition what
        cannot be.
        """
        _refuse_no_names("a position", position)
        return self._insert("restart", dict(position), stamp, reason)

    def close(self, winners: Sequence[Seat], text: str, reason: str, stamp: Stamp) -> Entry:
        """End the match as the arbiter says: sides that win (none: a draw), and why, in words.

        BadCall: a winner is no side. MatchClosed: it has ended already.
        """
        if self.outcome is not None:
            raise MatchClosed(
                f"The match has ended already: {self.outcome.ruling.text.rstrip('.')}. Another "
                "result comes by undo or amend of what led to this one, or by a restart."
            )
        refuse_kind(winners, (tuple, list), "winners: a list of names is wanted")
        called = [self.rulebook.side_called(name) for name in winners]
        said: dict[str, Json] = {"winners": [*called], "text": text}
        return self._insert("close", said, stamp, reason)

    def _refuse_no_line(self, seq: int) -> None:
        """A line that was never written, or one that is nothing to take back."""
        refuse_kind(seq, int, _A_LINE)
        last = len(self.entries) - 1
        if seq == 0:
            raise BadCall("Line 0 is the set-up of the match; a new match is set up otherwise.")
        if not 0 < seq <= last:
            many = f"the last one so far is line {last}" if last else "so far there is none"
            raise BadCall(f"There is no line {seq}: {many}.")
        kind = _NO_STEPS.get(self.entries[seq].kind)
        if kind is not None:
            raise BadCall(f"Line {seq} {kind}, which cannot be undone or amended.")

    def _insert(
        self, kind: str, value: Json, stamp: Stamp, reason: str, before: int | None = None
    ) -> Entry:
        refuse_kind(stamp, Stamp, _A_STAMP)
        try:
            value = self._inserted(kind, value, before)
        except UnknownName as unknown:
            people = {str(seat): name for seat, name in self.setup.seats.items() if name}
            raise unknown.called(people) from None
        return self._log(kind, stamp, answer=value, target=before, reason=reason)

    def _inserted(self, kind: str, value: Json, before: int | None) -> Json:
        """Put it in as it was said, else with names as codes; what was put in."""
        try:
            self._timeline.insert(kind, value, len(self.entries), before)
        except BadCall:
            said, value = value, self._in_codes(value)
            if value == said:
                raise
            with self._refused_by_name():
                self._timeline.insert(kind, value, len(self.entries), before)
        return value

    @contextmanager
    def _refused_by_name(self) -> Generator[None]:
        """A refusal that begins with a seat's quantity names who sits there: "Ana.hand: ..."."""
        try:
            yield
        except BadCall as wrong:
            whose, dot, rest = str(wrong).partition(".")
            name = self.setup.seats.get(Seat(whose), "")
            if type(wrong) is not BadCall or not dot or not name:
                raise
            raise BadCall(f"{self.rulebook.person(name)}.{rest}") from None

    def _in_codes(self, said: Json) -> Json:
        """What was adjusted or reported, with the names of people and tokens put as codes."""
        if not isinstance(said, dict):
            return said
        names = self.rulebook.spoken_names()
        own_words = {name: part for name, part in said.items() if name in _NOBODYS}
        coded = in_codes({n: part for n, part in said.items() if n not in own_words}, names)
        if not isinstance(coded, dict):
            return said
        if len(coded) + len(own_words) < len(said):
            twice = next(
                name for name in said if name not in coded and in_codes(name, names) in said
            )
            same, cite = in_codes(twice, names), self.rulebook.corrections
            raise BadCall(f"{same} and {twice} are one; give it once [{cite}]")
        return {**coded, **own_words}

    def note_clock(
        self, key: str, event: Mapping[str, Json], stamp: Stamp, reason: str = ""
    ) -> Entry:
        """Log what the clock did (started, paused, resumed, given); it changes no position."""
        refuse_kind(stamp, Stamp, _A_STAMP)
        _refuse_no_names("what the clock did", event)
        said = dict(event)
        return self._log("clock", stamp, key=key, answer=said, source="clock", reason=reason)

    def _log(self, kind: str, stamp: Stamp, **fields: Any) -> Entry:
        entry = _line(len(self.entries), kind, stamp, **fields)
        self.entries.append(entry)
        return entry

    # -- position files --------------------------------------------------------------------

    def position_file(self) -> dict[str, Json]:
        """The position at the last begin() and, under "since", the answers given after it."""
        run = self._timeline.replayer(0, keep_file=True)
        for step in self.steps:
            run.apply(step)
        file = dict(run.file or self.position.to_file())
        since: list[Json] = [*run.since]
        return {**file, "since": since} if since else file

    # -- replay ----------------------------------------------------------------------------

    def again(self, entry: Entry) -> None:
        """Do what the next line of a log says; Drift where the line or its digest differs."""
        if entry.seq != len(self.entries):
            raise Drift(entry.seq, f"line {entry.seq}", f"line {len(self.entries)}")
        try:
            self._redo(entry)
        except Exception as wrong:
            asked = ", ".join(self.open) or "nothing"
            said = f"{entry.kind} {entry.key} {entry.answer!r}"
            raise Drift(entry.seq, said, f"{asked}: {wrong}") from wrong
        self.entries.append(entry)
        run = self._timeline.run
        if entry.digest in ("", run.digest):
            return
        if not (self.setup.edition < run.rules.edition and run.has_passed(entry.digest)):
            raise Drift(entry.seq, f"digest {entry.digest}", f"digest {run.digest}")

    def _redo(self, entry: Entry) -> None:
        timeline = self._timeline
        match entry.kind:
            case "answer" | "lapse":
                self._redo_answer(entry)
            case "undo" if brings_back(entry):
                timeline.stand_as_before(_target(entry), entry.seq + 1)
            case "undo":
                self._back_to(_target(entry), entry.seq + 1)
            case "amend":
                self._redo_amend(entry)
            case "adjust" | "report" | "restart" | "close":
                before = None if entry.target is None else self._in_effect_from(entry.target)
                timeline.insert(entry.kind, entry.answer, entry.seq, before)
            case "clock":
                pass
            case unknown:
                raise BadCall(f"a line of kind {unknown!r}")

    def _redo_answer(self, entry: Entry) -> None:
        """The log has its lapses as lines of their own: only the last answer closes a form."""
        run = self._timeline.run
        if run.is_passed_over(entry.key):
            self.no_longer_asked.add(entry.seq)
            return
        taken = run.judge(entry.key, entry.answer)
        closes = entry.kind == "answer" or run.is_last(entry.key)
        lapses = run.closing(entry.key, taken) if closes else None
        self._timeline.put(Step(entry.seq, entry.kind, entry.key, taken.plain), taken, lapses)

    def _redo_amend(self, entry: Entry) -> None:
        """Another answer to what is no longer asked: nothing hangs on it, as digests prove."""
        target = _target(entry)
        if target in self.no_longer_asked:
            self.no_longer_asked.add(entry.seq)
        else:
            self._timeline.amend(target, entry.answer, entry.seq)

    def _back_to(self, target: int, opened: int) -> None:
        """Back to before a line; where that is no longer asked, what came after it goes."""
        first = self._in_effect_from(target)
        if first is not None:
            self._timeline.undo(first, opened)

    def _in_effect_from(self, seq: int) -> int | None:
        """A line, or what is in effect after one that is no longer asked; None where nothing is."""
        if seq not in self.no_longer_asked:
            return seq
        return next((step.seq for step in self.steps if step.seq > seq), None)


CORRECTIONS = ("undo", "amend", "adjust", "report", "restart", "close")
"""Kinds of lines that change what earlier lines told."""


def brings_back(entry: Entry) -> bool:
    """Whether it lets all stand as it did before a correction."""
    return entry.kind == "undo" and entry.answer == AS_IT_STOOD


_A_LINE = "a line's number is wanted"
_A_STAMP = "a Stamp is wanted"
_A_SETUP = "a Setup is wanted"


def _refuse_no_entry(seq: int, entry: object) -> None:
    if not isinstance(entry, Entry):
        raise Drift(seq, brief(entry), "a line of the log")


def _refuse_no_names(what: str, said: Mapping[Any, Json]) -> None:
    wanted = f"{what}: values by name are wanted"
    refuse_kind(said, Mapping, wanted)
    refuse_others(said, str, f"{wanted}, not {brief(said)}")


def _target(entry: Entry) -> int:
    if entry.target is None:
        raise BadCall(f"the {entry.kind} names no line")
    return entry.target


def setup_line(setup: Setup, stamp: Stamp) -> Entry:
    """Line 0 of a match's log: what it is played under. BadCall for an argument of another kind."""
    refuse_kind(setup, Setup, _A_SETUP)
    refuse_kind(stamp, Stamp, _A_STAMP)
    return _line(0, "setup", stamp, answer=setup.to_json())


def _line(seq: int, kind: str, stamp: Stamp, **fields: Any) -> Entry:
    return Entry(
        seq, kind, author=stamp.author, at_utc=stamp.at_utc, match_s=stamp.match_s, **fields
    )
