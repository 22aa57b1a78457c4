"""The Assessment Phase: Tactical Improvisation, and every way to stall.  (DF-7, RULING 16 to 20)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]

IMPROVISE, BLACKOUT, IMMELMANN = "Tactical Improvisation", "Blackout", "Immelmann Turn"
CORNER = {"place": "0,-4 N"}
"""No Front space is on the board."""


def names(table: Any) -> set[str]:
    return set(table.names("action"))


def improvised(table: Any, card: str = "Evasive Climb") -> Any:
    """Up to the question how many cards are shuffled in."""
    return table.act(IMPROVISE).say("improvised", card)


# -- Tactical Improvisation (DF-7.1) --------------------------------------------------------------


def test_df_7_1_improvisation_discards_pays_and_redraws(table_at: MakeTable) -> None:
    """Hand less 1, Discard and tokens more 1, the Deck as it was; the shuffle is a deed."""
    table = improvised(table_at("assessment"))
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}
    assert table.player("A").tokens == 1
    table.say("shuffled", 3)
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}
    deeds = [type(deed).__name__ for deed in table.said("shuffles").deeds]
    assert deeds == ["Carry", "Shuffle", "Carry"]
    assert table.said("shuffles").cite.rulings == (20,)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "shuffles 1 card into the Deck and draws 1."),
        (4, "shuffles 4 cards into the Deck and draws 4."),
    ],
)
def test_df_7_1_any_number_of_cards_in_words(table_at: MakeTable, count: int, text: str) -> None:
    """One card is not several."""
    table = improvised(table_at("assessment")).say("shuffled", count)
    assert table.said("shuffles").text.endswith(text)
    assert table.said("shuffles").headline == f"Player A: redraw {count}"


def test_ruling_20_no_card_need_be_shuffled(table_at: MakeTable) -> None:
    """0 is a number too: then nothing is drawn either."""
    table = improvised(table_at("assessment")).say("shuffled", 0)
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}
    assert table.asked == ["turn-7/2/action"]
    assert not [ruling for ruling in table.rulings if "shuffles" in ruling.text]


def test_ruling_20_the_discarded_card_is_not_among_the_shuffled(table_at: MakeTable) -> None:
    """Of five cards held four are left; a fifth is refused by number."""
    table = improvised(table_at("assessment"))
    refusal = table.refused("shuffled", 5)
    assert refusal.code == "DF-COUNT"
    assert "0 to 4 may be taken" in str(refusal)
    for raw in (-1, "many", 2.5, True):
        assert table.refused("shuffled", raw).code.startswith("Q-")


def test_ruling_20_once_a_turn(table_at: MakeTable) -> None:
    """A second is refused with the way out; on the next turn it is there again."""
    table = improvised(table_at("assessment")).say("shuffled", 0)
    assert IMPROVISE not in names(table)
    refusal = table.refused("action", IMPROVISE)
    assert refusal.code == "DF-E14"
    assert "once a turn" in str(refusal)
    assert refusal.cite.rulings == (20,)
    table.act("engage").act("Basic Maneuver").say("fly", "0,0 N")
    table.say("condition", 1).say("condition/again-1", "keep").act("end turn")
    assert IMPROVISE in names(table)


def test_df_7_1_with_an_empty_hand_there_is_nothing_to_discard(table_at: MakeTable) -> None:
    """The refusal says so, not that it was used."""
    options = {"stall_test": "declared"}
    table = table_at("assessment", A={"hand": 0, "discard": 9}, options=options)
    assert IMPROVISE not in names(table)
    refusal = table.refused("action", IMPROVISE)
    assert refusal.code == "DF-E14"
    assert "Hand is empty" in str(refusal)


def test_df_7_1_the_discarded_card_need_not_be_named(table_at: MakeTable) -> None:
    """It lies face up: whoever wants may name it, silence will do."""
    table = improvised(table_at("assessment"), "not named")
    assert table.said("discards").text == "Player A discards a card."
    assert table.question("shuffled").most == 4
    table = table_at("assessment").act(IMPROVISE)
    assert table.question("improvised").lapse == "not named"
    assert table.refused("improvised", "Zeppelin").code == "Q-NAME"
    assert table.say("improvised", "Killer Instinct").player("A").piles.known["discard"] == [
        "Killer Instinct"
    ]


def test_df_4_5_a_killer_instinct_that_is_discarded_is_no_used_one(table_at: MakeTable) -> None:
    """It goes to the Discard Pile, not to the box."""
    table = improvised(table_at("assessment"), "Killer Instinct")
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}


# -- whether a Stall is due (DF-7.2, RULING 16, RULING 17) ----------------------------------------


def test_df_7_2_with_free_front_spaces_immelmann_is_out(table_at: MakeTable) -> None:
    """Engaging is what silence means; Blackout stays a claim about a Hand that nobody sees."""
    table = table_at("assessment")
    assert {"engage", IMPROVISE, BLACKOUT} <= names(table)
    assert IMMELMANN not in names(table)
    assert table.question("action").lapse == "engage"
    refusal = table.refused("action", IMMELMANN)
    assert refusal.code == "DF-E14"
    assert refusal.cite.rules == ("DF-7.3",)
    assert "free" in str(refusal)


def test_ruling_16_who_can_fly_nothing_stalls(table_at: MakeTable) -> None:
    """In a corner, looking out: no engaging, and silence means nothing."""
    table = table_at("assessment", A=CORNER)
    assert names(table) == {IMPROVISE, BLACKOUT, IMMELMANN}
    assert table.question("action").lapse is None
    refusal = table.refused("action", "engage")
    assert refusal.code == "DF-E14"
    assert refusal.cite.rulings == (16,)
    assert "Stall" in str(refusal)


def test_ruling_16_what_might_open_later_does_not_count(table_at: MakeTable) -> None:
    """A Slip-turn could turn the Fokker round, yet it stalls; by house rule it may try."""
    fokker = {**CORNER, "fighter": "fokker", "pilot": "richthofen", "tokens": 2}
    camel = {"fighter": "camel", "pilot": "maclaren", "place": "3,0 N"}
    assert "engage" not in names(table_at("assessment", A=fokker, B=camel))


def test_switch_stall_test_declared_lets_a_way_out_be_claimed(table_at: MakeTable) -> None:
    """The Slip-turn opens the board, and the Maneuver follows."""
    fokker = {**CORNER, "fighter": "fokker", "pilot": "richthofen", "tokens": 2}
    camel = {"fighter": "camel", "pilot": "maclaren", "place": "3,0 N"}
    table = table_at("assessment", A=fokker, B=camel, options={"stall_test": "declared"})
    table.act("engage").act("Slip-turn").say("slip-turn", 3).say("slip/A", "0,-4 S")
    table.say("slip-advance", "0,-4 S").act("Basic Maneuver")
    assert "0,-3 S" in table.names("fly")


def test_ruling_17_an_occupied_front_counts_as_open_if_a_card_flies_beyond(
    table_at: MakeTable,
) -> None:
    """All three Front spaces are taken: a Basic Maneuver gets past them, a Turning does not.

    Who holds only the latter takes the Immelmann Turn, who holds no Maneuver Card may choose.
    """
    around = {"B": {"place": "0,-1 N"}, "C": {"place": "-1,0 N"}, "D": {"place": "1,-1 N"}}
    table = table_at("assessment", "team-battle", players="ABCD", A={"place": "0,0 N"}, **around)
    assert {"engage", IMPROVISE, BLACKOUT, IMMELMANN} <= names(table)
    table.act("engage")
    assert {"Basic Maneuver", "High-speed Maneuver"} <= names(table)
    assert "Turning Maneuver" not in names(table)
    refusal = table.refused("action", "Turning Maneuver")
    assert "no legal end" in str(refusal)
    assert refusal.cite.rules == ("DF-9.3", "DF-9.4")


@pytest.mark.parametrize("place", ["0,-4 N", "0,1 N"])
def test_ruling_17_an_empty_hand_means_blackout(table_at: MakeTable, place: str) -> None:
    """There is no card for the Immelmann Turn, and none to fly; so nobody is asked."""
    table = table_at("assessment", A={"hand": 0, "discard": 9, "place": place})
    assert table.said("blacks out").cite.rules == ("DF-7.4",)
    assert table.position.active == "B"


@pytest.mark.parametrize("action", ["Basic Maneuver", "Basic Attack", "Regroup", "end turn"])
def test_df_7_2_who_must_stall_does_not_act(table_at: MakeTable, action: str) -> None:
    """The Stall is due, and with it the Engagement Phase is skipped."""
    refusal = table_at("assessment", A=CORNER).refused("action", action)
    assert (refusal.code, str(refusal.cite)) == ("DF-E14", "DF-7.2, DF-7.5, RULING 16")
    assert "a Stall is due" in str(refusal)


# -- Immelmann Turn (DF-7.3) ----------------------------------------------------------------------


def test_df_7_3_immelmann_discards_one_and_turns_about(table_at: MakeTable) -> None:
    """A card of choice; the plane stays on its space; the turn is over."""
    table = table_at("assessment", A=CORNER).act(IMMELMANN)
    assert table.place("A") == "0,-4 N"
    table.say("immelmann", "Basic Maneuver")
    assert table.place("A") == "0,-4 S"
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}
    assert table.said("turns about").cite.rules == ("DF-7.3",)
    assert (table.position.turn, table.position.active) == (8, "B")


def test_df_9_9_turning_about_collects_nothing(table_at: MakeTable) -> None:
    """A rotation is no movement, even where tokens are to be had."""
    table = table_at("assessment", A=CORNER, cards={"board": {"one_token": [[0, -4]]}})
    table.act(IMMELMANN).say("immelmann", "not named")
    assert table.player("A").tokens == 0


# -- Blackout (DF-7.4, RULING 18) -----------------------------------------------------------------


def test_df_7_4_blackout_costs_a_card_and_drifts_ahead(table_at: MakeTable) -> None:
    """The top card, unseen, to the Damage Pile; one space straight ahead; the turn is over."""
    table = table_at("assessment", B={"place": "3,0 N"}).act(BLACKOUT)
    assert table.piles("A") == {"deck": 8, "hand": 5, "discard": 4, "damage": 3}
    assert table.place("A") == "0,0 N"
    assert not [ruling for ruling in table.rulings if "takes 1 damage" in ruling.text]
    assert (table.position.turn, table.position.active) == (8, "B")


def test_df_7_4_drifting_onto_a_tactical_position_collects(table_at: MakeTable) -> None:
    table = table_at("assessment", A={"place": "0,-2 N"}, B={"place": "3,0 N"}).act(BLACKOUT)
    assert table.place("A") == "0,-3 N"
    assert table.player("A").tokens == 1


@pytest.mark.parametrize(("place", "other"), [("1,-4 N", "3,0 N"), ("0,1 N", "0,0 S")])
def test_ruling_18_where_ahead_is_closed_the_fighter_stays(
    table_at: MakeTable, place: str, other: str
) -> None:
    """By the edge or by a plane: the card is lost all the same; other Front spaces are no way."""
    table = table_at("assessment", A={"place": place}, B={"place": other}).act(BLACKOUT)
    assert table.place("A") == place
    assert table.piles("A")["damage"] == 3
    said = table.said("cannot drift")
    assert said.cite.rulings == (18,)
    assert said.headline
    assert table.position.active == "B"


# -- what a Stall costs (DF-7.5, DF-7.6) ----------------------------------------------------------


def test_df_7_5_blackout_with_the_last_card_is_fatal(table_at: MakeTable) -> None:
    """The turn ends with an empty Deck, and so does the game."""
    table = table_at("assessment", A={"deck": 1, "discard": 12}).act(BLACKOUT)
    assert table.match.outcome.winners == ("B",)
    assert table.last.cite.rules == ("DF-5.2", "DF-16.2")
    assert table.piles("A") == {"hand": 5, "discard": 12, "damage": 3}


def test_df_7_5_blackout_with_two_cards_is_not(table_at: MakeTable) -> None:
    table = table_at("assessment", A={"deck": 2, "discard": 11}).act(BLACKOUT)
    assert table.match.outcome is None
    assert table.position.active == "B"


@pytest.mark.parametrize("effect", [BLACKOUT, IMMELMANN])
def test_df_7_6_stalling_with_an_empty_deck_crashes_at_once(
    table_at: MakeTable, effect: str
) -> None:
    """No effect is carried out, no card is asked for."""
    table = table_at("assessment", A={**CORNER, "deck": 0, "discard": 13}).act(effect)
    assert table.match.outcome.winners == ("B",)
    assert table.last.cite.rules == ("DF-7.6",)
    assert table.piles("A") == {"hand": 5, "discard": 13, "damage": 2}
    assert not [ruling for ruling in table.rulings if "Damage Pile" in ruling.text]


# -- who claims to hold no Maneuver Card (blackout_proof) -----------------------------------------


def test_switch_blackout_proof_by_default_the_claim_is_believed(table_at: MakeTable) -> None:
    assert table_at("assessment").act(BLACKOUT).position.active == "B"


def test_switch_blackout_proof_shown_hand_without_one(table_at: MakeTable) -> None:
    """Everybody sees the Hand; then the Stall takes its course."""
    table = table_at("assessment", options={"blackout_proof": "show_hand"}).act(BLACKOUT)
    question = table.question("hand-shown")
    assert question.by == "table"
    assert table.refused("hand-shown", "perhaps").code == "Q-NAME"
    table.say("hand-shown", "none")
    assert table.piles("A")["damage"] == 3
    assert table.position.active == "B"


def test_switch_blackout_proof_shown_hand_with_one(table_at: MakeTable) -> None:
    """No Blackout: the phase goes on, nothing was lost."""
    table = table_at("assessment", options={"blackout_proof": "show_hand"}).act(BLACKOUT)
    table.say("hand-shown", "one")
    assert table.piles("A") == {"deck": 9, "hand": 5, "discard": 4, "damage": 2}
    assert table.asked == ["turn-7/2/action"]
    said = table.said("holds a Maneuver Card")
    assert said.headline == "Player A: no Blackout"
    assert "blackout_proof show_hand" in said.text
    assert "engage" in names(table)


def test_switch_blackout_proof_nobody_shows_an_empty_hand(table_at: MakeTable) -> None:
    seat = {"hand": 0, "discard": 9}
    table = table_at("assessment", A=seat, options={"blackout_proof": "show_hand"}).act(BLACKOUT)
    assert table.position.active == "B"


def test_switch_blackout_proof_holds_for_a_late_stall_too(table_at: MakeTable) -> None:
    """Who engaged and now claims to hold none shows the Hand; with one in it the turn goes on."""
    table = table_at("engagement", options={"blackout_proof": "show_hand"}).act(BLACKOUT)
    table.say("hand-shown", "one")
    assert table.asked == ["turn-7/2/action"]
    assert "Basic Maneuver" in names(table)
    assert table.piles("A")["damage"] == 2
