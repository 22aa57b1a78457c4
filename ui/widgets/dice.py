"""Dice: pips as printed, keys with a face on them, and what lies on the Gunsight."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.text import counted
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Die, Gunsight, Key, KeyLook
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.shape import Disc

LOW, MIDDLE, HIGH = 26.0, 50.0, 74.0
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((MIDDLE, MIDDLE),),
    2: ((LOW, LOW), (HIGH, HIGH)),
    3: ((LOW, LOW), (MIDDLE, MIDDLE), (HIGH, HIGH)),
    4: ((LOW, LOW), (HIGH, LOW), (LOW, HIGH), (HIGH, HIGH)),
    5: ((LOW, LOW), (HIGH, LOW), (MIDDLE, MIDDLE), (LOW, HIGH), (HIGH, HIGH)),
    6: ((LOW, LOW), (HIGH, LOW), (LOW, MIDDLE), (HIGH, MIDDLE), (LOW, HIGH), (HIGH, HIGH)),
}


def draw_face(pen: Pen, box: Box, face: int, tint: Colour) -> None:
    """The pips of a face; a figure where a die has more than six."""
    if face in PIPS:
        dots = tuple(Disc(centre, 9.5) for centre in PIPS[face])
        pen.shapes(box, dots, (100.0, 100.0), tint)
    else:
        pen.text(str(face), box, box.high * 0.5, tint, face=Face.FIGURES, align="centre")


@dataclass(frozen=True, kw_only=True)
class DiePart(Part):
    """A die that was told or is asked: a success has a bright edge and a tick, a miss is dull.

    Chosen ones are inverted; "?" is the die being asked.
    """

    die: Die

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        die = self.die
        inverted = pressed or (die.chosen and bool(die.face))
        miss = die.meets is False
        if not miss or inverted:
            pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        edge, wide = self._edge()
        pen.edge(self.box, edge, wide, Reach.RADIUS)
        ink = Colour.GO_INK if inverted else Colour.INK2 if miss else Colour.INK
        if not die.face:
            if die.chosen:
                pen.text("?", self.box, 26, Colour.INK, align="centre")
            return
        side = min(self.box.wide, self.box.high) - 8
        draw_face(pen, self.box.square(side), die.face, ink)
        if die.meets:
            corner = Box(self.box.right - 15, self.box.y - 3, 18, 18)
            pen.sign("ok", corner, Colour.INK)

    def _edge(self) -> tuple[Colour, float]:
        if self.die.meets or self.die.seen:
            return Colour.OK, 3.0
        if self.die.chosen and not self.die.face:
            return Colour.WARN_LINE, 3.0
        return (Colour.HAIR, 1.5) if self.die.meets is False else (Colour.EDGE, 1.5)


@dataclass(frozen=True, kw_only=True)
class FaceKey(Part):
    """A key with a die's face on it."""

    key: Key

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        chosen = pressed or self.key.look is KeyLook.CHOSEN
        pen.fill(self.box, Colour.GO if chosen else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink = Colour.GO_INK if chosen else Colour.INK
        side = min(self.box.wide, self.box.high) - 12
        die = self.box.square(side)
        pen.edge(die, ink, 1.5, 6)
        draw_face(pen, die.inset(2), int(self.key.label), ink)


@dataclass(frozen=True, kw_only=True)
class GunsightPart(Part):
    """The reticle with how many dice lie on it, and the latest roll."""

    gunsight: Gunsight

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        ring = Box(self.box.x + 10, self.box.y, self.box.high - 12, self.box.high)
        ring = ring.square(min(58.0, self.box.high - 14))
        pen.fill(ring, Colour.SUNK, ring.high / 2)
        pen.sign("reticle", ring, Colour.EDGE)
        lying = self.gunsight.lying
        plate = ring.square(30)
        pen.fill(plate, Colour.SUNK, 15)
        pen.text(str(lying), plate, 22, face=Face.FIGURES, align="centre")
        dice = self._draw_dice(pen)
        words = Box(ring.right + 14, self.box.y, dice - ring.right - 22, self.box.high)
        upper, lower = words.inset(0, (words.high - 44) / 2).rows([1, 1])
        title, told = self._words()
        pen.text(title, upper, 17)
        who = self.gunsight.rolled_by
        longer = f"{told} · {who} rolled" if self.gunsight.lying and who else told
        fits = pen.width(longer, 14, Face.MEDIUM) <= lower.wide
        pen.text(longer if fits else told, lower, 16, Colour.INK2, face=Face.MEDIUM)

    def _words(self) -> tuple[str, str]:
        """What lies there; where nothing does, whose dice these are."""
        lying, who = self.gunsight.lying, self.gunsight.rolled_by
        if lying:
            return "On the Gunsight", counted(lying, "die", "dice")
        return "On the Gunsight: none", f"{who} rolled" if who and self.gunsight.dice else ""

    def _draw_dice(self, pen: Pen) -> float:
        """The latest roll at the right edge; returns where it begins."""
        side = min(48.0, self.box.high - 18)
        x = self.box.right - 10
        for die in reversed(self.gunsight.dice):
            x -= side + 6
            where = Box(x, self.box.y, side, self.box.high).square(side)
            pen.fill(where, Colour.KEY, 6)
            pen.edge(where, Colour.EDGE, 1.5, 6)
            draw_face(pen, where.inset(3), die.face, Colour.INK)
        return x
