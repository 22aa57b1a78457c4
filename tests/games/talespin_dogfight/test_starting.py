"""Phase 1: announcing, choosing, defending, drawing.  (TS-101 to TS-111)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.offers import Offer
from companion.core.ruling import TABLE

MakeTable = Callable[..., Any]


def set_up(table: Any, players: int = 2, places: tuple[int, ...] = (1, 3, 9, 12)) -> Any:
    """Tell the counts: A on turn, PILOT 2, RANGE 2, five cards, two packed, one open."""
    table.say("A", *places[:players])
    for count in (2, 2, 5, 2, 1):
        for seat in "ABCD"[:players]:
            key = next(k for k in table.asked if k.endswith(f"/{seat}"))
            table.match.answer(_offer(key, count), table.stamp)
    return table.say(40, 10)


def _offer(key: str, raw: Any) -> Offer:
    return Offer(key, raw, "script", TABLE)


def test_the_set_up_asks_what_the_record_needs(new_table: MakeTable) -> None:
    """Whose turn, places, PILOT, RANGE, hands, cargo and the two piles; then the announcement."""
    table = set_up(new_table(options={"players": 3}), 3)
    assert table.step == "announce"
    assert (table.by, table.piles) == ("A", (40, 10))
    assert [table.position.players[s].place for s in "ABC"] == [1, 3, 9]
    assert table.position.piles.total == 3 * 8 + 50


def test_ts_101_a_pilot_card_leaves_the_hand_and_brings_its_figures(at: MakeTable) -> None:
    """PILOT and maneuver come from the table's file."""
    table = at("announce").say("Pilot card")
    position = table.position
    assert (position.start, position.pilot, table.cards("A")) == ("pilot", 3, 4)
    assert position.played[0].maneuver.value == 5
    assert not position.played[0].shown
    assert "(assumed figure)" in table.said("starts a dogfight by Pilot card").text


def test_ts_101_a_pilot_card_may_be_read_off(at: MakeTable) -> None:
    """PILOT, value, Damage and Draw are asked one by one."""
    table = at("announce").say("pilot", 4, 7, 2, 1)
    position = table.position
    assert (position.pilot, position.played[0].maneuver.value) == (4, 7)
    assert position.played[0].maneuver.damage == 2
    assert (table.step, table.position.rival) == ("start-attacker", "B"), "there is only B"


def test_ts_101_range_uses_the_player_card_which_stays(at: MakeTable) -> None:
    """No card leaves the hand; a Player card that is written down is not asked for."""
    table = at("announce").say("range", "Player card")
    assert (table.cards("A"), table.cards("A", "maneuvers")) == (5, 0)
    assert table.position.played[0].maneuver.value == 6
    known = at("announce", A={"character": "Player card"}).say("range")
    assert known.position.rival == "B"
    typed = at("announce").say("range", "other", 9, 0, 1)
    assert typed.position.played[0].maneuver.value == 9


def test_ts_101_no_card_of_the_hand_else_starts_a_dogfight(at: MakeTable) -> None:
    """Neither a maneuver nor a card of a window nor a Passenger."""
    table = at("announce")
    for title in ("Swoop", "Head start", "Passenger"):
        assert table.refused(title).code == "TS-E-CARD"


def test_without_a_card_only_range_or_nothing_is_offered(at: MakeTable) -> None:
    """A Pilot card is played from the hand."""
    assert at("announce", A={"hand": 0}).names() == ["range", "none"]


def test_ruling_3_nobody_has_to_fight(at: MakeTable) -> None:
    """The turn ends without a dogfight, and without a winner."""
    table = at("announce").say("none")
    assert table.match.outcome.winners == ()


# -- TS-102, RULING 2 ----------------------------------------------------------------------


def test_ts_102_by_pilot_card_any_opponent(at: MakeTable) -> None:
    """Wherever they are; never oneself."""
    table = at("opponent", players=4, B={"place": 7}, C={"place": 6})
    assert table.names() == ["B", "C", "D"]
    for wrong in ("A", "Z", "nobody"):
        assert table.refused(wrong).code == "TS-E-OPP"


@pytest.mark.parametrize(
    ("here", "there", "away"), [(1, 1, 0), (1, 3, 2), (1, 12, 1), (11, 2, 3), (1, 7, 6), (2, 9, 5)]
)
def test_ruling_2_distance_is_the_shorter_way_round(
    here: int, there: int, away: int, at: MakeTable
) -> None:
    """min(|a-b|, 12-|a-b|)."""
    table = at("announce", A={"place": here}, B={"place": there})
    assert table.position.distance("A", "B") == table.position.distance("B", "A") == away


def test_ruling_2_range_reaches_whoever_is_near_enough(at: MakeTable) -> None:
    """B is two away, C three, D one the other way round."""
    places = {"A": {"place": 1}, "B": {"place": 3}, "C": {"place": 4}, "D": {"place": 12}}
    table = at("opponent", players=4, start="range", **places)
    assert table.names() == ["B", "D"]
    refused = table.refused("C")
    assert refused.code == "TS-E-RANGE"
    assert "3 locations away, RANGE is 2. In RANGE: Player B, Player D." in refused.text
    for wrong in ("A", "Z"):
        assert table.refused(wrong).text.endswith("; choose one of Player B, Player D.")


def test_ruling_2_range_that_reaches_nobody_starts_nothing(at: MakeTable) -> None:
    """Refused before anything is played; a Pilot card still goes."""
    table = at("announce", B={"place": 7})
    assert table.refused("range").code == "TS-E-RANGE"
    assert "range" not in table.names()
    assert table.say("Pilot card").position.rival == "B"


def test_ts_101_who_can_start_nothing_is_not_asked(at: MakeTable) -> None:
    """No card in hand and nobody in RANGE: the turn has no dogfight."""
    table = at("announce", A={"hand": 0}, B={"place": 7})
    assert table.match.outcome.winners == ()
    assert table.said("starts no dogfight")


def test_ruling_2_the_ring_may_be_larger(at: MakeTable) -> None:
    """The number of locations is a figure of the table."""
    data = {"ring": {"locations": 20}}
    table = at("announce", data=data, A={"place": 1}, B={"place": 13})
    assert table.position.distance("A", "B") == 8


# -- TS-105 --------------------------------------------------------------------------------


def test_ts_105_who_declines_is_beaten_at_once(at: MakeTable) -> None:
    """Phase 3a, with the first maneuver counted and no additional Damage."""
    table = at("defend").say("decline")
    assert (table.step, table.position.winner) == ("won-attacker", "attacker")
    assert table.position.damage_total() == 1
    assert not table.position.owes_extra(), "TS-312"


def test_ruling_10_the_house_may_not_count_a_declined_first_maneuver(at: MakeTable) -> None:
    """`declined_first_maneuver` not_counted: no Damage, no Draw; the card is discarded."""
    table = at("defend", DECLINED_FIRST_MANEUVER="not_counted").say("decline").pass_on()
    assert (table.position.damage_total(), table.position.draw_total()) == (0, 0)
    assert (
        "(House rule: declined_first_maneuver not_counted.)" in table.said("does not defend").text
    )
    assert table.piles[1] == 11
    assert "discard 1 played card" in table.said("The dogfight ends").text


def test_ts_105_defending_goes_on_to_the_windows_before_the_draw(at: MakeTable) -> None:
    """TS-106 is next."""
    assert at("defend").say("defend").step == "before-attacker"


# -- TS-108, TS-109 ------------------------------------------------------------------------


def test_ts_108_and_109_attacker_then_defender_draw_by_pilot(at: MakeTable) -> None:
    """RULING 4: the Pilot card's 3, then the defender's own 2; hands are told, nobody is asked."""
    table = at("draw-attacker")
    drawn = [ruling for ruling in table.cited("RULING 4") if ruling.deeds]
    assert [(ruling.by, ruling.deeds[0].count) for ruling in drawn] == [("A", 3), ("B", 2)]
    assert [str(ruling.cite.rules[0]) for ruling in drawn] == ["TS-108", "TS-109"]
    assert not any(ruling.quiet for ruling in drawn), "shown until somebody has read it"
    assert (table.cards("A"), table.cards("B"), table.piles) == (8, 7, (35, 10))
    assert table.step == "after-attacker"


def test_ruling_4_by_range_the_attacker_draws_by_the_player_card(at: MakeTable) -> None:
    """PILOT 2 of Player and Passengers."""
    assert at("draw-attacker", start="range").cards("A") == 7


def test_ruling_5_a_hand_grows_to_ten_at_most(at: MakeTable) -> None:
    """Nine in hand and PILOT 6: one card; more or fewer is told as such."""
    table = at("draw-attacker", A={"hand": 9}, pilot=6)
    assert "draws 1 card instead of 6: a hand of 10 is full" in table.said("Player A draws").text
    assert table.cards("A") == 10
    assert table.report("drew", player="A", count=2).code == "TS-E-HANDMAX"
    assert table.report("drew", player="A", count=0).code == "TS-E-COUNT"


def test_ruling_5_the_limit_of_the_hand_is_a_house_rule(at: MakeTable) -> None:
    """`hand_max` 12: three cards."""
    assert at("draw-attacker", A={"hand": 9}, pilot=6, HAND_MAX=12).cards("A") == 12


def test_ruling_5_a_full_hand_draws_nothing(at: MakeTable) -> None:
    """Ten in hand."""
    table = at("draw-attacker", A={"hand": 10})
    assert table.cards("A") == 10
    drawn = table.cited("RULING 5")[0]
    assert "draws 0 cards instead of 3" in drawn.text
    assert drawn.headline.endswith("draw none")


def test_ruling_5_the_discards_are_shuffled_where_the_draw_pile_runs_out(at: MakeTable) -> None:
    """One is left: one, then two of the shuffled ten."""
    table = at("draw-attacker", draw=1)
    assert table.piles == (6, 0)
    assert [type(deed).__name__ for deed in table.said("draws 3").deeds] == [
        "Carry", "Shuffle", "Carry",
    ]  # fmt: skip


def test_ruling_5_an_empty_pile_is_not_shuffled(at: MakeTable) -> None:
    """The draw pile has just what is drawn, or nothing lies on the discards."""
    for piles in ({"draw": 5, "discard": 10}, {"draw": 3, "discard": 0}):
        table = at("draw-attacker", **piles)
        deeds = [deed for ruling in table.rulings for deed in ruling.deeds]
        assert {type(deed).__name__ for deed in deeds} == {"Carry"}


def test_ruling_5_the_house_may_stop_at_an_empty_pile(at: MakeTable) -> None:
    """`empty_pile` stop: only the one that is left."""
    table = at("draw-attacker", draw=1, EMPTY_PILE="stop")
    assert table.piles == (0, 10)
    assert "instead of 3: the draw pile is empty" in table.said("draws 1").text


def test_ruling_5_both_piles_empty_stop(at: MakeTable) -> None:
    """Nothing to draw: the step goes by."""
    assert at("draw-attacker", draw=0, discard=0).step == "after-attacker"


# -- RULING 3 ------------------------------------------------------------------------------


def test_ruling_3_one_dogfight_a_turn_unless_the_house_allows_more(at: MakeTable) -> None:
    """`max_dogfights_per_turn` 2: another is asked about, and a third is not."""
    assert at("clean-up").match.outcome.winners == ("A",)
    table = at("clean-up", MAX_DOGFIGHTS_PER_TURN=2)
    assert table.asked == ["dogfight-1/clean-up/again"]
    table.say("dogfight")
    assert (table.step, table.position.number, table.position.played) == ("announce", 2, [])
    table.say("Pilot card", "pass", "pass", "decline")
    seen = []
    while table.asked:
        seen.append(table.asked[0])
        lapse = table.question.lapse
        table.say(lapse if lapse is not None else table.names()[-1])
    assert not [key for key in seen if key.endswith("/again")], "two are all"
    assert table.match.outcome.winners == ("A",)
