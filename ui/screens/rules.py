"""Paragraphs of a book, one tap from whatever cites them."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.rules import RulesState
from ui.scene.books import RuleParagraph, lines_of
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high

_CAPS = 18.0


@dataclass(frozen=True, kw_only=True)
class Paragraph(Part):
    """Id, heading, text, and the option that turns it as this match is played."""

    paragraph: RuleParagraph

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.RADIUS)
        if self.action is not None:
            pen.edge(self.box, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        room = self.box.inset(14, 9)
        self._draw_head(pen, room.top(20))
        text = room.below(28)
        lines = max(1, int((text.high + 10) // 22))
        pen.text(self.paragraph.text, text, _CAPS, face=Face.MEDIUM, across="top", lines=lines)

    def _draw_head(self, pen: Pen, head: Box) -> None:
        if self.action is not None:
            pen.sign("right", Box(head.right - 18, head.y, 18, head.high).square(17), Colour.INK2)
            head = head.left(head.wide - 26)
        ink = pen.text(self.paragraph.rule, head, 17, Colour.INK2)
        rest = head.beside(ink.wide + 14)
        if self.paragraph.switch:
            wide = min(rest.wide * 0.5, pen.width(self.paragraph.switch, 15) + 8)
            at = Box(rest.right - wide, rest.y, wide, rest.high)
            pen.text(self.paragraph.switch, at, 15, Colour.INK2, face=Face.MEDIUM, align="right")
            rest = rest.left(rest.wide - wide - 10)
        pen.text(self.paragraph.heading, rest, 17)


def layout(state: RulesState, page: Page) -> Parts:
    """Each paragraph as high as its text; smaller where a refusal takes some of the room."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(76), state.frame.refusal)
        body = body.below(84)
    if state.paragraphs:
        for n, (box, one) in enumerate(zip(_boxes(state, body), state.paragraphs, strict=True)):
            action = one.chapter
            yield f"rule/{n}", Paragraph(box=box, paragraph=one, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _boxes(state: RulesState, body: Box) -> list[Box]:
    wanted = [46 + lines_high(lines_of(one.text), _CAPS) for one in state.paragraphs]
    gaps = 6.0 * (len(wanted) - 1)
    share = min(1.0, (body.high - gaps) / sum(wanted))
    boxes, y = list[Box](), body.y
    for high in wanted:
        boxes.append(Box(body.x, y, body.wide, high * share))
        y += high * share + 6
    return boxes


if __name__ == "__main__":
    raise SystemExit(main("rules"))
