"""Which screen the moment asks for, and what it says."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import board_plan
from ui.scene.values import KeyLook
from ui.screens.beside.home import HomeState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.cards import CardsState
from ui.screens.match.choose import ChooseState
from ui.screens.match.everyone import EveryoneState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.round import RoundState
from ui.touch import actions as a

CARDS = {"jaws/1": "pilot", "paws/1": "gunner"}


def test_without_a_match_home_is_shown(person: Any) -> None:
    """Nothing to resume: the card of the open match is empty, the five keys are there."""
    assert person.is_at(HomeState)
    assert person.state.open is None
    assert [key.label for key in person.state.keys][:2] == ["New match", "Past matches"]


def test_a_new_match_begins_with_the_table_check(person: Any) -> None:
    """Start leads to the first question."""
    person.touch(a.StartMatch())
    assert person.is_at(TableCheckState)
    assert isinstance(person.go_on(), ChooseState)


def test_the_toss_is_asked_with_a_key_a_team(person: Any) -> None:
    """Nobody is proposed: there is no next tap."""
    person.begin()
    state = person.state
    assert state.band.lines == ("TOSS: WHO WINS?",)
    assert [key.key.label for key in state.groups[0].keys] == ["Jaws", "Paws"]
    assert state.frame.bottom.next is None


def test_jp_3_5_the_map_takes_the_sun_on_eleven_zones(person: Any) -> None:
    """Every zone is a key but the enemy's PC: a touch of it says why, and gives no answer."""
    person.begin()
    state = person.answer("toss", "Paws")
    cells = [cell for board in state.map.boards for cell in board.cells]
    assert [cell.space for cell in cells if cell.action is None] == ["Jaws.PC"]
    assert len(cells) == 12
    assert state.band.side.name == "Paws"
    assert state.frame.bottom.message.first == "Choose one of 11 places."
    barred = next(cell for cell in cells if cell.action is None)
    refused = person.touch(barred.asks)
    assert (refused.frame.refusal.code, person.is_at(ChooseState)) == ("JP-E01", True)
    assert "Jaws.PC holds your own plane" in refused.frame.refusal.text
    person.touch(cells[0].action)
    assert {*person.match.open} == {"set-up/placed"}


def test_both_teams_say_ready_each_with_a_key(person: Any) -> None:
    """A half a team; a word once said is shown as said, and nothing else is inverted."""
    state = person.to_ready()
    assert person.is_at(ReadyState)
    assert [row.name for row in state.rows] == ["Jaws", "Paws"]
    state = person.touch(state.rows[0].key.action)
    assert [row.key.look for row in state.rows] == [KeyLook.CHOSEN, KeyLook.PLAIN]
    assert [row.key.label for row in state.rows] == ["Jaws ready", "Paws ready"]
    assert isinstance(person.touch(state.rows[1].key.action), RoundState)


def test_no_key_speaks_for_both_teams(person: Any) -> None:
    """Where Done was lies no key that would start the clock; it says who is waited for."""
    state = person.to_ready()
    key = state.frame.bottom.next
    assert (key.action, key.second) == (None, "waits for Jaws, Paws")
    assert state.band.lines == ("READY?",)
    assert state.band.note.startswith("Jaws and Paws: each")
    assert state.frame.bottom.message.first == "Jaws have the Sun"
    state = person.touch(state.rows[0].key.action)
    assert (state.frame.bottom.next.action, person.is_at(ReadyState)) == (None, True)


def test_an_empty_lock_needs_a_held_key(person: Any) -> None:
    """Two quick taps on the next tap do not tell that nobody laid a card."""
    state = person.to_lock()
    key = state.frame.bottom.next
    assert (key.label, key.look) == ("No cards at all", KeyLook.HOLD)
    assert state.lead == "Where do cards lie?"
    assert state.frame.bottom.message.first == "No card is told yet."
    state = person.touch(state.teams[1].sections[0].keys[1].key.action)
    key = state.frame.bottom.next
    assert (key.label, key.second, key.look) == ("Lock is right", "1 card", KeyLook.GO)
    assert state.frame.bottom.message.first == "Wrong? Tap a border."


def test_without_a_camera_nothing_is_said_to_be_seen(person: Any) -> None:
    """The table is taken on people's word, and the screen says so."""
    state = person.touch(a.StartMatch())
    assert state.band.lines == ("LOOK AT THE TABLE",)
    assert state.frame.bottom.next.second == "on your word"
    assert state.frame.bottom.message.first == "No camera looks at the table."
    assert state.picture is None
    person.to_round()
    assert person.wait(20.0).frame.bottom.message.second == "Tell one: Arbiter, Report."


def test_with_a_camera_the_table_is_said_to_be_as_it_should(person: Any) -> None:
    """Seen pieces stand behind the words."""
    person.touch(a.StartMatch())
    state = person.see({"jaws": "Paws.PC", "paws": "Jaws.PC"})
    assert state.band.lines == ("TABLE READY",)
    assert state.frame.bottom.next.second == "the table is right"


ALL_BOARDS = tuple(board.name for board in board_plan().boards)


@pytest.mark.parametrize(
    ("without", "told"),
    [
        (ALL_BOARDS, "0 of 6 seen: show the camera their corners"),
        (ALL_BOARDS[:2], " and ".join(ALL_BOARDS[:2]) + " not seen"),
    ],
)
def test_a_table_whose_boards_the_camera_does_not_see_is_not_ready(
    person: Any, without: tuple[str, ...], told: str
) -> None:
    """Whether anything moves or not; Start is on people's word then."""
    person.touch(a.StartMatch())
    state = person.state
    for moment in (PictureState.MOVING, PictureState.STILL, PictureState.SETTLED):
        state = person.see({"jaws": "Paws.PC"}, moment, without=without)
        assert (state.band.lines, state.band.note) == (("BOARDS",), told)
        assert state.frame.bottom.next.second == "on your word"
    told_of = [line.name for line in state.lines]
    assert ("Jaws plane" in told_of) is (without != ALL_BOARDS), "no piece where no board is seen"


def test_a_table_on_which_something_moves_since_the_first_picture_is_not_ready(
    person: Any,
) -> None:
    """Once it was read a hand takes nothing back."""
    person.touch(a.StartMatch())
    state = person.see({}, PictureState.MOVING)
    assert state.band.lines == ("HANDS OFF",)
    assert state.frame.bottom.next.second == "on your word"
    seen = {"jaws": "Paws.PC", "paws": "Jaws.PC"}
    assert person.see(seen).band.lines == ("TABLE READY",)
    assert person.see(seen, PictureState.HAND).band.lines == ("TABLE READY",)


def test_jp_6_1_the_lock_counts_borders_by_touch(person: Any) -> None:
    """One, two, none; two names the deed where the next tap is."""
    state = person.to_lock()
    assert [team.side.name for team in state.teams] == ["Paws", "Jaws"], (
        "as they lie before the screen"
    )
    pilot = state.teams[1].sections[2].keys[0]
    assert (pilot.letter, pilot.border, pilot.count) == ("P", "light", 0)
    for count, note in ((1, ""), (2, "doubled"), (0, "empty"), (1, "")):
        state = person.touch(state.teams[1].sections[2].keys[0].key.action)
        section = state.teams[1].sections[2]
        assert (section.keys[0].count, section.note) == (count, note)
    assert (state.teams[1].total, state.teams[1].split) == ("1 card", "Pilot 1, Gunner 0")
    state = person.touch(state.teams[1].sections[2].keys[1].key.action)
    assert state.frame.bottom.next.label == "Discard Jaws 3"
    assert person.go_on().band.lines == ("Jaws 3: discard 2",)
    assert isinstance(person.read_rulings(), EveryoneState)


def test_jp_e31_a_lock_that_no_hand_held_is_refused_in_words(person: Any) -> None:
    """Five cards of one player: the screen stays, the refusal has code and way out."""
    state = person.to_lock()
    for section in range(3):
        for _ in range(2):
            state = person.touch(state.teams[1].sections[section].keys[0].key.action)
    state = person.go_on()
    assert person.is_at(LockState)
    assert state.frame.refusal.code == "JP-E31"
    assert state.frame.refusal.cite


@pytest.mark.parametrize(
    ("side", "rows"),
    [("near", ["Paws 4321", "Jaws 1234"]), ("far", ["Jaws 4321", "Paws 1234"]),
     ("left", ["Paws 1234", "Jaws 4321"]), ("right", ["Jaws 1234", "Paws 4321"])],
)  # fmt: skip
def test_the_rows_of_the_lock_stand_as_the_tracks_lie(
    person: Any, side: str, rows: list[str]
) -> None:
    """Far ones first, each from left to right, wherever the screen stands."""
    person.table.set_setting("screen_side", side)
    state = person.to_lock()
    told = [
        f"{team.side.name} {''.join(section.label for section in team.sections)}"
        for team in state.teams
    ]
    assert told == rows
    touched = state.teams[0].sections[0].keys[0].key.action
    person.touch(touched)
    assert touched.answer.key in person.match.answered


def test_jp_7_1_discards_are_told_as_numbers(person: Any) -> None:
    """All draw with one touch; a row a player from 0 to the hand, of which silence is none."""
    person.to_lock()
    asked = person.answer("checked", "checked")
    assert "Did nobody lay a card?" in asked.band.note
    state = person.answer("nobody", "nobody")
    assert state.band.lines == ("ALL: DRAW UP TO 4",)
    assert [row.name for row in state.rows] == ["Ana", "Bo", "Cleo", "Dan"]
    assert [key.label for key in state.rows[1].keys] == ["0", "1", "2", "3", "4"]
    state = person.touch(state.rows[1].keys[2].action)
    lit = [[key.label for key in row.keys if key.look is KeyLook.CHOSEN] for row in state.rows]
    assert lit == [["0"], ["2"], ["0"], ["0"]]
    assert state.frame.bottom.message.first == "Discard: Bo 2"
    person.go_on()
    texts = [ruling.text for ruling in person.match.rulings]
    assert any("Jaws Gunner Bo discards 2" in text for text in texts)


def test_jp_9_1_the_pad_has_every_card_and_asks_one_team(person: Any) -> None:
    """Movements left in rows of four, boards right in rows of three, one tap a card."""
    state = person.to_section(1, CARDS)
    assert person.is_at(CardsState)
    assert (state.side.name, state.asked) == ("Jaws", "JAWS: FLIP 1")
    assert [group.title for group in state.left] == ["OWN PLANE", "ENEMY PLANE", "SUN"]
    assert [key.key.label for key in state.left[0].keys] == ["Left", "Corner", "View", "Right"]
    shoot = next(group for group in state.right if group.title == "SHOOT")
    assert (shoot.rows, shoot.columns) == (2, 3)
    assert state.frame.bottom.next.action is None
    state = person.touch(shoot.keys[0].key.action)
    assert state.side.name == "Paws"
    assert state.others[0].name == "Jaws: Shoot PL"
    assert state.others[0].value == "touch"


def test_ruling_17_a_sideways_card_opens_from_one_key(person: Any) -> None:
    """Four cards may lie sideways; they share a key, which opens them."""
    state = person.to_section(1, CARDS)
    unclear = [
        key.key for group in state.right for key in group.keys if isinstance(key.key.action, a.Show)
    ]
    assert [key.second for key in unclear] == ["which card?"]
    assert [key.label for key in unclear] == ["Lies sideways"]
    state = person.touch(unclear[0].action)
    keys = [key for group in (*state.left, *state.right) for key in group.keys]
    assert len(keys) == 4
    state = person.touch(keys[0].key.action)
    assert state.side.name == "Paws"
    assert person.view.panel is None


def test_jp_e60_a_card_on_an_empty_section_is_not_on_the_pad(person: Any) -> None:
    """Told all the same, it is refused with code, rule and way out."""
    state = person.to_section(1, CARDS)
    labels = [k.key.label for g in (*state.left, *state.right) for k in g.keys]
    assert "No card" not in labels
    state = person.answer("reveal/jaws", "none")
    assert state.frame.refusal.code == "JP-E60"
    assert person.is_at(CardsState)


def test_jp_14_4_a_ruling_says_who_what_why_and_the_counts(person: Any) -> None:
    """Band, lines in step order, cites, counts before and after, and the way on."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    state = person.answer("reveal/paws", "MSL")
    assert state.frame.top.title == "SECTION 1 · RULING"
    assert state.frame.top.where == "Round 1"
    while not any("hits" in line.first for line in state.lines):
        state = person.go_on()
    (hit,) = [line for line in state.lines if "hits" in line.first]
    assert hit.step == "5"
    assert "JP-14.1" in hit.why.second
    assert state.band.lines == ("Paws Pilot", "scrap 6")
    assert state.frame.bottom.message.first == "Cleo: deck 26, then 20"


def test_why_opens_the_rule_s_text(person: Any) -> None:
    """One touch from the ruling to what it cites, and back."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    ruling = person.answer("reveal/paws", "SH PL")
    rules = person.touch(ruling.lines[0].why.action)
    assert rules.paragraphs[0].rule == "JP-14.1"
    assert "enemy plane token is on that zone" in rules.paragraphs[0].text
    assert person.touch(a.Back()) == ruling


def test_jp_12_a_move_shows_where_the_piece_was(person: Any) -> None:
    """Solid where it belongs now, dashed where it stood, an arrow for the hand."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL enemy")
    state = person.answer("reveal/paws", "SH PL")
    dashed = {piece.piece: piece.space for piece in state.map.pieces if piece.dashed}
    solid = {piece.piece: piece.space for piece in state.map.pieces if not piece.dashed}
    assert dashed == {"paws": "Jaws.PC"}
    assert solid["paws"] == "Jaws.PL"
    assert len(state.map.arrows) == 1
