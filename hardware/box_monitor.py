"""What a box says, for people: its raw lines, and beside them what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.box_inbox import EventsLost
from hardware.box_session import Told
from hardware.box_time import BoxTime
from hardware.box_traffic import COMPANION, PORT, Piece, Replay
from hardware.box_words import (
    FAULTS,
    Beat,
    CardWord,
    FaultWord,
    Hello,
    KeyWord,
    SignWord,
    input_named,
)
from hardware.firmware.frame import Lines

QUIET = ("beat", "time", "ack")
"""Words that come all the time: shown on demand."""

ARROWS = {"box": "<", COMPANION: ">", PORT: "-"}


@dataclass(slots=True)
class Monitor:
    """Turns pieces of traffic into lines for people. `everything`: also the words that always come.

    Each line has the seconds since the first piece, an arrow (`<` the box, `>` the companion, `-`
    the port, `=` what it means, `!` what is wrong) and a text.
    """

    everything: bool = False
    replay: Replay = field(default_factory=Replay)
    _began: float | None = None
    _lines: dict[str, Lines] = field(default_factory=dict[str, Lines])
    _bad: int = 0

    def lines(self, piece: Piece) -> Iterator[str]:
        """The lines of one more piece."""
        if self._began is None:
            self._began = piece.at
        at = f"{piece.at - self._began:10.4f}"
        if piece.sender == PORT:
            self._lines.clear()
            self._bad = 0
            yield f"{at} - {piece.data.decode('utf-8', 'replace')}"
        else:
            yield from (f"{at} {line}" for line in self._raw(piece))
        told = self.replay.take(piece)
        yield from (f"{at} ! {why}" for why in self._complaints())
        yield from (
            f"{at} = {meaning}"
            for one in told
            if (meaning := meant(one, self.replay.time)) and (self.everything or _matters(one))
        )

    def _raw(self, piece: Piece) -> Iterator[str]:
        for line in self._lines.setdefault(piece.sender, Lines()).feed(piece.data):
            text = line.decode("ascii", "backslashreplace").rstrip("\r")
            word = text.split(" ")[1:2]
            if self.everything or not word or word[0] not in QUIET:
                yield f"{ARROWS[piece.sender]} {text!s}"

    def _complaints(self) -> list[str]:
        session = self.replay.session
        fresh = session.bad_lines - self._bad
        self._bad = session.bad_lines
        return list(session.bad)[-fresh:] if fresh > 0 else []


def _matters(told: Told) -> bool:
    return not isinstance(told, Beat)


def meant(told: Told, time: BoxTime) -> str:
    """A word of the box as a sentence."""
    if isinstance(told, Hello):
        return f"board {told.board}, program {told.firmware}, protocol {told.protocol}"
    if isinstance(told, Beat):
        return f"slots {''.join(map(str, told.slots))}, {_clock(time)}"
    if isinstance(told, EventsLost):
        return str(told)
    if isinstance(told, FaultWord):
        return f"{input_named(told.input)} {FAULTS[told.what]}"
    if isinstance(told, KeyWord):
        held = "pressed" if told.held_us is None else f"released after {told.held_us / 1e6:.2f} s"
        return f"{told.button} {held}{_error(told.at_us, told.error_us, time)}"
    if isinstance(told, CardWord):
        place = f"track {told.track + 1} section {told.section}"
        cards = "1 card" if told.cards == 1 else f"{told.cards} cards"
        return f"{place}: {told.move}, {cards} now{_error(told.at_us, told.error_us, time)}"
    return _sign(told)


def _sign(told: SignWord) -> str:
    what = f"{told.rest_ms / 1000:g} s left" if told.rest_ms else "zero"
    return f"{told.round}: {what} sounded, {told.late_us / 1000:.2f} ms late"


def _error(at_us: int, error_us: int, time: BoxTime) -> str:
    if not time.known:
        return ""
    return f" (± {(time.ours(at_us).error_s * 1000 + error_us / 2000):.1f} ms)"


def _clock(time: BoxTime) -> str:
    if time.error_s is None or time.drift is None:
        return "its clock is not known yet"
    return f"its clock is known to {time.error_s * 1000:.2f} ms, drift {time.drift * 1e6:+.0f} ppm"
