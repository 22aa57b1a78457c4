"""The stills that are filed with a ruling: there when asked for, in bounded memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import BadCall, RecordError
from vision.camera.frame import Frame
from vision.evidence.evidence import Evidence, Still, small_jpeg

SIZE = (90, 160)


def frame(number: int, *, level: int | None = None) -> Frame:
    """A frame of a film of 20 a second; its grey level tells its number."""
    grey = np.full(SIZE, (number * 5) % 250 if level is None else level, np.uint8)
    return Frame(grey, number / 20, number, np.zeros((*SIZE, 3), np.uint8))


def filled(frames: int, evidence: Evidence | None = None) -> Evidence:
    """Evidence of a film so long."""
    evidence = evidence or Evidence()
    for number in range(frames):
        evidence.add(frame(number))
    return evidence


def still_of(evidence: Evidence, at: float) -> Still:
    """The still at a moment, which must be there."""
    still = evidence.still_at(at)
    assert still is not None
    return still


def test_nothing_is_there_before_the_first_frame() -> None:
    """A match that begins without a camera has no stills, and that is no error."""
    assert Evidence().still_at(1.0) is None
    assert Evidence().between(0.0, 9.0) == ()


def test_the_frame_at_the_buzzer_is_there_exactly() -> None:
    """Of the last half second every frame is kept: the nearest one, to the frame."""
    evidence = filled(400)
    for number in range(389, 400):
        still = still_of(evidence, number / 20 + 0.02)
        assert still.number == number
        assert np.abs(still.decoded().astype(int) - (number * 5) % 250).max() <= 2


def test_older_moments_are_there_to_a_quarter_of_a_second() -> None:
    """Up to a minute back a few frames a second are kept."""
    evidence = filled(2400)
    for at in (60.5, 71.0, 80.3, 112.77):
        assert abs(still_of(evidence, at).taken_at - at) <= 0.13


def noisy(frames: int, evidence: Evidence, *, fps: float, moved: range = range(0)) -> Evidence:
    """Evidence of a film in a dark room, in which one token lies elsewhere at times."""
    chance = np.random.default_rng(3)
    for number in range(frames):
        grey = np.clip(chance.normal(120, 8, SIZE), 0, 255).astype(np.uint8)
        at = (40, 60) if number in moved else (40, 20)
        cv2.circle(grey, at, 6, 90, cv2.FILLED)
        evidence.add(Frame(grey, number / fps, number))
    return evidence


def test_moments_of_a_calm_table_share_their_pictures() -> None:
    """Where nothing but noise changes every moment is there still, in a quarter of the room."""
    evidence = noisy(1600, Evidence(newest=1), fps=20)
    kept = evidence.between(20.0, 79.9)
    assert len(kept) >= 230
    assert 25 <= len({id(still.kept) for still in kept}) <= 40
    shared = {id(still.kept): len(still.coded()) for still in evidence.between(0.0, 79.9)}
    assert evidence.bytes_kept == SIZE[0] * SIZE[1] + sum(shared.values())


def test_whatever_moves_on_a_calm_table_has_pictures_of_its_own() -> None:
    """A token that lies elsewhere for a third of a second, to a quarter of one."""
    evidence = noisy(800, Evidence(), fps=20, moved=range(403, 410))
    for still in evidence.between(15.0, 25.0):
        assert (still.decoded()[57:63, 37:43].mean() < 105) == (still.number in range(403, 410))
    assert any(still.number in range(403, 410) for still in evidence.between(15.0, 25.0))


def test_what_is_too_old_is_gone() -> None:
    """A moment before the ring began gives the oldest still, whose time says so."""
    assert 58.0 < still_of(filled(2400), 3.0).taken_at < 61.0


def test_memory_is_bounded() -> None:
    """Half an hour of noise, which no JPEG makes small, stays below what was allowed."""
    chance = np.random.default_rng(1)
    evidence = Evidence(most_bytes=200_000, newest=4)
    noise = [chance.integers(0, 255, SIZE, np.uint8) for _ in range(8)]
    for number in range(3000):
        evidence.add(Frame(noise[number % 8], number * 0.3, number))
        assert evidence.bytes_kept <= 200_000 + 4 * noise[0].nbytes
    assert evidence.bytes_kept > 50_000


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (3840, 2160)])
def test_a_minute_of_large_pictures_stays_in_bounds(width: int, height: int) -> None:
    """Of pictures that no JPEG makes small the whole minute is there, at longer steps."""
    chance = np.random.default_rng(2)
    noise = [chance.integers(90, 130, (height, width), np.uint8) for _ in range(3)]
    evidence = Evidence(every_s=1.0)
    for number in range(150):
        evidence.add(Frame(noise[number % 3], number / 2, number))
        assert evidence.bytes_kept <= 10_000_000 + max(4_000_000, width * height)
    stills = evidence.between(0.0, 75.0)
    assert stills[0].taken_at <= 22.0
    gaps = np.diff([still.taken_at for still in stills])
    assert gaps.max() <= 30.0
    assert (gaps > 0).all()


def test_more_than_all_room_keeps_nothing_older() -> None:
    """A bound that a single still exceeds is held all the same."""
    evidence = Evidence(most_bytes=10, newest=2)
    for number in range(20):
        evidence.add(frame(number))
        assert evidence.bytes_kept <= 2 * SIZE[0] * SIZE[1]


def test_a_clip_is_in_order() -> None:
    """All stills of a stretch of time, each once, the oldest first."""
    clip = filled(400).between(18.0, 19.9)
    numbers = [still.number for still in clip]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 398
    assert len(numbers) >= 12


@pytest.mark.parametrize("name", ["buzzer.png", "buzzer.jpg", "buzzer.JPEG"])
def test_a_still_is_saved_beside_the_record(tmp_path: Path, name: str) -> None:
    """In a folder made for it, readable as a picture, with no half-written file left."""
    still = still_of(filled(20), 0.5)
    path = still.save(tmp_path / "evidence" / name)
    kept = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    assert kept is not None
    assert np.abs(np.asarray(kept, int) - still.decoded()).max() <= 2
    assert [file.name for file in path.parent.iterdir()] == [name]


def test_another_ending_is_refused(tmp_path: Path) -> None:
    """The message says which endings there are; nothing is written."""
    with pytest.raises(BadCall, match=r"\.png"):
        still_of(filled(3), 0.0).save(tmp_path / "buzzer.gif")
    assert not list(tmp_path.iterdir())


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path) -> None:
    """The older still stays as it was, and the match can go on."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RecordError, match="could not be kept"):
        still_of(filled(3), 0.0).save(tmp_path / "file" / "buzzer.png")
    assert (tmp_path / "file").read_text() == "no folder"


def test_one_thread_may_add_while_another_asks() -> None:
    """The camera's thread never waits for the screen's, and both see whole frames."""
    evidence = Evidence(every_s=0.05)
    with ThreadPoolExecutor(max_workers=1) as camera:
        filming = camera.submit(filled, 2000, evidence)
        while not filming.done():
            still = evidence.still_at(30.0)
            assert still is None or still.decoded().shape == SIZE
            evidence.between(0.0, 100.0)
    filming.result()
    assert still_of(evidence, 99.95).number == 1999


def test_whoever_asks_codes_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's thread asks in the frame of a touch; coding is for the thread that writes."""
    evidence = filled(40)
    monkeypatch.setattr("vision.evidence.evidence.as_jpeg", lambda _: pytest.fail("coded"))
    assert still_of(evidence, 1.9).number == 38
    assert len(evidence.between(0.0, 2.0)) >= 12


@pytest.mark.parametrize("ending", [".jpg", ".png"])
@pytest.mark.parametrize("size", [(1, 1), (1, 4000), (4000, 1)])
def test_a_picture_of_one_line_of_pixels_is_small_already(
    size: tuple[int, int], ending: str
) -> None:
    coded = cv2.imencode(ending, np.full((*size, 3), 90, np.uint8))[1].tobytes()
    small = small_jpeg(coded)
    assert small is not None
    picture = cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert min(picture.shape[:2]) == 1
