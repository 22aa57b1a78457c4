"""The boxes by name."""

from __future__ import annotations

import pytest

from companion.core.errors import BadCall
from companion.games import RULEBOOKS, find_rulebook


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_box_is_found_by_its_own_name(name: str) -> None:
    """And says so itself."""
    assert find_rulebook(name).box == name


@pytest.mark.parametrize("name", ["Jaws and Paws", "jaws_and_paws", " JAWS-AND-PAWS "])
def test_a_name_is_read_as_people_write_it(name: str) -> None:
    """Blanks, underlines and case do not matter."""
    assert find_rulebook(name) is find_rulebook("jaws-and-paws")


def test_an_unknown_box_is_refused_with_those_there_are() -> None:
    """The message names both."""
    with pytest.raises(BadCall, match="no box is called 'chess'; there are jaws-and-paws"):
        find_rulebook("chess")


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    """Box, variant, and the names it has."""
    with pytest.raises(BadCall, match="Jaws & Paws has no variant 'fog'; there are day, night"):
        find_rulebook("jaws-and-paws").in_variants(["fog"])
