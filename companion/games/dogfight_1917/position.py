"""The position of Dogfight: 1917: what lies on the table, its file, and what an arbiter may set.

In this order: kinds of quantities, one player, the whole position, position files, adjustments. It
holds all that lasts through a turn; the ledger makes facts, files and setters of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import create_model

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadFile
from companion.core.files import read_model
from companion.core.ruling import Carry, Fact, LineOfFire, Seat, Shows
from companion.core.text import spelt_like
from companion.games.dogfight_1917 import cards
from companion.games.dogfight_1917.cards import (
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
from companion.kit.adjusting import Setter, UnknownName, named
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, pose_of
from companion.kit.ledger import (
    FLAG,
    STRICT,
    Kind,
    Ledger,
    Quantity,
    always,
    counts,
    derived,
    held,
    kept,
    number,
    optional,
    seat_lines,
    seats_model,
    several,
    typed,
    word,
)
from companion.kit.piles import CountedPiles
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Kinds of quantities, as the ledger has them.

GAME: Literal["dogfight-1917"] = "dogfight-1917"
MOST_TURNS = 9_999
MOST_TOKENS = 999
"""Far beyond any match: what is more was mistyped."""
MOST_DICE = 8
"""All dice of the box; who needs more rolls in two lots.  (DF-1.1, RULING 34)"""


def _seat_given(position: Dogfight1917Position, name: str, raw: Json) -> Seat:
    """Who is meant: by letter, or by the Fighter flown."""
    return player_named(position, raw) or named(name, raw, seat_named)


def _fighter_written(_: object, fighter: str) -> str:
    return cards.FIGHTER_NAMES[fighter]


def _pilot_written(_: object, pilot: str) -> str:
    return cards.PILOT_NAMES[pilot]


def _place_told(_: object, place: Heading) -> str:
    return place.name()


def _place_hashed(place: Heading | None) -> tuple[int, int, int] | None:
    """A place without its names, which are dear to write."""
    return None if place is None else (place.hex.q, place.hex.r, place.facing)


SEAT: Kind[Seat] = replace(word(seat_named), given=_seat_given)
CARD: Kind[str] = word(card_named)
FIGHTER = replace(word(fighter_named, cards.FIGHTER_NAMES.values()), written=_fighter_written)
PILOT = replace(word(pilot_named, cards.PILOT_NAMES.values()), written=_pilot_written)
PLACE: Kind[Heading | None] = replace(
    optional(replace(word(place_named, kept_as=Heading), told=_place_told), None),
    hashed=_place_hashed,
)


Seen = dict[str, dict[str, int]]
"""By pile, how often everybody has seen each card there."""


def read_known(raw: object) -> Seen:
    """Known cards by pile, as a file counts them; ValueError says what is wrong.

    >>> read_known({"discard": {"evasive dive": 2}})
    {'discard': {'Evasive Dive': 2}}
    """
    try:
        file: Any = read_model(_Known, {"known": raw}, "", "pile")
    except BadFile as wrong:
        place = wrong.place.removeprefix("known").removeprefix(".")
        raise ValueError(": ".join(part for part in (place, wrong.text) if part)) from wrong
    return cast("Seen", file.known)


KNOWN: Kind[Seen] = Kind(
    typed(dict, word(pile_named).filed, counts(card_named, cards.DECK_SIZE).filed),
    lambda _, name, raw: named(name, raw, read_known),
)

_Known = create_model("_Known", __config__=STRICT, known=(KNOWN.filed, ...))
"""What an arbiter sets by itself."""


# Player: one seat's Fighter and pilot, cards, tokens and model.


def _pile(
    pile: str,
    about: str = "how many cards",
    *,
    required: bool = False,
    shows: Shows = Shows.COUNT,
    short: str = "",
) -> Quantity:
    """How many cards of a player lie in a pile."""

    def count(_: object, player: Player) -> int:
        return player.piles[pile]

    def put(_: object, player: Player, __: str, count: int) -> None:
        player.piles[pile] = count

    return held(
        0, number(0, cards.DECK_SIZE), pile.capitalize(), about, count,
        put=put, required=required, shows=shows, short=short,
    )  # fmt: skip


def _pilot_fact(_: object, player: Player) -> Iterable[Fact]:
    """With what is printed on the Pilot Card, once one is chosen."""
    seat, pilot = player.seat, player.pilot
    yield Fact(f"{seat}.pilot", "Pilot", pilot, seat, words=cards.PILOT_NAMES.get(pilot, ""))


def _side_fact(_: object, player: Player) -> Iterable[Fact]:
    """In words, for "A" alone reads like a seat."""
    seat, side = player.seat, player.pilot_side
    yield Fact(f"{seat}.pilot_side", "Pilot side", side, seat, words=f"side {side}")


def _known(_: object, player: Player) -> Seen:
    return {pile: dict(Counter(names)) for pile, names in player.piles.known.items() if names}


def _set_known(_: object, player: Player, __: str, known: Seen) -> None:
    player.piles.known = _elements(known)


def _known_fact(position: Dogfight1917Position, player: Player) -> Iterable[Fact]:
    """Shown where the house rule says that what all have seen may be looked up."""
    if position.shows_known:
        seen = cast("Json", _known(position, player))
        yield Fact(f"{player.seat}.seen", "Known cards", seen, player.seat)


@dataclass(slots=True, eq=False)
class Player:
    """One seat: its Fighter and pilot, its cards, its tokens, and where its model stands.

    `fighter` and `pilot` are empty until chosen. `plane` is None while the model is off the board;
    `start` is where it was placed at set-up. `out` has crashed for good; a Wingman that crashed is
    off the board without being out.
    """

    seat: Seat
    piles: CountedPiles
    fighter: str = kept(
        "", FIGHTER, "Fighter", "`fokker camel albatros spad` will do", without="not chosen yet"
    )
    pilot: str = kept(
        "", PILOT, "Pilot", f"`{' '.join(cards.PILOTS)}` will do",
        tells=_pilot_fact, without="not chosen yet",
    )  # fmt: skip
    pilot_side: str = kept(
        "A", word(side_named, "AB"), "Pilot side", "the side of the Pilot Card that lies up",
        key="side", fact="pilot_side", sets=("pilot_side",), tells=_side_fact,
        written=lambda player: bool(player.pilot) or player.pilot_side != "A",
    )  # fmt: skip
    tokens: int = kept(0, number(0, MOST_TOKENS), "Tokens", "Tactical Tokens", shows=Shows.COUNT)
    plane: Heading | None = kept(
        None, PLACE, "Place",
        'space and heading of the model, `"0,-1 N"`; headings N NE SE S SW NW',
        key="place", without="off the board",
    )  # fmt: skip
    flying: ClassVar = derived("Flying", lambda _, player: player.flies)
    start: Heading | None = kept(
        None, PLACE, "", "where it was placed at set-up: a Wingman comes back there",
        without="not needed",
    )  # fmt: skip
    out: bool = kept(False, FLAG, "Crashed", "out for good", key="crashed", fact="out")
    deck: ClassVar = _pile(cards.DECK, required=True)
    hand: ClassVar = _pile(cards.HAND, required=True)
    discard: ClassVar = _pile(cards.DISCARD, shows=Shows.OPEN, short="Disc.")
    damage: ClassVar = _pile(cards.DAMAGE, short="Dmg")
    box: ClassVar = _pile(cards.BOX, shows=Shows.NOTHING)
    played: ClassVar = _pile(
        cards.PLAYED, "1 while a card lies before its owner and is carried out", shows=Shows.NOTHING
    )
    known: ClassVar = held(
        {}, KNOWN, "",
        'by pile, cards that everybody has seen: `discard = { "Basic Maneuver" = 2 }`',
        _known, put=_set_known, tells=_known_fact,
    )  # fmt: skip

    @classmethod
    def fresh(cls, seat: Seat) -> Player:
        """A seat before anything was chosen, its twenty cards all in the Deck.  (DF-1.2)"""
        return cls(
            seat, CountedPiles(seat, {**dict.fromkeys(cards.PILES, 0), cards.DECK: cards.DECK_SIZE})
        )

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

    def from_hand(self, count: int, target: str, card: str = "") -> Carry:
        """Cards leave the Hand: one that is named, or some that nobody saw.

        What was known of the Hand stays known as far as it must still be there.
        """
        still = self.piles.known.pop(cards.HAND, [])
        if not card and count:
            still = []
        elif card in still:
            still.remove(card)
        carry = self.piles.move(count, cards.HAND, target)
        for known in still:
            self.piles.learn(cards.HAND, known)
        return carry

    def learn(self, pile: str, card: str) -> None:
        """Everybody has seen this card in that pile.

        One more than there are means that some were misread before: those are forgotten, so that
        what is known never is more than a Fighter owns.  (DF-1.2, DF-E17)
        """
        if self.piles.seen(*cards.PILES)[card] >= cards.COPIES[card]:
            self.piles.known = {
                name: [seen for seen in named if seen != card]
                for name, named in self.piles.known.items()
            }
        self.piles.learn(pile, card)


PLAYER: Ledger[Dogfight1917Position, Player] = Ledger(
    Player,
    facts=("fighter", "pilot", "pilot_side", "plane", "flying", "out", *cards.PILES),
    hashed=("seat", "fighter", "pilot", "pilot_side", "tokens", "plane", "out"),
)


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
    turn: int = kept(
        1, number(1, MOST_TURNS), "Turn", "the turns of all players are counted", written=always
    )
    stage: str = kept(
        cards.SET_UP, word(stage_named, cards.STAGES), "Phase", "what comes next",
        key="phase", fact="stage", required=True, sets=(),
    )  # fmt: skip
    active: Seat = kept(
        A, SEAT, "Turn of", "whose turn it is, `A` to `D`",
        written=lambda position: position.stage != cards.SET_UP or position.active != A,
    )  # fmt: skip
    maneuvered: bool = kept(
        False, FLAG, "Maneuver done", "whether the Maneuver Action of this turn is done"
    )
    improvised: bool = kept(
        False, FLAG, "Improvised", "whether Tactical Improvisation was used this turn"
    )
    actions: int = kept(
        0, number(0, MOST_TURNS), "", "how many actions were begun in this Engagement Phase",
        sets=(), hashed=False,
    )  # fmt: skip
    gunsight: int = kept(0, number(0, MOST_DICE), "Gunsight", "dice that lie on the Gunsight")
    dice: tuple[int, ...] = kept(
        (), several(number(1, 6), MOST_DICE), "Dice", "the values of the latest roll: `[3, 5]`",
        sets=(),
    )  # fmt: skip
    next_turn: Seat | None = kept(
        None, optional(SEAT, None, told=None), "Plays next",
        "who plays next out of order: a Leader whose Wingman crashed", without="nobody",
    )  # fmt: skip
    claimed: tuple[str, ...] | None = kept(
        None, optional(several(CARD, len(cards.MANEUVERS)), None, told=None), "",
        "the Maneuver Cards of which the active player said to hold one, by going on to the "
        "Engagement Phase", sets=(), hashed=False, without="all that can be flown",
    )  # fmt: skip
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    side_of: Mapping[Seat, Seat] = field(default_factory=dict[Seat, Seat])
    returning: frozenset[Seat] | None = None
    names: Mapping[Seat, str] = field(default_factory=lambda: cards.NAMES)
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
        if self.stage == cards.SET_UP:
            return (cards.SET_UP,)
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

    @property
    def shows_known(self) -> bool:
        """Whether panels show the cards that everybody has seen, by house rule."""
        return self.house.get("show_deducible_cards") is True

    def facts(self) -> Sequence[Fact]:
        players = self.players.values()
        own = (fact for player in players for fact in PLAYER.facts(self, player, player.seat))
        return [*TURN.facts(self, self), *own]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        memory = self.shows_known
        return (
            *TURN.hashed(self),
            tuple(
                (*PLAYER.hashed(player), *player.piles.counts.values(),
                 _known_hashed(player) if memory else "")
                for player in self.players.values()
            ),
        )  # fmt: skip

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def choices(self, name: str) -> Sequence[Json]:
        return choices_of(self, name)

    def to_file(self) -> dict[str, Json]:
        """The file of a position; what stands at its default is left out."""
        players: Json = {seat: PLAYER.written(self, one) for seat, one in self.players.items()}
        return {"box": GAME, **TURN.written(self, self), "players": players}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source)


TURN: Ledger[Dogfight1917Position, Dogfight1917Position] = Ledger(
    Dogfight1917Position, sets=("turn", "active", "next_turn")
)


def _known_hashed(player: Player) -> str:
    """The cards that all have seen, whatever order and however emptied their piles were."""
    return repr(sorted((pile, names) for pile, names in player.piles.known.items() if names))


# Position files, in the book's words.  (positions/README.md)

PositionT = TypeVar("PositionT", bound=Dogfight1917Position)

_File = TURN.model(
    "_File",
    {"box": (Literal["dogfight-1917"], GAME)},
    {
        "players": (seats_model("_Players", PLAYER.model("_Player"), cards.SEATS, 2), ...),
        "since": (list[Any], []),  # answers given after this position: the match takes them itself
    },
)


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file: Any = read_model(_File, dict(raw), source)
    lines = seat_lines(file.players)
    return cls(
        players={
            seat: Player(seat, _piles(seat, line), **PLAYER.read(line))
            for seat, line in lines.items()
        },
        **TURN.read(file),
    )


def _piles(seat: Seat, line: Any) -> CountedPiles:
    counts = {pile: getattr(line, pile) for pile in cards.PILES}
    return CountedPiles(seat, counts, _elements(line.known))


def _elements(known: Mapping[str, Mapping[str, int]]) -> dict[str, list[str]]:
    """The cards themselves, as often as they are counted."""
    return {pile: sorted(Counter(names).elements()) for pile, names in known.items() if names}


# Adjustments: what an arbiter may set, by name.  (DF-E16, DF-E18)


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
        setters[name](name, value)
    if position.claimed is not None and any(_moves_the_claim(name) for name in changes):
        position.claimed = ()


def _moves_the_claim(name: str) -> bool:
    """Whether an arbiter who sets this may have taken the card that somebody said to hold."""
    return name.lower().strip().endswith(("active", ".hand"))


def setters_of(position: Dogfight1917Position) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    table = TURN.setters(position, position)
    own: dict[str, Setter] = {}
    for seat, player in position.players.items():
        own |= PLAYER.setters(position, player, f"{seat}.")
    pieces = {name: _piece(position, name) for name in cards.FIGHTER_NAMES}
    return {**table, **pieces, **own}


def _piece(position: Dogfight1917Position, piece: str) -> Setter:
    def put(name: str, raw: Json) -> None:
        flier = next((one for one in position.players.values() if one.fighter == piece), None)
        if flier is None:
            printed = cards.FIGHTER_NAMES[piece]
            raise BadCall(f"{name}: nobody flies the {printed}; set a player's fighter")
        PLAYER.setters(position, flier)["place"](name, raw)

    return put


def _order_of(name: str) -> int:
    """What must be set before, or after, everything else."""
    return {"fighter": 0, "known": 2}.get(name.partition(".")[2], 1)


def _known_names(position: Dogfight1917Position) -> Sequence[str]:
    """What may be set here, house rules included, which the match sets itself."""
    return (*setters_of(position), *(f"option.{rule}" for rule in position.house))


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


# -- what may be chosen --------------------------------------------------------------------


def choices_of(position: Dogfight1917Position, name: str) -> Sequence[Json]:
    """What an arbiter may choose from, where it is neither a number nor yes or no."""
    if name == "next_turn":
        leaders = [seat for seat in position.players if seat not in cards.WINGMEN]
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
        "fighter": list(cards.FIGHTERS), "pilot": list(cards.PILOTS), "pilot_side": ["A", "B"],
    }  # fmt: skip
    return named.get(quantity, ())
