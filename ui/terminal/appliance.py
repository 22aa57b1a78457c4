"""`companion install` and `uninstall`: the files and steps that make a Raspberry Pi an appliance.

A step is a file to write, a file to remove, or a command of the system. Each is told with its
reason, and done only where it is not done already, so that everything may be done twice.
"""

from __future__ import annotations

import grp
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from companion.core.errors import BadCall
from ui.table import FILE_NAME
from ui.table.settings_file import SettingsFile

# The files: service, limits, autostart.

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
    process is met there again. It takes files when the card takes none, so temporary ones go there.
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
Environment=XDG_RUNTIME_DIR=/run/user/{person.uid} TMPDIR=/run/user/{person.uid}
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
{_walled_in()}

[Install]
WantedBy=multi-user.target
"""


DEVICES = (
    *("char-drm", "char-input", "char-tty", "/dev/tty"),  # the screen and what touches it
    *("char-gpiochip", "/dev/gpiomem"),  # buzzer, lamps, buttons
    *("char-81", "char-media", "char-dma_heap"),  # video4linux: USB cameras and the Pi's own
    *("char-166", "char-188", "char-usb_device"),  # ttyACM, ttyUSB: the sensor box
    "char-116",  # alsa: the loudspeaker
)
"""What the unit of the bare screen may open, by systemd's names: besides these it has /dev/null and
its like. What is plugged in later stands by its number (the kernel's devices.txt): systemd looks a
name up when it starts the unit, and passes it over while no driver has it."""


def _walled_in() -> str:
    """What the app cannot do even if a picture or a file takes it over.

    The system is read-only to it, other devices are closed, and it cannot gain rights. Wherever
    else that user may write it may too: settings name any folder for records and table files.
    """
    devices = "\n".join(f"DeviceAllow={name} rw" for name in DEVICES)
    return f"""NoNewPrivileges=yes
ProtectSystem=full
PrivateTmp=yes
ProtectClock=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectHostname=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
LockPersonality=yes
CapabilityBoundingSet=
UMask=0077
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
DevicePolicy=closed
{devices}"""


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
NoNewPrivileges=yes
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
    """What a desktop session's services may ask for, as members of the group gpio may."""
    return f"{SIGN}\n[Service]\nLimitRTPRIO={RT_PRIORITY}\nLimitMEMLOCK={LOCKED_KB}K\n"


# The steps.

ROOT_UID = 0
COMMAND_S = 120.0


@dataclass(frozen=True, slots=True)
class Write:
    """A file as it is to be; `theirs` (a person's own, not the system's) is owned by them."""

    path: Path
    text: str
    why: str
    theirs: Person | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """A file of ours that is to go."""

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class SystemCommand:
    """A command of the system, which changes nothing where all is as it should be."""

    command: tuple[str, ...]
    why: str
    may_fail: bool = False


Step = Write | Remove | SystemCommand

OFFLINE = (("systemctl", "enable"), ("systemctl", "disable"))
"""The commands that also work on an image that is not running."""


class StepState(Enum):
    """Whether a step is to be done, has been done, or can only be done on the machine itself."""

    OPEN = "doing"
    DONE = "kept"
    LATER = "later"


def person_named(name: str) -> Person:
    """A user of this machine; BadCall for root, and for a name that nobody has."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise BadCall(f"no user {name!r} on this machine: name one with --user") from None
    if entry.pw_uid == ROOT_UID:
        raise BadCall(
            "the app is a person's, not root's, whose settings nobody finds again: name the user "
            "with --user, as --user pi"
        )
    return Person(name, entry.pw_uid, entry.pw_gid, Path(entry.pw_dir), tuple(_existing(GROUPS)))


def _existing(names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        try:
            yield grp.getgrnam(name).gr_name
        except KeyError:
            continue


def who_asked() -> str:
    """The user whose companion it is to be: who called sudo, else who runs this."""
    return os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name


def has_desktop(root: Path = Path("/")) -> bool:
    """Whether this system starts a desktop: its default target says so."""
    default = root / "etc/systemd/system/default.target"
    if not default.is_symlink():
        default = root / "lib/systemd/system/default.target"
    return default.is_symlink() and default.readlink().name == "graphical.target"


# -- what is to be done ----------------------------------------------------------------------------

PROGRAM = Path(__file__).resolve().parents[2]
ROOMS = ("companion", "hardware", "vision", "ui")


def install_steps(person: Person, *, desktop: bool) -> Iterator[Step]:
    """Everything that makes this machine start the companion by itself."""
    missing = [group for group in person.groups if not _is_member(person, group)]
    if missing:
        command = ("usermod", "-aG", ",".join(missing), person.name)
        yield SystemCommand(command, "may reach pins, screen, touches and sensor box")
    yield Write(LIMITS, limits(), "the buzzer may go before every other program")
    yield from bytecode_steps(PROGRAM)
    yield from _with_desktop(person) if desktop else _without_desktop(person)


def bytecode_steps(program: Path) -> Iterator[SystemCommand]:
    """The whole program as bytecode, which belongs to whoever owns the program.

    Folders of bytecode that root made would be closed to the app: what is not in them it would
    translate at every start.
    """
    rooms = tuple(str(program / room) for room in ROOMS)
    yield SystemCommand(
        (sys.executable, "-m", "compileall", "-q", *rooms),
        "the first start is as quick as all others",
        may_fail=True,
    )
    theirs = ("chown", "-R", f"--reference={program}", "{}", "+")
    yield SystemCommand(
        ("find", *rooms, "-name", "__pycache__", "-exec", *theirs),
        "the app may write there, too",
        may_fail=True,
    )


def _without_desktop(person: Person) -> Iterator[Step]:
    for path in _session_files(person):
        yield Remove(path, "this system has no desktop any more")
    unit = SYSTEM_UNITS / SERVICE
    yield Write(unit, service_of_machine(person), "starts the app on the bare screen")
    yield SystemCommand(
        ("loginctl", "enable-linger", person.name),
        "its runtime folder is there from the start, and stays",
    )
    yield SystemCommand(("systemctl", "daemon-reload"), "systemd reads the new unit")
    yield SystemCommand(("systemctl", "enable", SERVICE), "at every start of this machine")


def _with_desktop(person: Person) -> Iterator[Step]:
    unit, entry = _session_files(person)
    yield SystemCommand(
        ("systemctl", "disable", SERVICE), "the desktop has the screen", may_fail=True
    )
    yield Remove(SYSTEM_UNITS / SERVICE, "the desktop has the screen")
    text = limits_of_sessions()
    yield Write(USER_LIMITS, text, "the same for what a desktop session starts")
    yield Write(unit, service_of_session(), "watches the app, starts it anew", person)
    yield Write(entry, autostart(), "starts it with the desktop", person)
    yield SystemCommand(("systemctl", "daemon-reload"), "systemd reads the new limits")
    if shutil.which("raspi-config"):
        command = ("raspi-config", "nonint", "do_blanking", "1")
        yield SystemCommand(command, "the desktop does not blank the screen", may_fail=True)


def _session_files(person: Person) -> tuple[Path, Path]:
    config = person.home / ".config"
    return config / "systemd/user" / SERVICE, config / "autostart/companion.desktop"


def uninstall_steps(person: Person) -> Iterator[Step]:
    """What takes the appliance away again; records and settings stay where they are."""
    unit, entry = _session_files(person)
    for verb, why in (("disable", "it does not start any more"), ("stop", "it ends now")):
        yield SystemCommand(("systemctl", verb, SERVICE), why, may_fail=True)
    for path, why in {
        SYSTEM_UNITS / SERVICE: "the service of the bare screen",
        unit: "the service of the desktop",
        entry: "its start with the desktop",
        USER_LIMITS: "what a desktop session may ask for",
        LIMITS: "what the group gpio may ask for",
    }.items():
        yield Remove(path, why)
    yield SystemCommand(("systemctl", "daemon-reload"), "systemd forgets the unit", may_fail=True)


def _is_member(person: Person, group: str) -> bool:
    entry = grp.getgrnam(group)
    return person.name in entry.gr_mem or pwd.getpwnam(person.name).pw_gid == entry.gr_gid


# -- doing it --------------------------------------------------------------------------------------


class Doer:
    """Does steps on this machine, or below another root, where only files are written."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self._sudo = () if os.geteuid() == ROOT_UID else ("sudo",)

    @property
    def here(self) -> bool:
        """Whether this very machine is changed."""
        return self.root == Path("/")

    def check(self) -> None:
        """BadCall where this user may change nothing of the system."""
        if self.here and self._sudo and shutil.which("sudo") is None:
            raise BadCall("only root may do this, and there is no sudo: let root run it")

    def state_of(self, step: Step) -> StepState:
        """How far a step is; BadCall where a file of somebody else is in the way."""
        if isinstance(step, SystemCommand):
            return StepState.OPEN if self.here or step.command[:2] in OFFLINE else StepState.LATER
        return StepState.DONE if self._is_done(step) else StepState.OPEN

    def _is_done(self, step: Write | Remove) -> bool:
        path = self._at(step.path)
        text = _text(path)
        if text is not None and not text.startswith(SIGN):
            if isinstance(step, Remove):
                return True
            raise BadCall(f"{path} is not of `companion install`: move it away first")
        return text is None if isinstance(step, Remove) else text == step.text

    def do(self, step: Step) -> None:
        """Do it; BadCall with what the system said where it cannot be done."""
        match step:
            case SystemCommand(command, _, may_fail) if self.here:
                self._run(*self._sudo, *command, may_fail=may_fail)
            case SystemCommand(command, _, may_fail):
                program, *words = command
                offline = f"--root={self.root.absolute()}"
                self._run(program, offline, *words, may_fail=may_fail)
            case Write(path, text, _, theirs) if theirs is None or self._sudo == ():
                self._write(self._at(path), text, theirs)
            case Write(path, text):
                self._at(path).parent.mkdir(parents=True, exist_ok=True)
                self._at(path).write_text(text, "utf-8")
            case Remove(path):
                self._run(*self._privileged(), "rm", "--force", str(self._at(path)))

    def _write(self, path: Path, text: str, theirs: Person | None) -> None:
        """`install` makes the folders, the mode and the owner in one command."""
        owner = (
            () if theirs is None or not self.here else ("-o", theirs.name, "-g", str(theirs.gid))
        )
        if theirs is not None and self.here:
            for folder in reversed([one for one in path.parents if not one.exists()]):
                self._run("install", "-d", *owner, str(folder))
        command = (
            *self._privileged(),
            "install",
            "-D",
            "-m",
            "644",
            *owner,
            "/dev/stdin",
            str(path),
        )
        self._run(*command, text=text)

    def _privileged(self) -> tuple[str, ...]:
        return self._sudo if self.here else ()

    def _run(self, *command: str, text: str = "", may_fail: bool = False) -> None:
        try:
            subprocess.run(
                command,
                input=text.encode(),
                capture_output=True,
                timeout=COMMAND_S,
                check=not may_fail,
            )
        except subprocess.CalledProcessError as failed:
            said = failed.stderr.decode("utf-8", "replace").strip()
            raise BadCall(f"`{' '.join(command)}` failed: {said}") from failed
        except (OSError, subprocess.TimeoutExpired) as failed:
            if not may_fail:
                raise BadCall(f"`{' '.join(command)}` cannot be run: {failed}") from failed

    def _at(self, path: Path) -> Path:
        return path if self.here else self.root / path.relative_to("/")


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadCall(f"{path} cannot be read: {wrong}") from wrong


# The two commands.

SCREENS = ("lite", "desktop")
ROTATIONS = (0, 90, 180, 270)


User = Annotated[str, typer.Option("--user", help="Whose companion; else who runs this.")]
Into = Annotated[
    Path, typer.Option("--into", help="Write files below this folder and run nothing: an image.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done.")]


def install(
    user: User = "",
    on: Annotated[str, typer.Option(help="lite or desktop; else as this system is.")] = "",
    rotate: Annotated[
        int | None, typer.Option(help="Degrees by which the screen is turned: 0, 90, 180, 270.")
    ] = None,
    into: Into = Path("/"),
    *,
    dry_run: DryRun = False,
) -> int:
    """Make this Raspberry Pi start the companion by itself; may be done again."""
    if on not in ("", *SCREENS):
        raise BadCall(f"--on {on}: it is {' or '.join(SCREENS)}; without it this system decides")
    if rotate not in (None, *ROTATIONS):
        raise BadCall(f"--rotate {rotate}: degrees are {', '.join(map(str, ROTATIONS))}")
    person, doer = person_named(user or who_asked()), Doer(into)
    desktop = on == "desktop" if on else has_desktop(into)
    doer.check()
    _do(install_steps(person, desktop=desktop), doer, dry_run=dry_run)
    if rotate is not None:
        _turn(person, rotate, into, dry_run=dry_run)
    _say("The companion starts with the next start of this machine: sudo reboot")
    return 0


def uninstall(user: User = "", into: Into = Path("/"), *, dry_run: DryRun = False) -> int:
    """Stop this machine from starting the companion by itself; records and settings stay."""
    person, doer = person_named(user or who_asked()), Doer(into)
    doer.check()
    _do(uninstall_steps(person), doer, dry_run=dry_run)
    _say("Records, settings and groups are left as they are; the program itself too.")
    return 0


def _do(steps: Iterable[Step], doer: Doer, *, dry_run: bool) -> None:
    """Tell each step with its reason, and do it unless it is done or only told."""
    for step in steps:
        state = doer.state_of(step)
        if isinstance(step, Remove) and state is StepState.DONE:
            continue  # it was never there: nothing to tell
        opened = state is StepState.OPEN
        word = "would" if opened and dry_run else state.value
        _say(f"{word:6}{_in_words(step)}   ({step.why})")
        if isinstance(step, Write) and opened and dry_run:
            _say("\n".join(f"      | {line}".rstrip() for line in step.text.splitlines()))
        if opened and not dry_run:
            doer.do(step)


def _in_words(step: Step) -> str:
    match step:
        case Write(path):
            return f"write {path}"
        case Remove(path):
            return f"remove {path}"
        case SystemCommand(command):
            return shlex.join(command)


def _turn(person: Person, degrees: int, root: Path, *, dry_run: bool) -> None:
    """Turn the picture in that user's own settings; their other settings stay."""
    path = person.home / ".config" / "companion" / FILE_NAME
    if root != Path("/"):
        path = root / path.relative_to("/")
    _say(f"{'would' if dry_run else 'doing':6}rotation = {degrees} in {path}   (as it is mounted)")
    if dry_run:
        return
    file = SettingsFile.load(path)
    saved = file.saved(file.settings.changed("rotation", degrees))
    if saved.trouble:
        raise BadCall(saved.trouble)
    if os.geteuid() == ROOT_UID and root == Path("/"):  # else root's file is in the user's way
        for own in (path.parent.parent, path.parent, path):
            os.chown(own, person.uid, person.gid)


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - this is the terminal
