"""Headless Chromium on a pipe: opens pages, presses keys, asks, takes pictures. No network."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.patience import PATIENCE_S

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ABSENT = "chromium is not installed: `apt install chromium`, or `make services`"
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--hide-scrollbars", "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)  # fmt: skip
NOWHERE = "--proxy-server=127.0.0.1:9"
"""Whatever a page would fetch from a server fails; files do not go that way."""


class Browser:
    """One tab. Every wait ends: a browser that does not answer in 60 s is an error."""

    def __init__(self, folder: Path, *, online: bool = False) -> None:
        assert CHROMIUM, ABSENT
        self.loaded: list[str] = []
        self.said: list[str] = []
        self._number = 0
        self._rest = b""
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = [*_FLAGS, f"--user-data-dir={folder}", *(() if online else (NOWHERE,))]
        line = 'exec "$0" "$@" 3<&{} 4>&{}'.format(theirs_in, theirs_out)  # noqa: UP032 - braces
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", line, CHROMIUM, *flags, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = ""
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Network", "Runtime"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, AssertionError):
            self._session = ""
            self._call("Browser.close")
        self._process.wait(PATIENCE_S)
        os.close(self._out)
        os.close(self._in)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        said: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", ""):
            said["sessionId"] = self._session
        os.write(self._out, json.dumps(said).encode() + b"\0")
        while True:
            heard = self._next()
            if heard.get("id") == self._number:
                assert "error" not in heard, (method, heard["error"])
                result: dict[str, Any] = heard["result"]
                return result
            self._note(heard)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.loaded.append(event["params"]["request"]["url"])
        if event.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.said.append(json.dumps(event["params"])[:500])

    def _next(self) -> dict[str, Any]:
        import select

        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], 60)
            assert ready, "the browser does not answer"
            read = os.read(self._in, 1 << 20)
            assert read, "the browser is gone"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(message)
        return heard

    # -- what tests ask of it --------------------------------------------------------------

    def open(self, url: str, size: tuple[int, int] = (1280, 800), *, night: bool = False) -> None:
        """Open a page in a window of that size, and wait until it is there."""
        self.resize(size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if night else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def resize(self, size: tuple[int, int]) -> None:
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 600,
        )  # fmt: skip

    def ask(self, script: str) -> Any:
        """What an expression comes to there."""
        said = self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def wait(self, script: str, seconds: float = PATIENCE_S) -> None:
        """Until an expression is true."""
        import time

        end = time.monotonic() + seconds
        while not self.ask(script):
            assert time.monotonic() < end, f"never: {script}"
            time.sleep(0.02)

    def press(self, key: str, *, shift: bool = False) -> None:
        """A key goes down and up, as "ArrowRight"."""
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}
        for kind in ("keyDown", "keyUp"):
            self._call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key,
                windowsVirtualKeyCode=codes.get(key, 0), modifiers=8 if shift else 0,
            )  # fmt: skip

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def touch(self, x: float, y: float) -> None:
        points: list[dict[str, float]] = [{"x": x, "y": y}]
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self, path: Path) -> Path:
        """What the window shows, as PNG."""
        data = self._call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
        return path

    def printed(self, path: Path) -> Path:
        """The page on paper, as PDF."""
        data = self._call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        path.write_bytes(base64.b64decode(data))
        return path
