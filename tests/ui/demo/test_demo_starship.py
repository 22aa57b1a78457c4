"""The demonstration of Starship Edition: vessels on drawn frames, moves told by the camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.demo.demo import DemoCall, Demonstration


@pytest.mark.parametrize("players", [2, 4])
def test_the_camera_tells_where_vessels_go(tmp_path: Path, players: int) -> None:
    """Two turns at the simulated table: moves are seen and right, and nothing is seen wrong."""
    call = DemoCall(
        "starship-edition", (), record=str(tmp_path / "demo.sqlite"), pace=0.0, pins="mock",
        seed=1, rounds=2, options={"players": players},
    )  # fmt: skip
    summary = Demonstration(call).play()
    assert summary.sound, summary.to_json()
    told = summary.to_json()
    assert told["rounds"] == 2
    assert summary.poses.right >= players, "at least each vessel's start was seen"
    assert told["poses_wrong"] == told["sightings_wrong"] == 0
    assert summary.reasons == ()
