"""Many observations to one sighting: when the table is settled, and what it is then."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.tracking.observation import Observation
from vision.tracking.settling import QUIET_FRAMES, QUIET_S, PictureSettling, SettlingFrame

PLAN = board_plan()
BOARDS = frozenset(board.name for board in PLAN.boards if board.corners)
STILL, MOVING = PictureState.STILL, PictureState.MOVING
HAND, LIGHT, SETTLED = PictureState.HAND, PictureState.LIGHT, PictureState.SETTLED
LOST = Seen(SeenState.LOST)


def standing(space: str, dx_mm: float = 0.0, heading_deg: float = 10.0) -> Seen:
    """A piece that is read for sure, so far right of the middle of a space."""
    x, y = PLAN.spaces[space].centre_mm
    board = PLAN.board_of[space].name
    return Seen(SeenState.SEEN, Pose(space), (space,), board, x + dx_mm, y, heading_deg)


def torn(space: str, other: str, dx_mm: float) -> Seen:
    """A piece that is read as between two spaces, so far right of the middle of the first."""
    sure = standing(space, dx_mm)
    return replace(sure, state=SeenState.UNSURE, pose=None, spaces=(space, other))


AT_START: Mapping[Piece, Seen] = {
    JAWS_PLANE: standing("Paws.PC"),
    PAWS_PLANE: standing("Jaws.PC"),
    SUN: standing("Jaws.GL"),
}


@dataclass
class Film:
    """Frames at 20 a second, told to one settling; the camera has run for a minute before."""

    settling: PictureSettling = field(default_factory=lambda: PictureSettling(PLAN))
    number: int = 1200
    boards: frozenset[str] = BOARDS
    conflicts: tuple[Piece, ...] = ()

    def show(
        self,
        state: PictureState,
        pieces: Mapping[Piece, Seen] = AT_START,
        *,
        hidden: Sequence[Piece] = (),
        steady: bool = True,
        held: Sequence[Piece] = (),
    ) -> Sighting:
        """One frame."""
        at = self.number / 20
        seen = Observation(self.number, at, (), pieces, self.boards, self.conflicts)
        self.number += 1
        look = SettlingFrame(
            state, self.number - 1, at, seen, frozenset(hidden), steady, frozenset(held)
        )
        return self.settling.see(look)

    def run(
        self, frames: int, state: PictureState, pieces: Mapping[Piece, Seen] = AT_START
    ) -> Sighting:
        """Several frames alike; the last sighting."""
        sightings = [self.show(state, pieces) for _ in range(frames)]
        return sightings[-1]


def settled_film(pieces: Mapping[Piece, Seen] = AT_START) -> Film:
    """A film whose table lies settled."""
    film = Film()
    assert film.run(QUIET_FRAMES, STILL, pieces).state is SETTLED
    return film


def test_five_quiet_frames_settle() -> None:
    """Not four, and each piece stands where it was read."""
    film = Film()
    assert film.run(4, STILL).state is STILL
    sighting = film.show(STILL)
    assert sighting.state is SETTLED
    assert sighting.pieces == AT_START
    assert sighting.boards_seen == BOARDS


@pytest.mark.parametrize("disturbance", [MOVING, HAND, LIGHT])
def test_a_disturbance_begins_the_count_again(disturbance: PictureState) -> None:
    """Quiet means quiet frames in a row."""
    film = Film()
    film.run(QUIET_FRAMES - 1, STILL)
    assert film.show(disturbance).state is disturbance
    assert film.run(QUIET_FRAMES - 1, STILL).state is STILL
    assert film.show(STILL).state is SETTLED


@pytest.mark.parametrize("first", [0, 2000])
def test_a_quick_camera_waits_as_long(first: int) -> None:
    """At 200 frames a second five frames are no time at all."""
    settling = PictureSettling(PLAN)
    states = [
        settling.see(
            SettlingFrame(STILL, n, n / 200, Observation(n, n / 200, (), AT_START, BOARDS))
        ).state
        for n in range(first, first + 60)
    ]
    assert states.index(SETTLED) == 30


def test_markers_are_due_to_be_read_for_the_frame_that_may_settle() -> None:
    """The fifth quiet frame, unless a hand comes, and not before the time has passed."""
    film = Film()
    began = film.number / 20
    film.run(QUIET_FRAMES - 2, STILL)
    assert not film.settling.is_due(STILL, began + 0.2)
    film.show(STILL)
    assert film.settling.is_due(STILL, began + QUIET_S + 0.001)
    assert not film.settling.is_due(STILL, began + QUIET_S - 0.01)
    assert not film.settling.is_due(HAND, began + QUIET_S)


def test_one_reading_means_something_else_once_a_hand_was_over_a_piece_it_lacks() -> None:
    """Nothing is read anew in a picture that did not change, but what is lost may be covered."""
    film = settled_film()
    without = {piece: seen for piece, seen in AT_START.items() if piece != SUN}
    reading = Observation(film.number, film.number / 20, (), without, BOARDS)

    def again(*hidden: Piece) -> Sighting:
        film.number += 1
        look = SettlingFrame(STILL, film.number, film.number / 20, reading, frozenset(hidden))
        return film.settling.see(look)

    told = [again() for _ in range(60)][-1]
    assert told.state is SETTLED
    assert told.pieces[SUN].state is SeenState.LOST
    assert again() is told, "the same reading is the same sighting"
    assert again(SUN).pieces[SUN].state is SeenState.COVERED


def test_it_is_settled_from_the_sighting_that_says_so_to_the_next_disturbance() -> None:
    film = Film()
    assert not film.settling.settled
    film.run(QUIET_FRAMES, STILL)
    assert film.settling.settled
    film.show(LIGHT)
    assert not film.settling.settled


def test_a_missing_piece_is_waited_for() -> None:
    """Up to a second; then it is given as not seen, and the others as they stand."""
    film = Film()
    some = {**AT_START, SUN: LOST}
    assert film.run(20, STILL, some).state is STILL
    sighting = film.show(STILL, some)
    assert sighting.state is SETTLED
    assert sighting.pieces[SUN].state is SeenState.LOST
    assert sighting.pieces[JAWS_PLANE] == AT_START[JAWS_PLANE]


def test_an_empty_table_settles_after_a_second() -> None:
    """No piece at all: nothing is seen, nothing is made up."""
    film = Film()
    nothing = dict.fromkeys(AT_START, LOST)
    film.run(20, STILL, nothing)
    sighting = film.show(STILL, nothing)
    assert sighting.state is SETTLED
    assert all(seen == LOST for seen in sighting.pieces.values())


def test_a_piece_known_to_be_missing_is_not_waited_for_again() -> None:
    """Only pieces that were seen when it last settled are expected."""
    some = {**AT_START, SUN: LOST}
    film = Film()
    film.run(21, STILL, some)
    film.show(MOVING, some)
    assert film.run(QUIET_FRAMES, STILL, some).state is SETTLED
    assert film.settling.expected == {JAWS_PLANE, PAWS_PLANE}


def test_a_piece_put_back_is_seen_again() -> None:
    """Missing is never gone."""
    film = Film()
    film.run(21, STILL, {**AT_START, SUN: LOST})
    film.show(HAND)
    assert film.run(QUIET_FRAMES, STILL).pieces == AT_START


def test_reads_that_do_not_agree_yet_do_not_settle() -> None:
    """A jump needs agreeing reads."""
    film = Film()
    for _ in range(30):
        assert film.show(STILL, steady=False).state is STILL
    assert film.show(STILL).state is SETTLED


def test_while_a_hand_is_there_pieces_keep_their_places() -> None:
    """What a frame with a hand in it shows does not count; what is under it is covered."""
    film = settled_film()
    elsewhere = {**AT_START, SUN: standing("Paws.PL")}
    sighting = film.show(HAND, elsewhere, hidden=[PAWS_PLANE])
    assert sighting.state is HAND
    assert sighting.pieces[SUN] == AT_START[SUN]
    assert sighting.pieces[PAWS_PLANE] == replace(AT_START[PAWS_PLANE], state=SeenState.COVERED)
    assert sighting.pieces[JAWS_PLANE] == AT_START[JAWS_PLANE]


def test_uncovered_it_is_as_before_bit_for_bit() -> None:
    """A hand that moved nothing leaves nothing changed, whatever the last digits of a reading."""
    film = settled_film()
    film.show(HAND, hidden=[PAWS_PLANE, SUN])
    jitter = {
        piece: replace(seen, x_mm=(seen.x_mm or 0) + 0.2, heading_deg=(seen.heading_deg or 0) - 0.7)
        for piece, seen in AT_START.items()
    }
    sighting = film.run(QUIET_FRAMES, STILL, jitter)
    assert sighting.state is SETTLED
    assert sighting.pieces == AT_START


@pytest.mark.parametrize(
    ("dx_mm", "turned_deg"),
    [(0.5, 0.0), (-0.5, 0.0), (0.0, 1.5), (0.0, -1.5)],
)
def test_a_reading_half_a_millimetre_or_a_degree_and_a_half_away_is_the_same(
    dx_mm: float, turned_deg: float
) -> None:
    film = settled_film()
    for further, same in ((1.0, True), (1.2, False)):
        film.show(LIGHT)
        now = standing("Jaws.GL", further * dx_mm, 10.0 + further * turned_deg)
        sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, SUN: now})
        assert sighting.pieces[SUN] == (AT_START[SUN] if same else now)


def test_a_piece_put_on_another_board_is_read_anew_wherever_it_lies_there() -> None:
    """Millimetres of two boards cannot be compared."""
    film = settled_film()
    film.show(HAND)
    across = standing("Paws.GL")
    assert (across.x_mm, across.y_mm) == (AT_START[SUN].x_mm, AT_START[SUN].y_mm)
    sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, SUN: across})
    assert sighting.pieces[SUN] == across


def test_a_slow_creep_is_not_swallowed_by_the_jitter() -> None:
    """Each reading is held against the one that was settled, so that small steps add up."""
    film = settled_film()
    sighting = film.show(MOVING)
    for step in range(1, 11):
        film.show(MOVING)
        creeping = {**AT_START, SUN: standing("Jaws.GL", 0.3 * step)}
        sighting = film.run(QUIET_FRAMES, STILL, creeping)
    assert sighting.state is SETTLED
    assert sighting.pieces[SUN].x_mm == pytest.approx((AT_START[SUN].x_mm or 0) + 3.0, abs=0.5)


def test_what_a_hand_hid_stays_covered() -> None:
    """A card left lying on it, or taken away: the last pose is kept, and not given as seen."""
    film = settled_film()
    film.show(HAND, hidden=[SUN])
    sighting = film.run(21, STILL, {**AT_START, SUN: LOST})
    assert sighting.state is SETTLED
    assert sighting.pieces[SUN] == replace(AT_START[SUN], state=SeenState.COVERED)


def test_what_vanished_without_a_hand_is_lost() -> None:
    """Glare, or the lamp: it stays where it was, marked stale."""
    film = settled_film()
    film.show(LIGHT)
    sighting = film.run(21, STILL, {**AT_START, SUN: LOST})
    assert sighting.state is SETTLED
    assert sighting.pieces[SUN] == replace(AT_START[SUN], state=SeenState.LOST)


def test_what_was_seen_after_a_hand_had_hidden_it_vanishes_by_itself() -> None:
    """A hand that went over a piece an hour ago does not cover it now."""
    film = settled_film()
    film.show(HAND, hidden=[SUN])
    film.run(QUIET_FRAMES, STILL)
    film.show(LIGHT)
    sighting = film.run(21, STILL, {**AT_START, SUN: LOST})
    assert sighting.pieces[SUN] == replace(AT_START[SUN], state=SeenState.LOST)


def test_a_piece_hidden_before_it_was_ever_seen_is_lost() -> None:
    """Nothing is known of it that a hand could cover."""
    film = Film()
    film.show(HAND, hidden=[SUN])
    sighting = film.run(21, STILL, {**AT_START, SUN: LOST})
    assert sighting.pieces[SUN] == LOST


def rested(film: Film, now: Seen) -> Seen:
    """What becomes of the sun when it is read so beside an arm that has rested for long."""
    film.show(HAND)
    sightings = [film.show(STILL, {**AT_START, SUN: now}, held=[SUN]) for _ in range(QUIET_FRAMES)]
    assert sightings[-1].state is SETTLED
    return sightings[-1].pieces[SUN]


@pytest.mark.parametrize(
    ("now", "stood"),
    [
        (standing("Jaws.GL", 1.9), True),
        (standing("Jaws.GL", -1.9), True),
        (standing("Jaws.GL", 2.1), False),
        (standing("Jaws.GL", 0.0, 15.0), True),
        (standing("Jaws.GL", 0.0, 5.0), True),
        (standing("Jaws.GL", 0.0, 15.1), False),
        (standing("Jaws.GL", 0.0, 4.9), False),
        (standing("Paws.GL"), False),
    ],
)
def test_what_may_be_in_fingers_counts_only_where_it_stood(now: Seen, *, stood: bool) -> None:
    """Two millimetres or five degrees away it stands; further it is kept, and is covered."""
    kept = replace(AT_START[SUN], state=SeenState.COVERED)
    assert rested(settled_film(), now) == (now if stood else kept)


def test_what_may_be_in_fingers_and_was_never_seen_is_lost() -> None:
    """No place is known that could be covered."""
    assert rested(Film(), standing("Jaws.GL")) == LOST
    film = Film()
    assert film.run(21, STILL, {**AT_START, SUN: LOST}).state is SETTLED
    assert rested(film, standing("Jaws.GL")) == LOST


def test_two_of_one_id_move_nothing() -> None:
    """The conflict is named, the piece stays where it was and is not sure any more."""
    film = settled_film()
    film.show(HAND)
    film.conflicts = (SUN,)
    sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, SUN: Seen(SeenState.UNSURE)})
    assert sighting.state is SETTLED
    assert sighting.conflicts == (SUN,)
    assert sighting.pieces[SUN] == replace(AT_START[SUN], state=SeenState.UNSURE)


def test_between_two_spaces_is_both() -> None:
    """A piece set down on the line is unsure, wherever it came from."""
    film = settled_film()
    film.show(HAND)
    on_line = torn("Jaws.PC", "Jaws.PR", 26.5)
    sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, PAWS_PLANE: on_line})
    assert sighting.pieces[PAWS_PLANE] == on_line


@pytest.mark.parametrize(
    ("before", "now", "state"),
    [
        (standing("Jaws.PC", 24.5), torn("Jaws.PC", "Jaws.PR", 25.5), SeenState.SEEN),
        (standing("Jaws.PC", 24.5), torn("Jaws.PC", "Jaws.PR", 26.4), SeenState.SEEN),
        (standing("Jaws.PC", 25.0), torn("Jaws.PC", "Jaws.PR", 27.0), SeenState.SEEN),
        (standing("Jaws.PC", 24.5), torn("Jaws.PC", "Jaws.PR", 26.6), SeenState.UNSURE),
        (standing("Jaws.PC", 26.0), torn("Jaws.PC", "Jaws.PR", 27.5), SeenState.UNSURE),
        (torn("Jaws.PC", "Jaws.PR", 25.5), standing("Jaws.PC", 24.5), SeenState.UNSURE),
        (torn("Jaws.PC", "Jaws.PR", 25.0), standing("Jaws.PC", 24.0), SeenState.SEEN),
        (torn("Jaws.PC", "Jaws.PR", 25.5), standing("Jaws.PC", 23.6), SeenState.SEEN),
        (torn("Jaws.PC", "Jaws.PR", 25.5), standing("Jaws.PC", 20.0), SeenState.SEEN),
    ],
)
def test_jitter_on_the_line_changes_nothing(before: Seen, now: Seen, state: SeenState) -> None:
    """What did not move leaves its verdict late and comes back late; what moved is judged anew."""
    film = settled_film({**AT_START, PAWS_PLANE: before})
    film.show(LIGHT)
    sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, PAWS_PLANE: now})
    assert sighting.pieces[PAWS_PLANE].state is state


def test_what_is_read_for_sure_on_the_next_space_is_there() -> None:
    """Only what was between two spaces waits until it is well inside one."""
    film = settled_film({**AT_START, PAWS_PLANE: standing("Jaws.PC", 24.5)})
    film.show(LIGHT)
    beyond = replace(standing("Jaws.PC", 25.5), pose=Pose("Jaws.PR"), spaces=("Jaws.PR",))
    sighting = film.run(QUIET_FRAMES, STILL, {**AT_START, PAWS_PLANE: beyond})
    assert sighting.pieces[PAWS_PLANE].spaces == ("Jaws.PR",)


def test_the_sighting_is_the_same_object_while_nothing_changes() -> None:
    """Whoever listens can compare by identity."""
    film = settled_film()
    first = film.show(STILL)
    assert all(film.show(STILL) is first for _ in range(50))
    assert film.show(HAND) is not first


def test_what_was_told_of_a_reading_is_not_worked_out_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A still table keeps its reading for hours; a hand, or a new reading, has its say."""
    settling, numbers = PictureSettling(PLAN), itertools.count()
    pieces = dict(AT_START)

    def frames(
        count: int, of: Observation, state: PictureState = STILL, *hidden: Piece
    ) -> list[Sighting]:
        looks = [
            SettlingFrame(state, number, number / 20, of, frozenset(hidden))
            for number in itertools.islice(numbers, count)
        ]
        return [settling.see(look) for look in looks]

    read = Observation(0, 0.0, (), pieces, BOARDS)
    told = frames(QUIET_FRAMES + 2, read)[-1]
    with monkeypatch.context() as patched:
        patched.delattr(PictureSettling, "_judge")
        assert all(again is told for again in frames(20, read))
    assert frames(1, read, HAND, SUN)[0].pieces[SUN].state is SeenState.COVERED
    assert frames(QUIET_FRAMES, read)[-1].pieces == AT_START
    moved = Observation(1, 0.0, (), pieces | {SUN: standing("Jaws.GR")}, BOARDS)
    assert frames(1, moved)[0].pieces[SUN] == standing("Jaws.GR")


def test_a_table_without_a_board_is_blind() -> None:
    """Nothing can be said of places on boards that are not in the picture."""
    film = Film(boards=frozenset())
    assert film.run(30, STILL).state is PictureState.BLIND


def test_a_lost_camera_is_blind_and_forgets_nothing() -> None:
    """Poses stay, none counts as seen; five quiet frames later all is as before."""
    film = settled_film()
    blind = film.settling.blind(film.number, film.number / 20)
    assert blind.state is PictureState.BLIND
    assert {seen.state for seen in blind.pieces.values()} == {SeenState.LOST}
    assert blind.pieces[SUN].pose == Pose("Jaws.GL")
    film.show(MOVING)
    assert film.run(QUIET_FRAMES, STILL).pieces == AT_START


STATES = st.lists(st.sampled_from([STILL, STILL, STILL, MOVING, HAND, LIGHT]), max_size=60)


@given(states=STATES, found=st.lists(st.sampled_from(list(AT_START)), unique=True))
def test_settled_means_quiet_before(states: list[PictureState], found: list[Piece]) -> None:
    """Whatever happens: settled only after five still frames in a row, and never with a guess.

    A piece is only ever where it was read; one that was never read has no pose.
    """
    film = Film()
    pieces = {piece: seen if piece in found else LOST for piece, seen in AT_START.items()}
    for number, state in enumerate(states):
        sighting = film.show(state, pieces)
        before = states[max(0, number - QUIET_FRAMES + 1) : number + 1]
        if sighting.state is SETTLED:
            assert before == [STILL] * QUIET_FRAMES
        else:
            assert sighting.state is state
        for piece, seen in sighting.pieces.items():
            assert seen in (pieces[piece], LOST)
            assert seen.pose is None or piece in found
