"""A match ruled again under another set-up: what its answers come to, and nothing changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.timeline import Fate
from companion.record.file import read_export
from companion.record.lines import read_entry

GOLDEN = Path(__file__).parents[2] / "golden"
OF_EACH_BOX = sorted(
    next(GOLDEN.glob(f"{box}-edition-*-{what}.jsonl"))
    for box, what in (
        ("jaws-and-paws", "arbiter"),
        ("dogfight-1917", "base-1"),
        ("dogfight-hex", "three-1"),
        ("starship-edition", "base-1"),
        ("talespin-dogfight", "two-1"),
    )
)


def replayed(path: Path) -> Match[Any]:
    return Match[Any].replay([read_entry(row.line, row.chain) for row in read_export(path).rows])


@pytest.mark.parametrize("path", OF_EACH_BOX, ids=lambda path: path.stem)
def test_under_its_own_set_up_a_match_is_ruled_as_it_was(path: Path) -> None:
    """Every answer stands, every ruling is the same, and so is the end; no line is written."""
    match = replayed(path)
    entries, position = [*match.entries], match.position_file()
    revision = match.reread(match.setup)
    assert set(revision.fate.values()) <= {Fate.KEPT}
    assert not revision.flips
    assert not revision.falling
    assert revision.changed.run.ruled_by() == match.ruled_by()
    assert (match.entries, match.position_file()) == (entries, position)


def test_a_house_rule_flips_what_it_turns() -> None:
    """A board seen in a mirror (RULING 2): planes stand elsewhere, and shots miss."""
    match = replayed(next(GOLDEN.glob("jaws-and-paws-edition-2-day-1.jsonl")))
    flips = [
        match.reread(replace(match.setup, options={**match.setup.options, **rule})).flips
        for rule in ({"plane_view_mirror": "swap"}, {"plane_view_mirror": "same_letter"})
    ]
    assert any(flips), "it was ruled by one of the two"
    assert not all(flips)
    assert all(flip.old != flip.new for ruled in flips for flip in ruled)


def test_what_a_match_would_have_come_to_cannot_be_put_into_effect() -> None:
    match = replayed(OF_EACH_BOX[0])
    revision = match.reread(match.setup)
    with pytest.raises(BadCall, match="no change of it"):
        revision.commit(Stamp("Ada", "2026-11-21T19:00:00Z", 0.0))


def test_a_set_up_that_cannot_be_is_refused() -> None:
    match = replayed(OF_EACH_BOX[0])
    with pytest.raises(BadCall):
        match.reread(replace(match.setup, options={"no_such_rule": 1}))
