"""Why: everything that a line of the log brought, each ruling whole and with its own paragraph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, Scene
from ui.scene.values import Key, RulingLine, ScreenFrame
from ui.screens.match.ruling import Sentences, ruled_line
from ui.screens.page import Page, Parts
from ui.touch.actions import Panel, Show

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class WhysState:
    """What was asked under which rule, then the rulings in the book's order; `page` of them."""

    frame: ScreenFrame
    lines: tuple[RulingLine, ...]
    page: int = 0


def present_whys(scene: Scene) -> WhysState | None:
    """Of the lines whose numbers the panel's part names; None once they brought nothing."""
    seqs = [int(seq) for seq in scene.view.part.split(",") if seq.isdecimal()]
    lines = (*_asked(scene, seqs), *_ruled(scene, seqs))
    if not lines:
        return None
    return WhysState(scene.frame("WHY", keys=(BACK,)), lines, scene.view.page)


def _asked(scene: Scene, seqs: Sequence[int]) -> list[RulingLine]:
    """The questions, each once: a form's often rest on one rule."""
    told = [scene.history.told[seq] for seq in seqs if seq in scene.history.told]
    lines = [(f"Asked: {scene.names.in_full(one.headline, one.by)}", str(one.cite)) for one in told]
    return [_line(words, cite) for words, cite in {cite: (w, cite) for w, cite in lines}.values()]


def _line(words: str, cite: str) -> RulingLine:
    return RulingLine("", words, "", Key("Why?", Show(Panel.RULES, cite), cite))


def _ruled(scene: Scene, seqs: Sequence[int]) -> list[RulingLine]:
    return [
        ruled_line(scene, ruling, lit=False)
        for seq, _, rulings in scene.match.ruled_by()
        if seq in seqs
        for ruling in rulings
    ]


def layout(state: WhysState, page: Page) -> Parts:
    """One under another, over the whole body; in pages where there are many."""
    sentences = Sentences(state.lines, page)
    yield from (sentences if sentences.fit(page.body) else sentences.broken(page.body)).parts(
        page.body, state.page
    )
    yield from page.around(state.frame)
