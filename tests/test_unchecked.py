"""Pyright looks again at what may be otherwise than when it passed it, and at nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.unchecked import KEPT, main

FILES = {
    "pyproject.toml": '[tool.pyright]\ninclude = ["ours", "tests"]\nexclude = ["ours/window.py"]\n',
    "ours/__init__.py": "from ours.face import Face\n",
    "ours/face.py": "Face = int\n",
    "ours/board.py": "def board() -> None:\n    from ours import face\n",
    "ours/typed.py": "if TYPE_CHECKING:\n    from ours.board import board\n",
    "ours/window.py": "import kivy\n",
    "tests/test_window.py": "import ours.window\n",
    "tests/test_alone.py": "import os\n",
}
CHECKED = {file for file in FILES if file.endswith(".py")} - {"ours/window.py"}
SAYS = "import sys; open('told', 'w').write(' '.join(sys.argv[2:])); sys.exit(int(sys.argv[1]))"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A project all of which has been passed."""
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
    assert checked(tmp_path) == CHECKED
    assert checked(tmp_path) == set()
    return tmp_path


def checked(top: Path, status: int = 0) -> set[str]:
    """What a program that stands for pyright is given; `status`: what it then says."""
    (top / "told").write_text("")
    given = main(top, [sys.executable, "-c", SAYS, str(status)])
    told = {*(top / "told").read_text().split()}
    assert given == (status if told else 0)
    return told


@pytest.mark.parametrize(
    ("file", "due"),
    [
        ("tests/test_alone.py", {"tests/test_alone.py"}),
        ("ours/typed.py", {"ours/typed.py"}),
        ("ours/board.py", {"ours/board.py", "ours/typed.py"}),
        ("ours/face.py", CHECKED - {"tests/test_alone.py"}),
        ("ours/window.py", {"tests/test_window.py"}),
        ("pyproject.toml", set()),
    ],
)
def test_a_change_is_seen_by_all_who_import_it_wherever_they_do(
    top: Path, file: str, due: set[str]
) -> None:
    """In a function, for the type checker alone, through others, out of a file it never checks."""
    (top / file).write_text(FILES[file] + "# changed\n", "utf-8")
    assert checked(top) == due
    assert checked(top) == set()


def test_all_is_looked_at_again_by_other_settings(top: Path) -> None:
    with (top / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write('typeCheckingMode = "basic"\n')
    assert checked(top) == CHECKED


@pytest.mark.parametrize("file", ["ours/face/__init__.py", "tests/ours/face.py"])
def test_a_new_file_is_seen_by_those_who_may_mean_it(top: Path, file: str) -> None:
    (top / file).parent.mkdir(parents=True)
    (top / file).write_text("", "utf-8")
    assert checked(top) == {file, *CHECKED} - {"tests/test_alone.py", "ours/face.py"}


@pytest.mark.parametrize("text", ["wrong", "import (", "def", "\0"])
def test_what_is_wrong_is_told_until_it_is_right(top: Path, text: str) -> None:
    (top / "ours/typed.py").write_text(text, "utf-8")
    for status in (1, 1, 0):
        assert checked(top, status) == {"ours/typed.py"}
    assert checked(top) == set()


@pytest.mark.parametrize("kept", ["", "[1", "{}", '{"files": {}}', "[1]"])
def test_all_is_looked_at_again_where_nothing_sound_is_kept(top: Path, kept: str) -> None:
    (top / KEPT).write_text(kept, "utf-8")
    assert checked(top) == CHECKED
