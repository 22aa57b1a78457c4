"""An open challenge: a band across the screen, the kept stills, and what was told last."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.challenge import ChallengeState
from ui.scene.theme import Caps, Colour, Reach
from ui.scene.values import Band
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.picture import PicturePart
from ui.widgets.teams import draw_emblem
from ui.widgets.words import LinePart

_BAND_HIGH = 128.0
_PICTURE_WIDE = 300.0
_LINE_HIGH = 60.0
_SIGN = 84.0


@dataclass(frozen=True, kw_only=True)
class CallPart(Part):
    """The loudest band there is: inverted, a sign as high as both lines, and whose call it is."""

    band: Band

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO, Reach.BAND_RADIUS)
        room = self.box.inset(16, 14)
        pen.sign("hand", Box(room.x, room.y, _SIGN, room.high).square(_SIGN), Colour.GO_INK)
        if self.band.side is not None:
            plate = Box(room.right - _SIGN, room.y, _SIGN, room.high).square(_SIGN)
            pen.fill(plate.grown(8), Colour.BG, Reach.RADIUS)
            draw_emblem(pen, self.band.side, plate)
            room = room.left(room.wide - _SIGN - 22)
        rows = room.beside(_SIGN + 16).rows([1] * len(self.band.lines), gap=14)
        for row, line, caps in zip(rows, self.band.lines, (Caps.HANDS, 34.0), strict=False):
            pen.text(line, row, min(caps, row.high), Colour.GO_INK)


def layout(state: ChallengeState, page: Page) -> Parts:
    """The band over stills and lines; a refusal stands between them."""
    body = page.body
    yield "call", CallPart(box=body.top(_BAND_HIGH), band=state.band)
    body = body.below(_BAND_HIGH + 8)
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    if state.picture is not None:
        shown, body = page.sides(body, _PICTURE_WIDE + (page.wide - 800) * 0.6)
        yield "picture", PicturePart(box=shown, slot="evidence", picture=state.picture)
    fitting = int((body.high + 4) // (Reach.TARGET[1] + 4))
    lines = state.lines[:fitting]
    for n, (box, line) in enumerate(
        zip(stacked(body, len(lines), high=_LINE_HIGH, gap=4), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("challenge"))
