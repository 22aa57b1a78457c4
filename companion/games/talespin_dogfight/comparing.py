"""Where the settled ring is not as recorded; nobody flies during a dogfight.  (RULING 2)"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Cite, Level, Notice
from companion.games.talespin_dogfight.boards import in_words

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.offers import Seen, Sighting
    from companion.games.talespin_dogfight.position import TalespinPosition

_RING = Cite.of("TS-102, RULING 2")
RESTORE = "Put it back, or let the arbiter correct the record."


def compare(
    position: TalespinPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of tokens on their way."""
    if sighting.state is not PictureState.SETTLED:
        return []
    placed = position.placement()
    return [
        notice
        for piece, seen in sighting.pieces.items()
        if piece not in lagging and piece in placed
        for notice in _judged(position.labels[piece], seen, placed[piece])
    ]


def _judged(name: str, seen: Seen, recorded: Pose) -> Iterator[Notice]:
    """One token: unsure, not seen, or on another location."""
    there = in_words(recorded.space)
    if seen.state is SeenState.UNSURE:
        between = " and ".join(map(in_words, seen.spaces)) or "no location"
        text = f"{name} lies between {between}." if len(seen.spaces) > 1 else f"{name}: {between}."
        yield Notice("TS-SEEN", text, _RING, Level.WARN, f"The record has it on {there}.")
    elif seen.state is SeenState.LOST:
        text = f"{name} is not seen; the record has it on {there}."
        yield Notice("TS-SEEN", text, _RING, Level.NOTE, RESTORE)
    elif seen.state is SeenState.SEEN and seen.pose is not None and seen.pose != recorded:
        text = f"{name} is on {in_words(seen.pose.space)}; the record has it on {there}."
        yield Notice("TS-SEEN", text, _RING, Level.WARN, RESTORE)
