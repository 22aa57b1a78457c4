"""Events wait until they are acknowledged, and are sent again."""

from __future__ import annotations

from hardware.firmware.frame import decode
from hardware.firmware.outbox import HASTE_US, KEPT, RESEND_US, WINDOW, Outbox


def numbers(lines: list[bytes]) -> list[int]:
    """The events' numbers."""
    return [decode(line[:-1]).number for line in lines]


def test_an_event_is_sent_at_once_and_again_until_acknowledged() -> None:
    """Not more often than the other side needs to answer."""
    outbox = Outbox()
    outbox.put("press", [("at", 1)])
    assert numbers(outbox.due(0)) == [1]
    assert outbox.due(1_000) == []
    outbox.put("press", [("at", 2)])
    assert numbers(outbox.due(2_000)) == [2]
    assert numbers(outbox.due(2_000 + RESEND_US)) == [1, 2]
    outbox.acknowledge(1, 300_000)
    assert numbers(outbox.due(300_000 + RESEND_US)) == [2]
    outbox.acknowledge(2, 600_000)
    assert outbox.due(10**9) == []
    assert (outbox.first, outbox.next) == (3, 3)


def test_a_full_outbox_drops_the_oldest_and_says_so() -> None:
    """A cable pulled for an hour fills no memory; `first` tells what is gone."""
    outbox = Outbox()
    for _ in range(KEPT + 10):
        outbox.put("press", [("at", 1)])
    assert (outbox.first, outbox.next) == (11, KEPT + 11)
    sent = numbers(outbox.due(0))
    assert sent == list(range(11, 11 + WINDOW))


def test_a_window_limits_what_is_on_the_way() -> None:
    """The rest follows as soon as the first are acknowledged."""
    outbox = Outbox()
    for _ in range(WINDOW + 5):
        outbox.put("press", [("at", 1)])
    assert numbers(outbox.due(0)) == list(range(1, WINDOW + 1))
    outbox.acknowledge(WINDOW, 10)
    assert numbers(outbox.due(11)) == list(range(WINDOW + 1, WINDOW + 6))


def test_who_begins_to_listen_hears_all_that_waits() -> None:
    """What was sent to nobody is sent again at once."""
    outbox = Outbox()
    outbox.put("press", [("at", 1)])
    outbox.due(0)
    outbox.again()
    assert numbers(outbox.due(1)) == [1]


def test_a_repeated_acknowledgement_brings_what_was_lost_at_once() -> None:
    """Not in every turn: what is on its way may still come."""
    outbox = Outbox()
    for _ in range(3):
        outbox.put("press", [("at", 1)])
    outbox.due(0)
    outbox.acknowledge(1, 1_000)
    outbox.acknowledge(1, 2_000)
    assert outbox.due(2_001) == []
    outbox.acknowledge(1, 1_000 + HASTE_US)
    assert numbers(outbox.due(1_001 + HASTE_US)) == [2, 3]
