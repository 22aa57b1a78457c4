"""The rehearsal of what can go wrong before a camera: every word comes, and comes in time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.games import RULEBOOKS
from ui.demo.rehearsal import (
    SCRIPT,
    Deed,
    Incident,
    Nudge,
    PlayedIncident,
    RehearsalTable,
    Wire,
    rehearse,
)
from ui.table.camera_watch import WORDS
from ui.terminal.app import run
from ui.terminal.start import in_words, verdict
from vision.camera.source import CameraFault


@pytest.fixture
def stage() -> Iterator[RehearsalTable]:
    """A small camera, as slow as one may be whose boards are found anew within a second."""
    stage = RehearsalTable(size_px=(960, 540), fps=7.0)
    yield stage
    stage.close()


@pytest.mark.slow
def test_every_word_comes_in_time(stage: RehearsalTable) -> None:
    """Each act of the script, and after each of them a settled table without an alarm."""
    played = list(rehearse(stage))
    assert [one.name for one in played] == [scene.name for scene in SCRIPT]
    late = {one.name: (one.expected, one.came_s, one.said) for one in played if not one.right}
    assert not late
    assert all(one.came_s <= one.within_s for one in played if one.came_s is not None)
    assert sum(bool(one.touched) for one in played) >= 4, "people went on by touch meanwhile"


def test_each_fault_is_rehearsed() -> None:
    """All that camera, lamp, cable or hand can do wrong has an act that waits for its words.

    A film's end and a camera that was never there are no part of a match under way.
    """
    words = [scene.expected for scene in SCRIPT if scene.expected]
    faults = set(CameraFault) - {
        CameraFault.MISSING, CameraFault.ENDED, CameraFault.FAILED, CameraFault.UNHEARD,
    }  # fmt: skip
    alarms = [WORDS[fault].alarm for fault in faults]
    table = [
        "was moved ",
        "A hand rests over the table",
        "Something lies over the edge",
        "The picture is mirrored",
        "Two are ",
    ]
    assert not [said for said in alarms + table if not any(re.search(one, said) for one in words)]


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_nudged_board_is_found_anew_within_a_second_in_every_box(box: str) -> None:
    """Pushed at once and with no hand, be it one board of many or the only and largest one."""
    nudged = [scene for scene in SCRIPT if isinstance(scene.deed, Nudge)]
    assert [scene.within_s for scene in nudged] == [1.0]
    stage = RehearsalTable(box)
    try:
        (played,) = rehearse(stage, nudged)
    finally:
        stage.close()
    assert played.right, played.said


@pytest.mark.slow
def test_a_word_that_does_not_come_is_told(stage: RehearsalTable) -> None:
    """The rehearsal can fail: a wrong expectation, one that comes too late, one that goes away."""
    wrong = (
        Incident("nothing happens", Wire(), "Camera unplugged", 1.0),
        Incident("too soon", Wire({"frozen": True}), "Camera frozen", 1.0, lasts_s=4.0),
        Incident("mended", Wire({"frozen": False}), "", 5.0, lasts_s=5.0),
        Incident("does not stay", Wire(), "^$", 0.5, lasts_s=2.0, stays=True),
        Incident("cap on", Wire({"capped": True}), "^$", 0.3, lasts_s=2.0, stays=True),
    )
    right = {one.name: one.right for one in rehearse(stage, wrong)}
    assert right == {
        "nothing happens": False,
        "too soon": False,
        "mended": True,
        "does not stay": True,
        "cap on": False,
    }


def test_the_command_refuses_an_unknown_box() -> None:
    """With those there are; nothing is left behind."""
    with pytest.raises(BadCall, match="jaws-and-paws"):
        RehearsalTable("chess")
    assert run(["rehearse", "chess"]) == 2


@pytest.mark.parametrize("came_s", [0.5, None])
def test_the_command_prints_words_and_exits_by_them(
    came_s: float | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As people read it, as JSON, and 1 where a word did not come."""
    from ui.demo.rehearsal import SaidAfter

    played = PlayedIncident(
        "pull the plug", "Camera unplugged", 1.0, (SaidAfter(0.5, "Camera unplugged"),), came_s
    )
    monkeypatch.setattr("ui.demo.rehearsal.rehearse", lambda _: iter([played]))
    assert run(["rehearse", "--terminal"]) == (0 if came_s else 1)
    told = capsys.readouterr().out
    assert "pull the plug: " in told
    assert "0.5 s  Camera unplugged" in told
    run(["rehearse", "--json"])
    (line,) = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert (line["act"], line["came_s"], line["right"]) == ("pull the plug", came_s, bool(came_s))


@dataclass(frozen=True)
class PutElsewhere(Deed):
    """Somebody puts the Jaws plane on a board that it never stands on."""

    def to(self, stage: RehearsalTable) -> None:
        stage.drawn.place(Piece("jaws"), Pose("Jaws.PC"))


def test_a_touch_that_is_not_taken_is_told_with_the_screens_refusal(stage: RehearsalTable) -> None:
    """The words came in time; that play does not go on beside them is another thing, and wrong."""
    for _ in range(3):
        stage.touch_answer()  # toss, Sun, all placed: who is ready is asked next
    stage.drawn.place(Piece("sun"), stage.match.position.placement()[Piece("sun")])
    elsewhere = Incident("a plane elsewhere", PutElsewhere(), "", 8.0, lasts_s=3.0)
    touched = Incident("it stands there", Wire(), "", 8.0, touches=True)
    _, played = rehearse(stage, (elsewhere, touched))
    assert (played.came_s, played.touched) == (0.0, "round-1/ready/jaws = ready")
    assert not played.right
    refused = "The Jaws plane stands on Jaws.PC, a board of its own team; it belongs on Paws.PC."
    assert played.refused == f"{refused} Put it back, or let the arbiter correct the record."
    assert f"(NOT TAKEN: {played.refused})" in in_words(played)
    assert verdict([played]) == "Rehearsed: every word came in time; 1 touch was not taken."
    both = [played, replace(played, came_s=None, refused=""), played]
    assert verdict(both) == "Rehearsed: 1 did not come in time; 2 touches were not taken."
