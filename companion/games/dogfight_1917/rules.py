"""Dogfight: 1917, the base game of two: set-up, and turns of three phases.  (DF-3, DF-5, DF-6)

The phases are chapters of their own: flying.py (the Assessment Phase, DF-7, and Movement, DF-9),
fight.py (attacks, DF-11 to DF-14), engaging.py (the Engagement Phase, DF-8, DF-15). variants.py
replaces paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from companion.core.errors import BadCall
from companion.core.question import unless_alone
from companion.core.ruling import Cite, Notice, Outcome, Seat
from companion.core.text import counted, listed
from companion.games.dogfight_1917 import reports
from companion.games.dogfight_1917.boards import looks_of
from companion.games.dogfight_1917.cards import (
    ASSESSMENT,
    ENGAGEMENT,
    FIGHTER_NAMES,
    FIGHTERS,
    FIRST_GAME_OUT,
    MENTOR,
    MENTOR_CARDS,
    RECONNAISSANCE,
    SEATS,
    SET_UP,
    A,
    B,
    Sitting,
    is_unique,
)
from companion.games.dogfight_1917.engaging import Engaging
from companion.games.dogfight_1917.figures import ASSUMED
from companion.games.dogfight_1917.flying import ENGAGE, Crash
from companion.games.dogfight_1917.game import TurnEnds
from companion.kit.figures import figures_in_words
from companion.kit.hexes import Heading, Hex

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.match.rulebook import Setup

OPENING_HAND = 5
MENTOR_TOKENS = 2
FIRST_GAME_FIGHTERS: Mapping[Seat, str] = {A: "camel", B: "fokker"}

_FIGURES = Cite.of("DF-2.2, DF-2.8, RULING 1")
_CHOOSE = Cite.of("DF-3.2")
_HANDS = Cite.of("DF-3.5")
_FIRST = Cite.of("DF-3.3, RULING 21")
_PLACES = Cite.of("DF-3.6")
_MENTOR_TOKENS = Cite.of("DF-3.7, DF-18.5.A")
_DRAW = Cite.of("DF-6.1")
_IMMINENT = Cite.of("DF-6.2, DF-16.1")


class Dogfight1917(Engaging):
    """The base game."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.refuse_sittings()

    @classmethod
    def in_variants(cls, names: Sequence[str]) -> type[Self]:
        """The rules with the named chapters in force; BadCall for a mix the book does not have."""
        from companion.games.dogfight_1917.variants import rules_of  # built on these rules

        super().in_variants(names)
        chosen: type[Self] = rules_of(tuple(names))
        return chosen

    # -- reports ---------------------------------------------------------------------------

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    # -- Setup (DF-3) ----------------------------------------------------------------------

    async def play(self) -> Outcome:
        """Set-up, then whole turns in order until the game has an end.  (DF-3, DF-5.1)"""
        if self.position.stage == SET_UP:
            self.begin()
            await self.set_up()
            self.position.stage = RECONNAISSANCE
        while True:
            await self.turn()
            self.next_turn()

    async def set_up(self) -> None:
        """Choose Fighters and Pilots, shuffle, draw, place the models.  (DF-3.1 to DF-3.7)"""
        self.tell_figures()
        await self.choose()
        self.looks = looks_of(self.position, self.side_of)
        for seat in self.position.players:
            self.prepare(seat)
        await self.place_fighters()
        await self.ask.placed()

    def tell_figures(self) -> None:
        """Which figures this table is ruled by, and whether somebody has looked.  (RULING 1)"""
        text = figures_in_words(
            self.table.name,
            own=bool(self.setup.cards),
            left=len(ASSUMED) - len(self.table.confirmed),
            of=len(ASSUMED),
        )
        self.rule(text, _FIGURES, headline="figures of this table")

    async def choose(self) -> None:
        """From the Starting Player on each picks a Fighter; the chart names its pilot.  (DF-3.2)"""
        for seat in self.position.players:
            await self.choose_fighter(seat)
            await self.choose_pilot(seat)

    async def choose_fighter(self, seat: Seat, by: Seat | None = None) -> None:
        """One of the Fighters that nobody else flies.  (DF-3.2)"""
        chosen = self.said_fighter(seat)
        if not chosen:
            free = self.free_fighters(seat)
            question = self.ask.fighter(seat, free, self.choice_cite(), by or seat)
            chosen = await unless_alone(question)
        self.player(seat).fighter = chosen
        name = self.fighter_name(seat)
        self.rule(f"{self.who(seat)} flies the {name}.", self.choice_cite(), by=seat,
                  headline=self.ask.head(seat, name))  # fmt: skip

    def choice_cite(self) -> Cite:
        """Where the book says who picks what.  (DF-3.2, DF-3.3)"""
        return _FIRST if self.is_first_game() else _CHOOSE

    def said_fighter(self, seat: Seat) -> str:
        """The Fighter of a seat that is not asked for one; empty if it is asked.

        A position file or the seats name it, or its pilot does, or the first-game advice.
        """
        player, sitting = self.player(seat), self.sitting.get(seat, Sitting(""))
        named = player.fighter or sitting.fighter  # a file may begin between two choices
        if named or not self.pairs_enforced():
            return named or self.advised_fighter(seat)
        pilot = player.pilot or sitting.pilot
        partner = next((piece for piece, f in self.fighters.items() if f.pilot == pilot), "")
        return partner or self.advised_fighter(seat)

    def advised_fighter(self, seat: Seat) -> str:
        """Camel for the Starting Player of a first game, Fokker for the other.  (DF-3.3)"""
        advised = FIRST_GAME_FIGHTERS[seat] if self.is_first_game() else ""
        others = [other for other in self.position.players if other != seat]
        named = {self.sitting[other].fighter for other in others if other in self.sitting}
        return (
            "" if advised in named | {self.player(other).fighter for other in others} else advised
        )

    def free_fighters(self, seat: Seat) -> list[str]:
        """Fighters that no other seat flies, or has named for itself.  (DF-3.2)"""
        others = {self.said_fighter(other) for other in self.position.players if other != seat}
        return [piece for piece in FIGHTERS if piece not in others]

    def is_first_game(self) -> bool:
        """Whether the advice for a first game is followed, in the mode that has it.  (DF-3.3)"""
        return self.options.get("first_game_deck") is True

    async def choose_pilot(self, seat: Seat, by: Seat | None = None) -> None:
        """The chart's partner, or by house rule any pilot nobody has.  (DF-3.2)"""
        chosen = self.said_pilot(seat)
        if not chosen:
            free = self.free_pilots(seat)
            question = self.ask.pilot(seat, free, self.choice_cite(), by or seat)
            chosen = await unless_alone(question)
        self.player(seat).pilot = chosen
        name = self.pilot_name(seat)
        self.rule(f"{self.who(seat)}'s pilot is {name}.", self.choice_cite(), by=seat,
                  headline=self.ask.head(seat, name.rpartition(" ")[2]))  # fmt: skip

    def said_pilot(self, seat: Seat) -> str:
        """The pilot of a seat that is not asked for one; empty if it is asked.  (DF-3.2, DF-3.3)"""
        player, sitting = self.player(seat), self.sitting.get(seat, Sitting(""))
        named = player.pilot or sitting.pilot or (MENTOR if self.is_first_game() else "")
        if named or not (player.fighter and self.pairs_enforced()):
            return named
        return self.fighter(seat).pilot

    def free_pilots(self, seat: Seat) -> list[str]:
        """Pilot Cards that no other seat has; the Mentors are for first games.  (DF-18)"""
        others = {self.said_pilot(other) for other in self.position.players if other != seat}
        return [f.pilot for f in self.fighters.values() if f.pilot not in others]

    def pairs_enforced(self) -> bool:
        """Whether each Fighter comes with its partner of the chart.  (DF-3.2, DF-19.4)"""
        return self.options["basic_combination_enforced"] is True

    def refuse_sittings(self) -> None:
        """What the seats say of Fighters and pilots must be possible; BadCall otherwise."""
        for seat, sitting in self.sitting.items():
            pair = self.fighters[sitting.fighter].pilot if sitting.fighter else ""
            known = ("", pair, MENTOR) if self.is_first_game() else ("", pair)
            if pair and self.pairs_enforced() and sitting.pilot not in known:
                raise BadCall(
                    f"seat {seat}: the {FIGHTER_NAMES[sitting.fighter]} comes with {pair} "
                    "[DF-3.2]: set basic_combination_enforced to false, or play draft"
                )
        self._refuse_twice("fighter", [self.said_fighter(seat) for seat in self.sitting], 1)
        pilots = [sitting.pilot for sitting in self.sitting.values()]
        self._refuse_twice("pilot", [pilot for pilot in pilots if is_unique(pilot)], 1)
        self._refuse_twice("pilot", pilots, MENTOR_CARDS)

    def _refuse_twice(self, kind: str, said: Sequence[str], copies: int) -> None:
        twice = next((name for name in said if name and said.count(name) > copies), None)
        if twice is not None:
            seats = {1: "two", 2: "three"}[copies]
            there = {1: "each exists once", 2: "there are two"}[copies]
            raise BadCall(f"{kind} {twice!r} is named for {seats} seats; {there} [DF-1.1, DF-3.2]")

    def prepare(self, seat: Seat) -> None:
        """Shuffle, draw five; the Mentor's tokens; a first game's cards out.  (DF-3.3 to 3.7)"""
        piles = self.player(seat).piles
        if self.is_first_game():
            out = piles.move(sum(FIRST_GAME_OUT.values()), "deck", "box")
            for card, count in FIRST_GAME_OUT.items():
                for _ in range(count):
                    piles.learn("box", card)
            cards = listed([counted(count, card) for card, count in FIRST_GAME_OUT.items()])
            self.rule(f"{self.who(seat)} returns {cards} to the box.", _FIRST, out, by=seat,
                      headline=self.ask.head(seat, f"{out.count} to the box"))  # fmt: skip
        self.draw_opening_hand(seat)
        if self.player(seat).is_pilot(MENTOR):
            self.earn(seat, MENTOR_TOKENS, _MENTOR_TOKENS, "the Pilot Mentor brings them")

    def draw_opening_hand(self, seat: Seat) -> None:
        """Shuffle the Deck, draw five.  (DF-3.5)"""
        piles = self.player(seat).piles
        shuffle = piles.shuffle("deck", "deck")
        draw = piles.move(OPENING_HAND, "deck", "hand")
        text = f"{self.who(seat)} shuffles and draws {OPENING_HAND}; the Deck has {piles['deck']}."
        self.rule(text, _HANDS, shuffle, draw, by=seat,
                  headline=self.ask.head(seat, f"draw {OPENING_HAND}"))  # fmt: skip

    async def place_fighters(self) -> None:
        """Second Player in the middle, Starting Player north of it, both facing north.  (3.6)"""
        for seat, space in ((A, Hex(0, -1)), (B, Hex(0, 0))):
            self.start_at(seat, Heading(space, 0), _PLACES)

    def start_at(self, seat: Seat, start: Heading, cite: Cite, note: str = "") -> None:
        """A model is placed on its start space; that collects nothing.  (RULING 8)"""
        self.player(seat).start = start
        text = f"{self.who(seat)} starts on {start.name()}{note}."
        headline = self.ask.head(seat, start.name())
        self.rule(text, cite, self.put(seat, start), by=seat, headline=headline)

    # -- the turn (DF-5, DF-6) -------------------------------------------------------------

    async def turn(self) -> None:
        """Reconnaissance, Assessment, Engagement, then the look at the Deck.  (DF-5.1, DF-5.2)"""
        position = self.position
        try:
            if position.stage == RECONNAISSANCE:
                self.begin()
                self.looks = looks_of(self.position, self.side_of)  # an arbiter may swap Fighters
                await self.reconnaissance()
                position.stage = ASSESSMENT
            first = ENGAGE
            if position.stage == ASSESSMENT:
                first = await self.assessment()
                position.stage = ENGAGEMENT if first else ASSESSMENT
            if position.stage == ENGAGEMENT:
                await self.engagement(first)
            await self.end_of_turn()
        except TurnEnds:
            return

    async def reconnaissance(self) -> None:
        """Draw the top card; with an empty Deck a crash is imminent.  (DF-6.1, DF-6.2)"""
        self.draw(self.position.active, 1)

    def draw(self, seat: Seat, cards: int) -> None:
        """So many cards off the Deck into the Hand, as far as it reaches."""
        piles = self.player(seat).piles
        count = min(cards, piles["deck"])
        if not count:
            text = f"Crash imminent: {self.who(seat)}'s Deck is empty, and nothing is drawn."
            self.rule(text, _IMMINENT, by=seat, headline=self.ask.head(seat, "crash imminent"))
            return
        carry = piles.move(count, "deck", "hand")
        text = f"{self.who(seat)} draws {count}; the Deck has {piles['deck']}."
        self.rule(text, _DRAW, carry, by=seat, headline=self.ask.head(seat, f"draw {count}"))

    async def end_of_turn(self) -> None:
        """Whose Deck is empty at the end of their own turn crashes.  (DF-5.2, DF-16.2)"""
        seat = self.position.active
        if not self.player(seat).piles["deck"]:
            await self.crash(seat, Crash.FIGHTER_DOWN)

    def next_turn(self) -> None:
        """Whose turn it is, and what the last one leaves behind.  (DF-5.1)"""
        position = self.position
        position.active = position.next_turn or self.seat_after(position.active)
        position.next_turn = None
        position.turn += 1
        position.stage = RECONNAISSANCE
        position.maneuvered = position.improvised = False
        position.actions = position.gunsight = 0
        position.dice, position.claimed, position.fires_at = (), None, None

    def seat_after(self, seat: Seat) -> Seat:
        """The next seat clockwise that still takes turns.  (DF-5.1, DF-23.4)"""
        order = [s for s in SEATS if s in self.position.players]
        later = [*order[order.index(seat) + 1 :], *order[: order.index(seat) + 1]]
        return next(s for s in later if not self.player(s).out)
