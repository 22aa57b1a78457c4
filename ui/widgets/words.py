"""Words, Area, Symbol: the plainest parts."""

from __future__ import annotations

from dataclasses import dataclass

from ui.theme import Caps, Colour, Face, Reach, Rgba
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen


@dataclass(frozen=True, kw_only=True)
class Words(Part):
    """A text in its room; see Pen.text."""

    text: str
    caps: float = Caps.BODY
    tint: Colour | Rgba = Colour.INK
    face: Face = Face.BOLD
    align: str = "left"
    across: str = "middle"
    lines: int = 1
    least: float = Caps.DETAIL
    struck: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.text(
            self.text,
            self.box,
            self.caps,
            self.tint,
            face=self.face,
            align=self.align,
            across=self.across,
            lines=self.lines,
            least=self.least,
            struck=self.struck,
        )


@dataclass(frozen=True, kw_only=True)
class Area(Part):
    """A filled rectangle, edged if wanted, with a bar of a side's colour along one edge."""

    tint: Colour | Rgba = Colour.PANEL
    radius: float = Reach.RADIUS
    edge: Colour | Rgba | None = None
    edge_wide: float = Reach.EDGE
    bar: Colour | Rgba | None = None
    bar_at: str = "left"

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, self.tint, self.radius)
        if self.edge is not None:
            pen.edge(self.box, self.edge, self.edge_wide, self.radius)
        if self.bar is not None:
            strip = self.box.left(5) if self.bar_at == "left" else self.box.top(6)
            pen.fill(strip, self.bar, 2)


@dataclass(frozen=True, kw_only=True)
class Symbol(Part):
    """A sign in the middle of its box."""

    sign: str
    tint: Colour | Rgba = Colour.INK

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.sign(self.sign, self.box.square(), self.tint)


def rule(box: Box) -> Area:
    """A hair line, as thin as its box."""
    return Area(box=box, tint=Colour.HAIR, radius=0)
