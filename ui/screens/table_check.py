"""Table check: the camera's picture with what was recognised, and a line a part."""

from __future__ import annotations

from ui.presenters.table_check import TableCheckState
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.band import BandPart
from ui.widgets.lines import LinePart
from ui.widgets.picture import PicturePart

_BAND_HIGH = 76.0
_PICTURE_WIDE = 392.0


def layout(state: TableCheckState, page: Page) -> Parts:
    """The deed for the worst line over picture and lines."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=True)
    below = body.below(_BAND_HIGH + 8)
    shown, lines = page.sides(below, _PICTURE_WIDE + (page.wide - 800) * 0.5)
    yield "picture", PicturePart(box=shown, slot="camera", picture=state.picture)
    for n, (box, line) in enumerate(
        zip(stacked(lines, len(state.lines[:5]), high=46, gap=2), state.lines, strict=False)
    ):
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, worst=n == 0)
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("table_check"))
