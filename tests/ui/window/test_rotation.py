"""A screen that is mounted turned: picture and touches turn together, to all four corners.

Kivy has one window in a process, so each rotation is tried in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

TOP = Path(__file__).parents[3]

TOUCHES = """
import json, sys
from ui.window.opening import configure
turned = int(sys.argv[1])
panel = (480, 800) if turned in (90, 270) else (800, 480)
configure(panel, turned)
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.input.providers.mouse import MouseMotionEvent
from kivy.uix.widget import Widget
EventLoop.ensure_window()
corners = []
class Page(Widget):
    def on_touch_down(self, touch):
        corners.append([round(touch.x / Window.width), round(touch.y / Window.height)])
        return True
Window.add_widget(Page(size=Window.size))
for number, (x, y) in enumerate(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))):
    finger = MouseMotionEvent("mouse", number, [x, y, "left"], is_touch=True, type_id="touch")
    EventLoop.post_dispatch_input("begin", finger)
    EventLoop.post_dispatch_input("end", finger)
print(json.dumps({"size": list(Window.size), "corners": corners}))
"""

LOWER_LEFT, LOWER_RIGHT, UPPER_RIGHT, UPPER_LEFT = [0, 0], [1, 0], [1, 1], [0, 1]


@pytest.mark.parametrize(
    ("turned", "corners"),
    [
        pytest.param(0, [LOWER_LEFT, LOWER_RIGHT, UPPER_RIGHT, UPPER_LEFT], marks=pytest.mark.soak),
        (90, [UPPER_LEFT, LOWER_LEFT, LOWER_RIGHT, UPPER_RIGHT]),
        pytest.param(
            180, [UPPER_RIGHT, UPPER_LEFT, LOWER_LEFT, LOWER_RIGHT], marks=pytest.mark.soak
        ),
        (270, [LOWER_RIGHT, UPPER_RIGHT, UPPER_LEFT, LOWER_LEFT]),
    ],
)
def test_a_touch_at_each_corner_of_the_panel_meets_the_page_there(
    turned: int, corners: list[list[int]]
) -> None:
    """Fingers on a panel's own corners, counter-clockwise from its lower left."""
    environ = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", TOUCHES, str(turned)],
        cwd=TOP,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {"size": [800, 480], "corners": corners}
