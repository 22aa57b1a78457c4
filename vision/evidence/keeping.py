"""Pictures kept as they are looked at, with what was told of them: `companion see --keep`.

Faces are a matter of consent: unless the whole picture is asked for, the boards' rectangle alone is
kept, and nothing before a board is seen. What is looked at is what is kept, neither more nor other,
so that `companion see FOLDER` tells the same of it anywhere.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import BadCall, CameraError, RecordError
from companion.core.ruling import Json
from companion.core.text import counted
from vision.boards.lens import Points
from vision.boards.view import TableView
from vision.camera.camera import Camera
from vision.camera.frame import Frame
from vision.camera.kept import (
    TOLD_FILE,
    KeptCall,
    KeptHead,
    KeptLine,
    Reads,
    Rectangle,
    shown_alone,
)
from vision.markers.reading import MarkerSeen, ThoroughReader
from vision.table_file.reading import TableSetup

ROUND_SHARE = 0.04
"""Round the boards so much is kept besides, as a share of the rectangle's longer side."""
SEARCH_FRAMES = 40
"""After the first board is seen, the others are looked for in so many pictures."""
FREE_BYTES = 200 << 20
"""So much of the disk stays free: the record is kept there too."""
PNG_QUICK = (cv2.IMWRITE_PNG_COMPRESSION, 1)
CONSENT = (
    "Pictures are kept in {folder}: of the boards' rectangle alone, yet hands and faces that come "
    "over it are in them. Ask everybody at the table first."
)
CONSENT_WHOLE = (
    "Whole pictures are kept in {folder}, and all who come before the camera with them. Ask "
    "everybody in sight first."
)


class KeptFolder:
    """A new folder of pictures, and what is told of each.

    `call` is what else `companion see` was told, `files` those it was told of, or folders: each by
    its name in this folder. Raises `BadCall` for a folder that has something in it.
    """

    def __init__(
        self,
        folder: Path,
        call: KeptCall | None = None,
        files: Mapping[str, Path] | None = None,
        *,
        whole: bool = False,
    ) -> None:
        self.folder = folder
        self.whole = whole
        self.pictures = 0
        self._call = call or KeptCall()
        self._files = files or {}
        try:
            taken = folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))
        except OSError as trouble:
            raise self._refused(trouble) from trouble
        if taken:
            what = "there and not empty" if folder.is_dir() else "a file"
            raise BadCall(f"--keep {folder}: it is {what}; name a new folder")

    @property
    def consent(self) -> str:
        """What is kept of whom, to be said before the first picture."""
        return (CONSENT_WHOLE if self.whole else CONSENT).format(folder=self.folder)

    @property
    def words(self) -> str:
        """What was kept, and how to look at it again."""
        if not self.pictures:
            return f"{self.folder}: nothing was kept"
        kept = counted(self.pictures, "picture")
        return f"{self.folder}: {kept} kept; companion see {self.folder} looks at them again"

    def begin(self, reads: Reads) -> None:
        """Make the folder, with the table's files in it; `RecordError` where that cannot be."""
        head = KeptHead(reads=reads, whole=self.whole, call=self._call)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name, file in self._files.items():
                if file.is_dir():
                    shutil.copytree(file, self.folder / name)
                else:
                    shutil.copyfile(file, self.folder / name)
            self._list(head.model_dump_json())
        except OSError as trouble:
            raise self._refused(trouble) from trouble

    def add(self, line: KeptLine, frame: Frame | None, area: Rectangle | None) -> None:
        """Keep a picture, then its line; `RecordError` where the disk is full: the last one goes.

        The frame is as it was looked at, of that area alone.
        """
        try:
            if shutil.disk_usage(self.folder).free < FREE_BYTES:
                raise OSError(errno.ENOSPC, f"less than {FREE_BYTES >> 20} MB are free there")
            if frame is not None:
                self._write_picture(self.folder / line.picture, frame, area)
            self._list(line.model_dump_json())
        except OSError as trouble:
            raise self._refused(trouble) from trouble
        self.pictures += frame is not None

    def _write_picture(self, path: Path, frame: Frame, area: Rectangle | None) -> None:
        picture = frame.grey if frame.colour is None else frame.colour
        part = picture if area is None else area.cut(picture)
        content = cv2.imencode(".png", part, PNG_QUICK)[1].tobytes()
        try:
            path.write_bytes(content)
        except OSError:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise

    def _list(self, line: str) -> None:
        with (self.folder / TOLD_FILE).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def _refused(self, trouble: OSError) -> RecordError:
        held = f"; the {counted(self.pictures, 'picture')} before hold" if self.pictures else ""
        way_out = "Make room, or name" if trouble.errno == errno.ENOSPC else "Name"
        return RecordError(
            f"--keep {self.folder}: {trouble.strerror}{held}. {way_out} another place"
        )


class KeepingCamera:
    """A camera whose pictures are shown as they are kept: once it knows the boards, those alone.

    After each picture that it gives, or says it cannot, `keep` is told what was seen in it.
    """

    def __init__(self, camera: Camera, keeping: KeptFolder) -> None:
        self.name = camera.name
        self.live = camera.live
        self._camera = camera
        self._keeping = keeping
        self._boards: _Boards | None = None
        self._again: Frame | None = None
        self._given: tuple[Frame | None, Rectangle | None, str] = (None, None, "")
        self._number = 0

    @property
    def size_px(self) -> tuple[int, int]:
        """The camera's own."""
        return self._camera.size_px

    @property
    def looks_for_boards(self) -> bool:
        """Whether no board was seen yet: pictures are given as they are, and not kept."""
        return not self._keeping.whole and self._boards is None

    def find_boards(
        self, frame: Frame, markers: Sequence[MarkerSeen], setup: TableSetup | None
    ) -> bool:
        """Whether the picture that was read last shows a board; then it is given once more."""
        boards = None if setup is None else _Boards(setup)
        if boards is None or boards.look(markers, frame.size_px) is None:
            return False
        self._boards, self._again = boards, frame
        return True

    def read(self) -> Frame | None:
        """The next picture, of the boards alone once they are known."""
        again, self._again = self._again, None
        try:
            frame = again or self._camera.read()
        except CameraError as trouble:
            self._given = (None, None, str(trouble))
            raise
        if frame is None or self.looks_for_boards:
            return frame
        area = None if self._boards is None else self._boards.area_in(frame)
        shown = shown_alone(frame, area)
        self._given, self._number = (shown, area, ""), frame.number
        return shown

    def keep(self, words: str, told: Mapping[str, Json]) -> None:
        """Keep the picture given last with what was told of it, or why it could not be read."""
        frame, area, trouble = self._given
        words = _in_utf8(words)
        kept = {name: _told_in_utf8(value) for name, value in told.items()}
        if frame is None:
            line = KeptLine(frame=self._number, trouble=_in_utf8(trouble), words=words, told=kept)
        else:
            line = KeptLine(
                frame=frame.number,
                taken_at=frame.taken_at,
                size_px=frame.size_px,
                at_px=(0, 0) if area is None else (area.left, area.top),
                picture=f"{self._keeping.pictures:06d}.png",
                words=words,
                told=kept,
            )
        self._keeping.add(line, frame, area)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()


def _in_utf8(text: str) -> str:
    """The same, with what no UTF-8 has, as a stick's file names may, as a terminal writes it."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _told_in_utf8(told: Json) -> Json:
    """The same for all that was told of a picture."""
    if isinstance(told, str):
        return _in_utf8(told)
    if isinstance(told, dict):
        return {name: _told_in_utf8(value) for name, value in told.items()}
    return [_told_in_utf8(value) for value in told] if isinstance(told, list) else told


class _Boards:
    """The rectangle round a table's boards; each that comes into sight in time is taken in.

    Where the table's file has them, they are there from the first picture of its size.
    """

    def __init__(self, setup: TableSetup) -> None:
        self._plan = setup.plan
        self._reader = ThoroughReader(setup.plan.dictionary)
        self._view = TableView(setup.plan, setup.lens)
        if setup.calibration is not None:
            self._view.remember(setup.calibration)
        self._corners: dict[str, Points] = {}
        self._size_px = (0, 0)
        self._looks = 0

    def look(self, markers: Sequence[MarkerSeen], size_px: tuple[int, int]) -> Rectangle | None:
        """The rectangle, with the boards that these markers add; None while there is none."""
        if size_px != self._size_px:
            self._corners, self._size_px, self._looks = {}, size_px, 0
        self._looks += 1
        for name, place in self._view.look(markers, size_px).items():
            self._corners.setdefault(name, place.outline_px)
        return (
            _round(np.concatenate(list(self._corners.values())), size_px) if self._corners else None
        )

    def area_in(self, frame: Frame) -> Rectangle:
        """The rectangle in a picture; one of another size is looked at anew."""
        wanted = len(self._corners) < len(self._plan.boards) and self._looks < SEARCH_FRAMES
        markers: Sequence[MarkerSeen] = ()
        if wanted or frame.size_px != self._size_px:
            markers = self._reader.read(frame.grey)
        return self.look(markers, frame.size_px) or Rectangle(0, 0, 1, 1)


def _round(corners: Points, size_px: tuple[int, int]) -> Rectangle | None:
    """The upright rectangle round some points and a little more; None where none is in sight."""
    most = np.array(size_px) - 1
    least, last = corners.min(axis=0), corners.max(axis=0)
    more = ROUND_SHARE * float((last - least).max())
    left, top = np.clip(np.floor(least - more), 0, most).astype(int).tolist()
    right, low = np.clip(np.ceil(last + more), 0, most).astype(int).tolist()
    if right <= left or low <= top:
        return None
    return Rectangle(left, top, right - left + 1, low - top + 1)
