"""The club's record, kept up by itself: what is played here goes there, and the other way.

The settings name it (`club`, a URL or a path). A thread of its own carries now and then and after
each match, never while a round runs; it has records of its own open, so that nothing at the table
waits for a network. How it stands is a line at the foot of home.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread, get_native_id
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from companion.core.errors import CompanionError, RecordError
from companion.core.text import without_secrets
from companion.record.club import Carried, carry
from companion.record.keeping import MatchKeeping
from companion.record.meanwhile import bring_home, put_by, stand_in, stand_ins, waiting
from companion.record.place import is_begun
from companion.record.record import Record
from companion.record.store import is_url, open_server
from ui.scene.scene import RESTART
from ui.scene.values import Line, Mark

if TYPE_CHECKING:
    from companion.match.match import Match

LABEL, HOME_LABEL = "Club", "Record"
LOOK_S = 5.0
EVERY_S, PATIENCE_S = 60.0, 300.0
"""So often it is asked for news; so seldom while it does not answer."""
SILENT_S = 60.0
"""After so long without an end a carrying is told to have no answer; a first one may be long."""
ASKED_AT_HOME_S = 20.0
"""So often a server that was silent at the start is asked."""
SERVER_IS_SILENT = Line(HOME_LABEL, "its server is silent: kept elsewhere", Mark.WARN)
SERVER_ANSWERS = Line(HOME_LABEL, "its server answers: start the app anew", Mark.WARN, key=RESTART)
_GENTLE = 10
"""The thread's niceness: the table goes first."""


class Beside(Protocol):
    """What is done with the record by itself, beside the match; every method returns at once."""

    busy: bool
    """A round runs: nothing is begun."""

    @property
    def line(self) -> Line | None:
        """How it stands, at the foot of home."""
        ...

    def start(self) -> None:
        """Go to work from now on."""
        ...

    def changed(self) -> None:
        """There is more in the record now."""
        ...

    def close(self) -> None:
        """Begin no more."""
        ...


class _Errand(ABC):
    """Looks now and then, on a gentle thread of its own. All but `look` returns at once."""

    def __init__(self, name: str) -> None:
        self._line: Line | None = None
        self.busy = False
        """A round runs: nothing is begun."""
        self._waits_s = 0.0
        self._closed = Event()
        self._thread = Thread(target=self._work, name=name, daemon=True)

    @property
    def line(self) -> Line | None:
        """How it stands; None where there is nothing to tell."""
        return self._line

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def changed(self) -> None:
        """There is more in the record now: it is looked at soon."""
        self._waits_s = 0.0

    def close(self, most_s: float = 1.0) -> None:
        """Begin no more; what was being done is done at the next start."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(most_s)

    @abstractmethod
    def look(self) -> None:
        """Do it once, unless a round runs."""

    # -- the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _GENTLE)
        while not self._closed.wait(LOOK_S):
            self._waits_s -= LOOK_S
            if self._waits_s <= 0:
                self.look()


class ClubCarrier(_Errand):
    """Carries between the record at `place` and the one that `club` names now (empty: none).

    `utc` tells the time, `clock` counts seconds.
    """

    def __init__(
        self,
        place: str,
        club: Callable[[], str],
        *,
        utc: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__("club")
        self._place, self._club, self._utc, self._clock = place, club, utc, clock
        self._well: str = ""
        self._asked_at: float | None = None
        """When what is being carried now was begun, s of `clock`; None while nothing is."""

    @property
    def line(self) -> Line | None:
        """How it stands; a club that stalls in the middle says nothing, and that is told."""
        asked_at = self._asked_at
        if asked_at is None or self._clock() - asked_at < SILENT_S:
            return self._line
        since = f" since {self._well}" if self._well else ""
        return Line(LABEL, f"has not answered{since}; what is played here waits", Mark.WARN)

    def look(self) -> None:
        """Carry once, unless a round runs or no club is named."""
        club = self._club()
        if not club:
            self._line = None
        elif not self.busy:
            self._waits_s = EVERY_S
            self._asked_at = self._clock()
            self._carry(club)
            self._asked_at = None

    def _carry(self, club: str) -> None:
        try:
            with Record.open_again(Path(self._place)) as here:
                _see_that_it_is_there(club, here)
                with Record.open(club) as there:
                    done = carry(here, there)
        except Exception as wrong:  # noqa: BLE001 - told; the thread goes on, whatever it was
            self._waits_s = PATIENCE_S
            since = f"; what is played here since {self._well} waits" if self._well else ""
            said = without_secrets(str(wrong)).partition(". ")[0]
            self._line = Line(LABEL, f"not reached{since}: {said}", Mark.WARN)
        else:
            self._well = f"{self._utc().astimezone():%H:%M}"
            self._line = _told(done, self._well)


def _see_that_it_is_there(club: str, here: Record) -> None:
    """RecordError for a club whose drive is away: a new record there would have nothing of it."""
    if here.outbox.has_carried() and not is_begun(club):
        raise RecordError(f"{club} is not there; `companion sync {club}` begins a new one")


def _told(done: Carried, when: str) -> Line:
    """That both have the same, or what people have to look at."""
    if not done.told:
        return Line(LABEL, f"has everything, {when}", Mark.OK)
    more = f" and {len(done.told) - 1} more" if len(done.told) > 1 else ""
    return Line(LABEL, f"{done.told[0]}{more}", Mark.WARN)


# What was kept elsewhere while a server stalled.


class HomeComing(_Errand):
    """Brings home what was kept elsewhere while the server of the record at `place` stalled.

    As soon as a match is left; while the server does not answer it is asked again now and then.
    """

    def __init__(self, place: str, folders: Sequence[Path]) -> None:
        super().__init__("home-coming")
        self._place, self._folders = place, folders

    def changed(self) -> None:
        """A match was left: what was written of it elsewhere waits from now on."""
        with suppress(OSError):  # a card that fails: the next start finds it there
            put_by(self._folders)
        super().changed()

    def look(self) -> None:
        """Bring home what waits, unless a round runs."""
        if self.busy or not waiting(self._folders):
            return
        self._waits_s = EVERY_S
        try:
            with Record.open(self._place) as record:
                if record.read_only is not None:
                    raise record.read_only
                told = "; ".join(bring_home(record, self._folders))
        except Exception as wrong:  # noqa: BLE001 - told; the thread goes on, whatever it was
            said = without_secrets(str(wrong)).partition(". ")[0]
            self._line = Line(HOME_LABEL, f"what was kept elsewhere waits: {said}", Mark.WARN)
        else:
            left = waiting(self._folders)
            self._line = Line(HOME_LABEL, told, Mark.WARN if left else Mark.OK) if told else None


class ServerWatch(_Errand):
    """Asks a server that was silent at the start whether it answers: a start anew takes its record.

    `place` is the record's URL.
    """

    def __init__(self, place: str) -> None:
        super().__init__("server-watch")
        self._place = place
        self._line = SERVER_IS_SILENT

    def look(self) -> None:
        """Ask it once, unless a round runs."""
        if self.busy:
            return
        self._waits_s = ASKED_AT_HOME_S
        try:
            Record.open(self._place).close()
        except Exception:  # noqa: BLE001 - why was told at the start; the thread goes on
            self._line = SERVER_IS_SILENT
        else:
            self._line = SERVER_ANSWERS


# A record on a server.

T = TypeVar("T")

OPENS_WITHIN_S = 2.0
"""So long the first screen waits for a server: then matches are kept elsewhere."""


def open_soon(place: str | Path, most_s: float = OPENS_WITHIN_S) -> Record:
    """The record at a place; RecordError, too, for a server that does not answer within `most_s`.

    A record that comes later is closed again.
    """
    if not is_url(str(place)):
        return Record.open(place)
    open_server(str(place)).dispose()  # its driver is loaded: a slow card is no silent server
    coming = _asked(partial(Record.open, place), most_s)
    if coming.done():
        return coming.result()
    coming.add_done_callback(_close)
    raise RecordError(without_secrets(f"{place} does not answer within {most_s:g} s"))


def _close(late: Future[Record]) -> None:
    with suppress(CompanionError, OSError):
        late.result().close()


STALLED_S = 0.5
"""So long a table waits for a server that does not answer; then it writes elsewhere."""
ASKED_AGAIN_S = 5.0
"""So long after a server failed it is asked again whether it answers."""


class Patience:
    """How a table asks its record: at once where that is a file, else not for longer than `most_s`.

    What was called and does not end goes on in its thread: it may still succeed. From then on
    nobody waits for the server, until it has answered a thread that asks it again.
    """

    def __init__(self, record: Record, most_s: float = STALLED_S) -> None:
        self._record, self._most_s = record, most_s
        self._is_far = is_url(record.name)
        self._silent, self._closed = Event(), Event()

    def __call__(self, call: Callable[[], T]) -> T:
        """What the call returns or raises; RecordError where the server does not answer."""
        if not self._is_far:
            return call()
        if self._silent.is_set():
            raise RecordError("the record's server has not answered for a while")
        answer = _asked(call, self._most_s)
        if answer.done():
            return answer.result()
        self._silent.set()
        Thread(target=self._ask_again, name="record-asked", daemon=True).start()
        raise RecordError(f"the record's server does not answer within {self._most_s:g} s")

    def close(self) -> None:
        """Ask the server no more."""
        self._closed.set()

    def _ask_again(self) -> None:
        while not self._closed.is_set():
            try:
                self._record.count()
            except (CompanionError, OSError):
                self._closed.wait(ASKED_AGAIN_S)
            else:
                self._silent.clear()
                return


def _asked(call: Callable[[], T], most_s: float) -> Future[T]:
    """What a call comes to, which has a thread of its own and may not have ended by then."""
    answer: Future[T] = Future()
    Thread(target=_answer, args=(answer, call), name="record", daemon=True).start()
    wait([answer], most_s)
    return answer


def _answer(answer: Future[T], call: Callable[[], T]) -> None:
    try:
        answer.set_result(call())
    except Exception as wrong:  # noqa: BLE001 - raised in the thread that waits, if one still does
        answer.set_exception(wrong)


def keeping_of(
    record: Record, match: Match[Any], boot_id: str, patience: Patience, match_id: str = ""
) -> MatchKeeping:
    """How a match is written: where its record is on a server, nobody waits for that for long."""
    keeping = MatchKeeping(record, match, boot_id, match_id)
    if is_url(record.name):
        keeping.bounded, keeping.stand_in = patience, partial(stand_in, stand_ins())
    return keeping
