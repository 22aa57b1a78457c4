"""The box's own program, line by line: what it answers, refuses and tells unasked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.box import AHEAD_US, BEAT_US, DEAF_US, PAST_US, Box
from hardware.firmware.frame import REQUEST, TELLING, Frame, decode, encode
from hardware.sensor_box.simulated import SimulatedBoard

Fields = list[tuple[str, object]]


class Bench:
    """A box on a clock that is turned by hand, and a pencil for what it says."""

    def __init__(self) -> None:
        self.now = 0.0
        self.board = SimulatedBoard(lambda: self.now, 0.0, Random(1))
        self.box = Box(self.board)
        self.number = 0

    def said(self) -> list[Frame]:
        frames = [decode(line[:-1]) for line in self.board.sent]
        self.board.sent.clear()
        return frames

    def wait(self, seconds: float) -> list[Frame]:
        until = self.now + seconds
        while self.now < until - 1e-9:
            self.now = min(until, self.now + 0.001)
            self.box.turn()
        return self.said()

    def ask(self, word: str, fields: Fields | None = None, number: int = 0) -> Frame:
        self.number += 1
        self.said()
        self.box.take(encode(REQUEST, number or self.number, word, fields or []))
        (reply,) = [frame for frame in self.said() if frame.mark == "="]
        return reply

    def greet(self, boot: str = "-", got: int = 0, session: str = "s") -> Frame:
        return self.ask("hello", [("session", session), ("boot", boot), ("got", got)])

    def arm(self, name: str, in_us: int, cues: str = "-") -> Frame:
        at = self.board.now() + in_us
        return self.ask("arm", [("round", name), ("at", at), ("total", 20_000), ("cues", cues)])

    def acknowledge(self, event: int) -> None:
        fields: Fields = [("boot", self.board.boot), ("event", event)]
        self.box.take(encode(TELLING, 1, "ack", fields))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def words(frames: list[Frame], mark: str) -> list[str]:
    return [frame.word for frame in frames if frame.mark == mark]


def test_it_introduces_itself_until_somebody_listens(bench: Bench) -> None:
    """A person who opens a terminal sees what this is, once a second."""
    assert words(bench.wait(3.0), TELLING) == ["hello"] * 3
    reply = bench.greet()
    assert reply.fields["protocol"] == "1"
    assert reply.fields["boot"] == bench.board.boot
    bench.wait(0.5)
    assert words(bench.wait(2.0), TELLING) == ["beat"] * 2


def test_it_says_hello_again_when_nobody_answers(bench: Bench) -> None:
    """The companion went: its successor is greeted, and events wait for it."""
    bench.greet()
    bench.wait(DEAF_US * 1e-6 + 1.1)
    bench.board.buttons[0] = 1
    told = bench.wait(1.5)
    assert set(words(told, TELLING)) == {"hello"}
    assert not words(told, "!")
    bench.greet(bench.board.boot, 0, "other")
    assert words(bench.wait(0.01), "!") == ["press"]


def test_cards_and_presses_are_told_with_their_times(bench: Bench) -> None:
    """As in PROTOCOL.md: laid, count, lifted; press, release with how long it was held."""
    bench.greet()
    bench.wait(0.1)
    bench.board.slots[2] = 1
    (laid,) = [frame for frame in bench.wait(0.05) if frame.mark == "!"]
    assert (laid.word, laid.fields["slot"], laid.fields["cards"]) == ("laid", "1.3", "1")
    assert abs(laid.whole("at", 0, 10**9) - 101_000) <= 1_000
    bench.acknowledge(1)
    bench.board.slots[2] = 2
    assert words(bench.wait(0.05), "!") == ["count"]
    bench.acknowledge(2)
    bench.board.slots[2] = 0
    assert words(bench.wait(0.05), "!") == ["lifted"]
    bench.acknowledge(3)
    bench.board.buttons[3] = 1
    (press,) = [frame for frame in bench.wait(0.1) if frame.mark == "!"]
    assert (press.word, press.fields["button"]) == ("press", "challenge-2")
    bench.acknowledge(4)
    bench.board.buttons[3] = 0
    (release,) = [frame for frame in bench.wait(0.1) if frame.mark == "!"]
    assert abs(release.whole("held", 0, 10**9) - 100_000) <= 2_000


def test_what_lies_there_at_power_on_is_no_event(bench: Bench) -> None:
    """A box that began anew in a round lays no cards; its beat shows where they lie."""
    bench.board.slots[:2] = [1, 2]
    bench.box = Box(bench.board)
    bench.greet()
    told = bench.wait(BEAT_US * 1e-6)
    assert not words(told, "!")
    assert [frame.fields["slots"] for frame in told if frame.word == "beat"] == ["12000000"]


def test_a_round_sounds_by_the_boards_own_alarm(bench: Bench) -> None:
    """Cue and zero are told with when they really were."""
    bench.greet()
    assert bench.arm("r", 2_000_000, "1000").whole("rest", 0, 10**9) == 2_000_000
    told = [frame for frame in bench.wait(3.0) if frame.mark == "!"]
    seen = {frame.number: frame for frame in told}
    assert [seen[number].word for number in sorted(seen)] == ["cue", "zero"]
    assert seen[1].fields["rest"] == "1000"
    assert 0 <= seen[2].whole("late", 0, 10**9) <= 1_000
    assert bench.ask("adopt").fields == {"round": "-"}


def test_a_round_can_be_adopted_moved_and_stopped(bench: Bench) -> None:
    """By name: the same name moves its deadline, another is refused."""
    bench.greet()
    bench.arm("r", 5_000_000)
    assert bench.arm("other", 5_000_000).fields == {"why": "armed"}
    bench.arm("r", 9_000_000)
    adopted = bench.ask("adopt")
    assert adopted.fields["round"] == "r"
    assert adopted.whole("at", 0, 10**9) == bench.board.now() + 9_000_000
    stopped = bench.ask("stop", [("hold", 1)])
    assert (stopped.fields["round"], stopped.fields["rest"]) == ("r", "9000000")
    assert bench.ask("stop", [("hold", 0)]).fields == {"rest": "0", "round": "-"}
    assert not [frame for frame in bench.wait(10.0) if frame.mark == "!"]


@pytest.mark.parametrize(
    ("word", "fields", "why"),
    [
        ("dance", [], "unknown"),
        ("sound", [("name", "fanfare")], "unknown"),
        ("sound", [], "malformed"),
        ("lamps", [("lit", "110")], "malformed"),
        ("lamps", [("lit", "11x0")], "malformed"),
        ("stop", [("hold", 2)], "malformed"),
        ("stand", [("rest", -1)], "malformed"),
        ("manner", [("volume", 101), ("brightness", 1), ("silent", 0)], "malformed"),
        ("arm", [("round", "r"), ("at", "soon"), ("total", 1), ("cues", "-")], "malformed"),
        ("arm", [("round", "r"), ("at", 1), ("total", 1), ("cues", "1,,2")], "malformed"),
        ("arm", [("round", "r"), ("at", 1), ("total", 1), ("cues", "1" + ",1" * 16)],
         "malformed"),
        ("hello", [("session", "s")], "malformed"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(bench: Bench, word: str, fields: Fields, why: str) -> None:
    """In one word, and nothing is changed."""
    bench.greet()
    before = (bench.board.outputs, bench.box.sounding.round)
    reply = bench.ask(word, fields)
    assert (reply.word, reply.fields) == ("no", {"why": why})
    assert (bench.board.outputs, bench.box.sounding.round) == before


def test_a_deadline_has_limits(bench: Bench) -> None:
    """Long past or days ahead is a mistake of the clock, not a round."""
    bench.wait(10.0)
    bench.greet()
    assert bench.arm("r", -PAST_US - 1_000_000).fields == {"why": "past"}
    assert bench.arm("r", AHEAD_US + 1_000_000).fields == {"why": "far"}
    assert bench.arm("r", -1_000_000).fields == {"rest": "0"}
    assert "zero" in words(bench.wait(0.1), "!")


def test_a_request_is_done_once_however_often_it_comes(bench: Bench) -> None:
    """Repeats get the same reply; a new companion's numbers are new."""
    bench.greet()
    first = bench.ask("sound", [("name", "start")], number=50)
    bench.wait(1.0)
    again = bench.ask("sound", [("name", "start")], number=50)
    assert first.fields == again.fields == {"sounded": "1"}
    assert bench.box.sounding.next() is None
    bench.greet(session="other")
    bench.ask("sound", [("name", "start")], number=50)
    assert bench.box.sounding.next() is not None


def test_lamps_and_loudness_are_shown_at_once(bench: Bench) -> None:
    """What the board's pins are told."""
    bench.greet()
    bench.ask("lamps", [("lit", "1010")])
    assert bench.board.outputs == 0b01010
    bench.ask("stand", [("rest", 4_000)])
    assert bench.board.outputs == 0b00110
    bench.ask("sound", [("name", "ready")])
    assert bench.board.outputs == 0b00111
    bench.ask("manner", [("volume", 0), ("brightness", 40), ("silent", 0)])
    assert (bench.board.outputs, bench.board.brightness) == (0b00110, 40)


def test_a_box_under_a_round_is_not_maintained(bench: Bench) -> None:
    """Installing waits for zero."""
    bench.greet()
    bench.arm("r", 1_000_000)
    assert bench.ask("maintain").fields == {"why": "armed"}
    bench.wait(1.1)
    assert bench.ask("maintain").word == "maintain"
    assert bench.board.maintained


def test_an_input_that_chatters_or_jams_is_named(bench: Bench) -> None:
    """And named again when it is well."""
    bench.greet()
    events: dict[int, Frame] = {}

    def collect(frames: list[Frame]) -> None:
        events.update({frame.number: frame for frame in frames if frame.mark == "!"})
        bench.acknowledge(max(events, default=0))

    for step in range(150):
        bench.board.slots[7] = step % 2
        collect(bench.wait(0.01))
    bench.board.slots[7] = 0
    bench.board.buttons[0] = 1
    for _ in range(11):
        collect(bench.wait(1.0))
    faults = [
        (frame.fields["input"], frame.fields["what"])
        for _, frame in sorted(events.items())
        if frame.word == "fault"
    ]
    assert faults == [("2.4", "chatter"), ("2.4", "well"), ("ready-1", "stuck")]


@given(st.lists(st.binary(max_size=80), max_size=20))
def test_no_bytes_stop_the_box(pieces: list[bytes]) -> None:
    """After any garbage it answers as before, and still sounds."""
    bench = Bench()
    bench.greet()
    bench.arm("r", 500_000)
    for piece in pieces:
        bench.box.take(piece)
        bench.wait(0.005)
    bench.box.take(b"\n")
    assert "zero" in words(bench.wait(1.0), "!")
    assert bench.ask("time", number=1_000_000).word == "time"


Changed = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "change",
    [lambda line: line[:-6] + b"\n", lambda line: line[3:], lambda line: line.upper()],
    ids=["cut", "headless", "shouted"],
)
def test_a_spoilt_request_is_not_done(bench: Bench, change: Changed) -> None:
    """Nothing happens, and the beat counts it."""
    bench.greet()
    bench.box.take(change(encode(REQUEST, 7, "lamps", [("lit", "1111")])) + b"\n")
    assert bench.board.outputs == 0
    beats = [frame for frame in bench.wait(1.1) if frame.word == "beat"]
    assert beats[-1].fields["bad"] == "1"
