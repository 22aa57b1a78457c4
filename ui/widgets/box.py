"""Box: a rectangle in units, x to the right and y down from the window's top left corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Box:
    """Left edge, top edge, width and height in u.

    >>> Box(0, 0, 100, 50).inset(10)
    Box(x=10, y=10, wide=80, high=30)
    """

    x: float
    y: float
    wide: float
    high: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.wide

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.high

    @property
    def centre(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.x + self.wide / 2, self.y + self.high / 2)

    def inset(self, across: float, down: float | None = None) -> Box:
        """The box without a margin on all four sides."""
        down = across if down is None else down
        return Box(self.x + across, self.y + down, self.wide - 2 * across, self.high - 2 * down)

    def grown(self, by: float) -> Box:
        """The box with a margin added on all four sides."""
        return self.inset(-by)

    def moved(self, across: float = 0.0, down: float = 0.0) -> Box:
        """The same box elsewhere."""
        return replace(self, x=self.x + across, y=self.y + down)

    def top(self, high: float) -> Box:
        """The upper strip of the box."""
        return replace(self, high=high)

    def below(self, high: float) -> Box:
        """What is left under the upper strip."""
        return Box(self.x, self.y + high, self.wide, self.high - high)

    def left(self, wide: float) -> Box:
        """The left strip of the box."""
        return replace(self, wide=wide)

    def beside(self, wide: float) -> Box:
        """What is left to the right of the left strip."""
        return Box(self.x + wide, self.y, self.wide - wide, self.high)

    def columns(self, widths: Sequence[float], gap: float = 0.0) -> list[Box]:
        """Neighbours from left to right in these proportions, filling the box."""
        room = self.wide - gap * (len(widths) - 1)
        scale = room / sum(widths)
        boxes: list[Box] = []
        x = self.x
        for wide in widths:
            boxes.append(Box(x, self.y, wide * scale, self.high))
            x += wide * scale + gap
        return boxes

    def rows(self, heights: Sequence[float], gap: float = 0.0) -> list[Box]:
        """Neighbours from top to bottom in these proportions, filling the box."""
        room = self.high - gap * (len(heights) - 1)
        scale = room / sum(heights)
        boxes: list[Box] = []
        y = self.y
        for high in heights:
            boxes.append(Box(self.x, y, self.wide, high * scale))
            y += high * scale + gap
        return boxes

    def square(self, side: float | None = None) -> Box:
        """The largest square, or one of this side, in the middle."""
        side = min(self.wide, self.high) if side is None else side
        x, y = self.centre
        return Box(x - side / 2, y - side / 2, side, side)

    def fitted(self, wide_to_high: float) -> Box:
        """The largest box of these proportions in the middle."""
        wide = min(self.wide, self.high * wide_to_high)
        x, y = self.centre
        return Box(x - wide / 2, y - wide / wide_to_high / 2, wide, wide / wide_to_high)

    def holds(self, other: Box, slack: float = 0.5) -> bool:
        """Whether the other lies inside, give or take half a unit of rounding."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def meets(self, other: Box, slack: float = 0.5) -> bool:
        """Whether the two overlap by more than rounding."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.bottom - slack
            and other.y < self.bottom - slack
        )

    def covers(self, x: float, y: float) -> bool:
        """Whether a point lies in the box."""
        return self.x <= x < self.right and self.y <= y < self.bottom
