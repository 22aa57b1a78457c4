"""Positions of Dogfight: 1917 that cannot be: each is refused with its place and its rule."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import companion.games.dogfight_1917 as box
from companion.core.errors import BadPosition
from companion.core.ruling import Cite, Seat
from companion.games.dogfight_1917 import faults as position_faults
from companion.games.dogfight_1917.cards import TEAM_OF, WINGMEN
from companion.games.dogfight_1917.faults import faults, faults_at_start
from companion.games.dogfight_1917.figures import read_figures
from companion.games.dogfight_1917.game import Game
from companion.games.dogfight_1917.position import Dogfight1917Position, read_position
from companion.match.book import read_paragraphs

HERE = Path(box.__file__).parent
File = dict[str, Any]


def of_example(mode: str, **changes: Any) -> File:
    """The example of a mode; A to D change a player's part ("" and 0 are told too)."""
    file: File = tomllib.loads((HERE / "positions" / f"{mode}.toml").read_text("utf-8"))
    for name, value in changes.items():
        if name in "ABCD":
            file["players"][name] |= value
        else:
            file[name] = value
    return file


def without(file: File, seat: str, *keys: str) -> File:
    """A player's part without some of its lines."""
    for key in keys:
        file["players"][seat].pop(key)
    return file


def faults_of(file: File) -> list[tuple[str, str]]:
    """Place and rule of each fault."""
    position = read_position(Dogfight1917Position, file, "mine.toml")
    return [(fault.path, str(fault.cite)) for fault in faults(position)]


CASES: dict[str, tuple[File, str, str]] = {
    "two planes on a space": (
        of_example("base", B={"place": "0,1 S"}), "players.B.place", "DF-2.6"),
    "a plane off the board": (
        of_example("base", B={"place": "0,-5 S"}), "players.B.place", "DF-2.2, DF-9.4, RULING 1"),
    "a start off the board": (
        of_example("entente-vs-central-powers", D={"start": "-5,5 N"}), "players.D.start",
        "DF-2.2, DF-9.4, RULING 1"),
    "two starts on a space": (
        of_example("entente-vs-central-powers", D={"start": "4,-4 N"}), "players.D.start",
        "DF-2.6"),
    "21 cards": (of_example("base", A={"deck": 10}), "players.A", "DF-4.2"),
    "19 cards": (of_example("base", A={"deck": 8}), "players.A", "DF-4.2"),
    "17 cards and nothing in the box": (
        of_example("draft", A={"deck": 10}), "players.A", "DF-4.2"),
    "a Hand before the cards are dealt": (
        of_example("set-up", A={"deck": 15, "hand": 5}), "players.A.deck", "DF-3.5"),
    "tokens before the start": (of_example("set-up", A={"tokens": 2}), "players.A.tokens",
                                "DF-3.7"),
    "a model before it is placed": (
        of_example("set-up", A={"place": "0,-1 N"}), "players.A.place", "DF-3.6"),
    "two cards carried out at once": (
        of_example("base", A={"deck": 7, "played": 2}), "players.A.played",
        "DF-4.5, DF-8.3, RULING 28"),
    "nine Basic Maneuvers in two piles": (
        of_example("base", A={"deck": 0, "damage": 11, "known": {
            "damage": {"Basic Maneuver": 8}, "discard": {"Basic Maneuver": 1}}}),
        "players.A.known", "DF-1.2"),
    "more cards known than lie there": (
        of_example("base", A={"known": {"discard": {"Basic Maneuver": 6}}}),
        "players.A.known.discard", "DF-4.2"),
    "one Fighter twice": (
        of_example("base", B={"fighter": "camel"}), "players.B.fighter", "DF-3.2"),
    "one pilot twice": (
        of_example("base", B={"pilot": "maclaren"}), "players.B.pilot", "DF-3.2"),
    "three Pilot Mentors": (
        of_example("battle-royale", A={"pilot": "mentor"}, B={"pilot": "mentor"},
                   C={"pilot": "mentor"}), "players.C.pilot", "DF-1.1"),
    "no Fighter after set-up": (
        without(of_example("base"), "A", "fighter"), "players.A.fighter", "DF-3.2"),
    "no pilot after set-up": (
        without(of_example("base"), "B", "pilot"), "players.B.pilot", "DF-3.2"),
    "no place after set-up": (
        without(of_example("base"), "B", "place"), "players.B.place", "DF-3.6"),
    "no place of one in three": (
        without(of_example("battle-royale"), "C", "place"), "players.C.place", "DF-3.6"),
    "a Leader off the board": (
        without(of_example("entente-vs-central-powers"), "A", "place"), "players.A.place",
        "DF-3.6"),
    "side B at set-up": (of_example("set-up", A={"side": "B"}), "players.A.side", "DF-3.4"),
    "set-up in turn 2": (of_example("set-up", turn=2), "turn", "DF-5.1"),
    "crashed at set-up": (
        of_example("set-up", B={"crashed": True}), "players.B.crashed", "DF-5.1"),
    "maneuvered before engagement": (
        of_example("base", phase="assessment", maneuvered=True), "maneuvered", "DF-8.2"),
    "improvised before assessment": (
        of_example("base", phase="reconnaissance"), "improvised", "DF-7.1"),
    "dice on the Gunsight before engagement": (
        of_example("base", phase="assessment", gunsight=1), "gunsight", "DF-2.7"),
    "the turn of an empty seat": (of_example("base", active="C"), "active", "DF-5.1"),
    "the turn of one who crashed": (
        of_example("team-battle", active="B"), "active",
        "DF-19.2, DF-23.4, RULING 33, RULING 44"),
    "the turn of an absent Wingman": (
        of_example("entente-vs-central-powers", active="C"), "active", "DF-24.5"),
    "the next turn of one who crashed": (
        of_example("team-battle", next_turn="B"), "next_turn",
        "DF-19.2, DF-23.4, RULING 33, RULING 44"),
    "the next turn of a Wingman": (
        of_example("entente-vs-central-powers", next_turn="D"), "next_turn", "DF-24.4"),
    "a turn out of order between two": (of_example("base", next_turn="B"), "next_turn", "DF-24.4"),
    "crashed, but on the board": (
        of_example("team-battle", B={"place": "0,0 N"}), "players.B.place",
        "DF-19.2, DF-23.4, RULING 33, RULING 44"),
    "crashed, but with tokens": (
        of_example("team-battle", B={"tokens": 1}), "players.B.tokens",
        "DF-19.2, DF-23.4, RULING 33, RULING 44"),
    "one of two has crashed": (
        without(of_example("base", B={"crashed": True, "tokens": 0}), "B", "place"),
        "players.B.crashed", "DF-16.4"),
    "one of three flies": (
        without(without(of_example("battle-royale", A={"crashed": True, "tokens": 0},
                                   C={"crashed": True, "tokens": 0}), "A", "place"), "C", "place"),
        "players", "DF-22.5, DF-23.5"),
    "a Wingman without a start": (
        without(of_example("entente-vs-central-powers"), "C", "start"), "players.C.start",
        "DF-24.5"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_impossibility_is_refused_with_place_and_rule(case: str) -> None:
    """That fault, and no other beside it."""
    file, path, cite = CASES[case]
    with pytest.raises(BadPosition) as refusal:
        Game.refuse_faults(Dogfight1917Position.from_file(file, "mine.toml"), "mine.toml")
    assert [(fault.path, str(fault.cite)) for fault in refusal.value.faults] == [(path, cite)]
    assert str(refusal.value).startswith(f"mine.toml: {path}: ")
    assert f"[{cite}]" in str(refusal.value)


@pytest.mark.parametrize("case", CASES)
def test_every_fault_is_told_in_sentences_with_a_way_out(case: str) -> None:
    """What is wrong with whom, then what to do; no sum, and its rule stands beside it only."""
    position = read_position(Dogfight1917Position, CASES[case][0], "mine.toml")
    position.names = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cleo", Seat("D"): "Dan"}
    for fault in (*faults(position), *faults_at_start(position)):
        sentences = [part for part in fault.text.split(". ") if part]
        assert len(sentences) > 1, fault.text
        assert fault.text.endswith("."), fault.text
        assert all(part[0].isupper() or part[0].isdigit() for part in sentences), fault.text
        assert not re.search(r"Player [A-D]|\bDF-| = | \+ ", fault.text), fault.text


def people_at(table_at: Callable[..., Any], **adjusted: Any) -> str:
    """What Ana and Ben read when an arbiter sets what cannot be."""
    table = table_at(seats={"A": "Ana", "B": "Ben"})
    with pytest.raises(BadPosition) as refusal:
        table.adjust(**adjusted)
    return refusal.value.faults[0].text


def test_df_2_6_both_people_and_planes_on_one_space_are_named(
    table_at: Callable[..., Any],
) -> None:
    """Whoever of the two was moved there: a bare space belongs to nobody."""
    words = ("Ana's Sopwith Camel and Ben's Fokker Dr.I cannot both stand on 0,-1: one Fighter a "
             "space. Put one of them elsewhere.")  # fmt: skip
    assert people_at(table_at, A__place="0,-1 N") == words


def test_df_4_2_a_sum_that_is_wrong_says_whose_cards_lie_where(
    table_at: Callable[..., Any],
) -> None:
    """Cards only change places: whoever sets a pile sets another with it."""
    assert people_at(table_at, A__deck=3) == (
        "Ana has 20 cards with those in the box, and not 14 (Deck 3, Hand 5, Discard Pile 4, "
        "Damage Pile 2). Set another pile with it, or count again."
    )


def test_df_3_6_a_model_taken_away_is_named_with_its_pilot(table_at: Callable[..., Any]) -> None:
    """By the person and the plane, not by the seat."""
    text = people_at(table_at, fokker="")
    assert text == ("Ben's Fokker Dr.I stands nowhere. Name its place, or say that it has crashed.")


def test_seats_are_taken_from_a_on() -> None:
    """With three players nobody sits at D.  (DF-5.1)"""
    file = of_example("battle-royale")
    file["players"]["D"] = file["players"].pop("C")
    assert ("players.C", "DF-5.1") in faults_of(file)


def test_nobody_flies() -> None:
    """A game in which all have crashed is over.  (DF-22.5)"""
    file = of_example("battle-royale")
    for seat in "ABC":
        without(file, seat, "place")["players"][seat] |= {"crashed": True, "tokens": 0}
    assert ("players", "DF-22.5, DF-23.5") in faults_of(file)
    told = [fault.text for fault in _refusal(file).faults]
    assert "Nobody would fly on, and the game would be over. Close the match instead." in told


def _refusal(file: File) -> BadPosition:
    with pytest.raises(BadPosition) as refusal:
        Game.refuse_faults(Dogfight1917Position.from_file(file), "position")
    return refusal.value


def test_all_faults_are_found_at_once() -> None:
    """Not only the first; the message counts the others."""
    file = of_example("base", A={"deck": 19, "place": "9,9 N"}, B={"hand": 0}, active="D")
    refusal = _refusal(file)
    assert {fault.path for fault in refusal.faults} == {
        "active", "players.A", "players.A.place", "players.B",
    }  # fmt: skip
    assert "(and 3 more)" in str(refusal)


def test_a_position_may_be_half_way_through_set_up() -> None:
    """Nobody need have chosen, and what set-up has dealt and placed lies there.  (DF-3.2)"""
    assert faults_of(of_example("set-up")) == []
    dealt = {"deck": 15, "hand": 5, "tokens": 2, "place": "0,-1 N"}
    assert faults_of(of_example("set-up", A=dealt)) == []
    assert faults_of(of_example("set-up", B={"place": "0,0 N"})) == [
        ("players.B.fighter", "DF-3.2"),
    ]


def test_a_first_game_has_three_cards_in_the_box() -> None:
    """17 in play and 3 in the box are 20; both may have a Pilot Mentor.  (DF-3.3, DF-4.2)"""
    line = {
        "deck": 12, "hand": 5, "discard": 0, "damage": 0, "box": 3, "pilot": "mentor", "side": "A",
        "tokens": 2, "known": {"box": {"Basic Maneuver": 2, "Evasive Climb": 1}},
    }  # fmt: skip
    file = of_example("base", turn=1, phase="reconnaissance", improvised=False, A=line, B=line)
    assert faults_of(file) == []


def test_two_wingmen_may_wait_at_once() -> None:
    """Both come back; both Leaders fly.  (DF-24.3, RULING 39)"""
    file = without(of_example("entente-vs-central-powers"), "D", "place")
    assert faults_of(file) == []


def in_mode(
    file: File, returning: frozenset[Seat], side_of: Mapping[Seat, Seat]
) -> list[tuple[str, str]]:
    """Place and rule of each fault, where the mode is known."""
    position = read_position(Dogfight1917Position, file, "mine.toml")
    position.returning, position.side_of = returning, side_of
    return [(fault.path, str(fault.cite)) for fault in faults(position)]


def test_nobody_comes_back_where_the_mode_has_no_wingmen() -> None:
    """In Team Battle whoever is off the board has crashed.  (DF-23.4)"""
    file = of_example("entente-vs-central-powers")
    assert in_mode(file, WINGMEN, TEAM_OF) == []
    assert in_mode(file, frozenset(), TEAM_OF) == [("players.C.place", "DF-3.6")]


def test_df_23_5_a_team_without_a_fighter_has_lost() -> None:
    """Two who fly on are enough for Battle Royale, not where they are a team."""
    file = without(of_example("team-battle", D={"crashed": True, "tokens": 0}), "D", "place")
    assert in_mode(file, frozenset(), {}) == []
    assert in_mode(file, frozenset(), TEAM_OF) == [("players", "DF-22.5, DF-23.5")]


def test_df_24_a_wingman_is_never_out_and_a_leader_ends_the_game() -> None:
    """Only where Wingmen come back.  (DF-24.3, DF-24.7)"""
    file = of_example("entente-vs-central-powers", C={"crashed": True, "tokens": 0})
    assert in_mode(file, WINGMEN, TEAM_OF) == [("players.C.crashed", "DF-24.3")]
    assert in_mode(file, frozenset(), TEAM_OF) == []
    file = of_example("team-battle")
    assert in_mode(file, WINGMEN, TEAM_OF) == [("players.B.crashed", "DF-24.7")]


def test_an_absent_wingman_may_draw() -> None:
    """In Reconnaissance the Fighter is still off the board.  (DF-24.5)"""
    file = of_example("entente-vs-central-powers", active="C", phase="reconnaissance",
                      maneuvered=False)  # fmt: skip
    assert faults_of(file) == []


def test_the_tables_own_board_judges() -> None:
    """What is off the assumed board may be on a larger one, and the other way round.  (DF-2.2)"""
    position = read_position(
        Dogfight1917Position, of_example("base", B={"place": "0,-5 N"}), "mine.toml"
    )
    position.table = read_figures({"board": {"radius": 5}})
    assert faults(position) == []
    position.table = read_figures({"board": {"radius": 2, "one_token": [], "two_tokens": []}})
    (fault,) = faults(position)
    assert fault.path == "players.B.place"
    assert "0,-5: that is off the board of 19 spaces (assumed figures)" in fault.text


def test_opt_16_a_21st_token_is_refused_where_the_supply_ends() -> None:
    """By the house rule alone.  (DF-15.1)"""
    position = read_position(
        Dogfight1917Position, of_example("base", A={"tokens": 12}, B={"tokens": 9}), "mine.toml"
    )
    assert faults(position) == []
    position.house = {"token_supply_limited": True}
    (fault,) = faults(position)
    assert (fault.path, str(fault.cite)) == ("players", "DF-15.1")
    assert "21 tokens" in fault.text


SPOILT: dict[str, tuple[Callable[[Dogfight1917Position], None], str]] = {
    "a phase nobody knows": (lambda p: setattr(p, "stage", "lunch"), "phase"),
    "a Fighter nobody knows": (lambda p: setattr(p.players[Seat("A")], "fighter", "gotha"),
                               "players.A.fighter"),
    "a pilot nobody knows": (lambda p: setattr(p.players[Seat("A")], "pilot", "ana"),
                             "players.A.pilot"),
    "fewer than no tokens": (lambda p: setattr(p.players[Seat("A")], "tokens", -1),
                             "players.A.tokens"),
    "fewer than no cards": (lambda p: p.players[Seat("A")].piles.counts.update(
        deck=-1, discard=15), "players.A.deck"),
    "more cards in a pile than exist": (lambda p: p.players[Seat("A")].piles.counts.update(
        deck=21, hand=-10, discard=7), "players.A.deck"),
    "a heading between two": (lambda p: setattr(
        p.players[Seat("A")], "plane", p.players[Seat("A")].at._replace(facing=6)),
        "players.A.place"),
    "a card nobody knows": (lambda p: p.players[Seat("A")].piles.known.update(discard=["Loop"]),
                            "players.A.known"),
}  # fmt: skip


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_position_is_named_too(case: str) -> None:
    """No file says such things, but a rule of ours that went wrong might."""
    spoil, path = SPOILT[case]
    position = Dogfight1917Position.from_file(of_example("base"))
    spoil(position)
    assert path in [fault.path for fault in faults(position)]


def test_each_fault_cites_what_the_table_can_read() -> None:
    """Every rule and ruling cited is written down in our own words."""
    paragraphs = read_paragraphs(HERE / "paragraphs.toml")
    cites = [value for value in vars(position_faults).values() if isinstance(value, Cite)]
    assert len(cites) > 15
    for cite in cites:
        for rule in (*cite.rules, *(f"RULING {number}" for number in cite.rulings)):
            assert rule in paragraphs
