"""The sheet under a finger: taps, holds, sliding off, deafness, redrawing while touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ui.scene.theme import Colour, Light, Theme
from ui.scene.values import Key, KeyLook
from ui.widgets.box import Box


@dataclass
class Hand:
    """Touches a sheet in u, as a finger would, through the window."""

    window: Any
    sheet: Any
    now: float = 100.0

    def __post_init__(self) -> None:
        self.sheet.clock = lambda: self.now

    def down(self, x: float, y: float) -> Any:
        """A finger goes down."""
        from kivy.tests.common import UnitTestTouch

        unit = self.sheet.theme.unit_px
        touch = UnitTestTouch(x * unit, self.sheet.theme.size_px[1] - y * unit)
        touch.touch_down()
        return touch

    def tap(self, x: float, y: float) -> None:
        """Down and up."""
        self.down(x, y).touch_up()

    def wait(self, seconds: float) -> None:
        """Time passes, and whatever is scheduled runs."""
        self.now += seconds
        for finger in list(self.sheet._fingers):
            self.sheet._hold(finger, 0.0)


def keys(**looks: KeyLook) -> dict[str, Any]:
    """Named keys side by side, 100 u wide."""
    from ui.widgets.key import key_cap

    return {
        name: key_cap(
            Box(10 + 120 * n, 100, 100, 80),
            Key(name, f"{name}!", look=look),  # type: ignore[arg-type]
            primary=look is KeyLook.GO,
        )
        for n, (name, look) in enumerate(looks.items())
    }


@pytest.fixture
def hand(window: Any, make_sheet: Callable[[Theme], Any]) -> Hand:
    """A finger over a sheet with a plain key, a held one and a next tap."""
    theme = Theme(size_px=(800, 480))
    sheet = make_sheet(theme)
    window.size = theme.size_px
    finger = Hand(window, sheet)
    sheet.show("one", keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO))
    finger.now += 1
    return finger


def test_a_tap_sends_its_action(hand: Hand, actions: list[Any]) -> None:
    """Down and up on a key does what the key means, once."""
    hand.tap(60, 140)
    assert actions == ["plain!"]


def test_one_finger_that_two_drivers_report_taps_once(hand: Hand, actions: list[Any]) -> None:
    """The same key within a tenth of a second is an echo; later it is a second tap."""
    hand.tap(60, 140)
    hand.now += 0.05
    hand.tap(60, 140)
    assert actions == ["plain!"]
    hand.now += 0.1
    hand.tap(60, 140)
    assert actions == ["plain!", "plain!"]


def test_touch_down_inverts_at_once_and_acts_on_lifting(hand: Hand, actions: list[Any]) -> None:
    """The key answers the finger before anything is done."""
    colours = ground_of(hand.sheet, "plain")
    touch = hand.down(60, 140)
    assert ground_of(hand.sheet, "plain") == hand.sheet.theme[Colour.GO] != colours
    assert actions == []
    touch.touch_up()
    assert actions == ["plain!"]
    assert ground_of(hand.sheet, "plain") == colours


def ground_of(sheet: Any, name: str) -> Any:
    """The colour a part fills."""
    return sheet._shown[name].filled[0].colour


def test_sliding_off_cancels(hand: Hand, actions: list[Any]) -> None:
    """A finger that leaves the key takes it back."""
    touch = hand.down(60, 140)
    touch.touch_move(60, 20)
    touch.touch_up()
    assert actions == []


def test_a_held_key_acts_after_eight_tenths_of_a_second(hand: Hand, actions: list[Any]) -> None:
    """Not on a tap, not at 0.7 s, at 0.8 s without lifting, and never twice."""
    hand.tap(180, 140)
    assert actions == []
    touch = hand.down(180, 140)
    hand.wait(0.7)
    assert actions == []
    hand.wait(0.11)
    assert actions == ["held!"]
    touch.touch_up()
    assert actions == ["held!"]


def test_lifting_early_cancels_a_hold(hand: Hand, actions: list[Any]) -> None:
    """0.7 s and away: nothing is done, and the next hold begins afresh."""
    touch = hand.down(180, 140)
    hand.wait(0.7)
    touch.touch_up()
    touch = hand.down(180, 140)
    hand.wait(0.2)
    assert actions == []
    touch.touch_up()


def test_everything_is_deaf_just_after_a_change_of_screen(hand: Hand, actions: list[Any]) -> None:
    """A quarter of a second after another screen opened nothing is taken; then it is."""
    hand.sheet.show("two", keys(plain=KeyLook.PLAIN))
    hand.now += 0.2
    hand.tap(60, 140)
    assert actions == []
    hand.now += 0.1
    hand.tap(60, 140)
    assert actions == ["plain!"]


def test_a_next_tap_that_has_changed_is_deaf(hand: Hand, actions: list[Any]) -> None:
    """A second tap in the same place does not do what only now stands there."""
    parts = keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO)
    parts["go"] = replace(parts["go"], action="later!")
    hand.sheet.show("one", parts)
    hand.tap(300, 140)
    assert actions == []
    hand.now += 0.3
    hand.tap(300, 140)
    assert actions == ["later!"]


def test_a_key_that_goes_away_under_the_finger_does_nothing(hand: Hand, actions: list[Any]) -> None:
    """The answer carries its question: when that is gone, so is the touch."""
    touch = hand.down(60, 140)
    hand.sheet.show("one", keys(other=KeyLook.PLAIN))
    touch.touch_up()
    assert actions == []


def test_two_fingers_at_once_are_two_taps(hand: Hand, actions: list[Any]) -> None:
    """Both keys answer at once, and each acts as its own finger lifts, in whatever order."""
    calm = ground_of(hand.sheet, "plain")
    first, second = hand.down(60, 140), hand.down(300, 140)
    assert ground_of(hand.sheet, "plain") != calm
    assert ground_of(hand.sheet, "go") == hand.sheet.theme[Colour.KEY]
    second.touch_up()
    assert actions == ["go!"]
    assert ground_of(hand.sheet, "plain") != calm
    first.touch_up()
    assert actions == ["go!", "plain!"]
    assert ground_of(hand.sheet, "plain") == calm


def test_a_hold_goes_on_while_others_tap(hand: Hand, actions: list[Any]) -> None:
    """And somebody who slides off a key takes nobody else's finger along."""
    held = hand.down(180, 140)
    hand.wait(0.5)
    sliding = hand.down(60, 140)
    sliding.touch_move(60, 20)
    sliding.touch_up()
    hand.tap(300, 140)
    assert actions == ["go!"]
    hand.wait(0.31)
    assert actions == ["go!", "held!"]
    held.touch_up()
    assert actions == ["go!", "held!"]


def test_two_fingers_hold_two_keys(hand: Hand, actions: list[Any]) -> None:
    """Each edge fills by itself; lifting one early cancels that one alone."""
    hand.sheet.show("one", keys(left=KeyLook.HOLD, right=KeyLook.HOLD))
    hand.now += 1
    first = hand.down(60, 140)
    hand.wait(0.4)
    hand.down(180, 140)
    hand.wait(0.3)
    first.touch_up()
    hand.wait(0.6)
    assert actions == ["right!"]


def test_a_screen_that_changes_lets_all_fingers_go(hand: Hand, actions: list[Any]) -> None:
    """What another finger brought is not answered by one that was down before."""
    first, second = hand.down(60, 140), hand.down(300, 140)
    hand.sheet.show("two", keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO))
    first.touch_up()
    second.touch_up()
    assert actions == []


def test_a_key_that_changes_its_meaning_under_a_finger_does_nothing(
    hand: Hand, actions: list[Any]
) -> None:
    """A finger does what stood there as it came down, or nothing."""
    touch = hand.down(60, 140)
    parts = keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO)
    parts["plain"] = replace(parts["plain"], action="other!")
    hand.sheet.show("one", parts)
    touch.touch_up()
    assert actions == []


def test_one_finger_that_two_drivers_report_at_once_taps_once(
    hand: Hand, actions: list[Any]
) -> None:
    """Both are down before either lifts."""
    first, second = hand.down(60, 140), hand.down(61, 141)
    first.touch_up()
    second.touch_up()
    assert actions == ["plain!"]


def test_an_impossible_key_sends_nothing(hand: Hand, actions: list[Any]) -> None:
    """A key without an action is no target."""
    from ui.widgets.key import key_cap

    box = Box(10, 100, 100, 80)
    key = Key("Start", None, "1 red line", look=KeyLook.IMPOSSIBLE)
    hand.sheet.show("one", {"start": key_cap(box, key)})
    hand.tap(60, 140)
    assert actions == []


def test_a_touch_beside_every_key_is_told(hand: Hand, actions: list[Any]) -> None:
    """It stops what sight would otherwise answer."""
    told: list[str] = []
    hand.sheet.on_blank = lambda: told.append("blank")
    hand.tap(700, 300)
    assert told == ["blank"]
    assert actions == []


def test_a_redraw_under_the_finger_keeps_the_key_pressed(hand: Hand, actions: list[Any]) -> None:
    """Other parts may change while a finger is down; the key still acts on lifting."""
    touch = hand.down(60, 140)
    parts = keys(plain=KeyLook.PLAIN, held=KeyLook.CHOSEN, go=KeyLook.GO)
    hand.sheet.show("one", parts)
    assert ground_of(hand.sheet, "plain") == hand.sheet.theme[Colour.GO]
    touch.touch_up()
    assert actions == ["plain!"]


def test_an_equal_screen_draws_nothing(hand: Hand) -> None:
    """A still screen costs nothing."""
    before = hand.sheet.drawn
    hand.sheet.show("one", keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO))
    assert hand.sheet.drawn == before


def test_another_theme_draws_all_in_its_colours(hand: Hand) -> None:
    """Light and palette change live."""
    night = Theme(Light.NIGHT, size_px=(800, 480))
    parts = keys(plain=KeyLook.PLAIN, held=KeyLook.HOLD, go=KeyLook.GO)
    hand.sheet.show("one", parts, night)
    assert ground_of(hand.sheet, "plain") == night[Colour.KEY]
