"""How often something came, how sure that is, and who beat whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import NamedTuple

Z_95 = 1.959964
"""So many standard deviations to either side hold 95 of 100 draws of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of so many; `low` and `high` bound the true share with a confidence of 95 %.

    They are E. B. Wilson's score interval (1927): it stays within 0 to 1 and holds for few draws.
    """

    of: int
    count: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 of nothing."""
        return self.count / self.of if self.of else 0.0

    @property
    def low(self) -> float:
        """The lower bound of the interval; 0 where nothing was drawn."""
        return self._bounds()[0]

    @property
    def high(self) -> float:
        """The upper bound of the interval; 1 where nothing was drawn."""
        return self._bounds()[1]

    def _bounds(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        square = Z_95**2
        middle = self.share + square / (2 * self.of)
        spread = Z_95 * sqrt(self.share * (1 - self.share) / self.of + square / (4 * self.of**2))
        whole = 1 + square / self.of
        return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)

    def __str__(self) -> str:
        """In percent, as people read it: at a glance how wide the interval is.

        >>> str(Share(100, 51))
        '51 % (41-61)'
        """
        low, high = round(100 * self.low), round(100 * self.high)
        return f"{round(100 * self.share)} % ({low}-{high})"

    def to_json(self) -> dict[str, float]:
        """Shares from 0 to 1, to four places."""
        shares = {"share": self.share, "low": self.low, "high": self.high}
        return {"of": self.of, "count": self.count, **{k: round(v, 4) for k, v in shares.items()}}


class Mean(NamedTuple):
    """A mean of so many numbers, by their total and the total of their squares.

    >>> str(Mean(100, 250.0, 900.0)), str(Mean(1, 4.0, 16.0)), str(Mean(0, 0.0, 0.0))
    ('2.5 ± 0.3', '4.0', '')
    """

    number: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """Their mean; 0 of none."""
        return self.total / self.number if self.number else 0.0

    @property
    def spread(self) -> float:
        """Half the width of the 95 % interval of the mean; 0 of fewer than two."""
        if self.number < 2:
            return 0.0
        variance = (self.squares - self.total**2 / self.number) / (self.number - 1)
        return Z_95 * sqrt(max(0.0, variance) / self.number)

    def __str__(self) -> str:
        if not self.number:
            return ""
        if not self.spread:
            return f"{self.mean:.1f}"
        return f"{self.mean:.1f} ± {self.spread:.1f}"


def who_beat_whom(
    sides: Sequence[str], results: Iterable[tuple[str, ...]]
) -> dict[tuple[str, str], Share]:
    """For each two sides how often the first won where exactly one of them did.

    `results` are the winners of each match that ended; of draws nothing is told.

    >>> beaten = who_beat_whom(["A", "B", "C"], [("A",), ("A", "B"), ("B",), ()])
    >>> beaten["A", "B"].count, beaten["A", "B"].of, beaten["A", "C"].count
    (1, 2, 2)
    """
    won: Counter[tuple[str, str]] = Counter()
    for winners in results:
        losers = [side for side in sides if side not in winners]
        won.update((winner, loser) for winner in winners for loser in losers)
    pairs = permutations(sides, 2)
    return {(one, two): Share(won[one, two] + won[two, one], won[one, two]) for one, two in pairs}
