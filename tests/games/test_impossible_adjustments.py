"""What cannot be is refused as an adjustment too, in every box and mode, and changes nothing."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadPosition, CompanionError
from companion.core.ruling import TABLE, Json
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out

ANSWERS = 40

SIGNED = ("value bonus", "pilot bonus")
"""Quantities that may be below zero: what effects have taken away."""

NO_SIZE = ("talespin-dogfight",)
"""Boxes whose book does not say how many cards there are: a recount may find any number."""

OWN_NAMES = ("jaws-and-paws", "dogfight-1917", "starship-edition")
"""Boxes whose names of quantities are told in tests of their own."""

SHARED = ("jaws-and-paws", "talespin-dogfight")
"""Boxes whose places hold several pieces at once."""


@pytest.fixture(scope="module")
def match(setup: Setup) -> Match[Any]:
    """A match under way, played so far by its box's bots; what is tried is tried on copies."""
    return next(match for match in _matches(setup) if match.outcome is None)


def _matches(setup: Setup) -> Iterator[Match[Any]]:
    """One after another, each played by bots for so many answers, or to its end."""
    for seed in itertools.count(1):
        match = Match[Any].start(setup, STAMP)
        play_out(match, bots_of(setup, Random(seed)), ANSWERS)
        yield match


def _refused(match: Match[Any], changes: Mapping[str, Json]) -> bool:
    """Whether a match does not take it, as `Run` judges: by the box's setters, then its faults."""
    return _judged(match, json.dumps(changes))


@cache
def _judged(match: Match[Any], changes: str) -> bool:
    """Judged once: several tests try the same on a match that stands as it is."""
    tried = pickle.loads(_packed(match))  # noqa: S301 - packed here
    try:
        tried.adjust(json.loads(changes))
    except CompanionError:
        return True
    return bool(match.rulebook.faults(tried))


@cache
def _packed(match: Match[Any]) -> bytes:
    """The position to try things on: unpacked it is a copy, for a fraction of `deepcopy`."""
    return pickle.dumps(match.position)


@cache
def _settable(match: Match[Any]) -> dict[str, Json]:
    """Facts that take the value which they have."""
    facts = {fact.name: fact.value for fact in match.position.facts()}
    return {name: value for name, value in facts.items() if not _refused(match, {name: value})}


def _numbers(match: Match[Any]) -> dict[str, int]:
    settable = _settable(match).items()
    return {name: value for name, value in settable if type(value) is int}


def _piles(match: Match[Any]) -> Iterator[tuple[str, int]]:
    """Piles that an arbiter may count anew, by the name of their fact."""
    settable = _numbers(match)
    for owner, pile in match.position.pile_counts():
        name = pile if owner == TABLE else f"{owner}.{pile}"
        if name in settable:
            yield name, settable[name]


def _places(match: Match[Any]) -> dict[str, Json]:
    """Where pieces stand, by the names under which an arbiter sets it, whatever a box calls them.

    A fact that has the piece's name, or whose value is the piece's space ("0,-1", "0,-1 N").
    """
    pieces = match.position.placement()
    spaces = {pose.space for pose in pieces.values()}
    return {
        name: value
        for name, value in _settable(match).items()
        if name in pieces or (isinstance(value, str) and value.split(" ")[0] in spaces)
    }


def test_no_count_is_below_zero(match: Match[Any]) -> None:
    """Cards, tokens, points, turns: one fewer than none is refused."""
    numbers = [name for name in _numbers(match) if not name.endswith(SIGNED)]
    assert len(numbers) >= 2, "an arbiter sets too little: declare numbers by `kept`"
    assert [name for name in numbers if not _refused(match, {name: -1})] == []


def test_nobody_joins_or_leaves_by_a_house_rule(setup: Setup) -> None:
    """How many play is settled before a match; the same number may be said again."""
    match = Match[Any].start(setup, STAMP)
    switch, seats = match.rulebook.switches.get("players"), match.rulebook.seats_taken()
    if switch is None:
        pytest.skip("no house rule says how many play")
    for many in switch.values:
        if many == len(seats):
            match.adjust({"option.players": many}, "as it is", stamp=STAMP)
            continue
        with pytest.raises(BadPosition, match=f"cannot make them {many} now"):
            match.adjust({"option.players": many}, "no", stamp=STAMP)
        assert match.rulebook.seats_taken() == seats


@pytest.mark.parametrize("wrong", [2.5, True, "many", [1], {"one": 1}], ids=repr)
def test_a_number_is_a_whole_number(match: Match[Any], wrong: Json) -> None:
    """Halves, yes and no, words and lists are none."""
    assert [name for name in _numbers(match) if not _refused(match, {name: wrong})] == []


def box_without_cards(match: Match[Any]) -> bool:
    return not match.position.pile_counts()


def test_no_pile_holds_more_cards_than_there_are(match: Match[Any]) -> None:
    """A thousand cards in a hand, and one more or fewer than the deck has, break its sum."""
    piles = dict(_piles(match))
    assert len(piles) >= 3 or box_without_cards(match), "fewer piles than an arbiter could count"
    near = match.setup.box not in NO_SIZE
    wrong = [
        (name, count)
        for name, now in piles.items()
        for count in (999, *((now + 1, now - 1) if near else ()))
        if not _refused(match, {name: count})
    ]
    assert wrong == []


def test_nothing_is_set_twice_at_once(match: Match[Any]) -> None:
    """Two spellings of one quantity with two numbers: which is meant?"""
    if match.setup.box in OWN_NAMES or box_without_cards(match):
        pytest.skip("told by the hands of the other boxes")
    lines, cite = len(match.entries), re.escape(f"[{match.rulebook.corrections}]")
    seat, pile = next(one for one in match.position.pile_counts() if one[0] != TABLE)
    name, called = f"{seat}.{pile}", match.rulebook.seats[seat]
    for other in (name.lower(), name.upper(), f"{called}.{pile}"):
        if other != name:
            with pytest.raises(CompanionError, match=f"give it once.*{cite}"):
                match.adjust({name: 1, other: 2}, "tried", stamp=STAMP)
    assert len(match.entries) == lines


def test_a_refused_adjustment_cites_once(match: Match[Any]) -> None:
    """A sentence, and one paragraph or more in one pair of brackets behind it."""
    if match.setup.box in OWN_NAMES:
        pytest.skip("told in tests of its own")
    for name in _numbers(match):
        for wrong in (-1000, "many"):
            with pytest.raises(CompanionError) as refused:
                match.adjust({name: wrong}, "tried", stamp=STAMP)
            assert re.fullmatch(r"[^\[]+ \[[^\]]+\](?: \(and \d+ more\))?", str(refused.value))


def test_cards_may_be_counted_anew_where_the_sum_stays(match: Match[Any]) -> None:
    """So the sums are what refuses: one card fewer here and one more there is taken."""
    if match.setup.box in NO_SIZE:
        pytest.skip("the book does not say how many cards there are")
    if all(owner != TABLE for owner, _ in match.position.pile_counts()):
        pytest.skip("no card is anybody's: each has its own, and where they lie follows from play")
    piles = dict(_piles(match))
    assert any(
        not _refused(match, {one: count - 1, other: more + 1})
        for one, count in piles.items()
        for other, more in piles.items()
        if count and one != other
    ), "`faults` refuses every recount: refuse sums, not how many lie where"


def test_no_piece_stands_where_no_space_is(match: Match[Any]) -> None:
    """Names of no space, and spaces beyond the board."""
    places = {*_places(match), *(n for n in _settable(match) if n.endswith((".place", ".debris")))}
    assert places
    nowhere = ("nowhere", "99,99 N", "99,99", -1, 999)
    wrong = [
        (name, space) for name in places for space in nowhere if not _refused(match, {name: space})
    ]
    assert wrong == []


def _may_share(*names: str) -> bool:
    """Whether two pieces may lie on one space: debris, and wreckage that is laid.  (HX-DEB-03)"""
    kinds = {name.endswith(".debris") or name.partition("-")[0] for name in names}
    return kinds in ({True, "wreck"}, {True, "hull"})


def test_no_two_pieces_stand_where_one_may(match: Match[Any]) -> None:
    """A space of a hex board or a star map holds one fighter, ship or vessel."""
    if match.setup.box in SHARED or getattr(match.rulebook, "apart", SHARED) is None:
        pytest.skip("places hold several pieces")
    places = _places(match)
    assert len(places) >= 2 or match.setup.box == "starship-edition"
    wrong = [
        (one, other)
        for one in places
        for other, value in places.items()
        if one != other and not _may_share(one, other) and not _refused(match, {one: value})
    ]
    assert wrong == []


@pytest.mark.slow(gate=5)
def test_a_refused_adjustment_changes_nothing(match: Match[Any]) -> None:
    """The match itself refuses what a copy of its position does not take, and stands as before."""
    before, lines = match.position.digest(), len(match.entries)
    for name in _numbers(match):
        for count in (-1, 999):
            if not name.endswith(SIGNED) and _refused(match, {name: count}):
                with pytest.raises(CompanionError):
                    match.adjust({name: count}, "tried", stamp=STAMP)
    assert (match.position.digest(), len(match.entries)) == (before, lines)
