"""The operator, who holds the screen: what is shown to them, and what their touches do.

No Kivy in here: the window hands touches in and draws the state that comes out; a test plays a
whole match without a window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import PanelError
from hardware.panel.desk import KEYS
from ui.scene.values import Refusal
from ui.screens.beside.naming import ARBITER, NamingState, SearchState, TitleState
from ui.screens.present import present
from ui.touch.acting import act
from ui.touch.actions import (
    AddWords,
    EditName,
    EraseLetter,
    HoldSight,
    Leave,
    LeaveName,
    Quit,
    Restart,
    Search,
    ShowDemo,
    SwitchLetters,
    TakeName,
    TypeArbiter,
    TypeLetter,
    Typing,
)
from ui.touch.view import View

if TYPE_CHECKING:
    from ui.screens.registry import ScreenState
    from ui.table.table import Table
    from ui.touch.actions import Action

Typed = NamingState | SearchState | TitleState
"""A keyboard on the screen, and what was typed so far."""

NO_DEMO = Refusal(
    "No demonstration here", "Start it as `companion demo` in a terminal.", "DEMO", ""
)


class Playing(Protocol):
    """A demonstration under way, as far as the operator knows it: see `ui.demo.demo`."""

    table: Table
    view: View

    @property
    def over(self) -> bool:
        """Whether everything was played."""
        ...

    def step(self) -> ScreenState:
        """One turn of time and of the bots; the screen before it."""
        ...


@dataclass
class TableInUse:
    """A table and what its operator has opened."""

    table: Table
    view: View


class Operator:
    """One person's view of one table; owned by the thread that owns the table.

    `demo` begins a demonstration on a table of its own, where the program can play one; `playing`
    is one that is under way, and everybody may touch while the bots play. `quitting` says that
    somebody wants the app to end, `restarting` that it is to be started again then: whoever shows
    the states ends it.
    """

    def __init__(
        self,
        table: Table,
        demo: Callable[[], Playing] | None = None,
        playing: Playing | None = None,
    ) -> None:
        self.home = TableInUse(table, View())
        self.demo = demo
        self.playing = playing
        self.naming: Typed | None = None
        self.quitting = False
        self.restarting = False

    # -- where we are ----------------------------------------------------------------------

    @property
    def sitting(self) -> TableInUse | Playing:
        """The table in front of us: our own, or the demonstration's."""
        return self.home if self.playing is None else self.playing

    @property
    def table(self) -> Table:
        """The table that is shown."""
        return self.sitting.table

    def tick(self) -> None:
        """Let time and bots do what is due; call it many times a second."""
        if self.playing is not None and not self.playing.over:
            self.playing.step()
        else:
            self.table.tick()

    def state(self) -> ScreenState | Typed:
        """What the screen shows now."""
        return self.naming or present(self.table.situation(), self.sitting.view)

    def close(self) -> None:
        """Let go of every table."""
        if self.playing is not None and self.playing.table is not self.home.table:
            self.playing.table.close()
        self.home.table.close()

    # -- touches ---------------------------------------------------------------------------

    def touched(self, touch: Action) -> None:
        """Do what a touch means; a refusal is part of the next state."""
        match touch:
            case EditName() | Search() | AddWords() | TypeArbiter():
                self.naming = _keyboard(touch)
            case TypeLetter() | EraseLetter() | SwitchLetters():
                self.type(touch)
            case TakeName():
                self._take_name()
            case LeaveName():
                self.naming = None
            case ShowDemo():
                self._show_demo()
            case Quit():
                self.quitting = True
            case Restart():
                self.quitting = self.restarting = True
            case Leave() if self.playing is not None:
                self._end_demo()
            case _:
                self._act(touch)

    def touched_blank(self) -> None:
        """A touch beside every key stops what would otherwise be accepted by sight."""
        if self.table.referee is not None:
            self._act(HoldSight())

    def type(self, letter: Typing) -> bool:
        """A key of a keyboard; whether anybody was typing."""
        if self.naming is None:
            return False
        self.naming = self.naming.after(letter)
        return True

    def press(self, character: str) -> bool:
        """A keyboard's key in place of a button: 1 and 2 the teams', 0 the referee's.

        Only where the panel has no buttons of its own; whether one was pressed.
        """
        button, signals = KEYS.get(character), self.table.signals
        if button is None or signals is None:
            return False
        try:
            signals.push(button)
        except PanelError:  # real wires: only a finger presses their buttons
            return False
        return True

    def _act(self, action: Action) -> None:
        self.sitting.view = act(action, self.table, self.sitting.view)

    def _take_name(self) -> None:
        """A name becomes a choice of the new match, words are looked up, a title is an answer.

        Each is judged like any other. Only an answer may do without words.
        """
        typed = self.naming
        if typed is not None and (typed.text.strip() or isinstance(typed, TitleState)):
            taken = typed.taken
            self.naming = None
            self._act(taken)

    def _show_demo(self) -> None:
        if self.demo is None:
            self.home.view = replace(self.home.view, refusal=NO_DEMO)
        elif self.playing is None:
            self.playing = self.demo()

    def _end_demo(self) -> None:
        """Back home; a demonstration's own table is put away with it."""
        playing, self.playing = self.playing, None
        if playing is not None and playing.table is not self.home.table:
            playing.table.close()
        else:
            self.home.table.leave()
        self.home.view = View(setup=self.home.view.setup)


def _keyboard(touch: EditName | Search | AddWords | TypeArbiter) -> Typed:
    """The keyboard that a touch opens, with what it is for."""
    match touch:
        case EditName():
            return NamingState(touch, touch.player)
        case Search(box, words):
            return SearchState(box, words)
        case AddWords():
            return TitleState(touch)
        case TypeArbiter():
            return NamingState(ARBITER)
