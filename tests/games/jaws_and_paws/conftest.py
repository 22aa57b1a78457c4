"""A table of Jaws & Paws under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.jaws_and_paws.boards import FOUR, TEAM_OF, Lineup, lineup_of
from companion.games.jaws_and_paws.table import PhysicalTable
from companion.match.rulebook import Setup
from tests.games.match_table import KeyedTable

File = dict[str, Any]


def position_file(
    stage: str, /, *, lineup: Lineup = FOUR, night: bool = False, **changes: Any
) -> File:
    """A position in the middle of a game: full hands, nobody Repairing, no card on a track.

    `changes` are keys of the file, players' codes (updating that player's line), or `cards`:
    {"Jaws": {1: "JP"}} lays cards on sections, taken from the Discard Pile. Of two teams the planes
    stand on the Pilot centres, as they do of more where nothing is told of them.
    """
    resolving = stage not in ("set-up", "action", "lock")
    line = {"deck": 16, "hand": 4, "discard": 10, "scrap": 0, "track": 0, "played": int(resolving)}
    alone = line | {"deck": 17, "hand": 3}
    light = "moon" if night else "sun"
    file: File = {
        "round": 2,
        "stage": stage,
        light: "Jaws.GC",
        f"{light}_at_round_start": "Jaws",
        "planes": {"Jaws": "Paws.PC", "Paws": "Jaws.PC"} if len(lineup.teams) == 2 else {},
        "smoke": {str(team): False for team in lineup.teams},
        "tracks": {str(team): ["", "", "", ""] for team in lineup.teams},
        "players": {
            str(player): dict(alone if TEAM_OF[player] in lineup.solos else line)
            for player in lineup.players
        },
    }
    if lineup.solos:
        file["solo"] = sorted(lineup.solos)
    if stage == "action":
        del file[f"{light}_at_round_start"]
    cards = changes.pop("cards", {})
    for name, value in changes.items():
        if name in file["players"]:
            file["players"][name].update(value)
        else:
            file[name] = value
    for team, laid in cards.items():
        for number, player in laid.items():
            file["tracks"][team][number - 1] = player
            file["players"][player]["track"] += 1
            file["players"][player]["discard"] -= 1
    return file


def example_setup(path: Path) -> dict[str, Any]:
    """How a match begins from an example: its position, and the mode that its first lines name."""
    text = path.read_text("utf-8")
    told = dict(re.findall(r"^# (Asks first|Variants|Options): (.+)$", text, flags=re.MULTILINE))
    return {
        "position": tomllib.loads(text),
        "variants": tuple(told.get("Variants", "").split()),
        "options": tomllib.loads(told.get("Options", "").replace(", ", "\n")),
    }


@pytest.fixture
def example() -> Callable[[Path], dict[str, Any]]:
    """The set-up of a match that begins from an example."""
    return example_setup


class Table(KeyedTable):
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(Setup("jaws-and-paws", **setup))

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    # -- whole procedures ------------------------------------------------------------------

    def set_up(self, sun: str = "Jaws.GC", toss: str = "Jaws") -> Table:
        """Toss, Sun and hands: the Action Phase of round 1 is next."""
        return self.say("toss", toss).say("set-up/sun", sun).say("placed")

    def act(self) -> Table:
        """All teams ready, and the clock at zero: the lock is next."""
        for key in [key for key in self.match.open if "/ready/" in key]:
            self.say(key)
        return self.say("locked", "zero")

    def lock(
        self, jaws: Mapping[int, str] = {}, paws: Mapping[int, str] = {}, **more: Mapping[int, str]
    ) -> Table:
        """Whose cards lie on each section: {1: "1 0"} is one white border on section 1.

        With none told it is confirmed that nobody laid a card.
        """
        for team, told in {"jaws": jaws, "paws": paws, **more}.items():
            for number, borders in told.items():
                self.say(f"lock/{team}/{number}", borders)
        self.say("checked")
        return self.say("nobody") if any(key.endswith("/nobody") for key in self.asked) else self

    def draw(self, **discards: int) -> Table:
        """Everybody discards (JP=2) and draws."""
        for player, count in discards.items():
            self.say(f"discard/{player}", count)
        return self.say("drawn")

    def repair(self) -> Table:
        """Everybody Repairing has shuffled."""
        for key in list(self.asked):
            if "/shuffled/" in key:
                self.say(key)
        return self

    def flip(self, jaws: str | None = None, paws: str | None = None, **more: str | None) -> Table:
        """The cards of the section under way."""
        for team, card in {"jaws": jaws, "paws": paws, **more}.items():
            if card is not None:
                self.say(f"reveal/{team}", card)
        return self

    def texts(self) -> str:
        """Every ruling, one a line."""
        return "\n".join(ruling.text for ruling in self.rulings)


@pytest.fixture
def play() -> Callable[..., Table]:
    """A new match, as in `play(options={...}, cards={...}, position={...})`."""
    return Table


@pytest.fixture
def at() -> Callable[..., Table]:
    """A match that starts at a stage, as in `at("draw", JP={"deck": 0, "discard": 26})`."""
    return table_at


def table_at(
    stage: str,
    *,
    variants: str = "",
    crews: str = "",
    options: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Table:
    """A match from a stage on, in any mode; `crews` are the sizes of the teams, "2 2 1"."""
    lineup = lineup_of(*map(int, crews.split())) if crews else lineup_in(variants)
    told = {"crews": crews} if crews and lineup is not lineup_in(variants) else {}
    night = "night" in variants.split()
    return Table(
        variants=tuple(variants.split()),
        options={**told, **(options or {})},
        position=position_file(stage, lineup=lineup, night=night, **changes),
    )


def lineup_in(variants: str) -> Lineup:
    """The usual lineup of a mode."""
    usual = {"two-players": (1, 1), "three-players": (2, 1), "five-players": (2, 2, 1)}
    sizes = [usual[name] for name in variants.split() if name in usual]
    return lineup_of(*sizes[0]) if sizes else FOUR


@pytest.fixture
def section() -> Callable[..., Table]:
    """One section resolved, as in `section(jaws="JP MPL own", paws="PG SH GC", sun=...)`.

    Of more teams the others are named too: `jaws2="JP2 SH PL"`.
    """

    def resolve(
        jaws: str = "",
        paws: str = "",
        *,
        number: int = 1,
        repairing: Sequence[str] = (),
        jaws2: str = "",
        paws2: str = "",
        **changes: Any,
    ) -> Table:
        laid = {"Jaws": jaws, "Paws": paws, "Jaws2": jaws2, "Paws2": paws2}
        cards = {team: {number: card.split()[0]} for team, card in laid.items() if card}
        for player in repairing:
            changes[player] = {**changes.get(player, {}), "played": 0}
        table = table_at(f"section-{number}", cards=cards, **changes)
        faces = {team.lower(): card.partition(" ")[2] for team, card in laid.items() if card}
        return table.flip(**faces)

    return resolve


@pytest.fixture
def file_of() -> Callable[..., File]:
    """A position file in the middle of a game, to be changed."""
    return position_file


def play_out(seed: int, **setup: Any) -> tuple[Table, PhysicalTable]:
    """A whole match by bots at a hidden table; both are held against each other as they go."""
    table = Table(**setup)
    physical = PhysicalTable(table.match.setup, Random(seed))
    done = 0
    while table.match.outcome is None:
        key = table.asked[0]
        table.say(key, physical.act(table.match.open[key]))
        for ruling in table.rulings[done:]:
            physical.perform(ruling.deeds)
        done = len(table.rulings)
    return table, physical


@pytest.fixture
def bots() -> Callable[..., tuple[Table, PhysicalTable]]:
    """A whole match by bots, as in `bots(seed, options={...})`."""
    return play_out
