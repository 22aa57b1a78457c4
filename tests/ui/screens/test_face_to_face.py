"""The screen flat between the teams: what asks one side is turned to it as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from ui.scene.theme import Theme
from ui.screens.beside.naming import ClaimState
from ui.screens.match.cards import CardsState
from ui.screens.match.choose import ChooseState
from ui.screens.match.everyone import EveryoneState
from ui.screens.match.field import FieldState
from ui.touch import actions as a

if TYPE_CHECKING:
    from tests.ui.screens.conftest import Person

pytestmark = pytest.mark.usefixtures("window")

LAID = {"jaws/1": "pilot", "paws/1": "gunner", "jaws/2": "gunner", "paws/2": "pilot",
        "jaws/3": "pilot", "paws/3": "gunner", "jaws/4": "gunner", "paws/4": "pilot"}  # fmt: skip


@pytest.fixture
def flat(person: Person) -> Person:
    """A person at a table whose screen lies flat."""
    person.table.set_setting("face_to_face", value=True)
    return person


def parts(state: Any) -> dict[str, Any]:
    """What is drawn of a state at 800x480."""
    from ui.screens.registry import parts_of

    return parts_of(state, Theme(size_px=(800, 480)))


def is_turned(state: Any) -> bool:
    """Whether all of it is, its ground and its Undo too."""
    turned = {name.startswith("turned/") for name in parts(state)}
    assert len(turned) == 1
    return turned.pop()


def test_a_card_is_asked_of_each_team_the_right_way_round(flat: Person) -> None:
    """The near team reads the pad as it lies, the far one upside down, in either order."""
    flat.to_section(1, LAID)
    seen = {}
    for _ in range(2):
        state = flat.state
        assert isinstance(state, CardsState)
        seen[state.side.name] = is_turned(state)
        flat.answer(f"reveal/{state.side.name.lower()}", "SH PL")
    assert seen == {"Jaws": False, "Paws": True}


def test_a_choice_of_one_team_is_turned_to_it(flat: Person) -> None:
    """Who lost the toss places the Sun: that team is asked, and the other reads nothing."""
    turned = {}
    for winner in ("Jaws", "Paws"):
        flat.begin()
        flat.answer("toss", winner)
        state = flat.state
        assert isinstance(state, ChooseState)
        assert state.band.side is not None
        turned[state.band.side.name] = is_turned(state)
    assert turned == {"Jaws": False, "Paws": True}


def test_what_everybody_or_the_arbiter_reads_lies_as_it_is(flat: Person) -> None:
    """Ready, lock, log and arbiter face whoever holds the screen."""
    flat.to_ready()
    assert not is_turned(flat.state)
    for panel in (a.Panel.LOG, a.Panel.ARBITER, a.Panel.REPORT):
        assert not is_turned(flat.touch(a.Show(panel)))
        flat.touch(a.Back())


def test_without_the_setting_nothing_is_turned(person: Person) -> None:
    """A screen that stands beside the table is read from one side."""
    person.to_section(1, LAID)
    first = person.state.side.name
    person.answer(f"reveal/{first.lower()}", "SH PL")
    assert not is_turned(person.state)


def test_a_player_across_is_asked_upside_down_in_a_duel(
    flat: Person, duel: Callable[..., Any]
) -> None:
    """Boxes with a field follow the same rule: the second of two is across."""
    duel()
    seats = {}
    for _ in range(6):
        state = flat.state
        if not isinstance(state, FieldState) or not flat.match.open:
            break
        asked = next(iter(flat.match.open.values()))
        seats[str(asked.by)] = is_turned(state)
        flat.touch(a.Anyway(a.Answer(asked.key, asked.opened, asked.options_now()[0].name)))
        flat.read_rulings()
    assert seats.get("A", False) is False
    assert seats.get("B", True) is True


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_undo_of_a_turned_screen_is_touched_where_it_is_seen(
    flat: Person, make_sheet: Callable[[Theme], Any], actions: list[Any], size: tuple[int, int]
) -> None:
    """Upside down its bottom row lies along the far edge, and a finger there hits it."""
    from kivy.tests.common import UnitTestTouch

    from ui.screens.registry import parts_of, screen_of

    flat.to_section(1, LAID)
    while flat.state.side.name != "Paws":
        flat.answer(f"reveal/{flat.state.side.name.lower()}", "SH PL")
    theme = Theme(size_px=size)
    sheet = make_sheet(theme)
    sheet.show(screen_of(flat.state), parts_of(flat.state, theme))
    sheet.clock = lambda: 1e9
    box = sheet.parts["turned/bottom/0"].box
    assert box.bottom < theme.high_u / 2
    assert box.right == pytest.approx(theme.wide_u - 10)
    x, y = box.centre
    touch = UnitTestTouch(x * theme.unit_px, size[1] - y * theme.unit_px)
    touch.touch_down()
    touch.touch_up()
    assert actions == [a.AskUndo()]


def test_two_players_tell_what_they_draw_with_two_fingers_at_once(
    person: Person, make_sheet: Callable[[Theme], Any]
) -> None:
    """The draw form: each finger tells its own number, though the other's redraws the screen."""
    from kivy.tests.common import UnitTestTouch

    from ui.screens.registry import parts_of, screen_of

    person.to_lock()
    for place, role in LAID.items():
        person.answer(f"lock/{place}", {"pilot": 0, "gunner": 0, role: 1})
    person.answer("checked", "checked")
    person.read_rulings()
    assert person.is_at(EveryoneState)
    theme = Theme(size_px=(800, 480))
    sheet = make_sheet(theme)

    def show() -> None:
        sheet.show(screen_of(person.state), parts_of(person.state, theme))

    def touched(action: Any) -> None:
        person.do(action)
        show()

    show()
    sheet.clock = lambda: 1e9
    sheet.on_action = touched
    boxes = [sheet.parts[name].box for name in ("player/0/1", "player/3/0")]
    fingers = [UnitTestTouch(box.centre[0], 480 - box.centre[1]) for box in boxes]
    for finger in fingers:
        finger.touch_down()
    for finger in reversed(fingers):
        finger.touch_up()
    told = [q.key for q in person.match.open.values() if q.key in person.match.answered]
    assert len(told) == 2
    assert person.is_at(EveryoneState)


def test_a_claim_is_told_by_each_side_the_right_way_round(flat: Person) -> None:
    """What a team says of a dispute, and the keyboard on which it says it in other words."""
    flat.to_section(1, LAID)
    flat.touch(a.OpenChallenge("Jaws"))
    assert not is_turned(flat.state), "what both decide faces the operator"
    for side, turned in (("Jaws", False), ("Paws", True)):
        state = flat.touch(a.Show(a.Panel.CHALLENGE, f"claim/{side}"))
        assert is_turned(state) is turned
        typed = state.keys[-1].action
        assert is_turned(ClaimState(typed, typed.text)) is turned
        flat.touch(a.Back())
