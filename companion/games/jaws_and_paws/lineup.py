"""The lineup of a match: which teams play, clockwise, and how many people each of them has.

Two teams have one token each; with more, every team has one on every other team's View set.
(JP-2.3, JP-17.1, JP-18.1, JP-19.1)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE
from companion.games.jaws_and_paws.crew import ALL_TEAMS, CREW_OF, JAWS, NAMES, token_of
from companion.games.jaws_and_paws.layout import SECTIONS

Place = tuple[Seat, int]
"""A section of a team's Action Track."""

LETTERS = ("PL", "PC", "PR", "GL", "GC", "GR")


class Lineup:
    """Who plays one match; never changes while it is played.

    `sizes` is how many people each team has, 1 or 2, in the order of `teams`, which is clockwise.
    `players` are the Pilots and Gunners of all teams: of a solo team both hands of one person.
    `rivals` lists the other teams of each, clockwise from it; `token` has each team's plane on each
    other team's View set, `own` a team's tokens, `facing` those on its View set, in that order;
    `start` is where they all begin (JP-3.3, JP-19.1).
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self.teams = teams = ALL_TEAMS[: len(sizes)]
        self.players = tuple(player for team in teams for player in CREW_OF[team])
        self.solos = frozenset(team for team, size in zip(teams, sizes, strict=True) if size == 1)
        self.rivals: Mapping[Seat, tuple[Seat, ...]] = {
            team: (*teams[at + 1 :], *teams[:at]) for at, team in enumerate(teams)
        }
        self.token: Mapping[tuple[Seat, Seat], Piece] = {
            (team, host): _token(team, host, len(sizes))
            for team in teams
            for host in self.rivals[team]
        }
        self.tokens = tuple(self.token.values())
        self.flown_by: Mapping[Piece, Seat] = {p: team for (team, _), p in self.token.items()}
        self.host_of: Mapping[Piece, Seat] = {p: host for (_, host), p in self.token.items()}
        self.start: Mapping[Piece, str] = {p: f"{host}.PC" for p, host in self.host_of.items()}
        self.own = {team: tuple(self.token[team, t] for t in self.rivals[team]) for team in teams}
        self.facing = {
            team: tuple(self.token[t, team] for t in self.rivals[team]) for team in teams
        }
        self.zones = tuple(f"{team}.{letters}" for team in teams for letters in LETTERS)
        self.places: tuple[Place, ...] = tuple((t, number) for t in teams for number in SECTIONS)
        self.names = {player: NAMES[player] for player in self.players}

    @property
    def rival(self) -> Mapping[Seat, Seat]:
        """Of two teams, each one's only enemy."""
        return {team: rivals[0] for team, rivals in self.rivals.items()}

    @property
    def held_by(self) -> Mapping[Seat, Seat]:
        """The second code of each solo player, and the first, at which the person is named."""
        return {CREW_OF[team][1]: CREW_OF[team][0] for team in self.teams if team in self.solos}

    @property
    def persons(self) -> tuple[Seat, ...]:
        """Everybody who sits at the table: players, and of a solo team the team.  (RULING 25)"""
        persons: list[Seat] = []
        for team in self.teams:
            persons += [team] if team in self.solos else CREW_OF[team]
        return tuple(persons)

    def __str__(self) -> str:
        return " ".join(map(str, self.sizes))


def _token(team: Seat, host: Seat, teams: int) -> Piece:
    if teams > 2:
        return token_of(team, host)
    return JAWS_PLANE if team == JAWS else PAWS_PLANE


@cache
def lineup_of(*sizes: int) -> Lineup:
    """The lineup of so many teams of one or two people each.

    >>> lineup_of(2, 1).persons
    ('JP', 'JG', 'Paws')
    """
    return Lineup(sizes)


FOUR = lineup_of(2, 2)
"""Two teams of two: the manual's own game."""
