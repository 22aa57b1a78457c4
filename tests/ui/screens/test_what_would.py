"""What would? A key for beginners after a refusal or a miss; only where the table teaches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, playing
from companion.referee.teaching import last_miss
from tests.patience import wait_until
from tests.ui.screens.conftest import PLAYERS, Person
from ui.scene.scene import STOP_LOOKING, WHAT_WOULD, WOULD_HIT
from ui.scene.values import Mark
from ui.table import looking_ahead
from ui.touch import actions as a


def at_a_miss(person: Person) -> None:
    """A match that bots played until a shot has missed, gone on with at this table."""
    setup = Setup("jaws-and-paws", ("day",), PLAYERS, {})
    stamp = Stamp("", "2026-11-21T19:00:00.000Z", 0.0)
    match = Match[Any].start(setup, stamp)
    for _ in playing(match, bots_of(setup, Random(0)), 300):
        if last_miss(match) is not None:
            break
    made = person.table.record.create(match.setup, stamp)
    person.table.record.append(made, match.entries)
    person.table.resume(made)
    person.view = replace(person.view, read=len(match.rulings))


def keys_of(state: Any) -> tuple[Any, ...]:
    return tuple(state.frame.bottom.keys)


@pytest.fixture
def person(tmp_path: Path) -> Any:
    made = Person(tmp_path)
    yield made
    made.table.close()


@pytest.mark.parametrize("teach", [True, False])
def test_a_refusal_says_what_would_do(person: Person, *, teach: bool) -> None:
    """Off by default: then there is no such key."""
    assert not person.table.settings.teach
    person.table.set_setting("teach", teach)
    person.begin()
    key, question = next(iter(person.match.open.items()))
    person.table.offer(key, question.opened, "no such thing", "touch")
    refusal = person.state.frame.refusal
    assert refusal is not None
    assert (refusal.key == WHAT_WOULD) == teach
    if teach:
        told = person.touch(refusal.key.action).frame.refusal
        assert told.text == "Legal now"
        assert told.mark is Mark.OK
        assert all(question.in_words(o.name) in told.way_out for o in question.options_now()[:2])


def test_after_a_miss_the_screen_says_what_would_have_hit(person: Person) -> None:
    at_a_miss(person)
    assert WOULD_HIT not in keys_of(person.state)
    person.table.set_setting("teach", value=True)
    assert WOULD_HIT in keys_of(person.state)
    entries = len(person.match.entries)
    person.touch(a.WhatWould())
    wait_until(lambda: person.state.frame.refusal.mark is Mark.OK)
    assert "would have hit" in person.state.frame.refusal.text
    assert len(person.match.entries) == entries
    person.touch(a.Show(a.Panel.LOG))
    assert person.state.frame.refusal is None, "it stands until the next touch"


def test_nobody_waits_for_a_search_that_stalls(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells how far it is and is left off by its key, or by whatever else is touched."""
    at_a_miss(person)
    person.table.set_setting("teach", value=True)
    stalls, ended = Event(), Event()

    def tried(_match: Any, _refused: Any, goes_on: Any) -> str:
        goes_on(7)
        stalls.wait(60.0)
        ended.set()
        return "“Hard left” would have hit. At line 3: late."

    monkeypatch.setattr(looking_ahead, "taught", tried)
    for leaves_off in (STOP_LOOKING.action, a.Show(a.Panel.LOG)):
        person.touch(a.WhatWould())
        wait_until(lambda: "7 of" in person.state.frame.refusal.way_out)
        assert person.state.frame.refusal.key == STOP_LOOKING
        assert leaves_off is not None
        assert person.touch(leaves_off).frame.refusal is None
        person.view = replace(person.view, panels=())
    stalls.set()
    wait_until(ended.is_set)
    assert person.state.frame.refusal is None, "what comes too late is not told"
    person.touch(a.WhatWould())
    wait_until(lambda: person.state.frame.refusal.mark is Mark.OK)
    person.match.undo(stamp=Stamp("", "2026-11-21T19:01:00.000Z", 0.0))
    assert person.state.frame.refusal is None, "of a match that has gone on nothing is told"
