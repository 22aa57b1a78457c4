"""The app's watch: a signal process that dies or hangs is replaced, and goes on as it was."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.offers import SignalEvent, SignalKind
from hardware.panel.panel import Manner
from hardware.signals.client import HUNG_S, Connection, SignalClient, SignalWatch
from hardware.signals.folder import SignalFolder
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S, STALL_S, wait_until

NewClient = Callable[..., SignalClient]


@pytest.fixture
def client(new_client: NewClient) -> SignalClient:
    client = new_client()
    client.connect()
    return client


@pytest.fixture
def watch(client: SignalClient) -> Iterator[SignalWatch]:
    watch = SignalWatch(client)
    yield watch
    watch.close()


@pytest.fixture
def watched() -> Iterator[Callable[[SignalClient], SignalWatch]]:
    """Makes watches; each is waited for at the test's end."""
    made: list[SignalWatch] = []

    def make(client: SignalClient) -> SignalWatch:
        made.append(SignalWatch(client))
        return made[-1]

    yield make
    for watch in made:
        watch.close()


def look_until(watch: SignalWatch, condition: Callable[[], bool]) -> None:
    """Tick as the app does until it is so."""

    def looked() -> bool:
        watch.look(time.monotonic())
        return condition()

    wait_until(looked)


def kinds(client: SignalClient) -> list[SignalKind]:
    return [told.kind for told in client.events() if isinstance(told, SignalEvent)]


def test_a_killed_process_is_replaced_and_told_of(client: SignalClient, watch: SignalWatch) -> None:
    """Nobody has to touch Retry: lost, found, and as loud as before."""
    client.set_manner(Manner(volume=30, brightness=60))
    first = client.state().pid
    os.kill(first, signal.SIGKILL)
    look_until(watch, lambda: client.state().pid not in (0, first))
    assert client.state().connection is Connection.LIVE
    assert kinds(client) == [SignalKind.LOST, SignalKind.FOUND]
    assert client.state().manner == Manner(volume=30, brightness=60)


def test_a_round_armed_anew_after_a_kill_still_sounds_at_its_deadline(
    client: SignalClient, watch: SignalWatch
) -> None:
    """As the referee does on FOUND: the same round, the same deadline, one zero."""
    told: list[SignalKind] = []

    def found() -> bool:
        told.extend(kinds(client))
        return SignalKind.FOUND in told

    name, deadline = "round-1", time.monotonic() + PATIENCE_S
    client.arm(name, deadline, (), PATIENCE_S)
    os.kill(client.state().pid, signal.SIGKILL)
    look_until(watch, found)
    client.arm(name, deadline, (), PATIENCE_S)
    running = client.adopt()
    assert running is not None
    assert running.deadline == deadline
    deadline = time.monotonic() + 0.1
    client.arm(name, deadline, (), PATIENCE_S)
    look_until(watch, lambda: client.fired(name) is not None)
    zero = client.fired(name)
    assert zero is not None
    assert 0.0 <= zero.late_s < STALL_S
    assert deadline <= zero.at


def test_a_process_that_hangs_is_ended_and_replaced(
    client: SignalClient, watch: SignalWatch
) -> None:
    """Stopped (SIGSTOP) it holds the pins and says nothing: only killing it frees them."""
    first = client.state().pid
    os.kill(first, signal.SIGSTOP)
    heard_at = client._session.heard_at
    look_until(watch, lambda: client.state().pid not in (0, first))
    assert time.monotonic() - heard_at >= HUNG_S
    assert client.state().connection is Connection.LIVE


def test_a_living_process_is_left_alone(client: SignalClient, watch: SignalWatch) -> None:
    first = client.state().pid
    for step in range(50):
        watch.look(time.monotonic() + step)
    assert client.state().pid == first
    assert kinds(client) == []


def test_tries_that_fail_wait_longer_each_time(tmp_path: Path) -> None:
    """A runtime folder that cannot be made: no busy loop of processes, and no exception."""
    (tmp_path / "file").touch()
    client = SignalClient(Wanted("mock"), tmp_path / "file" / "folder")
    client._session.why_lost = "gone"
    watch = SignalWatch(client)
    tried = 0
    for now in range(120):
        before = watch._trying
        watch.look(float(now))
        watch.close()
        tried += watch._trying is not before
    assert 3 < tried < 10


def test_a_process_that_never_came_up_is_tried_again(
    socket_folder: Path, watched: Callable[[SignalClient], SignalWatch]
) -> None:
    """Another program held the pins at the start of the app; nobody has to touch Retry."""
    client = SignalClient(Wanted("mock", speaker="none", linger_s=PATIENCE_S), socket_folder)
    assert client.state().connection is Connection.ABSENT
    watch = watched(client)
    look_until(watch, lambda: client.state().connection is Connection.LIVE)
    client.close()


def test_a_library_that_is_missing_is_tried_once(
    socket_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    watched: Callable[[SignalClient], SignalWatch],
) -> None:
    """No process is started every half minute for a library that nobody installs meanwhile."""
    (tmp_path / "lgpio.py").touch()  # the empty release
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    watch = watched(SignalClient(Wanted("lgpio", speaker="none"), socket_folder))
    tried = 0
    for now in range(0, 300, 10):
        before = watch._trying
        watch.look(float(now))
        watch.close()
        tried += watch._trying is not before
    assert tried == 1


def test_a_dead_process_serves_nothing(client: SignalClient, socket_folder: Path) -> None:
    """The lock file names a number for ever; only a held lock makes it a living one."""
    folder = SignalFolder(socket_folder)
    assert folder.served_by() == client.state().pid
    client.end_process()
    wait_until(lambda: folder.served_by() is None)
    assert SignalFolder(socket_folder / "none").served_by() is None
