"""Rectangles of a picture: what lies in it of them, and how they lie to each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.camera.frame import GreyImage
from vision.markers.reading import Crop

crops = st.builds(
    Crop, st.integers(-60, 60), st.integers(-60, 60), st.integers(0, 90), st.integers(0, 90)
)


def pixels(crop: Crop, size: int = 200, off: int = 70) -> GreyImage:
    """A large page with the crop's own pixels set, its origin moved so that all of them fit."""
    page = np.zeros((size, size), np.uint8)
    page[crop.top + off : crop.bottom + off, crop.left + off : crop.right + off] = 1
    return page


@given(crop=crops)
def test_a_crop_of_a_picture_is_what_lies_inside(crop: Crop) -> None:
    """Each pixel that is in both, no other: nothing is wrapped round from the other side."""
    picture = np.random.default_rng(1).integers(0, 256, (40, 50), np.uint8)
    wanted = [
        picture[y, x]
        for y in range(max(0, crop.top), min(40, crop.bottom))
        for x in range(max(0, crop.left), min(50, crop.right))
    ]
    assert crop.of(picture).ravel().tolist() == wanted
    inside = crop.inside((50, 40))
    assert inside.width * inside.height == len(wanted)
    assert Crop(0, 0, 50, 40).holds(inside)


@given(one=crops, other=crops)
def test_crops_lie_to_each_other_as_their_pixels_do(one: Crop, other: Crop) -> None:
    """They touch where they have a pixel in common; joined, one holds both."""
    if one.width * one.height and other.width * other.height:
        first, second = pixels(one), pixels(other)
        assert one.touches(other) == other.touches(one) == bool((first & second).any())
        assert one.holds(other) == bool((first | second == first).all())
    joined = one.joined(other)
    assert joined.holds(one)
    assert joined.holds(other)
    assert one.grown(3) == Crop(one.left - 3, one.top - 3, one.width + 6, one.height + 6)
    assert one.scaled(4) == tuple(4 * side for side in one)
