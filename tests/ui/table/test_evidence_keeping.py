"""Pictures kept with the lines of a match; and a disk, a camera or a folder that give nothing."""

from __future__ import annotations

import resource
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import pytest
from typer.testing import CliRunner

from companion.core.board import Pose
from companion.core.errors import BadCall
from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from companion.match.rulebook import Setup
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion, kept_in
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.drawn import SteppedClock
from ui.screens.arbiter.evidence import EvidenceState
from ui.screens.arbiter.log import LogState
from ui.screens.match.challenge import ChallengeState
from ui.screens.registry import present
from ui.table.camera_watch import CameraWatch
from ui.table.evidence import CLIP_AFTER_S, EvidenceWriting
from ui.table.eyes import kept_picture
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.start import app
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.actions import OpenChallenge
from ui.touch.view import View
from vision.drawing.table import SimulatedTable
from vision.evidence.evidence import Still
from vision.tracking.tracker import Tracker

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
STILLS = [EvidencePart.BEFORE, EvidencePart.AT, EvidencePart.AFTER, EvidencePart.BOARDS]


class Filmed:
    """A match at a drawn table on a stepped clock, and whoever touches its screen."""

    def __init__(self, folder: Path) -> None:
        self.clock = SteppedClock(500.0)
        self.began_at = self.clock()
        plan = board_plan()
        self.drawn = SimulatedTable(
            plan, 3, (960, 540), clock=self.clock, wait=self.clock.wait, fps=5.0
        )
        self.watch = CameraWatch(lambda: self.drawn, lambda _: Tracker(plan), clock=self.clock)
        self.table = Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            watch=self.watch,
            signals=DeskPanel(clock=self.clock),
            clock=self.clock,
            utc=lambda: EVENING + timedelta(seconds=self.clock()),
        )
        self.view = View()
        self.table.new_match(Setup("jaws-and-paws", options={"timer_s": 5}))
        self.table.checked = True
        for piece, space in ((JAWS_PLANE, "Paws.PC"), (PAWS_PLANE, "Jaws.PC")):
            self.drawn.place(piece, Pose(space))

    def pass_time(self, seconds: float) -> None:
        """Frames and ticks for so long."""
        until = self.clock() + seconds
        while self.clock() < until:
            self.watch.step()
            self.table.tick()

    def answer(self, part: str, raw: Any) -> int:
        """Answer the open question whose key ends so; the log line it became."""
        match = self.table.refereed().match
        question = next(q for key, q in match.open.items() if key.endswith(part))
        assert self.table.offer(question.key, question.opened, raw, "touch")
        return next(e.seq for e in reversed(match.entries) if e.key == question.key)

    def to_zero(self) -> int:
        """On to the buzzer of the first round; the line of the lock."""
        self.drawn.place(SUN, Pose("Jaws.GL"))
        for part, raw in (("toss", "Jaws"), ("sun", "Jaws.GL")):
            self.answer(part, raw)
        self.pass_time(2.0)  # until the camera has seen what the record says
        self.answer("placed", "placed")
        for part in ("ready/jaws", "ready/paws"):
            self.answer(part, "ready")
        self.pass_time(8.0)
        entries = self.table.refereed().match.entries
        return next(e.seq for e in reversed(entries) if e.key.endswith("/locked"))

    def to_reveal(self) -> None:
        """Past the lock, a card of the Jaws Pilot on the first section."""
        self.to_zero()
        match = self.table.refereed().match
        while not any("reveal" in key for key in match.open):
            key, question = next((k, q) for k, q in match.open.items() if k not in match.answered)
            raw: Any = question.lapse or next((o.name for o in question.options_now()), [0, 0])
            raw = [1, 0] if key.endswith("lock/jaws/1") else raw
            assert self.table.offer(key, question.opened, raw, "touch"), (key, raw)
        self.pass_time(1.0)

    def kept(self, seq: int) -> tuple[EvidenceFile, ...]:
        """What is on disk with a line."""
        keeping = self.table.evidence
        assert keeping is not None
        keeping.settle()
        return tuple(file for file in keeping.files if file.seq == seq)

    def folder(self) -> Path:
        return self.table.record.evidence(self.table.match_id)

    def touch(self, action: Any) -> Any:
        self.view = act(action, self.table, self.view)
        return present(self.table.situation(), self.view)


@pytest.fixture
def filmed(tmp_path: Path) -> Iterator[Filmed]:
    filmed = Filmed(tmp_path)
    filmed.pass_time(3.0)
    yield filmed
    filmed.table.close()


def test_jp_5_7_the_buzzer_has_its_pictures(filmed: Filmed) -> None:
    """Before, at and after, to the frame, and the boards as from above; all can be read."""
    seq = filmed.to_zero()
    files = filmed.kept(seq)
    assert [file.part for file in files] == STILLS
    assert {file.occasion for file in files} == {Occasion.ZERO}
    before, at, after, _ = files
    taken = [datetime.fromisoformat(file.at_utc) for file in (before, at, after)]
    assert 0.7 <= (taken[1] - taken[0]).total_seconds() <= 1.3
    assert 1.2 <= (taken[2] - taken[1]).total_seconds() <= 1.8
    assert all(cv2.imread(str(filmed.folder() / file.name)) is not None for file in files)


@pytest.mark.slow
def test_jp_9_1_each_reveal_has_its_pictures(filmed: Filmed) -> None:
    """The section before the card was turned over, as it was told, and after."""
    filmed.to_reveal()
    filmed.pass_time(3.0)
    seq = filmed.answer("reveal/jaws", "MSL")
    filmed.pass_time(3.0)
    files = filmed.kept(seq)
    assert [(file.occasion, file.part) for file in files] == [
        (Occasion.REVEAL, part) for part in STILLS
    ]


@pytest.mark.slow
def test_a_disputed_place_has_its_pictures(filmed: Filmed) -> None:
    """A plane that somebody moves: how it stood, and how it stands; once, not at each picture."""
    filmed.to_reveal()
    match = filmed.table.refereed().match
    seq = match.entries[-1].seq
    filmed.drawn.move(PAWS_PLANE, Pose("Jaws.GR"))
    filmed.pass_time(8.0)
    reading = filmed.table.refereed().sight.reading
    assert reading is not None
    assert [one.piece for one in reading.differences] == [PAWS_PLANE]
    files = [file for file in filmed.kept(seq) if file.occasion is Occasion.PLACE]
    assert [file.part for file in files] == [
        EvidencePart.BEFORE,
        EvidencePart.AFTER,
        EvidencePart.BOARDS,
    ]
    pictures = [cv2.imread(str(filmed.folder() / file.name), 0) for file in files[:2]]
    assert all(picture is not None for picture in pictures)
    before, after = ((p.astype(int)) for p in pictures if p is not None)
    assert abs(before - after).max() > 60, "the plane is elsewhere"
    assert filmed.watch.sighting is not None
    assert filmed.watch.sighting.state is PictureState.SETTLED


@pytest.mark.slow
def test_on_demand_a_clip_is_kept(filmed: Filmed) -> None:
    """From the log: its line, Evidence, Keep a clip; the clip plays, and is on the list."""
    seq = filmed.answer("toss", "Jaws")
    filmed.pass_time(6.0)
    filmed.touch(a.Show(a.Panel.LOG))
    log = filmed.touch(a.SelectLine(seq))
    assert isinstance(log, LogState)
    (key,) = (key for key in log.frame.bottom.keys if key.label == "Evidence")
    state = filmed.touch(key.action)
    assert isinstance(state, EvidenceState)
    assert not state.lines
    next_key = state.frame.bottom.next
    assert next_key is not None
    asked_at = filmed.clock()
    waiting = filmed.touch(next_key.action)
    assert waiting.frame.bottom.message.first == "A clip is being kept."
    assert waiting.frame.bottom.next.action is None
    assert {file.part for file in filmed.kept(seq)} == {EvidencePart.AT, EvidencePart.BOARDS}
    filmed.pass_time(CLIP_AFTER_S + 0.5)
    assert filmed.kept(seq)
    shown = filmed.touch(a.TurnPage(0))
    assert shown.frame.bottom.next.action == next_key.action
    assert [line.name for line in shown.lines] == [
        "asked for, at",
        "asked for, boards",
        "asked for, clip",
    ]
    assert shown.picture.image is not None
    clip = filmed.touch(a.TurnPage(2))
    assert "any player" in clip.picture.note
    filmed.touch(a.Back())
    log = filmed.touch(a.SelectLine(seq))
    assert any(detail.startswith("Evidence: 2 pictures and 1 clip, ") for detail in log.details)
    film = cv2.VideoCapture(str(next(filmed.folder().glob("*.avi"))))
    film_s = film.get(cv2.CAP_PROP_FRAME_COUNT) / film.get(cv2.CAP_PROP_FPS)
    assert film_s > asked_at + CLIP_AFTER_S - 0.5 - filmed.began_at


@pytest.mark.slow
def test_a_torn_clip_is_told_though_its_still_fits_and_the_match_goes_on(filmed: Filmed) -> None:
    """The disk takes so much of a file and no more: no half a clip is left, and it is said."""
    seq = filmed.to_zero()
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, usual[1]))
    try:
        filmed.touch(a.KeepClip(seq))
        filmed.pass_time(CLIP_AFTER_S + 0.5)
        kept = filmed.kept(seq)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        signal.signal(signal.SIGXFSZ, ignored)
    assert EvidencePart.CLIP not in {file.part for file in kept}
    assert not [path for path in filmed.folder().iterdir() if path.suffix != ".jpg"]
    assert Occasion.CALLED in {file.occasion for file in kept}
    shown = filmed.touch(a.Show(a.Panel.EVIDENCE, str(seq)))
    assert shown.frame.bottom.message.first == "The last picture was not kept."
    assert "pictures are on the disk: the clip " in shown.frame.bottom.message.second
    assert filmed.answer("lock/jaws/1", [1, 0])


@pytest.mark.slow
def test_a_challenge_has_its_pictures(filmed: Filmed) -> None:
    """What was done shortly before, the table as it stands, and what was recognised on it."""
    filmed.to_zero()
    filmed.touch(OpenChallenge("Paws"))
    filmed.pass_time(3.0)
    opened = next(
        entry.seq
        for entry in reversed(filmed.table.refereed().match.entries)
        if entry.kind == "clock"
    )
    kept = [file for file in filmed.kept(opened) if file.occasion is Occasion.CHALLENGE]
    assert [file.part for file in kept] == STILLS
    shown = filmed.touch(a.Back())
    assert isinstance(shown, ChallengeState)
    assert len(shown.pictures) == 2, "before and after; the evidence has all of them"
    assert all(one.image is not None for one in shown.pictures)
    assert shown.shown == a.Show(a.Panel.EVIDENCE, str(opened))


@pytest.mark.slow
def test_a_dispute_is_shown_flat_and_ringed_and_as_taken_one_touch_away(filmed: Filmed) -> None:
    """Both pictures are drawn from above by where the boards lay then; rings are on both pairs."""
    filmed.to_zero()
    filmed.drawn.place(SUN, Pose("Jaws.PR"))
    filmed.pass_time(4.0)
    filmed.drawn.place(SUN, Pose("Jaws.GL"))
    filmed.pass_time(3.0)
    filmed.touch(OpenChallenge("Paws"))
    filmed.pass_time(3.0)
    filmed.kept(0)
    filmed.pass_time(0.5)
    flat = filmed.touch(a.Show(a.Panel.CHALLENGE, "pictures"))
    taken = filmed.touch(next(key.action for key in flat.tabs if key.label == "As taken"))
    assert all(one.size_px == (960, 540) for one in taken.pictures)
    assert all(one.size_px != (960, 540) for one in flat.pictures)
    for state in (flat, taken):
        before, after = state.pictures
        assert not before.marks
        assert {mark.kind for mark in after.marks} == {"ring"}
        assert before.note.endswith("after the buzzer")
    corners = {round(float(one.image[2, 2].mean())) for one in flat.pictures}
    assert corners == {24}, "what lies between the boards is left out"


def test_without_knowing_where_boards_lay_pictures_are_as_taken(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No flat picture is promised by a key then, nor of a file that somebody deleted."""
    filmed.to_zero()
    before, at, *_ = (one for one in filmed.kept(8) if one.part is not EvidencePart.BOARDS)
    keeping = filmed.table.evidence
    assert keeping is not None
    assert keeping.flat(before, at) is not None
    assert keeping.flat(before, replace(at, seq=99)) is None
    (filmed.folder() / at.name).unlink()
    kept_picture.cache_clear()
    assert keeping.flat(before, at, 90) is None
    monkeypatch.setattr(keeping, "_lay", {})
    assert keeping.flat(before, at) is None


def test_without_a_picture_there_is_no_clip(filmed: Filmed) -> None:
    """Refused in words; nothing is written."""
    keeping = filmed.table.evidence
    assert keeping is not None
    with pytest.raises(BadCall, match="no clip to keep"):
        keeping.keep_clip(0, filmed.clock() + 500.0)
    assert not list(filmed.folder().iterdir())


def test_a_full_disk_ends_nothing_and_is_said(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round goes on; the locked screen says that no picture is kept, and why."""
    full = OSError(28, "No space left on device")
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", _raising(full))
        seq = filmed.to_zero()
        assert not filmed.kept(seq)
        situation = filmed.table.situation()
        assert "No space left on device" in situation.kept.trouble
        state: Any = present(situation, View())
        assert state.note.startswith("No picture kept: ")
        full_words = situation.kept.trouble
    assert filmed.answer("lock/jaws/1", [1, 0])
    assert filmed.table.evidence is not None
    filmed.table.evidence.settle()
    assert not [path for path in filmed.folder().iterdir() if path.suffix != ".jpg"]
    filmed.touch(a.KeepClip(seq))
    filmed.pass_time(CLIP_AFTER_S + 0.5)
    assert {EvidencePart.AT, EvidencePart.CLIP} <= {file.part for file in filmed.kept(seq)}
    told = filmed.touch(a.Show(a.Panel.EVIDENCE, str(seq))).frame.bottom.message
    assert (told.first, told.second[-60:]) == ("Once something was not kept.", full_words[-60:])


def _raising(error: OSError) -> Any:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_a_folder_that_is_taken_away_ends_nothing(filmed: Filmed) -> None:
    """A stick pulled out: it is made anew where it can be, or said."""
    seq = filmed.to_zero()
    assert filmed.kept(seq)
    shutil.rmtree(filmed.folder())
    state = filmed.touch(a.Show(a.Panel.EVIDENCE, str(seq)))
    assert state.picture.image is None
    assert "cannot be read" in state.picture.note


def test_a_dark_minute_keeps_no_old_picture(filmed: Filmed) -> None:
    """What was taken at another moment is no evidence of this one."""
    filmed.drawn.unplug()
    for _ in range(8):  # until the camera is known to be gone
        filmed.clock.wait(0.5)
        filmed.watch.step()
        filmed.table.tick()
    for part, raw in (("toss", "Jaws"), ("sun", "Jaws.GL"), ("placed", "placed")):
        filmed.answer(part, raw)
    for part in ("ready/jaws", "ready/paws"):
        filmed.answer(part, "ready")
    for _ in range(60):
        filmed.clock.wait(0.5)
        filmed.watch.step()
        filmed.table.tick()
    entries = filmed.table.refereed().match.entries
    assert entries[-1].key.endswith("/locked")
    assert not filmed.kept(entries[-1].seq)


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (SimulatedTable.unplug, "Camera unplugged."),
        (lambda drawn: setattr(drawn, "read", lambda: None), "Camera frozen."),
    ],
)
def test_a_dispute_of_which_there_is_no_picture_says_what_the_camera_did(
    filmed: Filmed, happens: Any, why: str
) -> None:
    """It was there: nobody is told that none looked; before that its pictures are waited for."""
    happens(filmed.drawn)
    filmed.watch.evidence = filmed.watch.evidence.__class__()
    for _ in range(8):
        filmed.clock.wait(0.5)
        filmed.watch.step()
        filmed.table.tick()
    filmed.touch(OpenChallenge("Jaws"))
    state = filmed.touch(a.Show(a.Panel.CHALLENGE, "pictures"))
    assert [one.note for one in state.pictures] == ["Pictures are being taken: a moment."]
    for _ in range(4):
        filmed.clock.wait(0.5)
        filmed.watch.step()
        filmed.table.tick()
    state = filmed.touch(a.Show(a.Panel.CHALLENGE, "pictures"))
    assert [one.note for one in state.pictures] == [f"No picture was kept. {why}"]
    challenge = filmed.table.refereed().presses.challenge
    assert challenge is not None
    assert filmed.touch(a.Show(a.Panel.EVIDENCE, str(challenge.seq))).why == why


def test_show_lists_what_is_kept(filmed: Filmed, tmp_path: Path) -> None:
    """On the command line: which file, when, below the line it goes with."""
    seq = filmed.to_zero()
    files = filmed.kept(seq)
    match_id = filmed.table.match_id
    told = CliRunner().invoke(app, ["show", match_id, "--record", str(tmp_path / "record.sqlite")])
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    (place,) = (line.split("lies in ")[1] for line in lines if "Its evidence lies in" in line)
    assert all((Path(place) / file.name).is_file() for file in files)
    at = next(n for n, line in enumerate(lines) if line.lstrip().startswith(f"{seq} "))
    for file in files:
        (line,) = (one for one in lines[at : at + 8] if file.name in one)
        assert f"Evidence: {file}, " in line


def test_a_match_gone_on_with_has_its_pictures(filmed: Filmed) -> None:
    """They lie beside the record, and its lines keep their numbers."""
    seq = filmed.to_zero()
    files = filmed.kept(seq)
    match_id = filmed.table.match_id
    filmed.table.leave()
    filmed.table.resume(match_id)
    assert filmed.table.situation().kept.of_line(seq) == files


def test_stills_are_whole_or_not_there(tmp_path: Path) -> None:
    """A power cut while one is written leaves the older one, never half of the newer."""
    path = tmp_path / "00001-zero-at-20261121T193407.250Z.jpg"
    Still(0.0, 0, b"older").save(path)
    with pytest.MonkeyPatch.context() as cut:
        cut.setattr("os.fsync", _raising(OSError(5, "Input/output error")))
        with pytest.raises(OSError, match="could not be kept"):
            Still(1.0, 1, b"newer").save(path)
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_picture_kept_while_the_folder_is_listed_is_on_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's thread lists, and the writer is done just then: the next look shows it."""
    writing = EvidenceWriting(lambda: tmp_path)
    name = EvidenceFile(0, Occasion.ZERO, EvidencePart.AT, "2026-11-21T10:00:00.000Z").name
    listed = kept_in

    def overtaken(folder: Path) -> tuple[EvidenceFile, ...]:
        found = listed(folder)
        if not found:
            writing.stills({name: Still(0.0, 0, b"jpeg")}, ("", 0.0, lambda: None))
            writing.settle()
        return found

    monkeypatch.setattr("ui.table.evidence.kept_in", overtaken)
    assert not writing.files
    assert [file.name for file in writing.files] == [name]
    writing.close()
