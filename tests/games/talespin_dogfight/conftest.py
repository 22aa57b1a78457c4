"""A table of the TaleSpin dogfight under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer
from companion.core.ruling import Ruling
from companion.games.talespin_dogfight.steps import is_before
from companion.match.rulebook import Setup
from tests.games.match_table import STAMP, MatchTable

File = dict[str, Any]
SEATS = "ABCD"


def position_file(step: str, /, players: int = 2, start: str = "pilot", **changes: Any) -> File:
    """A dogfight of A against B: five cards in hand, two packed and one open cargo each.

    Started by the Pilot card (PILOT 3, value 5, Damage 1, Draw 1), or by the Player card (6, 1, 0).
    Every player has PILOT 2 and RANGE 2 and stands one location after the one before. Attacks of
    earlier exchanges (8, then 9) were met by 10. `changes` are keys of the file or seats.
    """
    file: File = {"box": "talespin-dogfight", "step": step, "draw": 40, "discard": 10}
    file["players"] = {
        seat: {"place": place, "hand": 5, "packed": 2, "open": 1, "pilot": 2, "range": 2}
        for place, seat in enumerate(SEATS[:players], 1)
    }
    file["turn_of"] = "A"
    if step not in ("set-up", "announce"):
        file |= _begun(step, start)
    for name, value in changes.items():
        if name in file["players"]:
            file["players"][name].update(value)
        else:
            file[name] = value
    return file


def _begun(step: str, start: str) -> File:
    """What is known once a dogfight is announced, up to a step."""
    card: File = {"title": "Pilot card", "value": 5, "damage": 1, "draw": 1, "source": "pilot"}
    if start == "range":
        card = {"title": "Player card", "value": 6, "damage": 1, "draw": 0, "source": "player"}
    file: File = {"start": start, "card": card["title"], "pilot": 3 if start == "pilot" else 0}
    played = [{"by": "A", "exchange": 1, **card, "shown": not is_before(step, "instead-answer-1")}]
    if step != "opponent":
        file["defender"] = "B"
    file["defended"] = is_before("defend", step)
    if is_before("answer-1", step):
        played += [_played("B", 1, 10)]
    for number, value in ((2, 8), (3, 9)):
        if is_before(f"attack-{number}", step):
            played += [_played("A", number, value)]
        if is_before(f"answer-{number}", step):
            played += [_played("B", number, 10)]
    won = "defender" if step in ("lost-attacker", "won-defender", "bounty") else "attacker"
    if is_before("answer-3", step):
        file["winner"] = won
    return {**file, "played": played}


def _played(by: str, exchange: int, value: int) -> File:
    return {"by": by, "exchange": exchange, "value": value, "damage": 1, "draw": 1}


class Table(MatchTable):
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(Setup("talespin-dogfight", **setup))

    def refused(self, raw: Any) -> IllegalAnswer:
        """The refusal of an answer; nothing was changed by it."""
        return self.refusal_of(lambda: self.say(raw))

    @property
    def step(self) -> str:
        """The step under way."""
        step: str = self.position.step
        return step

    @property
    def by(self) -> str:
        """Who is asked."""
        return str(self.match.open[self.asked[0]].by)

    def cards(self, seat: str, pile: str = "hand") -> int:
        """How many cards a player has in a pile."""
        count: int = self.position.count(seat, pile)
        return count

    @property
    def piles(self) -> tuple[int, int]:
        """Draw pile and discard pile."""
        return self.position.piles["draw"], self.position.piles["discard"]

    def names(self) -> list[str]:
        """The names of the options of the open question."""
        return [option.name for option in self.question.options_now()]

    @property
    def question(self) -> Any:
        return self.match.open[self.asked[0]]

    def say(self, *answers: Any) -> Table:
        """Answer what is asked, one after the other."""
        for raw in answers:
            question = self.question
            self.match.answer(Offer(question.key, raw, "script", question.by), STAMP)
        return self

    def pass_on(self) -> Table:
        """Everybody passes until something else is asked."""
        while self.asked and self.asked[0].endswith("/card") and "pass" in self.names():
            self.say("pass")
        return self

    def finish(self) -> Table:
        """Silence answers, or the first option, to the end."""
        while self.asked:
            question = self.question
            lapse = question.lapse
            self.say(lapse if lapse is not None else question.options_now()[0].name)
        return self

    def adjust(self, **changes: Any) -> Table:
        """The arbiter sets quantities; "A_hand" is "A.hand"."""
        named = {name.replace("_", ".", 1): value for name, value in changes.items()}
        self.match.adjust(named, "recounted", stamp=STAMP)
        return self

    def cited(self, cite: str) -> list[Ruling]:
        """The rulings under a paragraph or RULING."""
        return [ruling for ruling in self.rulings if cite in str(ruling.cite).split(", ")]


@pytest.fixture
def new_table() -> Callable[..., Table]:
    """Starts a match: options and data by keyword, or a position."""
    return Table


@pytest.fixture
def at() -> Callable[..., Table]:
    """A match that begins at a step; keywords in capitals are house rules, others the file's."""

    def start(step: str, /, players: int = 2, **changes: Any) -> Table:
        house = {name.lower(): changes.pop(name) for name in [*changes] if _is_option(name)}
        data = changes.pop("data", {})
        file = position_file(step, players, **changes)
        return Table(options={"players": players, **house}, position=file, cards=data)

    return start


def _is_option(name: str) -> bool:
    return len(name) > 1 and name.isupper()


@pytest.fixture
def file() -> Callable[..., File]:
    """A position file, to be changed and begun with."""
    return position_file
