"""Pictures in the forms that drivers give: all the same grey, and colours where there are any."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import frame as raw_picture
from vision.camera.frame import Planes, Raw, Undeveloped, colour_of, grey_of

SIZE_PX = (160, 120)


def painted() -> NDArray[np.uint8]:
    """Broad patches of colour, so that halving the colours' size loses next to nothing."""
    patches = np.random.default_rng(4).integers(60, 200, (3, 4, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(patches, SIZE_PX, interpolation=cv2.INTER_CUBIC), np.uint8)


COLOUR = painted()
GREY = np.asarray(cv2.cvtColor(COLOUR, cv2.COLOR_BGR2GRAY), np.uint8)


def planes(padded_px: int) -> Planes:
    """As the Pi gives them: rows padded at the right, those of colours by half as much."""
    whole = np.asarray(cv2.cvtColor(COLOUR, cv2.COLOR_BGR2YUV_I420), np.uint8)
    width, height = SIZE_PX
    rows = np.full((height * 3 // 2, width + padded_px), 99, np.uint8)
    rows[:height, :width] = whole[:height]
    for number in range(2):  # half as wide and half as high, two to a row
        plane = whole[height:].reshape(2, height // 2, width // 2)[number]
        room = rows[height:].reshape(2, height // 2, (width + padded_px) // 2)
        room[number, :, : width // 2] = plane
    return Planes(rows, SIZE_PX)


def yuyv() -> Raw:
    """Brightness in each first byte, blue and red by turns in each second one."""
    whole = np.asarray(cv2.cvtColor(COLOUR, cv2.COLOR_BGR2YUV), np.uint8).astype(int)
    blue = (whole[:, ::2, 1] + whole[:, 1::2, 1]) // 2
    red = (whole[:, ::2, 2] + whole[:, 1::2, 2]) // 2
    raw = np.empty((*GREY.shape, 2), np.uint8)
    # of the full range, as webcams of JPEG have it, it is squeezed into 16 to 235 and 240
    raw[..., 0] = np.rint(16 + whole[..., 0] * 219 / 255)
    raw[:, ::2, 1] = np.rint(128 + (blue - 128) * 224 / 255 * 0.5 / 0.436)
    raw[:, 1::2, 1] = np.rint(128 + (red - 128) * 224 / 255 * 0.5 / 0.615)
    return raw


def jpeg(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes, as one row."""
    return np.frombuffer(cv2.imencode(".jpg", picture)[1].tobytes(), np.uint8)[None].copy()


FORMS: dict[str, Callable[[], Raw]] = {
    "colour": lambda: COLOUR,
    "jpeg": lambda: jpeg(COLOUR),
    "yuyv": yuyv,
    "planes": lambda: planes(0),
    "padded planes": lambda: planes(32),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_its_colours(form: str) -> None:
    """The same ones, but for what a JPEG or half a size takes away."""
    colour = Undeveloped(FORMS[form]())()
    assert colour is not None
    assert colour.shape == COLOUR.shape
    off = np.abs(colour.astype(int) - COLOUR)
    assert (np.median(off), np.percentile(off, 95)) <= (3, 14), form


@pytest.mark.parametrize("form", [*FORMS, "grey", "grey jpeg"])
def test_every_form_has_its_grey_picture(form: str) -> None:
    """Brightness as the driver has it; that of video bytes is narrower by a tenth."""
    raws: dict[str, Callable[[], Raw]] = {
        **FORMS,
        "grey": lambda: GREY,
        "grey jpeg": lambda: jpeg(GREY),
    }
    grey = grey_of(raws[form]())
    assert grey is not None
    assert grey.shape == GREY.shape
    assert np.corrcoef(grey.ravel(), GREY.ravel())[0, 1] > 0.998


def test_a_grey_picture_has_no_colours() -> None:
    """Nobody is told grey for a colour."""
    assert colour_of(GREY) is None


@pytest.mark.parametrize(
    "torn",
    [
        np.empty((1, 0), np.uint8),
        np.frombuffer(b"\xff\xd8\xff torn", np.uint8)[None],
        jpeg(COLOUR)[:, :40],
    ],
)
def test_a_torn_jpeg_is_no_picture(torn: Raw) -> None:
    """Webcams send one now and then."""
    assert grey_of(torn) is None
    assert colour_of(torn) is None


def test_a_jpeg_of_a_size_that_no_camera_has_is_torn() -> None:
    """OpenCV raises for a head that says so, where for all else it gives nothing."""
    broken = jpeg(COLOUR)
    at = bytes(broken).index(b"\xff\xc0") + 5
    broken[0, at : at + 4] = 255  # 65535 lines of 65535
    assert grey_of(broken) is None
    assert colour_of(broken) is None


def test_colours_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four boards of one table ask for the same picture."""
    asked: list[Raw] = []

    def counted(raw: Raw) -> NDArray[np.uint8]:
        asked.append(raw)
        return COLOUR

    monkeypatch.setattr(raw_picture, "colour_of", counted)
    undeveloped = Undeveloped(jpeg(COLOUR))
    assert undeveloped() is undeveloped() is COLOUR
    assert len(asked) == 1
