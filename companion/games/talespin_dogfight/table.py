"""The hidden table of the TaleSpin dogfight and its bots: real cards and planes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core.errors import IllegalAnswer
from companion.core.question import Choose, Count
from companion.core.ruling import TABLE, Carry, Seat
from companion.games.talespin_dogfight import asks
from companion.games.talespin_dogfight.maneuvers import BY_PILOT, BY_RANGE, Maneuver
from companion.games.talespin_dogfight.position import TalespinPosition
from companion.games.talespin_dogfight.rules import TalespinDogfight
from companion.games.talespin_dogfight.seats import DISCARD, DRAW, HAND, MANEUVERS, OPEN, PACKED
from companion.games.talespin_dogfight.steps import SET_UP
from companion.kit.playing import HiddenTable

if TYPE_CHECKING:
    from random import Random

    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.figures import Figures
    from companion.match.rulebook import Rulebook, Setup


# Bot: looks at its own hand and at the table, and now and then gives up.

BOLD, IMPROVISES, GIVES_UP, TERSE, WRITES, AT_ONCE = 0.6, 0.05, 0.05, 0.3, 0.4, 0.2
"""How often a bot plays a window card it holds, a card that nobody has written down, gives up
though able, tells a maneuver by its value alone, records an effect of an unwritten card, passes
for everybody whose window comes next."""


class Bot:
    """What the players think; the table tells them what they may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng
        self.starter: Card | None = None
        self.laid: Maneuver | None = None

    # -- numbers ---------------------------------------------------------------------------

    def count(self, question: Count) -> int:
        """A number that is read off cards, or counted."""
        place, what = question.key.split("/")[-2:]
        pilot, reach, _ = self.table.characters.get(question.by, (0, 0, None))
        if place in ("pilot", "range"):
            return {"pilot": pilot, "range": reach}[place]
        if place == "pile":
            return len(self.table.pile(TABLE, what))
        if place == "printed":
            return self._printed(question.by, what)
        if what in ("damage", "draw") and self.laid is not None:
            return {"damage": self.laid.damage, "draw": self.laid.draw}[what]
        if question.key.startswith("set-up/"):
            return len(self.table.pile(question.by, place))
        return self.rng.choice(question.options_now()[:3]).value

    def _printed(self, seat: Seat, what: str) -> int:
        """What the card that starts the dogfight says."""
        card = self.starter
        edge = card.maneuver if card is not None else self.table.characters[seat][2]
        pilot = card.pilot if card is not None else 0
        return {"pilot": pilot, "value": edge.value, "damage": edge.damage, "draw": edge.draw}[what]

    # -- choices ---------------------------------------------------------------------------

    def choose(self, question: Choose[Any]) -> Json:
        """An answer to any choice."""
        what, seat = question.key.split("/")[-1], question.by
        if question.key.startswith("set-up/place/"):
            return self.table.locations[seat]
        if question.key.endswith("/maneuver"):
            return self.maneuver(question)
        if "/effect/" in question.key:
            return self.effect(question)
        names = [option.name for option in question.options_now()]
        if question.key.endswith("/announce/card"):
            return self.announce(seat, names)
        known = {
            "card": self.card, "player-card": self.player_card, "decides": self.defends,
            "opened": self.opened, "kind": self.damage,
        }  # fmt: skip
        return known[what](seat, names) if what in known else self.rng.choice(names)

    def card(self, seat: Seat, names: Sequence[str]) -> str:
        """A card of a window, or the one to be taken."""
        if asks.PASS in names:
            return self.window_card(seat, names)
        return self.rng.choice(names)

    def announce(self, seat: Seat, names: Sequence[str]) -> str:
        """A Pilot card of the hand, or RANGE where somebody is near; else nothing."""
        pilots = [card for card in self.table.hand(seat) if card.kind == "pilot"]
        near = BY_RANGE in names
        self.starter = None
        if pilots and not (near and self.rng.random() < 0.4):
            self.starter = self.rng.choice(pilots)
            self.table.held[seat], self.table.exchange[seat] = self.starter, 1
            return self.starter.title or BY_PILOT
        return BY_RANGE if near else asks.NO_DOGFIGHT

    def player_card(self, seat: Seat, names: Sequence[str]) -> str:
        """The title of the own Player card, if the table's file has it."""
        title = self.table.characters[seat][2].title
        return title if title in names else asks.TYPED

    def window_card(self, seat: Seat, names: Sequence[str]) -> str:
        """Mostly pass; now and then a card that names the moment, or an unwritten one."""
        rng, hand = self.rng, self.table.hand(seat)
        fitting = [card for card in hand if card.kind == "window" and card.title in names]
        if fitting and rng.random() < BOLD:
            self.table.held[seat] = card = rng.choice(fitting)
            return card.title
        if hand and rng.random() < IMPROVISES:
            self.table.held[seat] = rng.choice(hand)
            return asks.ANOTHER
        return (
            asks.NOBODY_PLAYS
            if asks.NOBODY_PLAYS in names and rng.random() < AT_ONCE
            else asks.PASS
        )

    def effect(self, question: Choose[Any]) -> str:
        """What an unwritten card does: mostly nothing for the record."""
        if self.rng.random() > WRITES or question.key.endswith("/4"):
            return asks.NOTHING
        return self.rng.choice(question.options_now()).name

    def defends(self, seat: Seat, names: Sequence[str]) -> str:
        """Mostly, and the more so with cards in hand."""
        brave = bool(self.table.hand(seat)) and self.rng.random() < 0.85
        return asks.DEFEND if brave else asks.DECLINE

    def damage(self, seat: Seat, names: Sequence[str]) -> str:
        """Any Damage that can be done."""
        return self.rng.choice(names)

    def opened(self, seat: Seat, names: Sequence[str]) -> str:
        """What the packed card is that lies on top."""
        card = self.table.pile(seat, PACKED)[-1]
        return {"cargo": asks.CARGO, "artifact": asks.ARTIFACT}.get(card.kind, asks.BLUFF)

    # -- maneuvers -------------------------------------------------------------------------

    def maneuver(self, question: Choose[Any]) -> str:
        """A card of the hand that is good enough, or none."""
        seat = question.by
        self.table.exchange[seat] = int(question.key.split("/")[1].rpartition("-")[2])
        fitting = [card for card in self.table.pile(seat, HAND) if _takes(question, card)]
        if not fitting or self.rng.random() < GIVES_UP:
            return self._give_up(question)
        self.table.held[seat] = card = self.rng.choice(fitting)
        self.laid = card.maneuver
        return self.told(card)

    def _give_up(self, question: Choose[Any]) -> str:
        """Concede or stop, where the house lets one."""
        none = asks.STOP if "/attack-" in question.key else asks.CONCEDE
        names = [option.name for option in question.options_now()]
        if none in names:
            return none
        seat = question.by
        self.table.held[seat] = card = self.rng.choice(self.table.hand(seat))
        self.laid = card.maneuver
        return self.told(card)

    def told(self, card: Card) -> str:
        """By title where the table's file has that very maneuver, else by value alone."""
        edge = card.maneuver
        written = self.table.figures.maneuvers.get(edge.title) == edge
        if written and (edge.any_answer or self.rng.random() > TERSE):
            return edge.title
        return str(edge.value)


def _takes(question: Choose[Any], card: Card) -> bool:
    """Whether a maneuver is good enough as things stand on the table."""
    edge = card.maneuver
    try:
        question.judge(edge.title if edge.any_answer else str(edge.value))
    except IllegalAnswer:
        return False
    return True


# PhysicalTable: the cards and planes.

CARGO_CARDS, ARTIFACT_CARDS, PILOT, WINDOW, OTHER = "cargo", "artifact", "pilot", "window", "other"
DECK_SIZE = 120
_KINDS, _SHARES = (CARGO_CARDS, ARTIFACT_CARDS, PILOT, WINDOW, OTHER), (30, 6, 24, 30, 10)
_HANDS, _PACKED, _OPEN = (3, 8), (0, 3), (0, 2)
"""Cards in hand and cargo of a player at the start, fewest and most."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card of the deck: what it is, and the maneuver at its edge."""

    kind: str
    title: str
    maneuver: Maneuver
    pilot: int = 0


class PhysicalTable(HiddenTable[TalespinDogfight, Card]):
    """The real deck, hands, cargo and planes of one match, and the bots that sit there.

    `held` is the card that a player is about to lay or discard, `locations` is where the planes go
    that are not on the ring yet, `laid` the maneuvers on the table by player and exchange ("A2").
    """

    rulebook: ClassVar[type[Rulebook[Any]]] = TalespinDogfight
    hands: ClassVar[tuple[str, ...]] = (HAND, PACKED)

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.exchange: dict[Seat, int] = {}
        self.laid: dict[str, Card] = {}
        self.locations: dict[Seat, int] = {}
        self.characters: dict[Seat, tuple[int, int, Maneuver]] = {}
        super().__init__(setup, rng)
        self.bot = Bot(self)

    # -- laying out ------------------------------------------------------------------------

    @property
    def figures(self) -> Figures:
        """What this table's own copy says of cards and ring."""
        return self.rules.table

    def deal(self) -> None:
        """A deck of any cards; before the set-up into piles of any size, else of those recorded."""
        cards = self._deck()
        if self.rules.position.step == SET_UP:
            self._deal_fresh(cards)
        else:
            self._deal(cards, self.rules.position)

    def _deck(self) -> list[Card]:
        """Every card has a maneuver at its edge, whatever else it is."""
        return self._cards(self.rng.choices(_KINDS, _SHARES, k=DECK_SIZE))

    def _cards(self, kinds: Sequence[str]) -> list[Card]:
        """A card of each of these kinds."""
        maneuvers = [*self.figures.maneuvers.values()]
        return [self._card(kind, maneuvers) for kind in kinds]

    def _card(self, kind: str, maneuvers: Sequence[Maneuver]) -> Card:
        rng = self.rng
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
        for seat in self.rules.position.players:
            for pile, (low, high) in {HAND: _HANDS, PACKED: _PACKED, OPEN: _OPEN}.items():
                self._take(cards, (seat, pile), rng.randint(low, high))
            self.locations[seat] = rng.randint(1, self.figures.locations)
            self.characters[seat] = self._character()
        self._take(cards, (TABLE, DISCARD), rng.randint(0, 12))
        self._take(cards, (TABLE, DRAW), rng.choice((len(cards), rng.randint(0, 6))))

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
        for pile, count in position.pile_counts().items():
            if pile[1] != MANEUVERS:
                self._take(cards, pile, count)
        for one in position.on_table():
            card = Card(OTHER, "", one.maneuver)
            self.piles[one.seat, MANEUVERS].append(card)
            self.laid[one.name] = card
        for seat, player in position.players.items():
            self.characters[seat] = (player.pilot, player.range, self._edge(6))

    def _take(self, cards: list[Card], pile: tuple[Seat, str], count: int) -> None:
        cards += self._cards([OTHER] * (count - len(cards)))
        self.piles[pile] += cards[:count]
        del cards[:count]

    # -- what anybody at the table sees ----------------------------------------------------

    def hand(self, seat: Seat) -> Sequence[Card]:
        """The cards that a player holds."""
        return self.piles[seat, HAND]

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

    def carry(self, deed: Carry) -> None:
        """As ruled; a card among the maneuvers belongs to the exchange under way."""
        super().carry(deed)
        if deed.target == MANEUVERS:
            card = self.pile(deed.owner, MANEUVERS)[-1]
            self.laid[f"{deed.owner}{self.exchange.get(deed.owner, 1)}"] = card

    def picked(self, deed: Carry, source: Sequence[Card]) -> Card:
        """The maneuver of an exchange where the deed names one; else as in any box."""
        pile, _, exchange = deed.source.partition("/")
        return self.laid[f"{pile[0]}{exchange}"] if exchange else super().picked(deed, source)
