"""What touches will show, made ready while nobody touches: rules read, parts drawn, fonts opened.

New match is a page of boards of all boxes: a quarter of a second of reading, measuring and drawing
the first time, a tenth of that later. Reading is done on a thread of its own behind the first
screen; what only the window's own thread may do is done there, a part a frame, and stops as soon as
another screen is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock

from companion.games import RULEBOOKS, find_rulebook
from companion.match.entry import app_version
from ui.screens.beside.new_match import read_ahead
from ui.screens.registry import parts_of, present
from ui.touch.actions import Panel
from ui.widgets.lettering import open_ahead

if TYPE_CHECKING:
    from companion.match.match import Match
    from ui.widgets.sheet import Sheet
    from ui.window.operator import Operator

_LOG = logging.getLogger(__name__)


class Ahead:
    """Makes New match ready behind `sheet`'s first screen; `done` is called once, at the end."""

    def __init__(self, operator: Operator, sheet: Sheet, done: Callable[[], None]) -> None:
        self._operator, self._sheet, self._done = operator, sheet, done
        self._first = sheet.screen

    def start(self) -> None:
        """Read on a thread; whoever wants a box sooner has it sooner."""
        Thread(target=self._read, name="ahead", daemon=True).start()

    def _read(self) -> None:
        try:
            for box in RULEBOOKS:
                find_rulebook(box)
            app_version()
            for box in RULEBOOKS:
                read_ahead(box)
        finally:
            # A method alone would be held weakly by the clock, and nobody else holds this object.
            Clock.schedule_once(lambda _dt: self._begin())

    def _begin(self) -> None:
        steps = self.steps()
        Clock.schedule_interval(lambda _dt: self._go_on(steps), 0)

    def _go_on(self, steps: Iterator[str]) -> bool:
        """One step a frame; False, which ends it, after the last or where another screen stands."""
        try:
            if self._sheet.screen == self._first and self._operator.table.referee is None:
                next(steps)
                return True
        except StopIteration:
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the touch itself meets it again
            _LOG.exception("New match cannot be made ready; a touch on it will say why")
        self._done()
        return False

    def steps(self) -> Iterator[str]:
        """Draw New match as a touch would show it now, seen by nobody; the names of its parts."""
        sitting = self._operator.sitting
        view = replace(sitting.view, panels=((Panel.NEW_MATCH, ""),))
        parts = parts_of(present(sitting.table.situation(), view), self._sheet.theme)
        yield ""
        for name, part in parts.items():
            self._sheet.draw_ahead(part)
            yield name
        yield from (f"letters of {size_px} px" for size_px in open_ahead(self._sheet.theme))


def read_book(match: Match[Any]) -> None:
    """What its book says, read behind the first screens of a match: disputes tell of it."""
    Thread(target=match.rulebook.paragraphs, name="book", daemon=True).start()
