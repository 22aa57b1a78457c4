"""Who may speak, by which names, and why not: out of turn, half said, one too many.  (DF-5)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, BadPosition

MakeTable = Callable[..., Any]
FOUR = {"A": "Ana", "B": "Ben", "C": "Cleo", "D": "Dan"}
TWO = {"A": "Ana", "B": "Ben"}


def royale(table_at: MakeTable, phase: str = "engagement", **changes: Any) -> Any:
    """Four people in the middle of a Battle Royale; A stands two spaces behind B."""
    return table_at(phase, "battle-royale", players="ABCD", seats=FOUR, **changes)


def not_asked(table: Any, seat: str, raw: Any = "Basic Attack") -> Any:
    """What a seat that is not asked is told."""
    question = next(iter(table.match.open.values()))
    return table.match.rulebook.not_asked(seat, raw, question)


# -- whose turn it is -----------------------------------------------------------------------------


def test_df_5_1_who_is_not_on_turn_is_told_whose_it_is(table_at: MakeTable) -> None:
    """By name, with the rule of whole turns."""
    refusal = not_asked(royale(table_at), "B")
    assert (refusal.code, str(refusal.cite)) == ("DF-TURN", "DF-5.1")
    assert refusal.text == "It is Ana's turn, and Ana is asked. Ben waits."


def test_df_13_1_only_the_target_is_asked_to_evade(table_at: MakeTable) -> None:
    """The attacker, and who stands by, are told who is the target."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 6])
    for seat in "ACD":
        refusal = not_asked(table, seat, "Evasive Climb")
        assert (refusal.code, str(refusal.cite)) == ("DF-TURN", "DF-13.1")
        assert "Only the target evades: Ben" in refusal.text


def test_df_11_4_an_evasion_comes_after_the_dice(table_at: MakeTable) -> None:
    """The target who evades too soon is told when it may."""
    refusal = not_asked(royale(table_at).act("Basic Attack fokker"), "B", "evasive climb")
    assert str(refusal.cite) == "DF-11.4, DF-13.1"
    assert "Ben may evade at the end of the Fire step" in refusal.text


def test_df_10_3_nobody_rolls_anothers_dice(table_at: MakeTable) -> None:
    """Neither now nor again."""
    table = royale(table_at, A={"tokens": 1}).act("Basic Attack fokker")
    assert str(not_asked(table, "C", [6, 6]).cite) == "DF-10.3, RULING 13"
    refusal = not_asked(table.say("fire", [1, 6]), "B", "Focus")
    assert "These dice are Ana's" in refusal.text


def test_df_8_3_who_is_on_turn_waits_for_the_others_word(table_at: MakeTable) -> None:
    """B's Dead Six is flown before A acts again."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 6])
    table.say("evade", "Evasive Climb").say("evasion", 6).say("momentum/A", "-1,1 NW")
    refusal = not_asked(table, "A")
    assert (refusal.code, str(refusal.cite)) == ("DF-TURN", "DF-8.3, RULING 28")
    assert "Ben is asked" in refusal.text


def test_df_3_2_set_up_has_its_own_order(new_table: MakeTable) -> None:
    """The rule that asks says who chooses now."""
    refusal = not_asked(new_table(seats=TWO), "B", "camel")
    assert (refusal.code, str(refusal.cite)) == ("DF-TURN", "DF-3.2")
    assert refusal.text == "It is Ana's choice now. Ben waits until asked."


def test_df_19_2_who_has_crashed_has_no_turn(table_at: MakeTable) -> None:
    """And is told so, whoever is asked."""
    table = royale(table_at, C={"crashed": True, "place": None})
    refusal = not_asked(table, "C")
    assert str(refusal.cite) == "DF-19.2, DF-23.4, RULING 33"
    assert "Cleo is out" in refusal.text


def test_where_the_table_is_asked_nobody_is_out_of_turn(new_table: MakeTable) -> None:
    """All have placed their models; a seat that does not play is none."""
    table = new_table(seats={"A": "Ana/camel", "B": "Ben/fokker"})
    assert not_asked(table, "B") is None
    assert not_asked(table.say("placed"), "D") is None


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["Ben", "ben", "B", "b", "Fokker Dr.I", "Manfred von Richthofen", "Richthofen", "fokker"],
)
def test_df_11_8_a_target_by_any_name(table_at: MakeTable, name: str) -> None:
    """The person, the seat's letter, the Fighter or its pilot."""
    table = royale(table_at).act(f"Basic Attack {name}")
    assert table.match.entries[-1].answer == "Basic Attack fokker"
    assert table.position.fires_at == "B"


@pytest.mark.parametrize("name", ["Ben", "B", "Richthofen"])
def test_df_11_8_of_two_players_the_other_may_be_named(table_at: MakeTable, name: str) -> None:
    """Though there is nobody else."""
    table = table_at(seats=TWO).act(f"Basic Attack {name}")
    assert table.match.entries[-1].answer == "Basic Attack"


@pytest.mark.parametrize("name", ["Dan", "D", "SPAD S.XIII", "René Fonck", "Rene Fonck", "Fonck"])
def test_df_11_1_who_is_off_the_line_is_known_all_the_same(table_at: MakeTable, name: str) -> None:
    """The refusal is about the line, not about an unknown name."""
    refusal = royale(table_at).refused("action", f"Basic Attack {name}")
    assert refusal.code == "DF-E13"
    assert "Dan does not stand straight ahead" in refusal.text


def test_df_11_8_oneself_is_no_target_by_name_either(table_at: MakeTable) -> None:
    refusal = royale(table_at).refused("action", "Basic Attack Ana")
    assert refusal.text.startswith("Ana is no target; targets: fokker (Ben)")


def test_df_8_1_only_attacks_take_a_name(table_at: MakeTable) -> None:
    """Nobody regroups Ben."""
    assert royale(table_at, A={"tokens": 2}).refused("action", "Regroup Ben")


@pytest.mark.parametrize("name", ["Ben", "B", "fokker", "Fokker Dr.I", "Richthofen"])
def test_reports_and_corrections_take_the_same_names(table_at: MakeTable, name: str) -> None:
    """Wherever a seat's letter is."""
    table = royale(table_at)
    assert "Ben has 3 tokens; the record has 0" in table.report("tokens", player=name, count=3).text
    table.match.adjust({f"{name}.tokens": 3}, "counted", stamp=table.stamp)
    assert table.player("B").tokens == 3
    table.match.adjust({"active": name}, "whose turn", stamp=table.stamp)
    assert table.position.active == "B"


def test_df_3_2_in_set_up_names_are_what_is_chosen(new_table: MakeTable) -> None:
    """A pilot that is taken is called taken, not somebody's seat."""
    options = {"basic_combination_enforced": False}
    table = new_table(options=options).say("fighter/A", "Sopwith Camel").say("pilot/A", "Fonck")
    table.say("fighter/B", "fokker")
    assert table.refused("pilot/B", "René Fonck").code == "DF-TAKEN"


# -- half said ------------------------------------------------------------------------------------


def test_df_e02_a_space_without_a_heading(table_at: MakeTable) -> None:
    """The heading is asked for, with those that are legal there."""
    table = table_at(B={"place": "3,0 N"}).act("Basic Maneuver")
    refusal = table.refused("fly", "0,0")
    assert (refusal.code, str(refusal.cite)) == ("DF-E02", "DF-2.3")
    missing = "The heading is missing: add one of N, NE, SE, S, SW, NW to 0,0."
    assert refusal.text == f"{missing} Legal there: N, NW, NE."
    assert "Legal nearby: " in table.refused("fly", "3,-3").text


def test_df_e04_a_space_off_the_board(table_at: MakeTable) -> None:
    """It says so, and not only that the card does not reach it."""
    table = table_at(B={"place": "3,0 N"}).act("Basic Maneuver")
    refusal = table.refused("fly", "0,-5 N")
    assert (refusal.code, str(refusal.cite)) == ("DF-E04", "DF-2.2, DF-9.4, RULING 1")
    assert refusal.text.startswith("0,-5 is off the board. Legal nearby:")
    shot = table_at().act("Basic Attack").say("fire", [1, 1])
    assert shot.refused("momentum/A", "9,9 N").code == "DF-E04"
    assert shot.refused("momentum/A", "0,0").code == "DF-E02"


def test_df_22_1_a_corner_that_is_taken_is_called_one(new_table: MakeTable) -> None:
    """By whom, and which are free; a movement has nothing to do with it."""
    table = new_table("battle-royale", seats=FOUR)
    for seat, fighter in zip("ABC", ("camel", "fokker", "spad"), strict=True):
        table.say(f"fighter/{seat}", fighter)
    table.say("corner/A", "0,-4 S")
    refusal = table.refused("corner/B", "0,-4 S")
    assert (refusal.code, str(refusal.cite)) == ("DF-TAKEN", "DF-22.1")
    assert "The corner 0,-4 is taken by Ana. Free corners: 4,-4 SW; " in refusal.text
    assert "is no corner" in table.refused("corner/B", "0,0 N").text
    assert "faces the middle: 4,0 NW" in table.refused("corner/B", "4,0 N").text
    assert table.refused("corner/B", "4,0").code == "DF-E02"
    assert table.refused("corner/B", "0,-7 S").code == "DF-E04"


# -- too many, too few ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "seats", "words"),
    [
        ("base", "ABC", r"seat 'C' is one too many.*3 players play battle-royale"),
        ("daring-escape", "ABCD", r"seat 'D' is one too many.*4 players play battle-royale, team"),
    ],
)
def test_df_19_4_one_player_too_many(
    new_table: MakeTable, mode: str, seats: str, words: str
) -> None:
    """By its own code, with the modes that so many play."""
    with pytest.raises(BadCall, match=words) as refused:
        new_table(mode, seats={seat: FOUR[seat] for seat in seats})
    assert "[DF-PLAYERS, DF-19.4]" in str(refused.value)


@pytest.mark.parametrize("players", [2, 5])
def test_df_22_1_a_battle_royale_of_too_few_or_many(new_table: MakeTable, players: int) -> None:
    with pytest.raises(BadCall, match=r"3 or 4 play a Battle Royale \[DF-PLAYERS, DF-19.4"):
        new_table("battle-royale", options={"players": players})


def test_df_19_4_a_position_of_too_few(table_at: MakeTable) -> None:
    with pytest.raises(BadCall, match=r"players A B C; this mode has A B C D \[DF-PLAYERS"):
        table_at("engagement", "team-battle", players="ABC")


# -- who leaves the table (RULING 46) -------------------------------------------------------------


def test_ruling_46_who_leaves_in_the_own_turn_is_waited_for_by_nobody(table_at: MakeTable) -> None:
    """Cards and tokens are out of play; the next player is asked."""
    table = royale(table_at, A={"tokens": 2})
    notice = table.report("retired", player="Ana")
    assert (notice.code, str(notice.cite)) == ("DF-RETIRED", "RULING 46")
    assert (table.player("A").out, table.player("A").tokens, table.place("A")) == (True, 0, "")
    assert (table.position.active, table.asked) == ("B", ["turn-8/1/action"])


def test_ruling_46_the_attacker_leaves_while_another_evades(table_at: MakeTable) -> None:
    """The card that was played against the attack goes to its Discard Pile; the turn is over."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 6])
    table.say("evade", "Evasive Climb")
    assert table.piles("B")["played"] == 1
    table.report("retired", player="A")
    assert table.piles("B").get("played", 0) == 0
    assert (table.position.gunsight, table.asked) == (0, ["turn-8/1/action"])


def test_ruling_46_who_leaves_while_asked_to_evade(table_at: MakeTable) -> None:
    """The attack is over, nothing of it lies there, and the attacker goes on."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 1])
    table.report("retired", player="B")
    assert (table.position.active, table.asked) == ("A", ["turn-7/2/action"])
    assert (table.position.gunsight, table.position.lines_of_fire()) == (0, ())
    assert not [p.tokens for p in table.position.players.values() if p.tokens], "no Spoils of War"


def test_ruling_46_who_leaves_while_asked_where_to_fly(table_at: MakeTable) -> None:
    """A Dead Six that was earned is not flown any more."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 6])
    table.say("evade", "Evasive Climb").say("evasion", 6).say("momentum/A", "-1,1 NW")
    assert table.asked == ["turn-7/1/dead six/B"]
    table.report("retired", player="B")
    assert (table.place("B"), table.position.active) == ("", "A")
    assert table.asked == ["turn-7/2/action"]


def test_ruling_46_who_is_not_asked_leaves_and_play_goes_on(table_at: MakeTable) -> None:
    """In the middle of A's Maneuver."""
    table = royale(table_at).act("Turning Maneuver")
    table.report("retired", player="C")
    table.say("fly", "1,0 NE")
    assert table.position.maneuvered
    assert "As recorded" in table.report("retired", player="C").text


def test_ruling_46_the_last_one_left_has_won(table_at: MakeTable) -> None:
    """Of two players the other; of a team the other team; a Leader's side loses."""
    table = table_at(seats=TWO)
    table.match.report({"what": "retired", "player": "Ana"}, table.stamp)
    assert table.match.outcome.winners == ("B",)
    gone = {"crashed": True, "place": None}
    team = table_at("engagement", "team-battle", players="ABCD", C=gone)
    team.match.report({"what": "retired", "player": "A"}, team.stamp)
    assert team.match.outcome.winners == ("B+D",)


def test_ruling_46_a_wingmans_seat_is_not_given_up(table_at: MakeTable) -> None:
    """Its Fighter always comes back: somebody flies on. A Leader who leaves loses."""
    roles = {
        "A": {"fighter": "fokker", "pilot": "richthofen"},
        "B": {"fighter": "spad", "pilot": "fonck"},
        "C": {"fighter": "albatros", "pilot": "loewenhardt"},
        "D": {"fighter": "camel", "pilot": "maclaren"},
    }  # fmt: skip
    table = table_at("engagement", "entente-vs-central-powers", players="ABCD", **roles)
    assert "always comes back [DF-24.3" in str(table.refused_report("retired", player="C"))
    table.match.report({"what": "retired", "player": "B"}, table.stamp)
    assert table.match.outcome.winners == ("A+C",)


def test_ruling_46_in_set_up_a_match_is_begun_anew(new_table: MakeTable) -> None:
    assert "begin a match without" in str(new_table().refused_report("retired", player="A"))


def test_ruling_46_a_log_with_a_leaver_replays(table_at: MakeTable) -> None:
    """Each line meets its question again."""
    table = royale(table_at).act("Basic Attack fokker").say("fire", [6, 6])
    table.report("retired", player="B")
    table.act("Turning Maneuver")
    again = type(table.match).replay(table.match.entries)
    assert again.position.digest() == table.position.digest()
    assert list(again.open) == list(table.match.open)


# -- impossible sums ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"A.deck": 10}, "Player A has 20 cards with those in the box, and not 21"),
        ({"A.hand": 3, "A.deck": 9}, "Player A has 20 cards with those in the box, and not 18"),
        ({"A.played": 2, "A.deck": 7}, "2 cards of Player A cannot be carried out at once"),
        ({"A.known": {"discard": {"Killer Instinct": 3}}},
         "3 of Killer Instinct cannot be known of Player A"),
        ({"A.known": {"damage": {"Basic Maneuver": 3}}},
         "3 cards of Player A's Damage Pile cannot be known: 2 lie there"),
        ({"A.pilot": "richthofen"}, "cannot both have Manfred von Richthofen"),
        ({"A.fighter": "fokker"}, "cannot both have the Fokker Dr.I"),
        ({"gunsight": 9}, "9 is not a whole number from 0 to 8"),
        ({"A.tokens": -1}, "-1 is not a whole number"),
        ({"option.token_supply_limited": True, "A.tokens": 21}, "21 tokens cannot be taken"),
    ],
)  # fmt: skip
def test_df_4_2_impossible_sums_are_refused(
    table_at: MakeTable, changes: dict[str, Any], words: str
) -> None:
    """Piles, Fighters, Pilot Cards, known cards, dice and tokens; nothing is changed by it."""
    table = table_at()
    before = table.position.digest()
    with pytest.raises((BadPosition, BadCall)) as refused:
        table.match.adjust(changes, "miscounted", stamp=table.stamp)
    assert words in str(refused.value)
    assert table.position.digest() == before


@pytest.mark.parametrize(
    ("name", "code"),
    [("Dr.I", "fokker"), ("Dr. I", "fokker"), ("dr1", "fokker"), ("Fokker Dr. I", "fokker"),
     ("Fokker", "fokker"), ("D.III", "albatros"), ("d 3", ""), ("D3", "albatros"),
     ("S.XIII", "spad"), ("SPAD S13", "spad"), ("Sopwith", "camel"), ("Gotha", "")],
)  # fmt: skip
def test_df_3_2_a_fighter_by_what_the_book_prints(
    new_table: MakeTable, name: str, code: str
) -> None:
    """Its maker, its type, or both, however they are spaced; who sits there may say it as well."""
    if not code:
        assert new_table().refused("fighter/A", name).code == "Q-NAME"
        return
    assert new_table().say("fighter/A", name).match.entries[-1].answer == code
    assert new_table(seats={"A": f"Ana/{name}"}).player("A").fighter == code


@pytest.mark.parametrize("name", ["von Richthofen", "Richthofen", "Manfred", "richthofen"])
def test_df_3_2_a_pilot_by_a_part_of_the_name(new_table: MakeTable, name: str) -> None:
    """Where any pilot may fly any Fighter."""
    table = new_table(options={"basic_combination_enforced": False}).say("fighter/A", "D.III")
    assert table.say("pilot/A", name).match.entries[-1].answer == "richthofen"


def test_df_3_2_only_what_is_taken_is_called_taken(new_table: MakeTable) -> None:
    """By any name; whatever is free is taken up."""
    table = new_table().say("fighter/A", "Dr.I")
    refusal = table.refused("fighter/B", "Dr. I")
    assert refusal.code == "DF-TAKEN"
    assert "Fokker Dr.I is not to be had" in refusal.text


@pytest.mark.parametrize("name", ["Dr.I", "dr. i", "Fokker Dr1"])
def test_df_11_8_a_target_by_its_type(table_at: MakeTable, name: str) -> None:
    table = royale(table_at).act(f"Basic Attack {name}")
    assert table.match.entries[-1].answer == "Basic Attack fokker"
