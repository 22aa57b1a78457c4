"""Fingers: bots who touch nothing but what stands on the screen, and whose touches are counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.core.errors import IllegalAnswer
from companion.core.question import Ready
from ui.demo.driver import actions_on, touch_for
from ui.scene.scene import Scene
from ui.scene.theme import Theme
from ui.screens.match.result import ResultState
from ui.screens.match.round import LOCKED_S, Phase, RoundState
from ui.screens.match.ruling import RulingState, waits_for_hands
from ui.screens.registry import parts_of
from ui.touch import actions as a


class Touch(NamedTuple):
    """One touch: on which screen, where in the book, what it did, how many answers it gave.

    `deeds`: it said that hands have done something; `said` is what the screen's band said.
    """

    screen: str
    place: str
    action: Any
    answers: int
    deeds: bool = False
    said: str = ""

    @property
    def kind(self) -> str:
        """The screen and what was done there: what a table of touches is sorted by."""
        return f"{self.screen}: {type(self.action).__name__}"


@dataclass
class Fingers:
    """Whoever sits at a person's table: hands follow rulings, answers come from bots.

    Every touch is on a part that stands on the screen; `made` are those so far.
    """

    person: Any
    bots: Any
    made: list[Touch] = field(default_factory=list[Touch])
    _wanted: dict[tuple[str, int], Any] = field(default_factory=dict[tuple[str, int], Any])
    _ruled: int = 0
    _hands_do: bool = False

    def play(self, most: int = 4000) -> None:
        """On to the result."""
        for _ in range(most):
            if isinstance(self.person.state, ResultState):
                return
            self.step()
        raise AssertionError(f"the match did not end within {most} touches")

    def step(self) -> Touch | None:
        """One touch; None where time passes."""
        self._follow()
        state = self.person.state
        if isinstance(state, RoundState) and state.phase in (Phase.RUNNING, Phase.LOCKED):
            for question in self.person.match.open.values() if state.phase is Phase.RUNNING else ():
                self._wants(question)
            self.person.wait(20.0 if state.phase is Phase.RUNNING else LOCKED_S)
            return None
        action = self._best(state)
        assert action is not None, (state, self.person.match.open)
        return self._touch(state, action)

    def _touch(self, state: Any, action: Any) -> Touch:
        match = self.person.match
        lines, place = len(match.entries), next(iter(match.open), "")
        scene = Scene(self.person.table.situation(), self.person.view)
        self._hands_do = bool(waits_for_hands(scene))
        self.person.do(action)
        refusal = self.person.view.refusal
        if refusal is not None and refusal.key is not None:
            self._note(state, action, place, lines)
            lines = len(match.entries)
            action = refusal.key.action
            self.person.do(action)
        assert self.person.view.refusal is None, self.person.view.refusal
        return self._note(state, action, place, lines)

    def _note(self, state: Any, action: Any, place: str, lines: int) -> Touch:
        gained = self.person.match.entries[lines:]
        band = getattr(state, "band", None)
        touch = Touch(
            type(state).__name__.removesuffix("State"),
            place,
            action,
            sum(entry.kind == "answer" and entry.source != "lapse" for entry in gained),
            isinstance(state, RulingState) and self._hands_do,
            ": ".join(band.lines) if band is not None else "",
        )
        self.made.append(touch)
        return touch

    def _follow(self) -> None:
        rulings = self.person.match.rulings
        for ruling in rulings[self._ruled :]:
            self.bots.perform(ruling.deeds)
        self._ruled = len(rulings)

    def _wants(self, question: Any) -> Any:
        """What the bots answer; they make up their minds once."""
        at = (question.key, question.opened)
        if at not in self._wanted:
            self._wanted[at] = question.parse(self.bots.act(question)).plain
        return self._wanted[at]

    # -- which key ------------------------------------------------------------------------

    def _best(self, state: Any) -> Any:
        """The key that says most of what is wanted and nothing else; else what leads there."""
        sheet = getattr(self.person, "sheet", None)
        theme = sheet.theme if sheet is not None else Theme()
        shown = [part.action for part in parts_of(state, theme).values() if part.action]
        said = [(self._right(action), action) for action in shown]
        most = max((right for right, _ in said), default=0)
        if most:
            return next(action for right, action in said if right == most)
        key = state.frame.bottom.next
        if isinstance(state, RulingState):
            return key.action if key is not None else None
        leading = self._leading(state, shown)
        assert leading is None or leading in shown or leading in set(actions_on(state)), leading
        return leading

    def _leading(self, state: Any, shown: list[Any]) -> Any:
        match = self.person.match
        for key, question in match.open.items():
            told = match.answered.get(key, question.lapse)
            if (
                isinstance(question, Ready)
                or told == self._wants(question)
                or (key not in match.answered and self._is_silent(question))
            ):
                continue
            action = touch_for(state, question.key, self._wants(question))
            if action is not None:
                return action
        key = state.frame.bottom.next
        if key is not None and key.action is not None:
            return key.action
        return self._typed(state)

    def _typed(self, state: Any) -> Any:
        """The key that begins a number which silence would say, too, if time ran."""
        keys = (
            touch_for(state, one.key, self._wants(one)) for one in self.person.match.open.values()
        )
        return next((key for key in keys if key is not None), None)

    def _right(self, action: Any) -> int:
        """How many questions a touch settles as wanted; 0 where it settles one otherwise."""
        match = self.person.match
        if not isinstance(action, a.Answer | a.Answers):
            return 0
        told = action.answers if isinstance(action, a.Answers) else (action,)
        given = {one.key: one.raw for one in told}
        waiting = {key: q for key, q in match.open.items() if key not in match.answered}
        if any(isinstance(waiting.get(key), Ready) for key in given) and len(waiting) > 1:
            lapsing = {key: q.lapse for key, q in waiting.items() if q.lapse is not None}
            closes = all(key in given or key in lapsing for key in waiting)
            given = {**match.answered, **(lapsing if closes else {}), **given}
        if not all(
            key in match.open and self._is_wanted(match.open[key], raw)
            for key, raw in given.items()
        ):
            return 0
        return sum(key in waiting for key in given)

    def _is_wanted(self, question: Any, raw: Any) -> bool:
        try:
            return bool(question.parse(raw).plain == self._wants(question))
        except IllegalAnswer:
            return False

    def _is_silent(self, question: Any) -> bool:
        """Whether silence says what is wanted."""
        return question.lapse is not None and self._is_wanted(question, question.lapse)


def table_of(made: list[Touch]) -> Counter[str]:
    """How many touches of each kind."""
    return Counter(touch.kind for touch in made)
