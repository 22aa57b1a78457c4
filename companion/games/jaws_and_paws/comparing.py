"""Where the settled table is not as recorded: what to say, and what it holds up."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from companion.core.board import Piece
from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Cite, Level, Notice
from companion.games.jaws_and_paws.boards import MOON, SUN
from companion.games.jaws_and_paws.crew import PIECE_NAMES
from companion.games.jaws_and_paws.moves import owner_of

if TYPE_CHECKING:
    from companion.core.offers import Seen, Sighting
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

_START = Cite.of("JP-3.3")
_SUN_PLACED = Cite.of("JP-3.5, RULING 35")
_OWN_BOARD = Cite.of("JP-2.3")
_COMPUTED = Cite.of("JP-21.2, RULING 35")
_ONE_SUN = Cite.of("JP-2.10")
_LEFT = Cite.of("JP-2.6, RULING 1")
_SEEN = Cite.of("JP-2.2")
_OTHER_BOARD = Cite.of("JP-19.1")
_FALLEN = Cite.of("JP-19.7, RULING 33")

FOLLOW = "Put it back, or let the arbiter correct the record."


def compare(
    position: JawsAndPawsPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of pieces that still lag."""
    if sighting.state is not PictureState.SETTLED:
        return []
    notices = [_seen_twice(piece) for piece in sighting.conflicts]
    for piece in (*position.lineup.tokens, position.light):
        seen = sighting.pieces.get(piece)
        if piece in lagging or piece in sighting.conflicts or seen is None:
            continue
        notice = judge_seen(position, piece, seen)
        if notice is not None:
            notices.append(notice)
    return notices


def _seen_twice(piece: Piece) -> Notice:
    if piece in (SUN, MOON):
        text = f"More than one {PIECE_NAMES[piece]} is on the boards."
        return Notice("JP-E06", text, _ONE_SUN, Level.BLOCK, "Leave one of them there.")
    text = f"Two tokens are the {PIECE_NAMES[piece]}: each team has one on the enemy's boards."
    return Notice("JP-E14", text, _OWN_BOARD, Level.BLOCK, "Take one of them off.")


def judge_seen(position: JawsAndPawsPosition, piece: Piece, seen: Seen) -> Notice | None:
    """What one piece, as it was seen, says against the record."""
    name, zone = PIECE_NAMES[piece], position.zones.get(piece)
    if seen.state is SeenState.SEEN and seen.pose is not None:
        return _judge_zone(position, piece, seen.pose.space)
    if seen.state is SeenState.UNSURE:
        spaces = f" ({' or '.join(seen.spaces)})" if seen.spaces else ""
        text = f"The {name} is not clearly on one zone{spaces}."
        return Notice("JP-E12", text, _SEEN, Level.NOTE, "Put it on the middle of its zone.")
    at_start = position.stage == "set-up"
    if piece == position.light and seen.state is SeenState.LOST and at_start and zone:
        text = f"No {name} is seen; it was placed on {zone}."
        return Notice("JP-E06", text, _ONE_SUN, Level.BLOCK, f"Put it on {zone}.")
    if zone is None:
        return None
    text = f"The {name} is not seen; the record keeps it on {zone}."
    return Notice("JP-E13", text, _SEEN, Level.NOTE)


def _judge_zone(position: JawsAndPawsPosition, piece: Piece, seen: str) -> Notice | None:
    name, zone = PIECE_NAMES[piece], position.zones.get(piece)
    if seen == zone or seen not in position.lineup.zones:
        return None
    if zone is None:
        return _fallen(position, piece, seen)
    host = position.lineup.host_of.get(piece)
    if host not in (None, owner_of(seen)):
        return _wrong_board(position, piece, seen, zone)
    if position.stage == "set-up":
        if piece == position.light:
            text = f"The {name} stands on {seen}; it was placed on {zone}."
            return Notice("JP-E11", text, _SUN_PLACED, Level.BLOCK, f"Put it on {zone}.")
        text = f"The {name} stands on {seen}; it starts on {zone}."
        return Notice("JP-E02", text, _START, Level.BLOCK, f"Put it on {zone}.")
    if position.other_left.get(piece) == seen:
        text = (
            f"The {name} stands on {seen}: Left and Right are those of whoever played the card, "
            f"from the seat; it belongs on {zone}."
        )
        return Notice("JP-E68", text, _LEFT, Level.BLOCK, FOLLOW)
    code = "JP-E11" if position.stage == "action" else "JP-E67"
    text = f"The {name} stands on {seen}, the record has {zone}."
    return Notice(code, text, _COMPUTED, Level.BLOCK, FOLLOW)


def _wrong_board(position: JawsAndPawsPosition, piece: Piece, seen: str, zone: str) -> Notice:
    """A plane on a View set that is not the one its token belongs to.  (JP-2.3, JP-19.1)"""
    name, owner = PIECE_NAMES[piece], owner_of(seen)
    if owner == position.lineup.flown_by[piece]:
        text = f"The {name} stands on {seen}, a board of its own team; it belongs on {zone}."
        return Notice("JP-E10", text, _OWN_BOARD, Level.BLOCK, FOLLOW)
    text = f"The {name} stands on {seen}, boards of {owner}; that token belongs on {zone}."
    return Notice("JP-E10", text, _OTHER_BOARD, Level.BLOCK, FOLLOW)


def _fallen(position: JawsAndPawsPosition, piece: Piece, seen: str) -> Notice | None:
    """A token that left the game with its team; the Sun before it is placed is no news."""
    if piece == position.light:
        return None
    text = f"The {PIECE_NAMES[piece]} still stands on {seen}; its team, or those boards, are out."
    return Notice("JP-E10", text, _FALLEN, Level.BLOCK, "Take it off the boards.")
