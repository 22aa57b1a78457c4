"""A rule's text, one tap from the ruling that cites it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.rules import RuleParagraph, RulesState
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.theme import Colour, Face, Reach
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen


@dataclass(frozen=True, kw_only=True)
class Paragraph(Part):
    """Id, heading, text, and the option that turns it as this match is played."""

    paragraph: RuleParagraph

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 9)
        head = room.top(20)
        ink = pen.text(self.paragraph.rule, head, 17, Colour.INK2)
        rest = head.beside(ink.wide + 14)
        if self.paragraph.switch:
            wide = min(rest.wide * 0.5, pen.width(self.paragraph.switch, 15) + 8)
            at = Box(rest.right - wide, rest.y, wide, rest.high)
            pen.text(self.paragraph.switch, at, 15, Colour.INK2, face=Face.MEDIUM, align="right")
            rest = rest.left(rest.wide - wide - 10)
        pen.text(self.paragraph.heading, rest, 17)
        text = room.below(28)
        pen.text(
            self.paragraph.text, text, 18, face=Face.MEDIUM, across="top",
            lines=max(1, int((text.high + 10) // 22)),
        )  # fmt: skip


def layout(state: RulesState, page: Page) -> Parts:
    """The paragraphs share the body by the length of their texts."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(76), state.frame.refusal)
        body = body.below(84)
    if state.paragraphs:
        shares = [52 + _lines(paragraph.text) * 29.0 for paragraph in state.paragraphs]
        spare = body.high - sum(shares) - 6 * (len(shares) - 1)
        boxes = body.rows([*shares, max(0.01, spare)] if spare > 0 else shares, gap=6)
        for n, (box, paragraph) in enumerate(zip(boxes, state.paragraphs, strict=False)):
            yield f"rule/{n}", Paragraph(box=box, paragraph=paragraph)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _lines(text: str) -> int:
    """About how many lines a text takes at full size."""
    return sum(1 + len(paragraph) // 78 for paragraph in text.split("\n"))


if __name__ == "__main__":
    raise SystemExit(main("rules"))
