"""Tactical Tokens that the camera counts, against the record: asked, never taken.  (DF-E16)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import Json, Level, Notice
from companion.games.dogfight_1917.boards import board_plan, tray_of
from companion.games.dogfight_1917.cards import SEATS, A, B
from companion.games.dogfight_1917.figures import read_figures

MakeTable = Callable[..., Any]


def sighting(table: Any, **lying: int) -> Sighting:
    """All planes as recorded, and so many tokens in the places of seats, or elsewhere."""
    seen = {piece: Seen(SeenState.SEEN, pose) for piece, pose in table.position.placement().items()}
    counts = {tray_of(seat): lying[seat] for seat in SEATS if seat in lying}
    if "elsewhere" in lying:
        counts[""] = lying["elsewhere"]
    return Sighting(0.0, 1, PictureState.SETTLED, seen, counts={"tactical": counts})


def told(table: Any, seen: Sighting) -> list[Notice]:
    notices: list[Notice] = table.match.rulebook.compare(seen, frozenset())
    return notices


@pytest.fixture
def table(table_at: MakeTable) -> Any:
    """A has three tokens, B one."""
    return table_at(A={"tokens": 3}, B={"tokens": 1})


def test_as_many_as_recorded_says_nothing(table: Any) -> None:
    """The supply beside the board belongs to nobody."""
    assert told(table, sighting(table, A=3, B=1, elsewhere=9)) == []


@pytest.mark.parametrize(("lying", "words"), [
    ({"A": 2, "B": 1}, "2 Tactical Tokens lie in Player A's place; the record has 3."),
    ({"A": 3, "B": 2}, "2 Tactical Tokens lie in Player B's place; the record has 1."),
    ({"A": 3, "elsewhere": 1}, "0 Tactical Tokens lie in Player B's place; the record has 1."),
    ({"A": 1, "B": 1}, "1 Tactical Token lies in Player A's place; the record has 3."),
])  # fmt: skip
def test_df_e16_another_number_is_asked_about(
    table: Any, lying: Mapping[str, int], words: str
) -> None:
    """Both numbers are said, with the way out; the record keeps its own."""
    (notice,) = told(table, sighting(table, **lying))
    assert (notice.code, notice.level, notice.text) == ("DF-E16", Level.WARN, words)
    assert str(notice.cite) == "DF-15.1, DF-9.9"
    assert "side by side" in notice.way_out
    assert "arbiter" in notice.way_out
    assert (table.player(A).tokens, table.player(B).tokens) == (3, 1)


def test_a_table_without_markers_on_its_tokens_is_left_alone(table: Any) -> None:
    """None is seen anywhere: there is nothing to compare."""
    assert told(table, sighting(table)) == []
    assert told(table, replace(sighting(table), counts={})) == []


def test_nothing_is_asked_while_the_table_is_set_up(new_table: MakeTable) -> None:
    """Hands bring the tokens first."""
    table = new_table()
    assert told(table, sighting(table, A=5)) == []


def _is_clear(board: Any, tray: Any) -> bool:
    (left, top), _, (right, low), _ = tray.outline_mm
    corners = [point for space in board.spaces for point in space.outline_mm]
    half = board.corner_side_mm / 2
    marks = [
        (x + dx, y + dy)
        for x, y in board.corners.values()
        for dx in (-half, half)
        for dy in (-half, half)
    ]
    return not any(left <= x <= right and top <= y <= low for x, y in [*corners, *marks])


@pytest.mark.parametrize("radius", range(2, 10))
def test_trays_keep_clear_of_hexes_and_corner_markers(radius: int) -> None:
    """One for each seat on a map of any size, inside the board."""
    figures = read_figures({"board": {"radius": radius, "one_token": [], "two_tokens": []}})
    (board,) = board_plan(figures).boards
    assert [tray.name for tray in board.trays] == [tray_of(seat) for seat in SEATS]
    for tray in board.trays:
        assert _is_clear(board, tray)
        assert all(0 < x < board.size_mm[0] and 0 < y < board.size_mm[1]
                   for x, y in tray.outline_mm)  # fmt: skip
        assert not any(space.inside_mm(tray.centre_mm) > -10.0 for space in board.spaces)


def test_a_map_without_room_in_its_corners_has_no_trays() -> None:
    """A table's own rectangle of hexes: its tokens lie beside it, and are not compared."""
    spaces: list[Json] = [
        [q, r] for q in range(-2, 3) for r in range(-3 - (q + 2) // 2, 4 - (q + 2) // 2)
    ]
    own: dict[str, Json] = {"radius": 4, "spaces": spaces, "one_token": [], "two_tokens": []}
    (board,) = board_plan(read_figures({"board": own})).boards
    assert board.trays == ()
