"""What the README shows is what happens: its Python sessions and its commands are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

TOP = Path(__file__).parent.parent
README = TOP / "README.md"
ROOMS = ("companion", "hardware", "vision", "ui", "tests")

PAGES = [README, *(p for room in ROOMS for p in (TOP / room).rglob("*.md"))]

COMMANDS_TIMEOUT_S = 60


def command_blocks(text: str) -> list[list[str]]:
    r"""The commands of each `sh` block whose first word is `companion`, comments cut off.

    What needs a camera, a window or minutes stands in a block of another kind (`console`).

    >>> command_blocks("```sh\ncompanion matches  # all\n```\n```sh\nmake run\n```")
    [['companion matches']]
    """
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [
        [line for raw in block.splitlines() if (line := raw.partition("  #")[0].strip())]
        for block in blocks
        if block.startswith("companion ")
    ]


BLOCKS = command_blocks(README.read_text("utf-8"))


def test_python_sessions_print_what_is_shown() -> None:
    """A newcomer types them in and sees the same."""
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS, ids=[block[0] for block in BLOCKS])
def test_commands_end_well(block: list[str], tmp_path: Path) -> None:
    """Line by line in one empty folder, with a record of its own."""
    environ = os.environ | {
        "COMPANION_RECORD": str(tmp_path / "record.db"),
        "PYTHONPATH": str(TOP),  # this tree, installed or not
        "CI": "true",
    }
    for line in block:
        program, *arguments = shlex.split(line)
        assert program == "companion", f"{line}: only `companion` is run from the README"
        done = subprocess.run(
            [sys.executable, "-m", "companion", *arguments],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def test_every_path_it_names_is_there() -> None:
    """A folder or file of ours in `code` must not have moved."""
    named = re.findall(
        r"`((?:companion|hardware|vision|ui|tests|\.ci)/[\w./]*)`", README.read_text()
    )
    assert named
    assert not [name for name in named if not (TOP / name).exists()]


@pytest.mark.parametrize(
    "page", sorted(path.relative_to(TOP).as_posix() for path in PAGES), ids=lambda page: page
)
def test_every_link_leads_somewhere(page: str) -> None:
    """Links and pictures of a page are there, seen from its own folder."""
    text = (TOP / page).read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
    assert not [link for link in links if not (TOP / page).parent.joinpath(link).exists()]


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_what_it_is(room: str) -> None:
    """A top folder has a short page of its own, and the front page leads there."""
    assert (TOP / room / "README.md").is_file()
    assert f"({room}/README.md)" in README.read_text("utf-8")
