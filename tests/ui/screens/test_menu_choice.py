"""Answers that are put together of several options, touch by touch."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import question as questions
from companion.core.question import (
    Choose,
    ChooseSome,
    Count,
    Locked,
    Option,
    Order,
    Question,
    Taken,
)
from companion.core.ruling import TABLE, Cite, Json
from ui.scene.theme import Theme
from ui.scene.values import Key
from ui.screens.match.choose import present_choose
from ui.screens.match.counts import present_counts
from ui.screens.match.menu import Menu, grouped, limits_of, toggling
from ui.screens.page import Page
from ui.screens.registry import ASKING, screen_asking
from ui.touch.actions import Fill
from ui.widgets.box import Box
from ui.widgets.field_keys import MenuKey

OPTIONS = [Option(name, name, name.upper()) for name in "abc"]


def choose(fewest: int, most: int) -> ChooseSome[str]:
    """So many of the three."""
    return ChooseSome(
        key="some", by=TABLE, cite=Cite(()), prompt="", offered=OPTIONS, fewest=fewest, most=most
    )


def touched(touch: Fill) -> Any:
    """What the screen holds after the touch."""
    return touch.answer.raw


@pytest.mark.parametrize(
    ("most", "chosen", "name", "left"),
    [
        (3, [], "b", ["b"]),
        (3, ["b"], "a", ["b", "a"]),
        (3, ["b", "a"], "b", ["a"]),
        (2, ["b", "a"], "c", ["a", "c"]),
        (1, ["b"], "c", ["c"]),
    ],
)
def test_beyond_the_most_the_first_makes_room(
    most: int, chosen: list[str], name: str, left: list[str]
) -> None:
    """A touch chooses, a second takes back; no answer grows past what its question takes."""
    assert touched(toggling(choose(0, most), chosen, name)) == left


def test_an_order_has_every_option_as_it_was_touched() -> None:
    """One name is no order: all are wanted, first touched first."""
    order = Order(key="order", by=TABLE, cite=Cite(()), prompt="", offered=OPTIONS)
    assert limits_of(order) == (3, 3)
    chosen: list[str] = []
    for name in "cab":
        chosen = touched(toggling(order, chosen, name))
    assert order.read([*chosen]) == ("c", "a", "b")
    assert limits_of(choose(1, 99)) == (1, 3)


# Where an option says where its key lies.


def laid(
    cells: dict[str, tuple[int, int] | None],
    size_px: tuple[int, int] = (800, 480),
    wide: float = 500,
) -> dict[str, tuple[float, float]]:
    """The corner of each key, by its words, in a menu of these options."""
    options = [Option(name, name, name, cell=cell) for name, cell in cells.items()]
    theme = Theme(size_px=(800, 480))
    menu = Menu(grouped(options, lambda option: Key(option.label, None)), theme)
    parts = dict(menu.parts(Box(0, 60, wide, 300), 0, Page(theme)))
    keys = [part for part in parts.values() if isinstance(part, MenuKey)]
    return {part.key.label: (part.box.x, part.box.y) for part in keys}


@pytest.mark.usefixtures("window")
def test_a_key_lies_in_the_cell_that_its_option_names() -> None:
    """Rows and columns count from the group's own corner; a cell without an option stays free."""
    corners = laid({"a": (3, 2), "b": (3, 4), "c": (4, 2), "d": (4, 3), "e": (4, 4)})
    rows = [sorted(name for name in corners if corners[name][1] == y)
            for y in sorted({y for _, y in corners.values()})]  # fmt: skip
    assert rows == [["a", "b"], ["c", "d", "e"]]
    assert corners["a"][0] == corners["c"][0]
    assert corners["b"][0] == corners["e"][0] > corners["d"][0] > corners["c"][0]


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("second", [None, (0, 0)])
def test_options_without_cells_of_their_own_follow_one_another(
    second: tuple[int, int] | None,
) -> None:
    """One that has none, or shares one, has the screen lay all of its group out."""
    corners = laid({"a": (0, 0), "b": second, "c": (1, 1)})
    assert len({y for _, y in corners.values()}) == 1


@pytest.mark.usefixtures("window")
def test_cells_that_have_no_room_side_by_side_are_broken_like_any() -> None:
    """No key is smaller than a finger for a printed order."""
    cells: dict[str, tuple[int, int] | None] = {
        f"a long word {n}": (n // 7, n % 7) for n in range(14)
    }
    corners = laid(cells, wide=300)
    assert len({x for x, _ in corners.values()}) < 7
    assert len(set(corners.values())) == len(corners)


class Several(Count):
    """A kind that extends another one."""


class Agreed(Question[bool]):
    """A kind like none before: yes or no."""

    def parse(self, raw: Json) -> Taken:
        return Taken(raw, raw == "yes")


def test_kinds_of_questions_have_their_screens() -> None:
    """By the table; where a form mixes kinds the first of the table has it."""
    kinds = {
        kind
        for kind in vars(questions).values()
        if isinstance(kind, type) and issubclass(kind, Question) and kind is not Question
    }
    assert {*ASKING} <= kinds
    assert all(screen_asking([kind]) is screen for kind, screen in ASKING.items())
    assert screen_asking([Choose, Locked]) is ASKING[Locked]


def test_a_new_kind_of_question_has_a_screen_before_anybody_lists_it() -> None:
    """That of the kind it extends, else its options as keys."""
    assert screen_asking([Several]) is present_counts
    assert screen_asking([Agreed]) is present_choose
