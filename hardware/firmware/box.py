"""The box without its pins: lines in, lines out, levels in, outputs out.

It runs on a Pico under MicroPython, in the simulated box and in tests under CPython: the same
file. A `Board` is all it knows of the world.
"""

from hardware.firmware.board import Board
from hardware.firmware.frame import (
    NUMBER_MAX,
    REPLY,
    REQUEST,
    TELLING,
    BadFrame,
    Frame,
    Lines,
    decode,
    encode,
)
from hardware.firmware.outbox import Outbox
from hardware.firmware.settling import Key, Settling
from hardware.firmware.sounding import PATTERNS, Round, Sounding, lamps_at

PROTOCOL = 1
"""Raised by one whenever an older box or companion would misread the newer."""

FIRMWARE = "1.0.0"

SLOTS = ("1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "2.4")
"""Track and section, in the order of the pins."""

BUTTONS = ("ready-1", "ready-2", "challenge-1", "challenge-2")

BEAT_US = 1_000_000
DEAF_US = 5_000_000
"""After so long without a line the companion is taken to be gone: the box says hello again."""

SLOT_SETTLE_US = 30_000
BUTTON_SETTLE_US = 10_000
PAST_US = 5_000_000
AHEAD_US = 24 * 3_600_000_000
FAR_US = 1_000_000_000_000_000_000
TOTAL_MS = 86_400_000
REPLIES_KEPT = 8
CUES_MAX = 16
ROUND_MAX = 100
"""Longest name of a round: with it every event and beat still fits into a line."""


class Refused(Exception):
    """A request that is well formed but cannot be done: why, as one word of the protocol."""


class Box:
    """One box. Call `take` with what was received and `turn` some thousand times a second."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.sounding = Sounding()
        self.outbox = Outbox()
        buttons, slots = board.levels()  # what lies there already is no event
        self.slots = [Settling(SLOT_SETTLE_US, level) for level in slots]
        self.keys = [Key(BUTTON_SETTLE_US, level) for level in buttons]
        self.faults = ["" for _ in SLOTS + BUTTONS]
        self.bad = 0  # lines that were no frames
        self._lines = Lines()
        self._session = ""
        self._heard_at = -DEAF_US
        self._told = 0
        self._beat_at = -BEAT_US
        self._replies: list[tuple[int, bytes]] = []
        self._planned: tuple[int, int] | None = None
        board.apply(0)

    # -- the loop --------------------------------------------------------------------------

    def turn(self) -> None:
        """Do what is due: edges, changes at the inputs, beats, events that wait."""
        self._keep_time()
        now = self.board.now()
        buttons, slots = self.board.levels()
        for place, level in enumerate(slots):
            self._look_at_slot(place, level, now)
        for place, level in enumerate(buttons):
            self._look_at_button(place, level, now)
        self._tell_faults(now)
        if now - self._beat_at >= BEAT_US:
            self._beat(now)
        if self._greeted(now):
            for line in self.outbox.due(now):
                self.board.write(line)

    def take(self, data: bytes) -> None:
        """Take what the companion sent."""
        for line in self._lines.feed(data):
            self._keep_time()
            try:
                frame = decode(line)
            except BadFrame:
                self.bad += 1
                continue
            self._read(frame, self.board.now())

    def _greeted(self, now: int) -> bool:
        """Whether a companion has introduced itself to this run of the box, and is still there."""
        return self._session != "" and now - self._heard_at < DEAF_US

    # -- what the timer did ----------------------------------------------------------------

    def _keep_time(self) -> None:
        """Note what the hardware timer has done, and set it for what comes next."""
        self._note_fired()
        self._plan()

    def _note_fired(self) -> None:
        fired = self.board.fired()
        if fired is not None:
            self._planned = None
            self._note(self.sounding.done(fired), fired)

    def _disarm(self) -> None:
        """Stop the timer before its plan is changed; what it did just now still counts."""
        self.board.alarm(None, 0)
        self._note_fired()
        self._planned = None

    def _plan(self) -> None:
        """Set the timer, if what it must do next has changed."""
        planned = self.sounding.next()
        if planned == self._planned:
            return
        self._planned = planned
        if planned is None:
            self.board.alarm(None, 0)
        else:
            self.board.alarm(planned[0], planned[1])

    def _note(self, sign: tuple[str, int, int] | None, at: int) -> None:
        if sign is None:
            return
        name, rest_ms, late_us = sign
        fields: list[tuple[str, object]] = [("round", name), ("at", at), ("late", late_us)]
        if rest_ms:
            self.outbox.put("cue", fields + [("rest", rest_ms)])
        else:
            self.outbox.put("zero", fields)

    # -- inputs ----------------------------------------------------------------------------

    def _look_at_slot(self, place: int, level: int, now: int) -> None:
        change = self.slots[place].look(level, now)
        if change is None:
            return
        word = "laid" if not change.before else "count" if change.level else "lifted"
        fields: list[tuple[str, object]] = [("slot", SLOTS[place]), ("cards", change.level)]
        stir_us = change.at_us - change.began_us
        fields += [("at", change.at_us), ("err", change.error_us), ("stir", stir_us)]
        self.outbox.put(word, fields)

    def _look_at_button(self, place: int, level: int, now: int) -> None:
        key = self.keys[place]
        told = key.look(level, now)
        if told is None:
            return
        word, change = told
        fields: list[tuple[str, object]] = [("button", BUTTONS[place])]
        if word == "release":
            fields.append(("held", key.held_us(change)))
        self.outbox.put(word, fields + [("at", change.began_us), ("err", change.error_us)])

    def _tell_faults(self, now: int) -> None:
        found = [slot.fault for slot in self.slots] + [key.fault for key in self.keys]
        for place, fault in enumerate(found):
            if fault != self.faults[place]:
                self.faults[place] = fault
                name = (SLOTS + BUTTONS)[place]
                self.outbox.put("fault", [("input", name), ("what", fault or "well"), ("at", now)])

    # -- telling ---------------------------------------------------------------------------

    def _tell(self, word: str, fields: list[tuple[str, object]]) -> None:
        self._told = self._told % NUMBER_MAX + 1
        self.board.write(encode(TELLING, self._told, word, fields))

    def _beat(self, now: int) -> None:
        self._beat_at = now
        if self._greeted(now):
            self._tell("beat", [("at", now)] + self._state())
        else:
            self._session = ""
            self._tell("hello", self._hello())

    def _hello(self) -> list[tuple[str, object]]:
        return [
            ("protocol", PROTOCOL),
            ("firmware", FIRMWARE),
            ("board", self.board.identity),
            ("boot", self.board.boot),
            ("counts", int(self.board.counts)),
            ("first", self.outbox.first),
            ("next", self.outbox.next),
        ]

    def _state(self) -> list[tuple[str, object]]:
        armed = self.sounding.round
        return [
            ("first", self.outbox.first),
            ("next", self.outbox.next),
            ("slots", "".join([str(min(9, slot.level)) for slot in self.slots])),
            ("buttons", "".join([str(int(key.down)) for key in self.keys])),
            ("round", armed.name if armed is not None else "-"),
            ("bad", self.bad + self._lines.cut),
        ]

    # -- requests --------------------------------------------------------------------------

    def _read(self, frame: Frame, now: int) -> None:
        if frame.mark == TELLING and frame.word == "ack":
            self._acknowledged(frame, now)
        elif frame.mark == REQUEST:
            self._answer(frame, now)

    def _acknowledged(self, frame: Frame, now: int) -> None:
        try:
            if frame.text("boot") == self.board.boot:
                self._heard_at = now
                self.outbox.acknowledge(frame.whole("event", 0, NUMBER_MAX), now)
        except BadFrame:
            self.bad += 1

    def _answer(self, frame: Frame, now: int) -> None:
        """Do a request once, however often it comes, and reply each time."""
        self._heard_at = now
        for number, line in self._replies:
            if number == frame.number and frame.word != "hello":
                self.board.write(line)
                return
        word = frame.word
        try:
            if word not in self.VERBS:
                raise Refused("unknown")
            fields = self.VERBS[word](self, frame, now)
        except Refused as why:
            word, fields = "no", _because(str(why))
        except BadFrame:
            word, fields = "no", _because("malformed")
        line = encode(REPLY, frame.number, word, fields)
        self._replies.append((frame.number, line))
        if len(self._replies) > REPLIES_KEPT:
            self._replies.pop(0)
        self.board.write(line)
        self._plan()

    def _greet(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        """A companion begins to listen. What it has of this boot already is not sent again."""
        session = frame.text("session")
        if session != self._session:
            self._session = session
            self._replies = []
        if frame.text("boot") == self.board.boot:
            self.outbox.acknowledge(frame.whole("got", 0, NUMBER_MAX), now)
        self.outbox.again()
        return self._hello()

    def _time(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        return [("got", now), ("at", self.board.now())]

    def _arm(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        name, at_us = frame.text("round"), frame.whole("at", 0, FAR_US)
        total_ms = frame.whole("total", 0, TOTAL_MS)
        cues_ms = _numbers(frame.text("cues"))
        armed = self.sounding.round
        if len(name) > ROUND_MAX:
            raise Refused("long")
        if armed is not None and armed.name != name:
            raise Refused("armed")
        if not -PAST_US <= at_us - now <= AHEAD_US:
            raise Refused("past" if at_us < now else "far")
        self._disarm()
        self.sounding.arm(Round(name, at_us, total_ms), cues_ms, now)
        self._show()
        return [("rest", max(0, at_us - now))]

    def _stop(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        hold = frame.whole("hold", 0, 1) == 1
        self._disarm()
        armed = self.sounding.round
        rest_us = self.sounding.stop(now, hold)
        self._show()
        return [("rest", rest_us), ("round", armed.name if armed is not None else "-")]

    def _stand(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        """Show a clock that stands with so much left; nothing is armed then."""
        rest_ms = frame.whole("rest", 0, TOTAL_MS)
        self._disarm()
        self.sounding.stop(now, True)  # noqa: FBT003
        self.sounding.lamps = lamps_at(rest_ms)
        self._show()
        return []

    def _adopt(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        armed = self.sounding.round
        if armed is None:
            return [("round", "-")]
        return [("round", armed.name), ("at", armed.at_us), ("total", armed.total_ms)]

    def _lamps(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        lamps = frame.text("lit")
        if len(lamps) != 4 or lamps.replace("0", "").replace("1", ""):
            raise BadFrame("lit is four of 0 and 1")
        self._disarm()
        self.sounding.lamps = sum([2 << place for place in range(4) if lamps[place] == "1"])
        self._show()
        return []

    def _sound(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        name = frame.text("name")
        if name not in PATTERNS:
            raise Refused("unknown")
        self._disarm()
        sounded = self.sounding.sound(name, now)
        self._show()
        return [("sounded", int(sounded))]

    def _manner(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        """How loud, how bright, and whether lamps flash instead of sounds."""
        volume = frame.whole("volume", 0, 100)
        brightness = frame.whole("brightness", 0, 100)
        silent = frame.whole("silent", 0, 1) == 1
        self._disarm()
        self.sounding.audible = volume > 0
        self.sounding.silent = silent
        self.board.dim(brightness)
        self._show()
        return []

    def _maintain(self, frame: Frame, now: int) -> list[tuple[str, object]]:
        """Begin anew without this firmware running, so that another can be installed."""
        if self.sounding.round is not None:
            raise Refused("armed")
        self.board.maintain()
        return []

    def _show(self) -> None:
        self.board.apply(self.sounding.outputs)

    VERBS = {
        "hello": _greet,
        "time": _time,
        "arm": _arm,
        "stop": _stop,
        "stand": _stand,
        "adopt": _adopt,
        "lamps": _lamps,
        "sound": _sound,
        "manner": _manner,
        "maintain": _maintain,
    }
    """What may be asked."""


def _because(why: str) -> list[tuple[str, object]]:
    return [("why", why)]


def _numbers(text: str) -> list[int]:
    """Numbers with commas between them; "-" is none of them."""
    parts = [] if text == "-" else text.split(",")
    if len(parts) > CUES_MAX:
        raise BadFrame("too many cues")
    return [Frame("", 0, "", {"cues": part}).whole("cues", 0, TOTAL_MS) for part in parts]
