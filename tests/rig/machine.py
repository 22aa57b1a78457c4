"""The rig's machine: a PC that QEMU plays, and the two lines on which it is spoken to.

By one line (QMP) we are its surroundings: power, screen, finger, cables. By the other, Debian's
guest agent, we are a shell inside. It is emulated, without KVM: a second in which it works is far
longer than one of ours, so whatever we wait for we wait for with patience.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

PATIENCE_S = float(os.environ.get("RIG_PATIENCE_S", "1800"))
"""How long anything may take before it counts as never."""

SCREEN = (800, 480)

PIECE = 1 << 17
"""Bytes of a file that go to the guest agent at once."""

KERNEL_WORDS = (
    *("quiet", "nokaslr", "no_timer_check", "tsc=reliable", "random.trust_cpu=on"),
    *("mitigations=off", "init_on_alloc=0", "cryptomgr.notests", "nowatchdog"),
    *("audit=0", "apparmor=0", "selinux=0"),
)
"""An emulated processor has no flaws to work around: so it boots in half the time."""


class RigError(RuntimeError):
    """Something that the machine was told or asked did not come to pass."""


def connected(path: Path) -> socket.socket:
    """A socket of QEMU's, as soon as it is there."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            line.connect(str(path))
            return line
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class JsonLine:
    """A socket on which one JSON object a line goes each way: QMP and the guest agent alike."""

    def __init__(self, path: Path) -> None:
        self._socket = connected(path)
        self._got = b""

    def say(self, word: Mapping[str, Any]) -> None:
        """Send one object."""
        self._socket.sendall(json.dumps(word).encode() + b"\n")

    def hear(self, timeout_s: float) -> dict[str, Any]:
        """The next object; TimeoutError where none comes."""
        deadline = time.monotonic() + timeout_s
        while b"\n" not in self._got:
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            more = self._socket.recv(1 << 16)
            if not more:
                raise RigError("the machine hung up: see its console")
            self._got += more
        line, _, self._got = self._got.partition(b"\n")
        told: dict[str, Any] = json.loads(line.lstrip(b"\xff"))
        return told

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ran inside: its exit status and what it said."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class State:
    """A machine stopped in the middle of its work: disk and memory, to go on from many times."""

    folder: Path

    @property
    def disk(self) -> Path:
        """The disk as it stood."""
        return self.folder / "disk.qcow2"

    @property
    def memory(self) -> Path:
        """Memory and devices as they stood."""
        return self.folder / "memory"

    def exists(self) -> bool:
        """Whether it was kept whole: the memory is written last."""
        return self.disk.exists() and self.memory.exists()


def overlay(on: Path, at: Path) -> Path:
    """A disk that is `on` until something is written to it, and leaves `on` as it is."""
    kind = "qcow2" if on.suffix == ".qcow2" else "raw"
    command = ("qemu-img", "create", "-q", "-f", "qcow2", "-b", str(on), "-F", kind, str(at))
    subprocess.run(command, check=True)
    return at


@contextmanager
def as_raw_file(disk: Path, at: Path) -> Generator[Path]:
    """A disk of a machine that is off, as a file for the tools of its file system."""
    at.touch()
    command = (
        *("setpriv", "--pdeathsig", "KILL", "qemu-storage-daemon"),
        *("--blockdev", f"driver=file,filename={disk},node-name=file"),
        *("--blockdev", "driver=qcow2,file=file,node-name=disk"),
        *("--export", f"type=fuse,id=raw,node-name=disk,mountpoint={at},writable=on"),
    )
    lender = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not at.stat().st_size:
            if lender.poll() is not None or time.monotonic() > deadline:
                raise RigError(f"{disk} is not lent as a file: is there /dev/fuse?")
            time.sleep(0.05)
        yield at
    finally:
        lender.terminate()
        lender.wait()
        at.unlink()


class Machine:
    """A running machine, on a disk of its own; `kernel` is the folder with vmlinuz and initrd.img.

    `going_on` is the memory of a kept state: then it goes on from there and does not boot. `rtc` is
    what its clock without a battery says at power-on, as 2000-01-01T00:00:00.
    """

    def __init__(
        self, kernel: Path, disk: Path, folder: Path, *, going_on: Path | None = None, rtc: str = ""
    ) -> None:
        self.kernel, self.disk, self.folder = kernel, disk, folder
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("qmp", "look", "agent", "line"):
            (folder / name).unlink(missing_ok=True)
        self.console, self.sound = folder / "console.log", folder / "loudspeaker.wav"
        incoming = () if going_on is None else ("-incoming", "defer")
        with (folder / "qemu.log").open("wb") as told:
            self.process = subprocess.Popen(
                (*self._command(rtc), *incoming), stdin=subprocess.DEVNULL, stdout=told, stderr=told
            )
        self._qmp = JsonLine(folder / "qmp")
        self._qmp.hear(PATIENCE_S)
        self.qmp("qmp_capabilities")
        # Both lines are held before it goes on: to whoever reads from one in there, a line that
        # nobody holds out here has ended.
        self._agent, self.line = JsonLine(folder / "agent"), connected(folder / "line")
        if going_on is not None:
            self.qmp("migrate-incoming", uri=f"exec:cat {going_on}")
            self._wait_for_qmp("query-status", lambda told: told["status"] != "inmigrate")
            self.qmp("cont")

    def _command(self, rtc: str) -> tuple[str, ...]:
        devices = (
            *("-vga", "none", "-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}"),
            *("-device", "virtio-tablet-pci"),
            *("-audiodev", f"wav,id=speaker,path={self.sound}"),
            *("-device", "intel-hda", "-device", "hda-output,audiodev=speaker"),
            *("-device", "virtio-serial"),
            *("-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off"),
            *("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"),
            *("-chardev", f"socket,id=line,path={self.folder}/line,server=on,wait=off"),
            *("-device", "virtserialport,chardev=line,name=rig.line"),
        )
        return (
            *("setpriv", "--pdeathsig", "KILL"),  # it never outlives the test that started it
            *("qemu-system-x86_64", "-name", "companion-rig", "-nodefaults", "-display", "none"),
            # One instruction is one of its nanoseconds, however little of the host it gets: a busy
            # host makes it no slower in its own eyes. Idle, it goes with our time.
            *("-accel", "tcg,thread=single,tb-size=512", "-icount", "shift=0,sleep=on,align=off"),
            *("-cpu", "max,la57=off", "-smp", "1", "-m", "1536"),
            *("-kernel", f"{self.kernel}/vmlinuz", "-initrd", f"{self.kernel}/initrd.img"),
            *("-append", f"root=/dev/vda rw console=ttyS0 {' '.join(KERNEL_WORDS)}"),
            # Past the host's cache: a power cut leaves of the disk what the machine had flushed.
            *("-drive", f"file={self.disk},if=virtio,format=qcow2,cache=none,discard=unmap"),
            *("-serial", f"file:{self.console}", "-nic", "none"),
            *("-qmp", f"unix:{self.folder}/qmp,server=on,wait=off"),
            # For a person who wonders what it does: the test holds the other one.
            *("-qmp", f"unix:{self.folder}/look,server=on,wait=off"),
            *("-rtc", f"base={rtc}" if rtc else "base=utc"),
            *devices,
        )

    # -- from outside ------------------------------------------------------------------------------

    def qmp(self, command: str, **arguments: Any) -> Any:
        """A word to QEMU itself, and its answer."""
        self._qmp.say({"execute": command, "arguments": arguments})
        while True:
            told = self._qmp.hear(PATIENCE_S)
            if "error" in told:
                raise RigError(f"{command}: {told['error']['desc']}")
            if "return" in told:
                return told["return"]

    def _wait_for_qmp(self, query: str, done: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + PATIENCE_S
        while not done(told := self.qmp(query)):
            if time.monotonic() > deadline:
                raise RigError(f"{query} still says {told}")
            time.sleep(0.1)
        return told

    def wait_for_write(self, *, timeout_s: float = PATIENCE_S) -> None:
        """Until its disk has written something that it has not been told to flush yet."""
        wrote, flushed = self._disk_work()
        deadline = time.monotonic() + timeout_s
        while True:
            writes, flushes = self._disk_work()
            if writes > wrote and flushes == flushed:
                return
            wrote, flushed = writes, flushes
            if time.monotonic() > deadline:
                raise RigError("its disk writes nothing")

    def _disk_work(self) -> tuple[int, int]:
        """How many writes and how many flushes its disk has done."""
        stats = self.qmp("query-blockstats")[0]["stats"]
        return stats["wr_operations"], stats["flush_operations"]

    def cut_power(self) -> None:
        """Pull the plug: nothing inside hears of it. What it said last can be read from `line`."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._hang_up()

    def switch_off(self) -> None:
        """Let it shut down, and wait until it has."""
        self._agent.say({"execute": "guest-shutdown", "arguments": {"mode": "powerdown"}})
        self.process.wait(PATIENCE_S)
        self._hang_up()

    def close(self) -> None:
        """End it, whatever state it is in."""
        if self.process.poll() is None:
            self.cut_power()
        self._hang_up()
        self.line.close()

    def _hang_up(self) -> None:
        self._qmp.close()
        self._agent.close()

    def again(self, *, rtc: str = "") -> Machine:
        """The power comes back: the same disk, booted from the beginning."""
        assert self.process.poll() is not None, "cut the power first"
        self.line.close()
        return Machine(self.kernel, self.disk, self.folder, rtc=rtc)

    def keep(self, state: State) -> None:
        """Stop here and keep disk and memory; this machine has ended then."""
        shutil.rmtree(state.folder, ignore_errors=True)
        state.folder.mkdir(parents=True)
        self.qmp("stop")
        memory = state.folder / "memory.new"
        self.qmp("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        self.qmp("migrate", uri=f"exec:cat >{memory}")
        told = self._wait_for_qmp(
            "query-migrate", lambda it: it["status"] in ("completed", "failed")
        )
        if told["status"] == "failed":
            raise RigError(f"the state could not be kept: {told}")
        self.qmp("quit")
        self.process.wait()
        self.close()
        shutil.copyfile(self.disk, state.disk)
        memory.rename(state.memory)

    # -- inside ------------------------------------------------------------------------------------

    def agent(self, command: str, **arguments: Any) -> Any:
        """A word to the guest agent, and its answer."""
        self._agent.say({"execute": command, "arguments": arguments})
        while True:
            told = self._agent.hear(PATIENCE_S)
            if "error" in told:
                raise RigError(f"{command}: {told['error']['desc']}")
            return told["return"]

    def wait_until_booted(self) -> Self:
        """Until its agent answers."""
        mark = time.monotonic_ns() % 10**9
        self._agent.say({"execute": "guest-sync", "arguments": {"id": mark}})
        try:
            while self._agent.hear(PATIENCE_S).get("return") != mark:
                pass
        except TimeoutError:
            raise RigError(f"it did not boot: see {self.console}") from None
        return self

    def try_to(self, command: str, *, user: str = "root", timeout_s: float = PATIENCE_S) -> Ran:
        """Run a shell command inside and tell how it went."""
        words = ["/bin/sh", "-c", command]
        if user != "root":
            words = ["/usr/sbin/runuser", "-l", user, "-c", command]
        started = self.agent(
            "guest-exec", **{"path": words[0], "arg": words[1:], "capture-output": True}
        )
        deadline = time.monotonic() + timeout_s
        while True:
            told = self.agent("guest-exec-status", pid=started["pid"])
            if told["exited"]:
                break
            if time.monotonic() > deadline:
                raise RigError(f"`{command}` has not ended after {timeout_s:.0f} s")
            time.sleep(0.1)
        out, err = (
            base64.b64decode(told.get(name, "")).decode("utf-8", "replace")
            for name in ("out-data", "err-data")
        )
        return Ran(told.get("exitcode", -int(told.get("signal", 1))), out, err)

    def run(self, command: str, *, user: str = "root", timeout_s: float = PATIENCE_S) -> str:
        """What a shell command inside says; RigError where it fails."""
        ran = self.try_to(command, user=user, timeout_s=timeout_s)
        if ran.status != 0:
            raise RigError(f"`{command}` ended with {ran.status}: {ran.err or ran.out}")
        return ran.out

    def start(self, name: str, command: str, *, user: str = "root") -> None:
        """Let a command run on inside, under a name by which `systemctl stop` ends it."""
        shell = f"/bin/sh -c {shlex.quote(command)}"
        self.run(f"systemd-run --quiet --collect --unit {name} --uid {user} {shell}")

    def wait_for(self, command: str, *, timeout_s: float = PATIENCE_S) -> str:
        """Ask again until a command inside succeeds; what it said then."""
        deadline = time.monotonic() + timeout_s
        while (ran := self.try_to(command)).status != 0:
            if time.monotonic() > deadline:
                raise RigError(
                    f"`{command}` did not come true in {timeout_s:.0f} s: {ran.out}{ran.err}"
                )
            time.sleep(1.0)
        return ran.out

    def write(self, path: str, text: str, *, user: str = "root") -> None:
        """Write a file inside, as that user."""
        folder = shlex.quote(str(Path(path).parent))
        whole = base64.b64encode(text.encode()).decode()
        self.run(f"mkdir -p {folder} && echo {whole} | base64 -d >{shlex.quote(path)}", user=user)

    def put(self, file: Path, to: str, *, user: str = "root") -> None:
        """Copy a file of ours into the machine, for that user."""
        self.run(f"mkdir -p {shlex.quote(str(Path(to).parent))}", user=user)
        handle = self.agent("guest-file-open", path=to, mode="w")
        content = file.read_bytes()
        for start in range(0, len(content), PIECE):
            piece = base64.b64encode(content[start : start + PIECE]).decode()
            self.agent("guest-file-write", **{"handle": handle, "buf-b64": piece})
        self.agent("guest-file-close", handle=handle)
        self.run(f"chown {user}: {shlex.quote(to)}")

    def get(self, path: str, to: Path) -> Path:
        """Copy a file of the machine out to us; where it is now."""
        handle = self.agent("guest-file-open", path=path, mode="r")
        with to.open("wb") as file:
            while True:
                told = self.agent("guest-file-read", handle=handle, count=PIECE)
                file.write(base64.b64decode(told["buf-b64"]))
                if told["eof"]:
                    break
        self.agent("guest-file-close", handle=handle)
        return to
