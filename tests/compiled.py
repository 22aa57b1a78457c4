"""Every worker reads the same modules: what each would compile for itself is compiled once.

On a fresh checkout that is a good part of a worker's collection: bytecode, asserts rewritten by
pytest, the constants that Hypothesis finds in our modules, and what tests of the house ask of them.
All of it is only kept where those who read it look for it; where they look elsewhere in another
release, they do the work themselves.
"""

from __future__ import annotations

import compileall
import os
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import source_hash
from pathlib import Path
from types import ModuleType

import pytest

from tests.sources import PACKAGES, paths_of, sources


def compile_once(config: pytest.Config, jobs: int) -> None:
    """Compile whatever has changed since it was last compiled, in so many processes."""
    wanted = [*paths_of(*PACKAGES, "tests")]
    children: list[int] = []
    for number in range(jobs):
        child = os.fork()
        if child == 0:
            try:
                _compile(wanted[number::jobs], config)
                if number == 0:
                    sources()
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def _compile(paths: Sequence[Path], config: pytest.Config) -> None:
    for path in paths:
        with suppress(Exception):  # whoever imports it says what is wrong with it
            if path.name == "conftest.py" or path.name.startswith("test_"):
                _rewrite_asserts(path, config)
            else:
                compileall.compile_file(path, quiet=2)
                _find_constants(path)


def _rewrite_asserts(path: Path, config: pytest.Config) -> None:
    from _pytest.assertion import rewrite

    kept = rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)
    if kept.exists() and kept.read_bytes()[8:16] == source_hash(path.read_bytes()):
        return
    kept.parent.mkdir(exist_ok=True)
    read_from, code = rewrite._rewrite_test(path, config)
    rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, read_from, kept)


def _find_constants(path: Path) -> None:
    from hypothesis.internal.constants_ast import constants_from_module

    module = ModuleType(path.stem)
    module.__file__ = str(path)
    constants_from_module(module)
