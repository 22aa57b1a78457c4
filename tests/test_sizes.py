"""Files and functions stay small enough to be read in one sitting."""

from __future__ import annotations

import ast

import pytest

from tests.sources import PACKAGES, TOP, body_lines, paths_of, sources

FILE_LINES = 800
BODY_LINES = 30

LONGER: dict[str, int] = {}
"""Files and functions that are longer for a reason, which stands beside them there."""


def test_a_body_is_counted_without_its_docstring() -> None:
    """The count below must not punish explaining."""
    source = 'def f():\n    """One.\n\n    More.\n    """\n    a = 1\n\n    return a\n'
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert body_lines(function) == 3


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_files_are_one_noun_long(package: str) -> None:
    """At most 800 lines a file."""
    sizes = {
        path.relative_to(TOP).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in paths_of(package)
    }
    long = {name: lines for name, lines in sizes.items() if lines > LONGER.get(name, FILE_LINES)}
    assert sizes
    assert not long, f"too long, to be cut by noun: {long}"


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_fit_on_a_screen(package: str) -> None:
    """At most 30 lines of body; the docstring is free."""
    bodies = {
        f"{source.file}:{function}": lines
        for source in sources().values()
        if source.file.startswith(f"{package}/")
        for function, lines in source.bodies
    }
    long = {name: lines for name, lines in bodies.items() if lines > LONGER.get(name, BODY_LINES)}
    assert bodies
    assert not long, f"too long, to be cut by verb: {long}"
