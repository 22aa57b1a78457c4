"""The bundle for a bug report: what doctor found, settings, logs, versions; no secrets.

Matches are not in it, for they carry people's names: `companion export MATCH` gives one away by
wish.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path

from companion.commands.finding import Finding
from companion.core.errors import BadCall, CompanionError
from hardware.signals.folder import SignalFolder
from ui.log_file import log_path

PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/:@\"']*):[^\s@\"']*@", re.IGNORECASE)
VARIABLES = re.compile(
    r"(COMPANION|GPIOZERO|KIVY|SDL|XDG|KCFG)_\w+|(WAYLAND_)?DISPLAY|LANG|PATH|INVOCATION_ID"
)
"""Of the environment only these: the rest is nobody's business."""

JOURNAL_LINES, JOURNAL_S = "3000", 20.0


def write_bundle(path: Path, found: Sequence[Finding], settings: Path) -> None:
    """Write the zip file; BadCall where it cannot be written, or is there already."""
    try:
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in _parts(found, settings):
                bundle.writestr(name, without_secrets(text))
    except FileExistsError:
        raise BadCall(f"{path} is there already: name another file") from None
    except OSError as wrong:
        raise BadCall(f"{path} cannot be written: {wrong.strerror}") from wrong


def without_secrets(text: str) -> str:
    """A text without the passwords of addresses in it.

    >>> without_secrets("record = 'postgresql://club:geheim@host/matches'")
    "record = 'postgresql://club:***@host/matches'"
    """
    return PASSWORD.sub(r"\1:***@", text)


def _parts(found: Sequence[Finding], settings: Path) -> Iterator[tuple[str, str]]:
    yield "doctor.jsonl", "".join(f"{json.dumps(asdict(finding))}\n" for finding in found)
    yield "system.txt", _system()
    yield "versions.txt", _versions()
    for path in (settings, settings.with_name(f"{settings.name}.broken"), *_logs()):
        if path.is_file():
            yield path.name, _text(path)
    journal = _journal()
    if journal:
        yield "journal.txt", journal


def _logs() -> Iterator[Path]:
    """What the app and the signal process wrote, the older halves included."""
    log = log_path()
    yield from sorted(log.parent.glob(f"{log.name}*"))
    try:
        folder = SignalFolder()
    except CompanionError:
        return
    yield from (folder.journal, folder.journal.with_suffix(".old.jsonl"), folder.log)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError as wrong:
        return f"cannot be read: {wrong}\n"


def _system() -> str:
    variables = {name: value for name, value in os.environ.items() if VARIABLES.fullmatch(name)}
    files = ("/etc/os-release", "/etc/rpi-issue", "/proc/device-tree/model", "/proc/uptime")
    said = [
        " ".join(platform.uname()),
        *(_text(Path(name)) for name in files if Path(name).exists()),
    ]
    said += [f"{name}={value}" for name, value in sorted(variables.items())]
    return "\n".join(said) + "\n"


def _versions() -> str:
    found = {f"{one.metadata['Name']}=={one.version}" for one in distributions()}
    return "\n".join([f"Python {platform.python_version()}", *sorted(found, key=str.lower)]) + "\n"


def _journal() -> str:
    """What systemd kept of the appliance; empty without it."""
    if shutil.which("journalctl") is None:
        return ""
    command = ["journalctl", "--no-pager", "--output=short-iso", "--lines", JOURNAL_LINES]
    units = ["--unit=companion.service", "--user-unit=companion.service"]
    try:
        said = subprocess.run(
            [*command, *units], capture_output=True, timeout=JOURNAL_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.decode("utf-8", "replace")
