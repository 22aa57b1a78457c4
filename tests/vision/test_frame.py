"""One picture, as every camera gives it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera.frame import Frame


def test_a_frame_knows_its_size() -> None:
    """Width before height, as sizes are told everywhere."""
    assert Frame(np.zeros((480, 640), np.uint8), taken_at=1.0, number=0).size_px == (640, 480)


@pytest.mark.parametrize(
    "grey",
    [
        np.zeros((480, 640, 3), np.uint8),
        np.zeros((480, 640), np.float32),
        np.zeros((0, 640), np.uint8),
    ],
)
def test_what_is_no_grey_picture_is_refused(grey: NDArray[Any]) -> None:
    """A colour picture, other numbers, or nothing at all would go wrong much later."""
    with pytest.raises(ValueError, match="grey picture"):
        Frame(grey, taken_at=0.0, number=0)
