"""The end of the turn, and of the game.  (HX-END, HX-WIN, RULING 7, RULING 27 to 29)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Start = Callable[..., Any]

USED = {"card": "shield anchor", "stopped": True}


def last_card(at: Start, /, players: int = 4, **lines: Any) -> Any:
    """All have used their shields; the turn is about to end."""
    told: dict[str, Any] = {seat: {**USED} for seat in "ABCDEF"[:players]}
    for seat in [name for name in lines if name in told]:
        told[seat] = {**told[seat], **lines.pop(seat)}
    return at("resolution", players, **told, **lines)


def test_ruling_07_debris_then_discards_then_the_token_then_the_draw(at: Start, dead: Any) -> None:
    """In this order, whatever the book mentions first."""
    table = last_card(at, D={**dead("0,0"), "card": None, "stopped": None})
    table.say("debris/D", "1,0")
    cites = [str(ruling.cite).split(", ")[0] for ruling in table.rulings]
    order = ["HX-DEB-01", "HX-END-01", "HX-END-03", "HX-END-02"]
    assert [cites.index(cite) for cite in order] == sorted(cites.index(cite) for cite in order)


def test_hx_end_01_used_cards_are_discarded(at: Start) -> None:
    """Four cards more on the discard pile, none before the players."""
    table = last_card(at)
    assert table.position.deck.discarded == 4
    assert [table.cards(seat, "card") for seat in "ABCD"] == [0] * 4


def test_hx_end_02_each_living_player_draws_one_card(at: Start, dead: Any) -> None:
    """Unless the shield used forbids it."""
    table = last_card(at, B={"no_draw": True}, D={**dead("0,0"), "card": None, "stopped": None})
    table.say("debris/D", "stay")
    assert [table.cards(seat) for seat in "ABCD"] == [4, 3, 4, 0]


def test_hx_end_03_the_token_goes_one_seat_clockwise(at: Start) -> None:
    """From the last seat to the first."""
    assert last_card(at, first="B").position.first == "C"
    assert last_card(at, first="D").position.first == "A"


def test_hx_end_04_past_those_who_are_destroyed(at: Start, dead: Any) -> None:
    """On to the next living player."""
    gone = {"card": None, "stopped": None}
    table = last_card(at, 5, first="A", B={**dead("0,0"), **gone}, C={**dead("1,1", 2), **gone})
    table.say("debris/B", "stay").say("debris/C", "stay")
    assert table.position.first == "D"
    assert table.asked == [f"turn-4/declare/{seat}" for seat in "DEA"]


def test_hx_end_04_the_starting_player_may_die_in_its_own_turn(at: Start) -> None:
    """The order of the turn goes on from that seat; the token passes to the next one."""
    table = last_card(at, first="B", A={"place": "0,0 E", "card": "short", "stopped": False},
                      B={"place": "1,0 W", "hull": 1, "aside": 1})  # fmt: skip
    table.say("hull-b-2", "2,0")
    assert table.asked == ["turn-3/debris/B"]
    table.say("debris/B", "stay")
    assert table.position.first == "C"


def test_ruling_27_an_empty_deck_is_made_anew_of_the_discard_pile(at: Start) -> None:
    """Drawn in this turn's order; what was known of the discard pile is forgotten."""
    table = last_card(at, discard=36, discarded={"short": 5}, deck=2)
    assert table.cited("RULING 27")
    assert (table.position.deck.left, table.position.deck.discarded) == (38, 0)
    assert table.position.deck.seen()["short"] == 0


def test_ruling_27_with_no_card_anywhere_the_draw_is_skipped(at: Start) -> None:
    """The last in order goes without."""
    data = {"deck": {"short": 12, "medium": 0, "long": 0, "shield no draw": 0,
                     "shield reuse": 0, "shield anchor": 4}}  # fmt: skip
    table = at("resolution", first="B", deck=0, data=data,
               **dict.fromkeys("ABCD", USED))  # fmt: skip
    assert [table.cards(seat) for seat in "BCDA"] == [4, 4, 4, 4]
    none = {"hand": 0, "declared": 0}
    few = at("resolution", first="B", deck=0, data=data, A={"hand": 7, "card": "short"},
             B={"hand": 8, "declared": 0}, C=none, D=none)  # fmt: skip
    assert [few.cards(seat) for seat in "BCDA"] == [9, 0, 0, 7]
    assert len(few.texts("No card is left for")) == 3


def test_hx_win_01_the_last_ship_wins(at: Start) -> None:
    """And the others are placed by when they fell, the latest first."""
    table = last_card(at, 3, A={"place": "0,0 E", "card": "short", "stopped": False},
                      B={"place": "1,0 W", "hull": 1, "aside": 1},
                      C={"place": "0,1 W", "hull": 1, "aside": 1})  # fmt: skip
    outcome = table.match.outcome
    assert outcome.winners == ("A",)
    assert outcome.ruling.text.endswith("Player B and Player C are second.")


def test_standings_share_places_and_count_on(at: Start, dead: Any) -> None:
    """Two that fell together are both second, who fell before them is fourth."""
    gone = {"card": None, "stopped": None}
    table = last_card(at, 4, A={"place": "0,0 E", "card": "short", "stopped": False},
                      B={"place": "1,0 W", "hull": 1, "aside": 1},
                      C={"place": "0,1 W", "hull": 1, "aside": 1},
                      D={**dead("4,4"), **gone, "debris": "0,5"})  # fmt: skip
    text = table.match.outcome.ruling.text
    assert text.endswith("Player B and Player C are second; Player D is fourth.")


def test_hx_win_02_a_destroyed_player_still_moves_debris_and_cannot_win(
    at: Start, dead: Any
) -> None:
    """D's debris takes the last but one, and C wins."""
    gone = {"card": None, "stopped": None}
    table = last_card(at, 4, A={**dead("0,5"), **gone}, B={"place": "1,0 W", "hull": 1, "aside": 1},
                      D={**dead("2,0", 2), **gone})  # fmt: skip
    table.say("debris/A", "stay").say("debris/D", "ram B")
    assert table.match.outcome.winners == ("C",)


def test_ruling_28_the_game_stops_with_the_hit_that_leaves_one_ship(at: Start) -> None:
    """No wreckage is laid, no card carried out, no debris, no draw."""
    table = last_card(at, 3, A={"place": "0,0 E", "card": "short", "stopped": False},
                      B={"place": "1,0 W", "hull": 1, "aside": 1},
                      C={"place": "0,1 W", "hull": 1, "aside": 1})  # fmt: skip
    assert not table.match.open
    assert table.wreckage() == {}
    assert not table.cited("HX-END-02")
    assert [table.ship(s).aside for s in "BC"] == [2, 2]


def test_ruling_29_the_last_ships_can_fall_together_only_by_house_rule(at: Start) -> None:
    """Then it is a draw between them."""
    lines = {"A": {"place": "0,0 E", "card": "short", "stopped": False, "hull": 1, "aside": 1},
             "B": {"place": "1,0 W", "card": "short", "stopped": False, "hull": 1, "aside": 1},
             "C": {"place": "0,1 W", "hull": 1, "aside": 1}}  # fmt: skip
    table = last_card(at, 3, **lines, RESOLUTION="simultaneous")
    assert table.match.outcome.winners == ()
    assert "draw between Player A, Player B and Player C" in table.match.outcome.ruling.text
    ordered = last_card(at, 3, **lines)
    assert ordered.match.outcome.winners == ("A",)


def test_ruling_30_the_arbiter_may_close_a_match_that_nobody_has_won_yet(at: Start) -> None:
    """Whoever is named has won, under the arbiter's own ruling; nothing is asked any more."""
    table = at("movement", 3)
    table.match.close(["B"], "The hall shuts.", "it is midnight", table.stamp)
    assert table.winners == ("B",)
    assert str(table.match.outcome.ruling.cite) == "RULING 30"
    assert table.asked == []
