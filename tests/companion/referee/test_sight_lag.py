"""What hands owe to rulings, and when it is paid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.board import Piece, Pose
from companion.core.ruling import Cite, Flip, Move, Ruling
from companion.referee.sight import LINGER, Lag

CITE = Cite.of("JP-12.3")
PLANE, OTHER = Piece("plane"), Piece("other")
A, B, C, D = (Pose(name) for name in "ABCD")


def moved(lag: Lag, *way: Pose, piece: Piece = PLANE) -> None:
    """An answer for each step of a way, each followed by a ruling that moves the piece on."""
    for was, now in pairwise(way):
        lag.follow([Ruling("", CITE, (Move(piece, was, now),))])


def test_a_piece_sent_round_may_stop_on_the_way_although_it_stood_where_it_belongs() -> None:
    """Sent to B and back before hands had begun: the old picture at A does not clear B."""
    lag = Lag()
    moved(lag, A, B)
    lag.see(PLANE, A, B)
    moved(lag, B, A)
    lag.see(PLANE, A, A)
    assert lag.excuses(PLANE, B)
    lag.see(PLANE, B, A)
    assert lag.excuses(PLANE, B)


def test_once_hands_have_gone_round_the_way_is_forgotten() -> None:
    lag = Lag()
    moved(lag, A, B, A)
    for pose in (A, B, A):
        lag.see(PLANE, pose, A)
    assert not lag.excuses(PLANE, B)
    assert not lag.ways


def test_hands_that_saw_no_need_to_go_round_are_done_two_answers_later() -> None:
    """What nobody does is not owed for ever: the next real move of the piece is an answer again."""
    lag = Lag()
    moved(lag, A, B, A)
    lag.see(PLANE, A, A)
    lag.follow([])
    assert lag.excuses(PLANE, B)
    lag.follow([])
    assert not lag.excuses(PLANE, B)


def test_a_piece_that_is_not_home_is_owed_however_long_it_takes() -> None:
    lag = Lag()
    moved(lag, A, B)
    for _ in range(LINGER + 3):
        lag.see(PLANE, A, B)
        lag.follow([])
    assert lag.excuses(PLANE, A)


def test_a_piece_on_the_way_round_is_owed_however_long_it_takes() -> None:
    lag = Lag()
    moved(lag, A, B, A)
    lag.see(PLANE, A, A)
    lag.see(PLANE, B, A)
    for _ in range(LINGER + 3):
        lag.follow([])
    assert lag.excuses(PLANE, B)


def test_a_move_taken_back_before_hands_began_leaves_nothing_owed() -> None:
    """Recorded at A, sent to B, undone: A is where it stands and belongs."""
    lag = Lag()
    moved(lag, A, B)
    lag.see(PLANE, A, A)
    assert not lag.ways


def test_where_hands_were_ahead_of_the_ruling_nothing_is_owed() -> None:
    lag = Lag()
    moved(lag, A, B)
    lag.see(PLANE, B, B)
    assert not lag.ways


def test_a_place_no_ruling_named_is_never_excused() -> None:
    lag = Lag()
    moved(lag, A, B, C)
    lag.see(PLANE, D, C)
    assert not lag.excuses(PLANE, D)
    assert not lag.excuses(OTHER, A)


def test_a_second_piece_has_a_way_of_its_own() -> None:
    lag = Lag()
    moved(lag, A, B)
    moved(lag, C, D, piece=OTHER)
    lag.see(OTHER, D, D)
    assert lag.excuses(PLANE, A)
    assert not lag.excuses(OTHER, C)


def test_a_correction_excuses_where_its_pieces_stood_once() -> None:
    """As a ruling does; what hands owe already is not sent round anew, and a side is no place."""
    lag = Lag()
    deeds = (Move(PLANE, A, B), Move(OTHER, None, C), Flip("stage", "back"))
    lag.excuse_moves(deeds)
    lag.excuse_moves(deeds)
    assert lag.owes(PLANE, A)
    assert list(lag.ways) == [PLANE]
    assert lag.ways[PLANE].poses == [A]


def test_a_new_way_from_home_is_owed_for_two_answers_again() -> None:
    """Whoever lingered at home is sent once more: the answers are counted from there."""
    lag = Lag()
    moved(lag, A, B, A)
    lag.see(PLANE, A, A)
    lag.follow([])
    lag.excuse(PLANE, C)
    lag.follow([])
    assert lag.excuses(PLANE, C), "not seen at home since"
    lag.see(PLANE, A, A)
    for _ in range(LINGER - 1):
        lag.follow([])
        assert lag.excuses(PLANE, C)
    lag.follow([])
    assert not lag.excuses(PLANE, C)


def test_a_stop_that_was_passed_is_not_the_next_one() -> None:
    """A to B to A to B: at the second A the first is behind; B is the end of the way."""
    lag = Lag()
    moved(lag, A, B, A, B, C)
    for pose in (A, B, A):
        lag.see(PLANE, pose, C)
        assert lag.excuses(PLANE, B)
    lag.see(PLANE, B, C)
    assert lag.ways[PLANE].reached == 3
    lag.see(PLANE, C, C)
    assert not lag.ways


@given(st.lists(st.sampled_from((A, B, C)), min_size=2, max_size=6), st.data())
def test_hands_that_follow_in_order_never_make_a_difference(
    way: Sequence[Pose], data: st.DataObject
) -> None:
    """Whatever the rulings and however late hands carry them out: no stop on the way is news."""
    way = [way[0], *(now for was, now in pairwise(way) if was != now)]
    lag, record, hands = Lag(), 0, 0
    while hands < len(way) - 1:
        lag.see(PLANE, way[hands], way[record])
        assert way[hands] == way[record] or lag.excuses(PLANE, way[hands])
        may_rule = record < len(way) - 1
        if may_rule and (hands == record or data.draw(st.booleans())):
            moved(lag, *way[record : record + 2])
            record += 1
        else:
            hands += 1
    lag.see(PLANE, way[-1], way[-1])


@pytest.mark.parametrize("end", [A, B, C])
def test_a_way_gone_step_by_step_owes_nothing_at_its_end(end: Pose) -> None:
    way = [pose for pose in (A, B, A, C, B) if pose != end] + [end]
    way = [way[0], *(now for was, now in pairwise(way) if was != now)]
    lag = Lag()
    moved(lag, *way)
    for pose in way:
        lag.see(PLANE, pose, end)
    assert not lag.ways


def test_a_piece_let_lie_early_is_no_news_there_and_owes_nothing() -> None:
    """Only where it was let lie; moved elsewhere, or placed in the record, it is as any other."""
    lag = Lag()
    lag.let_lie(PLANE, A)
    assert lag.excuses(PLANE, A)
    assert not lag.owes(PLANE, A)
    assert not lag.excuses(PLANE, B)
    lag.see(PLANE, A, None)
    assert lag.lies(PLANE, A)
    lag.see(PLANE, B, None)
    assert not lag.lies(PLANE, A)
    lag.let_lie(PLANE, A)
    lag.see(PLANE, A, A)
    assert not lag.lies(PLANE, A)
