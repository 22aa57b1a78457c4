"""The countdown as people at a terminal read and hear it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.commands.voice import Voice
from companion.core.round_clock import CUES_S

if TYPE_CHECKING:
    from companion.referee.referee import Referee


class ClockTeller:
    """Says the seconds left at each cue, and zero with the terminal's bell."""

    def __init__(self, referee: Referee, voice: Voice) -> None:
        self._referee, self._voice = referee, voice
        self._round = ""
        self._rest_s = 0.0
        self._cues: list[float] = []

    def tell(self, now: float) -> None:
        """Say what has become due since the last call."""
        clock = self._referee.clock
        if clock is None:
            self._tell_end()
            return
        rest_s = clock.rest(now)
        if clock.round_id != self._round or rest_s > self._rest_s:
            self._begin(clock.round_id, rest_s)
            self._voice.remark(f"{rest_s:.0f} s: {self._word(running=clock.running)}")
        self._rest_s = rest_s
        due = [cue for cue in self._cues if cue >= rest_s]
        self._cues = self._cues[len(due) :]
        if due:
            self._voice.remark(f"{due[-1]:g} s")

    def _word(self, *, running: bool) -> str:
        if running:
            return "lay your cards"
        if self._referee.presses.challenge is not None:
            return "the clock stands until the challenge is decided; type decided"
        return "the clock stands; !clock resume starts it"

    def _begin(self, round_id: str, rest_s: float) -> None:
        """A phase has begun, or was given time."""
        self._round = round_id
        self._cues = [cue for cue in CUES_S if 0 < cue < rest_s]

    def _tell_end(self) -> None:
        if self._round and self._rest_s < 1.0:  # else it was taken back, or ended by a word
            self._voice.bell()
            self._voice.remark("0 s: cards stay where they are")
        self._round = ""
