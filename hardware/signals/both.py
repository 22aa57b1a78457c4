"""Signal process and sensor box as one: a live box sounds in place of the pins.

The process always keeps the round, its journal and its lamps, and is silent while the box sounds;
it takes over at once where the box is lost, and before zero where the box has said nothing of late:
rather both than none. Zero counts once: the box's, for that was heard; the process's own where the
box's does not come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.core.errors import PanelError
from companion.core.offers import CardEvent, Press, SignalEvent, SignalKind
from companion.core.round_clock import CUES_S, Running
from hardware.panel.panel import Manner, sound_named
from hardware.sensor_box.sensor_box import BoxConnection, SensorBox
from hardware.signals.client import Connection, SignalClient
from hardware.signals.folder import Journal, read_journal, zero_of
from hardware.signals.process import Wanted
from hardware.signals.protocol import Told, told_fields

HEARD = (SignalKind.CUE, SignalKind.ZERO)
HOLD_S = 0.25
"""So long the process's zero waits for the box's, which is the one that was heard."""

NEAR_ZERO_S = 2.0
"""With less left than this the pins are silent only while the box vouches for the round."""

SAME_S = 3.0
"""The pins' sign and the box's are the same one if they lie no further apart than this."""

BACKLOG_S = 2.5
"""So long a box that was just found gets to tell what it sounded while nobody listened."""

PRESENT = (BoxConnection.FOUND, BoxConnection.HANDSHAKEN, BoxConnection.LIVE)


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
        self._counted = ""  # the round whose zero was told since it was armed
        self._held: tuple[SignalEvent, float] | None = None
        self._holding = threading.Lock()
        self._hushing = threading.Lock()
        self._heard_file = self._folder.path / "box-signals.jsonl"
        self._heard: Journal | None = None
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
        before = self._armed, self._cues, self._counted
        armed = Running(round_id, deadline, total_s)
        self._armed, self._cues, self._counted = armed, tuple(cues), ""
        self.box.forget_zero()
        try:
            super().arm(round_id, deadline, cues, total_s)
        except PanelError:
            self._armed, self._cues, self._counted = before
            raise
        if self.box_sounds and not self._armed_box(armed):
            self._hush_process(quiet=False)

    def _armed_box(self, armed: Running) -> bool:
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
            self._armed, self._cues, self._counted = armed, CUES_S, ""
            if self.box_sounds:
                self.box.take_over(armed, CUES_S)
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
        """What was signalled for a round: the pins' signs, and those of the box as it told them.

        A box tells also what it sounded while this program was not running: just after a start
        that is waited for, up to `BACKLOG_S`, where the pins alone would say that nobody heard it.
        """
        events = self._as_heard(round_id)
        zero = zero_of(events)
        untold = zero is not None and zero.muted and self._manner.audible
        if untold and self.box_sounds and self.box.state().connection in PRESENT:
            self.box.await_backlog(BACKLOG_S)
            events = self._as_heard(round_id)
        return events

    def _as_heard(self, round_id: str) -> list[SignalEvent]:
        kept = read_journal(self._heard_file, self._boot, round_id)
        heard = [event for event in self.box.history(round_id) if event.kind in HEARD]
        return merged(super().history(round_id), [*kept, *heard])

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
        if self._heard is not None:
            self._heard.close()

    def _also(self, deed: Callable[[], object]) -> None:
        """The box does it too, where there is one; what it cannot do the process has done."""
        if self.box_sounds or self.box.state().usable:
            with suppress(PanelError):
                deed()

    def _hush_process(self, *, quiet: bool) -> None:
        with self._hushing:
            super().set_manner(replace(self._manner, volume=0) if quiet else self._manner)
            self._quiet = quiet

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
            self._count(zero)
            return
        with self._holding:
            if self._counted != zero.round_id:
                self._held = (zero, time.monotonic() + HOLD_S)

    def _count(self, zero: SignalEvent) -> None:
        """The process's zero is the one that counts, if none did before."""
        with self._holding:
            if self._counted == zero.round_id:
                return
            self._held, self._armed, self._counted = None, None, zero.round_id
        self.box.zero_elsewhere(zero.at)
        super()._take(zero)

    def _sounded(self, event: SignalEvent) -> None:
        """On the box's thread: what was heard counts; all else the process has said."""
        if not self.box_sounds or event.kind not in HEARD:
            return
        heard = replace(event, muted=not self._manner.audible)
        self._keep(heard)
        if event.kind is SignalKind.ZERO:
            with self._holding:
                if self._counted == event.round_id:
                    return  # the pins' zero was told already
                self._held, self._armed, self._counted = None, None, event.round_id
        super()._take(heard)

    def _keep(self, heard: SignalEvent) -> None:
        """For the record of a program that is started after this one."""
        if self._heard is None:
            self._heard = Journal(self._heard_file, self._boot)
        self._heard.append(told_fields(heard))

    def _pressed(self, press: Press) -> None:
        super()._take(press)

    def _noticed(self, event: CardEvent) -> None:
        if self.on_card is not None:
            self.on_card(event)

    def _turn(self) -> None:
        """On the box's thread, all the time: who sounds, and a zero that waited long enough."""
        by_box = self._box_suffices()
        if by_box != (self._quiet or False) and self.state().connection is Connection.LIVE:
            with suppress(PanelError):
                self._change_over(by_box=by_box)
        with self._holding:
            held = self._held
        if held is not None and (not self.by_box or time.monotonic() >= held[1]):
            self._count(held[0])

    def _box_suffices(self) -> bool:
        """Whether the pins may be silent. At zero itself nothing changes: they sound or do not."""
        if not self.by_box:
            return False
        armed = self._armed
        rest_s = float("inf") if armed is None else armed.deadline - time.monotonic()
        if armed is None or rest_s > NEAR_ZERO_S:
            return True
        return self.box.vouches_for(armed.round_id) if rest_s > 0.0 else bool(self._quiet)

    def _change_over(self, *, by_box: bool) -> None:
        """The box has come or gone: a round that runs goes on, sounded by the other."""
        armed = self._armed
        if by_box and armed is not None and not self.box.has_armed(armed.round_id):
            self.box.take_over(armed, self._cues)
            return  # at the next turn it is armed, and the process falls silent
        self._hush_process(quiet=by_box)


def merged(pins: Sequence[SignalEvent], box: Sequence[SignalEvent]) -> list[SignalEvent]:
    """The signs of both, oldest first, each once: the box's where the pins made no sound."""
    told = list(pins)
    for sign in box:
        same = [n for n, other in enumerate(told) if _is_same(sign, other)]
        if not same:
            told.append(sign)
            continue
        nearest = min(same, key=lambda n: abs(told[n].at - sign.at))
        if told[nearest].muted:
            told[nearest] = sign
    return sorted(told, key=lambda event: event.at)


def _is_same(one: SignalEvent, other: SignalEvent) -> bool:
    alike = one.kind is other.kind and abs(one.rest_s - other.rest_s) < 0.001  # the box knows ms
    return alike and abs(one.at - other.at) <= SAME_S
