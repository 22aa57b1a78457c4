"""Answers that are put together of several options, touch by touch."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.question import ChooseSome, Option, Order
from companion.core.ruling import TABLE, Cite
from ui.screens.match.menu import limits_of, toggling
from ui.touch.actions import Fill

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
