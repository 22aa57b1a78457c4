"""Movement: Maneuver Cards, their Conditional Effects, Turns, Momentum and Dead Six.  (DF-9)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.core.ruling import Cite, Seat
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import LOEWENHARDT, MACLAREN, Maneuver
from companion.games.dogfight_1917.flight import TURNS, bands, can_fly, good_from, in_words
from companion.games.dogfight_1917.late_stall import LateStall
from companion.games.dogfight_1917.losing import Losing
from companion.kit.hexes import Heading, rear

if TYPE_CHECKING:
    from companion.core.question import Choose
    from companion.games.dogfight_1917.flight import Arrival, Due

T = TypeVar("T")

_TURN = Cite.of("DF-9.5")
_TURNS = Cite.of("DF-9.5, RULING 5")
_AGAIN = Cite.of("DF-9.8")
_SELF_DAMAGE = Cite.of("DF-12.4")
_FALCON = Cite.of("DF-18.2.B, DF-9.10")
_HEART = Cite.of("DF-18.3.A, DF-9.10, RULING 43")
_MOMENTUM = Cite.of("DF-11.6, RULING 10")
_DEAD_SIX = Cite.of("DF-13.5, RULING 9")


class Flying(Losing):
    """How Fighters move."""

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
        if not can_fly(self.table.board, player.at, card, self.position.occupied(seat)):
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
            lambda end: not self.flyable(seat, end),
            forbidden,
        )

    def flyable(self, seat: Seat, start: Heading | None = None) -> list[str]:
        """The Maneuver Cards that have a legal end from where the Fighter stands, or from there."""
        at, occupied = start or self.player(seat).at, self.position.occupied(seat)
        cards = self.fighter(seat).maneuvers.values()
        return [c.name for c in cards if can_fly(self.table.board, at, c, occupied)]

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
