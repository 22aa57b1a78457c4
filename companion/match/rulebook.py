"""Rulebook, Position and Setup: the base classes of every box, and its seats."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from inspect import getfile
from pathlib import Path
from reprlib import repr as brief
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

from companion.core.board import Look
from companion.core.errors import BadCall, BadPosition, refuse_kind, refuse_others
from companion.core.ruling import (
    TABLE,
    Carry,
    Cite,
    Deed,
    Fact,
    Fault,
    Notice,
    Occurrence,
    Outcome,
    Ruling,
    Seat,
)
from companion.core.text import listed, spelt_like
from companion.match.book import PARAGRAPHS, read_paragraphs
from companion.match.entry import digest_of
from companion.match.house_rules import HouseRules, house_words

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Piece, Pose
    from companion.core.offers import Sighting
    from companion.core.question import Question, Refusal
    from companion.core.ruling import Json, LineOfFire
    from companion.kit.figures import TableFigures
    from companion.match.book import Paragraph
    from companion.match.house_rules import Switch


# Position, setup and rulebook.

PositionT = TypeVar("PositionT", bound="Position")


def pile_among(
    piles: Collection[tuple[Seat, str]], owner: Seat, place: str
) -> tuple[Seat, str] | None:
    """As `Position.pile_at`, among these piles."""
    if (owner, place) in piles:
        return owner, place
    whose, _, own = place.partition("'s ")
    found = next((pile for pile in ((TABLE, place), (Seat(whose), own)) if pile in piles), None)
    if found is None and "/" in place:
        return pile_among(piles, owner, place.rpartition("/")[0])
    return found


class Position(ABC):
    """What lies on the table. Whatever lasts longer than one procedure of the book is in here."""

    pile_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What piles are called in a sentence, where that is not their name: "scrap": "Scrap Pile"."""

    place_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What parts of `where` are called, if it is not their name without dashes."""

    moment_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What the moments of reports are called: "start_against": "on being attacked"."""

    @abstractmethod
    def where(self) -> Sequence[str]:
        """The book's place, outermost first: ("round-3", "section-2")."""

    @abstractmethod
    def facts(self) -> Sequence[Fact]:
        """Every quantity, public or not, in a fixed order."""

    @abstractmethod
    def placement(self) -> Mapping[Piece, Pose]:
        """Where each piece stands that is on the boards."""

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        """How many cards or tokens lie in each owner's pile, named as in `Carry`.

        The table's are everybody's. A box without piles has none.
        """
        return {}

    def pile_at(self, owner: Seat, place: str) -> tuple[Seat, str] | None:
        """The pile that a deed of this owner means by a place; None where it is no pile.

        "discard" may be the owner's own or everybody's, "B's card" is another's, and "discard/3"
        is one card of a pile.
        """
        return pile_among(self.pile_counts(), owner, place)

    def sides(self) -> Mapping[str, str]:
        """Which side of a thing is up, for things that hands turn over, named as in `Flip`."""
        return {}

    def counters(self) -> Sequence[Fact]:
        """Quantities that hands keep by tokens, counters or dice: hull, energy, who goes first.

        They are labelled as in a sentence, and are neither a pile nor a piece's place.
        """
        return ()

    def covered(self) -> frozenset[Piece]:
        """Pieces that lie under others, where no camera sees them; none in most boxes."""
        return frozenset()

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """The attacks that are being carried out; none in a box whose shots have no line."""
        return ()

    @abstractmethod
    def to_file(self) -> dict[str, Json]:
        """The position as plain values in the book's words."""

    @classmethod
    @abstractmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        """Read a position file, not yet judged; BadFile with the place in the file."""

    @abstractmethod
    def adjust(self, changes: Mapping[str, Json]) -> None:
        """Set named quantities and places together; BadCall names an unknown one."""

    def choices(self, name: str) -> Sequence[Json]:
        """What an arbiter may choose from, where a quantity is a word or a place with a heading.

        Empty where it is a number, yes or no, a seat or a bare space, or cannot be set.
        """
        return ()

    def figures(self) -> object:
        """What the digest hashes: every fact's value, in order, as values that never change."""
        return repr([(fact.name, fact.value) for fact in self.facts()])

    def digest(self) -> str:
        """Sixteen hexadecimal figures that two equal positions share."""
        return digest_of(self.figures())


_SETUP_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "box": (str, "the name of a box is wanted"),
    "variants": ((tuple, list), "a list of names is wanted"),
    "seats": (Mapping, "people's names by seat are wanted"),
    "options": (Mapping, "values by name are wanted"),
    "cards": (Mapping, "a table's own data by name are wanted"),
    "position": ((Mapping, type(None)), "a position file's object is wanted"),
    "edition": (int, "a number is wanted"),
    "app_version": (str, "a word is wanted"),
    "demonstration": (bool, "true or false is wanted"),
    "simulated": (bool, "true or false is wanted"),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is played under; the first line of its log.

    `box` is its name on the command line, `variants` are its games (none: the usual one), `seats`
    who sits there by the seat's code ("JP": "Ana"), `options` house rules by name. `position` is a
    position file's object when the match starts in the middle of a game, and `cards` a table's own
    card data, read from TOML. A demonstration is played by bots: lists say
    so, and nobody is asked to go on with it. A simulated match is one that had no table either.
    BadCall where a field is of another kind; whether box, seats and options exist the rules say.
    """

    box: str
    variants: tuple[str, ...] = ()
    seats: Mapping[Seat, str] = field(default_factory=dict[Seat, str])
    options: Mapping[str, Json] = field(default_factory=dict[str, Any])
    cards: Mapping[str, Json] = field(default_factory=dict[str, Any])
    position: Mapping[str, Json] | None = None
    edition: int = 1
    app_version: str = ""
    demonstration: bool = False
    simulated: bool = False

    def __post_init__(self) -> None:
        for name, (kinds, wanted) in _SETUP_KINDS.items():
            refuse_kind(getattr(self, name), kinds, f"{name} of a set-up: {wanted}")
        for name, told in (("variants", self.variants), ("seats", self.seats.values())):
            wanted = f"{name} of a set-up: {_SETUP_KINDS[name][1]}"
            refuse_others(told, str, f"{wanted}, not {brief(getattr(self, name))}")

    def start_file(self) -> dict[str, Json] | None:
        """The position that the match begins with; None where it begins as the book does.

        Without the answers given since: the match takes those itself.
        """
        if self.position is None:
            return None
        return {name: value for name, value in self.position.items() if name != "since"}

    def to_json(self) -> dict[str, Json]:
        """Plain values for the record."""
        plain: dict[str, Json] = asdict(self)
        for word in ("demonstration", "simulated"):
            if not plain[word]:
                del plain[word]  # as matches have been written before there was the word
        plain["variants"] = list(self.variants)
        return plain

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Setup:
        """Read what to_json wrote; TypeError for a field that is unknown or of another kind."""
        try:
            setup = cls(**raw)
        except BadCall as wrong:
            raise TypeError(str(wrong)) from wrong
        return replace(setup, variants=tuple(setup.variants))


DECLARES: Mapping[str, str] = {
    "box": 'its name on the command line, as in "dogfight-1917"',
    "title": "what people call the box",
    "variants": 'its games by name, the usual one first, as in ("base",)',
    "seats": "the code of every seat, and what it is called",
    "sides": "who can win: the teams, or the seats",
    "switches": "its house rules by name; an empty mapping where there are none",
    "corrections": "the paragraph or ruling under which an arbiter puts things right",
}
"""What a box says of itself, before anybody asks."""

_SAYS_A_BOX_ALONE = ("box", "title", "seats", "sides", "corrections")
"""What no base of several boxes says: `SmallBox` has variants, and a base may have switches."""


def wrong_with(rules: type[Rulebook[Any]]) -> list[str]:
    """Everything that is missing or wrong in the class of a box, each in a sentence."""
    lacking = [name for name in rules.declares if not hasattr(rules, name)]
    if lacking:
        return [f"It lacks `{name}`: {rules.declares[name]}." for name in lacking]
    wrong = [] if rules.variants and rules.rounds else ["It has no variant, or no word for rounds."]
    for seat in rules.seats:
        side = rules.side_of.get(seat, seat)
        if side not in rules.sides:
            there = ", ".join(rules.sides)
            wrong.append(f"Seat {seat!r} is of side {side!r}, which is none of `sides`: {there}.")
    people = {*rules.seats, *rules.sides}
    named = {"buttons": rules.buttons, "held_by": (*rules.held_by, *rules.held_by.values())}
    for what, seats in named.items():
        strangers = [seat for seat in seats if seat not in people]
        wrong += [f"`{what}` names {who!r}, which is no seat and no side." for who in strangers]
    for name, switch in rules.switches.items():
        if name != switch.name or not switch.values:
            text = (
                f"Switch {switch.name!r} with the values {list(switch.values)} stands as {name!r}"
            )
            wrong.append(f"{text}; it needs a value, and to stand under its own name.")
    return wrong


class Bringing(NamedTuple):
    """One thing that a player may bring: what it is called, and which there are.

    `values` are what a set-up says and the words for it; the first, "", is the usual one.
    """

    title: str
    values: tuple[tuple[str, str], ...]


class Phrase(NamedTuple):
    """What people say that they saw, and the fields that are asked though they may be left out."""

    words: str
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reporting:
    """How a table is asked what it saw; `companion.kit.reports` has what a box does not say.

    `likely` are the words that are reported most, by phase (a place of the book without its
    number; "" is any other). `phrases` stand where this box says it otherwise than others do, and
    `choices` are what a field may hold that is neither a thing of the table nor a number.
    """

    likely: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    phrases: Mapping[str, Phrase] = field(default_factory=dict[str, Phrase])
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


class Rulebook(ABC, Generic[PositionT]):
    """The book as code. Subclasses write one `async def` per procedure, in the book's order.

    Seats, sides, buttons, switches and looks may differ by variant, and seats by house rule: read
    them from what `in_variants` and `seated` return, or from the rules under way. A class that says
    its name or who plays is a box and is judged when it is made: TypeError with every sentence of
    `amiss`. One that says neither is a base of several boxes.
    """

    box: ClassVar[str]
    title: ClassVar[str]
    edition: ClassVar[int] = 1
    variants: ClassVar[tuple[str, ...]]
    seats: ClassVar[Mapping[Seat, str]]
    """Every seat's code and what it is called ("JP": "Jaws Pilot")."""
    sides: ClassVar[tuple[Seat, ...]]
    """Who can win: the teams, or the players."""
    side_of: ClassVar[Mapping[Seat, Seat]] = MappingProxyType({})
    """The side of each seat; one that is not named is a side of its own."""
    held_by: ClassVar[Mapping[Seat, Seat]] = MappingProxyType({})
    """Where one person has several seats: each further seat, and the seat that has the name."""
    report_sentences: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Reports that say something else in this box than in others; see `companion.kit.reports`."""
    reporting: ClassVar[Reporting] = Reporting()
    """What is reported most in each phase, and how people put it."""
    buttons: ClassVar[tuple[Seat, ...]] = ()
    """Whose ready the first and the second button say; those left out touch the screen."""
    looks: Mapping[str, Look] = MappingProxyType({})
    """How sides, seats and pieces are drawn, by name; rules under way may have looks of their own,
    as where the players choose their planes."""
    rounds: ClassVar[tuple[str, ...]] = ("round",)
    """What repeats in the book's places, outermost first: game and round in "game-2/round-3"."""
    numbered: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What the number at the end of a key counts, by the step that the key is of."""
    switches: ClassVar[Mapping[str, Switch]]
    house: ClassVar[HouseRules] = HouseRules({})
    """The switches that change a ruling; each ruling says which of them it was given under."""
    figures: ClassVar[TableFigures | None] = None
    """Figures that a table reads off its own copy of the box; None where the book has them all."""
    corrections: ClassVar[Cite]
    """The paragraph or ruling under which an arbiter may correct what stands."""
    declares: ClassVar[Mapping[str, str]] = DECLARES
    """The attributes that its class must have, each with what it is."""

    position: PositionT
    plan: BoardPlan

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        is_box = any(hasattr(cls, name) for name in _SAYS_A_BOX_ALONE)
        wrong = cls.amiss() if is_box else []
        if wrong:
            raise TypeError(f"{cls.__name__} is no box yet. {' '.join(wrong)}")

    @classmethod
    def amiss(cls) -> list[str]:
        """What is missing or wrong in the class of a box, in sentences; a base may check more."""
        return wrong_with(cls)

    def __init__(self, setup: Setup) -> None:
        """Read options, cards and starting position; BadCall or BadFile name what is wrong."""
        self.setup = setup
        self.options: dict[str, Json] = self.read_options(setup.options)
        self._turned = self.house.turned(self.options)
        said = {seat: self.person(text) for seat, text in setup.seats.items()}
        self.named: Mapping[Seat, str] = {**self.seats, **{s: n for s, n in said.items() if n}}
        """What each seat is called: the person's name where it is known."""
        self.said: list[Ruling] = []
        self.told: Mapping[str, Json] = {}
        """What was told in the open form so far, by the question's key, as a report finds it."""
        self.retold: dict[str, Json] = {}
        """What a report puts in place of it, so that what was told by mistake is put right; where
        the report breaks off what was asked, what it tells of the questions that come instead."""
        self.at_begin: Callable[[], None] | None = None
        self.answered: Collection[str] = ()
        """The keys of the open form that have their answer already."""
        self.is_over = False
        """Whether the match has ended: what is reported then changes nothing that was ruled."""

    def set_option(self, name: str, value: Json) -> None:
        """From now on this house rule has another value; BadCall where there is none such."""
        switch = self.switches.get(name)
        if switch is None:
            raise BadCall(f"option {name!r} is unknown; there are {', '.join(self.switches)}")
        self.options[name] = switch.read(value)
        self._turned = self.house.turned(self.options)

    # -- positions that cannot be ----------------------------------------------------------

    @classmethod
    def faults(cls, position: PositionT) -> list[Fault]:
        """Every reason why this position is impossible; empty when it is possible."""
        return []

    @classmethod
    def faults_at_start(cls, position: PositionT) -> list[Fault]:
        """More reasons why no match can begin with this position; none by default."""
        return []

    @classmethod
    def refuse_faults(cls, position: PositionT, source: str) -> None:
        """Refuse a position that no match can begin with: BadPosition with every fault."""
        found = [*cls.faults(position), *cls.faults_at_start(position)]
        if found:
            raise BadPosition(source, found)

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats of this match, in the order of play: all, unless a house rule leaves some."""
        return tuple(self.seats)

    def sides_taken(self) -> tuple[Seat, ...]:
        """The sides of this match: those for which somebody plays."""
        playing = {self.side_of.get(seat, seat) for seat in self.seats_taken()}
        return tuple(side for side in self.sides if side in playing)

    @classmethod
    def in_variants(cls, names: Sequence[str]) -> type[Self]:
        """The rulebook with the named chapters in force; BadCall for one it does not have.

        With none named it is the box's first variant.
        """
        for name in names:
            if name not in cls.variants:
                known = ", ".join(cls.variants)
                there = "is" if len(cls.variants) == 1 else "are"
                raise BadCall(f"{cls.title} has no variant {name!r}; there {there} {known}")
        return cls

    @classmethod
    def seated(cls, options: Mapping[str, Json]) -> type[Self]:
        """The rules with the seats that these house rules call for; mostly the same rules.

        BadCall for an option that cannot be read. `companion.games.rulebook_of` asks it.
        """
        return cls

    @classmethod
    def usual(cls, names: Sequence[str]) -> tuple[str, ...]:
        """The variants named, or the one that is meant where nobody names any: the box's first."""
        return tuple(names) or cls.variants[:1]

    @classmethod
    def split_key(cls, key: str) -> tuple[str, str]:
        """A place or key as its round (empty outside any) and where in that round it is.

        "round-3/section-2/reveal/jaws" is "round-3" and "section-2/reveal/jaws".
        """
        parts = key.split("/")
        words = [part.rpartition("-")[0] for part in parts]
        end = next((at for at, word in enumerate(words) if word not in cls.rounds), len(parts))
        if not end or words[end - 1] != cls.rounds[-1]:
            return "", key
        return "/".join(parts[:end]), "/".join(parts[end:])

    @classmethod
    def round_number(cls, key: str) -> tuple[int, ...]:
        """The numbers of a question's round, which grow as play goes on; empty before the first."""
        parts = cls.split_key(key)[0].split("/")
        return tuple(
            int(number) for *_, number in (part.rpartition("-") for part in parts) if number
        )

    @classmethod
    def person(cls, seated: str) -> str:
        """The name in what a set-up says of a seat; boxes where players choose say more there."""
        return seated.strip()

    @classmethod
    def bringings(cls, figures: Mapping[str, Json]) -> tuple[Bringing, ...]:
        """What each player may choose beforehand by a table's figures; nothing in most boxes.

        BadFile where the figures cannot be used.
        """
        return ()

    @classmethod
    def brought(cls, seated: str) -> tuple[str, ...]:
        """What a set-up says that a seat brings, one for each of `bringings`; "" is the usual."""
        return ()

    @classmethod
    def seated_as(cls, person: str, brought: Sequence[str]) -> str:
        """What a set-up says of a seat, where this person brings this."""
        return person

    def who(self, seat: Seat) -> str:
        """What a seat is called in a sentence: the person's name where it is known."""
        return self.named[seat]

    def with_people(self, text: str) -> str:
        """A sentence that names seats, with the people who sit there; a box may add them."""
        return text

    def side_in_words(self, side: Seat) -> str:
        """A side as people call it; of a team those who are named: "Jaws (Ana and Ben)"."""
        people = [
            name
            for seat, name in self.named.items()
            if self.side_of.get(seat) == side and name != self.seats.get(seat)
        ]
        called = self.named.get(side, str(side))
        return f"{called} ({listed([*dict.fromkeys(people)])})" if people else called

    def side_called(self, name: str) -> str:
        """A side by its name in any case, or by the only one of it who is called so.

        What is neither stays as it is.
        """
        meant = spelt_like(name, self.sides_taken())
        called = [s for s in self.seats_taken() if name.lower() == self.named[s].lower()]
        alone = str(self.side_of.get(called[0], called[0])) if len(called) == 1 else name
        return meant if meant is not None else alone

    @property
    def absent(self) -> Collection[Seat]:
        """The seats whose players have left the table: nobody waits for an answer of theirs."""
        return ()

    def spoken_names(self) -> Mapping[str, str]:
        """What people call things, and the code that answers have for it.

        The people at the table, each name that only one of them bears. A box adds to it what its
        tokens are called.
        """
        called = Counter(name.lower() for name in self.named.values())
        return {
            name: str(seat)
            for seat, name in self.named.items()
            if seat in self.seats_taken() and called[name.lower()] == 1
        }

    def own_words(self) -> Collection[str]:
        """Words of this box's answers, in small letters: in an answer they are no one's name."""
        return ()

    @classmethod
    def read_options(cls, given: Mapping[str, Json]) -> dict[str, Json]:
        """Every switch with its value; BadCall for one that nobody knows."""
        unknown = sorted(set(given) - set(cls.switches))
        if unknown:
            known = ", ".join(sorted(cls.switches))
            raise BadCall(f"option {unknown[0]!r} is unknown; there are {known}")
        return {
            name: switch.read(given[name]) if name in given else switch.default
            for name, switch in cls.switches.items()
        }

    @abstractmethod
    async def play(self) -> Outcome:
        """The whole game from wherever the position stands."""

    @abstractmethod
    def report(self, fact: Mapping[str, Json]) -> Notice:
        """Judge what the table saw and no question asked; may change the position as ruled."""

    @classmethod
    def paragraphs(cls) -> Mapping[str, Paragraph]:
        """What rules and rulings say in our own words, by id, from the file beside its rules."""
        own = next((base for base in cls.__mro__ if "box" in vars(base)), cls)
        return read_paragraphs(Path(getfile(own)).with_name(PARAGRAPHS))

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        """Why a seat may not say this while another is asked, where the box has words for it."""
        return None

    def learned(self) -> Mapping[str, Json]:
        """What was learned in this match that a table's own file may keep; nothing by default."""
        return {}

    def kept(self) -> Mapping[str, Json]:
        """What of this the players want in the table's own file; nothing by default."""
        return {}

    def report_words(self) -> Mapping[str, Sequence[str]]:
        """What the table may report: each word with its fields, "?" after those left out freely."""
        return {}

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type, by verb; a box adds an `adjust` and a `report` of its own."""
        winner, loser, *_ = self.sides_taken()
        text = f"{self.who(loser)} gave up."
        return {"close": {"winners": [winner], "text": text}}

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        """What to say of a settled table that is not as recorded; none by default.

        `lagging` pieces were moved by a ruling, hands have not followed: nothing is said of them.
        """
        return []

    def seen_answer(self, question: Question[Any], sighting: Sighting) -> Json | None:
        """What cards that are seen answer to an open question; None where they do not, or may not.

        Only what is sure: a section in doubt is for people to tell.
        """
        return None

    def seen_section(self, question: Question[Any]) -> str:
        """The space whose cards an open question asks about; empty where it asks of none."""
        return ""

    def rule(
        self,
        text: str,
        cite: Cite,
        *deeds: Deed,
        by: Seat = TABLE,
        headline: str = "",
        step: int | None = None,
        struck: tuple[Piece, ...] = (),
        quiet: bool = False,
        happened: tuple[Occurrence, ...] = (),
    ) -> Ruling:
        """Say a ruling, and which house rules had a part in it; it takes its place in the list.

        `happened` is what it adds to a season's statistics, beyond what `happened_in` finds.
        """
        cite = self.rests_on(cite, by)
        text = self.with_people(text)
        if self._turned:
            text += house_words(cite, self._turned)
        quiet = quiet or self.leaves_nothing_to_do(deeds)
        ruling = Ruling(text, cite, deeds, by, headline, step, struck, quiet, happened)
        self.said.append(ruling)
        return ruling

    def rests_on(self, cite: Cite, by: Seat) -> Cite:
        """What a ruling on a seat, or a question to it, rests on; chapters in force may add."""
        return cite

    def happened_in(self, ruling: Ruling) -> Sequence[Occurrence]:
        """What a ruling adds to a season's statistics; a small box finds more in its deeds."""
        return ruling.happened

    def flown_by(self, seat: Seat) -> Mapping[str, str]:
        """What a seat flies in this match, by what that is: {"fighter": "Camel", "pilot": ...}.

        What each player brought, by default; asked for when the match is over.
        """
        chosen = self.brought(self.setup.seats.get(seat, ""))
        titles = (one.title.lower() for one in self.bringings(self.setup.cards))
        return {title: name for title, name in zip(titles, chosen, strict=False) if name}

    def leaves_nothing_to_do(self, deeds: Sequence[Deed]) -> bool:
        """Whether hands have done already what a ruling tells them: nobody waits for those.

        Nor for cards that are none: "discard 0".
        """
        carried = [deed.count for deed in deeds if isinstance(deed, Carry)]
        return bool(carried) and len(carried) == len(deeds) and not any(carried)

    def begin(self) -> None:
        """Mark a place where a match can start, before a procedure reads or writes anything."""
        if self.at_begin is not None:
            self.at_begin()


# Seats round a table: who comes after whom, and which seats a match has.

LONGEST_NAME = 24
"""Letters of a player's name: as many as the app's own keyboard takes and every screen shows."""

_NO_LETTERS = {
    **dict.fromkeys(("Cc", "Zl", "Zp"), "a line break or a control code"),
    "Cf": "an invisible character that changes how others are shown",
}
"""Unicode's categories of signs that no screen shows as a letter."""

RulesT = TypeVar("RulesT", bound="Rulebook[Any]")


def name_fault(name: str) -> str:
    """Why a screen cannot show this name; empty if it can.

    >>> name_fault("Ana")
    ''
    >>> name_fault(f"An{chr(0x202E)}a").partition(" has ")[2]
    'an invisible character that changes how others are shown in it'
    """
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} letters"
    kinds = (_NO_LETTERS.get(unicodedata.category(letter)) for letter in name)
    kind = next(filter(None, kinds), None)
    return f"{name!r} has {kind} in it" if kind is not None else ""


def clockwise_from(first: Seat, seats: Sequence[Seat]) -> list[Seat]:
    """These seats round the table, beginning at one of them; ValueError if it is none of them.

    >>> clockwise_from("C", ["A", "B", "C", "D"])
    ['C', 'D', 'A', 'B']
    """
    at = list(seats).index(first)
    return [*seats[at:], *seats[:at]]


def with_first_seats(rules: type[RulesT], players: int) -> type[RulesT]:
    """The same rules for a match of so many players, who take the first seats.

    For boxes in which each player is a side of their own; the rules themselves where all play.
    """
    return rules if players >= len(rules.seats) else cast("type[RulesT]", _few(rules, players))


@cache
def _few(rules: type[Rulebook[Any]], players: int) -> type[Rulebook[Any]]:
    taken = tuple(rules.seats)[:players]
    body: dict[str, Any] = {
        "seats": {seat: rules.seats[seat] for seat in taken},
        "sides": taken,
        "__doc__": rules.__doc__,
        "__module__": rules.__module__,
    }
    return cast("type[Rulebook[Any]]", type(rules.__name__, (rules,), body))
