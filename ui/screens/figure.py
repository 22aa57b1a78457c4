"""One assumed figure: its spaces on the map, or keys for its numbers or its heading."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.figure import FigureState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal
from ui.widgets.field_map import hex_map
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import pad

_MAP_WIDE = 484.0
_REFUSAL_HIGH = 160.0


@dataclass(frozen=True, kw_only=True)
class FigureWords(Part):
    """What the figure is, over how it stands now."""

    label: str
    text: str
    cite: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        room = self.box.inset(14, 12)
        lines = min(3, pen.lines(self.label, 22, room.wide))
        first = room.top(lines_high(lines, 22))
        pen.text(self.label, first, 24, lines=lines)
        below = Box(room.x, first.bottom + 14, room.wide, room.bottom - first.bottom - 40)
        rows = min(4, pen.lines(self.text, 18, room.wide, Face.FIGURES))
        pen.text(self.text, below, 20, face=Face.FIGURES, lines=rows, across="top")
        cite = Box(room.x, room.bottom - 16, room.wide, 16)
        pen.text(self.cite, cite, 15, Colour.INK2, face=Face.MEDIUM)


def layout(state: FigureState, page: Page) -> Parts:
    """The map or the keys at one side, what they say at the other."""
    shown, beside = page.sides(page.body, _MAP_WIDE)
    if state.spaces is not None and state.map is not None:
        yield from hex_map(shown, state.map, poses=state.spaces)
    else:
        yield from pad(shown, state.groups, caps=20, most_high=72)
    words = beside
    if state.frame.refusal is not None:
        words = beside.top(beside.high - _REFUSAL_HIGH - 6)
        box = beside.below(beside.high - _REFUSAL_HIGH)
        yield "refusal", narrow_refusal(box, state.frame.refusal)
    yield "words", FigureWords(box=words, label=state.label, text=state.text, cite=state.cite)
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("figure"))
