"""A table of Dogfight: 1917 under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Notice, Ruling
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)

File = dict[str, Any]

FLOWN = {
    "A": ("camel", "maclaren"),
    "B": ("fokker", "richthofen"),
    "C": ("albatros", "loewenhardt"),
    "D": ("spad", "fonck"),
}
PLACES = {"A": "0,1 N", "B": "0,-1 N", "C": "3,0 NW", "D": "-3,0 SE"}


def position_file(phase: str = "engagement", /, players: str = "AB", **changes: Any) -> File:
    """A position in the middle of a game: piles of 9, 5, 4 and 2, no tokens, A's turn.

    A stands two spaces behind B, both facing north. `changes` are keys of the file, or players'
    codes, which update that player's lines.
    """
    file: File = {
        "box": "dogfight-1917",
        "turn": 7,
        "phase": phase,
        "active": "A",
        "players": {
            seat: {
                "fighter": FLOWN[seat][0],
                "pilot": FLOWN[seat][1],
                "tokens": 0,
                "place": PLACES[seat],
                "deck": 9,
                "hand": 5,
                "discard": 4,
                "damage": 2,
            }
            for seat in players
        },
    }
    for name, value in changes.items():
        if name in file["players"]:
            file["players"][name].update(value)
        else:
            file[name] = value
    return file


class Table:
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    stamp = STAMP

    def __init__(self, *variants: str, **setup: Any) -> None:
        self.match: Match[Any] = Match.start(
            Setup("dogfight-1917", variants=variants, **setup), STAMP
        )

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
        return [k for k in self.match.open if k not in self.match.answered]

    def player(self, seat: str) -> Any:
        """What lies before a seat."""
        return self.position.players[seat]

    def place(self, seat: str) -> str:
        """Where a seat's Fighter stands: "0,-1 N", or nothing."""
        plane = self.player(seat).plane
        return plane.name() if plane is not None else ""

    def piles(self, seat: str) -> dict[str, int]:
        """A seat's piles that hold at least one card."""
        return {pile: n for pile, n in self.player(seat).piles.counts.items() if n}

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

    def say(self, tail: str, raw: Any = None) -> Table:
        """Answer the open question whose key ends so; a word by itself for a Ready."""
        key = self.key(tail)
        question = self.match.open[key]
        word = getattr(question, "word", None) if raw is None else raw
        self.match.answer(Offer(key, word, "script", question.by), STAMP)
        return self

    def act(self, action: str) -> Table:
        """An action of the menu."""
        return self.say("action", action)

    def refused(self, tail: str, raw: Any = None) -> IllegalAnswer:
        """The refusal of an answer; nothing was changed by it."""
        before = (self.position.digest(), list(self.match.open), len(self.match.entries))
        with pytest.raises(IllegalAnswer) as refusal:
            self.say(tail, raw)
        assert (self.position.digest(), list(self.match.open), len(self.match.entries)) == before
        assert refusal.value.cite.rules or refusal.value.cite.rulings
        return refusal.value

    def report(self, what: str, **fields: Any) -> Notice:
        """Report something; the notice it brings."""
        notice = self.match.report({"what": what, **fields}, STAMP)
        assert notice is not None
        return notice

    def refused_report(self, what: str, **fields: Any) -> CompanionError:
        """The refusal of a report; nothing was changed by it."""
        before = (self.position.digest(), len(self.match.entries), dict(self.match.notices))
        with pytest.raises(CompanionError) as refusal:
            self.match.report({"what": what, **fields}, STAMP)
        after = (self.position.digest(), len(self.match.entries), dict(self.match.notices))
        assert after == before
        return refusal.value

    def adjust(self, **changes: Any) -> Table:
        """Set quantities; names with a dot are written with two underlines."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        self.match.adjust(named, "test", stamp=STAMP)
        return self

    def said(self, words: str) -> Ruling:
        """The latest ruling with these words; a test that finds none is wrong."""
        for ruling in reversed(self.match.rulings):
            if words in ruling.text:
                return ruling
        raise AssertionError(f"{words!r} not in {[r.text for r in self.match.rulings[-8:]]}")


MakeTable = Callable[..., Table]


@pytest.fixture
def new_table() -> MakeTable:
    """A match from its set-up: `new_table("battle-royale", options={...}, seats={...})`."""
    return Table


@pytest.fixture
def table_at() -> MakeTable:
    """A match in the middle: `table_at("engagement", A={"tokens": 3}, options={...})`.

    `variants` and `players` ("ABCD") as needed; everything else goes into the position file.
    """

    def make(phase: str = "engagement", /, *variants: str, **changes: Any) -> Table:
        setup = {name: changes.pop(name) for name in ("options", "cards", "seats")
                 if name in changes}  # fmt: skip
        return Table(*variants, position=position_file(phase, **changes), **setup)

    return make
