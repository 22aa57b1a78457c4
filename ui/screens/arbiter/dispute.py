"""A decided challenge as its line of the log opens it: what it rested on, and what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.text import counted
from companion.record.evidence import EvidencePart
from companion.referee.challenge import (
    DECIDED,
    VERDICTS,
    Verdict,
    challenges_in,
    corrections_since,
    left_open,
)
from ui.scene.scene import BACK, challenger
from ui.scene.values import Band, Key, Line, Mark, Picture
from ui.screens.arbiter.log import line_text
from ui.screens.match.challenge import (
    ChallengeState,
    Tab,
    disputed_entry,
    paragraphs_of,
    pictures_of,
    tabs_of,
)
from ui.touch.actions import DISPUTE, Panel, Show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.match.entry import Entry
    from companion.record.evidence import EvidenceFile
    from companion.referee.challenge import Challenge
    from ui.scene.scene import Scene

NO_PICTURE = Picture(None, 0, (4, 3), note="No picture was kept of this.")
MOST_TOLD = 2
"""So many corrections are told in words; more are counted."""


def present_dispute(scene: Scene) -> ChallengeState | None:
    """By the panel's part; None where it names no challenge that was decided."""
    seq, _, part = scene.view.part.removeprefix(DISPUTE).partition("/")
    challenge = _decided(scene, seq)
    if challenge is None:
        return None
    stills = _stills(scene, challenge)
    tab = Tab(part) if part in set(Tab) else Tab.CLAIMS
    paragraphs, book = paragraphs_of(scene, challenge)
    state = ChallengeState(
        frame=scene.frame("DISPUTE", _when(scene, challenge), keys=_keys(scene, challenge)),
        band=_band(scene, challenge),
        claims=_claims(scene, challenge),
        lines=_lines(scene, challenge),
        pictures=pictures_of(scene, stills, tab) or (NO_PICTURE,),
        shown=Show(Panel.EVIDENCE, str(stills[0].seq)) if stills else None,
        paragraphs=paragraphs,
        book=book,
        tab=tab,
    )
    said = f"{len(challenge.claims)} told"

    def leads(one: Tab) -> Show:
        return Show(Panel.EVIDENCE, f"{DISPUTE}{challenge.seq}/{one}")

    return replace(state, tabs=tabs_of(scene, state, stills, said, leads))


def _decided(scene: Scene, seq: str) -> Challenge | None:
    entries = scene.match.entries
    still = left_open(entries)
    found = (one for one in challenges_in(entries) if str(one.seq) == seq)
    return next((one for one in found if still is None or one.seq != still.seq), None)


def _when(scene: Scene, challenge: Challenge) -> str:
    return f"challenged at {scene.situation.clock(scene.match.entries[challenge.seq].at_utc)}"


def _keys(scene: Scene, challenge: Challenge) -> tuple[Key, ...]:
    """Back, and the way to a correction, which shows what it would change before it is told."""
    line = challenge.line
    if line is None or line not in scene.history.told:
        return (BACK,)
    return (BACK, Key("Correct it", Show(Panel.AMEND, str(line)), sign="arbiter"))


def _band(scene: Scene, challenge: Challenge) -> Band:
    who = challenger(scene.names, challenge.by).upper()
    verdict = challenge.verdict
    came = VERDICTS[verdict].upper() if verdict is not None else "DECIDED"
    return Band((f"CHALLENGE: {who}", came), scene.side(challenge.by), Mark.WARN)


def _claims(scene: Scene, challenge: Challenge) -> tuple[Line, ...]:
    """All that were told, by whom; what else was said nobody wrote down."""
    told = tuple(
        Line(scene.names.called(one.by), one.text, side=scene.side(one.by))
        for one in challenge.claims
    )
    return told or (Line("Claims", "Nobody told one."),)


def _lines(scene: Scene, challenge: Challenge) -> tuple[Line, ...]:
    """What was disputed, and what was changed by the decision."""
    entry = disputed_entry(scene, challenge) if challenge.line is not None else None
    disputed = Line("Disputed", line_text(scene, entry) if entry else "No line was pointed at.")
    return (disputed, Line("Changed", _changed(scene, challenge)))


def _changed(scene: Scene, challenge: Challenge) -> str:
    if challenge.verdict in (Verdict.STANDS, Verdict.WITHDRAWN):
        return "Nothing. Correct it shows what a correction would change."
    corrected = _corrections(scene, challenge)
    if not corrected:
        return "Nothing in the record: what was corrected, hands did."
    told = [_correction(scene, one) for one in corrected[:MOST_TOLD]]
    more = len(corrected) - len(told)
    return "; ".join([*told, counted(more, "correction") + " more"] if more else told)


def _corrections(scene: Scene, challenge: Challenge) -> Sequence[Entry]:
    """Between the challenge and its decision, and what the decision itself took back."""
    entries = scene.match.entries
    end = next((one.seq for one in entries[challenge.seq :] if _decides(one)), len(entries))
    return [one for one in corrections_since(entries, challenge.seq) if one.seq <= end + 1]


def _decides(entry: Entry) -> bool:
    said = entry.answer
    return entry.kind == "clock" and isinstance(said, dict) and said.get("event") == DECIDED


def _correction(scene: Scene, entry: Entry) -> str:
    """What was corrected; of an amended answer what it says now."""
    words, target = line_text(scene, entry), entry.target
    if entry.kind == "amend" and target is not None and target in scene.history.told:
        amended = scene.match.entries[target]
        was = f": was {amended.answer}" if isinstance(amended.answer, str) else ""
        return f"{words}{was}, now {line_text(scene, amended)}"
    return words


def _stills(scene: Scene, challenge: Challenge) -> Sequence[EvidenceFile]:
    """Of the disputed line, else of the challenge itself; of another moment none."""
    kept = scene.situation.kept
    for seq in (challenge.line, challenge.seq):
        files = kept.of_line(seq) if seq is not None else ()
        stills = [one for one in files if one.part not in (EvidencePart.CLIP, EvidencePart.BOARDS)]
        if stills:
            return stills
    return ()
