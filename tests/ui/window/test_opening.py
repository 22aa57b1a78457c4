"""The first frame: what it looks like, and that nothing is loaded first that it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ui.scene.theme import Light
from ui.window.opening import FirstLook

TOP = Path(__file__).parents[3]

HEAVY = (
    "cv2", "numpy", "sqlalchemy", "pydantic", "nacl", "reportlab", "typer", "tomlkit",
    "companion.match", "companion.record", "hardware", "vision", "ui.screens", "ui.demo",
)  # fmt: skip
"""Libraries and rooms of ours that take longer to load than the window takes to open."""

FIRST_FRAME = """
import json, os, sys
from ui.terminal import app
from ui.window import appliance, opening

class FirstFrameOnly(opening.Opening):
    def __init__(self, look):
        super().__init__(look)
        print(json.dumps([sorted(sys.modules), len(self.page.canvas.children)]), flush=True)
        os._exit(0)

opening.Opening = FirstFrameOnly
appliance.missing_screen = lambda: ""
app.run([])
"""


@pytest.mark.parametrize(
    "said",
    [
        "rotation = 45",
        "rotation = true",
        'rotation = "90"',
        "rotation = [90]",
        'theme = "dusk"',
        "theme = 1",
        "theme = ",
        "\x00",
    ],
)
def test_what_is_no_such_setting_is_the_usual_look(tmp_path: Path, said: str) -> None:
    """A file that the settings will refuse does not keep the window from opening."""
    path = tmp_path / "settings.toml"
    path.write_text(said, "utf-8")
    assert FirstLook.of(path) == FirstLook(Light.DAY, 0)


def test_a_file_that_cannot_be_read_is_the_usual_look(tmp_path: Path) -> None:
    """None, a folder, bytes that are no text."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "none.toml", tmp_path, tmp_path / "bytes.toml"):
        assert FirstLook.of(path) == FirstLook(Light.DAY, 0)


def test_light_and_rotation_are_the_tables_own(tmp_path: Path) -> None:
    """No white flash in a dark room, and nothing upside down."""
    path = tmp_path / "settings.toml"
    path.write_text('theme = "night"\nrotation = 180\nvoice = 1\n', "utf-8")
    assert FirstLook.of(path) == FirstLook(Light.NIGHT, 180)


def test_the_first_frame_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    """`companion` up to its first frame: no rules, no record, no camera, no pictures."""
    environ = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    called = subprocess.run(
        [sys.executable, "-c", FIRST_FRAME], cwd=TOP, env=environ, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert called.stdout, called.stderr
    loaded, drawn = json.loads(called.stdout.splitlines()[-1])
    assert drawn
    early = [name for name in loaded if any(f"{name}.".startswith(f"{one}.") for one in HEAVY)]
    assert early == []
