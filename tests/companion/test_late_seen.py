"""Late cards that the camera saw wait until people rule on each, whosever they are."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import BadCall
from companion.offers import (
    CardSeen,
    LateCard,
    PictureState,
    SectionSeen,
    SectionState,
    Sighting,
)
from companion.ruling import Seat

PILOTS, GUNNERS = LateCard("Jaws.2", "JP"), LateCard("Jaws.2", "JG")
UNREAD = LateCard("Jaws.2")


@pytest.fixture
def locked(real_table: Any) -> Any:
    """A match of Jaws & Paws at its first lock."""
    match = real_table.referee.match
    while real_table.referee.clock is None:
        key = next(key for key in match.open if key not in match.answered)
        options = match.open[key].options_now()
        real_table.say(key, options[0].name if options else "ready")
    real_table.zero()
    return real_table


def see(table: Any, *late: LateCard) -> None:
    """The camera sees these cards come after the buzzer."""
    cards = tuple(CardSeen(one.owner) for one in late if one.owner)
    there = {"Jaws.2": SectionSeen(SectionState.DOUBT, cards)}
    sighting = Sighting(
        table.now + 1.0, 9, PictureState.SETTLED, {}, frozenset(), cards=there, late=late
    )
    table.referee.sight.look(sighting, table.now + 1.0)


def test_of_two_owners_on_one_section_each_is_ruled_on(locked: Any) -> None:
    """A word on the one leaves the other waiting; a report by mouth is a word, too."""
    seen = locked.referee.late_seen
    see(locked, PILOTS, GUNNERS)
    assert seen.waiting == (GUNNERS, PILOTS)
    assert seen.whose(PILOTS) == ("JP",)
    seen.let_lie(GUNNERS, 2.0)
    assert seen.waiting == (PILOTS,)
    with pytest.raises(BadCall, match="no late card waits"):
        seen.let_lie(GUNNERS, 2.0)
    seen.rule(PILOTS, Seat("JP"), 3.0)
    assert not seen.waiting
    see(locked, PILOTS, GUNNERS)
    assert not seen.waiting


@pytest.mark.parametrize("late", [True, False])
def test_a_card_whose_back_is_read_after_the_word_waits_no_more(locked: Any, late: bool) -> None:  # noqa: FBT001
    """It was nobody's for the camera when people said whose it is, or that it may lie."""
    seen = locked.referee.late_seen
    see(locked, UNREAD)
    (waiting,) = seen.waiting
    assert set(seen.whose(waiting)) == {"JP", "JG"}
    if late:
        seen.rule(waiting, Seat("JP"), 2.0)
    else:
        seen.let_lie(waiting, 2.0)
    see(locked, UNREAD)
    assert not seen.waiting
    see(locked, PILOTS)
    assert not seen.waiting
    see(locked, PILOTS, GUNNERS)
    assert seen.waiting == ((GUNNERS,) if late else ())
