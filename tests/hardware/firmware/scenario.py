"""A box's hour, the same under CPython and MicroPython; prints every line and output it makes.

Built-ins only. Chance comes from a generator of its own, because each Python has another.
"""

from hardware.firmware.board import Board
from hardware.firmware.box import Box
from hardware.firmware.frame import BadFrame, decode, encode
from hardware.firmware.ticks import PERIOD, Clock


class Chance:
    """Numbers without pattern, the same everywhere."""

    def __init__(self) -> None:
        self.state = 12345

    def below(self, limit: int) -> int:
        self.state = (self.state * 1103515245 + 12345) % 2147483648
        return (self.state >> 8) % limit


class Bench(Board):
    """A board of lists, with a counter that wraps."""

    identity = "e66118604b2f8a27"
    boot = "3f9c02d1"

    def __init__(self) -> None:
        self.buttons = [0, 0, 0, 0]
        self.slots = [0, 0, 0, 0, 0, 0, 0, 0]
        self.ticks = PERIOD - 5_000_000
        self.clock = Clock(self.ticks)
        self.set: tuple[int, int] | None = None

    def now(self) -> int:
        return self.clock.at(self.ticks)

    def levels(self) -> tuple[list[int], list[int]]:
        return self.buttons, self.slots

    def apply(self, outputs: int) -> None:
        print("outputs", outputs)  # noqa: T201

    def dim(self, brightness: int) -> None:
        print("brightness", brightness)  # noqa: T201

    def alarm(self, at_us: int | None, outputs: int) -> None:
        self.set = None if at_us is None else (at_us, outputs)

    def fired(self) -> int | None:
        if self.set is None or self.now() < self.set[0]:
            return None
        self.apply(self.set[1])
        self.set = None
        return self.now()

    def write(self, line: bytes) -> None:
        print(line.decode().strip())  # noqa: T201

    def maintain(self) -> None:
        print("maintenance")  # noqa: T201


def armed(board: Bench, cues: str) -> list[tuple[str, object]]:
    """A round of nearly a second."""
    at = board.now() + 900_000
    return [("round", "r"), ("at", at), ("total", 20000), ("cues", cues)]


def request(board: Bench, number: int) -> bytes:
    """Every verb, in its turn, right and wrong."""
    silent = number % 2
    said: list[tuple[str, list[tuple[str, object]]]] = [
        ("hello", [("protocol", 1), ("session", "s"), ("boot", board.boot), ("got", 0)]),
        ("time", []),
        ("arm", armed(board, "600,300")),
        ("adopt", []),
        ("sound", [("name", "challenge")]),
        ("lamps", [("lit", "1010")]),
        ("manner", [("volume", 50), ("brightness", 30), ("silent", silent)]),
        ("stop", [("hold", 1)]),
        ("arm", armed(board, "-")),
        ("stand", [("rest", 4000)]),
        ("dance", []),
        ("sound", []),
        ("arm", armed(board, "300")),
    ]
    word, fields = said[number % len(said)]
    return encode("?", number + 1, word, fields)


def noise(chance: Chance) -> bytes:
    """Any bytes."""
    return bytes([chance.below(256) for _ in range(chance.below(60))])


def spoilt(line: bytes, chance: Chance) -> bytes:
    """A line with a byte of it changed."""
    place = chance.below(len(line))
    return line[:place] + bytes([chance.below(256)]) + line[place + 1 :]


def hands(board: Bench, chance: Chance) -> None:
    """Cards come and go, buttons go down and up."""
    if chance.below(40) == 0:
        board.slots[chance.below(8)] = chance.below(3)
    if chance.below(60) == 0:
        board.buttons[chance.below(4)] = chance.below(2)


def companion(box: Box, board: Bench, chance: Chance, turn: int) -> None:
    """What comes over the line, and what a bad line makes of it."""
    if turn % 50 == 10:
        box.take(b"\n" + request(board, turn // 50))
    if chance.below(30) == 0:
        box.take(noise(chance))
    if chance.below(100) == 0:
        box.take(b"\n" + spoilt(encode("?", turn, "time", []), chance))
    if chance.below(20) == 0:
        told: list[tuple[str, object]] = [("boot", board.boot), ("event", box.outbox.next - 1)]
        box.take(b"\n" + encode("~", 1, "ack", told))


def play() -> None:
    """Turn after turn of five milliseconds; everything that can come, comes."""
    chance, board = Chance(), Bench()
    box = Box(board)
    for turn in range(8_000):
        board.ticks = (board.ticks + 5_000) % PERIOD
        hands(board, chance)
        companion(box, board, chance, turn)
        box.turn()
    for line in (b"", b"!1 x", b"!1 x *00000000", b"\xff", b"!1 laid a=1 *6F2B0D27"):
        try:
            print(decode(line).word)  # noqa: T201
        except BadFrame as why:
            print(str(why))  # noqa: T201


play()
