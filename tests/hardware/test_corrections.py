"""Each correction of the clock is one event, the same for every display, and lamps follow."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from companion.core.offers import SignalEvent, SignalKind
from companion.core.round_clock import CUES_S
from hardware.signals.client import SignalClient
from tests.patience import wait_until

NewClient = Callable[..., SignalClient]

ROUND = "match-1/round-1"


def told_to(client: SignalClient, last: SignalKind) -> list[SignalEvent]:
    """What a client hears until an event of that kind."""
    told: list[SignalEvent] = []

    def heard() -> bool:
        told.extend(item for item in client.events() if isinstance(item, SignalEvent))
        return bool(told) and told[-1].kind is last

    wait_until(heard, lambda: f"heard {told}")
    return told


CORRECTIONS: dict[str, tuple[Callable[[SignalClient], object], SignalKind, float, int]] = {
    "give while it runs": (
        lambda client: client.arm(ROUND, time.monotonic() + 9.0, CUES_S, 20.0),
        SignalKind.ARMED,
        9.0,
        1,
    ),
    "pause": (lambda client: client.pause(), SignalKind.STOPPED, 4.0, 2),
    "stop": (lambda client: client.stop(), SignalKind.STOPPED, 4.0, 0),
    "set while it stands": (lambda client: client.stand(ROUND, 2.5), SignalKind.SET, 2.5, 3),
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_correction_is_one_event_for_every_display_and_lamp(
    new_client: NewClient, name: str
) -> None:
    """Three displays hear the same one event, and the lamps are those of the new rest."""
    correct, kind, rest_s, lamps = CORRECTIONS[name]
    clients = [new_client() for _ in range(3)]
    for client in clients:
        client.connect()
    clients[0].arm(ROUND, time.monotonic() + 4.0, CUES_S, 20.0)
    for client in clients:
        told_to(client, SignalKind.ARMED)
    correct(clients[0])
    heard = [told_to(client, kind) for client in clients]
    assert [len(told) for told in heard] == [1, 1, 1]
    assert heard[0] == heard[1] == heard[2]
    assert heard[0][0].rest_s == pytest.approx(rest_s, abs=0.2)
    lit = lamps_of(clients[0])
    assert sum(lit) == lamps


def lamps_of(client: SignalClient) -> list[bool]:
    """The lamps as the process tells them with its next beat."""
    heard_at = client._session.heard_at
    wait_until(lambda: client._session.heard_at != heard_at)
    lamps = client._session.panel["lamps"]
    assert isinstance(lamps, list)
    return [bool(lamp) for lamp in lamps]
