"""The window: shows what the operator sees, hands over what is touched, ticks. Nothing else.

Everything happens on the main thread. A tick lets the table do what is due and asks for the state
to show; only what differs from before is drawn, and a still screen draws nothing at all.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from typing import Any

import ui.widgets  # noqa: F401 - it prepares Kivy, which reads its environment at import

# isort: split
from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager, stopTouchApp
from kivy.clock import Clock

from ui.releases.starter import proven
from ui.scene.theme import Hand, Light, Palette, Theme
from ui.screens.beside.home import HomeState
from ui.screens.beside.lists import DevicesState
from ui.screens.beside.new_match import NewMatchState
from ui.screens.beside.past import ExportState, PastMatchState, PastState
from ui.screens.beside.settings import SettingsState
from ui.screens.beside.trouble import TroubleState
from ui.screens.match.round import RoundState
from ui.screens.registry import parts_of, screen_of
from ui.screens.spoken import spoken
from ui.table.settings import Settings
from ui.touch.actions import Action, EraseLetter, LeaveName, Restart, TakeName, TypeLetter
from ui.window import appliance
from ui.window.ahead import Ahead, read_book
from ui.window.opening import SIZE_PX, TITLE, Opening, configure
from ui.window.operator import Operator

TICKS_PER_S = 20
_USUAL_BEATS = 2
_BEATS: dict[type, int] = {
    RoundState: 1,
    DevicesState: 10,
    HomeState: 10,
    NewMatchState: 10,
    PastState: 10,
    PastMatchState: 10,
    ExportState: 10,
    SettingsState: 10,
}
"""Ticks between two looks at the state: a count may not lag, ages of devices may."""
_CALM_BEATS, _SELDOM_BEATS = 40, 10
"""A screen that stayed the same for so many ticks is looked at seldom, until something happens."""

SETTLED_AFTER_S = 0.5
"""So long after its first frame nobody has touched the first screen yet."""

_KEYS: dict[int, Action] = {8: EraseLetter(), 13: TakeName(), 27: LeaveName(), 271: TakeName()}
_LOG = logging.getLogger(__name__)


def theme_of(settings: Settings, size_px: tuple[int, int]) -> Theme:
    """The table's settings as a theme for a window of this size."""
    return _theme_of(settings.theme, settings.palette, settings.hand, size_px)


@lru_cache(maxsize=4)
def _theme_of(light: str, palette: str, hand: str, size_px: tuple[int, int]) -> Theme:
    return Theme(Light(light), Palette(palette), Hand(hand), size_px)


class CompanionApp(App):
    """The touch app for one operator; `service` is told that it is ready and alive.

    `opening` is what the window shows until then, where it stands already; `trouble` is shown
    first.
    """

    def __init__(
        self,
        operator: Operator,
        service: appliance.Service | None = None,
        opening: Opening | None = None,
        trouble: TroubleState | None = None,
    ) -> None:
        super().__init__()
        self.service = service or appliance.Service({})
        self.awake = appliance.Awake()
        self.title = TITLE
        self.operator = operator
        self.opening = opening
        self.trouble = trouble
        self._shown: Any = None
        self._match: Any = None
        self._beat = self._calm_since = self._news = 0

    # --- Kivy's moments ---

    def build(self) -> Any:
        """The sheet that fills the window."""
        from kivy.core.window import Window

        if Window is None:  # Kivy has logged what each way to a window said
            text = "no window can be opened here; `companion doctor` tells of the screen"
            raise appliance.NoWindow(f"{text}, `companion demo --terminal` needs none")

        from ui.widgets.sheet import Sheet

        self.window = Window
        self.sheet = Sheet(self._theme(), self._touched, self._touched_blank)
        self.sheet.glides = True
        Window.bind(on_textinput=self._typed, on_key_down=self._key_down)
        Window.bind(on_resize=self._resized)
        Clock.schedule_interval(self.tick, 1 / TICKS_PER_S)
        self.handler = _Trouble(self)
        ExceptionManager.add_handler(self.handler)
        self.refresh()
        if self.opening is not None:
            self.opening.close()
        self.service.ready()
        if self.service.is_awaited:
            proven()
        return self.sheet

    def on_start(self) -> None:
        """The first screen stands: what other screens want of the boxes is loaded behind it."""
        Ahead(self.operator, self.sheet, self._settle).start()

    def _settle(self) -> None:
        """Everything that every match needs is loaded."""
        Clock.schedule_once(lambda _dt: appliance.settle_memory(), SETTLED_AFTER_S)

    def open_settings(self, *_asked: Any) -> bool:
        """Kivy's own settings are none of ours: its key F1 opens nothing."""
        return False

    def on_stop(self) -> None:
        """The window was closed: a running round goes on in its own process."""
        ExceptionManager.remove_handler(self.handler)
        self.window.unbind(on_resize=self._resized)
        self.service.stopping()
        self.awake.close()
        self.operator.close()

    # --- ticking ---

    def tick(self, _dt: float) -> None:
        """Let the table do what is due; show what changed as often as this screen needs it."""
        self.operator.tick()
        self.service.beat(time.monotonic())
        self._beat += 1
        if self.operator.table.news != self._news:
            self._news = self.operator.table.news
            self._stir()
        if self._beat - self._calm_since == _CALM_BEATS:
            appliance.tidy_up()
        if self._beat % self._beats() == 0:
            self.refresh()

    def _stir(self) -> None:
        """Something happened: what it changes on the screen is seen at the next usual look."""
        self._calm_since = self._beat

    def _beats(self) -> int:
        """Ticks until the state is looked at again: sooner where a phase's clock stands on it."""
        if self._beat - self._calm_since > _CALM_BEATS:
            return _SELDOM_BEATS
        beats = _BEATS.get(type(self._shown), _USUAL_BEATS)
        frame = getattr(self._shown, "frame", None)
        return min(beats, _USUAL_BEATS) if frame is not None and frame.strip else beats

    def _look_at_match(self) -> None:
        """Neither machine nor screen sleeps while one is under way; what led to it is let go."""
        match = self.operator.table.match
        playing = match is not None and match.outcome is None
        if match is not self._match:
            self._match = match
            if match is not None:
                read_book(match)
            Clock.schedule_once(lambda _dt: appliance.return_memory(), SETTLED_AFTER_S)
        self.awake.keep(needed=playing)
        if self.window.allow_screensaver == playing:
            self.window.allow_screensaver = not playing

    def refresh(self) -> None:
        """Show the state of this moment, if it or the window differs from what is shown."""
        state = self.trouble or self.operator.state()
        theme = self._theme()
        self._look_at_match()
        if state == self._shown and theme == self.sheet.theme:
            return
        self.sheet.show(screen_of(state), parts_of(state, theme), theme)
        self._shown = state
        self._stir()
        self.operator.table.sounding.read_out(spoken(state))

    def _theme(self) -> Theme:
        return theme_of(self.operator.table.settings, tuple(self.window.size))

    # --- touches and keys ---

    def _touched(self, action: Action) -> None:
        if self.trouble is not None and action != Restart():
            self.trouble = None
            self.operator.look_afresh()
        else:
            self.operator.touched(action)
        if self.operator.quitting:
            stopTouchApp()  # `App.stop` would let go of the table a second time
            return
        self.refresh()

    def _resized(self, *_size: Any) -> None:
        self.refresh()

    def _touched_blank(self) -> None:
        self._stir()
        self.operator.touched_blank()

    def _typed(self, _window: Any, letters: str) -> None:
        self._stir()
        for letter in letters:
            if not self.operator.type(TypeLetter(letter)):
                self.operator.press(letter)

    def _key_down(self, _window: Any, key: int, *_more: Any) -> bool:
        """Return, Escape and Backspace while a name is typed; other keys mean nothing."""
        if not self.operator.typing or key not in _KEYS:
            return False
        self._stir()
        self.operator.touched(_KEYS[key])
        return True


class _Trouble(ExceptionHandler):
    """A mistake of ours is named on the screen and written down; the match on disk is safe."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__()
        self.app = app

    def handle_exception(self, inst: Exception) -> int:
        if not isinstance(inst, Exception):
            return ExceptionManager.RAISE
        if self.app.trouble is not None:  # not even the trouble can be shown
            return ExceptionManager.RAISE
        _LOG.error("the screen failed", exc_info=inst)
        self.app.trouble = TroubleState.of(inst)
        return ExceptionManager.PASS


def run(
    operator: Operator,
    size_px: tuple[int, int] = SIZE_PX,
    service: appliance.Service | None = None,
    opening: Opening | None = None,
    trouble: TroubleState | None = None,
) -> None:
    """Open the window, if it does not stand already, and stay until it is closed."""
    rotation = operator.table.settings.rotation
    configure(size_px, rotation)
    if opening is not None:
        opening.turn(rotation)
    CompanionApp(operator, service, opening, trouble).run()
