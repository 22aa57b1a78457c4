"""Turns and their phases, what may be done when, and how a game of two ends.

(DF-5, DF-6, DF-8, DF-16, RULING 19)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]
BASIC, TURNING = "Basic Maneuver", "Turning Maneuver"
FAR = {"place": "2,2 N"}


def names(table: Any) -> set[str]:
    return set(table.names("action"))


def maneuvered(table: Any) -> Any:
    """A flies one space ahead; nothing else comes of it."""
    return table.act(TURNING).say("fly", "0,0 N")


# -- turns and phases (DF-5) ----------------------------------------------------------------------


def test_df_5_1_three_phases_in_order(table_at: MakeTable) -> None:
    """Reconnaissance, Assessment, Engagement; what comes between is asked, not what is fixed."""
    table = table_at("reconnaissance", B=FAR)
    assert table.position.where() == ("turn-7", "assessment")
    assert table.said("draws 1").cite.rules == ("DF-6.1",)
    table.act("engage")
    assert table.position.where() == ("turn-7", "engagement")
    maneuvered(table).act("end turn")
    assert table.position.where() == ("turn-8", "assessment")


def test_df_5_1_players_take_whole_turns_alternately(table_at: MakeTable) -> None:
    """A, B, A: whatever was done in a turn is over with it."""
    table = table_at("assessment", A={"tokens": 2}, B=FAR)
    table.act("Tactical Improvisation").say("improvised", "not named").say("shuffled", 0)
    maneuvered(table.act("engage")).act("end turn")
    assert table.position.active == "B"
    assert not table.position.maneuvered
    assert not table.position.improvised
    table.act("engage").act(TURNING).say("fly", "2,1 N").act("end turn")
    assert (table.position.active, table.position.turn) == ("A", 9)
    assert "Tactical Improvisation" in names(table)


def test_df_5_2_only_whose_turn_ends_is_looked_at(table_at: MakeTable) -> None:
    """B's Deck is empty already; A's turn ends without harm to B."""
    table = table_at(B={**FAR, "deck": 0, "discard": 13})
    maneuvered(table).act("end turn")
    assert table.match.outcome is None
    assert table.position.active == "B"
    assert table.said("Crash imminent").cite.rules == ("DF-6.2", "DF-16.1")


def test_df_16_2_an_empty_deck_at_the_end_of_the_own_turn(table_at: MakeTable) -> None:
    """Fighter Down: the game is over on the spot, the other player wins."""
    table = table_at(A={"deck": 0, "discard": 13}, B=FAR)
    maneuvered(table).act("end turn")
    assert table.match.outcome.winners == ("B",)
    assert not table.match.open
    assert table.last.cite.rules == ("DF-5.2", "DF-16.2")
    assert "Deck is empty at the end of its turn" in table.last.text
    assert table.place("A") == ""


# -- Reconnaissance (DF-6) ------------------------------------------------------------------------


def test_df_6_1_the_top_card_goes_to_the_hand(table_at: MakeTable) -> None:
    """Deck less 1, Hand more 1; hands are told to carry it."""
    table = table_at("reconnaissance")
    assert table.piles("A") == {"deck": 8, "hand": 6, "discard": 4, "damage": 2}
    (carry,) = table.said("draws 1").deeds
    assert (carry.count, carry.source, carry.target) == (1, "deck", "hand")


def test_df_6_1_drawing_the_last_card_is_no_loss_yet(table_at: MakeTable) -> None:
    """The Deck is empty, the turn goes on."""
    table = table_at("reconnaissance", A={"deck": 1, "discard": 12}, B=FAR)
    assert table.piles("A") == {"hand": 6, "discard": 12, "damage": 2}
    assert "engage" in names(table)


def test_df_6_2_with_an_empty_deck_nothing_is_drawn(table_at: MakeTable) -> None:
    """Crash Imminent: the phase is skipped, the rest of the turn is there."""
    table = table_at("reconnaissance", A={"deck": 0, "discard": 13}, B=FAR)
    assert table.piles("A") == {"hand": 5, "discard": 13, "damage": 2}
    assert table.said("Crash imminent").headline == "A: crash imminent"
    assert "engage" in names(table)


def test_df_16_1_emergency_repair_is_the_cure(table_at: MakeTable) -> None:
    """From an empty Deck through Repair and a Maneuver to the next turn."""
    table = table_at("reconnaissance", A={"deck": 0, "discard": 13, "tokens": 3}, B=FAR)
    table.act("engage").act("Emergency Repair").say("repaired", 2)
    assert table.player("A").piles["deck"] == 2
    maneuvered(table).act("end turn")
    assert table.match.outcome is None


def test_df_16_1_improvisation_never_fills_the_deck(table_at: MakeTable) -> None:
    """As many cards are drawn as were shuffled in; with an empty Deck nobody is asked for them."""
    table = table_at("reconnaissance", A={"deck": 0, "discard": 13}, B=FAR)
    table.act("Tactical Improvisation").say("improvised", "not named")
    assert table.player("A").piles["deck"] == 0
    maneuvered(table.act("engage")).act("end turn")
    assert table.match.outcome.winners == ("B",)


def test_df_16_1_winning_first_is_one_too(table_at: MakeTable) -> None:
    """Who shoots the other down before the own turn ends has won."""
    table = table_at(A={"deck": 0, "discard": 13}, B={"deck": 0, "discard": 13})
    table.act("Basic Attack").say("fire", [6, 6]).say("evade", "pass")
    assert table.match.outcome.winners == ("A",)


def test_df_16_4_nothing_is_asked_after_the_end(table_at: MakeTable) -> None:
    """No Momentum, no movement: the first crash ends it."""
    table = table_at(B={"deck": 1, "discard": 12}).act("Basic Attack").say("fire", [6, 6])
    table.say("evade", "pass")
    assert not table.match.open
    assert table.place("A") == "0,1 N"
    assert table.last.cite.rules == ("DF-12.2", "DF-16.3")


# -- Engagement (DF-8) ----------------------------------------------------------------------------


def test_df_8_1_attacks_before_and_after_the_maneuver(table_at: MakeTable) -> None:
    """As often as one likes and in whatever order, if what each needs is there."""
    table = table_at()
    table.act("Basic Attack").say("fire", [1, 1]).say("momentum/A", "0,0 N")
    assert {"Basic Attack", BASIC} <= names(table)
    table.act(TURNING).say("fly", "1,-1 NE")
    assert "Basic Attack" not in names(table)
    table.adjust(camel="0,0 N").act("Basic Attack").say("fire", [1, 1])
    table.say("momentum/A", "1,-1 NE").act("end turn")
    assert table.position.active == "B"


def test_df_8_1_everything_but_the_maneuver_is_optional(table_at: MakeTable) -> None:
    """After it the turn may be ended at once, with an attack at hand and tokens to spend."""
    table = table_at(A={"tokens": 5, "place": "0,2 N"}).act(TURNING).say("fly", "0,1 N")
    assert {"Basic Attack", "Vickers Machine Guns", "Regroup", "Emergency Repair", "end turn"} <= (
        names(table)
    )
    table.act("end turn")
    assert table.position.active == "B"


def test_df_8_2_momentum_is_no_maneuver(table_at: MakeTable) -> None:
    """After a Basic Attack the Maneuver Action is still to come."""
    table = table_at()
    table.act("Basic Attack").say("fire", [1, 1]).say("momentum/A", "0,0 N")
    assert "end turn" not in names(table)
    assert table.refused("action", "end turn").cite.rules == ("DF-8.2", "DF-8.5")


def test_df_8_3_one_action_is_finished_before_the_next(table_at: MakeTable) -> None:
    """While one is under way nothing else is asked, and the menu is gone."""
    table = table_at(A={"tokens": 3}).act("Basic Attack")
    assert table.asked == ["turn-7/1/fire"]
    assert "turn-7/1/action" not in table.match.open


@pytest.mark.parametrize("raw", ["", "fly home", "Loop", 7, None, ["Basic Maneuver"]])
def test_df_8_1_no_such_action(table_at: MakeTable, raw: Any) -> None:
    """What is no action at all is answered with those that there are."""
    refusal = table_at().refused("action", raw if raw is not None else "None")
    assert refusal.code == "Q-NAME"
    assert BASIC in str(refusal)


@pytest.mark.parametrize("action", ["Tactical Improvisation", "engage"])
def test_df_e14_the_assessment_phase_is_over(table_at: MakeTable, action: str) -> None:
    """Its actions are refused in the next phase."""
    refusal = table_at().refused("action", action)
    assert refusal.code == "DF-E14"
    assert "Assessment Phase, which is over" in str(refusal)
    assert refusal.cite.rules == ("DF-5.1", "DF-7.1")


# -- a Stall that comes late (DF-8.4, RULING 19) --------------------------------------------------


def late(table_at: MakeTable, **more: Any) -> Any:
    """A has shot, Momentum may lead into the corner 0,-4."""
    table = table_at(A={"place": "0,-3 N", **more.pop("A", {})}, B={"place": "0,-4 N"}, **more)
    table.act("Basic Attack").say("fire", [1, 1])
    return table.adjust(fokker="3,0 N")


def test_ruling_19_momentum_into_a_corner_is_warned_of(table_at: MakeTable) -> None:
    """The word before it says what follows; it refuses nothing."""
    table = late(table_at)
    question = table.question("momentum/A")
    notice = question.word_before("0,-4 N")
    assert (notice.code, notice.level.value) == ("DF-STALL", "warn")
    assert "a Stall follows" in notice.text
    assert notice.cite.rulings == (19,)
    assert question.word_before("1,-4 NE") is None


def test_ruling_19_the_stall_comes_when_the_turn_would_end(table_at: MakeTable) -> None:
    """No Maneuver is left: Immelmann Turn or Blackout, then the turn is over."""
    table = late(table_at).say("momentum/A", "0,-4 N")
    assert not {BASIC, "High-speed Maneuver", TURNING, "end turn"} & names(table)
    assert {"Immelmann Turn", "Blackout"} <= names(table)
    table.act("Immelmann Turn").say("immelmann", "not named")
    assert table.place("A") == "0,-4 S"
    assert table.position.active == "B"


def test_ruling_19_with_an_empty_deck_a_late_stall_is_a_crash(table_at: MakeTable) -> None:
    table = late(table_at, A={"deck": 0, "discard": 13}).say("momentum/A", "0,-4 N")
    table.act("Blackout")
    assert table.match.outcome.winners == ("B",)
    assert table.last.cite.rules == ("DF-7.6",)


def test_ruling_19_after_the_maneuver_nothing_is_to_be_feared(table_at: MakeTable) -> None:
    """Then Momentum may lead anywhere, unwarned, and the turn simply ends."""
    table = table_at(
        A={"place": "0,-2 N"}, B={"place": "0,-4 N"}, options={"late_stall": "forbid_action"}
    )
    table.act(TURNING).say("fly", "0,-3 N").act("Basic Attack")
    table.say("fire", [1, 1]).say("fire/again-1", "keep")
    table.adjust(fokker="3,0 N")
    assert table.question("momentum/A").word_before("0,-4 N") is None
    table.say("momentum/A", "0,-4 N").act("end turn")
    assert table.position.active == "B"


def test_switch_late_stall_forbids_such_a_momentum(table_at: MakeTable) -> None:
    """By house rule another end must be taken; the refusal names the rule and the way out."""
    table = late(table_at, options={"late_stall": "forbid_action"})
    assert set(table.names("momentum/A")) == {"-1,-3 NW", "1,-4 NE"}
    refusal = table.refused("momentum/A", "0,-4 N")
    assert refusal.code == "DF-E14"
    assert "house rule late_stall" in str(refusal)
    assert refusal.cite.rulings == (19,)
    table.say("momentum/A", "1,-4 NE")
    assert BASIC in names(table)


def test_switch_late_stall_lets_be_what_cannot_be_helped(table_at: MakeTable) -> None:
    """In a lane where every end is stuck behind the target, Momentum is flown all the same."""
    lane = [[0, -2], [0, -3], [0, -4]]
    middle = [[0, 0], [0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]]
    board = {"spaces": [*middle, *lane], "one_token": [], "two_tokens": []}
    table = table_at(
        A={"place": "0,-2 N"}, B={"place": "0,-4 N"}, cards={"board": board},
        options={"late_stall": "forbid_action"},
    )  # fmt: skip
    table.act("Basic Attack").say("fire", [1, 1])
    assert table.question("momentum/A").word_before("0,-3 N").code == "DF-STALL"
    assert table.say("momentum/A", "0,-3 N").place("A") == "0,-3 N"
    assert not {BASIC, "High-speed Maneuver", TURNING} & names(table)


@pytest.mark.parametrize(("option", "offered"), [("apply", True), ("forbid_action", False)])
def test_switch_late_stall_and_the_last_card(
    table_at: MakeTable, option: str, *, offered: bool
) -> None:
    """A Killer Instinct that is the last card: warned of, or by house rule refused."""
    table = table_at(A={"hand": 1, "discard": 8}, options={"late_stall": option})
    assert ("Killer Instinct" in names(table)) == offered
    if offered:
        notice = table.question("action").word_before("Killer Instinct")
        assert (notice.code, notice.cite.rulings) == ("DF-STALL", (19,))
    else:
        refusal = table.refused("action", "Killer Instinct")
        assert (refusal.code, refusal.cite.rulings) == ("DF-E14", (19,))


@pytest.mark.parametrize("option", ["apply", "forbid_action"])
def test_switch_late_stall_slip_turn_in_a_corner(table_at: MakeTable, option: str) -> None:
    """Three Turns that would leave the Fokker looking out: warned of, or refused."""
    table = table_at(
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,-4 NE", "tokens": 2},
        B={"fighter": "camel", "pilot": "maclaren", "place": "3,0 N"},
        options={"late_stall": option},
    )
    table.act("Slip-turn").say("slip-turn", 3)
    question = table.question("slip/A")
    if option == "apply":
        assert "0,-4 N" in table.names("slip/A")
        assert question.word_before("0,-4 N").code == "DF-STALL"
    else:
        assert "0,-4 N" not in table.names("slip/A")
        assert table.refused("slip/A", "0,-4 N").cite.rulings == (19,)


@pytest.mark.parametrize("option", ["apply", "forbid_action"])
def test_switch_late_stall_pioneer_into_a_corner(table_at: MakeTable, option: str) -> None:
    """Advances of pilots count too: the plane may end anywhere, or not in that corner."""
    seat = {"pilot": "mentor", "place": "0,-3 N"}
    table = table_at(A=seat, B=FAR, options={"late_stall": option}).act("Pioneer of the Sky")
    assert ("0,-4 N" in table.names("pioneer")) == (option == "apply")
    if option == "apply":
        assert table.question("pioneer").word_before("0,-4 N").code == "DF-STALL"
    else:
        assert "house rule late_stall" in str(table.refused("pioneer", "0,-4 N"))
    assert table.question("pioneer").word_before("0,-3 N") is None


def test_switch_late_stall_never_refuses_to_stay(table_at: MakeTable) -> None:
    """Turns that may be left may be left where only they would help: staying is no action."""
    fokker = {"fighter": "fokker", "pilot": "richthofen", "place": "0,-3 N"}
    camel = {"fighter": "camel", "pilot": "maclaren", "place": "0,-4 N"}
    table = table_at(A=fokker, B=camel, options={"late_stall": "forbid_action"})
    table.act("Basic Attack").say("fire", [1, 1])
    table.say("momentum/A", "1,-4 NE").adjust(fokker="0,-4 N", camel="3,0 N")
    table.say("red-baron", 6)
    assert table.names("red-baron-turns/A") == ["stay", "0,-4 SW", "0,-4 SE"]
    assert table.question("red-baron-turns/A").word_before("stay") is None
    assert table.say("red-baron-turns/A", "stay").place("A") == "0,-4 N"
