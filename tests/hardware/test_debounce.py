"""Presses out of raw edges (field notes, 30): bounce, double fire, lost edges, jammed keys."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.offers import LONG_PRESS_S, Button, Press
from hardware.panel.debounce import (
    CHATTER_S,
    GAP_S,
    SETTLE_S,
    STUCK_S,
    ButtonFault,
    Contact,
    Debouncer,
    Told,
)

KEY = Button.READY_FIRST
Edge = tuple[bool, float]


def told_by(edges: list[Edge], until: float) -> list[Told]:
    """What a debouncer tells of edges, looked at whenever it asks to be, up to `until`."""
    key, level, told = Debouncer(KEY), False, list[Told]()
    for down, at in [*edges, (None, until)]:
        while (wakes_at := key.wakes_at) is not None and wakes_at < at:
            told += key.tick(level, wakes_at + 1e-9)
        if down is not None:
            level = down
            told += key.edge(down, at)
    return told + key.tick(level, until)


def presses(told: list[Told]) -> list[Press]:
    """The presses among it, each once."""
    return [item for item in told if isinstance(item, Press) and not item.is_long]


def test_a_clean_press_is_told_once_and_dated_by_its_contact() -> None:
    assert told_by([(True, 1.0), (False, 1.2)], 3.0) == [Press(KEY, 1.0)]


def test_a_press_is_told_while_it_is_still_down() -> None:
    """Ready must not wait for the finger to leave: SETTLE_S after contact is enough."""
    assert told_by([(True, 1.0)], 1.0 + SETTLE_S + 1e-6) == [Press(KEY, 1.0)]


def test_an_edge_reported_twice_is_one_edge() -> None:
    """The lgpio driver may fire twice for one edge (gpiozero issue 1090)."""
    doubled = [(True, 1.0), (True, 1.00001), (False, 1.2), (False, 1.20001)]
    assert told_by(doubled, 3.0) == [Press(KEY, 1.0)]


def test_noise_shorter_than_a_finger_is_no_press() -> None:
    """The buzzer's own switching makes spikes on long wires."""
    assert told_by([(True, 1.0), (False, 1.0 + 0.5 * SETTLE_S)], 3.0) == []


def test_a_lost_press_edge_is_mended_by_the_level() -> None:
    """Edges get lost (gpiozero issue 550): looking at the pin finds the press all the same."""
    key = Debouncer(KEY)
    assert key.tick(down=True, now=5.0) == []
    assert key.tick(down=True, now=5.0 + 2 * SETTLE_S) == [Press(KEY, 5.0)]


def test_a_lost_release_edge_is_mended_by_the_level() -> None:
    """Else the button would count as held for ever, and the next press be lost."""
    key = Debouncer(KEY)
    key.edge(down=True, at=1.0)
    key.tick(down=True, now=1.1)
    key.tick(down=False, now=2.0)
    assert key.tick(down=False, now=2.1) == []
    assert not key.down
    key.edge(down=True, at=3.0)
    assert key.tick(down=True, now=3.1) == [Press(KEY, 3.0)]


@pytest.mark.parametrize(("gap_s", "count"), [(0.5 * GAP_S, 1), (1.5 * GAP_S, 2)])
def test_a_second_press_counts_only_after_the_gap(gap_s: float, count: int) -> None:
    """A sliding finger presses once; two presses by intention are two."""
    edges = [(True, 1.0), (False, 1.1), (True, 1.1 + gap_s), (False, 1.3 + gap_s)]
    assert len(presses(told_by(edges, 5.0))) == count


@pytest.mark.parametrize("held_s", [0.05, 0.8, 0.9 * STUCK_S])
def test_a_press_is_told_once_however_long_it_is_held(held_s: float) -> None:
    """The referee's button toggles the clock: a second word for one press would toggle it back."""
    assert presses(told_by([(True, 1.0), (False, 1.0 + held_s)], 2 * STUCK_S)) == [Press(KEY, 1.0)]


@pytest.mark.parametrize(
    ("held_s", "told"),
    [
        (LONG_PRESS_S - 0.01, [Press(KEY, 1.0)]),
        (LONG_PRESS_S + 0.01, [Press(KEY, 1.0), Press(KEY, 1.0, LONG_PRESS_S)]),
        (5 * LONG_PRESS_S, [Press(KEY, 1.0), Press(KEY, 1.0, LONG_PRESS_S)]),
    ],
)
def test_a_press_that_is_held_on_is_told_once_more_as_a_long_one(
    held_s: float, told: list[Told]
) -> None:
    """While it is still held: nobody has to let go to know that it counted."""
    assert told_by([(True, 1.0), (False, 1.0 + held_s)], 1.0 + held_s) == told


def test_each_press_may_be_long_anew() -> None:
    edges = [(True, 1.0), (False, 3.0), (True, 4.0), (False, 6.0)]
    long = [item for item in told_by(edges, 7.0) if isinstance(item, Press) and item.is_long]
    assert [press.at for press in long] == [1.0, 4.0]


def test_a_stuck_button_is_said_once_and_once_when_it_is_freed() -> None:
    told = told_by([(True, 1.0), (False, 2 * STUCK_S)], 3 * STUCK_S)
    faults = [item for item in told if isinstance(item, ButtonFault)]
    assert [fault.fault for fault in faults] == [Contact.STUCK, Contact.FREED]
    assert faults[0].at == pytest.approx(1.0 + STUCK_S, abs=1e-6)


def test_a_line_that_never_settles_is_said_and_presses_nothing() -> None:
    """A broken wire catches the mains: 100 edges a second, no press among them."""
    edges = [(n % 2 == 0, 1.0 + n * 0.5 * SETTLE_S) for n in range(int(3 * CHATTER_S / SETTLE_S))]
    told = told_by([*edges, (False, edges[-1][1] + 0.001)], 10.0)
    assert [item.fault for item in told if isinstance(item, ButtonFault)] == [
        Contact.CHATTER,
        Contact.FREED,
    ]
    assert presses(told) == []


@dataclass(frozen=True)
class Finger:
    """A press by intention: when, for how long, and how the contacts bounce at both ends."""

    at: float
    edges: list[Edge]


@st.composite
def fingers(draw: st.DrawFn) -> list[Finger]:
    """Presses further apart than the gap, each with bounces shorter than SETTLE_S."""
    found: list[Finger] = []
    at = 1.0
    for _ in range(draw(st.integers(1, 6))):
        length = draw(st.floats(0.05, 0.6))
        edges = [*_bouncing(draw, at, down=True), *_bouncing(draw, at + length, down=False)]
        found.append(Finger(at, edges))
        at += length + draw(st.floats(GAP_S + 0.05, 2.0))
    return found


def _bouncing(draw: st.DrawFn, at: float, *, down: bool) -> list[Edge]:
    """An edge that wavers an even number of times more, each within half of SETTLE_S."""
    edges = [(down, at)]
    for gap in draw(st.lists(st.floats(1e-6, 0.5 * SETTLE_S), max_size=6)):
        for level in (not down, down):
            edges.append((level, edges[-1][1] + gap))
    return edges


@given(fingers())
def test_every_press_is_told_once_however_it_bounces(hands: list[Finger]) -> None:
    """Property: as many presses as fingers, each dated by its first contact."""
    edges = [edge for hand in hands for edge in hand.edges]
    told = presses(told_by(edges, edges[-1][1] + 1.0))
    assert [press.at for press in told] == [hand.at for hand in hands]


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0.0, 0.3)), max_size=60),
    st.lists(st.booleans(), min_size=60, max_size=60),
)
def test_no_edges_whatever_press_twice_without_a_release(
    steps: list[tuple[bool, float]], lost: list[bool]
) -> None:
    """Property: any edges, doubled or lost: presses are in order, a gap apart, and no error."""
    at, edges = 1.0, list[Edge]()
    for (down, gap), gone in zip(steps, lost, strict=False):
        at += gap
        if not gone:
            edges.append((down, at))
    told = presses(told_by(edges, at + 1.0))
    assert all(b.at - a.at >= GAP_S for a, b in pairwise(told))


@given(fingers())
def test_doubling_every_edge_changes_nothing(hands: list[Finger]) -> None:
    """Property: a driver that reports each edge twice is heard as one that does not."""
    edges = [edge for hand in hands for edge in hand.edges]
    doubled = [edge for edge in edges for _ in range(2)]
    until = edges[-1][1] + 1.0
    assert told_by(doubled, until) == told_by(edges, until)
