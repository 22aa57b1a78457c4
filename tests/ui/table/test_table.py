"""A table put together: matches begun, resumed, left; devices, disk and evidence."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import cv2
import pytest

from companion.core.board import BoardPlan
from companion.core.errors import BadCall, BadFile, RecordDamaged, RecordReadOnly
from companion.core.ruling import Json
from companion.games.jaws_and_paws.boards import board_plan
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from hardware.panel.panel import Sound
from ui.demo.drawn import SteppedClock
from ui.scene.values import DeviceState, Mark
from ui.table.camera_watch import CameraWatch
from ui.table.export import WORDS
from ui.table.settings_file import SettingsFile
from ui.table.table import Table, disk_line
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker

SETUP = Setup("jaws-and-paws")


class FullDisk(Record):
    """A record whose disk takes nothing while `full`."""

    full = False

    def append(self, match_id: str, new: Sequence[Entry]) -> Sequence[Entry]:
        if self.full:
            raise RecordReadOnly("the disk is full: free some space")
        return super().append(match_id, new)


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(500.0)


@pytest.fixture
def table(tmp_path: Path, clock: SteppedClock) -> Table:
    return _table(tmp_path, clock)


def _table(
    folder: Path, clock: SteppedClock, signals: DeskPanel | None = None, **parts: Any
) -> Table:
    return Table(
        FullDisk.open(folder / "record.sqlite"),
        SettingsFile.load(folder / "settings.toml"),
        clock=clock,
        signals=signals or DeskPanel(clock=clock),
        **parts,
    )


def _answer(table: Table, part: str, raw: Any) -> bool:
    match = table.refereed().match
    question = next(q for key, q in match.open.items() if key.endswith(part))
    return table.offer(question.key, question.opened, raw, "touch")


def _to_round(table: Table) -> None:
    table.new_match(SETUP)
    for part, raw in (("toss", "Jaws"), ("sun", "Jaws.GL"), ("placed", "placed")):
        assert _answer(table, part, raw)
    for part in ("ready/jaws", "ready/paws"):
        assert _answer(table, part, "ready")


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        (Setup("chess"), "jaws-and-paws"),
        (Setup("jaws-and-paws", ("night", "moon")), "day"),
        (Setup("jaws-and-paws", options={"timer_s": "soon"}), "timer_s"),
        (Setup("jaws-and-paws", position={"round": -1}), "position"),
    ],
)
def test_a_wrong_set_up_begins_nothing(table: Table, setup: Setup, told: str) -> None:
    """The message names what is allowed, and the match under way stays."""
    table.new_match(SETUP)
    before = table.match
    with pytest.raises((BadCall, BadFile), match=told):
        table.new_match(setup)
    assert table.match is before


def test_a_match_is_resumed_where_it_was_left(table: Table) -> None:
    """The same questions, the same lines, seconds of play that go on."""
    _to_round(table)
    match_id, lines = table.match_id, len(table.refereed().match.entries)
    table.leave()
    table.resume(match_id)
    referee = table.refereed()
    assert list(referee.match.open) == ["round-1/locked"]
    assert len(referee.match.entries) >= lines
    assert referee.match.entries[-1].match_s >= 0.0


def test_leaving_pauses_the_round_and_keeps_its_rest(table: Table, clock: SteppedClock) -> None:
    """Nothing sounds at an empty table; going on runs from what was left."""
    _to_round(table)
    clock.wait(6.5)
    table.tick()
    match_id = table.match_id
    table.leave()
    clock.wait(100.0)
    table.tick()
    table.resume(match_id)
    standing = table.refereed().clock
    assert standing is not None
    assert not standing.running
    assert 13.5 <= standing.rest_s <= 14.5


def test_a_damaged_match_is_refused_in_words(table: Table, tmp_path: Path) -> None:
    """It can be looked at, not gone on with; nothing is resumed."""
    _to_round(table)
    match_id = table.match_id
    table.leave()
    import sqlite3

    with sqlite3.connect(tmp_path / "record.sqlite") as database:
        database.execute("update entries set line = replace(line, 'Jaws.GL', 'Paws.GL')")
    database.close()
    with pytest.raises(RecordDamaged, match="not gone on with"):
        table.resume(match_id)
    assert table.referee is None


def test_a_full_disk_stops_nobody_and_is_said(table: Table) -> None:
    """Answers stand unconfirmed and loud; they are written as soon as there is room."""
    table.new_match(SETUP)
    record = table.record
    assert isinstance(record, FullDisk)
    record.full = True
    assert _answer(table, "toss", "Jaws")
    referee = table.refereed()
    assert "full" in referee.unwritten
    assert referee.confirmed < len(referee.match.entries)
    record.full = False
    table.tick()
    assert referee.unwritten == ""
    loaded = Match[Any].replay(record.load(table.match_id).entries)
    assert list(loaded.open) == list(referee.match.open)


def test_a_disk_that_answers_no_more_is_said_at_home(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stick that has the record was pulled out: the screen goes on and says so."""

    def gone(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(shutil, "disk_usage", gone)
    (line,) = table.situation().parts
    assert (line.mark, line.value) == (Mark.BAD, WORDS[errno.EIO])


def test_jp_5_7_the_picture_at_the_buzzer_is_kept(tmp_path: Path, clock: SteppedClock) -> None:
    """As a JPEG beside the record, of the moment that sounded."""
    drawn = SimulatedTable(board_plan(), 3, (640, 360), clock=clock, wait=clock.wait)
    watch = CameraWatch(lambda: drawn, lambda _: Tracker(board_plan()), clock=clock)
    table = _table(tmp_path, clock, watch=watch)
    _to_round(table)
    clock.wait(19.9)
    watch.step()
    clock.wait(0.1)
    table.tick()
    clock.wait(2.0)
    table.tick()
    assert table.evidence is not None
    table.evidence.settle()
    zero = table.situation().kept.zero
    assert zero is not None
    picture = cv2.imread(str(table.record.evidence(table.match_id) / zero.name))
    assert picture is not None
    assert picture.shape == (360, 640, 3)


def test_jp_5_7_a_picture_of_another_moment_is_no_evidence(
    tmp_path: Path, clock: SteppedClock
) -> None:
    """A camera that stood still before the buzzer has nothing to show, and nothing is said."""
    drawn = SimulatedTable(board_plan(), 3, (640, 360), clock=clock, wait=clock.wait)
    watch = CameraWatch(lambda: drawn, lambda _: Tracker(board_plan()), clock=clock)
    table = _table(tmp_path, clock, watch=watch)
    _to_round(table)
    watch.step()
    clock.wait(20.0)
    table.tick()
    clock.wait(2.0)
    table.tick()
    assert not list(table.record.evidence(table.match_id).glob("*.jpg"))
    assert table.situation().kept.zero is None


def test_the_buzzer_sounds_through_the_round(table: Table, clock: SteppedClock) -> None:
    """Cues at 10, 5, 3, 2, 1 and the lock at zero, each at its second."""
    _to_round(table)
    for _ in range(200):
        clock.wait(0.1)
        table.tick()
    assert isinstance(table.signals, DeskPanel)
    heard = [(round(at - 500.0), sound) for at, sound in table.signals.heard]
    assert heard == [
        (0, Sound.READY), (0, Sound.START),
        (10, Sound.CUE), (15, Sound.CUE), (17, Sound.CUE), (18, Sound.CUE), (19, Sound.CUE),
        (20, Sound.LOCK),
    ]  # fmt: skip


def test_a_refusal_sounds_unless_the_table_is_muted(table: Table) -> None:
    """An error has its own sound; mute is a setting of the table."""
    table.new_match(SETUP)
    assert not _answer(table, "toss", "Dogs")
    assert isinstance(table.signals, DeskPanel)
    assert [sound for _, sound in table.signals.heard] == [Sound.ERROR]
    table.set_setting("sound", value=False)
    assert not _answer(table, "toss", "Dogs")
    assert len(table.signals.heard) == 1


def test_without_camera_and_signals_the_table_goes_on(tmp_path: Path, clock: SteppedClock) -> None:
    """The screen alone counts to zero; the devices say what is missing."""
    table = Table(
        Record.open(tmp_path / "r.sqlite"), SettingsFile.load(tmp_path / "s.toml"), clock=clock
    )
    _to_round(table)
    assert [device.state for device in table.situation().devices] == [DeviceState.ABSENT] * 2
    clock.wait(20.0)
    table.tick()
    assert "round-1/lock/checked" in table.refereed().match.open


def test_a_finished_match_is_listed_with_its_outcome(table: Table) -> None:
    """Lists replay nothing; a resumed one stands at its result."""
    table.new_match(SETUP)
    match_id = table.match_id
    table.refereed().close(["Paws"], "Jaws went home.", "late", table.clock())  # type: ignore[list-item]
    table.leave()
    (past,) = table.situation().matches
    assert (past.ended, past.summary) == (True, "Jaws & Paws · Paws won · Jaws went home")
    table.resume(match_id)
    assert table.refereed().match.outcome is not None


def test_an_exported_match_can_be_read_anywhere(table: Table) -> None:
    """One file, beside the record."""
    _to_round(table)
    path = table.export_match()
    assert path.read_text("utf-8").count("\n") >= len(table.refereed().match.entries)


def test_a_setting_that_nobody_knows_is_refused(table: Table) -> None:
    """The message lists them."""
    with pytest.raises(BadCall, match="palette"):
        table.set_setting("colour", "red")


def test_the_camera_looks_for_the_box_that_is_played(tmp_path: Path, clock: SteppedClock) -> None:
    """A new match and one that is gone on with: their own boards, pieces and figures."""
    asked: list[BoardPlan] = []

    def tracker_of(plan: BoardPlan) -> Tracker:
        asked.append(plan)
        return Tracker(plan)

    drawn = SimulatedTable(board_plan(), 3, (640, 360), clock=clock, wait=clock.wait)
    watch = CameraWatch(
        lambda: drawn, lambda _: Tracker(board_plan()), tracker_of=tracker_of, clock=clock
    )
    table = _table(tmp_path, clock, watch=watch)
    larger: dict[str, Json] = {"board": {"radius": 5, "one_token": [], "two_tokens": []}}
    table.new_match(Setup("dogfight-1917", ("base",), cards=larger))
    watch.step()
    assert [(plan.box, len(plan.spaces)) for plan in asked] == [("dogfight-1917", 91)]
    match_id = table.match_id
    table.leave()
    table.new_match(Setup("jaws-and-paws", ("day",)))
    watch.step()
    table.resume(match_id)
    watch.step()
    assert [plan.box for plan in asked[1:]] == ["jaws-and-paws", "dogfight-1917"]


# Seconds of play after a kill in a phase: time in which nobody played is none.


class Killed(NamedTuple):
    """What outlives a kill: the record's folder, what sounds, both clocks, the match's name."""

    folder: Path
    desk: DeskPanel
    clock: SteppedClock
    match_id: str


def _killed_in_a_round(folder: Path, clock: SteppedClock, after_s: float) -> Killed:
    """The round began 30 s into the match, and the program was killed so long after that."""
    desk = DeskPanel(clock=clock)
    table = _table(folder, clock, signals=desk)
    clock.wait(30.0)
    _to_round(table)
    clock.wait(after_s)
    table.tick()
    table.record.close()
    return Killed(folder, desk, clock, table.match_id)


def _resumed(killed: Killed, *, set_by_s: float = 0.0) -> Table:
    """The program again; the time of day was set by so much meanwhile."""

    def utc() -> datetime:
        return datetime(2026, 11, 21, tzinfo=UTC) + timedelta(seconds=killed.clock() + set_by_s)

    table = _table(killed.folder, killed.clock, signals=killed.desk, utc=utc)
    table.resume(killed.match_id)
    return table


def _played(table: Table, part: str) -> Sequence[float]:
    """The seconds of play of lines whose key or word of the clock has this in it."""
    told = table.refereed().match.entries
    return [one.match_s for one in told if part in f"{one.key} {one.answer}"]


@pytest.mark.parametrize("set_by_s", [0.0, 86_400.0, -86_400.0])
def test_after_a_late_resume_the_time_since_the_buzzer_is_no_play(
    tmp_path: Path, clock: SteppedClock, set_by_s: float
) -> None:
    """The zero has the time of its sound, whatever the time of day is set to; play goes on then."""
    killed = _killed_in_a_round(tmp_path, clock, 5.0)
    clock.wait(3_600.0)
    killed.desk.events()
    table = _resumed(killed, set_by_s=set_by_s)
    (began,) = _played(table, "started")
    assert _played(table, "'sounded'") == [began + 20.0]
    clock.wait(7.0)
    lock = next(key for key in table.refereed().match.open if "/lock/" in key)
    assert _answer(table, lock, [0, 0])
    assert table.refereed().match.entries[-1].match_s == began + 27.0


def test_a_phase_that_still_runs_after_a_kill_was_played_all_along(
    tmp_path: Path, clock: SteppedClock
) -> None:
    """It is adopted: 12 of its 20 s are over, as its lamps say."""
    killed = _killed_in_a_round(tmp_path, clock, 5.0)
    clock.wait(7.0)
    table = _resumed(killed, set_by_s=9_999.0)
    (began,) = _played(table, "started")
    assert _played(table, "'adopted'") == [began + 12.0]


def test_after_a_kill_in_a_phase_that_nothing_kept_no_time_passed(
    tmp_path: Path, clock: SteppedClock
) -> None:
    """A power cut: the phase stands, and what is told next follows the last line at once."""
    killed = _killed_in_a_round(tmp_path, clock, 5.0)
    clock.wait(3_600.0)
    table = _resumed(killed._replace(desk=DeskPanel(clock=clock)))
    last = table.refereed().match.entries[-1].match_s
    table.refereed().resume(clock())
    assert table.refereed().match.entries[-1].match_s == last


@pytest.mark.parametrize(
    ("free_mb", "read_only", "told"),
    [
        (4022, "", "4022 MB left"),
        (0, "", "0 MB left"),
        (0, "matches.sqlite: the disk is full", "0 MB left"),
        (4022, "matches.sqlite: the file may not be written", "the record is read-only"),
    ],
)
def test_the_foot_of_home_says_why_a_record_takes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, read_only: str, told: str
) -> None:
    """In the few words for which it has room: no room, or another reason."""
    usage = SimpleNamespace(free=free_mb * 1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with Record.open(tmp_path / "matches.sqlite") as record:
        record.read_only = RecordReadOnly(read_only) if read_only else None
        (line,) = disk_line(record)
    assert line.value == told
    assert (line.mark is Mark.OK) is (free_mb > 0 and not read_only)
