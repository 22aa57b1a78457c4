"""Sample states of the corrections: log, amend, what may be adjusted, one of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.kit.reports import PHRASES
from companion.match.correction import RECOUNT
from ui.samples.parts import JAWS, PAWS, frame, go, group
from ui.scene.scene import CANCEL
from ui.scene.values import Consequence, Key, KeyLook, Line, LogLine, Mark, Message, RulingLine
from ui.screens.arbiter.adjust import REASONS, AdjustRow, AdjustState, ValueState
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.log import LogState
from ui.screens.arbiter.report import ReportState
from ui.screens.arbiter.whys import WhysState
from ui.screens.match.numbers import number_pad
from ui.screens.registry import ScreenState
from ui.touch import actions as a
from ui.touch.actions import Panel, Show

BACK_KEY = Key("Back", a.Back(), sign="back")


def _log_line(seq: int, text: str, time: str, source: str, *, chosen: bool = False) -> LogLine:
    return LogLine(seq, text, time, source, Key(text, a.AskUndo()), chosen=chosen)


LOG_LINES = (
    _log_line(31, "Buzzer, lock", "14:07:22", "the clock"),
    _log_line(32, "Paws track: 4 cards", "14:07:31", "by camera"),
    _log_line(33, "Section 2 · Jaws: no card", "14:07:58", "by camera"),
    replace(
        _log_line(
            34, "Section 3 · Paws: Move Plane Left, own plane", "14:08:10", "by touch", chosen=True
        ),
        author="Cleo",
    ),
    _log_line(35, "Section 3 · Jaws: Shoot GR", "14:08:11", "by camera"),
    _log_line(36, "Dan: 6 cards deck to scrap", "14:08:40", "by touch"),
)
LOG = LogState(
    frame("LOG", "36 lines · all on disk", keys=(BACK_KEY,)),
    LOG_LINES[:4],
    "Section 3 · Paws: Move Plane Left, own plane",
    ("14:08:10 · Cleo, by touch", "Paws: flip 3 · JP-9.1", "Ruled: Paws plane GC to GR (JP-9.5)"),
    (
        Key("Amend", Show(Panel.AMEND, "34"), "keep the rest", "arbiter"),
        Key("Undo to here", a.AskUndo(), "3 go", "undo", KeyLook.HOLD),
    ),
    page=4,
    pages=4,
)
LOG_LIST = LogState(
    frame("LOG", "36 lines · all on disk", keys=(BACK_KEY,), next_key=go("Newest", "line 36")),
    tuple(
        replace(line, seq=at, ruled=ruled, chosen=False)
        for at, (line, ruled) in enumerate(
            zip(
                (*LOG_LINES, *LOG_LINES[1:3]),
                ("", "", "", "Paws plane GC to GR; 2 more", "Miss", "", "Cleo: draw 2", ""),
                strict=True,
            )
        )
    ),
    "",
    (),
    (),
    page=4,
    pages=4,
)
LOG_FORM = replace(
    LOG,
    title="Lock: 8 answers",
    members=tuple(
        Key(f"{team} · Section {number}: pilot 1, gunner 0", a.SelectLine(number))
        for team in ("Jaws", "Paws")
        for number in range(1, 5)
    ),
)
WHYS = WhysState(
    frame("WHY", keys=(BACK_KEY,)),
    tuple(
        RulingLine(step, text, "", Key("Why?", Show(Panel.RULES, cite), cite))
        for step, text, cite in (
            ("", "Asked: Paws: flip 3", "JP-9.1, RULING 19"),
            ("3", "Cleo's Move Plane Left on the own plane: Paws plane GC to GR.", "JP-9.5"),
            ("5", "Dan's Shoot GR misses: the Jaws plane stands on PC.", "JP-10.1"),
        )
    ),
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


def _sets(value: str, what: str) -> Key:
    return Key(value, a.ChooseQuantity("Dan", what), what)


ADJUST = AdjustState(
    frame("ADJUST", "Round 7 · Section 3", keys=(CANCEL,), message=Message("Touch it.")),
    "What is different on the table?",
    (
        *(
            AdjustRow(
                Key(name, a.ChooseQuantity(name), "1 more", sign="right"),
                tuple(
                    _sets(value, what)
                    for value, what in zip(
                        ("12", "4", "6", "5", "2"),
                        ("Deck", "Hand", "Discard", "Scrap", "Track"),
                        strict=True,
                    )
                ),
                side,
            )
            for name, side in (("Ana", JAWS), ("Bo", JAWS), ("Cleo", PAWS), ("Dan", PAWS))
        ),
        AdjustRow(
            Key("Table", a.ChooseQuantity("Table"), sign="right"),
            (
                _sets("Jaws GL", "Sun"),
                _sets("Paws PL", "Jaws plane"),
                _sets("Jaws GR", "Paws plane"),
                _sets("Paws", "Sun cards first"),
            ),
        ),
    ),
    page=1,
    pages=1,
)
_REASONS = tuple(
    Key(word, a.SetReason(word), look=KeyLook.CHOSEN if word == RECOUNT else KeyLook.PLAIN)
    for word in REASONS
)
ADJUST_VALUE = ValueState(
    frame(
        "ADJUST",
        "Round 7 · Section 3",
        keys=(BACK_KEY,),
        next_key=Key("Hold to adjust", None, "that cannot be", "cancel", KeyLook.IMPOSSIBLE),
    ),
    "Dan: deck",
    "12",
    "11",
    number_pad(
        11, range(31), lambda n: a.SetAdjust("PG.deck", n), lambda n: a.SetAdjust("PG.deck", n), 12
    ),
    pad_page=0,
    effect="The record alone changes: so it lies there, and nobody moves anything.",
    fault=Line("Dan has 29 cards in all places together, and a deck is 30", "JP-21.1", Mark.BAD),
    offers=tuple(
        Key(f"Dan: {pile}", a.Adjust((("PG.deck", 11), ("PG.hand", 5)), RECOUNT), was, "",
            KeyLook.HOLD)
        for pile, was in (("hand 5", "was 4"), ("discard 7", "was 6"), ("scrap 6", "was 5"))
    ),
    reasons=_REASONS,
)  # fmt: skip
REPORT = ReportState(
    frame(
        "REPORT",
        "Round 7 · Section 3",
        keys=(CANCEL,),
        message=Message("The last touch reports it."),
    ),
    "What did the table see?",
    "",
    (
        Key("A plane or the Sun stands elsewhere", a.SetField("what", "token")),
        Key("A section was turned too early", a.SetField("what", "turned too early")),
        Key("A card is somebody else's", a.SetField("what", "owner")),
        Key("Something else", Show(Panel.REPORT, "others"), sign="right"),
    ),
    large=True,
)
REPORT_NUMBER = ReportState(
    frame("REPORT", "Round 7 · Section 3", keys=(CANCEL,), next_key=go("Report", "24")),
    "How many cards?",
    "A pile's count is wrong · Bartholomew · Discard pile · 24",
    groups=number_pad(24, range(100), a.TypeNumber, a.TypeNumber, 25),
)
CORRECTIONS: Mapping[str, ScreenState] = {
    "log": LOG,
    "log-list": LOG_LIST,
    "log-form": LOG_FORM,
    "whys": WHYS,
    "amend": AMEND,
    "amend-choose": AMEND_CHOOSE,
    "report": REPORT,
    "report-others": replace(
        REPORT,
        keys=tuple(
            Key(phrase.words, a.SetField("what", word)) for word, phrase in [*PHRASES.items()][:8]
        ),
        large=False,
    ),
    "report-number": REPORT_NUMBER,
    "adjust": ADJUST,
    "adjust-value": ADJUST_VALUE,
}
"""Every sample of what an arbiter corrects."""
