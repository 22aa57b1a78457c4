"""A film or folder as the app's camera: at its own rate, on the app's clock."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import CameraError
from ui.demo.drawn import SteppedClock
from vision.camera.camera import open_camera
from vision.camera.frame import Frame
from vision.camera.source import LONGEST_WAIT_S, PlayedCamera, open_played

FPS = 10.0
START_S = 39_000.0


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Six frames at ten a second."""
    path = tmp_path / "cam.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (160, 120))
    for number in range(6):
        writer.write(np.full((120, 160, 3), 10 + 30 * number, np.uint8))
    writer.release()
    return path


def test_a_film_is_played_at_its_own_rate_on_the_clock(film: Path) -> None:
    """Each frame a tenth of a second after the one before, in the clock's seconds; then the end."""
    clock = SteppedClock(START_S)
    camera = PlayedCamera(open_camera(str(film)), clock=clock, wait=clock.wait)
    frames = list(iter(camera.read, None))
    assert [frame.number for frame in frames] == list(range(6))
    assert [frame.taken_at - START_S for frame in frames] == pytest.approx(
        [number / FPS for number in range(6)]
    )
    assert camera.read() is None
    assert (camera.name, camera.size_px, camera.live) == (film.name, (160, 120), False)


def test_a_slow_reader_misses_nothing_and_is_not_hurried(film: Path) -> None:
    """After a long look at one frame the next comes at once, and those after it in their time."""
    clock = SteppedClock(START_S)
    camera = PlayedCamera(open_camera(str(film)), clock=clock, wait=clock.wait)
    camera.read()
    clock.wait(5.0)
    times = [frame.taken_at - START_S for frame in iter(camera.read, None)]
    assert times == pytest.approx([5.0, 5.1, 5.2, 5.3, 5.4])


def test_a_frame_is_decoded_when_its_time_has_nearly_come(film: Path) -> None:
    """Not while the one before is still looked at: two would be in memory all the time."""
    clock, took_s = SteppedClock(START_S), 0.02
    opened = open_camera(str(film))
    begun: list[float] = []

    class SlowFilm:
        """The film, on a machine that needs a while for each frame."""

        name, size_px, live, close = opened.name, opened.size_px, False, opened.close

        def read(self) -> Frame | None:
            begun.append(clock() - START_S)
            clock.wait(took_s)
            return opened.read()

    camera = PlayedCamera(SlowFilm(), clock=clock, wait=clock.wait)
    times = [frame.taken_at - START_S for frame in iter(camera.read, None)]
    assert times == pytest.approx([took_s + number / FPS for number in range(6)])
    assert begun[2:6] == pytest.approx([time - took_s for time in times[2:]])


def test_nobody_is_held_for_long(tmp_path: Path) -> None:
    """Of a film with a frame a minute the next one comes after a second, and so does its end."""
    clock = SteppedClock(START_S)
    path = tmp_path / "slow.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 1 / 60, (160, 120))
    for _ in range(3):
        writer.write(np.full((120, 160, 3), 90, np.uint8))
    writer.release()
    camera = PlayedCamera(open_camera(str(path)), clock=clock, wait=clock.wait)
    frames = list(iter(camera.read, None))
    assert len(frames) == 3
    assert clock() - START_S <= 3 * LONGEST_WAIT_S


def test_a_picture_that_is_none_is_named_and_the_folder_goes_on(tmp_path: Path) -> None:
    """The error is the folder's own; the next call has the next picture."""
    for number in (1, 3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((120, 160), 90, np.uint8))
    (tmp_path / "2.png").write_bytes(b"no picture")
    clock = SteppedClock(START_S)
    camera = PlayedCamera(open_camera(str(tmp_path)), clock=clock, wait=clock.wait)
    first = camera.read()
    with pytest.raises(CameraError, match=r"2\.png"):
        camera.read()
    last = camera.read()
    assert first is not None
    assert last is not None
    assert last.taken_at - first.taken_at == pytest.approx(0.1)
    assert camera.read() is None
    camera.close()


def test_only_what_is_on_disk_is_played(film: Path, tmp_path: Path) -> None:
    """`open_played` plays files; what cannot be opened says so as ever."""
    camera = open_played(str(film))
    assert isinstance(camera, PlayedCamera)
    camera.close()
    with pytest.raises(CameraError, match="does not exist"):
        open_played(str(tmp_path / "none.avi"))
