"""Pen: what every part is drawn with, in units and in the theme's colours, wherever it is shown.

Everything that people see goes through these few strokes: fill, edge, shapes, sign, text, picture.
`texture_pen` draws them on the screen, `ui/sharing` on pages and on paper.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from ui.scene.theme import LEADING, Caps, Colour, Face, Rgba, Theme
from ui.widgets.box import Box
from ui.widgets.shape import Point, Shape, turned
from ui.widgets.signs import Layer

Tint = Colour | Rgba

WHOLE = Box(0, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class Written:
    """One text as it came out: its room, the box of its ink, its capitals and colour."""

    text: str
    room: Box
    ink: Box
    caps_u: float
    colour: Rgba
    cut: bool


@dataclass(frozen=True, slots=True)
class Filled:
    """One filled area, which is the ground of what is written over it."""

    box: Box
    colour: Rgba


class Pen(ABC):
    """Draws parts; boxes are in u, y down from the top left corner of what is drawn on.

    What was written and filled is kept beside the drawing, so that a test reads every text's box
    and what lies under it.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.written: list[Written] = []
        self.filled: list[Filled] = []

    # --- measures ---

    @abstractmethod
    def half_turn(self) -> AbstractContextManager[None]:
        """What is drawn within stands on its head: for those who sit opposite."""

    @abstractmethod
    def width(self, text: str, caps: float, face: Face = Face.BOLD) -> float:
        """How wide a line will be, u."""

    @abstractmethod
    def lines(self, text: str, caps: float, wide: float, face: Face = Face.BOLD) -> int:
        """How many lines a text takes in a room of this width."""

    # --- areas ---

    @abstractmethod
    def fill(self, box: Box, tint: Tint, radius: float = 0.0) -> None:
        """A filled rectangle, with round corners if wanted."""

    @abstractmethod
    def edge(self, box: Box, tint: Tint, width: float = 1.5, radius: float = 6.0) -> None:
        """The outline of a rectangle, inside its box."""

    # --- shapes and signs ---

    @abstractmethod
    def shapes(
        self, box: Box, shapes: Sequence[Shape], frame: tuple[float, float], tint: Tint
    ) -> None:
        """Shapes of a frame stretched onto the box, in one colour."""

    def filled_shape(
        self, box: Box, shapes: Sequence[Shape], frame: tuple[float, float], tint: Tint
    ) -> None:
        """Shapes that are the ground of what is written over them."""
        self.filled.append(Filled(box, self.colour(tint)))
        self.shapes(box, shapes, frame, tint)

    @abstractmethod
    def sign(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A sign in its box; layers that name a colour of the theme keep it."""

    @abstractmethod
    def halo(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A thin outline around a sign, so that it stands off any ground."""

    @abstractmethod
    def ghost(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """The dashed outline of a sign: where a thing was, or where the record has it."""

    @abstractmethod
    def silhouette(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A sign in one colour, whatever its layers' own."""

    @abstractmethod
    def line(self, points: Sequence[Point], tint: Tint, width: float = 1.5) -> None:
        """A straight or bent line through points in u."""

    @abstractmethod
    def arrow(self, start: Point, end: Point, tint: Tint, width: float = 2.5) -> None:
        """The path of a hand: a line with an open head."""

    # --- text and pictures ---

    @abstractmethod
    def text(  # noqa: PLR0913 - a text has these properties
        self,
        text: str,
        room: Box,
        caps: float = Caps.BODY,
        tint: Tint = Colour.INK,
        *,
        face: Face = Face.BOLD,
        align: str = "left",
        across: str = "middle",
        lines: int = 1,
        least: float = Caps.DETAIL,
        struck: bool = False,
    ) -> Box:
        """Write into a room; returns the box of the ink.

        `align` is left, centre or right; `across` top, middle or bottom, judged by capitals.
        Where the text does not fit it is made smaller, down to capitals of `least`.
        """

    @abstractmethod
    def picture(self, slot: str, pixels: Any, box: Box, part: Box = WHOLE) -> None:
        """Pixels (height x width x 3, BGR) in a slot; `part` of them, as shares of the sides."""

    def colour(self, tint: Tint) -> Rgba:
        """A named colour of the theme, or the colour itself."""
        return self.theme[tint] if isinstance(tint, Colour) else tint


def whole(layers: Sequence[Layer], turn_deg: float = 0.0) -> tuple[Shape, ...]:
    """All of a sign's layers as one silhouette, turned clockwise."""
    shapes = tuple(shape for layer in layers for shape in layer.shapes if not shape.cut)
    return turned(shapes, turn_deg) if turn_deg else shapes


def arrow_head(start: Point, end: Point, size: float) -> tuple[Point, ...]:
    """Three points of an open head at the end of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1e-6, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length * size, dy / length * size
    return (
        (end[0] - ux + uy * 0.8, end[1] - uy - ux * 0.8),
        end,
        (end[0] - ux - uy * 0.8, end[1] - uy + ux * 0.8),
    )


def lines_high(lines: int, caps: float) -> float:
    """The height in u of so many lines of these capitals."""
    return caps * (1 + LEADING * (lines - 1))


def top_of(room: Box, high: float, across: str) -> float:
    """Where a text of that height begins in its room: at its top, middle or bottom."""
    slack = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[across]
    return room.y + (room.high - high) * slack
