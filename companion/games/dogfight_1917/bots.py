"""How bots fly: they look at their own Hand and at the board, aim a little, and now and then err.

They see what a player sees: their own cards, everybody's planes, tokens and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.dogfight_1917.aiming import faces_rear
from companion.games.dogfight_1917.asks import (
    FOCUS,
    FREE_REROLL,
    KEEP,
    NO_EVASION,
    NOT_NAMED,
)
from companion.games.dogfight_1917.assessing import BLACKOUT, ENGAGE, IMMELMANN, IMPROVISE
from companion.games.dogfight_1917.attacking import BASIC_ATTACK
from companion.games.dogfight_1917.cards import (
    BASIC,
    CLIMB,
    COPIES,
    DIVE,
    KILLER_INSTINCT,
    MANEUVERS,
    PILOTS,
    STEEP_DIVE,
)
from companion.games.dogfight_1917.evading import NO_MEANS
from companion.games.dogfight_1917.menu_refusals import EMERGENCY_REPAIR, END_TURN, REGROUP
from companion.games.dogfight_1917.position import heading_of
from companion.hexes import Heading, range_ahead

if TYPE_CHECKING:
    from companion.board import Piece
    from companion.games.dogfight_1917.physical import PhysicalTable
    from companion.question import Choose, ChooseSome
    from companion.ruling import Seat

PATIENT_TURNS = 120
"""From then on bots repair nothing and improvise no more, so that every match ends."""

BLUNDERS, FOCUSES, EVADES = 0.06, 0.5, 0.75
"""How often a bot flies anywhere, pays to roll again, evades when it could."""

LOW_DECK = 5
PILOT_ACTIONS = tuple(pilot.action for pilot in PILOTS.values())


class Bot:
    """What one player thinks; the table tells it what it may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng

    # -- menus -----------------------------------------------------------------------------

    def choose(self, question: Choose[Any]) -> str:
        """An answer to any choice, having looked at the own Hand."""
        names = [option.name for option in question.options_now()]
        if question.key.endswith("/action"):
            return self.action(question.by, names)
        if question.key.endswith("/evade"):
            return self.evasion(question.by, names)
        if question.key.endswith("/way") and self.table.way in names:
            return self.table.way  # whoever flew it knows
        if NOT_NAMED in names:
            return self.discard(question.by)
        if KEEP in names:
            return self.roll_again(names)
        if question.key.endswith("/hand-shown"):
            return "one" if self.held(self.table.mover, MANEUVERS) else "none"
        return self.place(question)

    def action(self, seat: Seat, names: Sequence[str]) -> str:
        """What to do next, of what is offered and what the Hand allows."""
        if ENGAGE in names or IMPROVISE in names:
            return self.assess(seat, names)
        attacks = [name for name in names if self.is_attack(seat, name)]
        if attacks and self.rng.random() > BLUNDERS:
            return self.rng.choice(attacks)
        extra = [name for name in (EMERGENCY_REPAIR, REGROUP) if name in names]
        if extra and self.wants(seat, extra[0]):
            return extra[0]
        if KILLER_INSTINCT in names and self.may_spare(seat):
            return KILLER_INSTINCT
        pilots = [name for name in names if name.startswith(PILOT_ACTIONS)]
        if pilots and self.rng.random() < 0.3:
            return pilots[0]
        if END_TURN in names:
            return END_TURN
        return self.maneuver(seat, names)

    def assess(self, seat: Seat, names: Sequence[str]) -> str:
        """Engage if a card held can be flown; improvise with a poor Hand."""
        hand = self.table.hand(seat)
        flyable = self.held(seat, self.table.flyable(seat))
        poor = not flyable or (len(hand) > 5 and self.rng.random() < 0.3)
        if IMPROVISE in names and poor and self.table.turns < PATIENT_TURNS:
            return IMPROVISE
        if flyable and ENGAGE in names:
            return ENGAGE
        return self.stall(seat, names)

    def stall(self, seat: Seat, names: Sequence[str]) -> str:
        """The Stall effect that is due.  (RULING 17)"""
        if self.held(seat, MANEUVERS) and IMMELMANN in names:
            return IMMELMANN
        return BLACKOUT

    def maneuver(self, seat: Seat, names: Sequence[str]) -> str:
        """One of the Maneuver Cards held that can be flown, else a Stall."""
        held = [name for name in MANEUVERS if name in names and name in self.table.hand(seat)]
        if not held:
            return self.stall(seat, names)
        return BASIC if BASIC in held and self.rng.random() < 0.5 else self.rng.choice(held)

    def held(self, seat: Seat, names: Sequence[str]) -> list[str]:
        """Those of these cards that are in the Hand."""
        hand = self.table.hand(seat)
        return [name for name in names if name in hand]

    def is_attack(self, seat: Seat, name: str) -> bool:
        """Whether an action is a Basic or Special Attack of this player's Fighter."""
        attacks = (BASIC_ATTACK, *self.table.fighter(seat).attacks)
        return name.startswith(attacks)

    def wants(self, seat: Seat, action: str) -> bool:
        """Whether it is time for Regroup or Emergency Repair."""
        if self.table.turns > PATIENT_TURNS:
            return False
        if action == EMERGENCY_REPAIR:
            return len(self.table.piles[seat]["deck"]) <= LOW_DECK
        return len(self.table.hand(seat)) < 3

    def may_spare(self, seat: Seat) -> bool:
        """A Killer Instinct is held, and it is not all that is."""
        hand = self.table.hand(seat)
        return KILLER_INSTINCT in hand and len(hand) > 1

    # -- windows ---------------------------------------------------------------------------

    def evasion(self, seat: Seat, names: Sequence[str]) -> str:
        """Evade with what is held, mostly."""
        means = [n for n in names if n in self.table.hand(seat) or n == STEEP_DIVE]
        means = [n for n in means if n not in (NO_EVASION, NO_MEANS)]
        if means and max(self.table.rolled, default=0) >= 3 and self.rng.random() < EVADES:
            return self.rng.choice(means)
        if not means and NO_MEANS in names:
            return NO_MEANS
        return NO_EVASION

    def discard(self, seat: Seat) -> str:
        """The card that is missed least."""
        hand = self.table.hand(seat)
        spare = [card for card in (CLIMB, DIVE, BASIC) if hand.count(card) > 1]
        card = spare[0] if spare else self.rng.choice(hand)
        self.table.chosen[seat] = card
        return card if self.rng.random() < 0.9 else NOT_NAMED

    def roll_again(self, names: Sequence[str]) -> str:
        """A free reroll always, Focus at times."""
        if FREE_REROLL in names:
            return FREE_REROLL
        return FOCUS if FOCUS in names and self.rng.random() < FOCUSES / 2 else KEEP

    def dice(self, question: ChooseSome[int]) -> list[str]:
        """The dice that show least."""
        worst = min(int(option.label) for option in question.offered)
        return [option.name for option in question.offered if int(option.label) == worst]

    # -- flying ----------------------------------------------------------------------------

    def place(self, question: Choose[Any]) -> str:
        """Where to fly: where the plane was flown to already, else behind somebody."""
        listed = question.options_now()
        ends = {option.name: heading_of(pose)
                for option in listed for pose in (option.shows or {}).values()}  # fmt: skip
        flown, self.table.flown_first = self.table.flown_first, ""
        if flown in ends:
            return flown
        if not ends or self.rng.random() < BLUNDERS:
            return self.rng.choice(listed).name
        (piece,) = next(option.shows for option in listed if option.shows)
        return self.best(piece, ends)

    def best(self, piece: Piece, ends: Mapping[str, Heading]) -> str:
        """Of the end poses that come to mind the one nearest to a good shot."""
        enemies = self.table.enemies(piece)
        names = [*ends]
        if not enemies:
            return self.rng.choice(names)
        few = names if len(names) <= 24 else self.rng.sample(names, 24)
        return max(few, key=lambda name: self._worth(ends[name], enemies))

    def _worth(self, here: Heading, enemies: Sequence[Heading]) -> float:
        """How good an end pose is against these enemies."""
        worth = 0.4 * self.table.token_worth(here) + 0.1 * self.rng.random()
        return worth + sum(_against(here, enemy) for enemy in enemies)


def _against(here: Heading, enemy: Heading) -> float:
    """A line to shoot along is good, to be shot at is bad, far away is dull."""
    worth = -0.1 * here.hex.distance(enemy.hex)
    ahead = range_ahead(here, enemy.hex)
    if ahead is not None and ahead <= 3:
        worth += 1.5 if faces_rear(here, enemy) and ahead <= 2 else 0.6
    behind = range_ahead(enemy, here.hex)
    if behind is not None and behind <= 3:
        worth -= 1.0 if faces_rear(enemy, here) else 0.4
    return worth


ALL_CARDS = [card for card, copies in COPIES.items() for _ in range(copies)]
