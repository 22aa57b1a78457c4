"""Operator: whoever holds the screen: what is shown to them, and what their touches do.

No Kivy in here: the window hands touches in and draws the state that comes out; a test plays a
whole match without a window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ui.naming import (
    EditName,
    EraseLetter,
    LeaveName,
    NamingState,
    SwitchLetters,
    TakeName,
    TypeLetter,
)
from ui.presenters.acting import act
from ui.presenters.actions import HoldSight, ShowDemo
from ui.presenters.common import Refusal
from ui.presenters.present import present
from ui.presenters.view import View

if TYPE_CHECKING:
    from ui.presenters.states import ScreenState
    from ui.table import Table

NO_DEMO = Refusal(
    "No demonstration here",
    "Start the program as `companion demo`, or put the open match away first.",
    "DEMO",
    "",
)


class Operator:
    """One person's view of one table; owned by the thread that owns the table.

    `demo` starts the demonstration match, where the program can play one.
    """

    def __init__(self, table: Table, demo: Callable[[], None] | None = None) -> None:
        self.table = table
        self.demo = demo
        self.view = View()
        self.naming: NamingState | None = None

    def state(self) -> ScreenState | NamingState:
        """What the screen shows now."""
        if self.naming is not None:
            return self.naming
        return present(self.table.situation(), self.view)

    def touched(self, action: Any) -> None:
        """Do what a touch means; a refusal is part of the next state."""
        match action:
            case EditName(field):
                self.naming = NamingState(field, field.player)
            case TypeLetter() | EraseLetter() | SwitchLetters():
                self.type(action)
            case TakeName():
                self._take_name()
            case LeaveName():
                self.naming = None
            case ShowDemo():
                self._show_demo()
            case _:
                self.view = act(action, self.table, self.view)

    def touched_blank(self) -> None:
        """A touch beside every key stops what would otherwise be accepted by sight."""
        if self.table.referee is not None:
            self.view = act(HoldSight(), self.table, self.view)

    def type(self, letter: TypeLetter | EraseLetter | SwitchLetters) -> bool:
        """A key of a keyboard; whether anybody was typing."""
        if self.naming is None:
            return False
        self.naming = self.naming.after(letter)
        return True

    def _take_name(self) -> None:
        """The name becomes a choice of the new match, judged like any other."""
        if self.naming is not None and self.naming.text.strip():
            choice = self.naming.choice
            self.naming = None
            self.view = act(choice, self.table, self.view)

    def _show_demo(self) -> None:
        if self.demo is None:
            self.view = replace(self.view, refusal=NO_DEMO)
        else:
            self.view = View(setup=self.view.setup)
            self.demo()
