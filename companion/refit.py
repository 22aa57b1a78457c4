"""Refit: what becomes of later answers when an earlier one changes.

Later answers are fitted by the key of their question, never by their order: an answer is never
given to another question than the one it was meant for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from companion.errors import CompanionError
from companion.run import Run

if TYPE_CHECKING:
    from companion.entry import Step
    from companion.question import Question
    from companion.rulebook import Position
    from companion.ruling import Seat

PositionT = TypeVar("PositionT", bound="Position")


class Asked(NamedTuple):
    """What an old answer was given to: a question of which kind, for whom, between what."""

    kind: str
    by: Seat
    between: tuple[object, ...]

    @classmethod
    def of(cls, question: Question[Any]) -> Asked:
        """As a question asks now."""
        return cls(question.kind, question.by, question.terms())

    def is_other(self, now: Asked) -> bool:
        """Whether somebody else is asked now, or for something else: no old answer fits."""
        return (self.kind, self.by) != (now.kind, now.by)


Terms = Mapping[int, Asked]
"""What each old answer was given to, by its log number."""


class Fate(StrEnum):
    """What became of an old answer.

    kept: its question returned with the same options. doubtful: still legal, but the options
    changed. asked again: no longer legal. parked: its question has not come yet.
    """

    KEPT = "kept"
    DOUBTFUL = "doubtful"
    ASKED_AGAIN = "asked again"
    PARKED = "parked"


@dataclass(slots=True)
class Refit(Generic[PositionT]):
    """A run with the change in it: the steps in effect, those that wait, and every fate."""

    run: Run[PositionT]
    steps: list[Step]
    parked: tuple[Step, ...] = ()
    terms: Terms = field(default_factory=dict[int, Any])
    fates: dict[int, Fate] = field(default_factory=dict[int, Any])

    def place(self, waiting: Sequence[Step], terms: Terms) -> None:
        """Give old answers to the questions they were meant for, as far as those come.

        `terms` tells between which answers each was chosen; those of the parked are kept.
        """
        left = list(waiting)
        while self._place_one(left, terms):
            pass
        self.parked = tuple(left)
        self.terms = {step.seq: terms[step.seq] for step in left if step.seq in terms}
        self.fates.update((step.seq, Fate.PARKED) for step in left)

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

    def _apply_answer(self, step: Step, question: Question[Any], was: Asked | None) -> Fate | None:
        now = Asked.of(question)
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
    terms: dict[int, Asked] = {}
    for step in steps:
        question = run.open.get(step.key) if step.answers else None
        if question is not None:
            terms[step.seq] = Asked.of(question)
        run.apply(step)
    return terms
