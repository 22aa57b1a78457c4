"""A small game of our own for testing the engine: four rounds, a form, an optional question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from companion import match as match_module
from companion.board import Piece, Pose
from companion.match import Match
from companion.offers import Json, Offer, Stamp
from companion.question import Choose, Count, Option, Question, Ready, Refusal, together
from companion.rulebook import Position, Rulebook, Setup, Switch
from companion.ruling import TABLE, Cite, Fact, Fault, Level, Notice, Outcome, Seat

CITE = Cite.of("T-1")
A, B = Seat("A"), Seat("B")


class TallyPosition(Position):
    """A round and a tally that must not be negative."""

    def __init__(self) -> None:
        self.round = 1
        self.tally = 0

    def where(self) -> Sequence[str]:
        return (f"round-{self.round}",)

    def facts(self) -> Sequence[Fact]:
        return [Fact("round", "Round", self.round), Fact("tally", "Tally", self.tally)]

    def placement(self) -> Mapping[Piece, Pose]:
        return {}

    def faults(self) -> list[Fault]:
        return [Fault("tally", "The tally is below zero.", CITE)] if self.tally < 0 else []

    def to_file(self) -> dict[str, Json]:
        return {"round": self.round, "tally": self.tally}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> TallyPosition:
        assert source
        position = cls()
        position.adjust(raw)
        return position

    def adjust(self, changes: Mapping[str, Json]) -> None:
        for name, value in changes.items():
            setattr(self, name, value)


class Tally(Rulebook[TallyPosition]):
    """Each round A and B add; three of B's opens a second question; A may pass on a bonus."""

    box, title, variants, sides = "tally", "Tally", ("day",), (A, B)
    seats: ClassVar[Mapping[Seat, str]] = {A: "A", B: "B"}
    switches: ClassVar[Mapping[str, Switch]] = {
        "limit": Switch("limit", (3, 5), "The most that A adds.", CITE)
    }
    corrections = CITE

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        file = setup.position
        self.position = TallyPosition.from_file(file) if file else TallyPosition()

    def report(self, fact: Mapping[str, Json]) -> Notice:
        level = Level.BLOCK if fact["what"] == "spill" else Level.NOTE
        return Notice("T-E1", "Something was spilled.", CITE, level, "Wipe the table.")

    async def play(self) -> Outcome:
        while self.position.round < 5:
            self.begin()
            await self.add()
            await self.bonus()
            self.position.round += 1
        return Outcome((A,), self.rule("The tally is full.", CITE))

    async def add(self) -> None:
        place = f"round-{self.position.round}"
        limit = self.options["limit"]
        assert isinstance(limit, int)
        asked: dict[str, Question[Any]] = {
            "a": Count(
                key=f"{place}/a", by=A, cite=CITE, prompt="A adds?", lapse=0,
                high=lambda: self.position.tally + limit,
            ),
            "b": Count(key=f"{place}/b", by=B, cite=CITE, prompt="B adds?", high=3, lapse=0),
            "done": Ready(key=f"{place}/done", by=TABLE, cite=CITE, prompt="Done?"),
        }  # fmt: skip
        added = await together(asked, check=_not_two_and_two)
        self.position.tally += added["a"]
        self.rule(f"The tally is {self.position.tally}.", CITE)
        if added["b"] == 3:
            more = await Count(
                key=f"{place}/more", by=A, cite=CITE, prompt="More?",
                high=lambda: self.position.tally,
            )  # fmt: skip
            self.position.tally += more
            self.rule(f"{more} more.", CITE)

    async def bonus(self) -> None:
        place = f"round-{self.position.round}"
        taken = await Choose(
            key=f"{place}/bonus", by=A, cite=CITE, prompt="Take the bonus?", lapse="no",
            offered=(Option("yes", 1, "Yes"), Option("no", 0, "No")),
        )  # fmt: skip
        if taken:
            self.position.tally += 1
            self.rule("A bonus of one.", CITE)


def _not_two_and_two(said: Mapping[str, Any]) -> Refusal | None:
    twos = said.get("a") == said.get("b") == 2
    return Refusal("T-2", "Not two and two.", CITE) if twos else None


class Tables:
    """Scripts a match of Tally: `t.say(key, raw)`, and the verbs with a stamp of their own."""

    def __init__(self, setup: Setup | None = None) -> None:
        self.stamp = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
        self.match: Match[TallyPosition] = Match.start(setup or Setup("tally"), self.stamp)

    def say(self, key: str, raw: Json, *, opened: int = -1) -> Any:
        return self.match.answer(Offer(key, raw, "touch", TABLE, opened), self.stamp)


@pytest.fixture
def tally(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Tables]:
    """A maker of scripted matches of the Tally game."""
    monkeypatch.setattr(match_module, "find_rulebook", lambda _: Tally)
    return Tables
