"""The Assessment Phase: Tactical Improvisation and Stalling.  (DF-7)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.core.ruling import Cite, Seat
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917 import refusals
from companion.games.dogfight_1917.flying import Flying
from companion.games.dogfight_1917.losing import Crash
from companion.games.dogfight_1917.wording import with_article
from companion.kit.hexes import CENTER

if TYPE_CHECKING:
    from companion.core.question import Refusal
    from companion.core.ruling import Json, Notice
    from companion.games.dogfight_1917.player import Player

ENGAGE, IMPROVISE = "engage", "Tactical Improvisation"
BLACKOUT, IMMELMANN = STALLS = "Blackout", "Immelmann Turn"

_ASSESS = Cite.of("DF-7.1, DF-7.2, RULING 16")
_IMPROVISE = Cite.of("DF-7.1, RULING 20")
_IMMELMANN = Cite.of("DF-7.3, RULING 17")
_BLACKOUT = Cite.of("DF-7.4, RULING 17")
_BLOCKED = Cite.of("DF-7.4, RULING 18")
_PROOF = Cite.of("DF-7.4, RULING 17")


class Assessing(Flying):
    """Before anything is flown: improve the Hand, or stall."""

    engaged_at: str = ""
    """The key under which the Engagement Phase of this turn was begun, where that is known."""

    async def assessment(self) -> str:
        """Improvise if wanted, then go on to engage, or stall.  (DF-7.1, DF-7.2, DF-7.5)

        The word with which the Engagement Phase begins: "engage", or its first action, which may be
        named at once. Empty after a Stall.
        """
        while True:
            self.begin()
            self.position.actions += 1
            seat = self.position.active
            can_engage = self.may_engage(self.position.mover)
            name = await self.choose_action(
                _ASSESS, f"{self.who(seat)}: what do you do?{self.may_improvise_first()}",
                self.assessments, self.refused_in_assessment,
                lapse=ENGAGE if can_engage else None,
            )  # fmt: skip
            if name == IMPROVISE:
                await self.improvise()
            elif name not in STALLS:
                self.claim_maneuver()
                self.engaged_at = self.ask.key("action")
                return name
            elif await self.stall(name):
                return ""

    async def choose_action(
        self,
        cite: Cite,
        prompt: str,
        offered: Callable[[], Iterable[Option[str]]],
        unlisted: Callable[[Json], Refusal | None],
        lapse: str | None = None,
    ) -> str:
        """An action of a menu; the only one there is is not asked for, unless there is a word."""
        first = [option.name for option in islice(offered(), 2)]
        if len(first) == 1 and self.word_before_action(first[0]) is None:
            return first[0]
        seat = self.position.active
        return await self.ask.menu(
            seat, cite, prompt, offered, unlisted, self.word_before_action, lapse
        )

    def word_before_action(self, name: str) -> Notice | None:
        """What to say before an action of a menu; engaging.py has the words."""
        return None

    def claim_maneuver(self) -> None:
        """Who engages says that a Maneuver can be flown: with one of these cards.  (DF-7.2)

        By house rule (stall_test) a later way out may be meant, and nothing is claimed.
        """
        declared = self.options["stall_test"] == "declared"
        self.position.claimed = () if declared else tuple(self.flyable(self.position.active))

    def assessments(self) -> Iterator[Option[str]]:
        """What the active player may do in this phase, or at once of the next.  (DF-7, DF-8.1)"""
        player = self.position.mover
        if self.may_engage(player):
            yield Option(ENGAGE, ENGAGE, "Engage", group="Go on")
            yield from self.engagements()
        if self.may_improvise(player):
            yield Option(IMPROVISE, IMPROVISE, IMPROVISE, group="Hand")
        for name in self.stalls(player):
            yield Option(name, name, f"Cannot maneuver: {name}", group="Stall")

    def engagements(self) -> Iterator[Option[str]]:
        """The actions of the Engagement Phase, which engaging.py has.  (DF-8.1)"""
        return iter(())

    def refused_in_assessment(self, raw: Json) -> Refusal | None:
        """Why an action is not to be had in this phase."""
        name = spelt_like(raw, (ENGAGE, IMPROVISE, IMMELMANN))
        if name is None:
            return None
        cite = {ENGAGE: _ASSESS, IMPROVISE: _IMPROVISE, IMMELMANN: _IMMELMANN}[name]
        return refusals.wrong_moment(self.missing_for(name), cite)

    def missing_for(self, name: str) -> str:
        """What an action of this phase lacks, and the way out."""
        if name == IMPROVISE and self.position.improvised:
            return f"{IMPROVISE} comes once a turn. Engage, or stall if you cannot maneuver."
        if not self.position.mover.piles["hand"]:
            return f"The Hand is empty: there is no card for it. {BLACKOUT} is due."
        if name == ENGAGE:
            return "No Maneuver Card has a legal end from here: a Stall effect is due. Choose one."
        return "A space to advance into is free: engage, or black out without a Maneuver Card."

    # -- Tactical Improvisation (DF-7.1) ---------------------------------------------------

    def may_improvise(self, player: Player) -> bool:
        """Once a turn, with a card to discard.  (DF-7.1, RULING 20)"""
        return bool(player.piles["hand"]) and not self.position.improvised

    def may_improvise_first(self) -> str:
        """What the question about the action adds, as long as it is so."""
        may = self.may_improvise(self.position.mover)
        return f" You may begin with {IMPROVISE}." if may else ""

    async def improvise(self) -> None:
        """Discard a card, take a token, shuffle some in and draw as many.  (DF-7.1, RULING 20)"""
        seat = self.position.active
        piles = self.player(seat).piles
        self.position.improvised = True
        await self.discard_one(seat, _IMPROVISE, "improvised", f"discard 1 card for {IMPROVISE}")
        self.earn(seat, 1, _IMPROVISE, IMPROVISE)
        empty = not (piles["hand"] and piles["deck"])
        count = 0 if empty else await self.ask.shuffled(seat)  # nothing changes places
        if not count:
            return
        into = self.player(seat).from_hand(count, "deck")
        shuffle = piles.shuffle("deck", "deck")
        drawn = piles.move(count, "deck", "hand")
        cards = counted(count, "card")
        text = f"{self.who(seat)} shuffles {cards} into the Deck and draws {count}."
        self.rule(text, _IMPROVISE, into, shuffle, drawn, by=seat,
                  headline=self.ask.head(seat, f"redraw {count}"))  # fmt: skip

    async def discard_one(self, seat: Seat, cite: Cite, place: str, why: str) -> None:
        """A card of the player's choice goes face up to the Discard Pile."""
        card = await self.ask.shown_card(seat, place, why, cite)
        player = self.player(seat)
        if not player.piles["hand"]:  # an arbiter has emptied it meanwhile
            self.rule(f"{self.who(seat)} has no card to discard.", cite, by=seat,
                      headline=self.ask.head(seat, "no card"))  # fmt: skip
            return
        carry = player.from_hand(1, "discard", card)
        if card:
            player.learn("discard", card)
        text = f"{self.who(seat)} discards {with_article(card or 'card')}."
        self.rule(text, cite, carry, by=seat, headline=self.ask.head(seat, "discard 1"))

    # -- Stalling (DF-7.2 to DF-7.6) -------------------------------------------------------

    def may_engage(self, player: Player) -> bool:
        """Whether a Maneuver could be flown, as far as all can see.  (DF-7.2, RULING 16)"""
        if self.options["stall_test"] == "declared":
            return True
        return bool(player.piles["hand"] and self.flyable(player.seat))

    def stalls(self, player: Player) -> list[str]:
        """The Stall effects that may be due, as far as all can see.  (RULING 17)

        Who holds no Maneuver Card takes Blackout; who holds some, none of them legal, Immelmann;
        with neither card nor free Front space the player chooses. Into a free one all cards fly.
        """
        if not player.piles["hand"]:
            return [BLACKOUT]
        front = self.table.board.free_front(player.at, self.position.occupied(player.seat))
        return [BLACKOUT] if front else [BLACKOUT, IMMELMANN]

    async def stall(self, effect: str) -> bool:
        """Carry out a Stall effect; False if the Hand shows that none is due.  (DF-7.3 to 7.6)"""
        player = self.position.mover
        if effect == BLACKOUT and not await self.hand_has_none(player):
            return False
        if not player.piles["deck"]:
            await self.crash(player.seat, Crash.STALLED)
        elif effect == IMMELMANN:
            await self.immelmann(player)
        else:
            self.blackout(player)
        return True

    async def hand_has_none(self, player: Player) -> bool:
        """The claim to hold no Maneuver Card: believed, or shown by house rule.  (DF-7.4)"""
        if self.options["blackout_proof"] == "honour" or not player.piles["hand"]:
            return True
        if not await self.ask.hand_shown(player.seat, _PROOF):
            return True
        self.rule(f"{self.who(player.seat)} holds a Maneuver Card: no Blackout.", _PROOF,
                  by=player.seat, headline=self.ask.head(player.seat, "no Blackout"))  # fmt: skip
        return False

    async def immelmann(self, player: Player) -> None:
        """Discard a card of choice, turn about on the spot.  (DF-7.3)"""
        seat = player.seat
        await self.discard_one(seat, _IMMELMANN, "immelmann", f"discard 1 card for the {IMMELMANN}")
        self.move_to(seat, player.at.turned(3), _IMMELMANN, "turns about to")

    def blackout(self, player: Player) -> None:
        """The top card to the Damage Pile, then one space straight ahead.  (DF-7.4, RULING 18)"""
        seat = player.seat
        carry = player.piles.move(1, "deck", "damage")
        text = f"{self.who(seat)} blacks out: the top card goes to the Damage Pile."
        self.rule(text, _BLACKOUT, carry, by=seat, headline=self.ask.head(seat, "Blackout"))
        end = player.at.advanced(CENTER)
        free = end.hex in self.table.board and end.hex not in self.position.occupied(seat)
        if free:
            self.move_to(seat, end, _BLACKOUT, "drifts to")
            self.collect(seat)
        else:
            text = f"{self.who(seat)} cannot drift straight ahead and stays on its space."
            self.rule(text, _BLOCKED, by=seat, headline=self.ask.head(seat, "no drift"))
