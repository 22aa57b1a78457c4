"""Every operation of the catalogue, and cards declared at the table.  (card catalogue)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.starship_edition.cards import KINDS

MakeTable = Callable[..., Any]


def card(*effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A table's own file with one card, X, of these effects."""
    return {"cards": {"X": {"title": "Xenon", "type": "INTERVENE", "effects": [*effects], **more}}}


def play(tiers_at: MakeTable, *effects: dict[str, Any], **more: Any) -> Any:
    """A match in which A has just turned over that card."""
    lines = more.pop("lines", {})
    return tiers_at(lines, A=1, cards=card(*effects, **more)).say("X")


def test_move_and_what_it_refuses(tiers_at: MakeTable) -> None:
    """Within mobility, round obstructions, not onto another vessel."""
    table = tiers_at(A=1).say("G-MOVE")
    assert table.refused("4,1").code == "SE-E-MOVE"
    assert table.refused("3,1").code == "SE-E-SPACE"
    assert table.refused("3,3").code == "SE-E-SPACE"
    assert table.refused("0,1").code == "SE-E-SPACE"
    assert table.refused("home").text == "'home' is no space; say where the vessel goes, as 1,1."
    table.say("2,2")
    assert table.player("A").space == (2, 2)
    assert table.said("moves from 1,1 to 2,2").deeds[0].now.space == "2,2"


def test_se_r03_share_space_by_house_rule(tiers_at: MakeTable) -> None:
    """With `share_space` two vessels may end on one space."""
    table = tiers_at(A=1, options={"share_space": "yes"}).say("G-MOVE", "3,1")
    assert table.player("A").space == table.player("B").space


def test_move_without_a_map_is_declared(tiers_at: MakeTable) -> None:
    """The players move as they agree; the log says so."""
    places = {"A": {"place": "1,1"}, "B": {"place": "2,2"}}
    table = tiers_at(places, A=1, cards={"map": {"kind": "none"}}).say("G-MOVE", None)
    assert table.said("moves as declared at the table")


def test_rotate(tiers_at: MakeTable) -> None:
    """Any heading, or so many steps; recorded."""
    assert play(tiers_at, {"op": "rotate"}).say("SE").player("A").heading == 3
    assert play(tiers_at, {"op": "rotate", "steps": -1}).player("A").heading == 7


def test_damage_energy_counter(tiers_at: MakeTable) -> None:
    """Damage is no attack; energy and counters are added."""
    heat = {"op": "counter", "name": "over heat", "vessel": "others", "amount": 3}
    table = play(tiers_at, {"op": "damage", "vessel": "others", "amount": 2},
                 {"op": "energy", "vessel": "all", "amount": 1}, heat)  # fmt: skip
    assert table.player("B").hull == 8
    assert [table.player(seat).energy for seat in "AB"] == [4, 4]
    assert table.player("B").counters == {"over heat": 3}


def test_modify_for_the_turn_and_for_the_tier(tiers_at: MakeTable) -> None:
    """A surge adds a space for this turn; a modifier of the tier ends with it."""
    table = tiers_at(A=1).say("G-SURGE")
    assert "1,4" in table.names()
    table = play(tiers_at, {"op": "modify", "stat": "range", "amount": 2, "duration": "tier"})
    assert table.player("A").modifiers == []


def test_reduce_and_nullify(tiers_at: MakeTable) -> None:
    """Answers to an attack that reduce it, or bring it to nothing."""
    for step, hull in (({"op": "reduce", "amount": 2}, 9), ({"op": "nullify"}, 10)):
        cards = card(step, form="star", windows=["response_target"])
        table = tiers_at(A=1, cards=cards).say("G-SHOT", "done", "X", "done")
        assert table.player("B").hull == hull


def test_draw_discard_return_remove(tiers_at: MakeTable) -> None:
    """Cards go where they should, named where they lie open."""
    assert play(tiers_at, {"op": "draw", "number": 2}).player("A").hand == 7
    table = play(tiers_at, {"op": "discard"}).say("G-SHOT", "no")
    assert table.player("A").discard == ["G-SHOT", "X"]
    table = play(tiers_at, {"op": "discard", "from": "deck"}).say("unknown", "no")
    assert table.player("A").discard == ["?", "X"]
    pile = {"A": {"discard": ["G-SHOT", "G-MOVE"]}}
    table = play(tiers_at, {"op": "return_to_hand"}, lines=pile).say("1 G-SHOT")
    assert (table.player("A").hand, table.player("A").discard) == (6, ["G-MOVE", "X"])
    table = play(tiers_at, {"op": "remove_from_game", "number": 2, "from": "deck"})
    assert table.player("A").removed == 2


def test_equip_is_unique_and_expire_takes_off(tiers_at: MakeTable) -> None:
    """A title once a vessel (SE-R12); an expired card goes to its owner's pile."""
    gear = {"A": {"gear": ["G-DYNAMO"]}}
    assert tiers_at(gear, A=1).say("G-DYNAMO").said("equipped already")
    table = play(
        tiers_at, {"op": "expire", "vessel": "others"}, lines={"B": {"gear": ["G-DYNAMO"]}}
    )
    assert table.player("B").discard[:1] == ["G-DYNAMO"]


def test_optional_condition_and_choose(tiers_at: MakeTable) -> None:
    """What is optional is asked for, a condition is read out, of several one is chosen."""
    table = play(tiers_at, {"op": "energy", "amount": 1, "optional": True}).say("no")
    assert table.said("leaves out a part of Xenon")
    table = play(tiers_at, {"op": "energy", "amount": 1, "condition": "a comet is near"})
    assert "a comet is near" in table.question().prompt
    either = {"op": "choose", "of": [{"op": "energy", "amount": 2}, {"op": "draw"}]}
    assert play(tiers_at, either).say("2").player("A").hand == 6


def test_costs_of_every_kind(tiers_at: MakeTable) -> None:
    """Energy, hull, counters, cards from hand and from the pile."""
    cost = [{"pay": "energy", "amount": 1}, {"pay": "hull", "amount": 2},
            {"pay": "counter", "amount": 1, "name": "over heat"}, {"pay": "hand"},
            {"pay": "discard"}]  # fmt: skip
    lines = {"A": {"counters": {"over heat": 1}, "discard": ["G-SHOT"]}}
    table = play(tiers_at, {"op": "draw"}, cost=cost, lines=lines).say("G-MOVE", "1 G-SHOT", "no")
    player = table.player("A")
    assert (player.energy, player.hull, player.removed) == (2, 8, 1)
    assert player.discard == ["G-MOVE", "X"]


def test_every_operation_has_its_doing() -> None:
    """No operation that a file may name is left without what carries it out."""
    from companion.games.starship_edition.effects import _DOES, Effects
    from companion.games.starship_edition.rules import StarshipEdition

    assert set(_DOES) == set(KINDS.values())
    assert all(callable(does) for does in _DOES.values())
    assert StarshipEdition.set_secondary is not Effects.set_secondary


# -- declared effects ----------------------------------------------------------------------


def test_an_unlisted_card_is_declared_confirmed_and_marked(tiers_at: MakeTable) -> None:
    """Nothing happens before it is confirmed; what is dropped leaves no trace."""
    table = tiers_at(A=1).say("unknown", "ATTACK", "free", "damage", "others", 2)
    assert table.player("B").hull == 10
    table.say("no", "damage", "others", 3, "yes")
    assert table.player("B").hull == 7
    assert table.said("declares of a card not listed: damage (all others, 3).")


def test_a_declared_card_is_listed_by_its_title(tiers_at: MakeTable) -> None:
    """The next one of that title is carried out by itself, and a table may keep it."""
    table = tiers_at(A=1, B=1).say("unknown Tractor beam", "ATTACK", "free")
    table.say("damage", "others", 2, "yes", "nothing more")
    assert "Tractor beam" in table.names()
    table.say("Tractor beam")
    assert table.player("A").hull == 8
    assert table.match.rulebook.learned() == {"cards": {"Tractor beam": {
        "title": "Tractor beam", "type": "ATTACK",
        "effects": [{"op": "damage", "vessel": "others", "amount": 2}]}}}  # fmt: skip


def test_what_was_learned_is_a_catalogue(tiers_at: MakeTable, new_table: MakeTable) -> None:
    """It goes into the next match as the table's own file."""
    table = tiers_at(A=1).say("unknown Beam", "MOVE", "free", "gain energy", "this", 2, "yes",
                              "nothing more")  # fmt: skip
    cards = new_table(cards=table.match.rulebook.learned()).match.rulebook.cards()
    assert cards["Beam"].effects[0].amount == 2


@pytest.mark.parametrize("title", ["", "x" * 41, "G-SHOT"])
def test_titles_that_cannot_be(tiers_at: MakeTable, title: str) -> None:
    """None, one too long, or one that is listed: refused, or taken as no title."""
    table = tiers_at(A=1)
    if not title:
        table.say("unknown")
        assert table.position.taught == {}
    else:
        assert table.refused(f"unknown {title}").code == "Q-NAME"
