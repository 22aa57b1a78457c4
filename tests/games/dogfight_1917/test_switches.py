"""House rules: which mode has which, what is refused, and that each is tested where it rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import companion.games.dogfight_1917 as box
from companion.core.errors import BadCall, BadPosition
from companion.core.ruling import Cite
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.games.dogfight_1917.switches import HOUSE, MODE_OF
from companion.match.house_rules import house_words

MakeTable = Callable[..., Any]

HERE = Path(__file__).parent
RULINGS = Path(box.__file__).with_name("RULINGS.md")
MODES = Dogfight1917.variants
EVERYWHERE = frozenset.intersection(
    *(frozenset(Dogfight1917.in_variants([name]).switches) for name in MODES)
)
ALL = frozenset().union(*(Dogfight1917.in_variants([name]).switches for name in MODES))
REFEREES = frozenset({"sight"})
"""Switches that rule nothing here: whether the camera's word waits for a tap."""


@pytest.mark.parametrize("name", sorted(ALL - REFEREES))
def test_every_switch_has_a_test_of_its_own(name: str) -> None:
    """A switch that no test turns by its name would be a promise."""
    turned = re.compile(rf'["\']{name}["\']: |option__{name}=|{name}=')
    elsewhere = (path for path in HERE.glob("test_*.py") if path.name != Path(__file__).name)
    here = f"def test_{name}(" in Path(__file__).read_text("utf-8")
    assert here or any(turned.search(path.read_text("utf-8")) for path in elsewhere)


@pytest.mark.parametrize("name", sorted(ALL - REFEREES))
def test_every_switch_stands_among_the_rulings(name: str) -> None:
    """With its values, so that nobody has to read the source to play by it."""
    assert f"`{name}`" in RULINGS.read_text("utf-8")


@pytest.mark.parametrize(
    ("mode", "own"),
    [
        ("base", {"first_game_deck", "basic_combination_enforced"}),
        ("draft", set()),
        ("daring-escape", {"ace_removes", "basic_combination_enforced"}),
        ("battle-royale", {"players", "basic_combination_enforced"}),
        ("team-battle", {"friendly_fire", "basic_combination_enforced"}),
        ("entente-vs-central-powers", {"friendly_fire", "wingman_leader_turn",
                                       "respawn_when_occupied", "leader_reward_look"}),
    ],
)  # fmt: skip
def test_a_mode_has_the_switches_that_do_something_in_it(mode: str, own: set[str]) -> None:
    """Pairs where they are not drafted or prescribed, teammates where there are some."""
    assert set(Dogfight1917.in_variants([mode]).switches) - EVERYWHERE == own


def test_a_drafted_mode_keeps_its_switches_but_the_pairs() -> None:
    """`players` with Battle Royale, `friendly_fire` with Team Battle."""
    royale = Dogfight1917.in_variants(["battle-royale", "draft"]).switches
    teams = Dogfight1917.in_variants(["draft", "team-battle"]).switches
    assert set(royale) - EVERYWHERE == {"players"}
    assert set(teams) - EVERYWHERE == {"friendly_fire"}


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_option_is_named(new_table: MakeTable, mode: str) -> None:
    """With the names that this mode has."""
    with pytest.raises(BadCall, match=r"option 'sunshine' is unknown; there are .*late_stall"):
        new_table(mode, options={"sunshine": True})


@pytest.mark.parametrize("mode", MODES)
def test_a_value_that_nobody_knows_is_refused(new_table: MakeTable, mode: str) -> None:
    """The message names option, value, those allowed, and the rule."""
    for name in Dogfight1917.in_variants([mode]).switches:
        with pytest.raises(BadCall, match=rf"{name}: '?nonsense'?( is none of|;) .*\[DF-"):
            new_table(mode, options={name: "nonsense"})


def test_a_switch_is_read_as_typed(new_table: MakeTable) -> None:
    """From a command line it comes as text, whatever its case."""
    table = new_table("battle-royale", options={"players": "3", "late_stall": "Forbid_Action"})
    assert table.match.rulebook.options["players"] == 3
    assert table.match.rulebook.options["late_stall"] == "forbid_action"


def test_what_a_ruling_owes_to_house_rules_is_said() -> None:
    """Every switch that turns a ruling is named by what cites it, at other than its default."""
    switches = Dogfight1917.in_variants(["entente-vs-central-powers"]).switches
    for switch in switches.values():
        for number in switch.cite.rulings:
            cite = Cite(("DF-1.1",), (number,))
            usual = house_words(cite, HOUSE.turned({switch.name: switch.default}))
            other = house_words(cite, HOUSE.turned({switch.name: switch.values[1]}))
            assert usual == ""
            assert other == f" (House rule: {switch.name} {str(switch.values[1]).lower()}.)"
    assert house_words(Cite.of("DF-1.1"), HOUSE.turned({"friendly_fire": True})) == ""


def test_an_arbiter_may_change_a_house_rule(table_at: MakeTable) -> None:
    """From then on it holds; one that the mode has not is refused and changes nothing."""
    table = table_at("engagement", "team-battle", players="ABCD", B={"place": "2,0 NW"},
                     C={"place": "0,-1 N"})  # fmt: skip
    assert "Basic Attack albatros" not in table.names()
    table.match.adjust({"option.friendly_fire": True}, "agreed", stamp=table.stamp)
    assert "Basic Attack albatros" in table.names()
    with pytest.raises(BadCall, match="option 'ace_removes' is unknown"):
        table.match.adjust({"option.ace_removes": 4}, "no", stamp=table.stamp)


def test_how_many_take_part_is_settled_once_they_play(new_table: MakeTable) -> None:
    """A house rule that would leave a player without a seat is refused."""
    table = new_table("battle-royale")
    with pytest.raises(BadPosition, match="The house rule players cannot make them 3 now"):
        table.match.adjust({"option.players": 3}, "Dan left", stamp=table.stamp)
    assert table.match.rulebook.options["players"] == 4


def test_a_house_rule_of_another_mode_says_whose_it_is(new_table: MakeTable) -> None:
    """The message names the modes that have it; every such rule has its modes told."""
    with pytest.raises(BadCall, match=r"'ace_removes' .* goes with daring-escape; leave it out"):
        new_table("base", options={"ace_removes": 4})
    having = {mode: frozenset(Dogfight1917.in_variants([mode]).switches) for mode in MODES}
    assert set(MODE_OF) == frozenset.union(*having.values()) - EVERYWHERE
    for name, told in MODE_OF.items():
        here = [mode for mode in MODES if name in having[mode]]
        assert all(mode in told for mode in here), name


def dies(table_at: MakeTable, value: str, switch: str, **answers: Any) -> bool:
    """Whether a flight of the Basic Maneuver makes a die due, under that value of the switch."""
    table = table_at(options={switch: value}, **answers["at"])
    table.act("Basic Maneuver").say("fly", answers["end"])
    for key in table.asked:
        if key.endswith("/way"):
            table.say("way", answers["way"])
    return any(key.endswith("/condition") for key in table.asked)


def test_frontal_exact(table_at: MakeTable) -> None:
    """RULING 6: one straight step of the Camel counts among others, or only by itself.

    Straight, then left: a die by the book as read here, none where the whole move must be straight.
    """
    flight: dict[str, Any] = {"at": {}, "end": "-1,0 NW", "way": "straight, left"}
    assert dies(table_at, "count", "frontal_exact", **flight)
    assert not dies(table_at, "whole_move", "frontal_exact", **flight)


@pytest.mark.parametrize(
    ("end", "way", "due"),
    [
        ("-2,2 SW", "left, left", {"relative"}),
        ("-2,1 NW", "left, straight", {"compass"}),
        ("-1,0 NW", "straight, left", set()),
        ("0,-1 N", "straight, straight", {"relative", "compass", "straight"}),
    ],
)
def test_albatros_same_direction(table_at: MakeTable, end: str, way: str, due: set[str]) -> None:
    """RULING 7: two steps the same way, as entered, by compass, or straight on.

    Left twice is the same as entered, but flies two ways by compass; left then straight is one way
    by compass and two as entered.
    """
    at = {"A": {"fighter": "albatros", "pilot": "loewenhardt"}, "B": {"place": "3,0 N"}}
    for reading in ("relative", "compass", "straight"):
        told = dies(table_at, reading, "albatros_same_direction", at=at, end=end, way=way)
        assert told is (reading in due), reading
