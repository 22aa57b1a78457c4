"""Who may be shot at from where: line, range and Rear.  (DF-11.1, DF-11.2, DF-14.3)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from companion.kit.hexes import Heading, range_ahead

if TYPE_CHECKING:
    from companion.games.dogfight_1917.player import Player


HIDDEN = "a Fighter in between"
"""Why a target is missed where the nearest one on the line is the only one.  (RULING 4)"""


class Aim(NamedTuple):
    """What must hold for an attack: range from and to, and whether the Rear must be faced."""

    nearest: int
    farthest: int
    from_rear: bool

    def miss(self, attacker: Heading, target: Heading) -> str:
        """Why a target cannot be attacked: "line", "range" or "Rear"; empty where it can be.

        >>> from companion.kit.hexes import Hex
        >>> Aim(1, 2, from_rear=True).miss(Heading(Hex(0, 0), 0), Heading(Hex(0, -2), 3))
        'Rear'
        """
        spaces = range_ahead(attacker, target.hex)
        if spaces is None:
            return "line"
        if not self.nearest <= spaces <= self.farthest:
            return "range"
        if self.from_rear and not faces_rear(attacker, target):
            return "Rear"
        return ""


def faces_rear(attacker: Heading, target: Heading) -> bool:
    """Whether an attacker on the line looks into the target's Rear.  (DF-11.1)"""
    return (attacker.facing - target.facing) % 6 in (0, 1, 5)


def is_first_on_line(attacker: Heading, target: Player, others: Iterable[Player]) -> bool:
    """Whether none of the others that fly does so between attacker and target.  (RULING 4)"""
    spaces = range_ahead(attacker, target.at.hex)
    between = (range_ahead(attacker, other.at.hex) for other in others)
    return spaces is not None and not any(near is not None and near < spaces for near in between)
