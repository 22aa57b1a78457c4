"""`companion doctor`: every part with its state and what mends it; and the bundle for a report."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from companion.core.errors import BadCall, CompanionError
from companion.core.text import counted, without_secrets
from companion.games import RULEBOOKS, find_rulebook
from companion.record.record import Record
from companion.record.salvage import examine
from companion.record.store import is_url
from hardware.signals.folder import SignalFolder
from ui.table.settings_file import OwnFigures, SettingsFile
from ui.terminal import doctor_parts as doctor_devices
from ui.terminal import doctor_parts as doctor_libraries
from ui.terminal import doctor_parts as doctor_machine
from ui.terminal.doctor_parts import Finding, State, ok, red, show, warn
from ui.terminal.options import AsJson, RecordPlace
from ui.terminal.voice import say
from ui.window.appliance import log_path

# The bundle for a bug report: what doctor found, settings, logs, versions; no secrets.

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


# The command.

Check = Callable[[], Iterator[Finding]]
AGAIN = "companion doctor --bundle report.zip   (and report it)"


def doctor(
    record: RecordPlace = None,
    bundle: Annotated[
        Path | None, typer.Option(help="A new zip file of logs and settings for a bug report.")
    ] = None,
    *,
    json: AsJson = False,
) -> int:
    """Check every part and name the command that mends it; 1 if something is wrong."""
    console = Console(highlight=False)
    file = SettingsFile.load()
    found: list[Finding] = []
    for finding in findings(record, file):
        found.append(finding)
        if json:
            say(asdict(finding))
        else:
            show(finding, console)
    if bundle is not None:
        write_bundle(bundle, found, file.path)
        if not json:
            console.print(f"written: {bundle}", soft_wrap=True)
    return 1 if any(finding.state is State.RED for finding in found) else 0


def findings(place: str | None, file: SettingsFile) -> Iterator[Finding]:
    """Every part in turn; one that fails to be looked at is red and hides no other."""
    settings = file.settings
    checks: dict[str, Check] = {
        "python": doctor_libraries.python,
        "settings": partial(_settings, file),
        "figures": partial(_figures, file.path.parent),
        "libraries": partial(doctor_libraries.libraries, settings),
        "user": doctor_machine.user,
        "screen": doctor_devices.screen,
        "fonts": doctor_devices.fonts,
        "pins": partial(doctor_devices.pins, settings),
        "signals": doctor_devices.signals,
        "loudspeaker": partial(doctor_devices.loudspeaker, settings),
        "voice": partial(doctor_devices.voice, settings),
        "camera": partial(doctor_devices.camera, settings),
        "box": partial(doctor_devices.box, settings),
        "clock": doctor_machine.clock,
        "temperature": doctor_machine.heat,
        "record": partial(_record, place or settings.record_place),
    }
    for part, check in checks.items():
        try:
            yield from check()
        except CompanionError as wrong:
            yield red(part, str(wrong), AGAIN)
        except Exception as fault:  # noqa: BLE001 - one broken part must not hide the others
            yield red(part, f"could not be checked: {fault!r}", AGAIN)


def _settings(file: SettingsFile) -> Iterator[Finding]:
    if file.trouble:
        mend = f"mv {file.path} {file.path}.broken   (or mend that line; defaults hold meanwhile)"
        yield red("settings", file.trouble, mend)
    else:
        there = "" if file.path.exists() else " (not there yet: defaults hold)"
        yield ok("settings", f"{file.path}{there}")


def _figures(folder: Path) -> Iterator[Finding]:
    """The table's own files of each box; what of them may be meant otherwise."""
    for box in RULEBOOKS:
        rulebook = find_rulebook(box)
        own = OwnFigures.load(folder, rulebook)
        there = [path.name for path in (own.path, own.kept_path) if path.exists()]
        if own.trouble:
            yield red("figures", own.trouble, f"put it right in {folder}")
        if rulebook.figures is None or not there:
            continue
        if not own.trouble:
            yield ok("figures", f"{box}: {' and '.join(there)}")
        for notice in rulebook.figures.notices(own.figures):
            yield warn("figures", f"{box}: {notice}", f"edit {own.path}   (if it means otherwise)")


def _record(place: str) -> Iterator[Finding]:
    if is_url(place) and not place.startswith("sqlite"):
        yield from _record_opened(place)
        return
    path = Path(place.removeprefix("sqlite:///")).expanduser()
    why = examine(path)
    if why is not None:
        mend = "companion matches   (sets it aside and keeps what can be read)"
        yield red("record", f"{path} is damaged: {why}", mend)
        return
    if path.exists():
        yield from _record_opened(place)
    else:
        yield ok("record", f"none yet; one will be begun as {path}")
    folder = next(folder for folder in path.absolute().parents if folder.is_dir())
    yield from doctor_machine.disk(folder)


def _record_opened(place: str) -> Iterator[Finding]:
    try:
        with Record.open(place) as record:
            yield from _record_read(record)
    except CompanionError as closed:
        text = without_secrets(str(closed))
        yield red("record", text, doctor_machine.ELSEWHERE)


def _record_read(record: Record) -> Iterator[Finding]:
    count = record.count()
    faults = record.check() if count <= READ_WHOLE else record.known_faults()
    if record.read_only is not None:
        yield red("record", record.read_only.looked_at, doctor_machine.ELSEWHERE)
    for fault in faults:
        yield red("record", fault, "companion export MATCH --out FILE; companion import FILE")
    if not faults and not record.read_only:
        yield ok("record", f"{record.name}: {_how_sound(record, count)}")


READ_WHOLE = 200
"""So many matches are read line by line; of more only what is known of them is told."""


def _how_sound(record: Record, count: int) -> str:
    number = counted(count, "match", "matches")
    unread = len(record.unverified(again=False)) if count > READ_WHOLE else 0
    if not unread:
        return f"{number}, all sound"
    return f"{number}, {unread} of them never verified; `companion check` reads them"
