"""Board, headings and movement at the table, and what landing pays.  (DF-2, DF-9, RULING 1, 8)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.dogfight_1917.figures import assumed_figures
from companion.kit.hexes import Hex

MakeTable = Callable[..., Any]
BASIC, FAST, TURNING = "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"
FAR = {"place": "2,2 N"}
ENDS = {"C": ("0,-1", "N"), "L": ("-1,0", "NW"), "R": ("1,-1", "NE")}


def flying(table_at: MakeTable, card: str = BASIC, start: str = "0,0 N", **more: Any) -> Any:
    """A has played a card and is about to fly it; B is far off."""
    seats = {"A": {"place": start, **more.pop("A", {})}, "B": more.pop("B", FAR)}
    return table_at(**seats, **more).act(card)


# -- the board (DF-2) -----------------------------------------------------------------------------


def test_df_2_1_spaces_are_named_by_two_coordinates(new_table: MakeTable) -> None:
    """On the plan of the board as in the record, by name and facing."""
    table = new_table(seats={"A": "Ana/camel", "B": "Bo/fokker"})
    pose = table.position.placement()["camel"]
    assert (pose.space, pose.facing) == ("0,-1", 0)
    plan = table.match.rulebook.plan
    assert plan.boards[0].facings == ("N", "NE", "SE", "S", "SW", "NW")
    assert {"0,0", "4,-4", "-4,0"} <= set(plan.spaces)


def test_df_2_2_the_board_is_a_hexagon_of_61_spaces() -> None:
    """A space is on it if no coordinate, nor their sum, exceeds the radius."""
    board = assumed_figures().board
    inside = {Hex(q, r) for q in range(-9, 10) for r in range(-9, 10)
              if max(abs(q), abs(r), abs(q + r)) <= 4}  # fmt: skip
    assert board.spaces == inside
    assert len(inside) == 61
    assert [str(corner) for corner in board.corners] == [
        "0,-4", "4,-4", "4,0", "0,4", "-4,4", "-4,0",
    ]  # fmt: skip


HEADINGS = ("N", "NE", "SE", "S", "SW", "NW")


@pytest.mark.parametrize("facing", range(6))
def test_df_2_4_front_spaces_follow_the_heading(table_at: MakeTable, facing: int) -> None:
    """Left, Center and right of the Frontal Direction (DF-2.3), whichever of the six it is."""
    table = flying(table_at, TURNING, f"0,0 {HEADINGS[facing]}")
    flown = {name for name in table.names("fly") if Hex.read(name.split()[0]).distance(Hex(0, 0))}
    fronts = {str(Hex(0, 0).ahead(facing + side)) for side in (-1, 0, 1)}
    assert {name.split()[0] for name in flown} == fronts
    for side in (-1, 0, 1):
        heading = HEADINGS[(facing + side) % 6]
        assert f"{Hex(0, 0).ahead(facing + side)} {heading}" in flown


@pytest.mark.parametrize("facing", range(6))
def test_df_2_5_rear_spaces_are_the_other_three(table_at: MakeTable, facing: int) -> None:
    """Where a Dead Six may end: right rear, straight behind, left rear, each facing the target."""
    target = f"0,0 {HEADINGS[facing]}"
    table = table_at(
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,-1 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": target},
    ).act("The Flying Circus")
    wanted = {f"{Hex(0, 0).ahead(facing + way)} {HEADINGS[(facing + way + 3) % 6]}"
              for way in (2, 3, 4)}  # fmt: skip
    assert set(table.names("dead six/A")) == wanted


def test_df_2_7_a_gunsight_holds_dice_only_during_an_attack(table_at: MakeTable) -> None:
    """They lie there until the Damage is dealt, then it is cleared."""
    table = table_at().act("Basic Attack").say("fire", [6, 6])
    assert table.position.gunsight == 2
    assert table.say("evade", "pass").position.gunsight == 0


def test_df_2_6_one_fighter_a_space(table_at: MakeTable) -> None:
    """No option ends where another stands; said by its own code."""
    table = flying(table_at, B={"place": "0,-1 S"})
    assert not [name for name in table.names("fly") if name.startswith("0,-1 ")]
    refusal = table.refused("fly", "0,-1 N")
    assert refusal.code == "DF-E03"
    assert "DF-2.6" in refusal.cite.rules


@pytest.mark.parametrize(("kind", "tokens", "count"), [("token-1", 1, 6), ("token-2", 2, 6)])
def test_df_2_8_tactical_positions_are_drawn_with_their_worth(
    new_table: MakeTable, kind: str, tokens: int, count: int
) -> None:
    """On the map as in the figures: six of each, until the table says otherwise."""
    spaces = new_table().match.rulebook.plan.spaces
    signed = {name for name, space in spaces.items() if space.sign == kind}
    worth = assumed_figures().token_spaces
    assert signed == {str(space) for space, value in worth.items() if value == tokens}
    assert len(signed) == count


# -- advancing (DF-9.1 to 9.4) --------------------------------------------------------------------


def test_df_9_2_the_books_example_of_an_advance_to_the_right(table_at: MakeTable) -> None:
    """It moves into that space and rotates 60 degrees to face that way; that is no Turn."""
    table = flying(table_at, TURNING).say("fly", "1,-1 NE")
    assert table.place("A") == "1,-1 NE"
    assert "Turn" not in table.said("1,-1 NE").text


@pytest.mark.parametrize("side", ["L", "C", "R"])
def test_df_9_1_one_step_enters_a_front_space(table_at: MakeTable, side: str) -> None:
    """Three ways on, each facing as it moved; no card steps aside or back."""
    table = flying(table_at, TURNING)
    space, heading = ENDS[side]
    assert f"{space} {heading}" in table.names("fly")
    assert {name.split()[0] for name in table.names("fly")} == {end for end, _ in ENDS.values()}


def test_df_9_3_through_a_fighter_at_the_price_of_a_step(table_at: MakeTable) -> None:
    """A Basic Maneuver ends beyond it, a Turning Maneuver cannot."""
    table = flying(table_at, BASIC, B={"place": "0,-1 S"})
    assert {"0,-2 N", "-1,-1 NW", "1,-2 NE"} <= set(table.names("fly"))
    table = flying(table_at, TURNING, B={"place": "0,-1 S"})
    assert {name.split()[0] for name in table.names("fly")} == {"-1,0", "1,-1"}


def test_df_9_3_several_in_a_row_are_passed(table_at: MakeTable) -> None:
    """Friend or foe; only the last step must be free."""
    row = {"B": {"place": "0,-1 N"}, "C": {"place": "0,-2 N"}, "D": {"place": "3,0 N"}}
    table = table_at("engagement", "team-battle", players="ABCD", A={"place": "0,0 N"}, **row)
    assert "0,-3 N" in table.act(FAST).names("fly")
    assert table.refused("fly", "0,-2 N").code == "DF-E03"
    table.say("fly", "0,-3 N")
    assert table.place("A") == "0,-3 N"


@pytest.mark.parametrize(
    ("start", "spaces"),
    [
        ("0,-4 SE", {"0,-3", "1,-4"}),
        ("0,-4 NE", {"1,-4"}),
        ("4,-2 NE", {"4,-3"}),
        ("-4,4 S", {"-3,4"}),
    ],
)
def test_df_9_4_no_step_leaves_the_board(table_at: MakeTable, start: str, spaces: set[str]) -> None:
    """What lies outside is no Front space."""
    table = flying(table_at, TURNING, start)
    assert {name.split()[0] for name in table.names("fly")} == spaces


def test_df_9_4_not_even_in_passing(table_at: MakeTable) -> None:
    """Two straight steps along the edge, and a Turn, end where left, right, right would.

    That way leaves the board at once, so it is none, and nobody is asked which it was.
    """
    table = flying(table_at, FAST, "0,-1 N").say("fly", "0,-3 NE")
    assert table.asked == ["turn-7/1/way"]
    assert "left, right, right" in table.names("way")
    table = flying(table_at, FAST, "1,-4 SE").say("fly", "3,-4 S")
    assert table.asked == ["turn-7/2/action"]


# -- Turns (DF-9.5, RULING 5) ---------------------------------------------------------------------


def test_df_9_5_two_turns_or_none(table_at: MakeTable) -> None:
    """Of a Turning Maneuver: as flown, or 120 degrees to either side."""
    table = flying(table_at, TURNING)
    ahead = [name for name in table.names("fly") if name.startswith("0,-1 ")]
    assert sorted(ahead) == ["0,-1 N", "0,-1 SE", "0,-1 SW"]


def test_df_9_6_no_card_turns_before_it_advances(table_at: MakeTable) -> None:
    """From 0,0 N a Turn first would reach 1,0; Advance comes first."""
    assert not [n for n in flying(table_at, BASIC).names("fly") if n.startswith("1,0 ")]


@pytest.mark.parametrize(
    ("house", "ends"),
    [
        (False, {"0,0 NW", "0,0 NE", "0,0 S"}),
        (True, {"0,0 S"}),
    ],
)
def test_switch_multi_turn_same_direction(
    table_at: MakeTable, *, house: bool, ends: set[str]
) -> None:
    """Three Turns go each as one likes: 60 or 180 degrees in all; by house rule 180 alone."""
    table = table_at(
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,0 N", "tokens": 2},
        B={"fighter": "camel", "pilot": "maclaren", "place": "2,2 N"},
        options={"multi_turn_same_direction": house},
    )
    table.act("Slip-turn").say("slip-turn", 3)
    if len(ends) > 1:
        assert set(table.names("slip/A")) == ends
        assert 5 in table.question("slip/A").cite.rulings
        table.say("slip/A", "0,0 S")
    assert {table.place("A")} & ends == {"0,0 S"}
    told = "multi_turn_same_direction true" in table.said("turns to").text
    assert told == house


# -- what landing pays (DF-9.9, RULING 8) ---------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "tokens"), [("0,-2 N", "0,-3 N", 1), ("2,-3 N", "2,-4 N", 2)]
)
def test_df_9_9_ending_on_a_tactical_position_pays(
    table_at: MakeTable, start: str, end: str, tokens: int
) -> None:
    """At once, as many as are printed there; what rests on an assumed figure says so."""
    table = flying(table_at, TURNING, start).say("fly", end)
    assert table.player("A").tokens == tokens
    said = table.said("Tactical Position")
    assert said.cite.rules == ("DF-9.9",)
    assert said.cite.rulings == (8,)
    assert "(assumed figure)" in said.text
    assert said.headline == f"Player A: +{tokens} token{'s' if tokens > 1 else ''}"


def test_df_9_9_what_a_table_has_read_off_is_not_assumed(table_at: MakeTable) -> None:
    cards = {"confirmed": ["board.one_token", "board.two_tokens"]}
    table = flying(table_at, TURNING, "0,-2 N", cards=cards).say("fly", "0,-3 N")
    assert "assumed" not in table.said("Tactical Position").text


def test_df_9_9_flying_over_pays_nothing(table_at: MakeTable) -> None:
    table = flying(table_at, BASIC, "0,-2 N").say("fly", "0,-4 N")
    assert table.player("A").tokens == 0


def test_df_9_9_landing_pays_before_the_conditional_die(table_at: MakeTable) -> None:
    """So the token may pay for a Focus on that die."""
    table = flying(table_at, BASIC, "0,-2 N").say("fly", "0,-3 N")
    assert table.player("A").tokens == 1
    table.say("condition", 1).say("condition/again-1", "Focus").say("condition/again-1/dice", 4)
    assert table.player("A").tokens == 1
    assert table.said("pays 1 token")


def test_ruling_8_staying_pays_nothing(table_at: MakeTable) -> None:
    """Pioneer of the Sky over no space, turned or not, ends no movement."""
    seat = {"pilot": "mentor", "place": "0,-3 N", "tokens": 0}
    for stay in ("0,-3 N", "0,-3 NE"):
        table = table_at(A=seat, B=FAR).act("Pioneer of the Sky").say("pioneer", stay)
        assert table.player("A").tokens == 0
        assert table.place("A") == stay


def test_ruling_8_a_turn_pays_nothing(table_at: MakeTable) -> None:
    """MacLaren turns on the spot after he has been paid for landing there."""
    table = flying(table_at, TURNING, "-1,-2 NE", A={"side": "B", "place": "-1,-2 NE"})
    table.say("fly", "0,-3 NE")
    assert table.player("A").tokens == 1
    table.say("pilot/A", "0,-3 N")
    assert table.player("A").tokens == 1


def test_ruling_8_set_up_pays_nothing(new_table: MakeTable) -> None:
    """Being placed is no movement."""
    cards = {"board": {"one_token": [[0, 0], [0, -1]]}}
    table = new_table(seats={"A": "/camel", "B": "/fokker"}, cards=cards).say("placed")
    assert [table.player(seat).tokens for seat in "AB"] == [0, 0]


def test_df_9_9_momentum_pays(table_at: MakeTable) -> None:
    """On whatever cause a movement ends."""
    table = table_at(A={"place": "0,-2 N"}, B={"place": "0,-4 N"}).act("Basic Attack")
    table.say("fire", [1, 1]).say("momentum/A", "0,-3 N")
    assert table.player("A").tokens == 1


@pytest.mark.parametrize(("limited", "got"), [(False, 2), (True, 1)])
def test_switch_token_supply_limited(table_at: MakeTable, *, limited: bool, got: int) -> None:
    """By house rule only the 20 tokens of the box can be taken; the ruling says why it was less."""
    table = flying(
        table_at, TURNING, "2,-3 N", A={"tokens": 0}, B={**FAR, "tokens": 19},
        options={"token_supply_limited": limited},
    ).say("fly", "2,-4 N")  # fmt: skip
    assert table.player("A").tokens == got
    said = table.said("Tactical Position")
    assert ("token_supply_limited" in said.text) == limited
    assert ("DF-15.1" in said.cite.rules) == limited


def test_switch_token_supply_limited_with_none_left(table_at: MakeTable) -> None:
    """Nothing is taken, and the plane stands where it stands."""
    table = flying(
        table_at, TURNING, "2,-3 N", B={**FAR, "tokens": 20},
        options={"token_supply_limited": True},
    ).say("fly", "2,-4 N")  # fmt: skip
    assert table.player("A").tokens == 0
    assert table.said("Tactical Position").headline == "Player A: +0"
    assert table.said("Tactical Position").text.startswith("Player A takes 0 tokens")


# -- pilots after the Maneuver (DF-9.10, RULING 43) -----------------------------------------------

HEART = {"fighter": "albatros", "pilot": "loewenhardt"}


@pytest.mark.parametrize(
    ("end", "turns"),
    [("0,-1 N", True), ("-1,0 NW", False)],
)
def test_ruling_43_loewenhardt_turns_beside_an_opponent(
    table_at: MakeTable, end: str, *, turns: bool
) -> None:
    """Exactly 1 space away when the Maneuver Action is complete, in any direction."""
    table = flying(table_at, TURNING, A=HEART, B={"place": "1,-2 S"}).say("fly", end)
    assert [key.endswith("pilot/A") for key in table.asked] == [turns]
    if turns:
        question = table.question("pilot/A")
        assert question.cite.rules == ("DF-18.3.A", "DF-9.10", "DF-9.5")
        assert question.cite.rulings == (43,)
        assert table.say("pilot/A", "0,-1 NE").place("A") == "0,-1 NE"


def test_ruling_43_measured_after_the_whole_action(table_at: MakeTable) -> None:
    """Beside it before the Maneuver is not beside it after."""
    table = flying(table_at, BASIC, A=HEART, B={"place": "0,1 S"}).say("fly", "0,-2 N")
    table.say("condition", 1)
    assert table.asked == ["turn-7/2/action"]


def test_ruling_43_a_teammate_is_no_opponent(table_at: MakeTable) -> None:
    row = {"A": {"fighter": "fokker", "pilot": "richthofen", "place": "1,-2 S"},
           "B": {"fighter": "camel", "pilot": "maclaren", "place": "3,0 N"},
           "C": {**HEART, "place": "0,0 N"}, "D": {"place": "-3,0 N"}}  # fmt: skip
    table = table_at("engagement", "team-battle", players="ABCD", active="C", **row)
    table.act(TURNING).say("fly", "0,-1 N")
    assert table.asked == ["turn-7/2/action"]


def test_df_9_10_maclaren_turns_after_a_card_flown_twice(table_at: MakeTable) -> None:
    """After the repeat, not between; and only with side B up."""
    side = {"side": "B"}
    table = flying(table_at, FAST, A=side).say("fly", "1,-1 NE")
    table.say("condition", 3)
    assert table.asked == ["turn-7/1/repeat"]
    table.say("repeat", "2,-2 NE")
    assert table.asked == ["turn-7/1/pilot/A"]
    assert table.question("pilot/A").cite.rules == ("DF-18.2.B", "DF-9.10", "DF-9.5")
    assert table.say("pilot/A", "stay").place("A") == "2,-2 NE"
    table = flying(table_at, TURNING).say("fly", "0,-1 N")
    assert table.asked == ["turn-7/2/action"]


def test_df_9_10_after_the_damage_of_the_card(table_at: MakeTable) -> None:
    """MacLaren in a Camel that hurt itself turns after it; the card goes aside last."""
    side = {"side": "B"}
    table = flying(table_at, TURNING, A=side).say("fly", "-1,0 NW")
    table.say("condition", 1).say("condition/again-1", "keep")
    assert table.piles("A") == {"deck": 8, "hand": 4, "discard": 4, "damage": 3, "played": 1}
    table.say("pilot/A", "-1,0 N")
    assert table.piles("A")["discard"] == 5
