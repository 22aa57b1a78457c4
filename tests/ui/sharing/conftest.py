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
