"""A table of Starship Edition under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer
from companion.match.rulebook import Setup
from tests.games.match_table import STAMP, MatchTable

PLACES = {"A": "1,1", "B": "3,1", "C": "5,1", "D": "1,3", "E": "3,3", "F": "5,3"}
SIZE = 40

File = dict[str, Any]


def position_file(phase: str = "preparation", /, players: str = "AB", **changes: Any) -> File:
    """A position in the third turn: hands of 5, A has Priority, two spaces between neighbours.

    `changes` are keys of the file, or players' codes, which update that player's lines; the deck
    has whatever is nowhere else.
    """
    file: File = {
        "box": "starship-edition", "turn": 3, "phase": phase, "priority": "A", "active": "A",
        "players": {
            seat: {"hand": 5, "hull": 10, "energy": 3, "place": PLACES[seat]} for seat in players
        },
    }  # fmt: skip
    for name, value in changes.items():
        if name in file["players"]:
            file["players"][name].update(value)
        else:
            file[name] = value
    for line in file["players"].values():
        if phase not in ("preparation", "set-up"):
            line.setdefault("prepared", True)
            line.setdefault("tiers", [{"action": "pass"}] * line.get("granted", 3))
        tiers = line.get("tiers", [])
        lying = sum(("primary" in tier) + ("secondary" in tier) for tier in tiers)
        lying += len(line.get("discard", [])) + len(line.get("gear", [])) + line.get("removed", 0)
        line.setdefault("deck", SIZE - line["hand"] - lying)
    return file


class Table(MatchTable):
    """One match, answered by the tail of a question's key."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(Setup("starship-edition", ("base",), **setup))

    def refused(self, raw: Any) -> IllegalAnswer:
        """The refusal of an answer; nothing was changed by it."""
        refusal = self.refusal_of(lambda: self.say(raw))
        assert refusal.cite.rules
        return refusal

    def player(self, seat: str) -> Any:
        """What lies before a seat."""
        return self.position.players[seat]

    def question(self) -> Any:
        """The one open question."""
        (question,) = self.match.open.values()
        return question

    def names(self) -> list[str]:
        """The names of the options of the open question."""
        return [option.name for option in self.question().options_now()]

    def say(self, *answers: Any) -> Table:
        """Answer the open question, and those that follow; None is a word by itself."""
        for raw in answers:
            question = self.question()
            word = getattr(question, "word", None) if raw is None else raw
            self.match.answer(Offer(question.key, word, "script", question.by), STAMP)
        return self


MakeTable = Callable[..., Table]


@pytest.fixture
def new_table() -> MakeTable:
    """A match from its set-up: `new_table(options={...}, seats={...}, cards={...})`."""
    return Table


@pytest.fixture
def table_at() -> MakeTable:
    """A match in the middle: `table_at("tier-sequence", A={"energy": 0}, options={...})`."""

    def make(phase: str = "preparation", /, **changes: Any) -> Table:
        setup = {name: changes.pop(name) for name in ("options", "cards", "seats")
                 if name in changes}  # fmt: skip
        return Table(position=position_file(phase, **changes), **setup)

    return make


@pytest.fixture
def tiers_at(table_at: MakeTable) -> MakeTable:
    """A match as tier 1 begins, with cards set: `tiers_at(A=1, B=2)`; other tiers were passed.

    A number is how many cards lie in tier 1 of a player; `lines` updates players' lines.
    """

    def make(lines: dict[str, dict[str, Any]] | None = None, /, players: str = "AB",
             **changes: Any) -> Table:  # fmt: skip
        for seat in players:
            cards = changes.pop(seat, 0)
            down = dict.fromkeys(("primary", "secondary")[:cards], "?")
            first = {"action": "set", **down} if cards else {"action": "pass"}
            more = (lines or {}).get(seat, {})
            changes[seat] = {"tiers": [first, {"action": "pass"}, {"action": "pass"}], **more}
        return table_at("tier-sequence", players=players, **changes)

    return make
