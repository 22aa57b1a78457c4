"""What a small box is given: hands of its own for each seat, places, damage, and its faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from companion import games
from companion.core.board import Piece, Pose, looks_by_seat
from companion.core.errors import BadPosition
from companion.core.question import Reveal
from companion.core.ruling import (
    AttackMade,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    Fault,
    Move,
    Outcome,
    Ruling,
    Seat,
    SetTo,
)
from companion.kit.box import SmallBox
from companion.kit.hexes import Heading, Hex, HexMap, hex_plan, hexagon
from companion.kit.ledger import Quantity, kept, number
from companion.kit.playing import HiddenTable
from companion.kit.seated import SeatedPosition, one_word, pile, space_on, stands
from companion.match.house_rules import switches_of
from companion.match.rulebook import Setup

R, B = SEATS = (Seat("R"), Seat("B"))
MAP = HexMap(hexagon(2))
BALLOONS = {R: Piece("red"), B: Piece("blue")}
CARDS = ("up", "down", "fire")


@dataclass(slots=True, eq=False)
class Team:
    """One balloon and three cards of its own."""

    seat: Seat
    space: Hex | None = stands(BALLOONS, space_on(MAP), "Balloon")
    hits: int = kept(0, number(0, 3), "Hits")
    hand: ClassVar[Quantity] = pile("hand", "Hand", begins=3)
    laid: ClassVar[Quantity] = pile("laid", "Laid")


@dataclass(slots=True, eq=False)
class Duel(SeatedPosition[Team]):
    """Two balloons; nothing is drawn."""

    box, seats, part, cards, rounds = "duel", SEATS, Team, 6, "round"
    stage: str = kept("set-up", one_word(("set-up", "lay"), "stage"), "Stage", required=True)
    round: int = kept(1, number(1, 20), "Round")


class Balloons(SmallBox[Duel]):
    """A box without a book, to judge positions by."""

    box, title, letters, starts = "duel", "Duel", "BD", Duel
    seats: ClassVar = {R: "Red", B: "Blue"}
    switches: ClassVar = {}
    plan = hex_plan("duel", MAP.spaces, {BALLOONS[R]: "Red", BALLOONS[B]: "Blue"}, headings=False)
    looks = looks_by_seat(BALLOONS)
    corrections = Cite.of("RULING 2")
    placed, apart, wounds = Cite.of("BD-2"), Cite.of("BD-8"), ("hits",)

    async def play(self) -> Outcome:
        """Never."""
        raise NotImplementedError


class Table(HiddenTable[Balloons, str]):
    """Each team's three cards."""

    rulebook = Balloons

    def deal(self) -> None:
        """Out of each team's own."""
        self.fill_own(dict.fromkeys(CARDS, 1))


def placed() -> Duel:
    """The set-up is over, each team has its three cards."""
    position = Balloons(Setup("duel")).position
    position.stage = "lay"
    position.stand(BALLOONS[R], Hex(0, 0))
    position.stand(BALLOONS[B], Hex(1, 0))
    return position


def test_each_seat_begins_with_a_hand_of_its_own() -> None:
    """Where cards of one seat are at another there is a fault, though none is lost."""
    position = placed()
    assert {**position.pile_counts()} == {
        (R, "hand"): 3, (R, "laid"): 0, (B, "hand"): 3, (B, "laid"): 0,
    }  # fmt: skip
    position.carry(R, 1, "hand", "laid")
    assert Balloons.faults(position) == []
    position.piles["R's hand"], position.piles["B's hand"] = 1, 4
    assert [fault.path for fault in Balloons.faults(position)] == ["players.R", "players.B"]


def test_bots_lay_any_card_of_the_hand_and_turn_over_what_they_laid() -> None:
    """Whether or not anybody asked them before: twenty rounds of a hand of three show all three."""
    table, shown = Table(Setup("duel"), Random(1)), list[Any]()
    for _ in range(20):
        table.perform([Carry(R, 1, "hand", "laid")])
        asked: dict[str, Any] = {"key": "k", "by": R, "cite": Cite.of("BD-4"), "prompt": "?"}
        shown.append(table.act(Reveal(faces={card: card for card in CARDS}, **asked)))
        assert table.piles[R, "laid"] == [shown[-1]]
        table.perform([Carry(R, 1, "laid", "hand")])
    assert {*shown} == {*CARDS}
    assert {*table.piles[B, "hand"]} == {*CARDS}


def test_a_card_on_top_that_the_question_does_not_know_is_a_mistake_of_the_box() -> None:
    """Bots would else say any other card, and nobody would notice."""
    table = Table(Setup("duel"), Random(1))
    table.piles[R, "laid"] = ["sideways"]
    asked: dict[str, Any] = {"key": "round-1/show/R", "by": R, "cite": Cite.of("BD-4")}
    with pytest.raises(ValueError, match=r"^round-1/show/R: 'sideways' .* is none of up, down, fi"):
        table.act(Reveal(faces={card: card for card in CARDS}, prompt="?", **asked))


def test_a_card_that_was_not_dealt_is_missed_in_words() -> None:
    """Whoever wrote the box is sent to `deal`."""
    table = type("Undealt", (Table,), {"deal": lambda _self: None})(Setup("duel"), Random(1))
    with pytest.raises(
        ValueError, match=r"^R: 1 of 0 cards from hand: .* does Undealt.deal lay them"
    ):
        table.perform([Carry(R, 1, "hand", "laid")])


def test_where_play_is_follows_from_stage_and_round() -> None:
    """The set-up has no round."""
    position = Duel.fresh(SEATS)
    assert (position.where(), placed().where()) == (("set-up",), ("round-1", "lay"))
    assert Balloons.rounds == ("round",)


def test_a_piece_is_put_where_it_stands() -> None:
    """The deed says from where; the position, the map and the camera have it from then on."""
    rules = Balloons(Setup("duel"))
    assert rules.put(BALLOONS[R], Hex(0, 1)) == Move(BALLOONS[R], None, Pose("0,1"))
    assert rules.put(BALLOONS[R], Hex(0, 0)) == Move(BALLOONS[R], Pose("0,1"), Pose("0,0"))
    assert rules.position.placement() == {BALLOONS[R]: Pose("0,0")}
    assert rules.put(BALLOONS[R], None) == Move(BALLOONS[R], Pose("0,0"), None)
    with pytest.raises(KeyError, match="no quantity says where 'green' stands"):
        rules.put(Piece("green"), Hex(0, 0))
    with pytest.raises(ValueError, match=r"R\.space: 0,-4 is off the board"):
        rules.put(BALLOONS[R], Hex(0, -4))
    assert rules.position.placement() == {}


def harbour(unheaded: Collection[Piece]) -> Any:
    """Rules whose plan has headings, for pieces that have one and pieces that have none."""
    labels = {BALLOONS[R]: "Red", BALLOONS[B]: "Blue"}
    plan = hex_plan("duel", MAP.spaces, labels, unheaded=unheaded)
    return type("Harbour", (Balloons,), {"box": "duel", "plan": plan})(Setup("duel"))


def test_pieces_without_a_heading_may_stand_on_a_map_with_headings() -> None:
    """The plan says which: a camera looks for no heading of theirs."""
    rules = harbour([BALLOONS[R]])
    assert [token.headed for token in rules.plan.tokens] == [False, True]
    assert rules.put(BALLOONS[R], Hex(0, 1)).now == Pose("0,1")


def test_a_piece_is_put_as_its_token_says() -> None:
    """With a heading or without: else cameras and maps would tell it otherwise than the record."""
    with pytest.raises(ValueError, match=r"Red stands without a heading, .* name it as `unheaded`"):
        harbour([]).put(BALLOONS[R], Hex(0, 1))
    with pytest.raises(ValueError, match="Red stands with a heading, and its token has none"):
        harbour([*BALLOONS.values()]).put(BALLOONS[R], Heading(Hex(0, 1), 2))


WRONG: dict[str, tuple[Callable[[Duel], object], str, str]] = {
    "missing": (
        lambda there: there.stand(BALLOONS[B], None),
        "players.B.space",
        "Blue is not on the map; say on which space it stands",
    ),
    "together": (
        lambda there: there.stand(BALLOONS[B], Hex(0, 0)),
        "players.B.space",
        "Blue stands on 0,0 with Red; give one of them another space",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_pieces_stand_as_the_named_rules_have_it(what: str) -> None:
    """One that is missing after the set-up, two on one space: at its place, with a way out."""
    spoil, path, text = WRONG[what]
    position = placed()
    spoil(position)
    assert [(one.path, one.text) for one in Balloons.faults(position)] == [(path, text)]


def test_how_many_more_faults_there_are_is_a_sentence_of_its_own() -> None:
    """Whether or not the first fault ends with a full stop."""
    first, other = (Fault(path, f"{path} lies wrong", Cite.of("BD-2")) for path in "ab")
    assert BadPosition("", [first]).said == "a lies wrong"
    assert BadPosition("", [first, other]).said == "a lies wrong. There is 1 more fault."


def test_hits_that_grow_are_damage_and_a_named_attack_says_who_dealt_it() -> None:
    """An attack that a ruling tells hides neither damage nor cards that its deeds tell."""
    rules = Balloons(Setup("duel"))
    shot = AttackMade(R, B, hit=True)
    hit = rules.position.set_to(B, "hits", 2)
    assert hit == SetTo(B, "B.hits", "hits", 0, 2)
    deeds = (hit, Carry(R, 1, "hand", "laid"))
    told = rules.happened_in(
        Ruling("Hit.", Cite.of("BD-9"), deeds, struck=(BALLOONS[B],), happened=(shot,))
    )
    assert told == (shot, DamageTaken(B, 2, R), CardLaid(R, ""))


def test_a_position_that_says_too_little_is_refused_with_what_to_add() -> None:
    """Cards that begin nowhere, no stage, no round."""
    loose = type("Loose", (Duel,), {"cards": 8})
    with pytest.raises(TypeError, match=r"Loose has 8 cards, and its piles begin with 6: say with"):
        type("Loose", (Balloons,), {"box": "duel", "starts": loose})
    turns = type("Turns", (Duel,), {"rounds": "turn"})
    with pytest.raises(TypeError, match="Turns keeps no `turn`: what is counted"):
        type("Turns", (Balloons,), {"box": "duel", "starts": turns})


def test_a_pile_or_a_quantity_of_another_name_is_called_so() -> None:
    """In a sentence that says which there are, as a box's author mistypes them."""
    position = placed()
    with pytest.raises(KeyError, match="R has no pile 'hnd'; there are hand and laid"):
        position.carry(R, 1, "hnd", "laid")
    with pytest.raises(KeyError, match="R has no pile 'scrap'; there are hand and laid"):
        position.carry(R, 1, "hand", "scrap")
    with pytest.raises(KeyError, match="R has no 'hit'; there are space, hits, hand and laid"):
        position.set_to(R, "hit", 1)
    assert position.pile_counts()[R, "hand"] == 3


@pytest.mark.parametrize("hits", [-1, 4])
def test_a_number_is_never_set_beyond_its_limits(hits: int) -> None:
    """Else the match could not be begun from its own position file."""
    position = placed()
    with pytest.raises(ValueError, match=rf"R.hits: {hits} is not 0 to 3"):
        position.set_to(R, "hits", hits)
    assert position.players[R].hits == 0


def test_a_switch_without_values_is_refused_with_what_it_needs() -> None:
    """As everything else that a box says amiss of itself."""
    switches = switches_of([("reach", (), "RULING 1", "How far.")])
    with pytest.raises(TypeError, match=r"Switch 'reach' with the values .* it needs a value"):
        type("Loose", (Balloons,), {"box": "duel", "switches": switches})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"looks": looks_by_seat({R: BALLOONS[R]})}, "`looks` has nothing for the piece 'blue': "),
        ({"plan": hex_plan("duel", MAP.spaces, {BALLOONS[R]: "Red"}, headings=False)},
         "`plan` has no token for the piece 'blue': "),
        ({"plan": hex_plan("duel", MAP.spaces,
                           {**{piece: piece for piece in BALLOONS.values()}, Piece("kite"): "Kite"},
                           headings=False)},
         "Duel does not say where the piece 'kite' stands: "),
    ],
)  # fmt: skip
def test_a_piece_that_stands_somewhere_has_a_token_and_a_look(
    said: dict[str, Any], told: str
) -> None:
    """Said when the class is made, not when the piece is first put down or drawn."""
    with pytest.raises(TypeError, match=f"^Loose is no box yet. {re.escape(told)}"):
        type("Loose", (Balloons,), {"box": "duel", **said})


def test_the_page_of_the_boxes_shows_code_that_runs() -> None:
    """With its imports, as far as a class is made and cards are dealt."""
    page = Path(games.__file__).with_name("README.md").read_text("utf-8")
    shown: dict[str, Any] = {"__name__": "shown"}
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    exec(compile(code, "README.md", "exec", dont_inherit=True), shown)  # noqa: S102 - our own page
    table = shown["PhysicalTable"](Setup("kites"), Random(1))
    assert [len(pile) for pile in table.piles.values()] == [18, 0, 0, 0, 0]
    assert shown["Games"].in_variants(["one-string"]).strings == 1


def test_cards_come_off_the_top_though_others_below_are_the_same() -> None:
    """A deck with two of a card gives them as they lie: not one after the other."""
    table = Table(Setup("duel"), Random(1))
    table.piles[R, "laid"] = ["up", "fire", "down", "up"]
    table.piles[R, "hand"] = []
    table.perform([Carry(R, 3, "laid", "hand")])
    assert table.piles[R, "hand"] == ["up", "down", "fire"]
    assert table.piles[R, "laid"] == ["up"]
