"""The files that make a Raspberry Pi an appliance: service, limits, autostart."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SIGN = "# Written by `companion install`; `companion uninstall` takes it away."
"""The first line of every file of ours: what lacks it belongs to somebody else."""

SERVICE = "companion.service"
RT_PRIORITY = 20
LOCKED_KB = 262_144
WATCHDOG_S = 20
GROUPS = ("gpio", "video", "render", "input", "audio", "dialout")
"""Whose members may reach pins, screen, touches, loudspeaker and sensor box."""

SYSTEM_UNITS = Path("/etc/systemd/system")
LIMITS = Path("/etc/security/limits.d/companion.conf")
USER_LIMITS = SYSTEM_UNITS / "user@.service.d" / "companion.conf"


@dataclass(frozen=True, slots=True)
class Person:
    """Whose companion it is: never root's, whose settings nobody finds again."""

    name: str
    uid: int
    gid: int
    home: Path
    groups: Sequence[str]


def program() -> str:
    """The command that starts the app, as this Python has it: installed, or from its source.

    Quoted as systemd reads it, which also takes a percent sign for its own.
    """
    python = Path(sys.executable)
    installed = python.with_name("companion")
    if installed.exists():
        return _quoted(installed)
    source = Path(__file__).resolve().parents[2]
    words = (f"PYTHONPATH={source}", python)
    return f"/usr/bin/env {' '.join(_quoted(word) for word in words)} -m companion"


def _quoted(word: object) -> str:
    text = str(word).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{text}"' if " " in text else text


def service_of_machine(person: Person) -> str:
    """The unit of a Pi without a desktop: the app owns the first console and its screen.

    XDG_RUNTIME_DIR is the lingering user's, which stays when the app is started anew: the signal
    process is met there again.
    """
    return f"""{SIGN}
[Unit]
Description=Dogfight companion
After=systemd-user-sessions.service user@{person.uid}.service getty@tty1.service sound.target
Wants=user@{person.uid}.service
Conflicts=getty@tty1.service
StartLimitIntervalSec=0

[Service]
{_kept_alive()}
User={person.name}
SupplementaryGroups={" ".join(person.groups)}
WorkingDirectory=~
Environment=XDG_RUNTIME_DIR=/run/user/{person.uid}
Environment=SDL_VIDEODRIVER=kmsdrm
ExecStartPre=-+/bin/sh -c 'setterm --term linux --blank 0 --powerdown 0 >/dev/tty1'
ExecStart={program()}
TTYPath=/dev/tty1
TTYReset=yes
TTYVHangup=yes
TTYVTDisallocate=yes
StandardInput=tty-fail
StandardOutput=journal
StandardError=journal

[Install]
WantedBy=multi-user.target
"""


def service_of_session() -> str:
    """The unit of a Pi with a desktop: the session starts it, the screen is the desktop's."""
    return f"""{SIGN}
[Unit]
Description=Dogfight companion
PartOf=graphical-session.target
StartLimitIntervalSec=0

[Service]
{_kept_alive()}
ExecStart={program()}
"""


def _kept_alive() -> str:
    """What both units share: watched, started anew, and the buzzer's process left in peace.

    KillMode=process: stopping the app must not stop a round that sounds.
    """
    return f"""Type=notify
NotifyAccess=main
Environment=COMPANION_KIOSK=1
WatchdogSec={WATCHDOG_S}
TimeoutStartSec=120
Restart=always
RestartSec=2
KillMode=process
LimitRTPRIO={RT_PRIORITY}
LimitMEMLOCK={LOCKED_KB}K"""


def autostart() -> str:
    """The desktop's entry: it hands the session's screen to the service, and starts that."""
    names = "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_SESSION_TYPE XDG_CURRENT_DESKTOP"
    start = f"systemctl --user import-environment {names}; systemctl --user restart {SERVICE}"
    return f"""{SIGN}
[Desktop Entry]
Type=Application
Name=Dogfight companion
Exec=sh -c "{start}"
X-GNOME-Autostart-enabled=true
"""


def limits() -> str:
    """What members of the group gpio may ask for when they start the companion by hand."""
    return f"{SIGN}\n@gpio - rtprio {RT_PRIORITY}\n@gpio - memlock {LOCKED_KB}\n"


def limits_of_sessions() -> str:
    """The same for what a desktop session's services may ask for."""
    return f"{SIGN}\n[Service]\nLimitRTPRIO={RT_PRIORITY}\nLimitMEMLOCK={LOCKED_KB}K\n"
