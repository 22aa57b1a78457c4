"""A record of many matches: what people wait for takes the time that it takes with ten.

Each verb is timed in one run on a record of ten matches and on a large one, every time on a record
that was just opened, in the processor's time; the app's start from its process on. The large record
has five thousand matches here, five hundred and a hundred thousand in the soak.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.grown_record import PAGES, VERBS, grow, medians
from tests.benchmarks.test_screen_beside_blank import OURS, watched

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

FEW, MIDDLE, MANY, MOST = 10, 500, 5_000, 100_000
RATIO = 1.2
SLACK_MS = 4.0
"""Of more pages more are read from the disk at the first look: besides the ratio."""
PAGE_MS = 50.0
STARTS = 3


@pytest.mark.parametrize(
    "number",
    [MANY, *(pytest.param(number, marks=pytest.mark.soak) for number in (MIDDLE, MOST))],
    ids=lambda n: f"{n}",
)
def test_verbs_take_the_time_that_they_take_with_ten(
    tmp_path: Path, table_of_speeds: Table, number: int
) -> None:
    """Opened anew each time; a page of the list, of statistics, of players within 50 ms."""
    paths = grow(tmp_path / "few.db", FEW), grow(tmp_path / "many.db", number)
    held: list[bool] = []
    for name, verb in VERBS.items():
        reference, ours = (one.processor for one in medians(paths, verb))
        row = f"{name}, {number:,} matches / {FEW}"
        held.append(table_of_speeds.at_most(row, ours, reference, RATIO, "ms", besides=SLACK_MS))
    if number >= MANY:
        reference, ours = starts_of_the_app(tmp_path, paths)
        row = f"app's start, {number:,} matches / {FEW}"
        held.append(table_of_speeds.at_most(row, ours, reference, RATIO, "s"))
    for name, verb in PAGES.items():
        ((ours, _),) = medians(paths[1:], verb, opening=False)
        row = f"{name} of {number:,} / {PAGE_MS:g} ms"
        held.append(table_of_speeds.at_most(row, ours, PAGE_MS, 1.0, "ms"))
    assert all(held), table_of_speeds.rows


def starts_of_the_app(folder: Path, records: Sequence[Path]) -> Sequence[float]:
    """The processor's seconds from the start of its process to home, on all records at once."""
    taken: list[list[float]] = [[] for _ in records]
    for _ in range(STARTS):
        with ExitStack() as stack:
            apps = [
                stack.enter_context(watched(folder / one.stem, OURS, "--record", str(one)))
                for one in records
            ]
            for app, times in zip(apps, taken, strict=True):
                times.append(app.opened())
    return [statistics.median(times) for times in taken]
