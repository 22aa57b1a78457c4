"""Cards declared at the table: kept by one touch, and used by the next match of the box."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.match.rulebook import Setup
from ui.scene.values import KeyLook
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.match.ruling import RulingState
from ui.table.settings_file import OwnFigures
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import SetupDraft, View

DECLARED = ["A", "A", "B 3,5", "set", "pass", "pass", "end", "pass", "pass", "pass", "end",
            "unknown Tractor beam", "ATTACK", "free", "damage", "others", "2", "yes",
            "nothing more"]  # fmt: skip
BOX = "starship-edition"


def play(person: Any, answers: list[str], **setup: Any) -> None:
    """Answer what is asked, in order, by touches on nothing but the questions."""
    person.table.new_match(Setup(BOX, **setup))
    person.view = act(a.Checked(), person.table, View())
    for raw in answers:
        match = person.match
        question = next(q for key, q in match.open.items() if key not in match.answered)
        person.touch(a.Anyway(a.Answer(question.key, question.opened, raw)))
        assert person.view.refusal is None, (question.key, raw, person.view.refusal)
        while isinstance(person.state, RulingState):
            person.go_on()


def arbiter(person: Any) -> Any:
    person.touch(a.Show(a.Panel.ARBITER))
    state = person.touch(a.TurnPage(1))
    assert isinstance(state, ArbiterState)
    return state


def keep_key(state: Any) -> Any:
    """On the second page of the arbiter's keys."""
    return next((key for key in state.keys if key.label in ("Keep", "Kept")), None)


def test_a_declared_card_is_kept_and_played_with_in_the_next_match(
    person: Any, tmp_path: Path
) -> None:
    """The screen says which, and in which file; the next match offers it by its title."""
    play(person, DECLARED)
    state = arbiter(person)
    assert "Tractor beam" in state.frame.bottom.message.first
    assert keep_key(state).second == "1 card"
    state = person.touch(keep_key(state).action)
    file = tmp_path / f"kept-{BOX}.toml"
    assert state.frame.bottom.message.first == "Kept: Tractor beam"
    assert state.frame.bottom.message.second == str(file)
    assert keep_key(state).look is KeyLook.IMPOSSIBLE
    assert list(tomllib.loads(file.read_text("utf-8"))["cards"]) == ["Tractor beam"]
    person.touch(a.Leave())
    person.view = View(setup=SetupDraft(box=BOX))
    person.touch(a.StartMatch())
    assert "Tractor beam" in person.match.rulebook.cards()


def test_a_match_that_has_taught_nothing_has_no_key_for_it(person: Any) -> None:
    """And a touch that comes all the same is refused with its reason."""
    play(person, DECLARED[:3])
    state = arbiter(person)
    assert keep_key(state) is None
    state = person.touch(a.KeepLearned())
    assert "Nothing to keep" in state.frame.refusal.text


def test_a_card_that_the_table_has_already_stays_as_it_is(person: Any, tmp_path: Path) -> None:
    """The file's own words go before those of a match."""
    play(person, DECLARED)
    person.touch(a.KeepLearned())
    before = (tmp_path / f"kept-{BOX}.toml").read_text("utf-8")
    person.touch(a.KeepLearned())
    assert (tmp_path / f"kept-{BOX}.toml").read_text("utf-8") == before


def test_a_full_disk_is_said_where_it_was_touched(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept, and the screen does not say so."""
    play(person, DECLARED)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ui.table.settings_file.write_whole", full)
    state = arbiter(person)
    state = person.touch(keep_key(state).action)
    refusal = state.frame.refusal
    assert "No space left on device" in refusal.text + refusal.way_out
    assert keep_key(state).label == "Keep"


def test_bots_teach_nothing(person: Any, tmp_path: Path) -> None:
    """A demonstration leaves the table's files alone."""
    play(person, DECLARED, demonstration=True)
    assert keep_key(arbiter(person)) is None
    person.touch(a.KeepLearned())
    assert not OwnFigures.load(tmp_path, type(person.match.rulebook)).figures
