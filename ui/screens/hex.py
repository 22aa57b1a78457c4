"""The hex board: map, fighters, who is asked, and the one pad that the question needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ui.presenters.common import Band, PadGroup
from ui.presenters.hex import HexState
from ui.presenters.hex_poses import PosePad
from ui.screens import dice
from ui.screens.page import Page, Parts
from ui.screens.panels import STRIP_HIGH, panels, stacked_panels, strips
from ui.screens.shown import main
from ui.theme import Caps, Colour, Face, Reach, Theme
from ui.widgets.band import BandPart
from ui.widgets.box import Box
from ui.widgets.dice import GunsightPart
from ui.widgets.hex_band import NarrowRefusal, NotedBand
from ui.widgets.hex_headings import HeadingPart
from ui.widgets.hex_map import hex_map
from ui.widgets.hex_menu_key import MenuKey
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.signs import SIGNS
from ui.widgets.words import Words, turned_part

_MAP_WIDE = 304.0
_LARGE_MAP_WIDE = 484.0
_SMALL_MAP_WIDE = 250.0
_BAND_HIGH = 96.0
_TALL_BAND = 156.0
_GUNSIGHT_HIGH = 80.0
_GAP = 6.0
_LABEL_WIDE = 90.0
_MENU_BAND = 64.0
_MOST_KEY_HIGH = 84.0
_THREE_LINES_HIGH = 59.0
_STILL_FREE = 84.0
_TURN_WIDE = 58.0
_MOST_COLUMNS = 6


def layout(state: HexState, page: Page) -> Parts:
    """Everything, turned as a whole where it faces the far side."""
    parts = _poses(state, state.poses, page) if state.poses is not None else _usual(state, page)
    for name, part in parts:
        if state.turned:
            yield f"turned/{name}", turned_part(part, page.wide)
        else:
            yield name, part


# --- the board, and beside it what is asked ---


def _usual(state: HexState, page: Page) -> Parts:
    if state.menu:
        yield from _with_menu(state, page)
        return
    shown, beside = page.sides(page.body, _MAP_WIDE)
    yield from hex_map(shown, state.map)
    high = _BAND_HIGH if state.pad is not None or state.gunsight is not None else _TALL_BAND
    band = Box(beside.x, beside.bottom - high, beside.wide, high)
    yield from _band(state, page, band)
    room = beside.top(beside.high - high - _GAP)
    if state.pad is not None:
        pad = Box(room.x, room.bottom - dice.HIGH, room.wide, dice.HIGH)
        yield from dice.dice_pad(pad, state.pad)
        room = room.top(room.high - dice.HIGH - _GAP)
    elif state.gunsight is not None:
        box = Box(room.x, room.bottom - _GUNSIGHT_HIGH, room.wide, _GUNSIGHT_HIGH)
        yield "gunsight", GunsightPart(box=box, gunsight=state.gunsight)
        room = room.top(room.high - _GUNSIGHT_HIGH - _GAP)
    yield from panels(room, state.panels)
    yield from page.around(state.frame)


def _band(state: HexState, page: Page, box: Box) -> Parts:
    if state.frame.refusal is not None:
        yield from page.refusal(box, state.frame.refusal)
    elif state.menu:
        yield "band", BandPart(box=box, band=replace(_on_one_line(state.band), note=""), caps=48)
    elif box.high < _TALL_BAND:
        yield "band", NotedBand(box=box, band=_on_one_line(state.band))
    else:
        yield "band", NotedBand(box=box, band=state.band)


def _on_one_line(band: Band) -> Band:
    """Who and what beside each other, where one above the other has no room."""
    return replace(band, lines=(": ".join(band.lines),))


# --- menus ---


def _with_menu(state: HexState, page: Page) -> Parts:
    """Large keys beside a smaller map; panels where the keys leave them room."""
    shown, beside = page.sides(page.body, _SMALL_MAP_WIDE)
    band = Box(beside.x, beside.bottom - _MENU_BAND, beside.wide, _MENU_BAND)
    yield from _band(state, page, band)
    room = beside.top(beside.high - _MENU_BAND - _GAP)
    rows = _paged(state.menu, room, page.theme)
    used = len(rows[0]) * (_MOST_KEY_HIGH + _GAP)
    if len(rows) == 1 and room.high - used >= _STILL_FREE:
        yield from hex_map(shown, state.map)
        yield from panels(room.below(used), state.panels)
    else:
        lines = STRIP_HIGH * len(state.panels) + 4
        yield from hex_map(shown.top(shown.high - lines), state.map)
        yield from strips(shown.below(shown.high - lines), state.panels)
    yield from _menu(state, page, room)
    yield from page.around(state.frame)


def _menu(state: HexState, page: Page, room: Box) -> Parts:
    """Rows of keys under their groups' names; pages only where they must be."""
    pages = _paged(state.menu, room, page.theme)
    if len(pages) > 1:
        column = Box(room.right - _TURN_WIDE, room.y, _TURN_WIDE, room.high)
        room = room.left(room.wide - _TURN_WIDE - _GAP)
        pages = _paged(state.menu, room, page.theme)
        yield from page.turning(column, min(state.page, len(pages) - 1) + 1, len(pages))
    rows = pages[min(state.page, len(pages) - 1)]
    high = min(_MOST_KEY_HIGH, (room.high - _GAP * (len(rows) - 1)) / len(rows))
    for n, row in enumerate(rows):
        yield from _row(Box(room.x, room.y + n * (high + _GAP), room.wide, high), row, n)


def _paged(groups: Sequence[PadGroup], room: Box, theme: Theme) -> list[list[PadGroup]]:
    """Rows in pages of as many as the room holds; keys of a page are alike in height."""
    pages: list[list[PadGroup]] = [[]]
    for row in _rows(groups, room.wide, theme):
        page = [*pages[-1], row]
        least = max(_least_high(each, room.wide, theme) for each in page)
        if pages[-1] and len(page) * (least + _GAP) - _GAP > room.high + 0.1:
            pages.append([row])
        else:
            pages[-1] = page
    return pages


def _least_high(row: PadGroup, wide: float, theme: Theme) -> float:
    """Higher where a key has two lines of words and a second line below."""
    columns = int(row.note)
    room = (wide - (_LABEL_WIDE if row.sign else 0.0) - _GAP * (columns - 1)) / columns - 10
    three = any(
        pad.key.second and text_wide(theme, pad.key.label, Caps.DETAIL) > room for pad in row.keys
    )
    return _THREE_LINES_HIGH if three else Reach.TARGET[1]


def _rows(groups: Sequence[PadGroup], wide: float, theme: Theme) -> list[PadGroup]:
    """Groups broken into rows of as many keys as their words leave room for."""
    rows: list[PadGroup] = []
    for group in groups:
        columns = _columns(group, wide, theme)
        for start in range(0, len(group.keys), columns):
            keys = group.keys[start : start + columns]
            title = group.title if start == 0 else ""
            rows.append(PadGroup(title, str(columns), keys, sign="group" if group.title else ""))
    return rows


def _columns(group: PadGroup, wide: float, theme: Theme) -> int:
    """How many keys stand side by side so that every word of them is whole."""
    room = wide - (_LABEL_WIDE if group.title else 0.0)
    widest = max(
        (text_wide(theme, word, 14) for pad in group.keys for word in _words(pad.key.label)),
        default=0.0,
    )
    seconds = (text_wide(theme, pad.key.second, 14, Face.MEDIUM) for pad in group.keys)
    signs = 46.0 if any(pad.key.sign in SIGNS for pad in group.keys) else 0.0
    widest = max(widest, *seconds, 40.0) + signs
    fitting = int((room + _GAP) // (widest + 12 + _GAP))
    wanted = min(max(1, fitting), _MOST_COLUMNS, len(group.keys))
    rows = -(-len(group.keys) // wanted)
    return -(-len(group.keys) // rows)


def _words(label: str) -> list[str]:
    """A label's words; up to two of them stand on a line each."""
    words = label.split()
    if len(words) <= 2:
        return words
    ways = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return list(min(ways, key=lambda lines: max(map(len, lines))))


def _row(box: Box, row: PadGroup, n: int) -> Parts:
    room = box
    if row.sign:
        if row.title:
            title = Box(box.x + 2, box.y, _LABEL_WIDE - 7, box.high)
            yield f"menu/{n}", Words(box=title, text=row.title, caps=15, tint=Colour.INK2)
        room = box.beside(_LABEL_WIDE)
    for place, pad in zip(room.columns([1] * int(row.note), gap=_GAP), row.keys, strict=False):
        caps = 28.0 if len(pad.key.label) <= 3 else 18.0
        name = f"menu/{n}/{pad.column}"
        yield name, MenuKey(box=place, key=pad.key, caps=caps, action=pad.key.action)


# --- where a plane may end ---


def _poses(state: HexState, pad: PosePad, page: Page) -> Parts:
    """The board enlarged to a finger's size; beside it who is asked, and the headings."""
    shown, beside = page.sides(page.body, _LARGE_MAP_WIDE)
    yield from hex_map(shown, state.map, poses=pad)
    band = Box(beside.x, beside.bottom - _TALL_BAND, beside.wide, _TALL_BAND)
    yield from _tall_band(state, band)
    room = beside.top(beside.high - _TALL_BAND - _GAP)
    if pad.headings:
        yield from _rosette(room, pad)
    else:
        yield from stacked_panels(room, state.panels)
    yield from page.around(state.frame, pages=(pad.page, pad.pages))


def _rosette(room: Box, pad: PosePad) -> Parts:
    """Headings where they point: two rows of three."""
    top = min(heading.row for heading in pad.headings)
    rows = 1 + max(heading.row for heading in pad.headings) - top
    high = min(110.0, (room.high - _GAP * (rows - 1)) / rows)
    lines = room.top(high * rows + _GAP * (rows - 1)).rows([1] * rows, gap=_GAP)
    for n, heading in enumerate(pad.headings):
        place = lines[heading.row - top].columns([1] * 3, gap=_GAP)[heading.column]
        yield (
            f"heading/{n}",
            HeadingPart(box=place, heading=heading, drawn=pad.drawn, action=heading.key.action),
        )


def _tall_band(state: HexState, box: Box) -> Parts:
    refusal = state.frame.refusal
    if refusal is None:
        part = NotedBand if state.band.note else BandPart
        yield "band", part(box=box, band=state.band)
        return
    if refusal.key is None:
        yield "refusal", NarrowRefusal(box=box, refusal=refusal)
        return
    high = Reach.TARGET[1]
    yield "refusal", NarrowRefusal(box=box.top(box.high - high - 4), refusal=refusal)
    yield "refusal/key", key_cap(box.below(box.high - high), refusal.key)


if __name__ == "__main__":
    raise SystemExit(main("hex"))
