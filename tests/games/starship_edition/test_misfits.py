"""The whole product of operations, moments and times: what loads does something when it is played.

And what is changed in a good file is refused with its place, or is a catalogue that plays.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from companion.core.errors import BadFile
from companion.core.question import Count, Ready
from companion.games.starship_edition import figures
from companion.games.starship_edition.cards import (
    FORM_WINDOWS,
    KINDS,
    Duration,
    Form,
    Moment,
    Whose,
)
from companion.games.starship_edition.figures import TABLE_FILE, read_figures

MakeTable = Callable[..., Any]
Step = dict[str, Any]

NEEDED: dict[str, Step] = {
    "damage": {"amount": 1}, "reduce": {"amount": 1}, "repair": {"amount": 1},
    "energy": {"amount": 1}, "counter": {"name": "over heat", "amount": 1},
    "modify": {"stat": "range", "amount": 1}, "declare": {"text": "Look."},
    "choose": {"of": [{"op": "draw"}, {"op": "miss"}]},
}  # fmt: skip


def steps() -> Iterator[Step]:
    """Every operation with what it needs, and with every value of what else it may say."""
    for op, kind in KINDS.items():
        base: Step = {"op": op, **NEEDED.get(op, {})}
        yield base
        for word in ("vessel", "player"):
            if word in kind.model_fields:
                yield from ({**base, word: whose} for whose in get_args(Whose))
    yield from ({"op": "modify", **NEEDED["modify"], "duration": one} for one in get_args(Duration))
    yield from ({"op": "attack", "at": one} for one in ("one", "attacker", "others"))
    yield from ({"op": "rotate", "steps": one} for one in (1, 8, "free"))
    yield from ({"op": "move", "max": one} for one in (0, 1, "mobility"))


CONTEXTS: list[tuple[str, str]] = [
    *((form, one) for form in get_args(Form) for one in FORM_WINDOWS[form] if one != "any"),
    *(("ability", when) for when in get_args(Moment)), ("bonus", "discard_phase"),
    ("counters", "at_once"), ("counters", "end_of_turn"),
]  # fmt: skip


def catalogue(owner: str, when: str, step: Step) -> dict[str, Any]:
    """A table's own file in which that operation is carried out then."""
    card = {"title": "Xenon", "type": "EQUIP"}
    if owner == "ability":
        ability = {"title": "Trick", "when": when, "effects": [step]}
        return {"abilities": {"AB-X": ability}, "vessel": {"abilities": ["AB-X"]}}
    if owner == "counters":
        kind = {"threshold": 1, "at": when, "effects": [step]}
        lays = {**card, "effects": [{"op": "counter", "name": "rage", "amount": 1}]}
        return {"counters": {"rage": kind}, "cards": {"X": lays}}
    if owner == "bonus":
        return {"cards": {"X": {**card, "form": "gear", "discard_bonus": [step]}}}
    return {"cards": {"X": {**card, "form": owner, "windows": [when], "effects": [step]}}}


LINE = {"hull": 5, "discard": ["G-SHOT"], "gear": ["G-DYNAMO"], "counters": {"over heat": 1}}
SET = [{"action": "set", "primary": "?"}] * 2 + [{"action": "pass"}]


def begun(owner: str, when: str, own: dict[str, Any], table_at: MakeTable) -> Any:
    """A match just before it: three players, and something of everything before each."""
    lines: dict[str, Any] = {seat: deepcopy(LINE) for seat in "ABC"}
    more: dict[str, Any] = {"players": "ABC", "cards": own}
    if owner == "ability" and when != "preparation":
        lines["A"] |= {"declared": ["AB-X"], "used": ["AB-X"]}
    if owner == "bonus":
        lines["A"]["gear"] = ["X"]
    phases = {"prep": "preparation", "preparation": "preparation", "step1": "vessel-abilities",
              "discard_phase": "discard-phase", "end_of_turn": "end-of-turn"}  # fmt: skip
    phase = "tier-sequence" if owner == "counters" else phases.get(when, "tier-sequence")
    if phase == "tier-sequence":
        lines["A"]["tiers"] = deepcopy(SET)
    return table_at(phase, **lines, **more)


def play_it(owner: str, when: str, table: Any, done: tuple[str, ...]) -> bool:
    """Say what leads to the operation and through its questions; whether one of these was ruled."""
    opening = {"prep": "play X", "preparation": "ability AB-X"}.get(when, "")
    in_tier = when == "tier" or owner == "counters"
    if opening:
        table.say("set", opening)
    left = [] if opening else ["X"]
    for _ in range(60):
        if any(word in ruling.text for ruling in table.rulings for word in done):
            return True
        if table.match.outcome or table.position.turn > 3:
            return False
        table.say(answer_to(table, left, in_tier=in_tier))
    return False


def answer_to(table: Any, left: list[str], *, in_tier: bool) -> Any:
    """The card that is to be played where it is asked for; else whatever goes on."""
    question = table.question()
    last = question.key.rpartition("/")[2]
    if last in ("primary", "secondary"):
        return left.pop() if in_tier and left else "G-SHOT"
    if last == "card":
        return left.pop() if left and left[0] in table.names() else "done"
    if last.endswith("order"):
        return [option.name for option in question.offered]
    if last == "effect":
        return "nothing more"
    if isinstance(question, Count):
        return question.low
    if isinstance(question, Ready):
        return None  # the word of the question
    return "B" if last == "target" and "B" in table.names() else table.names()[0]


DID: dict[str, tuple[str, ...]] = {
    "move": ("moves from", "stays on"), "rotate": ("points",), "attack": ("attacks",),
    "damage": ("damage from",), "reduce": ("reduces the attack",), "miss": ("makes the attack",),
    "nullify": ("nullifies",), "repair": ("repairs",), "energy": ("energy (",),
    "counter": ("(over heat)",), "modify": ("has range +1", "changes the attack"),
    "draw": ("draws 1 card",), "discard": ("discards",), "return_to_hand": ("to the hand",),
    "remove_from_game": ("from the game",), "equip": ("equips Xenon",), "expire": ("loses",),
    "set_secondary": ("sets a second card", "sets a first card"),
    "extra_tier": ("more tier",), "declare": ("reads out",), "choose": ("draws 1 card", "makes"),
}  # fmt: skip
"""What a ruling says once the operation was carried out."""


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("owner", "when"), CONTEXTS)
def test_what_loads_does_something_and_the_rest_is_refused(
    owner: str, when: str, table_at: MakeTable
) -> None:
    """Each operation, with each value, at this moment: refused with its place, or it is done."""
    loaded, refused = 0, 0
    for step in steps():
        own = catalogue(owner, when, step)
        wrong = fault_of(own)
        if wrong is not None:
            refused += 1
            assert re.search(r"\.(effects|discard_bonus)\.0", wrong.place), wrong
            assert len(wrong.text) > 10
            continue
        loaded += 1
        table = begun(owner, when, own, table_at)
        said = [ruling.text for ruling in table.rulings]
        assert play_it(owner, when, table, DID[step["op"]]), (step, said)
    assert loaded > 20
    assert refused >= 3


# -- files that somebody changes -----------------------------------------------------------

README = Path(figures.__file__).with_name("README.md").read_text("utf-8")
BLOCKS = [
    *re.findall(r"^```toml\n(.*?)^```", README, re.MULTILINE | re.DOTALL),
    TABLE_FILE.read_text("utf-8"),
]
GARBAGE: tuple[Any, ...] = (
    -1, 0, 1, 100, 10**20, 2.5, True, False, "", "x", "tier", "vessel", "attacker", "any",
    "while_equipped", "x" * 500, [], ["x"], [[]], {}, {"op": "miss"}, {"op": []},
    [{"op": "equip"}], [{"op": "choose", "of": []}], [{"pay": "counter"}],
)  # fmt: skip


def places(part: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a file."""
    if way:
        yield way
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from places(inner, (*way, name))
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from places(inner, (*way, number))


def changed(own: dict[str, Any], way: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The file with another value at one place."""
    whole = deepcopy(own)
    part: Any = whole
    for name in way[:-1]:
        part = part[name]
    part[way[-1]] = value
    return whole


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_changed_example_is_refused_with_its_place_or_means_something(number: int) -> None:
    """Every value of every example, changed to what stands beside it and to garbage: no crash."""
    own = tomllib.loads(BLOCKS[number])
    rng = Random(number)
    ways = [*places(own)]
    values = [value for way in ways if not isinstance(value := _at(own, way), dict)]
    for way in rng.sample(ways, min(40, len(ways))):
        for value in (*rng.sample(GARBAGE, 3), rng.choice(values)):
            wrong = fault_of(changed(own, way, value))
            if wrong is not None:
                assert wrong.place, (way, value, wrong)
                assert wrong.text, (way, value, wrong)
                assert "\n" not in wrong.text
                assert not re.search(r"[Vv]alue error|pydantic|function-|Traceback", str(wrong))


def fault_of(own: dict[str, Any]) -> BadFile | None:
    """Why a file is refused; None where it loads."""
    try:
        read_figures(own)
    except BadFile as wrong:
        return wrong
    return None


def _at(own: Any, way: tuple[Any, ...]) -> Any:
    for name in way:
        own = own[name]
    return own
