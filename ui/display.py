"""Is there a screen to open the touch app on? Looked up without opening anything.

The plain command `companion` asks this once: with a screen it opens the app, with none it plays
the demonstration in the terminal.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

DRM_FOLDER = Path("/sys/class/drm")
"""Where Linux lists its graphics cards, and whether a screen is in each of their sockets."""

DEVICE_FOLDER = Path("/dev/dri")
"""Where the cards themselves are opened."""


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
