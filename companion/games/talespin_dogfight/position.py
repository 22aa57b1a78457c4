"""The position of a TaleSpin dogfight: what lies there, its file, and what an arbiter may set.

In this order: one player, position files, adjustments, and the whole position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.core.files import read_model
from companion.core.ruling import TABLE, Fact, Seat, Shows
from companion.games.talespin_dogfight.boards import location_of, space_of
from companion.games.talespin_dogfight.figures import (
    MOST_EFFECT,
    MOST_LOCATIONS,
    MOST_PILOT,
    MOST_RANGE,
    Figures,
    assumed_figures,
)
from companion.games.talespin_dogfight.maneuvers import (
    FROM_HAND,
    Maneuver,
    Played,
    kept_within,
    seat_named,
    source_named,
    start_named,
    step_named,
    winner_named,
)
from companion.games.talespin_dogfight.maneuvers import MOST as MOST_BONUS
from companion.games.talespin_dogfight.seats import (
    ATTACKER,
    COMMON_PILES,
    DEFENDER,
    DISCARD,
    DRAW,
    EXCHANGES,
    EXTRA_DAMAGE,
    HAND,
    HIGHEST,
    IN_PLAY,
    LABELS,
    LOWEST,
    MANEUVERS,
    MOST_COUNTED,
    NAMES,
    OPEN,
    OTHERS,
    OVER,
    OWN_PILES,
    PACKED,
    PLACES,
    SET_UP,
    STEPS,
    TOKENS,
    WINDOWS,
    Step,
)
from companion.kit.adjusting import Setter, citing, flag, set_all, whole_number
from companion.kit.piles import CountedPiles, own_pile
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Player: what lies before a seat, and what effects have done in this dogfight.


@dataclass(slots=True, eq=False)
class Player:
    """PILOT and RANGE of the Player card with its Passengers, the location, the Player card.

    `place` is None where nobody has told it; `character` the title of the Player card ("" = it is
    asked for when it starts a dogfight). `value_bonus` and `pilot_bonus` are what effects have
    added to maneuvers and PILOT until the dogfight ends; `wins` the dogfights won this turn.
    """

    seat: Seat
    place: int | None = None
    pilot: int = 0
    range: int = 0
    character: str = ""
    value_bonus: int = 0
    pilot_bonus: int = 0
    wins: int = 0


# Position files, in words.  (positions/README.md)

BOX: Literal["talespin-dogfight"] = "talespin-dogfight"
MOST_CARDS, MOST_NUMBER = 999, 99
"""Far beyond any box: what is more was mistyped."""

PositionT = TypeVar("PositionT", bound="TalespinPosition")

_Seat = Annotated[str, BeforeValidator(seat_named)]
_Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
_Bonus = Annotated[int, Field(ge=-MOST_BONUS, le=MOST_BONUS)]
_Few = Annotated[int, Field(ge=0, le=MOST_EFFECT)]
_Dogfights = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
_Title = Annotated[str, Field(max_length=40)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Played(_Part):
    by: _Seat
    exchange: Annotated[int, Field(ge=1, le=EXCHANGES)]
    title: _Title = ""
    value: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    damage: _Few = 0
    draw: _Few = 0
    meets_any: bool = False
    source: Annotated[str, BeforeValidator(source_named)] = FROM_HAND
    shown: bool = True
    lies: bool = True
    cancelled: bool = False


class _Player(_Part):
    place: Annotated[int, Field(ge=1, le=MOST_LOCATIONS)] | None = None
    hand: _Cards = 0
    packed: _Cards = 0
    open: _Cards = 0
    pilot: Annotated[int, Field(ge=0, le=MOST_PILOT)] = 0
    range: Annotated[int, Field(ge=0, le=MOST_RANGE)] = 0
    character: _Title = ""
    value_bonus: _Bonus = 0
    pilot_bonus: _Bonus = 0
    wins: _Dogfights = 0


class _Players(_Part):
    A: _Player
    B: _Player
    C: _Player | None = None
    D: _Player | None = None


class _File(_Part):
    box: Literal["talespin-dogfight"] = BOX
    dogfight: Annotated[int, Field(ge=1, le=MOST_NUMBER)] = 1
    step: Annotated[str, BeforeValidator(step_named)]
    turn_of: _Seat | None = None
    defender: _Seat | None = None
    start: Annotated[str, BeforeValidator(start_named)] = ""
    card: _Title = ""
    pilot: Annotated[int, Field(ge=0, le=MOST_PILOT)] = 0
    defended: bool = False
    winner: Annotated[str, BeforeValidator(winner_named)] = ""
    standing: Annotated[int, Field(ge=0, le=HIGHEST)] = 0
    damage_done: _Cards = 0
    spoken: list[_Seat] = []
    nth: _Cards = 0
    left: list[_Seat] = []
    draw: _Cards = 0
    discard: _Cards = 0
    played: list[_Played] = []
    players: _Players
    since: list[Any] = []
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(
    cls: type[PositionT], raw: Mapping[str, Json], source: str, table: Figures
) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source)
    named = {Seat(seat): getattr(file.players, seat) for seat in _Players.model_fields}
    lines: dict[Seat, _Player] = {seat: line for seat, line in named.items() if line is not None}
    played = [_played(line) for line in file.played]
    return cls(
        players={seat: _player(seat, line) for seat, line in lines.items()},
        piles=_piles(file, lines, played),
        step=file.step,
        number=file.dogfight,
        on_turn=None if file.turn_of is None else Seat(file.turn_of),
        rival=None if file.defender is None else Seat(file.defender),
        start=file.start,
        card=file.card,
        pilot=file.pilot,
        defended=file.defended,
        winner=file.winner,
        standing=file.standing,
        damage_done=file.damage_done,
        played=played,
        spoken=tuple(Seat(seat) for seat in file.spoken),
        nth=file.nth,
        left=tuple(Seat(seat) for seat in file.left),
        table=table,
    )


def _played(line: _Played) -> Played:
    maneuver = Maneuver(line.title, line.value, line.damage, line.draw, line.meets_any)
    return Played(
        Seat(line.by), line.exchange, maneuver, line.source, line.shown, line.lies, line.cancelled
    )


def _player(seat: Seat, line: _Player) -> Player:
    return Player(
        seat,
        line.place,
        line.pilot,
        line.range,
        line.character,
        line.value_bonus,
        line.pilot_bonus,
        line.wins,
    )


def _piles(file: _File, lines: Mapping[Seat, _Player], played: Sequence[Played]) -> CountedPiles:
    """Every pile; those of the maneuvers follow from what was played."""
    counts = {DRAW: file.draw, DISCARD: file.discard, IN_PLAY: 0}
    for seat, line in lines.items():
        lying = sum(one.seat == seat and one.is_card_of_the_dogfight for one in played)
        own = {HAND: line.hand, PACKED: line.packed, OPEN: line.open, MANEUVERS: lying}
        counts |= {own_pile(seat, pile): count for pile, count in own.items()}
    return CountedPiles(TABLE, counts)


# -- writing -------------------------------------------------------------------------------


def write_position(position: TalespinPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    said: dict[str, Json] = {
        "turn_of": position.on_turn,
        "defender": position.rival,
        "start": position.start,
        "card": position.card,
        "pilot": position.pilot,
        "defended": position.defended,
        "winner": position.winner,
        "standing": position.standing,
        "damage_done": position.damage_done,
        "spoken": [*position.spoken],
        "nth": position.nth,
        "left": [*position.left],
        "draw": position.piles[DRAW],
        "discard": position.piles[DISCARD],
        "played": [_line(one) for one in position.played],
    }
    file: dict[str, Json] = {"box": BOX, "dogfight": position.number, "step": position.step}
    file |= {name: value for name, value in said.items() if value}
    file["players"] = {seat: _seat_line(position, seat) for seat in position.players}
    return file


def _line(one: Played) -> dict[str, Json]:
    card = one.maneuver
    line: dict[str, Json] = {"by": one.seat, "exchange": one.exchange, "value": card.value}
    said: dict[str, Json] = {
        "title": card.title,
        "damage": card.damage,
        "draw": card.draw,
        "meets_any": card.any_answer,
        "cancelled": one.cancelled,
    }
    line |= {name: value for name, value in said.items() if value}
    if one.source != FROM_HAND:
        line["source"] = one.source
    unusual: dict[str, Json] = {"shown": one.shown, "lies": one.lies}
    return {**line, **{name: False for name, value in unusual.items() if not value}}


def _seat_line(position: TalespinPosition, seat: Seat) -> dict[str, Json]:
    player = position.players[seat]
    said: dict[str, Json] = {
        "place": player.place,
        "hand": position.count(seat, HAND),
        "packed": position.count(seat, PACKED),
        "open": position.count(seat, OPEN),
        "pilot": player.pilot,
        "range": player.range,
        "character": player.character,
        "value_bonus": player.value_bonus,
        "pilot_bonus": player.pilot_bonus,
        "wins": player.wins,
    }
    return {name: value for name, value in said.items() if value}


# Adjustments: what an arbiter may set, by name.

_PLAYER: Mapping[str, tuple[str, int, int]] = {
    "pilot": ("pilot", 0, MOST_PILOT),
    "range": ("range", 0, MOST_RANGE),
    "value bonus": ("value_bonus", -MOST_BONUS, MOST_BONUS),
    "pilot bonus": ("pilot_bonus", -MOST_BONUS, MOST_BONUS),
    "wins": ("wins", 0, MOST_NUMBER),
}
_NUMBERS: Mapping[str, tuple[str, int, int]] = {
    "pilot": ("pilot", 0, MOST_PILOT),
    "standing": ("standing", 0, HIGHEST),
    "damage done": ("damage_done", 0, MOST_EFFECT * EXCHANGES + EXTRA_DAMAGE),
}
_PRINTED: Mapping[str, tuple[int, int]] = {
    "value": (LOWEST, HIGHEST),
    "damage": (0, MOST_EFFECT),
    "draw": (0, MOST_EFFECT),
}


def adjust(position: TalespinPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    with citing("RULING 17"):
        before = position.piles.total
        set_all(position, setters_of(position), changes)
        _refuse_too_many(position, before)


def _refuse_too_many(position: TalespinPosition, before: int) -> None:
    """More cards than a table can have are not reached by counting one pile anew.  (RULING 5)"""
    total = position.piles.total
    if total > max(before, MOST_COUNTED):
        raise BadCall(
            f"{total} cards are on the table then, at most {MOST_COUNTED} can be: count again "
            "[RULING 5]"
        )


def setters_of(position: TalespinPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    setters: dict[str, Setter] = _of_the_dogfight(position)
    for player in position.players.values():
        setters |= _of_player(position, player)
    for one in position.played:
        setters |= _of_maneuver(one)
    return setters


def _of_the_dogfight(position: TalespinPosition) -> dict[str, Setter]:
    def put_defended(name: str, raw: Json) -> None:
        position.defended = flag(name, raw)

    return {
        "defended": put_defended,
        "draw": _pile(position, DRAW),
        "discard": _pile(position, DISCARD),
        **{name: _number(position, *row) for name, row in _NUMBERS.items()},
    }


def _pile(position: TalespinPosition, pile: str) -> Setter:
    def count(name: str, raw: Json) -> None:
        position.piles[pile] = whole_number(name, raw, 0, MOST_COUNTED)

    return count


def _number(thing: TalespinPosition | Player, field: str, low: int, most: int) -> Setter:
    def put(name: str, raw: Json) -> None:
        setattr(thing, field, whole_number(name, raw, low, most))

    return put


def _of_player(position: TalespinPosition, player: Player) -> dict[str, Setter]:
    def put_place(name: str, raw: Json) -> None:
        player.place = None if raw in (None, "") else _location(name, raw)

    seat = player.seat
    return {
        **{
            f"{seat}.{pile}": _pile(position, own_pile(seat, pile)) for pile in (HAND, PACKED, OPEN)
        },
        **{f"{seat}.{name}": _number(player, *row) for name, row in _PLAYER.items()},
        f"{seat}.place": put_place,
        TOKENS[seat]: put_place,
    }


def _location(name: str, raw: Json) -> int:
    """A location by its number, or by the name that a camera has for it."""
    if isinstance(raw, str):
        try:
            return whole_number(name, location_of(raw.strip().lower()), 1, MOST_LOCATIONS)
        except ValueError:
            pass
    return whole_number(name, raw, 1, MOST_LOCATIONS)


def _of_maneuver(one: Played) -> dict[str, Setter]:
    def cancel(name: str, raw: Json) -> None:
        one.cancelled = flag(name, raw)

    printed = {f"{one.name}.{field}": _printed(one, field) for field in _PRINTED}
    return {**printed, f"{one.name}.cancelled": cancel}


def _printed(one: Played, field: str) -> Setter:
    def put(name: str, raw: Json) -> None:
        number, card = whole_number(name, raw, *_PRINTED[field]), one.maneuver
        told = {"value": card.value, "damage": card.damage, "draw": card.draw, field: number}
        value, damage, draw = told["value"], told["damage"], told["draw"]
        one.maneuver = replace(card, value=value, damage=damage, draw=draw)

    return put


# The whole position.


@dataclass(slots=True, eq=False)
class TalespinPosition(Position):
    """Players, cards by number, the maneuvers played, and the step that comes next.

    `number` counts the dogfights of this turn, `on_turn` is their attacker. `start` is "pilot" or
    "range" once it is announced, `card` the title of what started it and `pilot` the PILOT number
    printed on a Pilot card. `standing` is the value of a card that the attacker played instead of
    this exchange's maneuver (0: none). `damage_done` counts the Damage that is dealt with.
    `spoken` are the others who have had their window, `nth` the cards played in the one that is
    open, `left` who has left the table. `table`, `house`, `names` (of the people) and
    `labels` (of the tokens) are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        DRAW: "draw pile",
        DISCARD: "discard pile",
        PACKED: "packed cargo",
        OPEN: "open cargo",
        MANEUVERS: "maneuvers on the table",
        IN_PLAY: "card in play",
    }
    place_names: ClassVar[Mapping[str, str]] = PLACES
    moment_names: ClassVar[Mapping[str, str]] = WINDOWS

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    piles: CountedPiles = field(default_factory=lambda: CountedPiles(TABLE, {}))
    step: str = SET_UP
    number: int = 1
    on_turn: Seat | None = None
    rival: Seat | None = None
    start: str = ""
    card: str = ""
    pilot: int = 0
    defended: bool = False
    winner: str = ""
    standing: int = 0
    damage_done: int = 0
    played: list[Played] = field(default_factory=list[Played])
    spoken: tuple[Seat, ...] = ()
    nth: int = 0
    left: tuple[Seat, ...] = ()
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    names: Mapping[Seat, str] = field(default_factory=lambda: NAMES)
    labels: Mapping[Piece, str] = field(default_factory=lambda: LABELS)

    @classmethod
    def fresh(cls, seats: tuple[Seat, ...], table: Figures) -> Self:
        """Nothing is counted yet: the set-up asks for it."""
        return cls(
            players={seat: Player(seat) for seat in seats},
            piles=CountedPiles(TABLE, dict.fromkeys(pile_names(seats), 0)),
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
    def now(self) -> Step:
        """The step under way."""
        return STEPS[self.step]

    def seat_of(self, role: str) -> Seat:
        """Who attacks, or who defends."""
        return self.attacker if role == ATTACKER else self.defender

    def role_of(self, seat: Seat) -> str:
        """Attacker, defender, or nothing for one of the others."""
        return {self.on_turn: ATTACKER, self.rival: DEFENDER}.get(seat, "")

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
        if self.now.role in (ATTACKER, DEFENDER):
            return self.seat_of(self.now.role)
        return next((seat for seat in self.others() if seat not in self.spoken), None)

    def moment(self) -> list[Seat]:
        """Whose windows follow one another from here on, up to the next regular step."""
        seats: list[Seat] = []
        step = self.now
        while step.window:
            if step.role == OTHERS:
                seats += [seat for seat in self.others() if seat not in self.spoken]
            else:
                seats.append(self.seat_of(step.role))
            step = STEPS[step.follows]
        return seats

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
        placed = ((TOKENS[seat], player.place) for seat, player in self.players.items())
        return {token: Pose(space_of(place)) for token, place in placed if place is not None}

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        return self.piles.by_owner()

    def facts(self) -> Sequence[Fact]:
        facts = [
            Fact("dogfight", "Dogfight of this turn", self.number),
            Fact("step", "Step", self.step),
            Fact("turn of", "On turn", self.on_turn or ""),
            Fact("defender", "Defender", self.rival or ""),
            Fact("start", "Started by", self.start),
            Fact("card", "Card that started it", self.card),
            Fact("pilot", "PILOT of that card", self.pilot),
            Fact("defended", "Chose to defend", self.defended),
            Fact("winner", "Won by", self.winner),
            Fact("standing", "Value to meet instead", self.standing),
            Fact("damage done", "Damage dealt with", self.damage_done),
            Fact("spoken", "Others who have passed", [*self.spoken]),
            Fact("nth", "Cards of the window", self.nth),
            Fact("left", "Left the table", [*self.left]),
            Fact("draw", "Draw pile", self.piles[DRAW]),
            Fact("discard", "Discard pile", self.piles[DISCARD]),
        ]
        for one in self.played:
            facts += _played_facts(one)
        for player in self.players.values():
            facts += self._player_facts(player)
        return facts

    def _player_facts(self, player: Player) -> Sequence[Fact]:
        seat = player.seat
        told: dict[str, tuple[str, Json, Shows]] = {
            "hand": ("Hand", self.count(seat, HAND), Shows.COUNT),
            "packed": ("Packed cargo", self.count(seat, PACKED), Shows.COUNT),
            "open": ("Open cargo", self.count(seat, OPEN), Shows.COUNT),
            "maneuvers": ("Maneuvers on the table", self.count(seat, MANEUVERS), Shows.NOTHING),
            "place": ("Location", player.place, Shows.NOTHING),
            "pilot": ("PILOT", player.pilot, Shows.NOTHING),
            "range": ("RANGE", player.range, Shows.NOTHING),
            "character": ("Player card", player.character, Shows.NOTHING),
            "value bonus": ("Added to maneuvers", player.value_bonus, Shows.NOTHING),
            "pilot bonus": ("Added to PILOT", player.pilot_bonus, Shows.NOTHING),
            "wins": ("Dogfights won this turn", player.wins, Shows.NOTHING),
        }
        return [
            Fact(f"{seat}.{name}", label, value, seat, shows=shows)
            for name, (label, value, shows) in told.items()
        ]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            self.number, self.step, self.on_turn, self.rival, self.start, self.card, self.pilot,
            self.defended, self.winner, self.standing, self.damage_done, self.spoken, self.nth,
            tuple(self.piles.counts.values()),
            tuple(_played_figures(one) for one in self.played),
            tuple(_player_figures(player) for player in self.players.values()),
            *([self.left] if self.left else []),
        )  # fmt: skip

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source, assumed_figures())


def pile_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Every pile of a table: the two common ones, and those before each player."""
    return (*COMMON_PILES, *(own_pile(seat, pile) for seat in seats for pile in OWN_PILES))


def _played_facts(one: Played) -> Sequence[Fact]:
    told: dict[str, tuple[str, Json]] = {
        "title": ("Maneuver", one.maneuver.title),
        "value": ("Value", one.maneuver.value),
        "damage": ("Damage", one.maneuver.damage),
        "draw": ("Draw", one.maneuver.draw),
        "source": ("Played from", one.source),
        "shown": ("Pointed out", one.shown),
        "lies": ("On the table", one.lies),
        "cancelled": ("Effects cancelled", one.cancelled),
    }
    return [Fact(f"{one.name}.{name}", label, value, one.seat, shows=Shows.NOTHING)
            for name, (label, value) in told.items()]  # fmt: skip


def _played_figures(one: Played) -> tuple[object, ...]:
    card = one.maneuver
    return (
        one.seat, one.exchange, card.title, card.value, card.damage, card.draw, card.any_answer,
        one.source, one.shown, one.lies, one.cancelled,
    )  # fmt: skip


def _player_figures(player: Player) -> tuple[object, ...]:
    return (
        player.seat, player.place, player.pilot, player.range, player.character,
        player.value_bonus, player.pilot_bonus, player.wins,
    )  # fmt: skip
