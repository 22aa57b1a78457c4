"""Table check: the camera's picture with what was recognised, and a line a part."""

from __future__ import annotations

from collections.abc import Sequence

from ui.presenters.table_check import TableCheckState
from ui.scene.values import Line
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.picture import PicturePart
from ui.widgets.words import LinePart

_BAND_HIGH = 76.0
_PICTURE_WIDE = 392.0
_LINE_HIGH, _GAP, _CLOSE = 46.0, 2.0, 0.5
_KEY_WIDE, _KEY_HIGH = 124.0, 52.0


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
    yield from _listed(state.lines[:5], lines)
    yield from page.around(state.frame)


def _listed(lines: Sequence[Line], room: Box) -> Parts:
    """A line a part, the worst first; the last may have a key, which a finger must find."""
    keyed = bool(lines) and lines[-1].key is not None
    boxes = stacked(room, len(lines), high=_LINE_HIGH, gap=_CLOSE if keyed else _GAP)
    for n, (box, line) in enumerate(zip(boxes, lines, strict=True)):
        if line.key is None:
            yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, worst=n == 0)
            continue
        row = Box(box.x, box.y, box.wide, _KEY_HIGH)
        told = row.left(row.wide - _KEY_WIDE - 6)
        yield f"line/{n}", LinePart(box=told, line=line, ground=n % 2 == 0, worst=n == 0)
        cap = Box(row.right - _KEY_WIDE, row.y, _KEY_WIDE, row.high)
        yield f"line/{n}/key", key_cap(cap, line.key)


if __name__ == "__main__":
    raise SystemExit(main("table_check"))
