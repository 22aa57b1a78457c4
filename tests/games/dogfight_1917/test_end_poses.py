"""Where Maneuver Cards lead, and when the way must be told: held against a second oracle.

The oracle knows neither axial coordinates nor the box's tables: planes are points and angles in
the plane of complex numbers, the board is a polygon, the cards are written out from the book once
more, and flights are tried letter by letter.  (DF-9.1 to DF-9.7, DF-17)
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import accumulate, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.dogfight_1917.cards import Maneuver
from companion.games.dogfight_1917.figures import assumed_figures, fighters_of
from companion.games.dogfight_1917.moves import Due, Readings, arrivals, flyable
from companion.kit.hexes import Heading, Hex

HEADINGS = ("N", "NE", "SE", "S", "SW", "NW")
RADIUS = 4
BENDS = {"L": -1, "C": 0, "R": 1}
Outcome = frozenset[str]
MakeTable = Callable[..., Any]


class Card(NamedTuple):
    """A Maneuver Card as the Reference Guide has it; `due` tells what a flight's letters bring."""

    fewest: int
    most: int
    turns: int
    due: Callable[[str], set[str]]


def fokker_fast(flight: str) -> set[str]:
    turn = {"turn 3-6"} if "R" in flight else set[str]()
    return turn | ({"damage 1-2"} if "L" in flight else set[str]())


def twice_alike(flight: str) -> set[str]:
    return {"token 4-6"} if any(flight.count(letter) == 2 for letter in "LCR") else set()


BOOK: dict[tuple[str, str], Card] = {
    ("fokker", "Basic Maneuver"): Card(
        1, 2, 1, lambda f: {"turn 3-6"} if "R" in f else set()),
    ("fokker", "High-speed Maneuver"): Card(1, 3, 1, fokker_fast),
    ("fokker", "Turning Maneuver"): Card(
        1, 1, 2, lambda f: {"turn 3-6"} if "R" in f else set()),
    ("camel", "Basic Maneuver"): Card(
        1, 2, 1, lambda f: {"token 4-6"} if f.count("C") == 1 else set()),
    ("camel", "High-speed Maneuver"): Card(
        1, 3, 1, lambda f: {"again 3-6"} if "R" in f else set()),
    ("camel", "Turning Maneuver"): Card(
        1, 1, 2, lambda f: {"damage 1-3"} if "L" in f else set()),
    ("albatros", "Basic Maneuver"): Card(1, 2, 1, twice_alike),
    ("albatros", "High-speed Maneuver"): Card(1, 3, 1, twice_alike),
    ("albatros", "Turning Maneuver"): Card(1, 1, 2, lambda _: set()),
    ("spad", "Basic Maneuver"): Card(
        1, 2, 1, lambda f: {"again 4-6"} if f.count("C") == 2 else set()),
    ("spad", "High-speed Maneuver"): Card(
        1, 4, 1, lambda f: {"damage 1-3"} if len(f) <= 2 else set()),
    ("spad", "Turning Maneuver"): Card(1, 1, 2, lambda _: set()),
}  # fmt: skip
CARDS = sorted(BOOK)


# -- the oracle -----------------------------------------------------------------------------------


def towards(heading: int) -> complex:
    """One space in that direction; north is up."""
    return 1j * cmath.exp(-1j * math.radians(60 * heading))


def point(name: str) -> complex:
    """The middle of a space: q counts to the south-east, r to the south."""
    q, r = name.split(",")
    return int(q) * towards(2) + int(r) * towards(3)


def is_on_board(place: complex, radius: int = RADIUS) -> bool:
    """Inside the hexagon whose corners lie so many spaces from the middle."""
    normals = (cmath.exp(1j * math.radians(60 * side)) for side in range(6))
    inner = radius * math.cos(math.radians(30)) + 1e-6
    return all((place * normal.conjugate()).real <= inner for normal in normals)


@cache
def names_by_point() -> dict[tuple[int, int], str]:
    """The names of all spaces near and on the board."""
    spaces = (f"{q},{r}" for q, r in product(range(-9, 10), repeat=2))
    return {_grid(point(space)): space for space in spaces}


def _grid(place: complex) -> tuple[int, int]:
    return (round(place.real * 1000), round(place.imag * 1000))


def flown(place: complex, heading: int, flight: str) -> tuple[complex, int] | None:
    """Where these letters lead, one step after the other; None where one leaves the board."""
    for letter in flight:
        heading += BENDS[letter]
        place += towards(heading)
        if not is_on_board(place):
            return None
    return place, heading % 6


@cache
def flights(start: str) -> tuple[tuple[str, str, int], ...]:
    """All flights of one to four steps: letters, the space and the heading they end with."""
    space, named = start.split(" ")
    found: list[tuple[str, str, int]] = []
    for steps in range(1, 5):
        for letters in product("LCR", repeat=steps):
            end = flown(point(space), HEADINGS.index(named), "".join(letters))
            if end is not None:
                found.append(("".join(letters), names_by_point()[_grid(end[0])], end[1]))
    return tuple(found)


def by_the_book(start: str, card: Card, occupied: Collection[str] = ()) -> dict[str, set[Outcome]]:
    """Every legal end pose, and the different things the ways to it make due."""
    found: dict[str, set[Outcome]] = {}
    turned = {1: (-1, 0, 1), 2: (-2, 0, 2)}[card.turns]
    for letters, space, heading in flights(start):
        if card.fewest <= len(letters) <= card.most and space not in occupied:
            for turn in turned:
                end = f"{space} {HEADINGS[(heading + turn) % 6]}"
                found.setdefault(end, set()).add(frozenset(card.due(letters)))
    return found


# -- what the box lists ---------------------------------------------------------------------------


def printed(fighter: str, name: str) -> Maneuver:
    """A card of the box."""
    return fighters_of(assumed_figures())[fighter].maneuvers[name]


def listed(
    start: str, card: Maneuver, occupied: Collection[str] = (), **readings: str
) -> dict[str, set[Outcome]]:
    """The same of the box's own table."""
    board, spaces = assumed_figures().board, {Hex.read(space) for space in occupied}
    found = arrivals(board, Heading.read(start), card, spaces, Readings(**readings))
    return {end.name(): {due_of(due) for due in arrival.ways} for end, arrival in found.items()}


def all_starts() -> Iterator[str]:
    """Every space of the board with every heading."""
    for q, r in product(range(-RADIUS, RADIUS + 1), repeat=2):
        if is_on_board(point(f"{q},{r}")):
            yield from (f"{q},{r} {heading}" for heading in HEADINGS)


STARTS = tuple(all_starts())
SPACES = sorted({start.partition(" ")[0] for start in STARTS})


def test_the_oracle_sees_the_whole_board() -> None:
    """61 spaces with six headings each: what follows leaves none out."""
    assert len(SPACES) == 61
    assert len(STARTS) == 366


# -- every start pose, every card -----------------------------------------------------------------


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("fighter", "name"), CARDS)
def test_df_9_6_end_poses_and_conditions_from_everywhere(fighter: str, name: str) -> None:
    """Of each start pose on the board: which ends there are, and what the ways to each bring."""
    card, written = printed(fighter, name), BOOK[fighter, name]
    for start in STARTS:
        assert listed(start, card) == by_the_book(start, written), start


@pytest.mark.parametrize(("fighter", "name"), CARDS)
@given(
    start=st.sampled_from(STARTS), others=st.sets(st.sampled_from(SPACES), max_size=12)
)  # fmt: skip
def test_df_9_3_flights_pass_planes_and_end_on_none(
    fighter: str, name: str, start: str, others: set[str]
) -> None:
    """With other planes anywhere; where none is left over, the card cannot be flown."""
    occupied = others - {start.partition(" ")[0]}
    card = printed(fighter, name)
    wanted = by_the_book(start, BOOK[fighter, name], occupied)
    assert listed(start, card, occupied) == wanted
    spaces = {Hex.read(space) for space in occupied}
    names = flyable(assumed_figures().board, Heading.read(start), [card], spaces)
    assert any(names) == bool(wanted)


@pytest.mark.parametrize(
    ("reading", "fighter", "name", "due"),
    [
        ({"frontal_exact": "whole_move"}, "camel", "Basic Maneuver",
         lambda f: {"token 4-6"} if f == "C" else set()),
        ({"frontal_exact": "whole_move"}, "spad", "Basic Maneuver",
         lambda f: {"again 4-6"} if f == "CC" else set()),
        ({"same_direction": "straight"}, "albatros", "Basic Maneuver",
         lambda f: {"token 4-6"} if f == "CC" else set()),
        ({"same_direction": "straight"}, "albatros", "High-speed Maneuver",
         lambda f: {"token 4-6"} if f.count("C") == 2 else set()),
        ({"same_direction": "compass"}, "albatros", "Basic Maneuver",
         lambda f: {"token 4-6"} if f in ("LC", "CC", "RC") else set()),
        ({"same_direction": "compass"}, "albatros", "High-speed Maneuver",
         lambda f: {"token 4-6"} if two_by_compass(f) else set()),
    ],
)  # fmt: skip
def test_ruling_6_and_7_house_readings_from_everywhere(
    reading: dict[str, str], fighter: str, name: str, due: Callable[[str], set[str]]
) -> None:
    """The other readings of the damaged conditions change what is due, never where one may end."""
    written = BOOK[fighter, name]._replace(due=due)
    for start in STARTS:
        found = listed(start, printed(fighter, name), **reading)
        assert found == by_the_book(start, written), start
        assert found.keys() == by_the_book(start, BOOK[fighter, name]).keys(), start


def two_by_compass(flight: str) -> bool:
    """Exactly two steps towards one point of the compass."""
    bearings = [*accumulate(BENDS[letter] for letter in flight)]
    return max(bearings.count(bearing) for bearing in bearings) == 2


# -- when the way is asked (DF-9.7) ---------------------------------------------------------------


def ambiguous(fighter: str, name: str, start: str = "0,0 N") -> set[str]:
    """End poses to which ways lead that bring different things, by the oracle."""
    found = by_the_book(start, BOOK[fighter, name])
    return {end for end, outcomes in found.items() if len(outcomes) > 1}


def ends_of(flight: str, turn: int = 0, start: str = "0,0 N") -> str:
    """Where letters and a turn lead."""
    space, heading = next((s, h) for letters, s, h in flights(start) if letters == flight)
    return f"{space} {HEADINGS[(heading + turn) % 6]}"


def test_29_4_the_known_pairs_of_basic_maneuvers() -> None:
    """Straight, left and a Turn right end like left, right, and so on, mirrored too.

    That matters to the Camel in all four, to the Fokker in the two where only one of the ways has
    a step right, to Albatros and SPAD never.
    """
    left_pair, right_pair = {ends_of("LR"), ends_of("CL")}, {ends_of("RL"), ends_of("CR")}
    assert left_pair == {ends_of("CL", +1), ends_of("LR", -1)}
    assert right_pair == {ends_of("CR", -1), ends_of("RL", +1)}
    assert ambiguous("camel", "Basic Maneuver") == left_pair | right_pair
    assert ambiguous("fokker", "Basic Maneuver") == left_pair
    assert not ambiguous("albatros", "Basic Maneuver")
    assert not ambiguous("spad", "Basic Maneuver")


@pytest.mark.parametrize("fighter", ["fokker", "camel", "albatros", "spad"])
def test_29_4_one_step_is_never_asked_about(fighter: str) -> None:
    """A Turning Maneuver's end tells its way."""
    assert not any(ambiguous(fighter, "Turning Maneuver", start) for start in STARTS)


def test_29_4_high_speed_has_many_more() -> None:
    """Two straight steps end like left, right, right and a Turn back.

    Conditions of three High-speed Maneuvers, the SPAD's speed among them, hang on which it was.
    """
    end = ends_of("CC")
    assert end == ends_of("LRR", -1) == ends_of("RLL", +1) == "0,-2 N"
    for fighter in ("fokker", "camel", "spad"):
        assert end in ambiguous(fighter, "High-speed Maneuver")
    sizes = {f: len(ambiguous(f, "High-speed Maneuver")) for f, _ in CARDS}
    assert sizes == {"albatros": 12, "camel": 12, "fokker": 21, "spad": 15}


@pytest.mark.parametrize("start", ["0,0 N", "0,-4 SE"])
@pytest.mark.parametrize(("fighter", "name"), CARDS)
def test_29_4_the_way_is_asked_when_it_matters_and_only_then(
    table_at: MakeTable, fighter: str, name: str, start: str
) -> None:
    """At the table, for every end pose.

    The way is asked just where ways differ in what they bring, a die just where one is due.
    """
    for end, outcomes in by_the_book(start, BOOK[fighter, name], {"2,2"}).items():
        table = fly(table_at, fighter, name, start, end)
        asked = [key.rpartition("/")[2] for key in table.asked]
        if len(outcomes) > 1:
            assert asked == ["way"], end
        else:
            assert ("condition" in asked) == bool(*outcomes), end
            assert "way" not in asked, end


@pytest.mark.parametrize(("fighter", "name"), [card for card in CARDS if ambiguous(*card)])
def test_29_4_every_way_that_explains_the_pose_is_an_answer(
    table_at: MakeTable, fighter: str, name: str
) -> None:
    """Whoever flew it finds it among the answers, by its steps and Turn; the die hangs on it."""
    for end in sorted(ambiguous(fighter, name)):
        table = fly(table_at, fighter, name, "0,0 N", end)
        ways = ways_by_the_book(end, BOOK[fighter, name])
        options = table.question("way").options_now()
        assert {option.name: due_of(option.value) for option in options} == ways, end
        steps = [len([w for w in o.name.split(", ") if "turn" not in w]) for o in options]
        assert steps == sorted(steps), "the shortest way comes first"
        way, due = ways.popitem()
        asked = table.say("way", way).asked
        assert any(key.endswith("/condition") for key in asked) == bool(due), way


def ways_by_the_book(end: str, card: Card) -> dict[str, Outcome]:
    """Every way from the middle to an end pose, in words, and what it brings."""
    return {
        in_words(letters, turn): frozenset(card.due(letters))
        for letters, _, _ in flights("0,0 N")
        for turn in (-1, 0, 1)
        if card.fewest <= len(letters) <= card.most and ends_of(letters, turn) == end
    }


def in_words(letters: str, turn: int) -> str:
    """A way as people say it."""
    words = [{"L": "left", "C": "straight", "R": "right"}[letter] for letter in letters]
    return ", ".join([*words, *{-1: ["turn left"], 1: ["turn right"]}.get(turn, [])])


def test_29_4_a_way_that_was_not_open_is_refused(table_at: MakeTable) -> None:
    """The answer names the ways that there are; nothing has changed."""
    table = fly(table_at, "camel", "Basic Maneuver", "0,0 N", ends_of("LR"))
    refusal = table.refused("way", "right, left")
    assert 'Name one of these: "left, right", "straight, left, turn right".' in str(refusal)
    assert refusal.cite.rules == ("DF-17.2.M1", "DF-9.7")
    assert refusal.cite.rulings == (6,)


def fly(table_at: MakeTable, fighter: str, name: str, start: str, end: str) -> Any:
    """A seat flies that card from there to there; the other plane is far off."""
    table = table_at(
        A={"fighter": fighter, "pilot": "mentor", "place": start},
        B={"fighter": "fokker" if fighter == "camel" else "camel", "place": "2,2 N"},
    )
    return table.act(name).say("fly", end)


def due_of(due: Due) -> Outcome:
    """What a way brings, as the oracle writes it."""
    return frozenset(f"{check.effect} {check.low}-{check.high}" for check in due)
