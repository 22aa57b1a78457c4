"""Sample states of teaching tokens: what to show next, what went wrong, what is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Piece
from ui.presenters.common import Band, Key, KeyLook, Line, Mark, Refusal
from ui.presenters.quiet import BACK
from ui.presenters.sample_parts import frame
from ui.presenters.samples_table import TABLE_CHECK
from ui.presenters.states import ScreenState
from ui.presenters.table_check import PictureMark
from ui.presenters.teach import BOARDS, WEAKER, TeachState
from ui.touch.actions import Back, ForgetLook, LearnLook, Panel, Show, TurnPage

TEACH = Key("Teach", Show(Panel.TEACH, "jaws"))
SKIP = Key("Skip", Show(Panel.TEACH, "sun"), sign="right")
FORGET = Key("Forget", ForgetLook("jaws"), sign="erase", look=KeyLook.HOLD)
MORE = Key("More", TurnPage(1), "1 of 4", "again")
LEARN = Key("Learn", LearnLook(Piece("paws")), "Paws plane", "next", KeyLook.GO)

LINES = (
    Line(BOARDS, "4 seen empty", Mark.OK, key=TEACH),
    Line("Jaws plane", "taught: 91 % alike, next 62 %", Mark.OK, "±4°", key=TEACH),
    Line("Paws plane", "not taught yet", Mark.ASK, key=TEACH),
    Line("Sun", "too like the Moon: asked", Mark.WARN, key=TEACH),
)
DUE = TeachState(
    frame(
        "TEACH TOKENS",
        "Jaws & Paws, Day",
        keys=(BACK, MORE, SKIP),
        message=WEAKER,
        next_key=LEARN,
    ),
    Band(
        ("SHOW PAWS PLANE",), mark=Mark.ASK, note="Alone on a board, its front to the board's top."
    ),
    TABLE_CHECK.picture,
    LINES,
    1,
    4,
)
BUSY = Key("Learn", None, "waits for a still table", "next", KeyLook.IMPOSSIBLE)
AGAIN = replace(LEARN, second="Jaws plane, anew")
DONE = Key("Done", Back(), "back to the table check", "next", KeyLook.GO)


def _with(state: TeachState, next_key: Key, *keys: Key) -> TeachState:
    bottom = replace(state.frame.bottom, next=next_key, keys=(BACK, MORE, *keys))
    return replace(state, frame=replace(state.frame, bottom=bottom))


def _refused(text: str, way_out: str) -> TeachState:
    refusal = Refusal(f"Not learned: {text}", way_out, "", "")
    new = PictureMark("piece", "new", ((700, 400), (820, 400), (820, 520), (700, 520)), Mark.BAD)
    picture = TABLE_CHECK.picture
    assert picture is not None
    marked = replace(picture, marks=(*picture.marks, new))
    return replace(DUE, frame=replace(DUE.frame, refusal=refusal), picture=marked)


TEACHES: Mapping[str, ScreenState] = {
    "teach": DUE,
    "teach-boards": replace(
        _with(DUE, replace(LEARN, second="the empty boards")),
        band=Band(("CLEAR THE BOARDS",), mark=Mark.ASK, note="Take every token off."),
        lines=(Line(BOARDS, "not seen empty yet", Mark.ASK, key=TEACH), *LINES[2:]),
    ),
    "teach-waiting": replace(
        _with(DUE, BUSY),
        band=Band(("KEEP HANDS AWAY",), mark=Mark.ASK, note="Take your hand away."),
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
        band=Band(
            ("SHOW PAWS PLANE",),
            mark=Mark.ASK,
            note="Jaws plane: by its look, weaker: margin 0.26",
        ),
    ),
    "teach-anew": replace(
        _with(DUE, AGAIN, SKIP, FORGET),
        band=Band(("SHOW JAWS PLANE",), mark=Mark.ASK, note="Alone on a board."),
    ),
    "teach-over": replace(_with(DUE, DONE), band=Band(("ALL ARE KNOWN",), mark=Mark.OK)),
}
