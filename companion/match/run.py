"""Run: the rules of one match as a running coroutine, its open questions and its rulings.

A run knows no log and no clock. It is thrown away and built afresh from the steps in effect
whenever an old decision changes; that costs microseconds a step.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core.errors import (
    BadCall,
    BadPosition,
    CompanionError,
    IllegalAnswer,
    MatchClosed,
    StaleOffer,
)
from companion.core.question import Form, Question, Taken
from companion.core.ruling import TABLE, BrokenOff, Level, MatchOver, Notice, Outcome, Ruling, Seat
from companion.core.text import in_codes
from companion.kit.reports import is_of_the_moment, is_of_the_same, is_read_off, settled
from companion.match.entry import Step, digest_of

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.match.rulebook import Position, Rulebook, Setup

PositionT = TypeVar("PositionT", bound="Position")
Closing = tuple[tuple[str, Taken], ...]
"""The questions that lapse when a form closes: key and what silence meant."""

_OPTION = "option."


class Run(Generic[PositionT]):
    """The rules under way. `opened` is the log number that questions opening now are given."""

    def __init__(self, rulebook: Callable[[Setup], Rulebook[PositionT]], setup: Setup) -> None:
        self._rulebook = rulebook
        self._setup = setup
        self.opened = 0
        self.open: dict[str, Question[Any]] = {}
        self.answered: dict[str, Taken] = {}
        self.decided: set[str] = set()
        self.notices: dict[int, Notice] = {}
        self.reported: dict[int, Mapping[str, Json]] = {}
        """What was reported that a notice came of, by log number."""
        self._reported_at: dict[int, str] = {}
        """The question that was open when it was reported."""
        self._settled: set[str] = set()
        """Codes of notices that were lifted because table and record agree."""
        self.outcome: Outcome | None = None
        self.begun = 0
        self._digest = ""
        self._figures: object = None
        self._passed: list[object] = []
        """What the digests were made of that were taken down since the last answer was put in."""
        self.file: dict[str, Json] | None = None
        self.since: list[dict[str, Json]] = []
        self.keep_file = False
        self.said: list[Ruling] = []
        self._ruled: list[tuple[int, str, Sequence[Ruling]]] = []
        self._told = 0  # how many of them a step has brought
        self._form: Form[Any, Any] | None = None
        self._names: dict[str, Any] = {}
        self._awaited: set[str] = set()
        self._set_rules(setup)

    # -- driving the coroutine -------------------------------------------------------------

    def start(self) -> None:
        """Play up to the first question, past what the starting position lists as answered."""
        self._send(None)
        if self._setup.position is not None:
            self._resume_since(self._setup.position.get("since", []), 0)

    def close(self) -> None:
        """End the coroutine: nothing begins any more."""
        self._coroutine.close()
        self.rules.at_begin = None

    def _set_rules(self, setup: Setup) -> None:
        self.rules = self._rulebook(setup)
        self.rules.said = self.said
        self.rules.at_begin = self._begun
        self._coroutine: Coroutine[Any, Any, Outcome] = self.rules.play()

    @property
    def digest(self) -> str:
        """The digest of the last begin() or of the outcome; hashed when first asked for."""
        if not self._digest:
            self._digest = digest_of(self._figures)
        return self._digest

    def _taken_down(self) -> None:
        """Take down what the digest is made of, as it stands now."""
        self.begun += 1
        self._digest, self._figures = "", self.rules.position.figures()
        self._passed.append(self._figures)

    def has_passed(self, digest: str) -> bool:
        """Whether a position with this digest stood at a begin() since the last answer."""
        return any(digest_of(figures) == digest for figures in self._passed)

    def _begun(self) -> None:
        self._taken_down()
        if self.keep_file:
            self.file = self.rules.position.to_file()
            self.since = []

    def _send(self, value: object) -> None:
        self.open = {}
        self.rules.answered = self.answered = {}
        try:
            asked = self._coroutine.send(value)
        except StopIteration as stop:
            self._end(stop.value)
        except MatchOver as over:
            self._end(over.outcome)
        else:
            self._ask(asked)

    def _end(self, outcome: object) -> None:
        if not isinstance(outcome, Outcome):
            name = type(self.rules).__name__
            raise TypeError(f"`play` of {name} gives back {outcome!r}: it must be the Outcome")
        self.outcome = outcome
        self.rules.is_over = True
        self.rules.at_begin = None  # the run itself: a circle that only the collector would free
        self._form = None
        self._taken_down()

    def _ask(self, asked: Question[Any] | Form[Any, Any]) -> None:
        if isinstance(asked, Form):
            self._form = asked
            self._names = {question.key: name for name, question in asked.questions.items()}
            questions = asked.questions.values()
            self._awaited = {one.key for one in questions if one.lapse is None}
            self._open(questions)
        else:
            self._form = None
            self._open((asked,))

    def _open(self, questions: Iterable[Question[Any]]) -> None:
        rules, opened = self.rules, self.opened
        for question in questions:
            question.opened = opened
            question.cite = rules.rests_on(question.cite, question.by)
            question.prompt = rules.with_people(question.prompt)
            self.open[question.key] = question

    def ruled_by(self) -> Sequence[tuple[int, str, Sequence[Ruling]]]:
        """What was said, grouped by the step that brought it: log number, key, rulings."""
        return tuple(self._ruled)

    def _brought(self, step: Step, key: str) -> None:
        """Whatever was said since the last group was brought by this step."""
        self._ruled.append((step.seq, key, tuple(self.said[self._told :])))
        self._told = len(self.said)

    def over(self, key: str) -> str:
        """What is over, so that this question cannot come again: "round 4"; empty if it can."""
        if self.outcome is not None:
            return "the match"
        number = self.rules.round_number
        if not self.open or number(key) >= min(map(number, self.open)):
            return ""
        *_, innermost = self.rules.split_key(key)[0].split("/")
        return innermost.replace("-", " ") or "the set-up"

    # -- answers ---------------------------------------------------------------------------

    def question(self, key: str) -> Question[Any]:
        """The open question of that key; StaleOffer or MatchClosed where it is not asked."""
        question = self.open.get(key)
        if question is not None:
            return question
        if self.outcome is not None:
            raise MatchClosed("The match has ended; undo, amend or start a new one.")
        raise StaleOffer(f"{key} is not asked now; open: {', '.join(self.open)}")

    def judge(self, key: str, raw: Json) -> Taken:
        """The answer as taken; StaleOffer, MatchClosed or IllegalAnswer otherwise."""
        question = self.question(key)
        try:
            return question.judge(raw)
        except IllegalAnswer as refused:
            by_name = refused
            said = self._in_codes(raw)
            if said == raw:
                raise self._of_places(question, raw, refused) from None
        try:
            return question.judge(said)
        except IllegalAnswer as of_codes:
            # a refusal that only lists what there is shows what was typed
            known = of_codes.code != "Q-NAME" and not self._is_own_word(raw)
            shown = self._of_places(question, said, of_codes if known else by_name)
            raise _as_typed(shown, raw, said) from None

    def _is_own_word(self, raw: Json) -> bool:
        return isinstance(raw, str) and raw.strip().lower() in self.rules.own_words()

    def _in_codes(self, raw: Json) -> Json:
        """What was said with people as codes; a name that is a word of the box only by itself."""
        names, own = self.rules.spoken_names(), self.rules.own_words()
        if not self._is_own_word(raw):
            names = {name: code for name, code in names.items() if name.lower() not in own}
        return in_codes(raw, names)

    def _of_places(
        self, question: Question[Any], raw: Json, refused: IllegalAnswer
    ) -> IllegalAnswer:
        """A refusal with people's names; one of a place says what is wrong about that place."""
        refused = IllegalAnswer(refused.code, self.rules.with_people(refused.text), refused.cite)
        plan = getattr(self.rules, "plan", None)  # a game may have no boards
        if refused.code != "Q-NAME" or plan is None or not isinstance(raw, str):
            return refused
        why = plan.no_place(raw) if any(one.shows for one in question.options_now()) else ""
        return IllegalAnswer(refused.code, f"{why} {refused.text}".strip(), refused.cite)

    def is_passed_over(self, key: str) -> bool:
        """Whether an earlier edition asked that where the rules by now know the answer."""
        return key not in self.open and self._setup.edition < self.rules.edition

    def closing(self, key: str, taken: Taken) -> Closing | None:
        """What lapses if this answer closes what is open; None if the form stays open.

        IllegalAnswer if the answers do not go together.
        """
        form = self._form
        if form is None:
            return ()
        if form.until is None and len(self._awaited) > (key in self._awaited):
            return None  # others are waited for, whatever this one says
        return self._closing(form, {key: taken})

    def judge_together(self, answers: Mapping[str, Json]) -> None:
        """Judge answers to what is open as if each were given after the other; none is given.

        Errors as `judge`; IllegalAnswer, too, where they close the form and do not go together.
        """
        told = {key: self.judge(key, raw) for key, raw in answers.items()}
        if self._form is not None:
            self._closing(self._form, told)

    def _closing(self, form: Form[Any, Any], told: Mapping[str, Taken]) -> Closing | None:
        """What lapses if these answers close a form; None if it stays open."""
        if not self._awaited.issubset(told) and not self._enough(form, told):
            return None
        given = self.answered
        waiting = [q for k, q in self.open.items() if k not in told and k not in given]
        lapses = tuple((q.key, q.judge(q.lapse)) for q in waiting if q.lapse is not None)
        if form.check is not None:
            values = self._values(told)
            values.update((self._names[k], t.value) for k, t in lapses)
            refusal = form.check(values)
            if refusal is not None:
                code, text, cite = refusal
                raise IllegalAnswer(code, self.rules.with_people(text), cite)
        return lapses

    def _enough(self, form: Form[Any, Any], told: Mapping[str, Taken]) -> bool:
        """Whether the form says that the answers so far will do, whoever is still silent."""
        return form.until is not None and form.until(self._values(told))

    def _values(self, told: Mapping[str, Taken]) -> dict[Any, Any]:
        """What has been answered in the open form, by the rules' own names, these included."""
        return {self._names[k]: t.value for k, t in {**self.answered, **told}.items()}

    def is_last(self, key: str) -> bool:
        """Whether every other open question has its answer."""
        return all(other == key or other in self.answered for other in self.open)

    def take(self, step: Step, taken: Taken, lapses: Closing | None) -> None:
        """Apply a judged answer; where it closes what is open, go on to the next question."""
        before, key = len(self.said), step.key
        self._passed.clear()
        if self.keep_file:
            self.since.append({"key": key, "answer": taken.plain})
        self.decided.add(key)
        if self._form is None:
            self._send(taken.value)
        else:
            self.answered[key] = taken
            self._awaited.discard(key)
            if lapses is not None:
                self._close_form(lapses)
        if self.rules.absent:
            self._answer_for_absent()
        if self.notices:
            self._lift_what_is_over()
        if len(self.said) > before:
            self._brought(step, key)

    def _answer_for_absent(self) -> None:
        """Answer for whoever has left the table, in an open form too."""
        while absent := self.rules.absent:
            waiting = (key for key in self.open if key not in self.answered)
            key = next((key for key in waiting if self.open[key].by in absent), None)
            if key is None:
                return
            taken = self.open[key].stand_in()
            self.decided.add(key)
            if self._form is None:
                self._send(taken.value)
            else:
                closes = key in self._awaited or self.is_last(key)
                lapses = self.closing(key, taken) if closes else None
                self._awaited.discard(key)
                self.answered[key] = taken
                if lapses is not None:
                    self._close_form(lapses)

    def _close_form(self, lapses: Closing) -> None:
        names = self._names
        values = {names[key]: taken.value for key, taken in self.answered.items()}
        for key, taken in lapses:
            values[names[key]] = taken.value
            self.decided.add(key)
        self._send(values)

    # -- everything else that a step may be ------------------------------------------------

    def apply(self, step: Step) -> None:
        """Any step, judged on the way: used by replay, where nothing is shown in between."""
        if step.answers:
            taken = self.judge(step.key, step.value)
            closes = step.kind == "answer" or self.is_last(step.key)
            self.take(step, taken, self.closing(step.key, taken) if closes else None)
            return
        before = len(self.said)
        if self.keep_file and step.kind in ("adjust", "report"):
            self.since.append({step.kind: step.value})
        {
            "adjust": self._adjust,
            "report": self._report,
            "restart": self._restart,
            "close": self._close,
        }[step.kind](step)
        if len(self.said) > before:
            self._brought(step, step.key)

    def _adjust(self, step: Step) -> None:
        changes = _mapping(step.value, "an adjustment")
        options = {k: v for k, v in changes.items() if k.startswith(_OPTION)}
        for name, value in options.items():
            self.rules.set_option(name.removeprefix(_OPTION), value)
        position = self.rules.position
        position.adjust({k: v for k, v in changes.items() if k not in options})
        faults = self.rules.faults(position)
        if faults:
            raise BadPosition("adjustment", faults)
        self._settle_by_record(step)
        self._answer_for_absent()

    def _report(self, step: Step) -> None:
        fact = _mapping(step.value, "a report")
        if fact.get("what") == "solved":
            self._solve(str(fact.get("code", "")))
            return
        ruled, seq = len(self.said), self._notice_number(step)
        self._reported_at[seq] = next(iter(self.open), step.key)
        try:
            self.notices[seq] = self._judge_report(fact)
        except MatchOver as over:  # as when the last opponent leaves the table
            if self.outcome is None:
                self._stop()
                self._end(over.outcome)
            else:  # it is over already: nothing wins it anew, and nobody is told so
                del self.said[ruled:]
        except BrokenOff as broken:
            self.notices[seq] = broken.notice
            self._stop()
            self._coroutine = self.rules.play()
            self._send(None)
            self._retell(self.rules.retold)
            if self.keep_file:
                self.since += [{"key": k, "answer": raw} for k, raw in self.rules.retold.items()]
        else:
            self._retell(self.rules.retold)
            self._settle_by_report(seq, fact)
        self._answer_for_absent()

    def _notice_number(self, step: Step) -> int:
        """Under which number a step's notice stands: its line's, if none waits for a word there.

        A position file tells of several reports in one line; the further ones have numbers below 0.
        """
        there = self.notices.get(step.seq)
        if there is None or there.level is Level.NOTE:
            return step.seq
        return min(0, *self.notices) - 1

    def _judge_report(self, fact: Mapping[str, Json]) -> Notice:
        self.rules.told = {key: taken.plain for key, taken in self.answered.items()}
        self.rules.retold = {}
        return self.rules.report(fact)

    def _settle_by_report(self, seq: int, fact: Mapping[str, Json]) -> None:
        """A thing that was looked at again: the later word stands instead of the earlier ones."""
        self.reported[seq] = fact
        earlier = [at for at in self._holding() if at != seq]
        same = [at for at in earlier if is_of_the_same(fact, self.reported[at])]
        self._lift(same)
        if same and self.notices[seq].level is Level.NOTE:
            self.notices[seq] = settled(self.notices[seq])

    def _settle_by_record(self, step: Step) -> None:
        """Reports of what was read off the table, where the record says so by now."""
        for seq in self._holding():
            if not is_read_off(self.reported[seq]):
                continue
            try:
                notice = self._judge_report(self.reported[seq])
            except CompanionError:
                continue  # it can no longer be judged: who knows what it meant lifts it
            if notice.level is Level.NOTE:
                self._lift([seq])
                self.notices[self._notice_number(step)] = settled(notice)

    def _holding(self) -> list[int]:
        """Log numbers of the reports whose notices wait for an answer of the table."""
        return [
            seq
            for seq, notice in self.notices.items()
            if seq in self.reported and notice.level is not Level.NOTE
        ]

    def _lift_what_is_over(self) -> None:
        """Drop the warnings of a round that is over: nobody can do any more what they ask for.

        A warning that the table differs from the record stays until that is mended.
        """
        warned = [seq for seq in self._holding() if self.notices[seq].level is Level.WARN]
        past = [seq for seq in warned if is_of_the_moment(self.reported[seq])]
        self._lift([seq for seq in past if self.over(self._reported_at.get(seq, ""))])

    def _lift(self, seqs: Sequence[int]) -> None:
        for seq in seqs:
            self._settled.add(self.notices.pop(seq).code)

    def _retell(self, corrected: Mapping[str, Json]) -> None:
        """Answers of the open form as a report corrects them; they may be revised as before."""
        for key, raw in corrected.items():
            self.answered[key] = self.open[key].judge(raw)
            self._awaited.discard(key)

    def _solve(self, code: str) -> None:
        solved = [seq for seq, notice in self.notices.items() if notice.code == code]
        if not solved and code not in self._settled:
            standing = ", ".join(n.code for n in self.standing()) or "nothing"
            told = f"no notice {code!r} stands" if code else "a notice is solved by its code"
            raise BadCall(f"{told}; standing: {standing}")
        for seq in solved:
            del self.notices[seq]

    def standing(self) -> list[Notice]:
        """Notices that wait for an answer of the table: blocks and warnings."""
        return [n for n in self.notices.values() if n.level is not Level.NOTE]

    def _restart(self, step: Step) -> None:
        self._coroutine.close()
        file = _mapping(step.value, "a position")
        since = file.get("since", [])
        bare = {name: value for name, value in file.items() if name != "since"}
        self.outcome = None
        self.decided = set()
        self._set_rules(replace(self._setup, position=bare))
        self._send(None)
        self._settle_by_record(step)
        self._resume_since(since, step.seq)

    def _resume_since(self, since: Json, seq: int) -> None:
        """Give the answers that a position file lists since its last begin()."""
        if not isinstance(since, list):
            raise BadCall("since: a list of answers given after the position is expected")
        for line in since:
            entry = _mapping(line, "since")
            if "key" in entry:
                if not self.is_passed_over(str(entry["key"])):
                    self.apply(Step(seq, "answer", str(entry["key"]), entry.get("answer")))
            else:
                kind = next((k for k in ("adjust", "report") if k in entry), None)
                if kind is None:
                    raise BadCall(f"since: {line!r} is neither an answer, an adjust nor a report")
                if not self._is_solved_already(entry):
                    self.apply(Step(seq, kind, "", entry[kind]))

    def _is_solved_already(self, line: Mapping[str, Json]) -> bool:
        """Whether a line of `since` only solves what was reported before the file's position."""
        fact = line.get("report")
        if not isinstance(fact, dict) or fact.get("what") != "solved":
            return False
        return all(notice.code != fact.get("code") for notice in self.notices.values())

    def _close(self, step: Step) -> None:
        said = _mapping(step.value, "an outcome")
        winners = said.get("winners", [])
        sides = self.rules.sides_taken()
        if not isinstance(winners, list) or not all(name in sides for name in winners):
            raise BadCall(f"winners: {winners!r}; allowed are any of {', '.join(sides)}")
        text = str(said.get("text") or "The arbiter closed the match.")
        ruling = self.rules.rule(text, self.rules.corrections, by=TABLE, headline="Match closed")
        self._stop()
        self._end(Outcome(tuple(Seat(str(name)) for name in winners), ruling))

    def _stop(self) -> None:
        """Ask nothing any more, wherever the rules were."""
        self._coroutine.close()
        self.open, self.answered = {}, {}


def _as_typed(refused: IllegalAnswer, raw: Json, said: Json) -> IllegalAnswer:
    """A refusal that quotes what was typed, not the code that a name in it was read as."""
    text = refused.text
    for typed, read in zip(_quoted(raw), _quoted(said), strict=False):
        text = text.replace(repr(read), repr(typed))
    return IllegalAnswer(refused.code, text, refused.cite)


def _quoted(said: Json) -> Sequence[Json]:
    """An answer, and the parts of one that names several."""
    parts = said if isinstance(said, list) else str(said).split(",")
    return (said, *parts, *(part.strip() for part in parts if isinstance(part, str)))


def _mapping(value: Json, what: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise BadCall(f"{what} is an object of names and values, not {value!r}")
    return value
