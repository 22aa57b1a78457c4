"""What is in the box, and how the table is set up.  (HX-MAT, HX-SET, RULING 1 to 6)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.games.dogfight_hex.cards import assumed_figures, read_figures
from companion.games.dogfight_hex.seats import FEWEST, HULLS, MOST, SEATS, SHIPS, WRECKS
from companion.games.dogfight_hex.switches import SWITCHES
from companion.kit.hexes import Hex
from companion.kit.piles import drawn

Start = Callable[..., Any]


def scatter(table: Any, *spaces: str) -> Any:
    """The four wreckage tokens, by hand."""
    for number, space in enumerate(spaces or ("1,0", "2,0", "3,0", "4,0"), 1):
        table.say(f"wreck-{number}", space)
    return table


def test_hx_mat_01_six_ships_twelve_hull_points_four_wreckage(new_table: Start) -> None:
    """Each has a marker of its own, and a deck of action cards lies by."""
    table = new_table()
    tokens = table.match.rulebook.plan.tokens
    markers = [token.marker for token in tokens]
    corners = table.match.rulebook.plan.boards[0].corners
    assert (len(SHIPS), sum(map(len, HULLS.values())), len(WRECKS)) == (6, 12, 4)
    assert len({*markers, *corners}) == len(markers) + 4
    assert table.position.deck.left == 54


def test_ruling_01_the_map_is_a_hexagon_of_radius_five_unless_a_table_says_else() -> None:
    """91 spaces, the 30 outermost are for the start; any list of spaces is taken too."""
    board = assumed_figures().board
    assert len(board.spaces) == 91
    assert all(max(abs(q), abs(r), abs(q + r)) <= 5 for q, r in board.spaces)
    assert {s.distance(Hex(0, 0)) for s in assumed_figures().start_spaces} == {5}
    square: list[Any] = [[q, r] for q in range(5) for r in range(5)]
    own = read_figures({"map": {"spaces": square, "start_spaces": square[:12]}})
    assert (len(own.board.spaces), len(own.start_spaces)) == (25, 12)
    flat = read_figures({"map": {"orientation": "flat"}})
    assert flat.facings == ("N", "NE", "SE", "S", "SW", "NW")


def test_ruling_02_a_deck_of_54_whose_counts_only_warn(at: Start) -> None:
    """A thirteenth card of a kind is warned of and taken."""
    assert Counter(assumed_figures().deck.values()) == {12: 3, 6: 3}
    table = at("reveal", discard=12, discarded={"short": 12})
    caution = table.question("reveal/A").word_before("short")
    assert (caution.code, "More than 12" in caution.text) == ("HX-W-COUNT", True)
    assert table.question("reveal/A").word_before("long") is None
    table.reveal(A="short", B="long", C="shield anchor", D="shield anchor")
    assert table.texts("more of that kind than the 12 the deck has (assumed figure)")


def test_hx_set_01_four_wreckage_tokens_on_four_spaces(new_table: Start) -> None:
    """Different ones, start spaces among them."""
    table = new_table()
    table.say("wreck-1", "0,-5").say("wreck-2", "0,0")
    for space in ("0,0", "6,0"):
        refusal = table.refused("wreck-3", space)
        assert refusal.code == "HX-E-WRECK-SETUP"
    table.say("wreck-3", "1,1").say("wreck-4", "2,2")
    assert table.wreckage(*WRECKS) == {
        "wreck-1": "0,-5", "wreck-2": "0,0", "wreck-3": "1,1", "wreck-4": "2,2",
    }  # fmt: skip


def test_ruling_03_wreckage_by_lot_and_off_the_start_spaces(new_table: Start) -> None:
    """The companion draws the rest from a number; a house rule keeps the start spaces free."""
    table = new_table()
    table.say("wreck-1", "0,0").say("wreck-2", "lot").say("number/wreckage", 47)
    assert len(set(table.wreckage(*WRECKS).values())) == 4
    again = new_table().say("wreck-1", "0,0").say("wreck-2", "lot").say("number/wreckage", 47)
    assert again.wreckage(*WRECKS) == table.wreckage(*WRECKS)
    strict = new_table(options={"wreckage_on_start": "forbid"})
    assert strict.refused("wreck-1", "0,-5").code == "HX-E-WRECK-SETUP"
    assert len(strict.names("wreck-1")) == 61 + 1


def test_ruling_03_lots_are_fair_enough() -> None:
    """Over all numbers each space comes up about as often as another."""
    spaces = sorted(assumed_figures().board.spaces)
    found = Counter(drawn(spaces, f"Ana, Ben/{number}/wreck-1") for number in range(1, 9101))
    assert len(found) == 91
    assert all(60 < count < 145 for count in found.values())


def test_hx_set_02_the_first_player_token_goes_to_who_was_on_a_boat_last(
    new_table: Start,
) -> None:
    """Whoever is named; silence means seat A, which sits first."""
    table = scatter(new_table())
    assert table.question("first").lapse == "A"
    assert table.refused("first", "Nemo").code == "HX-E-WHO"
    table.say("first", "C")
    assert table.position.first == "C"
    assert table.asked == ["set-up/ship/C"]


def test_ruling_05_nobody_knows_who_was_on_a_boat(new_table: Start) -> None:
    """A lot from a number that somebody says."""
    table = scatter(new_table()).say("first", "lot").say("number/first", 7)
    people = "Player A, Player B, Player C, Player D"
    assert table.position.first == drawn([*SEATS[:4]], f"{people}/7/lot")
    assert table.cited("RULING 5")


def place_all(table: Any, first: str = "A") -> Any:
    """Every ship on its start space, from A on."""
    places = {"A": "0,-5 SE", "B": "5,-5 SW", "C": "5,0 W", "D": "0,5 NW"}
    table.say("first", first)
    for seat, place in places.items():
        table.say(f"ship/{seat}", place)
    return table


def test_hx_set_03_and_04_a_ship_and_two_hull_points_each(new_table: Start) -> None:
    """Seat A has ship A, and so on."""
    table = place_all(scatter(new_table()))
    assert [ship.hull for ship in table.position.ships.values()] == [2, 2, 2, 2]
    assert len(table.cited("HX-SET-04")) == 4


def test_hx_set_05_ships_are_placed_clockwise_on_start_spaces(new_table: Start) -> None:
    """From the first player on, one by one; no other space will do."""
    table = scatter(new_table(), "0,-5", "2,0", "3,0", "4,0").say("first", "B")
    assert table.refused("ship/B", "0,0 E").code == "HX-E-START"
    assert table.refused("ship/B", "A: 5,-5 SW").code == "HX-E-ORDER"
    assert table.refused("ship/B", "there").code == "HX-E-READ"
    refusal = table.refused("ship/B", "0,-5 SE")
    assert (refusal.code, "Wreckage is on 0,-5" in refusal.text) == ("HX-E-OCCUPIED", True)
    asked = []
    for place in ("1,-5 SE", "5,-5 SW", "5,0 W", "0,5 NW"):
        asked.append(table.asked[0])
        table.say("", place)
    assert asked == [f"set-up/ship/{seat}" for seat in "BCDA"]


def test_ruling_04_any_free_start_space_and_any_heading(new_table: Start) -> None:
    """Ships may stand side by side."""
    table = scatter(new_table()).say("first", "A")
    assert len(table.names("ship/A")) == 30 * 6
    table.say("ship/A", "0,-5 NW").say("ship/B", "1,-5 NW")
    assert table.place("B") == "1,-5 NW"


def test_hx_set_06_shuffle_and_draw_four_each(new_table: Start) -> None:
    """Sixteen cards for four players; then the game begins."""
    table = place_all(scatter(new_table()))
    assert [table.cards(seat) for seat in "ABCD"] == [4, 4, 4, 4]
    assert table.position.deck.left == 54 - 16
    (told,) = [ruling for ruling in table.cited("HX-SET-06") if ruling.deeds]
    assert [deed.count for deed in told.deeds] == [4, 4, 4, 4]
    assert not told.quiet, "hands draw, so it is shown until somebody has read it"
    assert table.asked == [f"turn-1/declare/{seat}" for seat in "ABCD"]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_hx_set_07_three_to_six_players(new_table: Start, players: int) -> None:
    """As many ships."""
    table = new_table(options={"players": players})
    assert list(table.position.ships) == list("ABCDEF")[:players]


def test_hx_set_07_only_who_plays_can_have_won(new_table: Start) -> None:
    """Whoever closes a match chooses among these seats, no others."""
    table = new_table(options={"players": 5})
    assert [*table.match.rulebook.sides] == [*table.match.rulebook.seats] == list("ABCDE")
    with pytest.raises(BadCall, match=r"allowed are any of A, B, C, D, E$"):
        table.match.close(["F"], "", "the lamp went out", stamp=table.stamp)
    table.match.close(["E"], "", "the lamp went out", stamp=table.stamp)
    assert table.winners == ("E",)


def test_ruling_06_two_only_by_house_rule_and_never_more_than_six(new_table: Start) -> None:
    """Too few, one too many, and a name for a seat too many: each with the limit and its code."""
    with pytest.raises(BadCall, match=r"players: 2; 3 to 6 play .HX-E-PLAYERS, HX-SET-07"):
        new_table(options={"players": 2})
    assert len(new_table(options={"players": 2, "allow_two_players": True}).position.ships) == 2
    for players in (1, 7, "7"):
        with pytest.raises(BadCall, match=rf"players: {players}; 3 to 6 play .HX-E-PLAYERS, HX-SE"):
            new_table(options={"players": players})
    with pytest.raises(BadCall, match=r"seat 'E' is none of the 4 here, A, B, C, D .HX-E-PLAYERS"):
        new_table(seats={"E": "Eve"})


def test_a_deck_that_cannot_deal_is_refused(new_table: Start) -> None:
    """Six players draw 24 cards."""
    few = {"deck": {"short": 20, "medium": 0, "long": 0, "shield no draw": 0,
                    "shield reuse": 0, "shield anchor": 0}}  # fmt: skip
    with pytest.raises(BadCall, match="20 cards; 6 players draw 24"):
        new_table(options={"players": 6}, cards=few)
    assert new_table(options={"players": 5}, cards=few).position.deck.left == 20


def test_the_front_page_says_how_many_play_as_the_refusal_does() -> None:
    """HX-SET-07 has three to six; two are a house rule, which the refusal names as well."""
    page = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    (row,) = [line for line in page.splitlines() if "`dogfight-hex`" in line and "|" in line]
    assert f"| {FEWEST} to {MOST}; 2 by a house rule |" in row
    assert SWITCHES["players"].refused.endswith("], 2 with allow_two_players")
