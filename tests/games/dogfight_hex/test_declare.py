"""Secret cards, and their reveal.  (HX-TRN-01, HX-DEC, HX-RES-01, RULING 8)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ui.terminal.voice import how_to_answer

Start = Callable[..., Any]

BOUND = {"captured": 1, "bound": "long", "hand": 3}


def test_hx_trn_01_one_order_for_movement_and_resolution(at: Start, dead: Any) -> None:
    """Clockwise from the starting player, living players only."""
    table = at("movement", 5, first="D", E=dead("1,1"))
    moved = []
    while "/move/" in table.asked[0]:
        moved.append(table.asked[0].rpartition("/")[2])
        table.say("", "stay")
    table.reveal(A="short", B="short", C="short", D="short")
    resolved = [ruling.by for ruling in table.cited("HX-ATK-09")]
    assert moved == resolved == list("DABC")


def test_hx_dec_01_and_02_one_card_each_in_any_order_and_unseen(at: Start) -> None:
    """The word says only that it is down; which card it is cannot even be said."""
    table = at("declare")
    for seat in "CADB":
        assert table.refused(f"declare/{seat}", "short").code == "Q-NAME"
        table.say(f"declare/{seat}")
    assert [table.cards(seat, "card") for seat in "ABCD"] == [1, 1, 1, 1]
    assert [table.ship(seat).card for seat in "ABCD"] == [""] * 4
    assert table.position.deck.seen() == {}


def test_hx_dec_03_the_phase_ends_when_all_have_declared(at: Start) -> None:
    """Nobody is asked to move before; a word may be taken back until then."""
    table = at("declare")
    table.say("declare/A").say("declare/B").say("declare/D")
    assert table.asked == ["turn-3/declare/C"]
    table.match.undo(stamp=table.stamp)
    assert table.asked == ["turn-3/declare/C", "turn-3/declare/D"]
    table.say("declare/C").say("declare/D")
    assert table.asked == ["turn-3/move/A"]


def test_hx_dec_04_a_captured_card_is_the_declared_one(at: Start) -> None:
    """Its owner chooses nothing, everybody knows it, and it is not revealed again."""
    table = at("declare", B=BOUND)
    assert table.asked == [f"turn-3/declare/{seat}" for seat in "ACD"]
    assert table.ship("B").card == "long"
    assert (table.cards("B", "captured"), table.cards("B", "card"), table.cards("B")) == (0, 1, 3)
    table.say("declare/A").say("declare/C").say("declare/D").all_stay()
    assert table.asked == [f"turn-3/reveal/{seat}" for seat in "ACD"]


def test_ruling_08_without_a_card_a_player_passes_and_draws_at_the_end(at: Start) -> None:
    """Nothing declared, an ordinary movement, nothing resolved, one card drawn."""
    table = at("declare", B={"hand": 0})
    assert table.cited("RULING 8")[0].by == "B"
    table.say("declare/A").say("declare/C").say("declare/D")
    assert "turn-3/move/B" not in table.asked
    table.all_stay()
    assert table.texts("Player B stays")
    table.reveal(A="shield anchor", C="shield anchor", D="shield anchor")
    assert table.cards("B") == 1
    assert table.asked == [f"turn-4/declare/{seat}" for seat in "BCDA"]


def test_hx_res_01_all_cards_are_turned_over_together(at: Start) -> None:
    """In any order; nothing is carried out before the last is known."""
    table = at("reveal")
    table.reveal(D="medium", B="short", A="shield_no_draw")
    assert not table.cited("HX-ATK-09")
    assert table.refused("reveal/C", "torpedo").code == "Q-NAME"
    table.reveal(C="long")
    assert len(table.cited("HX-RES-01")) == 4


@pytest.mark.parametrize("word", ["laid", "Laid", "down"])
def test_hx_dec_03_the_deed_is_confirmed_by_one_word(at: Start, word: str) -> None:
    """People read and say laid; the log keeps the word that it always had."""
    table = at("declare")
    question = table.question("declare/A")
    assert how_to_answer(question) == "laid"
    assert [option.label for option in question.options_now()] == ["Laid"]
    table.say("declare/A", word)
    assert table.match.entries[-1].answer == "down"
    assert table.refused("declare/B", "short").text.endswith(
        "no answer here: say 'laid' when it is done."
    )
