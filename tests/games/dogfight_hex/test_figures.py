"""A table's own map and deck: read, confirmed, and refused where they cannot be.  (RULING 1, 2)"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile, CompanionError
from companion.games.dogfight_hex.boards import board_plan
from companion.games.dogfight_hex.cards import ASSUMED, OWN_FIGURES, assumed_figures, read_figures
from companion.kit.hexes import Hex, hexagon

Start = Callable[..., Any]

HEXAGON = [[q, r] for q, r in sorted(hexagon(2))]
EDGE = [[q, r] for q, r in sorted(hexagon(2)) if Hex(q, r).distance(Hex(0, 0)) == 2]


@pytest.mark.parametrize(
    ("own", "place", "words"),
    [
        ({"map": {"radius": 1}}, "map.radius", "greater than or equal to 2 is expected, not 1"),
        ({"map": {"radius": 13}}, "map.radius", "less than or equal to 12"),
        ({"map": {"radius": "wide"}}, "map.radius", "not 'wide'"),
        ({"map": {"orientation": "round"}}, "map.orientation", "'pointy' or 'flat'"),
        ({"map": {"shape": "hexagon"}}, "map.shape", "there are radius, orientation, spaces"),
        ({"map": {"spaces": [[0, 0]]}}, "map.spaces", "1 spaces; at least 16 are needed"),
        ({"map": {"spaces": [*HEXAGON, [0, 0]]}}, "map.spaces", "0,0 is named twice"),
        ({"map": {"spaces": [*HEXAGON, [9, 9]]}}, "map.spaces", "9,9 lies over 12 spaces"),
        ({"map": {"spaces": [*HEXAGON, [5, 0]]}}, "map.spaces", "cannot be reached from"),
        ({"map": {"spaces": [[0]]}}, "map.spaces.0.1", "is required"),
        ({"map": {"start_spaces": "ring"}}, "map.start_spaces", '"edge" or a list of spaces'),
        ({"map": {"start_spaces": [[9, 9]]}}, "map.start_spaces", "9,9 is not on the map"),
        ({"map": {"start_spaces": EDGE[:9]}}, "map.start_spaces", "9 spaces; 6 ships and 4"),
        ({"map": {"start_spaces": [*EDGE, EDGE[0]]}}, "map.start_spaces", "is named twice"),
        ({"deck": {"short": -1}}, "deck.short", "greater than or equal to 0"),
        ({"deck": {"short": 61}}, "deck.short", "less than or equal to 60"),
        ({"deck": {"torpedo": 3}}, "deck.torpedo", "there are short, medium, long, shield no draw"),
        ({"deck": dict.fromkeys(("short", "medium", "long"), 0)}, "deck", "nobody could ever win"),
        ({"deck": {"short": 1, "medium": 0, "long": 0, "shield no draw": 1, "shield reuse": 0}},
         "deck", "8 cards; 3 players draw 12"),
        ({"medium_range": {"spaces": []}}, "medium_range.spaces", "at least 1 item"),
        ({"medium_range": {"spaces": [[0, 0]]}}, "medium_range.spaces", "is not 1 to 4 spaces"),
        ({"medium_range": {"spaces": [[5, 0]]}}, "medium_range.spaces", "is not 1 to 4 spaces"),
        ({"medium_range": {"spaces": [[1, 0], [1, 0]]}}, "medium_range.spaces", "named twice"),
        ({"map": "hexagon"}, "map", "not 'hexagon'"),
        ({"confirmed": ["map.size"]}, "confirmed", "'map.size' is no assumed figure; there are"),
        ({"confirmed": 3}, "confirmed", "true, false or a list of figures is expected, not 3"),
        ({"name": ""}, "name", "at least 1 character"),
        ({"ships": {}}, "ships", "there are name, confirmed, map, deck, medium_range"),
    ],
)  # fmt: skip
def test_a_broken_file_names_its_place_and_what_is_allowed(
    own: dict[str, Any], place: str, words: str
) -> None:
    """Twenty-eight kinds of damage."""
    with pytest.raises(BadFile) as refused:
        read_figures(own, "ours.toml")
    assert refused.value.source == "ours.toml"
    assert (refused.value.place, words in refused.value.text) == (place, True), refused.value


@given(raw=st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["name", "confirmed", "map", "radius", "spaces", "start_spaces", "deck", "short",
         "medium_range", "x"]), inner, max_size=5), max_leaves=15))  # fmt: skip
def test_whatever_stands_in_a_file_is_read_or_refused(raw: Any) -> None:
    """Never a crash."""
    with suppress(CompanionError):
        read_figures(raw if isinstance(raw, dict) else {"map": raw})


def test_every_assumed_figure_may_be_listed_changed_and_confirmed() -> None:
    """One by one, or all as they stand."""
    listed = OWN_FIGURES.listed({})
    assert [figure.name for figure in listed] == list(ASSUMED)
    assert not any(figure.confirmed for figure in listed)
    by_name = {figure.name: figure for figure in listed}
    assert (by_name["map.radius"].text, by_name["map.radius"].low) == ("5", 2)
    assert by_name["map.start_spaces"].text == "edge"
    own = OWN_FIGURES.changed({}, "deck.shield reuse", 4)
    figures = read_figures(own)
    assert (figures.deck["shield reuse"], figures.deck_size) == (4, 52)
    assert figures.confirmed == {"deck.shield reuse"}
    whole = read_figures(OWN_FIGURES.confirmed(own, "club copy"))
    assert (whole.name, set(whole.confirmed)) == ("club copy", set(ASSUMED))
    with pytest.raises(BadFile, match="is no assumed figure"):
        OWN_FIGURES.changed({}, "map.colour", "blue")
    with pytest.raises(BadFile, match=r"deck\.short"):
        OWN_FIGURES.changed({}, "deck.short", 99)


def test_what_was_confirmed_is_no_longer_called_assumed(new_table: Start) -> None:
    """HX-SET-05 rests on the start lines; the first ruling counts what is open."""
    table = new_table(cards={"confirmed": ["map.start_spaces"]})
    assert "9 of 10 figures still have to be checked" in table.rulings[0].text
    for number, space in enumerate(("1,0", "2,0", "3,0", "4,0"), 1):
        table.say(f"wreck-{number}", space)
    table.say("first", "A").say("ship/A", "0,-5 SE")
    assert table.last.text == "Player A starts on 0,-5 SE."


def test_the_plan_follows_the_map() -> None:
    """Pointy tops: facing 0 points up to the left; flat tops: up. Each space is a whole hex."""
    pointy = board_plan(assumed_figures()).boards[0]
    flat = board_plan(read_figures({"map": {"orientation": "flat"}})).boards[0]
    assert (pointy.facing_deg(0), flat.facing_deg(0)) == (330.0, 0.0)
    for board in (pointy, flat):
        middles = {space.name: space.centre_mm for space in board.spaces}
        for facing, ahead in enumerate(("0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0")):
            dx = middles[ahead][0] - middles["0,0"][0]
            dy = middles[ahead][1] - middles["0,0"][1]
            turned = board.facing_near(_heading_deg(dx, dy))
            assert turned[0] == facing
            assert abs(turned[1]) < 0.01
        width, height = board.size_mm
        assert all(0 < x < width and 0 < y < height for s in board.spaces for x, y in s.outline_mm)


def _heading_deg(dx: float, dy: float) -> float:
    return math.degrees(math.atan2(dx, -dy)) % 360.0


def test_a_match_is_played_on_a_tables_own_map(new_table: Start) -> None:
    """A hexagon of radius 2, with its edge for the start."""
    table = new_table(cards={"map": {"radius": 2}}, options={"players": 3})
    assert len(table.names("wreck-1")) == 19 + 1
    assert table.refused("wreck-1", "3,0").code == "HX-E-WRECK-SETUP"
