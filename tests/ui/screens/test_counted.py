"""Counted tokens on the table check, and in the picture: what the camera sees reaches the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.offers import PictureState, Sighting
from companion.games.dogfight_1917.boards import BOARD, TACTICAL, board_plan, tray_of
from companion.games.dogfight_1917.cards import A, B
from companion.games.dogfight_1917.figures import assumed_figures
from companion.match.rulebook import Setup
from companion.record.record import Record
from ui.demo.drawn import SteppedClock
from ui.scene.values import Mark
from ui.scene.words import counted_lines
from ui.screens.beside.table_check import TableCheckState
from ui.screens.registry import present
from ui.table.camera_watch import CameraWatch
from ui.table.eyes import TableEyes
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.setting_up import plans
from ui.touch.view import View
from vision.drawing.table import SimulatedTable, TokenSpot

PLAN = board_plan(assumed_figures())


def seen(**lying: int) -> Sighting:
    return Sighting(0.0, 1, PictureState.SETTLED, {}, counts={TACTICAL.name: lying})


def test_a_line_says_how_many_lie_where() -> None:
    """Each seat's place by its letter, and all that lies elsewhere together."""
    lying = {tray_of(B): 1, tray_of(A): 4, "0,0": 1, "": 2}
    (line,) = counted_lines(PLAN, seen(**lying), "0.3 s")
    assert (line.name, line.value) == ("Tactical Tokens", "A 4 · B 1 · 3 elsewhere")
    assert (line.mark, line.right) == (Mark.OK, "0.3 s")


def test_no_line_where_none_is_seen() -> None:
    """A table whose tokens carry no marker has no need of one."""
    assert list(counted_lines(PLAN, seen(), "0.3 s")) == []
    assert list(counted_lines(PLAN, seen(**{tray_of(A): 0}), "0.3 s")) == []


@pytest.mark.slow
def test_tokens_under_the_camera_reach_the_table_check(tmp_path: Path) -> None:
    """Drawn, read, settled, told: in a line of the check and around each token in the picture."""
    clock = SteppedClock(1000.0)
    drawn = SimulatedTable(PLAN, 71, (1920, 1080), clock=clock, wait=clock.wait)
    for x in (390.0, 430.0):
        drawn.add_stranger(TACTICAL.marker, TokenSpot(BOARD, x, 560.0), side_mm=TACTICAL.side_mm)
    eyes = TableEyes(tmp_path, "", plans(), PLAN, day=lambda: "2026-11-21")
    watch = CameraWatch(
        lambda: drawn, eyes.trackers.for_camera, tracker_of=eyes.trackers.of, clock=clock
    )
    record = Record.open(tmp_path / "record.sqlite")
    settings = SettingsFile.load(tmp_path / "settings.toml")
    table = Table(record, settings, watch=watch, eyes=eyes, clock=clock)
    table.new_match(Setup("dogfight-1917"))
    for _ in range(30):
        watch.step()
        table.tick(clock())
    shown = present(table.situation(), View())
    assert isinstance(shown, TableCheckState)
    assert shown.picture is not None
    marks = [mark for mark in shown.picture.marks if mark.label == TACTICAL.label]
    assert len(marks) == 2
    assert table.referee is not None
    sighting = table.referee.sight.sighting
    assert sighting is not None
    assert sighting.counts == {"tactical": {"A.tokens": 2}}
