"""Maps of another size than the box's own: printed, calibrated and seen by the table's figures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pypdfium2
import pytest

from companion.core.board import BoardPlan, Piece, Pose
from ui.terminal.app import run
from ui.terminal.setting_up import plan_of
from vision.drawing.table import SimulatedTable


def figures(folder: Path, radius: object) -> Path:
    path = folder / "ours.toml"
    path.write_text(f"[map]\nradius = {radius}\n", "utf-8")
    return path


def pictures(folder: Path, plan: BoardPlan, ship: Piece, pose: Pose) -> Path:
    """A folder of pictures of a drawn table."""
    table = SimulatedTable(plan, 31, (1920, 1080))
    table.place(ship, pose)
    folder.mkdir()
    for number in range(11):
        cv2.imwrite(str(folder / f"p{number}.png"), table.read().grey)
    return folder


def call(*words: object) -> int:
    return run([str(word) for word in words])


@pytest.mark.slow
def test_a_map_of_the_tables_own_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seven hexes a side instead of six: its sheet, its calibration, a ship's space and facing."""
    own = figures(tmp_path, 6)
    plan = plan_of("dogfight-hex", figures=own)
    assert len(plan.spaces) == 127
    sheets, out = tmp_path / "sheets.pdf", tmp_path / "table.toml"
    words = ("--data", own)
    assert call("markers", "dogfight-hex", "--paper", "A3", "--out", sheets, *words) == 0
    first = pypdfium2.PdfDocument(str(sheets))[0].get_textpage().get_text_range()
    assert "2 to 13: Hexagon Map" in first
    ship, pose = plan.tokens[0].piece, Pose("0,-6", 2)
    taken = pictures(tmp_path / "pictures", plan, ship, pose)
    assert call("calibrate", taken, "--box", "dogfight-hex", "--out", out, *words) == 0
    capsys.readouterr()
    assert call("see", taken / "p3.png", "--table", out, "--json", *words) == 0
    told = json.loads(capsys.readouterr().out)
    (seen,) = (piece for piece in told["pieces"] if piece["piece"] == ship)
    assert (seen["space"], seen["facing"], seen["state"]) == ("0,-6", 2, "seen")
    assert 0 < seen["place_sd_mm"] < 1.0  # the lens has not been measured
    assert 0 < seen["heading_sd_deg"] < 2.0


@pytest.mark.parametrize(("words", "said"), [
    (("markers", "dogfight-hex", "--out", "s.pdf"), "ours.toml: line 2, map.radius: "),
    (("calibrate", "p.png", "--box", "dogfight-hex"), "ours.toml: line 2, map.radius: "),
    (("calibrate", "p.png"), "of which box? Name it with --box"),
    (("see", "p.png"), "of which box? Name the table's file too, with --table"),
])  # fmt: skip
def test_figures_that_are_wrong_are_named(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file with its line, or what is missing in the call; nothing is written."""
    monkeypatch.chdir(tmp_path)
    own = figures(tmp_path, '"wide"')
    assert call(*words, "--data", own) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["ours.toml"]
