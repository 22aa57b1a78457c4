"""States as they live: every screen that a match of each box comes by, judged like the samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from ui.samples.live import EVENINGS, letters, live_states
from ui.scene.theme import Hand, Light, Palette, Theme

SMALL, LARGE = (800, 480), (1280, 720)
UPRIGHT, LARGE_UPRIGHT = (480, 800), (720, 1280)
GATE = (
    Theme(Light.NIGHT, size_px=SMALL),
    Theme(Light.DAY, size_px=LARGE),
    Theme(Light.NIGHT, size_px=UPRIGHT),
)

COORDINATES = re.compile(r"-?\d+,-?\d+")
"""Of a space as we call it: no board has them in print."""

EXPLAINING = frozenset({"Rules"})
"""Screens of our words for the book: they say, too, how a space is called in files."""

STILL_OPEN: frozenset[str] = frozenset()
"""What some state of a screen still fails, by the law that it breaks: nothing may be added."""


class Findings:
    """What judges found on the states of one box: each fault of a screen, and where it was seen."""

    def __init__(self) -> None:
        self.ways: dict[str, list[str]] = {}

    def judge(self, sheet: Any, judge: Any, states: Any) -> None:
        """Show every state on the sheet, and keep what is wrong with it."""
        from ui.screens.registry import parts_of, screen_of

        theme = sheet.theme
        for one in states:
            sheet.show(screen_of(one.state), parts_of(one.state, theme))
            named = [
                ("coordinates", name, text.text)
                for name, text in sheet.written()
                if COORDINATES.search(text.text) and one.screen not in EXPLAINING
            ]
            for rule, part, what in (*judge.all(sheet), *named):
                where = f"{theme.size_px[0]} {theme.light}: {part}: {what} <- {one.way}"
                self.ways.setdefault(f"{one.screen}: {rule}", []).append(where)

    def beyond(self, known: frozenset[str]) -> str:
        """What was found and is not known, in words, each with one place where it was seen."""
        new = {fault: ways for fault, ways in self.ways.items() if fault not in known}
        return "\n".join(f"{fault} ({len(ways)}): {ways[0]}" for fault, ways in new.items())


SCREENS = frozenset({
    "Adjust", "Amend", "Arbiter", "Evidence", "Home", "Log", "NewMatch", "Past", "Report", "Rules",
    "Ruling", "Settings", "TableCheck", "Value",
})  # fmt: skip
TOUCHES = frozenset({"AskUndo > Undo", "SetField", "OpenChallenge"})
"""Every evening comes by these screens and touches, and this box's by these, too."""
RARE = {
    "dogfight-1917": {"Challenge", "AmendTo", "SetAdjust", " Report "},
    "dogfight-hex": {"Result"},
}


def dealt(states: Sequence[Any], themes: Sequence[Theme]) -> Iterator[tuple[Theme, Sequence[Any]]]:
    """Each theme, and which states are judged in it: all of them in all is for the soak.

    Of each screen the state with most text is judged in every theme, the others in one by turns.
    """
    screens: dict[str, list[Any]] = {}
    for one in sorted(states, key=lambda one: -letters(one.state)):
        screens.setdefault(one.screen, []).append(one)
    for at, theme in enumerate(themes):
        turns = ((turn, one) for alike in screens.values() for turn, one in enumerate(alike))
        yield theme, [one for turn, one in turns if turn == 0 or turn % len(themes) == at]


@pytest.mark.slow
@pytest.mark.parametrize("box", EVENINGS)
def test_every_state_that_lives_is_judged_like_the_samples(
    make_sheet: Callable[[Theme], Any], judge: Any, box: str
) -> None:
    """Texts whole and apart, keys for fingers, contrast, on small screens and large, upright too.

    What still fails is named, and may not grow. Undo, amend, adjust, report, challenge, settings,
    log and rules are opened on the way.
    """
    states, findings = live_states(EVENINGS[box]), Findings()
    ways = " ".join(one.way for one in states)
    wanted = SCREENS | TOUCHES | RARE.get(box, set())
    assert {one for one in wanted if one not in ways} - {one.screen for one in states} == set()
    for theme, taken in dealt(states, GATE):
        findings.judge(make_sheet(theme), judge, taken)
    assert not findings.beyond(STILL_OPEN), f"new:\n{findings.beyond(STILL_OPEN)}"


THEMES: Sequence[Theme] = [
    Theme(light, palette, hand)
    for light, palette, hand in (
        (Light.NIGHT, Palette.STANDARD, Hand.LEFT),
        (Light.DAY, Palette.STANDARD, Hand.LEFT),
        (Light.NIGHT, Palette.RED_GREEN, Hand.RIGHT),
        (Light.DAY, Palette.BLUE_YELLOW, Hand.RIGHT),
    )
]


@lru_cache(maxsize=1)
def long_evening(box: str) -> Sequence[Any]:
    """More rounds, more keys touched at each moment: played once for all sizes."""
    return live_states(replace(EVENINGS[box], rounds=2, answers=300), most=48)


@pytest.mark.soak
@pytest.mark.parametrize("size", [SMALL, LARGE, UPRIGHT, LARGE_UPRIGHT])
@pytest.mark.parametrize("box", EVENINGS)
def test_a_long_evening_is_judged_in_all_looks(
    make_sheet: Callable[[Theme], Any], judge: Any, box: str, size: tuple[int, int]
) -> None:
    """Every state in both lights, under both hands, in other palettes; minutes for each size."""
    states, findings = long_evening(box), Findings()
    for theme in THEMES:
        findings.judge(make_sheet(replace(theme, size_px=size)), judge, states)
    assert not findings.beyond(STILL_OPEN), findings.beyond(STILL_OPEN)
