"""How bots fly: they look at their own Hand and at the board, aim a little, and now and then err.

They see what a player sees: their own cards, everybody's planes, tokens and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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
    FONCK,
    KILLER_INSTINCT,
    MACLAREN,
    MANEUVERS,
    MENTOR,
    PILOTS,
    RICHTHOFEN,
    STEEP_DIVE,
)
from companion.games.dogfight_1917.evading import NO_MEANS
from companion.games.dogfight_1917.menu_refusals import EMERGENCY_REPAIR, END_TURN, REGROUP
from companion.kit.hexes import Heading, heading_of, range_ahead

if TYPE_CHECKING:
    from companion.core.question import Choose, RollAgain
    from companion.core.ruling import Seat
    from companion.games.dogfight_1917.cards import Fighter
    from companion.games.dogfight_1917.flight import Due, Way
    from companion.games.dogfight_1917.physical import PhysicalTable

PATIENT_TURNS = 120
"""From then on bots repair nothing and improvise no more, so that every match ends."""

BLUNDERS, SPECIALS, EVADES, SLIPS = 0.06, 0.6, 0.75, 0.1
"""How often a bot errs, pays to attack where it need not, evades when it could, slips aside."""

FOCUSES: Mapping[str, float] = {"fire": 0.5, "evasion": 0.5}
"""How often it pays to roll again, by what the dice are for; elsewhere seldom."""
SELDOM = 0.1

EAGER: Mapping[str, float] = {
    PILOTS[RICHTHOFEN].action: 0.9, PILOTS[MACLAREN].action: 0.5, PILOTS[MENTOR].action: 0.4,
    PILOTS[FONCK].action: 0.7,
}  # fmt: skip
"""How often it takes its Pilot Special Action; Fonck's waits for somebody right before him."""

LOW_DECK, FEW_CARDS = 5, 3
FAR_ENOUGH = 24
"""So many end poses of a card come to a bot's mind."""
CHEAP, DEAR = 0.4, 0.8
"""What a token is worth to a bot beside a good shot, and when it must repair."""

_EFFECTS: Mapping[str, float] = {"token": CHEAP, "damage": -1.0, "turn": 0.1, "again": 0.3}

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
        if question.key.endswith("/hand-shown"):
            return "one" if self.held(self.table.mover, MANEUVERS) else "none"
        return self.place(question)

    def action(self, seat: Seat, names: Sequence[str]) -> str:
        """What to do next, of what is offered and what the Hand allows."""
        if ENGAGE in names or IMPROVISE in names:
            word = self.assess(seat, names)
            if word != ENGAGE:
                return word
        for choose in (self.attack, self.tactic, self.pilot_action):
            chosen = choose(seat, names)
            if chosen:
                return chosen
        return END_TURN if END_TURN in names else self.maneuver(seat, names)

    def attack(self, seat: Seat, names: Sequence[str]) -> str:
        """An attack that can be made; one that costs tokens comes first, having no Momentum."""
        basic = [name for name in names if name.startswith(BASIC_ATTACK)]
        special = [name for name in names if name.startswith(tuple(self.fighter(seat).attacks))]
        if not (basic or special) or self.rng.random() < BLUNDERS:
            return ""
        pays = special and (not basic or self.rng.random() < SPECIALS)
        return self.rng.choice(special if pays else basic or special)

    def tactic(self, seat: Seat, names: Sequence[str]) -> str:
        """Repairs, cards or tokens that are wanted, now and then a Slip-turn."""
        for action, wanted in (
            (EMERGENCY_REPAIR, self.wants_repair(seat)),
            (REGROUP, len(self.table.hand(seat)) < FEW_CARDS and self.patient()),
            (KILLER_INSTINCT, self.may_spare(seat)),
            *((name, self.rng.random() < SLIPS) for name in self.fighter(seat).tactics),
        ):
            if wanted and action in names:
                return action
        return ""

    def pilot_action(self, seat: Seat, names: Sequence[str]) -> str:
        """The Pilot Special Action, if it is to be had and the moment is good."""
        offered = [name for name in names if name.startswith(PILOT_ACTIONS)]
        if not offered:
            return ""
        action = next(name for name in PILOT_ACTIONS if offered[0].startswith(name))
        if action == PILOTS[FONCK].action and not self.is_next_ahead(seat):
            return ""
        eager = EAGER.get(action, SELDOM)
        return self.rng.choice(offered) if self.rng.random() < eager else ""

    def is_next_ahead(self, seat: Seat) -> bool:
        """Whether an opponent stands on the very next space ahead."""
        here = self.table.at(seat)
        return any(range_ahead(here, enemy.hex) == 1 for enemy in self.table.enemies(seat))

    def fighter(self, seat: Seat) -> Fighter:
        """What a seat flies."""
        return self.table.fighter(seat)

    def assess(self, seat: Seat, names: Sequence[str]) -> str:
        """Engage if a card held can be flown; improvise with a poor Hand."""
        hand = self.table.hand(seat)
        flyable = self.held(seat, self.table.flyable(seat))
        poor = not flyable or (len(hand) > 5 and self.rng.random() < 0.3)
        if IMPROVISE in names and poor and self.patient():
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
        held = [name for name in self.held(seat, MANEUVERS) if name in names]
        if not held:
            return self.stall(seat, names)
        plans = {name: self.best(seat, self._ends(seat, name)) for name in held}
        chosen = max(held, key=lambda name: plans[name].worth)
        if self.rng.random() < BLUNDERS:
            chosen = self.rng.choice(held)
        self.table.plan = plans[chosen].end.name()
        return chosen

    def held(self, seat: Seat, names: Sequence[str]) -> list[str]:
        """Those of these cards that are in the Hand."""
        hand = self.table.hand(seat)
        return [name for name in names if name in hand]

    def wants_repair(self, seat: Seat) -> bool:
        """Whether it is time to take cards back, and the match may still be drawn out."""
        return self.is_low(seat) and self.patient()

    def is_low(self, seat: Seat) -> bool:
        """The Deck is low and there is something to take back."""
        piles = self.table.counts(seat)
        return piles["deck"] <= LOW_DECK and piles["damage"] > 1

    def patient(self) -> bool:
        """Whether the match may still be drawn out."""
        return self.table.turns < PATIENT_TURNS

    def may_spare(self, seat: Seat) -> bool:
        """A Killer Instinct is held, and it is not all that is."""
        hand = self.table.hand(seat)
        return KILLER_INSTINCT in hand and len(hand) > 1

    # -- windows ---------------------------------------------------------------------------

    def evasion(self, seat: Seat, names: Sequence[str]) -> str:
        """Evade with what is held, mostly, where there is a hit to be evaded."""
        means = [n for n in names if n in self.table.hand(seat) or n == STEEP_DIVE]
        hit = self.table.failing() < len(self.table.rolled)
        if means and hit and self.rng.random() < EVADES:
            return self.rng.choice(means)
        return NO_MEANS if not means and NO_MEANS in names else NO_EVASION

    def discard(self, seat: Seat) -> str:
        """The card that is missed least."""
        hand = self.table.hand(seat)
        spare = [card for card in (CLIMB, DIVE, BASIC) if hand.count(card) > 1]
        card = spare[0] if spare else self.rng.choice(hand)
        self.table.chosen[seat] = card
        return card if self.rng.random() < 0.9 else NOT_NAMED

    def roll_again(self, question: RollAgain) -> str:
        """Dice that have failed: always where it is free, at times for a token."""
        means = question.means()
        if not question.failed:
            return KEEP
        if FREE_REROLL in means:
            return FREE_REROLL
        often = FOCUSES.get(question.key.split("/")[-2], SELDOM)
        return FOCUS if FOCUS in means and self.rng.random() < often else KEEP

    # -- flying ----------------------------------------------------------------------------

    def place(self, question: Choose[Any]) -> str:
        """Where to fly: as planned with the card, else behind somebody."""
        listed = question.options_now()
        ends = {heading_of(pose): option.name
                for option in listed for pose in (option.shows or {}).values()}  # fmt: skip
        plan, self.table.plan = self.table.plan, ""
        if plan in ends.values():
            return plan
        if not ends or self.rng.random() < BLUNDERS:
            return self.rng.choice(listed).name
        return ends[self.best(question.by, dict.fromkeys(ends, 0.0)).end]

    def _ends(self, seat: Seat, card: str) -> Mapping[Heading, float]:
        """Where a card may end, and what the best way to it is worth by itself."""
        found = self.table.ends(seat, card)
        return {end: max(map(due_worth, arrival.ways)) for end, arrival in found.items()}

    def way(self, ways: Sequence[tuple[Way, Due]]) -> str:
        """The way to an end pose that promises most."""
        return str(max(ways, key=lambda found: due_worth(found[1]) + 0.01 * self.rng.random())[0])

    def best(self, seat: Seat, ends: Mapping[Heading, float]) -> Plan:
        """Of the end poses that come to mind, each with its own worth, the one to fly to."""
        enemies = self.table.enemies(seat)
        token = DEAR if self.is_low(seat) else CHEAP
        few = [*ends] if len(ends) <= FAR_ENOUGH else self.rng.sample([*ends], FAR_ENOUGH)
        return max(Plan(ends[end] + self._worth(end, enemies, token), end) for end in few)

    def _worth(self, here: Heading, enemies: Sequence[Heading], token: float) -> float:
        """How good an end pose is against these enemies, and for the tokens that lie there."""
        worth = token * self.table.token_worth(here) + 0.1 * self.rng.random()
        return worth + sum(_against(here, enemy) for enemy in enemies)


class Plan(NamedTuple):
    """Where a plane might end, and what that is worth."""

    worth: float
    end: Heading


def due_worth(due: Due) -> float:
    """What a die for a Conditional Effect promises, or threatens."""
    return sum(_EFFECTS[check.effect] * (check.high - check.low + 1) / 6 for check in due)


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
