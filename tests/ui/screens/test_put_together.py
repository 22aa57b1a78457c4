"""Pieces that hands put on the board at once are one deed; the word that all is placed ends it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.question import Count
from companion.core.ruling import TABLE, Move, Seat
from companion.match.rulebook import Setup
from ui.scene.deeds import LIT, plain
from ui.scene.scene import Scene
from ui.scene.theme import Hand, Theme
from ui.screens.match.counts import CountsState
from ui.screens.match.field import FieldState
from ui.screens.match.ready import ReadyState
from ui.screens.match.ruling import RulingState, done_by
from ui.screens.registry import parts_of
from ui.screens.spoken import spoken
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))


def begin(person: Any, setup: Setup) -> None:
    """A match past its table check."""
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())


def test_hx_set_01_four_wreckages_by_lot_are_one_deed(person: Any) -> None:
    """One touch for all, every space lit, one sentence under their rule; then who was on a boat."""
    begin(person, Setup("dogfight-hex", ("base",), {}, {"players": 3}))
    state = person.answer("wreckage/wreck-1", "lot")
    assert isinstance(state, RulingState)
    assert state.band.lines == ("Place 4 Wreckage as shown",)
    assert not state.band.queue
    assert len(state.map.lit) == 4
    assert [line.first for line in state.lines] == ["4 Wreckage tokens lie on the lit spaces."]
    assert isinstance(person.go_on(), FieldState)
    assert person.view.read == len(person.match.rulings)


def test_wreckages_that_are_left_are_told_with_what_they_are(person: Any) -> None:
    """Two were told by hand, the others were drawn."""
    begin(person, Setup("dogfight-hex", ("base",), {}, {"players": 3}))
    person.answer("wreckage/wreck-1", "0,0")
    person.answer("wreckage/wreck-2", "1,0")
    state = person.answer("wreckage/wreck-3", "lot")
    assert state.band.lines == ("Place 2 Wreckage as shown",)
    assert isinstance(person.go_on(), FieldState)


def fighters(person: Any, players: int = 2) -> Any:
    """On to the deeds of the set-up of 1917."""
    mode = "base" if players == 2 else "battle-royale"
    names = ("Ana", "Bartholomäus", "Cleo", "Dan")[:players]
    seats = {Seat(seat): name for seat, name in zip("ABCD", names, strict=False)}
    begin(person, Setup("dogfight-1917", (mode,), seats))
    for _ in range(20):
        if "set-up/placed" in person.match.open:
            return person.state
        question = next(q for k, q in person.match.open.items() if k not in person.match.answered)
        person.touch(a.Answer(question.key, question.opened, question.options_now()[0].name))
    raise AssertionError(person.match.open)


BOTH = ("Place both pieces as shown",)


@pytest.mark.parametrize(
    ("players", "lines"), [(2, BOTH), (4, ("Dan", "place SPAD S.XIII as shown"))]
)
def test_df_3_6_fighters_are_placed_with_the_word_that_they_are(
    person: Any, players: int, lines: tuple[str, ...]
) -> None:
    """Each draws first; then one deed on the map, in whole words, and no touch of its own."""
    state = fighters(person, players)
    while isinstance(state, RulingState):
        assert "shuffle, draw 5" in state.band.lines
        state = person.go_on()
    assert isinstance(state, ReadyState)
    assert [band.lines for band in state.deeds] == [lines]
    assert state.map is not None
    assert len(state.map.lit) == (2 if lines == BOTH else 1)
    key = state.frame.bottom.next
    answer = key.action if key is not None else None
    assert isinstance(answer, a.Answer)
    assert answer.key == "set-up/placed"
    ruled = len(person.match.rulings)
    person.touch(answer)
    assert done_by(person.match, person.view) >= ruled


def test_jp_3_5_the_sun_is_placed_with_the_word_that_all_is(person: Any) -> None:
    """Both deeds, what is asked, and one key for all of it; a touch on a deed says why."""
    person.begin()
    person.answer("toss", "Jaws")
    state = person.answer("sun", "Jaws.GL")
    assert isinstance(state, ReadyState)
    assert [band.lines for band in state.deeds] == [("Jaws", "Sun to Jaws GL"), ("All: draw 4",)]
    assert spoken(state) == "Jaws. Sun to Jaws gl. All: draw 4. Table: all placed?"
    behind = person.touch(a.Show(a.Panel.RULED, "0"))
    assert isinstance(behind, RulingState)
    assert behind.band.lines == ("Jaws", "Sun to Jaws GL")
    person.go_on()
    state = person.go_on()
    assert {*person.match.open} == {"round-1/ready/jaws", "round-1/ready/paws"}


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("box", ["jaws-and-paws", "dogfight-1917"])
@pytest.mark.parametrize("hand", Hand)
def test_what_is_asked_stands_beside_the_map(person: Any, box: str, hand: Hand) -> None:
    """Nothing lies over anything else, and the map keeps room in every size."""
    if box == "jaws-and-paws":
        person.begin()
        person.answer("toss", "Jaws")
        state = person.answer("sun", "Jaws.GL")
    else:
        state = fighters(person)
        while isinstance(state, RulingState):
            state = person.go_on()
    for size in SIZES:
        parts = parts_of(state, Theme(size_px=size, hand=hand))
        shown = [part for name, part in parts.items() if name.startswith("map")]
        asked, band = parts["asked"].box, parts["band"].box
        high = max(part.box.bottom for part in shown) - min(part.box.y for part in shown)
        assert high >= 110, size
        assert band.bottom <= asked.y, size
        for part in shown:
            beside = part.box.x >= asked.right or part.box.right <= asked.x
            assert beside or part.box.y >= asked.bottom, size


def test_ts_108_piles_that_the_table_counts_are_named_in_their_rows(person: Any) -> None:
    """Each row by its pile, and the next tap says which pile comes then."""
    begin(person, Setup("talespin-dogfight", ("base",), {Seat("A"): "Ana", Seat("B"): "Bo"}))
    for _ in range(40):
        if any(question.by == TABLE for question in person.match.open.values()) and isinstance(
            person.state, CountsState
        ):
            break
        question = next(q for k, q in person.match.open.items() if k not in person.match.answered)
        raw = 3 if isinstance(question, Count) else question.options_now()[0].name
        person.touch(a.Answer(question.key, question.opened, raw))
    state = person.state
    assert isinstance(state, CountsState)
    assert [row.name for row in state.rows] == ["Draw pile", "Discard pile"]
    key = state.frame.bottom.next
    assert key is not None
    assert key.second == "Draw pile: no number yet"


def test_where_a_vessel_moved_is_told_in_a_sentence(person: Any) -> None:
    """Its space has no name in print: not "moves to its space"."""
    begin(person, Setup("starship-edition", ("base",), {Seat("A"): "Ana", Seat("B"): "Bo"}))
    scene = Scene(person.table.situation(), person.view)
    moved = Move(Piece("vessel-a"), Pose("5,3"), Pose("6,4"))
    said = plain(scene, "Ana moves to 6,4.", (moved,), lit=False)
    assert said == "Ana moves to a new space."
    assert plain(scene, "Ana moves to 6,4.", (moved,)) == f"Ana moves to {LIT}."
