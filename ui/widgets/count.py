"""The count: figures each in a box of its own, ticks below, lamps.

A second that passes changes one or two figures and one tick; nothing else is drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ui.presenters.round import Lamp
from ui.theme import Colour, Face, Rgba
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen

FIGURE_WIDE = 0.90
"""A figure's box in heights of its capitals: B612's figures are all one width."""


@dataclass(frozen=True, kw_only=True)
class Figure(Part):
    """One figure as high as its box allows."""

    figure: str
    tint: Colour | Rgba

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.text(self.figure, self.box, self.box.high, self.tint, face=Face.FIGURES, align="centre")


@dataclass(frozen=True, kw_only=True)
class Tick(Part):
    """One second's tick: filled while it is left."""

    lit: bool
    tint: Colour | Rgba

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if self.lit:
            pen.fill(self.box, self.tint, 2)
        else:
            pen.edge(self.box, Colour.EDGE, 1.2, 2)


@dataclass(frozen=True, kw_only=True)
class LampPart(Part):
    """A countdown lamp with its figure: the figure stays legible lit and dark."""

    lamp: Lamp

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        round_box = self.box.square()
        pen.fill(round_box, Colour.LAMP if self.lamp.lit else Colour.SUNK, round_box.high / 2)
        edge = Colour.LAMP_INK if self.lamp.lit else Colour.EDGE
        pen.edge(round_box, edge, 1.5, round_box.high / 2)
        ink = Colour.LAMP_INK if self.lamp.lit else Colour.INK2
        pen.text(self.lamp.label, round_box.inset(3), 14, ink, face=Face.FIGURES, align="centre")


def figures(box: Box, count: str, tint: Colour | Rgba) -> Iterator[tuple[str, Part]]:
    """The count in the middle of its box; named from the right, so that the ones keep their name.

    >>> [name for name, _ in figures(Box(0, 0, 400, 192), "17", Colour.INK)]
    ['count/1', 'count/0']
    """
    wide = min(box.high * FIGURE_WIDE, box.wide / max(1, len(count)))
    left = box.centre[0] - wide * len(count) / 2
    for n, figure in enumerate(count):
        place = Box(left + n * wide, box.y, wide, box.high)
        yield f"count/{len(count) - 1 - n}", Figure(box=place, figure=figure, tint=tint)


def ticks(box: Box, number: int, lit: int, tint: Colour | Rgba) -> Iterator[tuple[str, Part]]:
    """So many ticks over the box's width, every fifth taller, those left lit from the left."""
    if number < 1:
        return
    for n, place in enumerate(box.columns([1] * number, gap=min(4.0, box.wide / number / 4))):
        high = box.high if (n + 1) % 5 == 0 else box.high * 0.68
        yield (
            f"tick/{n}",
            Tick(box=Box(place.x, box.bottom - high, place.wide, high), lit=n < lit, tint=tint),
        )


def lamps(box: Box, row: tuple[Lamp, ...]) -> Iterator[tuple[str, Part]]:
    """The lamps side by side."""
    for n, (place, lamp) in enumerate(zip(box.columns([1] * max(1, len(row))), row, strict=False)):
        yield f"lamp/{n}", LampPart(box=place, lamp=lamp)
