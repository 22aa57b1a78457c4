"""The hidden table: real cards, dice and planes, as bots and the demonstration move them.

It stands for cardboard. The bots' acts choose cards and roll dice; the rulings' deeds move cards
and models as hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece, Pose
from companion.core.question import Choose, Count, Declare, Ready, Roll, RollAgain
from companion.core.ruling import Carry, Deed, Move, Seat, Shuffle
from companion.games.dogfight_1917.bots import ALL_CARDS, Bot
from companion.games.dogfight_1917.cards import COPIES, FIRST_GAME_OUT, Fighter
from companion.games.dogfight_1917.flight import Arrival, Readings, arrivals, can_fly, ways_to
from companion.games.dogfight_1917.layout import PILES
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.kit.hexes import Heading, heading_of, pose_of
from companion.kit.piles import CardPiles

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Maneuver
    from companion.games.dogfight_1917.position import Dogfight1917Position
    from companion.kit.hexes import Hex
    from companion.match.rulebook import Setup


HASTY = 0.2
"""How often a plane is flown before its card is named."""


class PhysicalTable:
    """Real decks, hands and models of one match, and the bots that sit there.

    `setup` is the match's own. A match that starts in the middle of a game gets cards dealt at
    random into piles of the sizes that its position names. `chosen` is the card each player holds
    out, to be laid as ruled; `rolled` the dice as they lie, `passes` what they must reach. `card`
    is the Maneuver last named, `plan` where to, and `way` how it was flown.
    """

    def __init__(self, setup: Setup, rng: Random) -> None:
        rules = Dogfight1917.in_variants(setup.variants)(setup)
        self.rng = rng
        self.rules = rules
        self.house = rules.options
        self.planes: dict[Piece, Pose] = dict(rules.position.placement())
        self.piles = {seat: CardPiles(seat, PILES) for seat in rules.position.players}
        self.flown: dict[Seat, str] = {
            seat: player.fighter or rules.said_fighter(seat)
            for seat, player in rules.position.players.items()
        }
        self.chosen: dict[Seat, str] = {}
        self.rolled: tuple[int, ...] = ()
        self.passes = 0
        self.again: Sequence[int] = ()
        self.card: Maneuver | None = None
        self.plan = self.way = ""
        self.mover: Seat = rules.position.active
        self.turns = 0
        self.bot = Bot(self)
        for seat in rules.position.players:
            self._deal(seat, rules.position)

    def _deal(self, seat: Seat, position: Dogfight1917Position) -> None:
        """Twenty cards into piles of the sizes recorded; known ones lie where they are known."""
        recorded = position.players[seat].piles
        cards = [*ALL_CARDS]
        for pile, known in recorded.known.items():
            for card in known:
                cards.remove(card)
                self.piles[seat][pile].append(card)
        self.rng.shuffle(cards)
        for pile in PILES:
            lacking = recorded[pile] - len(self.piles[seat][pile])
            self.piles[seat].piles[pile] += cards[:lacking]
            cards = cards[lacking:]

    # -- what anybody at the table sees ----------------------------------------------------

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each model stands."""
        return dict(self.planes)

    def place(self, shows: Mapping[Piece, Pose]) -> None:
        """Put models where an option shows them: a hand that moves before anybody is told."""
        self.planes.update(shows)

    def counts(self, seat: Seat) -> dict[str, int]:
        """How many cards of a player lie in each pile."""
        return self.piles[seat].counts()

    def hand(self, seat: Seat) -> Sequence[str]:
        """The cards that a player holds."""
        return self.piles[seat]["hand"]

    def fighter(self, seat: Seat) -> Fighter:
        """What a seat flies."""
        return self.rules.fighters[self.flown[seat]]

    def enemies(self, seat: Seat) -> list[Heading]:
        """Where the opposing models stand."""
        others = (other for other in self.flown if self.rules.is_opponent(seat, other))
        return [self.at(other) for other in others if Piece(self.flown[other]) in self.planes]

    def at(self, seat: Seat) -> Heading:
        """Where a seat's model stands."""
        return heading_of(self.planes[Piece(self.flown[seat])])

    def occupied(self, seat: Seat) -> set[Hex]:
        """The spaces on which other models stand."""
        own = self.flown[seat]
        return {heading_of(pose).hex for piece, pose in self.planes.items() if piece != own}

    def flyable(self, seat: Seat) -> list[str]:
        """Maneuver Cards that have a legal end from where the model stands."""
        board, start, occupied = self.rules.table.board, self.at(seat), self.occupied(seat)
        cards = self.fighter(seat).maneuvers.values()
        return [card.name for card in cards if can_fly(board, start, card, occupied)]

    def ends(self, seat: Seat, name: str) -> Mapping[Heading, Arrival]:
        """Where a Maneuver Card may take the model, and by which ways."""
        card, readings = self.fighter(seat).maneuvers[name], Readings.of(self.house)
        board = self.rules.table.board
        return arrivals(board, self.at(seat), card, self.occupied(seat), readings)

    def failing(self) -> int:
        """How many of the dice that lie there are too low."""
        return sum(die < self.passes for die in self.rolled)

    def token_worth(self, place: Heading) -> int:
        """The tokens that a space pays."""
        return self.rules.table.token_spaces.get(place.hex, 0)

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
        if said in COPIES:
            self.chosen[question.by] = said
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
        top = self.piles[question.by]["discard"][-question.most :]
        return {card: top.count(card) for card in question.parts}

    # -- what hands do as ruled ------------------------------------------------------------

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        for deed in deeds:
            match deed:
                case Move(piece, _, now):
                    self._put(piece, now)
                case Carry():
                    self._carry(deed)
                case Shuffle(owner, _, source, target):
                    self.piles[owner].shuffle(source, target, self.rng)
                case _:
                    pass

    def _put(self, piece: Piece, now: Pose | None) -> None:
        if now is None:
            self.planes.pop(piece, None)
        else:
            self.planes[piece] = now

    def _carry(self, deed: Carry) -> None:
        piles = self.piles[deed.owner]
        if deed.source == "hand":
            for card in self._out_of_hand(deed):
                piles["hand"].remove(card)
                piles[deed.target].append(card)
        elif deed.target == "box" and self.rules.is_first_game():
            for card in self._first_game_cards(deed):
                piles[deed.source].remove(card)
                piles["box"].append(card)
        else:
            piles.carry(deed.count, deed.source, deed.target)

    def _out_of_hand(self, deed: Carry) -> list[str]:
        """The card that its owner holds out; else any, as for Lewis Guns or a redraw."""
        hand = self.piles[deed.owner]["hand"]
        card = self.chosen.pop(deed.owner, None)
        if card is not None and deed.count == 1 and card in hand:
            return [card]
        return self.rng.sample(hand, deed.count)

    def _first_game_cards(self, deed: Carry) -> list[str]:
        if deed.source == "played":
            return self.piles[deed.owner]["played"][-deed.count :]
        return [card for card, count in FIRST_GAME_OUT.items() for _ in range(count)]
