"""A box whose seats, house rules and buttons follow the variant: the app reads them from there.

The box is Jaws & Paws under another name: by fours, or as a duel in which two play both seats of a
team, say what they fly beside their names, and have no buttons.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any, ClassVar

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Json, Seat
from companion.games import RULEBOOKS, Shelf, find_rulebook
from companion.games.jaws_and_paws.boards import JP, NAMES, PAWS, PP
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.games.jaws_and_paws.switches import SWITCHES
from companion.games.jaws_and_paws.table import PhysicalTable
from companion.match.house_rules import Switch
from companion.match.rulebook import Setup
from companion.match.simulation import play_one
from ui.demo.demo import DemoCall, Demonstration
from ui.scene.scene import Situation
from ui.scene.words import Names
from ui.screens.beside.new_match import NewMatchState, present_new_match
from ui.terminal.setting_up import WantedMatch, set_up
from ui.touch.acting import choose, setup_of
from ui.touch.actions import Panel
from ui.touch.view import SetupDraft, View


class Pairs(JawsAndPaws):
    """By fours, as in the manual."""

    box = "pairs"
    variants: ClassVar[tuple[str, ...]] = ("four", "duel", "calm")

    @classmethod
    def in_variants(cls, names: Sequence[str]) -> Any:
        super().in_variants(names)
        return {"duel": Duel, "calm": Calm}.get("".join(names), Pairs)

    @classmethod
    def person(cls, seated: str) -> str:
        return seated.partition("/")[0]


class Duel(Pairs):
    """Two play."""

    seats: ClassVar[Mapping[Seat, str]] = {JP: NAMES[JP], PP: NAMES[PP]}
    switches: ClassVar[Mapping[str, Switch]] = {
        name: switch for name, switch in SWITCHES.items() if name != "public_counts"
    }
    buttons: ClassVar[tuple[Seat, ...]] = ()


class Calm(Pairs):
    """Nothing is timed; nobody plays it here."""

    switches: ClassVar[Mapping[str, Switch]] = {
        name: switch for name, switch in SWITCHES.items() if name != "timer_s"
    }


class PairsTable(PhysicalTable):
    """The same cards, by these rules."""

    rulebook = Pairs


@pytest.fixture(autouse=True)
def pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box stands in the registry."""
    rules, table = ModuleType("pairs.rules"), ModuleType("pairs.table")
    vars(rules)["Pairs"], vars(table)["PairsTable"] = Pairs, PairsTable
    monkeypatch.setitem(sys.modules, "pairs.rules", rules)
    monkeypatch.setitem(sys.modules, "pairs.table", table)
    monkeypatch.setitem(RULEBOOKS, "pairs", Shelf("pairs", "Pairs", "PairsTable"))


def test_a_call_that_names_no_variant_means_the_first() -> None:
    """And the set-up says so, whatever the box's default may be later."""
    assert set_up(WantedMatch("pairs")).variants == ("four",)


def test_seats_are_those_of_the_variant() -> None:
    """What is said of a seat is kept whole; a seat that only another variant has is refused."""
    duel = set_up(WantedMatch("pairs", ("duel",), "JP=Ana/Camel/A,PP=Ben"))
    assert duel.seats == {"JP": "Ana/Camel/A", "PP": "Ben"}
    with pytest.raises(BadCall, match=r"'JG' is unknown; there are JP \(Jaws Pilot\), PP"):
        set_up(WantedMatch("pairs", ("duel",), "JG=Bo"))
    with pytest.raises(BadCall, match=r"this is for 4 players: .*; 1 is named: JG"):
        set_up(WantedMatch("pairs", ("four",), "JG=Bo"))


def test_screens_know_people_by_name() -> None:
    """Of NAME/FIGHTER/PILOT they show the name."""
    names = Names.of(find_rulebook("pairs").in_variants(["duel"]), {JP: "Ana/Camel/A"})
    assert names.player(JP) == "Ana"
    assert names.crew(PAWS) == (PP,)


def test_bots_play_either_variant() -> None:
    """The registry finds their table."""
    for variant in ("four", "duel"):
        assert play_one(Setup("pairs", (variant,)), Random(5)).finished


def seats_screen(draft: SetupDraft) -> NewMatchState:
    """The new match's screen."""
    view = replace(View(), setup=draft).opened(Panel.NEW_MATCH)
    return present_new_match(Situation(0.0), view)


def test_the_new_match_screen_follows_the_variant() -> None:
    """Other seats, other house rules; names come back with their seats."""
    draft = choose(SetupDraft(), "box", "pairs")
    chosen: dict[str, Json] = {
        "seat.JG": "Bo",
        "seat.JP": "Ana/Camel",
        "option.public_counts": False,
    }
    for name, value in chosen.items():
        draft = choose(draft, name, value)
    duel = choose(draft, "variants", "duel")
    state = seats_screen(duel)
    assert len(state.choices) == 4
    assert [field.seat for field in state.seats] == ["JP", "PP"]
    assert state.map is not None
    assert state.map.boards
    assert setup_of(duel) == Setup("pairs", ("duel",), {JP: "Ana/Camel"}, {})
    again = choose(duel, "variants", "four")
    assert setup_of(again).seats == {"JG": "Bo", "JP": "Ana/Camel"}


def test_a_game_without_timed_rounds_offers_no_timer() -> None:
    """What cannot be chosen is not asked for."""
    state = seats_screen(choose(SetupDraft(box="pairs"), "variants", "calm"))
    assert [choice.title for choice in state.choices] == [
        "GAME", "HOUSE RULES", "FIRST MATCH",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_demonstration_goes_on_without_buttons() -> None:
    """Whoever has none touches the screen; as many sit there as the variant has seats."""
    shown = Demonstration(DemoCall("pairs", ("duel",), rounds=1, pace=0))
    assert shown.driver.match.setup.seats == {"JP": "Ana", "PP": "Bo"}
    summary = shown.play()
    assert summary.rounds == 1
    assert summary.sound
