"""The demonstration of the TaleSpin dogfight: planes on a drawn ring, told by the camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.demo.demo import DemoCall, Demonstration


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "seed"), [(2, 1), pytest.param(3, 2, marks=pytest.mark.soak), (4, 3)]
)
def test_the_camera_tells_where_planes_are(tmp_path: Path, players: int, seed: int) -> None:
    """Each plane is seen where it is put; everything else is touched, and nobody helps out."""
    call = DemoCall(
        "talespin-dogfight", (), record=str(tmp_path / "demo.sqlite"), pace=0.0, pins="mock",
        seed=seed, rounds=1, options={"players": players},
    )  # fmt: skip
    summary = Demonstration(call).play()
    assert summary.sound, summary.to_json()
    assert summary.reasons == ()
    assert summary.poses.right == players
    assert summary.to_json()["poses_wrong"] == 0
