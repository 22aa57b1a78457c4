"""The referee at its table: offers, disk, clock, camera, corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from companion import match as match_module
from companion.board import Piece, Pose
from companion.entry import Entry
from companion.errors import PanelError, RecordReadOnly
from companion.happening import Happening
from companion.match import Match
from companion.offers import (
    Button,
    Json,
    Offer,
    PictureState,
    Press,
    Seen,
    SeenState,
    Sighting,
    SignalEvent,
    SignalKind,
    Stamp,
)
from companion.question import Choose, Locked, Option, Ready, together
from companion.referee import Keeping, Referee
from companion.round_clock import Running
from companion.rulebook import SIGHT_SWITCHES, Position, Rulebook, Setup, Switch
from companion.ruling import TABLE, Cite, Fact, Fault, Move, Notice, Outcome, Seat

CITE = Cite.of("S-1")
PAWN = Piece("pawn")
A, B = Seat("A"), Seat("B")


class Lane(Position):
    """One pawn on a lane of spaces."""

    def __init__(self) -> None:
        self.round, self.space = 1, "s0"

    def where(self) -> Sequence[str]:
        return (f"round-{self.round}",)

    def facts(self) -> Sequence[Fact]:
        return [Fact("round", "Round", self.round), Fact("space", "Space", self.space)]

    def placement(self) -> Mapping[Piece, Pose]:
        return {PAWN: Pose(self.space)}

    def faults(self) -> list[Fault]:
        return []

    def to_file(self) -> dict[str, Json]:
        return {"round": self.round, "space": self.space}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Lane:
        assert source
        position = cls()
        position.adjust(raw)
        return position

    def adjust(self, changes: Mapping[str, Json]) -> None:
        for name, value in changes.items():
            setattr(self, "space" if name == PAWN else name, value)


class Sprint(Rulebook[Lane]):
    """Each round: both ready, twenty seconds, then the pawn goes one or two spaces on."""

    box, title, variants, sides, corrections = "sprint", "Sprint", ("day",), (A, B), CITE
    seats: ClassVar[Mapping[Seat, str]] = {A: "A", B: "B"}
    switches: ClassVar[Mapping[str, Switch]] = {s.name: s for s in SIGHT_SWITCHES}

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.position = Lane.from_file(setup.position or {})

    def report(self, fact: Mapping[str, Json]) -> Notice:
        raise NotImplementedError

    async def play(self) -> Outcome:
        while self.position.round < 4:
            self.begin()
            place = f"round-{self.position.round}"
            await together(
                {
                    side: Ready(key=f"{place}/{side}", by=side, cite=CITE, prompt="?")
                    for side in self.sides
                }
            )
            await Locked(key=f"{place}/locked", by=TABLE, cite=CITE, prompt="?", seconds=20.0)
            steps = await Choose(
                key=f"{place}/steps", by=A, cite=CITE, prompt="?", offered=self._steps
            )
            was, now = Pose(self.position.space), Pose(self._ahead(steps))
            self.position.space = now.space
            self.rule("The pawn goes on.", CITE, Move(PAWN, was, now))
            self.position.round += 1
        return Outcome((A,), self.rule("Home.", CITE))

    def _steps(self) -> list[Option[int]]:
        return [Option(str(n), n, str(n), {PAWN: Pose(self._ahead(n))}) for n in (1, 2)]

    def _ahead(self, steps: int) -> str:
        return f"s{int(self.position.space[1:]) + steps}"


class Bell:
    """Signals that ring in a list, for a clock that the test moves."""

    def __init__(self) -> None:
        self.rung: list[tuple[Any, ...]] = []
        self.running: Running | None = None
        self.sounded: SignalEvent | None = None
        self.broken = False

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        if self.broken:
            raise PanelError("The signal process is gone; start it again.")
        assert cues[-1] == 0.0
        self.running = Running(round_id, deadline, total_s)
        self.rung.append(("arm", deadline))

    def stop(self) -> float:
        self.running = None
        self.rung.append(("stop",))
        return 0.0

    def adopt(self) -> Running | None:
        if self.broken:
            raise PanelError("The signal process is gone; start it again.")
        return self.running

    def fired(self, round_id: str) -> SignalEvent | None:
        return self.sounded if self.sounded and self.sounded.round_id == round_id else None

    def show(self, lamps: Sequence[bool]) -> None:
        self.rung.append(("show", *lamps))

    def sound(self, signal: str) -> None:
        self.rung.append(("sound", signal))


class Disk:
    """A record in memory whose disk can be full."""

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self.rests: dict[str, float] = {}
        self.full = False

    def append(self, entries: Sequence[Entry]) -> None:
        if self.full:
            raise RecordReadOnly("The disk is full: free some space.")
        self.lines.extend(entries)

    def note_rest(self, key: str, rest_s: float, _now: float) -> None:
        self.rests[key] = rest_s

    @property
    def keeping(self) -> Keeping:
        return Keeping(self.append, self.note_rest, self.rests.get)


class Table:
    """A referee with a bell, a disk and a clock in the test's hand."""

    def __init__(self, options: Mapping[str, Json] | None = None, disk: Disk | None = None) -> None:
        self.now = 100.0
        self.bell, self.disk = Bell(), disk or Disk()
        self.heard: list[Happening] = []
        setup = Setup("sprint", options=options or {})
        lines = self.disk.lines
        match: Match[Lane] = (
            Match.replay(lines) if lines else Match.start(setup, self.stamp("", 0.0))
        )
        self.referee = Referee(
            match,
            self.disk.keeping,
            self.stamp,
            signals=self.bell,
            round_prefix="m1/",
            written=len(lines),
        )
        self.referee.listeners.append(self.heard.append)

    @staticmethod
    def stamp(author: str, now: float) -> Stamp:
        return Stamp(author, "2026-11-21T19:00:00Z", now)

    def tick(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.referee.tick(self.now)

    def say(self, key: str, raw: Json, source: str = "touch") -> None:
        self.referee.post(Offer(key, raw, source, TABLE))
        self.tick()

    def ready(self) -> None:
        place = f"round-{self.referee.match.position.round}"
        self.say(f"{place}/A", "ready")
        self.say(f"{place}/B", "ready")

    def zero(self) -> None:
        clock = self.referee.clock
        assert clock is not None
        assert clock.deadline is not None
        self.now = clock.deadline
        self.referee.signal(SignalEvent(SignalKind.ZERO, clock.round_id, clock.deadline))
        self.tick()

    def see(self, space: str, state: PictureState = PictureState.SETTLED) -> None:
        pose = Pose(space)
        pieces = {PAWN: Seen(SeenState.SEEN, pose, (space,))}
        self.referee.see(Sighting(self.now, 1, state, pieces))
        self.tick()

    @property
    def asked(self) -> list[str]:
        return list(self.referee.match.open)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(match_module, "find_rulebook", lambda _: Sprint)
    table = Table()
    table.referee.begin(table.now)
    return table


def test_confirmed_means_on_disk_then_told(table: Table) -> None:
    """Listeners hear of a confirmed answer only when the record has its line."""
    on_disk: list[int] = []

    def heard(happening: Happening) -> None:
        if happening is Happening.CONFIRMED:
            on_disk.append(len(table.disk.lines))

    table.referee.listeners.append(heard)
    table.say("round-1/A", "ready")
    assert on_disk == [2]
    assert table.referee.confirmed == 2


def test_a_full_disk_leaves_play_unconfirmed_and_catches_up(table: Table) -> None:
    table.disk.full = True
    table.say("round-1/A", "ready")
    assert table.referee.match.answered == {"round-1/A": "ready"}
    assert "disk is full" in table.referee.unwritten
    assert table.referee.confirmed == 1
    table.disk.full = False
    table.tick()
    assert (table.referee.unwritten, table.referee.confirmed) == ("", 2)


def test_the_phase_starts_with_the_last_ready_and_sounds_at_its_deadline(table: Table) -> None:
    table.ready()
    assert table.bell.rung == [("arm", 120.0)]
    table.tick(25.0)
    assert table.asked == ["round-1/steps"], "overdue by more than a second: the screen rules zero"


def test_zero_from_the_signal_process_ends_the_phase(table: Table) -> None:
    table.ready()
    table.zero()
    assert table.asked == ["round-1/steps"]
    zero = next(e for e in table.disk.lines if e.key == "round-1/locked" and e.kind == "answer")
    assert (zero.answer, zero.source) == ("zero", "clock")


def test_zero_of_another_round_ends_nothing(table: Table) -> None:
    table.ready()
    table.referee.signal(SignalEvent(SignalKind.ZERO, "m1/round-9/locked", 105.0))
    table.tick(5.0)
    assert table.asked == ["round-1/locked"]


def test_pause_resume_and_time_given_back_reach_the_bell_and_the_log(table: Table) -> None:
    table.ready()
    table.tick(5.0)
    table.referee.pause(table.now)
    table.tick(60.0)
    table.referee.give(3.0, table.now)
    table.referee.resume(table.now)
    assert table.bell.rung == [("arm", 120.0), ("stop",), ("arm", 165.0 + 18.0)]
    events = [e.answer["event"] for e in table.disk.lines if e.kind == "clock"]  # type: ignore[index,call-overload]
    assert events == ["started", "paused", "given", "resumed"]


def test_undo_moves_clock_and_position_together(table: Table) -> None:
    """A phase reopened by undo stands paused with the rest it had; nothing may sound meanwhile."""
    table.ready()
    table.tick(5.0)
    table.referee.undo(table.now)
    assert table.referee.clock is None
    assert table.bell.rung[-1] == ("stop",)
    table.say("round-1/B", "ready")
    clock = table.referee.clock
    assert clock is not None
    assert (clock.running, clock.rest_s) == (False, 15.0)


def test_a_restarted_app_adopts_the_round_that_still_runs(table: Table) -> None:
    table.ready()
    table.tick(5.0)
    again = Table(disk=table.disk)
    again.bell.running, again.now = table.bell.running, 108.0
    again.referee.begin(again.now)
    clock = again.referee.clock
    assert clock is not None
    assert (clock.running, clock.deadline) == (True, 120.0)


def test_with_no_signal_process_left_the_round_stands_with_the_rest_noted(table: Table) -> None:
    table.ready()
    for _ in range(5):
        table.tick(1.0)
    again = Table(disk=table.disk)
    again.referee.begin(again.now)
    clock = again.referee.clock
    assert clock is not None
    assert (clock.running, clock.rest_s) == (False, 15.0)
    assert again.referee.phase.interrupted


def test_a_zero_that_sounded_while_the_app_was_dead_counts_and_is_told(table: Table) -> None:
    table.ready()
    again = Table(disk=table.disk)
    again.now = 130.0
    again.bell.sounded = SignalEvent(SignalKind.ZERO, "m1/round-1/locked", 120.0, late_s=0.0002)
    again.referee.begin(again.now)
    again.tick()
    assert again.asked == ["round-1/steps"]
    sounded = [e.answer for e in again.disk.lines if e.kind == "clock"][-1]
    assert isinstance(sounded, dict)
    assert (sounded["event"], sounded["before_s"]) == ("sounded", 10.0)


def test_a_signal_process_that_cannot_be_asked_stops_no_restart(table: Table) -> None:
    table.ready()
    again = Table(disk=table.disk)
    again.bell.broken = True
    again.referee.begin(again.now)
    assert again.referee.clock is not None
    assert "signal process is gone" in again.referee.phase.silent


def test_without_a_bell_the_screen_counts_and_says_why(table: Table) -> None:
    table.bell.broken = True
    table.ready()
    assert "signal process is gone" in table.referee.phase.silent
    table.tick(20.0)
    assert table.asked == ["round-1/steps"]


def test_team_buttons_say_ready_and_the_referee_button_pauses(table: Table) -> None:
    table.referee.press(Press(Button.READY_SECOND, 100.0))
    table.referee.press(Press(Button.READY_SECOND, 100.5))
    table.tick()
    assert table.referee.match.answered == {"round-1/B": "ready"}
    table.referee.press(Press(Button.READY_FIRST, 101.0))
    table.tick()
    clock = table.referee.clock
    assert clock is not None
    assert clock.running
    table.referee.press(Press(Button.REFEREE, 102.0))
    table.tick()
    clock = table.referee.clock
    assert clock is not None
    assert not clock.running


def test_a_refusal_stays_until_a_valid_answer(table: Table) -> None:
    table.say("round-1/A", "perhaps")
    assert table.referee.refused is not None
    assert table.referee.refused.code == "Q-NAME"
    table.say("round-7/A", "ready")
    assert table.referee.refused.code == "Q-GONE"
    table.say("round-1/A", "ready")
    assert table.referee.refused is None


def reach_steps(table: Table) -> None:
    table.ready()
    table.zero()


def test_what_is_seen_is_offered_and_waits_for_a_tap(table: Table) -> None:
    reach_steps(table)
    table.see("s2")
    assert table.referee.sight.offered["round-1/steps"].raw == "2"
    table.tick(10.0)
    assert table.asked == ["round-1/steps"]


def test_accepted_sight_counts_after_its_key_was_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "find_rulebook", lambda _: Sprint)
    table = Table({"sight": "accept"})
    table.referee.begin(table.now)
    reach_steps(table)
    table.see("s1")
    assert table.asked == ["round-1/steps"]
    table.tick(0.7)
    assert table.referee.match.position.space == "s1"
    assert table.disk.lines[-1].source == "camera"


def test_a_lagging_piece_holds_the_next_question_that_looks_at_it(table: Table) -> None:
    """What hands still owe is no difference; the question waits, or is trusted by a tap."""
    reach_steps(table)
    table.see("s0")
    table.say("round-1/steps", "1")
    reach_steps(table)
    table.see("s0")
    assert table.referee.sight.reading is not None
    assert table.referee.sight.reading.lagging == {PAWN}
    assert list(table.referee.held) == ["round-2/steps"]
    table.say("round-2/steps", "1")
    assert table.referee.refused is not None
    assert table.referee.refused.code == "Q-HELD"
    table.see("s1")
    assert not table.referee.held
    table.say("round-2/steps", "1")
    assert table.referee.match.position.space == "s2"


def test_a_difference_is_followed_accepted_or_looked_at_again(table: Table) -> None:
    table.see("s5")
    (difference,) = table.referee.differences
    assert (difference.seen, difference.recorded) == (Pose("s5"), Pose("s0"))
    table.referee.follow_record(table.now)
    assert table.referee.differences == ()
    assert table.referee.sight.astray == {PAWN}
    table.referee.look_again()
    table.see("s6")
    assert len(table.referee.differences) == 1
    table.referee.accept_table(table.now, by="Ana")
    assert table.referee.match.position.space == "s6"
    assert table.referee.differences == ()
    assert (table.disk.lines[-1].kind, table.disk.lines[-1].author) == ("adjust", "Ana")


def test_trust_goes_on_without_the_camera_until_the_next_answer(table: Table) -> None:
    reach_steps(table)
    table.see("s9")
    table.referee.trust()
    table.say("round-1/steps", "1")
    assert table.referee.match.position.round == 2
    assert not table.referee.sight.trusted


def test_after_a_correction_hands_follow_before_anything_differs(table: Table) -> None:
    table.see("s0")
    table.referee.adjust({"pawn": "s3"}, "was knocked", table.now)
    assert table.referee.differences == ()
    assert table.referee.sight.astray == {PAWN}


def test_an_unsettled_picture_changes_nothing(table: Table) -> None:
    table.see("s9", PictureState.HAND)
    assert table.referee.differences == ()
    assert table.referee.sight.reading is None
