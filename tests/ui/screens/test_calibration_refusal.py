"""What hinders a calibration stands on the screen in full, with a way out that is on the screen."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.errors import BadFile, CameraError
from companion.games.jaws_and_paws.boards import board_plan
from ui.scene.values import Mark
from ui.screens.beside.table_check import calibration_refusal
from ui.table.calibration import NO_PICTURE, CalibrationState, EyesState
from vision.boards.calibrating import BoardCheck, Calibrating, Progress, Quality, Stage
from vision.boards.place import check_camera
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.table_file.reading import MEND


def told(eyes: EyesState) -> tuple[str, str]:
    refusal = calibration_refusal(eyes)
    assert refusal is not None
    assert (refusal.mark, refusal.code) == (Mark.WARN, "CALIBRATION")
    return refusal.text, refusal.way_out


def refused(made_with: str, size: tuple[int, int], camera: str, seen: tuple[int, int]) -> str:
    with pytest.raises(CameraError) as trouble:
        check_camera(made_with, size, camera, seen, "/home/club/table.toml")
    return str(trouble.value)


def test_another_camera_is_named_with_the_key_that_mends_it() -> None:
    """No call of a terminal, no long path: the file's name, both cameras, three ways out."""
    why = refused("usb-A-index0", (1280, 720), "usb-B-index0", (1280, 720))
    assert told(EyesState(trouble=why)) == (
        "table.toml was calibrated with the camera usb-A-index0, and this is usb-B-index0.",
        "Plug that one in, or tap Calibrate, or take table.toml away.",
    )


def test_another_size_of_picture_is_named_with_both_sizes() -> None:
    why = refused("usb-A", (1280, 720), "usb-A", (1920, 1080))
    text, way_out = told(EyesState(trouble=why))
    assert text == "table.toml was calibrated at 1280 x 720 and the pictures are 1920 x 1080."
    assert way_out.startswith("Let the camera give 1280 x 720, or tap Calibrate")


def test_a_file_that_is_torn_is_named_with_its_line() -> None:
    """Its line and key in full, then what to do with it."""
    wrong = BadFile("/home/club/table.toml", "line 18, lens.size_px", f"is missing; {MEND}")
    assert told(EyesState(trouble=str(wrong))) == (
        "table.toml: line 18, lens.size_px: is missing.",
        "Mend it there, or take the file away and calibrate anew.",
    )
    wrong = BadFile("/home/club/table.toml", "line 3, boards.Map", "no such board; one of: Field")
    text, way_out = told(EyesState(trouble=str(wrong)))
    assert text == "table.toml: line 3, boards.Map: no such board."
    assert way_out.startswith("One of: Field. Mend it there, or take the file away")


@pytest.mark.parametrize(("trouble", "text", "way_out"), [
    (NO_PICTURE, "The camera gives no picture.",
     "Look at its line here, then calibrate again."),
    ("The disk is full.", "The disk is full.", "Then tap Calibrate."),
    ("there is nothing to calibrate: It is dark.", "There is nothing to calibrate.",
     "It is dark. Then tap Calibrate."),
])  # fmt: skip
def test_what_ended_a_calibration_is_told(trouble: str, text: str, way_out: str) -> None:
    run = CalibrationState(running=False, trouble=trouble)
    assert told(EyesState(run=run)) == (text, way_out)


def test_a_board_that_is_not_seen_is_told_while_it_runs_and_after() -> None:
    """With what to do about it."""
    missing = BoardCheck("Jaws Pilot View", 1, 4, Quality.MISSING, None, None, "It needs 3.")
    running = Progress(Stage.STEADYING, str(missing), 30, (missing,))
    ended = Progress(Stage.POOR, f"5 of 6 boards are known. {missing}", 60, (missing,))
    wanted = ("Jaws Pilot View: 1 of 4 corner markers seen.", "It needs 3.")
    assert told(EyesState(run=CalibrationState(running=True, progress=running))) == wanted
    after = CalibrationState(running=False, kept=True, progress=ended)
    assert told(EyesState(run=after)) == wanted


def test_darkness_is_told_while_it_runs() -> None:
    """The calibration's own words, of a picture that is black."""
    progress = Calibrating(board_plan()).look(Frame(np.zeros((720, 1280), np.uint8), 0.0, 0))
    text, way_out = told(EyesState(run=CalibrationState(running=True, progress=progress)))
    assert text == "The picture is dark."
    assert way_out == "Switch a light on, or open the camera's lid. It goes on by itself."


@pytest.mark.slow
def test_nothing_is_refused_while_all_is_well() -> None:
    """Neither before, nor while it only needs a moment, nor when every board is known."""
    table = SimulatedTable(board_plan(), 5, look=PictureLook(noise=1.0))
    calibrating = Calibrating(board_plan())
    progress = calibrating.look(table.read())
    assert calibration_refusal(None) is None
    assert calibration_refusal(EyesState()) is None
    assert calibration_refusal(EyesState("2026-11-21", 6)) is None
    running = CalibrationState(running=True, progress=progress)
    assert calibration_refusal(EyesState(run=running)) is None
    while not progress.stage.over:
        progress = calibrating.look(table.read())
    assert progress.stage is Stage.READY
    ended = CalibrationState(running=False, kept=True, progress=progress)
    assert calibration_refusal(EyesState(run=ended)) is None
