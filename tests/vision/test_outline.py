"""Where the foot of a die is seen, as its outline tells."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.throws import PICTURES, how_it_hangs, whole
from tests.vision.tray import DrawnTray
from vision.dice.outline import Outlines
from vision.dice.untold import FOOT_OFF
from vision.drawing.dice import DIE_MM, DrawnDie


def upper_and_foot_mm(die: DrawnDie) -> list[tuple[float, float, float]]:
    """The middles of the upper face of a die that is not turned, and of the one opposite."""
    lean, way = math.radians(die.lean_deg), math.radians(die.lean_way_deg)
    x, y, z = math.sin(lean) * math.cos(way), math.sin(lean) * math.sin(way), math.cos(lean)
    high_mm = DIE_MM / 2 * (abs(x) + abs(y) + z)  # of its middle: its lowest corner lies
    half_mm = (-DIE_MM / 2, DIE_MM / 2)
    return [(die.x_mm - n * x, die.y_mm - n * y, high_mm - n * z) for n in half_mm]


@pytest.mark.parametrize("tilt_deg", [5.0, 15.0])
@pytest.mark.parametrize(("lean_deg", "way_deg"), [(0.0, 0.0), (25.0, 70.0), (25.0, 250.0)])
def test_the_middle_of_a_dies_outline_is_half_way_to_its_foot(
    tilt_deg: float, lean_deg: float, way_deg: float
) -> None:
    """However it lies, before cameras of two tilts, in the light and the noise of six pictures."""
    size_px, tables = PICTURES["720p"]
    for seed, colour in enumerate(("red", "blue", "green", "yellow", "ivory", "white")):
        chance = np.random.default_rng([103_000_000, seed])
        tray = DrawnTray(tables[1], size_px, ("felt", "wood")[seed % 2], chance, tilt_deg=tilt_deg)
        die = DrawnDie(5, colour, *tray.middle_mm, 0.0, lean_deg, way_deg)
        upper, foot = tray.optics.solid_to_px(np.array(upper_and_foot_mm(die)))
        die_px, _ = how_it_hangs(tray.optics)
        middle = (float(upper[0]), float(upper[1]))
        frame = whole(tray.taken(tray.still([die])), size_px, 0)
        seen = Outlines.of(frame, [middle], die_px).foot_from(middle)
        assert seen is not None
        assert math.dist(seen, (foot - upper) / die_px) < FOOT_OFF


def test_a_bare_ground_shows_no_foot() -> None:
    """Nothing there ends as a die does."""
    size_px, tables = PICTURES["720p"]
    tray = DrawnTray(tables[1], size_px, "felt", np.random.default_rng(103_000_010))
    x, y = tray.optics.to_px([tray.middle_mm])[0].tolist()
    frame = whole(tray.taken(tray.still([])), size_px, 0)
    assert Outlines.of(frame, [(x, y)], 25.0).foot_from((x, y)) is None
