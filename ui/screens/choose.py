"""Choose: one of several options, as places on the map or as keys."""

from __future__ import annotations

from ui.presenters.choose import ChooseState
from ui.screens.menu import Menu
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.board_map import board_map
from ui.widgets.key import BandPart
from ui.widgets.teams import pad, too_many

_BAND_HIGH = 84.0
_NOTED_HIGH = 106.0


def layout(state: ChooseState, page: Page) -> Parts:
    """Who is asked over the places, the keys, or both side by side."""
    body = page.body
    high = _NOTED_HIGH if state.band.note else _BAND_HIGH
    band = body.top(high)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
    room = body.below(high + 6)
    if too_many(state.groups, room):
        yield from Menu(state.groups, page.theme).parts(room, state.page, page)
    elif state.map is None:
        few = sum(len(group.keys) for group in state.groups) <= 4
        yield from pad(room, state.groups, caps=34 if few else 20, most_high=140)
    elif not state.groups:
        yield from board_map(room, state.map)
    else:
        keys, shown = page.sides(room, room.wide * 0.55)
        yield from pad(keys, state.groups, caps=18, most_high=96)
        yield from board_map(shown, state.map)
    yield from page.around(state.frame)


if __name__ == "__main__":
    raise SystemExit(main("choose"))
