"""Where a token goes: the tables of JP-12.6 and JP-13, worked out once for each house rule.

A zone is named Team.Letters ("Paws.GR"): the team that owns the board, the board (Pilot, Gunner),
and the column as printed.  (JP-0)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.board import Pose
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.crew import ALL_TEAMS
from companion.games.jaws_and_paws.lineup import FOUR, LETTERS

Zone = str
Steps = Mapping[Zone, Zone]

ZONES: tuple[Zone, ...] = FOUR.zones
"""Those of two teams."""
ALL_ZONES: tuple[Zone, ...] = tuple(f"{t}.{letters}" for t in ALL_TEAMS for letters in LETTERS)
POSES: Mapping[Zone, Pose] = {zone: Pose(zone) for zone in ALL_ZONES}
"""The pose of a token on each zone; planes and Sun have no facing."""
OTHER_WAY: Mapping[str, str] = {"L": "R", "R": "L"}

_COLUMNS = "LCR"
_MIRRORED = {"L": "R", "C": "C", "R": "L"}
_OTHER_BOARD = {"P": "G", "G": "P"}


_OWNERS: Mapping[Zone, Seat] = {zone: Seat(zone[:-3]) for zone in ALL_ZONES}


def owner_of(zone: Zone) -> Seat:
    """The team that owns the board of a zone."""
    return _OWNERS[zone]


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
        return {zone: corner(zone) for zone in ALL_ZONES}
    if move == "V":
        return {zone: mirror(zone, plane_view_mirror) for zone in ALL_ZONES}
    return {zone: seat_step(team, zone, move, frame) for zone in ALL_ZONES}


@cache
def sun_steps(team: Seat, move: str, frame: str) -> Steps:
    """Move Sun: from every zone to where a card of `team` takes the Sun.  (JP-13)

    `move` is L, R, V (View) or T (Team, of one box: of several teams its player chooses).
    """
    if move == "T":
        return {zone: same_zone(zone, FOUR.rival[owner_of(zone)]) for zone in FOUR.zones}
    if move == "V":
        return {zone: mirror(zone) for zone in ALL_ZONES}
    return {zone: seat_step(team, zone, move, frame) for zone in ALL_ZONES}
