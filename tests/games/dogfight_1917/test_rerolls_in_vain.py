"""Nobody is asked about a reroll of evasion dice that can bring nobody anything.  (RULING 13)

Dead Six is what makes the question worth asking: where it can be flown it may be wanted or feared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.match.match import Match

MakeTable = Callable[..., Any]


def evaded(
    table_at: MakeTable, means: str, rolled: Any, fired: Any, attack: str = "Basic Attack",
    **seats: Any,
) -> Any:  # fmt: skip
    """A has attacked B, who has 3 tokens at least and has rolled these dice for an evasion."""
    lines = {seat: {"pilot": "mentor", **line} for seat, line in seats.items()}
    lines["B"] = {"tokens": 3, **lines.get("B", {"pilot": "mentor"})}
    lines.setdefault("A", {"pilot": "mentor"})
    table = table_at(**lines).act(attack).say("fire", fired)
    return table.say("evade", means).say("evasion", rolled)


def asks(table: Any) -> bool:
    """Whether a reroll of the evasion is asked for."""
    return any("evasion/again" in key for key in table.asked)


SPAD = {"fighter": "spad"}


@pytest.mark.parametrize(
    ("fighter", "means", "rolled"),
    [("spad", "Evasive Dive", [5, 1]), ("spad", "Evasive Climb", [3, 6]),
     ("albatros", "Evasive Climb", [1, 5])],
)  # fmt: skip
def test_ruling_13_a_failed_die_that_has_nothing_to_remove_is_not_asked_about(
    table_at: MakeTable, fighter: str, means: str, rolled: list[int]
) -> None:
    """The other die has emptied the Gunsight and brought the token."""
    assert not asks(evaded(table_at, means, rolled, [1, 2, 6], B={"fighter": fighter}))


@pytest.mark.parametrize(
    ("rolled", "fired"), [([5, 1], [1, 6, 6]), ([4, 1], [1, 2, 6]), ([1, 1], [1, 2, 6])]
)
def test_ruling_13_a_failed_die_is_asked_about_for_a_die_or_a_token(
    table_at: MakeTable, rolled: list[int], fired: list[int]
) -> None:
    """A die is left on the Gunsight, or none shows the 5 that brings a token."""
    assert asks(evaded(table_at, "Evasive Dive", rolled, fired, B=SPAD))


def test_ruling_13_the_red_baron_wants_every_die_to_succeed(table_at: MakeTable) -> None:
    """DF-18.1.A pays a token for that, however many lie on the Gunsight."""
    baron = {"fighter": "albatros", "pilot": "richthofen"}
    assert asks(evaded(table_at, "Evasive Climb", [1, 5], [1, 2, 6], B=baron))
    assert not asks(evaded(table_at, "Evasive Climb", [3, 5], [1, 2, 6], B=baron))


@pytest.mark.parametrize("rolled", [[3, 4], [3, 6], [1, 6]])
def test_ruling_13_a_dead_six_may_be_wanted_or_feared(table_at: MakeTable, rolled: Any) -> None:
    """After a Basic Attack the attacker still moves: a place behind it may come free."""
    assert asks(evaded(table_at, "Evasive Dive", rolled, [1, 2, 6]))


@pytest.mark.parametrize("rolled", [[3, 6], [1, 1], [3, 1]])
def test_df_12_2_who_is_shot_down_at_all_events_is_not_asked(
    table_at: MakeTable, rolled: list[int]
) -> None:
    """Of three dice two go at most; the third is more than the empty Deck holds."""
    table = evaded(table_at, "Evasive Dive", rolled, [6, 6, 6], B={"deck": 0, "discard": 13})
    assert not asks(table)
    assert table.match.outcome is not None


def test_df_12_2_with_a_card_in_the_deck_the_same_dice_are_asked_about(table_at: MakeTable) -> None:
    """It takes the third die, and the Fighter flies on."""
    line = {"deck": 1, "discard": 12}
    assert asks(evaded(table_at, "Evasive Dive", [3, 1], [6, 6, 6], B=line))


def test_df_14_4_what_two_dice_each_shoot_down_need_not_be_one_less(table_at: MakeTable) -> None:
    """Vickers count twice: with one die of two gone the Deck of one card is still too small."""
    table = evaded(table_at, "Evasive Climb", [3], [4, 5, 1], "Vickers Machine Guns",
                   A={"tokens": 3}, B={"deck": 1, "discard": 12})  # fmt: skip
    assert not asks(table)
    assert table.match.outcome is not None


def test_df_24_4_a_wingman_keeps_the_tokens_and_is_asked(table_at: MakeTable) -> None:
    """It comes back with them; the Camel's Dead Six is lost with the crash."""
    down = {"deck": 0, "discard": 13, "tokens": 3}
    table = table_at(
        "engagement", "entente-vs-central-powers", players="ABCD", active="B",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "4,0 NW"},
        B={"fighter": "spad", "pilot": "fonck", "place": "0,1 N", "side": "B", "tokens": 3},
        C={"fighter": "albatros", "pilot": "loewenhardt", "place": "0,-1 N", **down,
           "start": "4,-4 SW"},
        D={"fighter": "camel", "pilot": "maclaren", "place": "-3,0 SE", "start": "-4,4 NE"},
    )  # fmt: skip
    table.act("Vickers Machine Guns albatros").say("fire", [4, 5, 6]).say("evade", "Evasive Climb")
    assert asks(table.say("evasion", [3, 4]))
    table.say("evasion/again-1", "Focus 3").say("evasion/again-1/dice", 5)
    assert not asks(table)


def test_df_17_2_s2_lewis_guns_take_no_card_of_an_empty_hand(table_at: MakeTable) -> None:
    """The evasion was the last card; a SPAD's failed die could only have saved another."""
    table = evaded(table_at, "Evasive Dive", [1, 5], [5, 5, 5, 1], "Lewis Guns", A={"tokens": 2},
                   B={**SPAD, "hand": 1, "discard": 8})  # fmt: skip
    assert not asks(table)


CORNER = {"A": {"place": "0,-4 S", "tokens": 3}, "B": {"place": "0,-2 N"}}


def test_df_13_5_a_dead_six_that_finds_no_space_is_not_asked_about(table_at: MakeTable) -> None:
    """A stays in its corner after a Special Attack: all its Rear spaces are off the board."""
    table = evaded(table_at, "Evasive Climb", [3], [4, 1, 1], "Vickers Machine Guns", **CORNER)
    assert not asks(table)
    assert asks(evaded(table_at, "Evasive Climb", [2], [4, 1, 1], "Vickers Machine Guns", **CORNER))
    away = {**CORNER, "A": {"place": "0,-3 S", "tokens": 3}, "B": {"place": "0,-1 N"}}
    assert asks(evaded(table_at, "Evasive Climb", [3], [4, 1, 1], "Vickers Machine Guns", **away))


@pytest.mark.parametrize("edition", [1, 2])
def test_a_log_of_an_earlier_edition_is_asked_as_it_was(table_at: MakeTable, edition: int) -> None:
    """What was rolled again then replays; the present edition does not ask."""
    lines = {"A": {"pilot": "mentor"}, "B": {**SPAD, "pilot": "mentor", "tokens": 3}}
    table = table_at(**lines)
    start = table.match.entries[0]
    table.match = Match.replay([start._replace(answer={**start.answer, "edition": edition})])
    table.act("Basic Attack").say("fire", [1, 2, 6]).say("evade", "Evasive Dive")
    table.say("evasion", [5, 1]).say("evasion/again-1", "Focus").say("evasion/again-1/dice", 6)
    if edition == 1:  # asks whatever the dice show
        table.say("evasion/again-2", "keep")
    again = Match[Any].replay(table.match.entries)
    assert again.position.digest() == table.position.digest()
    assert not again.no_longer_asked
    assert again.position.players["B"].tokens == table.player("B").tokens == 3


# -- logs of the first edition, which asked more and left more lying -----------------------------


def of_edition_1(table: Any) -> Any:
    """The same table with a log of the first edition."""
    start = table.match.entries[0]
    table.match = Match.replay([start._replace(answer={**start.answer, "edition": 1})])
    return table


def replayed(table: Any) -> Match[Any]:
    """Its log played again: every line is met, and the position is the same."""
    again = Match[Any].replay(table.match.entries)
    assert again.position.digest() == table.position.digest()
    assert not again.no_longer_asked
    return again


def test_df_10_3_the_first_edition_asked_about_dice_that_all_succeed(table_at: MakeTable) -> None:
    """Dice that were rolled again then are rolled again now."""
    table = of_edition_1(table_at(A={"tokens": 1})).act("Basic Attack").say("fire", [6, 5])
    table.say("fire/again-1", "Focus 5").say("fire/again-1/dice", 6)
    assert replayed(table).position.players["A"].tokens == 1, "Silent Pursuer's, for both dice"


def test_df_13_2_the_first_edition_asked_to_evade_an_empty_gunsight(table_at: MakeTable) -> None:
    """Its answer brings a Dead Six, as it did."""
    table = of_edition_1(table_at()).act("Basic Attack").say("fire", [1, 1])
    table.say("evade", "Evasive Climb").say("evasion", 6)
    assert replayed(table).position.players["B"].piles["hand"] == 4


def test_df_16_4_a_match_of_the_first_edition_ends_as_it_lies(table_at: MakeTable) -> None:
    """Its last digest has the dice on the Gunsight; later ones are cleared."""
    for edition, left in ((1, 2), (3, 0)):
        table = table_at(B={"deck": 0, "discard": 13})
        table = of_edition_1(table) if edition == 1 else table
        table.act("Basic Attack").say("fire", [6, 6]).say("evade", "pass")
        assert table.match.outcome is not None
        assert replayed(table).position.gunsight == left
