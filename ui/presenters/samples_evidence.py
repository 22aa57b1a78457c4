"""Sample states of what was kept: the pictures of one line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.offers import LateCard
from ui.presenters.common import Band, Key, KeyLook, Line, Mark
from ui.presenters.counts import CountRow, CountsState
from ui.presenters.evidence import EvidenceState
from ui.presenters.late_seen import LateState
from ui.presenters.quiet import BACK, page_keys
from ui.presenters.sample_parts import PAWS, frame
from ui.presenters.states import ScreenState
from ui.presenters.table_check import Picture
from ui.touch import actions as a
from ui.touch.actions import LetLie, RuleSeenLate

EVIDENCE = EvidenceState(
    frame(
        "EVIDENCE",
        "Section 3 · Reveal · Paws: MPL own",
        keys=(BACK, *page_keys(1, 4)),
        next_key=Key("Keep a clip", a.KeepClip(42), "20 s before, 5 s after", "next", KeyLook.GO),
    ),
    Picture(None, 0, (1280, 720), note="No picture was kept of this."),
    tuple(
        Line(f"card turned over, {part}", f"file 00042-reveal-{part}", mark, at, key)
        for part, at, mark, key in (
            ("before", "14:07:22", Mark.ASK, None),
            ("at", "14:07:23", Mark.NONE, Key("Show", a.TurnPage(1))),
            ("after", "14:07:25", Mark.NONE, Key("Show", a.TurnPage(2))),
            ("boards", "14:07:25", Mark.NONE, Key("Show", a.TurnPage(3))),
        )
    ),
    1,
    4,
)

LATE = LateCard("Paws.3", "PP")
DECISIONS = (
    BACK,
    Key("Late: Bartholomäus", RuleSeenLate(LATE, "PP"), "Paws Pilot"),
    Key("Late: Cleo", RuleSeenLate(LATE, "PG"), "Paws Gunner"),
    Key("In time", LetLie(LATE), "it lay there"),
)
LATE_CARD = LateState(
    frame("LATE CARD?", "Round 7 · Lock", keys=DECISIONS, wide=True),
    Band(("PAWS 3: LATE?", "Paws Pilot's card was not there at the buzzer"), PAWS, Mark.WARN),
    Picture(None, 0, (4, 3), note="at the buzzer"),
    Picture(None, 0, (4, 3), note="1.8 s after the buzzer"),
)

EVIDENCES: Mapping[str, ScreenState] = {
    "late": LATE_CARD,
    "late-moved": replace(
        LATE_CARD,
        band=Band(("PAWS 3: LATE?", "Paws Gunner's card, moved from Paws 2"), PAWS, Mark.WARN),
    ),
    "evidence": EVIDENCE,
    "evidence-none": replace(EVIDENCE, lines=(), pages=1),
}


def counts_seen(counts: CountsState) -> CountsState:
    """What a camera sees of the tracks where players are asked: a number lit, sections in doubt."""
    numbers = [Key(str(n), a.AskUndo()) for n in (0, 1, 2, 3, 5, 10, 25, 50)]
    lit = (*numbers[:2], replace(numbers[2], look=KeyLook.CHOSEN), *numbers[3:])
    borders = (Key("Pilot 0", a.AskUndo()), Key("Gunner 0", a.AskUndo()))
    held = Key("Checked", a.AskUndo(), "hold: 12 in doubt, not counted", "next", KeyLook.HOLD)
    rows = (
        CountRow(PAWS, "Paws Pilot", "seen: 2", lit, "2"),
        CountRow(PAWS, "Paws Gunner", "in doubt: 1, 2, 3, 4", tuple(numbers)),
        CountRow(PAWS, "Paws", "Paws 3: doubled?", borders, "", "seen: 2 cards?", Mark.WARN),
        CountRow(PAWS, "Paws", "Paws 4: doubled?", borders, "", "something lies", Mark.WARN),
    )
    bottom = replace(counts.frame.bottom, next=held)
    return replace(counts, rows=rows, frame=replace(counts.frame, bottom=bottom))
