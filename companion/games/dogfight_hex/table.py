"""The hidden table of Dogfight! hex ships and its bots: real cards, ships and wreckage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core.question import Choose, Count, Ready, Reveal
from companion.core.ruling import Seat
from companion.games.dogfight_hex.asks import ANCHORED, LOT
from companion.games.dogfight_hex.cards import ATTACKS, LONG, MEDIUM, SHORT
from companion.games.dogfight_hex.move_refusals import STAY
from companion.games.dogfight_hex.moves import (
    beams,
    front_cone,
    in_front,
    in_short_range,
    ways,
)
from companion.games.dogfight_hex.rules import DogfightHex
from companion.games.dogfight_hex.seats import (
    CARD,
    DEBRIS_OF,
    HAND,
    MEDIUM_RANGE,
    MOVE_STEPS,
    SHIPS,
    SHORT_RADIUS,
    WRECKAGE,
)
from companion.kit.hexes import Heading, Hex, HexMap, heading_of, hexagon
from companion.kit.playing import HiddenTable

if TYPE_CHECKING:
    from random import Random

    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.match.rulebook import Rulebook, Setup


# Bot: looks at its own hand and at the map, aims a little, and now and then errs.

BLUNDERS, SHIELDS_UP, LOTS, IDLE = 0.08, 0.3, 0.3, 0.3
"""How often a bot moves anywhere, lays a shield, has a lot drawn, lets its debris lie."""

PATIENT_TURNS = 60
"""From then on bots lay shields only if they hold nothing else, so that every match ends."""

ENDS_IN_MIND = 30
"""So many ends of a movement come to a bot's mind; those that something bars are forgotten."""

_CONE = front_cone()


@lru_cache(maxsize=16)
def _ways_on_empty_map(facing: int, *, anchored: bool) -> Sequence[tuple[Heading, Sequence[Hex]]]:
    """Every end of a movement from 0,0, with the spaces entered on a shortest way to it."""
    start = Heading(Hex(0, 0), facing)
    found = ways(HexMap(hexagon(MOVE_STEPS)), start, (), anchored=anchored)
    entered = ({pose.hex for pose in way.poses} - {start.hex} for way in found.values())
    return [*zip(found, map(tuple, entered), strict=True)]


class Bot:
    """What one player thinks; the table tells it what it may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng

    def card(self, seat: Seat) -> str:
        """The card to declare: mostly an attack, at times a shield."""
        hand = self.table.hand(seat)
        attacks = [card for card in hand if card in ATTACKS]
        shields = [card for card in hand if card not in ATTACKS]
        careful = self.table.turns < PATIENT_TURNS and self.rng.random() < SHIELDS_UP
        return self.rng.choice((careful and shields) or attacks or shields)

    def choose(self, question: Choose[Any]) -> str:
        """An answer to any choice."""
        what = question.key.split("/")[1]
        if what == "move":
            return self.move(question.by, anchored=question.cite == ANCHORED)
        names = [option.name for option in question.options_now()]
        if what == "debris" and STAY in names:
            return self.drift(names)
        if what in ("first", "wreckage") and LOT in names:
            return LOT if self.rng.random() < LOTS else self.rng.choice(names)
        return self.rng.choice(names)

    def drift(self, names: Sequence[str]) -> str:
        """Ram somebody where that can be done; else drift about, or lie."""
        rams = [name for name in names if " ram " in name]
        if rams and self.rng.random() > BLUNDERS:
            return self.rng.choice(rams)
        return STAY if self.rng.random() < IDLE else self.rng.choice(names)

    # -- moving ----------------------------------------------------------------------------

    def move(self, seat: Seat, *, anchored: bool) -> str:
        """Where the declared card is worth most, of the ends that come to mind.

        It finds the ends itself: the question would list them all, each in words.
        """
        ships = self.table.ships()
        here = ships[seat]
        others = [place for other, place in ships.items() if other != seat]
        ends = self._ends(here, others, anchored=anchored)
        if self.rng.random() < BLUNDERS:
            return self._named(self.rng.choice(ends), here)
        reached = self._aim(self.table.declared(seat), seat, ships)
        return self._named(max(ends, key=lambda end: self._worth(end, others, reached)), here)

    def _ends(self, here: Heading, others: Sequence[Heading], *, anchored: bool) -> list[Heading]:
        """Some ends that can be reached the way one would go on an empty map; to stay if none."""
        (q, r), facing = here
        spaces = self.table.board.spaces
        blocked = self.table.obstacles() | {other.hex for other in others}
        ways = _ways_on_empty_map(facing, anchored=anchored)
        return [
            Heading(Hex(q + end.hex.q, r + end.hex.r), end.facing)
            for end, entered in self.rng.sample(ways, min(len(ways), ENDS_IN_MIND))
            if all(
                (space := (q + dq, r + dr)) in spaces and space not in blocked for dq, dr in entered
            )
        ] or [here]

    def _named(self, end: Heading, here: Heading) -> str:
        return STAY if end == here else end.name(self.table.rules.table.facings)

    def _worth(
        self, here: Heading, others: Sequence[Heading], reached: Callable[[Heading], int]
    ) -> float:
        """How good an end is: whom the own card reaches from it, who may reach it."""
        worth = 0.1 * self.rng.random()
        worth += 2.0 * reached(here)
        for there in others:
            away = here.hex.distance(there.hex)
            worth -= 0.05 * away
            worth -= 0.3 * (away <= SHORT_RADIUS)
            worth -= 0.2 * (away <= MEDIUM_RANGE and in_front(there, here.hex, _CONE))
        return worth

    def _aim(
        self, card: str, seat: Seat, ships: Mapping[Seat, Heading]
    ) -> Callable[[Heading], int]:
        """What tells how many ships a card would hit from an end."""
        others = {other: place for other, place in ships.items() if other != seat}
        if card == SHORT:
            return lambda here: sum(in_short_range(here, at.hex) for at in others.values())
        if card == MEDIUM:
            return lambda here: any(in_front(here, at.hex, _CONE) for at in others.values())
        if card != LONG:
            return lambda _here: 0
        board, blocked = self.table.board, self.table.obstacles()
        standing: dict[Hex, list[Seat]] = {}
        for other, there in others.items():
            standing.setdefault(there.hex, []).append(other)
        return lambda here: max(len(beam.hits) for beam in beams(board, here, standing, blocked))


# PhysicalTable: the cards, ships and wreckage.


class PhysicalTable(HiddenTable[DogfightHex, str]):
    """The real deck, hands and tokens of one match, and the bots that sit there."""

    rulebook: ClassVar[type[Rulebook[Any]]] = DogfightHex

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.seats = tuple(self.rules.position.ships)
        self.board: HexMap = self.rules.table.board
        self.turns = 0
        self.bot = Bot(self)

    def deal(self) -> None:
        """All cards into piles of the sizes recorded; known ones lie where they are known."""
        self.fill(self.rules.table.deck, known=self.rules.position.deck.piles.known_by_owner())

    # -- what anybody at the table sees ----------------------------------------------------

    def hand(self, seat: Seat) -> Sequence[str]:
        """The cards that a player holds."""
        return self.piles[seat, HAND]

    def declared(self, seat: Seat) -> str:
        """The card that lies before a player, or is about to be laid."""
        lying = self.piles[seat, CARD]
        return lying[-1] if lying else self.held.get(seat, "")

    def ships(self) -> dict[Seat, Heading]:
        """The living ships and where they look."""
        there = ((seat, self.pieces.get(SHIPS[seat])) for seat in self.seats)
        return {seat: heading_of(pose) for seat, pose in there if pose is not None}

    def obstacles(self) -> set[Hex]:
        """The spaces with wreckage or debris."""
        lying = (*WRECKAGE, *DEBRIS_OF.values())
        return {Hex.read(self.pieces[piece].space) for piece in lying if piece in self.pieces}

    # -- what the bots do ------------------------------------------------------------------

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having looked at their cards."""
        match question:
            case Reveal():
                return self.declared(question.by)
            case Choose():
                return self.bot.choose(question)
            case Count():
                return self.rng.randint(question.low, question.most)
            case Ready():
                self._get_ready(question)
                return question.word
            case _:
                raise TypeError(f"the bots of this box know no {question.kind}: {question.key}")

    def _get_ready(self, question: Ready) -> None:
        """Whoever declares picks a card of the hand first."""
        place, _, what = question.key.partition("/")
        if what.startswith("declare/"):
            self.turns = int(place.removeprefix("turn-"))
            self.held[question.by] = self.bot.card(question.by)
