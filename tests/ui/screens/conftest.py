"""A table without a camera or pins, on a clock that is stepped, and somebody who touches it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.table import PhysicalTable
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.drawn import SteppedClock
from ui.demo.driver import actions_on
from ui.screens.match.field import FieldState
from ui.screens.match.result import ResultState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import present
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.match.match import Match
    from ui.screens.registry import ScreenState
    from ui.touch.actions import Action

PLAYERS = {Seat("JP"): "Ana", Seat("JG"): "Bo", Seat("PP"): "Cleo", Seat("PG"): "Dan"}
DUELLISTS = {Seat("A"): "Ana", Seat("B"): "Ben"}
DUEL: dict[str, Any] = {
    "box": "dogfight-1917",
    "turn": 7,
    "phase": "engagement",
    "active": "A",
    "players": {
        seat: {
            "fighter": fighter,
            "pilot": pilot,
            "tokens": 3,
            "place": place,
            "deck": 9,
            "hand": 5,
            "discard": 4,
            "damage": 2,
        }
        for seat, fighter, pilot, place in (
            ("A", "camel", "maclaren", "0,1 N"),
            ("B", "fokker", "richthofen", "0,-1 N"),
        )
    },
}


def _keys_of_the_field(state: FieldState) -> Iterator[Any]:
    """What a touch on the screen's own keys means, apart from undo, log, arbiter and menu."""
    for action in actions_on(state):
        opens = isinstance(action, a.Show) and action.panel is a.Panel.PAD
        if opens or isinstance(action, a.Answer | a.Fill | a.TurnPage):
            yield action


class Person:
    """Whoever holds the screen: touches what is shown, and reads what comes of it."""

    def __init__(self, folder: Path, record: Path | None = None) -> None:
        self.clock = SteppedClock(1000.0)
        self.desk = DeskPanel(clock=self.clock)
        self.table = Table(
            Record.open((record or folder) / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            clock=self.clock,
            signals=self.desk,
        )
        self.table.arbiter = "Ada"
        self.view = View()

    @property
    def state(self) -> Any:
        """The screen now."""
        return present(self.table.situation(), self.view)

    def is_at(self, screen: type) -> bool:
        """Whether the screen now is of this kind."""
        return isinstance(self.state, screen)

    @property
    def match(self) -> Any:
        return self.table.refereed().match

    def begin(self, **options: Json) -> None:
        """A new match past its table check."""
        self.table.new_match(Setup("jaws-and-paws", ("day",), PLAYERS, options))
        self.view = act(a.Checked(), self.table, View())

    def take_up(self, match: Match[Any]) -> None:
        """Go on with a match that others have played so far."""
        begun = self.table.record.create(match.setup, STAMP)
        self.table.record.append(begun, match.entries[1:])
        self.table.resume(begun)

    def touch(self, action: Action | None) -> Any:
        """Touch a key; the screen afterwards."""
        self.do(action)
        return self.state

    def do(self, action: Action | None) -> None:
        """Touch a key without a look at what comes of it."""
        assert action is not None, "this key cannot be touched"
        self.view = act(action, self.table, self.view)

    def touch_any(self, chance: Random, touches: int, *, most_idle: int) -> None:
        """Play on the field's own keys by chance, so often, or to the end of the match.

        Fails where so many touches in a row bring no line, or where a refusal has no key to go on.
        """
        entries = idle = 0
        for _ in range(touches):
            state = self.state
            if isinstance(state, ResultState):
                return
            if not isinstance(state, FieldState):
                self.go_on()
                continue
            self.touch(chance.choice(list(_keys_of_the_field(state))))
            refusal = self.view.refusal
            if refusal is not None:
                assert refusal.key is not None, refusal
                self.touch(refusal.key.action)
            idle = 0 if len(self.match.entries) > entries else idle + 1
            entries = len(self.match.entries)
            assert idle < most_idle, state

    def go_on(self) -> Any:
        """Touch the next tap."""
        key = self.state.frame.bottom.next
        assert key is not None
        return self.touch(key.action)

    def answer(self, part: str, raw: Json) -> Any:
        """Answer the open question whose key ends so; the screen afterwards."""
        self.tell(part, raw)
        return self.state

    def tell(self, part: str, raw: Json) -> None:
        """Answer the open question whose key ends so, without a look at what comes of it."""
        question = next(q for key, q in self.match.open.items() if key.endswith(part))
        self.do(a.Answer(question.key, question.opened, raw))

    def read_rulings(self) -> Any:
        """Put every ruling away."""
        state = self.state
        while isinstance(state, RulingState):
            assert state.frame.bottom.next is not None
            state = self.touch(state.frame.bottom.next.action)
        return state

    def wait(self, seconds: float) -> Any:
        """Let time pass."""
        self.pass_by(seconds)
        return self.state

    def pass_by(self, seconds: float) -> None:
        """Let time pass without a look."""
        self.clock.wait(seconds)
        self.table.tick()

    def see(
        self,
        places: Mapping[str, str],
        state: PictureState = PictureState.SETTLED,
        twice: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        lost: tuple[str, ...] = (),
    ) -> Any:
        """The camera has seen pieces on spaces, and all boards but some.

        Of some pieces it sees two tokens, and of those that are `lost` none.
        """
        pieces = {
            Piece(piece): Seen(SeenState.SEEN, Pose(space), (space,))
            for piece, space in places.items()
        }
        pieces |= {Piece(piece): Seen(SeenState.UNSURE) for piece in twice}
        pieces |= {Piece(piece): Seen(SeenState.LOST) for piece in lost}
        conflicts = tuple(map(Piece, twice))
        boards = frozenset(board.name for board in self.match.rulebook.plan.boards)
        self.table.refereed().see(
            Sighting(self.clock(), 1, state, pieces, boards - {*without}, conflicts)
        )
        self.table.tick()
        return self.state

    # -- on to a place ---------------------------------------------------------------------

    def to_ready(self, **options: Json) -> Any:
        """On to both teams' word before the first round: the Sun stands on Jaws.GL."""
        self._set_up(**options)
        return self.state

    def to_round(self, **options: Json) -> Any:
        """On to the running Action Phase."""
        self._begin_round(**options)
        return self.state

    def to_lock(self, **options: Json) -> Any:
        """On to whose cards lie where."""
        self._begin_round(**options)
        self.pass_by(20.0)
        return self.go_on()

    def _set_up(self, **options: Json) -> None:
        self.begin(**options)
        self.tell("toss", "Jaws")
        self.tell("sun", "Jaws.GL")
        self.read_rulings()
        self.tell("placed", "placed")

    def _begin_round(self, **options: Json) -> None:
        self._set_up(**options)
        self.tell("ready/jaws", "ready")
        self.tell("ready/paws", "ready")

    def to_section(self, number: int, laid: Mapping[str, str]) -> Any:
        """On to a section's cards; `laid` maps "jaws/1" to pilot or gunner."""
        self.to_lock()
        for place, role in laid.items():
            self.tell(f"lock/{place}", {"pilot": 0, "gunner": 0, role: 1})
        self.tell("checked", "checked")
        self.tell("drawn", "drawn")
        while not any(f"section-{number}/" in key for key in self.match.open):
            self.read_rulings()
            match = self.match
            question = next(q for key, q in match.open.items() if key not in match.answered)
            raw = "shuffled" if question.kind == "ready" else "SH PL"
            self.tell(question.key, raw)
        return self.read_rulings()


class Bots:
    """Four bots at a person's screen, who lay and tell real cards."""

    def __init__(self, person: Person, seed: int) -> None:
        self.person = person
        self.cards = PhysicalTable(Setup("jaws-and-paws", ("day",), PLAYERS), Random(seed))
        self.ruled = 0

    def play(self, most: int = 3000) -> Iterator[ScreenState]:
        """Every screen of a match, each before somebody touches it."""
        self.person.begin()
        for _ in range(most):
            state: ScreenState = self.person.state
            yield state
            if isinstance(state, ResultState):
                return
            self._act(state)
        raise AssertionError(f"the match did not end within {most} screens")

    def _act(self, state: ScreenState) -> None:
        rulings = self.person.match.rulings
        for ruling in rulings[self.ruled :]:
            self.cards.perform(ruling.deeds)
        self.ruled = len(rulings)
        if isinstance(state, RulingState):
            self._go_on(state)
        elif isinstance(state, RoundState):
            self._round(state)
        else:
            self._answer()

    def _round(self, state: RoundState) -> None:
        if state.phase is Phase.LOCKED:
            self._go_on(state)
            return
        for question in self.person.match.open.values():
            self.cards.act(question)
        self.person.clock.wait(5.0)
        self.person.table.tick()

    def _go_on(self, state: RulingState | RoundState) -> None:
        key = state.frame.bottom.next
        self.person.do(key.action if key is not None else None)

    def _answer(self) -> None:
        match = self.person.match
        waiting = [q for key, q in match.open.items() if key not in match.answered]
        question = min(waiting, key=lambda asked: asked.kind == "ready")
        self.person.do(a.Anyway(a.Answer(question.key, question.opened, self.cards.act(question))))


def look(person: Person, quantity: str = "", owner: str = "", **written: Any) -> Any:
    """Adjust as it was just opened, on a quantity or an owner, with values written already."""
    person.view = View().opened(a.Panel.ADJUST)
    for name, value in written.items():
        person.do(a.SetAdjust(name.replace("_", "."), value))
    return person.touch(a.ChooseQuantity(owner, quantity))


@pytest.fixture
def new_person() -> Iterator[Callable[[Path], Person]]:
    """Seats somebody at a table of that folder, several at one record if a test wants it."""
    seated: list[Person] = []

    def sit(folder: Path) -> Person:
        seated.append(Person(folder))
        return seated[-1]

    yield sit
    for one in seated:
        one.table.close()


@pytest.fixture
def person(tmp_path: Path, memory: Path) -> Iterator[Person]:
    """Somebody at a table where nothing is going on; its record goes with the test."""
    with tempfile.TemporaryDirectory(dir=memory) as record:
        person = Person(tmp_path, Path(record))
        yield person
        person.table.close()


@pytest.fixture
def bots(person: Person) -> Callable[[int], Bots]:
    """Four bots who play a match of that seed on the person's screen."""
    return lambda seed: Bots(person, seed)


@pytest.fixture
def duel(person: Person) -> Callable[..., Any]:
    """A match in the middle of A's Engagement Phase, two spaces behind B, both facing north."""

    def begun(**options: Any) -> Any:
        setup = Setup("dogfight-1917", ("base",), DUELLISTS, options, position=DUEL)
        person.table.new_match(setup)
        person.view = act(a.Checked(), person.table, View())
        return person.read_rulings()

    return begun
