"""Set-up: cards, map, lots, vessels, tokens.  (SE-SET)"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, BadFile, BadPosition
from companion.games.starship_edition.rules import StarshipEdition
from companion.match.book import look_up


def test_se_set_01_seven_cards_off_a_shuffled_deck(new_table: Callable[..., Any]) -> None:
    """Everybody shuffles, has the deck cut, and holds seven cards."""
    table = new_table()
    assert [(table.player(s).hand, table.player(s).deck) for s in "AB"] == [(7, 33), (7, 33)]
    kinds = [type(deed).__name__ for deed in table.said("shuffles, has the deck cut").deeds]
    assert kinds == ["Shuffle", "Carry"]


def test_se_set_02_two_squares_a_player_make_the_map(new_table: Callable[..., Any]) -> None:
    """Four squares of 16 spaces for two, six for three."""
    assert len(new_table().position.map.spaces) == 64
    assert len(new_table(options={"players": 3}).position.map.spaces) == 96


def test_se_set_03_lots_name_who_has_priority(new_table: Callable[..., Any]) -> None:
    """Whom the table names begins with Priority."""
    assert new_table().say("B").position.priority == "B"


def test_se_r02_a_number_draws_the_same_lot_again(new_table: Callable[..., Any]) -> None:
    """By the option `lots` the companion draws; each seat can be drawn, the same by one number."""
    drawn = [new_table(options={"lots": n, "players": 3}).position.priority for n in range(30)]
    again = [new_table(options={"lots": n, "players": 3}).position.priority for n in range(30)]
    assert drawn == again
    assert set(drawn) == {"A", "B", "C"}


def test_se_set_04_play_goes_clockwise(new_table: Callable[..., Any]) -> None:
    """From the Priority player on, in the order of seats."""
    table = new_table(options={"players": 4}).say("C")
    assert table.position.turn_order() == ["C", "D", "A", "B"]


def test_se_set_05_vessels_are_placed_in_reverse_order(new_table: Callable[..., Any]) -> None:
    """With Priority at B of A B C D: A, D, C, B; a space that is taken is refused."""
    table = new_table(options={"players": 4}).say("B")
    placed = []
    for _ in range(4):
        placed.append(table.question().by)
        table.say(table.names()[0])
    assert placed == ["A", "D", "C", "B"]
    assert table.position.active == "B"


@pytest.mark.parametrize("wrong", ["A", "Z", "1,1"])
def test_se_set_05_a_start_must_be_free_and_lettered(
    new_table: Callable[..., Any], wrong: str
) -> None:
    """What is taken, or no start space, is refused with those that are free."""
    table = new_table().say("A", "A")
    refusal = table.refused(wrong)
    assert refusal.code == "SE-E-SPACE"
    assert "Free: B 3,5" in refusal.text


def test_se_set_05_a_start_is_named_by_its_letter_or_its_space(
    new_table: Callable[..., Any],
) -> None:
    """A letter that stands twice needs its space; the space alone will do."""
    assert new_table().say("A", "1,1").position.players["B"].space == (1, 1)
    assert new_table().say("A", "B 3,5").position.players["B"].space == (3, 5)
    assert "more than one B: say B 3,5 or B 6,4." in new_table().say("A").refused("B").text


def test_se_set_06_tokens_of_the_ship_card(new_table: Callable[..., Any]) -> None:
    """Hull and energy as the vessel has them; a seat may name another vessel."""
    cards = {"vessels": {"cruiser": {"title": "Cruiser", "attack": 4, "range": 3, "mobility": 1,
                                     "hull": 14, "energy": 6}}}  # fmt: skip
    table = new_table(cards=cards, seats={"A": "Ana/cruiser"})
    assert (table.player("A").hull, table.player("A").energy) == (14, 6)
    assert (table.player("B").hull, table.player("B").energy) == (10, 3)
    assert table.said("Ana takes 14 hull")


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"seats": {"C": "Cleo"}}, "SE-E-PLAYERS: seat 'C' does not play; there are A, B"),
        ({"options": {"players": 7}}, "players: 7; 2 to 6 play [SE-E-PLAYERS"),
        ({"seats": {"A": "Ana/battleship"}}, "no vessel 'battleship'; there are standard"),
        ({"seats": {"A": "Ana//mine"}}, "no deck 'mine'; there are standard"),
        ({"seats": {"A": "Ana/standard/standard/x"}}, "is not NAME/VESSEL/DECK"),
    ],
)
def test_se_r01_who_may_sit_there(
    new_table: Callable[..., Any], setup: dict[str, Any], said: str
) -> None:
    """Two to six play (SE-E-PLAYERS); vessels and decks are those of the catalogue."""
    with pytest.raises(BadCall, match=re.escape(said)):
        new_table(**setup)


def test_se_r01_one_player_is_no_position(table_at: Callable[..., Any]) -> None:
    """A file with one player is refused (SE-E-PLAYERS)."""
    with pytest.raises(BadPosition, match="SE-E-PLAYERS: 1 player; at least 2 play"):
        table_at(players="A")


def test_se_r03_without_a_map_places_are_declared(new_table: Callable[..., Any]) -> None:
    """No spaces are offered or judged; the log says that the table declares."""
    table = new_table(cards={"map": {"kind": "none"}}).say("A")
    assert table.said("No map file")
    table.say(None, None)
    assert table.position.placement() == {}
    assert table.question().key == "turn-1/prepare/A/1"


def test_se_r03_a_map_for_these_players_is_needed(new_table: Callable[..., Any]) -> None:
    """Start spaces must be enough for everybody; the message names the layout."""
    bare = {"squares": {"bare": {"rows": ["A..", "...", "..."]}},
            "map": {"layouts": {"2": [["bare"]]}}}  # fmt: skip
    with pytest.raises(BadFile, match=r"map\.layouts\.2: 1 start space for 2 vessels"):
        new_table(cards=bare)


HOW = "in the app by “Check the box”, or with `confirmed` in a file for --data."


def test_the_first_ruling_says_whose_figures_these_are(new_table: Callable[..., Any]) -> None:
    """Assumed ones, and how many of them are open; or those of a file, by its name."""
    said = "No cards or figures come from your box: this match uses assumed ones. 5 of 5 figures "
    assert new_table().rulings[0].text == f"{said}still have to be checked with the box: {HOW}"
    own = {"name": "Club night", "confirmed": True}
    told = new_table(cards=own).rulings[0].text
    assert told == 'Cards and figures are those of the file "Club night".'


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("scan", "SE-ACT-04"), ("flip", "SE-ACT-04"), ("instructions", "SE-ACT-04"),
        ("elective abilities", "SE-ABL-01"), ("reveal", "SE-ACT-03"), ("maneuver", "SE-PRE-02"),
        ("simultaneously", "SE-PPR-01"), ("gain energy", "SE-PPR-01"), ("finalize", "SE-R14"),
        ("reminder tokens", "SE-PRE-04"), ("extra tiers", "SE-TLN-02"), ("secondary", "SE-DBL-02"),
    ],
)  # fmt: skip
def test_the_words_of_the_book_and_of_cards_find_their_paragraph(words: str, rule: str) -> None:
    """As typed at the terminal and looked up in the app: among the first that are found."""
    hits = look_up(words, StarshipEdition.paragraphs().values())
    assert rule in [hit.paragraph.rule for hit in hits][:3]
