"""Shoot cards: what is hit, how hard, and who bleeds.  (JP-14, JP-15)

Two different tokens matter: the victim's on the shooter's boards decides whether it is hit, the
shooter's on the victim's boards decides who receives the damage.  (JP-14.7)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion.games.jaws_and_paws.boards import SUN
from companion.games.jaws_and_paws.crew import (
    CREW_OF,
    NAMES,
    PLANE_OF,
    RIVAL_OF,
    TEAM_OF,
    board_owner,
)
from companion.ruling import Cite, Seat

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.cards import Face
    from companion.games.jaws_and_paws.moves import Zone
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.offers import Json


class Shot(NamedTuple):
    """One Shoot card, judged from the positions of its step.

    `widened`: it covers its whole board; `halved`: the victim is in the Sun. `due`: damage by
    receiver, empty for a miss. `full`: damage of the card; `amount`: the same after halving, before
    it is shared out.
    """

    shooter: Seat
    face: Face
    stands: Zone
    widened: bool
    halved: bool
    full: int
    amount: int
    due: Mapping[Seat, int]
    aim: Zone
    """Where the shooter's own plane stands: on whose View Board."""

    @property
    def hits(self) -> bool:
        """Whether the enemy plane stood on a zone that the card covers."""
        return bool(self.due)

    @property
    def victim(self) -> Seat:
        """The team that was shot at."""
        return RIVAL_OF[TEAM_OF[self.shooter]]


def covers(named: str, letters: str, *, widened: bool) -> bool:
    """Whether a Shoot card that names a zone covers another of the same team.  (JP-15.2)

    >>> covers("PL", "PR", widened=True), covers("PL", "GL", widened=True)
    (True, False)
    """
    return named[0] == letters[0] if widened else named == letters


def judge_shot(
    position: JawsAndPawsPosition, shooter: Seat, face: Face, house: Mapping[str, Json]
) -> Shot:
    """Hit or miss, how much, and to whom; changes nothing.  (JP-14.1 to JP-15.5)"""
    team = TEAM_OF[shooter]
    victim = RIVAL_OF[team]
    stands, aim = position.zones[PLANE_OF[victim]], position.zones[PLANE_OF[team]]
    sun = position.zones.get(SUN)
    widened, in_the_sun = aim == sun, stands == sun
    if not covers(face.zone, stands[5:], widened=widened):
        return Shot(shooter, face, stands, widened, halved=False, full=0, amount=0, due={}, aim=aim)
    full = face.damage if face.damage is not None else _number(house["shot_damage"])
    amount = half(full, house) if in_the_sun else full
    due = receivers(position, victim, aim, amount, house)
    return Shot(shooter, face, stands, widened, in_the_sun, full, amount, due, aim)


def receivers(
    position: JawsAndPawsPosition, victim: Seat, aim: Zone, amount: int, house: Mapping[str, Json]
) -> Mapping[Seat, int]:
    """Who receives the damage, and how much each.  (JP-14.4, JP-14.5, RULING 20)"""
    by_token = board_owner(victim, aim)
    repairing = position.repairing(CREW_OF[victim])
    if not repairing:
        return {by_token: amount}
    if len(repairing) == 1:
        return {repairing[0]: amount}
    if house["both_repair_damage"] == "split":
        return {p: amount // 2 + (amount % 2 if p == by_token else 0) for p in repairing}
    return dict.fromkeys(repairing, amount)


def half(amount: int, house: Mapping[str, Json]) -> int:
    """Half the damage, an odd one rounded as the match has it.  (JP-15.1, RULING 21)"""
    return amount // 2 if house["half_rounding"] == "down" else (amount + 1) // 2


def _number(raw: Json) -> int:
    assert isinstance(raw, int), raw
    return raw


# -- in words ------------------------------------------------------------------------------------

_MISS = Cite.of("JP-14.1")
_WIDE_MISS = Cite.of("JP-14.1, JP-15.2")
_CITES = {
    (widened, halved, repairing): Cite.of(
        "JP-14.1, JP-14.2"
        + ", JP-15.2" * widened
        + ", JP-15.1" * halved
        + (", JP-14.5" if repairing else ", JP-14.4")
        + ", RULING 19"
        + ", RULING 20" * (repairing == 2)
        + ", RULING 21" * halved
    )
    for widened in (False, True)
    for halved in (False, True)
    for repairing in (0, 1, 2)
}


def cite_of(shot: Shot, position: JawsAndPawsPosition) -> Cite:
    """The rules that a judged shot rests on."""
    if not shot.due:
        return _WIDE_MISS if shot.widened else _MISS
    repairing = len(position.repairing(CREW_OF[shot.victim]))
    return _CITES[shot.widened, shot.halved, repairing]


def told(shot: Shot, position: JawsAndPawsPosition) -> str:
    """Hit or miss and why, then who receives it and why."""
    wide = " covers the whole board (own plane in the Sun)" if shot.widened else ""
    stands = f"the {shot.victim} plane stands on {shot.stands}"
    if not shot.due:
        return f"{wide}{' and' if wide else ''} misses: {stands}."
    halved = f", halved to {shot.amount} (in the Sun)" if shot.halved else ""
    link = " and" if wide else ""
    hit = f"{wide}{link} hits: {stands}; {shot.full} damage{halved}."
    return f"{hit} {_receiver_told(shot, position)}"


def _receiver_told(shot: Shot, position: JawsAndPawsPosition) -> str:
    names = " and ".join(NAMES[player] for player in shot.due)
    if len(shot.due) > 1:
        shared = sum(shot.due.values()) == shot.amount
        how = "share it" if shared else "each take it in full"
        return f"{names} are both Repairing and {how}."
    if position.repairing(CREW_OF[shot.victim]):
        return f"{names} is Repairing and takes it."
    plane = TEAM_OF[shot.shooter]
    return f"{names} takes it: the {plane} plane stands on {shot.aim}."
