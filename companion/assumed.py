"""Figures that a book lost or leaves to the printed components: assumed until a table confirms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.offers import Json
    from companion.ruling import Cite


@dataclass(frozen=True, slots=True)
class AssumedFigure:
    """One figure to hold against the real board and components.

    `name` is its place in the table's own file ("board.radius"), `label` what to call it, `value`
    what holds now, `text` the same as people read it. `confirmed`: somebody has looked. `low` and
    `high` limit a figure that is a whole number; others are changed in the file.
    """

    name: str
    label: str
    value: Json
    text: str
    cite: Cite
    confirmed: bool = False
    low: int | None = None
    high: int | None = None


class TableFigures(Protocol):
    """What a box lets each table say of its own copy; `own` are a table's figures so far."""

    def listed(self, own: Mapping[str, Json]) -> Sequence[AssumedFigure]:
        """Every figure to hold against the real components; BadFile where `own` is wrong."""
        ...

    def changed(self, own: Mapping[str, Json], name: str, value: Json) -> dict[str, Json]:
        """`own` with one figure as it was read; BadFile names what is allowed."""
        ...

    def confirmed(self, own: Mapping[str, Json], called: str) -> dict[str, Json]:
        """All figures as they stand, confirmed, as a set called so: what a table keeps."""
        ...

    def notices(self, own: Mapping[str, Json]) -> Sequence[str]:
        """What can be used and may be meant otherwise, in sentences; BadFile as `listed`."""
        ...
