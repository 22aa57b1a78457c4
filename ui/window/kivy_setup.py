"""What Kivy must be told before it is imported for the first time.

Kivy reads the environment, its arguments and a configuration file while it is being imported, so
`prepare()` comes before any `import kivy`; the package `ui.widgets` calls it.
"""

from __future__ import annotations

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
