"""Players: whoever answers a question when nobody sits at the table.

`RandomPlayer` knows nothing but the kinds of questions, so it plays every box. A box's own bots,
which look at real cards, are its `physical.py`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from companion.errors import IllegalAnswer
from companion.question import (
    Choose,
    ChooseSome,
    Count,
    Declare,
    Locked,
    Order,
    Ready,
    Reveal,
    Roll,
    RollAgain,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.offers import Json
    from companion.question import Option, Question

_TRIES = 40


class Player(Protocol):
    """Answers questions, one at a time."""

    def answer(self, question: Question[Any]) -> Json:
        """An answer to an open question."""
        ...


class RandomPlayer:
    """Any legal answer, each about as likely as another.

    >>> RandomPlayer(Random(1)).answer(Ready(key="k", by=..., cite=..., prompt="Ready?"))
    'ready'
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def answer(self, question: Question[Any]) -> Json:
        """A legal answer; IllegalAnswer from the question itself if forty tries found none."""
        raw: Json = None
        for _ in range(_TRIES):
            raw = self._guess(question)
            try:
                return question.judge(raw).plain
            except IllegalAnswer:
                continue
        if question.lapse is not None:
            return question.lapse
        return question.judge(raw).plain

    def _guess(self, question: Question[Any]) -> Json:
        rng, asked = self.rng, question
        match question:
            case Reveal():
                return rng.choice(list(question.faces))
            case Choose() | Ready() | Locked() | RollAgain():
                return rng.choice(question.options_now()).name
            case Count():
                return rng.randint(question.low, max(question.low, question.most))
            case Declare():
                return {part: self._few(question.most) for part in question.parts}
            case Roll():
                return [rng.randint(1, question.faces) for _ in range(question.dice)]
            case ChooseSome():
                names = _names(asked)
                return [
                    *rng.sample(names, rng.randint(question.fewest, min(question.most, len(names))))
                ]
            case Order():
                names = _names(asked)
                return [*rng.sample(names, len(names))]
            case _:
                raise TypeError(f"nobody told the random player about {question.kind}")

    def _few(self, most: int) -> int:
        """Mostly none, sometimes one, seldom more."""
        roll = self.rng.random()
        return min(most, 0 if roll < 0.6 else 1 if roll < 0.97 else 2)


def _names(question: Question[Any]) -> list[str]:
    """What a question that offers options in a fixed list may be answered with."""
    offered: Sequence[Option[Any]] = getattr(question, "offered", ())
    return [option.name for option in offered]
