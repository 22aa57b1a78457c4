"""The position of a TaleSpin dogfight: what lies there, its file, and what an arbiter may set.

In this order: kinds of quantities, one maneuver, one player, the whole position, position files,
adjustments. The ledger makes facts, files and setters of the quantities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Field

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.core.files import read_model
from companion.core.ruling import TABLE, Fact, Seat, Shows
from companion.games.talespin_dogfight import maneuvers, seats
from companion.games.talespin_dogfight.boards import location_of, space_of
from companion.games.talespin_dogfight.figures import (
    MOST_EFFECT,
    MOST_LOCATIONS,
    MOST_PILOT,
    MOST_RANGE,
    Figures,
    assumed_figures,
)
from companion.games.talespin_dogfight.maneuvers import MOST as MOST_BONUS
from companion.games.talespin_dogfight.maneuvers import (
    Maneuver,
    kept_within,
    source_named,
    start_named,
    winner_named,
)
from companion.games.talespin_dogfight.seats import pile_names, seat_named
from companion.games.talespin_dogfight.steps import (
    EXCHANGES,
    OVER,
    PLACES,
    SET_UP,
    STEPS,
    WINDOWS,
    TableStep,
    step_named,
)
from companion.kit.adjusting import citing, set_all, whole_number
from companion.kit.ledger import (
    FLAG,
    Kind,
    Ledger,
    Quantity,
    always,
    derived,
    held,
    kept,
    number,
    optional,
    seat_lines,
    seats_model,
    several,
    word,
)
from companion.kit.piles import CountedPiles, own_pile
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.kit.adjusting import Setter


# Kinds of quantities, as the ledger has them.

BOX: Literal["talespin-dogfight"] = "talespin-dogfight"
MOST_CARDS, MOST_NUMBER = 999, 99
"""Far beyond any box: what is more was mistyped."""

CARDS = number(0, MOST_CARDS, given=(0, seats.MOST_COUNTED))
PILOTS = number(0, MOST_PILOT)
BONUS = number(-MOST_BONUS, MOST_BONUS)
EFFECTS = number(0, MOST_EFFECT)
DAMAGE = number(0, MOST_CARDS, given=(0, MOST_EFFECT * EXCHANGES + maneuvers.EXTRA_DAMAGE))
WORTH = number(0, maneuvers.HIGHEST)
DOGFIGHTS = number(1, MOST_NUMBER)
TITLE: Kind[str] = Kind(Annotated[str, Field(max_length=40)])
SEAT: Kind[Seat] = word(seat_named)


def _location(_: object, name: str, raw: Json) -> int:
    """A location by its number, or by the name that a camera has for it."""
    if isinstance(raw, str):
        try:
            return whole_number(name, location_of(raw.strip().lower()), 1, MOST_LOCATIONS)
        except ValueError:
            pass
    return whole_number(name, raw, 1, MOST_LOCATIONS)


LOCATION = replace(number(1, MOST_LOCATIONS), given=_location)


# Played: a maneuver of this dogfight, from the hand or printed on the card that started it.


def _printed(
    field: str, kind: Kind[Any], label: str, about: str, default: Any = 0, **ways: Any
) -> Quantity:
    """What is printed on the maneuver's card."""

    def put(_: object, one: Played, __: str, value: Any) -> None:
        one.maneuver = replace(one.maneuver, **{field: value})

    def get(_: object, one: Played) -> Any:
        return getattr(one.maneuver, field)

    return held(default, kind, label, about, get, put=put, **ways)


@dataclass(slots=True, eq=False)
class Played:
    """A maneuver of this dogfight.

    `exchange` is 1 to 3; `maneuver` is what the card prints, also where it is set right.
    (RULING 10, RULING 13)
    """

    seat: Seat
    exchange: int
    maneuver: Maneuver
    title: ClassVar = _printed("title", TITLE, "Maneuver", "its name", default="", sets=())
    value: ClassVar = _printed(
        "value",
        number(maneuvers.LOWEST, maneuvers.HIGHEST),
        "Value",
        "its printed value",
        required=True,
    )
    damage: ClassVar = _printed("damage", EFFECTS, "Damage", "its Damage effects")
    draw: ClassVar = _printed("draw", EFFECTS, "Draw", "its Draw effects")
    any_answer: ClassVar = _printed(
        "any_answer", FLAG, "", "whether as an answer it meets whatever comes",
        default=False, key="meets_any", sets=(),
    )  # fmt: skip
    source: str = kept(
        maneuvers.FROM_HAND, word(source_named, maneuvers.SOURCES), "Played from",
        "the attacker's first comes from a Pilot card or the Player card", sets=(),
    )  # fmt: skip
    shown: bool = kept(
        True, FLAG, "Pointed out", "of the card that started it: false before it is pointed out",
        sets=(),
    )  # fmt: skip
    lies: bool = kept(
        True, FLAG, "On the table", "false once a card took it off the table", sets=()
    )
    cancelled: bool = kept(
        False, FLAG, "Effects cancelled", "whether a card took its Damage and Draw away"
    )

    @property
    def name(self) -> str:
        """Whose it is and in which exchange: "A2"."""
        return f"{self.seat}{self.exchange}"

    @property
    def in_words(self) -> str:
        """What it is within a sentence: "the Player card", "Strafe", "the 9"."""
        cards = {maneuvers.FROM_PLAYER: "the Player card", maneuvers.FROM_PILOT: "the Pilot card"}
        return cards.get(self.source) or self.maneuver.title or f"the {self.maneuver.value}"

    @property
    def is_card_of_the_dogfight(self) -> bool:
        """Whether it lies there as a card that is taken or discarded; a Player card never is."""
        return self.lies and self.source != maneuvers.FROM_PLAYER


_ON_CARD = ("title", "value", "damage", "draw", "any_answer")
PLAYED: Ledger[TalespinPosition, Played] = Ledger(
    Played,
    file=("value", "title", "damage", "draw", "any_answer", "cancelled"),
    hashed=("seat", "exchange", *(f"maneuver.{name}" for name in _ON_CARD)),
)


# Player: what lies before a seat, and what effects have done in this dogfight.


def _own_pile(pile: str, label: str) -> Quantity:
    """How many cards a player has in a pile of their own."""

    def put(position: TalespinPosition, player: Player, _: str, cards: int) -> None:
        position.piles[own_pile(player.seat, pile)] = cards

    def count(position: TalespinPosition, player: Player) -> int:
        return position.count(player.seat, pile)

    return held(0, CARDS, label, "how many cards", count, put=put, shows=Shows.COUNT)


@dataclass(slots=True, eq=False)
class Player:
    """PILOT and RANGE of the Player card with its Passengers, the location, the Player card.

    `place` is None where nobody has told it; "" as `character` is asked for when that card starts
    a dogfight. The bonuses last until the dogfight ends.
    """

    seat: Seat
    place: int | None = kept(
        None, optional(LOCATION, None, told=None), "Location", "the location on the ring",
        without="not told",
    )  # fmt: skip
    hand: ClassVar = _own_pile(seats.HAND, "Hand")
    packed: ClassVar = _own_pile(seats.PACKED, "Packed cargo")
    open: ClassVar = _own_pile(seats.OPEN, "Open cargo")
    maneuvers: ClassVar = derived(
        "Maneuvers on the table",
        lambda position, player: position.count(player.seat, seats.MANEUVERS),
    )
    pilot: int = kept(0, PILOTS, "PILOT", "of the Player card with its Passengers")
    range: int = kept(0, number(0, MOST_RANGE), "RANGE", "of the Player card with its Passengers")
    character: str = kept("", TITLE, "Player card", "title of the Player card", sets=())
    value_bonus: int = kept(
        0, BONUS, "Added to maneuvers", "what effects have added to each maneuver",
        fact="value bonus", sets=("value bonus",),
    )  # fmt: skip
    pilot_bonus: int = kept(
        0, BONUS, "Added to PILOT", "what effects have added to PILOT",
        fact="pilot bonus", sets=("pilot bonus",),
    )  # fmt: skip
    wins: int = kept(
        0, number(0, MOST_NUMBER), "Dogfights won this turn", "dogfights won this turn"
    )


PLAYER: Ledger[TalespinPosition, Player] = Ledger(
    Player,
    facts=("hand", "packed", "open", "maneuvers"),
    sets=("hand", "packed", "open", "pilot", "range", "value_bonus", "pilot_bonus", "wins"),
    hashed=("seat",),
)


# The whole position.


def _pile(pile: str, label: str) -> Quantity:
    """How many cards lie in a pile of everybody's."""

    def put(position: TalespinPosition, _: object, __: str, cards: int) -> None:
        position.piles[pile] = cards

    def count(position: TalespinPosition, _: object) -> int:
        return position.piles[pile]

    return held(0, CARDS, label, "how many cards", count, put=put)


@dataclass(slots=True, eq=False)
class TalespinPosition(Position):
    """Players, cards by number, the maneuvers played, and the step that comes next.

    `played` are the maneuvers of this dogfight, `on_turn` and `rival` who attacks and defends.
    `table` (this table's figures), `house`, `names` (of the people) and `labels` (of the tokens)
    are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        seats.DRAW: "draw pile",
        seats.DISCARD: "discard pile",
        seats.PACKED: "packed cargo",
        seats.OPEN: "open cargo",
        seats.MANEUVERS: "maneuvers on the table",
        seats.IN_PLAY: "card in play",
    }
    place_names: ClassVar[Mapping[str, str]] = PLACES
    moment_names: ClassVar[Mapping[str, str]] = WINDOWS

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    piles: CountedPiles = field(default_factory=lambda: CountedPiles(TABLE, {}))
    number: int = kept(
        1, DOGFIGHTS, "Dogfight of this turn", "which dogfight of this turn",
        key="dogfight", sets=(), written=always,
    )  # fmt: skip
    step: str = kept(
        SET_UP, word(step_named), "Step",
        "the step that comes next, by its name in `steps.py`: `announce`, `defend`, `answer-2`, "
        "`damage`, ...", sets=(), required=True,
    )  # fmt: skip
    on_turn: Seat | None = kept(
        None, optional(SEAT, None), "On turn", "the attacker, `A` to `D`",
        key="turn_of", fact="turn of", sets=(), without="nobody",
    )  # fmt: skip
    rival: Seat | None = kept(
        None, optional(SEAT, None), "Defender", "the defender, `A` to `D`",
        key="defender", sets=(), without="nobody",
    )  # fmt: skip
    start: str = kept(
        "", word(start_named, maneuvers.STARTS), "Started by", "how it was started", sets=(),
        without="not announced",
    )  # fmt: skip
    card: str = kept(
        "", TITLE, "Card that started it", "the title of the card that started it", sets=()
    )
    pilot: int = kept(0, PILOTS, "PILOT of that card", "the PILOT number of a Pilot card")
    defended: bool = kept(False, FLAG, "Chose to defend", "whether the defender chose to defend")
    winner: str = kept(
        "",
        word(winner_named, maneuvers.WINNERS),
        "Won by",
        "who has won it",
        sets=(),
        without="open",
    )
    standing: int = kept(
        0, WORTH, "Value to meet instead",
        "the value of a card that the attacker played instead of this exchange's maneuver",
        without="0: none",
    )  # fmt: skip
    damage_done: int = kept(
        0, DAMAGE, "Damage dealt with", "how many Damage are dealt",
        fact="damage done", sets=("damage done",),
    )  # fmt: skip
    spoken: tuple[Seat, ...] = kept(
        (), several(SEAT), "Others who have passed", "the others who have had their last window",
        sets=(),
    )  # fmt: skip
    nth: int = kept(
        0, CARDS, "Cards of the window", "cards already played in the window that is open", sets=()
    )
    left: tuple[Seat, ...] = kept(
        (), several(SEAT), "Left the table", "who has left the table", sets=(), hashed=False,
        without="nobody",
    )  # fmt: skip
    draw: ClassVar = _pile(seats.DRAW, "Draw pile")
    discard: ClassVar = _pile(seats.DISCARD, "Discard pile")
    played: list[Played] = field(default_factory=list[Played])
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    names: Mapping[Seat, str] = field(default_factory=lambda: seats.NAMES)
    labels: Mapping[Piece, str] = field(default_factory=lambda: seats.LABELS)

    @classmethod
    def fresh(cls, taken: tuple[Seat, ...], table: Figures) -> Self:
        """Nothing is counted yet: the set-up asks for it."""
        return cls(
            players={seat: Player(seat) for seat in taken},
            piles=CountedPiles(TABLE, dict.fromkeys(pile_names(taken), 0)),
            table=table,
        )

    # -- who is who ------------------------------------------------------------------------

    @property
    def attacker(self) -> Seat:
        """Who starts the dogfight; ValueError before anybody is on turn."""
        if self.on_turn is None:
            raise ValueError("nobody is on turn yet")
        return self.on_turn

    @property
    def defender(self) -> Seat:
        """The opponent chosen; ValueError before there is one."""
        if self.rival is None:
            raise ValueError("no opponent is chosen yet")
        return self.rival

    @property
    def now(self) -> TableStep:
        """The step under way."""
        return STEPS[self.step]

    def seat_of(self, role: str) -> Seat:
        """Who attacks, or who defends."""
        return self.attacker if role == seats.ATTACKER else self.defender

    def role_of(self, seat: Seat) -> str:
        """Attacker, defender, or nothing for one of the others."""
        return {self.on_turn: seats.ATTACKER, self.rival: seats.DEFENDER}.get(seat, "")

    def called(self, one: Played) -> str:
        """A maneuver by its player and its exchange, as people say it: "Ana 2"."""
        return f"{self.names[one.seat]} {one.exchange}"

    def present(self) -> list[Seat]:
        """Who has not left the table, in turn order.  (RULING 19)"""
        return [seat for seat in self.players if seat not in self.left]

    def opponents(self) -> list[Seat]:
        """Whom the player on turn may attack by a Pilot card.  (RULING 2)"""
        return [seat for seat in self.present() if seat != self.on_turn]

    def others(self) -> list[Seat]:
        """All other players in turn order, beginning after the attacker.  (TS-309)"""
        around = clockwise_from(self.attacker, tuple(self.players))
        return [seat for seat in around if not self.role_of(seat)]

    def due(self) -> Seat | None:
        """Whose step it is; of the others, who has not had the window yet."""
        if self.step in (SET_UP, OVER):
            return None
        if self.now.role in (seats.ATTACKER, seats.DEFENDER):
            return self.seat_of(self.now.role)
        return next((seat for seat in self.others() if seat not in self.spoken), None)

    def moment(self) -> list[Seat]:
        """Whose windows follow one another from here on, up to the next regular step."""
        whose: list[Seat] = []
        step = self.now
        while step.window:
            if step.role == seats.OTHERS:
                whose += [seat for seat in self.others() if seat not in self.spoken]
            else:
                whose.append(self.seat_of(step.role))
            step = STEPS[step.follows]
        return whose

    # -- cards -----------------------------------------------------------------------------

    def count(self, seat: Seat, pile: str) -> int:
        """How many cards a player has in a pile of their own."""
        return self.piles[own_pile(seat, pile)]

    def of_attacker(self) -> list[Played]:
        """The attacker's maneuvers that count: all that were played.  (TS-311, RULING 13)"""
        return [one for one in self.played if one.seat == self.on_turn and one.shown]

    def damage_total(self) -> int:
        """The Damage effects of the attacker's maneuvers.  (TS-304, RULING 13)"""
        return sum(one.maneuver.damage for one in self.of_attacker() if not one.cancelled)

    def draw_total(self) -> int:
        """The Draw effects of the attacker's maneuvers.  (TS-306, RULING 13)"""
        return sum(one.maneuver.draw for one in self.of_attacker() if not one.cancelled)

    def owes_extra(self) -> bool:
        """Whether the defender chose to defend but played no maneuver.  (TS-305, TS-312)"""
        return self.defended and not any(one.seat == self.rival for one in self.played)

    def on_table(self) -> list[Played]:
        """The cards of this dogfight that lie there: the attacker's first.  (RULING 15)"""
        lying = [one for one in self.played if one.is_card_of_the_dogfight]
        return sorted(lying, key=lambda one: (one.seat != self.on_turn, one.exchange))

    # -- values ----------------------------------------------------------------------------

    def attack_value(self) -> int:
        """What the answer of this exchange has to meet; 0 where nothing attacks."""
        if self.standing:
            return self.standing
        attack = self.attack_of(self.now.exchange)
        return 0 if attack is None else self.worth(attack.seat, attack.maneuver.value)

    def attack_of(self, exchange: int) -> Played | None:
        """The attacking maneuver of an exchange."""
        of_it = (one for one in self.of_attacker() if one.exchange == exchange)
        return next(of_it, None)

    def worth(self, seat: Seat, value: int) -> int:
        """A printed value with what effects have done to it.  (RULING 6)"""
        return kept_within(value + self.players[seat].value_bonus)

    def skill(self, seat: Seat) -> int:
        """How many cards PILOT draws.  (RULING 4)"""
        by_card = seat == self.on_turn and self.start == "pilot"
        player = self.players[seat]
        return max(0, (self.pilot if by_card else player.pilot) + player.pilot_bonus)

    def distance(self, one: Seat, other: Seat) -> int | None:
        """The shorter way round the ring; None where a place is not known.  (RULING 2)"""
        here, there = self.players[one].place, self.players[other].place
        if here is None or there is None:
            return None
        apart = abs(here - there)
        return min(apart, self.table.locations - apart)

    def in_range(self, seat: Seat) -> list[Seat]:
        """The opponents within a player's RANGE, in turn order.  (RULING 2)"""
        around = clockwise_from(seat, tuple(self.players))[1:]
        reach = self.players[seat].range
        here = (other for other in around if other not in self.left)
        ways = ((other, self.distance(seat, other)) for other in here)
        return [other for other, way in ways if way is not None and way <= reach]

    def clear(self) -> None:
        """What belongs to one dogfight is forgotten."""
        self.rival, self.start, self.card, self.pilot = None, "", "", 0
        self.defended, self.winner, self.standing, self.damage_done = False, "", 0, 0
        self.played, self.spoken, self.nth = [], (), 0
        for player in self.players.values():
            player.value_bonus = player.pilot_bonus = 0

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        return (SET_UP,) if self.step == SET_UP else (f"dogfight-{self.number}", self.step)

    def placement(self) -> Mapping[Piece, Pose]:
        placed = ((seats.TOKENS[seat], player.place) for seat, player in self.players.items())
        return {token: Pose(space_of(place)) for token, place in placed if place is not None}

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        return self.piles.by_owner()

    def facts(self) -> Sequence[Fact]:
        return [
            *DOGFIGHT.facts(self, self),
            *(fact for one in self.played for fact in PLAYED.facts(self, one, one.seat, one.name)),
            *(fact for one in self.players.values() for fact in PLAYER.facts(self, one, one.seat)),
        ]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            *DOGFIGHT.hashed(self),
            tuple(self.piles.counts.values()),
            tuple(map(PLAYED.hashed, self.played)),
            tuple(map(PLAYER.hashed, self.players.values())),
            *([self.left] if self.left else []),
        )

    def adjust(self, changes: Mapping[str, Json]) -> None:
        """Set all of them; BadCall names the one that is unknown or not of its kind."""
        with citing("RULING 17"):
            before = self.piles.total
            set_all(self, setters_of(self), changes)
            _refuse_too_many(self, before)

    def to_file(self) -> dict[str, Json]:
        """The file of a position; what stands at its default is left out."""
        played: Json = [
            {"by": one.seat, "exchange": one.exchange, **PLAYED.written(self, one)}
            for one in self.played
        ]
        players: Json = {seat: PLAYER.written(self, one) for seat, one in self.players.items()}
        said = DOGFIGHT.written(self, self) | ({"played": played} if played else {})
        return {"box": BOX, **said, "players": players}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source, assumed_figures())


DOGFIGHT: Ledger[TalespinPosition, TalespinPosition] = Ledger(
    TalespinPosition, sets=("defended", "draw", "discard")
)


# Position files, in words.  (positions/README.md)

PositionT = TypeVar("PositionT", bound=TalespinPosition)

_Played: Any = PLAYED.model(
    "_Played",
    {"by": (SEAT.filed, ...), "exchange": (number(1, EXCHANGES).filed, ...)},
)
_File = DOGFIGHT.model(
    "_File",
    {"box": (Literal["talespin-dogfight"], BOX)},
    {
        "played": (list[_Played], []),
        "players": (
            seats_model("_Players", PLAYER.model("_Player"), seats.SEATS, seats.FEWEST),
            ...,
        ),
        "since": (list[Any], []),  # answers given after this position: the match takes them itself
    },
)


def read_position(
    cls: type[PositionT], raw: Mapping[str, Json], source: str, table: Figures
) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file: Any = read_model(_File, dict(raw), source)
    lines = seat_lines(file.players)
    played = [_played(line) for line in file.played]
    return cls(
        players={seat: Player(seat, **PLAYER.read(line)) for seat, line in lines.items()},
        piles=_piles(file, lines, played),
        played=played,
        table=table,
        **DOGFIGHT.read(file),
    )


def _played(line: Any) -> Played:
    maneuver = Maneuver(line.title, line.value, line.damage, line.draw, line.meets_any)
    return Played(line.by, line.exchange, maneuver, **PLAYED.read(line))


def _piles(file: Any, lines: Mapping[Seat, Any], played: Sequence[Played]) -> CountedPiles:
    """Every pile; those of the maneuvers follow from what was played."""
    counts: dict[str, int] = {seats.DRAW: file.draw, seats.DISCARD: file.discard, seats.IN_PLAY: 0}
    for seat, line in lines.items():
        lying = sum(one.seat == seat and one.is_card_of_the_dogfight for one in played)
        own = {
            seats.HAND: line.hand,
            seats.PACKED: line.packed,
            seats.OPEN: line.open,
            seats.MANEUVERS: lying,
        }
        counts |= {own_pile(seat, pile): count for pile, count in own.items()}
    return CountedPiles(TABLE, counts)


# Adjustments: what an arbiter may set, by name.


def setters_of(position: TalespinPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    setters = DOGFIGHT.setters(position, position)
    for seat, player in position.players.items():
        setters |= PLAYER.setters(position, player, f"{seat}.")
        setters[seats.TOKENS[seat]] = setters[f"{seat}.place"]
    for one in position.played:
        setters |= PLAYED.setters(position, one, f"{one.name}.")
    return setters


def _refuse_too_many(position: TalespinPosition, before: int) -> None:
    """More cards than a table can have are not reached by counting one pile anew.  (RULING 5)"""
    total = position.piles.total
    if total > max(before, seats.MOST_COUNTED):
        raise BadCall(
            f"{total} cards are on the table then, at most {seats.MOST_COUNTED} can be: "
            "count again [RULING 5]"
        )
