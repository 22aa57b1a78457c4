"""The hidden table: real cards and ships, as bots and the demonstration move them.

It stands for cardboard. The bots' acts choose cards; the rulings' deeds move cards and ships as
hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece, Pose
from companion.core.question import Choose, ChooseSome, Count, Order, Ready
from companion.core.ruling import Carry, Deed, Move, Seat, Shuffle
from companion.games.starship_edition.bots import Bot
from companion.games.starship_edition.cards import UNKNOWN
from companion.games.starship_edition.layout import DECK, FACE_DOWN, HAND, PILES, tier_pile
from companion.games.starship_edition.player import card_of
from companion.games.starship_edition.rules import StarshipEdition
from companion.kit.piles import CardPiles

if TYPE_CHECKING:
    from companion.core.question import Option, Question
    from companion.core.ruling import Json
    from companion.games.starship_edition.player import Player
    from companion.match.rulebook import Setup


class PhysicalTable:
    """Real decks, hands, tiers and ships of one match, and the bots that sit there.

    `setup` is the match's own. A match that starts in the middle of a game gets cards dealt at
    random where nobody has named them. `held` is the card that a player holds out.
    """

    def __init__(self, setup: Setup, rng: Random) -> None:
        rules = StarshipEdition.in_variants(setup.variants)(setup)
        self.rng = rng
        self.cards = rules.table.cards
        self.map = rules.position.map
        self.ships: dict[Piece, Pose] = dict(rules.position.placement())
        self.piles = {seat: CardPiles(seat, PILES) for seat in rules.position.players}
        self.held: dict[Seat, str] = {}
        for player in rules.position.players.values():
            self._deal(player, rules.table.decks[player.deck_name])
        self.bot = Bot(self)

    def _deal(self, player: Player, deck: Mapping[str, int]) -> None:
        """The deck into piles as recorded; cards that were named lie where they were named."""
        cards = [card for card, count in deck.items() for _ in range(count)]
        self.rng.shuffle(cards)
        places: list[tuple[str, str]] = [("discard", card) for card in player.discard]
        places += [("gear", card_of(card, self.cards)) for card in player.gear]
        for number, tier in enumerate(player.tiers, 1):
            for second, card in ((False, tier.primary), (True, tier.secondary)):
                if card:
                    places.append((tier_pile(number, secondary=second), card))
        places += [(HAND, FACE_DOWN)] * player.hand + [("removed", FACE_DOWN)] * player.removed
        places += [(DECK, FACE_DOWN)] * player.deck
        for pile, card in sorted(places, key=lambda place: place[1] == FACE_DOWN):
            self.piles[player.seat][pile].append(_taken(cards, card))

    # -- what anybody at the table sees ----------------------------------------------------

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each ship stands."""
        return dict(self.ships)

    def counts(self, seat: Seat) -> dict[str, int]:
        """How many cards of a player lie in each pile."""
        return self.piles[seat].counts()

    def place(self, shows: Mapping[Piece, Pose]) -> None:
        """Put ships where an option shows them: a hand that moves before anybody is told."""
        self.ships.update(shows)

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

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        for deed in deeds:
            match deed:
                case Move(piece, _, now):
                    if now is None:
                        self.ships.pop(piece, None)
                    else:
                        self.ships[piece] = now
                case Carry():
                    self._carry(deed)
                case Shuffle(owner, _, source, target):
                    self.piles[owner].shuffle(source, target, self.rng)
                case _:
                    pass

    def _carry(self, deed: Carry) -> None:
        piles = self.piles[deed.owner]
        source, _, place = deed.source.partition("/")
        if place:
            piles[deed.target].append(piles[source].pop(int(place) - 1))
        elif source == HAND:
            for _ in range(deed.count):
                piles[deed.target].append(self._out_of_hand(deed.owner))
        else:
            piles.carry(deed.count, source, deed.target)

    def _out_of_hand(self, seat: Seat) -> str:
        """The card that its owner holds out; any other where none was chosen."""
        hand = self.piles[seat][HAND]
        card = self.held.pop(seat, None)
        if card not in hand:
            card = self.rng.choice(hand)
        hand.remove(card)
        return card


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
