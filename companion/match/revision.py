"""Revision: what an amend would change, shown before it is committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.ruling import TABLE
from companion.core.text import counted, lines_in_words
from companion.match.timeline import Fate, Refit

if TYPE_CHECKING:
    from companion.core.offers import Stamp
    from companion.core.ruling import Json, Ruling, Seat
    from companion.match.entry import Entry

Ruled = Sequence[tuple[int, str, "Sequence[Ruling]"]]
"""Rulings by the step that brought them: log number, key, rulings."""


_TOLD_SINGLY = 3
"""The most dropped lines that are told in words; of more only their numbers are."""


class Listed(NamedTuple):
    """A ruling with the log number and the key of the step that brought it."""

    seq: int
    key: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class RulingFlip:
    """A ruling that an amend changes: as it stands, as it would be (None: not ruled)."""

    key: str
    old: Ruling | None
    new: Ruling | None

    @property
    def by(self) -> Seat:
        """The seat that the ruling concerns."""
        ruling = self.new or self.old
        return TABLE if ruling is None else ruling.by


@dataclass(frozen=True)
class Revision:
    """Line `seq` answered `raw` instead: the run with it, beside the rulings `before`.

    `put` is the match's own way to put it into effect, `said` what later lines say: question and
    answer, or a report. `acts` are those that answer nothing. `open` are the prompts of what is
    asked now, by key.
    """

    seq: int
    raw: Json
    reason: str
    changed: Refit[Any]
    before: Ruled
    put: Callable[[Revision, Stamp], Entry]
    said: Mapping[int, str]
    acts: Collection[int] = ()
    open: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def fate(self) -> Mapping[int, Fate]:
        """What becomes of each later answer, by log number."""
        return self.changed.fates

    @property
    def asked(self) -> Sequence[str]:
        """The keys of the questions that would be asked next."""
        return [key for key in self.changed.run.open if key not in self.changed.run.answered]

    @property
    def waiting(self) -> Sequence[int]:
        """Lines that wait for their question, in order."""
        return sorted(seq for seq, fate in self.fate.items() if fate is Fate.PARKED)

    # -- rulings -----------------------------------------------------------------------------

    @cached_property
    def _differing(self) -> tuple[Sequence[Listed], Sequence[Listed]]:
        """Rulings that stand now and would not, and those that would and do not.

        What is ruled as before stays, under its own question first, else under another of its
        round. In another round it is another ruling.
        """
        split_key = self.changed.run.rules.split_key

        def by_round(listed: Listed) -> Hashable:
            return (split_key(listed.key)[0], _alone(listed))

        before, now = _listed(self.before), _listed(self.changed.run.ruled_by())
        for words in (_by_key, by_round):
            before, now = _apart(before, now, words), _apart(now, before, words)
        return before, now

    @property
    def flips(self) -> Sequence[RulingFlip]:
        """Rulings that change, go or come, line by line; but for those in `falling`."""
        gone, new = self._differing
        waiting = set(self.waiting)
        seqs = sorted({*(one.seq for one in gone), *(one.seq for one in new)} - waiting)
        return [
            flip
            for seq in seqs
            for flip in _paired(
                [one for one in gone if one.seq == seq], [one for one in new if one.seq == seq]
            )
        ]

    @property
    def falling(self) -> Mapping[int, Sequence[Ruling]]:
        """Each line that waits, by log number, and the rulings that fall with it until it is back.

        Where the line comes back and still fits, it is ruled on anew.
        """
        gone, _ = self._differing
        return {seq: [one.ruling for one in gone if one.seq == seq] for seq in self.waiting}

    # -- in words ----------------------------------------------------------------------------

    def in_words(self) -> Sequence[str]:
        """What is asked first and what becomes of later lines, in sentences.

        Of a line that waits `line_in_words` and `falling` say more.
        """
        kept = sum(1 for fate in self.fate.values() if fate is Fate.KEPT)
        stay = f"{counted(kept, 'later line')} {'stays' if kept == 1 else 'stay'}"
        many = [over for over in self._dropped if len(self._dropped[over]) > _TOLD_SINGLY]
        told_together = {seq for over in many for seq in self._dropped[over]}
        rest = [
            f"{self.line_in_words(seq)} {self._fate_in_words(seq, fate)}"
            for seq, fate in sorted(self.fate.items())
            if fate not in (Fate.KEPT, Fate.PARKED) and seq not in told_together
        ]
        rest += [
            f"{lines_in_words(self._dropped[over])} are dropped: their questions do not come again "
            f"({over} is over)"
            for over in many
        ]
        if not self.waiting:
            return [f"{'; '.join((stay, *rest))}.", *self._asked_then_in_words()]
        others = [*([stay] if kept else []), *rest]
        return [self._waiting_in_words(), *([f"{'; '.join(others)}."] if others else [])]

    @cached_property
    def _dropped(self) -> Mapping[str, Sequence[int]]:
        """Lines whose question does not come again, by what is over, each in order."""
        dropped: dict[str, list[int]] = {}
        for seq, over in sorted(self.changed.dropped.items()):
            dropped.setdefault(over, []).append(seq)
        return dropped

    def _asked_then_in_words(self) -> Iterator[str]:
        """The questions that would be asked and are not now."""
        prompts = {key: self.changed.run.open[key].prompt for key in self.asked}
        new = [prompt for key, prompt in prompts.items() if self.open.get(key) != prompt]
        if new:
            yield f"Asked then: {' / '.join(new)}"

    def _waiting_in_words(self) -> str:
        waiting, run = self.waiting, self.changed.run
        asked = [run.open[key].prompt for key in self.asked]
        many = counted(len(waiting), "line")
        below, comes = lines_in_words(waiting), "comes" if len(waiting) == 1 else "come"
        fits = "where it still fits" if len(waiting) == 1 else "where they still fit"
        first = f"Asked first: {' / '.join(asked)} " if asked else ""
        when = "when that is answered" if asked else "when asked again"
        return f"{first}{many} below ({below}) {comes} back {when}, {fits}."

    def line_in_words(self, seq: int) -> str:
        """A later line by its number and by what it says."""
        said = self.said.get(seq)
        return f"line {seq}" if said is None else f"line {seq} ({said})"

    def _fate_in_words(self, seq: int, fate: Fate) -> str:
        if fate is Fate.DOUBTFUL:
            return "stays, but its options have changed"
        if fate is Fate.DROPPED:
            over = self.changed.dropped[seq]
            return f"is dropped: its question does not come again ({over} is over)"
        return "falls away: it does not fit any more" if seq in self.acts else "is asked again"

    def commit(self, stamp: Stamp) -> Entry:
        """Put it into effect; one line of the log. BadCall where the match has gone on since."""
        return self.put(self, stamp)


def never_came(over: str) -> str:
    """What to say of an old answer whose question never comes again.

    >>> never_came("round 4")
    'dropped: its question never came again (round 4 is over)'
    """
    return f"dropped: its question never came again ({over} is over)"


def _listed(ruled: Ruled) -> list[Listed]:
    return [Listed(seq, key, ruling) for seq, key, said in ruled for ruling in said]


def _by_key(listed: Listed) -> Hashable:
    return (listed.key, _alone(listed))


def _alone(listed: Listed) -> Hashable:
    """A ruling as people read it, whichever question it came from."""
    return listed.ruling.text, str(listed.ruling.cite)


def _apart(
    some: Sequence[Listed], others: Sequence[Listed], words: Callable[[Listed], Hashable]
) -> list[Listed]:
    """Those without an equal among the others; of three where the others are two, the last."""
    equals, rest = Counter(map(words, others)), list[Listed]()
    for one in some:
        if equals[words(one)]:
            equals[words(one)] -= 1
        else:
            rest.append(one)
    return rest


def _paired(gone: Sequence[Listed], new: Sequence[Listed]) -> list[RulingFlip]:
    """Rulings of one line: was and now where they say the same rule of the same one, else alone."""
    left = list(new)
    flips: list[RulingFlip] = []
    for was in gone:
        now = next((one for one in left if _about(one.ruling) == _about(was.ruling)), None)
        if now is not None:
            left.remove(now)
        flips.append(RulingFlip(was.key, was.ruling, now and now.ruling))
    return [*flips, *(RulingFlip(one.key, None, one.ruling) for one in left)]


def _about(ruling: Ruling) -> Hashable:
    """By which rule, and whom it concerns."""
    return ruling.by, ruling.cite
