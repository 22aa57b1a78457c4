"""Late cards that the camera saw wait until people rule on each, whosever they are."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import (
    CardSeen,
    LateCard,
    PictureState,
    SectionSeen,
    SectionState,
    Sighting,
)
from companion.core.ruling import Seat

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
    seen = locked.referee.late
    see(locked, PILOTS, GUNNERS)
    told = [notice.text for notice in locked.referee.sight.notices]
    assert [text.split(" card")[0] for text in told] == ["A Jaws Pilot's", "A Jaws Gunner's"]
    assert seen.waiting == (GUNNERS, PILOTS)
    assert seen.whose(PILOTS) == ("JP",)
    seen.let_lie(GUNNERS, 2.0)
    assert seen.waiting == (PILOTS,)
    assert [notice.text for notice in locked.referee.sight.notices] == told[:1]
    with pytest.raises(BadCall, match="no late card waits"):
        seen.let_lie(GUNNERS, 2.0)
    seen.rule(PILOTS, Seat("JP"), 3.0)
    assert not locked.referee.sight.notices
    assert not seen.waiting
    see(locked, PILOTS, GUNNERS)
    assert not seen.waiting
    see(locked)
    see(locked, PILOTS)
    assert seen.waiting == (PILOTS,), "once the section was empty another card comes"


@pytest.mark.parametrize("late", [True, False])
def test_a_card_whose_back_is_read_after_the_word_waits_no_more(locked: Any, late: bool) -> None:  # noqa: FBT001
    """It was nobody's for the camera when people said whose it is, or that it may lie."""
    seen = locked.referee.late
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


MOVED = LateCard("Jaws.2", "JP", moved_from="Jaws.3")


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("late", "told", "piles", "owners"),
    [
        (PILOTS, {2: "1 1"}, {"JP": (0, 4, 0), "JG": (1, 3, 0)}, ["", "JG", "", ""]),
        (PILOTS, {2: "2 1"}, {"JP": (0, 3, 1), "JG": (0, 3, 1)}, ["", "", "", ""]),
        (MOVED, {2: "1 1"}, {"JP": (1, 3, 0), "JG": (1, 3, 0)}, ["", "JG", "JP", ""]),
        (MOVED, {2: "1 0", 3: "0 1"}, {"JP": (0, 3, 1), "JG": (0, 3, 1)}, ["", "", "", ""]),
    ],
    ids=["beside another", "to a doubled one", "moved beside another", "moved off a doubled one"],
)
def test_jp_5_7_what_the_camera_saw_come_late_is_recorded_as_ruled(
    locked: Any, late: LateCard, told: Any, piles: Any, owners: Any, *, checked: bool
) -> None:
    """Ruled on while the lock is told, or once it is: hands, track and Discard are as hands do."""
    match = locked.referee.match
    for section, borders in told.items():
        locked.say(f"round-1/lock/jaws/{section}", borders)
    if checked:
        locked.say("round-1/lock/checked", "checked")
    see(locked, late)
    (waiting,) = locked.referee.late.waiting
    locked.referee.late.rule(waiting, Seat("JP"), locked.now)
    if not checked:
        locked.say("round-1/lock/checked", "checked")
    counts = {player: match.position.piles[player].counts for player in ("JP", "JG")}
    assert {p: (c["track"], c["hand"], c["discard"]) for p, c in counts.items()} == piles
    assert match.position.owners["Jaws"] == owners
