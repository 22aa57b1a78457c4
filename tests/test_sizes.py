"""Files and functions stay small enough to be read in one sitting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PACKAGES = ("companion", "hardware", "vision", "ui")

FILE_LINES = 800
BODY_LINES = 30

LONGER: dict[str, int] = {}
"""Files and functions that are longer for a reason, which stands beside them there."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources() -> list[Path]:
    """Every Python file of the four packages and their tests."""
    return [path for top in (*PACKAGES, "tests") for path in sorted((TOP / top).rglob("*.py"))]


def body_lines(function: Function) -> int:
    """Lines of a function's body without its docstring."""
    body = function.body
    first = body[1:] if ast.get_docstring(function) is not None else body
    return (function.end_lineno or 0) - first[0].lineno + 1 if first else 0


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    """Every function of a file with its place, methods and inner functions included."""
    name = path.relative_to(TOP).as_posix()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Function):
            yield f"{name}:{node.name}", node


def test_a_body_is_counted_without_its_docstring() -> None:
    """The count below must not punish explaining."""
    source = 'def f():\n    """One.\n\n    More.\n    """\n    a = 1\n\n    return a\n'
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert body_lines(function) == 3


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_files_are_one_noun_long(package: str) -> None:
    """At most 800 lines a file."""
    long = {
        name: lines
        for path in sources()
        if (name := path.relative_to(TOP).as_posix()).startswith(f"{package}/")
        and (lines := len(path.read_text("utf-8").splitlines())) > LONGER.get(name, FILE_LINES)
    }
    assert not long, f"too long, to be cut by noun: {long}"


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_fit_on_a_screen(package: str) -> None:
    """At most 30 lines of body; the docstring is free."""
    long = {
        name: lines
        for path in sources()
        if path.is_relative_to(TOP / package)
        for name, function in functions(path)
        if (lines := body_lines(function)) > LONGER.get(name, BODY_LINES)
    }
    assert not long, f"too long, to be cut by verb: {long}"
