"""Events by the hundred thousand: the simulated box behind a pseudo-terminal, over a bad line.

Each arrives once and in order, or is named as lost.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.firmware.outbox import KEPT
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.session import EventsLost
from hardware.sensor_box.simulated import Faults, SimulatedBox
from tests.patience import PATIENCE_S

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "box"


class BusyBox(SimulatedBox):
    """A box that notices something whenever it can keep it; each event carries its own number."""

    wanted = 0
    made = 0

    def turn(self) -> None:
        outbox = self.box.outbox
        while self.made < self.wanted and outbox.next - outbox.first < KEPT:
            fields: list[tuple[str, object]] = [("slot", "1.1"), ("cards", 1)]
            fields += [("at", self.board.now()), ("err", 0), ("stir", outbox.next)]
            outbox.put("laid", fields)
            self.made += 1
        super().turn()


def carry(link: Path, faults: Faults, events: int, wait_s: float) -> tuple[int, list[EventsLost]]:
    """Carry so many events through a pty: how many arrived in order, and what was named as lost."""
    sim, box = BusyBox(link, faults), SensorBox(str(link))
    told: list[int | EventsLost] = []
    box.on_card = lambda card: told.append(round(card.stirred_s * 1e6))
    box.on_lost = told.append
    sim.wanted = events
    end = time.monotonic() + wait_s
    with sim, box:
        while sim.made < events or sim.box.outbox.first < sim.box.outbox.next:
            assert time.monotonic() < end, f"{sim.made} made, {len(told)} told: {box.state()}"
            box.retry()
            time.sleep(0.02)
    return judged(told)


def judged(told: list[int | EventsLost]) -> tuple[int, list[EventsLost]]:
    """Each number once and in order, or in a range that was named; a new run counts from one."""
    due, arrived, lost = 1, 0, list[EventsLost]()
    for one in told:
        if isinstance(one, EventsLost):
            assert one.first == due
            due = 1 if one.last is None else one.last + 1
            lost.append(one)
        elif one != 0:  # 0: a beat's own word of what lies there
            assert one == due
            due += 1
            arrived += 1
    return arrived, lost


HARD = Faults(garbage=0.02, torn=0.02, duplicate=0.02, missing=0.02, delayed=0.02, drift=5e-5)


def test_events_come_through_a_bad_line_behind_a_pty(link: Path) -> None:
    """The short form: one line in ten comes to harm, in both directions."""
    arrived, lost = carry(link, HARD, 600, PATIENCE_S)
    assert arrived == 600
    assert not lost


@pytest.mark.soak
def test_a_hundred_thousand_events_behind_a_pty(link: Path) -> None:
    """The same, with the cable pulled every 5 s and the power lost every 20 s on average."""
    faults = replace(HARD, delay_s=0.01, unplug_s=5.0, reset_s=20.0)
    arrived, lost = carry(link, faults, 100_000, 900.0)
    assert arrived > 90_000
    assert all(one.last is None for one in lost)
