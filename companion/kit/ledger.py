"""The ledger of a position: each quantity is declared once, in the class that keeps it.

    owes: int = kept(0, number(0, 2), "Tokens to lay", "hull points lost, tokens still to be laid")

`Ledger(Ship)` reads such declarations and makes of them the facts of panels, the keys of position
files (read and written), what an arbiter may set, the values of the digest, and the rows of the
README's tables. What is kept elsewhere (a pile of cards) is declared by `held`, and a fact that
follows from others by `derived`, both as a `ClassVar` at its place in the class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypedDict, TypeVar, Unpack, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    create_model,
)

from companion.core.ruling import TABLE, Fact, Seat, Shows
from companion.kit.adjusting import Setter, flag, named, whole_number

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from companion.core.board import Piece
    from companion.core.ruling import Json

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)  # `told` and `hashed` are only handed what was kept
N = TypeVar("N")
P = TypeVar("P")
O = TypeVar("O", bound="DataclassInstance")  # noqa: E741 - the owner: a seat's part, or the position

There = Any
"""A box's own position, handed to the functions that the same box declares its quantities with."""


# Kinds: which values a quantity has.


def _as_kept(_: There, value: Any) -> Json:
    return cast("Json", value)


@dataclass(frozen=True)
class Kind(Generic[T_co]):
    """Which values a quantity has, and how files, arbiters, facts and the digest have them.

    `filed` is what stands in a file, as pydantic has types; what that validates to is kept.
    `given(position, name, value)` reads what an arbiter gives, BadCall where it is none; None where
    nobody can set it. `told` is the plain value of facts and files, `written` that of files where
    it is another. `hashed` makes values for the digest of what is dear to write. `says` are the
    values in words, for the README; `within` are the least and the greatest of a number.
    """

    filed: Any
    given: Callable[[There, str, Json], T_co] | None = None
    told: Callable[[There, T_co], Json] = _as_kept
    written: Callable[[There, T_co], Json] | None = None
    hashed: Callable[[T_co], object] | None = None
    says: str = ""
    within: tuple[int, int] | None = None


def typed(generic: Any, *parts: Any) -> Any:
    """A type made at run time, for `Kind.filed`: `typed(list, kind.filed)`."""
    return generic[parts]


def number(low: int, most: int, *, given: tuple[int, int] | None = None) -> Kind[int]:
    """A whole number within limits; `given` are those of an arbiter where they are others."""
    least, greatest = given or (low, most)
    return Kind(
        Annotated[int, Field(ge=low, le=most)],
        lambda _, name, raw: whole_number(name, raw, least, greatest),
        says=f"{low} to {most}",
        within=(low, most),
    )


FLAG: Kind[bool] = Kind(bool, lambda _, name, raw: flag(name, raw))
"""True or false."""


def word(read: Callable[[object], T], names: Iterable[str] = (), kept_as: Any = str) -> Kind[T]:
    """What a reader of names makes of it; `names` are those to list in the README.

    `kept_as` is the type of what the reader returns, as it is at run time.
    """
    return Kind(
        Annotated[kept_as, BeforeValidator(read)],
        lambda _, name, raw: named(name, raw, read),
        says=", ".join(f"`{one}`" for one in names),
    )


def word_of(
    read: Callable[[object, Any], T], table: Callable[[There], Any], kept_as: Any = str
) -> Kind[T]:
    """As `word`, where a reader needs this table's figures: the context with which a file is read.

    `table` finds the same in a position.
    """

    def from_file(raw: object, info: ValidationInfo) -> T:
        return read(raw, info.context)

    return Kind(
        Annotated[kept_as, BeforeValidator(from_file)],
        lambda there, name, raw: named(name, raw, lambda given: read(given, table(there))),
    )


def optional(kind: Kind[T], nothing: N, told: Json = "") -> Kind[T | N]:
    """A kind that may also be `nothing`; "" clears it, and facts then show `told`."""

    def or_nothing(value: Any) -> Any:
        return nothing if value is None else value

    def given_or(there: There, name: str, raw: Json) -> T | N:
        if raw in (None, "") or kind.given is None:
            return nothing
        return kind.given(there, name, raw)

    def told_or(there: There, value: T | N) -> Json:
        return told if value == nothing else kind.told(there, cast("T", value))

    def written_or(there: There, value: T | N) -> Json:
        write = kind.written or kind.told
        return told if value == nothing else write(there, cast("T", value))

    def hashed_or(value: T | N) -> object:
        hashed = kind.hashed
        return value if hashed is None or value == nothing else hashed(cast("T", value))

    return Kind(
        typed(Annotated, kind.filed | None, AfterValidator(or_nothing)),
        given_or if kind.given is not None else None,
        told_or,
        written_or,
        hashed_or if kind.hashed is not None else None,
        kind.says,
        kind.within,
    )


def several(kind: Kind[T], most: int | None = None) -> Kind[tuple[T, ...]]:
    """A list of a kind, so many at most or any number, kept as a tuple; no arbiter sets it."""
    return Kind(
        typed(Annotated, typed(list, kind.filed), Field(max_length=most), AfterValidator(tuple)),
        told=lambda there, values: [kind.told(there, one) for one in values],
        says=kind.says,
    )


def counts(read: Callable[[object], str], most: int) -> Kind[dict[str, int]]:
    """A count, 1 or more, for each thing that a reader names; no arbiter sets it."""

    def each_once(raw: object) -> object:
        if not isinstance(raw, dict):
            return raw
        told: dict[str, object] = {}
        for name, count in cast("dict[object, object]", raw).items():
            thing = read(name)
            if thing in told:
                raise ValueError(f"{thing} is counted twice; give one count")
            told[thing] = count
        return told

    count = typed(Annotated, int, Field(ge=1, le=most))
    return Kind(typed(Annotated, typed(dict, str, count), BeforeValidator(each_once)))


# Entries: what is declared of a quantity.


class Ways(TypedDict, total=False):
    """What a declaration may say besides; what is left out is as `Quantity` has it."""

    key: str
    fact: str
    sets: tuple[str, ...]
    shows: Shows
    short: str
    sign: str
    required: bool
    written: Callable[[Any], bool]
    hashed: bool
    put: Callable[[There, Any, str, Any], None]
    tells: Callable[[There, Any], Iterable[Fact]]
    without: str
    pieces: Mapping[Seat, Piece]
    begins: int


@dataclass(frozen=True)
class Quantity:
    """One declared quantity.

    `label` names it on panels ("": it is no fact) and `about` says in the README what it is.
    `key` is its name in a file and `fact` the name of its fact; left out, both are the
    attribute's name (key "-": it is in no file). `sets` are the names by which an arbiter may set
    it: left out, the key; (), none. `required`: a file must have it. `written(owner)` says whether
    a file has it; left out, files have it where it is not at its default. `put(position, owner,
    name, value)` sets it, where setting does more; `tells(position, owner)` yields its facts, where
    they are several. `without` says in the README what it is when a file leaves it out. `pieces`
    are those that stand where it says, by their seat; `begins` is how many cards lie in a pile at
    first.
    """

    kind: Kind[Any]
    label: str = ""
    about: str = ""
    name: str = ""
    default: Any = None
    get: Callable[[There, Any], Any] | None = None
    key: str = ""
    fact: str = ""
    sets: tuple[str, ...] | None = None
    shows: Shows = Shows.NOTHING
    short: str = ""
    sign: str = ""
    required: bool = False
    written: Callable[[Any], bool] | None = None
    hashed: bool = True
    put: Callable[[There, Any, str, Any], None] | None = None
    tells: Callable[[There, Any], Iterable[Fact]] | None = None
    without: str = ""
    pieces: Mapping[Seat, Piece] = field(default_factory=dict["Seat", "Piece"])
    begins: int = 0

    def value(self, there: There, owner: Any) -> Any:
        """The value that the owner keeps."""
        return getattr(owner, self.name) if self.get is None else self.get(there, owner)

    def is_written(self, value: Any, owner: Any) -> bool:
        """Whether a file of this owner writes it."""
        if self.written is not None:
            return self.written(owner)
        return self.required or bool(value != self.default)

    def facts(self, there: There, owner: Any, seat: Seat, called: str) -> Iterable[Fact]:
        """Its fact; the owner's name stands before the fact's name."""
        if self.tells is not None:
            return self.tells(there, owner)
        name = f"{called}.{self.fact}" if called else self.fact
        value = self.kind.told(there, self.value(there, owner))
        shows, sign, short = self.shows, self.sign, self.short
        return (Fact(name, self.label, value, seat, shows=shows, sign=sign, short=short),)

    def setter(self, there: There, owner: Any) -> Setter:
        """Set it to what an arbiter gives; TypeError where its kind does not say how."""
        given = self.kind.given
        if given is None:
            raise TypeError(f"{self.name}: say how it is set, or that nobody sets it (sets=())")

        def put(name: str, raw: Json) -> None:
            value = given(there, name, raw)
            if self.put is None:
                setattr(owner, self.name, value)
            else:
                self.put(there, owner, name, value)

        return put

    def row(self, prefix: str) -> str:
        """Its line in a README's table: key, what it is, by which names an arbiter sets it."""
        told = ": ".join(part for part in (self.kind.says, self.about) if part)
        if not self.required:
            told += f" [{self.without or _in_words(self.default)}]"
        names = ", ".join(f"`{prefix}{name}`" for name in self.sets or ())
        return f"| `{self.key}` | {told} | {names} |"


def _in_words(default: Any) -> str:
    if isinstance(default, bool):
        return "true" if default else "false"
    return "none" if default in (None, "", (), [], {}) else str(default)


_LEDGER = "ledger"


def kept(default: T, kind: Kind[T], label: str = "", about: str = "", **ways: Unpack[Ways]) -> T:
    """A field of a dataclass that is a quantity; an empty dict or list is made anew for each."""
    metadata = {_LEDGER: Quantity(kind, label, about, **ways)}
    if isinstance(default, dict | list):
        made = cast("dict[Any, Any] | list[Any]", default)
        return cast("T", field(default_factory=made.copy, metadata=metadata))
    return field(default=default, metadata=metadata)


def held(
    default: T,
    kind: Kind[T],
    label: str,
    about: str,
    get: Callable[[Any, Any], T],
    **ways: Unpack[Ways],
) -> Quantity:
    """A quantity that something else keeps; `put` in `ways` sets it there."""
    return Quantity(kind, label, about, default=default, get=get, **ways)


def derived(
    label: str, get: Callable[[Any, Any], Json], fact: str = "", shows: Shows = Shows.NOTHING
) -> Quantity:
    """A fact that follows from others: in no file, never set, not hashed."""
    return Quantity(_DERIVED, label, get=get, key=_NO_FILE, fact=fact, sets=(), shows=shows)


def derived_facts(tells: Callable[[Any, Any], Iterable[Fact]]) -> Quantity:
    """Several facts at this place that follow from others, or are declared elsewhere."""
    return Quantity(_DERIVED, key=_NO_FILE, sets=(), hashed=False, tells=tells)


_NO_FILE = "-"
_DERIVED: Kind[Any] = Kind(None)


def always(_: object) -> bool:
    """For `written`: a file says it even at its default."""
    return True


# The ledger.

STRICT = ConfigDict(extra="forbid", strict=True)
"""Files with unknown keys are refused, and so are numbers where words belong."""


class Ledger(Generic[P, O]):
    """All that is made of the quantities that a class declares.

    Facts, keys, names that may be set and hashed values come in the order of the declarations;
    `facts`, `file`, `sets` and `hashed` name the attributes that go first there. `hashed` may name
    plain attributes, too; those that are `unset` no arbiter sets. All functions take the position
    and the owner of the quantities, which for the table's own is the position itself.
    """

    def __init__(
        self,
        of: type[O],
        *,
        facts: Sequence[str] = (),
        file: Sequence[str] = (),
        sets: Sequence[str] = (),
        hashed: Sequence[str] = (),
        unset: Sequence[str] = (),
    ) -> None:
        self.entries: Mapping[str, Quantity] = {entry.name: entry for entry in _declared(of)}
        entries = self.entries.values()
        self._filed = [entry for entry in entries if entry.key != _NO_FILE]
        self._facts = self._sorted(facts, [e for e in entries if e.label or e.tells is not None])
        self._lines = self._sorted(file, self._filed)
        self._sets = self._sorted(sets, [e for e in entries if e.sets and e.name not in unset])
        names = [entry.name for entry in entries if entry.hashed and entry.get is None]
        kinds = {name: entry.kind for name, entry in self.entries.items()}
        self.hashed: Callable[[O], tuple[object, ...]] = _hasher(
            dict.fromkeys((*hashed, *names)), kinds
        )
        """The quantities of an owner as values that never change, for the digest."""

    def _sorted(self, first: Sequence[str], entries: Sequence[Quantity]) -> list[Quantity]:
        ahead = [self.entries[name] for name in first]
        return [*ahead, *(entry for entry in entries if entry not in ahead)]

    def facts(self, position: P, owner: O, seat: Seat = TABLE, called: str = "") -> list[Fact]:
        """Every fact of an owner, in order; a seat's thing is `called` so ("A2"), else the seat."""
        called = called or ("" if seat == TABLE else seat)
        return [one for entry in self._facts for one in entry.facts(position, owner, seat, called)]

    # -- position files --------------------------------------------------------------------

    def model(
        self,
        name: str,
        before: Mapping[str, tuple[Any, Any]] | None = None,
        after: Mapping[str, tuple[Any, Any]] | None = None,
    ) -> type[BaseModel]:
        """What a file may say of an owner; `before` and `after` are keys of the box's own."""
        own = {entry.key: (entry.kind.filed, _default(entry)) for entry in self._filed}
        every: dict[str, Any] = {**(before or {}), **own, **(after or {})}
        return create_model(name, __config__=STRICT, **every)

    def read(self, line: BaseModel) -> dict[str, Any]:
        """The fields of an owner as a file has them: arguments of its class."""
        return {entry.name: getattr(line, entry.key) for entry in self._filed if entry.get is None}

    def written(self, position: P, owner: O) -> dict[str, Json]:
        """The keys of an owner in a file; what stands at its default is left out."""
        line: dict[str, Json] = {}
        for entry in self._lines:
            value = entry.value(position, owner)
            if entry.is_written(value, owner):
                line[entry.key] = (entry.kind.written or entry.kind.told)(position, value)
        return line

    # -- adjustments and pages -------------------------------------------------------------

    def setters(self, position: P, owner: O, prefix: str = "") -> dict[str, Setter]:
        """What an arbiter may set of an owner, each name with this before it ("A.")."""
        return {
            f"{prefix}{name}": entry.setter(position, owner)
            for entry in self._sets
            for name in entry.sets or ()
        }

    def rows(self, prefix: str = "") -> list[str]:
        """The lines of the README's table of these keys."""
        return [entry.row(prefix) for entry in self._filed]


def seats_model(name: str, line: type[BaseModel], seats: Sequence[str], fewest: int) -> Any:
    """A file's part that has one line for each seat; those after the first few may be missing."""
    every: dict[str, Any] = {
        seat: (line, ...) if number < fewest else (line | None, None)
        for number, seat in enumerate(seats)
    }
    return create_model(name, __config__=STRICT, **every)


def seat_lines(part: BaseModel) -> dict[Seat, Any]:
    """The lines of the seats that a file names."""
    return {Seat(seat): line for seat, line in part if line is not None}


def _declared(of: type[DataclassInstance]) -> Iterable[Quantity]:
    own = {one.name: one for one in fields(of)}
    names = [
        name for base in reversed(of.__mro__) for name in vars(base).get("__annotations__", ())
    ]
    for name in names:
        entry = own[name].metadata.get(_LEDGER) if name in own else getattr(of, name, None)
        if isinstance(entry, Quantity):
            key = entry.key or name
            default = _of_field(own[name]) if name in own else entry.default
            sets = (key,) if entry.sets is None else entry.sets
            yield replace(
                entry,
                name=name,
                default=default,
                key=key,
                fact=entry.fact or (name if key == _NO_FILE else key),
                sets=sets,
            )


def _of_field(one: Any) -> Any:
    return one.default_factory() if one.default is MISSING else one.default


def _default(entry: Quantity) -> Any:
    return ... if entry.required else entry.default


def _hasher(names: Iterable[str], kinds: Mapping[str, Kind[Any]]) -> Callable[[Any], Any]:
    """A function that makes the tuple at once: compiled, as dataclasses are; a loop is slower."""
    made = {name: kinds[name].hashed for name in names if name in kinds}
    made = {name: hashed for name, hashed in made.items() if hashed is not None}
    terms = [f"_{name}(one.{name})" if name in made else f"one.{name}" for name in names]
    functions = {f"_{name}": hashed for name, hashed in made.items()}
    source = f"lambda one: ({' '.join(f'{term},' for term in terms)})"
    return cast("Callable[[Any], Any]", eval(source, functions))  # noqa: S307 - names of our fields
