"""Watches the window of whatever Kivy app runs in a process, and touches it.

`test_screen_beside_blank.py` copies this file as `sitecustomize.py` beside the app that it starts,
so the command itself is measured and not a copy of what it does. Python imports it before the app.
It imports nothing of the project and, before the app does, nothing of Kivy. Lines of JSON go to the
file `WINDOW_WATCH`: the first frame with anything on it, the first screen of the app, then an
answer to each line of standard input. `run_blank` is a Kivy app without anything of its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
import time
from collections import deque
from typing import Any

DOWN_S = 0.06
PATIENCE_S = 2.0
WINDOW = "kivy.core.window.window_sdl2"


class WindowWatch:
    """The frames of one window, and a finger on it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.flips = 0
        self.screen = ""
        self.frames_ms: list[float] = []
        self.work_ms: list[float] = []
        self.inputs: deque[tuple[str, Any]] = deque()
        self.flipped = threading.Condition()
        self.frame_began = self.work_began = 0.0
        self.dispatched = 0.0
        self.flipped_at_cpu = 0.0

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Kivy's window as Python finds it, with its flips watched from the first on."""
        if name != WINDOW:
            return None
        sys.meta_path.remove(self)
        spec: Any = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def load_watched(module: Any) -> None:
            load(module)
            self.watch(module.WindowSDL)

        spec.loader.exec_module = load_watched
        return spec

    def watch(self, window: Any) -> None:
        """Count each flip that shows something, and the time since Kivy's clock woke up for it."""
        from kivy.clock import Clock

        flip, clock = window.flip, object.__getattribute__(Clock, "_obj")  # behind Kivy's proxy
        idle = clock.idle

        def flip_watched(shown: Any) -> None:
            flip(shown)
            if shown.children:
                self.after_flip()

        def idle_watched() -> Any:
            now = idle()
            self.frame_began, self.work_began = time.monotonic(), time.thread_time()
            return now

        window.flip, clock.idle = flip_watched, idle_watched

    def after_flip(self) -> None:
        """A frame is on the screen."""
        with self.flipped:
            self.flips += 1
            self.frames_ms.append(1000 * (time.monotonic() - self.frame_began))
            self.flipped_at_cpu = time.thread_time()
            self.work_ms.append(1000 * (self.flipped_at_cpu - self.work_began))
            self.flipped.notify_all()
        if self.flips == 1:
            self.tell({"first_frame_at": time.monotonic(), "cpu_s": time.process_time()})
        if not self.screen and self.first_screen():
            self.screen = self.first_screen()
            line = {"screen": self.screen, "at": time.monotonic(), "cpu_s": time.process_time()}
            self.tell(line)
            threading.Thread(target=self.listen, daemon=True).start()

    def first_screen(self) -> str:
        """The name of the app's screen, once there is one; a blank app has none."""
        from kivy.app import App

        return getattr(getattr(App.get_running_app(), "sheet", None), "screen", "")

    def tell(self, line: dict[str, Any]) -> None:
        """One line to whoever measures."""
        with open(self.path, "a", encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not loaded
            file.write(json.dumps(line) + "\n")

    # --- what is asked for, on a thread of its own ---

    def listen(self) -> None:
        """Answer each line of standard input."""
        from kivy.base import EventLoop

        EventLoop.add_input_provider(self)
        for line in sys.stdin:
            verb, _, words = line.strip().partition(" ")
            self.tell({"tap": self.tap, "frames": self.frames, "keys": self.keys}[verb](words))

    def start(self) -> None:
        """Kivy starts each provider of touches."""

    def stop(self) -> None:
        """Kivy stops each provider of touches."""

    def update(self, dispatch_fn: Any) -> None:
        """Kivy asks for touches once in each turn of its loop, on its own thread."""
        while self.inputs:
            self.dispatched = time.thread_time()
            dispatch_fn(*self.inputs.popleft())

    @property
    def sheet(self) -> Any:
        """The app's one widget."""
        from kivy.app import App

        app: Any = App.get_running_app()
        return app.sheet

    def keys(self, _words: str) -> dict[str, Any]:
        """The screen's name and the words on its keys."""
        shown = self.sheet
        parts = shown.parts
        words = [text.text for name, text in shown.written() if parts[name].action is not None]
        return {"screen": shown.screen, "keys": words}

    def frames(self, _words: str) -> dict[str, Any]:
        """How long each frame took since somebody asked last, and its thread's own work, ms."""
        with self.flipped:
            taken, self.frames_ms = self.frames_ms, []
            work, self.work_ms = self.work_ms, []
        return {"screen": self.sheet.screen, "frames_ms": taken, "work_ms": work}

    def tap(self, words: str) -> dict[str, Any]:
        """Tap a key by its words: ms until it is inverted, and until another screen stands."""
        from kivy.input.providers.mouse import MouseMotionEvent

        sheet, screen = self.sheet, self.sheet.screen
        part = next(
            (
                sheet.parts[name]
                for name, text in reversed(sheet.written())
                if text.text == words and sheet.parts[name].action is not None
            ),
            None,
        )
        if part is None:
            return {"screen": screen, "missing": words}
        x, y = part.box.centre
        theme = sheet.theme
        place = [x / theme.wide_u, 1 - y / theme.high_u, "left"]
        finger = MouseMotionEvent("mouse", id(place), place, is_touch=True, type_id="touch")
        inverted = self.until(lambda: finger.uid in sheet._fingers, ("begin", finger))
        invert_work = self.work()
        time.sleep(DOWN_S)
        shown = self.until(lambda: sheet.screen != screen, ("end", finger))
        return {
            "screen": sheet.screen,
            "inverted_ms": inverted,
            "inverted_work_ms": invert_work,
            "shown_ms": shown,
            "shown_work_ms": self.work(),
        }

    def work(self) -> float:
        """Processor time of the app's own thread from the last touch to the frame of it, ms."""
        return 1000 * (self.flipped_at_cpu - self.dispatched)

    def until(self, seen: Any, event: tuple[str, Any]) -> float | None:
        """Milliseconds from this event to the flip that shows it; None where none does."""
        began, flips = time.monotonic(), self.flips
        self.inputs.append(event)
        with self.flipped:
            came = self.flipped.wait_for(lambda: self.flips > flips and seen(), PATIENCE_S)
        return 1000 * (time.monotonic() - began) if came else None


def run_blank() -> None:
    """A Kivy app as it comes: a window with an empty widget."""
    from kivy.app import App
    from kivy.uix.widget import Widget

    app = App()
    app.root = Widget()
    app.run()


if os.environ.get("WINDOW_WATCH"):
    sys.meta_path.insert(0, WindowWatch(os.environ["WINDOW_WATCH"]))
