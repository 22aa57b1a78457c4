"""One Kivy window for all tests of this folder: Kivy knows only one per process."""

from __future__ import annotations

import ctypes
import gc
import itertools
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ui.scene.theme import Caps, Reach, Theme, contrast
from ui.widgets.box import Box

SMALL, LARGE = (800, 480), (1280, 720)
MUCH_MB = 60.0


def _resident_mb() -> float:
    """How much memory this process has now."""
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * resource.getpagesize() / 1e6


@pytest.fixture(scope="session")
def resident() -> dict[str, float]:
    """How much memory stood after the last collection, MB."""
    return {"mb": _resident_mb()}


@pytest.fixture(autouse=True)
def no_old_tables(resident: dict[str, float]) -> Iterator[None]:
    """A table and its camera know each other: a hundred megabytes each till they are collected.

    Python counts objects, not bytes, and so waits for long. Here whoever leaves much is cleared up
    after; to collect after each of thousands of small tests would cost more than all of them.
    """
    yield
    if _resident_mb() > resident["mb"] + MUCH_MB:
        gc.collect()
        _give_back()
        resident["mb"] = _resident_mb()


def _give_back() -> None:
    """Textures that nobody shows any more, and pages that hold nothing.

    Kivy gives textures back on its clock's next tick, and in tests no clock ticks: three gigabytes
    of letters stood in the graphics driver. What is free lies between what is not, and so the C
    library keeps it until it is asked.
    """
    if "kivy.core.window" in sys.modules:
        from kivy.graphics.context import get_context

        get_context().gl_dealloc()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # glibc has it, musl and macOS have not
        trim(0)


@pytest.fixture(scope="session")
def window() -> Any:
    """The process's window, drawn off-screen where there is no screen."""
    from ui.window.opening import configure

    configure(LARGE)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    return Window


@pytest.fixture
def actions() -> list[Any]:
    """What the sheet's touches sent, in order."""
    return []


@pytest.fixture(scope="session")
def new_sheet(window: Any) -> Callable[..., Any]:
    """Puts a new sheet into the window.

    All sheets share the letters and outlines that one of them has drawn, as screens of one app do;
    to draw those again was three quarters of the work of looking at a screen.
    """
    from ui.widgets.sheet import Sheet
    from ui.widgets.texture_pen import Store

    shared = Store()

    def new(theme: Theme, on_action: Callable[[Any], None]) -> Any:
        window.size = theme.size_px
        sheet = Sheet(theme, on_action)
        sheet._store.letters = shared.letters
        sheet._store._masks = shared._masks
        window.add_widget(sheet)
        return sheet

    return new


@pytest.fixture
def make_sheet(
    window: Any, new_sheet: Callable[..., Any], actions: list[Any]
) -> Iterator[Callable[[Theme], Any]]:
    """Puts a sheet into the window; a window's touches reach the last one made."""
    made: list[Any] = []

    def make(theme: Theme) -> Any:
        made.append(new_sheet(theme, actions.append))
        return made[-1]

    yield make
    for sheet in made:
        window.remove_widget(sheet)


# What every screen is judged by, whatever state it shows.

SHORTENED = "log/"
"""Lists whose whole text is one tap away may end in an ellipsis."""


class Fault(NamedTuple):
    """What is wrong: which rule it breaks, at which part of the screen, and how."""

    rule: str
    part: str
    what: str


class Judge:
    """Reads a sheet's parts and what its pen wrote: every fault of one kind, or of all kinds."""

    def all(self, sheet: Any) -> Iterator[Fault]:
        """Everything that is wrong with what the sheet shows."""
        for law in (self.texts, self.overlaps, self.targets, self.contrast):
            yield from law(sheet)

    def window(self, sheet: Any) -> Box:
        """The whole window, in u."""
        theme = sheet.theme
        return Box(0, 0, theme.wide_u, theme.size_px[1] / theme.unit_px)

    def touched(self, sheet: Any) -> dict[str, Any]:
        """The parts that can be touched."""
        return {name: part for name, part in sheet.parts.items() if part.action is not None}

    def texts(self, sheet: Any) -> Iterator[Fault]:
        """No text is cut, leaves its room or the window, or has capitals under 14 u."""
        window = self.window(sheet)
        for name, text in sheet.written():
            said = text.text
            if text.caps_u < Caps.DETAIL - 0.05:
                yield Fault("small text", name, f"{said} {text.caps_u:.1f} u")
            if text.ink.x < text.room.x - 1 or text.ink.right > text.room.right + 1:
                yield Fault("text out of its room", name, said)
            if not window.holds(text.ink):
                yield Fault("text out of the window", name, said)
            if text.cut and not name.startswith(SHORTENED):
                yield Fault("text cut", name, said)

    def overlaps(self, sheet: Any) -> Iterator[Fault]:
        """Texts keep apart, and nothing that is drawn later hides one."""
        written = [(name, text) for name, text in sheet.written() if text.text]
        for (one, first), (other, second) in itertools.combinations(written, 2):
            if first.ink.meets(second.ink, slack=1.0):
                yield Fault("text over text", one, f"{first.text} | {other}: {second.text}")
        for name, text in written:
            if sheet.hidden(name, text):
                yield Fault("text hidden", name, text.text)

    def targets(self, sheet: Any) -> Iterator[Fault]:
        """9 mm each way, the next tap 72 u high, no two overlapping, all inside the window."""
        window, touched = self.window(sheet), self.touched(sheet)
        for name, part in touched.items():
            wide, high = part.box.wide, part.box.high
            if wide < Reach.TARGET[0] - 0.01 or high < Reach.TARGET[1] - 0.01:
                yield Fault("small key", name, f"{wide:.0f} x {high:.0f}")
            if part.primary and high < Reach.PRIMARY_HIGH:
                yield Fault("small next tap", name, f"{wide:.0f} x {high:.0f}")
            if not window.holds(part.box):
                yield Fault("key out of the window", name, f"{part.box}")
        for (one, first), (other, second) in itertools.combinations(touched.items(), 2):
            if first.box.meets(second.box):
                yield Fault("key over key", one, other)

    def contrast(self, sheet: Any) -> Iterator[Fault]:
        """7 for capitals of 26 u and more, 4.5 for all others, on whatever lies under them."""
        for name, text in sheet.written():
            ground = sheet.ground(name, text)
            ratio = contrast(text.colour, ground.colour) if ground is not None else 0.0
            if ratio < (7.0 if text.caps_u >= 26 else 4.5):
                yield Fault("low contrast", name, f"{text.text} {ratio:.2f}")


@pytest.fixture(scope="session")
def judge() -> Judge:
    """What every screen is judged by."""
    return Judge()
