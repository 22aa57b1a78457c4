"""SmallBox: a rulebook with the usual answers; a box overrides what its book says otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, TypeVar, Unpack, cast

from companion.core.errors import BadCall, BadFile
from companion.core.question import Choose, Option, Refusal
from companion.core.ruling import (
    TABLE,
    AttackMade,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    Fault,
    Move,
    Notice,
    Seat,
    SetTo,
)
from companion.core.text import headed
from companion.kit.adjusting import HasHouse
from companion.kit.comparing import compared
from companion.kit.reports import USUAL, countable, usual_report
from companion.kit.seated import PlaceT, SeatedPosition, pose_at
from companion.match.house_rules import HouseRules
from companion.match.rulebook import DECLARES, Rulebook, with_first_seats

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.offers import Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json, Occurrence, Ruling
    from companion.kit.seated import Place
    from companion.match.rulebook import Setup

PositionT = TypeVar("PositionT", bound=SeatedPosition[Any])

PLAYERS = "players"
"""The switch that says how many play, in boxes that have it."""


StartT = TypeVar("StartT", bound=HasHouse)


def starting_position(
    rules: Rulebook[Any],
    fresh: Callable[[], StartT],
    read: Callable[[Mapping[str, Json]], StartT],
    know: Callable[[StartT], object] | None = None,
) -> StartT:
    """The position that a match begins with: its file's, as `read`, or a `fresh` one.

    It is told the house rules, and by `know` what else belongs to the match, as figures. That of a
    file is refused where it cannot be: BadPosition.
    """
    file = rules.setup.start_file()
    position = fresh() if file is None else read(file)
    position.house = rules.options
    if know is not None:
        know(position)
    if file is not None:
        rules.refuse_faults(position, "position")
    return position


class QuestionHead(TypedDict):
    """What every question says of itself, whatever its kind."""

    key: str
    by: Seat
    cite: Cite
    prompt: str
    headline: str


class SmallBox(Rulebook[PositionT]):
    """One game of a book, whose players are sides of their own unless `side_of` says otherwise.

    Such a box says its name, `letters`, `starts`, seats, switches, plan, looks and `corrections`,
    and writes `play`. How it begins, who sits there, what may be reported, where the camera's table
    differs and what an arbiter may type follow from its position and its plan.
    """

    declares = MappingProxyType({
        **DECLARES,
        "letters": 'how the ids of its paragraphs begin, as in "KT"',
        "starts": "the class of its position",
        "plan": "its boards and tokens, as `hex_plan` makes them",
    })  # fmt: skip
    variants: ClassVar[tuple[str, ...]] = ("base",)
    letters: ClassVar[str]
    """How the ids of its paragraphs begin, and the codes of its notices: "KT"."""
    starts: ClassVar[type[SeatedPosition[Any]]]
    """The type of its position, which also knows how a match begins."""
    placed: ClassVar[Cite | None] = None
    """The rule by which every piece stands on the map after the first stage; None: no rule."""
    apart: ClassVar[Cite | None] = None
    """The rule by which no two pieces share a space; None: no rule."""
    wounds: ClassVar[tuple[str, ...]] = ()
    """Quantities of a seat that grow by damage, as "hits"; others sink by it, as "strings"."""

    def __init_subclass__(cls) -> None:
        if "starts" in vars(cls) and "rounds" not in vars(cls):
            cls.rounds = (cls.starts.rounds,)
        if "seats" in vars(cls) and "sides" not in vars(cls) and not cls.side_of:
            cls.sides = tuple(cls.seats)
        if "switches" in vars(cls) and "house" not in vars(cls):
            complete = {name: one for name, one in cls.switches.items() if one.values}
            cls.house = HouseRules(complete, plain=(PLAYERS, "sight"))
        super().__init_subclass__()

    @classmethod
    def amiss(cls) -> list[str]:
        wrong = super().amiss()
        return wrong or [*_amiss_in_position(cls)]

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        if setup.cards and self.figures is None:
            way_out = "call it without --data (a set-up without `cards`)"
            raise BadFile("data", "", f"{self.title} takes no figures from a file; {way_out}")
        unknown = sorted(set(setup.seats) - set(self.seats_taken()))
        if unknown:
            known = ", ".join(self.seats_taken())
            first = self.seats_taken()[0]
            how = f": set {PLAYERS}" if PLAYERS in self.switches else f"; name one, as {first}=Ana"
            raise BadCall(f"seat {unknown[0]!r} is none of {known}{how} [{self.corrections}]")
        kind = cast("type[PositionT]", self.starts)
        fresh = partial(kind.fresh, self.seats_taken())
        self.position = starting_position(self, fresh, kind.from_file)
        self.position.corrections = str(self.corrections)
        if tuple(self.position.players) != self.seats_taken():
            there, wanted = " ".join(self.position.players), " ".join(self.seats_taken())
            raise BadCall(f"position: players {there}; this match has {wanted}")

    @classmethod
    def faults(cls, position: PositionT) -> list[Fault]:
        """Cards that are too many or lost; pieces off the map, or two on one space.

        Pieces are judged where the box names the rule (`placed`, `apart`). A box adds other faults.
        """
        return [*_card_faults(cls, position), *_piece_faults(cls, position)]

    # -- who plays -------------------------------------------------------------------------

    @classmethod
    def seated(cls, options: Mapping[str, Json]) -> type[Self]:
        """The rules for as many seats as play, where a switch says how many."""
        switch = cls.switches.get(PLAYERS)
        if switch is None:
            return cls
        players = switch.read(options[PLAYERS]) if PLAYERS in options else switch.default
        return with_first_seats(cls, int(str(players)))

    # -- what questions and headlines are made of ------------------------------------------

    def asked(self, seat: Seat, what: str, cite: Cite, prompt: str, headline: str) -> QuestionHead:
        """The key and the words of a question to a seat: `Ready(**self.asked(seat, "lay", ...))`.

        The key is built from the book's place, as in "turn-3/lay/A"; person and headline begin with
        the player's name.
        """
        place = "/".join((self.position.where()[0], what, *((seat,) if seat != TABLE else ())))
        who = "" if seat == TABLE else f"{self.who(seat)}: "
        headline = self.head(seat, headline)
        return QuestionHead(
            key=place, by=seat, cite=cite, prompt=f"{who}{prompt}", headline=headline
        )

    def head(self, seat: Seat, words: str) -> str:
        """A headline after the player's name, or after the seat's code where that is too long."""
        return words if seat == TABLE else headed(self.who(seat), seat, words)

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        """Refuse whoever is not asked; a question to the table takes anybody's answer."""
        if asked.by == TABLE or seat not in self.seats_taken():
            return None
        text = f"{self.who(seat)} is not asked now: {self.who(asked.by)} is. Wait for it."
        return Refusal(f"{self.letters}-E-WHO", text, asked.cite)

    def happened_in(self, ruling: Ruling) -> Sequence[Occurrence]:
        """What a ruling adds to the statistics: what it says itself, and what its deeds show.

        Where a piece is struck and hands set a number lower, or one of `wounds` higher, that is
        damage by so much, dealt by whoever is said to have attacked; a card that is carried out of
        a hand and does not go back into a deck was laid. What the ruling says of damage or of cards
        stands instead of that.
        """
        said = {type(one) for one in ruling.happened}
        told = _told_by_deeds(ruling, self.wounds)
        return (*ruling.happened, *(one for one in told if type(one) not in said))

    # -- where pieces stand ----------------------------------------------------------------

    def ask_place(
        self, piece: Piece, places: Iterable[PlaceT], **asked: Unpack[QuestionHead]
    ) -> Choose[PlaceT]:
        """A question where a piece ends, answered by touch, word or camera; its value is the place.

        `asked` is what `asked` makes: `self.ask_place(KITES[seat], ends, **self.asked(seat, ...))`.
        The piece may be moved before the answer is told. What was typed and is off the board, or
        lacks its heading, is refused in those words.
        """
        poses = [(place, pose_at(place)) for place in places]
        offered = [
            Option(name, place, name, {piece: pose})
            for place, pose in poses
            for name in (self.plan.name_of(pose),)
        ]
        return Choose(offered=offered, may_move=frozenset((piece,)), **asked)

    def put(self, piece: Piece, now: Place | None) -> Move:
        """Put a piece there, or (None) take it off the map; gives the deed for a `rule` to say.

        ValueError where it has a heading and its token has none, or the other way round.
        """
        if now is not None:
            self._refuse_heading(piece, pose_at(now))
        return Move(piece, self.position.stand(piece, now), pose_at(now) if now else None)

    def _refuse_heading(self, piece: Piece, pose: Pose) -> None:
        token, board = self.plan.token_of.get(piece), self.plan.board_of.get(pose.space)
        if token is None or board is None:
            return
        is_headed = bool(token.headed and board.facings)
        if is_headed and pose.facing is None:
            how = "and its token has one: name it as `unheaded` in the plan"
            raise ValueError(f"{token.label} stands without a heading, {how}")
        if pose.facing is not None and not is_headed:
            raise ValueError(f"{token.label} stands with a heading, and its token has none")

    # -- what the table reports, and what the camera sees ----------------------------------

    def report_words(self) -> Mapping[str, Sequence[str]]:
        """Recounts of piles and tokens, pieces that are gone, and what the table decides."""
        return USUAL

    def report(self, fact: Mapping[str, Json]) -> Notice:
        """What a usual report means; BadCall for any other report."""
        return usual_report(self, self.letters, fact)

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        """Pieces that stand elsewhere than recorded; the notices cite `corrections`."""
        return compared(self, sighting, lagging, f"{self.letters}-SEEN", self.corrections)

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """A close, an adjustment and a report that an arbiter may type at this position."""
        (seat, pile), count = next(
            (one, count) for one, count in countable(self.position).items() if one[0] != TABLE
        )
        return {
            **super().examples(),
            "adjust": {f"{seat}.{pile}": count},
            "report": {"what": "recount", "player": seat, "pile": pile, "count": count},
        }


def _card_faults(rules: type[SmallBox[Any]], position: SeatedPosition[Any]) -> Iterator[Fault]:
    """Cards that are lost or too many: of all, or of each seat where all have their own."""
    there, own = position.piles.total, position.own_cards()
    if not own and there != position.cards:
        text = f"{there} cards are in piles; the box has {position.cards}"
        yield Fault("cards", text, rules.corrections)
    of_each = Counter[Seat]()
    for (seat, _), count in position.pile_counts().items() if own else ():
        of_each[seat] += count
    for seat, count in of_each.items():
        if count != own:
            text = f"{count} cards are in piles; each has {own} of its own: count them again"
            yield Fault(f"players.{seat}", text, rules.corrections)


def _piece_faults(rules: type[SmallBox[Any]], position: SeatedPosition[Any]) -> Iterator[Fault]:
    """Pieces that are off the map, or stand where another does, under the rule that a box names."""
    found: dict[str, Piece] = {}
    for piece, (seat, name), place in position.standing():
        path = name if seat == TABLE else f"players.{seat}.{name}"
        label = rules.plan.token_of[piece].label
        if place is None:
            if rules.placed is not None and position.has_begun():
                text = f"{label} is not on the map; say on which space it stands"
                yield Fault(path, text, rules.placed)
            continue
        space = pose_at(place).space
        other = found.setdefault(space, piece)
        if other != piece and rules.apart is not None:
            text = (
                f"{label} stands on {space} with {rules.plan.token_of[other].label}; "
                "give one of them another space"
            )
            yield Fault(path, text, rules.apart)


def _told_by_deeds(ruling: Ruling, wounds: Collection[str]) -> Iterator[Occurrence]:
    attackers = {one.at: one.by for one in ruling.happened if isinstance(one, AttackMade)}
    for deed in ruling.deeds:
        if isinstance(deed, Carry) and _is_laid(deed):
            yield from (CardLaid(deed.owner, "") for _ in range(deed.count))
        elif isinstance(deed, SetTo) and ruling.struck and (hurt := _hurt(deed, wounds)) > 0:
            yield DamageTaken(deed.owner, hurt, attackers.get(deed.owner))


def _hurt(deed: SetTo, wounds: Collection[str]) -> int:
    """The damage that a deed tells: a number that sinks, or one of the wounds that rises."""
    was, now = deed.was, deed.now
    if type(was) is not int or type(now) is not int:
        return 0
    return now - was if deed.name.rpartition(".")[2] in wounds else was - now


def _is_laid(deed: Carry) -> bool:
    return _LIES_IN_HAND in deed.source and not any(word in deed.target for word in _NOT_LAID)


_LIES_IN_HAND, _NOT_LAID = "hand", ("hand", "deck")


_POSITION_SAYS = {
    "box": "the name of its box",
    "seats": "the seats that the box has",
    "part": "the class of what lies before a seat",
    "cards": "how many cards there are; 0 for none",
}


def _amiss_in_position(rules: type[SmallBox[Any]]) -> Iterator[str]:
    """What the position's class leaves out, and where it says otherwise than its rules."""
    kind, called = rules.starts, rules.starts.__name__
    lacking = [name for name in _POSITION_SAYS if not hasattr(kind, name)]
    yield from (f"{called} lacks `{name}`: {_POSITION_SAYS[name]}." for name in lacking)
    if lacking:
        return
    if kind.box != rules.box:
        yield f"{called} is of box {kind.box!r}, these rules are of {rules.box!r}."
    yield from kind.amiss()
    for seat in rules.seats:
        if seat not in kind.seats:
            yield f"{called} has no seat {seat!r}; it has {', '.join(kind.seats)}."
    yield from _amiss_in_pieces(rules)


def _amiss_in_pieces(rules: type[SmallBox[Any]]) -> Iterator[str]:
    """Pieces without token or look, and tokens of which nothing says where they stand."""
    standing, tokens = rules.starts.pieces(), rules.plan.token_of
    for piece in standing:
        if piece not in tokens:
            yield f"`plan` has no token for the piece {piece!r}: name it in `hex_plan`."
        if piece not in rules.looks:
            yield f"`looks` has nothing for the piece {piece!r}: `looks_by_seat` draws it."
    for piece in tokens:
        if piece not in standing:
            called = rules.starts.__name__
            yield f"{called} does not say where the piece {piece!r} stands: declare it by `stands`."
