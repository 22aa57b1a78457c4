"""How the box's clock stands to ours: bounds that hold, whatever the line does to the messages."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.sensor_box.clock import DRIFT_MAX, BoxTime, RoundTrip

DRIFTS = st.floats(-DRIFT_MAX * 0.9, DRIFT_MAX * 0.9)
TRIPS = st.lists(st.tuples(st.floats(0, 0.2), st.floats(0, 0.2)), min_size=1, max_size=60)


class Pair:
    """Our clock and a box's, whose offset and drift are known; and a line between them."""

    def __init__(self, drift: float, offset_s: float = 1000.0) -> None:
        self.rate = 1.0 + drift
        self.offset_s = offset_s

    def box_us(self, ours: float) -> int:
        return int((ours + self.offset_s) * self.rate * 1e6)

    def ours(self, box_us: int) -> float:
        return box_us * 1e-6 / self.rate - self.offset_s

    def trip(self, asked: float, there_s: float, back_s: float, took_s: float = 1e-4) -> RoundTrip:
        got = asked + there_s
        at = got + took_s
        return RoundTrip(asked, self.box_us(got), self.box_us(at), at + back_s)


def learn(pair: Pair, trips: list[tuple[float, float]], every_s: float = 1.0) -> BoxTime:
    """A box's time after trips that took so long there and back."""
    time = BoxTime()
    for number, (there_s, back_s) in enumerate(trips):
        assert time.take(pair.trip(50.0 + number * every_s, there_s, back_s))
    return time


@given(
    DRIFTS,
    TRIPS,
    st.floats(-20.0, 40.0),
)
def test_the_true_moment_lies_within_the_error(
    drift: float, trips: list[tuple[float, float]], ahead_s: float
) -> None:
    """However lopsided and slow the trips are, for moments before and after the latest of them."""
    pair = Pair(drift)
    time = learn(pair, trips)
    moment_us = pair.box_us(50.0 + len(trips) + ahead_s)
    moment = time.ours(moment_us)
    assert abs(moment.at - pair.ours(moment_us)) <= moment.error_s + 2e-6


@pytest.mark.parametrize("drift", [-100e-6, -20e-6, 0.0, 5e-6, 100e-6])
def test_offset_and_drift_of_a_usb_line_are_known_closely(drift: float) -> None:
    """Half a minute over a line of a millisecond: far closer than the 2 ms of a ruling."""
    chance = Random(7)
    pair = Pair(drift)
    trips = [(chance.uniform(2e-4, 1e-3), chance.uniform(2e-4, 1e-3)) for _ in range(32)]
    time = learn(pair, trips)
    assert time.error_s is not None
    assert time.error_s < 0.0005
    assert time.drift is not None
    assert time.drift == pytest.approx(drift, abs=40e-6)
    later_us = pair.box_us(50.0 + 32 + 20.0)
    assert time.ours(later_us).at == pytest.approx(pair.ours(later_us), abs=0.001)


def test_there_and_back_is_the_same_moment() -> None:
    """What is armed on the box's clock sounds on ours."""
    time = learn(Pair(50e-6), [(0.0005, 0.0005)] * 20)
    for ours in (60.0, 75.5, 90.25):
        assert time.ours(time.box_us(ours)).at == pytest.approx(ours, abs=2e-6)


def test_a_clock_that_jumped_is_learnt_anew() -> None:
    """Our machine slept, or another box hangs on the line: no average of two worlds."""
    time = learn(Pair(0.0), [(0.001, 0.001)] * 10)
    other = Pair(0.0, offset_s=2000.0)
    assert not time.take(other.trip(70.0, 0.001, 0.001))
    moment_us = other.box_us(71.0)
    moment = time.ours(moment_us)
    assert abs(moment.at - 71.0) <= moment.error_s


@pytest.mark.parametrize(
    "trip",
    [
        RoundTrip(10.0, 100, 200, 9.0),
        RoundTrip(10.0, 200, 100, 11.0),
        RoundTrip(10.0, 100, 9_000_100, 11.0),
    ],
    ids=["heard before asked", "answered before read", "longer inside than outside"],
)
def test_a_trip_that_cannot_be_teaches_nothing(trip: RoundTrip) -> None:
    """A line that was read wrongly is no clock."""
    time = BoxTime()
    assert not time.take(trip)
    assert not time.known


def test_a_better_trip_narrows_and_a_worse_one_does_not_widen() -> None:
    """One quick answer among slow ones is remembered."""
    pair, time = Pair(0.0), BoxTime()
    time.take(pair.trip(50.0, 0.1, 0.1))
    slow = time.error_s
    time.take(pair.trip(51.0, 0.0002, 0.0002))
    quick = time.error_s
    time.take(pair.trip(52.0, 0.1, 0.1))
    assert slow is not None
    assert quick is not None
    assert time.error_s is not None
    assert quick < slow / 100
    assert time.error_s <= quick + 1.0 * DRIFT_MAX * 2
