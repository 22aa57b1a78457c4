"""What is known of tokens by their looks, as the table check and its lessons show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.board import Piece

if TYPE_CHECKING:
    from vision.looks.look import TaughtLook
    from vision.looks.taught import LookReading, TaughtReader


EMPTY = Piece("")
"""In place of a token: the boards with nothing on them."""

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class LessonState:
    """How far a lesson is; `piece` is the token it is about, or `EMPTY`.

    `told` says what was learned, `trouble` why nothing was and the way out, `waits` what it waits
    for while it runs. `new_px` are the outlines, in the picture, of what was new on the boards
    where that was not one thing alone.
    """

    piece: Piece
    running: bool
    told: str = ""
    trouble: str = ""
    waits: str = ""
    new_px: tuple[Outline, ...] = ()


@dataclass(frozen=True, slots=True)
class LooksState:
    """The tokens that were taught, and what came of looking for them.

    `boards` is how many boards were seen empty, without which nothing can be taught; `taught` has
    each known token's look, `by_look` how surely each of them was read that lies on the table now.
    `lesson` is the one that was begun last here, if one was; `lacks_colour` as the reader has it.
    """

    boards: int = 0
    taught: Mapping[Piece, TaughtLook] = field(default_factory=dict[Piece, "TaughtLook"])
    by_look: Mapping[Piece, LookReading] = field(default_factory=dict[Piece, "LookReading"])
    lesson: LessonState | None = None
    lacks_colour: bool = False

    @classmethod
    def of(cls, reader: TaughtReader | None, lesson: LessonState | None) -> LooksState:
        """As a reader of looks has it; of none nothing is known."""
        if reader is None:
            return cls(lesson=lesson)
        looks = {look.piece: look for look in reader.looks}
        return cls(len(reader.empty.known), looks, reader.by_look, lesson, reader.lacks_colour)

    @property
    def running(self) -> LessonState | None:
        """The lesson under way."""
        return self.lesson if self.lesson is not None and self.lesson.running else None
