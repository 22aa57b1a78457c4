"""The appliance's window: the whole screen, turned as it is mounted, no pointer."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any

import numpy as np
import pytest

from tests.patience import PATIENCE_S

NAMES = ("fullscreen", "show_cursor", "rotation", "borderless", "position", "width", "height")
TOP = Path(__file__).parents[3]
WIDE, HIGH = 1280, 720


@pytest.fixture
def graphics(window: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Kivy's own settings, set back afterwards: the process's window is open already."""
    from kivy.config import Config

    before = {name: Config.get("graphics", name) for name in NAMES}
    monkeypatch.delenv("COMPANION_KIOSK", raising=False)
    yield lambda: tuple(Config.get("graphics", name) for name in NAMES)
    for name, value in before.items():
        Config.set("graphics", name, value)


def test_on_a_desk_it_is_a_window(graphics: Any) -> None:
    from ui.window.opening import configure

    configure()
    assert graphics() == ("0", "1", "0", "0", "auto", "800", "480")


def test_as_an_appliance_it_has_the_whole_screen(
    graphics: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a desktop too, where the session's service says so."""
    from ui.window.opening import configure

    monkeypatch.setenv("COMPANION_KIOSK", "1")
    monkeypatch.setenv("SDL_VIDEODRIVER", "wayland,x11")
    configure(rotation=270)
    assert graphics() == ("auto", "0", "270", "0", "auto", "800", "480")


# An X screen without a desktop.

WINDOW = """
import json, sys
from ui.window.opening import FirstLook, Opening
window = Opening(FirstLook()).window
from kivy.base import runTouchApp, stopTouchApp
from kivy.clock import Clock
from kivy.uix.widget import Widget
def say(**told):
    print(json.dumps(told), flush=True)
class Page(Widget):
    def on_touch_down(self, touch):
        say(touched=[touch.x, touch.y])
        stopTouchApp()
Clock.schedule_once(lambda _dt: say(size=list(window.size)), 0.5)
Clock.schedule_once(lambda _dt: stopTouchApp(), float(sys.argv[1]))
runTouchApp(Page())
say(touched=None)
"""


class BareX:
    """An X server on which nothing else runs; its picture lies in a file."""

    def __init__(self, folder: Path) -> None:
        told, tells = os.pipe()
        size = f"{WIDE}x{HIGH}x24"
        server = ["Xvfb", "-displayfd", str(tells), "-screen", "0", size, "-fbdir", str(folder)]
        self.process = subprocess.Popen(server, pass_fds=[tells], stderr=subprocess.DEVNULL)
        os.close(tells)
        with os.fdopen(told, encoding="ascii") as number:
            self.name = f":{number.readline().strip()}"
        self._file = folder / "Xvfb_screen0"

    def dark(self) -> float:
        """Which share of its pixels nobody has drawn on."""
        read = self._file.read_bytes()
        header = struct.unpack(">25I", read[:100])
        begin = header[0] + header[19] * 12
        pixels = np.frombuffer(read, np.uint8, count=header[12] * HIGH, offset=begin)
        return float((pixels.reshape(HIGH, -1, 4)[:, :WIDE, :3].sum(axis=2) == 0).mean())


@pytest.fixture
def bare_x(tmp_path: Path) -> Iterator[BareX]:
    if shutil.which("Xvfb") is None:
        pytest.skip("no Xvfb here")
    server = BareX(tmp_path)
    yield server
    server.process.terminate()
    server.process.wait(PATIENCE_S)


def library(name: str) -> Any:
    """One of X's libraries; skips where it is not installed."""
    with suppress(OSError):
        return ctypes.CDLL(name)
    return pytest.skip(f"{name} is not here")


def opened(server: BareX) -> ctypes.c_void_p:
    """A connection to it."""
    x11 = library("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return ctypes.c_void_p(x11.XOpenDisplay(server.name.encode()))


def test_without_a_window_manager_it_fills_the_screen_all_the_same(bare_x: BareX) -> None:
    """Nobody enlarges a window there; and it is touched where it is seen, in its last corner."""
    xtst, x11, client = library("libXtst.so.6"), library("libX11.so.6"), opened(bare_x)
    environ = {
        **os.environ,
        "DISPLAY": bare_x.name,
        "COMPANION_KIOSK": "1",
        "KIVY_NO_CONSOLELOG": "1",
        "PYTHONPATH": str(TOP),
    }
    for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
        environ.pop(name, None)
    command = [sys.executable, "-c", WINDOW, str(PATIENCE_S)]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as app:
        try:
            assert app.stdout is not None
            assert json.loads(app.stdout.readline()) == {"size": [WIDE, HIGH]}
            assert bare_x.dark() == 0.0
            for _ in range(40):  # Kivy may not listen yet when its first frames are drawn
                xtst.XTestFakeMotionEvent(client, 0, WIDE - 20, HIGH - 30, 0)
                for down in (1, 0):
                    xtst.XTestFakeButtonEvent(client, 1, down, 0)
                    x11.XSync(client, 0)
                if select([app.stdout], [], [], 0.5)[0]:
                    break
            told = json.loads(app.stdout.readline())["touched"]
            assert told == pytest.approx([WIDE - 20, 30], abs=2)
        finally:
            app.kill()
    x11.XCloseDisplay(client)


def test_a_window_manager_is_found_and_left_to_make_windows_large(bare_x: BareX) -> None:
    """Whoever redirects the root's windows is one."""
    from ui.window.kivy_setup import unmanaged_px

    x11, client = library("libX11.so.6"), opened(bare_x)
    assert unmanaged_px(bare_x.name) == (WIDE, HIGH)
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(x11.XDefaultRootWindow(client))
    for wanted, found in ((1 << 20, None), (0, (WIDE, HIGH))):
        x11.XSelectInput(client, root, ctypes.c_long(wanted))
        x11.XSync(client, 0)
        assert unmanaged_px(bare_x.name) == found
    x11.XCloseDisplay(client)
    assert unmanaged_px(":987") is None
