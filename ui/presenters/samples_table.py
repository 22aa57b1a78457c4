"""Sample states of the table check: what a camera sees, and how well it knows the boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ui.presenters.common import Band, Key, KeyLook, Line, Mark, Message
from ui.presenters.look_lines import BY_LOOK
from ui.presenters.sample_parts import LOST_BANNER, frame
from ui.presenters.states import ScreenState
from ui.presenters.table_check import (
    CALIBRATE,
    CALIBRATION,
    TEACH_KEY,
    Picture,
    PictureMark,
    TableCheckState,
)
from ui.touch import actions as a
from ui.touch.actions import Panel, Show

BACK = Key("Back", a.Back(), sign="back")

TABLE_CHECK = TableCheckState(
    frame(
        "TABLE CHECK",
        "Jaws & Paws, Day",
        keys=(
            BACK,
            Key("Log", Show(Panel.LOG), sign="log"),
            Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
            TEACH_KEY,
        ),
        message=Message("JP-E02 blocks the start", "Arbiter may start anyway"),
        next_key=Key("Start round", None, "1 red line to clear", "next", KeyLook.IMPOSSIBLE),
    ),
    Band(("JAWS PLANE TO PC",), mark=Mark.BAD),
    Picture(
        None,
        1204,
        (1280, 720),
        (
            PictureMark("corner", "", ((90, 60), (130, 62), (128, 92), (88, 90))),
            PictureMark(
                "piece", "Jaws · GC", ((330, 130), (460, 130), (460, 260), (330, 260)), Mark.BAD
            ),
            PictureMark("piece", "Paws · PC", ((320, 420), (440, 420), (440, 540), (320, 540))),
            PictureMark("piece", "Sun · PL", ((980, 140), (1090, 140), (1090, 250), (980, 250))),
        ),
        "0.2 s old · still · 4 of 4 corners · ±1.1 mm",
    ),
    (
        Line("Jaws plane", "on GC, must be PC", Mark.BAD, "0.2 s"),
        Line("Paws track", "smoke side up? turn it", Mark.WARN, "0.2 s"),
        Line("Sensor box", "slot 3 quiet", Mark.WARN, "4.1 s"),
        Line("Paws plane, Sun", "PC · Paws PL, legal", Mark.OK, "0.2 s"),
        Line("Buzzer, lamps", "lgpio · heard 13:58", Mark.OK, "now"),
    ),
)

KNOWN = Line(CALIBRATION, "2026-11-21 · 6 boards", Mark.OK, key=CALIBRATE)
POOR = Line("Paws Action Track", "0 of 4 corner markers seen", Mark.WARN)
RUNNING = Line(CALIBRATION, "out of focus: turn the lens", Mark.ASK)

BY_LOOKS = (
    Line("Paws plane", "asked: 71 % alike, next 68 %", Mark.WARN, "by look"),
    Line("Sun", "taught, not seen now", Mark.WARN, "0.2 s"),
    Line("Jaws plane", "Paws.PC ±4°, 91 % alike", Mark.OK, "by look"),
    Line(BY_LOOK, "1 read, 91 %+ alike · 1 asked · 1 away", Mark.WARN),
)

READY = replace(
    TABLE_CHECK.frame,
    bottom=replace(
        TABLE_CHECK.frame.bottom,
        message=Message(),
        next=Key("Start", a.Checked(), "the table is as it should be", "next", KeyLook.GO),
    ),
)
"""What stands below where nothing blocks the start."""

TABLE_CHECKS: Mapping[str, ScreenState] = {
    "table-check": TABLE_CHECK,
    "table-check-waiting": replace(
        TABLE_CHECK,
        frame=replace(TABLE_CHECK.frame, banner=LOST_BANNER),
        band=Band(("CONNECT A CAMERA",), mark=Mark.WARN, note="Or start by touch alone."),
        picture=None,
    ),
    "table-check-known": replace(TABLE_CHECK, lines=(*TABLE_CHECK.lines[:4], KNOWN)),
    "table-check-calibrating": replace(TABLE_CHECK, lines=(*TABLE_CHECK.lines[:4], RUNNING)),
    "table-check-looks": replace(
        TABLE_CHECK,
        frame=READY,
        band=Band(("PAWS PLANE",), mark=Mark.WARN, note="asked: 71 % alike, next 68 %"),
        lines=(*BY_LOOKS, KNOWN),
    ),
    "table-check-early": replace(
        TABLE_CHECK,
        frame=READY,
        band=Band(("TABLE READY",), mark=Mark.OK),
        lines=(
            Line("Sun", "Jaws.PL, laid early", Mark.ASK, "0.2 s"),
            *TABLE_CHECK.lines[3:],
            KNOWN,
        ),
    ),
    "table-check-poor": replace(
        TABLE_CHECK,
        lines=(
            POOR,
            *TABLE_CHECK.lines[1:4],
            replace(KNOWN, value="5 of 6 boards known", mark=Mark.WARN),
        ),
    ),
}
