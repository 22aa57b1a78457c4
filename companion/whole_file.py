"""Files written as a whole: a power cut, or a disk that is full, leaves the old one or the new."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file beside the old one and put it in its place; text as UTF-8.

    A link stays one: what it leads to is written. Raises `OSError` where the disk does not take it;
    then the old file is as it was, and nothing is left beside it.
    """
    path = Path(os.path.realpath(path))
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
