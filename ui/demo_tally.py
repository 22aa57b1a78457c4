"""What a demonstration counts: rounds, touches, poses, rolls, cards, and where somebody helped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Poses:
    """How the app learned where pieces were put.

    `right` and `wrong`: answered by the camera; `asked`: told by a touch, counted by why it had to
    be.
    """

    right: int = 0
    wrong: int = 0
    asked: Counter[str] = field(default_factory=Counter[str])


@dataclass(slots=True)
class Rolls:
    """How the app learned what was rolled: read by the camera, or told by a touch."""

    right: int = 0
    wrong: int = 0
    told: int = 0


@dataclass(slots=True)
class Cards:
    """How the app learned of cards in sleeves: by the camera, or told by a touch."""

    right: int = 0
    wrong: int = 0
    asked: int = 0


@dataclass(slots=True)
class Tally:
    """What came of it: rounds played, rounds in which somebody had to help out, and why.

    `seen` counts the answers that the camera gave, `misled` names those that were wrong.
    """

    wanted: int | None = None
    rounds: int = 0
    helped: int = 0
    touches: int = 0
    seen: int = 0
    misled: list[str] = field(default_factory=list[str])
    reasons: list[str] = field(default_factory=list[str])
    poses: Poses = field(default_factory=Poses)
    rolls: Rolls = field(default_factory=Rolls)
    cards: Cards = field(default_factory=Cards)
    _helped_in: str = ""

    @property
    def full(self) -> bool:
        """Whether as many rounds were played as were asked for."""
        return self.wanted is not None and self.rounds >= self.wanted

    def help_out(self, place: str, reason: str) -> None:
        """Somebody had to do what the camera should have done; once a round counts."""
        if place != self._helped_in:
            self._helped_in = place
            self.helped += 1
        self.reasons.append(f"{place}: {reason}")
