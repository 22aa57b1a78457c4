"""What slot sensors say of the tracks: late cards, empty sections, counts held at the lock."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import AfterZero, CardEvent, CardMove, LateCard
from companion.core.ruling import Seat
from companion.referee.late import SENSOR, SETTLED_S, Tracks

NOTHING = (0,) * 8


def event(
    track: int, section: int, cards: int, after_s: float | None = None, error_s: float = 0.001
) -> CardEvent:
    """A section that shows so many cards now; `after_s` after zero."""
    after = None if after_s is None else AfterZero(after_s, error_s)
    move = CardMove.LAID if cards else CardMove.LIFTED
    return CardEvent(move, track, section, cards, 0.0, 0.001, 0.0, after)


@pytest.fixture
def phase(real_table: Any) -> Any:
    """A match of Jaws & Paws in its first Action Phase, with nothing on the tracks."""
    match = real_table.referee.match
    tracks: Tracks = real_table.referee.tracks
    tracks.sense(NOTHING, counts=True)
    while real_table.referee.clock is None:
        key = next(key for key in match.open if key not in match.answered)
        question = match.open[key]
        options = question.options_now()
        real_table.say(key, options[0].name if options else "ready")
    return real_table


def notice(table: Any, *events: CardEvent) -> None:
    for one in events:
        table.referee.card(one)
    table.tick()


def answers(table: Any) -> dict[str, Any]:
    """What the sensors answered at the lock, by team and section."""
    entries = table.referee.match.entries
    told = [entry for entry in entries if entry.kind == "answer" and entry.source == SENSOR]
    return {entry.key.partition("/lock/")[2]: entry.answer for entry in told}


def reports(table: Any) -> list[tuple[Any, str]]:
    entries = table.referee.match.entries
    return [(entry.answer, entry.reason) for entry in entries if entry.kind == "report"]


def test_empty_sections_are_answered_and_counts_are_held(phase: Any) -> None:
    """A doubled section counts two; whose they are, people tell, and are held to it."""
    notice(phase, event(0, 1, 1), event(0, 2, 2), event(1, 4, 1), event(1, 4, 0))
    phase.zero()
    assert not answers(phase), "a card of the last moment may still be on its way"
    phase.tick(SETTLED_S)
    assert set(answers(phase)) == {"jaws/3", "jaws/4", *(f"paws/{n}" for n in range(1, 5))}
    assert set(map(str, answers(phase).values())) == {"{'pilot': 0, 'gunner': 0}"}
    assert reports(phase) == [
        ({"what": "cards counted", "team": "Jaws", "section": 1, "cards": 1}, "slot sensor"),
        ({"what": "cards counted", "team": "Jaws", "section": 2, "cards": 2}, "slot sensor"),
    ]
    key = next(key for key in phase.asked if key.endswith("/lock/jaws/2"))
    phase.say(key, "1 0")
    assert phase.referee.refused is not None
    assert "2 counted" in phase.referee.refused.text
    phase.say(key, "1 1")
    assert phase.referee.refused is None


def test_a_sensor_that_does_not_count_holds_nobody_to_a_one(phase: Any) -> None:
    """Covered is not one card."""
    phase.referee.tracks.sense(NOTHING, counts=False)
    notice(phase, event(0, 1, 1))
    phase.zero()
    phase.tick(SETTLED_S)
    assert len(answers(phase)) == 7
    assert not reports(phase)


def test_without_live_sensors_nothing_is_answered(phase: Any) -> None:
    """People tell all eight; nothing waits for a box."""
    phase.referee.tracks.sense(None)
    phase.zero()
    phase.tick(1.0)
    assert not answers(phase)
    assert len([key for key in phase.asked if "/lock/" in key]) == 9


def test_what_people_said_first_stands(phase: Any) -> None:
    """The sensors contradict nobody silently: another answer is refused or told by the form."""
    notice(phase, event(1, 1, 1))
    phase.zero()
    phase.tick(SETTLED_S)
    key = next(key for key in phase.asked if key.endswith("/lock/jaws/1"))
    phase.say(key, "1 0")
    assert phase.referee.match.answered[key] == {"pilot": 1, "gunner": 0}
    phase.tick(5.0)
    assert phase.referee.match.answered[key] == {"pilot": 1, "gunner": 0}


def test_a_card_that_is_let_lie_counts(phase: Any) -> None:
    """People say that it lay there in time: its section is asked for as one with a card is."""
    phase.zero()
    notice(phase, event(0, 3, 1, 0.18, 0.0012))
    (late,) = phase.referee.late.waiting
    phase.referee.late.let_lie(late, phase.now)
    assert not phase.referee.late.waiting
    with pytest.raises(BadCall, match="no late card waits"):
        phase.referee.late.let_lie(late, phase.now)
    phase.tick(SETTLED_S)
    assert "jaws/3" not in answers(phase), "the sensors do not call it empty"
    assert "jaws/1" in answers(phase)


def test_a_late_card_is_named_and_ruled_on_when_somebody_says_whose_it_is(phase: Any) -> None:
    """With how late it was at least, and the sensor's own words as the reason."""
    phase.zero()
    notice(phase, event(0, 3, 1, 0.18, 0.0012))
    (late,) = phase.referee.late.waiting
    assert late == LateCard("Jaws.3", felt=AfterZero(0.18, 0.0012))
    assert not reports(phase)
    notice_of_it = phase.referee.late.rule(late, Seat("JG"), phase.now)
    assert notice_of_it.code == "JP-E20"
    assert reports(phase) == [
        ({"what": "late card", "player": "JG", "section": 3, "late_ms": 178},
         "slot sensor Jaws 3: laid 0.180 s ± 2 ms after zero"),
    ]  # fmt: skip
    assert not phase.referee.late.waiting
    with pytest.raises(BadCall, match="no late card waits"):
        phase.referee.late.rule(late, Seat("JG"), phase.now)
    phase.tick(SETTLED_S)
    assert "jaws/3" in answers(phase), "what was late does not count"


def test_a_report_of_what_a_sensor_saw_takes_its_evidence(phase: Any) -> None:
    """Whoever reports it by the screen or the terminal need not know how late it was."""
    phase.zero()
    notice(phase, event(1, 4, 1, 0.25))
    fact = {"what": "late card", "player": "pg", "section": 4}
    phase.referee.report(fact, phase.now)
    told, reason = reports(phase)[0]
    assert told == {**fact, "late_ms": 249}
    assert reason == "slot sensor Paws 4: laid 0.250 s ± 1 ms after zero"
    assert not phase.referee.late.waiting
    phase.referee.report({"what": "late card", "player": "PP", "section": 1}, phase.now)
    assert reports(phase)[1] == ({"what": "late card", "player": "PP", "section": 1}, "")


def test_only_its_own_team_may_have_laid_a_late_card(phase: Any) -> None:
    """A slip of the finger is refused, and the card waits on."""
    phase.zero()
    notice(phase, event(0, 3, 1, 0.18))
    (late,) = phase.referee.late.waiting
    assert phase.referee.late.whose(late) == ("JP", "JG")
    with pytest.raises(BadCall, match="PP lays no cards for Jaws; there are JP, JG"):
        phase.referee.late.rule(late, Seat("PP"), phase.now)
    assert phase.referee.late.waiting == (late,)


def test_a_card_moved_after_the_buzzer_says_whence(phase: Any) -> None:
    """Lifted from one section, laid on another of the same track."""
    notice(phase, event(1, 2, 1))
    phase.zero()
    notice(phase, event(1, 2, 0, 0.1), event(1, 3, 1, 0.4))
    (late,) = phase.referee.late.waiting
    assert (late.section, late.moved_from) == ("Paws.3", "Paws.2")
    notice_of_it = phase.referee.late.rule(late, Seat("PP"), phase.now)
    assert "Put it back on section 2" in notice_of_it.way_out


def jaws(table: Any) -> Any:
    """What the record has of Jaws' cards: on the track, in hand and discarded, and whose where."""
    position = table.referee.match.position
    piles = {p: (c["track"], c["hand"], c["discard"]) for p, c in _counts(position).items()}
    return piles, position.owners["Jaws"]


def _counts(position: Any) -> dict[str, dict[str, int]]:
    return {player: position.piles[player].counts for player in ("JP", "JG")}


@pytest.mark.parametrize("found", ["while the lock is told", "once it is told"])
@pytest.mark.parametrize("counts", [True, False])
def test_jp_5_7_a_late_card_beside_another_leaves_that_one_played(
    phase: Any, found: str, *, counts: bool
) -> None:
    """Where sensors count, the lock is held to one card; else both are told, and it is put right.

    Either way the record is what hands do: the late one back in hand, the other one on the track.
    """
    tracks = phase.referee.tracks
    tracks.sense(NOTHING, counts=counts)
    notice(phase, event(0, 2, 1))
    phase.zero()
    phase.tick(SETTLED_S)
    notice(phase, event(0, 2, 2, 0.4))
    key = next(key for key in phase.asked if key.endswith("/lock/jaws/2"))
    phase.say(key, "0 1" if counts else "1 1")
    (late,) = phase.referee.late.waiting
    if found == "while the lock is told":
        assert "returns to the hand" in phase.referee.late.rule(late, Seat("JP"), phase.now).text
        phase.say(next(key for key in phase.asked if key.endswith("checked")), "checked")
    else:
        phase.say(next(key for key in phase.asked if key.endswith("checked")), "checked")
        assert phase.referee.late.waiting == (late,), "it still waits to be ruled on"
        assert "returns to the hand" in phase.referee.late.rule(late, Seat("JP"), phase.now).text
    assert jaws(phase) == ({"JP": (0, 4, 0), "JG": (1, 3, 0)}, ["", "JG", "", ""])


@pytest.mark.parametrize("found", ["while the lock is told", "once it is told"])
def test_jp_5_7_a_card_moved_late_is_recorded_where_it_lay(phase: Any, found: str) -> None:
    """The sensor says whence: it is put back there, beside the mate's, and doubles that section."""
    tracks = phase.referee.tracks
    tracks.sense(NOTHING, counts=False)
    notice(phase, event(0, 3, 1))
    phase.zero()
    phase.tick(SETTLED_S)
    notice(phase, event(0, 3, 0, 0.2), event(0, 2, 1, 0.5))
    for section, told in ((2, "1 0"), (3, "0 1")):
        key = next(key for key in phase.referee.match.open if key.endswith(f"/lock/jaws/{section}"))
        phase.say(key, told)
    (late,) = phase.referee.late.waiting
    if found != "while the lock is told":
        phase.say(next(key for key in phase.asked if key.endswith("checked")), "checked")
    notice_of_it = phase.referee.late.rule(late, Seat("JP"), phase.now)
    assert notice_of_it.way_out == "Put it back on section 3."
    if found == "while the lock is told":
        phase.say(next(key for key in phase.asked if key.endswith("checked")), "checked")
    assert jaws(phase) == ({"JP": (0, 3, 1), "JG": (0, 3, 1)}, ["", "", "", ""])


@pytest.mark.parametrize(
    "events",
    [
        [event(0, 1, 1, 0.001, 0.002)],
        [event(0, 1, 1, -0.05)],
        [event(0, 1, 1)],
    ],
    ids=["within the error", "before zero", "no zero known"],
)
def test_doubt_is_the_players(phase: Any, events: list[CardEvent]) -> None:
    """Not certainly late is in time, and counts."""
    phase.zero()
    notice(phase, *events)
    assert not phase.referee.late.waiting
    phase.tick(SETTLED_S)
    assert "jaws/1" not in answers(phase)


def test_a_card_lifted_and_put_back_is_not_late(phase: Any) -> None:
    """Somebody looked at a border."""
    notice(phase, event(0, 1, 1))
    phase.zero()
    notice(phase, event(0, 1, 0, 0.2), event(0, 1, 1, 0.5))
    assert not phase.referee.late.waiting
    phase.tick(SETTLED_S)
    assert "jaws/1" not in answers(phase)


def test_cards_that_lay_there_when_the_sensors_came_are_known(phase: Any) -> None:
    """A box plugged in in the middle of a phase."""
    phase.referee.tracks.sense(None)
    phase.referee.tracks.sense((1, 0, 0, 0, 0, 0, 0, 1), counts=True)
    phase.zero()
    phase.tick(SETTLED_S)
    assert {"jaws/1", "paws/4"}.isdisjoint(answers(phase))
    assert len(answers(phase)) == 6


def test_a_box_without_tracks_takes_no_notice(table: Any) -> None:
    """Sensors on the table mean nothing to it."""
    table.referee.tracks.sense(NOTHING, counts=True)
    table.ready()
    notice(table, event(0, 1, 1))
    table.zero()
    notice(table, event(0, 2, 1, 0.2))
    table.tick(1.0)
    assert not table.referee.late.waiting
    assert not answers(table)
