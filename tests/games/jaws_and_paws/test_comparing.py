"""Where the camera's settled table is not as recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import Level

JAWS, PAWS, SUN = Piece("jaws"), Piece("paws"), Piece("sun")


def sighting(state: PictureState = PictureState.SETTLED, **zones: str | Seen) -> Sighting:
    """A picture of the three tokens; those not named stand as in the middle of a game."""
    stand: dict[str, str | Seen] = {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.GC"}
    stand |= zones
    seen = {
        Piece(name): Seen(SeenState.SEEN, Pose(zone)) if isinstance(zone, str) else zone
        for name, zone in stand.items()
    }
    return Sighting(0.0, 1, state, seen)


def codes(table: Any, *args: Any) -> list[str]:
    return [notice.code for notice in table.match.rulebook.compare(*args)]


def test_a_table_as_recorded_says_nothing(at: Callable[..., Any]) -> None:
    """Every piece where the record has it."""
    assert codes(at("action"), sighting()) == []


@pytest.mark.parametrize("state", [s for s in PictureState if s is not PictureState.SETTLED])
def test_nothing_is_said_of_an_unsettled_picture(
    at: Callable[..., Any], state: PictureState
) -> None:
    """Hands are over the boards, or the light changes: wait."""
    assert codes(at("action"), sighting(state, jaws="Jaws.PC")) == []


def test_jp_e10_a_plane_on_its_own_boards_is_impossible(at: Callable[..., Any]) -> None:
    """JP-2.3: block, with the computed zone."""
    (notice,) = at("section-1").match.rulebook.compare(sighting(jaws="Jaws.GL"))
    assert (notice.code, notice.level) == ("JP-E10", Level.BLOCK)
    assert "it belongs on Paws.PC" in notice.text


def test_jp_e11_before_the_round_and_e67_after_a_section(at: Callable[..., Any]) -> None:
    """The same difference blocks the start, or the next section."""
    assert codes(at("action"), sighting(sun="Jaws.GR")) == ["JP-E11"]
    cards = {"Jaws": {2: "JP"}}
    assert codes(at("section-2", cards=cards), sighting(sun="Jaws.GR")) == ["JP-E67"]


def test_jp_e68_the_other_players_left(at: Callable[..., Any]) -> None:
    """The token stands where the card would have taken it from the other side of the table."""
    table = at("section-1", cards={"Jaws": {1: "JG", 2: "JP"}}).flip(jaws="MSL")
    assert table.position.sun == "Jaws.GL"
    assert codes(table, sighting(sun="Jaws.GR")) == ["JP-E68"]
    assert codes(table, sighting(sun="Jaws.PC")) == ["JP-E67"]


def test_jp_e02_and_e06_at_set_up(play: Callable[..., Any]) -> None:
    """Planes on the opposing PC, one Sun on its zone."""
    table = play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
    assert codes(table, sighting(jaws="Paws.PL")) == ["JP-E02"]
    assert codes(table, sighting(sun=Seen(SeenState.LOST))) == ["JP-E06"]
    twice = Sighting(0.0, 1, PictureState.SETTLED, sighting().pieces, conflicts=(SUN,))
    assert codes(table, twice) == ["JP-E06"]


def test_nothing_is_said_of_a_sun_not_yet_placed(play: Callable[..., Any]) -> None:
    """Before the choice it may lie anywhere."""
    table = play().say("toss", "Jaws")
    assert codes(table, sighting(sun="Paws.GR")) == []
    assert codes(table, sighting(sun=Seen(SeenState.COVERED))) == []


def test_jp_e12_between_zones_and_e13_hidden(at: Callable[..., Any]) -> None:
    """Notes: centre it; keep the computed position."""
    between = Seen(SeenState.UNSURE, spaces=("Paws.PC", "Paws.PL"))
    (notice,) = at("action").match.rulebook.compare(sighting(jaws=between))
    assert (notice.code, notice.level) == ("JP-E12", Level.NOTE)
    assert "Paws.PC or Paws.PL" in notice.text
    for state in (SeenState.COVERED, SeenState.LOST):
        assert codes(at("action"), sighting(paws=Seen(state))) == ["JP-E13"]


def test_jp_e14_two_tokens_of_one_team(at: Callable[..., Any]) -> None:
    """Seen twice: block."""
    twice = Sighting(0.0, 1, PictureState.SETTLED, sighting().pieces, conflicts=(JAWS,))
    (notice,) = at("action").match.rulebook.compare(twice)
    assert (notice.code, notice.level) == ("JP-E14", Level.BLOCK)


def test_lagging_pieces_are_no_difference(at: Callable[..., Any]) -> None:
    """A ruling moved it and hands have not: nothing is said of it, of others it is."""
    seen = sighting(jaws="Paws.PL", paws="Jaws.PL")
    assert codes(at("action"), seen, {JAWS}) == ["JP-E11"]
    assert codes(at("action"), seen, {JAWS, PAWS}) == []
