"""Sample states of calls: an open challenge, and a late card that a slot sensor saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.offers import AfterZero
from companion.core.ruling import Seat
from companion.referee.late import FeltCard
from ui.presenters.arbiter import ArbiterState
from ui.presenters.challenge import ChallengeState
from ui.presenters.common import Band, Key, KeyLook, Line, Mark, Message, Refusal
from ui.presenters.late import SENSED
from ui.presenters.quiet import BACK, CANCEL, page_keys
from ui.presenters.sample_parts import BASE_KEYS, JAWS, PAWS, frame
from ui.presenters.table_check import Picture
from ui.touch.actions import (
    DecideChallenge,
    FeltInTime,
    GiveTime,
    KeepLearned,
    OpenChallenge,
    Panel,
    Resume,
    RuleLate,
    Show,
)

if TYPE_CHECKING:
    from ui.presenters.lock import LockState
    from ui.presenters.round import RoundState
    from ui.presenters.ruling import RulingState
    from ui.presenters.states import ScreenState

EVIDENCE_KEY = Key("Evidence", Show(Panel.EVIDENCE, "34"), sign="eye")
DECIDED = Key("Decided", DecideChallenge(), "clock runs from 12.4 s", "next", KeyLook.GO)
ROW = BASE_KEYS[1:]
BANNER = Refusal(
    "CHALLENGE: the arbiter", "The clock stands until it is decided.", "CHALLENGE", "", Mark.WARN
)
CHALLENGE = ChallengeState(
    frame(
        "CHALLENGE",
        "Round 7 · Action phase",
        keys=ROW,
        message=Message("Correct: Log, Arbiter.", "Then say it is decided."),
        next_key=DECIDED,
    ),
    Band(("CHALLENGE: PAWS", "THE CLOCK STANDS AT 12.4 s"), PAWS, Mark.WARN),
    (
        Line("Section 3 · Reveal · Paws: MPL own", "touch", right="14:08:10", key=EVIDENCE_KEY),
        Line("Round 7 · Lock · Jaws 2: none", "slot sensor", right="14:07:22", side=JAWS),
        Line("Round 7 · Ready · Paws", "button", right="14:07:02", side=PAWS),
    ),
)
STILL = Picture(None, 0, (1280, 720), note="card turned over, before, 14:07:22")
CHALLENGERS = ArbiterState(
    frame("CHALLENGE", "Round 7 · Section 3", keys=(CANCEL,), banner=BANNER),
    "Who challenges?",
    tuple(
        Key(name, OpenChallenge(by), "disputes something: the clock stands")
        for name, by in (("Jaws", "Jaws"), ("Paws", "Paws"), ("Arbiter", "table"))
    ),
)
ARBITER = ArbiterState(
    frame("ARBITER", "Round 7 · Section 3", keys=(BACK,), banner=BANNER),
    "What is to be decided?",
    (
        Key("Go on", Resume(), "from 12.4 s", "play"),
        Key("Report", Show(Panel.REPORT), "late card, word taken back", "warn"),
        Key("Adjust", Show(Panel.ADJUST), "counts and places, with a reason", "settings"),
        Key("Amend", Show(Panel.LOG), "an answer of the log", "log"),
        Key("Table check", Show(Panel.TABLE_CHECK), "camera and devices", "eye"),
        Key("Without camera", None, "nothing waits for it", "", KeyLook.IMPOSSIBLE),
        Key("Give 5 s", GiveTime(5.0), "this round alone"),
        Key("Close match", Show(Panel.CLOSE), "by the arbiter's word", "cancel"),
        Key("Decided", DecideChallenge(), "ends the challenge", "next"),
        Key("Keep", KeepLearned(), "3 cards", "save"),
    ),
)
LATE = FeltCard(Seat("Paws"), 3, AfterZero(0.181, 0.0012), moved_from=2)
LATE_CARD = Refusal(
    "Late card: Paws 3. Whose? (1 of 2)",
    f"Laid {LATE.after_zero}, from 2",
    SENSED,
    "",
    Mark.WARN,
    Key("Cleo", RuleLate(LATE, "PP"), "Pilot"),
    (
        Key("Bartholomäus", RuleLate(LATE, "PG"), "Gunner"),
        Key("In time", FeltInTime(LATE)),
    ),
)


def calls(lock: LockState, locked: RoundState, ruling: RulingState) -> Mapping[str, ScreenState]:
    """Challenges, and the screens of a lock and a ruling with what was called or kept of them."""
    empty = replace(lock.teams[1].sections[1], note="sensor: empty")
    jaws = replace(
        lock.teams[1], sections=(lock.teams[1].sections[0], empty, *lock.teams[1].sections[2:])
    )
    return {
        "challenge": CHALLENGE,
        "challenge-still": replace(
            CHALLENGE,
            frame=frame(
                "CHALLENGE", "Round 7", keys=(*ROW, *page_keys(1, 4), _clip()), next_key=DECIDED
            ),
            picture=STILL,
            pages=4,
        ),
        "challenge-by-arbiter": replace(
            CHALLENGE, band=Band(("CHALLENGE: THE ARBITER", "NOTHING GOES ON"), mark=Mark.WARN)
        ),
        "challenge-begun": replace(CHALLENGE, lines=()),
        "challengers": CHALLENGERS,
        "arbiter-challenged": ARBITER,
        "lock-late": replace(lock, frame=replace(lock.frame, refusal=LATE_CARD)),
        "lock-sensed": replace(lock, teams=(lock.teams[0], jaws)),
        "lock-seen": _seen(lock),
        "round-locked-late": replace(locked, frame=replace(locked.frame, refusal=LATE_CARD)),
        "ruling-evidence": _with_evidence(ruling),
    }


def _seen(lock: LockState) -> LockState:
    """Nobody has told anything yet: what the camera sees of each section."""
    notes = ("seen: 1 card", "seen: 1 card?", "something lies", "seen: empty")
    paws = lock.teams[0]
    sections = tuple(
        replace(one, note=note, mark=Mark.WARN if note.endswith(("?", "lies")) else Mark.NONE)
        for one, note in zip(paws.sections, notes, strict=True)
    )
    teams = (replace(paws, sections=sections), *lock.teams[1:])
    return replace(lock, lead="Whose card? Paws 2, Paws 3", teams=teams)


def _clip() -> Key:
    return Key("Keep clip", EVIDENCE_KEY.action, "20 s", "eye")


def _with_evidence(ruling: RulingState) -> RulingState:
    bottom = replace(ruling.frame.bottom, keys=(*BASE_KEYS, EVIDENCE_KEY))
    return replace(ruling, frame=replace(ruling.frame, bottom=bottom))
