"""Cards and tokens that change hands: drawing, paying, discarding, equipping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.core.ruling import Carry, Cite, Seat, Shuffle
from companion.core.text import counted
from companion.games.starship_edition.game import Cause, Game
from companion.games.starship_edition.layout import (
    DECK,
    DISCARD,
    FACE_DOWN,
    GEAR,
    HAND,
    PREPARATION,
    REMOVED,
    tier_pile,
)
from companion.games.starship_edition.player import copies

if TYPE_CHECKING:
    from companion.games.starship_edition.cards import Card, Payment
    from companion.games.starship_edition.player import Player

_DRAW = Cite.of("SE-PRE-04")
_EMPTY = Cite.of("SE-R24, RULING 24")
_LOCK = Cite.of("SE-LCK-02, SE-R05, RULING 5")
_PAY = Cite.of("SE-R23, RULING 23")
_GONE = Cite.of("SE-R12, RULING 12")


class Dealing(Game):
    """What hands do with cards, and what is paid."""

    # -- drawing ---------------------------------------------------------------------------

    def can_draw(self, seat: Seat) -> bool:
        """Whether a draw would bring a card.  (SE-R24, RULING 24)"""
        player = self.player(seat)
        refill = self.options["empty_deck"] == "reshuffle" and bool(player.discard)
        return player.deck > 0 or refill

    def draw(self, seat: Seat, number: int, cite: Cite = _DRAW) -> None:
        """Cards off the own deck, as many as there are; in the Preparation that may lock."""
        for _ in range(number):
            if not self.can_draw(seat):
                self.tell(seat, "has no card left to draw.", _EMPTY, "no card to draw")
                return
            self._draw_one(seat, cite)

    def _draw_one(self, seat: Seat, cite: Cite) -> None:
        player = self.player(seat)
        if not player.deck:
            count = len(player.discard)
            player.deck, player.discard = count, []
            shuffle = Shuffle(seat, count, DISCARD, DECK)
            self.tell(seat, f"shuffles {counted(count, 'card')} of the discard pile into the deck.",
                      _EMPTY, "reshuffle", shuffle)  # fmt: skip
        player.deck -= 1
        player.hand += 1
        text = f"draws 1 card; {player.deck} left in the deck."
        self.tell(seat, text, cite, "draw 1", Carry(seat, 1, DECK, HAND))
        self._lock(player)

    def _lock(self, player: Player) -> None:
        """A draw in the own Preparation with a card set locks the tiers.  (SE-LCK-02, SE-LCK-03)"""
        position = self.position
        own = position.stage == PREPARATION and position.active == player.seat
        if own and not player.prepared and not player.locked and player.set_cards:
            player.locked = True
            self.tell(player.seat, "drew with a card set: the tiers are locked.", _LOCK, "locked")

    # -- paying ----------------------------------------------------------------------------

    def can_pay(self, seat: Seat, prices: Sequence[Payment], card: str = "") -> bool:
        """Whether every price can be paid in full, one after the other.  (SE-R23, RULING 23)

        Of an equipped `card` the counters that lie on it pay, too.
        """
        player = self.player(seat)
        due: dict[str, int] = {}
        for price in prices:
            name = f"{price.pay} {self._counters_of(price, card)}"
            due[name] = due.get(name, 0) + price.amount
        have = {
            "energy ": player.energy, "hull ": player.hull, "hand ": player.hand,
            "discard ": len(player.discard),
        }  # fmt: skip
        return all(
            amount <= have.get(name, player.counters.get(name.partition(" ")[2], 0))
            for name, amount in due.items()
        )

    def can_pay_from_hand(self, seat: Seat, card: Card) -> bool:
        """Whether a card's price can be paid once the card itself has left the hand."""
        due = sum(price.amount for price in card.cost if price.pay == HAND)
        return due < self.player(seat).hand and self.can_pay(seat, card.cost)

    def _counters_of(self, price: Payment, card: str) -> str:
        """Which counters pay, as their holder has them; empty where none do."""
        kind = self.table.file.counters.get(price.name or "")
        held = kind is not None and kind.holder == "card"
        return f"{card}: {price.name}" if held else price.name or ""

    async def pay(self, seat: Seat, prices: Sequence[Payment], what: str, card: str = "") -> None:
        """Every price, in the order of the card; asked for only where it can be paid."""
        for number, price in enumerate(prices, 1):
            with self.ask.at(f"price-{number}"):
                await self._pay_one(seat, price, what, card)

    async def _pay_one(self, seat: Seat, price: Payment, what: str, card: str) -> None:
        player, amount = self.player(seat), price.amount
        match price.pay:
            case "energy":
                player.energy -= amount
                text = f"pays {amount} energy for {what}; {player.energy} left."
                self.tell(seat, text, _PAY, f"pay {amount} energy")
            case "hull":
                player.hull -= amount
                text = f"pays {amount} hull for {what}; {player.hull} left."
                self.tell(seat, text, _PAY, f"pay {amount} hull")
            case "counter":
                name = self._counters_of(price, card)
                player.counters[name] = player.counters.get(name, 0) - amount
                text = f"pays {counted(amount, 'counter')} ({price.name}) for {what}."
                self.tell(seat, text, _PAY,
                          f"pay {counted(amount, 'counter')}")  # fmt: skip
            case "hand":
                await self.discard_from_hand(seat, amount, _PAY)
            case "discard":
                await self.remove_from_discard(seat, amount, _PAY)

    # -- discarding ------------------------------------------------------------------------

    async def discard_from_hand(self, seat: Seat, number: int, cite: Cite) -> None:
        """Cards of the own choice from the hand, one by one, face up."""
        for ordinal in range(1, min(number, self.player(seat).hand) + 1):
            with self.ask.at(f"discard-{ordinal}"):
                named = await self.name_card(seat, "which", "put one card on your discard pile.")
            if self.player(seat).out:
                return
            self.hand_to_discard(seat, named, cite)

    def hand_to_discard(self, seat: Seat, card: str, cite: Cite) -> None:
        """A named card from the hand, face up on the pile."""
        player = self.player(seat)
        player.hand -= 1
        player.discard.append(card)
        self.tell(seat, f"discards {self.title_of(card)}.", cite, "discard 1",
                  Carry(seat, 1, HAND, DISCARD))  # fmt: skip

    async def name_card(self, seat: Seat, key: str, what: str) -> str:
        """Which card of the own hand is shown; it need not be one of the catalogue."""
        cards = self.cards()
        offered = [Option(name, name, card.title, group=card.type) for name, card in cards.items()]
        offered.append(Option("unknown", FACE_DOWN, "Another card", group="Not listed"))
        return await self.ask.one_of(key, seat, offered, _GONE, what, "which card?")

    async def name_discarded(self, seat: Seat, key: str, what: str) -> int:
        """Which card of the own discard pile, the top one being the last."""
        pile = self.player(seat).discard
        offered = [
            Option(f"{place} {card}", str(place), self.title_of(card), group="Discard pile")
            for place, card in enumerate(pile, 1)
        ]
        chosen = await self.ask.one_of(key, seat, offered, _GONE, what, "which card?")
        return int(chosen) - 1

    async def remove_from_discard(self, seat: Seat, number: int, cite: Cite) -> None:
        """Cards of the own choice from the discard pile leave the game."""
        for ordinal in range(1, min(number, len(self.player(seat).discard)) + 1):
            with self.ask.at(f"remove-{ordinal}"):
                at = await self.name_discarded(seat, "which", "which card leaves the game?")
            player = self.player(seat)
            if player.out:
                return
            card = player.discard.pop(min(at, len(player.discard) - 1))
            player.removed += 1
            self.tell(seat, f"removes {self.title_of(card)} from the game.", cite, "remove 1",
                      Carry(seat, 1, f"{DISCARD}/{at + 1}", REMOVED))  # fmt: skip

    # -- equipping -------------------------------------------------------------------------

    def equip(self, cause: Cause) -> bool:
        """The card that acts stays on its vessel; false if the title is there already."""
        player = self.player(cause.seat)
        card = self.card(cause.card)
        unique = card is None or card.unique_on_vessel
        there = any(self.card_name(copy) == cause.card for copy in player.gear)
        if unique and there and cause.card != FACE_DOWN:
            text = f"has {cause.title} equipped already; nothing is added."
            self.tell(cause.seat, text, Cite.of("SE-R12, RULING 12"), "already equipped")
            return False
        source = self._take_from_play(cause)
        if source is None:
            return False
        known = {*self.table.cards, *self.position.taught}
        player.gear = copies([*player.gear, cause.card], known)
        cause.gear = player.gear[-1]
        self.tell(cause.seat, f"equips {cause.title}.", Cite.of("SE-ACT-04"), "equip",
                  Carry(cause.seat, 1, source, GEAR))  # fmt: skip
        return True

    def _take_from_play(self, cause: Cause) -> str | None:
        """Take the card that acts from where it lies; the pile it lay on, None if it is gone."""
        player = self.player(cause.seat)
        tier = player.tier(cause.tier)
        if tier is not None and cause.second and tier.secondary:
            tier.secondary = ""
            return tier_pile(cause.tier, secondary=True)
        if tier is not None and not cause.second and tier.primary:
            tier.primary = ""
            return tier_pile(cause.tier)
        if cause.tier == 0 and cause.card in player.discard:
            at = len(player.discard) - 1 - player.discard[::-1].index(cause.card)
            del player.discard[at]
            return f"{DISCARD}/{at + 1}"
        return None

    def expire(self, seat: Seat, card: str, cite: Cite, why: str) -> None:
        """An equipped card goes to its owner's discard pile, and what it did ends."""
        player = self.player(seat)
        source = self.unequip(player, card)
        player.discard.append(self.card_name(card))
        self.tell(seat, f"loses {self.title_of(card)}: {why}.", cite, "gear expires",
                  Carry(seat, 1, source, DISCARD))  # fmt: skip

    def unequip(self, player: Player, card: str) -> str:
        """Take a copy off a vessel with all it did, wherever; where it lay, as deeds call it."""
        at = player.gear.index(card)
        del player.gear[at]
        self.end_effects(player.seat, card)
        held = f"{card}: "
        player.counters = {
            name: count for name, count in player.counters.items() if not name.startswith(held)
        }
        return f"{GEAR}/{at + 1}"
