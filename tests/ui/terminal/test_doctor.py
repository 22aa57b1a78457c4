"""`companion doctor`: faults that are really there are named, with the command that mends them.

Nothing of ours is replaced: folders, files, variables, programs and libraries are as they would be
on a machine that has the fault.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.core.text import without_secrets
from hardware.sensor_box.line import open_port
from hardware.sensor_box.simulated import SimulatedBox
from hardware.signals.client import SignalClient
from hardware.signals.folder import SignalFolder
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S
from ui.terminal import doctor_parts as doctor_devices
from ui.terminal.app import run

Lines = list[dict[str, Any]]


@dataclass
class Machine:
    """Folders of a machine of the test's own, and the ways to spoil it."""

    folder: Path
    patch: pytest.MonkeyPatch

    def variable(self, name: str, value: str | Path) -> None:
        self.patch.setenv(name, str(value))

    def settings(self, text: str) -> None:
        path = self.folder / "config" / "companion" / "settings.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def program(self, name: str, script: str) -> None:
        """A program of the system, found before any other of that name."""
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def library(self, path: str, text: str) -> None:
        """A library's file, found before any other of that name."""
        file = self.folder / "lib" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        importlib.invalidate_caches()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A machine without faults; its paths are short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="doc-"))
    machine = Machine(folder, monkeypatch)
    for name, place in {
        "XDG_CONFIG_HOME": "config",
        "XDG_DATA_HOME": "share",
        "XDG_STATE_HOME": "state",
        "XDG_RUNTIME_DIR": "run",
    }.items():
        (folder / place).mkdir(mode=0o700)
        machine.variable(name, folder / place)
    machine.variable("COMPANION_RECORD", folder / "share" / "matches.sqlite")
    machine.variable("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
    (folder / "lib").mkdir()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "GPIOZERO_PIN_FACTORY", "SUDO_USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(str(folder / "lib"))
    yield machine
    for name in ("lgpio", "gpiozero.pins.lgpio", "simplejpeg"):
        sys.modules.pop(name, None)
    shutil.rmtree(folder, ignore_errors=True)


def doctor(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Lines]:
    """The exit status and every line."""
    capsys.readouterr()
    status = run(["doctor", "--json", *more])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# -- the faults ------------------------------------------------------------------------------------


def broken_settings(machine: Machine) -> None:
    machine.settings('theme = "day"\nvolume = 300\n')


def gear_for_a_turn(machine: Machine) -> None:
    write_figures(
        machine, 'form = "gear"\neffects = [{ op = "modify", stat = "attack", amount = 1 }]'
    )


def card_that_does_nothing(machine: Machine) -> None:
    write_figures(machine, 'effects = [{ op = "miss" }]')


def torn_figures(machine: Machine) -> None:
    write_figures(machine, "form = ")


def write_figures(machine: Machine, words: str) -> None:
    text = f'[cards.CORE]\ntitle = "Core"\ntype = "EQUIP"\n{words}\n'
    folder = machine.folder / "config" / "companion"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures-starship-edition.toml").write_text(text)


def one_pin_for_two(machine: Machine) -> None:
    machine.settings("[panel]\nbuzzer = 22\n")


def foreign_pin_factory(machine: Machine) -> None:
    machine.variable("GPIOZERO_PIN_FACTORY", "pigpio")


def empty_lgpio(machine: Machine) -> None:
    machine.settings('pins = "lgpio"\n')
    machine.library("lgpio.py", "")


def old_numpy(machine: Machine) -> None:
    machine.library(
        "numpy-1.24.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 1.24.2\n"
    )


def unfit_simplejpeg(machine: Machine) -> None:
    why = "numpy.dtype size changed, may indicate binary incompatibility"
    machine.library("simplejpeg.py", f"raise ValueError({why!r})\n")


def dead_display(machine: Machine) -> None:
    machine.variable("DISPLAY", ":4711")


def no_camera(machine: Machine) -> None:
    machine.settings('camera = "/dev/v4l/by-id/usb-gone-video-index0"\n')


def no_table_file(machine: Machine) -> None:
    machine.settings('table_file = "/nowhere/table.toml"\n')


def damaged_record(machine: Machine) -> None:
    (machine.folder / "share" / "matches.sqlite").write_bytes(b"SQLite format 3\x00 and no more")


def folder_that_takes_nothing(machine: Machine) -> None:
    machine.variable("COMPANION_RECORD", "/proc/matches.sqlite")


def long_runtime_folder(machine: Machine) -> None:
    machine.variable("XDG_RUNTIME_DIR", machine.folder / ("x" * 100))


def missing_box(machine: Machine) -> None:
    machine.settings('sounds_from = "box"\nbox = "E6614103E7"\n')


def voice_without_loudspeaker(machine: Machine) -> None:
    machine.program("espeak-ng", "true")
    machine.settings('voice = 50\nloudspeaker = "never"\n')


def espeak_that_fails(machine: Machine) -> None:
    machine.settings("voice = 50\n")
    machine.program("aplay", "true")
    machine.program("espeak-ng", "exit 7")


def no_sound_card(machine: Machine) -> None:
    machine.settings('pins = "mock"\n')
    machine.program("aplay", "echo 'no soundcards found...' >&2; exit 1")


def muted_card(machine: Machine) -> None:
    machine.settings('pins = "mock"\n')
    machine.program("aplay", "echo card 0")
    machine.program(
        "amixer",
        "echo \"Simple mixer control 'PCM',0\"; echo '  Mono: Playback 70 [70%] [-9dB] [off]'",
    )


def drifting_clock(machine: Machine) -> None:
    machine.program("timedatectl", "echo no")


def weak_power(machine: Machine) -> None:
    machine.program("vcgencmd", "case $1 in get_throttled) echo throttled=0x50005;; esac")


def hot_processor(machine: Machine) -> None:
    machine.program("vcgencmd", 'case $1 in measure_temp) echo "temp=84.2\'C";; esac')


Fault = tuple[Callable[[Machine], None], str, str, tuple[str, ...], str]

FAULTS: tuple[Fault, ...] = (
    (broken_settings, "settings", "red", ("line 2: volume: 300", "0 to 100"), "mv "),
    (one_pin_for_two, "settings", "red", ("line 2: panel.buzzer", "button_referee"), "mv "),
    (foreign_pin_factory, "pins", "warn", ("GPIOZERO_PIN_FACTORY=pigpio",), "unset GPIOZERO"),
    (empty_lgpio, "libraries", "red", ("lgpio", "no bytes"), "apt install python3-lgpio"),
    (empty_lgpio, "pins", "red", ("empty release",), "sudo apt install python3-lgpio"),
    (
        old_numpy,
        "versions",
        "red",
        ("opencv-python wants numpy", "1.24.2"),
        "pip install 'numpy",
    ),
    (unfit_simplejpeg, "libraries", "red", ("numpy.dtype size changed",), "'simplejpeg>=1.9'"),
    (dead_display, "screen", "warn", ("DISPLAY=:4711",), "unset DISPLAY"),
    (no_camera, "camera", "red", ("usb-gone-video-index0 is not there",), "Settings, Camera"),
    (no_table_file, "table", "red", ("/nowhere/table.toml",), "companion calibrate"),
    (damaged_record, "record", "red", ("is damaged",), "companion matches"),
    (folder_that_takes_nothing, "disk", "red", ("/proc takes no file",), "companion --record"),
    (
        long_runtime_folder,
        "signals",
        "red",
        ("at most 107", "XDG_RUNTIME_DIR"),
        "export XDG_RUNTIME",
    ),
    (missing_box, "box", "red", ("serial number E6614103E7",), "Sounds come from: Pins"),
    (gear_for_a_turn, "figures", "warn", ("Core (CORE) is equipped", "lasts the turn"), "edit "),
    (
        card_that_does_nothing,
        "figures",
        "red",
        ("CORE is left out", "cards.CORE.effects.0.op"),
        "put it right in",
    ),
    (torn_figures, "figures", "red", ("figures-starship-edition.toml cannot be used",), "put it "),
    (
        voice_without_loudspeaker,
        "voice",
        "warn",
        ("the loudspeaker is switched off",),
        "Settings, Voice",
    ),
    (espeak_that_fails, "voice", "warn", ("espeak-ng fails", "status 7"), "apt install espeak-ng"),
    (no_sound_card, "loudspeaker", "warn", ("finds no sound card",), "aplay -l"),
    (muted_card, "loudspeaker", "warn", ("muted: PCM",), "amixer sset 'PCM' 70% unmute"),
    (drifting_clock, "clock", "warn", ("kept by nobody",), "sudo timedatectl set-ntp true"),
    (weak_power, "power", "red", ("too weak", "throttled", "0x50005"), "vcgencmd get_throttled"),
    (hot_processor, "temperature", "red", ("84 °C",), "vcgencmd measure_temp"),
)


@pytest.mark.parametrize(
    ("spoil", "part", "state", "words", "mend"),
    FAULTS,
    ids=[f"{fault[0].__name__}-{fault[1]}" for fault in FAULTS],
)
def test_a_fault_is_named_with_its_mend(
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Machine], None],
    part: str,
    state: str,
    words: tuple[str, ...],
    mend: str,
) -> None:
    """The part, what is wrong with it in words, and a command; exit 1 where it is red."""
    spoil(machine)
    status, lines = doctor(capsys)
    (found,) = named(lines, part, words)
    assert found["state"] == state
    assert mend in found["mend"]
    assert status == (1 if state == "red" else 0)


def test_a_machine_without_these_faults_is_told_of_none(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line is true: what is not wrong is not named, and nothing is red."""
    status, lines = doctor(capsys)
    assert status == 0, [line for line in lines if line["state"] == "red"]
    for _, part, _, words, _ in FAULTS:
        assert not named(lines, part, words)


def named(lines: Lines, part: str, words: tuple[str, ...]) -> Lines:
    """The lines about a part that say these words."""
    return [
        line
        for line in lines
        if line["part"] == part and all(word in line["text"] for word in words)
    ]


def test_a_signal_process_that_hangs_is_named_by_its_number(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped, it holds the pins and answers nobody: doctor says which process to end."""
    with SignalClient(Wanted("mock", speaker="none", linger_s=1.0)) as client:
        client.connect()
        pid = client.state().pid
        _, lines = doctor(capsys)
        (served,) = [line for line in lines if line["part"] == "signals"]
        assert served["text"] == f"signal process {pid} serves mock pins"
        machine.patch.setattr("hardware.signals.link.REPLY_MAX_S", 0.3)
        os.kill(pid, signal.SIGSTOP)
        try:
            status, lines = doctor(capsys)
        finally:
            os.kill(pid, signal.SIGKILL)
    (found,) = [line for line in lines if line["part"] == "signals"]
    assert (status, found["state"]) == (1, "red")
    assert f"signal process {pid} does not answer" in found["text"]
    assert found["mend"].startswith(f"kill -9 {pid}")


def test_a_jammed_button_is_named(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """The process that watches the pins tells which, and doctor says what to look at."""
    hello = {
        "protocol": 2, "pid": 77, "boot": "b", "pins": "mock", "plan": {}, "real_time": False,
        "in_memory": False, "note": "refused", "seq": 0,
    }  # fmt: skip
    told = {"hello": hello, "state": {"faults": {"challenge-1": "stuck"}, "trouble": None}}
    folder = SignalFolder()
    lock = folder.claim()
    with folder.listen() as listener:
        listener.settimeout(PATIENCE_S)
        plug = answering(listener, json.dumps(told).encode() + b"\n")
        _, lines = doctor(capsys)
        plug()
    os.close(lock)
    (found,) = [line for line in lines if line["part"] == "buttons"]
    assert "the button challenge-1 is stuck" in found["text"]


def answering(listener: socket.socket, greeting: bytes) -> Callable[[], None]:
    """Greet the first who knocks, on a thread of its own."""

    def greet() -> None:
        plug, _ = listener.accept()
        with plug:
            plug.sendall(greeting)
            plug.recv(4096)

    greeting_thread = threading.Thread(target=greet)
    greeting_thread.start()
    return greeting_thread.join


def line_of_box(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    _, lines = doctor(capsys)
    (found,) = [line for line in lines if line["part"] == "box"]
    return found


@pytest.mark.usefixtures("pseudo_terminals")
def test_a_box_is_told_by_its_board_and_program(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plugged in and answering; while another program holds it, that is what is said."""
    link = machine.folder / "box"
    machine.settings(f'box = "{link}"\n')
    with SimulatedBox(link):
        found = line_of_box(capsys)
        assert found["state"] == "ok"
        assert "SIMULATED" in found["text"]
        port = open_port(str(link))
        busy = line_of_box(capsys)
        port.close()
    assert busy["state"] == "warn"
    assert "is busy by another program" in busy["text"]


@pytest.mark.usefixtures("pseudo_terminals")
def test_a_port_that_says_nothing_wants_its_program(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board without our program on it."""
    machine.patch.setattr(doctor_devices, "BOX_S", 0.3)
    ours, theirs = os.openpty()
    machine.settings(f'box = "{os.ttyname(theirs)}"\n')
    found = line_of_box(capsys)
    os.close(ours)
    os.close(theirs)
    assert found["state"] == "red"
    assert found["mend"] == "companion box install"


def test_every_line_has_the_same_four_fields_and_a_mend_unless_it_is_well(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines are a contract; whoever is told of a fault is told what mends it."""
    for spoil in (broken_settings, unfit_simplejpeg, dead_display, weak_power):
        spoil(machine)
    _, lines = doctor(capsys)
    for line in lines:
        assert set(line) == {"part", "state", "text", "mend"}
        assert bool(line["mend"]) == (line["state"] != "ok"), line


def test_a_bundle_has_what_a_report_needs_and_no_secret(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Findings, settings, logs and versions; the password of a record's address is struck out."""
    machine.settings('record = "postgresql://club:geheim@127.0.0.1:1/matches"\nvolume = 30\n')
    machine.variable("COMPANION_TOKEN_OF_NOBODY", "shown")
    machine.variable("SECRET_OF_SOMEBODY", "geheim-too")
    with SignalClient(Wanted("mock", speaker="none", linger_s=1.0)) as client:
        client.connect()
        client.end_process()
    out = machine.folder / "report.zip"
    _, lines = doctor(capsys, "--bundle", str(out))
    with zipfile.ZipFile(out) as bundle:
        names = set(bundle.namelist())
        texts = {name: bundle.read(name).decode("utf-8") for name in names}
    assert {"doctor.jsonl", "system.txt", "versions.txt", "settings.toml", "signals.jsonl"} <= names
    assert [json.loads(line) for line in texts["doctor.jsonl"].splitlines()] == lines
    assert "volume = 30" in texts["settings.toml"]
    assert "numpy==" in texts["versions.txt"]
    assert not [name for name, text in texts.items() if "geheim" in text]


def test_a_bundle_writes_over_nothing(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    out = machine.folder / "report.zip"
    out.write_text("mine", "utf-8")
    assert run(["doctor", "--json", "--bundle", str(out)]) == 2
    assert "is there already: name another file" in capsys.readouterr().err
    assert out.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("postgresql://club:a@b/c", "postgresql://club:***@b/c"),
        ("postgresql+psycopg://u:p%40ss@h:5432/d", "postgresql+psycopg://u:***@h:5432/d"),
        ("no address: here@there", "no address: here@there"),
        ("https://host:8080/path", "https://host:8080/path"),
    ],
)
def test_passwords_of_addresses_are_struck_out(text: str, clean: str) -> None:
    assert without_secrets(text) == clean
