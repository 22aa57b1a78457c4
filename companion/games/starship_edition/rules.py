"""Dog Fight: Starship Edition: set-up, and turns of four phases.  (SE-SET, SE-PRI)

The phases stand in files of their own, in the book's order: preparing.py, acting.py (abilities and
tiers), ending.py (Discard Phase and End of Turn); attacks in fighting.py, operations in effects.py.
"""

from __future__ import annotations

from hashlib import blake2b

from companion.core.ruling import TABLE, Carry, Cite, MatchOver, Outcome, Seat, Shuffle
from companion.core.text import counted
from companion.games.starship_edition.ending import Ending
from companion.games.starship_edition.figures import ASSUMED
from companion.games.starship_edition.layout import (
    ABILITIES,
    DECK,
    DISCARD_PHASE,
    END_OF_TURN,
    HAND,
    OPENING_HAND,
    PREPARATION,
    SET_UP,
    TIERS,
)
from companion.games.starship_edition.star_map import name_of
from companion.games.starship_edition.switches import TABLE_DRAWS
from companion.kit.figures import figures_in_words
from companion.match.rulebook import clockwise_from

_FIGURES = Cite.of("SE-SET-06, SE-R03, RULING 3")
_GEAR = Cite.of("SE-EOT-01, SE-R12, RULING 12")
_DEAL = Cite.of("SE-SET-01")
_MAP = Cite.of("SE-SET-02, SE-R03, RULING 3")
_FIRST = Cite.of("SE-SET-03, SE-R02, RULING 2")
_PLACE = Cite.of("SE-SET-05")
_TOKENS = Cite.of("SE-SET-06")
_SPENT = Cite.of("SE-R24, RULING 26")


class StarshipEdition(Ending):
    """The base game for two to six."""

    async def play(self) -> Outcome:
        """Set-up, then whole turns until one vessel is left.  (SE-PRI-01)"""
        if self.position.stage == SET_UP:
            self.begin()
            await self.set_up()
            self.position.stage = PREPARATION
        while True:
            await self.turn()

    # -- set-up ----------------------------------------------------------------------------

    async def set_up(self) -> None:
        """Cards, map, first player, vessels, tokens, in the order of the book.  (SE-SET)"""
        self._tell_figures()
        for seat in self.position.players:
            self.deal(seat)
        self._tell_map()
        await self.first_player()
        await self.place_vessels()

    def _tell_figures(self) -> None:
        text = figures_in_words(
            self.table.name,
            own=bool(self.setup.cards),
            left=len(ASSUMED) - len(self.table.confirmed),
            of=len(ASSUMED),
        )
        self.rule(text, _FIGURES, headline="figures of this table")
        for notice in self.table.notices:
            self.rule(notice, _GEAR, headline="gear: look at it")

    def deal(self, seat: Seat) -> None:
        """Shuffle, cut, draw seven; hull and energy tokens.  (SE-SET-01, SE-SET-06)"""
        player = self.player(seat)
        player.deck -= OPENING_HAND
        player.hand += OPENING_HAND
        self.tell(seat, f"shuffles, has the deck cut and draws {OPENING_HAND}; {player.deck} left.",
                  _DEAL, f"draw {OPENING_HAND}", Shuffle(seat, player.size, DECK, DECK),
                  Carry(seat, OPENING_HAND, DECK, HAND))  # fmt: skip
        marks = self.table.assumed("vessel.hull", "vessel.energy")
        text = f"takes {player.hull} hull and {player.energy} energy{marks}."
        self.tell(seat, text, _TOKENS, f"{player.hull} hull")

    def _tell_map(self) -> None:
        star_map = self.position.map
        if star_map is None:
            text = "No map file: range, line of sight and moves are as the players declare."
            self.rule(text, _MAP, headline="map: as declared")
            return
        squares = counted(2 * len(self.position.players), "map square")
        text = f"{squares} make the map: {len(star_map.spaces)} spaces."
        self.rule(text, _MAP, headline="lay the map")

    async def first_player(self) -> None:
        """Drawn by lot: at the table, or by the number that the option gives.  (SE-SET-03)"""
        lots = self.options["lots"]
        seats = list(self.position.players)
        if lots == TABLE_DRAWS:
            seat = await self.ask.first_player()
        else:
            drawn = blake2b(str(lots).encode(), digest_size=8).digest()
            seat = seats[int.from_bytes(drawn) % len(seats)]
        self.position.priority = self.position.active = seat
        drawn_by = "" if lots == TABLE_DRAWS else f" (drawn by the number {lots})"
        self.tell(seat, f"begins with Priority{drawn_by}.", _FIRST, "has Priority")

    async def place_vessels(self) -> None:
        """In reverse playing order, so that the Priority player is the last.  (SE-SET-05)"""
        for seat in reversed(clockwise_from(self.position.priority, list(self.position.players))):
            if not self.player(seat).out:
                self.position.active = seat
                await self.place_vessel(seat)
        self.position.active = self.position.priority

    async def place_vessel(self, seat: Seat) -> None:
        """One vessel on a lettered start space that is still free.  (SE-SET-05)"""
        star_map, player = self.position.map, self.player(seat)
        if star_map is None:
            await self.ask.placed(seat)
            if player.out:
                return
            self.tell(seat, "has placed the vessel.", _PLACE, "vessel placed")
            return
        taken = {other.space for other in self.position.players.values()}
        free = {name: spot for name, spot in star_map.start_names.items() if spot not in taken}
        spot = await self.ask.start_space(player, star_map, free)
        if player.out:
            return
        letter = star_map.starts[spot]
        moves = self.put(seat, spot)
        text = f"starts on {letter}, {name_of(spot)}."
        self.tell(seat, text, _PLACE, f"starts on {name_of(spot)}", *moves)

    # -- the turn --------------------------------------------------------------------------

    async def turn(self) -> None:
        """Preparation, Action in two steps, Discard, End of Turn.  (SE-PRI-01)"""
        position = self.position
        if position.stage == PREPARATION:
            await self.end_if_spent()
            await self.preparation()
            position.stage = ABILITIES
        if position.stage == ABILITIES:
            self.begin()
            await self.vessel_abilities()
            await self.cards_of_phase("step1")
            position.tier, position.stage = 1, TIERS
        if position.stage == TIERS:
            await self.tier_sequence()
            position.stage = DISCARD_PHASE
        if position.stage == DISCARD_PHASE:
            self.begin()
            with self.ask.at("discard"):
                await self.discard_phase()
            position.stage = END_OF_TURN
        self.begin()
        with self.ask.at("end"):
            await self.end_of_turn()
        self.priority_passes()
        self.next_turn()
        position.stage = PREPARATION

    async def end_if_spent(self) -> None:
        """Nobody has a card any more: the table may call it a draw.  (RULING 26)"""
        position = self.position
        fresh = not any(player.tiers or player.prepared for player in position.alive())
        if not fresh or any(player.has_cards for player in position.alive()):
            return
        if any(self.can_draw(player.seat) for player in position.alive()):
            return
        self.begin()
        prompt = "Nobody has a card left to play. Does the match end as a draw?"
        question = self.ask.yes_no("spent", position.priority, _SPENT, prompt, "end as a draw?",
                                   ("A draw", "Play on"))  # fmt: skip
        question.by, question.headline = TABLE, "End as a draw?"
        if await question:
            text = "Nobody has a card left: the match ends as a draw."
            raise MatchOver(Outcome((), self.rule(text, _SPENT, headline="A draw")))
