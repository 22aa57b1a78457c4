"""`companion calibrate --lens`: from photographs of a calibration board, and before a camera."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.jaws_and_paws.boards import board_plan
from ui.terminal import calibrate as command
from ui.terminal.app import run
from vision.boards.lens import Lens
from vision.boards.lens_fit import PRINTED_DICTIONARY, PRINTED_SQUARES
from vision.camera.camera import Camera
from vision.camera.frame import Frame, GreyImage
from vision.markers.dictionaries import load_dictionary
from vision.table_file.reading import load_table


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Calibrate; the exit status, what was said, and what was complained of."""
    status = run(["calibrate", *map(str, words)])
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.mark.slow
def test_a_lens_is_measured_from_photographs_and_kept(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its error is shown; it is written where the table's box is known."""
    out = tmp_path / "table.toml"
    arguments = ("--lens", photos / "calibration", "--target", "8x8", "--square-mm", 25.4)
    status, told, _ = call(capsys, *arguments)
    assert "lens: 0.69 px rms over 14 views (at most 0.70)" in told
    assert "Nothing was kept; to keep it: companion calibrate --lens SOURCE --out" in told
    assert (status, out.exists()) == (0, False)
    whole = (*arguments, "--out", out, "--box", "jaws-and-paws", "--json")
    status, told, _ = call(capsys, *whole)
    assert status == 0
    assert json.loads(told.splitlines()[0])["lens"]["rms_px"] <= 0.70
    assert "rms_px = 0.691" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "new.toml"), "there is no such table yet; name its box with --box"),
        (("--out", "torn.toml"), "torn.toml: this is no TOML"),
        (("--out", "jaws.toml", "--box", "dogfight-1917"), "is the table of jaws-and-paws"),
        (("--out", "none/table.toml", "--box", "jaws-and-paws"), "there is no folder none"),
        (("usb", "--out", "torn.toml"), "torn.toml: this is no TOML"),
        (("nothing.mp4", "--out", "new.toml"), "nothing.mp4"),
    ],
)
def test_what_can_be_known_before_a_lens_is_measured_is_told_before(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It takes minutes, with a board in hand: nobody measures for nothing."""
    monkeypatch.chdir(tmp_path)
    Path("torn.toml").write_text("box = ", "utf-8")
    Path("jaws.toml").write_text('box = "jaws-and-paws"\n', "utf-8")
    monkeypatch.setattr(command, "LensViews", None)  # whoever begins to measure fails
    status, told, complaint = call(capsys, *words, "--lens", tmp_path)
    assert (status, told) == (2, "")
    assert said in complaint


class HeldSheet:
    """A camera before which somebody holds our calibration board, a moment in each place."""

    live, name, size_px = True, "usb-Held-index0", (1280, 720)
    lens = Lens((1280, 720), (1050.0, 1050.0), (645.0, 352.0), (-0.09, 0.02, 0.0, 0.0, 0.0))

    def __init__(self, places: int) -> None:
        sheet = cv2.aruco.CharucoBoard(
            PRINTED_SQUARES, 25.0, 18.0, load_dictionary(PRINTED_DICTIONARY).codes
        )
        self._sheet = np.asarray(sheet.generateImage((1000, 600)), np.uint8)
        self._flat = Lens(self.size_px, self.lens.focal_px, self.lens.centre_px)
        self._bend = self._where_straight()
        self._frames = iter([view for number in range(places) for view in self._held(number)])

    def _held(self, number: int) -> list[Frame]:
        """Twice the same picture, the second a little later."""
        picture = self._drawn(number)
        return [Frame(picture, number / 10 + part / 20, 2 * number + part) for part in (0, 1)]

    def _drawn(self, number: int) -> GreyImage:
        turn = 0.45 * np.array([math.cos(2.4 * number), math.sin(2.4 * number), 0.3])
        place = np.array([(number % 4 - 1.5) * 90.0, (number // 4 % 3 - 1.0) * 85.0, 520.0])
        corners = np.array([(0, 0, 0), (250, 0, 0), (250, 150, 0), (0, 150, 0)]) - (125.0, 75.0, 0)
        flat = self._flat
        pixels, _ = cv2.projectPoints(corners, turn, place, flat.matrix, flat.coefficients)
        dots = np.array([(0, 0), (1000, 0), (1000, 600), (0, 600)], np.float32) - np.float32(0.5)
        motion = cv2.getPerspectiveTransform(dots, pixels.reshape(4, 2).astype(np.float32))
        straight = cv2.warpPerspective(self._sheet, motion, self.size_px, borderValue=(120,))
        bent = cv2.remap(straight, *self._bend, cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(bent, (0, 0), 0.7), np.uint8)

    def _where_straight(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Where a lens without bend sees what each pixel of this one does; smooth, so by eights."""
        width, height = self.size_px
        across, down = np.meshgrid(np.arange(0, width + 8, 8.0), np.arange(0, height + 8, 8.0))
        coarse = np.column_stack([across.ravel(), down.ravel()])
        seen = self._flat.pictured(self.lens.rays(coarse)).reshape(*across.shape, 2)
        xs, ys = np.meshgrid(np.arange(width) / 8.0, np.arange(height) / 8.0)
        at = (xs.astype(np.float32), ys.astype(np.float32))
        fine = cv2.remap(seen.astype(np.float32), *at, cv2.INTER_LINEAR)
        return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])

    def read(self) -> Frame | None:
        return next(self._frames, None)

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.slow
def test_a_lens_is_measured_before_a_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says where to hold the board next, and is found again to half a percent."""
    out = tmp_path / "table.toml"

    def opened(source: str, *, size_px: tuple[int, int]) -> Camera:
        return HeldSheet(places=12)

    monkeypatch.setattr(command, "open_camera", opened)
    monkeypatch.setattr(command, "LENS_S", 20.0)
    words = ("--lens", "usb", "--out", out, "--box", "jaws-and-paws")
    status, told, _ = call(capsys, *words)
    assert status == 0
    assert "0 views. Hold the calibration board before the camera" in told
    assert "Move the calibration board to the" in told
    lens = load_table(out, {"jaws-and-paws": board_plan}).lens
    assert lens is not None
    assert lens.camera == HeldSheet.name
    assert lens.focal_px == pytest.approx(HeldSheet.lens.focal_px, rel=0.005)
    assert lens.rms_px < 0.4
