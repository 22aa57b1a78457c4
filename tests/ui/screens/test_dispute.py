"""Disputes: whose claim each is, however many there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.ruling import Seat
from companion.match.rulebook import Setup
from ui.samples.match import CHALLENGE
from ui.scene.theme import Light, Theme
from ui.scene.values import Band
from ui.screens.match.challenge import CallPart
from ui.screens.registry import parts_of, screen_of
from ui.touch.actions import OpenChallenge

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))
LONGEST = "The plane stood on the other space before anybody had turned over the second car"
NAMES = (
    "Donaudampfschifffahr", "Wilhelmine Hohenzoll", "Annabel", "Bo", "Cleopatra", "Dan",
)  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_every_claim_has_its_name_however_many_there_are(
    make_sheet: Callable[[Theme], Any], judge: Any, number: int, size: tuple[int, int]
) -> None:
    """Long names, claims as long as they may be: all is written whole."""
    claim = CHALLENGE.claims[0]
    claims = tuple(replace(claim, name=name, value=LONGEST) for name in NAMES[:number])
    lines = (f"CHALLENGE: {NAMES[1].upper()}, 2 LEFT", "THE CLOCK STANDS AT 12.4 s")
    state = replace(CHALLENGE, claims=claims, band=Band(lines, claim.side))
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []
    assert {*NAMES[:number]} <= {text.text for _, text in sheet.written()}


@pytest.mark.parametrize("size", SIZES)
def test_no_line_of_the_band_is_larger_than_the_one_over_it(
    make_sheet: Callable[[Theme], Any], size: tuple[int, int]
) -> None:
    """A long name makes the first line small."""
    band = Band((f"CHALLENGE: {NAMES[0].upper()}", "THE CLOCK STANDS AT 12.4 s"))
    state = replace(CHALLENGE, band=band)
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert isinstance(sheet.parts["call"], CallPart)
    caps = [text.caps_u for name, text in sheet.written() if name == "call"]
    assert caps == sorted(caps, reverse=True)


def test_a_player_of_a_challenge_is_told_by_name_and_nobody_who_does_not_play(
    new_person: Any, tmp_path: Path
) -> None:
    """Two ships at a table that has seats for six."""
    person = new_person(tmp_path)
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", options={"players": 2}, seats=seats))
    person.table.checked = True
    person.go_on()
    asked = person.touch(OpenChallenge())
    assert [key.label for key in asked.keys] == ["Ana", "Bo", "Arbiter"]
    state = person.touch(asked.keys[1].action)
    assert state.band.lines[0] == "CHALLENGE: BO"
    assert [line.name for line in state.claims] == ["Bo", "Ana"]
    claimed = person.touch(state.claims[1].key.action)
    assert claimed.lead == "What does Ana say?"
