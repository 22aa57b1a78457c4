"""How sharp a picture is: the blur that was drawn is the blur that is read."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.jaws_and_paws.boards import board_plan
from vision.boards.calibrating import MOST_BLUR_PX, blur_of, blur_of_picture
from vision.camera.frame import GreyImage
from vision.drawing.table import PictureLook, SimulatedTable
from vision.markers.reading import MarkerReader, MarkerSeen, ThoroughReader


def picture(blur_px: float, seed: int = 5, noise: float = 2.5) -> GreyImage:
    """Drawn in four by four parts a pixel, so that pixels themselves add 0.3 px of blur."""
    look = PictureLook(blur_px=blur_px, noise=noise)
    return SimulatedTable(board_plan(), seed, (1920, 1080), look=look).read().grey


@pytest.mark.parametrize("blur_px", [0.5, 0.8, 1.1, 1.4])
@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_the_blur_of_markers_is_the_blur_of_the_picture(blur_px: float, noise: float) -> None:
    """Within 0.3 px, the pixel's own blur included, in a noisy picture too."""
    grey = picture(blur_px, noise=noise)
    read = blur_of(grey, MarkerReader(board_plan().dictionary).read(grey))
    assert read == pytest.approx(float(np.hypot(blur_px, 0.35)), abs=0.3)


def test_more_blur_reads_as_more() -> None:
    """The player turns the lens and watches the figure."""
    reader = ThoroughReader(board_plan().dictionary)
    pictures = [picture(blur_px) for blur_px in (0.4, 1.0, 2.0)]
    read = [blur_of(grey, reader.read(grey)) or 0.0 for grey in pictures]
    assert read == sorted(read)
    assert read[1] < MOST_BLUR_PX < read[2]


def test_a_picture_so_blurred_that_no_marker_is_read_still_tells_it() -> None:
    """That is the state in which the lens is screwed on."""
    sharp, blurred = picture(0.6), picture(9.0)
    assert not MarkerReader(board_plan().dictionary).read(blurred)
    assert (blur_of_picture(sharp) or 9.0) < MOST_BLUR_PX
    assert (blur_of_picture(blurred) or 0.0) > MOST_BLUR_PX


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_nothing_has_no_blur(level: int) -> None:
    """Nor one of noise alone."""
    flat = np.full((480, 640), level, np.uint8)
    noise = np.random.default_rng(1).normal(0, 3, flat.shape)
    assert blur_of_picture(flat) is None
    assert blur_of_picture(np.clip(flat + noise, 0, 255).astype(np.uint8)) is None
    assert blur_of(flat, []) is None


def test_a_marker_without_contrast_says_nothing() -> None:
    """One that was read in the dark, or lies beyond the picture's edge."""
    corners = np.array([(600.0, 440.0), (660.0, 440.0), (660.0, 500.0), (600.0, 500.0)])
    faint = MarkerSeen(1, "4X4_50", corners)
    assert blur_of(np.full((480, 640), 90, np.uint8), [faint]) is None
