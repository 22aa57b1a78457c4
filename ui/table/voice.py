"""The table's voice: when it speaks, and how loud; tones and the round's cues always go first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.core.offers import SignalEvent, SignalKind
from companion.core.round_clock import CUES_S, RoundClock
from hardware.panel.panel import PATTERNS, Sound
from hardware.panel.speaker import NONE
from hardware.panel.voice import EspeakVoice

if TYPE_CHECKING:
    from ui.table.settings import Settings

LOCKED = "locked. hands off the cards"
SECONDS = {10.0: "10 seconds", 5.0: "5 seconds", 3.0: "3"}
"""What is said after the tones that light a lamp; the last two come too fast for words."""
_TAIL_S = 0.1  # a tone's last echo
_FRESH_S = 1.0


def wanted_voice(settings: Settings) -> str:
    """Through which player the voice speaks: even where a buzzer sounds, the loudspeaker's."""
    return NONE if settings.loudspeaker == "never" else "auto"


class TableVoice:
    """Says what the screen says in large letters, the cues after their tones, each once.

    It is silent at volume 0, with the sound off and in silent mode; then nothing is prepared
    either. `voice` may be one of a test; otherwise the settings' loudspeaker speaks.
    """

    def __init__(self, settings: Settings, voice: EspeakVoice | None = None) -> None:
        self._voice = voice or EspeakVoice(wanted_voice(settings))
        self._percent = 0
        self._said = ""
        self.obey(settings)

    @property
    def trouble(self) -> str:
        """Why nothing is heard though it is wanted, in words; empty while it speaks or is off."""
        return self._voice.trouble if self._percent else ""

    def obey(self, settings: Settings) -> None:
        """As loud as the settings say; what is said at every match is made ready."""
        self._voice.speak_through(wanted_voice(settings))
        before, self._percent = self._percent, settings.spoken_volume
        if self._percent == before:
            return
        if self._percent:
            self._voice.prepare((*SECONDS.values(), LOCKED), self._percent)
        else:
            self._voice.forget()

    def follow(self, words: str) -> None:
        """The screen says this now; it is spoken where it is new, and not empty."""
        if words and words != self._said:
            self._said = words
            self._voice.say(words, self._percent)

    def tick(self, clock: RoundClock | None, now: float) -> None:
        """Leave the seconds free in which the round's tones are due."""
        deadline = clock.deadline if clock is not None else None
        tones = (deadline - rest_s for rest_s in CUES_S) if deadline is not None else ()
        self._voice.keep_free(min((at for at in tones if at > now), default=math.inf))

    def sounds(self, sound: Sound) -> None:
        """A tone begins now: nothing is spoken into it."""
        self._voice.hush(PATTERNS[sound][-1].end_s + _TAIL_S)

    def signal(self, event: SignalEvent) -> None:
        """A cue or zero has sounded; the seconds are told after its tone."""
        if event.kind is SignalKind.ZERO:
            self.sounds(Sound.LOCK)
        elif event.kind is SignalKind.CUE:
            self.sounds(Sound.CUE)
            words = SECONDS.get(event.rest_s, "")
            self._voice.say(words, self._percent, before=event.at + _FRESH_S)

    def close(self) -> None:
        """Stop speaking."""
        self._voice.close()
