"""The board plan of each box, for whoever looks at a table without a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.board import BoardPlan
from companion.games import RULEBOOKS, find_rulebook
from companion.rulebook import Setup


def plan_of(box: str) -> BoardPlan:
    """The boards and tokens of a box; BadCall names the boxes there are."""
    rulebook = find_rulebook(box)
    plan: BoardPlan = rulebook(Setup(rulebook.box)).plan
    return plan


def plans() -> Mapping[str, Callable[[], BoardPlan]]:
    """Every box's plan, made when it is wanted; the usual box first."""
    return {box: partial(plan_of, box) for box in RULEBOOKS}
