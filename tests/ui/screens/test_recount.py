"""A recount: one held key where a pile is hardly off, two touches for each further one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.match.rulebook import Setup
from tests.ui.screens.conftest import DUEL, DUELLISTS, Person, look
from ui.scene.scene import Scene
from ui.scene.theme import Light, Theme
from ui.scene.values import KeyLook
from ui.screens.arbiter.adjust import AdjustState, ValueState
from ui.screens.registry import parts_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@pytest.fixture(scope="module")
def duellist(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody at a duel that stands still in turn 7: begun once for all looks at it."""
    person = Person(tmp_path_factory.mktemp("duel"))
    begin(person)
    yield person
    person.table.close()


def begin(person: Person) -> None:
    """The duel, past its table check."""
    person.table.new_match(Setup("dogfight-1917", ("base",), DUELLISTS, position=DUEL))
    person.view = act(a.Checked(), person.table, View())


SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))


def test_a_recount_that_is_one_off_takes_four_touches(duellist: Person) -> None:
    """Arbiter, Adjust, the pile, and what it is off by with the other pile, held."""
    duellist.view = View()
    state = duellist.touch(a.Show(a.Panel.ARBITER))
    state = duellist.touch(next(key for key in state.keys if key.label == "Adjust").action)
    assert isinstance(state, AdjustState)
    state = duellist.touch(next(key for key in state.rows[0].keys if key.second == "Deck").action)
    assert isinstance(state, ValueState)
    assert [(head, [key.label for key in keys]) for head, keys in state.near] == [
        ("HOLD: DECK 8, AND", ["hand 6", "discard 5", "damage 3"]),
        ("HOLD: DECK 10, AND", ["hand 4", "discard 3", "damage 1"]),
    ]
    fewer = state.near[0][1][1]
    assert (fewer.second, fewer.look) == ("was 4", KeyLook.HOLD)
    assert fewer.action == a.Adjust((("A.deck", 8), ("A.discard", 5)), "recount")


def test_what_needs_no_other_pile_is_set_by_one_held_key(duellist: Person) -> None:
    """The tokens of 1917 are no part of a sum; what is written is not offered once more."""
    state = look(duellist, "A.tokens", "Ana")
    ((head, keys),) = state.near
    assert head == "HOLD: NOTHING ELSE CHANGES"
    assert [(key.label, key.second) for key in keys] == [
        ("tokens 1", "was 3"),
        ("tokens 2", "was 3"),
        ("tokens 4", "was 3"),
        ("tokens 5", "was 3"),
    ]
    assert look(duellist, "A.tokens", "Ana", A_tokens=2).near == ()


def test_a_further_pile_of_a_recount_takes_two_touches(new_person: Any, tmp_path: Any) -> None:
    """Its key beside the first one, and what makes the sum hold again, held: six for three piles.

    Arbiter, Adjust, the pile, its number; then hand, and one more of it with the discard.
    """
    duel = new_person(tmp_path)
    begin(duel)
    touches = 0
    state: Any = duel.touch(a.Show(a.Panel.ARBITER))
    for said in ("Adjust", "9", "7", "Hand"):
        keys = state.keys if hasattr(state, "keys") else every_key(state)
        key = next(key for key in keys if said in (key.label, key.second))
        state, touches = duel.touch(key.action), touches + 1
    assert (state.label, state.was) == ("Ana: hand", "5")
    assert [(key.label, key.second, key.sign) for key in state.frame.bottom.keys[1:]] == [
        ("Deck", "7", "tick"),
        ("Disc.", "4", "pen"),
        ("Dmg", "2", "pen"),
        ("Tokens", "3", "pen"),
    ]
    assert [(head, [key.label for key in keys]) for head, keys in state.near[:2]] == [
        ("HOLD: THEN IT ADDS UP", ["hand 7"]),
        ("HOLD: HAND 6, AND", ["discard 5", "damage 3", "box 1"]),
    ]
    held = state.near[1][1][0]
    duel.touch(held.action)
    facts = {fact.name: fact.value for fact in Scene(duel.table.situation(), View()).facts}
    assert [facts[name] for name in ("A.deck", "A.hand", "A.discard")] == [7, 6, 5]
    assert touches + 2 == 6


def every_key(state: Any) -> list[Any]:
    """What rows, pad and bottom row have to touch."""
    rows = [key for row in getattr(state, "rows", ()) for key in row.keys]
    pads = [placed.key for group in getattr(state, "groups", ()) for placed in group.keys]
    return [*rows, *pads, *state.frame.bottom.keys]


def test_the_same_pile_of_another_player_is_one_touch_away(
    duellist: Person,
) -> None:
    """Where there is room after the owner's own; one that is written comes first."""
    state = look(duellist, "A.deck", "Ana", B_tokens=2)
    assert [(key.label, key.second) for key in state.frame.bottom.keys[1:]] == [
        ("Ben", "2"),
        ("Hand", "5"),
        ("Disc.", "4"),
        ("Dmg", "2"),
    ]
    assert not state.frame.bottom.message.first


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("written", [{}, {"A_deck": 8}, {"A_hand": 7, "B_tokens": 2}])
def test_offers_of_a_pile_are_whole_and_apart(
    duellist: Person,
    make_sheet: Any,
    judge: Any,
    size: tuple[int, int],
    written: Mapping[str, Any],
) -> None:
    """One off and with other piles, in both formats."""
    state = look(duellist, "A.deck", "Ana", **written)
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show("Value", parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []


HULLS: dict[str, Any] = {
    "box": "dogfight-hex", "turn": 3, "phase": "debris", "deck": 42,
    "wreckage": {"wreck-1": "0,0", "wreck-2": "1,-5", "wreck-3": "2,2", "wreck-4": "-3,0",
                 "hull-b-1": "4,0"},
    "ships": {
        "A": {"place": "3,0 NE", "hull": 2, "hand": 4},
        "B": {"place": "-3,2 NE", "hull": 1, "hand": 4},
        "C": {"place": "-1,-2 NE", "hull": 2, "hand": 4},
    },
}  # fmt: skip


def test_a_hull_of_hex_ships_is_counted_with_its_tokens(new_person: Any, tmp_path: Any) -> None:
    """One fewer: a token is set aside; one more: the one on the map is none of it any more."""
    person = new_person(tmp_path)
    setup = Setup("dogfight-hex", ("base",), DUELLISTS, {"players": 3}, position=HULLS)
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    fewer = look(person, "A.hull", "Ana", A_hull=1)
    assert fewer.fault is not None
    assert [key.label for key in fewer.offers] == [
        "Ana: tokens to lay 1",
        "Ana: tokens set aside 1",
    ]
    more = look(person, "B.hull", "Ben", B_hull=2)
    (key,) = more.offers
    assert (key.label, key.second) == ("Wreckage: off board", "was on the map")
    told = person.touch(key.action).frame.refusal
    assert (told.text, told.way_out) == ("Ben: hull 2, was 1", "Wreckage: off the board")
    assert "hull-b-1" not in person.match.position.wreckage
