"""A camera that mirrors its picture: an alarm with the way out, and none once it is put right."""

from __future__ import annotations

import pytest

from companion.core.board import Piece, Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.demo.drawn import SteppedClock
from ui.table.camera_watch import RESTING_S, CameraWatch
from ui.terminal.setting_up import plan_of
from vision.camera.scripted import CameraRig
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker

MIRRORED = "The picture is mirrored"


class Watched:
    """A drawn table before a camera whose driver may show its picture as a mirror does."""

    def __init__(self, table: SimulatedTable, clock: SteppedClock, *, mirrored: bool) -> None:
        self.rig = CameraRig(table, mirrored=mirrored)
        self.clock = clock
        self.watch = CameraWatch(self.rig.open, lambda _: Tracker(table.plan), clock=clock)

    def alarm_after(self, seconds: float) -> str:
        """What the banner says then."""
        until = self.clock() + seconds
        while self.clock() < until:
            self.watch.step()
        device = self.watch.device(self.clock())
        assert ("mirroring off" in device.way_out) is (device.alarm == MIRRORED)
        return device.alarm


def small(box: str, clock: SteppedClock) -> SimulatedTable:
    """A small and slow camera over one piece."""
    plan, piece, space = {
        "jaws-and-paws": (board_plan(), JAWS_PLANE, "Paws.PC"),
        "dogfight-1917": (plan_of("dogfight-1917"), Piece("spad"), "0,0"),
    }[box]
    size_px = (960, 540)
    table = SimulatedTable(plan, 4, size_px, fps=6.0, clock=clock, wait=clock.wait)
    table.place(piece, Pose(space))
    return table


@pytest.mark.parametrize(
    "box", ["dogfight-1917", pytest.param("jaws-and-paws", marks=pytest.mark.slow)]
)
def test_a_mirrored_picture_is_an_alarm_until_it_is_put_right(box: str) -> None:
    """No board can be read in it; the banner says why and what to switch off."""
    clock = SteppedClock(50.0)
    watched = Watched(small(box, clock), clock, mirrored=True)
    assert watched.alarm_after(3.0) == MIRRORED
    watched.rig.mirrored = False
    assert watched.alarm_after(3.0) == ""


@pytest.mark.parametrize(
    "box", ["dogfight-1917", pytest.param("jaws-and-paws", marks=pytest.mark.slow)]
)
def test_a_picture_mirrored_in_the_middle_of_a_match_is_an_alarm(box: str) -> None:
    """The boards are known, and one box's other picture looks like a hand that rests."""
    clock = SteppedClock(50.0)
    watched = Watched(small(box, clock), clock, mirrored=False)
    assert watched.alarm_after(3.0) == ""
    watched.rig.mirrored = True
    assert watched.alarm_after(RESTING_S + 2.0) == MIRRORED
    watched.rig.mirrored = False
    assert watched.alarm_after(3.0) == ""
