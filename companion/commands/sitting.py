"""A match refereed at a terminal: lines in, what the referee says out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.commands.voice import Voice
from companion.errors import BadPosition, CompanionError, IllegalAnswer
from companion.match import Match
from companion.offers import Offer, Stamp
from companion.question import Ready
from companion.referee import Keeping, Referee
from companion.ruling import TABLE, Cite, Seat
from companion.script import Line, Verb, as_in

if TYPE_CHECKING:
    from companion.commands.clock_teller import ClockTeller
    from companion.offers import Json
    from companion.question import Question
    from companion.ruling import Notice, Outcome, Ruling

Files = Callable[[str], Mapping[str, "Json"]]


class _Refused(Exception):
    """A line that the match cannot take, with the digest's code if it has one."""

    def __init__(self, code: str, text: str, cite: Cite | None = None) -> None:
        super().__init__(text)
        self.code, self.text, self.cite = code, text, cite


class Sitting:
    """One match at a terminal. `refusals` counts the lines that were not taken.

    `now` is monotonic seconds, `source` what answers are marked with, `files` reads the position
    file that a restart names.
    """

    def __init__(
        self,
        match: Match[Any],
        voice: Voice,
        now: Callable[[], float],
        stamp: Callable[[str, float], Stamp],
        *,
        source: str,
        files: Files,
        keeping: Keeping | None = None,
        written: int = 0,
    ) -> None:
        self.refusals = 0
        self._aimed = ""
        self.clock_teller: ClockTeller | None = None
        self._voice, self._source, self._files = voice, source, files
        self._real_now, self._ahead_s = now, 0.0
        self.referee = Referee(match, keeping or Keeping(_nowhere), stamp, written=written)
        self._said: list[Ruling] = list(match.rulings) if written else []
        self._noticed: set[int] = set()
        self._asked: tuple[tuple[str, int], ...] = ()
        self._over: Outcome | None = None
        self._unwritten = ""

    @property
    def match(self) -> Match[Any]:
        return self.referee.match

    def now(self) -> float:
        """Monotonic seconds, ahead of the real ones by the phases that a script has ended."""
        return self._real_now() + self._ahead_s

    def begin(self) -> None:
        """Put the set-up on disk and ask the first questions."""
        self.referee.begin(self.now())
        self.tick()

    def tick(self) -> None:
        """Do what time brings, and say what is new."""
        self.referee.tick(self.now())
        self._tell()

    def leave(self) -> None:
        """Put the match away: a running phase stands until somebody goes on with it."""
        self.referee.pause(self.now())

    def do(self, line: Line) -> None:
        """Carry out one line. What the match does not take is said, and changes nothing."""
        self._aimed = ""
        try:
            self._do(line)
        except (_Refused, IllegalAnswer) as refused:
            self._refuse(line, refused.code, refused.text, refused.cite)
        except BadPosition as wrong:
            self._refuse(line, "Q-POSITION", wrong.text, wrong.faults[0].cite)
        except CompanionError as wrong:
            self._refuse(line, "Q-CALL", str(wrong), None)
        self._tell()

    def _refuse(self, line: Line, code: str, text: str, cite: Cite | None) -> None:
        self.refusals += 1
        place = f"line {line.number}, " if line.number else ""
        aimed = f" for {self._aimed}" if self._aimed else ""
        self._voice.refused(code, text, cite, f"{place}{line.typed!r}{aimed}")

    def _do(self, line: Line) -> None:
        now, referee, value = self.now(), self.referee, line.value
        match line.verb:
            case Verb.ANSWER:
                self._answer(line)
            case Verb.UNDO:
                referee.undo(now, line.seq, line.reason)
            case Verb.AMEND:
                revision = referee.amend(line.seq or 0, value, line.reason)
                self._voice.revision(revision)
                referee.commit(revision, now)
            case Verb.ADJUST:
                referee.adjust(_object(value), line.reason, now)
            case Verb.REPORT:
                referee.report(_object(value), now, reason=line.reason)
            case Verb.RESTART:
                referee.restart(self._files(str(value)), line.reason, now)
            case Verb.CLOSE:
                self._close(_object(value), line.reason)
            case Verb.CLOCK:
                self._clock(value)

    # -- answers ---------------------------------------------------------------------------

    def _answer(self, line: Line) -> None:
        key, by, opened = self._aim(line.to, line.value)
        self._aimed = key
        caution = self._caution(key, line.value)
        before = self.referee.refused
        self.referee.post(Offer(key, line.value, self._source, by, opened, self.now()))
        self.referee.tick(self.now())
        refused = self.referee.refused
        if refused is not None and refused is not before:
            raise _Refused(refused.code, refused.text, refused.cite)
        if caution is not None:
            self._voice.notice(caution)

    def _caution(self, key: str, raw: Json) -> Notice | None:
        """What the rules have to say of a legal answer; the refusal of another comes by itself."""
        question = self.match.open.get(key)
        try:
            return None if question is None else question.word_before(raw)
        except IllegalAnswer:
            return None

    def _aim(self, to: str, said: Json) -> tuple[str, Seat, int]:
        """Which question an answer is for: key, whom it asks, and its opening."""
        question = self._question(to) if to else self._next(said)
        if question is not None:
            return question.key, question.by, question.opened
        if self.match.outcome is not None:
            raise _Refused("Q-OVER", "The match has ended; undo, amend or restart go on from here.")
        key = self._after_silence(to) or ("/" in to and to)
        if key:  # optional questions may be on the way to it: the match passes them
            return key, TABLE, -1
        self._refuse_not_asked(to, said)
        asked = ", ".join(f"{q.by} ({q.key})" for q in self._waiting()) or "nobody"
        raise _Refused("Q-WHOM", f"{to or 'Nobody'} is not asked now; asked: {asked}.")

    def _refuse_not_asked(self, to: str, said: Json) -> None:
        """A seat answers that is not asked: what the rules say of that, if they say anything."""
        seat, waiting = self._seat(to), self._waiting()
        if seat is None or not waiting:
            return
        refusal = self.match.rulebook.not_asked(seat, said, waiting[0])
        if refusal is not None:
            raise _Refused(*refusal)

    def _next(self, said: Json) -> Question[Any] | None:
        """The only question that waits for that word, else the first of all that wait."""
        waiting = self._waiting()
        word = str(said).strip().lower()
        by_word = [q for q in waiting if isinstance(q, Ready) and q.word == word]
        return by_word[0] if len(by_word) == 1 else next(iter(waiting), None)

    def _question(self, to: str) -> Question[Any] | None:
        if to in self.match.open:
            return self.match.open[to]
        seat = self._seat(to)
        if seat is not None:
            return next((question for question in self._waiting() if question.by == seat), None)
        return self._by_ending(to)

    def _by_ending(self, to: str) -> Question[Any] | None:
        ends = f"/{to.lower()}"
        found = [q for key, q in self.match.open.items() if f"/{key}".lower().endswith(ends)]
        if len(found) > 1:
            keys = ", ".join(question.key for question in found)
            raise _Refused("Q-WHOM", f"{to!r} may be any of {keys}; type more of it.")
        return found[0] if found else None

    def _after_silence(self, to: str) -> str:
        """The question with that ending to which silence alone leads; empty if there is none."""
        if not to or self._seat(to) is not None:
            return ""
        ahead, stamp = Match[Any].replay(self.match.entries), Stamp("", "", 0.0)
        while all(q.lapse is not None for q in ahead.open.values()) and ahead.outcome is None:
            question = next(q for key, q in ahead.open.items() if key not in ahead.answered)
            silence = Offer(question.key, question.lapse, "lapse", question.by)
            ahead.answer(silence, stamp)
            found = [key for key in ahead.open if f"/{key}".lower().endswith(f"/{to.lower()}")]
            if found:
                return found[0]
        return ""

    def _seat(self, to: str) -> Seat | None:
        """A player's code, name or title, or a team, in whatever case."""
        rulebook, people = self.match.rulebook, self.match.setup.seats
        names = {str(seat).lower(): seat for seat in (*rulebook.seats, *rulebook.sides, TABLE)}
        names |= {title.lower(): seat for seat, title in rulebook.seats.items()}
        said = [(rulebook.person(text).lower(), seat) for seat, text in people.items()]
        alone = Counter(name for name, _ in said)
        names = {**{name: seat for name, seat in said if alone[name] == 1}, **names}
        return names.get(to.lower())

    def _waiting(self) -> list[Question[Any]]:
        match = self.match
        return [question for key, question in match.open.items() if key not in match.answered]

    # -- the arbiter and the clock ---------------------------------------------------------

    def _close(self, said: Mapping[str, Json], reason: str) -> None:
        winners = said.get("winners", [])
        if not isinstance(winners, list):
            example = as_in(Verb.CLOSE, self.match.rulebook.examples())
            raise _Refused("Q-CALL", f"winners is a list{example}")
        text = str(said.get("text", ""))
        self.referee.close([Seat(str(name)) for name in winners], text, reason, self.now())

    def _clock(self, what: Json) -> None:
        referee, now = self.referee, self.now()
        if referee.clock is None:
            raise _Refused("Q-CLOCK", "No timed phase is open: there is no clock to speak of.")
        if isinstance(what, float):
            referee.give(what, now)
        elif isinstance(what, dict):
            referee.set_rest(float(str(what["set"])), now)
        elif what == "pause":
            referee.pause(now)
        elif what == "resume":
            referee.resume(now)
        else:
            self._run_out()

    def _run_out(self) -> None:
        """Let the phase run to its zero at once: a script does not wait."""
        self.referee.resume(self.now())
        clock = self.referee.clock
        if clock is not None:
            self._ahead_s += clock.rest(self.now())
        self.referee.tick(self.now())

    # -- what is said ----------------------------------------------------------------------

    def _tell(self) -> None:
        self._tell_disk()
        if self.clock_teller is not None:
            self.clock_teller.tell(self.now())
        self._tell_rulings()
        for seq, notice in self.match.notices.items():
            if seq not in self._noticed:
                self._noticed.add(seq)
                self._voice.notice(notice)
        outcome = self.match.outcome
        if outcome is not None and outcome is not self._over:
            self._voice.outcome(outcome)
        self._over = outcome
        self._tell_questions()

    def _tell_rulings(self) -> None:
        """Rulings that were not said yet; after a correction only those that are new."""
        now = list(self.match.rulings)
        common = next(
            (i for i, (a, b) in enumerate(zip(self._said, now, strict=False)) if a != b),
            min(len(self._said), len(now)),
        )
        known = Counter(_told(ruling) for ruling in self._said[common:])
        for ruling in now[common:]:
            if known[_told(ruling)]:
                known[_told(ruling)] -= 1
            else:
                self._voice.ruling(ruling)
        self._said = now

    def _tell_questions(self) -> None:
        asked = tuple((key, question.opened) for key, question in self.match.open.items())
        if asked != self._asked:
            self._asked = asked
            if asked:
                self._voice.questions(list(self.match.open.values()))

    def _tell_disk(self) -> None:
        if self.referee.unwritten != self._unwritten:
            self._unwritten = self.referee.unwritten
            self._voice.remark(self._unwritten or "The record is written again.")


def _told(ruling: Ruling) -> tuple[str, str]:
    return ruling.text, str(ruling.cite)


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise _Refused("Q-CALL", f"{value!r} is no object of names and values")
    return value


def _nowhere(_: object) -> None:
    """Keep no record."""
