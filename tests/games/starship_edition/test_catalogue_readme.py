"""The README's catalogue has every word that a file may have; its examples load and play."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel

from companion.core.errors import BadFile
from companion.games.starship_edition import figures
from companion.games.starship_edition.cards import (
    KINDS,
    Ability,
    BaseOperation,
    Card,
    CounterKind,
    Duration,
    Filter,
    Form,
    Moment,
    Payment,
    Whose,
    Window,
    every,
)
from companion.games.starship_edition.figures import TableFile, read_figures

MakeTable = Callable[..., Any]

README = Path(figures.__file__).with_name("README.md").read_text("utf-8")
BLOCKS: list[dict[str, Any]] = [
    tomllib.loads(block)
    for block in re.findall(r"^```toml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
]


def examples(part: str) -> dict[str, Any]:
    """Everything of a part in all examples together."""
    return {name: entry for block in BLOCKS for name, entry in block.get(part, {}).items()}


CATALOGUE: dict[str, Any] = {
    **{part: examples(part) for part in ("cards", "abilities", "counters", "vessels")},
    "decks": {"standard": {"unknown": 40}},
}


def table_rows(*heading: str) -> dict[str, str]:
    """The rows of the tables headed so: what the first column names, with the whole line."""
    rows: dict[str, str] = {}
    for table in re.findall(r"(?:^\|.*\n)+", README, re.MULTILINE):
        lines = table.splitlines()
        if lines[0].split("|")[1].strip() == ", ".join(f"`{word}`" for word in heading):
            for line in lines[2:]:
                rows |= dict.fromkeys(re.findall(r"`([^`]+)`", line.split("|")[1]), line)
    return rows


def words_of(kind: Any) -> Iterator[str]:
    """Every word that stands for itself in a field of that kind."""
    if get_origin(kind) is Literal:
        yield from (str(word) for word in get_args(kind) if word)
        return
    for inner in get_args(kind):
        yield from words_of(inner)


# -- what stands in it ---------------------------------------------------------------------


def test_every_operation_has_its_row_and_no_other_has_one() -> None:
    """What the loader takes as `op`, and what the README says that it does, are the same."""
    assert list(table_rows("op")) == list(KINDS)


@pytest.mark.parametrize("op", KINDS)
def test_the_row_of_an_operation_has_its_parameters_and_their_values(op: str) -> None:
    """Each parameter by its name in files, each word that it takes, and no default but its own."""
    row = table_rows("op")[op]
    named = set(re.findall(r"`\"?([A-Za-z_]+)\"?`", row))
    wanted: set[str] = {op}
    for name, field in KINDS[op].model_fields.items():
        if name in (*BaseOperation.model_fields, "op"):
            continue
        wanted.add(field.alias or name)
        if name not in ("vessel", "player"):
            wanted |= set(words_of(field.annotation)) - set(get_args(Duration))
        if field.default is not None and not field.is_required() and field.default_factory is None:
            said = re.search(rf"`{field.alias or name}`[^;|]* = `?\"?([\w-]*)", row)
            assert said, (op, name)
            assert said.group(1) in (str(field.default), "the"), (op, name)
    assert wanted <= named, wanted - named
    assert named <= wanted | {"this", "one", "stats"}, named - wanted
    assert all(f"`{name}" in README for name in BaseOperation.model_fields)


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        (("form",), Form),
        (("windows",), Window),
        (("duration",), Duration),
        (("pay",), Payment.model_fields["pay"].annotation),
        (("when",), Moment),
        (("vessel", "player"), Whose),
    ],
)
def test_every_value_has_its_row_and_its_example(heading: tuple[str, ...], kind: Any) -> None:
    """A value that the loader takes is explained, and stands in an example that loads."""
    values = set(words_of(kind))
    assert set(table_rows(*heading)) == values
    if heading[0] != "vessel":
        assert values == set(said_in_examples(heading[0]))


def said_in_examples(word: str, part: Any = BLOCKS) -> Iterator[str]:
    """Every value of a word, wherever it stands in the examples."""
    if isinstance(part, list):
        for entry in part:
            yield from said_in_examples(word, entry)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name == word:
                yield from value if isinstance(value, list) else [value]
            else:
                yield from said_in_examples(word, value)


def test_both_words_at_have_an_example_of_each_value() -> None:
    """Where an attack is aimed, and when a limit is looked at."""
    attack = set(words_of(KINDS["attack"].model_fields["at"].annotation))
    limit = set(words_of(CounterKind.model_fields["at"].annotation))
    assert set(said_in_examples("at")) == attack | limit
    assert all(f"`{word}`" in README for word in limit)


def test_every_operation_has_an_example() -> None:
    """In a card, an ability or a counter."""
    file = read_figures(CATALOGUE).file
    effects = [
        *(card.effects for card in file.cards.values()),
        *(ability.effects for ability in file.abilities.values()),
        *(kind.effects for kind in file.counters.values()),
    ]
    used = {type(step) for steps in effects for _, step in every(steps)}
    assert used == set(KINDS.values())


@pytest.mark.parametrize("model", [Card, Ability, CounterKind, Filter, Payment, TableFile])
def test_every_word_of_an_entry_is_told(model: type[BaseModel]) -> None:
    """Cards in a table of their own, the others in sentences; each in an example, too."""
    for name in model.model_fields:
        assert re.search(rf"\b{name}\b", README), name
        if model not in (Card, Ability):
            continue
        part = "cards" if model is Card else "abilities"
        assert any(name in entry for entry in examples(part).values()), (part, name)


def test_every_word_of_a_card_has_its_row() -> None:
    """And no row is of a word that there is not."""
    table = README.partition("| word | says | default |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(Card.model_fields)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_every_block_loads_by_itself(number: int) -> None:
    """Whoever copies one block into a file has a catalogue."""
    assert set(BLOCKS[number].get("cards", {})) <= set(read_figures(BLOCKS[number]).cards)


# -- that it plays -------------------------------------------------------------------------


class Play(NamedTuple):
    """How an example is played from the moment its card lies open, and what is ruled then."""

    ruled: str
    answers: tuple[Any, ...] = ()
    at: str = "tier"
    lines: Mapping[str, Any] = {}
    players: str = "AB"


GEAR_OF_B = {"B": {"gear": ["G-DYNAMO"]}}
PILE = {"A": {"discard": ["G-SHOT"]}}
TWO_SET = {"A": {"tiers": [{"action": "set", "primary": "?"}] * 2 + [{"action": "pass"}]}}
HOT = {"A": {"counters": {"over heat": 1}}}
DECLARED = {"A": {"vessel": "raider"}, "B": {}}

PLAYS: dict[str, Play] = {
    "BURN": Play("moves from 1,1 to 2,1", ("2,1",)),
    "LANCE": Play("takes 5 damage", ("G-MOVE", "done", "done")),
    "SHELL": Play("has armour +1 (while equipped): Shell."),
    "RALLY": Play("has 1 more tier this turn, 4 in all.", at="prep", lines=PILE),
    "AIM": Play("takes 5 damage (assumed figure); hull 5", at="attacker_modifier", lines=HOT),
    "WATCH": Play("draws 1 card", at="step1"),
    "SPARK": Play("has 4 energy (+1, Spark).", at="end_of_turn"),
    "TRACTOR": Play("moves from 3,1 to 4,1", ("4,1",)),
    "PIVOT": Play("points E now."),
    "BROADSIDE": Play("attacks Player C with Broadside (projectile), power 2.",
                      players="ABC"),
    "DUEL": Play("attacks Player C with Duel, power 3.", ("C",), players="ABC"),
    "RIPOSTE": Play("attacks Player A with Riposte, power 3.", at="response_target"),
    "MINES": Play("takes 1 damage from Mines; hull 9."),
    "SCREEN": Play("takes 1 damage (3 - 2, ", ("done", "done"), at="response_target"),
    "JINK": Play("attacks Player B: it misses (Jink).", ("done",), at="response_target"),
    "JAMMER": Play("attacks Player B: it is nullified (Jammer).", ("done",), at="response_other",
                   players="ABC"),
    "FEEDBACK": Play("takes 1 damage from Feedback; hull 9.", at="response_target"),
    "WELD": Play("repairs 2; hull 9.", ("A",), lines={"A": {"hull": 7}}),
    "SIPHON": Play("has 4 energy (+1, Siphon).", ("yes",)),
    "HEAT-RAY": Play("has 2 counters (over heat)."),
    "SPRINT": Play("moves from 1,1 to 1,5", ("1,5",)),
    "LOCK-ON": Play("has range +2 (turn): Lock on."),
    "REFIT": Play("has hull_max +2 (game): Refit."),
    "SCOUT": Play("draws 1 card", ("yes",)),
    "SABOTAGE": Play("Player B discards Salvo.", ("G-SHOT",)),
    "SALVAGE": Play("takes Salvo back to the hand.", lines=PILE),
    "SCUTTLE": Play("Player B removes a card from the game (deck)."),
    "CREST": Play("has attack +1 (while equipped): Crest."),
    "RUST": Play("Player B loses Dynamo: Rust.", lines=GEAR_OF_B),
    "VOLLEY": Play("sets a second card in tier 2.", ("2",), lines=TWO_SET),
    "PUSH": Play("has 1 more tier this turn, 4 in all."),
    "STORM": Play('reads out: "The player on your left turns over the storm deck."'),
    "EITHER": Play("draws 1 card", ("1",)),
    "GOAD": Play("takes 1 damage from rage; hull 9."),
    "CURSE": Play("is destroyed", ("no",), at="end_of_turn_tier"),
    "BATTERY": Play("pays 1 counter (charge) for Battery.", ("yes",), at="discard_tier"),
    "AB-NOW": Play("draws 1 card", at="preparation"),
    "AB-STEP": Play("has armour +1 (turn): Boost the shields.", at="ability"),
    "AB-ONE": Play("moves from 1,1 to 2,1", ("2,1",), at="ability"),
    "AB-TWO": Play("has range +1 (turn): Ready guns.", at="ability"),
    "AB-THREE": Play("attacks Player B with Last shot, power 1.", at="ability"),
    "AB-DUSK": Play("has 4 energy (+1, Recharge).", at="ability"),
    "AB-NIGHT": Play("repairs 1; hull 8.", at="ability", lines={"A": {"hull": 7}}),
}  # fmt: skip
"""Each example by its id: where it is played, and one ruling that only it can bring."""


def test_every_example_is_played() -> None:
    """Cards and abilities; the counters by the cards that lay them."""
    assert set(PLAYS) == {*CATALOGUE["cards"], *CATALOGUE["abilities"]}
    assert set(CATALOGUE["counters"]) == {"rage", "doom", "charge"}


def begun(name: str, play: Play, tiers_at: MakeTable, table_at: MakeTable) -> Any:
    """A match in which that example has just been named where it is used."""
    lines = {seat: dict(line) for seat, line in play.lines.items()}
    more: dict[str, Any] = {"players": play.players, "cards": CATALOGUE}
    match play.at:
        case "tier" | "discard_tier" | "end_of_turn_tier":
            return tiers_at(lines, A=1, **more).say(name)
        case "prep" | "preparation":
            ship = {"vessel": "raider"} if play.at == "preparation" else {}
            table = table_at(A={**lines.get("A", {}), **ship}, **more)
            return table.say(f"{'play' if play.at == 'prep' else 'ability'} {name}")
        case "ability":
            said = {**lines.get("A", {}), "vessel": "raider", "declared": [name], "used": [name]}
            return table_at("vessel-abilities", A=said, **more)
        case "attacker_modifier" | "response_target" | "response_other":
            table = tiers_at(lines, A=1, **more).say("G-SHOT")
            if play.players == "ABC":
                table.say("B")
            before = {"attacker_modifier": 0, "response_target": 1, "response_other": 2}[play.at]
            return table.say(*["done"] * before, name)
        case phase:
            phases = {"step1": "vessel-abilities", "end_of_turn": "end-of-turn"}
            return table_at(phases[phase], **lines, **more).say(name)


def go_on(table: Any, answers: tuple[Any, ...], ruled: str) -> None:
    """Give these answers where they fit, and wave through what is asked besides."""
    left = list(answers)
    for _ in range(40):
        if any(ruled in ruling.text for ruling in table.rulings) or table.match.outcome:
            return
        key = table.question().key
        if left and not key.endswith(("/card", "spent")):
            table.say(left.pop(0))
        elif key.endswith("/card"):
            table.say("done")
        else:
            table.say(next(iter(table.names())))


@pytest.mark.parametrize("name", PLAYS)
def test_every_example_gives_its_effect(
    name: str, tiers_at: MakeTable, table_at: MakeTable
) -> None:
    """As the README says of it, in a match that has just come to its moment."""
    play = PLAYS[name]
    table = begun(name, play, tiers_at, table_at)
    go_on(table, tuple(a for a in play.answers if a != "done"), play.ruled)
    assert table.said(play.ruled)


def test_the_example_deck_is_the_one_that_is_told() -> None:
    """`unknown` replaces, and without the samples only the own card is there."""
    block = next(block for block in BLOCKS if block.get("samples") is False)
    assert read_figures(block).decks["standard"] == {"BURN": 8, "unknown": 32}
    assert list(read_figures(block).cards) == ["BURN"]
    with pytest.raises(BadFile, match="there must be one called 'standard'"):
        read_figures({name: part for name, part in block.items() if name != "decks"})


def test_a_vessel_that_lacks_no_hull_is_told_without_a_deed(
    tiers_at: MakeTable, table_at: MakeTable
) -> None:
    """What needs no hands is no deed: nobody adds 0 to anything."""
    table = begun("AB-NIGHT", Play("", at="ability"), tiers_at, table_at)
    go_on(table, (), "repairs 0")
    (ruling,) = (one for one in table.rulings if "repairs 0; hull " in one.text)
    assert (ruling.quiet, "+0" in ruling.headline) == (True, False)
