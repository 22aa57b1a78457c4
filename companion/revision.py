"""Revision: what an amend would change, looked at before it is committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.entry import Entry
    from companion.offers import Json, Stamp
    from companion.refit import Fate, Refit
    from companion.ruling import Ruling

Ruled = Sequence[tuple[int, str, "Sequence[Ruling]"]]
"""Rulings by the step that brought them: log number, key, rulings."""


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
    answer.
    """

    seq: int
    raw: Json
    reason: str
    changed: Refit[Any]
    before: Ruled
    put: Callable[[Revision, Stamp], Entry]
    said: Mapping[int, str]

    @property
    def fate(self) -> Mapping[int, Fate]:
        """What becomes of each later answer, by log number."""
        return self.changed.fates

    @property
    def asked(self) -> Sequence[str]:
        """Keys that would be asked next."""
        return [key for key in self.changed.run.open if key not in self.changed.run.answered]

    @property
    def flips(self) -> Sequence[RulingFlip]:
        """Rulings that change, go or come, in the order of the match."""
        old = _grouped(self.before)
        new = _grouped(self.changed.run.ruled_by())
        flips: list[RulingFlip] = []
        for key in dict.fromkeys((*old, *new)):
            flips.extend(_flips(key, old.get(key, []), new.get(key, [])))
        return flips

    def commit(self, stamp: Stamp) -> Entry:
        """Put it into effect; one line of the log. BadCall where the match has gone on since."""
        return self.put(self, stamp)


def _grouped(ruled: Ruled) -> dict[str, list[Ruling]]:
    grouped: dict[str, list[Ruling]] = {}
    for _, key, said in ruled:
        grouped.setdefault(key, []).extend(said)
    return grouped


def _flips(key: str, old: Sequence[Ruling], new: Sequence[Ruling]) -> list[RulingFlip]:
    gone = [ruling for ruling in old if ruling not in new]
    come = [ruling for ruling in new if ruling not in old]
    longest = max(len(gone), len(come))
    gone_or_none = [*gone, *[None] * (longest - len(gone))]
    come_or_none = [*come, *[None] * (longest - len(come))]
    pairs = zip(gone_or_none, come_or_none, strict=True)
    return [RulingFlip(key, was, becomes) for was, becomes in pairs]
