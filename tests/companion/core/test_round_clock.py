"""The arithmetic of a timed round (JP-5.3; field notes, 1 and 6): never by subtracting ticks."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.core.errors import BadCall
from companion.core.round_clock import RoundClock, Running

seconds = st.floats(0.0, 3600.0)
moments = st.floats(0.0, 1e6)


@given(seconds, moments, seconds)
def test_the_rest_is_the_deadline_minus_now_and_never_below_zero(
    total: float, now: float, later: float
) -> None:
    """Property: whatever happened in between, the rest is what the deadline leaves."""
    clock = RoundClock.fresh("round-1", total).resumed(now)
    rest = clock.rest(now + later)
    assert rest == pytest.approx(max(0.0, total - later), abs=1e-6)
    assert 0.0 <= rest <= total


@given(seconds, moments, seconds, seconds)
def test_a_pause_costs_nothing(total: float, now: float, run: float, pause: float) -> None:
    """Property: paused for however long, the rest stays what it was."""
    paused = RoundClock.fresh("round-1", total).resumed(now).paused(now + run)
    assert not paused.running
    assert paused.rest(now + run + pause) == paused.rest_s
    resumed = paused.resumed(now + run + pause)
    assert resumed.rest(now + run + pause) == paused.rest_s


@given(seconds, moments, seconds, st.floats(-3600.0, 3600.0))
def test_time_given_while_running_or_paused_is_the_same(
    total: float, now: float, run: float, gift: float
) -> None:
    """Property: giving time commutes with pausing, and never takes it below zero."""
    running = RoundClock.fresh("round-1", total).resumed(now)
    while_running = running.given(gift, now + run)
    while_paused = running.paused(now + run).given(gift)
    assert while_running.running
    assert not while_paused.running
    assert while_running.rest(now + run) == while_paused.rest(now + run)
    expected = max(0.0, max(0.0, total - run) + gift)
    assert while_paused.rest_s == pytest.approx(expected, abs=1e-6)


def test_time_given_after_zero_counts_from_zero() -> None:
    """Five seconds given two seconds late are five seconds, not three."""
    over = RoundClock.fresh("round-1", 20.0).resumed(100.0)
    assert over.given(5.0, now=122.0).rest(122.0) == 5.0


def test_giving_time_leaves_the_preset_alone() -> None:
    """The next round has its 20 seconds again (field notes, 8)."""
    assert RoundClock.fresh("round-1", 20.0).given(15.0).total_s == 20.0


def test_a_clock_of_another_boot_adds_no_time() -> None:
    """Monotonic time began anew at the boot: a `now` before `since` leaves what there was."""
    clock = RoundClock.fresh("round-1", 20.0).resumed(now=50_000.0)
    assert clock.rest(now=12.0) == 20.0


@given(seconds, st.floats(-10.0, 4000.0))
def test_an_interrupted_round_stands_with_the_rest_last_noted(total: float, noted: float) -> None:
    """After a power cut nothing is reckoned from times of before; what was given is not lost."""
    clock = RoundClock.interrupted("round-1", total, noted)
    assert not clock.running
    assert clock.deadline is None
    assert clock.rest(now=0.0) == max(0.0, noted)
    assert clock.total_s == max(total, noted)


def test_an_adopted_round_keeps_its_deadline() -> None:
    """A living signal process knows better than any note: its deadline holds."""
    clock = RoundClock.adopted(Running("round-1", 120.0, 20.0), now=113.5)
    assert clock.running
    assert clock.deadline == 120.0
    assert clock.rest(now=113.5) == 6.5


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_a_round_of_no_sensible_length_is_refused(bad: float) -> None:
    with pytest.raises(BadCall, match=r"round-1: .* number of seconds"):
        RoundClock.fresh("round-1", bad)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_giving_no_sensible_time_is_refused_and_changes_nothing(bad: float) -> None:
    clock = RoundClock.fresh("round-1", 20.0)
    with pytest.raises(BadCall, match="cannot be given"):
        clock.given(bad)
    assert clock.rest(0.0) == 20.0


def test_giving_time_to_a_running_round_needs_the_moment() -> None:
    with pytest.raises(BadCall, match="say when the 5 s are given"):
        RoundClock.fresh("round-1", 20.0).resumed(1.0).given(5.0)


class Table(RuleBasedStateMachine):
    """Any order of pause, resume, give and waiting, beside a plain count of what is left."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.left = 20.0
        self.clock = RoundClock.fresh("round-1", 20.0)

    @rule(wait=st.floats(0.0, 15.0))
    def time_passes(self, wait: float) -> None:
        self.now += wait
        if self.clock.running:
            self.left = max(0.0, self.left - wait)

    @rule()
    def pause(self) -> None:
        self.clock = self.clock.paused(self.now)

    @rule()
    def resume(self) -> None:
        self.clock = self.clock.resumed(self.now)

    @rule(gift=st.floats(-10.0, 10.0))
    def give(self, gift: float) -> None:
        self.clock = self.clock.given(gift, self.now)
        self.left = max(0.0, self.left + gift)

    @precondition(lambda self: self.clock.running)
    @rule()
    def crash_and_adopt(self) -> None:
        assert self.clock.deadline is not None
        armed = Running("round-1", self.clock.deadline, self.clock.total_s)
        self.clock = RoundClock.adopted(armed, self.now)

    @invariant()
    def as_counted(self) -> None:
        assert self.clock.rest(self.now) == pytest.approx(self.left, abs=1e-6)


TestTable = Table.TestCase
