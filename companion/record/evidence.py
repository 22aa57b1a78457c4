"""The names of the pictures kept with a match: which line of the log, what of it, when.

A picture's name says all of it, so that no list has to be kept in step: a folder that was copied,
or from which pictures were deleted, tells what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Occasion(StrEnum):
    """Why a picture was kept."""

    ZERO = "zero"
    REVEAL = "reveal"
    PLACE = "place"
    CARD = "card"
    CHALLENGE = "challenge"
    CALLED = "called"


class EvidencePart(StrEnum):
    """What of an occasion a file shows; `boards` are drawn from above with what was recognised."""

    BEFORE = "before"
    AT = "at"
    AFTER = "after"
    BOARDS = "boards"
    CLIP = "clip"


OCCASIONS = {
    Occasion.ZERO: "at the buzzer",
    Occasion.REVEAL: "card turned over",
    Occasion.PLACE: "place disputed",
    Occasion.CARD: "card after the buzzer",
    Occasion.CHALLENGE: "challenge opened",
    Occasion.CALLED: "asked for",
}
ENDINGS = (".jpg", ".avi")
_DAY = r"(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
_TIME = r"([01]\d|2[0-3])([0-5]\d)([0-5]\d\.\d{3})"
_NAME = re.compile(rf"(\d{{5,}})-([a-z]+)-([a-z]+)-{_DAY}T{_TIME}Z(\.[a-z]+)")


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """One kept picture or clip: the log line it goes with, why, what it shows, when it was taken.

    `at_utc` is as the log writes times.

    >>> kept = EvidenceFile(42, Occasion.REVEAL, EvidencePart.BEFORE, "2026-11-21T19:34:07.250Z")
    >>> kept.name, str(kept)
    ('00042-reveal-before-20261121T193407.250Z.jpg', 'card turned over, before')
    >>> EvidenceFile.parse(kept.name) == kept
    True
    """

    seq: int
    occasion: Occasion
    part: EvidencePart
    at_utc: str
    ending: str = ".jpg"

    @property
    def short(self) -> str:
        """How the file's name begins, which is enough to find it."""
        return f"{self.seq:05d}-{self.occasion}-{self.part}"

    @property
    def name(self) -> str:
        """What the file is called."""
        time = self.at_utc.replace("-", "").replace(":", "")
        return f"{self.short}-{time}{self.ending}"

    def __str__(self) -> str:
        return f"{OCCASIONS[self.occasion]}, {self.part}"

    @classmethod
    def parse(cls, name: str) -> EvidenceFile | None:
        """What a file is by its name; None for one of somebody else."""
        found = _NAME.fullmatch(name)
        if found is None or found[10] not in ENDINGS:
            return None
        seq, occasion, part, year, month, day, hour, minute, second, ending = found.groups()
        if occasion not in set(Occasion) or part not in set(EvidencePart):
            return None
        at_utc = f"{year}-{month}-{day}T{hour}:{minute}:{second}Z"
        return cls(int(seq), Occasion(occasion), EvidencePart(part), at_utc, ending)


def kept_in(folder: Path) -> tuple[EvidenceFile, ...]:
    """Everything kept in a match's folder, by log line and time; nothing where there is none."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return ()
    return in_order(filter(None, map(EvidenceFile.parse, names)))


def in_order(files: Iterable[EvidenceFile]) -> tuple[EvidenceFile, ...]:
    """By log line, then by time; what was drawn and the clip after the stills."""
    ranks = {EvidencePart.BOARDS: 1, EvidencePart.CLIP: 2}
    return tuple(
        sorted(files, key=lambda one: (one.seq, ranks.get(one.part, 0), one.at_utc, one.part))
    )
