"""The lines between the signal process and its clients: JSON, one object a line.

To the process: `{"id": 7, "op": "arm", ...}`. From it: a hello, then for each request
`{"re": 7, "ok": {...}}` or `{"re": 7, "refused": "why"}`, and unasked `{"seq": 12, "event": ...}`
and once a second `{"beat": ...}`. All seconds are CLOCK_MONOTONIC of the boot that the hello names.

Parsing is pure and takes any bytes: what is no request is a `BadRequest` with a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, cast

from companion.core.errors import BadCall
from companion.core.offers import Button, Press, SignalEvent, SignalKind
from companion.core.ruling import Json
from hardware.panel.debounce import ButtonFault, Contact
from hardware.panel.panel import Lamps, Manner, Sound, every_lamp, sound_named

PROTOCOL = 2
"""Raised by one whenever an older client or server would misread the newer."""

LINE_MAX = 4096
"""Bytes of the longest line either side sends."""

CUES_MAX = 64
NAME_MAX = 200
DEADLINE_MAX_S = 24 * 3600.0
PAST_MAX_S = 5.0


class BadRequest(BadCall):
    """A line that is no request of this protocol; nothing was done."""


@dataclass(frozen=True, slots=True)
class ArmRound:
    """Sound the cues and zero of a round at an absolute deadline of boot `boot`."""

    round_id: str
    deadline: float
    total_s: float
    cues: tuple[float, ...]
    boot: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Forget the armed round; `hold`: it is only paused, so the lamps stay."""

    hold: bool


@dataclass(frozen=True, slots=True)
class Adopt:
    """Tell the armed round."""


@dataclass(frozen=True, slots=True)
class ShowLamps:
    """Light the lamps as given."""

    lamps: Lamps


@dataclass(frozen=True, slots=True)
class Play:
    """Sound a named pattern."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Recall:
    """Tell again the events after number `since`."""

    since: int


@dataclass(frozen=True, slots=True)
class Push:
    """Press a mock button for `held_s`."""

    button: Button
    held_s: float


@dataclass(frozen=True, slots=True)
class Stand:
    """Show a clock that stands with `rest_s` left; an armed round is forgotten."""

    round_id: str
    rest_s: float


@dataclass(frozen=True, slots=True)
class End:
    """End the process; refused while a round is armed."""


Request = ArmRound | Stop | Stand | Adopt | ShowLamps | Play | Recall | Push | Manner | End


class Word(StrEnum):
    """Events that are neither a `SignalEvent` nor a fault of a button."""

    MANNER = "manner"
    PRESS = "press"


class Failure(StrEnum):
    """Why a process cannot serve, as the word after "failed" in its first line of output."""

    PINS_MISSING = "pins-missing"
    SERVED = "served"
    PANEL = "panel"


def parse_request(line: bytes) -> tuple[int, Request]:
    """A request and the number that its reply must carry; BadRequest otherwise."""
    fields = Fields(parse_object(line))
    number = fields.whole("id", 0, 2**53)
    op = fields.text("op")
    if op not in _READERS:
        raise BadRequest(f"no op {op!r}; there are {', '.join(_READERS)}")
    return number, _READERS[op](fields)


def request_number(line: bytes) -> int | None:
    """The number of a request that may be bad otherwise; None where it has none."""
    try:
        return Fields(parse_object(line)).whole("id", 0, 2**53)
    except BadRequest:
        return None


def parse_object(line: bytes) -> dict[str, Json]:
    """A line as a JSON object; BadRequest for anything else, not-a-number included."""
    try:
        value: Any = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"not a JSON line: {error}") from None
    if not isinstance(value, dict):
        raise BadRequest(f"a line is a JSON object, not {type(value).__name__}")
    return cast("dict[str, Json]", value)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number here")


def write_line(fields: Mapping[str, Json]) -> bytes:
    """An object as one line of bytes, its newline included."""
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


class Fields:
    """The fields of one line, taken with their type and limits; BadRequest names the field."""

    def __init__(self, fields: Mapping[str, Json]) -> None:
        self._fields = fields

    def text(self, name: str, most: int = NAME_MAX) -> str:
        value = self._fields.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= most:
            raise BadRequest(f"{name} is a text of 1 to {most} characters, not {value!r:.60}")
        return value

    def number(self, name: str, low: float, high: float) -> float:
        return _number(name, self._fields.get(name), low, high)

    def whole(self, name: str, low: int, high: int) -> int:
        value = self._fields.get(name)
        if type(value) is not int or not low <= value <= high:
            raise BadRequest(f"{name} is a whole number from {low} to {high}, not {value!r:.60}")
        return value

    def flag(self, name: str) -> bool:
        value = self._fields.get(name)
        if not isinstance(value, bool):
            raise BadRequest(f"{name} is true or false, not {value!r:.60}")
        return value

    def has(self, name: str) -> bool:
        """Whether a mark that only says yes is there."""
        return self._fields.get(name) is True

    def items(self, name: str, most: int) -> list[Json]:
        value = self._fields.get(name)
        if not isinstance(value, list) or len(value) > most:
            raise BadRequest(f"{name} is a list of at most {most}, not {value!r:.60}")
        return value


def _number(name: str, value: Json, low: float, high: float) -> float:
    # not-a-number is on neither side of anything, so the limits refuse it too
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadRequest(f"{name} is a number from {low:g} to {high:g}, not {value!r:.60}")
    return float(value)


def _arm(fields: Fields) -> ArmRound:
    cues = fields.items("cues", CUES_MAX)
    return ArmRound(
        fields.text("round_id"),
        fields.number("deadline", 0.0, 1e12),
        fields.number("total_s", 0.0, DEADLINE_MAX_S),
        tuple(_number("cues", cue, 0.0, DEADLINE_MAX_S) for cue in cues),
        fields.text("boot"),
    )


def _show(fields: Fields) -> ShowLamps:
    lamps = fields.items("lamps", 16)
    if not all(isinstance(lamp, bool) for lamp in lamps):
        raise BadRequest(f"lamps is a list of true and false, not {lamps!r:.60}")
    return ShowLamps(_made(every_lamp, [bool(lamp) for lamp in lamps]))


def _stand(fields: Fields) -> Stand:
    return Stand(fields.text("round_id"), fields.number("rest_s", 0.0, DEADLINE_MAX_S))


def manner_of(fields: Fields) -> Manner:
    """How loud and how bright, of a request or of a panel's state."""
    volume, brightness = (fields.whole(name, 0, 100) for name in ("volume", "brightness"))
    return Manner(volume, brightness, fields.flag("silent"))


def manner_fields(manner: Manner) -> dict[str, Json]:
    """How loud and how bright, as fields of a line."""
    return {"volume": manner.volume, "brightness": manner.brightness, "silent": manner.silent}


def _push(fields: Fields) -> Push:
    return Push(_made(_button_named, fields.text("button")), fields.number("held_s", 0.0, 60.0))


def _button_named(name: str) -> Button:
    try:
        return Button(name)
    except ValueError:
        raise BadCall(f"no button {name!r}; there are {', '.join(Button)}") from None


MadeT = TypeVar("MadeT")
GivenT = TypeVar("GivenT")


def _made(make: Callable[[GivenT], MadeT], given: GivenT) -> MadeT:
    try:
        return make(given)
    except BadCall as error:
        raise BadRequest(str(error)) from None


_READERS: Mapping[str, Callable[[Fields], Request]] = {
    "arm": _arm,
    "stop": lambda _: Stop(hold=False),
    "pause": lambda _: Stop(hold=True),
    "stand": _stand,
    "adopt": lambda _: Adopt(),
    "show": _show,
    "sound": lambda fields: Play(_made(sound_named, fields.text("sound"))),
    "events": lambda fields: Recall(fields.whole("since", 0, 2**53)),
    "press": _push,
    "manner": manner_of,
    "end": lambda _: End(),
}


Told = SignalEvent | Press | ButtonFault
"""What a client hears without asking."""


def told_fields(told: Told) -> dict[str, Json]:
    """An event as the fields of its line."""
    if isinstance(told, Press):
        return {
            "event": Word.PRESS,
            "button": told.button,
            "at": told.at,
            "held_s": told.held_s,
        }
    if isinstance(told, ButtonFault):
        return {"event": told.fault, "button": told.button, "at": told.at}
    fields: dict[str, Json] = {
        "event": told.kind,
        "round_id": told.round_id,
        "at": told.at,
        "rest_s": told.rest_s,
        "late_s": told.late_s,
    }
    return {**fields, "muted": True} if told.muted else fields


def read_told(line: Mapping[str, Json]) -> Told | None:
    """The event of a line; None for a word that this client does not know or need."""
    fields = Fields(line)
    kind = fields.text("event")
    if kind == Word.PRESS:
        return Press(
            _made(_button_named, fields.text("button")), _at(fields), fields.number("held_s", 0, 60)
        )
    if kind in set(Contact):
        return ButtonFault(_made(_button_named, fields.text("button")), Contact(kind), _at(fields))
    if kind not in set(SignalKind):
        return None
    return SignalEvent(
        SignalKind(kind),
        fields.text("round_id"),
        _at(fields),
        fields.number("rest_s", 0.0, DEADLINE_MAX_S),
        fields.number("late_s", -1e12, 1e12),
        fields.has("muted"),
    )


def _at(fields: Fields) -> float:
    return fields.number("at", 0.0, 1e12)
