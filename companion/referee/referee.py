"""Referee: one match at one table. It takes offers, keeps the record, tells listeners.

Anything may call `post`, `see`, `press` and `signal` from any thread: they only queue. All work is
done by `tick(now)`, which the owning thread calls; time is always passed in (monotonic seconds).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import (
    BadCall,
    CompanionError,
    IllegalAnswer,
    MatchClosed,
    RecordError,
    StaleOffer,
    WrittenElsewhere,
    refuse_kind,
)
from companion.core.offers import (
    CardEvent,
    Offer,
    PictureState,
    Press,
    Sighting,
    SignalEvent,
    SignalKind,
    Stamp,
)
from companion.core.ruling import TABLE, Cite, Notice, Seat
from companion.kit.adjusting import changed_facts, changed_options
from companion.match.correction import Hands
from companion.match.match import Match
from companion.referee.challenge import (
    Verdict,
    decided_at,
    replayed_from,
    undone_with,
)
from companion.referee.desk import Happening, LastRefused, Listeners, Source
from companion.referee.late import LateCards, Tracks
from companion.referee.phase import TimedPhase, left_at, timed_question
from companion.referee.presses import Presses
from companion.referee.sight import Sight, settled_places

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.round_clock import RoundClock, Signals
    from companion.core.ruling import Json, Ruling
    from companion.kit.adjusting import Changed
    from companion.match.correction import RecordBefore
    from companion.match.entry import Entry, Step
    from companion.match.revision import Revision
    from companion.referee.sight import Difference

ACCEPT_AFTER_S = 0.6
"""How long a key stays lit before a settled sighting counts (match option sight: accept)."""


@dataclass(slots=True)
class Keeping:
    """How the referee reaches the record.

    `append` writes log lines durably; `note_rest(key, rest_s, now)` notes what is left of a
    running round, `last_rest(key)` tells what was noted last. The first two raise RecordError
    where the disk does not take it.
    """

    append: Callable[[Sequence[Entry]], object]
    note_rest: Callable[[str, float, float], object] = lambda _key, _rest, _now: None
    last_rest: Callable[[str], float | None] = lambda _key: None


class Referee:
    """One match at one table.

    `stamp` makes the Stamp of something done at monotonic `now` by an author; `keeping` writes to
    the record (`MatchKeeping.for_referee` makes one), which holds `written` lines of the log
    already; `signals` sounds (None: the screen alone counts down); `round_prefix` tells the rounds
    of one match from those of another.
    """

    def __init__(
        self,
        match: Match[Any],
        keeping: Keeping,
        stamp: Callable[[str, float], Stamp],
        *,
        signals: Signals | None = None,
        round_prefix: str = "",
        written: int = 0,
    ) -> None:
        refuse_kind(match, Match, "a Match is wanted")
        refuse_kind(keeping, Keeping, "a Keeping is wanted")
        self.match = match
        self.signals = signals
        self.sight = Sight(match)
        self.refused: LastRefused | None = None
        self.full: RecordError | None = None
        """Why the last lines are not on disk; None where they are."""
        self.overtaken = False
        """Whether another program goes on with this match: nothing of it is written here."""
        self.confirmed = written
        self.sources: dict[str, Source] = {}
        self.listeners = Listeners()
        self.phase = TimedPhase(round_prefix)
        self._keeping = keeping
        self._stamp = stamp
        self.presses = Presses(self)
        self.tracks = Tracks(self)
        self.late = LateCards(self, self.tracks)
        self._queue: deque[Callable[[float], None]] = deque()
        self._ruled = len(match.rulings)
        self.hands = Hands()
        self._put_right: Ruling | None = None

    # -- from any thread -------------------------------------------------------------------

    def post(self, offer: Offer) -> None:
        """Queue an offered answer."""
        self._queue.append(lambda now: self.take(offer, now))

    def see(self, sighting: Sighting) -> None:
        """Queue what the camera saw."""
        self._queue.append(lambda now: self._look(sighting, now))

    def press(self, press: Press) -> None:
        """Queue a pressed button."""
        self._queue.append(lambda now: self.presses.press(press, now))

    def card(self, event: CardEvent) -> None:
        """Queue what a slot sensor noticed."""
        self._queue.append(lambda _now: self.tracks.notice(event))

    def signal(self, event: SignalEvent) -> None:
        """Queue what the signal process did."""
        self._queue.append(lambda now: self._signalled(event, now))

    # -- on the owning thread --------------------------------------------------------------

    def begin(self, now: float) -> None:
        """Write what is not yet on disk and stand at the open questions.

        After a restart: adopts the round of a signal process that still runs, else the phase
        stands paused with the rest last noted.
        """
        self._write()
        events = self.phase.stand(self.match, self.signals, now, self._keeping.last_rest)
        self.note_clock(events, now)
        self.presses.recall(self.match.entries)
        sounded = self.phase.sounded(self.signals)
        if sounded is not None:
            self.signal(sounded)
        else:
            self.phase.show_standing(self.signals)

    @property
    def unwritten(self) -> str:
        """Why the last lines are not on disk, in a sentence; empty where they are."""
        return "" if self.full is None else str(self.full)

    def tick(self, now: float) -> None:
        """Do all that was queued, and what time itself brings."""
        while self._queue:
            self._queue.popleft()(now)
        if self.unwritten:
            self._write()
        self.tracks.tick(now)
        self._accept_sight(now)
        self._run_clock(now)

    @property
    def clock(self) -> RoundClock | None:
        """The phase's clock while a timed phase is open."""
        return self.phase.clock

    @property
    def held(self) -> tuple[str, ...]:
        """Keys of questions that wait for pieces which hands have not yet moved."""
        return self.sight.held

    @property
    def block(self) -> Notice | None:
        """Why the round that is asked for may not start: what the camera sees stands against it.

        It stands until a settled picture fits, the arbiter corrects the record, or the table goes
        on without the camera; a camera that sees nothing blocks nothing.
        """
        asked = (q for key, q in self.match.open.items() if key not in self.match.answered)
        return self.sight.block if any(map(self.match.starts_round, asked)) else None

    # -- answers ---------------------------------------------------------------------------

    def take(self, offer: Offer, now: float) -> None:
        """Take an offered answer, or refuse it in words; on the owning thread alone."""
        waiting = self.match.parked
        before = self.hands.standing(self.match) if waiting else None
        try:
            self.match.answer(offer, self._stamp(str(offer.by), now), self._hold)
        except StaleOffer as gone:
            self._refuse(offer, "Q-GONE", str(gone), None, Happening.STALE)
        except IllegalAnswer as refused:
            self._refuse(offer, refused.code, refused.text, refused.cite)
        except MatchClosed as over:
            self._refuse(offer, "Q-OVER", str(over), None)
        except CompanionError as wrong:
            self._refuse(offer, "Q-BUG", str(wrong), None)
        else:
            self.refused = None
            self.sources[offer.key] = Source(offer.source, now)
            if before is not None and self._stands_again(waiting):
                self._brought_back(before, now)
            else:
                self._settle(now, live=True)

    def take_together(self, offers: Sequence[Offer], now: float) -> None:
        """Take answers to questions that are open together, all of them or none.

        Each is a line of the log, as if it were offered alone. Where one is refused, its refusal is
        told; where they do not go together, the last one's is.
        """
        for offer in offers:
            if not self._would_take([offer]):
                return
        if self._would_take(offers):
            for offer in offers:
                self.take(offer, now)

    def _would_take(self, offers: Sequence[Offer]) -> bool:
        """Whether they go together, and no table keeps them waiting; else the last is refused."""
        offer = offers[-1]
        question = self.match.open.get(offer.key)
        try:
            self.match.judge_together({one.key: one.raw for one in offers})
            if question is not None:
                self.match.refuse_stale(question, offer)
                self._hold(question, offer)
        except IllegalAnswer as refused:
            self._refuse(offer, refused.code, refused.text, refused.cite)
        except (StaleOffer, MatchClosed) as gone:
            self._refuse(offer, "Q-GONE", str(gone), None, Happening.STALE)
        else:
            return True
        return False

    def _stands_again(self, waiting: Sequence[Step]) -> bool:
        """Whether a line that waited counts once more."""
        seqs = {step.seq for step in self.match.steps}
        return any(step.seq in seqs for step in waiting)

    def _brought_back(self, before: RecordBefore, now: float) -> None:
        """An answer brought lines back that waited: hands do again what an amend undid.

        Cards that the answer itself counted lie there already.
        """
        before.told(self.match, self.match.entries[-1].seq)
        self._corrected(before, now, whole=True)

    def _hold(self, question: Question[Any], offer: Offer) -> None:
        """Refuse what must wait for the table, whoever offers it: touch, button or a typed line.

        No round starts over a table that the camera sees otherwise than recorded, nor while a
        challenge is undecided, and no question that looks at a piece is answered while that is
        elsewhere.
        """
        if self.presses.challenge is not None and self.match.starts_round(question):
            text = "A challenge is open. No round starts until the arbiter has decided it."
            raise IllegalAnswer("Q-CHALLENGE", text, self.match.rulebook.corrections)
        block = self.sight.block
        if block is not None and self.match.starts_round(question):
            on = (
                "No round starts until the camera sees the table as recorded, the arbiter corrects "
                "the record to the table, or the table goes on without the camera."
            )
            raise IllegalAnswer("Q-BLOCK", f"{block.text} {block.way_out} {on}", block.cite)
        if offer.source in ("camera", "lapse") or question.key not in self.held:
            return
        pieces = ", ".join(sorted(self.sight.astray))
        text = (
            f"First bring to where the record has it: {pieces}. Or let the arbiter correct the "
            "record, or go on without the camera."
        )
        raise question.refuse("Q-HELD", text)

    def _refuse(
        self,
        offer: Offer,
        code: str,
        text: str,
        cite: Cite | None,
        happening: Happening = Happening.REFUSED,
    ) -> None:
        self.refused = LastRefused(offer, code, text, cite)
        self._tell(happening)

    def _settle(self, now: float, *, live: bool) -> None:
        """After any change: on disk first, then what it means for hands, sight and clock."""
        self._write()
        said = self.match.rulings
        if live:
            self.sight.lag.follow(said[self._ruled :])
        self._ruled = len(said)
        self.sight.match_changed(now)
        self.note_clock(self.phase.follow(self.match, self.signals, now, live=live), now)
        self.tracks.follow(now)
        self._tell(Happening.OVER if self.match.outcome else Happening.ASKED)

    def _write(self) -> None:
        """Put every line that is not on disk there; shown as confirmed only afterwards."""
        waiting = self.match.entries[self.confirmed :]
        if not waiting:
            return
        try:
            self._keeping.append(waiting)
        except RecordError as full:
            self.full = copy(full)
            self.overtaken = isinstance(full, WrittenElsewhere)
            self._tell(Happening.UNWRITTEN)
            return
        self.full, self.overtaken = None, False
        self.confirmed = len(self.match.entries)
        self._tell(Happening.CONFIRMED)

    # -- the arbiter's verbs ---------------------------------------------------------------

    def undo(self, now: float, seq: int | None = None, reason: str = "", by: str = "") -> Entry:
        """Take back log line `seq` (None: the last act); the clock stands with the rest it had."""
        with self._correcting(now):
            return self.match.undo(seq, reason, stamp=self._stamp(by or str(TABLE), now))

    def amend(self, seq: int, raw: Json, reason: str) -> Revision:
        """Look at what an amend would change; commit it by `commit`.

        BadCall besides what the match refuses: the line has that very answer.
        """
        revision = self.match.amend(seq, raw, reason)
        if self.match.says(seq, raw):
            raise BadCall(f"Line {seq} says that already; an amend gives it another answer.")
        return revision

    def commit(self, revision: Revision, now: float, by: str = "") -> None:
        """Put an amend into effect."""
        with self._correcting(now):
            revision.commit(self._stamp(by or str(TABLE), now))

    def adjust(
        self,
        changes: Mapping[str, Json],
        reason: str,
        now: float,
        *,
        before: int | None = None,
        by: str = "",
    ) -> tuple[Changed, ...]:
        """Set quantities and places together; what is different then, as panels call it."""
        stood = self.match.position.facts()
        options = dict(self.match.rulebook.options)
        with self._correcting(now):
            stamp = self._stamp(by or str(TABLE), now)
            made = self.match.adjust(changes, reason, before=before, stamp=stamp).answer
        return (
            *changed_facts(stood, self.match.rulebook, made if isinstance(made, dict) else changes),
            *changed_options(options, self.match.rulebook.options),
        )

    def report(
        self, fact: Mapping[str, Json], now: float, *, reason: str = "", by: str = ""
    ) -> Notice | None:
        """What the table saw and no question asked; what a sensor saw of it goes with it."""
        told, evidence = self.late.completed(fact)
        stamp = self._stamp(by or str(TABLE), now)
        with self._correcting(now):
            notice = self.match.report(told, stamp, reason or evidence)
            self.late.reported(fact)
        return notice

    def restart(self, position: Mapping[str, Json], reason: str, now: float, by: str = "") -> str:
        """Go on from a given position; what that means, in words.

        A match that had ended goes on, too: what it ended with counts no more.
        """
        was_over = self.match.outcome is not None
        with self._correcting(now):
            self.match.restart(position, reason, self._stamp(by or str(TABLE), now))
        told = "The match goes on from the position that was given."
        return f"{told} The result that stood counts no more." if was_over else told

    def close(
        self, winners: Sequence[Seat], text: str, reason: str, now: float, by: str = ""
    ) -> None:
        """End the match as the arbiter says; hands need do nothing more."""
        with self._correcting(now):
            self.match.close(winners, text, reason, self._stamp(by or str(TABLE), now))
        self.hands.correction = None

    @property
    def put_right(self) -> Ruling | None:
        """What hands have to do after the latest correction, told as a ruling; None: nothing.

        It stands in no log. Another correction brings another object.
        """
        return self._put_right if self.hands.correction is not None else None

    @contextmanager
    def _correcting(self, now: float) -> Generator[None, None, None]:
        """A correction changes where things belong: hands follow it as they follow a ruling."""
        before = self.hands.standing(self.match)
        yield
        self.refused = None
        self._corrected(before, now)

    def _corrected(self, before: RecordBefore, now: float, *, whole: bool = False) -> None:
        """Tell hands what differs from the record, but for pieces seen in their place."""
        sighting = self.sight.sighting
        seen = settled_places(sighting) if sighting is not None else {}
        self.hands.correct(before, self.match, seen, whole=whole)
        self._put_right = None
        if self.hands.correction is not None:
            self._put_right = self.hands.correction.as_ruling(self.match.rulebook)
            self.sight.lag.excuse_moves(self._put_right.deeds)
        self.sight.excuse_hands()
        self._settle(now, live=False)

    # -- the camera ------------------------------------------------------------------------

    def _look(self, sighting: Sighting, now: float) -> None:
        if self.sight.look(sighting, now):
            self._corroborate()
            self._tell(Happening.SEEN)

    def _corroborate(self) -> None:
        """The camera sees what somebody told: the answer has a second source."""
        reading = self.sight.reading
        for key in reading.corroborated if reading is not None else ():
            told = self.sources.get(key)
            if told is not None and told.source != "camera":
                self.sources[key] = replace(told, second="camera")

    def _accept_sight(self, now: float) -> None:
        if self.match.rulebook.options.get("sight") != "accept":
            return
        for offer in self.sight.take_ripe(now - ACCEPT_AFTER_S):
            self.take(offer, now)

    def follow_record(self, now: float) -> None:
        """Table and record differ, the record is right: wait for hands to move the pieces back."""
        self.sight.follow_record(now)
        self._tell(Happening.SEEN)

    def accept_table(self, now: float, by: str = "", reason: str = "") -> None:
        """The table is right: adjust the record to it; what was laid early may stay where it lies.

        Where there is no difference, this is said of the pieces that hands have still to move.
        """
        plan = self.match.rulebook.plan
        early = {difference.piece for difference in self.differences if difference.is_early}
        told = {difference.piece for difference in self.differences}
        changes: dict[str, Json] = {
            str(piece): plan.name_of(pose)
            for piece, pose in self.sight.elsewhere().items()
            if piece not in early and (piece in told or not told)
        }
        self.sight.let_early_lie(now)
        if changes:
            self.adjust(changes, reason or "the table is right", now, by=by)

    def look_again(self) -> None:
        """Forget what was seen; the next settled picture decides."""
        self.sight.forget()
        self._tell(Happening.SEEN)

    def trust(self) -> None:
        """Go on without the camera until all have answered: pieces count as they are recorded."""
        self.sight.trust()
        self._tell(Happening.SEEN)

    @property
    def differences(self) -> Sequence[Difference]:
        """Settled pieces that stand elsewhere than recorded, as far as nobody was told yet."""
        return self.sight.differences

    @property
    def undecided(self) -> Sequence[Difference]:
        """The differences that somebody is to decide on now.

        None while anything moves over the table, nor while the table goes on without the camera.
        """
        sighting = self.sight.sighting
        settled = sighting is not None and sighting.state is PictureState.SETTLED
        return self.differences if settled and not self.sight.trusted else ()

    # -- buttons and the clock -------------------------------------------------------------

    def decide(
        self, now: float, verdict: Verdict | None = None, *, reason: str = "", by: str = ""
    ) -> None:
        """Decide the open challenge; the clock that it had stopped goes on.

        For a replay the match is first undone to before the round or turn, which then has all of
        its time again; BadCall where none has begun. Corrections are made before.
        """
        challenge = self.presses.challenge
        if challenge is not None and verdict is Verdict.REPLAYED:
            began = replayed_from(self.match, challenge.line)
            if began is None:
                raise BadCall("No round or turn has begun: there is nothing to play again.")
            self.undo(now, began, reason or "challenge: played again", by)
            self.phase.begin_afresh()
        self.presses.close(now, verdict, reason=reason, author=by)

    def take_back_decision(
        self, now: float, seq: int | None = None, *, reason: str = "", by: str = ""
    ) -> None:
        """The decision on a challenge (of line `seq`; None: the last) counts no more.

        What it had undone or corrected stands again as before, the clock with what it had left
        then, and the challenge is open. BadCall: one is open, or none is decided.
        """
        entries = self.match.entries
        if self.presses.challenge is not None:
            raise BadCall("A challenge is open: decide it first.")
        last = decided_at(entries, seq)
        if last is None:
            raise BadCall("No challenge is decided: there is no decision to take back.")
        ran = self.clock is not None and self.clock.running
        self.halt(now, reason=reason, by=by)
        line = undone_with(self.match, last)
        if line is not None:
            with self._correcting(now):
                stamp = self._stamp(by or str(TABLE), now)
                self.match.bring_back(line, reason, stamp=stamp)
            self._clock_as_before(line, now, by)
        self.presses.open_again(now, last, ran=ran, reason=reason, author=by)

    def _clock_as_before(self, line: int, now: float, by: str) -> None:
        """Of a phase that is open again: what it had left before a correction."""
        rest = None if self.clock is None else left_at(self.match.entries[:line], self.phase.key)
        if rest is not None and self.clock is not None and self.clock.rest(now) != rest:
            self.note_clock(self.phase.set_rest(rest, self.signals, now), now, by=by)

    def pause(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Stop clock, lamps and buzzer; the rest stays. BadCall where no clock runs."""
        if not self._clock_there().running:
            raise BadCall(f"The clock stands already, with {self._left(now)} left.")
        self.halt(now, reason=reason, by=by)

    def halt(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Stop the clock if one runs: whoever leaves or disputes need not look first."""
        self.note_clock(self.phase.pause(self.signals, now), now, reason=reason, by=by)

    def resume(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Go on with the rest. BadCall where no clock stands."""
        if self._clock_there().running:
            raise BadCall(f"The clock runs already, with {self._left(now)} left.")
        self.run_on(now, reason=reason, by=by)

    def run_on(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Let the clock run if one stands."""
        self.note_clock(self.phase.resume(self.signals, now), now, reason=reason, by=by)

    def give(self, seconds: float, now: float, *, reason: str = "", by: str = "") -> None:
        """Give time back (or take it); the preset of later rounds is not touched."""
        self._clock_there()
        self.note_clock(self.phase.give(seconds, self.signals, now), now, reason=reason, by=by)

    def set_rest(self, rest_s: float, now: float, *, reason: str = "", by: str = "") -> None:
        """Set the clock to so many seconds, running or standing as it does."""
        self._clock_there()
        self.note_clock(self.phase.set_rest(rest_s, self.signals, now), now, reason=reason, by=by)

    def end_phase(self, now: float, *, reason: str = "", by: str = "") -> float:
        """Let the timed phase run to its zero by the arbiter's word; how many seconds were left.

        The clock goes on if it stood. Who calls waits, or steps the clock, for so long.
        """
        self._clock_there()
        self.run_on(now, reason=reason, by=by)
        self.note_clock(self.phase.ended(now), now, reason=reason, by=by)
        return self.clock.rest(now) if self.clock is not None else 0.0

    def _clock_there(self) -> RoundClock:
        """The clock; BadCall where no timed phase is open."""
        if self.clock is None:
            raise BadCall("No timed phase is open: there is no clock to speak of.")
        return self.clock

    def _left(self, now: float) -> str:
        return f"{self._clock_there().rest(now):.1f} s"

    def _run_clock(self, now: float) -> None:
        rest = self.phase.rest_to_note(now)
        if rest is not None:
            self._note_rest(self.phase.key, rest, now)
        if self.phase.zero_without_signals(self.signals, now):
            self._zero(now)

    def _note_rest(self, key: str, rest: float, now: float) -> None:
        try:
            self._keeping.note_rest(key, rest, now)
        except RecordError as full:
            self.full = copy(full)
        self._tell(Happening.CLOCK)

    def _signalled(self, event: SignalEvent, now: float) -> None:
        if event.kind is SignalKind.FOUND:
            self.note_clock(self.phase.found(self.signals, now), now)
        if event.round_id != self.phase.round_id:
            return
        if event.kind is SignalKind.ZERO:
            self._note_sounding(event, now)
            self._zero(event.at)
        elif event.kind is SignalKind.LOST:
            self.phase.lost("the signal process is gone; the screen counts down alone")
            self._tell(Happening.CLOCK)
        else:
            self._tell(Happening.CLOCK)

    def _note_sounding(self, event: SignalEvent, now: float) -> None:
        """The record tells what sounded of this round, when, and how late."""
        sounded: dict[str, Json] = {
            "event": "sounded",
            "key": self.phase.key,
            "late_s": round(event.late_s, 6),
            "before_s": round(max(0.0, now - event.at), 3),
            "signs": self.phase.signs(self.signals, event),
        }
        self.note_clock([sounded], event.at)

    def _zero(self, at: float) -> None:
        """The clock's own answer; `at` is when it sounded, which may be before this program ran."""
        question = timed_question(self.match.open)
        if question is not None:
            self.take(Offer(question.key, "zero", "clock", TABLE, question.opened, at), at)

    def note_clock(
        self,
        events: Sequence[Mapping[str, Json]],
        now: float,
        *,
        reason: str = "",
        by: str = "",
    ) -> None:
        """Log what the clock did, and who had it do so and why."""
        stamp = self._stamp(by or str(TABLE), now)
        for event in events:
            self.match.note_clock(str(event.get("key", "")), event, stamp, reason)
        if events:
            self._write()
            self._tell(Happening.CLOCK)

    def _tell(self, happening: Happening) -> None:
        self.listeners.tell(happening)
