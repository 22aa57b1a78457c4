"""Table and record differ: what is seen, where the record has it, and the likeliest causes."""

from __future__ import annotations

from ui.presenters.differ import DifferState
from ui.scene.theme import Caps, Colour
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.board_map import board_map
from ui.widgets.key import BandPart, key_cap
from ui.widgets.words import Words

_BAND_HIGH = 112.0
_CAUSES_WIDE = 300.0


def layout(state: DifferState, page: Page) -> Parts:
    """Band, map, causes; the answers fill the bottom row."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
    below = body.below(_BAND_HIGH + 6)
    shown, causes = page.sides(below, body.wide - _CAUSES_WIDE - 12)
    yield from board_map(shown, state.map)
    yield (
        "causes",
        Words(box=causes.top(24), text="LIKELIEST CAUSES", caps=Caps.DETAIL, tint=Colour.INK2),
    )
    for n, (box, key) in enumerate(
        zip(stacked(causes.below(26), len(state.causes[:3]), high=56), state.causes, strict=False)
    ):
        yield f"cause/{n}", key_cap(box, key, caps=16, align="left")
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("differ"))
