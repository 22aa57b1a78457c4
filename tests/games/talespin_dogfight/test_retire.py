"""A player leaves the table.  (RULING 19)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.offers import Offer, Stamp
from companion.core.question import Count
from companion.games.talespin_dogfight.faults import faults
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

MakeTable = Callable[..., Any]
STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


def test_ruling_19_the_defender_who_leaves_has_given_up(at: MakeTable) -> None:
    """The attacker wins; there is nothing left to damage, and the Draw follows."""
    table = at("answer-2", players=3)
    notice = table.report("retired", player="B")
    assert (notice.code, str(notice.cite)) == ("TS-RETIRED", "RULING 19")
    assert (table.position.winner, table.step, table.by) == ("attacker", "won-attacker", "A")
    assert (table.cards("B"), table.cards("B", "packed"), table.cards("B", "open")) == (0, 0, 0)
    hand = table.cards("A")
    table.say("pass")
    assert "2 Damage lost" in table.said("Damage lost").text
    assert table.cards("A") > hand
    assert {table.by} == {"A"}
    table.say("pass")
    assert table.by == "C"
    table.say("pass")
    assert table.match.outcome.winners == ("A",)


def test_ruling_19_the_attacker_who_leaves_has_lost(at: MakeTable) -> None:
    """The defender takes a card, and no further dogfight follows."""
    table = at("attack-2", MAX_DOGFIGHTS_PER_TURN=3)
    table.report("retired", player="A")
    assert table.step == "won-defender"
    table.say("pass", "A1", "pass")
    assert table.cards("B") == 6
    assert table.match.outcome.winners == ("B",)


@pytest.mark.parametrize(("step", "say"), [("announce", ()), ("announce", ("pilot", 4)),
                                           ("opponent", ())])  # fmt: skip
def test_ruling_19_without_an_attacker_there_is_no_dogfight(
    step: str, say: Any, at: MakeTable
) -> None:
    """Whatever was being read off the card; a Pilot card that lies there is discarded."""
    table = at(step, players=3).say(*say)
    total = table.position.piles.total
    assert table.report("retired", player="A") is not None
    assert table.match.outcome.winners == ()
    assert table.position.piles.total == total
    assert table.cards("A", "maneuvers") == 0


def test_ruling_19_nor_without_anybody_to_attack(at: MakeTable) -> None:
    """One opponent of two leaves: the other is taken; both leave: there is no dogfight."""
    table = at("opponent", players=3)
    table.report("retired", player="B")
    assert table.names() == ["C"]
    assert table.refused("B").text.startswith(
        "Player B has left the table; choose one of Player C."
    )
    table.report("retired", player="C")
    assert table.match.outcome.winners == ()


def test_ruling_19_a_card_that_is_being_carried_out_is_discarded(at: MakeTable) -> None:
    """It does nothing more; nobody is asked what it would have brought."""
    table = at("instead-answer-2").say("other card")
    discards = table.piles[1]
    table.report("retired", player="B")
    assert table.position.piles["in play"] == 0
    assert table.piles[1] == discards + 1 + 4 + 3
    assert table.position.winner == "attacker"


def test_ruling_19_what_the_winner_would_still_have_had_lapses(at: MakeTable) -> None:
    """The attacker has won, and leaves while dealing Damage: the end, and the win stands."""
    table = at("damage").say("open")
    table.report("retired", player="A")
    assert (table.step, table.by, table.cards("B", "packed")) == ("end-defender", "B", 2)
    assert table.say("pass").match.outcome.winners == ("A",)
    table = at("bounty")
    table.report("retired", player="B")
    assert table.said("takes no maneuver card")


def test_ruling_19_who_opens_cargo_and_leaves_opens_none(at: MakeTable) -> None:
    """B is asked what it is: all goes to the discards, the rest of the Damage is lost."""
    table = at("damage").say("packed")
    assert table.by == "B"
    table.report("retired", player="B")
    assert (table.step, table.by) == ("end-attacker", "A")
    assert table.said("3 Damage lost")
    table = at("damage").say("open")
    assert table.by == "A"
    table.report("retired", player="B")
    assert table.step == "end-attacker", "nor is A asked what to damage"
    assert table.said("2 Damage lost")


def test_ruling_19_one_of_the_others_is_passed_over(at: MakeTable) -> None:
    """C leaves at D's window, then D at its own."""
    table = at("end-others", players=4)
    table.report("retired", player="D")
    assert table.by == "C"
    table.report("retired", player="C")
    assert table.match.outcome.winners == ("A",)


def test_ruling_19_in_the_set_up_only_those_who_stay_are_asked(new_table: MakeTable) -> None:
    """Also in a form that is open; with fewer than two there is no dogfight."""
    table = new_table(options={"players": 3}).say("A", 1, 2)
    table.report("retired", player="C")
    assert table.asked == ["set-up/pilot/A", "set-up/pilot/B"]
    table.say(2, 2).say(2)
    table.match.report({"what": "retired", "player": "B"}, STAMP)
    assert table.match.outcome.winners == ()


def test_ruling_19_who_has_left_cannot_leave_again(at: MakeTable) -> None:
    """And who speaks for one who has left is told so."""
    table = at("defend", players=3)
    table.report("retired", player="C")
    assert table.report("retired", player="C").code == "TS-AGREES"
    assert "has left" in table.match.rulebook.not_asked("C", "x", table.question).text
    file = table.position.to_file()
    assert file["left"] == ["C"]
    assert type(table.position).from_file(file).digest() == table.position.digest()
    table.match.undo(stamp=table.stamp)
    assert table.match.rulebook.not_asked("C", "x", table.question).code == "TS-E-WHO"


def guess(player: RandomPlayer, question: Any) -> Any:
    """Few cards while they are counted, anything legal else."""
    if isinstance(question, Count):
        legal = [int(option.name) for option in question.options_now()]
        return player.rng.choice(legal[:12])
    return player.answer(question)


@pytest.mark.slow
@given(
    players=st.integers(2, 4), fights=st.sampled_from((1, 3)), seed=st.integers(0, 2**32 - 1),
    goes=st.lists(st.tuples(st.integers(0, 70), st.integers(0, 3)), min_size=1, max_size=3),
)  # fmt: skip
def test_ruling_19_whoever_leaves_at_whatever_question_the_match_ends(
    players: int, fights: int, seed: int, goes: list[tuple[int, int]]
) -> None:
    """Nobody who has left is asked again, no card is lost, and it ends."""
    options: Any = {"players": players, "max_dogfights_per_turn": fights}
    match = Match[Any].start(Setup("talespin-dogfight", options=options), STAMP)
    player, due = RandomPlayer(Random(seed)), sorted(goes)
    answers, total = 0, None
    while match.outcome is None:
        assert answers < 1000
        while due and due[0][0] <= answers and match.outcome is None:
            fact: Any = {"what": "retired", "player": "ABCD"[due.pop(0)[1] % players]}
            match.report(fact, STAMP)
            if match.outcome is None:
                file = match.position_file()
                again = Match[Any].start(replace(match.setup, position=file), STAMP)
                assert [*again.open] == [*match.open]
                assert again.position.digest() == match.position.digest()
        waiting = [q for key, q in match.open.items() if key not in match.answered]
        assert not [q.key for q in waiting if q.by in match.position.left]
        if match.outcome is None:
            question = waiting[0]
            match.answer(Offer(question.key, guess(player, question), "bot", question.by), STAMP)
        answers += 1
        if match.position.step != "set-up":
            total = match.position.piles.total if total is None else total
            assert match.position.piles.total == total
            assert match.outcome is not None or faults(match.position) == []
    assert Match.replay(match.entries).position.digest() == match.position.digest()
