"""What is in the box: Fighters, Flight Cards, special actions, pilots, piles.  (DF-1, DF-4, DF-17)

The tables below are typed off the Reference Guide once more, so that a slip in `cards.toml` shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import pytest

from companion.core.board import Piece
from companion.core.ruling import Shuffle
from companion.games.dogfight_1917.cards import (
    CLIMB,
    COPIES,
    DECK_SIZE,
    DIVE,
    FIGHTER_NAMES,
    FIGHTERS,
    KILLER_INSTINCT,
    PILOTS,
    Check,
)
from companion.games.dogfight_1917.figures import assumed_figures, fighters_of, read_figures
from companion.games.dogfight_1917.game import PilotEffects
from companion.games.dogfight_1917.pilots import EFFECTS

MakeTable = Callable[..., Any]
BASIC, FAST, TURNING = "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"


def printed(fighter: str) -> Any:
    """A Fighter with the shipped figures."""
    return fighters_of(assumed_figures())[fighter]


# -- components (DF-1) ----------------------------------------------------------------------------


def test_df_1_1_four_fighters_each_with_its_pilot() -> None:
    """And the Pilot Mentor besides."""
    found = {f.name: (f.side, PILOTS[f.pilot].name) for f in map(printed, FIGHTERS)}
    assert found == {
        "Fokker Dr.I": ("Central Powers", "Manfred von Richthofen"),
        "Albatros D.III": ("Central Powers", "Erich Loewenhardt"),
        "Sopwith Camel": ("Entente", "Donald Roderick MacLaren"),
        "SPAD S.XIII": ("Entente", "René Fonck"),
    }
    assert set(FIGHTER_NAMES.values()) == set(found)
    assert set(PILOTS) - {printed(f).pilot for f in FIGHTERS} == {"mentor"}


def test_df_1_2_twenty_flight_cards_each() -> None:
    """Eight, three and two Maneuvers, three and two Evasions, two Tactics; all four decks alike."""
    assert COPIES == {BASIC: 8, FAST: 3, TURNING: 2, CLIMB: 3, DIVE: 2, KILLER_INSTINCT: 2}
    assert sum(COPIES.values()) == DECK_SIZE == 20
    for piece in FIGHTERS:
        fighter = printed(piece)
        cards = {*fighter.maneuvers, *(e.name for e in fighter.evasions.values() if not e.tokens)}
        assert cards == set(COPIES) - {KILLER_INSTINCT}


@pytest.mark.parametrize(
    ("fighter", "card", "advance", "turns", "checks"),
    [
        ("fokker", BASIC, (1, 2), 1, (Check("right", "turn", low=3),)),
        ("fokker", FAST, (1, 3), 1,
         (Check("right", "turn", low=3), Check("left", "damage", high=2))),
        ("fokker", TURNING, (1, 1), 2, (Check("right", "turn", low=3),)),
        ("camel", BASIC, (1, 2), 1, (Check("center", "token", 1, 1, low=4),)),
        ("camel", FAST, (1, 3), 1, (Check("right", "again", low=3),)),
        ("camel", TURNING, (1, 1), 2, (Check("left", "damage", high=3),)),
        ("albatros", BASIC, (1, 2), 1, (Check("same", "token", 2, 2, low=4),)),
        ("albatros", FAST, (1, 3), 1, (Check("same", "token", 2, 2, low=4),)),
        ("albatros", TURNING, (1, 1), 2, ()),
        ("spad", BASIC, (1, 2), 1, (Check("center", "again", 2, 2, low=4),)),
        ("spad", FAST, (1, 4), 1, (Check("all", "damage", 1, 2, high=3),)),
        ("spad", TURNING, (1, 1), 2, ()),
    ],
)  # fmt: skip
def test_df_17_maneuver_cards_as_printed(
    fighter: str, card: str, advance: tuple[int, int], turns: int, checks: tuple[Check, ...]
) -> None:
    """Rows M1 to M3 of each Fighter."""
    found = printed(fighter).maneuvers[card]
    assert ((found.fewest, found.most), found.turns) == (advance, turns)
    assert [astuple(check) for check in found.checks] == [astuple(check) for check in checks]
    number = [*FIGHTERS].index(Piece(fighter)) + 1
    row = (BASIC, FAST, TURNING).index(card) + 1
    assert found.cite.rules == (f"DF-17.{number}.M{row}",)


@pytest.mark.parametrize(
    ("fighter", "name", "dice", "difficulty", "results", "rule"),
    [
        ("fokker", CLIMB, 1, 3, [("dead six", 6, 6)], "DF-17.1.E1"),
        ("fokker", DIVE, 2, 3, [("dead six", 6, 6)], "DF-17.1.E2"),
        ("camel", CLIMB, 2, 4, [("dead six", 6, 6)], "DF-17.2.E1"),
        ("camel", DIVE, 1, 3, [("dead six", 6, 6)], "DF-17.2.E2"),
        ("albatros", CLIMB, 2, 3, [("token", 5, 6)], "DF-17.3.E1"),
        ("albatros", DIVE, 1, 3, [("token", 5, 6), ("damage", 1, 2)], "DF-17.3.E2"),
        ("spad", CLIMB, 2, 4, [("token", 5, 6)], "DF-17.4.E1"),
        ("spad", DIVE, 2, 3, [("token", 5, 6)], "DF-17.4.E2"),
        ("spad", "Steep Dive", 1, 2, [("dead six", 5, 6)], "DF-17.4.S2"),
    ],
)
def test_df_17_evasions_as_printed(
    fighter: str, name: str, dice: int, difficulty: int, results: list[Any], rule: str
) -> None:
    """Rows E1 and E2 of each Fighter, and the SPAD's Steep Dive for two tokens."""
    found = printed(fighter).evasions[name]
    assert (found.dice, found.difficulty) == (dice, difficulty)
    assert [(r.effect, r.low, r.high) for r in found.results] == results
    assert found.cite.rules == (rule,)
    assert (found.tokens, found.is_special) == ((2, True) if name == "Steep Dive" else (0, False))


@pytest.mark.parametrize(
    ("fighter", "name", "row"),
    [
        ("fokker", "Spandau Machine Guns", (2, 1, 3, 4, 3, 1, "damage", 0)),
        ("camel", "Vickers Machine Guns", (3, 1, 3, 3, 4, 2, "damage", 0)),
        ("camel", "Lewis Guns", (2, 1, 3, 4, 5, 1, "discard", 0)),
        ("albatros", "Spandau Machine Guns", (2, 1, 3, 3, 3, 1, "damage", 0)),
        ("albatros", "Second Guns", (2, 1, 2, 2, 3, 1, "damage", 3)),
        ("spad", "Vickers Machine Guns", (3, 1, 3, 3, 4, 2, "damage", 0)),
    ],
)
def test_df_17_special_attacks_as_printed(fighter: str, name: str, row: tuple[Any, ...]) -> None:
    """Tokens, range from and to, dice, Difficulty, multiplier, what it does, Dead Six from."""
    a = printed(fighter).attacks[name]
    assert (a.tokens, a.nearest, a.farthest, a.dice, a.difficulty, a.multiplier, a.effect,
            a.dead_six_from) == row  # fmt: skip


def test_df_17_nobody_has_other_attacks_or_tactics() -> None:
    """Two special actions each; one of the Fokker's is the Slip-turn, of the SPAD's the Dive."""
    assert {f: len(printed(f).attacks) for f in FIGHTERS} == {
        "fokker": 1, "camel": 2, "albatros": 2, "spad": 1,
    }  # fmt: skip
    (slip,) = printed("fokker").tactics.values()
    assert (slip.name, slip.tokens, slip.dice, slip.low, slip.turns) == ("Slip-turn", 2, 1, 3, 3)
    assert not any(printed(f).tactics for f in ("camel", "albatros", "spad"))


def test_ruling_22_and_23_what_the_print_lost_comes_from_the_table() -> None:
    """Lewis Guns' range, the Albatros's Evasive Dive, the name of its second attack."""
    own = read_figures({
        "lewis_guns": {"range": [1, 2]},
        "albatros_evasive_dive": {"dice": 2, "difficulty": 4, "token_at_least": 6,
                                  "damage_at_most": 1},
        "albatros_second_attack": {"name": "Flanking Fire"},
    })  # fmt: skip
    fighters = fighters_of(own)
    assert fighters["camel"].attacks["Lewis Guns"].farthest == 2
    dive = fighters["albatros"].evasions[DIVE]
    assert (dive.dice, dive.difficulty) == (2, 4)
    assert [(r.low, r.high) for r in dive.results] == [(6, 6), (1, 1)]
    assert list(fighters["albatros"].attacks) == ["Spandau Machine Guns", "Flanking Fire"]
    assert fighters["camel"].attacks["Lewis Guns"].cite.rulings == (22,)
    assert dive.cite.rulings == (23,)


@pytest.mark.parametrize(
    ("code", "first", "action"),
    [
        ("richthofen", "The Red Baron", "The Flying Circus"),
        ("maclaren", "Silent Pursuer", "Northern Falcon"),
        ("loewenhardt", "Heart of Iron", "Smiling Beast"),
        ("fonck", "Aerial Sharpshooter", "Ace of Aces"),
        ("mentor", "Marksmanship", "Pioneer of the Sky"),
    ],
)
def test_df_18_pilots_as_printed(code: str, first: str, action: str) -> None:
    """Their ongoing effect and the action that flips the card, with its paragraph."""
    pilot = PILOTS[code]
    assert (pilot.first, pilot.action) == (first, action)
    assert pilot.cite.rules == (f"DF-18.{list(PILOTS).index(code) + 1}.S",)


def test_df_18_every_pilot_has_a_card_and_what_it_adds() -> None:
    """A row of `PILOTS` and a class in pilots.py, which replaces something at least."""
    assert [*EFFECTS] == [*PILOTS]
    assert all(type(effects) is not PilotEffects for effects in EFFECTS.values())


def test_df_1_3_dice_have_six_faces(table_at: MakeTable) -> None:
    """What is no face of a die is refused, die by die."""
    table = table_at().act("Basic Attack")
    assert table.question("fire").faces == 6
    for raw in ([0, 4], [7, 1], "4 x", [1.5, 2], [True, 3]):
        assert table.refused("fire", raw).code in {"DF-E09", "Q-NUMBER"}


# -- piles (DF-4) ---------------------------------------------------------------------------------


def test_df_4_1_counts_are_public_and_hands_are_counts(table_at: MakeTable) -> None:
    """Every pile's count is a fact that all may see; no fact says which cards are held."""
    facts = {fact.name: fact for fact in table_at().position.facts()}
    for pile, count in {"deck": 9, "hand": 5, "discard": 4, "damage": 2}.items():
        assert facts[f"A.{pile}"].value == count
        assert facts[f"A.{pile}"].public
    assert not [name for name in facts if name.endswith((".seen", ".known"))]


def test_df_4_1_only_face_up_cards_are_known(table_at: MakeTable) -> None:
    """A card has a name from when it is played or shown on; drawn and damaged ones have none."""
    table = table_at("reconnaissance", B={"place": "2,2 N"})
    table.act("engage").act(TURNING)
    assert table.player("A").piles.known == {"played": [TURNING]}
    table.say("fly", "0,0 N")
    assert table.player("A").piles.known == {"discard": [TURNING]}


def test_df_4_3_focus_is_no_action_by_itself(table_at: MakeTable) -> None:
    """It needs dice that lie there; so does the SPAD's Steep Dive an attack."""
    table = table_at(A={"tokens": 3}, B={"place": "2,2 N"})
    refusal = table.refused("action", "Focus")
    assert (refusal.code, refusal.cite.rules) == ("DF-E14", ("DF-10.3", "DF-15.4"))
    assert "Focus rolls dice again" in str(refusal)
    assert table.refused("action", "Steep Dive").cite.rules == ("DF-4.3", "DF-13.2")


@pytest.mark.parametrize("card", [CLIMB, DIVE])
def test_df_4_3_evasion_cards_answer_attacks_and_nothing_else(
    table_at: MakeTable, card: str
) -> None:
    """In the own turn they are refused by their type; asked to evade, they are an answer."""
    table = table_at(B={"place": "0,-1 N"})
    refusal = table.refused("action", card)
    assert refusal.code == "DF-E14"
    assert "DF-4.3" in refusal.cite.rules
    table.act("Basic Attack").say("fire", [6, 6])
    assert card in table.names("evade")
    assert table.refused("evade", BASIC).code == "DF-E14"


def test_df_4_4_effects_run_in_the_cards_order(table_at: MakeTable) -> None:
    """Advance, what landing pays, the optional Turn, the condition last, then the card aside."""
    table = table_at(A={"place": "0,-2 N", "tokens": 0}, B={"place": "2,2 N"})
    table.act(BASIC).say("fly", "0,-3 NE").say("condition", 4)
    cites = [ruling.cite.rules[0] for ruling in table.rulings]
    assert cites == ["DF-17.2.M1", "DF-17.2.M1", "DF-9.9", "DF-17.2.M1", "DF-4.5"]
    texts = [ruling.text for ruling in table.rulings]
    assert "plays" in texts[0]
    assert "flies to 0,-3 NE" in texts[1]
    assert "the die shows 4" in texts[3]


def test_df_4_5_used_cards_go_to_the_discard_pile(table_at: MakeTable) -> None:
    """A used Killer Instinct to the box instead."""
    table = table_at(B={"place": "2,2 N"}).act(KILLER_INSTINCT)
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 4, "damage": 2, "box": 1}
    assert table.player("A").tokens == 2
    table.act(TURNING).say("fly", "0,0 N")
    assert table.piles("A")["discard"] == 5
    assert table.said("goes to the Discard Pile").cite.rules == ("DF-4.5",)


def test_df_4_6_there_is_no_hand_limit(table_at: MakeTable) -> None:
    """Twelve cards and one more; nothing has to be thrown away."""
    table = table_at("reconnaissance", A={"hand": 12, "deck": 5, "discard": 1})
    assert table.player("A").piles["hand"] == 13
    assert "engage" in table.names("action")


def test_df_4_1_a_shuffle_is_a_deed_of_hands(new_table: MakeTable) -> None:
    """The record shuffles nothing itself."""
    table = new_table(seats={"A": "/camel", "B": "/fokker"})
    shuffles = [d for r in table.rulings for d in r.deeds if isinstance(d, Shuffle)]
    assert [(d.owner, d.count, d.source, d.target) for d in shuffles] == [
        ("A", 20, "deck", "deck"), ("B", 20, "deck", "deck"),
    ]  # fmt: skip
