"""Cards of a film that another card lies on since: told with it, though no picture shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.offers import PictureState
from vision.cards import CardOn

_AT_REST = frozenset({PictureState.STILL, PictureState.SETTLED})


class CoveredCards:
    """Remembers whose cards were read on each section since it was last seen without any.

    One picture alone cannot tell a card that is wholly covered; two of a film can. It may also have
    been taken away in the same moment, so what is told is that it *may* lie there.
    """

    def __init__(self) -> None:
        self._known: dict[str, Counter[str]] = {}

    def look(self, shown: Sequence[CardOn], state: PictureState) -> tuple[CardOn, ...]:
        """The cards of a picture, one of each section with what may lie under it.

        What lies still is remembered, and forgotten once a settled picture shows the section
        without any: under a hand nothing has gone.
        """
        here: dict[str, Counter[str]] = {}
        for one in shown:
            if one.section is not None:
                here.setdefault(one.section, Counter())[one.card.seen.owner] += 1
        if state is PictureState.SETTLED:
            self._known = {name: known for name, known in self._known.items() if name in here}
        if state in _AT_REST:
            for name, now in here.items():
                self._known[name] = self._known.get(name, Counter()) | now
        told: list[CardOn] = []
        none = Counter[str]()
        for one in shown:
            section = one.section or ""
            gone = self._known.get(section, Counter()) - here[section] if section in here else none
            here.pop(section, none)  # of several cards the first one tells it
            told.append(replace(one, over=tuple(sorted(gone.elements()))))
        return tuple(told)
