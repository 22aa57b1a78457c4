"""Which markers for which camera: sizes that are read, and cameras that will not do."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.core.errors import BadCall
from companion.games import RULEBOOKS
from companion.games.jaws_and_paws.boards import board_plan
from ui.terminal.setting_up import plan_of
from vision.camera.frame import GreyImage
from vision.markers.choice import CAMERAS, GOOD_PX, LEAST_PX, Scale, sized_for, sizes_of
from vision.markers.dictionaries import MarkerDictionary, load_dictionary
from vision.markers.reading import MarkerReader

Signs = NDArray[np.float32]
OURS = "ARUCO_MIP_36h12"
RIM_CELLS = 2


@pytest.mark.parametrize("box", RULEBOOKS)
@pytest.mark.parametrize(
    ("camera", "field_cm", "px_per_mm"),
    [
        ("720p", (60, 60), 1.2),
        ("720p", (90, 60), 1.2),
        ("1080p", (60, 60), 1.8),
        ("1080p", (90, 60), 1.8),
        ("1080p", (90, 90), 1.2),
    ],
)
def test_the_usual_cameras_over_the_usual_tables(
    box: str, camera: str, field_cm: tuple[int, int], px_per_mm: float
) -> None:
    """Every marker of every box is large enough, and none larger than need be."""
    scale = Scale.of_field(CAMERAS[camera], (field_cm[0] * 10.0, field_cm[1] * 10.0))
    assert scale.px_per_mm == pytest.approx(px_per_mm)
    own, plan = plan_of(box), sized_for(plan_of(box), scale)
    assert all(size.side_px >= GOOD_PX for size in sizes_of(plan, scale))
    for token, before in zip(plan.tokens, own.tokens, strict=True):
        assert before.side_mm <= token.side_mm <= 32.0
        assert token.side_mm == before.side_mm or before.side_mm * px_per_mm < GOOD_PX


@pytest.mark.parametrize("box", RULEBOOKS)
def test_too_few_pixels_ask_for_a_better_camera(box: str) -> None:
    """720 lines over 90 x 90 cm: markers would hide the spaces around them."""
    scale = Scale.of_field(CAMERAS["720p"], (900.0, 900.0))
    with pytest.raises(BadCall, match=r"0\.80 px a mm, .* need 35 mm .*1080p.* are needed"):
        sized_for(plan_of(box), scale)


@given(st.floats(0.2, 6.0))
def test_any_scale_gives_readable_markers_or_a_refusal(px_per_mm: float) -> None:
    """Never markers that are too small, and the plan is otherwise the same."""
    plan, scale = board_plan(), Scale(px_per_mm, "a camera")
    try:
        sized = sized_for(plan, scale)
    except BadCall:
        assert px_per_mm < 1.0
        return
    assert all(size.will_do and size.side_px >= LEAST_PX for size in sizes_of(sized, scale))
    assert [replace(token, side_mm=25.0) for token in sized.tokens] == list(plan.tokens)


def test_what_is_said_of_a_size() -> None:
    """Good, enough, or too small."""
    told = [str(size) for size in sizes_of(board_plan(), Scale(1.15, "so"))]
    assert told == ["corner markers: 28 mm are 32 px, good", "tokens: 25 mm are 29 px, enough"]
    (_, tokens) = sizes_of(board_plan(), Scale(1.0, "so"))
    assert str(tokens) == "tokens: 25 mm are 25 px, too small"
    assert not tokens.will_do


# -- why this dictionary, and why these sizes ------------------------------------------------------


def sheet(
    codes: MarkerDictionary, ids: np.ndarray, side_px: float, blur_px: float, seed: int
) -> GreyImage:
    """Markers with a rim of two cells on grey, any way round, drawn four times as fine."""
    fine, chance = 4, np.random.default_rng(seed)
    pitch, columns = int(side_px * 2.2) + 16, 8
    height, width = -(-len(ids) // columns) * pitch, columns * pitch
    large = np.full((height * fine, width * fine), 120.0, np.float32)
    for number, marker in enumerate(ids.tolist()):
        middle = fine * (np.array([number % columns, number // columns]) + 0.5) * pitch
        _paste(large, codes, marker, middle + chance.uniform(-fine, fine, 2), fine * side_px,
               chance.uniform(0, 2 * np.pi))  # fmt: skip
    small = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    noisy = cv2.GaussianBlur(small, (0, 0), blur_px) + chance.normal(0, 2.5, small.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _paste(
    onto: np.ndarray, codes: MarkerDictionary, marker: int, middle: np.ndarray, side: float,
    turn: float,
) -> None:  # fmt: skip
    tile = np.full((codes.cells + 2 * RIM_CELLS,) * 2, 255, np.uint8)
    tile[RIM_CELLS:-RIM_CELLS, RIM_CELLS:-RIM_CELLS] = codes.picture(marker, codes.cells)
    tile = np.kron(tile, np.ones((16, 16), np.uint8))
    scale = side / (codes.cells * 16)
    cos, sin, half = np.cos(turn) * scale, np.sin(turn) * scale, tile.shape[0] / 2
    shift = middle - np.array([[cos, -sin], [sin, cos]]) @ (half, half)
    motion = np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]]])
    grey = np.where(tile > 127, 225.0, 30.0).astype(np.float32)
    cv2.warpAffine(grey, motion, onto.shape[::-1], dst=onto, borderMode=cv2.BORDER_TRANSPARENT)


def found_share(name: str, side_px: float, blur_px: float, sheets: int) -> tuple[float, int]:
    """The share of markers that are found, and how many were read as another."""
    codes = load_dictionary(name)
    reader, right, wrong, drawn = MarkerReader(codes), 0, 0, 0
    for seed in range(sheets):
        ids = np.random.default_rng(seed).permutation(min(50, codes.size))[:32]
        seen = [marker.id for marker in reader.read(sheet(codes, ids, side_px, blur_px, seed))]
        right += len(set(seen) & set(ids.tolist()))
        wrong += len(seen) - len(set(seen) & set(ids.tolist()))
        drawn += len(ids)
    return right / drawn, wrong


@pytest.mark.slow
def test_markers_of_the_least_side_are_found_a_little_out_of_focus() -> None:
    """Of 28 px 97 in 100 at the least and of 32 px 99, at a blur of 1.0; none as another."""
    for side_px, least in ((LEAST_PX, 0.97), (GOOD_PX, 0.99)):
        share, wrong = found_share(OURS, side_px, 1.0, sheets=6)
        assert share >= least
        assert wrong == 0


def all_codes(codes: MarkerDictionary) -> Signs:
    """Every code in each of its four turns, black -1 and white 1, [4 n, cells]."""
    inner = [codes.picture(number, codes.cells)[1:-1, 1:-1] for number in range(codes.size)]
    turned = [np.rot90(cells, turns).ravel() for cells in inner for turns in range(4)]
    return np.where(np.stack(turned) > 127, np.float32(1), np.float32(-1))


def corrected_bits(codes: MarkerDictionary) -> int:
    """How many wrong cells the detector forgives, by its own default rate."""
    rate = cv2.aruco.DetectorParameters().errorCorrectionRate
    return int(codes.codes.maxCorrectionBits * rate)


def chance_hits(name: str, tried: int, seed: int) -> int:
    """How many squares of random cells, black border and all, are taken for a marker."""
    codes = load_dictionary(name)
    known, chance = all_codes(codes), np.random.default_rng(seed)
    squares = chance.choice(np.array([-1, 1], np.float32), (tried, known.shape[1]))
    nearest = (known.shape[1] - (squares @ known.T).max(axis=1)) / 2
    return int((nearest <= corrected_bits(codes)).sum())


def least_distance(name: str) -> int:
    """In how many cells the two codes differ that are most alike, in any turn."""
    known = all_codes(load_dictionary(name))
    alike = (known.shape[1] - known[::4] @ known.T) / 2
    for number in range(len(known) // 4):
        alike[number, 4 * number : 4 * number + 4] = known.shape[1]
    return int(alike.min())


def test_random_squares_are_hardly_ever_taken_for_one_of_ours() -> None:
    """Of 20,000 with any cells at all; the small codes take ten times as many and more."""
    ours, small = (chance_hits(name, 20_000, seed=7) for name in (OURS, "4X4_50"))
    assert ours <= 6
    assert small >= 40


def test_no_two_of_ours_are_alike() -> None:
    """Twelve cells between any two: three misread ones are mended, nine more needed to mislead."""
    assert (least_distance(OURS), corrected_bits(load_dictionary(OURS))) == (12, 3)
    assert (least_distance("4X4_50"), least_distance("5X5_250")) == (4, 6)


@pytest.mark.soak
def test_the_table_of_dictionaries() -> None:
    """What `vision/README.md` quotes: found by side and blur, and taken for one by chance.

    Ours needs no more pixels than the small codes do, and is far harder to hit by chance.
    """
    shares: dict[tuple[str, float, float], float] = {}
    names = ("4X4_50", "5X5_250", "6X6_250", OURS, "APRILTAG_36h11")
    for name in names:
        for blur_px in (0.7, 1.0, 1.5):
            for side_px in (20, 24, 28, 32, 40):
                share, wrong = found_share(name, side_px, blur_px, sheets=8)
                shares[name, blur_px, side_px] = share
                assert wrong == 0
            row = " ".join(f"{100 * shares[name, blur_px, s]:4.0f}" for s in (20, 24, 28, 32, 40))
            print(f"{name:16} blur {blur_px} {row}")  # noqa: T201
        hits = chance_hits(name, 200_000, seed=1)
        print(f"{name:16} distance {least_distance(name)}, by chance {hits} of 200000")  # noqa: T201
    for blur_px in (0.7, 1.0):
        assert shares[OURS, blur_px, 28] >= shares["4X4_50", blur_px, 28] - 0.02
