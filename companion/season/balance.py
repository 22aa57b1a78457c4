"""What many simulated matches came to: who won how often, who beat whom, how long they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from companion.games import rulebook_of
from companion.match.rulebook import Setup
from companion.match.simulation import BotMatch
from companion.season.shares import Share, who_beat_whom


@dataclass(frozen=True)
class Balance:
    """The results of matches of one set-up, each by a seed of its own.

    `took_s` is how long all of them took to play, in seconds.
    """

    setup: Setup
    played: Sequence[BotMatch]
    took_s: float

    @property
    def sides(self) -> Sequence[str]:
        """Who could win."""
        return rulebook_of(self.setup)(self.setup).sides_taken()

    @cached_property
    def beaten(self) -> Mapping[tuple[str, str], Share]:
        """For each two sides, how often the first beat the second."""
        return who_beat_whom(self.sides, (one.winners for one in self.played if one.finished))

    @property
    def finished(self) -> int:
        """How many matches found their end."""
        return sum(one.finished for one in self.played)

    @cached_property
    def outcomes(self) -> Mapping[str, int]:
        """How many matches each result ended, the most frequent first."""
        return dict(Counter(one.result for one in self.played if one.finished).most_common())

    @property
    def shares(self) -> Mapping[str, Share]:
        """The share of each result among the matches that found their end."""
        return {result: Share(self.finished, count) for result, count in self.outcomes.items()}

    @property
    def lengths(self) -> Sequence[int]:
        """The answers of each match that found its end."""
        return [one.answers for one in self.played if one.finished]

    @property
    def answers(self) -> int:
        """The answers of all matches, whether or not they found their end."""
        return sum(one.answers for one in self.played)

    @property
    def answers_per_s(self) -> float:
        """How many were given and judged in a second, to one place."""
        return round(self.answers / self.took_s, 1) if self.took_s else 0.0
