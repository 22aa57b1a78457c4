"""What a table sounds and shows of each happening, and the watch over what sounds.

Every sound has its shape on a screen as well (`SHAPES`), so that nobody depends on ears.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, PanelError
from companion.core.question import Locked, Ready
from companion.referee.desk import Happening
from hardware.panel.desk import DeskPanel
from hardware.panel.panel import Sound
from hardware.signals.client import SignalClient, SignalWatch

if TYPE_CHECKING:
    from companion.core.offers import Press, SignalEvent
    from companion.match.match import Match
    from companion.referee.presses import Challenge
    from companion.referee.referee import Referee
    from ui.settings import Settings

SHAPES: Mapping[Sound, str] = {
    Sound.READY: "the team's own tick, on the screen that waits for both",
    Sound.START: "the round's screen, its seconds and its bar",
    Sound.CUE: "the seconds themselves, and the lamps drawn beside them",
    Sound.LOCK: "the word LOCK over the whole band, on a screen of its own",
    Sound.END: "the words of how it ended, then the result",
    Sound.ERROR: "the band with a cross: what was refused, and the way out",
    Sound.CHALLENGE: "a hand and CHALLENGE over a screen of its own, a banner on every other",
}
"""Where a screen shows what a sound says, as a shape or a word and never as a colour alone."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What of a match decides whether something sounds."""

    said: int  # words given in the open form: ready, locked
    running: bool
    over: bool
    challenge: Challenge | None

    @classmethod
    def of(cls, referee: Referee) -> Moment:
        """The present moment of a match."""
        clock, match = referee.clock, referee.match
        running = clock is not None and clock.running
        over, challenge = match.outcome is not None, referee.presses.challenge
        return cls(_words(match), running, over, challenge)


def _words(match: Match[Any]) -> int:
    given = (match.open[key] for key in match.answered if key in match.open)
    return sum(isinstance(question, Ready | Locked) for question in given)


class TableSignals:
    """The panel of one table: sounds what happens, follows the settings, and is kept alive."""

    def __init__(
        self,
        panel: SignalClient | DeskPanel | None,
        settings: Settings,
        on_event: Callable[[SignalEvent], None],
        on_press: Callable[[Press], None],
    ) -> None:
        self.panel = panel
        self._watch = SignalWatch(panel) if isinstance(panel, SignalClient) else None
        self._moment = Moment(0, running=False, over=False, challenge=None)
        self._referee: Referee | None = None  # of the match that stands; another's means nothing
        if panel is not None:
            panel.on_event, panel.on_press = on_event, on_press
        self.obey(settings)

    def tick(self, now: float) -> None:
        """Do what is due, and replace a signal process that died."""
        if isinstance(self.panel, DeskPanel):
            self.panel.tick()
        if self._watch is not None:
            self._watch.look(now)

    def obey(self, settings: Settings) -> None:
        """As loud and as bright as the settings say; a lost panel hears it when it is found."""
        if self.panel is not None:
            with suppress(PanelError):  # the panel's own state says that it is gone
                self.panel.set_manner(settings.manner)

    def retry(self) -> None:
        """Start the signal process again, if it is gone."""
        if isinstance(self.panel, SignalClient):
            with suppress(PanelError):
                self.panel.connect()

    def begin(self, referee: Referee) -> None:
        """A match stands at the table: what it was before is nothing new, and did sound."""
        self._referee, self._moment = referee, Moment.of(referee)

    def follow(self, referee: Referee, happening: Happening) -> None:
        """Sound what has happened, if it has a sound."""
        if referee is not self._referee:
            return
        before, self._moment = self._moment, Moment.of(referee)
        sound = sound_of(before, self._moment, happening)
        if sound is not None and self.panel is not None:
            with suppress(CompanionError):  # a sound less; the device's own state says why
                self.panel.sound(sound)

    def close(self) -> None:
        """Leave the panel; a running round goes on in the signal process."""
        if self._watch is not None:
            self._watch.close()
        if isinstance(self.panel, SignalClient):
            self.panel.close()


def sound_of(before: Moment, now: Moment, happening: Happening) -> Sound | None:
    """The sound of a happening; cues and zero sound by themselves, at their deadlines."""
    if happening is Happening.REFUSED:
        return Sound.ERROR
    if now.over and not before.over:
        return Sound.END
    if now.challenge is not None and before.challenge is None:
        return Sound.CHALLENGE
    if now.running and not before.running:
        return Sound.START
    return Sound.READY if now.said > before.said else None
