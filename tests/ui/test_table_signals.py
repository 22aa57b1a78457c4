"""What a table sounds of each happening, and that no sound is for ears alone."""

from __future__ import annotations

import pytest

from companion.happening import Happening
from companion.presses import Challenge
from companion.ruling import TABLE
from hardware.panel import FLASHES, PATTERNS, TONES_HZ, Sound
from hardware.speaker import tone_wav
from ui.table_signals import SHAPES, Moment, sound_of

STILL = Moment(0, running=False, over=False, challenge=None)
RUNNING = Moment(0, running=True, over=False, challenge=None)
OVER = Moment(0, running=False, over=True, challenge=None)
DISPUTED = Moment(0, running=False, over=False, challenge=Challenge(TABLE, stopped_clock=True))
ONE_SAID = Moment(1, running=False, over=False, challenge=None)


@pytest.mark.parametrize(
    ("before", "now", "sound"),
    [
        (STILL, ONE_SAID, Sound.READY),
        (ONE_SAID, RUNNING, Sound.START),
        (STILL, RUNNING, Sound.START),
        (RUNNING, DISPUTED, Sound.CHALLENGE),
        (DISPUTED, RUNNING, Sound.START),
        (RUNNING, OVER, Sound.END),
        (STILL, STILL, None),
        (ONE_SAID, STILL, None),
        (RUNNING, STILL, None),
        (RUNNING, RUNNING, None),
        (DISPUTED, DISPUTED, None),
        (OVER, OVER, None),
    ],
)
def test_a_change_sounds_once(before: Moment, now: Moment, sound: Sound | None) -> None:
    """Cues and zero are not among them: they sound by themselves, at their deadlines."""
    assert sound_of(before, now, Happening.ASKED) == sound


def test_a_refusal_sounds_whatever_else_is() -> None:
    assert sound_of(STILL, STILL, Happening.REFUSED) is Sound.ERROR


@pytest.mark.parametrize("sound", Sound)
def test_every_sign_is_there_for_ears_and_for_eyes(sound: Sound) -> None:
    """Buzzer, lamps, loudspeaker and screen: each sign has all four."""
    assert PATTERNS[sound]
    assert FLASHES[sound]
    assert TONES_HZ[sound] > 0
    assert len(tone_wav(sound, 80)) > 1000
    assert SHAPES[sound]
