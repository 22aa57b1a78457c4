"""Two small games of our own for testing the engine, and a table with all of it in hand.

Tally: four rounds, a form, an optional question. Sprint: a timed phase, and a pawn to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from companion.core.board import BoardPlan, Piece, Pose
from companion.core.errors import PanelError, RecordReadOnly
from companion.core.offers import (
    Offer,
    PictureState,
    Seen,
    SeenState,
    Sighting,
    SignalEvent,
    SignalKind,
    Stamp,
)
from companion.core.question import (
    Choose,
    Count,
    Locked,
    Option,
    Question,
    Ready,
    Refusal,
    together,
)
from companion.core.round_clock import Running
from companion.core.ruling import TABLE, Cite, Fact, Fault, Json, Level, Move, Notice, Outcome, Seat
from companion.match import match as match_module
from companion.match.entry import Entry
from companion.match.house_rules import Switch, sight_switch
from companion.match.match import Match
from companion.match.rulebook import Position, Rulebook, Setup
from companion.referee.desk import Happening
from companion.referee.referee import Keeping, Referee

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

    @classmethod
    def faults(cls, position: TallyPosition) -> list[Fault]:
        return [Fault("tally", "The tally is below zero.", CITE)] if position.tally < 0 else []

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
    monkeypatch.setattr(match_module, "rulebook_of", lambda _: Tally)
    return Tables


# -- Sprint --------------------------------------------------------------------------------------

PAWN = Piece("pawn")


class Lane(Position):
    """One pawn on a lane of spaces."""

    def __init__(self) -> None:
        self.round, self.space = 1, "s0"

    def where(self) -> Sequence[str]:
        return (f"round-{self.round}",)

    def facts(self) -> Sequence[Fact]:
        return [Fact("round", "Round", self.round), Fact("space", "Space", self.space)]

    def placement(self) -> Mapping[Piece, Pose]:
        return {PAWN: Pose(self.space)}

    def to_file(self) -> dict[str, Json]:
        return {"round": self.round, "space": self.space}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Lane:
        assert source
        position = cls()
        position.adjust(raw)
        return position

    def adjust(self, changes: Mapping[str, Json]) -> None:
        for name, value in changes.items():
            setattr(self, "space" if name == PAWN else name, value)


class Sprint(Rulebook[Lane]):
    """Each round: both ready, twenty seconds, then the pawn goes one or two spaces on."""

    box, title, variants, sides, corrections = "sprint", "Sprint", ("day",), (A, B), CITE
    buttons: ClassVar[tuple[Seat, ...]] = (A, B)
    seats: ClassVar[Mapping[Seat, str]] = {A: "A", B: "B"}
    switches: ClassVar[Mapping[str, Switch]] = {"sight": sight_switch(CITE)}
    plan = BoardPlan("sprint", "ARUCO_MIP_36h12", (), (), (100.0, 100.0))

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.position = Lane.from_file(setup.position or {})

    def report(self, fact: Mapping[str, Json]) -> Notice:
        raise NotImplementedError

    async def play(self) -> Outcome:
        while self.position.round < 4:
            self.begin()
            place = f"round-{self.position.round}"
            await together(
                {
                    side: Ready(key=f"{place}/{side}", by=side, cite=CITE, prompt="?")
                    for side in self.sides
                }
            )
            await Locked(key=f"{place}/locked", by=TABLE, cite=CITE, prompt="?", seconds=20.0)
            steps = await Choose(
                key=f"{place}/steps", by=A, cite=CITE, prompt="?", offered=self._steps
            )
            was, now = Pose(self.position.space), Pose(self._ahead(steps))
            self.position.space = now.space
            self.rule("The pawn goes on.", CITE, Move(PAWN, was, now))
            self.position.round += 1
        return Outcome((A,), self.rule("Home.", CITE))

    def _steps(self) -> list[Option[int]]:
        return [Option(str(n), n, str(n), {PAWN: Pose(self._ahead(n))}) for n in (1, 2)]

    def _ahead(self, steps: int) -> str:
        return f"s{int(self.position.space[1:]) + steps}"


class Bell:
    """Signals that ring in a list, for a clock that the test moves."""

    def __init__(self) -> None:
        self.rung: list[tuple[Any, ...]] = []
        self.running: Running | None = None
        self.sounded: SignalEvent | None = None
        self.broken = False

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        if self.broken:
            raise PanelError("The signal process is gone; start it again.")
        assert cues[-1] == 0.0
        self.running = Running(round_id, deadline, total_s)
        self.rung.append(("arm", deadline))

    def stop(self) -> float:
        self.running = None
        self.rung.append(("stop",))
        return 0.0

    def pause(self) -> float:
        self.running = None
        self.rung.append(("pause",))
        return 0.0

    def stand(self, round_id: str, rest_s: float) -> None:
        self.running = None
        self.rung.append(("stand", rest_s))

    def adopt(self) -> Running | None:
        if self.broken:
            raise PanelError("The signal process is gone; start it again.")
        return self.running

    def fired(self, round_id: str) -> SignalEvent | None:
        return self.sounded if self.sounded and self.sounded.round_id == round_id else None

    def history(self, round_id: str) -> list[SignalEvent]:
        zero = self.fired(round_id)
        return [] if zero is None else [zero]

    def show(self, lamps: Sequence[bool]) -> None:
        self.rung.append(("show", *lamps))

    def sound(self, signal: str) -> None:
        self.rung.append(("sound", signal))


class Disk:
    """A record in memory whose disk can be full."""

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self.rests: dict[str, float] = {}
        self.full = False

    def append(self, entries: Sequence[Entry]) -> None:
        if self.full:
            raise RecordReadOnly("The disk is full: free some space.")
        self.lines.extend(entries)

    def note_rest(self, key: str, rest_s: float, _now: float) -> None:
        self.rests[key] = rest_s

    @property
    def keeping(self) -> Keeping:
        return Keeping(self.append, self.note_rest, self.rests.get)


class Table:
    """A referee with a bell, a disk and a clock in the test's hand."""

    def __init__(
        self,
        options: Mapping[str, Json] | None = None,
        disk: Disk | None = None,
        setup: Setup | None = None,
    ) -> None:
        self.now = 100.0
        self.bell, self.disk = Bell(), disk or Disk()
        self.heard: list[Happening] = []
        setup = setup or Setup("sprint", options=options or {})
        lines = self.disk.lines
        match: Match[Any] = (
            Match.replay(lines) if lines else Match.start(setup, self.stamp("", 0.0))
        )
        self.referee = Referee(
            match,
            self.disk.keeping,
            self.stamp,
            signals=self.bell,
            round_prefix="m1/",
            written=len(lines),
        )
        self.referee.listeners.append(self.heard.append)

    @staticmethod
    def stamp(author: str, now: float) -> Stamp:
        return Stamp(author, "2026-11-21T19:00:00Z", now)

    def tick(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.referee.tick(self.now)

    def say(self, key: str, raw: Json, source: str = "touch") -> None:
        self.referee.post(Offer(key, raw, source, TABLE))
        self.tick()

    def ready(self) -> None:
        place = f"round-{self.referee.match.position.round}"
        self.say(f"{place}/A", "ready")
        self.say(f"{place}/B", "ready")

    def zero(self) -> None:
        clock = self.referee.clock
        assert clock is not None
        assert clock.deadline is not None
        self.now = clock.deadline
        self.referee.signal(SignalEvent(SignalKind.ZERO, clock.round_id, clock.deadline))
        self.tick()

    def see(self, space: str, state: PictureState = PictureState.SETTLED) -> None:
        self.see_pieces(state, pawn=space)

    def see_pieces(self, state: PictureState = PictureState.SETTLED, **places: str) -> None:
        """A picture with pieces on spaces, by name."""
        pieces = {
            Piece(name): Seen(SeenState.SEEN, Pose(space), (space,))
            for name, space in places.items()
        }
        self.referee.see(Sighting(self.now, 1, state, pieces))
        self.tick()

    @property
    def asked(self) -> list[str]:
        return list(self.referee.match.open)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(match_module, "rulebook_of", lambda _: Sprint)
    table = Table()
    table.referee.begin(table.now)
    return table


@pytest.fixture
def real_table() -> Table:
    """The same table with a match of Jaws & Paws that has begun."""
    table = Table(setup=Setup("jaws-and-paws"))
    table.referee.begin(table.now)
    return table


@pytest.fixture
def real_tables() -> Callable[..., Table]:
    """A maker of such tables with matches of the boxes."""
    return Table


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Table]:
    """A maker of such tables: with other options, or at the disk of one that was left."""
    monkeypatch.setattr(match_module, "rulebook_of", lambda _: Sprint)
    return Table
