"""Screens beside the match: new match, settings, devices, rules, past matches, home."""

from __future__ import annotations

import re
from typing import Any

from companion.core.ruling import Seat
from companion.match.rulebook import Setup
from ui.scene.scene import Situation
from ui.scene.theme import Theme
from ui.scene.values import KeyLook, Line, Mark, Message
from ui.screens.beside.home import FootLine, HomeState, present_home
from ui.screens.beside.lists import present_devices
from ui.screens.beside.new_match import NewMatchState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.ready import ReadyState
from ui.screens.registry import parts_of, screen_of
from ui.table.club import SERVER_ANSWERS
from ui.touch import actions as a
from ui.touch.acting import setup_of
from ui.touch.view import View
from ui.window.operator import Operator


def _choose(person: Any, part: str) -> NewMatchState:
    state: NewMatchState = person.touch(a.Show(a.Panel.NEW_MATCH, part))
    return state


def test_new_match_is_one_page(person: Any) -> None:
    """Boxes, seats, and each further choice with what is chosen now."""
    state = _choose(person, "")
    chosen = [box.key.label for box in state.boxes if box.key.look is KeyLook.CHOSEN]
    assert chosen == ["Jaws & Paws"]
    assert all(box.map.boards and box.map.pieces for box in state.boxes)
    assert [(choice.title, choice.value) for choice in state.choices] == [
        ("GAME", "Day · 4 seats"),
        ("TIMER", "20 s"),
        ("HOUSE RULES", "by the book"),
        ("FIRST MATCH", "new here? look"),
    ]
    assert [field.seat for field in state.seats] == ["JP", "JG", "PP", "PG"]


def test_what_is_opened_of_a_new_match_leads_back_to_its_page(person: Any) -> None:
    """By the next tap and by Back; what was chosen stands there."""
    for part in ("GAME", "TIMER", "HOUSE RULES", "seat.JP"):
        state: Any = _choose(person, part)
        assert state.frame.bottom.keys[0].action == a.Show(a.Panel.NEW_MATCH)
    state = _choose(person, "GAME")
    person.touch(state.rows[0].values[1].action)
    state = person.go_on()
    assert state.choices[0].value == "Night · 4 seats"
    assert person.touch(state.frame.bottom.keys[0].action).open is None
    assert person.is_at(HomeState)


def test_jp_5_8_every_preset_of_the_timer_is_a_key(person: Any) -> None:
    """10, 20, 30, 45, 60, 90 s and none; a changed one is barred."""
    state = _choose(person, "TIMER")
    assert [key.label for key in state.rows[0].values] == [
        "20 s", "10 s", "30 s", "45 s", "60 s", "90 s", "None",
    ]  # fmt: skip
    state = person.touch(state.rows[0].values[1].action)
    assert state.rows[0].changed
    assert state.rows[0].values[1].look is KeyLook.CHOSEN
    assert person.go_on().choices[1].value == "10 s"


def test_house_rules_name_their_ruling_and_say_why(person: Any) -> None:
    """Three a page; every switch of the book is there but the timer."""
    state = _choose(person, "HOUSE RULES")
    titles = [row.title for row in state.rows]
    for _ in range(1, state.pages):
        state = person.touch(a.TurnPage(1))
        titles += [row.title for row in state.rows]
        assert all(row.why and row.cite for row in state.rows)
    rulebook = _rulebook()
    assert len(titles) == len(rulebook.switches) - 1


def _rulebook() -> Any:
    from companion.games import find_rulebook

    return find_rulebook("jaws-and-paws")


def test_two_players_of_one_name_are_refused_where_it_stands(person: Any) -> None:
    """The next tap says why it cannot be touched."""
    _choose(person, "")
    person.touch(a.SetupChoice("seat.JP", "Ana"))
    state = person.touch(a.SetupChoice("seat.PG", "ana "))
    assert state.frame.bottom.next.action is None
    assert "two seats have the name" in state.frame.bottom.next.second
    assert [field.seat for field in state.seats if field.error] == ["JP", "PG"]


def test_what_was_chosen_is_in_the_match(person: Any) -> None:
    """Seats, options and box as touched."""
    person.touch(a.SetupChoice("seat.JP", "Ana"))
    person.touch(a.SetupChoice("option.timer_s", 10))
    person.touch(a.SetupChoice("option.sun_order", "current_section"))
    person.touch(a.StartMatch())
    setup = person.match.setup
    assert setup.seats == {"JP": "Ana"}
    assert setup.options == {"timer_s": 10, "sun_order": "current_section"}


def test_a_setting_is_stored_at_once_and_shown(person: Any, tmp_path: Any) -> None:
    """Night is two touches away, and still night after a restart."""
    person.touch(a.Show(a.Panel.SETTINGS))
    state = person.touch(person.state.rows[0].values[1].action)
    assert state.rows[0].values[1].look is KeyLook.CHOSEN
    assert 'theme = "night"' in (tmp_path / "settings.toml").read_text("utf-8")


def test_a_wrong_setting_is_refused_on_the_screen(person: Any) -> None:
    """The message names what is allowed."""
    person.touch(a.Show(a.Panel.SETTINGS))
    state = person.touch(a.SetSetting("volume", 300))
    assert "100" in state.frame.refusal.text + state.frame.refusal.way_out


def test_home_offers_the_open_match_and_says_what_is_asked(person: Any) -> None:
    """Place, decks, the next question; Resume leads to it."""
    person.to_ready()
    person.touch(a.Leave())
    state = person.state
    assert person.is_at(HomeState)
    assert state.open.title == "JAWS & PAWS"
    assert state.open.asked_next == "Asked next: Jaws: ready?"
    assert [line.name for line in state.open.teams] == ["Ana, Bo", "Cleo, Dan"]
    assert state.open.teams[0].right == "decks 26 · 26"
    person.touch(state.open.resume.action)
    assert person.is_at(ReadyState)


def test_home_says_that_a_challenge_is_open(person: Any) -> None:
    """Whose it is once that is told; it is what Resume leads to, and then what is asked next."""
    person.to_ready()
    person.touch(a.OpenChallenge())
    told = []
    for action in (a.Leave(), a.NameChallenger("Paws"), a.DecideChallenge("stands")):
        person.touch(action)
        if action != a.Leave():
            person.touch(a.Leave())
        told.append(person.state.open.asked_next)
        person.touch(person.state.open.resume.action)
    assert told == [
        "A challenge is open",
        "A challenge is open: Paws",
        "Asked next: Jaws: ready?",
    ]


def test_past_matches_are_listed_with_how_they_ended(person: Any) -> None:
    """An open one can be resumed from the list too."""
    person.to_ready()
    person.touch(a.Close(("Paws",), "time is up"))
    person.touch(a.Leave())
    person.begin()
    person.touch(a.Leave())
    state = person.touch(a.Show(a.Panel.PAST))
    assert [line.mark for line in state.lines] == [Mark.ASK, Mark.OK]
    assert state.lines[1].value == "Jaws & Paws · Paws won · The arbiter closed the match"
    assert re.fullmatch(r"\d\d? [A-Z][a-z]{2} \d\d:\d\d", state.lines[1].right)


def test_a_demonstration_is_named_and_not_offered(person: Any) -> None:
    """Home offers the people's match before it; the list says what the other one was."""
    person.to_ready()
    person.touch(a.Leave())
    ours = person.state.open.resume.action
    person.table.new_match(Setup("jaws-and-paws", ("day",), demonstration=True))
    person.table.checked = True
    person.answer("toss", "Jaws")
    person.touch(a.Leave())
    assert person.state.open.resume.action == ours
    state = person.touch(a.Show(a.Panel.PAST))
    assert state.lines[0].value == "Demonstration · open after 2 lines"
    opened = [person.touch(line.key.action) for line in state.lines]
    words = [match.frame.bottom.next.label for match in opened]
    assert words == ["Look", "Resume"]


def test_back_from_the_table_check_keeps_what_was_chosen(person: Any) -> None:
    """Names and house rules stand as they were; what nobody began is not offered after the next."""
    person.table.new_match(Setup("jaws-and-paws", ("day",), {Seat("JP"): "Ana"}, {"timer_s": 10}))
    assert person.is_at(TableCheckState)
    person.touch(person.state.frame.bottom.keys[0].action)
    state = person.touch(a.Show(a.Panel.NEW_MATCH))
    assert [field.player for field in state.seats] == ["Ana", "", "", ""]
    assert setup_of(person.view.setup).options == {"timer_s": 10}
    person.begin()
    person.touch(a.Leave())
    ours = person.state.open.resume.action
    person.touch(a.ResumeMatch(ours.match_id))
    person.touch(a.Close((), "enough"))
    person.touch(a.Leave())
    assert person.is_at(HomeState)
    assert person.state.open is None


def test_devices_are_sorted_worst_first_and_one_that_was_chosen_can_be_retried(person: Any) -> None:
    """What is live needs no key, and of what was never chosen there is nothing to try again."""
    state = person.touch(a.Show(a.Panel.DEVICES))
    assert [line.name for line in state.lines][:2] == ["Camera", "Lamps, buzzer"]
    assert (state.lines[0].value.partition(".")[0], state.lines[0].key) == ("none chosen", None)
    assert state.lines[1].mark is Mark.OK
    assert state.lines[1].key is None


def test_a_match_of_the_record_that_is_not_there_is_refused_in_words(person: Any) -> None:
    """The screen stays."""
    state = person.touch(a.ResumeMatch("nothing"))
    assert person.is_at(HomeState)
    assert "nothing" in state.frame.refusal.text + state.frame.refusal.way_out


def test_the_menu_has_a_held_key_that_ends_the_app(person: Any) -> None:
    """Nothing of the match is touched: whoever shows the states ends the app."""
    operator = Operator(person.table)
    operator.touched(a.Show(a.Panel.MENU))
    state: Any = operator.state()
    key = next(key for key in state.keys if key.label == "Quit")
    assert (key.look, operator.quitting) == (KeyLook.HOLD, False)
    operator.touched(key.action)
    assert (operator.quitting, operator.restarting) == (True, False)


def test_a_held_key_starts_the_app_again(person: Any) -> None:
    """In the menu, in trouble, and in the settings where one that was changed waits for it."""
    operator = Operator(person.table)
    operator.touched(a.Show(a.Panel.MENU))
    state: Any = operator.state()
    key = next(key for key in state.keys if key.label == "Restart")
    assert key.look is KeyLook.HOLD
    operator.touched(a.Show(a.Panel.SETTINGS))
    for name, value, waits in (("theme", "night", False), ("sounds_from", "box", True)):
        operator.touched(a.SetSetting(name, value))
        state = operator.state()
        actions = [one.action for one in state.frame.bottom.keys]
        assert (key.action in actions) == waits, name
    assert state.frame.bottom.message == Message("Counts at the next start:", "Sounds come from")
    operator.touched(a.SetSetting("sounds_from", "pins"))
    state = operator.state()
    assert key.action not in [one.action for one in state.frame.bottom.keys]
    operator.touched(key.action)
    assert operator.quitting
    assert operator.restarting


def test_a_settings_file_that_cannot_be_read_is_told_above_home(
    make_sheet: Any, judge: Any
) -> None:
    """Whole, over nothing else, without its folders, and with the way out."""
    trouble = "/home/ana/.config/companion/settings.toml: this is no TOML: Invalid character"
    state = present_home(Situation(now=0.0, settings_trouble=trouble), View())
    refusal = state.frame.refusal
    assert refusal is not None
    assert refusal.text == "settings.toml: this is no TOML: Invalid character"
    assert "Settings begin the file anew" in refusal.way_out
    assert not state.frame.bottom.message.first
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []


def test_home_tells_devices_in_a_word_each(person: Any) -> None:
    """The way out stands in the list of devices, where there is room for it."""
    camera = next(line for line in person.state.devices if line.name == "Camera")
    assert camera.value == "none chosen"


def test_the_foot_of_home_has_what_matters_most() -> None:
    """Of more than four lines: a club's and a stick's stand beside three devices and the disk.

    What is well goes before what was not chosen; those that stay keep their order.
    """
    marks = (Mark.OK, Mark.NONE, Mark.ASK, Mark.NONE, Mark.OK, Mark.WARN, Mark.BAD)
    lines = tuple(Line(f"line {n}", mark=mark) for n, mark in enumerate(marks))

    def foot(count: int) -> list[str]:
        state = present_home(Situation(0.0, parts=lines[:count]), View())
        parts = dict(parts_of(state, Theme(size_px=(800, 480))))
        named = (parts.get(f"foot/{n}") for n in range(5))
        return [part.line.name for part in named if isinstance(part, FootLine)]

    assert foot(4) == ["line 0", "line 1", "line 2", "line 3"]
    assert foot(5) == ["line 0", "line 1", "line 2", "line 4"]
    assert foot(7) == ["line 0", "line 2", "line 5", "line 6"]


def test_a_server_that_answers_again_is_taken_by_a_held_key() -> None:
    """In the list that the lamps open."""
    state = present_devices(Situation(0.0, parts=(SERVER_ANSWERS,)), View())
    parts = dict(parts_of(state, Theme(size_px=(800, 480))))
    assert [name for name in parts if name.startswith("line/")] == ["line/0", "line/0/key"]
    assert SERVER_ANSWERS.key is not None
    assert (SERVER_ANSWERS.key.action, SERVER_ANSWERS.key.look) == (a.Restart(), KeyLook.HOLD)


def test_home_names_a_file_without_the_folders_that_it_lies_in(person: Any) -> None:
    """A match that the record has no more, however it went."""
    refusal = person.touch(a.ResumeMatch("gone")).frame.refusal
    assert "gone" in refusal.text
    assert "/" not in refusal.text
