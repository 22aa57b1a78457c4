"""A window of one sheet, for looking at samples: shows them, or writes each to a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kivy.config import Config

from ui.scene.theme import Theme
from ui.screens.layouts import parts_of


class SampleWindow:
    """Kivy's window at the theme's size, with a sheet in it that prints what is touched."""

    def __init__(self, theme: Theme) -> None:
        Config.set("graphics", "width", str(theme.size_px[0]))
        Config.set("graphics", "height", str(theme.size_px[1]))
        from kivy.core.window import Window

        from ui.widgets.sheet import Sheet

        self.theme = theme
        Window.size = theme.size_px
        self.window = Window
        self.sheet = Sheet(theme, on_action=print)
        self.sheet.size = theme.size_px
        Window.add_widget(self.sheet)

    def run(self, states: Mapping[str, object], out: str | None) -> None:
        """Write a picture of each state, or keep the first one open until the window is closed."""
        from kivy.base import EventLoop, runTouchApp

        if out is None:
            name, state = next(iter(states.items()))
            self.sheet.show(name, parts_of(state, self.theme))
            runTouchApp(None)
            return
        EventLoop.ensure_window()
        for name, state in states.items():
            self.save(name, state, Path(out.replace("{}", name)))

    def save(self, name: str, state: object, path: Path) -> None:
        """One sample into a PNG file."""
        self.sheet.show(name, parts_of(state, self.theme))
        path.parent.mkdir(parents=True, exist_ok=True)
        self.sheet.export_to_png(str(path))
