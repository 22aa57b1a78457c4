"""What the table reports and no question asks: words, fields, codes, and what they hold up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, IllegalAnswer
from companion.core.ruling import Level, Notice
from companion.games.dogfight_1917.reports import AGREES, WORDS

MakeTable = Callable[..., Any]


def given(notice: Notice) -> tuple[str, str, str]:
    """Code, level and cite."""
    return notice.code, str(notice.level), str(notice.cite)


# -- malformed reports ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({"what": "weather"}, "nobody reports 'weather'; the words are gunsight, condition"),
        ({"what": ["tokens"]}, r"nobody reports \['tokens'\]; the words are"),
        ({}, 'the report lacks "what", which is one of gunsight, condition'),
        ({"what": "tokens", "player": "A"}, "the report 'tokens' lacks count"),
        ({"what": "tokens", "player": "A", "count": 1, "colour": 2},
         "has no field colour"),
        ({"what": "missing", "player": "C"}, "player: 'C' is none of A, B"),
        ({"what": "missing", "player": 7}, "player: 7 is none of A, B"),
        ({"what": "tokens", "player": "A", "count": -1}, "count: -1 is not a whole number from 0"),
        ({"what": "tokens", "player": "A", "count": True}, "count: True is not a whole number"),
        ({"what": "tokens", "player": "A", "count": "²"}, "count: '²' is not a whole number"),
        ({"what": "tokens", "player": "A", "count": 10**30}, "is not a whole number from 0 to 999"),
        ({"what": "recount", "player": "A", "pile": "deck", "count": 21}, "from 0 to 20"),
        ({"what": "recount", "player": "A", "pile": "shoe", "count": 1},
         "pile: 'shoe' is no pile; there are deck, hand"),
        ({"what": "recount", "player": "A", "pile": 3, "count": 1}, "pile: 3 is no pile"),
        ({"what": "gunsight", "dice": 9}, "dice: 9 is not a whole number from 0 to 8"),
        ({"what": "drew", "player": "A", "count": 2.5}, "count: 2.5 is not a whole number"),
        ({"what": "decision", "text": "  "}, "text: '  ' is no decision; say it in words"),
        ({"what": "decision", "text": 4}, "text: 4 is no decision"),
    ],
)  # fmt: skip
def test_a_malformed_report_is_named_and_changes_nothing(
    table_at: MakeTable, fact: dict[str, Any], message: str
) -> None:
    """The word, the field, what was given and what is allowed."""
    table = table_at()
    before = (table.position.digest(), len(table.match.entries))
    with pytest.raises(BadCall, match=message):
        table.match.report(fact, table.stamp)
    assert (table.position.digest(), len(table.match.entries)) == before


def test_every_word_is_explained(table_at: MakeTable) -> None:
    """What a screen offers is what the box judges, with fields that it knows how to ask for."""
    table = table_at()
    assert table.match.rulebook.report_words() == WORDS
    known = {"player", "pile", "count", "dice", "text?"}
    assert {field for fields in WORDS.values() for field in fields} <= known


def test_what_is_as_recorded_is_said_so(table_at: MakeTable) -> None:
    """A report that agrees is a note without a code of an error, and holds nothing up."""
    table = table_at(A={"tokens": 2})
    told = [
        table.report("gunsight", dice=0),
        table.report("recount", player="A", pile="deck", count=9),
        table.report("tokens", player="a", count=2),
        table.report("drew", player="B", count=0),
    ]
    assert {(notice.code, notice.level) for notice in told} == {(AGREES, Level.NOTE)}
    assert told[1].text == "As recorded: Player A has 9 cards in the deck."
    table.act("Basic Maneuver")


# -- each code of a report -----------------------------------------------------------------


def fired(table_at: MakeTable, dice: list[int]) -> Any:
    """A has fired at B with these dice; B is asked whether to evade."""
    return table_at().act("Basic Attack").say("fire", dice)


@pytest.mark.parametrize("dice", [2, 0])
def test_df_e10_other_dice_than_succeeded(table_at: MakeTable, dice: int) -> None:
    """More, or fewer, dice on the Gunsight than reached the Difficulty: the right number is told.

    A 5 and a 3 against MacLaren's Difficulty of 4 at range 2 place one.
    """
    notice = fired(table_at, [5, 3]).report("gunsight", dice=dice)
    assert given(notice) == ("DF-E10", "warn", "DF-11.3, DF-11.5")
    assert notice.text == f"{dice} dice on the Gunsight; 1 succeeded."
    assert notice.way_out == "Have 1 die there."


def test_df_e11_dice_left_on_the_gunsight(table_at: MakeTable) -> None:
    """After the attack nothing lies there; one die is one die."""
    table = fired(table_at, [5, 3]).say("evade", "pass")
    notice = table.report("gunsight", dice=1)
    assert given(notice) == ("DF-E11", "warn", "DF-11.3, DF-11.5")
    assert notice.text.startswith("1 die on a Gunsight")
    assert notice.way_out == "Clear the Gunsight."


def test_df_e12_a_die_that_is_not_due(table_at: MakeTable) -> None:
    """It counts for nothing, and nothing waits for it."""
    table = table_at().act("Basic Maneuver").say("fly", "0,0 N")
    assert table.asked == ["turn-7/1/condition"], "one straight step of the Camel"
    other = table.report("condition rolled", player="B")
    assert given(other) == ("DF-E12", "note", "DF-9.7")
    assert other.way_out == "It counts for nothing; roll when asked to."
    after = table.say("condition", [1]).report("condition rolled", player="A")
    assert "not due" in after.text


def test_df_e12_a_die_that_is_due_and_not_entered(table_at: MakeTable) -> None:
    """The question waits for it, and says for which card."""
    table = table_at().act("Basic Maneuver").say("fly", "0,0 N")
    notice = table.report("condition rolled", player="A")
    assert given(notice) == ("DF-E12", "note", "DF-17.2.M1, DF-9.7, RULING 6")
    assert notice.text.startswith("Player A's die for the Basic Maneuver's Conditional Effect is")
    attack = table_at().act("Basic Attack")
    assert "not due" in attack.report("condition rolled", player="A").text, "another roll is"
    attack.say("fire", [5, 3])
    assert "not due" in attack.report("condition rolled", player="A").text


@pytest.mark.parametrize(
    ("what", "fields", "text", "cite"),
    [
        ("recount", {"pile": "Deck", "count": 8},
         "Player A has 8 cards in the deck; the record has 9.", "DF-4.2"),
        ("recount", {"pile": "hand", "count": 1},
         "Player A has 1 card in the hand; the record has 5.", "DF-4.2"),
        ("tokens", {"count": 1}, "Player A has 1 token; the record has 0.", "DF-15.1"),
        ("recount", {"pile": "tokens", "count": 2},
         "Player A has 2 tokens; the record has 0.", "DF-15.1"),
    ],
)  # fmt: skip
def test_df_e16_a_recount_that_differs(
    table_at: MakeTable, what: str, fields: dict[str, Any], text: str, cite: str
) -> None:
    """Both numbers are shown, play waits, and the correction is an entry of its own."""
    table = table_at()
    notice = table.report(what, player="A", **fields)
    assert given(notice) == ("DF-E16", "block", cite)
    assert notice.text == text
    with pytest.raises(IllegalAnswer) as held:
        table.act("Basic Maneuver")
    assert held.value.code == "DF-E16"
    table.adjust(A__deck=8, A__hand=6)
    table.match.report({"what": "solved", "code": "DF-E16"}, table.stamp)
    assert table.act("Basic Maneuver").piles("A")["hand"] == 5
    assert [entry.kind for entry in table.match.entries[1:4]] == ["report", "adjust", "report"]


def test_df_e14_cards_drawn_beyond_what_was_ruled(table_at: MakeTable) -> None:
    """A second draw, or one from an empty Deck: put back, or corrected."""
    notice = table_at().report("drew", player="A", count=1)
    assert given(notice) == ("DF-E14", "warn", "DF-6.1, DF-6.2")
    assert notice.text == "Player A drew 1 card beyond what was ruled."


def test_df_e04_a_model_that_is_gone(table_at: MakeTable) -> None:
    """Without a crash it is missed; after one it is rightly gone."""
    notice = table_at().report("missing", player="B")
    assert given(notice) == ("DF-E04", "block", "DF-9.4")
    assert "Put it back on 0,-1 N" in notice.way_out
    table = table_at("engagement", "battle-royale", players="ABC", options={"players": 3},
                     B={"crashed": True, "place": None})  # fmt: skip
    assert table.report("missing", player="B").code == AGREES


def test_df_e18_a_decision_of_the_table(table_at: MakeTable) -> None:
    """Anything may be overruled: with a note, openly, and nothing changes by itself."""
    table = table_at()
    before = table.position.digest()
    notice = table.report("decision", text="the cocked die counts as a 4.")
    assert given(notice) == ("DF-E18", "note", "RULING 45")
    assert notice.text == "Table decision: the cocked die counts as a 4."
    assert table.report("decision").text == "Table decision: the book is overruled."
    assert table.position.digest() == before
    table.adjust(A__tokens=3)
    assert table.player("A").tokens == 3
    assert [entry.kind for entry in table.match.entries[1:]] == ["report", "report", "adjust"]
