"""Teach tokens: what to show next over the camera's picture, and a line to touch for each token."""

from __future__ import annotations

from ui.presenters.teach import TeachState
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.key import BandPart
from ui.widgets.picture import PicturePart
from ui.widgets.words import LinePart

_BAND_HIGH = 76.0
_PICTURE_WIDE = 392.0
_LINE_HIGH, _GAP = 56.0, 4.0


def layout(state: TeachState, page: Page) -> Parts:
    """The deed, or why nothing was learned; the picture; tokens, each a target."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=True)
    below = body.below(_BAND_HIGH + 8)
    shown, lines = page.sides(below, _PICTURE_WIDE + (page.wide - 800) * 0.5)
    yield "picture", PicturePart(box=shown, slot="camera", picture=state.picture)
    boxes = stacked(lines, len(state.lines), high=_LINE_HIGH, gap=_GAP)
    for n, (box, line) in enumerate(zip(boxes, state.lines, strict=True)):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("teach"))
