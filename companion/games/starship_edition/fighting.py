"""Attacks: declared, finalized, answered, put in order, resolved.  (SE-PPR-01, SE-R14)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.question import Choose, Option, Refusal
from companion.core.ruling import Carry, Cite, Seat
from companion.games.starship_edition import refusals
from companion.games.starship_edition.asks import DONE, LONGEST_TITLE, Played, titled
from companion.games.starship_edition.attack import Declared
from companion.games.starship_edition.cards import UNKNOWN
from companion.games.starship_edition.coinciding import Coincidence, Due, Event
from companion.games.starship_edition.dealing import Dealing
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.layout import DISCARD, FACE_DOWN, HAND
from companion.match.rulebook import clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.cards import Card
    from companion.games.starship_edition.operations import Attack, Step
    from companion.games.starship_edition.player import Modifier, Player

_DECLARE = Cite.of("SE-R14, RULING 14")
_PREROGATIVE = Cite.of("SE-PPR-01, SE-PPR-02, SE-R13, RULING 13")
_COINCIDES = Cite.of("SE-PPR-01, SE-R13, RULING 13")
_SAME = Cite.of("SE-PPR-03, SE-R13, RULING 13")
_SURVIVES = Cite.of("SE-R15, RULING 15")
_SKIPPED = Cite.of("SE-R12, RULING 12")
_HULL = Cite.of("SE-R14, SE-R20, RULING 14, RULING 20")

ARMOUR = "armour"
"""The stat by which each attack on a vessel does less damage."""
ABILITIES = "abilities"
"""What is put in order, as a headline says it, where it is abilities."""
NOT_LISTED = "a card not listed"
FIRST_TO_ASK_NOBODY_IN_VAIN = 3
"""Matches of earlier editions ask everybody with a hand whether a card is played."""
FIRST_TO_ORDER_SINGLE_THINGS = 3
"""Those of earlier editions order whole vessels, and abilities, cards, renewals each by itself."""
MODIFIER, TARGET, OTHER = "attacker_modifier", "response_target", "response_other"
_ROLE = {
    MODIFIER: "Do you add to your attack?", TARGET: "Do you respond?", OTHER: "Do you respond?",
}  # fmt: skip


class Fighting(Dealing):
    """The attack sequence."""

    @abstractmethod
    async def carry_out(self, steps: Sequence[Step], cause: Cause) -> None:
        """The operations of a card or ability, one after the other; effects.py has them."""

    @abstractmethod
    async def grant_tiers(self, seat: Seat, number: int) -> None:
        """So many more tiers for a player; effects.py has it."""

    @abstractmethod
    async def carry_out_unknown(self, cause: Cause, title: str) -> None:
        """What a card does that the catalogue lacks; declaring.py has it."""

    # -- Priority's prerogative ------------------------------------------------------------

    async def order_of_vessels(
        self, due: Mapping[Seat, Sequence[Event]], what: str, of: str
    ) -> list[Seat]:
        """In turn order; where the order can matter, as the Priority player says.  (SE-PPR-01)

        What concerns one vessel alone its own player puts in order.  (SE-PPR-03, RULING 13) In a
        match of edition 1 it was asked of any two, and of abilities where they reach others.
        """
        seats = [*due]
        together = self.coincidence([*due.values()])
        asks = together.order_matters if self.setup.edition > 1 else len(seats) > 1 and (
            of != ABILITIES or together.reaches_others
        )  # fmt: skip
        if not asks:
            return seats
        by = self._who_orders(together)
        cite = _SAME if len(together.vessels) == 1 else _COINCIDES
        offered = [Option(str(seat), str(seat), self.who(seat), about=seat) for seat in seats]
        chosen = await self.ask.order("vessel-order", by, offered, cite, what, of)
        return [Seat(name) for name in chosen]

    async def own_order(
        self, seat: Seat, due: Mapping[str, Event], titles: Mapping[str, str],
        key: str, cite: Cite, what: str, of: str,
    ) -> list[str]:  # fmt: skip
        """Of one player, as that player likes; as they came where it cannot matter.  (RULING 13)"""
        together = self.coincidence([[event] for event in due.values()])
        if len(due) < 2 or (self.setup.edition > 1 and not together.order_matters):
            return [*due]
        offered = [Option(name, name, titles[name]) for name in due]
        return [*await self.ask.order(key, seat, offered, cite, what, of)]

    def coincidence(self, bundles: Sequence[Sequence[Event]]) -> Coincidence:
        """Bundles of events that fall together now."""
        to_the_end = self.setup.edition >= FIRST_TO_ORDER_SINGLE_THINGS
        return Coincidence(self.position, bundles, to_the_end=to_the_end)

    def interleaves(self, due: Sequence[Due]) -> bool:
        """Whether an order of whole vessels is not enough.  (SE-PPR-01, RULING 13)"""
        together = self.coincidence([[one.event] for one in due])
        return self.setup.edition >= FIRST_TO_ORDER_SINGLE_THINGS and together.interleaves

    async def in_order(self, due: Sequence[Due], what: str, of: str) -> list[Due]:
        """Single things of all vessels, as they came where it cannot matter.  (RULING 13)

        Each player puts the own ones in order (SE-PPR-03); then Priority puts those of different
        players in order (SE-PPR-01), and those of one player stay as that player wants them. That
        counters are at their limit is nobody's doing: it is a thing beside those of their player.
        """
        groups: dict[tuple[Seat, bool], list[Due]] = {}
        for one in due:
            groups.setdefault(one.group, []).append(one)
        together = self.coincidence([[one.event for one in own] for own in groups.values()])
        by = self._who_orders(together) if together.order_matters else None
        kept: dict[tuple[Seat, bool], Iterator[Due]] = {}
        for group, own in groups.items():
            if group[0] != by and self.coincidence([[one.event] for one in own]).order_matters:
                kept[group] = iter(await self._own_things(group[0], own))
        chosen = [*due]
        if by is not None:
            offered = [Option(one.code, one.code, f"{self.who(one.seat)}'s {one.kind}: {one.title}",
                              about=one.seat) for one in due]  # fmt: skip
            cite = _SAME if len(together.vessels) == 1 else _COINCIDES
            names = await self.ask.order("event-order", by, offered, cite, what, of)
            codes = {one.code: one for one in due}
            chosen = [codes[name] for name in names]
        return [next(kept[one.group]) if one.group in kept else one for one in chosen]

    async def _own_things(self, seat: Seat, own: Sequence[Due]) -> list[Due]:
        """As their player wants them."""
        things = {one.own: one for one in own}
        events = {name: one.event for name, one in things.items()}
        titles = {name: one.label for name, one in things.items()}
        what = "in which order do yours happen?"
        with self.ask.at(seat, own[0].kind):
            names = await self.own_order(seat, events, titles, "own-order", _SAME, what, "yours")
        return [things[name] for name in names]

    def _who_orders(self, together: Coincidence) -> Seat:
        """Priority; of what concerns one vessel alone, its player.  (SE-PPR-03, RULING 13)"""
        concerned = together.vessels
        return next(iter(concerned)) if len(concerned) == 1 else self.chooser()

    # -- A1: declaring ---------------------------------------------------------------------

    async def attack(self, step: Attack, cause: Cause) -> None:
        """An attack of the acting vessel; one that responds to another waits with it."""
        targets = await self._targets(step, cause)
        if self.player(cause.seat).out:
            return
        if not targets:
            text = f"has no legal target for {cause.title}; the attack is left out."
            self.tell(cause.seat, text, _SKIPPED, "no target")
            return
        waits = self.position.attacks_waiting
        if not waits:
            self._queue: list[Declared] = []
        changes = self._for_one_attack(cause.seat, aimed_at=False)
        for target in targets:
            self._declare(step, cause, target, changes)
        if not waits:
            await self._resolve_set()

    def _for_one_attack(self, seat: Seat, *, aimed_at: bool) -> list[Modifier]:
        """What changes a vessel for its next attack, or for the next one at it; it is used up."""
        player = self.player(seat)
        used = [one for one in player.modifiers
                if one.until == "attack" and (one.stat == ARMOUR) == aimed_at]  # fmt: skip
        player.modifiers = [one for one in player.modifiers if one not in used]
        return used

    def _declare(
        self, step: Attack, cause: Cause, target: Seat, changes: Sequence[Modifier]
    ) -> None:
        number, own_power = len(self._queue) + 1, step.power == "attack"
        declared = Declared(number, cause.seat, target, 0, cause.title, own_power=own_power)
        for one in changes:
            declared.change(cause.seat, one.stat, one.amount)
        for one in self._for_one_attack(target, aimed_at=True):
            declared.change(target, one.stat, one.amount)
        more = declared.changes.get((cause.seat, "attack"), 0)
        power = self.stat(cause.seat, "attack", declared) if own_power else (
            max(0, int(step.power) + more)
        )  # fmt: skip
        declared.power = power
        self._queue.append(declared)
        self.position.attacks_waiting = len(self._queue)
        kind = f" ({step.kind})" if step.kind else ""
        text = f"attacks {self.who(target)} with {cause.title}{kind}, power {power}."
        self.tell(cause.seat, text, _DECLARE, f"attack {target}")

    async def _targets(self, step: Attack, cause: Cause) -> list[Seat]:
        """Whom the attack is aimed at: named, the attacker, or everybody in range."""
        others = self._others(cause.seat)
        legal = [seat for seat in others if not self.out_of_aim(step, cause, seat)]
        if step.at == "others":
            return legal
        if step.at == "attacker":
            attacker = cause.attack.attacker if cause.attack is not None else None
            return [seat for seat in legal if seat == attacker]
        if not legal:
            return []
        what = f"whom do you attack with {cause.title}?"
        target = await self.ask.vessel(
            "target", cause.seat, legal, _DECLARE, what,
            lambda raw: self._refuse_target(raw, step, cause),
        )  # fmt: skip
        return [target]

    def _others(self, seat: Seat) -> list[Seat]:
        return [other for other in self.position.turn_order() if other != seat]

    def _refuse_target(self, raw: Json, step: Attack, cause: Cause) -> Refusal | None:
        named = Seat(str(raw).strip().upper())
        if named not in self.position.players:
            return None
        if named == cause.seat:
            why = "a vessel does not attack itself"
        elif self.player(named).out:
            why = "the vessel is destroyed"
        else:
            why = self.out_of_aim(step, cause, named)
        return refusals.no_target(raw, self.ask.names, why)

    def out_of_aim(self, step: Attack, cause: Cause, target: Seat) -> str:
        """Why a vessel cannot be attacked; empty if it can, or if the table judges that itself."""
        star_map = self.position.map
        one, other = self.player(cause.seat).space, self.player(target).space
        if star_map is None or one is None or other is None:
            return ""
        most = self.stat(cause.seat, "range") if step.range == "range" else int(step.range)
        away = star_map.distance(one, other)
        if away > most and "range" not in step.ignores:
            return f"{away} spaces away, the range is {most}"
        if not {"los", "obstruction"} & set(step.ignores) and not star_map.sees(one, other):
            return "an obstruction lies in the line of sight"
        return ""

    # -- A2 to A5: modifiers, responses, order ---------------------------------------------

    async def _resolve_set(self) -> None:
        """All attacks that wait: each is finalized and answered, then all are resolved."""
        answered = 0
        while answered < len(self._queue):
            declared = self._queue[answered]
            answered += 1
            with self.ask.at(f"attack-{declared.number}"):
                await self._finalize(declared)
        self.under_way = self.position.fires = None
        for name in await self._ordered():
            declared = next(one for one in self._queue if one.name == name)
            await self._resolve(declared)
        self.position.attacks_waiting, self.position.fires = 0, None
        self._queue = []
        self.settle()

    async def _finalize(self, declared: Declared) -> None:
        """The attacker's own additions, the target's answers, then everybody else's, once each."""
        self.under_way = declared
        self.position.fires = (declared.attacker, declared.target)
        await self._window(declared.attacker, MODIFIER, declared)
        await self._window(declared.target, TARGET, declared)
        for seat in self.position.turn_order():
            if seat not in (declared.attacker, declared.target):
                await self._window(seat, OTHER, declared)

    async def _window(self, seat: Seat, window: str, declared: Declared) -> None:
        """One player's cards at one moment of an attack, until there are no more."""
        ordinal = 0
        while self.has_a_say(seat, window):
            ordinal += 1
            with self.ask.at(f"{window}-{seat}-{ordinal}"):
                played = await self._ask_window(seat, window, declared)
                if played.card == DONE:
                    return
                await self.use_from_hand(seat, played, window, declared)

    def has_a_say(self, seat: Seat, window: str) -> bool:
        """Whether a player may have a card for this moment; else there is nothing to ask."""
        if self.player(seat).out or not self.player(seat).hand:
            return False
        asks_all = self.setup.edition < FIRST_TO_ASK_NOBODY_IN_VAIN
        return asks_all or self.may_hold_unlisted(seat) or bool(self.stars_for(seat, window))

    def stars_for(self, seat: Seat, window: str) -> Mapping[str, Card]:
        """Cards of the catalogue that a player can pay for and play at this moment."""
        return {
            name: card for name, card in self.cards().items()
            if card.form == "star" and card.used_in(window) and self.can_pay_from_hand(seat, card)
        }  # fmt: skip

    def _ask_window(self, seat: Seat, window: str, declared: Declared) -> Choose[Played]:
        cards = self.stars_for(seat, window)
        whom = f"{self.who(declared.attacker)} attacks {self.who(declared.target)}"
        return Choose(
            key=self.ask.key("card"), by=seat, cite=_DECLARE, lapse=DONE,
            prompt=f"{whom}. {self.who(seat)}: {_ROLE[window]}",
            headline=self.ask.head(seat, "add?" if window == MODIFIER else "respond?"),
            offered=[*(Option(name, Played(name), card.title, group="From hand")
                       for name, card in cards.items()),
                     Option(UNKNOWN, Played(UNKNOWN), "Another card", group="From hand",
                            letters_more=LONGEST_TITLE),
                     Option(DONE, Played(DONE), "Done, nothing more", group="Done")],
            named=lambda raw: titled(raw, self.cards()),
            unlisted=lambda raw: self._refuse_window(raw, seat, window),
        )  # fmt: skip

    def _refuse_window(self, raw: Json, seat: Seat, window: str) -> Refusal | None:
        cards = self.cards()
        card = refusals.card_named(str(raw), cards)
        if card is None:
            return refusals.over(raw)
        return refusals.not_in_window(card, window)

    async def use_from_hand(
        self, seat: Seat, played: Played, window: str, declared: Declared | None = None
    ) -> None:
        """A card played from the hand, and carried out at once."""
        cause = await self.lay_from_hand(seat, played, window, declared)
        await self.carry_out_from_hand(cause)

    async def lay_from_hand(
        self, seat: Seat, played: Played, window: str, declared: Declared | None = None
    ) -> Cause:
        """A card from the hand: laid on the discard pile, paid for.  (RULING 17)"""
        card = self.card(played.card)
        title = card.title if card is not None else played.title or NOT_LISTED
        duration = card.duration if card is not None else "instant"
        name = played.card if card is not None else played.title or FACE_DOWN
        cause = Cause(seat, title, name, duration, declared, window=window, form=played.form)
        player = self.player(seat)
        player.hand -= 1
        player.discard.append(name)
        self.tell(seat, f"plays {title} from the hand.", Cite.of("SE-R14, SE-R17, RULING 17"),
                  "plays a card", Carry(seat, 1, HAND, DISCARD))  # fmt: skip
        if card is not None:
            self.read_out(seat, card)
            await self.pay(seat, card.cost, title)
            self.settle()
        return cause

    async def carry_out_from_hand(self, cause: Cause) -> None:
        """What a card does that was laid from the hand; one that is not listed is declared."""
        card = self.card(cause.card)
        if self.player(cause.seat).out:
            return
        if card is None:
            title = cause.title if cause.title != NOT_LISTED else ""
            await self.carry_out_unknown(cause, title)
            return
        if card.grants_extra_tier:
            await self.grant_tiers(cause.seat, card.grants_extra_tier)
        await self.carry_out(card.effects, cause)

    async def _ordered(self) -> list[str]:
        """In which order the waiting attacks are resolved.  (SE-PPR-01, SE-PPR-03)"""
        if len(self._queue) < 2 or not self.position.alive():
            return [declared.name for declared in self._queue]
        clockwise = clockwise_from(self.position.priority, list(self.position.players))
        waiting = sorted(self._queue, key=lambda one: (clockwise.index(one.attacker), one.number))
        doing = [declared for declared in waiting if not declared.stopped]
        if len(doing) < 2 and self.setup.edition >= FIRST_TO_ASK_NOBODY_IN_VAIN:
            return [declared.name for declared in waiting]
        attackers = {declared.attacker for declared in self._queue}
        of_one = len(attackers) == 1
        by = self._queue[0].attacker if of_one else self.chooser()
        if self.player(by).out:
            by = self.chooser()
        offered = [
            Option(one.name, one.name,
                   f"{self.who(one.attacker)} at {self.who(one.target)}: {one.title}")
            for one in waiting
        ]  # fmt: skip
        cite = _SAME if of_one else _PREROGATIVE
        what = "in which order are these attacks resolved?"
        return [*await self.ask.order("attack-order", by, offered, cite, what, "attacks")]

    # -- A6: resolving ---------------------------------------------------------------------

    async def _resolve(self, declared: Declared) -> None:
        """Damage of one attack.  (SE-R14, SE-R15)"""
        attacker, target = self.player(declared.attacker), self.player(declared.target)
        whom = self.who(declared.target)
        if attacker.out and self.options["declared_attack_survives"] == "no":
            self.tell(declared.attacker, f"is destroyed: the attack on {whom} is void.",
                      _SURVIVES, "attack is void")  # fmt: skip
            return
        if target.out:
            self.tell(declared.attacker, f"finds {whom} destroyed: the attack has no target.",
                      _SKIPPED, "target is gone")  # fmt: skip
            return
        if declared.stopped:
            self.tell(declared.attacker, f"attacks {whom}: {declared.stopped}.", _HULL, "no damage")
            return
        self._hit(declared, target)
        self.settle()

    def _hit(self, declared: Declared, target: Player) -> None:
        armour = self.stat(target.seat, ARMOUR, declared)
        damage = declared.damage(armour)
        target.hull -= damage
        less = declared.reduction + armour
        full = declared.power + declared.bonus
        cite = _HULL.also(_SURVIVES) if self.player(declared.attacker).out else _HULL
        notes = [f"{full} - {less}"] if less else []
        notes += ["assumed figure"] if self.table.assumed("vessel.attack") else []
        why = f" ({', '.join(notes)})" if notes else ""
        text = f"takes {damage} damage{why}; {target.hull_in_words}."
        self.tell(target.seat, text, cite, f"-{damage} hull",
                  struck=(target.piece,) if damage else ())  # fmt: skip
