"""A player leaves the table.  (RULING 22)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.ruling import Carry, Flip, Move

Start = Callable[..., Any]


def test_ruling_22_a_ship_whose_player_leaves_is_debris_that_never_moves(at: Start) -> None:
    """Destroyed at once, without wreckage; its cards are discarded, its tokens set aside."""
    table = at("movement")
    notice = table.report("retired", player="C")
    ship = table.ship("C")
    assert (notice.code, ship.lives, ship.hull, ship.aside) == ("HX-RETIRED", False, 0, 2)
    assert (table.debris("C"), table.wreckage()) == ("4,-4", {})
    (ruling,) = table.cited("RULING 22")
    assert [type(deed) for deed in ruling.deeds] == [Flip, Move, Move, Carry, Carry]
    assert (table.cards("C"), table.cards("C", "card")) == (0, 0)
    table.all_stay().reveal(A="shield anchor", B="shield anchor", D="shield anchor")
    assert table.asked == [f"turn-4/declare/{seat}" for seat in "BDA"]


def test_ruling_22_who_is_asked_and_leaves_is_asked_no_more(at: Start) -> None:
    """Of a question that waits for a ship that has left, only staying remains."""
    table = at("movement")
    table.report("retired", player="A")
    assert table.names("move/A") == ["stay"]
    table.say("move/A", "stay")
    assert table.asked == ["turn-3/move/B"]
    assert table.texts("Player A stays") == []


def test_ruling_22_the_card_of_one_who_left_before_the_reveal_counts_for_nothing(
    at: Start,
) -> None:
    """The form still asks for it; what is said then is forgotten."""
    table = at("reveal")
    notice = table.report("retired", player="A")
    assert notice.way_out.startswith("Give any answer where Player A is still asked")
    table.reveal(B="shield anchor", C="shield anchor", D="shield anchor", A="long")
    assert table.ship("A").card == ""
    assert "turn-4" in table.asked[0]


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
