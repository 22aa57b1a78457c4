"""What an arbiter may set: quantities and places of a position, by name.  (RULING 35)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from companion.core.board import Piece, off_board
from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.crew import CREW_OF, PIECE_NAMES, TEAM_OF
from companion.games.jaws_and_paws.layout import NOBODY, PILES, SECTIONS, UNTOLD
from companion.games.jaws_and_paws.lineup import Lineup
from companion.kit.reports import flag, set_all, whole_number

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

Setter = Callable[["JawsAndPawsPosition", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""


def adjust(position: JawsAndPawsPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    setters = setters_of(position.lineup, position.light)
    set_all(position, {name: _at(position, setter) for name, setter in setters.items()}, changes)


def _at(position: JawsAndPawsPosition, setter: Setter) -> Callable[[str, Json], None]:
    return lambda name, raw: setter(position, name, raw)


def _one_of(name: str, raw: Json, allowed: Sequence[str]) -> str:
    for known in allowed:
        if str(raw).lower() == known.lower():
            return known
    raise BadCall(f"{name}: {raw!r} is none of {', '.join(map(repr, allowed))}")


def _place(piece: Piece) -> Setter:
    def put(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        zones = position.lineup.zones
        if "." in str(raw) and str(raw).lower() not in map(str.lower, zones):
            raise BadCall(f"{name}: {off_board(raw)} There are {', '.join(zones)}")
        position.zones[piece] = _one_of(name, raw, zones)

    return put


def _pile(player: Seat, pile: str) -> Setter:
    def count(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.piles[player][pile] = whole_number(name, raw, 0, position.deck_size)

    return count


def _played(player: Seat) -> Setter:
    def count(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.played[player] = whole_number(name, raw, 0, position.deck_size)

    return count


def _smoke(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.smoke[team] = flag(name, raw)

    return turn


def _down(team: Seat) -> Setter:
    def mark(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        is_down = flag(name, raw)
        if team in position.out:
            raise BadCall(f"{name}: {team} left the game earlier; undo to bring it back")
        teams = position.lineup.teams
        position.down = [t for t in teams if (is_down if t == team else t in position.down)]

    return mark


def _section(team: Seat, number: int) -> Setter:
    def lay(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        allowed = (NOBODY, UNTOLD, *CREW_OF[team])
        if str(raw).upper() not in map(str.upper, allowed):
            crew = " or ".join(CREW_OF[team])
            text = f"{raw!r} is no owner there; say {crew}, ? for a card of either, or ''"
            raise BadCall(f"{name}: {text} for none")
        position.owners[team][number - 1] = _one_of(name, raw, allowed)

    return lay


def _face_up(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        number = whole_number(name, raw, 0, SECTIONS[-1])
        position.face_up.pop(team, None)
        if number:
            position.face_up[team] = number

    return turn


def _light_first(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
    codes = {player.lower(): TEAM_OF[player] for player in position.lineup.players}
    team = codes.get(str(raw).lower(), raw)
    position.sun_first = Seat(_one_of(name, team, position.lineup.teams))


@cache
def setters_of(lineup: Lineup, light: Piece) -> Mapping[str, Setter]:
    """Every name that may be set, and what setting it does."""
    teams, players = lineup.teams, lineup.players
    return {
        **{str(piece): _place(piece) for piece in (light, *lineup.tokens)},
        **{PIECE_NAMES[piece]: _place(piece) for piece in lineup.tokens},
        f"{light}_first": _light_first,
        **{f"{player}.{pile}": _pile(player, pile) for player in players for pile in PILES},
        **{f"{player}.played": _played(player) for player in players},
        **{f"{team}.smoke": _smoke(team) for team in teams},
        **{f"{team}.down": _down(team) for team in teams},
        **{f"{team}.face_up": _face_up(team) for team in teams if team in lineup.solos},
        **{f"{team}.{number}": _section(team, number) for team in teams for number in SECTIONS},
    }
