"""Contact sheets: all screens of a box, as they live, in files that a person looks through."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ui.samples.live import Evening, Lived
from ui.samples.match import SAMPLES
from ui.scene.theme import Theme
from ui.screens.__main__ import main

BOX = "talespin-dogfight"
SHOWN = ("round-running", "cards", "home", "log", "settings", "past", "lock")
STATES = [Lived(f"sample > {name}", SAMPLES[name]) for name in SHOWN]


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, before anything is played."""
    (tmp_path / "file").touch()
    assert main(["--sheets", str(tmp_path / "file")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [(), ("--sheets", "x", "--box", "chess"), ("--sheets", "x", "--size", "9")]
)
def test_a_call_that_names_nothing_to_draw_is_refused(wrong: Sequence[str]) -> None:
    """No screen and no folder; a box or a size that there is not."""
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 2


@pytest.mark.slow
def test_every_page_that_is_written_is_told(
    tmp_path: Path,
    window: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An evening that ends soon: its first screens are drawn, and each file has a line."""
    monkeypatch.setattr("ui.samples.live.EVENINGS", {BOX: Evening(BOX, rounds=0, answers=2)})
    assert main(["home", "--sheets", str(tmp_path), "--box", BOX, "--size", "480x800"]) == 0
    (file,) = tmp_path.iterdir()
    assert file.name == f"{BOX}-480x800-night-1.png"
    told = capsys.readouterr().out
    assert str(file) in told
    assert "Home" in told


@pytest.mark.slow
def test_a_page_has_each_picture_as_it_is_drawn_with_words_under_it(window: Any) -> None:
    """No picture is scaled, none lies on another, and what does not fit is on the next page."""
    from ui.window.samples import SampleWindow, pages

    theme, sheets = Theme(size_px=(1280, 720)), SampleWindow(Theme())
    (first, second) = pages(sheets, STATES, theme)
    assert (first.number, second.number, first.of) == (1, 2, 2)
    assert [*first.states, *second.states] == STATES
    for at, lived in enumerate(first.states):
        x, y = at % 2 * 1296 + 16, at // 2 * 796 + 16
        shown = first.picture[y : y + 720, x : x + 1280]
        assert np.array_equal(shown, sheets.drawn(lived.state, theme)), lived.way
        words = first.picture[y + 720 : y + 780, x : x + 1280]
        assert (words < 60).any(), lived.way
    sheets.close()


def test_a_long_way_is_told_by_its_last_part(window: Any) -> None:
    """Two lines under the screen's name; what they leave out has dots in its place."""
    from ui.window.samples import caption

    way = " > ".join(f"touch-{number}" for number in range(60))
    screen, *lines = caption(Lived(way, SAMPLES["home"]), 480)
    assert screen == "Home"
    assert len(lines) == 2
    assert lines[0].startswith("...")
    assert lines[-1].endswith("touch-59")
