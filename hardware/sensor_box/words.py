"""What the sensor box's lines mean: typed and within limits, or a BadFrame that says what is wrong.

hardware/firmware/PROTOCOL.md is the same in prose. Times stay the box's own microseconds here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.offers import Button, CardMove
from hardware.firmware.box import BUTTONS, FIRMWARE, PROTOCOL, SLOTS
from hardware.firmware.frame import NUMBER_MAX, BadFrame, Frame
from hardware.firmware.sounding import LAMPS_MS
from hardware.panel.pins import LAMPS_S

TIME_MAX_US = 10**15
SHIPPED = FIRMWARE
SPOKEN = PROTOCOL

_MOVES = {"laid": CardMove.LAID, "lifted": CardMove.LIFTED, "count": CardMove.COUNTED}


@dataclass(frozen=True, slots=True)
class Hello:
    """How a box introduces itself. `first` is the oldest event it can still send."""

    protocol: int
    firmware: str
    board: str
    boot: str
    counts: bool
    first: int
    next: int

    @classmethod
    def read(cls, frame: Frame) -> Hello:
        """A hello in any protocol: only `protocol` and `firmware` must be there for a mismatch."""
        protocol, firmware = frame.whole("protocol", 0, NUMBER_MAX), frame.text("firmware")
        if protocol != SPOKEN:
            board = frame.fields.get("board", "?")
            return cls(protocol, firmware, board, "?", counts=False, first=1, next=1)
        return cls(
            protocol,
            firmware,
            frame.text("board"),
            frame.text("boot"),
            frame.whole("counts", 0, 1) == 1,
            frame.whole("first", 1, NUMBER_MAX),
            frame.whole("next", 1, NUMBER_MAX),
        )


@dataclass(frozen=True, slots=True)
class Beat:
    """The box's word once a second: where its events stand, and what its inputs show.

    `complete`: whatever it shows was told by events before it; else some are on their way.
    """

    at_us: int
    first: int
    next: int
    slots: tuple[int, ...]
    buttons: tuple[bool, ...]
    round: str
    bad: int
    complete: bool = False

    @classmethod
    def read(cls, frame: Frame) -> Beat:
        slots, buttons = frame.text("slots"), frame.text("buttons")
        if len(slots) != len(SLOTS) or not slots.isdigit():
            raise BadFrame(f"beat: slots={slots} is not {len(SLOTS)} digits")
        if len(buttons) != len(BUTTONS) or set(buttons) - {"0", "1"}:
            raise BadFrame(f"beat: buttons={buttons} is not {len(BUTTONS)} of 0 and 1")
        return cls(
            _at(frame),
            frame.whole("first", 1, NUMBER_MAX),
            frame.whole("next", 1, NUMBER_MAX),
            tuple(int(cards) for cards in slots),
            tuple(down == "1" for down in buttons),
            frame.text("round"),
            frame.whole("bad", 0, 10**9),
        )


@dataclass(frozen=True, slots=True)
class CardWord:
    """A section changed: since `at_us`, stirring since `stir_us` before, `error_us` too late."""

    move: CardMove
    track: int
    section: int
    cards: int
    at_us: int
    error_us: int
    stir_us: int


@dataclass(frozen=True, slots=True)
class KeyWord:
    """A button went down, or (with `held_us`) up again."""

    button: Button
    at_us: int
    error_us: int
    held_us: int | None = None


@dataclass(frozen=True, slots=True)
class SignWord:
    """The box sounded a cue, or zero (`rest_ms` 0), `late_us` after its time."""

    round: str
    rest_ms: int
    at_us: int
    late_us: int


@dataclass(frozen=True, slots=True)
class FaultWord:
    """An input is stuck, chatters, or is well again."""

    input: str
    what: str
    at_us: int


EventWord = CardWord | KeyWord | SignWord | FaultWord


def input_named(name: str) -> str:
    """An input as people call it.

    >>> input_named("1.3"), input_named("ready-1")
    ('track 1 section 3', 'ready button 1')
    """
    if name in SLOTS:
        track, section = name.split(".")
        return f"track {track} section {section}"
    kind, _, team = name.partition("-")
    return f"{kind} button {team}"


FAULTS = {"stuck": "is stuck", "chatter": "flickers", "well": "works again"}
"""What a fault of an input is called."""


def box_lamps(lamps: Sequence[bool], seconds: Sequence[float] = LAMPS_S) -> str:
    """The lamps that the box has, as 0 and 1: of the panel's, those at the box's own seconds.

    >>> box_lamps((True, True, False, True, False), (10.0, 5.0, 3.0, 2.0, 0.0))
    '1100'
    """
    lit = {round(at_s * 1000): on for at_s, on in zip(seconds, lamps, strict=True)}
    return "".join("1" if lit.get(at_ms) else "0" for at_ms in LAMPS_MS)


def read_event(frame: Frame) -> EventWord | None:
    """What an event says; None for a word of a newer box, BadFrame where it cannot be."""
    if frame.word in _MOVES:
        return _card(frame)
    if frame.word in ("press", "release"):
        return _key(frame)
    if frame.word in ("cue", "zero"):
        rest_ms = frame.whole("rest", 1, 10**9) if frame.word == "cue" else 0
        return SignWord(frame.text("round"), rest_ms, _at(frame), frame.whole("late", 0, 10**12))
    if frame.word == "fault":
        return _fault(frame)
    return None


def _card(frame: Frame) -> CardWord:
    slot = frame.text("slot")
    if slot not in SLOTS:
        raise BadFrame(f"{frame.word}: no slot {slot}; there are {', '.join(SLOTS)}")
    track, section = slot.split(".")
    lowest = 0 if frame.word == "lifted" else 1
    cards = frame.whole("cards", lowest, 9 * (frame.word != "lifted"))
    error_us, stir_us = frame.whole("err", 0, 10**9), frame.whole("stir", 0, 10**12)
    move = _MOVES[frame.word]
    return CardWord(move, int(track) - 1, int(section), cards, _at(frame), error_us, stir_us)


def _key(frame: Frame) -> KeyWord:
    button = frame.text("button")
    if button not in BUTTONS:
        raise BadFrame(f"{frame.word}: no button {button}; there are {', '.join(BUTTONS)}")
    held_us = frame.whole("held", 0, TIME_MAX_US) if frame.word == "release" else None
    return KeyWord(Button(button), _at(frame), frame.whole("err", 0, 10**9), held_us)


def _fault(frame: Frame) -> FaultWord:
    name, what = frame.text("input"), frame.text("what")
    if name not in SLOTS + BUTTONS or what not in FAULTS:
        raise BadFrame(f"fault: {name} {what} is nothing this program knows")
    return FaultWord(name, what, _at(frame))


def _at(frame: Frame) -> int:
    return frame.whole("at", 0, TIME_MAX_US)
