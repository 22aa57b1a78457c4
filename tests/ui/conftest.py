"""One Kivy window for all tests of this folder: Kivy knows only one per process."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ui.scene.theme import Theme

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
        resident["mb"] = _resident_mb()


@pytest.fixture(scope="session")
def window() -> Any:
    """The process's window, drawn off-screen where there is no screen."""
    from ui.window.app import configure

    configure(LARGE)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    return Window


@pytest.fixture
def actions() -> list[Any]:
    """What the sheet's touches sent, in order."""
    return []


@pytest.fixture
def make_sheet(window: Any, actions: list[Any]) -> Iterator[Callable[[Theme], Any]]:
    """Puts a sheet into the window; a window's touches reach the last one made."""
    from ui.widgets.sheet import Sheet

    made: list[Any] = []

    def make(theme: Theme) -> Any:
        window.size = theme.size_px
        sheet = Sheet(theme, actions.append)
        window.add_widget(sheet)
        made.append(sheet)
        return sheet

    yield make
    for sheet in made:
        window.remove_widget(sheet)
