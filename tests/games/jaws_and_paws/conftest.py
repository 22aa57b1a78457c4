"""A table of Jaws & Paws under test: one line sets it, one line plays, one line looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from companion.errors import CompanionError, IllegalAnswer
from companion.games.jaws_and_paws.crew import PLAYERS, TEAMS
from companion.games.jaws_and_paws.physical import PhysicalTable
from companion.match import Match
from companion.offers import Offer, Stamp
from companion.rulebook import Setup
from companion.ruling import Notice, Ruling

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)

File = dict[str, Any]


def position_file(stage: str, /, **changes: Any) -> File:
    """A position in the middle of a game: hands of 4, nobody Repairing, no card on a track.

    `changes` are keys of the file, players' codes (updating that player's line), or `cards`:
    {"Jaws": {1: "JP"}} lays cards on sections, taken from the Discard Pile.
    """
    resolving = stage not in ("set-up", "action", "lock")
    line = {"deck": 16, "hand": 4, "discard": 10, "scrap": 0, "track": 0, "played": int(resolving)}
    file: File = {
        "round": 2,
        "stage": stage,
        "sun": "Jaws.GC",
        "sun_at_round_start": "Jaws",
        "planes": {"Jaws": "Paws.PC", "Paws": "Jaws.PC"},
        "smoke": {"Jaws": False, "Paws": False},
        "tracks": {str(team): ["", "", "", ""] for team in TEAMS},
        "players": {str(player): dict(line) for player in PLAYERS},
    }
    if stage == "action":
        del file["sun_at_round_start"]
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
        """Both teams ready, and the clock at zero: the lock is next."""
        return self.say("ready/jaws").say("ready/paws").say("locked", "zero")

    def lock(self, jaws: Mapping[int, str] = {}, paws: Mapping[int, str] = {}) -> Table:
        """Whose cards lie on each section: {1: "1 0"} is one white border on section 1."""
        for team, told in (("jaws", jaws), ("paws", paws)):
            for number, borders in told.items():
                self.say(f"lock/{team}/{number}", borders)
        return self.say("checked")

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

    def flip(self, jaws: str | None = None, paws: str | None = None) -> Table:
        """Both cards of the section under way."""
        for team, card in (("jaws", jaws), ("paws", paws)):
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

    def start(stage: str, *, options: Mapping[str, Any] | None = None, **changes: Any) -> Table:
        return Table(options=options or {}, position=position_file(stage, **changes))

    return start


@pytest.fixture
def section() -> Callable[..., Table]:
    """One section resolved, as in `section(jaws="JP MPL own", paws="PG SH GC", sun=...)`."""

    def resolve(
        jaws: str = "",
        paws: str = "",
        *,
        number: int = 1,
        options: Mapping[str, Any] | None = None,
        repairing: Sequence[str] = (),
        **changes: Any,
    ) -> Table:
        cards: dict[str, dict[int, str]] = {}
        for team, card in (("Jaws", jaws), ("Paws", paws)):
            if card:
                cards[team] = {number: card.split()[0]}
        changes.setdefault("planes", {"Jaws": "Paws.PC", "Paws": "Jaws.PC"})
        for player in repairing:
            changes[player] = {**changes.get(player, {}), "played": 0}
        file = position_file(f"section-{number}", cards=cards, **changes)
        table = Table(options=options or {}, position=file)
        faces = [card.partition(" ")[2] or None for card in (jaws, paws)]
        return table.flip(*faces)

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
