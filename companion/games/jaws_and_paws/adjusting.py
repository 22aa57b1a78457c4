"""What an arbiter may set: quantities and places of a position, by name.  (RULING 35)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from companion.board import Piece
from companion.errors import BadCall
from companion.games.jaws_and_paws.crew import CREW_OF, PIECE_NAMES
from companion.games.jaws_and_paws.layout import NOBODY, PILES, SECTIONS, UNTOLD
from companion.games.jaws_and_paws.lineup import Lineup
from companion.ruling import Seat

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.offers import Json

Setter = Callable[["JawsAndPawsPosition", "Json"], None]


def adjust(position: JawsAndPawsPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind.

    Meant for a position that is thrown away when one is refused, as `Match` does.
    """
    setters = setters_of(position.lineup, position.light)
    for name, value in changes.items():
        setter = setters.get(_plain(name))
        if setter is None:
            names = ", ".join((*setters, *(f"option.{rule}" for rule in position.house)))
            raise BadCall(f"nothing is called {name!r}; there are {names}")
        setter(position, value)


def _plain(name: str) -> str:
    return " ".join(name.lower().split()).removeprefix("the ")


def _number(name: str, raw: Json, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from 0 to {most}")
    return raw


def _name(name: str, raw: Json, allowed: Sequence[str]) -> str:
    for known in allowed:
        if str(raw).lower() == known.lower():
            return known
    raise BadCall(f"{name}: {raw!r} is none of {', '.join(map(repr, allowed))}")


def _place(piece: Piece) -> Setter:
    def put(position: JawsAndPawsPosition, raw: Json) -> None:
        position.zones[piece] = _name(str(piece), raw, position.lineup.zones)

    return put


def _pile(player: Seat, pile: str) -> Setter:
    def count(position: JawsAndPawsPosition, raw: Json) -> None:
        number = _number(f"{player}.{pile}", raw, position.deck_size)
        position.piles[player][pile] = number

    return count


def _played(player: Seat) -> Setter:
    def count(position: JawsAndPawsPosition, raw: Json) -> None:
        position.played[player] = _number(f"{player}.played", raw, position.deck_size)

    return count


def _smoke(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, raw: Json) -> None:
        if not isinstance(raw, bool):
            raise BadCall(f"{team}.smoke: {raw!r} is neither true nor false")
        position.smoke[team] = raw

    return turn


def _down(team: Seat) -> Setter:
    def mark(position: JawsAndPawsPosition, raw: Json) -> None:
        if not isinstance(raw, bool):
            raise BadCall(f"{team}.down: {raw!r} is neither true nor false")
        if team in position.out:
            raise BadCall(f"{team}.down: {team} left the game earlier; undo to bring it back")
        teams = position.lineup.teams
        position.down = [t for t in teams if (raw if t == team else t in position.down)]

    return mark


def _section(team: Seat, number: int) -> Setter:
    def lay(position: JawsAndPawsPosition, raw: Json) -> None:
        allowed = (NOBODY, UNTOLD, *CREW_OF[team])
        position.owners[team][number - 1] = _name(f"{team}.{number}", raw, allowed)

    return lay


def _face_up(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, raw: Json) -> None:
        number = _number(f"{team}.face_up", raw, SECTIONS[-1])
        position.face_up.pop(team, None)
        if number:
            position.face_up[team] = number

    return turn


def _sun_first(name: str) -> Setter:
    def note(position: JawsAndPawsPosition, raw: Json) -> None:
        position.sun_first = Seat(_name(name, raw, position.lineup.teams))

    return note


@cache
def setters_of(lineup: Lineup, light: Piece) -> Mapping[str, Setter]:
    """Every name that may be set, in small letters, and what setting it does."""
    tokens = {str(piece): _place(piece) for piece in (light, *lineup.tokens)}
    named = {PIECE_NAMES[piece].lower(): _place(piece) for piece in lineup.tokens}
    teams, players = lineup.teams, lineup.players
    return {
        **tokens,
        **named,
        f"{light}_first": _sun_first(f"{light}_first"),
        **{f"{p.lower()}.{pile}": _pile(p, pile) for p in players for pile in PILES},
        **{f"{p.lower()}.played": _played(p) for p in players},
        **{f"{team.lower()}.smoke": _smoke(team) for team in teams},
        **{f"{team.lower()}.down": _down(team) for team in teams},
        **{f"{team.lower()}.face_up": _face_up(team) for team in teams if team in lineup.solos},
        **{f"{team.lower()}.{n}": _section(team, n) for team in teams for n in SECTIONS},
    }
