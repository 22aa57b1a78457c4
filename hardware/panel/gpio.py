"""The panel's wires through gpiozero, which nothing else imports.

The pin factory is named, never guessed: gpiozero's own search would fall through to a library that
drives no pin of this machine and say nothing. No pattern is played in here: gpiozero's own beep and
blink sleep between edges and drift.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, Self

from companion.core.errors import BadCall, PanelError, PinsMissing
from companion.core.offers import Button
from hardware.panel.panel import DARK, EdgeSink, Lamps, Percent, by_ratio
from hardware.panel.pins import PINS, BuzzerKind, PinPlan

LAMP_HZ = 200
"""How often a second a dimmed lamp is lit: more than any eye follows."""

SQUARE = 0.5
"""The share of each period that a tone of full loudness is on."""


class PinFactory(StrEnum):
    """The ways to reach pins: a Raspberry Pi's, or pretended ones that keep what they were told."""

    LGPIO = "lgpio"
    MOCK = "mock"


_NO_LGPIO = (
    "the pin factory lgpio was chosen, but its library {why}. Install it with "
    "`sudo apt install python3-lgpio` and a virtual environment made with --system-site-packages "
    "(Python 3.11 may also use `pip install 'lgpio>=0.2.2'`), or choose mock pins (Settings, Pins)"
)


def open_factory(name: str) -> Any:
    """The gpiozero pin factory of that name, and no other.

    Errors: BadCall for a name that is none of `PinFactory`; PinsMissing where the library is
    absent; PanelError where the pins cannot be reached. Each names the way out.
    """
    try:
        chosen = PinFactory(name)
    except ValueError:
        raise BadCall(f"no pin factory {name!r}; there are {', '.join(PinFactory)}") from None
    if chosen is PinFactory.MOCK:
        mock = _gpiozero("pins.mock")
        return mock.MockFactory(pin_class=mock.MockPWMPin)
    return _open_lgpio()


def _gpiozero(part: str = "") -> Any:
    try:
        return importlib.import_module(f"gpiozero.{part}" if part else "gpiozero")
    except ImportError as error:
        raise PinsMissing(
            f"gpiozero is not installed ({error}): `pip install 'gpiozero>=2.0.1.post3'`"
        ) from error


def _open_lgpio() -> Any:
    _gpiozero()
    try:
        factory_type = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory
    except ImportError as error:
        raise PinsMissing(_NO_LGPIO.format(why=f"is not installed ({error})")) from error
    except AttributeError as error:  # release 0.0.0.2 on PyPI is an empty file
        raise PinsMissing(_NO_LGPIO.format(why="is an empty release (0.0.0.2)")) from error
    return _reach(factory_type)


def _reach(factory_type: Callable[[], Any]) -> Any:
    """Open the chip; whatever gpiozero and lgpio raise becomes one kind of error."""
    unknown_pi = _gpiozero("exc").PinUnknownPi
    try:
        return factory_type()
    except unknown_pi as error:
        raise PanelError(
            "this machine is no Raspberry Pi, so lgpio has no pins to drive: choose mock pins "
            "(Settings, Pins)"
        ) from error
    except Exception as error:  # lgpio.error is a plain Exception
        raise PanelError(
            f"the pins cannot be opened ({error}). Is another program using them? Is this user "
            "in the group gpio (`sudo usermod -aG gpio $USER`, then log in again)?"
        ) from error


class GpioPanel:
    """Buzzer, lamps and buttons on the pins of one factory, as far as the plan has them.

    >>> with GpioPanel("mock") as panel:
    ...     panel.buzz(440.0)
    ...     panel.factory, panel.levels()[Button.REFEREE]
    ('mock', False)
    """

    def __init__(self, factory: str, plan: PinPlan = PINS) -> None:
        self.on_edge: EdgeSink | None = None
        self.plan = plan
        self._name = factory
        self._pins = open_factory(factory)
        self._devices: list[Any] = []
        self._claimed = False
        self._watchers: list[Callable[[float, Any], None]] = []  # gpiozero keeps only weak ones
        try:
            self._claim()
        except PanelError:
            self.close()
            raise

    def _claim(self) -> None:
        zero = _gpiozero()
        try:
            self._buzzer = self._claim_buzzer(zero)
            self._lamps: list[Any] = [
                None if pin is None else self._claim_output(zero.PWMLED, pin, frequency=LAMP_HZ)
                for pin in self.plan.lamps
            ]
            self._buttons = {
                button: self._keep(zero.InputDevice(pin, pull_up=True, pin_factory=self._pins))
                for button, pin in self.plan.buttons.items()
            }
            for button, device in self._buttons.items():
                self._watch(button, device.pin)
            self._claimed = True
        except Exception as error:
            raise PanelError(
                f"a pin cannot be claimed ({error}): end the program that holds it, or give the "
                "panel other pins"
            ) from error

    def _claim_buzzer(self, zero: Any) -> Any:
        if self.plan.buzzer is None:
            return None
        if self.plan.buzzer_kind is BuzzerKind.TONE:
            return self._claim_output(zero.PWMOutputDevice, self.plan.buzzer)
        return self._claim_output(zero.Buzzer, self.plan.buzzer)

    def _claim_output(self, kind: Callable[..., Any], pin: int, **more: Any) -> Any:
        return self._keep(kind(pin, pin_factory=self._pins, **more))

    def _keep(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def _watch(self, button: Button, pin: Any) -> None:
        watcher = partial(self._changed, button)
        self._watchers.append(watcher)
        pin.edges = "both"
        pin.when_changed = watcher

    def _changed(self, button: Button, ticks: float, level: Any) -> None:
        """On the library's own thread: pass on what happened and when, nothing else."""
        if self.on_edge is not None:
            self.on_edge(button, not level, believable(ticks, time.monotonic()))

    @property
    def factory(self) -> str:
        return self._name

    def buzz(self, tone_hz: float, volume: Percent = 100) -> None:
        if self._buzzer is None:
            return
        sounds = tone_hz > 0.0 and volume > 0
        if self.plan.buzzer_kind is BuzzerKind.ACTIVE:
            self._buzzer.value = sounds
            return
        if sounds:
            self._buzzer.frequency = tone_hz
        self._buzzer.value = SQUARE * by_ratio(volume) if sounds else 0.0

    def light(self, lamps: Lamps, brightness: Percent = 100) -> None:
        share = by_ratio(brightness)
        for device, lit in zip(self._lamps, lamps, strict=True):
            if device is not None:
                device.value = share if lit else 0.0

    def levels(self) -> Mapping[Button, bool]:
        return {button: bool(device.value) for button, device in self._buttons.items()}

    def push(self, button: Button, *, down: bool) -> None:
        """Drive a pretended button's pin to ground, or let it go; PanelError on real pins."""
        if self._name != PinFactory.MOCK:
            raise PanelError("real buttons are pressed by fingers: only mock pins can be pushed")
        if button not in self._buttons:
            raise PanelError(
                f"no pin is wired for {button}: name one under [panel] in the settings"
            )
        pin = self._buttons[button].pin
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def recorded(self, name: str) -> list[tuple[float, bool]]:
        """What a mock pin went through: (s since the change before, level), oldest first.

        `name` is a part of the plan that is there.
        """
        states = self._pins.pin(getattr(self.plan, name)).states
        return [(state.timestamp, bool(state.state)) for state in states]

    def close(self) -> None:
        self.on_edge = None
        if self._claimed:
            self._claimed = False
            self.buzz(0.0)
            self.light(DARK)
        while self._devices:
            self._devices.pop().close()
        self._pins.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def believable(ticks: float, now: float) -> float:
    """The kernel's time of an edge where it is on our clock, else now.

    Old kernels stamp edges with the wall clock; a press dated in 1970 or in fifty years would
    count for nothing.
    """
    return ticks if now - 1.0 <= ticks <= now else now
