"""The Preparation Phase: draw, set or pass by tier; locks; second cards; abilities.  (SE-PRE)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal
from companion.core.ruling import Carry, Cite, Seat
from companion.games.starship_edition import refusals
from companion.games.starship_edition.asks import Act, Played, titled
from companion.games.starship_edition.cards import UNKNOWN
from companion.games.starship_edition.declaring import Declaring
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.layout import (
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
from companion.games.starship_edition.player import Player, Tier, pile_at
from companion.games.starship_edition.star_map import name_of

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.operations import SetSecondary

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
            self.tell(seat, "has prepared.", _END, "prepared")

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
            yield _act(DRAW, "Draw", group)
        if player.hand:
            yield _act(SET, "Set a card", group)
        yield _act(PASS, "Pass", group)
        yield from self._plays(player, "jump")

    def _plays(self, player: Player, form: str) -> Iterator[Option[Act]]:
        """Cards of the catalogue for the Preparation; a star takes no tier action."""
        for name, card in self.cards().items() if player.hand else ():
            fits = card.form == form and card.used_in("prep")
            if fits and self.can_pay_from_hand(player.seat, card):
                yield _act(PLAY, f"Play {card.title}", "Play", name)

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
                  Carry(seat, 1, HAND, tier_pile(number)))  # fmt: skip

    async def do_pass(self, seat: Seat, act: Act) -> None:
        """Nothing; a reminder token lies there.  (SE-PRE-04)"""
        self.pass_tier(seat)

    def pass_tier(self, seat: Seat) -> None:
        """A reminder token in the next tier."""
        player = self.player(seat)
        player.tiers.append(Tier(PASS))
        number = len(player.tiers)
        self.tell(seat, f"passes tier {number}; a reminder token lies there.", _PASS,
                  f"tier {number}: pass")  # fmt: skip

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
                      _PLAY, f"tier {number}: play")  # fmt: skip
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
                  Carry(seat, 1, HAND, place))  # fmt: skip
        return which

    # -- rearranging -----------------------------------------------------------------------

    async def do_exchange(self, seat: Seat, act: Act) -> None:
        """A set card for one from the hand.  (SE-LCK-01, RULING 6)"""
        pile = pile_at(act.what)
        text = f"exchanges the card in {_place(act.what)} with one from hand."
        self.tell(seat, text, _REARRANGE, f"exchange {act.what}", Carry(seat, 1, pile, ASIDE),
                  Carry(seat, 1, HAND, pile), Carry(seat, 1, ASIDE, HAND))  # fmt: skip

    async def do_swap(self, seat: Seat, act: Act) -> None:
        """Two set cards change places.  (SE-LCK-01, RULING 6)"""
        one, other = pile_at(act.what), pile_at(act.other)
        text = f"swaps the cards in {_place(act.what)} and {_place(act.other)}."
        self.tell(seat, text, _REARRANGE, f"swap {act.what} and {act.other}",
                  Carry(seat, 1, one, ASIDE), Carry(seat, 1, other, one),
                  Carry(seat, 1, ASIDE, other))  # fmt: skip

    async def do_retract(self, seat: Seat, act: Act) -> None:
        """A tier that was passed is set after all, by house rule.  (RULING 6)"""
        player, number = self.player(seat), int(act.what)
        player.tiers[number - 1] = Tier(SET, FACE_DOWN)
        player.hand -= 1
        self.tell(seat, f"sets a card in tier {number} instead of passing.", _REARRANGE,
                  f"tier {number}: set", Carry(seat, 1, HAND, tier_pile(number)))  # fmt: skip

    # -- abilities and drift ---------------------------------------------------------------

    async def do_ability(self, seat: Seat, act: Act) -> None:
        """An elective ability: named, paid at once, carried out later.  (SE-ABL-01, RULING 4)"""
        ability = self.table.abilities[act.what]
        player = self.player(seat)
        player.used.append(act.what)
        player.declared.append(act.what)
        self.tell(seat, f"declares {ability.title}.", _ABILITY, "ability")
        await self.pay(seat, ability.cost, ability.title)
        if ability.when == "preparation":
            self.settle()
            await self.carry_out_ability(seat, act.what)

    @abstractmethod
    async def carry_out_ability(self, seat: Seat, name: str) -> None:
        """A declared ability does what it says; acting.py has it."""

    async def do_drift(self, seat: Seat, act: Act) -> None:
        """The vessel moves one space, by house rule.  (SE-R25, RULING 25)"""
        await self.move_vessel(seat, seat, 1, 1)
        player = self.player(seat)
        if player.out:
            return
        player.drifted = True
        where = f", and is on {name_of(player.space)}" if player.space is not None else ""
        self.tell(seat, f"has drifted{where}.", Cite.of("SE-R25, RULING 25"), "drifted")

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
            self.tell(seat, "has no card or no tier for a second card.", _SKIPPED, "skipped")
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
