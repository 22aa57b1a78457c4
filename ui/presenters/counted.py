"""Counted tokens as the table check tells them: how many lie where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ui.presenters.common import Line, Mark

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.core.offers import Sighting


def counted_lines(plan: BoardPlan, sighting: Sighting, age: str) -> Iterator[Line]:
    """A line for each kind of counted token of which any is seen: trays by name, then the rest."""
    trays = [tray.name for board in plan.boards for tray in board.trays]
    for kind in plan.counters:
        lying = {
            place: count for place, count in sighting.counts.get(kind.name, {}).items() if count
        }
        if not lying:
            continue
        told = [f"{name.partition('.')[0]} {lying[name]}" for name in trays if name in lying]
        aside = sum(count for place, count in lying.items() if place not in trays)
        told += [f"{aside} elsewhere"] if aside else []
        yield Line(f"{kind.label}s", " · ".join(told), Mark.OK, age)
