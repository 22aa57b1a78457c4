"""What the box's own program knows of the world it runs in; pins and simulation are made of this.

Python under MicroPython has no abstract classes: this one says what there is to be done.
"""


class Board:
    """Time, inputs, outputs and the line to the companion.

    `identity` is the board's own number, `boot` a random name of this run, `counts` whether its
    slots can tell how many cards lie on them.
    """

    identity = "?"
    boot = "?"
    counts = False

    def now(self) -> int:
        """Microseconds since the board began; never backwards."""
        raise NotImplementedError

    def levels(self) -> tuple[list[int], list[int]]:
        """Buttons (1: down) and slots (cards that lie there, or 1 for any) as they are now."""
        raise NotImplementedError

    def apply(self, outputs: int) -> None:
        """Set buzzer and lamps now."""
        raise NotImplementedError

    def dim(self, brightness: int) -> None:
        """Let the lamps shine with so many percent from now on."""
        raise NotImplementedError

    def alarm(self, at_us: int | None, outputs: int) -> None:
        """Let the hardware set the outputs at a moment; in place of the last alarm. None: never.

        A moment that is past means at once.
        """
        raise NotImplementedError

    def fired(self) -> int | None:
        """When the alarm fired, told once; None if it has not."""
        raise NotImplementedError

    def write(self, line: bytes) -> None:
        """Send a line. Where nobody takes it, it is dropped and nothing waits."""
        raise NotImplementedError

    def maintain(self) -> None:
        """Begin anew, soon, without the box's program, so that another can be put there."""
        raise NotImplementedError
