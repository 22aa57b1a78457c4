"""The demonstration: the whole way from drawn frames to the record, by bots who only touch."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Never

import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, RecordReadOnly
from companion.core.offers import (
    CardSeen,
    PictureState,
    SectionSeen,
    SectionState,
    Seen,
    SeenState,
    Sighting,
)
from companion.games.jaws_and_paws.boards import PAWS_PLANE, PLAYERS
from companion.match.entry import Entry
from companion.match.match import Match
from companion.record.record import Record
from ui.demo.demo import DemoCall, Demonstration, Summary
from ui.demo.drawn import RunningClock, SectionTruth, SteppedClock, Truth, clock_for
from ui.demo.terminal import TerminalScreen, drawn, play_demo
from ui.samples.match import SAMPLES
from ui.screens.match.cards import CardsState


def _call(folder: Path, **changes: Any) -> DemoCall:
    known: dict[str, Any] = {
        "record": str(folder / "demo.sqlite"),
        "pace": 0.0,
        "pins": "mock",
        "seed": 1,
    }
    return DemoCall(**(known | changes))


@pytest.fixture(scope="module")
def first_round(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """One round played into a pipe: the folder of its record, its summary, what was printed."""
    folder, out = tmp_path_factory.mktemp("first-round"), io.StringIO()
    with contextlib.redirect_stdout(out):
        summary = play_demo(_call(folder, rounds=1))
    assert summary.sound
    return folder, summary.to_json(), out.getvalue()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """A demonstration that nobody has begun to play, to be looked at alone."""
    demonstration = Demonstration(_call(tmp_path_factory.mktemp("standing")))
    yield demonstration
    demonstration.table.close()


def _entries(folder: Path) -> Sequence[Entry]:
    with Record.open(folder / "demo.sqlite") as record:
        return record.load(record.matches()[0].match_id).entries


def test_a_seeded_match_is_played_to_its_end_and_recorded(tmp_path: Path) -> None:
    """Every settled sighting is right, nobody helps out, the record replays to the same end."""
    demonstration = Demonstration(_call(tmp_path))
    played = demonstration.driver
    summary = demonstration.play()
    assert summary.outcome
    assert summary.truth.settled >= summary.rounds
    assert summary.truth.faults == []
    assert summary.reasons == ()
    assert (summary.seen, summary.misled) == (1, ()), "the Sun's place, and no card"
    with Record.open(tmp_path / "demo.sqlite") as record:
        (line,) = record.matches()
        match: Any = Match.replay(record.load(line.match_id).entries)
    assert match.outcome.ruling.text == summary.outcome
    bots: Any = demonstration.demo.bots
    for player in PLAYERS:
        assert dict(match.position.piles[player].counts) == bots.counts(player), player
    assert played.over


@pytest.mark.slow
def test_the_app_was_told_by_camera_buttons_clock_and_touches_alone(
    first_round: tuple[Path, dict[str, Any], str],
) -> None:
    """The Sun's place is seen, readiness is heard, cards are told, zero is the clock's."""
    entries = _entries(first_round[0])
    sources = {entry.key: entry.source for entry in entries if entry.kind == "answer"}
    assert sources["set-up/sun"] == "camera"
    assert sources["round-1/ready/jaws"] == sources["round-1/ready/paws"] == "button"
    assert sources["round-1/locked"] == "clock"
    assert {source for key, source in sources.items() if "/reveal/" in key} == {"bot"}


@pytest.mark.slow
def test_a_seed_repeats_itself(
    tmp_path: Path, first_round: tuple[Path, dict[str, Any], str]
) -> None:
    """The same answers in the same order, the same pictures."""
    folder, first, _ = first_round
    again = Demonstration(_call(tmp_path, rounds=1)).play()
    named = {"match_id": first["match_id"]}  # each match of the record has a name of its own
    assert again.to_json() | named == first
    logs = [
        [(e.kind, e.key, e.answer) for e in _entries(played) if e.kind != "setup"]
        for played in (folder, tmp_path)
    ]
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_a_token_that_somebody_knocks_is_put_back(tmp_path: Path) -> None:
    """Table and record differ is shown, the record is followed, and the round is counted.

    Two rounds end it after the second; the match stays open in the record.
    """
    demonstration = Demonstration(_call(tmp_path, rounds=2, seed=4))
    knocked: list[str] = []

    def knock(state: object, demo: Demonstration) -> None:
        if isinstance(state, CardsState) and not knocked:
            knocked.append("")
            place = demo.drawn.truth()[PAWS_PLANE].space
            away = "Jaws.GL" if place != "Jaws.GL" else "Jaws.GR"
            demo.drawn.move(PAWS_PLANE, Pose(away))
            demo.demo.changed = True

    summary = demonstration.play(knock)
    assert (summary.rounds, summary.outcome) == (2, "")
    assert summary.truth.faults == []
    assert summary.helped == 1
    assert "table and record differ: paws" in summary.reasons[0]


def test_a_lost_camera_stops_nobody(tmp_path: Path) -> None:
    """The table goes on by touch; rounds without sight are counted as helped."""
    demonstration = Demonstration(_call(tmp_path, rounds=1, seed=5))
    lost: list[object] = []

    def pull(state: object, demo: Demonstration) -> None:
        if isinstance(state, CardsState):
            demo.drawn.unplug()
            lost.append(state.frame.banner)

    summary = demonstration.play(pull)
    assert summary.rounds == 1
    assert summary.helped >= 1
    assert any(banner is not None for banner in lost)


@pytest.mark.slow
def test_cards_in_sleeves_are_told_by_the_camera(tmp_path: Path) -> None:
    """The lock and each card that is turned over, by its upper half; whatever is in doubt is asked.

    (JP-8.1, JP-9.3)
    """
    summary = Demonstration(_call(tmp_path, rounds=1, seed=2, sleeved=True)).play()
    assert summary.sound
    assert (summary.cards.wrong, summary.truth.cards.faults) == (0, [])
    assert summary.cards.right >= 10
    assert summary.cards.asked <= 2
    told = summary.to_json()
    assert told["sections_right"] == summary.truth.cards.right > 30
    with Record.open(tmp_path / "demo.sqlite") as record:
        (line,) = record.matches()
        entries = record.load(line.match_id).entries
    assert {entry.source for entry in entries if "/reveal/" in entry.key} == {"camera"}


def test_truth_counts_sections_that_were_seen_wrong() -> None:
    """Another owner, another half, a card too many: wrong; in doubt: asked."""
    cards = {
        "Jaws.1": SectionSeen(SectionState.READ, (CardSeen("JG"),)),
        "Jaws.2": SectionSeen(SectionState.READ, (CardSeen("JP", ("MPL own",)),)),
        "Jaws.3": SectionSeen(SectionState.EMPTY),
        "Jaws.4": SectionSeen(SectionState.DOUBT),
    }
    truth = SectionTruth()
    there = {"Jaws.1": ["JP face down"], "Jaws.2": ["JP MPL own"], "Jaws.4": ["JP face down"]}
    truth.judge(Sighting(1.0, 7, PictureState.SETTLED, {}, cards=cards), there)
    assert (truth.right, truth.asked, truth.wrong) == (2, 1, 1)
    assert truth.faults == ["frame 7: Jaws.1 seen JG face down, is JP face down"]


def test_truth_counts_what_a_sighting_got_wrong() -> None:
    """A sure piece elsewhere is wrong; an unsure one is doubtful; what moves is not judged."""
    truth = Truth()
    true = {Piece("jaws"): Pose("Paws.PC"), Piece("sun"): Pose("Jaws.GL")}

    def sight(state: PictureState, jaws: str, sun: SeenState) -> Sighting:
        pieces = {
            Piece("jaws"): Seen(SeenState.SEEN, Pose(jaws), (jaws,)),
            Piece("sun"): Seen(sun, Pose("Jaws.GL"), ("Jaws.GL",)),
        }
        return Sighting(0.0, 7, state, pieces)

    truth.judge(sight(PictureState.MOVING, "Paws.PL", SeenState.SEEN), true)
    assert truth.settled == 0
    truth.judge(sight(PictureState.SETTLED, "Paws.PC", SeenState.UNSURE), true)
    assert (truth.right, truth.doubtful) == (1, 1)
    truth.judge(sight(PictureState.SETTLED, "Paws.PL", SeenState.SEEN), true)
    assert (truth.settled, truth.wrong) == (2, 1)
    assert truth.faults == ["frame 7: jaws seen on Paws.PL, stands on Paws.PC"]
    assert not Summary("b", 1, 1, 1, 0, (), 0, 0, truth).sound


def test_one_round_is_printed_and_summed_up(first_round: tuple[Path, dict[str, Any], str]) -> None:
    """Rulings line by line where the terminal cannot be drawn on."""
    _, summary, text = first_round
    assert any("JP-3.5" in line for line in text.splitlines())
    assert summary["rounds"] == 1
    assert summary["sightings_right"] == summary["sightings"]


@pytest.mark.soak
@pytest.mark.parametrize(
    "options",
    [
        {"lock_asks": "players", "timer_s": "none"},
        {"sight": "confirm", "early_end": "all_locked"},
        {"doubled_reveal": True, "unclear_half": "owner_chooses", "public_counts": False},
    ],
)
def test_every_house_rule_has_its_keys(tmp_path: Path, options: dict[str, Any]) -> None:
    """Whatever is asked under other options can be touched: no round needs help.

    The gate has them in test_demo_modes.py, each in another mode.
    """
    summary = Demonstration(_call(tmp_path, rounds=2, seed=3, options=options)).play()
    assert (summary.reasons, summary.misled) == ((), ())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rounds": 0}, "--rounds 0"),
        ({"pace": -1.0}, "--pace -1"),
        ({"pace": 1000.0}, "up to 60"),
        ({"box": "chess"}, "jaws-and-paws"),
        ({"variants": ("moon",)}, "day"),
        ({"options": {"timer_s": "x"}}, "timer_s"),
        ({"box": "dogfight-hex", "sleeved": True}, "--sleeves: no card"),
    ],
)
def test_a_call_that_cannot_be_done_is_refused(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    """In one line that names what is allowed."""
    with pytest.raises(BadCall, match=told):
        Demonstration(_call(tmp_path, **changes))


def test_paces_step_run_and_hurry() -> None:
    """0 steps, 1 is the real clock, 4 is four times as fast."""
    stepped = clock_for(0)
    assert isinstance(stepped, SteppedClock)
    before = stepped()
    stepped.wait(2.0)
    assert stepped() == before + 2.0
    real, slept = [100.0], list[float]()
    quick = RunningClock(4.0, real=lambda: real[0], sleep=slept.append)
    real[0] = 101.0
    assert quick() == 104.0
    quick.wait(2.0)
    assert slept == [0.5]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_screen_can_be_drawn_in_a_terminal(standing: Demonstration, name: str) -> None:
    """Title, band and next tap are there to be read."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=110, record=True)
    state = SAMPLES[name]
    console.print(drawn(state, standing))
    text = console.export_text()
    assert state.frame.top.title in text
    if state.frame.bottom.next is not None:
        assert state.frame.bottom.next.label in text


def test_a_pipe_gets_each_ruling_once(first_round: tuple[Path, dict[str, Any], str]) -> None:
    """No control characters where nobody can see them."""
    _, _, text = first_round
    assert "\x1b" not in text
    assert text.count("Every player draws 4 cards") == 1


@pytest.mark.slow
def test_a_record_that_takes_nothing_is_told_once_and_fails_the_demonstration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rulings go on, but nobody may think that they were kept."""
    out = io.StringIO()
    demonstration = Demonstration(_call(tmp_path, rounds=1))

    def full(*_: object) -> Never:
        raise RecordReadOnly("demo.sqlite: the disk is full.")

    monkeypatch.setattr(demonstration.table.record, "append", full)
    with TerminalScreen(out, demonstration) as screen:
        summary = demonstration.play(screen.show)
    assert out.getvalue().count("! demo.sqlite: the disk is full.") == 1
    assert not summary.sound
    assert summary.to_json()["unwritten"] == "demo.sqlite: the disk is full."
