"""Where the camera's table of Dogfight: 1917 differs from the record: what to say or hold up."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Cite, Level, Notice
from companion.core.text import counted
from companion.games.dogfight_1917.boards import TACTICAL, tray_of
from companion.games.dogfight_1917.cards import FIGHTER_NAMES, SET_UP
from companion.kit.comparing import RESTORE, unclear
from companion.kit.hexes import FLAT_TOP_NAMES, heading_of, pose_of

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.offers import Seen, Sighting
    from companion.games.dogfight_1917.position import Dogfight1917Position, Player


# Tactical Tokens: those counted beside the board.

_SUPPLY = Cite.of("DF-15.1, DF-9.9")

LAY_OUT = "Lay them side by side in their place, or let the arbiter correct the record."


def compare_tokens(position: Dogfight1917Position, sighting: Sighting) -> Iterator[Notice]:
    """What to ask of each seat whose place holds another number than recorded.  (DF-E16)

    A table whose tokens carry no marker shows none anywhere, and is not asked; nor is one that is
    being set up. The camera's count is never taken for the record's.
    """
    seen = sighting.counts.get(TACTICAL.name, {})
    if position.stage == SET_UP or not any(seen.values()):
        return
    for seat, player in position.players.items():
        there = seen.get(tray_of(seat), 0)
        if there != player.tokens:
            lie = f"{counted(there, TACTICAL.label)} {'lies' if there == 1 else 'lie'}"
            text = f"{lie} in {position.names[seat]}'s place; the record has {player.tokens}."
            yield Notice("DF-E16", text, _SUPPLY, Level.WARN, LAY_OUT)


# Planes, and all notices together.

_HEADING = Cite.of("DF-2.3")
_CHOSEN = Cite.of("DF-3.2, DF-3.4")
_ONE_EACH = Cite.of("DF-2.6")
_ON_BOARD = Cite.of("DF-9.4")
_REMOVED = Cite.of("DF-19.2")
_REACH = Cite.of("DF-9.6")
_ONLY_MOVER = Cite.of("DF-5.1")


def compare(
    position: Dogfight1917Position, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of pieces on their way."""
    if sighting.state is not PictureState.SETTLED:
        return []
    notices = [*_sharing(sighting, lagging), *_strangers(position, sighting)]
    notices += compare_tokens(position, sighting)
    for player in position.players.values():
        seen = sighting.pieces.get(player.piece)
        if seen is not None and player.piece not in lagging:
            notice = _judge_seen(position, player, seen)
            notices += [notice] if notice is not None else []
    return notices


def _sharing(sighting: Sighting, lagging: Collection[Piece]) -> list[Notice]:
    """Two planes that stand on one space.  (DF-E03)"""
    on: dict[str, list[Piece]] = {}
    for piece, seen in sighting.pieces.items():
        if seen.state is SeenState.SEEN and seen.pose is not None and piece not in lagging:
            on.setdefault(seen.pose.space, []).append(piece)
    return [
        Notice("DF-E03", f"{_named(pieces)} stand on one space, {space}.", _ONE_EACH, Level.BLOCK,
               "One Fighter a space: move the one that flew last.")
        for space, pieces in on.items() if len(pieces) > 1
    ]  # fmt: skip


def _strangers(position: Dogfight1917Position, sighting: Sighting) -> Iterator[Notice]:
    """Models on the board that nobody flies, once all have chosen.  (DF-E04)"""
    if position.stage == SET_UP:
        return
    flown = {player.piece for player in position.players.values()}
    for piece, seen in sighting.pieces.items():
        if piece not in flown and seen.state is SeenState.SEEN and seen.pose is not None:
            text = f"The {FIGHTER_NAMES[piece]} stands on {seen.pose.space}; nobody flies it here."
            yield Notice("DF-E04", text, _CHOSEN, Level.WARN, "Take the model off the board.")


def _named(pieces: list[Piece]) -> str:
    return " and ".join(f"the {FIGHTER_NAMES[piece]}" for piece in pieces)


def _judge_seen(position: Dogfight1917Position, player: Player, seen: Seen) -> Notice | None:
    name = f"The {FIGHTER_NAMES[player.piece]}"
    if player.plane is None:
        return _left_over(position, name, seen)
    if seen.state is SeenState.UNSURE:
        return _unsure(name, seen)
    if seen.state is SeenState.LOST:
        text = f"{name} is not seen; the record has it on {player.plane.name()}."
        return Notice("DF-E04", text, _ON_BOARD, Level.NOTE, RESTORE)
    if seen.state is not SeenState.SEEN or seen.pose in (None, pose_of(player.plane)):
        return None
    return _elsewhere(position, player, name, seen)


def _left_over(position: Dogfight1917Position, name: str, seen: Seen) -> Notice | None:
    """A model that is off the board by the rules, seen on it.  (DF-E04)"""
    on = seen.pose.space if seen.pose is not None else " or ".join(seen.spaces)
    if position.stage == SET_UP or not on:  # models may be at hand before they are placed
        return None
    text = f"{name} has left the board by the rules and still stands on {on}."
    return Notice("DF-E04", text, _REMOVED, Level.WARN, "Take the model off the board.")


def _unsure(name: str, seen: Seen) -> Notice:
    """Between two spaces or two headings, or on none.  (DF-E02, DF-E04)"""
    text, way_out = unclear(name, seen, FLAT_TOP_NAMES, "board")
    if len(seen.facings) == 2:
        return Notice("DF-E02", text, _HEADING, Level.WARN, way_out)
    if len(seen.spaces) > 1:
        return Notice("DF-E02", text, _ONE_EACH, Level.WARN, way_out)
    return Notice("DF-E04", text, _ON_BOARD, Level.WARN, way_out)


def _elsewhere(
    position: Dogfight1917Position, player: Player, name: str, seen: Seen
) -> Notice | None:
    if seen.pose is None or seen.pose.facing is None or player.plane is None:
        return None
    where, recorded = heading_of(seen.pose).name(), player.plane.name()
    text = f"{name} stands on {where}, the record has {recorded}."
    if player.seat == position.active:
        return Notice("DF-E01", text, _REACH, Level.BLOCK,
                      "Wrong card, wrong start or wrong move? " + RESTORE)  # fmt: skip
    return Notice(
        "DF-E05", f"{text} It is not its turn to move.", _ONLY_MOVER, Level.BLOCK, RESTORE
    )
