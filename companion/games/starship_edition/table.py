"""The hidden table of Starship Edition and its bots: real cards and ships.

It stands for cardboard. The bots' acts choose cards; the rulings' deeds move cards and ships as
hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core.question import Choose, ChooseSome, Count, Order, Ready
from companion.core.ruling import Carry, Seat
from companion.games.starship_edition import seats
from companion.games.starship_edition.asks import DONE
from companion.games.starship_edition.boards import Spot, read_spot
from companion.games.starship_edition.cards import UNKNOWN
from companion.games.starship_edition.effects import FREE, NOTHING_MORE
from companion.games.starship_edition.player import card_of
from companion.games.starship_edition.preparing import (
    ABILITY,
    DRIFT,
    END,
    EXCHANGE,
    SECOND,
    SWAP,
)
from companion.games.starship_edition.rules import StarshipEdition
from companion.games.starship_edition.seats import tier_pile
from companion.kit.playing import HiddenTable
from companion.match.rulebook import Rulebook

if TYPE_CHECKING:
    from companion.core.question import Option, Question
    from companion.core.ruling import Json
    from companion.games.starship_edition.player import Player
    from companion.match.rulebook import Setup


# Bot: looks at its hand and at the map, closes in, shoots, and now and then errs.

FEW_CARDS = 4
"""With fewer in hand a bot likes to draw."""
FAR, NEAR = 4, 2
"""Spaces: farther away it moves first; nearer it does not go."""
BLUNDERS, REARRANGES, DECLARES, DOUBLES, RESPONDS = 0.05, 0.1, 0.3, 0.5, 0.8
"""How often it errs, rearranges, uses an ability, sets a second card, plays from hand."""
AIMS = 0.5
"""How often it picks the card that fits where the enemies are."""
PATIENT_TURNS = 60
"""From then on it keeps to shooting, so that every match ends."""


class Bot:
    """What one player thinks; the table tells it what it may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng

    def choose(self, question: Choose[Any]) -> str:
        """An answer to any choice."""
        options = list(question.options_now())
        names = [option.name for option in options]
        seat, parts = question.by, question.key.split("/")
        last = parts[-1]
        if len(parts) == 4 and parts[1] == "prepare":
            return self.prepare(seat, names, parts[0])
        if last in ("primary", "secondary"):
            number = next(part for part in parts if part.startswith("tier-"))
            pile = f"{number}b" if last == "secondary" else number
            return self.table.named(self.table.piles[seat, pile][-1])
        if last == "card":
            return self.respond(seat, names)
        if parts[-2] == "move":
            return self.destination(seat, options)
        if last in ("spent", "pay", "draw", "wanted", "permits", "sure"):
            return "yes" if self.rng.random() < RESPONDS else "no"
        if last in ("which", "top") and UNKNOWN in names:
            return self.show(seat, last)
        return self.declare(last, names)

    def declare(self, what: str, names: Sequence[str]) -> str:
        """What a card costs and does that nobody has typed in: seldom much."""
        few = names
        if what == "price" and self.rng.random() < RESPONDS:
            return FREE if FREE in names else NOTHING_MORE
        if what == "effect":
            few = [name for name in names if name not in ("attack", "second card", "extra tier")]
            if self.rng.random() < DOUBLES:
                return NOTHING_MORE
        return self.rng.choice(few)

    # -- Preparation -----------------------------------------------------------------------

    def prepare(self, seat: Seat, names: Sequence[str], turn: str) -> str:
        """The next thing to do: seldom something odd, mostly a tier."""
        rng = self.rng
        hasty = int(turn.rpartition("-")[2]) > PATIENT_TURNS
        if DRIFT in names:
            return DRIFT
        odd = [name for name in names if name.startswith((SWAP, EXCHANGE))]
        if odd and not hasty and rng.random() < REARRANGES:
            return self._hold_any(seat, rng.choice(odd))
        paid = [name for name in names if name.startswith(ABILITY) and "FIX" not in name]
        if paid and rng.random() < DECLARES:
            return rng.choice(paid)
        if SECOND in names and self._sets_second(seat):
            return SECOND
        if END in names:
            return END
        return self.tier(seat, names)

    def tier(self, seat: Seat, names: Sequence[str]) -> str:
        """Draw, set or pass; a card for the Preparation if there is one."""
        hand = self.table.piles[seat, seats.HAND]
        for card in hand:
            if f"{seats.PLAY} {card}" in names:
                self.table.held[seat] = card
                return f"{seats.PLAY} {card}"
        useful = [card for card in hand if self._is_set(card)]
        thin = len(hand) < FEW_CARDS or not useful
        if seats.DRAW in names and (thin or self.rng.random() < BLUNDERS):
            return seats.DRAW
        if seats.SET in names and useful:
            self.table.held[seat] = self._best(seat, useful)
            return seats.SET
        if seats.SET in names and seats.DRAW not in names:
            self.table.held[seat] = self.rng.choice(hand)  # for what it may be worth
            return seats.SET
        return seats.DRAW if seats.DRAW in names else seats.PASS

    def _is_set(self, card: str) -> bool:
        known = self.table.cards.get(card)
        return known is None or known.is_set

    def _best(self, seat: Seat, cards: Sequence[str]) -> str:
        """A shot if somebody is near, a move if nobody is; sometimes any."""
        kind = "ATTACK" if self._nearest(seat) <= FAR else "MOVE"
        fitting = [card for card in cards if (k := self.table.cards.get(card)) and k.type == kind]
        wanted = fitting if fitting and self.rng.random() < AIMS else cards
        return self.rng.choice(list(wanted))

    def _sets_second(self, seat: Seat) -> bool:
        """Behind a card that permits it, an attack; now and then an error."""
        piles = self.table.piles
        number = max(n for n in range(1, 10) if piles[seat, f"tier-{n}"])
        first = self.table.cards.get(piles[seat, f"tier-{number}"][-1])
        shots = [card for card in piles[seat, seats.HAND]
                 if (known := self.table.cards.get(card)) and known.type == "ATTACK"
                 and known.is_set]  # fmt: skip
        permitted = first is not None and first.permits_secondary is not None
        chance = DOUBLES if permitted else BLUNDERS / 5
        if not shots or self.rng.random() > chance:
            return False
        self.table.held[seat] = self.rng.choice(shots)
        return True

    def _hold_any(self, seat: Seat, act: str) -> str:
        hand = [card for card in self.table.piles[seat, seats.HAND] if self._is_set(card)]
        if act.startswith(EXCHANGE) and hand:
            self.table.held[seat] = self.rng.choice(hand)
        return act

    # -- attacks and moves -----------------------------------------------------------------

    def respond(self, seat: Seat, names: Sequence[str]) -> str:
        """A card from the hand that fits the moment, if there is one."""
        hand = self.table.piles[seat, seats.HAND]
        fitting = [card for card in hand if card in names]
        if not fitting or self.rng.random() > RESPONDS:
            return DONE
        self.table.held[seat] = self.rng.choice(fitting)
        return self.table.held[seat]

    def show(self, seat: Seat, which: str) -> str:
        """A card that is put down face up, or the one on top of the deck."""
        if which == "top":
            return self.table.named(self.table.piles[seat, "deck"][-1])
        card = self.rng.choice(self.table.piles[seat, seats.HAND])
        self.table.held[seat] = card
        return self.table.named(card)

    def destination(self, seat: Seat, options: Sequence[Option[Any]]) -> str:
        """A space nearer to the next enemy, if it is far; any other time any space."""
        names = [option.name for option in options]
        if self._nearest(seat) <= NEAR or self.rng.random() < BLUNDERS:
            return self.rng.choice(names)
        return min(names, key=lambda name: (self._away(seat, read_spot(name)), self.rng.random()))

    def _nearest(self, seat: Seat) -> int:
        """How far the next enemy is from the own ship; 0 without a map."""
        own = self.table.pieces.get(seats.VESSELS[seat])
        return self._away(seat, read_spot(own.space)) if own is not None else 0

    def _away(self, seat: Seat, spot: Spot) -> int:
        star_map = self.table.map
        others = [pose for ship, pose in self.table.pieces.items() if ship != seats.VESSELS[seat]]
        if star_map is None or not others:
            return 0
        return min(star_map.distance(spot, read_spot(pose.space)) for pose in others)


# PhysicalTable: the cards and ships.


class PhysicalTable(HiddenTable[StarshipEdition, str]):
    """Real decks, hands, tiers and ships of one match, and the bots that sit there.

    A match that starts in the middle of a game gets cards dealt at random where nobody has named
    them. `held` is the card that a player holds out.
    """

    rulebook: ClassVar[type[Rulebook[Any]]] = StarshipEdition

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.cards = self.rules.table.cards
        self.map = self.rules.position.map
        self.bot = Bot(self)

    def deal(self) -> None:
        """Each deck into piles as recorded; cards that were named lie where they were named."""
        for player in self.rules.position.players.values():
            self._deal(player, self.rules.table.decks[player.deck_name])

    def _deal(self, player: Player, deck: Mapping[str, int]) -> None:
        cards = [card for card, count in deck.items() for _ in range(count)]
        self.rng.shuffle(cards)
        known = self.rules.table.cards
        places: list[tuple[str, str]] = [("discard", card) for card in player.discard]
        places += [("gear", card_of(card, known)) for card in player.gear]
        for number, tier in enumerate(player.tiers, 1):
            for second, card in ((False, tier.primary), (True, tier.secondary)):
                if card:
                    places.append((tier_pile(number, secondary=second), card))
        places += [(seats.HAND, seats.FACE_DOWN)] * player.hand + [
            ("removed", seats.FACE_DOWN)
        ] * player.removed
        places += [(seats.DECK, seats.FACE_DOWN)] * player.deck
        for pile, card in sorted(places, key=lambda place: place[1] == seats.FACE_DOWN):
            self.piles[player.seat, pile].append(_taken(cards, card))

    # -- what the bots do ------------------------------------------------------------------

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having looked at their cards."""
        asked = question
        match question:
            case Choose():
                return self.bot.choose(question)
            case Order():
                names = _names(asked)
                self.rng.shuffle(names)
                return [*names]
            case ChooseSome():
                names = _names(asked)
                return [*self.rng.sample(names, question.fewest)]
            case Count():
                return self.rng.randint(question.low, min(question.most, question.low + 2))
            case Ready():
                return question.word
            case _:
                raise TypeError(f"the bots of this box know no {question.kind}: {question.key}")

    def named(self, card: str) -> str:
        """What a card is called when it is shown: its id, or that it is not listed."""
        return card if card in self.cards else UNKNOWN

    # -- what hands do as ruled ------------------------------------------------------------

    def carry(self, deed: Carry) -> None:
        """Out of a pile that lies open the card that the deed numbers ("discard/3")."""
        name, _, place = deed.source.partition("/")
        if place:
            taken = self.pile(deed.owner, name).pop(int(place) - 1)
            self.pile(deed.owner, deed.target).append(taken)
        else:
            super().carry(deed)


def _names(question: Question[Any]) -> list[str]:
    """What a question that has a fixed list offers."""
    offered: Sequence[Option[Any]] = getattr(question, "offered", ())
    return [option.name for option in offered]


def _taken(cards: list[str], wanted: str) -> str:
    """A card out of those not yet dealt: the one named, if it is there."""
    if wanted in cards:
        cards.remove(wanted)
        return wanted
    return cards.pop() if cards else UNKNOWN
