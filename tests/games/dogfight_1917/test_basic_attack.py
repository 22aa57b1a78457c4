"""Basic Attacks: target, range, Fire, Damage, Momentum, and attacking again.  (DF-11)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.dogfight_1917.moves import Aim, faces_rear
from companion.kit.hexes import Heading, rear

MakeTable = Callable[..., Any]

ALBATROS = {"fighter": "albatros", "pilot": "loewenhardt"}
CAMEL = {"fighter": "camel", "pilot": "maclaren"}
MISS, HIT = [1, 1], [6, 6]


@pytest.fixture
def duel(table_at: MakeTable) -> MakeTable:
    """Albatros A and Camel B, whose pilots add nothing to an attack of A."""

    def make(attacker: str = "0,1 N", target: str = "0,-1 N", **changes: Any) -> Any:
        lines = {"A": {**ALBATROS, "place": attacker}, "B": {**CAMEL, "place": target}}
        for seat, line in lines.items():
            line.update(changes.pop(seat, {}))
        return table_at("engagement", **lines, **changes)

    return make


# -- Target (DF-11.1, RULING 3) -------------------------------------------------------------------


@pytest.mark.parametrize("facing", ["N", "NE", "NW"])
def test_df_11_1_a_rear_that_is_faced_is_attacked(duel: MakeTable, facing: str) -> None:
    """Flying north, I look into the Rear of whoever flies north, north-east or north-west."""
    assert "Basic Attack" in duel(target=f"0,-1 {facing}").names("action")


@pytest.mark.parametrize("facing", ["SE", "S", "SW"])
def test_df_11_1_a_front_that_is_faced_is_not(duel: MakeTable, facing: str) -> None:
    """The refusal names the condition that fails."""
    refusal = duel(target=f"0,-1 {facing}").refused("action", "Basic Attack")
    assert refusal.code == "DF-E13"
    assert "Player B does not show its Rear" in str(refusal)


def test_df_11_1_line_through_a_rear_space_is_the_same_as_the_three_headings() -> None:
    """Facing the Rear: the target's own Rear space lies on the line to it."""
    for toward in range(6):
        target = Heading.read("0,0 N").turned(toward)
        for away in range(6):
            attacker = Heading(target.hex.ahead(away), (away + 3) % 6)
            assert faces_rear(attacker, target) == (away in rear(target.facing))


@pytest.mark.parametrize("target", ["1,-1 N", "-1,0 N", "1,-2 N", "-1,-1 N", "0,2 N"])
def test_df_11_1_ruling_3_a_target_beside_the_line_is_refused(duel: MakeTable, target: str) -> None:
    """Facing means exactly on the straight line ahead; a Front space to the side is not."""
    table = duel(target=target)
    assert "Basic Attack" not in table.names("action")
    refusal = table.refused("action", "Basic Attack")
    assert refusal.code == "DF-E13"
    assert "straight ahead" in str(refusal)
    assert str(refusal.cite) == "DF-11.1, DF-11.2, RULING 3"


@pytest.mark.parametrize("facing", range(6))
def test_df_11_1_all_six_headings_attack_alike(duel: MakeTable, facing: int) -> None:
    """Nothing hangs on where north is."""
    attacker = Heading.read("0,0 N").turned(facing)
    target = Heading(attacker.hex.ahead(facing, 2), facing)
    table = duel(attacker.name(), target.name())
    assert "Basic Attack" in table.names("action")


# -- Range (DF-11.2) ------------------------------------------------------------------------------


@pytest.mark.parametrize(("attacker", "spaces"), [("0,0 N", 1), ("0,1 N", 2)])
def test_df_11_2_one_and_two_spaces_ahead_are_in_range(
    duel: MakeTable, attacker: str, spaces: int
) -> None:
    """The two spaces directly in front are the range."""
    assert "Basic Attack" in duel(attacker).names("action"), spaces


def test_df_11_2_three_spaces_ahead_are_out_of_range(duel: MakeTable) -> None:
    """The refusal names the limit."""
    refusal = duel("0,2 N").refused("action", "Basic Attack")
    assert refusal.code == "DF-E13"
    assert "Player B is out of range, which is 1 to 2" in str(refusal)


# -- Fire (DF-11.3, RULING 2) ---------------------------------------------------------------------


def test_df_11_3_book_example_range_two(duel: MakeTable) -> None:
    """Book: from range 2 (Difficulty 5) a 4 and a 6: one die is placed, 1 damage, then 1 space."""
    table = duel(B={"hand": 0, "box": 5}).act("Basic Attack")
    roll = table.question("fire")
    assert (roll.dice, roll.passes, roll.against) == (2, 5, "Difficulty 5")
    table.say("fire", [4, 6])
    assert table.said("1 die on the Gunsight").headline == "Player A: 1 die placed"
    assert table.piles("B") == {"deck": 8, "discard": 4, "damage": 3, "box": 5}
    assert table.asked == ["turn-7/1/momentum/A"]
    assert table.say("momentum/A", "0,0 N").place("A") == "0,0 N"


def test_df_11_3_ruling_2_range_one_is_an_assumed_four(duel: MakeTable) -> None:
    """Nearer is easier; what rests on an assumed figure says so, with the ruling."""
    table = duel("0,0 N").act("Basic Attack")
    roll = table.question("fire")
    assert (roll.passes, roll.against) == (4, "Difficulty 4 (assumed figure)")
    table.say("fire", [3, 4])
    ruling = table.said("1 die on the Gunsight")
    assert "Difficulty 4 (assumed figure)" in ruling.text
    assert str(ruling.cite) == "DF-11.3, RULING 2"


def test_df_11_3_ruling_2_a_table_has_its_own_difficulty(duel: MakeTable) -> None:
    """Difficulty is data: read off the board and confirmed, the mark is gone."""
    cards = {
        "confirmed": ["basic_attack.difficulty_range_1"],
        "basic_attack": {"difficulty_range_1": 3},
    }
    table = duel("0,0 N", cards=cards).act("Basic Attack")
    assert (table.question("fire").passes, table.question("fire").against) == (3, "Difficulty 3")


@pytest.mark.parametrize(("dice", "placed"), [([4, 4], 0), ([5, 4], 1), ([5, 6], 2)])
def test_df_11_3_each_die_succeeds_by_itself(duel: MakeTable, dice: list[int], placed: int) -> None:
    """Equal or higher counts, and dice are never added."""
    table = duel().act("Basic Attack").say("fire", dice)
    assert table.position.gunsight == placed
    assert list(table.position.dice) == dice


# -- End of Fire (DF-11.4) ------------------------------------------------------------------------


def test_df_11_4_the_target_is_asked_after_the_dice_lie(duel: MakeTable) -> None:
    """Evasion comes at the end of Fire, before any damage, and asks the target."""
    table = duel().act("Basic Attack").say("fire", HIT)
    assert table.asked == ["turn-7/1/evade"]
    assert table.question("evade").by == "B"
    assert table.piles("B")["deck"] == 9


# -- Damage (DF-11.5) -----------------------------------------------------------------------------


def test_df_11_5_one_damage_for_each_die_left(duel: MakeTable) -> None:
    """Then the Gunsight is cleared."""
    table = duel().act("Basic Attack").say("fire", HIT).say("evade", "pass")
    assert (table.piles("B")["deck"], table.piles("B")["damage"]) == (7, 4)
    assert table.position.gunsight == 0
    assert str(table.said("takes 2 damage").cite) == "DF-11.5, DF-12.1"


def test_df_11_5_an_empty_gunsight_skips_the_step(duel: MakeTable) -> None:
    """No card moves and nothing is said of damage; Momentum follows."""
    table = duel().act("Basic Attack").say("fire", MISS)
    assert (table.piles("B")["deck"], table.piles("B")["damage"]) == (9, 2)
    assert not [r for r in table.rulings if "damage" in r.text]
    assert table.asked == ["turn-7/1/momentum/A"]


# -- Momentum (DF-11.6, RULING 10) ----------------------------------------------------------------


def test_df_11_6_momentum_is_due_after_a_miss_too(duel: MakeTable) -> None:
    """One space left, straight or right; staying is no answer."""
    table = duel().act("Basic Attack").say("fire", MISS)
    assert table.names("momentum/A") == ["-1,1 NW", "0,0 N", "1,0 NE"]
    assert table.question("momentum/A").lapse is None
    refusal = table.refused("momentum/A", "0,1 N")
    assert refusal.code == "DF-E01"
    assert "Legal nearby" in str(refusal)


def test_df_11_6_ruling_10_not_onto_the_target(duel: MakeTable) -> None:
    """Straight ahead of range 1 the target stands; left and right are free."""
    table = duel("0,0 N").act("Basic Attack").say("fire", MISS)
    assert table.names("momentum/A") == ["-1,0 NW", "1,-1 NE"]
    assert table.refused("momentum/A", "0,-1 N").code == "DF-E03"


def test_df_11_6_ruling_10_without_a_free_space_it_is_left_out(table_at: MakeTable) -> None:
    """In a corner, with Fighters ahead and beside: nothing is asked, nobody crashes."""
    table = table_at(
        "engagement", "battle-royale", players="ABCD", A={"place": "4,-4 S"},
        B={"place": "4,-3 S", "hand": 0, "box": 5}, C={"place": "3,-3 S"}, D={"place": "-3,0 SE"},
    )  # fmt: skip
    table.act("Basic Attack fokker").say("fire", MISS)
    assert table.asked == ["turn-7/2/action"]
    assert table.place("A") == "4,-4 S"
    assert str(table.said("no Momentum").cite) == "DF-11.6, RULING 10"


def test_df_11_6_momentum_collects_on_a_tactical_position(duel: MakeTable) -> None:
    """A movement that ends there pays; going past would not."""
    table = duel("0,-2 N", "0,-4 N").act("Basic Attack").say("fire", MISS)
    table.say("momentum/A", "0,-3 N")
    assert table.player("A").tokens == 1
    assert str(table.said("Tactical Position").cite) == "DF-9.9, RULING 8"


def test_df_11_6_a_minus_sign_is_read_as_one(duel: MakeTable) -> None:
    """A place that is no Front space is refused, however like one it is written."""
    table = duel("0,0 N").act("Basic Attack").say("fire", MISS)
    assert table.refused("momentum/A", "1,0 NW").code == "DF-E01"
    assert table.say("momentum/A", " -1, 0 nw").place("A") == "-1,0 NW"


# -- Repeat (DF-11.7) -----------------------------------------------------------------------------


def test_df_11_7_range_two_straight_on_range_one(duel: MakeTable) -> None:
    """Each attack is a new one, with an evasion and a Difficulty of its own."""
    table = duel().act("Basic Attack").say("fire", MISS)
    table.say("momentum/A", "0,0 N").act("Basic Attack")
    assert table.question("fire").passes == 4
    table.say("fire", [4, 1])
    assert table.asked == ["turn-7/2/evade"]
    table.say("evade", "Evasive Dive").say("evasion", [1])
    assert table.piles("B")["deck"] == 8
    assert table.say("momentum/A", "1,-1 NE").asked == ["turn-7/3/action"]


def test_df_11_7_without_its_conditions_it_is_over(duel: MakeTable) -> None:
    """After Momentum to the side the target is off the line."""
    table = duel().act("Basic Attack").say("fire", MISS)
    table.say("momentum/A", "1,0 NE")
    assert table.refused("action", "Basic Attack").code == "DF-E13"


def test_df_11_7_attacks_before_and_after_the_maneuver(duel: MakeTable) -> None:
    """Attacks are no Maneuver Action: one is still due, and attacking goes on after it."""
    table = duel(target="0,-1 NW").act("Basic Attack").say("fire", MISS)
    table.say("momentum/A", "1,0 NE")
    assert "end turn" not in table.names("action")
    table.act("Turning Maneuver").say("fly", "1,-1 N").say("pilot/A", "1,-1 NW")
    table.act("Basic Attack").say("fire", MISS).say("momentum/A", "0,0 SW")
    assert table.act("end turn").position.active == "B"


# -- Fighters in between (DF-11.8, RULING 4) ------------------------------------------------------


def royale(table_at: MakeTable, **options: Any) -> Any:
    """Three on one line, all flying north: B one space ahead of A, C behind B, D elsewhere."""
    return table_at(
        "engagement", "battle-royale", players="ABCD", options=options,
        A={"place": "0,1 N"}, B={"place": "0,0 N"}, C={"place": "0,-1 N"}, D={"place": "4,0 NW"},
    )  # fmt: skip


def test_df_11_8_ruling_4_nobody_blocks_a_shot(table_at: MakeTable) -> None:
    """The attacker names whom: the one in front, or the one behind it."""
    table = royale(table_at)
    attacks = [name for name in table.names("action") if name.startswith("Basic")]
    assert attacks == ["Basic Maneuver", "Basic Attack fokker", "Basic Attack albatros"]
    table.act("Basic Attack albatros").say("fire", HIT).say("evade", "Evasive Climb")
    table.say("evasion", [1, 1])
    assert (table.piles("C")["damage"], table.piles("B")["damage"]) == (4, 2)


def test_df_11_8_opt_3_the_nearest_alone_by_house_rule(table_at: MakeTable) -> None:
    """Under intervening_fighter_blocks the second one on the line is refused, with the reason."""
    table = royale(table_at, intervening_fighter_blocks=True)
    assert "Basic Attack fokker" in table.names("action")
    assert "Basic Attack albatros" not in table.names("action")
    refusal = table.refused("action", "Basic Attack albatros")
    assert (refusal.code, str(refusal.cite)) == ("DF-E13", "DF-11.8, RULING 4")
    assert "Player C is hidden behind another Fighter" in str(refusal)


def test_df_11_8_opt_3_holds_for_special_attacks(table_at: MakeTable) -> None:
    """The house rule speaks of every shot along the line."""
    table = royale(table_at, intervening_fighter_blocks=True)
    assert "Lewis Guns albatros" not in table.adjust(A__tokens=3).names("action")
    assert "Lewis Guns albatros" in royale(table_at).adjust(A__tokens=3).names("action")


def test_df_11_8_the_attacker_names_the_target(table_at: MakeTable) -> None:
    """With several in reach a bare "Basic Attack" is asked back, with the names."""
    refusal = royale(table_at).refused("action", "Basic Attack")
    assert refusal.code == "DF-E13"
    assert "Say at whom: Basic Attack fokker, Basic Attack albatros." in str(refusal)


def test_df_11_8_unknown_targets_are_named(table_at: MakeTable) -> None:
    """Neither oneself nor a Fighter that does not exist is a target."""
    table = royale(table_at)
    for wanted in ("camel", "zeppelin"):
        refusal = table.refused("action", f"Basic Attack {wanted}")
        assert refusal.code == "DF-E13"
        assert "targets: fokker (Player B), albatros (Player C), spad (Player D)" in str(refusal)


def test_aim_names_the_first_condition_that_fails() -> None:
    """Line before range before Rear."""
    aim, north = Aim(1, 2, from_rear=True), Heading.read("0,0 N")
    missed = [aim.miss(north, Heading.read(at)) for at in ("1,1 S", "0,-3 S", "0,-2 S", "0,-2 N")]
    assert missed == ["line", "range", "Rear", ""]


def test_df_11_1_while_dice_are_asked_all_see_who_fires_at_whom(duel: MakeTable) -> None:
    """From the naming of the target until the Gunsight is cleared; every question names both."""
    table = duel()
    assert not table.position.lines_of_fire()
    table.act("Basic Attack")
    (line,) = table.position.lines_of_fire()
    assert (line.attacker, line.target, line.reach) == ("albatros", "camel", "range 2")
    fired = "Player A: roll 2 dice against Difficulty 5 for the Basic Attack at Player B."
    assert table.question().prompt == fired
    table.say("fire", HIT)
    attacked = "Player B: Player A attacks you, and 2 dice lie on the Gunsight. Do you evade?"
    assert table.question("evade").prompt == attacked
    assert table.position.lines_of_fire() == (line,)
    table.say("evade", "pass")
    while any(key.endswith("shown") for key in table.asked):
        table.say("shown", table.match.open[table.asked[0]].lapse)
    assert not table.position.lines_of_fire()
