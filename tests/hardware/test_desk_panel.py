"""The panel for desks: keys, scripts and a clock that is handed in."""

from __future__ import annotations

import pytest

from companion.core.errors import BadFile, PanelError
from companion.core.offers import Button, Press, SignalEvent, SignalKind
from companion.core.round_clock import CUES_S
from hardware.panel.desk import DeskPanel, ScriptedPress, read_script
from hardware.panel.panel import Sound, lamps_at
from hardware.panel.pins import LAMPS_S


class SteppedClock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


def test_a_stepped_round_sounds_as_a_real_one(clock: SteppedClock) -> None:
    """The demonstration at pace 0 steps from sign to sign and misses none."""
    desk = DeskPanel(clock)
    desk.arm("round-1", 1020.0, CUES_S, 20.0)
    while (at := desk.next_at) is not None:
        clock.now = at
        desk.tick()
    events = [event for event in desk.events() if isinstance(event, SignalEvent)]
    assert [event.rest_s for event in events] == [20.0, *CUES_S]
    assert {event.late_s for event in events} == {0.0}
    assert [sound for _, sound in desk.heard] == [Sound.CUE] * len(CUES_S[1:]) + [Sound.LOCK]
    assert desk.lamps == lamps_at(0.0)
    assert not desk.buzzing
    assert desk.fired("round-1") == events[-1]


def test_a_stopped_round_goes_dark_and_tells_its_rest(clock: SteppedClock) -> None:
    desk = DeskPanel(clock)
    desk.arm("round-1", 1020.0, CUES_S, 20.0)
    clock.now = 1012.5
    desk.events()
    assert desk.stop() == 7.5
    assert desk.lamps == lamps_at(20.0)
    assert desk.adopt() is None
    assert desk.events() == [SignalEvent(SignalKind.STOPPED, "round-1", 1012.5, 7.5)]


def test_a_second_round_is_refused_while_one_is_armed(clock: SteppedClock) -> None:
    desk = DeskPanel(clock)
    desk.arm("round-1", 1020.0, CUES_S, 20.0)
    with pytest.raises(PanelError, match="round-1 is armed: adopt or stop it before round-2"):
        desk.arm("round-2", 1020.0, CUES_S, 20.0)


def test_keys_press_buttons_and_other_keys_do_not(clock: SteppedClock) -> None:
    desk = DeskPanel(clock)
    assert [desk.key(character) for character in "120x"] == [True, True, True, False]
    pressed = [told.button for told in desk.events() if isinstance(told, Press)]
    assert pressed == [Button.READY_FIRST, Button.READY_SECOND, Button.REFEREE]


def test_a_script_presses_at_its_times(clock: SteppedClock) -> None:
    desk = DeskPanel(clock, script=read_script("2 ready-2\n\n0.5 ready-1 # Jaws\n"))
    pressed: list[Press] = []
    desk.on_press = pressed.append
    clock.now = 1001.0
    desk.tick()
    assert [press.button for press in pressed] == [Button.READY_FIRST]
    assert desk.next_at == 1002.0


def test_what_changes_is_said(clock: SteppedClock) -> None:
    """The terminal shows lamps and buzzer as lines."""
    said: list[str] = []
    desk = DeskPanel(clock, say=said.append)
    desk.show(lamps_at(10.0))
    desk.sound("challenge")
    dark = " ".join("[ ]" for _ in LAMPS_S[1:])
    assert said == [f"lamps: [10] {dark}", "buzzer: challenge"]


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("1 ready-1\nsoon ready-2", r"script: line 2: 'soon ready-2' is not `SECONDS BUTTON`"),
        ("1 ready-9", r"a button of ready-1, ready-2, challenge-1, challenge-2, ref"),
        ("1", r"line 1: '1' is not"),
        ("-1 referee", r"line 1: -1 is not a number of seconds"),
        ("inf referee", r"line 1: inf is not a number of seconds"),
        ("nan referee", r"line 1: nan is not a number of seconds"),
    ],
)
def test_a_bad_script_is_refused_by_line(script: str, complaint: str) -> None:
    with pytest.raises(BadFile, match=complaint):
        read_script(script)


def test_a_script_is_read_in_the_order_of_time() -> None:
    assert read_script("2 referee\n1 ready-1") == [
        ScriptedPress(1.0, Button.READY_FIRST),
        ScriptedPress(2.0, Button.REFEREE),
    ]
