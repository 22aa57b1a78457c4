"""Sample states of what was kept: the pictures of one line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.offers import LateCard
from ui.presenters import actions as a
from ui.presenters.calls import LetLie, RuleSeenLate
from ui.presenters.common import Band, Key, KeyLook, Line, Mark
from ui.presenters.evidence import EvidenceState
from ui.presenters.late_seen import LateState
from ui.presenters.quiet import BACK, page_keys
from ui.presenters.sample_parts import PAWS, frame
from ui.presenters.states import ScreenState
from ui.presenters.table_check import Picture

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
            ("at", "14:07:23", Mark.NONE, Key("Show", a.Page(1))),
            ("after", "14:07:25", Mark.NONE, Key("Show", a.Page(2))),
            ("boards", "14:07:25", Mark.NONE, Key("Show", a.Page(3))),
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
