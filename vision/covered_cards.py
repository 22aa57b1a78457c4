"""Cards of a film that another card lies on since: told with it, though no picture shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from vision.cards import CardOn


class CoveredCards:
    """Remembers whose cards were read on each section since it was last seen without any.

    One picture alone cannot tell a card that is wholly covered; two of a film can. It may also have
    been taken away in the same moment, so what is told is that it *may* lie there.
    """

    def __init__(self) -> None:
        self._known: dict[str, Counter[str]] = {}

    def look(self, shown: Sequence[CardOn], *, settled: bool) -> tuple[CardOn, ...]:
        """The cards of a picture, one of each section with what may lie under it.

        Only settled pictures are remembered: under a hand nothing has gone.
        """
        here: dict[str, Counter[str]] = {}
        for one in shown:
            if one.section is not None:
                here.setdefault(one.section, Counter())[one.card.seen.owner] += 1
        if settled:
            self._known = {
                name: self._known.get(name, Counter()) | now for name, now in here.items()
            }
        told: list[CardOn] = []
        for one in shown:
            now = here.pop(one.section or "", None)  # of several cards the first one tells it
            known = self._known.get(one.section or "", Counter())
            gone = known - now if now is not None else Counter[str]()
            told.append(replace(one, over=tuple(sorted(gone.elements()))))
        return tuple(told)
