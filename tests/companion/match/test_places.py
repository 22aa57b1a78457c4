"""Places as people type them, in every box: what is off the board, and what wants a heading."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.games import RULEBOOKS, find_rulebook
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("tests", "2026-11-21T20:00:00Z", 0.0)
OFF = {
    "jaws-and-paws": "Jaws.ZZ",
    "dogfight-1917": "9,9 N",
    "dogfight-hex": "9,9",
    "starship-edition": "99,99",
    "talespin-dogfight": "99",
}
"""A place that no board of the box has; of a box that is not here, that of a board of hexes."""
SAYS_SO = ("off the board", "off the map", "not on the map", "the ring has 1 to 12")


def asked_for_a_place(box: str) -> Match[Any]:
    """A match up to the first question whose answers put a piece on a board."""
    book = find_rulebook(box)
    bare = Setup(book.box, book.usual(()), demonstration=True)
    names = dict(zip(book.seats, ("Ana", "Ben"), strict=False))
    seats = {} if book.box == "jaws-and-paws" else names
    setup = Setup(bare.box, bare.variants, seats, demonstration=True)
    match: Match[Any] = Match.start(setup, STAMP)
    for _ in range(200):
        if match.outcome is not None and box not in OFF:
            pytest.skip(f"{box} asks for no place")
        key, question = next((k, q) for k, q in match.open.items() if k not in match.answered)
        options = question.options_now()
        if any(option.shows for option in options):
            return match
        raw = next((o.name for o in options if o.name in ("engage", "Basic Maneuver")), None)
        match.answer(Offer(key, raw or options[0].name, "touch", question.by), STAMP)
    raise AssertionError(f"{box}: no place was asked for in 200 answers")


@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_space_that_no_board_has_is_off_the_board(box: str) -> None:
    """Said in every box, with what is legal, and nothing is kept of it."""
    match = asked_for_a_place(box)
    key = next(key for key in match.open if key not in match.answered)
    lines = len(match.entries)
    with pytest.raises(IllegalAnswer) as refused:
        match.answer(Offer(key, OFF.get(box, "99,99 N"), "terminal", match.open[key].by), STAMP)
    assert any(words in refused.value.text for words in SAYS_SO), refused.value.text
    assert len(match.entries) == lines


@pytest.mark.parametrize(
    ("box", "change"),
    [
        ("jaws-and-paws", {"jaws": "Paws.ZZ"}),
        ("dogfight-1917", {"camel": "9,9 N"}),
        ("starship-edition", {"vessel-a": "99,99"}),
    ],
)
def test_an_adjustment_off_the_board_says_so(box: str, change: dict[str, Any]) -> None:
    match = asked_for_a_place(box)
    with pytest.raises(CompanionError, match=r"is off the (board|map)"):
        match.adjust(change, "knocked", stamp=STAMP)


@pytest.mark.parametrize(
    ("box", "change"), [("dogfight-1917", {"camel": "0,-2"}), ("dogfight-hex", {"ship-a": "0,-2"})]
)
def test_an_adjustment_without_a_heading_says_so(box: str, change: dict[str, Any]) -> None:
    match = asked_for_a_place(box)
    with pytest.raises(CompanionError, match="The heading is missing: add one of N"):
        match.adjust(change, "knocked", stamp=STAMP)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("0,-1 N", ""),
        ("0,-1 n", ""),
        ("0,-1", "The heading is missing: add one of N, NE, SE, S, SW, NW to 0,-1."),
        ("0,-1 up", "up is no heading: add one of N, NE, SE, S, SW, NW to 0,-1."),
        ("9,9", "9,9 is off the board."),
        ("9,9 N", "9,9 is off the board."),
        ("stay", ""),
        ("6 5", ""),
        ("", ""),
    ],
)
def test_a_plan_says_why_what_was_typed_is_no_place(told: str, why: str) -> None:
    """Words that are no place at all are none of its business."""
    assert board_plan(assumed_figures()).no_place(told) == why
