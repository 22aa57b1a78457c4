"""Assumed figures: what a book lost, held against the table's own copy before its first match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.text import counted
from companion.games import find_rulebook
from ui.presenters.figure import FigureState, is_changed_here, plan_of, present_figure
from ui.scene.scene import BACK, page_keys, pages_of, quiet_frame, why_key
from ui.scene.values import Frame, Key, KeyLook, Mark, Message
from ui.touch.actions import ConfirmFigures, Panel, SetFigure, Show, TurnPage

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.kit.figures import AssumedFigure
    from ui.scene.scene import Situation
    from ui.touch.view import SetupDraft, View

ROWS_A_PAGE = 5


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure: what it is, where it belongs, what holds; keys where it is a whole number.

    `mark` is a tick once somebody has looked. Without keys it is changed in the table's own file.
    """

    label: str
    cite: str
    text: str
    mark: Mark = Mark.NONE
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class FiguresState:
    """A page of figures; the next tap confirms them all as they stand."""

    frame: Frame
    lead: str
    rows: tuple[FigureRow, ...]
    page: int = 1
    pages: int = 1


def listed_figures(situation: Situation, draft: SetupDraft) -> Sequence[AssumedFigure]:
    """The figures of the chosen box, as this table has read them so far."""
    figures = find_rulebook(draft.box).figures
    own = situation.own_figures.get(draft.box, {})
    return figures.listed(own) if figures is not None else ()


def waiting_figures(situation: Situation, draft: SetupDraft) -> int:
    """How many figures of the chosen box nobody at this table has looked at."""
    return sum(not figure.confirmed for figure in listed_figures(situation, draft))


def present_figures(situation: Situation, view: View) -> FiguresState | FigureState:
    """Every figure to hold against the real components; confirmed once the last page was seen.

    A part of the panel is one figure with a screen of its own.
    """
    figures = listed_figures(situation, view.setup)
    plan = plan_of(situation, view.setup.box)
    for figure in figures:
        if figure.name == view.part:
            return present_figure(situation, view, figure, plan)
    title = find_rulebook(view.setup.box).title
    shown, page, pages = pages_of(figures, view.page, ROWS_A_PAGE)
    left = sum(not figure.confirmed for figure in figures)
    confirm = _confirm_key(left, len(figures))
    cites = (str(figure.cite) for figure in shown)
    return FiguresState(
        frame=quiet_frame(
            situation,
            view,
            "CHECK THE BOX",
            title,
            keys=(BACK, *page_keys(page, pages), *why_key(view.setup.box, cites)),
            message=_message(situation, view.setup),
            next_key=confirm if page == pages else _page_key(page, pages),
        ),
        lead="Hold these against the board and the cards.",
        rows=tuple(_row(figure, plan) for figure in shown),
        page=page,
        pages=pages,
    )


def _message(situation: Situation, draft: SetupDraft) -> Message:
    """How a figure is put right, and whether something else is to be looked at."""
    rules = find_rulebook(draft.box).figures
    own = situation.own_figures.get(draft.box, {})
    notices = rules.notices(own) if rules is not None else ()
    said = f"{counted(len(notices), 'card')} to look at: told as the match begins."
    return Message(said if notices else "", "Wrong? Put it right here.")


def _page_key(page: int, pages: int) -> Key:
    """On to what was not looked at yet."""
    return Key(
        "These are right", TurnPage(1), f"then page {page + 1} of {pages}", "next", KeyLook.GO
    )


def _confirm_key(left: int, total: int) -> Key:
    if not left:
        return Key("Go on", ConfirmFigures(), f"all {total} are confirmed", "next", KeyLook.GO)
    return Key("All are right", ConfirmFigures(), f"{left} of {total} assumed", "tick", KeyLook.GO)


def _row(figure: AssumedFigure, plan: BoardPlan) -> FigureRow:
    mark = Mark.OK if figure.confirmed else Mark.ASK
    return FigureRow(figure.label, str(figure.cite), figure.text, mark, _keys(figure, plan))


def _keys(figure: AssumedFigure, plan: BoardPlan) -> tuple[Key, ...]:
    """One less and one more, within the figure's limits; else its own screen."""
    value, low, high = figure.value, figure.low, figure.high
    if not isinstance(value, int) or low is None or high is None:
        if not is_changed_here(figure, plan):
            return ()
        return (Key("Change", Show(Panel.FIGURES, figure.name), sign="pen"),)
    return (
        _step(figure, value - 1, "minus", possible=value > low, limit=f"min. {low}"),
        _step(figure, value + 1, "plus", possible=value < high, limit=f"max. {high}"),
    )


def _step(figure: AssumedFigure, value: int, sign: str, *, possible: bool, limit: str) -> Key:
    if not possible:
        return Key(limit, None, "the limit", look=KeyLook.IMPOSSIBLE)
    label = "Less" if sign == "minus" else "More"
    return Key(label, SetFigure(figure.name, value), sign=sign)
