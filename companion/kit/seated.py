"""SeatedPosition: a part for each seat, piles of one deck, and what a ledger makes of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar

from pydantic import BaseModel

from companion.core.board import Pose
from companion.core.errors import BadCall
from companion.core.files import read_model
from companion.core.ruling import TABLE, Carry, Fact, Seat, SetTo, Shuffle
from companion.core.text import inside, listed, one_of
from companion.kit.adjusting import citing, set_all
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, pose_of
from companion.kit.ledger import (
    Kind,
    Ledger,
    Quantity,
    held,
    kept,
    number,
    optional,
    seat_lines,
    seats_model,
    word,
)
from companion.kit.piles import CountedPiles, own_pile
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.board import Piece
    from companion.core.ruling import Json
    from companion.kit.hexes import HexMap

MOST_CARDS = 999
_STAGE = "stage"


class SeatedPart(Protocol):
    """What lies before one seat: a dataclass whose quantities are declared for the ledger."""

    seat: Seat


PartT = TypeVar("PartT", bound=SeatedPart)


# What a small box declares its quantities with.


def pile(name: str, label: str, *, begins: int = 0) -> Quantity:
    """A pile of cards, declared as a `ClassVar`: a seat's own in a part, else everybody's.

    So many lie in it when the box is opened (`begins`; in each seat's own, where it is of a part);
    the cards that no pile begins with lie in the first common one.
    """

    def count(there: SeatedPosition[Any], owner: object) -> int:
        return there.piles[_pile_of(name, owner)]

    def put(there: SeatedPosition[Any], owner: object, _: str, cards: int) -> None:
        there.piles[_pile_of(name, owner)] = cards

    return held(0, number(0, MOST_CARDS), label, "cards", count, put=put, begins=begins)


def _pile_of(name: str, owner: object) -> str:
    seat: Seat | None = getattr(owner, "seat", None)
    return name if seat is None else own_pile(seat, name)


def one_word(names: Sequence[str], what: str) -> Kind[str]:
    """One of several words, as people type them."""
    return word(lambda raw: one_of(raw, names, what), names)


Place = Hex | Heading
"""Where a piece may stand: a space, or a space and a heading."""
PlaceT = TypeVar("PlaceT", Hex, Heading)


def place_on(board: HexMap, headings: tuple[str, ...] = FLAT_TOP_NAMES) -> Kind[Heading]:
    """A space of a board with a heading: "0,-1 N"."""

    def read(raw: object) -> Heading:
        place = Heading.read(str(raw), headings)
        _refuse_off(board, place.hex)
        return place

    def told(_: object, place: Heading) -> str:
        return place.name(headings)

    return replace(word(read, kept_as=Heading), told=told, hashed=_place_hashed)


def _place_hashed(place: Heading) -> tuple[int, ...]:
    return (*place.hex, place.facing)


def space_on(board: HexMap) -> Kind[Hex]:
    """A space of a board, for a piece that points nowhere: "0,-1"."""

    def read(raw: object) -> Hex:
        space = Hex.read(str(raw))
        _refuse_off(board, space)
        return space

    def told(_: object, space: Hex) -> str:
        return str(space)

    return replace(word(read, kept_as=Hex), told=told)


def _refuse_off(board: HexMap, space: Hex) -> None:
    if space not in board:
        raise ValueError(f"{space} is off the board")


def stands(
    pieces: Mapping[Seat, Piece], on: Kind[PlaceT], label: str, about: str = ""
) -> PlaceT | None:
    """Where a piece of each seat stands, on a map with headings (`place_on`) or without.

    Nowhere at first, and "" takes it off the map. Such a piece is on maps and before cameras
    (`placement`), is put somewhere by `SmallBox.put`, and asked for by `SmallBox.ask_place`.
    """
    kind: Kind[PlaceT | None] = optional(on, None)
    return kept(None, kind, label, about, pieces=pieces)


def pose_at(place: Place) -> Pose:
    """A place as cameras and maps have it, with its heading where it has one.

    >>> pose_at(Hex(0, -1)), pose_at(Heading(Hex(0, -1), 2))
    (Pose(space='0,-1', facing=None), Pose(space='0,-1', facing=2))
    """
    return pose_of(place) if isinstance(place, Heading) else Pose(str(place))


# The position.


@dataclass(eq=False)
class SeatedPosition(Position, Generic[PartT]):
    """What lies before each seat, and the piles; a box adds the quantities of the table.

    A subclass is a dataclass of quantities that are `kept`, one of them its `stage`; `part` is the
    class of what a seat has, a dataclass, too. `house` (the match's house rules) and `corrections`
    (the cite under which an arbiter puts things right) are the match's and no part of a file.
    """

    box: ClassVar[str]
    seats: ClassVar[tuple[Seat, ...]]
    """All seats of the box; a match may have fewer."""
    fewest: ClassVar[int] = 2
    """How many of them a position file must name."""
    part: ClassVar[type[Any]]
    cards: ClassVar[int]
    """How many cards the box has: all of them are in some pile."""
    rounds: ClassVar[str] = "turn"
    """The name of the number that counts rounds in keys and headlines: "turn" in "turn-3"."""

    players: dict[Seat, PartT] = field(default_factory=dict[Seat, PartT])
    piles: CountedPiles = field(default_factory=lambda: CountedPiles(TABLE, {}))
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    corrections: str = ""

    @classmethod
    def fresh(cls, seats: Sequence[Seat]) -> Self:
        """The position of a new match: every quantity at its default, each pile as it `begins`."""
        players: dict[Seat, PartT] = {seat: cls.part(seat) for seat in seats}
        books = _books(cls)
        counts = {name: entry.begins for name, entry in _piles_of(books, seats).items()}
        first = next(iter(books.piles(books.table)), None)
        if first is not None:
            counts[first] += cls.cards - sum(counts.values())
        return cls(players=players, piles=CountedPiles(TABLE, counts))

    @classmethod
    def own_cards(cls) -> int:
        """How many cards each seat has for itself; 0 where some pile is everybody's."""
        books = _books(cls)
        common, own = books.piles(books.table), books.piles(books.part)
        return 0 if common else sum(entry.begins for entry in own.values())

    @classmethod
    def amiss(cls) -> list[str]:
        """What the class of a position leaves out, each in a sentence; for `SmallBox`."""
        known, lacking = _books(cls).table.entries, list[str]()
        for name, what in ((_STAGE, "where play is"), (cls.rounds, "what is counted: `rounds`")):
            if name not in known:
                lacking.append(f"{cls.__name__} keeps no `{name}`: {what}.")
        dealt = cls.own_cards() * len(cls.seats)
        if not _Books.piles(_books(cls).table) and dealt != cls.cards:
            lacking.append(
                f"{cls.__name__} has {cls.cards} cards, and its piles begin with {dealt}: "
                "say with how many (`begins`), or declare a common pile for the others."
            )
        return lacking

    @classmethod
    def pieces(cls) -> Sequence[Piece]:
        """Every piece that `stands` somewhere, of whatever seat."""
        books = _books(cls)
        entries = (*books.table.entries.values(), *books.part.entries.values())
        return [piece for entry in entries for piece in entry.pieces.values()]

    # -- where play is, and what stands there ----------------------------------------------

    def where(self) -> Sequence[str]:
        """Its first stage alone, "set-up"; then turn and stage, "turn-3" and "lay"."""
        stage = str(getattr(self, _STAGE))
        counted: int = getattr(self, self.rounds)
        return (f"{self.rounds}-{counted}", stage) if self.has_begun() else (stage,)

    def has_begun(self) -> bool:
        """Whether its first stage, the default of its `stage`, is over."""
        return bool(getattr(self, _STAGE) != _books(type(self)).table.entries[_STAGE].default)

    def placement(self) -> Mapping[Piece, Pose]:
        return {piece: pose_at(place) for piece, _, place in self.standing() if place is not None}

    def standing(self) -> Iterator[tuple[Piece, tuple[Seat, str], Place | None]]:
        """Every piece of this match that `stands` somewhere, who keeps it by which name, where."""
        books = _books(type(self))
        for seat, owner, ledger in (
            (TABLE, self, books.table),
            *((seat, part, books.part) for seat, part in self.players.items()),
        ):
            for entry in ledger.entries.values():
                if seat in entry.pieces:
                    yield entry.pieces[seat], (seat, entry.name), getattr(owner, entry.name)

    def stand(self, piece: Piece, now: Place | None) -> Pose | None:
        """Note that a piece stands there now; gives the pose where it stood before.

        KeyError if it `stands` nowhere, ValueError if its map has no such place.
        """
        for one, (seat, name), was in self.standing():
            if one == piece:
                if now is not None:
                    self._refuse_place(seat, name, now)
                setattr(self.players.get(seat, self), name, now)
                return pose_at(was) if was is not None else None
        raise KeyError(f"no quantity says where {piece!r} stands: declare it by `stands`")

    def _refuse_place(self, seat: Seat, name: str, place: Place) -> None:
        """Raise ValueError for a place that is not on the map of a quantity."""
        kind = _books(type(self)).entry(seat, name).kind
        try:
            if kind.given is not None:
                kind.given(self, f"{seat}.{name}", kind.told(self, place))
        except BadCall as wrong:
            raise ValueError(str(wrong)) from None

    # -- what hands do ---------------------------------------------------------------------

    def carry(self, seat: Seat, count: int, source: str, target: str) -> Carry:
        """Move cards between a seat's piles and the common ones; gives the deed for a `rule`.

        ValueError if too few lie there, KeyError if there is no such pile.
        """
        self.piles.move(count, self._pile(seat, source), self._pile(seat, target))
        return Carry(seat, count, source, target)

    def _pile(self, seat: Seat, name: str) -> str:
        """The name under which the piles have a seat's own pile, or a common one."""
        counts = self.piles.counts
        if name in counts:
            return name
        own = own_pile(seat, name)
        if own not in counts:
            books = _books(type(self))
            there = listed([*books.piles(books.part), *books.piles(books.table)])
            raise KeyError(f"{seat} has no pile {name!r}; there are {there}")
        return own

    def shuffle(self, source: str, target: str) -> Shuffle:
        """Shuffle one common pile into another."""
        return self.piles.shuffle(source, target)

    def set_to(self, seat: Seat, name: str, now: int | str | bool) -> SetTo:  # noqa: FBT001
        """Set a quantity of a seat, or of the TABLE; gives the deed for a `rule` to say.

        KeyError if it has no such quantity, ValueError if the value is beyond its limits.
        """
        owner: Any = self.players.get(seat, self)
        entry = _books(type(self)).entry(seat, name)
        if entry.kind.within is not None and isinstance(now, int):
            low, most = entry.kind.within
            if not low <= now <= most:
                raise ValueError(f"{seat}.{name}: {now} is not {low} to {most}")
        was = getattr(owner, name)
        setattr(owner, name, now)
        called = entry.fact if seat == TABLE else f"{seat}.{entry.fact}"
        return SetTo(seat, called, inside(entry.label), was, now)

    # -- what panels, files and digests read -----------------------------------------------

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        return self.piles.by_owner()

    def facts(self) -> Sequence[Fact]:
        books = _books(type(self))
        return [
            *books.table.facts(self, self),
            *(fact for seat, part in self.players.items()
              for fact in books.part.facts(self, part, seat)),
        ]  # fmt: skip

    def counters(self) -> Sequence[Fact]:
        """Numbers that panels show of a seat and that are no cards: tokens lie there for them."""
        piles = {f"{owner}.{name}" for owner, name in self.piles.by_owner()}
        return [
            replace(fact, label=inside(fact.label))
            for fact in self.facts()
            if fact.shows.is_count and fact.name not in piles
        ]

    def figures(self) -> object:
        books = _books(type(self))
        return (
            books.table.hashed(self),
            tuple(self.piles.counts.values()),
            tuple(books.part.hashed(part) for part in self.players.values()),
        )

    def adjust(self, changes: Mapping[str, Json]) -> None:
        books = _books(type(self))
        setters = books.table.setters(self, self)
        for seat, part in self.players.items():
            setters |= books.part.setters(self, part, f"{seat}.")
        with citing(self.corrections) if self.corrections else nullcontext():
            set_all(self, setters, changes)

    def to_file(self) -> dict[str, Json]:
        books = _books(type(self))
        players = {str(seat): books.part.written(self, part) for seat, part in self.players.items()}
        return {"box": self.box, **books.table.written(self, self), "players": {**players}}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        """Read a position file, not yet judged; BadFile with the place in it."""
        books = _books(cls)
        file = read_model(books.file, raw, source)
        lines = seat_lines(vars(file)["players"])
        players: dict[Seat, PartT] = {
            seat: cls.part(seat=seat, **books.part.read(line)) for seat, line in lines.items()
        }
        piles = CountedPiles(TABLE, dict.fromkeys(_piles_of(books, [*players]), 0))
        position = cls(players=players, piles=piles, **books.table.read(file))
        books.read_piles(position, file, lines)
        return position


@dataclass(frozen=True, eq=False)
class _Books:
    """What the declarations of a position's type make: two ledgers, and the model of its file."""

    table: Ledger[Any, Any]
    part: Ledger[Any, Any]
    file: type[BaseModel]

    def entry(self, seat: Seat, name: str) -> Quantity:
        """What is declared of a quantity of a seat's part, or of the table; KeyError of others."""
        entries = (self.table if seat == TABLE else self.part).entries
        if name not in entries:
            raise KeyError(f"{seat} has no {name!r}; there are {listed([*entries])}")
        return entries[name]

    @staticmethod
    def piles(ledger: Ledger[Any, Any]) -> Mapping[str, Quantity]:
        """What is declared of the piles among these quantities, by name."""
        return {one.key: one for one in ledger.entries.values() if one.about == "cards"}

    def read_piles(
        self, position: SeatedPosition[Any], file: BaseModel, lines: Mapping[Seat, BaseModel]
    ) -> None:
        """The piles as a file counts them."""
        for ledger, owner, line in (
            (self.table, position, file),
            *((self.part, position.players[seat], line) for seat, line in lines.items()),
        ):
            for entry in ledger.entries.values():
                if entry.get is not None and entry.put is not None:
                    entry.put(position, owner, entry.key, getattr(line, entry.key))


@cache
def _books(kind: type[SeatedPosition[Any]]) -> _Books:
    table: Ledger[Any, Any] = Ledger(kind, unset=(_STAGE,))
    part: Ledger[Any, Any] = Ledger(kind.part)
    players = seats_model("Players", part.model("Player"), kind.seats, kind.fewest)
    before = {"box": (Literal[kind.box], kind.box)}
    file = table.model("File", before, {"players": (players, ...), "since": (list[Any], [])})
    return _Books(table, part, file)


def _piles_of(books: _Books, seats: Sequence[Seat]) -> dict[str, Quantity]:
    """What is declared of every pile: the common ones, then those of each seat."""
    own = books.piles(books.part).items()
    each = {own_pile(seat, name): entry for seat in seats for name, entry in own}
    return {**books.piles(books.table), **each}
