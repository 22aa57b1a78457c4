"""Revision: what an amend would change, looked at before it is committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from companion.refit import Fate
from companion.wording import counted, lines_in_words

if TYPE_CHECKING:
    from companion.entry import Entry
    from companion.offers import Json, Stamp
    from companion.refit import Refit
    from companion.ruling import Ruling

Ruled = Sequence[tuple[int, str, "Sequence[Ruling]"]]
"""Rulings by the step that brought them: log number, key, rulings."""
Listed = tuple[int, str, "Ruling"]
"""One of them with the log number and the key of its step."""


@dataclass(frozen=True, slots=True)
class RulingFlip:
    """A ruling that an amend changes: as it stands, as it would be (None: not ruled)."""

    key: str
    old: Ruling | None
    new: Ruling | None


@dataclass(frozen=True)
class Revision:
    """Line `seq` answered `raw` instead: the run with it, beside the rulings `before`.

    `put` is the match's own way to put it into effect, `said` what later lines say: question and
    answer, or a report. `acts` are those that answer nothing.
    """

    seq: int
    raw: Json
    reason: str
    changed: Refit[Any]
    before: Ruled
    put: Callable[[Revision, Stamp], Entry]
    said: Mapping[int, str]
    acts: Collection[int] = ()

    @property
    def fate(self) -> Mapping[int, Fate]:
        """What becomes of each later answer, by log number."""
        return self.changed.fates

    @property
    def asked(self) -> Sequence[str]:
        """Keys that would be asked next."""
        return [key for key in self.changed.run.open if key not in self.changed.run.answered]

    @property
    def waiting(self) -> Sequence[int]:
        """Lines that wait for their question, in order."""
        return sorted(seq for seq, fate in self.fate.items() if fate is Fate.PARKED)

    def in_words(self) -> Sequence[str]:
        """What is asked first and what becomes of later lines, in sentences."""
        kept = sum(1 for fate in self.fate.values() if fate is Fate.KEPT)
        stay = f"{counted(kept, 'later line')} {'stays' if kept == 1 else 'stay'}"
        rest = [
            f"{self._line_in_words(seq)} {self._fate_in_words(seq, fate)}"
            for seq, fate in self.fate.items()
            if fate not in (Fate.KEPT, Fate.PARKED)
        ]
        others = f"{'; '.join((stay, *rest))}."
        if not self.waiting:
            return [others]
        return [*self._waiting_in_words(), *([others] if kept or rest else [])]

    def _waiting_in_words(self) -> list[str]:
        waiting, run = self.waiting, self.changed.run
        asked = [run.open[key].prompt for key in self.asked]
        many = counted(len(waiting), "line")
        below, comes = lines_in_words(waiting), "comes" if len(waiting) == 1 else "come"
        fits = "where it still fits" if len(waiting) == 1 else "where they still fit"
        first = f"Asked first: {' / '.join(asked)} " if asked else ""
        when = "when that is answered" if asked else "when asked again"
        acts = [self._line_in_words(seq) for seq in waiting if seq in self.acts]
        among = [f"Among them: {'; '.join(acts)}."] if acts else []
        return [f"{first}{many} below ({below}) {comes} back {when}, {fits}.", *among]

    def _line_in_words(self, seq: int) -> str:
        """A line by its number and by what it says."""
        said = self.said.get(seq)
        return f"line {seq}" if said is None else f"line {seq} ({said})"

    def _fate_in_words(self, seq: int, fate: Fate) -> str:
        if fate is Fate.DOUBTFUL:
            return "stays, but its options have changed"
        return "falls away: it does not fit any more" if seq in self.acts else "is asked again"

    @property
    def flips(self) -> Sequence[RulingFlip]:
        """Rulings that change, go or come, in the order of the match.

        What is ruled as before stays, under its own question first, else under any other.
        Those of a line that waits are not gone: they come again with it, as far as it still fits.
        """
        before, now = _listed(self.before), _listed(self.changed.run.ruled_by())
        for words in (_by_key, _alone):
            before, now = _apart(before, now, words), _apart(now, before, words)
        waiting = set(self.waiting)
        old = _grouped([ruled for ruled in before if ruled[0] not in waiting])
        new = _grouped(now)
        flips: list[RulingFlip] = []
        for key in dict.fromkeys((*old, *new)):
            pairs = zip_longest(old.get(key, ()), new.get(key, ()))
            flips.extend(RulingFlip(key, was, becomes) for was, becomes in pairs)
        return flips

    def commit(self, stamp: Stamp) -> Entry:
        """Put it into effect; one line of the log. BadCall where the match has gone on since."""
        return self.put(self, stamp)


def _listed(ruled: Ruled) -> list[Listed]:
    return [(seq, key, ruling) for seq, key, said in ruled for ruling in said]


def _by_key(listed: Listed) -> Hashable:
    return (listed[1], _alone(listed))


def _alone(listed: Listed) -> Hashable:
    """A ruling as it is read, whatever question it came of."""
    return listed[2].text, str(listed[2].cite)


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


def _grouped(listed: Sequence[Listed]) -> dict[str, list[Ruling]]:
    grouped: dict[str, list[Ruling]] = {}
    for _, key, ruling in listed:
        grouped.setdefault(key, []).append(ruling)
    return grouped
