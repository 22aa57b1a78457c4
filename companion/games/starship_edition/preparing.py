"""The Preparation Phase and the Action Phase: two chapters.  (SE-PRE, SE-ACT)

Preparation: draw, set or pass by tier; locks; second cards; abilities. Action: vessel abilities,
then tier by tier.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal
from companion.core.ruling import Carry, Cite, Seat
from companion.games.starship_edition import refusals
from companion.games.starship_edition.asks import MARKED, Act, Played, titled
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.cards import UNKNOWN, Card, Equip, permits
from companion.games.starship_edition.coinciding import Event
from companion.games.starship_edition.effects import Declaring
from companion.games.starship_edition.fighting import OF_ABILITIES
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.player import Player, Tier, pile_at
from companion.games.starship_edition.seats import (
    ASIDE,
    DRAW,
    FACE_DOWN,
    HAND,
    MOST_IN_TIER,
    PASS,
    PLAY,
    SET,
    tier_pile,
)

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.cards import SetSecondary


_DRAW = Cite.of("SE-PRE-02, SE-PRE-04")
_SET = Cite.of("SE-PRE-02, SE-PRE-03")
_PASS = Cite.of("SE-PRE-02, SE-PRE-04")
_SECOND = Cite.of("SE-DBL-01, SE-DBL-02, SE-R07, RULING 7")
_REARRANGE = Cite.of("SE-LCK-01, SE-R06, RULING 6")
_ABILITY = Cite.of("SE-ABL-01, SE-R04, RULING 4")
_PLAY = Cite.of("SE-PRE-02, SE-PRE-04, SE-R17, RULING 17")
_END = Cite.of("SE-PRE-01, SE-PRE-05")
_TOKEN = Cite.of("SE-R09, RULING 9")
_SKIPPED = Cite.of("SE-R12, RULING 12")

END, SECOND, SWAP, EXCHANGE, RETRACT, ABILITY, DRIFT = (
    "end", "second", "swap", "exchange", "retract", "ability", "drift",
)  # fmt: skip


RETRACTABLE = "pass_retractable"
"""The house rule under which a tier that was passed may be set after all."""


class Preparing(Declaring):
    """One player after another prepares all tiers."""

    async def preparation(self) -> None:
        """Each in turn order, the Priority player first, completes the whole.  (SE-PRE-01)"""
        for seat in self.position.turn_order():
            if not self.player(seat).prepared and not self.player(seat).out:
                self.position.active, self.position.steps = seat, 0
                self.begin()
                await self.prepare(seat)

    async def prepare(self, seat: Seat) -> None:
        """Whatever this player does, until the Preparation is ended.  (SE-PRE-02 to SE-PRE-05)"""
        while not self.player(seat).out:
            acts = list(self.acts(seat))
            act = await self.ask.preparation(seat, acts, lambda raw: self._refuse(raw, seat))
            self.position.steps += 1
            if act.verb == END or self.player(seat).out:
                break
            with self.ask.at("prepare", seat, self.position.steps):
                await _DOES[act.verb](self, seat, act)
            self.settle()
        player = self.player(seat)
        player.prepared, player.locked = True, False
        if not player.out:
            self.tell(seat, "has prepared.", _END, "prepared", quiet=True)

    def _refuse(self, raw: Json, seat: Seat) -> Refusal | None:
        player = self.player(seat)
        return refusals.preparing(raw, player, self.abilities(seat), self.cards(),
                                  can_draw=self.can_draw(seat),
                                  drift=self.must_drift(player))  # fmt: skip

    # -- what may be done ------------------------------------------------------------------

    def acts(self, seat: Seat) -> Iterator[Option[Act]]:
        """Everything that the player who prepares may do now."""
        player = self.player(seat)
        if player.has_tiers_left:
            yield from self._tier_acts(player)
        yield from self._plays(player, "star")
        if player.hand:
            yield _act(PLAY, "Play another card", "Play", UNKNOWN)
        tier = player.tier(len(player.tiers))
        if tier is not None and tier.holds_set_card and tier.cards == 1 and player.hand:
            yield _act(SECOND, f"Second card in tier {len(player.tiers)}", "Set")
        if not player.locked:
            yield from self._rearranging(player)
        for name, ability in self.abilities(seat).items():
            if self._may_declare(player, name):
                yield _act(ABILITY, ability.title, "Ability", name)
        if self.must_drift(player):
            yield _act(DRIFT, "Drift one space", "Move")
        elif not player.has_tiers_left:
            yield _act(END, "Preparation is done", "Done")

    def _tier_acts(self, player: Player) -> Iterator[Option[Act]]:
        group = f"Tier {player.next_tier}"
        if self.can_draw(player.seat):
            yield _act(DRAW, f"Draw{MARKED}", group)
        if player.hand:
            yield _act(SET, "Set a card", group)
        yield _act(PASS, f"Pass{MARKED}", group)
        yield from self._plays(player, "jump")

    def _plays(self, player: Player, form: str) -> Iterator[Option[Act]]:
        """Cards of the catalogue for the Preparation; a star takes no tier action."""
        for name, card in self.cards().items() if player.hand else ():
            fits = card.form == form and card.used_in("prep")
            if fits and self.can_pay_from_hand(player.seat, card):
                token = MARKED if form == "jump" else ""
                yield _act(PLAY, f"Play {card.title}{token}", "Play", name)

    def _rearranging(self, player: Player) -> Iterator[Option[Act]]:
        places = player.places()
        if player.hand:
            for place in places:
                yield _act(EXCHANGE, f"Exchange {place} with hand", "Rearrange", place)
        for one, other in combinations(places, 2):
            yield _act(SWAP, f"Swap {one} and {other}", "Rearrange", one, other)
        if player.hand and self.options[RETRACTABLE] == "yes":
            for number, tier in enumerate(player.tiers, 1):
                if tier.action == PASS and not tier.cards:
                    yield _act(RETRACT, f"Set in tier {number} after all", "Rearrange", str(number))

    def _may_declare(self, player: Player, name: str) -> bool:
        ability = self.table.abilities[name]
        spent = name in player.used and ability.once_a_turn
        return not spent and self.can_pay(player.seat, ability.cost)

    def must_drift(self, player: Player) -> bool:
        """Whether the vessel, if it is mobile, still has to move one space.  (SE-R25, RULING 25)"""
        if self.options["drift"] != "on" or player.drifted or player.out:
            return False
        if not self.stat(player.seat, "mobility"):
            return False
        star_map = self.position.map
        return star_map is None or bool(self.ends(star_map, player, 1, 1))

    # -- tier actions ----------------------------------------------------------------------

    async def do_draw(self, seat: Seat, act: Act) -> None:
        """The top card of the own deck, at once; a reminder token lies there.  (SE-PRE-04)"""
        player = self.player(seat)
        player.tiers.append(Tier(DRAW))
        number = len(player.tiers)
        self.tell(seat, f"draws for tier {number}; a reminder token lies there.", _DRAW,
                  f"tier {number}: draw")  # fmt: skip
        self.draw(seat, 1)

    async def do_set(self, seat: Seat, act: Act) -> None:
        """A card from the hand, face down.  (SE-PRE-02)"""
        self.set_card(seat)

    def set_card(self, seat: Seat) -> None:
        """A card face down into the next tier."""
        player = self.player(seat)
        player.hand -= 1
        player.tiers.append(Tier(SET, FACE_DOWN))
        number = len(player.tiers)
        self.tell(seat, f"sets a card in tier {number}.", _SET, f"tier {number}: set",
                  Carry(seat, 1, HAND, tier_pile(number)), quiet=True)  # fmt: skip

    async def do_pass(self, seat: Seat, act: Act) -> None:
        """Nothing; a reminder token lies there.  (SE-PRE-04)"""
        self.pass_tier(seat)

    def pass_tier(self, seat: Seat) -> None:
        """A reminder token in the next tier."""
        player = self.player(seat)
        player.tiers.append(Tier(PASS))
        number = len(player.tiers)
        self.tell(seat, f"passes tier {number}; a reminder token lies there.", _PASS,
                  f"tier {number}: pass", quiet=True)  # fmt: skip

    async def do_play(self, seat: Seat, act: Act) -> None:
        """A card for the Preparation, from the hand; one that jumps in takes the tier action."""
        played = Played(act.what)
        if act.what == UNKNOWN:
            played = await self._name_played(seat)
            if self.player(seat).out:
                return
        card = self.card(played.card)
        if (played.form if card is None else card.form) != "star":
            player = self.player(seat)
            player.tiers.append(Tier(PLAY))
            number = len(player.tiers)
            self.tell(seat, f"uses tier {number} to play a card; a reminder token lies there.",
                      _PLAY, f"tier {number}: play", quiet=True)  # fmt: skip
        await self.use_from_hand(seat, played, "prep")

    async def _name_played(self, seat: Seat) -> Played:
        """A title for a card that the catalogue lacks, if somebody types one."""
        question = self.ask.activate(seat, "played", {})
        question.prompt = f"{self.who(seat)} plays a card that is not listed. What is its title?"
        cards = self.cards()
        question.named = lambda raw: titled(raw, cards)
        played = await question
        return played._replace(form=await self.form_of_unknown(seat))

    async def do_second(self, seat: Seat, act: Act) -> None:
        """A second card behind the first, before the next tier is begun.  (SE-DBL-02, RULING 7)"""
        self.lay_second(seat, len(self.player(seat).tiers))

    def lay_second(self, seat: Seat, number: int, *, permitted: bool = False) -> str:
        """A card from the hand, face down, into a tier: which it is there, mostly "secondary"."""
        player = self.player(seat)
        tier = player.tiers[number - 1]
        if not tier.primary:
            tier.primary, place, cite = FACE_DOWN, tier_pile(number), _TOKEN
            which = "primary"
        else:
            tier.secondary, place, cite = FACE_DOWN, tier_pile(number, secondary=True), _SECOND
            tier.permitted, which = permitted, "secondary"
        player.hand -= 1
        named = "second" if which == "secondary" else "first"
        self.tell(seat, f"sets a {named} card in tier {number}.", cite, f"tier {number}: +1 card",
                  Carry(seat, 1, HAND, place), quiet=True)  # fmt: skip
        return which

    # -- rearranging -----------------------------------------------------------------------

    async def do_exchange(self, seat: Seat, act: Act) -> None:
        """A set card for one from the hand.  (SE-LCK-01, RULING 6)"""
        pile = pile_at(act.what)
        text = f"exchanges the card in {_place(act.what)} with one from hand."
        self.tell(seat, text, _REARRANGE, f"exchange {act.what}", Carry(seat, 1, pile, ASIDE),
                  Carry(seat, 1, HAND, pile), Carry(seat, 1, ASIDE, HAND), quiet=True)  # fmt: skip

    async def do_swap(self, seat: Seat, act: Act) -> None:
        """Two set cards change places.  (SE-LCK-01, RULING 6)"""
        one, other = pile_at(act.what), pile_at(act.other)
        text = f"swaps the cards in {_place(act.what)} and {_place(act.other)}."
        self.tell(seat, text, _REARRANGE, f"swap {act.what} and {act.other}",
                  Carry(seat, 1, one, ASIDE), Carry(seat, 1, other, one),
                  Carry(seat, 1, ASIDE, other), quiet=True)  # fmt: skip

    async def do_retract(self, seat: Seat, act: Act) -> None:
        """A tier that was passed is set after all, by house rule.  (RULING 6)"""
        player, number = self.player(seat), int(act.what)
        player.tiers[number - 1] = Tier(SET, FACE_DOWN)
        player.hand -= 1
        self.tell(seat, f"sets a card in tier {number} instead of passing.", _REARRANGE,
                  f"tier {number}: set", Carry(seat, 1, HAND, tier_pile(number)),
                  quiet=True)  # fmt: skip

    # -- abilities and drift ---------------------------------------------------------------

    async def do_ability(self, seat: Seat, act: Act) -> None:
        """An elective ability: named, paid at once, carried out later.  (SE-ABL-01, RULING 4)"""
        ability = self.table.abilities[act.what]
        player = self.player(seat)
        player.used.append(act.what)
        player.declared.append(act.what)
        self.tell(seat, f"declares {ability.title}.", _ABILITY, "ability", quiet=True)
        await self.pay(seat, ability.cost, ability.title)
        if ability.when == "preparation":
            self.settle()
            await self.carry_out_ability(seat, act.what)

    @abstractmethod
    async def carry_out_ability(self, seat: Seat, name: str) -> None:
        """A declared ability does what it says; `Acting` has it."""

    async def do_drift(self, seat: Seat, act: Act) -> None:
        """The vessel moves one space, by house rule.  (SE-R25, RULING 25)"""
        await self.move_vessel(seat, seat, 1, 1)
        player = self.player(seat)
        if player.out:
            return
        player.drifted = True
        where = f", and is on {name_of(player.space)}" if player.space is not None else ""
        self.tell(seat, f"has drifted{where}.", Cite.of("SE-R25, RULING 25"), "drifted", quiet=True)

    # -- tiers in the Action Phase ---------------------------------------------------------

    async def prepare_extra(self, seat: Seat) -> None:
        """A tier granted in the Action Phase is prepared at once.  (SE-R11, RULING 11)"""
        action = await self.ask.extra_tier(seat, can_draw=self.can_draw(seat))
        if self.player(seat).out:
            return
        if action == DRAW:
            await self.do_draw(seat, Act(DRAW))
        elif action == SET:
            self.set_card(seat)
        else:
            self.pass_tier(seat)

    async def set_secondary(self, step: SetSecondary, cause: Cause) -> None:
        """A card from the hand into an own tier still to come, or this one.  (SE-DBL-03)

        That effect permits it; in the tier of the card that acts it is resolved after that card.
        """
        seat = cause.seat
        player = self.player(seat)
        open_tiers = [
            Option(str(number), str(number), f"Tier {number}", group="Tier")
            for number, tier in enumerate(player.tiers, 1)
            if tier.cards < MOST_IN_TIER and (number == cause.tier or not tier.resolved)
        ]
        if not player.hand or not open_tiers:
            self.tell(seat, "has no card or no tier for a second card.", _SKIPPED, "skipped",
                      quiet=True)  # fmt: skip
            return
        what = "into which tier do you set the second card?"
        chosen = await self.ask.one_of("tier", seat, open_tiers, _SECOND, what, "which tier?",
                                       lambda raw: refusals.full(raw, player))  # fmt: skip
        if self.player(seat).out:
            return
        which = self.lay_second(seat, int(chosen), permitted=True)
        if int(chosen) == cause.tier:
            self.laid_now.append(which)


def _act(verb: str, label: str, group: str, what: str = "", other: str = "") -> Option[Act]:
    name = " ".join(filter(None, (verb, what, other)))
    return Option(name, Act(verb, what, other), label, group=group)


def _place(place: str) -> str:
    """A place in the tiers, in a sentence."""
    return f"tier {place.rstrip('b')}{' (second)' if place.endswith('b') else ''}"


_DOES: Mapping[str, Callable[[Preparing, Seat, Act], Awaitable[None]]] = {
    DRAW: Preparing.do_draw, SET: Preparing.do_set, PASS: Preparing.do_pass,
    PLAY: Preparing.do_play, SECOND: Preparing.do_second, EXCHANGE: Preparing.do_exchange,
    SWAP: Preparing.do_swap, RETRACT: Preparing.do_retract, ABILITY: Preparing.do_ability,
    DRIFT: Preparing.do_drift,
}  # fmt: skip


# Acting: vessel abilities, then tier by tier.  (SE-ACT, SE-TLN, SE-DBL)

_ABILITIES = Cite.of("SE-ACT-01, SE-ACT-02")
_OWN_ORDER = Cite.of("SE-R10, RULING 10")
_ACTIVATE = Cite.of("SE-ACT-04")
_TURNED_OVER = Cite.of("SE-ACT-05")
_DOUBLE = Cite.of("SE-DBL-04")
_VOID = Cite.of("SE-DBL-01, SE-R08, RULING 8")
_COST = Cite.of("SE-R12, RULING 12")
_DUAL = Cite.of("SE-R08, RULING 8")
_TIMELINE = Cite.of("SE-ACT-03, SE-TLN-01")
_EXTRA = Cite.of("SE-TLN-02, SE-R11, RULING 11")


class Acting(Preparing):
    """What was planned is revealed."""

    # -- step 1: vessel abilities ----------------------------------------------------------

    async def vessel_abilities(self, when: str = "step1") -> None:
        """Declared abilities of that moment, player by player from Priority on.  (SE-ACT-02)

        Outside step 1 what coincides is put in order by whoever has Priority, where the order can
        matter.  (SE-PPR-01)
        """
        events = {seat: self._events(seat, when) for seat in self.position.turn_order()}
        due = {seat: [*own.values()] for seat, own in events.items() if own}
        seats = [*due]
        if when != "step1":
            with self.ask.at(when):
                what = "in which order are the vessels' abilities carried out?"
                seats = await self.order_of_vessels(due, what, OF_ABILITIES)
        for seat in seats:
            with self.ask.at(when, seat):
                await self.abilities_of(seat, when)

    def _events(self, seat: Seat, when: str) -> dict[str, Event]:
        """A player's declared abilities of that moment."""
        abilities = self.table.abilities
        return {
            name: Event(seat, abilities[name].effects, name)
            for name in self.player(seat).declared
            if abilities[name].when == when
        }

    async def abilities_of(self, seat: Seat, when: str) -> None:
        """One player's, in the order that this player likes.  (SE-R10, RULING 10)"""
        titles = {name: ability.title for name, ability in self.table.abilities.items()}
        what = "in which order are your abilities carried out?"
        due = await self.own_order(seat, self._events(seat, when), titles, "order", _OWN_ORDER,
                                   what, OF_ABILITIES)  # fmt: skip
        for ordinal, name in enumerate(due, 1):
            if self.player(seat).out:
                return
            with self.ask.at(f"ability-{ordinal}"):
                await self.carry_out_ability(seat, name)

    async def carry_out_ability(self, seat: Seat, name: str) -> None:
        """A declared ability does what it says; it is not declared any more.  (SE-ACT-01)"""
        player, ability = self.player(seat), self.table.abilities[name]
        if name in player.declared:
            player.declared.remove(name)
        note = f' ("{ability.text_note}")' if ability.text_note else ""
        self.tell(seat, f"carries out {ability.title}{note}.", _ABILITIES, "ability", quiet=True)
        await self.carry_out(ability.effects, Cause(seat, ability.title, name, ability.duration))

    # -- step 2: tier sequence -------------------------------------------------------------

    async def tier_sequence(self) -> None:
        """Tier 1 of every player in turn order, then tier 2, and so on.  (SE-ACT-03, SE-TLN)"""
        position = self.position
        while (due := position.tier_due()) is not None:
            position.tier = due
            await self._abilities_of_tier(f"tier_{position.tier}")
            for seat in position.turn_order():
                tier = self.player(seat).tier(position.tier)
                if tier is not None and not tier.resolved:
                    position.active = seat
                    self.begin()
                    with self.ask.at(f"tier-{position.tier}", seat):
                        await self.resolve(seat, tier)
                    self.settle()
            self._end_of_tier()
        position.tier = position.last_tier() + 1

    async def _abilities_of_tier(self, moment: str) -> None:
        """Abilities that say so are carried out as a tier begins.  (SE-ABL-02)"""
        if any(self._events(seat, moment) for seat in self.position.turn_order()):
            self.begin()
            await self.vessel_abilities(moment)

    def _end_of_tier(self) -> None:
        """What lasts for one tier has ended."""
        for player in self.position.players.values():
            player.modifiers = [one for one in player.modifiers if one.until != "tier"]

    async def resolve(self, seat: Seat, tier: Tier) -> None:
        """A set card is activated; a reminder token does nothing now.  (SE-ACT-04, SE-ACT-05)"""
        number = self.position.tier
        cite = _EXTRA if number > 3 else _TIMELINE
        tier.resolved = True
        if not tier.cards:
            text = f"has a reminder token in tier {number}: nothing happens."
            self.tell(seat, text, _TURNED_OVER.also(cite), f"tier {number}: token", quiet=True)
            return
        both = [which for which in ("primary", "secondary") if getattr(tier, which)]
        titles = await self._turn_over(seat, tier, both)
        if self.player(seat).out:
            return
        await self._judge_second(seat, tier)
        self.laid_now = []
        for which, place in (("primary", "first"), ("secondary", "second")):
            if which in both:
                with self.ask.at(place):
                    await self._follow_in(seat, number, which, titles.get(which, ""))
        ordinal = 0
        while self.laid_now and not self.player(seat).out:
            ordinal += 1
            with self.ask.at(f"laid-{ordinal}"):
                await self._resolve_laid(seat, number, self.laid_now.pop(0))

    async def _follow_in(self, seat: Seat, number: int, which: str, title: str) -> None:
        """One of the cards of a tier, if it is there yet and nothing forbids it."""
        tier, second = self.player(seat).tier(number), which == "secondary"
        if tier is not None and getattr(tier, which) and not (second and tier.void):
            await self.follow(seat, getattr(tier, which), title, second=second)

    async def _resolve_laid(self, seat: Seat, number: int, which: str) -> None:
        """A card that was laid into the tier which is resolved: turned over, followed.  (DBL-04)"""
        tier = self.player(seat).tier(number)
        if tier is None or getattr(tier, which) != FACE_DOWN:
            return
        titles = await self._turn_over(seat, tier, [which])
        await self._follow_in(seat, number, which, titles[which])

    async def _turn_over(self, seat: Seat, tier: Tier, both: Sequence[str]) -> dict[str, str]:
        """Turn cards of the tier face up; titles given to those that are not listed.  (DBL-04)"""
        deck = self.table.decks[self.player(seat).deck_name]
        listed = self.cards().items()
        cards = dict(sorted(listed, key=lambda item: (not item[1].is_set, item[0] not in deck)))
        titles: dict[str, str] = {}
        for which in both:
            played = await self.ask.activate(seat, which, cards)
            name = FACE_DOWN if played.card == UNKNOWN else played.card
            setattr(tier, which, played.title or name)
            titles[which] = played.title
        if self.player(seat).out:
            return titles
        shown = [self._shown(getattr(tier, which)) for which in both]
        cite = _DOUBLE if len(shown) > 1 else _ACTIVATE
        number = self.position.tier
        self.tell(seat, f"turns over {' and '.join(shown)}.", cite, f"tier {number}: reveal",
                  quiet=True)  # fmt: skip
        return titles

    def _shown(self, name: str) -> str:
        """A card in a sentence: its title, or the one it was given just now."""
        card = self.card(name)
        return (
            card.title if card is not None else name if name != FACE_DOWN else "a card not listed"
        )

    async def follow(self, seat: Seat, name: str, title: str, *, second: bool) -> None:
        """Pay for a card and carry it out; one that cannot be paid does nothing.  (SE-R12)"""
        card = self.card(name)
        tier = self.position.tier
        if card is None:
            cause = Cause(seat, self._shown(name), name, tier=tier, second=second)
            await self.carry_out_unknown(cause, title)
            return
        if not card.is_set:
            text = f"set {card.title}, which is not for a tier: nothing happens."
            self.tell(seat, text, _COST, "not for a tier", quiet=True)
            return
        if not self.can_pay(seat, card.cost):
            self.tell(seat, f"cannot pay for {card.title}: it is not carried out.", _COST,
                      "cannot pay", quiet=True)  # fmt: skip
            return
        self.read_out(seat, card)
        await self.pay(seat, card.cost, card.title)
        self.settle()
        cause = Cause(seat, card.title, name, card.duration, tier=tier, second=second)
        if card.form == "gear" and not any(isinstance(step, Equip) for step in card.effects):
            self.equip(cause)
        if card.grants_extra_tier and not self.player(seat).out:
            await self.grant_tiers(seat, card.grants_extra_tier)
        await self.carry_out(card.effects, cause)

    # -- doubling up -----------------------------------------------------------------------

    async def _judge_second(self, seat: Seat, tier: Tier) -> None:
        """Whether anything permits the second card; else it is void.  (SE-R08, RULING 8)"""
        if tier.permitted or not (tier.primary and tier.secondary):
            return
        if await self._is_permitted(seat, tier):
            return
        title = self._shown(tier.secondary)
        if self.options["illegal_secondary"] == "return_to_hand":
            tier.secondary = ""
            self.player(seat).hand += 1
            pile = tier_pile(self.position.tier, secondary=True)
            self.tell(seat, f"takes {title} back: nothing permits a second card.", _VOID,
                      "second card back", Carry(seat, 1, pile, HAND))  # fmt: skip
            return
        tier.void = True
        self.tell(seat, f"has no permission for {title}: it is void.", _VOID, "second card void")

    async def _is_permitted(self, seat: Seat, tier: Tier) -> bool:
        """One of the two cards, an equipped one, or an ability of this turn permits the other."""
        one, other = self.card(tier.primary), self.card(tier.secondary)
        if self._permits(one, tier.secondary, other) or self._permits(other, tier.primary, one):
            return True
        player = self.player(seat)
        gear = [self.card(name) for name in player.gear]
        abilities = [self.table.abilities[name].permits_secondary for name in player.used]
        in_force = [*abilities, *(card.permits_secondary for card in gear if card is not None)]
        if any(permits(permit, tier.secondary, other) for permit in in_force):
            return True
        if one is not None and other is not None:
            return False
        prompt = f"{self.who(seat)}: does a card in this tier permit the second one?"
        return await self.ask.yes_no("permits", seat, _DUAL, prompt, "second permitted?")

    def _permits(self, card: Card | None, other_id: str, other: Card | None) -> bool:
        return card is not None and permits(card.permits_secondary, other_id, other)
