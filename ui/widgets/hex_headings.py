"""A heading's key: the plane's silhouette as it would look, and the heading's name."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.board import Look
from ui.presenters.common import Mark
from ui.presenters.hex_poses import HeadingKey
from ui.theme import Colour, Reach
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS


@dataclass(frozen=True, kw_only=True)
class HeadingPart(Part):
    """The plane turned to the heading; lit where sight offers just this."""

    heading: HeadingKey
    drawn: Look

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        key = self.heading.key
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        edge, wide = (Colour.OK, Reach.HOLD_EDGE) if key.seen else (Colour.EDGE, Reach.EDGE)
        pen.edge(self.box, edge, wide, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else Colour.INK
        if " " in key.label:  # what differs is no heading
            pen.text(key.label, self.box.inset(5, 4), 17, ink, align="centre", lines=3)
            return
        letters = Box(self.box.x + 4, self.box.bottom - 21, self.box.wide - 8, 17)
        pen.text(key.label, letters, 17, ink, align="centre")
        room = Box(self.box.x, self.box.y + 3, self.box.wide, self.box.high - 25)
        side = min(room.high, room.wide, 62.0)
        tint = ink if pressed else pen.theme.side(self.drawn).text
        sign = self.drawn.sign if self.drawn.sign in SIGNS else "up"
        pen.sign(sign, room.square(side), tint, self.heading.turned_deg)
        if key.seen:
            pen.sign(Mark.OK, Box(self.box.right - 21, self.box.y + 4, 16, 16), Colour.INK)
