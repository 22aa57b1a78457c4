"""The window's first frame: it says what is being opened, while everything else is loaded.

Screens, rules, record and camera take a Raspberry Pi seconds to load. The window stands before
that, in the table's own light and turned as its screen is, and is the one that the app goes on
with. Nothing is imported here that this frame does not need.
"""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ui.scene.theme import Colour, Face, Light, Theme, font_file
from ui.table import default_path
from ui.window.appliance import load_for_good, spare_memory
from ui.window.kivy_setup import leave_out_style, prepare, unmanaged_px

if TYPE_CHECKING:
    from pathlib import Path

KIOSK = "COMPANION_KIOSK"
"""Set by the appliance: the app has the whole screen, a desktop's too."""

SIZE_PX = (800, 480)
TITLE, SAID = "Dogfight companion", "Opening the table and its record…"
LINES = (
    (TITLE, Face.BOLD, 44, 0.52, Colour.INK),
    (SAID, Face.MEDIUM, 26, 0.4, Colour.INK2),
)
"""Each with its size in u, and how high it stands in the window."""


def configure(size_px: tuple[int, int] = SIZE_PX, rotation: int = 0) -> None:
    """Kivy's own settings: size, full screen where nothing else is, no way out by Escape.

    `rotation`: degrees by which picture and touches are turned on a screen that is mounted so.
    """
    prepare()
    leave_out_style()
    from kivy.config import Config

    driver = os.environ.get("SDL_VIDEODRIVER")
    bare = driver == "kmsdrm" or bool(os.environ.get(KIOSK))
    whole = unmanaged_px(os.environ.get("DISPLAY", "")) if bare and driver == "x11" else None
    wanted = {
        ("graphics", "borderless"): "1" if whole else "0",
        ("graphics", "position"): "custom" if whole else "auto",
        ("graphics", "left"): "0",
        ("graphics", "top"): "0",
        ("graphics", "width"): str((whole or size_px)[0]),
        ("graphics", "height"): str((whole or size_px)[1]),
        ("graphics", "rotation"): str(rotation),
        ("graphics", "multisamples"): "0",  # masks are smooth by themselves
        ("graphics", "fullscreen"): "auto" if bare and not whole else "0",
        ("graphics", "show_cursor"): "0" if bare else "1",
        ("kivy", "exit_on_escape"): "0",
        ("input", "mouse"): "mouse,disable_multitouch",
    }
    for (section, name), value in wanted.items():
        Config.set(section, name, value)


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What the first frame needs of the settings, read before they can be judged whole."""

    light: Light = Light.DAY
    rotation: int = 0

    @classmethod
    def of(cls, path: Path | None = None) -> Self:
        """What the file says, and the usual for whatever cannot be read or is no such value."""
        said: dict[str, Any] = {}
        with suppress(OSError, ValueError, RecursionError):
            place = path or default_path()
            said = tomllib.loads(place.read_text("utf-8-sig")) if place.is_file() else {}
        light, rotation = said.get("theme"), said.get("rotation")
        return cls(
            Light.NIGHT if light == "night" else Light.DAY,
            rotation if type(rotation) is int and rotation in (90, 180, 270) else 0,
        )


class Opening:
    """The first frame, until the app's own takes its place."""

    def __init__(self, look: FirstLook) -> None:
        """Open the window and draw it; without a window nothing is shown, and the app says why."""
        spare_memory()
        load_for_good()
        configure(rotation=look.rotation)
        from kivy.core.window import Window

        self.window: Any = Window
        if Window is None:
            return
        from kivy.uix.widget import Widget

        self.window.title = TITLE
        self.page = Widget()
        self._draw(Theme(look.light, size_px=tuple(self.window.size)))
        self.window.add_widget(self.page)
        self.window.dispatch("on_draw")
        self.window.dispatch("on_flip")

    def _draw(self, theme: Theme) -> None:
        from kivy.core.text import Label
        from kivy.graphics import Color, Rectangle

        from ui.widgets.lettering import BUNDLED

        wide, high = theme.size_px
        canvas: Any = self.page.canvas
        canvas.add(Color(*theme[Colour.BG]))
        canvas.add(Rectangle(pos=(0, 0), size=theme.size_px))
        for text, face, size_u, at, colour in LINES:
            size_px = size_u * theme.unit_px
            label = Label(text=text, font_size=size_px, font_name=font_file(face) or BUNDLED)
            label.refresh()
            texture = label.texture
            left = (wide - texture.width) // 2
            canvas.add(Color(*theme[colour]))
            canvas.add(Rectangle(texture=texture, pos=(left, int(high * at)), size=texture.size))

    def turn(self, rotation: int) -> None:
        """Turn the picture as the settings say, once they are judged as a whole."""
        if self.window is not None:
            self.window.rotation = rotation

    def close(self) -> None:
        """The app's own sheet is in the window now."""
        if self.window is not None:
            self.window.remove_widget(self.page)
