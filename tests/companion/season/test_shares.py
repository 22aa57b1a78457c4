"""Shares and their intervals, against the formula solved another way; who beat whom."""

from __future__ import annotations

from math import sqrt

import pytest

from companion.season.shares import Z_95, Share, who_beat_whom


@pytest.mark.parametrize(("of", "count"), [(1, 0), (1, 1), (10, 3), (100, 51), (10_000, 4_999)])
def test_the_bounds_are_where_the_share_is_just_not_refused(of: int, count: int) -> None:
    """Wilson's bounds are the true shares from which what was drawn lies Z deviations away."""
    share = Share(of, count)
    assert 0 <= share.low <= share.share <= share.high <= 1
    for bound in (share.low, share.high):
        if 1e-12 < bound < 1 - 1e-12:
            away = abs(share.share - bound) / sqrt(bound * (1 - bound) / of)
            assert away == pytest.approx(Z_95, rel=1e-6)


def test_nothing_drawn_tells_nothing() -> None:
    assert (Share(0, 0).share, Share(0, 0).low, Share(0, 0).high) == (0, 0, 1)
    assert str(Share(0, 0)) == "0 % (0-100)"


def test_who_beat_whom_counts_where_one_of_two_won() -> None:
    beaten = who_beat_whom(["A", "B", "C"], [("A",), ("A",), ("B",), ("A", "C"), ()])
    assert {pair: (share.count, share.of) for pair, share in beaten.items()} == {
        ("A", "B"): (3, 4), ("B", "A"): (1, 4),
        ("A", "C"): (2, 2), ("C", "A"): (0, 2),
        ("B", "C"): (1, 2), ("C", "B"): (1, 2),
    }  # fmt: skip
