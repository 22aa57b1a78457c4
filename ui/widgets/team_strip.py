"""TeamStripPart: one side of the round: emblem, name, decks, and what the team has."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Side
from ui.presenters.round import Badge, TeamStrip
from ui.theme import Caps, Colour, Face, Reach
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS


def draw_emblem(pen: Pen, side: Side, box: Box) -> None:
    """The mark of a side in its text colour: emblem, or its letter in a plate."""
    colours = pen.theme.side(side.tint)
    if colours.mark in SIGNS:
        pen.sign(colours.mark, box.square(), colours.text)
    elif side.tint.letter:
        plate = box.square(min(box.wide, box.high, 32))
        least = pen.width(side.tint.letter, Caps.DETAIL) + 4
        if plate.wide < least:
            plate = Box(plate.centre[0] - least / 2, plate.y, least, plate.high)
        pen.fill(plate, colours.fill, 4)
        pen.text(side.tint.letter, plate, 18, colours.on_fill, align="centre")


@dataclass(frozen=True, kw_only=True)
class TeamStripPart(Part):
    """Everything about one team that may be known during the round."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.strip.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        pen.fill(self.box.top(6), colours.text, 2)
        room = Box(self.box.x + 3, self.box.y, self.box.wide - 6, self.box.high)
        draw_emblem(pen, self.strip.side, Box(room.x, room.y + 18, room.wide, 46))
        name = Box(room.x, room.y + 74, room.wide, 27)
        pen.text(self.strip.side.name.upper(), name, Caps.NAME, colours.text, align="centre")
        y = room.y + 113
        for line in self.strip.lines:
            pen.text(line, Box(room.x, y, room.wide, 17), 16, align="centre", across="top")
            y += 23
        self._draw_badges(pen, Box(room.x, y + 2, room.wide, self.box.bottom - y - 8))

    def _draw_badges(self, pen: Pen, room: Box) -> None:
        if not self.strip.badges:
            return
        rows = room.rows([1] * len(self.strip.badges), gap=4)
        for row, badge in zip(rows, self.strip.badges, strict=True):
            if len(self.strip.badges) == 1:
                self._draw_badge(pen, row, badge)
            else:
                self._draw_short_badge(pen, row, badge)

    def _draw_badge(self, pen: Pen, room: Box, badge: Badge) -> None:
        """The sign over its two lines."""
        words_high = 40.0 if badge.text else 18.0
        sign = Box(room.x, room.y, room.wide, room.high - words_high - 6)
        if badge.sign in SIGNS:
            pen.sign(badge.sign, sign.square(min(64, sign.high)), Colour.INK2)
        title = Box(room.x, room.bottom - words_high, room.wide, 16)
        pen.text(badge.title, title, 15, align="centre", across="top")
        text = Box(room.x, room.bottom - 16, room.wide, 15)
        if badge.text:
            pen.text(badge.text, text, 14.5, Colour.INK2, face=Face.MEDIUM, align="centre")

    def _draw_short_badge(self, pen: Pen, room: Box, badge: Badge) -> None:
        """Two badges share the height: each its sign beside its title."""
        side = min(34.0, room.high)
        if badge.sign in SIGNS:
            pen.sign(badge.sign, Box(room.x, room.y, side, room.high).square(), Colour.INK2)
        pen.text(badge.title, room.beside(side + 8), 15, lines=2)


@dataclass(frozen=True, kw_only=True)
class ShortStripPart(Part):
    """The same in little room, where more than two teams stand beside the count."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.strip.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        pen.fill(self.box.top(4), colours.text, 2)
        head = Box(self.box.x + 6, self.box.y + 9, self.box.wide - 12, 26)
        draw_emblem(pen, self.strip.side, head.left(28))
        signs = [badge.sign for badge in self.strip.badges if badge.sign in SIGNS]
        for n, sign in enumerate(signs):
            at = Box(head.right - 28 * (n + 1), head.y, 26, head.high)
            pen.sign(sign, at.square(), Colour.INK2)
        name = Box(head.x + 34, head.y + 3, head.wide - 34 - 28 * len(signs), 20)
        pen.text(self.strip.side.name.upper(), name, 19, colours.text)
        for n, line in enumerate(self.strip.lines):
            place = Box(head.x, head.bottom + 6 + 20 * n, head.wide, 16)
            pen.text(line, place, 15, face=Face.MEDIUM, across="top")
