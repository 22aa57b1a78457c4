"""The demonstration of Dogfight: 1917: every mode on drawn frames, poses by the camera."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from companion.core.board import Piece, Pose
from companion.core.offers import Offer
from companion.core.question import Choose
from companion.core.ruling import Move
from companion.games.dogfight_1917 import table as physical
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.dogfight_1917.table import PhysicalTable
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, play_one
from companion.record.record import Record
from ui.demo.demo import DemoCall, Demonstration, Summary
from ui.demo.drawn import DemoTable, Truth
from ui.demo.driver import CONFIRMED, NOT_IN_TIME, NOTHING_MOVES, WHICH_WAY
from ui.demo.terminal import drawn, hex_board
from ui.scene.map import MapView
from ui.scene.values import Mark
from ui.screens.arbiter.differ import DifferState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.field import FieldState
from vision.drawing.table import SimulatedTable

BOX = "dogfight-1917"
CAMEL, FOKKER = Piece("camel"), Piece("fokker")
NORTH, SOUTH_EAST = Pose("0,-1", 0), Pose("2,0", 2)
MODES: Mapping[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "base": (("base",), {}),
    "draft": (("draft",), {}),
    "daring-escape": (("daring-escape",), {}),
    "battle-royale of four": (("battle-royale",), {}),
    "battle-royale of three": (("battle-royale",), {"players": 3}),
    "team-battle": (("team-battle",), {}),
    "entente-vs-central-powers": (("entente-vs-central-powers",), {}),
}


def _demonstration(folder: Path, variants: tuple[str, ...] = (), **changes: Any) -> Demonstration:
    known: dict[str, Any] = {
        "record": str(folder / "demo.sqlite"),
        "pace": 0.0,
        "pins": "mock",
        "seed": 1,
        "rounds": 2,
    }
    return Demonstration(DemoCall(BOX, variants, **(known | changes)))


def _answers(folder: Path) -> list[Any]:
    with Record.open(folder / "demo.sqlite") as record:
        entries = record.load(record.matches()[0].match_id).entries
    return [entry for entry in entries if entry.kind == "answer"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_first_turns_of_every_mode_are_played_by_sight_and_touch(
    tmp_path: Path, mode: str
) -> None:
    """No sighting and no pose is wrong, nobody helps out, whoever sits there is asked."""
    variants, options = MODES[mode]
    rounds = 2 if mode == "base" else 1
    demonstration = _demonstration(tmp_path, variants, options=options, rounds=rounds, seed=2)
    match = demonstration.driver.match
    summary = demonstration.play()
    assert summary.sound, summary.to_json()
    assert (summary.rounds, summary.reasons) == (rounds, ())
    assert summary.poses.right >= rounds
    assert set(summary.poses.asked) <= {WHICH_WAY, NOTHING_MOVES}
    told = summary.to_json()
    assert told["poses_right"] == summary.poses.right
    assert told["poses_wrong"] == 0
    assert told["poses_asked"] == sum(summary.poses.asked.values())
    assert tuple(match.setup.seats) == match.rulebook.seats_taken()
    assert match.position.where()[0] == f"turn-{rounds + 1}", "rounds are turns here"
    _judge_sources(tmp_path, summary)
    if mode == "base":
        assert summary.rolls.right >= 1, "dice are read where they are rolled in sight"
        assert summary.rolls.told >= 1, "and told elsewhere"
    rolls = [step.key for step in match.steps if isinstance(step.value, list)]
    assert summary.rolls.wrong == 0
    assert summary.rolls.right + summary.rolls.told <= len(rolls)
    assert summary.misled == ()


def _judge_sources(folder: Path, summary: Summary) -> None:
    """What the camera answered is every pose that moved a plane, and nothing that it cannot see."""
    answers = _answers(folder)
    by_camera = [entry.key for entry in answers if entry.source == "camera"]
    assert len(by_camera) == summary.poses.right + summary.rolls.right
    assert {entry.key for entry in answers if entry.key.startswith("set-up/corner/")} <= {
        *by_camera
    }
    assert any(key.endswith("/fly") for key in by_camera)
    by_touch = {entry.key.rpartition("/")[2] for entry in answers if entry.source == "bot"}
    assert {"action", "placed"} <= by_touch


def test_planes_that_nobody_has_chosen_yet_are_not_missed(tmp_path: Path) -> None:
    """The table check of an empty board warns of nothing."""
    demonstration = _demonstration(tmp_path)
    while not demonstration.settled:
        demonstration.watch.step()
    demonstration.table.tick()
    check = demonstration.state()
    demonstration.table.close()
    assert isinstance(check, TableCheckState)
    assert check.lines
    assert not [line for line in check.lines if line.mark is Mark.WARN]


@pytest.mark.slow
def test_a_plane_may_be_flown_before_its_card_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands at its end while the card is named; nothing differs, and the camera answers."""
    monkeypatch.setattr(physical, "HASTY", 1.0)
    demonstration = _demonstration(tmp_path, seed=3, rounds=1)
    begun: list[str] = []
    early: list[bool] = []

    def watch(state: object, demo: Demonstration) -> None:
        assert not isinstance(state, DifferState)
        flying = [key for key in demo.driver.match.open if key.endswith("/fly")]
        if flying and flying[0] not in begun:
            begun.extend(flying)
            stands = demo.driver.match.position.placement()
            early.append(dict(demo.drawn.truth()) != dict(stands))

    summary = demonstration.play(watch)
    assert early
    assert all(early), "it stands there when the camera is first asked where"
    assert summary.sound
    assert summary.reasons == ()
    flown = [entry for entry in _answers(tmp_path) if entry.key.endswith("/fly")]
    assert {entry.source for entry in flown} == {"camera"}


@pytest.mark.slow
def test_a_plane_put_elsewhere_than_its_pilot_says_is_counted_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera answers what it sees; the pilots know better, and the demonstration fails."""
    put = DemoTable.put

    def elsewhere(table: DemoTable, placement: Mapping[Piece, Pose]) -> None:
        match = demonstration.driver.match
        fly = next((q for key, q in match.open.items() if key.endswith("/fly")), None)
        if isinstance(fly, Choose) and placement and not wrong:
            ends = (option.shows for option in fly.options_now() if option.shows)
            wrong.append(next(end for end in ends if end != placement))
            placement = wrong[0]
        put(table, placement)

    wrong: list[Mapping[Piece, Pose]] = []
    demonstration = _demonstration(tmp_path, rounds=1)
    monkeypatch.setattr(physical, "HASTY", 0.0)
    monkeypatch.setattr(DemoTable, "put", elsewhere)
    summary = demonstration.play()
    assert summary.poses.wrong == 1
    assert not summary.sound
    assert "/fly: " in summary.misled[0]


@pytest.mark.slow
def test_without_a_camera_every_pose_is_told_by_touch(tmp_path: Path) -> None:
    """The spaces and headings of the screen lead to every answer; each is counted with its why."""
    demonstration = _demonstration(tmp_path, seed=5, rounds=1)

    def pull(state: object, demo: Demonstration) -> None:
        if isinstance(state, FieldState) and state.poses is not None:
            demo.drawn.unplug()

    summary = demonstration.play(pull)
    assert summary.rounds == 1
    assert summary.poses.asked[NOT_IN_TIME] >= 1
    assert (summary.poses.right, summary.poses.wrong) == (0, 0)
    assert not [reason for reason in summary.reasons if "no key" in reason]


@pytest.mark.slow
def test_what_the_camera_saw_may_wait_for_a_touch(tmp_path: Path) -> None:
    """Under sight: confirm nothing is taken by sight alone, and the same touch takes it."""
    summary = _demonstration(tmp_path, rounds=1, options={"sight": "confirm"}).play()
    assert summary.sound
    assert (summary.seen, summary.reasons) == (0, ())
    assert summary.poses.asked[CONFIRMED] >= 1
    assert set(summary.poses.asked) <= {CONFIRMED, NOTHING_MOVES, WHICH_WAY}


def test_a_crashed_plane_is_taken_off_by_a_hand() -> None:
    """It leaves the board once the hand has gone, and not before one came."""
    setup = Setup(BOX, ("team-battle",))
    table = PhysicalTable(setup, Random(1))
    table.pieces = {CAMEL: NORTH, FOKKER: SOUTH_EAST}
    picture = SimulatedTable(board_plan(assumed_figures()), 1, size_px=(640, 360))
    demo = DemoTable(table, picture, Random(1), Truth())
    assert set(picture.truth()) == {CAMEL, FOKKER}
    demo.perform([Move(CAMEL, NORTH, None)])
    assert CAMEL in picture.truth()
    demo.follow()
    while demo.busy:
        picture.read()
    assert dict(picture.truth()) == {FOKKER: SOUTH_EAST}
    assert demo.changed, "the camera has not looked yet"


def _ways_asked(seed: int) -> Iterator[tuple[PhysicalTable, Choose[Any]]]:
    """Every question for the way flown in one match, while it is open."""
    setup = Setup(BOX, ("base",))
    match, bots = Match[Any].start(setup, STAMP), PhysicalTable(setup, Random(seed))
    ruled = 0
    while match.outcome is None:
        question = next(q for key, q in match.open.items() if key not in match.answered)
        if isinstance(question, Choose) and question.key.endswith("/way"):
            yield bots, question
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        bots.perform(deed for ruling in match.rulings[ruled:] for deed in ruling.deeds)
        ruled = len(match.rulings)


def test_the_way_told_is_the_way_flown() -> None:
    """A pilot who is asked for the way says the same each time, and one that leads to that end."""
    asked = [once for seed in range(6) for once in _told_twice(seed)]
    assert len(asked) >= 3
    assert len(set(asked)) > 1, "not always the first one listed"


def _told_twice(seed: int) -> Iterator[str]:
    for bots, question in _ways_asked(seed):
        said = bots.act(question)
        assert bots.act(question) == said
        assert said in [option.name for option in question.options_now()]
        yield str(said)


def test_bots_end_their_matches_however_they_fly() -> None:
    """The paths that they choose are among those that the rules list: no answer is refused."""
    for mode in ("base", "draft", "team-battle"):
        played = play_one(Setup(BOX, (mode,)), Random(11))
        assert (played.finished, played.trouble) == (True, "")


# -- in a terminal -------------------------------------------------------------------------


def test_a_board_of_hexes_is_drawn_as_it_lies() -> None:
    """A line for each half row, planes as letters with the arrow of their heading."""
    plan = board_plan(assumed_figures())
    console = Console(file=io.StringIO(), width=60, record=True)
    placement = {CAMEL: NORTH, FOKKER: SOUTH_EAST}
    state = MapView(plan).draw(placement, ghosts={CAMEL: Pose("0,4", 3)})
    console.print(hex_board(state))
    lines = console.export_text().splitlines()
    assert len(lines[8].split()) == 5, "nine columns, every other one in a line"
    assert "S↑" in lines[6]
    assert lines[6].index("S↑") == lines[16].index("(S↓)") + 1, "the same column"
    assert "F↘" in lines[10]
    assert sum(line.count("①") + line.count("②") for line in lines[:17]) == len(
        [space for space in plan.spaces.values() if space.sign]
    )
    assert lines[17].startswith("N ↑")


@pytest.mark.slow
def test_a_match_can_be_followed_in_a_terminal(tmp_path: Path) -> None:
    """Whose turn, what is asked, everybody's cards, the dice and the answers can be read."""
    demonstration = _demonstration(tmp_path, seed=7, rounds=1)
    shown: dict[str, str] = {}

    def show(state: Any, demo: Demonstration) -> None:
        kind = (
            "menu"
            if getattr(state, "menu", ())
            else "poses"
            if getattr(state, "poses", None)
            else ""
        )
        if kind and kind not in shown:
            console = Console(file=io.StringIO(), width=110, record=True)
            console.print(drawn(state, demo))
            shown[kind] = console.export_text()

    demonstration.play(show)
    assert {"menu", "poses"} <= set(shown)
    for text in shown.values():
        assert "tokens" in text
        assert "Ana" in text
        assert "Bo" in text
    assert "○" in shown["poses"]
    assert "ends on" in shown["poses"]


# -- long ----------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize(
    ("mode", "seed", "rounds"),
    [
        ("base", 1, 200),
        ("battle-royale of three", 2, 60),
        ("team-battle", 3, 80),
        ("entente-vs-central-powers", 4, 80),
        ("daring-escape", 6, 60),
    ],
)
def test_many_turns_without_a_wrong_pose(tmp_path: Path, mode: str, seed: int, rounds: int) -> None:
    """Whole matches, crashes and returns among them: nothing is misread, nobody helps out."""
    variants, options = MODES[mode]
    demonstration = _demonstration(tmp_path, variants, seed=seed, rounds=rounds, options=options)
    summary = demonstration.play()
    assert summary.sound, summary.to_json()
    assert (summary.rounds, summary.reasons) == (rounds, ())
    assert summary.poses.right >= rounds
    assert set(summary.poses.asked) <= {WHICH_WAY, NOTHING_MOVES}
