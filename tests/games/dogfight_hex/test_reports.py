"""What the table reports and no question asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.games.dogfight_hex.reports import WORDS

Start = Callable[..., Any]


def test_a_card_of_a_destroyed_player_is_taken_away(at: Start, dead: Any) -> None:
    """HX-DMG-03: no cards any more."""
    notice = at("declare", D=dead("1,1")).report("card down", player="D")
    assert (notice.code, str(notice.level)) == ("HX-E-DEAD", "warn")


def test_a_bound_player_chooses_no_other_card(at: Start) -> None:
    """HX-DEC-04."""
    table = at("declare", B={"captured": 1, "bound": "long", "hand": 3})
    notice = table.report("card down", player="B")
    assert (notice.code, notice.cite.rules) == ("HX-E-FORCED", ("HX-DEC-04",))


def test_a_card_from_an_empty_hand_holds_the_match_up(at: Start) -> None:
    """RULING 8: either the record or the table is wrong."""
    table = at("declare", B={"hand": 0})
    assert table.report("card down", player="B").code == "HX-E-NOCARD"
    with pytest.raises(IllegalAnswer):
        table.say("declare/A")
    table.report("solved", code="HX-E-NOCARD")
    table.say("declare/A")


def test_a_second_card_is_taken_back(at: Start) -> None:
    """HX-DEC-01: one card a turn; or one that comes when none is laid any more."""
    table = at("movement", C={"hand": 0, "declared": 0})
    assert table.report("card down", player="B").code == "HX-E-DUP"
    assert table.report("card down", player="C").code == "HX-E-NOCARD"


def test_a_card_before_the_hands_are_drawn_is_taken_back(new_table: Start) -> None:
    """HX-SET-06: nobody has a hand yet."""
    notice = new_table().report("card down", player="A")
    assert (notice.code, "before the first turn" in notice.text) == ("HX-E-NOCARD", True)
    assert notice.cite.rules == ("HX-SET-06",)


def test_a_card_that_may_lie_there_is_only_noted(at: Start) -> None:
    """The question goes on waiting for the word."""
    table = at("declare")
    assert table.report("card down", player="a").code == "HX-AGREES"
    assert "turn-3/declare/A" in table.asked


@pytest.mark.parametrize(
    ("what", "fields", "recorded"),
    [
        ("recount", {"player": "A", "pile": "hand"}, 3),
        ("recount", {"player": "A", "pile": "hull"}, 2),
        ("deck", {}, 38),
        ("discard pile", {}, 0),
    ],
)
def test_what_was_counted_is_held_against_the_record(
    at: Start, what: str, fields: dict[str, Any], recorded: int
) -> None:
    """The same number is a note, another one waits to be solved."""
    table = at("movement")
    assert table.report(what, **fields, count=recorded).code == "HX-AGREES"
    notice = table.report(what, **fields, count=recorded - 1 if recorded else 1)
    assert (notice.code, str(notice.level)) == ("HX-COUNT", "block")
    assert f"the record has {recorded}" in notice.text


def test_who_may_not_draw_and_draws_puts_the_card_back(at: Start) -> None:
    """HX-END-02, and what the operator can do."""
    table = at("declare")
    assert table.report("drew", player="B", count=0).code == "HX-AGREES"
    notice = table.report("drew", player="B", count=1)
    assert (notice.code, "1 card beyond" in notice.text) == ("HX-E-DRAW", True)


def test_a_token_that_is_gone_is_put_back(at: Start) -> None:
    """By its name, or by what is written on it."""
    table = at("movement")
    assert table.report("missing", piece="Hull A1").code == "HX-AGREES"
    notice = table.report("missing", piece="ship-a")
    assert (notice.code, "0,4" in notice.way_out) == ("HX-SEEN", True)


def test_a_decision_of_the_table_is_told_openly(at: Start) -> None:
    """In its own words."""
    table = at("movement")
    notice = table.report("decision", text="we lay it anew.")
    assert notice.text == "Table decision: we lay it anew."
    assert table.report("decision").code == "HX-TABLE"


@pytest.mark.parametrize(
    ("what", "fields", "words"),
    [
        ("storm", {}, "nobody reports 'storm'; the words are card down"),
        (None, {}, "nobody reports None"),
        ("card down", {}, "lacks player"),
        ("card down", {"player": "A", "x": 1}, "the report 'card down' has no field x"),
        ("card down", {"player": "Z"}, "player: 'Z' is no seat"),
        ("card down", {"player": "F"}, "nobody sits at F; there are A, B, C, D"),
        ("recount", {"player": "A", "pile": "deck", "count": 1}, "pile: 'deck' is no quantity"),
        ("recount", {"player": "A", "pile": "hand", "count": "3"}, "count: '3' is not a whole"),
        ("recount", {"player": "A", "pile": "hull", "count": 3}, "0 to 2"),
        ("missing", {"piece": "sun"}, "piece: 'sun' is no token"),
        ("decision", {"text": " "}, "is no decision"),
    ],
)
def test_a_malformed_report_changes_nothing(
    at: Start, what: Any, fields: dict[str, Any], words: str
) -> None:
    """It is refused with what there is."""
    table = at("movement")
    assert words in str(table.refused_report(what, **fields))
    assert not table.match.notices


def test_every_word_has_its_fields_told() -> None:
    """Screens and terminals ask for them in this order."""
    assert set(WORDS) == {
        "card down", "retired", "recount", "deck", "discard pile", "drew", "missing", "decision",
    }  # fmt: skip
