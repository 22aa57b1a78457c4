"""What this machine offers for settings that name a thing of it: cameras, ports, files, sticks.

Looked up in folders alone: no device is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from ui.table_eyes import FILE_NAME
from vision.table_file.reading import box_of

Choice = tuple[str, str]
"""What a key says, and the value it sets."""

DEV = Path("/dev")
STICKS = (Path("/media"), Path("/run/media"), Path("/mnt"))
OWN_FILES = ("settings.toml", "figures-*.toml", "kept-*.toml")
BY_ITSELF = "Beside settings"
"""What the key says where no file is named and one beside the settings is read."""
MOST = 4
"""Keys in a row that fingers hit."""


def choices_of(name: str, present: str) -> tuple[Choice, ...]:
    """At most `MOST` choices for a setting; the value it has now is always among them."""
    found = list(dict.fromkeys(_OFFERS[name]()))
    if present not in [value for _, value in found]:
        found.insert(1, (Path(present).name or present, present))
    chosen = next(choice for choice in found if choice[1] == present)
    shown = found[:MOST]
    return tuple(shown if chosen in shown else [*shown[:-1], chosen])


def cameras(dev: Path = DEV) -> Iterator[Choice]:
    """None, the first USB camera, the Pi's own, and every USB camera by its stable name."""
    yield from (("None", ""), ("USB", "usb"), ("Pi camera", "picamera"))
    for path in sorted((dev / "v4l" / "by-id").glob("*-video-index0")):
        yield _short(path.name.removeprefix("usb-").removesuffix("-video-index0")), str(path)


def boxes(dev: Path = DEV) -> Iterator[Choice]:
    """The box that is found, or one of the serial devices by its stable name."""
    yield "Find it", ""
    for path in sorted((dev / "serial" / "by-id").glob("*")):
        yield _short(path.name.removeprefix("usb-")), str(path)


def table_files(folder: Path | None = None) -> Iterator[Choice]:
    """What is read where none is named, then the tables' files that this machine has.

    They are looked for beside the settings, beside the record, and where the app was started:
    there `companion calibrate` writes. Other TOML files are none.
    """
    here = (user_config_path("companion"), user_data_path("companion"), Path.cwd())
    folders = (folder,) if folder is not None else here
    beside = folders[0] / FILE_NAME
    yield (BY_ITSELF if beside.exists() else "None"), ""
    for place in dict.fromkeys(folders):
        for path in sorted(place.glob("*.toml")):
            if path != beside and _is_table_file(path):
                yield path.stem, str(path)


def _is_table_file(path: Path) -> bool:
    if any(path.match(own) for own in OWN_FILES):
        return False
    try:
        return bool(_box_of(path, path.stat().st_mtime_ns))
    except OSError:
        return False


@lru_cache(maxsize=64)
def _box_of(path: Path, _written: int) -> str:
    """Whose table's file it is; read again only once it was written anew."""
    return box_of(path)


def records(roots: tuple[Path, ...] = STICKS) -> Iterator[Choice]:
    """The user's data folder, or a stick that is plugged in."""
    yield "This machine", ""
    for root in roots:
        for stick in sorted(path for path in (*root.glob("*"), *root.glob("*/*"))):
            if stick.is_mount():
                yield _short(stick.name), str(stick / "matches.sqlite")


def _short(name: str, most: int = 16) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


_OFFERS: Mapping[str, Callable[[], Iterator[Choice]]] = {
    "camera": cameras,
    "box": boxes,
    "table_file": table_files,
    "record": records,
}
