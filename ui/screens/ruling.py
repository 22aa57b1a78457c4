"""The ruling: what hands do, the map, and why, in step order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.presenters.ruling import RulingState
from ui.scene.theme import Colour, Reach
from ui.scene.values import Key
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.shape import Stroke, rounded
from ui.widgets.sheet import first_part
from ui.widgets.words import STEP_WIDE, RulingPart

_BAND_HIGH = 158.0
_MAP_WIDE = 322.0
_NARROW_MAP_WIDE = 246.0
_WHY_WIDE = 100.0
_MOST_HIGH = 77.0
_TURN_WIDE = 60.0

NO_KEY = Key("", None)
"""In a line's part: its key is a part of its own."""


@dataclass(frozen=True, kw_only=True)
class ObjectionEdge(Part):
    """The edge that shrinks while an objection is still possible."""

    share: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        outline = rounded((self.box.wide, self.box.high), Reach.BAND_RADIUS, inset=2)
        path = first_part([*outline, outline[0]], self.share)
        frame = (self.box.wide, self.box.high)
        pen.shapes(self.box, (Stroke(tuple(path), 3),), frame, Colour.WARN_LINE)


def layout(state: RulingState, page: Page) -> Parts:
    """The band over map and rulings; a refusal takes the band's place."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
        if state.objection is not None:
            yield "objection", ObjectionEdge(box=band, share=round(state.objection, 2))
    below = body.below(_BAND_HIGH + 8)
    map_wide = _map_wide(state, page)
    shown, lines = page.sides(below, map_wide + (page.wide - 800) * 0.6)
    yield from board_map(shown, state.map, titled=False)
    yield from _lines(state, page, lines)
    yield from page.around(state.frame)


def _map_wide(state: RulingState, page: Page) -> float:
    """The map makes room where a ruling is too long for one line."""
    room = page.body.wide - _MAP_WIDE - 12 - _WHY_WIDE - STEP_WIDE - 40
    words = [text for line in state.lines for text in (line.first, line.second)]
    longest = max((text_wide(page.theme, text, 14) for text in words), default=0.0)
    if state.pages > 1:
        return _NARROW_MAP_WIDE - 30  # the keys that turn pages need their room too
    return _MAP_WIDE if longest <= room else _NARROW_MAP_WIDE


def _lines(state: RulingState, page: Page, room: Box) -> Parts:
    """A page of three; fewer stand higher, so that long ones have room."""
    wide = room.wide
    if state.pages > 1:
        wide -= _TURN_WIDE + 8
        column = Box(room.right - _TURN_WIDE, room.y, _TURN_WIDE, room.high)
        yield from page.turning(column, state.page, state.pages)
    lines = state.lines[:3]
    stepped = any(line.step for line in lines)
    boxes = stacked(Box(room.x, room.y, wide, room.high), len(lines), high=_MOST_HIGH, gap=2)
    for n, (box, line) in enumerate(zip(boxes, lines, strict=True)):
        text = box.left(box.wide - _WHY_WIDE - 4)
        bare = replace(line, why=NO_KEY)
        yield f"line/{n}", RulingPart(box=text, line=bare, stepped=stepped)
        why = Box(box.right - _WHY_WIDE, box.y, _WHY_WIDE, box.high)
        yield f"why/{n}", key_cap(why, line.why, caps=16)


if __name__ == "__main__":
    raise SystemExit(main("ruling"))
