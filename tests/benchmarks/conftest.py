"""The table that `make bench` ends with: each speed beside its reference, taken in the same run."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple

import pytest

import_module("ui")  # as in the app: it tells OpenCV's threads to rest before OpenCV is loaded


class Row(NamedTuple):
    """One comparison: what was measured, ours and the reference's figure, what was wanted."""

    name: str
    ours: float
    reference: float
    ratio: float
    unit: str
    wanted: str
    holds: bool

    def cells(self) -> tuple[str, ...]:
        """The row as people read it."""
        ours, reference = (
            f"{figure:,.0f} {self.unit}" if figure >= 100 else f"{figure:.3g} {self.unit}"
            for figure in (self.ours, self.reference)
        )
        verdict = "held" if self.holds else "MISSED"
        return (self.name, ours, reference, f"{self.ratio:.3g}", self.wanted, verdict)


@dataclass
class Table:
    """All comparisons of one run. Each method adds a row and says whether its limit was held."""

    rows: list[Row] = field(default_factory=list[Row])

    def at_least(
        self, name: str, ours: float, reference: float, floor: float, unit: str, aim: float = 0.0
    ) -> bool:
        """Ours is to be so many times the reference or more; `aim` is what we would like."""
        ratio = ours / reference
        wanted = f"{floor:g} or more" + (f", aim {aim:g}" if aim else "")
        return self._add(Row(name, ours, reference, ratio, unit, wanted, ratio >= floor))

    def at_most(
        self,
        name: str,
        ours: float,
        reference: float,
        limit: float,
        unit: str,
        *,
        besides: float = 0.0,
    ) -> bool:
        """Ours is to be so many times the reference or less; `besides` is allowed on top."""
        wanted = f"{limit:g} or less" + (f" + {besides:g} {unit}" if besides else "")
        holds = ours <= limit * reference + besides
        return self._add(Row(name, ours, reference, ours / reference, unit, wanted, holds))

    def _add(self, row: Row) -> bool:
        self.rows.append(row)
        return row.holds


_TABLE = pytest.StashKey[Table]()
_HEAD = ("row", "ours", "reference", "ratio", "wanted", "verdict")


@pytest.fixture
def table_of_speeds(pytestconfig: pytest.Config) -> Table:
    """The one table of this run."""
    return pytestconfig.stash.setdefault(_TABLE, Table())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table, where anything was compared."""
    rows = config.stash.get(_TABLE, Table()).rows
    if not rows:
        return
    lines = [_HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEAD))]
    terminalreporter.section("speeds")
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        terminalreporter.write_line("  ".join(cells).rstrip())
