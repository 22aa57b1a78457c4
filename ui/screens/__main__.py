"""Showing a screen by itself: `python -m ui.screens.match.round --theme night --out PICTURE.png`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from kivy.config import Config

from ui.scene.theme import Hand, Light, Palette, Theme
from ui.screens.registry import parts_of
from ui.window.kivy_setup import prepare

# A window of one sheet, for looking at samples: shows them, or writes each to a picture.


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


# Showing a screen by itself: `python -m ui.screens.match.round --theme night --out PICTURE.png`.

prepare()

_SHOWN = {"lists": ("past", "devices", "found")}
"""Modules that show more than one kind of state, or one by another name."""


def main(screen: str, arguments: Sequence[str] | None = None) -> int:
    """Show a sample of the screen in a window, or draw it into a picture file."""
    wanted = _parser(screen).parse_args(arguments)
    if wanted.out:
        os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    from ui.samples.match import SAMPLES

    names = wanted.sample or samples_of(screen, SAMPLES)
    names = names if wanted.out and "{}" in wanted.out else names[:1]
    unknown = [name for name in names if name not in SAMPLES]
    if unknown:
        sys.stderr.write(f"no sample {unknown[0]!r}; there are {', '.join(sorted(SAMPLES))}\n")
        return 2
    theme = Theme(wanted.theme, wanted.palette, wanted.hand, wanted.size)
    shown: Mapping[str, object] = {name: SAMPLES[name] for name in names}
    SampleWindow(theme).run(shown, wanted.out)
    return 0


def samples_of(screen: str, samples: Mapping[str, object]) -> list[str]:
    """The names of a screen module's samples, the plainest first."""
    shown = _SHOWN.get(screen, (screen.replace("_", "-"),))
    return [name for name in samples if any(name == s or name.startswith(f"{s}-") for s in shown)]


def _parser(screen: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m ui.screens.{screen}", description="Show a screen from a sample state."
    )
    parser.add_argument("--size", type=_size, default=(800, 480), metavar="WIDTHxHEIGHT")
    parser.add_argument("--theme", type=Light, default=Light.NIGHT, choices=list(Light))
    parser.add_argument("--palette", type=Palette, default=Palette.STANDARD, choices=list(Palette))
    parser.add_argument("--hand", type=Hand, default=Hand.RIGHT, choices=list(Hand))
    parser.add_argument("--sample", action="append", help="a sample's name (repeats)")
    parser.add_argument("--out", help="a PNG file; {} in it becomes the sample's name")
    return parser


def _size(text: str) -> tuple[int, int]:
    wide, _, high = text.partition("x")
    try:
        size = (int(wide), int(high))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size like 800x480") from None
    if size[0] < size[1] or size[1] < 240:
        raise argparse.ArgumentTypeError(f"{text}: at least 240 high, and wider than high")
    return size
