"""The top bar: title plate with two rivets, where we are or a lost device, devices, sound, menu."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ui.presenters.actions import Panel, SetSetting, Show
from ui.presenters.common import Device, Key, Mark, Refusal, TopBar
from ui.theme import Caps, Colour, Face
from ui.widgets.box import Box
from ui.widgets.key import short_cites
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import rule

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
