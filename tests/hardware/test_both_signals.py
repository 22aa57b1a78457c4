"""Signal process and sensor box as one: who sounds, and what is told once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.offers import CardEvent, Press, SignalEvent, SignalKind
from hardware.both_signals import BothSignals
from hardware.box_simulated import SimulatedBox
from hardware.firmware.sounding import BUZZER
from hardware.panel import Manner, Sound
from hardware.sensor_box import SensorBox
from hardware.signal_client import SignalClient
from hardware.signal_starter import Wanted

WAIT_S = 8.0
LOUD = Manner(volume=80)

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


class Bench:
    """A signal process on mock pins, a simulated box, and all that is told."""

    def __init__(self, folder: Path, *, box_sounds: bool = True) -> None:
        self.sim = SimulatedBox(folder / "box")
        self.box = SensorBox(str(folder / "box"))
        self.both = BothSignals(
            Wanted("mock", speaker="none", linger_s=5.0),
            self.box,
            box_sounds=box_sounds,
            folder=folder,
        )
        self.signs: list[SignalEvent] = []
        self.presses: list[Press] = []
        self.cards: list[CardEvent] = []
        self.both.on_event = self.signs.append
        self.both.on_press = self.presses.append
        self.both.on_card = self.cards.append

    def start(self) -> None:
        self.sim.start()
        self.both.connect()
        self.both.set_manner(LOUD)
        self.box.start()
        self.until(lambda: self.box.state().usable, "no box")
        if self.both.box_sounds:
            self.until(self.is_quiet, "the process was not silenced")

    def is_quiet(self) -> bool:
        return self.both.state().manner.volume == 0

    def close(self) -> None:
        self.both.close()
        self.sim.close()

    def until(self, true: Callable[[], bool], why: str) -> None:
        end = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < end, f"{why}: {self.box.state()}, {self.signs}"
            time.sleep(0.005)

    def zeros(self) -> list[SignalEvent]:
        return [event for event in self.signs if event.kind is SignalKind.ZERO]


@pytest.fixture
def bench(socket_folder: Path) -> Iterator[Bench]:
    bench = Bench(socket_folder)
    bench.start()
    yield bench
    bench.close()


def test_a_live_box_sounds_in_place_of_the_pins(bench: Bench) -> None:
    """Armed in the same call; each sign is told once, the box's, which was heard."""
    deadline = time.monotonic() + 0.6
    bench.both.arm("m/1", deadline, (0.3,), 20.0)
    assert bench.both.by_box
    assert bench.box.has_armed("m/1")
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    time.sleep(0.5)
    assert [event.kind for event in bench.signs] == [
        SignalKind.ARMED, SignalKind.CUE, SignalKind.ZERO,
    ]  # fmt: skip
    assert not bench.zeros()[0].muted
    assert bench.zeros()[0].at == pytest.approx(deadline, abs=0.05)
    assert bench.sim.board.outputs & BUZZER
    history = bench.both.history("m/1")
    assert [event.muted for event in history if event.kind is SignalKind.ZERO] == [False]
    journal = SignalClient.history(bench.both, "m/1")
    assert [event.muted for event in journal if event.kind is SignalKind.ZERO] == [True]


def test_a_box_that_is_lost_in_a_round_leaves_it_to_the_pins(bench: Bench) -> None:
    """The process is loud again, and its own zero counts."""
    bench.both.arm("m/1", time.monotonic() + 1.2, (), 20.0)
    bench.sim.act(lambda: setattr(bench.sim, "_plugged_at", float("inf")))
    bench.sim.act(bench.sim.unplug)
    bench.sim.act(lambda: setattr(bench.sim, "_plugged_at", float("inf")))
    bench.until(lambda: not bench.is_quiet(), "the pins stayed silent")
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    assert not bench.zeros()[0].muted


def test_a_box_that_comes_in_a_round_takes_it_over(socket_folder: Path) -> None:
    """From then on it sounds; zero is heard once."""
    bench = Bench(socket_folder)
    bench.both.connect()
    bench.both.set_manner(LOUD)
    bench.box.start()
    try:
        bench.both.arm("m/1", time.monotonic() + 3.0, (), 20.0)
        assert not bench.both.by_box
        bench.sim.start()
        bench.until(lambda: bench.box.has_armed("m/1"), "not taken over")
        bench.until(bench.is_quiet, "the pins sound too")
        bench.until(lambda: len(bench.zeros()) == 1, "no zero")
        assert not bench.zeros()[0].muted
        assert bench.sim.board.outputs & BUZZER
    finally:
        bench.close()


def test_stop_pause_and_stand_reach_both(bench: Bench) -> None:
    """Nothing sounds any more anywhere."""
    bench.both.arm("m/1", time.monotonic() + 5.0, (), 20.0)
    assert bench.both.pause() == pytest.approx(5.0, abs=0.3)
    assert bench.box.adopt() is None
    bench.both.arm("m/1", time.monotonic() + 5.0, (), 20.0)
    bench.both.stand("m/1", 4.0)
    assert bench.box.adopt() is None
    assert bench.both.adopt() is None
    assert bench.sim.board.outputs == 0b00110
    bench.both.arm("m/2", time.monotonic() + 5.0, (), 20.0)
    bench.both.stop()
    assert bench.box.adopt() is None


def test_a_round_outlives_the_app_and_is_adopted_by_the_next(bench: Bench) -> None:
    """The box sounds by its own timer with nobody there; who comes back hears of its zero once."""
    deadline = time.monotonic() + 2.5
    bench.both.arm("m/1", deadline, (), 20.0)
    bench.both.close()
    next_app = SensorBox(str(bench.sim.path))
    folder = bench.both._folder.path
    wanted = Wanted("mock", speaker="none", linger_s=5.0)
    with BothSignals(wanted, next_app, box_sounds=True, folder=folder) as both:
        both.on_event = bench.signs.append
        adopted = both.adopt()
        assert adopted is not None
        assert (adopted.round_id, adopted.deadline) == ("m/1", deadline)
        next_app.start()
        bench.until(lambda: next_app.has_armed("m/1"), "the box does not say that it runs it")
        bench.until(lambda: len(bench.zeros()) == 1, "no zero")
        time.sleep(0.4)
        (zero,) = bench.zeros()
        assert not zero.muted
        assert zero.at == pytest.approx(deadline, abs=0.05)


def test_zero_sounds_on_the_box_with_nobody_there(bench: Bench) -> None:
    """The app is gone, the cable hangs: the chip's timer needs neither."""
    bench.both.arm("m/1", time.monotonic() + 0.5, (), 20.0)
    bench.both.close()
    bench.sim.act(bench.sim.unplug)
    bench.until(lambda: bool(bench.sim.board.outputs & BUZZER), "the buzzer stayed silent")


def test_a_round_that_an_earlier_app_left_on_the_box_gives_way(bench: Bench) -> None:
    """The process's round is the table's; what the box still has is nobody's."""
    bench.box.arm("old", time.monotonic() + 30.0, (), 30.0)
    bench.both.arm("m/1", time.monotonic() + 5.0, (), 20.0)
    adopted = bench.box.adopt()
    assert adopted is not None
    assert adopted.round_id == "m/1"


def test_sounds_and_loudness_go_to_who_sounds(bench: Bench) -> None:
    """The box; and in silent mode nobody."""
    bench.both.sound(Sound.CHALLENGE)
    assert bench.sim.board.outputs & BUZZER
    bench.both.set_manner(Manner(volume=0, brightness=40))
    assert bench.sim.board.brightness == 40
    assert not bench.sim.board.outputs & BUZZER


def test_presses_of_the_box_are_the_panels(bench: Bench) -> None:
    """One callback for all buttons, wherever they are wired."""
    bench.sim.act(lambda: bench.sim.hold("challenge-2", down=True))
    bench.until(lambda: len(bench.presses) == 1, "no press")
    assert bench.presses[0].button == "challenge-2"


def test_with_the_pins_sounding_cards_are_held_against_their_zero(socket_folder: Path) -> None:
    """`sounds_from = "pins"`: the box is silent, and its cards are late by the translated clock."""
    bench = Bench(socket_folder, box_sounds=False)
    bench.start()
    try:
        bench.both.arm("m/1", time.monotonic() + 0.3, (), 20.0)
        assert not bench.box.has_armed("m/1")
        bench.until(lambda: len(bench.zeros()) == 1, "no zero")
        assert not bench.zeros()[0].muted
        bench.until(lambda: (bench.box.state().error_s or 1.0) < 0.05, "its clock is not known")
        time.sleep(0.2)
        bench.sim.act(lambda: bench.sim.lay("1.1"))
        bench.until(lambda: len(bench.cards) == 1, "no card")
        after = bench.cards[0].after_zero
        assert after is not None
        assert after.is_certain
        assert after.late_s < WAIT_S
        assert not bench.sim.board.outputs & BUZZER
    finally:
        bench.close()
