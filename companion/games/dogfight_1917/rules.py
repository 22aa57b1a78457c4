"""Dogfight: 1917, the base game of two with its set-up and turns, and the other modes after it.

The phases are chapters of their own: flying.py (the Assessment Phase, DF-7, and Movement, DF-9),
fight.py (attacks, DF-11 to DF-14), engaging.py (the Engagement Phase, DF-8, DF-15). A mode is the
base game with some paragraphs replaced.  (DF-3, DF-5, DF-6, DF-19 to DF-24)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from companion.core.errors import BadCall
from companion.core.question import unless_alone
from companion.core.ruling import Cite, Notice, Outcome, Ruling, Seat, Shuffle
from companion.core.text import HEADLINE, counted, listed
from companion.games.dogfight_1917 import cards, engaging, flying, reports
from companion.games.dogfight_1917.boards import looks_of
from companion.games.dogfight_1917.cards import A, B, C, D, Sitting, is_unique
from companion.games.dogfight_1917.figures import ASSUMED
from companion.games.dogfight_1917.flying import ENGAGE
from companion.games.dogfight_1917.game import Crash, Game, TurnEnds
from companion.games.dogfight_1917.pilots import EFFECTS
from companion.games.dogfight_1917.switches import (
    BASE_SWITCHES,
    DARING_SWITCHES,
    ENTENTE_SWITCHES,
    ROYALE_SWITCHES,
    TEAM_SWITCHES,
    drafted,
)
from companion.kit.figures import figures_in_words
from companion.kit.hexes import Heading, Hex
from companion.match.house_rules import Switch
from companion.match.rulebook import Setup

if TYPE_CHECKING:
    from companion.core.ruling import Json

OPENING_HAND = 5
FIRST_GAME_FIGHTERS: Mapping[Seat, str] = {A: "camel", B: "fokker"}

_FIGURES = Cite.of("DF-2.2, DF-2.8, RULING 1")
_CHOOSE = Cite.of("DF-3.2")
_HANDS = Cite.of("DF-3.5")
_FIRST = Cite.of("DF-3.3, RULING 21")
_PLACES = Cite.of("DF-3.6")
_DRAW = Cite.of("DF-6.1")
_IMMINENT = Cite.of("DF-6.2, DF-16.1")


class Dogfight1917(Game):
    """The base game."""

    pilots = EFFECTS

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.refuse_sittings()

    @classmethod
    def in_variants(cls, names: Sequence[str]) -> type[Self]:
        """The rules with the named chapters in force; BadCall for a mix the book does not have."""
        super().in_variants(names)
        chosen: type[Self] = rules_of(tuple(names))
        return chosen

    # -- reports ---------------------------------------------------------------------------

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    reporting = reports.REPORTING

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    # -- Setup (DF-3) ----------------------------------------------------------------------

    async def play(self) -> Outcome:
        """Set-up, then whole turns in order until the game has an end.  (DF-3, DF-5.1)"""
        if self.position.stage == cards.SET_UP:
            self.begin()
            await self.set_up()
            self.position.stage = cards.RECONNAISSANCE
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
        left = len(ASSUMED) - len(self.table.confirmed)
        text = figures_in_words(
            self.table.name, own=bool(self.setup.cards), left=left, of=len(ASSUMED)
        )
        self.rule(text, _FIGURES, headline="figures of this table", quiet=True)

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
        return [piece for piece in cards.FIGHTERS if piece not in others]

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
        named = player.pilot or sitting.pilot or (cards.MENTOR if self.is_first_game() else "")
        if named or not (player.fighter and self.pairs_enforced()):
            return named
        return self.fighter(seat).pilot

    def free_pilots(self, seat: Seat) -> list[str]:
        """Pilot Cards that no other seat has; the Mentors are for first games.  (DF-18)"""
        others = {self.said_pilot(other) for other in self.position.players if other != seat}
        return [code for code in cards.PILOTS if is_unique(code) and code not in others]

    def pairs_enforced(self) -> bool:
        """Whether each Fighter comes with its partner of the chart.  (DF-3.2, DF-19.4)"""
        return self.options["basic_combination_enforced"] is True

    def refuse_sittings(self) -> None:
        """What the seats say of Fighters and pilots must be possible; BadCall otherwise."""
        for seat, sitting in self.sitting.items():
            pair = self.fighters[sitting.fighter].pilot if sitting.fighter else ""
            known = ("", pair, cards.MENTOR) if self.is_first_game() else ("", pair)
            if pair and self.pairs_enforced() and sitting.pilot not in known:
                raise BadCall(
                    f"seat {seat}: the {cards.FIGHTER_NAMES[sitting.fighter]} comes with {pair} "
                    "[DF-3.2]: set basic_combination_enforced to false, or play draft"
                )
        self._refuse_twice("fighter", [self.said_fighter(seat) for seat in self.sitting], 1)
        pilots = [sitting.pilot for sitting in self.sitting.values()]
        self._refuse_twice("pilot", [pilot for pilot in pilots if is_unique(pilot)], 1)
        self._refuse_twice("pilot", pilots, cards.MENTOR_CARDS)

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
            out = piles.move(sum(cards.FIRST_GAME_OUT.values()), "deck", "box")
            for card, count in cards.FIRST_GAME_OUT.items():
                for _ in range(count):
                    piles.learn("box", card)
            returned = listed(
                [counted(count, card) for card, count in cards.FIRST_GAME_OUT.items()]
            )
            self.rule(f"{self.who(seat)} returns {returned} to the box.", _FIRST, out, by=seat,
                      headline=self.ask.head(seat, f"{out.count} to the box"))  # fmt: skip
        self.draw_opening_hand(seat)
        self.pilot(seat).set_up(self, seat)

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
            if position.stage == cards.RECONNAISSANCE:
                self.begin()
                self.looks = looks_of(self.position, self.side_of)  # an arbiter may swap Fighters
                await self.reconnaissance()
                position.stage = cards.ASSESSMENT
            first = ENGAGE
            if position.stage == cards.ASSESSMENT:
                first = await engaging.assessment(self)
                position.stage = cards.ENGAGEMENT if first else cards.ASSESSMENT
            if position.stage == cards.ENGAGEMENT:
                await engaging.engagement(self, first)
            await self.end_of_turn()
        except TurnEnds:
            return

    async def reconnaissance(self) -> None:
        """Draw the top card; with an empty Deck a crash is imminent.  (DF-6.1, DF-6.2)"""
        self.draw(self.position.active, 1)

    def draw(self, seat: Seat, wanted: int) -> None:
        """So many cards off the Deck into the Hand, as far as it reaches."""
        piles = self.player(seat).piles
        count = min(wanted, piles["deck"])
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


# The other modes: each replaces the paragraphs that it changes.  (DF-19 to DF-24)

SPOILS = 5
DRAW_ON_RETURN = 3
MOST_RETURNED = 2

_ROOKIE = Cite.of("DF-21.1")
_ACE = Cite.of("DF-21.2, RULING 42")
_ROYALE_START = Cite.of("DF-22.1")
_ROYALE_TOKENS = Cite.of("DF-22.2, RULING 35")
_SPOILS = Cite.of("DF-22.4, RULING 32")
_LAST = Cite.of("DF-22.5")
_TEAM_CHOICE = Cite.of("DF-23.1, RULING 37")
_TEAM_START = Cite.of("DF-23.2, RULING 36")
_TEAM_LOST = Cite.of("DF-23.5")
_NEW_DECK = Cite.of("DF-24.4, RULING 40")
_LEADER_NEXT = Cite.of("DF-24.4, RULING 38, RULING 39")
_RETURN = Cite.of("DF-24.5, RULING 40")
_REWARD = Cite.of("DF-24.6, RULING 32, RULING 41")
_LEADER_LOST = Cite.of("DF-24.7")
_ROLES = Cite.of("DF-24.1")
_DRAFT = Cite.of("DF-20.1")

FOUR: Mapping[Seat, str] = {seat: cards.NAMES[seat] for seat in (A, B, C, D)}


class Draft(Dogfight1917):
    """Pilots clockwise, then Fighters the other way round.  (DF-20)"""

    switches: ClassVar[Mapping[str, Switch]] = drafted(BASE_SWITCHES)

    async def choose(self) -> None:
        """The Starting Player picks the first Pilot and the last Fighter.  (DF-20.1)"""
        seats = list(self.position.players)
        for seat in seats:
            await self.choose_pilot(seat)
        for seat in reversed(seats):
            await self.choose_fighter(seat)

    def choice_cite(self) -> Cite:
        return _DRAFT

    def pairs_enforced(self) -> bool:
        return False


class DaringEscape(Dogfight1917):
    """The Ace, who is chased, gives cards away; the Rookie chooses for both.  (DF-21)"""

    switches: ClassVar[Mapping[str, Switch]] = DARING_SWITCHES
    seats: ClassVar[Mapping[Seat, str]] = {A: "Ace", B: "Rookie"}

    async def choose(self) -> None:
        """The Rookie chooses Fighter and Pilot for both.  (DF-21.1)"""
        for seat in (B, A):
            await self.choose_fighter(seat, B)
            await self.choose_pilot(seat, B)

    def choice_cite(self) -> Cite:
        return _ROOKIE

    def draw_opening_hand(self, seat: Seat) -> None:
        """The Ace removes the top cards of the Deck, then draws.  (DF-21.2, RULING 42)"""
        if seat == A:
            piles = self.player(seat).piles
            count = int(str(self.options["ace_removes"]))
            out = piles.move(count, "deck", "box")
            text = f"{self.who(seat)} shuffles and removes the top {count} cards, unseen."
            self.rule(text, _ACE, piles.shuffle("deck", "deck"), out, by=seat,
                      headline=self.ask.head(seat, f"remove {count}"))  # fmt: skip
        super().draw_opening_hand(seat)


class BattleRoyale(Dogfight1917):
    """Everybody against everybody.  (DF-22)"""

    seats: ClassVar[Mapping[Seat, str]] = FOUR
    sides: ClassVar[tuple[Seat, ...]] = (A, B, C, D)
    switches: ClassVar[Mapping[str, Switch]] = ROYALE_SWITCHES

    def seats_taken(self) -> tuple[Seat, ...]:
        return tuple(self.seats)[: int(str(self.options["players"]))]

    async def place_fighters(self) -> None:
        """Free corners, facing the middle; later seats start with tokens.  (DF-22.1, DF-22.2)"""
        for seat in self.position.players:
            start = await self.ask.corner(self.player(seat), self.free_corners, _ROYALE_START)
            note = self.table.assumed("board.radius")
            self.start_at(seat, start, _ROYALE_START, note)
        for number, seat in enumerate(self.position.players):
            tokens = self.table.royale_tokens[number]
            if tokens:
                note = self.table.assumed("battle_royale.tokens")
                why = f"player number {number + 1} begins with them{note}"
                self.earn(seat, tokens, _ROYALE_TOKENS, why)

    def free_corners(self) -> list[Heading]:
        """Corner spaces on which nobody stands.  (DF-22.1)"""
        occupied = self.position.occupied()
        starts = (self.table.corner_start(corner) for corner in range(6))
        return [start for start in starts if start.hex not in occupied]

    def judge_end(self, seat: Seat, ruling: Ruling) -> None:
        """The last one flying wins.  (DF-22.5)"""
        left = self.position.flying()
        if len(left) == 1:
            winner = left[0].seat
            text = f"{self.who(winner)} is the last one flying and wins."
            headline = self.ask.head(winner, "wins")
            ruling = self.rule(text, _LAST, by=winner, headline=headline)
            self.end_match((winner,), ruling)

    async def after_crash(self, seat: Seat, shooter: Seat | None) -> None:
        """Spoils of War for whose attack it was.  (DF-22.4, RULING 32)"""
        if shooter is not None:
            self.earn(shooter, SPOILS, _SPOILS, f"Spoils of War for {self.who(seat)}")


class TeamBattle(Dogfight1917):
    """A and C against B and D.  (DF-23)"""

    seats: ClassVar[Mapping[Seat, str]] = FOUR
    switches: ClassVar[Mapping[str, Switch]] = TEAM_SWITCHES
    sides: ClassVar[tuple[Seat, ...]] = (cards.AC, cards.BD)
    side_of: ClassVar[Mapping[Seat, Seat]] = cards.TEAM_OF

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.named = {**self.named, **{side: self.team(side) for side in (cards.AC, cards.BD)}}

    async def choose(self) -> None:
        """A, then B and D, then C.  (DF-23.1, RULING 37)"""
        for seat in self.picking_order():
            await self.choose_fighter(seat)
            await self.choose_pilot(seat)

    def choice_cite(self) -> Cite:
        return _TEAM_CHOICE

    def picking_order(self) -> tuple[Seat, ...]:
        """In which order Fighters are chosen.  (RULING 37)"""
        return (A, B, D, C)

    async def place_fighters(self) -> None:
        """As the set-up map has it.  (DF-23.2, RULING 36)"""
        for seat in self.position.players:
            note = self.table.assumed("board.radius", f"team_map.{seat}")
            self.start_at(seat, self.table.team_starts[seat], _TEAM_START, note)

    def is_opponent(self, seat: Seat, other: Seat) -> bool:
        return cards.TEAM_OF[seat] != cards.TEAM_OF[other]

    def team(self, side: Seat) -> str:
        """The people of a team, in a sentence."""
        return listed(
            [self.who(seat) for seat in self.seats_taken() if cards.TEAM_OF[seat] == side]
        )

    def win(self, side: Seat) -> str:
        """Who has won, as a headline: by letters where the names are too long."""
        words = f"{self.team(side)} win"
        return words if len(words) <= HEADLINE else f"{side} win"

    def judge_end(self, seat: Seat, ruling: Ruling) -> None:
        """A team without a Fighter has lost.  (DF-23.5)"""
        team = cards.TEAM_OF[seat]
        if all(p.out for p in self.position.players.values() if cards.TEAM_OF[p.seat] == team):
            winner = cards.BD if team == cards.AC else cards.AC
            text = f"{self.team(team)} have both crashed: {self.team(winner)} win."
            ruling = self.rule(text, _TEAM_LOST, by=winner, headline=self.win(winner))
            self.end_match((winner,), ruling)


class EntenteVsCentralPowers(TeamBattle):
    """Leaders and Wingmen; a Wingman comes back, a Leader's crash ends the game.  (DF-24)"""

    switches: ClassVar[Mapping[str, Switch]] = ENTENTE_SWITCHES
    seats: ClassVar[Mapping[Seat, str]] = {
        A: "Central Leader", B: "Entente Leader", C: "Central Wingman", D: "Entente Wingman",
    }  # fmt: skip
    returning: ClassVar[frozenset[Seat]] = cards.WINGMEN
    roles: ClassVar[Mapping[Seat, str]] = {A: "fokker", B: "spad", C: "albatros", D: "camel"}
    leader_of: ClassVar[Mapping[Seat, Seat]] = {cards.AC: A, cards.BD: B}
    cut_short: bool = False
    """Whether the turn under way ends with the attack that is being carried out."""

    def picking_order(self) -> tuple[Seat, ...]:
        """Nobody chooses: the roles are fixed.  (DF-24.1)"""
        return tuple(self.roles)

    def choice_cite(self) -> Cite:
        return _ROLES

    def pairs_enforced(self) -> bool:
        return True

    def said_fighter(self, seat: Seat) -> str:
        return self.roles[seat]

    def refuse_sittings(self) -> None:
        """Who names a Fighter or pilot names that of the role; BadCall otherwise.  (DF-24.1)"""
        for seat, sitting in self.sitting.items():
            role, pilot = self.roles[seat], self.fighters[self.roles[seat]].pilot
            if sitting.fighter not in ("", role) or sitting.pilot not in ("", pilot):
                text = f"seat {seat}: the {self.seats[seat]} flies {role} with {pilot}"
                raise BadCall(f"{text} in this mode [{_ROLES}]: name these, or none")

    def retire(self, seat: Seat, notice: Notice) -> None:
        """A Leader who leaves loses; a Wingman's Fighter never does.  (DF-24.3, RULING 46)"""
        if self.is_wingman(seat):
            text = f"{self.who(seat)} flies a Wingman, who always comes back [DF-24.3, RULING 46]"
            raise BadCall(f"{text}: somebody flies on for {self.who(seat)}, or close the match")
        super().retire(seat, notice)

    def is_wingman(self, seat: Seat) -> bool:
        """Whether a seat comes back after a crash.  (DF-24.3)"""
        return seat in self.returning

    async def crash(self, seat: Seat, cause: Crash, shooter: Seat | None = None) -> None:
        """A Leader's crash ends the game, a Wingman's does not.  (DF-24.3, DF-24.4, DF-24.7)"""
        if not self.is_wingman(seat):
            await super().crash(seat, cause, shooter)
        self.tell_crash(seat, cause)
        self.new_deck(seat)
        leader = self.leader_of[cards.TEAM_OF[seat]]
        self.position.next_turn = leader
        self.rule(f"{self.who(leader)}, as Leader, takes the next turn.", _LEADER_NEXT, by=leader,
                  headline=self.ask.head(leader, "next turn"))  # fmt: skip
        if shooter is not None and self.is_opponent(seat, shooter):
            await self.leader_reward(self.leader_of[cards.TEAM_OF[shooter]])
        if seat == self.position.active:
            raise TurnEnds
        self.cut_short = self.options["wingman_leader_turn"] == "at_once"
        if self.cut_short and self.setup.edition == 1:  # it broke off the attack too
            self.cut_short = False
            await self.end_of_turn()
            raise TurnEnds

    async def after_attack(self, seat: Seat) -> None:
        """By house rule the turn ends after the attack that felled a Wingman.  (RULING 38)

        The attack has all its steps, Momentum among them (RULING 33); the look at the Deck follows.
        """
        if self.cut_short:
            self.cut_short = False
            self.rule(f"{self.who(seat)}'s turn is over with this attack.", _LEADER_NEXT, by=seat,
                      headline=self.ask.head(seat, "turn over"))  # fmt: skip
            await self.end_of_turn()
            raise TurnEnds

    def new_deck(self, seat: Seat) -> None:
        """Damage and Discard Pile, shuffled, are the Wingman's new Deck.  (DF-24.4, RULING 40)"""
        self.discard_played(seat)
        piles = self.player(seat).piles
        shuffles: list[Shuffle] = [piles.shuffle(p, "deck") for p in ("damage", "discard")]
        text = (f"{self.who(seat)} shuffles Damage and Discard Pile into a new Deck of "
                f"{piles['deck']}, and keeps Hand, tokens and pilot side.")  # fmt: skip
        self.rule(text, _NEW_DECK, *shuffles, by=seat, headline=self.ask.head(seat, "new Deck"))

    async def leader_reward(self, leader: Seat) -> None:
        """The attackers' Leader may take back the top cards of his Damage Pile.  (DF-24.6)"""
        piles = self.player(leader).piles
        most = min(MOST_RETURNED, piles["damage"])
        if not most or not self.player(leader).flies:
            return
        if self.options["leader_reward_look"] is True:
            text = (
                f"{self.who(leader)} looks at the top {counted(most, 'card')} of the Damage Pile."
            )
            self.rule(text, _REWARD, by=leader, headline=self.ask.head(leader, f"look at {most}"))
        what = "how many of your top damage cards go back into the Deck?"
        place = f"reward-{leader}"
        count = await self.ask.returned(leader, place, MOST_RETURNED, what, _REWARD)
        if count:
            back = piles.move(count, "damage", "deck")
            told = counted(count, "damage card")
            text = f"{self.who(leader)} shuffles {told} back into the Deck of {piles['deck']}."
            self.rule(text, _REWARD, back, piles.shuffle("deck", "deck"), by=leader,
                      headline=self.ask.head(leader, f"{count} back"))  # fmt: skip

    def judge_end(self, seat: Seat, ruling: Ruling) -> None:
        """A Leader has crashed: his team loses.  (DF-24.7)"""
        winner = cards.BD if cards.TEAM_OF[seat] == cards.AC else cards.AC
        text = f"{self.who(seat)}, a Leader, has crashed: {self.team(winner)} win."
        ruling = self.rule(text, _LEADER_LOST, by=winner, headline=self.win(winner))
        self.end_match((winner,), ruling)

    async def reconnaissance(self) -> None:
        """A Wingman that comes back draws three, then is placed.  (DF-24.5, RULING 40)"""
        player = self.position.mover
        if player.flies:
            await super().reconnaissance()
            return
        if self.must_wait(player.start):
            text = f"{self.who(player.seat)}'s start space is taken: back a turn later."
            headline = self.ask.head(player.seat, "waits a turn")
            self.rule(text, _RETURN, by=player.seat, headline=headline)
            raise TurnEnds
        self.draw(player.seat, DRAW_ON_RETURN)
        await self.come_back()

    def must_wait(self, start: Heading | None) -> bool:
        """By house rule a Wingman waits while its start space is taken.  (RULING 40)"""
        waits = self.options["respawn_when_occupied"] == "wait_a_turn"
        return waits and start is not None and start.hex in self.position.occupied()

    async def come_back(self) -> None:
        """On the start space, or on a free one beside it; collects nothing.  (RULING 40)"""
        player = self.position.mover
        places = self.places_to_return(player.start)
        end = places[0]
        if len(places) > 1:
            end = await self.ask.pose(
                player, "return", lambda: self.places_to_return(player.start), _RETURN,
                "the start space is taken: come back beside it",
            )  # fmt: skip
        flying.move_to(self, player.seat, end, _RETURN, "comes back on")

    def places_to_return(self, start: Heading | None) -> list[Heading]:
        """The start space; if it is taken the nearest free ones, with the same heading."""
        if start is None:
            raise BadCall('a Wingman off the board needs its start space, as in start = "4,-4 SW"')
        occupied = self.position.occupied()
        free = [start._replace(hex=s) for s in self.table.board.spaces if s not in occupied]
        nearest = min(start.hex.distance(place.hex) for place in free)
        return sorted(p for p in free if start.hex.distance(p.hex) == nearest)


_MODES: Mapping[str, type[Dogfight1917]] = {
    "base": Dogfight1917,
    "daring-escape": DaringEscape,
    "battle-royale": BattleRoyale,
    "team-battle": TeamBattle,
    "entente-vs-central-powers": EntenteVsCentralPowers,
}
_DRAFTED = ("base", "battle-royale", "team-battle")
"""Modes that do not prescribe who flies what.  (DF-19.4)"""


@cache
def rules_of(names: tuple[str, ...]) -> type[Any]:
    """The rules with these chapters in force; BadCall for a mix that the book does not have."""
    modes = [name for name in names if name != "draft"] or ["base"]
    if len(modes) > 1:
        raise BadCall(f"{' and '.join(modes)} do not go together; only draft goes with another")
    mode = _MODES[modes[0]]
    if "draft" not in names:
        return mode
    if modes[0] not in _DRAFTED:
        raise BadCall(f"{modes[0]} prescribes who flies what: no draft [DF-19.4]")
    if mode is Dogfight1917:
        return Draft
    return type(f"Drafted{mode.__name__}", (Draft, mode), {"switches": drafted(mode.switches)})
