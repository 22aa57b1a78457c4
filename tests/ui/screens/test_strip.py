"""The clock never vanishes: a strip on every screen; LOCKED stands above whatever was open."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from hardware.panel.pins import LAMPS_S
from ui.samples.match import SAMPLES
from ui.scene.theme import Light, Theme
from ui.scene.values import Alert, Lamp, Mark
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import LogState
from ui.screens.beside.naming import NamingState
from ui.screens.beside.rules import RulesState
from ui.screens.match.challenge import ChallengeState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import ABOVE, BESIDE, parts_of, screen_of
from ui.touch import actions as a
from ui.touch.actions import Panel
from ui.window.operator import Operator

if TYPE_CHECKING:
    from tests.ui.screens.conftest import Person

PANELS = sorted({*ABOVE, *BESIDE}, key=str)
PARTS = {Panel.WHYS: "1"}
"""Of a panel that shows nothing by itself: the log line that it tells of."""


def is_locked(state: Any) -> bool:
    """Whether LOCKED has the screen."""
    return isinstance(state, RoundState) and state.phase is Phase.LOCKED


@pytest.fixture
def round_of(person: Person) -> Person:
    """A person eight seconds into a round of twenty."""
    person.to_round()
    person.wait(8.0)
    return person


@pytest.fixture
def operator(round_of: Person) -> Operator:
    """Whoever holds the screen in that round, keyboards included."""
    operator = Operator(round_of.table)
    operator.home.view = round_of.view
    return operator


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_has_the_clock_while_a_phase_runs_or_stands(
    round_of: Person, panel: Panel
) -> None:
    """Count, lamps and how the clock stands; a touch on it leads back to the round."""
    strip = round_of.touch(a.Show(panel, PARTS.get(panel, ""))).frame.strip
    assert (strip.count, strip.words) == ("12", "RUNNING")
    assert strip.lamps == tuple(Lamp(f"{at_s:g}", lit=False) for at_s in LAMPS_S)
    strip = round_of.wait(3.0).frame.strip
    assert (strip.lamps[0].lit, strip.inverted) == (True, False)
    round_of.touch(a.Pause())
    assert (round_of.state.frame.strip.count, round_of.state.frame.strip.words) == ("9.0", "PAUSED")
    assert isinstance(round_of.touch(round_of.state.frame.strip.action), RoundState)


def test_the_clock_in_short_is_inverted_in_the_last_five_seconds(round_of: Person) -> None:
    """As the round's own is; one that stands is not."""
    round_of.touch(a.Show(Panel.LOG))
    assert not round_of.wait(6.9).frame.strip.inverted
    strip = round_of.wait(0.1).frame.strip
    assert (strip.count, strip.inverted) == ("5", True)
    assert not round_of.touch(a.Pause()).frame.strip.inverted


def test_the_round_itself_and_a_match_without_a_clock_have_no_strip(person: Person) -> None:
    """The count stands there already; and where nothing is counted there is none."""
    person.to_ready()
    assert person.state.frame.strip is None
    assert person.touch(a.Show(Panel.LOG)).frame.strip is None
    person.touch(a.Back())
    person.answer("ready/jaws", "ready")
    person.answer("ready/paws", "ready")
    assert isinstance(person.state, RoundState)
    assert person.state.frame.strip is None


@pytest.mark.parametrize("panel", PANELS)
def test_zero_closes_whatever_is_open_to_locked(round_of: Person, panel: Panel) -> None:
    """And a page that was only read does not come back after it."""
    round_of.touch(a.Show(panel, PARTS.get(panel, "")))
    assert is_locked(round_of.wait(12.0))
    assert not round_of.go_on().frame.strip
    assert not round_of.view.panels


def test_a_panel_closes_at_zero_itself_before_the_table_has_ticked(round_of: Person) -> None:
    """Not a moment before; the round's own screen says that the cards are locked."""
    round_of.touch(a.Show(Panel.LOG))
    round_of.clock.wait(11.9)
    assert isinstance(round_of.state, LogState)
    round_of.clock.wait(0.1)
    assert round_of.match.open, "the phase is not over for the record yet"
    assert isinstance(round_of.state, RoundState)


def test_an_adjustment_half_filled_as_zero_comes_is_there_again_after_locked(
    round_of: Person,
) -> None:
    """What was half done waits, and nothing of it is lost."""
    round_of.touch(a.Show(Panel.ARBITER))
    round_of.touch(a.Show(Panel.ADJUST))
    round_of.touch(a.SetAdjust("sun", "Jaws.PC"))
    before = round_of.view
    assert is_locked(round_of.wait(12.0))
    assert isinstance(round_of.go_on(), AdjustState)
    assert round_of.view.adjusting == before.adjusting
    assert round_of.view.panels == before.panels


@pytest.mark.parametrize("panel", [Panel.MENU, Panel.SETTINGS, Panel.DEVICES, Panel.TABLE_CHECK])
def test_a_look_at_something_else_drops_nothing_of_what_was_begun(
    round_of: Person, panel: Panel
) -> None:
    """The menu above an adjustment, and Back: it is as it was."""
    round_of.touch(a.Show(Panel.ADJUST))
    round_of.touch(a.SetAdjust("sun", "Jaws.PC"))
    before = round_of.view
    round_of.touch(a.Show(panel, PARTS.get(panel, "")))
    round_of.touch(a.Back())
    assert round_of.view == before


def test_a_line_chosen_in_the_log_waits_while_somebody_looks_at_the_round(round_of: Person) -> None:
    """The strip leads to the round; the log then is as it was left."""
    round_of.touch(a.Show(Panel.LOG))
    round_of.touch(a.SelectLine(2))
    assert isinstance(round_of.touch(a.ToPhase()), RoundState)
    assert round_of.view.chosen_seq is None
    assert isinstance(round_of.touch(a.Show(Panel.LOG)), LogState)
    assert round_of.view.chosen_seq == 2
    assert round_of.view.aside is None


def test_what_is_opened_from_locked_lies_above_it(round_of: Person) -> None:
    """What lay open before gives way, what is opened after does not; Back leads to LOCKED."""
    round_of.touch(a.Show(Panel.ARBITER))
    round_of.touch(a.Show(Panel.ADJUST))
    round_of.touch(a.SetAdjust("sun", "Jaws.PC"))
    assert is_locked(round_of.wait(12.0))
    assert isinstance(round_of.touch(a.Show(Panel.LOG)), LogState)
    assert is_locked(round_of.touch(a.Back()))
    assert isinstance(round_of.touch(a.Show(Panel.ARBITER)), ArbiterState)
    assert isinstance(round_of.touch(a.Show(Panel.ADJUST)), AdjustState)
    assert round_of.view.adjusting == (("sun", "Jaws.PC"),)


@pytest.mark.parametrize("above", [None, Panel.LOG, Panel.RULES])
def test_what_hands_correct_waits_until_they_are_off_the_cards(
    round_of: Person, above: Panel | None
) -> None:
    """It was told while the clock ran: zero comes first; told after it, it stands above LOCKED."""
    round_of.touch(a.Adjust((("sun", "Jaws.PC"),), ""))
    assert round_of.table.refereed().hands.correction is not None
    if above is not None:
        round_of.touch(a.Show(above))
    assert is_locked(round_of.wait(12.0))
    assert isinstance(round_of.go_on(), RulingState)
    round_of.touch(a.Adjust((("sun", "Jaws.PL"),), ""))
    assert isinstance(round_of.state, RulingState)


def test_what_is_put_right_as_the_first_thing_after_zero_stands_above_it(round_of: Person) -> None:
    assert is_locked(round_of.wait(12.0))
    assert isinstance(round_of.touch(a.Adjust((("sun", "Jaws.PC"),), "")), RulingState)


def test_a_challenge_that_nobody_decided_before_zero_waits_for_the_hands(round_of: Person) -> None:
    """The clock was told to go on; LOCKED is shown at zero, and then the challenge again."""
    round_of.touch(a.OpenChallenge("Jaws"))
    round_of.touch(a.Resume())
    assert is_locked(round_of.wait(13.0))
    assert isinstance(round_of.go_on(), ChallengeState)


def test_arbiter_opens_on_its_keys_though_something_below_it_waits(round_of: Person) -> None:
    """The first touch on Arbiter offers a challenge, whatever was half done."""
    round_of.touch(a.Show(Panel.ARBITER))
    round_of.touch(a.Show(Panel.ADJUST))
    round_of.touch(a.SetAdjust("sun", "Jaws.PC"))
    round_of.touch(a.ToPhase())
    assert isinstance(round_of.touch(a.Show(Panel.ARBITER)), ArbiterState)


def test_a_name_half_typed_as_zero_comes_is_there_again_after_locked(
    round_of: Person, operator: Operator
) -> None:
    """The keyboard has the clock, gives way at zero, takes no letters meanwhile, and comes back."""
    operator.touched(a.Show(Panel.WHO))
    operator.touched(a.TypeArbiter())
    operator.type(a.TypeLetter("a"))
    shown = operator.state()
    assert isinstance(shown, NamingState)
    assert shown.strip is not None
    assert shown.strip.count == "12"
    round_of.wait(12.0)
    assert is_locked(operator.state())
    assert not operator.type(a.TypeLetter("b"))
    locked: Any = operator.state()
    operator.touched(locked.frame.bottom.next.action)
    shown = operator.state()
    assert isinstance(shown, NamingState)
    assert shown.text == "A"


@pytest.mark.parametrize("at_zero", [False, True])
def test_a_name_half_typed_waits_while_something_else_is_opened(
    round_of: Person, operator: Operator, *, at_zero: bool
) -> None:
    """By the strip, or above LOCKED: the same keyboard has its letters when it opens again."""
    operator.touched(a.TypeArbiter())
    operator.type(a.TypeLetter("a"))
    if at_zero:
        round_of.wait(12.0)
    else:
        operator.touched(a.ToPhase())
    assert isinstance(operator.state(), RoundState)
    operator.touched(a.Show(Panel.LOG))
    assert isinstance(operator.state(), LogState)
    operator.touched(a.TypeArbiter())
    shown = operator.state()
    assert isinstance(shown, NamingState)
    assert shown.text == "A"


def test_zero_above_a_page_of_the_book_leaves_nothing_of_the_book(round_of: Person) -> None:
    """Pages lie over one another: all of them are gone at once."""
    round_of.touch(a.Show(Panel.BOOKS))
    assert isinstance(round_of.touch(a.Show(Panel.RULES, "JP-6.1")), RulesState)
    assert is_locked(round_of.wait(12.0))
    round_of.go_on()
    assert round_of.view.panels == ()


def test_an_undo_at_locked_leaves_no_panel_of_before(round_of: Person) -> None:
    """Undo above LOCKED goes back to the phase, whose clock stands; what waited can be opened."""
    round_of.touch(a.Show(Panel.ADJUST))
    round_of.touch(a.SetAdjust("sun", "Jaws.PC"))
    round_of.wait(12.0)
    round_of.touch(a.AskUndo())
    target = round_of.match.last_act
    shown = round_of.touch(a.Undo(target))
    assert isinstance(shown, RoundState)
    assert isinstance(round_of.touch(a.Show(Panel.ADJUST)), AdjustState)
    assert round_of.view.adjusting == (("sun", "Jaws.PC"),)


@pytest.mark.parametrize("key", ["Back", "To the match"])
def test_a_table_check_in_a_round_leads_back_to_it_with_the_clock_untouched(
    round_of: Person, key: str
) -> None:
    """Arbiter, Table check, and back: the match is not left, and the round goes on counting."""
    round_of.touch(a.Show(Panel.ARBITER))
    state = round_of.touch(a.Show(Panel.TABLE_CHECK))
    keys = [*state.frame.bottom.keys, state.frame.bottom.next]
    lines = len(round_of.match.entries)
    shown = round_of.touch(next(one.action for one in keys if one.label == key))
    while not isinstance(shown, RoundState):
        shown = round_of.touch(a.Back())
    assert (shown.phase, shown.count) == (Phase.RUNNING, "12")
    assert len(round_of.match.entries) == lines


BESIDE_IT = (a.Quit, a.Restart, a.ShowDemo, a.ExportMatch, a.Leave, a.Close, a.SetSetting)
"""What a hand that touches anything would only lead away by."""


@pytest.mark.slow(gate=1)
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("seed", [103, 115])
def test_whatever_is_touched_while_a_phase_goes_on_its_clock_is_on_the_screen(
    round_of: Person, operator: Operator, seed: int
) -> None:
    """Two hundred touches on anything that is there, time between them: nothing fails."""
    from ui.screens.registry import parts_of

    hand, theme = Random(seed), Theme(size_px=(800, 480))
    for _ in range(200):
        state: Any = operator.state()
        referee = round_of.table.refereed()
        if referee.clock is not None and not isinstance(state, RoundState):
            assert _strip_of(state) is not None, state
        parts = parts_of(state, theme).values()
        every = (part.action_at(*part.box.centre) for part in parts if part.action is not None)
        touches = [one for one in every if one is not None and not isinstance(one, BESIDE_IT)]
        if not touches or hand.random() < 0.15:
            round_of.wait(hand.choice((0.3, 2.0, 6.0)))
        else:
            operator.touched(hand.choice(touches))


def _strip_of(state: Any) -> Any:
    """The clock on a screen, of a keyboard its own."""
    return state.frame.strip if hasattr(state, "frame") else state.strip


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_a_banner_that_has_no_room_for_all_keeps_what_is_to_be_done(
    make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Whole sentences in two lines: those before the last give way, and nothing is cut."""
    reasons = "No sensor box with the number E6614C311B02 is there; USB serial devices: none"
    way_out = f"{reasons}. People tell what the sensors do not: tap as always"
    banner = Alert("Sensor box lost 20 s ago", way_out, "BOX-LOST", "", Mark.BAD)
    state: Any = SAMPLES["round-running"]
    state = replace(state, frame=replace(state.frame, banner=banner))
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []
    (said,) = (text for _, text in sheet.written() if text.text.startswith("Sensor box lost"))
    assert said.text == f"{banner.text}. People tell what the sensors do not: tap as always"
    assert not said.cut


@pytest.mark.parametrize("panel", [a.Panel.MENU, a.Panel.LOG, a.Panel.ARBITER, a.Panel.ADJUST])
def test_what_is_opened_after_locked_has_gone_by_itself_opens_at_the_first_touch(
    person: Person, panel: a.Panel
) -> None:
    """Whoever touches the questions under it has read LOCKED; it does not come back."""
    person.to_round()
    assert is_locked(person.wait(20.0))
    assert person.wait(30.0).frame.top.title == "LOCK"
    state = person.touch(a.Show(panel, PARTS.get(panel, "")))
    assert not is_locked(state)
    assert person.view.panel is panel
    assert not is_locked(person.wait(1.0))
