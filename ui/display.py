"""Is there a screen to open the touch app on? Looked up without opening anything.

The plain command `companion` asks this once: with a screen it opens the app, with none it plays
the demonstration in the terminal.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.core.errors import CompanionError

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
        socket = status.parent.name
        card = device_folder / socket.partition("-")[0]
        if _says_connected(status) and os.access(card, os.R_OK | os.W_OK):
            return Display(DisplayKind.KMS, socket)
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
