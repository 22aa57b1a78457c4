"""What hands are told after a report, and that every notice has room on the arbiter's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.ruling import TABLE, Cite, Ruling, Seat
from ui.scene.scene import Scene
from ui.scene.values import Mark
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.late import ToldState
from ui.screens.match.challenge import ChallengeState
from ui.screens.match.lock import LockState
from ui.screens.match.round import RoundState
from ui.screens.match.ruled import latest_words
from ui.touch import actions as a
from ui.touch.actions import Panel

if TYPE_CHECKING:
    from tests.ui.screens.conftest import Person


def report(person: Person, **fact: Any) -> Any:
    """Tell a late card of the Jaws Gunner on section 2, as the table saw it."""
    told = (("what", "late card"), ("player", "JG"), ("section", 2), *fact.items())
    person.touch(a.Show(Panel.REPORT))
    return person.touch(a.Report(told))


def test_a_late_card_told_by_hand_is_answered_by_a_band(person: Person) -> None:
    """Who does what, in the team's colour, with the rule; Done leads back to the lock."""
    person.to_lock()
    state = report(person)
    assert isinstance(state, ToldState)
    assert state.band is not None
    assert state.band.lines == ("BO:", "TAKE 2 BACK")
    assert state.band.side is not None
    assert state.band.side.name == "Jaws"
    assert state.text.startswith("Jaws section 2: a card of Jaws Gunner Bo laid late returns")
    assert state.frame.top.cite == "JP-5.7, RULING 6"
    assert isinstance(person.go_on(), LockState)


@pytest.mark.parametrize(
    ("options", "fact", "lines"),
    [
        ({"late_card": "discard"}, {}, ("BO:", "2 TO DISCARD")),
        ({}, {"moved_from": 1}, ("BO:", "2 TO 1")),
        ({"late_card": "accept"}, {}, None),
        ({"buzzer_grace_ms": 200}, {"late_ms": 150}, None),
    ],
)
def test_the_band_says_what_this_tables_rules_do_with_the_card(
    person: Person, options: Any, fact: Any, lines: Any
) -> None:
    """To the discard, back to where it lay, or nothing where it may lie: then words alone."""
    person.to_lock(**options)
    state = report(person, **fact)
    assert isinstance(state, ToldState)
    assert (state.band and state.band.lines) == lines
    assert state.text


def test_a_late_card_told_at_locked_is_answered_above_it(person: Person) -> None:
    """LOCKED had the screen; the answer stands over it, and Done leads back to it."""
    person.to_round()
    locked = person.wait(20.0)
    assert isinstance(report(person), ToldState)
    assert person.go_on() == locked


def test_a_report_that_comes_too_early_is_answered_with_the_clock_on_it(person: Person) -> None:
    """Until the buzzer cards are moved freely: said at once, while the phase goes on."""
    person.to_round()
    state = report(person)
    assert isinstance(state, ToldState)
    assert state.band is None
    assert "the buzzer has not sounded" in state.text
    assert state.frame.strip is not None
    assert state.frame.strip.count == "20"
    assert isinstance(person.go_on(), RoundState)


def test_a_report_that_blocks_is_told_by_the_screen_below(person: Person) -> None:
    """What stands on every screen until it is solved needs no page of its own."""
    person.to_lock()
    person.touch(a.Show(Panel.REPORT))
    state = person.touch(a.Report((("what", "token twice"), ("piece", "jaws"))))
    assert isinstance(state, LockState)
    assert state.frame.refusal is not None
    assert state.frame.refusal.code == "JP-E14"


# -- the arbiter's screen -------------------------------------------------------------------------


def test_the_first_touch_on_arbiter_offers_a_challenge_and_the_next_stops_the_clock(
    person: Person,
) -> None:
    """The largest key; who challenges is asked while the clock stands already."""
    person.to_round()
    person.wait(8.0)
    state = person.touch(a.Show(Panel.ARBITER))
    assert isinstance(state, ArbiterState)
    assert state.large
    assert state.keys[0].label == "Challenge"
    asked = person.touch(state.keys[0].action)
    clock = person.table.refereed().clock
    assert clock is not None
    assert not clock.running
    assert clock.rest(person.clock()) == pytest.approx(12.0)
    assert isinstance(asked, ArbiterState)
    assert isinstance(person.touch(asked.keys[0].action), ChallengeState)


def test_no_key_of_the_arbiter_is_dead(person: Person) -> None:
    """What can do nothing now is not there: without a clock neither Pause nor time to give."""
    person.to_lock()
    first = person.touch(a.Show(Panel.ARBITER))
    rare = person.touch(a.TurnPage(1))
    keys = (*first.keys, *rare.keys)
    assert all(key.action is not None for key in keys)
    assert not {"Pause", "Give 5 s", "Without camera"} & {key.label for key in keys}
    assert {"Report", "Adjust", "Amend", "Table check"} <= {key.label for key in first.keys}


def test_several_notices_have_pages_of_their_own_and_lose_no_word(person: Person) -> None:
    """One is told on every screen; of two each is whole, with what lifts it."""
    person.to_lock()
    for piece in ("jaws", "paws"):
        person.touch(a.Report((("what", "token twice"), ("piece", piece))))
    first = person.touch(a.Show(Panel.ARBITER))
    assert first.frame.refusal.code == "JP-E14"
    assert not first.notices
    state = person.touch(a.TurnPage(1))
    assert len(state.notices) == 2
    assert all(notice.key.label == "Solved" for notice in state.notices)
    assert all(notice.mark is Mark.BAD for notice in state.notices)
    person.touch(state.notices[0].key.action)
    assert not person.state.notices
    assert person.state.large, "one notice stands over the keys, all on one page"
    assert "More" not in [key.label for key in person.state.frame.bottom.keys]


def test_few_keys_of_the_arbiter_stand_on_one_page(person: Person) -> None:
    """In set-up there is no clock: nothing is a page further, and there is no key to turn one."""
    person.touch(a.StartMatch())
    state = person.touch(a.Show(Panel.ARBITER))
    labels = [key.label for key in state.keys]
    assert {"Challenge", "Report", "Adjust", "Amend", "Table check", "Close match"} <= {*labels}
    assert (state.pages, "More" in [key.label for key in state.frame.bottom.keys]) == (1, False)


def test_a_report_that_nothing_can_be_chosen_for_is_not_offered(person: Person) -> None:
    """Before the first round no earlier one went wrong; ships that lie nowhere yet are not gone."""
    person.touch(a.StartMatch())
    person.touch(a.Show(Panel.REPORT))
    offered = {key.label for key in person.state.keys}
    state = person.touch(a.Show(Panel.REPORT, "others"))
    while True:
        offered |= {key.label for key in state.keys}
        if state.page == state.pages:
            break
        state = person.touch(a.TurnPage(1))
    assert "A card came late" in offered
    assert "An earlier round went wrong" not in offered


def test_what_nobody_did_is_not_told_before_what_somebody_did(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where figures come from is told by itself, in full."""
    person.begin()
    figures = Ruling(
        "All figures are this table's own.", Cite.of("JP-1"), (), TABLE, "figures of this table",
        quiet=True,
    )  # fmt: skip
    done = Ruling("Jaws place the Sun.", Cite.of("JP-1"), (), Seat("Jaws"), "Sun", quiet=True)

    def latest(*rulings: Ruling) -> str:
        monkeypatch.setattr(person.match, "ruled_by", lambda: [(1, None, rulings)])
        return latest_words(Scene(person.table.situation(), person.view))

    assert latest(figures, done) == "Jaws place the Sun."
    assert latest(figures) == "All figures are this table's own."
