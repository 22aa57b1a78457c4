"""Parts of the round, of pads and of challenges: what has a team's emblem, and what lies by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.core.board import NO_LOOK, Look
from ui.scene.theme import Caps, Colour, Face, Reach, Rgba
from ui.scene.values import Badge, Band, Lamp, Line, PadGroup, Side, TeamStrip
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

# Teams: one side of the round each.


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
    """One team in little room, where more than two teams stand beside the count."""

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


@dataclass(frozen=True, kw_only=True)
class WideStripPart(Part):
    """One team in a strip that is wider than high: emblem beside the name, badges at the end."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.strip.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        pen.fill(self.box.top(5), colours.text, 2)
        room = self.box.inset(10, 12)
        head = room.top(32)
        draw_emblem(pen, self.strip.side, head.left(38))
        name = head.beside(46)
        pen.text(self.strip.side.name.upper(), name, Caps.NAME, colours.text)
        y = head.bottom + 9
        for line in self.strip.lines:
            pen.text(line, Box(room.x, y, room.wide, 17), 16, across="top")
            y += 23
        for badge in self.strip.badges:
            row = Box(room.x, y, room.wide, min(40.0, room.bottom - y))
            if row.high < 16:
                return
            self._draw_badge(pen, row, badge)
            y += row.high + 2

    def _draw_badge(self, pen: Pen, row: Box, badge: Badge) -> None:
        """The sign beside its one line or two."""
        words = row
        if badge.sign in SIGNS:
            pen.sign(badge.sign, row.left(36).square(min(34.0, row.high)), Colour.INK2)
            words = row.beside(44)
        if not badge.text or row.high < 34:
            pen.text(badge.title, words, 15)
            return
        pen.text(badge.title, words.top(16), 15, across="top")
        second = words.below(row.high - 15)
        pen.text(badge.text, second, 14, Colour.INK2, face=Face.MEDIUM, across="bottom")


# The count: each figure in a box of its own, ticks below, lamps.

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
    margin: float = 3.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        round_box = self.box.square()
        pen.fill(round_box, Colour.LAMP if self.lamp.lit else Colour.SUNK, round_box.high / 2)
        edge = Colour.LAMP_INK if self.lamp.lit else Colour.EDGE
        pen.edge(round_box, edge, 1.5, round_box.high / 2)
        ink = Colour.LAMP_INK if self.lamp.lit else Colour.INK2
        pen.text(
            self.lamp.label,
            round_box.inset(self.margin),
            14,
            ink,
            face=Face.FIGURES,
            align="centre",
        )


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
    """The ticks over the box's width, every fifth taller, those left lit from the left."""
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


# Pads: keys in groups as the options lay them out.

TITLE_HIGH = 22.0
GAP = 6.0


@dataclass(frozen=True, kw_only=True)
class GroupTitle(Part):
    """A group's name, the words after it, and a sign in a side's colour before it."""

    title: str
    note: str
    sign: str = ""
    tint: Look = NO_LOOK

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = self.box
        if self.sign in SIGNS:
            side = pen.theme.side(self.tint)
            owned = self.tint.colour is not None
            fill = side.fill if owned else Colour.INK
            where = Box(room.x, room.y, 20, room.high).square(20)
            if owned:
                pen.halo(self.sign, where, side.text)
            pen.sign(self.sign, where, fill)
            room = room.beside(25)
        if self.title:
            ink = pen.text(self.title, room, 15)
            room = room.beside(ink.wide + 9)
        if self.note:
            tint = Colour.INK if self.title else Colour.INK2
            pen.text(self.note, room, 15, tint, face=Face.MEDIUM)


_HEAD_WIDE = 60.0
_HEAD_SIGN = 28.0
_NAMED = 3
"""Fewer keys say themselves what they are."""


@dataclass(frozen=True, kw_only=True)
class GroupHead(GroupTitle):
    """A group's sign over the first word of its name, in a column beside its keys."""

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if self.sign not in SIGNS:
            pen.text(self.title, self.box, Caps.DETAIL, align="centre", lines=2)
            return
        room, side = self.box, _HEAD_SIGN
        owner, owned = pen.theme.side(self.tint), self.tint.colour is not None
        sign = Box(room.x, room.y + (room.high - side - 20) / 2, room.wide, side)
        if owned:
            pen.halo(self.sign, sign.square(side), owner.text)
        pen.sign(self.sign, sign.square(side), owner.fill if owned else Colour.INK)
        word = self.title.partition(" ")[0]
        pen.text(word, Box(room.x, sign.bottom + 4, room.wide, 16), Caps.DETAIL, align="centre")


def pad(
    room: Box,
    groups: Sequence[PadGroup],
    name: str = "pad",
    *,
    caps: float = 15.0,
    most_high: float = 90.0,
    beside: bool = False,
    title_high: float = TITLE_HIGH,
) -> Iterator[tuple[str, Part]]:
    """Groups one under another, each its title over its rows of keys, filling the room.

    `beside`: the titles stand beside the rows, and take no height.
    """
    if not groups:
        return
    gap = GAP
    if beside:
        yield from _named_beside(room, groups, name, caps, most_high)
        return
    groups = [led(group) for group in groups]
    rows = sum(group.rows for group in groups)
    titles = sum(title_high for group in groups if _titled(group))
    key_high = min(most_high, (room.high - titles - gap * (rows - 1)) / rows)
    y = room.y
    for n, group in enumerate(groups):
        if _titled(group):
            yield f"{name}/{n}/title", GroupTitle(
                box=Box(room.x, y, room.wide, title_high),
                title=group.title, note=group.note, sign=group.sign, tint=group.tint,
            )  # fmt: skip
            y += title_high
        high = group.rows * (key_high + gap) - gap
        yield from _keys(Box(room.x, y, room.wide, high), group, f"{name}/{n}", caps, gap)
        y += high + gap


def _named_beside(
    room: Box, groups: Sequence[PadGroup], name: str, caps: float, most_high: float
) -> Iterator[tuple[str, Part]]:
    """Groups with their names in a column of their own."""
    rows = sum(group.rows for group in groups)
    key_high = min(most_high, (room.high - GAP * (rows - 1)) / rows)
    y = room.y
    for n, group in enumerate(map(led, groups)):
        line = Box(room.x, y, room.wide, group.rows * (key_high + GAP) - GAP)
        keys = line
        if _titled(group) and len(group.keys) >= _NAMED:
            keys = line.beside(_HEAD_WIDE + 4)
            yield f"{name}/{n}/title", GroupHead(
                box=line.left(_HEAD_WIDE),
                title=group.title, note="", sign=group.sign, tint=group.tint,
            )  # fmt: skip
        yield from _keys(keys, group, f"{name}/{n}", caps, GAP)
        y = line.bottom + GAP


def too_many(groups: Sequence[PadGroup], room: Box) -> bool:
    """Whether the groups' keys, all at once, would be too low for a finger."""
    return pad_high(groups, Reach.TARGET[1]) > room.high


def pad_high(groups: Sequence[PadGroup], key_high: float) -> float:
    """How high groups are whose keys are so high."""
    rows = sum(group.rows for group in groups)
    titles = sum(TITLE_HIGH for group in groups if _titled(group))
    return rows * (key_high + GAP) - GAP + titles


_OF_THREE = ("first-of-three", "second-of-three", "third-of-three")


def led(group: PadGroup) -> PadGroup:
    """A sign that all keys share is the group's own; in threes the keys then show their place."""
    signs = {pad_key.key.sign for pad_key in group.keys}
    if len(signs) != 1 or len(group.keys) < 2 or not signs <= set(SIGNS):
        return group
    shared = signs.pop()
    places = _OF_THREE if group.columns == len(_OF_THREE) and shared not in _OF_THREE else ()
    if not places:
        return group
    keys = tuple(
        replace(pad_key, key=replace(pad_key.key, sign=places[pad_key.column]))
        for pad_key in group.keys
    )
    return replace(group, keys=keys, sign=group.sign if group.sign in SIGNS else shared)


def _titled(group: PadGroup) -> bool:
    return bool(group.title or group.note)


def _keys(
    room: Box, group: PadGroup, name: str, caps: float, gap: float
) -> Iterator[tuple[str, Part]]:
    rows = room.rows([1] * group.rows, gap=gap)
    for pad_key in group.keys:
        place = rows[pad_key.row].columns([1] * group.columns, gap=gap)[pad_key.column]
        yield (
            f"{name}/{pad_key.row}.{pad_key.column}",
            key_cap(place, pad_key.key, caps=caps, sign_side=34),
        )


# A challenge: whose it is, and what each side claims.

_SIGN, _NARROW_SIGN, _NARROW = 84.0, 48.0, 600.0
_NAME_HIGH, _ROOMY = 20.0, 90.0
_CLAIMED = (26, 22, 18, 16, 15)
"""A claim is told as large as its room allows."""


@dataclass(frozen=True, kw_only=True)
class CallPart(Part):
    """The loudest band there is: inverted, a sign as high as both lines, and whose call it is."""

    band: Band

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO, Reach.BAND_RADIUS)
        room = self.box.inset(16, min(14, self.box.high / 6))
        wide = _SIGN if self.box.wide > _NARROW else _NARROW_SIGN
        side = min(wide, room.high)
        pen.sign("hand", Box(room.x, room.y, wide, room.high).square(side), Colour.GO_INK)
        if self.band.side is not None:
            plate = Box(room.right - wide, room.y, wide, room.high).square(side)
            pen.fill(plate.grown(min(8, side / 10)), Colour.BG, Reach.RADIUS)
            draw_emblem(pen, self.band.side, plate)
            room = room.left(room.wide - wide - 22)
        words = room.beside(wide + 16)
        if any(pen.width(line, Caps.DETAIL) > words.wide for line in self.band.lines):
            words = Box(words.x, self.box.y + 3, words.wide, self.box.high - 6)
            pen.text(" · ".join(self.band.lines), words, 20, Colour.GO_INK, lines=3)
            return
        most: float = Caps.HANDS  # no line is larger than the one over it
        rows = words.rows([1] * len(self.band.lines), gap=14)
        for row, line, caps in zip(rows, self.band.lines, (Caps.HANDS, 34.0), strict=False):
            most = min(most, caps, row.high)
            while most > Caps.DETAIL and pen.width(line, most) > row.wide:
                most -= 1
            pen.text(line, row, most, Colour.GO_INK)


@dataclass(frozen=True, kw_only=True)
class ClaimPart(Part):
    """Whose claim it is over its words, beside the emblem where there is room for that."""

    line: Line

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        ink = Colour.GO_INK if pressed else Colour.INK
        ground = Colour.KEY if self.action is not None else Colour.PANEL
        pen.fill(self.box, Colour.GO if pressed else ground, Reach.RADIUS)
        if self.action is not None:
            pen.edge(self.box, Colour.EDGE, 1.5, Reach.RADIUS)
        room = self.box.inset(8, 5 if self.box.high >= _ROOMY else 2)
        emblem = (
            room.left(26) if self._fits(pen, room.beside(36)) else room.left(26).top(_NAME_HIGH)
        )
        if self.line.side is not None:
            draw_emblem(pen, self.line.side, emblem.square(min(24, emblem.high)))
            name = room.beside(36).top(_NAME_HIGH)
            words = room.beside(36) if emblem.high > _NAME_HIGH else room
        else:
            name, words = room.top(_NAME_HIGH), room
        pen.text(self.line.name, name, 14, ink, across="top")
        words = words.below(_NAME_HIGH)
        sizes = (
            one for one in _CLAIMED if _high(pen, self.line.value, one, words.wide) <= words.high
        )
        caps = next(sizes, 14)
        lines = pen.lines(self.line.value, caps, words.wide, Face.MEDIUM)
        pen.text(self.line.value, words, caps, ink, face=Face.MEDIUM, lines=lines)

    def _fits(self, pen: Pen, room: Box) -> bool:
        return _high(pen, self.line.value, 14, room.wide) <= room.high - _NAME_HIGH


def _high(pen: Pen, text: str, caps: float, wide: float) -> float:
    """How high a text is in a room of this width."""
    return lines_high(pen.lines(text, caps, wide, Face.MEDIUM), caps)
