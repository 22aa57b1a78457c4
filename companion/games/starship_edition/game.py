"""Game: the base of all chapters of Starship Edition: seats, vessels, cards, what hands do.

The chapters are a chain of classes: Game; Fighting (fighting.py); Effects (effects.py);
StarshipEdition (rules.py). Preparation and Action Phase are functions of a game (preparing.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from companion.core.errors import BadCall
from companion.core.ruling import Cite, Deed, Fault, MatchOver, Move, Outcome, Ruling, Seat
from companion.core.text import listed
from companion.games.starship_edition.asks import Asks
from companion.games.starship_edition.boards import LOOKS, board_plan, name_of
from companion.games.starship_edition.cards import UNKNOWN, UNTITLED, Card
from companion.games.starship_edition.faults import faults
from companion.games.starship_edition.figures import OWN_FIGURES, STANDARD, read_figures
from companion.games.starship_edition.player import Player, card_of
from companion.games.starship_edition.position import StarshipPosition
from companion.games.starship_edition.seats import (
    FACE_DOWN,
    FEWEST,
    NAMES,
    SEATS,
    VESSELS,
    Sitting,
    read_sitting,
    vessel_called,
)
from companion.games.starship_edition.switches import HOUSE, SWITCHES
from companion.kit.box import starting_position
from companion.match.house_rules import Switch
from companion.match.rulebook import Bringing, Rulebook, Setup

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Look, Piece, Pose
    from companion.core.ruling import CardLaid, Json, Occurrence
    from companion.games.starship_edition.boards import Spot
    from companion.games.starship_edition.cards import Ability, VesselKind
    from companion.games.starship_edition.figures import Figures
    from companion.games.starship_edition.player import Declared
    from companion.kit.figures import TableFigures
    from companion.match.house_rules import HouseRules

_GEAR_ENDS = Cite.of("SE-ACT-04, SE-R16, RULING 16")
_DESTROYED = Cite.of("SE-R19, SE-R21, RULING 19, RULING 21")
_PLAYERS = "SE-R01, RULING 1"


@dataclass(slots=True)
class Cause:
    """Why something happens: who acts, by which card or ability, in which attack under way.

    `tier` is where the card lies (0: not in a tier), `second` whether it is the second one there,
    `window` the moment at which it is used, `form` how a card that is not listed is played, where
    that does not say it, `gear` the copy that it is on the vessel ("": it is not equipped).
    """

    seat: Seat
    title: str
    card: str = ""
    duration: str = "instant"
    attack: Declared | None = None
    tier: int = 0
    second: bool = False
    window: str = "tier"
    form: str = ""
    gear: str = ""


class Game(Rulebook[StarshipPosition]):
    """Seats, vessels and the catalogue."""

    box: ClassVar[str] = "starship-edition"
    title: ClassVar[str] = "Dog Fight: Starship Edition"
    edition: ClassVar[int] = 3
    """2: a card that is declared is asked for its price and its moment; what goes together, too.
    3: a card that is not listed may be played at every moment, and nobody is asked in vain; what is
    due at one moment is put in order thing by thing, whatever kind it is."""
    variants: ClassVar[tuple[str, ...]] = ("base",)
    seats: ClassVar[Mapping[Seat, str]] = NAMES
    sides: ClassVar[tuple[Seat, ...]] = SEATS
    rounds: ClassVar[tuple[str, ...]] = ("turn",)
    looks: Mapping[str, Look] = LOOKS
    switches: ClassVar[Mapping[str, Switch]] = SWITCHES
    house: ClassVar[HouseRules] = HOUSE
    figures: ClassVar[TableFigures | None] = OWN_FIGURES
    corrections: ClassVar[Cite] = Cite.of("RULING 28")

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.table: Figures = read_figures(setup.cards, edition=setup.edition)
        self.sitting = self._read_sittings(setup)
        self.position = starting_position(
            self,
            lambda: StarshipPosition({seat: self._fresh(seat) for seat in self.seats_taken()}),
            StarshipPosition.from_file,
            self._know,
        )
        self.plan: BoardPlan = board_plan(self.position.map, self.named)
        self.ask = Asks(self.position, self.options, self.named)
        self.under_way: Declared | None = None
        """The attack that is finalized and answered now."""
        self.laid_now: list[str] = []
        """Which cards were laid into the tier that is resolved now, by a card in it."""
        self.laid: tuple[CardLaid, ...] = ()
        """The card that is carried out next, until a ruling tells of it."""
        self.lost_last: list[Seat] = []
        """Whose vessels the present event has destroyed, or the present set of attacks."""

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats of this match: as many as the option says, or as the position file has."""
        file = self.setup.position
        if file is not None and isinstance(players := file.get("players"), dict):
            return tuple(seat for seat in SEATS if seat in players)
        return SEATS[: int(str(self.options["players"]))]

    def _read_sittings(self, setup: Setup) -> dict[Seat, Sitting]:
        taken = self.seats_taken()
        unknown = next((seat for seat in setup.seats if seat not in taken), None)
        if unknown is not None:
            known = ", ".join(taken)
            raise BadCall(f"SE-E-PLAYERS: seat {unknown!r} does not play; there are {known}. "
                          f"The option players says how many [{_PLAYERS}]")  # fmt: skip
        sittings = {seat: read_sitting(seat, text) for seat, text in setup.seats.items()}
        for seat, sitting in sittings.items():
            _known(seat, sitting.vessel, self.table.vessels, "vessel")
            _known(seat, sitting.deck, self.table.decks, "deck")
        return sittings

    @classmethod
    def faults(cls, position: StarshipPosition) -> list[Fault]:
        return faults(position)

    def _know(self, position: StarshipPosition) -> None:
        """The figures of this table, its map for so many, and who is who."""
        position.table, position.named = self.table, self.named
        position.map = self.table.map_for(max(FEWEST, len(position.players)))

    def _fresh(self, seat: Seat) -> Player:
        """A seat at the start: its whole deck, and a vessel as on its ship card.  (SE-SET-06)"""
        sitting = self.sitting.get(seat, Sitting(""))
        vessel, deck = sitting.vessel or STANDARD, sitting.deck or STANDARD
        kind, size = self.table.vessels[vessel], self.table.deck_size(deck)
        return Player(seat, vessel, deck, size, size, hull=kind.hull, energy=kind.energy)

    @classmethod
    def person(cls, seated: str) -> str:
        return seated.partition("/")[0].strip()

    @classmethod
    def bringings(cls, figures: Mapping[str, Json]) -> tuple[Bringing, ...]:
        """The ship and the deck, as far as the table's files have several.  (SE-SET-04)"""
        table = read_figures(figures)
        ships = [
            ("" if name == STANDARD else name, kind.title if kind.title != UNTITLED else name)
            for name, kind in table.vessels.items()
        ]
        decks = [("" if name == STANDARD else name, name) for name in table.decks]
        return (Bringing("Ship", _usual_first(ships)), Bringing("Deck", _usual_first(decks)))

    @classmethod
    def brought(cls, seated: str) -> tuple[str, ...]:
        _, ship, deck = (*(part.strip() for part in seated.split("/")), "", "")[:3]
        return (ship, deck)

    @classmethod
    def seated_as(cls, person: str, brought: Sequence[str]) -> str:
        """NAME/VESSEL/DECK; what is usual at the end is left out."""
        return "/".join((person, *brought)).rstrip("/")

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {"A.hull": 7},
            "report": {"what": "recount", "player": "A", "pile": "hull", "count": 7},
        }

    def begin(self) -> None:
        """A place where a match can start; nothing is under way there."""
        self.ask.place.clear()
        self.position.attacks_waiting, self.under_way, self.lost_last = 0, None, []
        self.position.fires = None
        super().begin()

    # -- who is there, and what things are called ------------------------------------------

    @property
    def absent(self) -> Collection[Seat]:
        """Whose vessel is destroyed, or who has left: nothing is asked of them.  (RULING 21, 29)"""
        return [seat for seat, player in self.position.players.items() if player.out]

    def spoken_names(self) -> Mapping[str, str]:
        """People and their vessels; titles of cards stand in their ids, and are read as options."""
        vessels = {
            words: str(seat)
            for seat, piece in VESSELS.items()
            for words in (NAMES[seat], str(piece), str(piece).replace("-", " "))
            if seat in self.seats_taken()
        }
        people = super().spoken_names()
        theirs = {vessel_called(Seat(seat), name): seat for name, seat in people.items()}
        return {**vessels, **theirs, **people}

    # -- who is who ------------------------------------------------------------------------

    def player(self, seat: Seat) -> Player:
        """What lies before a seat."""
        return self.position.players[seat]

    def chooser(self) -> Seat:
        """Who orders what coincides: the Priority player, or the next who survives.  (RULING 13)"""
        return self.position.turn_order()[0]

    def kind(self, seat: Seat) -> VesselKind:
        """A seat's ship card."""
        return self.table.vessels[self.player(seat).vessel]

    def stat(self, seat: Seat, name: str, attack: Declared | None = None) -> int:
        """A quantity of a vessel with all that modifies it, in this attack, never below 0."""
        kind = self.kind(seat)
        changed = self.player(seat).bonus(name)
        attack = attack or self.under_way
        if attack is not None:
            changed += attack.changes.get((seat, name), 0)
        base = {"attack": kind.attack, "range": kind.range, "mobility": kind.mobility,
                "hull_max": kind.hull}.get(name, 0)  # fmt: skip
        return max(0, base + changed)

    def abilities(self, seat: Seat) -> Mapping[str, Ability]:
        """The abilities of a seat's vessel."""
        return {name: self.table.abilities[name] for name in self.kind(seat).abilities}

    # -- the catalogue ---------------------------------------------------------------------

    def cards(self) -> Mapping[str, Card]:
        """The catalogue, and what the table has declared in this match."""
        taught = {name: Card.model_validate(raw) for name, raw in self.position.taught.items()}
        return {**self.table.cards, **taught}

    def card(self, name: str) -> Card | None:
        """A card by its id; None for one that nobody has typed in."""
        known = self.card_name(name)
        raw = self.position.taught.get(known)
        return Card.model_validate(raw) if raw is not None else self.table.cards.get(known)

    def card_name(self, copy: str) -> str:
        """The id of a card, of which an equipped copy may be named with its number."""
        return card_of(copy, {*self.table.cards, *self.position.taught})

    def may_hold_unlisted(self, seat: Seat) -> bool:
        """Whether a hand may have a card that nobody has typed in.

        Its deck says so; or at this table one was declared under a title, or lies there just now.
        """
        if self.table.decks[self.player(seat).deck_name].get(UNKNOWN) or self.position.taught:
            return True
        players = self.position.players.values()
        there = [name for player in players for name in player.turned_over()]
        there += [name for player in players for name in player.discard if name != FACE_DOWN]
        return any(self.card(name) is None for name in there)

    def title_of(self, name: str) -> str:
        """A card in a sentence."""
        card, known = self.card(name), self.card_name(name)
        if card is None:
            return "a card not listed"
        number = name.removeprefix(known).strip(" #")
        return f"{card.title} ({number})" if number else card.title

    def learned(self) -> Mapping[str, Json]:
        """The cards declared in this match, as a table's own file may keep them."""
        return {"cards": {**self.position.taught}} if self.position.taught else {}

    def kept(self) -> Mapping[str, Json]:
        """Those of them that the players keep for later matches."""
        position = self.position
        cards: Json = {title: position.taught[title] for title in position.kept_titles}
        return {"cards": cards} if position.kept_titles else {}

    def read_out(self, seat: Seat, card: Card) -> None:
        """The table's own words on a card, as it is activated."""
        if card.text_note:
            cite = Cite.of("SE-ACT-04")
            self.tell(seat, f'reads {card.title}: "{card.text_note}"', cite, "card text")

    # -- what hands do ---------------------------------------------------------------------

    def tell(
        self, seat: Seat, text: str, cite: Cite, words: str, *deeds: Deed,
        struck: tuple[Piece, ...] = (), quiet: bool = False,
        happened: tuple[Occurrence, ...] = (),
    ) -> Ruling:  # fmt: skip
        """A ruling on one player: "Ana" before the text, and before the headline.

        `quiet`: whoever told it has done it already, or only a sum changes; tokens never do so.
        """
        laid, self.laid = self.laid, ()
        return self.rule(f"{self.who(seat)} {text}", cite, *deeds, by=seat,
                         headline=self.ask.head(seat, words), struck=struck,
                         quiet=quiet, happened=(*laid, *happened))  # fmt: skip

    def put(self, seat: Seat, spot: Spot | None) -> tuple[Move, ...]:
        """A hand moves a seat's vessel there (None: off the map)."""
        player = self.player(seat)
        was = self._pose(player)
        player.space = spot
        now = self._pose(player)
        return () if was == now else (Move(player.piece, was, now),)

    def turn_to(self, seat: Seat, heading: int) -> tuple[Move, ...]:
        """A hand turns a seat's vessel."""
        player = self.player(seat)
        was = self._pose(player)
        player.heading = heading
        now = self._pose(player)
        return () if was == now else (Move(player.piece, was, now),)

    def _pose(self, player: Player) -> Pose | None:
        return self.ask.pose(player, player.space) if player.space is not None else None

    def end_effects(self, owner: Seat, copy: str) -> None:
        """What an equipped card changed ends with it; told where it was on another vessel."""
        for seat, one in self.position.end_effects_of(owner, copy):
            if seat != owner and not self.player(seat).out:
                stat = f"{one.stat} {one.amount:+}"
                text = f"has {stat} no longer: {self.title_of(copy)} of {self.who(owner)} is gone."
                self.tell(seat, text, _GEAR_ENDS, "effect ends")

    # -- destruction and the end -----------------------------------------------------------

    def settle(self) -> None:
        """After each single event: who is destroyed, and is it over?  (SE-R20, SE-R22)"""
        for player in self.position.alive():
            if self.is_lost(player):
                self.destroy(player.seat)
        if not self.position.attacks_waiting:
            self.end_if_decided()
            self.lost_last = []

    def is_lost(self, player: Player) -> bool:
        """Whether the hull has given way.  (SE-R19, RULING 19)"""
        return player.hull < 0 or (player.hull == 0 and self.options["destroyed_at"] == "zero")

    def destroy(self, seat: Seat, why: str = "is destroyed", cite: Cite = _DESTROYED) -> None:
        """A vessel is destroyed: its player's cards leave the game.  (SE-R21, RULING 21)"""
        player = self.player(seat)
        was = player.space
        moves = self.put(seat, None)
        place = f" on {name_of(was)}" if was is not None else ""
        player.out = True
        self.lost_last.append(seat)
        for copy in player.gear:
            self.end_effects(seat, copy)
        player.removed = player.total
        player.deck = player.hand = 0
        player.discard, player.gear = [], []
        player.new_turn()
        player.modifiers, player.counters = [], {}
        self.tell(seat, f"{why}: vessel{place} and cards leave the game.", cite,
                  "destroyed", *moves, struck=(player.piece,))  # fmt: skip

    def end_if_decided(self) -> None:
        """The last vessel wins; if none is left it is a draw.  (SE-R22, RULING 22)"""
        alive = self.position.alive()
        if len(alive) > 1:
            return
        cite = Cite.of("SE-R22, RULING 22")
        if alive:
            seat = alive[0].seat
            ruling = self.tell(seat, "has the last vessel and wins.", cite, "wins")
            raise MatchOver(Outcome((seat,), ruling))
        names = listed([self.who(seat) for seat in self.lost_last])
        between = f" between {names}" if len(self.lost_last) > 1 else ""
        text = f"No vessel is left: the match is a draw{between}."
        ruling = self.rule(text, cite, headline="A draw")
        raise MatchOver(Outcome((), ruling))


def _usual_first(values: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """In words; one that is only called "standard" is the usual one."""
    ordered = sorted(values, key=lambda pair: pair[0])
    return tuple(
        (name, "Usual" if words == STANDARD else words.replace("-", " ").capitalize())
        for name, words in ordered
    )


def _known(seat: Seat, named: str, known: Mapping[str, object], what: str) -> None:
    if named and named not in known:
        raise BadCall(f"seat {seat}: no {what} {named!r}; there are {', '.join(known)}")
