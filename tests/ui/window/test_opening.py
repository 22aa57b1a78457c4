"""The first frame: what it looks like, and that nothing is loaded first that it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games import RULEBOOKS
from tests.patience import PATIENCE_S
from ui.scene.theme import Light
from ui.window.opening import FirstLook

TOP = Path(__file__).parents[3]

HEAVY = (
    "cv2", "numpy", "PIL", "sqlalchemy", "pydantic", "nacl", "reportlab", "typer", "tomlkit",
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
        from kivy.lang import Builder
        drawn, styles = len(self.page.canvas.children), list(Builder.files)
        print(json.dumps([sorted(sys.modules), drawn, styles]), flush=True)
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
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert called.stdout, called.stderr
    loaded, drawn, styles = json.loads(called.stdout.splitlines()[-1])
    assert drawn
    assert not any(styles), "Kivy's own style was read"
    early = [name for name in loaded if any(f"{name}.".startswith(f"{one}.") for one in HEAVY)]
    assert early == []


NO_RECORD = """
import gc, os, sys
from ui.terminal import app
from ui.window import appliance

def boxes():
    return sum(1 for name in sys.modules if name.endswith(".rules") and ".games." in name)

def ready(_service):
    from kivy.app import App
    from kivy.clock import Clock
    shown = App.get_running_app().trouble
    said = [shown.band.lines[0], shown.safe, boxes(), gc.isenabled()]

    def tell(_dt):
        if gc.isenabled():
            print(*said, boxes(), sep="|", flush=True)
            os._exit(0)

    Clock.schedule_interval(tell, 0.05)

appliance.missing_screen = lambda: ""
appliance.Service.ready = ready
app.run([])
"""
"""Tells what its first screen is and has loaded, and what is loaded once all has settled."""


def test_a_record_that_cannot_be_opened_leads_to_a_screen_that_says_so(tmp_path: Path) -> None:
    """The app starts with whatever it has, and keeps matches elsewhere.

    That first screen waits for the rules of no box but the usual one; all others come behind it.
    """
    folders = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    settings = tmp_path / "XDG_CONFIG_HOME" / "companion" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('pins = "none"\nloudspeaker = "never"\n', "utf-8")
    environ = {
        **os.environ, **folders, "SDL_VIDEODRIVER": "offscreen", "COMPANION_RECORD": str(tmp_path),
    }  # fmt: skip
    called = subprocess.run(
        [sys.executable, "-c", NO_RECORD], cwd=TOP, env=environ, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert called.stdout, called.stderr
    band, safe, first, collects, later = called.stdout.splitlines()[-1].split("|")
    assert (int(first), collects, int(later)) == (1, "False", len(RULEBOOKS))
    assert band == "THE RECORD CANNOT BE OPENED"
    assert str(tmp_path / "XDG_DATA_HOME" / "companion" / "meanwhile.sqlite") in safe
    assert f"{tmp_path} is a folder" in called.stderr
