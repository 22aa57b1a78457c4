"""Phase 1: a dogfight is announced, taken up or not, and PILOT cards are drawn.  (TS-101 to 111)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.board import Pose
from companion.core.question import together, unless_alone
from companion.core.ruling import Cite, Move, Seat
from companion.games.talespin_dogfight.asks import CARDS, DEFEND, NO_DOGFIGHT, SKILLS, TYPED
from companion.games.talespin_dogfight.boards import space_of
from companion.games.talespin_dogfight.carrying import Carrying
from companion.games.talespin_dogfight.figures import ASSUMED
from companion.games.talespin_dogfight.layout import (
    ATTACKER,
    DISCARD,
    DRAW,
    HAND,
    MANEUVERS,
    OVER,
)
from companion.games.talespin_dogfight.maneuver import (
    FROM_PILOT,
    FROM_PLAYER,
    Maneuver,
    Played,
)
from companion.games.talespin_dogfight.naming import BY_PILOT, BY_RANGE
from companion.games.talespin_dogfight.seats import TOKENS
from companion.kit.figures import figures_in_words
from companion.kit.piles import own_pile

if TYPE_CHECKING:
    from companion.games.talespin_dogfight.figures import PilotCard

_FIGURES = Cite.of("TS-101, RULING 2, RULING 4")
_PLACED = Cite.of("TS-102, RULING 2")
_COUNTED = Cite.of("TS-108, RULING 4, RULING 5")
_PILOT = Cite.of("TS-101")
_NONE = Cite.of("TS-101, RULING 3")
_RANGE = Cite.of("TS-101, TS-313")
_OPPONENT = Cite.of("TS-102, RULING 2")
_DEFENDS = Cite.of("TS-105")
_DECLINED = Cite.of("TS-105, TS-312, RULING 10")


class Starting(Carrying):
    """From the counts of the table to the cards drawn by PILOT."""

    # -- set-up ----------------------------------------------------------------------------

    async def set_up(self) -> None:
        """What the record has to know is told by the table: places, skills, counts."""
        text = figures_in_words(
            self.table.name,
            own=bool(self.setup.cards),
            left=len(ASSUMED) - len(self.table.confirmed),
            of=len(ASSUMED),
        )
        self.rule(text, _FIGURES, headline="figures of this table")
        self.position.on_turn = await self.ask.on_turn()
        for seat in self.position.players:
            if seat not in self.position.left:
                await self.tell_place(seat)
        await self.tell_skills()
        await self.tell_counts()
        self.go_on()

    async def tell_place(self, seat: Seat) -> None:
        """Where a plane stands on the ring.  (RULING 2)"""
        place = await self.ask.place(seat)
        if seat in self.position.left:
            return
        self.player(seat).place = place
        text = f"{self.who(seat)}'s plane is on location {place}."
        move = Move(TOKENS[seat], None, Pose(space_of(place)))
        self.rule(text, _PLACED, move, by=seat, headline=self.ask.head(seat, f"on {place}"),
                  quiet=True)  # fmt: skip

    async def tell_skills(self) -> None:
        """PILOT and RANGE of each, Passengers included.  (RULING 2, RULING 4)"""
        for name in SKILLS:
            told = await together({s: self.ask.skill(s, name) for s in self.position.present()})
            for seat, number in told.items():
                setattr(self.player(seat), name, number)

    async def tell_counts(self) -> None:
        """Hands, cargo and the two piles; what the cards are is nobody's business.  (RULING 5)"""
        piles = self.position.piles
        for pile in CARDS:
            told = await together({s: self.ask.cards(s, pile) for s in self.position.present()})
            for seat, count in told.items():
                piles[own_pile(seat, pile)] = 0 if seat in self.position.left else count
        common = await together({pile: self.ask.pile(pile) for pile in (DRAW, DISCARD)})
        for pile, count in common.items():
            piles[pile] = count
        text = f"{piles.total} cards are counted at this table."
        self.rule(text, _COUNTED, headline="cards counted", quiet=True)

    # -- TS-101, TS-102 --------------------------------------------------------------------

    async def announce(self) -> None:
        """By a Pilot card of the hand, or by the Player card's RANGE.  (TS-101)"""
        seat = self.position.attacker
        nobody = seat in self.position.left or not self.position.opponents()
        how = NO_DOGFIGHT if nobody else await unless_alone(self.ask.announce())
        if how == NO_DOGFIGHT:
            text = f"{self.who(seat)} starts no dogfight."
            self.rule(text, _NONE, by=seat, headline=self.ask.head(seat, "no dogfight"))
            self.go(OVER)
        elif how == BY_RANGE:
            await self.announce_range()
        else:
            await self.announce_pilot(how)

    async def announce_pilot(self, title: str) -> None:
        """The Pilot card leaves the hand; its maneuver will be the first.  (TS-101)"""
        position, seat = self.position, self.position.attacker
        card = self.table.pilots.get(title)
        pilot, maneuver = await self._pilot_card(seat, card)
        position.start, position.card, position.pilot = BY_PILOT, maneuver.title, pilot
        position.played = [Played(seat, 1, maneuver, FROM_PILOT, shown=False)]
        mark = self.table.assumed(f"pilots.{title}") if card is not None else ""
        text = f"{self.who(seat)} starts a dogfight by {maneuver.title}, PILOT {pilot}{mark}."
        carry = self.carry(seat, 1, HAND, MANEUVERS)
        self.rule(text, _PILOT, carry, by=seat, headline=self.ask.head(seat, "by Pilot card"),
                  quiet=True)  # fmt: skip
        self.go("opponent")

    async def _pilot_card(self, seat: Seat, card: PilotCard | None) -> tuple[int, Maneuver]:
        """PILOT and maneuver from the table's file, or read off the card.  (RULING 4)"""
        if card is not None:
            return card.pilot, card.maneuver
        pilot = await self.ask.printed(seat, "pilot")
        return pilot, await self.typed(seat, "a Pilot card")

    async def typed(self, seat: Seat, title: str) -> Maneuver:
        """A maneuver that is read off a card on the table.  (RULING 6)"""
        value = await self.ask.printed(seat, "value")
        damage = await self.ask.printed(seat, "damage")
        return Maneuver(title, value, damage, await self.ask.printed(seat, "draw"))

    async def announce_range(self) -> None:
        """The Player card starts it and stays where it is.  (TS-101, TS-313)"""
        position, seat = self.position, self.position.attacker
        maneuver = await self._player_card(seat)
        position.start, position.card = BY_RANGE, maneuver.title
        position.played = [Played(seat, 1, maneuver, FROM_PLAYER, shown=False)]
        text = f"{self.who(seat)} starts a dogfight by RANGE {self.player(seat).range}."
        self.rule(text, _RANGE, by=seat, headline=self.ask.head(seat, "by RANGE"), quiet=True)
        self.go("opponent")

    async def _player_card(self, seat: Seat) -> Maneuver:
        """The maneuver of the Player card, as written down or read off.  (RULING 6)"""
        title = self.player(seat).character
        if title not in self.table.characters:
            title = await unless_alone(self.ask.character(seat))
        if title == TYPED:
            return await self.typed(seat, "the Player card")
        self.player(seat).character = title
        return self.table.characters[title].maneuver

    async def opponent(self) -> None:
        """Anybody by a Pilot card; by RANGE who is near enough.  (TS-102, RULING 2)"""
        position = self.position
        position.rival = await unless_alone(self.ask.opponent())
        text = f"{self.who(position.attacker)} attacks {self.who(position.rival)}."
        headline = self.ask.head(position.rival, "is attacked")
        self.rule(text, _OPPONENT, by=position.rival, headline=headline, quiet=True)
        self.go_on()

    # -- TS-105 to TS-109 ------------------------------------------------------------------

    async def defend(self) -> None:
        """If the defender does not, the attacker has won at once.  (TS-105)"""
        position = self.position
        seat = position.defender
        position.defended = await self.ask.defend() == DEFEND
        if position.defended:
            text = f"{self.who(seat)} defends."
            self.rule(text, _DEFENDS, by=seat, headline=self.ask.head(seat, "defends"), quiet=True)
            self.go("before-attacker")
            return
        counts = self.options["declined_first_maneuver"] == "counts"
        position.played[0].shown = counts
        what = "counts" if counts else "does not count"
        text = f"{self.who(seat)} does not defend; the first maneuver {what}."
        self.rule(text, _DECLINED, by=seat, headline=self.ask.head(seat, "declines"), quiet=True)
        self.decide(ATTACKER, _DEFENDS)

    async def draw_by_pilot(self) -> None:
        """As many cards as the PILOT skill says.  (TS-108, TS-109, RULING 4, RULING 5)"""
        now = self.position.now
        seat = self.position.seat_of(now.role)
        cite = Cite.of(f"{now.rule}, RULING 4")
        self.draw_cards(seat, self.position.skill(seat), cite)
        self.go_on()
