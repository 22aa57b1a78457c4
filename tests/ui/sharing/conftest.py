"""Matches to be shared: recorded ones, and one with everything that a page must bear."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.record.record import Record
from companion.referee.challenge import TAKEN_BACK

GOLDEN = Path(__file__).parents[2] / "golden"
ANA = Stamp("Ana", "2026-11-21T19:34:07.250Z", 60.0)
CRUEL = "</pre></script><script>document.title='no'</script><!--\u2028&amp;"
PICTURE = EvidenceFile(2, Occasion.CHALLENGE, EvidencePart.AT, ANA.at_utc)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record.open(tmp_path / "record.db") as opened:
        yield opened


@pytest.fixture
def disputed(record: Record) -> str:
    """A match that is not over, with an undo, a dispute, a cruel name and a picture."""
    setup = Setup("jaws-and-paws", ("day",), {Seat("JP"): CRUEL, Seat("PG"): "Bo"}, {})
    match = Match[Any].start(setup, ANA)
    play_out(match, bots_of(setup, Random(2)), 40)
    told: tuple[dict[str, Any], ...] = (
        {"event": "challenged", "by": "Paws", "rest_s": 3.0},
        {"event": "claimed", "by": "Paws", "claim": CRUEL},
        {"event": "decided", "by": "Paws", "verdict": "stands"},
    )
    for said in told:
        match.note_clock("", said, ANA)
    match.undo(len(match.entries) - 6, "misheard", stamp=ANA)
    made = record.create(match.setup, ANA)
    record.append(made, match.entries)
    _, coded = cv2.imencode(".jpg", np.full((90, 160), 90, np.uint8))
    (record.evidence(made) / PICTURE.name).write_bytes(coded.tobytes())
    return made


@pytest.fixture
def taken_back(record: Record) -> str:
    """A match whose decision was taken back, with the correction that it had led to; it stands."""
    setup = Setup("dogfight-1917", ("base",), {Seat("A"): "Ana", Seat("B"): "Bo"}, {})
    match = Match[Any].start(setup, ANA)
    play_out(match, bots_of(setup, Random(2)), 40)
    match.undo(match.entries[-1].seq, "misheard", stamp=ANA)
    challenge = match.note_clock("", {"event": "challenged", "by": "A"}, ANA).seq
    match.note_clock("", {"event": "claimed", "by": "B", "claim": "it was a 2"}, ANA)
    undone = match.undo(match.steps[-1].seq, "Bo saw it", stamp=ANA).seq
    match.note_clock("", {"event": "decided", "by": "A", "verdict": "corrected"}, ANA)
    match.bring_back(undone, "the film shows it", stamp=ANA)
    said: dict[str, Any] = {"event": TAKEN_BACK, "by": "A", "challenge": challenge}
    match.note_clock("", {**said, "was": "corrected"}, ANA, "the film shows it")
    match.note_clock("", {"event": "decided", "by": "A", "verdict": "stands"}, ANA)
    made = record.create(match.setup, ANA)
    record.append(made, match.entries)
    return made
