"""What a table lays out before its first match of a box, step by step, in the box's own words.

A box has them in a file beside its rules; one without it is told by what every box has: its boards,
its pieces, its piles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadFile, unread_toml

if TYPE_CHECKING:
    from companion.match.rulebook import Rulebook

FIRST_MATCH = "first_match.toml"
"""Beside a box's rules: a `[[step]]` each, in the order in which hands do them."""
LONGEST_TITLE, LONGEST_TEXT = 24, 220
"""Letters that are read from two metres, and that a screen has room for."""


class StepShows(StrEnum):
    """What a step shows beside its words: boards, pieces where they begin, piles and counters."""

    BOARDS = "boards"
    PIECES = "pieces"
    PILES = "piles"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One thing that hands do: what in a few words, how, what is shown with it, and its rules."""

    title: str
    text: str
    shows: StepShows
    cites: tuple[str, ...] = ()


USUAL = (
    FirstStep("Lay the boards", "As the map shows them, seen from this screen.", StepShows.BOARDS),
    FirstStep("Place the pieces", "What has no place yet is asked for later.", StepShows.PIECES),
    FirstStep("Lay out the piles", "Every player has these at the start.", StepShows.PILES),
)
"""The steps of a box that has no file of its own."""
ON_SCREEN = FirstStep(
    "Then follow the screen",
    "The lit key in the corner is the next tap. Large letters say what hands do, or who is asked. "
    "A mistake: Undo. A dispute: Arbiter.",
    StepShows.SCREEN,
)
"""The last step of every box."""


def first_steps(rulebook: type[Rulebook[Any]]) -> Sequence[FirstStep]:
    """A box's steps, and at last what the screen does; BadFile names the step that is wrong."""
    own = next((base for base in rulebook.__mro__ if "box" in vars(base)), rulebook)
    return (*(read_steps(Path(getfile(own)).with_name(FIRST_MATCH)) or USUAL), ON_SCREEN)


@cache
def read_steps(path: Path) -> tuple[FirstStep, ...]:
    """The steps of a file; none where there is no such file. BadFile names the wrong one."""
    if not path.exists():
        return ()
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(path.name, "", unread_toml(wrong)) from None
    return tuple(
        _step(path.name, f"step {n}", one) for n, one in enumerate(raw.get("step", ()), start=1)
    )


def _step(file: str, place: str, raw: dict[str, Any]) -> FirstStep:
    title, text, shows = (str(raw.get(name, "")) for name in ("title", "text", "shows"))
    if not 0 < len(title) <= LONGEST_TITLE or not 0 < len(text) <= LONGEST_TEXT:
        most = f"{LONGEST_TITLE} and {LONGEST_TEXT} letters"
        raise BadFile(file, place, f"a step has a title and a text of at most {most}")
    if shows not in set(StepShows):
        raise BadFile(file, place, f"shows is one of {', '.join(StepShows)}, not {shows!r}")
    return FirstStep(title, text, StepShows(shows), tuple(raw.get("cites", ())))
