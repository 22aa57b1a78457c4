"""A camera that mirrors its picture: an alarm with the way out, and none once it is put right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.jaws_and_paws.boards import board_plan
from ui.demo.drawn import SteppedClock
from ui.table.camera_watch import CameraWatch
from vision.camera.frame import Frame
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker


class Mirror:
    """A camera whose driver shows its picture as a mirror does."""

    live = True

    def __init__(self, table: SimulatedTable) -> None:
        self.name, self.size_px, self.table, self.turned = table.name, table.size_px, table, True

    def read(self) -> Frame:
        frame = self.table.read()
        if not self.turned:
            return frame
        return replace(frame, grey=np.ascontiguousarray(frame.grey[:, ::-1]), colour=None)

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.slow
def test_a_mirrored_picture_is_an_alarm_until_it_is_put_right() -> None:
    """No board can be read in it; the banner says why and what to switch off."""
    clock = SteppedClock(50.0)
    mirror = Mirror(SimulatedTable(board_plan(), 4, clock=clock, wait=clock.wait))
    watch = CameraWatch(lambda: mirror, lambda _: Tracker(board_plan()), clock=clock)
    for _ in range(40):
        watch.step()
    device = watch.device(clock())
    assert device.alarm == "The picture is mirrored"
    assert "mirroring off" in device.way_out
    mirror.turned = False
    for _ in range(40):
        watch.step()
    assert watch.device(clock()).alarm == ""
