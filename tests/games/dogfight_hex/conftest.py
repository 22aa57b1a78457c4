"""A table of Dogfight! hex ships under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.core.ruling import Ruling
from companion.match.rulebook import Setup
from tests.games.match_table import STAMP, KeyedTable

File = dict[str, Any]

SEATS = "ABCDEF"
PLACES = {
    "A": "0,4 NW", "B": "0,-4 SE", "C": "4,-4 SW", "D": "-4,4 NE", "E": "4,0 W", "F": "-4,0 E",
}  # fmt: skip
WRECKS = {"wreck-1": "5,-5", "wreck-2": "-5,5", "wreck-3": "5,0", "wreck-4": "-5,0"}
DECK_SIZE = 54


def position_file(phase: str = "movement", /, players: int = 4, **changes: Any) -> File:
    """A position in turn 3: two hull points each, far apart, three cards in hand and one declared.

    Before the movement four are in hand and none is declared. The wreckage lies in the corners.
    `changes` are keys of the file, or seats, which update that ship's lines (None takes one out);
    the deck holds what is left of 54 cards unless it is told.
    """
    declared = phase not in ("set-up", "declare")
    file: File = {"box": "dogfight-hex", "turn": 3, "phase": phase, "first": "A"}
    file["wreckage"] = dict(WRECKS)
    file["ships"] = {
        seat: {"place": PLACES[seat], "hand": 3 if declared else 4, "declared": int(declared)}
        for seat in SEATS[:players]
    }
    for name, value in changes.items():
        if name in file["ships"]:
            line = {**file["ships"][name], **value}
            file["ships"][name] = {key: told for key, told in line.items() if told is not None}
        elif name == "wreckage":
            file["wreckage"].update(value)
        else:
            file[name] = value
    lines: list[File] = list(file["ships"].values())
    held = sum(int(line.get(pile, 0)) for line in lines for pile in OWN)
    file.setdefault("deck", DECK_SIZE - held - file.get("discard", 0))
    return file


OWN = ("hand", "declared", "captured")


def dead_ship(space: str, fell: int = 1) -> File:
    """The lines of a ship that was destroyed and whose hull tokens were set aside."""
    return {
        "place": None, "debris": space, "hull": 0, "aside": 2, "fell": fell, "hand": 0,
        "declared": 0,
    }  # fmt: skip


class Table(KeyedTable):
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(Setup("dogfight-hex", **setup))

    @property
    def winners(self) -> tuple[str, ...] | None:
        """Who has won; None while the match goes on."""
        outcome = self.match.outcome
        return None if outcome is None else tuple(outcome.winners)

    def ship(self, seat: str) -> Any:
        """A seat's ship, or its debris."""
        return self.position.ships[seat]

    def place(self, seat: str) -> str:
        """Where a ship stands: "0,-1 NW", or nothing."""
        at = self.ship(seat).at
        return self.position.named(at) if at is not None else ""

    def debris(self, seat: str) -> str:
        """Where a seat's debris lies, or nothing."""
        debris = self.ship(seat).debris
        return str(debris) if debris is not None else ""

    def wreckage(self, *tokens: str) -> dict[str, str]:
        """Where hull tokens, or the tokens named, lie."""
        lying = self.position.wreckage.items()
        return {
            str(piece): str(space)
            for piece, space in lying
            if piece in tokens or (not tokens and piece.startswith("hull"))
        }

    def cards(self, seat: str, pile: str = "hand") -> int:
        """How many cards a player has in a pile."""
        count: int = self.position.deck.count(seat, pile)
        return count

    def all_stay(self) -> Table:
        """Every ship that is yet to move stays where it is."""
        while any("/move/" in key for key in self.asked):
            self.say("", "stay")
        return self

    def reveal(self, **cards: str) -> Table:
        """The cards of these seats are turned over."""
        for seat, card in cards.items():
            self.say(f"reveal/{seat}", card.replace("_", " "))
        return self

    def report(self, what: str, **fields: Any) -> Any:
        """What the table reports, and the notice that follows."""
        return self.match.report({"what": what, **fields}, STAMP)

    def adjust(self, **changes: Any) -> Table:
        """The arbiter sets quantities; "A_hull" is "A.hull"."""
        named = {name.replace("_", ".", 1): value for name, value in changes.items()}
        self.match.adjust(named, "recounted", stamp=STAMP)
        return self

    def texts(self, word: str = "") -> list[str]:
        """The rulings that hold a word."""
        return [ruling.text for ruling in self.rulings if word in ruling.text]

    def cited(self, cite: str) -> list[Ruling]:
        """The rulings under a paragraph or RULING."""
        return [ruling for ruling in self.rulings if cite in str(ruling.cite).split(", ")]


@pytest.fixture
def new_table() -> Callable[..., Table]:
    """Starts a match: options and data by keyword, or a position."""
    return Table


@pytest.fixture
def at() -> Callable[..., Table]:
    """A match that begins in a phase; keywords in capitals are house rules, others the file's."""

    def start(phase: str = "movement", /, players: int = 4, **changes: Any) -> Table:
        house = {name.lower(): changes.pop(name) for name in [*changes] if _is_option(name)}
        data = changes.pop("data", {})
        options: Mapping[str, Any] = {
            "players": players, "allow_two_players": players == 2, **house
        }  # fmt: skip
        file = position_file(phase, players, **changes)
        return Table(options=options, position=file, cards=data)

    return start


def _is_option(name: str) -> bool:
    return len(name) > 1 and name.isupper()


@pytest.fixture
def example() -> Callable[[Path], tuple[File, str]]:
    """The house rules and the first question that an example's first lines promise."""

    def read(path: Path) -> tuple[File, str]:
        first, second, *_ = path.read_text("utf-8").splitlines()
        told = (rule.split("=") for rule in first.removeprefix("# Options: ").split(", "))
        options = {name: json.loads(value) for name, value in told}
        return options, second.removeprefix("# Asks first: ")

    return read


@pytest.fixture
def dead() -> Callable[..., File]:
    """The lines of a destroyed ship: where its debris lies, and as which it fell."""
    return dead_ship


@pytest.fixture
def file() -> Callable[..., File]:
    """A position file, to be changed and begun with."""
    return position_file
