"""The demonstration of Starship Edition: vessels on drawn frames, moves told by the camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.demo.demo import DemoCall, Demonstration


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds"), [(2, 2), (4, 1), pytest.param(4, 2, marks=pytest.mark.soak)]
)
def test_the_camera_tells_where_vessels_go(tmp_path: Path, players: int, rounds: int) -> None:
    """Turns at the simulated table: moves are seen and right, and nothing is seen wrong."""
    call = DemoCall(
        "starship-edition", (), record=str(tmp_path / "demo.sqlite"), pace=0.0, pins="mock",
        seed=1, rounds=rounds, options={"players": players},
    )  # fmt: skip
    summary = Demonstration(call).play()
    assert summary.sound, summary.to_json()
    told = summary.to_json()
    assert told["rounds"] == rounds
    assert summary.poses.right >= players, "at least each vessel's start was seen"
    assert told["poses_wrong"] == told["sightings_wrong"] == 0
    assert summary.reasons == ()
