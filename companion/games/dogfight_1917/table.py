"""The hidden table of Dogfight: 1917 and its bots: real cards, dice and planes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from companion.core.board import Piece, Pose
from companion.core.question import Choose, Count, Declare, Ready, Roll, RollAgain
from companion.core.ruling import Carry, Seat
from companion.games.dogfight_1917 import cards
from companion.games.dogfight_1917.asks import (
    FOCUS,
    FREE_REROLL,
    KEEP,
    NO_EVASION,
    NOT_NAMED,
)
from companion.games.dogfight_1917.cards import Fighter
from companion.games.dogfight_1917.engaging import EMERGENCY_REPAIR, END_TURN, REGROUP
from companion.games.dogfight_1917.fight import BASIC_ATTACK, NO_MEANS
from companion.games.dogfight_1917.flying import BLACKOUT, ENGAGE, IMMELMANN, IMPROVISE
from companion.games.dogfight_1917.moves import (
    Readings,
    dues_of,
    faces_rear,
    flyable,
    landings,
    ways_to,
)
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.kit.hexes import Heading, heading_of, pose_of, range_ahead
from companion.kit.playing import HiddenTable

if TYPE_CHECKING:
    from random import Random

    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Maneuver
    from companion.games.dogfight_1917.moves import Due, Way
    from companion.kit.hexes import Hex
    from companion.match.rulebook import Rulebook, Setup

T = TypeVar("T")


# Bot: looks at its own Hand and at the board, aims a little, and now and then errs.

PATIENT_TURNS = 120
"""From then on bots repair nothing and improvise no more, so that every match ends."""

BLUNDERS, SPECIALS, EVADES, SLIPS = 0.06, 0.6, 0.75, 0.1
"""How often a bot errs, pays to attack where it need not, evades when it could, slips aside."""

FOCUSES: Mapping[str, float] = {"fire": 0.5, "evasion": 0.5}
"""How often it pays to roll again, by what the dice are for; elsewhere seldom."""
SELDOM = 0.1

EAGER: Mapping[str, float] = {
    cards.PILOTS[cards.RICHTHOFEN].action: 0.9,
    cards.PILOTS[cards.MACLAREN].action: 0.5,
    cards.PILOTS[cards.MENTOR].action: 0.4,
    cards.PILOTS[cards.FONCK].action: 0.7,
}
"""How often it takes its Pilot Special Action; Fonck's waits for somebody right before him."""

LOW_DECK, FEW_CARDS = 5, 3
ENDS_IN_MIND = 24
"""So many end poses come to a bot's mind, of all the cards that it may fly."""
CHEAP, DEAR = 0.4, 0.8
"""What a token is worth to a bot beside a good shot, and when it must repair."""

_EFFECTS: Mapping[str, float] = {"token": CHEAP, "damage": -1.0, "turn": 0.1, "again": 0.3}

PILOT_ACTIONS = tuple(pilot.action for pilot in cards.PILOTS.values())


class Bot:
    """What one player thinks; the table tells it what it may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng

    # -- menus -----------------------------------------------------------------------------

    def choose(self, question: Choose[Any]) -> str:
        """An answer to any choice, having looked at the own Hand."""
        if question.key.endswith("/fly") and (planned := self.planned(question)):
            return planned
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
            return "one" if self.held(self.table.mover, cards.MANEUVERS) else "none"
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
            (cards.KILLER_INSTINCT, self.may_spare(seat)),
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
        if action == cards.PILOTS[cards.FONCK].action and not self.is_next_ahead(seat):
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
        if self.held(seat, cards.MANEUVERS) and IMMELMANN in names:
            return IMMELMANN
        return BLACKOUT

    def maneuver(self, seat: Seat, names: Sequence[str]) -> str:
        """One of the Maneuver Cards held that can be flown, else a Stall."""
        held = [name for name in self.held(seat, cards.MANEUVERS) if name in names]
        if not held:
            return self.stall(seat, names)
        if self.rng.random() < BLUNDERS:
            held = [self.rng.choice(held)]
        chosen, end = self.planning(seat, held)
        self.table.plan = end.name()
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
        piles = self.table.piles
        return len(piles[seat, "deck"]) <= LOW_DECK and len(piles[seat, "damage"]) > 1

    def patient(self) -> bool:
        """Whether the match may still be drawn out."""
        return self.table.turns < PATIENT_TURNS

    def may_spare(self, seat: Seat) -> bool:
        """A Killer Instinct is held, and it is not all that is."""
        hand = self.table.hand(seat)
        return cards.KILLER_INSTINCT in hand and len(hand) > 1

    # -- windows ---------------------------------------------------------------------------

    def evasion(self, seat: Seat, names: Sequence[str]) -> str:
        """Evade with what is held, mostly, where there is a hit to be evaded."""
        means = [n for n in names if n in self.table.hand(seat) or n == cards.STEEP_DIVE]
        hit = self.table.failing() < len(self.table.rolled)
        if means and hit and self.rng.random() < EVADES:
            return self.rng.choice(means)
        return NO_MEANS if not means and NO_MEANS in names else NO_EVASION

    def discard(self, seat: Seat) -> str:
        """The card that is missed least."""
        hand = self.table.hand(seat)
        spare = [card for card in (cards.CLIMB, cards.DIVE, cards.BASIC) if hand.count(card) > 1]
        card = spare[0] if spare else self.rng.choice(hand)
        self.table.held[seat] = card
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

    def planned(self, question: Choose[Any]) -> str:
        """The end pose that was planned with the card, where it is one; empty otherwise.

        Most are, so that the question need not list all others.
        """
        plan, self.table.plan = self.table.plan, ""
        law = question.law
        named = (one for one in question.options_named(plan) if plan and one.name == plan)
        return next((plan for one in named if law is None or law(one.value) is None), "")

    def place(self, question: Choose[Any]) -> str:
        """Where to fly: behind somebody, now and then anywhere."""
        listed = question.options_now()
        ends = {heading_of(pose): option.name
                for option in listed for pose in (option.shows or {}).values()}  # fmt: skip
        if not ends or self.rng.random() < BLUNDERS:
            return self.rng.choice(listed).name
        worth = self._worth(question.by)
        return ends[max(self.few([*ends]), key=worth)]

    def planning(self, seat: Seat, names: Sequence[str]) -> tuple[str, Heading]:
        """Which of these cards to fly, and where to; the best way to an end pose counts."""
        maneuvers, readings = self.fighter(seat).maneuvers, Readings.of(self.table.house)
        promised = {name: _worth_of_paths(maneuvers[name], readings) for name in names}
        found = {name: self.table.landings(seat, name) for name in names}
        occupied, worth = self.table.occupied(seat), self._worth(seat)
        plans = [(name, end) for name in names for end in found[name] if end.hex not in occupied]

        def promises(plan: tuple[str, Heading]) -> float:
            name, end = plan
            return worth(end) + max(promised[name][way.sides] for way in found[name][end])

        return max(self.few(plans), key=promises)

    def few(self, ends: Sequence[T]) -> Sequence[T]:
        """Those of the end poses that come to mind."""
        return ends if len(ends) <= ENDS_IN_MIND else self.rng.sample(ends, ENDS_IN_MIND)

    def way(self, ways: Sequence[tuple[Way, Due]]) -> str:
        """The way to an end pose that promises most."""
        return str(max(ways, key=lambda found: due_worth(found[1]) + 0.01 * self.rng.random())[0])

    def _worth(self, seat: Seat) -> Callable[[Heading], float]:
        """What tells how good an end pose is against the enemies, and for tokens that lie there."""
        enemies, tokens = self.table.enemies(seat), self.table.token_spaces
        token = DEAR if self.is_low(seat) else CHEAP
        return lambda here: (
            token * tokens.get(here.hex, 0)
            + 0.1 * self.rng.random()
            + sum(_against(here, enemy) for enemy in enemies)
        )


@lru_cache(maxsize=256)
def _worth_of_paths(card: Maneuver, readings: Readings) -> Mapping[tuple[int, ...], float]:
    """What each path of a card promises by itself."""
    return {sides: due_worth(due) for sides, due in dues_of(card, readings).items()}


def due_worth(due: Due) -> float:
    """What a die for a Conditional Effect promises, or threatens."""
    return sum(_EFFECTS[check.effect] * (check.high - check.low + 1) / 6 for check in due)


def _against(here: Heading, enemy: Heading) -> float:
    """A line to shoot along is good, to be shot at is bad, far away is dull."""
    away = here.hex.distance(enemy.hex)
    worth = -0.1 * away
    if away > 3 or not here.hex.is_in_line(enemy.hex):
        return worth
    ahead = range_ahead(here, enemy.hex)
    if ahead is not None:
        worth += 1.5 if faces_rear(here, enemy) and ahead <= 2 else 0.6
    if range_ahead(enemy, here.hex) is not None:
        worth -= 1.0 if faces_rear(enemy, here) else 0.4
    return worth


ALL_CARDS = [card for card, copies in cards.COPIES.items() for _ in range(copies)]


# PhysicalTable: the cards, dice and planes.

HASTY = 0.2
"""How often a plane is flown before its card is named."""


class PhysicalTable(HiddenTable[Dogfight1917, str]):
    """Real decks, hands and models of one match, and the bots that sit there.

    `held` is the card each player holds out, to be laid as ruled; `rolled` the dice as they lie,
    `passes` what they must reach. `card` is the Maneuver last named, `plan` where to, and `way` how
    it was flown.
    """

    rulebook: ClassVar[type[Rulebook[Any]]] = Dogfight1917

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.house = self.rules.options
        self.token_spaces = self.rules.table.token_spaces
        self.flown: dict[Seat, str] = {
            seat: player.fighter or self.rules.said_fighter(seat)
            for seat, player in self.rules.position.players.items()
        }
        self.rolled: tuple[int, ...] = ()
        self.passes = 0
        self.again: Sequence[int] = ()
        self.card: Maneuver | None = None
        self.plan = self.way = ""
        self.mover: Seat = self.rules.position.active
        self.turns = 0
        self.bot = Bot(self)

    def deal(self) -> None:
        """Twenty cards each into piles of the sizes recorded; known ones where they are known."""
        for seat, player in self.rules.position.players.items():
            known = player.piles.known_by_owner()
            self.fill(cards.COPIES, [(seat, pile) for pile in cards.PILES], known)

    # -- what anybody at the table sees ----------------------------------------------------

    def hand(self, seat: Seat) -> Sequence[str]:
        """The cards that a player holds."""
        return self.piles[seat, "hand"]

    def fighter(self, seat: Seat) -> Fighter:
        """What a seat flies."""
        return self.rules.fighters[self.flown[seat]]

    def enemies(self, seat: Seat) -> list[Heading]:
        """Where the opposing models stand."""
        others = (other for other in self.flown if self.rules.is_opponent(seat, other))
        return [self.at(other) for other in others if Piece(self.flown[other]) in self.pieces]

    def at(self, seat: Seat) -> Heading:
        """Where a seat's model stands."""
        return heading_of(self.pieces[Piece(self.flown[seat])])

    def occupied(self, seat: Seat) -> set[Hex]:
        """The spaces on which other models stand."""
        own = self.flown[seat]
        return {heading_of(pose).hex for piece, pose in self.pieces.items() if piece != own}

    def flyable(self, seat: Seat) -> list[str]:
        """Maneuver Cards that have a legal end from where the model stands."""
        board, start, occupied = self.rules.table.board, self.at(seat), self.occupied(seat)
        maneuvers = self.fighter(seat).maneuvers.values()
        return [*flyable(board, start, maneuvers, occupied)]

    def landings(self, seat: Seat, name: str) -> Mapping[Heading, Sequence[Way]]:
        """Where a Maneuver Card may take the model, whoever stands there, and by which ways."""
        card = self.fighter(seat).maneuvers[name]
        return landings(self.rules.table.board, self.at(seat), card.fewest, card.most, card.turns)

    def failing(self) -> int:
        """How many of the dice that lie there are too low."""
        return sum(die < self.passes for die in self.rolled)

    # -- what the bots do ------------------------------------------------------------------

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having looked at their cards."""
        match question:
            case Roll():
                return [*self._roll(question)]
            case Choose():
                return self._choose(question)
            case RollAgain():
                return self._roll_again(question)
            case Count():
                return self._count(question)
            case Declare():
                return self._shown(question)
            case Ready():
                return question.word
            case _:
                raise TypeError(f"the bots of this box know no {question.kind}: {question.key}")

    def _roll_again(self, question: RollAgain) -> str:
        """Whether dice are rolled again, and which, of which the next roll then is."""
        taken = question.judge(self.bot.roll_again(question))
        self.again = taken.value.places
        return str(taken.plain)

    def _roll(self, question: Roll) -> list[int]:
        """All dice of a roll, or those of it that are rolled again."""
        fresh = [self.rng.randint(1, 6) for _ in range(question.dice)]
        if question.key.endswith("/dice"):
            again = dict(zip(self.again or (0,), fresh, strict=True))
            self.rolled = tuple(again.get(n, die) for n, die in enumerate(self.rolled))
        else:
            self.rolled, self.passes = tuple(fresh), question.passes
        self.again = ()
        return fresh

    def _choose(self, question: Choose[Any]) -> str:
        place, *_, last = question.key.split("/")
        if place == "set-up":
            return self._set_up(question)
        if last == "action":
            self.mover, self.turns = question.by, int(place.removeprefix("turn-"))
        said = self.bot.choose(question)
        if said in cards.COPIES:
            self.held[question.by] = said
        if last == "action":
            self.card = self.fighter(question.by).maneuvers.get(said)
        if last == "fly":
            self._fly(question.by, Heading.read(said))
        return said

    def _set_up(self, question: Choose[Any]) -> str:
        """Any Fighter, pilot or corner; who flies what is remembered."""
        said = self.rng.choice(question.options_now()).name
        _, what, seat = question.key.split("/")
        if what == "fighter":
            self.flown[Seat(seat)] = said
            self._give_the_last()
        return said

    def _give_the_last(self) -> None:
        """The last of four Fighters goes to the only seat without one, unasked."""
        free = [piece for piece in self.rules.fighters if piece not in self.flown.values()]
        without = [seat for seat, piece in self.flown.items() if not piece]
        if len(free) == len(without) == 1:
            self.flown[without[0]] = free[0]

    # -- how planes fly --------------------------------------------------------------------

    def moves_first(self, question: Question[Any]) -> Mapping[Piece, Pose]:
        """Now and then a plane is flown before its card is named."""
        if not question.key.endswith("/action") or self.card is None:
            return {}
        if self.rng.random() >= HASTY:
            return {}
        return {Piece(self.flown[question.by]): pose_of(Heading.read(self.plan))}

    def _fly(self, seat: Seat, end: Heading) -> None:
        """How the plane is flown to where it is put.  (DF-9.6)"""
        board, readings = self.rules.table.board, Readings.of(self.house)
        ways = ways_to(board, self.at(seat), self.card, end, readings) if self.card else []
        self.way = self.bot.way(ways) if ways else ""

    # -- what else is told -----------------------------------------------------------------

    def _count(self, question: Count) -> int:
        if question.key.endswith("/shuffled"):
            return min(question.most, self.rng.randint(0, 3))
        return question.most

    def _shown(self, question: Declare) -> Json:
        """The cards that lie face up on top of the Discard Pile, if somebody reads them out."""
        if self.rng.random() < 0.5:
            return dict.fromkeys(question.parts, 0)
        top = self.piles[question.by, "discard"][-question.most :]
        return {card: top.count(card) for card in question.parts}

    # -- what hands do as ruled ------------------------------------------------------------

    def carry(self, deed: Carry) -> None:
        """Out of the Hand what is held out, into the box what the first game leaves out."""
        if deed.source == "hand":
            chosen = self._out_of_hand(deed)
        elif deed.target == "box" and self.rules.is_first_game():
            chosen = self._first_game_cards(deed)
        else:
            super().carry(deed)
            return
        source, target = self.pile(deed.owner, deed.source), self.pile(deed.owner, deed.target)
        for card in chosen:
            source.remove(card)
            target.append(card)

    def _out_of_hand(self, deed: Carry) -> list[str]:
        """The card that its owner holds out; else any, as for Lewis Guns or a redraw."""
        hand = self.piles[deed.owner, "hand"]
        card = self.held.pop(deed.owner, None)
        if card is not None and deed.count == 1 and card in hand:
            return [card]
        return self.rng.sample(hand, deed.count)

    def _first_game_cards(self, deed: Carry) -> list[str]:
        if deed.source == "played":
            return self.piles[deed.owner, "played"][-deed.count :]
        return [card for card, count in cards.FIRST_GAME_OUT.items() for _ in range(count)]
