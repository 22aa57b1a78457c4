"""`companion doctor`: every part that exists, its state, and the command that mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console

from companion.commands import doctor_devices, doctor_libraries, doctor_machine
from companion.commands.doctor_bundle import without_secrets, write_bundle
from companion.commands.finding import Finding, State, ok, red, show, warn
from companion.commands.voice import say
from companion.core.errors import CompanionError
from companion.games import RULEBOOKS, find_rulebook
from companion.record.record import Record
from companion.record.salvage import examine
from companion.record.store import is_url
from ui.own_figures import OwnFigures
from ui.settings_file import SettingsFile

Check = Callable[[], Iterator[Finding]]
AGAIN = "companion doctor --bundle report.zip   (and report it)"


def doctor(place: str | None, *, json: bool, bundle: Path | None = None) -> int:
    """Print a line for each part; 1 if one is red, 0 otherwise. A bundle has them too."""
    console = Console(highlight=False)
    file = SettingsFile.load()
    found: list[Finding] = []
    for finding in findings(place, file):
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
    faults = record.check()
    count = len(record.matches())
    if record.read_only:
        yield red("record", record.read_only, doctor_machine.ELSEWHERE)
    for fault in faults:
        yield red("record", fault, "companion export MATCH --out FILE; companion import FILE")
    if not faults and not record.read_only:
        counted = "1 match" if count == 1 else f"{count} matches"
        yield ok("record", f"{record.name}: {counted}, all sound")
