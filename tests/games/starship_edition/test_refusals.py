"""What is refused, with its own code and true reason; and players who have left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadPosition
from companion.core.offers import PictureState, Seen, SeenState, Sighting

MakeTable = Callable[..., Any]
PEOPLE = {"A": "Ana", "B": "Ben", "C": "Cleo", "D": "Dan"}
TWO = {"A": "Ana", "B": "Ben"}
GRANT = {"cards": {"HOLD": {"title": "Hold", "type": "INTERVENE",
                            "effects": [{"op": "set_secondary"}]}}}  # fmt: skip


# -- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["Ben", "ben", "B", "vessel-b", "Vessel B", "Player B"])
def test_se_r14_a_target_by_the_name_of_person_or_vessel(tiers_at: MakeTable, said: str) -> None:
    """Whatever people call it; two others are in range."""
    table = tiers_at(players="ABCD", A=1, seats=PEOPLE).say("G-SHOT", said)
    assert table.said("attacks Ben with Salvo")


@pytest.mark.parametrize("said", ["Cleo", "C", "vessel-c"])
def test_se_r14_a_target_out_of_range_by_name_is_refused_as_one(
    tiers_at: MakeTable, said: str
) -> None:
    """Cleo is no unknown player: she is too far away."""
    table = tiers_at({"C": {"place": "7,1"}}, players="ABCD", A=1, seats=PEOPLE).say("G-SHOT")
    refusal = table.refused(said)
    assert refusal.code == "SE-E-TARGET"
    assert "Cleo is no legal target: 6 spaces away" in str(refusal)


def test_se_ppr_01_an_order_may_be_said_by_names(tiers_at: MakeTable) -> None:
    """The two attacks by who attacks whom."""
    table = tiers_at(A=1, seats=TWO).say("G-SHOT", "done", "G-COUNTER", "done", "done", "done")
    assert table.question().key.endswith("attack-order")
    table.say("2 Ben>Ana, 1 Ana>Ben")
    assert (table.player("A").hull, table.player("B").hull) == (7, 7)


def test_se_abl_01_an_ability_by_its_title(table_at: MakeTable) -> None:
    """Offered, and refused when it cannot be paid."""
    assert table_at().say("ability Focus").player("A").declared == ["AB-FOCUS"]
    refusal = table_at(A={"energy": 0}).refused("ability focus")
    assert refusal.code == "SE-E-ENERGY"


def test_a_report_and_an_adjustment_by_name(table_at: MakeTable) -> None:
    """As at the questions."""
    table = table_at(seats=TWO)
    assert table.report("acted", player="Ben").code == "SE-E-ORDER"
    assert table.adjust(**{"Ben.hull": 4}).player("B").hull == 4


# -- another moment, too many --------------------------------------------------------------


@pytest.mark.parametrize("said", ["ability AB-FIX", "exchange 1", "swap 1 2"])
def test_se_abl_01_what_belongs_to_the_preparation_is_refused_wherever_it_is_said(
    tiers_at: MakeTable, said: str
) -> None:
    """At the card, the move, the window of an attack, and at yes or no: SE-E-PHASE."""
    table = tiers_at({"A": {"tiers": [{"action": "set", "primary": "?"}] * 3}}, players="ABCD")
    assert table.refused(said).code == "SE-E-PHASE"
    assert table.say("G-MOVE").refused(said).code == "SE-E-PHASE"
    assert table.say("1,1", "G-SHOT").refused(said).code == "SE-E-PHASE"
    assert table.say("B").refused(said).code == "SE-E-PHASE"
    table.say(*["done"] * 2, "G-TURN")
    assert table.refused(said).code == "SE-E-PHASE"
    table = table.say("E", "1,1")
    assert table.question().key.endswith("draw")
    assert table.refused(said).code == "SE-E-PHASE"


def test_se_dbl_03_a_third_card_for_one_tier_is_refused_as_such(table_at: MakeTable) -> None:
    """By `second` at once, for an earlier tier, by `set`, and where a card sets one."""
    table = table_at().say("set", "second")
    assert table.refused("second").code == "SE-E-THIRD"
    assert table.refused("second 1").code == "SE-E-THIRD"
    assert table.refused("set 1").code == "SE-E-THIRD"
    assert table.say("set").refused("second 1").code == "SE-E-THIRD"
    assert table.refused("second 3").code == "SE-E-TIER"


def test_se_dbl_03_a_card_that_sets_one_finds_a_full_tier(tiers_at: MakeTable) -> None:
    """Tier 1 has two: it is not offered, and refused by its rule."""
    table = tiers_at(A=2, cards=GRANT).say("HOLD", "G-CHARGE")
    assert table.refused("1").code == "SE-E-THIRD"


@pytest.mark.parametrize(
    ("card", "code", "why"),
    [
        ("Dodge", "SE-E-WINDOW", "is played when attacked"),
        ("G-SHOT", "SE-E-WINDOW", "is set in a tier"),
        ("G-SCAN", "SE-E-COUNT", "takes a tier action, and all 3 tiers are prepared"),
    ],
)
def test_se_r14_a_card_played_in_the_preparation_at_the_wrong_moment(
    table_at: MakeTable, card: str, code: str, why: str
) -> None:
    """Each with its own reason."""
    refusal = table_at().say("pass", "pass", "pass").refused(f"play {card}")
    assert (refusal.code, why in str(refusal)) == (code, True)


def test_se_r14_a_card_instead_of_a_tier_is_not_for_an_attack(tiers_at: MakeTable) -> None:
    """By its title: what it is for is said."""
    refusal = tiers_at(A=1).say("G-SHOT").refused("Scan")
    assert refusal.code == "SE-E-WINDOW"
    assert "takes a tier action of the own Preparation" in str(refusal)


@pytest.mark.parametrize("players", [1, 7])
def test_se_r01_one_too_many_or_too_few(new_table: MakeTable, players: int) -> None:
    """The code, and how many may play."""
    with pytest.raises(BadCall, match=r"2 to 6 play \[SE-E-PLAYERS"):
        new_table(options={"players": players})


# -- sums that cannot be -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"A__hand": 6}, "41 cards .deck 35, hand 6.; the deck has 40"),
        (
            {"A__gear": ["G-PLATE", "G-PLATE"], "A__deck": 33},
            "G-PLATE equipped twice; a vessel carries one",
        ),
        ({"A__hull": -1}, "say that it is destroyed"),
        ({"A__granted": 4, "A__tier-5": "pass"}, "tier 1 is not prepared"),
        ({"A__discard": ["G-SHOT"] * 41}, "the deck has 40"),
    ],
)
def test_an_adjustment_whose_sum_cannot_be_is_refused(
    table_at: MakeTable, changes: dict[str, Any], said: str
) -> None:
    """Nothing is changed by it."""
    table = table_at()
    before = table.position.digest()
    with pytest.raises((BadPosition, BadCall), match=said):
        table.adjust(**changes)
    assert table.position.digest() == before


def test_se_r16_gear_that_an_adjustment_takes_off_changes_nothing_more(table_at: MakeTable) -> None:
    """On its own vessel and on another's."""
    jam = {"cards": {"JAM": {"title": "Jam", "type": "EQUIP", "form": "gear"}}}
    weak = [{"stat": "attack", "amount": -1, "until": "while_equipped", "source": "A: JAM"}]
    table = table_at(A={"gear": ["JAM"]}, B={"modifiers": weak}, cards=jam)
    assert table.match.rulebook.stat("B", "attack") == 2
    table.adjust(A__gear=[], A__hand=6)
    assert table.match.rulebook.stat("B", "attack") == 3


# -- who has left --------------------------------------------------------------------------


def test_ruling_29_nobody_waits_for_a_player_who_has_left(table_at: MakeTable) -> None:
    """A prepares and leaves: B is asked, and A's cards leave the game."""
    table = table_at(players="ABCD", seats=PEOPLE).say("set")
    assert table.report("leaves", player="Ana").code == "SE-LEFT"
    assert table.player("A").out
    assert table.player("A").removed == 40
    assert table.question().by == "B"
    assert table.report("leaves", player="A").code == "SE-AGREES"


@pytest.mark.parametrize(
    "said",
    [
        [], ["G-MOVE"], ["G-SHOT"], ["G-SHOT", "B"], ["unknown"], ["G-TURN"], ["HOLD"],
        ["unknown", "ATTACK", "hand"], ["PICK"], ["DROP"], ["G-OVERTIME"],
    ],
)  # fmt: skip
def test_ruling_29_a_player_may_leave_whatever_is_asked(
    tiers_at: MakeTable, said: list[str]
) -> None:
    """Play goes on with B and C, nothing of A's is carried out, and the match ends."""
    own = {"cards": {
        **GRANT["cards"],
        "PICK": {"title": "Pick", "type": "ATTACK", "effects": [
            {"op": "damage", "vessel": "one", "amount": 1}]},
        "DROP": {"title": "Drop", "type": "MOVE", "effects": [{"op": "discard"}]},
    }}  # fmt: skip
    table = tiers_at(players="ABC", A=1, B=1, cards=own).say(*said)
    assert table.question().by == "A"
    table.report("leaves", player="A")
    assert table.player("A").total == 40
    assert all(table.player(seat).hull in (10, 7) for seat in "BC")
    while table.question().key.split("/")[-1] == "card":
        table.say("done")
    assert table.question().key == "turn-3/tier-1/B/primary"
    table.say("G-CHARGE")
    table.match.report({"what": "leaves", "player": "C"}, table.stamp)
    assert table.match.outcome.winners == ("B",)


def test_ruling_29_a_target_that_left_cannot_be_chosen_any_more(tiers_at: MakeTable) -> None:
    """A is asked whom to attack, B leaves: C and D are left."""
    table = tiers_at(players="ABCD", A=1).say("G-SHOT")
    assert table.names() == ["B", "C", "D"]
    table.report("leaves", player="B")
    assert table.names() == ["C", "D"]


def test_ruling_21_an_arbiter_may_set_a_vessel_destroyed(table_at: MakeTable) -> None:
    """One word is enough: cards and place go along, and nobody waits for its player."""
    table = table_at(players="ABC").say("set").adjust(A__destroyed=True)
    assert (table.player("A").removed, table.player("A").space) == (40, None)
    assert table.question().by == "B"


@pytest.mark.parametrize("changes", [{"A__hull": 11}, {"A__hull": 999}])
def test_se_r23_hull_beyond_that_of_the_start_is_refused(
    table_at: MakeTable, changes: dict[str, Any]
) -> None:
    """Who it is, the most, and the ways out; nothing is changed."""
    table = table_at(seats=TWO)
    with pytest.raises(BadCall, match="Ana's vessel has hull 10 at most, as at the start"):
        table.adjust(**changes)
    assert table.player("A").hull == 10


def test_se_r23_hull_beyond_that_of_the_start_where_something_gives_it(
    table_at: MakeTable,
) -> None:
    """A house rule, and a card or an effect in force that raises the most there may be."""
    assert table_at(options={"overrepair": "yes"}).adjust(A__hull=12).player("A").hull == 12
    more = {"op": "modify", "stat": "hull_max", "amount": 2, "duration": "turn"}
    bulk = {"cards": {"BULK": {"title": "Bulk", "type": "MOVE", "effects": [more]}}}
    assert table_at(cards=bulk).adjust(A__hull=12).player("A").hull == 12
    raised = {"modifiers": [{"stat": "hull_max", "amount": 2, "until": "turn", "source": "Bulk"}]}
    table = table_at(A=raised).adjust(A__hull=12)
    with pytest.raises(BadCall, match="has hull 12 at most"):
        table.adjust(A__hull=13)


# -- who is meant --------------------------------------------------------------------------


def test_two_vessels_on_one_space_are_both_named(table_at: MakeTable) -> None:
    """Ana's is set onto Ben's: no letter, and nobody alone is said to stand in the way."""
    table = table_at(seats=TWO)
    with pytest.raises(BadPosition) as wrong:
        table.adjust(A__place="3,1")
    said = wrong.value.faults[0].text
    assert said == "Ana's vessel and Ben's vessel cannot both stand on 3,1. Move one."


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"B__hull": -3}, "Ben's vessel cannot fly with hull -3. Set the hull to 0 or more, or"),
        ({"B__hand": 6}, "Ben would have 41 cards (deck 35, hand 6); the deck has 40. Change"),
        ({"B__locked": True}, "The tiers of Ben are locked, and no card is set. Say"),
        ({"B__tier-1": "pass"}, "Ben has begun, and Ana has not prepared yet. Ana comes first"),
    ],
)
def test_what_cannot_be_is_said_of_a_person(
    table_at: MakeTable, changes: dict[str, Any], said: str
) -> None:
    """By name, with a way out."""
    with pytest.raises(BadPosition) as wrong:
        table_at(seats=TWO).adjust(**changes)
    assert wrong.value.faults[0].text.startswith(said)


def test_vessels_are_called_by_their_players(table_at: MakeTable) -> None:
    """On boards, in what the camera saw and in corrections; by letter where nobody said a name."""
    rules = table_at(seats={"A": "Ana"}).match.rulebook
    labels = [rules.plan.token_of[Piece(f"vessel-{seat}")].label for seat in "ab"]
    assert labels == ["Ana's vessel", "Vessel B"]
    seen = Seen(SeenState.SEEN, Pose("3,1"), ("3,1",))
    pieces = {Piece("vessel-a"): seen, Piece("vessel-b"): seen}
    said = [one.text for one in rules.compare(Sighting(0.0, 1, PictureState.SETTLED, pieces))]
    assert said == ["Ana's vessel and Vessel B stand on one space, 3,1.",
                    "Ana's vessel stands on 3,1, the record has 1,1."]  # fmt: skip


def test_a_target_may_be_named_as_its_vessel(tiers_at: MakeTable) -> None:
    """As sentences name it."""
    table = tiers_at(players="ABCD", A=1, seats=PEOPLE).say("G-SHOT", "Ben's vessel")
    assert table.said("attacks Ben with Salvo")


def test_se_r22_when_the_match_is_over_the_record_is_put_right_by_undo(
    tiers_at: MakeTable,
) -> None:
    """Ben's vessel is lost: nothing is adjusted after that, and the way out is said."""
    table = tiers_at({"B": {"hull": 2}}, A=1, seats=TWO).say("G-SHOT", "done", "done")
    assert table.match.outcome.winners == ("A",)
    with pytest.raises(BadPosition, match="With 1 vessel left the match is over"):
        table.adjust(A__hull=5)
