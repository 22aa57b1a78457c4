"""A challenge as the log keeps it: who disputes which line, what each side says, what comes of it.

Each of these is a line of the log of the clock's kind: none changes the position, so old lines read
as they did, and a reader that knows fewer of them leaves them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.match.match import brings_back

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.match.match import Match

CHALLENGED, DECIDED = "challenged", "decided"
CALLED = "challenger"
"""The event that tells who challenges, after the clock was stopped."""
DISPUTED = "disputed"
"""The event that tells which line of the log is meant."""
CLAIMED = "claimed"
"""The event that tells what one side claims."""
LONGEST_CLAIM = 80
"""The most letters of a claim."""
TAKEN_BACK = "decision taken back"
"""The event that takes a decision back: its challenge is open again."""
OPEN_EVENTS = (CHALLENGED, CALLED, DISPUTED, CLAIMED, DECIDED, TAKEN_BACK)


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
class StruckDecision:
    """A decision that was taken back: what it had been, its line, that which took it back, why."""

    verdict: Verdict | None
    seq: int
    taken_back: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Something is disputed and the clock stands: who said so, and whether that stopped it.

    `named`: somebody said who challenges; until then `by` is the table. `line` is the disputed line
    of the log (None: none was pointed at), `claims` the last word of each side. `seq` is the line
    that opened it, `verdict` what came of it (None: open, or decided without a word of that),
    `decided` the line that says so (None: open). `struck` are decisions that were taken back.
    """

    by: Seat
    stopped_clock: bool
    named: bool = True
    line: int | None = None
    claims: tuple[Claim, ...] = ()
    verdict: Verdict | None = None
    seq: int = field(default=-1, compare=False)
    decided: int | None = field(default=None, compare=False)
    struck: tuple[StruckDecision, ...] = field(default=(), compare=False)

    @property
    def heard_since(self) -> int:
        """The line since which it is open, or was until it was decided."""
        return self.struck[-1].taken_back if self.struck else self.seq

    def said_by(self, side: Seat) -> str:
        """What a side claims; empty while it has said nothing."""
        return next((claim.text for claim in self.claims if claim.by == side), "")

    def with_claim(self, by: Seat, text: str) -> Challenge:
        """The challenge with a side's new claim in place of its earlier one; "" removes it."""
        others = tuple(claim for claim in self.claims if claim.by != by)
        return replace(self, claims=(*others, Claim(by, text)) if text else others)

    @property
    def is_lost(self) -> bool:
        """Whether the side that challenged has lost it."""
        return self.verdict is Verdict.STANDS and self.by != TABLE


# Challenges of a log.


def challenges_in(entries: Sequence[Entry]) -> Sequence[Challenge]:
    """Every challenge in the log, in order; the last may still be open."""
    return list(_heard(entries)[0].values())


def _heard(entries: Sequence[Entry]) -> tuple[Mapping[int, Challenge], int]:
    """Each challenge by the line that opened it, and the line of that which is open, or -1."""
    heard: dict[int, Challenge] = {}
    open_one = -1
    for entry in entries:
        said = entry.answer if entry.kind == "clock" else None
        event = said.get("event") if isinstance(said, dict) else None
        if event not in OPEN_EVENTS or not isinstance(said, dict):
            continue
        if event == CHALLENGED:
            heard[entry.seq], open_one = _opened(entry.seq, said), entry.seq
        elif event == TAKEN_BACK:
            open_one = _taken_back(heard, entry, said, open_one)
        elif open_one not in heard:
            continue
        elif event == DECIDED:
            verdict = verdict_in(said)
            heard[open_one] = replace(heard[open_one], verdict=verdict, decided=entry.seq)
            open_one = -1
        else:
            heard[open_one] = _told(heard[open_one], str(event), said)
    return heard, open_one


def _taken_back(
    heard: dict[int, Challenge], entry: Entry, said: Mapping[str, Json], open_one: int
) -> int:
    """Strike a decision out; the line of the challenge that is open then."""
    line = said.get("challenge")
    was = heard.get(line) if isinstance(line, int) else None
    if was is None or was.decided is None:
        return open_one
    struck = StruckDecision(was.verdict, was.decided, entry.seq, entry.reason)
    stopped = bool(said.get("stopped"))
    heard[was.seq] = replace(
        was, verdict=None, decided=None, stopped_clock=stopped, struck=(*was.struck, struck)
    )
    return was.seq


def left_open(entries: Sequence[Entry]) -> Challenge | None:
    """The challenge that a log leaves undecided; None if there is none."""
    heard, open_one = _heard(entries)
    return heard.get(open_one)


def decided_at(entries: Sequence[Entry], seq: int | None = None) -> Challenge | None:
    """The decided challenge of line `seq`, or of None the one decided last; None without any."""
    decided = [one for one in challenges_in(entries) if one.decided is not None]
    if seq is not None:
        return next((one for one in decided if one.seq == seq), None)
    return max(decided, key=lambda one: one.decided or 0, default=None)


def lost_by(entries: Sequence[Entry], side: Seat) -> int:
    """How many challenges a side has lost."""
    return sum(one.is_lost and one.by == side for one in challenges_in(entries))


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
    """The verdict in a line of the log; None where it only says that it is decided."""
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
    last = len(entries) if challenge.decided is None else challenge.decided
    return [one for one in corrections_since(entries, challenge.heard_since) if one.seq <= last]


def undone_with(match: Match[Any], challenge: Challenge) -> int | None:
    """The line before which all stands again once a decision is taken back; None: nothing changes.

    What is played again was undone by the last correction; what is corrected, by all of them.
    """
    if challenge.verdict not in (Verdict.CORRECTED, Verdict.REPLAYED):
        return None
    made = corrections_of(match.entries, challenge)
    if challenge.verdict is Verdict.REPLAYED:
        made = [one for one in made if one.kind == "undo"][-1:]
    else:
        made = _not_taken_back(match.entries, made)
    return made[0].seq if any(_counts(match, one) for one in made) else None


def _not_taken_back(entries: Sequence[Entry], made: Sequence[Entry]) -> Sequence[Entry]:
    """These corrections without those that were undone at once, and without their undo."""
    left: list[Entry] = []
    for one in made:
        last = left[-1] if left else None
        if last is None or one.kind != "undo" or one.target != last.seq:
            left.append(one)
        elif any(line.kind in ("answer", "lapse") for line in entries[last.seq : one.seq]):
            left.append(one)  # it took more back than that correction
        else:
            left.pop()
    return left


def _counts(match: Match[Any], made: Entry) -> bool:
    """Whether a correction still does what it did."""
    if made.seq in match.overtaken:
        return False
    if made.kind == "undo":
        return True
    line = made.target if made.kind == "amend" else made.seq
    undone = any(one.kind == "undo" and one.target == made.seq for one in match.entries)
    return not undone and any(step.seq == line for step in match.steps)


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
    heard, open_one = _heard(entries)
    told = {at: one for at, one in heard.items() if one.verdict is not Verdict.WITHDRAWN}
    if not told:
        return ""
    words = ["open" if at == open_one else _CAME[one.verdict] for at, one in told.items()]
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    many = f"{len(told)} challenge{'s' if len(told) > 1 else ''}"
    return f"{many}: {', '.join(counts)}"


_CORRECTED = (("amend", "amended"), ("adjust", "adjusted"), ("undo", "undone"))


def counted_corrections(entries: Sequence[Entry]) -> Sequence[str]:
    """How often a match was corrected and decisions were taken back: "2 amended", "1 undone".

    A correction that was taken back itself, so that all stands as before it, counts for nothing.
    """
    stand: list[str] = []
    first = len(entries)
    for at in reversed(range(len(entries))):
        entry = entries[at]
        if at < first:
            if brings_back(entry) and entry.target is not None:
                first = entry.target
            else:
                stand.append(entry.kind)
    told = [f"{stand.count(kind)} {word}" for kind, word in _CORRECTED if kind in stand]
    struck = sum(len(one.struck) for one in challenges_in(entries))
    return [*told, f"{counted(struck, 'decision')} taken back"] if struck else told


def challenge_in_words(event: Mapping[str, Json], caller: str, by: str, left: str) -> str:
    """A line that tells of a challenge; `by` and `left` end what was done, and the clock's rest."""
    match event.get("event"):
        case "challenged":
            stands = f"; the clock stands{left}" if left else ""
            return f"A challenge is open, by {caller}{stands}."
        case "challenger":
            return f"The challenge is by {caller}."
        case "disputed":
            line = event.get("line")
            return "No line is disputed." if line is None else f"Line {line} is disputed."
        case "claimed":
            return f"Claim of {caller}: {event.get('claim') or 'none any more'}"
        case "decided":
            return _decided_in_words(event, caller, by)
        case _:
            was = f" ({event['was']})" if event.get("was") else ""
            return f"The decision{was} is taken back{by}: the challenge by {caller} is open again."


def _decided_in_words(event: Mapping[str, Json], caller: str, by: str) -> str:
    """What came of it, as far as anybody said, and how many its side has left."""
    verdict, left = verdict_in(event), event.get("left")
    came = f": {VERDICTS[verdict]}" if verdict is not None else ""
    told = f"The challenge by {caller} is decided{by}{came}."
    return told if left is None else f"{told} Challenges left to {caller}: {left}."
