"""What is installed, and whether its versions fit each other."""

from __future__ import annotations

import importlib
import importlib.util
import platform
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from companion.commands.finding import Finding, ok, red, warn
from companion.match.entry import app_version
from ui.settings import Settings

US = "dogfight-companion"
LIBRARIES = {
    "sqlalchemy": "sqlalchemy",
    "pydantic": "pydantic",
    "numpy": "numpy",
    "opencv-python": "cv2",
    "gpiozero": "gpiozero",
    "pyserial": "serial",
    "reportlab": "reportlab",
    "tomlkit": "tomlkit",
}
"""Loaded for a try: what is installed may still lack a library of the system."""

SYSTEM_LIBRARIES = "sudo apt install libgl1 libglib2.0-0 libxcb1"
SET_UP = "make run"
PIP = f"{sys.executable} -m pip install"


def python() -> Iterator[Finding]:
    """The interpreter that runs this."""
    text = f"companion {app_version()}, Python {platform.python_version()}, {platform.machine()}"
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        yield ok("python", text)
    else:
        yield red("python", text, f"{SET_UP}   (with Python 3.11, 3.12 or 3.13 installed)")


def libraries(settings: Settings) -> Iterator[Finding]:
    """Every library loads, and each finds the versions it was made for."""
    loaded: list[str] = []
    for package, module in LIBRARIES.items():
        try:
            importlib.import_module(module)
            loaded.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            loaded.append(f"{package} (the system's)")
        except ImportError as missing:
            mend = SYSTEM_LIBRARIES if ".so" in str(missing) else SET_UP
            yield red("libraries", f"{package}: {missing}", mend)
    try:
        loaded.append(f"kivy {version('kivy')}")
    except PackageNotFoundError:
        yield red("libraries", "kivy, for the touch app, is not installed", SET_UP)
    yield ok("libraries", ", ".join(loaded))
    yield from versions()
    yield from _lgpio(settings)
    yield from _simplejpeg()


# -- versions --------------------------------------------------------------------------------------


def versions() -> Iterator[Finding]:
    """Every version that somebody asks for is the one that is there."""
    wrong = [
        *_unfit(US, _our_requirements()),
        *(fault for package in LIBRARIES for fault in _unfit(package, _requirements(package))),
    ]
    yield from wrong
    if not wrong:
        yield ok("versions", "every library finds the versions it was made for")


def _our_requirements() -> list[Requirement]:
    """What we ask for: as installed, else as the project's own file says."""
    installed = _requirements(US)
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if installed or not project.is_file():
        return installed
    declared: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
    return [Requirement(line) for line in declared]


def _requirements(package: str) -> list[Requirement]:
    """What an installed package asks for on this machine, its extras aside."""
    try:
        asked = [Requirement(line) for line in requires(package) or ()]
    except PackageNotFoundError:
        return []
    return [one for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})]


def _unfit(package: str, requirements: list[Requirement]) -> Iterator[Finding]:
    for wanted in requirements:
        try:
            there = version(wanted.name)
        except PackageNotFoundError:
            text = f"{package} wants {wanted.name}{wanted.specifier}, which is not installed"
            yield red("versions", text, f"{PIP} '{wanted.name}{wanted.specifier}'")
            continue
        if not wanted.specifier.contains(there, prereleases=True):
            text = f"{package} wants {wanted.name}{wanted.specifier}; {there} is installed"
            yield red("versions", text, f"{PIP} '{wanted.name}{wanted.specifier}'")


# -- traps of the Pi -------------------------------------------------------------------------------


def _lgpio(settings: Settings) -> Iterator[Finding]:
    """Python 3.13 without the distribution's package gets release 0.0.0.2: a file of no bytes."""
    found = importlib.util.find_spec("lgpio")
    if found is None or found.origin is None or Path(found.origin).stat().st_size > 0:
        return
    text = f"lgpio is an empty release: {found.origin} has no bytes, and drives no pin"
    mend = f"{sys.executable} -m pip uninstall -y lgpio && sudo apt install python3-lgpio"
    yield (red if settings.pins == "lgpio" else warn)("libraries", text, mend)


def _simplejpeg() -> Iterator[Finding]:
    """The distribution's, which Picamera2 loads, is built for an older numpy than OpenCV wants."""
    if importlib.util.find_spec("simplejpeg") is None:
        return
    try:
        importlib.import_module("simplejpeg")
    except Exception as unfit:  # noqa: BLE001 - a ValueError of numpy's, or worse
        text = f"simplejpeg does not fit this numpy ({unfit}): Picamera2 cannot be used"
        yield red("libraries", text, f"{PIP} --force-reinstall 'simplejpeg>=1.9'")
