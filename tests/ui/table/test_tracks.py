"""A round whose cards the camera reads: the lock lit by sight, a late card with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.errors import BadCall
from companion.core.offers import LateCard, SectionState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.match.rulebook import Setup
from companion.record.evidence import EvidencePart, Occasion
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.drawn import SteppedClock
from ui.scene.values import KeyLook
from ui.screens.arbiter.late import LateState
from ui.screens.match.counts import CountsState
from ui.screens.match.lock import LockState
from ui.screens.registry import present
from ui.table.camera_watch import CameraWatch
from ui.table.exchange import watch_by
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.setting_up import plan_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker


class Round:
    """The first round of a match with sleeved cards, on a stepped clock."""

    def __init__(self, folder: Path, **options: Any) -> None:
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
        self.view = View()
        self.table.new_match(Setup("jaws-and-paws", options={"timer_s": 5, **options}))
        self.table.checked = True
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

    def answer_all_but(self, part: str) -> None:
        """Answer as silence does, else with the first option, until such a question is open."""
        match = self.table.refereed().match
        while not any(part in key for key in match.open):
            key, asked = next((k, q) for k, q in match.open.items() if k not in match.answered)
            raw: Any = asked.lapse or next(option.name for option in asked.options_now())
            assert self.table.offer(key, asked.opened, raw, "touch"), (key, raw)

    @property
    def state(self) -> Any:
        return present(self.table.situation(), self.view)

    def touch(self, action: Any) -> Any:
        self.view = act(action, self.table, self.view)
        self.table.tick()
        return self.state

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
    assert kept == [EvidencePart.BEFORE, EvidencePart.AFTER, EvidencePart.BOARDS]


def on_the_lock(played: Round, screen: type = LockState) -> Any:
    """Hands are off, what was ruled is read: the lock is asked."""
    for _ in range(8):
        state = played.state
        if isinstance(state, screen):
            return state
        assert state.frame.bottom.next is not None
        assert state.frame.bottom.next.action is not None
        played.touch(state.frame.bottom.next.action)
    pytest.fail("the lock was never asked")


def notes_on(lock: LockState) -> dict[str, str]:
    """What stands over each section."""
    return {f"{t.side.name} {one.label}": one.note for t in lock.teams for one in t.sections}


def test_the_lock_says_what_is_seen_and_pictures_decide_a_late_card(played: Round) -> None:
    """Each section has its note; each late card its frame at the buzzer and the one with it."""
    played.pass_time(1.0)
    played.drawn.lay({"Jaws.1": ["JP"], "Paws.2": ["PP"], "Paws.4": ["P"]})
    played.pass_time(4.5)
    played.drawn.lay({"Jaws.4": ["JG"], "Paws.1": ["P"]})
    played.pass_time(3.0)
    lock = on_the_lock(played)
    assert notes_on(lock) == {
        "Jaws 1": "seen: 1 card",
        "Jaws 2": "seen: empty",
        "Jaws 3": "seen: empty",
        "Jaws 4": "seen: 1 card?",
        "Paws 1": "something lies",
        "Paws 2": "seen: 1 card",
        "Paws 3": "seen: empty",
        "Paws 4": "something lies",
    }
    assert lock.frame.bottom.next is not None
    assert lock.frame.bottom.next.second == "hold: 3 in doubt, not counted"
    assert lock.frame.refusal is not None
    assert lock.frame.refusal.text == "Late card? Jaws 4 (1 of 2)"
    assert lock.frame.refusal.key is not None
    assert played.table.evidence is not None
    played.table.evidence.settle()
    late = played.touch(lock.frame.refusal.key.action)
    assert isinstance(late, LateState)
    assert late.before.note == "at the buzzer"
    assert late.after.note.endswith(" s after the buzzer")
    card = np.mean(np.abs(late.before.image.astype(int) - late.after.image))
    assert card > 10  # levels: without a card the two hardly differ
    ruled = played.touch(late.frame.bottom.keys[1].action)
    assert isinstance(ruled, LockState)
    assert ruled.frame.refusal is not None
    assert "laid late returns to the hand" in ruled.frame.refusal.text
    entry = played.table.refereed().match.entries[-1]
    assert (entry.kind, entry.reason) == ("report", "camera: came to Jaws.4 after the buzzer")
    other = played.touch(a.Show(a.Panel.EVIDENCE, "late"))
    assert isinstance(other, LateState)
    assert [key.label for key in other.frame.bottom.keys[1:]] == [
        "Late: Paws Pilot",
        "Late: Paws Gunner",
        "In time",
    ]
    settled = played.touch(other.frame.bottom.keys[-1].action)
    assert isinstance(settled, LockState)
    assert settled.frame.refusal is None
    assert notes_on(settled)["Jaws 1"] == "seen: 1 card"  # what was lit stays lit
    with pytest.raises(BadCall, match="no late card waits"):
        played.table.refereed().late.let_lie(LateCard("Paws.1"), played.clock())


def test_where_players_are_asked_their_counts_are_lit_and_doubts_are_held(tmp_path: Path) -> None:
    """Each section has its note there as well, and the word at the end takes what is seen."""
    played = Round(tmp_path, lock_asks="players")
    played.pass_time(1.0)
    played.drawn.lay({"Jaws.1": ["JP"], "Jaws.3": ["JP"], "Paws.2": ["PP"], "Paws.4": ["P"]})
    played.pass_time(6.5)
    state = on_the_lock(played, CountsState)
    rows = list(state.rows)
    while state.page < state.pages:
        state = played.touch(a.TurnPage(1))
        rows += state.rows
    assert [(row.name, row.prompt, row.value) for row in rows[:4]] == [
        ("Jaws Pilot", "seen: 2", "2"),
        ("Jaws Gunner", "seen: 0", "0"),
        ("Paws Pilot", "in doubt: 4", ""),
        ("Paws Gunner", "in doubt: 4", ""),
    ]
    assert [row.after for row in rows[4:]] == [
        *("seen: 1 card", "seen: empty", "seen: 1 card", "seen: empty"),
        *("seen: empty", "seen: 1 card", "seen: empty", "something lies"),
    ]
    held = state.frame.bottom.next
    assert (held.look, held.second) == (KeyLook.HOLD, "hold: 3 in doubt, not counted")
    played.touch(held.action)
    piles = played.table.refereed().match.position.piles
    assert [piles[player]["track"] for player in ("JP", "JG", "PP", "PG")] == [2, 0, 0, 0]
    played.table.close()


@pytest.mark.parametrize(
    ("turn_deg", "half"),
    [(-12.0, "own"), (168.0, "enemy")],
)
def test_jp_9_3_a_move_plane_card_acts_by_its_upper_half_from_its_seat(
    played: Round, turn_deg: float, half: str
) -> None:
    """From the sleeve on either track to the ruling: the half that is up for its player counts."""
    played.pass_time(1.0)
    played.drawn.lay({"Jaws.1": ["JP"], "Paws.1": ["PP"]})
    played.pass_time(7.0)
    lock = on_the_lock(played)
    assert lock.frame.bottom.next is not None
    assert lock.frame.bottom.next.action is not None
    played.touch(lock.frame.bottom.next.action)
    played.answer_all_but("reveal")
    played.drawn.lay({"Jaws.1": [f"JP MPL@{turn_deg}"], "Paws.1": [f"PP MPL@{turn_deg}"]})
    played.pass_time(2.0)
    offered = played.table.refereed().sight.offered
    reveals = {key.rpartition("/")[2]: offer for key, offer in offered.items() if "reveal" in key}
    assert {team: offer.raw for team, offer in reveals.items()} == dict.fromkeys(
        ("jaws", "paws"), f"MPL {half}"
    )
    for offer in list(reveals.values()):
        assert played.table.offer(offer.key, offer.opened, offer.raw, "camera")
    ruled = [ruling.text for ruling in played.table.refereed().match.rulings]
    for team in ("Jaws", "Paws"):
        words = f"{team} Pilot's Move Plane Left on the {half} plane"
        assert any(words in text for text in ruled), (words, ruled)


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
    watch_by(played.table, watch)
    played.table.resume(match_id)
    played.pass_time(9.0)
    assert watch.sighting is not None
    assert {seen.state for seen in watch.sighting.cards.values()} == {SectionState.DOUBT}
    assert not played.lit
