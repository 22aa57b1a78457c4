"""The timeline (field notes, 1 to 3): absolute edges, one zero, the last seconds go first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.round_clock import Running
from hardware.panel.deadline import AHEAD_S, PUNCTUAL_S, SignalStep, SignalTimeline
from hardware.panel.panel import FLASHES, PATTERNS, Sound, lamps_at

ROUND = Running("round-1", 120.0, 20.0)
CUES = (10.0, 5.0, 3.0, 2.0, 1.0, 0.0)


def armed(running: Running = ROUND, now: float = 100.0) -> SignalTimeline:
    timeline = SignalTimeline()
    timeline.arm(running, CUES, now)
    return timeline


def run_through(timeline: SignalTimeline, until: float = 1e6) -> list[SignalStep]:
    """Every step, taken exactly when it is due."""
    steps: list[SignalStep] = []
    while (at := timeline.next_at) is not None and at <= until:
        steps += timeline.due(at)
    return steps


def buzzes(steps: list[SignalStep], since: float = 0.0) -> list[tuple[float, bool]]:
    """When the buzzer goes on and off, s after `since`."""
    return [(round(step.at - since, 6), step.buzz) for step in steps if step.buzz is not None]


def test_a_round_gives_its_cues_and_one_zero_at_absolute_times() -> None:
    """10, 5, 3, 2, 1 and 0 s left, each with its lamps and its sound."""
    steps = run_through(armed())
    signs = [step for step in steps if step.sign is not None]
    assert [step.at for step in signs] == [110.0, 115.0, 117.0, 118.0, 119.0, 120.0]
    assert [step.sound for step in signs] == [Sound.CUE] * 5 + [Sound.LOCK]
    assert [step.lamps for step in signs] == [lamps_at(cue) for cue in CUES]


@pytest.mark.parametrize("left_s", [20.0, 10.0, 4.0, 0.0])
def test_an_armed_round_begins_with_the_lamps_of_what_is_left(left_s: float) -> None:
    timeline = SignalTimeline()
    assert timeline.arm(ROUND, CUES, 120.0 - left_s) == SignalStep(
        120.0 - left_s, lamps=lamps_at(left_s)
    )
    assert timeline.running is ROUND


def test_zero_fires_even_when_no_cue_is_asked_for() -> None:
    timeline = SignalTimeline()
    timeline.arm(ROUND, (), 100.0)
    assert [step.sign.zero for step in run_through(timeline) if step.sign] == [True]
    assert timeline.running is None


def test_cues_that_are_past_when_armed_are_left_out() -> None:
    """A round resumed with 4 s left says 3, 2, 1, 0; and none at the very moment it starts."""
    steps = run_through(armed(Running("round-1", 104.0, 20.0)))
    assert [step.sign.rest_s for step in steps if step.sign] == [3.0, 2.0, 1.0, 0.0]
    at_once = run_through(armed(Running("round-1", 110.0, 10.0)))
    assert next(step.sign.rest_s for step in at_once if step.sign) == 5.0


def test_a_cue_within_20_ms_of_the_start_is_left_out() -> None:
    """The start itself was the sign; a little later it is one of its own."""
    timeline = SignalTimeline()
    timeline.arm(Running("round-1", 1.0, 1.0), (1.0, 0.99, -5.0, 0.0), -AHEAD_S)
    assert [step.sign.rest_s for step in run_through(timeline) if step.sign] == [0.99, 0.0]


def test_a_deadline_that_is_past_sounds_zero_at_once() -> None:
    """Resumed with nothing left: zero is due, not forgotten."""
    timeline = armed(Running("round-1", 100.0, 20.0))
    assert [step.sign.zero for step in timeline.due(100.0) if step.sign] == [True]


def test_another_deadline_replaces_the_old_one() -> None:
    """Five seconds given while running: the old cues are gone, zero comes five seconds later."""
    timeline = armed()
    run_through(timeline, until=116.0)
    timeline.arm(Running("round-1", 125.0, 20.0), CUES, 116.0)
    signs = [step for step in run_through(timeline) if step.sign]
    assert [step.at for step in signs] == [120.0, 122.0, 123.0, 124.0, 125.0]


def test_a_stopped_round_gives_no_more_signs() -> None:
    timeline = armed()
    assert timeline.stop(105.0) == 15.0
    assert timeline.running is None
    assert run_through(timeline) == []
    overdue = armed()
    assert overdue.stop(121.0) == 0.0
    assert timeline.stop(106.0) == 0.0


@pytest.mark.parametrize("sound", Sound)
def test_every_edge_of_a_pattern_counts_from_its_beginning(sound: Sound) -> None:
    """On and off as the pattern says, the first edge at once."""
    timeline = SignalTimeline()
    first = timeline.sound(sound, 50.0)
    assert first is not None
    expected = [
        (round(at, 6), on)
        for beep in PATTERNS[sound]
        for at, on in ((beep.start_s, True), (beep.end_s, False))
    ]
    assert buzzes([first, *run_through(timeline)], since=50.0) == expected
    assert timeline.sounding is None


@pytest.mark.parametrize("sound", Sound)
def test_in_silence_patterns_begin_as_the_lamps_flash_them(sound: Sound) -> None:
    timeline = SignalTimeline()
    timeline.silent = True
    first = timeline.sound(sound, 50.0)
    assert first is not None
    assert first == SignalStep(50.0, buzz=True, sound=sound)
    edges = buzzes([first, *run_through(timeline)], since=50.0)
    assert [at for at, on in edges if on] == [round(beep.start_s, 6) for beep in FLASHES[sound]]


def test_a_sound_takes_the_place_of_the_one_before() -> None:
    """Nothing is left of the first, except where zero sounds."""
    timeline = SignalTimeline()
    timeline.sound(Sound.END, 50.0)
    timeline.sound(Sound.READY, 50.3)
    assert timeline.sounding is Sound.READY
    assert buzzes(run_through(timeline), since=50.0) == [(0.35, False)]
    assert timeline.sounding is None


def test_a_pattern_sounds_until_its_last_edge() -> None:
    timeline = SignalTimeline()
    timeline.sound(Sound.START, 50.0)
    assert list(timeline.due(50.05)) == []
    assert [step.buzz for step in timeline.due(50.2)] == [False, True]
    assert timeline.sounding is Sound.START
    assert [step.buzz for step in timeline.due(50.4)] == [False]
    assert timeline.sounding is None


def test_a_late_edge_delays_no_other() -> None:
    """The edges of a library's beep drift; these are handed out late, at most, never moved."""
    timeline = SignalTimeline()
    timeline.sound(Sound.ERROR, 50.0)
    late = list(timeline.due(50.12))  # 20 ms after the second beep began
    assert buzzes([*late, *run_through(timeline)], since=50.0)[-1] == (0.25, False)


def test_a_cue_silences_another_sound_and_zero_silences_all() -> None:
    """A challenge that is sounding at a cue makes way for it."""
    timeline = armed()
    timeline.sound(Sound.CHALLENGE, 109.9)
    assert [step.sound for step in timeline.due(110.0) if step.sign] == [Sound.CUE]
    assert timeline.sounding is Sound.CUE


def test_nothing_interrupts_zero() -> None:
    """Whatever is asked for while zero sounds, the table hears zero to its end."""
    timeline = armed()
    run_through(timeline, until=120.0)
    assert timeline.sound(Sound.READY, 120.5) is None
    assert buzzes(run_through(timeline), since=120.0) == [(1.0, False)]
    assert timeline.sound(Sound.READY, 121.5) is not None


def test_a_cue_that_was_overtaken_is_told_but_not_heard() -> None:
    """Woken too late for two cues and zero, only zero sounds: no burst of old beeps."""
    steps = list(armed().due(120.3))
    signs = [step.sign for step in steps if step.sign]
    assert [(sign.rest_s, sign.heard) for sign in signs[-2:]] == [(1.0, False), (0.0, True)]
    assert [step.sound for step in steps if step.sound] == [Sound.LOCK]
    assert [step.at for step in steps[:4]] == [110.0, 115.0, 117.0, 118.0]
    assert not any(step.lamps or step.buzz for step in steps[:5])


def test_a_cue_is_overtaken_by_one_that_is_due_at_that_very_moment() -> None:
    signs = [step.sign for step in armed().due(115.0) if step.sign]
    assert [(sign.rest_s, sign.heard) for sign in signs] == [(10.0, False), (5.0, True)]


@pytest.mark.parametrize(("late_s", "from_s"), [(0.0, 0.0), (0.05, 0.0), (0.06, 0.06)])
def test_a_sign_up_to_50_ms_late_ends_when_it_would_have(late_s: float, from_s: float) -> None:
    """Later than that its pattern begins when it really begins."""
    timeline = armed(Running("round-1", 0.0, 20.0), now=-1e-3)
    begun = list(timeline.due(late_s))
    assert [(step.at, step.buzz, step.lamps) for step in begun] == [(0.0, True, lamps_at(0.0))]
    assert buzzes(run_through(timeline)) == [(1.0 + from_s, False)]


def test_a_cue_a_little_late_ends_as_if_it_had_begun_on_time() -> None:
    """Counted from its own moment, however long the clock has run."""
    timeline = armed()
    assert [step.at for step in timeline.due(110.04)] == [110.0]
    assert buzzes(run_through(timeline, until=111.0)) == [(110.15, False)]


def test_a_late_zero_still_sounds_its_full_length() -> None:
    """A process that was held up sounds when it can, and as long as ever."""
    timeline = armed()
    late = 120.0 + 10 * PUNCTUAL_S
    steps = [*timeline.due(late), *run_through(timeline)]
    assert buzzes(steps)[-1] == (round(late + 1.0, 6), False)


@given(
    deadline=st.floats(100.0, 200.0),
    cues=st.lists(st.floats(0.0, 60.0), max_size=10),
    waits=st.lists(st.floats(0.0, 40.0), min_size=1, max_size=20),
)
def test_whenever_it_is_woken_each_sign_comes_once_in_order(
    deadline: float, cues: list[float], waits: list[float]
) -> None:
    """Property: signs fall, zero is the last and comes once, and the buzzer ends silent."""
    timeline = SignalTimeline()
    timeline.arm(Running("round-1", deadline, 60.0), cues, 100.0)
    now, steps = 100.0, list[SignalStep]()
    for wait in waits:
        now += wait
        due = list(timeline.due(now))
        assert all(step.at <= now for step in due)
        steps += due
    steps += run_through(timeline)
    rests = [step.sign.rest_s for step in steps if step.sign]
    assert rests == sorted(set(rests), reverse=True)
    assert rests[-1] == 0.0
    assert {step.sign.round_id for step in steps if step.sign} == {"round-1"}
    assert [buzz for _, buzz in buzzes(steps)][-1] is False
    assert timeline.next_at is None
