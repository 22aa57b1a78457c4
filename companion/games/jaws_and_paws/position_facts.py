"""The facts of a position: every quantity that panels show and an arbiter may look up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.core.ruling import Fact, Seat, Shows
from companion.games.jaws_and_paws.crew import PIECE_NAMES
from companion.games.jaws_and_paws.layout import PILES, SECTIONS

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


def facts(position: JawsAndPawsPosition) -> Sequence[Fact]:
    """The table's, then each team's, then each player's."""
    lineup = position.lineup
    return [
        *_table_facts(position),
        *(fact for team in lineup.teams for fact in _team_facts(position, team)),
        *(fact for player in lineup.players for fact in _player_facts(position, player)),
    ]


def _table_facts(position: JawsAndPawsPosition) -> Iterator[Fact]:
    light = str(position.light)
    bright, has = PIECE_NAMES[position.light], position.sun_team
    yield Fact("game", "Game", position.game)
    yield Fact("round", "Round", position.round_number)
    yield Fact("stage", "Stage", position.stage)
    yield Fact(light, bright, position.sun)
    yield Fact(f"{light}_team", f"Has the {bright}", has, shows=Shows.BADGE, sign=light)
    yield Fact(f"{light}_first", "Sun cards first", position.sun_first, shows=Shows.FIRST)
    for piece in position.lineup.tokens:
        yield Fact(str(piece), PIECE_NAMES[piece], position.zones.get(piece))


def _team_facts(position: JawsAndPawsPosition, team: Seat) -> Iterator[Fact]:
    smoke = position.smoke[team]
    down = team in position.down or team in position.out
    yield Fact(f"{team}.smoke", "Smoke", smoke, team, shows=Shows.BADGE, sign="smoke")
    yield Fact(f"{team}.down", "Shot down", down, team, shows=Shows.BADGE, sign="down")
    if team in position.face_up:
        yield Fact(f"{team}.face_up", "Face up on section", position.face_up[team], team)
    for number, owner in zip(SECTIONS, position.owners[team], strict=True):
        yield Fact(f"{team}.{number}", f"Section {number}", owner, team)


def _player_facts(position: JawsAndPawsPosition, player: Seat) -> Iterator[Fact]:
    public = position.house.get("public_counts") is not False
    piles = position.piles[player]
    for pile in PILES:
        count = piles[pile]
        yield Fact(f"{player}.{pile}", pile.capitalize(), count, player, public, Shows.COUNT)
    if player in position.gone:
        yield Fact(f"{player}.gone", "Has left the table", value=True, seat=player)
    yield Fact(f"{player}.played", "Played", position.played[player], player)
    yield Fact(f"{player}.repairing", "Repairing", position.is_repairing(player), player)
    if position.house.get("card_memory") == "on":
        seen: dict[str, Json] = dict(piles.seen("track", "discard"))
        yield Fact(f"{player}.seen", "Turned over", seen, player)
