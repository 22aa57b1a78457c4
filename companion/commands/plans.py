"""The board plan of each box, for whoever looks at a table without a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.board import BoardPlan
from companion.core.errors import BadFile
from companion.core.files import read_edited_file, with_line
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.match.rulebook import Setup

if TYPE_CHECKING:
    from companion.core.ruling import Json


def plan_of(
    box: str,
    variants: Sequence[str] = (),
    options: Mapping[str, Json] | None = None,
    figures: Path | None = None,
) -> BoardPlan:
    """The boards and tokens of a box as a mode has them; BadCall names what there is.

    `figures` is the table's own file of that box, as for a match: a map may have another size by
    it. BadFile names what is wrong in it.
    """
    name = find_rulebook(box).box
    own: Mapping[str, Json] = read_edited_file(figures) if figures is not None else {}
    setup = Setup(name, tuple(variants), options=options or {}, cards=own)
    try:
        plan: BoardPlan = rulebook_of(setup)(setup).plan
    except BadFile as wrong:
        if figures is None:
            raise
        raise BadFile(str(figures), with_line(figures, wrong.place), wrong.text) from wrong
    return plan


def plans(figures: Path | None = None) -> Mapping[str, Callable[[], BoardPlan]]:
    """Every box's plan, made when it is wanted; the usual box first."""
    return {box: partial(plan_of, box, figures=figures) for box in RULEBOOKS}
