"""The demonstration of Dogfight! hex ships: drawn frames, places by the camera, rams by touch."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import companion.games.dogfight_hex as box
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP
from companion.record.record import Record
from ui.demo.demo import DemoCall, Demonstration
from ui.demo.driver import NOTHING_MOVES, ends_of

BOX = "dogfight-hex"
POSITIONS = Path(box.__file__).parent / "positions"


def demonstration(folder: Path, **changes: Any) -> Demonstration:
    """A match on drawn frames, recorded in a folder."""
    known: dict[str, Any] = {"record": str(folder / "demo.sqlite"), "pace": 0.0, "pins": "mock"}
    return Demonstration(DemoCall(BOX, (), **(known | changes)))


@pytest.mark.slow
def test_a_whole_match_is_played_by_sight_and_touch(tmp_path: Path) -> None:
    """No sighting and no place is wrong, nobody helps out, wreckage may lie under debris."""
    shown = demonstration(tmp_path, seed=12)
    match = shown.driver.match
    summary = shown.play()
    assert summary.sound, summary.to_json()
    assert match.outcome is not None
    assert summary.reasons == ()
    assert summary.poses.wrong == 0
    assert set(summary.poses.asked) <= {NOTHING_MOVES}
    assert match.position.covered(), "this seed shall have debris on wreckage"
    with Record.open(tmp_path / "demo.sqlite") as record:
        entries = record.load(record.matches()[0].match_id).entries
    by_camera = {entry.key for entry in entries if entry.source == "camera"}
    assert {f"set-up/ship/{seat}" for seat in "ABCD"} <= by_camera
    assert any("/move/" in key for key in by_camera)
    assert any("/wreckage/" in key for key in by_camera)
    rams = [entry for entry in entries if " ram " in str(entry.answer)]
    assert rams
    assert all(entry.source != "camera" for entry in rams)


def test_what_looks_alike_is_nothing_that_a_camera_can_tell() -> None:
    """Debris beside a ship: lying there and ramming from there are one picture."""
    file = tomllib.loads((POSITIONS / "debris.toml").read_text("utf-8"))
    match = Match[Any].start(Setup(BOX, options={"players": 6}, position=file), STAMP)
    question = match.open["turn-9/debris/F"]
    ends = ends_of(question)
    assert "-2,1 ram D" in [option.name for option in question.options_now()]
    assert not {"-2,1", "-2,1 ram D", "stay", "-2,0 ram D"} & set(ends)
    assert "-3,0" in ends
