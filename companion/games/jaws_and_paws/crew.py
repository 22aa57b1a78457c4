"""Who may sit at a table: up to six teams, each with a Pilot and a Gunner.  (JP-0, JP-2.1)

The teams of further boxes are numbered: Jaws2, Paws2, Jaws3, Paws3, with JP2, JG2 and so on. A solo
player has both codes of a team, one for each hand (RULING 25). Which of them play one match, and
whose tokens stand where, its `lineup.py` says.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Look, Piece
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import JAWS_PLANE, MOON, PAWS_PLANE, SUN

MOST_TEAMS = 6
"""Three boxes; a screen has colours for no more sides."""

ALL_TEAMS: tuple[Seat, ...] = tuple(
    Seat(f"{name}{box or ''}") for box in (0, 2, 3) for name in ("Jaws", "Paws")
)
JAWS, PAWS = TEAMS = ALL_TEAMS[:2]
"""The teams of one box."""

_CODES: Mapping[Seat, tuple[Seat, str, str]] = {
    Seat(f"{team[0]}{role[0]}{team[4:]}"): (team, role, border)
    for team in ALL_TEAMS
    for role, border in (("Pilot", "white"), ("Gunner", "black"))
}
ALL_PLAYERS: tuple[Seat, ...] = tuple(_CODES)
JP, JG, PP, PG = PLAYERS = ALL_PLAYERS[:4]
"""The four players of one box."""

NAMES: Mapping[Seat, str] = {code: f"{team} {role}" for code, (team, role, _) in _CODES.items()}
TEAM_OF: Mapping[Seat, Seat] = {code: team for code, (team, _, _) in _CODES.items()}
ROLE_OF: Mapping[Seat, str] = {code: role for code, (_, role, _) in _CODES.items()}
CREW_OF: Mapping[Seat, tuple[Seat, Seat]] = {
    team: (ALL_PLAYERS[2 * at], ALL_PLAYERS[2 * at + 1]) for at, team in enumerate(ALL_TEAMS)
}
MATE_OF: Mapping[Seat, Seat] = {
    player: mate for pair in CREW_OF.values() for player, mate in (pair, pair[::-1])
}
BORDER_OF: Mapping[Seat, str] = {code: border for code, (_, _, border) in _CODES.items()}
BORDER_NAME_OF: Mapping[Seat, str] = {code: role.lower() for code, role in ROLE_OF.items()}
"""How the borders at the lock are named in an answer."""
BACK_OF: Mapping[Seat, str] = {code: role[0] for code, role in ROLE_OF.items()}
"""The back of a player's cards, as the board plan names it."""

TEAM_IN_SMALL: Mapping[str, Seat] = {team.lower(): team for team in ALL_TEAMS}
"""Teams as keys have them."""


def token_of(team: Seat, host: Seat) -> Piece:
    """The token that is a team's plane on another's View set, of several.  (JP-19.1)

    >>> token_of(JAWS, ALL_TEAMS[3])
    'jaws-on-paws2'
    """
    return Piece(f"{team}-on-{host}".lower())


_ABROAD: Mapping[Piece, tuple[Seat, Seat]] = {
    token_of(team, host): (team, host) for team in ALL_TEAMS for host in ALL_TEAMS if team != host
}
TEAM_OF_PLANE: Mapping[Piece, Seat] = {
    JAWS_PLANE: JAWS,
    PAWS_PLANE: PAWS,
    **{piece: team for piece, (team, _) in _ABROAD.items()},
}
"""Whose plane a token is, of the one token of two teams and of the several of more."""
PIECE_NAMES: Mapping[Piece, str] = {
    JAWS_PLANE: "Jaws plane",
    PAWS_PLANE: "Paws plane",
    SUN: "Sun",
    MOON: "Moon",
    **{piece: f"{team} plane at {host}" for piece, (team, host) in _ABROAD.items()},
}


def _looks() -> dict[str, Look]:
    looks: dict[str, Look] = {SUN: Look(None, "sun"), MOON: Look(None, "moon")}
    for colour, team in enumerate(ALL_TEAMS):
        looks[team] = Look(colour, "", f"{team[0]}{team[4:]}")
    looks |= {JAWS: Look(0, "jaw"), PAWS: Look(1, "paw")}
    for piece, team in TEAM_OF_PLANE.items():
        looks[piece] = looks[team]
        if team in TEAMS:
            looks[piece] = Look(looks[team].colour, f"{team.lower()}-plane")
    return looks


LOOKS: Mapping[str, Look] = _looks()
"""How teams and tokens are drawn; those of further boxes have a letter and their number."""


def board_owner(team: Seat, zone: str) -> Seat:
    """The player of `team` on whose View Board a zone of that letter lies.  (JP-14.4)

    >>> board_owner(PAWS, "Paws.GL")
    'PG'
    """
    return CREW_OF[team][0 if zone[-2] == "P" else 1]
