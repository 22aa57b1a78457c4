"""What hands do to a simulated box, as words: typed, or read from a script with seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from companion.errors import BadCall, BadFile
from hardware.box_simulated import SimulatedBox
from hardware.firmware.box import BUTTONS, SLOTS

WORDS = (
    "lay SLOT [CARDS]",
    "lift SLOT",
    "press BUTTON",
    "hold BUTTON",
    "release BUTTON",
    "reset",
    "unplug",
    "plug",
)
"""All that can be done; SLOT as 1.3, BUTTON as ready-1."""

Deed = Callable[[SimulatedBox], None]


@dataclass(frozen=True, slots=True)
class TimedDeed:
    """A deed of a script, so many seconds after its beginning."""

    after_s: float
    deed: Deed


def read_deed(text: str) -> Deed:
    """What a line of words does; BadCall names the words there are.

    >>> read_deed("lay 1.3 2").keywords
    {'slot': '1.3', 'cards': 2}
    """
    word, *rest = text.split() or [""]
    if word in ("reset", "unplug", "plug") and not rest:
        return lambda box: getattr(box, word)()
    if word == "lay" and len(rest) in (1, 2):
        return partial(_lay, slot=_slot(rest[0]), cards=_cards(rest[1:]))
    if word == "lift" and len(rest) == 1:
        return partial(_lay, slot=_slot(rest[0]), cards=0)
    if word in ("press", "hold", "release") and len(rest) == 1:
        return partial(_press, button=_button(rest[0]), word=word)
    raise BadCall(f"{text.strip()!r} is nothing that hands do; there is {'; '.join(WORDS)}")


def read_script(text: str, source: str) -> list[TimedDeed]:
    """A script: `SECONDS WORDS` a line, `#` begins a comment; sorted by time.

    Error: BadFile naming the line.
    """
    deeds: list[TimedDeed] = []
    for number, line in enumerate(text.splitlines(), start=1):
        seconds, _, words = line.partition("#")[0].strip().partition(" ")
        if not seconds:
            continue
        try:
            deeds.append(TimedDeed(_seconds(seconds), read_deed(words)))
        except BadCall as wrong:
            raise BadFile(source, f"line {number}", str(wrong)) from wrong
    return sorted(deeds, key=lambda timed: timed.after_s)


PRESS_S = 0.1


def _lay(box: SimulatedBox, slot: str, cards: int) -> None:
    box.act(lambda: box.lay(slot, cards))


def _press(box: SimulatedBox, button: str, word: str) -> None:
    if word != "release":
        box.act(lambda: box.hold(button, down=True))
    if word == "press":
        box.after(PRESS_S, lambda: box.hold(button, down=False))
    elif word == "release":
        box.act(lambda: box.hold(button, down=False))


def _slot(text: str) -> str:
    if text not in SLOTS:
        raise BadCall(f"no slot {text!r}; there are {', '.join(SLOTS)}")
    return text


def _button(text: str) -> str:
    if text not in BUTTONS:
        raise BadCall(f"no button {text!r}; there are {', '.join(BUTTONS)}")
    return text


def _cards(rest: Sequence[str]) -> int:
    if not rest:
        return 1
    if rest[0] not in tuple("123456789"):
        raise BadCall(f"{rest[0]!r} cards do not lie on a slot; 1 to 9 do")
    return int(rest[0])


def _seconds(text: str) -> float:
    try:
        after_s = float(text)
    except ValueError:
        after_s = -1.0
    if not 0.0 <= after_s < float("inf"):
        raise BadCall(f"{text} is no number of seconds from the script's start")
    return after_s
