"""The top bar (title, place, devices, sound, menu) and the bottom row (keys, message, next tap)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ui.scene.theme import Caps, Colour, Face, Hand, Reach, Theme
from ui.scene.values import Bottom, Device, Key, Mark, Message, Refusal, TopBar
from ui.touch.actions import Panel, SetSetting, Show
from ui.widgets.box import Box
from ui.widgets.key import KeyCap, key_cap, short_cites
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import rule

# The top bar, from left to right.

HIGH = 52.0
_DEVICE_WIDE = 50.0
_TITLE_CAPS = 18.0
_CITE_WIDE = 138.0


@dataclass(frozen=True, kw_only=True)
class TitlePlate(Part):
    """Title between two rivets, and one line of where we are; or the banner in its place."""

    top: TopBar
    banner: Refusal | None = None

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        plate = self._plate(pen)
        pen.edge(plate, Colour.EDGE, 1.2, 4)
        for x in (plate.x + 7, plate.right - 10):
            pen.fill(Box(x, plate.centre[1] - 1.5, 3, 3), Colour.EDGE, 1.5)
        pen.text(self.top.title, plate.inset(18, 2), _TITLE_CAPS, align="centre")
        room = Box(plate.right + 14, 0, self.box.right - plate.right - 18, self.box.high)
        if self.banner is not None:
            self._draw_banner(pen, room.inset(0, 3), self.banner)
        elif self.top.where:
            pen.text(self.top.where, room, Caps.BODY, Colour.INK2, face=Face.MEDIUM, lines=2)

    def _plate(self, pen: Pen) -> Box:
        wide = pen.width(self.top.title, _TITLE_CAPS) + 40
        least = pen.width(self.top.title, Caps.DETAIL) + 40
        beside = pen.width(max(self.top.where.split(), key=len, default=""), Caps.DETAIL) + 20
        wide = max(least, min(wide, self.box.wide - beside))
        return Box(self.box.x, 9, min(wide, self.box.wide), 35)

    def _draw_banner(self, pen: Pen, room: Box, banner: Refusal) -> None:
        edge = Colour.BAD if banner.mark is Mark.BAD else Colour.WARN_LINE
        pen.edge(room, edge, 2.5)
        pen.sign(banner.mark or Mark.BAD, Box(room.x + 8, room.y, 20, room.high).square(20), edge)
        words = Box(room.x + 36, room.y + 5, room.wide - 42, room.high - 10)
        pen.text(banner.text, words.top(15), 15, across="top")
        pen.text(banner.way_out, words.below(19), 14, face=Face.MEDIUM, across="bottom")


@dataclass(frozen=True, kw_only=True)
class DeviceRow(Part):
    """All devices as one target: each a symbol of its state over its name."""

    devices: tuple[Device, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if pressed:
            pen.fill(self.box, Colour.KEY, 4)
        for room, device in zip(
            self.box.columns([1] * len(self.devices)), self.devices, strict=True
        ):
            symbol = "ok" if device.state == "live" else device.state
            pen.sign(symbol, Box(room.x, 8, room.wide, 17).square(), Colour.INK2)
            pen.text(
                device.name, Box(room.x + 2, 32, room.wide - 4, 16), 15, Colour.INK2,
                face=Face.MEDIUM, align="centre", across="top",
            )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class BareKey(Part):
    """A sign without an edge: sound and menu in the top bar."""

    sign: str
    side: float = 26.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if pressed:
            pen.fill(self.box, Colour.GO, 4)
        pen.sign(self.sign, self.box.square(self.side), Colour.GO_INK if pressed else Colour.INK)


@dataclass(frozen=True, kw_only=True)
class CiteKey(Part):
    """The rule of this moment, to be read: a book and its id."""

    cite: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = Box(self.box.x, 8, self.box.wide, self.box.high - 16)
        pen.fill(room, Colour.GO if pressed else Colour.KEY, 4)
        pen.edge(room, Colour.EDGE, 1.2, 4)
        ink = Colour.GO_INK if pressed else Colour.INK
        pen.sign("book", Box(room.x + 6, room.y, 20, room.high).square(19), ink)
        words = Box(room.x + 30, room.y, room.wide - 35, room.high)
        text = short_cites(self.cite)
        if pen.width(text, Caps.DETAIL) > words.wide:
            text = self.cite.partition(", ")[0]
        pen.text(text, words, Caps.DETAIL, ink)


def top_bar(wide: float, top: TopBar, banner: Refusal | None = None) -> Iterator[tuple[str, Part]]:
    """The bar's parts from left to right; a banner with a key is touched as a whole.

    The rules of the moment are a key of their own, unless a banner needs the room.
    """
    devices_wide = max(_DEVICE_WIDE, len(top.devices) * _DEVICE_WIDE)
    devices_x = wide - 120 - devices_wide - 4
    key: Key | None = banner.key if banner is not None else None
    plate = Box(8, 0, devices_x - 8, HIGH)
    if top.cite and banner is None:
        chip = Box(devices_x - _CITE_WIDE - 4, 0, _CITE_WIDE, HIGH)
        plate = plate.left(plate.wide - _CITE_WIDE - 8)
        yield "top/cite", CiteKey(box=chip, cite=top.cite, action=Show(Panel.RULES, top.cite))
    yield (
        "top/plate",
        TitlePlate(
            box=plate, top=_without_ages(top), banner=banner, action=key.action if key else None
        ),
    )
    yield "top/line", rule(Box(0, HIGH - 1, wide, 1.2))
    if top.devices:
        row = Box(devices_x, 0, devices_wide, HIGH)
        yield (
            "top/devices",
            DeviceRow(box=row, devices=_without_ages(top).devices, action=Show(Panel.DEVICES)),
        )
    yield from _at_the_end(wide, top)


def _at_the_end(wide: float, top: TopBar) -> Iterator[tuple[str, Part]]:
    """Sound and menu, the last two signs of the bar."""
    sound = "speaker" if top.sound else "speaker-off"
    yield (
        "top/sound",
        BareKey(
            box=Box(wide - 116, 0, 56, HIGH), sign=sound, action=SetSetting("sound", not top.sound)
        ),
    )
    yield (
        "top/menu",
        BareKey(box=Box(wide - 60, 0, 58, HIGH), sign="menu", side=22, action=Show(Panel.MENU)),
    )


def _without_ages(top: TopBar) -> TopBar:
    """What the bar shows: an age that counts up there would only draw the bar again."""
    devices = tuple(Device(device.name, device.state) for device in top.devices)
    return TopBar(top.title, top.where, devices, top.sound)


# The bottom row, from one edge to the other.

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
    """A part put on the other side of a window of this width, u."""
    box = part.box
    return replace(part, box=Box(wide - box.right, box.y, box.wide, box.high))
