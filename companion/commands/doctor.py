"""`companion doctor`: every part that exists, its state, and the command that mends it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from companion.commands.voice import say
from companion.errors import CompanionError
from companion.record import Record
from companion.record_salvage import examine
from companion.record_store import is_url
from companion.version import app_version
from hardware.gpio_panel import open_factory
from hardware.signal_folder import SignalFolder
from ui.display import find_display, why_silent
from ui.settings_file import SettingsFile
from ui.widgets.fonts import missing_faces
from vision.usb_camera import find_device, usb_devices

if TYPE_CHECKING:
    from ui.settings import Settings

LIBRARIES = {
    "sqlalchemy": "sqlalchemy",
    "pydantic": "pydantic",
    "numpy": "numpy",
    "opencv-python": "cv2",
    "gpiozero": "gpiozero",
    "pyserial": "serial",
    "reportlab": "reportlab",
}
"""Loaded for a try: what is installed may still lack a library of the system."""

SYSTEM_LIBRARIES = "sudo apt install libgl1 libglib2.0-0 libxcb1"
SET_UP = "make run"
MB = 1_000_000
LITTLE_ROOM_MB, NO_ROOM_MB = 1_000, 100
SLOW_SYNC_MS, SYNCS = 60.0, 12


class State(StrEnum):
    """How a part is: fine, usable with a drawback, or broken."""

    OK = "ok"
    WARN = "warn"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: a part, its state, what was found, and the command that mends it."""

    part: str
    state: State
    text: str
    mend: str = ""


def doctor(place: str | None, *, json: bool) -> int:
    """Print a line for each part; 1 if one is red, 0 otherwise."""
    console = Console(highlight=False)
    red = False
    for finding in findings(place):
        red |= finding.state is State.RED
        if json:
            say(asdict(finding))
        else:
            _print(console, finding)
    return 1 if red else 0


def _print(console: Console, finding: Finding) -> None:
    colour = {State.OK: "green", State.WARN: "yellow", State.RED: "red"}[finding.state]
    mend = f"\n{'':19}[bold]{escape(finding.mend)}[/]" if finding.mend else ""
    line = f"[{colour}]{finding.state:5}[/]{finding.part:14}{escape(finding.text)}{mend}"
    console.print(line, soft_wrap=True)


def findings(place: str | None) -> Iterator[Finding]:
    """Every part in turn; one that fails to be looked at is red and hides no other."""
    file = SettingsFile.load()
    settings = file.settings
    checks: list[tuple[str, Callable[[], Iterator[Finding]]]] = [
        ("python", _python),
        ("settings", lambda: _settings(file)),
        ("libraries", _libraries),
        ("screen", _screen),
        ("fonts", _fonts),
        ("pins", lambda: _pins(settings)),
        ("signals", _signals),
        ("camera", lambda: _camera(settings)),
        ("serial", _serial),
        ("record", lambda: _record(place or settings.record_place)),
    ]
    for part, check in checks:
        try:
            yield from check()
        except CompanionError as wrong:
            yield Finding(part, State.RED, str(wrong))
        except Exception as fault:  # noqa: BLE001 - one broken part must not hide the others
            yield Finding(part, State.RED, f"could not be checked: {fault!r}")


def _python() -> Iterator[Finding]:
    text = f"companion {app_version()}, Python {platform.python_version()}, {platform.machine()}"
    fits = (3, 11) <= sys.version_info[:2] < (3, 14)
    mend = "" if fits else f"{SET_UP}   (with Python 3.11, 3.12 or 3.13 installed)"
    yield Finding("python", State.OK if fits else State.RED, text, mend)


def _settings(file: SettingsFile) -> Iterator[Finding]:
    if file.trouble:
        mend = f"mv {file.path} {file.path}.broken   (defaults hold meanwhile)"
        yield Finding("settings", State.RED, file.trouble, mend)
    else:
        yield Finding("settings", State.OK, str(file.path))


def _libraries() -> Iterator[Finding]:
    loaded: list[str] = []
    for package, module in LIBRARIES.items():
        try:
            importlib.import_module(module)
            loaded.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            loaded.append(f"{package} (the system's)")
        except ImportError as missing:
            mend = SYSTEM_LIBRARIES if ".so" in str(missing) else SET_UP
            yield Finding("libraries", State.RED, f"{package}: {missing}", mend)
    try:
        loaded.append(f"kivy {version('kivy')}")
    except PackageNotFoundError:
        yield Finding("libraries", State.RED, "kivy, for the touch app, is not installed", SET_UP)
    yield Finding("libraries", State.OK, ", ".join(loaded))


def _screen() -> Iterator[Finding]:
    display, silent = find_display(os.environ), why_silent(os.environ)
    if silent:
        text = f"no answer: {silent}; `companion` plays the demonstration in the terminal"
        mend = "DISPLAY=:0 companion   (a desktop that is up; in its own terminal: companion)"
        yield Finding("screen", State.WARN, text, mend)
        return
    if display is not None:
        yield Finding("screen", State.OK, str(display))
        return
    text = "none: `companion` plays the demonstration in the terminal"
    mend = "sudo usermod -aG video,render,input $USER   (a Pi without a desktop; log in again)"
    yield Finding("screen", State.WARN, text, mend)


def _fonts() -> Iterator[Finding]:
    missing = ", ".join(str(face) for face in missing_faces())
    if missing:
        mend = "sudo apt install fonts-roboto-unhinted fonts-b612"
        yield Finding("fonts", State.WARN, f"Kivy's own stands in for: {missing}", mend)
    else:
        yield Finding("fonts", State.OK, "Roboto Condensed and B612")


def _pins(settings: Settings) -> Iterator[Finding]:
    if settings.pins == "none":
        yield Finding("pins", State.OK, "none chosen: the screen counts alone")
        return
    open_factory(settings.pins).close()
    on_a_pi = Path("/sys/firmware/devicetree/base/model").exists()
    if settings.pins == "mock" and on_a_pi:
        text = "mock pins on a Pi: lamps and buzzer on its header stay silent"
        yield Finding("pins", State.WARN, text, "companion   (Settings, Pins: lgpio)")
    else:
        yield Finding("pins", State.OK, f"pin factory {settings.pins}")


def _signals() -> Iterator[Finding]:
    folder = SignalFolder()
    folder.make()
    yield Finding("signals", State.OK, f"runtime folder {folder.path}")


def _camera(settings: Settings) -> Iterator[Finding]:
    found = [str(device.stable) for device in usb_devices()]
    if importlib.util.find_spec("picamera2") is not None:
        found.append("Picamera2")
    there = ", ".join(found) or "none"
    if settings.camera.startswith(("usb", "/dev/")):
        find_device(settings.camera)
    if settings.camera:
        yield Finding("camera", State.OK, f"chosen: {settings.camera}; there are: {there}")
    elif found:
        text = f"none chosen; there are: {there}"
        yield Finding("camera", State.WARN, text, "companion   (Settings, Camera)")
    else:
        text = "none: the table goes on by touch"
        yield Finding("camera", State.WARN, text, "plug a USB camera in, then companion see usb")


def _serial() -> Iterator[Finding]:
    ports = sorted(path.name for path in Path("/dev/serial/by-id").glob("*"))
    yield Finding("serial", State.OK, ", ".join(ports) or "no serial device is plugged in")


# -- the record ----------------------------------------------------------------------------


def _record(place: str) -> Iterator[Finding]:
    if is_url(place) and not place.startswith("sqlite"):
        yield from _record_opened(place)
        return
    path = Path(place.removeprefix("sqlite:///")).expanduser()
    why = examine(path)
    if why is not None:
        mend = "companion matches   (sets it aside and keeps what can be read)"
        yield Finding("record", State.RED, f"{path} is damaged: {why}", mend)
        return
    if path.exists():
        yield from _record_opened(place)
    else:
        yield Finding("record", State.OK, f"none yet; one will be begun as {path}")
    yield from _disk(next(folder for folder in path.absolute().parents if folder.is_dir()))


def _record_opened(place: str) -> Iterator[Finding]:
    with Record.open(place) as record:
        faults = record.check()
        count = len(record.matches())
        if record.read_only:
            mend = "companion --record /media/stick/matches.sqlite"
            yield Finding("record", State.RED, record.read_only, mend)
        for fault in faults:
            mend = "companion export MATCH --out FILE; companion import FILE"
            yield Finding("record", State.RED, fault, mend)
        if not faults and not record.read_only:
            yield Finding("record", State.OK, f"{record.name}: {_counted(count)}, all sound")


def _counted(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _disk(folder: Path) -> Iterator[Finding]:
    free_mb = shutil.disk_usage(folder).free / MB
    room = State.RED if free_mb < NO_ROOM_MB else State.WARN
    if free_mb < LITTLE_ROOM_MB:
        text = f"{free_mb:,.0f} MB free in {folder}"
        yield Finding("disk", room, text, "companion --record /media/stick/matches.sqlite")
    try:
        sync_ms = statistics.median(_syncs_ms(folder))
    except OSError as wrong:
        text = f"{folder} takes no file: {wrong.strerror}"
        yield Finding("disk", State.RED, text, "df -h; mount | grep ro,")
        return
    slow = sync_ms > SLOW_SYNC_MS
    mend = "companion --record /media/stick/matches.sqlite   (a faster disk)" if slow else ""
    text = f"{free_mb:,.0f} MB free; a line is on disk in {sync_ms:.1f} ms"
    yield Finding("disk", State.WARN if slow else State.OK, text, mend)


def _syncs_ms(folder: Path) -> list[float]:
    """How long the disk takes to keep a line's worth of bytes."""
    times: list[float] = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return times
