"""Help before a box's first match: what to put where, step by step, on this screen's map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadFile
from companion.core.ruling import Seat
from companion.games import RULEBOOKS, find_rulebook
from companion.match import first_match
from companion.match.first_match import ON_SCREEN, USUAL, FirstStep, StepShows, first_steps
from companion.match.rulebook import Setup
from ui.scene.theme import Theme
from ui.scene.values import Mark
from ui.screens.beside.first_match import FirstMatchState
from ui.screens.beside.home import HomeState
from ui.screens.beside.new_match import NewMatchState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.registry import parts_of, screen_of
from ui.touch import actions as a


def steps_of(person: Any, box: str) -> list[FirstMatchState]:
    """Every step of a box, as the next tap leads through them."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", box))
    states = [person.touch(a.Show(a.Panel.FIRST_MATCH))]
    while states[-1].frame.bottom.next.label == "Next":
        states.append(person.go_on())
    return states


@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_box_says_what_to_lay_out(person: Any, box: str) -> None:
    """Each step with its map, its piles, the screen itself or words alone, and its rules."""
    rulebook = find_rulebook(box)
    steps, states = first_steps(rulebook), steps_of(person, box)
    assert len(states) == len(steps) > len(USUAL), "fewer steps than a box without a file has"
    assert steps[-1] is ON_SCREEN
    for step, state in zip(steps, states, strict=True):
        assert state.band.lines == (step.title.upper(),)
        assert state.text == step.text
        told_alone = step.shows is StepShows.SCREEN or state.words_alone
        assert bool(state.map or state.lines) is not told_alone
        assert step.shows is StepShows.PILES or not state.words_alone
        assert set(step.cites) <= set(rulebook.paragraphs())
    assert any(state.map is not None and state.map.boards for state in states)
    assert isinstance(person.go_on(), NewMatchState)


@pytest.mark.parametrize("box", RULEBOOKS)
def test_each_step_can_be_left(person: Any, box: str) -> None:
    """By the first key, back to where one came from."""
    for page in range(len(first_steps(find_rulebook(box)))):
        person.touch(a.Show(a.Panel.NEW_MATCH))
        person.touch(a.SetupChoice("box", box))
        state = person.touch(a.Show(a.Panel.FIRST_MATCH, page=page))
        leave = state.frame.bottom.keys[0]
        assert leave.label == "Leave"
        assert isinstance(person.touch(leave.action), NewMatchState)


def test_jp_3_3_planes_stand_on_the_map_where_they_begin(person: Any) -> None:
    """As the table lies before this screen, with each piece's place beside it."""
    state = steps_of(person, "jaws-and-paws")[2]
    assert state.map is not None
    assert {piece.piece: piece.space for piece in state.map.pieces} == {
        "jaws": "Paws.PC", "paws": "Jaws.PC",
    }  # fmt: skip
    assert [(line.name, line.right) for line in state.lines] == [
        ("Jaws plane", "Paws.PC"), ("Paws plane", "Jaws.PC"), ("Sun", "asked for"),
    ]  # fmt: skip
    person.touch(a.SetSetting("screen_side", "far"))
    turned = person.touch(a.Show(a.Panel.FIRST_MATCH, page=2))
    assert turned.map != state.map


def test_boards_on_which_only_cards_lie_are_laid_too(person: Any) -> None:
    state = steps_of(person, "jaws-and-paws")[0]
    assert state.map is not None
    names = [board.name for board in state.map.boards]
    assert "Jaws Action Track" in names
    assert len(names) == 6


def test_piles_are_counted_by_player(person: Any) -> None:
    """By name where somebody sits there; what lies in the middle has a line of its own."""
    person.table.new_match(Setup("dogfight-hex", (), {Seat("A"): "Ana"}, {"players": 3}))
    state = person.touch(a.Show(a.Panel.FIRST_MATCH, page=4))
    assert [(line.name, line.right) for line in state.lines] == [
        ("On the table", "Deck 54"),
        ("Ana", "Hull 2"),
        ("Player B", "Hull 2"),
        ("Player C", "Hull 2"),
    ]
    assert isinstance(person.touch(a.Back()), TableCheckState)


@pytest.mark.parametrize(
    ("box", "told"),
    [
        pytest.param("jaws-and-paws", "petted a dog flips a coin", id="jp-3.4-toss"),
        pytest.param("jaws-and-paws", "4, or 3 from each", id="jp-17.2-solo-hands"),
        pytest.param("dogfight-1917", "aircraft last sits as player A", id="df-3.1-who-begins"),
        pytest.param("dogfight-1917", "says when to draw 5", id="df-3.5-five-drawn"),
        pytest.param("dogfight-1917", "2 Basic Maneuvers and 1 Evasive Climb", id="df-3.3-out"),
        pytest.param("dogfight-hex", "boat last takes the first-player token", id="hx-set-02"),
        pytest.param("starship-edition", "says when to draw 7", id="se-set-01-seven-drawn"),
        pytest.param("starship-edition", "Reminder tokens", id="se-pre-04-tokens"),
        pytest.param("starship-edition", "Priority and takes its marker", id="se-set-03-marker"),
    ],
)
def test_steps_say_what_the_book_has_people_lay_out(box: str, told: str) -> None:
    assert any(told in step.text for step in first_steps(find_rulebook(box)))


def test_help_is_offered_before_the_first_match_of_a_box(person: Any) -> None:
    """On its page and at the table check; later it is a key like any other."""
    state = person.touch(a.Show(a.Panel.NEW_MATCH))
    assert (state.choices[-1].value, state.choices[-1].mark) == ("new here? look", Mark.ASK)
    person.touch(state.choices[-1].key.action)
    assert isinstance(person.state, FirstMatchState)
    person.touch(a.Back())
    checked = person.touch(a.StartMatch())
    keys = {key.label: key for key in checked.frame.bottom.keys}
    assert keys["First match"].second == "new here?"
    person.touch(a.Checked())
    person.answer("toss", "Jaws")
    person.touch(a.Leave())
    state = person.touch(a.Show(a.Panel.NEW_MATCH))
    assert (state.choices[-1].value, state.choices[-1].mark) == ("what lies where", Mark.NONE)
    checked = person.touch(a.StartMatch())
    assert "First match" not in [key.label for key in checked.frame.bottom.keys]


def test_a_demonstration_is_nobodys_first_match(person: Any) -> None:
    person.table.new_match(Setup("jaws-and-paws", demonstration=True))
    person.touch(a.Checked())
    person.answer("toss", "Jaws")
    person.touch(a.Leave())
    state = person.touch(a.Show(a.Panel.NEW_MATCH))
    assert state.choices[-1].mark is Mark.ASK


def test_the_menu_leads_to_it_at_any_time(person: Any) -> None:
    """In a running round too: the clock runs on, and Leave leads back."""
    person.to_round()
    menu = person.touch(a.Show(a.Panel.MENU))
    key = next(key for key in menu.keys if key.label == "First match")
    assert isinstance(person.touch(key.action), FirstMatchState)
    person.touch(a.Back())
    assert person.touch(a.Back()).frame.top.title != "MENU"
    person.touch(a.Leave())
    person.touch(a.Show(a.Panel.MENU))
    person.touch(key.action)
    person.touch(a.Back())
    person.touch(a.Back())
    assert isinstance(person.state, HomeState)


def test_rules_that_do_not_go_together_have_no_map(person: Any) -> None:
    """The help stays readable while the page says what is wrong."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", "dogfight-hex"))
    person.touch(a.SetupChoice("option.players", 2))
    state = person.touch(a.Show(a.Panel.FIRST_MATCH))
    assert state.text
    assert state.map is None


# The file of a box.


class Plain:
    """A box without a file of its own."""

    box = "plain"


def test_a_box_without_a_file_is_told_by_what_every_box_has() -> None:
    assert first_steps(Plain) == (*USUAL, ON_SCREEN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[step]\n", "first_match.toml"),
        ('[[step]]\ntitle = "T"\nshows = "boards"\n', "step 1"),
        (f'[[step]]\ntitle = "{"T" * 25}"\ntext = "t"\nshows = "boards"\n', "24 and 220 letters"),
        ('[[step]]\ntitle = "T"\ntext = "t"\nshows = "moon"\n', "boards, pieces, piles, screen"),
    ],
)
def test_a_wrong_step_is_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "first_match.toml"
    file.write_text(text)
    with pytest.raises(BadFile, match=words):
        first_match.read_steps(file)


def test_a_step_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "first_match.toml"
    file.write_text('[[step]]\ntitle = "T"\ntext = "t"\nshows = "piles"\ncites = ["JP-1.1"]\n')
    assert first_match.read_steps(file) == (FirstStep("T", "t", StepShows.PILES, ("JP-1.1",)),)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_the_screen_in_small_has_a_word_on_every_key(
    person: Any, make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Arbiter, of which the text beside it speaks, stood there without its name."""
    state = steps_of(person, "jaws-and-paws")[-1]
    sheet = make_sheet(Theme(size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    words = {text.text for _, text in sheet.written()}
    assert {"Undo", "Log", "Arbiter", "next tap"} <= words
    assert list(judge.all(sheet)) == []


def test_every_piece_of_a_step_is_named_in_portrait(person: Any, make_sheet: Any) -> None:
    """The map gives way: the Sun had no row under both planes."""
    state = steps_of(person, "jaws-and-paws")[2]
    sheet = make_sheet(Theme(size_px=(480, 800)))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    words = {text.text for _, text in sheet.written()}
    assert {"Jaws plane", "Paws plane", "Sun"} <= words
