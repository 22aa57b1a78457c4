"""The position of Dogfight: 1917: what lies on the table, its file, and what an arbiter may set.

In this order: one player, position files, adjustments, and the whole position. It holds all that
lasts through a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadFile
from companion.core.files import read_model
from companion.core.ruling import Carry, Fact, LineOfFire, Seat, Shows
from companion.core.text import spelt_like
from companion.games.dogfight_1917.cards import (
    COPIES,
    DECK,
    DECK_SIZE,
    FIGHTER_NAMES,
    FIGHTERS,
    HAND,
    MANEUVERS,
    NAMES,
    PILES,
    PILOT_NAMES,
    PILOTS,
    SET_UP,
    STAGES,
    WINGMEN,
    A,
    card_named,
    fighter_named,
    pile_named,
    pilot_named,
    place_named,
    seat_named,
    side_named,
    stage_named,
)
from companion.games.dogfight_1917.figures import Figures, assumed_figures
from companion.kit.adjusting import UnknownName
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, pose_of
from companion.kit.piles import CountedPiles
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Player: one seat's Fighter and pilot, cards, tokens and model.


def fresh_piles(seat: Seat) -> CountedPiles:
    """A Fighter's twenty cards, all in the Deck.  (DF-1.2)"""
    return CountedPiles(seat, {**dict.fromkeys(PILES, 0), DECK: DECK_SIZE})


@dataclass(slots=True, eq=False)
class Player:
    """One seat: its Fighter and pilot, its cards, its tokens, and where its model stands.

    `fighter` and `pilot` are empty until chosen. `plane` is None while the model is off the board;
    `start` is where it was placed at set-up. `out` has crashed for good; a Wingman that crashed is
    off the board without being out.
    """

    seat: Seat
    piles: CountedPiles
    fighter: str = ""
    pilot: str = ""
    pilot_side: str = "A"
    tokens: int = 0
    plane: Heading | None = None
    start: Heading | None = None
    out: bool = False

    @classmethod
    def fresh(cls, seat: Seat) -> Player:
        """A seat before anything was chosen."""
        return cls(seat, fresh_piles(seat))

    @property
    def piece(self) -> Piece:
        """The model on the board."""
        return Piece(self.fighter)

    @property
    def flies(self) -> bool:
        """Whether the model is on the board."""
        return self.plane is not None

    @property
    def at(self) -> Heading:
        """Where the model stands and looks; only asked of one that flies."""
        if self.plane is None:
            raise ValueError(f"{self.seat} has no Fighter on the board")
        return self.plane

    def is_pilot(self, code: str, side: str = "") -> bool:
        """Whether that pilot sits in the Fighter, with that side of the card up ("" = either)."""
        return self.pilot == code and side in ("", self.pilot_side)

    def from_hand(self, count: int, target: str, card: str = "") -> Carry:
        """Cards leave the Hand: one that is named, or some that nobody saw.

        What was known of the Hand stays known as far as it must still be there.
        """
        still = self.piles.known.pop(HAND, [])
        if not card and count:
            still = []
        elif card in still:
            still.remove(card)
        carry = self.piles.move(count, HAND, target)
        for known in still:
            self.piles.learn(HAND, known)
        return carry

    def learn(self, pile: str, card: str) -> None:
        """Everybody has seen this card in that pile.

        One more than there are means that some were misread before: those are forgotten, so that
        what is known never is more than a Fighter owns.  (DF-1.2, DF-E17)
        """
        if self.piles.seen(*PILES)[card] >= COPIES[card]:
            self.piles.known = {
                name: [seen for seen in cards if seen != card]
                for name, cards in self.piles.known.items()
            }
        self.piles.learn(pile, card)


# Position files, in the book's words.  (positions/README.md)

BOX: Literal["dogfight-1917"] = "dogfight-1917"
MOST_TURNS = 9_999
MOST_TOKENS = 999
"""Far beyond any match: what is more was mistyped."""
MOST_DICE = 8
"""All dice of the box; who needs more rolls in two lots.  (DF-1.1, RULING 34)"""

PositionT = TypeVar("PositionT", bound="Dogfight1917Position")


def _each_once(raw: object) -> object:
    """Known cards by their printed names; one that is named twice would lose a count."""
    if not isinstance(raw, dict):
        return raw
    cards: dict[str, object] = {}
    for name, count in cast("dict[object, object]", raw).items():
        card = card_named(name)
        if card in cards:
            raise ValueError(f"{card} is counted twice; give one count")
        cards[card] = count
    return cards


_STRICT = ConfigDict(extra="forbid", strict=True)

_Fighter = Annotated[str, BeforeValidator(fighter_named)]
_Pilot = Annotated[str, BeforeValidator(pilot_named)]
_Side = Annotated[str, BeforeValidator(side_named)]
_Stage = Annotated[str, BeforeValidator(stage_named)]
_Seat = Annotated[str, BeforeValidator(seat_named)]
_Card = Annotated[str, BeforeValidator(card_named)]
_Pile = Annotated[str, BeforeValidator(pile_named)]
_Place = Annotated[Heading, BeforeValidator(place_named)]
_Count = Annotated[int, Field(ge=0, le=DECK_SIZE)]
_Seen = Annotated[dict[str, Annotated[int, Field(ge=1, le=DECK_SIZE)]], BeforeValidator(_each_once)]
_Die = Annotated[int, Field(ge=1, le=6)]


class _Player(BaseModel):
    model_config = _STRICT

    fighter: _Fighter = ""
    pilot: _Pilot = ""
    side: _Side = "A"
    tokens: Annotated[int, Field(ge=0, le=MOST_TOKENS)] = 0
    place: _Place | None = None
    start: _Place | None = None
    crashed: bool = False
    deck: _Count
    hand: _Count
    discard: _Count = 0
    damage: _Count = 0
    box: _Count = 0
    played: _Count = 0
    known: dict[_Pile, _Seen] = {}


class _Known(BaseModel):
    """What an arbiter sets by itself."""

    model_config = _STRICT

    known: dict[_Pile, _Seen]


class _Players(BaseModel):
    model_config = _STRICT

    A: _Player
    B: _Player
    C: _Player | None = None
    D: _Player | None = None


class _File(BaseModel):
    model_config = _STRICT

    box: Literal["dogfight-1917"] = BOX
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1
    phase: _Stage
    active: _Seat = A
    maneuvered: bool = False
    improvised: bool = False
    actions: Annotated[int, Field(ge=0, le=MOST_TURNS)] = 0
    gunsight: Annotated[int, Field(ge=0, le=MOST_DICE)] = 0
    dice: Annotated[list[_Die], Field(max_length=MOST_DICE)] = []
    next_turn: _Seat | None = None
    claimed: Annotated[list[_Card], Field(max_length=len(MANEUVERS))] | None = None
    players: _Players
    since: list[Any] = []
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source)
    lines = {seat: getattr(file.players, seat) for seat in _Players.model_fields}
    return cls(
        players={Seat(s): _player(Seat(s), line) for s, line in lines.items() if line is not None},
        stage=file.phase,
        turn=file.turn,
        active=Seat(file.active),
        maneuvered=file.maneuvered,
        improvised=file.improvised,
        actions=file.actions,
        gunsight=file.gunsight,
        dice=tuple(file.dice),
        next_turn=None if file.next_turn is None else Seat(file.next_turn),
        claimed=None if file.claimed is None else tuple(file.claimed),
    )


def read_known(raw: object) -> dict[str, list[str]]:
    """Known cards by pile, as a file counts them; ValueError says what is wrong.

    >>> read_known({"discard": {"evasive dive": 2}})
    {'discard': ['Evasive Dive', 'Evasive Dive']}
    """
    try:
        return _elements(read_model(_Known, {"known": raw}, "", "pile").known)
    except BadFile as wrong:
        place = wrong.place.removeprefix("known").removeprefix(".")
        raise ValueError(": ".join(part for part in (place, wrong.text) if part)) from wrong


def _elements(known: Mapping[str, Mapping[str, int]]) -> dict[str, list[str]]:
    """The cards themselves, as often as they are counted."""
    return {pile: sorted(Counter(cards).elements()) for pile, cards in known.items() if cards}


def _player(seat: Seat, line: _Player) -> Player:
    counts = {pile: int(getattr(line, pile)) for pile in PILES}
    return Player(
        seat=seat,
        piles=CountedPiles(seat, counts, _elements(line.known)),
        fighter=line.fighter,
        pilot=line.pilot,
        pilot_side=line.side,
        tokens=line.tokens,
        plane=line.place,
        start=line.start,
        out=line.crashed,
    )


# -- writing -------------------------------------------------------------------------------


def write_position(position: Dogfight1917Position) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": BOX, "turn": position.turn, "phase": position.stage}
    if position.stage != SET_UP or position.active != A:
        file["active"] = str(position.active)
    said: dict[str, Json] = {
        "maneuvered": position.maneuvered,
        "improvised": position.improvised,
        "actions": position.actions,
        "gunsight": position.gunsight,
        "dice": list(position.dice),
        "next_turn": position.next_turn,
    }
    file |= {name: value for name, value in said.items() if value}
    if position.claimed is not None:
        file["claimed"] = list(position.claimed)
    file["players"] = {str(seat): _line(player) for seat, player in position.players.items()}
    return file


def _line(player: Player) -> dict[str, Json]:
    said: dict[str, Json] = {
        "fighter": FIGHTER_NAMES.get(player.fighter, ""),
        "pilot": PILOT_NAMES.get(player.pilot, ""),
        "side": player.pilot_side if player.pilot or player.pilot_side != "A" else "",
        "tokens": player.tokens,
        "place": player.plane.name() if player.plane is not None else "",
        "start": player.start.name() if player.start is not None else "",
        "crashed": player.out,
    }
    line: dict[str, Json] = {name: value for name, value in said.items() if value}
    piles = player.piles
    line |= {pile: piles[pile] for pile in PILES if piles[pile] or pile in ("deck", "hand")}
    known = {pile: dict(Counter(cards)) for pile, cards in piles.known.items() if cards}
    if known:
        line["known"] = {pile: {**cards} for pile, cards in known.items()}
    return line


# Adjustments: what an arbiter may set, by name.  (DF-E16, DF-E18)

Setter = Callable[["Dogfight1917Position", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""
PlayerSetter = Callable[["Player", str, "Json"], None]

T = TypeVar("T")


def adjust(position: Dogfight1917Position, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind.

    Fighters go first, so that a piece's name means whoever flies it afterwards, and known cards
    last, after the piles they lie in. Meant for a position that is thrown away when one is
    refused, as `Match` does, which judges it then.
    """
    setters = setters_of(position)
    by_plain = {name.lower(): name for name in setters}
    meant: list[tuple[str, Json]] = []
    for name, value in changes.items():
        plain = by_plain.get(_plain(name)) or by_plain.get(_of_seat(position, _plain(name)))
        if plain is None:
            raise UnknownName(name, _known_names(position))
        meant.append((plain, value))
    for name, value in sorted(meant, key=lambda change: _order_of(change[0])):
        setters[name](position, name, value)


def choices_of(position: Dogfight1917Position, name: str) -> Sequence[Json]:
    """What an arbiter may choose from, where it is neither a number nor yes or no."""
    if name in ("phase", "stage"):
        return [SET_UP] if position.stage == SET_UP else [s for s in STAGES if s != SET_UP]
    if name == "next_turn":
        leaders = [seat for seat in position.players if seat not in WINGMEN]
        return ["", *leaders] if position.returning else ()
    if name == "active":
        return list(position.players)
    return _choices_of_a_player(position, name.partition(".")[2])


def _choices_of_a_player(position: Dogfight1917Position, quantity: str) -> Sequence[Json]:
    if quantity == "place":
        board = position.table.board
        turned = range(len(FLAT_TOP_NAMES))
        return ["", *(Heading(space, way).name() for space in board.spaces for way in turned)]
    named: Mapping[str, Sequence[Json]] = {
        "fighter": list(FIGHTERS), "pilot": list(PILOTS), "pilot_side": ["A", "B"],
    }  # fmt: skip
    return named.get(quantity, ())


def _order_of(name: str) -> int:
    """What must be set before, or after, everything else."""
    return {"fighter": 0, "known": 2}.get(name.partition(".")[2], 1)


def setters_of(position: Dogfight1917Position) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    return {
        **_TABLE,
        **{name: _piece(name) for name in FIGHTER_NAMES},
        **{f"{seat}.{name}": _of(seat, own) for seat in position.players
           for name, own in _OWN.items()},
    }  # fmt: skip


def _known_names(position: Dogfight1917Position) -> Sequence[str]:
    """What may be set here, house rules included, which the match sets itself."""
    named = (name for name in setters_of(position) if name not in _ALSO)
    return (*named, *(f"option.{rule}" for rule in position.house))


def player_named(position: Dogfight1917Position, raw: object) -> Seat | None:
    """Who is meant by a letter, or by the Fighter that they fly; None where nobody is.

    Fighters go by what answers call them ("camel"); printed names were put as letters before.
    """
    for seat, player in position.players.items():
        if spelt_like(raw, [code for code in (str(seat), player.fighter) if code]) is not None:
            return seat
    return None


def _of_seat(position: Dogfight1917Position, plain: str) -> str:
    """A quantity of a player who is named by the Fighter: "camel.tokens" as "a.tokens"."""
    who, dot, quantity = plain.partition(".")
    seat = player_named(position, who) if dot else None
    return f"{seat.lower()}.{quantity}" if seat is not None else plain


def _plain(name: str) -> str:
    return " ".join(name.lower().split()).removeprefix("the ")


# -- what is given -------------------------------------------------------------------------


def _number(name: str, raw: Json, low: int, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {low} to {most}")
    return raw


def _flag(name: str, raw: Json) -> bool:
    if not isinstance(raw, bool):
        raise BadCall(f"{name}: {raw!r} is neither true nor false")
    return raw


def _named(name: str, raw: Json, read: Callable[[object], T]) -> T:
    try:
        return read(raw)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _place(name: str, raw: Json) -> Heading | None:
    return None if raw is None or raw == "" else _named(name, raw, place_named)


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.turn = _number(name, raw, 1, MOST_TURNS)


def _set_stage(position: Dogfight1917Position, name: str, raw: Json) -> None:
    """A phase of the turn under way; set-up, whose questions are others, is not moved across."""
    stage = _named(name, raw, stage_named)
    if (stage == SET_UP) != (position.stage == SET_UP):
        way_out = "undo goes back to it" if stage == SET_UP else "finish set-up first"
        raise BadCall(f"{name}: {stage} cannot be set in {position.stage} [DF-5.1]; {way_out}")
    position.stage = stage


def _seat(position: Dogfight1917Position, name: str, raw: Json) -> Seat:
    """Who is meant: by letter, or by the Fighter flown."""
    return player_named(position, raw) or _named(name, raw, seat_named)


def _set_active(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.active = _seat(position, name, raw)


def _set_next_turn(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.next_turn = None if raw is None or raw == "" else _seat(position, name, raw)


def _set_maneuvered(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.maneuvered = _flag(name, raw)


def _set_improvised(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.improvised = _flag(name, raw)


def _set_gunsight(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.gunsight = _number(name, raw, 0, MOST_DICE)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn,
    "phase": _set_stage,
    "stage": _set_stage,
    "active": _set_active,
    "next_turn": _set_next_turn,
    "maneuvered": _set_maneuvered,
    "improvised": _set_improvised,
    "gunsight": _set_gunsight,
}
_ALSO = frozenset({"stage"})
"""Names that facts have and the book has not: taken, but not recommended."""


def _piece(piece: str) -> Setter:
    def put(position: Dogfight1917Position, name: str, raw: Json) -> None:
        for player in position.players.values():
            if player.fighter == piece:
                player.plane = _place(name, raw)
                return
        raise BadCall(f"{name}: nobody flies the {FIGHTER_NAMES[piece]}; set a player's fighter")

    return put


# -- what belongs to a player --------------------------------------------------------------


def _of(seat: Seat, setter: PlayerSetter) -> Setter:
    def put(position: Dogfight1917Position, name: str, raw: Json) -> None:
        setter(position.players[seat], name, raw)

    return put


def _set_fighter(player: Player, name: str, raw: Json) -> None:
    player.fighter = _named(name, raw, fighter_named)


def _set_pilot(player: Player, name: str, raw: Json) -> None:
    player.pilot = _named(name, raw, pilot_named)


def _set_pilot_side(player: Player, name: str, raw: Json) -> None:
    player.pilot_side = _named(name, raw, side_named)


def _set_tokens(player: Player, name: str, raw: Json) -> None:
    player.tokens = _number(name, raw, 0, MOST_TOKENS)


def _set_place(player: Player, name: str, raw: Json) -> None:
    player.plane = _place(name, raw)


def _set_start(player: Player, name: str, raw: Json) -> None:
    player.start = _place(name, raw)


def _set_crashed(player: Player, name: str, raw: Json) -> None:
    player.out = _flag(name, raw)


def _set_known(player: Player, name: str, raw: Json) -> None:
    player.piles.known = _named(name, raw, read_known)


def _pile(pile: str) -> PlayerSetter:
    def count(player: Player, name: str, raw: Json) -> None:
        player.piles[pile] = _number(name, raw, 0, DECK_SIZE)

    return count


_OWN: Mapping[str, PlayerSetter] = {
    "fighter": _set_fighter,
    "pilot": _set_pilot,
    "pilot_side": _set_pilot_side,
    "tokens": _set_tokens,
    "place": _set_place,
    "start": _set_start,
    "crashed": _set_crashed,
    **{pile: _pile(pile) for pile in PILES},
    "known": _set_known,
}


# The whole position.


@dataclass(slots=True, eq=False)
class Dogfight1917Position(Position):
    """Fighters, piles, tokens and dice, and what the turn under way has decided so far.

    `turn` counts the turns of all players; `active` has it. `maneuvered` and `improvised` are of
    this turn, `actions` counts what was begun in its Engagement Phase. `gunsight` are the dice that
    lie on it, `dice` the final values of the latest roll. `next_turn` is who plays next out of
    order (a Leader whose Wingman crashed). `claimed` are the Maneuver Cards of which the active
    player said to hold one that can be flown, by going on to the Engagement Phase (None: nothing is
    known of it; none: nothing may be held against them any more). `fires_at` is whom the active
    player attacks just now.
    `table` (this table's figures), `house`, `side_of` (the team of a seat; without one it is a side
    of its own), `returning` (who comes back after a crash; None: the mode is not known) and `names`
    (of the people) are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "deck": "Deck",
        "discard": "Discard Pile",
        "damage": "Damage Pile",
        "played": "played cards",
    }

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    stage: str = SET_UP
    turn: int = 1
    active: Seat = A
    maneuvered: bool = False
    improvised: bool = False
    actions: int = 0
    gunsight: int = 0
    dice: tuple[int, ...] = ()
    next_turn: Seat | None = None
    claimed: tuple[str, ...] | None = None
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    side_of: Mapping[Seat, Seat] = field(default_factory=dict[Seat, Seat])
    returning: frozenset[Seat] | None = None
    names: Mapping[Seat, str] = field(default_factory=lambda: NAMES)
    fires_at: Seat | None = None

    # -- what the rules ask of it ----------------------------------------------------------

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.active]

    def flying(self) -> list[Player]:
        """Everybody whose model is on the board, in the order of seats."""
        return [player for player in self.players.values() if player.plane is not None]

    def occupied(self, besides: Seat | None = None) -> frozenset[Hex]:
        """Spaces on which a Fighter stands, apart from that of one seat.  (DF-2.6)"""
        return frozenset(
            player.plane.hex
            for player in self.players.values()
            if player.plane is not None and player.seat != besides
        )

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        if self.stage == SET_UP:
            return (SET_UP,)
        return (f"turn-{self.turn}", self.stage)

    def placement(self) -> Mapping[Piece, Pose]:
        return {
            player.piece: pose_of(player.plane)
            for player in self.players.values()
            if player.plane is not None
        }

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        owners = self.players.values()
        return {pile: n for player in owners for pile, n in player.piles.by_owner().items()}

    def sides(self) -> Mapping[str, str]:
        """The Pilot Cards.  (DF-14.2)"""
        return {f"{seat} Pilot Card": player.pilot_side for seat, player in self.players.items()}

    def counters(self) -> Sequence[Fact]:
        """Dice on the Gunsight, and everybody's tokens.  (DF-11)"""
        return [
            Fact("gunsight", "dice on the Gunsight", self.gunsight),
            *(Fact(f"{player.seat}.tokens", "tokens", player.tokens, player.seat)
              for player in self.players.values()),
        ]  # fmt: skip

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """From the active Fighter to its target, with the range.  (DF-11.1)"""
        target = self.players.get(self.fires_at) if self.fires_at is not None else None
        if target is None or target.plane is None or self.mover.plane is None:
            return ()
        spaces = self.mover.plane.hex.distance(target.plane.hex)
        return (LineOfFire(self.mover.piece, target.piece, f"range {spaces}"),)

    def facts(self) -> Sequence[Fact]:
        return [*self._table_facts(), *self._player_facts(self.players.values())]

    def _table_facts(self) -> Sequence[Fact]:
        return [
            Fact("turn", "Turn", self.turn),
            Fact("stage", "Phase", self.stage),
            Fact("active", "Turn of", self.active),
            Fact("maneuvered", "Maneuver done", self.maneuvered),
            Fact("improvised", "Improvised", self.improvised),
            Fact("gunsight", "Gunsight", self.gunsight),
            Fact("dice", "Dice", list(self.dice)),
            Fact("next_turn", "Plays next", self.next_turn),
        ]

    def _player_facts(self, players: Iterable[Player]) -> Sequence[Fact]:
        facts: list[Fact] = []
        for player in players:
            seat = player.seat
            place = player.plane.name() if player.plane is not None else ""
            facts += [
                Fact(f"{seat}.fighter", "Fighter", player.fighter, seat),
                Fact(f"{seat}.pilot", "Pilot", player.pilot, seat, words=_pilot(player)),
                Fact(f"{seat}.pilot_side", "Pilot side", player.pilot_side, seat),
                Fact(f"{seat}.place", "Place", place, seat),
                Fact(f"{seat}.flying", "Flying", player.flies, seat),
                Fact(f"{seat}.out", "Crashed", player.out, seat),
                *(_pile_fact(player, pile) for pile in PILES),
                Fact(f"{seat}.tokens", "Tokens", player.tokens, seat, shows=Shows.COUNT),
            ]
            if self.house.get("show_deducible_cards") is True:
                known = player.piles.known
                seen: dict[str, Json] = {
                    pile: dict(Counter(known[pile])) for pile in known if known[pile]
                }
                facts.append(Fact(f"{seat}.seen", "Known cards", seen, seat))
        return facts

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        memory = self.house.get("show_deducible_cards") is True
        return (
            self.turn, self.stage, self.active, self.maneuvered, self.improvised, self.gunsight,
            self.dice, self.next_turn,
            tuple(
                (p.seat, p.fighter, p.pilot, p.pilot_side, p.tokens, _as_figures(p.plane), p.out,
                 _as_figures(p.start), *p.piles.counts.values(), _known(p) if memory else "")
                for p in self.players.values()
            ),
        )  # fmt: skip

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)
        if self.claimed is not None and any(_moves_the_claim(name) for name in changes):
            self.claimed = ()

    def choices(self, name: str) -> Sequence[Json]:
        return choices_of(self, name)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source)


def _moves_the_claim(name: str) -> bool:
    """Whether an arbiter who sets this may have taken the card that somebody said to hold."""
    return name.lower().strip().endswith(("active", ".hand"))


def _pilot(player: Player) -> str:
    """What is printed on the Pilot Card, once one is chosen."""
    return PILOTS[player.pilot].name if player.pilot else ""


def _pile_fact(player: Player, pile: str) -> Fact:
    """A pile's count; cards in the box or under way are no one's concern on a panel."""
    shows = _PILES_SHOWN.get(pile, Shows.COUNT)
    name, short = f"{player.seat}.{pile}", _SHORT.get(pile, "")
    label, count = pile.capitalize(), player.piles[pile]
    return Fact(name, label, count, player.seat, shows=shows, short=short)


_PILES_SHOWN = {"box": Shows.NOTHING, "played": Shows.NOTHING, "discard": Shows.OPEN}
_SHORT = {"discard": "Disc.", "damage": "Dmg"}


def _as_figures(place: Heading | None) -> tuple[int, int, int] | None:
    """A place without its names, which are dear to write."""
    return None if place is None else (place.hex.q, place.hex.r, place.facing)


def _known(player: Player) -> str:
    """The cards that all have seen, whatever order and however emptied their piles were."""
    return repr(sorted((pile, cards) for pile, cards in player.piles.known.items() if cards))
