"""One Kivy window for all tests of this folder: Kivy knows only one per process."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ui.theme import Theme

SMALL, LARGE = (800, 480), (1280, 720)


@pytest.fixture(scope="module", autouse=True)
def old_objects_settled() -> None:
    """What stands when a module begins is not walked again: collecting after each test is cheap."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_old_tables(old_objects_settled: None) -> Iterator[None]:
    """A table and its camera know each other: a hundred megabytes each till they are collected."""
    yield
    gc.collect()


@pytest.fixture(scope="session")
def window() -> Any:
    """The process's window, drawn off-screen where there is no screen."""
    from ui.app import configure

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
