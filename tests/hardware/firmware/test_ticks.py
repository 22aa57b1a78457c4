"""The box's clock never goes back, however its counter wraps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.ticks import PERIOD, Clock


@given(st.integers(0, PERIOD - 1), st.lists(st.integers(0, PERIOD // 2 - 1), max_size=50))
def test_time_adds_up_over_every_wrap(start: int, steps: list[int]) -> None:
    """Hours, read at least every nine minutes."""
    clock, passed = Clock(start), 0
    for step in steps:
        passed += step
        assert clock.at((start + passed) % PERIOD) == passed


def test_a_moment_just_past_is_told_too() -> None:
    """An interrupt noted the counter before the loop read it."""
    clock = Clock(PERIOD - 10)
    assert clock.at(90) == 100
    assert clock.at(60) == 70
    assert clock.at(95) == 105
