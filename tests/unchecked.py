"""Pyright on the files that it has not passed yet; itself it keeps nothing from run to run.

What it says of a file depends on that file, on what that imports, directly or through others, on
its settings and on the packages that are installed. A file is passed over where all of that is as
it was when pyright last had nothing to say. `make clean` forgets it.

    python tests/unchecked.py
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

TOP = Path(__file__).parent.parent
KEPT = ".pyright_cache/passed.json"


class Passed(NamedTuple):
    """What is kept: what each text imports, and of which files pyright had nothing to say.

    `imports` are by the seal of a text, so that only a text that changed is read; `files` have a
    seal over all that pyright read for them.
    """

    imports: dict[str, list[str]]
    files: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Passed:
        """What was kept; nothing where there is none, or somebody else wrote it."""
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return cls({}, {})

    def write(self, path: Path) -> None:
        """Keep it, whole or not at all."""
        path.parent.mkdir(exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(self._asdict()), "utf-8")
        new.replace(path)


def seal(text: str) -> str:
    """A text's mark."""
    return sha256(text.encode()).hexdigest()


def circumstances(top: Path) -> str:
    """What holds for every file: settings, the Python that runs, packages and their versions."""
    folders = (Path(one) for one in sys.path)
    installed = sorted(one.name for folder in folders for one in folder.glob("*.dist-info"))
    return seal("\n".join([json.dumps(settings_in(top)), sys.version, *installed]))


def settings_in(top: Path) -> dict[str, Any]:
    """Pyright's settings."""
    settings: dict[str, Any] = tomllib.loads((top / "pyproject.toml").read_text("utf-8"))
    return {**settings["tool"]["pyright"]}


def texts_of(top: Path) -> tuple[Mapping[str, str], Collection[str]]:
    """Every file of ours by its path, and which of them pyright's settings let it check."""
    settings = settings_in(top)
    paths = (path for one in settings["include"] for path in sorted((top / one).rglob("*.py")))
    texts = {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in paths}
    left_out = settings["exclude"]
    return texts, [file for file in texts if not any(fnmatch(file, one) for one in left_out)]


def imports_in(text: str) -> Iterator[str]:
    """Every module that a text may mean, wherever it does: `from a import b` may mean `a.b`.

    A text that is no Python imports nothing; pyright says what is wrong with it.
    """
    try:
        read = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(read):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                yield from (".".join(parts[: n + 1]) for n in range(len(parts)))
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def seals_of(top: Path, texts: Mapping[str, str], known: dict[str, list[str]]) -> dict[str, str]:
    """A seal over all that pyright reads for each file, and over what holds for all of them.

    `known`: what texts import, by their seals; it is brought up to date.
    """
    own = {file: seal(text) for file, text in texts.items()}
    now = {
        mark: known.get(mark) or sorted({*imports_in(texts[file])}) for file, mark in own.items()
    }
    known.clear()
    known.update(now)
    read = {file: [*_files(known[mark], texts)] for file, mark in own.items()}
    rest = circumstances(top)
    return {
        file: seal("\n".join([rest, *(f"{one} {own[one]}" for one in _reached(file, read))]))
        for file in texts
    }


def _files(modules: Collection[str], texts: Collection[str]) -> Iterator[str]:
    """The files of ours among modules; from a test a folder of tests might be meant as well."""
    for module in modules:
        path = module.replace(".", "/")
        for file in (f"{path}.py", f"{path}/__init__.py"):
            yield from (one for one in (file, f"tests/{file}") if one in texts)


def _reached(file: str, read: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """A file, what it imports, what those import, and so on."""
    found, waiting = {file}, [file]
    while waiting:
        more = [one for one in read[waiting.pop()] if one not in found]
        found.update(more)
        waiting += more
    return sorted(found)


def main(top: Path, pyright: Sequence[str]) -> int:
    """Let pyright check what it has not passed; its exit status."""
    passed = Passed.read(top / KEPT)
    texts, checked = texts_of(top)
    seals = seals_of(top, texts, passed.imports)
    due = [file for file in checked if passed.files.get(file) != seals[file]]
    print(f"pyright: {len(due)} of {len(checked)} files are new to it", flush=True)  # noqa: T201
    if not due:
        return 0
    status = subprocess.run([*pyright, *due], check=False, cwd=top).returncode
    if status == 0:
        passed._replace(files={file: seals[file] for file in checked}).write(top / KEPT)
    return status


if __name__ == "__main__":
    python = sys.executable
    sys.exit(main(TOP, [python, "-m", "pyright", "--pythonpath", python]))
