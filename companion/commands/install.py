"""`companion install` and `companion uninstall`: the appliance that starts by itself."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from companion.commands.appliance import (
    ROOT_UID,
    Doer,
    Remove,
    Run,
    State,
    Step,
    Write,
    has_desktop,
    install_steps,
    person_named,
    uninstall_steps,
    who_asked,
)
from companion.commands.appliance_files import Person
from companion.core.errors import BadCall
from ui.settings_file import FILE_NAME, SettingsFile

SCREENS = ("lite", "desktop")
ROTATIONS = (0, 90, 180, 270)


def install(
    user: str, on: str, root: Path, rotate: int | None = None, *, dry_run: bool = False
) -> int:
    """Make this machine start the companion by itself; may be done again at any time."""
    if on not in ("", *SCREENS):
        raise BadCall(f"--on {on}: it is {' or '.join(SCREENS)}; without it this system decides")
    if rotate not in (None, *ROTATIONS):
        raise BadCall(f"--rotate {rotate}: degrees are {', '.join(map(str, ROTATIONS))}")
    person, doer = person_named(user or who_asked()), Doer(root)
    desktop = on == "desktop" if on else has_desktop(root)
    doer.check()
    _do(install_steps(person, desktop=desktop), doer, dry_run=dry_run)
    if rotate is not None:
        _turn(person, rotate, root, dry_run=dry_run)
    _say("The companion starts with the next start of this machine: sudo reboot")
    return 0


def uninstall(user: str, root: Path, *, dry_run: bool = False) -> int:
    """Take the appliance away; records, settings and memberships of groups stay."""
    person, doer = person_named(user or who_asked()), Doer(root)
    doer.check()
    _do(uninstall_steps(person), doer, dry_run=dry_run)
    _say("Records, settings and groups are left as they are; the program itself too.")
    return 0


def _do(steps: Iterable[Step], doer: Doer, *, dry_run: bool) -> None:
    """Tell each step with its reason, and do it unless it is done or only told."""
    for step in steps:
        state = doer.state_of(step)
        if isinstance(step, Remove) and state is State.DONE:
            continue  # it was never there: nothing to tell
        opened = state is State.OPEN
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
        case Run(command):
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
