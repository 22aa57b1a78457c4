"""What the window needs of the machine: systemd, no sleep in a match, a display, the app's log.

systemd is told that the app is ready and alive by a line on a socket that the environment names.
"""

from __future__ import annotations

import gc
import logging
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from platformdirs import user_log_path

from companion.core.errors import CompanionError


class Service:
    """The app as systemd's service; without systemd every word is spoken to nobody.

    `beat` is called with each tick: systemd ends an app whose ticks stop, and starts it anew.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        microseconds = environ.get("WATCHDOG_USEC", "")
        every_s = int(microseconds) / 2e6 if microseconds.isdecimal() else 0.0
        mine = environ.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        self._beat_s = every_s if self._address and mine else 0.0
        self._beat_at = float("-inf")

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for `ready`."""
        return bool(self._address)

    def ready(self, status: str = "") -> None:
        """The window is open."""
        self._say("READY=1", f"STATUS={status}")

    def failing(self, status: str) -> None:
        """It will end soon, and why; `systemctl status` shows it."""
        self._say(f"STATUS={status}")

    def beat(self, now: float) -> None:
        """The app ticks; told twice in the time that systemd waits. `now` in monotonic s."""
        if self._beat_s and now - self._beat_at >= self._beat_s:
            self._beat_at = now
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """The app ends by itself."""
        self._say("STOPPING=1")

    def _say(self, *lines: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as plug:
            plug.settimeout(1.0)
            plug.sendto("\n".join(line.replace("\n", " ") for line in lines).encode(), address)


def of_this_process() -> Service:
    """The service of this process; the programs that it starts are none."""
    service = Service(os.environ)
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        os.environ.pop(name, None)
    return service


# No sleep while a match is under way.

PROGRAM = "systemd-inhibit"
_log = logging.getLogger(__name__)


class Awake:
    """Keeps the machine awake while `keep` is told that it must be."""

    def __init__(self) -> None:
        self._lock: subprocess.Popen[bytes] | None = None
        self._refused = False

    @property
    def held(self) -> bool:
        """Whether the machine is kept awake now."""
        return self._lock is not None and self._lock.poll() is None

    def keep(self, *, needed: bool) -> None:
        """Take the lock or let go of it; the same word twice changes nothing."""
        if not needed:
            self._let_go()
            self._refused = False
        elif self._lock is None and not self._refused:
            self._take()
        elif self._lock is not None and self._lock.poll() is not None:
            _log.info("%s refused to keep the machine awake", PROGRAM)
            self._let_go()
            self._refused = True

    def _take(self) -> None:
        program = shutil.which(PROGRAM)
        if program is None:
            self._refused = True
            return
        what = ("--what=sleep:idle", "--mode=block", "--who=companion", "--why=a match runs")
        try:
            self._lock = subprocess.Popen(
                [program, *what, "cat"],  # `cat` ends with the pipe, and the pipe with us
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            self._refused = True

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is None:
            return
        if lock.stdin is not None:
            lock.stdin.close()
        try:
            lock.wait(1.0)
        except subprocess.TimeoutExpired:
            lock.kill()
            lock.wait()

    def close(self) -> None:
        """Let go of it for good."""
        self._let_go()


# The display: is there a screen to open the app on? Looked up without opening anything.

DRM_FOLDER = Path("/sys/class/drm")
"""Where Linux lists its graphics cards, and whether a screen is in each of their sockets."""

DEVICE_FOLDER = Path("/dev/dri")
"""Where the cards themselves are opened."""


ANSWER_S = 2.0
"""How long a desktop on another machine may take to answer."""

_X_NAME = re.compile(r"(?:\w+/)?(?P<host>.*):(?P<number>\d+)(?:\.\d+)?")
_X_SOCKET = "/tmp/.X11-unix/X{}"  # noqa: S108 - where every X server listens
_X_PORT = 6000


class NoWindow(CompanionError, OSError):
    """A screen is there, but no window could be opened on it."""


class DisplayKind(StrEnum):
    """The way to a screen."""

    WAYLAND = "Wayland"
    X11 = "X"
    KMS = "bare KMS"


@dataclass(frozen=True, slots=True)
class Display:
    """A screen the app can open on: the way to it, and its name there (`:0`, `card1-HDMI-A-1`)."""

    kind: DisplayKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.name})"


def find_display(
    environ: Mapping[str, str],
    drm_folder: Path = DRM_FOLDER,
    device_folder: Path = DEVICE_FOLDER,
) -> Display | None:
    """The screen to open the app on, or None: Wayland, else X, else a Pi's bare KMS.

    A card without a desktop counts when a screen is plugged in and this user may open the card. It
    does not count under `CI`: a build machine's virtual card shows nobody anything.
    """
    if name := environ.get("WAYLAND_DISPLAY"):
        return Display(DisplayKind.WAYLAND, name)
    if name := environ.get("DISPLAY"):
        return Display(DisplayKind.X11, name)
    if environ.get("CI"):
        return None
    return _plugged_in(drm_folder, device_folder)


def _plugged_in(drm_folder: Path, device_folder: Path) -> Display | None:
    """The first socket with a screen in it, on a card that this user may open."""
    for status in sorted(drm_folder.glob("card*-*/status")):
        plug = status.parent.name
        card = device_folder / plug.partition("-")[0]
        if _says_connected(status) and os.access(card, os.R_OK | os.W_OK):
            return Display(DisplayKind.KMS, plug)
    return None


def _says_connected(status: Path) -> bool:
    try:
        return status.read_text(encoding="ascii").strip() == "connected"
    except (OSError, UnicodeDecodeError):  # unplugged between listing and reading
        return False


# -- whether a desktop that the environment names is there -----------------------------------------


def why_silent(environ: Mapping[str, str]) -> str:
    """Why no desktop that the environment names answers; empty if one does, or none is named.

    Connects and hangs up at once. A variable outlives its desktop: in `tmux`, over ssh.
    """
    faults: list[str] = []
    if name := environ.get("WAYLAND_DISPLAY"):
        fault = _connect(_wayland_socket(name, environ))
        faults.append(f"WAYLAND_DISPLAY={name}: {fault}" if fault else "")
    if name := environ.get("DISPLAY"):
        fault = _knock_at_x(name)
        faults.append(f"DISPLAY={name}: {fault}" if fault else "")
    return "; ".join(faults) if all(faults) else ""


def missing_screen() -> str:
    """Why no window can open here; empty where one can."""
    if find_display(os.environ) is None:
        return "No screen was found"
    silent = why_silent(os.environ)
    return f"No screen answers ({silent})" if silent else ""


def _wayland_socket(name: str, environ: Mapping[str, str]) -> str:
    folder = environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    return str(Path(folder) / name)


def _knock_at_x(name: str) -> str:
    """Why no X server answers; empty if one does."""
    named = _X_NAME.fullmatch(name)
    if named is None:
        return "" if Path(name).is_socket() else "this is no display's name, as :0"
    path, host = _X_SOCKET.format(named["number"]), named["host"].strip("[]")
    if host not in ("", "unix"):
        return _connect((host, _X_PORT + int(named["number"])))
    return _connect(f"\0{path}") and _connect(path)


def _connect(address: str | tuple[str, int]) -> str:
    """What goes wrong on the way to a socket or a port; empty if somebody listens."""
    try:
        if isinstance(address, str):
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(ANSWER_S)
                line.connect(address)
        else:
            socket.create_connection(address, ANSWER_S).close()
    except (OSError, ValueError, OverflowError) as wrong:
        return getattr(wrong, "strerror", None) or str(wrong)
    return ""


# Memory: a match with a camera stays small beside what Kivy's own window takes.

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Names of glibc's settings, as `malloc.h` numbers them."""

LARGE_BYTES = 128 * 1024
"""From here on a piece of memory, such as a camera's picture, goes back as soon as it is free."""


def spare_memory() -> None:
    """Have the C library give back what was freed: one heap for all threads, pictures beside it.

    By itself glibc grows a heap for each thread and keeps pictures in them once it has seen a few.
    To be called before the first thread; another C library is left as it is.
    """
    if (set_option := _of_c_library("mallopt")) is not None:
        set_option(_ARENA_MAX, 1)
        set_option(_MMAP_THRESHOLD, LARGE_BYTES)
        set_option(_TRIM_THRESHOLD, LARGE_BYTES)


DUE_WHOLE, SELDOM_WHOLE = 10, 100
"""After so many collections of what is younger a whole one is due, and comes even unasked."""


def load_for_good() -> None:
    """Until `settle_memory` nothing is walked for what may be freed: what a start loads stays.

    It is an eighth of the work of a start.
    """
    gc.disable()


def settle_memory() -> None:
    """What is loaded by now stays for good: it is never walked again for what may be freed.

    A whole collection takes a tenth of a second and more, and would stop a finger or a count: from
    now on it comes in a calm moment (`tidy_up`), by itself only where there is none for long.
    """
    return_memory()
    gc.freeze()
    young, middle, _whole = gc.get_threshold()
    gc.set_threshold(young, middle, SELDOM_WHOLE)
    gc.enable()


def tidy_up() -> None:
    """Walk all that was made since `settle_memory`, if enough was; to be called in calm moments."""
    if gc.get_count()[2] >= DUE_WHOLE:
        gc.collect()


def return_memory() -> None:
    """Free what nobody needs any more, and give it back to the system; some milliseconds."""
    gc.collect()
    if (trim := _of_c_library("malloc_trim")) is not None:
        trim(0)


def _of_c_library(name: str) -> Callable[..., int] | None:
    """A function of the C library of this process; None where it has none of this name."""
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)


# The app's log: warnings and faults, in a file that never grows beyond two small halves.

HALF_BYTES = 256_000
FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """`companion.log` in the user's log folder."""
    return user_log_path("companion") / "companion.log"


def keep_log(path: Path | None = None) -> logging.Handler | None:
    """Write what is logged from now on to the file too; None where the disk takes no file."""
    from logging.handlers import RotatingFileHandler

    place = path or log_path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(place, maxBytes=HALF_BYTES, backupCount=1, encoding="utf-8")
    except OSError as wrong:
        logging.getLogger(__name__).warning("no log is kept: %s", wrong)
        return None
    handler.setFormatter(logging.Formatter(FORM))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    return handler
