"""Stalls after the Assessment Phase: what is said before them, and what is refused.  (DF-8.4)"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from companion.core.question import Refusal
from companion.core.ruling import Cite, Level, Notice
from companion.kit.hexes import Heading

_LATE = Cite.of("DF-8.4, RULING 19")
_NO_OTHER = Cite.of("DF-7.2, DF-7.5, DF-8.4, RULING 19")
_AFTER_ENGAGING = Cite.of("DF-7.2, DF-7.5, DF-8.4")


def stall_after_engaging(who: str, engaged_at: str) -> Notice:
    """What to say to whom claims after engaging that no Maneuver can be performed.

    `engaged_at` is the key of the answer with which that was done; empty where it is not known.
    """
    text = f"{who} engaged, and nothing took a Maneuver Card since."
    back = f"undo to {engaged_at}" if engaged_at else "have the arbiter go back"
    way_out = f"Fly one, or {back} and stall there."
    return Notice("DF-STALL", text, _AFTER_ENGAGING, Level.WARN, way_out)


@dataclass(frozen=True, slots=True)
class LateStall:
    """What the moves of a player lead to whose Maneuver is still to come.

    `is_here` tells of an end pose whether the plane stands so: staying is no move. `is_stuck` tells
    whether no Maneuver Card gets away from it; `is_forbidden` whether such ends are refused by
    house rule (late_stall) as long as there are others.
    """

    is_here: Callable[[Heading], bool]
    is_stuck: Callable[[Heading], bool]
    is_forbidden: bool

    def word_before(self, end: Heading, ends: Iterable[Heading]) -> Notice | None:
        """What to say before a move that leads to a Stall; `ends` are all that it may have."""
        if self.is_here(end) or not self.is_stuck(end):
            return None
        text = f"From {end.name()} no Maneuver Card can be flown: a Stall follows."
        if all(other == end for other in ends):
            way_out = "No other end is open. Fly there, and stall when nothing else is left to do."
            return Notice("DF-STALL", text, _NO_OTHER, Level.WARN, way_out)
        return Notice("DF-STALL", text, _LATE, Level.WARN, "Go on anyway, or end elsewhere.")

    def refusal(self, end: Heading, ends: Iterable[Heading]) -> Refusal | None:
        """Why an end is refused, where one of the others keeps a Maneuver open."""
        if not self.is_forbidden or self.is_here(end) or not self.is_stuck(end):
            return None
        if all(self.is_stuck(other) for other in ends):
            return None
        text = (f"From {end.name()} no Maneuver Card can be flown, and the house rule late_stall "
                "forbids that. End elsewhere.")  # fmt: skip
        return Refusal("DF-E14", text, _LATE)
