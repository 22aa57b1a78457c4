"""Signal process and sensor box as one: a live box sounds in place of the pins.

The process always keeps the round, its journal and its lamps, and is silent while the box sounds;
it takes over at once where the box is lost. Zero counts once: the box's, for that was heard; the
process's own where the box's does not come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.errors import PanelError
from companion.offers import CardEvent, Press, SignalEvent, SignalKind
from companion.round_clock import CUES_S, Running
from hardware.panel import Manner, sound_named
from hardware.sensor_box import SensorBox
from hardware.signal_client import Connection, SignalClient
from hardware.signal_protocol import Told
from hardware.signal_starter import Wanted

HEARD = (SignalKind.CUE, SignalKind.ZERO)
HOLD_S = 0.25
"""So long the process's zero waits for the box's, which is the one that was heard."""


class BothSignals(SignalClient):
    """A signal process's client with a sensor box beside it.

    `box_sounds`: a live box sounds instead of the pins (`sounds_from = "box"`). Else the box only
    notices, and holds its cards against the pins' zero.
    """

    def __init__(
        self, wanted: Wanted, box: SensorBox, *, box_sounds: bool, folder: Path | None = None
    ) -> None:
        super().__init__(wanted, folder)
        self.box = box
        self.box_sounds = box_sounds
        self.on_card: Callable[[CardEvent], None] | None = None
        self._manner = Manner()
        self._quiet: bool | None = None  # whether the process was told to be silent
        self._cues: tuple[float, ...] = ()
        self._armed: Running | None = None
        self._held: tuple[SignalEvent, float] | None = None
        self._holding = threading.Lock()
        box.on_event, box.on_press, box.on_card = self._sounded, self._pressed, self._noticed
        box.on_turn = self._turn

    @property
    def by_box(self) -> bool:
        """Whether the box sounds just now."""
        return self.box_sounds and self.box.state().usable

    # --- Signals ----------------------------------------------------------------------------------

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        """Sound `cues` and zero at `deadline`: the process, and in the same call the box.

        Errors are the process's; a box that cannot be armed leaves the sounding to the pins.
        """
        super().arm(round_id, deadline, cues, total_s)
        self._armed, self._cues = Running(round_id, deadline, total_s), tuple(cues)
        if self.box_sounds and not self._armed_box():
            self._hush_process(quiet=False)
        elif not self.box_sounds:
            self.box.forget_zero()

    def _armed_box(self) -> bool:
        armed = self._armed
        assert armed is not None
        with suppress(PanelError):
            if not self.box.has_armed(armed.round_id):
                self.box.stop()  # a round that nobody waits for any more
            self.box.arm(armed.round_id, armed.deadline, self._cues, armed.total_s)
            return True
        self.box.take_over(armed, self._cues)
        return False

    def adopt(self) -> Running | None:
        """The round that the process runs; a box that runs it too goes on sounding it."""
        armed = super().adopt()
        if armed is not None:
            self._armed, self._cues = armed, CUES_S
        return armed

    def stop(self) -> float:
        self._armed = None
        rest_s = super().stop()
        self._also(self.box.stop)
        return rest_s

    def pause(self) -> float:
        self._armed = None
        rest_s = super().pause()
        self._also(self.box.pause)
        return rest_s

    def stand(self, round_id: str, rest_s: float) -> None:
        self._armed = None
        super().stand(round_id, rest_s)
        self._also(lambda: self.box.stand(round_id, rest_s))

    def history(self, round_id: str) -> list[SignalEvent]:
        """What was signalled for a round: the box's cues and zero, where it was the one to sound.

        After a restart of ours the journal alone is left, and says that the pins were muted.
        """
        journal = super().history(round_id)
        heard = [event for event in self.box.history(round_id) if event.kind in HEARD]
        if not heard:
            return journal
        others = [event for event in journal if event.kind not in HEARD]
        return sorted([*others, *heard], key=lambda event: event.at)

    def show(self, lamps: Sequence[bool]) -> None:
        super().show(lamps)
        self._also(lambda: self.box.show(lamps))

    def sound(self, signal: str) -> None:
        if self.by_box:
            with suppress(PanelError):
                self.box.sound(sound_named(signal))
                return
        super().sound(signal)

    def set_manner(self, manner: Manner) -> None:
        """As loud and bright as told; whichever of the two does not sound is silent."""
        self._manner = manner
        loud = self.box_sounds and not manner.silent
        self._also(lambda: self.box.set_manner(manner if loud else replace(manner, volume=0)))
        self._hush_process(quiet=self.by_box)

    def close(self) -> None:
        """Leave both; an armed round goes on to its zero without us."""
        self.box.close()
        super().close()

    def _also(self, deed: Callable[[], object]) -> None:
        """The box does it too, where there is one; what it cannot do the process has done."""
        if self.box_sounds or self.box.state().usable:
            with suppress(PanelError):
                deed()

    def _hush_process(self, *, quiet: bool) -> None:
        self._quiet = quiet
        super().set_manner(replace(self._manner, volume=0) if quiet else self._manner)

    # --- What is told -----------------------------------------------------------------------------

    def _take(self, told: Told) -> None:
        """On the process's listening thread."""
        if isinstance(told, SignalEvent):
            if told.kind is SignalKind.ZERO:
                self._process_zero(told)
                return
            if told.kind is SignalKind.CUE and self.by_box:
                return  # the box tells its own
        super()._take(told)

    def _process_zero(self, zero: SignalEvent) -> None:
        if not self.by_box:
            self.box.zero_elsewhere(zero.at)
            super()._take(zero)
            return
        with self._holding:
            if self._armed is not None and self._armed.round_id == zero.round_id:
                self._held = (zero, time.monotonic() + HOLD_S)

    def _sounded(self, event: SignalEvent) -> None:
        """On the box's thread: what was heard counts; all else the process has said."""
        if not self.box_sounds or event.kind not in HEARD:
            return
        if event.kind is SignalKind.ZERO:
            with self._holding:
                self._held, self._armed = None, None
        super()._take(replace(event, muted=not self._manner.audible))

    def _pressed(self, press: Press) -> None:
        super()._take(press)

    def _noticed(self, event: CardEvent) -> None:
        if self.on_card is not None:
            self.on_card(event)

    def _turn(self) -> None:
        """On the box's thread, all the time: who sounds, and a zero that waited long enough."""
        by_box = self.by_box
        if by_box != (self._quiet or False) and self.state().connection is Connection.LIVE:
            with suppress(PanelError):
                self._change_over(by_box=by_box)
        with self._holding:
            held = self._held
            if held is None or (by_box and time.monotonic() < held[1]):
                return
            self._held = self._armed = None
        self.box.zero_elsewhere(held[0].at)
        super()._take(held[0])

    def _change_over(self, *, by_box: bool) -> None:
        """The box has come or gone: a round that runs goes on, sounded by the other."""
        armed = self._armed
        if by_box and armed is not None and not self.box.has_armed(armed.round_id):
            self.box.take_over(armed, self._cues)
            return  # at the next turn it is armed, and the process falls silent
        self._hush_process(quiet=by_box)
