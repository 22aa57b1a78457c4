"""What sounds and shines when: the round that is armed, and one pattern of the buzzer.

All times are microseconds of the box's clock. Nothing here waits: `next` says what the hardware
timer must do and when, `done` is told that it has.
"""

BUZZER = 1
LAMPS_MS = (10_000, 5_000, 3_000, 0)
"""The rests from which the four lamps are lit, left to right: bits 1 to 4 of the outputs."""

PATTERNS = {
    "ready": ((0, 50),),
    "start": ((0, 100), (200, 100)),
    "cue": ((0, 150),),
    "lock": ((0, 1000),),
    "end": ((0, 600), (800, 600), (1600, 600)),
    "error": ((0, 50), (100, 50), (200, 50)),
    "challenge": ((0, 400), (500, 100), (700, 400)),
}
"""Beginning and length of each beep, in ms."""

FLASHES_OF_LOCK = ((0, 100), (200, 100), (400, 100), (600, 100), (800, 100))
"""In silent mode the lamps turn over, lit and dark, in the buzzer's rhythm; at zero in this one."""

ALL_LAMPS = 0b11110

PUNCTUAL_US = 50_000
"""A sign later than this begins its pattern when it really begins."""

AHEAD_US = 20_000
"""A cue this near, when a round is armed, is left out: the start itself was the sign."""


def lamps_at(rest_ms: int) -> int:
    """The lamps' bits with so much left: they fill from the left, all lit at zero."""
    bits = 0
    for place, from_ms in enumerate(LAMPS_MS):
        if rest_ms <= from_ms:
            bits |= 2 << place
    return bits


class Round:
    """The armed round: its name, its deadline and the whole of its time."""

    def __init__(self, name: str, at_us: int, total_ms: int) -> None:
        self.name = name
        self.at_us = at_us
        self.total_ms = total_ms


class Sounding:
    """Outputs as bits: the buzzer is bit 0, the lamps bits 1 to 4."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self.audible = True
        self.silent = False
        self.lamps = 0
        self._buzzing = False
        self._pattern = ""
        self._edges: list[tuple[int, bool]] = []  # when, buzzer on; the earliest first
        self._signs: list[tuple[int, int]] = []  # when, rest in ms; the earliest first

    @property
    def outputs(self) -> int:
        """What the outputs are to show now."""
        return self._bits(self._buzzing, self.lamps)

    def _bits(self, buzzing: bool, lamps: int) -> int:  # noqa: FBT001 - the level itself
        if self.silent:
            return lamps ^ ALL_LAMPS if buzzing else lamps
        return lamps | BUZZER if buzzing and self.audible else lamps

    # -- what is asked for -----------------------------------------------------------------

    def arm(self, armed: Round, cues_ms: list[int], now: int) -> None:
        """Plan the signs of a round, in place of the armed one."""
        rests = [0]
        for cue in cues_ms:
            if cue > 0 and cue not in rests and armed.at_us - cue * 1000 > now + AHEAD_US:
                rests.append(cue)
        rests.sort(reverse=True)
        self._signs = [(armed.at_us - rest * 1000, rest) for rest in rests]
        self.round = armed
        self.lamps = lamps_at(max(0, armed.at_us - now + 999) // 1000)

    def stop(self, now: int, hold: bool) -> int:  # noqa: FBT001 - as the request has it
        """Forget the armed round; what it had left. The lamps stay if it is only held."""
        armed, self.round = self.round, None
        self._signs = []
        if armed is None:
            return 0
        if not hold:
            self.lamps = 0
        return max(0, armed.at_us - now)

    def sound(self, name: str, now: int) -> bool:
        """Begin a pattern in place of the present one; False while zero sounds."""
        if self._pattern == "lock":
            return False
        self._begin(name, now)
        return True

    def _begin(self, name: str, at: int) -> None:
        self._pattern = name
        self._buzzing = True
        self._edges = []
        beeps = FLASHES_OF_LOCK if self.silent and name == "lock" else PATTERNS[name]
        for start_ms, length_ms in beeps:
            if start_ms:
                self._edges.append((at + start_ms * 1000, True))
            self._edges.append((at + (start_ms + length_ms) * 1000, False))

    # -- what the timer does ---------------------------------------------------------------

    def next(self) -> tuple[int, int] | None:
        """When the outputs change next, and to what; None when nothing is planned."""
        sign = self._next_is_sign()
        if sign is None:
            return None
        if sign:
            at, rest_ms = self._signs[0]
            return (at, self._bits(True, lamps_at(rest_ms)))  # noqa: FBT003
        at, on = self._edges[0]
        return (at, self._bits(on, self.lamps))

    def _next_is_sign(self) -> bool | None:
        if not self._signs:
            return False if self._edges else None
        return not self._edges or self._signs[0][0] <= self._edges[0][0]

    def done(self, at: int) -> tuple[str, int, int] | None:
        """What `next` named was done at `at`: a sign's round, its rest in ms and how late it was.

        None for an edge of a pattern, which nobody needs to hear of.
        """
        if not self._next_is_sign():
            self._buzzing = self._edges.pop(0)[1]
            if not self._edges:
                self._pattern = ""
            return None
        due, rest_ms = self._signs.pop(0)
        name = self.round.name if self.round is not None else ""
        if rest_ms == 0:
            self.round = None
        self.lamps = lamps_at(rest_ms)
        self._begin("lock" if rest_ms == 0 else "cue", due if at - due <= PUNCTUAL_US else at)
        return (name, rest_ms, at - due)
