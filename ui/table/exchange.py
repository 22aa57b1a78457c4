"""The parts of a table that settings choose, made anew while the app runs: its camera, what sounds.

A camera is exchanged at the very touch: the match goes on without one until it gives pictures. What
sounds is exchanged a moment after the last of several touches, and never under a running clock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.errors import CompanionError
from hardware.signals.both import BothSignals
from ui.table.evidence import RoundEyes
from ui.table.signals import TableSignals

if TYPE_CHECKING:
    from companion.core.offers import CardEvent, Press, Sighting, SignalEvent
    from companion.match.match import Match
    from companion.referee.referee import Referee
    from hardware.panel.desk import DeskPanel
    from hardware.signals.client import SignalClient
    from ui.table.camera_watch import CameraWatch
    from ui.table.eyes import TableEyes
    from ui.table.previews import CameraPreviews, CameraSeen
    from ui.table.settings import Settings
    from ui.table.settings_file import SettingsFile
    from ui.table.voice import TableVoice

OF_THE_CAMERA = ("camera", "table_file")
OF_WHAT_SOUNDS = ("pins", "loudspeaker", "sounds_from", "box", "panel.")
"""Settings by which a part is made; a dot at the end: all of that table of settings."""

CALM_S = 0.8
"""Pins are moved by several touches: so long after the last one they are taken."""


class Parted(Protocol):
    """A table as far as its parts are exchanged; `ui.table.table.Table` is one."""

    watch: CameraWatch | None
    eyes: TableEyes | None
    signals: SignalClient | DeskPanel | None
    voice: TableVoice | None
    sounding: TableSignals
    rounds: RoundEyes
    referee: Referee | None
    settings_file: SettingsFile
    clock: Callable[[], float]

    @property
    def settings(self) -> Settings:
        """The table's settings."""
        ...

    def look_at(self, match: Match[Any]) -> None:
        """The camera looks for this match's boards."""
        ...

    def signal(self, event: SignalEvent) -> None:
        """What the signals did."""
        ...

    def press(self, press: Press) -> None:
        """A button was pressed."""
        ...

    def card(self, event: CardEvent) -> None:
        """A slot sensor noticed a card."""
        ...


@dataclass(frozen=True, slots=True)
class Makers:
    """How a table's parts are made of its settings. Each tells for itself what it cannot have.

    `previews` looks at the cameras that may be chosen.
    """

    eyes: Callable[[SettingsFile], TableEyes]
    watch: Callable[[Settings, TableEyes], CameraWatch | None]
    signals: Callable[[Settings], SignalClient | None]
    previews: CameraPreviews | None = None


class Exchange:
    """Puts other parts into a table; owned by its thread. Without makers nothing is exchanged."""

    def __init__(self, table: Parted, makers: Makers | None) -> None:
        self._table, self._makers = table, makers
        self._signals_due: float | None = None
        self.trouble = ""
        """Why the last part could not be made."""

    @property
    def possible(self) -> bool:
        """Whether a part that is chosen works at once; else it does from the next start on."""
        return self._makers is not None

    @property
    def waits(self) -> bool:
        """Whether other pins wait for the clock that runs."""
        return self._signals_due is not None and self._clock_runs

    def cameras(self) -> tuple[CameraSeen, ...]:
        """Every camera that may be chosen, as it sees now; whoever asks keeps them looking."""
        if self._makers is None or self._makers.previews is None:
            return ()
        return self._makers.previews.seen(self._table.settings.camera, self._table.watch)

    def close(self) -> None:
        """Look at no camera any more."""
        if self._makers is not None and self._makers.previews is not None:
            self._makers.previews.close()

    def chosen(self, name: str) -> None:
        """A setting was changed."""
        if self._makers is None:
            return
        if name in OF_THE_CAMERA:
            self._exchange_camera(self._makers)
        if name.startswith(OF_WHAT_SOUNDS):
            self._signals_due = self._table.clock() + CALM_S

    def tick(self, now: float) -> None:
        """Exchange what is due."""
        due = self._signals_due
        if due is None or now < due or self._clock_runs or self._makers is None:
            return
        self._signals_due = None
        self._exchange_signals(self._makers)

    @property
    def _clock_runs(self) -> bool:
        referee = self._table.referee
        return referee is not None and referee.clock is not None and referee.clock.running

    # -- the camera ------------------------------------------------------------------------

    def _exchange_camera(self, makers: Makers) -> None:
        """Another camera, or none; the old one is let go of before the new one is opened."""
        table, old = self._table, self._table.watch
        if table.eyes is not None:
            table.eyes.put_away()
        table.watch = None
        self.trouble = ""
        try:
            table.eyes = makers.eyes(table.settings_file)
            table.watch = makers.watch(table.settings, table.eyes)
        except CompanionError as wrong:
            self.trouble = str(wrong)
        watch_by(table, table.watch)
        _hand_over(old, table.watch)

    # -- what sounds -----------------------------------------------------------------------

    def _exchange_signals(self, makers: Makers) -> None:
        """Other pins, another loudspeaker, another sensor box, or none of them."""
        table = self._table
        table.sounding.close()
        table.signals = None
        self.trouble = ""
        with suppress(CompanionError):  # the device's own state says why
            table.signals = makers.signals(table.settings)
        sound_by(table)


def watch_by(table: Parted, watch: CameraWatch | None) -> None:
    """Let a camera (None: none) look at the table and at the match under way.

    What was seen before counts no more; evidence that is due of the old camera is written.
    """
    if watch is not None:
        watch.listeners.append(partial(_see, table, watch))
    table.rounds = RoundEyes(watch)
    referee = table.referee
    if referee is not None:
        referee.tick(table.clock())  # what the old camera told is taken in before it is forgotten
        referee.look_again()
        table.look_at(referee.match)
        if watch is None:
            referee.trust()


def _see(table: Parted, watch: CameraWatch, sighting: Sighting) -> None:
    """What a camera has seen, unless another one looks at the table by now."""
    if table.watch is watch and table.referee is not None:
        table.referee.see(sighting)


def _hand_over(old: CameraWatch | None, new: CameraWatch | None) -> None:
    """Let go of the old camera, then open the new one: a driver may take seconds for it."""

    def hand_over() -> None:
        if old is not None:
            old.close()
        if new is not None:
            new.start()

    if old is not None:
        old.listeners.clear()
    threading.Thread(target=hand_over, name="camera exchange", daemon=True).start()


def sound_by(table: Parted) -> None:
    """Let the table's signals sound for it and for the match under way."""
    table.sounding = TableSignals(
        table.signals, table.settings, table.signal, table.press, table.voice
    )
    if isinstance(table.signals, BothSignals):
        table.signals.on_card = table.card
    if table.referee is not None:
        table.referee.signals = table.signals
        table.sounding.begin(table.referee)
