"""The statistics on the screen: what each touch shows, and how long a bar is."""

from __future__ import annotations

import pytest

from companion.record.sums import Sum
from companion.season.seating import CountedBy
from companion.season.statistics import Counted
from ui.samples.beside import PAST_TABLE
from ui.scene.scene import Situation
from ui.scene.values import KeyLook
from ui.screens.beside.past import TO_STATISTICS
from ui.screens.beside.season import SeasonState, bars_of
from ui.screens.registry import present
from ui.sharing.season_page import AXES
from ui.touch.actions import Back, Panel, Show
from ui.touch.view import View


def shown(part: str, at: Situation = PAST_TABLE) -> SeasonState:
    state = present(at, View().opened(Panel.SEASON, part))
    assert isinstance(state, SeasonState)
    return state


def test_past_matches_lead_there() -> None:
    state = present(PAST_TABLE, View().opened(Panel.PAST))
    assert TO_STATISTICS in state.frame.bottom.keys
    assert TO_STATISTICS.action == Show(Panel.SEASON)


def test_back_leads_the_way_that_one_came() -> None:
    """To the past matches, and from there home: no two screens lead only to each other."""
    view = View().opened(Panel.PAST).opened(Panel.SEASON).opened(Panel.SEASON, "side/Hit")
    assert present(PAST_TABLE, view).frame.bottom.keys[0].action == Back()
    assert view.closed().panel is Panel.PAST
    assert view.closed().closed().panel is None


def test_rows_of_several_boxes_name_them_by_their_titles() -> None:
    rows = tuple(
        Counted(CountedBy.SIDE, box, "A", {("won", ""): Sum(4, 2, 2)})
        for box in ("starship-edition", "dogfight-1917", "gone")
    )
    names = [bar.name for bar in bars_of(AXES[0], rows)]
    assert names == ["A · Dog Fight: Starship Edition", "A · Dogfight: 1917", "A · gone"]


@pytest.mark.parametrize(("part", "chosen"), [
    ("", ("Players", "Won")), ("side/Taken", ("Sides", "Taken")), ("luck/42", ("Players", "Won")),
])  # fmt: skip
def test_a_touch_chooses_whom_and_which_figure(part: str, chosen: tuple[str, str]) -> None:
    """What no key says is the usual page."""
    state = shown(part)
    keys = [*state.about, *state.figures]
    assert tuple(key.label for key in keys if key.look is KeyLook.CHOSEN) == chosen
    assert all(isinstance(key.action, Show) for key in keys)


def test_bars_lie_where_the_figures_are() -> None:
    first, *_ = shown("player/Won").bars
    assert (first.name, first.told) == ("Ana", "63 % (48-76)")
    assert first.low == pytest.approx(0.481, abs=1e-3)
    assert first.middle == pytest.approx(26 / 41)
    jaws, paws = shown("side/Taken").bars
    assert paws.high == 1.0, "the longest bar fills the room"
    assert jaws.middle < paws.middle


def test_a_figure_of_which_no_row_tells_is_said() -> None:
    assert shown("player/Taken").told == "No match tells of this yet."
    assert "counted" in shown("card/Hit", Situation(0.0)).told


def test_means_of_nothing_have_no_bar() -> None:
    row = Counted(
        CountedBy.SIDE, "", "Jaws", {("won", ""): Sum(1, 0, 0), ("round", ""): Sum(2, 0, 0)}
    )
    assert [len(bars_of(axis, (row,))) for axis in AXES] == [1, 0, 0, 0, 0, 0, 0, 0]
