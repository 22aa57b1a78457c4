"""What a correction would do, or another answer, tried on a replay; the match stays as it is."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall, CompanionError
from companion.core.offers import Stamp
from companion.core.ruling import Json, Seat
from companion.match.match import Match
from companion.referee.protocol import read_protocol
from companion.referee.script import ScriptLine, Verb, as_in
from companion.referee.teaching import MOST_TRIED, taught
from ui.scene.values import Hindsight
from ui.table.protocol import time_of_day

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.match.entry import Entry

NOBODYS = Stamp("", "", 0.0)
"""What is stamped on a line that is only looked at."""


class Falling(NamedTuple):
    """The line that an undo takes back, and those later ones that fall with it.

    `form` says that a form which was closed is asked again with it, whole or in part; else empty.
    `waits` are older lines that had come back after an amend and then wait for their question anew.
    """

    line: int
    later: tuple[int, ...]
    form: str = ""
    waits: tuple[int, ...] = ()


def try_out(
    match: Match[Any],
    line: ScriptLine,
    undone: int | None,
    files: Callable[[str], Mapping[str, Json]],
) -> None:
    """Let a correction be refused as the match itself would, in whoever's name it comes."""
    ahead, value, why = Match[Any].replay(match.entries), line.value, line.reason
    match line.verb:
        case Verb.UNDO:
            ahead.undo(undone, why, stamp=NOBODYS)
        case Verb.ADJUST:
            ahead.adjust(object_of(value), why, stamp=NOBODYS)
        case Verb.REPORT:
            ahead.report(report_of(line), NOBODYS, why)
        case Verb.RESTART:
            ahead.restart(files(str(value)), why, NOBODYS)
        case Verb.CLOSE:
            ahead.close(winners_of(match, object_of(value)), "", why, NOBODYS)
        case _:
            pass


def falling(match: Match[Any], seq: int | None) -> Falling:
    """What would fall by the undo of a line (None: the last act)."""
    ahead = Match[Any].replay(match.entries)
    before = {step.seq for step in ahead.steps}
    target = ahead.undo(seq, stamp=NOBODYS).target or 0
    gone = before - {step.seq for step in ahead.steps}
    later = tuple(sorted(one for one in gone if one > target))
    again = any(match.entries[one].key in ahead.open for one in later)
    whole = "in part" if ahead.answered else "as a whole"
    waits = tuple(sorted(gone.intersection(step.seq for step in ahead.parked) - {*later}))
    return Falling(target, later, f"its form is asked again {whole}" if again else "", waits)


def lines_in_words(match: Match[Any], seqs: Sequence[int]) -> dict[int, str]:
    """What lines of the log say: question and answer, or what was done."""
    lines = read_protocol(match.entries, time_of_day).lines
    said = {line.entry.seq: (line.asked, line.now or line.told) for line in lines}
    return {seq: " — ".join(filter(None, said.get(seq, ()))) for seq in seqs}


def object_of(value: Json) -> dict[str, Json]:
    """What a verb is given as names and values; BadCall where it is no such thing."""
    if not isinstance(value, dict):
        raise BadCall(f"{value!r} is no object of names and values")
    return value


def report_of(line: ScriptLine) -> dict[str, Json]:
    """What a report says; a decision says in words what is decided, if only as its reason."""
    fact = object_of(line.value)
    if fact.get("what") != "decision" or "text" in fact:
        return fact
    if not line.reason:
        as_told = '!report {"what": "decision", "text": "we place it anew"}'
        raise BadCall(f"a decision says in words what is decided, as in {as_told}")
    return {**fact, "text": line.reason}


def winners_of(match: Match[Any], said: Mapping[str, Json]) -> list[Seat]:
    """Who has won as the arbiter closes a match; BadCall where that is no list."""
    winners = said.get("winners", [])
    if not isinstance(winners, list):
        raise BadCall(f"winners is a list{as_in(Verb.CLOSE, match.rulebook.examples())}")
    return [Seat(str(name)) for name in winners]


# After a miss: which answer would have hit.


class LookingBack:
    """Seeks the answers that would have hit, in a thread: each that is tried is a match ruled anew.

    Nobody waits for it; whatever else is touched leaves it off. A thread that does not end is left
    to itself, and what it finds is not told.
    """

    def __init__(self) -> None:
        self._state: Hindsight | None = None
        self._lines = 0
        self._left = Event()

    def of(self, match: Match[Any] | None) -> Hindsight | None:
        """How far it is; None where nothing was asked, or the match has gone on since."""
        is_now = match is not None and len(match.entries) == self._lines
        return self._state if is_now else None

    def seek(self, match: Match[Any]) -> None:
        """Seek from now on; or no more, where that is being done."""
        seeks = self._state is not None and self._state.told is None
        self.leave()
        if seeks:
            return
        entries = (*match.entries,)
        self._lines, self._left = len(entries), Event()
        self._state = Hindsight(0, MOST_TRIED)
        work = (entries, self._left)
        Thread(target=self._work, args=work, name="looking back", daemon=True).start()

    def leave(self) -> None:
        """Seek no more, and forget what was found."""
        self._left.set()
        self._state = None

    def _work(self, entries: Sequence[Entry], left: Event) -> None:
        def goes_on(tried: int) -> bool:
            self._tell(Hindsight(tried, MOST_TRIED), left)
            return not left.is_set()

        told = ""
        with suppress(CompanionError):
            told = taught(Match[Any].replay(entries), None, goes_on)
        self._tell(Hindsight(MOST_TRIED, MOST_TRIED, told), left)

    def _tell(self, state: Hindsight, left: Event) -> None:
        if left is self._left and not left.is_set():
            self._state = state
