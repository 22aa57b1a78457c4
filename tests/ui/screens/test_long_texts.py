"""Screens beside the match with names, paths and messages of any length: all of it can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ui.scene.books import RuleParagraph
from ui.scene.theme import Light, Theme
from ui.scene.values import Band, Bottom, Frame, Key, KeyLook, Line, Mark, TopBar
from ui.screens.beside.figures import FigureRow, FiguresState
from ui.screens.beside.lists import DevicesState
from ui.screens.beside.past import WHAT, ExportState, PastMatchState, PastState, people_in_words
from ui.screens.beside.rules import FoundState, RulesState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.registry import parts_of, screen_of
from ui.touch.actions import Back, Panel, Show

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))
LIGHTS = dict(zip(SIZES, (Light.NIGHT, Light.DAY) * 2, strict=True))
KEYS = (Key("Less", Back(), sign="minus"), Key("More", Back(), sign="plus"))
CITE = "DF-17.3.E2, RULING 22, RULING 23"


def frame(title: str, where: str = "Dogfight: 1917") -> Frame:
    """Both bars with little in them."""
    return Frame(TopBar(title, where), Bottom((Key("Back", Back(), sign="back"),)))


FIGURES = FiguresState(
    frame("CHECK THE BOX"),
    "Hold these against the board and the cards.",
    (
        FigureRow("Battle Royale of six, tokens at the start", CITE, "0, 1, 2, 3", keys=KEYS),
        FigureRow("Second attack", CITE, "Guns of Wilhelmine von Hohenzollern", Mark.OK),
        FigureRow("Donaudampfschifffahrtsgesellschaft", CITE, "12 spaces", keys=KEYS[:1]),
        FigureRow("Hull", "SE-SET-06", "10", keys=KEYS),
        FigureRow("Hull of a ship of the longest name that anybody gave", CITE, "10", keys=KEYS),
    ),
)  # fmt: skip
WILHELMINE, DONAU = "Wilhelmine Hohenzoll", "Donaudampfschifffahr"
"""Two names of twenty letters, with a blank and without one."""
FROZEN = (
    "Camera frozen: no picture for 19 s. It is opened anew; if that does not help, pull the plug "
    "of /dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_8A2F3B1F-video-index0 and put it back"
)
TABLE_CHECK = TableCheckState(
    frame("TABLE CHECK"),
    Band(("CAMERA",), mark=Mark.BAD, note="Camera frozen: no picture for 19 s."),
    None,
    (
        Line("Camera", FROZEN, Mark.BAD, "19 s"),
        Line(f"{WILHELMINE}'s Sopwith Camel", "asked: between two spaces", Mark.WARN, "19 s"),
        Line("Calibration", "2026-11-21 · 6 boards", Mark.OK, key=Key("Calibrate", Back())),
    ),
)
PEOPLE = (WILHELMINE, DONAU) * 3
PAST = PastState(
    frame("PAST MATCHES", "4 on this table"),
    (
        Line(people_in_words(PEOPLE), "TaleSpin · " + WILHELMINE + " has won the dogfight",
             Mark.OK, "2026-11-23 16:08", Key("", Back())),
        Line(people_in_words(PEOPLE[:3]), "cannot be read: line 12 is not what was sealed",
             Mark.WARN, "2026-11-23 16:08", Key("", Back())),
        Line("Ana / Bo", "Demonstration · open after 1 line", Mark.ASK, "today", Key("", Back())),
        Line("Ana / Bo", "Jaws have won", Mark.OK, "2026-11-23 16:08", Key("", Back())),
    ),
)  # fmt: skip
PAST_MATCH = PastMatchState(
    frame("PAST MATCH", "Dogfight! hex ships, 2026-11-23 16:08"),
    Band((f"{WILHELMINE.upper()} HAS WON",), note=f"{DONAU} has no hull left, and nobody else has"),
    tuple(
        Line(name, f"ship {n}", right="hull 2 · cards 4 · kills 1 · damage 3") for n, name in
        enumerate(PEOPLE)
    ),
    "23 turns · 1 h 40 min · arbiter " + DONAU + " · 2 amended · 1 challenge, decided for " + DONAU,
)  # fmt: skip
EXPORT = ExportState(
    frame("EXPORT"),
    (
        Key("STICK OF THE LONGEST NAME THERE EVER WAS", Back(), "76 GB free", "save"),
        Key("BACKUP", None, "cannot be written to: the file system is read-only", "save",
            KeyLook.IMPOSSIBLE),
    ),
    WHAT,
)  # fmt: skip
RULES = RulesState(
    frame("RULES", "Dog Fight: Starship Edition · SE-SET-06, SE-R03, RULING 3, SE-ACT-05"),
    CITE,
    (
        RuleParagraph("SE-SET-06", "Rounds, the Action Phase and the Difficulty of what follows",
                      "A text. " * 20, switch="basic_combination_enforced: true"),
        RuleParagraph("RULING 33", "Short", "A text.", chapter=Show(Panel.RULES)),
    ),
)  # fmt: skip
FOUND = FoundState(
    frame("RULES", "Dog Fight: Starship Edition · priority order of everybody"),
    tuple(
        Line("SE-ACT-05 · Rounds, the Action Phase and the Difficulty", "… " + "order " * 14,
             right="heading", key=Key("", Back()))
        for _ in range(5)
    ),
)  # fmt: skip
DEVICES = DevicesState(
    frame("DEVICES"),
    (
        Line("Camera", FROZEN, Mark.BAD, "19 s", Key("Retry", Back(), sign="retry")),
        Line("Lamps, buzzer", "no answer from /dev/ttyACM0. Plug it in again", Mark.WARN, "2 s",
             Key("Retry", Back(), sign="retry")),
        Line("Voice", "espeak-ng is not installed", Mark.NONE),
    ),
)  # fmt: skip
LONG: dict[str, Any] = {
    "devices": DEVICES,
    "export": EXPORT,
    "figures": FIGURES,
    "found": FOUND,
    "past": PAST,
    "past-match": PAST_MATCH,
    "rules": RULES,
    "table-check": TABLE_CHECK,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", LONG)
def test_a_long_text_is_never_cut_and_hides_nothing(
    make_sheet: Callable[[Theme], Any], judge: Any, name: str, size: tuple[int, int]
) -> None:
    """At four sizes, in both themes: every text whole and apart, every key for a finger."""
    sheet = make_sheet(Theme(LIGHTS[size], size_px=size))
    sheet.show(screen_of(LONG[name]), parts_of(LONG[name], sheet.theme))
    assert list(judge.all(sheet)) == []
