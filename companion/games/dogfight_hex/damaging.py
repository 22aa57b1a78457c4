"""Hits: shields stop them, hull points become wreckage, ships debris.  (HX-SHD, HX-DMG, HX-WIN)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.board import Piece, Pose
from companion.core.ruling import Cite, Deed, Flip, MatchOver, Move, Outcome, Seat
from companion.core.text import counted, listed
from companion.games.dogfight_hex.cards import ANCHOR, ATTACKS, CARDS, NO_DRAW, REUSE
from companion.games.dogfight_hex.layout import DEBRIS, RESOLUTION
from companion.games.dogfight_hex.moving import Moving
from companion.kit.hexes import Hex, pose_of

_STOPPED = Cite.of("HX-SHD-01, HX-SHD-02, HX-SHD-03, RULING 15")
_NOT_YET = Cite.of("HX-SHD-01, RULING 15")
_TOO_LATE = Cite.of("HX-RES-03")
_NO_DRAW = Cite.of("HX-SHD-05")
_NO_CARD = Cite.of("HX-SHD-05, HX-SHD-06a")
_NO_SECOND = Cite.of("HX-SHD-06, RULING 16")
_CAPTURE = Cite.of("HX-SHD-06, RULING 17")
_PROXY = Cite.of("HX-SHD-06, RULING 16")
_ANCHOR = Cite.of("HX-SHD-07")
_DAMAGED = Cite.of("HX-ATK-01, HX-DMG-01")
_RAMMED = Cite.of("HX-DEB-04, HX-DMG-01")
_LAID = Cite.of("HX-DMG-01, HX-DMG-02")
_FATAL = Cite.of("HX-DMG-01, RULING 19")
_NO_ROOM = Cite.of("HX-DMG-01, RULING 20")
_DESTROYED = Cite.of("HX-DMG-03, RULING 19, RULING 21")
_RETIRED = Cite.of("RULING 22")
_WON = Cite.of("HX-WIN-01, RULING 28")
_DRAWN = Cite.of("HX-RES-02, RULING 29")

_PLACES = ("", "first", "second", "third", "fourth", "fifth", "sixth")
"""How a place is called, by its number."""


class Attack(NamedTuple):
    """What hits: a player's card of that kind, or (`kind` empty) a player's debris."""

    by: Seat
    kind: str = ""

    @property
    def is_ram(self) -> bool:
        """Whether it is debris that ran into a ship."""
        return not self.kind


class Damaging(Moving):
    """What a hit does, up to the end of the game."""

    # -- shields (HX-SHD) ------------------------------------------------------------------

    def is_shielded(self, seat: Seat) -> bool:
        """Whether a shield would stop the next hit.  (HX-SHD-01, RULING 15)"""
        if not self.ship(seat).shielded:
            return False
        options = self.options
        if options["shield_timing"] == "from_reveal" or options["resolution"] == "simultaneous":
            return True
        return self.position.stage == DEBRIS or seat in self.position.done

    def stop(self, seat: Seat, attack: Attack) -> None:
        """A shield stops one hit, and its other side comes into force.  (HX-SHD-01 to 07)"""
        ship = self.ship(seat)
        ship.stopped = True
        what = self.who(attack.by)
        what += "'s debris" if attack.is_ram else f"'s {CARDS[attack.kind].attack}"
        text = f"{self.who(seat)}'s shield stops {what}."
        self.rule(text, _STOPPED, by=seat, headline=self.ask.head(seat, "shield holds"), quiet=True)
        if ship.card == ANCHOR:
            ship.anchored = True
            text = f"{self.who(seat)} may not enter another space next turn; turning is allowed."
            self.rule(text, _ANCHOR, by=seat, headline=self.ask.head(seat, "anchored"))
            return
        ship.no_draw = True
        if ship.card == REUSE:
            self.capture(seat, attack)
        elif ship.card == NO_DRAW:
            self.tell_no_draw(seat, _NO_DRAW)

    def tell_no_draw(self, seat: Seat, cite: Cite, why: str = "") -> None:
        """Nothing is drawn at the end of this turn.  (HX-SHD-05)"""
        text = f"{self.who(seat)} draws no card this turn{why}."
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, "draws no card"))

    def capture(self, seat: Seat, attack: Attack) -> None:
        """The card that was stopped is used again next turn.  (HX-SHD-06, RULING 16, RULING 17)"""
        if attack.is_ram:
            self.tell_no_draw(seat, _NO_CARD, ": debris has no card to take")
            return
        taken = any(ship.claims == attack.by for ship in self.position.ships.values())
        if taken and self.options["double_capture"] == "first_only":
            self.tell_no_draw(seat, _NO_SECOND, ": another shield has taken the card")
            return
        ship, again = self.ship(seat), CARDS[attack.kind].attack
        ship.bound = attack.kind
        if not taken:
            ship.claims = attack.by
        text = f"{self.who(seat)} draws no card this turn and must use this {again} next turn."
        cite = _PROXY if taken else _CAPTURE
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, "captures card"))

    # -- damage (HX-DMG) -------------------------------------------------------------------

    async def strike(self, attack: Attack, victims: Sequence[Seat], place: str) -> None:
        """One attack hits all its victims together, each in turn order.  (RULING 14)"""
        living = [seat for seat in victims if self.ship(seat).lives]
        hurt = [seat for seat in living if not self.parries(seat, attack)]
        for seat in hurt:
            self.lose_hull(seat, attack)
        await self.take_damage(hurt, place)

    def parries(self, seat: Seat, attack: Attack) -> bool:
        """Whether a shield stopped this hit; then it has."""
        if self.is_shielded(seat):
            self.stop(seat, attack)
            return True
        if self.ship(seat).shielded:
            text = f"{self.who(seat)}'s shield does not work before its place in the order."
            self.rule(text, _NOT_YET, by=seat, quiet=True)
        return False

    def lose_hull(self, seat: Seat, attack: Attack) -> None:
        """One hull point, whatever hit; none of a ship that has none left.  (HX-ATK-01)"""
        ship = self.ship(seat)
        if not ship.hull:
            return
        ship.hull -= 1
        ship.owes += 1
        what = f"{self.who(attack.by)}'s debris hits" if attack.is_ram else \
            f"{self.who(attack.by)} hits"  # fmt: skip
        left = counted(ship.hull, "hull point") if ship.hull else "no hull point"
        text = f"{what} {self.who(seat)}: {left} left."
        self.rule(text, _RAMMED if attack.is_ram else _DAMAGED, by=seat,
                  headline=self.ask.head(seat, "hit"), struck=(ship.piece,))  # fmt: skip

    async def take_damage(self, hurt: Sequence[Seat], place: str) -> None:
        """Wreckage in turn order, then deaths; nothing more once one ship is left.  (RULING 28)"""
        self.judge_end()
        for seat in hurt:
            while self.ship(seat).owes:
                await self.lay_wreckage(seat, place)
        self.destroy_all([seat for seat in hurt if not self.ship(seat).hull])

    async def lay_wreckage(self, seat: Seat, place: str) -> None:
        """A lost hull point is laid beside the ship, the owner's choice.  (HX-DMG-01)"""
        ship = self.ship(seat)
        token = ship.next_hull(self.position.wreckage)
        spaces = self.spaces_for(seat)
        if len(spaces) > 1:
            key = f"{place}/wreckage/{token}"
            where = "nearby" if self.has_no_room(seat) else "beside your ship"
            space = await self.ask.lay(seat, key, token, lambda: self.spaces_for(seat), where)
        else:
            space = next(iter(spaces), None)
        if not ship.lives or not ship.owes:
            return  # the player has left the table, or the arbiter has laid it
        ship.owes -= 1
        if space is None:
            self.set_aside(seat)
        else:
            self.lay(seat, token, space, told=len(spaces) > 1)

    def spaces_for(self, seat: Seat) -> list[Hex]:
        """Where a hull point may be laid: free and beside the ship.  (HX-DMG-01, RULING 18, 20)"""
        ship = self.ship(seat)
        if ship.at is None:
            return []
        here, free = ship.at.hex, self.position.unoccupied()
        if not self.has_no_room(seat):
            return sorted(space for space in free if space.distance(here) == 1)
        if self.options["wreckage_overflow"] == "discard" or not free:
            return []
        nearest = min(space.distance(here) for space in free)
        return sorted(space for space in free if space.distance(here) == nearest)

    def has_no_room(self, seat: Seat) -> bool:
        """Whether no space beside the ship is free.  (RULING 20)"""
        at = self.ship(seat).at
        return at is None or not any(
            space.distance(at.hex) == 1 for space in self.position.unoccupied()
        )

    def lay(self, seat: Seat, token: Piece, space: Hex, *, told: bool) -> None:
        """The token is wreckage for the rest of the game.  (HX-DMG-02)

        `told`: its owner has said or shown where.
        """
        cite = _LAID if self.ship(seat).hull else _FATAL
        if self.has_no_room(seat):
            cite = _NO_ROOM
        self.position.wreckage[token] = space
        text = (
            f"{self.who(seat)} lays hull token {token.rpartition('-')[2]} as wreckage on {space}."
        )
        self.rule(text, cite, Move(token, None, Pose(str(space))), by=seat,
                  headline=self.ask.head(seat, f"wreckage {space}"), quiet=told)  # fmt: skip

    def set_aside(self, seat: Seat) -> None:
        """With no free space beside the ship the token leaves the game.  (RULING 20)"""
        self.ship(seat).aside += 1
        text = f"No space beside {self.who(seat)} is free: the hull token is set aside."
        self.rule(text, _NO_ROOM, by=seat, headline=self.ask.head(seat, "token set aside"))

    # -- destruction (HX-DMG-03) -----------------------------------------------------------

    def destroy_all(self, seats: Sequence[Seat]) -> None:
        """Ships without a hull point become debris where they are, together.  (HX-DMG-03)"""
        doomed = [seat for seat in seats if self.ship(seat).lives]
        number = 1 + max(ship.fell for ship in self.position.ships.values())
        for seat in doomed:
            self.destroy(seat, number)

    def destroy(self, seat: Seat, number: int) -> None:
        """The token is turned over, all cards are discarded.  (HX-DMG-03, HX-RES-03, R21)"""
        deeds = [*self.wreck(seat, number), *self.discard_all(seat)]
        text = f"{self.who(seat)}'s ship is destroyed: turn its token over. The hand is discarded."
        headline = self.ask.head(seat, "destroyed")
        self.rule(text, _DESTROYED, *deeds, by=seat, headline=headline)
        unused = self.position.stage == RESOLUTION and seat not in self.position.done
        if unused and self.ship(seat).card in ATTACKS:
            text = f"{self.who(seat)}'s {CARDS[self.ship(seat).card].attack} has no effect."
            self.rule(text, _TOO_LATE, by=seat, headline=self.ask.head(seat, "card void"))

    def wreck(self, seat: Seat, number: int) -> list[Deed]:
        """The ship is debris on its space, if it has one yet; tokens not laid are set aside."""
        ship = self.ship(seat)
        place, ship.at = ship.at, None
        ship.fell, ship.fresh = number, True
        ship.aside += ship.owes
        ship.owes = 0
        if place is None:
            return []
        ship.debris = place.hex
        return [
            Flip(self.position.labels[ship.piece], "debris"),
            Move(ship.piece, pose_of(place), None),
            Move(ship.debris_piece, None, Pose(str(place.hex))),
        ]

    def retire(self, seat: Seat) -> None:
        """A player leaves: debris at once, no wreckage, and it never moves.  (RULING 22)"""
        ship = self.ship(seat)
        ship.aside, ship.hull, ship.retired = ship.aside + ship.hull, 0, True
        number = 1 + max(other.fell for other in self.position.ships.values())
        deeds = [*self.wreck(seat, number), *self.discard_all(seat)]
        where = f"is debris on {ship.debris} and stays there" if ship.debris else "is not placed"
        text = f"{self.who(seat)} has left: the ship {where}."
        headline = self.ask.head(seat, "has left")
        self.rule(text, _RETIRED, *deeds, by=seat, headline=headline)
        self.judge_end()

    # -- the end of the game (HX-WIN) ------------------------------------------------------

    def judge_end(self) -> None:
        """MatchOver as soon as one ship, or none, has a hull point.  (HX-WIN-01, RULING 28)"""
        ships = self.position.ships.values()
        left = [ship.seat for ship in ships if ship.lives and ship.hull]
        if len(left) > 1:
            return
        doomed = [ship.seat for ship in ships if ship.lives and not ship.hull]
        self.destroy_all(doomed)
        raise MatchOver(self.won(left[0]) if left else self.drawn(doomed))

    def won(self, winner: Seat) -> Outcome:
        """The last ship wins; the others by when they were destroyed, the latest first."""
        places = f" {self.standings()}" if len(self.position.ships) > 2 else ""
        text = f"{self.who(winner)} has the last ship and wins.{places}"
        headline = self.ask.head(winner, "wins")
        return Outcome((winner,), self.rule(text, _WON, by=winner, headline=headline))

    def drawn(self, fallen: Sequence[Seat]) -> Outcome:
        """The last ships were destroyed together.  (RULING 29)"""
        text = f"No ship is left: a draw between {listed(self.all_of(fallen))}."
        return Outcome((), self.rule(text, _DRAWN, headline="Draw: no ship is left"))

    def standings(self) -> str:
        """Who came second and so on; ships destroyed together share a place."""
        ships = self.position.ships.values()
        fell = sorted({ship.fell for ship in ships if ship.fell}, reverse=True)
        told: list[str] = []
        place = 2
        for number in fell:
            seats = [ship.seat for ship in ships if ship.fell == number]
            are = "is" if len(seats) == 1 else "are"
            told.append(f"{listed(self.all_of(seats))} {are} {_PLACES[place]}")
            place += len(seats)
        return f"{'; '.join(told)}."
