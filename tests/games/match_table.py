"""A match at a table, as tests of a box speak to it: answers, refusals, reports, rulings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Notice, Ruling
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


class MatchTable:
    """One match of a box; how its questions are answered is the box's own."""

    stamp = STAMP

    def __init__(self, setup: Setup) -> None:
        self.match: Match[Any] = Match.start(setup, STAMP)

    @property
    def position(self) -> Any:
        return self.match.position

    @property
    def rulings(self) -> Sequence[Ruling]:
        return self.match.rulings

    @property
    def last(self) -> Ruling:
        return self.match.rulings[-1]

    @property
    def asked(self) -> list[str]:
        """Keys that wait for an answer."""
        return [key for key in self.match.open if key not in self.match.answered]

    def said(self, words: str) -> Ruling:
        """The latest ruling with these words; a test that finds none is wrong."""
        for ruling in reversed(self.match.rulings):
            if words in ruling.text:
                return ruling
        raise AssertionError(f"{words!r} not in {[r.text for r in self.match.rulings[-8:]]}")

    def report(self, what: str, **fields: Any) -> Notice:
        """Report something; the notice it brings."""
        notice = self.match.report({"what": what, **fields}, STAMP)
        assert notice is not None
        return notice

    def refused_report(self, what: str, **fields: Any) -> CompanionError:
        """The refusal of a report; nothing was changed by it."""
        before = self._state()
        with pytest.raises(CompanionError) as refusal:
            self.match.report({"what": what, **fields}, STAMP)
        assert self._state() == before
        return refusal.value

    def adjust(self, **changes: Any) -> Self:
        """Set quantities; names with a dot are written with two underlines."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        self.match.adjust(named, "test", stamp=STAMP)
        return self

    def refusal_of(self, answer: Callable[[], object]) -> IllegalAnswer:
        """The refusal of an answer, with its rule; nothing was changed by it."""
        before = self._state()
        with pytest.raises(IllegalAnswer) as refusal:
            answer()
        assert self._state() == before
        assert refusal.value.cite.rules or refusal.value.cite.rulings
        return refusal.value

    def _state(self) -> object:
        match = self.match
        return (
            match.position.digest(), [*match.open], self.asked, len(match.entries),
            {**match.notices},
        )  # fmt: skip


class KeyedTable(MatchTable):
    """Several questions may be open: one is answered by the tail of its key."""

    def key(self, tail: str) -> str:
        """The open key of that ending; a test that names none, or two, is wrong."""
        keys = [key for key in self.match.open if key.endswith(tail)]
        assert len(keys) == 1, f"{tail!r}: {keys} of {list(self.match.open)}"
        return keys[0]

    def question(self, tail: str = "") -> Any:
        return self.match.open[self.key(tail)]

    def names(self, tail: str = "") -> list[str]:
        """The names of the options of an open question."""
        return [option.name for option in self.question(tail).options_now()]

    def say(self, tail: str, raw: Any = None) -> Self:
        """Answer the open question whose key ends so; a word by itself for a Ready."""
        question = self.question(tail)
        word = getattr(question, "word", None) if raw is None else raw
        self.match.answer(Offer(question.key, word, "script", question.by), STAMP)
        return self

    def refused(self, tail: str, raw: Any = None) -> IllegalAnswer:
        """The refusal of an answer; nothing was changed by it."""
        return self.refusal_of(lambda: self.say(tail, raw))
