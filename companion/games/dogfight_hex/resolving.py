"""The cards carried out one by one: short, medium and long range.  (HX-RES, HX-ATK)"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.core.ruling import Cite, Seat
from companion.core.text import listed
from companion.games.dogfight_hex.aiming import (
    Beam,
    beams,
    front_cone,
    front_rays,
    in_front,
    in_short_range,
)
from companion.games.dogfight_hex.cards import CARDS, LONG, MEDIUM, SHIELDS, SHORT
from companion.games.dogfight_hex.damaging import Attack, Damaging
from companion.games.dogfight_hex.layout import MEDIUM_RANGE, SHORT_RADIUS
from companion.kit.hexes import Hex

_SHAPES = {"cone120": front_cone(), "three_rays": front_rays()}

_SIMULTANEOUS = Cite.of("HX-RES-02, RULING 29")
_NO_TARGET = {
    SHORT: Cite.of("HX-ATK-09, HX-ATK-02"),
    MEDIUM: Cite.of("HX-ATK-09, HX-ATK-03, RULING 11"),
    LONG: Cite.of("HX-ATK-09, HX-ATK-05, RULING 13"),
}
_SHIELD = Cite.of("HX-SHD-01, RULING 15")
_NEEDLESS = Cite.of("HX-SHD-03")
_SHORT = Cite.of("HX-ATK-02")
_MEDIUM = Cite.of("HX-ATK-03, HX-ATK-06, RULING 11")
_LONG = Cite.of("HX-ATK-04, HX-ATK-05, RULING 12, RULING 13")


class Hits(NamedTuple):
    """An attack that was aimed: whom it hits, in turn order."""

    attack: Attack
    victims: tuple[Seat, ...]


class Resolving(Damaging):
    """Each card in its place in the turn order."""

    async def resolution(self) -> None:
        """One card is finished before the next begins, unless the table plays otherwise.  (RES)"""
        if self.options["resolution"] == "simultaneous":
            self.begin()
            await self.resolve_together()
            return
        while (seat := self.position.due()) is not None:
            self.begin()
            await self.resolve(seat)
            self.has_acted(seat)

    async def resolve(self, seat: Seat) -> None:
        """What one card does, from where everything stands now.  (HX-RES-02 to HX-RES-05)"""
        hits = await self.aim(seat)
        if hits is not None and self.ship(seat).lives:
            self.position.fires = tuple((seat, victim) for victim in hits.victims)
            await self.strike(hits.attack, hits.victims, self.ask.key("resolve", seat))
            self.position.fires = ()

    async def resolve_together(self) -> None:
        """All attacks from the positions of the reveal, then wreckage and deaths.  (house rule)"""
        text = "All cards are carried out together, from where everybody stands now."
        self.rule(text, _SIMULTANEOUS, headline="all together", quiet=True)
        aimed: list[Hits] = []
        while (seat := self.position.due()) is not None:
            hits = await self.aim(seat)
            aimed += [hits] if hits is not None else []
            self.has_acted(seat)
        self.position.fires = tuple((h.attack.by, seat) for h in aimed for seat in h.victims)
        hurt = self.hurt_by(aimed)
        order = [seat for seat in self.position.order() if seat in hurt]
        await self.take_damage(order, self.ask.key("resolve", "all"))
        self.position.fires = ()

    def hurt_by(self, aimed: Sequence[Hits]) -> set[Seat]:
        """Every hit of every attack; who lost a hull point.  (HX-RES-02)"""
        hurt: set[Seat] = set()
        for attack, victims in aimed:
            for seat in victims:
                if self.ship(seat).lives and not self.parries(seat, attack):
                    self.lose_hull(seat, attack)
                    hurt.add(seat)
        return hurt

    # -- aiming (HX-ATK) -------------------------------------------------------------------

    async def aim(self, seat: Seat) -> Hits | None:
        """Whom a card hits; None where it hits nobody, or is no attack."""
        kind = self.ship(seat).card
        if kind in SHIELDS:
            self.tell_shield(seat)
        if kind == SHORT:
            return self.aim_short(seat)
        if kind == MEDIUM:
            return await self.aim_medium(seat)
        return await self.aim_long(seat) if kind == LONG else None

    def tell_shield(self, seat: Seat) -> None:
        """A shield does nothing in its place; it waits, or has stopped a hit already."""
        stopped = self.ship(seat).stopped
        what, cite = ("has stopped its hit", _NEEDLESS) if stopped else ("waits for a hit", _SHIELD)
        self.rule(f"{self.who(seat)}'s shield {what}.", cite, by=seat, quiet=True)

    def aim_short(self, seat: Seat) -> Hits | None:
        """All ships within two spaces, whatever stands between.  (HX-ATK-02)"""
        here = self.ship(seat).place
        reached = {s for s in self.others(seat) if in_short_range(here, self.hex_of(s))}
        if not reached:
            self.hits_nobody(seat, SHORT, f"no ship is within {SHORT_RADIUS} spaces")
            return None
        return self.hits(seat, SHORT, reached, _SHORT)

    async def aim_medium(self, seat: Seat) -> Hits | None:
        """One ship of choice, up to four spaces in front; one that can be must be hit.  (ATK-03)"""
        legal = self.in_medium_range(seat)
        if not legal:
            why = f"no ship is within {MEDIUM_RANGE} spaces in front"
            self.hits_nobody(seat, MEDIUM, why)
            return None
        target: Seat | None = legal[0]
        if len(legal) > 1:
            target = await self.ask.target(seat, lambda: self.in_medium_range(seat))
        if not self.ship(seat).lives:
            return None  # the player has left the table
        return self.hits(seat, MEDIUM, {target} if target else (), _MEDIUM)

    def in_medium_range(self, seat: Seat) -> list[Seat]:
        """Whom a medium-range attack may hit, in turn order.  (HX-ATK-03, RULING 11)"""
        ship = self.ship(seat)
        if ship.at is None:
            return []
        shape = self.front_shape()
        return [
            other for other in self.others(seat) if in_front(ship.at, self.hex_of(other), shape)
        ]

    def front_shape(self) -> Collection[Hex]:
        """What "in front" is at this table, for a ship on 0,0 with facing 0.  (RULING 11)"""
        return _SHAPES.get(str(self.options["front_shape"]), self.table.custom_front)

    async def aim_long(self, seat: Seat) -> Hits | None:
        """One of three beams, to the edge or the first obstacle; one that hits.  (HX-ATK-04, 05)"""
        legal = self.hitting_beams(seat)
        if not legal:
            why = "no beam has a ship before wreckage, debris or the edge"
            self.hits_nobody(seat, LONG, why)
            return None
        beam: Beam | None = legal[0]
        if len(legal) > 1:
            beam = await self.ask.beam(seat, lambda: self.hitting_beams(seat))
        if not self.ship(seat).lives:
            return None  # the player has left the table
        if beam is None:
            return self.hits(seat, LONG, (), _LONG)
        return self.hits(seat, LONG, beam.hits, _LONG, f" with the beam {beam.name}")

    def hitting_beams(self, seat: Seat) -> list[Beam]:
        """The beams with at least one ship that nothing covers.  (RULING 13)"""
        ship = self.ship(seat)
        if ship.at is None:
            return []
        standing = {space: [other] for space, other in self.position.standing(besides=seat).items()}
        found = beams(self.table.board, ship.at, standing, self.position.obstacles())
        return [beam for beam in found if beam.hits]

    def others(self, seat: Seat) -> list[Seat]:
        """Every other living ship, in turn order: all are enemies.  (RULING 14)"""
        return [other for other in self.position.order() if other != seat]

    def hex_of(self, seat: Seat) -> Hex:
        """The space of a living ship."""
        return self.ship(seat).place.hex

    def hits(
        self, seat: Seat, kind: str, victims: Collection[Seat], cite: Cite, how: str = ""
    ) -> Hits:
        """An attack that was aimed, told; its victims in turn order."""
        ordered = tuple(other for other in self.position.order() if other in victims)
        card, reached = CARDS[kind], listed(self.all_of(ordered)) or "nobody"
        text = f"{self.who(seat)}'s {card.attack}{how} reaches {reached}{self._assumed(kind)}."
        headline = self.ask.head(seat, card.label.lower())
        self.rule(text, cite, by=seat, headline=headline, quiet=True)
        return Hits(Attack(seat, kind), ordered)

    def _assumed(self, kind: str) -> str:
        """Whether the shape is one that the table has not held against its card."""
        custom = kind == MEDIUM and self.options["front_shape"] == "custom"
        return self.table.assumed("medium_range.spaces") if custom else ""

    def hits_nobody(self, seat: Seat, kind: str, why: str) -> None:
        """An attack that can hit nobody has no effect.  (HX-ATK-09)"""
        text = f"{self.who(seat)}'s {CARDS[kind].attack} hits nobody: {why}."
        headline = self.ask.head(seat, "hits nobody")
        self.rule(text, _NO_TARGET[kind], by=seat, headline=headline, quiet=True)
