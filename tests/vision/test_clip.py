"""The clip of the last seconds: plays as fast as the table did, and is whole or is not there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import BadCall, RecordError
from vision.camera.frame import Frame, GreyImage
from vision.evidence import evidence as clip
from vision.evidence.evidence import Evidence, Still, write_clip


@pytest.fixture
def stills() -> tuple[Still, ...]:
    """Ten seconds, four stills each at first and every frame at last; brighter and brighter."""
    evidence = Evidence()
    for number in range(200):
        evidence.add(Frame(np.full((90, 160), number, np.uint8), number / 20, number))
    return evidence.between(0.0, 10.0)


def frames_of(path: Path) -> list[float]:
    film = cv2.VideoCapture(str(path))
    levels: list[float] = []
    while (read := film.read())[0]:
        levels.append(float(np.asarray(read[1]).mean()))
    return levels


def test_a_clip_plays_as_fast_as_the_table_did(stills: tuple[Still, ...], tmp_path: Path) -> None:
    """Ten steps a second, each the picture that stood then; nothing half-written is left."""
    path = write_clip(stills, tmp_path / "evidence" / "clip.avi")
    levels = frames_of(path)
    assert len(levels) == 100
    assert all(a <= b + 2 for a, b in pairwise(levels))
    assert abs(levels[50] - 100) <= 6
    assert [file.name for file in path.parent.iterdir()] == ["clip.avi"]


def test_a_single_still_is_a_clip_too(stills: tuple[Still, ...], tmp_path: Path) -> None:
    """A camera that came back just now."""
    assert len(frames_of(write_clip(stills[:1], tmp_path / "clip.avi"))) == 1


def test_pictures_of_another_size_go_in_as_well(stills: tuple[Still, ...], tmp_path: Path) -> None:
    """The camera was changed meanwhile."""
    evidence = Evidence()
    evidence.add(Frame(np.full((180, 320), 200, np.uint8), 10.5, 300))
    both = (*stills[-3:], *evidence.between(10.0, 11.0))
    assert abs(frames_of(write_clip(both, tmp_path / "clip.avi"))[-1] - 200) <= 6


def test_what_is_no_clip_is_refused(stills: tuple[Still, ...], tmp_path: Path) -> None:
    """Another ending, and no picture at all; nothing is written."""
    with pytest.raises(BadCall, match=r"kept as \.avi"):
        write_clip(stills, tmp_path / "clip.mp4")
    with pytest.raises(BadCall, match="no picture was kept"):
        write_clip((), tmp_path / "clip.avi")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told(
    stills: tuple[Still, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenCV writes less without a word; that is found out, and no half clip is left."""
    written = clip._film
    monkeypatch.setattr(clip, "_film", lambda s, path, fps: written(s[:4], path, fps) + 60)
    lost = r"of \d+ pictures are on the disk: the clip .*; make room"
    with pytest.raises(RecordError, match=lost):
        write_clip(stills, tmp_path / "clip.avi")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RecordError, match="could not be kept"):
        write_clip(stills, tmp_path / "file" / "clip.avi")


def test_a_still_is_decoded_once_however_long_it_stood(
    stills: tuple[Still, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four stills a second stand for ten steps: a Pi need not work each out again."""
    decoded: list[int] = []
    once = Still.decoded

    def counted(still: Still) -> GreyImage:
        decoded.append(still.number)
        return once(still)

    monkeypatch.setattr(Still, "decoded", counted)
    assert len(frames_of(write_clip(stills, tmp_path / "clip.avi"))) == 100
    assert len(decoded) == len(set(decoded)) + 1  # the first one's size is looked at before
