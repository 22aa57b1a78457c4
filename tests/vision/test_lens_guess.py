"""A lens that nobody measured: places are nearly as good, and told no surer than they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.core.board import BoardPlan, Pose, Space
from companion.core.offers import RIM, PictureState, Seen, SeenState, Sighting
from companion.games import RULEBOOKS
from ui.terminal.setting_up import plan_of
from vision.boards.calibrating import Calibrating, Progress, Quality
from vision.boards.lens import Lens
from vision.boards.lens_guess import guessed_lens
from vision.boards.view import TableView
from vision.drawing.table import PictureLook, SimulatedTable, TokenSpot
from vision.markers.reading import MarkerSeen
from vision.table_file.reading import load_table
from vision.table_file.writing import write_lens
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from tests.vision.conftest import Eye

SIZES = ((1280, 720), (1920, 1080))
MOST_TILT_DEG = 35.0
MOST_FRAMES = 40
INSIDE_MM, OUTSIDE_MM = 3.0, 1.0


PRINTED_MM = np.array([(0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0)])


@pytest.mark.parametrize(
    "read_px",
    [
        [(500, 100), (100, 100), (100, 400), (500, 400)],
        [(100, 100), (500, 100), (100, 400), (500, 400)],
        [(100, 100), (200, 200), (300, 300), (400, 400)],
        [(300, 300)] * 4,
        [(math.nan, math.nan)] * 4,
    ],
    ids=["from behind", "crossed", "in a row", "in one place", "no numbers"],
)
def test_corners_that_no_camera_sees_leave_the_usual_lens(
    read_px: list[tuple[float, float]],
) -> None:
    """As wide and as unsure as without a board, and no picture stops what looks on."""
    usual = guessed_lens(SIZES[0], [], [])
    found = guessed_lens(SIZES[0], [PRINTED_MM], [np.array(read_px, np.float64)])
    assert found == usual


@dataclass
class Scene:
    """A drawn table before a camera of which nothing is known; all of it follows from the seed."""

    plan: BoardPlan
    seed: int
    field_deg: float
    measured: bool = False
    chance: np.random.Generator = field(init=False)
    table: SimulatedTable = field(init=False)
    tracker: Tracker = field(init=False)

    def __post_init__(self) -> None:
        self.chance = np.random.default_rng(self.seed)
        look = PictureLook(
            blur_px=float(self.chance.uniform(0.4, 1.0)),
            noise=float(self.chance.uniform(1.0, 4.0)),
            falloff=float(self.chance.uniform(0.1, 0.5)),
            field_deg=self.field_deg,
            tilt_deg=float(self.chance.uniform(0.0, MOST_TILT_DEG)),
        )
        self.table = SimulatedTable(self.plan, self.seed, SIZES[self.seed % 2], look=look)
        self.tracker = Tracker(self.plan, self.table.lens if self.measured else None)

    def scatter(self) -> None:
        """Every token somewhere on the spaces, or hardly off them, clear of the others."""
        boards = [board for board in self.plan.boards if board.holds_pieces]
        spots = list[tuple[float, float]]()
        for token in self.plan.tokens:
            clear_mm = 1.5 * token.side_mm
            for _ in range(200):
                board = boards[int(self.chance.integers(len(boards)))]
                space = board.spaces[int(self.chance.integers(len(board.spaces)))]
                x, y = _spot_near(space, self.chance)
                spot = self.table.board(board.name).to_table((x, y))
                on_board = min(x, y, board.size_mm[0] - x, board.size_mm[1] - y) > 4.0
                if on_board and all(math.dist(spot, other) > clear_mm for other in spots):
                    spots.append(spot)
                    heading = float(self.chance.uniform(0.0, 360.0))
                    self.table.stand(token.piece, TokenSpot(board.name, x, y, heading))
                    break
            else:
                self.table.remove(token.piece)

    def settled(self) -> Sighting:
        """The next settled sighting, once what moves has come to rest."""
        self.tracker.see(self.table.read())
        for _ in range(MOST_FRAMES):
            sighting = self.tracker.see(self.table.read())
            if sighting.state is PictureState.SETTLED:
                return sighting
        raise AssertionError(f"scene {self.seed} never settled")


def _spot_near(space: Space, chance: np.random.Generator) -> tuple[float, float]:
    xs, ys = zip(*space.outline_mm, strict=True)
    while True:
        spot = float(chance.uniform(min(xs), max(xs))), float(chance.uniform(min(ys), max(ys)))
        if space.inside_mm(spot) > -OUTSIDE_MM:
            return spot


@dataclass
class Places:
    """How places were read of tokens that stand where they stand."""

    off_mm: list[float] = field(default_factory=list[float])
    sds: list[float] = field(default_factory=list[float])
    told_mm: list[float] = field(default_factory=list[float])
    verdicts: Counter[str] = field(default_factory=Counter[str])

    def take(self, scene: Scene, sighting: Sighting) -> None:
        for piece, seen in sighting.pieces.items():
            standing = scene.table.standing(piece)
            if standing is None or seen.state not in {SeenState.SEEN, SeenState.UNSURE}:
                continue
            if seen.x_mm is None or seen.y_mm is None or not seen.place_sd_mm:
                continue
            inside = {
                space.name: space.inside_mm((standing.x_mm, standing.y_mm))
                for space in scene.plan.board(standing.board or "").spaces
            }
            self.verdicts[verdict(inside, seen)] += 1
            if seen.board == standing.board:
                off = math.hypot(seen.x_mm - standing.x_mm, seen.y_mm - standing.y_mm)
                self.off_mm.append(off)
                self.sds.append(off / seen.place_sd_mm)
                self.told_mm.append(seen.place_sd_mm)

    @property
    def within(self) -> float:
        """The share of places that are off by three of their standard deviations at the most."""
        return float(np.mean(np.array(self.sds) <= 3.0))

    @property
    def p95_mm(self) -> float:
        return float(np.percentile(self.off_mm, 95))

    @property
    def wrong(self) -> int:
        return self.verdicts["inside: wrong"] + self.verdicts["near: wrong"]

    @property
    def asked(self) -> float:
        """The share of those well inside their space that were asked for all the same."""
        inside = sum(n for name, n in self.verdicts.items() if name.startswith("inside"))
        return self.verdicts["inside: asked"] / max(1, inside)

    def __str__(self) -> str:
        """A row of the table."""
        median, p95, most = np.percentile(self.off_mm, (50, 95, 100))
        told = float(np.median(self.told_mm))
        return (
            f"{len(self.off_mm)} places: off {median:.2f} / {p95:.2f} / {most:.2f} mm, told "
            f"{told:.2f}, {100 * self.within:.1f} % within three; wrong {self.wrong}, well inside "
            f"and asked {100 * self.asked:.1f} %; {dict(self.verdicts)}"
        )


def verdict(inside: dict[str, float], seen: Seen) -> str:
    """Right, asked, or wrong, of a token so far inside each space of its board."""
    space = max(inside, key=lambda name: inside[name])
    where = "inside" if inside[space] >= INSIDE_MM else "near"
    if len(seen.spaces) == 1 or (not seen.spaces and inside[space] >= 0):
        return f"{where}: {'right' if seen.spaces == (space,) else 'wrong'}"
    return f"{where}: {'asked' if {space, RIM} & set(seen.spaces) else 'wrong'}"


def watched(box: str, seeds: range, field_deg: float, scatters: int = 2) -> Places:
    """Tables of some seeds without lens data, their tokens scattered anew so many times."""
    places = Places()
    for seed in seeds:
        scene = Scene(plan_of(box), seed, field_deg)
        for _ in range(scatters):
            scene.scatter()
            places.take(scene, scene.settled())
    return places


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    ("box", "field_deg", "most_mm"), [("starship-edition", 60.0, 1.0), ("dogfight-1917", 75.0, 2.0)]
)
def test_places_without_lens_data_are_told_no_surer_than_they_are(
    box: str, field_deg: float, most_mm: float
) -> None:
    """Within three of their own deviations, none on a wrong space."""
    places = watched(box, range(90_100, 90_102), field_deg)
    print(f"\n{box}, {field_deg:.0f} degrees: {places}")  # noqa: T201
    assert places.within >= 0.95  # of few; the long test asks for 0.99 of many
    assert places.p95_mm <= most_mm
    assert not places.wrong


def test_a_board_whose_small_corners_a_quick_look_misses_is_found() -> None:
    """Of 24 px two of four were missed, every piece was there, and the table stayed blind."""
    scene = Scene(plan_of("dogfight-1917"), 95_002, 75.0)
    scene.scatter()
    assert scene.settled().boards_seen


@pytest.mark.soak
@pytest.mark.parametrize("box", RULEBOOKS)
@pytest.mark.parametrize(("field_deg", "most_mm"), [(60.0, 1.0), (75.0, 2.0), (84.0, 4.0)])
def test_three_thousand_places_without_lens_data(
    box: str, field_deg: float, most_mm: float
) -> None:
    """As above, on seeds that nothing was set on: 200 and more of each box and width."""
    scatters = {"jaws-and-paws": 9, "dogfight-hex": 1}.get(box, 5)
    places = watched(box, range(95_000, 95_010), field_deg, scatters)
    print(f"\n{box}, {field_deg:.0f} degrees: {places}")  # noqa: T201
    assert len(places.off_mm) >= 190
    assert places.within >= 0.98
    assert places.p95_mm <= most_mm
    assert not places.wrong
    assert places.asked <= 0.02


def hex_eye(make: Callable[..., Eye], **settings: float) -> tuple[Eye, TableView]:
    """The one board of Dogfight: 1917 before a lens that the view does not know."""
    eye = make(noise_px=0.05, **settings)
    view = TableView(eye.plan)
    view.look(eye.look(), SIZES[0])
    return eye, view


def test_a_tilted_camera_tells_its_own_width(
    make_hex_eye: Callable[..., Eye], bent: Callable[..., Lens]
) -> None:
    """A lens of 84 degrees, which the usual one is not, and how sure that is."""
    eye = make_hex_eye(noise_px=0.05, tilt_deg=25.0, height_mm=600.0)
    eye.lens = bent(SIZES[0], 0.555)
    view = TableView(eye.plan)
    view.look(eye.look(), SIZES[0])
    assert view.lens is not None
    sd = math.sqrt(sum(way.focal**2 for way in view.lens.spread))
    off = view.lens.focal_px[0] / eye.lens.focal_px[0] - 1.0
    assert abs(off) <= 3 * sd
    assert sd < 0.08


def test_a_camera_straight_above_does_not_and_says_so(make_hex_eye: Callable[..., Eye]) -> None:
    """Its focal length may be any: places of tokens, which stand above the board, know it."""
    _, tilted = hex_eye(make_hex_eye, tilt_deg=25.0)
    _, straight = hex_eye(make_hex_eye, tilt_deg=0.5)
    assert tilted.told is not None
    assert straight.told is not None
    assert straight.told.within_mm > 1.5 * tilted.told.within_mm
    assert straight.told.worth_measuring
    assert "measuring the lens brings that to" in str(straight.told)


def swollen(marker: MarkerSeen, by_px: float) -> MarkerSeen:
    """A marker all of whose edges seem to lie further out, as blur and ink make it."""
    middle = np.array(marker.centre_px)
    share = 1.0 + 2.0 * by_px / marker.side_px
    return replace(marker, corners_px=middle + share * (marker.corners_px - middle))


@pytest.mark.parametrize("by_px", [-0.3, 0.2, 0.3])
def test_swollen_markers_do_not_bend_the_lens(
    make_hex_eye: Callable[..., Eye], by_px: float
) -> None:
    """Markers of 30 px that are read 0.6 px too large put places in the middle 1.5 mm off."""
    eye = make_hex_eye(tilt_deg=20.0, height_mm=800.0)
    view = TableView(eye.plan)
    view.look([swollen(marker, by_px) for marker in eye.look()], SIZES[0])
    (board,) = eye.plan.boards
    spots = np.array([space.centre_mm for space in board.spaces])
    found = view.places[board.name].to_board(eye.pixels(board.name, spots.tolist()))
    assert float(np.linalg.norm(found - spots, axis=1).max()) < 0.5


def test_a_measured_lens_adds_no_doubt(make_hex_eye: Callable[..., Eye]) -> None:
    """It has no spread, and nothing is to be gained."""
    eye = make_hex_eye(noise_px=0.05)
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZES[0])
    assert view.told is not None
    assert view.told.within_mm <= view.told.measured_mm
    assert not view.told.worth_measuring


def test_the_spread_is_kept_with_the_lens(make_hex_eye: Callable[..., Eye], tmp_path: Path) -> None:
    """A table's file tells as large an error as the calibration did; at any size of picture."""
    eye, view = hex_eye(make_hex_eye)
    assert view.lens is not None
    path = tmp_path / "table.toml"
    write_lens(path, eye.plan.box, view.lens)
    kept = load_table(path, {eye.plan.box: lambda: eye.plan}).lens
    assert kept is not None
    assert np.allclose(kept.spread, view.lens.spread, atol=1e-5)
    again = TableView(eye.plan, kept)
    again.look(eye.look(), SIZES[0])
    assert again.told is not None
    assert view.told is not None
    assert again.told.within_mm == pytest.approx(view.told.within_mm, rel=0.02)
    assert kept.at(SIZES[1]).others[0].focal_px[0] == pytest.approx(
        1.5 * kept.others[0].focal_px[0]
    )


def test_a_guess_of_which_no_spread_is_known_is_made_anew(make_hex_eye: Callable[..., Eye]) -> None:
    """Files of before: what they have is no reason to be sure."""
    eye = make_hex_eye(noise_px=0.05)
    view = TableView(eye.plan, Lens.usual(SIZES[0]))
    view.look(eye.look(), SIZES[0])
    assert view.lens is not None
    assert view.lens.spread


def calibrated(calibrating: Calibrating, table: SimulatedTable) -> Progress:
    """How a calibration ends."""
    while not (progress := calibrating.look(table.read())).stage.over:
        pass
    return progress


def test_a_calibration_that_may_be_a_millimetre_off_is_not_good() -> None:
    """The lens is named, before the paper; measured, all is good."""
    table = SimulatedTable(plan_of("dogfight-1917"), 5, look=PictureLook(field_deg=84.0))
    for lens, quality in ((None, Quality.FAIR), (table.lens, Quality.GOOD)):
        progress = calibrated(Calibrating(table.plan, table.name, lens), table)
        (check,) = progress.boards
        assert check.quality is quality
        assert check.names_lens is (lens is None)
        assert progress.told is not None
        assert progress.told.worth_measuring is (lens is None)


@pytest.mark.slow
def test_a_crooked_board_before_a_guessed_lens_names_the_lens_first() -> None:
    """For a lens that bends more than any guess does looks like a board that does."""
    plan = plan_of("dogfight-1917")
    table = SimulatedTable(plan, 6)
    (board,) = plan.boards
    crooked = dict(board.corners or {})
    first = next(iter(crooked))
    crooked[first] = (crooked[first][0] + 12.0, crooked[first][1] - 9.0)
    calibrating = Calibrating(replace(plan, boards=(replace(board, corners=crooked),)), table.name)
    (check,) = calibrated(calibrating, table).boards
    assert check.quality is Quality.POOR
    assert check.words.startswith("Measure the lens")
    assert "Lay it flat, or print its sheet at 100 %" in check.words


def frames_to_settle(tracker: Tracker, table: SimulatedTable) -> tuple[int, Sighting]:
    """After how many frames a table has settled, and as what."""
    for number in range(1, MOST_FRAMES):
        sighting = tracker.see(table.read())
        if sighting.state is PictureState.SETTLED:
            return number, sighting
    raise AssertionError("the table never settled")


def standing_table(seed: int) -> SimulatedTable:
    """Jaws & Paws with a token on every other board: six boards lie there."""
    table = SimulatedTable(plan_of("jaws-and-paws"), seed)
    for token, space in zip(table.plan.tokens, ("Paws.PC", "Jaws.PR", "Jaws.GL"), strict=True):
        table.place(token.piece, Pose(space))
    return table


def test_the_lens_is_guessed_in_a_frame_of_its_own() -> None:
    """No frame reads, guesses and places: the first time, without lens data, it takes two more."""
    tables = [standing_table(90_301) for _ in range(3)]
    known, guessing, at_leisure = (Tracker(table.plan) for table in tables)
    known.view = TableView(tables[0].plan, tables[0].lens)
    at_leisure.at_leisure = True
    soonest, _ = frames_to_settle(known, tables[0])
    later, sighting = frames_to_settle(guessing, tables[1])
    assert later == soonest + 2
    assert {piece: seen.pose for piece, seen in sighting.pieces.items()} == tables[1].truth()
    at_once, same = frames_to_settle(at_leisure, tables[2])
    assert at_once == soonest  # who looks at pictures waits for all of it
    assert same.pieces == sighting.pieces


def test_what_moves_in_the_frame_of_the_guess_is_read_again() -> None:
    """Between reading and settling: the table settles as it is then, not as it was read before."""
    table, again = (standing_table(90_302) for _ in range(2))
    soonest, _ = frames_to_settle(Tracker(again.plan), again)
    tracker = Tracker(table.plan)
    for _ in range(soonest - 1):
        assert tracker.see(table.read()).state is not PictureState.SETTLED
    table.place(table.plan.tokens[0].piece, Pose("Paws.GR"))
    _, sighting = frames_to_settle(tracker, table)
    assert {piece: seen.pose for piece, seen in sighting.pieces.items()} == table.truth()


def test_a_lens_that_was_guessed_ahead_is_the_one_of_the_look(
    make_hex_eye: Callable[..., Eye],
) -> None:
    """It is in use from the look on, and not where by then other corners are seen."""
    eye = make_hex_eye(noise_px=0.05)
    markers, others = eye.look(), eye.look()
    at_once, ahead = TableView(eye.plan), TableView(eye.plan)
    at_once.look(markers, SIZES[0])
    assert ahead.is_to_guess(markers, SIZES[0])
    ahead.guess_ahead(markers, SIZES[0])
    assert ahead.lens is None
    assert not ahead.is_to_guess(markers, SIZES[0])
    assert ahead.is_to_guess(others, SIZES[0])
    ahead.look(markers, SIZES[0])
    assert ahead.lens == at_once.lens
    assert not ahead.is_to_guess(markers, SIZES[0])


def test_how_unsure_the_lens_makes_a_board_is_worked_out_when_asked_or_afterwards() -> None:
    """Of six boards three have tokens: the others follow one by one, while nothing is read."""
    table = standing_table(90_303)
    tracker = Tracker(table.plan)
    _, sighting = frames_to_settle(tracker, table)
    stood_on = {seen.board for seen in sighting.pieces.values()}
    worked_out = {name for name, place in tracker.view.places.items() if "others" in vars(place)}
    assert worked_out == stood_on
    for _ in table.plan.boards:
        tracker.see(table.read())
    holding = {board.name for board in table.plan.boards if board.holds_pieces}
    assert holding == {n for n, place in tracker.view.places.items() if "others" in vars(place)}
