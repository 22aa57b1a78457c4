"""The pad: keys in groups as the options lay them out; it knows groups, cells and signs only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.core.board import NO_LOOK, Look
from ui.presenters.common import PadGroup
from ui.theme import Colour, Face, Reach
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS

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


def pad(
    room: Box,
    groups: Sequence[PadGroup],
    name: str = "pad",
    *,
    caps: float = 15.0,
    most_high: float = 90.0,
) -> Iterator[tuple[str, Part]]:
    """Groups one under another, each its title over its rows of keys, filling the room."""
    if not groups:
        return
    gap = GAP
    groups = [led(group) for group in groups]
    rows = sum(group.rows for group in groups)
    titles = sum(TITLE_HIGH for group in groups if _titled(group))
    key_high = min(most_high, (room.high - titles - gap * (rows - 1)) / rows)
    y = room.y
    for n, group in enumerate(groups):
        if _titled(group):
            yield f"{name}/{n}/title", GroupTitle(
                box=Box(room.x, y, room.wide, TITLE_HIGH),
                title=group.title, note=group.note, sign=group.sign, tint=group.tint,
            )  # fmt: skip
            y += TITLE_HIGH
        high = group.rows * (key_high + gap) - gap
        yield from _keys(Box(room.x, y, room.wide, high), group, f"{name}/{n}", caps, gap)
        y += high + gap


def too_many(groups: Sequence[PadGroup], room: Box) -> bool:
    """Whether the groups' keys, all at once, would be too low for a finger."""
    rows = sum(group.rows for group in groups)
    titles = sum(TITLE_HIGH for group in groups if _titled(group))
    return rows * (Reach.TARGET[1] + GAP) - GAP + titles > room.high


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
