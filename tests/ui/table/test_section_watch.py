"""Cards on tracks before a camera that stalls or is pulled out in the middle of a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from companion.core.offers import LateCard, SectionState
from ui.demo.drawn import SteppedClock
from ui.table.camera_watch import CameraWatch
from ui.terminal.setting_up import plan_of
from vision.camera.scripted import CameraRig
from vision.drawing.table import SimulatedTable
from vision.evidence.evidence import OFF_S
from vision.tracking.tracker import Tracker

BOX = "jaws-and-paws"
FPS = 10.0
CARDS = {"Jaws.1": ["JP"], "Paws.2": ["PG"]}


class Round:
    """A round of the 20-second game before a camera whose plug can be pulled."""

    def __init__(self, tracker: Callable[[], Tracker]) -> None:
        self.clock = SteppedClock(100.0)
        self.drawn = SimulatedTable(
            plan_of(BOX), 6, fps=FPS, clock=self.clock, wait=self.clock.wait
        )
        self.rig = CameraRig(self.drawn, name="usb-Acme-video-index0")
        self.watch = CameraWatch(self.rig.open, lambda _: tracker(), clock=self.clock)

    def run(self, seconds: float) -> None:
        """Let time pass, with the camera's pictures or without."""
        end = self.clock() + seconds
        while self.clock() < end:
            before = self.clock()
            self.watch.step()
            if self.clock() == before:
                self.clock.wait(1 / FPS)

    @property
    def states(self) -> Mapping[str, SectionState]:
        assert self.watch.sighting is not None
        return {name: seen.state for name, seen in self.watch.sighting.cards.items()}

    @property
    def late(self) -> tuple[LateCard, ...]:
        assert self.watch.sighting is not None
        return self.watch.sighting.late


def _begun(tracker: Callable[[], Tracker] = lambda: Tracker(plan_of(BOX))) -> Round:
    """A round whose sections were seen empty."""
    play = Round(tracker)
    play.watch.sections_are_empty()
    play.run(2.5)
    assert set(play.states.values()) == {SectionState.EMPTY}
    return play


def test_cards_laid_while_the_camera_stalls_are_not_late_for_sure() -> None:
    """Laid in time, of whose buzzer there is no picture: nothing is known of what was late.

    A picture more than `OFF_S` away shows another moment. What comes later is told as ever.
    """
    play = _begun()
    play.rig.frozen = True
    play.run(0.4)
    play.drawn.lay(CARDS)
    play.run(0.6)
    buzzed_at = play.clock()
    play.watch.buzzer(buzzed_at)
    play.run(1.5)
    play.rig.frozen = False
    play.run(3.5)
    assert {name for name, state in play.states.items() if state is SectionState.READ} == set(CARDS)
    assert play.late == ()
    assert play.watch.sighting is not None
    assert play.watch.sighting.taken_at > buzzed_at + OFF_S, "and the lock need not wait for it"


def test_a_card_after_a_buzzer_that_was_seen_is_late() -> None:
    """The other side of it: with a picture of that moment it is sure, as it was."""
    play = _begun()
    play.watch.buzzer(play.clock())
    play.run(0.4)
    play.drawn.lay({"Jaws.1": ["JP"]})
    play.run(2.5)
    assert [(late.section, late.owner, late.sure) for late in play.late] == [("Jaws.1", "JP", True)]


def test_a_buzzer_is_not_used_up_before_the_boards_are_found() -> None:
    """The camera was opened anew just before: its first picture finds no board yet."""
    play = _begun()
    play.rig.plugged = False
    play.run(0.2)
    play.rig.plugged = True
    while play.rig.opened < 2:
        play.run(1 / FPS)
    tracker = play.watch.tracker
    assert tracker is not None
    assert not tracker.view.places
    play.watch.buzzer(play.clock())
    play.run(1.5)
    assert tracker.view.places
    play.drawn.lay({"Jaws.1": ["JP"]})
    play.run(2.5)
    assert [late.section for late in play.late] == ["Jaws.1"]


def test_a_phase_that_begins_ends_a_buzzer_that_nobody_could_take() -> None:
    """Cards of the next phase are not late for the one before."""
    play = _begun()
    play.rig.frozen = True
    play.run(0.3)
    play.watch.buzzer(play.clock())
    play.watch.sections_are_empty()
    play.rig.frozen = False
    play.run(2.5)
    play.drawn.lay(CARDS)
    play.run(2.5)
    assert play.late == ()


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("own_plans", [False, True])
def test_a_camera_plugged_in_again_knows_the_sections_still(own_plans: bool) -> None:  # noqa: FBT001
    """Also where each opening reads the table's file anew, and so has a plan of its own."""
    plan = plan_of(BOX)
    play = _begun(lambda: Tracker(replace(plan) if own_plans else plan))
    play.drawn.lay({"Jaws.1": ["JP"]})
    play.run(2.0)
    before = play.states
    assert before["Jaws.1"] is SectionState.READ
    play.rig.plugged = False
    play.run(0.5)
    play.rig.plugged = True
    play.run(4.0)
    assert play.rig.opened == 2
    assert play.states == before
