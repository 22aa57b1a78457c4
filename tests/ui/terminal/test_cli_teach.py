"""`companion teach`: pictures of a box's tokens become looks that `see --table` reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from companion.core.board import Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, board_plan
from ui.table import TABLE_FILE_NAME
from ui.table.settings_file import SettingsFile
from ui.terminal import camera as command
from ui.terminal.app import run
from vision.camera.camera import Camera
from vision.drawing.table import PictureLook, SimulatedTable
from vision.looks.file import load_kept, looks_beside

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Make a call; its exit status, what it said, and what it complained of."""

    def make(*words: object) -> tuple[int, str, str]:
        status = run([str(word) for word in words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return make


@pytest.fixture
def drawn() -> SimulatedTable:
    return SimulatedTable(board_plan(), 4, look=PictureLook(stickers=False))


def keep(path: Path, table: SimulatedTable) -> None:
    colour = table.read().colour
    assert colour is not None
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), colour)


@pytest.mark.slow
def test_pictures_teach_a_token_that_see_then_reads(
    call: Call, drawn: SimulatedTable, tmp_path: Path
) -> None:
    """The margin is told; the looks lie beside the table's file."""
    table = tmp_path / "table.toml"
    table.write_text('box = "jaws-and-paws"\n', "utf-8")
    keep(tmp_path / "shown" / "0.png", drawn)
    drawn.place(JAWS_PLANE, Pose("Paws.PC"), heading_deg=0.0)
    keep(tmp_path / "shown" / "1.png", drawn)
    status, out, _ = call("teach", tmp_path / "shown", "--table", table, "--piece", "jaws")
    assert status == 0
    assert "Jaws plane: by its look, weaker: margin" in out
    assert out.startswith("Pictures, in this order: the empty boards, Jaws plane.\n")
    drawn.place(JAWS_PLANE, Pose("Paws.PL"))
    keep(tmp_path / "now.png", drawn)
    status, out, _ = call("see", tmp_path / "now.png", "--table", table)
    assert status == 0
    assert "jaws on Paws.PL" in out


@pytest.mark.slow
def test_the_end_tells_each_margin_against_all_others_and_who_reads_them(
    call: Call, drawn: SimulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first was shown before there were others; the app is told of where it reads elsewhere."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    shown, table = tmp_path / "shown", SettingsFile.load().path.parent / TABLE_FILE_NAME
    keep(shown / "0.png", drawn)
    for number, piece in enumerate((JAWS_PLANE, PAWS_PLANE), start=1):
        drawn.place(piece, Pose("Paws.PC"), heading_deg=0.0)
        keep(shown / f"{number}.png", drawn)
        drawn.remove(piece)
    words = ("teach", shown, "--box", "jaws-and-paws", "--piece", "jaws", "--piece", "paws")
    status, out, _ = call(*words, "--table", tmp_path / "mine.toml")
    assert status == 0
    jaws = [line for line in out.splitlines() if line.startswith("Jaws plane: ")]
    assert len(jaws) == 2
    assert jaws[0].endswith("margin 1.00")
    assert not jaws[1].endswith("margin 1.00")
    folder = looks_beside(table, "jaws-and-paws")
    assert f"The app reads {folder}: " in out
    assert f"teach with --table {table} --box jaws-and-paws" in out
    status, out, _ = call(*words, "--table", table)
    assert status == 0
    assert "The app reads" not in out
    assert load_kept(folder, board_plan()).looks


def test_wrong_calls_say_what_to_do(call: Call, drawn: SimulatedTable, tmp_path: Path) -> None:
    """No box, no such piece, too few pictures, nothing shown: one line each, and nothing kept."""
    keep(tmp_path / "shown" / "0.png", drawn)
    table = tmp_path / "table.toml"
    shown = ("teach", tmp_path / "shown", "--table", table)
    status, _, told = call(*shown)
    assert status != 0
    assert "name the box with --box" in told
    status, _, told = call(*shown, "--box", "jaws-and-paws", "--piece", "kite")
    assert status != 0
    assert "--piece kite: no token of jaws-and-paws" in told
    status, _, told = call(*shown, "--box", "jaws-and-paws")
    assert status != 0
    assert "no picture is left" in told
    keep(tmp_path / "shown" / "1.png", drawn)
    status, _, told = call(*shown, "--box", "jaws-and-paws")
    assert status != 0
    assert "nothing new is seen: put the Jaws plane" in told
    assert not list((tmp_path / "looks").rglob("jaws.png"))


@pytest.mark.slow
def test_a_device_asks_step_by_step_and_again_where_nothing_is_seen(
    call: Call, drawn: SimulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter learns, s passes over a token; the empty boards are not passed over."""
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) == 4:  # the second time that the Jaws plane is asked for
            drawn.place(JAWS_PLANE, Pose("Paws.PC"), heading_deg=0.0)
        return "s" if "Jaws" not in prompt and len(asked) != 2 else ""

    def opened(_source: str) -> Camera:
        return drawn

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(command, "open_camera", opened)
    table = tmp_path / "table.toml"
    status, out, _ = call("teach", "usb", "--table", table, "--box", "jaws-and-paws")
    assert status == 0
    assert "nothing new is seen" in out
    assert asked[:2] == ["Take every token off the boards, then press Enter: "] * 2
    assert "The empty boards cannot be passed over" in out
    assert all("press Enter (s passes over): " in prompt for prompt in asked[2:])
    assert len(asked) == 6
    assert (tmp_path / "looks" / "jaws-and-paws" / "looks.toml").exists()
