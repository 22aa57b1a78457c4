"""A round whose cards the camera reads: the lock lit by sight, a late card with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.board import Pose
from companion.commands.plans import plan_of
from companion.evidence import Occasion, Part
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.offers import SectionState
from companion.record import Record
from companion.rulebook import Setup
from hardware.desk_panel import DeskPanel
from ui.camera_watch import CameraWatch
from ui.paces import SteppedClock
from ui.settings_file import SettingsFile
from ui.table import Table
from vision.simulated_table import SimulatedTable
from vision.tracker import Tracker


class Round:
    """The first round of a match with sleeved cards, on a stepped clock."""

    def __init__(self, folder: Path) -> None:
        self.clock = SteppedClock(500.0)
        plan = plan_of("jaws-and-paws")
        self.drawn = SimulatedTable(plan, 6, clock=self.clock, wait=self.clock.wait, fps=5.0)
        self.watch = CameraWatch(lambda: self.drawn, lambda _: Tracker(plan), clock=self.clock)
        self.table = Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            watch=self.watch,
            signals=DeskPanel(clock=self.clock),
            clock=self.clock,
        )
        self.table.new_match(Setup("jaws-and-paws", options={"timer_s": 5}))
        for piece, space in ((JAWS_PLANE, "Paws.PC"), (PAWS_PLANE, "Jaws.PC"), (SUN, "Jaws.GL")):
            self.drawn.place(piece, Pose(space))
        self.pass_time(2.5)
        for part, raw in (("toss", "Jaws"), ("sun", "Jaws.GL"), ("placed", "placed")):
            self.answer(part, raw)
        for part in ("ready/jaws", "ready/paws"):
            self.answer(part, "ready")

    def pass_time(self, seconds: float) -> None:
        until = self.clock() + seconds
        while self.clock() < until:
            self.watch.step()
            self.table.tick()

    def answer(self, part: str, raw: Any) -> None:
        match = self.table.refereed().match
        question = next(q for key, q in match.open.items() if key.endswith(part))
        assert self.table.offer(question.key, question.opened, raw, "touch")

    @property
    def lit(self) -> dict[str, Any]:
        """What the camera offers, by the end of the question's key."""
        offered = self.table.refereed().sight.offered.values()
        return {offer.key.partition("/lock/")[2]: offer.raw for offer in offered}


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Round]:
    played = Round(tmp_path)
    yield played
    played.table.close()


def test_jp_5_7_the_lock_is_lit_by_sight_and_a_late_card_is_named(played: Round) -> None:
    """Nothing is offered before the buzzer; then each section; what came late is left open."""
    played.pass_time(1.0)
    played.drawn.lay({"Jaws.1": ["JP"], "Jaws.3": ["JG"], "Paws.2": ["PP"], "Paws.4": ["PG"]})
    played.pass_time(3.0)
    assert not played.lit
    played.pass_time(1.5)
    assert played.table.refereed().match.entries[-1].key.endswith("/locked")
    played.drawn.lay({"Jaws.4": ["JG"], "Paws.1": ["P"]})
    played.pass_time(3.0)
    one, none = {"pilot": 1, "gunner": 0}, {"pilot": 0, "gunner": 0}
    assert played.lit == {
        "jaws/1": one,
        "jaws/2": none,
        "jaws/3": {"pilot": 0, "gunner": 1},
        "paws/2": one,
        "paws/3": none,
        "paws/4": {"pilot": 0, "gunner": 1},
    }
    notices = {notice.text for notice in played.table.refereed().sight.notices}
    assert "A Jaws Gunner's card came to Jaws 4 after the buzzer." in notices
    assert "A card came to Paws 1 after the buzzer." in notices
    assert played.table.evidence is not None
    played.table.evidence.settle()
    kept = [f.part for f in played.table.evidence.files if f.occasion is Occasion.CARD]
    assert kept == [Part.BEFORE, Part.AFTER, Part.BOARDS]


def test_a_match_gone_on_with_calls_no_section_empty(played: Round) -> None:
    """In the middle of a round cards may lie there: what is read is in doubt, nothing offered."""
    played.drawn.lay({"Jaws.1": ["JP"], "Paws.2": ["P"]})
    played.pass_time(1.0)
    match_id = played.table.match_id
    played.table.leave()
    watch = CameraWatch(
        lambda: played.drawn, lambda _: Tracker(played.drawn.plan), clock=played.clock
    )
    played.table.watch = played.watch = watch
    played.table.rounds = type(played.table.rounds)(watch)
    watch.listeners.append(played.table._see)
    played.table.resume(match_id)
    played.pass_time(9.0)
    assert watch.sighting is not None
    assert {seen.state for seen in watch.sighting.cards.values()} == {SectionState.DOUBT}
    assert not played.lit
