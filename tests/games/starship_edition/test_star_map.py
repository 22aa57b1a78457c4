"""Maps made of squares: turns, distance, reach and sight.  (SE-SET-02, RULING 3)"""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.games.starship_edition.boards import StarMap, board_plan
from companion.games.starship_edition.figures import assumed_figures, read_figures


def map_of(*rows: str, kind: str = "square", **more: Any) -> StarMap:
    """A map of one square."""
    own: dict[str, Any] = {"squares": {"one": {"rows": [*rows]}},
           "map": {"kind": kind, "layouts": {"2": [["one"]]}, **more}}  # fmt: skip
    made = read_figures(own).map_for(2)
    assert made is not None
    return made


def test_squares_turn_clockwise() -> None:
    """A start at the top left of a square turned by 90 degrees is at its top right."""
    own: dict[str, Any] = {
        "squares": {"one": {"rows": ["AB", ".."]}},
        "map": {"layouts": {"2": [["one@90"]]}},
    }
    made = read_figures(own).map_for(2)
    assert made is not None
    assert made.starts == {(2, 1): "A", (2, 2): "B"}


def test_distance_counts_outward_from_0() -> None:
    """Diagonal steps count as one, or are not allowed; hexes have six neighbours."""
    diagonal = map_of("A..", "...", "..B")
    assert (diagonal.distance((1, 1), (1, 1)), diagonal.distance((1, 1), (3, 3))) == (0, 2)
    assert map_of("A..", "...", "..B", diagonal_steps=False).distance((1, 1), (3, 3)) == 4
    assert map_of("A..", "...", "..B", kind="hex").distance((0, 0), (1, 2)) == 3


def test_reach_goes_round_obstructions() -> None:
    """The space behind a wall is farther than its distance."""
    made = map_of("A#B", ".#.", "...", diagonal_steps=False)
    assert (1, 1) in made.reach((1, 1), 0)
    assert (3, 1) not in made.reach((1, 1), 5)
    assert made.reach((1, 1), 6)[(3, 1)] == 6


def test_sight_is_stopped_inside_and_not_at_a_corner() -> None:
    """Straight through an obstruction: no; past its corner: yes."""
    made = map_of("A...", ".#..", "...B")
    assert not made.sees((1, 2), (4, 2))
    assert not made.sees((1, 1), (3, 3))
    assert made.sees((1, 1), (4, 1))
    assert map_of("A#", ".B").sees((1, 1), (2, 2))


@given(one=st.tuples(st.integers(1, 8), st.integers(1, 8)),
       other=st.tuples(st.integers(1, 8), st.integers(1, 8)))  # fmt: skip
def test_distance_and_sight_are_the_same_both_ways(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    """Who sees is seen, and is as far."""
    made = assumed_figures().map_for(2)
    assert made is not None
    assert made.distance(one, other) == made.distance(other, one)
    assert made.sees(one, other) == made.sees(other, one)


def test_the_plan_has_every_space_and_vessel_with_markers_of_its_own() -> None:
    """For each number of players and each grid; no marker twice."""
    for kind in ("square", "hex"):
        figures = read_figures({"map": {"kind": kind, "headings": True}})
        for players in range(2, 7):
            made = figures.map_for(players)
            assert made is not None
            plan = board_plan(made)
            assert len(plan.spaces) == len(made.spaces)
            assert len(plan.boards[0].facings) == (6 if kind == "hex" else 8)
            ids = [token.marker for token in plan.tokens] + [*(plan.boards[0].corners or ())]
            assert len(set(ids)) == len(ids) == 10
    assert board_plan(None).boards == ()
