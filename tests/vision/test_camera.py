"""Pictures, folders and films as cameras, and one clear line for whatever is wrong."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
import pytest

from companion.core.errors import CameraError
from vision.camera.camera import Camera, open_camera
from vision.camera.frame import FFMPEG_SAYS, Frame
from vision.camera.pictures import PictureFolder, natural_order, read_picture

GREY = np.tile(np.arange(0, 160, dtype=np.uint8), (120, 1))


def picture(name: str = ".jpg", size_px: tuple[int, int] = (160, 120)) -> bytes:
    """A picture file's bytes."""
    rows = np.random.default_rng(1).integers(0, 256, (size_px[1], size_px[0], 3), dtype=np.uint8)
    return bytes(cv2.imencode(name, cv2.GaussianBlur(rows, (0, 0), 3))[1])


def film(path: Path, frames: int = 12) -> Path:
    """A film whose frames get brighter one by one."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 120))
    for number in range(frames):
        writer.write(np.full((120, 160, 3), 10 + 6 * number, np.uint8))
    writer.release()
    return path


def frames_of(camera: Camera) -> list[Frame]:
    return list(iter(camera.read, None))


# --- pictures and folders ---


@pytest.mark.parametrize("kind", [".jpg", ".png", ".bmp", ".webp", ".tiff", ".ppm"])
def test_a_single_picture_is_one_frame(kind: str, tmp_path: Path) -> None:
    """Grey and colour, number 0, and the source names the file."""
    path = tmp_path / f"table{kind}"
    path.write_bytes(picture(kind))
    camera = open_camera(str(path))
    (frame,) = frames_of(camera)
    assert (frame.number, frame.size_px, frame.source) == (0, (160, 120), str(path))
    assert frame.colour is not None
    assert (camera.name, camera.size_px, camera.live) == (path.name, (160, 120), False)


def test_a_folder_is_read_in_natural_order(tmp_path: Path) -> None:
    """frame2 before frame10; what is no picture is left out; each has its time."""
    for name in ("frame10.png", "frame2.PNG", "frame1.png"):
        (tmp_path / name).write_bytes(picture(".png"))
    (tmp_path / "notes.txt").write_text("no picture")
    frames = frames_of(open_camera(str(tmp_path)))
    assert [Path(one.source).name for one in frames] == ["frame1.png", "frame2.PNG", "frame10.png"]
    assert [one.taken_at for one in frames] == pytest.approx([0.0, 0.05, 0.10])


def test_natural_order_is_total() -> None:
    """Names that begin with figures and names that do not can stand in one folder."""
    names = ["b", "10", "2a", "a1", "a", "2", "a10", "a2"]
    ordered, backwards = sorted(names, key=natural_order), names[::-1]
    backwards.sort(key=natural_order)
    assert ordered == backwards
    assert [name for name in ordered if name.startswith("a")] == ["a", "a1", "a2", "a10"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("torn.jpg", picture(".jpg")[:-400], "torn picture"),
        ("torn.png", picture(".png")[:-400], "torn picture"),
        ("damaged.png", picture(".png")[:300] + b"!" + picture(".png")[301:], "damaged picture"),
        ("headless.jpg", picture(".jpg")[:60], "torn picture"),
        ("text.jpg", b"no picture at all", "is no picture"),
        ("empty.jpg", b"", r"is empty \(0 bytes\)"),
        ("noise.png", bytes(range(256)), "is no picture"),
    ],
)
def test_a_bad_picture_is_one_clear_line(
    name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    """The file is named, and nothing half-read is handed on."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CameraError, match=said) as refused:
        open_camera(str(path)).read()
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_bad_picture_does_not_stop_a_folder(tmp_path: Path) -> None:
    """It raises once; the next call goes on with the next picture, numbers as in the folder."""
    (tmp_path / "1.jpg").write_bytes(picture())
    (tmp_path / "2.jpg").write_bytes(picture()[:-400])
    (tmp_path / "3.jpg").write_bytes(picture())
    camera = open_camera(str(tmp_path))
    first = camera.read()
    with pytest.raises(CameraError, match=r"2\.jpg is a torn picture"):
        camera.read()
    third = camera.read()
    assert first is not None
    assert third is not None
    assert (first.number, third.number, camera.read()) == (0, 2, None)


def test_a_picture_with_a_thumbnail_is_not_torn(tmp_path: Path) -> None:
    """Cameras put a small JPEG, end mark and all, into the head of the large one."""
    whole, small = picture(), picture(size_px=(32, 24))
    head = b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small
    path = tmp_path / "camera.jpg"
    path.write_bytes(whole[:2] + head + whole[2:])
    assert open_camera(str(path)).read() is not None
    path.write_bytes((whole[:2] + head + whole[2:])[:-400])
    with pytest.raises(CameraError, match="torn"):
        open_camera(str(path)).read()


def test_a_picture_with_a_film_behind_it_is_not_torn(tmp_path: Path) -> None:
    """Telephones put the moment before it there, in bytes that mark no part of the picture."""
    path = tmp_path / "moment.jpg"
    path.write_bytes(picture() + b"\0\0\0\x18ftypmp42" + b"\xff\xda\0\x0c" * 9)
    assert open_camera(str(path)).read() is not None
    path.write_bytes(picture()[:-400] + b"\xff\xda\0\x0c" * 9)
    with pytest.raises(CameraError, match="torn"):
        open_camera(str(path)).read()


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    """And what was looked for."""
    with pytest.raises(CameraError, match=r"holds no picture \(looked for .*\.jpg"):
        open_camera(str(tmp_path))


def test_a_closed_folder_gives_nothing(tmp_path: Path) -> None:
    """Closing twice does no harm."""
    (tmp_path / "1.jpg").write_bytes(picture())
    camera = open_camera(str(tmp_path))
    camera.close()
    camera.close()
    assert camera.read() is None
    assert isinstance(camera, PictureFolder)
    assert len(camera) == 1


# --- films ---


def test_a_film_gives_every_frame(tmp_path: Path) -> None:
    """In order, with the film's own time."""
    frames = frames_of(open_camera(str(film(tmp_path / "table.avi"))))
    assert [frame.number for frame in frames] == list(range(12))
    assert [frame.taken_at for frame in frames] == pytest.approx([n / 10 for n in range(12)])
    levels = [int(frame.grey.mean()) for frame in frames]
    assert levels == sorted(levels)


@pytest.mark.parametrize("content", [b"", b"no film at all" * 99])
def test_a_bad_film_is_one_clear_line(content: bytes, tmp_path: Path) -> None:
    """Empty, or something else."""
    path = tmp_path / "table.avi"
    path.write_bytes(content)
    with pytest.raises(
        CameraError, match=r"table\.avi is (empty|neither a picture nor a film|a text)"
    ):
        open_camera(str(path))


def test_a_torn_film_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """Then it says so, once."""
    path = film(tmp_path / "table.avi", frames=40)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    camera = open_camera(str(path))
    frames: list[Frame] = []
    with pytest.raises(CameraError, match=r"announces 40 frames and ends after \d+: it is torn"):
        frames.extend(iter(camera.read, None))
    assert camera.read() is None


def test_what_is_not_there_is_named_with_what_could_be() -> None:
    """The words of all sources."""
    with pytest.raises(CameraError, match=r"nowhere does not exist: name a camera \(usb, /dev/"):
        open_camera("nowhere")


# --- what this user may not read ---


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder that everybody may enter, for a user who may read nothing of others."""
    own = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        if own == 0:
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            os.seteuid(own)


def closed(path: Path) -> Path:
    """What is there already, and may not be read by anybody but root."""
    own = os.geteuid()
    os.seteuid(os.getuid())
    try:
        path.chmod(0)
    finally:
        os.seteuid(own)
    return path


def made(path: Path, *, folder: bool = False) -> Path:
    """A file or folder of the user who runs the tests."""
    own = os.geteuid()
    os.seteuid(os.getuid())
    try:
        if folder:
            path.mkdir()
        else:
            path.write_bytes(picture())
    finally:
        os.seteuid(own)
    return path


@pytest.mark.parametrize("name", ["table", "table.jpg", "table.avi"])
def test_a_file_that_may_not_be_read_is_one_clear_line(as_nobody: Path, name: str) -> None:
    """Whatever it is called: named, with the way out, and never a bare OSError."""
    path = closed(made(as_nobody / name))
    with pytest.raises(CameraError, match="cannot be read: Permission denied: give") as refused:
        open_camera(str(path)).read()
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("inner", ["", "table.jpg"])
def test_a_folder_that_may_not_be_listed_is_one_clear_line(as_nobody: Path, inner: str) -> None:
    """Nor where it lies above what is named."""
    folder = closed(made(as_nobody / "frames", folder=True))
    with pytest.raises(CameraError, match=r"frames.* cannot be read: Permission denied"):
        open_camera(str(folder / inner))


def test_a_name_that_no_disk_takes_is_one_clear_line() -> None:
    """As a slip of the hand in the settings."""
    with pytest.raises(CameraError, match="cannot be read: File name too long"):
        open_camera("a" * 5000)


# --- what OpenCV writes to the terminal ---


def test_opencv_is_silenced_by_who_opens_a_source_alone(tmp_path: Path) -> None:
    """To import a module changes nothing in a program; a broken film is told in one line."""
    torn = tmp_path / "table.avi"
    torn.write_bytes(b"RIFF\0\0no film at all" * 99)
    bare = {name: value for name, value in os.environ.items() if name != FFMPEG_SAYS}
    command = [sys.executable, "-c", SILENCED, str(torn)]
    told = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr) == ("is neither a picture nor a film that OpenCV reads", "")


SILENCED = """
import os, sys, cv2
before = cv2.utils.logging.getLogLevel()
import vision.camera.camera, vision.camera.pictures
assert cv2.utils.logging.getLogLevel() == before
assert "OPENCV_FFMPEG_LOGLEVEL" not in os.environ
try:
    vision.camera.camera.open_camera(sys.argv[1])
except vision.camera.camera.CameraError as wrong:
    print(str(wrong).partition(" ")[2], end="")
"""


def test_threads_of_opencv_rest_between_frames_in_the_program() -> None:
    """Else each counts on for a millisecond after the little that it was given of a frame."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV_")}
    command = [sys.executable, "-c", HALVED]
    told = subprocess.run(command, env=bare, capture_output=True, text=True, check=True)
    assert float(told.stdout) < 0.5, "ms of other threads for each picture halved"


HALVED = """
import ui
import resource, time
import cv2, numpy as np
def others_s():
    whole, own = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_THREAD))
    return whole.ru_utime + whole.ru_stime - own.ru_utime - own.ru_stime
cv2.setNumThreads(2)
picture, times = np.zeros((512, 800), np.uint8), 100  # hardly large enough to be shared
before = others_s()
for _ in range(times):
    cv2.resize(picture, (400, 256), interpolation=cv2.INTER_LINEAR)
    time.sleep(0.003)
print(1e3 * (others_s() - before) / times)
"""


@pytest.mark.parametrize("name", ["pipe.png", "pipe"])
def test_a_pipe_is_refused_and_nobody_waits_for_it(name: str, tmp_path: Path) -> None:
    """Whatever it is called: who would write into it may never come."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(CameraError, match="is no file but a pipe or a device"):
        open_camera(str(tmp_path / name)).read()


def png_of(width: int, height: int) -> bytes:
    """A PNG that says it has this size, and has no pixel."""
    parts = (b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0), b"IDAT", b"IEND")
    chunks = (
        struct.pack(">I", len(one) - 4) + one + struct.pack(">I", crc32(one)) for one in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def jpeg_of(width: int, height: int) -> bytes:
    """A JPEG that says it has this size, and has a few pixels."""
    coded = bytearray(cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
    at = coded.index(b"\xff\xc0") + 5
    coded[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(coded)


def bmp_of(width: int, height: int) -> bytes:
    """A head of 54 bytes, and no pixel behind it."""
    sizes = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 1, 1, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + sizes


def pgm_of(width: int, height: int) -> bytes:
    """A head in letters."""
    return f"P5\n# a table\n{width} {height}\n255\n".encode()


def tiff_of(width: int, height: int, tile: tuple[int, int] = (0, 0)) -> bytes:
    """Of one strip, or of tiles of this size, of which none is there."""
    tags = {256: width, 257: height, 258: 8, 259: 1, 262: 1, 277: 1}
    strip, tiles = {273: 8, 278: height, 279: 1}, {322: tile[0], 323: tile[1], 324: 8, 325: 1}
    rows = sorted((tags | (tiles if any(tile) else strip)).items())
    entries = (struct.pack("<HHII", tag, 4, 1, value) for tag, value in rows)
    return b"II*\0" + struct.pack("<IH", 8, len(rows)) + b"".join(entries) + bytes(4)


def tiles_of(width: int, height: int) -> bytes:
    """A small picture in giant tiles."""
    return tiff_of(64, 64, (width, height))


def webp_of(width: int, height: int) -> bytes:
    """Without loss, of a few pixels; it cannot say more than 16,384 either way."""
    sizes = min(width, 16_384) - 1 | min(height, 16_384) - 1 << 14
    coded = bytearray(cv2.imencode(".webp", np.zeros((8, 8, 3), np.uint8), LOSSLESS)[1].tobytes())
    assert coded[12:16] == b"VP8L"
    (told,) = struct.unpack_from("<I", coded, 21)
    struct.pack_into("<I", coded, 21, told >> 28 << 28 | sizes)
    return bytes(coded)


LOSSLESS = (cv2.IMWRITE_WEBP_QUALITY, 101)
WITH_THEIR_SIZE = {"png": png_of, "jpg": jpeg_of, "tile.tif": tiles_of}
WITHOUT = {"bmp": bmp_of, "pgm": pgm_of, "tif": tiff_of, "webp": webp_of}


@pytest.mark.parametrize("ending", [*WITH_THEIR_SIZE, *WITHOUT])
def test_a_picture_that_would_take_all_memory_is_refused(ending: str, tmp_path: Path) -> None:
    """Half a megabyte can stand for gigabytes of pixels, which OpenCV would ask for."""
    coded = (WITH_THEIR_SIZE | WITHOUT)[ending](30_000, 20_000)
    (path := tmp_path / f"giant.{ending}").write_bytes(coded)
    told = "has more than 120 million pixels"
    if ending in WITH_THEIR_SIZE:
        told = "has 30,000 x 20,000 pixels, more than 120 million"
    with pytest.raises(CameraError, match=told):
        open_camera(str(path)).read()


@pytest.mark.parametrize("ending", ["gif", "avif", "hdr", "ras"])
def test_what_nobody_bounds_is_not_decoded(ending: str, tmp_path: Path) -> None:
    """A good picture of a kind whose size is not read from its head, however it is called."""
    pixels = np.full((8, 8, 3), 200, np.float32 if ending == "hdr" else np.uint8)
    if not cv2.haveImageWriter(f"x.{ending}"):
        pytest.skip(f"this OpenCV writes no {ending}")
    (path := tmp_path / "table.png").write_bytes(cv2.imencode(f".{ending}", pixels)[1].tobytes())
    with pytest.raises(CameraError, match="is no picture: use JPEG, PNG, BMP, WebP, TIFF or PGM"):
        read_picture(path)


def test_a_film_of_giant_pictures_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so as soon as it is opened: no picture of it is decoded."""
    monkeypatch.setattr("vision.camera.pictures.MOST_PX", 640 * 480 - 1)
    path = tmp_path / "table.y4m"
    path.write_bytes(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\nFRAME\n" + bytes(640 * 720))
    with pytest.raises(CameraError, match="has 640 x 480 pixels, more than"):
        open_camera(str(path))


@pytest.mark.parametrize("words", ["JP-9.3: turn right\n" * 300, "\x1b[1mßhot\x1b[0m\n" * 900])
def test_a_text_is_no_film(words: str, tmp_path: Path) -> None:
    """A protocol, or what a terminal showed: drawn letter by letter it would be a dark picture."""
    path = tmp_path / "protocol.txt"
    path.write_text(words, "utf-8")
    with pytest.raises(CameraError, match=r"protocol\.txt is a text, no picture and no film"):
        open_camera(str(path))


def test_a_film_of_bare_pictures_is_no_text(tmp_path: Path) -> None:
    """Grey levels that are letters, too, after a head in words."""
    path = tmp_path / "table.y4m"
    frame = b"FRAME\n" + b"A" * (640 * 480) + b"~" * (640 * 240)
    path.write_bytes(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n" + 3 * frame)
    assert [frame.size_px for frame in frames_of(open_camera(str(path)))] == [(640, 480)] * 3
