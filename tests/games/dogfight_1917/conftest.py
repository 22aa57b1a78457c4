"""A table of Dogfight: 1917 under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.match.rulebook import Setup
from tests.games.match_table import KeyedTable

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


class Table(KeyedTable):
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    def __init__(self, *variants: str, **setup: Any) -> None:
        super().__init__(Setup("dogfight-1917", variants=variants, **setup))

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

    def act(self, action: str) -> Table:
        """An action of the menu."""
        return self.say("action", action)

    def finish_turn(self) -> None:
        """The rest of a turn, played as plainly as it can be."""
        turn = self.position.turn
        while self.match.outcome is None and self.position.turn == turn:
            (key,) = self.asked
            question = self.question(key)
            names = [option.name for option in question.options_now()]
            wanted = ("engage", "end turn", "Basic Maneuver", "pass", "keep", "stay", "no")
            said = next((word for word in wanted if word in names), names[0] if names else 0)
            self.say(key, [1] * question.dice if question.kind == "roll" else said)

    def turns(self, count: int) -> list[str]:
        """Whose turns come next, the one under way first."""
        seats: list[str] = []
        for _ in range(count):
            seats.append(self.position.active)
            self.finish_turn()
        return seats


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
