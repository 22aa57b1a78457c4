"""Amend on the screen: every kind of answer can be touched anew, piece by piece if it has some."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from ui.scene.steps import has_coordinates
from ui.scene.values import KeyLook
from ui.screens.arbiter.amend import AmendState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.scene.values import Key

NOW = Stamp("table", "2026-11-21T19:00:00Z", 0.0)
PIECES = {"choosesome", "order", "declare"}
"""The kinds of question, besides rolls, whose answers are put together of several touches."""


def _tell(person: Any, setup: Setup, seed: int, most: int) -> None:
    """The first answers of a match of bots, told at the person's table."""
    match = Match[Any].start(setup, NOW)
    play_out(match, bots_of(setup, Random(seed)))
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    for entry in [entry for entry in match.entries if entry.kind == "answer"][:most]:
        question = person.match.open.get(entry.key)
        if question is not None:
            person.do(a.Answer(question.key, question.opened, entry.answer))


def _lines(person: Any) -> dict[str, int]:
    """The first line in effect of each kind of question."""
    kinds: dict[str, int] = {}
    for entry in person.match.entries:
        question = person.match.asked_at(entry.seq) if entry.kind == "answer" else None
        if question is not None and entry.answer != question.lapse:
            kinds.setdefault(question.kind, entry.seq)
    return kinds


def _keys(state: AmendState) -> list[Key]:
    return [key.key for group in state.pad for key in group.keys]


@pytest.mark.parametrize(
    ("setup", "most", "wanted"),
    [
        (Setup("dogfight-1917"), 60, {"choose", "roll", "rollagain"}),
        (Setup("dogfight-hex"), 30, {"choose"}),
        (Setup("talespin-dogfight"), 30, {"choose"}),
        (Setup("starship-edition"), 60, {"choose"}),
    ],
    ids=lambda one: one.box if isinstance(one, Setup) else "",
)
def test_every_kind_of_answer_has_keys_to_amend_it(
    person: Any, setup: Setup, most: int, wanted: set[str]
) -> None:
    _tell(person, setup, 3, most)
    kinds = _lines(person)
    assert wanted <= kinds.keys()
    for kind, seq in kinds.items():
        state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
        touched = [key.action for key in _keys(state) if key.action is not None]
        touched += [space.action for space in state.spaces.spaces] if state.spaces else []
        alone = state.frame.bottom.message.first == "There was no other answer."
        assert touched or alone, f"line {seq}, a {kind}, has no keys"
        assert all(isinstance(action, a.AmendTo | a.AmendFill | a.Show) for action in touched)
        person.do(a.Back())


def _fire(person: Any) -> tuple[int, list[Json]]:
    """The first line with two dice, and what they showed."""
    entry = next(
        entry
        for entry in person.match.entries
        if isinstance(entry.answer, list) and len(entry.answer) == 2
    )
    return entry.seq, [*entry.answer]


def test_dice_are_amended_die_by_die_and_the_last_one_shows_what_they_change(person: Any) -> None:
    """None is filled in: whoever read one die wrongly looks at both again."""
    _tell(person, Setup("dogfight-1917"), 3, 60)
    seq, was = _fire(person)
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert [group.title for group in state.pad] == ["Die 1", "Die 2"]
    assert [[key.key.label for key in group.keys] for group in state.pad] == [list("123456")] * 2
    state = person.touch(state.pad[1].keys[0].key.action)
    assert not state.changes
    state = person.touch(state.pad[0].keys[2].key.action)
    assert (state.was, state.now) == (", ".join(map(str, was)), "3, 1")
    assert state.changes


def _first(setup: Setup, kind: type) -> tuple[int, int]:
    """A seed whose match has an answer of pieces like this, and that line."""
    for seed in range(60):
        match = Match[Any].start(setup, NOW)
        play_out(match, bots_of(setup, Random(seed)))
        for entry in match.entries:
            if entry.kind != "answer" or not isinstance(entry.answer, kind):
                continue
            told: Any = entry.answer
            question = match.asked_at(entry.seq)
            pieces = told.values() if isinstance(told, dict) else told
            if question is not None and question.kind in PIECES and any(pieces):
                return seed, entry.seq
    raise AssertionError("no bot was asked for it")


def test_shown_cards_are_amended_one_by_one(person: Any) -> None:
    """A Regroup's cards: counts of many parts begin at what was told, and go on by a key."""
    seed, seq = _first(Setup("dogfight-1917"), dict)
    _tell(person, Setup("dogfight-1917"), seed, seq)
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert state.frame.bottom.next.action is None
    (group,) = state.pad
    counted = [key.key for key in group.keys if not key.key.label.endswith(" 0")]
    assert counted, "it begins at what was told"
    state = person.touch(group.keys[0].key.action)
    assert state.pad, "nothing is shown before the key that goes on"
    assert state.frame.bottom.next.label == "What changes"


def test_an_order_is_amended_by_touching_it_anew(person: Any) -> None:
    """What falls together in Starship."""
    setup = Setup("starship-edition", options={"players": 3})
    seed, seq = _first(setup, list)
    _tell(person, setup, seed, seq)
    entry = person.match.entries[seq]
    state = person.touch(a.Show(a.Panel.AMEND, str(entry.seq)))
    for name in entry.answer:
        question = person.match.asked_at(entry.seq)
        label = next(option.label for option in question.offered if option.name == name)
        state = person.touch(next(key for key in _keys(state) if key.label == label).action)
    go_on = state.frame.bottom.next
    assert go_on.action == a.AmendTo(entry.seq, entry.answer)
    assert person.touch(go_on.action).now


def test_counts_that_are_keys_of_their_own_need_no_key_that_goes_on(person: Any) -> None:
    """A section of the lock: one touch shows what it changes; rows name seats as people do."""
    person.to_lock()
    seq = person.match.entries[-1].seq + 1
    person.answer("lock/jaws/1", {"pilot": 1, "gunner": 0})
    person.answer("lock/jaws/2", {"pilot": 0, "gunner": 1})
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert len(_keys(state)) == 9
    assert state.frame.bottom.next is None
    state = person.touch(_keys(state)[0].action)
    assert state.now == "pilot 0, gunner 0"


def test_what_is_kept_is_named_by_people_not_by_codes(person: Any) -> None:
    person.to_section(1, {"jaws/1": "pilot", "paws/1": "gunner"})
    seq = next(s.seq for s in person.match.steps if s.key.endswith("discard/JP"))
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    state = person.touch(_keys(state)[1].action)
    notes = [change.note for change in state.changes if "kept" in change.title]
    assert notes
    assert all("Discard · Jaws Gunner" in note for note in notes)


def test_a_move_is_amended_on_the_map_and_nowhere_by_coordinates(person: Any) -> None:
    """A space, then the heading where there are several; was and now name no numbers."""
    _tell(person, Setup("dogfight-hex"), 3, 30)
    moves = [s for s in person.match.steps if "/move/" in s.key and s.value != "stay"]
    seq = moves[0].seq
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert state.spaces is not None
    told = person.match.asked_at(seq).in_words(person.match.entries[seq].answer)
    assert told not in (state.was, state.now)
    turned = next(one for one in state.spaces.spaces if isinstance(one.action, a.AmendFill))
    state = person.touch(turned.action)
    assert [one.space for one in state.spaces.spaces if one.chosen] == [turned.space]
    heading = next(key for key in _keys(state) if isinstance(key.action, a.AmendTo))
    assert "," not in heading.label
    state = person.touch(heading.action)
    assert state.was == "As it was told"
    assert state.now == f"Where you touched, facing {heading.label}"


def test_the_log_says_that_an_amended_wreckage_lies_elsewhere(person: Any) -> None:
    """Nothing but its coordinates is different, and no board has those in print."""
    _tell(person, Setup("dogfight-hex"), 3, 30)
    referee, asked_at = person.table.refereed(), person.match.asked_at
    placed = [step.seq for step in person.match.steps if "wreck" in step.key]
    assert placed
    seq = placed[0]
    for place in [one.name for one in asked_at(seq).options_now() if one.shows][:2]:
        referee.commit(referee.amend(seq, place, "misread"), person.clock())
    lines = person.touch(a.Show(a.Panel.LOG)).lines
    assert lines[-1].text.endswith(": placed, now elsewhere")


def test_what_an_amended_move_changes_is_shown_on_the_map(person: Any) -> None:
    """Dashed as it stands, its new space lit; no ruling names a space as no board has it."""
    _tell(person, Setup("dogfight-1917"), 3, 60)
    moves = [
        entry.seq
        for entry in person.match.entries
        if entry.kind == "answer"
        and (asked := person.match.asked_at(entry.seq)) is not None
        and any(option.shows for option in asked.options_now())
    ]
    seen = 0
    for seq in moves:
        state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
        ends = [space.action for space in state.spaces.spaces] if state.spaces else []
        for action in [one for one in ends if isinstance(one, a.AmendTo)][:2]:
            shown = person.touch(action)
            assert "," not in shown.was + shown.now.partition(", facing")[0]
            if shown.map is not None:
                dashed = {piece.piece for piece in shown.map.pieces if piece.dashed}
                solid = {piece.piece for piece in shown.map.pieces if not piece.dashed}
                assert dashed
                assert len(shown.map.lit) == len(
                    {
                        p.space
                        for p in shown.map.pieces
                        if p.piece in dashed & solid and not p.dashed
                    }
                )
                seen += 1
            assert not [c for c in shown.changes if has_coordinates(f"{c.was} {c.now} {c.note}")]
    assert seen


def test_a_number_of_many_is_typed_anew(person: Any) -> None:
    """Nothing is shown before the key that goes on; one next to it is a touch away."""
    _tell(person, Setup("dogfight-hex"), 3, 6)
    seq = next(s.seq for s in person.match.steps if person.match.asked_at(s.seq).kind == "count")
    was = int(str(person.match.entries[seq].answer))
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    labels = [key.label for key in _keys(state)]
    assert labels[:4] == ["1", "2", "3", "4"]
    assert str(was + 1) in labels
    state = person.touch(_keys(state)[0].action)
    assert (state.changes, state.frame.bottom.next.label) == ((), "What changes")
    assert person.go_on().now == "1"


def test_an_answer_that_stands_is_lit_and_touched_by_nobody(person: Any) -> None:
    """It would change nothing; where there was no other one the screen says so."""
    person.to_lock()
    seq = next(s.seq for s in person.match.steps if s.key.endswith("/toss"))
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    (lit,) = [key for key in _keys(state) if key.look is KeyLook.CHOSEN]
    assert lit.action is None
    seq = next(s.seq for s in person.match.steps if s.key.endswith("/placed"))
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert state.frame.bottom.message.first == "There was no other answer."
