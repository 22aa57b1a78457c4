"""The position of Starship Edition: what lies there, its file, and what an arbiter may set.

In this order: position files, adjustments, and the whole position. It holds all that lasts through
a turn; one player's part is player.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, ValidationError

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadFile
from companion.core.ruling import Fact, LineOfFire, Seat, Shows
from companion.core.text import one_of
from companion.games.starship_edition.boards import Spot, StarMap, name_of, read_spot
from companion.games.starship_edition.cards import MOST, Card, Modify, Part, every, told
from companion.games.starship_edition.figures import STANDARD, Figures, assumed_figures
from companion.games.starship_edition.player import Modifier, Player, Tier, copies
from companion.games.starship_edition.seats import (
    FACE_DOWN,
    MOST_TIERS,
    NAMES,
    PRINTED_TIERS,
    SEATS,
    SET_UP,
    STAGES,
    TIER_ACTIONS,
    TIERS,
    vessel_called,
)
from companion.kit.adjusting import UnknownName
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Position files, in the book's words.  (positions/README.md)

BOX: Literal["starship-edition"] = "starship-edition"
MOST_TURNS = 9_999
MOST_CARDS = 999

PositionT = TypeVar("PositionT", bound="StarshipPosition")

Stage = Annotated[str, BeforeValidator(lambda raw: one_of(raw, STAGES, "phase"))]
SeatName = Annotated[str, BeforeValidator(lambda raw: one_of(raw, SEATS, "seat"))]
Action = Annotated[str, BeforeValidator(lambda raw: one_of(raw, TIER_ACTIONS, "tier action"))]
Place = Annotated[tuple[int, int], BeforeValidator(read_spot)]
Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
Until = Literal["attack", "tier", "turn", "while_equipped", "game"]


class _Tier(Part):
    action: Action
    primary: str = ""
    secondary: str = ""
    void: bool = False
    resolved: bool = False
    permitted: bool = False


class _Modifier(Part):
    stat: str
    amount: Annotated[int, Field(ge=-MOST, le=MOST)]
    until: Until
    source: str = ""


class _Player(Part):
    vessel: str = STANDARD
    deck_name: str = STANDARD
    deck: Cards
    hand: Cards
    removed: Cards = 0
    discard: list[str] = Field(default_factory=list[str])
    gear: list[str] = Field(default_factory=list[str])
    tiers: list[_Tier] = Field(default_factory=list[_Tier], max_length=MOST_TIERS)
    granted: Annotated[int, Field(ge=PRINTED_TIERS, le=MOST_TIERS)] = PRINTED_TIERS
    hull: Annotated[int, Field(ge=-MOST_CARDS, le=MOST_CARDS)]
    energy: Cards
    counters: dict[str, Cards] = Field(default_factory=dict[str, Cards])
    modifiers: list[_Modifier] = Field(default_factory=list[_Modifier])
    declared: list[str] = Field(default_factory=list[str])
    used: list[str] = Field(default_factory=list[str])
    locked: bool = False
    prepared: bool = False
    drifted: bool = False
    destroyed: bool = False
    place: Place | None = None
    heading: Annotated[int, Field(ge=0, le=7)] = 0


class _File(Part):
    box: Literal["starship-edition"] = BOX
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1
    phase: Stage
    priority: SeatName = "A"
    active: SeatName = "A"
    tier: Annotated[int, Field(ge=1, le=MOST_TIERS + 1)] = 1
    steps: Annotated[int, Field(ge=0, le=MOST_TURNS)] = 0
    taught: dict[str, Card] = Field(default_factory=dict[str, Card])
    kept: list[str] = Field(default_factory=list[str])
    players: Annotated[dict[SeatName, _Player], Field(min_length=1)]
    since: list[Any] = Field(default_factory=list[Any])
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    try:
        file = _File.model_validate(dict(raw))
    except ValidationError as wrong:
        place, text = told(wrong, _File)
        raise BadFile(source, place, text.removeprefix("Value error, ")) from wrong
    taught = raw.get("taught", {})
    return cls(
        players={seat: _player(seat, file.players[seat]) for seat in SEATS if seat in file.players},
        stage=file.phase,
        turn=file.turn,
        priority=Seat(file.priority),
        active=Seat(file.active),
        tier=file.tier,
        steps=file.steps,
        taught=dict(taught) if isinstance(taught, dict) else {},
        kept=[*file.kept],
    )


def _player(seat: Seat, line: _Player) -> Player:
    player = Player(
        seat=seat, vessel=line.vessel, deck_name=line.deck_name, size=0, deck=line.deck,
        hand=line.hand, removed=line.removed, discard=[*line.discard], gear=copies(line.gear),
        tiers=[_tier_of(tier) for tier in line.tiers],
        granted=line.granted, hull=line.hull, energy=line.energy, counters=dict(line.counters),
        modifiers=[Modifier(m.stat, m.amount, m.until, m.source) for m in line.modifiers],
        declared=[*line.declared], used=[*line.used], locked=line.locked, prepared=line.prepared,
        drifted=line.drifted, out=line.destroyed, space=_spot(line.place), heading=line.heading,
    )  # fmt: skip
    player.size = player.total
    return player


def _tier_of(line: _Tier) -> Tier:
    return Tier(line.action, line.primary, line.secondary, line.void, line.resolved, line.permitted)


def _spot(place: tuple[int, int] | None) -> Spot | None:
    return place


# -- writing -------------------------------------------------------------------------------


def write_position(position: StarshipPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": BOX, "turn": position.turn, "phase": position.stage}
    if position.stage != SET_UP:
        file |= {"priority": str(position.priority), "active": str(position.active)}
    said: dict[str, Json] = {"tier": position.tier, "steps": position.steps}
    file |= {name: value for name, value in said.items() if value != (name == "tier")}
    if position.taught:
        file["taught"] = {**position.taught}
    if position.kept:
        file["kept"] = [*position.kept]
    file["players"] = {str(seat): _line(player) for seat, player in position.players.items()}
    return file


def _line(player: Player) -> dict[str, Json]:
    counters: Json = {name: count for name, count in player.counters.items() if count}
    said: dict[str, Json] = {
        "removed": player.removed, "discard": [*player.discard], "gear": [*player.gear],
        "tiers": [_tier_to_file(tier) for tier in player.tiers], "counters": counters,
        "modifiers": [
            {"stat": m.stat, "amount": m.amount, "until": m.until, "source": m.source}
            for m in player.modifiers
        ],
        "declared": [*player.declared], "used": [*player.used], "locked": player.locked,
        "prepared": player.prepared, "drifted": player.drifted, "destroyed": player.out,
        "place": name_of(player.space) if player.space is not None else "",
        "heading": player.heading,
    }  # fmt: skip
    line: dict[str, Json] = {"deck": player.deck, "hand": player.hand, "hull": player.hull,
                             "energy": player.energy}  # fmt: skip
    line |= {name: value for name, value in said.items() if value}
    usual = {"vessel": STANDARD, "deck_name": STANDARD, "granted": PRINTED_TIERS}
    own: dict[str, Json] = {
        "vessel": player.vessel,
        "deck_name": player.deck_name,
        "granted": player.granted,
    }
    line |= {name: value for name, value in own.items() if value != usual[name]}
    return line


def _tier_to_file(tier: Tier) -> Json:
    said: dict[str, Json] = {"primary": tier.primary, "secondary": tier.secondary,
                             "void": tier.void, "resolved": tier.resolved,
                             "permitted": tier.permitted}  # fmt: skip
    return {"action": tier.action, **{name: value for name, value in said.items() if value}}


# Adjustments: what an arbiter may set, by name.

Setter = Callable[["StarshipPosition", str, "Json"], None]
PlayerSetter = Callable[["Player", str, "Json"], None]
MOST_SET = 999


def adjust(position: StarshipPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    setters = setters_of(position)
    by_plain = {name.lower(): name for name in setters}
    for name, value in changes.items():
        plain = by_plain.get(" ".join(name.lower().split()))
        if plain is None:
            raise UnknownName(name, (*setters, *(f"option.{rule}" for rule in position.house)))
        setters[plain](position, name, value)


def setters_of(position: StarshipPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    return {
        **_TABLE,
        **{str(player.piece): _of(seat, _set_place) for seat, player in position.players.items()},
        **{f"{seat}.{name}": _of(seat, own) for seat in position.players
           for name, own in _OWN.items()},
        **{f"{seat}.gear": _gear_of(seat) for seat in position.players},
        **{f"{seat}.hull": _hull_of(seat) for seat in position.players},
    }  # fmt: skip


# -- what is given -------------------------------------------------------------------------


def _number(name: str, raw: Json, low: int, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {low} to {most}")
    return raw


def _flag(name: str, raw: Json) -> bool:
    if not isinstance(raw, bool):
        raise BadCall(f"{name}: {raw!r} is neither true nor false")
    return raw


def _word(name: str, raw: Json, known: tuple[str, ...], what: str) -> str:
    try:
        return one_of(raw, known, what)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _words(name: str, raw: Json) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(word, str) for word in raw):
        raise BadCall(f"{name}: {raw!r} is no list of cards, the top one last")
    return [str(word) for word in raw]


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: StarshipPosition, name: str, raw: Json) -> None:
    position.turn = _number(name, raw, 1, 9_999)


def _set_stage(position: StarshipPosition, name: str, raw: Json) -> None:
    position.stage = _word(name, raw, STAGES, "phase")


def _set_priority(position: StarshipPosition, name: str, raw: Json) -> None:
    position.priority = Seat(_word(name, raw, SEATS, "seat"))


def _set_active(position: StarshipPosition, name: str, raw: Json) -> None:
    position.active = Seat(_word(name, raw, SEATS, "seat"))


def _set_tier(position: StarshipPosition, name: str, raw: Json) -> None:
    position.tier = _number(name, raw, 1, MOST_TIERS)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn, "phase": _set_stage, "stage": _set_stage, "priority": _set_priority,
    "active": _set_active, "tier": _set_tier,
}  # fmt: skip


# -- what belongs to a player --------------------------------------------------------------


def _of(seat: Seat, setter: PlayerSetter) -> Setter:
    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        setter(position.players[seat], name, raw)

    return put


def _gear_of(seat: Seat) -> Setter:
    """Equipped cards; what those did that are there no longer ends, on other vessels too."""

    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        player = position.players[seat]
        before, player.gear = player.gear, copies(_words(name, raw))
        for copy in before:
            if copy not in player.gear:
                position.end_effects_of(seat, copy)

    return put


def _hull_of(seat: Seat) -> Setter:
    """Hull: no more than at the start, where nothing can give more.  (SE-R23, RULING 23)"""

    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        player = position.players[seat]
        hull = _number(name, raw, -MOST_SET, MOST_SET)
        most = position.table.vessels[player.vessel].hull + player.bonus("hull_max")
        unlimited = position.house.get("overrepair") == "yes" or _raises_hull(position)
        if hull > max(most, player.hull) and not unlimited:
            raise BadCall(
                f"{position.vessel_of(seat)} has hull {most} at most, as at the start. Set {most} "
                "or less, or the house rule overrepair first [SE-R23, RULING 23]"
            )
        player.hull = hull

    return put


def _raises_hull(position: StarshipPosition) -> bool:
    """Whether some card, ability or kind of counters here makes a vessel's most hull more."""
    file = position.table.file
    taught = (Card.model_validate(raw) for raw in position.taught.values())
    cards = [*file.cards.values(), *taught]
    steps = [step for card in cards for step in (*card.effects, *card.discard_bonus)]
    steps += [step for ability in file.abilities.values() for step in ability.effects]
    steps += [step for kind in file.counters.values() for step in kind.effects]
    return any(
        isinstance(step, Modify) and step.stat == "hull_max" and step.amount > 0
        for _, step in every(steps)
    )


def _set_out(player: Player, name: str, raw: Json) -> None:
    """Destroyed: all cards are removed, and the vessel leaves the map.  (SE-R21, RULING 21)"""
    player.out = _flag(name, raw)
    if player.out:
        player.removed = player.total
        player.deck = player.hand = 0
        player.discard, player.gear, player.space = [], [], None
        player.new_turn()
        player.modifiers, player.counters = [], {}


def _count(attribute: str, low: int = 0) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _number(name, raw, low, MOST_SET))

    return put


def _yes(attribute: str) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _flag(name, raw))

    return put


def _cards(attribute: str) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _words(name, raw))

    return put


def _set_place(player: Player, name: str, raw: Json) -> None:
    try:
        player.space = None if raw in (None, "") else read_spot(raw)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _set_heading(player: Player, name: str, raw: Json) -> None:
    player.heading = _number(name, raw, 0, 7)


def _set_granted(player: Player, name: str, raw: Json) -> None:
    player.granted = _number(name, raw, PRINTED_TIERS, MOST_TIERS)


def _set_counters(player: Player, name: str, raw: Json) -> None:
    if not isinstance(raw, dict):
        raise BadCall(f"{name}: {raw!r} is no table of counters, as over heat = 3")
    player.counters = {kind: _number(f"{name}.{kind}", n, 0, MOST_SET) for kind, n in raw.items()}


def _set_one_tier(number: int) -> PlayerSetter:
    """A tier as its facts say it: "set, ?", "draw", or "not yet" from there on."""

    def put(player: Player, name: str, raw: Json) -> None:
        action, *cards = (part.strip() for part in str(raw).split(","))
        if action.lower() == "not yet":
            del player.tiers[number - 1 :]
            return
        if number > len(player.tiers) + 1:
            raise BadCall(f"{name}: tier {len(player.tiers) + 1} is not prepared; set that first")
        action = _word(name, action, TIER_ACTIONS, "tier action")
        if len(cards) > 2:
            raise BadCall(f"{name}: {len(cards)} cards; two at most lie in a tier [SE-DBL-03]")
        first, second = (*(card or FACE_DOWN for card in cards), "", "")[:2]
        before = player.tier(number) or Tier(action)
        player.tiers[number - 1 : number] = [
            Tier(action, first, second, resolved=before.resolved,
                 permitted=before.permitted and bool(second))
        ]  # fmt: skip

    return put


_OWN: Mapping[str, PlayerSetter] = {
    **{name: _count(name) for name in ("energy", "deck", "hand", "removed")},
    **{name: _yes(name) for name in ("locked", "prepared", "drifted")},
    "destroyed": _set_out,
    **{name: _cards(name) for name in ("discard", "declared", "used")},
    "counters": _set_counters,
    "place": _set_place,
    "heading": _set_heading,
    "granted": _set_granted,
    **{f"tier-{number}": _set_one_tier(number) for number in range(1, MOST_TIERS + 1)},
}


# The whole position.


@dataclass(slots=True, eq=False)
class StarshipPosition(Position):
    """Vessels, cards by count, tiers, and whose moment it is.

    `active` prepares or resolves now, `tier` is the one that is resolved. `steps` counts what was
    done in the Preparation under way. `drawn` and `placed` are of the set-up: who has the first
    Priority, and that all vessels stand. `taught` are cards that the table has declared in this
    match, as a catalogue would have them; `kept` those that the table's own catalogue keeps.
    `attacks_waiting` counts those of the set under way: while there are any, the end of the match
    waits; `fires` is who attacks whom just now. They are no part of a file, nor are `table`, `map`,
    `house` and `named` (the players as they are called), which are the match's.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "discard": "discard pile",
        "gear": "equipped cards",
        "removed": "removed cards",
    }

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    stage: str = SET_UP
    turn: int = 1
    priority: Seat = SEATS[0]
    active: Seat = SEATS[0]
    tier: int = 1
    steps: int = 0
    taught: dict[str, Json] = field(default_factory=dict[str, "Json"])
    kept: list[str] = field(default_factory=list[str])
    attacks_waiting: int = 0
    fires: tuple[Seat, Seat] | None = None
    table: Figures = field(default_factory=assumed_figures)
    map: StarMap | None = None
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    named: Mapping[Seat, str] = field(default_factory=lambda: NAMES)

    # -- what the rules ask of it ----------------------------------------------------------

    def turn_order(self) -> list[Seat]:
        """Who is still there, from the Priority player on clockwise."""
        seats = clockwise_from(self.priority, list(self.players))
        return [seat for seat in seats if not self.players[seat].out]

    def alive(self) -> list[Player]:
        """Everybody whose vessel is not destroyed, in the order of seats."""
        return [player for player in self.players.values() if not player.out]

    def after(self, seat: Seat) -> Seat:
        """The next player to the left who is still there.  (SE-EOT-03, RULING 18)"""
        order = clockwise_from(seat, list(self.players))
        return next((s for s in [*order[1:], seat] if not self.players[s].out), seat)

    def vessel_of(self, seat: Seat) -> str:
        """A seat's ship in a sentence: "Ana's vessel"."""
        return vessel_called(seat, self.named[seat])

    def tier_due(self) -> int | None:
        """The lowest tier of anybody that is not resolved; one granted late comes after others."""
        waiting = [
            number
            for player in self.alive()
            for number, tier in enumerate(player.tiers, 1)
            if not tier.resolved
        ]
        return min(waiting, default=None)

    def last_tier(self) -> int:
        """The highest tier that anybody has prepared."""
        return max((len(player.tiers) for player in self.alive()), default=0)

    def end_effects_of(self, owner: Seat, copy: str) -> list[tuple[Seat, Modifier]]:
        """End what an equipped card changes, on whatever vessel: whose changes were ended."""
        ended: list[tuple[Seat, Modifier]] = []
        for player in self.players.values():
            source = copy if player.seat == owner else f"{owner}: {copy}"
            kept = [one for one in player.modifiers
                    if one.until != "while_equipped" or one.source != source]  # fmt: skip
            ended += [(player.seat, one) for one in player.modifiers if one not in kept]
            player.modifiers = kept
        return ended

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        if self.stage == SET_UP:
            return (SET_UP,)
        place = (f"turn-{self.turn}", self.stage)
        return (*place, f"tier-{self.tier}") if self.stage == TIERS else place

    def placement(self) -> Mapping[Piece, Pose]:
        return {
            player.piece: Pose(name_of(player.space), self.facing(player))
            for player in self.players.values()
            if player.space is not None
        }

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        owners = self.players.values()
        return {(one.seat, pile): n for one in owners for pile, n in one.pile_counts().items()}

    def counters(self) -> Sequence[Fact]:
        """Who has Priority, and what counters show on each vessel.  (SE-PRI-01)"""
        return [
            Fact("priority", "Priority", self.priority),
            *(Fact(f"{player.seat}.{name}", name, count, player.seat)
              for player in self.players.values()
              for name, count in player.counters_shown().items()),
        ]  # fmt: skip

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """From the attacking vessel to its target, with the range.  (SE-R14)"""
        if self.fires is None or self.map is None:
            return ()
        attacker, target = (self.players[seat] for seat in self.fires)
        if attacker.space is None or target.space is None:
            return ()
        away = self.map.distance(attacker.space, target.space)
        return (LineOfFire(attacker.piece, target.piece, f"range {away}"),)

    def facing(self, player: Player) -> int | None:
        """Which way a camera should see a vessel point; None where that is not read."""
        return player.heading if self.map is not None and self.map.has_headings else None

    def facts(self) -> Sequence[Fact]:
        taught: Json = {**self.taught}
        facts = [
            Fact("turn", "Turn", self.turn),
            Fact("stage", "Phase", self.stage),
            Fact("priority", "Priority", self.priority, shows=Shows.BADGE),
            Fact("active", "Acting", self.active),
            Fact("tier", "Tier", self.tier),
            Fact("steps", "Steps of this Preparation", self.steps),
            Fact("taught", "Cards declared here", taught),
            Fact("kept", "Cards kept for later", [*self.kept]),
        ]
        for player in self.players.values():
            facts += self._player_facts(player)
        return facts

    def _player_facts(self, player: Player) -> list[Fact]:
        seat = player.seat
        tiers = [
            Fact(f"{seat}.tier-{number}", f"Tier {number}", _tier(player, number), seat)
            for number in range(1, max(player.granted, len(player.tiers)) + 1)
        ]
        counts = {"hull": player.hull, "energy": player.energy, "deck": player.deck,
                  "hand": player.hand}  # fmt: skip
        counters: Json = {name: count for name, count in sorted(player.counters.items()) if count}
        return [
            Fact(f"{seat}.vessel", "Vessel", player.vessel, seat),
            *(Fact(f"{seat}.{name}", name.capitalize(), count, seat, shows=Shows.COUNT)
              for name, count in counts.items()),
            Fact(f"{seat}.removed", "Removed", player.removed, seat),
            Fact(f"{seat}.discard", "Discard pile", [*player.discard], seat),
            Fact(f"{seat}.gear", "Equipped", [*player.gear], seat),
            Fact(f"{seat}.counters", "Counters", counters, seat),
            Fact(f"{seat}.modifiers", "In force", [_plain(m) for m in player.modifiers], seat),
            Fact(f"{seat}.declared", "Abilities to come", [*player.declared], seat),
            Fact(f"{seat}.used", "Abilities of this turn", [*player.used], seat),
            *tiers,
            Fact(f"{seat}.granted", "Tiers this turn", player.granted, seat),
            Fact(f"{seat}.locked", "Locked", player.locked, seat),
            Fact(f"{seat}.prepared", "Prepared", player.prepared, seat),
            Fact(f"{seat}.drifted", "Drifted", player.drifted, seat),
            Fact(f"{seat}.destroyed", "Destroyed", player.out, seat, shows=Shows.BADGE),
            Fact(f"{seat}.place", "Place", _place(player), seat),
            Fact(f"{seat}.heading", "Heading", player.heading, seat),
        ]  # fmt: skip

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            self.turn, self.stage, self.priority, self.active, self.tier, self.steps,
            repr((sorted(self.taught.items()), *self.kept) if self.kept
                 else sorted(self.taught.items())),
            tuple(
                (p.seat, p.vessel, p.deck, p.hand, p.removed, tuple(p.discard), tuple(p.gear),
                 p.granted, p.hull, p.energy, _counted(p.counters),
                 tuple(tuple(m) for m in p.modifiers), tuple(p.declared), tuple(p.used),
                 p.locked, p.prepared, p.drifted, p.out, p.space, p.heading,
                 tuple(_plain_tier(tier) for tier in p.tiers))
                for p in self.players.values()
            ),
        )  # fmt: skip

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source)


def _counted(counters: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Counters that there are, by name."""
    return tuple(sorted((name, count) for name, count in counters.items() if count))


def _tier(player: Player, number: int) -> str:
    """A tier in words: "set, 2 cards", "draw", "not yet"."""
    tier = player.tier(number)
    if tier is None:
        return "not yet"
    cards = [card for card in (tier.primary, tier.secondary) if card]
    return ", ".join((tier.action, *cards))


def _plain_tier(tier: Tier) -> tuple[object, ...]:
    plain = (tier.action, tier.primary, tier.secondary, tier.void, tier.resolved)
    return (*plain, "permitted") if tier.permitted else plain


def _plain(one: tuple[str, int, str, str]) -> str:
    stat, amount, until, source = one
    return f"{stat} {amount:+} ({until}, {source})"


def _place(player: Player) -> str:
    return name_of(player.space) if player.space is not None else ""
