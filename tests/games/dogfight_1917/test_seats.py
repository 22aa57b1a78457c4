"""Who sits where and flies what, as seats say it: NAME[/FIGHTER[/PILOT]].  (DF-3.1, DF-19.4)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall
from companion.games.dogfight_1917.cards import (
    FIGHTER_NAMES,
    PILOTS,
    A,
    Sitting,
    is_unique,
    read_sitting,
)
from companion.games.dogfight_1917.game import Game

MakeTable = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "sitting"),
    [
        ("Ana", Sitting("Ana")),
        ("", Sitting("")),
        ("Ana/camel", Sitting("Ana", "camel")),
        ("Ana//fonck", Sitting("Ana", "", "fonck")),
        ("Ana/", Sitting("Ana")),
        ("/spad/", Sitting("", "spad")),
        ("  Ana Ng / Camel / MacLaren ", Sitting("Ana Ng", "camel", "maclaren")),
        ("Ana/SPAD S.XIII/Rene Fonck", Sitting("Ana", "spad", "fonck")),
        ("Ana/fokker dr.i/Manfred von Richthofen", Sitting("Ana", "fokker", "richthofen")),
        ("Ana/camel/mentor", Sitting("Ana", "camel", "mentor")),
    ],
)
def test_seats_say_name_fighter_and_pilot(text: str, sitting: Sitting) -> None:
    """By code or as printed, whatever the case; what is left out is asked later."""
    assert read_sitting(A, text) == sitting


@given(
    st.text("AÄñ 'x-", max_size=12),
    st.sampled_from(["", *FIGHTER_NAMES]),
    st.sampled_from(["", *PILOTS]),
)
def test_whatever_a_person_is_called(name: str, fighter: str, pilot: str) -> None:
    """Only the slash divides; the name is what stands before it."""
    read = read_sitting(A, f"{name}/{fighter}/{pilot}")
    assert read == Sitting(name.strip(), fighter, pilot)
    assert Game.person(f"{name}/{fighter}/{pilot}") == name.strip()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ana/zeppelin", "seat A: no fighter 'zeppelin'; there are fokker, camel, albatros, spad"),
        ("Ana/camel/biggles", "seat A: no pilot 'biggles'; there are richthofen, maclaren"),
        ("Ana/maclaren", "no fighter 'maclaren'"),
        ("Ana/camel/maclaren/9", "'Ana/camel/maclaren/9' is not NAME/FIGHTER/PILOT"),
    ],
)
def test_what_seats_cannot_say_is_refused(text: str, words: str) -> None:
    """With the seat, what was said, and what there is."""
    with pytest.raises(BadCall, match=words):
        read_sitting(A, text)


def test_names_stand_in_questions_and_rulings(new_table: MakeTable) -> None:
    """The person's where it is known, the seat's elsewhere."""
    table = new_table(seats={"A": "Ana/camel", "B": "/fokker"})
    assert table.said("Ana flies the Sopwith Camel")
    assert table.said("Player B flies the Fokker Dr.I")
    table.say("placed")
    assert table.question("action").prompt.startswith("Ana:")
    assert table.question("action").headline == "Ana: your action?"


def test_a_long_name_leaves_room_in_the_headline(new_table: MakeTable) -> None:
    """22 characters: then the seat's letter stands for its player."""
    table = new_table(seats={"A": "Maximiliane-Sophie/camel", "B": "/fokker"}).say("placed")
    question = table.question("action")
    assert question.headline == "A: your action?"
    assert question.prompt.startswith("Maximiliane-Sophie:")


def test_there_are_two_mentor_cards_and_one_of_each_pilot() -> None:
    """DF-1.1: only the Pilot Mentor may sit in two Fighters."""
    assert [code for code in PILOTS if not is_unique(code)] == ["mentor"]


def test_a_seat_that_nobody_has_is_refused(new_table: MakeTable) -> None:
    """Two play the base game: A and B."""
    with pytest.raises(BadCall, match=r"seat 'D' is one too many: this mode has A, B \[DF-PLAYERS"):
        new_table(seats={"D": "Di"})
