"""The bottom row: keys from one edge, a message, the next tap at the other edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ui.presenters.common import Bottom, Key, Message
from ui.theme import Caps, Colour, Face, Hand, Reach, Theme
from ui.widgets.box import Box
from ui.widgets.key import KeyCap, key_cap, short_cites
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import rule

TOP = 388.0
KEY = (84.0, 76.0)
_ROW_Y = TOP + 8
NEXT_WIDE = (196.0, 316.0)
"""The next tap is as wide as its words, within these."""

_NEXT_CAPS = 23.0
_NEXT_SIGN = 36.0


@dataclass(frozen=True, kw_only=True)
class MessagePart(Part):
    """Two lines between the keys and the next tap; the first one counts more."""

    message: Message

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = self.box
        if self.message.mark:
            pen.sign(self.message.mark, Box(room.x, room.y, 22, room.high).square(22), Colour.INK)
            room = room.beside(32)
        first, second = self.message.first, self.message.second
        if pen.width(second, 15, Face.MEDIUM) > room.wide:
            second = short_cites(second)
        if first and second:
            self._draw_two(pen, room, first, second)
        elif first:
            pen.text(first, room.inset(0, 6), 17, lines=3)
        elif second:
            pen.text(second, room.inset(0, 6), 16, Colour.INK2, face=Face.MEDIUM, lines=3)

    def _draw_two(self, pen: Pen, room: Box, first: str, second: str) -> None:
        """Whichever text is too long for one line takes two; small where both are."""
        longer = pen.width(first, 15) > room.wide, pen.width(second, 15, Face.MEDIUM) > room.wide
        if all(longer):
            upmost = min(3, max(2, pen.lines(first, Caps.DETAIL, room.wide)))
            upper, lower = room.rows([upmost, 4 - upmost], gap=4)
            pen.text(first, upper, Caps.DETAIL, lines=upmost, across="top")
            pen.text(second, lower, Caps.DETAIL, Colour.INK2, face=Face.MEDIUM, lines=4 - upmost)
            return
        shares = [1.0 + longer[0], 1.0 + longer[1]]
        upper, lower = room.inset(0, 2 if any(longer) else 6).rows(shares, gap=6)
        pen.text(first, upper, 17, lines=2)
        pen.text(second, lower, 16, Colour.INK2, face=Face.MEDIUM, lines=2)


def bottom_row(theme: Theme, bottom: Bottom) -> Iterator[tuple[str, Part]]:
    """The row's parts; under the left hand everything changes sides."""
    wide = theme.wide_u
    yield "bottom/line", rule(Box(0, TOP - 1, wide, 1.2))
    parts = _wide_row(wide, bottom) if bottom.wide else _row(theme, bottom)
    for name, part in parts:
        yield name, mirrored(part, wide) if theme.hand is Hand.LEFT else part


def wanted_wide(theme: Theme, key: Key) -> float:
    """As wide as the next tap's words want to be, within its limits."""
    words = max(
        text_wide(theme, key.label, _NEXT_CAPS),
        text_wide(theme, key.seen or key.second, Caps.DETAIL, Face.MEDIUM),
    )
    sign = _NEXT_SIGN + 10 if key.sign else 0.0
    return min(NEXT_WIDE[1], max(NEXT_WIDE[0], words + sign + 30))


def _row(theme: Theme, bottom: Bottom) -> Iterator[tuple[str, Part]]:
    wide, x = theme.wide_u, Reach.MARGIN
    for n, key in enumerate(bottom.keys):
        key_wide = _key_wide(key)
        yield f"bottom/{n}", key_cap(Box(x, _ROW_Y, key_wide, KEY[1]), key)
        x += key_wide + Reach.GAP
    x += Reach.GAP
    right = wide - Reach.MARGIN
    if bottom.next is not None:
        next_wide = min(wanted_wide(theme, bottom.next), right - x)
        yield (
            "bottom/next",
            next_key(Box(right - next_wide, _ROW_Y, next_wide, KEY[1]), bottom.next),
        )
        right -= next_wide + 2 * Reach.GAP
    if bottom.message != Message():
        room = Box(x, _ROW_Y, right - x, KEY[1])
        yield "bottom/message", MessagePart(box=room, message=bottom.message)


def _key_wide(key: Key) -> float:
    """Signs stand 84 u wide; a key of words alone needs more."""
    return KEY[0] if key.sign else 120.0


def _wide_row(wide: float, bottom: Bottom) -> Iterator[tuple[str, Part]]:
    """Answers fill the row: the first key keeps its place, the others share the rest."""
    first, rest = bottom.keys[:1], bottom.keys[1:]
    x = Reach.MARGIN
    for key in first:
        yield "bottom/0", key_cap(Box(x, _ROW_Y, *KEY), key)
        x += KEY[0] + Reach.GAP
    room = Box(x, _ROW_Y, wide - Reach.MARGIN - x, KEY[1])
    shares = [1.0] * len(rest) + ([1.32] if bottom.next is not None else [])
    boxes = room.columns(shares, gap=Reach.GAP)
    for n, (key, box) in enumerate(zip(rest, boxes, strict=False), start=1):
        yield f"bottom/{n}", key_cap(box, key, caps=19)
    if bottom.next is not None:
        yield "bottom/next", next_key(boxes[-1], bottom.next)


def next_key(box: Box, key: Key) -> KeyCap:
    """The next tap: larger words, deaf just after it has changed its meaning."""
    return key_cap(box, key, caps=_NEXT_CAPS, primary=True, sign_side=_NEXT_SIGN)


def mirrored(part: Part, wide: float) -> Part:
    """The same part on the other side of a window of this width, u."""
    box = part.box
    return replace(part, box=Box(wide - box.right, box.y, box.wide, box.high))
