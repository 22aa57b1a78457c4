"""The position of Starship Edition: what lies there, its file, and what an arbiter may set.

In this order: the whole position, position files, adjustments. It holds all that lasts through a
turn; one player's part is player.py. The ledger makes facts, files and setters of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Field, ValidatorFunctionWrapHandler, WrapValidator

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.core.files import read_model
from companion.core.ruling import Fact, LineOfFire, Seat, Shows
from companion.core.text import one_of
from companion.games.starship_edition import seats
from companion.games.starship_edition.boards import SQUARE_HEADINGS, StarMap, name_of
from companion.games.starship_edition.cards import Card, Modify, every
from companion.games.starship_edition.figures import Figures, assumed_figures
from companion.games.starship_edition.player import PLAYER, WORDS, Modifier, Player, Tier
from companion.games.starship_edition.seats import vessel_called
from companion.kit.adjusting import Setter, UnknownName, named
from companion.kit.ledger import Kind, Ledger, always, kept, number, typed, word
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Kinds of quantities, as the ledger has them.

BOX: Literal["starship-edition"] = "starship-edition"
MOST_TURNS = 9_999

SEAT: Kind[Seat] = word(lambda raw: Seat(one_of(raw, seats.SEATS, "seat")))
STAGE = word(lambda raw: one_of(raw, seats.STAGES, "phase"), seats.STAGES)


def _as_filed(raw: Any, judge: ValidatorFunctionWrapHandler) -> dict[str, Json]:
    """Cards are judged as a catalogue's are, and kept as they were said."""
    judge(raw)
    return dict(raw)


TAUGHT: Kind[dict[str, Json]] = Kind(
    Annotated[dict[str, Card], WrapValidator(_as_filed)], told=lambda _, cards: {**cards}
)


def _under_way(position: StarshipPosition) -> bool:
    return position.stage != seats.SET_UP


# The whole position.


@dataclass(slots=True, eq=False)
class StarshipPosition(Position):
    """Vessels, cards by count, tiers, and whose moment it is.

    `attacks_waiting` counts the attacks of the set under way: while there are any, the end of the
    match waits. `fires` is who attacks whom just now. Both are no part of a file, nor are `table`,
    `map`, `house` and `named` (the players as they are called), which are the match's.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "discard": "discard pile",
        "gear": "equipped cards",
        "removed": "removed cards",
    }

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    turn: int = kept(1, number(1, MOST_TURNS), "Turn", "which turn", written=always)
    stage: str = kept(
        seats.SET_UP,
        STAGE,
        "Phase",
        key="phase",
        fact="stage",
        sets=(),
        required=True,
    )
    priority: Seat = kept(
        seats.SEATS[0], SEAT, "Priority", "who has the first Priority", shows=Shows.BADGE,
        written=_under_way,
    )  # fmt: skip
    active: Seat = kept(
        seats.SEATS[0], SEAT, "Acting", "who prepares or resolves now", written=_under_way
    )
    tier: int = kept(
        1,
        number(1, seats.MOST_TIERS + 1, given=(1, seats.MOST_TIERS)),
        "Tier",
        "the tier that is resolved",
    )
    steps: int = kept(
        0,
        number(0, MOST_TURNS),
        "Steps of this Preparation",
        "what was done in the Preparation under way",
        sets=(),
    )
    taught: dict[str, Json] = kept(
        {},
        TAUGHT,
        "Cards declared here",
        "cards declared in this match, as in a catalogue",
        sets=(),
        hashed=False,
    )
    kept_titles: list[str] = kept(
        [],
        WORDS,
        "Cards kept for later",
        "the titles of those that the table keeps for later matches",
        key="kept",
        sets=(),
        hashed=False,
    )
    attacks_waiting: int = 0
    fires: tuple[Seat, Seat] | None = None
    table: Figures = field(default_factory=assumed_figures)
    map: StarMap | None = None
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    named: Mapping[Seat, str] = field(default_factory=lambda: seats.NAMES)

    # -- what the rules ask of it ----------------------------------------------------------

    def turn_order(self) -> list[Seat]:
        """Who is still there, from the Priority player on clockwise."""
        order = clockwise_from(self.priority, list(self.players))
        return [seat for seat in order if not self.players[seat].out]

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

    def most_hull(self, player: Player) -> int | None:
        """The hull that a vessel has at most, None where nothing limits it.  (SE-R23)"""
        if self.house.get("overrepair") == "yes" or self._raises_hull():
            return None
        return self.table.vessels[player.vessel].hull + player.bonus("hull_max")

    def _raises_hull(self) -> bool:
        """Whether some card, ability or kind of counters here makes a vessel's most hull more."""
        file = self.table.file
        taught = (Card.model_validate(raw) for raw in self.taught.values())
        cards = [*file.cards.values(), *taught]
        steps = [step for card in cards for step in (*card.effects, *card.discard_bonus)]
        steps += [step for ability in file.abilities.values() for step in ability.effects]
        steps += [step for kind in file.counters.values() for step in kind.effects]
        return any(
            isinstance(step, Modify) and step.stat == "hull_max" and step.amount > 0
            for _, step in every(steps)
        )

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        if self.stage == seats.SET_UP:
            return (seats.SET_UP,)
        place = (f"turn-{self.turn}", self.stage)
        return (*place, f"tier-{self.tier}") if self.stage == seats.TIERS else place

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

    @property
    def headings(self) -> tuple[str, ...]:
        """What the headings are called, clockwise from heading 0; without a map, as on squares."""
        return self.map.headings if self.map is not None else SQUARE_HEADINGS

    def facing(self, player: Player) -> int | None:
        """Which way a camera should see a vessel point; None where that is not read."""
        return player.heading if self.map is not None and self.map.has_headings else None

    def facts(self) -> Sequence[Fact]:
        players = self.players.values()
        own = (fact for player in players for fact in PLAYER.facts(self, player, player.seat))
        return [*TURN.facts(self, self), *own]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        taught = sorted(self.taught.items())
        return (
            *TURN.hashed(self),
            repr((taught, *self.kept_titles) if self.kept_titles else taught),
            tuple(
                (*PLAYER.hashed(player), tuple(tier.hashed() for tier in player.tiers))
                for player in self.players.values()
            ),
        )

    def adjust(self, changes: Mapping[str, Json]) -> None:
        """Set all of them; BadCall names the one that is unknown or not of its kind."""
        setters = setters_of(self)
        by_plain = {name.lower(): name for name in setters}
        for name, value in changes.items():
            plain = by_plain.get(" ".join(name.lower().split()))
            if plain is None:
                raise UnknownName(name, (*setters, *(f"option.{rule}" for rule in self.house)))
            setters[plain](name, value)

    def to_file(self) -> dict[str, Json]:
        """The file of a position; what stands at its default is left out."""
        players: Json = {seat: PLAYER.written(self, own) for seat, own in self.players.items()}
        return {"box": BOX, **TURN.written(self, self), "players": players}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source)


TURN: Ledger[StarshipPosition, StarshipPosition] = Ledger(StarshipPosition)


# Position files, in the book's words.  (positions/README.md)

PositionT = TypeVar("PositionT", bound=StarshipPosition)

_File = TURN.model(
    "_File",
    {"box": (Literal["starship-edition"], BOX)},
    {
        "players": (
            typed(Annotated, typed(dict, SEAT.filed, PLAYER.model("_Player")), Field(min_length=1)),
            ...,
        ),
        "since": (list[Any], []),  # answers given after this position: the match takes them itself
    },
)


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file: Any = read_model(_File, raw, source)
    lines = file.players
    players = {
        seat: Player(seat, **PLAYER.read(lines[seat])) for seat in seats.SEATS if seat in lines
    }
    for player in players.values():
        player.size = player.total
    return cls(players=players, **TURN.read(file))


# Adjustments: what an arbiter may set, by name.


def setters_of(position: StarshipPosition) -> dict[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    players = position.players.items()
    own = {
        f"{seat}.{name}": put
        for seat, player in players
        for name, put in (PLAYER.setters(position, player) | _tier_setters(player)).items()
    }  # in the order in which names are offered: of all seats gear and hull come last
    by_rank = sorted(own, key=lambda name: (name.endswith(".hull"), name.endswith(".gear")))
    return {
        **TURN.setters(position, position),
        **{player.piece: own[f"{seat}.place"] for seat, player in players},
        **{name: own[name] for name in by_rank},
    }


def _tier_setters(player: Player) -> dict[str, Setter]:
    return {f"tier-{number}": _tier(player, number) for number in range(1, seats.MOST_TIERS + 1)}


def _tier(player: Player, number: int) -> Setter:
    """A tier as its facts say it: "set, ?", "draw", or "not yet" from there on."""

    def put(name: str, raw: Json) -> None:
        action, *cards = (part.strip() for part in str(raw).split(","))
        if action.lower() == "not yet":
            del player.tiers[number - 1 :]
            return
        if number > len(player.tiers) + 1:
            raise BadCall(f"{name}: tier {len(player.tiers) + 1} is not prepared; set that first")
        action = named(name, action, lambda raw: one_of(raw, seats.TIER_ACTIONS, "tier action"))
        if len(cards) > 2:
            raise BadCall(f"{name}: {len(cards)} cards; two at most lie in a tier [SE-DBL-03]")
        first, second = (*(card or seats.FACE_DOWN for card in cards), "", "")[:2]
        before = player.tier(number) or Tier(action)
        player.tiers[number - 1 : number] = [
            Tier(action, first, second, resolved=before.resolved,
                 permitted=before.permitted and bool(second))
        ]  # fmt: skip

    return put
