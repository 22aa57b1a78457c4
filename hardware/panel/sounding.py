"""Plays a timeline on wires and loudspeaker, and tells when each edge really happened.

The signal process runs it on real or mock pins with the monotonic clock, the desk panel on nothing
at all with a clock that is handed in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.core.offers import SignalEvent, SignalKind
from companion.core.round_clock import Running
from hardware.panel.deadline import Sign, SignalStep, SignalTimeline
from hardware.panel.panel import DARK, TONES_HZ, Lamps, Manner, Sound, Wires, lamps_at


class SoundVoice(Protocol):
    """What plays a sound beside the buzzer, without ever waiting."""

    def play(self, sound: Sound, percent: int) -> None:
        """Start a sound at `percent` of full loudness."""
        ...


class Sounding:
    """Lamps, buzzer and loudspeaker on one timeline.

    `trouble` says in words that the pins failed; signals go on without them, for the screen still
    shows what the timeline tells.
    """

    def __init__(
        self, wires: Wires, voice: SoundVoice, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._wires = wires
        self._voice = voice
        self._clock = clock
        self._timeline = SignalTimeline()
        self._lamps: Lamps = DARK
        self._turned = False  # silent mode shows the lamps the other way round just now
        self._manner = Manner()
        self.trouble: str | None = None
        self._reach_pins(lambda: wires.buzz(0.0), lambda: wires.light(DARK))

    @property
    def manner(self) -> Manner:
        """How loud and how bright; what sounds already ends as it began."""
        return self._manner

    @manner.setter
    def manner(self, manner: Manner) -> None:
        self._manner = manner
        self._timeline.silent = manner.silent
        if not manner.audible:
            self._reach_pins(lambda: self._wires.buzz(0.0))
        if not manner.silent:
            self._turned = False
        self._light()

    @property
    def running(self) -> Running | None:
        """The armed round."""
        return self._timeline.running

    @property
    def busy(self) -> bool:
        """Whether a round is armed or a pattern has not ended."""
        return self._timeline.next_at is not None

    @property
    def next_at(self) -> float | None:
        """When `perform` has something to do."""
        return self._timeline.next_at

    @property
    def lamps(self) -> Lamps:
        """The lamps as they were last lit."""
        return self._lamps

    def arm(self, running: Running, cues: Sequence[float]) -> SignalEvent:
        """Arm a round in place of the armed one."""
        now = self._clock()
        self._perform_step(self._timeline.arm(running, cues, now))
        rest_s = max(0.0, running.deadline - now)
        return SignalEvent(SignalKind.ARMED, running.round_id, now, rest_s)

    def stop(self, *, hold: bool = False) -> SignalEvent | None:
        """Forget the armed round, if any; the lamps go dark unless it is only paused."""
        running, now = self.running, self._clock()
        if running is None:
            return None
        rest_s = self._timeline.stop(now)
        if not hold:
            self.show(DARK)
        return SignalEvent(SignalKind.STOPPED, running.round_id, now, rest_s)

    def stand(self, round_id: str, rest_s: float) -> SignalEvent:
        """Show a clock that stands with so much left, in place of an armed round."""
        now = self._clock()
        self._timeline.stop(now)
        self.show(lamps_at(rest_s))
        return SignalEvent(SignalKind.SET, round_id, now, rest_s)

    def show(self, lamps: Lamps) -> None:
        """Light the lamps; a running round lights them anew at its next sign."""
        self._lamps = lamps
        self._light()

    def _light(self) -> None:
        shown = self._lamps
        if self._turned:
            shown = tuple(not lit for lit in shown)
        self._reach_pins(lambda: self._wires.light(shown, self._manner.brightness))

    def sound(self, sound: Sound) -> bool:
        """Start a sound; False while zero sounds, which nothing interrupts."""
        step = self._timeline.sound(sound, self._clock())
        if step is not None:
            self._perform_step(step)
        return step is not None

    def perform(self) -> list[SignalEvent]:
        """Do everything that is due; the signs among it, each with when it really sounded."""
        events: list[SignalEvent] = []
        for step in self._timeline.due(self._clock()):
            at, muted = self._perform_step(step), not self._manner.audible
            if step.sign is not None:
                events.append(_event(step.sign, step.at, at, muted=muted))
        return events

    def _perform_step(self, step: SignalStep) -> float:
        """Buzzer first; when it changed, by the clock."""
        if step.buzz is not None:
            self._edge(on=step.buzz)
        at = self._clock()
        if step.lamps is not None:
            self.show(step.lamps)
        if step.sound is not None:
            self._voice.play(step.sound, self._manner.volume if self._manner.audible else 0)
        return at

    def _edge(self, *, on: bool) -> None:
        """An edge of a pattern: of the buzzer, or in silent mode of the lamps."""
        if self._manner.silent:
            self._turned = on
            self._light()
            return
        sound = self._timeline.sounding
        heard = on and sound is not None and self._manner.audible
        tone_hz = TONES_HZ[sound] if heard and sound is not None else 0.0
        self._reach_pins(lambda: self._wires.buzz(tone_hz, self._manner.volume))

    def _reach_pins(self, *acts: Callable[[], None]) -> None:
        try:
            for act in acts:
                act()
        except Exception as error:  # noqa: BLE001 - a pin library may raise anything
            self.trouble = f"the pins do not answer ({error}): check the wiring, then start again"
        else:
            self.trouble = None


def _event(sign: Sign, due_at: float, at: float, *, muted: bool) -> SignalEvent:
    kind = SignalKind.ZERO if sign.zero else SignalKind.CUE
    return SignalEvent(kind, sign.round_id, at, sign.rest_s, at - due_at, muted)
