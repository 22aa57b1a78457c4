"""The result, long rulings, codes: everything whole with the longest names, in any window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.ruling import Json, Seat, Shows
from companion.match.rulebook import LONGEST_NAME, Setup
from companion.referee.challenge import Verdict
from tests.ui.screens.conftest import DUEL, DUELLISTS, PLAYERS, Person
from ui.samples import beside
from ui.samples.match import RULING
from ui.scene.theme import Light, Theme
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.match.result import IN_ALL, LONG_ROWS, SCANNED, ResultState
from ui.screens.registry import parts_of, present
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
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
    from ui.screens.registry import screen_of

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


def test_figures_have_more_than_half_of_the_sheet_beside_the_longest_names(
    make_sheet: Any, judge: Any
) -> None:
    """A name with its role gives way; the figures are what is compared."""
    rows = tuple(
        replace(row, player=name)
        for row, name in zip(beside.RESULT.rows, LONG_NAMES[:LONG_ROWS], strict=False)
    )
    state = replace(beside.RESULT, rows=rows)
    sheet = whole(make_sheet, judge, state, (800, 480))
    deck = next(text for _, text in sheet.written() if text.text == state.columns[0])
    assert deck.room.x < sheet.parts["sheet"].box.centre[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ("Deck Hand Discard Damage Others Sum Tokens", ("Player A", "Player B")),
        (
            "Deck Hand Discard Scrap Track Sum",
            ("Jaws Pilot", "Jaws Gunner", "Paws Pilot", "Paws Gunner"),
        ),
    ],
)
def test_seats_without_a_name_stand_whole_and_on_one_line(
    make_sheet: Any, judge: Any, columns: str, names: tuple[str, ...], size: tuple[int, int]
) -> None:
    """They were "Jaws..." four times, and "Player" over "A"; their figures stand clear of them."""
    titles = tuple(columns.split())
    rows = tuple(
        replace(row, player=name, role="", values=("10",) * len(titles))
        for row, name in zip(beside.RESULT.rows * 2, names, strict=False)
    )
    state = replace(beside.RESULT, rows=rows, columns=titles, code="https://x.example")
    sheet = whole(make_sheet, judge, state, size)
    told = [text.text for name, text in sheet.written() if name == "sheet"]
    assert [text for text in told if text in names] == [*names]
    assert {*titles} <= {*told}


@pytest.mark.parametrize("size", [(480, 800), (720, 1280)])
def test_upright_names_over_their_figures_have_a_line_of_their_own(
    make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """A code that is too dense before it is touched leaves them its room."""
    titles = ("Deck", "Hand", "Discard", "Scrap", "Track", "Sum")
    rows = tuple(
        replace(row, player=name, role="Gunner", values=("10",) * len(titles))
        for row, name in zip(
            beside.RESULT.rows * 2, ("Bartholomäus-Ezechiel", *"BCD"), strict=False
        )
    )
    state = replace(beside.RESULT, rows=rows, columns=titles, code="x" * 1200)
    sheet = whole(make_sheet, judge, state, size)
    told = [text for name, text in sheet.written() if name == "sheet"]
    names = [text for text in told if text.text in {row.player for row in rows}]
    figures = [text for text in told if text.text == "10"]
    assert min(text.caps_u for text in (*names, *figures)) >= 14.9
    for name, figure in zip(names, figures[:: len(titles)], strict=True):
        assert name.ink.bottom + 2 <= figure.ink.y


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
        from ui.screens.registry import screen_of

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


# What the result says, of matches that were closed: each is played once for all who look at it.

JAWS = Setup("jaws-and-paws", ("day",), PLAYERS)
TURN_7 = Setup("dogfight-1917", ("base",), DUELLISTS, position=DUEL)
HEX = Setup("dogfight-hex", ("base",))
CARDS: Mapping[str, Json] = {"Scout": {}, "Tractor beam": {}}


def close(person: Person, setup: Setup, *winners: str, waits_s: float = 0.0) -> Person:
    """A match of that set-up, closed by the arbiter after a while, on its result."""
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    person.read_rulings()
    person.wait(waits_s)
    person.touch(a.Close(winners, "time is up"))
    person.read_rulings()
    return person


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Person]]:
    """A round that Jaws won, a duel that both won after adjustments, ships that nobody won."""
    people = {name: Person(tmp_path_factory.mktemp(name)) for name in ("jaws", "duel", "hex")}
    jaws, duel = people["jaws"], people["duel"]
    jaws.to_round()
    jaws.touch(a.Close(("Jaws",), "time is up"))
    jaws.read_rulings()
    duel.table.new_match(TURN_7)
    for tokens in (2, 4):
        duel.touch(a.Adjust((("A.tokens", tokens),), "recount"))
    duel.view = act(a.Checked(), duel.table, View())
    duel.read_rulings()
    duel.wait(1_840.0)
    duel.touch(a.Close(("A", "B"), "time is up"))
    duel.read_rulings()
    close(people["hex"], HEX)
    yield people
    for person in people.values():
        person.table.close()


@pytest.mark.parametrize(
    ("match", "words", "emblem"),
    [("jaws", "JAWS WIN", "Jaws"), ("duel", "ANA AND BEN WIN", None), ("hex", "DRAW", None)],
)
def test_the_band_says_who_won_and_one_winner_has_its_emblem(
    closed: Mapping[str, Person], match: str, words: str, emblem: str | None
) -> None:
    """Several are named one after the other, none is a draw."""
    band = closed[match].state.band
    assert band.lines == (words,)
    assert (band.side.name if band.side is not None else None) == emblem
    assert band.note == "The arbiter closed the match: time is up."


@pytest.mark.parametrize(
    ("match", "where"),
    [
        ("jaws", "Jaws & Paws · day · round 1 · 0\u00a0min"),
        ("duel", "Dogfight: 1917 · base · turn 7 · 31\u00a0min"),
        ("hex", "Dogfight! hex ships · set-up · 0\u00a0min"),
    ],
)
def test_over_it_stand_box_variant_round_and_minutes(
    closed: Mapping[str, Person], match: str, where: str
) -> None:
    """A variant is told only where its box has several."""
    assert closed[match].state.frame.top.where == where


def test_of_two_variants_the_one_that_was_played_is_told(
    closed: Mapping[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    jaws = closed["jaws"]
    rules = type(jaws.match.rulebook)
    monkeypatch.setattr(rules, "variants", rules.variants[:2])
    assert jaws.state.frame.top.where == "Jaws & Paws · day · round 1 · 0\u00a0min"


@pytest.mark.parametrize(("players", "pages"), [(6, 1), (7, 2)])
def test_six_players_stand_on_one_page(
    closed: Mapping[str, Person], monkeypatch: pytest.MonkeyPatch, players: int, pages: int
) -> None:
    """More than any box seats so far; a seventh opens a second page."""
    jaws = closed["jaws"]
    seats = ([*PLAYERS] * 2)[:players]
    monkeypatch.setattr(type(jaws.match.rulebook), "seats_taken", lambda _: seats)
    state = jaws.state
    assert (len(state.rows), state.page, state.pages) == (6, 1, pages)


def test_of_more_counts_than_five_the_last_are_among_the_others(
    closed: Mapping[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sheet stays readable, and a player's cards add up all the same."""
    duel = closed["duel"]
    position = type(duel.match.position)
    facts = position.facts

    def more(self: Any) -> list[Any]:
        """Cards in the box are counted, too, and the damage last."""
        told = [
            replace(fact, shows=Shows.COUNT) if fact.name in {"A.box", "B.box"} else fact
            for fact in facts(self)
        ]
        return sorted(told, key=lambda fact: fact.name.endswith(".damage"))

    monkeypatch.setattr(position, "facts", more)
    state = duel.state
    assert state.columns == ("Deck", "Hand", "Discard", "Box", "Others", "Sum", "Tokens")
    for row in state.rows:
        told = dict(zip(state.columns, row.values, strict=True))
        assert (told["Others"], told["Sum"]) == ("2", "20"), "the damage has no column"


def test_a_row_has_player_role_and_every_count(closed: Mapping[str, Person]) -> None:
    """The role where a name stands for somebody; a seat without one says it already."""
    jaws = closed["jaws"].state
    assert jaws.columns == ("Deck", "Hand", "Discard", "Scrap", "Track", "Sum")
    assert [(row.side.name, row.player, row.role) for row in jaws.rows] == [
        ("Jaws", "Ana", "Pilot"),
        ("Jaws", "Bo", "Gunner"),
        ("Paws", "Cleo", "Pilot"),
        ("Paws", "Dan", "Gunner"),
    ]
    assert {row.values[-1] for row in jaws.rows} == {"30"}
    duel = closed["duel"].state
    assert duel.columns == ("Deck", "Hand", "Discard", "Damage", "Sum", "Tokens")
    assert [(row.player, row.values) for row in duel.rows] == [
        ("Ana", ("9", "5", "4", "2", "20", "4")),
        ("Ben", ("9", "5", "4", "2", "20", "3")),
    ]
    hexes = closed["hex"].state
    assert all(row.player and not row.role for row in hexes.rows)
    assert {row.values for row in hexes.rows} == {("2", "0")}


@pytest.mark.parametrize(
    ("piles", "columns"),
    [
        ({"A": {"deck": 9, "hand": 5}, "B": {"deck": 9, "hand": 5}}, "Deck Hand Sum"),
        ({"A": {"deck": 9, "hand": 5}, "B": {"deck": 9, "hand": 4}}, ""),
        ({"A": {"deck": 0, "hand": 0}, "B": {"deck": 0, "hand": 0}}, ""),
        ({"A": {}, "B": {}}, ""),
        ({"A": {"deck": 9, "box": 1}, "B": {"deck": 10, "box": 0}}, "Deck Others Sum"),
        ({"A": {"deck": 9}, "B": {"deck": 8, "box": 1}}, "Deck Others Sum"),
    ],
)
def test_a_sum_stands_only_where_all_have_as_many_cards(
    closed: Mapping[str, Person],
    monkeypatch: pytest.MonkeyPatch,
    piles: Mapping[str, Mapping[str, int]],
    columns: str,
) -> None:
    """Behind the piles that make it; one that has no column counts among the others."""
    duel = closed["duel"]
    counts = {(Seat(s), pile): n for s, own in piles.items() for pile, n in own.items()}
    monkeypatch.setattr(type(duel.match.position), "pile_counts", lambda _: counts)
    plain = ("Deck", "Hand", "Discard", "Damage", "Tokens")
    first = tuple(columns.split())
    assert duel.state.columns == (*first, *(one for one in plain if one not in first))
    if "Others" in first:
        at = duel.state.columns.index("Others")
        elsewhere = [str(own.get("box", 0)) for own in piles.values()]
        assert [row.values[at] for row in duel.state.rows] == elsewhere


def test_it_says_how_often_the_arbiter_had_a_hand_in_it(closed: Mapping[str, Person]) -> None:
    assert closed["duel"].state.notes == ("2 adjusted",)
    assert closed["jaws"].state.notes == ("nothing was corrected",)


def test_it_says_what_came_of_challenges(person: Person) -> None:
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    person.touch(a.OpenChallenge("Paws"))
    person.table.refereed().presses.dispute(5.0, person.match.steps[-1].seq)
    person.touch(a.DecideChallenge(str(Verdict.STANDS)))
    person.touch(a.Close(("Jaws",), "time is up"))
    person.read_rulings()
    assert person.state.notes == ("1 challenge: 1 stood",)


def test_an_undo_that_is_asked_has_the_room_of_the_keys(closed: Mapping[str, Person]) -> None:
    """Export and rematch stand behind the keys of every screen; Home is the next tap."""
    jaws = closed["jaws"]
    bottom = jaws.state.frame.bottom
    own = ["Export", "Rematch"]
    assert [key.label for key in bottom.keys] == ["Undo", "Log", "Arbiter", *own]
    assert (bottom.next.label, bottom.next.action) == ("Home", a.Leave())
    actions = {key.label: key.action for key in bottom.keys}
    assert actions["Rematch"] == a.StartMatch(rematch=True)
    assert actions["Export"] == a.Show(a.Panel.EXPORT)
    asked = present(jaws.table.situation(), replace(jaws.view, asking_undo=True))
    assert isinstance(asked, ResultState)
    assert not {key.label for key in asked.frame.bottom.keys} & {*own, "Keep"}


def test_the_code_is_large_only_once_it_is_touched(closed: Mapping[str, Person]) -> None:
    jaws = closed["jaws"]
    large: Any = present(jaws.table.situation(), jaws.view.opened(a.Panel.CODE))
    assert (jaws.state.code_large, large.code_large) == (False, True)
    assert jaws.state.code == large.code != ""


@pytest.mark.parametrize(
    ("kept", "note", "key", "second"),
    [
        ((), "Declared: Scout, Tractor beam", "Keep", "2 cards"),
        (("Scout",), "Declared: Tractor beam", "Keep", "1 card"),
        (CARDS, "Kept: Scout, Tractor beam, in kept-hex.toml", "Kept", "2 cards"),
    ],
)
def test_what_was_declared_is_told_with_its_file_once_it_is_kept(
    closed: Mapping[str, Person],
    monkeypatch: pytest.MonkeyPatch,
    kept: Iterable[str],
    note: str,
    key: str,
    second: str,
) -> None:
    """In one line under the counts, and on a key that can be touched until all is kept."""
    ships = closed["hex"]
    monkeypatch.setattr(type(ships.match.rulebook), "learned", lambda _: {"cards": CARDS})
    situation = replace(
        ships.table.situation(),
        own_figures={HEX.box: {"cards": {card: {} for card in kept}}},
        own_files={HEX.box: "folder/kept-hex.toml"},
    )
    state: Any = present(situation, ships.view)
    assert state.notes == ("nothing was corrected", note)
    last = state.frame.bottom.keys[-1]
    assert (last.label, last.second) == (key, second)
    assert last.action == (a.KeepLearned() if key == "Keep" else None)


@pytest.mark.parametrize(("letters", "pages"), [(14, [4]), (15, [2, 2])])
def test_players_with_long_names_come_two_a_page(
    person: Person, letters: int, pages: list[int]
) -> None:
    """One such name is enough; nobody is left out, or told twice."""
    players = {**PLAYERS, Seat("JG"): "B" * letters}
    close(person, replace(JAWS, seats=players))
    states = [person.state, *(person.touch(a.TurnPage(1)) for _ in pages[1:])]
    assert [len(state.rows) for state in states] == pages
    numbers = [(state.page, state.pages) for state in states]
    assert numbers == [(n + 1, len(pages)) for n in range(len(pages))]
    told = [row.player for state in states for row in state.rows]
    assert told == list(players.values())


# Where it lies.


@pytest.mark.parametrize("size", SIZES)
def test_the_lines_of_a_full_sheet_have_air_between_them(
    make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Capitals of six players' names and figures take three quarters of a line at most."""
    rows = (beside.RESULT.rows * 2)[:6]
    band = replace(beside.RESULT.band, note=SHORT)
    sheet = whole(make_sheet, judge, replace(beside.RESULT, rows=rows, band=band), size)
    told = [text for name, text in sheet.written() if name == "sheet"]
    names = [text for text in told if text.text in {"Ana", "Bo"}]
    line = names[1].room.y - names[0].room.y
    figures = [text for text in told if text.text in {"8", "15"}]
    assert max(text.caps_u for text in (*names, *figures)) <= 0.75 * line


SHORT = "A card was not there."


def placed(size: tuple[int, int], rows: int, note: str) -> Mapping[str, Any]:
    """The boxes of a result with so many players."""
    shown = (beside.RESULT.rows * rows)[:rows]
    band = replace(beside.RESULT.band, note=note)
    state = replace(beside.RESULT, rows=shown, band=band, code="https://x.example")
    parts = parts_of(state, Theme(Light.DAY, size_px=size))
    return {name: part.box for name, part in parts.items()}


@pytest.mark.usefixtures("window")
def test_a_short_reason_is_smaller_over_many_rows() -> None:
    """Winner and reason take at most 0.47 of the body, over six players at most 0.37."""
    few, many = (placed((800, 480), rows, SHORT) for rows in (2, 6))
    body = few["sheet"].bottom - few["band"].y
    assert body == many["sheet"].bottom - many["band"].y
    assert many["band"].high <= 0.37 * body < few["band"].high <= 0.47 * body


@pytest.mark.usefixtures("window")
def test_the_code_leaves_the_caption_its_room() -> None:
    """30 units under a code that is as high as it can be, beside the sheet."""
    boxes = placed((800, 480), 2, REASON)
    code, caption = boxes["code"], boxes["code/caption"]
    assert code.wide == code.high == boxes["sheet"].high - 30
    assert (code.y, code.bottom + 8) == (boxes["sheet"].y, caption.y)
    assert caption.bottom <= boxes["sheet"].bottom


@pytest.mark.usefixtures("window")
def test_upright_the_sheet_is_as_high_as_its_rows_ask_for() -> None:
    """28 units a player and 86 around them, until 0.62 of the room over the code is taken."""
    high = [placed((480, 800), rows, REASON)["sheet"].high for rows in (1, 2, 6)]
    assert high == [86 + 28, 86 + 2 * 28, pytest.approx(0.62 * 290)]


@pytest.mark.usefixtures("window")
def test_the_code_stands_in_the_middle_of_208_units_at_the_right_and_upright_is_174_wide() -> None:
    """Larger ones are read no better; the sheet has what is left."""
    flat, upright = placed((800, 480), 2, SHORT), placed((480, 800), 1, SHORT)
    assert flat["code"].centre[0] == 800 - 10 - 208 / 2
    assert flat["sheet"].wide == 800 - 20 - 208 - 12
    assert upright["code"].wide == upright["code"].high == 174
