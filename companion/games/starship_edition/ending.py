"""Discard Phase and End of Turn Phase.  (SE-DIS, SE-EOT)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.starship_edition import refusals
from companion.games.starship_edition.acting import Acting
from companion.games.starship_edition.asks import DONE, LONGEST_TITLE, Played, titled
from companion.games.starship_edition.cards import UNKNOWN, Card
from companion.games.starship_edition.coinciding import Event
from companion.games.starship_edition.fighting import FIRST_TO_ASK_NOBODY_IN_VAIN
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.layout import DISCARD, tier_pile
from companion.games.starship_edition.operations import DeclareEffect
from companion.question import Choose, Option, unless_alone
from companion.ruling import TABLE, Carry, Cite, Seat
from companion.wording import counted

_RENEW = Cite.of("SE-DIS-01, SE-R16, RULING 16")
_SAME = Cite.of("SE-PPR-03, SE-R13, RULING 13")
_EXPIRE = Cite.of("SE-DIS-02, SE-R17, RULING 17")
_TURN = Cite.of("SE-EOT-01")
_OPTION = Cite.of("SE-EOT-02, SE-R18, RULING 18")
_PASSES = Cite.of("SE-EOT-03, SE-R18, RULING 18")
NOBODY = "nobody"
_OVER = ("attack", "tier", "turn")
"""What has ended by the end of the turn, whatever it waited for."""
_WINDOW = Cite.of("SE-R14, RULING 14")


class Due(NamedTuple):
    """Something due for an equipped card in the Discard Phase: its renewal, or its bonus."""

    what: str
    card: str

    @property
    def name(self) -> str:
        """What the option is called that deals with it."""
        return f"{self.what} {self.card}"


class Ending(Acting):
    """How a turn ends."""

    # -- Discard Phase ---------------------------------------------------------------------

    async def discard_phase(self) -> None:
        """Renewals and bonuses, then the tiers expire.  (SE-DIS-01, SE-DIS-02, RULING 16)"""
        await self.vessel_abilities("discard_phase")
        await self.cards_of_phase("discard_phase")
        due = {seat: [*self._events_due(seat).values()] for seat in self.position.turn_order()
               if self.dues(seat)}  # fmt: skip
        what = "in which order do the vessels renew and gain?"
        for seat in await self.order_of_vessels(due, what, "renewals"):
            for ordinal, one in enumerate(await self._order_on(seat), 1):
                with self.ask.at(one.what, seat, ordinal):
                    await self._do_due(seat, one)
        for seat in self.position.turn_order():
            self.tiers_expire(seat)

    def dues(self, seat: Seat) -> list[Due]:
        """What is due on a vessel, card by card in the order of equipping."""
        found: list[Due] = []
        for name in self.player(seat).gear:
            card = self.card(name)
            if card is not None and card.upkeep:
                found.append(Due("renewal", name))
            if card is not None and card.discard_bonus:
                found.append(Due("bonus", name))
        return found

    def _events_due(self, seat: Seat) -> dict[str, Event]:
        """The same, as what may coincide with others."""
        events: dict[str, Event] = {}
        for due in self.dues(seat):
            card = self.card(due.card)
            if card is not None and due.what == "renewal":
                events[due.name] = Event(seat, card=due.card, prices=card.upkeep, equipped=True)
            elif card is not None:
                events[due.name] = Event(seat, card.discard_bonus, due.card, equipped=True)
        return events

    async def _order_on(self, seat: Seat) -> list[Due]:
        """On one vessel its player chooses; Priority does not matter.  (SE-PPR-03)"""
        if self.player(seat).out:
            return []
        dues = {due.name: due for due in self.dues(seat)}
        titles = {
            name: f"{due.what.capitalize()}: {self.title_of(due.card)}"
            for name, due in dues.items()
        }
        what = "in which order are your equipped cards seen to?"
        with self.ask.at(seat):
            chosen = await self.own_order(seat, self._events_due(seat), titles, "card-order",
                                          _SAME, what, "gear")  # fmt: skip
        return [dues[name] for name in chosen]

    async def _do_due(self, seat: Seat, due: Due) -> None:
        card = self.card(due.card)
        if self.player(seat).out or card is None or due.card not in self.player(seat).gear:
            return
        if due.what == "bonus":
            cause = Cause(seat, self.title_of(due.card), due.card, card.duration, gear=due.card)
            await self.carry_out(card.discard_bonus, cause)
            return
        await self._renew(seat, due.card)

    async def _renew(self, seat: Seat, name: str) -> None:
        """Paid, or the card expires: by choice or by lack.  (SE-R16, RULING 16)"""
        card = self.card(name)
        if card is None:
            return
        if not self.can_pay(seat, card.upkeep, name):
            self.expire(seat, name, _RENEW, "the renewal cannot be paid")
            return
        prices = ", ".join(f"{price.amount} {price.name or price.pay}" for price in card.upkeep)
        prompt = f"{self.who(seat)}: pay {prices} to keep {self.title_of(name)}?"
        words = ("Pay", "Let it expire")
        pays = await self.ask.yes_no("pay", seat, _RENEW, prompt, "renew?", words)
        if self.player(seat).out:
            return
        if pays:
            await self.pay(seat, card.upkeep, self.title_of(name), name)
            self.settle()
        elif name in self.player(seat).gear:
            self.expire(seat, name, _RENEW, "it was not renewed")

    def tiers_expire(self, seat: Seat) -> None:
        """Tier by tier, the first card before the second, face up; tokens go back.  (SE-R17)"""
        player = self.player(seat)
        deeds: list[Carry] = []
        for number, tier in enumerate(player.tiers, 1):
            for second, card in ((False, tier.primary), (True, tier.secondary)):
                if card:
                    player.discard.append(card)
                    deeds.append(Carry(seat, 1, tier_pile(number, secondary=second), DISCARD))
        tokens = sum(not tier.cards for tier in player.tiers)
        player.tiers = []
        cards = counted(len(deeds), "card")
        text = f"discards {cards} from the tiers; {counted(tokens, 'reminder token')} back."
        self.tell(seat, text, _EXPIRE, f"discard {len(deeds)}", *deeds)

    async def cards_of_phase(self, window: str) -> None:
        """Cards from the hand that may be used at this moment, where the catalogue has such.

        Each player plays one or none; what was played falls together.  (SE-PPR-01) Then whoever
        played may play another. A card that is not listed may say any moment: whoever may hold such
        a card is asked. In a match of edition 1 one player after the other was done.
        """
        listed = any(self._is_for(card, window) for card in self.cards().values())
        if not listed and self.setup.edition < FIRST_TO_ASK_NOBODY_IN_VAIN:
            return
        order = self.position.turn_order()
        for asked in [order] if self.setup.edition > 1 else [[seat] for seat in order]:
            ordinal, playing = 1, asked
            while playing := await self._one_card_each(playing, window, ordinal):
                ordinal += 1

    async def _one_card_each(self, seats: Sequence[Seat], window: str, ordinal: int) -> list[Seat]:
        """What these players play now, carried out as ordered; those who have played a card."""
        played: dict[Seat, Cause] = {}
        for seat in await self._who_plays(seats, window, ordinal):
            if not self.has_a_say(seat, window):
                continue
            with self.ask.at(window, seat, ordinal):
                card = await self._ask_phase(seat, window)
                if card.card != DONE:
                    played[seat] = await self.lay_from_hand(seat, card, window)
        due = {seat: [self._event_of(cause)] for seat, cause in played.items()}
        what = "in which order are these cards carried out?"
        with self.ask.at(window, f"round-{ordinal}"):
            order = await self.order_of_vessels(due, what, "cards")
        for seat in order:
            with self.ask.at(window, seat, ordinal):
                await self.carry_out_from_hand(played[seat])
        return [*played]

    async def _who_plays(self, seats: Sequence[Seat], window: str, ordinal: int) -> list[Seat]:
        """Whom to ask for a card: who can pay for a listed one, and who speaks up for another."""
        asked = [seat for seat in seats if self.has_a_say(seat, window)]
        silent = [seat for seat in asked if not self.stars_for(seat, window)]
        if len(silent) < 2 or self.setup.edition < FIRST_TO_ASK_NOBODY_IN_VAIN:
            return asked
        speaks = [seat for seat in asked if seat not in silent]
        while silent:
            with self.ask.at(window, f"round-{ordinal}"):
                said = await self._anybody(silent, window)
            if said == NOBODY:
                break
            silent.remove(Seat(said))
            speaks.append(Seat(said))
        return [seat for seat in asked if seat in speaks]

    def _anybody(self, seats: Sequence[Seat], window: str) -> Choose[str]:
        """Whether one of them plays a card that is not listed."""
        return Choose(
            key=self.ask.key(f"anybody-{len(seats)}"), by=TABLE, cite=_WINDOW, lapse=NOBODY,
            prompt=f"Does anybody play a card now, {refusals.WHEN[window]}?",
            headline="Who plays a card?",
            offered=[Option(NOBODY, NOBODY, "Nobody"),
                     *(Option(str(seat), str(seat), self.who(seat), about=seat)
                       for seat in seats if not self.player(seat).out)],
        )  # fmt: skip

    def _event_of(self, cause: Cause) -> Event:
        """A card that was played, as what may coincide with others; one not listed may do all."""
        card = self.card(cause.card)
        anything = DeclareEffect(op="declare", text=cause.title)
        return Event(cause.seat, card.effects if card is not None else [anything], cause.card)

    def _is_for(self, card: Card, window: str) -> bool:
        """Whether a star may be played then; a match of edition 1 asks nobody for those of `any`.

        Among them is every star that names no window.
        """
        if card.form != "star":
            return False
        return window in card.windows or (self.setup.edition > 1 and card.used_in(window))

    async def _ask_phase(self, seat: Seat, window: str) -> Played:
        cards = self.stars_for(seat, window)
        return await unless_alone(Choose(
            key=self.ask.key("card"), by=seat, cite=_WINDOW, lapse=DONE,
            prompt=f"{self.who(seat)}: do you play a card now, {refusals.WHEN[window]}?",
            headline=self.ask.head(seat, "play a card?"),
            offered=[*(Option(name, Played(name), card.title) for name, card in cards.items()),
                     Option(UNKNOWN, Played(UNKNOWN), "Another card", group="Not listed",
                            letters_more=LONGEST_TITLE),
                     Option(DONE, Played(DONE), "Nothing (more)")],
            named=lambda raw: titled(raw, self.cards()),
            unlisted=lambda raw: self._refuse_window(raw, seat, window),
        ))  # fmt: skip

    # -- End of Turn Phase -----------------------------------------------------------------

    async def end_of_turn(self) -> None:
        """What lasted for the turn ends; one more card; Priority passes.  (SE-EOT-01 to 03)"""
        await self.vessel_abilities("end_of_turn")
        await self.cards_of_phase("end_of_turn")
        self._turn_ends()
        await self._counters()
        await self._priority_draw()

    def _turn_ends(self) -> None:
        """Effects for this turn are over.  (SE-EOT-01)"""
        for player in self.position.alive():
            kept = [one for one in player.modifiers if one.until not in _OVER]
            ended = len(player.modifiers) - len(kept)
            player.modifiers = kept
            if ended:
                self.tell(player.seat, f"loses {counted(ended, 'effect')} of this turn.", _TURN,
                          "effects end")  # fmt: skip

    async def _counters(self) -> None:
        """Counters that are judged at the end of the turn; Priority orders them.  (RULING 23)"""
        with self.ask.at("counters"):
            reached = [(seat, name) for seat in self.position.turn_order()
                       for name in self._reached(seat)]  # fmt: skip
            await self.judge_counters(reached)

    def _reached(self, seat: Seat) -> list[str]:
        """A vessel's counters that have reached a limit which is judged at the end of the turn."""
        kinds = self.table.file.counters
        return [
            name
            for name, count in self.player(seat).counters.items()
            if (kind := kinds.get(name.rpartition(": ")[2])) is not None
            and kind.at == "end_of_turn"
            and kind.threshold is not None
            and count >= kind.threshold
        ]

    async def _priority_draw(self) -> None:
        """The Priority player alone may take one more card.  (SE-EOT-02, RULING 18)"""
        seat = self.position.priority
        if self.player(seat).out or not self.can_draw(seat):
            return
        prompt = f"{self.who(seat)}: draw one more card?"
        words = ("Draw", "No card")
        if await self.ask.yes_no("draw", seat, _OPTION, prompt, "one more card?", words, "no"):
            self.draw(seat, 1, _OPTION)

    def priority_passes(self) -> None:
        """The marker goes to the next player to the left.  (SE-EOT-03)"""
        position = self.position
        position.priority = position.after(position.priority)
        self.tell(position.priority, "has Priority now.", _PASSES, "has Priority")

    def next_turn(self) -> None:
        """A new turn: nothing is prepared, nobody is locked."""
        position = self.position
        position.turn += 1
        position.tier, position.steps = 1, 0
        position.active = position.priority
        for player in position.alive():
            player.new_turn()
