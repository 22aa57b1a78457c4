"""The hex board: map, fighters, who is asked, and the one pad that the question needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ui.presenters.common import Bottom, PadGroup
from ui.presenters.hex import HexState
from ui.presenters.hex_poses import PosePad
from ui.screens import dice
from ui.screens.page import Page, Parts
from ui.screens.panels import panels, stacked_panels, strips
from ui.screens.shown import main
from ui.theme import Colour, Face, Reach, Theme
from ui.widgets.band import BandPart
from ui.widgets.bottom_row import KEY, TOP, wanted_wide
from ui.widgets.box import Box
from ui.widgets.dice import GunsightPart
from ui.widgets.hex_band import NarrowRefusal, NotedBand
from ui.widgets.hex_headings import HeadingPart
from ui.widgets.hex_map import hex_map
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.words import Words, turned_part

_MAP_WIDE = 304.0
_LARGE_MAP_WIDE = 484.0
_BAND_HIGH = 96.0
_TALL_BAND = 156.0
_GUNSIGHT_HIGH = 80.0
_GAP = 6.0
_LABEL_WIDE = 84.0
_KEY_HIGH = (Reach.TARGET[1], 84.0)
_TURN_WIDE = 58.0
_MOST_COLUMNS = 6


def layout(state: HexState, page: Page) -> Parts:
    """Everything, turned as a whole where it faces the far side."""
    parts = _poses(state, state.poses, page) if state.poses is not None else _usual(state, page)
    for name, part in parts:
        yield name, turned_part(part, page.wide) if state.turned else part


# --- the board, and beside it what is asked ---


def _usual(state: HexState, page: Page) -> Parts:
    shown, beside = page.sides(page.body, _MAP_WIDE)
    yield from hex_map(shown, state.map, notes=state.notes)
    band = Box(beside.x, beside.bottom - _BAND_HIGH, beside.wide, _BAND_HIGH)
    yield from _band(state, page, band)
    room = beside.top(beside.high - _BAND_HIGH - _GAP)
    if state.menu:
        yield from _menu(state, page, room)
        yield from _with_strips(state, page)
        return
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
    else:
        yield "band", NotedBand(box=box, band=state.band)


def _with_strips(state: HexState, page: Page) -> Parts:
    """Piles and tokens stand where the message was: the body is wanted for keys."""
    frame = state.frame
    bare = replace(frame, bottom=Bottom(frame.bottom.keys, next=frame.bottom.next))
    yield from page.around(bare)
    x = Reach.MARGIN + len(frame.bottom.keys) * (KEY[0] + Reach.GAP) + Reach.GAP
    right = page.wide - Reach.MARGIN
    if frame.bottom.next is not None:
        right -= min(wanted_wide(page.theme, frame.bottom.next), right - x) + 2 * Reach.GAP
    if right - x < 150:
        return
    room = Box(x, TOP + 8, min(right - x, 300.0), KEY[1])
    if page.theme.hand == "left":
        room = Box(page.wide - room.right, room.y, room.wide, room.high)
    yield from strips(room, state.panels)


# --- menus ---


def _menu(state: HexState, page: Page, room: Box) -> Parts:
    """Rows of keys under their groups' names; pages only where they must be."""
    rows = _rows(state.menu, room.wide, page.theme)
    most = int((room.high + _GAP) // (_KEY_HIGH[0] + _GAP))
    pages = max(1, -(-len(rows) // most))
    if pages > 1:
        column = Box(room.right - _TURN_WIDE, room.y, _TURN_WIDE, room.high)
        room = room.left(room.wide - _TURN_WIDE - _GAP)
        rows = _rows(state.menu, room.wide, page.theme)
        pages = -(-len(rows) // most)
        yield from page.turning(column, min(state.page, pages - 1) + 1, pages)
    at = min(state.page, pages - 1)
    shown = rows[at * most : (at + 1) * most]
    high = min(_KEY_HIGH[1], (room.high - _GAP * (len(shown) - 1)) / len(shown))
    for n, row in enumerate(shown):
        yield from _row(Box(room.x, room.y + n * (high + _GAP), room.wide, high), row, n)


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
        (text_wide(theme, word, 15) for pad in group.keys for word in _words(pad.key.label)),
        default=0.0,
    )
    seconds = (text_wide(theme, pad.key.second, 14, Face.MEDIUM) for pad in group.keys)
    widest = max(widest, *seconds, 40.0)
    fitting = int((room + _GAP) // (widest + 14 + _GAP))
    wanted = min(max(1, fitting), _MOST_COLUMNS, len(group.keys))
    rows = -(-len(group.keys) // wanted)
    return -(-len(group.keys) // rows)


def _words(label: str) -> list[str]:
    """A label's words; up to two of them stand on a line each."""
    words = label.split()
    return words if len(words) <= 2 else [" ".join(words[: len(words) // 2]),
                                          " ".join(words[len(words) // 2 :])]  # fmt: skip


def _row(box: Box, row: PadGroup, n: int) -> Parts:
    room = box
    if row.sign:
        if row.title:
            title = Box(box.x + 2, box.y, _LABEL_WIDE - 8, box.high)
            yield (
                f"menu/{n}",
                Words(box=title, text=row.title.upper(), caps=15, tint=Colour.INK2, face=Face.BOLD),
            )
        room = box.beside(_LABEL_WIDE)
    for place, pad in zip(room.columns([1] * int(row.note), gap=_GAP), row.keys, strict=False):
        caps = 26.0 if len(pad.key.label) <= 3 else 17.0
        yield f"menu/{n}/{pad.column}", key_cap(place, pad.key, caps=caps, sign_side=34.0)


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
    rows = max(2, 1 + max(heading.row for heading in pad.headings))
    lines = room.rows([1] * rows, gap=_GAP)
    for n, heading in enumerate(pad.headings):
        place = lines[heading.row].columns([1] * 3, gap=_GAP)[heading.column]
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
