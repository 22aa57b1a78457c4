"""A whole match by fingers on the app's own window, and what each touch costs its main thread.

Run as a program by test_screen_beside_blank.py: `timed_sitter FOLDER BOX SEED`. Each line it writes
is one touch: from which screen to which, by which action, and the processor time of the main thread
from the finger's lifting (or a held key's end) to the frame that shows what came of it.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.match.simulation import bots_of
from tests.ui.window.sitter import PLANNED, SIZE, AtWindow, Sitter, Wanderer, begin, go_home
from ui.screens.match.result import ResultState
from ui.touch.actions import Panel
from ui.window import appliance

REST_S, LONG_REST_S = 0.06, 0.8
"""How long the app turns after a touch, and after one that begins or leaves a match."""
LOOKING_ROUNDS = 7
"""In so many rounds side screens are opened, each of them once at least."""
YARDSTICK = 40_000
"""Additions that take some two milliseconds: how fast this machine is at this moment."""


class Timed(AtWindow):
    """The app as its command starts it; every touch that it acts on is timed."""

    def __init__(self, window: Any, folder: Path) -> None:
        super().__init__(window, folder)
        self.began: float | None = None
        self.before = ""
        self.app.on_start()
        while not gc.get_freeze_count():  # until everything that every match needs is loaded
            self.frame()

    def _sent(self, action: Any) -> None:
        if self.began is None:  # a held key
            self._lifted()
        super()._sent(action)

    def _lifted(self) -> None:
        self.before, self.began = self.sheet.screen, time.thread_time()

    def down(self, *actions: Any) -> list[Any]:
        """The same fingers, timed from when they are lifted."""
        fingers = super().down(*actions)
        for finger in fingers:
            finger.touch_up = self._timed(finger.touch_up)
        return fingers

    def _timed(self, lift: Any) -> Any:
        def lifted() -> None:
            if self.began is None and not self.sent:
                self._lifted()
            lift()

        return lifted

    def frame(self) -> None:
        """A turn of Kivy's loop; the first one after a touch shows what came of it."""
        super().frame()
        if getattr(self, "began", None) is None or not self.sent:
            return
        work_ms = 1000 * (time.thread_time() - (self.began or 0.0))
        self.began = None
        told = {"from": self.before, "to": self.sheet.screen, "work_ms": round(work_ms, 2)}
        tell({**told, "by": type(self.sent[0]).__name__, "yardstick_ms": yardstick_ms()})

    def do(self, action: Any) -> None:
        """A touch, and a moment in which the app turns as it does while somebody reads."""
        match = self.app._match
        super().do(action)
        rest_s = REST_S if self.app._match is match else LONG_REST_S
        until = time.monotonic() + rest_s
        while time.monotonic() < until:
            self.frame()


def yardstick_ms() -> float:
    """Processor time of the same few additions."""
    began, total = time.thread_time(), 0
    for number in range(YARDSTICK):
        total += number
    return round(1000 * (time.thread_time() - began), 2)


def tell(told: dict[str, Any]) -> None:
    """A line to whoever measures."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


class Guest(Wanderer):
    """Looks around in the first rounds, through every side screen; later plays on."""

    def one_more(self) -> None:
        """The next touch of the match, or a look at what lies beside it."""
        if len(self.places) <= LOOKING_ROUNDS:
            super().one_more()
        else:
            Sitter.one_more(self)


def main(folder: str, box: str, seed: str) -> None:
    """From home to the result and home again; undo, amendment, challenge, side screens between."""
    from ui.window.opening import configure

    appliance.spare_memory()
    appliance.load_for_good()
    configure(SIZE)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    person = Timed(Window, Path(folder))
    try:
        guest = Guest(person, None)
        guest.doing, guest.planned = "leads there", [*PLANNED]
        guest._tap(guest._shows(Panel.NEW_MATCH))
        begin(guest, person, box)
        guest.doing = ""
        guest.bots = bots_of(person.match.setup, Random(int(seed)))
        while not isinstance(person.state, ResultState):
            guest.one_more()
        go_home(guest)
    finally:
        person.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
