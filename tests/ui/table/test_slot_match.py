"""A match of Jaws & Paws driven by buttons and slot sensors: mock pins and a box behind a pty.

What they can tell they tell, and nobody touches a screen: both teams' ready (one button of the
box, one of the pins), the round and its zero (the box's own timer), which sections are empty and
how many cards lie on the others, who challenges, and that a card came late, and by how much. What
no switch can know is said aloud (source `script`, as a camera over sleeved cards would say it):
whose border a card has, what is turned over, discards and counts.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.offers import Button
from companion.core.question import Locked, Ready
from companion.core.ruling import Seat
from companion.games import find_bots
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.record import Record
from companion.referee.late import LATE, SENSOR
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.simulated import SimulatedBox
from hardware.signals.both import BothSignals
from hardware.signals.process import Wanted
from tests.patience import wait_until
from ui.scene.values import DeviceState
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.table import Table

BOX = "jaws-and-paws"
TEAMS = ("Jaws", "Paws")

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


class Evening:
    """Hands, cards and voices around a table that nobody touches the screen of."""

    def __init__(self, folder: Path) -> None:
        self.sim = SimulatedBox(folder / "box")
        self.box = SensorBox(str(folder / "box"))
        wanted = Wanted("mock", speaker="none", linger_s=5.0)
        self.signals = BothSignals(wanted, self.box, box_sounds=True, folder=folder)
        self.signals.connect()
        self.sim.start()
        self.box.start()
        settings = SettingsFile(folder / "settings.toml", Settings(sounds_from="box"))
        record = Record.open(str(folder / "matches.sqlite"))
        self.table = Table(record, settings, signals=self.signals)
        setup = Setup(BOX, options={"timer_s": 60})  # longer than any machine stalls
        self.bots: Any = find_bots(BOX)(setup, Random(5))
        self.until(lambda: self.box.state().usable, "no box")
        self.table.new_match(setup)
        self.ruled = 0
        self.laid_in = ""
        self.late_by_s = 0.0

    def close(self) -> None:
        self.signals.stop()
        self.signals.end_process()
        self.table.close()
        self.sim.close()

    def until(self, true: Callable[[], bool], why: str) -> None:
        def ticked() -> bool:
            if true():
                return True
            self.table.tick()
            return False

        wait_until(ticked, lambda: f"{why}; {list(self.open)}; {self.box.state()}", every_s=0.005)

    @property
    def open(self) -> dict[str, Any]:
        match = self.table.refereed().match
        return {key: q for key, q in match.open.items() if key not in match.answered}

    # -- hands -----------------------------------------------------------------------------

    def lay_cards(self, this_round: str) -> None:
        """The bots' cards come to lie on the sensors, while the clock runs."""
        self.bots.lay_before(this_round)
        self.show_slots()

    def show_slots(self) -> None:
        """The sensors are as the cards lie."""
        for name, backs in self.bots.tracks().items():
            team, _, section = name.partition(".")
            slot = f"{TEAMS.index(team) + 1}.{section}"
            self.sim.act(partial(self.sim.lay, slot, len(backs)))

    def ready(self) -> None:
        """One team presses its button on the box, the other its button on the pins.

        Both are ready, or both agree to the result.
        """
        self.sim.act(lambda: self.sim.hold("ready-1", down=True))
        self.signals.push(Button.READY_SECOND)
        self.until(self.heard, "the buttons were not heard")
        self.sim.act(lambda: self.sim.hold("ready-1", down=False))

    def heard(self) -> bool:
        """Whether the phase has begun, or the match is over."""
        return self.table.refereed().clock is not None or self.over

    @property
    def over(self) -> bool:
        return self.table.refereed().match.outcome is not None

    def zero(self) -> float:
        """Everybody has laid what they want: the clock is set near its zero; when that was."""
        referee = self.table.refereed()
        referee.set_rest(0.5, time.monotonic())
        clock = referee.clock
        assert clock is not None
        assert clock.deadline is not None
        self.until(lambda: self.table.refereed().clock is None, "zero did not come")
        return clock.deadline

    # -- voices ----------------------------------------------------------------------------

    def say(self, question: Any) -> None:
        """What no switch can know is said."""
        raw = self.bots.act(question)
        taken = self.table.offer(question.key, question.opened, raw, "script")
        assert taken, self.table.refereed().refused
        self.perform()

    def perform(self) -> None:
        """Hands do what was ruled, and the sensors see it."""
        rulings = self.table.refereed().match.rulings
        for ruling in rulings[self.ruled :]:
            self.bots.perform(ruling.deeds)
        self.ruled = len(rulings)
        self.show_slots()

    def say_until(self, true: Callable[[Any], bool]) -> None:
        """Answer by voice until such a question is open, or the match is over."""
        while not self.over:
            question = next(iter(self.open.values()))
            if true(question):
                return
            self.say(question)

    def sources(self) -> Counter[str]:
        """How many answers came whence."""
        entries = self.table.refereed().match.entries
        return Counter(entry.source for entry in entries if entry.kind == "answer")


@pytest.fixture
def evening() -> Iterator[Evening]:
    """In a folder with a short name, for its socket."""
    folder = Path(tempfile.mkdtemp(prefix="slots-"))
    evening = Evening(folder)
    yield evening
    evening.close()
    shutil.rmtree(folder, ignore_errors=True)


def is_ready(question: Any) -> bool:
    return isinstance(question, Ready) and question.by in TEAMS and "/lock/" not in question.key


def lock_is_answered(evening: Evening) -> bool:
    """Whether the sensors have told every section that was empty at the buzzer."""
    told = evening.table.refereed().match.answered
    empty = [name for name, backs in evening.bots.tracks().items() if not backs]
    places = [name.lower().replace(".", "/") for name in empty]
    return all(any(key.endswith(f"/lock/{place}") for key in told) for place in places)


def play_round(evening: Evening, *, late_slot: bool) -> None:
    """From both buttons to the next round's ready, or the end of the match."""
    evening.say_until(is_ready)
    this_round = next(iter(evening.open)).partition("/")[0]
    evening.ready()
    if evening.over:
        return
    (clock,) = [q for q in evening.open.values() if isinstance(q, Locked)]
    assert clock.key.startswith(this_round)
    evening.lay_cards(this_round)
    deadline = evening.zero()
    if late_slot:
        lay_late(evening, deadline)
    evening.until(lambda: lock_is_answered(evening), "the sensors did not tell the empty sections")
    evening.say_until(is_ready)


def lay_late(evening: Evening, deadline: float) -> None:
    """A card comes 0.18 s after the buzzer, to an empty section if there is one; it is ruled on."""
    tracks = evening.bots.tracks()
    name = min(tracks, key=lambda place: (len(tracks[place]), place))
    team, _, section = name.partition(".")
    slot, lay_there = f"{TEAMS.index(team) + 1}.{section}", len(tracks[name])
    time.sleep(max(0.0, deadline + 0.18 - time.monotonic()))
    evening.sim.act(lambda: None)  # it looks at its slots once more before the card lies there
    evening.sim.act(lambda: evening.sim.lay(slot, lay_there + 1))
    evening.late_by_s = time.monotonic() - deadline
    referee = evening.table.refereed()
    evening.until(lambda: len(referee.late.waiting) == 1, "the late card was not named")
    (late,) = referee.late.waiting
    assert (late.team, late.number) == (team, int(section))
    (device,) = [d for d in evening.table.devices(evening.table.clock()) if d.name == "BOX"]
    assert device.alarm == f"{team} {section}: laid {late.felt}", "the banner names it"
    notice = referee.late.rule(late, Seat(f"{team[0]}P"), evening.table.clock())
    assert notice is not None
    assert notice.code == "JP-E20"
    assert "not played" in notice.text
    assert not referee.late.waiting
    evening.sim.act(lambda: evening.sim.lay(slot, lay_there))  # back to the hand


def test_a_match_goes_on_by_buttons_and_slots_with_a_late_card_ruled(evening: Evening) -> None:
    """Two rounds; each answer's source is in the log, and none of them is a touch."""
    play_round(evening, late_slot=True)
    play_round(evening, late_slot=False)
    match = evening.table.refereed().match
    sources = evening.sources()
    assert sources["touch"] == 0
    assert sources["button"] == 4
    assert sources["clock"] == 2
    assert sources[SENSOR] > 0
    answers = {entry.key: entry for entry in match.entries if entry.kind == "answer"}
    assert all(answers[f"round-{n}/ready/{team}"].source == "button"
               for n in (1, 2) for team in ("jaws", "paws")
               if f"round-{n}/ready/{team}" in answers)  # fmt: skip
    reports: list[tuple[Any, Entry]] = [
        (entry.answer, entry) for entry in match.entries if entry.kind == "report"
    ]
    ((told, late),) = [one for one in reports if one[0]["what"] == LATE]
    # On a busy machine it is laid later, and the box's own zero may come late, too.
    assert 0 < told["late_ms"] <= evening.late_by_s * 1000 + 50
    assert "± " in late.reason
    assert "after zero" in late.reason
    counted = [entry for told, entry in reports if told["what"] == "cards counted"]
    assert counted
    assert all(entry.reason == "slot sensor" for entry in counted)


def test_a_challenge_button_of_the_box_stops_the_clock(evening: Evening) -> None:
    """As one on the pins does; the box's buzzer says so, and the round on it stands."""
    evening.say_until(is_ready)
    evening.ready()
    evening.sim.act(lambda: evening.sim.hold("challenge-2", down=True))
    referee = evening.table.refereed()
    evening.until(lambda: referee.presses.challenge is not None, "nobody heard it")
    assert referee.presses.challenge is not None
    assert referee.presses.challenge.by == "Paws"
    assert referee.clock is not None
    assert not referee.clock.running
    assert evening.box.adopt() is None


def test_without_the_box_people_tell_and_nothing_waits(evening: Evening) -> None:
    """Pulled in the round: the pins sound, the device says so, and the lock is asked as always."""
    evening.say_until(is_ready)
    evening.ready()
    evening.lay_cards("round-1")
    evening.sim.close()
    evening.zero()

    def box() -> Any:
        return next(d for d in evening.table.devices(evening.table.clock()) if d.name == "BOX")

    evening.until(lambda: box().state is DeviceState.LOST, "nobody noticed")
    device = box()
    assert "tap as always" in device.way_out
    assert evening.sources()[SENSOR] == 0
    assert len(evening.open) == 9, "eight sections and the word that all were looked at"


@pytest.mark.soak
def test_a_whole_match_goes_by_buttons_and_slots(evening: Evening) -> None:
    """To its outcome, with a late card in every third round."""
    for number in range(60):
        if evening.over:
            break
        play_round(evening, late_slot=number % 3 == 0)
    assert evening.over
    assert evening.sources()["touch"] == 0
