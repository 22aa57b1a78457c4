"""Arithmetic on the boards: where a card moves a token, what a shot hits, and who bleeds.

Moves are the tables of JP-12.6 and JP-13, worked out once for each house rule; shots are JP-14 and
JP-15. A zone is named Team.Letters ("Paws.GR"): the team that owns the board, the board (Pilot,
Gunner), and the column as printed.  (JP-0)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from companion.core.ruling import AttackMade, CardLaid, Cite, DamageTaken, EvasionTried, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.boards import NAMES, Zone, board_owner, owner_of

if TYPE_CHECKING:
    from companion.core.ruling import Json, Occurrence
    from companion.games.jaws_and_paws.cards import CardFace
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


Steps = Mapping[Zone, Zone]

OTHER_WAY: Mapping[str, str] = {"L": "R", "R": "L"}

_COLUMNS = "LCR"
_MIRRORED = {"L": "R", "C": "C", "R": "L"}
_OTHER_BOARD = {"P": "G", "G": "P"}


def printed_step(zone: Zone, towards: str) -> Zone:
    """One zone along the same board as printed; at the edge it stays.  (JP-12.3)

    >>> printed_step("Jaws.PC", "L"), printed_step("Jaws.PL", "L")
    ('Jaws.PL', 'Jaws.PL')
    """
    column = _COLUMNS.index(zone[-1]) + (-1 if towards == "L" else 1)
    return zone[:-1] + _COLUMNS[min(2, max(0, column))]


def seat_step(player_team: Seat, zone: Zone, towards: str, frame: str) -> Zone:
    """One zone to the left or right of whoever played the card.  (JP-2.6, RULING 1, RULING 29)

    `frame` is the switch lr_frame: from the `seat`, the far team's boards run the other way;
    by the `board`, Left is always the printed L.
    """
    turned = is_turned(player_team, zone, frame)
    return printed_step(zone, OTHER_WAY[towards] if turned else towards)


def is_turned(player_team: Seat, zone: Zone, frame: str) -> bool:
    """Whether a player's left is the right of the board on which a zone lies.  (JP-2.6)"""
    return frame == "seat" and owner_of(zone) != player_team


def corner(zone: Zone) -> Zone:
    """The opposite corner of the same board; the centre stays.  (JP-2.9)"""
    return zone[:-1] + _MIRRORED[zone[-1]]


def mirror(zone: Zone, plane_view_mirror: str = "swap") -> Zone:
    """The mirror position on the partner board of the same team.  (JP-2.7, RULING 2)

    >>> mirror("Paws.PL"), mirror("Paws.PL", "same_letter")
    ('Paws.GR', 'Paws.GL')
    """
    board, column = zone[-2], zone[-1]
    kept = column if plane_view_mirror == "same_letter" else _MIRRORED[column]
    return f"{zone[:-2]}{_OTHER_BOARD[board]}{kept}"


def same_zone(zone: Zone, team: Seat) -> Zone:
    """The same zone on another team's View set.  (JP-2.8)

    >>> same_zone("Jaws.PL", Seat("Paws2"))
    'Paws2.PL'
    """
    return f"{team}{zone[-3:]}"


@cache
def plane_steps(team: Seat, move: str, frame: str, plane_view_mirror: str) -> Steps:
    """Move Plane: from every zone to where a card of `team` takes a plane.  (JP-12)

    `move` is L, R, C (Corner) or V (View), the last letter of the card's code.
    """
    if move == "C":
        return {zone: corner(zone) for zone in boards.ALL_ZONES}
    if move == "V":
        return {zone: mirror(zone, plane_view_mirror) for zone in boards.ALL_ZONES}
    return {zone: seat_step(team, zone, move, frame) for zone in boards.ALL_ZONES}


@cache
def sun_steps(team: Seat, move: str, frame: str) -> Steps:
    """Move Sun: from every zone to where a card of `team` takes the Sun.  (JP-13)

    `move` is L, R, V (View) or T (Team, of one box: of several teams its player chooses).
    """
    if move == "T":
        return {
            zone: same_zone(zone, boards.FOUR.rival[owner_of(zone)]) for zone in boards.FOUR.zones
        }
    if move == "V":
        return {zone: mirror(zone) for zone in boards.ALL_ZONES}
    return {zone: seat_step(team, zone, move, frame) for zone in boards.ALL_ZONES}


# Shots: what is hit, how hard, and who bleeds.  (JP-14, JP-15)


class Shot(NamedTuple):
    """One Shoot card against one enemy plane, judged from the positions of its step.

    `widened`: it covers its whole board; `halved`: the victim is in the Sun. `due`: damage by
    receiver, empty for a miss. `full`: damage of the card; `amount`: the same after halving, before
    it is shared out. `stands`: where the victim's token is; `aim`: where the shooter's own plane
    is, on whose View Board.
    """

    shooter: Seat
    face: CardFace
    victim: Seat
    stands: Zone
    aim: Zone
    widened: bool
    halved: bool
    full: int
    amount: int
    due: Mapping[Seat, int]


def covers(named: str, letters: str, *, widened: bool) -> bool:
    """Whether a Shoot card that names a zone covers another of the same team.  (JP-15.2)

    >>> covers("PL", "PR", widened=True), covers("PL", "GL", widened=True)
    (True, False)
    """
    return named[0] == letters[0] if widened else named == letters


def judge_shot(
    position: JawsAndPawsPosition,
    shooter: Seat,
    face: CardFace,
    house: Mapping[str, Json],
    bright: Zone | None,
) -> list[Shot]:
    """Whom it hits, how hard, and who receives it; changes nothing.  (JP-14.1 to JP-15.5)

    One for each plane that is hit, clockwise from the shooter; if none is, that of the first plane
    that is missed. `bright` is the zone of the Sun (None: it has no effects).
    """
    team, lineup, zones = boards.TEAM_OF[shooter], position.lineup, position.zones
    rivals, out, tokens = lineup.rivals[team], position.out, lineup.token
    if out:
        rivals = tuple(rival for rival in rivals if rival not in out)
    widened = bright is not None and bright in map(zones.get, lineup.own[team])
    hits: list[Shot] = []
    for victim in rivals:
        stands = zones[tokens[victim, team]]
        if covers(face.zone, stands[-2:], widened=widened):
            aim, halved = zones[tokens[team, victim]], stands == bright
            full = face.damage if face.damage is not None else _number(house["shot_damage"])
            amount = half(full, house) if halved else full
            due = receivers(position, victim, aim, amount, house)
            hits.append(
                Shot(shooter, face, victim, stands, aim, widened, halved, full, amount, due)
            )
    if hits:
        return hits
    missed = rivals[0]
    stands, aim = zones[tokens[missed, team]], zones[tokens[team, missed]]
    return [Shot(shooter, face, missed, stands, aim, widened, *_NO_DAMAGE)]


_NO_DAMAGE: tuple[bool, int, int, Mapping[Seat, int]] = (False, 0, 0, {})


def receivers(
    position: JawsAndPawsPosition, victim: Seat, aim: Zone, amount: int, house: Mapping[str, Json]
) -> Mapping[Seat, int]:
    """Who receives the damage, and how much each.  (JP-14.4, JP-14.5, RULING 20)"""
    by_token = board_owner(victim, aim)
    repairing = position.repairing(boards.CREW_OF[victim])
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
        "JP-14.1, JP-14.2, JP-14.3"
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
    repairing = len(position.repairing(boards.CREW_OF[shot.victim]))
    return _CITES[shot.widened, shot.halved, repairing]


def happened(shot: Shot) -> tuple[Occurrence, ...]:
    """What a judged shot is in statistics; the Sun is what a victim may do about it."""
    by, title = shot.shooter, shot.face.title
    reach = "the whole board" if shot.widened else "one zone"
    made: list[Occurrence] = [CardLaid(by, title)]
    made.append(AttackMade(by, shot.victim, bool(shot.due), reach, title))
    if shot.due and shot.halved:
        less = shot.full - shot.amount
        made.append(EvasionTried(shot.victim, "the Sun", less, saved=not shot.amount))
    made += [DamageTaken(player, damage, by) for player, damage in shot.due.items()]
    return (*made,)


def told(shot: Shot, position: JawsAndPawsPosition) -> str:
    """Hit or miss and why, then who receives it and why."""
    wide = " covers the whole board (own plane in the Sun)" if shot.widened else ""
    stands = f"the {shot.victim} plane stands on {shot.stands}"
    if not shot.due:
        several = len(position.teams) > 2
        why = "no enemy plane stands there" if several else stands
        return f"{wide}{' and' if wide else ''} misses: {why}."
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
    if position.repairing(boards.CREW_OF[shot.victim]):
        return f"{names} is Repairing and takes it."
    plane = boards.TEAM_OF[shot.shooter]
    return f"{names} takes it: the {plane} plane stands on {shot.aim}."
