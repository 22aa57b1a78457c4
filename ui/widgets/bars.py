"""The top bar (title, place, devices, sound, menu) and the bottom row (keys, message, next tap).

In portrait each has two rows: title, rules, sound and menu over place and devices; the message, and
whatever keys find no room, over keys and next tap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ui.scene.theme import Caps, Colour, Face, Hand, Reach, Theme
from ui.scene.values import Alert, Bottom, Device, Key, Mark, Message, Strip, TopBar
from ui.touch.actions import Panel, SetSetting, Show
from ui.widgets.box import Box
from ui.widgets.key import KeyCap, key_cap, short_cites
from ui.widgets.lettering import lines_of, text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import LampPart
from ui.widgets.words import Words, rule

# The top bar, from left to right.

HIGH = 52.0
"""The bar's height, and in portrait that of each of its two rows."""
_DEVICE_WIDE = 50.0
_TITLE_CAPS = 18.0
_CITE_WIDE = 138.0
_TWO = 2
_BANNER_EDGES = 66.0
"""What of a banner's room its sign and margins take."""
STRIP_WIDE = 224.0
"""The clock of a phase, on every screen but its own."""


@dataclass(frozen=True, kw_only=True)
class TitlePlate(Part):
    """Title between two rivets, and one line of where we are; or the banner in its place."""

    top: TopBar
    banner: Alert | None = None

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        plate = self._plate(pen)
        pen.edge(plate, Colour.EDGE, 1.2, 4)
        for x in (plate.x + 7, plate.right - 10):
            pen.fill(Box(x, plate.centre[1] - 1.5, 3, 3), Colour.EDGE, 1.5)
        pen.text(self.top.title, plate.inset(18, 2), _TITLE_CAPS, align="centre")
        room = Box(plate.right + 14, 0, self.box.right - plate.right - 18, self.box.high)
        if self.banner is not None:
            draw_banner(pen, room.inset(0, 3), self.banner)
        elif self.top.where:
            where = room.inset(0, 6)
            pen.text(self.top.where, where, Caps.BODY, Colour.INK2, face=Face.MEDIUM, lines=2)

    def _plate(self, pen: Pen) -> Box:
        wide = pen.width(self.top.title, _TITLE_CAPS) + 40
        least = pen.width(self.top.title, Caps.DETAIL) + 40
        beside = pen.width(max(self.top.where.split(), key=len, default=""), Caps.DETAIL) + 20
        wide = max(least, min(wide, self.box.wide - beside))
        return Box(self.box.x, 9, min(wide, self.box.wide), 35)


@dataclass(frozen=True, kw_only=True)
class ClockStrip(Part):
    """A phase's clock in short: count, how it stands, lamps; a chevron where it leads back."""

    strip: Strip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        strip, box = self.strip, self.box.inset(0, 2)
        inverted = strip.inverted != pressed
        pen.fill(box, Colour.GO if inverted else Colour.KEY, 5)
        pen.edge(box, Colour.GO if inverted else Colour.EDGE, 1.5, 5)
        ink = Colour.GO_INK if inverted else Colour.INK
        if self.action is not None:
            pen.sign("back", Box(box.x + 4, box.y, 26, box.high).square(22), ink)
        figures = Box(box.x + 32, box.y, 70, box.high)
        pen.text(strip.count, figures, 34, ink, face=Face.FIGURES, align="centre")
        right = Box(figures.right + 8, box.y, box.right - figures.right - 12, box.high)
        pen.text(strip.words, right.top(22), 14, ink)
        for n, lamp in enumerate(strip.lamps):
            place = Box(right.x + 28 * n, box.y + 20, 27, 27)
            LampPart(box=place, lamp=lamp, margin=0.5).draw(pen, pressed=False)


def _in_two_lines(pen: Pen, banner: Alert, wide: float) -> str:
    """What is wrong, and as much of the way out as has room: its last sentences say what to do."""
    sentences = banner.way_out.split(". ")
    texts = (". ".join([banner.text, *sentences[at:]]) for at in range(len(sentences)))
    whole = (text for text in texts if pen.lines(text, Caps.DETAIL, wide, Face.MEDIUM) <= 2)
    return next(whole, f"{banner.text}. {sentences[-1]}").removesuffix(". ")


def draw_banner(pen: Pen, room: Box, banner: Alert) -> None:
    """A loud line: edge and sign as it is marked, what is wrong over the way out."""
    edge = Colour.BAD if banner.mark is Mark.BAD else Colour.WARN_LINE
    pen.edge(room, edge, 2.5)
    pen.sign(banner.mark or Mark.BAD, Box(room.x + 8, room.y, 20, room.high).square(20), edge)
    words = Box(room.x + 36, room.y + 5, room.wide - 42, room.high - 10)
    first = pen.width(banner.text, Caps.DETAIL)
    second = pen.width(banner.way_out, Caps.DETAIL, Face.MEDIUM)
    if not banner.way_out or max(first, second) > words.wide:
        pen.text(_in_two_lines(pen, banner, words.wide), words, 15, face=Face.MEDIUM, lines=2)
        return
    pen.text(banner.text, words.top(15), 15, across="top")
    pen.text(banner.way_out, words.below(19), 14, face=Face.MEDIUM, across="bottom")


@dataclass(frozen=True, kw_only=True)
class BannerPart(Part):
    """The loud line of a lost device, in a row of its own; a touch does what its key does."""

    banner: Alert

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if pressed:
            pen.fill(self.box, Colour.KEY, 4)
        draw_banner(pen, self.box.inset(0, 3), self.banner)


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
            pen.sign(symbol, Box(room.x, room.y + 8, room.wide, 17).square(), Colour.INK2)
            pen.text(
                device.name, Box(room.x + 2, room.y + 32, room.wide - 4, 16), 15, Colour.INK2,
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


def top_high(theme: Theme) -> float:
    """How high the top bar is: one row, in portrait two."""
    return 2 * HIGH if theme.portrait else HIGH


def top_bar(
    theme: Theme, top: TopBar, banner: Alert | None = None, strip: Strip | None = None
) -> Iterator[tuple[str, Part]]:
    """The bar's parts from left to right; a banner with a key is touched as a whole.

    The rules of the moment are a key of their own, unless a banner needs the room. A phase's clock
    takes the place of where we are; with a banner, too, title and devices make room.
    """
    wide, high = theme.wide_u, top_high(theme)
    devices_wide = max(_DEVICE_WIDE, len(top.devices) * _DEVICE_WIDE)
    first = Box(8, 0, wide - 124, HIGH)
    row = Box(first.right - devices_wide, 0, devices_wide, HIGH)
    devices = top.devices
    if theme.portrait:
        devices = devices if banner is None else ()
        row = Box(wide - 8 - devices_wide, HIGH, devices_wide, HIGH)
        below = Box(8, HIGH, (row.x if devices else row.right) - 12, HIGH)
        yield from _in_two_rows(theme, first, below, top, banner, strip)
    elif banner is not None and (strip is not None or _is_long(theme, first, row, top, banner)):
        devices = ()
        yield from _banner_row(theme, first, top, banner, strip)
    else:
        yield from _in_one_row(theme, first.left(row.x - 12), top, banner, strip)
    yield "top/line", rule(Box(0, high - 1, wide, 1.2))
    if devices:
        shown = _without_ages(top).devices
        yield "top/devices", DeviceRow(box=row, devices=shown, action=Show(Panel.DEVICES))
    yield from _at_the_end(wide, top)


def _is_long(theme: Theme, first: Box, row: Box, top: TopBar, banner: Alert) -> bool:
    """Whether a banner needs the devices' room beside its title."""
    words = max(
        text_wide(theme, banner.text, Caps.DETAIL),
        text_wide(theme, banner.way_out, Caps.DETAIL, Face.MEDIUM),
    )
    return words > row.x - first.x - _title_wide(theme, top) - _BANNER_EDGES


def _title_wide(theme: Theme, top: TopBar, caps: float = _TITLE_CAPS) -> float:
    return text_wide(theme, top.title, caps) + 40


def _in_one_row(
    theme: Theme, room: Box, top: TopBar, banner: Alert | None, strip: Strip | None
) -> Iterator[tuple[str, Part]]:
    """Title, then where we are or the phase's clock, then the rules where there is room."""
    plate, least = room, 0.0
    if strip is not None:
        plate, least = room.left(room.wide - STRIP_WIDE - 8), _title_wide(theme, top, Caps.DETAIL)
        top = replace(top, where="")
    if top.cite and banner is None and plate.wide - _CITE_WIDE - 8 >= least:
        plate, chip = _with_cite(plate, room.right)
        yield "top/cite", CiteKey(box=chip, cite=top.cite, action=Show(Panel.RULES, top.cite))
    yield "top/plate", _plate(plate, top, banner)
    if strip is not None:
        yield "top/strip", _strip(Box(plate.right + 8, 0, STRIP_WIDE, HIGH), strip)


def _banner_row(
    theme: Theme, room: Box, top: TopBar, banner: Alert, strip: Strip | None
) -> Iterator[tuple[str, Part]]:
    """A banner with all the room that there is: beside the clock, the title, or alone."""
    if strip is not None:
        yield "top/strip", _strip(room.left(STRIP_WIDE), strip)
        yield "top/banner", _banner(room.beside(STRIP_WIDE + 8), banner)
    elif _banner_lines(theme, banner, room.wide - _title_wide(theme, top) - _BANNER_EDGES) > _TWO:
        yield "top/banner", _banner(room, banner)
    else:
        yield "top/plate", _plate(room, replace(top, where=""), banner)


def _banner_lines(theme: Theme, banner: Alert, wide: float) -> int:
    """How many lines a banner's words take in a room that is so many u wide."""
    text = ". ".join(filter(None, (banner.text, banner.way_out)))
    return lines_of(theme, text, Caps.DETAIL, wide, Face.MEDIUM)


def _in_two_rows(
    theme: Theme, first: Box, below: Box, top: TopBar, banner: Alert | None, strip: Strip | None
) -> Iterator[tuple[str, Part]]:
    """Title and rules above; below them where we are, the phase's clock, or the banner.

    With both clock and banner the clock stands above, beside the title if that is short.
    """
    plate = first
    if strip is not None and banner is not None:
        plate = first.left(first.wide - STRIP_WIDE - 8)
        yield "top/strip", _strip(Box(plate.right + 8, 0, STRIP_WIDE, HIGH), strip)
        if plate.wide >= _title_wide(theme, top, Caps.DETAIL):
            yield "top/plate", _plate(plate, replace(top, where=""), None)
        yield "top/banner", _banner(below, banner)
        return
    if top.cite and first.wide - _CITE_WIDE - 8 >= _title_wide(theme, top, Caps.DETAIL):
        plate, chip = _with_cite(first, first.right)
        yield "top/cite", CiteKey(box=chip, cite=top.cite, action=Show(Panel.RULES, top.cite))
    yield "top/plate", _plate(plate, replace(top, where=""), None)
    if banner is not None:
        yield "top/banner", _banner(below, banner)
    elif strip is not None:
        yield "top/strip", _strip(below.left(STRIP_WIDE), strip)
    elif top.where:
        where = Words(
            box=below.inset(0, 6), text=top.where, tint=Colour.INK2, face=Face.MEDIUM, lines=2
        )
        yield "top/where", where


def _with_cite(plate: Box, right: float) -> tuple[Box, Box]:
    """What is left beside the rules of the moment, and their key at the right edge."""
    chip = Box(right - _CITE_WIDE, 0, _CITE_WIDE, HIGH)
    return plate.left(plate.wide - _CITE_WIDE - 8), chip


def _plate(box: Box, top: TopBar, banner: Alert | None) -> TitlePlate:
    action = banner.key.action if banner is not None and banner.key is not None else None
    return TitlePlate(box=box, top=_without_ages(top), banner=banner, action=action)


def _banner(box: Box, banner: Alert) -> BannerPart:
    return BannerPart(box=box, banner=banner, action=banner.key.action if banner.key else None)


def _strip(box: Box, strip: Strip) -> ClockStrip:
    return ClockStrip(box=box, strip=strip, action=strip.action)


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
"""Where the row begins in a window that is 480 u high."""
KEY = (84.0, 76.0)
_ROW_Y = 8.0
"""From the row's upper edge to its keys."""
_UPPER_HIGH = 56.0
"""In portrait: the message, or keys that find no room below, over the keys."""
_USUAL_KEYS = 3
"""Undo, Log, Arbiter: they keep their places."""
_LEAST_SIGN, _LEAST_WORDS, _LEAST_NEXT = 62.0, 96.0, 150.0
"""How narrow keys with a sign, keys of words alone and the next tap may become in portrait."""
NEXT_WIDE = (196.0, 316.0)
"""The next tap is as wide as its words, within these."""

_NEXT_CAPS = 23.0
_NEXT_SIGN = 36.0


_MESSAGE_GAP = 6.0


@dataclass(frozen=True, kw_only=True)
class MessagePart(Part):
    """Two lines between the keys and the next tap; the first one counts more."""

    message: Message

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = self.box
        if self.action is not None:
            pen.fill(room, Colour.KEY if pressed else Colour.PANEL, Reach.RADIUS)
            pen.edge(room, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
            pen.sign("book", Box(room.right - 28, room.y + 4, 22, 22), Colour.INK)
            room = Box(room.x + 8, room.y, room.wide - 38, room.high)
        if self.message.mark:
            pen.sign(self.message.mark, Box(room.x, room.y, 22, room.high).square(22), Colour.INK)
            room = room.beside(32)
        first, second = self.message.first, self.message.second
        if pen.width(second, 15, Face.MEDIUM) > room.wide:
            second = short_cites(second)
        if first and second:
            self._draw_two(pen, room, first, second)
        elif first:
            lines = 4 if self.action is not None else 3
            pen.text(first, room.inset(0, 4), 17, lines=lines)
        elif second:
            pen.text(second, room.inset(0, 6), 16, Colour.INK2, face=Face.MEDIUM, lines=3)

    def _draw_two(self, pen: Pen, room: Box, first: str, second: str) -> None:
        """Whichever text is too long for one line takes two; small where both are."""
        for caps in (17.0, 15.5, Caps.DETAIL):
            wanted = pen.lines(first, caps, room.wide)
            more = pen.lines(second, min(caps, 16.0), room.wide, Face.MEDIUM)
            heights = lines_high(wanted, caps), lines_high(more, min(caps, 16.0))
            slack = room.high - sum(heights) - _MESSAGE_GAP
            if slack >= 0.0 and (caps == Caps.DETAIL or wanted + more == _TWO):
                gap = _MESSAGE_GAP + min(6.0, slack / 2)
                upper = Box(
                    room.x, room.y + (slack + _MESSAGE_GAP - gap) / 2, room.wide, heights[0]
                )
                lower = Box(room.x, upper.bottom + gap, room.wide, heights[1])
                pen.text(first, upper, caps, lines=wanted)
                pen.text(second, lower, min(caps, 16.0), Colour.INK2, face=Face.MEDIUM, lines=more)
                return
        lines = max(1, pen.lines(first, Caps.DETAIL, room.wide))  # the first one counts more
        pen.text(first, room.inset(0, 1), Caps.DETAIL, lines=lines)


def message_part(box: Box, message: Message) -> MessagePart:
    """The lines in their room; those that rest on a rule lead to it."""
    action = Show(Panel.RULES, message.cite) if message.cite else None
    return MessagePart(box=box, message=message, action=action)


def row_box(theme: Theme) -> Box:
    """The bottom row as a whole, from its line to the window's lower edge."""
    high = 480 - TOP + (_UPPER_HIGH + Reach.GAP if theme.portrait else 0.0)
    return Box(0, theme.high_u - high, theme.wide_u, high)


def bottom_row(theme: Theme, bottom: Bottom) -> Iterator[tuple[str, Part]]:
    """The row's parts; under the left hand everything changes sides."""
    room = row_box(theme)
    yield "bottom/line", rule(Box(0, room.y - 1, room.wide, 1.2))
    keys = Box(Reach.MARGIN, room.y + _ROW_Y, room.wide - 2 * Reach.MARGIN, KEY[1])
    if theme.portrait:
        upper, keys = keys.top(_UPPER_HIGH), keys.moved(down=_UPPER_HIGH + Reach.GAP)
        parts = _in_portrait(theme, bottom, upper, keys)
    else:
        parts = _wide_row(theme, keys, bottom) if bottom.wide else _row(theme, bottom, keys)
    for name, part in parts:
        yield name, mirrored(part, room.wide) if theme.hand is Hand.LEFT else part


def wanted_wide(theme: Theme, key: Key) -> float:
    """As wide as the next tap's words want to be, within its limits."""
    words = max(
        text_wide(theme, key.label, _NEXT_CAPS),
        text_wide(theme, key.seen or key.second, Caps.DETAIL, Face.MEDIUM),
    )
    sign = _NEXT_SIGN + 10 if key.sign else 0.0
    return min(NEXT_WIDE[1], max(NEXT_WIDE[0], words + sign + 30))


def _row(theme: Theme, bottom: Bottom, room: Box) -> Iterator[tuple[str, Part]]:
    x = room.x
    for n, (key, key_wide) in enumerate(zip(bottom.keys, _wides(theme, bottom), strict=True)):
        yield f"bottom/{n}", key_cap(Box(x, room.y, key_wide, room.high), key)
        x += key_wide + Reach.GAP
    x += Reach.GAP
    right = room.right
    if bottom.next is not None:
        next_wide = min(wanted_wide(theme, bottom.next), right - x)
        place = Box(right - next_wide, room.y, next_wide, room.high)
        yield "bottom/next", next_key(place, bottom.next)
        right -= next_wide + 2 * Reach.GAP
    if bottom.message != Message():
        yield (
            "bottom/message",
            message_part(Box(x, room.y, right - x, room.high), bottom.message),
        )


def _wides(theme: Theme, bottom: Bottom) -> list[float]:
    """How wide the keys are; one with a long second line is wider where the room is free."""
    usual = [_key_wide(theme, key) for key in bottom.keys]
    if bottom.message != Message() or bottom.next is not None:
        return usual
    seconds = [text_wide(theme, key.second, Caps.DETAIL, Face.MEDIUM) for key in bottom.keys]
    wanted = [max(one, second + 12) for one, second in zip(usual, seconds, strict=True)]
    gaps = Reach.GAP * len(wanted) + 2 * Reach.MARGIN
    return wanted if sum(wanted) + gaps <= theme.wide_u else usual


def _key_wide(theme: Theme, key: Key) -> float:
    """Signs stand 84 u wide, more under a long word; a key of words alone needs more."""
    if not key.sign:
        return 120.0
    longest = max((text_wide(theme, word, Caps.BODY) for word in key.label.split()), default=0.0)
    return max(KEY[0], longest + _LEAST_SIDES)


def _own_keys(bottom: Bottom) -> int:
    """How many keys of a row of answers are the screen's own: the first, and Arbiter beside it."""
    return len(bottom.keys[:1]) + any(key.sign == "arbiter" for key in bottom.keys[1:2])


def _wide_row(theme: Theme, room: Box, bottom: Bottom) -> Iterator[tuple[str, Part]]:
    """Answers fill the row: the screen's own keys keep their places, answers share the rest."""
    own = _own_keys(bottom)
    rest = bottom.keys[own:]
    for n, key in enumerate(bottom.keys[:own]):
        wide = max(KEY[0], text_wide(theme, key.label, Caps.BODY) + _LEAST_SIDES)
        yield f"bottom/{n}", key_cap(room.left(wide), key)
        room = room.beside(wide + Reach.GAP)
    shares = [1.0] * len(rest) + ([1.32] if bottom.next is not None else [])
    if not shares:
        return
    boxes = room.columns(shares, gap=Reach.GAP)
    for n, (key, box) in enumerate(zip(rest, boxes, strict=False), start=own):
        yield f"bottom/{n}", key_cap(box, key, caps=19)
    if bottom.next is not None:
        yield "bottom/next", next_key(boxes[-1], bottom.next)


def _in_portrait(
    theme: Theme, bottom: Bottom, upper: Box, lower: Box
) -> Iterator[tuple[str, Part]]:
    """Keys and next tap in the lower row; above them the message, and keys without room below."""
    if bottom.wide:
        yield from _wide_in_portrait(theme, bottom, upper, lower)
        return
    below = _fitting(theme, bottom, lower.wide)
    yield from _narrow_row(theme, bottom, below, lower)
    left = upper
    for n in reversed(range(below, len(bottom.keys))):
        key = bottom.keys[n]
        wide = _least_wide(theme, key)
        yield f"bottom/{n}", key_cap(Box(left.right - wide, left.y, wide, left.high), key)
        left = left.left(left.wide - wide - Reach.GAP)
    if bottom.message != Message():
        yield "bottom/message", message_part(left, bottom.message)


def _least_wide(theme: Theme, key: Key) -> float:
    """As narrow as a key's own words allow."""
    if not key.sign:
        return _LEAST_WORDS
    label = text_wide(theme, key.label, Caps.DETAIL)
    second = text_wide(theme, key.second, Caps.DETAIL, Face.MEDIUM)
    return min(KEY[0], max(_LEAST_SIGN, label + 6, second + 8))


def _fitting(theme: Theme, bottom: Bottom, wide: float) -> int:
    """How many of the keys stand beside the next tap, each as narrow as may be.

    The usual ones stay where they are; for others the next tap is not made narrower than its words.
    """
    next_wide = [_LEAST_NEXT, wanted_wide(theme, bottom.next)] if bottom.next is not None else []
    taken = 0.0
    for n, key in enumerate(bottom.keys):
        taken += _least_wide(theme, key) + Reach.GAP
        beside = next_wide[n >= _USUAL_KEYS] + 2 * Reach.GAP if next_wide else 0.0
        if taken > wide + Reach.GAP - beside + 0.01:
            return n
    return len(bottom.keys)


def _narrow_row(theme: Theme, bottom: Bottom, number: int, room: Box) -> Iterator[tuple[str, Part]]:
    """The first keys as wide as the next tap leaves room for, none wider than in landscape."""
    keys = bottom.keys[:number]
    least = sum(_least_wide(theme, key) + Reach.GAP for key in keys)
    next_wide = 0.0
    if bottom.next is not None:
        next_wide = min(wanted_wide(theme, bottom.next), room.wide - least - Reach.GAP)
        place = Box(room.right - next_wide, room.y, next_wide, room.high)
        yield "bottom/next", next_key(place, bottom.next)
        next_wide += Reach.GAP
    wides = _wides(theme, bottom)
    spare = (room.wide - next_wide - least) / max(1, number)
    x = room.x
    for n, key in enumerate(keys):
        wide = min(wides[n], _least_wide(theme, key) + spare)
        yield f"bottom/{n}", key_cap(Box(x, room.y, wide, room.high), key)
        x += wide + Reach.GAP


def _wide_in_portrait(
    theme: Theme, bottom: Bottom, upper: Box, lower: Box
) -> Iterator[tuple[str, Part]]:
    """Answers in one row, or where they are more than three in two; the next tap stays below.

    All of them stand above where Arbiter takes room beside it.
    """
    own = _own_keys(bottom)
    first, rest = bottom.keys[:own], bottom.keys[own:]
    above = len(rest) if own > 1 else _above(theme, bottom, lower.wide)
    for n, (box, key) in enumerate(
        zip(upper.columns([1.0] * max(1, above), gap=Reach.GAP), rest[:above], strict=False), own
    ):
        yield f"bottom/{n}", key_cap(box, key, caps=19)
    below = replace(bottom, keys=(*first, *rest[above:]))
    for name, part in _wide_row(theme, lower, below):
        _, _, at = name.partition("/")
        moved = at.isdigit() and int(at) >= own
        yield (f"bottom/{int(at) + above}" if moved else name), part


def _above(theme: Theme, bottom: Bottom, wide: float) -> int:
    """How many of the answers stand above the row where Undo alone is beside them."""
    rest = bottom.keys[1:]
    number = len(rest) + (bottom.next is not None)
    each = (wide - KEY[0]) / max(1, number) - 2 * Reach.GAP
    long = any(text_wide(theme, key.label, Caps.DETAIL) > each for key in rest)
    return (len(rest) + 1) // 2 if number > _ONE_ROW or long else 0


_LEAST_SIDES = 14.0
"""What a long word leaves of its key at both sides together."""
_ONE_ROW = 3
"""Answers that stand beside one another in portrait."""


def next_key(box: Box, key: Key) -> KeyCap:
    """The next tap: larger words, deaf just after it has changed its meaning."""
    return key_cap(box, key, caps=_NEXT_CAPS, primary=True, sign_side=_NEXT_SIGN)


def mirrored(part: Part, wide: float) -> Part:
    """A part put on the other side of a window of this width, u."""
    box = part.box
    return replace(part, box=Box(wide - box.right, box.y, box.wide, box.high))
