"""`companion box install` with the real mpremote at MicroPython's real prompt, behind a pty.

The prompt runs in Node.js, whose MicroPython has no pins and cannot start anew: where mpremote
resets the board, the simulated box takes its place on the same port.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import threading
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hardware.sensor_box.install import InstallFailed, _ask_to_leave, firmware_files, install
from hardware.sensor_box.simulated import SimulatedBox

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[2] / "hardware" / "firmware"
SOFT_RESET = b"OK\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>"

pytest.importorskip("mpremote", reason="mpremote is not installed")


class Prompt:
    """A port at which MicroPython's prompt answers, until it is asked to start anew."""

    def __init__(self, link: Path, micropython: Path, kept: Path) -> None:
        self.link, self.kept = link, kept
        self.box: SimulatedBox | None = None
        self.heard = b""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))
        command = ["node", str(HERE / "prompt_in_node.mjs"), str(micropython), str(kept)]
        self._python = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ending = False
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self) -> None:
        assert self._python.stdout is not None
        said = self._python.stdout.fileno()
        while not self._ending:
            ready, _, _ = select.select([self._master, said], [], [], 0.05)
            if said in ready:
                os.write(self._master, os.read(said, 4096))
            if self._master in ready:
                self._take(os.read(self._master, 4096))

    def _take(self, data: bytes) -> None:
        """The prompt in Node.js takes no paste mode and cannot restart: both are answered here."""
        for part in re.findall(rb"\x05A\x01|[\x01-\x04]|[^\x01-\x05]+", data):
            if part == b"\x05A\x01":
                os.write(self._master, b"R\x00")
            elif part == b"\x04" and not self.heard:
                os.write(self._master, SOFT_RESET)
            elif part == b"\x04" and b"machine.reset()" in self.heard:
                self._start_anew()
            else:
                control = part in b"\x01\x02\x03\x04" or part == b"\r"
                self.heard = b"" if control else self.heard + part
                self._type(part)

    def _type(self, data: bytes) -> None:
        assert self._python.stdin is not None
        self._python.stdin.write(data)
        self._python.stdin.flush()

    def _start_anew(self) -> None:
        os.write(self._master, b"OK")
        self.close()
        self.box = SimulatedBox(self.link)
        self.box.start()

    def close(self) -> None:
        """End the prompt; what was written lies in the folder then."""
        self._ending = True
        assert self._python.stdin is not None
        assert self._python.stdout is not None
        self._python.stdin.close()
        self._python.wait(10.0)
        self._python.stdout.close()
        self.link.unlink(missing_ok=True)
        for fd in (self._master, self._slave):
            with suppress(OSError):
                os.close(fd)


@pytest.fixture
def prompt(tmp_path: Path, micropython: Path) -> Iterator[Prompt]:
    prompt = Prompt(tmp_path / "port", micropython, tmp_path)
    yield prompt
    if prompt.box is not None:
        prompt.box.close()
    else:
        prompt.close()


@pytest.mark.soak
def test_the_program_is_on_the_board_and_greets(
    prompt: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file as it is here, in place of an older one too; then its greeting is awaited."""
    monkeypatch.setattr("hardware.sensor_box.install.GREETING_S", 1.0)
    said: list[str] = []
    install(str(prompt.link), said.append)
    assert said[0] == f"board on {prompt.link}"
    assert "no box's program answers" in said[1]
    assert said[-1] == "board SIMULATED0000001 runs program 1.0.0"
    put = sorted((tmp_path / "hardware" / "firmware").iterdir())
    assert [path.name for path in put] == [path.name for path in firmware_files()]
    for path in put:
        assert path.read_bytes() == (FIRMWARE / path.name).read_bytes()
    assert (tmp_path / "main.py").read_bytes() == (FIRMWARE / "main.py").read_bytes()


@pytest.mark.usefixtures("pseudo_terminals")
def test_what_mpremote_cannot_do_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port at which nobody answers: no board, and what to do about it."""
    monkeypatch.setattr("hardware.sensor_box.install.GREETING_S", 0.2)
    monkeypatch.setattr("hardware.sensor_box.install.STEP_S", 1.5)
    master, slave = os.openpty()
    tty.setraw(slave)
    link = tmp_path / "port"
    link.symlink_to(os.ttyname(slave))
    with pytest.raises(InstallFailed, match="BOOTSEL"):
        install(str(link), lambda _: None)
    os.close(master)
    os.close(slave)


def test_only_what_runs_on_the_board_goes_there() -> None:
    """The start goes to the board's top; pages stay here."""
    names = [path.name for path in firmware_files()]
    assert "main.py" not in names
    assert {"box.py", "frame.py", "pico.py"} <= set(names)
    assert all(name.endswith(".py") for name in names)


@pytest.mark.usefixtures("pseudo_terminals")
def test_a_box_that_runs_its_program_is_asked_to_stand_aside(tmp_path: Path) -> None:
    """It lets nobody at its prompt: it begins anew without its program first."""
    said: list[str] = []
    with SimulatedBox(tmp_path / "box") as box:
        _ask_to_leave(str(tmp_path / "box"), said.append)
        assert box.board.maintained or box.resets == 1
    assert said == ["it runs program 1.0.0; asking it to stand aside"]
