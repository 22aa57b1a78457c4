"""The timer for poll: absolute, replaceable, never early."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

import pytest

from hardware.panel.deadline import AbsoluteTimer, sleep_until
from tests.patience import PATIENCE_S


def waited(timer: AbsoluteTimer, most_s: float = PATIENCE_S) -> float | None:
    """When the timer woke a poll; None if it did not within `most_s`."""
    poll = select.poll()
    poll.register(timer.fileno(), select.POLLIN)
    return time.monotonic() if poll.poll(most_s * 1000) else None


def test_it_fires_at_its_moment_and_not_before() -> None:
    with AbsoluteTimer() as timer:
        at = time.monotonic() + 0.05
        timer.set(at)
        woken = waited(timer)
        assert woken is not None
        assert woken >= at
        assert timer.fired()
        assert not timer.fired()
        told = Path(f"/proc/self/fdinfo/{timer.fileno()}").read_text("utf-8")
        assert "it_interval: (0, 0)" in told, "once, not again and again"


def test_another_moment_replaces_the_first() -> None:
    with AbsoluteTimer() as timer:
        timer.set(time.monotonic() + 0.02)
        second = time.monotonic() + 0.15
        timer.set(second)
        woken = waited(timer)
        assert woken is not None
        assert woken >= second


def test_none_stops_it() -> None:
    with AbsoluteTimer() as timer:
        timer.set(time.monotonic() + 0.05)
        timer.set(None)
        assert waited(timer, most_s=0.1) is None


@pytest.mark.parametrize("past", [0.0, -5.0, 1.0])
def test_what_is_past_fires_at_once(past: float) -> None:
    """Zero would stop a timerfd; a deadline at the boot itself must fire all the same."""
    with AbsoluteTimer() as timer:
        timer.set(past)
        assert waited(timer) is not None


def test_closing_twice_is_harmless() -> None:
    timer = AbsoluteTimer()
    descriptor = timer.fileno()
    timer.close()
    timer.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_it_is_closed_once_its_block_is_left() -> None:
    with AbsoluteTimer() as timer:
        descriptor = timer.fileno()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_it_has_not_fired_before_its_moment_nor_unset() -> None:
    with AbsoluteTimer() as timer:
        assert not timer.fired()
        timer.set(time.monotonic() + PATIENCE_S)
        assert not timer.fired()


def test_a_closed_timer_cannot_be_set() -> None:
    timer = AbsoluteTimer()
    timer.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        timer.set(1.0)


def test_sleeping_until_the_past_returns_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    began = time.monotonic()
    sleep_until(began - 1.0)
    assert not slept
    monkeypatch.undo()
    sleep_until(began + 0.05)
    assert time.monotonic() >= began + 0.05
