"""Which screen shows which state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ui.screens import cards, differ, lock, ruling
from ui.screens import round as round_screen
from ui.screens.page import Page, Parts
from ui.presenters.cards import CardsState
from ui.presenters.differ import DifferState
from ui.presenters.lock import LockState
from ui.presenters.round import RoundState
from ui.presenters.ruling import RulingState
from ui.theme import Theme
from ui.widgets.part import Part

LAYOUTS: Mapping[type, Callable[[Any, Page], Parts]] = {
    CardsState: cards.layout,
    DifferState: differ.layout,
    LockState: lock.layout,
    RoundState: round_screen.layout,
    RulingState: ruling.layout,
}


def parts_of(state: Any, theme: Theme) -> dict[str, Part]:
    """The parts that show a state; KeyError for a state that has no screen."""
    return dict(LAYOUTS[type(state)](state, Page(theme)))


def screen_of(state: Any) -> str:
    """The screen's name: a change of it makes all keys deaf for a moment."""
    module: ModuleType | str = LAYOUTS[type(state)].__module__
    return str(module).rpartition(".")[2]
