"""Everything that a touch can mean: small frozen dataclasses, acted on by `acting.act`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ui.presenters.calls import DecideChallenge, OpenChallenge, RuleLate

if TYPE_CHECKING:
    from companion.offers import Json


class Panel(StrEnum):
    """Screens that are opened by a touch, above whatever the match asks."""

    HOME = "home"
    NEW_MATCH = "new-match"
    PAST = "past"
    SETTINGS = "settings"
    MENU = "menu"
    DEVICES = "devices"
    TABLE_CHECK = "table-check"
    LOG = "log"
    AMEND = "amend"
    ARBITER = "arbiter"
    ADJUST = "adjust"
    REPORT = "report"
    CLOSE = "close"
    RULES = "rules"
    BOOKS = "books"
    CHAPTERS = "chapters"
    CHAPTER = "chapter"
    FOUND = "found"
    CODE = "code"
    PAD = "pad"
    FIGURES = "figures"
    EVIDENCE = "evidence"
    CHALLENGE = "challenge"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the question `key`, which the screen showed as opened at log number `opened`."""

    key: str
    opened: int
    raw: Json


@dataclass(frozen=True, slots=True)
class AskWhy:
    """Ask why an answer to question `key` is none; nothing is given."""

    key: str
    opened: int
    raw: Json


@dataclass(frozen=True, slots=True)
class Answers:
    """Close a form: give every answer that it still lacks, in this order."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Fill in one question of a form without closing it; posted unless it is the last one."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Fill:
    """Put an answer together piece by piece: a die more, a choice more; nothing is judged yet."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back one key of an open form."""

    key: str


@dataclass(frozen=True, slots=True)
class AskUndo:
    """The first touch on Undo: names where it would lead."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back to before log line `seq`."""

    seq: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """Open a panel, on one of its parts (a question's key, a rule's id, a choice) if named."""

    panel: Panel
    part: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Back:
    """Close the panel on top; what was begun in it is dropped."""


@dataclass(frozen=True, slots=True)
class Search:
    """Open the keyboard, to look words up in a box's book."""

    box: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CloseBook:
    """Close everything that was opened of the books."""


@dataclass(frozen=True, slots=True)
class Page:
    """Turn pages of a list by `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class SelectLine:
    """Choose a line of the log."""

    seq: int


@dataclass(frozen=True, slots=True)
class AmendTo:
    """Show what amending log line `seq` to `raw` would change; nothing counts yet."""

    seq: int
    raw: Json


@dataclass(frozen=True, slots=True)
class SetReason:
    """Choose the reason of an amendment, adjustment, report or closing."""

    reason: str


@dataclass(frozen=True, slots=True)
class Amend:
    """Commit the amendment that is shown (held)."""

    seq: int
    raw: Json
    reason: str


@dataclass(frozen=True, slots=True)
class SetAdjust:
    """Put one quantity or place into the adjustment being written; None takes it out."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose what to adjust: a thing, then one of its quantities."""

    thing: str
    quantity: str = ""


@dataclass(frozen=True, slots=True)
class Adjust:
    """Set the quantities and places that were written, together (held)."""

    changes: tuple[tuple[str, Json], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SetField:
    """Put one field into the report being told."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Report:
    """Tell what the table saw and no question asked."""

    fact: tuple[tuple[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Solve:
    """Say that a notice is dealt with, or go on in spite of a warning."""

    code: str


@dataclass(frozen=True, slots=True)
class Done:
    """The rulings up to and with number `upto` were read and their deeds done."""

    upto: int


@dataclass(frozen=True, slots=True)
class HandsOff:
    """The lock of log line `seq` was seen by all: on to the cards."""

    seq: int


@dataclass(frozen=True, slots=True)
class Anyway:
    """Give an answer in spite of what the rules cautioned about it."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class NextDeed:
    """Show the next of several deeds."""

    upto: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """Hands have done the task of a correction after which `left` more wait."""

    left: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the round's clock, its lamps and its buzzer."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the round's clock run on."""


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Put `seconds` on the round's clock."""

    seconds: float


@dataclass(frozen=True, slots=True)
class AcceptTable:
    """Take the table's placement over into the record (held)."""

    reason: str = "table accepted"


@dataclass(frozen=True, slots=True)
class FollowRecord:
    """The record is right: hands put the pieces back, the camera waits for it."""


@dataclass(frozen=True, slots=True)
class TrustRecord:
    """Go on without the camera until the next answer: pieces stand as recorded."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Forget the last sighting and look afresh."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Find the boards anew, and keep where they lie."""


@dataclass(frozen=True, slots=True)
class HoldSight:
    """A touch on the body: what was about to be accepted by sight now waits for a tap."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close the match by the arbiter's word (held); no winners is a draw."""

    winners: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """Choose something for a new match: box, variant, option.NAME or seat.CODE."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class SetFigure:
    """Say what one of a box's assumed figures is on this table's own copy."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class ConfirmFigures:
    """The figures were held against the real board and cards: they are this table's own."""


@dataclass(frozen=True, slots=True)
class KeepLearned:
    """Keep what this match has taught in the table's own file of its box."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The table was looked at: go on to the match."""


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Begin the new match as chosen; `rematch` takes seats and options of the one just ended."""

    rematch: bool = False


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """Go on with a match of the record."""

    match_id: str


@dataclass(frozen=True, slots=True)
class ShowDemo:
    """Play the demonstration match at the simulated table."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Put the match away (it stays in the record) and go home."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the app (held); a match under way stays in the record, to be gone on with."""


@dataclass(frozen=True, slots=True)
class ExportMatch:
    """Write the match to one file, beside the record or onto a stick."""


@dataclass(frozen=True, slots=True)
class SetSetting:
    """Change one of the table's settings."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class KeepClip:
    """Keep a clip of the camera's last seconds with log line `seq`."""

    seq: int


@dataclass(frozen=True, slots=True)
class Retry:
    """Try a lost or absent device again."""

    device: str


Action = (
    Answer | AskWhy | Answers | Draft | Fill | TakeBack | AskUndo | Undo | Show | Back | Search |
    CloseBook | Page | SelectLine | RuleLate |
    AmendTo | SetReason | Amend | SetAdjust | Choose | Adjust | SetField | Report | Solve |
    Done | HandsOff | Anyway | NextDeed | Corrected | Pause | Resume | GiveTime | AcceptTable |
    FollowRecord | TrustRecord | LookAgain | Calibrate | HoldSight | Close | SetupChoice |
    SetFigure | ConfirmFigures | KeepLearned | Checked | OpenChallenge | DecideChallenge |
    StartMatch | ResumeMatch | ShowDemo | Leave | Quit | ExportMatch | SetSetting | KeepClip | Retry
)  # fmt: skip
