"""Which pin carries what: the panel's parts by name, each of them optional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Self, cast

from companion.core.errors import BadCall
from companion.core.offers import Button
from companion.core.ruling import Json

LAST_GPIO = 27

HEADER_PINS: Mapping[int, int] = {
    2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 10: 19, 9: 21, 11: 23, 0: 27, 5: 29, 6: 31, 13: 33,
    19: 35, 26: 37, 14: 8, 15: 10, 18: 12, 23: 16, 24: 18, 25: 22, 8: 24, 7: 26, 1: 28, 12: 32,
    16: 36, 20: 38, 21: 40,
}  # fmt: skip
"""A Raspberry Pi's GPIO numbers, and where their pins are counted on its header."""


class BuzzerKind(StrEnum):
    """What hangs on the buzzer's pin: one that beeps by itself on direct current, or a bare disc.

    A bare piezo disc (passive buzzer) is given a tone of its own for each sound, and a loudness.
    """

    ACTIVE = "active"
    TONE = "tone"


def _part(pin: int, about: str) -> int:
    """A part of a panel: the pin that it has unless somebody says otherwise, and what it is."""
    return field(default=pin, metadata={_ABOUT: about})


def _lamp(pin: int, at_s: float) -> int:
    """A countdown lamp, and the seconds left from which it is lit."""
    about = f"lit from {at_s:g} s on" if at_s else "lit at zero"
    return field(default=pin, metadata={_ABOUT: about, _AT_S: at_s})


_ABOUT, _AT_S = "about", "at_s"


@dataclass(frozen=True, slots=True)
class PinPlan:
    """The pins in Broadcom's numbers (GPIO 17 is header pin 11); None: that part is not there.

    Outputs are active high and drive transistors; buttons close to ground against the Pi's own
    pull-up. hardware/wiring.md shows the same as a table for the soldering iron. Errors: BadCall
    naming the part, for a pin that no header has or that carries something already.

    A lamp more is a line here, left to right, and its rows in wiring.md: lamps on all screens and
    panels, the settings and their file follow. It changes with a sign, so its seconds are one of
    `CUES_S`. The sensor box has lamps of its own.

    >>> PinPlan(lamp_ten=None).lamps[:3]
    (None, 6, 13)
    """

    buzzer: int | None = _part(18, "the buzzer's transistor")
    lamp_ten: int | None = _lamp(5, 10.0)
    lamp_five: int | None = _lamp(6, 5.0)
    lamp_three: int | None = _lamp(13, 3.0)
    lamp_zero: int | None = _lamp(19, 0.0)
    button_ready_1: int | None = _part(17, "ready, first team")
    button_ready_2: int | None = _part(27, "ready, second team")
    button_challenge_1: int | None = _part(23, "challenge, first team")
    button_challenge_2: int | None = _part(24, "challenge, second team")
    button_referee: int | None = _part(22, "pause and go on; held: a challenge")
    buzzer_kind: BuzzerKind = BuzzerKind.ACTIVE

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for name in PARTS:
            pin = getattr(self, name)
            if pin is None:
                continue
            if type(pin) is not int or not 0 <= pin <= LAST_GPIO:
                raise BadPin(name, f"pin {pin!r} is not one of GPIO 0 to {LAST_GPIO}")
            if pin in taken:
                text = f"GPIO {pin} already carries {taken[pin]}; give each its own"
                raise BadPin(name, text, taken[pin])
            taken[pin] = name

    @property
    def lamps(self) -> tuple[int | None, ...]:
        """The lamps' pins in the order of `LAMPS_S`."""
        return tuple(getattr(self, part) for part in LAMP_PARTS)

    @property
    def buttons(self) -> Mapping[Button, int]:
        """The pin of each button that is there."""
        wired = {
            Button.READY_FIRST: self.button_ready_1,
            Button.READY_SECOND: self.button_ready_2,
            Button.CHALLENGE_FIRST: self.button_challenge_1,
            Button.CHALLENGE_SECOND: self.button_challenge_2,
            Button.REFEREE: self.button_referee,
        }
        return {button: pin for button, pin in wired.items() if pin is not None}

    @property
    def free(self) -> tuple[int, ...]:
        """The pins that carry nothing yet, lowest first."""
        taken = {getattr(self, name) for name in PARTS}
        return tuple(pin for pin in range(LAST_GPIO + 1) if pin not in taken)

    def to_json(self) -> dict[str, Json]:
        """The plan as plain values, for the line that starts the signal process."""
        return {**asdict(self), "buzzer_kind": str(self.buzzer_kind)}

    @classmethod
    def from_json(cls, raw: object) -> Self:
        """The plan of `to_json`; BadCall for anything else."""
        if not isinstance(raw, dict):
            raise BadCall(f"a pin plan is an object of part and pin, not {raw!r:.60}")
        given = cast("dict[str, object]", raw)
        kinds = tuple(BuzzerKind)
        if not set(given) <= {*PARTS, "buzzer_kind"}:
            raise BadCall(f"a pin plan has {', '.join(PARTS)}, buzzer_kind; not {sorted(given)}")
        kind = given.get("buzzer_kind", BuzzerKind.ACTIVE)
        if kind not in kinds:
            raise BadCall(f"buzzer_kind: {kind!r} is not one of {', '.join(kinds)}")
        pins = cast("dict[str, int | None]", {name: given[name] for name in PARTS if name in given})
        return cls(**pins, buzzer_kind=BuzzerKind(str(kind)))


class BadPin(BadCall):
    """A part on a pin that it cannot have: its name in the plan, and that of the part there."""

    def __init__(self, part: str, text: str, other: str = "") -> None:
        super().__init__(f"{part}: {text}")
        self.part = part
        self.other = other


ABOUT: Mapping[str, str] = {
    one.name: str(one.metadata[_ABOUT]) for one in fields(PinPlan) if _ABOUT in one.metadata
}
"""What each part is, in a few words for the settings."""

PARTS = tuple(ABOUT)
"""The parts of a panel by the names that the settings file and wiring.md use."""

_LAMPS: Mapping[str, float] = {
    one.name: one.metadata[_AT_S] for one in fields(PinPlan) if _AT_S in one.metadata
}

LAMPS_S = tuple(_LAMPS.values())
"""The countdown lamps, left to right: the seconds left from which each is lit."""

LAMP_PARTS = tuple(_LAMPS)
"""Those of the lamps, in the order of `LAMPS_S`."""

PINS = PinPlan()
