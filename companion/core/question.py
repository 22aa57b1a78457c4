"""The kinds of questions: each knows whom it asks, by which rule, and judges the answer.

A rule awaits a question and receives its value; nobody else decides what is legal. Screens know
the few kinds, never games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from companion.core.errors import IllegalAnswer
from companion.core.text import all_spelt_like, plain_name, spelt_like, whole_number, with_commas

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.ruling import Cite, Deed, Json, Notice, Seat


T = TypeVar("T")


class Option(NamedTuple, Generic[T]):
    """One answer that a question takes.

    `name` is stable and what the log keeps. `shows` is where the option leaves the pieces it moves
    (None: no camera tells it). `group`, `cell` (row, column) and `sign` say how a pad lays it out;
    `about` is whose look stands before it; so many `letters_more` may be added to the name.
    """

    name: str
    value: T
    label: str
    shows: Mapping[Piece, Pose] | None = None
    group: str = ""
    cell: tuple[int, int] | None = None
    sign: str = ""
    about: str = ""
    letters_more: int = 0

    @property
    def in_words(self) -> str:
        """What its key says, after the group above it unless the key says that too: "Player D"."""
        group, label = self.group, self.label or self.name
        return label if label.startswith(group) else f"{group} {label}"

    @property
    def told(self) -> str:
        """The option as a line of a protocol has it, without saying a word twice.

        >>> Option("end", None, "Preparation is done", group="Done").told
        'Preparation is done'
        >>> Option("set", None, "Set a card", group="Tier 1").told
        'Tier 1: Set a card'
        >>> Option("7", 7, "7", group="Maneuver 7").told, Option("N", 0, "N", group="Heading").told
        ('Maneuver 7', 'Heading N')
        """
        group, label = self.group, self.label or self.name
        plain_group, plain_label = plain_name(group).split(), plain_name(label).split()
        if label.startswith(group) or _stands_in(plain_group, plain_label):
            return label
        if _stands_in(plain_label, plain_group):
            return group
        return f"{group}: {label}" if len(plain_label) > 1 else f"{group} {label}"

    @property
    def says_itself(self) -> bool:
        """Whether its key says enough without the group above it: its name, or a player's."""
        return plain_name(self.name) == plain_name(self.label) or self.about == self.name


def _stands_in(words: Sequence[str], among: Sequence[str]) -> bool:
    """Whether these words stand in a text, one after the other."""
    several = len(words)
    return any([*among[at : at + several]] == [*words] for at in range(len(among) - several + 1))


class Refusal(NamedTuple):
    """Why an answer is not taken: a code, a sentence with the way out, the rule."""

    code: str
    text: str
    cite: Cite


class Taken(NamedTuple):
    """A legal answer: `plain` as the log keeps it, `value` as the rules receive it."""

    plain: Json
    value: Any


Law = Callable[[Any], "Refusal | None"]
"""A rule's own judgement of a well-formed value; None when it is legal."""


@dataclass(slots=True, kw_only=True, eq=False)
class Question(ABC, Generic[T]):
    """One thing the table must tell.

    `key` is unique in a match and built from the book's place ("round-3/section-2/reveal/jaws").
    `lapse` is the answer that silence means (None: it means none). `headline` is who is asked for
    what, at most 22 characters. `opened` is set by the match: the log number at opening. `caution`
    has a word about a legal answer ("Go on anyway"); it refuses nothing. `deeds` are what hands
    have done once this is answered; in a form they are ruled only when all have answered.
    """

    key: str
    by: Seat
    cite: Cite
    prompt: str
    headline: str = ""
    lapse: Json = None
    law: Law | None = None
    caution: Callable[[Any], Notice | None] | None = None
    may_move: frozenset[Piece] = frozenset()
    deeds: tuple[Deed, ...] = ()
    opened: int = -1

    def __await__(self) -> Generator[Any, Any, T]:
        value: T = yield self
        return value

    @property
    def kind(self) -> str:
        """The kind as screens and the terminal's JSON name it."""
        return type(self).__name__.lower()

    @abstractmethod
    def parse(self, raw: Json) -> Taken:
        """Read what was typed, tapped or seen; IllegalAnswer where it is no answer at all."""

    def judge(self, raw: Json) -> Taken:
        """Parse, then ask the rule's own law; IllegalAnswer(code, text, cite) if refused."""
        taken = self.parse(raw)
        if self.law is not None:
            refusal = self.law(taken.value)
            if refusal is not None:
                raise IllegalAnswer(*refusal)
        return taken

    def read(self, raw: Json) -> T:
        """The value of a legal answer."""
        value: T = self.judge(raw).value
        return value

    def word_before(self, raw: Json) -> Notice | None:
        """What to tell whoever gives this legal answer, before it counts."""
        return None if self.caution is None else self.caution(self.read(raw))

    def options_now(self) -> Sequence[Option[T]]:
        """Every legal answer as the position stands now; empty where they are not listed."""
        return ()

    def in_words(self, plain: Json, *, brief: bool = False) -> str:
        """An answer of the log as people say it: the option's name on its key, or the numbers.

        `brief` leaves away what stands above a key that says itself what is answered.
        """
        if isinstance(plain, dict):
            return ", ".join(f"{part} {count}" for part, count in plain.items())
        options = {option.name: option for option in self.options_named(plain)}
        told: list[str] = []
        for part in plain if isinstance(plain, list) else [plain]:
            option = options.get(str(part))
            if option is None:
                told.append(str(part))
            else:
                told.append(option.label if brief and option.says_itself else option.told)
        return ", ".join(told)

    def options_named(self, plain: Json) -> Sequence[Option[Any]]:
        """The options in which those that an answer names can be found."""
        return self.options_now()

    def stand_in(self) -> Taken:
        """An answer in place of a player who has left: silence, or the first that is legal.

        The rules do nothing with it; it only lets play go on.
        """
        return self.judge(self.options_now()[0].name if self.lapse is None else self.lapse)

    def terms(self) -> tuple[object, ...]:
        """Who was asked, and between which answers: what a refit compares."""
        return (self.kind, self.by, self.lapse, *(option.name for option in self.options_now()))

    def refuse(self, code: str, text: str) -> IllegalAnswer:
        """An IllegalAnswer with this question's own cite."""
        return IllegalAnswer(code, text, self.cite)


@dataclass(slots=True, kw_only=True, eq=False)
class Choose(Question[T]):
    """One of several options; `offered` may be given as a procedure that lists them afresh.

    `named` finds the option of that very name where listing all of them would be dear (None: it
    is none, or is spelt otherwise). `unlisted` says why an answer is refused that is none of them,
    where the rules know better than "none of these".
    """

    offered: Sequence[Option[T]] | Callable[[], Sequence[Option[T]]] = ()
    named: Callable[[Json], Option[T] | None] | None = None
    unlisted: Callable[[Json], Refusal | None] | None = None

    def options_now(self) -> Sequence[Option[T]]:
        listed = self.listed()
        if self.law is None:
            return listed
        return [option for option in listed if self.law(option.value) is None]

    def options_named(self, plain: Json) -> Sequence[Option[T]]:
        option = self.named(plain) if self.named is not None else None
        return self.listed() if option is None else (option,)

    def listed(self) -> Sequence[Option[T]]:
        """What is offered, whether or not the rule's own law lets it pass."""
        return self.offered() if callable(self.offered) else self.offered

    def parse(self, raw: Json) -> Taken:
        option = self.named(raw) if self.named is not None else None
        if option is not None:
            return Taken(option.name, option.value)
        listed = self.listed()
        option = _found(raw, listed)
        if option is None:
            refusal = self.unlisted(raw) if self.unlisted is not None else None
            raise IllegalAnswer(*refusal) if refusal else _none_of(self, raw, listed)
        return Taken(option.name, option.value)


@dataclass(slots=True, kw_only=True, eq=False)
class ChooseSome(Question[tuple[T, ...]]):
    """Several of the offered options, `fewest` to `most`, each at most once, order forgotten."""

    offered: Sequence[Option[T]] = ()
    fewest: int = 0
    most: int = 99

    def options_named(self, plain: Json) -> Sequence[Option[T]]:
        return self.offered

    def parse(self, raw: Json) -> Taken:
        names = raw if isinstance(raw, list) else str(raw).split(",") if raw else []
        chosen = [_named(self, name, self.offered) for name in names]
        if len({option.name for option in chosen}) != len(chosen):
            raise self.refuse("Q-TWICE", "The same choice is named twice; name each once.")
        if not self.fewest <= len(chosen) <= self.most:
            limits = f"{self.fewest} to {self.most}"
            raise self.refuse("Q-COUNT", f"{len(chosen)} chosen; choose {limits}.")
        chosen.sort(key=self.offered.index)
        return Taken([o.name for o in chosen], tuple(o.value for o in chosen))

    def terms(self) -> tuple[object, ...]:
        names = (option.name for option in self.offered)
        return (*super(ChooseSome, self).terms(), self.fewest, self.most, *names)


@dataclass(slots=True, kw_only=True, eq=False)
class Order(Question[tuple[T, ...]]):
    """All offered options in an order that the answer gives."""

    offered: Sequence[Option[T]] = ()

    def options_named(self, plain: Json) -> Sequence[Option[T]]:
        return self.offered

    def parse(self, raw: Json) -> Taken:
        names = raw if isinstance(raw, list) else str(raw).split(",")
        chosen = [_named(self, name, self.offered) for name in names]
        if sorted(o.name for o in chosen) != sorted(o.name for o in self.offered):
            allowed = ", ".join(o.name for o in self.offered)
            raise self.refuse("Q-ORDER", f"Name each of these once, in order: {allowed}.")
        return Taken([o.name for o in chosen], tuple(o.value for o in chosen))

    def terms(self) -> tuple[object, ...]:
        return (*super(Order, self).terms(), *(o.name for o in self.offered))


@dataclass(slots=True, kw_only=True, eq=False)
class Reveal(Question[T]):
    """A card that lay face down is turned over: which, and which way up where that matters.

    `faces` maps every name a card may be given by to what the rules receive; `lay` lists the same
    as options for a pad, with where each would leave the pieces, only when somebody looks.
    """

    faces: Mapping[str, T] = field(default_factory=dict[str, Any])
    lay: Callable[[], Sequence[Option[T]]] | None = None

    def options_now(self) -> Sequence[Option[T]]:
        if self.lay is not None:
            return self.lay()
        return [Option(name, face, name) for name, face in self.faces.items()]

    def parse(self, raw: Json) -> Taken:
        if isinstance(raw, str):
            name = raw if raw in self.faces else spelt_like(raw, self.faces)
            if name is not None:
                return Taken(name, self.faces[name])
        listed = self.options_now()
        option = _found(raw, listed)
        if option is not None and option.name in self.faces:
            return Taken(option.name, self.faces[option.name])
        names = with_commas(option.name for option in listed)
        raise self.refuse("Q-NAME", f"{raw!r} is no card here; there are {names}.")

    def terms(self) -> tuple[object, ...]:
        return ("reveal", self.by, self.lapse, *self.faces)


@dataclass(slots=True, kw_only=True, eq=False)
class Count(Question[int]):
    """A number from `low` to `high`, which may follow the position; `over` refuses more.

    `by_chance`: a lot is drawn from it, and whoever asks may say one of its own.
    """

    low: int = 0
    high: int | Callable[[], int] = 99
    by_chance: bool = False
    over: Callable[[int], Refusal] | None = None

    @property
    def most(self) -> int:
        """The highest number legal now."""
        return self.high() if callable(self.high) else self.high

    def parse(self, raw: Json) -> Taken:
        number = _whole(self, raw)
        if number > self.most and self.over is not None:
            raise IllegalAnswer(*self.over(number))
        if self.low <= number <= self.most:
            return Taken(number, number)
        raise self.refuse("Q-LIMIT", f"{number} is not from {self.low} to {self.most}.")

    def options_now(self) -> Sequence[Option[int]]:
        numbers = range(self.low, self.most + 1)
        return [Option(str(n), n, str(n)) for n in numbers if self.law is None or not self.law(n)]

    def terms(self) -> tuple[object, ...]:
        return ("count", self.by, self.lapse, self.low, self.most)


@dataclass(slots=True, kw_only=True, eq=False)
class Roll(Question[tuple[int, ...]]):
    """Dice that the table rolls: `dice` of them, 1 to `faces` each.

    `against` says what they are held against ("Difficulty 4"), and a die of `passes` or more meets
    it (0: nothing to meet). `misread` refuses other numbers of dice, and dice nobody can read, in
    the box's own words.
    """

    dice: int = 1
    faces: int = 6
    against: str = ""
    passes: int = 0
    misread: Callable[[Sequence[Json]], Refusal | None] | None = None

    def parse(self, raw: Json) -> Taken:
        listed = raw if isinstance(raw, list) else str(raw).replace(",", " ").split()
        refusal = self.misread(listed) if self.misread is not None else None
        if refusal is not None:
            raise IllegalAnswer(*refusal)
        rolled = tuple(_whole(self, die) for die in listed)
        if len(rolled) != self.dice or not all(1 <= die <= self.faces for die in rolled):
            raise self.refuse("Q-DICE", f"Name {self.dice} dice, each 1 to {self.faces}.")
        return Taken(list(rolled), rolled)

    def terms(self) -> tuple[object, ...]:
        return ("roll", self.by, self.lapse, self.dice, self.faces)


LONGEST_KEY = 200
"""No key has so many letters: what is longer is none of them."""


class Again(NamedTuple):
    """Dice rolled again: by which right, and which dice, counted from 0 (none: they are kept)."""

    means: str = ""
    places: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True, eq=False)
class RollAgain(Question[Again]):
    """Dice as they lie, of which any may be rolled again; each is named by the face that it shows.

    `faces` lie there; `failed` are the places of those that are meant where only a right is named.
    `means` are the rights that there are now, with what each costs; the first is taken where none
    is named. `unlisted` refuses what is no right, in the box's own words.
    """

    faces: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()
    means: Callable[[], Mapping[str, str]] = dict[str, str]
    unlisted: Callable[[Json], Refusal | None] | None = None
    keep: str = "keep"

    def options_now(self) -> Sequence[Option[Again]]:
        kept = Option(self.keep, Again(), self.keep.capitalize())
        rights = self.means().items()
        return [kept, *(self._option(m, cost, some) for m, cost in rights for some in self.sets())]

    def sets(self) -> Sequence[tuple[int, ...]]:
        """The places of all dice that may be rolled together: the failed ones, then the others.

        Of dice that show the same the first are listed.
        """
        every = range(len(self.faces))
        by_faces = {self._shown(some): some for n in every for some in combinations(every, n + 1)}
        first = self._shown(self.failed)
        rest = [some for faces, some in by_faces.items() if faces != first]
        return [self.failed, *rest] if self.failed else rest

    def parse(self, raw: Json) -> Taken:
        words = [str(word) for word in raw] if isinstance(raw, list) else [str(raw)]
        said = plain_name(" ".join(words).replace(",", " "))
        if said in ("", self.keep):
            return Taken(self.keep, Again())
        rights = [*self.means()]
        named = next((m for m in rights if _begins(said, plain_name(m))), "")
        dice = said.removeprefix(plain_name(named)).split()
        if not rights or not (named or all(word.isdecimal() for word in dice)):
            option = _found(raw, self.options_now()) if len(said) < LONGEST_KEY else None
            if option is None:
                raise self._no_right(raw)
            return self.parse(option.name)
        places = self._places(dice) if dice else self.failed or self._only_die()
        means = named or rights[0]
        return Taken(f"{means} {self._shown(places)}", Again(means, places))

    def _places(self, dice: Sequence[str]) -> tuple[int, ...]:
        """Where the dice lie that show these faces; each face as often as it is named."""
        free = {place: str(face) for place, face in enumerate(self.faces)}
        places: list[int] = []
        for named in dice:
            place = next((place for place, face in free.items() if face == named), None)
            if place is None:
                there = with_commas(self.faces)
                text = f"No {'more ' if named in dice[: len(places)] else ''}die shows {named}; "
                raise self.refuse(
                    "Q-NAME", f"{text}there are {there}. Name dice by what they show."
                )
            del free[place]
            places.append(place)
        return tuple(sorted(places))

    def _only_die(self) -> tuple[int, ...]:
        if len(self.faces) > 1:
            raise self.refuse("Q-NAME", f"Say which: the dice show {with_commas(self.faces)}.")
        return (0,)

    def _no_right(self, raw: Json) -> IllegalAnswer:
        refusal = self.unlisted(raw) if self.unlisted is not None else None
        return IllegalAnswer(*refusal) if refusal else _none_of(self, raw, self.options_now()[:6])

    def _option(self, means: str, cost: str, places: tuple[int, ...]) -> Option[Again]:
        faces = self._shown(places)
        label = f"{means}: roll {with_commas(faces.split())} again" + (f", {cost}" if cost else "")
        return Option(f"{means} {faces}", Again(means, places), label)

    def _shown(self, places: Sequence[int]) -> str:
        return " ".join(str(self.faces[place]) for place in places)


@dataclass(slots=True, kw_only=True, eq=False)
class Declare(Question[Mapping[str, int]]):
    """Several counts of one thing at once: how many white and how many black borders lie there.

    Read from {"pilot": 1, "gunner": 0}, [1, 0] or "1 0", in the order of `parts`, or as a protocol
    tells it: "pilot 1, gunner 0". `of` is what is counted, as the board prints it.
    """

    parts: tuple[str, ...] = ()
    of: str = ""
    most: int = 99

    def parse(self, raw: Json) -> Taken:
        counts = self._counts(raw)
        for part, count in counts.items():
            if not 0 <= count <= self.most:
                raise self.refuse("Q-LIMIT", f"{part}: {count} is not from 0 to {self.most}.")
        return Taken({**counts}, counts)

    def _counts(self, raw: Json) -> dict[str, int]:
        if isinstance(raw, dict):
            unknown = raw.keys() - self.parts
            if unknown:
                text = f"{min(unknown)!r} is none of {with_commas(self.parts)}."
                raise self.refuse("Q-NAME", text)
            return {part: _whole(self, raw.get(part, 0)) for part in self.parts}
        if isinstance(raw, str) and (told := self._told(raw)):
            return {part: _whole(self, told.get(part, 0)) for part in self.parts}
        listed = raw if isinstance(raw, list) else str(raw).replace(",", " ").split()
        if len(listed) != len(self.parts):
            counts = f"{len(self.parts)} counts, as {' '.join(('1', *'0' * len(self.parts[1:])))}"
            raise self.refuse("Q-COUNT", f"Name {counts}: {with_commas(self.parts)}.")
        return {part: _whole(self, count) for part, count in zip(self.parts, listed, strict=True)}

    def _told(self, said: str) -> Mapping[str, str]:
        """The count after each part's name; nothing where something else was said, or one twice."""
        pairs = [piece.strip().rpartition(" ") for piece in said.split(",")]
        told = {spelt_like(name, self.parts) or "": count for name, _, count in pairs}
        return told if len(told) == len(pairs) and "" not in told else {}

    def in_words(self, plain: Json, *, brief: bool = False) -> str:
        counts = plain if isinstance(plain, dict) else {}
        in_order = {part: counts[part] for part in self.parts if part in counts}
        return super(Declare, self).in_words(in_order or plain, brief=brief)

    def terms(self) -> tuple[object, ...]:
        return ("declare", self.by, str(self.lapse), self.parts, self.most)


@dataclass(slots=True, kw_only=True, eq=False)
class Ready(Question[None]):
    """A word that something is done: ready, checked, drawn, placed. `word` is what is said.

    `says` is what people read and may say for it, where the log keeps another word.
    `starts`: a round begins with it, and not while the camera sees the table otherwise than the
    record has it. `agrees`: somebody consents to what was ruled. `all_do` is what everybody does
    before the word that closes a form is said, in a few words.
    """

    word: str = "ready"
    says: str = ""
    starts: bool = False
    agrees: bool = False
    all_do: str = ""

    @property
    def is_own(self) -> bool:
        """Whether only the player says it: it tells what somebody wants, not what lies there."""
        return self.starts or self.agrees

    @property
    def in_a_word(self) -> str:
        """What people are told to say."""
        return self.says or self.word

    def options_now(self) -> Sequence[Option[None]]:
        return [Option(self.word, None, self.in_a_word.capitalize())]

    def parse(self, raw: Json) -> Taken:
        words = (self.word, self.in_a_word)
        if raw is True or (isinstance(raw, str) and raw.strip().lower() in words):
            return Taken(self.word, None)
        text = f"{raw!r} is no answer here: say {self.in_a_word!r} when it is done."
        raise self.refuse("Q-NAME", text)


@dataclass(slots=True, kw_only=True, eq=False)
class Locked(Question[None]):
    """The end of a timed phase of `seconds`; None: untimed, it ends at the players' word.

    The clock's own answer is "zero". "locked" is taken only where `word_ends` is true.
    """

    seconds: float | None = 20.0
    word_ends: bool = False

    @property
    def word(self) -> str:
        """The answer that fits: the clock's, or the players'."""
        return "zero" if self.seconds is not None else "locked"

    def options_now(self) -> Sequence[Option[None]]:
        words = ["zero"] * (self.seconds is not None) + ["locked"] * self.word_ends
        return [Option(word, None, word.capitalize()) for word in words]

    def parse(self, raw: Json) -> Taken:
        said = str(raw).strip().lower()
        if said == "zero" and self.seconds is not None:
            return Taken("zero", None)
        if said == "locked" and self.word_ends:
            return Taken("locked", None)
        if said == "locked":
            raise self.refuse("Q-EARLY", "A timed phase ends at zero, not at a word.")
        ends = "the clock does" if self.seconds is not None else f"{self.word!r} does"
        raise self.refuse("Q-NAME", f"{raw!r} does not end the phase; {ends}.")

    def terms(self) -> tuple[object, ...]:
        return ("locked", self.by, self.seconds, self.word_ends)


async def unless_alone(question: Choose[T]) -> T:
    """The answer to a choice; it is asked only where there is more than one.

    For choices alone: what hands must confirm, or the table show, is asked whatever it is.
    """
    options = question.options_now()
    return options[0].value if len(options) == 1 else await question


def to_type(options: Sequence[Option[Any]]) -> list[str]:
    """What people type for each: a person's name where one alone is called so, else its own.

    >>> to_type([Option("A", 1, "Ana", about="A"), Option("lot", 0, "Draw a lot")])
    ['Ana', 'lot']
    """
    called = Counter(plain_name(option.label) for option in options)
    return [
        option.label
        if option.about == option.name and called[plain_name(option.label)] == 1
        else option.name
        for option in options
    ]


def _begins(said: str, name: str) -> bool:
    """Whether these are the words of a name, and perhaps more after them."""
    return said == name or said.startswith(f"{name} ")


def _named(question: Question[Any], raw: Json, listed: Sequence[Option[T]]) -> Option[T]:
    if (option := _found(raw, listed)) is None:
        raise _none_of(question, raw, listed)
    return option


def _found(raw: Json, listed: Sequence[Option[T]]) -> Option[T] | None:
    """The option of that name; else the only one that a screen calls so, as a player's name.

    What a screen has above a key may be said with it: "own plane Right".
    """
    for option in listed:
        if option.name == raw:  # mostly so, and most often asked
            return option
    name = spelt_like(raw, (option.name for option in listed))
    if name is not None:
        return next(option for option in listed if option.name == name)
    for called in (
        (option.label for option in listed),
        (option.in_words for option in listed),
        (option.told for option in listed),
    ):
        found = all_spelt_like(raw, called)
        if raw and len(found) == 1:
            return listed[found[0]]
    return None


def _none_of(question: Question[Any], raw: Json, listed: Sequence[Option[Any]]) -> IllegalAnswer:
    allowed = with_commas(to_type(listed))
    if len(listed) == 1:
        return question.refuse("Q-NAME", f"{raw!r} is not {allowed}, which alone is left.")
    return question.refuse("Q-NAME", f"{raw!r} is none of {allowed}.")


def _whole(question: Question[Any], raw: Json) -> int:
    if type(raw) is int:  # mostly so: a number of the log
        return raw
    if (number := whole_number(raw)) is None:
        raise question.refuse("Q-NUMBER", f"{raw!r} is not a whole number.")
    return number


# Forms: several questions that are open at once.

K = TypeVar("K")


@dataclass(slots=True, eq=False)
class Form(Generic[K, T]):
    """Questions that are open at once; until it closes each may be revised or taken back.

    It closes when every question without a lapse is answered, or when `until` says that the
    answers given so far (by K) are enough; those left lapse. `check` then judges all together.
    """

    questions: Mapping[K, Question[T]]
    check: Callable[[Mapping[K, T]], Refusal | None] | None = None
    until: Callable[[Mapping[K, T]], bool] | None = None

    def __await__(self) -> Generator[Any, Any, dict[K, T]]:
        if not self.questions:
            return {}
        values: dict[K, T] = yield self
        return values


def together(
    questions: Mapping[K, Question[T]],
    check: Callable[[Mapping[K, T]], Refusal | None] | None = None,
    until: Callable[[Mapping[K, T]], bool] | None = None,
) -> Form[K, T]:
    """Ask several seats at once: await it for the answers by the same names.

    An empty form asks nobody.
    """
    return Form(questions, check, until)
