"""No screen is made for one game: boards of hexes share one, whatever their box."""

from __future__ import annotations

import re
from pathlib import Path


def test_no_screen_knows_the_games_name() -> None:
    """Screens know kinds of questions and the board plan."""
    folder = Path(__file__).parents[2] / "ui"
    files = [
        file
        for part, pattern in (
            ("screens/match", r"(field|dice|menu|choose)"),
            ("screens/beside", r"figures"),
            ("widgets", r"(field|dice|board_map)"),
        )
        for file in (folder / part).glob("*.py")
        if re.match(pattern, file.name)
    ]
    assert len(files) == 11
    for file in files:
        words = file.read_text("utf-8").lower()
        assert "dogfight" not in words, file
        assert "1917" not in words, file
