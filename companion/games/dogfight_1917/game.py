"""Game: the base of all chapters of Dogfight: 1917: seats, Fighters, cards, dice and damage.

The chapters are functions of a game: flying.py, fight.py, engaging.py. Dogfight1917 (rules.py) is a
whole game with them, and after it come the modes, which replace paragraphs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from companion.core.errors import BadCall
from companion.core.question import Refusal, Roll, RollAgain
from companion.core.ruling import (
    TABLE,
    BrokenOff,
    Carry,
    Cite,
    DamageTaken,
    Deed,
    Fault,
    MatchOver,
    Move,
    Notice,
    Outcome,
    Ruling,
    Seat,
)
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917 import cards, comparing
from companion.games.dogfight_1917.asks import FOCUS, FREE_REROLL, Asks, Throw
from companion.games.dogfight_1917.boards import board_plan, looks_of
from companion.games.dogfight_1917.cards import A, B, Fighter, Sitting, read_sitting, spellings
from companion.games.dogfight_1917.faults import faults, faults_at_start
from companion.games.dogfight_1917.figures import FiguresOf1917, fighters_of, read_figures
from companion.games.dogfight_1917.moves import NO_BONUS, Bonus
from companion.games.dogfight_1917.position import Dogfight1917Position, Player, read_position
from companion.games.dogfight_1917.switches import BASE_SWITCHES, HOUSE, MODE_OF
from companion.kit.box import starting_position
from companion.kit.hexes import pose_of
from companion.match.house_rules import Switch
from companion.match.rulebook import Rulebook, Setup

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Look, Piece
    from companion.core.offers import Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.figures import Figures
    from companion.games.dogfight_1917.moves import Aim, Shot
    from companion.kit.figures import TableFigures
    from companion.kit.hexes import Heading
    from companion.match.house_rules import HouseRules

_MODES_FOR: Mapping[int, str] = {
    2: "base, draft or daring-escape",
    3: "battle-royale with the option players 3",
    4: "battle-royale, team-battle or entente-vs-central-powers",
}
"""Which modes so many players can play.  (DF-19)"""
_USED = Cite.of("DF-4.5")
_LIMITED = Cite.of("DF-15.1")
_COLLECTED = Cite.of("DF-9.9, RULING 8")
_PAID = Cite.of("DF-10.3, DF-15.4")
_FREE = Cite.of("DF-10.4, DF-18.2.B")
_DAMAGE = Cite.of("DF-12.1")
_LEFT = Cite.of("RULING 46")
_OUT = Cite.of("DF-19.2, RULING 33, RULING 44")
_OVERKILL = Cite.of("DF-12.2, RULING 30")


def successes(dice: tuple[int, ...], difficulty: int) -> int:
    """How many dice reach the Difficulty, each by itself.  (DF-10.1)

    >>> successes((4, 4, 6), 5)
    1
    """
    return sum(die >= difficulty for die in dice)


class Crash(Enum):
    """Why a Fighter crashes: a word for it, and the paragraph."""

    SHOT_DOWN = ("shot down", Cite.of("DF-12.2, DF-16.3"))
    FIGHTER_DOWN = ("down: its Deck is empty at the end of its turn", Cite.of("DF-5.2, DF-16.2"))
    STALLED = ("down: it stalls with an empty Deck", Cite.of("DF-7.6"))

    @property
    def words(self) -> str:
        """What a sentence says of the Fighter."""
        return self.value[0]

    @property
    def cite(self) -> Cite:
        """Where the book says so."""
        return self.value[1]


class TurnEnds(Exception):
    """The turn under way is over before its end: its player has crashed, or a Leader takes over."""


class Game(Rulebook[Dogfight1917Position]):
    """Seats, Fighters, piles and tokens, what hands do with them, dice, and damage."""

    box: ClassVar[str] = "dogfight-1917"
    title: ClassVar[str] = "Dogfight: 1917"
    edition: ClassVar[int] = 3
    variants: ClassVar[tuple[str, ...]] = (
        "base", "draft", "daring-escape", "battle-royale", "team-battle",
        "entente-vs-central-powers",
    )  # fmt: skip
    seats: ClassVar[Mapping[Seat, str]] = {seat: cards.NAMES[seat] for seat in (A, B)}
    sides: ClassVar[tuple[Seat, ...]] = (A, B)
    rounds: ClassVar[tuple[str, ...]] = ("turn",)
    switches: ClassVar[Mapping[str, Switch]] = BASE_SWITCHES
    house: ClassVar[HouseRules] = HOUSE
    returning: ClassVar[frozenset[Seat]] = frozenset()
    """Whose Fighter comes back after a crash."""
    pilots: ClassVar[Mapping[str, PilotEffects]]
    """What each pilot adds to the rules, by the pilot's code."""
    figures: ClassVar[TableFigures | None] = FiguresOf1917()
    corrections: ClassVar[Cite] = Cite.of("RULING 45")

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.sitting = self._read_sittings(setup)
        self.table: Figures = read_figures(setup.cards)
        self.fighters: Mapping[str, Fighter] = fighters_of(self.table)
        self.plan: BoardPlan = _plan_of(self.table)
        self.position = starting_position(
            self,
            lambda: Dogfight1917Position(players={s: Player.fresh(s) for s in self.seats_taken()}),
            self._read_position,
            self._know,
        )
        self.looks: Mapping[str, Look] = looks_of(self.position, self.side_of)
        self.ask = Asks(self.position, self.options, self.fighters, self.named)
        self.attacked: Seat | None = None
        """At whom the attack under way is, to its last move."""
        self.due: Throw | None = None
        """The roll whose dice are asked for now; reports are judged by it."""
        self.engaged_at = ""
        """The key under which the Engagement Phase of this turn was begun, where that is known."""

    @classmethod
    def read_options(cls, given: Mapping[str, Json]) -> dict[str, Json]:
        """Every switch with its value; BadCall for one of another mode says which that is."""
        other = next((name for name in given if name not in cls.switches and name in MODE_OF), None)
        if other is not None:
            text = f"option {other!r} is unknown to this mode: it goes with {MODE_OF[other]}"
            raise BadCall(f"{text}; leave it out, or choose that mode")
        return super().read_options(given)

    def _read_sittings(self, setup: Setup) -> dict[Seat, Sitting]:
        unknown = sorted(set(setup.seats) - set(self.seats_taken()))
        if unknown:
            raise BadCall(self._too_many(unknown[-1]))
        return {seat: read_sitting(seat, text) for seat, text in setup.seats.items()}

    def _too_many(self, seat: Seat) -> str:
        """Why a seat cannot be taken: one player too many for this mode, or no seat at all."""
        known = ", ".join(self.seats_taken())
        if seat not in cards.SEATS:
            return f"seat {seat!r} is unknown here; there are {known}"
        players = cards.SEATS.index(seat) + 1
        return (
            f"seat {seat!r} is one too many: this mode has {known} [DF-PLAYERS, DF-19.4]. "
            f"{players} players play {_MODES_FOR[players]}"
        )

    @classmethod
    def faults(cls, position: Dogfight1917Position) -> list[Fault]:
        return faults(position)

    @classmethod
    def faults_at_start(cls, position: Dogfight1917Position) -> list[Fault]:
        return [*faults_at_start(position)]

    def _read_position(self, file: Mapping[str, Json]) -> Dogfight1917Position:
        position = read_position(Dogfight1917Position, file, "position")
        self._refuse_seats(position)
        return position

    def _know(self, position: Dogfight1917Position) -> None:
        """What is the match's and no part of a position file."""
        position.table = self.table
        position.side_of, position.returning = dict(self.side_of), self.returning
        position.names = self.named

    def _refuse_seats(self, position: Dogfight1917Position) -> None:
        """A position for other seats than this mode has is none; BadCall says which those are."""
        here = tuple(position.players)
        if here != self.seats_taken():
            there, wanted = " ".join(here), " ".join(self.seats_taken())
            raise BadCall(
                f"position: players {there}; this mode has {wanted} [DF-PLAYERS, DF-19.4]. "
                f"{len(here)} players play {_MODES_FOR.get(len(here), 'no mode')}"
            )

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats of this match, in the order of play."""
        return tuple(self.seats)

    @classmethod
    def person(cls, seated: str) -> str:
        return seated.partition("/")[0].strip()

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return not_asked(self, seat, raw, asked)

    def spoken_names(self) -> Mapping[str, str]:
        """People, and in the match their Fighters and pilots, by the letters of their seats."""
        people = super().spoken_names()
        return {**names_of_flown(self.position), **people}

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {"A.tokens": 2},
            "report": {"what": "tokens", "player": "A", "count": 2},
        }

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        return comparing.compare(self.position, sighting, lagging)

    # -- who is who ------------------------------------------------------------------------

    def player(self, seat: Seat) -> Player:
        """What lies before a seat."""
        return self.position.players[seat]

    def fighter(self, seat: Seat) -> Fighter:
        """What a seat's Fighter can do."""
        return self.fighters[self.player(seat).fighter]

    def is_opponent(self, seat: Seat, other: Seat) -> bool:
        """Whether one seat fights another.  (DF-19.3)"""
        return seat != other

    def opponents(self, seat: Seat) -> list[Player]:
        """The opposing Fighters on the board, in the order of seats.  (DF-19.3)"""
        return [p for p in self.position.flying() if self.is_opponent(seat, p.seat)]

    def targets(self, seat: Seat) -> list[Player]:
        """Whom a seat may attack: opponents, and teammates by house rule.  (RULING 31)"""
        if self.options.get("friendly_fire") is True:
            return [p for p in self.position.flying() if p.seat != seat]
        return self.opponents(seat)

    # -- what hands do ---------------------------------------------------------------------

    def leaves_nothing_to_do(self, deeds: Sequence[Deed]) -> bool:
        """Whether a player has done it by saying it: a card laid before its owner, or put aside."""
        for deed in deeds:
            if not isinstance(deed, Carry) or "played" not in (deed.source, deed.target):
                return super().leaves_nothing_to_do(deeds)
        return True

    def put(self, seat: Seat, now: Heading | None) -> Move:
        """A hand puts a seat's model there (None: takes it off the board)."""
        player = self.player(seat)
        was, player.plane = player.plane, now
        return Move(player.piece, pose_of(was) if was else None, pose_of(now) if now else None)

    def play_card(self, seat: Seat, card: str) -> Carry:
        """A card from the Hand is laid face up before its owner."""
        player = self.player(seat)
        carry = player.from_hand(1, "played", card)
        player.learn("played", card)
        return carry

    def discard_played(self, seat: Seat) -> None:
        """Cards that were carried out go to the Discard Pile.  (DF-4.5)"""
        piles = self.player(seat).piles
        if piles["played"]:
            carry = piles.move(piles["played"], "played", "discard")
            self.rule(f"{self.who(seat)}'s card goes to the Discard Pile.", _USED,
                      carry, by=seat, headline=self.ask.head(seat, "card aside"))  # fmt: skip

    def gain(self, seat: Seat, tokens: int) -> int:
        """Take tokens from the supply; how many there were to take.  (DF-15.1)"""
        if self.options["token_supply_limited"] is True:
            held = sum(player.tokens for player in self.position.players.values())
            tokens = min(tokens, max(0, cards.TOKENS_IN_BOX - held))
        self.player(seat).tokens += tokens
        return tokens

    def earn(self, seat: Seat, tokens: int, cite: Cite, why: str) -> None:
        """Tokens that a rule grants, told with their reason."""
        got = self.gain(seat, tokens)
        word = counted(got, "token")
        text, headline = f"{self.who(seat)} takes {word}: {why}.", f"+{word}"
        if got < tokens:
            text += f" No more of the {cards.TOKENS_IN_BOX} are left."
            text += " (House rule: token_supply_limited true.)"
            cite = cite.also(_LIMITED)
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, headline if got else "+0"))

    def pay(self, seat: Seat, tokens: int) -> None:
        """Tokens back to the supply; what they pay for was offered only if there were enough."""
        self.player(seat).tokens -= tokens

    def collect(self, seat: Seat) -> None:
        """A movement that ends on a Tactical Position takes its tokens.  (DF-9.9, RULING 8)"""
        tokens = self.table.token_spaces.get(self.player(seat).at.hex, 0)
        if tokens:
            names = ("board.one_token", "board.two_tokens")
            why = f"a Tactical Position worth {tokens}{self.table.assumed(*names)}"
            self.earn(seat, tokens, _COLLECTED, why)

    def pilot(self, seat: Seat) -> PilotEffects:
        """What the pilot of a seat adds to the rules."""
        return self.pilots.get(self.player(seat).pilot, _NOBODY)

    def pilot_name(self, seat: Seat) -> str:
        """The pilot as a sentence has it."""
        return cards.PILOTS[self.player(seat).pilot].name

    def fighter_name(self, seat: Seat) -> str:
        """The Fighter as a sentence has it."""
        return cards.FIGHTER_NAMES[self.player(seat).fighter]

    # -- dice, and dice rolled again (DF-10) -----------------------------------------------

    async def roll(self, throw: Throw) -> tuple[int, ...]:
        """The dice as they count, after Focus and free rerolls.  (DF-10.2 to DF-10.4)"""
        dice, _ = await self.roll_and_keep_right(throw)
        return dice

    async def roll_and_keep_right(self, throw: Throw) -> tuple[tuple[int, ...], bool]:
        """The dice as they count, and whether a free reroll is still left."""
        self.due = throw
        dice = await self.ask.dice(throw, throw.dice)
        self.due, self.position.dice = None, dice
        return await self.roll_again(throw, dice, free=self.has_free_reroll(throw.by))

    async def roll_again(
        self, throw: Throw, dice: tuple[int, ...], *, free: bool, window: str = "again"
    ) -> tuple[tuple[int, ...], bool]:
        """Focus as often as there are tokens, and one free reroll.  (DF-10.3, DF-10.4)"""
        values, again = list(dice), 1
        while self.may_wish(throw, values) and self.reroll_means(throw.by, free=free):
            means = partial(self.reroll_means, throw.by, free=free)
            said = await self.ask.reroll(throw, values, means, f"{window}-{again}")
            if not said.places:
                break
            self.claim_reroll(throw.by, said.means)
            free = free and said.means != FREE_REROLL
            await self.reroll_some(throw, values, said.places, f"{window}-{again}")
            again += 1
        return tuple(values), free

    def may_wish(self, throw: Throw, values: Sequence[int]) -> bool:
        """Whether a reroll is asked for; in a match of edition 1 it was whatever the dice show."""
        return self.setup.edition == 1 or not throw.leaves_nothing_to_wish(values)

    def claim_reroll(self, seat: Seat, means: str) -> None:
        """What a reroll costs: a token, or the one that Northern Falcon gives."""
        if means == FOCUS:
            self.pay(seat, 1)
            self.rule(f"{self.who(seat)} pays 1 token to Focus.", _PAID, by=seat,
                      headline=self.ask.head(seat, "Focus, -1 token"))  # fmt: skip
            return
        text = f"{self.who(seat)} takes Northern Falcon's reroll of this roll."
        self.rule(text, _FREE, by=seat, headline=self.ask.head(seat, "free reroll"))

    async def reroll_some(
        self, throw: Throw, values: list[int], places: Sequence[int], again: str
    ) -> None:
        """Some of the dice are rolled again; only what they show then counts.  (DF-10.3)"""
        rolled = await self.ask.dice(throw, len(places), again, "dice")
        for place, value in zip(places, rolled, strict=True):
            values[place] = value
        self.position.dice = tuple(values)

    def has_free_reroll(self, seat: Seat) -> bool:
        """Whether the pilot gives one: once per roll.  (DF-10.4, DF-18.2.B)"""
        return self.pilot(seat).free_reroll(self, seat)

    def reroll_means(self, seat: Seat, *, free: bool) -> list[str]:
        """By what rights dice may be rolled again now."""
        means = [FREE_REROLL] if free else []
        return [*means, FOCUS] if self.player(seat).tokens else means

    # -- damage, crashes, the end of a game of two (DF-12, DF-16) --------------------------

    async def take_damage(
        self, seat: Seat, damage: int, cite: Cite, shooter: Seat | None = None
    ) -> None:
        """Cards off the Deck, unseen; more than there are: Shot Down.  (DF-12)

        `shooter` is whose attack it was, None for damage from a player's own card.
        """
        player = self.player(seat)
        taken = min(damage, player.piles["deck"])
        carry = player.piles.move(taken, "deck", "damage")
        left = player.piles["deck"]
        text = f"{self.who(seat)} takes {damage} damage: {taken} off the Deck, {left} left."
        ruled = cite.also(_DAMAGE) if taken == damage else cite.also(_DAMAGE, _OVERKILL)
        self.rule(text, ruled, carry, by=seat, headline=self.ask.head(seat, f"{damage} damage"),
                  struck=(player.piece,),
                  happened=(DamageTaken(seat, damage, shooter),))  # fmt: skip
        if damage > taken:
            await self.crash(seat, Crash.SHOT_DOWN, shooter)

    async def crash(self, seat: Seat, cause: Crash, shooter: Seat | None = None) -> None:
        """The model leaves the board. Of two the other has won; of several those fly on.

        An attack under way goes on, the own turn does not. `shooter` is whose attack it was, None
        for every other cause.  (DF-16.4, DF-19.2, RULING 33)
        """
        ruling = self.tell_crash(seat, cause)
        self.eliminate(seat)
        self.judge_end(seat, ruling)
        await self.after_crash(seat, shooter)
        if seat == self.position.active:
            raise TurnEnds

    def eliminate(self, seat: Seat) -> None:
        """Of several players: tokens to the supply, cards out of play.  (RULING 44)"""
        player = self.player(seat)
        if len(self.position.players) > 2:
            self.discard_played(seat)
            player.tokens = 0
            text = f"{self.who(seat)} is out: all tokens go to the supply, and all cards aside."
            self.rule(text, _OUT, by=seat, headline=self.ask.head(seat, "out"))
        player.out = True

    def judge_end(self, seat: Seat, ruling: Ruling) -> None:
        """Whether this crash ends the game, as it does in a game of two.  (DF-16.4)"""
        winner = next(p.seat for p in self.position.players.values() if p.seat != seat)
        self.end_match((winner,), ruling)

    async def after_crash(self, seat: Seat, shooter: Seat | None) -> None:
        """What a crash brings whoever shot: nothing, unless the mode says so.  (RULING 32)

        `shooter` is whose attack it was; None where it was nobody's.
        """

    async def after_attack(self, seat: Seat) -> None:
        """What follows an attack of this seat besides: nothing, unless the mode says so."""

    def end_match(self, winners: Sequence[Seat], ruling: Ruling) -> NoReturn:
        """The game is over: nothing lies on the Gunsight, no card is under way.  (DF-16.4)

        A match of edition 1 ends with all of that as it lies.
        """
        if self.setup.edition > 1:
            for seat in self.position.players:
                self.discard_played(seat)
            self.position.gunsight, self.position.fires_at = 0, None
            self.position.dice = ()
        raise MatchOver(Outcome(tuple(winners), ruling))

    def retire(self, seat: Seat, notice: Notice) -> None:
        """A player leaves the table: of two the other has won.  (RULING 46)

        Of several those fly on; the leaver's turn, or an attack on the leaver, is over.
        """
        ruling = self.tell_leaving(seat)
        self.eliminate(seat)
        self.judge_end(seat, ruling)
        if seat not in (self.position.active, self.attacked):
            return
        for other in self.position.players:
            self.discard_played(other)
        if seat == self.position.active:
            self.next_turn()
        self.position.gunsight, self.position.fires_at = 0, None
        self.due = self.attacked = None
        raise BrokenOff(notice)

    def next_turn(self) -> None:
        """Whose turn it is, and what the last one leaves behind.  (DF-5.1)"""
        position = self.position
        position.active = position.next_turn or self.seat_after(position.active)
        position.next_turn = None
        position.turn += 1
        position.stage = cards.RECONNAISSANCE
        position.maneuvered = position.improvised = False
        position.actions = position.gunsight = 0
        position.dice, position.claimed, position.fires_at = (), None, None

    def seat_after(self, seat: Seat) -> Seat:
        """The next seat clockwise that still takes turns.  (DF-5.1, DF-23.4)"""
        order = [s for s in cards.SEATS if s in self.position.players]
        later = [*order[order.index(seat) + 1 :], *order[: order.index(seat) + 1]]
        return next(s for s in later if not self.player(s).out)

    def flown_by(self, seat: Seat) -> Mapping[str, str]:
        """The Fighter, and the pilot by the side that is up."""
        player = self.player(seat)
        fighter, pilot = player.fighter, player.pilot
        flown = {"fighter": cards.FIGHTER_NAMES.get(fighter, "")}
        flown["pilot"] = (
            f"{cards.PILOT_NAMES.get(pilot, pilot)} {player.pilot_side}" if pilot else ""
        )
        return {kind: name for kind, name in flown.items() if name}

    def tell_leaving(self, seat: Seat) -> Ruling:
        """Say that a player has left; the model leaves the board."""
        deeds: tuple[Move, ...] = (self.put(seat, None),) if self.player(seat).plane else ()
        text = f"{self.who(seat)} has left the table; the {self.fighter_name(seat)} is out."
        headline = self.ask.head(seat, "has left")
        return self.rule(text, _LEFT, *deeds, by=seat, headline=headline)

    def tell_crash(self, seat: Seat, cause: Crash) -> Ruling:
        """Say that a Fighter has crashed; its model leaves the board."""
        player = self.player(seat)
        deeds: tuple[Move, ...] = (self.put(seat, None),) if player.plane else ()
        text = f"{self.who(seat)}'s {self.fighter_name(seat)} is {cause.words}."
        headline = self.ask.head(seat, "crashed")
        struck = (player.piece,)
        return self.rule(text, cause.cite, *deeds, by=seat, headline=headline, struck=struck)


@lru_cache(maxsize=8)
def _plan_of(figures: Figures) -> BoardPlan:
    return board_plan(figures)


# Names in the middle of a match, and who speaks out of turn.

_TURN = Cite.of("DF-5.1")
_CRASHED = Cite.of("DF-19.2, DF-23.4, RULING 33")


class PilotEffects:
    """What a Pilot Card adds to the rules: a method a moment of the book; this one adds nothing.

    The pilots of the box are in pilots.py.  (DF-18)
    """

    full_evasion_pays: ClassVar[bool] = False
    """Whether `evaded` brings something: a reroll that makes every die succeed may be wanted."""

    def has_up(self, game: Game, seat: Seat, side: str) -> bool:
        """Whether that side of the card lies up.  (DF-14.2)"""
        return game.player(seat).pilot_side == side

    def set_up(self, game: Game, seat: Seat) -> None:
        """The opening Hand has been drawn.  (DF-3.7)"""

    def free_reroll(self, game: Game, seat: Seat) -> bool:
        """Whether dice may be rolled again without a token, once per roll.  (DF-10.4)"""
        return False

    async def after_maneuver(self, game: Game, seat: Seat) -> None:
        """A Maneuver Action has been flown with all its effects.  (DF-9.10)"""

    def basic_aim(self, game: Game, seat: Seat, usual: Aim) -> Aim:
        """Range and direction of the own Basic Attack.  (DF-11.1, DF-11.2)"""
        return usual

    def aim_cite(self, game: Game, seat: Seat, usual: Cite) -> Cite:
        """What a Basic Attack that reaches nobody is refused by."""
        return usual

    async def before_basic_attack(self, game: Game, seat: Seat) -> Bonus:
        """What is rolled before the dice of a Basic Attack, and what it adds to them."""
        return NO_BONUS

    def basic_shot(self, game: Game, seat: Seat, usual: Shot) -> Shot:
        """Dice and Difficulty of the own Basic Attack.  (DF-11.3)"""
        return usual

    def placed(self, game: Game, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """The dice of a Basic Attack lie where they belong, to be evaded or not.  (RULING 27)"""

    async def after_momentum(self, game: Game, seat: Seat) -> None:
        """The own Basic Attack has ended with its Momentum.  (DF-11.6)"""

    def special(self, game: Game, seat: Seat) -> Bonus:
        """What is added to a Special Action of the Fighter that rolls dice.  (DF-14)"""
        return NO_BONUS

    def tells_means(self, game: Game, seat: Seat) -> bool:
        """Whether the target says if it could have evaded.  (RULING 26)"""
        return False

    async def not_evaded(self, game: Game, seat: Seat, *, with_means: bool) -> None:
        """An attack was not answered. `with_means`: it could have been.  (DF-13.2)"""

    def evaded(self, game: Game, seat: Seat) -> None:
        """Every die of an evasion has succeeded.  (DF-13.3)"""

    def targets(self, game: Game, seat: Seat) -> Sequence[Seat]:
        """To whom the action of the card can be done now, where it is aimed.  (DF-14.2)"""
        return ()

    def why_no_target(self, action: str) -> tuple[str, Cite]:
        """What an aimed action needs, in a sentence, and where that is said."""
        return f"{action} has no target now.", Cite.of("DF-14.2")

    async def act(self, game: Game, seat: Seat, target: Seat) -> None:
        """The action of the card, before the card is flipped.  (DF-14.2)"""


_NOBODY = PilotEffects()
"""Who is not chosen yet adds nothing."""

_END_OF_FIRE = Cite.of("DF-11.4, DF-13.1")
_TARGET = Cite.of("DF-13.1")
_OWN_DICE = Cite.of("DF-10.3, RULING 13")
_ONE_ACTION = Cite.of("DF-8.3, RULING 28")


def names_of_flown(position: Dogfight1917Position) -> Mapping[str, str]:
    """The printed names of Fighters and pilots in play, each with the letter of its seat.

    In set-up, where they are still chosen by these names, there are none; nor is there one for the
    Pilot Mentor, whom two may have.
    """
    if position.stage == cards.SET_UP:
        return {}
    names: dict[str, str] = {}
    for seat, player in position.players.items():
        printed = [cards.FIGHTER_NAMES[player.fighter]]
        if player.pilot != cards.MENTOR:
            printed.append(cards.PILOT_NAMES[player.pilot])
        names |= {spelt: str(seat) for name in printed for spelt in spellings(name)}
    return {
        name: letter for name, letter in names.items() if name.lower() not in cards.FIGHTER_NAMES
    }


def not_asked(game: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """Why a player may not speak while another is asked; None where the table is asked."""
    position = game.position
    if seat not in position.players or asked.by in (TABLE, seat):
        return None
    who, whose, turn_of = (game.who(one) for one in (seat, asked.by, position.active))
    if position.players[seat].out:
        return _spoken(f"{who} is out and has no turn any more. {whose} is asked.", _CRASHED)
    if position.stage == cards.SET_UP:
        text = f"It is {whose}'s choice now. {who} waits until asked."
        return _spoken(text, asked.cite)
    if position.fires_at == seat and spelt_like(raw, cards.EVASIONS) is not None:
        text = f"{who} may evade at the end of the Fire step. {whose} rolls first."
        return _spoken(text, _END_OF_FIRE)
    if asked.key.endswith("/evade"):
        text = f"Only the target evades: {whose}. {who} waits for that."
        return _spoken(text, _TARGET)
    if isinstance(asked, Roll | RollAgain):
        text = f"These dice are {whose}'s, and nobody else rolls them. {who} waits for that."
        return _spoken(text, _OWN_DICE)
    if seat == position.active:
        text = f"One action ends before the next: {whose} is asked. {who} goes on after that."
        return _spoken(text, _ONE_ACTION)
    return _spoken(f"It is {turn_of}'s turn, and {whose} is asked. {who} waits.", _TURN)


def _spoken(text: str, cite: Cite) -> Refusal:
    return Refusal("DF-TURN", text, cite)
