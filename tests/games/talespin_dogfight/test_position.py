"""Position files: the examples, what is refused, what an arbiter may set."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadCall, BadFile, BadPosition
from companion.games import find_rulebook
from companion.games.talespin_dogfight.position import DOGFIGHT, PLAYED, PLAYER, TalespinPosition
from companion.games.talespin_dogfight.steps import OVER, SET_UP, STEPS

MakeTable = Callable[..., Any]
HERE = Path(__file__).parents[3] / "companion/games/talespin_dogfight/positions"
EXAMPLES = sorted(HERE.glob("*.toml"))


def test_there_are_examples() -> None:
    """A test over none would be green for nothing."""
    assert len(EXAMPLES) >= 4


def test_the_page_has_the_rows_of_the_ledger() -> None:
    """What may stand in a file, and what an arbiter may set, is told as it is declared."""
    page = (HERE / "README.md").read_text("utf-8")
    for rows in (DOGFIGHT.rows(), PLAYED.rows("A2."), PLAYER.rows("A.")):
        assert "\n".join(rows) in page


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_asks_what_its_head_says(path: Path, new_table: MakeTable) -> None:
    """The first comment names house rules and the question."""
    text = path.read_text("utf-8")
    head = [line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# ")]
    said = {part[0]: part[1] for part in head if part[0] in ("Asks first", "House rules")}
    house = dict(part.split(" = ") for part in said.get("House rules", "players = 2").split(", "))
    table = new_table(position=tomllib.loads(text), options=house)
    assert table.asked[0] == said["Asks first"]
    raw = table.position.to_file()
    assert TalespinPosition.from_file(raw).to_file() == raw
    table.finish()
    assert table.match.outcome is not None


@pytest.mark.parametrize("step", [name for name in STEPS if name not in (SET_UP, OVER)])
@pytest.mark.parametrize("start", ["pilot", "range"])
def test_a_match_may_begin_at_every_step(step: str, start: str, at: MakeTable) -> None:
    """And comes to its end; no card is lost on the way."""
    table = at(step, players=3, start=start)
    total = table.position.piles.total
    table.finish()
    assert table.match.outcome is not None
    assert table.position.piles.total == total


FAULTY: dict[str, tuple[str, dict[str, Any], str]] = {
    "a seat is left out": ("announce", {"players": {"A": {}, "B": {}, "D": {}}}, "C is empty"),
    "nobody is on turn": ("announce", {"turn_of": None}, "someone is on turn"),
    "a stranger is on turn": ("announce", {"turn_of": "D"}, "nobody sits at D"),
    "against oneself": ("defend", {"defender": "A"}, "A cannot fight itself"),
    "no defender": ("defend", {"defender": None}, "defend needs a defender"),
    "too many dogfights": ("announce", {"dogfight": 2}, "dogfight 2; a turn has 1 at most"),
    "over": ("over", {}, "the turn's dogfights are over"),
    "not announced": ("announce", {"start": "pilot"}, "no dogfight is announced yet"),
    "no start": ("defend", {"start": ""}, "started by pilot or by range?"),
    "no first maneuver": ("defend", {"played": []}, "the card that started it"),
    "the wrong card": ("defend", {"start": "range"}, "it was started by range"),
    "off the ring": ("defend", {"A": {"place": 20}}, "the ring has locations 1 to 12"),
    "out of RANGE": (
        "start-attacker",
        {"start": "range", "A": {"range": 0}},
        "Player B is 1 location away",
    ),
    "nobody has won": ("damage", {"winner": ""}, "damage comes where the attacker has won"),
    "the wrong one has won": ("bounty", {"winner": "attacker"}, "where the defender has won"),
    "no winner at the end": ("end-others", {"winner": ""}, "needs a winner"),
    "won too early": ("answer-1", {"winner": "attacker"}, "nobody has won yet"),
    "decided too early": ("defend", {"defended": True}, "has not decided yet"),
    "others of the two": ("end-others", {"spoken": ["B"]}, "B fights, and is none of the others"),
    "others too early": ("damage", {"spoken": ["C"]}, "is not the window of the others"),
    "too much Damage": ("damage", {"damage_done": 9}, "9 dealt with"),
    "nothing stands": ("damage", {"standing": 4}, "nothing stands to be met here"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_what_cannot_be_is_refused_by_name_and_place(
    case: str, file: Callable[..., Any], new_table: MakeTable
) -> None:
    """Every fault has its words, the place in the file, and a rule."""
    step, changes, words = FAULTY[case]
    start = changes.get("start") if step == "start-attacker" else None
    raw = file(step, 3, **({"start": start} if start else {}))
    for name, value in changes.items():
        if name in raw["players"]:
            raw["players"][name].update(value)
        elif value is None:
            raw.pop(name, None)
        else:
            raw[name] = value
    with pytest.raises(BadPosition) as refused:
        new_table(position=raw, options={"players": 3})
    told = [f"{fault.path}: {fault.text}" for fault in refused.value.faults]
    assert any(words in text for text in told), told
    assert all(fault.cite.rules or fault.cite.rulings for fault in refused.value.faults)


MANEUVERS: dict[str, tuple[dict[str, Any], str]] = {
    "by a stranger": ({"by": "C"}, "C is neither attacker nor defender"),
    "twice": ({"by": "A", "exchange": 1, "source": "pilot"}, "A has two maneuvers in exchange 1"),
    "too late": ({"by": "A", "exchange": 3}, "exchange 3 comes after answer-2"),
    "from a Pilot card": (
        {"by": "B", "exchange": 2, "source": "pilot"},
        "on the card that started",
    ),
    "too low": ({"by": "B", "exchange": 2, "value": 2}, "a 2 does not meet an 8"),
}


@pytest.mark.parametrize("case", MANEUVERS)
def test_maneuvers_that_cannot_be(
    case: str, file: Callable[..., Any], new_table: MakeTable
) -> None:
    """In the middle of exchange 2."""
    line, words = MANEUVERS[case]
    raw = file("answer-2", 3)
    raw["played"].append({"exchange": 2, "value": 9, **line})
    with pytest.raises(BadPosition) as refused:
        new_table(position=raw, options={"players": 3})
    assert any(words in fault.text for fault in refused.value.faults)


BAD_FILES: dict[str, tuple[dict[str, Any], str]] = {
    "another box": ({"box": "chess"}, "box"),
    "no step": ({"step": "203"}, "step: '203' is no step; there are set-up, announce"),
    "an unknown key": ({"weather": 1}, "weather: there is no such key; there are box, dogfight"),
    "a value of 14": ({"played": [{"by": "A", "exchange": 1, "value": 14}]}, "played.0.value"),
    "no exchange": ({"played": [{"by": "A", "value": 4}]}, "played.0.exchange: is required"),
    "half a card": ({"draw": 1.5}, "draw: "),
    "less than none": ({"draw": -1}, "draw: "),
    "no players": ({"players": {}}, "players.A: is required"),
    "a player's unknown key": (
        {"players": {"A": {"hnad": 3}, "B": {}}}, "players.A.hnad: there is no such key",
    ),
    "an unknown key of the third": (
        {"players": {"A": {}, "B": {}, "C": {"hnad": 3}}}, "players.C.hnad: there is no such key",
    ),
    "a stranger": ({"turn_of": "Z"}, "turn_of: 'Z' is no seat"),
    "a winner": ({"winner": "Ana"}, "winner: 'Ana' is no winner of a dogfight"),
    "a start": ({"start": "taxi"}, "start: 'taxi' is no start of a dogfight"),
    "a source": ({"played": [{"by": "A", "exchange": 1, "value": 4, "source": "sleeve"}]},
                 "'sleeve' is no source of a maneuver"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_broken_file_names_its_place(case: str, file: Callable[..., Any]) -> None:
    """Source, place, and what is allowed."""
    changes, words = BAD_FILES[case]
    with pytest.raises(BadFile) as refused:
        TalespinPosition.from_file({**file("announce"), **changes}, "mine.toml")
    assert str(refused.value).startswith("mine.toml: ")
    assert words in str(refused.value)


def test_the_seats_of_file_and_match_agree(file: Callable[..., Any], new_table: MakeTable) -> None:
    """As many as the file has; three in the file and two by the option cannot be."""
    assert list(new_table(position=file("announce", 3)).position.players) == ["A", "B", "C"]
    with pytest.raises(BadCall, match="position: players A B C; this match has 2: set players"):
        new_table(position=file("announce", 3), options={"players": 2})
    with pytest.raises(BadCall, match="seat 'C' is none of A, B"):
        new_table(seats={"C": "Cleo"})


# -- what an arbiter may set ---------------------------------------------------------------


def test_quantities_are_set_by_name(at: MakeTable) -> None:
    """Counts, places, skills, and what is printed on played maneuvers."""
    table = at("answer-2", players=3)
    table.adjust(A_hand=3, B_packed=0, C_open=2, A_place=7, B_range=4, A2_damage=2)
    assert (table.cards("A"), table.cards("B", "packed"), table.cards("C", "open")) == (3, 0, 2)
    assert table.position.players["A"].place == 7
    assert table.position.damage_total() == 3
    table.match.adjust({"plane-b": "location-4", "draw": 12}, "seen", stamp=table.stamp)
    assert (table.position.players["B"].place, table.piles[0]) == (4, 12)
    table.adjust(A2_value=12)
    assert table.refused("11").code == "TS-E-LOW"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("A.hand", -1, "A.hand: -1 is not a whole number from 0 to 200"),
        ("A.place", "moon", "A.place: 'moon' is not a whole number"),
        ("A.place", 13, "the ring has locations 1 to 12"),
        ("Z.hand", 1, "nothing is called 'Z.hand'; near it are A.hand"),
        ("defended", "yes", "defended: 'yes' is neither true nor false"),
        ("A2.value", 14, "A2.value: 14 is not a whole number from 1 to 13"),
    ],
)
def test_what_cannot_be_set_is_refused(name: str, value: Any, words: str, at: MakeTable) -> None:
    """The message names the quantity and its limits; nothing is changed."""
    table = at("answer-2")
    before = table.position.digest()
    with pytest.raises((BadCall, BadPosition), match=words.replace(".", r"\.")):
        table.match.adjust({name: value}, "test", stamp=table.stamp)
    assert table.position.digest() == before


def test_house_rules_are_set_too(at: MakeTable) -> None:
    """From now on ten is no limit."""
    table = at("before-defender", A={"hand": 9}, pilot=6)
    table.match.adjust({"option.hand_max": 12}, "agreed", stamp=table.stamp)
    table.say("pass")
    assert table.cards("A") == 12


def test_every_cite_of_the_box_has_its_paragraph() -> None:
    """Switches, figures, and all that the rules say (test_coverage.py has the code's own)."""
    rules = find_rulebook("talespin-dogfight")
    known = rules.paragraphs()
    for switch in rules.switches.values():
        assert all(part in known for part in str(switch.cite).split(", ")), switch.name


def test_ruling_5_more_cards_than_a_table_has_are_not_set(at: MakeTable) -> None:
    """Each pile may be counted anew; all of them together come to no more than there can be."""
    table = at("defend")
    with pytest.raises(BadCall, match=r"cards are on the table then, at most 200 can be.*RULING 5"):
        table.adjust(A_hand=100, B_hand=90)
    with pytest.raises(BadPosition, match="no Damage is dealt before the attacker has won"):
        table.match.adjust({"damage done": 1}, "tried", stamp=table.stamp)
    assert table.adjust(A_hand=7).cards("A") == 7
