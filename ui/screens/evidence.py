"""The pictures kept with one line of the log: one large, beside it a line a picture."""

from __future__ import annotations

from ui.presenters.evidence import EvidenceState
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.picture import PicturePart
from ui.widgets.words import LinePart

_PICTURE_WIDE = 400.0
_LINE_HIGH = 60.0


def layout(state: EvidenceState, page: Page) -> Parts:
    """Picture at one side, lines at the other; a touched line shows its picture."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(76), state.frame.refusal)
        body = body.below(84)
    shown, lines = page.sides(body, _PICTURE_WIDE + (page.wide - 800) * 0.6)
    room = int((lines.high + 4) // (_LINE_HIGH + 4))
    yield "picture", PicturePart(box=shown, slot="evidence", picture=state.picture)
    for n, (box, line) in enumerate(
        zip(stacked(lines, min(room, len(state.lines)), high=_LINE_HIGH), state.lines, strict=False)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("evidence"))
