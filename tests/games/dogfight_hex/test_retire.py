"""A player leaves the table.  (RULING 22)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.offers import Offer, Stamp
from companion.core.ruling import Carry, Flip, Move
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

Start = Callable[..., Any]
STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


def test_ruling_22_a_ship_whose_player_leaves_is_debris_that_never_moves(at: Start) -> None:
    """Destroyed at once, without wreckage; its cards are discarded, its tokens set aside."""
    table = at("movement")
    notice = table.report("retired", player="C")
    assert notice.text == "Nothing more is asked of Player C."
    assert table.texts("Player C has left: the ship is debris on 4,-4 and stays there.")
    ship = table.ship("C")
    assert (notice.code, ship.lives, ship.hull, ship.aside) == ("HX-RETIRED", False, 0, 2)
    assert (table.debris("C"), table.wreckage()) == ("4,-4", {})
    (ruling,) = table.cited("RULING 22")
    assert [type(deed) for deed in ruling.deeds] == [Flip, Move, Move, Carry, Carry]
    assert (table.cards("C"), table.cards("C", "card")) == (0, 0)
    table.all_stay().reveal(A="shield anchor", B="shield anchor", D="shield anchor")
    assert table.asked == [f"turn-4/declare/{seat}" for seat in "BDA"]


def test_ruling_22_who_is_asked_and_leaves_is_asked_no_more(at: Start) -> None:
    """A question that waits for who has left is not asked any more, and nothing is said of it."""
    table = at("movement")
    table.report("retired", player="A")
    assert table.asked == ["turn-3/move/B"]
    assert table.texts("Player A stays") == []


@pytest.mark.parametrize(
    ("phase", "lines", "asked"),
    [
        ("declare", {}, "turn-3/declare/B"),
        ("reveal", {}, "turn-3/reveal/B"),
    ],
)
def test_ruling_22_no_form_waits_for_who_has_left(
    at: Start, phase: str, lines: Any, asked: str
) -> None:
    """Those who stay are still asked; what they have said already stands."""
    table = at(phase, **lines)
    said = {"declare": None, "reveal": "shield anchor"}[phase]
    table.say(f"{phase}/C", said)
    notice = table.report("retired", player="A")
    assert notice.text == "Nothing more is asked of Player A."
    assert table.asked == [asked, asked.replace("B", "D")]
    table.say(f"{phase}/B", said).say(f"{phase}/D", said)
    assert table.ship("A").card == ""
    assert f"turn-3/{phase}" not in table.asked[0]


def test_ruling_22_the_last_one_a_form_waits_for_closes_it_by_leaving(at: Start) -> None:
    """B, C and D have declared, A goes: the ships move."""
    table = at("declare")
    for seat in "BCD":
        table.say(f"declare/{seat}")
    table.report("retired", player="A")
    assert table.asked == ["turn-3/move/B"]
    replayed = Match[Any].replay(table.match.entries)
    assert replayed.position.digest() == table.position.digest()
    assert [*replayed.open] == table.asked


def test_ruling_22_wreckage_that_who_has_left_should_lay_is_set_aside(at: Start) -> None:
    """A is hit, is asked where the token goes, and leaves."""
    lines: Any = {
        "A": {"place": "0,0 NW", "card": "short"}, "B": {"place": "1,0 W", "card": "short"},
        "C": {"card": "short"}, "D": {"card": "short"}, "first": "A",
    }  # fmt: skip
    table = at("resolution", **lines)
    assert table.asked == ["turn-3/resolve/A/wreckage/hull-b-1"]
    table.report("retired", player="B")
    assert table.ship("B").aside == 2
    assert "wreckage" not in table.asked[0]


def test_ruling_22_who_leaves_before_the_ships_stand_has_none(new_table: Start) -> None:
    """At set-up too: the others place theirs and play; the token goes on past the empty seat."""
    table = new_table()
    for wreck, space in enumerate(("0,0", "1,0", "0,1", "1,1"), 1):
        table.say(f"wreckage/wreck-{wreck}", space)
    table.report("retired", player="A")
    assert table.names("first") == ["B", "C", "D", "lot"]
    table.say("first", "B").say("ship/B", "0,-5 SE")
    table.report("retired", player="C")
    assert table.texts("Player C has left: the ship is not placed.")
    assert table.position.sides()["Ship C"] == "ship", "nothing is turned over"
    table.say("ship/D", "5,-5 SW")
    assert table.asked == ["turn-1/declare/B", "turn-1/declare/D"]
    assert [table.cards(seat) for seat in "ABCD"] == [0, 4, 0, 4]
    file = table.position.to_file()
    assert type(table.position).from_file(file).digest() == table.position.digest()


def leave(match: Match[Any], seat: str) -> None:
    """A player goes, while others or they themselves are asked."""
    match.report({"what": "retired", "player": seat}, STAMP)


@pytest.mark.slow
@given(
    players=st.integers(2, 6), seed=st.integers(0, 2**32 - 1),
    goes=st.lists(st.tuples(st.integers(0, 90), st.integers(0, 5)), min_size=1, max_size=4),
)  # fmt: skip
def test_ruling_22_whoever_leaves_at_whatever_question_the_match_ends(
    players: int, seed: int, goes: list[tuple[int, int]]
) -> None:
    """Nobody who has left is asked again, and those who are left play to an end."""
    options: Any = {"players": players, "allow_two_players": True}
    match = Match[Any].start(Setup("dogfight-hex", options=options), STAMP)
    player, due = RandomPlayer(Random(seed)), sorted(goes)
    given_answers = 0
    while match.outcome is None:
        assert given_answers < 3000
        while due and due[0][0] <= given_answers and match.outcome is None:
            leave(match, "ABCDEF"[due.pop(0)[1] % players])
            if match.outcome is None:
                file = match.position_file()
                again = Match[Any].start(replace(match.setup, position=file), STAMP)
                assert [*again.open] == [*match.open]
                assert again.answered.keys() == match.answered.keys()
        waiting = [q for key, q in match.open.items() if key not in match.answered]
        left = [seat for seat, ship in match.position.ships.items() if ship.retired]
        assert not [q.key for q in waiting if q.by in left]
        if match.outcome is None:
            question = waiting[0]
            match.answer(Offer(question.key, player.answer(question), "bot", question.by), STAMP)
        given_answers += 1
    assert Match.replay(match.entries).position.digest() == match.position.digest()


def test_ruling_22_victory_is_checked_at_once(at: Start) -> None:
    """When the last opponent leaves, the match is over before anybody answers anything."""
    table = at("movement", 3, A={"hull": 1, "aside": 1})
    table.report("retired", player="B")
    assert table.match.outcome is None
    assert table.report("retired", player="C") is None
    assert table.winners == ("A",)
    assert not table.match.open
    table.match.undo(stamp=table.stamp)
    assert table.match.outcome is None
    assert table.asked == ["turn-3/move/A"]


def test_ruling_22_debris_of_one_who_leaves_stays_where_it_is(at: Start, dead: Any) -> None:
    """A destroyed player leaves too: nobody moves the debris any more."""
    table = at("resolution", D=dead("1,1"), A={"card": "short"}, B={"card": "short"},
               C={"card": "short"}, done=["A", "B"])  # fmt: skip
    assert table.asked == ["turn-3/debris/D"]
    table = at("movement", D=dead("1,1"))
    assert table.report("retired", player="D").code == "HX-RETIRED"
    table.all_stay().reveal(A="short", B="short", C="short")
    assert table.asked[0].startswith("turn-4/declare")
    assert table.debris("D") == "1,1"


@pytest.mark.parametrize("phase", ["declare", "movement"])
def test_ruling_22_a_player_who_has_left_cannot_leave_again(at: Start, phase: str) -> None:
    """A note that it is so already."""
    table = at(phase)
    table.report("retired", player="C")
    assert table.report("retired", player="C").code == "HX-AGREES"
