"""The referee at its table: offers, disk, clock, buttons, restarts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.offers import Button, Offer, Press, SignalEvent, SignalKind
from companion.core.ruling import Seat
from companion.referee.desk import Happening

Maker = Callable[..., Any]


def test_confirmed_means_on_disk_then_told(table: Any) -> None:
    """Listeners hear of a confirmed answer only when the record has its line."""
    on_disk: list[int] = []

    def heard(happening: Happening) -> None:
        if happening is Happening.CONFIRMED:
            on_disk.append(len(table.disk.lines))

    table.referee.listeners.append(heard)
    table.say("round-1/A", "ready")
    assert on_disk == [2]
    assert table.referee.confirmed == 2


def test_a_full_disk_leaves_play_unconfirmed_and_catches_up(table: Any) -> None:
    table.disk.full = True
    table.say("round-1/A", "ready")
    assert table.referee.match.answered == {"round-1/A": "ready"}
    assert "disk is full" in table.referee.unwritten
    assert table.referee.confirmed == 1
    table.disk.full = False
    table.tick()
    assert (table.referee.unwritten, table.referee.confirmed) == ("", 2)


def test_the_phase_starts_with_the_last_ready_and_sounds_at_its_deadline(table: Any) -> None:
    table.ready()
    assert table.bell.rung == [("arm", 120.0)]
    table.tick(25.0)
    assert table.asked == ["round-1/steps"], "overdue by more than a second: the screen rules zero"


def test_zero_from_the_signal_process_ends_the_phase(table: Any) -> None:
    table.ready()
    table.zero()
    assert table.asked == ["round-1/steps"]
    zero = next(e for e in table.disk.lines if e.key == "round-1/locked" and e.kind == "answer")
    assert (zero.answer, zero.source) == ("zero", "clock")


def test_zero_of_another_round_ends_nothing(table: Any) -> None:
    table.ready()
    table.referee.signal(SignalEvent(SignalKind.ZERO, "m1/round-9/locked", 105.0))
    table.tick(5.0)
    assert table.asked == ["round-1/locked"]


def test_pause_resume_and_time_given_back_reach_the_bell_and_the_log(table: Any) -> None:
    table.ready()
    table.tick(5.0)
    table.referee.pause(table.now)
    table.tick(60.0)
    table.referee.give(3.0, table.now)
    table.referee.resume(table.now)
    rung = [("arm", 120.0), ("pause",), ("stand", 18.0), ("arm", 165.0 + 18.0)]
    assert table.bell.rung == rung
    events = [e.answer["event"] for e in table.disk.lines if e.kind == "clock"]
    assert events == ["started", "paused", "given", "resumed"]


def test_undo_moves_clock_and_position_together(table: Any) -> None:
    """A phase reopened by undo stands paused with the rest it had; nothing may sound meanwhile."""
    table.ready()
    table.tick(5.0)
    table.referee.undo(table.now)
    assert table.referee.clock is None
    assert table.bell.rung[-1] == ("stop",)
    table.say("round-1/B", "ready")
    clock = table.referee.clock
    assert clock is not None
    assert (clock.running, clock.rest_s) == (False, 15.0)


def test_time_that_was_given_outlives_undo_and_restart(table: Any, tables: Maker) -> None:
    """More than the phase began with is what the arbiter gave: nothing may take it away."""
    table.ready()
    table.referee.give(30.0, table.now)
    table.tick(5.0)
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    assert again.referee.phase.interrupted
    table.referee.undo(table.now)
    table.say("round-1/B", "ready")
    for clock in (table.referee.clock, again.referee.clock):
        assert clock is not None
        assert (clock.running, clock.rest_s, clock.total_s) == (False, 45.0, 45.0)


def test_a_restarted_app_adopts_the_round_that_still_runs(table: Any, tables: Maker) -> None:
    table.ready()
    table.tick(5.0)
    again = tables(disk=table.disk)
    again.bell.running, again.now = table.bell.running, 108.0
    again.referee.begin(again.now)
    clock = again.referee.clock
    assert clock is not None
    assert (clock.running, clock.deadline) == (True, 120.0)


def test_with_no_signal_process_left_the_round_stands_with_the_rest_noted(
    table: Any, tables: Maker
) -> None:
    table.ready()
    for _ in range(5):
        table.tick(1.0)
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    clock = again.referee.clock
    assert clock is not None
    assert (clock.running, clock.rest_s) == (False, 15.0)
    assert again.referee.phase.interrupted


def test_a_round_that_people_have_paused_keeps_its_tenths_and_was_not_cut_off(
    table: Any, tables: Maker
) -> None:
    """What its line says is left, and not the whole second noted before."""
    table.ready()
    for _ in range(14):
        table.tick(1.0)
    table.tick(0.3)
    table.referee.pause(table.now)
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    clock = again.referee.clock
    assert clock is not None
    assert not clock.running
    assert round(clock.rest_s, 3) == 5.7
    assert not again.referee.phase.interrupted


def test_a_zero_that_sounded_while_the_app_was_dead_counts_and_is_told(
    table: Any, tables: Maker
) -> None:
    table.ready()
    again = tables(disk=table.disk)
    again.now = 130.0
    again.bell.sounded = SignalEvent(SignalKind.ZERO, "m1/round-1/locked", 120.0, late_s=0.0002)
    again.referee.begin(again.now)
    again.tick()
    assert again.asked == ["round-1/steps"]
    sounded = [e.answer for e in again.disk.lines if e.kind == "clock"][-1]
    assert isinstance(sounded, dict)
    assert (sounded["event"], sounded["before_s"]) == ("sounded", 10.0)


def test_a_signal_process_that_cannot_be_asked_stops_no_restart(table: Any, tables: Maker) -> None:
    table.ready()
    again = tables(disk=table.disk)
    again.bell.broken = True
    again.referee.begin(again.now)
    assert again.referee.clock is not None
    assert "signal process is gone" in again.referee.phase.silent


def test_without_a_bell_the_screen_counts_and_says_why(table: Any) -> None:
    table.bell.broken = True
    table.ready()
    assert "signal process is gone" in table.referee.phase.silent
    table.tick(20.0)
    assert table.asked == ["round-1/steps"]


def test_team_buttons_say_ready_and_the_referee_button_pauses(table: Any) -> None:
    table.referee.press(Press(Button.READY_SECOND, 100.0))
    table.referee.press(Press(Button.READY_SECOND, 100.5))
    table.tick()
    assert table.referee.match.answered == {"round-1/B": "ready"}
    table.referee.press(Press(Button.READY_FIRST, 101.0))
    table.tick()
    clock = table.referee.clock
    assert clock is not None
    assert clock.running
    table.referee.press(Press(Button.REFEREE, 102.0))
    table.tick()
    clock = table.referee.clock
    assert clock is not None
    assert not clock.running


def test_a_refusal_stays_until_a_valid_answer(table: Any) -> None:
    table.say("round-1/A", "perhaps")
    assert table.referee.refused is not None
    assert table.referee.refused.code == "Q-NAME"
    table.say("round-7/A", "ready")
    assert table.referee.refused.code == "Q-GONE"
    table.say("round-1/A", "ready")
    assert table.referee.refused is None


def test_an_answer_after_the_end_is_told_that_the_match_is_over(table: Any) -> None:
    """Nothing is asked any more: undo, amend or a new match are the ways on."""
    table.referee.close(["A"], "Time to go home.", "agreed", table.now)
    table.say("round-1/A", "ready")
    assert table.referee.refused is not None
    assert table.referee.refused.code == "Q-OVER"


def test_a_listener_that_fails_keeps_nobody_else_from_hearing(table: Any) -> None:
    """It is written down and named; the answer counts, and those after it are told."""
    heard: list[Happening] = []

    def fails(_: Happening) -> None:
        raise ZeroDivisionError("no strips")

    table.referee.listeners[:] = [fails, heard.append]
    table.say("round-1/A", "ready")
    table.say("round-1/B", "ready")
    assert Happening.ASKED in heard
    assert table.referee.clock is not None
    assert "ZeroDivisionError" in table.referee.listeners.fault


def test_a_button_that_is_nobodys_says_nothing(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A box may give one button away, or none: the seats left out touch the screen."""
    monkeypatch.setattr(type(table.referee.match.rulebook), "buttons", ("B",))
    table.referee.press(Press(Button.READY_SECOND, 100.0))
    table.tick()
    assert not table.referee.match.answered
    table.referee.press(Press(Button.READY_FIRST, 101.0))
    table.tick()
    assert list(table.referee.match.answered) == ["round-1/B"]


def test_time_given_to_a_standing_clock_outlives_the_program(tables: Maker) -> None:
    """The arbiter gives 30 s while the clock stands; who goes on with the match has them."""
    table = tables()
    table.referee.begin(table.now)
    table.ready()
    table.tick(1.0)
    table.referee.pause(table.now)
    table.referee.give(30.0, table.now)
    table.tick()
    given = table.referee.clock
    assert given is not None
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    resumed = again.referee.clock
    assert resumed is not None
    assert resumed.rest(again.now) == given.rest(table.now)


def test_a_phase_taken_back_at_its_end_outlives_the_program_with_its_rest(
    tables: Maker,
) -> None:
    """Zero is undone and the clock stands with the whole phase: not with the last second noted."""
    table = tables()
    table.referee.begin(table.now)
    table.ready()
    for _ in range(3):
        table.tick(1.0)
    table.zero()
    table.referee.undo(table.now)
    table.tick()
    taken_back = table.referee.clock
    assert taken_back is not None
    again = tables(disk=table.disk)
    again.referee.begin(again.now)
    resumed = again.referee.clock
    assert resumed is not None
    assert resumed.rest(again.now) == taken_back.rest(table.now)


def test_answers_together_are_all_taken_or_none(table: Any) -> None:
    """One that is refused keeps the others from counting; each that counts is a line of its own."""
    keys = [key for key in table.referee.match.open if key.startswith("round-1/")]
    assert len(keys) > 1
    lines = len(table.disk.lines)
    table.referee.take_together([offered(keys[0], "ready"), offered(keys[1], "nonsense")], 0.0)
    assert table.referee.refused is not None
    assert (len(table.disk.lines), table.referee.match.answered) == (lines, {})
    table.referee.take_together([offered(key, "ready") for key in keys], 0.0)
    assert table.referee.refused is None
    told = [line.key for line in table.disk.lines[lines:] if line.kind == "answer"]
    assert told == keys


def test_answers_together_to_what_was_asked_afresh_are_stale(table: Any) -> None:
    keys = [key for key in table.referee.match.open if key.startswith("round-1/")]
    table.referee.take_together([offered(keys[0], "ready"), offered(keys[1], "ready", 99)], 0.0)
    assert table.referee.refused.code == "Q-GONE"
    table.referee.take_together([offered(keys[0], "ready"), offered("round-9/A", "ready")], 0.0)
    assert table.referee.refused.code == "Q-GONE"
    assert table.referee.match.answered == {}


def offered(key: str, raw: str, opened: int = -1) -> Offer:
    return Offer(key, raw, "touch", Seat("A"), opened)
