"""Laws of every screen, held over whole matches of bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any
from urllib.parse import unquote

import pytest

from companion.core.errors import IllegalAnswer
from ui.demo.driver import actions_on
from ui.samples.match import SAMPLES
from ui.scene.scene import Scene
from ui.scene.values import Key, KeyLook
from ui.screens.match.result import ResultState
from ui.screens.match.ruling import RulingState, unread
from ui.touch import actions as a

SEEDS = (1, 2)


def keys_on(state: object) -> Iterator[Key]:
    """Every key of a screen."""
    if isinstance(state, Key):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from keys_on(part)
    elif is_dataclass(state) and not isinstance(state, type):
        for part in fields(state):
            yield from keys_on(getattr(state, part.name))


@pytest.fixture(params=SEEDS)
def whole_match(request: Any, bots: Callable[[int], Any]) -> Iterator[Any]:
    """Every screen of a match, one after the other."""
    played: Iterator[Any] = bots(request.param).play()
    return played


@pytest.mark.slow(gate=1)
def test_no_key_is_dead(whole_match: Iterator[Any]) -> None:
    """A key does something, or says why it cannot."""
    for state in whole_match:
        for key in keys_on(state):
            assert key.action is not None or key.second, (type(state).__name__, key)
            assert key.label, (type(state).__name__, key)


@pytest.mark.slow(gate=1)
def test_every_answer_on_a_screen_is_one_the_question_takes(
    person: Any, whole_match: Iterator[Any]
) -> None:
    """No screen offers what the rules refuse; a form's own check may still refuse them together."""
    seen = 0
    for state in whole_match:
        for action in actions_on(state):
            if not isinstance(action, a.Answer) or action.key not in person.match.open:
                continue
            question = person.match.open[action.key]
            assert action.opened == question.opened
            try:
                question.judge(action.raw)
            except IllegalAnswer as refused:
                pytest.fail(f"{action} is on the screen: {refused}")
            seen += 1
    assert seen > 200


def test_every_ruling_is_shown_once_with_its_cite(person: Any, whole_match: Iterator[Any]) -> None:
    """Nothing the book said is passed over."""
    read = 0
    for state in whole_match:
        if isinstance(state, RulingState):
            assert all(line.why.second for line in state.lines)
            assert state.band.lines
        read = max(read, person.view.read)
    assert read == len(person.match.rulings)


def test_the_count_sheet_adds_up(person: Any, whole_match: Iterator[Any]) -> None:
    """JP-21.1: each row has thirty cards; the code for the logbook names every player."""
    last = list(whole_match)[-1]
    assert isinstance(last, ResultState)
    assert last.columns == ("Deck", "Hand", "Discard", "Scrap", "Track", "Sum")
    counts = [[*map(int, row.values)] for row in last.rows]
    assert [(sum(piles), in_all) for *piles, in_all in counts] == [(30, 30)] * 4
    assert [row.player for row in last.rows] == ["Ana", "Bo", "Cleo", "Dan"]
    code = unquote(last.code)
    assert all(f'"name":"{row.player}"' in code for row in last.rows)
    assert len(last.code) < 2_000


def test_ruling_4_hidden_counts_are_nowhere_on_a_screen(
    person: Any, bots: Callable[[int], Any]
) -> None:
    """public_counts false: no strip, no sheet, no message tells how many cards a pile holds."""
    person.to_round(public_counts=False)
    assert [strip.lines for strip in person.state.strips] == [(), ()]
    person.wait(20.0)
    person.go_on()
    person.answer("checked", "checked")
    person.answer("nobody", "nobody")
    person.answer("discard/JP", 2)
    state = person.answer("drawn", "drawn")
    while isinstance(state, RulingState):
        assert "deck" not in state.frame.bottom.message.first
        state = person.go_on()


@pytest.mark.slow
def test_panels_open_and_close_at_every_moment(person: Any, bots: Callable[[int], Any]) -> None:
    """Log, arbiter, menu and the rest never fail, whatever is being asked, and leave it alone."""
    for count, state in enumerate(bots(4).play()):
        if count % 7:
            continue
        for panel in a.Panel:
            person.touch(a.Show(panel, "3"))
            person.touch(a.Back())
        assert person.state == state


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_keep_the_laws_of_screens(name: str) -> None:
    """Samples are looked at as if they were real: no dead key, no next tap without words."""
    state = SAMPLES[name]
    for key in keys_on(state):
        assert key.action is not None or key.second, key
        assert key.look is not KeyLook.IMPOSSIBLE or key.action is None
    assert state.frame.top.title


def test_each_step_has_its_own_rulings_and_none_is_left_out(
    person: Any, whole_match: Iterator[Any]
) -> None:
    """The ruling of the deed at hand is among the sentences, and each stands in one step alone.

    The last ones are told with what is asked next, where its answer says that hands have done them.
    """
    shown: list[str] = []
    for state in whole_match:
        if not isinstance(state, RulingState):
            continue
        view = person.view
        rulings = unread(Scene(person.table.situation(), view))
        shown = [] if view.deed == 0 else shown
        texts = [line.first for line in state.lines]
        assert not set(texts) & set(shown) or state.band.queue
        shown += texts
        at, _, of = state.band.queue.partition(" of ")
        if at == of:
            told = list(dict.fromkeys(shown))
            wanted = list(dict.fromkeys(words(ruling) for ruling in rulings))
            key = state.frame.bottom.next
            beside = key is not None and isinstance(key.action, a.NextDeed)
            assert told == (wanted[: len(told)] if beside else wanted)


def words(ruling: Any) -> str:
    """A ruling without the step that stands beside it."""
    return str(ruling.text.partition(f"step {ruling.step}: ")[2] or ruling.text)
