"""The dice pad: the dice in a row, how they stand, and a key for each face."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.dice import DicePad
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Parts
from ui.widgets.box import Box
from ui.widgets.dice import DiePart, FaceKey
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high

HIGH = 125.0
_MOST_SIDE = 112.0
_GAP = 6.0


@dataclass(frozen=True, kw_only=True)
class PadWords(Part):
    """How many dice against what, and how they stand."""

    lead: str
    note: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        wide = self.box.wide
        first = min(2, pen.lines(self.lead, 16, wide))
        rest = min(3 if self.box.high > 70 else 2, pen.lines(self.note, 15, wide, Face.MEDIUM))
        high = lines_high(first, 16) + 9 + lines_high(rest, 15)
        if high > self.box.high:
            pen.text(self.note or self.lead, self.box, 15, face=Face.MEDIUM, lines=rest)
            return
        top = self.box.y + max(0.0, (self.box.high - high) / 2)
        upper = Box(self.box.x, top, wide, lines_high(first, 16))
        lower = Box(self.box.x, upper.bottom + 9, wide, lines_high(rest, 15) + 1)
        pen.text(self.lead, upper, 18 if first == 1 else 16, lines=first)
        pen.text(self.note, lower, 15, Colour.INK2, face=Face.MEDIUM, lines=rest)


def dice_pad(room: Box, pad: DicePad) -> Parts:
    """Faces below while a die is untold; then the dice as large as the room."""
    yield "dice/ground", Ground(box=room)
    inner = room.inset(7)
    top = inner.top(54) if pad.faces else inner
    side = min(top.high, _MOST_SIDE if len(pad.dice) == 1 else _side(top, len(pad.dice)))
    side = max(Reach.TARGET[1], side)
    x = top.x
    for n, die in enumerate(pad.dice):
        place = Box(x, top.y, side, top.high).square(side)
        yield f"dice/{n}", DiePart(box=place, die=die, action=die.action)
        x += side + _GAP
    words = Box(x + 6, top.y, top.right - x - 6, top.high)
    yield "dice/words", PadWords(box=words, lead=pad.lead, note=pad.note)
    if pad.faces:
        keys = inner.below(54 + _GAP)
        for n, (place, key) in enumerate(
            zip(keys.columns([1] * len(pad.faces), gap=_GAP), pad.faces, strict=True)
        ):
            yield f"face/{n}", FaceKey(box=place, key=key, action=key.action)


def _side(room: Box, dice: int) -> float:
    """As large as leaves the words their room."""
    return (room.wide * 0.6 - _GAP * (dice - 1)) / dice


@dataclass(frozen=True, kw_only=True)
class Ground(Part):
    """The pad's ground."""

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
