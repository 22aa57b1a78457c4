"""A picture read between its pixels, at however many places."""

from __future__ import annotations

import numpy as np
import pytest

from vision.markers.corners import MOST_ROWS, sample


@pytest.mark.parametrize("rows", [0, 1, MOST_ROWS, MOST_ROWS + 1, 2 * MOST_ROWS + 7])
@pytest.mark.parametrize("kind", ["uint8", "float32"])
def test_any_number_of_places_is_read(rows: int, kind: str) -> None:
    """More than OpenCV takes at once, too; beyond its edge a picture goes on as there."""
    picture = np.arange(0, 200, 10).astype(kind).reshape(4, 5)
    xs = np.tile(np.array([[1.0, 3.5, 9.0]]), (rows, 1))
    found = sample(picture, xs, np.full(xs.shape, 2.0))
    assert found.dtype == kind
    assert found.shape == (rows, 3)
    assert (found == np.array([110, 135, 140])).all()
