"""Windows: who may play, what, in which order, and that they open once.  (TS-WIN, RULING 1, 8)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer
from companion.core.ruling import Seat
from companion.games.talespin_dogfight.steps import STEPS

MakeTable = Callable[..., Any]

WINDOWS = {
    "TS-103": ("start-attacker", "A", "Head start"),
    "TS-104": ("start-defender", "B", "Early warning"),
    "TS-106": ("before-attacker", "A", "Warm engine"),
    "TS-107": ("before-defender", "B", "Warm engine"),
    "TS-110": ("after-attacker", "A", "Second look"),
    "TS-111": ("after-defender", "B", "Second look"),
    "TS-202": ("instead-answer-1", "B", "Cloud bank"),
    "TS-204": ("instead-attack-2", "A", "Feint"),
    "TS-206": ("instead-answer-2", "B", "Cloud bank"),
    "TS-208": ("instead-attack-3", "A", "Feint"),
    "TS-210": ("instead-answer-3", "B", "Cloud bank"),
    "TS-301": ("won-attacker", "A", "Victory roll"),
    "TS-302": ("lost-defender", "B", "Safe landing"),
    "TS-307": ("end-attacker", "A", "Homeward"),
    "TS-308": ("end-defender", "B", "Homeward"),
    "TS-309": ("end-others", "C", "Homeward"),
    "TS-321": ("lost-attacker", "A", "Safe landing"),
    "TS-322": ("won-defender", "B", "Victory roll"),
}
"""Every window of the table: its step, whose it is, and a card that says so."""


@pytest.mark.parametrize("rule", WINDOWS)
def test_each_window_asks_its_player_for_its_cards_and_passes(rule: str, at: MakeTable) -> None:
    """TS-WIN-01: only the player named is asked, under the paragraph, and only for its cards."""
    step, seat, card = WINDOWS[rule]
    table = at(step, players=3)
    assert table.by == seat
    assert rule in table.question.cite.rules
    assert card in table.names()
    wrong = "Head start" if card != "Head start" else "Homeward"
    assert table.refused(wrong).code == "TS-E-WINDOW"
    assert table.refused(f"{'B' if seat == 'A' else 'A'}: {card}").code == "TS-E-WHO"
    table.say("pass")
    assert table.step != step


@pytest.mark.parametrize("rule", [*("TS-103", "TS-106", "TS-110", "TS-301", "TS-307")])
def test_ts_win_02_any_number_of_cards_or_none(rule: str, at: MakeTable) -> None:
    """Cards one after another, each carried out at once; then a pass."""
    step, seat, card = WINDOWS[rule]
    table = at(step, players=3)
    hand, total = table.cards(seat), table.position.piles.total
    for nth in (1, 2, 3):
        table.say(card)
        while not table.asked[0].endswith(f"{nth + 1}/card"):
            table.say(table.question.lapse)
        assert table.step == step
    drew = sum(ruling.headline.endswith("draw 1") for ruling in table.rulings)
    assert table.cards(seat) == hand - 3 + drew
    assert table.position.piles.total == total
    assert table.position.piles["in play"] == 0


def test_ts_win_03_attacker_before_defender_before_others_in_turn_order(at: MakeTable) -> None:
    """D is on turn against B: the others are A and C, A first as it follows D."""
    table = at("end-attacker", players=4, turn_of="D", defender="B", winner="nobody",
               played=[{"by": "D", "exchange": 1, "value": 5, "source": "pilot"}])  # fmt: skip
    asked = []
    while table.asked:
        asked.append(table.by)
        table.say("pass")
    assert asked == ["D", "B", "A", "C"]


def test_every_shared_window_has_the_attacker_first() -> None:
    """TS-WIN-03, held against the table of steps itself."""
    names = list(STEPS)
    for before, after in (("before", "before"), ("after", "after"), ("end", "end")):
        assert names.index(f"{before}-attacker") + 1 == names.index(f"{after}-defender")
    assert names.index("end-others") == names.index("end-defender") + 1


def test_two_players_meet_fifteen_windows_and_every_other_player_adds_one(at: MakeTable) -> None:
    """Everything played out: 2 start, 2 before, 2 after, 5 instead, 2 result, 2 end."""
    for players, expected in ((2, 15), (3, 16), (4, 17)):
        table = at("start-attacker", players=players, A={"hand": 9}, B={"hand": 9})
        windows = 0
        while table.asked:
            if "pass" in table.names():
                windows += 1
                table.say("pass")
            elif table.asked[0].endswith("/maneuver") and table.by == "B":
                table.say("13 0 0")
            elif table.asked[0].endswith("/maneuver") and table.names() != ["printed"]:
                table.say("7 0 0")
            elif table.question.lapse is not None:
                table.say(table.question.lapse)
            else:
                table.say(table.names()[0])
        assert windows == expected


def test_ruling_1_a_window_opens_once_and_announcing_lets_the_next_answer_close_it(
    at: MakeTable,
) -> None:
    """`windows` announce: deciding about defending passes both windows before it."""
    table = at("start-attacker")
    question = table.question
    with pytest.raises(Exception, match="start-attacker"):
        table.match.answer(_offer("dogfight-1/answer-1/maneuver", "10"), table.stamp)
    table.match.answer(_offer("dogfight-1/defend/decides", "defend"), table.stamp)
    assert table.step == "before-attacker"
    assert question.key not in table.asked
    notice = table.report("card", player="B", window="start_against")
    assert notice.code == "TS-E-CLOSED"


def test_ruling_1_the_house_may_have_every_window_asked(at: MakeTable) -> None:
    """`windows` ask: no silence; nothing else is answered before the pass."""
    table = at("start-attacker", WINDOWS="ask")
    assert table.question.lapse is None
    with pytest.raises(LookupError):
        table.match.answer(_offer("dogfight-1/defend/decides", "defend"), table.stamp)
    table.say("pass", "pass", "defend")
    assert table.step == "before-attacker"


def test_ruling_1_nobody_passes_every_window_up_to_the_next_regular_step(at: MakeTable) -> None:
    """One word for the attacker, the defender and, at the end, all others; in their order."""
    for step, after in (
        ("start-attacker", "defend"), ("before-attacker", "after-attacker"),
        ("after-attacker", "instead-answer-1"), ("won-attacker", "damage"),
        ("lost-attacker", "bounty"),
    ):  # fmt: skip
        table = at(step, players=4)
        assert "“Nobody plays a card” speaks for Player B, too." in table.question.prompt
        assert table.say("nobody").step == after
    table = at("end-attacker", players=4)
    assert (
        "“Nobody plays a card” speaks for Player B, Player C and Player D, too."
        in table.question.prompt
    )
    assert table.say("nobody").match.outcome is not None


def test_ruling_1_nobody_is_offered_where_somebody_else_may_play(at: MakeTable) -> None:
    """The last window of a moment has a pass alone, as where the others hold no card."""
    assert "nobody" not in at("start-defender").names()
    assert "nobody" not in at("start-attacker", B={"hand": 0}).names()
    assert "nobody" not in at("start-attacker", WINDOWS="ask").names()
    assert "nobody" in at("end-others", players=4).names()
    assert "nobody" not in at("end-others", players=4, spoken=["C"]).names()


@pytest.mark.parametrize("exchange", [1, 2, 3])
def test_ruling_1_the_next_maneuver_closes_its_own_players_window(
    exchange: int, at: MakeTable
) -> None:
    """Told at once it is judged as the answer it is, and brings what a pass and it would."""
    at_once, step_by_step = at(f"instead-answer-{exchange}"), at(f"instead-answer-{exchange}")
    assert at_once.refused("1").code == "TS-E-LOW"
    assert at_once.refused("14").code == "TS-E-VALUE"
    assert {"pass", "Cloud bank", "12", "concede"} <= set(at_once.names())
    at_once.say("12")
    step_by_step.say("pass", "12")
    assert at_once.position.digest() == step_by_step.position.digest()
    assert at_once.asked == step_by_step.asked
    assert at(f"instead-answer-{exchange}").say("concede").position.winner == "attacker"


@pytest.mark.parametrize("exchange", [2, 3])
def test_ruling_1_the_next_attack_closes_the_attackers_window(exchange: int, at: MakeTable) -> None:
    """By value Damage and Draw are asked as ever; stopping ends the attack."""
    table = at(f"instead-attack-{exchange}").say("7", 1, 1)
    assert table.step == f"instead-answer-{exchange}"
    assert at(f"instead-attack-{exchange}").say("stop").position.winner == "defender"
    must = at(f"instead-attack-{exchange}", ATTACKER_MAY_STOP="only_if_unable")
    assert must.refused("stop").code == "TS-E-MUST"


def test_ruling_1_under_ask_a_maneuver_waits_for_the_pass(at: MakeTable) -> None:
    """`windows` ask: the window takes its own words alone."""
    table = at("instead-answer-1", WINDOWS="ask")
    assert "12" not in table.names()
    assert table.refused("12").code == "Q-NAME"


def test_a_dogfight_without_a_card_takes_few_words(at: MakeTable) -> None:
    """Fifteen windows: five words pass ten of them, and five maneuvers those before them."""
    table = at("start-attacker", A={"hand": 9}, B={"hand": 9})
    table.say("nobody", "defend", "nobody", "nobody")
    table.say("10", "8 1 0", "10", "8 1 0", "10", "nobody", "A1", "nobody")
    assert table.match.outcome.winners == ("B",)


def _offer(key: str, raw: Any) -> Offer:
    return Offer(key, raw, "script", Seat("B"))


def test_an_empty_hand_is_not_asked_for_cards(at: MakeTable) -> None:
    """Who holds nothing plays nothing: the window closes by itself.  (TS-WIN-02)"""
    table = at("start-attacker", A={"hand": 0}, B={"hand": 0})
    assert table.step == "defend"


# -- cards played instead of a maneuver (RULING 8) -----------------------------------------


def test_ruling_8_met_goes_on_to_the_next_exchange(at: MakeTable) -> None:
    """The regular answer is not asked; the card is discarded and no maneuver."""
    table = at("instead-answer-1", A={"hand": 5})
    discards = table.piles[1]
    table.say("Cloud bank")
    assert table.step == "instead-attack-2"
    assert table.piles[1] == discards + 1
    assert [one.name for one in table.position.played] == ["A1"]
    assert table.position.owes_extra(), "it does not count as a maneuver played (TS-305)"


def test_ruling_8_met_in_the_third_exchange_wins(at: MakeTable) -> None:
    """On to 3b after exchange 3."""
    table = at("instead-answer-3").say("Cloud bank")
    assert (table.step, table.position.winner) == ("lost-attacker", "defender")


def test_ruling_8_a_value_stands_in_and_is_compared_as_usual(at: MakeTable) -> None:
    """The defender's must be enough; the attacker's has to be answered."""
    table = at("instead-answer-2")
    table.say("Borrowed trick")
    assert table.step == "instead-attack-3"
    table.say("Borrowed trick")
    assert (table.step, table.position.attack_value()) == ("instead-answer-3", 10)
    table.say("pass")
    assert table.refused("9").code == "TS-E-LOW"
    table.say("10")
    assert table.position.winner == "defender"


def test_ruling_8_a_value_below_the_attack_is_refused(at: MakeTable) -> None:
    """TS-223 holds for stand-ins too."""
    table = at("instead-answer-1", A={"value_bonus": 6})
    refused = table.refused("Borrowed trick")
    assert refused.code == "TS-E-LOW"
    assert "worth 10, is too low; 11 or more is needed" in refused.text
    table.say("other card", "value")
    assert table.refused(10).code == "TS-E-LOW"
    table.say(11, "nothing")
    assert table.step == "instead-attack-2"


def test_ruling_8_skip_leaves_an_exchange_without_attack(at: MakeTable) -> None:
    """No answer is needed; after exchange 3 the defender has won."""
    table = at("instead-attack-2").say("Feint")
    assert table.step == "instead-attack-3"
    table.say("Feint")
    assert table.position.winner == "defender"


@pytest.mark.parametrize(
    ("result", "winner", "step"),
    [
        ("attacker wins", "attacker", "won-attacker"),
        ("defender wins", "defender", "lost-attacker"),
        ("no winner", "nobody", "end-attacker"),
    ],
)
@pytest.mark.parametrize("window", ["instead-answer-2", "instead-attack-2"])
def test_ruling_8_and_16_a_declared_card_ends_the_dogfight(
    result: str, winner: str, step: str, window: str, at: MakeTable
) -> None:
    """Both sides' cards may decide it; without a winner only the end windows are left."""
    table = at(window).say("other card", result, "nothing")
    assert (table.position.winner, table.step) == (winner, step)


def test_ruling_8_other_is_followed_by_the_maneuver(at: MakeTable) -> None:
    """Any other effect is carried out; the player still has to answer."""
    table = at("instead-answer-1").say("other card", "other", "raise B", 2, "nothing", "pass")
    assert table.step == "answer-1"
    assert table.refused("2").code == "TS-E-LOW"
    table.say("3")
    assert table.step == "instead-attack-2"


def test_ruling_8_results_belong_to_a_side(at: MakeTable) -> None:
    """Met is the defender's, skip the attacker's."""
    table = at("instead-attack-2")
    assert table.refused("Cloud bank").code == "TS-E-WINDOW"
    assert "met" not in table.say("other card").names()
    table = at("instead-answer-2")
    assert table.refused("Feint").code == "TS-E-WINDOW"
    assert "skip" not in table.say("other card").names()


def test_ruling_8_a_card_of_the_file_also_has_its_effects(at: MakeTable) -> None:
    """A result and operations of the same card both come true."""
    data = {"windows": {"Lucky cloud": {"windows": ["instead"], "result": "met",
                                        "effects": [{"does": "draw", "count": 2}]}}}  # fmt: skip
    table = at("instead-answer-1", data=data).say("Lucky cloud")
    assert table.cards("B") == 6
    assert table.step == "instead-attack-2"


def test_ruling_8_an_unwritten_card_with_a_result_has_its_operations_too(at: MakeTable) -> None:
    """Met, and its player draws two; silence records nothing besides the result."""
    table = at("instead-answer-1").say("other card", "met")
    assert table.asked == ["dogfight-1/instead-answer-1/B/1/effect/1"]
    assert table.question.lapse == "nothing"
    table.say("draw B", 2, "nothing")
    assert (table.step, table.cards("B")) == ("instead-attack-2", 6)
    wins = at("instead-attack-2").say("other card", "attacker wins", "cancel A1", "nothing")
    assert (wins.step, wins.position.damage_total()) == ("won-attacker", 0)
    ended = at("instead-answer-1").say("other card", "met", "no winner")
    assert (ended.step, ended.position.winner) == ("end-attacker", "nobody")


# -- what cards do -------------------------------------------------------------------------


def test_ruling_16_no_winner_skips_3a_and_3b_but_for_the_end(at: MakeTable) -> None:
    """Windows in order, then the discards; nobody wins the match."""
    table = at("after-defender", players=3).say("other card", "no winner")
    asked = []
    while table.asked:
        asked.append(table.asked[0].split("/")[1])
        table.say("pass")
    assert asked == ["end-attacker", "end-defender", "end-others"]
    assert table.match.outcome.winners == ()
    assert not table.cited("TS-304")
    assert not table.cited("TS-323")


@pytest.mark.parametrize("step", ["end-attacker", "end-defender"])
def test_ruling_16_cards_at_the_end_work_where_nobody_has_won(step: str, at: MakeTable) -> None:
    """The attacker's like the defender's, written or told."""
    seat = "A" if step == "end-attacker" else "B"
    written = at(step, winner="nobody").say("Homeward")
    assert written.cards(seat) == 5, "one played, one drawn"
    told = at(step, winner="nobody").say("other card", f"draw {seat}", 2, "nothing")
    assert (told.cards(seat), told.step) == (6, step)


def test_ruling_16_a_card_that_ends_it_does_all_the_rest_first(at: MakeTable) -> None:
    """Written as end and draw: two cards, then the end."""
    data = {"windows": {"Fog": {"windows": ["after_pilot"], "effects": [
        {"does": "no winner"}, {"does": "draw", "count": 2}]}}}  # fmt: skip
    table = at("after-attacker", data=data).say("Fog")
    assert (table.cards("A"), table.step) == (6, "end-attacker")


def test_pilot_effects_change_the_draw(at: MakeTable) -> None:
    """PILOT 3 and two more draw five.  (RULING 4)"""
    table = at("before-attacker").say("Warm engine", "pass", "pass")
    assert table.said("Player A draws 5 cards")


def test_ruling_6_effects_keep_values_within_1_and_13(at: MakeTable) -> None:
    """A 12 and three more is a 13; a 5 and nine less is a 1."""
    table = at("answer-1", A={"value_bonus": -9}, B={"value_bonus": 3})
    assert table.position.attack_value() == 1
    table.say("12")
    assert "worth 13 here" in table.said("meets it with").text


def test_ruling_13_cancelled_effects_do_not_count_and_moved_cards_do(at: MakeTable) -> None:
    """Two attacks: one cancelled, the other off the table but counted."""
    table = at("won-attacker").adjust(A2_damage=4, A2_draw=5)
    assert (table.position.damage_total(), table.position.draw_total()) == (6, 7)
    table.say("other card", "cancel A2", "remove A3", "nothing")
    assert (table.position.damage_total(), table.position.draw_total()) == (2, 2)
    assert [one.name for one in table.position.on_table()] == ["A1", "A2", "B1", "B2", "B3"]


def test_a_card_of_the_file_may_name_a_maneuver(at: MakeTable) -> None:
    """Safe landing asks which; none is an answer too."""
    table = at("lost-defender").say("Safe landing", "A1", "pass")
    assert table.position.played[0].cancelled
    assert at("lost-defender").say("Safe landing", "nothing").position.damage_total() == 3


def test_discards_by_an_effect_never_go_below_an_empty_hand(at: MakeTable) -> None:
    """Three of two: both."""
    table = at("start-attacker", B={"hand": 2}).say("other card", "discard B", 3, "nothing")
    assert table.cards("B") == 0


def test_effects_of_others_reach_the_attacker(at: MakeTable) -> None:
    """An opponent to one of the others is the attacker."""
    data = {"windows": {"Toll": {"windows": ["end"], "effects": [
        {"does": "discard", "who": "opponent"}, {"does": "no winner"}]}}}  # fmt: skip
    table = at("end-others", players=3, data=data).say("Toll")
    assert table.cards("A") == 4
    assert table.position.winner == "attacker", "what is won stays won"


def test_a_refused_card_is_no_window_word(at: MakeTable) -> None:
    """Nonsense is told what there is."""
    with pytest.raises(
        IllegalAnswer, match="'bananas' is none of pass, nobody, Head start, other card"
    ):
        at("start-attacker").say("bananas")
