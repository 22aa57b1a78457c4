"""`companion see --dice`: the size of dice is told, found by a board, or asked for."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import BadCall
from tests.vision.throws import Arranged, Shown, flat, how_it_hangs, leaning, whole
from ui.terminal.camera import DiceSize, see
from vision.drawing.dice import DIE_MM


@pytest.mark.parametrize(
    ("die_mm", "px_per_mm"),
    [(2.0, 0.0), (80.0, 0.0), (float("nan"), 0.0), (16.0, 0.2), (16.0, -3.0), (16.0, float("inf"))],
)
def test_a_size_that_cannot_be_read_is_refused(die_mm: float, px_per_mm: float) -> None:
    """With the option's name and the limit."""
    with pytest.raises(BadCall, match=r"--(die-mm|px-per-mm) .*(5 to 50|it takes 12)"):
        DiceSize(die_mm, px_per_mm)


@pytest.mark.parametrize("tilt_deg", [-1.0, 46.0, float("nan"), float("inf")])
def test_a_tilt_at_which_no_dice_are_told_is_refused(tilt_deg: float) -> None:
    with pytest.raises(BadCall, match=r"--tilt .*from 0 \(straight down\) to 45 degrees"):
        DiceSize(16.0, 2.0, tilt_deg)


def drawn_dice(path: Path, arranged: Arranged) -> tuple[float, float, list[int]]:
    """A picture of drawn dice before a slanted camera: px a mm, tilt and what the dice show."""
    shown = Shown("720p", ("wood",), 1, (25.0, 30.0), untold=True)
    chance = np.random.default_rng(56_000_009)
    tray = shown.tray(56_000_009, chance)
    dice = arranged(tray, chance)
    frame = whole(tray.taken(tray.still(dice)), (1280, 720), 0)
    cv2.imwrite(str(path), np.asarray(frame.colour))
    die_px, tilt_deg = how_it_hangs(tray.optics)
    return die_px / DIE_MM, tilt_deg, sorted(die.value for die in dice)


def test_slanted_dice_with_no_board_are_told_of_who_tells_the_tilt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kept picture keeps it."""
    path, kept = tmp_path / "dice.png", tmp_path / "kept"
    px_per_mm, tilt_deg, shown = drawn_dice(path, flat)
    assert see(str(path), px_per_mm=px_per_mm, tilt=tilt_deg, keep=kept, whole=True, json=True) == 0
    said = capsys.readouterr()
    assert sorted(die["value"] for die in json.loads(said.out)["dice"]) == shown
    assert "--tilt" not in said.err
    assert see(str(kept)) == 0
    assert "All of it was told so" in capsys.readouterr().out


@pytest.mark.slow
def test_slanted_dice_with_no_board_are_told_without_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dice.png"
    px_per_mm, _, shown = drawn_dice(path, flat)
    assert see(str(path), px_per_mm=px_per_mm, json=True) == 0
    said = capsys.readouterr()
    assert sorted(die["value"] for die in json.loads(said.out)["dice"]) == shown
    assert "--tilt" not in said.err


@pytest.mark.slow
def test_of_dice_in_doubt_the_way_out_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dice that are cocked before a slanted camera."""
    path = tmp_path / "dice.png"
    px_per_mm, _, _ = drawn_dice(path, leaning(20.0, 35.0))
    assert see(str(path), px_per_mm=px_per_mm, json=True) == 0
    said = capsys.readouterr()
    assert None in [die["value"] for die in json.loads(said.out)["dice"]]
    assert "--tilt" in said.err


def test_a_tilt_alone_asks_for_dice_and_names_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "none.png"), np.full((120, 160), 120, np.uint8))
    assert see(str(tmp_path / "none.png"), tilt=20.0) == 1
    assert "--px-per-mm" in capsys.readouterr().out
    assert see(str(tmp_path / "none.png"), px_per_mm=2.0) == 1
    assert "--tilt" in capsys.readouterr().out
    assert see(str(tmp_path / "none.png"), px_per_mm=2.0, tilt=20.0) == 1
    assert "--tilt" not in capsys.readouterr().out


def test_dice_with_no_board_need_their_px(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture of one die and no board: without its px the way out is told, with it it is read."""
    grey = np.full((120, 160), 120, np.uint8)
    cv2.rectangle(grey, (60, 40), (92, 72), 235, -1)
    for x, y in ((68, 48), (84, 48), (68, 64), (84, 64)):
        cv2.circle(grey, (x, y), 3, 30, -1, cv2.LINE_AA)
    path = str(tmp_path / "die.png")
    cv2.imwrite(path, cv2.GaussianBlur(grey, (0, 0), 0.8))
    assert see(path, dice=True) == 1
    assert "--px-per-mm" in capsys.readouterr().out
    assert see(path, px_per_mm=2.0) == 0
    assert "dice 4" in capsys.readouterr().out
    cv2.imwrite(str(tmp_path / "none.png"), grey[:, :50])
    assert see(str(tmp_path), px_per_mm=2.0) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert "dice 4" in first
    assert "no die is found that is about 32 px wide" in second


def test_of_pictures_of_a_still_scene_is_not_said_that_they_never_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three alike are too few to settle, and of three that differ it is said."""
    for name in "abc":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((120, 160), 120, np.uint8))
    see(str(tmp_path))
    assert "never rest" not in capsys.readouterr().out
    for at, name in enumerate("abc"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((120, 160), 60 + 50 * at, np.uint8))
    see(str(tmp_path))
    assert "never rest" in capsys.readouterr().out


def test_how_dice_are_measured_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a folder too; a size of which no die is found is told as well. Both exit 1."""
    for name in "abc":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((120, 160), 120 + ord(name), np.uint8))
    assert see(str(tmp_path), dice=True) == 1
    out = capsys.readouterr().out
    assert out.count("measure one's side in the picture in px") == 1
    assert out.count("no board, as before") == 2
    assert see(str(tmp_path / "a.png"), px_per_mm=2.0) == 1
    assert "no die is found that is about 32 px wide" in capsys.readouterr().out


def test_frames_that_show_the_same_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A film in which nothing happens: its first frame, its states, and that it went on so."""
    film = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (160, 120))
    for _ in range(40):
        writer.write(np.full((120, 160, 3), 120, np.uint8))
    writer.release()
    assert see(film) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 6
    assert lines[-1].endswith("[39] the same to the end")
    assert see(film, json=True) == 0
    assert len(capsys.readouterr().out.splitlines()) == 40
