"""The board plan of each box, for whoever looks at a table without a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.board import BoardPlan
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.rulebook import Setup

if TYPE_CHECKING:
    from companion.offers import Json


def plan_of(
    box: str, variants: Sequence[str] = (), options: Mapping[str, Json] | None = None
) -> BoardPlan:
    """The boards and tokens of a box as a mode has them; BadCall names what there is."""
    name = find_rulebook(box).box
    setup = Setup(name, tuple(variants), options=options or {})
    plan: BoardPlan = rulebook_of(setup)(setup).plan
    return plan


def plans() -> Mapping[str, Callable[[], BoardPlan]]:
    """Every box's plan, made when it is wanted; the usual box first."""
    return {box: partial(plan_of, box) for box in RULEBOOKS}
