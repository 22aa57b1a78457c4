"""The declaration of secret cards, and their reveal.  (HX-DEC, HX-RES-01)"""

from __future__ import annotations

from companion.core.question import Question, together
from companion.core.ruling import Cite, Seat
from companion.games.dogfight_hex.cards import CARDS
from companion.games.dogfight_hex.game import Game
from companion.games.dogfight_hex.layout import CAPTURED, CARD, HAND

_DECLARED = Cite.of("HX-DEC-01, HX-DEC-03")
_FORCED = Cite.of("HX-DEC-04, HX-SHD-06")
_PROXY = Cite.of("HX-DEC-04, RULING 16")
_PASS = Cite.of("RULING 8")
_REVEALED = Cite.of("HX-RES-01")
_BEYOND = Cite.of("HX-RES-01, RULING 2")


class Declaring(Game):
    """One card each, face down until all have moved."""

    async def declare(self) -> None:
        """Everybody lays a card, in any order; what a shield has captured lies open.  (HX-DEC)"""
        for seat in self.position.order():
            self.use_bound(seat)
        choosing = [seat for seat in self.position.order() if self.may_choose(seat)]
        for seat in self.position.order():
            if seat not in choosing and not self.ship(seat).card:
                self.rule(f"{self.who(seat)} has no card and passes.", _PASS, by=seat,
                          headline=self.ask.head(seat, "no card"))  # fmt: skip
        await together({seat: self.ask.declare(seat) for seat in choosing})
        for seat in choosing:
            if self.may_choose(seat):  # whoever left the table meanwhile has no hand
                carry = self.position.deck.declare(seat)
                self.rule(f"{self.who(seat)} has declared.", _DECLARED, carry, by=seat, quiet=True)

    def may_choose(self, seat: Seat) -> bool:
        """Whether a player lays a card of the hand: living, not bound, with a card left."""
        ship = self.ship(seat)
        return ship.lives and not ship.card and self.position.deck.count(seat, HAND) > 0

    def use_bound(self, seat: Seat) -> None:
        """The captured attack is the declared card, and everybody knows it.  (HX-DEC-04)"""
        ship, deck = self.ship(seat), self.position.deck
        if not ship.bound:
            return
        attack, has_card = CARDS[ship.bound].attack, deck.count(seat, CAPTURED)
        ship.card, ship.bound = ship.bound, ""
        text = f"{self.who(seat)} must use the captured card, a {attack}."
        headline = self.ask.head(seat, "captured card")
        if has_card:
            self.rule(text, _FORCED, deck.use_captured(seat), by=seat, headline=headline)
        else:
            text = f"{self.who(seat)} must make the {attack} again, without a card."
            self.rule(text, _PROXY, by=seat, headline=headline)

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
        return ship.lives and not ship.card and self.position.deck.count(seat, CARD) > 0

    def turn_over(self, seat: Seat, kind: str) -> None:
        """Everybody sees one card; more of a kind than the deck has is only told.  (RULING 2)"""
        self.ship(seat).card = kind
        copies = self.table.deck[kind]
        beyond = self.position.deck.turn_over(seat, kind, copies)
        text = f"{self.who(seat)} shows {CARDS[kind].label}"
        if beyond:
            mark = self.table.assumed(f"deck.{kind}")
            text += f": more of that kind than the {copies} the deck has{mark}"
        headline = self.ask.head(seat, CARDS[kind].label.lower())
        cite = _BEYOND if beyond else _REVEALED
        self.rule(f"{text}.", cite, by=seat, headline=headline, quiet=not beyond)
