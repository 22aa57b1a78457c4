"""Where the settled table is not as recorded: what to say, and what it holds up."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Cite, Level, Notice
from companion.games.starship_edition.layout import SET_UP
from companion.games.starship_edition.star_map import name_of

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.offers import Seen, Sighting
    from companion.games.starship_edition.player import Player
    from companion.games.starship_edition.position import StarshipPosition

_SPACE = Cite.of("SE-R03, RULING 3")
_GONE = Cite.of("SE-R21, RULING 21")
RESTORE = "Put it back, or let the arbiter correct the record."


def compare(
    position: StarshipPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of vessels on their way."""
    if sighting.state is not PictureState.SETTLED or position.map is None:
        return []
    notices = [*_sharing(position, sighting, lagging)]
    for player in position.players.values():
        seen = sighting.pieces.get(player.piece)
        if seen is not None and player.piece not in lagging:
            notices += _judge_seen(position, player, seen)
    return notices


def _sharing(
    position: StarshipPosition, sighting: Sighting, lagging: Collection[Piece]
) -> Iterator[Notice]:
    """Two vessels on one space.  (SE-E-SPACE)"""
    called = {player.piece: position.vessel_of(player.seat) for player in position.players.values()}
    on: dict[str, list[str]] = {}
    for piece, seen in sighting.pieces.items():
        if seen.state is SeenState.SEEN and seen.pose is not None and piece not in lagging:
            on.setdefault(seen.pose.space, []).append(called.get(piece, str(piece)))
    if position.house.get("share_space") == "yes":
        return
    for space, vessels in on.items():
        if len(vessels) > 1:
            text = f"{' and '.join(vessels)} stand on one space, {space}."
            way_out = "One vessel a space: move the one that moved last."
            yield Notice("SE-E-SPACE", text, _SPACE, Level.BLOCK, way_out)


def _judge_seen(position: StarshipPosition, player: Player, seen: Seen) -> Iterator[Notice]:
    name = position.vessel_of(player.seat)
    if player.space is None:
        if seen.pose is not None and position.stage != SET_UP:
            text = f"{name} is destroyed and still stands on {seen.pose.space}."
            yield Notice("SE-E-SPACE", text, _GONE, Level.WARN, "Take it off the map.")
        return
    recorded = name_of(player.space)
    if seen.state is SeenState.UNSURE:
        where = f"between {seen.spaces[0]} and {seen.spaces[1]}" if len(seen.spaces) == 2 else (
            "on no space of the map"
        )  # fmt: skip
        text = f"{name} stands {where}; the record has it on {recorded}."
        yield Notice("SE-E-SPACE", text, _SPACE, Level.WARN, "Put it on the middle of its space.")
    elif seen.state is SeenState.LOST:
        text = f"{name} is not seen; the record has it on {recorded}."
        yield Notice("SE-E-SPACE", text, _SPACE, Level.NOTE, RESTORE)
    elif seen.state is SeenState.SEEN and seen.pose is not None and seen.pose.space != recorded:
        code = "SE-E-MOVE" if player.seat == position.active else "SE-E-ORDER"
        text = f"{name} stands on {seen.pose.space}, the record has {recorded}."
        yield Notice(code, text, _SPACE, Level.BLOCK, RESTORE)
