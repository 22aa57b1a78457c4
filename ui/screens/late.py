"""A late card: its section before and after the buzzer, side by side, over the keys that decide."""

from __future__ import annotations

from ui.presenters.late_seen import LateState
from ui.scene.theme import Caps, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.key import BandPart
from ui.widgets.picture import PicturePart

_BAND_HIGH = 104.0


def layout(state: LateState, page: Page) -> Parts:
    """Time runs from left to right, for either hand."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    yield "band", BandPart(box=body.top(_BAND_HIGH), band=state.band, caps=Caps.HANDS)
    halves = body.below(_BAND_HIGH + 8).columns([1, 1], gap=Reach.GAP)
    for name, box, picture in zip(
        ("before", "after"), halves, (state.before, state.after), strict=True
    ):
        yield name, PicturePart(box=box, slot=f"late-{name}", picture=picture)
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("late"))
