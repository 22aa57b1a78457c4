"""`companion referee`, line by line: what is typed goes in, what the referee says comes out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall, BadPosition, CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Locked, Question
from companion.core.ruling import TABLE, Cite, Json, Level, Notice, Outcome, Ruling
from companion.core.text import counted, cut, plain_name, quoted
from companion.core.text import lines_in_words as line_numbers
from companion.kit.reports import reported_in_words
from companion.match.book import Paragraph, look_up
from companion.match.match import Match
from companion.match.rulebook import name_fault
from companion.referee.challenge import Verdict
from companion.referee.protocol import adjusted_in_words, clock_in_words, what_stands
from companion.referee.referee import Keeping, Referee
from companion.referee.script import BARE, ScriptLine, Verb, addressed, read_line
from companion.referee.teaching import taught
from ui.table import looking_ahead
from ui.terminal.addressees import Addressees, LineRefused
from ui.terminal.voice import ClockTeller, Voice, notice_in_words

if TYPE_CHECKING:
    from companion.core.round_clock import RoundClock
    from companion.match.entry import Entry
    from companion.match.revision import Revision

Files = Callable[[str], Mapping[str, "Json"]]
Ask = Callable[[str, Callable[[str], bool]], None]
"""Puts a question of the terminal's own to whoever types, and hands on what is typed next; it is
put again as long as that is no answer (False)."""

WHO = "Who is the arbiter? (Enter: table)"
PUT_INTO_EFFECT = "Put this into effect? (yes/no)"
TAKE_BACK = "Take them back? (yes/no)"
ALL_THE_SAME = "Is that the answer all the same? (yes/no)"
NO_NAME = "That is an answer; who is the arbiter? (Enter: table)"
STOPPING = (Verb.CLOCK, Verb.CHALLENGE)
"""Verbs that no name is asked for while the clock runs: seconds are lost meanwhile."""
LOOKING = (Verb.STANDS, Verb.RULE, Verb.WHAT_IF, Verb.WOULD)
"""Verbs that only look at something."""
MARKED = tuple(verb for verb in Verb if verb is not Verb.ANSWER and verb not in BARE)
"""Verbs that need the mark before them."""
DESK_WORDS = ("?", "help", "log", "quit", "exit", *BARE)
"""What begins a line of the desk's own, whoever types it: no arbiter is called so."""
FEW = 3
"""Paragraphs that are printed whole; of others that were found the numbers are told."""
SHOWN = 8
"""Lines that an undo takes with it, told one by one; more are counted."""
_NO_NAME_BEGINS = re.compile(
    r"[-+]?\d|[\[{\"]|(?i:checked|done|keep|nobody|ok|pass|placed|ready|stay|undo)$"
)
"""How places, counts and JSON begin, and words that answer a question in one box or another."""


class TerminalSitting:
    """One match at a terminal. `refusals` counts the lines that were not taken.

    `now` is monotonic seconds, `source` what answers are marked with, `files` reads the position
    file that a restart names. `arbiter` is in whose name corrections are logged (None: not said
    yet); where people type, `ask` asks for it once, and before an amend is put into effect.
    """

    def __init__(  # noqa: PLR0913 - each is a part of the table that it sits at
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
        arbiter: str | None = None,
    ) -> None:
        self.refusals = 0
        self.arbiter = arbiter
        self.ask: Ask | None = None
        self._aimed = ""
        self.clock_teller: ClockTeller | None = None
        self._voice, self._source, self._files = voice, source, files
        self._real_now, self._ahead_s = now, 0.0
        self.referee = Referee(match, keeping or Keeping(_nowhere), stamp, written=written)
        self._whom = Addressees(match)
        self._said: list[Ruling] = list(match.rulings) if written else []
        self._noticed: set[int] = set()
        self._asked: tuple[tuple[str, int], ...] = ()
        self._put_right: Ruling | None = None
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
        challenge = self._open_challenge()
        if challenge:
            self._voice.done(challenge)
        self._remind()
        self.tick()

    def _remind(self) -> None:
        """Of what was reported before, only what still stands; each with its line."""
        for seq, notice in self.match.notices.items():
            self._noticed.add(seq)
            if notice.level is not Level.NOTE:
                since = f"line {seq}" if seq >= 0 else "the position that was given"
                self._voice.notice(replace(notice, text=f"Since {since}: {notice.text}"))

    def tick(self) -> None:
        """Do what time brings, and say what is new."""
        self.referee.tick(self.now())
        self._tell()

    def leave(self) -> None:
        """Put the match away: a running phase stands until somebody goes on with it."""
        self.referee.halt(self.now())

    def do(self, line: ScriptLine) -> None:
        """Carry out one line. What the match does not take is said, and changes nothing."""
        if self.ask is None or not self._needs_a_name(line):
            self._try(line, lambda: self._do(line))
            return
        refusals = self.refusals
        self._try(line, lambda: self._try_out(line))
        if self.refusals == refusals:
            self.ask(WHO, lambda said: self._named(said, line))

    def do_aside(self, said: str) -> bool:
        """Whether that was a verb that only looks, or that stops the clock; then it is carried out.

        So people may look something up while a question of the terminal's own waits.
        """
        try:
            line = read_line(said, self.match.rulebook.examples)
        except ValueError:
            return False
        if line is None or line.verb not in (*LOOKING, *STOPPING):
            return False
        self._try(line, lambda: self._do(line))
        return True

    def refuse_unread(self, text: str, number: int, why: str) -> None:
        """A line that is none: refused like any other, and what comes after it goes on."""
        self._refuse(ScriptLine(Verb.ANSWER, typed=text, number=number), "Q-LINE", why, None)

    def _try(self, line: ScriptLine, act: Callable[[], None]) -> None:
        self._aimed = ""
        try:
            act()
        except (LineRefused, IllegalAnswer) as refused:
            text = f"{refused.text}{_mark_missing(line)}"
            self._refuse(line, refused.code, text, refused.cite)
        except BadPosition as wrong:
            self._refuse(line, "Q-POSITION", wrong.said, wrong.faults[0].cite)
        except CompanionError as wrong:
            self._refuse(line, "Q-CALL", str(wrong), None)
        self._tell()

    def _needs_a_name(self, line: ScriptLine) -> bool:
        """Whether the arbiter is to be named first; not for what nothing can come of."""
        if self.arbiter is not None or not line.verb.is_arbiters:
            return False
        clock, disputed = self.referee.clock, self.referee.presses.challenge is not None
        if line.verb is Verb.CLOCK:
            return clock is not None and not clock.running
        if line.verb is Verb.CHALLENGE:
            return not disputed and (clock is None or not clock.running)
        return disputed or line.verb is not Verb.DECIDED

    def _try_out(self, line: ScriptLine) -> None:
        """Refuse what the match would refuse in anybody's name."""
        if line.verb is Verb.CLOSE:
            self._refuse_to_close()
        if line.verb is Verb.AMEND:
            self._amended(line)
            return
        undone = self._undone(line) if line.verb is Verb.UNDO else None
        looking_ahead.try_out(self.match, line, undone, self._files)

    def _named(self, said: str, line: ScriptLine) -> bool:
        """Whether that is the arbiter's name; what is none is asked again, with the reason."""
        assert self.ask is not None, "only people are asked"
        name = said.strip()
        if name.lower().startswith("!by "):
            name = name[3:].strip()
        fault = name_fault(name)
        if self._is_answer(name):
            self.ask(NO_NAME, lambda again: self._named(again, line))
        elif name.startswith("!") or name.partition(" ")[0].lower() in DESK_WORDS:
            return False
        elif fault:
            self.ask(f"{_sentence(fault)} {WHO}", lambda again: self._named(again, line))
        else:
            self._take_name(name)
            self.do(line)
        return True

    def _take_name(self, name: str) -> None:
        self.arbiter = name
        self._voice.done(f"{name or 'The table'} is the arbiter from now on.")

    def _is_answer(self, said: str) -> bool:
        """Whether somebody answers a question with it, the match's or the terminal's own."""
        if not said or self._is_player(said):  # who may be the arbiter
            return False
        if _answers_some_question(said) or self._is_seat(said):
            return True
        line = _read(said)
        if line is None or line.verb is not Verb.ANSWER:
            return False
        return bool(line.to) or any(_takes(q, line.value) for q in self.match.open.values())

    def _is_player(self, name: str) -> bool:
        people = self.match.setup.seats.values()
        return plain_name(name) in {plain_name(self.match.rulebook.person(text)) for text in people}

    def _is_seat(self, name: str) -> bool:
        """Whether a seat or a team is called so, by itself: no arbiter's name."""
        return self._whom.seat(name) not in (None, TABLE)

    def _refuse_name(self, name: str) -> None:
        fault = name_fault(name)
        if fault:
            raise LineRefused("Q-NAME", _sentence(fault))
        if not self._is_player(name) and (_answers_some_question(name) or self._is_seat(name)):
            what = "a seat or a team" if self._is_seat(name) else "an answer"
            text = f"{quoted(name)} is {what}, no name; !by NAME says who the arbiter is"
            raise LineRefused("Q-NAME", f"{text}: add a letter to a name that reads so.")

    def _refuse(self, line: ScriptLine, code: str, text: str, cite: Cite | None) -> None:
        self.refusals += 1
        place = f"line {line.number}, " if line.number else ""
        aimed = f" for {self._aimed}" if self._aimed else ""
        self._voice.refused(
            code, cut(text, line.value), cite, f"{place}{quoted(line.typed)}{aimed}"
        )

    def _do(self, line: ScriptLine) -> None:
        value = line.value
        match line.verb:
            case Verb.ANSWER:
                self._answer(line)
            case Verb.CLOCK:
                self._clock(value, line.reason)
            case Verb.CHALLENGE | Verb.CLAIM | Verb.DECIDED | Verb.UNDECIDED:
                self._dispute(line)
            case Verb.BY:
                self._refuse_name(str(value))
                self._take_name(str(value))
            case Verb.WHAT_IF:
                self._voice.revision(self._amended(line))
            case Verb.STANDS | Verb.WOULD:
                self._voice.stands(self._looked(line.verb))
            case Verb.RULE:
                self._look_up(str(value))
            case _:
                self._correct(line)

    def _looked(self, verb: Verb) -> Sequence[str]:
        """What stands; or what would have done it, after a refusal or a miss."""
        if verb is Verb.STANDS:
            return what_stands(self.match, self._troubles())
        refused = self.referee.refused
        said = (refused.offer.key, refused.offer.raw) if refused is not None else None
        return [taught(self.match, said) or "Nothing was refused, and nobody has just missed."]

    # -- corrections -----------------------------------------------------------------------

    @property
    def _by(self) -> str:
        return self.arbiter or ""

    def _correct(self, line: ScriptLine) -> None:
        """The verbs that change the record; what hands have to do then is told as a ruling is."""
        now, referee, value, why = self.now(), self.referee, line.value, line.reason
        match line.verb:
            case Verb.UNDO:
                self._undo(line)
            case Verb.AMEND:
                self._amend(line)
            case Verb.ADJUST:
                changed = referee.adjust(looking_ahead.object_of(value), why, now, by=self._by)
                self._voice.done(adjusted_in_words(changed))
            case Verb.REPORT:
                self._report(looking_ahead.report_of(line), now, why)
            case Verb.RESTART:
                file = self._files(str(value))
                self._voice.done(referee.restart(file, why, now, by=self._by))
            case _:
                self._close(looking_ahead.object_of(value), why)

    def _report(self, fact: Mapping[str, Json], now: float, reason: str) -> None:
        """What is reported brings a notice, which is said by itself; a solved one says so here."""
        self.referee.report(fact, now, reason=reason, by=self._by)
        if fact.get("what") == "solved":
            self._voice.done(reported_in_words(fact, self.match.rulebook))

    def _undo(self, line: ScriptLine) -> None:
        """Say which line is taken back; people are asked first where later ones fall with it."""
        falls = looking_ahead.falling(self.match, self._undone(line))
        if self.ask is None or not (falls.later or falls.waits):
            self._take_back(line, falls)
            return
        if falls.later:
            self._show_falling(falls)
        if falls.waits:
            self._voice.done(f"With line {falls.line} {_waiting_anew(falls, 'would wait')}.")
        self.ask(TAKE_BACK, lambda said: self._confirm_undo(said, line, falls))

    def _show_falling(self, falls: looking_ahead.Falling) -> None:
        many = counted(len(falls.later), "later line")
        form = f", and {falls.form}" if falls.form else ""
        self._voice.done(f"{many} would be taken back with line {falls.line}{form}:")
        shown = (falls.line, *falls.later)[:SHOWN]
        told = [
            f"Line {seq}: {words}"
            for seq, words in looking_ahead.lines_in_words(self.match, shown).items()
        ]
        rest = len(falls.later) + 1 - len(shown)
        self._voice.stands([*told, *([f"and {counted(rest, 'more line')}"] if rest else [])])

    def _confirm_undo(self, said: str, line: ScriptLine, falls: looking_ahead.Falling) -> bool:
        """Whether that was yes or no to an undo that takes later lines with it."""
        sure = _yes_or_no(said)
        if sure:
            self._try(line, lambda: self._take_back_shown(line, falls))
        elif sure is not None:
            self._voice.done("Nothing is taken back.")
        return sure is not None

    def _take_back_shown(self, line: ScriptLine, falls: looking_ahead.Falling) -> None:
        if falls != looking_ahead.falling(self.match, falls.line):
            raise BadCall("the match has gone on since: look at the lines again")
        self._take_back(line, falls)

    def _take_back(self, line: ScriptLine, falls: looking_ahead.Falling) -> None:
        words = looking_ahead.lines_in_words(self.match, (falls.line,))[falls.line]
        self.referee.undo(self.now(), falls.line, line.reason, by=self._by)
        more = f", and with it {counted(len(falls.later), 'later line')}" if falls.later else ""
        more += f"; {falls.form}" if falls.form else ""
        more += f"; {_waiting_anew(falls, 'wait')}" if falls.waits else ""
        self._voice.done(f"Line {falls.line} is taken back{more}. It said: {words}")

    def _undone(self, line: ScriptLine) -> int | None:
        """The log line that an undo aims at (None: the last act)."""
        return self._answered_at(line.to) if line.to else line.seq

    def _answered_at(self, key: str) -> int:
        """The log line in effect that answered the question with that key, or with that end."""
        ends = f"/{key.lower()}"
        for step in reversed(self.match.steps):
            if step.answers and f"/{step.key}".lower().endswith(ends):
                return step.seq
        raise LineRefused("Q-LINE", f"No answer in effect was given to {key}; log lists the lines.")

    def _amended(self, line: ScriptLine) -> Revision:
        """What an amend would change; refused in the question's own words where it is illegal."""
        return self.referee.amend(line.seq or 0, line.value, line.reason)

    def _amend(self, line: ScriptLine) -> None:
        """Show what it changes; people are asked before it is put into effect, scripts are not."""
        revision = self._amended(line)
        self._voice.revision(revision)
        if self.ask is None:
            self._commit(revision)
        else:
            self.ask(PUT_INTO_EFFECT, lambda said: self._confirm(said, revision, line))

    def _confirm(self, said: str, revision: Revision, line: ScriptLine) -> bool:
        sure = _yes_or_no(said)
        if sure:
            self._try(line, lambda: self._commit(revision))
        elif sure is not None:
            self._voice.done(f"Line {revision.seq} stays as it is.")
        return sure is not None

    def _commit(self, revision: Revision) -> None:
        self.referee.commit(revision, self.now(), by=self._by)
        self._voice.done(f"Line {revision.seq} is amended.")

    # -- answers ---------------------------------------------------------------------------

    def _answer(self, line: ScriptLine) -> None:
        line = self._with_colon(addressed(line, self.match.rulebook.named.values()))
        key, by, opened = self._whom.aim(line.to, line.value)
        self._aimed = key
        self._refuse_zero(key, line.value)
        offer = Offer(key, line.value, self._source, by, opened, reason=line.reason)
        caution = self._caution(key, line.value)
        if caution is not None:
            self._voice.notice(caution)
        if caution is None or self.ask is None:
            self._give(offer)
        else:
            self.ask(ALL_THE_SAME, lambda said: self._given(said, offer, line))

    def _given(self, said: str, offer: Offer, line: ScriptLine) -> bool:
        """Whether that was yes or no to an answer that the rules had a word about."""
        sure = _yes_or_no(said)
        if sure:
            self._try(line, lambda: self._give(offer))
        elif sure is not None:
            self._voice.done("The question is still open.")
        return sure is not None

    def _give(self, offer: Offer) -> None:
        before, question = self.referee.refused, self.match.open.get(offer.key)
        waited, lines = self._whom.waiting(), len(self.match.entries)
        form, told = self._form(), {*self.match.answered, offer.key}
        words = "" if question is None else _read_back(question, offer.raw)
        self.referee.post(replace(offer, taken_at=self.now()))
        self.referee.tick(self.now())
        refused = self.referee.refused
        if refused is not None and refused is not before:
            way = " Say `decided` when that is done." if refused.code == "Q-CHALLENGE" else ""
            raise LineRefused(refused.code, f"{refused.text}{way}", refused.cite)
        if question is not None:
            self._echo(question, words, form, len(told.intersection(form)))
        else:
            self._tell_passed(waited, self.match.entries[lines:])

    def _tell_passed(self, waited: Sequence[Question[Any]], since: Sequence[Entry]) -> None:
        """Optional questions that an answer for a later one has passed over."""
        asked = {question.key: question.prompt for question in waited}
        for entry in since:
            if entry.kind == "lapse":
                words = asked.get(entry.key, entry.key)
                self._voice.done(
                    f"Nobody took “{words}”; it is passed. !undo {entry.seq} asks it again."
                )

    def _with_colon(self, line: ScriptLine) -> ScriptLine:
        """An answer that has a colon itself, as "Shield: no draw": nobody is named before it."""
        if (
            not line.to
            or not isinstance(line.value, str)
            or self._whom.question(line.to) is not None
        ):
            return line
        whole = f"{line.to}: {line.value}"
        question = self._whom.next_for(whole)
        if question is None or self._whom.seat(line.to) is not None:
            return line
        try:
            question.judge(whole)
        except IllegalAnswer:
            return line
        return replace(line, value=whole, to="")

    def _refuse_zero(self, key: str, said: Json) -> None:
        """A timed phase ends at the clock's own zero, whatever anybody types."""
        question = self.match.open.get(key)
        if not isinstance(question, Locked) or question.seconds is None:
            return
        if str(said).strip().lower() == "zero":
            text = "Only the clock ends a timed phase; the arbiter may let it run out: !clock end."
            raise question.refuse("Q-EARLY", text)

    def _echo(self, question: Question[Any], said: str, form: Sequence[str], told: int) -> None:
        """What was taken down of an answer in a form, which is open still or was closed by it."""
        if len(form) > 1 and said and any(step.key == question.key for step in self.match.steps):
            words = f"{self._short(question)}: {said}"
            self._voice.told(question.key, words, told, len(form))
        if self._form() == form:  # asked already, though an amend may count them as new
            self._asked = self._open_now()

    def _told_of(self, question: Question[Any]) -> str:
        """What was answered to a question of a form that is still open."""
        said = question.in_words(self.match.answered[question.key], brief=True)
        return f"{self._short(question)}: {said}"

    def _short(self, question: Question[Any]) -> str:
        """How the question begins, which says whom or what it is about; else who was asked."""
        begins, colon, _ = question.prompt.partition(": ")
        if colon:
            return begins
        return question.headline if question.by == TABLE else self._whom.name(question.by)

    def _caution(self, key: str, raw: Json) -> Notice | None:
        """What the rules have to say of a legal answer; the refusal of another comes by itself."""
        try:
            return None if key not in self.match.open else self.match.word_before(key, raw)
        except IllegalAnswer:
            return None

    # -- the arbiter and the clock ---------------------------------------------------------

    def _refuse_to_close(self) -> None:
        if self.match.outcome is not None:
            raise LineRefused(
                "Q-OVER", "The match has ended; undo, amend or restart go on from here."
            )

    def _close(self, said: Mapping[str, Json], reason: str) -> None:
        self._refuse_to_close()
        text = str(said.get("text", ""))
        self.referee.close(
            looking_ahead.winners_of(self.match, said), text, reason, self.now(), by=self._by
        )

    def _clock(self, what: Json, reason: str) -> None:
        lines = len(self.match.entries)
        try:
            self._set_clock(what, reason)
        except BadCall as refused:
            raise LineRefused("Q-CLOCK", str(refused)) from refused
        self._tell_clock(lines)

    def _set_clock(self, what: Json, reason: str) -> None:
        referee, now, by = self.referee, self.now(), self._by
        if isinstance(what, float):
            referee.give(what, now, reason=reason, by=by)
        elif isinstance(what, dict):
            referee.set_rest(float(str(what["set"])), now, reason=reason, by=by)
        elif what == "pause":
            referee.pause(now, reason=reason, by=by)
        elif what == "resume":
            self._refuse_under_challenge()
            referee.resume(now, reason=reason, by=by)
        else:
            self._refuse_under_challenge()
            self._ahead_s += referee.end_phase(now, reason=reason, by=by)
            referee.tick(self.now())

    def _refuse_under_challenge(self) -> None:
        """The clock stands until the challenge is decided."""
        challenge = self.referee.presses.challenge
        if challenge is not None:
            whose = self._whom.name(challenge.by)
            text = f"The challenge by {whose} is open and the clock stands for it;"
            raise LineRefused(
                "Q-CHALLENGE", f"{text} say `decided` first.", self.match.rulebook.corrections
            )

    def _tell_clock(self, since: int) -> None:
        """What the clock did by the arbiter's word, as the protocol has it."""
        for entry in self.match.entries[since:]:
            if entry.kind == "clock" and isinstance(entry.answer, dict):
                named = self.match.rulebook.named
                self._voice.done(clock_in_words(entry.answer, self._by, named))

    # -- challenges and rules --------------------------------------------------------------

    def _dispute(self, line: ScriptLine) -> None:
        """A challenge from its opening to its decision, and that taken back."""
        match line.verb:
            case Verb.CHALLENGE:
                self._challenge(str(line.value), line.reason)
            case Verb.CLAIM:
                self._claim(line.to, str(line.value), line.reason)
            case Verb.DECIDED:
                self._decide(line.value, line.reason)
            case _:
                self._take_back_decision(line.reason)

    def _challenge(self, whose: str, reason: str) -> None:
        """Open a challenge as the button does: the clock stands until it is decided."""
        if self.referee.presses.challenge is not None:
            raise LineRefused("Q-CALL", "A challenge is open already; `decided` ends it.")
        seat = self._whom.seat(whose) if whose else TABLE
        if seat is None:
            self._whom.refuse_shared_name(whose)
            raise LineRefused("Q-WHOM", f"Nobody here is called {whose}: name a player or a team.")
        lines = len(self.match.entries)
        self.referee.presses.open(self.now(), seat, reason=reason, author=self._by)
        self._tell_clock(lines)
        way = "Look at the rule (`rule`), correct the record (!undo, !amend, !adjust, !report)"
        self._voice.done(f"{way} or leave it as it is, then say `decided`.")

    def _claim(self, whose: str, words: str, reason: str) -> None:
        """What a side says of what is disputed, as the log keeps it."""
        seat = self._whom.seat(whose)
        if seat is None:
            self._whom.refuse_shared_name(whose)
            raise LineRefused("Q-WHOM", f"Nobody here is called {whose}: name a player or a team.")
        lines = len(self.match.entries)
        try:
            self.referee.presses.claim(self.now(), seat, words, author=self._by)
        except BadCall as refused:
            raise LineRefused("Q-CALL", str(refused)) from refused
        self._tell_clock(lines)

    def _decide(self, verdict: Json, reason: str) -> None:
        if self.referee.presses.challenge is None:
            raise LineRefused("Q-CALL", "No challenge is open; `challenge` opens one.")
        lines = len(self.match.entries)
        came = Verdict(str(verdict)) if verdict else None
        try:
            self.referee.decide(self.now(), came, reason=reason, by=self._by)
        except BadCall as refused:
            raise LineRefused("Q-CALL", str(refused)) from refused
        self._tell_clock(lines)

    def _take_back_decision(self, reason: str) -> None:
        """The last decision counts no more; its challenge is open again."""
        lines = len(self.match.entries)
        try:
            self.referee.take_back_decision(self.now(), reason=reason, by=self._by)
        except BadCall as refused:
            raise LineRefused("Q-CALL", str(refused)) from refused
        self._tell_clock(lines)
        self._voice.done(self._open_challenge())

    def _open_challenge(self) -> str:
        """Whose challenge is undecided, and what ends it; empty where none is."""
        challenge = self.referee.presses.challenge
        if challenge is None:
            return ""
        return f"A challenge by {self._whom.name(challenge.by)} is open: say `decided` to end it."

    def _troubles(self) -> list[str]:
        """What holds play up: an open challenge, a clock that stands, what must be solved first."""
        referee, disputed = self.referee, self._open_challenge()
        told = [disputed] if disputed else []
        if referee.clock is not None:
            told.append(self._clock_now(referee.clock, disputed=bool(disputed)))
        notices = self.match.notices.values() if self.match.outcome is None else ()
        told += [notice_in_words(notice) for notice in notices if notice.level is not Level.NOTE]
        if referee.block is not None:
            told.append(f"No round starts: {referee.block.text} {referee.block.way_out}".strip())
        return told

    def _clock_now(self, clock: RoundClock, *, disputed: bool) -> str:
        left = f"{round(clock.rest(self.now()), 1):g} s left"
        if clock.running:
            return f"The clock runs: {left}."
        until = " until the challenge is decided" if disputed else "; !clock resume starts it"
        return f"The clock stands with {left}{until}."

    def _look_up(self, words: str) -> None:
        """A paragraph by its number, or the nearest ones by their words."""
        there = self.match.rulebook.paragraphs()
        alone = next((p for rule, p in there.items() if rule.lower() == words.lower()), None)
        found: list[Paragraph] = (
            [alone] if alone else [hit.paragraph for hit in look_up(words, there.values())]
        )
        if not found:
            raise LineRefused(
                "Q-NAME", f"No paragraph says {words!r}; try fewer words, or a number."
            )
        self._voice.paragraphs(found[:FEW], [one.rule for one in found[FEW:]])

    # -- what is said ----------------------------------------------------------------------

    def _tell(self) -> None:
        self._tell_disk()
        if self.referee.overtaken:  # what this program rules does not count
            return
        if self.clock_teller is not None:
            self.clock_teller.tell(self.now())
        self._tell_rulings()
        self._tell_put_right()
        for seq, notice in self.match.notices.items():
            if seq not in self._noticed:
                self._noticed.add(seq)
                self._voice.notice(notice)
        outcome = self.match.outcome
        if outcome is not None and outcome is not self._over:
            self._voice.outcome(outcome, [*map(self.match.rulebook.side_in_words, outcome.winners)])
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

    def _tell_put_right(self) -> None:
        """What the latest correction leaves for hands to do."""
        put_right = self.referee.put_right
        if put_right is not None and put_right is not self._put_right:
            correction = self.referee.hands.correction
            items = correction.by_person(self.match.rulebook) if correction is not None else ()
            self._voice.hands(put_right, items)
        self._put_right = put_right

    def _tell_questions(self) -> None:
        asked = self._open_now()
        if asked != self._asked:
            self._asked = asked
            if asked:
                form = {key: self.match.open[key] for key in self._form()}
                told = {key: self._told_of(form[key]) for key in self.match.answered if key in form}
                self._voice.questions(list(form.values()), told)

    def _form(self) -> list[str]:
        """The questions that are open for those who have not left, answered or not."""
        absent = self.match.rulebook.absent
        return [key for key, question in self.match.open.items() if question.by not in absent]

    def _open_now(self) -> tuple[tuple[str, int], ...]:
        return tuple((key, question.opened) for key, question in self.match.open.items())

    def _tell_disk(self) -> None:
        if self.referee.unwritten != self._unwritten:
            self._unwritten = self.referee.unwritten
            self._voice.remark(self._unwritten or "The record is written again.")


def _told(ruling: Ruling) -> tuple[str, str]:
    return ruling.text, str(ruling.cite)


def _read(said: str) -> ScriptLine | None:
    """A line as it is read; None where it is none."""
    try:
        return read_line(said)
    except ValueError:
        return None


def _takes(question: Question[Any], said: Json) -> bool:
    """Whether a question takes that for an answer."""
    try:
        question.judge(said)
    except IllegalAnswer:
        return False
    return True


def _sentence(fault: str) -> str:
    return f"{fault[:1].upper()}{fault[1:]}."


def _read_back(question: Question[Any], raw: Json) -> str:
    """An answer in words, while the question still has its options; nothing for an illegal one."""
    try:
        plain = question.judge(raw).plain
    except IllegalAnswer:
        return ""
    return "" if plain is None else question.in_words(plain, brief=True)


def _yes_or_no(said: str) -> bool | None:
    """What was typed to such a question; None where it is neither."""
    return {"y": True, "yes": True, "n": False, "no": False}.get(said.strip().lower())


def _mark_missing(line: ScriptLine) -> str:
    """What helps whoever typed a verb as if it were an answer; empty for all else."""
    word = str(line.value).partition(" ")[0].lower()
    if line.verb is not Verb.ANSWER or line.to or word not in MARKED:
        return ""
    return f" If you mean the arbiter's verb, put a mark before it: !{word}."


def _waiting_anew(falls: looking_ahead.Falling, verb: str) -> str:
    """The older lines that an undo sends back: "lines 3 to 5 would wait for their question"."""
    verb = "waits" if verb == "wait" and len(falls.waits) == 1 else verb
    return f"{line_numbers(falls.waits)} {verb} for their question again"


def _answers_some_question(said: str) -> bool:
    """Whether that is yes, no or a word that answers a question in one box or another."""
    return _yes_or_no(said) is not None or _NO_NAME_BEGINS.match(said) is not None


def _nowhere(_: object) -> None:
    """Keep no record."""
