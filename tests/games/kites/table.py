"""The hidden table of Kites: whoever lays a gust picks one of the hand, and later turns it over."""

from __future__ import annotations

from typing import Any

from companion.core.question import Question, Ready, Reveal
from companion.core.ruling import Json
from companion.kit.playing import HiddenTable
from tests.games.kites.position import GUSTS, HAND, LAID
from tests.games.kites.rules import Kites


class PhysicalTable(HiddenTable[Kites, str]):
    """The gusts and kites of one match; kites fly anywhere."""

    rulebook = Kites

    def deal(self) -> None:
        """All gusts into the piles."""
        self.fill(GUSTS)

    def act(self, question: Question[Any]) -> Json:
        """A gust out of the hand, what was laid, and any space."""
        match question:
            case Ready():
                self.held[question.by] = self.rng.choice(self.pile(question.by, HAND))
            case Reveal():
                return self.pile(question.by, LAID)[-1]
            case _:
                pass
        return super().act(question)
