"""A Stall that is claimed after engaging; what a crash leaves behind.  (DF-7.2, DF-8.4, DF-16.4)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]
BLACKOUT, IMMELMANN = "Blackout", "Immelmann Turn"


def shot(table_at: MakeTable, *begin: str, **more: Any) -> Any:
    """A has engaged, by a word or by the shot itself, has missed and is to go on."""
    table = table_at("assessment", **more)
    for word in begin:
        table.act(word)
    return table.say("fire", [1, 1])


# -- A5: no way round the Stall (DF-7.2, DF-7.5, DF-8.4) ------------------------------------------


@pytest.mark.parametrize("begin", [("engage", "Basic Attack"), ("Basic Attack",)])
def test_df_8_4_who_engaged_and_shot_hears_a_word_before_a_blackout(
    table_at: MakeTable, begin: tuple[str, ...]
) -> None:
    """A Stall skips the Engagement Phase: to shoot first and then have no card is told apart.

    Nothing that was done took a Maneuver Card. The word names the rules and the way back.
    """
    table = shot(table_at, *begin).say("momentum/A", "0,0 N")
    notice = table.question("action").word_before(BLACKOUT)
    assert (notice.code, notice.level.value) == ("DF-STALL", "warn")
    assert str(notice.cite) == "DF-7.2, DF-7.5, DF-8.4"
    assert "nothing took a Maneuver Card since" in notice.text
    assert "undo to turn-7/1/action and stall there" in notice.way_out


def test_df_8_4_the_way_back_leads_to_the_stall(table_at: MakeTable) -> None:
    """Who takes back to the line that the word names can stall there, without the shot."""
    table = shot(table_at, "engage", "Basic Attack").say("momentum/A", "0,0 N")
    begun = next(e for e in table.match.entries if e.key == "turn-7/1/action")
    table.match.undo(begun.seq, stamp=table.stamp)
    assert BLACKOUT in table.names("action")
    assert table.question("action").word_before(BLACKOUT) is None


def test_df_8_4_it_is_a_word_and_refuses_nothing(table_at: MakeTable) -> None:
    """The late Blackout is carried out, and the turn is over."""
    table = shot(table_at, "Basic Attack").say("momentum/A", "0,0 N").act(BLACKOUT)
    assert table.position.active == "B"
    assert table.said("blacks out")


def test_df_8_4_a_killer_instinct_is_no_maneuver_card(table_at: MakeTable) -> None:
    """It was the last card held: to engage with it alone was to say what was not so.

    The Blackout is the only thing left, and is asked for, so that the word is heard.
    """
    table = table_at("assessment", A={"hand": 1, "discard": 8, "pilot": "loewenhardt", "side": "B"},
                     B={"place": "3,0 N"})  # fmt: skip
    table.act("Killer Instinct")
    assert table.names("action") == [BLACKOUT] or "Regroup" in table.names("action")
    assert table.question("action").word_before(BLACKOUT).code == "DF-STALL"


def corner(table_at: MakeTable, **more: Any) -> Any:
    """A has flown by Momentum into a corner, from which no card can be flown."""
    table = table_at("assessment", A={"place": "0,-3 N"}, B={"place": "0,-4 N"}, **more)
    table.act("Basic Attack").say("fire", [1, 1]).adjust(fokker="3,0 N")
    return table.say("momentum/A", "0,-4 N")


def test_df_7_3_an_immelmann_after_a_move_of_ones_own_needs_no_word(table_at: MakeTable) -> None:
    """The cards that could be flown cannot any more: the Stall is rightly late (RULING 19)."""
    question = corner(table_at).question("action")
    assert question.word_before(IMMELMANN) is None
    assert question.word_before(BLACKOUT).code == "DF-STALL", "the cards held are still there"


def test_df_7_3_an_immelmann_where_nothing_has_moved_gets_one(table_at: MakeTable) -> None:
    """The Front is taken, and a card that flies beyond was claimed by engaging."""
    around = {"B": {"place": "0,-1 N"}, "C": {"place": "-1,0 N"}, "D": {"place": "1,-1 N"}}
    table = table_at("assessment", "battle-royale", players="ABCD", A={"place": "0,0 N"}, **around)
    table.act("engage")
    assert table.question("action").word_before(IMMELMANN).code == "DF-STALL"


def test_ruling_16_who_may_declare_a_later_way_out_claims_nothing(table_at: MakeTable) -> None:
    """By house rule (stall_test) engaging says nothing about the Hand."""
    table = table_at("assessment", options={"stall_test": "declared"}).act("engage")
    assert table.question("action").word_before(BLACKOUT) is None


def test_df_8_4_an_arbiter_who_counts_the_hand_takes_the_claim_along(table_at: MakeTable) -> None:
    """The Maneuver Card may have been among those that were counted away."""
    table = table_at("assessment").act("engage").adjust(A__hand=4, A__deck=10)
    assert table.question("action").word_before(BLACKOUT) is None


def test_the_claim_lies_in_the_position_file(table_at: MakeTable) -> None:
    """A match that goes on elsewhere says the same word."""
    table = table_at("assessment").act("engage")
    file = table.match.position_file()
    assert file["claimed"] == ["Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"]
    assert "claimed" not in table_at("assessment").match.position_file()


# -- A5: what a crash leaves behind (DF-4.2, DF-16.4) ---------------------------------------------


def seen_piles(table: Any, seat: str) -> int:
    """The cards of all piles that lie somewhere when nothing is being carried out."""
    return sum(n for pile, n in table.piles(seat).items() if pile != "played")


def test_df_16_4_a_shot_that_ends_the_match_clears_gunsight_dice_and_line(
    table_at: MakeTable,
) -> None:
    """As any other attack does when it is over."""
    table = table_at(B={"deck": 1, "discard": 12}).act("Basic Attack").say("fire", [6, 6])
    assert table.position.lines_of_fire()
    table.say("evade", "pass")
    position = table.position
    assert table.match.outcome.winners == ("A",)
    assert (position.gunsight, position.dice, position.lines_of_fire()) == (0, (), ())


def test_df_4_2_a_card_that_ends_the_match_goes_to_the_discard_pile(table_at: MakeTable) -> None:
    """The Camel's own Turning Maneuver takes its last card: piles sum to 20 with none under way."""
    table = table_at(A={"deck": 0, "discard": 13, "place": "0,0 N"}, B={"place": "3,0 N"})
    table.act("Turning Maneuver").say("fly", "-1,0 NW").say("condition", 1)
    assert table.match.outcome.winners == ("B",)
    assert (seen_piles(table, "A"), table.position.dice) == (20, ())


def test_df_4_2_an_evasion_that_shoots_the_evader_down_too(table_at: MakeTable) -> None:
    """The Albatros's Dive costs 1 damage: card, dice and Gunsight are cleared with the match."""
    table = table_at(B={"fighter": "albatros", "pilot": "fonck", "deck": 0, "discard": 13})
    table.act("Basic Attack").say("fire", [6, 6]).say("evade", "Evasive Dive").say("evasion", 1)
    position = table.position
    assert table.match.outcome.winners == ("A",)
    assert (seen_piles(table, "B"), position.gunsight, position.dice) == (20, 0, ())


ROLES: dict[str, dict[str, Any]] = {
    "A": {"fighter": "fokker", "pilot": "richthofen", "place": "0,1 N"},
    "B": {"fighter": "spad", "pilot": "fonck", "place": "0,-1 N", "deck": 0, "discard": 13},
    "C": {"fighter": "albatros", "pilot": "loewenhardt", "place": "3,-3 SW"},
    "D": {"fighter": "camel", "pilot": "maclaren", "place": "-3,3 NE"},
}


@pytest.mark.parametrize(
    ("mode", "dead"),
    [("battle-royale", "CD"), ("team-battle", "D"), ("entente-vs-central-powers", "")],
)
def test_df_16_4_in_every_mode(table_at: MakeTable, mode: str, dead: str) -> None:
    """The last crash of three or four leaves nothing lying either."""
    gone = {"crashed": True, "place": None}
    lines = {seat: role | (gone if seat in dead else {}) for seat, role in ROLES.items()}
    table = table_at("engagement", mode, players="ABCD", **lines)
    table.act("Basic Attack spad").say("fire", [6, 6]).say("evade", "pass")
    position = table.position
    assert table.match.outcome is not None
    assert (position.gunsight, position.dice, position.lines_of_fire()) == (0, (), ())


# -- the only space of a Momentum (DF-7.2, DF-7.5, DF-8.4) ----------------------------------------


def last_lane(table_at: MakeTable, **more: Any) -> Any:
    """A fires before the Maneuver from where the only free Front space is the board's last one.

    It is the end of a lane, one space wide, which no Maneuver Card can leave.
    """
    lane = [[0, -2], [0, -3], [0, -4]]
    middle = [[0, 0], [0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]]
    board = {"spaces": [*middle, *lane], "one_token": [], "two_tokens": []}
    table = table_at("assessment", A={"place": "0,-2 N"}, B={"place": "0,-4 N"},
                     cards={"board": board}, **more)  # fmt: skip
    return table.act("Basic Attack").say("fire", [1, 1])


def test_df_8_4_the_only_space_of_a_momentum_is_asked_for_where_it_leads_to_a_stall(
    table_at: MakeTable,
) -> None:
    """It was flown without a word; now the word is heard, with the rules of the Stall."""
    question = last_lane(table_at).question("momentum/A")
    assert [option.name for option in question.options_now()] == ["0,-3 N"]
    notice = question.word_before("0,-3 N")
    assert (notice.code, notice.level.value) == ("DF-STALL", "warn")
    assert str(notice.cite) == "DF-7.2, DF-7.5, DF-8.4, RULING 19"
    assert "From 0,-3 N no Maneuver Card can be flown: a Stall follows." in notice.text
    assert "No other end is open." in notice.way_out


def test_df_8_4_after_it_the_late_stall_is_taken(table_at: MakeTable) -> None:
    """The word forbids nothing, and nothing else is told twice."""
    table = last_lane(table_at).say("momentum/A", "0,-3 N")
    assert table.place("A") == "0,-3 N"
    assert table.question("action").word_before(IMMELMANN) is None
    table.act(IMMELMANN).say("immelmann", "not named")
    assert (table.place("A"), table.position.active) == ("0,-3 S", "B")


def test_df_8_4_after_the_maneuver_the_only_space_is_told(table_at: MakeTable) -> None:
    """No Stall can follow any more: nobody is asked for what has one answer."""
    table = table_at(A={"place": "-3,-1 NE"}, B={"place": "-2,-2 NE"}, maneuvered=True)
    table.act("Basic Attack").say("fire", [1, 1])
    assert not table.said("goes on to").quiet
    assert table.asked == ["turn-7/2/action"]
