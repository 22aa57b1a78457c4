"""The Action Phase: abilities, timeline, activating, doubling up, extra tiers.  (SE-ACT, SE-TLN)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MakeTable = Callable[..., Any]
GRANT = {"cards": {"HOLD": {"title": "Hold", "type": "INTERVENE",
                            "effects": [{"op": "set_secondary"}]}}}  # fmt: skip


def texts(table: Any) -> list[str]:
    """All rulings in order."""
    return [ruling.text for ruling in table.rulings]


def test_se_act_01_abilities_before_the_tiers(table_at: MakeTable) -> None:
    """Focus, declared in the Preparation, is in force before tier 1."""
    lines = {"declared": ["AB-FOCUS"], "used": ["AB-FOCUS"]}
    table = table_at("vessel-abilities", A=lines)
    said = texts(table)
    focus = said.index("Player A carries out Focus.")
    assert focus < next(n for n, text in enumerate(said) if "tier 1" in text)


def test_se_act_02_clockwise_from_priority(table_at: MakeTable) -> None:
    """With Priority at B it is B, C, A."""
    lines = {"declared": ["AB-FOCUS"], "used": ["AB-FOCUS"]}
    table = table_at("vessel-abilities", players="ABC", priority="B", A=lines, B=lines, C=lines)
    carried = [text[7] for text in texts(table) if "carries out Focus" in text]
    assert carried == ["B", "C", "A"]


def test_se_abl_02_an_ability_has_its_own_moment(table_at: MakeTable) -> None:
    """Late charge waits for the Discard Phase; Focus, which says nothing, is of step 1."""
    both = {"declared": ["AB-LATE", "AB-FOCUS"], "used": ["AB-LATE", "AB-FOCUS"]}
    said = texts(table_at("vessel-abilities", A=both))
    late = said.index("Player A carries out Late charge.")
    assert said.index("Player A carries out Focus.") < late
    assert late > next(n for n, text in enumerate(said) if "tier 3" in text)


def test_se_r10_own_abilities_in_the_own_order(table_at: MakeTable) -> None:
    """Two of one player: asked for, and as declared if nothing is said."""
    burns = {"AB-BURN": {"title": "Burn", "effects": [{"op": "damage", "vessel": "this",
                                                       "amount": 1}]}}  # fmt: skip
    own = {"abilities": burns, "vessel": {"abilities": ["AB-BURN", "AB-FIX"]}}
    both = {"declared": ["AB-BURN", "AB-FIX"], "used": ["AB-BURN", "AB-FIX"]}
    table = table_at("vessel-abilities", A=both, cards=own)
    assert table.question().by == "A"
    assert table.question().lapse == ["AB-BURN", "AB-FIX"]
    table.say(["AB-FIX", "AB-BURN"])
    said = texts(table)
    assert said.index("Player A carries out Field repair.") < said.index(
        "Player A carries out Burn."
    )
    assert table.player("A").hull == 9


def test_se_r10_an_order_that_cannot_matter_is_not_asked(table_at: MakeTable) -> None:
    """More attack and a repair do not touch each other: as declared."""
    both = {"declared": ["AB-FOCUS", "AB-FIX"], "used": ["AB-FOCUS", "AB-FIX"]}
    table = table_at("vessel-abilities", A=both)
    said = texts(table)
    assert said.index("Player A carries out Focus.") < said.index(
        "Player A carries out Field repair."
    )


def test_se_act_03_tier_by_tier_and_se_tln_01_priority_begins(table_at: MakeTable) -> None:
    """Tier 1 of everybody from Priority on, before tier 2 of anybody."""
    table = table_at("tier-sequence", players="ABC", priority="C", active="C")
    tokens = [(t[7], t.split("tier ")[1][0]) for t in texts(table) if "reminder token in" in t]
    assert tokens == [(seat, tier) for tier in "123" for seat in "CAB"]


def test_se_act_04_a_set_card_is_turned_over_and_followed(tiers_at: MakeTable) -> None:
    """The card is named only now, and does what it says."""
    table = tiers_at({"A": {"energy": 0}}, A=1)
    assert table.question().key == "turn-3/tier-1/A/primary"
    table.say("G-CHARGE")
    assert table.player("A").energy == 2


def test_se_act_05_a_token_does_nothing(tiers_at: MakeTable) -> None:
    """It is told, and the next player goes on."""
    table = tiers_at(B=1)
    assert table.said("Player A has a reminder token in tier 1: nothing happens.")
    assert table.question().by == "B"


def test_se_tln_02_extra_tiers_alone(tiers_at: MakeTable) -> None:
    """Whoever has tier 4 goes on when the others are done."""
    table = tiers_at(A=1).say("G-OVERTIME", "set", "G-CHARGE")
    assert table.said("turns over Charge").text.startswith("Player A")
    assert "Player B has a reminder token in tier 4" not in " ".join(texts(table))


def test_se_r11_an_extra_tier_of_the_action_phase_is_prepared_at_once(tiers_at: MakeTable) -> None:
    """Draw, set or pass, without rearranging; it lasts for this turn."""
    table = tiers_at(A=1).say("G-OVERTIME")
    assert table.names() == ["draw", "set", "pass"]
    assert table.refused("draw 9").code == "SE-E-TIER"
    table.say("pass", "no")
    assert table.player("A").granted == 3


def test_se_dbl_01_se_dbl_04_both_are_turned_over_then_followed(tiers_at: MakeTable) -> None:
    """A twin salvo permits an attack behind it: both open first, primary before secondary."""
    table = tiers_at(A=2).say("G-TWIN", "G-SHOT")
    assert table.said("turns over Twin salvo and Salvo")
    table.say("done", "done", "done", "done")
    assert table.player("B").hull == 4


def test_se_r08_a_second_card_that_nothing_permits_is_void(tiers_at: MakeTable) -> None:
    """It is not carried out, and is discarded with the tiers."""
    table = tiers_at(A=2).say("G-CHARGE", "G-SHOT")
    assert table.said("no permission for Salvo")
    table.say("no")
    assert table.player("A").discard == ["G-CHARGE", "G-SHOT"]
    assert table.player("B").hull == 10


def test_se_r08_by_house_rule_it_returns_to_the_hand(tiers_at: MakeTable) -> None:
    """`illegal_secondary` return_to_hand."""
    table = tiers_at(A=2, options={"illegal_secondary": "return_to_hand"})
    table.say("G-CHARGE", "G-SHOT")
    assert table.player("A").hand == 6
    assert "House rule: illegal_secondary return_to_hand" in table.said("takes Salvo back").text


def test_se_r08_an_unlisted_card_may_permit_it(tiers_at: MakeTable) -> None:
    """Where a card is not listed the table says whether it permits the other."""
    table = tiers_at(A=2).say("unknown", "G-SHOT")
    assert table.question().key.endswith("permits")
    table.say("yes", "not said", "free", "nothing more")
    assert table.said("attacks Player B with Salvo")


def test_se_r09_beside_a_token_a_card_is_the_primary(tiers_at: MakeTable) -> None:
    """A card that comes into a tier with a token is resolved as its first."""
    table = tiers_at(A=1, cards=GRANT).say("HOLD", "2")
    tier = table.player("A").tiers[1]
    assert (tier.action, tier.primary, tier.secondary) == ("pass", "?", "")
    assert table.question().key == "turn-3/tier-2/A/primary"


def test_se_r12_what_cannot_be_followed_is_skipped(tiers_at: MakeTable) -> None:
    """No target: the attack is left out, the rest of the card is done, and it is discarded."""
    both = {"cards": {"BOTH": {"title": "Both", "type": "ATTACK", "effects": [
        {"op": "attack", "range": 0}, {"op": "energy", "amount": 1}]}}}  # fmt: skip
    table = tiers_at(A=1, cards=both).say("BOTH", "no")
    assert table.said("no legal target")
    assert (table.player("A").energy, table.player("A").discard) == (4, ["BOTH"])


def test_se_r12_a_card_that_cannot_be_paid_does_nothing(tiers_at: MakeTable) -> None:
    """Nothing of it is carried out, and nothing is paid."""
    dear = {"cards": {"DEAR": {"title": "Dear", "type": "MOVE", "cost": [
        {"pay": "energy", "amount": 9}], "effects": [{"op": "energy", "amount": 5}]}}}  # fmt: skip
    table = tiers_at(A=1, cards=dear).say("DEAR")
    assert table.said("cannot pay for Dear")
    assert table.player("A").energy == 3


def test_se_r12_a_card_that_is_not_for_a_tier_does_nothing(tiers_at: MakeTable) -> None:
    """A card for the hand, set by error: it is discarded like any other."""
    table = tiers_at(A=1).say("G-DODGE", "no")
    assert table.said("not for a tier")
    assert table.player("A").discard == ["G-DODGE"]


def test_se_dbl_04_a_card_laid_into_the_own_tier_is_resolved_after_the_first(
    tiers_at: MakeTable,
) -> None:
    """Nothing else permits it: the effect that laid it does."""
    table = tiers_at(A=1, cards=GRANT).say("HOLD")
    assert table.names() == ["1", "2", "3"]
    table.say("1")
    assert table.question().key == "turn-3/tier-1/A/laid-1/secondary"
    assert table.say("G-CHARGE", "no").player("A").energy == 5
    assert table.player("A").discard == ["HOLD", "G-CHARGE"]


def test_se_dbl_03_no_third_card_is_laid_into_the_own_tier(tiers_at: MakeTable) -> None:
    """Two lie there: the other tiers are offered."""
    table = tiers_at(A=2, cards=GRANT).say("G-CHARGE", "HOLD")
    assert table.said("no permission")
    table = tiers_at(A=2, cards=GRANT).say("HOLD", "G-CHARGE")
    assert table.names() == ["2", "3"]


def test_se_dbl_04_a_second_card_that_a_card_laid_is_not_void(tiers_at: MakeTable) -> None:
    """Laid in tier 1 behind the card in tier 2: both are resolved in order, in a file as well."""
    tiers = [{"action": "set", "primary": "?"}, {"action": "set", "primary": "?"},
             {"action": "pass"}]  # fmt: skip
    table = tiers_at({"A": {"tiers": tiers}}, A=1, cards=GRANT).say("HOLD", "2")
    assert table.position.to_file()["players"]["A"]["tiers"][1]["permitted"] is True
    table.say("G-REPAIR", "G-CHARGE")
    assert table.player("A").energy == 5
    assert not any("no permission" in text for text in texts(table))


def test_se_dbl_04_a_card_laid_behind_one_that_went_to_the_vessel(tiers_at: MakeTable) -> None:
    """Gear that sets a card: its place is free, and what comes there is resolved."""
    card = {"title": "Rack", "type": "EQUIP", "form": "gear",
            "effects": [{"op": "set_secondary"}]}  # fmt: skip
    table = tiers_at(A=1, cards={"cards": {"RACK": card}}).say("RACK", "1", "G-CHARGE", "no")
    assert (table.player("A").gear, table.player("A").energy) == (["RACK"], 5)


def test_se_dbl_04_a_declared_second_card_is_resolved(tiers_at: MakeTable) -> None:
    """The table says that the card sets another one, into its own tier."""
    table = tiers_at(A=1).say("unknown", "not said", "free")
    table.say("second card", "yes", "1", "nothing more")
    assert table.say("G-CHARGE").player("A").energy == 5


def test_se_r13_waiting_attacks_without_a_word_go_in_turn_order(tiers_at: MakeTable) -> None:
    """B attacks C, A answers for it: A has Priority, so its attack comes first."""
    help_out = {"cards": {"HELP": {"title": "Help", "type": "ATTACK", "form": "star",
                                   "windows": ["response_other"], "effects": [
                                       {"op": "attack", "at": "attacker"}]}}}  # fmt: skip
    table = tiers_at(players="ABC", B=1, cards=help_out)
    table.say("G-SHOT", "C", "done", "done", "HELP", "done", "done", "done", "done")
    assert table.question().key.endswith("attack-order")
    assert table.question().lapse == ["2 A>B", "1 B>C"]


def test_a_plain_turn_takes_so_many_answers(table_at: MakeTable) -> None:
    """Two players move, shoot and draw: 19 answers, 14 where silence says no (21 and 16 before).

    Eight plan, four move, two name the shots; whoever plays nothing from the hand may be silent.
    """
    table, said, silent = table_at(), 0, 0
    answers = [*["set", "set", "draw", "end"] * 2, "G-MOVE", "1,1", "G-MOVE", "3,1",
               "G-SHOT", "done", "done", "G-SHOT", "done", "done", "no"]  # fmt: skip
    for answer in answers:
        silent += table.question().lapse == answer
        table.say(answer)
        said += 1
    assert table.question().key == "turn-4/prepare/B/1"
    assert (said, said - silent) == (19, 14)
