"""Leaders and Wingmen: crashes, returns and rewards.  (DF-24, RULING 38 to 41)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.ruling import Carry, Seat, Shuffle

MakeTable = Callable[..., Any]

BEHIND = "0,1 N"
"""Two spaces behind 0,-1, on its line."""
DECKLESS = {"place": "0,-1 N", "deck": 0, "discard": 13}
"""In front of BEHIND; the next damage is one too many."""


def entente(table_at: MakeTable, **changes: Any) -> Any:
    """The fixed roles, in the middle of a game."""
    roles = {
        "A": {"fighter": "fokker", "pilot": "richthofen", "start": "-4,0 SE", "place": "0,3 N"},
        "B": {"fighter": "spad", "pilot": "fonck", "start": "4,0 NW", "place": "3,0 NW"},
        "C": {"fighter": "albatros", "pilot": "loewenhardt", "start": "4,-4 SW"},
        "D": {"fighter": "camel", "pilot": "maclaren", "start": "-4,4 NE"},
    }
    places = {"C": {"place": "3,-3 SW"}, "D": {"place": "-3,3 NE"}}
    for seat, role in roles.items():
        changes[seat] = role | places.get(seat, {}) | changes.get(seat, {})
    phase = changes.pop("phase", "engagement")
    return table_at(phase, "entente-vs-central-powers", players="ABCD", **changes)


def shoot(table: Any, target: str, dice: list[int], *after: tuple[str, Any]) -> Any:
    """A Basic Attack that nobody evades, then these answers."""
    table.act(f"Basic Attack {target}").say("fire", dice).say("evade", "pass")
    if target == "albatros":
        table.say("heart-of-iron", [1])
    for tail, answer in after:
        table.say(tail, answer)
    return table


# -- whom (DF-19.3, RULING 31, RULING 43) --------------------------------------------------


def test_df_19_3_flying_circus_goes_behind_an_opponent_only(table_at: MakeTable) -> None:
    """A teammate beside Richthofen is none; and no Dead Six ever goes to one."""
    table = entente(table_at, A={"place": "0,0 N"}, C={"place": "0,-1 N"}, B={"place": "3,0 NW"})
    assert not [name for name in table.names() if name.startswith("The Flying Circus")]
    refusal = table.refused("action", "The Flying Circus albatros")
    assert (refusal.code, str(refusal.cite)) == ("DF-E13", "DF-18.1.S, RULING 9")
    beside = entente(table_at, A={"place": "0,0 N"}, D={"place": "0,-1 N"})
    beside.act("The Flying Circus camel")
    assert "0,0 N" in beside.names(), "its own space is free"


def test_friendly_fire_brings_no_leader_reward(table_at: MakeTable) -> None:
    """DF-24.6: only an *opposing* Wingman's crash returns cards to a Leader."""
    table = entente(table_at, A={"place": BEHIND}, C={"place": "0,-1 N", "deck": 0, "discard": 13},
                    B={"place": "2,0 NW"}, options={"friendly_fire": True})  # fmt: skip
    shoot(table, "albatros", [6, 1])
    assert "new Deck" in table.said("new Deck").text
    assert table.asked == ["turn-7/1/momentum/A"]


def test_ruling_43_one_space_away_from_any_opponent(table_at: MakeTable) -> None:
    """Loewenhardt may Turn where an opponent is next to him after the Maneuver, not a teammate."""
    for other, turns_after in (("D", True), ("A", False)):
        table = entente(table_at, active="C", C={"place": "0,1 N"}, **{other: {"place": "0,-1 N"}})
        table.act("Basic Maneuver").say("fly", "0,0 N")
        asked_to_turn = any("pilot" in key for key in table.asked)
        assert asked_to_turn is turns_after


# -- the turn order (DF-24.2, RULING 38, RULING 39) ----------------------------------------


def test_df_24_2_turns_go_a_b_c_d(table_at: MakeTable) -> None:
    """As in Team Battle, as long as no Wingman crashes."""
    assert entente(table_at).turns(5) == ["A", "B", "C", "D", "A"]


def test_df_24_4_ruling_38_the_leader_plays_next(table_at: MakeTable) -> None:
    """The turn under way is finished; then the Leader plays, then who sits after the Leader."""
    table = entente(table_at, active="C", C={"place": BEHIND}, D=DECKLESS)
    shoot(table, "camel", [6, 1], ("reward-A", 0), ("momentum/C", "0,0 N"))
    assert table.position.active == "C"
    assert "Basic Maneuver" in table.names()
    assert str(table.said("takes the next turn").cite) == "DF-24.4, RULING 38, RULING 39"
    assert table.turns(4) == ["C", "B", "C", "D"], "D is passed over once"


def test_ruling_38_seats_between_are_passed_over(table_at: MakeTable) -> None:
    """B shoots down C: A, C's Leader, plays next; C and D are left out."""
    table = entente(table_at, active="B", B={"place": BEHIND}, C=DECKLESS)
    table.act("Basic Attack albatros").say("sharpshooter", [1]).say("fire", [6, 1])
    table.say("evade", "pass").say("heart-of-iron", [1]).say("reward-B", 0)
    assert table.turns(3) == ["B", "A", "B"]


def test_wingman_leader_turn(table_at: MakeTable) -> None:
    """RULING 38 turned: at once, so the turn ends with the attack; Momentum belongs to it.

    The line of fire is gone with the attack.
    """
    table = entente(table_at, active="C", C={"place": BEHIND}, D=DECKLESS,
                    options={"wingman_leader_turn": "at_once"})  # fmt: skip
    shoot(table, "camel", [6, 1], ("reward-A", 0))
    assert table.asked == ["turn-7/1/momentum/C"]
    table.say("momentum/C", "0,0 N")
    assert (table.position.active, table.position.stage) == ("B", "assessment")
    assert table.place("C") == "0,0 N", "and no Maneuver"
    assert table.position.gunsight == 0
    assert table.position.lines_of_fire() == ()
    assert "(House rule: wingman_leader_turn at_once.)" in table.said("takes the next turn").text
    assert table.said("turn is over with this attack").by == "C"


def test_wingman_leader_turn_at_once_still_looks_at_the_deck(table_at: MakeTable) -> None:
    """DF-5.2: a turn that is broken off has an end too; who has no Deck then crashes."""
    table = entente(table_at, A={"place": BEHIND, "deck": 0, "damage": 0, "discard": 15},
                    D=DECKLESS, options={"wingman_leader_turn": "at_once"})  # fmt: skip
    shoot(table, "camel", [6, 1], ("momentum/A", "0,0 N"), ("red-baron", 1))
    assert table.match.outcome.winners == ("B+D",)


def test_ruling_39_the_later_crash_decides(table_at: MakeTable) -> None:
    """C shoots D down, then crashes by its own empty Deck: its Leader A is next, not B."""
    table = entente(table_at, active="C", D=DECKLESS,
                    C={"place": BEHIND, "deck": 0, "discard": 13, "damage": 2})  # fmt: skip
    shoot(table, "camel", [6, 1], ("reward-A", 0), ("momentum/C", "0,0 N"))
    assert table.position.next_turn == "B"
    table.finish_turn()
    assert table.turns(3) == ["A", "B", "C"]


# -- a Wingman crashes and comes back (DF-24.3 to DF-24.5, RULING 40) ----------------------


def test_df_24_3_a_wingman_is_never_eliminated(table_at: MakeTable) -> None:
    """Off the board, not out: no target, no obstacle, and its turn will come."""
    table = entente(table_at, A={"place": BEHIND}, D=DECKLESS)
    shoot(table, "camel", [6, 1], ("reward-A", 0), ("momentum/A", "0,0 N"))
    table.say("red-baron", [1])
    assert (table.place("D"), table.player("D").out) == ("", False)
    assert not [name for name in table.names() if name.endswith("camel")]
    table.act("Basic Maneuver")
    assert "0,-1 N" in table.names()


def test_df_24_4_ruling_40_a_new_deck(table_at: MakeTable) -> None:
    """Damage, overkill cards too, and Discard Pile; Hand, tokens and pilot side stay."""
    lost = {**DECKLESS, "deck": 1, "discard": 12, "tokens": 3, "side": "B"}
    table = entente(table_at, A={"place": BEHIND}, D=lost)
    table.act("Basic Attack camel").say("fire", [6, 6]).say("evade", "pass")
    assert table.piles("D") == {"deck": 15, "hand": 5}
    assert (table.player("D").tokens, table.player("D").pilot_side) == (3, "B")
    ruling = table.said("new Deck of 15")
    assert str(ruling.cite) == "DF-24.4, RULING 40"
    assert ruling.deeds == (
        Shuffle(Seat("D"), 3, "damage", "deck"), Shuffle(Seat("D"), 12, "discard", "deck"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("phase", "changes", "action"),
    [
        ("engagement", {"deck": 0, "discard": 13}, "end turn"),
        ("assessment", {"deck": 0, "hand": 0, "discard": 18}, ""),
    ],
)
def test_df_24_4_for_whatever_reason(
    table_at: MakeTable, phase: str, changes: dict[str, Any], action: str
) -> None:
    """Fighter Down and a Stall with an empty Deck bring a Wingman a new one too, and no reward."""
    table = entente(table_at, phase=phase, active="D", maneuvered=phase == "engagement", D=changes)
    assert (table.position.active != "D") == (not action), "who can but black out is not asked"
    if action:
        table.act(action)
    assert table.place("D") == ""
    assert table.piles("D")["deck"] == changes["discard"] + 2
    assert (table.position.active, table.position.stage) == ("B", "assessment")
    assert not any(key.endswith("reward-A") for key in table.match.open)


def test_df_24_4_an_evading_wingman_keeps_no_card_on_the_table(table_at: MakeTable) -> None:
    """The Albatros dives to its end: the card played goes into the new Deck with the others."""
    table = entente(table_at, active="B", B={"place": BEHIND}, C=DECKLESS)
    table.act("Basic Attack albatros").say("sharpshooter", [1]).say("fire", [6, 1])
    table.say("evade", "Evasive Dive").say("evasion", [1])
    assert table.piles("C") == {"deck": 16, "hand": 4}
    assert table.asked == ["turn-7/1/momentum/B"], "no reward: RULING 32"


def crashed(table_at: MakeTable, **changes: Any) -> Any:
    """D was shot down in A's turn 7; B, D's Leader, has just played; now C plays its turn."""
    lost = {**DECKLESS, **changes.pop("D", {})}
    table = entente(table_at, A={"place": BEHIND}, D=lost, **changes)
    shoot(table, "camel", [6, 1], ("reward-A", 0), ("momentum/A", "0,0 N"))
    assert table.turns(3) == ["A", "B", "C"]
    return table


def test_df_24_5_back_on_the_start_space(table_at: MakeTable) -> None:
    """Three cards instead of one, then the model on its start, then Assessment."""
    table = crashed(table_at)
    assert table.position.active == "D"
    assert table.place("D") == "-4,4 NE"
    assert table.piles("D") == {"deck": 12, "hand": 8}
    drew, placed = table.said("Entente Wingman draws 3"), table.said("comes back on -4,4 NE")
    assert table.rulings.index(drew) < table.rulings.index(placed)
    assert drew.deeds == (Carry(Seat("D"), 3, "deck", "hand"),)
    assert str(placed.cite) == "DF-24.5, RULING 40"
    assert table.position.stage == "assessment"


def test_df_24_5_only_once(table_at: MakeTable) -> None:
    """The turn after that draws one card again."""
    table = crashed(table_at)
    assert table.turns(4) == ["D", "A", "B", "C"]
    assert "Entente Wingman draws 1;" in table.said("Entente Wingman draws").text


@pytest.mark.parametrize("cards", [2, 1])
def test_ruling_40_a_small_deck(table_at: MakeTable, cards: int) -> None:
    """Fewer than three: what there is."""
    table = crashed(table_at, D={"discard": cards, "hand": 20 - cards, "damage": 0})
    assert table.piles("D") == {"hand": 20}
    assert f"draws {cards}; the Deck has 0" in table.said("Entente Wingman draws").text


def test_ruling_40_no_deck_at_all(table_at: MakeTable) -> None:
    """With no card to draw the Reconnaissance Phase is skipped; the Fighter comes back."""
    table = crashed(table_at, D={"discard": 0, "hand": 20, "damage": 0})
    assert table.piles("D") == {"hand": 20}
    assert "Crash imminent" in table.said("nothing is drawn").text
    assert table.place("D") == "-4,4 NE"


def test_ruling_40_placement_collects_no_tokens(table_at: MakeTable) -> None:
    """Being put down is no movement."""
    table = crashed(table_at, cards={"board": {"one_token": [[-4, 4]], "two_tokens": []}})
    assert table.place("D") == "-4,4 NE"
    assert table.player("D").tokens == 0


def test_respawn_when_occupied(table_at: MakeTable) -> None:
    """RULING 40: beside a start space that is taken, same heading; by house rule a turn later."""
    on_it = {"place": "-4,4 N"}
    table = entente(table_at, phase="reconnaissance", active="D", B=on_it, D={"place": None})
    assert table.asked == ["turn-7/0/return/D"]
    assert table.names() == ["-4,3 NE", "-3,3 NE", "-3,4 NE"]
    refusal = table.refused("return/D", "-4,4 NE")
    assert (refusal.code, str(refusal.cite)) == ("DF-E03", "DF-2.6, DF-9.3")
    table.say("return/D", "-3,3 NE")
    assert table.place("D") == "-3,3 NE"
    waiting = entente(table_at, phase="reconnaissance", active="D", B=on_it, D={"place": None},
                      options={"respawn_when_occupied": "wait_a_turn"})  # fmt: skip
    assert (waiting.position.active, waiting.place("D")) == ("A", "")
    assert waiting.piles("D")["deck"] == 9, "nothing is drawn before the return"
    assert "(House rule: respawn_when_occupied" in waiting.said("back a turn later").text
    assert waiting.turns(3) == ["A", "B", "C"]
    assert waiting.place("D") == "-4,4 NE", "B has flown on"


def test_ruling_40_the_nearest_free_spaces(table_at: MakeTable) -> None:
    """With start and all that touches it taken or off a small board: the next ones out."""
    board = {"radius": 2, "one_token": [], "two_tokens": []}
    seats = {
        "A": {"place": "-2,2 N", "start": "-2,0 SE"}, "B": {"place": "-1,2 N", "start": "2,0 NW"},
        "C": {"place": "-2,1 N", "start": "2,-2 SW"}, "D": {"place": None, "start": "-2,2 NE"},
    }  # fmt: skip
    table = entente(table_at, phase="reconnaissance", active="D", cards={"board": board}, **seats)
    assert table.place("D") == "-1,1 NE", "the only one beside it: nobody is asked"


# -- the Leader's reward (DF-24.6, RULING 41) ----------------------------------------------


def rewarded(table_at: MakeTable, shooter: str = "C", **changes: Any) -> Any:
    """C, or A itself, shoots down D; A is asked."""
    seats: dict[str, Any] = {shooter: {"place": BEHIND}, "D": DECKLESS}
    seats["A"] = {"damage": 3, "discard": 3, **seats.get("A", {}), **changes.pop("A", {})}
    table = entente(table_at, active=shooter, **seats, **changes)
    return shoot(table, "camel", [6, 1])


@pytest.mark.parametrize("shooter", ["A", "C"])
def test_df_24_6_the_leader_takes_damage_cards_back(table_at: MakeTable, shooter: str) -> None:
    """Up to two off the top, shuffled into the Deck, whoever of the team shot.  (RULING 41)"""
    table = rewarded(table_at, shooter)
    question = table.question("reward-A")
    assert (question.by, question.headline) == ("A", "A: how many back?")
    assert table.refused("reward-A", 3).code == "DF-COUNT"
    table.say("reward-A", 2)
    assert table.piles("A") == {"deck": 11, "hand": 5, "discard": 3, "damage": 1}
    ruling = table.said("2 damage cards back into the Deck of 11")
    assert str(ruling.cite) == "DF-24.6, RULING 32, RULING 41"
    assert ruling.deeds[0] == Carry(Seat("A"), 2, "damage", "deck")
    assert table.asked == [f"turn-7/1/momentum/{shooter}"]


@pytest.mark.parametrize(("damage", "most"), [(1, 1), (0, None)])
def test_ruling_41_no_more_than_there_are(
    table_at: MakeTable, damage: int, most: int | None
) -> None:
    """None, one or two; with an empty Damage Pile nobody is asked."""
    table = rewarded(table_at, A={"damage": damage, "discard": 6 - damage})
    if most is None:
        assert table.asked == ["turn-7/1/momentum/C"]
        return
    table.refused("reward-A", most + 1)
    table.say("reward-A", 0)
    assert table.piles("A")["damage"] == damage


def test_leader_reward_look(table_at: MakeTable) -> None:
    """RULING 41 turned: the Leader looks first, and the table is told so."""
    unseen = rewarded(table_at)
    assert not any("looks at" in ruling.text for ruling in unseen.rulings)
    table = rewarded(table_at, options={"leader_reward_look": True})
    ruling = table.said("Central Leader looks at the top 2 cards of the Damage Pile.")
    assert str(ruling.cite) == "DF-24.6, RULING 32, RULING 41"
    assert "(House rule: leader_reward_look true.)" in ruling.text
    assert ruling.headline == "A: look at 2"


def test_ruling_32_no_reward_for_what_nobody_shot(table_at: MakeTable) -> None:
    """D's own Turning Maneuver costs the last card: A is not asked."""
    table = entente(table_at, active="D", D={"deck": 0, "discard": 13})
    table.act("Turning Maneuver").say("fly", "-3,2 N").say("condition", [1])
    assert table.piles("D") == {"deck": 16, "hand": 4}
    assert table.asked == ["turn-8/1/action"]
    assert table.position.active == "B"


# -- the end (DF-24.7) ---------------------------------------------------------------------


@pytest.mark.parametrize(("shooter", "target", "winners"), [("A", "B", "A+C"), ("B", "A", "B+D")])
def test_df_24_7_a_leaders_crash_ends_the_game(
    table_at: MakeTable, shooter: str, target: str, winners: str
) -> None:
    """At once, whoever of the teams still flies."""
    table = entente(table_at, active=shooter, **{shooter: {"place": BEHIND}, target: DECKLESS})
    piece = table.player(target).fighter
    table.act(f"Basic Attack {piece}")
    if shooter == "B":
        table.say("sharpshooter", [1])
    table.say("fire", [6, 1]).say("evade", "pass")
    assert table.match.outcome.winners == (winners,)
    assert str(table.match.outcome.ruling.cite) == "DF-24.7"
    assert not table.asked


def test_df_24_7_by_any_cause(table_at: MakeTable) -> None:
    """An empty Deck at the end of a Leader's own turn."""
    table = entente(table_at, active="B", maneuvered=True, B={"deck": 0, "discard": 13})
    table.act("end turn")
    assert table.match.outcome.winners == ("A+C",)
