"""A challenge as the log keeps it: who disputes which line, what each side says, what comes of it.

Each of these is a line of the log of the clock's kind: none changes the position, so old lines read
as they did, and a reader that knows fewer of them leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core.ruling import TABLE, Seat

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.match.match import Match

CHALLENGED, DECIDED = "challenged", "decided"
CALLED = "challenger"
"""Who it is that challenges, told after the clock stood."""
DISPUTED = "disputed"
"""Which line of the log is meant."""
CLAIMED = "claimed"
"""What one side says of it."""
LONGEST_CLAIM = 80
"""Letters of a claim."""
OPEN_EVENTS = (CHALLENGED, CALLED, DISPUTED, CLAIMED, DECIDED)


class Verdict(StrEnum):
    """What comes of a challenge; a side that challenges in vain, so that all stands, has lost it.

    `stands`: what was ruled and recorded. `corrected`: the record, or the table. `replayed`: the
    round or turn, from its beginning. `withdrawn`: nobody disputes anything any more.
    """

    STANDS = "stands"
    CORRECTED = "corrected"
    REPLAYED = "replayed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one side says happened, in its own words."""

    by: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Something is disputed and the clock stands: who said so, and whether that stopped it.

    `named`: somebody said who challenges; until then `by` is the table. `line` is the disputed line
    of the log (None: none was pointed at), `claims` the last word of each side. `seq` is the line
    that opened it, `verdict` what came of it (None: open, or decided without a word of that).
    """

    by: Seat
    stopped_clock: bool
    named: bool = True
    line: int | None = None
    claims: tuple[Claim, ...] = ()
    verdict: Verdict | None = None
    seq: int = field(default=-1, compare=False)

    def said_by(self, side: Seat) -> str:
        """What a side claims; empty while it has said nothing."""
        return next((claim.text for claim in self.claims if claim.by == side), "")

    def with_claim(self, by: Seat, text: str) -> Challenge:
        """The same with a side's claim in place of what it said before; no words take it away."""
        others = tuple(claim for claim in self.claims if claim.by != by)
        return replace(self, claims=(*others, Claim(by, text)) if text else others)

    @property
    def is_lost(self) -> bool:
        """Whether a side challenged in vain."""
        return self.verdict is Verdict.STANDS and self.by != TABLE


# Challenges of a log.


def challenges_in(entries: Sequence[Entry]) -> Sequence[Challenge]:
    """Every challenge that was opened, as the log leaves it, in order; the last may be open."""
    return [challenge for challenge, _ in _followed(entries)]


def left_open(entries: Sequence[Entry]) -> Challenge | None:
    """The challenge that a log leaves undecided; None if there is none."""
    last = None
    for challenge, decided in _followed(entries):
        last = None if decided else challenge
    return last


def lost_by(entries: Sequence[Entry], side: Seat) -> int:
    """How often a side has challenged in vain."""
    return sum(one.is_lost and one.by == side for one in challenges_in(entries))


def _followed(entries: Sequence[Entry]) -> Iterator[tuple[Challenge, bool]]:
    """Each challenge with all that was told of it, and whether it was decided."""
    now: Challenge | None = None
    for entry in entries:
        said = entry.answer if entry.kind == "clock" else None
        event = said.get("event") if isinstance(said, dict) else None
        if event not in OPEN_EVENTS or not isinstance(said, dict):
            continue
        if event == CHALLENGED:
            if now is not None:
                yield now, False
            now = _opened(entry.seq, said)
        elif event == DECIDED and now is not None:
            yield replace(now, verdict=verdict_in(said)), True
            now = None
        elif now is not None:
            now = _told(now, str(event), said)
    if now is not None:
        yield now, False


def _opened(seq: int, said: Mapping[str, Json]) -> Challenge:
    by, named = Seat(str(said.get("by", TABLE))), said.get("named") is not False
    return Challenge(by, bool(said.get("stopped")), named, seq=seq)


def _told(now: Challenge, event: str, said: Mapping[str, Json]) -> Challenge:
    by, line = Seat(str(said.get("by", TABLE))), said.get("line")
    if event == CALLED:
        return replace(now, by=by, named=True)
    if event == DISPUTED:
        return replace(now, line=line if isinstance(line, int) else None)
    return now.with_claim(by, str(said.get("claim", "")))


def verdict_in(said: Mapping[str, Json]) -> Verdict | None:
    """What a line says came of a challenge; None where it only says that it is decided."""
    word = said.get("verdict")
    return Verdict(str(word)) if word in set(Verdict) else None


# What a challenge may lead to.


def replayed_from(match: Match[Any], line: int | None = None) -> int | None:
    """The line with which the round or turn began that is played again; None outside any.

    The round is that of the disputed line where its answer still counts, else the one under way, or
    played last.
    """
    where = match.rulebook.split_key
    steps = [(step, where(step.key)[0]) for step in match.steps if step.answers]
    disputed = next((place for step, place in steps if step.seq == line), "")
    place = disputed or next((place for _, place in reversed(steps) if place), "")
    return next((step.seq for step, at in steps if place and at == place), None)


def corrections_since(entries: Sequence[Entry], seq: int) -> Sequence[Entry]:
    """The corrections of the record after line `seq`."""
    kinds = ("undo", "amend", "adjust", "report", "restart")
    return [entry for entry in entries[max(0, seq) :] if entry.kind in kinds]


def corrections_of(entries: Sequence[Entry], challenge: Challenge) -> Sequence[Entry]:
    """Those between a challenge and its decision; that of one to be replayed undoes it before."""
    ends = (one.seq for one in entries[challenge.seq :] if _decides(one))
    last = next(ends, len(entries))
    return [one for one in corrections_since(entries, challenge.seq) if one.seq <= last]


def _decides(entry: Entry) -> bool:
    said = entry.answer if entry.kind == "clock" else None
    return isinstance(said, dict) and said.get("event") == DECIDED


# In words.

VERDICTS: Mapping[Verdict, str] = {
    Verdict.STANDS: "what was ruled stands",
    Verdict.CORRECTED: "it is corrected",
    Verdict.REPLAYED: "it is played again",
    Verdict.WITHDRAWN: "it is withdrawn",
}


_CAME = {
    None: "decided",
    Verdict.STANDS: "stood",
    Verdict.CORRECTED: "corrected",
    Verdict.REPLAYED: "replayed",
}


def counted_verdicts(entries: Sequence[Entry]) -> str:
    """How many challenges there were and what came of them, for a result; empty without any.

    Those that were withdrawn count for nothing.
    """
    told = [one for one in challenges_in(entries) if one.verdict is not Verdict.WITHDRAWN]
    if not told:
        return ""
    words = [_CAME[one.verdict] for one in told]
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    many = f"{len(told)} challenge{'s' if len(told) > 1 else ''}"
    return f"{many}: {', '.join(counts)}"
