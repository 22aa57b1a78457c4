"""The debris of destroyed ships drifts, and rams.  (HX-DEB)"""

from __future__ import annotations

from companion.core.board import Pose
from companion.core.question import unless_alone
from companion.core.ruling import Cite, Move, Seat
from companion.core.text import counted
from companion.games.dogfight_hex.damaging import Attack
from companion.games.dogfight_hex.drift_ends import Drifted
from companion.games.dogfight_hex.layout import DEBRIS_STEPS
from companion.games.dogfight_hex.resolving import Resolving
from companion.kit.hexes import Hex

_DRIFTED = Cite.of("HX-DEB-01, HX-DEB-03")
_NEW = Cite.of("HX-DEB-02, RULING 25")
_STAYED = Cite.of("HX-DEB-06, RULING 26")
_RAM = Cite.of("HX-DEB-04, HX-SHD-04, RULING 23")


class Drifting(Resolving):
    """Up to three steps each, in the order of seats from the starting player's."""

    async def debris(self) -> None:
        """All debris that lay there when the cards were done.  (HX-DEB-02, RULING 25)"""
        position = self.position
        if position.drifting is None:
            there = [s for s in position.round_table() if self.ship(s).debris is not None]
            position.drifting = tuple(seat for seat in there if self.may_drift(seat))
        while (seat := position.due()) is not None:
            position.steps, position.rammed = DEBRIS_STEPS, False
            self.begin()
            await self.drift(seat)
            position.steps, position.rammed = 0, False
            self.has_acted(seat)

    def may_drift(self, seat: Seat) -> bool:
        """Whether this debris moves: not of a player who left, nor, by house rule, a new one."""
        ship = self.ship(seat)
        if ship.fresh and not ship.retired and self.options["debris_same_turn"] is not True:
            text = f"{self.who(seat)}'s debris is new and drifts from the next turn on."
            self.rule(text, _NEW, by=seat, quiet=True)
            return False
        return not ship.retired

    async def drift(self, seat: Seat) -> None:
        """Up to three steps any way; the first ship in its way is rammed.  (HX-DEB-01 to 06)"""
        drifted = await unless_alone(self.ask.drift(seat))
        self.follow(seat, drifted)
        if drifted.target is None:
            return
        await self.ram(seat, drifted.target)
        if self.position.steps and self.ship(seat).debris is not None:
            self.follow(seat, await unless_alone(self.ask.drift(seat)))

    def follow(self, seat: Seat, drifted: Drifted) -> None:
        """The debris lies where it came to.  (HX-DEB-01, HX-DEB-03)"""
        ship = self.ship(seat)
        self.position.steps -= min(drifted.steps, self.position.steps)
        if ship.debris is None:
            return
        if drifted.space == ship.debris:
            if drifted.target is None:
                self.rule(
                    f"{self.who(seat)}'s debris stays on {ship.debris}.",
                    _STAYED,
                    by=seat,
                    quiet=True,
                )
            return
        steps = counted(drifted.steps - (drifted.target is not None), "step")
        text = f"{self.who(seat)}'s debris drifts to {drifted.space} in {steps}."
        self.rule(text, _DRIFTED, self.push(seat, drifted.space), by=seat,
                  headline=self.ask.head(seat, f"debris {drifted.space}"), quiet=True)  # fmt: skip

    def push(self, seat: Seat, space: Hex) -> Move:
        """A hand moves a piece of debris."""
        ship = self.ship(seat)
        was = ship.debris
        ship.debris = space
        before = Pose(str(was)) if was is not None else None
        return Move(ship.debris_piece, before, Pose(str(space)))

    async def ram(self, seat: Seat, target: Seat) -> None:
        """Debris that would enter a ship's space hits it instead.  (HX-DEB-04, HX-DEB-05, 23)"""
        self.position.rammed = True
        text = f"{self.who(seat)}'s debris runs into {self.who(target)}'s ship"
        struck = (self.ship(target).piece,)
        if self.options["debris_ram"] == "enter":
            move = self.push(seat, self.hex_of(target))
            self.rule(f"{text} and lies on its space.", _RAM, move, by=seat, struck=struck)
        else:
            self.rule(f"{text} and stays where it was.", _RAM, by=seat, struck=struck)
        await self.strike(Attack(seat), (target,), self.ask.key("debris", seat))
