"""What the box sounds when: the same signs as the signal process, by its own timer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware import sounding as box
from hardware.firmware.sounding import ALL_LAMPS, BUZZER, PATTERNS, Round, Sounding, lamps_at
from hardware.panel import panel
from hardware.sensor_box.words import box_lamps


def played(sounding: Sounding, until_us: int) -> list[tuple[int, int]]:
    """Every change of the outputs up to a moment, done exactly in time."""
    edges: list[tuple[int, int]] = []
    while (planned := sounding.next()) is not None and planned[0] <= until_us:
        edges.append(planned)
        sounding.done(planned[0])
        assert sounding.outputs == planned[1]
    return edges


def test_the_patterns_are_the_panels() -> None:
    """Nobody has to learn another language at another table."""
    assert set(PATTERNS) == {str(sound) for sound in panel.Sound}
    for sound, beeps in panel.PATTERNS.items():
        wanted = tuple((round(b.start_s * 1000), round(b.length_s * 1000)) for b in beeps)
        assert PATTERNS[str(sound)] == wanted
    flashes = panel.FLASHES[panel.Sound.LOCK]
    wanted = tuple((round(b.start_s * 1000), round(b.length_s * 1000)) for b in flashes)
    assert wanted == box.FLASHES_OF_LOCK


@given(st.integers(0, 30_000))
def test_the_lamps_are_the_panels(rest_ms: int) -> None:
    """Those that the box has: they fill from the left at the same seconds."""
    lit = box_lamps(panel.lamps_at(rest_ms / 1000))
    assert lamps_at(rest_ms) == sum(2 << place for place, on in enumerate(lit) if on == "1")


def test_a_round_sounds_at_its_own_times() -> None:
    """Cues and zero at the deadline's distance, to the microsecond, with the lamps of that rest."""
    sounding = Sounding()
    sounding.arm(Round("r", 20_000_000, 20_000), [10_000, 5_000], 0)
    edges = played(sounding, 30_000_000)
    assert [at for at, _ in edges] == [
        10_000_000, 10_150_000, 15_000_000, 15_150_000, 20_000_000, 21_000_000,
    ]  # fmt: skip
    assert [bits & BUZZER for _, bits in edges] == [1, 0, 1, 0, 1, 0]
    assert [bits >> 1 for _, bits in edges] == [0b1, 0b1, 0b11, 0b11, 0b1111, 0b1111]
    assert sounding.round is None


def test_zero_silences_what_sounds_and_nothing_sounds_over_it() -> None:
    """The last second goes first."""
    sounding = Sounding()
    sounding.arm(Round("r", 500_000, 500), [], 0)
    assert sounding.sound("challenge", 300_000)
    assert [at for at, _ in played(sounding, 500_000)] == [500_000]
    assert not sounding.sound("error", 600_000)
    assert [bits & BUZZER for _, bits in played(sounding, 2_000_000)] == [0]
    assert sounding.sound("error", 2_000_000)


def test_a_stopped_round_is_dark_and_a_held_one_is_lit() -> None:
    """Pause leaves the lamps; stop does not. Both tell the rest."""
    for hold, lamps in ((True, lamps_at(5_000)), (False, 0)):
        sounding = Sounding()
        sounding.arm(Round("r", 20_000_000, 20_000), [5_000], 0)
        played(sounding, 15_200_000)
        assert sounding.stop(16_000_000, hold) == 4_000_000
        assert sounding.outputs == lamps
        assert sounding.next() is None
    assert Sounding().stop(0, hold=False) == 0


def test_silence_is_for_the_ear_alone() -> None:
    """Volume 0: lamps go on. Silent mode: they flash in the buzzer's rhythm."""
    quiet = Sounding()
    quiet.audible = False
    quiet.arm(Round("r", 1_000_000, 1_000), [], 0)
    assert not any(bits & BUZZER for _, bits in played(quiet, 3_000_000))
    silent = Sounding()
    silent.silent = True
    silent.arm(Round("r", 1_000_000, 1_000), [], 0)
    edges = played(silent, 3_000_000)
    assert not any(bits & BUZZER for _, bits in edges)
    assert [bits for _, bits in edges[:2]] == [0, ALL_LAMPS]


def test_a_late_sign_sounds_from_when_it_is() -> None:
    """Nobody hears a beep that is over before it starts; how late it was is told."""
    sounding = Sounding()
    sounding.arm(Round("r", 1_000_000, 1_000), [], 0)
    assert sounding.done(1_400_000) == ("r", 0, 400_000)
    assert sounding.next() == (2_400_000, ALL_LAMPS)


@pytest.mark.parametrize("rest_us", [-1_000_000, 0, 1_000])
def test_a_round_that_is_over_sounds_zero_at_once(rest_us: int) -> None:
    """Its cues are past; zero is due."""
    sounding = Sounding()
    sounding.arm(Round("r", 5_000_000 + rest_us, 20_000), [10_000, 1], 5_000_000)
    assert sounding.next() == (5_000_000 + rest_us, BUZZER | ALL_LAMPS)
