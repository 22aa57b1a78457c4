"""What the companion says: rulings with their cites, deeds for hands, notices, the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose

Seat = NewType("Seat", str)
"""Who is asked or ruled upon: a player's code ("JP"), a team ("Jaws") or TABLE."""

TABLE = Seat("table")
"""Everybody at the table at once, spoken for by whoever holds the screen."""


class Cite(NamedTuple):
    """Where the book says so: rule ids and, where it is silent, the numbers of our rulings.

    >>> cite = Cite.of("JP-9.3, JP-9.4, RULING 15")
    >>> cite.rules, cite.rulings, str(cite)
    (('JP-9.3', 'JP-9.4'), (15,), 'JP-9.3, JP-9.4, RULING 15')
    """

    rules: tuple[str, ...]
    rulings: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Cite:
        """Read a cite as it is printed; an empty one is a ValueError."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        rules = tuple(part for part in parts if not part.startswith("RULING"))
        rulings = tuple(int(part.split()[1]) for part in parts if part.startswith("RULING"))
        if not parts:
            raise ValueError("a cite names at least one rule or ruling")
        return cls(rules, rulings)

    def also(self, *others: Cite) -> Cite:
        """Both this cite and those, each rule and ruling once.

        >>> str(Cite.of("JP-9.3, RULING 15").also(Cite.of("JP-9.4, RULING 15")))
        'JP-9.3, JP-9.4, RULING 15'
        """
        return _joined(self, *others)

    def __str__(self) -> str:
        return ", ".join((*self.rules, *(f"RULING {number}" for number in self.rulings)))


@cache
def _joined(*cites: Cite) -> Cite:
    """Each rule and ruling of these once; the same few cites are joined at every answer."""
    rules = dict.fromkeys(rule for cite in cites for rule in cite.rules)
    rulings = dict.fromkeys(number for cite in cites for number in cite.rulings)
    return Cite(tuple(rules), tuple(rulings))


@dataclass(frozen=True, slots=True)
class Move:
    """A hand moves a piece: from where it stood (None: from off the boards) to its new pose."""

    piece: Piece
    was: Pose | None
    now: Pose | None


@dataclass(frozen=True, slots=True)
class LineOfFire:
    """An attack under way: who fires at whom, as they stand on the boards, and how far.

    `reach` is that in the book's words ("range 2"); empty where the book measures nothing.
    """

    attacker: Piece
    target: Piece
    reach: str = ""


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand carries `count` cards of one owner from pile to pile, unseen unless said."""

    owner: Seat
    count: int
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A hand shuffles the whole `source` pile (`count` cards) of one owner into `target`."""

    owner: Seat
    count: int
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A hand turns a thing over: an Action Track to its smoke side, a token to its back."""

    thing: str
    side: str


@dataclass(frozen=True, slots=True)
class SetTo:
    """A hand sets what a token, a counter or some dice show; a pile without a partner counts, too.

    `name` is the fact or pile as the record calls it, `thing` as people do ("hull").
    """

    owner: Seat
    name: str
    thing: str
    was: Json
    now: Json


Deed = Move | Carry | Shuffle | Flip | SetTo


# What a ruling adds to the statistics of a season.


@dataclass(frozen=True, slots=True)
class AttackMade:
    """Somebody fired, `at` nobody where there was no target: whether that would have hit.

    What the target did about it comes after, as an `EvasionTried`.
    `reach` is how far in the book's words ("range 2"; empty where it measures nothing), `means` the
    card or weapon. `instead`: what was thrown anew; it counts in place of the attack before it.
    """

    by: Seat
    at: Seat | None
    hit: bool
    reach: str = ""
    means: str = ""
    instead: bool = False


@dataclass(frozen=True, slots=True)
class EvasionTried:
    """A target did something about an attack: by what, how much of it that took away.

    `saved`: nothing of the attack was left.
    """

    by: Seat
    means: str
    averted: int
    saved: bool


@dataclass(frozen=True, slots=True)
class DamageTaken:
    """So much damage to a seat, in the unit of its book; `dealt_by` nobody: its own, or unknown."""

    by: Seat
    amount: int
    dealt_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid or turned over for what it does; `card` is its title."""

    by: Seat
    card: str


Occurrence = AttackMade | EvasionTried | DamageTaken | CardLaid


class Ruling(NamedTuple):
    """One thing the book says now.

    `headline` is what hands do or who is hit, at most 22 characters; `by` whom it concerns;
    `step` the place in the book's order within the section (None where the book has none);
    `struck` the pieces that were hit. `quiet`: hands have done it already, or need not; play goes
    on without waiting for anybody to have read it. `happened` is for statistics alone.
    """

    text: str
    cite: Cite
    deeds: tuple[Deed, ...] = ()
    by: Seat = TABLE
    headline: str = ""
    step: int | None = None
    struck: tuple[Piece, ...] = ()
    quiet: bool = False
    happened: tuple[Occurrence, ...] = ()


class Level(StrEnum):
    """What a notice does: stop the match until solved, wait for a word, or only tell."""

    BLOCK = "block"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Notice:
    """What the table reported, or the camera saw, and no question asked.

    `deeds` are what hands do now because of it, as far as the book tells that and the record does
    not: a card that nobody has told goes back to the hand.
    """

    code: str
    text: str
    cite: Cite
    level: Level
    way_out: str = ""
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won (nobody: a draw) and the ruling that ended it."""

    winners: tuple[Seat, ...]
    ruling: Ruling


class Shows(StrEnum):
    """What panels make of a fact.

    badge: a thing that somebody has: the side named by a fact of the table, or the seat of a fact
    that is true. count: a number of the seat's, the deciding one first; open: one that lies open to
    everybody, left out first where room is short. first: who comes first.
    """

    NOTHING = ""
    BADGE = "badge"
    COUNT = "count"
    OPEN = "open"
    FIRST = "first"

    @property
    def is_count(self) -> bool:
        """Whether it is a number of a seat's."""
        return self in (Shows.COUNT, Shows.OPEN)


@dataclass(frozen=True, slots=True)
class Fact:
    """One quantity of a position, as panels show it and digests hash it.

    `sign` names the drawing that goes with it; `words` say the value where it is a code, `short`
    is the label where there is little room.
    """

    name: str
    label: str
    value: Json
    seat: Seat = TABLE
    public: bool = True
    shows: Shows = Shows.NOTHING
    sign: str = ""
    words: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a position cannot be: the place in the file, in words, with the rule."""

    path: str
    text: str
    cite: Cite


class BrokenOff(Exception):
    """Raised by a report that ends what was asked: play goes on from where the position stands."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.text)
        self.notice = notice


class MatchOver(Exception):
    """Raised inside the rules when the book says the match has ended."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.ruling.text)
        self.outcome = outcome


Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""Plain values as JSON knows them."""
