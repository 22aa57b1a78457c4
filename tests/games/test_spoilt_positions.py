"""A position file that somebody spoilt is refused by a message, in every box and at every place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.games import RULEBOOKS, rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out

SPOILT: tuple[Any, ...] = (
    None, [], {}, "x", "", -1, 10**20, 1.5, True, [1, 2], [[]], {"x": {"y": 1}}, "\ud800",
)  # fmt: skip
Way = tuple[str | int, ...]


def example_of(box: str) -> dict[str, Any]:
    """The longest example of a box, which says most; of one without any, a match of bots."""
    folder = Path(str(import_module(f"{RULEBOOKS[box].folder}.rules").__file__)).parent
    examples = [*(folder / "positions").glob("*.toml")]
    if examples:
        return tomllib.loads(max(examples, key=len_of).read_text("utf-8"))
    match = Match[Any].start(Setup(box), STAMP)
    play_out(match, bots_of(match.setup, Random(1)), 30)
    return {**match.position.to_file()}


def ways_into(part: Any, way: Way = ()) -> Iterator[Way]:
    """Every place of a file."""
    yield way
    if isinstance(part, dict | list):
        names = [*part] if isinstance(part, dict) else range(len(part))
        for name in names:
            yield from ways_into(part[name], (*way, name))


def spoil(file: dict[str, Any], way: Way, value: Any) -> dict[str, Any]:
    """The file with something else at one place."""
    spoilt: Any = deepcopy(file)
    part = spoilt
    for name in way[:-1]:
        part = part[name]
    part[way[-1]] = value
    return dict(spoilt)


@pytest.mark.slow(gate=1)
def test_whatever_stands_in_a_position_file_is_read_or_refused(box: str) -> None:
    """Values of every kind, and names that nobody knows: read, or refused in one line."""
    rules, refusals = rulebook_of(Setup(box)), list[str]()
    position = type(rules(Setup(box)).position)
    file = example_of(box)
    for way in ways_into(file):
        trials = [spoil(file, way, value) for value in SPOILT if way]
        trials.append(spoil(file, (*way, "nobody"), 1) if is_table(file, way) else {})
        for trial in trials:
            try:
                rules.refuse_faults(position.from_file(trial), "position")
            except CompanionError as wrong:
                refusals.append(str(wrong))
    assert len(refusals) > 100
    assert all(text.strip() and "\n" not in text for text in refusals)


def len_of(file: Path) -> int:
    """The longest example says most."""
    return file.stat().st_size


def is_table(file: dict[str, Any], way: Way) -> bool:
    """Whether names stand at that place."""
    part: Any = file
    for name in way:
        part = part[name]
    return isinstance(part, dict)
