"""Markers found in drawn pictures: rims, blur, crops, lists of ids, corners to a tenth of a px."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.camera.frame import GreyImage
from vision.markers.corners import sharpen
from vision.markers.dictionaries import load_dictionary
from vision.markers.reading import CornersPx, Crop, MarkerReader, ThoroughReader, read_each

FINE = 8
"""Scenes are drawn so many times larger and shrunk, as a sensor averages over a pixel."""


def scene(
    markers: dict[int, tuple[float, float, float, float]],
    *,
    dictionary: str = "4X4_50",
    rim_cells: float = 1.0,
    blur_px: float = 0.7,
    noise: float = 2.0,
    size_px: tuple[int, int] = (640, 480),
) -> tuple[GreyImage, dict[int, CornersPx]]:
    """Markers by id at (x, y) with a side, px, and a turn, degrees; and their true corners."""
    width, height = size_px
    page = np.full((height * FINE, width * FINE), 120, np.uint8)
    known, truth = load_dictionary(dictionary), dict[int, CornersPx]()
    for marker, (x, y, side, turn) in markers.items():
        truth[marker] = _square(x, y, side, turn)
        rim = _square(x, y, side * (1 + 2 * rim_cells / known.cells), turn)
        cv2.fillConvexPoly(page, np.round((rim + 0.5) * FINE).astype(np.int32), 235)
        _paste(page, known.picture(marker, known.cells * 16), truth[marker])
    sharp = cv2.resize(page, size_px, interpolation=cv2.INTER_AREA).astype(np.float64)
    soft = cv2.GaussianBlur(sharp, (0, 0), blur_px)
    noisy = soft + np.random.default_rng(len(markers)).normal(0, noise, soft.shape)
    return np.asarray(noisy.clip(0, 255).round(), np.uint8), truth


def _square(x: float, y: float, side: float, turn: float) -> CornersPx:
    angle, half = np.deg2rad(turn), side / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ matrix + (x, y), np.float64)


def _paste(page: GreyImage, picture: GreyImage, corners: CornersPx) -> None:
    side = picture.shape[0]
    source = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    goal = ((corners + 0.5) * FINE - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, goal)
    shape = (page.shape[1], page.shape[0])
    ink = cv2.warpPerspective(picture, warp, shape, flags=cv2.INTER_NEAREST, borderValue=255)
    inside = cv2.warpPerspective(
        np.full_like(picture, 255), warp, shape, flags=cv2.INTER_NEAREST, borderValue=0
    )
    page[inside > 0] = 20 + (ink[inside > 0] // 255) * 215


def grid(
    count: int, side: float, *, turned: float = 7.0
) -> dict[int, tuple[float, float, float, float]]:
    """Markers in rows, each turned a little further."""
    step = 2.2 * side
    columns = int(600 // step)
    return {
        n: (step * (0.7 + n % columns), step * (0.7 + n // columns), side, turned * n)
        for n in range(count)
    }


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("rim_cells", [1.0, 2.0])
@pytest.mark.parametrize("blur_px", [0.5, 1.0])
def test_markers_of_28_px_are_found(rim_cells: float, blur_px: float) -> None:
    """With a rim of one cell OpenCV's defaults lose up to a fifth of these."""
    picture, truth = scene(grid(24, 28.0), rim_cells=rim_cells, blur_px=blur_px)
    assert [marker.id for marker in MarkerReader("4X4_50").read(picture)] == sorted(truth)


@pytest.mark.parametrize(("side", "within_px"), [(28.0, 0.2), (40.0, 0.15), (60.0, 0.15)])
def test_corners_are_exact(side: float, within_px: float) -> None:
    """The marker's own top left first, clockwise, to a fraction of a pixel at any angle."""
    picture, truth = scene(grid(12, side, turned=31.0))
    seen = MarkerReader("4X4_50").read(picture)
    assert len(seen) == 12
    off_px = [np.linalg.norm(marker.corners_px - truth[marker.id], axis=1) for marker in seen]
    assert np.percentile(off_px, 95) < within_px


@given(turn=st.floats(0, 360), x=st.floats(60, 140), y=st.floats(60, 140))
def test_a_turned_picture_turns_the_corners(turn: float, x: float, y: float) -> None:
    """A quarter turn of the picture is a quarter turn of what is found, to a tenth of a pixel."""
    picture, _ = scene({3: (x, y, 40.0, turn)}, size_px=(200, 200))
    reader = MarkerReader("4X4_50")
    (seen,) = reader.read(picture)
    (turned,) = reader.read(np.ascontiguousarray(np.rot90(picture)))
    back = np.column_stack([199 - turned.corners_px[:, 1], turned.corners_px[:, 0]])
    assert np.abs(back - seen.corners_px).max() < 0.1


def test_a_crop_gives_what_the_whole_picture_gives() -> None:
    """Corners of a crop are those of the whole picture, even where it reaches over the edge."""
    picture, _ = scene({5: (45.3, 52.8, 30.0, 20.0), 6: (400.0, 300.0, 30.0, 0.0)})
    reader = MarkerReader("4X4_50")
    whole = reader.read(picture)[0]
    for crop in (Crop(10, 20, 80, 80), Crop(-30, -40, 130, 140)):
        (part,) = reader.read(picture, crop)
        assert part.id == 5
        assert np.abs(part.corners_px - whole.corners_px).max() < 0.05


@pytest.mark.parametrize("side_px", [120, 290, 310, 470])
def test_a_crop_of_any_size_shows_a_small_marker(side_px: int) -> None:
    """A board that was pushed is one large crop, and its corner markers are small in it."""
    picture, _ = scene({5: (60.3, 60.8, 24.0, 20.0)})
    (found,) = MarkerReader("4X4_50").read(picture, Crop(5, 5, side_px, side_px))
    assert found.id == 5


@pytest.mark.parametrize("crop", [Crop(900, 0, 50, 50), Crop(0, 0, 0, 0), Crop(-90, -90, 50, 50)])
def test_a_crop_beside_the_picture_holds_nothing(crop: Crop) -> None:
    """Neither an error nor a wrapped-around part of the picture."""
    picture, _ = scene({5: (300.0, 200.0, 30.0, 0.0)})
    assert MarkerReader("4X4_50").read(picture, crop) == ()
    assert ThoroughReader("4X4_50").read(picture, crop) == ()


def test_hundreds_of_markers_are_read_at_once() -> None:
    """More than 512, whose sides OpenCV would not sample in one go: a sheet of test codes."""
    count, columns, step, side = 540, 30, 44, 30
    known = load_dictionary("4X4_1000")
    page = np.full((count // columns * step + 20, columns * step + 20), 235, np.uint8)
    for marker in range(count):
        y, x = (step * at + 15 for at in divmod(marker, columns))
        page[y : y + side, x : x + side] = known.picture(marker, side)
    found = MarkerReader(known).read(page)
    assert [marker.id for marker in found] == list(range(count))
    places = np.array([divmod(marker.id, columns)[::-1] for marker in found]) * step + 14.5
    off_px = [marker.corners_px[0] for marker in found] - places
    assert np.abs(off_px).max() < 0.3


def test_ids_that_are_not_in_play_are_left_out() -> None:
    """The list of ids in play keeps chance hits away."""
    picture, _ = scene(grid(6, 36.0))
    assert [m.id for m in MarkerReader("4X4_50", ids={1, 4, 40}).read(picture)] == [1, 4]


def test_a_square_that_two_dictionaries_read_is_of_the_finer_one() -> None:
    """A code of 6 x 6 cells, 35 px wide, that is one of 4 x 4, too; side by side both stay."""
    marker = np.full((160, 160), 255, np.uint8)
    marker[48:112, 48:112] = load_dictionary("ARUCO_MIP_36h12").picture(21, 64)
    soft = cv2.GaussianBlur(marker, (0, 0), 1.0)
    small = np.asarray(cv2.resize(soft, (88, 88), interpolation=cv2.INTER_AREA), np.uint8)
    readers = [ThoroughReader("4X4_50"), ThoroughReader("ARUCO_MIP_36h12")]
    assert [[one.id for one in reader.read(small)] for reader in readers] == [[42], [21]]
    assert [one.id for one in read_each(readers, small)] == [21]
    other = np.full((88, 88), 255, np.uint8)
    other[26:62, 26:62] = load_dictionary("4X4_50").picture(7, 36)
    both = read_each(readers, np.hstack([small, other]))
    assert [(one.dictionary, one.id) for one in both] == [("4X4_50", 7), ("ARUCO_MIP_36h12", 21)]


@pytest.fixture(scope="module")
def soft() -> tuple[GreyImage, dict[int, CornersPx]]:
    """Small markers in a soft picture."""
    return scene(grid(24, 20.0), blur_px=1.0)


@pytest.mark.slow
def test_the_thorough_reader_finds_what_the_quick_one_misses(
    soft: tuple[GreyImage, dict[int, CornersPx]],
) -> None:
    """Small markers in a soft picture; none twice, none else."""
    picture, truth = soft
    quick = [marker.id for marker in MarkerReader("4X4_50").read(picture)]
    thorough = [marker.id for marker in ThoroughReader("4X4_50").read(picture)]
    assert len(quick) < len(thorough)
    assert thorough == sorted(set(thorough))
    assert set(thorough) <= set(truth)
    assert len(thorough) >= 22


def test_the_thorough_reader_takes_its_time_over_crops_too(
    soft: tuple[GreyImage, dict[int, CornersPx]],
) -> None:
    """What it finds in the whole it finds in crops, in order of ids, where the quick one does not.

    Whoever hands a reader on need not know which of the two it is.
    """
    picture, truth = soft
    crops = [
        Crop(int(x) - 20, int(y) - 20, 40, 40) for x, y, *_ in reversed(grid(24, 20.0).values())
    ]
    quick, thorough = MarkerReader("4X4_50"), ThoroughReader("4X4_50")
    found = thorough.read_crops(picture, crops)
    ids = [marker.id for marker in found]
    assert ids == sorted(set(ids))
    assert len(quick.read_crops(picture, crops)) < len(ids)
    assert len(ids) >= 22
    assert all(np.abs(one.corners_px - truth[one.id]).max() < 1.0 for one in found)


def test_corners_that_cannot_be_read_stay() -> None:
    """No edge near, or no marker at all: what came in goes out."""
    plain = np.full((100, 100), 128, np.uint8)
    corners = np.array([[(20.0, 20.0), (50.0, 20.0), (50.0, 50.0), (20.0, 50.0)]])
    assert (sharpen(plain, corners, 6) == corners).all()
    assert sharpen(plain, np.empty((0, 4, 2)), 6).shape == (0, 4, 2)


def test_no_corner_is_moved_far() -> None:
    """A guess that is off by a side's length is not dragged to some other edge."""
    picture, truth = scene({0: (100.0, 100.0, 40.0, 0.0)}, size_px=(200, 200))
    wrong = (truth[0] + (25.0, 0.0))[None]
    moved = np.abs(sharpen(picture, wrong, 6) - wrong).max()
    assert moved <= 6.0
