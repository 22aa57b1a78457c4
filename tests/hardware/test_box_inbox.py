"""Each event once, in order, or named as lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.frame import Frame
from hardware.sensor_box.session import Delivery, EventsLost, Inbox


def event(number: int) -> Frame:
    return Frame("!", number, "press", {})


def numbers(come: list[Delivery]) -> list[int | tuple[int, int | None]]:
    """Numbers that were delivered, and ranges that were named as lost."""
    return [(one.first, one.last) if isinstance(one, EventsLost) else one[0] for one in come]


def test_events_come_in_order_and_once() -> None:
    """Early ones wait, repeated ones are passed over."""
    inbox = Inbox()
    assert inbox.greet("a", 1) == []
    assert numbers(inbox.take(event(2))) == []
    assert numbers(inbox.take(event(1))) == [1, 2]
    assert numbers(inbox.take(event(1)) + inbox.take(event(2))) == []
    assert numbers(inbox.take(event(3))) == [3]


def test_what_the_box_could_not_keep_is_named() -> None:
    """Between what came, too."""
    inbox = Inbox()
    inbox.greet("a", 1)
    inbox.take(event(1))
    inbox.take(event(4))
    assert numbers(inbox.floor(6)) == [(2, 3), 4, (5, 5)]
    assert numbers(inbox.take(event(6))) == [6]


def test_a_box_that_began_anew_is_named() -> None:
    """How much it had still to say nobody knows."""
    inbox = Inbox()
    inbox.greet("a", 1)
    inbox.take(event(1))
    (lost,) = inbox.greet("b", 1)
    assert isinstance(lost, EventsLost)
    assert (lost.boot, lost.first, lost.last) == ("a", 2, None)
    assert "began anew" in str(lost)
    assert numbers(inbox.take(event(1))) == [1]


def test_a_first_greeting_loses_nothing() -> None:
    """What an earlier companion acknowledged was never ours."""
    inbox = Inbox()
    assert inbox.greet("a", 40) == []
    assert numbers(inbox.take(event(40))) == [40]


@given(st.lists(st.one_of(st.integers(1, 60), st.integers(-40, -1)), max_size=200))
def test_numbers_never_repeat_skip_or_go_back(steps: list[int]) -> None:
    """Events in any order (positive) and floors (negative): every number is told just once."""
    inbox = Inbox()
    inbox.greet("a", 1)
    told: list[int] = []
    for step in steps:
        come = inbox.take(event(step)) if step > 0 else inbox.floor(-step)
        for one in come:
            if isinstance(one, EventsLost):
                assert one.last is not None
                told += range(one.first, one.last + 1)
            else:
                told.append(one[0])
    assert told == list(range(1, len(told) + 1))
