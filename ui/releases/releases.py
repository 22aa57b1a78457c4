"""A release made of a wheel, tried where it does no harm, then made the current one.

All is done without a network. A release is a folder with the companion's own packages and with
those libraries that it wants newer than the environment has them; all others stay the
environment's. What is half made lies in a folder of another name and is never run.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import InvalidRequirement, Requirement

from companion.core.errors import BadCall
from companion.core.files import write_whole
from ui.releases import starter
from ui.releases.starter import CURRENT, PREVIOUS, TRIAL

WHEELS = "dogfight_companion-*.whl"
PACKAGE = "dogfight-companion"
BUILD_S, TRY_S = 900.0, 120.0
MOST_BYTES = 200_000_000
"""More than that no release unpacks to."""


def found_wheel(source: Path, work: Path) -> Path:
    """The wheel that a source means: itself, the newest of a folder, or built of a source tree.

    `work` takes a wheel that is built. Errors: BadCall where the source has none.
    """
    if source.is_file() and source.suffix == ".whl":
        return source
    if not source.exists():
        raise BadCall(f"{source} is not there: is the stick plugged in?")
    if not source.is_dir():
        raise BadCall(f"{source} is no wheel, no folder with one and no source tree of it")
    files = (path for path in source.glob(WHEELS) if path.is_file())
    wheels = sorted(files, key=lambda wheel: wheel.stat().st_mtime)
    if wheels:
        return wheels[-1]
    if not (source / "pyproject.toml").is_file():
        raise BadCall(f"{source} has no {WHEELS} and is no source tree of the companion")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work, source)
    built = sorted(work.glob(WHEELS))
    if not built:
        raise BadCall(f"{source} is the source tree of something else")
    return built[-1]


def _pip(verb: str, *words: object) -> None:
    """Let this environment's pip do something without a network; BadCall with its last line."""
    call = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", verb]
    call += ["--no-index", *map(str, words)]
    try:
        ran = subprocess.run(
            call, capture_output=True, text=True, timeout=BUILD_S, check=False, env=_of_base()
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise BadCall(f"pip could not be run: {wrong}") from wrong
    if ran.returncode != 0:
        raise BadCall(f"pip could not {verb} {words[-1]}: {_last(ran.stderr or ran.stdout)}")


def _of_base() -> dict[str, str]:
    """What pip is run with: none of a user's settings for it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"


@dataclass(frozen=True, slots=True)
class Releases:
    """The releases of an environment, by default of the one that runs this."""

    folder: Path = field(default_factory=starter.folder)
    site: Path = field(default_factory=lambda: Path(sysconfig.get_path("purelib")))

    @property
    def current(self) -> str:
        """The release that runs at the next start; empty for the one that was here first."""
        return starter.link(self.folder, CURRENT)

    @property
    def previous(self) -> str:
        """The one before; empty for the one that was here first."""
        return starter.link(self.folder, PREVIOUS)

    @property
    def on_trial(self) -> bool:
        """Whether the current one has not been on the screen yet."""
        return (self.folder / TRIAL).exists()

    def make(self, wheel: Path) -> str:
        """Unpack a wheel into a release of its own, with the libraries that it lacks here.

        Those come of wheels beside it. Its name: version and the first figures of its content's
        digest. Errors: BadCall for a wheel that is torn, or wants what is neither here nor there.
        """
        name = _name_of(wheel)
        home, part = self.folder / name, self.folder / f"{name}.part"
        if home.is_dir():
            return name
        shutil.rmtree(part, ignore_errors=True)
        try:
            self.folder.mkdir(exist_ok=True)
            _unpack(wheel, part)
            for wanted in _lacking(part):
                _pip(
                    "install", "--no-deps", "--upgrade", "--find-links", wheel.parent,
                    "--target", part, wanted,
                )  # fmt: skip
            os.sync()  # a folder under its own name is whole, whenever the plug is pulled
            part.replace(home)
        except OSError as wrong:
            raise BadCall(f"{self.folder} cannot be written: {wrong.strerror}") from wrong
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return name

    def try_out(self, name: str, record: str) -> None:
        """Let a release read a copy of the record; BadCall with its words where it cannot.

        `record`: the place of the record, a file or a URL; what is no file is not tried.
        """
        with TemporaryDirectory() as work:
            calls: list[tuple[str, ...]] = [("--version",)]
            if Path(record).is_file():
                copy = Path(work) / "matches.sqlite"
                _copy(Path(record), copy)
                calls.append(("matches", "--json", "--record", str(copy)))
            for call in calls:
                self._run(name, call)

    def _run(self, name: str, call: tuple[str, ...]) -> None:
        environ = {**os.environ, starter.WANTED: str(self.folder / name)}
        environ["PYTHONPATH"] = str(self.folder / name)
        words = (sys.executable, "-P", "-m", "companion", *call)
        try:
            ran = subprocess.run(
                words, env=environ, capture_output=True, text=True, timeout=TRY_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as wrong:
            raise BadCall(f"{name} does not run here: {wrong}") from wrong
        if ran.returncode != 0:
            said = _last(ran.stderr or ran.stdout)
            raise BadCall(f"{name} does not run here (`companion {call[0]}`): {said}")

    def put_on_trial(self, name: str) -> None:
        """Make it the current one from the next start on; the last that was on the screen is kept.

        Errors: BadCall where the environment cannot be written.
        """
        try:
            write_whole(self.site / "companion_release.py", Path(starter.__file__).read_bytes())
            write_whole(self.site / "companion_release.pth", "import companion_release\n")
            before = self.previous if self.on_trial else self.current
            (self.folder / TRIAL).write_bytes(b"")
            starter.point(self.folder, PREVIOUS, before)
            starter.point(self.folder, CURRENT, name)
        except OSError as wrong:
            raise BadCall(f"{wrong.filename} cannot be written: {wrong.strerror}") from wrong
        os.sync()
        self._forget_others()

    def go_back(self, record: str = "") -> str:
        """Make the one before the current one again; its name.

        It is tried on a copy of `record` first, where one is named, and is on trial itself unless
        it comes for one that was. Errors: BadCall where there is none, or it cannot read that.
        """
        if self.current == self.previous:
            raise BadCall("no update is there to go back from")
        if record:
            self.try_out(self.previous, record)
        try:
            if self.on_trial:
                starter.swap(self.folder)
                (self.folder / TRIAL).unlink(missing_ok=True)
            else:
                (self.folder / TRIAL).write_bytes(b"")
                starter.swap(self.folder)
        except OSError as wrong:
            raise BadCall(f"{self.folder} cannot be written: {wrong.strerror}") from wrong
        os.sync()
        return self.current

    def _forget_others(self) -> None:
        """Releases that are neither current nor the one before go: a card is small."""
        kept = {self.current, self.previous}
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink() and path.name not in kept:
                shutil.rmtree(path, ignore_errors=True)


def _name_of(wheel: Path) -> str:
    """Version and content of a wheel; BadCall for a file that is none of the companion's."""
    try:
        with zipfile.ZipFile(wheel) as parts:
            unpacked = sum(part.file_size for part in parts.infolist())
            if unpacked > MOST_BYTES:
                raise BadCall(f"{wheel} would unpack to {unpacked / 1e6:.0f} MB: it is no release")
            torn = parts.testzip()
        content = wheel.read_bytes()
    except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error) as wrong:  # RuntimeError: locked
        raise BadCall(
            f"{wheel} cannot be read as a wheel: {wrong}. Copy it anew; nothing was changed"
        ) from wrong
    if torn is not None:
        raise BadCall(f"{wheel} is torn in {torn}: copy it anew")
    words = wheel.name.split("-")
    if words[0] != PACKAGE.replace("-", "_"):
        raise BadCall(f"{wheel.name} is no wheel of the companion ({WHEELS})")
    return f"{words[1]}-{hashlib.sha256(content).hexdigest()[:8]}"


def _unpack(wheel: Path, to: Path) -> None:
    """A wheel of Python alone is its folder, packed; its bytecode saves the first start seconds."""
    with zipfile.ZipFile(wheel) as parts:
        parts.extractall(to)
    compileall.compile_dir(to, quiet=2)


def _lacking(release: Path) -> Iterator[str]:
    """What the companion in a folder wants and neither the folder nor the environment has."""
    ours = next((one for one in distributions(path=[str(release)]) if one.name == PACKAGE), None)
    if ours is None:
        raise BadCall(f"there is no {PACKAGE} in this wheel, whatever its name says")
    for text in ours.requires or ():
        with suppress(InvalidRequirement):
            requirement = Requirement(text)
            marker = requirement.marker
            meant = marker is None or marker.evaluate({"extra": ""})
            if meant and not _is_here(requirement, release):
                yield f"{requirement.name}{requirement.specifier}"


def _is_here(requirement: Requirement, release: Path) -> bool:
    """Whether it is there once that release runs: what came with another one is not."""
    others = release.parent.resolve()
    around = (place for place in sys.path if place)
    places = [str(release), *(one for one in around if not Path(one).is_relative_to(others))]
    has = next(iter(distributions(name=requirement.name, path=places)), None)
    return has is not None and requirement.specifier.contains(has.version, prereleases=True)


def _copy(record: Path, to: Path) -> None:
    """A copy of a record that may be in use, by SQLite's own means."""
    import sqlite3

    try:
        with (
            sqlite3.connect(f"{record.absolute().as_uri()}?mode=ro", uri=True) as one,
            sqlite3.connect(to) as other,
        ):
            one.backup(other)
        one.close()
        other.close()
    except sqlite3.Error as wrong:
        raise BadCall(f"{record} cannot be copied to try the release on it: {wrong}") from wrong
