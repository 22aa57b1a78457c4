"""An amend that changes very much is told in a few pages: what stands, what goes, whose hands."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, playing
from tests.ui.screens.conftest import PLAYERS, Person
from ui.scene.theme import Light, Theme
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.changes import MOST_SHEETS, SHORT_A_SHEET
from ui.screens.registry import parts_of
from ui.touch import actions as a


@contextmanager
def resumed(setup: Setup, seed: int, answers: int | None = None) -> Generator[Person]:
    """Somebody before a match that bots have played: so many answers, or to its end."""
    match = Match[Any].start(setup, STAMP)
    for _ in islice(playing(match, bots_of(setup, Random(seed)), 2000), answers):
        pass
    assert answers is not None or match.outcome is not None
    with TemporaryDirectory() as folder:
        made = Person(Path(folder))
        made.take_up(match)
        yield made
        made.table.close()


@pytest.fixture(scope="module")
def late() -> Iterator[Person]:
    """Four rounds on, as bots played them."""
    with resumed(Setup("jaws-and-paws", ("day",), PLAYERS), 3, 92) as made:
        yield made


@pytest.fixture(scope="module")
def worst(late: Person) -> a.AmendTo:
    """The key of an early line's amend that changes most."""
    found: list[tuple[int, int, a.AmendTo]] = []
    reveals = [one for one in late.match.entries if "reveal" in one.key][:2]
    for entry in reveals:
        state = late.touch(a.Show(a.Panel.AMEND, str(entry.seq)))
        keys = [cell.key.action for group in state.pad for cell in group.keys]
        for key in keys:
            if isinstance(key, a.AmendTo):
                with suppress(CompanionError):
                    revision = late.match.amend(key.seq, key.raw)
                    found.append((len(revision.flips), len(found), key))
    return max(found)[-1]


def test_it_is_told_in_short(late: Person, worst: a.AmendTo) -> None:
    """Not all of its rulings, but where it begins, and for each team no more than a page."""
    revision = late.match.amend(worst.seq, worst.raw)
    assert len(revision.flips) > 4 * MOST_SHEETS, "this match tells nothing of long amends"
    late.touch(a.Show(a.Panel.AMEND, str(worst.seq)))
    state = late.touch(worst)
    assert isinstance(state, AmendState)
    assert state.pages <= 2 + 3, "first what matters, then Jaws, Paws and the table"
    assert state.changes[0].title == "Later answers"
    assert state.changes[0].note.partition(" ")[0].isdecimal()
    first = state.changes[1]
    assert first.whole
    flip = revision.flips[0]
    assert [first.was, first.now] == [one.text if one else "" for one in (flip.old, flip.new)]
    for page in range(1, state.pages):
        told = late.touch(a.TurnPage(1)).changes
        assert len(told) <= SHORT_A_SHEET, page
        assert all(one.title and (one.now or one.note) for one in told)


def test_in_a_dispute_the_reason_is_the_arbiters(late: Person, worst: a.AmendTo) -> None:
    """No touch is asked for it while a challenge is open."""
    late.touch(a.Show(a.Panel.AMEND, str(worst.seq)))
    assert late.touch(worst).frame.bottom.next.action is None, "a reason is chosen first"
    late.touch(a.OpenChallenge("Paws"))
    late.touch(a.Show(a.Panel.AMEND, str(worst.seq)))
    amend = late.touch(worst).frame.bottom.next.action
    assert isinstance(amend, a.Amend)
    assert amend.reason == "arbiter"


# An amend of what ended the match.


@pytest.fixture(scope="module")
def ended() -> Iterator[Person]:
    """The last shot of four ships has been told."""
    with resumed(Setup("dogfight-hex"), 5) as made:
        made.go_on()
        made.read_rulings()
        yield made


def test_that_the_match_goes_on_is_told_before_all_else(ended: Person) -> None:
    """Who had won is struck first, and told by no other row; the correction says it once more."""
    last = ended.match.steps[-1].seq
    pad = ended.touch(a.Show(a.Panel.AMEND, str(last)))
    keys = [space.action for space in pad.spaces.spaces if isinstance(space.action, a.AmendTo)]
    key = next(
        one for one in keys if ended.match.amend(one.seq, one.raw).changed.run.outcome is None
    )
    won = ended.match.outcome.ruling.text
    state = ended.touch(key)
    result = state.changes[0]
    assert (result.title, result.was) == ("The result", won)
    assert result.now == "The match goes on: nobody has won yet."
    others = [one for at in range(state.pages) for one in _page(ended, at).changes]
    assert sum(one.was == won for one in others) == 1
    ended.touch(a.SetReason("told wrongly"))
    ended.touch(a.Amend(key.seq, key.raw, "told wrongly"))
    ended.touch(a.NameArbiter("Zoe"))
    assert ended.match.outcome is None
    assert ended.state.frame.top.where == "The match goes on"


@pytest.fixture(scope="module")
def shot_down() -> Iterator[Person]:
    """A match of four that is over, with long names."""
    names = dict.fromkeys(PLAYERS, "Maximilian von Eschenbach")
    with resumed(Setup("jaws-and-paws", ("day",), names), 5) as made:
        made.read_rulings()
        yield made


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
def test_what_an_amend_changes_is_whole_in_every_size(
    shot_down: Person, make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Who had won, long rulings that are struck, and what becomes of later answers."""
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    reveals = [step.seq for step in shot_down.match.steps if "reveal" in step.key][-3:]
    pages, titles = 0, set[str]()
    for seq in reveals:
        for card in ("SH PL", "SH GC", "MPL own"):
            shot_down.touch(a.Show(a.Panel.AMEND, str(seq)))
            state = shot_down.touch(a.AmendTo(seq, card))
            for at in range(state.pages):
                shown = _page(shot_down, at)
                sheet.show("Amend", parts_of(shown, sheet.theme))
                assert list(judge.all(sheet)) == []
                told = [text for name, text in sheet.written() if name.startswith("change/")]
                assert not [text.text for text in told if text.cut]
                titles |= {one.title for one in shown.changes}
                pages += 1
            shot_down.touch(a.Back())
    assert pages > len(reveals)
    assert {"The result", "Later answers"} <= titles


def _page(person: Person, at: int) -> Any:
    if at:
        person.touch(a.TurnPage(1))
    return person.state
