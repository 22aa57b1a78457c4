"""Dogfight! hex ships: set-up, and turns of five parts.  (HX-SET, HX-TRN-01, HX-END)

The parts are chapters in turn.py: declaring cards (HX-DEC, HX-RES-01), moving (HX-MOV), resolving
them (HX-RES, HX-ATK), damage (HX-SHD, HX-DMG, HX-WIN), debris (HX-DEB).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.board import Piece, Pose
from companion.core.ruling import TABLE, Carry, Cite, Move, Notice, Outcome, Seat, SetTo
from companion.core.text import counted, listed
from companion.games.dogfight_hex import reports, seats
from companion.games.dogfight_hex.asks import LOT
from companion.games.dogfight_hex.cards import ASSUMED
from companion.games.dogfight_hex.refusals import free_wreckage
from companion.games.dogfight_hex.turn import Turn
from companion.kit.figures import figures_in_words
from companion.kit.hexes import Heading, Hex
from companion.kit.piles import drawn

if TYPE_CHECKING:
    from companion.core.question import Question, Refusal
    from companion.core.ruling import Json

T = TypeVar("T")

_FIGURES = Cite.of("HX-MAT-01, RULING 1, RULING 2")
_FIRST = Cite.of("HX-SET-02")
_FIRST_LOT = Cite.of("HX-SET-02, RULING 5")
_WRECKAGE = Cite.of("HX-SET-01, RULING 3")
_HULL = Cite.of("HX-SET-03, HX-SET-04")
_PLACED = Cite.of("HX-SET-05, RULING 4")
_SHUFFLED = Cite.of("HX-SET-06")
_DISCARDED = Cite.of("HX-END-01, RULING 7")
_CAPTURED = Cite.of("HX-SHD-06, RULING 17")
_TOKEN = Cite.of("HX-END-03")
_TOKEN_ON = Cite.of("HX-END-03, HX-END-04")
_DRAW = Cite.of("HX-END-02, RULING 27")
_RESHUFFLE = Cite.of("RULING 27")
_NO_CARDS = Cite.of("HX-END-02, RULING 27")
_STARTER = "starting-player token"


class DogfightHex(Turn):
    """The whole game."""

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return reports.not_asked(self, seat, raw, asked)

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    reporting = reports.REPORTING

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {"first": "B"},
            "report": {"what": "recount", "player": "A", "pile": "hull", "count": 2},
        }

    async def play(self) -> Outcome:
        """Set-up, then turns until one ship is left.  (HX-SET, HX-TRN-01, HX-WIN-01)"""
        if self.position.stage == seats.SET_UP:
            self.begin()
            await self.set_up()
            self.enter(seats.DECLARE)
        while True:
            await self.turn()

    # -- Setup (HX-SET) --------------------------------------------------------------------

    async def set_up(self) -> None:
        """Wreckage, the first player, ships clockwise, four cards each.  (HX-SET-01 to 06)"""
        self.tell_figures()
        await self.scatter_wreckage()
        await self.choose_first()
        for seat in self.position.round_table():
            if self.ship(seat).lives:
                await self.place_ship(seat)
        self.deal()

    def tell_figures(self) -> None:
        """Which figures this table is ruled by, and whether somebody has looked."""
        left = len(ASSUMED) - len(self.table.confirmed)
        text = figures_in_words(
            self.table.name, own=bool(self.setup.cards), left=left, of=len(ASSUMED)
        )
        self.rule(text, _FIGURES, headline="figures of this table", quiet=True)

    async def scatter_wreckage(self) -> None:
        """Four tokens on four spaces at random, by hand or by lot.  (HX-SET-01, RULING 3)"""
        for piece in seats.WRECKS:
            space = await self.ask.scatter(piece, self.spaces_for_wreckage)
            if space is None:
                await self.draw_wreckage()
                return
            self.put_wreckage(piece, space, told=True)

    async def draw_wreckage(self) -> None:
        """What is not scattered yet is drawn by lot.  (RULING 3)"""
        number = await self.ask.number("wreckage", _WRECKAGE)
        for piece in free_wreckage(self.position):
            spaces = self.spaces_for_wreckage()
            self.put_wreckage(piece, self.lot(spaces, number, piece), told=False)

    def lot(self, things: Sequence[T], number: int, purpose: str) -> T:
        """One of several, by a number that somebody said and by who sits here.  (RULING 3, 5)"""
        people = ", ".join(self.all_of([*self.position.ships]))
        return drawn(things, f"{people}/{number}/{purpose}")

    def spaces_for_wreckage(self) -> list[Hex]:
        """Free spaces, those for the start among them unless this table keeps them free."""
        free = self.position.unoccupied()
        if self.options["wreckage_on_start"] == "forbid":
            free -= self.table.start_spaces
        return sorted(free)

    def put_wreckage(self, piece: Piece, space: Hex, *, told: bool) -> None:
        """One of the four lies there for the rest of the game; `told`: somebody has said so."""
        self.position.wreckage[piece] = space
        text = f"{seats.LABELS[piece]} lies on {space}."
        move = Move(piece, None, Pose(str(space)))
        self.rule(text, _WRECKAGE, move, headline=f"{seats.LABELS[piece]} to {space}", quiet=told)

    async def choose_first(self) -> None:
        """Who was on a boat last has the first-player token.  (HX-SET-02, RULING 5)"""
        first, cite = await self.ask.first(), _FIRST
        if first is None:
            number = await self.ask.number("first", _FIRST_LOT)
            first, cite = self.lot(self.position.order(), number, LOT), _FIRST_LOT
        self.position.first = first
        text = f"{self.who(first)} takes the first-player token."
        token = SetTo(TABLE, "first", _STARTER, "", first)
        self.rule(text, cite, token, by=first, headline=self.ask.head(first, "first player"))

    async def place_ship(self, seat: Seat) -> None:
        """A ship on a start space that is free, looking any way.  (HX-SET-03 to 05, RULING 4)"""
        place = await self.ask.place(seat, self.starts)
        if not self.ship(seat).lives:
            return  # the player has left the table
        text = f"{self.who(seat)} takes the ship marked {seat} and two hull points."
        self.rule(text, _HULL, by=seat, quiet=True)
        there, mark = self.position.named(place), self.table.assumed("map.start_spaces")
        text, headline = f"{self.who(seat)} starts on {there}{mark}.", self.ask.head(seat, there)
        move = self.put(seat, place)
        self.rule(text, _PLACED, move, by=seat, headline=headline, quiet=True)

    def starts(self) -> list[Heading]:
        """Every free start space, with each of the six headings.  (HX-SET-05, RULING 4)"""
        free = sorted(self.table.start_spaces & self.position.unoccupied())
        return [Heading(space, facing) for space in free for facing in range(6)]

    def deal(self) -> None:
        """Shuffle, draw four each.  (HX-SET-06)"""
        order = self.position.order()
        dealt = [self.position.deck.draw(seat, seats.HAND_SIZE) for seat in order]
        text = f"Shuffle the deck; {listed(self.all_of(order))} draw {seats.HAND_SIZE} cards each."
        self.rule(text, _SHUFFLED, *dealt, headline=f"draw {seats.HAND_SIZE} each")

    # -- the turn (HX-TRN-01) --------------------------------------------------------------

    async def turn(self) -> None:
        """Declare, move, reveal and carry out, then debris and the end.  (HX-TRN-01, RULING 7)"""
        position = self.position
        if position.stage == seats.DECLARE:
            self.begin()
            await self.declare()
            self.enter(seats.MOVEMENT)
        if position.stage == seats.MOVEMENT:
            await self.movement()
            self.enter(seats.REVEAL)
        if position.stage == seats.REVEAL:
            self.begin()
            await self.reveal()
            self.enter(seats.RESOLUTION)
        if position.stage == seats.RESOLUTION:
            await self.resolution()
            self.enter(seats.DEBRIS)
        await self.debris()
        self.end_turn()

    # -- the end of the turn (HX-END) ------------------------------------------------------

    def end_turn(self) -> None:
        """Used cards away, the token on, one card each in this turn's order.  (HX-END, R07)"""
        order = self.position.order()
        self.discard_used()
        self.pass_token()
        self.draw_all([seat for seat in order if self.may_draw(seat)])
        for ship in self.position.ships.values():
            ship.forget_turn()
        self.position.drifting = None
        self.position.turn += 1
        self.enter(seats.DECLARE)

    def discard_used(self) -> None:
        """To the discard pile, or before whoever captured it.  (HX-END-01, RULING 17)"""
        deck = self.position.deck
        takers = {s.claims: seat for seat, s in self.position.ships.items() if s.claims}
        used = [seat for seat in self.position.round_table() if deck.count(seat, seats.CARD)]
        for seat in used:
            if (taker := takers.get(seat)) is not None:
                text = f"{self.who(taker)} takes {self.who(seat)}'s card for the next turn."
                self.rule(text, _CAPTURED, deck.capture(taker, seat), by=taker)
        away = [deck.discard(seat, seats.CARD) for seat in used if seat not in takers]
        if away:
            text = f"{counted(len(away), 'used card goes', 'used cards go')} to the discard pile."
            self.rule(text, _DISCARDED, *away, headline="discard used cards")

    def pass_token(self) -> None:
        """One seat clockwise, past those who are destroyed.  (HX-END-03, HX-END-04)"""
        around = self.position.round_table()[1:]
        living = [seat for seat in around if self.ship(seat).lives]
        if not living:
            return
        was, self.position.first = self.position.first, living[0]
        cite = _TOKEN if living[0] == around[0] else _TOKEN_ON
        text = f"{self.who(living[0])} has the starting-player token."
        headline = self.ask.head(living[0], "starts")
        token = SetTo(TABLE, "first", _STARTER, was, living[0])
        self.rule(text, cite, token, by=living[0], headline=headline)

    def may_draw(self, seat: Seat) -> bool:
        """Whether the shield used lets a player draw.  (HX-END-02, HX-SHD-05, HX-SHD-06)"""
        ship = self.ship(seat)
        return ship.lives and not ship.no_draw

    def draw_all(self, drawing: Sequence[Seat]) -> None:
        """One card each, while there are any; the discard pile makes a new deck.  (END-02, R27)"""
        deck = self.position.deck
        drawn: list[Carry] = []
        for seat in drawing:
            if not deck.left and deck.discarded:
                self.tell_draws(drawn)
                drawn = []
                text = "Shuffle the discard pile: it is the new deck."
                self.rule(text, _RESHUFFLE, deck.shuffle(), headline="new deck")
            if deck.left:
                drawn.append(deck.draw(seat, 1))
            else:
                text = f"No card is left for {self.who(seat)} to draw."
                self.rule(text, _NO_CARDS, by=seat, quiet=True)
        self.tell_draws(drawn)

    def tell_draws(self, drawn: Sequence[Carry]) -> None:
        """Who draws a card now.  (HX-END-02)"""
        if drawn:
            people = listed(self.all_of([carry.owner for carry in drawn]))
            text = f"{people} draw{'s' if len(drawn) == 1 else ''} a card."
            self.rule(text, _DRAW, *drawn, headline="draw a card")
