"""A window of one sheet that shows a screen's sample, or writes it to a picture."""

from __future__ import annotations

from pathlib import Path

import ui.widgets  # noqa: F401 - it prepares Kivy, which reads its environment at import

# isort: split
from kivy.base import EventLoop, runTouchApp
from kivy.config import Config

from ui.scene.theme import Theme
from ui.screens.registry import parts_of
from ui.widgets.sheet import Sheet


class SampleWindow:
    """Kivy's window at the theme's size, with a sheet in it that prints what is touched."""

    def __init__(self, theme: Theme) -> None:
        Config.set("graphics", "width", str(theme.size_px[0]))
        Config.set("graphics", "height", str(theme.size_px[1]))
        from kivy.core.window import Window  # opens the window: after its size is set

        self.theme = theme
        self.window = Window
        self.window.size = theme.size_px
        self.sheet = Sheet(theme, on_action=print)
        self.sheet.size = theme.size_px
        self.window.add_widget(self.sheet)

    def show(self, state: object) -> None:
        """Keep one sample open until the window is closed."""
        self.sheet.show("sample", parts_of(state, self.theme))
        runTouchApp(None)

    def save(self, state: object, path: Path) -> None:
        """One sample into a PNG file."""
        EventLoop.ensure_window()
        self.sheet.show(path.stem, parts_of(state, self.theme))
        path.parent.mkdir(parents=True, exist_ok=True)
        self.sheet.export_to_png(str(path))
