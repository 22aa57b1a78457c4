"""What lies over the picture's edge for long is no hand; what may be an arm settles no lie."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, SeenState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.drawing.gestures import Pace
from vision.drawing.table import Edge, SimulatedTable
from vision.see import see
from vision.table_file.reading import TableSetup
from vision.tracking.lying_over import LAID_S, LIES_OVER_EDGE
from vision.tracking.tracker import Tracker

HAND, SETTLED = PictureState.HAND, PictureState.SETTLED
FPS = 4.0
LAID = int(LAID_S * FPS)
AT = {JAWS_PLANE: Pose("Paws.PC"), PAWS_PLANE: Pose("Jaws.PR"), SUN: Pose("Jaws.GL")}


def drawn(seed: int) -> tuple[SimulatedTable, Tracker]:
    """A slow camera over three pieces, and who looks through it; the table has settled."""
    table = SimulatedTable(board_plan(), seed, fps=FPS)
    for piece, pose in AT.items():
        table.place(piece, pose)
    tracker = Tracker(table.plan, table.lens)
    assert look(tracker, table, 12)[-1].state is SETTLED
    return table, tracker


def look(tracker: Tracker, table: SimulatedTable, frames: int) -> list[Sighting]:
    """So many frames."""
    return [tracker.see(table.read()) for _ in range(frames)]


def gestures(tracker: Tracker, table: SimulatedTable) -> Iterator[Sighting]:
    """Every frame until no hand is there."""
    while table.busy:
        yield tracker.see(table.read())


def seen(sighting: Sighting) -> dict[Piece, Pose]:
    """The pieces that are told for sure."""
    pieces = sighting.pieces.items()
    return {piece: one.pose for piece, one in pieces if one.pose and one.state is SeenState.SEEN}


def test_a_sheet_over_the_edge_is_background_and_hides_what_it_hides() -> None:
    """A hand for 15 s; then the table settles, and what is under it is covered, not gone."""
    table, tracker = drawn(171)
    table.lay_sheet("Paws.PC")
    waits = [one.state for one in look(tracker, table, LAID + 1)]
    assert set(waits[1:]) == {HAND}
    assert not tracker.lies_over_edge
    lies = look(tracker, table, 40)
    assert [one.state for one in lies].index(SETTLED) <= 10
    assert {one.state for one in lies[10:]} == {SETTLED}
    assert tracker.lies_over_edge
    told = lies[-1].pieces
    assert {piece: one.pose for piece, one in told.items() if piece in AT} == AT
    assert told[JAWS_PLANE].state is SeenState.COVERED
    assert told[PAWS_PLANE].state is SeenState.SEEN
    assert {told[piece].state for piece in AT} <= {SeenState.SEEN, SeenState.COVERED}


SHEET_LIES, SHEET_GONE = 12, 12 + LAID + 16
"""From these frames of the film on."""
SMALL_PX = (480, 270)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One film of a sheet that is laid over the edge and taken: and small, as of no table."""
    table, _ = drawn(175)
    codec, folder = cv2.VideoWriter.fourcc(*"MJPG"), tmp_path_factory.mktemp("sheet")
    names = {"table": str(folder / "table.avi"), "no table": str(folder / "small.avi")}
    sizes = {"table": table.size_px, "no table": SMALL_PX}
    writers = {of: cv2.VideoWriter(name, codec, FPS, sizes[of]) for of, name in names.items()}
    for number in range(SHEET_GONE + 16):
        if number == SHEET_LIES:
            table.lay_sheet("Paws.PC")
        elif number == SHEET_GONE:
            table.take_sheet()
        grey = table.read().grey
        for of, writer in writers.items():
            small = cv2.resize(grey, sizes[of], interpolation=cv2.INTER_AREA)
            writer.write(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR))
    for writer in writers.values():
        writer.release()
    return names


@pytest.mark.parametrize("of", ["table", "no table"])
def test_see_tells_of_a_sheet_in_a_film(films: dict[str, str], of: str) -> None:
    """After the same 15 s and not before; gone with the sheet, be the table known or not."""
    setup = TableSetup(board_plan(), SimulatedTable(board_plan(), 175).lens)
    known = setup if of == "table" else None
    seen = see(films[of], table=known, dictionaries=[setup.plan.dictionary])
    told = [LIES_OVER_EDGE in one.trouble for one in seen]
    assert len(told) == SHEET_GONE + 16
    assert True not in told[: SHEET_LIES + LAID]
    assert all(told[SHEET_GONE - 4 : SHEET_GONE])
    assert True not in told[-4:]


def test_play_goes_on_beside_the_sheet() -> None:
    """A hand over it is a hand; gone, the table settles as quickly as ever, sheet and all."""
    table, tracker = drawn(172)
    table.lay_sheet("Paws.PC")
    look(tracker, table, LAID + 20)
    for space in ("Jaws.PL", "Paws.GL"):
        table.move(PAWS_PLANE, Pose(space), edge=Edge.FAR)
        assert HAND in {one.state for one in gestures(tracker, table)}
        after = look(tracker, table, 10)
        assert after[-1].state is SETTLED
        assert seen(after[-1])[PAWS_PLANE] == Pose(space)
        assert after[-1].pieces[JAWS_PLANE].state is SeenState.COVERED


def test_a_lamp_and_the_hours_do_not_make_a_hand_of_it_again() -> None:
    """Brighter and darker step by step: it lies there, and the table is known beneath it."""
    table, tracker = drawn(173)
    table.lay_sheet("Paws.PC")
    look(tracker, table, LAID + 20)
    for factor in (0.85, 0.7, 0.8):
        table.light(factor)
        states = [one.state for one in look(tracker, table, 30)]
        assert HAND not in states
        assert states[-1] is SETTLED
    table.take_sheet()
    after = look(tracker, table, 12)
    assert HAND not in {one.state for one in after}
    assert after[-1].state is SETTLED
    assert seen(after[-1]) == AT
    assert not tracker.lies_over_edge


def test_a_sheet_that_is_pushed_is_a_hand_again_at_once() -> None:
    """Until it has lain still for as long again."""
    table, tracker = drawn(174)
    table.lay_sheet("Paws.PC")
    assert look(tracker, table, LAID + 20)[-1].state is SETTLED
    table.lay_sheet("Paws.GC")
    pushed = look(tracker, table, LAID)
    assert {one.state for one in pushed} == {HAND}
    assert look(tracker, table, 25)[-1].state is SETTLED
    assert tracker.lies_over_edge


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("edge", [Edge.NEAR, Edge.FAR, Edge.LEFT])
def test_an_arm_still_for_twenty_seconds_and_away(edge: Edge) -> None:
    """Whatever is told meanwhile is true, it is a hand as soon as it moves, and nothing is lost."""
    table, tracker = drawn(180)
    table.hand_rest(int(20 * FPS), over="Paws.PC", edge=edge)
    told = list(gestures(tracker, table))
    settled = [one for one in told if one.state is SETTLED]
    assert settled
    for one in settled:
        assert seen(one).items() <= AT.items()
        assert one.pieces[JAWS_PLANE].pose == AT[JAWS_PLANE]
    assert HAND in {one.state for one in told[-table.pace.withdraw :]}
    after = look(tracker, table, 12)
    assert after[-1].state is SETTLED
    assert seen(after[-1]) == AT


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("edge", [Edge.NEAR, Edge.FAR])
@pytest.mark.parametrize("seed", [183, 184])
def test_an_arm_that_lifts_a_piece_after_it_was_taken_for_a_thing(seed: int, edge: Edge) -> None:
    """It rests 20 s on the piece, holds it 20 s in the air, rests 20 s on it where it let it go.

    No settled picture has the piece elsewhere than it stood or stands, or any other moved.
    """
    table, tracker = drawn(seed)
    rest = int(20 * FPS)
    table.pace = Pace(dwell=rest, halt=rest)
    table.move(JAWS_PLANE, Pose("Jaws.PC"), edge=edge)
    told = list(gestures(tracker, table))
    assert sum(one.state is SETTLED for one in told) > FPS
    for one in told:
        if one.state is SETTLED:
            told_of_it = seen(one).pop(JAWS_PLANE, AT[JAWS_PLANE])
            assert told_of_it in (AT[JAWS_PLANE], Pose("Jaws.PC"))
            others = {piece: pose for piece, pose in seen(one).items() if piece != JAWS_PLANE}
            assert others.items() <= AT.items()
    # The hole that it leaves may be taken for an arm, and then for a thing: 15 s late, and right.
    after = look(tracker, table, 12)
    if after[-1].state is HAND:
        after = look(tracker, table, LAID + 30)
    assert after[-1].state is SETTLED
    assert seen(after[-1]) == {**AT, JAWS_PLANE: Pose("Jaws.PC")}
