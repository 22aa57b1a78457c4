"""A rectangle of a picture: what of it changed, what to read of it."""

from __future__ import annotations

from typing import NamedTuple, Self

from vision.frame import GreyImage


class Crop(NamedTuple):
    """Its left and top edge, its width and height, px; it may reach over the picture's edge.

    >>> Crop(-20, 10, 50, 30).inside((640, 480)), Crop(-90, 10, 50, 30).inside((640, 480))
    (Crop(left=0, top=10, width=30, height=30), Crop(left=0, top=10, width=0, height=30))
    """

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.top + self.height

    @classmethod
    def between(cls, left: int, top: int, right: int, bottom: int) -> Self:
        """The rectangle of these edges, the last two beyond it."""
        return cls(left, top, right - left, bottom - top)

    def of(self, grey: GreyImage) -> GreyImage:
        """The part of a picture that lies inside, a view; empty where none does."""
        left, top, width, height = self.inside((grey.shape[1], grey.shape[0]))
        return grey[top : top + height, left : left + width]

    def inside(self, size_px: tuple[int, int]) -> Self:
        """What of it lies in a picture of that width and height; no wider than 0 beside it."""
        width, height = size_px
        left, top = min(max(0, self.left), width), min(max(0, self.top), height)
        right, bottom = min(max(left, self.right), width), min(max(top, self.bottom), height)
        return self.between(left, top, right, bottom)

    def grown(self, by_px: int) -> Self:
        """With a margin on all four sides."""
        return self.between(
            self.left - by_px, self.top - by_px, self.right + by_px, self.bottom + by_px
        )

    def joined(self, other: Crop) -> Self:
        """The least one that holds both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        return self.between(left, top, max(self.right, other.right), max(self.bottom, other.bottom))

    def scaled(self, scale: int) -> Self:
        """The same part of a picture so many times as wide and high."""
        return type(self)(*(side * scale for side in self))

    def holds(self, other: Crop) -> bool:
        """Whether the other lies wholly in it."""
        inside = other.left >= self.left and other.top >= self.top
        return inside and other.right <= self.right and other.bottom <= self.bottom

    def touches(self, other: Crop) -> bool:
        """Whether they have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom
