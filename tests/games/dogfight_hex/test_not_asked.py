"""Who speaks out of turn, by which names people and tokens are called, and what is told of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadPosition

Start = Callable[..., Any]
NAMED = {"A": "Ana", "B": "Ben", "C": "Cleo", "D": "Dan", "E": "Eve"}
HIT: Any = {
    "A": {"place": "0,0 NW", "card": "medium"}, "B": {"place": "0,-1 SE", "card": "long"},
    "C": {"place": "-1,-1 E", "card": "long"}, "D": {"card": "long"},
}  # fmt: skip


@pytest.fixture
def named(new_table: Start, file: Start) -> Start:
    """A match of Ana, Ben, Cleo, Dan and Eve that begins in a phase."""

    def start(phase: str, /, players: int = 4, **changes: Any) -> Any:
        seats = dict([*NAMED.items()][:players])
        options = {"players": players}
        return new_table(seats=seats, options=options, position=file(phase, players, **changes))

    return start


def refused(table: Any, seat: str, raw: Any = "x") -> Any:
    """What a seat that is not asked is told."""
    waiting = table.match.open[table.asked[0]]
    return table.match.rulebook.not_asked(seat, raw, waiting)


@pytest.mark.parametrize(
    ("phase", "lines", "seat", "code", "cite"),
    [
        ("movement", {}, "B", "HX-E-ORDER", "HX-MOV-01, HX-TRN-01"),
        ("movement", {"done": ["A"]}, "A", "HX-E-ORDER", "HX-MOV-01, HX-TRN-01"),
        ("resolution", HIT, "C", "HX-E-ORDER", "HX-RES-02, HX-TRN-01"),
        ("movement", {}, "E", "HX-E-DEAD", "HX-DMG-03, HX-WIN-02"),
    ],
)  # fmt: skip
def test_hx_trn_01_who_is_not_asked_hears_whose_turn_it_is(
    named: Start, dead: Any, phase: str, lines: Any, seat: str, code: str, cite: str
) -> None:
    """By name, with the rule of the order; a destroyed player has no turn at all."""
    table = named(phase, 5, **{**lines, "E": dead("1,1")})
    refusal = refused(table, seat)
    assert (refusal.code, str(refusal.cite)) == (code, cite)
    assert NAMED[seat] in refusal.text
    if code == "HX-E-ORDER":
        assert NAMED[table.match.open[table.asked[0]].by] in refusal.text


def test_hx_dec_01_a_second_card_down_is_one_too_many(named: Start) -> None:
    """While the others still declare, as an answer and as a report; bound and dead alike."""
    table = named("declare", B={"captured": 1, "bound": "long", "hand": 3}, C={"hand": 0})
    assert table.report("card down", player="A").code == "HX-AGREES"
    table.say("declare/A")
    assert table.report("card down", player="Ana").code == "HX-E-DUP"
    refusal = refused(table, "A", "down")
    assert (refusal.code, str(refusal.cite)) == ("HX-E-DUP", "HX-DEC-01")
    assert refusal.text.startswith("Ana has declared a card already; one a turn.")
    assert refused(table, "B", "down").code == "HX-E-FORCED"
    assert refused(table, "C", "down").code == "HX-E-NOCARD"
    table.say("declare/D")
    assert refused(table, "B", "down").code == "HX-E-DUP", "a card down while ships move"
    assert refused(table, "C", "card down").code == "HX-E-NOCARD"


def test_hx_res_01_a_card_is_turned_over_once(named: Start) -> None:
    """Who has shown it, or whose captured card lies open, waits for the others."""
    table = named("reveal").say("reveal/A", "short")
    assert (refused(table, "A", "long").code, refused(table, "A").cite.rules) == (
        "HX-E-DUP", ("HX-RES-01",),
    )  # fmt: skip


def test_hx_dmg_01_only_its_owner_lays_wreckage(named: Start) -> None:
    """The attacker does not choose."""
    table = named("resolution", **HIT).say("target", "Ben")
    assert table.asked == ["turn-3/resolve/A/wreckage/hull-b-1"]
    refusal = refused(table, "A", "1,-1")
    assert (refusal.code, str(refusal.cite)) == ("HX-E-ORDER", "HX-DMG-01, RULING 14")
    assert "Ben lays wreckage" in refusal.text


def test_hx_deb_02_debris_has_its_order_too(named: Start, dead: Any) -> None:
    """And who has left is told so."""
    used: Any = {"card": "shield anchor", "stopped": True, "anchored": True}
    table = named("debris", 5, A=used, B=used, C=used, D=dead("1,1"), E=dead("3,1", 2))
    assert refused(table, "E").code == refused(table, "A").code == "HX-E-ORDER"
    assert str(refused(table, "A").cite) == "HX-DEB-02, RULING 25"
    table.report("retired", player="Eve")
    assert "Eve has left the table" in refused(table, "E").text


def test_nobody_is_out_of_turn_while_the_table_is_asked(new_table: Start) -> None:
    """Nor is a seat that nobody has taken."""
    table = new_table()
    assert refused(table, "A") is None
    assert refused(table, "F") is None


# -- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["B", "Ben", "ben", "Ship B", "ship-b", "Ben's ship", "ship Ben"])
def test_hx_atk_03_a_target_by_whatever_name(named: Start, name: str) -> None:
    """The person, the token, or the letter."""
    table = named("resolution", **HIT)
    assert table.say("target", name).match.entries[-1].answer == "B"


@pytest.mark.parametrize("name", ["D", "Dan", "Ship D", "Dan's ship"])
def test_hx_atk_03_out_of_range_is_out_of_range_by_whatever_name(named: Start, name: str) -> None:
    """Nobody who sits here is an unknown player."""
    refusal = named("resolution", **HIT).refused("target", name)
    assert (refusal.code, "Dan's ship is not within 4" in refusal.text) == ("HX-E-RANGE", True)


def test_hx_atk_07_debris_by_its_owners_name_is_debris(named: Start, dead: Any) -> None:
    """Not the ship that its owner has no longer."""
    table = named("resolution", 5, **HIT, E=dead("-1,0"))
    for name in ("Eve's debris", "debris Eve", "Debris E", "Eve"):
        assert table.refused("target", name).code == "HX-E-TARGET"


@pytest.mark.parametrize(
    "said", ["1,0 ram Ana", "1,0 ram A", "1,0 RAM ship-a", "1,0 ram Ana's ship"]
)
def test_hx_deb_04_the_ram_by_whatever_name(named: Start, dead: Any, said: str) -> None:
    """The space, the word, and whom."""
    used: Any = {"card": "shield anchor", "stopped": True, "anchored": True}
    table = named("debris", A={**used, "place": "2,0 W"}, B=used, C=used, D=dead("0,0"))
    table.say("debris/D", said)
    assert table.match.entries[-1].answer == "1,0 ram A"
    assert table.asked == ["turn-3/debris/D/wreckage/hull-a-1"]


def test_hx_mov_04_a_name_is_no_heading(named: Start) -> None:
    """Eve sits at E: her name turns no ship to the east, though the letter does."""
    table = named("movement", 5)
    assert table.refused("move/A", "Eve").code == "HX-E-ORDER"
    assert table.refused("move/A", "Eve 0,3 NW").code == "HX-E-ORDER"
    assert table.refused("move/A", "Ben: 0,3 NW").code == "HX-E-ORDER"
    assert table.say("move/A", "Ana: 0,3 NW").place("A") == "0,3 NW"
    assert table.say("move/B", "E").place("B") == "0,-4 E"


def test_ruling_30_reports_and_adjustments_take_names(named: Start) -> None:
    """Ben's hull points, as the arbiter and the table speak of them."""
    table = named("movement")
    assert table.report("recount", player="Ben", pile="hull", count=2).code == "HX-AGREES"
    table.match.adjust({"Ben.anchored": True}, "seen", stamp=table.stamp)
    table.match.adjust({"Ship C.anchored": True, "first": "Dan"}, "seen", stamp=table.stamp)
    assert [table.ship(seat).anchored for seat in "ABCD"] == [False, True, True, False]
    assert table.position.first == "D"
    with pytest.raises(BadPosition, match="Ben has 2 hull point tokens"):
        table.match.adjust({"Ben's ship.hull": 1}, "seen", stamp=table.stamp)
    table.match.close(["Cleo"], "The lamp went out.", "late", table.stamp)
    assert table.match.outcome.winners == ("C",)


# -- what is told of places ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        ("0,-5", "HX-E-READ", "The heading is missing: which way does the ship look on 0,-5?"),
        ("0,-5 X", "HX-E-READ", "X is no heading. Say 0,-5 with one of NW, NE, E, SE, SW, W."),
        ("9,9 SE", "HX-E-OFFMAP", "9,9 is not on the map"),
        ("9,9", "HX-E-OFFMAP", "9,9 is not on the map"),
        ("0,0 SE", "HX-E-START", "0,0 is no start space"),
        ("5,-5 SE", "HX-E-OCCUPIED", "Ship A is on 5,-5 already"),
    ],
)  # fmt: skip
def test_hx_set_05_a_place_that_cannot_be_says_why(
    new_table: Start, raw: str, code: str, words: str
) -> None:
    """Without a heading, off the map, no start space, taken: each by its own reason."""
    table = new_table()
    for wreck, space in enumerate(("0,0", "1,0", "0,1", "1,1"), 1):
        table.say(f"wreckage/wreck-{wreck}", space)
    table.say("first", "A").say("ship/A", "5,-5 SW")
    refusal = table.refused("ship/B", raw)
    assert (refusal.code, words in refusal.text) == (code, True), refusal.text


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        ("0,1", "HX-E-READ", "The heading is missing: which way does the ship look on 0,1?"),
        ("9,9", "HX-E-OFFMAP", "9,9 is not on the map"),
        ("0,5", "HX-E-FORWARD", "0,5 is not along an arrow"),
    ],
)  # fmt: skip
def test_hx_mov_03_an_end_without_a_heading_says_so(
    at: Start, raw: str, code: str, words: str
) -> None:
    """A bare space is a step; one that is farther off lacks its heading."""
    refusal = at("movement").refused("move/A", raw)
    assert (refusal.code, words in refusal.text) == (code, True), refusal.text


def test_hx_dmg_01_refused_wreckage_hears_every_space_that_is_free(named: Start) -> None:
    """All of those beside the ship, whatever was said instead."""
    table = named("resolution", **HIT).say("target", "Ben")
    free = table.names("hull-b-1")
    for raw in ("over there", "9,9", "0,0", "4,4"):
        refusal = table.refused("hull-b-1", raw)
        assert refusal.text.endswith(f"Free are: {'; '.join(free)}."), refusal.text


@pytest.mark.parametrize(
    "changes",
    [
        {"A_hand": 9}, {"deck": 54}, {"A_hull": 1}, {"A_aside": 1},
        {"A_declared": 0, "A_hand": 4, "A_card": "short"},
    ],
)  # fmt: skip
def test_hx_mat_01_sums_that_cannot_be_are_not_set(at: Start, changes: Any) -> None:
    """54 cards, two hull points each; no card lies open where none was declared."""
    with pytest.raises(BadPosition, match="HX-"):
        at("movement").adjust(**changes)


def test_hx_deb_06_debris_that_can_go_nowhere_is_not_asked(at: Start, dead: Any) -> None:
    """Shut in by other debris and the edge: staying alone is left, and told."""
    used: Any = {"card": "shield anchor", "stopped": True, "anchored": True}
    shut = {"B": dead("4,-5", 2), "C": dead("4,-4", 3), "D": dead("5,-4", 4)}
    table = at("debris", 6, A=dead("5,-5"), E=used, F=used, first="A", **shut)
    assert table.asked == ["turn-3/debris/B"]
    assert table.texts("Player A's debris stays on 5,-5.")


def test_hx_deb_04_whoever_is_called_ram_can_be_rammed(new_table: Start, file: Start) -> None:
    """The word is the deed, the name behind it the player."""
    used: Any = {"card": "shield anchor", "stopped": True, "anchored": True}
    dead = {"place": None, "debris": "0,0", "hull": 0, "aside": 2, "fell": 1, "hand": 0,
            "declared": 0}  # fmt: skip
    for said, rammed in (("1,0 ram Ana", "A"), ("0,-1 ram Ram", "B"), ("0,-1 ram Ram's ship", "B")):
        ships = {"A": {**used, "place": "2,0 W"}, "B": {**used, "place": "0,-2 SE"}, "C": used}
        position = file("debris", 4, D=dead, **ships)
        seats = {"A": "Ana", "B": "Ram", "C": "Cleo", "D": "Dan"}
        table = new_table(seats=seats, options={"players": 4}, position=position)
        table.say("debris/D", said)
        assert table.match.entries[-1].answer.endswith(f"ram {rammed}")
        assert table.match.rulebook.who("B") == "Ram"
