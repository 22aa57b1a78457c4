"""The app as systemd's service: ready once its window is open, alive for as long as it ticks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from tests.patience import PATIENCE_S
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.window.appliance import Service, of_this_process
from ui.window.operator import Operator

TOP = Path(__file__).parents[3]


class Systemd:
    """The end of the socket at which systemd waits."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._plug = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._plug.bind(self.address)
        self._plug.settimeout(0.0)

    def heard(self) -> list[str]:
        """What was said since the last call, one entry a message."""
        said: list[str] = []
        while True:
            try:
                said.append(self._plug.recv(4096).decode())
            except BlockingIOError:
                return said

    def close(self) -> None:
        self._plug.close()


@pytest.fixture
def systemd() -> Iterator[Systemd]:
    with tempfile.TemporaryDirectory(prefix="sd-") as folder:
        systemd = Systemd(Path(folder))
        yield systemd
        systemd.close()


def test_it_beats_twice_in_the_time_that_systemd_waits(systemd: Systemd) -> None:
    """20 s of patience, a word every 10; between them nothing is said."""
    service = Service({"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "20000000"})
    beats: list[float] = []
    for tick in range(1000):
        now = 100.0 + 0.05 * tick
        service.beat(now)
        beats += [now for message in systemd.heard() if message == "WATCHDOG=1"]
    assert beats == pytest.approx([100.0, 110.0, 120.0, 130.0, 140.0], abs=0.06)


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"WATCHDOG_USEC": "1000"},
        {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": "20000000"},
        {"NOTIFY_SOCKET": "@nobody-listens", "WATCHDOG_USEC": "soon"},
        {"NOTIFY_SOCKET": "x" * 400, "WATCHDOG_USEC": "20000000"},
    ],
)
def test_without_systemd_nothing_is_said_and_nothing_fails(environ: dict[str, str]) -> None:
    service = Service(environ)
    service.ready("on a desk")
    service.beat(1.0)
    service.stopping()


def test_the_beats_of_another_process_are_not_ours(systemd: Systemd) -> None:
    """A program that the service starts inherits its variables; it must not beat for it."""
    service = Service(
        {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}
    )
    service.beat(1.0)
    assert systemd.heard() == []


def test_what_the_app_starts_is_no_service(
    systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal process outlives the app, and may not speak for it."""
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.address)
    monkeypatch.setenv("WATCHDOG_USEC", "1000")
    assert of_this_process().is_awaited
    assert "NOTIFY_SOCKET" not in os.environ
    assert "WATCHDOG_USEC" not in os.environ


def test_the_app_is_ready_alive_and_stopping(systemd: Systemd, window: Any, tmp_path: Path) -> None:
    """From the open window to the end: READY, a beat with its ticks, STOPPING."""
    from kivy.clock import Clock

    from ui.window.app import CompanionApp

    settings = SettingsFile(tmp_path / "settings.toml", Settings(pins="none"))
    table = Table(Record.open(tmp_path / "m.sqlite"), settings, signals=DeskPanel())
    service = Service({"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "400000000"})
    app: Any = CompanionApp(Operator(table), service)
    assert systemd.heard() == []
    sheet = app.build()
    Clock.unschedule(app.tick)
    assert systemd.heard() == ["READY=1\nSTATUS="]
    app.tick(0.05)
    service._beat_at -= 250.0  # the time has passed
    app.tick(0.05)
    app.tick(0.05)
    assert systemd.heard() == ["WATCHDOG=1", "WATCHDOG=1"]
    app.on_stop()
    assert systemd.heard() == ["STOPPING=1"]
    assert sheet is not None


def test_a_service_without_a_screen_says_so_and_ends(systemd: Systemd, tmp_path: Path) -> None:
    """No demonstration plays to nobody for ever: systemd tells why, and starts it again."""
    gone = ("DISPLAY", "WAYLAND_DISPLAY")
    environ = {name: value for name, value in os.environ.items() if name not in gone}
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--record", str(tmp_path / "m.sqlite")],
        cwd=TOP,
        env={**environ, "NOTIFY_SOCKET": systemd.address, "CI": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert systemd.heard() == ["STATUS=No screen was found"]
    assert done.stdout == ""
