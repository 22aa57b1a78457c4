"""Where a settled picture differs from the record: which pieces, and the usual words for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Level, Notice
from companion.core.text import listed

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.offers import Seen, Sighting
    from companion.core.ruling import Cite
    from companion.match.rulebook import Position, Rulebook

RESTORE = "Put it back, or let the arbiter correct the record."


def differing(
    position: Position, sighting: Sighting, lagging: Collection[Piece] = ()
) -> Iterator[tuple[Piece, Seen, Pose | None]]:
    """Each piece that a settled picture shows otherwise, with its place in the record.

    Nothing of pieces on their way, under others or under a hand; nothing of a piece that is off the
    boards and is not surely seen.
    """
    if sighting.state is not PictureState.SETTLED:
        return
    placed, covered = position.placement(), position.covered()
    for piece, seen in sighting.pieces.items():
        recorded = placed.get(piece)
        if piece in lagging or seen.state is SeenState.COVERED:
            continue
        if seen.state is SeenState.SEEN:
            if seen.pose is not None and seen.pose != recorded:
                yield piece, seen, recorded
        elif recorded is not None and (seen.state is SeenState.UNSURE or piece not in covered):
            yield piece, seen, recorded


def unclear(name: str, seen: Seen, headings: Sequence[str], board: str) -> tuple[str, str]:
    """What is unsure of a piece, and the way out: between headings or spaces, or on no space.

    >>> from companion.core.offers import Seen, SeenState
    >>> unclear("The kite", Seen(SeenState.UNSURE, spaces=("0,0", "0,1")), (), "map")[0]
    'The kite stands between 0,0 and 0,1.'
    >>> unclear("The kite", Seen(SeenState.UNSURE, spaces=("0,0", "0,1", "1,0")), (), "map")[0]
    'The kite stands between 0,0, 0,1 and 1,0.'
    """
    if len(seen.facings) == 2:
        ways = listed([headings[facing] for facing in seen.facings])
        return f"{name} points between {ways}.", "Turn it to one of the six headings."
    if len(seen.spaces) > 1:
        return f"{name} stands between {listed(seen.spaces)}.", "Put it on the middle of its space."
    return f"{name} stands on no space of the {board}.", RESTORE


def compared(
    rules: Rulebook[Any], sighting: Sighting, lagging: Collection[Piece], code: str, cite: Cite
) -> list[Notice]:
    """The usual notices: a piece that stands elsewhere holds up play, the rest is only told."""
    return [
        _told(rules, piece, seen, recorded, (code, cite))
        for piece, seen, recorded in differing(rules.position, sighting, lagging)
    ]


def _told(
    rules: Rulebook[Any], piece: Piece, seen: Seen, recorded: Pose | None, under: tuple[str, Cite]
) -> Notice:
    (code, cite), plan = under, rules.plan
    name = plan.token_of[piece].label
    if recorded is None:
        on = seen.pose.space if seen.pose is not None else "the board"
        text = f"{name} stands on {on}, and is off the boards by the record."
        return Notice(code, text, cite, Level.WARN, "Take it off until it is placed.")
    board, there = plan.board_of[recorded.space], plan.said_of(recorded)
    if seen.state is SeenState.UNSURE:
        text, way_out = unclear(name, seen, board.facings, "board")
        return Notice(code, text, cite, Level.WARN, way_out)
    if seen.state is SeenState.LOST or seen.pose is None:
        return Notice(code, f"{name} is not seen; the record has it on {there}.", cite,
                      Level.NOTE, RESTORE)  # fmt: skip
    text = f"{name} stands on {plan.said_of(seen.pose)}, the record has {there}."
    return Notice(code, text, cite, Level.BLOCK, RESTORE)
