"""The Maneuver Cards of the four Fighters, flown at the table: DF-17 rows M1 to M3, DF-9.6 to 9.8.

Flights are written as letters: L, C and R for the Front space entered at each step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.kit.hexes import Heading

MakeTable = Callable[..., Any]
SIDES = {"L": -1, "C": 0, "R": 1}
WORDS = {"L": "left", "C": "straight", "R": "right"}
BASIC, FAST, TURNING = "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"


def end_of(flight: str, start: str = "0,0 N", turn: int = 0) -> str:
    """Where these steps and Turns lead."""
    plane = Heading.read(start)
    for letter in flight:
        plane = plane.advanced(SIDES[letter])
    return plane.turned(turn).name()


class Flown:
    """A table at which A has flown a card from the middle, looking north; B is far off."""

    def __init__(
        self, table_at: MakeTable, fighter: str, card: str, flight: str, **more: Any
    ) -> None:
        seat = {"fighter": fighter, "pilot": "mentor", "place": "0,0 N", **more.pop("A", {})}
        other = {"fighter": "fokker" if fighter == "camel" else "camel", "place": "2,2 N"}
        self.table = table_at(A=seat, B=other, **more).act(card)
        self.table.say("fly", end_of(flight, seat["place"]))
        if self.asks("way"):
            self.table.say("way", ", ".join(WORDS[letter] for letter in flight))

    def asks(self, place: str) -> bool:
        """Whether the question of that place is open."""
        return any(place in key.split("/") for key in self.table.asked)

    def left(self) -> tuple[int, int, int]:
        """A's tokens, Deck and Damage Pile."""
        player = self.table.player("A")
        return player.tokens, player.piles["deck"], player.piles["damage"]


# -- what each card's flight makes due, and what the die brings -----------------------------------

UNTOUCHED, TOKEN, DAMAGE = (0, 9, 2), (1, 9, 2), (0, 8, 3)

DUE: tuple[tuple[str, str, str, dict[int, str]], ...] = (
    # 17.1 Fokker: a step right: from 3 a Turn; High-speed also a step left: up to 2 damage
    ("fokker", BASIC, "R", {2: "nothing", 3: "turn"}),
    ("fokker", BASIC, "CR", {1: "nothing", 3: "turn"}),
    ("fokker", BASIC, "LR", {2: "nothing", 6: "turn"}),
    ("fokker", BASIC, "RR", {2: "nothing", 3: "turn"}),
    ("fokker", FAST, "R", {2: "nothing", 3: "turn"}),
    ("fokker", FAST, "CCR", {2: "nothing", 3: "turn"}),
    ("fokker", FAST, "L", {2: "damage", 3: "nothing"}),
    ("fokker", FAST, "LLC", {1: "damage", 3: "nothing"}),
    ("fokker", FAST, "RL", {2: "damage", 3: "turn"}),
    ("fokker", FAST, "LCR", {1: "damage", 6: "turn"}),
    ("fokker", TURNING, "R", {2: "nothing", 3: "turn"}),
    # 17.2 Camel: one step straight: from 4 a token; a step right: from 3 once more; left: damage
    ("camel", BASIC, "C", {3: "nothing", 4: "token"}),
    ("camel", BASIC, "CL", {3: "nothing", 4: "token"}),
    ("camel", BASIC, "RC", {3: "nothing", 6: "token"}),
    ("camel", FAST, "R", {2: "nothing", 3: "again"}),
    ("camel", FAST, "CLR", {2: "nothing", 3: "again"}),
    ("camel", TURNING, "L", {3: "damage", 4: "nothing"}),
    # 17.3 Albatros: two steps of one kind, no third: from 4 a token
    ("albatros", BASIC, "LL", {3: "nothing", 4: "token"}),
    ("albatros", BASIC, "CC", {3: "nothing", 4: "token"}),
    ("albatros", BASIC, "RR", {3: "nothing", 4: "token"}),
    ("albatros", FAST, "CC", {3: "nothing", 4: "token"}),
    ("albatros", FAST, "LCL", {3: "nothing", 4: "token"}),
    ("albatros", FAST, "RRC", {3: "nothing", 5: "token"}),
    # 17.4 SPAD: two steps straight: from 4 once more; one or two spaces fast: up to 3 damage
    ("spad", BASIC, "CC", {3: "nothing", 4: "again"}),
    ("spad", FAST, "C", {3: "damage", 4: "nothing"}),
    ("spad", FAST, "LR", {3: "damage", 4: "nothing"}),
)
ROLLED = [(*row[:3], die, effect) for row in DUE for die, effect in row[3].items()]


@pytest.mark.parametrize(("fighter", "card", "flight", "die", "effect"), ROLLED)
def test_df_17_a_due_condition_is_rolled_and_carried_out(
    table_at: MakeTable, fighter: str, card: str, flight: str, die: int, effect: str
) -> None:
    """One die of the mover; the printed number itself still counts."""
    flown = Flown(table_at, fighter, card, flight)
    roll = flown.table.question("condition")
    assert (roll.by, roll.dice) == ("A", 1)
    flown.table.say("condition", die)
    assert flown.left() == {"token": TOKEN, "damage": DAMAGE}.get(effect, UNTOUCHED)
    assert flown.asks("turn") == (effect == "turn")
    assert flown.asks("repeat") == (effect == "again")
    if effect == "nothing":
        assert flown.table.said("nothing happens").headline == f"Player A: {die}: nothing"


NOT_DUE = [
    *(("fokker", BASIC, flight) for flight in ("L", "C", "LC", "LL", "CC", "CL")),
    *(("fokker", FAST, flight) for flight in ("C", "CC", "CCC")),
    *(("fokker", TURNING, flight) for flight in "LC"),
    *(("camel", BASIC, flight) for flight in ("L", "R", "CC", "LL", "LR", "RL", "RR")),
    *(("camel", FAST, flight) for flight in ("L", "C", "LLL", "CLC")),
    *(("camel", TURNING, flight) for flight in "CR"),
    *(("albatros", BASIC, flight) for flight in ("L", "C", "LR", "RC", "CL")),
    *(("albatros", FAST, flight) for flight in ("C", "LR", "LLL", "CCC", "RRR", "LCR", "RCL")),
    *(("albatros", TURNING, flight) for flight in "LCR"),
    *(("spad", BASIC, flight) for flight in ("C", "L", "LC", "CR", "RR")),
    *(("spad", FAST, flight) for flight in ("CLC", "LLL", "CRCR", "LRCC")),
    *(("spad", TURNING, flight) for flight in "LCR"),
]


@pytest.mark.parametrize(("fighter", "card", "flight"), NOT_DUE)
def test_df_17_a_condition_that_is_not_met_asks_for_no_die(
    table_at: MakeTable, fighter: str, card: str, flight: str
) -> None:
    """The card is over; the turn goes on."""
    flown = Flown(table_at, fighter, card, flight, A={"place": "0,1 N"})
    assert [key.rpartition("/")[2] for key in flown.table.asked] == ["action"]
    assert flown.left() == UNTOUCHED
    assert flown.table.place("A") == end_of(flight, "0,1 N")


@pytest.mark.parametrize("fighter", ["fokker", "camel", "albatros", "spad"])
@pytest.mark.parametrize(("card", "fewest"), [(BASIC, 1), (FAST, 1), (TURNING, 1)])
def test_df_17_how_far_each_card_flies(
    table_at: MakeTable, fighter: str, card: str, fewest: int
) -> None:
    """1-2, 1-3 and 1 space; the SPAD's High-speed Maneuver reaches 4."""
    most = {BASIC: 2, TURNING: 1, FAST: 4 if fighter == "spad" else 3}[card]
    other = "fokker" if fighter == "camel" else "camel"
    seats: dict[str, Any] = {"A": {"fighter": fighter, "pilot": "mentor", "place": "0,0 N"},
                             "B": {"fighter": other, "place": "2,2 N"}}  # fmt: skip
    table = table_at(**seats).act(card)
    ahead = [name for name in table.names("fly") if name.startswith("0,-") and name.endswith(" N")]
    assert sorted(ahead, reverse=True) == [f"0,-{n} N" for n in range(most, fewest - 1, -1)]
    turned = {name for name in table.names("fly") if name.startswith("0,-1 ")}
    by_card = {"0,-1 N", "0,-1 SE", "0,-1 SW"} if card == TURNING else {
        "0,-1 N", "0,-1 NE", "0,-1 NW"}  # fmt: skip
    assert turned == by_card


@pytest.mark.parametrize(
    ("fighter", "card", "flight", "against", "passes", "brings"),
    [
        ("fokker", FAST, "RL", "3+ turn / 1-2 damage", 3,
         "On 3 or more you may Turn once. On 2 or less you take 1 damage."),
        ("fokker", FAST, "L", "1-2 damage", 0, "On 2 or less you take 1 damage."),
        ("camel", BASIC, "C", "4+ token", 4, "On 4 or more you take 1 token."),
        ("camel", FAST, "R", "3+ again", 3, "On 3 or more you may fly the card once more."),
        ("camel", TURNING, "L", "1-3 damage", 0, "On 3 or less you take 1 damage."),
        ("spad", FAST, "C", "1-3 damage", 0, "On 3 or less you take 1 damage."),
    ],
)  # fmt: skip
def test_df_9_7_the_die_says_what_it_is_for(
    table_at: MakeTable,
    fighter: str,
    card: str,
    flight: str,
    against: str,
    passes: int,
    brings: str,
) -> None:
    """What each number brings stands on the question; damage is nothing to reach."""
    roll = Flown(table_at, fighter, card, flight).table.question("condition")
    assert (roll.against, roll.passes) == (against, passes)
    assert roll.prompt == f"Player A: roll 1 die for the {card}'s Conditional Effect. {brings}"
    assert "DF-9.7" in roll.cite.rules


# -- the effects themselves -----------------------------------------------------------------------


def test_df_17_1_m2_both_conditions_one_roll(table_at: MakeTable) -> None:
    """The book: if both are met, roll only once to decide which effect resolves."""
    flown = Flown(table_at, "fokker", FAST, "RL")
    flown.table.say("condition", 2)
    assert flown.left() == DAMAGE
    assert flown.table.asked == ["turn-7/2/action"]


def test_df_9_5_the_turn_of_a_condition_may_be_left(table_at: MakeTable) -> None:
    """Optional: silence means that the plane stays as it flew."""
    table = Flown(table_at, "fokker", BASIC, "R").table.say("condition", 3)
    question = table.question("turn/A")
    assert question.lapse == "stay"
    assert table.names("turn/A") == ["stay", "1,-1 N", "1,-1 SE"]
    refusal = table.refused("turn/A", "1,-1 S")
    assert refusal.code.startswith("DF-E")
    assert table.say("turn/A", "stay").place("A") == "1,-1 NE"


def test_df_9_5_the_turn_of_a_condition(table_at: MakeTable) -> None:
    """60 degrees, on the spot, either way."""
    table = Flown(table_at, "fokker", BASIC, "R").table.say("condition", 4)
    assert table.say("turn/A", "1,-1 SE").place("A") == "1,-1 SE"
    assert table.said("turns to").cite.rules == ("DF-17.1.M1", "DF-9.7", "DF-9.5")


def test_df_12_4_a_card_may_shoot_its_own_player_down(table_at: MakeTable) -> None:
    """Damage from an own card counts like any other: more than the Deck holds ends the game."""
    flown = Flown(table_at, "spad", FAST, "C", A={"deck": 0, "discard": 13})
    flown.table.say("condition", 1)
    assert flown.table.match.outcome.winners == ("B",)
    assert "shot down" in flown.table.said("SPAD S.XIII").text


def test_df_9_8_once_more_repeats_flight_and_turn_but_no_check(table_at: MakeTable) -> None:
    """The Camel flies 1-3 spaces and may Turn again; another step right brings no second die."""
    table = Flown(table_at, "camel", FAST, "R").table.say("condition", 3)
    assert table.place("A") == "1,-1 NE"
    assert end_of("RRR", "1,-1 NE") in table.names("repeat")
    assert end_of("CCR", "1,-1 NE", +1) in table.names("repeat")
    table.say("repeat", end_of("R", "1,-1 NE", -1))
    assert table.place("A") == end_of("R", "1,-1 NE", -1) == "2,-1 NE"
    assert table.asked == ["turn-7/2/action"]
    assert table.said("2,-1 NE").cite.rules == ("DF-17.2.M2", "DF-9.8")


def test_df_9_8_once_more_may_be_left(table_at: MakeTable) -> None:
    """Optional; the plane stays where it is, and the Maneuver Action is over."""
    table = Flown(table_at, "spad", BASIC, "CC").table.say("condition", 4).say("repeat", "no")
    assert table.place("A") == "0,-2 N"
    assert table.piles("A")["discard"] == 5
    refusal = table.refused("action", BASIC)
    assert refusal.code == "DF-E14"


def test_df_9_8_once_more_keeps_the_cards_own_limits(table_at: MakeTable) -> None:
    """The SPAD's Basic Maneuver flies 1 or 2 spaces again, never 0 or 3."""
    table = Flown(table_at, "spad", BASIC, "CC").table.say("condition", 6)
    names = table.names("repeat")
    assert {"0,-3 N", "0,-4 N"} <= set(names)
    assert not [name for name in names if name.startswith("0,-2 ")]
    assert table.refused("repeat", "0,-2 NE").code == "DF-E07"
    assert table.refused("repeat", "1,-4 S").code == "DF-E01"


def test_df_9_8_once_more_pays_for_each_landing(table_at: MakeTable) -> None:
    """Each Advance ends a movement: a token for the first end, another for the second."""
    table = Flown(table_at, "spad", BASIC, "CC", A={"place": "0,-1 N", "tokens": 0}).table
    assert table.player("A").tokens == 1
    table.say("condition", 4).say("repeat", "1,-4 NE")
    assert table.player("A").tokens == 1
    assert table.place("A") == "1,-4 NE"


def test_df_9_8_once_more_without_room(table_at: MakeTable) -> None:
    """In a corner, looking out, there is nowhere to fly: said, and nothing is asked."""
    table = Flown(table_at, "spad", BASIC, "CC", A={"place": "0,-2 N"}).table
    table.say("condition", 6)
    assert table.place("A") == "0,-4 N"
    assert table.asked == ["turn-7/2/action"]
    assert table.said("no space to fly on").cite.rules == ("DF-9.8",)


# -- the card itself ------------------------------------------------------------------------------


def test_df_9_6_a_card_is_played_flown_and_discarded(table_at: MakeTable) -> None:
    """From the Hand, face up while it is carried out, then onto the Discard Pile."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(BASIC)
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 4, "damage": 2, "played": 1}
    assert table.said("plays the Basic Maneuver").cite.rules == ("DF-17.2.M1",)
    table.say("fly", "-1,0 NW")
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 5, "damage": 2}


def test_df_8_2_one_maneuver_action_a_turn(table_at: MakeTable) -> None:
    """A second is refused, whichever card; the turn can be ended now."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"})
    assert "end turn" not in table.names("action")
    table.act(BASIC).say("fly", "-1,0 NW")
    assert not {BASIC, FAST, TURNING} & set(table.names("action"))
    for card in (BASIC, FAST, TURNING):
        refusal = table.refused("action", card)
        assert refusal.code == "DF-E14"
        assert "end the turn" in str(refusal)
        assert refusal.cite.rules == ("DF-8.2",)
    assert table.act("end turn").position.active == "B"


def test_df_8_2_a_turn_without_maneuver_is_not_ended(table_at: MakeTable) -> None:
    """Exactly one is compulsory."""
    refusal = table_at().refused("action", "end turn")
    assert refusal.code == "DF-E14"
    assert "fly one, or stall" in str(refusal)


# -- poses that no card reaches (DF-9.3) ----------------------------------------------------------


def test_df_e01_a_pose_out_of_reach_names_what_is_near(table_at: MakeTable) -> None:
    """Where from, which card, legal poses nearby, and the three things that may be wrong."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(BASIC)
    refusal = table.refused("fly", "0,-3 N")
    assert refusal.code == "DF-E01"
    assert "The Basic Maneuver from 0,0 N does not reach 0,-3 N." in str(refusal)
    assert "Legal nearby: 0,-2 N" in str(refusal)
    assert "Wrong card, wrong start, or wrong move?" in str(refusal)
    assert table.refused("fly", "0,1 N").code == "DF-E01"


@pytest.mark.parametrize("card", [BASIC, FAST, TURNING])
def test_df_e07_no_movement_is_no_maneuver(table_at: MakeTable, card: str) -> None:
    """Each card advances at least one space, however the plane was turned."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(card)
    for pose in ("0,0 N", "0,0 NE", "0,0 S"):
        refusal = table.refused("fly", pose)
        assert refusal.code == "DF-E07"
        assert "advances at least 1" in str(refusal)


@pytest.mark.parametrize("turn", [-1, 1])
def test_df_e06_two_turns_are_never_one(table_at: MakeTable, turn: int) -> None:
    """A Turning Maneuver that looks turned by 60 degrees has taken one Turn of two."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(TURNING)
    refusal = table.refused("fly", end_of("C", turn=turn))
    assert refusal.code == "DF-E06"
    assert refusal.cite.rules == ("DF-9.5",)
    assert refusal.cite.rulings == (5,)


def test_words_that_are_no_pose_are_refused(table_at: MakeTable) -> None:
    """Neither a space nor a heading: the answers that there are, are named."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(TURNING)
    for raw in ("", "north", None, 7, ["0,-1 N"], {"q": 0}):
        refusal = table.refused("fly", raw if raw is not None else "None")
        assert refusal.code == "Q-NAME"
        assert "0,-1 N" in str(refusal)


def test_words_that_are_none_of_many_poses_are_refused_briefly(table_at: MakeTable) -> None:
    """Where a screen would overflow with poses, how many there are is said, and how one goes."""
    table = table_at(A={"place": "0,0 N"}, B={"place": "2,2 N"}).act(FAST)
    legal = table.names("fly")
    refusal = table.refused("fly", "north")
    assert (refusal.code, len(str(refusal)) < 200) == ("Q-NAME", True)
    assert f"one of the {len(legal)} legal end poses, as {legal[0]}." in str(refusal)
