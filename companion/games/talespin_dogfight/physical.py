"""The hidden table: real cards and planes, as bots and the demonstration move them.

It stands for cardboard. The bots' acts choose cards; the rulings' deeds move cards and tokens as
hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece, Pose
from companion.core.question import Choose, Count
from companion.core.ruling import Carry, Deed, Move, Seat, Shuffle
from companion.games.talespin_dogfight.bots import Bot
from companion.games.talespin_dogfight.layout import (
    DISCARD,
    DRAW,
    HAND,
    MANEUVERS,
    OPEN,
    PACKED,
    SET_UP,
)
from companion.games.talespin_dogfight.maneuver import Maneuver
from companion.games.talespin_dogfight.position import TalespinPosition, pile_names
from companion.games.talespin_dogfight.rules import TalespinDogfight
from companion.kit.piles import own_pile

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.figures import Figures
    from companion.match.rulebook import Setup

CARGO, ARTIFACT, PILOT, WINDOW, OTHER = "cargo", "artifact", "pilot", "window", "other"
DECK_SIZE = 120
_KINDS, _SHARES = (CARGO, ARTIFACT, PILOT, WINDOW, OTHER), (30, 6, 24, 30, 10)
_HANDS, _PACKED, _OPEN = (3, 8), (0, 3), (0, 2)
"""Cards in hand and cargo of a player at the start, fewest and most."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card of the deck: what it is, and the maneuver at its edge."""

    kind: str
    title: str
    maneuver: Maneuver
    pilot: int = 0


class PhysicalTable:
    """The real deck, hands, cargo and planes of one match, and the bots that sit there.

    A match that starts in the middle of a dogfight gets cards dealt at random into piles of the
    sizes that its position names. `chosen` is the card that a player is about to lay or discard,
    `locations` is where the planes go that are not on the ring yet, `laid` the maneuvers on the
    table by player and exchange ("A2").
    """

    def __init__(self, setup: Setup, rng: Random) -> None:
        rules = TalespinDogfight.in_variants(setup.variants)(setup)
        self.rng = rng
        self.figures: Figures = rules.table
        self.seats = tuple(rules.position.players)
        self.piles: dict[str, list[Card]] = {pile: [] for pile in pile_names(self.seats)}
        self.chosen: dict[Seat, Card] = {}
        self.exchange: dict[Seat, int] = {}
        self.laid: dict[str, Card] = {}
        self.tokens: dict[Piece, Pose] = dict(rules.position.placement())
        self.locations: dict[Seat, int] = {}
        self.characters: dict[Seat, tuple[int, int, Maneuver]] = {}
        self.bot = Bot(self)
        cards = self._deck()
        if rules.position.step == SET_UP:
            self._deal_fresh(cards)
        else:
            self._deal(cards, rules.position)

    # -- laying out ------------------------------------------------------------------------

    def _deck(self) -> list[Card]:
        """Every card has a maneuver at its edge, whatever else it is."""
        return [self._card(self.rng.choices(_KINDS, _SHARES)[0]) for _ in range(DECK_SIZE)]

    def _card(self, kind: str) -> Card:
        rng, maneuvers = self.rng, list(self.figures.maneuvers.values())
        edge = rng.choice(maneuvers) if maneuvers else Maneuver("", rng.randint(1, 13))
        if kind == PILOT and self.figures.pilots and rng.random() < 0.6:
            title = rng.choice(list(self.figures.pilots))
            card = self.figures.pilots[title]
            return Card(kind, title, card.maneuver, card.pilot)
        if kind == PILOT:
            return Card(kind, "", self._edge(rng.randint(3, 9)), rng.randint(1, 4))
        if kind == WINDOW and self.figures.windows:
            return Card(kind, rng.choice(list(self.figures.windows)), edge)
        return Card(kind, "", edge)

    def _edge(self, value: int) -> Maneuver:
        return Maneuver("", value, self.rng.randint(0, 2), self.rng.randint(0, 2))

    def _deal_fresh(self, cards: list[Card]) -> None:
        """Hands, cargo and discards as in the middle of a game; planes somewhere on the ring."""
        rng = self.rng
        for seat in self.seats:
            for pile, (low, high) in {HAND: _HANDS, PACKED: _PACKED, OPEN: _OPEN}.items():
                self._take(cards, own_pile(seat, pile), rng.randint(low, high))
            self.locations[seat] = rng.randint(1, self.figures.locations)
            self.characters[seat] = self._character()
        self._take(cards, DISCARD, rng.randint(0, 12))
        self._take(cards, DRAW, rng.choice((len(cards), rng.randint(0, 6))))

    def _character(self) -> tuple[int, int, Maneuver]:
        """PILOT, RANGE and maneuver of a Player card, with some Passengers."""
        rng = self.rng
        known = list(self.figures.characters.values())
        if known and rng.random() < 0.7:
            card = rng.choice(known)
            return (card.pilot + rng.randint(0, 2), card.range, card.maneuver)
        return (rng.randint(1, 4), rng.randint(0, 4), self._edge(rng.randint(4, 8)))

    def _deal(self, cards: list[Card], position: TalespinPosition) -> None:
        """Piles of the sizes named; the maneuvers on the table are as they lie there."""
        for pile, count in position.piles.counts.items():
            if not pile.endswith(MANEUVERS):
                self._take(cards, pile, count)
        for one in position.on_table():
            card = Card(OTHER, "", one.maneuver)
            self.piles[own_pile(one.seat, MANEUVERS)].append(card)
            self.laid[one.name] = card
        for seat, player in position.players.items():
            self.characters[seat] = (player.pilot, player.range, self._edge(6))

    def _take(self, cards: list[Card], pile: str, count: int) -> None:
        while len(cards) < count:
            cards.append(self._card(OTHER))
        self.piles[pile] += cards[:count]
        del cards[:count]

    # -- what anybody at the table sees ----------------------------------------------------

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each plane lies."""
        return dict(self.tokens)

    def hand(self, seat: Seat) -> Sequence[Card]:
        """The cards that a player holds."""
        return self.piles[own_pile(seat, HAND)]

    def pile(self, seat: Seat, name: str) -> list[Card]:
        """A pile of the table, or a player's own."""
        return self.piles[name] if name in self.piles else self.piles[own_pile(seat, name)]

    # -- what the bots do ------------------------------------------------------------------

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having looked at their cards."""
        match question:
            case Choose():
                return self.bot.choose(question)
            case Count():
                return self.bot.count(question)
            case _:
                raise TypeError(f"the bots of this box know no {question.kind}: {question.key}")

    # -- what hands do as ruled ------------------------------------------------------------

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        for deed in deeds:
            match deed:
                case Move(piece, _, now) if now is not None:
                    self.tokens[piece] = now
                case Carry():
                    self._carry(deed)
                case Shuffle(_, _, source, target):
                    self.piles[target] += self.piles[source]
                    self.piles[source] = []
                    self.rng.shuffle(self.piles[target])
                case _:
                    pass

    def _carry(self, deed: Carry) -> None:
        pile, _, exchange = deed.source.partition("/")
        source, target = self.pile(deed.owner, pile), self.pile(deed.owner, deed.target)
        if deed.count > len(source):
            raise ValueError(f"{deed.owner}: {deed.count} of {len(source)} cards: {deed.source}")
        for _ in range(deed.count):
            card = self._picked(deed, pile, exchange, source)
            source.remove(card)
            target.append(card)
            if deed.target == MANEUVERS:
                self.laid[f"{deed.owner}{self.exchange.get(deed.owner, 1)}"] = card

    def _picked(self, deed: Carry, pile: str, exchange: str, source: Sequence[Card]) -> Card:
        """The card that was chosen, the maneuver of an exchange, else the top one."""
        if exchange:
            return self.laid[f"{pile[0]}{exchange}"]
        chosen = self.chosen.pop(deed.owner, None) if deed.source in (HAND, PACKED) else None
        return chosen if chosen in source and chosen is not None else source[-1]
