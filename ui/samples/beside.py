"""Sample states of the screens outside a round: home, setting up, books, log, arbiter, result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Piece
from ui.samples.parts import (
    CAMERA_LOST,
    JAWS,
    LOST_BANNER,
    MAP,
    NOTHING_YET,
    PAWS,
    frame,
    go,
    group,
    placed,
)
from ui.scene.books import RuleParagraph
from ui.scene.scene import BACK, Situation
from ui.scene.values import (
    Band,
    Consequence,
    Key,
    KeyLook,
    Line,
    LogLine,
    Mark,
    Message,
    Picture,
    PictureMark,
    Refusal,
    SeatField,
)
from ui.scene.words import BY_LOOK
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import LogState
from ui.screens.beside.home import HomeState, OpenMatch
from ui.screens.beside.lists import DevicesState, PastState
from ui.screens.beside.new_match import Choice, ChoiceRow, NewMatchState
from ui.screens.beside.rules import (
    RulesState,
    present_books,
    present_chapter,
    present_chapters,
    present_found,
    present_rules,
)
from ui.screens.beside.settings import SettingsState
from ui.screens.beside.table_check import CALIBRATE, CALIBRATION, TEACH_KEY, TableCheckState
from ui.screens.beside.teach import BOARDS, WEAKER, TeachState
from ui.screens.beside.trouble import TroubleState
from ui.screens.match.result import ResultState, SheetRow
from ui.screens.registry import ScreenState
from ui.touch import actions as a
from ui.touch.actions import Back, ForgetLook, LearnLook, Panel, Show, TurnPage
from ui.touch.view import View

# The table check: what a camera sees, and how well it knows the boards.

BACK_KEY = Key("Back", a.Back(), sign="back")

TABLE_CHECK = TableCheckState(
    frame(
        "TABLE CHECK",
        "Jaws & Paws, Day",
        keys=(
            BACK_KEY,
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


# Teaching tokens: what to show next, what went wrong, what is known.

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


# Home, setting up, log, arbiter, result.

CANCEL = Key("Cancel", a.Back(), sign="cancel")

DEVICE_LINES = (
    Line("Camera", "settled, 6 boards seen", Mark.OK),
    Line("Sensor box", "plugged in, has not answered yet", Mark.ASK),
    Line("Lamps, buzzer", "not wired (mock)"),
    Line("Disk space", "61 MB left", Mark.WARN),
)
HOME = HomeState(
    frame("DOGFIGHT COMPANION", "Table 1", keys=()),
    OpenMatch(
        "JAWS & PAWS",
        "Day · four players · round 7, section 3",
        "SAVED 14:02:31",
        (
            Line("Ana, Bo", right="decks 14 · 9", side=JAWS),
            Line("Cleo, Dan", right="decks 11 · 17", side=PAWS),
        ),
        "Asked next: Paws, the card of section 3",
        Key("Resume", a.ResumeMatch("m"), "goes on where it was left", "play", KeyLook.GO),
        (MAP.looks["jaws"], MAP.looks["paws"]),
    ),
    (
        Key("New match", Show(Panel.NEW_MATCH), "box, seats, timer, house rules", "cards"),
        Key("Past matches", Show(Panel.PAST), sign="log"),
        Key("Rules", Show(Panel.RULES), sign="eye"),
        Key("Show a demo", a.ShowDemo(), sign="play"),
        Key("Settings", Show(Panel.SETTINGS), sign="settings"),
    ),
    DEVICE_LINES,
)


HOME_SIX = replace(
    HOME,
    open=OpenMatch(
        "DOGFIGHT! HEX SHIPS",
        "six players · turn 4, resolution",
        "SAVED 20:11:05",
        tuple(
            Line(name, right=f"hull {hull}", side=side)
            for name, hull, side in (
                ("Ana", 3, JAWS), ("Bartholomäus", 1, PAWS), ("Cleo", 2, JAWS),
                ("Dan", 3, PAWS), ("Eleonore", 2, JAWS), ("Finn", 0, PAWS),
            )
        ),
        "Asked next: Cleo, the attack card",
        Key("Resume", a.ResumeMatch("m"), "goes on where it was left", "play", KeyLook.GO),
    ),
)  # fmt: skip


def _choice(title: str, value: str, *, chosen: bool = False, mark: Mark = Mark.OK) -> Choice:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    return Choice(title, value, mark, Key(title, Show(Panel.NEW_MATCH, title), value, look=look))


def _row(title: str, values: tuple[str, ...], chosen: int, why: str, cite: str) -> ChoiceRow:
    keys = tuple(
        Key(
            value,
            a.SetupChoice(title, value),
            look=KeyLook.CHOSEN if at == chosen else KeyLook.PLAIN,
        )
        for at, value in enumerate(values)
    )
    return ChoiceRow(title, keys, why, cite, changed=chosen > 0)


FIVE = (
    _choice("BOX", "Jaws & Paws"),
    _choice("GAME", "Day · 4 players"),
    _choice("SEATS", "Ana Bo / Cleo Dan"),
    _choice("TIMER", "20 s, to the buzzer"),
    _choice("HOUSE RULES", "2 changed", chosen=True),
)
NEW_MATCH = NewMatchState(
    frame(
        "NEW MATCH",
        "five choices, any order",
        keys=(BACK_KEY,),
        message=Message(
            second="Stored in the match and shown with every ruling that depends on it."
        ),
        next_key=go("Table check", "all five chosen"),
    ),
    FIVE,
    "HOUSE RULES",
    (
        _row(
            "Cards laid after the buzzer",
            ("Back to hand", "Discard", "Accept"),
            0,
            "The lock is restored: no bonus, no extra penalty.",
            "RULING 6",
        ),
        _row(
            "Both teams shot down together",
            ("Draw", "Most cards", "Replay"),
            0,
            "Both lose at the same check point: nobody is left flying.",
            "RULING 12",
        ),
        _row(
            "Whose Sun card goes first",
            ("Round start", "This section"),
            1,
            "The body text says start of round, the back cover says now.",
            "RULING 15",
        ),
    ),
    page=2,
    pages=7,
)
SEATS = replace(
    NEW_MATCH,
    choices=(
        *FIVE[:2],
        _choice("SEATS", "2 names missing", chosen=True, mark=Mark.WARN),
        *FIVE[3:],
    ),
    title="SEATS",
    rows=(_row("Screen stands", ("Near", "Left", "Far", "Right"), 0, "The map turns by it.", ""),),
    seats=(
        SeatField("JP", "Jaws Pilot", "Ana", JAWS, "seat.JP"),
        SeatField("JG", "Jaws Gunner", "Bo", JAWS, "seat.JG"),
        SeatField("PP", "Paws Pilot", "", PAWS, "seat.PP"),
        SeatField("PG", "Paws Gunner", "", PAWS, "seat.PG", "Two players have this name."),
    ),
    map=MAP.draw(placed()),
    page=1,
    pages=1,
)


def _log_line(seq: int, text: str, time: str, source: str, *, chosen: bool = False) -> LogLine:
    return LogLine(seq, text, time, source, Key(text, a.AskUndo()), chosen=chosen)


LOG_LINES = (
    _log_line(31, "Buzzer, lock", "14:07:22", "clock"),
    _log_line(32, "Paws track: 4 cards", "14:07:31", "camera"),
    _log_line(33, "Section 2 · Jaws: no card", "14:07:58", "camera"),
    replace(
        _log_line(
            34, "Section 3 · Paws: Move Plane Left, own plane", "14:08:10", "touch", chosen=True
        ),
        author="Cleo",
    ),
    _log_line(35, "Section 3 · Jaws: Shoot GR", "14:08:11", "camera"),
    _log_line(36, "Dan: 6 cards deck to scrap", "14:08:40", "touch"),
)
LOG = LogState(
    frame("LOG", "36 lines · all on disk", keys=(BACK_KEY,), next_key=go("Newest", "line 36")),
    LOG_LINES,
    "Section 3 · Paws: Move Plane Left, own plane",
    ("14:08:10 · touch · Cleo", "JP-9.1", "Ruled: Paws plane GC to GR (JP-9.5)"),
    (
        Key("Amend", Show(Panel.AMEND, "34"), "change this answer, keep the rest", "arbiter"),
        Key(
            "Undo to here", a.AskUndo(), "back to before Paws 3: 3 answers go", "undo", KeyLook.HOLD
        ),
    ),
    page=4,
    pages=4,
)
AMEND = AmendState(
    frame(
        "LOG · AMEND",
        "nothing counts before you hold",
        keys=(CANCEL,),
        message=Message(second="Undo would go back to before this card and lose 3 answers."),
        next_key=Key(
            "Hold to amend",
            a.Amend(34, "MPL enemy", "card read upside down"),
            "2 rulings flip, 1 asked again",
            "tick",
            KeyLook.HOLD,
        ),
    ),
    LOG_LINES,
    "Move Plane Left, own plane",
    "Move Plane Left, enemy plane",
    "card read upside down",
    (),
    (),
    (
        Consequence(Mark.FLIP, "Shoot GR", "hit, 6 cards", "miss"),
        Consequence(Mark.FLIP, "Paws plane", "GR", "GC: move it back"),
        Consequence(Mark.OK, "3 kept", note="cards of section 3 and 4"),
        Consequence(Mark.WARN, "1 doubtful", note="plane seen on GR, section 3"),
        Consequence(Mark.ASK, "1 asked again", note="Dan takes 6 cards back"),
    ),
)
AMEND_CHOOSE = replace(
    AMEND,
    frame=frame("LOG · AMEND", "what was it really?", keys=(CANCEL,)),
    now="",
    pad=(group("MOVE PLANE", "own plane", ("Left", "Corner", "View", "Right")),),
    reasons=(
        Key("misread", a.SetReason("misread"), look=KeyLook.CHOSEN),
        Key("wrong key", a.SetReason("wrong key")),
        Key("arbiter", a.SetReason("arbiter")),
    ),
    changes=(),
)
ARBITER = ArbiterState(
    frame("ARBITER", "Round 7, section 3", keys=(BACK_KEY,)),
    "What is to be decided?",
    (
        Key("Pause", None, "no clock is running", "pause", KeyLook.IMPOSSIBLE),
        Key("Report", Show(Panel.REPORT), "late card, word taken back", "warn"),
        Key("Adjust", Show(Panel.ADJUST), "counts and places, with a reason", "settings"),
        Key("Amend", Show(Panel.LOG), "an answer of the log", "log"),
        Key("Table check", Show(Panel.TABLE_CHECK), "camera and devices", "eye"),
        Key("Close match", Show(Panel.CLOSE), "by the arbiter's word", "cancel"),
    ),
    (Line("JP-E20 Paws 4 was laid late", "back to hand, RULING 6", Mark.WARN),),
)
ADJUST = AdjustState(
    frame(
        "ADJUST",
        "thing, quantity, value, reason",
        keys=(CANCEL,),
        message=Message("Dan: 29 of 30 cards", "One more must change: JP-21.1", Mark.BAD),
        next_key=Key("Hold to adjust", None, "counts do not add up", "tick", KeyLook.IMPOSSIBLE),
    ),
    tuple(Key(name, a.AskUndo()) for name in ("Ana", "Bo", "Cleo", "Dan", "Jaws plane", "Sun")),
    tuple(Key(name, a.AskUndo()) for name in ("deck", "hand", "discard", "scrap", "track")),
    tuple(Key(str(n), a.SetAdjust("PG.deck", n)) for n in range(9, 13)),
    (
        Key("recount", a.SetReason("recount"), look=KeyLook.CHOSEN),
        Key("arbiter", a.SetReason("arbiter")),
    ),
    (Line("Dan deck", "11, was 12"),),
    (Line("Dan", "29 of 30", Mark.BAD), Line("others", "30 of 30", Mark.OK)),
)
RESULT = ResultState(
    frame(
        "RESULT",
        "Jaws & Paws, Day · 9 rounds · 21 min",
        keys=(
            Key("Undo", a.AskUndo(), sign="undo"),
            Key("Log", Show(Panel.LOG), sign="log"),
            Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
            Key("Save", a.ExportMatch(), "one file", "save"),
            Key("Rematch", a.StartMatch(rematch=True), "again", "again"),
        ),
        next_key=go("Home", "the result is official"),
    ),
    Band(("PAWS WIN",), PAWS, note="Bo had to scrap 6, deck held 4 · JP-11.1, RULING 10"),
    ("Deck", "Hand", "Disc.", "Scrap", "Track"),
    (
        SheetRow(JAWS, "Ana", "Pilot", ("8", "4", "3", "15", "0")),
        SheetRow(JAWS, "Bo", "Gunner", ("0", "4", "2", "22", "2")),
        SheetRow(PAWS, "Cleo", "Pilot", ("6", "4", "5", "15", "0")),
        SheetRow(PAWS, "Dan", "Gunner", ("5", "4", "3", "18", "0")),
    ),
    ("2 amendments · record replays equal",),
    "https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22%3A%22companion%22%7D",
    "BG Stats · touch: large",
)
RESULT_LEARNED = replace(
    RESULT,
    frame=frame(
        "RESULT",
        "Dog Fight: Starship Edition · 9 turns · 41 min",
        keys=(
            *RESULT.frame.bottom.keys,
            Key("Keep", a.KeepLearned(), "12 cards", "save"),
        ),
        next_key=go("Home", "the result is official"),
    ),
    notes=("1 undone", "Kept: Tractor beam, Deflect, in kept-starship-edition.toml"),
)
DRAW = replace(RESULT, band=Band(("DRAW",), note="Both shot down together · JP-11.6, RULING 12"))
SETTINGS = SettingsState(
    frame("SETTINGS", "of this table", keys=(BACK_KEY,)),
    (
        _row("Light", ("Day", "Night"), 0, "Paper wins against glare.", ""),
        _row("Colours", ("Standard", "Red-green", "Blue-yellow"), 0, "For every pair of eyes.", ""),
        _row("Hand", ("Right", "Left"), 0, "Where the next tap lies.", ""),
    ),
    page=1,
    pages=3,
)
RULES = RulesState(
    frame("RULES", "JP-9.4, RULING 15", keys=(BACK_KEY,)),
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
PAST = PastState(
    frame("PAST MATCHES", "on this table", keys=(BACK_KEY,)),
    tuple(
        Line("Ana, Bo / Cleo, Dan", f"Paws won, {rounds} rounds", Mark.OK, f"{day} Nov")
        for rounds, day in ((9, 21), (6, 20), (11, 14))
    ),
)
DEVICES = DevicesState(
    frame("DEVICES", "worst first", keys=(BACK_KEY,), devices=CAMERA_LOST, banner=LOST_BANNER),
    (
        Line(
            "Camera",
            "usb camera is gone: plug it in again",
            Mark.BAD,
            "12.4 s",
            Key("Retry", a.AskUndo()),
        ),
        Line("Sensor box", "8 slots", Mark.OK, "0.4 s"),
        Line("Lamps, buzzer", "lgpio, tested 13:58", Mark.OK, "0.1 s"),
    ),
)

BESIDE: Mapping[str, ScreenState] = {
    "home": HOME,
    "home-empty": replace(
        HOME, frame=frame("DOGFIGHT COMPANION", keys=(), devices=NOTHING_YET), open=None
    ),
    "home-six": HOME_SIX,
    "new-match": NEW_MATCH,
    "new-match-seats": SEATS,
    **TABLE_CHECKS,
    **TEACHES,
    "log": LOG,
    "amend": AMEND,
    "amend-choose": AMEND_CHOOSE,
    "arbiter": ARBITER,
    "adjust": ADJUST,
    "result": RESULT,
    "result-draw": DRAW,
    "result-learned": RESULT_LEARNED,
    "result-code": replace(RESULT, code_large=True),
    "settings": SETTINGS,
    "settings-safe": replace(SETTINGS, trouble="settings.toml: theme: 'dusk'; allowed: day, night"),
    "rules": RULES,
    "past": PAST,
    "past-empty": replace(PAST, lines=()),
    "devices": DEVICES,
    "trouble": TroubleState.of(ValueError("no sign is called 'moons'")),
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
    "rules-boxes": present_books(_HOME, _READING),
    "rules-chapters": present_chapters(
        _HOME, _opened(Panel.CHAPTERS, "dogfight-1917|", page=1)
    ),
    "rules-chapter": present_chapter(
        _HOME, _opened(Panel.CHAPTER, "jaws-and-paws|Our rulings", page=2)
    ),
    "rules-cite": present_rules(
        _HOME, _opened(Panel.RULES, "starship-edition|RULING 3, SE-PRE-02, RULING 14")
    ),
    "rules-unknown": present_rules(_HOME, _opened(Panel.RULES, "dogfight-hex|HX-ATK-99")),
    "found": present_found(_HOME, _opened(Panel.FOUND, "talespin-dogfight|damage")),
    "found-some-words": present_found(
        _HOME, _opened(Panel.FOUND, "jaws-and-paws|sun order flamingo")
    ),
    "found-none": present_found(_HOME, _opened(Panel.FOUND, "dogfight-1917|flamingo zzz")),
}  # fmt: skip
