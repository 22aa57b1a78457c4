"""The hidden table of Kites: whoever lays a gust lays any, and turns over what was laid."""

from __future__ import annotations

from companion.kit.playing import HiddenTable
from tests.games.kites.position import GUSTS
from tests.games.kites.rules import Kites


class PhysicalTable(HiddenTable[Kites, str]):
    """The gusts and kites of one match; kites fly anywhere."""

    rulebook = Kites

    def deal(self) -> None:
        """All gusts into the piles."""
        self.fill(GUSTS)
