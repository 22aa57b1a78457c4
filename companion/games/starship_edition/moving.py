"""Vessels that move and turn.  (SE-R03, RULING 3)"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Seat
from companion.games.starship_edition import refusals
from companion.games.starship_edition.game import Cause, Game
from companion.games.starship_edition.star_map import SQUARE_HEADINGS, Spot, StarMap, name_of

if TYPE_CHECKING:
    from companion.games.starship_edition.operations import Move, Rotate, Whose
    from companion.games.starship_edition.player import Player

_MOVE = Cite.of("SE-R03, RULING 3")
_SKIPPED = Cite.of("SE-R12, RULING 12")


class Moving(Game):
    """Where vessels may go."""

    @abstractmethod
    async def vessels(self, whose: Whose, cause: Cause, what: str) -> list[Seat]:
        """The vessels that an operation means; effects.py has it."""

    async def move(self, step: Move, cause: Cause) -> None:
        """A vessel moves up to so many spaces; the player who acts says where to."""
        for seat in await self.vessels(step.vessel, cause, "which vessel moves?"):
            most = self.stat(seat, "mobility") if step.max == "mobility" else int(step.max)
            await self.move_vessel(seat, cause.seat, step.min, most)

    async def move_vessel(self, seat: Seat, by: Seat, least: int, most: int) -> None:
        """One vessel from where it stands; a ruling where it went.  (SE-R03, RULING 3)"""
        star_map, mover = self.position.map, self.player(seat)
        if star_map is None or mover.space is None:
            await self.ask.moved(mover, by, most)
            if mover.out or self.player(by).out:
                return
            text = "moves as declared at the table."
            self.tell(seat, text, _MOVE, "moved as declared")
            return
        ends = self.ends(star_map, mover, least, most)
        if not ends:
            self.tell(seat, "has nowhere to go: the move is skipped.", _SKIPPED, "cannot move")
            return
        start, taken = mover.space, self._taken(mover)
        spot = await self.ask.destination(
            mover, by, ends,
            lambda raw: refusals.destination(raw, star_map, start, most, taken),
        )  # fmt: skip
        if mover.out or self.player(by).out:
            return
        was = name_of(mover.space)
        moves = self.put(seat, spot)
        text = f"moves from {was} to {name_of(spot)}." if moves else f"stays on {was}."
        self.tell(seat, text, _MOVE, f"to {name_of(spot)}", *moves)

    def ends(self, star_map: StarMap, mover: Player, least: int, most: int) -> list[Spot]:
        """Where a vessel may end, nearest first; the own space only if it need not move."""
        if mover.space is None:
            return []
        taken = self._taken(mover)
        reach = star_map.reach(mover.space, most)
        return [spot for spot, away in reach.items() if away >= least and spot not in taken]

    def _taken(self, mover: Player) -> dict[Spot, str]:
        """Spaces on which another vessel stands, with whose it is."""
        if self.options["share_space"] == "yes":
            return {}
        return {
            other.space: self.position.vessel_of(other.seat)
            for other in self.position.alive()
            if other is not mover and other.space is not None
        }

    async def rotate(self, step: Rotate, cause: Cause) -> None:
        """A vessel turns; which way it points is recorded."""
        star_map = self.position.map
        names = star_map.headings if star_map is not None else SQUARE_HEADINGS
        for seat in await self.vessels(step.vessel, cause, "which vessel turns?"):
            mover = self.player(seat)
            if step.steps == "free":
                with self.ask.at(seat):
                    heading = await self.ask.heading(mover, cause.seat, names)
            else:
                heading = (mover.heading + step.steps) % len(names)
            if mover.out or self.player(cause.seat).out:
                continue
            moves = self.turn_to(seat, heading)
            self.tell(seat, f"points {names[heading]} now.", _MOVE, f"points {names[heading]}",
                      *moves)  # fmt: skip
