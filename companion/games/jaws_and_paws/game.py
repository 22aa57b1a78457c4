"""Game: the base of every mode of Jaws & Paws: seats, cards, position, how a ruling is said."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

from companion.core.errors import BadCall
from companion.core.ruling import TABLE, BrokenOff, Cite, Fault, Notice, Seat
from companion.games.jaws_and_paws import boards, comparing
from companion.games.jaws_and_paws.boards import NAMES, Lineup
from companion.games.jaws_and_paws.cards import CardFace, read_cards
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.mode_asks import Asks
from companion.games.jaws_and_paws.plan import decks_of, plan_of
from companion.games.jaws_and_paws.position import JawsAndPawsPosition, read_position
from companion.games.jaws_and_paws.switches import HOUSE, SWITCHES
from companion.kit.box import starting_position
from companion.match.house_rules import Switch
from companion.match.rulebook import Rulebook, Setup

if TYPE_CHECKING:
    from companion.core.board import Look, Piece
    from companion.core.offers import Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.match.house_rules import HouseRules


Counts = Mapping[str, int]
"""Cards on a section by border: {"pilot": 1, "gunner": 0}."""


class TurnedCard(NamedTuple):
    """A card that was turned over on a section: whose it is, and what it says."""

    owner: Seat
    face: CardFace


class NewGame(Exception):
    """All teams left fell together, and the table plays such a game again.  (RULING 12)"""


class Game(Rulebook[JawsAndPawsPosition]):
    """Seats and pieces of one lineup, by the Sun or the Moon."""

    box: ClassVar[str] = "jaws-and-paws"
    title: ClassVar[str] = "Jaws & Paws"
    edition: ClassVar[int] = 2
    variants: ClassVar[tuple[str, ...]] = (
        "day", "night", "two-players", "three-players", "five-players",
    )  # fmt: skip
    seats: ClassVar[Mapping[Seat, str]] = boards.FOUR.names
    sides: ClassVar[tuple[Seat, ...]] = boards.FOUR.teams
    side_of: ClassVar[Mapping[Seat, Seat]] = {
        player: boards.TEAM_OF[player] for player in boards.FOUR.players
    }
    buttons: ClassVar[tuple[Seat, ...]] = boards.FOUR.teams
    rounds: ClassVar[tuple[str, ...]] = ("game", "round")
    numbered: ClassVar[Mapping[str, str]] = MappingProxyType({"lock": "Section"})
    looks: Mapping[str, Look] = boards.LOOKS
    switches: ClassVar[Mapping[str, Switch]] = SWITCHES
    house: ClassVar[HouseRules] = HOUSE
    corrections: ClassVar[Cite] = Cite.of("RULING 35")

    adds: ClassVar[tuple[Switch, ...]] = ()
    """House rules that a chapter brings."""
    leaves_out: ClassVar[tuple[str, ...]] = ()
    """Those that mean nothing under it."""
    lineup: ClassVar[Lineup] = boards.FOUR
    light: ClassVar[Piece] = boards.SUN
    """The Sun, or what replaces it.  (JP-13.1)"""
    also: ClassVar[Mapping[str, Cite]] = {}
    """What rests on a chapter besides: by paragraph of the manual's own game."""
    also_solo: ClassVar[Mapping[str, Cite]] = {}
    """The same, for what concerns a solo player, or a whole table at which one may sit."""

    face_up_option: ClassVar[str] = ""
    """The house rule on a solo player's card that lies face up; none in most modes."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._refuse_strangers(setup)
        self.cards = read_cards(setup.cards)
        self.plan = plan_of(self.lineup, self.light)
        if setup.cards:
            self.plan = replace(self.plan, decks=decks_of(self.lineup, self.cards))
        self.position = starting_position(
            self,
            lambda: JawsAndPawsPosition.at_start(self.lineup, self.light, self.cards.deck_size),
            self._read_position,
            self._know,
        )
        self.ask = Asks(self.position, self.options, self.cards)
        self.in_chapters = bool(self.also or self.also_solo)
        self._titled = self._titles_with_names()
        self.locked: dict[str, Json] = {}
        """What the lock of this round was told, by question; nothing of where no card lies."""

    def _titles_with_names(self) -> Mapping[str, str]:
        """What each player is called whose name is known: "Jaws Pilot" is "Jaws Pilot Ana"."""
        people = {seat: name.strip() for seat, name in self.setup.seats.items() if name.strip()}
        persons = {seat: self.lineup.held_by.get(seat, seat) for seat in self.lineup.players}
        return {
            NAMES[seat]: f"{NAMES[seat]} {people[person]}"
            for seat, person in persons.items()
            if person in people and people[person] != NAMES[seat]
        }

    def _refuse_strangers(self, setup: Setup) -> None:
        told = self.options.get("crews", str(self.lineup))
        if told != str(self.lineup):
            raise BadCall(f"crews {told}: the rules of that table are those of `seated`")
        named = [seat for seat in self.lineup.players if seat not in self.lineup.held_by]
        unknown = sorted(set(setup.seats) - set(named))
        for seat in unknown:
            there = f"there are {', '.join(named)} [{self._sized_by}]"
            if seat in self.lineup.held_by:
                person = self.lineup.held_by[seat]
                raise BadCall(f"seat {seat!r} is the other hand of who sits at {person}; {there}")
            raise BadCall(f"seat {seat!r} is unknown: {len(named)} people play this mode; {there}")

    @property
    def _sized_by(self) -> str:
        """The paragraph that says how many people play."""
        sizes = self.lineup.sizes
        of_two_teams = {2: "JP-17.1", 3: "JP-18.1", 4: "JP-2.1"}
        return of_two_teams[sum(sizes)] if len(sizes) == 2 else "JP-19.1"

    @classmethod
    def faults(cls, position: JawsAndPawsPosition) -> list[Fault]:
        return faults(position)

    def _read_position(self, file: Mapping[str, Json]) -> JawsAndPawsPosition:
        position = read_position(JawsAndPawsPosition, file, "position")
        self._refuse_other_table(position)
        return position

    def _know(self, position: JawsAndPawsPosition) -> None:
        """How large this table's decks and hands are."""
        position.deck_size = self.cards.deck_size
        position.size_hands(self.cards.hand_size, self.cards.solo_hand_size)

    def _refuse_other_table(self, position: JawsAndPawsPosition) -> None:
        """A position of another lineup, or by another light, is none of this match."""
        if position.lineup is not self.lineup:
            text = f"position: crews {position.lineup}; this match is played by {self.lineup}"
            raise BadCall(f"{text} (people in each team, clockwise)")
        if position.light != self.light:
            there, here = boards.PIECE_NAMES[position.light], boards.PIECE_NAMES[self.light]
            raise BadCall(f"position: it has a {there}; this match is played with the {here}")

    @property
    def asks_less(self) -> bool:
        """Whether nobody is asked what has one answer; a match of the first edition asks it all."""
        return self.setup.edition > 1

    @property
    def bright(self) -> str:
        """What the Sun, or the token in its place, is called."""
        return boards.PIECE_NAMES[self.light]

    @property
    def night(self) -> bool:
        """Whether the Moon replaces the Sun.  (JP-16.1)"""
        return self.light == boards.MOON

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats at which people are named: of a solo player the first of both."""
        return tuple(seat for seat in self.seats if seat not in self.held_by)

    # -- who speaks, and what things are called --------------------------------------------

    def who(self, seat: Seat) -> str:
        """A player, a team or the table in a sentence, with the people's names where known.

        A player by title and name, "Jaws Pilot Ana": the title is also what tells a solo player's
        hands apart. A team by its name, "Jaws (Ana and Ben)".
        """
        if seat in self.lineup.teams:
            crew = (p for p in boards.CREW_OF[seat] if p not in self.lineup.held_by)
            people = [self.setup.seats[p].strip() for p in crew if self.setup.seats.get(p)]
            return f"{seat} ({' and '.join(people)})" if people else str(seat)
        if seat == TABLE:
            return "the table"
        return self._titled.get(self.seats[seat], self.seats[seat])

    def with_people(self, text: str) -> str:
        """Every title with the name of who sits there, where it is not said yet.

        >>> from companion.match.rulebook import Setup
        >>> from companion.games.jaws_and_paws.rules import JawsAndPaws
        >>> rules = JawsAndPaws(Setup("jaws-and-paws", seats={Seat("JP"): "Ana"}))
        >>> rules.with_people("Jaws Pilot Ana draws 2 from Jaws Pilot's Deck; Jaws Gunner 1.")
        "Jaws Pilot Ana draws 2 from Jaws Pilot Ana's Deck; Jaws Gunner 1."
        """
        for title, titled in self._titled.items():
            if title in text:
                name = re.escape(titled.removeprefix(title))
                text = re.sub(rf"\b{title}\b(?! View)(?:{name}(?!\w))?", lambda _: titled, text)  # noqa: B023
        return text

    @property
    def absent(self) -> Collection[Seat]:
        """Who has left the table, and the teams of which everybody has.  (RULING 39)"""
        return (*self.position.gone, *self.position.abandoned()) if self.position.gone else ()

    def spoken_names(self) -> Mapping[str, str]:
        """People, what their seats are called, and the tokens."""
        pieces = (*self.lineup.tokens, self.light)
        tokens = {boards.PIECE_NAMES[piece]: str(piece) for piece in pieces}
        seats = {title: str(seat) for seat, title in self.seats.items()}
        seats |= {self.who(seat): str(seat) for seat in self.seats}
        return {**seats, **tokens, f"the {self.bright}": str(self.light), **super().spoken_names()}

    # -- what an arbiter may type, and what the camera sees ----------------------------------

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {self.light: "Paws.GR"},
            "report": {"what": "token", "piece": self.light, "zone": "Paws.GR"},
        }

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        late = comparing.late_notices(sighting)
        return [*comparing.compare(self.position, sighting, lagging), *late]

    def seen_answer(self, question: Question[Any], sighting: Sighting) -> Json | None:
        """What the tracks say to the lock and at a reveal.  (JP-5.7, JP-9.1)"""
        by_section = self.options["lock_asks"] == "sections"
        return comparing.seen_answer(question, sighting, by_section=by_section)

    def seen_section(self, question: Question[Any]) -> str:
        """The section of a lock's question, or of a card that is turned over.  (JP-8.1, JP-9.1)"""
        return comparing.seen_section(question)

    @abstractmethod
    def given_up(self, team: Seat) -> Notice:
        """What becomes of a team of which everybody has left the table.  (RULING 39)"""

    @property
    def lock_is_told(self) -> bool:
        """Whether the lock's form is closed, and a question that follows from it is open."""
        return self.position.stage == "lock" and self.position.told is not None

    def reopen_lock(self, notice: Notice, corrected: Mapping[str, Json]) -> NoReturn:
        """The lock is told anew, from what it was told and what corrects that.  (RULING 6)"""
        self.retold = {**self.locked, **corrected}
        self.position.face_up.clear()
        raise BrokenOff(notice)

    # -- how a ruling is said --------------------------------------------------------------

    def rests_on(self, cite: Cite, by: Seat) -> Cite:
        """With the chapters in force that replace or add to what is cited."""
        if not self.in_chapters:
            return cite
        names = (*cite.rules, *(f"RULING {number}" for number in cite.rulings))
        also = [self.also[name] for name in names if name in self.also]
        if by == TABLE or boards.TEAM_OF.get(by, by) in self.lineup.solos:
            also += [self.also_solo[name] for name in names if name in self.also_solo]
        return cite.also(*also) if also else cite

    def number(self, option: str) -> int:
        """An option that is a number."""
        value = self.options[option]
        assert isinstance(value, int), f"{option}: {value!r}"
        return value
