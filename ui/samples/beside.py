"""Sample states of the screens outside a round: home, setting up, books, log, arbiter, result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.core.board import Piece
from companion.core.ruling import Json
from companion.record.sums import Sum
from companion.season.seating import CountedBy
from companion.season.statistics import Counted
from ui.samples import parts
from ui.scene import values
from ui.scene.books import RuleParagraph
from ui.scene.scene import BACK, ChosenMatches, PastLook, PastMatch, PastReader, Situation
from ui.scene.words import BY_LOOK
from ui.screens.arbiter.arbiter import ArbiterState, present_menu
from ui.screens.beside import rules, table_check
from ui.screens.beside.first_match import present_first_match
from ui.screens.beside.home import HomeState, OpenMatch
from ui.screens.beside.lists import DevicesState
from ui.screens.beside.settings import SettingsPage, present_settings
from ui.screens.beside.teach import BOARDS, WEAKER, TeachState
from ui.screens.beside.trouble import TroubleState
from ui.screens.match.result import ResultState, SheetRow
from ui.screens.registry import ScreenState, present, present_setup
from ui.table.calibration import EyesState, HeightAsked, KeepingState
from ui.table.export import FULL, ExportPlace
from ui.table.previews import CameraSeen
from ui.table.settings import Settings
from ui.touch import actions as a
from ui.touch.actions import Back, ForgetLook, LearnLook, Panel, Show, TurnPage
from ui.touch.view import SetupDraft, View

# The table check: what a camera sees, and how well it knows the boards.

BACK_KEY = values.Key("Back", a.Back(), sign="back")

TABLE_CHECK = table_check.TableCheckState(
    parts.frame(
        "TABLE CHECK",
        "Jaws & Paws, Day",
        keys=(
            BACK_KEY,
            values.Key("Log", Show(Panel.LOG), sign="log"),
            values.Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
            table_check.TEACH_KEY,
        ),
        message=values.Message("JP-E02 blocks the start", "Arbiter may start anyway"),
        next_key=values.Key(
            "Start round", None, "1 red line to clear", "next", values.KeyLook.IMPOSSIBLE
        ),
    ),
    values.Band(("JAWS PLANE TO PC",), mark=values.Mark.BAD),
    values.Picture(
        None,
        1204,
        (1280, 720),
        (
            values.PictureMark("corner", "", ((90, 60), (130, 62), (128, 92), (88, 90))),
            values.PictureMark(
                "piece",
                "Jaws · GC",
                ((330, 130), (460, 130), (460, 260), (330, 260)),
                values.Mark.BAD,
            ),
            values.PictureMark(
                "piece", "Paws · PC", ((320, 420), (440, 420), (440, 540), (320, 540))
            ),
            values.PictureMark(
                "piece", "Sun · PL", ((980, 140), (1090, 140), (1090, 250), (980, 250))
            ),
        ),
        "0.2 s old · still · 4 of 4 corners · ±1.1 mm",
    ),
    (
        values.Line("Jaws plane", "on GC, must be PC", values.Mark.BAD, "0.2 s"),
        values.Line("Paws track", "smoke side up? turn it", values.Mark.WARN, "0.2 s"),
        values.Line("Sensor box", "slot 3 quiet", values.Mark.WARN, "4.1 s"),
        values.Line("Paws plane, Sun", "PC · Paws PL, legal", values.Mark.OK, "0.2 s"),
        values.Line("Buzzer, lamps", "lgpio · heard 13:58", values.Mark.OK, "now"),
    ),
)

KNOWN = values.Line(
    table_check.CALIBRATION, "2026-11-21 · 6 boards", values.Mark.OK, key=table_check.CALIBRATE
)
TO_KEEP = values.Line(table_check.PICTURES, "of a table read wrongly", key=table_check.KEEP)
POOR = values.Line("Paws Action Track", "0 of 4 corner markers seen", values.Mark.WARN)
RUNNING = values.Line(table_check.CALIBRATION, "out of focus: turn the lens", values.Mark.ASK)

BY_LOOKS = (
    values.Line("Paws plane", "asked: 71 % alike, next 68 %", values.Mark.WARN, "by look"),
    values.Line("Sun", "taught, not seen now", values.Mark.WARN, "0.2 s"),
    values.Line("Jaws plane", "Paws.PC ±4°, 91 % alike", values.Mark.OK, "by look"),
    values.Line(BY_LOOK, "1 read, 91 %+ alike · 1 asked · 1 away", values.Mark.WARN),
)

READY = replace(
    TABLE_CHECK.frame,
    bottom=replace(
        TABLE_CHECK.frame.bottom,
        message=values.Message(),
        next=values.Key("Start", a.Checked(), "the table is right", "next", values.KeyLook.GO),
    ),
)
"""What stands below where nothing blocks the start."""


def _asked(eyes: EyesState) -> table_check.TableCheckState:
    """Ready, and something is asked before a key does what it says."""
    frame = replace(READY, refusal=table_check.asked_first(eyes))
    return replace(TABLE_CHECK, frame=frame, lines=(*TABLE_CHECK.lines[3:], TO_KEEP, KNOWN))


def _keeping(told: str, mark: values.Mark, key: values.Key) -> table_check.TableCheckState:
    """Ready, and pictures are kept, or were."""
    pictures = values.Line(table_check.PICTURES, told, mark, key=key)
    band = values.Band(("TABLE READY",), mark=values.Mark.OK)
    lines = (*TABLE_CHECK.lines[3:], pictures, KNOWN)
    return replace(TABLE_CHECK, frame=READY, band=band, lines=lines)


TABLE_CHECKS: Mapping[str, ScreenState] = {
    "table-check": TABLE_CHECK,
    "table-check-waiting": replace(
        TABLE_CHECK,
        frame=replace(TABLE_CHECK.frame, banner=parts.LOST_BANNER),
        band=values.Band(
            ("CONNECT A CAMERA",), mark=values.Mark.WARN, note="Or start by touch alone."
        ),
        picture=None,
    ),
    "table-check-known": replace(TABLE_CHECK, lines=(*TABLE_CHECK.lines[:3], TO_KEEP, KNOWN)),
    "table-check-calibrating": replace(TABLE_CHECK, lines=(*TABLE_CHECK.lines[:4], RUNNING)),
    "table-check-looks": replace(
        TABLE_CHECK,
        frame=READY,
        band=values.Band(
            ("PAWS PLANE",), mark=values.Mark.WARN, note="asked: 71 % alike, next 68 %"
        ),
        lines=(*BY_LOOKS, KNOWN),
    ),
    "table-check-early": replace(
        TABLE_CHECK,
        frame=READY,
        band=values.Band(("TABLE READY",), mark=values.Mark.OK),
        lines=(
            values.Line("Sun", "Jaws.PL, laid early", values.Mark.ASK, "0.2 s"),
            *TABLE_CHECK.lines[3:],
            KNOWN,
        ),
    ),
    "table-check-height": _asked(EyesState(height=HeightAsked((3.0, 8.0)))),
    "table-check-consent": _asked(EyesState(keeping=KeepingState("", asked=True))),
    "table-check-keeping": _keeping("34 in kept-2026-11-21-1", values.Mark.ASK, table_check.STOP),
    "table-check-kept": _keeping("100 on CLUBSTICK", values.Mark.OK, table_check.KEEP),
    "table-check-poor": replace(
        TABLE_CHECK,
        lines=(
            POOR,
            *TABLE_CHECK.lines[1:4],
            replace(KNOWN, value="5 of 6 boards known", mark=values.Mark.WARN),
        ),
    ),
}


# Teaching tokens: what to show next, what went wrong, what is known.

TEACH = values.Key("Teach", Show(Panel.TEACH, "jaws"))
SKIP = values.Key("Skip", Show(Panel.TEACH, "sun"), sign="right")
FORGET = values.Key("Forget", ForgetLook("jaws"), sign="erase", look=values.KeyLook.HOLD)
MORE = values.Key("More", TurnPage(1), "1 of 4", "again")
LEARN = values.Key("Learn", LearnLook(Piece("paws")), "Paws plane", "next", values.KeyLook.GO)

LINES = (
    values.Line(BOARDS, "4 seen empty", values.Mark.OK, key=TEACH),
    values.Line("Jaws plane", "taught: 91 % alike, next 62 %", values.Mark.OK, "±4°", key=TEACH),
    values.Line("Paws plane", "not taught yet", values.Mark.ASK, key=TEACH),
    values.Line("Sun", "too like the Moon: asked", values.Mark.WARN, key=TEACH),
)
DUE = TeachState(
    parts.frame(
        "TEACH TOKENS",
        "Jaws & Paws, Day",
        keys=(BACK, MORE, SKIP),
        message=WEAKER,
        next_key=LEARN,
    ),
    values.Band(
        ("SHOW PAWS PLANE",),
        mark=values.Mark.ASK,
        note="Alone on a board, its front to the board's top.",
    ),
    TABLE_CHECK.picture,
    LINES,
    1,
    4,
)
BUSY = values.Key("Learn", None, "waits for a still table", "next", values.KeyLook.IMPOSSIBLE)
AGAIN = replace(LEARN, second="anew")
DONE = values.Key("Done", Back(), "back to the table check", "next", values.KeyLook.GO)


def _with(state: TeachState, next_key: values.Key, *keys: values.Key) -> TeachState:
    bottom = replace(state.frame.bottom, next=next_key, keys=(BACK, MORE, *keys))
    return replace(state, frame=replace(state.frame, bottom=bottom))


def _refused(text: str, way_out: str) -> TeachState:
    refusal = values.Alert(f"Not learned: {text}", way_out, "", "")
    new = values.PictureMark(
        "piece", "new", ((700, 400), (820, 400), (820, 520), (700, 520)), values.Mark.BAD
    )
    picture = TABLE_CHECK.picture
    assert picture is not None
    marked = replace(picture, marks=(*picture.marks, new))
    return replace(DUE, frame=replace(DUE.frame, refusal=refusal), picture=marked)


TEACHES: Mapping[str, ScreenState] = {
    "teach": DUE,
    "teach-boards": replace(
        _with(DUE, replace(LEARN, second="the empty boards")),
        band=values.Band(("CLEAR THE BOARDS",), mark=values.Mark.ASK, note="Take every token off."),
        lines=(values.Line(BOARDS, "not seen empty yet", values.Mark.ASK, key=TEACH), *LINES[2:]),
    ),
    "teach-waiting": replace(
        _with(DUE, BUSY),
        band=values.Band(("KEEP HANDS AWAY",), mark=values.Mark.ASK, note="Take your hand away."),
        lines=tuple(replace(line, key=None) for line in LINES),
    ),
    "teach-refused": _refused(
        "2 things are new, on Paws.PC and Jaws.GC", "Leave only the Paws plane there"
    ),
    "teach-nothing": _refused(
        "nothing new is seen",
        "Put the Paws plane on a board, alone; one of the board's own colour needs a sticker",
    ),
    "teach-learned": replace(
        DUE,
        band=values.Band(
            ("SHOW PAWS PLANE",),
            mark=values.Mark.ASK,
            note="Jaws plane: by its look, weaker: margin 0.26",
        ),
    ),
    "teach-anew": replace(
        _with(DUE, AGAIN, SKIP, FORGET),
        band=values.Band(("SHOW JAWS PLANE",), mark=values.Mark.ASK, note="Alone on a board."),
    ),
    "teach-over": replace(
        _with(DUE, DONE), band=values.Band(("ALL ARE KNOWN",), mark=values.Mark.OK)
    ),
}


# Home, setting up, log, arbiter, result.

CANCEL = values.Key("Cancel", a.Back(), sign="cancel")

DEVICE_LINES = (
    values.Line("Camera", "settled, 6 boards seen", values.Mark.OK),
    values.Line("Sensor box", "plugged in, has not answered yet", values.Mark.ASK),
    values.Line("Lamps, buzzer", "not wired (mock)"),
    values.Line("Disk space", "61 MB left", values.Mark.WARN),
)
HOME = HomeState(
    parts.frame("DOGFIGHT COMPANION", "Table 1", keys=()),
    OpenMatch(
        "JAWS & PAWS",
        "Day · four players · round 7, section 3",
        "SAVED 14:02:31",
        (
            values.Line("Ana, Bo", right="decks 14 · 9", side=parts.JAWS),
            values.Line("Cleo, Dan", right="decks 11 · 17", side=parts.PAWS),
        ),
        "Asked next: Paws, the card of section 3",
        values.Key(
            "Resume", a.ResumeMatch("m"), "goes on where it was left", "play", values.KeyLook.GO
        ),
        (parts.MAP.looks["jaws"], parts.MAP.looks["paws"]),
    ),
    (
        values.Key("New match", Show(Panel.NEW_MATCH), "box, seats, timer, house rules", "cards"),
        values.Key("Past matches", Show(Panel.PAST), sign="log"),
        values.Key("Rules", Show(Panel.RULES), sign="eye"),
        values.Key("Show a demo", a.ShowDemo(), sign="play"),
        values.Key("Settings", Show(Panel.SETTINGS), sign="settings"),
    ),
    DEVICE_LINES,
)


SHIP: Json = {"attack": 4, "range": 3, "mobility": 1, "hull": 14, "energy": 4, "abilities": []}
HOME_SIX = replace(
    HOME,
    open=OpenMatch(
        "DOGFIGHT! HEX SHIPS",
        "six players · turn 4, resolution",
        "SAVED 20:11:05",
        tuple(
            values.Line(name, right=f"hull {hull}", side=side)
            for name, hull, side in (
                ("Ana", 3, parts.JAWS), ("Bartholomäus", 1, parts.PAWS), ("Cleo", 2, parts.JAWS),
                ("Dan", 3, parts.PAWS), ("Eleonore", 2, parts.JAWS), ("Finn", 0, parts.PAWS),
            )
        ),
        "Asked next: Cleo, the attack card",
        values.Key(
            "Resume", a.ResumeMatch("m"), "goes on where it was left", "play", values.KeyLook.GO
        ),
    ),
)  # fmt: skip


PEOPLE = PastMatch(
    "m", "Jaws & Paws", "Day", ("Ana, Bo", "Cleo, Dan"), "Paws won", "2026-11-21T14:00:00Z",
    ended=True, people=("Ana", "Bo", "Cleo", "Bartholomäus-Wilhelmine"),
)  # fmt: skip
AT_HOME = Situation(0.0, matches=(PEOPLE,))
NAMED = SetupDraft(seats=(("JP", "Ana"), ("JG", "Bo"), ("PP", "Bartholomäus-Wilhelmine")))
SHIPS = Situation(
    0.0,
    matches=(PEOPLE,),
    own_figures={
        "starship-edition": {
            "vessels": dict.fromkeys(("cruiser", "long-range-scout", "freighter"), SHIP),
            "decks": {"club-deck": {"unknown": 40}},
        }
    },
)


def _set_up(
    part: str, draft: SetupDraft = NAMED, situation: Situation = AT_HOME, page: int = 0
) -> ScreenState:
    view = replace(View(), setup=draft).opened(Panel.NEW_MATCH, part, page)
    return present_setup(situation, view)


SIX = SetupDraft("dogfight-hex", (), (("A", "Ana"),), (("players", 6),))
TWICE = SetupDraft(seats=(("JP", "Ana"), ("PG", "Ana")))
FLEET = SetupDraft("starship-edition", (), (("A", "Ana/cruiser"),))
SET_UPS: Mapping[str, ScreenState] = {
    "new-match": _set_up(""),
    "new-match-six": _set_up("", SIX),
    "new-match-twice": _set_up("", TWICE),
    "new-match-ships": _set_up("", FLEET, SHIPS),
    "new-match-game": _set_up("GAME", SetupDraft("dogfight-1917")),
    "new-match-mixed": _set_up("GAME"),
    "new-match-timer": _set_up("TIMER"),
    "new-match-rules": _set_up("HOUSE RULES", page=1),
    **{f"first-match-{n}": present_first_match(Situation(0.0), View(page=n)) for n in range(6)},
    "first-match-hex": present_first_match(
        Situation(0.0), View(setup=SetupDraft("dogfight-hex"), page=2)
    ),
    "seat": _set_up("seat.PG"),
    "seat-nobody-known": _set_up("seat.JP", SetupDraft(), Situation(0.0)),
    "seat-ship": _set_up("seat.A", FLEET, SHIPS),
    "seat-twice": _set_up("seat.PG", TWICE),
}


ARBITER = ArbiterState(
    parts.frame("ARBITER", "Round 7, section 3", keys=(BACK_KEY,)),
    "",
    (
        values.Key("Challenge", a.OpenChallenge(), "then: who disputes?", "hand"),
        values.Key("Report", Show(Panel.REPORT), "late card, word taken back", "warn"),
        values.Key("Adjust", Show(Panel.ADJUST), "counts and places", "settings"),
        values.Key("Amend", Show(Panel.LOG), "an answer of the log", "log"),
        values.Key("Table check", Show(Panel.TABLE_CHECK), "camera and devices", "eye"),
    ),
    large=True,
)
RESULT = ResultState(
    parts.frame(
        "RESULT",
        "Jaws & Paws, Day · 9 rounds · 21 min",
        keys=(
            values.Key("Undo", a.AskUndo(), sign="undo"),
            values.Key("Log", Show(Panel.LOG), sign="log"),
            values.Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
            values.Key("Export", Show(Panel.EXPORT), "to a stick", "save"),
            values.Key("Rematch", a.StartMatch(rematch=True), "again", "again"),
        ),
        next_key=parts.go("Home", "the result is official"),
    ),
    values.Band(
        ("PAWS WIN",), parts.PAWS, note="Bo had to scrap 6, deck held 4 · JP-11.1, RULING 10"
    ),
    ("Deck", "Hand", "Disc.", "Scrap", "Track"),
    (
        SheetRow(parts.JAWS, "Ana", "Pilot", ("8", "4", "3", "15", "0")),
        SheetRow(parts.JAWS, "Bo", "Gunner", ("0", "4", "2", "22", "2")),
        SheetRow(parts.PAWS, "Cleo", "Pilot", ("6", "4", "5", "15", "0")),
        SheetRow(parts.PAWS, "Dan", "Gunner", ("5", "4", "3", "18", "0")),
    ),
    ("2 amended",),
    "https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22%3A%22companion%22%7D",
    "BG Stats · touch: large",
    code_large=False,
    page=1,
    pages=1,
)
RESULT_LEARNED = replace(
    RESULT,
    frame=parts.frame(
        "RESULT",
        "Dog Fight: Starship Edition · 9 turns · 41 min",
        keys=(
            *RESULT.frame.bottom.keys,
            values.Key("Keep", a.KeepLearned(), "12 cards", "save"),
        ),
        next_key=parts.go("Home", "the result is official"),
    ),
    notes=("1 undone", "Kept: Tractor beam, Deflect, in kept-starship-edition.toml"),
)
DRAW = replace(
    RESULT, band=values.Band(("DRAW",), note="Both shot down together · JP-11.6, RULING 12")
)
SETTINGS = present_settings(Situation(0.0), View())
SETTINGS_PINS = present_settings(Situation(0.0), View().opened(Panel.SETTINGS, SettingsPage.PINS))
SEEN = np.tile(np.linspace(40, 200, 160, dtype=np.uint8)[None, :, None], (90, 1, 3))
TWO_CAMERAS = (
    CameraSeen("Logitech C270", "/dev/v4l/by-id/a", values.Picture(SEEN, 1, (160, 90)), ""),
    CameraSeen("USB camera", "/dev/v4l/by-id/b", None, "USB camera is in use: close the other one"),
    CameraSeen("Pi camera", "picamera"),
)
SETTINGS_CAMERA = present_settings(
    Situation(0.0, settings=Settings(camera="/dev/v4l/by-id/a"), cameras=lambda: TWO_CAMERAS),
    View().opened(Panel.SETTINGS, SettingsPage.CAMERA),
)
SETTINGS_NO_CAMERA = present_settings(
    Situation(0.0), View().opened(Panel.SETTINGS, SettingsPage.CAMERA)
)
RULES = rules.RulesState(
    parts.frame("RULES", "JP-9.4, RULING 15", keys=(BACK_KEY,)),
    "JP-9.4, RULING 15",
    (
        RuleParagraph(
            "JP-9.4", "Step 2", "The Move Sun card of the other team is resolved second."
        ),
        RuleParagraph(
            "RULING 15",
            "Whose Sun card goes first",
            "The note taken at the start of the round counts for all four sections.",
            "sun_order: round_start",
        ),
    ),
)
GAMES = (
    replace(PEOPLE, match_id="won", summary="Jaws & Paws · Paws won · Both of Jaws are out"),
    replace(PEOPLE, match_id="open", summary="Jaws & Paws · open after 112 lines", ended=False),
    replace(PEOPLE, match_id="torn", trouble="line 41 is damaged: its seal does not fit it"),
    replace(PEOPLE, match_id="saved", saved="saved from r.db: what came after line 9 may be lost"),
)
SIX_SEATS = tuple(
    values.Line(name, role, right="Deck 14 · Hand 4 · Discard 12 · Scrap 9", side=side)
    for name, role, side in (
        ("Ana", "Pilot", parts.JAWS), ("Bo", "Gunner", parts.JAWS), ("Cleo", "Pilot", parts.PAWS),
        ("Bartholomäus-Wilhelmine", "Gunner", parts.PAWS),
    )
)  # fmt: skip
WON = PastLook(
    GAMES[0],
    (parts.PAWS,),
    "PAWS WIN",
    "Jaws cannot draw, so Paws win (JP-11.2)",
    SIX_SEATS,
    ("48 min", "112 lines", "24 pictures", "1 amended"),
    24,
    31,
)
LOOKS = {
    "won": WON,
    "open": replace(WON, match=GAMES[1], reason="Asked next: Paws: ready?", pictures=0),
    "torn": PastLook(GAMES[2], trouble=GAMES[2].trouble),
}
PLACES = (
    ExportPlace("KINGSTON", Path("/media/KINGSTON"), 14_310),
    ExportPlace("OLD-STICK", Path("/media/OLD"), 0, FULL),
    ExportPlace("This machine", Path("/home"), 76_152, is_stick=False),
)


_EVERY_MATCH = ChosenMatches()


class SampleShelf(PastReader):
    """Past matches that are no table's."""

    def __init__(self, places: tuple[ExportPlace, ...] = PLACES) -> None:
        self._places = places

    def look(self, match_id: str) -> PastLook | None:
        return LOOKS.get(match_id)

    def counted(
        self, about: CountedBy, chosen: ChosenMatches = _EVERY_MATCH
    ) -> tuple[Counted, ...] | None:
        if chosen.days == 2:
            return None
        named = (one for one in SEASON if one.by is about)
        return tuple(one for one in named if chosen.who in ("", one.name))

    def places(self) -> tuple[ExportPlace, ...]:
        return self._places


def _counted(about: CountedBy, name: str, won: Sum, **more: Sum) -> Counted:
    figures = {("won", ""): won, **{(figure, ""): one for figure, one in more.items()}}
    return Counted(about, "", name, figures)


SEASON = (
    _counted(CountedBy.PLAYER, "Ana", Sum(41, 26, 26), hits=Sum(210, 131, 131)),
    _counted(CountedBy.PLAYER, "Bartholomew Featherstone", Sum(38, 15, 15), hits=Sum(90, 40, 40)),
    _counted(CountedBy.PLAYER, "Cy", Sum(20, 11, 11), hits=Sum(64, 30, 30)),
    _counted(CountedBy.PLAYER, "Dora", Sum(12, 3, 3), hits=Sum(31, 9, 9)),
    _counted(CountedBy.PLAYER, "Emil", Sum(4, 4, 4), hits=Sum(11, 8, 8)),
    _counted(CountedBy.PLAYER, "Fritz", Sum(1, 0, 0), hits=Sum(2, 0, 0)),
    _counted(CountedBy.SIDE, "Jaws", Sum(60, 33, 33), taken=Sum(60, 1290.0, 30000.0)),
    _counted(CountedBy.SIDE, "Paws", Sum(60, 24, 24), taken=Sum(60, 1410.0, 35000.0)),
)
"""Wins and hits of some players, wins and damage of two sides."""

PAST_TABLE = Situation(0.0, matches=GAMES, past=SampleShelf())


def _past(part: str = "", panel: Panel = Panel.PAST, at: Situation = PAST_TABLE) -> ScreenState:
    return present(at, View().opened(panel, part))


PASTS: Mapping[str, ScreenState] = {
    "past": _past(),
    "past-none": _past(at=Situation(0.0)),
    "past-match": _past("won"),
    "past-match-open": _past("open"),
    "past-match-torn": _past("torn"),
    "season": _past("player/Won", Panel.SEASON),
    "season-damage": _past("side/Taken", Panel.SEASON),
    "season-chosen": _past("player/Won/dogfight-1917/365/Ana", Panel.SEASON),
    "season-choosing": _past("choose/player/Won/talespin-dogfight/30/Ana", Panel.SEASON),
    "season-none": _past("card/Hit", Panel.SEASON, Situation(0.0)),
    "export": _past("won", Panel.EXPORT),
    "export-no-stick": _past("won", Panel.EXPORT, Situation(0.0, past=SampleShelf(PLACES[2:]))),
}
DEVICES = DevicesState(
    parts.frame(
        "DEVICES",
        "worst first",
        keys=(BACK_KEY,),
        devices=parts.CAMERA_LOST,
        banner=parts.LOST_BANNER,
    ),
    (
        values.Line(
            "Camera",
            "usb camera is gone: plug it in again",
            values.Mark.BAD,
            "12.4 s",
            values.Key("Retry", a.AskUndo()),
        ),
        values.Line("Sensor box", "8 slots", values.Mark.OK, "0.4 s"),
        values.Line("Lamps, buzzer", "lgpio, tested 13:58", values.Mark.OK, "0.1 s"),
    ),
)

BESIDE: Mapping[str, ScreenState] = {
    "home": HOME,
    "home-empty": replace(
        HOME, frame=parts.frame("DOGFIGHT COMPANION", keys=(), devices=parts.NOTHING_YET), open=None
    ),
    "home-six": HOME_SIX,
    **SET_UPS,
    **TABLE_CHECKS,
    **TEACHES,
    "arbiter": ARBITER,
    "menu-live": present_menu(replace(AT_HOME, live_url="http://192.168.178.24:8080/"), View()),
    "result": RESULT,
    "result-draw": DRAW,
    "result-learned": RESULT_LEARNED,
    "result-code": replace(RESULT, code_large=True),
    "settings-pins": SETTINGS_PINS,
    "settings-camera": SETTINGS_CAMERA,
    "settings-no-camera": SETTINGS_NO_CAMERA,
    "settings-safe": replace(SETTINGS, trouble="settings.toml: theme: 'dusk'; allowed: day, night"),
    "rules": RULES,
    **PASTS,
    "devices": DEVICES,
    "trouble": TroubleState.of(ValueError("no sign is called 'moons'")),
    "trouble-meanwhile": TroubleState.meanwhile(
        "postgresql+psycopg://club@matches.example.org:5432/season-of-2026 does not answer: could "
        "not translate host name to address: Temporary failure in name resolution",
        "/home/companion/.local/share/companion/meanwhile.sqlite",
    ),
    "trouble-in-memory": TroubleState.meanwhile(
        "/home/pi/.local/share/companion/matches.sqlite cannot be read: Input/output error",
        "/run/user/1000/companion/meanwhile/meanwhile.sqlite",
        in_memory=True,
    ),
    "trouble-overtaken": TroubleState.overtaken(
        "Line 14 of match 20261121-190000-7f3a was written by another program: answer "
        "round-1/ready/jaws by Ana at 2026-11-21T19:04:31.250Z. Two programs must not run one "
        "match: end one of them and open the match again."
    ),
}


# Books, out of the books themselves.

_HOME = Situation(0.0)
_READING = View().opened(Panel.BOOKS)


def _opened(panel: Panel, part: str, page: int = 0) -> View:
    return _READING.opened(panel, part, page)


BOOKS: Mapping[str, ScreenState] = {
    "rules-boxes": rules.present_books(_HOME, _READING),
    "rules-chapters": rules.present_chapters(
        _HOME, _opened(Panel.CHAPTERS, "dogfight-1917|", page=1)
    ),
    "rules-chapter": rules.present_chapter(
        _HOME, _opened(Panel.CHAPTER, "jaws-and-paws|Our rulings", page=2)
    ),
    "rules-cite": rules.present_rules(
        _HOME, _opened(Panel.RULES, "starship-edition|RULING 3, SE-PRE-02, RULING 14")
    ),
    "rules-unknown": rules.present_rules(_HOME, _opened(Panel.RULES, "dogfight-hex|HX-ATK-99")),
    "found": rules.present_found(_HOME, _opened(Panel.FOUND, "talespin-dogfight|damage")),
    "found-some-words": rules.present_found(
        _HOME, _opened(Panel.FOUND, "jaws-and-paws|sun order flamingo")
    ),
    "found-none": rules.present_found(_HOME, _opened(Panel.FOUND, "dogfight-1917|flamingo zzz")),
}  # fmt: skip
