"""The serial link against the simulated box with faults: both halves of the protocol, real lines.

The clock is turned by hand, so hours pass in seconds and each run is the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import PanelError
from hardware.firmware.box import Box
from hardware.firmware.frame import Lines, encode
from hardware.firmware.outbox import KEPT
from hardware.sensor_box.clock import BoxTime
from hardware.sensor_box.session import RETRY_S, TRIES, BoxSession, EventsLost, Inbox, Told
from hardware.sensor_box.simulated import Faults, FaultyWire, SimulatedBoard
from hardware.sensor_box.words import Beat, Hello, KeyWord

STEP_S = 0.002

BAD_LINE = Faults(garbage=0.02, torn=0.02, duplicate=0.02, missing=0.02, delayed=0.02, drift=80e-6)
"""One line in ten comes to harm."""


class Link:
    """A box and a session, and a wire in each direction that does what `faults` say.

    The box makes events as fast as it can keep them; each carries its serial number as its time.
    """

    def __init__(self, faults: Faults, seed: int = 1) -> None:
        self.now = 100.0
        self.chance = Random(seed)
        self.faults = faults
        self.inbox, self.time = Inbox(), BoxTime()
        self.made: Counter[str] = Counter()  # events that each run of the box has made
        self.delivered: list[tuple[str, int]] = []
        self.lost: list[EventsLost] = []
        self.greeted: set[str] = set()  # runs of the box that were ever heard of
        self.sessions = 0
        self.power_on()
        self.plug()

    def power_on(self) -> None:
        self.board = SimulatedBoard(lambda: self.now, self.faults.drift, self.chance)
        self.box = Box(self.board)

    def plug(self) -> None:
        self.sessions += 1
        self.session = BoxSession(f"s{self.sessions}", self.inbox, self.time)
        self.out = FaultyWire(self.faults, self.chance)
        self.back = FaultyWire(self.faults, self.chance)
        self.box_lines = Lines()

    def make(self, most: int) -> None:
        """Let the box notice something, as long as it can keep it."""
        outbox = self.box.outbox
        while most > 0 and outbox.next - outbox.first < KEPT:
            boot = self.board.boot
            self.made[boot] += 1
            number = outbox.put("press", [("button", "ready-1"), ("at", outbox.next), ("err", 0)])
            assert number == self.made[boot]
            most -= 1

    def step(self) -> None:
        self.now += STEP_S
        self.box.take(self.out.take(self.now))
        self.box.turn()
        while self.board.sent:
            self.back.put(self.board.sent.popleft(), self.now)
        self.hear(self.session.receive(self.back.take(self.now), self.now))
        self.session.due(self.now)
        while self.session.outgoing:
            self.out.put(self.session.outgoing.popleft(), self.now)

    def hear(self, told: list[Told]) -> None:
        for one in told:
            if isinstance(one, KeyWord):
                self.delivered.append((self.inbox.boot, one.at_us))
            elif isinstance(one, EventsLost):
                self.lost.append(one)
            elif isinstance(one, Hello):
                self.greeted.add(one.boot)

    def settle(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.step()

    def check(self) -> None:
        """Each event arrived once, in order, or lies in a range that was named as lost.

        A run that lost its power before it was ever heard of belongs to the loss named before it.
        """
        told: dict[str, list[int]] = {}
        for boot, number in self.delivered:
            told.setdefault(boot, []).append(number)
        for boot, made in self.made.items():
            if boot not in self.greeted:
                assert any(lost.last is None for lost in self.lost)
                continue
            numbers = told.get(boot, [])
            assert numbers == sorted(set(numbers)), "twice, or out of order"
            missing = set(range(1, made + 1)) - set(numbers)
            for lost in self.lost:
                if lost.boot == boot:
                    last = made if lost.last is None else lost.last
                    named = set(range(lost.first, last + 1))
                    assert not named & set(numbers), "named as lost, yet delivered"
                    missing -= named
            assert not missing, f"neither delivered nor named: {sorted(missing)[:5]} of {boot}"

    @property
    def offset_error_s(self) -> float:
        """How wrong the session is about a moment of the box of just now."""
        at_us = self.board.now()
        return abs(self.time.ours(at_us).at - self.board.ours(at_us))


def carry(link: Link, events: int, *, reset_s: float = 0.0, unplug_s: float = 0.0) -> None:
    """Carry so many events over a link, with mishaps to the box itself on the way."""
    chance = Random(99)
    while sum(link.made.values()) < events:
        link.make(min(20, events - sum(link.made.values())))
        link.step()
        if reset_s and chance.random() < STEP_S / reset_s:
            link.power_on()
            link.plug()
        if unplug_s and chance.random() < STEP_S / unplug_s:
            link.plug()
    for fault in ("garbage", "torn", "duplicate", "missing", "delayed"):
        link.faults = replace(link.faults, **{fault: 0.0})
    link.plug()
    link.settle(5.0)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    "faults",
    [Faults(), BAD_LINE, Faults(garbage=0.3), Faults(missing=0.3), Faults(duplicate=0.5, torn=0.2)],
    ids=["sound", "one in ten", "garbage", "missing", "doubled and torn"],
)
def test_every_event_arrives_once_and_in_order(faults: Faults) -> None:
    """A line that spoils what goes over it costs time and nothing else."""
    link = Link(faults)
    carry(link, 2_000)
    assert len(link.delivered) == 2_000
    assert not link.lost
    link.check()


@pytest.mark.soak
def test_a_hundred_thousand_events_arrive_or_are_named() -> None:
    """One line in ten spoilt, the cable pulled each 5 s, power lost each 20 s."""
    link = Link(BAD_LINE)
    carry(link, 100_000, reset_s=20.0, unplug_s=5.0)
    link.check()
    assert len(link.delivered) > 90_000
    assert link.session.greeted


def test_events_survive_pulled_cables_and_are_named_where_power_was_lost() -> None:
    """The short form of the hundred thousand."""
    link = Link(BAD_LINE)
    carry(link, 3_000, reset_s=3.0, unplug_s=1.0)
    assert len(link.made) > 2
    assert link.sessions > 3
    assert len([lost for lost in link.lost if lost.last is None]) == len(link.greeted) - 1
    link.check()


def test_what_a_box_cannot_keep_is_named() -> None:
    """A cable out for long: the newest are kept, the others are a number that is told."""
    link = Link(Faults())
    link.settle(1.0)
    for _ in range(KEPT + 50):
        link.box.outbox.put("press", [("button", "ready-1"), ("at", link.box.outbox.next),
                                      ("err", 0)])  # fmt: skip
    link.made[link.board.boot] = KEPT + 50
    link.plug()
    link.settle(2.0)
    assert [(lost.first, lost.last) for lost in link.lost] == [(1, 50)]
    assert len(link.delivered) == KEPT
    link.check()


def test_a_successor_is_not_told_what_its_predecessor_had() -> None:
    """The app was started again: what was acknowledged stays acknowledged."""
    link = Link(Faults())
    link.make(10)
    link.settle(1.0)
    assert len(link.delivered) == 10
    link.inbox, link.time = Inbox(), BoxTime()
    link.plug()
    link.make(1)
    link.settle(1.0)
    assert [number for _, number in link.delivered[10:]] == [11]
    assert not link.lost


def test_a_beat_before_the_events_that_it_counts_is_not_complete() -> None:
    """Both come in one piece: what the beat shows was told by no event yet, and will be."""
    link = Link(Faults())
    link.settle(1.0)
    state: list[tuple[str, object]] = [("at", 1_000_000), ("first", 1), ("next", 2)]
    state += [("slots", "10000000"), ("buttons", "0000"), ("round", "-"), ("bad", 0)]
    laid: list[tuple[str, object]] = [("slot", "1.1"), ("cards", 1), ("at", 990_000)]
    laid += [("err", 0), ("stir", 0)]
    event, beat = encode("!", 1, "laid", laid), encode("~", 900, "beat", state)
    told = link.session.receive(beat + event + beat, link.now)
    assert [type(one).__name__ for one in told] == ["Beat", "CardWord", "Beat"]
    assert [one.complete for one in told if isinstance(one, Beat)] == [False, True]


@pytest.mark.parametrize("drift", [-150e-6, -30e-6, 0.0, 30e-6, 150e-6])
def test_the_offset_is_as_close_as_it_says(drift: float) -> None:
    """Against the known drift, over a spoilt line with delays: within its own error, and 2 ms."""
    link = Link(replace(BAD_LINE, drift=drift))
    worst = 0.0
    link.settle(2.0)
    for _ in range(120):
        link.settle(0.5)
        assert link.time.error_s is not None
        error_s = link.time.ours(link.board.now()).error_s
        assert link.offset_error_s <= error_s + 1e-5
        assert error_s < 0.003  # this clock steps by 2 ms, so a trip takes 4
        worst = max(worst, link.offset_error_s)
    assert worst < 0.003
    assert link.time.drift == pytest.approx(drift, abs=100e-6)


@given(st.lists(st.binary(max_size=120), max_size=30), st.integers(0, 10))
def test_garbage_between_all_lines_stops_nothing(noises: list[bytes], seed: int) -> None:
    """Any bytes, at any place between and inside of lines, in both directions."""
    link = Link(Faults(), seed)
    for noise in noises:
        link.make(1)
        link.step()
        link.hear(link.session.receive(noise, link.now))
        link.box.take(noise)
    link.settle(4.0)
    link.check()
    assert len(link.delivered) == len(noises)


def test_a_request_survives_a_bad_line() -> None:
    """It is sent again until it is answered, and done once."""
    link = Link(Faults(missing=0.5), seed=3)
    while not link.session.greeted:
        link.step()
    for _ in range(20):
        pending = link.session.ask("adopt", [], link.now)
        until = link.now + RETRY_S * (TRIES + 2)
        while (reply := link.session.settled(pending)) is None:
            link.step()
            assert link.now < until
        assert reply == {"round": "-"}


def test_a_request_that_nobody_answers_is_given_up() -> None:
    """With a word that can be shown."""
    link = Link(Faults())
    link.settle(0.5)
    pending = link.session.ask("adopt", [], link.now)
    link.session.outgoing.clear()
    for _ in range(TRIES + 1):
        link.session.due(link.now)
        link.session.outgoing.clear()
        link.now += RETRY_S
    with pytest.raises(PanelError, match="does not answer"):
        link.session.settled(pending)


def test_a_refusal_is_told_in_words() -> None:
    """With the way out."""
    link = Link(Faults())
    link.settle(0.5)
    pending = link.session.ask("dance", [], link.now)
    link.settle(0.1)
    with pytest.raises(PanelError, match="companion box install"):
        link.session.settled(pending)


@pytest.mark.parametrize("protocol", ["0", "2", "77"])
def test_a_box_of_another_protocol_is_named_and_not_ruled_by(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No time-out: it says what it is, and nothing else of it is believed."""
    monkeypatch.setattr("hardware.firmware.box.PROTOCOL", int(protocol))
    link = Link(Faults())
    link.make(3)
    link.settle(2.0)
    assert link.session.hello is not None
    assert link.session.hello.protocol == int(protocol)
    assert not link.session.greeted
    assert not link.delivered
