"""A roll read off the table: offered like any other sight, and never from an older throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import Offer, PictureState, Sighting, Stamp
from companion.core.question import Roll
from companion.core.ruling import Cite, Fact, Json, Notice, Outcome, Seat
from companion.match import match as match_module
from companion.match.house_rules import Switch, sight_switch
from companion.match.match import Match
from companion.match.rulebook import Position, Rulebook, Setup
from companion.referee.sight import Sight

CITE = Cite.of("T-1")
A = Seat("A")
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)


class Tray(Position):
    """What the last roll showed."""

    def __init__(self) -> None:
        self.turn, self.shown = 1, ""

    def where(self) -> Sequence[str]:
        return (f"turn-{self.turn}",)

    def facts(self) -> Sequence[Fact]:
        return [Fact("turn", "Turn", self.turn), Fact("shown", "Shown", self.shown)]

    def placement(self) -> Mapping[Piece, Pose]:
        return {}

    def to_file(self) -> dict[str, Json]:
        return {"turn": self.turn, "shown": self.shown}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Tray:
        assert source
        tray = cls()
        tray.adjust(raw)
        return tray

    def adjust(self, changes: Mapping[str, Json]) -> None:
        for name, value in changes.items():
            setattr(self, name, value)


class Dicing(Rulebook[Tray]):
    """Three times two dice."""

    box, title, variants, sides, corrections = "dicing", "Dicing", ("day",), (A,), CITE
    seats: ClassVar[Mapping[Seat, str]] = {A: "A"}
    switches: ClassVar[Mapping[str, Switch]] = {"sight": sight_switch(CITE)}

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.position = Tray.from_file(setup.position or {})

    def report(self, fact: Mapping[str, Json]) -> Notice:
        raise NotImplementedError

    async def play(self) -> Outcome:
        while self.position.turn < 4:
            self.begin()
            key = f"turn-{self.position.turn}/roll"
            rolled = await Roll(key=key, by=A, cite=CITE, prompt="Roll.", dice=2)
            self.position.shown = " ".join(map(str, rolled))
            self.position.turn += 1
        return Outcome((A,), self.rule("Rolled.", CITE))


@pytest.fixture
def sight(monkeypatch: pytest.MonkeyPatch) -> Sight:
    """The camera's side of a match whose first roll has been open since 10 s."""
    monkeypatch.setattr(match_module, "rulebook_of", lambda _: Dicing)
    sight = Sight(Match.start(Setup("dicing"), STAMP))
    sight.match_changed(10.0)
    return sight


def lying(*dice: int | None, thrown_at: float) -> Sighting:
    return Sighting(thrown_at, 1, PictureState.SETTLED, {}, dice=dice, thrown_at=thrown_at)


def match_of(sight: Sight) -> Match[Any]:
    return sight._match


def test_a_throw_after_the_question_is_offered_and_can_be_taken(sight: Sight) -> None:
    sight.look(lying(4, 1, thrown_at=12.0), 12.5)
    (offer,) = sight.take_ripe(13.0)
    assert (offer.key, offer.raw, offer.source, offer.by) == ("turn-1/roll", [4, 1], "camera", A)
    match_of(sight).answer(offer, STAMP)
    assert match_of(sight).position.shown == "4 1"


def test_dice_of_the_roll_before_answer_no_second_one(sight: Sight) -> None:
    """They lie there still when the next roll is asked for; a new throw answers it."""
    sight.look(lying(4, 1, thrown_at=12.0), 12.5)
    match_of(sight).answer(Offer("turn-1/roll", "4 1", "touch", A), STAMP)
    sight.match_changed(14.0)
    assert list(match_of(sight).open) == ["turn-2/roll"]
    assert sight.offered == {}
    sight.look(lying(4, 1, thrown_at=12.0), 15.0)
    assert sight.offered == {}
    sight.look(lying(4, 1, thrown_at=16.0), 16.0)
    assert sight.offered["turn-2/roll"].raw == [4, 1]


def test_a_roll_asked_again_after_undo_needs_a_new_throw(sight: Sight) -> None:
    sight.look(lying(4, 1, thrown_at=12.0), 12.5)
    match_of(sight).answer(Offer("turn-1/roll", "4 1", "touch", A), STAMP)
    sight.match_changed(14.0)
    match_of(sight).undo(stamp=STAMP)
    sight.match_changed(20.0)
    assert list(match_of(sight).open) == ["turn-1/roll"]
    assert sight.offered == {}


def test_an_offer_goes_when_the_dice_do(sight: Sight) -> None:
    sight.look(lying(4, 1, thrown_at=12.0), 12.5)
    sight.look(lying(4, None, thrown_at=12.0), 12.6)
    assert sight.offered == {}
