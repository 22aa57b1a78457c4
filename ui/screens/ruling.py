"""The ruling: what hands do, the map, and why, in step order."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.ruling import RulingState
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.theme import Colour, Reach
from ui.widgets.band import BandPart
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.finger import first_part
from ui.widgets.key import key_cap
from ui.widgets.lines import RulingPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.raster import Stroke, rounded

_BAND_HIGH = 158.0
_MAP_WIDE = 322.0
_WHY_WIDE = 90.0
_LINE_HIGH = 51.0


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
    shown, lines = page.sides(below, _MAP_WIDE + (page.wide - 800) * 0.6)
    yield from board_map(shown, state.map, titled=False)
    yield from _lines(state, page, lines)
    yield from page.around(state.frame)


def _lines(state: RulingState, page: Page, room: Box) -> Parts:
    pages_wide = 0.0
    if state.pages > 1:
        pages_wide = 62.0
        column = Box(room.right - 54, room.y, 54, room.high)
        yield from page.turning(column, state.page, state.pages)
    for n, line in enumerate(state.lines[:3]):
        y = room.y + n * (_LINE_HIGH + 3)
        wide = room.wide - pages_wide
        text = Box(room.x, y, wide - _WHY_WIDE - 4, _LINE_HIGH)
        yield f"line/{n}", RulingPart(box=text, line=line)
        why = Box(room.x + wide - _WHY_WIDE, y, _WHY_WIDE, _LINE_HIGH)
        yield f"why/{n}", key_cap(why, line.why, caps=16)


if __name__ == "__main__":
    raise SystemExit(main("ruling"))
