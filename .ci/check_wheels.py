"""Ask the package index whether every pinned version has a wheel for every machine we support.

Nothing is downloaded or installed: pip only resolves each pin for the target. Exits 1 and names
what is missing, if anything is.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

CONSTRAINTS = Path(__file__).parent / "constraints.txt"

GLIBC = ("2014", "_2_17", "_2_24", "_2_27", "_2_28", "_2_31", "_2_34", "_2_35", "_2_36")
"""Wheels may ask for a C library up to that of Debian 12."""

SOURCE_ONLY = {"chess"}
"""Published without wheels; pure Python, wanted by benchmarks alone."""

ARM_ONLY = {"lgpio", "simplejpeg"}
"""Pinned for the Pi; the extra `pi` asks for them there alone."""


@dataclass(frozen=True)
class Target:
    """A kind of machine: its Python and its processor."""

    python: str
    machine: str

    def __str__(self) -> str:
        return f"Python {self.python} on {self.machine}"

    def wants(self, pin: Requirement) -> bool:
        """Whether this pin is installed from a wheel on such a machine."""
        if pin.name in SOURCE_ONLY or (pin.name in ARM_ONLY and self.machine != "aarch64"):
            return False
        environment = {"python_version": self.python, "platform_machine": self.machine}
        return pin.marker is None or pin.marker.evaluate(environment)

    def options(self) -> Iterator[str]:
        """What makes pip look for this machine's wheels."""
        yield from ("--python-version", self.python, "--implementation", "cp")
        for version in GLIBC:
            yield from ("--platform", f"manylinux{version}_{self.machine}")


TARGETS = [
    Target(python, machine)
    for python in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
]


def pins() -> list[Requirement]:
    """The lines of the constraints file."""
    lines = CONSTRAINTS.read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def resolve(target: Target, wanted: list[Requirement]) -> subprocess.CompletedProcess[str]:
    """Let pip find the wheels without fetching them."""
    with tempfile.TemporaryDirectory() as nowhere:
        return subprocess.run(
            [
                *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"),
                *("--disable-pip-version-check", "--ignore-installed", "--only-binary=:all:"),
                *("--target", nowhere, *target.options()),
                *(f"{pin.name}{pin.specifier}" for pin in wanted),
            ],
            capture_output=True,
            text=True,
            check=False,
        )


def main() -> int:
    """Print one line for each kind of machine."""
    missing = 0
    for target in TARGETS:
        wanted = [pin for pin in pins() if target.wants(pin)]
        result = resolve(target, wanted)
        errors = [line for line in result.stderr.splitlines() if line.startswith("ERROR")]
        verdict = "all there" if result.returncode == 0 else "; ".join(errors) or result.stderr
        print(f"{target}: {len(wanted)} wheels: {verdict}")
        missing += result.returncode != 0
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
