"""The timed phase at the table: its clock, its signals, and the time left after an interruption."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.errors import PanelError
from companion.core.offers import SignalKind
from companion.core.question import Locked
from companion.core.round_clock import CUES_S, RoundClock
from companion.referee.challenge import OPEN_EVENTS

if TYPE_CHECKING:
    from companion.core.offers import SignalEvent
    from companion.core.question import Question
    from companion.core.round_clock import Running, Signals
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.match.match import Match

T = TypeVar("T")
Events = Sequence[Mapping[str, "Json"]]
OVERDUE_S = 1.0
"""How long after its deadline a signal process may stay silent before the screen rules zero."""


def timed_question(questions: Mapping[str, Question[Any]]) -> Locked | None:
    """The open question that a clock answers, if there is one."""
    for question in questions.values():
        if isinstance(question, Locked) and question.seconds is not None:
            return question
    return None


@dataclass(frozen=True, slots=True)
class Outlived:
    """A phase that ran on while no program did: its zero by the monotonic clock, and in play.

    `zero_at` is when it ends, or sounded (`has_sounded`), `zero_match_s` how many seconds of play
    had passed then: as many as a line of the log says, and what was left of the phase at that line.
    """

    zero_at: float
    zero_match_s: float
    has_sounded: bool


class TimedPhase:
    """At most one running round: it follows the open questions, and speaks to the signals.

    `prefix` makes round ids unique across matches. `silent` says why nothing sounds, if so;
    `interrupted` that the phase stands because the companion was stopped in it.
    """

    def __init__(self, prefix: str) -> None:
        self.clock: RoundClock | None = None
        self.silent = ""
        self.interrupted = False
        self._prefix = prefix
        self._key = ""
        self._rests: dict[str, float] = {}
        self._noted: int | None = None

    @property
    def round_id(self) -> str:
        """The armed round as the signal process knows it; empty without one."""
        return self.clock.round_id if self.clock is not None else ""

    # -- following the match ---------------------------------------------------------------

    def follow(
        self, match: Match[Any], signals: Signals | None, now: float, *, live: bool
    ) -> Events:
        """Start, keep or drop the clock, as the open questions need it.

        Live (an answer opened the phase): it starts at once. Otherwise (undo, amend, restart) it
        stands with the rest it had.
        """
        events: list[Mapping[str, Json]] = []
        question = timed_question(match.open)
        if self.clock is not None and (question is None or question.key != self._key):
            events.extend(self._drop(self.clock, signals, now))
        if question is not None and self.clock is None:
            fresh = question.key not in self._rests
            clock = self._stand_at(question, self._rests.get(question.key))
            if live and fresh:
                self.clock = clock.resumed(now)
                self._arm(signals)
                events.append(self._event(self.clock, "started", now))
            else:
                self.show_standing(signals)
        return events

    def stand(
        self,
        match: Match[Any],
        signals: Signals | None,
        now: float,
        last_rest: Callable[[str], float | None],
    ) -> Events:
        """After a restart: adopt the round that still runs, else stand with the rest noted.

        What stood by somebody's word has the rest that its line says: it was not cut off.
        """
        question = timed_question(match.open)
        running = self._adopted(signals)
        if question is None:
            if running is not None:
                self._hush(signals)
            return []
        noted = last_rest(question.key)
        stood = _stood_at(match, question.key)
        clock = self._stand_at(question, noted if stood is None else stood)
        if running is not None and running.round_id == clock.round_id:
            self.clock = RoundClock.adopted(running, now)
            return [self._event(self.clock, "adopted", now)]
        self.interrupted = noted is not None and stood is None
        return []

    def outlived(self, match: Match[Any], signals: Signals | None) -> Outlived | None:
        """How the open phase ran on while no program ran; None where it did not."""
        question = timed_question(match.open)
        left = _last_left(match, question.key) if question is not None else None
        if question is None or signals is None or left is None:
            return None
        round_id = f"{self._prefix}{question.key}"
        running = self._adopted(signals)
        if running is not None and running.round_id == round_id:
            return Outlived(running.deadline, left, has_sounded=False)
        zero = self._asked(lambda: signals.fired(round_id))
        return None if zero is None else Outlived(zero.at - zero.late_s, left, has_sounded=True)

    def _adopted(self, signals: Signals | None) -> Running | None:
        """The round that a signal process still runs; what cannot be asked runs none."""
        return None if signals is None else self._asked(signals.adopt)

    def sounded(self, signals: Signals | None) -> SignalEvent | None:
        """The zero of the standing round, if it sounded while this program was not running."""
        if signals is None or self.clock is None or self.clock.running:
            return None
        round_id = self.clock.round_id
        return self._asked(lambda: signals.fired(round_id))

    def _stand_at(self, question: Locked, rest: float | None) -> RoundClock:
        """A standing clock for the phase, with the rest it had (None: all of it)."""
        total = question.seconds or 0.0
        self._key = question.key
        self._noted = None
        rest_s = total if rest is None else rest
        self.clock = RoundClock.interrupted(f"{self._prefix}{question.key}", total, rest_s)
        return self.clock

    def _drop(self, clock: RoundClock, signals: Signals | None, now: float) -> Events:
        """The phase is over, or was taken back: nothing may sound any more."""
        events: list[Mapping[str, Json]] = []
        rest = clock.rest(now)
        if rest > 0:
            self._rests[self._key] = rest
        if rest > 0:
            self._hush(signals)  # a paused one, too: its lamps are lit
        if clock.running and rest > 0:
            events.append(self._event(clock, "stopped", now))
        self.clock, self._key, self.interrupted = None, "", False
        return events

    def begin_afresh(self) -> None:
        """Let phases that were taken back begin again with all of their time."""
        self._rests.clear()

    # -- the verbs of the table ------------------------------------------------------------

    def pause(self, signals: Signals | None, now: float) -> Events:
        """Stop clock and buzzer, leave the lamps; nothing happens if it stands already."""
        if self.clock is None or not self.clock.running:
            return []
        self._hush(signals, lamps_stay=True)
        self.clock = self.clock.paused(now)
        return [self._event(self.clock, "paused", now)]

    def resume(self, signals: Signals | None, now: float) -> Events:
        """Go on with the rest; the interruption is over."""
        if self.clock is None or self.clock.running:
            return []
        self.interrupted = False
        self.clock = self.clock.resumed(now)
        self._arm(signals)
        return [self._event(self.clock, "resumed", now)]

    def give(self, seconds: float, signals: Signals | None, now: float) -> Events:
        """Give time back or take it; a running round is armed afresh."""
        if self.clock is None:
            return []
        self._correct(self.clock.paused(now).given(seconds), signals, now)
        return [{**self._event(self.clock, "given", now), "given_s": seconds}]

    def set_rest(self, rest_s: float, signals: Signals | None, now: float) -> Events:
        """Set the seconds that are left; a clock that runs goes on running."""
        if self.clock is None:
            return []
        self._correct(replace(self.clock.paused(now), rest_s=rest_s), signals, now)
        return [self._event(self.clock, "set", now)]

    def ended(self, now: float) -> Events:
        """The arbiter lets the phase run out at once."""
        return [] if self.clock is None else [self._event(self.clock, "ended", now)]

    def _correct(self, clock: RoundClock, signals: Signals | None, now: float) -> None:
        """Another rest from now on: told once to whatever shows the clock, and lamps follow."""
        running = self.clock is not None and self.clock.running
        self.clock = replace(clock, total_s=max(clock.total_s, clock.rest_s))
        if running:
            self.clock = self.clock.resumed(now)
            self._arm(signals)  # the same round with another deadline
        else:
            self.show_standing(signals)

    # -- time itself -----------------------------------------------------------------------

    def rest_to_note(self, now: float) -> float | None:
        """The rest, once for every whole second of it, also of a clock that stands."""
        if self.clock is None:
            return None
        rest = self.clock.rest(now)
        whole = int(rest)
        if whole == self._noted:
            return None
        self._noted = whole
        return rest

    @property
    def key(self) -> str:
        """The key of the question that the clock will answer."""
        return self._key

    def zero_without_signals(self, signals: Signals | None, now: float) -> bool:
        """Whether the screen must rule zero itself: nothing sounds, or what sounds says nothing."""
        clock = self.clock
        if clock is None or clock.deadline is None:
            return False
        if signals is None or self.silent:
            return now >= clock.deadline
        return now >= clock.deadline + OVERDUE_S

    def found(self, signals: Signals | None, now: float) -> Events:
        """A signal process serves again: it is given the round that the lost one had."""
        if self.clock is None or signals is None:
            return []
        self.show_standing(signals)
        if not self.clock.running or self.clock.rest(now) <= 0.0:
            return []  # the screen has ruled zero, or is about to
        self._arm(signals)
        return [self._event(self.clock, "sounds again", now)]

    def signs(self, signals: Signals | None, zero: SignalEvent) -> list[Json]:
        """What was signalled of this round up to its zero, as the record keeps it.

        A sign has its kind, the rest it told, and its time in s before zero really sounded; where
        it was late, or silent by wish, that too.
        """
        told = None if signals is None else self._asked(lambda: signals.history(zero.round_id))
        return [_sign(event, zero) for event in _latest_run(told or ()) or [zero]]

    def lost(self, why: str) -> None:
        """The signal process is gone: the screen counts on alone and says so."""
        self.silent = why

    def _arm(self, signals: Signals | None) -> None:
        clock = self.clock
        if signals is None or clock is None or clock.deadline is None:
            return
        deadline, self.silent = clock.deadline, ""
        self._asked(lambda: signals.arm(clock.round_id, deadline, CUES_S, clock.total_s))

    def show_standing(self, signals: Signals | None) -> None:
        """Show a standing clock on every lamp and display."""
        clock = self.clock
        if signals is not None and clock is not None and not clock.running:
            self._asked(lambda: signals.stand(clock.round_id, clock.rest_s))

    def _asked(self, ask: Callable[[], T]) -> T | None:
        """What the signals answer; None, and why, where they cannot."""
        try:
            return ask()
        except PanelError as gone:
            self.silent = str(gone)
            return None

    def _hush(self, signals: Signals | None, *, lamps_stay: bool = False) -> None:
        if signals is None:
            return
        self._asked(signals.pause if lamps_stay else signals.stop)

    def _event(self, clock: RoundClock, event: str, now: float) -> dict[str, Json]:
        rest = round(clock.rest(now), 3)
        said: dict[str, Json] = {"event": event, "key": self._key, "rest_s": rest}
        if self.silent:
            said["silent"] = self.silent
        return said


def _last_left(match: Match[Any], key: str) -> float | None:
    """The seconds of play at which a phase ends that runs, by the last line with what is left."""
    for entry in reversed(match.entries):
        said = entry.answer if entry.kind == "clock" and entry.key == key else None
        rest = said.get("rest_s") if isinstance(said, dict) else None
        if isinstance(rest, int | float):
            return entry.match_s + rest
    return None


def left_at(entries: Sequence[Entry], key: str) -> float | None:
    """What a phase had left by the last line that says so; None where none does."""
    for entry in reversed(entries):
        said = entry.answer if entry.kind == "clock" and entry.key == key else None
        rest = said.get("rest_s") if isinstance(said, dict) else None
        if isinstance(rest, int | float):
            return float(rest)
    return None


def _stood_at(match: Match[Any], key: str) -> float | None:
    """What a phase had left that people have paused, by its last lines; None where it ran."""
    left: float | None = None
    for entry in reversed(match.entries):
        said = entry.answer if entry.kind == "clock" and entry.key == key else None
        if not isinstance(said, dict):
            continue
        event, rest = said.get("event"), said.get("rest_s")
        if event not in _WHILE_STANDING:
            return None
        if left is None and isinstance(rest, int | float):
            left = float(rest)
        if event == "paused":
            return left
    return None


_WHILE_STANDING = ("paused", "given", "set", *OPEN_EVENTS)
"""Events of the clock that do not start it."""


def _latest_run(events: Sequence[SignalEvent]) -> Sequence[SignalEvent]:
    """What was signalled since the zero before the last one: a phase may be run anew."""
    zeros = [n for n, event in enumerate(events) if event.kind is SignalKind.ZERO]
    return events[zeros[-2] + 1 :] if len(zeros) > 1 else events


def _sign(event: SignalEvent, zero: SignalEvent) -> dict[str, Json]:
    told: dict[str, Json] = {
        "sign": str(event.kind),
        "rest_s": round(event.rest_s, 3),
        "before_zero_s": round(zero.at - event.at, 3),
    }
    if event.late_s:
        told["late_s"] = round(event.late_s, 6)
    if event.muted:
        told["muted"] = True
    return told
