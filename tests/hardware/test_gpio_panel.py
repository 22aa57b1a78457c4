"""The wires through gpiozero's shipped mock pins, and what is said where pins cannot be had."""

from __future__ import annotations

import sys
import types
from dataclasses import replace
from typing import Never

import pytest
from gpiozero.exc import PinUnknownPi

from companion.core.errors import BadCall, PanelError, PinsMissing
from companion.core.offers import Button
from hardware.panel.gpio import LAMP_HZ, GpioPanel, _reach, believable, open_factory
from hardware.panel.panel import DARK, lamps_at
from hardware.panel.pins import LAMPS_S, PARTS, BuzzerKind, PinPlan


def test_buzzer_and_lamps_follow_what_they_are_told() -> None:
    """Active high: on is a high pin, and each lamp is its own."""
    with GpioPanel("mock") as panel:
        panel.buzz(440.0)
        panel.light(tuple(at_s in (10.0, 0.0) for at_s in LAMPS_S))
        panel.buzz(0.0)
        assert [level for _, level in panel.recorded("buzzer")] == [False, True, False]
        assert panel.recorded("lamp_ten")[-1][1]
        assert not panel.recorded("lamp_five")[-1][1]
        assert panel.recorded("lamp_zero")[-1][1]


def test_a_dimmed_lamp_is_lit_for_a_share_of_the_time() -> None:
    """Half as bright to the eye is a quarter of the time, faster than it flickers."""
    with GpioPanel("mock") as panel:
        panel.light(lamps_at(10.0), brightness=50)
        lamp = panel._lamps[0]
        assert (lamp.value, lamp.frequency) == (0.25, LAMP_HZ)
        panel.light(lamps_at(10.0), brightness=100)
        assert lamp.value == 1.0


def test_a_bare_disc_is_given_each_tone_and_its_loudness() -> None:
    """A passive buzzer sounds at the pitch it is told: a square wave, narrower where softer."""
    with GpioPanel("mock", PinPlan(buzzer_kind=BuzzerKind.TONE)) as panel:
        panel.buzz(330.0, 100)
        assert (panel._buzzer.frequency, panel._buzzer.value) == (330.0, 0.5)
        panel.buzz(990.0, 50)
        assert (panel._buzzer.frequency, panel._buzzer.value) == (990.0, 0.125)
        panel.buzz(990.0, 0)
        assert panel._buzzer.value == 0.0
        panel.buzz(0.0)
        assert panel._buzzer.value == 0.0


def test_every_part_is_optional() -> None:
    """A panel of one lamp and one button: what is not there is passed over, and nothing fails."""
    bare = PinPlan.from_json(dict.fromkeys(PARTS))
    with GpioPanel("mock", replace(bare, lamp_zero=19, button_referee=22)) as panel:
        panel.buzz(440.0)
        panel.light(lamps_at(0.0))
        assert panel.recorded("lamp_zero")[-1][1]
        assert dict(panel.levels()) == {Button.REFEREE: False}
        with pytest.raises(
            PanelError, match=r"no pin is wired for ready-1: name one under \[panel"
        ):
            panel.push(Button.READY_FIRST, down=True)
    with GpioPanel("mock", bare) as nothing:
        nothing.light(DARK)
        assert dict(nothing.levels()) == {}


@pytest.mark.parametrize("button", Button)
def test_a_button_closes_to_ground(button: Button) -> None:
    """A low pin is a button held down; each edge is told once, with its time."""
    edges: list[tuple[Button, bool]] = []
    with GpioPanel("mock") as panel:
        panel.on_edge = lambda key, down, _at: edges.append((key, down))
        assert not panel.levels()[button]
        panel.push(button, down=True)
        assert panel.levels()[button]
        panel.push(button, down=False)
    assert edges == [(button, True), (button, False)]


def test_closing_silences_everything_and_may_be_done_twice() -> None:
    """A panel that is left must not go on sounding."""
    panel = GpioPanel("mock")
    panel.buzz(440.0)
    panel.light(lamps_at(0.0))
    recorded = panel.recorded
    lamps = [lamp for lamp in panel._lamps if lamp is not None]
    pins = [panel._buzzer.pin, *(lamp.pin for lamp in lamps)]
    panel.close()
    panel.close()
    assert all(not pin.states[-1].state for pin in pins)
    assert recorded is not None


def test_a_missing_library_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """No silent fall to another factory (field notes, 31): lgpio was chosen, lgpio is missing."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinsMissing, match=r"not installed .*apt install python3-lgpio"):
        GpioPanel("lgpio")


def test_the_empty_release_of_the_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.13 without the distribution's package gets lgpio 0.0.0.2, an empty file."""
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinsMissing, match=r"empty release .*apt install python3-lgpio"):
        GpioPanel("lgpio")


def test_an_unknown_factory_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadCall, match="no pin factory 'rpigpio'; there are lgpio, mock"):
        open_factory("rpigpio")


def test_the_factory_of_the_environment_is_not_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel's factory is the one it was given, whatever GPIOZERO_PIN_FACTORY says."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonsense")
    with GpioPanel("mock") as panel:
        assert panel.factory == "mock"


def test_two_panels_share_no_pin() -> None:
    """Mock panels of one program are apart: a test's buzzer is not another's."""
    with GpioPanel("mock") as one, GpioPanel("mock") as other:
        one.buzz(440.0)
        assert not other.recorded("buzzer")[-1][1]


def test_a_pin_that_cannot_be_claimed_is_a_panel_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first Pi had a header of 26 pins, without those of our lamps: said, not crashed."""
    monkeypatch.setenv("GPIOZERO_MOCK_REVISION", "0002")
    with pytest.raises(
        PanelError, match=r"a pin cannot be claimed \(5 is not a valid pin.*end the program"
    ):
        GpioPanel("mock")


def test_a_chip_that_cannot_be_opened_is_a_panel_error() -> None:
    """Whatever gpiozero and lgpio raise when the chip is opened becomes one kind of error."""

    def no_pi() -> Never:
        raise PinUnknownPi("unable to locate Pi revision")

    def no_chip() -> Never:
        raise RuntimeError("can not open gpiochip")

    with pytest.raises(PanelError, match=r"no Raspberry Pi.* choose mock pins \(Settings"):
        _reach(no_pi)
    with pytest.raises(PanelError, match=r"can not open gpiochip.*group gpio"):
        _reach(no_chip)


def test_real_buttons_are_not_pushed_by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    with GpioPanel("mock") as panel:
        monkeypatch.setattr(panel, "_name", "lgpio")
        with pytest.raises(PanelError, match="pressed by fingers"):
            panel.push(Button.REFEREE, down=True)


@pytest.mark.parametrize(
    ("ticks", "taken"), [(99.99, 99.99), (100.0, 100.0), (1.7e9, 100.0), (3.0, 100.0)]
)
def test_an_edge_of_another_clock_is_dated_now(ticks: float, taken: float) -> None:
    """Old kernels stamp edges with the wall clock; a press from 1970 would count for nothing."""
    assert believable(ticks, now=100.0) == taken
