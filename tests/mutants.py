"""How strong the tests are: small faults are put into a module, and its own tests shall see them.

Each mutant is one change of one place: a boundary, a sign, a number, a condition, a call left out.
It is written into a copy of the project, never into the project itself. `make mutants` tries a
sample and exits 1 where too many live; `python tests/mutants.py --only gate --count 30 --seed 7`
tries more of one module. A survivor is either equivalent, which is said where it is known, or asks
for a test.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from random import Random
from typing import NamedTuple

TOP = Path(__file__).parent.parent
ROOMS = ("companion", "hardware", "vision", "ui", "tests", ".ci")
GATE = "not slow and not bench and not soak and not rig"
"""What has to see them: the tests of `make test`."""
FLOOR = 0.9
"""So many of the mutants, at least, are seen."""
MOST_CPU_S = 300
"""A mutant that runs for ever is seen: so much work is many times what any of the tests is."""
LONGEST_S = 3600.0
"""One that waits for ever is seen, too; patient, for the machine may be busy."""

OWN: Mapping[str, tuple[str, ...]] = {
    "companion/match/timeline.py": ("companion/match/test_timeline.py", "companion/match"),
    "companion/match/revision.py": ("companion/match/test_revision.py", "companion/match"),
    "companion/match/correction.py": (
        "companion/match/test_correction_ways.py",
        "companion/match/test_correction.py",
        "companion/match",
    ),
    "companion/referee/sight.py": (
        "companion/referee/test_sighting.py",
        "companion/referee/test_sight_lag.py",
        "companion/referee/test_sight.py",
        "companion/referee/test_sight_dice.py",
        "companion/referee/test_sight_misplaced.py",
        "companion/referee/test_sight_block.py",
        "companion/referee",
    ),
    "hardware/panel/deadline.py": (
        "hardware/test_deadline.py",
        "hardware/test_absolute_timer.py",
        "hardware/test_real_time.py",
    ),
    "vision/tracking/gate.py": (
        "vision/test_gate_limits.py",
        "vision/test_gate_noise.py",
        "vision/test_gate.py",
        "vision/test_lying_over.py",
    ),
    "vision/tracking/settling.py": ("vision/test_settling.py", "vision/test_facing.py"),
    "companion/record/lines.py": (
        "companion/record/test_record_lines.py",
        "companion/match/test_wrong_calls.py",
    ),
    "ui/screens/arbiter/adjust.py": ("ui/screens/test_recount.py", "ui/screens/test_adjust.py"),
    "ui/screens/arbiter/owned.py": ("ui/screens/test_recount.py", "ui/screens/test_adjust.py"),
    "ui/screens/match/result.py": ("ui/screens/test_result.py",),
    "ui/screens/match/round.py": (
        "ui/screens/test_round.py",
        "ui/screens/test_strip.py",
        "ui/screens/test_calls.py",
    ),
}
"""Modules, and the tests below `tests` that are theirs besides their examples, quickest first."""


class Mutant(NamedTuple):
    """One change: the text from `start` to `end` (byte offsets) of a module becomes `new`."""

    module: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.old!r} -> {self.new!r}"


# Which changes a module's text can have.

COMPARED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "is not": "is", "is": "is not", "not in": "in", "in": "not in",
}  # fmt: skip
RECKONED = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*"}
LARGE = 100
"""One more than a number as large as this is as good as the same."""
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Source:
    """A module's text, by places as `ast` has them."""

    def __init__(self, text: str) -> None:
        self.raw = text.encode()
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def text(self, start: int, end: int) -> str:
        return self.raw[start:end].decode()


Change = tuple[int, int, str]


def changes(source: Source) -> Iterator[Change]:
    """Every change of a text: start, end, and what stands there then."""
    for node in _ruling(source.tree):
        for find in (_operators, _values, _conditions, _left_out):
            yield from find(source, node)


DRAWN = {"Page", "Pen", "Box", "Theme"}
"""What a function takes that says where things lie: `ui/screens/test_screens.py` judges those."""


def _draws(node: ast.AST) -> bool:
    """Whether a function lays a screen out or draws on it."""
    if not isinstance(node, ast.FunctionDef):
        return False
    kinds = (one.annotation for one in (*node.args.args, *node.args.kwonlyargs))
    return any(kind is not None and ast.unparse(kind) in DRAWN for kind in kinds)


def _ruling(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes that decide anything: no annotations, imports for types, decorators, texts."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if _draws(child):
            continue
        if isinstance(child, ast.AnnAssign):
            child.annotation = ast.Constant(None)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            child.decorator_list, child.returns = [], None
            for one in (*child.args.args, *child.args.kwonlyargs):
                one.annotation = None
        if isinstance(child, ast.ClassDef):
            child.decorator_list = []
        yield child
        yield from _ruling(child)


def _operators(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        sides = (node.left, *node.comparators)
        for left, right in itertools.pairwise(sides):
            yield from _between(source, left, right, COMPARED)
    elif isinstance(node, ast.BoolOp):
        for left, right in itertools.pairwise(node.values):
            yield from _between(source, left, right, {"and": "or", "or": "and"})
    elif isinstance(node, ast.BinOp):
        yield from _between(source, node.left, node.right, RECKONED)


def _between(
    source: Source, left: ast.expr, right: ast.expr, others: Mapping[str, str]
) -> Iterator[Change]:
    """The operator between two expressions, brackets and spaces around it left alone."""
    start, end = source.end(left), source.start(right)
    gap = source.text(start, end)
    word = " ".join(gap.replace("(", " ").replace(")", " ").split())
    if word in others and word in gap:
        at = start + len(gap[: gap.index(word)].encode())
        yield at, at + len(word), others[word]


def _values(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield source.start(node), source.end(node), str(not node.value)
        elif isinstance(node.value, int | float):
            more = "+ 1" if abs(node.value) < LARGE else "* 2"
            yield source.start(node), source.end(node), f"({node.value} {more})"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMED:
        yield source.start(node.func), source.end(node.func), NAMED[node.func.id]


def _conditions(source: Source, node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        start, end = source.start(node.test), source.end(node.test)
        yield start, end, f"not ({source.text(start, end)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield source.start(node), source.start(node.operand), ""


def _left_out(source: Source, node: ast.AST) -> Iterator[Change]:
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if called or isinstance(node, ast.AugAssign | ast.Continue | ast.Break):
        assert isinstance(node, ast.stmt)
        yield source.start(node), source.end(node), "pass"


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module whose text can still be read as Python."""
    source = Source((TOP / module).read_text("utf-8"))
    found: list[Mutant] = []
    for start, end, new in changes(source):
        line = source.raw.count(b"\n", 0, start) + 1
        mutant = Mutant(module, line, start, end, source.text(start, end), new)
        if _is_read(mutated(source.raw, mutant)):
            found.append(mutant)
    return found


def mutated(raw: bytes, mutant: Mutant) -> bytes:
    """The module's text with the change in it."""
    return raw[: mutant.start] + mutant.new.encode() + raw[mutant.end :]


def _is_read(raw: bytes) -> bool:
    try:
        ast.parse(raw)
    except SyntaxError:
        return False
    return True


# How they are tried.


class Copy:
    """A copy of the project in which mutants stand, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for room in ROOMS:
            away = shutil.ignore_patterns(".venv", "pictures", "photos")
            shutil.copytree(TOP / room, folder / room, ignore=away)
        for file in ("pyproject.toml", "README.md", "Makefile"):
            shutil.copy(TOP / file, folder / file)

    def sees(self, mutant: Mutant) -> bool:
        """Whether the module's own tests fail with it."""
        file = self.folder / mutant.module
        whole = file.read_bytes()
        try:
            file.write_bytes(mutated(whole, mutant))
            return any(not self._passes(tests, file) for tests in self._own(mutant.module))
        finally:
            file.write_bytes(whole)

    def passes(self, module: str) -> bool:
        """Whether a module's tests pass as it is."""
        return all(self._passes(tests, self.folder / module) for tests in self._own(module))

    def _own(self, module: str) -> Iterator[Path]:
        """Where a module's tests are: the examples in it first, where it has any."""
        if ">>>" in (TOP / module).read_text("utf-8"):
            yield self.folder / module
        yield from (self.folder / "tests" / tests for tests in OWN[module])

    def _passes(self, tests: Path, file: Path) -> bool:
        shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)  # same size, same second
        call = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", GATE]
        call.append(str(tests))
        call = ["sh", "-c", f'ulimit -t {MOST_CPU_S}; exec "$@"', "mutant", *call]
        place = {**os.environ, "PYTHONPATH": str(self.folder)}
        try:
            run = subprocess.run(
                call,
                cwd=self.folder,
                env=place,
                capture_output=True,
                timeout=LONGEST_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return run.returncode == 0


def tried(
    mutants: Sequence[Mutant], jobs: int, tell: Callable[[Mutant, bool], None]
) -> Mapping[Mutant, bool]:
    """Which mutants are seen; `tell` hears of each when it is known."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copies: Queue[Copy] = Queue()
        for number in range(jobs):
            copies.put(Copy(Path(name) / str(number)))
        first = copies.queue[0]
        for module in dict.fromkeys(mutant.module for mutant in mutants):
            if not first.passes(module):
                raise SystemExit(f"{module}: its tests fail without a mutant, so they tell nothing")

        def one(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                seen = copy.sees(mutant)
            finally:
                copies.put(copy)
            tell(mutant, seen)
            return seen

        with ThreadPoolExecutor(jobs) as pool:
            return dict(zip(mutants, pool.map(one, mutants), strict=True))


def chosen(only: str, count: int, seed: int) -> list[Mutant]:
    """A sample, spread evenly over the modules whose path has `only` in it."""
    chance = Random(seed)
    modules = [module for module in OWN if only in module]
    sample: list[Mutant] = []
    for number, module in enumerate(modules):
        there = mutants_of(module)
        many = (count * (number + 1)) // len(modules) - (count * number) // len(modules)
        sample += chance.sample(there, min(many, len(there)))
    return sample


def main(arguments: Sequence[str]) -> int:
    """Try a sample and tell what lives; 0 where enough are seen, else 1."""
    call = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    call.add_argument("--only", default="", help="modules with this in their path")
    call.add_argument("--count", type=int, default=60)
    call.add_argument("--seed", type=int, default=1)
    call.add_argument("--jobs", type=int, default=2)
    asked = call.parse_args(arguments)
    sample = chosen(asked.only, asked.count, asked.seed)
    began = time.monotonic()

    def tell(mutant: Mutant, seen: bool) -> None:  # noqa: FBT001 - as it is called above
        print("seen " if seen else "LIVES", mutant, flush=True)  # noqa: T201

    seen = tried(sample, asked.jobs, tell)
    by_module = Counter(mutant.module for mutant in sample)
    for module, many in by_module.items():
        caught = sum(well for mutant, well in seen.items() if mutant.module == module)
        print(f"{caught:4d} of {many:4d}  {module}")  # noqa: T201
    share = sum(seen.values()) / max(1, len(seen))
    print(f"{share:.0%} of {len(seen)} in {time.monotonic() - began:.0f} s")  # noqa: T201
    return 0 if share >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
