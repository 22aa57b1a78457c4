"""Whoever reads a box finds a sentence at every public name, or at the one that it overrides."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import companion.games

FOLDER = Path(companion.games.__file__).parent
MODULES = sorted(
    ".".join(("companion", "games", *file.relative_to(FOLDER).with_suffix("").parts))
    for file in FOLDER.glob("*/*.py")
    if file.stem != "__init__"
)
SENTENCE = re.compile(r"[.!?:](?: *\([^()]*\))?$")
"""How a first line ends: a stop, and a cite after it where there is one."""


def spoken_of(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Every public name that the module makes, with its docstring, inherited where it is."""
    for name, made in vars(module).items():
        if name.startswith("_") or getattr(made, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(made):
            yield name, inspect.getdoc(made) or ""
        elif inspect.isclass(made):
            yield name, made.__doc__ or ""
            yield from members_of(made)


def members_of(made: type) -> Iterator[tuple[str, str]]:
    """The public functions and properties of a class."""
    for name, member in vars(made).items():
        kinds = (FunctionType, property, classmethod, staticmethod)
        if not name.startswith("_") and isinstance(member, kinds):
            yield f"{made.__name__}.{name}", inspect.getdoc(getattr(made, name)) or ""


def test_there_are_modules() -> None:
    """A test over no files would be green for nothing."""
    assert len(MODULES) > 60


@pytest.mark.parametrize("box", sorted({name.split(".")[2] for name in MODULES}))
def test_every_public_name_says_what_it_is(box: str) -> None:
    """Its first line is a sentence."""
    silent = [
        f"{name}: {spoken}: {text.partition(chr(10))[0]!r}"
        for name in MODULES
        if name.split(".")[2] == box
        for spoken, text in spoken_of(import_module(name))
        if not SENTENCE.search(text.partition("\n")[0].strip())
    ]
    assert silent == []
