"""A table's own file over what ships with a box, whatever the box."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from annotated_types import Gt, Len
from pydantic import create_model

from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.games import RULEBOOKS, find_rulebook
from companion.kit.figures import TableFigures, confirmed_names, figure_text, merged

BOXES = [name for name in RULEBOOKS if find_rulebook(name).figures is not None]


@pytest.mark.parametrize("box", BOXES)
def test_every_box_lists_changes_and_confirms_its_figures(box: str) -> None:
    """What is confirmed keeps its value; confirming says so of all."""
    figures = find_rulebook(box).figures
    assert figures is not None
    listed = figures.listed({})
    assert listed
    for figure in listed:
        own = figures.changed({}, figure.name, figure.value)
        again = {one.name: one for one in figures.listed(own)}
        assert (again[figure.name].value, again[figure.name].confirmed) == (figure.value, True)
    whole = figures.listed(figures.confirmed({}, "club copy"))
    assert all(figure.confirmed for figure in whole)
    assert [figure.value for figure in whole] == [figure.value for figure in listed]


@pytest.mark.parametrize("box", BOXES)
def test_a_number_out_of_its_limits_is_refused(box: str) -> None:
    """The limits that a screen shows are those of the file."""
    figures: TableFigures | None = find_rulebook(box).figures
    assert figures is not None
    numbers = [figure for figure in figures.listed({}) if figure.low is not None]
    for figure in numbers:
        assert figure.low is not None
        with pytest.raises(BadFile, match=figure.name.replace(".", r"\.")):
            figures.changed({}, figure.name, figure.low - 1)


def test_parts_are_merged_and_lists_replaced() -> None:
    """What a table says of a part leaves the rest of it."""
    below = {"map": {"radius": 5, "spaces": [1, 2]}, "name": "a"}
    assert merged(below, {"map": {"spaces": [3]}}) == {
        "map": {"radius": 5, "spaces": [3]}, "name": "a",
    }  # fmt: skip
    assert merged(below, {"map": 3}) == {"map": 3, "name": "a"}


def test_who_vouches_for_what() -> None:
    """All, none, or those that are named and exist."""
    assumed = {"a.b": ("A", "X-1"), "c.d": ("C", "X-2")}
    assert confirmed_names(True, assumed, "file") == {"a.b", "c.d"}  # noqa: FBT003
    assert confirmed_names(False, assumed, "file") == frozenset()  # noqa: FBT003
    assert confirmed_names(["c.d"], assumed, "file") == {"c.d"}
    with pytest.raises(BadFile, match=r"file: confirmed: 'e' is no assumed figure; there are a\.b"):
        confirmed_names(["e"], assumed, "file")


def test_figures_as_people_read_them() -> None:
    """Spaces, ranges, names, numbers."""
    assert figure_text([[0, -3], [3, 0]]) == "0,-3  3,0"
    assert figure_text([1, 3]) == "1, 3"
    assert figure_text("pointy") == "pointy"


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        (int, "x", "a whole number is expected, not 'x'"),
        (dict[str, int], 3, "a table of names and values is expected, not 3"),
        (list[int], 3, "a list in brackets is expected, not 3"),
        (bool, 3, "true or false is expected, not 3"),
        (Literal["a", "b"], "c", "one of 'a' or 'b' is expected, not 'c'"),
        (Annotated[list[int], Len(1)], [], "at least 1 item is expected, not []"),
        (Annotated[int, Gt(2)], 1, "a number greater than 2 is expected, not 1"),
    ],
)
def test_a_file_is_refused_in_peoples_words(kind: Any, given: object, words: str) -> None:
    """Not in those of Python or of the library that reads it."""
    model = create_model("_Player", __config__={"strict": True}, value=(kind, ...))
    with pytest.raises(BadFile) as refused:
        read_model(model, {"value": given}, "ours.toml")
    assert refused.value.text == words
    whole = create_model("_Whole", value=(model, ...))
    with pytest.raises(BadFile, match="value: a table of names and values is expected, not 7"):
        read_model(whole, {"value": 7}, "ours.toml")
