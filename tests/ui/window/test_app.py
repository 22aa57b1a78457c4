"""The window on a real table: touched from home to the lock, by given time."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.core.offers import Button
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from tests.patience import PATIENCE_S
from ui.scene.theme import Light
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch.actions import Panel, Quit, SetSetting, Show
from ui.window import appliance
from ui.window.operator import Operator


@dataclass
class Clock:
    """The table's time and the fingers': it moves when it is told to."""

    now: float = field(default_factory=time.monotonic)

    def __call__(self) -> float:
        return self.now


class Shown:
    """The app in the test's window, with a finger that finds keys by their words."""

    def __init__(self, window: Any, folder: Path, clock: Clock) -> None:
        from kivy.clock import Clock as KivyClock

        from ui.window.app import CompanionApp

        self.window, self.clock = window, clock
        settings = SettingsFile(folder / "settings.toml", Settings(theme="night", pins="none"))
        panel = DeskPanel(clock=clock)
        record = Record.open(str(folder / "matches.sqlite"))
        self.table = Table(record, settings, signals=panel, clock=clock)
        self.operator = Operator(self.table)
        self.app: Any = CompanionApp(self.operator)
        window.size = (800, 480)
        self.sheet: Any = self.app.build()
        KivyClock.unschedule(self.app.tick)  # time is ours
        window.add_widget(self.sheet)
        clock.now = max(clock.now, time.monotonic())  # the sheet was shown by the real clock
        self.sheet.clock = clock

    def close(self) -> None:
        """As closing the window does."""
        self.window.remove_widget(self.sheet)
        self.app.on_stop()

    def tick(self) -> None:
        """What Kivy's clock does many times a second."""
        self.app.tick(0.0)
        self.app.refresh()

    def wait(self, seconds: float, steps: int = 1) -> None:
        """Time passes in even steps, each with a tick; nobody touches."""
        for _ in range(steps):
            self.clock.now += seconds / steps
            self.tick()

    @property
    def screen(self) -> str:
        """The name of the screen that is shown."""
        return str(self.sheet.screen)

    def texts(self) -> list[str]:
        """Everything that is written."""
        return [text.text for _, text in self.sheet.written()]

    def find(self, words: str) -> Any:
        """The touchable part on which these words stand."""
        for name, text in reversed(self.sheet.written()):
            part = self.sheet.parts[name]
            if text.text == words and part.action is not None:
                return part
        raise AssertionError(f"no key {words!r} among {self.texts()}")

    def touch(self, words: str) -> None:
        """Tap the key with these words, once the screen listens."""
        from kivy.tests.common import UnitTestTouch

        self.wait(0.3)
        x, y = self.find(words).box.centre
        touch = UnitTestTouch(x, 480 - y)
        touch.touch_down()
        touch.touch_up()
        self.tick()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shown(window: Any, tmp_path: Path, clock: Clock) -> Iterator[Shown]:
    """The app on an empty record, at home."""
    app = Shown(window, tmp_path, clock)
    yield app
    app.close()


def test_kivys_own_settings_never_open(shown: Shown) -> None:
    """F1 on a keyboard would lay them over the referee."""
    before = list(shown.window.children)
    assert not shown.app.open_settings()
    assert shown.window.children == before


def start_match(shown: Shown) -> None:
    """From home to the first question, with the defaults and by touch alone."""
    shown.touch("New match")
    next_tap(shown)
    while shown.screen == "TableCheck":
        next_tap(shown)


def next_tap(shown: Shown) -> None:
    """Whatever is lit at the far bottom edge."""
    from kivy.tests.common import UnitTestTouch

    shown.wait(0.3)
    assert "bottom/next" in shown.sheet.parts, (shown.screen, shown.texts())
    box = shown.sheet.parts["bottom/next"].box
    touch = UnitTestTouch(*((box.centre[0], 480 - box.centre[1])))
    touch.touch_down()
    touch.touch_up()
    shown.tick()


def to_the_round(shown: Shown) -> None:
    """Set-up done and both teams ready: the clock runs."""
    start_match(shown)
    for _ in range(30):
        if shown.screen == "Round":
            return
        if shown.screen == "Choose":
            part = next(
                part
                for name, part in shown.sheet.parts.items()
                if name.startswith(("pad/", "map/cell/")) and part.action is not None
            )
            shown.sheet.on_action(part.action)
        elif has_key(shown, "JAWS"):
            shown.touch("JAWS")
            shown.wait(0.3)
            shown.touch("PAWS")
        else:
            next_tap(shown)
        shown.wait(0.3)
    raise AssertionError(f"still at {shown.screen}: {shown.texts()}")


def has_key(shown: Shown, words: str) -> bool:
    """Whether such a key can be touched."""
    try:
        shown.find(words)
    except AssertionError:
        return False
    return True


def test_it_opens_at_home_in_the_tables_light(shown: Shown) -> None:
    """The first screen, in the settings' theme, with no match to go on with."""
    assert shown.screen == "Home"
    assert shown.sheet.theme.light is Light.NIGHT
    assert has_key(shown, "New match")


def test_a_match_begins_by_touch_alone(shown: Shown) -> None:
    """New match, table check, and the match is under way and on disk."""
    start_match(shown)
    assert shown.table.match is not None
    assert shown.table.match_id
    assert shown.screen not in ("Home", "NewMatch")


def looked_at(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Grows with each look at the state."""
    looks: list[float] = []
    state = shown.operator.state

    def counted() -> Any:
        looks.append(shown.clock.now)
        return state()

    monkeypatch.setattr(shown.operator, "state", counted)
    return looks


def test_a_question_that_stands_is_seldom_looked_at_until_a_button_is_pressed(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice a second; what a device reports is on the screen within two ticks, as ever."""
    to_both_ready(shown)
    looks = looked_at(shown, monkeypatch)

    def ticks(many: int) -> int:
        looks.clear()
        for _ in range(many):
            shown.clock.now += 0.05
            shown.app.tick(0.0)
        return len(looks)

    assert ticks(60) >= 20
    assert ticks(60) == 6
    before = shown.texts()
    assert isinstance(shown.table.signals, DeskPanel)
    shown.table.signals.push(Button.READY_FIRST)
    assert ticks(3) >= 1
    assert shown.texts() != before
    assert ticks(20) >= 9


def test_all_that_was_made_is_walked_in_a_calm_moment_and_not_under_a_finger(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a calm, where it is due; a whole collection stopped the next screen for 50 ms."""
    walked: list[int] = []
    due = [0, 0, 10]
    monkeypatch.setattr(gc, "get_count", lambda: tuple(due))
    monkeypatch.setattr(gc, "collect", lambda: walked.append(shown.app._beat))
    to_both_ready(shown)
    walked.clear()
    for _ in range(80):
        shown.app.tick(0.0)
    assert len(walked) == 1
    assert walked[0] - shown.app._calm_since == 40
    due[2] = 9
    shown.app._stir()
    for _ in range(80):
        shown.app.tick(0.0)
    assert len(walked) == 1


def test_by_itself_all_is_walked_ten_times_less_often_once_all_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where no moment is calm for long, memory is still given back."""
    set_to: list[tuple[int, ...]] = []
    for name in ("collect", "freeze", "enable"):
        monkeypatch.setattr(gc, name, lambda: None)
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc, "set_threshold", lambda *levels: set_to.append(levels))
    appliance.settle_memory()
    assert set_to == [(700, 10, 100)]


def test_new_match_is_drawn_before_it_is_touched(shown: Shown) -> None:
    """Its boards and words are at hand: the touch draws no shape and no letter anew."""
    from ui.window.ahead import Ahead

    settled: list[bool] = []
    ahead = Ahead(shown.operator, shown.sheet, lambda: settled.append(True))
    before, store = shown.texts(), shown.sheet._store
    steps = ahead.steps()
    assert ahead._go_on(steps)
    names = {*steps}
    assert shown.texts() == before
    assert {"box/0", "bottom/next"} <= names
    masks, letters = {*store._masks}, {*store.letters._kept}
    assert not ahead._go_on(steps)
    shown.touch("New match")
    assert shown.screen == "NewMatch"
    assert {*store._masks} == masks
    assert {*store.letters._kept} <= letters
    assert settled == [True]


def test_what_is_made_ready_comes_to_its_end_though_nobody_holds_it(shown: Shown) -> None:
    """Kivy's clock lets go of methods whose object is gone; memory would never be freed again."""
    from kivy.clock import Clock

    from ui.window.ahead import Ahead

    settled: list[bool] = []
    Ahead(shown.operator, shown.sheet, lambda: settled.append(True)).start()
    for thread in threading.enumerate():
        if thread.name == "ahead":
            thread.join(PATIENCE_S)
    for _frame in range(1_000):
        if settled:
            break
        Clock.tick()
    assert settled == [True]


def test_what_is_made_ready_ends_as_soon_as_another_screen_stands(shown: Shown) -> None:
    from ui.window.ahead import Ahead

    settled: list[bool] = []
    ahead = Ahead(shown.operator, shown.sheet, lambda: settled.append(True))
    steps = ahead.steps()
    assert ahead._go_on(steps)
    shown.touch("Settings")
    assert not ahead._go_on(steps)
    assert settled == [True]


def test_the_countdown_changes_untouched(shown: Shown) -> None:
    """The figures follow the table's clock with no touch at all, second by second."""
    to_the_round(shown)
    seen = [figure(shown)]
    for _ in range(4):
        shown.wait(1.0, steps=10)
        seen.append(figure(shown))
    first = int(seen[0])
    assert first in (19, 20)
    assert seen == [str(first - n) for n in range(5)]


def figure(shown: Shown) -> str:
    """The count as it is written."""
    written = [(name, text) for name, text in shown.sheet.written() if name.startswith("count/")]
    return "".join(text.text for _, text in sorted(written, key=lambda pair: pair[1].ink.x))


def test_the_window_ticks_by_itself(shown: Shown) -> None:
    """Kivy's own loop, idle and untouched, brings the next state onto the screen."""
    from kivy.base import EventLoop
    from kivy.clock import Clock as KivyClock

    to_the_round(shown)
    before = figure(shown)
    ticking = KivyClock.schedule_interval(shown.app.tick, 1 / 20)
    shown.clock.now += 1.0
    until = time.monotonic() + PATIENCE_S
    while figure(shown) == before and time.monotonic() < until:
        EventLoop.idle()
    ticking.cancel()
    assert int(figure(shown)) == int(before) - 1


def test_zero_locks_without_a_touch(shown: Shown) -> None:
    """At zero the body says LOCKED, and what hands must do."""
    to_the_round(shown)
    shown.wait(20.5, steps=41)
    assert "LOCKED" in shown.texts() or shown.screen == "Lock", shown.texts()


def test_pause_stops_the_clock_and_go_on_resumes_it(shown: Shown) -> None:
    """The next tap of a running round is Pause; nothing runs on while it is paused."""
    to_the_round(shown)
    shown.wait(5, steps=10)
    next_tap(shown)
    assert "PAUSED" in shown.texts()
    before = shown.texts()
    shown.wait(30, steps=10)
    assert "PAUSED" in shown.texts()
    assert [text for text in shown.texts() if "s LEFT" in text] == [
        text for text in before if "s LEFT" in text
    ]
    next_tap(shown)
    assert "PAUSED" not in shown.texts()


def test_a_player_is_named_on_the_screens_keyboard(shown: Shown) -> None:
    """Touch a seat, spell, take: the name stands at its seat."""
    shown.touch("New match")
    shown.touch("Jaws Pilot")
    assert shown.screen == "Naming"
    for _ in range(30):  # whatever name was proposed
        shown.operator.touched(_erase())
    shown.tick()
    for letter in "ZOE":
        shown.touch(letter)
    shown.touch("Take")
    assert shown.screen == "NewMatch"
    assert "Zoe" in shown.texts()


def _erase() -> Any:
    from ui.touch.actions import EraseLetter

    return EraseLetter()


def test_a_real_keyboard_types_the_name_too(shown: Shown, window: Any) -> None:
    """Letters, Backspace and Return of a keyboard do what the keys on the screen do."""
    shown.touch("New match")
    shown.touch("Jaws Pilot")
    for _ in range(30):
        window.dispatch("on_key_down", 8, 0, "", [])
    window.dispatch("on_textinput", "Xenia")
    shown.tick()
    assert "Xenia" in shown.texts()
    window.dispatch("on_key_down", 13, 0, "", [])
    shown.tick()
    assert shown.screen == "NewMatch"
    assert "Xenia" in shown.texts()


def test_settings_change_the_theme_live_and_on_disk(shown: Shown) -> None:
    """Day is one touch away, drawn at once, and there after the next start."""
    shown.operator.touched(SetSetting("theme", "day"))
    shown.tick()
    assert shown.sheet.theme.light is Light.DAY
    assert SettingsFile.load(shown.table.settings_file.path).settings.theme == "day"


def test_a_demonstration_that_cannot_be_played_is_said(shown: Shown) -> None:
    """No dead key: without a demonstration the screen says how to get one."""
    shown.touch("Show a demo")
    assert any("No demonstration" in text for text in shown.texts())


def test_a_mistake_of_ours_is_named_and_left_by_a_touch(shown: Shown) -> None:
    """An exception ends up on the screen, with what is safe; a touch looks afresh."""
    shown.operator.touched(Show(Panel.SETTINGS))
    assert shown.app.handler.handle_exception(KeyError("deck")) == 1
    shown.tick()
    assert "THE SCREEN FAILED" in shown.texts()
    next_tap(shown)
    assert shown.screen == "Home", "what failed is put away: else it would fail for ever"


def test_another_app_on_the_same_record_stands_at_the_same_question(
    shown: Shown, window: Any, tmp_path: Path, clock: Clock
) -> None:
    """Closed in the middle, home offers the match, and Resume asks what was asked."""
    start_match(shown)
    assert shown.table.match is not None
    asked = sorted(shown.table.match.open)
    again = Shown(window, tmp_path, clock)
    try:
        again.touch("Resume")
        assert again.table.match is not None
        assert sorted(again.table.match.open) == asked
    finally:
        again.close()


def test_the_keyboards_1_and_2_are_the_teams_buttons(shown: Shown, window: Any) -> None:
    """On a desk without buttons 1 and 2 say that a team is ready."""
    told: list[Any] = []
    panel = shown.table.signals
    assert isinstance(panel, DeskPanel)
    panel.on_press = told.append
    window.dispatch("on_textinput", "1")
    window.dispatch("on_textinput", "x")
    assert len(told) == 1


def test_quit_ends_the_app(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held in the menu: Kivy's loop stops, which is what closing the window does too."""
    stopped: list[bool] = []
    monkeypatch.setattr("ui.window.app.stopTouchApp", lambda: stopped.append(True))
    shown.sheet.on_action(Quit())
    assert stopped == [True]


def test_what_is_shown_in_large_letters_is_read_out(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each screen once, as soon as it is shown; the round's cues too."""
    read: list[str] = []
    monkeypatch.setattr(shown.table.sounding, "read_out", read.append)
    to_the_round(shown)
    shown.wait(20.0, steps=40)
    said = [words for n, words in enumerate(read) if words and read[n - 1 : n] != [words]]
    assert said[0] == "look at the table"
    assert "toss" in said[1]
    assert said[-2].startswith("Lay cards")
    assert said[-1] == "locked. hands off the cards"


def fingers_on(shown: Shown, *boxes: Any) -> list[Any]:
    """Fingers that come down together and stay."""
    from kivy.tests.common import UnitTestTouch

    shown.wait(0.3)
    touches = [UnitTestTouch(box.centre[0], 480 - box.centre[1]) for box in boxes]
    for touch in touches:
        touch.touch_down()
    return touches


def to_both_ready(shown: Shown) -> None:
    """Set-up done, both teams asked for their word."""
    start_match(shown)
    for _ in range(30):
        if has_key(shown, "JAWS"):
            return
        if shown.screen == "Choose":
            places = ("pad/", "map/cell/")
            named = [part for name, part in shown.sheet.parts.items() if name.startswith(places)]
            shown.sheet.on_action(next(part.action for part in named if part.action is not None))
        else:
            next_tap(shown)
        shown.wait(0.3)
    raise AssertionError(f"still at {shown.screen}: {shown.texts()}")


def test_both_teams_are_ready_by_two_fingers_at_once(shown: Shown) -> None:
    """Two fingers down, two up: two answers, and the round starts."""
    to_both_ready(shown)
    keys = [shown.find(words).box for words in ("JAWS", "PAWS")]
    for touch in fingers_on(shown, *keys):
        touch.touch_up()
    shown.tick()
    assert shown.screen == "Round"
    assert shown.table.refereed().clock is not None


def test_face_to_face_two_fingers_on_pause_pause_once(shown: Shown) -> None:
    """What the second meant as it came down is done already: the clock does not run on."""
    shown.operator.touched(SetSetting("face_to_face", value=True))
    to_both_ready(shown)
    keys = [shown.find(words).box for words in ("JAWS", "PAWS")]
    for touch in fingers_on(shown, *keys):
        touch.touch_up()
    shown.tick()
    pauses = [shown.sheet.parts[name].box for name in ("near/next", "far/next")]
    for touch in fingers_on(shown, *pauses):
        touch.touch_up()
        shown.tick()
    clock = shown.table.refereed().clock
    assert clock is not None
    assert not clock.running


def test_a_window_that_is_turned_upright_is_touched_where_it_is_drawn(
    shown: Shown, clock: Clock
) -> None:
    """Another size is another layout at once, and touches follow it."""
    from kivy.tests.common import UnitTestTouch

    shown.window.size = (480, 800)
    shown.tick()
    assert shown.sheet.theme.high_u == 800
    clock.now += 0.3
    key = next(part for part in shown.sheet.parts.values() if isinstance(part.action, Show))
    touch = UnitTestTouch(key.box.centre[0], 800 - key.box.centre[1])
    touch.touch_down()
    touch.touch_up()
    shown.tick()
    assert shown.operator.sitting.view.panel is key.action.panel
    shown.window.size = (800, 480)


@pytest.mark.parametrize("panel", [Panel.SETTINGS, Panel.DEVICES, Panel.LOG])
def test_the_clock_counts_on_in_the_window_whatever_is_open(shown: Shown, panel: Panel) -> None:
    """Untouched, second by second, on screens that are looked at seldom too; then LOCKED."""
    to_the_round(shown)
    shown.operator.touched(Show(panel))
    shown.wait(1.0, steps=20)
    first = int(shown.sheet.parts["top/strip"].strip.count)
    for second in range(1, 4):
        shown.clock.now += 1.0
        for _ in range(3):
            shown.app.tick(0.0)
        assert shown.sheet.parts["top/strip"].strip.count == str(first - second)
    shown.wait(float(first), steps=20)
    assert shown.screen == "Round"
    assert "LOCKED" in shown.texts()
