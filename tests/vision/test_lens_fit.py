"""A lens measured: on real photographs, on drawn views, and refused where it cannot be had."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall, CameraError
from vision.boards.lens import Lens
from vision.boards.lens_fit import (
    LEAST_VIEWS,
    MOST_RMS_PX,
    WANTED_VIEWS,
    CharucoBoard,
    Checkerboard,
    LensTarget,
    LensViews,
    TargetView,
    target_of,
)
from vision.camera.frame import Frame, GreyImage
from vision.camera.pictures import PictureFolder, read_picture

SIZE = (1280, 720)


class KnownBoard(LensTarget):
    """A sheet whose corners are handed in: what a perfect finder would report."""

    def __init__(self, views: Sequence[TargetView | None]) -> None:
        super().__init__((10, 6), 25.0)
        self._views = iter(views)

    def find(self, grey: GreyImage) -> TargetView | None:
        return next(self._views)


def frame(number: int = 0, size_px: tuple[int, int] = SIZE) -> Frame:
    return Frame(np.zeros(size_px[::-1], np.uint8), number / 20, number)


def shown(
    lens: Lens, tilt_deg: float, about: float, at_mm: tuple[float, float], noise: float, seed: int
) -> TargetView:
    """A sheet held under a lens: tilted about an axis in its plane, half a metre away."""
    sheet = CharucoBoard()
    corners = sheet._corners_mm
    solid = np.column_stack([corners - corners.mean(axis=0), np.zeros(len(corners))])
    turn = math.radians(tilt_deg) * np.array([math.cos(about), math.sin(about), 0.0])
    place = np.array([*at_mm, 500.0])
    pixels, _ = cv2.projectPoints(solid, turn, place, lens.matrix, lens.coefficients)
    chance = np.random.default_rng(seed)
    noisy = pixels.reshape(-1, 2) + chance.normal(0, noise, (len(corners), 2))
    return TargetView(lens.size_px, corners, np.asarray(noisy, np.float64))


def views_of(
    lens: Lens, tilt_deg: float = 25.0, noise: float = 0.05, count: int = 12
) -> list[TargetView]:
    """A dozen views all over the picture, each tilted another way."""
    places = [(x, y) for x in (-190.0, 0.0, 190.0) for y in (-90.0, 0.0, 90.0, 20.0)]
    return [
        shown(lens, tilt_deg, 2.4 * number, places[number % 12], noise, number)
        for number in range(count)
    ]


def fitted(views: Sequence[TargetView | None]) -> LensViews:
    gathered = LensViews(KnownBoard(views))
    for number in range(len(views)):
        gathered.look(frame(number))
    return gathered


@given(
    focal=st.floats(0.7, 1.3),  # wider ones bent as strongly all but fold the picture's corners
    k1=st.floats(-0.2, 0.08),
    centre=st.tuples(st.floats(-15, 15), st.floats(-15, 15)),
)
def test_a_lens_is_found_again(focal: float, k1: float, centre: tuple[float, float]) -> None:
    """To a fifth of a percent of its focal length, from views with the noise of a good picture."""
    true = Lens(
        SIZE,
        (focal * 1280, focal * 1280),
        (639.5 + centre[0], 359.5 + centre[1]),
        (k1, 0.01, 0.0, 0.0, 0.0),
    )
    fit = fitted(views_of(true)).fit()
    assert fit.lens.focal_px == pytest.approx(true.focal_px, rel=0.002)
    assert fit.lens.centre_px == pytest.approx(true.centre_px, abs=3.0)
    assert fit.lens.rms_px < 0.1
    rim = np.array([(40.0, 40.0), (1240.0, 40.0), (640.0, 680.0), (640.0, 360.0)])
    assert np.abs(fit.lens.pictured(true.rays(rim)) - rim).max() < 2.0
    assert not fit.lens.assumed
    assert fit.lens.distortion[2:] == (0.0, 0.0, 0.0)


@pytest.fixture
def checkerboards(photos: Path) -> PictureFolder:
    return PictureFolder.of_folder(photos / "calibration")


def frames_of(folder: PictureFolder) -> Iterator[Frame]:
    while (picture := folder.read()) is not None:
        yield picture


@pytest.mark.slow
def test_the_photographed_checkerboards_give_a_lens(checkerboards: PictureFolder) -> None:
    """At most 0.70 px rms with k1 and k2 alone, over all fourteen views."""
    views = LensViews(Checkerboard((8, 8), 25.4))
    assert all(views.look(one) for one in frames_of(checkerboards))
    fit = views.fit()
    print(f"\n{fit}")  # noqa: T201 - `make photos` shows it
    assert (fit.views, fit.dropped) == (14, 0)
    assert fit.lens.rms_px <= 0.70
    assert fit.lens.focal_px == pytest.approx((980.1, 949.0), rel=0.12)  # the makers' reference


def test_the_photographed_charuco_boards_give_a_lens(photos: Path) -> None:
    """Parts of the board will do; ten views leave a third of a pixel."""
    views = LensViews(target_of("charuco:8x8:4X4_50", 25.4))
    for path in sorted((photos / "markers").glob("charuco*")):
        grey = cv2.cvtColor(read_picture(path), cv2.COLOR_BGR2GRAY)
        views.look(Frame(np.asarray(grey, np.uint8), 0.0, 0, source=path.name))
    fit = views.fit()
    print(f"\n{fit}")  # noqa: T201 - `make photos` shows it
    assert (fit.views, fit.dropped) == (10, 0)
    assert fit.lens.rms_px < 0.35
    assert fit.focal_doubt < 0.005


def test_pictures_without_the_board_count_for_nothing(photos: Path) -> None:
    """Dice, or a board of other squares: the way out is named."""
    views = LensViews(Checkerboard((8, 8), 25.4))
    for path in sorted((photos / "dice").glob("*.jpg"))[:2]:
        grey = np.asarray(cv2.cvtColor(read_picture(path), cv2.COLOR_BGR2GRAY), np.uint8)
        assert not views.look(Frame(grey, 0.0, 0))
    with pytest.raises(CameraError, match=r"no checkerboard of 8 x 8 squares.*named with --target"):
        views.fit()


@pytest.mark.parametrize("tilt_deg", [0.0, 0.3, 2.0])
def test_a_sheet_that_was_never_tilted_is_refused(tilt_deg: float) -> None:
    """Straight from above a lens twice as long looks the same from twice as far."""
    flat = views_of(Lens.usual(SIZE), tilt_deg=tilt_deg, noise=0.3)
    with pytest.raises(CameraError, match=r"focal length cannot be told .* degrees: tilt"):
        fitted(flat).fit()


def test_a_sheet_that_is_not_flat_is_refused() -> None:
    """What is left over is more than 0.70 px rms."""
    lens = Lens.usual(SIZE)
    bent = [
        TargetView(SIZE, view.on_sheet_mm * (1.0 + 0.0006 * view.on_sheet_mm), view.in_picture_px)
        for view in views_of(lens)
    ]
    with pytest.raises(CameraError, match=r"leaves \d\.\d\d px rms, and 0\.70 is the most: glue"):
        fitted(bent).fit()


def test_one_bad_view_among_good_ones_is_left_out_and_told() -> None:
    """A hand moved while it was taken."""
    lens = Lens.usual(SIZE)
    good = views_of(lens)
    chance = np.random.default_rng(3)
    shaken = good[4].in_picture_px + chance.normal(0, 4.0, good[4].in_picture_px.shape)
    spoilt = [*good[:4], TargetView(SIZE, good[4].on_sheet_mm, shaken), *good[5:]]
    fit = fitted(spoilt).fit()
    assert (fit.views, fit.dropped) == (11, 1)
    assert "1 views were left out" in str(fit)
    assert fit.lens.rms_px < 0.1


def test_all_views_of_a_lens_are_of_one_size() -> None:
    """The message names both sizes."""
    small = shown(Lens.usual((640, 360)), 20.0, 0.0, (0.0, 0.0), 0.0, 1)
    gathered = LensViews(KnownBoard([views_of(Lens.usual(SIZE))[0], small]))
    gathered.look(frame())
    with pytest.raises(CameraError, match="is 640 x 360 and the pictures before are 1280 x 720"):
        gathered.look(frame(1, (640, 360)))


def test_a_few_views_are_not_enough() -> None:
    """And what to do next is said."""
    with pytest.raises(CameraError, match=f"seen in {LEAST_VIEWS - 1} different places"):
        fitted(views_of(Lens.usual(SIZE), count=LEAST_VIEWS - 1)).fit()


def test_in_a_film_a_view_counts_when_the_sheet_is_held_still() -> None:
    """Not while it moves, and not a second time in the same place."""
    first, second, *_ = views_of(Lens.usual(SIZE), noise=0.0)
    seen = [first, first, first, None, second, second, second]
    gathered = LensViews(KnownBoard(seen), live=True)
    kept = [gathered.look(frame(number)) for number in range(len(seen))]
    assert kept == [False, True, False, False, False, True, False]


def test_the_advice_leads_all_over_the_picture() -> None:
    """First hold it up, then where no corner was seen yet, then tilt; then it is enough."""
    gathered = LensViews(KnownBoard(views_of(Lens.usual(SIZE))))
    told = [gathered.advice]
    for number in range(WANTED_VIEWS):
        gathered.look(frame(number))
        told.append(gathered.advice)
    assert told[0].startswith("Hold the calibration board")
    assert "Move the calibration board to the" in told[1]
    assert told[-1].startswith("Tilt")
    assert gathered.enough


@pytest.mark.parametrize(
    ("words", "square_mm", "said"),
    [
        ("chess", None, "'chess' is no calibration board: write charuco"),
        ("8x", None, "is no calibration board"),
        ("2x2", None, "2 x 2 squares is none: 3 to 40"),
        ("charuco:8x8:4X4_49", None, "no marker dictionary '4X4_49'"),
        ("charuco:20x20:4X4_50", None, "need 200 markers, and 4X4_50 has 50"),
        ("8x8", 0.0, "squares of 0 mm: write their side in mm"),
    ],
)
def test_a_target_that_is_none_is_refused(words: str, square_mm: float | None, said: str) -> None:
    """What may be written stands in the message."""
    with pytest.raises(BadCall, match=said):
        target_of(words, square_mm)


@pytest.mark.parametrize("make", [CharucoBoard, lambda: Checkerboard((10, 6), 25.0)])
def test_an_empty_picture_shows_no_board(make: Callable[[], LensTarget]) -> None:
    """Nor does a black one."""
    assert make().find(np.zeros((720, 1280), np.uint8)) is None


def test_the_limit_is_the_one_that_is_promised() -> None:
    """0.70 px: a lens that leaves more is refused."""
    assert MOST_RMS_PX == 0.70
