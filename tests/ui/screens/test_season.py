"""The statistics on the screen: what each touch shows, and how long a bar is."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest

from companion.record.record import Record
from companion.record.sums import Sum
from companion.season.counting import count_logs
from companion.season.seating import CountedBy
from companion.season.statistics import Counted
from ui.samples.beside import PAST_TABLE
from ui.scene.scene import EVERY_MATCH, ChosenMatches, Situation
from ui.scene.values import KeyLook
from ui.screens.beside.past import TO_STATISTICS
from ui.screens.beside.season import SeasonState, StatisticsAsked, bars_of
from ui.screens.registry import present
from ui.sharing.season_page import AXES
from ui.table.past_matches import PastShelf
from ui.touch.actions import Back, Panel, Show
from ui.touch.view import View

GOLDEN = Path(__file__).parents[2] / "golden"


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
    assert [len(bars_of(axis, (row,))) for axis in AXES] == [1, *(0 for _ in AXES[1:])]


# Of which matches.


def chosen_by(part: str, label: str) -> str:
    """Where a touch of a key leads, of those that choose matches."""
    keys = [key for row in shown(part).choices for key in row if key is not None]
    action = next(key.action for key in keys if key.label == label)
    assert isinstance(action, Show)
    return action.part


def test_matches_are_chosen_by_box_time_and_people_one_touch_each() -> None:
    which = next(key for key in shown("side/Hit").frame.bottom.keys if key.label == "Which matches")
    assert isinstance(which.action, Show)
    part = chosen_by(which.action.part, "Dogfight: 1917")
    part = chosen_by(chosen_by(part, "30 days"), "Ana")
    assert part == "choose/side/Hit/dogfight-1917/30/Ana"
    state = shown(part)
    chosen = [k.label for row in state.choices for k in row if k and k.look is KeyLook.CHOSEN]
    assert chosen == ["Dogfight: 1917", "30 days", "Ana"]
    done = state.frame.bottom.keys[0].action
    assert done == Show(Panel.SEASON, "side/Hit/dogfight-1917/30/Ana")
    assert chosen_by(part, "All boxes") == "choose/side/Hit//30/Ana"


@pytest.mark.parametrize("part", [
    "player/Won/dogfight-1917/365/Ana", "side/Hit", "card/Round///A/B", "choose/side/Hit//30",
])  # fmt: skip
def test_what_is_asked_is_read_as_it_was_written(part: str) -> None:
    assert StatisticsAsked.read(part).part == part


def test_what_no_key_says_chooses_every_match() -> None:
    assert StatisticsAsked.read("side/Hit/no-such-box/12/").chosen == EVERY_MATCH


def test_bars_are_of_the_chosen_matches_and_words_say_so() -> None:
    state = shown("player/Won///Ana")
    assert [bar.name for bar in state.bars] == ["Ana"]
    assert str(state.frame.top).count("Ana") == 1
    assert shown("player/Won///Nobody").told == "No match that was counted is one of these."
    assert shown("player/Won//2").told == "The matches are being counted."


def test_a_table_counts_the_chosen_matches_in_a_thread(tmp_path: Path) -> None:
    """What is not counted yet is None; whoever chose something else meanwhile is told of that."""
    with Record.open(tmp_path / "record.db") as record:
        record.import_file(GOLDEN / "jaws-and-paws-edition-2-day-2.jsonl")
        for _ in count_logs(record):
            pass
        shelf = PastShelf(record)
        every = shelf.counted(CountedBy.SIDE)
        assert every
        of_years = ChosenMatches(days=365 * 100)
        ends = monotonic() + 60
        while (rows := shelf.counted(CountedBy.SIDE, of_years)) is None and monotonic() < ends:
            sleep(0.01)
        assert rows is not None
        assert [(row.name, row.figures) for row in rows] == [(r.name, r.figures) for r in every]
        assert not shelf.counted(CountedBy.SIDE, ChosenMatches(box="talespin-dogfight"))
        named = ChosenMatches(who="Nobody at all")
        while (rows := shelf.counted(CountedBy.SIDE, named)) is None and monotonic() < ends:
            sleep(0.01)
        assert rows == ()
