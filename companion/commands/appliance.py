"""What makes a Raspberry Pi an appliance, step by step, and what undoes it.

A step is a file to write, a file to remove, or a command of the system. Each is told with its
reason, and done only where it is not done already, so that everything may be done twice.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from companion.commands import appliance_files as files
from companion.commands.appliance_files import Person
from companion.core.errors import BadCall

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
class Run:
    """A command of the system, which changes nothing where all is as it should be."""

    command: tuple[str, ...]
    why: str
    may_fail: bool = False


Step = Write | Remove | Run

OFFLINE = (("systemctl", "enable"), ("systemctl", "disable"))
"""The commands that also work on an image that is not running."""


class State(Enum):
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
    return Person(
        name, entry.pw_uid, entry.pw_gid, Path(entry.pw_dir), tuple(_existing(files.GROUPS))
    )


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


def install_steps(person: Person, *, desktop: bool) -> Iterator[Step]:
    """Everything that makes this machine start the companion by itself."""
    missing = [group for group in person.groups if not _is_member(person, group)]
    if missing:
        command = ("usermod", "-aG", ",".join(missing), person.name)
        yield Run(command, "may reach pins, screen, touches and sensor box")
    yield Write(files.LIMITS, files.limits(), "the buzzer may go before every other program")
    yield from _with_desktop(person) if desktop else _without_desktop(person)


def _without_desktop(person: Person) -> Iterator[Step]:
    for path in _session_files(person):
        yield Remove(path, "this system has no desktop any more")
    unit = files.SYSTEM_UNITS / files.SERVICE
    yield Write(unit, files.service_of_machine(person), "starts the app on the bare screen")
    yield Run(
        ("loginctl", "enable-linger", person.name),
        "its runtime folder is there from the start, and stays",
    )
    yield Run(("systemctl", "daemon-reload"), "systemd reads the new unit")
    yield Run(("systemctl", "enable", files.SERVICE), "at every start of this machine")


def _with_desktop(person: Person) -> Iterator[Step]:
    unit, entry = _session_files(person)
    yield Run(("systemctl", "disable", files.SERVICE), "the desktop has the screen", may_fail=True)
    yield Remove(files.SYSTEM_UNITS / files.SERVICE, "the desktop has the screen")
    text = files.limits_of_sessions()
    yield Write(files.USER_LIMITS, text, "the same for what a desktop session starts")
    yield Write(unit, files.service_of_session(), "watches the app, starts it anew", person)
    yield Write(entry, files.autostart(), "starts it with the desktop", person)
    yield Run(("systemctl", "daemon-reload"), "systemd reads the new limits")
    if shutil.which("raspi-config"):
        command = ("raspi-config", "nonint", "do_blanking", "1")
        yield Run(command, "the desktop does not blank the screen", may_fail=True)


def _session_files(person: Person) -> tuple[Path, Path]:
    config = person.home / ".config"
    return config / "systemd/user" / files.SERVICE, config / "autostart/companion.desktop"


def uninstall_steps(person: Person) -> Iterator[Step]:
    """What takes the appliance away again; records and settings stay where they are."""
    unit, entry = _session_files(person)
    for verb, why in (("disable", "it does not start any more"), ("stop", "it ends now")):
        yield Run(("systemctl", verb, files.SERVICE), why, may_fail=True)
    for path, why in {
        files.SYSTEM_UNITS / files.SERVICE: "the service of the bare screen",
        unit: "the service of the desktop",
        entry: "its start with the desktop",
        files.USER_LIMITS: "what a desktop session may ask for",
        files.LIMITS: "what the group gpio may ask for",
    }.items():
        yield Remove(path, why)
    yield Run(("systemctl", "daemon-reload"), "systemd forgets the unit", may_fail=True)


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

    def state_of(self, step: Step) -> State:
        """How far a step is; BadCall where a file of somebody else is in the way."""
        if isinstance(step, Run):
            return State.OPEN if self.here or step.command[:2] in OFFLINE else State.LATER
        return State.DONE if self._is_done(step) else State.OPEN

    def _is_done(self, step: Write | Remove) -> bool:
        path = self._at(step.path)
        text = _text(path)
        if text is not None and not text.startswith(files.SIGN):
            if isinstance(step, Remove):
                return True
            raise BadCall(f"{path} is not of `companion install`: move it away first")
        return text is None if isinstance(step, Remove) else text == step.text

    def do(self, step: Step) -> None:
        """Do it; BadCall with what the system said where it cannot be done."""
        match step:
            case Run(command, _, may_fail) if self.here:
                self._run(*self._sudo, *command, may_fail=may_fail)
            case Run(command, _, may_fail):
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
