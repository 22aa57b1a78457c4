"""A short-named folder for sockets, and signal processes that never outlive their test."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.signals.client import SignalClient
from hardware.signals.folder import AlreadyServed, SignalFolder
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S

NewClient = Callable[..., SignalClient]


@pytest.fixture
def socket_folder() -> Iterator[Path]:
    """A folder whose path is short enough for a socket; its signal process is ended after."""
    path = Path(tempfile.mkdtemp(prefix="sig-"))
    yield path
    end_server(SignalFolder(path))
    shutil.rmtree(path, ignore_errors=True)


def end_server(folder: SignalFolder) -> None:
    """Kill the process that serves a folder; only a living one holds the lock."""
    try:
        os.close(folder.claim())
    except AlreadyServed:
        pid = int(folder.lock.read_text("ascii"))
        if pid != os.getpid():  # a test may serve by itself
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def new_client(socket_folder: Path) -> Iterator[NewClient]:
    """Makes clients of one mock panel; each is closed at the test's end."""
    made: list[SignalClient] = []

    def make(pins: str = "mock", linger_s: float = PATIENCE_S) -> SignalClient:
        made.append(SignalClient(Wanted(pins, speaker="none", linger_s=linger_s), socket_folder))
        return made[-1]

    yield make
    for client in made:
        client.close()
