"""The timeline of a match: the steps in effect, and what undoing or amending one does to the rest.

`Timeline` holds the steps and the run that plays them, `Refit` fits later answers to a changed
past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from companion.core.errors import BadCall, CompanionError, RuleBug
from companion.match.entry import Step
from companion.match.run import Closing, Run

if TYPE_CHECKING:
    from companion.core.question import Question, Taken
    from companion.core.ruling import Json, Seat
    from companion.match.rulebook import Position, Rulebook, Setup


# Refit: what becomes of later answers when an earlier one changes.

PositionT = TypeVar("PositionT", bound="Position")


class OldQuestion(NamedTuple):
    """What an old answer was given to: a question of which kind, for whom, between what."""

    kind: str
    by: Seat
    between: tuple[object, ...]

    @classmethod
    def of(cls, question: Question[Any]) -> OldQuestion:
        """The same of a question that is open now."""
        return cls(question.kind, question.by, question.terms())

    def is_other(self, now: OldQuestion) -> bool:
        """Whether somebody else is asked now, or something else: then the old answer cannot fit."""
        return (self.kind, self.by) != (now.kind, now.by)


Terms = Mapping[int, OldQuestion]
"""The question that each old answer was given to, by log number."""


class Fate(StrEnum):
    """What became of an old answer.

    kept: its question returned with the same options. doubtful: still legal, but the options
    changed. asked again: no longer legal. parked: its question has not come yet. dropped: play is
    past its question, which never comes again.
    """

    KEPT = "kept"
    DOUBTFUL = "doubtful"
    ASKED_AGAIN = "asked again"
    PARKED = "parked"
    DROPPED = "dropped"


@dataclass(slots=True)
class Refit(Generic[PositionT]):
    """What a change leads to: a run, the steps in effect, those that wait, and every fate."""

    run: Run[PositionT]
    steps: list[Step]
    parked: tuple[Step, ...] = ()
    terms: Terms = field(default_factory=dict[int, Any])
    fates: dict[int, Fate] = field(default_factory=dict[int, Any])

    @property
    def dropped(self) -> Mapping[int, str]:
        """Of the parked those whose question never comes again, and what is over ("round 4")."""
        return never_again(self.run, self.parked)

    def place(self, waiting: Sequence[Step], terms: Terms) -> None:
        """Give old answers to the questions they were meant for, as far as those come.

        `terms` tells between which answers each was chosen; those of the parked are kept.
        """
        left = list(waiting)
        while self._place_one(left, terms):
            pass
        self.parked = tuple(left)
        self.terms = {step.seq: terms[step.seq] for step in left if step.seq in terms}
        dropped = self.dropped
        for step in left:
            self.fates[step.seq] = Fate.DROPPED if step.seq in dropped else Fate.PARKED

    def _place_one(self, left: list[Step], terms: Terms) -> bool:
        for at, step in enumerate(left):
            fate = self._fate(step, terms)
            if fate is None:
                if step.kind == "restart":
                    return False
                continue
            del left[at]
            self.fates[step.seq] = fate
            return True
        return False

    def _fate(self, step: Step, terms: Terms) -> Fate | None:
        """Apply a step if its time has come; None while it has not."""
        if not step.answers:
            if step.key and step.key not in self.run.decided:
                return None
            return self._apply_act(step)
        question = self.run.open.get(step.key)
        if question is None:
            return Fate.ASKED_AGAIN if step.key in self.run.decided else None
        return self._apply_answer(step, question, terms.get(step.seq))

    def _apply_act(self, step: Step) -> Fate:
        try:
            self.run.apply(step)
        except CompanionError:
            return Fate.ASKED_AGAIN
        self.steps.append(step)
        return Fate.KEPT

    def _apply_answer(
        self, step: Step, question: Question[Any], was: OldQuestion | None
    ) -> Fate | None:
        now = OldQuestion.of(question)
        if was is not None and was.is_other(now):
            return Fate.ASKED_AGAIN
        try:
            taken = question.judge(step.value)
            lapses = self.run.closing(step.key, taken)
        except CompanionError:
            return Fate.ASKED_AGAIN
        if lapses:
            return None  # somebody was not asked before: silence must not answer for them
        self.run.take(step, taken, lapses)
        self.steps.append(step)
        return Fate.KEPT if was is None or was == now else Fate.DOUBTFUL


def never_again(run: Run[Any], parked: Sequence[Step]) -> dict[int, str]:
    """Which answers wait in vain, as play is past their question, and what is over by now.

    What stands behind a restart shares its fate: only after it is known what is asked.
    """
    dropped: dict[int, str] = {}
    for at, step in enumerate(parked):
        over = run.over(step.key)
        if step.kind == "restart":
            return {**dropped, **({later.seq: over for later in parked[at:]} if over else {})}
        if over:
            dropped[step.seq] = over
    return dropped


Replayer = Callable[..., Run[PositionT]]


def refit(
    replayer: Replayer[PositionT],
    head: Sequence[Step],
    later: Sequence[Step],
    *,
    opened: int,
    was: Sequence[Step] = (),
    terms: Terms | None = None,
) -> Refit[PositionT]:
    """Play `head`, then fit `later` by key.

    `was` is the old run, for comparing options; `terms` those of answers parked before it.

    Raises what the last step of `head` raises: the change itself must be legal.
    """
    run = replayer(opened)
    for step in head:
        run.apply(step)
    changed = Refit(run, list(head))
    if later:
        changed.place(later, {**(terms or {}), **_terms(replayer, was)})
    return changed


def _terms(replayer: Replayer[PositionT], steps: Sequence[Step]) -> Terms:
    """Between which answers each old answer was chosen."""
    run = replayer(0)
    terms: dict[int, OldQuestion] = {}
    for step in steps:
        question = run.open.get(step.key) if step.answers else None
        if question is not None:
            terms[step.seq] = OldQuestion.of(question)
        run.apply(step)
    return terms


# Timeline: the steps in effect, played and taken back.

Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Before:
    """What stood before a log line that did more than add one step at the end."""

    steps: Steps
    parked: Steps
    terms: Terms
    fates: Mapping[int, Fate]
    acts: tuple[int, ...]


_PLAYED_AGAIN = "a rule failed when the match was played again"


class Timeline(Generic[PositionT]):
    """Steps in effect, in order; every change keeps `run` at the question they lead to.

    `opened` is, throughout, the log number given to questions that open by a change. `parked` are
    old answers that wait for their question after an amend; `fates` what became of refitted ones.
    """

    def __init__(self, rulebook: type[Rulebook[PositionT]], setup: Setup) -> None:
        self.steps: list[Step] = []
        self.parked: Steps = ()
        self.fates: dict[int, Fate] = {}
        self._terms: Terms = {}
        self._acts: list[int] = []
        self._before: dict[int, _Before] = {}
        self._rulebook = rulebook
        self._setup = setup
        self.run = self.replayer(1)

    def replayer(self, opened: int, *, keep_file: bool = False) -> Run[PositionT]:
        """A new run at the first question after the set-up."""
        run = Run(self._rulebook, self._setup)
        run.opened, run.keep_file = opened, keep_file
        run.start()
        return run

    @property
    def dropped(self) -> Mapping[int, str]:
        """Of the parked those whose question never comes again, and what is over ("round 4").

        They stay among the parked: an undo, or another past, may bring their question after all.
        """
        return never_again(self.run, self.parked) if self.parked else {}

    @property
    def waiting(self) -> Steps:
        """The parked answers whose question may still come."""
        dropped = self.dropped
        return tuple(step for step in self.parked if step.seq not in dropped)

    # -- forward ---------------------------------------------------------------------------

    def put(self, step: Step, taken: Taken, lapses: Closing | None) -> None:
        """Apply what lapses with a judged answer, then it; after a RuleBug all is as it was."""
        opened, run, some_wait = step.seq + 1, self.run, False
        if self.parked:
            some_wait = bool(self.waiting)
            if step.kind == "answer":
                self._remember(step.seq, self._before_silence(step.seq))
        was_opened, run.opened = run.opened, opened
        try:
            run.take(step, taken, lapses)
        except Exception as bug:
            self._rebuild(was_opened)
            what = f"a rule failed after {step.key} = {taken.plain!r}"
            raise RuleBug.of(what, bug, run.rules) from bug
        if lapses:
            for at, (key, silence) in enumerate(lapses, step.seq - len(lapses)):
                self.steps.append(Step(at, "lapse", key, silence.plain))
        self.steps.append(step)
        if step.kind == "answer":
            self._acts.append(step.seq)
            if some_wait:
                self._unpark(opened)

    def _before_silence(self, seq: int) -> int:
        """How many steps stand before line `seq` and what lapses with it in the open form.

        In a log that is played again what lapsed has been put in already.
        """
        at, told = len(self.steps), self.run.answered
        for silent in reversed(self.steps):
            seq -= 1
            if silent[:2] != (seq, "lapse") or silent.key not in told:
                break
            at -= 1
        return at

    def _unpark(self, opened: int) -> None:
        """Put old answers that waited in their places, once no silence is under way."""
        self._adopt(self._refit(self.steps, self.parked, opened))

    def insert(self, kind: str, value: Json, seq: int, before: int | None) -> None:
        """An arbiter's step now, or before an older line; what followed is refitted."""
        at = len(self.steps) if before is None else self._at(before)
        head = [*self.steps[:at], Step(seq, kind, self._key_before(at), value)]
        changed = self._refit(head, (*self.steps[at:], *self.parked), seq + 1)
        self._act(seq, changed)

    def _key_before(self, at: int) -> str:
        """Behind which answer an arbiter's step stands that is put in there."""
        last = self.steps[at - 1] if at else None
        return "" if last is None or last.kind == "restart" else last.key

    def amended(self, seq: int, raw: Json, opened: int) -> Refit[PositionT]:
        """What would stand if line `seq` had been answered `raw`; nothing is changed."""
        at = self._at(seq)
        old = self.steps[at]
        if not old.answers:
            raise BadCall(f"Line {seq} is no answer; undo it instead.")
        head = [*self.steps[:at], Step(old.seq, "answer", old.key, raw)]
        return self._refit(head, (*self.steps[at + 1 :], *self.parked), opened)

    def fitted(self, steps: Sequence[Step]) -> Refit[PositionT]:
        """What the answers of another match come to here, from the beginning; nothing is changed.

        RuleBug where a rule fails on the way.
        """
        try:
            return refit(self.replayer, [], steps, opened=1)
        except CompanionError:
            raise
        except Exception as bug:
            raise RuleBug.of(_PLAYED_AGAIN, bug, self.run.rules) from bug

    def amend(self, seq: int, raw: Json, number: int) -> None:
        """Put an amend, which is log line `number`, into effect."""
        self._act(number, self.amended(seq, raw, number + 1))

    def _act(self, seq: int, changed: Refit[PositionT]) -> None:
        self._remember(seq)
        self._adopt(changed)
        self._acts.append(seq)

    # -- back ------------------------------------------------------------------------------

    @property
    def last_act(self) -> int | None:
        """The log line that a plain undo takes back."""
        return self._acts[-1] if self._acts else None

    def undo(self, target: int, opened: int) -> None:
        """Back to before line `target`; in an open form that one key is taken back."""
        before = self._before.get(target)
        if before is not None and target == self.last_act:
            self._remember(opened - 1)
            self._stand_as(before, opened)
            return
        at = self._at(target)
        self._remember(opened - 1)
        if self._in_open_form(at):
            self._acts = [act for act in self._acts if act != target]
            self._rest(self.steps[:at] + self._acts_anew(at), self.parked, opened)
            return
        while self._lapsed_with(at):
            at -= 1
        first = self.steps[at].seq
        self._acts = [act for act in self._acts if act < first]
        self._rest(self.steps[:at], (), opened)

    def _acts_anew(self, at: int) -> list[Step]:
        """The steps after one that is taken back; an arbiter's belong to the one before it now."""
        gone, key = self.steps[at].key, self._key_before(at)
        return [
            step if step.answers or step.key != gone else step._replace(key=key)
            for step in self.steps[at + 1 :]
        ]

    def stand_as_before(self, target: int, opened: int) -> None:
        """Bring back all as it stood before the correction of line `target`."""
        before = self._before.get(target)
        if before is None:
            raise BadCall(f"Line {target} corrected nothing: there is nothing to bring back.")
        self._remember(opened - 1)
        self._stand_as(before, opened)

    def _stand_as(self, before: _Before, opened: int) -> None:
        self._acts = list(before.acts)
        self._terms, self.fates = before.terms, dict(before.fates)
        self._rest(list(before.steps), before.parked, opened)

    def _lapsed_with(self, at: int) -> bool:
        """Whether the step before `at` lapsed together with it."""
        if at == 0 or self.steps[at - 1].kind != "lapse":
            return False
        return self.steps[at].seq == self.steps[at - 1].seq + 1

    def _in_open_form(self, at: int) -> bool:
        step = self.steps[at]
        return step.answers and step.key in self.run.answered

    def _at(self, seq: int) -> int:
        for at, step in enumerate(self.steps):
            if step.seq == seq:
                return at
        raise BadCall(f"Line {seq} is not in effect: it was undone, or amended away.")

    def cut(self, steps: int, opened: int) -> None:
        """Forget all but the first `steps`, where silence was tried and led nowhere."""
        del self.steps[steps:]
        self._rebuild(opened)

    # -- the run ---------------------------------------------------------------------------

    def _rest(self, steps: list[Step], parked: Steps, opened: int) -> None:
        self.steps, self.parked = steps, parked
        kept = {step.seq for step in steps}
        self.fates = {seq: fate for seq, fate in self.fates.items() if seq in kept}
        self._rebuild(opened)

    def _rebuild(self, opened: int) -> None:
        run = self.replayer(opened)
        for step in self.steps:
            run.apply(step)
        self.run.close()
        self.run = run

    def _refit(self, head: Sequence[Step], later: Steps, opened: int) -> Refit[PositionT]:
        """What would stand; RuleBug where a rule fails on the way, and nothing is adopted."""
        was, terms = self.steps, self._terms
        try:
            return refit(self.replayer, head, later, opened=opened, was=was, terms=terms)
        except CompanionError:
            raise
        except Exception as bug:
            raise RuleBug.of(_PLAYED_AGAIN, bug, self.run.rules) from bug

    def _adopt(self, changed: Refit[PositionT]) -> None:
        self.run.close()
        self.run = changed.run
        self.steps, self.parked = list(changed.steps), changed.parked
        self._terms = changed.terms
        self.fates.update(changed.fates)

    def _remember(self, seq: int, stood: int | None = None) -> None:
        """Keep what stands before a line that undo could not cut off by itself.

        Of the steps the first `stood`; None: all of them.
        """
        steps, acts = tuple(self.steps[:stood]), tuple(self._acts)
        self._before[seq] = _Before(steps, self.parked, self._terms, dict(self.fates), acts)
