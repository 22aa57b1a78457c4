"""The movement of the living ships.  (HX-MOV)"""

from __future__ import annotations

from companion.core.ruling import Cite, Seat
from companion.core.text import counted
from companion.games.dogfight_hex.declaring import Declaring
from companion.games.dogfight_hex.moves import Way

_MOVED = Cite.of("HX-MOV-02, HX-MOV-03, HX-MOV-04, HX-MOV-06")
_STAYED = Cite.of("HX-MOV-02")
_ANCHOR_UP = Cite.of("HX-SHD-07")


class Moving(Declaring):
    """Four steps each, in turn order."""

    async def movement(self) -> None:
        """One living ship after the other, from the starting player on.  (HX-MOV-01)"""
        while (seat := self.position.due()) is not None:
            self.begin()
            await self.move(seat)
            self.has_acted(seat)

    async def move(self, seat: Seat) -> None:
        """Up to four steps, each along an arrow or a turn; anchored: turns only.  (HX-MOV)"""
        way = await self.ask.move(seat)
        ship = self.ship(seat)
        if not ship.lives:
            return
        if way is not None:
            self.tell_move(seat, way)
        else:
            text = f"{self.who(seat)} stays on {self.position.named(ship.place)}."
            self.rule(text, _STAYED, by=seat, quiet=True)
        if ship.anchored:
            ship.anchored = False
            self.rule(f"{self.who(seat)} is no longer anchored.", _ANCHOR_UP, by=seat, quiet=True)

    def tell_move(self, seat: Seat, way: Way) -> None:
        """The ship is where it ends; the fewest steps that lead there are told.  (HX-MOV-02)"""
        there = self.position.named(way.end)
        steps = f"{counted(way.steps, 'step')}: {way.told(self.table.facings)}"
        text = f"{self.who(seat)} moves to {there} in {steps}."
        headline = self.ask.head(seat, there)
        self.rule(text, _MOVED, self.put(seat, way.end), by=seat, headline=headline, quiet=True)
