"""Which cards are asked for, known and shown, and which never.  (DF-4.1)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.question import Count, Declare
from companion.games.dogfight_1917.faults import faults

MakeTable = Callable[..., Any]

CARDS = (
    "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver", "Evasive Climb", "Evasive Dive",
    "Killer Instinct",
)  # fmt: skip


def tokens(table_at: MakeTable, count: int, **changes: Any) -> Any:
    """A has so many tokens; both players' pilots add nothing here."""
    line = {"tokens": count, **changes.pop("A", {})}
    return table_at("engagement", A=line, **changes)


def repaired(table_at: MakeTable, damage: int, back: int) -> Any:
    """A has three tokens and so many damage cards, and shuffles so many into the Deck."""
    table = tokens(table_at, 3, A={"damage": damage, "deck": 11 - damage})
    return table.act("Emergency Repair").say("repaired", back)


# -- what is asked of cards, and what never -------------------------------------------------------


def test_29_2_regroup_asks_only_for_what_lies_face_up(table_at: MakeTable) -> None:
    """The Discard Pile as it is again; never the two cards that went to the Hand."""
    table = tokens(table_at, 2).act("Regroup")
    assert table.asked == ["turn-7/1/regrouped"]
    question = table.question("regrouped")
    assert isinstance(question, Declare)
    assert (question.by, question.parts, question.most) == ("A", CARDS, 2)
    assert "Which 2 cards lie face up now?" in question.prompt
    assert question.lapse == [0] * 6


def test_29_2_repair_asks_how_many_and_what_lies_face_up(table_at: MakeTable) -> None:
    """Never which cards went back into the Deck; nothing at all when none lie open."""
    table = tokens(table_at, 3, A={"damage": 5, "deck": 6}).act("Emergency Repair")
    question = table.question("repaired")
    assert isinstance(question, Count)
    assert (question.by, question.most) == ("A", 3)
    table.say("repaired", 3)
    shown = table.question("repaired-shown")
    assert isinstance(shown, Declare)
    assert shown.most == 2
    assert repaired(table_at, 3, 3).asked == ["turn-7/2/action"]


def test_29_2_every_question_of_both_is_known(table_at: MakeTable) -> None:
    """From the action to the menu: nobody else is asked, and nothing else."""
    table, asked = tokens(table_at, 5, A={"damage": 5, "deck": 6}), []
    for action in ("Regroup", "Emergency Repair"):
        table.act(action)
        while not table.asked[0].endswith("action"):
            question = table.question(table.asked[0])
            asked.append((question.key.split("/")[-1], question.by))
            table.say(question.key, 2 if isinstance(question, Count) else [0] * 6)
    assert asked == [("regrouped", "A"), ("repaired", "A"), ("repaired-shown", "A")]


def test_29_2_shown_cards_are_known_and_others_are_not(table_at: MakeTable) -> None:
    """After a Regroup only what was named lies known; after silence nothing."""
    line = {"known": {"discard": {"Killer Instinct": 2}}}
    table = tokens(table_at, 2, A=line).act("Regroup")
    assert table.player("A").piles.known == {}
    table.say("regrouped", {"Killer Instinct": 1, "Evasive Dive": 1})
    assert table.player("A").piles.known == {"discard": ["Evasive Dive", "Killer Instinct"]}


@pytest.mark.parametrize("shown", [[1, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2]])
def test_29_2_all_or_none_are_named(table_at: MakeTable, shown: list[int]) -> None:
    """Two lie there: one or three named is a mistake."""
    refusal = tokens(table_at, 2).act("Regroup").refused("regrouped", shown)
    assert refusal.code in ("DF-COUNT", "Q-LIMIT")


# -- show_deducible_cards -------------------------------------------------------------------------

OPEN = {"known": {"discard": {"Killer Instinct": 2, "Basic Maneuver": 2}}}
LEFT = {"Killer Instinct": 1, "Basic Maneuver": 1}


def seen(table: Any) -> Any:
    """What panels show of A's known cards; None if they show nothing."""
    facts = {fact.name: fact.value for fact in table.position.facts()}
    return facts.get("A.seen")


def test_opt_22_by_default_the_deduction_is_not_pointed_out(table_at: MakeTable) -> None:
    """Nothing of the Hand is recorded, shown or written to a file."""
    table = tokens(table_at, 2, A=OPEN).act("Regroup").say("regrouped", LEFT)
    assert seen(table) is None
    assert "hand" not in table.player("A").piles.known
    assert "hand" not in table.match.position_file()["players"]["A"].get("known", {})


def test_opt_22_shows_what_regroup_took(table_at: MakeTable) -> None:
    """All four lay open, two do again: the other two are in the Hand."""
    options = {"show_deducible_cards": True}
    table = tokens(table_at, 2, A=OPEN, options=options).act("Regroup").say("regrouped", LEFT)
    assert seen(table) == {"discard": LEFT, "hand": LEFT}
    assert faults(table.position) == []


def test_opt_22_unnamed_cards_let_nobody_work_out_anything(table_at: MakeTable) -> None:
    """Silence about the open pile leaves the Hand secret."""
    options = {"show_deducible_cards": True}
    line = {"known": {"discard": {"Killer Instinct": 2}}}
    table = tokens(table_at, 2, A=line, options=options).act("Regroup")
    assert seen(table.say("regrouped", [0] * 6)) == {}


def test_opt_22_a_pile_taken_whole_is_known_without_asking(table_at: MakeTable) -> None:
    """Two open cards, both taken."""
    line = {"discard": 2, "deck": 11, "known": {"discard": {"Killer Instinct": 2}}}
    options = {"show_deducible_cards": True}
    table = tokens(table_at, 2, A=line, options=options).act("Regroup")
    assert seen(table) == {"hand": {"Killer Instinct": 2}}


def test_opt_22_a_known_card_that_is_played_has_left_the_hand(table_at: MakeTable) -> None:
    """What stays known must still be there."""
    options = {"show_deducible_cards": True}
    table = tokens(table_at, 2, A=OPEN, options=options).act("Regroup").say("regrouped", LEFT)
    table.act("Killer Instinct")
    assert seen(table) == {
        "discard": LEFT, "hand": {"Basic Maneuver": 1}, "box": {"Killer Instinct": 1},
    }  # fmt: skip


def test_opt_22_random_discards_make_the_hand_secret_again(table_at: MakeTable) -> None:
    """Nobody can say which of the cards are still held."""
    table = table_at(
        "engagement", options={"show_deducible_cards": True}, A={"tokens": 2},
        B={"known": {"hand": {"Killer Instinct": 2}}},
    )  # fmt: skip
    table.act("Lewis Guns").say("fire", [5, 1, 1, 1]).say("evade", "pass")
    assert "hand" not in table.player("B").piles.known
