"""Phases 3a and 3b: reward, Damage, Draw, bounty, end.  (TS-301 to TS-328)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


# -- 3a ------------------------------------------------------------------------------------


def test_3a_goes_through_its_steps_in_order(at: MakeTable) -> None:
    """TS-301 to TS-310: windows, reward, Damage, Draw, windows, discards."""
    table = at("won-attacker", players=3, A={"hand": 6})
    asked = []
    while table.asked:
        asked.append(table.asked[0].split("/")[1])
        lapse = table.question.lapse
        table.say(lapse if lapse is not None else table.names()[0])
    expected = ["won-attacker", "lost-defender", "damage",
                "end-attacker", "end-defender", "end-others"]  # fmt: skip
    assert list(dict.fromkeys(asked)) == expected
    steps = [rule for ruling in table.rulings for rule in ruling.cite.rules if "TS-3" in rule]
    told = [rule for rule in steps if rule in {"TS-303", "TS-304", "TS-306", "TS-310"}]
    assert list(dict.fromkeys(told)) == ["TS-303", "TS-304", "TS-306", "TS-310"]
    assert table.match.outcome.winners == ("A",)


def test_ts_303_the_reward_of_a_pilot_card_of_the_file_is_carried_out(at: MakeTable) -> None:
    """The assumed one draws a card."""
    table = at("reward")
    assert table.cards("A") == 6
    assert table.cited("TS-303")


def test_ts_303_another_pilot_cards_reward_is_told(at: MakeTable) -> None:
    """Operation by operation, or nothing that the record has to know."""
    table = at("reward", card="a Pilot card")
    assert table.asked == ["dogfight-1/reward/A/0/effect/1"]
    table.say("draw A", 2, "nothing")
    assert (table.cards("A"), table.step) == (7, "damage")


def test_ts_313_a_player_card_has_no_reward(at: MakeTable) -> None:
    """No question; said once."""
    table = at("reward", start="range")
    assert table.step == "damage"
    assert table.cited("TS-313")


def test_ts_304_and_311_damage_of_all_attacks_one_at_a_time(at: MakeTable) -> None:
    """Three attacks of 1 each, met or not; the defender's own count nothing."""
    table = at("damage")
    assert table.asked == ["dogfight-1/damage/1/kind"]
    assert "Damage 1 of 3" in table.question.prompt
    table.say("open")
    assert table.cards("B", "open") == 0
    assert table.refused("open").code == "TS-E-DAMAGE"
    assert "open" not in table.names()
    table.say("packed", "cargo")
    assert (table.cards("B", "packed"), table.cards("B", "open")) == (1, 1)
    table.say("open")
    assert table.step == "end-attacker"


@pytest.mark.parametrize(("found", "opened"), [("cargo", 2), ("artifact", 2), ("bluff", 1)])
def test_ruling_11_opening_shows_cargo_an_artifact_or_a_bluff(
    found: str, opened: int, at: MakeTable
) -> None:
    """Cargo and artifacts stay, open; a bluff is discarded at once."""
    table = at("damage")
    discards = table.piles[1]
    table.say("packed", found)
    assert (table.cards("B", "packed"), table.cards("B", "open")) == (1, opened)
    assert table.piles[1] == discards + (found == "bluff")


def test_ruling_18_an_opened_artifact_is_open_cargo_from_then_on(at: MakeTable) -> None:
    """It stays, and the next Damage may discard it; the ruling says on what it rests."""
    table = at("damage", B={"open": 0}).say("packed", "artifact")
    assert table.cited("RULING 18")[0].text.endswith("opens an artifact; it stays, open.")
    table.say("open")
    assert (table.cards("B", "packed"), table.cards("B", "open")) == (1, 0)


def test_ruling_18_the_house_may_take_an_artifact_for_a_bluff(at: MakeTable) -> None:
    """`opened_artifact` bluff: discarded at once; real cargo still stays."""
    table = at("damage", OPENED_ARTIFACT="bluff")
    discards = table.piles[1]
    table.say("packed")
    assert "An artifact: discard it" in [o.label for o in table.question.options_now()]
    table.say("artifact")
    assert (table.cards("B", "open"), table.piles[1]) == (1, discards + 1)
    assert "(House rule: opened_artifact bluff.)" in table.said("discards an artifact").text
    assert table.say("packed", "cargo").cards("B", "open") == 2


def test_ruling_11_a_card_of_the_hand_is_chosen_by_the_defender(at: MakeTable) -> None:
    """The attacker chooses the Damage, the defender the card."""
    table = at("damage")
    assert table.by == "A"
    table.say("hand")
    told = table.said("Player B discards a card of the hand, of Player B's own choice")
    assert (told.by, told.quiet, told.deeds[0].count) == ("B", False, 1)
    assert table.cards("B") == 4


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (2, "3 Damage: 1 from the Pilot card, 2 from the 9"),
        (0, "1 Damage: 1 from the Pilot card"),
    ],
)
def test_ts_304_the_first_ruling_of_the_damage_tells_all_of_it_and_from_what(
    damage: int, told: str, at: MakeTable
) -> None:
    """Where no choice is left that would tell it as well; the rulings after it do not repeat it."""
    table = at("attack-2", B={"hand": 5, "packed": 0, "open": 0})
    table.say(f"9 {damage} 1").say("concede").pass_on()
    discards = "Player B discards a card of the hand, of Player B's own choice."
    texts = [ruling.text for ruling in table.rulings if discards in ruling.text]
    assert texts == [f"Player B takes {told}. {discards}", *[discards] * damage]


def test_ts_305_the_damage_for_no_maneuver_is_told_as_such(at: MakeTable) -> None:
    """After what is printed on the maneuvers; a Damage that opens cargo tells the total as well."""
    table = at("answer-1", B={"hand": 2, "packed": 0, "open": 0}).say("concede").pass_on()
    text = table.said("Player B takes").text
    assert "takes 2 Damage: 1 from the Pilot card, 1 as Player B played no maneuver. " in text
    table = at("damage").say("packed").say("cargo")
    text = table.said("opens a cargo").text
    assert text.startswith("Player B takes ")
    assert text.endswith(". Player B opens a cargo; it stays, open.")


def test_ruling_11_damage_without_anything_to_hit_is_lost(at: MakeTable) -> None:
    """No cargo, no card: the rest goes by."""
    table = at("damage", B={"hand": 1, "packed": 0, "open": 0})
    assert table.step == "end-attacker", "the one card goes unasked"
    assert table.cards("B") == 0
    assert "2 Damage lost" in table.said("lost").text


@pytest.mark.parametrize(
    ("kind", "pile"), [("packed", "packed"), ("open", "open"), ("hand", "hand")]
)
def test_a_damage_that_is_impossible_is_refused(kind: str, pile: str, at: MakeTable) -> None:
    """TS-E-DAMAGE names what there is."""
    left = {"packed": "packed (2 there)", "open": "open (1 there)", "hand": "hand (5 there)"}
    del left[pile]
    for raw in (kind, "wings"):
        refused = at("damage", B={pile: 0}).refused(raw)
        assert refused.code == "TS-E-DAMAGE"
        assert refused.text.endswith(f"Say {' or '.join(left.values())}.")


def test_ts_305_one_more_damage_where_the_defender_played_no_maneuver(at: MakeTable) -> None:
    """RULING 12: after the others, in the same way."""
    table = at("answer-1").say("concede").pass_on()
    assert "Damage 1 of 2" in table.question.prompt
    assert "TS-305" not in table.question.cite.rules
    table.say("hand")
    assert "Damage 2 of 2" in table.question.prompt
    assert set(table.question.cite.rulings) == {11, 12}
    table.say("hand")
    assert table.step == "end-attacker"


def test_ts_305_what_the_additional_damage_opens_is_asked_for_by_its_own_rule(
    at: MakeTable,
) -> None:
    """The question for the cargo cites as the one before it and as the ruling after it."""
    table = at("answer-1").say("concede").pass_on().say("packed")
    assert str(table.question.cite) == "TS-304, RULING 11, RULING 18"
    table.say("cargo", "packed")
    assert str(table.question.cite) == "TS-305, RULING 11, RULING 12, RULING 18"
    table.say("cargo")
    assert len(table.cited("TS-305")) == 1


def test_ts_312_who_declined_suffers_no_additional_damage(at: MakeTable) -> None:
    """Only the printed 1."""
    table = at("defend").say("decline").pass_on()
    assert "Damage 1 of 1" in table.question.prompt


def test_ts_305_not_where_a_maneuver_was_played(at: MakeTable) -> None:
    """One answer is enough."""
    table = at("answer-2").say("concede").pass_on()
    assert "Damage 1 of 2" in table.question.prompt


def test_ts_306_draws_of_all_attacks_together(at: MakeTable) -> None:
    """Three cards, within the limit of the hand."""
    table = at("draw-won")
    assert (table.said("draws 3 cards").by, table.cards("A")) == ("A", 8)
    assert str(table.said("draws 3 cards").cite) == "TS-306, RULING 13"
    assert at("draw-won", A={"hand": 9}).cards("A") == 10


def test_ruling_13_all_damage_before_any_draw(at: MakeTable) -> None:
    """The step of the draw comes only when the last Damage is done."""
    table = at("damage").say("hand", "hand")
    assert not table.cited("TS-306")
    assert table.say("hand").cited("TS-306")


# -- 3b ------------------------------------------------------------------------------------


def test_3b_goes_through_its_steps_in_order(at: MakeTable) -> None:
    """TS-321 to TS-327; TS-328: no reward, no Damage, no Draw."""
    table = at("lost-attacker", players=4)
    asked = []
    while table.asked:
        asked.append((table.asked[0].split("/")[1], table.by))
        lapse = table.question.lapse
        table.say(lapse if lapse is not None else table.names()[0])
    assert asked == [
        ("lost-attacker", "A"), ("won-defender", "B"), ("bounty", "B"), ("end-attacker", "A"),
        ("end-defender", "B"), ("end-others", "C"), ("end-others", "D"),
    ]  # fmt: skip
    cited = {rule for ruling in table.rulings for rule in ruling.cite.rules}
    assert cited.isdisjoint({"TS-303", "TS-304", "TS-306"})


def test_ts_323_the_defender_takes_one_played_maneuver(at: MakeTable) -> None:
    """RULING 14: the attacker's, the own, and the Pilot card; the limit of ten does not stop it."""
    for name, of in (("A1", "A"), ("A3", "A"), ("B2", "B")):
        table = at("bounty", B={"hand": 10})
        assert table.names() == ["A1", "A2", "A3", "B1", "B2", "B3"]
        table.say(name)
        assert (table.cards("B"), table.cards(of, "maneuvers")) == (11, 2)


def test_ts_323_never_a_player_card(at: MakeTable) -> None:
    """It stays with its owner."""
    table = at("bounty", start="range")
    assert "A1" not in table.names()
    for raw in ("A1", "Player card"):
        assert table.refused(raw).code == "TS-E-PLAYERCARD"


@pytest.mark.parametrize(
    ("raw", "code"),
    [("none", "TS-E-MUST"), ("Swoop", "TS-E-CARD"), ("C1", "TS-E-CARD"), ("A1, B2", "TS-E-COUNT"),
     (["A1", "A2"], "TS-E-COUNT")],
)  # fmt: skip
def test_ts_323_one_card_and_one_of_this_dogfight(raw: Any, code: str, at: MakeTable) -> None:
    """Each wrong way with its own code."""
    assert at("bounty").refused(raw).code == code


def test_ruling_14_the_house_may_let_the_defender_take_none(at: MakeTable) -> None:
    """`bounty` may."""
    table = at("bounty", BOUNTY="may").say("none")
    assert table.cards("B") == 5
    assert "(House rule: bounty may.)" in table.said("takes no").text


def test_ruling_14_with_no_card_on_the_table_nothing_is_asked(at: MakeTable) -> None:
    """A RANGE start that was stopped by a card met: only the Player card was played."""
    table = at("instead-answer-1", start="range").say("Cloud bank", "pass", "stop").pass_on()
    assert table.match.outcome.winners == ("B",)
    assert table.said("takes no maneuver card")


# -- the end -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "rule"), [("won-attacker", "TS-310"), ("lost-attacker", "TS-327")]
)
def test_ts_310_and_327_played_maneuvers_are_discarded(step: str, rule: str, at: MakeTable) -> None:
    """RULING 15: the attacker's first; all cards are still there."""
    table = at(step)
    total = table.position.piles.total
    table.finish()
    cleaned = table.said("The dogfight ends")
    assert rule in cleaned.cite.rules
    assert [deed.owner for deed in cleaned.deeds] == ["A", "B"]
    assert table.position.piles.total == total
    assert (table.cards("A", "maneuvers"), table.cards("B", "maneuvers")) == (0, 0)


def test_ts_310_a_player_card_is_not_discarded(at: MakeTable) -> None:
    """Two of the attacker's and three of the defender's go."""
    table = at("clean-up", start="range")
    assert "discard 5 played cards" in table.said("The dogfight ends").text


def test_the_winner_of_the_dogfight_wins_the_match(at: MakeTable) -> None:
    """Attacker and defender alike."""
    assert at("answer-3").say("concede").finish().match.outcome.winners == ("A",)
    assert at("answer-3").say("13").finish().match.outcome.winners == ("B",)
