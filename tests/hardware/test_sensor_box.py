"""The sensor box behind a pseudo-terminal: found, lived with, lost, found again (notes, 24-32)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Self

import pytest

from companion.core.errors import BadCall, PanelError
from companion.core.offers import CardEvent, CardMove, Press, SignalEvent, SignalKind
from hardware.firmware.sounding import ALL_LAMPS, BUZZER
from hardware.panel.panel import Manner
from hardware.panel.pins import LAMPS_S
from hardware.sensor_box.sensor_box import BoxConnection, SensorBox
from hardware.sensor_box.simulated import Faults, SimulatedBox
from tests.patience import PATIENCE_S, STALL_S, wait_until

NEAR_S = STALL_S
"""How far a moment of the box may be read from ours while a busy machine carries its lines."""
CLOSE_S = 0.005

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


class Bench:
    """A simulated box, the companion's own end of it, and what was told there."""

    def __init__(self, link: Path, faults: Faults | None = None) -> None:
        self.sim = SimulatedBox(link, faults)
        self.box = SensorBox(str(link))
        self.cards: list[CardEvent] = []
        self.presses: list[Press] = []
        self.signs: list[SignalEvent] = []
        self.box.on_card = self.cards.append
        self.box.on_press = self.presses.append
        self.box.on_event = self.signs.append

    def __enter__(self) -> Self:
        self.sim.start()
        self.box.start()
        self.until_live()
        return self

    def __exit__(self, *_: object) -> None:
        self.box.close()
        self.sim.close()

    def until(self, true: Callable[[], bool], why: str) -> None:
        wait_until(true, lambda: f"{why}: {self.box.state()}", every_s=0.002)

    def until_live(self) -> None:
        self.until(lambda: self.box.state().usable, "the box did not come to life")

    def lay_closely(self, slot: str) -> tuple[float, CardEvent, float]:
        """Lay a card until it is noticed closely, as a quiet machine does at once.

        Just before it was laid, what was told of it, and just after it was laid.
        """
        while True:
            told = len(self.cards)
            self.sim.act(lambda: None)  # it has looked at its slots just now
            before = time.monotonic()
            self.sim.act(lambda: self.sim.lay(slot))
            after = time.monotonic()
            self.until_told(told + 1)
            card = self.cards[-1]
            if card.error_s < CLOSE_S:
                return before, card, after
            self.sim.act(lambda: self.sim.lift(slot))
            self.until_told(told + 2)

    def until_told(self, cards: int) -> None:
        self.until(lambda: len(self.cards) == cards, "no word of the card")

    def zero(self) -> SignalEvent:
        """The zero, once it has been told."""
        self.until(lambda: SignalKind.ZERO in self.kinds(), "no zero")
        return next(event for event in self.signs if event.kind is SignalKind.ZERO)

    def kinds(self) -> list[SignalKind]:
        return [event.kind for event in self.signs]


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "box"


@pytest.fixture
def bench(link: Path) -> Iterator[Bench]:
    with Bench(link) as bench:
        yield bench


def test_cards_and_presses_come_with_their_times(bench: Bench) -> None:
    """On our clock, within the error that is told with them."""
    before, card, after = bench.lay_closely("2.3")
    assert (card.move, card.track, card.section, card.cards) == (CardMove.LAID, 1, 3, 1)
    assert before - card.error_s <= card.at <= after + card.error_s
    assert card.after_zero is None
    bench.sim.act(lambda: bench.sim.hold("challenge-1", down=True))
    bench.until(lambda: len(bench.presses) == 1, "no press")
    assert bench.presses[0].button == "challenge-1"
    bench.until(lambda: bench.box.state().slots == (0, 0, 0, 0, 0, 0, 1, 0), "no beat")


@pytest.mark.parametrize("drift", [-100e-6, 100e-6])
def test_its_clock_is_known_as_closely_as_is_said(link: Path, drift: float) -> None:
    """Against the drift that the simulated box was given: within the error, and that is small."""
    with Bench(link, Faults(drift=drift)) as bench:
        line, board = bench.box._line, bench.sim.board
        read: list[int] = []

        def is_close() -> bool:
            bench.sim.act(lambda: read.append(board.now()))
            moment = line.time.ours(read[-1])
            assert abs(moment.at - board.ours(read[-1])) <= moment.error_s + 2e-6
            return len(read) > 50 and moment.error_s < 0.003

        bench.until(is_close, "its clock is not known closely")


def test_a_late_card_is_told_with_evidence(bench: Bench) -> None:
    """Laid 0.18 s after the buzzer, ± 2 ms: on the box's own clock, whatever ours does."""
    bench.box.arm("match 1/round-1", time.monotonic() + PATIENCE_S, (0.2,), PATIENCE_S)
    bench.sim.act(lambda: bench.sim.lay("1.1"))
    bench.until(lambda: len(bench.cards) == 1, "no card")
    assert bench.cards[0].after_zero is None
    bench.box.arm("match 1/round-1", time.monotonic() + 0.4, (0.2,), 60.0)
    zero = bench.zero()
    time.sleep(max(0.0, zero.at + 0.18 - time.monotonic()))
    # `act` returns as soon as the card lies: that moment is known to us independently
    before, card, after = bench.lay_closely("1.2")
    late = card.after_zero
    assert late is not None
    assert late.is_certain
    assert late.error_s <= CLOSE_S
    ours_s = late.error_s + 0.1  # zero itself is translated to be compared
    assert before - zero.at - ours_s <= late.late_s <= after - zero.at + ours_s
    assert "± " in str(late)


def test_a_card_that_came_before_zero_is_not_late(bench: Bench) -> None:
    """It settles after the buzzer, and lay before it."""
    deadline = laid_at = 0.0

    def lay_and_let_zero_pass() -> None:
        nonlocal laid_at
        bench.sim.lay("1.4")
        bench.sim.box.turn()
        laid_at = time.monotonic()
        time.sleep(max(0.0, deadline + 0.01 - time.monotonic()))

    while laid_at >= deadline:  # a machine this busy laid it too late: once more
        bench.sim.act(lambda: bench.sim.lift("1.4"))
        deadline = time.monotonic() + 1.0
        bench.box.arm("r", deadline, (), 1.0)
        bench.cards.clear()
        bench.sim.act(lay_and_let_zero_pass)
    bench.until(lambda: any(card.cards for card in bench.cards), "no card")
    (late,) = [card.after_zero for card in bench.cards if card.cards]
    assert late is not None
    assert late.late_s < 0.0
    assert not late.is_certain


def test_a_round_sounds_on_the_box(bench: Bench) -> None:
    """Armed, cue, zero; buzzer and lamps at the box's pins."""
    deadline = time.monotonic() + 2.0
    bench.box.arm("m/round-1", deadline, (0.2, 10.0), 20.0)
    assert bench.box.adopt() is not None
    bench.zero()
    assert bench.kinds() == [SignalKind.ARMED, SignalKind.CUE, SignalKind.ZERO]
    assert ALL_LAMPS | BUZZER in bench.sim.board.shown.copy()
    zero = bench.box.fired("m/round-1")
    assert zero is not None
    assert zero.late_s >= 0.0
    assert zero.at - zero.late_s == pytest.approx(deadline, abs=NEAR_S)
    assert bench.box.adopt() is None


def test_a_round_can_be_stopped_paused_and_set(bench: Bench) -> None:
    """Each is one event; stop tells the rest."""
    deadline = time.monotonic() + PATIENCE_S
    bench.box.arm("r", deadline, (), PATIENCE_S)
    with pytest.raises(PanelError, match="another round is armed"):
        bench.box.arm("other", deadline, (), PATIENCE_S)
    latest_s = deadline - time.monotonic() + NEAR_S
    rest_s = bench.box.pause()
    assert deadline - time.monotonic() - NEAR_S <= rest_s <= latest_s
    assert bench.box.stop() == 0.0
    bench.box.stand("r", 4.0)
    assert bench.sim.board.outputs == 0b00110
    assert bench.kinds() == [SignalKind.ARMED, SignalKind.STOPPED, SignalKind.SET]
    bench.box.show(tuple(at_s in (10.0, 0.0) for at_s in LAMPS_S))
    assert bench.sim.board.outputs == 0b10010
    with pytest.raises(BadCall, match="fanfare"):
        bench.box.sound("fanfare")


def test_a_round_survives_the_boxs_own_power_loss(bench: Bench) -> None:
    """It is armed again as soon as the box is back, and sounds on time."""
    bench.box.arm("r", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.sim.act(bench.sim.reset)
    bench.until(lambda: bench.sim.box.sounding.round is not None, "not armed again")
    bench.until(lambda: bench.box.has_armed("r"), "the box does not say that it runs it")
    deadline = time.monotonic() + 0.5
    bench.box.arm("r", deadline, (), PATIENCE_S)
    zero = bench.zero()
    assert zero.at - zero.late_s == pytest.approx(deadline, abs=NEAR_S)
    assert [str(lost) for lost in bench.box.losses] == [
        "the box began anew: what it had noticed after event 0 is lost"
    ]


def test_nothing_arms_again_what_a_thread_is_just_changing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a box that began anew might be told the old deadline after the new one."""
    bench.box.arm("r", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    posted: list[str] = []
    monkeypatch.setattr(bench.box._line, "post", lambda word, _fields: posted.append(word))
    turns: list[bool] = []
    monkeypatch.setattr(bench.box, "on_turn", lambda: turns.append(bench.box.state().usable))
    with bench.box._arming:
        bench.box._armed_boot = ""
        turns.clear()
        bench.until(lambda: turns.count(True) >= 3, "no turn")
        assert "arm" not in posted
    bench.until(lambda: "arm" in posted, "not armed again")


def test_a_round_that_the_box_does_not_know_of_is_armed_again(bench: Bench) -> None:
    """Its beat names no round: another program stopped it, or the request went astray."""
    bench.box.arm("r", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    bench.box._line.ask("stop", [("hold", 0)])
    bench.until(lambda: bench.sim.box.sounding.round is not None, "not armed again")
    bench.until(lambda: bench.box.has_armed("r"), "the box does not say that it runs it")


@pytest.mark.parametrize(("many", "why"), [(101, "at most 100"), (300, "too long")])
def test_a_round_of_too_long_a_name_is_refused(bench: Bench, many: int, why: str) -> None:
    """By the box, or by the length of a line; nothing is armed, and nothing else is raised."""
    with pytest.raises(PanelError, match=why):
        bench.box.arm("r" * many, time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    assert bench.box.adopt() is None
    assert not bench.signs


def test_a_failure_of_the_line_does_not_end_it(bench: Bench) -> None:
    """Whatever a library raises: the port is opened anew, and cards are told again."""
    opened = bench.box._line.opened
    session = bench.box._line.session
    assert session is not None
    session.receive = session.due = None  # type: ignore[method-assign,assignment]
    bench.until(lambda: bench.box._line.opened > opened, "not opened again")
    bench.until_live()
    bench.sim.act(lambda: bench.sim.lay("1.1"))
    bench.until(lambda: len(bench.cards) == 1, "no card")


def test_a_pulled_cable_loses_nothing(bench: Bench) -> None:
    """A round goes on to its zero, a card is kept: both are told when the cable is back."""
    deadline = time.monotonic() + 0.3
    bench.box.arm("r", deadline, (), 0.3)
    bench.sim.act(bench.sim.unplug)
    bench.sim.act(lambda: bench.sim.lay("1.1"))
    bench.until(lambda: bool(bench.cards), "not told")
    zero = bench.zero()
    assert zero.at - zero.late_s == pytest.approx(deadline, abs=NEAR_S)
    assert not bench.box.losses


def test_a_press_of_long_ago_is_named_and_not_taken(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it any more."""
    monkeypatch.setattr("hardware.sensor_box.sensor_box.LATE_PRESS_S", 0.3)

    def pull_and_press() -> None:
        bench.sim.unplug(0.5)
        bench.sim.hold("ready-1", down=True)

    bench.sim.act(pull_and_press)
    bench.until(lambda: bool(bench.box.losses), "no word of it")
    assert "ready-1 came too late" in str(bench.box.losses[0])
    assert not bench.presses


def test_loudness_is_told_to_every_box_that_comes(bench: Bench) -> None:
    """Also to one that began anew."""
    bench.box.set_manner(Manner(volume=0, brightness=30))
    assert bench.sim.board.brightness == 30
    bench.sim.act(bench.sim.reset)
    bench.until(lambda: bench.sim.board.brightness == 30, "it was not told")
    bench.until_live()
    bench.box.sound("start")
    assert not bench.sim.board.outputs & BUZZER


def test_an_older_program_of_the_same_protocol_works_and_is_named(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is forced in the middle of an evening."""
    monkeypatch.setattr("hardware.firmware.box.FIRMWARE", "0.9.0")
    with Bench(link) as bench:
        assert "runs program 0.9.0" in bench.box.state().trouble
        assert "it works" in bench.box.state().trouble
        bench.box.sound("start")


def test_a_box_that_says_nothing_more_is_stale(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cable is in, and no word comes: what is shown is old, and nothing may be armed by it."""
    monkeypatch.setattr("hardware.sensor_box.sensor_box.STALE_S", 1.2)
    stopped = threading.Event()
    bench.sim.after(0.0, lambda: stopped.wait(PATIENCE_S))
    bench.until(lambda: bench.box.state().connection is BoxConnection.STALE, "not stale")
    age_s = bench.box.state().age_s
    assert age_s is not None
    assert age_s >= 1.2
    stopped.set()
    bench.until_live()


def test_asking_from_a_callback_is_refused(bench: Bench) -> None:
    """It would wait for its own thread."""
    caught: list[str] = []

    def ask(_: Press) -> None:
        try:
            bench.box.sound("ready")
        except BadCall as wrong:
            caught.append(str(wrong))

    bench.box.on_press = ask
    bench.sim.act(lambda: bench.sim.hold("ready-2", down=True))
    bench.until(lambda: bool(caught), "no word")
    assert "from a callback" in caught[0]


def lives_again(bench: Bench, opened: int) -> bool:
    """Whether the port was opened again and the box greeted; nobody waits for the next look."""
    bench.box.retry()
    return bench.box._line.opened > opened and bench.box.state().usable


def pull(bench: Bench, times: int) -> None:
    """Pull the cable so often; the same two objects live through all of it."""
    for _ in range(times):
        opened = bench.box._line.opened
        bench.sim.act(bench.sim.unplug)
        bench.sim.act(bench.sim.plug)
        bench.until(partial(lives_again, bench, opened), "not found again")


def test_a_cable_may_be_pulled_again_and_again(bench: Bench) -> None:
    """No restart, and a card laid after it all is told."""
    pull(bench, 6)
    bench.sim.act(lambda: bench.sim.lay("1.2"))
    bench.until(lambda: len(bench.cards) == 1, "no card")


@pytest.mark.soak
def test_a_thousand_unplugs_without_restart(bench: Bench) -> None:
    """One process, one object, no more files open than at the start."""
    pull(bench, 5)
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    threads = threading.active_count()
    pull(bench, 1_000)
    assert bench.sim.unplugs >= 1_005
    assert len(list(Path("/proc/self/fd").iterdir())) <= open_files + 2
    assert threading.active_count() <= threads
    bench.sim.act(lambda: bench.sim.lay("1.2"))
    bench.until(lambda: len(bench.cards) == 1, "no card")
