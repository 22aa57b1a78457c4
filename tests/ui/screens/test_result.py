"""The result, long rulings, codes: everything whole with the longest names, in any window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.match.rulebook import LONGEST_NAME, Setup
from ui.samples import beside
from ui.samples.match import RULING
from ui.scene.theme import Light, Theme
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.match.result import IN_ALL, LONG_ROWS, SCANNED, ResultState
from ui.screens.registry import present
from ui.touch import actions as a
from ui.widgets.words import modules

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))
LONG_NAMES = ("Bartholomew Featherston", "Wilhelmina-Charlotte Ann", "Maximiliane Oberndörfer")
REASON = (
    "Wilhelmina-Charlotte Ann are shot down at the end of step 5 of section 1: a card had to be"
    " taken and was not there."
)
SENTENCES = " ".join(
    f"{name}'s Shoot PL hits: the plane stands on Jaws.PL; 6 damage." for name in LONG_NAMES
)


def whole(make_sheet: Any, judge: Any, state: Any, size: tuple[int, int]) -> Any:
    """The sheet that shows a state, on which nothing is cut, hidden or too small."""
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert not list(judge.all(sheet))
    return sheet


@pytest.mark.parametrize("size", SIZES)
def test_a_result_with_the_longest_names_and_reason_is_whole(
    make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Two players a page, each with a name of as many letters as the keyboard takes."""
    assert max(map(len, LONG_NAMES)) <= LONGEST_NAME
    rows = tuple(
        replace(row, player=name)
        for row, name in zip(beside.RESULT.rows, LONG_NAMES[:LONG_ROWS], strict=False)
    )
    band = replace(beside.RESULT.band, lines=(f"{LONG_NAMES[1].upper()} WINS",), note=REASON)
    state = replace(beside.RESULT, rows=rows, band=band, page=1, pages=2)
    sheet = whole(make_sheet, judge, state, size)
    told = [text for name, text in sheet.written() if name == "band"]
    assert " ".join(text.text for text in told).endswith(REASON)
    assert min(text.caps_u for text in told) >= 19.5


@pytest.mark.parametrize("size", SIZES)
def test_a_ruling_of_several_long_sentences_leaves_the_map_large(
    make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """What finds no room beside a large map has pages, and no sentence is lost on them."""
    line = replace(RULING.lines[0], first=SENTENCES, second="")
    told = ""
    for page in range(len(LONG_NAMES)):
        state = replace(RULING, lines=(line,), page=page)
        sheet = whole(make_sheet, judge, state, size)
        told += " ".join(text.text for name, text in sheet.written() if name.startswith("line/"))
        assert any(name.startswith("map/") for name in sheet.parts)
    assert all(name in told for name in LONG_NAMES)


@pytest.mark.parametrize(("box", "cards"), [("jaws-and-paws", 30), ("dogfight-1917", 20)])
def test_each_players_cards_add_up_on_the_count_sheet(person: Any, box: str, cards: int) -> None:
    """Where all have as many cards: their piles and what lies elsewhere make the sum."""
    person.table.new_match(Setup(box))
    person.touch(a.Close((), "time is up"))
    while not isinstance(person.state, ResultState):
        person.touch(person.state.frame.bottom.next.action)
    state = person.state
    assert str(state.frame.top.cite)
    at = state.columns.index(IN_ALL)
    for row in state.rows:
        assert sum(map(int, row.values[:at])) == int(row.values[at]) == cards, row


def test_a_code_too_dense_for_a_phone_waits_for_a_touch(make_sheet: Any) -> None:
    """Few letters are a code at once; of a long link the place says what a touch does."""

    def says_so(code: str) -> bool:
        from ui.screens.registry import parts_of, screen_of

        sheet = make_sheet(Theme(Light.DAY, size_px=(1280, 720)))
        state = replace(beside.RESULT, code=code)
        sheet.show(screen_of(state), parts_of(state, sheet.theme))
        return any(name == "code" and "TOUCH" in text.text for name, text in sheet.written())

    assert (says_so("https://app.bgstatsapp.com"), says_so("https://x.example/" + "x" * 900)) == (
        False,
        True,
    )


# The live page's address in the menu.


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "place", ["192.168.178.24:8080", "a-table-of-a-club-with-a-name.local:8080"]
)
def test_the_menu_of_a_match_shows_phones_where_the_live_page_is(
    person: Any, make_sheet: Any, judge: Any, size: tuple[int, int], place: str
) -> None:
    """As a code that a phone reads from the glass, and in words; over a round that runs."""
    person.to_round()
    situation = replace(person.table.situation(), live_url=f"http://{place}/")
    menu = present(situation, person.view.opened(a.Panel.MENU))
    sheet = whole(make_sheet, judge, menu, size)
    told = "".join(text.text for name, text in sheet.written() if name == "code/words")
    assert told.replace(" ", "") == place
    code = sheet.parts["code"]
    pixels = min(code.box.wide, code.box.high) * sheet.theme.unit_px
    assert pixels // len(modules(code.text)) >= SCANNED
    large = np.kron(modules(code.text), np.ones((4, 4), np.uint8))
    found, *_ = cv2.QRCodeDetector().detectAndDecode(large)
    assert found == f"http://{place}/"


def test_without_a_live_page_the_menu_has_no_code(person: Any) -> None:
    """It is off until somebody sets it."""
    assert person.touch(a.Show(a.Panel.MENU)).code == ""


def test_a_page_that_only_this_machine_opens_has_words_and_no_code(person: Any) -> None:
    """A phone that read it would look for the page on itself."""
    situation = replace(person.table.situation(), live_url="http://127.0.0.1:8080/")
    menu = present(situation, person.view.opened(a.Panel.MENU))
    assert isinstance(menu, ArbiterState)
    assert menu.code == ""
    told = menu.frame.bottom.message
    assert (told.first, told.second) == (
        "Live page: http://127.0.0.1:8080/",
        "seen on this machine alone",
    )
