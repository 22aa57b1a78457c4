"""A table of Jaws & Paws under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Notice, Ruling
from companion.games.jaws_and_paws.boards import FOUR, TEAM_OF, Lineup, lineup_of
from companion.games.jaws_and_paws.table import PhysicalTable
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)

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


class Table:
    """One match, answered by the tail of a question's key; refusals and notices are kept."""

    stamp = STAMP

    def __init__(self, **setup: Any) -> None:
        self.match: Match[Any] = Match.start(Setup("jaws-and-paws", **setup), STAMP)

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
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def asked(self) -> list[str]:
        """Keys that wait for an answer, without the round."""
        return [k for k in self.match.open if k not in self.match.answered]

    def key(self, tail: str) -> str:
        """The open key of that ending; a test that names none, or two, is wrong."""
        keys = [key for key in self.match.open if key.endswith(tail)]
        assert len(keys) == 1, f"{tail!r}: {keys} of {list(self.match.open)}"
        return keys[0]

    def question(self, tail: str) -> Any:
        return self.match.open[self.key(tail)]

    def say(self, tail: str, raw: Any = None) -> Table:
        """Answer the open question whose key ends so; a word by itself for a Ready."""
        key = self.key(tail)
        question = self.match.open[key]
        word = getattr(question, "word", None) if raw is None else raw
        self.match.answer(Offer(key, word, "script", question.by), STAMP)
        return self

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
        assert before == (
            self.position.digest(), len(self.match.entries), dict(self.match.notices))  # fmt: skip
        return refusal.value

    def adjust(self, **changes: Any) -> Table:
        """Set quantities; names with a dot are written with two underlines."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        self.match.adjust(named, "test", stamp=STAMP)
        return self

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
