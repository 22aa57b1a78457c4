"""The hands at the rig's machine: each does one thing that people do at a table, from outside."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.core.round_clock import CUES_S
from hardware.panel.panel import PATTERNS, Sound
from hardware.panel.pins import LAMP_PARTS, LAMPS_S, PINS
from tests.rig.machine import PATIENCE_S, SCREEN, Machine

COMPANION = "/home/pi/dogfight-companion/.venv/bin/companion"

CHIP = "/sys/devices/platform/gpio-sim.0/gpiochip0"
LAMPS = LAMP_PARTS


@dataclass(frozen=True, slots=True)
class Change:
    """A line that changed: when (s of the machine's own monotonic clock), which part, to what."""

    at_s: float
    part: str
    high: bool


NEAR_S = 0.25
"""So far from its second a sign may come, by the machine's own clock."""


def first_lit(changes: Sequence[Change]) -> dict[str, float]:
    """When each lamp was lit, in the order in which they were."""
    lit: dict[str, float] = {}
    for change in changes:
        if change.high and change.part in LAMPS:
            lit.setdefault(change.part, change.at_s)
    return lit


def beeps(changes: Sequence[Change]) -> list[tuple[float, float]]:
    """When the buzzer was on: from, to; one that still sounds is not among them."""
    told = [change for change in changes if change.part == "buzzer"]
    return [(on.at_s, off.at_s) for on, off in pairwise(told) if on.high and not off.high]


def wrong_signs(changes: Sequence[Change]) -> str:
    """What was wrong with a round's signs as its pins gave them; empty where each came.

    The lamps fill from the left, each at its second, the buzzer sounds at 10, 5, 3, 2 and 1 s and
    once for long at zero, when the last lamp is lit.
    """
    lit, sounded = first_lit(changes), beeps(changes)
    if tuple(lit) != LAMPS:
        return f"the lamps were lit as {', '.join(lit) or 'none'}"
    zero = lit[LAMPS[-1]]
    (long,) = PATTERNS[Sound.LOCK]
    was = [zero - at for at in lit.values()] + [zero - on for on, _ in sounded[-len(CUES_S) :]]
    wanted = [*LAMPS_S, *CUES_S]
    if len(was) != len(wanted) or any(
        abs(a - b) > NEAR_S for a, b in zip(was, wanted, strict=True)
    ):
        return f"lamps and beeps came {', '.join(f'{at:.1f}' for at in was)} s before zero"
    on, off = sounded[-1]
    wrong = abs(off - on - long.length_s) > NEAR_S
    return f"the sign at zero was {off - on:.2f} s long" if wrong else ""


class Pins:
    """The 40-pin header: fingers on its buttons, eyes on its lamps and its buzzer."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._names = {str(getattr(PINS, part)): part for part in (*LAMPS, "buzzer")}

    def press(self, *buttons: str, held_s: float = 0.5) -> None:
        """Press buttons one after the other, each held so long by the machine's own clock."""
        strokes = (
            f"echo pull-down >{CHIP}/sim_gpio{pin}/pull; sleep {held_s}; "
            f"echo pull-up >{CHIP}/sim_gpio{pin}/pull; sleep {held_s}"
            for pin in (getattr(PINS, button) for button in buttons)
        )
        self._machine.run("; ".join(strokes))

    def is_high(self, part: str) -> bool:
        """Whether a lamp is lit, the buzzer on."""
        return self._machine.run(f"cat {CHIP}/sim_gpio{getattr(PINS, part)}/value").strip() == "1"

    def watch(self) -> None:
        """From now on every change is written down."""
        lines = " ".join(self._names)
        self._machine.start("rig-watch", f"watch-pins {CHIP} {lines} >/run/rig-pins.txt")

    def changes(self) -> list[Change]:
        """What has changed since `watch`, in order."""
        rows = [line.split() for line in self._machine.run("cat /run/rig-pins.txt").splitlines()]
        return [Change(float(at), self._names[line], high == "1") for at, line, high in rows]


LAMPS_AT = (slice(0, 50), slice(530, 690))
"""The rows and columns of the lamps in a screen's upper bar; a trouble is told in their place."""

TITLE_AT = (slice(0, 50), slice(0, 280))
"""The rows and columns of a screen's title."""

ANYWHERE = (slice(None), slice(None))


class Screen:
    """What is really on the screen, and a finger on it."""

    def __init__(self, machine: Machine, pictures: Path) -> None:
        self._machine, self._pictures = machine, pictures
        pictures.mkdir(parents=True, exist_ok=True)

    def picture(self, name: str) -> Path:
        """Keep what the screen shows now, under this name."""
        path = self._pictures / f"{name}.png"
        raw = path.with_suffix(".ppm")
        self._machine.qmp("screendump", filename=str(raw))
        with Image.open(raw) as shown:
            shown.crop((0, 0, *SCREEN)).save(path)  # a machine that went on adds a black rim
        raw.unlink()
        return path

    def touch(self, x: int, y: int, *, held_s: float = 0.3) -> None:
        """A finger at a place, in pixels from the upper left.

        The place beside it comes first: a kernel tells no place twice, and an app that was started
        anew would not know where the finger is. No finger comes down on the same spot again.
        """
        for beside in (1, 0):
            at = (
                {"type": "abs", "data": {"axis": axis, "value": round(px * 32767 / (size - 1))}}
                for axis, px, size in zip("xy", (x + beside, y + beside), SCREEN, strict=True)
            )
            self._machine.qmp("input-send-event", events=list(at))
        for down in (True, False):
            press = {"type": "btn", "data": {"button": "left", "down": down}}
            self._machine.qmp("input-send-event", events=[press])
            time.sleep(held_s)

    def wait_for_change(
        self,
        name: str,
        before: Path,
        *,
        at: tuple[slice, slice] = ANYWHERE,
        rests: bool = True,
        timeout_s: float = PATIENCE_S,
    ) -> Path:
        """Keep the first picture that differs from one before and stands still.

        `at`: there it differs. A key that is only held down does not change the title. `rests`:
        whether it must stand still as a whole; where a clock runs nothing does.
        """
        deadline = time.monotonic() + timeout_s
        first, last = _pixels(before), None
        while time.monotonic() < deadline:
            now = _pixels(path := self.picture(name))
            stands = not rests or (last is not None and np.array_equal(now, last))
            if stands and not np.array_equal(now[at], first[at]):
                return path
            last = now
            time.sleep(1.0)
        raise TimeoutError(f"the screen still shows what {before.name} shows")

    def wait_for_lamps(self, name: str, other: Path, *, timeout_s: float = PATIENCE_S) -> Path:
        """Keep the first picture whose lamps of camera, pins and box are as in another."""
        deadline = time.monotonic() + timeout_s
        wanted = _pixels(other)[LAMPS_AT]
        while not np.array_equal(_pixels(path := self.picture(name))[LAMPS_AT], wanted):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the lamps never look as in {other.name}: see {path}")
            time.sleep(1.0)
        return path


def _pixels(picture: Path) -> np.ndarray:
    with Image.open(picture) as shown:
        return np.asarray(shown.convert("RGB")).copy()


def same(one: Path, other: Path) -> bool:
    """Whether two pictures show the same."""
    return np.array_equal(_pixels(one), _pixels(other))


def says_locked(picture: Path) -> bool:
    """Whether a picture shows LOCKED: no other screen of the daylight theme is dark."""
    with Image.open(picture) as shown:
        page = np.asarray(shown.convert("L"))[60:380]
    return float((page < 60).mean()) > 0.5


def colours(picture: Path) -> int:
    """How many colours a picture has: black 1, a text console a handful, the app hundreds."""
    return len(np.unique(_pixels(picture).reshape(-1, 3), axis=0))


@dataclass(frozen=True, slots=True)
class Tone:
    """A tone of a recording: seconds into it, how long, how many swings a second."""

    start_s: float
    length_s: float
    hz: float


class Loudspeaker:
    """What the sound card played, as a file: nothing is written in it while nothing plays."""

    RATE_HZ = 44_100

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def tones(self) -> list[Tone]:
        """The tones so far, in order."""
        raw = self._machine.sound.read_bytes()[44:]
        samples = np.frombuffer(raw[: len(raw) // 4 * 4], "<i2").reshape(-1, 2)[:, 0].astype(float)
        return list(tones_in(samples, self.RATE_HZ))


def tones_in(samples: np.ndarray, rate_hz: int) -> Iterator[Tone]:
    """Stretches that are louder than silence for 20 ms or more, 30 ms of silence between them."""
    loud = np.flatnonzero(np.abs(samples) > 300)
    if not len(loud):
        return
    breaks = np.flatnonzero(np.diff(loud) > 0.03 * rate_hz)
    starts = [loud[0], *loud[breaks + 1]]
    ends = [*loud[breaks], loud[-1]]
    for start, end in zip(starts, ends, strict=True):
        length = end - start
        if length >= 0.02 * rate_hz:
            part = samples[start : end + 1]
            swings = np.count_nonzero(np.diff(np.signbit(part))) / 2
            yield Tone(start / rate_hz, length / rate_hz, float(swings / (length / rate_hz)))


class Power:
    """The plug: pull it, put it back; `tell` gets each machine that boots then."""

    def __init__(self, machine: Machine, tell: Callable[[Machine], None]) -> None:
        self.machine, self._tell = machine, tell

    def cut(self) -> None:
        """Pull it."""
        self.machine.cut_power()

    def back(self, *, rtc: str = "") -> Machine:
        """Put it back and wait until the machine has booted."""
        self.machine = self.machine.again(rtc=rtc)
        self._tell(self.machine)
        return self.machine.wait_until_booted()


GOLDEN = Path(__file__).parents[1] / "golden" / "dogfight-1917-edition-3-base-1.jsonl"


def script() -> list[str]:
    """The answers of a whole recorded match, as the terminal reads them."""
    lines = (json.loads(line)["line"] for line in GOLDEN.read_text("utf-8").splitlines())
    answers = ((line["key"], line["answer"]) for line in lines if line.get("kind") == "answer")
    return [
        f"{key}: {said if isinstance(said, str) else json.dumps(said)}" for key, said in answers
    ]


class ScriptedMatch:
    """A match that is typed into the companion as fast as it takes the lines, and what it says.

    It runs inside, on the line that leads out here. Each answer that it has confirmed is followed
    by the next question.
    """

    PORT = "/dev/virtio-ports/rig.line"

    def __init__(self, machine: Machine) -> None:
        self._line = machine.line
        self._said = b""

    @classmethod
    def begin(cls, machine: Machine, box: str, how: str) -> Self:
        """Start it inside."""
        machine.run(f"chown pi {cls.PORT}")
        play = f"exec {COMPANION} referee {box} {how} --script - --json"
        machine.start("rig-match", f"{play} 0<>{cls.PORT} 1>&0 2>/dev/null", user="pi")
        return cls(machine)

    def say(self, lines: Sequence[str]) -> None:
        """Type lines ahead of what it asks."""
        self._line.sendall("".join(f"{line}\n" for line in lines).encode())

    @property
    def questions(self) -> int:
        """How many times it has asked."""
        self._line.settimeout(0.02)
        with suppress(OSError):
            while more := self._line.recv(1 << 16):
                self._said += more
        return self._said.count(b'{"questions"')

    def wait_for_questions(self, count: int) -> None:
        """Until it has asked so many times."""
        deadline = time.monotonic() + PATIENCE_S
        while self.questions < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"asked {self.questions} times, not {count}: {self._said!r}")


class CameraCable:
    """The cable of a camera: the kernel's own test camera, which can be there and be gone.

    It films a test picture, or what is held before it. `number` 0 is the driver as Debian has it, 1
    a copy of it by another name: each is pulled and plugged by itself.
    """

    NODE = "/dev/video0"
    """Of a camera that is alone."""
    SIZE_PX = (1280, 720)
    SLOWLY, LOST_PERCENT = 5, 70
    """Of the camera's own list of timings that of 24 pictures a second, of which seven come: an
    emulated processor looks at each for a tenth of a second of ours and more."""

    def __init__(self, machine: Machine, folder: Path, number: int = 0) -> None:
        self._machine, self._folder = machine, folder
        self._name = ("vivid", "vivie")[number]

    @property
    def driver(self) -> str:
        """Where the kernel has it."""
        return f"/sys/bus/platform/drivers/{self._name}"

    def node(self) -> str:
        """The device of its pictures, which is another one after another cable."""
        return self._node("cap")

    def _node(self, end: str) -> str:
        return f"/dev/{Path(self._machine.run(self._named(end)).strip()).parent.name}"

    def _named(self, end: str) -> str:
        """What finds the end's device by its name."""
        return f"grep -lx {self._name}-000-vid-{end} /sys/class/video4linux/*/name"

    def plug(self) -> None:
        """Plug it in: a new device each time, as another camera would be."""
        kind = "n_devs=1 node_types=0x101 num_inputs=1 input_types=3 num_outputs=1 output_types=1 "
        kind += "ccs_cap_mode=0 ccs_out_mode=0"  # it crashes where it has to scale what is lent
        bind = f"echo {self._name}.0 >{self.driver}/bind"
        load = f"modprobe vivid {kind}" if self._name == "vivid" else self._load_copy(kind)
        # Its timings come before udev lets the app open it: it takes none while somebody films.
        slowly = "; ".join(
            f"v4l2-ctl -d /dev/$(basename $(dirname $({self._named(end)}))) {wanted}"
            for end, wanted in (
                ("cap", f"--set-dv-bt-timings index={self.SLOWLY}"),
                ("out", f"--set-dv-bt-timings index={self.SLOWLY}"),
                ("cap", f"-c percentage_of_dropped_buffers={self.LOST_PERCENT}"),
            )
        )
        begin = f"if [ -d {self.driver} ]; then {bind}; else {load}; fi"
        self._machine.run(f"set -e; {begin}; {slowly}; udevadm settle")

    def _load_copy(self, kind: str) -> str:
        """The driver once more, under its own name; without the mark of a signature it has none."""
        names = f"s/vivid/{self._name}/g; s/~Module signature/~Module without s/"
        module = f"/run/{self._name}.ko"
        copy = f"xz -dc $(modinfo -n vivid) | sed '{names}' >{module}"
        return f"{copy} && insmod {module} {kind}"

    def pull(self) -> None:
        """Pull it, whoever films with it."""
        self._machine.run(f"echo {self._name}.0 >{self.driver}/unbind; udevadm settle")

    def hold_before_it(self, picture: NDArray[np.uint8]) -> None:
        """Have it film this picture (rows, columns, blue green red; of `SIZE_PX`) from now on.

        The driver lends the picture only where both ends have one format. Asked for MJPG, which it
        has not, it films in the first that OpenCV likes: blue, green, red.
        """
        raw = self._folder / "picture.bgr"
        raw.write_bytes(picture.tobytes())
        self._machine.put(raw, "/run/picture.bgr")
        raw.unlink()
        width, height = self.SIZE_PX
        play = f"--set-fmt-video-out=width={width},height={height},pixelformat=BGR3 "
        play += "--stream-out-mmap --stream-loop --stream-from=/run/picture.bgr"
        self._machine.start("rig-picture", f"exec v4l2-ctl -d {self._node('out')} {play}")
        self._machine.run(f"v4l2-ctl -d {self.node()} -c hdmi_000_0_is_connected_to=2")

    def is_called(self, by_id: str, socket: str) -> None:
        """The names that udev gives it from its next plugging in, as a USB camera has them."""
        links = " ".join(
            f'SYMLINK+="v4l/{kind}/{name}-video-index0",'
            for kind, name in (("by-id", by_id), ("by-path", socket))
        )
        match = f'SUBSYSTEM=="video4linux", ATTR{{name}}=="{self._name}-000-vid-cap"'
        rule = f"/etc/udev/rules.d/70-{self._name}.rules"
        self._machine.write(rule, f"{match}, {links.rstrip(',')}\n")
        self._machine.run("udevadm control --reload")

    def filmed_by(self) -> set[str]:
        """The numbers of the processes that have its device open."""
        held = f"ls -l /proc/[0-9]*/fd 2>/dev/null | grep -E '^/proc|-> {self.node()}$'"
        said = self._machine.run(f"{held}; true").splitlines()
        pairs = pairwise(said)
        return {one.split("/")[2] for one, two in pairs if one[:1] == "/" and two[:1] != "/"}

    def gives_frames(self, *, yes: bool) -> None:
        """Whether any picture comes; without, it is there and answers all the same."""
        dropped = self.LOST_PERCENT if yes else 100
        self._machine.run(f"v4l2-ctl -d {self.node()} -c percentage_of_dropped_buffers={dropped}")


class SensorBoxCable:
    """The USB cable of a sensor box: a real serial device, behind which the simulated box speaks.

    `number` counts the sockets of the machine from 0; the box has the numbers of a Pico.
    """

    GADGETS = "/sys/kernel/config/usb_gadget"

    def __init__(self, machine: Machine, serial: str, number: int) -> None:
        self._machine, self.serial, self._number = machine, serial, number
        self._name = f"box{number}"
        self._gadget = f"{self.GADGETS}/{self._name}"
        self._is_made = False

    def plug(self, *, speaks: bool = True) -> None:
        """Plug it in: the box has power, so its program begins; the machine finds its number.

        One that does not speak has another program on it, or none: no word comes over the line.
        """
        if not self._is_made:
            self._make()
        link, port = f"/run/user/1000/{self._name}", f"/dev/ttyGS{self._number}"
        pretend = f"tail -f /dev/null | {COMPANION} box simulate --link {link}"
        self._machine.start(f"rig-{self._name}", pretend, user="pi")
        self._machine.wait_for(f"test -e {link} && test -e {port}")
        self._machine.run(f"echo dummy_udc.{self._number} >{self._gadget}/UDC")
        if speaks:
            self.speak()

    def speak(self) -> None:
        """From now on what it says comes over the line."""
        link, port = f"/run/user/1000/{self._name}", f"/dev/ttyGS{self._number}"
        wire = f"exec socat {link},raw,echo=0 {port},raw,echo=0"
        self._machine.start(f"rig-{self._name}-wire", wire)

    def pull(self) -> None:
        """Pull it: the box is without power."""
        self._machine.run(
            f"echo '' >{self._gadget}/UDC; "
            f"systemctl stop rig-{self._name}-wire rig-{self._name} 2>/dev/null; "
            f"rm -f /run/user/1000/{self._name}"
        )

    def _make(self) -> None:
        gadget, line = self._gadget, f"{self._gadget}/functions/acm.{self._name}"
        self._machine.run(
            "modprobe dummy_hcd num=2; modprobe libcomposite; "
            f"mkdir -p {gadget}/strings/0x409 {gadget}/configs/c.1 {line}; "
            f"echo 0x2e8a >{gadget}/idVendor; echo 0x0005 >{gadget}/idProduct; "
            f"echo {self.serial} >{gadget}/strings/0x409/serialnumber; "
            f"ln -s {line} {gadget}/configs/c.1/"
        )
        self._is_made = True
