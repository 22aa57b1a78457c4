"""The Python files of the four packages, each read once: what the tests of the house ask of them.

A test that parses all of them costs more than most other tests together; so nobody else does, and
what a file was found to hold is kept for as long as that file is as it was.
"""

from __future__ import annotations

import ast
import gc
import os
import pickle
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parent.parent
PACKAGES = ("companion", "hardware", "vision", "ui")
KEPT = TOP / ".pytest_cache" / "sources.pickle"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Import:
    """One imported module and the line that names it."""

    file: str
    line: int
    module: str
    typed: bool = False  # in a block for the type checker: never runs

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"

    def is_of(self, modules: tuple[str, ...]) -> bool:
        """Whether it is one of these modules, or inside one."""
        return any(f"{self.module}.".startswith(f"{module}.") for module in modules)


class Source(NamedTuple):
    """What is asked of a file; `head_lines` are those of its imports.

    `bodies` are the lines of each function by its name, `classes` the public ones at the top level.
    `own_names` are what functions call their arguments and variables, `modules_named` what imports
    at the top level call whole modules. `unseeded` is chance without a seed, by line. `untyped` is
    how often `Any` stands for a whole value, and not for a part of one as in `Question[Any]`.
    """

    file: str
    lines: int
    head_lines: int
    imports: tuple[Import, ...]
    classes: tuple[str, ...]
    bodies: tuple[tuple[str, int], ...]
    own_names: frozenset[str]
    modules_named: frozenset[str]
    unseeded: tuple[tuple[int, str], ...]
    untyped: int


def paths_of(*tops: str) -> Iterator[Path]:
    """The Python files below these folders."""
    return (path for top in tops for path in sorted((TOP / top).rglob("*.py")))


@cache
def sources() -> Mapping[str, Source]:
    """Every module of the four packages by its dotted name."""
    kept, texts = _kept(), {path: path.read_bytes() for path in paths_of(*PACKAGES)}
    marks = dict(zip(texts, marks_of(texts), strict=True))
    was_on = gc.isenabled()
    gc.disable()  # a tree is a hundred thousand nodes, and gone with its file
    try:
        found = {mark: kept.get(mark) or _read(path) for path, mark in marks.items()}
    finally:
        if was_on:
            gc.enable()
    if found.keys() != kept.keys():
        _keep(found)
    return {_module_of(path): found[mark] for path, mark in marks.items()}


def marks_of(texts: Mapping[Path, bytes]) -> Iterator[str]:
    """A mark for each file, of all that is found in it by: its text, who reads it, what is there.

    What is there tells whether `from a import b` names a module.
    """
    rest = [sys.version.encode(), Path(__file__).read_bytes(), *map(bytes, texts)]
    start = sha256(b"\0".join(rest))
    for path, text in texts.items():
        mark = start.copy()
        mark.update(bytes(path) + b"\0" + text)
        yield mark.hexdigest()


def _kept() -> Mapping[str, Source]:
    try:
        kept: dict[str, Source] = pickle.loads(KEPT.read_bytes())  # noqa: S301 - written below
    except Exception:  # noqa: BLE001 - whatever is wrong with it, all is read anew
        return {}
    return kept


def _keep(found: Mapping[str, Source]) -> None:
    """All of it or nothing; workers that come to it at once write the same."""
    new = KEPT.with_suffix(f".{os.getpid()}")
    with suppress(OSError):  # a tree that may not be written
        KEPT.parent.mkdir(exist_ok=True)
        new.write_bytes(pickle.dumps(found))
        new.replace(KEPT)


@cache
def all_imports() -> tuple[Import, ...]:
    """Every import of the four packages."""
    return tuple(found for source in sources().values() for found in source.imports)


def _module_of(path: Path) -> str:
    name = path.relative_to(TOP).as_posix()
    return name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _read(path: Path) -> Source:
    text, file = path.read_text("utf-8"), path.relative_to(TOP).as_posix()
    tree = ast.parse(text, file)
    nodes = [*_walked(tree)]
    heads = [one for one, _, _ in nodes if isinstance(one, ast.Import | ast.ImportFrom)]
    calls = [one for one, _, _ in nodes if isinstance(one, ast.Call) and is_unseeded(one)]
    functions = [one for one, _, _ in nodes if isinstance(one, Function)]
    classes = [one.name for one in tree.body if isinstance(one, ast.ClassDef)]
    return Source(
        file,
        len(text.splitlines()),
        sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in heads),
        tuple(_imports(nodes, file)),
        tuple(name for name in classes if not name.startswith("_")),
        tuple((one.name, body_lines(one)) for one in functions),
        frozenset(_own_names(nodes)),
        frozenset(_modules_named(tree)),
        tuple((call.lineno, ast.unparse(call)) for call in calls),
        _untyped(nodes),
    )


Node = tuple[ast.AST, bool, bool]
"""A node, whether it is part of a function, and whether it is for the type checker alone."""


def _walked(tree: ast.AST) -> Iterator[Node]:
    waiting: list[Node] = [(tree, False, False)]
    while waiting:
        node, inside, typed = waiting.pop()
        yield node, inside, typed
        inside = inside or isinstance(node, Function | ast.Lambda)
        typed = typed or is_typed(node)
        waiting += [(child, inside, typed) for child in ast.iter_child_nodes(node)]


# Imports.


def imports_in(source: str, file: str) -> Iterator[Import]:
    """Every import of a file, wherever it stands; `from a import b` counts as `a.b` of ours."""
    return _imports(_walked(ast.parse(source, file)), file)


def _imports(nodes: Collection[Node] | Iterator[Node], file: str) -> Iterator[Import]:
    for node, _, typed in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module in _modules(node, file):
                yield Import(file, node.lineno, module, typed)


def is_typed(node: ast.AST) -> bool:
    """Whether it is a block for the type checker."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def _modules(node: ast.Import | ast.ImportFrom, file: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    package = file.removesuffix(".py").removesuffix("/__init__").split("/")
    above = package[: -node.level] if node.level else []
    module = ".".join([*above, *([node.module] if node.module else [])])
    return [_named(module, alias.name) for alias in node.names]


@cache
def _named(module: str, name: str) -> str:
    """`from companion.core import board` names a module; `from ...board import Pose` does not."""
    inner = TOP.joinpath(*module.split("."), name)
    is_module = inner.with_suffix(".py").is_file() or inner.is_dir()
    return f"{module}.{name}" if is_module else module


def _modules_named(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = (one for one in node.names if _named(node.module, one.name) != node.module)
            yield from (alias.asname or alias.name for alias in named)


def _untyped(nodes: Collection[Node]) -> int:
    parts = [one.slice for one, _, _ in nodes if isinstance(one, ast.Subscript)]
    of_parts = {id(inner) for part in parts for inner in ast.walk(part)}
    return sum(
        isinstance(one, ast.Name) and one.id == "Any" and id(one) not in of_parts
        for one, _, _ in nodes
    )


# Functions.


def body_lines(function: Function) -> int:
    """Lines of a function's body without its docstring."""
    body = function.body
    first = body[1:] if ast.get_docstring(function) is not None else body
    return (function.end_lineno or 0) - first[0].lineno + 1 if first else 0


def _own_names(nodes: Collection[Node]) -> Iterator[str]:
    for node, inside, _ in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif inside and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def is_unseeded(call: ast.Call) -> bool:
    """Whether it makes a generator from the moment, or asks the one that all share."""
    last = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if last in {"Random", "default_rng"} and not call.args:
        return True
    return _begins(call.func) == "random" and ast.unparse(call.func) != "random.Random"


def _begins(node: ast.expr) -> str:
    """The name that a dotted one begins with; empty where it is none."""
    if not isinstance(node, ast.Attribute):
        return ""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
