"""Movement and the Assessment Phase.  (DF-7, DF-9)

Movement is Maneuver Cards with their Conditional Effects, Turns, Momentum and Dead Six.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from companion.core.question import Option
from companion.core.ruling import Cite, Notice, Seat
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917 import refusals
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import LOEWENHARDT, MACLAREN, Maneuver, with_article
from companion.games.dogfight_1917.game import Crash, Game
from companion.games.dogfight_1917.moves import (
    TURNS,
    LateStall,
    bands,
    flyable,
    good_from,
    in_words,
)
from companion.kit.hexes import CENTER, Heading, rear

if TYPE_CHECKING:
    from companion.core.question import Choose, Refusal
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.moves import Arrival, Due
    from companion.games.dogfight_1917.position import Player

T = TypeVar("T")

_TURN = Cite.of("DF-9.5")
_TURNS = Cite.of("DF-9.5, RULING 5")
_AGAIN = Cite.of("DF-9.8")
_SELF_DAMAGE = Cite.of("DF-12.4")
_FALCON = Cite.of("DF-18.2.B, DF-9.10")
_HEART = Cite.of("DF-18.3.A, DF-9.10, RULING 43")
_MOMENTUM = Cite.of("DF-11.6, RULING 10")
_DEAD_SIX = Cite.of("DF-13.5, RULING 9")

ENGAGE, IMPROVISE = "engage", "Tactical Improvisation"
BLACKOUT, IMMELMANN = STALLS = "Blackout", "Immelmann Turn"

_ASSESS = Cite.of("DF-7.1, DF-7.2, RULING 16")
_IMPROVISE = Cite.of("DF-7.1, RULING 20")
_IMMELMANN = Cite.of("DF-7.3, RULING 17")
_BLACKOUT = Cite.of("DF-7.4, RULING 17")
_BLOCKED = Cite.of("DF-7.4, RULING 18")
_PROOF = Cite.of("DF-7.4, RULING 17")


class Flying(Game):
    """How Fighters move, and what is done before anything is flown."""

    engaged_at: str = ""
    """The key under which the Engagement Phase of this turn was begun, where that is known."""

    # -- Maneuver Action (DF-9.6) ----------------------------------------------------------

    async def maneuver_action(self, name: str) -> None:
        """Play a Maneuver Card, fly it, then its Conditional Effect.  (DF-8.2, DF-9.6, DF-9.10)"""
        seat = self.position.active
        card = self.fighter(seat).maneuvers[name]
        carry = self.play_card(seat, name)
        self.rule(f"{self.who(seat)} plays the {name}.", card.cite, carry, by=seat,
                  headline=self.ask.head(seat, f"play {name.partition(' ')[0]}"))  # fmt: skip
        self.position.maneuvered = True
        due = await self.fly(seat, card)
        if due:
            await self.conditional_effect(seat, card, due)
        await self.after_maneuver(seat)
        self.discard_played(seat)

    async def fly(self, seat: Seat, card: Maneuver) -> Due:
        """Advance and optional Turns; what the path flown makes due.  (DF-9.1 to DF-9.7)"""
        arrival = await self.ask.fly(self.player(seat), card)
        due = await self.way_flown(seat, card, arrival)
        self.arrive(seat, arrival, card.cite)
        return due

    async def way_flown(self, seat: Seat, card: Maneuver, arrival: Arrival) -> Due:
        """Asked for only where ways to one end pose differ in what they make due.  (DF-9.7)"""
        if arrival.is_plain:
            return next(iter(arrival.ways))
        return await self.ask.way(self.player(seat), card, arrival.end)

    def arrive(self, seat: Seat, arrival: Arrival, cite: Cite) -> None:
        """The plane stands at its end pose; a Tactical Position pays.  (DF-9.9)"""
        self.move_to(seat, arrival.end, cite, "flies to", told=True)
        if arrival.moves:
            self.collect(seat)

    def move_to(
        self, seat: Seat, end: Heading, cite: Cite, verb: str, *, told: bool = False
    ) -> None:
        """The model is put there; said in a sentence. `told`: a player has said or shown it."""
        text = f"{self.who(seat)} {verb} {end.name()}."
        headline = self.ask.head(seat, end.name())
        self.rule(text, cite, self.put(seat, end), by=seat, headline=headline, quiet=told)

    async def conditional_effect(self, seat: Seat, card: Maneuver, due: Due) -> None:
        """One die, compulsory, decides about all effects that are due.  (DF-9.7)"""
        cite = card.condition_cite
        throw = Throw("condition", seat, 1, cite, f"the {card.name}'s Conditional Effect",
                      passes=min((c.low for c in due if c.high == 6), default=0),
                      against=" / ".join(bands(due)), good_from=good_from(due),
                      brings=in_words(due))  # fmt: skip
        (die,) = await self.roll(throw)
        happening = [check.effect for check in due if check.happens(die)]
        if not happening:
            text = f"{self.who(seat)} rolled {die}: nothing happens."
            self.rule(text, cite, by=seat, headline=self.ask.head(seat, f"{die}: nothing"))
        for effect in happening:
            await self.carry_out(seat, card, effect, die)

    async def carry_out(self, seat: Seat, card: Maneuver, effect: str, die: int) -> None:
        """One Conditional Effect: a token, damage to oneself, a Turn, or the card once more."""
        cite = card.condition_cite
        match effect:
            case "token":
                self.earn(seat, 1, cite, f"the die shows {die}")
            case "damage":
                await self.take_damage(seat, 1, cite.also(_SELF_DAMAGE))
            case "turn":
                await self.may_turn(seat, 1, cite, f"you rolled {die} and may Turn once", "turn")
            case _:
                await self.fly_again(seat, card)

    async def fly_again(self, seat: Seat, card: Maneuver) -> None:
        """Advance and Turns once more, if the player likes; nothing is checked.  (DF-9.8)"""
        player = self.player(seat)
        if not any(flyable(self.table.board, player.at, [card], self.position.occupied(seat))):
            text = f"{self.who(seat)} has no space to fly on to: the card is not flown once more."
            self.rule(text, _AGAIN, by=seat, headline=self.ask.head(seat, "no second flight"))
            return
        arrival = await self.ask.again(player, card)
        if arrival is not None:
            self.arrive(seat, arrival, card.cite.also(_AGAIN))

    async def after_maneuver(self, seat: Seat) -> None:
        """Pilots who may Turn after their Maneuver Action.  (DF-9.10, DF-18.2.B, DF-18.3.A)"""
        player = self.player(seat)
        falcon = player.is_pilot(MACLAREN, "B")
        heart = player.is_pilot(LOEWENHARDT, "A") and bool(self.adjacent_opponents(seat))
        if falcon or heart:
            cite = _FALCON if falcon else _HEART
            await self.may_turn(
                seat, 1, cite, f"you may Turn once with {self.pilot_name(seat)}", "pilot"
            )

    def adjacent_opponents(self, seat: Seat) -> list[Seat]:
        """Opposing Fighters exactly 1 space away, in any direction.  (RULING 43)"""
        here = self.player(seat).at.hex
        return [p.seat for p in self.opponents(seat) if here.distance(p.at.hex) == 1]

    # -- Turns, Momentum, Dead Six (DF-9.5, DF-11.6, DF-13.5) ------------------------------

    async def may_turn(self, seat: Seat, turns: int, cite: Cite, why: str, place: str) -> None:
        """So many optional Turns, all or none, on the spot.  (DF-9.5, RULING 5)"""
        ruled = cite.also(_TURN if turns == 1 else _TURNS)
        await self.turn_to(seat, TURNS[turns], ruled, why, place)

    async def turn_to(
        self, seat: Seat, sixths: Sequence[int], cite: Cite, why: str, place: str
    ) -> None:
        """A rotation by one of these sixths; 0 among them means that it may be left.  (DF-9.5)"""
        player = self.player(seat)
        question = self.ask.turn(player, place, sixths, cite, why, self.late_stall(seat))
        end, told = await self.told_unless_alone(question)
        if end != player.at:
            self.move_to(seat, end, cite, "turns to", told=told)

    async def told_unless_alone(self, question: Choose[T]) -> tuple[T, bool]:
        """Where a plane ends, and whether a player has told it.

        The only end is not asked for, unless there is a word to be heard before it.  (DF-8.4)
        """
        first, *others = question.options_now()
        if others or question.word_before(first.name) is not None:
            return await question, True
        return first.value, False

    async def momentum(self, seat: Seat) -> None:
        """After a Basic Attack advance 1 space, if any Front space is free.  (DF-11.6)"""
        if not self.momentum_ends(seat):
            text = f"{self.who(seat)} has no free Front space: no Momentum."
            self.rule(text, _MOMENTUM, by=seat, headline=self.ask.head(seat, "no Momentum"))
            return
        question = self.ask.pose(self.player(seat), "momentum", lambda: self.momentum_ends(seat),
                                 _MOMENTUM, "advance 1 space by Momentum",
                                 self.late_stall(seat))  # fmt: skip
        end, told = await self.told_unless_alone(question)
        self.move_to(seat, end, _MOMENTUM, "goes on to", told=told)
        self.collect(seat)

    def momentum_ends(self, seat: Seat) -> list[Heading]:
        """The Front spaces that are free.  (RULING 10)"""
        return self.table.board.free_front(self.player(seat).at, self.position.occupied(seat))

    def late_stall(self, seat: Seat) -> LateStall | None:
        """What to watch in own moves while the Maneuver is to come.  (DF-8.4, RULING 19)"""
        if seat != self.position.active or self.position.maneuvered:
            return None
        forbidden = self.options["late_stall"] == "forbid_action"
        return LateStall(
            lambda end: end == self.player(seat).at,
            lambda end: not any(self.flyable(seat, end)),
            forbidden,
        )

    def flyable(self, seat: Seat, start: Heading | None = None) -> Iterator[str]:
        """The Maneuver Cards that have a legal end from where the Fighter stands, or from there."""
        at, occupied = start or self.player(seat).at, self.position.occupied(seat)
        cards = self.fighter(seat).maneuvers.values()
        return flyable(self.table.board, at, cards, occupied)

    async def dead_six(self, seat: Seat, opponent: Seat, cite: Cite) -> None:
        """Behind the opponent, facing it; lost if no Rear space is free.  (DF-13.5, RULING 9)"""
        ruled = cite.also(_DEAD_SIX)
        if not self.rear_places(seat, opponent):
            text = f"{self.who(seat)}'s Dead Six is lost: no Rear space is free."
            self.rule(text, ruled, by=seat, headline=self.ask.head(seat, "no Dead Six"))
            return
        question = self.ask.pose(self.player(seat), "dead six",
                                 lambda: self.rear_places(seat, opponent), ruled,
                                 f"move behind {self.who(opponent)} by Dead Six",
                                 self.late_stall(seat))  # fmt: skip
        end, told = await self.told_unless_alone(question)
        moved = end.hex != self.player(seat).at.hex
        self.move_to(seat, end, ruled, "takes Dead Six at", told=told)
        if moved:
            self.collect(seat)

    def rear_places(self, seat: Seat, opponent: Seat) -> list[Heading]:
        """The opponent's Rear spaces that are free, each facing it.  (DF-13.5)"""
        target = self.player(opponent).at
        occupied = self.position.occupied(seat)
        places = [Heading(target.hex.ahead(way), (way + 3) % 6) for way in rear(target.facing)]
        return [p for p in places if p.hex in self.table.board and p.hex not in occupied]

    # -- the Assessment Phase (DF-7) -------------------------------------------------------

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
        return bool(player.piles["hand"]) and any(self.flyable(player.seat))

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
