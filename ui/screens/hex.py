"""The field: map, players, who is asked, and the one pad that the question needs."""

from __future__ import annotations

from dataclasses import replace

from ui.presenters.hex import HexState
from ui.presenters.hex_poses import PosePad
from ui.scene.theme import Reach
from ui.scene.values import Band
from ui.screens import dice
from ui.screens.menu import MOST_KEY_HIGH, Menu
from ui.screens.page import Page, Parts
from ui.screens.panels import STRIP_HIGH, panels, stacked_panels, strips
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.dice import GunsightPart
from ui.widgets.field_keys import NotedBand, narrow_refusal
from ui.widgets.field_map import HeadingPart, hex_map
from ui.widgets.key import BandPart, key_cap
from ui.widgets.words import turned_part

_MAP_WIDE = 304.0
_LARGE_MAP_WIDE = 484.0
_SMALL_MAP_WIDE = 250.0
_BAND_HIGH = 96.0
_TALL_BAND = 156.0
_GUNSIGHT_HIGH = 80.0
_GAP = 6.0
_MENU_BAND = 64.0
_MENU_REFUSAL = 128.0
"""Of a word or a refusal, which has two sentences and its rules to say."""
_STILL_FREE = 84.0


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
    shown, beside = _beside(state, page, _MAP_WIDE)
    yield from hex_map(shown, state.map) if state.map.boards else ()
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


def _beside(state: HexState, page: Page, wide: float) -> tuple[Box, Box]:
    """The map's room and the rest; all is the rest where no board is played on."""
    if state.map.boards:
        return page.sides(page.body, wide)
    return page.body.left(0), page.body


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
    high = _MENU_BAND if state.frame.refusal is None else _MENU_REFUSAL
    band = Box(beside.x, beside.bottom - high, beside.wide, high)
    yield from _band(state, page, band)
    room = beside.top(beside.high - high - _GAP)
    menu = Menu(state.menu, page.theme)
    rows = menu.paged(room)
    used = len(rows[0]) * (MOST_KEY_HIGH + _GAP)
    if not state.map.boards:
        yield from stacked_panels(shown, state.panels)
    elif len(rows) == 1 and room.high - used >= _STILL_FREE:
        yield from hex_map(shown, state.map)
        yield from panels(room.below(used), state.panels)
    else:
        lines = STRIP_HIGH * len(state.panels) + 4
        yield from hex_map(shown.top(shown.high - lines), state.map)
        yield from strips(shown.below(shown.high - lines), state.panels)
    yield from menu.parts(room, state.page, page)
    yield from page.around(state.frame)


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
    high = max(Reach.TARGET[1], min(110.0, (room.high - _GAP * (rows - 1)) / rows))
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
        yield "refusal", narrow_refusal(box, refusal)
        return
    high = Reach.TARGET[1]
    yield "refusal", narrow_refusal(box.top(box.high - high - 4), refusal)
    yield "refusal/key", key_cap(box.below(box.high - high), refusal.key)


if __name__ == "__main__":
    raise SystemExit(main("hex"))
