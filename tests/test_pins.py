"""The pinned versions are complete, fit the declared ranges and name no address."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parent.parent


def pins() -> dict[str, str]:
    """Library to its one version, from `.ci/constraints.txt`."""
    lines = (TOP / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in found}


def declared() -> list[Requirement]:
    """All that pyproject.toml asks for: to run, to test, on a Pi, to build."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    named: list[str] = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in extras:
        named.extend(extra)
    return [Requirement(line) for line in named]


@pytest.mark.parametrize("requirement", declared(), ids=lambda requirement: requirement.name)
def test_what_is_declared_is_pinned_within_its_range(requirement: Requirement) -> None:
    """A library without a pin would be another one tomorrow."""
    assert requirement.specifier.contains(pins()[canonicalize_name(requirement.name)])


def test_pins_are_exact_and_sorted() -> None:
    """One version each, and a place to look for it."""
    assert list(pins()) == sorted(pins())
    assert all(version.replace(".", "").isalnum() for version in pins().values())


def test_pins_name_no_address() -> None:
    """Where packages come from is the machine's business, not the project's."""
    text = (TOP / ".ci" / "constraints.txt").read_text("utf-8")
    assert "://" not in text
    assert " @ " not in text
    assert not [line for line in text.splitlines() if line.startswith("-")]
