"""wiring.md and README.md say what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.panel.panel import PATTERNS, Sound
from hardware.panel.pins import HEADER_PINS, PARTS, PINS
from hardware.signals.client import SignalClient
from hardware.signals.folder import SignalFolder, default_folder
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"

HEADER = {
    2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 10: 19, 9: 21, 11: 23, 5: 29, 6: 31, 13: 33, 19: 35,
    26: 37, 14: 8, 15: 10, 18: 12, 23: 16, 24: 18, 25: 22, 8: 24, 7: 26, 12: 32, 16: 36, 20: 38,
    21: 40,
}  # fmt: skip
"""Broadcom number to header pin, from the board's own documentation."""

ROW = re.compile(r"\| [^|]+ \| `(?P<name>\w+)` \| (?P<gpio>\d+) \| (?P<pin>\d+) \|")


def test_the_pin_table_is_the_codes() -> None:
    """Whoever solders by the table gets what the software drives, none missing or doubled."""
    rows = list(ROW.finditer((HARDWARE / "wiring.md").read_text("utf-8")))
    assert [(row["name"], int(row["gpio"])) for row in rows] == [
        (part, getattr(PINS, part)) for part in PARTS
    ]
    assert [HEADER[int(row["gpio"])] for row in rows] == [int(row["pin"]) for row in rows]


def test_the_header_is_the_boards() -> None:
    """What the app's Settings say of a pin's place is what the board's documentation says."""
    assert {gpio: pin for gpio, pin in HEADER_PINS.items() if gpio > 1} == HEADER


def test_the_boards_own_buses_are_left_free() -> None:
    """Serial, I2C and SPI are wanted by other parts; the table promises them."""
    assert not {14, 15, 2, 3, 7, 8, 9, 10, 11} & {getattr(PINS, part) for part in PARTS}


def test_every_sound_is_in_the_readme() -> None:
    page = (HARDWARE / "README.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [str(sound) for sound in Sound]
    assert f"one, {PATTERNS[Sound.LOCK][0].length_s:g} s" in page
    assert f"one, {PATTERNS[Sound.CUE][0].length_s:g} s" in page


def recipe() -> str:
    """The python lines of README.md."""
    page = (HARDWARE / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return str(block)


@pytest.fixture
def served_by_default() -> Iterator[SignalFolder]:
    """The user's own folder (the tests' user's), its process ended afterwards."""
    yield SignalFolder(default_folder())
    with SignalClient(Wanted("mock", speaker="none")) as client:
        client.stop()
        client.end_process()


def test_the_recipe_of_the_readme_runs(served_by_default: SignalFolder) -> None:
    """A whole round as the app uses it, copied from the page into a program of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{recipe()}\nprint(repr(zero))"],
        capture_output=True,
        text=True,
        cwd=HARDWARE.parent,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("pins: mock, real time: ")
    assert "SignalKind.ARMED" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("SignalEvent(kind=<SignalKind.ZERO")
    assert served_by_default.journal.exists()


def test_the_recipe_is_short() -> None:
    """Fifteen lines or so: more would not be read."""
    assert len([line for line in recipe().splitlines() if line.strip()]) <= 17


DRAWN = re.compile(r"(?:(?P<left>\w+) +─+ +)?GPIO (?P<gpio_left>\d+) │ +(?P<pin_left>\d+) ")
DRAWN_RIGHT = re.compile(r"(?P<pin>\d+) │ GPIO (?P<gpio>\d+)(?: ─+ (?P<name>\w+))?")


def test_the_drawing_is_the_codes() -> None:
    """The header as drawn: every GPIO at its pin, every part at the GPIO the code drives."""
    page = (HARDWARE / "wiring.md").read_text("utf-8")
    left = [(m["left"], int(m["gpio_left"]), int(m["pin_left"])) for m in DRAWN.finditer(page)]
    right = [(m["name"], int(m["gpio"]), int(m["pin"])) for m in DRAWN_RIGHT.finditer(page)]
    drawn = [*left, *right]
    assert {gpio: pin for _, gpio, pin in drawn if gpio > 1} == HEADER
    assert {name: gpio for name, gpio, _ in drawn if name} == {
        part: getattr(PINS, part) for part in PARTS
    }
