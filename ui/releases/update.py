"""`companion update`: a newer release from a stick or a folder, without a network, and back."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from companion.core.errors import BadCall, CompanionError
from ui.releases import starter
from ui.releases.releases import WHEELS, Releases, found_wheel

SERVICE = "companion.service"
COMMAND_S = 180.0
VERDICT_S = 300.0
"""A release is ready or given up within this: three starts of systemd's patience at most."""

FIRST = "the one that was set up first"

Source = Annotated[
    Path | None,
    typer.Argument(help="A wheel, a folder or stick with one, or a source tree; else any stick."),
]
Back = Annotated[bool, typer.Option("--back", help="Go back to the release before.")]
Later = Annotated[bool, typer.Option("--later", help="Start nothing anew: at the next start.")]


def update(source: Source = None, *, back: Back = False, later: Later = False) -> int:
    """Put a newer release in place of this one, or go back; 1 if it did not start and went."""
    releases = Releases()
    if back and source is not None:
        raise BadCall("--back takes no source: it is the release before")
    _refuse_another_owner()
    service = None if later else running_service()
    if service is not None:
        _refuse_in_a_round()
    if back:
        _say(f"Back to {releases.go_back(_record()) or FIRST}.")
        return _start_anew(service)
    name = _made(releases, source or _on_a_stick())
    if name == releases.current:
        _say(f"{name} runs here already: nothing is changed.")
        return 0
    releases.put_on_trial(name)
    if service is None:
        _say(f"{name} is there from the next start on. To go back: companion update --back")
        return 0
    return _judged(releases, name, service)


def _on_a_stick() -> Path:
    from ui.table.settings_file import sticks

    for stick in sticks():
        if any(stick.glob(WHEELS)):
            return stick
    raise BadCall(f"no stick that is plugged in has {WHEELS}: name a wheel or a folder")


def _made(releases: Releases, source: Path) -> str:
    """The release that a source means, unpacked and tried on a copy of the record.

    No key signs a release: what is said of the wheel lets people compare it with what they got.
    """
    with TemporaryDirectory() as work:
        wheel = found_wheel(source.absolute(), Path(work))
        _say(f"Unpacking {wheel.name}…")
        name = releases.make(wheel)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        _say(f"Nobody has signed it: it is as good as whoever gave it to you. SHA-256 {digest}")
    _say(f"Trying {name} on a copy of the record…")
    releases.try_out(name, _record())
    return name


def _record() -> str:
    from ui.table.settings_file import SettingsFile

    return SettingsFile.load().settings.record_place


def _judged(releases: Releases, name: str, service: RunningService) -> int:
    """Start the app anew with the release, and wait until it is on the screen, or gone."""
    _say(f"Starting the app anew with {name}…")
    service.restart()
    until = time.monotonic() + VERDICT_S
    while releases.on_trial and time.monotonic() < until:
        time.sleep(1.0)
    if releases.on_trial:  # systemd does not even start it
        starter.give_up(releases.folder)
        service.restart()
    if releases.current != name:
        _say(f"{name} did not come to the screen: {releases.current or FIRST} is back.")
        _say(f"What it said: {service.why}")
        return 1
    _say(f"{name} is on the screen. To go back: companion update --back")
    return 0


def _start_anew(service: RunningService | None) -> int:
    if service is None:
        _say("It is there from the next start on.")
    else:
        service.restart()
        _say("The app has been started anew.")
    return 0


# The app as systemd runs it.


@dataclass(frozen=True, slots=True)
class RunningService:
    """The app's service, the machine's or the session's; `call` is how systemd is told."""

    call: Sequence[str]
    why: str

    def restart(self) -> None:
        """Start it anew; returns when it is ready or has failed once. BadCall: not allowed."""
        try:
            ran = _quiet(*self.call, "restart", SERVICE)
        except (OSError, subprocess.TimeoutExpired) as wrong:
            raise BadCall(f"the app cannot be started anew: {wrong}") from wrong
        if any(word in ran.stderr for word in ("denied", "authentication", "sudo:")):
            raise BadCall(f"the app cannot be started anew ({ran.stderr.strip()}): sudo reboot")


def running_service(
    ask: Callable[..., subprocess.CompletedProcess[str]] | None = None,
) -> RunningService | None:
    """The service by which the app runs on this machine now; None where it runs by hand or not."""
    if shutil.which("systemctl") is None:
        return None
    root = () if os.geteuid() == 0 else ("sudo",)
    ways = (
        RunningService((*root, "systemctl"), f"journalctl -b -u {SERVICE}"),
        RunningService(("systemctl", "--user"), f"journalctl --user -b -u {SERVICE}"),
    )
    for way in ways:
        words = [word for word in way.call if word != "sudo"]
        try:
            if (ask or _quiet)(*words, "is-active", SERVICE).returncode == 0:
                return way
        except (OSError, subprocess.TimeoutExpired):
            continue
    return None


def _quiet(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=False)


def _refuse_another_owner() -> None:
    """BadCall for root at a user's companion: the app could not end a trial that root began."""
    owner = Path(sys.prefix).stat().st_uid
    if owner != os.geteuid():
        name = pwd.getpwuid(owner).pw_name
        raise BadCall(f"this companion is {name}'s: let {name} update it, without sudo")


def _refuse_in_a_round() -> None:
    """BadCall while a round runs: its buzzer would go on, its screen would be away."""
    from hardware.signals.folder import SignalFolder
    from hardware.signals.link import connect

    try:
        link = connect(SignalFolder(), lambda _link, _line: None, lambda _link: None)
        if link is None:
            return
        armed = link.ask("adopt").get("round")
        link.close()
    except CompanionError:
        return  # of another release: it is replaced with the app
    if armed is not None:
        raise BadCall("a round runs at this table: update after its buzzer")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - this is the terminal
