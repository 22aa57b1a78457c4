"""The Preparation Phase: tiers, locks, second cards, abilities.  (SE-PRE, SE-LCK, SE-DBL)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]
SET_ONE = {"tiers": [{"action": "set", "primary": "?"}]}


def test_se_pri_01_four_phases_in_order(table_at: MakeTable) -> None:
    """Preparation, Action, Discard, End of Turn, then the next turn."""
    table = table_at()
    table.say("pass", "pass", "pass", "end", "pass", "pass", "pass", "end")
    texts = [ruling.text for ruling in table.rulings]
    order = ["has prepared", "reminder token in tier 1", "discards 0 cards"]
    first = [next(n for n, text in enumerate(texts) if words in text) for words in order]
    assert first == sorted(first)
    assert table.question().key == "turn-3/end/draw"
    table.say("no")
    assert table.question().key == "turn-4/prepare/B/1"


def test_se_pri_02_priority_lasts_for_the_whole_turn(table_at: MakeTable) -> None:
    """Nothing in the turn moves the marker before its end."""
    table = table_at()
    for act in ("pass", "pass", "pass", "end") * 2:
        assert table.position.priority == "A"
        table.say(act)
    assert table.position.priority == "A"


def test_se_pre_01_one_completes_before_the_next_begins(table_at: MakeTable) -> None:
    """Priority first, then clockwise; the next is asked only after `end`."""
    table = table_at(players="ABC", priority="B", active="B")
    for seat in "BCA":
        for act in ("pass", "pass", "pass", "end"):
            assert table.question().by == seat
            table.say(act)
    assert table.report("acted", player="C").code == "SE-E-ORDER"


def test_se_pre_02_draw_set_or_pass(table_at: MakeTable) -> None:
    """Each counts as it should; a fourth tier action is refused (SE-E-COUNT)."""
    table = table_at().say("draw", "set", "pass")
    player = table.player("A")
    assert [tier.action for tier in player.tiers] == ["draw", "set", "pass"]
    assert (player.hand, player.deck, player.set_cards) == (5, 34, 1)
    assert table.refused("draw").code == "SE-E-COUNT"
    assert table.refused("set").code == "SE-E-COUNT"


@pytest.mark.parametrize("wrong", ["set 2", "pass 3", "draw 9"])
def test_se_pre_03_tiers_go_in_order(table_at: MakeTable, wrong: str) -> None:
    """A tier that is skipped is refused (SE-E-TIER); the one that is due may be named."""
    table = table_at()
    assert table.refused(wrong).code == "SE-E-TIER"
    table.say("set 1", "set 2")
    assert table.refused("set 1").code == "SE-E-TIER"


def test_se_pre_04_a_draw_happens_at_once(table_at: MakeTable) -> None:
    """The card is in hand before the next tier; a token lies in the tier, for a pass too."""
    table = table_at().say("draw")
    assert table.player("A").hand == 6
    assert "reminder token" in table.said("draws for tier 1").text
    table.say("pass")
    assert "reminder token" in table.said("passes tier 2").text


def test_se_pre_05_no_end_before_all_tiers(table_at: MakeTable) -> None:
    """`end` with a tier missing is refused (SE-E-WAIT)."""
    table = table_at().say("pass", "pass")
    assert table.refused("end").code == "SE-E-WAIT"
    assert "end" not in table.names()


def test_se_pre_02_nothing_to_set_or_draw(table_at: MakeTable) -> None:
    """An empty hand (SE-E-HAND); an empty deck (SE-E-DECK)."""
    table = table_at(A={"hand": 0, "deck": 0, "removed": 40})
    assert table.refused("set").code == "SE-E-HAND"
    assert table.refused("draw").code == "SE-E-DECK"
    assert table.names()[0] == "pass"


# -- locked tiers --------------------------------------------------------------------------


def test_se_lck_01_swap_and_exchange(table_at: MakeTable) -> None:
    """Set cards change places, or one goes for a card from hand; no count changes."""
    table = table_at().say("set", "set", "swap 1 2", "exchange 2")
    assert (table.player("A").hand, table.player("A").set_cards) == (3, 2)
    carried = [(deed.source, deed.target) for deed in table.said("exchanges").deeds]
    assert carried == [("tier-2", "aside"), ("hand", "tier-2"), ("aside", "hand")]


def test_se_lck_02_a_draw_with_a_card_set_locks(table_at: MakeTable) -> None:
    """From then on rearranging is refused (SE-E-LOCKED), until the next turn."""
    table = table_at().say("set", "draw")
    assert table.player("A").locked
    for act in ("exchange 1", "swap 1 1b"):
        assert table.refused(act).code == "SE-E-LOCKED"
    assert table.report("rearranged", player="A").code == "SE-E-LOCKED"
    table.say("pass", "end")
    assert not table.player("A").locked


def test_se_lck_03_a_draw_before_any_set_does_not_lock(table_at: MakeTable) -> None:
    """Draw, then set: the tiers stay free."""
    table = table_at().say("draw", "set")
    assert not table.player("A").locked
    assert "exchange 2" in table.names()


def test_se_r05_any_own_draw_locks_and_later_sets_too(table_at: MakeTable) -> None:
    """A card that draws locks as well, and so are cards set afterwards; a pass does not."""
    table = table_at().say("set", "pass")
    assert not table.player("A").locked
    table = table_at().say("set", "play G-SCAN")
    assert table.player("A").locked
    table.say("set")
    assert table.refused("exchange 3").code == "SE-E-LOCKED"


def test_se_r06_tokens_stay_and_a_set_tier_keeps_a_card(table_at: MakeTable) -> None:
    """Moving a token (SE-E-TOKEN), taking a card back (SE-E-EMPTY), no hand (SE-E-HAND)."""
    table = table_at(A={"hand": 2}).say("set", "pass")
    assert table.refused("swap 1 2").code == "SE-E-TOKEN"
    assert table.refused("take 1").code == "SE-E-EMPTY"
    table.say("set")
    assert table.refused("exchange 1").code == "SE-E-HAND"


def test_se_r06_a_pass_is_retracted_by_house_rule(table_at: MakeTable) -> None:
    """`pass_retractable` lets an unlocked player set after all; else it is not offered."""
    assert "retract 1" not in table_at().say("pass").names()
    table = table_at(options={"pass_retractable": "yes"}).say("pass", "retract 1")
    assert table.player("A").tiers[0].action == "set"
    assert "House rule: pass_retractable yes" in table.said("instead of passing").text


def test_se_r05_nothing_is_changed_after_the_end(tiers_at: MakeTable) -> None:
    """Rearranging, or an ability, in the Action Phase is refused (SE-E-PHASE)."""
    table = tiers_at(A=1)
    assert table.refused("exchange 1").code == "SE-E-PHASE"
    assert table.refused("ability AB-FOCUS").code == "SE-E-PHASE"
    assert table.report("rearranged", player="A").code == "SE-E-PHASE"


# -- doubling up ---------------------------------------------------------------------------


def test_se_dbl_02_first_is_primary_second_secondary(table_at: MakeTable) -> None:
    """The second card goes behind the first."""
    table = table_at().say("set", "second")
    tier = table.player("A").tiers[0]
    assert (tier.primary, tier.secondary) == ("?", "?")
    assert table.said("sets a second card").deeds[0].target == "tier-1b"


def test_se_dbl_03_never_a_third(table_at: MakeTable) -> None:
    """SE-E-THIRD, and it is not offered."""
    table = table_at().say("set", "second")
    assert "second" not in table.names()
    assert table.refused("second").code == "SE-E-THIRD"


def test_se_r07_only_behind_the_tier_prepared_last(table_at: MakeTable) -> None:
    """A second card for an earlier tier, or behind a token, is refused (SE-E-TIER)."""
    table = table_at().say("set", "set")
    assert table.refused("second 1").code == "SE-E-TIER"
    table.say("pass")
    assert table.refused("second").code == "SE-E-TIER"


def test_se_r07_the_latest_tier_may_be_named(table_at: MakeTable) -> None:
    """Saying second 1 behind tier 1 is what second alone would be."""
    table = table_at().say("set 1", "second 1")
    assert table.player("A").tiers[0].cards == 2


def test_se_r06_where_no_card_lies_nothing_is_rearranged(table_at: MakeTable) -> None:
    """The places with set cards are listed (SE-E-EMPTY)."""
    table = table_at().say("set", "set")
    refusal = table.refused("swap 1 1b")
    assert refusal.code == "SE-E-EMPTY"
    assert "No set card lies in 1b. Places with set cards: 1, 2." in refusal.text
    assert table.refused("exchange 3").code == "SE-E-EMPTY"


def test_se_r07_a_second_card_uses_no_tier_action(table_at: MakeTable) -> None:
    """After it the next tier is still to be prepared."""
    table = table_at().say("set", "second")
    assert table.player("A").next_tier == 2


# -- abilities -----------------------------------------------------------------------------


def test_se_abl_01_declared_and_paid_while_preparing(table_at: MakeTable) -> None:
    """The price is taken at once, in public."""
    table = table_at().say("ability AB-FIX")
    assert table.player("A").energy == 1
    assert table.player("A").declared == ["AB-FIX"]


def test_se_r04_not_payable_or_twice(table_at: MakeTable) -> None:
    """SE-E-ENERGY without the full price, SE-E-ONCE for the same ability again."""
    table = table_at().say("ability AB-FIX")
    assert table.refused("ability AB-FIX").code == "SE-E-ONCE"
    table.say("ability AB-FOCUS")
    assert table.refused("ability AB-LATE").code == "SE-E-ENERGY"
    rich = table_at(A={"energy": 9}).say("ability AB-FIX")
    assert rich.refused("ability AB-FIX").code == "SE-E-ONCE"
    often = {"abilities": {"AB-FIX": {"once_a_turn": False}}}
    assert table_at(A={"energy": 9}, cards=often).say("ability AB-FIX", "ability AB-FIX")


# -- extra tiers and drift -----------------------------------------------------------------


def test_se_r11_an_extra_tier_of_the_preparation_is_prepared_after_the_third(
    table_at: MakeTable,
) -> None:
    """A card for the Preparation grants it: tier 4 is due, with the same choices."""
    cards = {"cards": {"RUSH": {"title": "Rush", "type": "INTERVENE", "form": "jump",
                                "effects": [{"op": "extra_tier", "number": 2}]}}}  # fmt: skip
    table = table_at(cards=cards).say("play RUSH", "pass", "pass")
    assert table.player("A").granted == 5
    table.say("set 4", "pass")
    assert "end" in table.names()


def test_se_r25_drift_by_house_rule(table_at: MakeTable) -> None:
    """`drift` asks for a move of one space, and nobody ends without it (SE-E-WAIT)."""
    table = table_at(options={"drift": "on"}).say("pass", "pass", "pass")
    assert table.refused("end").code == "SE-E-WAIT"
    table.say("drift")
    assert table.refused("5,1").code == "SE-E-MOVE"
    table.say("2,1", "end")
    assert table.question().by == "B"
    assert "drift" not in table_at().say("pass", "pass", "pass").names()
