"""The proof of a calibration: a token on three named spaces, read right or the board is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.board import BoardPlan, Piece, Pose
from companion.core.errors import BadCall
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.games import RULEBOOKS
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.terminal.setting_up import plan_of
from vision.boards.proving import Proof, ProofStage, ProofState, far_apart
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker


def settle(tracker: Tracker, table: SimulatedTable, proof: Proof) -> ProofState:
    """Look until hands are gone and the table has settled."""
    for _ in range(400):
        sighting = tracker.see(table.read())
        state = proof.look(sighting)
        if sighting.state is PictureState.SETTLED and not table.busy:
            return state
    raise AssertionError("it never settled")


@pytest.mark.slow
def test_three_spaces_read_right_are_the_proof() -> None:
    """By hand, one after the other, on a drawn table."""
    table = SimulatedTable(board_plan(), seed=9)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    tracker, proof = Tracker(board_plan(), table.lens), Proof(board_plan())
    assert settle(tracker, table, proof).right == 0
    for done, space in enumerate(proof.spaces, 1):
        assert proof.state.words.startswith(f"Put the Jaws plane on {space}. (It is read on ")
        table.move(JAWS_PLANE, Pose(space))
        assert settle(tracker, table, proof).right == done
    assert (proof.state.stage, proof.state.words) == (
        ProofStage.PROVED,
        "All 3 spaces were read right.",
    )


def test_a_board_taken_for_another_is_found_out() -> None:
    """Two sheets were mixed up: every space is read, and each is the wrong one."""
    plan = board_plan()
    first, second, *others = plan.boards
    swapped = (replace(first, corners=second.corners), replace(second, corners=first.corners))
    table = SimulatedTable(plan, seed=9)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    taken = replace(plan, boards=(*swapped, *others))
    tracker, proof = Tracker(taken, table.lens), Proof(taken)
    settle(tracker, table, proof)
    table.move(JAWS_PLANE, Pose("Jaws.PL"))
    state = settle(tracker, table, proof)
    assert (state.stage, state.right) == (ProofStage.WRONG, 0)
    assert state.words.startswith("The Jaws plane is read on Jaws.GL. If it does lie on Jaws.PL:")
    assert "Jaws Pilot View is taken for another" in state.words


def sighting(
    space: str, x_mm: float = 90.0, state: PictureState = PictureState.SETTLED
) -> Sighting:
    board = board_plan().board_of[space].name
    seen = Seen(SeenState.SEEN, Pose(space), (space,), board, x_mm, 50.0)
    return Sighting(0.0, 0, state, {JAWS_PLANE: seen})


def test_a_token_that_was_not_moved_yet_is_waited_for() -> None:
    """Nothing is wrong with a token that still stands where it stood."""
    proof = Proof(board_plan())
    for x_mm in (90.0, 95.0, 100.0):
        state = proof.look(sighting("Jaws.GC", x_mm))
        assert state.stage is ProofStage.ASKED
        assert state.words == "Put the Jaws plane on Jaws.PL. (It is read on Jaws.GC now.)"


def test_only_a_settled_picture_says_anything() -> None:
    """A hand on its way to the right space passes over wrong ones."""
    proof = Proof(board_plan())
    proof.look(sighting("Jaws.GC"))
    for state in (PictureState.MOVING, PictureState.HAND, PictureState.STILL, PictureState.BLIND):
        assert proof.look(sighting("Paws.GC", state=state)).stage is ProofStage.ASKED


def test_what_was_put_wrongly_may_be_put_right() -> None:
    """The player erred, not the camera."""
    proof = Proof(board_plan())
    proof.look(sighting("Jaws.GC"))
    assert proof.look(sighting("Paws.GC")).stage is ProofStage.WRONG
    state = proof.look(sighting("Jaws.PL"))
    assert (state.stage, state.right, state.space) == (ProofStage.ASKED, 1, proof.spaces[1])


@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_box_has_spaces_far_apart_and_a_token(box: str) -> None:
    """Three different ones, at least a third of the table from each other."""
    plan = plan_of(box)
    spaces = far_apart(plan, 3)
    assert len(set(spaces)) == 3
    middles = [plan.centre_on_table(space) for space in spaces]
    apart = [
        ((x - u) ** 2 + (y - v) ** 2) ** 0.5
        for at, (x, y) in enumerate(middles)
        for u, v in middles[:at]
    ]
    assert min(apart) > min(plan.table_mm) / 3
    assert Proof(plan).piece in plan.token_of


def test_a_token_that_is_not_turned_over_is_carried_about() -> None:
    """Of those that point somewhere; where all of them have another side, the first."""
    plan = board_plan()
    first, second, *rest = (replace(token, headed=True, other_side=None) for token in plan.tokens)
    ship = replace(first, other_side=second)
    moth = replace(second, headed=False)
    assert Proof(replace(plan, tokens=(ship, second, *rest))).piece == second.piece
    flat = tuple(replace(token, headed=False) for token in rest)
    assert Proof(replace(plan, tokens=(moth, ship, *flat))).piece == ship.piece


@pytest.mark.parametrize(
    ("plan", "piece", "spaces", "said"),
    [
        (replace(board_plan(), tokens=()), None, (), "jaws-and-paws has no token"),
        (replace(board_plan(), boards=()), None, (), "jaws-and-paws has no jaws to prove"),
        (board_plan(), "moth", (), "has no moth to prove"),
        (board_plan(), None, ("A1",), "has no A1 to prove"),
    ],
)
def test_what_cannot_be_proved_is_refused(
    plan: BoardPlan, piece: str | None, spaces: tuple[str, ...], said: str
) -> None:
    """By its name."""
    with pytest.raises(BadCall, match=said):
        Proof(plan, Piece(piece) if piece else None, spaces)
