"""Three and four at the table: targets, crashes, turns and ends.  (DF-19, DF-22, DF-23)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Piece
from companion.core.ruling import Move

MakeTable = Callable[..., Any]

BEHIND = "0,1 N"
"""Two spaces behind 0,-1, on its line."""


def melee(table_at: MakeTable, mode: str = "battle-royale", **changes: Any) -> Any:
    """A (Camel) two spaces behind B (Fokker), C (Albatros) and D (SPAD) aside; A to act."""
    phase = changes.pop("phase", "engagement")
    return table_at(phase, mode, players="ABCD", **changes)


def shoot(table: Any, target: str, dice: list[int]) -> Any:
    """A Basic Attack that nobody evades, up to whatever follows the damage."""
    table.act(f"Basic Attack {target}").say("fire", dice).say("evade", "pass")
    return table.say("heart-of-iron", [1]) if target == "albatros" else table


# -- the base game goes on (DF-19.1, RULING 34) --------------------------------------------


@pytest.mark.parametrize(
    ("names", "players"),
    [("base", "AB"), ("draft", "AB"), ("daring-escape", "AB"), ("battle-royale", "ABCD"),
     ("team-battle", "ABCD"), ("battle-royale+draft", "ABCD"), ("team-battle+draft", "ABCD")],
)  # fmt: skip
def test_df_19_1_a_basic_attack_is_the_same_everywhere(
    table_at: MakeTable, names: str, players: str
) -> None:
    """What a mode does not change holds: Difficulty, evasion, Damage, Momentum."""
    table = table_at("engagement", *names.split("+"), players=players)
    (attack,) = [name for name in table.names() if name.startswith("Basic Attack")]
    table.act(attack).say("fire", [3, 4]).say("evade", "Evasive Climb").say("evasion", [2])
    assert table.piles("B") == {"deck": 8, "hand": 4, "discard": 5, "damage": 3}
    assert table.asked == ["turn-7/1/momentum/A"]


def test_ruling_34_more_dice_than_at_hand(table_at: MakeTable) -> None:
    """Five with Smiling Beast on a drafted Fokker: one roll, whoever lends the fifth."""
    beast = {"fighter": "fokker", "pilot": "loewenhardt", "side": "B", "tokens": 3}
    table = table_at("engagement", "draft", A=beast, B={"fighter": "camel", "pilot": "maclaren"})
    table.act("Spandau Machine Guns")
    question = table.question("fire")
    assert (question.dice, "Borrow dice, or roll in two lots." in question.prompt) == (5, True)
    assert question.cite.rulings[-1] == 34
    assert table.refused("fire", [6, 6, 6, 6]).code == "DF-E08"
    table.say("fire", [1, 1, 1, 1, 2]).say("again-1", "Focus")
    reroll = table.question("again-1/dice")
    assert (reroll.dice, "Borrow" in reroll.prompt) == (4, False)
    table.say("again-1/dice", [2, 1, 1, 1])
    assert table.position.gunsight == 2, "Difficulty 2 for the Beast, each die by itself"


# -- who may be aimed at (DF-19.3) ---------------------------------------------------------


def test_df_19_3_every_other_fighter_is_opposing(table_at: MakeTable) -> None:
    """Battle Royale: whoever stands on the line; the active player names the target."""
    table = melee(table_at, C={"place": "0,0 N"})
    attacks = [name for name in table.names() if name.startswith("Basic Attack")]
    assert attacks == ["Basic Attack fokker", "Basic Attack albatros"]
    refusal = table.refused("action", "Basic Attack spad")
    assert (refusal.code, "Player D does not stand straight ahead" in str(refusal)) == (
        "DF-E13", True,
    )  # fmt: skip
    shoot(table, "albatros", [6, 6])
    assert table.player("C").piles["deck"] == 7
    assert table.player("B").piles["deck"] == 9


def test_df_19_3_ruling_31_no_teammate_is_a_target(table_at: MakeTable) -> None:
    """Team Battle: A never shoots at C, whatever the attack; C still occupies the space."""
    table = melee(table_at, "team-battle", B={"place": "3,0 NW"}, C={"place": "0,-1 N"},
                  A={"tokens": 9})  # fmt: skip
    assert not [name for name in table.names() if "albatros" in name]
    refusal = table.refused("action", "Basic Attack albatros")
    assert "Player C is no target; targets: fokker (Player B), spad (Player D)" in str(refusal)
    table.act("Basic Maneuver")
    ends = {name.split()[0] for name in table.names()}
    assert "0,0" in ends
    assert "0,-1" not in ends


def test_friendly_fire(table_at: MakeTable) -> None:
    """RULING 31 turned: a teammate may be shot down; that is no reward for anybody."""
    house = {"friendly_fire": True}
    table = melee(table_at, "team-battle", options=house, B={"place": "3,0 NW"},
                  C={"place": "0,-1 N", "deck": 0, "discard": 13})  # fmt: skip
    shoot(table, "albatros", [6, 1])
    assert table.player("C").out
    assert not any("Spoils" in ruling.text for ruling in table.rulings)


# -- crashes with three or four (DF-19.2, RULING 33, RULING 44) ----------------------------


def test_df_19_2_ruling_33_the_model_leaves_before_momentum(table_at: MakeTable) -> None:
    """The space is free for the attacker's compulsory Momentum; the attack goes on."""
    table = melee(table_at, A={"place": "0,0 N"}, B={"deck": 0, "discard": 13})
    shoot(table, "fokker", [5, 1])
    assert table.place("B") == ""
    crash = table.said("is shot down")
    assert Move(Piece("fokker"), crash.deeds[0].was, None) == crash.deeds[0]
    assert table.asked == ["turn-7/1/momentum/A"]
    assert "0,-1 N" in table.names()
    table.say("momentum/A", "0,-1 N")
    assert table.asked == ["turn-7/2/action"]


def test_ruling_33_a_crash_in_ones_own_turn_ends_it(table_at: MakeTable) -> None:
    """Camel's Turning Maneuver to the left costs a card that is not there."""
    table = melee(table_at, A={"deck": 0, "discard": 13})
    table.act("Turning Maneuver").say("fly", "-1,1 NW").say("condition", [2])
    assert table.player("A").out
    assert table.position.active == "B"
    assert table.asked == ["turn-8/1/action"]
    assert table.piles("A") == {"hand": 4, "discard": 14, "damage": 2}


def test_ruling_44_what_an_eliminated_player_leaves(table_at: MakeTable) -> None:
    """Tokens to the supply, cards out of play, nothing on the Gunsight."""
    table = melee(table_at, B={"deck": 0, "discard": 13, "tokens": 6})
    shoot(table, "fokker", [6, 6])
    loser = table.player("B")
    assert (loser.out, loser.tokens, loser.piles.total) == (True, 0, 20)
    assert table.position.gunsight == 0
    assert str(table.said("Player B is out").cite) == "DF-19.2, RULING 33, RULING 44"
    for tail in ("fokker", "Basic Attack fokker"):
        assert not [name for name in table.names() if name.endswith(tail)]


def test_df_19_2_no_dead_six_behind_one_who_is_gone(table_at: MakeTable) -> None:
    """The Albatros's second attack moves only while there is a target."""
    table = melee(table_at, active="C", C={"place": BEHIND, "tokens": 2}, A={"place": "3,0 NW"},
                  B={"deck": 0, "discard": 13})  # fmt: skip
    table.act("Second Guns fokker").say("fire", [3, 3]).say("evade", "pass")
    assert table.place("C") == BEHIND
    assert table.asked == ["turn-7/2/action"]


# -- Battle Royale (DF-22.3 to DF-22.5) ----------------------------------------------------


def test_df_22_3_turns_clockwise(table_at: MakeTable) -> None:
    """A, B, C, D and round again; without D with three."""
    assert melee(table_at, active="B").turns(5) == ["B", "C", "D", "A", "B"]
    three = table_at("engagement", "battle-royale", players="ABC", options={"players": 3})
    assert three.turns(4) == ["A", "B", "C", "A"]


def test_df_22_4_spoils_of_war(table_at: MakeTable) -> None:
    """Five tokens at once for whose attack it was, before Momentum."""
    table = melee(table_at, B={"deck": 1, "discard": 12})
    shoot(table, "fokker", [4, 4])
    assert table.player("A").tokens == 1 + 5, "MacLaren's own, then the spoils"
    spoils = table.said("Spoils of War for Player B")
    assert str(spoils.cite) == "DF-22.4, RULING 32"
    assert spoils.headline == "Player A: +5 tokens"
    assert table.asked == ["turn-7/1/momentum/A"]


def test_df_22_4_damage_that_empties_a_deck_is_no_crash(table_at: MakeTable) -> None:
    """DF-12.3: with as many cards as damage the Fighter flies on, and brings nothing."""
    table = melee(table_at, B={"deck": 2, "discard": 11})
    shoot(table, "fokker", [4, 4])
    assert table.place("B") == "0,-1 N"
    assert table.player("A").tokens == 1


def test_ruling_32_an_own_card_brings_nobody_spoils(table_at: MakeTable) -> None:
    """The Albatros dives to its end: the attacker has shot nothing down."""
    table = melee(table_at, B={"place": "3,0 NW"},
                  C={"place": "0,-1 N", "deck": 0, "discard": 13})  # fmt: skip
    table.act("Basic Attack albatros").say("fire", [6, 1]).say("evade", "Evasive Dive")
    table.say("evasion", [2])
    assert table.player("C").out
    assert table.player("A").tokens == 0
    assert table.asked == ["turn-7/1/momentum/A"]


def test_ruling_32_an_empty_deck_brings_nobody_spoils(table_at: MakeTable) -> None:
    """Fighter Down at the end of one's own turn, and a Stall with an empty Deck."""
    down = melee(table_at, active="B", B={"deck": 0, "discard": 13}, maneuvered=True)
    down.act("end turn")
    stalled = melee(table_at, active="B", phase="assessment",
                    B={"deck": 0, "hand": 0, "discard": 18})  # fmt: skip
    for table in (down, stalled):
        assert table.player("B").out
        assert [p.tokens for p in table.position.players.values()] == [0, 0, 0, 0]
        assert table.position.active == "C"


def test_df_22_4_the_eliminated_are_passed_over(table_at: MakeTable) -> None:
    """They take no more turns."""
    table = melee(table_at, B={"crashed": True, "place": None})
    assert table.turns(4) == ["A", "C", "D", "A"]


def test_df_22_5_the_last_one_flying_wins(table_at: MakeTable) -> None:
    """With two left the next crash ends the game, whoever's turn it is."""
    out = {"crashed": True, "place": None}
    table = melee(table_at, C=out, D=out, B={"deck": 0, "discard": 13})
    shoot(table, "fokker", [6, 1])
    assert table.match.outcome.winners == ("A",)
    assert str(table.match.outcome.ruling.cite) == "DF-22.5"
    assert table.player("A").tokens == 0, "the game is over: no spoils"
    own = melee(table_at, C=out, D=out, A={"deck": 0, "discard": 13}, maneuvered=True)
    own.act("end turn")
    assert own.match.outcome.winners == ("B",)


def test_df_22_5_with_two_left_the_game_goes_on(table_at: MakeTable) -> None:
    """Three were flying, one is shot down: attacker and last opponent fight on."""
    table = melee(table_at, C={"crashed": True, "place": None}, B={"deck": 0, "discard": 13})
    shoot(table, "fokker", [6, 1]).say("momentum/A", "0,0 N")
    assert [player.seat for player in table.position.flying()] == ["A", "D"]
    assert table.turns(3) == ["A", "D", "A"]


def test_token_supply_limited(table_at: MakeTable) -> None:
    """DF-15.1 by house rule: only the box's 20 tokens can be taken; a crash gives some back."""
    held: dict[str, Any] = {"A": {"tokens": 10}, "C": {"tokens": 7},
                            "B": {"tokens": 3, "deck": 0, "discard": 13}}  # fmt: skip
    for limited, spoils in ((True, 3), (False, 5)):
        table = melee(table_at, options={"token_supply_limited": limited}, **held)
        table.act("Basic Attack fokker").say("fire", [6, 1]).say("again-1", "keep")
        table.say("evade", "pass")
        assert table.player("A").tokens == 10 + spoils


# -- Team Battle (DF-23.3 to DF-23.5) ------------------------------------------------------


def test_df_23_3_turns_go_a_b_c_d(table_at: MakeTable) -> None:
    """In the order of the letters, again and again."""
    assert melee(table_at, "team-battle").turns(5) == ["A", "B", "C", "D", "A"]


def test_df_23_4_the_crashed_take_no_turns(table_at: MakeTable) -> None:
    """The others go on in their order."""
    table = melee(table_at, "team-battle", C={"crashed": True, "place": None})
    assert table.turns(4) == ["A", "B", "D", "A"]


def test_df_23_5_a_team_loses_with_its_second_fighter(table_at: MakeTable) -> None:
    """The first crash ends nothing and brings no spoils; the second ends it at that moment."""
    deckless = {"deck": 0, "discard": 13}
    table = melee(table_at, "team-battle", B=deckless, D={"place": "0,-2 N", **deckless})
    shoot(table, "fokker", [6, 1])
    assert table.asked == ["turn-7/1/momentum/A"]
    assert table.player("A").tokens == 0
    table.say("momentum/A", "0,0 N")
    shoot(table, "spad", [6, 1])
    assert table.match.outcome.winners == ("A+C",)
    assert str(table.match.outcome.ruling.cite) == "DF-23.5"
    assert not table.asked


@pytest.mark.parametrize(("active", "winners"), [("A", "B+D"), ("B", "A+C")])
def test_df_23_5_whatever_the_cause(table_at: MakeTable, active: str, winners: str) -> None:
    """An empty Deck loses as well as an attack."""
    mate = {"A": "C", "B": "D"}[active]
    seats: dict[str, Any] = {
        active: {"deck": 0, "discard": 13}, mate: {"crashed": True, "place": None},
    }  # fmt: skip
    table = melee(table_at, "team-battle", active=active, maneuvered=True, **seats)
    table.act("end turn")
    assert table.match.outcome.winners == (winners,)
