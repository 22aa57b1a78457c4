"""Every screen that a demonstration really brings, drawn and judged like the samples."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from ui.demo.demo import DemoCall, Demonstration
from ui.scene.theme import Caps, Light, Reach, Theme
from ui.widgets.box import Box

THEME = Theme(Light.DAY, size_px=(800, 480))


@pytest.mark.soak
def test_the_screens_of_a_played_round_keep_the_design(make_sheet: Any, tmp_path: Path) -> None:
    """From set-up into the second round: targets for fingers, texts apart and in the window.

    The gate judges the states of such a round, and of an evening around it, in tests/ui/live.
    """
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(THEME)
    seen: set[str] = set()

    def judge(state: Any, _demonstration: Any) -> None:
        sheet.show(screen_of(state), parts_of(state, THEME))
        seen.add(sheet.screen)
        if next(count) % 5 == 0:
            judge_sheet(sheet)

    count = itertools.count()
    call = DemoCall(record=str(tmp_path / "m.sqlite"), pace=0, rounds=1, seed=7, pins="mock")
    Demonstration(call).play(judge)
    assert {"Ready", "Round", "Lock", "Ruling", "Cards", "Everyone"} <= seen


def judge_sheet(sheet: Any) -> None:
    """What no state may break, however long its words."""
    window = Box(0, 0, THEME.wide_u, 480)
    parts = {name: part for name, part in sheet.parts.items() if part.action is not None}
    for name, part in parts.items():
        assert window.holds(part.box), name
        assert part.box.wide >= Reach.TARGET[0] - 0.01, (sheet.screen, name, part.box)
        assert part.box.high >= Reach.TARGET[1] - 0.01, (sheet.screen, name, part.box)
    for (one, first), (other, second) in itertools.combinations(parts.items(), 2):
        assert not first.box.meets(second.box), (sheet.screen, one, other)
    written = [(name, text) for name, text in sheet.written() if text.text]
    for name, text in written:
        assert window.holds(text.ink), (sheet.screen, name, text.text)
        assert text.caps_u >= Caps.DETAIL - 0.05, (sheet.screen, name, text.text)
    for (one, first), (other, second) in itertools.combinations(written, 2):
        assert not first.ink.meets(second.ink, slack=1.5), (one, first.text, other, second.text)
