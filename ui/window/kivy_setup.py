"""What Kivy must be told before it is imported for the first time.

Kivy reads the environment, its arguments and a configuration file while it is being imported, so
`prepare()` comes before any `import kivy`; the package `ui.widgets` calls it.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import platformdirs

from ui.window.appliance import DisplayKind, find_display

FRAMES_PER_S = 60
"""So often fingers are asked for: of 30 turns one may wait 33 ms until its key answers.

What did not change is not drawn: a Pi that draws as often as it can runs hot.
"""


def prepare() -> None:
    """Set Kivy's environment: our own arguments, folder, log level and the way to the screen.

    Whatever the environment already says wins, so that a test or a club may choose otherwise. With
    no screen at all SDL draws off-screen. Once Kivy is imported this changes nothing.
    """
    if "kivy" in sys.modules:
        return
    for name, value in wanted(os.environ.get("SDL_VIDEODRIVER")).items():
        os.environ.setdefault(name, value)
    try:
        Path(os.environ["KIVY_HOME"]).mkdir(parents=True, exist_ok=True)
    except OSError:  # nothing of ours is kept there: a read-only home need not stop anybody
        os.environ["KIVY_HOME"] = tempfile.mkdtemp(prefix="companion-kivy-")


def leave_out_style() -> None:
    """Load Kivy's language without the style of Kivy's own buttons, none of which we show.

    It reads that whole file at its import, a third of all work up to the first frame; here it finds
    one of ours, which is empty. Once Kivy's language is loaded this changes nothing.
    """
    if "kivy.lang" in sys.modules:
        return
    kivy: Any = import_module("kivy")
    import_module("kivy.resources")  # where fonts and shaders are looked for stays as it is
    theirs, kivy.kivy_data_dir = kivy.kivy_data_dir, str(Path(__file__).parent)
    try:
        import_module("kivy.lang")
    finally:
        kivy.kivy_data_dir = theirs


def wanted(video_driver: str | None) -> dict[str, str]:
    """The variables and their values; `video_driver` is what SDL has already been told."""
    return {
        "KIVY_NO_ARGS": "1",  # the command line is ours
        "KIVY_NO_CONFIG": "1",  # no file of Kivy's own decides what the app does
        "KIVY_NO_FILELOG": "1",  # spares the SD card
        "KIVY_LOG_MODE": "PYTHON",  # the root logger stays with the companion
        "KCFG_GRAPHICS_MAXFPS": str(FRAMES_PER_S),  # read once, when the clock is imported
        "KIVY_WINDOW": "sdl2",
        "KIVY_IMAGE": "sdl2",  # the first that Kivy finds; it would load all others beside it
        "KIVY_METRICS_DENSITY": "1",  # one scale of our own: dp() and mm() do not know the panel
        "KIVY_METRICS_FONTSCALE": "1",
        "KIVY_HOME": str(platformdirs.user_config_path("companion") / "kivy"),
        "SDL_VIDEODRIVER": video_driver or _video_driver(),
    }


def _video_driver() -> str:
    display = find_display(os.environ)
    drivers = {
        None: "offscreen",
        DisplayKind.KMS: "kmsdrm",
        DisplayKind.WAYLAND: "wayland,x11",
        DisplayKind.X11: "x11",
    }
    return drivers[None if display is None else display.kind]


# An X screen that no window manager looks after: nobody there makes a window as large as it is. SDL
# asks the window manager for the whole screen; without one it believes it has it, draws for all of
# it, and the window stays as small as it was.

X_LIBRARY = "libX11.so.6"
_MANAGES = 1 << 20
"""SubstructureRedirectMask: whoever asks for this of the root window manages all others."""


class _Attributes(ctypes.Structure):
    """Xlib's XWindowAttributes."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("x", "y", "width", "height", "border_width", "depth")),
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        *((name, ctypes.c_int) for name in ("kind", "bits", "gravity", "backing_store")),
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("map_installed", ctypes.c_int),
        ("map_state", ctypes.c_int),
        ("all_event_masks", ctypes.c_long),
        ("your_event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long),
        ("override_redirect", ctypes.c_int),
        ("screen", ctypes.c_void_p),
    )


def unmanaged_px(display: str) -> tuple[int, int] | None:
    """Width and height of the X screen of this name, if no window manager runs there.

    None where one does, and where nothing can be asked: no library, no such screen. Where none does
    the connection stays: a server begins anew when its last is closed, and may cut off the next.
    """
    try:
        x11 = ctypes.CDLL(X_LIBRARY)
    except OSError:
        return None
    x11.XOpenDisplay.restype, x11.XDefaultRootWindow.restype = ctypes.c_void_p, ctypes.c_ulong
    handle = x11.XOpenDisplay(display.encode())
    if not handle:
        return None
    opened = ctypes.c_void_p(handle)
    root, told = ctypes.c_ulong(x11.XDefaultRootWindow(opened)), _Attributes()
    answered = x11.XGetWindowAttributes(opened, root, ctypes.byref(told))
    if answered and not told.all_event_masks & _MANAGES:
        return int(told.width), int(told.height)
    x11.XCloseDisplay(opened)
    return None
