"""Tokens without stickers, known by how they look: shown once each, then found on their boards.

A board's own empty look is taken out of its picture; what is left are tokens. Each is compared with
those that were shown: its colour where the camera gives colours, its brightness, its size, and its
picture turned to every heading. Weaker than markers, and said so: what is not clearly one token,
on one space, with one heading, is unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.board import BoardPlan, Piece, PointMm
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from vision.boards.place import BoardPlace
from vision.camera.frame import Frame
from vision.looks.boards import MOST_MM2, EmptyBoards, Found
from vision.looks.look import (
    CLEAR,
    SIZE_LIMITS,
    SURE,
    SURE_SHAPE,
    Around,
    Likeness,
    TaughtLook,
    TurnedLook,
    with_margins,
)
from vision.tracking.observation import facings_at, placed
from vision.tracking.seen import MEETING, Spaces

CLEAR_TURN = 0.03
"""The same for its heading, against any other heading that is not beside it."""
BORDER_MM = 5.0
"""Places are less exact than those of markers: nearer to a border than this they are unsure."""

SAMPLE_PX = 8
"""Every so many pixels of a picture tell whether it has colours at all."""


@dataclass(frozen=True, slots=True)
class LookReading:
    """How far one reading of a token by its look can be trusted, as it was measured there.

    `likeness` is how like its look is what lies there, 0 to 1, `next_like` how like that of the
    token `likest` it is (None: no other was taught). `sure` as `SURE` and `CLEAR` ask for, of a
    look that is not too like another's: the lesson said that such a token will be asked for.
    """

    likeness: float
    next_like: float = 0.0
    likest: Piece | None = None
    sure: bool = True

    @property
    def lead(self) -> float:
        """By how much it is liker than any other."""
        return self.likeness - self.next_like


class TaughtReader:
    """Finds the tokens that were shown; fills them into sightings of the settled table.

    `by_look` has the tokens that were filled in last, each with how surely it was read; `trouble`
    tells of looks that were taught and cannot be read any more. `lacks_colour` says that tokens
    were shown in colours and looked for last in a grey picture, where none of them is as before.
    """

    def __init__(
        self,
        plan: BoardPlan,
        empty: EmptyBoards,
        looks: Sequence[TaughtLook],
        trouble: str = "",
    ) -> None:
        self.plan = plan
        self.trouble = trouble
        self.looks = with_margins(looks)
        self._turned = [TurnedLook(look) for look in self.looks]
        self.empty = empty
        areas_mm2 = (look.area_mm2 for look in self.looks)
        self._most_mm2 = SIZE_LIMITS[1] * max(areas_mm2, default=MOST_MM2)
        self._spaces = {board.name: Spaces(board) for board in plan.boards}
        self.by_look: Mapping[Piece, LookReading] = {}
        self.lacks_colour = False
        self._is_coloured = any(look.is_coloured for look in self.looks)
        self._readings: dict[Piece, LookReading] = {}
        self._rested: Mapping[Piece, Seen] = {}
        self._last: tuple[Sighting | None, Sighting | None] = (None, None)

    def see(self, frame: Frame, sighting: Sighting, places: Mapping[str, BoardPlace]) -> Sighting:
        """The sighting with the taught tokens in it; the same object while nothing else is seen."""
        before, told = self._last
        if sighting is before and told is not None:
            return told
        told = sighting
        if sighting.state is PictureState.SETTLED:
            told = replace(sighting, pieces=self.filled(frame, sighting.pieces, places))
            self._rested = {piece: told.pieces[piece] for piece in self.by_look}
        elif self._rested and sighting.state is not PictureState.BLIND:
            told = replace(sighting, pieces=self._as_before(sighting.pieces))
        self._last = (sighting, told)
        return told

    def _as_before(self, pieces: Mapping[Piece, Seen]) -> dict[Piece, Seen]:
        """While the table does not rest, no look is compared: they are where they lay before."""
        rested = self._rested.items()
        lying = {piece: seen for piece, seen in rested if is_lost(pieces.get(piece))}
        return {**pieces, **lying}

    def filled(
        self, frame: Frame, pieces: Mapping[Piece, Seen], places: Mapping[str, BoardPlace]
    ) -> dict[Piece, Seen]:
        """The pieces, with those that no marker told of as their looks tell."""
        lost = {piece for piece, seen in pieces.items() if is_lost(seen)}
        if not lost & {look.piece for look in self.looks}:
            self.by_look, self.lacks_colour = {}, False
            return dict(pieces)
        told = [
            (seen.board, (seen.x_mm, seen.y_mm))
            for seen in pieces.values()
            if seen.board is not None and seen.x_mm is not None and seen.y_mm is not None
        ]
        read = self.read(frame, places, told)
        self.lacks_colour = self._is_coloured and not _has_colours(frame)
        fresh = {piece: seen for piece, seen in read.items() if piece in lost}
        found = {piece for piece, seen in fresh.items() if seen.state is not SeenState.LOST}
        self.by_look = {piece: self._readings[piece] for piece in found}
        return {**pieces, **fresh}

    def read(
        self,
        frame: Frame,
        places: Mapping[str, BoardPlace],
        marked: Sequence[tuple[str, PointMm]] = (),
    ) -> dict[Piece, Seen]:
        """Each taught token in one picture: seen, unsure, or lost.

        `marked` is where on which board markers were read: what lies there is none of them.
        """
        things = [
            thing
            for place in places.values()
            if place.board.holds_pieces
            for thing in self.empty.differing(frame, place, self._most_mm2)
            if not any(thing.board == board and thing.covers(at) for board, at in marked)
        ]
        scores = [self._likenesses(thing) for thing in things]
        seen = {look.piece: Seen(SeenState.LOST) for look in self.looks}
        self._readings = {}
        free = set(range(len(self.looks)))
        for at in sorted(range(len(things)), key=lambda n: -_best(scores[n], free)):
            which = max(free, key=lambda n: scores[at][n].score, default=None)
            if which is None or scores[at][which].score < SURE / 2:
                continue
            free.discard(which)
            look, reading = self.looks[which], self._reading(scores[at], which)
            self._readings[look.piece] = reading
            seen[look.piece] = self._seen(things[at], look, scores[at][which], sure=reading.sure)
        return seen

    def _reading(self, scores: Sequence[Likeness], which: int) -> LookReading:
        """Of a thing that is likest to one look, among all of them."""
        own = scores[which].score
        others = (n for n in range(len(scores)) if n != which)
        likest = max(others, key=lambda n: scores[n].score, default=None)
        following = scores[likest].score if likest is not None else 0.0
        name = self.looks[likest].piece if likest is not None else None
        alike = own >= SURE and scores[which].shape >= SURE_SHAPE and own - following >= CLEAR
        return LookReading(own, following, name, sure=alike and self.looks[which].is_clear)

    def _likenesses(self, thing: Found) -> list[Likeness]:
        around = Around.of(thing)
        return [turned.under(thing.limit).likeness(thing, around) for turned in self._turned]

    def _seen(self, thing: Found, look: TaughtLook, like: Likeness, *, sure: bool) -> Seen:
        """One token on its space, or between those that it may stand on."""
        board = self.plan.board(thing.board)
        x, y = thing.middle_mm
        heading = like.heading_deg if look.headed else None
        bare = Seen(SeenState.UNSURE, None, (), board.name, x, y, heading)
        if look.headed:
            bare = replace(bare, heading_sd_deg=like.heading_sd_deg)
        near = self._spaces[board.name].nearest((x, y), MEETING)
        close = tuple(name for name, inside_mm in near if inside_mm > -BORDER_MM)
        if not close:
            return bare
        facings = facings_at(board, like.heading_deg) if look.headed and board.facings else ()
        if facings and like.turn_margin < CLEAR_TURN:
            facings = (*facings[:1], (facings[0] + len(board.facings) // 2) % len(board.facings))
        told = placed(bare, close, facings)
        return told if sure else replace(told, state=SeenState.UNSURE, pose=None)


def _has_colours(frame: Frame) -> bool:
    """Whether a picture shows any colour; a grey camera may send three channels, too."""
    colour = frame.in_colour()
    return colour is not None and bool(np.ptp(colour[::SAMPLE_PX, ::SAMPLE_PX], axis=-1).any())


def is_lost(seen: Seen | None) -> bool:
    """Whether no marker told of it."""
    return seen is None or seen.state is SeenState.LOST


def _best(scores: Sequence[Likeness], free: set[int]) -> float:
    return max((scores[n].score for n in free), default=0.0)
