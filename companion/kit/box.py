"""SmallBox: a rulebook with the usual answers; a box overrides what its book says otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, TypeVar, cast

from companion.core.errors import BadCall
from companion.core.question import Refusal
from companion.core.ruling import (
    TABLE,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    Fault,
    Notice,
    Seat,
    SetTo,
)
from companion.core.text import headed
from companion.kit.comparing import compared
from companion.kit.reports import USUAL, countable, usual_report
from companion.kit.seated import SeatedPosition
from companion.match.rulebook import DECLARES, HouseRules, Rulebook, with_first_seats

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.offers import Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json, Occurrence, Ruling
    from companion.match.rulebook import Setup

PositionT = TypeVar("PositionT", bound=SeatedPosition[Any])

PLAYERS = "players"
"""The switch that says how many of a box's seats are taken, in boxes that have it."""


class QuestionHead(TypedDict):
    """What every question says of itself, whatever its kind."""

    key: str
    by: Seat
    cite: Cite
    prompt: str
    headline: str


class SmallBox(Rulebook[PositionT]):
    """One game of a book, whose players are sides of their own unless `side_of` says otherwise.

    Such a box says its name, `letters`, `starts`, seats, switches, plan, looks and `corrections`,
    and writes `play`. How it begins, who sits there, what may be reported, where the camera's table
    differs and what an arbiter may type follow from its position and its plan.
    """

    declares = MappingProxyType({
        **DECLARES,
        "letters": 'how the ids of its paragraphs begin, as in "KT"',
        "starts": "the class of its position",
        "plan": "its boards and tokens, as `hex_plan` makes them",
    })  # fmt: skip
    variants = ("base",)
    rounds = ("turn",)
    letters: ClassVar[str]
    """How the ids of its paragraphs begin, and the codes of its notices: "KT"."""
    starts: ClassVar[type[SeatedPosition[Any]]]
    """The type of its position, which also knows how a match begins."""

    def __init_subclass__(cls) -> None:
        if "seats" in vars(cls) and "sides" not in vars(cls) and not cls.side_of:
            cls.sides = tuple(cls.seats)
        if "switches" in vars(cls) and "house" not in vars(cls):
            cls.house = HouseRules(cls.switches, plain=(PLAYERS, "sight"))
        super().__init_subclass__()

    @classmethod
    def amiss(cls) -> list[str]:
        wrong = super().amiss()
        return wrong or [*_amiss_in_position(cls)]

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        unknown = sorted(set(setup.seats) - set(self.seats_taken()))
        if unknown:
            known = ", ".join(self.seats_taken())
            how = f": set {PLAYERS}" if PLAYERS in self.switches else ""
            raise BadCall(f"seat {unknown[0]!r} is none of {known}{how} [{self.corrections}]")
        self.position = self._begun(setup.start_file())
        self.position.house, self.position.corrections = self.options, str(self.corrections)

    def _begun(self, file: Mapping[str, Json] | None) -> PositionT:
        """The table as a file has it, or as the box is opened; BadFile, BadPosition, BadCall."""
        kind = cast("type[PositionT]", self.starts)
        if file is None:
            return kind.fresh(self.seats_taken())
        position = kind.from_file(file)
        self.refuse_faults(position, "position")
        if tuple(position.players) != self.seats_taken():
            there, wanted = " ".join(position.players), " ".join(self.seats_taken())
            raise BadCall(f"position: players {there}; this match has {wanted}")
        return position

    @classmethod
    def faults(cls, position: PositionT) -> list[Fault]:
        """Cards that are too many or lost; a box adds what else cannot be in its game."""
        there, have = position.piles.total, position.cards
        lost = Fault("cards", f"{there} cards are in piles; the box has {have}", cls.corrections)
        return [lost] if there != have else []

    # -- who plays -------------------------------------------------------------------------

    @classmethod
    def seated(cls, options: Mapping[str, Json]) -> type[Self]:
        """The rules for as many seats as play, where a switch says how many."""
        switch = cls.switches.get(PLAYERS)
        if switch is None:
            return cls
        players = switch.read(options[PLAYERS]) if PLAYERS in options else switch.default
        return with_first_seats(cls, int(str(players)))

    # -- what questions and headlines are made of ------------------------------------------

    def asked(self, seat: Seat, what: str, cite: Cite, prompt: str, headline: str) -> QuestionHead:
        """Whom a question asks, under which key: `Ready(**self.asked(seat, "lay", ...))`.

        The key is built from the book's place, as in "turn-3/lay/A"; person and headline begin with
        the player's name.
        """
        place = "/".join((self.position.where()[0], what, *((seat,) if seat != TABLE else ())))
        who = "" if seat == TABLE else f"{self.who(seat)}: "
        headline = self.head(seat, headline)
        return QuestionHead(
            key=place, by=seat, cite=cite, prompt=f"{who}{prompt}", headline=headline
        )

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player, by the seat's code where the name is too long."""
        return words if seat == TABLE else headed(self.who(seat), seat, words)

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        """Another player is asked; when it is everybody, whoever speaks is heard."""
        if asked.by == TABLE or seat not in self.seats_taken():
            return None
        text = f"{self.who(seat)} is not asked now: {self.who(asked.by)} is. Wait for it."
        return Refusal(f"{self.letters}-E-WHO", text, asked.cite)

    def happened_in(self, ruling: Ruling) -> Sequence[Occurrence]:
        """What its rulings say themselves; else what their deeds tell.

        Where a piece is struck and hands set a number lower, that is damage by so much; a card that
        is carried out of a hand and does not go back into a deck was laid.
        """
        return ruling.happened or (*_told_by_deeds(ruling),)

    # -- what the table reports, and what the camera sees ----------------------------------

    def report_words(self) -> Mapping[str, Sequence[str]]:
        """Recounts of piles and tokens, pieces that are gone, and what the table decides."""
        return USUAL

    def report(self, fact: Mapping[str, Json]) -> Notice:
        """What a usual report means; BadCall where it is none."""
        return usual_report(self, self.letters, fact)

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        """Pieces that stand elsewhere than recorded, under the arbiter's right to correct it."""
        return compared(self, sighting, lagging, f"{self.letters}-SEEN", self.corrections)

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """A close; one count of the position as it stands, as an adjustment and as a report."""
        (seat, pile), count = next(
            (one, count) for one, count in countable(self.position).items() if one[0] != TABLE
        )
        return {
            **super().examples(),
            "adjust": {f"{seat}.{pile}": count},
            "report": {"what": "recount", "player": seat, "pile": pile, "count": count},
        }


def _told_by_deeds(ruling: Ruling) -> Iterator[Occurrence]:
    for deed in ruling.deeds:
        if isinstance(deed, Carry) and _is_laid(deed):
            yield from (CardLaid(deed.owner, "") for _ in range(deed.count))
        elif isinstance(deed, SetTo) and ruling.struck and _falls(deed):
            yield DamageTaken(deed.owner, int(str(deed.was)) - int(str(deed.now)))


def _falls(deed: SetTo) -> bool:
    """Whether hands set a whole number lower."""
    was, now = deed.was, deed.now
    whole = type(was) is int and type(now) is int
    return whole and int(str(now)) < int(str(was))


def _is_laid(deed: Carry) -> bool:
    return _LIES_IN_HAND in deed.source and not any(word in deed.target for word in _NOT_LAID)


_LIES_IN_HAND, _NOT_LAID = "hand", ("hand", "deck")


_POSITION_SAYS = {
    "box": "the name of its box",
    "seats": "the seats that the box has",
    "part": "the class of what lies before a seat",
    "cards": "how many cards there are; 0 for none",
}


def _amiss_in_position(rules: type[SmallBox[Any]]) -> Iterator[str]:
    """What the position's class leaves out, and where it says otherwise than its rules."""
    kind, called = rules.starts, rules.starts.__name__
    lacking = [name for name in _POSITION_SAYS if not hasattr(kind, name)]
    yield from (f"{called} lacks `{name}`: {_POSITION_SAYS[name]}." for name in lacking)
    if lacking:
        return
    if kind.box != rules.box:
        yield f"{called} is of box {kind.box!r}, these rules are of {rules.box!r}."
    for seat in rules.seats:
        if seat not in kind.seats:
            yield f"{called} has no seat {seat!r}; it has {', '.join(kind.seats)}."
