"""Which release a Python of the companion's runs: read at the start of each, before all else.

A copy of this file lies in the environment's site-packages, beside a `.pth` file that imports it;
so it is as old as the last update and knows the standard library alone. Releases lie in
`releases/` of the environment: `current` and `previous` are links to two of them. Without `current`
the program is the one that the environment was made with.

A release is *on trial* until the app has been on the screen with it: the file `on-trial` grows by a
letter with each start as a service, and after `STARTS` of them the one before is back. So a
release that does not start goes by itself, whoever pulled the plug in between.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

FOLDER, CURRENT, PREVIOUS, TRIAL = "releases", "current", "previous", "on-trial"

STARTS = 3
"""So often a release on trial may be started by systemd without ever being ready."""

WANTED = "COMPANION_RELEASE"
"""Names the folder of a release to run in place of `current`: how one is tried before."""


def folder() -> Path:
    """Where this environment has its releases."""
    return Path(sys.prefix) / FOLDER


def chosen(releases: Path, environ: Mapping[str, str]) -> Path | None:
    """The release to run; None for the program that the environment was made with."""
    wanted = environ.get(WANTED, "")
    if not wanted and environ.get("NOTIFY_SOCKET"):
        with suppress(OSError):
            _count_start(releases)
    release = Path(wanted) if wanted else releases / CURRENT
    return release.resolve() if release.is_dir() else None


def _count_start(releases: Path) -> None:
    trial = releases / TRIAL
    if not trial.exists():
        return
    with trial.open("a", encoding="ascii") as starts:
        starts.write(".")
        starts.flush()
        os.fsync(starts.fileno())
    if trial.stat().st_size > STARTS:
        give_up(releases)


def give_up(releases: Path) -> None:
    """Let the release before run in place of the one on trial, which is not gone back to later.

    Whenever the plug is pulled, the same done once more ends the same.
    """
    point(releases, CURRENT, link(releases, PREVIOUS))
    (releases / TRIAL).unlink(missing_ok=True)


def swap(releases: Path) -> None:
    """Make the release before the current one, and the current one the one before.

    Each link changes in one step; a plug that is pulled between the two leaves `current` whole.
    """
    was, before = link(releases, CURRENT), link(releases, PREVIOUS)
    point(releases, CURRENT, before)
    point(releases, PREVIOUS, was)


def link(releases: Path, name: str) -> str:
    """The release that a link names; empty for the program that was here first."""
    try:
        return str((releases / name).readlink())
    except OSError:
        return ""


def point(releases: Path, name: str, release: str) -> None:
    """Let a link name that release."""
    if not release:
        (releases / name).unlink(missing_ok=True)
        return
    new = releases / f"{name}.new"
    new.unlink(missing_ok=True)
    new.symlink_to(release)
    new.replace(releases / name)


def proven(releases: Path | None = None) -> None:
    """The app is on the screen: the release that runs is on trial no more."""
    with suppress(OSError):
        ((releases or folder()) / TRIAL).unlink(missing_ok=True)


if __name__ == "companion_release":  # the copy in site-packages, as Python starts
    _release = chosen(folder(), os.environ)
    if _release is not None:
        sys.path.insert(0, str(_release))
