"""When things happen beside the tiers, and who orders what coincides.  (SE-ABL-02, SE-PPR-01)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadFile

MakeTable = Callable[..., Any]


def with_ability(when: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """A table's own file in which every vessel has one ability, free of charge."""
    ability = {"title": "Trick", "when": when, "effects": [*effects]}
    return {"abilities": {"AB-TRICK": ability}, "vessel": {"abilities": ["AB-TRICK"]}}


DECLARED = {"declared": ["AB-TRICK"], "used": ["AB-TRICK"]}
DRAW = {"op": "draw", "number": 1}
BURN = {"op": "damage", "vessel": "others", "amount": 6}
HEAT = {"op": "counter", "name": "over heat", "vessel": "others", "amount": 1}


def test_se_abl_02_an_ability_may_be_carried_out_at_once(table_at: MakeTable) -> None:
    """One of the Preparation acts when it is declared; a draw by it locks, too.  (SE-R05)"""
    table = table_at(cards=with_ability("preparation", DRAW)).say("set", "ability AB-TRICK")
    player = table.player("A")
    assert (player.hand, player.declared, player.locked) == (5, [], True)
    assert table.refused("exchange 1").code == "SE-E-LOCKED"


def test_se_abl_02_an_ability_may_wait_for_a_tier(table_at: MakeTable) -> None:
    """One of tier 2 is carried out when that tier begins: after tier 1 of everybody."""
    table = table_at("tier-sequence", A=DECLARED, cards=with_ability("tier_2", DRAW))
    said = [ruling.text for ruling in table.rulings]
    trick = said.index("Player A carries out Trick.")
    assert "token in tier 1" in said[trick - 1]
    assert said[trick - 1].startswith("Player B")
    assert "token in tier 2" in said[trick + 2]


def test_a_moment_that_there_is_not_is_refused(table_at: MakeTable) -> None:
    """The message lists the moments."""
    with pytest.raises(BadFile, match="'preparation', 'step1', 'tier_1'"):
        table_at(cards=with_ability("lunch", DRAW))


def test_se_ppr_01_priority_orders_abilities_that_coincide(table_at: MakeTable) -> None:
    """Outside step 1, where who comes first may live; gains of their own order themselves."""
    weak = {**DECLARED, "hull": 5}
    both = {"players": "ABC", "A": weak, "B": weak}
    table = table_at("discard-phase", **both, cards=with_ability("discard_phase", BURN))
    assert table.question().by == "A"
    assert "SE-PPR-01" in table.question().cite.rules
    assert table.question().lapse == ["A", "B"]
    table.say(["B", "A"])
    carried = [r.text[7] for r in table.rulings if "carries out Trick" in r.text]
    assert carried == ["B"]
    assert table.player("A").out
    alone = table_at("discard-phase", **both, cards=with_ability("discard_phase", DRAW))
    assert [r.text[7] for r in alone.rulings if "carries out Trick" in r.text] == ["A", "B"]


def test_se_ppr_01_priority_orders_counters_that_reach_their_limit(table_at: MakeTable) -> None:
    """Two vessels are due to be destroyed: whoever is ordered first goes first."""
    hot = {"counters": {"over heat": 10}}
    table = table_at("end-of-turn", A=hot, B=hot)
    assert table.question().by == "A"
    assert table.question().key == "turn-3/end/counters/vessel-order"
    assert table.say(["B", "A"]).match.outcome.winners == ("A",)


def test_se_act_01_abilities_come_before_cards_of_that_moment(table_at: MakeTable) -> None:
    """A card for step 1 is asked for when the declared abilities are done."""
    cards = {"cards": {"NOW": {"title": "Now", "type": "INTERVENE", "form": "star",
                               "windows": ["step1"], "effects": [DRAW]}},
             **with_ability("step1", DRAW)}  # fmt: skip
    table = table_at("vessel-abilities", A=DECLARED, cards=cards)
    assert table.said("carries out Trick")
    assert table.question().key.endswith("step1/A/1/card")
    assert table.say("NOW", "done").player("A").hand == 6


def test_se_r25_only_mobile_vessels_drift(table_at: MakeTable) -> None:
    """A vessel of mobility 0 is not asked to move."""
    table = table_at(options={"drift": "on"}, cards={"vessel": {"mobility": 0}})
    table.say("pass", "pass", "pass", "end")
    assert table.question().by == "B"


def test_se_pre_02_a_star_of_the_preparation_takes_no_tier(table_at: MakeTable) -> None:
    """It is played before, between or after the tier actions."""
    cards = {"cards": {"AID": {"title": "Aid", "type": "INTERVENE", "form": "star",
                               "windows": ["prep"], "effects": [DRAW]}}}  # fmt: skip
    table = table_at(cards=cards).say("pass", "play AID", "pass", "pass", "play AID", "end")
    assert table.question().by == "B"


def test_se_r12_a_price_in_cards_is_not_paid_with_the_card_itself(tiers_at: MakeTable) -> None:
    """One card in hand: the card that costs another is not to be had.  (SE-R23)"""
    dear = {"cards": {"DEAR": {"title": "Dear", "type": "INTERVENE", "form": "star",
                               "windows": ["attacker_modifier"], "cost": [{"pay": "hand"}],
                               "effects": [{"op": "energy", "amount": 1}]}}}  # fmt: skip
    table = tiers_at({"A": {"hand": 1}}, A=1, cards=dear).say("G-SHOT")
    assert table.refused("DEAR").code == "SE-E-ENERGY"
    table = tiers_at({"A": {"hand": 2}}, A=1, cards=dear).say("G-SHOT", "DEAR", "G-MOVE")
    assert (table.player("A").energy, table.player("A").discard) == (4, ["DEAR", "G-MOVE"])


def test_gear_stays_on_its_vessel_without_a_word_of_it(tiers_at: MakeTable) -> None:
    """The form says so: no `equip` has to stand among the effects."""
    gear = {"cards": {"CORE": {"title": "Core", "type": "EQUIP", "form": "gear",
                               "duration": "while_equipped", "effects": [
                                   {"op": "modify", "stat": "attack", "amount": 1}]}}}  # fmt: skip
    table = tiers_at(A=1, cards=gear).say("CORE", "no")
    assert table.player("A").gear == ["CORE"]
    assert table.match.rulebook.stat("A", "attack") == 4


def test_the_tables_own_words_are_read_out(tiers_at: MakeTable) -> None:
    """`text_note` is said when the card is activated."""
    note = {"cards": {"SING": {"title": "Song", "type": "INTERVENE",
                               "text_note": "Everybody sings."}}}  # fmt: skip
    assert tiers_at(A=1, cards=note).say("SING").said('reads Song: "Everybody sings."')


def test_attacks_of_counters_wait_with_those_under_way(tiers_at: MakeTable) -> None:
    """Counters that attack at once do not push aside the attack during which they are laid."""
    own = {
        "counters": {"rage": {"threshold": 1, "at": "at_once", "effects": [{"op": "attack"}]}},
        "cards": {"GOAD": {"title": "Goad", "type": "INTERVENE", "form": "star",
                           "windows": ["response_target"], "effects": [
                               {"op": "counter", "name": "rage", "amount": 1}]}},
    }  # fmt: skip
    table = tiers_at(A=1, cards=own).say("G-SHOT", "done", "GOAD", *["done"] * 3)
    table.say(["1 A>B", "2 B>A"])
    assert (table.player("A").hull, table.player("B").hull) == (7, 7)


def test_se_r22_a_draw_names_those_who_are_lost_together(tiers_at: MakeTable) -> None:
    """C was lost before: the draw is between the two whom the last event took."""
    gone = dict.fromkeys(("deck", "hand"), 0) | {"removed": 40, "hull": -1}
    lost: dict[str, Any] = {"C": {**gone, "destroyed": True, "place": None, "tiers": []}}
    doom = {"cards": {"DOOM": {"title": "Doom", "type": "ENVIRONMENT", "effects": [
        {"op": "damage", "vessel": "all", "amount": 50}]}}}  # fmt: skip
    table = tiers_at(lost, players="ABC", A=1, cards=doom).say("DOOM")
    assert table.match.outcome.winners == ()
    assert "a draw between Player A and Player B." in table.said("a draw").text


def test_se_r20_everybody_may_be_lost_while_attacks_wait(tiers_at: MakeTable) -> None:
    """Nobody is left to put the attacks in order: the match is a draw.  (SE-R22)"""
    own = {"cards": {
        "BLAST": {"title": "Blast", "type": "ATTACK",
                  "effects": [{"op": "attack", "at": "others", "range": 9}]},
        "DOOM": {"title": "Doom", "type": "ENVIRONMENT", "form": "star",
                 "windows": ["response_target"],
                 "effects": [{"op": "damage", "vessel": "all", "amount": 50}]},
    }}  # fmt: skip
    table = tiers_at(players="ABC", A=1, cards=own).say("BLAST", "done", "DOOM")
    assert table.match.outcome.winners == ()


def test_ruling_27_each_player_has_one_vessel(new_table: MakeTable) -> None:
    """Set-up places one a seat, and the map has a token for no other."""
    table = new_table(options={"players": 3}).say("A", "A 1,1", "B 3,5", "C 6,7")
    assert [str(piece) for piece in table.position.placement()] == [
        "vessel-a", "vessel-b", "vessel-c",
    ]  # fmt: skip


def test_se_r09_a_passed_tier_that_holds_a_card_is_not_set_again(table_at: MakeTable) -> None:
    """`pass_retractable` yes: the card that came beside the token stays where it lies."""
    tiers = [{"action": "pass", "primary": "?"}, {"action": "pass"}]
    table = table_at(A={"tiers": tiers}, options={"pass_retractable": "yes"})
    assert "retract 2" in table.names()
    assert "retract 1" not in table.names()


def test_se_tln_02_a_tier_granted_late_is_resolved_all_the_same(tiers_at: MakeTable) -> None:
    """In tier 4 B gives A a fourth tier, when A's moment in tier 4 is over: A goes on alone."""
    gift = {"cards": {"GIFT": {"title": "Gift", "type": "INTERVENE",
                               "effects": [{"op": "extra_tier", "player": "others"}]}}}  # fmt: skip
    table = tiers_at(B=1, cards=gift).say("G-OVERTIME", "set", "GIFT", "set")
    assert table.question().key == "turn-3/tier-4/A/primary"
    assert table.say("G-CHARGE").player("A").energy == 5


def test_the_headline_of_an_order_says_of_what(table_at: MakeTable, tiers_at: MakeTable) -> None:
    """Attacks, counters, renewals or abilities: the prompt may be out of sight."""
    hot = {"counters": {"over heat": 10}}
    assert table_at("end-of-turn", A=hot, B=hot).question().headline.endswith("order counters")
    table = tiers_at(A=1).say("G-SHOT", "done", "G-COUNTER", "done", "done", "done")
    assert table.question().headline.endswith("order attacks")


# -- nobody is asked in vain, and a card that is not listed fits any moment ------------------

PHASES = ("step1", "discard_phase", "end_of_turn")
NOT_LISTED = {"decks": {"standard": {"unknown": 40}}}


def test_se_r14_who_can_answer_nothing_is_not_asked(tiers_at: MakeTable) -> None:
    """Ana attacks Ben: Cleo and Dan have no card for it, and Ben can pay for none."""
    table = tiers_at({"B": {"energy": 0}}, players="ABCD", A=1).say("G-SHOT", "B")
    assert table.question().by == "A"
    table.say("done")
    assert table.said("takes 3 damage")
    assert table.question().key == "turn-3/end/draw"


def test_se_r14_who_may_hold_a_card_that_is_not_listed_is_asked(tiers_at: MakeTable) -> None:
    """The attack came of such a card: anybody may have another."""
    table = tiers_at(players="ABC", A=1).say("unknown Bolt", "ATTACK", "free")
    table.say("own attack", "yes", "B")
    asked = []
    for _ in range(3):
        asked.append(table.question().by)
        table.say("done")
    assert asked == ["A", "B", "C"]


def test_ruling_13_one_attack_that_is_left_needs_no_order(tiers_at: MakeTable) -> None:
    """Ben dodges and strikes back: the attack that misses does nothing, first or last."""
    table = tiers_at(A=1).say("G-SHOT", "done", "G-COUNTER", "G-DODGE", "done")
    assert not table.question().key.endswith("attack-order")
    assert (table.player("A").hull, table.player("B").hull) == (7, 10)


@pytest.mark.parametrize("window", PHASES)
def test_se_ppr_01_a_star_that_is_not_listed_is_played_at_any_moment(
    table_at: MakeTable, window: str
) -> None:
    """Both are asked at once whether one of them does; what Ben declares is done."""
    phases = {"step1": "vessel-abilities", "discard_phase": "discard-phase",
              "end_of_turn": "end-of-turn"}  # fmt: skip
    table = table_at(phases[window], cards=NOT_LISTED, seats={"A": "Ana", "B": "Ben"})
    assert table.question().prompt.startswith("Does anybody play a card now")
    table.say("Ben", "nobody")
    assert f"/{window}/B/1/card" in table.question().key
    table.say("unknown Flare", "ATTACK", "free", "damage", "others", 2, "yes", "nothing more")
    assert table.player("A").hull == 8
    assert table.player("B").discard[0] == "Flare"


@pytest.mark.parametrize("window", PHASES)
def test_nobody_is_asked_in_a_phase_without_a_card_for_it(table_at: MakeTable, window: str) -> None:
    """All cards of the deck are listed, and none of them is for that moment."""
    phases = {"step1": "vessel-abilities", "discard_phase": "discard-phase",
              "end_of_turn": "end-of-turn"}  # fmt: skip
    assert "/card" not in table_at(phases[window]).question().key
