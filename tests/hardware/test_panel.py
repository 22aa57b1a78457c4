"""Lamps and sounds: the words of the panel."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.core.errors import BadCall
from companion.core.round_clock import CUES_S, Signals
from hardware.panel.desk import DeskPanel, DeskWires
from hardware.panel.gpio import GpioPanel
from hardware.panel.panel import (
    PATTERNS,
    SignalPanel,
    Sound,
    Wires,
    every_lamp,
    lamps_at,
    sound_named,
)
from hardware.panel.pins import LAMPS_S
from hardware.signals.client import SignalClient
from hardware.signals.process import Wanted


@pytest.mark.parametrize(
    ("rest_s", "dark"),
    [(20.0, LAMPS_S), (10.001, LAMPS_S), (0.001, LAMPS_S[-1:]), (0.0, ()), (-1.0, ())]
    + [(at_s, LAMPS_S[place + 1 :]) for place, at_s in enumerate(LAMPS_S)],
)
def test_lamps_fill_from_the_left_at_their_seconds(rest_s: float, dark: tuple[float, ...]) -> None:
    """Each lamp is lit from its figure on, and stays lit; it changes with a sign."""
    assert {10.0, 5.0, 3.0, 0.0} <= {*LAMPS_S} <= {*CUES_S}
    assert list(LAMPS_S) == sorted(LAMPS_S, reverse=True)
    assert lamps_at(rest_s) == (*(True for _ in LAMPS_S[len(dark) :]), *(False for _ in dark))


@pytest.mark.parametrize("more", [-len(LAMPS_S), -1, 1])
def test_another_number_of_lamps_is_refused(more: int) -> None:
    count = len(LAMPS_S) + more
    with pytest.raises(BadCall, match=f"{len(LAMPS_S)} lamps .* not {count}"):
        every_lamp([True] * count)


def test_an_unknown_sound_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadCall, match="no sound 'gong'; there are ready, start, cue, lock"):
        sound_named("gong")


def test_no_two_sounds_are_alike() -> None:
    """Time over, phase start and warning must be told apart by ear (field notes, 3)."""
    assert len(set(PATTERNS.values())) == len(Sound) == len(PATTERNS)


@pytest.mark.parametrize("sound", Sound)
def test_beeps_of_a_sound_follow_one_another(sound: Sound) -> None:
    """A beep ends before the next begins: a buzzer knows on and off only."""
    beeps = PATTERNS[sound]
    assert beeps[0].start_s == 0.0
    assert all(beep.length_s > 0 for beep in beeps)
    assert all(one.end_s < other.start_s for one, other in pairwise(beeps))


def test_zero_sounds_longest_in_one_breath() -> None:
    """The end of the phase is one long tone, longer than any other beep."""
    longest = {sound: max(beep.length_s for beep in PATTERNS[sound]) for sound in Sound}
    assert max(longest, key=lambda sound: longest[sound]) is Sound.LOCK


def test_every_panel_keeps_its_protocol() -> None:
    """The type checkers hold this too; here it is said once in the open."""
    client = SignalClient(Wanted("mock"))
    desk = DeskPanel()
    panels: list[SignalPanel] = [client, desk]
    signals: list[Signals] = [client, desk]
    with GpioPanel("mock") as pins:
        wires: list[Wires] = [pins, DeskWires()]
        assert [wire.factory for wire in wires] == ["mock", "desk"]
    assert len(panels) == len(signals)
