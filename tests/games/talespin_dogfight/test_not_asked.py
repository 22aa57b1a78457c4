"""Who speaks at another's step is told so by the rules, as the table of steps has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, BadPosition

MakeTable = Callable[..., Any]


@pytest.mark.parametrize(
    ("step", "seat", "code"),
    [
        ("announce", "B", "TS-E-TURN"), ("opponent", "B", "TS-E-WHO"),
        ("start-attacker", "C", "TS-E-WHO"), ("before-defender", "A", "TS-E-CLOSED"),
        ("end-attacker", "C", "TS-E-WHO"), ("end-defender", "A", "TS-E-CLOSED"),
        ("defend", "A", "TS-E-WHO"), ("damage", "B", "TS-E-WHO"),
        ("answer-1", "A", "TS-E-WHO"), ("attack-2", "B", "TS-E-WHO"), ("bounty", "A", "TS-E-WHO"),
    ],
)  # fmt: skip
def test_ts_win_01_each_step_has_its_player(step: str, seat: str, code: str, at: MakeTable) -> None:
    """Windows, draws and decisions of another: the code of the table, a cite, a way out."""
    table = at(step, players=3)
    refusal = table.match.rulebook.not_asked(seat, "9", table.question)
    assert refusal.code == code
    assert refusal.cite.rules or refusal.cite.rulings
    assert refusal.text.endswith(".")


def test_while_the_table_is_asked_nobody_is_out_of_turn(
    new_table: MakeTable, at: MakeTable
) -> None:
    """The set-up asks all of them; a seat that does not play is none."""
    table = new_table()
    assert table.match.rulebook.not_asked("B", "9", table.question) is None
    table = at("defend")
    assert table.match.rulebook.not_asked("D", "9", table.question) is None


def test_ts_304_who_deals_damage_waits_while_the_cargo_is_opened(at: MakeTable) -> None:
    """A's step, and B opens what A chose: A is told to wait, not that all is well."""
    table = at("damage").say("packed")
    refusal = table.match.rulebook.not_asked("A", "cargo", table.question)
    assert (refusal.code, table.by) == ("TS-E-WHO", "B")
    assert "Player B is" in refusal.text


def test_ts_108_in_the_set_up_each_waits_for_the_others(new_table: MakeTable) -> None:
    """Who has told a count is told whose is missing, by name."""
    table = new_table(seats={"A": "Ana", "B": "Ben"}).say("Ana", 1)
    refusal = table.match.rulebook.not_asked("A", 4, table.question)
    assert refusal.text == "Ana is not asked now: Ben is. Wait for it."


@pytest.mark.parametrize(
    ("raw", "words"),
    [("3", "A 3 is too low; 9 or more is needed"), ("8", "An 8 is too low"),
     ("Swoop", "Swoop (3) is too low")],
)  # fmt: skip
def test_ts_223_what_is_too_low_is_told_as_it_was_said(raw: str, words: str, at: MakeTable) -> None:
    """By its number or its title; with what it is worth where effects have changed that."""
    assert words in at("answer-3").refused(raw).text
    changed = at("answer-3", B={"value_bonus": 1}).refused("3")
    assert "A 3, worth 4 here, is too low" in changed.text


def test_people_are_called_by_their_names(file: Callable[..., Any], new_table: MakeTable) -> None:
    """A refusal says Ana where Ana sits."""
    table = new_table(position=file("damage", B={"open": 0}), seats={"B": "Ben"})
    assert table.refused("open").text.startswith("Ben has no open cargo.")


NAMED = {"A": "Ana", "B": "Ben", "C": "Cleo"}


@pytest.fixture
def named(new_table: MakeTable, file: Callable[..., Any]) -> MakeTable:
    """A dogfight of Ana against Ben, with Cleo looking on, that begins at a step."""

    def start(step: str, /, **changes: Any) -> Any:
        position = file(step, 3, **changes)
        return new_table(seats=NAMED, options={"players": 3}, position=position)

    return start


@pytest.mark.parametrize("name", ["B", "Ben", "ben", "Plane B", "plane-b", "Ben's plane"])
def test_ts_102_an_opponent_by_whatever_name(named: MakeTable, name: str) -> None:
    """The person, the token, or the letter: attacked, or out of RANGE, never unknown."""
    assert named("opponent").say(name).position.rival == "B"
    far = named("opponent", start="range", A={"range": 3}, B={"place": 7}, C={"place": 2})
    assert far.position.rival == "C", "the only one in RANGE is not asked for"
    some = named("opponent", start="range", A={"range": 6}, B={"place": 7})
    assert some.say(name).position.rival == "B"


@pytest.mark.parametrize("name", ["B", "Ben", "Plane B"])
def test_ts_102_out_of_range_is_out_of_range_by_whatever_name(
    name: str, new_table: MakeTable, file: Callable[..., Any]
) -> None:
    """Ben is 6 away: not in RANGE, and no unknown player."""
    position = file("opponent", 4, start="range", B={"place": 7}, C={"place": 2}, D={"place": 2})
    table = new_table(seats=NAMED, options={"players": 4}, position=position)
    refusal = table.refused(name)
    assert (refusal.code, "Ben is 6 locations away" in refusal.text) == ("TS-E-RANGE", True)


def test_ts_win_01_a_card_by_its_owners_name(named: MakeTable) -> None:
    """Another's window, or the own one; the word of the moment stands behind the name."""
    table = named("start-attacker")
    assert table.refused("Ben: Head start").code == "TS-E-WHO"
    assert table.say("Ana: Head start").position.nth == 1
    table = named("instead-answer-2").say("Ben: Cloud bank")
    assert table.step == "instead-attack-3"


def test_ts_323_a_maneuver_by_its_players_name(named: MakeTable) -> None:
    """Ana 2 is A2."""
    table = named("bounty").say("Ana 2")
    assert table.match.entries[-1].answer == "A2"


def test_ruling_17_reports_and_adjustments_take_names(named: MakeTable) -> None:
    """As the arbiter and the table speak of them."""
    table = named("defend")
    assert table.report("recount", player="Ben", pile="hand", count=5).code == "TS-AGREES"
    assert table.report("missing", piece="Ben's plane").text.startswith("Ben's plane is gone")
    table.match.notices.clear()
    table.match.adjust({"Ben.hand": 4}, "recounted", stamp=table.stamp)
    assert table.cards("B") == 4


# -- cards at the wrong moment -------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "card", "code", "words"),
    [
        ("defend", "Cloud bank", "TS-E-WINDOW", "is played instead of a maneuver"),
        ("opponent", "Homeward", "TS-E-WINDOW", "is played at the end of a dogfight"),
        ("damage", "Cloud bank", "TS-E-WINDOW", "and now is no moment for a card"),
        ("bounty", "Homeward", "TS-E-WINDOW", "is played at the end of a dogfight"),
        ("answer-2", "Cloud bank", "TS-E-CLOSED", "that window is closed"),
        ("attack-2", "Feint", "TS-E-CLOSED", "that window is closed"),
        ("answer-2", "Homeward", "TS-E-WINDOW", "is played at the end of a dogfight"),
        ("before-attacker", "Strafe", "TS-E-WINDOW", "Strafe is no card of a window"),
        ("before-attacker", "Cloud bank", "TS-E-WINDOW", "instead of a maneuver"),
    ],
)  # fmt: skip
def test_ts_win_01_a_card_at_the_wrong_moment_hears_its_own(
    step: str, card: str, code: str, words: str, at: MakeTable
) -> None:
    """Not that its name is unknown."""
    refusal = at(step, players=3).refused(card)
    assert (refusal.code, words in refusal.text) == (code, True), refusal.text


def test_ts_102_a_place_off_the_ring_says_so(new_table: MakeTable) -> None:
    """Twelve locations."""
    refusal = new_table().say("A").refused(13)
    assert (refusal.code, "the ring has 1 to 12" in refusal.text) == ("TS-E-PLACE", True)


@pytest.mark.parametrize("players", [1, 5, "5"])
def test_ts_309_two_to_four_play(new_table: MakeTable, players: Any) -> None:
    """One too few, one too many: with the limit and its own code."""
    with pytest.raises(BadCall, match=rf"players: {players}; 2 to 4 play .TS-E-PLAYERS"):
        new_table(options={"players": players})
    with pytest.raises(BadCall, match=r"seat 'C' is none of A, B .TS-E-PLAYERS"):
        new_table(seats={"C": "Cleo"})


def test_ruling_3_more_wins_than_dogfights_are_not_set(at: MakeTable) -> None:
    """One dogfight is under way: nobody has won any."""
    with pytest.raises(BadPosition, match="1 dogfights are won of 0 fought"):
        at("defend").adjust(A_wins=1)


def test_ruling_17_a_match_is_closed_for_a_person(new_table: MakeTable) -> None:
    """Ben has won: seat B."""
    table = new_table(seats={"A": "Ana", "B": "Ben"})
    table.match.close(["Ben"], "Ana gives up.", "late", table.stamp)
    assert table.match.outcome.winners == ("B",)


def test_ruling_17_the_arbiter_closes_by_a_ruling_that_says_so(new_table: MakeTable) -> None:
    """What a closed match cites is about the arbiter, not about windows."""
    table = new_table()
    table.match.close(["B"], "A gives up.", "late", table.stamp)
    cite = str(table.match.rulings[-1].cite)
    assert cite == "RULING 17"
    assert "close the match" in table.match.rulebook.paragraphs()[cite].text
