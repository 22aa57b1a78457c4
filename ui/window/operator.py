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
from ui.scene.scene import Scene
from ui.scene.values import Alert, Strip
from ui.screens.beside.naming import ARBITER, ClaimState, NamingState, SearchState, TitleState
from ui.screens.match.round import Phase, RoundState, strip_of
from ui.screens.registry import ScreenState, present
from ui.touch import actions
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from ui.table.table import Table

Typed = NamingState | SearchState | TitleState | ClaimState
"""A keyboard on the screen, and what was typed so far."""

OpensKeyboard = (
    actions.EditName | actions.Search | actions.AddWords | actions.TypeArbiter | actions.TypeClaim
)
"""The touches that open a keyboard."""

NO_DEMO = Alert("No demonstration here", "Start it as `companion demo` in a terminal.", "DEMO", "")


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
        self.half_typed: Typed | None = None
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
        """What the screen shows now: a keyboard lies above all but LOCKED, with the clock in it."""
        under = present(self.table.situation(), self.sitting.view)
        if self.naming is None or _is_locked(under):
            return under
        strip = self._strip()
        return self.naming if strip is None else replace(self.naming, strip=strip)

    def _strip(self) -> Strip | None:
        """The clock of a phase that goes on, which leads back to it."""
        situation = self.table.situation()
        if situation.referee is None:
            return None
        strip = strip_of(Scene(situation, self.sitting.view))
        return strip and replace(strip, action=actions.ToPhase())

    @property
    def typing(self) -> bool:
        """Whether a keyboard is on the screen; one that gave way to LOCKED waits."""
        return self.naming is not None and not _is_locked(self.state())

    def close(self) -> None:
        """Let go of every table."""
        if self.playing is not None and self.playing.table is not self.home.table:
            self.playing.table.close()
        self.home.table.close()

    # -- touches ---------------------------------------------------------------------------

    def touched(self, touch: actions.Action) -> None:
        """Do what a touch means; a refusal is part of the next state."""
        if self.naming is not None and self._leaves_keyboard(touch):
            self.naming, self.half_typed = None, self.naming
        match touch:
            case (
                actions.EditName()
                | actions.Search()
                | actions.AddWords()
                | actions.TypeArbiter()
                | actions.TypeClaim()
            ):
                self.naming = self._keyboard(touch)
            case actions.TypeLetter() | actions.EraseLetter() | actions.SwitchLetters():
                self.type(touch)
            case actions.TakeName():
                self._take_name()
            case actions.LeaveName():
                self.naming = None
            case actions.ShowDemo():
                self._show_demo()
            case actions.Quit():
                self.quitting = True
            case actions.Restart():
                self.quitting = self.restarting = True
            case actions.Leave() if self.playing is not None:
                self._end_demo()
            case _:
                self._act(touch)

    def look_afresh(self) -> None:
        """Close whatever is open: what could not be shown would fail again and again."""
        self.naming = self.half_typed = None
        view = self.sitting.view.at_the_match()
        self.sitting.view = replace(view, page=0, draft=None, refusal=None, aside=None)

    def touched_blank(self) -> None:
        """A touch beside every key stops what would otherwise be accepted by sight."""
        if self.table.referee is not None:
            self._act(actions.HoldSight())

    def type(self, letter: actions.Typing) -> bool:
        """A key of a keyboard; whether anybody was typing."""
        if self.naming is None or not self.typing:
            return False
        self.naming = self.naming.after(letter)
        return True

    def _leaves_keyboard(self, touch: actions.Action) -> bool:
        """Whether a touch leads away from a keyboard: to the phase, or above LOCKED."""
        of_keys = isinstance(touch, actions.HandsOff | actions.HoldSight)
        return isinstance(touch, actions.ToPhase) or not (of_keys or self.typing)

    def _keyboard(self, touch: OpensKeyboard) -> Typed:
        """The keyboard that a touch opens, with what was half typed on it."""
        fresh, half = _keyboard(touch), self.half_typed
        self.half_typed = None
        return (
            half
            if half is not None and replace(half, text=fresh.text, more=False) == fresh
            else fresh
        )

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

    def _act(self, action: actions.Action) -> None:
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


def _is_locked(state: ScreenState | Typed) -> bool:
    return isinstance(state, RoundState) and state.phase is Phase.LOCKED


def _keyboard(touch: OpensKeyboard) -> Typed:
    """The keyboard that a touch opens, with what it is for."""
    match touch:
        case actions.EditName():
            return NamingState(touch, touch.player)
        case actions.Search(box, words):
            return SearchState(box, words)
        case actions.AddWords():
            return TitleState(touch)
        case actions.TypeClaim():
            return ClaimState(touch, touch.text)
        case actions.TypeArbiter():
            return NamingState(ARBITER)
