"""Everything that a touch can mean: one class for each action."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import offers
    from companion.core.ruling import Json

# Questions: answered, put together, taken back; rulings read and done.


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the question `key`, which the screen showed as opened at log number `opened`."""

    key: str
    opened: int
    raw: Json


@dataclass(frozen=True, slots=True)
class AddWords:
    """Open the keyboard: an answer that people may add words to, `most` letters of them.

    `label` is what the answer is called; without a word it is given as it stands.
    """

    answer: Answer
    label: str
    most: int


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
class FillForm:
    """Fill in one question of a form without closing it; posted unless it is the last one."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Fill:
    """Put an answer together piece by piece: a die more, a choice more; nothing is judged yet."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class AskUndo:
    """The first touch on Undo: names where it would lead."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back to before log line `seq`."""

    seq: int
    reason: str = ""


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
    """Show the next of several deeds; so many `deeds` were shown together."""

    deeds: int = 1


@dataclass(frozen=True, slots=True)
class Corrected:
    """Hands have done so many tasks of a correction (`done`), after which `left` more wait."""

    left: int
    done: int = 1


# The camera and the table: which of sight and record holds, looks, calibration.


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
class HoldSight:
    """A touch on the body: what was about to be accepted by sight now waits for a tap."""


@dataclass(frozen=True, slots=True)
class LearnLook:
    """Learn how a token looks, which lies alone on the boards; "" for the boards with none."""

    piece: str


@dataclass(frozen=True, slots=True)
class ForgetLook:
    """Know a token no longer by its look (held)."""

    piece: str


@dataclass(frozen=True, slots=True)
class AskHeight:
    """Before calibrating: are tokens' markers so high over the board, mm (None: as they were)?"""

    height_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Find the boards anew, and keep where they lie and how high markers are (None: as it was)."""

    height_mm: float | None = None


@dataclass(frozen=True, slots=True)
class KeepPictures:
    """Keep pictures of the table with what is told of them: ask, or do so once all `agreed`.

    `whole` keeps whole pictures, else the boards' rectangle alone.
    """

    agreed: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class LeaveAsked:
    """Do not do what the table check asks about, and keep no more pictures."""


# Screens: opened, closed, their pages turned.


class Panel(StrEnum):
    """Screens that are opened by a touch, above whatever the match asks.

    Those that more than one file names; a screen of which no other file knows has an `OwnPanel`.
    """

    NEW_MATCH = "new-match"
    PAST = "past"
    SEASON = "season"
    SETTINGS = "settings"
    MENU = "menu"
    DEVICES = "devices"
    TABLE_CHECK = "table-check"
    TEACH = "teach"
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
    EXPORT = "export"
    FIRST_MATCH = "first-match"
    EVIDENCE = "evidence"
    CHALLENGE = "challenge"
    WHO = "who"
    TOLD = "told"
    RULED = "ruled"
    WHYS = "whys"


class OwnPanel(str):
    """A screen that a touch opens, named in that screen's own file: `OwnPanel("weather")`."""

    __slots__ = ()


AnyPanel = Panel | OwnPanel


@dataclass(frozen=True, slots=True)
class Show:
    """Open a panel, on one of its parts (a question's key, a rule's id, a choice) if named."""

    panel: AnyPanel
    part: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Back:
    """Close the panel on top; what was begun in it is dropped."""


@dataclass(frozen=True, slots=True)
class ToPhase:
    """Back to the match, to the phase whose clock goes on if one does; what was begun waits."""


@dataclass(frozen=True, slots=True)
class Search:
    """Open the keyboard, to look words up in a box's book."""

    box: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CloseBook:
    """Close everything that was opened of the books."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turn pages of a list by `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class Enlarge:
    """Show what lies around a space, large enough for fingers; empty: the whole board."""

    space: str


# The arbiter: name, amendments, adjustments, reports, the closing word.


@dataclass(frozen=True, slots=True)
class NameArbiter:
    """Say who the arbiter is, for all corrections until the app ends; empty: nobody says."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeArbiter:
    """Open the keyboard, to type who the arbiter is."""


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
class AmendFill:
    """Put an amended answer of log line `seq` together: a die more, a choice more."""

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
class ChooseQuantity:
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
class TypeNumber:
    """Show a number that is being typed for a report; None: nothing of it is left."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Report:
    """Tell what the table saw and no question asked; why, if anybody says so."""

    fact: tuple[tuple[str, Json], ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Solve:
    """Say that a notice is dealt with, or go on in spite of a warning."""

    code: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the match by the arbiter's word (held); no winners is a draw."""

    winners: tuple[str, ...]
    reason: str


# Matches: begun, resumed, left; and what the table keeps beside them.


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
    """Go on with a match of the record; where it is long over no deed is told again."""

    match_id: str
    ended: bool = False


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
class Restart:
    """End the app (held) and start it again: what counts from the next start counts then."""


@dataclass(frozen=True, slots=True)
class ExportMatch:
    """Write a match's log and pictures to a place; without one the log alone, beside the record.

    `match_id` is one of the record; empty: the match under way.
    """

    match_id: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class WhatWould:
    """Say which legal answer would have done it, after a refusal or a miss: for beginners."""


@dataclass(frozen=True, slots=True)
class LookInto:
    """Open a match of the record at its log, or at another panel's part."""

    match_id: str
    panel: Panel = Panel.LOG
    part: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begin a match with set-up and seats of one of the record."""

    match_id: str


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


# The round's clock.


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


# Calls: challenges, and late cards.


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """Something is disputed, says `by` (a team, or the table): the clock stands.

    Empty: nobody has said who; the challenge's own screen asks then.
    """

    by: str = ""


@dataclass(frozen=True, slots=True)
class NameChallenger:
    """It is `by` (a team, or the table) who challenges."""

    by: str


@dataclass(frozen=True, slots=True)
class DisputeLine:
    """Line `seq` of the log is disputed; None: none of them."""

    seq: int | None


@dataclass(frozen=True, slots=True)
class TellClaim:
    """What the side `by` says of it; empty takes its claim away."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class TypeClaim:
    """Open the keyboard, to type the claim of the side `by`, which is called `label`.

    `turned`: that side sits across the screen.
    """

    by: str
    label: str
    text: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class ChooseVerdict:
    """Choose what comes of the open challenge; it is decided only when that is held."""

    verdict: str


@dataclass(frozen=True, slots=True)
class DecideChallenge:
    """The open challenge is decided; the clock goes on if the challenge had stopped it.

    `verdict` is what came of it (held); empty: nobody says.
    """

    verdict: str = ""


@dataclass(frozen=True, slots=True)
class TakeBackDecision:
    """The decision on the challenge of log line `seq` counts no more: it is open again (held)."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class RuleLate:
    """The late card that was felt or seen is `player`'s."""

    late: offers.LateCard
    player: str


@dataclass(frozen=True, slots=True)
class LetLie:
    """The card that was felt or seen to come late was there in time."""

    late: offers.LateCard


CORRECT = "correct"
"""The part of an open challenge's panel on which it is asked what corrects the record."""
TAKE_BACK = "take back/"
"""The part on which it is asked why a decision is taken back, by the line of its challenge."""
DISPUTE = "dispute/"
"""The part of the evidence that tells of a decided challenge, by the line that opened it."""

Call = OpenChallenge | NameChallenger | DisputeLine | TellClaim | RuleLate | LetLie


# The keyboard.


FIGURE = "figure."


@dataclass(frozen=True, slots=True)
class EditName:
    """Open the keyboard for a name: of `whose` ("Jaws Pilot"), on a side, as it is so far.

    `choice` is what the name sets of the new match ("seat.JP"), or after `FIGURE` of the box;
    empty: it is the arbiter's.
    """

    choice: str
    whose: str
    side: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class TypeLetter:
    """Add a letter."""

    letter: str


@dataclass(frozen=True, slots=True)
class EraseLetter:
    """Take the last letter back."""


@dataclass(frozen=True, slots=True)
class SwitchLetters:
    """Show figures and accented letters, or the plain ones again."""


@dataclass(frozen=True, slots=True)
class TakeName:
    """Use what was typed."""


@dataclass(frozen=True, slots=True)
class LeaveName:
    """Close the keyboard and keep the old name."""


Typing = TypeLetter | EraseLetter | SwitchLetters


Action = (
    Answer | AddWords | AskWhy | Answers | FillForm | Fill | AskUndo | Undo | Show |
    Back | ToPhase | Search | CloseBook | TurnPage | Enlarge | SelectLine | Call |
    NameArbiter | TypeArbiter | AmendTo | AmendFill | SetReason | Amend | SetAdjust |
    ChooseQuantity | Adjust | SetField | TypeNumber | Report | Solve |
    Done | HandsOff | Anyway | NextDeed | Corrected | Pause | Resume | GiveTime | AcceptTable |
    FollowRecord | TrustRecord | LookAgain | AskHeight | Calibrate | KeepPictures | LeaveAsked |
    LearnLook | ForgetLook | HoldSight |
    Close | SetupChoice |
    SetFigure | ConfirmFigures | KeepLearned | Checked |
    StartMatch | ResumeMatch | ShowDemo | Leave | Quit | Restart | ExportMatch | WhatWould |
    LookInto |
    Rematch | SetSetting |
    KeepClip | Retry | EditName | TakeName | LeaveName | Typing |
    ChooseVerdict | TypeClaim | DecideChallenge | TakeBackDecision
)  # fmt: skip
"""Everything that a touch can mean: `acting.act` does it, the operator what types a name."""
