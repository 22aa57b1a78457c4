"""Levels of restless inputs (field notes, 30): sliding cards, bouncing keys, jams."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.settling import CHATTER_US, GAP_US, STUCK_US, Change, Key, Settling

SETTLE_US = 30_000
LOOK_US = 1_000


def changes_of(levels: list[tuple[int, int]], until_us: int) -> list[Change]:
    """What an input tells whose level changes at given times, looked at every millisecond."""
    settling, told, level = Settling(SETTLE_US), list[Change](), 0
    coming = list(levels)
    for now in range(0, until_us, LOOK_US):
        while coming and coming[0][0] <= now:
            level = coming.pop(0)[1]
        change = settling.look(level, now)
        if change is not None:
            told.append(change)
    return told


def test_a_card_is_dated_by_when_it_lay_and_by_when_it_stirred() -> None:
    """A hand flickers over the sensor for a tenth of a second before the card lies."""
    hand = [(500_000 + step * 10_000, (step + 1) % 2) for step in range(11)]
    (change,) = changes_of(hand, 1_000_000)
    assert (change.before, change.level) == (0, 1)
    assert change.began_us == 500_000
    assert change.at_us == 600_000
    assert change.error_us == LOOK_US


def test_a_touch_is_no_card() -> None:
    """What is shorter than a card leaves no word."""
    assert changes_of([(100_000, 1), (120_000, 0), (300_000, 1), (329_000, 0)], 600_000) == []


def test_a_sensor_that_counts_tells_each_number() -> None:
    """One card, a second on it, both lifted."""
    told = changes_of([(100_000, 1), (400_000, 2), (700_000, 0)], 1_000_000)
    assert [(change.before, change.level) for change in told] == [(0, 1), (1, 2), (2, 0)]


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3)), max_size=30).map(
        lambda steps: sorted(dict(steps).items())
    )
)
def test_changes_chain_and_end_at_the_last_level(steps: list[tuple[int, int]]) -> None:
    """Whatever an input does: each change starts where the last one ended, in order of time."""
    levels = [(at * 7_000, level) for at, level in steps]
    told = changes_of(levels, 2_000_000)
    assert all(one.level == other.before for one, other in pairwise(told))
    assert all(one.at_us <= other.began_us for one, other in pairwise(told))
    assert all(change.began_us <= change.at_us for change in told)
    assert (told[-1].level if told else 0) == (levels[-1][1] if levels else 0)


def test_unrest_without_end_is_named() -> None:
    """A sensor in flickering light says so instead of guessing."""
    settling = Settling(SETTLE_US)
    for now in range(0, 2 * CHATTER_US, 5_000):
        assert settling.look((now // 5_000) % 2, now) is None
    assert settling.fault == "chatter"
    for now in range(2 * CHATTER_US, 2 * CHATTER_US + 100_000, 5_000):
        settling.look(0, now)
    assert settling.fault == ""


def key_words(key: Key, levels: list[tuple[int, int]], until_us: int) -> list[tuple[str, int]]:
    """What a key tells, looked at every millisecond."""
    told, level, coming = list[tuple[str, int]](), 0, list(levels)
    for now in range(0, until_us, LOOK_US):
        while coming and coming[0][0] <= now:
            level = coming.pop(0)[1]
        found = key.look(level, now)
        if found is not None:
            told.append((found[0], found[1].began_us))
    return told


def test_a_press_is_told_once_and_dated_by_its_first_contact() -> None:
    """Contacts bounce both ways."""
    bouncing = [(1_000_000, 1), (1_002_000, 0), (1_004_000, 1), (1_300_000, 0), (1_301_000, 1),
                (1_303_000, 0)]  # fmt: skip
    told = key_words(Key(10_000), bouncing, 2_000_000)
    assert told == [("press", 1_000_000), ("release", 1_300_000)]


def test_a_finger_that_slid_presses_once() -> None:
    """Down again within the gap is the same press."""
    again = 300_000 + GAP_US - 20_000
    levels = [(100_000, 1), (300_000, 0), (again, 1), (again + 100_000, 0)]
    assert key_words(Key(10_000), levels, 1_000_000) == [("press", 100_000), ("release", 300_000)]


def test_a_jammed_key_is_named_until_it_is_free() -> None:
    """It presses once; what is wrong with it is said."""
    key = Key(10_000)
    assert key_words(key, [(0, 1)], STUCK_US + 200_000) == [("press", 0)]
    assert key.fault == "stuck"
    for now in range(STUCK_US + 200_000, STUCK_US + 300_000, LOOK_US):
        key.look(0, now)
    assert key.fault == ""
