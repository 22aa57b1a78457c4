"""The panel's buttons at the table: challenges stop the clock, and the referee lets it go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import LONG_PRESS_S, Button, Press, SignalEvent, SignalKind
from companion.core.ruling import TABLE
from companion.referee.challenge import Challenge, Verdict, challenges_in, counted_verdicts

Maker = Callable[..., Any]


def pressed(table: Any, button: Button, held_s: float = 0.0) -> None:
    table.referee.press(Press(button, table.now, held_s))
    table.tick()


def events(table: Any) -> list[str]:
    """What the clock did, as the record has it."""
    return [entry.answer["event"] for entry in table.disk.lines if entry.kind == "clock"]


def runs(table: Any) -> bool:
    clock = table.referee.clock
    assert clock is not None
    return bool(clock.running)


@pytest.mark.parametrize(
    ("button", "seat"), [(Button.CHALLENGE_FIRST, "A"), (Button.CHALLENGE_SECOND, "B")]
)
def test_a_teams_challenge_stops_the_clock_and_names_the_team(
    table: Any, button: Button, seat: str
) -> None:
    """Challenges come by button, not by shouting (field notes, 45)."""
    table.ready()
    pressed(table, button)
    assert not runs(table)
    assert str(table.referee.presses.challenge.by) == seat
    assert events(table) == ["started", "paused", "challenged"]
    said = table.disk.lines[-1].answer
    assert (said["by"], said["rest_s"], said["stopped"]) == (seat, 20.0, True)


def test_the_referees_next_press_decides_and_the_clock_goes_on(table: Any) -> None:
    table.ready()
    pressed(table, Button.CHALLENGE_FIRST)
    pressed(table, Button.REFEREE)
    assert runs(table)
    assert table.referee.presses.challenge is None
    assert events(table)[-2:] == ["decided", "resumed"]


def test_a_clock_that_stood_before_the_challenge_stands_after_it(table: Any) -> None:
    table.ready()
    pressed(table, Button.REFEREE)
    pressed(table, Button.CHALLENGE_SECOND)
    pressed(table, Button.REFEREE)
    assert not runs(table)
    pressed(table, Button.REFEREE)
    assert runs(table)


def test_the_referee_opens_a_challenge_by_holding_the_button(table: Any) -> None:
    """The first contact stops the clock; held on, it is a challenge, and its end goes on."""
    table.ready()
    pressed(table, Button.REFEREE)
    pressed(table, Button.REFEREE, LONG_PRESS_S)
    assert table.referee.presses.challenge == Challenge(TABLE, stopped_clock=True)
    assert not runs(table)
    pressed(table, Button.REFEREE)
    assert runs(table)


def test_holding_the_button_while_the_clock_stands_leaves_it_standing(table: Any) -> None:
    """The first contact lets it go on for a second; what was meant was a challenge."""
    table.ready()
    pressed(table, Button.REFEREE)
    pressed(table, Button.REFEREE)
    pressed(table, Button.REFEREE)
    assert not runs(table)
    pressed(table, Button.REFEREE)
    pressed(table, Button.REFEREE, LONG_PRESS_S)
    assert not runs(table)
    assert table.referee.presses.challenge is not None


def test_a_second_challenge_changes_nothing_while_one_is_open(table: Any) -> None:
    table.ready()
    pressed(table, Button.CHALLENGE_FIRST)
    before = list(table.disk.lines)
    pressed(table, Button.CHALLENGE_SECOND)
    pressed(table, Button.CHALLENGE_FIRST)
    assert table.disk.lines == before


def test_no_round_starts_until_an_open_challenge_is_decided(table: Any) -> None:
    """Whoever says ready, and however: the arbiter's word comes first."""
    pressed(table, Button.CHALLENGE_FIRST)
    table.ready()
    assert table.referee.refused.code == "Q-CHALLENGE"
    assert table.referee.clock is None
    pressed(table, Button.REFEREE)
    table.ready()
    assert runs(table)


def test_between_phases_a_challenge_is_noted_and_no_clock_is_missed(table: Any) -> None:
    """A dispute over a shot, with no clock running."""
    pressed(table, Button.CHALLENGE_FIRST)
    assert events(table) == ["challenged"]
    pressed(table, Button.REFEREE)
    assert events(table) == ["challenged", "decided"]
    assert table.referee.clock is None


def test_a_restarted_app_finds_the_challenge_open(table: Any, tables: Maker) -> None:
    """Whether it is decided is the log's to say."""
    table.ready()
    pressed(table, Button.CHALLENGE_SECOND)
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    assert again.referee.presses.challenge == table.referee.presses.challenge
    pressed(again, Button.REFEREE)
    once_more = tables(disk=table.disk)
    once_more.referee.begin(once_more.now)
    assert once_more.referee.presses.challenge is None


def test_a_held_ready_button_says_ready_once(table: Any) -> None:
    pressed(table, Button.READY_FIRST)
    entries = len(table.disk.lines)
    pressed(table, Button.READY_FIRST, LONG_PRESS_S)
    assert len(table.disk.lines) == entries


def test_a_box_without_teams_challenges_as_the_table(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(table.referee.match.rulebook), "buttons", ())
    pressed(table, Button.CHALLENGE_FIRST)
    assert table.referee.presses.challenge.by == TABLE


def test_the_clock_is_set_running_or_standing(table: Any) -> None:
    """Give, stop and set: each reaches what sounds as one call, and the log as one line."""
    table.ready()
    table.referee.set_rest(12.0, table.now)
    assert table.bell.rung == [("arm", 120.0), ("arm", 112.0)]
    table.referee.give(3.0, table.now)
    assert table.bell.rung[2:] == [("arm", 115.0)]
    table.referee.pause(table.now)
    table.referee.set_rest(30.0, table.now)
    assert table.bell.rung[3:] == [("pause",), ("stand", 30.0)]
    assert events(table) == ["started", "set", "given", "paused", "set"]
    clock = table.referee.clock
    assert (clock.rest_s, clock.total_s) == (30.0, 30.0)


def test_a_found_signal_process_is_given_the_round_again(table: Any) -> None:
    """It died, and another took its place: the deadline is what it was."""
    table.ready()
    table.tick(5.0)
    table.referee.signal(SignalEvent(SignalKind.LOST, "m1/round-1/locked", table.now))
    table.tick()
    assert table.referee.phase.silent
    table.referee.signal(SignalEvent(SignalKind.FOUND, "", table.now))
    table.tick(1.0)
    assert table.bell.rung == [("arm", 120.0), ("arm", 120.0)]
    assert table.referee.phase.silent == ""
    assert events(table)[-1] == "sounds again"


def test_the_record_has_every_sign_of_a_round(table: Any) -> None:
    """What sounded, when before zero, how late, and what was silent by wish."""
    round_id = "m1/round-1/locked"
    table.ready()
    signs = [
        SignalEvent(SignalKind.ZERO, round_id, 90.0),
        SignalEvent(SignalKind.ARMED, round_id, 100.0, 20.0),
        SignalEvent(SignalKind.CUE, round_id, 110.0, 10.0, 0.0002, muted=True),
        SignalEvent(SignalKind.ZERO, round_id, 120.0, 0.0, 0.0003),
    ]
    table.bell.history = lambda _: signs
    table.now = 120.0
    table.referee.signal(signs[-1])
    table.tick()
    sounded = next(e.answer for e in table.disk.lines if e.kind == "clock" and "signs" in e.answer)
    assert sounded["signs"] == [
        {"sign": "armed", "rest_s": 20.0, "before_zero_s": 20.0},
        {
            "sign": "cue",
            "rest_s": 10.0,
            "before_zero_s": 10.0,
            "late_s": 0.0002,
            "muted": True,
        },
        {"sign": "zero", "rest_s": 0.0, "before_zero_s": 0.0, "late_s": 0.0003},
    ]


# -- what is told of a challenge, and what comes of it ------------------------------------------


def test_who_challenges_may_be_told_after_the_clock_stands(table: Any, tables: Maker) -> None:
    """The first touch stops the clock; whose it is, is the table's until somebody says so."""
    table.ready()
    presses = table.referee.presses
    presses.open(table.now, TABLE, named=False)
    assert not runs(table)
    assert (presses.challenge.by, presses.challenge.named) == (TABLE, False)
    pressed(table, Button.CHALLENGE_SECOND)
    assert (presses.challenge.by, presses.challenge.named) == ("B", True)
    assert events(table)[-2:] == ["challenged", "challenger"]
    presses.call(table.now, "B")
    assert events(table)[-1] == "challenger", "said twice, it is one line"
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    assert again.referee.presses.challenge == presses.challenge


def test_claims_of_both_sides_are_kept_and_replaced(table: Any, tables: Maker) -> None:
    """The last word of each counts; the log keeps every one, and a restart finds them."""
    table.ready()
    presses = table.referee.presses
    presses.open(table.now, "A")
    presses.dispute(table.now, 2)
    presses.claim(table.now, "A", "It was  late ")
    presses.claim(table.now, "B", "It was in time")
    presses.claim(table.now, "A", "It was late by a second", author="Judy")
    challenge = presses.challenge
    assert (challenge.said_by("A"), challenge.said_by("B")) == (
        "It was late by a second",
        "It was in time",
    )
    assert challenge.line == 2
    assert table.disk.lines[-1].author == "Judy"
    assert [line.answer.get("claim") for line in table.disk.lines[-3:]] == [
        "It was late",
        "It was in time",
        "It was late by a second",
    ]
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    assert again.referee.presses.challenge == challenge
    presses.claim(table.now, "A", "")
    assert presses.challenge.said_by("A") == ""


@pytest.mark.parametrize(
    "told",
    [
        lambda presses: presses.claim(0.0, "A", "late"),
        lambda presses: presses.dispute(0.0, 1),
        lambda presses: presses.call(0.0, "A"),
    ],
)
def test_nothing_is_told_of_a_challenge_that_is_not_open(table: Any, told: Any) -> None:
    """A touch that came too late is refused in words, and nothing is logged."""
    lines = len(table.disk.lines)
    with pytest.raises(BadCall, match="No challenge is open"):
        told(table.referee.presses)
    assert len(table.disk.lines) == lines


def test_a_claim_too_long_and_a_line_that_is_none_are_refused(table: Any) -> None:
    presses = table.referee.presses
    presses.open(table.now, "A")
    lines = len(table.disk.lines)
    with pytest.raises(BadCall, match="at most 80 letters, and this has 81"):
        presses.claim(table.now, "A", "x" * 81)
    with pytest.raises(BadCall, match="no line 99"):
        presses.dispute(table.now, 99)
    assert len(table.disk.lines) == lines


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_log_keeps_what_came_of_a_challenge(table: Any, verdict: Verdict) -> None:
    """Whatever it is, the challenge is over and the log says which."""
    table.ready()
    table.referee.presses.open(table.now, "A")
    table.referee.decide(table.now, verdict, by="Judy")
    assert table.referee.presses.challenge is None
    (challenge,) = challenges_in(table.disk.lines)
    assert (challenge.by, challenge.verdict) == ("A", verdict)
    said = next(line for line in table.disk.lines if line.answer and "verdict" in str(line.answer))
    assert said.author == "Judy"
    clock = table.referee.clock
    assert (clock is None) is (verdict is Verdict.REPLAYED), "a round taken back has no clock"


def test_what_is_played_again_begins_with_all_of_its_time(table: Any) -> None:
    """The round is undone to before its first answer; ready, and the clock has all its seconds."""
    table.ready()
    table.tick(7.0)
    table.referee.presses.open(table.now, "A")
    table.referee.decide(table.now, Verdict.REPLAYED)
    stood = table.referee.clock
    assert stood is None
    assert not [step for step in table.referee.match.steps if step.key.startswith("round-1/")]
    table.ready()
    assert runs(table)
    assert table.referee.clock.rest(table.now) == 20.0


def test_before_any_round_there_is_nothing_to_play_again(table: Any) -> None:
    """The challenge stays open, and the reason is said."""
    table.referee.presses.open(table.now, "A")
    with pytest.raises(BadCall, match="nothing to play again"):
        table.referee.decide(table.now, Verdict.REPLAYED)
    assert table.referee.presses.challenge is not None


def test_a_lost_challenge_costs_one_where_they_are_counted(table: Any) -> None:
    """What stands was disputed in vain; withdrawn, corrected, or the arbiter's costs nobody."""
    presses = table.referee.presses
    presses.budget = 2
    for by, verdict in (
        ("A", Verdict.STANDS),
        ("A", Verdict.CORRECTED),
        ("A", Verdict.WITHDRAWN),
        (TABLE, Verdict.STANDS),
    ):
        presses.open(table.now, by)
        table.referee.decide(table.now, verdict)
    assert (presses.left("A"), presses.left("B"), presses.left(TABLE)) == (1, 2, 2)
    told = [line.answer["left"] for line in table.disk.lines if "left" in (line.answer or {})]
    assert told == [1]
    words = "3 challenges: 2 stood, 1 corrected"
    assert counted_verdicts(table.disk.lines) == words


def test_lines_of_earlier_companions_read_as_they_did(table: Any) -> None:
    """Decided, by somebody who did not say how: nobody lost anything."""
    table.referee.presses.open(table.now, "A")
    pressed(table, Button.REFEREE)
    (challenge,) = challenges_in(table.disk.lines)
    assert challenge.verdict is None
    assert not challenge.is_lost
    assert "verdict" not in table.disk.lines[-1].answer


# A decision that was a mistake.


def standing(table: Any) -> tuple[Any, ...]:
    """All that a decision may change: steps, questions, facts, rulings."""
    match = table.referee.match
    facts = tuple((fact.name, fact.value) for fact in match.position.facts())
    return tuple(match.steps), tuple(match.open), facts, tuple(match.rulings)


def test_a_round_that_was_not_to_be_played_again_stands_as_before(table: Any) -> None:
    """With the time that it had left, its challenge open, its claims told; the log keeps both."""
    table.ready()
    table.tick(7.0)
    presses = table.referee.presses
    presses.open(table.now, "A")
    presses.claim(table.now, "A", "it was late")
    before = standing(table)
    table.referee.decide(table.now, Verdict.REPLAYED, by="Judy")
    assert standing(table) != before
    table.ready()
    table.tick(2.0)
    table.referee.take_back_decision(table.now, reason="touched by mistake", by="Judy")
    assert standing(table) == before
    assert table.referee.clock.rest(table.now) == 13.0
    assert not runs(table)
    assert (presses.challenge.by, presses.challenge.said_by("A")) == ("A", "it was late")
    told = table.disk.lines[-1]
    assert (told.answer["was"], told.reason, told.author) == (
        "replayed",
        "touched by mistake",
        "Judy",
    )
    again = type(table.referee.match).replay(table.disk.lines)
    assert tuple(again.steps) == before[0]
    table.referee.decide(table.now, Verdict.STANDS)
    assert runs(table)
    assert table.referee.clock.rest(table.now) == 13.0
    (challenge,) = challenges_in(table.disk.lines)
    assert challenge.verdict is Verdict.STANDS
    assert [one.verdict for one in challenge.struck] == [Verdict.REPLAYED]


def test_a_challenge_that_was_not_lost_costs_nothing(table: Any) -> None:
    """The budget and the counts of a result are those of what stands."""
    presses = table.referee.presses
    presses.budget = 2
    presses.open(table.now, "A")
    table.referee.decide(table.now, Verdict.STANDS)
    assert presses.left("A") == 1
    table.referee.take_back_decision(table.now, reason="decided too soon")
    assert presses.left("A") == 2
    assert presses.challenge is not None
    table.referee.decide(table.now, Verdict.WITHDRAWN)
    assert presses.left("A") == 2
    assert counted_verdicts(table.disk.lines) == ""


def test_only_what_is_decided_can_be_taken_back(table: Any) -> None:
    """None was; one is open; and one that was taken back is open."""
    take_back = table.referee.take_back_decision
    with pytest.raises(BadCall, match="no decision to take back"):
        take_back(table.now)
    table.referee.presses.open(table.now, "A")
    with pytest.raises(BadCall, match="decide it first"):
        take_back(table.now)
    table.referee.decide(table.now, Verdict.STANDS)
    take_back(table.now)
    with pytest.raises(BadCall, match="decide it first"):
        take_back(table.now)


def test_an_older_decision_is_taken_back_by_its_line(table: Any) -> None:
    """The later one stands."""
    presses = table.referee.presses
    for by in ("A", "B"):
        presses.open(table.now, by)
        table.referee.decide(table.now, Verdict.STANDS)
    first, second = challenges_in(table.disk.lines)
    table.referee.take_back_decision(table.now, first.seq)
    assert presses.challenge.seq == first.seq
    table.referee.decide(table.now, Verdict.CORRECTED)
    first, second = challenges_in(table.disk.lines)
    assert (first.verdict, second.verdict) == (Verdict.CORRECTED, Verdict.STANDS)


def test_a_challenge_that_is_open_again_is_open_after_a_restart(table: Any, tables: Maker) -> None:
    """The power fails after the decision was taken back: the clock stands with what it had."""
    table.ready()
    table.tick(7.0)
    table.referee.presses.open(table.now, "A")
    table.referee.decide(table.now, Verdict.REPLAYED)
    table.referee.take_back_decision(table.now, reason="touched by mistake")
    table.referee.presses.claim(table.now, "B", "it was early")
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    challenge = again.referee.presses.challenge
    assert (challenge.by, challenge.said_by("B")) == ("A", "it was early")
    assert again.referee.clock.rest(again.now) == 13.0
    assert not runs(again)
    again.referee.decide(again.now, Verdict.STANDS)
    assert runs(again)
