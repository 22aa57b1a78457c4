"""Pieces that rulings have moved and hands may not have: where they may still stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.ruling import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.board import Piece, Pose
    from companion.ruling import Deed, Ruling

LINGER = 2
"""Two answers later nobody is still on the way round that a piece was sent."""


@dataclass(slots=True)
class _Way:
    """The poses a piece was moved away from since it last stood as recorded, in order.

    `reached` is the first of them that hands may be at. `home` says that the piece was last seen
    where it belongs although it may have the way round still before it, `lingers` for how many
    answers since.
    """

    poses: list[Pose]
    reached: int = 0
    home: bool = False
    lingers: int = 0

    def see(self, pose: Pose, belongs: Pose | None) -> bool:
        """Take in where the piece stands; whether it has surely come to the way's end."""
        self.home = pose == belongs
        ahead = self.poses[self.reached :]
        if pose not in ahead:
            return self.home
        self.reached += ahead.index(pose)
        return self.home and all(one == belongs for one in self.poses[self.reached :])


@dataclass(slots=True)
class Lag:
    """What hands owe: excused are all poses that rulings moved a piece through on its way.

    A piece that was sent to another space and back may stand where it belongs because hands have
    not begun. So it is held to be settled only once hands were seen to have gone the way, or when
    play has gone on for two answers and it still stands there.
    """

    ways: dict[Piece, _Way] = field(default_factory=dict[Any, Any])
    lain: dict[Piece, Pose] = field(default_factory=dict[Any, Any])

    def follow(self, rulings: Sequence[Ruling]) -> None:
        """An answer was given: remember every pose that its rulings moved a piece away from."""
        self._grow_old()
        for ruling in rulings:
            for deed in ruling.deeds:
                if isinstance(deed, Move) and deed.was is not None:
                    self.excuse(deed.piece, deed.was)

    def excuse_moves(self, deeds: Sequence[Deed]) -> None:
        """A correction moved pieces: where they stood they may stand until hands have followed."""
        for deed in deeds:
            if isinstance(deed, Move) and deed.was and not self.owes(deed.piece, deed.was):
                self.excuse(deed.piece, deed.was)

    def excuse(self, piece: Piece, pose: Pose) -> None:
        """A piece is to leave that pose: standing there is no news until it has."""
        way = self.ways.setdefault(piece, _Way([]))
        way.poses.append(pose)
        way.home, way.lingers = False, 0

    def let_lie(self, piece: Piece, pose: Pose) -> None:
        """A piece that the record has nowhere was laid there early: no news while it lies there."""
        self.lain[piece] = pose

    def lies(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece was let lie there before it had a place in the record."""
        return self.lain.get(piece) == pose

    def see(self, piece: Piece, pose: Pose, belongs: Pose | None) -> None:
        """The piece was seen, and this is where the record has it now."""
        if belongs is not None or not self.lies(piece, pose):
            self.lain.pop(piece, None)
        way = self.ways.get(piece)
        if way is not None and way.see(pose, belongs):
            del self.ways[piece]

    def excuses(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece may stand there: hands have not followed yet, or it was let lie."""
        return self.lies(piece, pose) or self.owes(piece, pose)

    def owes(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece may stand there because hands have not followed yet."""
        way = self.ways.get(piece)
        return way is not None and pose in way.poses

    def _grow_old(self) -> None:
        for way in self.ways.values():
            way.lingers += way.home
        self.ways = {p: way for p, way in self.ways.items() if way.lingers < LINGER}
