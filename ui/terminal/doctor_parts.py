"""Each part that `companion doctor` looks at: the machine, its devices, what is installed."""

from __future__ import annotations

import grp
import importlib
import importlib.util
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from rich.console import Console
from rich.markup import escape

from companion.core.errors import CompanionError, PanelError, PinsMissing
from companion.match.entry import app_version
from hardware.panel.deadline import ask_first
from hardware.panel.gpio import open_factory
from hardware.panel.pins import PARTS
from hardware.panel.speaker import NONE, PLAYERS, find_player
from hardware.panel.voice import SPEAKER, render, why_mute
from hardware.sensor_box.line import BoxAbsent, BoxBusy, find_ports, open_port
from hardware.sensor_box.sensor_box import SensorBox
from hardware.signals.folder import SignalFolder
from hardware.signals.link import SignalLink, connect
from ui.scene.theme import missing_faces
from ui.table.settings import Settings, is_raspberry_pi
from ui.table.signals import wanted_process
from ui.table.voice import wanted_voice
from ui.terminal.setting_up import plans
from ui.window.appliance import find_display, why_silent
from vision.camera.camera import why_missing
from vision.camera.usb import usb_devices
from vision.table_file.reading import load_table

# What is found of a part: a line of `companion doctor`.


class State(StrEnum):
    """How a part is: fine, usable with a drawback, or broken."""

    OK = "ok"
    WARN = "warn"
    RED = "red"


COLOURS = {State.OK: "green", State.WARN: "yellow", State.RED: "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a part; `mend` is a command, with a word on it behind three blanks."""

    part: str
    state: State
    text: str
    mend: str = ""


def ok(part: str, text: str) -> Finding:
    """A part that is fine."""
    return Finding(part, State.OK, text)


def warn(part: str, text: str, mend: str) -> Finding:
    """A part that works with a drawback."""
    return Finding(part, State.WARN, text, mend)


def red(part: str, text: str, mend: str) -> Finding:
    """A part that is broken."""
    return Finding(part, State.RED, text, mend)


def show(finding: Finding, console: Console) -> None:
    """Print a finding for people: the mend under it."""
    mend = f"\n{'':19}[bold]{escape(finding.mend)}[/]" if finding.mend else ""
    line = f"[{COLOURS[finding.state]}]{finding.state:5}[/]{finding.part:14}{escape(finding.text)}"
    console.print(line + mend, soft_wrap=True)


# The machine: clock, temperature and power, user and groups, disk.

MB = 1_000_000
LITTLE_ROOM_MB, NO_ROOM_MB = 1_000, 100
SLOW_SYNC_MS, SYNCS = 60.0, 12
SLOW_MB_S, WRITTEN_MB = 2.0, 4
HOT_C, TOO_HOT_C = 75.0, 82.0
LATE_MS = 20.0
ASKED_S = 5.0
THERMAL = Path("/sys/class/thermal")
GROUPS = ("gpio", "video", "render", "input", "audio", "dialout")
"""Whose members may reach pins, screen, touches, loudspeaker and sensor box on a Pi."""

POWER_BITS = {
    0: "the power supply is too weak",
    1: "the processor is held back",
    2: "the processor is throttled",
    3: "the temperature limit is reached",
}
"""Bits of what a Pi's firmware says of its power, now; sixteen higher: since it was started."""

MAIN_CONTROLS = ("Master", "PCM", "Headphone", "Speaker", "HDMI")
"""What ALSA calls that through which all sound of a card goes, a Pi's among them."""

VOICE_MENDS = "sudo apt install espeak-ng alsa-utils   (or turn the voice off: Settings, Voice)"
ELSEWHERE = "companion --record /media/stick/matches.sqlite"


# -- clock -----------------------------------------------------------------------------------------


def clock() -> Iterator[Finding]:
    """The day, whether the network keeps it, and whether deadlines can be kept."""
    now = datetime.now(UTC)
    synchronised = _answer("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if now.timestamp() < Path(__file__).stat().st_mtime:
        text = f"the clock says {now:%Y-%m-%d %H:%M} UTC, before this program was installed"
        yield red("clock", text, "sudo timedatectl set-ntp true   (or sudo date --set='...')")
    elif synchronised == "no":
        text = f"{now:%Y-%m-%d %H:%M} UTC, kept by nobody: records may be dated wrongly"
        yield warn("clock", text, "sudo timedatectl set-ntp true")
    else:
        kept = "kept by the network" if synchronised == "yes" else "nobody tells who keeps it"
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC, {kept}")
    yield from _punctual()


def _punctual() -> Iterator[Finding]:
    late_ms = 1000 * statistics.median(_lateness_s() for _ in range(5))
    resolution_us = 1e6 * time.get_clock_info("monotonic").resolution
    text = f"steps of {resolution_us:g} µs; woken {late_ms:.2f} ms late by the ordinary scheduler"
    if resolution_us > 1000 or late_ms > LATE_MS:
        yield warn("deadlines", text, "top   (ends what keeps the machine busy)")
    else:
        yield ok("deadlines", text)


def _lateness_s() -> float:
    deadline = time.monotonic() + 0.01
    time.sleep(deadline - time.monotonic())
    return time.monotonic() - deadline


# -- heat and power --------------------------------------------------------------------------------


def heat() -> Iterator[Finding]:
    """How hot the processor is, and what a Pi's firmware says of its power."""
    celsius = _temperature_c()
    if celsius is None:
        yield ok("temperature", "this machine tells none")
    elif celsius >= HOT_C:
        text = f"{celsius:.0f} °C: at {TOO_HOT_C:.0f} °C the processor is slowed down"
        finding = red if celsius >= TOO_HOT_C else warn
        yield finding("temperature", text, "vcgencmd measure_temp   (once it has more air)")
    else:
        yield ok("temperature", f"{celsius:.0f} °C")
    said = _answer("vcgencmd", "get_throttled").rpartition("=")[2]
    if said:
        yield from _power(said)


def _temperature_c() -> float | None:
    said = _answer("vcgencmd", "measure_temp").removeprefix("temp=").removesuffix("'C")
    try:
        return float(said)
    except ValueError:
        zones = sorted(THERMAL.glob("thermal_zone*/temp"))
    readings = [reading for zone in zones if (reading := _millidegrees(zone)) is not None]
    return max(readings, default=None)


def _millidegrees(zone: Path) -> float | None:
    try:
        return int(zone.read_text("ascii")) / 1000
    except (OSError, ValueError):  # a sensor that sleeps refuses to be read
        return None


def _power(said: str) -> Iterator[Finding]:
    try:
        bits = int(said, 16)
    except ValueError:
        yield warn("power", f"vcgencmd says {said!r}", "vcgencmd get_throttled")
        return
    mend = "vcgencmd get_throttled   (0x0 once the Pi has its own power supply and air)"
    now = [text for bit, text in POWER_BITS.items() if bits >> bit & 1]
    before = [text for bit, text in POWER_BITS.items() if bits >> (bit + 16) & 1]
    if now:
        yield red("power", f"{', '.join(now)} ({said})", mend)
    elif before:
        yield warn("power", f"since the start: {', '.join(before)} ({said})", mend)
    else:
        yield ok("power", "neither weak nor throttled since the start")


# -- user ------------------------------------------------------------------------------------------


def user() -> Iterator[Finding]:
    """Who runs this, and on a Pi whether that one may reach its devices."""
    name = os.environ.get("SUDO_USER")
    if os.geteuid() == 0 and name:
        text = f"run by sudo: root's settings and record are not {name}'s"
        yield warn("user", text, "companion doctor   (without sudo)")
        return
    missing = [] if os.geteuid() == 0 or not is_raspberry_pi() else list(_groups_missing())
    if missing:
        text = f"this user is not in {', '.join(missing)}"
        mend = f"sudo usermod -aG {','.join(missing)} $USER   (then log in again)"
        yield red("user", text, mend)
    else:
        yield ok("user", "may reach what this machine has")


def _groups_missing() -> Iterator[str]:
    mine = set(os.getgroups())
    for name in GROUPS:
        try:
            group = grp.getgrnam(name)
        except KeyError:
            continue  # not a group of this system
        if group.gr_gid not in mine:
            yield name


# -- disk ------------------------------------------------------------------------------------------


def disk(folder: Path) -> Iterator[Finding]:
    """Room, how long a line takes to be safe, and how fast much is written."""
    free_mb = shutil.disk_usage(folder).free / MB
    if free_mb < LITTLE_ROOM_MB:
        finding = red if free_mb < NO_ROOM_MB else warn
        yield finding("disk", f"{free_mb:,.0f} MB free in {folder}", ELSEWHERE)
    try:
        sync_ms, speed_mb_s = statistics.median(_syncs_ms(folder)), _speed_mb_s(folder)
    except OSError as wrong:
        yield red("disk", f"{folder} takes no file: {wrong.strerror}", ELSEWHERE)
        return
    slow = sync_ms > SLOW_SYNC_MS or speed_mb_s < SLOW_MB_S
    text = f"{free_mb:,.0f} MB free; a line is on disk in {sync_ms:.1f} ms, {speed_mb_s:.0f} MB/s"
    yield warn("disk", text, f"{ELSEWHERE}   (a faster disk)") if slow else ok("disk", text)


def _syncs_ms(folder: Path) -> list[float]:
    """How long the disk takes to keep a line's worth of bytes."""
    times: list[float] = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return times


def _speed_mb_s(folder: Path) -> float:
    """How fast the disk takes pictures' worth of bytes."""
    block = os.urandom(MB)
    with tempfile.TemporaryFile(dir=folder) as file:
        began = time.perf_counter()
        for _ in range(WRITTEN_MB):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
        return WRITTEN_MB / (time.perf_counter() - began)


def _answer(*command: str) -> str:
    """What a program of the system says; empty where it is not there, or fails."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=ASKED_S, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return said.stdout.strip()


# Devices: screen, fonts, pins, signal process, loudspeaker, camera, sensor box.

PINS_OF_GPIOZERO = "GPIOZERO_PIN_FACTORY"
BOX_S = 3.0
SETTINGS_PINS = "companion   (Settings, Pins: Mock)"


def screen() -> Iterator[Finding]:
    """Whether the touch app could open."""
    display, silent = find_display(os.environ), why_silent(os.environ)
    if silent:
        text = f"{silent}; the demonstration plays in the terminal"
        yield warn("screen", text, "unset DISPLAY WAYLAND_DISPLAY   (or start that desktop)")
    elif display is not None:
        yield ok("screen", str(display))
    else:
        text = "none: `companion` plays the demonstration in the terminal"
        mend = "sudo usermod -aG video,render,input $USER   (a Pi without a desktop; log in again)"
        yield warn("screen", text, mend)


def fonts() -> Iterator[Finding]:
    """Whether the letters are the ones the screens were drawn for."""
    missing = ", ".join(str(face) for face in missing_faces())
    if missing:
        mend = "sudo apt install fonts-roboto-unhinted fonts-b612"
        yield warn("fonts", f"Kivy's own stands in for: {missing}", mend)
    else:
        yield ok("fonts", "Roboto Condensed and B612")


# -- pins and signals ------------------------------------------------------------------------------


def pins(settings: Settings) -> Iterator[Finding]:
    """The pin factory that was chosen, the pins it drives, and what the environment says."""
    said = os.environ.get(PINS_OF_GPIOZERO, settings.pins)
    if settings.pins == "none":
        yield ok("pins", "none chosen: the screen counts alone")
    elif said != settings.pins:
        text = f"{PINS_OF_GPIOZERO}={said} is set; the companion goes by its settings: "
        yield warn("pins", f"{text}{settings.pins}", f"unset {PINS_OF_GPIOZERO}")
        yield from _factory(settings)
    else:
        yield from _factory(settings)


def _factory(settings: Settings) -> Iterator[Finding]:
    try:
        open_factory(settings.pins).close()
    except PinsMissing as missing:
        yield red("pins", str(missing), "sudo apt install python3-lgpio   (then make run)")
        return
    except PanelError as closed:
        group = "sudo usermod -aG gpio $USER   (then log in again)"
        yield red("pins", str(closed), group if is_raspberry_pi() else SETTINGS_PINS)
        return
    wired = sum(getattr(settings.panel.plan, part) is not None for part in PARTS)
    if settings.pins == "mock" and is_raspberry_pi():
        text = "mock pins on a Pi: lamps and buzzer on its header stay silent"
        yield warn("pins", text, "companion   (Settings, Pins: Raspberry Pi)")
    else:
        yield ok("pins", f"pin factory {settings.pins}, {wired} of {len(PARTS)} parts wired")


def signals() -> Iterator[Finding]:
    """The signal process: where it is met, whether it answers, and how punctual it may be."""
    try:
        folder = SignalFolder()
        folder.make()
    except PanelError as nowhere:
        yield red("signals", str(nowhere), "export XDG_RUNTIME_DIR=/run/user/$(id -u)")
        return
    serving = folder.served_by()
    if serving is None:
        yield ok("signals", f"no signal process yet; it will be met in {folder.path}")
        yield from _real_time(_refusal())
        return
    try:
        link = connect(folder, lambda _link, _line: None, lambda _link: None)
    except PanelError as silent:
        text = f"the signal process {serving} does not answer: {silent}"
        yield red("signals", text, f"kill -9 {serving}   (the app starts another)")
        return
    if link is None:
        text = f"the signal process {serving} lets nobody in at {folder.socket}"
        yield red("signals", text, f"kill -9 {serving}   (the app starts another)")
        return
    yield from _serving(link)


def _serving(link: SignalLink) -> Iterator[Finding]:
    hello = link.hello
    trouble, faults = hello.panel.get("trouble"), hello.panel.get("faults")
    link.close()
    if trouble:
        yield red("signals", str(trouble), f"kill {hello.pid}   (the app starts another)")
    else:
        yield ok("signals", f"signal process {hello.pid} serves {hello.pins} pins")
    for button, why in faults.items() if isinstance(faults, dict) else ():
        text = f"the button {button} is {why}: free it, or look at its wire"
        yield red("buttons", text, f"companion doctor   (once GPIO of {button} is free)")
    yield from _real_time(None if hello.real_time else hello.note)


def _refusal() -> str | None:
    """Why real-time scheduling is refused here; asked for by a thread that ends at once."""
    answers: list[str | None] = []
    asking = threading.Thread(target=lambda: answers.append(ask_first()))
    asking.start()
    asking.join()
    return answers[0]


def _real_time(refused: str | None) -> Iterator[Finding]:
    if refused is None:
        yield ok("real time", "granted: the buzzer goes before every other program")
    else:
        text = f"refused ({refused}): under load the buzzer may be some ms late"
        yield warn("real time", text, "companion install   (allows it to the group gpio)")


def loudspeaker(settings: Settings) -> Iterator[Finding]:
    """Whether anything could play a sound, where one is wanted."""
    player = find_player()
    wanted = settings.pins != "none" and wanted_process(settings).player != NONE
    if not wanted:
        yield ok("loudspeaker", "not wanted: the buzzer sounds")
    elif player != NONE:
        yield _sound_card(player)
    else:
        text = f"nothing plays sounds here (none of {', '.join(PLAYERS)}): the screen counts alone"
        yield warn("loudspeaker", text, "sudo apt install alsa-utils")


def _sound_card(player: str) -> Finding:
    """Whether the player has a card to play on, and that is not muted, as far as ALSA knows."""
    if player == "aplay" and not _answer("aplay", "-l"):
        text = "aplay finds no sound card: the screen counts alone"
        return warn("loudspeaker", text, "aplay -l   (on a Pi: dtparam=audio=on in config.txt)")
    if muted := muted_controls(_answer("amixer", "scontents")):
        text = f"through {player}, and muted: {', '.join(muted)}"
        return warn("loudspeaker", text, f"amixer sset '{muted[0]}' 70% unmute")
    return ok("loudspeaker", f"through {player}")


def muted_controls(told: str) -> list[str]:
    r"""Of what `amixer scontents` tells, the controls of all that is played that let nothing by.

    >>> muted_controls("Simple mixer control 'Master',0\n  Mono: Playback 87 [100%] [off]")
    ['Master']
    """
    found = re.findall(r"^Simple mixer control '(.*)',\d+((?:\n .*)*)", told, re.MULTILINE)
    return [
        name
        for name, state in found
        if name in MAIN_CONTROLS and re.search(r"Playback .*(\[off\]|\[0%\])", state)
    ]


def voice(settings: Settings) -> Iterator[Finding]:
    """Whether a sentence can be spoken: one is made for a try, and played to nobody."""
    player = wanted_voice(settings)
    wanted, why = settings.spoken_volume > 0, why_mute(player)
    if not why:
        try:
            render("Hands off the cards")
        except PanelError as wrong:
            why = str(wrong)
    if wanted and why:
        yield warn("voice", f"{why}; the screen says it all", VOICE_MENDS)
    elif wanted:
        yield ok("voice", f"{SPEAKER} speaks through {find_player(player)}")
    else:
        yield ok("voice", f"switched off; {why or f'{SPEAKER} would speak'}")


# -- camera and sensor box -------------------------------------------------------------------------


def camera(settings: Settings) -> Iterator[Finding]:
    """The camera that was chosen, what there is, and the table's file."""
    found = [str(device.stable) for device in usb_devices()]
    if importlib.util.find_spec("picamera2") is not None:
        found.append("Picamera2")
    there = ", ".join(found) or "none"
    missing = why_missing(settings.camera) if settings.camera else ""
    if missing:
        yield red("camera", missing, "companion   (Settings, Camera)")
    elif settings.camera:
        yield ok("camera", f"chosen: {settings.camera}; there are: {there}")
    elif found:
        yield warn("camera", f"none chosen; there are: {there}", "companion   (Settings, Camera)")
    else:
        text = "none: the table goes on by touch"
        yield warn("camera", text, "companion see usb   (once a USB camera is plugged in)")
    if settings.table_file:
        yield from _table(Path(settings.table_file))


def _table(path: Path) -> Iterator[Finding]:
    try:
        load_table(path, plans())
    except (CompanionError, OSError) as wrong:
        text = f"the table's file cannot be used: {wrong}"
        yield red("table", text, f"companion calibrate --out {path}")
    else:
        yield ok("table", str(path))


def box(settings: Settings) -> Iterator[Finding]:
    """The sensor box, where one is wanted or plugged in."""
    try:
        ports = find_ports(settings.box)
        open_port(ports[0]).close()
        yield _heard(ports[0])
    except BoxAbsent as absent:
        wanted = settings.sounds_from == "box" or settings.box
        mend = "companion   (Settings, Sounds come from: Pins; or plug the box in)"
        yield red("box", str(absent), mend) if wanted else ok("box", "none plugged in")
    except BoxBusy as busy:
        yield warn("box", str(busy), "companion doctor   (once that program has ended)")
    except PanelError as closed:
        yield red("box", str(closed), "sudo usermod -aG dialout $USER   (then log in again)")


def _heard(port: str) -> Finding:
    """What the sensor box says of itself, if it says anything within a few seconds."""
    until = time.monotonic() + BOX_S
    with SensorBox(port) as box:
        while (state := box.state()).board == "" and time.monotonic() < until:
            time.sleep(0.05)
    if state.trouble:
        return red("box", state.trouble, "companion box install")
    if not state.board:
        text = f"{port} says nothing that a sensor box would: is its program on it?"
        return red("box", text, "companion box install")
    return ok("box", f"{state.board} on {port}, program {state.firmware}")


# Software: what is installed, and whether its versions fit each other.

US = "dogfight-companion"
LIBRARIES = {
    "sqlalchemy": "sqlalchemy",
    "pydantic": "pydantic",
    "numpy": "numpy",
    "opencv-python": "cv2",
    "gpiozero": "gpiozero",
    "pyserial": "serial",
    "reportlab": "reportlab",
    "tomlkit": "tomlkit",
}
"""Loaded for a try: what is installed may still lack a library of the system."""

SYSTEM_LIBRARIES = "sudo apt install libgl1 libglib2.0-0 libxcb1"
SET_UP = "make run"
PIP = f"{sys.executable} -m pip install"


def python() -> Iterator[Finding]:
    """The interpreter that runs this."""
    text = f"companion {app_version()}, Python {platform.python_version()}, {platform.machine()}"
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        yield ok("python", text)
    else:
        yield red("python", text, f"{SET_UP}   (with Python 3.11, 3.12 or 3.13 installed)")


def libraries(settings: Settings) -> Iterator[Finding]:
    """Every library loads, and each finds the versions it was made for."""
    loaded: list[str] = []
    for package, module in LIBRARIES.items():
        try:
            importlib.import_module(module)
            loaded.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            loaded.append(f"{package} (the system's)")
        except ImportError as missing:
            mend = SYSTEM_LIBRARIES if ".so" in str(missing) else SET_UP
            yield red("libraries", f"{package}: {missing}", mend)
    try:
        loaded.append(f"kivy {version('kivy')}")
    except PackageNotFoundError:
        yield red("libraries", "kivy, for the touch app, is not installed", SET_UP)
    yield ok("libraries", ", ".join(loaded))
    yield from versions()
    yield from _lgpio(settings)
    yield from _simplejpeg()


# -- versions --------------------------------------------------------------------------------------


def versions() -> Iterator[Finding]:
    """Every version that somebody asks for is the one that is there."""
    wrong = [
        *_unfit(US, _our_requirements()),
        *(fault for package in LIBRARIES for fault in _unfit(package, _requirements(package))),
    ]
    yield from wrong
    if not wrong:
        yield ok("versions", "every library finds the versions it was made for")


def _our_requirements() -> list[Requirement]:
    """What we ask for: as installed, else as the project's own file says."""
    installed = _requirements(US)
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if installed or not project.is_file():
        return installed
    declared: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
    return [Requirement(line) for line in declared]


def _requirements(package: str) -> list[Requirement]:
    """What an installed package asks for on this machine, its extras aside."""
    try:
        asked = [Requirement(line) for line in requires(package) or ()]
    except PackageNotFoundError:
        return []
    return [one for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})]


def _unfit(package: str, requirements: list[Requirement]) -> Iterator[Finding]:
    for wanted in requirements:
        try:
            there = version(wanted.name)
        except PackageNotFoundError:
            text = f"{package} wants {wanted.name}{wanted.specifier}, which is not installed"
            yield red("versions", text, f"{PIP} '{wanted.name}{wanted.specifier}'")
            continue
        if not wanted.specifier.contains(there, prereleases=True):
            text = f"{package} wants {wanted.name}{wanted.specifier}; {there} is installed"
            yield red("versions", text, f"{PIP} '{wanted.name}{wanted.specifier}'")


# -- traps of the Pi -------------------------------------------------------------------------------


def _lgpio(settings: Settings) -> Iterator[Finding]:
    """Python 3.13 without the distribution's package gets release 0.0.0.2: a file of no bytes."""
    found = importlib.util.find_spec("lgpio")
    if found is None or found.origin is None or Path(found.origin).stat().st_size > 0:
        return
    text = f"lgpio is an empty release: {found.origin} has no bytes, and drives no pin"
    mend = f"{sys.executable} -m pip uninstall -y lgpio && sudo apt install python3-lgpio"
    yield (red if settings.pins == "lgpio" else warn)("libraries", text, mend)


def _simplejpeg() -> Iterator[Finding]:
    """The distribution's, which Picamera2 loads, is built for an older numpy than OpenCV wants."""
    if importlib.util.find_spec("simplejpeg") is None:
        return
    try:
        importlib.import_module("simplejpeg")
    except Exception as unfit:  # noqa: BLE001 - a ValueError of numpy's, or worse
        text = f"simplejpeg does not fit this numpy ({unfit}): Picamera2 cannot be used"
        yield red("libraries", text, f"{PIP} --force-reinstall 'simplejpeg>=1.9'")
