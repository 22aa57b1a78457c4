"""Part: one thing on a sheet: a box, how to draw it, and what a touch on it means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.widgets.box import Box

if TYPE_CHECKING:
    from ui.touch.actions import Action
    from ui.widgets.pen import Pen


@dataclass(frozen=True, slots=True)
class Glide:
    """Where a part comes from: so far across and down (u), turned by so many degrees clockwise.

    `turn_in` is its place among those that glide one after another.
    """

    across: float
    down: float
    turned_deg: float = 0.0
    turn_in: int = 0


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """A part is a value: an equal one need not be drawn again.

    With a `glide` it comes to its box from elsewhere; nothing of it is drawn again meanwhile.
    `action` is sent when the part is tapped, or with `held` when it was held down long enough.
    `primary` marks the next tap, which is deaf just after it has changed.
    """

    box: Box
    action: Action | None = None
    held: bool = False
    primary: bool = False
    glide: Glide | None = None

    def action_at(self, x: float, y: float) -> Action | None:
        """What a touch on a point of the box means, in u; None where it means nothing there."""
        return self.action

    @abstractmethod
    def draw(self, pen: Pen, *, pressed: bool) -> None:
        """Draw with the pen; `pressed` while a finger is on it."""
