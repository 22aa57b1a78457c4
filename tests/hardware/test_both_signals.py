"""Signal process and sensor box as one: who sounds, and what is told once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from companion.core.offers import CardEvent, Press, SignalEvent, SignalKind
from hardware.firmware.sounding import BUZZER
from hardware.panel.panel import Manner, Sound
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.simulated import SimulatedBox
from hardware.signals.both import BothSignals, merged
from hardware.signals.client import SignalClient
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S, STALL_S, wait_until

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
            Wanted("mock", speaker="none", linger_s=PATIENCE_S),
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
        wait_until(true, lambda: f"{why}: {self.box.state()}, {self.signs}", every_s=0.005)

    def has_buzzed(self) -> bool:
        return any(outputs & BUZZER for outputs in self.sim.board.shown.copy())

    def zeros(self) -> list[SignalEvent]:
        return [event for event in self.signs if event.kind is SignalKind.ZERO]


@pytest.fixture
def bench(socket_folder: Path) -> Iterator[Bench]:
    bench = Bench(socket_folder)
    bench.start()
    yield bench
    bench.close()


def test_a_live_box_sounds_in_place_of_the_pins(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Armed in the same call; each sign is told once, the box's, which was heard."""
    for patience in (
        "sensor_box.sensor_box.VOUCH_S",
        "sensor_box.sensor_box.STALE_S",
        "signals.both.HOLD_S",
    ):  # a box that the machine lets wait is relied on, too
        monkeypatch.setattr(f"hardware.{patience}", PATIENCE_S)
    deadline = time.monotonic() + 2.0
    bench.both.arm("m/1", deadline, (0.3,), 20.0)
    assert bench.both.by_box
    assert bench.box.has_armed("m/1")
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    time.sleep(0.5)
    assert [event.kind for event in bench.signs] == [
        SignalKind.ARMED, SignalKind.CUE, SignalKind.ZERO,
    ]  # fmt: skip
    (zero,) = bench.zeros()
    assert not zero.muted
    assert zero.at - zero.late_s == pytest.approx(deadline, abs=STALL_S)
    assert bench.has_buzzed()
    history = bench.both.history("m/1")
    assert [event.muted for event in history if event.kind is SignalKind.ZERO] == [False]
    journal = SignalClient.history(bench.both, "m/1")
    assert [event.muted for event in journal if event.kind is SignalKind.ZERO] == [True]


def test_a_box_that_is_lost_in_a_round_leaves_it_to_the_pins(bench: Bench) -> None:
    """The process is loud again, and its own zero counts."""
    bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.sim.act(lambda: bench.sim.unplug(float("inf")))
    bench.until(lambda: not bench.is_quiet(), "the pins stayed silent")
    bench.both.arm("m/1", time.monotonic() + 0.3, (), 60.0)
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    assert not bench.zeros()[0].muted
    assert [event.muted for event in bench.both.history("m/1")][-1] is False


def test_a_box_that_says_nothing_before_zero_is_not_relied_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cable is in and nobody answers: rather both sound than none, and zero is told once."""
    monkeypatch.setattr("hardware.sensor_box.sensor_box.STALE_S", 600.0)
    wakes = threading.Event()
    bench.both.arm("m/1", time.monotonic() + 5.0, (), 20.0)
    bench.sim.after(0.0, lambda: wakes.wait(2 * PATIENCE_S))
    try:
        bench.until(lambda: len(bench.zeros()) == 1, "no zero")
        assert not bench.zeros()[0].muted
        bench.until(lambda: not bench.is_quiet(), "the pins stayed silent")
    finally:
        wakes.set()
    bench.until(lambda: bench.box.fired("m/1") is not None, "the box has not told its own")
    assert len(bench.zeros()) == 1


def test_a_box_that_answers_is_relied_on_to_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says at leisure is too seldom just before zero: it is asked more often there."""
    monkeypatch.setattr("hardware.sensor_box.sensor_box.NEAR_ZERO_S", 2 * PATIENCE_S)
    bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.until(lambda: bench.box._line.session.time_every_s < 1.0, "not asked more often")  # type: ignore[union-attr]
    bench.both.arm("m/1", time.monotonic() + 0.3, (), PATIENCE_S)
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    bench.until(lambda: bench.box._line.session.time_every_s == 1.0, "asked as often for ever")  # type: ignore[union-attr]


def test_a_box_that_comes_in_a_round_takes_it_over(socket_folder: Path) -> None:
    """From then on it sounds; zero is heard once."""
    bench = Bench(socket_folder)
    bench.both.connect()
    bench.both.set_manner(LOUD)
    bench.box.start()
    try:
        bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
        assert not bench.both.by_box
        bench.sim.start()
        bench.until(lambda: bench.box.has_armed("m/1"), "not taken over")
        bench.until(bench.is_quiet, "the pins sound too")
        bench.both.arm("m/1", time.monotonic() + 0.5, (), 60.0)
        bench.until(lambda: len(bench.zeros()) == 1, "no zero")
        bench.until(bench.has_buzzed, "the box was silent")
    finally:
        bench.close()


def test_stop_pause_and_stand_reach_both(bench: Bench) -> None:
    """Nothing sounds any more anywhere."""
    deadline = time.monotonic() + PATIENCE_S
    bench.both.arm("m/1", deadline, (), PATIENCE_S)
    latest = deadline - time.monotonic()
    rest_s = bench.both.pause()
    assert deadline - time.monotonic() <= rest_s <= latest
    assert bench.box.adopt() is None
    bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.both.stand("m/1", 4.0)
    assert bench.box.adopt() is None
    assert bench.both.adopt() is None
    assert bench.sim.board.outputs == 0b00110
    bench.both.arm("m/2", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.both.stop()
    assert bench.box.adopt() is None


def test_what_cannot_be_armed_leaves_the_armed_round(bench: Bench) -> None:
    """The process refuses another round; the first one goes on to its zero on both."""
    bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    with pytest.raises(PanelError):
        bench.both.arm("m/2", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    adopted = bench.box.adopt()
    assert adopted is not None
    assert adopted.round_id == "m/1"
    assert bench.both._armed is not None
    assert bench.both._armed.round_id == "m/1"


@pytest.fixture
def next_app(bench: Bench) -> Iterator[BothSignals]:
    """The program that is started after the bench's own; its box is not looked for yet."""
    box = SensorBox(str(bench.sim.path))
    wanted = Wanted("mock", speaker="none", linger_s=PATIENCE_S)
    both = BothSignals(wanted, box, box_sounds=True, folder=bench.both._folder.path)
    both.on_event = bench.signs.append
    yield both
    both.close()


def test_a_round_outlives_the_app_and_is_adopted_by_the_next(
    bench: Bench, next_app: BothSignals
) -> None:
    """The next one adopts it on both, and hears of its zero once."""
    deadline = time.monotonic() + PATIENCE_S
    bench.both.arm("m/1", deadline, (), PATIENCE_S)
    bench.both.close()
    adopted = next_app.adopt()
    assert adopted is not None
    assert (adopted.round_id, adopted.deadline) == ("m/1", deadline)
    next_app.box.start()
    bench.until(lambda: next_app.box.has_armed("m/1"), "the box does not say that it runs it")
    bench.until(lambda: next_app.state().manner.volume == 0, "the pins sound too")
    next_app.arm("m/1", time.monotonic() + 1.0, (), 60.0)
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    time.sleep(0.4)
    assert len(bench.zeros()) == 1


def test_what_the_box_sounded_with_nobody_there_is_told_as_heard(
    bench: Bench, next_app: BothSignals
) -> None:
    """The pins were muted for its sake: the record of the next app says that zero was heard."""
    bench.both.arm("m/1", time.monotonic() + 4.0, (), 20.0)
    bench.until(bench.is_quiet, "the pins sound too")
    bench.both.close()
    bench.until(lambda: bench.sim.box.sounding.round is None, "the box sounded no zero")
    bench.until(lambda: SignalClient.fired(next_app, "m/1") is not None, "nor did the process")
    next_app.box.start()
    bench.until(lambda: next_app.box.state().port != "", "its port was not opened")
    zero = next_app.fired("m/1")
    assert zero is not None
    assert not zero.muted
    next_app.box.close()


def test_what_the_box_told_is_known_to_the_next_app_without_it(
    bench: Bench, next_app: BothSignals
) -> None:
    """Kept beside the journal: the box has told it once and will not again."""
    bench.both.arm("m/1", time.monotonic() + 1.0, (), 20.0)
    bench.until(lambda: len(bench.zeros()) == 1, "no zero")
    heard = bench.zeros()[0]
    bench.until(lambda: SignalClient.fired(bench.both, "m/1") is not None, "not in the journal")
    bench.both.close()
    assert next_app.fired("m/1") == heard


def test_signs_of_both_are_told_once() -> None:
    """The box's where the pins were muted; the pins' where they sounded; none is dropped."""

    def sign(
        kind: SignalKind, at: float, rest_s: float = 0.0, *, muted: bool = False
    ) -> SignalEvent:
        return SignalEvent(kind, "m/1", at, rest_s, muted=muted)

    armed = sign(SignalKind.ARMED, 80.0, 20.0)
    pins = [armed, sign(SignalKind.CUE, 90.0, 10.0, muted=True), sign(SignalKind.ZERO, 100.0)]
    box = [sign(SignalKind.CUE, 90.001, 10.0), sign(SignalKind.CUE, 95.0, 5.0)]
    late = sign(SignalKind.ZERO, 100.2)
    assert merged(pins, [*box, *box, late]) == [armed, *box, pins[2]]


def test_zero_sounds_on_the_box_with_nobody_there(bench: Bench) -> None:
    """The app is gone, the cable hangs: the chip's timer needs neither."""
    bench.both.arm("m/1", time.monotonic() + 0.5, (), 20.0)
    bench.both.close()
    bench.sim.act(bench.sim.unplug)
    bench.until(bench.has_buzzed, "the buzzer stayed silent")


def test_a_round_that_an_earlier_app_left_on_the_box_gives_way(bench: Bench) -> None:
    """The process's round is the table's; what the box still has is nobody's."""
    bench.box.arm("old", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.both.arm("m/1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    adopted = bench.box.adopt()
    assert adopted is not None
    assert adopted.round_id == "m/1"


def test_sounds_and_loudness_go_to_who_sounds(bench: Bench) -> None:
    """The box; and in silent mode nobody."""
    bench.both.sound(Sound.CHALLENGE)
    assert bench.has_buzzed()
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
        (zero,) = bench.zeros()
        assert not zero.muted
        bench.until(lambda: (bench.box.state().error_s or 1.0) < 0.05, "its clock is not known")
        time.sleep(max(0.0, zero.at + 0.3 - time.monotonic()))
        before = time.monotonic()
        bench.sim.act(lambda: None)  # it looks at its slots once more before the card lies there
        bench.sim.act(lambda: bench.sim.lay("1.1"))
        bench.until(lambda: len(bench.cards) == 1, "no card")
        after = bench.cards[0].after_zero
        assert after is not None
        assert after.is_certain
        latest = time.monotonic() - zero.at
        assert before - zero.at - after.error_s <= after.late_s <= latest + after.error_s
        assert not bench.has_buzzed()
    finally:
        bench.close()
