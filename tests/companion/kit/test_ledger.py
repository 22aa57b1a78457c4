"""The ledger: a quantity that is declared once is a fact, a key, a setter, a row and hashed."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest

from companion.core.errors import BadCall, BadFile
from companion.core.files import read_model
from companion.core.ruling import Fact, Seat, Shows
from companion.core.text import one_of
from companion.kit.ledger import (
    FLAG,
    Kind,
    Ledger,
    Quantity,
    always,
    counts,
    derived,
    derived_facts,
    held,
    kept,
    number,
    optional,
    seat_lines,
    seats_model,
    several,
    word,
    word_of,
)

A = Seat("A")
FACINGS = ("N", "S")
WORD: Kind[str] = word(lambda raw: one_of(raw, ("red", "blue"), "colour"), ("red", "blue"))


def _facing(raw: object, facings: tuple[str, ...]) -> int:
    return facings.index(one_of(raw, facings, "heading"))


def _called(position: Table, facing: int) -> str:
    return position.facings[facing]


FACING = replace(
    word_of(_facing, lambda position: position.facings, int), told=_called, hashed=lambda at: (at,)
)


def _paint(position: Table, kite: Kite, name: str, colour: str) -> None:
    if position.turn > 9:
        raise BadCall(f"{name}: it is too late for {colour}")
    kite.colour = colour


def _lose(position: Table, kite: Kite, _: str, cards: int) -> None:
    position.hands[kite.seat] = cards


def _height(_: Table, kite: Kite) -> Iterator[Fact]:
    yield Fact(f"{kite.seat}.high", "High", kite.line > 4, kite.seat)


@dataclass(slots=True, eq=False)
class Kite:
    """What a seat has; two facts and a pile are kept elsewhere."""

    seat: Seat
    line: int = kept(3, number(0, 9, given=(1, 5)), "Line", "metres of line", shows=Shows.COUNT)
    hand: ClassVar[Quantity] = held(
        0, number(0, 7), "Hand", "cards", lambda table, kite: table.hands[kite.seat], put=_lose
    )
    torn: bool = kept(False, FLAG, "Torn", "whether it is torn", fact="is torn")
    colour: str = kept("red", WORD, "Colour", put=_paint, sets=("colour", "paint"), short="Col.")
    facing: int | None = kept(None, optional(FACING, None), "Heading", key="heading")
    rival: str = kept("", optional(WORD, ""), "Rival", without="nobody's")
    state: ClassVar[Quantity] = derived("State", lambda _, kite: "torn" if kite.torn else "")
    high: ClassVar[Quantity] = derived_facts(_height)


@dataclass(slots=True, eq=False)
class Table:
    """A position, as far as the ledger asks for one."""

    kites: dict[Seat, Kite] = field(default_factory=dict[Seat, Kite])
    hands: dict[Seat, int] = field(default_factory=lambda: {A: 2})
    facings: tuple[str, ...] = FACINGS
    turn: int = kept(1, number(1, 99), "Turn", "which turn it is", written=always)
    wind: str = kept("red", WORD, "Wind", "its colour", required=True)
    done: tuple[str, ...] | None = kept(
        None, optional(several(WORD, 2), None, told=None), "Done", "who is done", sets=()
    )
    seen: dict[str, int] = kept({}, Kind(dict[str, int]), "", "what was seen", sets=())


KITE: Ledger[Table, Kite] = Ledger(
    Kite, facts=("hand",), file=("torn",), sets=("facing",), hashed=("seat", "facing")
)
TABLE: Ledger[Table, Table] = Ledger(Table)
FILE = TABLE.model(
    "File",
    {"box": (str, "kites")},
    {"kites": (seats_model("Kites", KITE.model("Line"), ("A", "B", "C"), 1), ...)},
)


def read(**told: Any) -> tuple[Table, Any]:
    """A table as a file has it, and the file itself."""
    raw = {"wind": "blue", "kites": {"A": {}}, **told}
    file: Any = read_model(FILE, raw, "mine.toml", "key", context=FACINGS)
    lines = seat_lines(file.kites)
    kites = {seat: Kite(seat, **KITE.read(line)) for seat, line in lines.items()}
    return Table(kites, **TABLE.read(file)), file


def kite(**kept_: Any) -> tuple[Table, Kite]:
    own = Kite(A, **kept_)
    return Table({A: own}), own


def test_facts_come_as_they_are_declared_but_for_the_first() -> None:
    """Their names, labels, values, whose they are, and what panels count."""
    table, own = kite(facing=1, torn=True)
    facts = KITE.facts(table, own, A)
    assert [(fact.name, fact.label, fact.value) for fact in facts] == [
        ("A.hand", "Hand", 2),
        ("A.line", "Line", 3),
        ("A.is torn", "Torn", True),
        ("A.colour", "Colour", "red"),
        ("A.heading", "Heading", "S"),
        ("A.rival", "Rival", ""),
        ("A.state", "State", "torn"),
        ("A.high", "High", False),
    ]
    assert {fact.seat for fact in facts} == {A}
    assert [fact.name for fact in facts if fact.shows is Shows.COUNT] == ["A.line"]
    assert facts[3].short == "Col."


def test_the_tables_facts_bear_no_seat() -> None:
    """What nobody has told is what its kind says it is; a quantity without label is no fact."""
    facts = TABLE.facts(Table(), Table())
    assert [(fact.name, fact.value) for fact in facts] == [
        ("turn", 1), ("wind", "red"), ("done", None)
    ]  # fmt: skip
    told = Table(done=("red",))
    assert TABLE.facts(told, told)[2].value == ["red"]


def test_a_file_leaves_out_what_stands_at_its_default() -> None:
    """But what is required, or always written; and its first keys go first."""
    table, own = kite(line=4, torn=True, facing=0)
    assert [*KITE.written(table, own).items()] == [
        ("torn", True), ("line", 4), ("hand", 2), ("heading", "N")
    ]  # fmt: skip
    assert TABLE.written(table, table) == {"turn": 1, "wind": "red"}
    full = Table(done=(), seen={"red": 1})
    assert TABLE.written(full, full) == {"turn": 1, "wind": "red", "done": [], "seen": {"red": 1}}


def test_what_is_written_is_read_again() -> None:
    """Names whatever their case; places in the words of this table."""
    table, file = read(
        done=["RED"], kites={"A": {"heading": "s", "line": 9, "hand": 5}, "C": {"rival": "Blue"}}
    )
    assert (table.wind, table.done, [*table.kites]) == ("blue", ("red",), ["A", "C"])
    own = table.kites[A]
    assert (own.facing, own.line, own.rival, file.kites.A.hand) == (1, 9, "", 5)
    assert table.kites[Seat("C")].rival == "blue"
    assert KITE.written(table, own) == {"line": 9, "hand": 2, "heading": "S"}


@pytest.mark.parametrize(
    ("told", "place", "words"),
    [
        ({"turn": 0}, "turn", "a number greater than or equal to 1 is expected, not 0"),
        ({"turn": True}, "turn", "a whole number is expected, not True"),
        ({"wind": "green"}, "wind", "'green' is no colour; there are red, blue"),
        ({"done": ["red"] * 3}, "done", "at most 2 items are expected, not ['red', 'red', 'red']"),
        ({"moon": 1}, "moon", "there is no such key; there are box, turn, wind, done, seen, kites"),
        ({"kites": {}}, "kites.A", "is required"),
        (
            {"kites": {"A": {"heading": "E"}}},
            "kites.A.heading",
            "'E' is no heading; there are N, S",
        ),
        ({"kites": {"A": {"line": 10}}}, "kites.A.line", "a number less than or equal to 9 is"),
        ({"kites": {"A": {"torn": 1}}}, "kites.A.torn", "true or false is expected, not 1"),
        (
            {"kites": {"A": {}, "C": {"state": 1}}},
            "kites.C.state",
            "there is no such key; there are line, hand, torn, colour, heading, rival",
        ),
    ],
)
def test_a_file_that_cannot_be_read_names_the_place(
    told: dict[str, Any], place: str, words: str
) -> None:
    """And what may stand there."""
    with pytest.raises(BadFile) as refused:
        read(**told)
    assert refused.value.place == place
    assert refused.value.text.startswith(words)


def test_an_arbiter_sets_each_quantity_by_its_names() -> None:
    """The first ones first; derived facts are not set, and `sets=()` takes a quantity out."""
    table, own = kite(line=4)
    setters = KITE.setters(table, own, "A.")
    assert [*setters] == [
        "A.heading", "A.line", "A.hand", "A.torn", "A.colour", "A.paint", "A.rival"
    ]  # fmt: skip
    given: dict[str, Any] = {
        "line": 5,
        "hand": 1,
        "torn": True,
        "paint": "Blue",
        "heading": "s",
        "rival": "red",
    }
    for name, raw in given.items():
        setters[f"A.{name}"](f"A.{name}", raw)
    assert (own.line, table.hands[A], own.torn, own.colour) == (5, 1, True, "blue")
    assert (own.facing, own.rival) == (1, "red")
    for name in ("A.heading", "A.rival"):
        setters[name](name, "")
    assert (own.facing, own.rival) == (None, "")
    assert [*TABLE.setters(table, table)] == ["turn", "wind"]


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("line", 6, "line: 6 is not a whole number from 1 to 5"),
        ("line", True, "line: True is not a whole number from 1 to 5"),
        ("hand", -1, "hand: -1 is not a whole number from 0 to 7"),
        ("torn", 1, "torn: 1 is neither true nor false"),
        ("colour", "", "colour: '' is no colour; there are red, blue"),
        ("heading", "E", "heading: 'E' is no heading; there are N, S"),
    ],
)
def test_what_an_arbiter_may_not_set_is_refused(name: str, raw: Any, words: str) -> None:
    """By its name, in the words of its kind, and nothing is changed."""
    table, own = kite()
    with pytest.raises(BadCall) as refused:
        KITE.setters(table, own)[name](name, raw)
    assert str(refused.value) == words
    assert KITE.hashed(own) == KITE.hashed(Kite(A))
    assert table.hands == {A: 2}


def test_a_setter_of_the_boxs_own_refuses_too() -> None:
    """It is handed the value that the kind has read, and the name for its message."""
    table, own = kite()
    table.turn = 10
    with pytest.raises(BadCall, match=r"^paint: it is too late for blue$"):
        KITE.setters(table, own)["paint"]("paint", "BLUE")


def test_a_kind_that_nobody_reads_from_an_arbiter_must_say_so() -> None:
    """A declaration that forgets `sets=()` falls where setters are made."""

    @dataclass
    class Forgotten:
        done: tuple[str, ...] = kept((), several(WORD, 2), "Done")

    ledger: Ledger[Forgotten, Forgotten] = Ledger(Forgotten)
    with pytest.raises(TypeError, match="done: say how it is set"):
        ledger.setters(Forgotten(), Forgotten())


def test_things_are_counted_once_each_by_the_names_that_are_kept() -> None:
    """However the names are typed; a count from 1 to the most there are."""

    @dataclass
    class Bag:
        balls: dict[str, int] = kept({}, counts(lambda raw: str(raw).lower(), 3), sets=())

    model = Ledger[Any, Bag](Bag).model("_Bag")
    file: Any = read_model(model, {"balls": {"Red": 1, "BLUE": 3}}, "mine.toml")
    assert file.balls == {"red": 1, "blue": 3}
    for told, words in (
        ({"Red": 1, "red": 2}, "balls: red is counted twice; give one count"),
        ({"red": 0}, "greater than or equal to 1"),
        ({"red": 4}, "less than or equal to 3"),
        (["red"], "balls"),
    ):
        with pytest.raises(BadFile, match=words):
            read_model(model, {"balls": told}, "mine.toml")


def test_the_digest_hashes_what_is_kept_there() -> None:
    """In the order that is told; nothing derived, nothing that is kept elsewhere."""
    assert KITE.hashed(Kite(A, facing=1)) == (A, (1,), 3, False, "red", "")
    assert KITE.hashed(Kite(A)) == (A, None, 3, False, "red", "")


def test_the_page_has_a_row_for_each_key() -> None:
    """Values, meaning, default, and the names by which an arbiter sets it."""
    assert KITE.rows("A.")[:4] == [
        "| `line` | 0 to 9: metres of line [3] | `A.line` |",
        "| `hand` | 0 to 7: cards [0] | `A.hand` |",
        "| `torn` | whether it is torn [false] | `A.torn` |",
        "| `colour` | `red`, `blue` [red] | `A.colour`, `A.paint` |",
    ]
    assert TABLE.rows()[1:3] == [
        "| `wind` | `red`, `blue`: its colour | `wind` |",
        "| `done` | `red`, `blue`: who is done [none] |  |",
    ]
    assert KITE.rows()[-1] == "| `rival` | `red`, `blue` [nobody's] | `rival` |"


def test_declarations_leave_a_plain_dataclass() -> None:
    """With slots, copied as ever, and an empty table of its own for each."""
    own = Kite(A, line=4)
    assert not hasattr(own, "__dict__")
    again = deepcopy(own)
    again.line = 5
    assert (own.line, again.line) == (4, 5)
    one, other = Table(), Table()
    one.seen["red"] = 1
    assert other.seen == {}
