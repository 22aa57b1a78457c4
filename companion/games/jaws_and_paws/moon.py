"""Whom the Moon favours, and when it lets somebody look.  (JP-16.3, JP-16.4)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.jaws_and_paws.moves import owner_of

if TYPE_CHECKING:
    from companion.core.ruling import Seat
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.games.jaws_and_paws.shots import Shot


def is_favoured(position: JawsAndPawsPosition, team: Seat) -> bool:
    """Whether the players of a team may draw more: Moon and plane on two boards.  (JP-16.3)

    The Moon is on an enemy's View set, and the team's plane on the other board of that set.
    """
    zone = position.sun
    if zone is None or owner_of(zone) == team or team in position.out:
        return False
    plane = position.zones.get(position.lineup.token[team, owner_of(zone)])
    return plane is not None and plane[-2] != zone[-2]


def is_moonlit(position: JawsAndPawsPosition, shot: Shot) -> bool:
    """Whether a plane that was hit stands on the Moon's board.  (JP-16.4)"""
    zone = position.sun
    return bool(shot.due) and zone is not None and zone[:-1] == shot.stands[:-1]
