"""Films cut short anywhere: what they lack is told, and what there is of them is read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import CameraError
from ui.terminal.app import run
from vision.camera.frame import Frame
from vision.camera.pictures import VideoFile, missing_bytes

KINDS = {"avi": "MJPG", "mp4": "mp4v", "mkv": "MJPG"}
FRAMES = 30


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A film of each kind, by its ending."""
    folder, chance = tmp_path_factory.mktemp("films"), np.random.default_rng(3)
    made = dict[str, bytes]()
    for ending, codec in KINDS.items():
        path = folder / f"film.{ending}"
        code = cv2.VideoWriter.fourcc(*codec)
        writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, code, 20.0, (160, 120))
        for _ in range(FRAMES):
            specks = chance.integers(0, 255, (30, 40, 3), np.uint8)  # no two frames are alike
            writer.write(np.asarray(cv2.resize(specks, (160, 120)), np.uint8))
        writer.release()
        made[ending] = path.read_bytes()
    return made


@pytest.mark.parametrize("ending", KINDS)
def test_a_film_lacks_what_was_cut_off_and_nothing_else(
    ending: str, films: dict[str, bytes], tmp_path: Path
) -> None:
    """To the byte, wherever the cut is; of an MP4's parts only those that have begun are known."""
    whole, path = films[ending], tmp_path / f"film.{ending}"
    for cut in (0, 1, 2, 999, len(whole) // 2, len(whole) - 400):
        path.write_bytes(whole[: len(whole) - cut])
        missing = missing_bytes(path)
        assert missing == cut if ending != "mp4" else 0 <= missing <= cut
        assert bool(missing) == bool(cut)
    path.write_bytes(whole + b"a remark of some program")
    assert missing_bytes(path) == 0


@given(head=st.sampled_from([b"", b"RIFF", b"\0\0\0\x08ftyp", b"\x1aE\xdf\xa3", b"\0\0\0\1mdat"]),
       rest=st.binary(max_size=40))  # fmt: skip
def test_any_bytes_lack_something_or_nothing(
    head: bytes, rest: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever stands where lengths should: an answer, at once."""
    path = tmp_path_factory.getbasetemp() / "any.film"
    path.write_bytes(head + rest)
    assert missing_bytes(path) >= 0


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("ending", ["avi", "mkv"])
def test_a_film_that_lacks_only_its_end_is_torn(
    ending: str, films: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nearly all frames are there: they are read, then it is told once; `companion see` exits 1."""
    path = tmp_path / f"film.{ending}"
    path.write_bytes(films[ending][: round(0.97 * len(films[ending]))])
    camera, frames = VideoFile(path), list[Frame]()
    with pytest.raises(CameraError, match=r"lacks \d+ bytes at its end or more: it is torn; what"):
        frames.extend(iter(camera.read, None))
    assert len(frames) >= 0.9 * FRAMES
    assert camera.read() is None
    assert run(["see", str(path), "--dictionary", "4X4_50", "--json"]) == 1
    *_, last = said = capsys.readouterr().out.splitlines()
    assert "it is torn" in last
    assert len(said) == len(frames) + 1


@pytest.mark.parametrize("ending", KINDS)
def test_a_whole_film_is_not_torn(ending: str, films: dict[str, bytes], tmp_path: Path) -> None:
    """Every frame, then the end."""
    path = tmp_path / f"film.{ending}"
    path.write_bytes(films[ending])
    assert len(list(iter(VideoFile(path).read, None))) == FRAMES
