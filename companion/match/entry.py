"""A line of the log, the step it stands for, a position's digest, and the program's version."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.core.ruling import Json


class Entry(NamedTuple):
    """One line of the log.

    `kind` is setup, answer, lapse, undo, amend, adjust, report, clock, restart or close. `key` is
    the question's key (answer, lapse, clock), `answer` the plain answer, changes, fact or file,
    `target` the seq an undo, amend or adjust aims at. `author` is who did it, `source` by which
    means: touch, camera, clock, button, terminal, script, bot or lapse. `reason` is what was said
    with it, `at_utc` when it was done (ISO 8601), `match_s` after how many seconds of play.
    `digest` is that of the last begin() or outcome reached by it ("" if none was), `chain` the hash
    over this line and the chain before it, set by the record.
    """

    seq: int
    kind: str
    key: str = ""
    answer: Json = None
    target: int | None = None
    author: str = ""
    source: str = ""
    reason: str = ""
    at_utc: str = ""
    match_s: float = 0.0
    digest: str = ""
    chain: str = ""


class Step(NamedTuple):
    """What a log line does as long as nothing takes it back.

    `key` names the question answered; for adjust, report, restart and close it is the question
    whose answer came just before, so that a refit knows where the step belongs. It is empty at the
    start, and after a restart, until an answer comes.
    """

    seq: int
    kind: str
    key: str
    value: Json

    @property
    def answers(self) -> bool:
        """Whether this step answers a question (or let it lapse)."""
        return self.kind in ("answer", "lapse")


# The digest of a position: a replay is compared with the record by it.


def digest_of(figures: object) -> str:
    """Sixteen hexadecimal figures that two equal positions share.

    >>> digest_of((1, "deck")) == digest_of((1, "deck")), len(digest_of(()))
    (True, 16)
    """
    return hashlib.blake2b(repr(figures).encode(), digest_size=8).hexdigest()


# The version of this program, noted in each match.


@cache
def app_version() -> str:
    """The installed version; `source` where the companion runs without being installed."""
    try:
        return version("dogfight-companion")
    except PackageNotFoundError:
        return "source"
