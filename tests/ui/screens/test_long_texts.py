"""Screens beside the match with names, paths and messages of any length: all of it can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ui.scene.books import RuleParagraph
from ui.scene.scene import PastMatch, Situation
from ui.scene.theme import Light, Theme
from ui.scene.values import Band, Bottom, Key, KeyLook, Line, Mark, Picture, ScreenFrame, TopBar
from ui.screens.beside.figures import FigureRow, FiguresState
from ui.screens.beside.home import HomeState, OpenMatch
from ui.screens.beside.lists import DevicesState
from ui.screens.beside.naming import NamingState, SearchState
from ui.screens.beside.past import (
    WHAT,
    ExportState,
    MatchRow,
    PastMatchState,
    PastState,
    people_in_words,
)
from ui.screens.beside.rules import FoundState, RulesState
from ui.screens.beside.settings import SettingsPage, present_settings
from ui.screens.beside.table_check import TableCheckState
from ui.screens.beside.trouble import TroubleState
from ui.screens.registry import parts_of, present_setup, screen_of
from ui.table.previews import CameraSeen
from ui.table.settings import Settings
from ui.touch.actions import Back, EditName, Panel, Show
from ui.touch.view import SetupDraft, View

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))
LIGHTS = dict(zip(SIZES, (Light.NIGHT, Light.DAY) * 2, strict=True))
KEYS = (Key("Less", Back(), sign="minus"), Key("More", Back(), sign="plus"))
CITE = "DF-17.3.E2, RULING 22, RULING 23"


def frame(title: str, where: str = "Dogfight: 1917") -> ScreenFrame:
    """Both bars with little in them."""
    return ScreenFrame(TopBar(title, where), Bottom((Key("Back", Back(), sign="back"),)))


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
    frame("PAST MATCHES", "5 on this table"),
    tuple(
        MatchRow(told, value, mark, day, Key("", Back()), shorter=tuple(shorter))
        for (told, *shorter), value, mark, day in (
            (people_in_words(PEOPLE), "TaleSpin · " + WILHELMINE + " has won the dogfight",
             Mark.OK, "2026-11-23 16:08"),
            (people_in_words(PEOPLE[:3]), "cannot be read: line 12 is not what was sealed",
             Mark.WARN, "2026-11-23 16:08"),
            (["Ana / Bo"], "Demonstration · open after 1 line", Mark.ASK, "today"),
            (people_in_words(["Annabel, Bo", "Cleopatra, Dan"]), "Jaws have won",
             Mark.OK, "29 Nov 10:00"),
            (people_in_words(["Wilhelmine, Bo", "Maximiliane"]), "Paws have won",
             Mark.OK, "29 Nov 10:00"),
        )
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
SOURCE = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_8A2F3B1F-video-index0"
FILMED = Picture(np.full((90, 160, 3), 90, np.uint8), 1, (160, 90))
CAMERAS = (
    CameraSeen("first-evening-at-the-club-2026-11-21.mp4", "films/first.mp4", FILMED, ""),
    CameraSeen("second-evening.mp4", "films/second.mp4", FILMED, ""),
    CameraSeen("HD Pro Webcam C920", SOURCE, None, f"{SOURCE} is in use: close the other program"),
)
WATCHING = Situation(0.0, settings=Settings(camera=SOURCE), cameras=lambda: CAMERAS)
KNOWN = PastMatch(
    "m", "Dogfight! hex ships", "", PEOPLE[:2], "Draw", "2026-11-21T14:00:00Z", ended=True,
    people=(*PEOPLE[:2], "Bartholomew-Wilhelm Q", "Cleopatra von Habsburg", "Ana", "Bo"),
)  # fmt: skip
CLUB = Situation(0.0, matches=(KNOWN,))
SIX_SHIPS = SetupDraft(
    "dogfight-hex", (), tuple(zip("ABCDEF", KNOWN.people, strict=True)), (("players", 6),)
)
SIX_FLEETS = replace(SIX_SHIPS, box="starship-edition")


def set_up(draft: SetupDraft, part: str = "") -> Any:
    """The page of a new match, or what is opened from it."""
    view = replace(View(), setup=draft).opened(Panel.NEW_MATCH, part)
    return present_setup(CLUB, view)


HOME = HomeState(
    ScreenFrame(
        TopBar("DOGFIGHT COMPANION", "Table of the longest name that a club has had"), Bottom()
    ),
    OpenMatch(
        "DOG FIGHT: STARSHIP EDITION",
        "six players · turn 14, movement, tier 3",
        "SAVED 20:11:05",
        tuple(Line(name, right="hull 12 · energy 4") for name in PEOPLE),
        f"Asked next: {WILHELMINE}, the attack card that is laid in answer",
        Key("Resume", Back(), "goes on where it was left", "play", KeyLook.GO),
    ),
    (
        Key("New match", Show(Panel.NEW_MATCH), "box, seats, timer, house rules", "cards"),
        Key("Past matches", Show(Panel.PAST), sign="log"),
        Key("Rules", Show(Panel.RULES), sign="eye"),
        Key("Show a demo", Back(), sign="play"),
        Key("Settings", Show(Panel.SETTINGS), sign="settings"),
    ),
    (
        Line("Camera", "pull the plug and put it back", Mark.BAD),
        Line("Lamps, buzzer", "no answer from the sensor box", Mark.WARN),
        Line("Disk space", "61 MB left", Mark.WARN),
        Line("Voice", "not installed"),
    ),
)
LONG: dict[str, Any] = {
    "home": HOME,
    "naming": NamingState(EditName("seat.A", DONAU, "Ships"), f"{DONAU}-{WILHELMINE}"),
    "new-match": set_up(SIX_SHIPS),
    "new-match-fleets": set_up(SIX_FLEETS),
    "search": SearchState("starship-edition", f"{DONAU} {WILHELMINE} priority"),
    "seat": set_up(SIX_SHIPS, "seat.B"),
    "settings-camera": present_settings(
        WATCHING, View().opened(Panel.SETTINGS, SettingsPage.CAMERA)
    ),
    "trouble": TroubleState.of(ValueError(f"{SOURCE} is gone while line 14 of it was read")),
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
