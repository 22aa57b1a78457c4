"""A window of one sheet that shows a state, writes it to a picture, or many to contact sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import ui.widgets  # noqa: F401 - it prepares Kivy, which reads its environment at import

# isort: split
from kivy.base import EventLoop, runTouchApp
from kivy.config import Config
from kivy.core.text import Label as CoreLabel

from ui.scene.theme import Face, Theme, font_file
from ui.screens.registry import parts_of, screen_of
from ui.widgets.lettering import BUNDLED, line_width
from ui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ui.samples.live import Lived

    Pixels = NDArray[np.uint8]


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
        self.sheet.size_hint = (None, None)  # what is drawn may be of another size than the window
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

    def close(self) -> None:
        """Let another have the window: Kivy knows only one."""
        self.window.remove_widget(self.sheet)

    def drawn(self, state: object, theme: Theme) -> Pixels:
        """One state as a picture of the theme's size: rows of red, green, blue."""
        EventLoop.ensure_window()
        self.sheet.size = theme.size_px
        self.sheet.show(screen_of(state), parts_of(state, theme), theme)
        return _rgb(self.sheet.export_as_image().texture)


def _rgb(texture: Any) -> Pixels:
    wide, high = texture.size
    rows = np.frombuffer(texture.pixels, np.uint8).reshape(high, wide, 4)[:, :, :3]
    return np.ascontiguousarray(rows)


# Contact sheets: every picture as large as on the screen, with words under it.

PAGE_PX = (2600, 2800)
"""A page is no wider and no higher, however small its pictures are."""

_GROUND, _INK, _INK2 = (228, 228, 228), (20, 20, 20), (80, 80, 80)
_GAP_PX, _LETTERS_PX, _LEADING_PX = 16, 16, 20
_CAPTION_LINES = 3


@dataclass(frozen=True, slots=True)
class ContactPage:
    """One page of a contact sheet: its number of all pages, which states are on it, its picture."""

    number: int
    of: int
    states: Sequence[Lived]
    picture: Pixels

    def save(self, path: Path) -> None:
        """Into a PNG file; OSError where it cannot be written."""
        _, png = cv2.imencode(".png", cv2.cvtColor(self.picture, cv2.COLOR_RGB2BGR))
        path.write_bytes(png.tobytes())


def pages(window: SampleWindow, states: Sequence[Lived], theme: Theme) -> Iterator[ContactPage]:
    """The states drawn in one theme and size, in rows, as many to a page as it holds."""
    wide, high = (length + _GAP_PX for length in theme.size_px)
    high += _LEADING_PX * _CAPTION_LINES
    across, down = max(1, PAGE_PX[0] // wide), max(1, PAGE_PX[1] // high)
    lots = [states[at : at + across * down] for at in range(0, len(states), across * down)]
    for number, lot in enumerate(lots, 1):
        rows = -(-len(lot) // across)
        size = (rows * high + _GAP_PX, min(across, len(lot)) * wide + _GAP_PX, 3)
        paper = np.full(size, _GROUND, np.uint8)
        for at, lived in enumerate(lot):
            x, y = at % across * wide + _GAP_PX, at // across * high + _GAP_PX
            _put(paper, window.drawn(lived.state, theme), x, y)
            _put_caption(paper, lived, (x, y + theme.size_px[1]), theme.size_px[0])
        yield ContactPage(number, len(lots), lot, paper)


def _put(paper: Pixels, picture: Pixels, x: int, y: int) -> None:
    high, wide = picture.shape[:2]
    paper[y : y + high, x : x + wide] = picture


def _put_caption(paper: Pixels, lived: Lived, at: tuple[int, int], wide_px: int) -> None:
    """The screen's name, then the way there."""
    x, y = at
    for line, words in enumerate(caption(lived, wide_px)):
        ink = _INK if line == 0 else _INK2
        letters = _lettered(words, ink)
        _put(paper, letters[:, :wide_px], x, y + line * _LEADING_PX + 1)


def _lettered(words: str, ink: tuple[int, int, int]) -> Pixels:
    """A line of words on the page's ground."""
    font = font_file(Face.REGULAR) or BUNDLED
    label = CoreLabel(text=words or " ", font_size=_LETTERS_PX, font_name=font)
    label.refresh()
    wide, high = label.texture.size
    pixels = np.frombuffer(label.texture.pixels, np.uint8).reshape(high, wide, 4)
    share = pixels[: _LEADING_PX - 1, :, 3:] / 255.0
    return (np.array(_GROUND) * (1 - share) + np.array(ink) * share).astype(np.uint8)


def caption(lived: Lived, wide_px: int) -> Sequence[str]:
    """A state's words: its screen, and how one came there; where that is long, its last part."""
    lines: list[str] = [""]
    for word in lived.way.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if line_width(longer, Face.REGULAR, _LETTERS_PX) <= wide_px:
            lines[-1] = longer
        else:
            lines.append(word)
    room = _CAPTION_LINES - 1
    kept = lines if len(lines) <= room else [f"... {lines[-room]}", *lines[1 - room :]]
    return (lived.screen, *kept)
