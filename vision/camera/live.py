"""A device as a camera: one thread waits for pictures, the reader takes the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from companion.core.errors import CameraError, CameraFrozen, CameraLost, CameraUnplugged
from vision.camera.frame import Frame, Raw, Undeveloped, grey_of

FROZEN_S = 3.0
"""A camera that gives nothing for so long is taken for lost."""
WAKING_S = 6.0
"""The first picture may take longer."""
SILENT_S = 0.3
"""After so long without a picture it is asked whether the device is still there."""
CLOSING_S = 1.0


class Driver(Protocol):
    """The edge to a device; all calls but the making come from one thread."""

    def grab(self) -> Raw:
        """Wait for the next picture; `CameraError` (as `CameraLost`) when there will be none."""
        ...

    def release(self) -> None: ...


class LiveCamera:
    """A device that goes on while nobody reads; a picture nobody took is replaced by the next.

    A device that hangs hangs its own thread only: `read` never waits, and after `FROZEN_S` without
    a picture raises `CameraFrozen`. A driver may wait for a picture long after the plug was pulled,
    so a silent device is asked for by `present`; without it `read` raises `CameraUnplugged`.
    """

    live = True

    def __init__(
        self,
        name: str,
        size_px: tuple[int, int],
        driver: Driver,
        *,
        present: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.size_px = size_px
        self._driver = driver
        self._present = present
        self._clock = clock
        self._lock = threading.Lock()
        self._newest: tuple[Raw, float] | None = None
        self._trouble: CameraError | None = None
        self._number = 0
        self._last_good = clock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The newest picture that was not read yet, or None; `CameraLost` when there is none."""
        with self._lock:
            newest, self._newest = self._newest, None
            trouble = self._trouble
        frame = self._frame(*newest) if newest else None
        if frame is not None:
            return frame
        if trouble is not None:
            raise trouble
        if not self._closing.is_set():
            self._refuse_silence(self._clock() - self._last_good)
        return None

    def _refuse_silence(self, silent_s: float) -> None:
        """Raise where a device has been silent for too long, or is silent and gone."""
        if silent_s > SILENT_S and not self._present():
            raise CameraUnplugged(f"{self.name} was unplugged: plug it in again")
        patience_s = FROZEN_S if self._number else WAKING_S
        if silent_s > patience_s:
            raise CameraFrozen(
                f"{self.name} gives no picture for {patience_s:.0f} s: pull its plug and put it in "
                "again"
            )

    def close(self) -> None:
        """Stop; the device is let go by its own thread (a hung one is left behind)."""
        self._closing.set()
        self._thread.join(CLOSING_S)

    def _frame(self, raw: Raw, taken_at: float) -> Frame | None:
        """A frame from the driver's bytes; a torn one is passed over."""
        grey = grey_of(raw)
        if grey is None:
            return None
        frame = Frame(grey, taken_at, self._number, None, self.name, Undeveloped(raw))
        self._number += 1
        self._last_good, self.size_px = taken_at, frame.size_px
        return frame

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                raw = self._driver.grab()
                with self._lock:
                    self._newest = (raw, self._clock())
        except CameraError as trouble:
            self._give_up(trouble)
        except Exception as trouble:  # noqa: BLE001 - a driver may raise anything, and the reader must know
            self._give_up(CameraLost(f"{self.name} failed: {trouble}; pull its plug"))
        finally:
            with suppress(Exception):  # a driver may fail once more where its device is gone
                self._driver.release()

    def _give_up(self, trouble: CameraError) -> None:
        with self._lock:
            self._trouble = trouble
