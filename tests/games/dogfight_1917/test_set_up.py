"""Setting up the base game: who flies what, Hands, places.  (DF-3)"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall

MakeTable = Callable[..., Any]
FREE = {"basic_combination_enforced": False}


def test_df_3_2_from_the_starting_player_on_each_picks(new_table: MakeTable) -> None:
    """A Fighter each; the chart names its pilot."""
    table = new_table()
    assert table.asked == ["set-up/fighter/A"]
    assert table.question("fighter/A").by == "A"
    table.say("fighter/A", "spad")
    assert table.said("René Fonck").cite.rules == ("DF-3.2",)
    table.say("fighter/B", "albatros")
    pilots = {seat: table.player(seat).pilot for seat in "AB"}
    assert pilots == {"A": "fonck", "B": "loewenhardt"}
    assert {table.player(seat).pilot_side for seat in "AB"} == {"A"}


def test_df_3_2_each_fighter_exists_once(new_table: MakeTable) -> None:
    """What A has taken is not offered to B; the refusal says so."""
    table = new_table().say("fighter/A", "camel")
    assert table.names("fighter/B") == ["fokker", "albatros", "spad"]
    refusal = table.refused("fighter/B", "camel")
    assert refusal.code == "DF-TAKEN"
    assert "Sopwith Camel" in str(refusal)
    assert refusal.cite.rules == ("DF-3.2",)
    assert table.refused("fighter/B", "zeppelin").code == "Q-NAME"


def test_df_3_2_both_may_be_of_one_side(new_table: MakeTable) -> None:
    """In a game of two nothing speaks against it."""
    table = new_table().say("fighter/A", "fokker").say("fighter/B", "albatros").say("placed")
    assert table.position.turn == 1


def test_switch_basic_combination_enforced(new_table: MakeTable) -> None:
    """By house rule pilots are picked too, each once; by the book nobody is asked."""
    usual = new_table().say("fighter/A", "camel")
    assert usual.asked == ["set-up/fighter/B"]
    table = new_table(options=FREE).say("fighter/A", "camel")
    assert table.asked == ["set-up/pilot/A"]
    assert table.names("pilot/A") == ["richthofen", "maclaren", "loewenhardt", "fonck"]
    table.say("pilot/A", "fonck").say("fighter/B", "spad")
    assert table.names("pilot/B") == ["richthofen", "maclaren", "loewenhardt"]
    refusal = table.refused("pilot/B", "fonck")
    assert (refusal.code, refusal.cite.rules) == ("DF-TAKEN", ("DF-3.2",))
    table.say("pilot/B", "maclaren")
    assert {s: (table.player(s).fighter, table.player(s).pilot) for s in "AB"} == {
        "A": ("camel", "fonck"), "B": ("spad", "maclaren"),
    }  # fmt: skip


def test_df_3_1_a_is_the_starting_player(new_table: MakeTable) -> None:
    """Whoever saw an aircraft last sits on A; A picks first and moves first."""
    table = new_table(seats={"A": "Ana", "B": "Bo"})
    assert table.question("fighter/A").prompt == "Ana: which Fighter?"
    table.say("fighter/A", "camel").say("fighter/B", "fokker").say("placed")
    assert table.question("action").by == "A"


def test_df_3_4_pilot_cards_begin_on_side_a(new_table: MakeTable) -> None:
    """Their Special Action is still to be had."""
    table = new_table(seats={"A": "/camel", "B": "/fokker"}).say("placed").act("engage")
    assert [table.player(seat).pilot_side for seat in "AB"] == ["A", "A"]
    assert "Northern Falcon" in table.names("action")


def test_df_3_3_the_first_game_is_advice_and_off_by_default(new_table: MakeTable) -> None:
    """With it Camel against Fokker, Mentors with two tokens each, and 17 cards."""
    usual = new_table()
    assert usual.asked == ["set-up/fighter/A"]
    first = new_table(options={"first_game_deck": True})
    assert first.asked == ["set-up/placed"]
    seats = {s: (first.player(s).fighter, first.player(s).pilot, first.player(s).tokens,
                 first.player(s).piles["box"]) for s in "AB"}  # fmt: skip
    assert seats == {"A": ("camel", "mentor", 2, 3), "B": ("fokker", "mentor", 2, 3)}


def test_df_3_5_twenty_cards_shuffled_five_drawn(new_table: MakeTable) -> None:
    """Deck 15, Hand 5, nothing elsewhere; hands shuffle, then draw."""
    table = new_table(seats={"A": "/camel", "B": "/fokker"})
    for seat in "AB":
        assert table.piles(seat) == {"deck": 15, "hand": 5}
    said = table.said("Player A shuffles and draws 5")
    assert [type(deed).__name__ for deed in said.deeds] == ["Shuffle", "Carry"]
    assert said.cite.rules == ("DF-3.5",)


def test_df_3_6_the_starting_player_is_being_chased(new_table: MakeTable) -> None:
    """Second Player in the middle, Starting Player one space north, both facing north."""
    table = new_table(seats={"A": "/camel", "B": "/fokker"})
    assert {seat: table.place(seat) for seat in "AB"} == {"A": "0,-1 N", "B": "0,0 N"}
    assert {str(table.said(f"Player {seat} starts on").cite) for seat in "AB"} == {"DF-3.6"}
    assert table.asked == ["set-up/placed"]
    table.say("placed")
    assert (table.position.turn, table.position.active) == (1, "A")
    assert table.asked == ["turn-1/1/action"]


def test_df_3_6_models_may_be_on_their_way_while_it_is_asked(new_table: MakeTable) -> None:
    """No difference is told of planes that hands are just placing."""
    question = new_table(seats={"A": "/camel", "B": "/fokker"}).question("placed")
    assert question.may_move == {"camel", "fokker"}


@pytest.mark.parametrize("mode", ["base", "draft", "battle-royale"])
def test_models_may_stand_anywhere_before_they_are_placed(new_table: MakeTable, mode: str) -> None:
    """Who plays often has them on the board already: that is no difference from the record."""
    table = new_table(mode, options={"players": 3} if mode == "battle-royale" else {})
    while table.position.stage == "set-up" and table.asked != ["set-up/placed"]:
        (key,) = table.asked
        question = table.match.open[key]
        assert question.may_move == {"fokker", "camel", "albatros", "spad"}, key
        table.say(key, question.options_now()[0].name)


def test_df_3_7_nobody_starts_with_tokens(new_table: MakeTable) -> None:
    table = new_table(seats={"A": "/camel", "B": "/fokker"})
    assert [table.player(seat).tokens for seat in "AB"] == [0, 0]


def test_df_3_7_but_for_the_pilot_mentor(new_table: MakeTable) -> None:
    """Two tokens during set-up, for whoever has the Mentor."""
    table = new_table(seats={"A": "/camel/mentor", "B": "/fokker"}, options=FREE)
    table.say("pilot/B", "richthofen")
    assert [table.player(seat).tokens for seat in "AB"] == [2, 0]
    assert str(table.said("takes 2 tokens").cite) == "DF-3.7, DF-18.5.A"


@pytest.mark.parametrize("raw", ["", "ready", "yes", 0, None])
def test_df_3_6_only_the_word_begins_the_game(new_table: MakeTable, raw: Any) -> None:
    """Anything else is refused with the word."""
    table = new_table(seats={"A": "/camel", "B": "/fokker"})
    refusal = table.refused("placed", raw if raw is not None else "None")
    assert refusal.code == "Q-NAME"
    assert "placed" in str(refusal)


def test_df_3_2_switches_that_there_are_not_are_refused(new_table: MakeTable) -> None:
    """A house rule is named as it is called, and takes the values it has."""
    with pytest.raises(BadCall, match="option 'combinations' is unknown; there are"):
        new_table(options={"combinations": True})
    with pytest.raises(BadCall, match=r"'maybe' is none of true, false.*DF-3.2"):
        new_table(options={"basic_combination_enforced": "maybe"})


@pytest.mark.parametrize(
    ("taken", "words", "back"),
    [
        ({"A.pilot": ""}, "Player A has chosen no pilot.*set A.pilot", {"A.pilot": "maclaren"}),
        ({"B.place": "", "B.fighter": "", "B.pilot": ""},
         "Player B has chosen no Fighter.*set B.fighter",
         {"B.fighter": "spad", "B.pilot": "fonck", "B.place": "0,0 N"}),
        ({"A.place": "", "A.start": ""}, "Player A.s Sopwith Camel stands nowhere.*set A.place",
         {"A.place": "0,-1 N"}),
    ],
)  # fmt: skip
def test_what_a_correction_took_away_is_given_back_before_turn_1(
    new_table: MakeTable, taken: dict[str, Any], words: str, back: dict[str, Any]
) -> None:
    """Nobody begins without Fighter, pilot or place; the refusal says what to set."""
    table = new_table().say("fighter/A", "camel").say("fighter/B", "fokker")
    table.match.adjust(taken, "wrong card", stamp=table.stamp)
    refusal = table.refused("placed", "placed")
    assert refusal.code == "DF-UNREADY"
    assert re.search(words, str(refusal))
    table.match.adjust(back, "found", stamp=table.stamp)
    table.say("placed")
    assert table.asked == ["turn-1/1/action"]


def test_a_fighter_that_was_swapped_has_its_players_colour(new_table: MakeTable) -> None:
    """From the next turn on the map draws the model that is really flown."""
    table = new_table().say("fighter/A", "camel").say("fighter/B", "fokker")
    table.match.adjust({"A.fighter": "spad", "A.pilot": "fonck"}, "misheard", stamp=table.stamp)
    table.say("placed")
    looks = table.match.rulebook.looks
    assert looks["spad"].colour == looks["A"].colour
    assert looks["camel"].colour is None
