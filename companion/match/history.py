"""Answers in words: what each line of the log answered, as its question put it at that time."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar, cast

from companion.core.errors import CompanionError
from companion.games import rulebook_of
from companion.match.entry import Step
from companion.match.run import Run

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Cite, Fact, Json, Seat
    from companion.match.match import Match
    from companion.match.rulebook import Position

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Told:
    """One answer in words: the kind of question, whom it asked for what, and what was said."""

    key: str
    by: Seat
    cite: Cite
    headline: str
    said: str
    kind: str


class Packed:
    """A value of which many copies are made; they share what cannot change in it, such as a card.

    >>> told = Told("1/a", "A", "p. 2", "Your card?", "bear", "reveal")
    >>> pile = [[told]]
    >>> copy = Packed(pile).unpacked()
    >>> copy == pile, copy[0] is pile[0], copy[0][0] is told
    (True, False, True)
    """

    def __init__(self, value: object) -> None:
        self._shared: list[object] = []
        self._bytes = BytesIO()
        _Packer(self._bytes, self._shared).dump(value)

    def unpacked(self) -> Any:
        """A new copy."""
        self._bytes.seek(0)
        return _Unpacker(self._bytes, self._shared).load()


class _Packer(pickle.Pickler):
    def __init__(self, file: BytesIO, shared: list[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._shared = shared

    def persistent_id(self, obj: object) -> int | None:
        """The place of a value that nothing can change; it is kept there and not packed."""
        kind = getattr(type(obj), "__dataclass_params__", None)
        is_frozen = kind.frozen and kind.eq if kind is not None else _is_frozen_model(type(obj))
        if not is_frozen:
            return None
        try:
            hash(obj)
        except TypeError:  # something in it can change
            return None
        self._shared.append(obj)
        return len(self._shared) - 1


def _is_frozen_model(kind: type) -> bool:
    """Whether it is one of pydantic's kinds whose values are never changed."""
    return bool(getattr(kind, "model_config", {}).get("frozen"))


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: BytesIO, shared: list[object]) -> None:
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, pid: Any) -> object:
        return self._shared[pid]


class History:
    """The answers of a match in words.

    Of a match that it follows, words are noted as each answer is taken; only where the past was
    changed, or played before, the steps are played again.
    """

    def __init__(self, match: Match[Any]) -> None:
        self._match = match
        self._read_at = -1
        self._told: dict[int, Told] = {}
        self._once: dict[int, Told] = {}
        self._read: list[Step] = []
        self._noted: dict[int, tuple[Step, Told]] = {}
        self._found_at = -1
        self._found: dict[object, object] = {}

    @classmethod
    def following(cls, match: Match[Any]) -> History:
        """The history of a match that goes on; a match has one."""
        history = cls(match)
        match.note = history.note
        return history

    @property
    def told(self) -> Mapping[int, Told]:
        """Every answer in effect by its log number."""
        if self._read_at != len(self._match.entries):
            self._catch_up()
            self._read_at = len(self._match.entries)
        return self._told

    def once_told(self, seq: int) -> Told | None:
        """An answer in the words of the time when it counted, also one that no longer does."""
        known = self.told.get(seq) or self._once.get(seq)
        if known is None and seq < len(self._match.entries):
            known = self._told_then(seq)
        return known

    def _told_then(self, seq: int) -> Told | None:
        """An answer that was taken back before this history was read, from the log up to it."""
        if self._match.entries[seq].kind not in ("answer", "lapse"):
            return None
        then = History(type(self._match).replay(self._match.entries[: seq + 1]))
        told = then.told.get(seq)
        if told is not None:
            self._once[seq] = told
        return told

    def note(self, step: Step, question: Question[Any]) -> None:
        """Put an answer into words while its question stands as it was asked."""
        self._noted[step.seq] = (step, self._in_words(question, step))

    def _catch_up(self) -> None:
        """Take the notes of the steps that came since; play all again where they do not fit."""
        steps = list(self._match.steps)
        known = len(self._read)
        noted = {
            step.seq: self._noted[step.seq][1]
            for step in steps[known:]
            if step.answers and self._noted.get(step.seq, (None,))[0] == step
        }
        if steps[:known] == self._read and len(noted) == sum(one.answers for one in steps[known:]):
            self._told.update(noted)
        else:
            self._told = self._played(steps)
        self._once.update(self._told if steps[:known] != self._read else noted)
        self._read = steps
        self._noted.clear()

    def _played(self, steps: Sequence[Step]) -> dict[int, Told]:
        """The words of all answers, by a run that plays them once more."""
        told: dict[int, Told] = {}
        run = self._run()
        try:
            for step in steps:
                question = run.open.get(step.key) if step.answers else None
                if question is not None:
                    told[step.seq] = self._in_words(question, step)
                run.apply(step)
        finally:
            run.close()
        return told

    def _in_words(self, question: Question[Any], step: Step) -> Told:
        headline, said = question.headline or self.place(step.key), question.in_words(step.value)
        return Told(step.key, question.by, question.cite, headline, said, question.kind)

    def place(self, key: str) -> str:
        """Where in the book a question stands, without the round: "Section 2 · Reveal"."""
        round_of, inside = self._match.rulebook.split_key(key)
        step, _, rest = inside.partition("/")
        number, thing = rest.rpartition("/")[2], self._match.rulebook.numbered.get(step)
        place = place_in_words(inside or round_of)
        return f"{place} · {thing} {number}" if thing and number.isdecimal() else place

    def round_of(self, key: str) -> str:
        """The round of a question: "Round 3"; empty outside any."""
        return place_in_words(self._match.rulebook.split_key(key)[0])

    def found(self, what: object, find: Callable[[], T]) -> T:
        """What `find` finds, kept until the match changes: a screen asks ten times a second."""
        if self._found_at != len(self._match.entries):
            self._found_at = len(self._match.entries)
            self._found.clear()
        if what not in self._found:
            self._found[what] = find()
        return cast("T", self._found[what])

    def asked_at(self, seq: int) -> Question[Any] | None:
        """The question that a line answered, as it was asked; None if it is not in effect."""
        return self.found(("asked", seq), lambda: self._match.asked_at(seq))

    def can_adjust(self, name: str, value: Json) -> bool:
        """Whether the box lets an arbiter set this; tried on a copy of the position."""
        return self.found(("may", name, repr(value)), lambda: self._tried(name, value) is not None)

    def adjusted(self, name: str, value: Json) -> Fact | None:
        """The quantity as it would be, once it is set to this; None where the box refuses it."""
        return self.found(("set", name, repr(value)), lambda: self._adjusted(name, value))

    def _adjusted(self, name: str, value: Json) -> Fact | None:
        facts = () if (position := self._tried(name, value)) is None else position.facts()
        return next((fact for fact in facts if fact.name == name), None)

    def _tried(self, name: str, value: Json) -> Position | None:
        """A copy of the position in which this is set; None where the box refuses it."""
        position = self._copy()
        try:
            position.adjust({name: value})
        except CompanionError:
            return None
        return position

    def adds_up(self, changes: Mapping[str, Json]) -> bool:
        """Whether a position with these quantities and places is possible; tried on a copy."""
        return self.found(("adds up", repr(changes)), lambda: self._adds_up(changes))

    def _adds_up(self, changes: Mapping[str, Json]) -> bool:
        position = self._copy()
        try:
            position.adjust(changes)
        except CompanionError:
            return False
        return not self._match.rulebook.faults(position)

    def _copy(self) -> Position:
        """The position to try something on; a screen tries hundreds of values in a moment.

        Packed once and unpacked each time, a copy takes a fifth of what `deepcopy` takes, or less.
        """
        copy: Position = self.found("packed", lambda: Packed(self._match.position)).unpacked()
        return copy

    def refusal_of_adjusting(self, changes: Mapping[str, Json]) -> str:
        """Why these quantities and places cannot be together; empty when they can."""
        return self.found(("sum", repr(changes)), lambda: self._refusal_of_adjusting(changes))

    def _refusal_of_adjusting(self, changes: Mapping[str, Json]) -> str:
        run = self._run()
        try:
            for step in self._match.steps:
                run.apply(step)
            run.apply(Step(len(self._match.entries), "adjust", "", dict(changes)))
        except CompanionError as refused:
            return str(refused)
        finally:
            run.close()
        return ""

    def _run(self) -> Run[Any]:
        setup = self._match.setup
        run = Run(rulebook_of(setup), setup)
        run.start()
        return run


WITH_HYPHEN = ("set-up",)
"""Words that the books write with a hyphen; other hyphens stand between words."""


def part_in_words(part: str) -> str:
    """One step of a place: "Section 2".

    >>> part_in_words("section-2"), part_in_words("set-up"), part_in_words("response_other")
    ('Section 2', 'Set-up', 'Response other')
    """
    words = part if part in WITH_HYPHEN else part.replace("-", " ")
    return words.replace("_", " ").capitalize()


def place_in_words(place: str) -> str:
    """A place of the book as people say it; numbers that stand alone are for keys.

    >>> place_in_words("section-2/reveal/jaws"), place_in_words("3/again-1/dice")
    ('Section 2 · Reveal · Jaws', 'Again 1 · Dice')
    """
    named = [part for part in place.split("/") if not part.isdecimal()]
    return " · ".join(part_in_words(part) for part in named)
