"""Vision alone, from a source to JSON lines: pictures, folders and films, of a table or of none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.errors import BadCall, CameraError
from companion.core.offers import PictureState, SeenState
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from tests.vision.throws import Shown, flat, how_it_hangs, whole
from ui.terminal.setting_up import plan_of
from vision.boards.lens import Lens
from vision.camera.frame import Frame, GreyImage
from vision.drawing.table import SimulatedTable
from vision.markers.reading import MarkerReader
from vision.see import PictureSeen, dice_of_width, see
from vision.table_file.reading import TableSetup

PLACES = {JAWS_PLANE: "Jaws.PC", PAWS_PLANE: "Paws.GR", SUN: "Paws.PL"}
KEYS = {"source", "frame", "state", "markers", "dice", "pieces"}
PIECE_KEYS = {
    "piece", "board", "space", "facing", "x_mm", "y_mm", "heading_deg", "state", "place_sd_mm",
    "heading_sd_deg", "spaces", "facings",
}  # fmt: skip


@pytest.fixture
def table() -> SimulatedTable:
    table = SimulatedTable(board_plan(), seed=4)
    for piece, space in PLACES.items():
        table.place(piece, Pose(space), offset_mm=(4.0, -6.0), heading_deg=90.0)
    return table


@pytest.fixture
def setup() -> TableSetup:
    return TableSetup(board_plan())


def save(folder: Path, frames: Sequence[Frame]) -> str:
    for frame in frames:
        cv2.imwrite(str(folder / f"frame{frame.number}.png"), frame.grey)
    return str(folder)


def save_film(path: Path, frames: Sequence[Frame]) -> str:
    fourcc, (width, height) = cv2.VideoWriter.fourcc(*"MJPG"), frames[0].size_px
    writer = cv2.VideoWriter(str(path), fourcc, 20.0, (width, height))
    for frame in frames:
        writer.write(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR))
    writer.release()
    return str(path)


def spaces(seen: PictureSeen) -> dict[str, str | None]:
    return {
        piece: one.pose.space if one.pose is not None else None
        for piece, one in (seen.pieces or {}).items()
    }


def test_one_picture_tells_markers_and_pieces(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """A single picture cannot settle: it is still, and its pieces are what it shows."""
    save(tmp_path, [table.read()])
    (seen,) = see(str(tmp_path / "frame0.png"), table=setup)
    assert (seen.state, seen.frame, len(seen.markers)) == (PictureState.STILL, 0, 27)
    assert spaces(seen) == PLACES
    for piece, one in (seen.pieces or {}).items():
        x, y = setup.plan.spaces[PLACES[piece]].centre_mm
        assert one.x_mm == pytest.approx(x + 4.0, abs=0.6)
        assert one.y_mm == pytest.approx(y - 6.0, abs=0.6)
        assert one.heading_deg == pytest.approx(90.0, abs=1.0)


def test_json_is_the_contract(table: SimulatedTable, setup: TableSetup, tmp_path: Path) -> None:
    """The keys of the design and no others; numbers plain, states as words."""
    table.remove(SUN)
    save(tmp_path, [table.read()])
    path = str(tmp_path / "frame0.png")
    (seen,) = see(path, table=setup)
    line = json.loads(json.dumps(seen.to_json()))
    assert set(line) == KEYS
    assert (line["source"], line["frame"], line["state"], line["dice"]) == (path, 0, "still", [])
    assert all(set(one) == {"id", "dictionary", "corners_px"} for one in line["markers"])
    assert all(len(one["corners_px"]) == 4 for one in line["markers"])
    assert all(set(piece) == PIECE_KEYS for piece in line["pieces"])
    by_name = {piece["piece"]: piece for piece in line["pieces"]}
    assert by_name["jaws"]["board"] == "Jaws Pilot View"
    assert by_name["jaws"]["space"] == "Jaws.PC"
    assert by_name["jaws"]["facing"] is None
    assert by_name["sun"]["state"] == "lost"
    assert by_name["sun"]["x_mm"] is None


def test_a_film_settles_and_tells_a_move(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """An event is a line that becomes settled with pieces changed: here the start and one move."""
    frames = [table.read() for _ in range(12)]
    table.move(JAWS_PLANE, Pose("Jaws.PR"))
    frames += [table.read() for _ in range(20)]
    while table.busy:
        frames.append(table.read())
    frames += [table.read() for _ in range(12)]
    seen = list(see(save_film(tmp_path / "film.avi", frames), table=setup))
    assert [one.frame for one in seen] == list(range(len(frames)))
    assert PictureState.HAND in {one.state for one in seen}
    events = [
        spaces(after)["jaws"]
        for before, after in pairwise(seen)
        if after.state is PictureState.SETTLED and before.state is not PictureState.SETTLED
    ]
    assert events == ["Jaws.PC", "Jaws.PR"]


@pytest.mark.slow
def test_a_folder_of_frames_settles_too(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """In natural order: frame10 comes after frame9."""
    seen = list(see(save(tmp_path, [table.read() for _ in range(12)]), table=setup))
    assert [one.frame for one in seen] == list(range(12))
    assert [Path(one.source).name for one in seen][-1] == "frame11.png"
    assert seen[0].state is not PictureState.SETTLED
    assert seen[-1].state is PictureState.SETTLED
    assert all(spaces(one) == PLACES for one in seen)


@pytest.mark.slow
def test_a_plan_is_guessed_once_its_board_is_seen(table: SimulatedTable, tmp_path: Path) -> None:
    """Without a table's file, a table of our own sheets is known by them."""
    source = save(tmp_path, [table.read() for _ in range(8)])
    assert all(one.pieces is None for one in see(source))
    seen = list(see(source, guesses=[board_plan()]))
    assert all(spaces(one) == PLACES for one in seen)
    (alone,) = see(str(tmp_path / "frame0.png"), guesses=[board_plan()])
    assert spaces(alone) == PLACES


@pytest.mark.slow
def test_of_several_boxes_the_one_whose_board_is_seen_is_meant(
    table: SimulatedTable, tmp_path: Path
) -> None:
    """Each box's sheets are known by their markers; headings are told where they matter."""
    plans = (board_plan(), battlefield_plan(assumed_figures()))
    field = SimulatedTable(plans[1], seed=5)
    for token, facing in zip(plans[1].tokens, (0, 2, 3, 5), strict=True):
        field.place(token.piece, Pose(f"0,{facing - 2}", facing))
    for name, drawn in (("paws", table), ("field", field)):
        (tmp_path / name).mkdir()
        source = save(tmp_path / name, [drawn.read() for _ in range(8)])
        assert all(
            set(one.pieces or ()) == set(drawn.truth()) for one in see(source, guesses=plans)
        )
    (seen,) = see(str(tmp_path / "field" / "frame0.png"), guesses=plans)
    told = {piece["piece"]: piece for piece in json.loads(json.dumps(seen.to_json()))["pieces"]}
    assert {name: (piece["space"], piece["facing"]) for name, piece in told.items()} == {
        piece: (pose.space, pose.facing) for piece, pose in field.truth().items()
    }
    assert "camel on 0,0/2, heading" in str(seen)


@pytest.mark.slow
def test_dice_beside_the_board_are_told(tmp_path: Path) -> None:
    """In one picture and in a film, with where they lie; a box without dice tells none."""
    plan = replace(battlefield_plan(assumed_figures()), dice_mm=16.0)
    field = SimulatedTable(plan, seed=5, size_px=(1920, 1080))
    field.roll([6, 3], ["white", "black"])
    source = save(tmp_path, [field.read() for _ in range(8)])
    (seen,) = see(str(tmp_path / "frame0.png"), guesses=[plan])
    film = list(see(source, guesses=[plan]))
    for one in (seen, film[-1]):
        assert sorted(die["value"] for die in _dice_json(one)) == [3, 6]
        assert all(die["sure"] and len(die["centre_px"]) == 2 for die in _dice_json(one))
        assert "dice " in str(one)
    (without,) = see(str(tmp_path / "frame0.png"), guesses=[replace(plan, dice_mm=0.0)])
    assert _dice_json(without) == []


def _dice_json(seen: PictureSeen) -> Any:
    return json.loads(json.dumps(seen.to_json()))["dice"]


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("frames", [1, 2])
def test_cards_in_sleeves_are_told_with_the_half_that_counts(tmp_path: Path, frames: int) -> None:
    """In a picture and in a film: whose, which and by which half; on no section where between."""
    drawn = SimulatedTable(plan_of("jaws-and-paws"), 6)
    drawn.lay({"Jaws.1": ["JP"], "Jaws.2": ["JG MPL@170"], "Paws.2": ["PP MPL@95"], "Paws.4": "P"})
    for number in range(frames):
        cv2.imwrite(str(tmp_path / f"{number}.png"), drawn.read().grey)
    source = str(tmp_path if frames > 1 else tmp_path / "0.png")
    last = list(see(source, guesses=[drawn.plan]))[-1]
    cards: Any = last.to_json()["cards"]
    assert [(card["section"], card["owner"], card["faces"]) for card in cards] == [
        ("Jaws.1", "JP", []),
        ("Jaws.2", "JG", ["MPL enemy"]),
        ("Paws.2", "PP", ["MPL own", "MPL enemy"]),
    ]
    assert cards[1]["turn_deg"] == pytest.approx(170.0, abs=5.0)
    assert "Jaws.2: JG MPL enemy" in str(last)


@pytest.mark.slow
def test_in_a_film_a_card_that_another_one_covers_is_told(tmp_path: Path) -> None:
    """No picture shows it any more; where none lay before, nothing is said to lie there."""
    drawn = SimulatedTable(plan_of("jaws-and-paws"), 6)
    for first, owner in ((0, "JP"), (3, "JG")):
        drawn.lay({"Jaws.1": [owner], "Paws.2": ["PP"]})
        for number in range(first, first + 3):
            cv2.imwrite(str(tmp_path / f"{number}.jpg"), drawn.read().grey)
    last = list(see(str(tmp_path), guesses=[drawn.plan]))[-1]
    cards: Any = last.to_json()["cards"]
    assert [(card["section"], card["owner"], card.get("over")) for card in cards] == [
        ("Jaws.1", "JG", ["JP"]),
        ("Paws.2", "PP", None),
    ]
    assert "Jaws.1: JG face down, perhaps over JP" in str(last)


def test_an_unclear_heading_is_said_in_words(tmp_path: Path) -> None:
    """The space is told; which way the plane points is not guessed."""
    plan = battlefield_plan(assumed_figures())
    field = SimulatedTable(plan, seed=5)
    field.place(plan.tokens[0].piece, Pose("0,0", 0), heading_deg=31.0)
    save(tmp_path, [field.read()])
    (seen,) = see(str(tmp_path / "frame0.png"), guesses=[plan])
    assert "fokker on 0,0, heading unclear (unsure)" in str(seen)


def test_a_picture_of_no_table_has_no_pieces(tmp_path: Path) -> None:
    """With a guess nothing is claimed; with a table's file all its pieces are told as lost."""
    cv2.imwrite(str(tmp_path / "grey.png"), SimulatedTable(board_plan(), 1).read().grey[:40, :60])
    source = str(tmp_path / "grey.png")
    (guessed,) = see(source, guesses=[board_plan()])
    (given,) = see(source, table=TableSetup(board_plan()))
    assert guessed.pieces is None
    assert {one.state for one in (given.pieces or {}).values()} == {SeenState.LOST}
    assert len(given.pieces or {}) == 3


@pytest.mark.slow
def test_only_dictionaries_that_are_named_are_read(table: SimulatedTable, tmp_path: Path) -> None:
    """Named ones instead of the usual; the table's own always."""
    source = save(tmp_path, [table.read()]) + "/frame0.png"
    (other,) = see(source, dictionaries=["5X5_250"])
    (both,) = see(source, table=TableSetup(board_plan()), dictionaries=["5X5_250"])
    (usual,) = see(source)
    assert not other.markers
    assert {marker.dictionary for marker in both.markers} == {"ARUCO_MIP_36h12"}
    assert len(both.markers) == len(usual.markers) == 27


def test_a_torn_picture_in_a_folder_is_a_blind_line(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """The others are read; the line says what is wrong."""
    save(tmp_path, [table.read() for _ in range(3)])
    torn = tmp_path / "frame1.png"
    torn.write_bytes(torn.read_bytes()[:-500])
    seen = list(see(str(tmp_path), table=setup))
    assert [(one.frame, one.state is PictureState.BLIND) for one in seen] == [
        (0, False),
        (1, True),
        (2, False),
    ]
    assert [one.source for one in seen] == [str(tmp_path / f"frame{at}.png") for at in range(3)]
    assert "torn picture" in seen[1].trouble
    assert "torn picture" in str(seen[1])
    assert set(seen[1].to_json()) == {*KEYS, "trouble"}


def test_a_source_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One error in one line, before any result; no name is not the folder where one stands."""
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "here").mkdir()
    cv2.imwrite(str(tmp_path / "here" / "grey.png"), np.full((90, 160), 120, np.uint8))
    monkeypatch.chdir(tmp_path / "here")
    for source in (*(str(tmp_path / name) for name in ("text.jpg", "none.jpg", "sub")), "", " "):
        with pytest.raises(CameraError):
            list(see(source))
    with pytest.raises(BadCall, match="no marker dictionary"):
        list(see(str(tmp_path / "text.jpg"), dictionaries=["9X9"]))


@pytest.mark.parametrize("die_px", [200.0, 1e7])
def test_a_picture_smaller_than_a_die_shows_none(die_px: float) -> None:
    frame = Frame(np.full((90, 160), 120, np.uint8), 0.0, 0)
    assert dice_of_width(frame, die_px) == ()
    assert dice_of_width(frame, die_px, 20.0) == ()


@pytest.mark.slow
def test_a_film_of_no_table_still_has_its_states(photos: Path) -> None:
    """Somebody plays chess: hands come and go, nothing is claimed of pieces."""
    seen = list(see(str(photos / "video" / "hands_000_160.avi"), guesses=[board_plan()]))
    states = {one.state for one in seen}
    assert len(seen) == 161
    assert {PictureState.HAND, PictureState.SETTLED} <= states
    assert all(not one.markers and one.pieces is None for one in seen)


@pytest.mark.slow
def test_a_film_with_no_board_is_searched_for_dice_at_leisure_once_it_rests(tmp_path: Path) -> None:
    """At a slant pips alone tell few of them; what was read at rest is told while it lasts."""
    shown = Shown("720p", ("wood",), 1, (25.0, 30.0), untold=True)
    chance = np.random.default_rng(56_000_009)
    tray = shown.tray(56_000_009, chance)
    dice = flat(tray, chance)
    frame = whole(tray.taken(tray.still(dice)), (1280, 720), 0)
    for number in range(12):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), np.asarray(frame.colour))
    seen = list(see(str(tmp_path), die_px=how_it_hangs(tray.optics)[0]))
    rested = [one.dice for one in seen if one.state is PictureState.SETTLED]
    assert len(rested) > 1
    assert sorted(die.value or 0 for die in rested[0]) == sorted(die.value for die in dice)
    assert all(one is rested[0] for one in rested)
    assert None in [die.value for die in seen[0].dice]


def test_people_are_told_in_one_line(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """Where each piece is, and what is between two spaces or missing."""
    table.place(JAWS_PLANE, Pose("Jaws.PL"), offset_mm=(27.0, 0.0))
    table.remove(SUN)
    save(tmp_path, [table.read()])
    (seen,) = see(str(tmp_path / "frame0.png"), table=setup)
    assert "\n" not in (line := str(seen))
    assert "26 of ARUCO_MIP_36h12" in line
    assert "jaws between Jaws.PL and Jaws.PC (unsure)" in line
    assert "paws on Paws.GR, heading 90 deg (seen)" in line
    assert "sun nowhere (lost)" in line


def _changed(table: SimulatedTable, what: str) -> GreyImage:
    """The table through a camera with a fault."""
    grey = table.read().grey
    if what == "mirrored":
        return np.ascontiguousarray(grey[:, ::-1])
    if what == "dark":
        return np.asarray(grey * 0.05, np.uint8)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 3.0), np.uint8)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("what", "words"), [
    ("mirrored", "The picture is mirrored"), ("dark", "The picture is dark: switch a light on"),
    ("blurred", "Out of focus: turn the lens"),
])  # fmt: skip
def test_why_nothing_is_seen_is_said_as_a_calibration_says_it(
    what: str, words: str, table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """With and without a table's file, in one picture or a folder of others; in JSON too."""
    cv2.imwrite(str(tmp_path / "a.png"), _changed(table, what))
    (guessed,) = see(str(tmp_path / "a.png"), guesses=[board_plan()])
    (given,) = see(str(tmp_path / "a.png"), table=setup)
    for seen in (guessed, given):
        assert words in seen.trouble
        assert f"still: {words}" in str(seen)
        assert words in str(seen.to_json()["trouble"])
    cv2.imwrite(str(tmp_path / "b.png"), table.read().grey)
    assert not list(see(str(tmp_path), guesses=[board_plan()]))[-1].trouble


@pytest.mark.parametrize(("wide", "high"), [(1, 1), (640, 12)])
def test_a_picture_that_is_smaller_than_any_marker_is_told(
    wide: int, high: int, setup: TableSetup, tmp_path: Path
) -> None:
    """Nothing can be read in it, which is no finding that nothing lies there."""
    cv2.imwrite(str(tmp_path / "a.png"), np.full((high, wide), 200, np.uint8))
    for table in (None, setup):
        (seen,) = see(str(tmp_path / "a.png"), table=table)
        assert seen.trouble.startswith(f"The picture is {wide} x {high} px, too small")
    cv2.imwrite(str(tmp_path / "a.png"), np.full((40, 60), 200, np.uint8))
    (seen,) = see(str(tmp_path / "a.png"))
    assert not seen.trouble


def test_boards_that_must_be_there_are_missed(setup: TableSetup, tmp_path: Path) -> None:
    """A bare table is at fault where a table's file is given, and merely bare without one."""
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((720, 1280), 120, np.uint8))
    (given,) = see(str(tmp_path / "bare.png"), table=setup)
    (guessed,) = see(str(tmp_path / "bare.png"), guesses=[board_plan()])
    assert "No corner marker of these boards is seen" in given.trouble
    assert not guessed.trouble


def test_two_tokens_of_one_marker_are_told(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """Neither counts, and it is said why; the other pieces are read."""
    grey = table.read().grey.copy()
    (once,) = (m for m in MarkerReader("ARUCO_MIP_36h12").read(grey) if m.id == _marker(setup))
    (x, y), half = (round(at) for at in once.centre_px), 28
    grey[40 : 40 + 2 * half, 40 : 40 + 2 * half] = grey[y - half : y + half, x - half : x + half]
    cv2.imwrite(str(tmp_path / "two.png"), grey)
    (seen,) = see(str(tmp_path / "two.png"), table=setup)
    assert "Two tokens are read as Jaws plane, so neither counts" in seen.trouble
    assert "jaws there twice (unsure)" in str(seen)
    assert spaces(seen)["paws"] == "Paws.GR"


def _marker(setup: TableSetup) -> int:
    return setup.plan.token_of[JAWS_PLANE].marker


def test_a_piece_beside_the_boards_is_not_called_lost(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """It was found, on no space: that is said, and nothing is wrong with the picture."""
    table.place(JAWS_PLANE, Pose("Jaws.PL"), offset_mm=(-150.0, -60.0))
    save(tmp_path, [table.read()])
    (seen,) = see(str(tmp_path / "frame0.png"), table=setup)
    assert "jaws beside the boards (unsure)" in str(seen)
    assert not seen.trouble


def test_pieces_come_first_and_markers_last(
    table: SimulatedTable, setup: TableSetup, tmp_path: Path
) -> None:
    """How many boards of how many; of markers the number alone where they are a table's."""
    save(tmp_path, [table.read()])
    (seen,) = see(str(tmp_path / "frame0.png"), table=setup)
    assert "still: 6 of 6 boards; jaws on" in str(seen)
    assert str(seen).endswith("; 27 of ARUCO_MIP_36h12")
    (bare,) = see(str(tmp_path / "frame0.png"))
    assert "27 of ARUCO_MIP_36h12 (0 1 2" in str(bare)


def test_a_lens_of_another_shape_is_told_with_what_was_found(
    table: SimulatedTable, tmp_path: Path
) -> None:
    """The pieces are read all the same, with a lens fitted from the boards."""
    save(tmp_path, [table.read()])
    setup = TableSetup(board_plan(), replace(Lens.usual((640, 480)), assumed=False))
    (seen,) = see(str(tmp_path / "frame0.png"), table=setup)
    assert "calibrated at 640 x 480" in seen.trouble
    assert spaces(seen) == PLACES
