"""The parts of a turn: secret cards, movement, damage, attacks, debris.  (HX-TRN-01)

Set-up and the order of the parts: rules.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.core.board import Piece, Pose
from companion.core.question import Question, together, unless_alone
from companion.core.ruling import (
    AttackMade,
    CardLaid,
    Cite,
    DamageTaken,
    Deed,
    EvasionTried,
    Flip,
    MatchOver,
    Move,
    Outcome,
    Seat,
    SetTo,
)
from companion.core.text import counted, listed
from companion.games.dogfight_hex import cards, seats
from companion.games.dogfight_hex.ends import Drifted
from companion.games.dogfight_hex.game import Game
from companion.games.dogfight_hex.moves import (
    Beam,
    Way,
    beams,
    front_cone,
    front_rays,
    in_front,
    in_short_range,
)
from companion.kit.hexes import Hex, pose_of

# Cites, part by part: secret cards and their reveal.  (HX-DEC, HX-RES)

_DECLARED = Cite.of("HX-DEC-01, HX-DEC-03")
_FORCED = Cite.of("HX-DEC-04, HX-SHD-06")
_DECLARED_BY_PROXY = Cite.of("HX-DEC-04, RULING 16")
_PASS = Cite.of("RULING 8")
_REVEALED = Cite.of("HX-RES-01")
_BEYOND = Cite.of("HX-RES-01, RULING 2")

# Moves of the living ships.  (HX-MOV)

_MOVED = Cite.of("HX-MOV-02, HX-MOV-03, HX-MOV-04, HX-MOV-06")
_STAYED = Cite.of("HX-MOV-02")
_ANCHOR_UP = Cite.of("HX-SHD-07")

# Shields stop hits, hull points become wreckage, ships debris.  (HX-SHD, HX-DMG, HX-WIN)

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

# Cards one by one, at short, medium and long range.  (HX-RES, HX-ATK)

_SIMULTANEOUS = Cite.of("HX-RES-02, RULING 29")
_NO_TARGET = {
    cards.SHORT: Cite.of("HX-ATK-09, HX-ATK-02"),
    cards.MEDIUM: Cite.of("HX-ATK-09, HX-ATK-03, RULING 11"),
    cards.LONG: Cite.of("HX-ATK-09, HX-ATK-05, RULING 13"),
}
_SHIELD = Cite.of("HX-SHD-01, RULING 15")
_NEEDLESS = Cite.of("HX-SHD-03")
_SHORT = Cite.of("HX-ATK-02")
_MEDIUM = Cite.of("HX-ATK-03, HX-ATK-06, RULING 11")
_LONG = Cite.of("HX-ATK-04, HX-ATK-05, RULING 12, RULING 13")

# The debris of destroyed ships, and what it rams.  (HX-DEB)

_DRIFTED = Cite.of("HX-DEB-01, HX-DEB-03")
_NEW = Cite.of("HX-DEB-02, RULING 25")
_LAY_STILL = Cite.of("HX-DEB-06, RULING 26")
_RAM = Cite.of("HX-DEB-04, HX-SHD-04, RULING 23")

_PLACES = ("", "first", "second", "third", "fourth", "fifth", "sixth")
"""How a place is called, by its number."""
_SHAPES: dict[str, frozenset[Hex]] = {"cone120": front_cone(), "three_rays": front_rays()}


class Attack(NamedTuple):
    """What hits: a player's card of that kind, or (`kind` empty) a player's debris."""

    by: Seat
    kind: str = ""

    @property
    def is_ram(self) -> bool:
        """Whether it is debris that ran into a ship."""
        return not self.kind


class Hits(NamedTuple):
    """An attack that was aimed: whom it hits, in turn order."""

    attack: Attack
    victims: tuple[Seat, ...]


class Turn(Game):
    """The parts of a turn, in the order of the book."""

    # -- declaring: one card each, face down until all have moved ------------------------

    async def declare(self) -> None:
        """Everybody lays a card, in any order; what a shield has captured lies open.  (HX-DEC)"""
        for seat in self.position.order():
            self.use_bound(seat)
        choosing = [seat for seat in self.position.order() if self.may_choose(seat)]
        for seat in self.position.order():
            if seat not in choosing and not self.ship(seat).card:
                self.rule(f"{self.who(seat)} has no card and passes.", _PASS, by=seat,
                          headline=self.ask.head(seat, "no card"), quiet=True)  # fmt: skip
        await together({seat: self.ask.declare(seat) for seat in choosing})
        for seat in choosing:
            if self.may_choose(seat):  # whoever left the table meanwhile has no hand
                carry = self.position.deck.declare(seat)
                self.rule(f"{self.who(seat)} has declared.", _DECLARED, carry, by=seat, quiet=True)

    def may_choose(self, seat: Seat) -> bool:
        """Whether a player lays a card of the hand: living, not bound, with a card left."""
        ship = self.ship(seat)
        return ship.lives and not ship.card and self.position.deck.count(seat, seats.HAND) > 0

    def use_bound(self, seat: Seat) -> None:
        """The captured attack is the declared card, and everybody knows it.  (HX-DEC-04)"""
        ship, deck = self.ship(seat), self.position.deck
        if not ship.bound:
            return
        attack, has_card = cards.CARDS[ship.bound].attack, deck.count(seat, seats.CAPTURED)
        ship.card, ship.bound = ship.bound, ""
        text = f"{self.who(seat)} must use the captured card, a {attack}."
        headline = self.ask.head(seat, "captured card")
        if has_card:
            self.rule(text, _FORCED, deck.use_captured(seat), by=seat, headline=headline)
        else:
            text = f"{self.who(seat)} must make the {attack} again, without a card."
            self.rule(text, _DECLARED_BY_PROXY, by=seat, headline=headline, quiet=True)

    async def reveal(self) -> None:
        """All cards are turned over at once; those that lay open are known.  (HX-RES-01)"""
        hidden = [seat for seat in self.position.order() if self.lies_hidden(seat)]
        asked: dict[Seat, Question[str]] = {seat: self.ask.reveal(seat) for seat in hidden}
        for seat, kind in (await together(asked)).items():
            if self.lies_hidden(seat):
                self.turn_over(seat, kind)

    def lies_hidden(self, seat: Seat) -> bool:
        """Whether a declared card of this player lies face down."""
        ship = self.ship(seat)
        return ship.lives and not ship.card and self.position.deck.count(seat, seats.CARD) > 0

    def turn_over(self, seat: Seat, kind: str) -> None:
        """Everybody sees one card; more of a kind than the deck has is only told.  (RULING 2)"""
        self.ship(seat).card = kind
        copies = self.table.deck[kind]
        beyond = self.position.deck.turn_over(seat, kind, copies)
        text = f"{self.who(seat)} shows {cards.CARDS[kind].label}"
        if beyond:
            mark = self.table.assumed(f"deck.{kind}")
            text += f": more of that kind than the {copies} the deck has{mark}"
        headline = self.ask.head(seat, cards.CARDS[kind].label.lower())
        cite = _BEYOND if beyond else _REVEALED
        self.rule(f"{text}.", cite, by=seat, headline=headline, quiet=not beyond,
                  happened=(CardLaid(seat, cards.CARDS[kind].label),))  # fmt: skip

    # -- moving: four steps each, in turn order (HX-MOV) ---------------------------------

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

    # -- shields (HX-SHD) ------------------------------------------------------------------

    def is_shielded(self, seat: Seat) -> bool:
        """Whether a shield would stop the next hit.  (HX-SHD-01, RULING 15)"""
        if not self.ship(seat).shielded:
            return False
        options = self.options
        if options["shield_timing"] == "from_reveal" or options["resolution"] == "simultaneous":
            return True
        return self.position.stage == seats.DEBRIS or seat in self.position.done

    def stop(self, seat: Seat, attack: Attack) -> None:
        """A shield stops one hit, and its other side comes into force.  (HX-SHD-01 to 07)"""
        ship = self.ship(seat)
        ship.stopped = True
        what = self.who(attack.by)
        what += "'s debris" if attack.is_ram else f"'s {cards.CARDS[attack.kind].attack}"
        text = f"{self.who(seat)}'s shield stops {what}."
        self.rule(text, _STOPPED, by=seat, headline=self.ask.head(seat, "shield holds"),
                  quiet=True, happened=(EvasionTried(seat, "shield", 1, saved=True),))  # fmt: skip
        if ship.card == cards.ANCHOR:
            ship.anchored = True
            text = f"{self.who(seat)} may not enter another space next turn; turning is allowed."
            self.rule(text, _ANCHOR, by=seat, headline=self.ask.head(seat, "anchored"), quiet=True)
            return
        ship.no_draw = True
        if ship.card == cards.REUSE:
            self.capture(seat, attack)
        elif ship.card == cards.NO_DRAW:
            self.tell_no_draw(seat, _NO_DRAW)

    def tell_no_draw(self, seat: Seat, cite: Cite, why: str = "") -> None:
        """Nothing is drawn at the end of this turn.  (HX-SHD-05)"""
        text = f"{self.who(seat)} draws no card this turn{why}."
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, "draws no card"), quiet=True)

    def capture(self, seat: Seat, attack: Attack) -> None:
        """The card that was stopped is used again next turn.  (HX-SHD-06, RULING 16, RULING 17)"""
        if attack.is_ram:
            self.tell_no_draw(seat, _NO_CARD, ": debris has no card to take")
            return
        taken = any(ship.claims == attack.by for ship in self.position.ships.values())
        if taken and self.options["double_capture"] == "first_only":
            self.tell_no_draw(seat, _NO_SECOND, ": another shield has taken the card")
            return
        ship, again = self.ship(seat), cards.CARDS[attack.kind].attack
        ship.bound = attack.kind
        if not taken:
            ship.claims = attack.by
        text = f"{self.who(seat)} draws no card this turn and must use this {again} next turn."
        cite = _PROXY if taken else _CAPTURE
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, "captures card"), quiet=True)

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
        """One hull point, whatever hit; none of a ship that has none left.  (HX-ATK-01)

        Its token is taken off when it is laid or set aside: that is told or asked next.
        """
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
                  headline=self.ask.head(seat, "hit"), struck=(ship.piece,), quiet=True,
                  happened=(DamageTaken(seat, 1, attack.by),))  # fmt: skip

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
        ship = self.ship(seat)
        ship.aside += 1
        left = ship.hull + ship.owes
        token = SetTo(seat, f"{seat}.hull", "hull", left + 1, left)
        text = f"No space beside {self.who(seat)} is free: the hull token is set aside."
        self.rule(text, _NO_ROOM, token, by=seat, headline=self.ask.head(seat, "token set aside"))

    # -- destruction (HX-DMG-03) -----------------------------------------------------------

    def destroy_all(self, fallen: Sequence[Seat]) -> None:
        """Ships without a hull point become debris where they are, together.  (HX-DMG-03)"""
        doomed = [seat for seat in fallen if self.ship(seat).lives]
        number = 1 + max(ship.fell for ship in self.position.ships.values())
        for seat in doomed:
            self.destroy(seat, number)

    def destroy(self, seat: Seat, number: int) -> None:
        """The token is turned over, all cards are discarded.  (HX-DMG-03, HX-RES-03, R21)"""
        deeds = [*self.wreck(seat, number), *self.discard_all(seat)]
        text = f"{self.who(seat)}'s ship is destroyed: turn its token over. The hand is discarded."
        headline = self.ask.head(seat, "destroyed")
        self.rule(text, _DESTROYED, *deeds, by=seat, headline=headline)
        unused = self.position.stage == seats.RESOLUTION and seat not in self.position.done
        if unused and self.ship(seat).card in cards.ATTACKS:
            text = f"{self.who(seat)}'s {cards.CARDS[self.ship(seat).card].attack} has no effect."
            self.rule(
                text, _TOO_LATE, by=seat, headline=self.ask.head(seat, "card void"), quiet=True
            )

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
            sharing = [ship.seat for ship in ships if ship.fell == number]
            are = "is" if len(sharing) == 1 else "are"
            told.append(f"{listed(self.all_of(sharing))} {are} {_PLACES[place]}")
            place += len(sharing)
        return f"{'; '.join(told)}."

    # -- resolving: each card in its place in the turn order (HX-RES) --------------------

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
        if kind in cards.SHIELDS:
            self.tell_shield(seat)
        if kind == cards.SHORT:
            return self.aim_short(seat)
        if kind == cards.MEDIUM:
            return await self.aim_medium(seat)
        return await self.aim_long(seat) if kind == cards.LONG else None

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
            self.hits_nobody(seat, cards.SHORT, f"no ship is within {seats.SHORT_RADIUS} spaces")
            return None
        return self.hits(seat, cards.SHORT, reached, _SHORT)

    async def aim_medium(self, seat: Seat) -> Hits | None:
        """One ship of choice, up to four spaces in front; one that can be must be hit.  (ATK-03)"""
        legal = self.in_medium_range(seat)
        if not legal:
            why = f"no ship is within {seats.MEDIUM_RANGE} spaces in front"
            self.hits_nobody(seat, cards.MEDIUM, why)
            return None
        target: Seat | None = legal[0]
        if len(legal) > 1:
            target = await self.ask.target(seat, lambda: self.in_medium_range(seat))
        if not self.ship(seat).lives:
            return None  # the player has left the table
        return self.hits(seat, cards.MEDIUM, {target} if target else (), _MEDIUM)

    def in_medium_range(self, seat: Seat) -> list[Seat]:
        """Whom a medium-range attack may hit, in turn order.  (HX-ATK-03, RULING 11)"""
        ship = self.ship(seat)
        if ship.at is None:
            return []
        shape = self.front_shape()
        return [
            other for other in self.others(seat) if in_front(ship.at, self.hex_of(other), shape)
        ]

    def front_shape(self) -> frozenset[Hex]:
        """What "in front" is at this table, for a ship on 0,0 with facing 0.  (RULING 11)"""
        return _SHAPES.get(str(self.options["front_shape"]), self.table.custom_front)

    async def aim_long(self, seat: Seat) -> Hits | None:
        """One of three beams, to the edge or the first obstacle; one that hits.  (HX-ATK-04, 05)"""
        legal = self.hitting_beams(seat)
        if not legal:
            why = "no beam has a ship before wreckage, debris or the edge"
            self.hits_nobody(seat, cards.LONG, why)
            return None
        beam: Beam | None = legal[0]
        if len(legal) > 1:
            beam = await self.ask.beam(seat, lambda: self.hitting_beams(seat))
        if not self.ship(seat).lives:
            return None  # the player has left the table
        if beam is None:
            return self.hits(seat, cards.LONG, (), _LONG)
        return self.hits(seat, cards.LONG, beam.hits, _LONG, f" with the beam {beam.name}")

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
        card, reached = cards.CARDS[kind], listed(self.all_of(ordered)) or "nobody"
        text = f"{self.who(seat)}'s {card.attack}{how} reaches {reached}{self._assumed(kind)}."
        headline = self.ask.head(seat, card.label.lower())
        here = self.hex_of(seat)
        made = tuple(
            AttackMade(seat, other, hit=True, reach=f"range {here.distance(self.hex_of(other))}",
                       means=card.label)
            for other in ordered
        )  # fmt: skip
        self.rule(text, cite, by=seat, headline=headline, quiet=True, happened=made)
        return Hits(Attack(seat, kind), ordered)

    def _assumed(self, kind: str) -> str:
        """Whether the shape is one that the table has not held against its card."""
        custom = kind == cards.MEDIUM and self.options["front_shape"] == "custom"
        return self.table.assumed("medium_range.spaces") if custom else ""

    def hits_nobody(self, seat: Seat, kind: str, why: str) -> None:
        """An attack that can hit nobody has no effect.  (HX-ATK-09)"""
        text = f"{self.who(seat)}'s {cards.CARDS[kind].attack} hits nobody: {why}."
        headline = self.ask.head(seat, "hits nobody")
        missed = AttackMade(seat, None, hit=False, means=cards.CARDS[kind].label)
        self.rule(text, _NO_TARGET[kind], by=seat, headline=headline, quiet=True,
                  happened=(missed,))  # fmt: skip

    # -- drifting: up to three steps each, from the starting player's (HX-DEB) -----------

    async def debris(self) -> None:
        """All debris that lay there when the cards were done.  (HX-DEB-02, RULING 25)"""
        position = self.position
        if position.drifting is None:
            there = [s for s in position.round_table() if self.ship(s).debris is not None]
            position.drifting = tuple(seat for seat in there if self.may_drift(seat))
        while (seat := position.due()) is not None:
            position.steps, position.rammed = seats.DEBRIS_STEPS, False
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
                    _LAY_STILL,
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
        made = (AttackMade(seat, target, hit=True, means="debris"),)
        if self.options["debris_ram"] == "enter":
            move = self.push(seat, self.hex_of(target))
            self.rule(f"{text} and lies on its space.", _RAM, move, by=seat, struck=struck,
                      happened=made)  # fmt: skip
        else:
            self.rule(f"{text} and stays where it was.", _RAM, by=seat, struck=struck,
                      quiet=True, happened=made)  # fmt: skip
        await self.strike(Attack(seat), (target,), self.ask.key("debris", seat))
