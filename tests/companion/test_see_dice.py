"""`companion see --dice`: the size of dice is told, found by a board, or asked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands.see import DiceSize, see
from companion.errors import BadCall


@pytest.mark.parametrize(
    ("die_mm", "px_per_mm"),
    [(2.0, 0.0), (80.0, 0.0), (float("nan"), 0.0), (16.0, 0.2), (16.0, -3.0), (16.0, float("inf"))],
)
def test_a_size_that_cannot_be_read_is_refused(die_mm: float, px_per_mm: float) -> None:
    """With the option's name and the limit."""
    with pytest.raises(BadCall, match=r"--(die-mm|px-per-mm) .*(5 to 50|it takes 12)"):
        DiceSize(die_mm, px_per_mm)


def test_dice_with_no_board_need_their_px(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture of one die and no board: without its px the way out is told, with it it is read."""
    grey = np.full((120, 160), 120, np.uint8)
    cv2.rectangle(grey, (60, 40), (92, 72), 235, -1)
    for x, y in ((68, 48), (84, 48), (68, 64), (84, 64)):
        cv2.circle(grey, (x, y), 3, 30, -1, cv2.LINE_AA)
    path = str(tmp_path / "die.png")
    cv2.imwrite(path, cv2.GaussianBlur(grey, (0, 0), 0.8))
    assert see(path, None, (), json=False, dice=DiceSize(16.0)) == 1
    assert "--px-per-mm" in capsys.readouterr().out
    assert see(path, None, (), json=False, dice=DiceSize(16.0, 2.0)) == 0
    assert "dice 4" in capsys.readouterr().out
