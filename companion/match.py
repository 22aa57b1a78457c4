"""Match: one game as a log of answers; position, questions and rulings are a replay of it.

There is no clock and no I/O in here: every verb takes a Stamp, and what a verb returns is not yet
on disk. `Referee` is what writes it down and only then shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.entry import Entry, Step
from companion.errors import BadCall, CompanionError, Drift, IllegalAnswer, RuleBug, StaleOffer
from companion.games import find_rulebook
from companion.offers import Offer, Stamp
from companion.refit import Fate, Refit, Revision, refit
from companion.rulebook import Position, Setup
from companion.ruling import Level, Notice, Outcome, Ruling, Seat
from companion.run import Closing, Run

if TYPE_CHECKING:
    from companion.offers import Json
    from companion.question import Question, Taken

PositionT = TypeVar("PositionT", bound=Position)
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Before:
    """What stood before a log line that did more than add a step."""

    steps: Steps
    parked: Steps


class Match(Generic[PositionT]):
    """Ask, answer, undo, amend, adjust, replay.

    >>> stamp = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
    >>> match = Match.start(Setup("jaws-and-paws"), stamp)
    >>> [question.kind for question in match.open.values()]
    ['choose']
    """

    def __init__(self, setup: Setup) -> None:
        """A match without a log; use `start` or `replay`."""
        self.setup = setup
        self.entries: list[Entry] = []
        self.fates: dict[int, Fate] = {}
        self._rulebook = find_rulebook(setup.box).in_variants(setup.variants)
        self._steps: list[Step] = []
        self._parked: Steps = ()
        self._acts: list[int] = []
        self._before: dict[int, _Before] = {}
        self._run = self._replayer(1)

    @classmethod
    def start(cls, setup: Setup, stamp: Stamp) -> Match[PositionT]:
        """A new match; its log has one line, the set-up. BadCall or BadFile if that is wrong."""
        match = cls(setup)
        match._log(_line(0, "setup", stamp, answer=setup.to_json()))
        return match

    @classmethod
    def replay(cls, entries: Sequence[Entry]) -> Match[PositionT]:
        """The match that a log tells; Drift at the first line that no longer fits the rules."""
        if not entries or entries[0].kind != "setup" or not isinstance(entries[0].answer, dict):
            raise Drift(0, "no set-up line", "one")
        match = cls(Setup.from_json(entries[0].answer))
        match._log(entries[0])
        for entry in entries[1:]:
            match._again(entry)
        return match

    # -- what stands -----------------------------------------------------------------------

    @property
    def open(self) -> Mapping[str, Question[Any]]:
        """The open questions by key, answered ones of an open form included."""
        return self._run.open

    @property
    def answered(self) -> Mapping[str, Json]:
        """Answers already given in the open form; they may still be revised."""
        return {key: taken.plain for key, taken in self._run.answered.items()}

    @property
    def position(self) -> PositionT:
        """The position as ruled. Change it by answers and the arbiter's verbs alone."""
        return self._run.rules.position

    @property
    def rulebook(self) -> Any:
        """The rules under way, with options and board plan."""
        return self._run.rules

    @property
    def rulings(self) -> Sequence[Ruling]:
        """Every ruling that stands, in order."""
        return self._run.said

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, once the match is over."""
        return self._run.outcome

    @property
    def notices(self) -> Mapping[int, Notice]:
        """What the table reported, by log number, as long as it is not solved."""
        return self._run.notices

    @property
    def steps(self) -> Sequence[Step]:
        """The steps in effect, in order: what undo and amend can reach."""
        return self._steps

    @property
    def parked(self) -> Sequence[Step]:
        """Old answers that wait for their question to come again after an amend."""
        return self._parked

    def ruled_by(self) -> list[tuple[int, str, Sequence[Ruling]]]:
        """Rulings grouped by the step that brought them: log number, key, rulings."""
        grouped: list[tuple[int, str, Sequence[Ruling]]] = []
        start = 0
        for seq, key, end in self._run.spans:
            grouped.append((seq, key, self._run.said[start:end]))
            start = end
        return grouped

    # -- answers ---------------------------------------------------------------------------

    def answer(self, offer: Offer, stamp: Stamp) -> Entry:
        """Judge, apply, and log an answer; nothing is changed if it is refused.

        StaleOffer: the question is gone. IllegalAnswer: refused, with code and cite. RuleBug: a
        rule of ours failed; the match stands as before.
        """
        run = self._run
        self._refuse_while_blocked()
        question = run.open.get(offer.key)
        if question is None:
            lapsed = self._answer_by_lapsing(offer, stamp)
            if lapsed is not None:
                return lapsed
        elif offer.opened not in (-1, question.opened):
            raise StaleOffer(f"{offer.key} was asked afresh since; look at what is asked now.")
        taken = run.judge(offer.key, offer.raw)
        lapses = run.closing(offer.key, taken)
        return self._put(offer.key, taken, lapses, stamp, offer.source)

    def _refuse_while_blocked(self) -> None:
        for notice in self._run.notices.values():
            if notice.level is Level.BLOCK:
                text = f"{notice.text} {notice.way_out}".strip()
                raise IllegalAnswer(notice.code, text, notice.cite)

    def _answer_by_lapsing(self, offer: Offer, stamp: Stamp) -> Entry | None:
        """Where silence leads to the question that the offer names: log both answers."""
        waiting = [q for k, q in self._run.open.items() if k not in self._run.answered]
        if not waiting or any(question.lapse is None for question in waiting):
            return None
        mark, log = len(self._steps), len(self.entries)
        try:
            for question in waiting:
                silent = Offer(question.key, question.lapse, "lapse", question.by)
                self.answer(silent, stamp)
            return self.answer(offer, stamp)
        except (CompanionError, IllegalAnswer):
            del self._steps[mark:], self.entries[log:]
            self._acts = [seq for seq in self._acts if seq < log]
            self._rebuild()
            return None

    def _put(
        self, key: str, taken: Taken, lapses: Closing | None, stamp: Stamp, source: str
    ) -> Entry:
        """Apply a judged answer and what lapses with it, then log both."""
        run, first = self._run, len(self.entries)
        silent = lapses or ()
        seq = first + len(silent)
        run.opened, digest = seq + 1, run.digest
        kind = "lapse" if source == "lapse" else "answer"
        step = Step(seq, kind, key, taken.plain)
        self._remember(seq)
        try:
            run.take(step, taken, lapses)
        except Exception as bug:
            self._rebuild()
            raise RuleBug(f"a rule failed after {key} = {taken.plain!r}: {bug!r}") from bug
        for at, (silent_key, silence) in enumerate(silent, first):
            self._steps.append(Step(at, "lapse", silent_key, silence.plain))
        self._steps.append(step)
        self._acts.append(seq)
        self._unpark(seq + 1)
        fresh = self._run.digest if self._run.digest != digest else ""
        for at, (silent_key, silence) in enumerate(silent, first):
            line = _line(at, "lapse", stamp, key=silent_key, answer=silence.plain, source="lapse")
            self.entries.append(line)
        line = _line(seq, kind, stamp, key=key, answer=taken.plain, source=source, digest=fresh)
        return self._log(line)

    def _unpark(self, opened: int) -> None:
        """Old answers that were waiting take their place as their questions come."""
        if self._parked:
            self._adopt(refit(self._replayer, self._steps, self._parked, opened=opened))

    # -- taking back -----------------------------------------------------------------------

    def undo(self, seq: int | None = None, reason: str = "", *, stamp: Stamp) -> Entry:
        """Back to before log line `seq` (None: the last act). In an open form: that key alone."""
        if not self._acts:
            raise BadCall("Nothing to undo: this is where the match began.")
        target = self._acts[-1] if seq is None else seq
        self._undo(target)
        entry = _line(len(self.entries), "undo", stamp, target=target, reason=reason)
        return self._log(entry)

    def _undo(self, target: int) -> None:
        at = next((i for i, step in enumerate(self._steps) if step.seq == target), None)
        before = self._before.get(target)
        if before is not None and target == self._acts[-1]:
            steps, parked = list(before.steps), before.parked
        elif at is None:
            raise BadCall(f"Line {target} is not in effect: it was undone, or is no answer.")
        elif self._in_open_form(at):
            steps, parked = self._steps[:at] + self._steps[at + 1 :], self._parked
            self._acts.remove(target)
            self._rest(steps, parked)
            return
        else:
            while at > 0 and self._steps[at - 1].kind == "lapse" and self._closed_by(at):
                at -= 1
            steps, parked = self._steps[:at], ()
        self._acts = [act for act in self._acts if act < target]
        self._rest(steps, parked)

    def _closed_by(self, at: int) -> bool:
        """Whether the step at `at` follows the lapse before it in the same breath."""
        return self._steps[at].seq == self._steps[at - 1].seq + 1

    def _in_open_form(self, at: int) -> bool:
        key = self._steps[at].key
        return self._steps[at].answers and key in self._run.answered

    def _rest(self, steps: list[Step], parked: Steps) -> None:
        self._steps, self._parked = steps, parked
        kept = {step.seq for step in steps}
        self.fates = {seq: fate for seq, fate in self.fates.items() if seq in kept}
        self._rebuild(len(self.entries) + 1)

    # -- the arbiter -----------------------------------------------------------------------

    def amend(self, seq: int, raw: Json, reason: str = "") -> Revision:
        """What changes if line `seq` had been answered `raw`; nothing changes until commit()."""
        changed = self._amended(seq, raw)
        return Revision(self, seq, raw, reason, changed, self.ruled_by())

    def commit_amend(self, seq: int, raw: Json, reason: str, stamp: Stamp) -> Entry:
        """Put an amend into effect (Revision.commit calls this)."""
        changed = self._amended(seq, raw)
        number = len(self.entries)
        self._remember(number, always=True)
        self._adopt(changed)
        self._acts.append(number)
        return self._log(_line(number, "amend", stamp, answer=raw, target=seq, reason=reason))

    def _amended(self, seq: int, raw: Json) -> Refit[PositionT]:
        at = self._step_at(seq)
        old = self._steps[at]
        if not old.answers:
            raise BadCall(f"Line {seq} is no answer; undo it instead.")
        new = Step(old.seq, "answer", old.key, raw)
        opened = len(self.entries) + 1
        later = (*self._steps[at + 1 :], *self._parked)
        return refit(
            self._replayer, [*self._steps[:at], new], later, opened=opened, was=self._steps
        )

    def adjust(
        self, changes: Mapping[str, Json], reason: str, *, before: int | None = None, stamp: Stamp
    ) -> Entry:
        """Set quantities, places and options ("option.NAME") together, judged after all of them.

        `before` inserts the adjustment before an older line and refits what followed.
        BadCall: an unknown name. BadPosition: together they cannot be; nothing is changed.
        """
        seq = len(self.entries)
        self._insert("adjust", dict(changes), seq, before)
        return self._log(
            _line(seq, "adjust", stamp, answer=dict(changes), target=before, reason=reason)
        )

    def _insert(self, kind: str, value: Json, seq: int, before: int | None) -> None:
        at = len(self._steps) if before is None else self._step_at(before)
        key = self._steps[at - 1].key if at else ""
        step = Step(seq, kind, key, value)
        later = (*self._steps[at:], *self._parked)
        changed = refit(
            self._replayer, [*self._steps[:at], step], later, opened=seq + 1, was=self._steps
        )
        self._remember(seq, always=True)
        self._adopt(changed)
        self._acts.append(seq)

    def _step_at(self, seq: int) -> int:
        for at, step in enumerate(self._steps):
            if step.seq == seq:
                return at
        raise BadCall(f"Line {seq} is not in effect: it was undone, or is no answer.")

    def report(self, fact: Mapping[str, Json], stamp: Stamp, reason: str = "") -> Notice | None:
        """What the table saw and no question asked; the notice it brings (None: one was solved)."""
        seq = len(self.entries)
        self._insert("report", dict(fact), seq, None)
        self._log(_line(seq, "report", stamp, answer=dict(fact), reason=reason))
        return self._run.notices.get(seq)

    def restart(self, position: Mapping[str, Json], reason: str, stamp: Stamp) -> Entry:
        """Go on from a given position: the arbiter's last resort but one."""
        seq = len(self.entries)
        self._insert("restart", dict(position), seq, None)
        return self._log(_line(seq, "restart", stamp, answer=dict(position), reason=reason))

    def close(self, winners: Sequence[Seat], text: str, reason: str, stamp: Stamp) -> Entry:
        """End the match as the arbiter says: the last resort."""
        said: dict[str, Json] = {"winners": [str(name) for name in winners], "text": text}
        seq = len(self.entries)
        self._insert("close", said, seq, None)
        return self._log(_line(seq, "close", stamp, answer=said, reason=reason))

    def note_clock(self, key: str, event: Mapping[str, Json], stamp: Stamp) -> Entry:
        """Log what the clock did (armed, paused, resumed, given); it changes no position."""
        line = _line(len(self.entries), "clock", stamp, key=key, answer=dict(event), source="clock")
        return self._log(line)

    # -- position files --------------------------------------------------------------------

    def position_file(self) -> dict[str, Json]:
        """The position at the last begin() and, under "since", the answers given after it."""
        run = self._replayer(len(self.entries), keep_file=True)
        for step in self._steps:
            run.apply(step)
        file = dict(run.file or self.position.to_file())
        since: list[Json] = [*run.since]
        return {**file, "since": since} if since else file

    # -- replay ----------------------------------------------------------------------------

    def _again(self, entry: Entry) -> None:
        """Do once more what a log line says, and hold the digest against it."""
        if entry.seq != len(self.entries):
            raise Drift(entry.seq, f"line {entry.seq}", f"line {len(self.entries)}")
        before = self._run.digest
        try:
            self._redo(entry)
        except (CompanionError, LookupError, TypeError) as wrong:
            asked = ", ".join(self._run.open) or "nothing"
            what = f"{entry.kind} {entry.key} {entry.answer!r}"
            raise Drift(entry.seq, what, f"{asked}: {wrong}") from wrong
        self.entries.append(entry)
        if entry.digest and self._run.digest != entry.digest:
            raise Drift(entry.seq, f"digest {entry.digest}", self._run.digest or before)

    def _redo(self, entry: Entry) -> None:
        match entry.kind:
            case "answer" | "lapse":
                self._redo_answer(entry)
            case "undo":
                self._undo(_target(entry))
            case "amend":
                self._remember(entry.seq, always=True)
                self._adopt(self._amended(_target(entry), entry.answer))
                self._acts.append(entry.seq)
            case "adjust" | "report" | "restart" | "close":
                self._insert(entry.kind, entry.answer, entry.seq, entry.target)
            case "clock":
                pass
            case unknown:
                raise BadCall(f"a line of kind {unknown!r}")

    def _redo_answer(self, entry: Entry) -> None:
        taken = self._run.judge(entry.key, entry.answer)
        closes = entry.kind == "answer" or self._run.is_last(entry.key)
        lapses = self._run.closing(entry.key, taken) if closes else None
        step = Step(entry.seq, entry.kind, entry.key, taken.plain)
        self._run.opened = entry.seq + 1
        if entry.kind == "answer":
            self._remember(entry.seq)
        self._run.take(step, taken, lapses)
        self._steps.append(step)
        if entry.kind == "answer":
            self._acts.append(entry.seq)
            self._unpark(entry.seq + 1)

    # -- the run ---------------------------------------------------------------------------

    def _replayer(self, opened: int, *, keep_file: bool = False) -> Run[PositionT]:
        """A fresh run, standing where the set-up leaves it."""
        run = Run(self._rulebook, self.setup)
        run.opened, run.keep_file = opened, keep_file
        run.start()
        return run

    def _rebuild(self, opened: int | None = None) -> None:
        run = self._replayer(len(self.entries) if opened is None else opened)
        for step in self._steps:
            run.apply(step)
        self._run.close()
        self._run = run

    def _adopt(self, changed: Refit[PositionT]) -> None:
        self._run.close()
        self._run = changed.run
        self._steps, self._parked = list(changed.steps), changed.parked
        self.fates.update(changed.fates)

    def _remember(self, seq: int, *, always: bool = False) -> None:
        """Keep what stands before a line that undo could not cut off by itself."""
        if always or self._parked:
            self._before[seq] = _Before(tuple(self._steps), self._parked)

    def _log(self, entry: Entry) -> Entry:
        self.entries.append(entry)
        return entry


def _target(entry: Entry) -> int:
    if entry.target is None:
        raise BadCall(f"the {entry.kind} names no line")
    return entry.target


def _line(seq: int, kind: str, stamp: Stamp, **fields: Any) -> Entry:
    return Entry(
        seq, kind, author=stamp.author, at_utc=stamp.at_utc, match_s=stamp.match_s, **fields
    )
