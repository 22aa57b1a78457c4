"""Sample states of what was kept: the pictures of one line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ui.presenters import actions as a
from ui.presenters.common import Key, KeyLook, Line, Mark
from ui.presenters.evidence import EvidenceState
from ui.presenters.quiet import BACK, page_keys
from ui.presenters.sample_parts import frame
from ui.presenters.states import ScreenState
from ui.presenters.table_check import Picture

EVIDENCE = EvidenceState(
    frame(
        "EVIDENCE",
        "Section 3 · Reveal · Paws: MPL own",
        keys=(BACK, *page_keys(1, 4)),
        next_key=Key("Keep a clip", a.KeepClip(42), "of the last 20 s", "next", KeyLook.GO),
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

EVIDENCES: Mapping[str, ScreenState] = {
    "evidence": EVIDENCE,
    "evidence-none": replace(EVIDENCE, lines=(), pages=1),
}
