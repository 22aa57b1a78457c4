"""Game: the base of all chapters of the TaleSpin dogfight, with its seats, cards and steps.

The chapters are a chain of classes: Game; Starting (starting.py); TalespinDogfight (rules.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Cite, Deed, Fault, Seat
from companion.core.text import counted
from companion.games.talespin_dogfight.asks import WindowAsks
from companion.games.talespin_dogfight.boards import LOOKS, board_plan
from companion.games.talespin_dogfight.faults import faults, faults_at_start
from companion.games.talespin_dogfight.figures import OWN_FIGURES, read_figures
from companion.games.talespin_dogfight.position import TalespinPosition, read_position
from companion.games.talespin_dogfight.refusals import may_draw
from companion.games.talespin_dogfight.seats import (
    DISCARD,
    DRAW,
    HAND,
    IN_PLAY,
    LABELS,
    MANEUVERS,
    NAMES,
    SEATS,
    TOKENS,
    labels_of,
)
from companion.games.talespin_dogfight.switches import HOUSE, SWITCHES
from companion.kit.box import starting_position
from companion.kit.piles import own_pile
from companion.match.house_rules import Switch
from companion.match.rulebook import Rulebook, Setup

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Look
    from companion.games.talespin_dogfight.figures import Figures
    from companion.games.talespin_dogfight.position import Played, Player
    from companion.kit.figures import TableFigures
    from companion.match.house_rules import HouseRules

_LIMIT = Cite.of("RULING 5")


class Game(Rulebook[TalespinPosition]):
    """Seats and cards, and what hands do with them."""

    box: ClassVar[str] = "talespin-dogfight"
    edition: ClassVar[int] = 2
    title: ClassVar[str] = "TaleSpin: dogfight"
    variants: ClassVar[tuple[str, ...]] = ("base",)
    seats: ClassVar[Mapping[Seat, str]] = NAMES
    sides: ClassVar[tuple[Seat, ...]] = SEATS
    rounds: ClassVar[tuple[str, ...]] = ("dogfight",)
    report_sentences: ClassVar[Mapping[str, str]] = {"drew": "{player} drew {count cards} in all"}
    switches: ClassVar[Mapping[str, Switch]] = SWITCHES
    house: ClassVar[HouseRules] = HOUSE
    figures: ClassVar[TableFigures | None] = OWN_FIGURES
    looks: Mapping[str, Look] = LOOKS
    corrections: ClassVar[Cite] = Cite.of("RULING 17")

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.table: Figures = read_figures(setup.cards)
        self._refuse_strangers(setup)
        people = tuple(self.named.get(seat, name) for seat, name in NAMES.items())
        self.plan: BoardPlan = _plan_of(self.table.locations, people)
        self.position = starting_position(
            self,
            lambda: TalespinPosition.fresh(self.seats_taken(), self.table),
            lambda file: read_position(TalespinPosition, file, "position", self.table),
        )
        self._refuse_seats(self.position)
        self.position.names, self.position.labels = self.named, labels_of(self.named)
        self.ask = WindowAsks(self.position, self.named)

    # -- who plays -------------------------------------------------------------------------

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats of this match, in turn order; a position file says how many, if nobody else."""
        file = self.setup.position
        if "players" not in self.setup.options and file is not None:
            players = file.get("players")
            return tuple(seat for seat in SEATS if isinstance(players, dict) and seat in players)
        return SEATS[: int(str(self.options["players"]))]

    def _refuse_strangers(self, setup: Setup) -> None:
        unknown = sorted(set(setup.seats) - set(self.seats_taken()))
        if unknown:
            known = ", ".join(self.seats_taken())
            raise BadCall(
                f"seat {unknown[0]!r} is none of {known} [TS-E-PLAYERS, TS-WIN-03]: set players"
            )

    @classmethod
    def faults(cls, position: TalespinPosition) -> list[Fault]:
        return faults(position)

    @classmethod
    def faults_at_start(cls, position: TalespinPosition) -> list[Fault]:
        return [*faults_at_start(position)]

    def _refuse_seats(self, position: TalespinPosition) -> None:
        if tuple(position.players) != self.seats_taken():
            there, wanted = " ".join(position.players), len(self.seats_taken())
            raise BadCall(f"position: players {there}; this match has {wanted}: set players")

    @property
    def absent(self) -> Collection[Seat]:
        """Who has left the table.  (RULING 19)"""
        return self.position.left

    def spoken_names(self) -> Mapping[str, str]:
        """People, their planes, and the maneuvers that they have played ("Ana 2" is A2)."""
        people = super().spoken_names()
        planes = {LABELS[TOKENS[seat]]: str(seat) for seat in self.position.players}
        planes |= {f"{name}'s plane": seat for name, seat in people.items()}
        played = {self.position.called(one): one.name for one in self.position.played}
        return {**people, **planes, **{str(token): s for s, token in TOKENS.items()}, **played}

    def own_words(self) -> Collection[str]:
        """Titles of cards, and the words that are said in place of one."""
        table = self.table
        titles = (*table.maneuvers, *table.pilots, *table.characters, *table.windows)
        return {*_OWN_WORDS, *(title.lower() for title in titles)}

    # -- who is who ------------------------------------------------------------------------

    def player(self, seat: Seat) -> Player:
        """What lies before a seat."""
        return self.position.players[seat]

    def go(self, step: str) -> None:
        """The step that comes next."""
        self.position.step, self.position.nth = step, 0

    def go_on(self) -> None:
        """On to the step that follows in the table."""
        self.go(self.position.now.follows)

    # -- what hands do ---------------------------------------------------------------------

    def carry(self, seat: Seat, count: int, source: str, target: str) -> Carry:
        """Hands carry cards between a player's piles and the common ones."""
        piles = self.position.piles
        places = [
            name if name in piles.counts else own_pile(seat, name) for name in (source, target)
        ]
        piles.move(count, *places)
        return Carry(seat, count, source, target)

    def discard(self, seat: Seat, count: int, source: str = HAND) -> Carry:
        """Cards go to the common discard pile.  (RULING 15)"""
        return self.carry(seat, count, source, DISCARD)

    def lift(self, one: Played, target: str) -> Carry:
        """One maneuver leaves the table for a pile, named in full."""
        one.lies = False
        source = own_pile(one.seat, MANEUVERS)
        self.position.piles.move(1, source, target)
        return Carry(one.seat, 1, f"{source}/{one.exchange}", target)

    def finish_card(self, seat: Seat) -> None:
        """A card of a window that is carried out goes to the discard pile.  (RULING 8)"""
        if self.position.piles[IN_PLAY]:
            carry = self.discard(seat, 1, IN_PLAY)
            text = f"{self.who(seat)}'s card is carried out and discarded."
            self.rule(text, Cite.of("TS-WIN-02, RULING 8"), carry, by=seat, quiet=True,
                      headline=self.ask.head(seat, "discard card"))  # fmt: skip

    # -- drawing (RULING 5) ----------------------------------------------------------------

    def draw_cards(self, seat: Seat, wanted: int, cite: Cite) -> None:
        """Draw so many, as far as hand and piles allow; who has left draws none."""
        if seat in self.position.left:
            return
        due = may_draw(self.position, seat, wanted)
        deeds = self._drawn(seat, due)
        short = "" if due == wanted else f" instead of {wanted}: {self._why_fewer(seat)}"
        text = f"{self.who(seat)} draws {counted(due, 'card')}{short}."
        whole = cite if due == wanted else cite.also(_LIMIT)
        headline = self.ask.head(seat, f"draw {due or 'none'}")
        self.rule(text, whole, *deeds, by=seat, headline=headline, quiet=not due)

    def _why_fewer(self, seat: Seat) -> str:
        """What kept a player from drawing, when the drawing is done."""
        position, limit = self.position, int(str(self.options["hand_max"]))
        held = position.count(seat, HAND)
        if held >= limit:
            return f"a hand of {held} is full"
        stops = self.options["empty_pile"] == "stop"
        return "the draw pile is empty" if stops else "both piles are empty"

    def _drawn(self, seat: Seat, count: int) -> list[Deed]:
        """Off the draw pile, which is made anew of the discards where it runs out."""
        piles = self.position.piles
        deeds: list[Deed] = []
        top = min(count, piles[DRAW])
        if top:
            deeds.append(self.carry(seat, top, DRAW, HAND))
        if count > top:
            deeds += [piles.shuffle(DISCARD, DRAW), self.carry(seat, count - top, DRAW, HAND)]
        return deeds


_OWN_WORDS = (
    "pass", "nobody", "none", "nothing", "pilot", "range", "defend", "decline", "concede", "stop",
    "packed", "open", "hand", "cargo", "artifact", "bluff", "dogfight", "other",
)  # fmt: skip
"""Words that answers are made of."""


@lru_cache(maxsize=8)
def _plan_of(locations: int, people: tuple[str, ...]) -> BoardPlan:
    return board_plan(locations, labels_of(dict(zip(SEATS, people, strict=True))))
