"""Words, Area, Symbol: the plainest parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate

from ui.theme import UNITS_HIGH, Caps, Colour, Face, Reach, Rgba
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


@dataclass(frozen=True, kw_only=True)
class Turned(Part):
    """A part turned upside down about the window's middle, for those who sit opposite.

    Its box, and so its touches, lie where it is seen.
    """

    part: Part

    def action_at(self, x: float, y: float) -> Any:
        """What the part means by a touch there, as those opposite see it."""
        wide = self.box.right + self.part.box.x
        return self.part.action_at(wide - x, UNITS_HIGH - y)

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        wide_px, high_px = pen.theme.size_px
        pen.group.add(PushMatrix())
        pen.group.add(Rotate(angle=180, origin=(wide_px / 2, high_px / 2)))
        before = len(pen.written), len(pen.filled)
        self.part.draw(pen, pressed=pressed)
        pen.group.add(PopMatrix())
        wide = pen.theme.wide_u
        pen.written[before[0] :] = [
            replace(text, room=turned(text.room, wide), ink=turned(text.ink, wide))
            for text in pen.written[before[0] :]
        ]
        pen.filled[before[1] :] = [
            replace(area, box=turned(area.box, wide)) for area in pen.filled[before[1] :]
        ]


def turned(box: Box, wide: float) -> Box:
    """Where a box lies when the window of this width is turned upside down."""
    return Box(wide - box.right, UNITS_HIGH - box.bottom, box.wide, box.high)


def turned_part(part: Part, wide: float) -> Turned:
    """The part as it is seen from the other side."""
    return Turned(
        box=turned(part.box, wide),
        part=part,
        action=part.action,
        held=part.held,
        primary=part.primary,
    )
