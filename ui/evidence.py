"""Pictures kept with a match: the table at the moment when the buzzer sounded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from companion.errors import RecordReadOnly

if TYPE_CHECKING:
    from vision.frame import Frame

QUALITY = 90


def keep_picture(frame: Frame, folder: Path, name: str) -> Path:
    """Write a frame as JPEG into a match's folder; RecordReadOnly where the disk takes it not."""
    picture = frame.colour if frame.colour is not None else frame.grey
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    path = folder / f"{name}.jpg"
    try:
        if not done:
            raise OSError(0, "the picture cannot be coded")
        path.write_bytes(coded.tobytes())
    except OSError as full:
        raise RecordReadOnly(f"{path} cannot be written: {full.strerror}") from full
    return path
