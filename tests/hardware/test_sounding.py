"""A timeline on mock pins with a stepped clock: tone, loudness, brightness, silent mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.round_clock import CUES_S, Running
from hardware.panel.desk import DeskWires
from hardware.panel.gpio import GpioPanel
from hardware.panel.panel import DARK, FLASHES, PATTERNS, TONES_HZ, Manner, Sound, lamps_at
from hardware.panel.pins import BuzzerKind, PinPlan
from hardware.panel.sounding import Sounding

ALL_LIT = lamps_at(0.0)


class Voice:
    """A loudspeaker that keeps what it was to play, and how loud."""

    def __init__(self) -> None:
        self.played: list[tuple[Sound, int]] = []

    def play(self, sound: Sound, percent: int) -> None:
        self.played.append((sound, percent))


class Stage:
    """Mock pins with a bare disc, a voice, and a clock in the test's hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pins = GpioPanel("mock", PinPlan(buzzer_kind=BuzzerKind.TONE))
        self.voice = Voice()
        self.sounding = Sounding(self.pins, self.voice, lambda: self.now)

    def run_to_end(self) -> list[tuple[float, tuple[bool, ...], float]]:
        """Each edge until nothing is planned: when, which lamps were lit, the buzzer's tone."""
        seen: list[tuple[float, tuple[bool, ...], float]] = []
        while (at := self.sounding.next_at) is not None:
            self.now = at
            self.sounding.perform()
            seen.append((round(at - 100.0, 6), self.lit, self.tone_hz))
        return seen

    @property
    def lit(self) -> tuple[bool, ...]:
        return tuple(bool(lamp.value) for lamp in self.pins._lamps)

    @property
    def tone_hz(self) -> float:
        buzzer = self.pins._buzzer
        return float(buzzer.frequency) if buzzer.value else 0.0


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pins.close()


@pytest.mark.parametrize("sound", Sound)
def test_every_sound_has_its_tone_its_flashes_and_its_voice(stage: Stage, sound: Sound) -> None:
    """No sign for ears alone: what the buzzer gives, the loudspeaker and the lamps can give too."""
    stage.sounding.sound(sound)
    assert stage.tone_hz == TONES_HZ[sound]
    assert stage.voice.played == [(sound, 80)]
    stage.run_to_end()
    assert stage.tone_hz == 0.0
    stage.sounding.manner = Manner(silent=True)
    stage.sounding.sound(sound)
    assert (stage.lit, stage.tone_hz) == (ALL_LIT, 0.0)
    assert stage.voice.played[-1] == (sound, 0)
    stage.run_to_end()
    assert stage.lit == DARK


def test_silent_zero_turns_the_lamps_over_five_times(stage: Stage) -> None:
    """At full volume nothing sounds; the lamps, lit at zero, go out and on again, and stay lit."""
    stage.sounding.manner = Manner(volume=100, silent=True)
    stage.sounding.arm(Running("round-1", 120.0, 20.0), CUES_S)
    seen = stage.run_to_end()
    after_zero = [lit for at, lit, _ in seen if at >= 20.0]
    assert after_zero == [DARK, ALL_LIT] * len(FLASHES[Sound.LOCK])
    assert {tone_hz for _, _, tone_hz in seen} == {0.0}


def test_silent_cues_turn_over_what_is_lit(stage: Stage) -> None:
    """The lamp of 10 s lights, and all turn over for as long as the cue would beep."""
    stage.sounding.manner = Manner(silent=True)
    stage.sounding.arm(Running("round-1", 120.0, 20.0), (10.0,))
    cue = [(at, lit) for at, lit, _ in stage.run_to_end() if at < 20.0]
    length_s = PATTERNS[Sound.CUE][0].length_s
    turned = tuple(not lit for lit in lamps_at(10.0))
    assert cue == [(10.0, turned), (10.0 + length_s, lamps_at(10.0))]


def test_any_number_of_lamps_turns_over() -> None:
    """Another panel may have another row of them."""
    wires, row = DeskWires(), (True, False, True, False, False)
    sounding = Sounding(wires, Voice(), lambda: 100.0)
    sounding.manner = Manner(silent=True)
    sounding.show(row)
    sounding.sound(Sound.CHALLENGE)
    assert wires.lamps == (False, True, False, True, True)


def test_leaving_silent_mode_in_a_flash_leaves_no_lamp_turned_over(stage: Stage) -> None:
    stage.sounding.manner = Manner(silent=True)
    stage.sounding.sound(Sound.CHALLENGE)
    stage.sounding.manner = Manner()
    assert stage.lit == DARK
    stage.run_to_end()
    assert stage.lit == DARK


def test_silence_that_comes_in_a_beep_ends_it(stage: Stage) -> None:
    """Whoever turns the volume down does not wait for the second that zero sounds."""
    stage.sounding.sound(Sound.LOCK)
    stage.sounding.manner = Manner(volume=0)
    assert stage.tone_hz == 0.0


def test_brightness_reaches_the_lamps_at_once_and_those_that_light_later(stage: Stage) -> None:
    stage.sounding.show(lamps_at(10.0))
    stage.sounding.manner = Manner(brightness=50)
    assert [lamp.value for lamp in stage.pins._lamps] == [0.25 * lit for lit in lamps_at(10.0)]
    stage.sounding.show(lamps_at(5.0))
    assert [lamp.value for lamp in stage.pins._lamps] == [0.25 * lit for lit in lamps_at(5.0)]


@pytest.mark.parametrize(
    ("manner", "muted"),
    [(Manner(), False), (Manner(volume=0), True), (Manner(volume=100, silent=True), True)],
)
def test_what_made_no_sound_is_told_as_muted(stage: Stage, manner: Manner, *, muted: bool) -> None:
    """The record must not say that the table heard what it only saw."""
    stage.sounding.manner = manner
    stage.sounding.arm(Running("round-1", 100.0, 20.0), ())
    (zero,) = stage.sounding.perform()
    assert zero.muted is muted


def test_a_standing_clock_shows_its_rest(stage: Stage) -> None:
    """Time given back while it stands: the lamps go back with it, and nothing is armed."""
    stage.sounding.arm(Running("round-1", 104.0, 20.0), CUES_S)
    event = stage.sounding.stand("round-1", 9.0)
    assert (event.rest_s, stage.lit) == (9.0, lamps_at(9.0))
    assert stage.sounding.running is None
    assert stage.sounding.next_at is None
