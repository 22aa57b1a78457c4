"""The machine itself: its clock, temperature and power, groups, room and speed of the disk."""

from __future__ import annotations

import grp
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from companion.commands.finding import Finding, ok, red, warn
from ui.settings import is_raspberry_pi

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
