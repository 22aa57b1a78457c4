"""Answers that are refused: each code, with the rule and the way out; nothing is changed.

`Table.refused` itself holds that position, open questions and log are as before, and the cite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup

MakeTable = Callable[..., Any]
STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


def says(refusal: IllegalAnswer, code: str, cite: str, *words: str) -> None:
    """Hold a refusal against its code, its cite and what its sentence must name."""
    assert (refusal.code, str(refusal.cite)) == (code, cite)
    for word in words:
        assert word in str(refusal)


# -- DF-E01, DF-E06, DF-E07: poses ----------------------------------------------------------------


def test_df_e01_a_pose_the_card_does_not_reach(table_at: MakeTable) -> None:
    """Too far for a Basic Maneuver: legal poses nearby are named, and what may be wrong."""
    table = table_at().act("Basic Maneuver")
    refusal = table.refused("fly", "0,-2 N")
    says(refusal, "DF-E01", "DF-17.2.M1", "from 0,1 N does not reach 0,-2 N", "Legal nearby: ",
         "Wrong card, wrong start, or wrong move?")  # fmt: skip


def test_df_e01_the_nearest_legal_poses_come_first(table_at: MakeTable) -> None:
    """Four at most, those like the one that was named first."""
    text = str(table_at().act("Basic Maneuver").refused("fly", "3,0 N"))
    nearby = text.partition("Legal nearby: ")[2].partition(".")[0].split("; ")
    assert len(nearby) == 4
    assert nearby[0].startswith("2,0 ")


def test_df_e01_headings_count_both_ways_round(table_at: MakeTable) -> None:
    """Of the poses on one space the one that is turned least comes first, left or right."""
    table = table_at().act("Turning Maneuver")
    assert "Legal nearby: 1,0 S; 1,0 NW; 1,0 NE;" in str(table.refused("fly", "1,0 SW"))


@pytest.mark.parametrize("card", ["Basic Maneuver", "Turning Maneuver"])
@pytest.mark.parametrize(
    ("said", "code", "cite", "words"),
    [
        ("0,0", "DF-E02", "DF-2.3", "The heading is missing: add one of N, NE, SE, S, SW, NW to"),
        ("0,0 NNE", "DF-E02", "DF-2.3", "NNE is no heading: add one of N, NE"),
        ("9,9 N", "DF-E04", "DF-2.2, DF-9.4, RULING 1", "9,9 is off the board."),
        ("9,9", "DF-E04", "DF-2.2, DF-9.4, RULING 1", "9,9 is off the board."),
    ],
)
def test_df_2_3_half_a_pose_and_one_off_the_board(
    table_at: MakeTable, card: str, said: str, code: str, cite: str, words: str
) -> None:
    """A space has to have one of the six headings, and the board has to have the space."""
    refusal = table_at().act(card).refused("fly", said)
    says(refusal, code, cite, words, "Legal ")


def test_df_e01_a_heading_that_is_out_of_reach(table_at: MakeTable) -> None:
    """The space is right, the nose is not."""
    table = table_at().act("Basic Maneuver")
    assert table.refused("fly", "0,0 S").code == "DF-E01"


def test_df_e06_a_turning_maneuver_with_one_turn(table_at: MakeTable) -> None:
    """Two Turns or none: 60 degrees round is neither."""
    table = table_at().act("Turning Maneuver")
    for facing in ("NE", "NW"):
        says(table.refused("fly", f"0,0 {facing}"), "DF-E06", "DF-9.5, RULING 5", "never 60",
             "Legal nearby: 0,0 ")  # fmt: skip
    assert table.say("fly", "0,0 SE").place("A") == "0,0 SE"


def test_df_e07_no_movement(table_at: MakeTable) -> None:
    """A Maneuver advances at least one space; turning on the spot is none."""
    for card in ("Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"):
        table = table_at().act(card)
        for facing in ("N", "NE", "S"):
            refusal = table.refused("fly", f"0,1 {facing}")
            assert refusal.code == "DF-E07"
            assert f"the {card} advances at least 1" in str(refusal)


@pytest.mark.parametrize("raw", ["stay", "0,0", "N", "", None, 7, ["0,0 N"], {"q": 0}, "0;0 N"])
def test_what_is_no_pose_is_told_what_there_is(table_at: MakeTable, raw: Any) -> None:
    """Neither crash nor guess."""
    table = table_at().act("Turning Maneuver")
    assert table.refused("fly", raw).code in ("Q-NAME", "DF-E02")


# -- DF-E08, DF-E09: dice -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rolled", "named"), [([6], "1 die is"), ([6, 6, 6], "3 dice are"), ([], "0 dice are")]
)
def test_df_e08_another_number_of_dice(table_at: MakeTable, rolled: list[int], named: str) -> None:
    """Told the number that is due, and why so many."""
    refusal = table_at().act("Basic Attack").refused("fire", rolled)
    says(refusal, "DF-E08", "DF-11.3, DF-18.2.A, RULING 2", f"{named} named",
         "Basic Attack at Player B takes 2 dice (2 for a Basic Attack). Name 2")  # fmt: skip


def test_df_e08_names_pre_roll_and_pilot(table_at: MakeTable) -> None:
    """Why there are four, or five."""
    table = table_at(A={"fighter": "spad", "pilot": "fonck"}).act("Basic Attack")
    table.say("sharpshooter", 5)
    assert "(2 for a Basic Attack, 2 for Aerial Sharpshooter)" in str(table.refused("fire", [6, 6]))
    beast = {"fighter": "fokker", "pilot": "loewenhardt", "side": "B", "tokens": 2}
    table = table_at(A=beast, B={"fighter": "camel", "pilot": "maclaren"})
    table.act("Spandau Machine Guns")
    refusal = table.refused("fire", [6] * 4)
    assert "takes 5 dice (4 for Spandau Machine Guns, 1 for Smiling Beast)" in str(refusal)


def test_df_e08_of_a_single_die(table_at: MakeTable) -> None:
    """In the singular."""
    table = table_at().act("Basic Maneuver").say("fly", "0,0 N")
    assert "takes 1 die. Name 1 from 1 to 6." in str(table.refused("condition", [1, 2]))


def test_words_are_no_dice(table_at: MakeTable) -> None:
    """An answer to another question is not counted as so many dice."""
    table = table_at().act("Basic Maneuver").say("fly", "0,0 N")
    refusal = table.refused("condition", "end turn")
    assert refusal.code == "Q-NUMBER"
    assert "'end' is not a whole number" in str(refusal)
    assert table.refused("condition", []).code == "DF-E08"


def test_df_e08_of_a_reroll(table_at: MakeTable) -> None:
    """As many as were chosen."""
    table = table_at(A={"tokens": 1}).act("Basic Attack").say("fire", [1, 6])
    table.say("again-1", "Focus")
    refusal = table.refused("again-1/dice", [6, 6])
    says(refusal, "DF-E08", "DF-11.3, DF-18.2.A, RULING 2", "the reroll of the Basic Attack",
         "takes 1 die.")  # fmt: skip


@pytest.mark.parametrize("rolled", [[6, "?"], [None, 6], "6 ?", ["", 3]])
def test_df_e09_a_die_that_nobody_can_read(table_at: MakeTable, rolled: Any) -> None:
    """Type it, or roll again by agreement."""
    refusal = table_at().act("Basic Attack").refused("fire", rolled)
    says(
        refusal, "DF-E09", "DF-11.3, DF-18.2.A, RULING 2", "One die cannot be read", "roll it again"
    )


@pytest.mark.parametrize("rolled", [[0, 6], [6, 7], "6 77", [6, "1" * 5000]])
def test_df_e09_a_number_that_no_die_shows(table_at: MakeTable, rolled: Any) -> None:
    """One to six."""
    refusal = table_at().act("Basic Attack").refused("fire", rolled)
    says(refusal, "DF-E09", "DF-11.3, DF-18.2.A, RULING 2", "Type a number from 1 to 6")
    assert len(str(refusal)) < 200


@pytest.mark.parametrize("rolled", [[6, -1], [6, True], [6, 1.5], ["six", 6], {"a": 6}, None])
def test_what_is_no_roll_at_all(table_at: MakeTable, rolled: Any) -> None:
    """Some code, a cite, no change."""
    table_at().act("Basic Attack").refused("fire", rolled)


# -- DF-E13: line, range, Rear --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "words"),
    [("1,-2 N", "does not stand straight ahead"), ("0,-2 N", "is out of range, which is 1 to 2"),
     ("0,-1 S", "does not show its Rear")],
)  # fmt: skip
def test_df_e13_names_the_failed_condition(table_at: MakeTable, target: str, words: str) -> None:
    """Line, range, Rear."""
    refusal = table_at(B={"place": target}).refused("action", "basic attack")
    says(refusal, "DF-E13", "DF-11.1, DF-11.2, RULING 3", f"Player B {words}",
         "Choose another action.")  # fmt: skip


def test_df_e13_of_several_each_with_its_reason(table_at: MakeTable) -> None:
    """Nobody is in reach: why not is said of everybody."""
    table = table_at("engagement", "battle-royale", players="ABCD", B={"place": "0,-1 S"})
    text = str(table.refused("action", "Basic Attack"))
    assert "Player B does not show its Rear; Player C does not stand straight ahead" in text


def test_df_e13_a_teammate_is_no_target(table_at: MakeTable) -> None:
    """Those who are get named."""
    table = table_at("engagement", "team-battle", players="ABCD", C={"place": "0,0 N"})
    assert "Basic Attack albatros" not in table.names("action")
    says(table.refused("action", "Basic Attack albatros"), "DF-E13", "DF-11.8, DF-19.3",
         "targets: fokker (Player B), spad (Player D).")  # fmt: skip


# -- DF-E14: wrong phase, second time -------------------------------------------------------------

ENGAGEMENT_WORDS = (
    "Basic Attack", "Vickers Machine Guns", "Lewis Guns", "Basic Maneuver", "High-speed Maneuver",
    "Turning Maneuver", "Killer Instinct", "Regroup", "Emergency Repair", "Northern Falcon",
    "end turn",
)  # fmt: skip


@pytest.mark.parametrize("action", ENGAGEMENT_WORDS)
def test_df_8_1_actions_named_at_once_are_refused_as_after_engaging(
    table_at: MakeTable, action: str
) -> None:
    """Before "engage" and after it the same lacks are told, and the same actions taken."""
    first, after = table_at("assessment"), table_at("assessment").act("engage")
    if action in after.names("action"):
        assert action in first.names("action")
        return
    refusal = after.refused("action", action)
    says(first.refused("action", action), refusal.code, str(refusal.cite), refusal.text)


@pytest.mark.parametrize("action", ["Tactical Improvisation", "engage"])
def test_df_e14_assessment_actions_in_the_engagement_phase(
    table_at: MakeTable, action: str
) -> None:
    """That phase is over."""
    says(table_at().refused("action", action), "DF-E14", "DF-5.1, DF-7.1", "which is over")


def test_df_e14_a_second_maneuver(table_at: MakeTable) -> None:
    """Exactly one Maneuver Action a turn."""
    table = table_at().act("Turning Maneuver").say("fly", "0,0 N")
    for card in ("Basic Maneuver", "Turning Maneuver"):
        says(table.refused("action", card), "DF-E14", "DF-8.2", "it is done")


def test_df_e14_end_of_turn_without_a_maneuver(table_at: MakeTable) -> None:
    """It is compulsory."""
    says(table_at().refused("action", "End turn"), "DF-E14", "DF-8.2, DF-8.5",
         "A Maneuver is still to come")  # fmt: skip


def test_df_e14_a_stall_when_a_maneuver_has_been_flown(table_at: MakeTable) -> None:
    """Stalling is for who cannot maneuver."""
    table = table_at().act("Turning Maneuver").say("fly", "0,0 N")
    for effect in ("Blackout", "Immelmann Turn"):
        assert table.refused("action", effect).code == "DF-E14"


def test_df_e14_a_card_without_a_legal_end(table_at: MakeTable) -> None:
    """In a corner one space is open and taken; only longer flights get past who stands there."""
    table = table_at(A={"place": "4,-4 SE"}, B={"place": "4,-3 N"})
    says(table.refused("action", "Turning Maneuver"), "DF-E14", "DF-9.3, DF-9.4",
         "The Turning Maneuver has no legal end from here. Choose another card.")  # fmt: skip
    assert "Basic Maneuver" in table.names("action")


def test_df_e14_a_second_free_reroll(table_at: MakeTable) -> None:
    """Once per roll; Focus is the way on."""
    table = table_at(A={"tokens": 1, "side": "B"}).act("Basic Attack").say("fire", [1, 1])
    table.say("again-1", "free reroll 1").say("again-1/dice", 2)
    says(table.refused("again-2", "free reroll"), "DF-E14", "DF-10.3, DF-15.4, RULING 13",
         "no free reroll for this roll", "pay for Focus")  # fmt: skip


# -- DF-E15: tokens short -------------------------------------------------------------------------


def test_df_e15_focus_without_a_token(table_at: MakeTable) -> None:
    """A free reroll is there, a token is not."""
    table = table_at(A={"side": "B"}).act("Basic Attack").say("fire", [1, 1])
    says(table.refused("again-1", "Focus"), "DF-E15", "DF-15.4", "Focus costs 1 token")


def test_df_e15_is_for_focus_alone(table_at: MakeTable) -> None:
    """Another word is not refused for want of tokens."""
    table = table_at(A={"side": "B"}).act("Basic Attack").say("fire", [1, 1])
    assert table.refused("again-1", "Regroup").code == "Q-NAME"


@pytest.mark.parametrize(
    ("action", "cost", "cite"),
    [("Vickers Machine Guns", 3, "DF-14.1"), ("Lewis Guns", 2, "DF-14.1"),
     ("Regroup", 2, "DF-15.5, DF-15.7, RULING 15"),
     ("Emergency Repair", 3, "DF-15.6, DF-15.7, RULING 15")],
)  # fmt: skip
def test_df_e15_price_and_what_is_there(
    table_at: MakeTable, action: str, cost: int, cite: str
) -> None:
    """For every action that costs tokens, however it is spelt."""
    table = table_at(A={"tokens": cost - 1})
    for said in (action, action.lower(), action.upper()):
        says(table.refused("action", said), "DF-E15", cite,
             f"{action} costs {cost} tokens; you have {cost - 1}.")  # fmt: skip


def test_df_e15_before_the_aim(table_at: MakeTable) -> None:
    """Out of range and out of tokens: what is lacking first is told first, then the next."""
    table = table_at(A={"tokens": 1}, B={"place": "3,0 N"})
    assert table.refused("action", "Lewis Guns").code == "DF-E15"
    assert table.adjust(A__tokens=2).refused("action", "Lewis Guns").code == "DF-E13"


# -- Anything at all ------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
WORDS = st.sampled_from(
    [*ENGAGEMENT_WORDS, "pass", "Evasive Climb", "Steep Dive", "keep", "Focus", "stay", "0,0 N",
     "-1,1 NW", "1", "6 6", "The Flying Circus", "Basic Attack fokker"]
)  # fmt: skip
PLACES: Sequence[tuple[str, Sequence[tuple[str, Any]]]] = (
    ("action", ()),
    ("fire", [("action", "Basic Attack")]),
    ("fire/again-1", [("action", "Basic Attack"), ("fire", [1, 6])]),
    ("again-1/dice", [("action", "Basic Attack"), ("fire", [1, 6]), ("again-1", "Focus")]),
    ("evade", [("action", "Lewis Guns"), ("fire", [5] * 4)]),
    ("lewis", [("action", "Lewis Guns"), ("fire", [5] * 4), ("evade", "pass")]),
    ("momentum/A", [("action", "Basic Attack"), ("fire", [1, 1]), ("again-1", "keep")]),
    ("repaired", [("action", "Emergency Repair")]),
    ("regrouped", [("action", "Regroup")]),
    ("fly", [("action", "Turning Maneuver")]),
)  # fmt: skip


def camels_turn() -> Match[Any]:
    """A match in which every one of these questions can come."""
    players: dict[str, dict[str, Any]] = {
        "A": {"fighter": "camel", "pilot": "maclaren", "tokens": 3, "place": "0,1 N"},
        "B": {"fighter": "fokker", "pilot": "richthofen", "tokens": 0, "place": "0,-1 N"},
    }
    for line in players.values():
        line.update(deck=9, hand=5, discard=4, damage=2)
    file: dict[str, Any] = {"box": "dogfight-1917", "turn": 7, "phase": "engagement", "active": "A",
            "players": players}  # fmt: skip
    return Match[Any].start(Setup("dogfight-1917", position=file), STAMP)


@pytest.mark.parametrize(("tail", "before"), PLACES, ids=[tail for tail, _ in PLACES])
@given(raw=JSON | WORDS)
def test_any_answer_is_legal_or_refused_with_a_cite(
    tail: str, before: Sequence[tuple[str, Any]], raw: Any
) -> None:
    """No answer crashes; one that is refused says by which rule, and changes nothing."""
    match = camels_turn()
    for place, answer in before:
        put(match, place, answer)
    stood = (match.position.digest(), list(match.open), len(match.entries))
    refused = answered(match, tail, raw)
    if refused is None:
        assert len(match.entries) > stood[2]
        return
    assert refused.cite.rules
    assert refused.text.endswith((".", "?"))
    assert (match.position.digest(), list(match.open), len(match.entries)) == stood


def answered(match: Match[Any], tail: str, raw: Any) -> IllegalAnswer | None:
    """Give an answer; the refusal of it, if it is refused. Any other error fails the test."""
    try:
        put(match, tail, raw)
    except IllegalAnswer as refusal:
        return refusal
    return None


def put(match: Match[Any], tail: str, raw: Any) -> None:
    """Answer the open question of that ending."""
    key = next(key for key in match.open if key.endswith(tail))
    match.answer(Offer(key, raw, "script", match.open[key].by), STAMP)
