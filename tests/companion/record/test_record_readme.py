"""What the README of this folder shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[3] / "companion" / "README.md"


def test_the_session_prints_what_is_shown() -> None:
    """A newcomer types it in and sees the same."""
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted > 4
    assert result.failed == 0


def test_every_file_it_names_is_there() -> None:
    """A file in the tables must not have moved."""
    named = re.findall(r"`([\w/]+\.py)`", README.read_text("utf-8"))
    assert len(named) > 15
    assert not [name for name in named if not (README.parent / name).is_file()]
