"""The demonstration: seeded matches at the simulated table, played just as a real match is.

Drawn frames, camera, tracker, rules, buttons, lamps, record: nothing is told past them.
`ui.demo.terminal.play_demo` plays it in a terminal; the app plays it with the same driver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.offers import PictureState
from companion.games import USUAL_BOX, find_rulebook
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from hardware.signals.client import SignalClient
from ui.demo.drawn import DemoTable, PacedClock, RunningClock, Truth, clock_for, draw_table
from ui.demo.driver import Cards, DemoDriver, Poses, Rolls, Tally
from ui.screens.match.round import RoundState
from ui.screens.registry import ScreenState, present
from ui.table import default_path
from ui.table.camera_watch import CameraWatch
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.signals import wanted_process
from ui.table.table import Table
from ui.touch.acting import act
from ui.touch.view import View
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from companion.core.offers import Sighting
    from companion.core.ruling import Json
    from ui.touch.actions import Action
    from vision.drawing.table import SimulatedTable

FPS = 20.0
SLOWEST_FPS = 4.0
IDLE_S, ROUND_IDLE_S = 0.1, 0.5
"""Steps of a stepped clock: between touches, and while a round runs and nobody touches."""
BREATH_S = 1 / 30
PEOPLE = ("Ana", "Bo", "Cleo", "Dan", "Eve", "Finn")
DEMO_OPTIONS: dict[str, Json] = {"sight": "accept"}

Show = Callable[["ScreenState", "Demonstration"], None]


@dataclass(slots=True)
class DemoCall:
    """What the command line asks for.

    `rounds` None: one match to its end. `haste`: how many times faster than people the bots
    touch. `sleeved`: cards wear sleeves that the camera reads.
    """

    box: str = USUAL_BOX
    variants: Sequence[str] = ()
    seed: int = 1
    rounds: int | None = None
    pace: float = 1.0
    record: str = ""
    pins: str = ""
    options: dict[str, Json] | None = None
    haste: float = 1.0
    sleeved: bool = False


class Demonstration:
    """One demonstration under way: the table, who plays at it, and what came of it."""

    def __init__(self, call: DemoCall) -> None:
        """BadCall, BadFile or RecordError where the call cannot be done."""
        if call.rounds is not None and call.rounds < 1:
            raise BadCall(f"--rounds {call.rounds}: at least 1")
        self.call = call
        box = find_rulebook(call.box)
        self.variants = box.usual(call.variants)
        self.rulebook = box.in_variants(self.variants).seated(call.options or {})
        if call.sleeved and not self.rulebook(self._setup()).plan.decks:
            raise BadCall(f"--sleeves: no card of {call.box} lies on a track; leave it away")
        self.clock: PacedClock = clock_for(call.pace)
        self.truth = Truth()
        self.tally = Tally(call.rounds)
        self.matches = 0
        self.view = View()
        self.drawn = self._draw()
        self.watch = CameraWatch(
            lambda: self.drawn, lambda _: Tracker(self.drawn.plan), clock=self.clock
        )
        self.watch.listeners.append(self._seen)
        self.table = self._table()
        self.driver = self._begin_match()

    # -- putting it together ---------------------------------------------------------------

    def _draw(self) -> SimulatedTable:
        rules = self.rulebook(self._setup())
        pace = self.call.pace
        fps = FPS if pace <= 1 else max(SLOWEST_FPS, FPS / pace)
        return draw_table(rules.plan, self.call.seed, self.clock, fps=fps)

    def _table(self) -> Table:
        settings = SettingsFile(default_path(), self._settings())
        return Table(
            Record.open(settings.settings.record_place),
            settings,
            watch=self.watch,
            signals=self._signals(),
            clock=self.clock,
        )

    def _settings(self) -> Settings:
        """The table's own settings but for what the call names; nothing of it is saved."""
        settings = SettingsFile.load().settings
        if self.call.record:
            settings = settings.changed("record", self.call.record)
        pins = self.call.pins or ("mock" if settings.pins == "none" else settings.pins)
        return settings.changed("pins", pins)

    def _signals(self) -> SignalClient | DeskPanel:
        """At pace 1 the signal process with its pins; else a panel on the demonstration's clock."""
        if isinstance(self.clock, RunningClock) and self.clock.pace == 1:
            client = SignalClient(wanted_process(self._settings()))
            client.connect()
            return client
        return DeskPanel(clock=self.clock)

    def _setup(self) -> Setup:
        """Somebody at each seat of this mode under these house rules."""
        known = {name: on for name, on in DEMO_OPTIONS.items() if name in self.rulebook.switches}
        bare = Setup(
            self.rulebook.box,
            self.variants,
            options={**known, **(self.call.options or {})},
            demonstration=True,
        )
        taken = self.rulebook(bare).seats_taken()
        return replace(bare, seats=dict(zip(taken, PEOPLE, strict=False)))

    def _begin_match(self) -> DemoDriver:
        """A new match with bots of its own; the drawn table is set up for it."""
        seed = self.call.seed + self.matches
        self.matches += 1
        setup = self._setup()
        rng = Random(seed)
        bots, sleeved = bots_of(setup, rng), self.call.sleeved
        self.demo = DemoTable(bots, self.drawn, rng, self.truth, sleeved=sleeved)
        self.table.new_match(setup)
        self.view = View()
        return DemoDriver(self.table, self.demo, self.touch, self.tally, self.call.haste)

    # -- playing ---------------------------------------------------------------------------

    def touch(self, action: Action) -> None:
        """What a touch on the screen does."""
        self.view = act(action, self.table, self.view, "bot")

    def _seen(self, sighting: Sighting) -> None:
        self.demo.see(sighting)

    def state(self) -> ScreenState:
        """The screen as it stands now."""
        return present(self.table.situation(), self.view)

    def step(self) -> ScreenState:
        """One turn: what the clock brings, then what somebody does; the screen before it."""
        self.table.tick()
        state = self.state()
        if self.driver.over and not self.over:
            self.driver.witness.read()
            self.driver = self._begin_match()
        self.driver.step(state, self.clock())
        return state

    @property
    def over(self) -> bool:
        """Whether all that was asked for was played."""
        if not self.driver.over:
            return False
        return self.tally.full or self.driver.enough or self.call.rounds is None

    def play(self, show: Show | None = None) -> Summary:
        """Play it to the end; `show` is handed each screen."""
        if isinstance(self.clock, RunningClock):
            self.watch.start()
        try:
            while not self.over:
                state = self.step()
                if show is not None:
                    show(state, self)
                self._let_time_pass(state)
            self._last_screen(show)
            return self.summary()
        finally:
            self.table.close()

    def _last_screen(self, show: Show | None) -> None:
        self.table.tick()
        if show is not None:
            show(self.state(), self)

    def _let_time_pass(self, state: ScreenState) -> None:
        """A stepped clock steps: by a frame while anything changes at the table, else further."""
        if isinstance(self.clock, RunningClock):
            self.clock.wait(BREATH_S * self.clock.pace)
            return
        demo = self.demo
        wanted = demo.busy or demo.changed or demo.waits or not self.settled or self._reads_dice
        if not (wanted and self.watch.step()):
            self.clock.wait(ROUND_IDLE_S if isinstance(state, RoundState) else IDLE_S)

    @property
    def _reads_dice(self) -> bool:
        tracker = self.watch.tracker
        return tracker is not None and tracker.reads_dice

    @property
    def settled(self) -> bool:
        """Whether the camera has come to rest on what it saw last."""
        sighting = self.watch.sighting
        return sighting is not None and sighting.state is PictureState.SETTLED

    def summary(self) -> Summary:
        """What came of it so far."""
        self.driver.witness.read()
        frames = self.watch.frame.number + 1 if self.watch.frame is not None else 0
        outcome = self.driver.match.outcome if self.table.referee is not None else None
        return Summary(
            box=self.call.box,
            turn=self.rulebook.rounds[-1],
            seed=self.call.seed,
            matches=self.matches,
            rounds=self.tally.rounds,
            helped=self.tally.helped,
            reasons=tuple(self.tally.reasons),
            touches=self.tally.touches,
            frames=frames,
            truth=self.truth,
            seen=self.tally.seen,
            misled=tuple(self.tally.misled),
            poses=self.tally.poses,
            rolls=self.tally.rolls,
            cards=self.tally.cards,
            outcome=outcome.ruling.text if outcome is not None else "",
            match_id=self.table.match_id,
            kept_in=self.table.record.name,
            unwritten=self.table.referee.unwritten if self.table.referee is not None else "",
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """What a demonstration came to."""

    box: str
    seed: int
    matches: int
    rounds: int
    helped: int
    reasons: tuple[str, ...]
    touches: int
    frames: int
    truth: Truth
    seen: int = 0
    misled: tuple[str, ...] = ()
    poses: Poses = field(default_factory=Poses)
    rolls: Rolls = field(default_factory=Rolls)
    cards: Cards = field(default_factory=Cards)
    outcome: str = ""
    match_id: str = ""
    kept_in: str = ""
    """The record, as people call it."""
    unwritten: str = ""
    """Why the last lines are not on disk; empty where they all are."""
    turn: str = "round"
    """What the box calls a round."""

    @property
    def sound(self) -> bool:
        """Whether no sighting and no answer of the camera was wrong, and all of it is on disk."""
        wrong = self.truth.wrong + self.truth.cards.wrong
        return wrong == 0 and not self.misled and not self.unwritten

    def to_json(self) -> dict[str, Json]:
        """One plain object, as `--json` prints it."""
        return {
            "box": self.box,
            "seed": self.seed,
            "matches": self.matches,
            "rounds": self.rounds,
            "rounds_helped": self.helped,
            "reasons": list(self.reasons),
            "touches": self.touches,
            "frames": self.frames,
            "sightings": self.truth.settled,
            "sightings_right": self.truth.right,
            "sightings_wrong": self.truth.wrong,
            "sightings_doubtful": self.truth.doubtful,
            "wrong": list(self.truth.faults),
            "answers_seen": self.seen,
            "answers_seen_wrong": list(self.misled),
            "poses_right": self.poses.right,
            "poses_asked": self.poses.asked.total(),
            "poses_asked_because": dict(sorted(self.poses.asked.items())),
            "poses_wrong": self.poses.wrong,
            "rolls_right": self.rolls.right,
            "rolls_told": self.rolls.told,
            "rolls_wrong": self.rolls.wrong,
            **self._cards_json(),
            "outcome": self.outcome,
            "match_id": self.match_id,
            "unwritten": self.unwritten,
        }

    def _cards_json(self) -> dict[str, Json]:
        """Sections as they were seen, and cards as the app learned of them."""
        truth = self.truth.cards
        return {
            "sections_right": truth.right,
            "sections_asked": truth.asked,
            "sections_wrong": truth.wrong,
            "wrong_sections": list(truth.faults),
            "cards_right": self.cards.right,
            "cards_asked": self.cards.asked,
            "cards_wrong": self.cards.wrong,
        }
