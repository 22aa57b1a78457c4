"""Levels out of restless contacts: bounces, sliding cards, keys that jam. Pure arithmetic.

A press is dated by its first contact. A card stirs the sensor before it lies: both moments are
told, for a ruling may hang on which of them was late.
"""

STUCK_US = 10_000_000
"""A button held so long is jammed or shorted."""

CHATTER_US = 1_000_000
"""An input that has not come to rest for so long is broken or catches noise."""

GAP_US = 150_000
"""A press so soon after a release is the same press: a finger that slid, a tired spring."""


class Change:
    """A level that has come to rest: `before`, `level`, and since when.

    The input stirred first at `began_us` and has had the level since `at_us`. Either happened at
    most `error_us` earlier than that: between two looks at the input.
    """

    def __init__(self, before: int, level: int, began_us: int, at_us: int, error_us: int) -> None:
        self.before = before
        self.level = level
        self.began_us = began_us
        self.at_us = at_us
        self.error_us = error_us


class Settling:
    """One input. A level counts once it has stood for `settle_us`.

    `fault` is what is wrong with it now: "" or "chatter".
    """

    def __init__(self, settle_us: int, level: int = 0) -> None:
        self.level = level
        self.fault = ""
        self._settle_us = settle_us
        self._seen = level
        self._seen_at = 0
        self._began = -1  # when the present unrest began; -1: at rest
        self._error = 0
        self._looked_at = -1

    def look(self, level: int, now: int) -> Change | None:
        """Take the level that the input has now; a change that is certain by now."""
        if level != self._seen:
            self._stir(level, now)
        self._looked_at = now
        if self._began < 0:
            return None
        if now - self._seen_at >= self._settle_us:
            return self._rest()
        if now - self._began >= CHATTER_US:
            self.fault = "chatter"
        return None

    def _stir(self, level: int, now: int) -> None:
        gap = now - self._looked_at if self._looked_at >= 0 else 0
        self._seen = level
        self._seen_at = now
        if self._began < 0:
            self._began = now
            self._error = gap
        self._error = max(self._error, gap)

    def _rest(self) -> Change | None:
        began, self._began = self._began, -1
        self.fault = ""
        if self._seen == self.level:
            return None  # noise shorter than a card or a finger
        change = Change(self.level, self._seen, began, self._seen_at, self._error)
        self.level = self._seen
        return change


class Key:
    """One button: presses and releases out of settled levels, and whether it is stuck."""

    def __init__(self, settle_us: int, level: int = 0) -> None:
        self._settling = Settling(settle_us, level)
        self._pressed_at = 0
        self._released_at = -GAP_US
        self._counts = False  # whether the present press was told
        self._stuck = False

    @property
    def down(self) -> bool:
        """Whether it is held now."""
        return self._settling.level != 0

    @property
    def fault(self) -> str:
        """What is wrong with it now: "", "stuck" or "chatter"."""
        return "stuck" if self._stuck else self._settling.fault

    def look(self, level: int, now: int) -> tuple[str, Change] | None:
        """Take the level now: ("press", change) or ("release", change) when one is certain."""
        change = self._settling.look(level, now)
        if change is None:
            self._stuck = self.down and now - self._pressed_at >= STUCK_US
            return None
        if change.level:
            self._pressed_at = change.began_us
            self._counts = change.began_us - self._released_at >= GAP_US
            return ("press", change) if self._counts else None
        self._released_at = change.began_us
        self._stuck = False
        return ("release", change) if self._counts else None

    def held_us(self, change: Change) -> int:
        """How long a button that was just released had been held."""
        return change.began_us - self._pressed_at
