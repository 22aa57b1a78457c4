"""JP-5: rounds, the start of the round, the timer and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import Stamp

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


def test_jp_5_1_rounds_repeat(play: Callable[..., Any]) -> None:
    """An Action Phase, a Resolution Phase, then the next round."""
    table = play().set_up().act().lock().draw().repair()
    assert table.asked == ["round-2/ready/jaws", "round-2/ready/paws"]


def test_jp_5_2_the_sun_is_noted_when_the_phase_starts(play: Callable[..., Any]) -> None:
    """Start of the round is the moment the phase starts, not when the teams were asked."""
    table = play().set_up(sun="Jaws.GC").say("ready/jaws")
    assert table.position.sun_first is None
    table.adjust(sun="Paws.GC").say("ready/paws")
    assert table.position.sun_first == "Paws"


def test_jp_5_3_the_phase_lasts_twenty_seconds(play: Callable[..., Any]) -> None:
    """One clock for both teams, 20 s by default; its zero ends the phase."""
    table = play().set_up().say("ready/jaws").say("ready/paws")
    assert table.question("locked").seconds == 20
    assert table.refused("locked", "locked").code == "Q-EARLY"
    assert "round-1/lock/checked" in table.say("locked", "zero").asked


@pytest.mark.parametrize("timer", [10, 20, 30, 45, 60, 90, 75, 1, 3600])
def test_jp_5_8_the_timer_may_be_set(play: Callable[..., Any], timer: int) -> None:
    """Presets, and any other number of seconds up to an hour."""
    table = play(options={"timer_s": timer}).set_up().say("ready/jaws").say("ready/paws")
    assert table.question("locked").seconds == timer


@pytest.mark.parametrize("timer", [0, -5, 3601, 2.5, "soon", True])
def test_jp_5_8_a_timer_that_is_no_number_of_seconds_is_refused(
    play: Callable[..., Any], timer: object
) -> None:
    """The message names the option, what was given, and the presets."""
    with pytest.raises(BadCall, match=r"timer_s: .* none of 20, 10, 30, 45, 60, 90, none"):
        play(options={"timer_s": timer})


def test_jp_5_8_and_ruling_7_an_untimed_phase_ends_at_the_fourth_word(
    play: Callable[..., Any],
) -> None:
    """Without a timer each player says locked, and may withdraw it until the last (RULING 7)."""
    table = play(options={"timer_s": "none"}).set_up().say("ready/jaws").say("ready/paws")
    for player in ("JP", "JG", "PP"):
        table.say(f"locked/{player}")
    table.match.undo(None, "withdrawn", stamp=STAMP)
    assert table.asked == ["round-1/locked/PP", "round-1/locked/PG"]
    table.say("locked/PP").say("locked/PG")
    assert "round-1/lock/checked" in table.asked


def test_jp_5_8_and_ruling_7_all_locked_ends_a_timed_phase_only_by_switch(
    play: Callable[..., Any],
) -> None:
    """early_end: all_locked takes the word of all four, or the clock's zero (RULING 7)."""
    early = {"early_end": "all_locked"}
    by_word = play(options=early).set_up().say("ready/jaws").say("ready/paws")
    for player in ("JP", "JG", "PP", "PG"):
        assert "round-1/lock/checked" not in by_word.asked
        by_word.say(f"locked/{player}")
    assert "round-1/lock/checked" in by_word.asked
    by_clock = play(options=early).set_up().say("ready/jaws").say("ready/paws")
    by_clock.say("locked/JP").say("/locked", "zero")
    assert "round-1/lock/checked" in by_clock.asked
