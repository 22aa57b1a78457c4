"""Settings: a row each, values as keys."""

from __future__ import annotations

from ui.presenters.settings import SettingsState
from ui.scene.values import Mark, Refusal
from ui.screens.choice_rows import choice_rows
from ui.screens.page import Page, Parts
from ui.screens.shown import main


def layout(state: SettingsState, page: Page) -> Parts:
    """Rows; above them what could not be read, if anything."""
    body = page.body
    refusal = state.frame.refusal
    if refusal is None and state.trouble:
        refusal = Refusal(state.trouble, "The built-in settings hold meanwhile.", "", "", Mark.WARN)
    rows = state.rows
    if refusal is not None:
        yield from page.refusal(body.top(96), refusal)
        body = body.below(104)
        rows = rows[:2]
    yield from choice_rows(body, rows, page.theme)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("settings"))
