"""Many matches added up at once come to what each adds by itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.match.match import Match
from companion.record.file import read_export
from companion.record.lines import read_entry
from companion.record.listing import PlayedMatch
from companion.record.sums import NO_SUM, Sum, SumKey
from companion.season.adding import MatchCount, Row, sums_of
from companion.season.counting import count_match
from companion.season.measured import BY_MATCH, Measured
from companion.season.seating import ALL_KINDS, CountedAt, CountedBy, Seating

GOLDEN = Path(__file__).parents[2] / "golden"
SEATS = {"JP": "Jaws", "JG": "Jaws", "PP": "Paws", "PG": "Paws"}
NAMES = ("Ana", "Bo", "Cleo")
FIGURES = (*(figure.value for figure in Measured),)


def one_by_one(counts: list[MatchCount], kinds: tuple[CountedBy, ...]) -> dict[SumKey, Sum]:
    """The meaning of it: what every match adds by itself at each place that it belongs to."""
    added: defaultdict[SumKey, Sum] = defaultdict(lambda: NO_SUM)
    for count in counts:
        for key, sum_ in by_itself(count).items():
            if key.about in kinds:
                added[key] += sum_
    return dict(added)


def by_itself(count: MatchCount) -> dict[SumKey, Sum]:
    """Ends, rows at all places of their seat, and cards; each place by itself, nothing shared."""
    seating = count.seating
    added: defaultdict[SumKey, Sum] = defaultdict(lambda: NO_SUM)

    def add(place: CountedAt, figure: str, detail: str, more: Sum) -> None:
        added[SumKey(place.by.value, seating.box, place.name, figure, detail)] += more

    def add_end(place: CountedAt, matches: int, won: int) -> None:
        drawn = 0 if seating.winners else matches
        add(place, Measured.WON.value, "", Sum(matches, won, won))
        add(place, Measured.DRAWN.value, "", Sum(matches, drawn, drawn))

    for place, (matches, won) in seating.results().items():
        add_end(place, matches, won)
    for row in count.rows:
        for place in places_of(seating, row.seat):
            add(place, row.figure, row.detail, row.sum)
        if row.card:
            add(CountedAt(CountedBy.CARD, row.card), row.figure, "", row.sum)
    for key, sum_ in added.items():
        if key.figure in BY_MATCH and key.about != CountedBy.CARD:
            added[key] = Sum(1, sum_.total, sum_.total**2)
    laid = {(row.card, seating.side_of.get(row.seat, row.seat)) for row in count.rows if row.card}
    for card, side in laid:
        add_end(CountedAt(CountedBy.CARD, card), 1, int(side in seating.winners))
    return dict(added)


def places_of(seating: Seating, seat: str) -> set[CountedAt]:
    """Where a seat's row counts, a side's, or the whole table's."""
    if not seat:
        return {*seating.everywhere()}
    return {*(seating.places(seat) if seat in seating.side_of else seating.places_of_side(seat))}


def assert_same(counts: list[MatchCount], kinds: tuple[CountedBy, ...] = ALL_KINDS) -> None:
    wanted, got = one_by_one(counts, kinds), sums_of(counts, kinds)
    assert got.keys() == wanted.keys()
    for key, sum_ in wanted.items():
        assert [*got[key]] == pytest.approx([*sum_]), key


def rows() -> st.SearchStrategy[Row]:
    """A figure of a seat, of a side, or of the table; measured by whole matches or one by one."""
    seats = st.sampled_from(("", "Jaws", *SEATS))
    details, cards = st.sampled_from(("", "range 1")), st.sampled_from(("", "Shoot PC"))

    def made(seat: str, figure: str, detail: str, card: str, amount: int) -> Row:
        part = "" if figure in BY_MATCH else detail
        return Row(seat, figure, part, card, 1, float(amount), float(amount**2))

    return st.builds(made, seats, st.sampled_from(FIGURES[2:]), details, cards, st.integers(0, 9))


def counts() -> st.SearchStrategy[MatchCount]:
    taken = st.sampled_from((("JP", "PP"), ("JP", "JG", "PP", "PG"), ("JP", "JG", "PP")))

    def made(
        seats: tuple[str, ...], people: list[str], won: str, rule: str, told: list[Row]
    ) -> MatchCount:
        side_of = {seat: SEATS[seat] for seat in seats}
        seating = Seating(
            "jaws-and-paws", "day", (rule,) if rule else (), ("Jaws", "Paws"), side_of,
            {seat: name for seat, name in zip(seats, people, strict=False) if name},
            (won,) if won else (), {"JP": {"fighter": "Camel"}, seats[-1]: {"fighter": "Camel"}},
        )  # fmt: skip
        fits = [row for row in told if row.seat in ("", "Jaws", *seats)]
        return MatchCount(seating, tuple(fits))

    people = st.lists(st.sampled_from(("", *NAMES)), min_size=4, max_size=4)
    won, rule = st.sampled_from(("", "Jaws", "Paws")), st.sampled_from(("", "timer_s=30"))
    return st.builds(made, taken, people, won, rule, st.lists(rows(), max_size=8))


@given(st.lists(counts(), max_size=6), st.sampled_from(((), *((kind,) for kind in ALL_KINDS))))
def test_many_at_once_are_each_by_itself(
    told: list[MatchCount], kinds: tuple[CountedBy, ...]
) -> None:
    """Teams, empty seats, one name on two seats, draws, what a side or the table did; by kinds."""
    assert_same(told, kinds or ALL_KINDS)


@pytest.mark.parametrize(
    "name", ["jaws-and-paws-edition-2-day-2", "dogfight-1917-edition-3-base-1"]
)
def test_played_matches_come_to_the_same(name: str) -> None:
    """One that people played, won by either side and by nobody."""
    export = read_export(GOLDEN / f"{name}.jsonl")
    match = Match[Any].replay([read_entry(row.line, row.chain) for row in export.rows])
    setup = match.setup
    sides = tuple(map(str, match.rulebook.sides_taken()))
    counted = [
        count_match(
            match, PlayedMatch("2026", setup.box, setup.variants, setup.seats, setup.options, won)
        )
        for won in ((), sides[:1], sides[1:2])
    ]
    others = [replace(one, seating=replace(one.seating, people={})) for one in counted]
    assert_same([*counted, *others, counted[0]])
