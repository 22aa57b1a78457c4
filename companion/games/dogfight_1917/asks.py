"""The questions of Dogfight: 1917: whom they ask, which rule asks, what is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.question import Choose, Count, Declare, Option, Ready, Refusal, Roll, RollAgain
from companion.core.ruling import TABLE, Cite, Notice, Seat
from companion.core.text import counted, headed, spelt_like
from companion.games.dogfight_1917 import cards, refusals
from companion.games.dogfight_1917.cards import called, dice_words
from companion.games.dogfight_1917.moves import (
    Arrival,
    Due,
    EndPoses,
    Readings,
    Way,
    bands,
    option_at,
    ways_to,
)
from companion.kit.hexes import pose_of

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Fighter, Maneuver
    from companion.games.dogfight_1917.moves import LateStall
    from companion.games.dogfight_1917.position import Dogfight1917Position, Player
    from companion.kit.hexes import Heading, Hex, HexMap


# Names and keys of all questions.


class Asking:
    """Knows the position, the house rules and the printed cards; names the places in keys."""

    def __init__(
        self,
        position: Dogfight1917Position,
        house: Mapping[str, Json],
        fighters: Mapping[str, Fighter],
        names: Mapping[Seat, str],
    ) -> None:
        self.position = position
        self.house = house
        self.fighters = fighters
        self.names = names

    def key(self, place: str, *more: object) -> str:
        """A key from the turn on: "turn-7/2/fly"."""
        position, within = self.position, "/".join((place, *map(str, more))) if more else place
        if position.stage == cards.SET_UP:
            return f"{cards.SET_UP}/{within}"
        return f"turn-{position.turn}/{position.actions}/{within}"

    def may_move(self, *pieces: Piece) -> frozenset[Piece]:
        """What hands may be moving: these pieces, and in set-up any model of the box."""
        return frozenset(cards.FIGHTERS if self.position.stage == cards.SET_UP else pieces)

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player, by the seat's letter where the name is too long."""
        return headed(self.names[seat], seat, words)


# Flying: where a plane ends, which way it went, whether it turns.  (DF-9)

NO_REPEAT, STAY = "no", "stay"

_FLY = Cite.of("DF-9.6")
_AGAIN = Cite.of("DF-9.8")


class FlightAsks(Asking):
    """Where planes are flown, turned and put; options show the end poses."""

    def fly(
        self, player: Player, card: Maneuver, place: str = "fly", stall: LateStall | None = None
    ) -> Choose[Arrival]:
        """Where a card took the plane.  (DF-9.6)"""
        poses = EndPoses(self.position, player, card)
        return Choose(
            law=None if stall is None else lambda at: stall.refusal(at.end, poses.found()),
            caution=None if stall is None else lambda at: stall.word_before(at.end, poses.found()),
            key=self.key(place), by=player.seat, cite=card.cite.also(_FLY),
            prompt=f"{self.names[player.seat]}: {_flown(card)}. Where does the plane end?",
            headline=self.head(player.seat, "fly"),
            offered=poses.options, named=poses.named, may_move=frozenset((player.piece,)),
            lapse=player.at.name() if card.fewest == 0 else None,
            unlisted=lambda raw: refusals.flight(
                raw, player.at, card, poses.found(), self.position.occupied(player.seat), self.board
            ),
        )  # fmt: skip

    @property
    def board(self) -> HexMap:
        """The spaces there are at this table."""
        return self.position.table.board

    def again(self, player: Player, card: Maneuver) -> Choose[Arrival | None]:
        """Whether a card is carried out once more, and where that ends.  (DF-9.8)"""
        poses = EndPoses(self.position, player, card)

        def offered() -> Sequence[Option[Arrival | None]]:
            flown = (_or_none(option) for option in poses.options())
            return (Option(NO_REPEAT, None, "Stay", sign="end"), *flown)

        def named(raw: Json) -> Option[Arrival | None] | None:
            option = poses.named(raw)
            return _or_none(option) if option is not None else None

        return Choose(
            key=self.key("repeat"), by=player.seat, cite=card.cite.also(_AGAIN),
            prompt=f"{self.names[player.seat]}: do you fly the {card.name} once more, or stay?",
            headline=self.head(player.seat, "fly again?"), offered=offered, named=named,
            may_move=frozenset((player.piece,)),
            unlisted=lambda raw: refusals.flight(
                raw, player.at, card, poses.found(), self.position.occupied(player.seat), self.board
            ),
        )  # fmt: skip

    def way(self, player: Player, card: Maneuver, end: Heading) -> Choose[Due]:
        """Which way the plane went, of all that the end pose leaves open.  (DF-9.7)"""
        board, readings = self.position.table.board, Readings.of(self.house)
        ways = ways_to(board, player.at, card, end, readings)
        return Choose(
            key=self.key("way"), by=player.seat, cite=card.condition_cite,
            prompt=f"{self.names[player.seat]}: which way did the plane fly to {end.name()}?",
            headline=self.head(player.seat, "which way?"),
            offered=[Option(str(way), due, _told(way, due)) for way, due in ways],
            unlisted=lambda raw: refusals.way(
                raw, [str(way) for way, _ in ways], end.name(), card.condition_cite
            ),
            may_move=frozenset((player.piece,)),  # it stands at that end already
        )  # fmt: skip

    def turn(
        self,
        player: Player,
        place: str,
        sixths: Sequence[int],
        cite: Cite,
        why: str,
        stall: LateStall | None = None,
    ) -> Choose[Heading]:
        """To where the plane is rotated; where 0 is among the sixths it may stay as it is."""
        piece = player.piece

        def offered() -> Sequence[Option[Heading]]:
            ends = ((turn, player.at.turned(turn)) for turn in sixths)
            return [_turn_option(piece, end, stays=turn == 0) for turn, end in ends]

        def all_ends() -> Sequence[Heading]:
            return [option.value for option in offered()]

        return Choose(
            law=None if stall is None else lambda end: stall.refusal(end, all_ends()),
            caution=None if stall is None else lambda end: stall.word_before(end, all_ends()),
            key=self.key(place, player.seat), by=player.seat, cite=cite, offered=offered,
            prompt=f"{self.names[player.seat]}: {why}.", lapse=STAY if 0 in sixths else None,
            headline=self.head(player.seat, "turn?" if 0 in sixths else "turn"),
            may_move=frozenset((piece,)),
            named=lambda raw: option_at(raw, offered()),
            unlisted=lambda raw: refusals.turn(raw, player.at, all_ends(), cite, self.board),
        )  # fmt: skip

    def corner(
        self, player: Player, free: Callable[[], Sequence[Heading]], cite: Cite
    ) -> Choose[Heading]:
        """On which corner a Fighter starts.  (DF-22.1)"""

        def taken() -> Mapping[Hex, str]:
            return {other.at.hex: self.names[other.seat] for other in self.position.flying()}

        asked = self.pose(
            player, "corner", free, cite, "place the Fighter on a free corner, facing the middle"
        )
        asked.unlisted = lambda raw: refusals.corner(raw, free(), taken(), self.board, cite)
        return asked

    def pose(
        self,
        player: Player,
        place: str,
        ends: Callable[[], Sequence[Heading]],
        cite: Cite,
        why: str,
        stall: LateStall | None = None,
    ) -> Choose[Heading]:
        """Where the plane is put, of a few places.  (DF-11.6, DF-13.5, DF-22.1)"""
        piece = player.piece

        def offered() -> Sequence[Option[Heading]]:
            return [_pose_option(piece, end) for end in ends()]

        return Choose(
            law=None if stall is None else lambda end: stall.refusal(end, ends()),
            caution=None if stall is None else lambda end: stall.word_before(end, ends()),
            key=self.key(place, player.seat), by=player.seat, cite=cite,
            prompt=f"{self.names[player.seat]}: {why}.",
            headline=self.head(player.seat, _DEEDS.get(place, place)),
            offered=offered, named=lambda raw: option_at(raw, offered()),
            may_move=self.may_move(piece),
            unlisted=lambda raw: refusals.pose(
                raw, ends(), cite, self.position.occupied(player.seat), self.board
            ),
        )  # fmt: skip


_DEEDS = {"momentum": "advance 1"}
"""What hands do, where the book's word for the step does not say it."""


def _flown(card: Maneuver) -> str:
    """To fly a card, or to advance as far as an effect allows."""
    if card.fewest:
        return f"fly the {card.name}"
    return f"you may advance up to {counted(card.most, 'space')} ({card.name})"


def _or_none(option: Option[Arrival]) -> Option[Arrival | None]:
    """The same option, beside one that means no flight at all."""
    return Option(option.name, option.value, option.label, option.shows)


def _turn_option(piece: Piece, end: Heading, *, stays: bool) -> Option[Heading]:
    return Option(STAY, end, "Stay", {piece: pose_of(end)}) if stays else _pose_option(piece, end)


def _pose_option(piece: Piece, end: Heading) -> Option[Heading]:
    name = end.name()
    return Option(name, end, name, {piece: pose_of(end)})


def _told(way: Way, due: Due) -> str:
    return f"{way}: roll, {' / '.join(bands(due))}" if due else f"{way}: nothing to roll"


# All other questions.

NOT_NAMED = "not named"
KEEP, FREE_REROLL, FOCUS = "keep", "free reroll", "Focus"
_PRICES: Mapping[str, str] = {FREE_REROLL: "", FOCUS: "1 token"}
NO_EVASION = "pass"

DICE_EACH = 4
"""So many dice of a colour there are.  (DF-1.3)"""

_BORROW = Cite.of("DF-1.3, RULING 34")
_FOCUS = Cite.of("DF-10.3, DF-15.4, RULING 13")
_FALCON = Cite.of("DF-10.4, DF-18.2.B")
_SHOWN = Cite.of("DF-4.1")
_START = Cite.of("DF-3.6")


class Throw(NamedTuple):
    """A roll that is due: its place in the match, who rolls how many, against what and why so.

    `what` goes on after "for" ("the Basic Attack at Ben"). `against` is short, for a dice pad;
    `brings` says the same in a sentence where that is no Difficulty.
    A die of `passes` or more succeeds; one of `good_from` (0: the same) brings no harm either.
    `is_done` tells of dice whether no other numbers may be wanted (None: none if all do so).
    """

    key: str
    by: Seat
    dice: int
    cite: Cite
    what: str
    passes: int = 0
    against: str = ""
    why: str = ""
    good_from: int = 0
    is_done: Callable[[tuple[int, ...]], bool] | None = None
    brings: str = ""

    def failed(self, rolled: Sequence[int]) -> tuple[int, ...]:
        """Where the dice lie that are too low, from 0."""
        return tuple(
            place for place, die in enumerate(rolled) if die < (self.good_from or self.passes)
        )

    def leaves_nothing_to_wish(self, rolled: Sequence[int]) -> bool:
        """Whether nobody would roll any of these dice again: then nobody is asked.  (DF-10.3)"""
        if self.is_done is not None:
            return self.is_done(tuple(rolled))
        return not self.failed(rolled)


class Asks(FlightAsks):
    """Every question of the box, with its words, its answers and why others are refused."""

    # -- set-up ----------------------------------------------------------------------------

    def fighter(self, seat: Seat, free: Sequence[str], cite: Cite, by: Seat) -> Choose[str]:
        """Which Fighter a seat flies, of those that nobody has; `by` chooses it."""
        whose = self.names[seat]
        offered = [
            Option(piece, piece, cards.FIGHTER_NAMES[piece], group="Fighter", sign=piece)
            for piece in free
        ]
        return Choose(
            key=self.key("fighter", seat), by=by, cite=cite,
            prompt=f"{whose}: which Fighter?", headline=self.head(seat, "which Fighter?"),
            offered=offered, named=lambda raw: _called(raw, offered),
            unlisted=lambda raw: refusals.taken(raw, cards.FIGHTER_NAMES, cite),
            may_move=self.may_move(),
        )  # fmt: skip

    def pilot(self, seat: Seat, free: Sequence[str], cite: Cite, by: Seat) -> Choose[str]:
        """Which Pilot Card a seat takes, of those that nobody has; `by` chooses it."""
        whose = self.names[seat]
        offered = [Option(code, code, cards.PILOT_NAMES[code], group="Pilot") for code in free]
        return Choose(
            key=self.key("pilot", seat), by=by, cite=cite,
            prompt=f"{whose}: which Pilot Card?", headline=self.head(seat, "which pilot?"),
            offered=offered, named=lambda raw: _called(raw, offered),
            unlisted=lambda raw: refusals.taken(raw, cards.PILOT_NAMES, cite),
            may_move=self.may_move(),
        )  # fmt: skip

    def placed(self) -> Ready:
        """Every model stands on its start space, Hands are drawn.  (DF-3.5, DF-3.6)"""
        return Ready(
            key=self.key("placed"), by=TABLE, cite=_START, word="placed",
            prompt="Are all Fighters placed as shown, and the opening Hands drawn?",
            headline="All placed?", law=lambda _: refusals.unready(self.position),
            may_move=frozenset(player.piece for player in self.position.flying()),
        )  # fmt: skip

    # -- cards that are shown --------------------------------------------------------------

    def shown_card(self, seat: Seat, key: str, why: str, cite: Cite) -> Choose[str]:
        """Which card was laid face up; it need not be named."""
        each = [Option(card, card, card, group="Card") for card in cards.COPIES]
        return Choose(
            key=self.key(key), by=seat, cite=cite, lapse=NOT_NAMED,
            prompt=f"{self.names[seat]}: {why}. Which card lies face up now?",
            headline=self.head(seat, "which card?"),
            offered=[*each, Option(NOT_NAMED, "", "Not named", group="Card")],
        )  # fmt: skip

    def shown_cards(self, seat: Seat, key: str, count: int, why: str) -> Declare:
        """Which cards lie face up now; all noughts: they are not named.  (DF-4.1)"""

        def law(told: Mapping[str, int]) -> Refusal | None:
            return refusals.shown(told, count, _SHOWN)

        none_named: list[Json] = [0] * len(cards.COPIES)
        which = "Which card lies" if count == 1 else f"Which {count} cards lie"
        return Declare(
            key=self.key(key), by=seat, cite=_SHOWN, lapse=none_named, law=law,
            prompt=f"{self.names[seat]}: {why}. {which} face up now?",
            headline=self.head(seat, f"{counted(count, 'card')} shown"),
            parts=tuple(cards.COPIES), most=count,
        )  # fmt: skip

    def shuffled(self, seat: Seat) -> Count:
        """How many cards of the Hand are shuffled into the Deck and drawn anew.  (DF-7.1)"""
        cite = Cite.of("DF-7.1, RULING 20")
        return Count(
            key=self.key("shuffled"), by=seat, cite=cite,
            prompt=f"{self.names[seat]}: how many cards do you shuffle into the Deck and redraw?",
            headline=self.head(seat, "redraw how many?"),
            high=lambda: self.position.players[seat].piles["hand"],
            over=lambda count: refusals.too_many(
                count, self.position.players[seat].piles["hand"], cite
            ),
        )  # fmt: skip

    def returned(self, seat: Seat, key: str, allowed: int, what: str, cite: Cite) -> Count:
        """How many cards go from the Damage Pile back into the Deck.  (DF-15.6, DF-24.6)"""

        def most() -> int:
            return min(allowed, self.position.players[seat].piles["damage"])

        return Count(
            key=self.key(key), by=seat, cite=cite, high=most,
            prompt=f"{self.names[seat]}: {what}",
            headline=self.head(seat, "how many back?"),
            over=lambda count: refusals.too_many(count, most(), cite),
        )  # fmt: skip

    # -- dice ------------------------------------------------------------------------------

    def dice(self, throw: Throw, count: int, *again: object) -> Roll:
        """The dice of a roll, or those of it that are rolled again."""
        number = dice_words(count)
        what, why = (f"the reroll of {throw.what}", "") if again else (throw.what, throw.why)
        borrow = count > DICE_EACH
        return Roll(
            key=self.key(throw.key, *again), by=throw.by,
            cite=throw.cite.also(_BORROW) if borrow else throw.cite,
            prompt=f"{self.names[throw.by]}: roll {number}{' again' if again else ''}"
                   f"{_goal(throw)} for {throw.what}{f' ({why})' if ',' in why else ''}."
                   f"{_brought(throw)}{' Borrow dice, or roll in two lots.' if borrow else ''}",
            headline=self.head(throw.by, f"roll {number}"),
            dice=count, against=throw.against, passes=throw.passes,
            misread=lambda listed: refusals.dice(listed, count, what, why, throw.cite),
        )  # fmt: skip

    def reroll(
        self, throw: Throw, rolled: Sequence[int], means: Callable[[], Sequence[str]], again: str
    ) -> RollAgain:
        """Whether any dice are rolled again, which, and by what right.  (DF-10.3, DF-10.4)"""
        seat = throw.by
        cite = _rights_to(means())
        return RollAgain(
            key=self.key(throw.key, again), by=seat, cite=cite, lapse=KEEP, keep=KEEP,
            prompt=f"{self.names[seat]}: you rolled {_listed(rolled)}{_goal(throw)} for "
                   f"{throw.what}.{_brought(throw)} "
                   f"Do you roll {'any' if len(rolled) > 1 else 'it'} again?",
            headline=self.head(seat, "roll again?"),
            faces=tuple(rolled), failed=throw.failed(rolled),
            means=lambda: {right: _PRICES[right] for right in means()},
            unlisted=lambda raw: refusals.reroll(raw, self.position.players[seat].tokens, cite),
        )  # fmt: skip

    # -- menus and windows -----------------------------------------------------------------

    def menu(
        self,
        seat: Seat,
        cite: Cite,
        prompt: str,
        offered: Callable[[], Iterable[Option[str]]],
        among: Callable[[Json], Iterable[Option[str]]],
        unlisted: Callable[[Json], Refusal | None],
        caution: Callable[[str], Notice | None] | None = None,
        lapse: str | None = None,
    ) -> Choose[str]:
        """What a player does next, of everything that is legal now.

        `among` lists those among which one of a given name would be.
        """
        player = self.position.players[seat]
        return Choose(
            key=self.key("action"), by=seat, cite=cite, prompt=prompt, lapse=lapse,
            headline=self.head(seat, "your action?"), offered=lambda: list(offered()),
            named=lambda raw: self._action_named(raw, among(raw)),
            unlisted=unlisted, caution=caution,
            may_move=frozenset((player.piece,)),
        )  # fmt: skip

    def _action_named(self, raw: Json, offered: Iterable[Option[str]]) -> Option[str] | None:
        """The action of that very name, or an attack whose target is named by its seat's letter."""
        named: list[str] = []
        if isinstance(raw, str):
            attack, _, letter = raw.strip().rpartition(" ")
            target = self.position.players.get(Seat(letter.upper()))
            if target is not None and target.seat != self.position.active:
                alone = len(self.position.players) == 2
                named.append(attack if alone else f"{attack} {target.fighter}")
        found = (
            option
            for option in offered
            if option.name == raw
            or (named and _is_aimed(option) and spelt_like(option.name, named))
        )
        return next(found, None)

    def evade(
        self,
        target: Seat,
        prompt: str,
        offered: Callable[[], Sequence[Option[str]]],
        cite: Cite,
        caution: Callable[[str], Notice | None],
    ) -> Choose[str]:
        """Whether and with what the target evades.  (DF-13.1, DF-13.2)"""
        player = self.position.players[target]
        means = self.fighters[player.fighter].evasions
        return Choose(
            key=self.key("evade"), by=target, cite=cite, prompt=prompt,
            headline=self.head(target, "evade?"), offered=offered, caution=caution,
            unlisted=lambda raw: refusals.evasion(raw, means, player.tokens, cite),
        )  # fmt: skip

    def hand_shown(self, seat: Seat, cite: Cite) -> Choose[bool]:
        """What everybody saw in a Hand that was shown.  (blackout_proof)"""
        return Choose(
            key=self.key("hand-shown"), by=TABLE, cite=cite,
            prompt=f"{self.names[seat]} shows the Hand. Is there a Maneuver Card in it?",
            headline="Hand shown",
            offered=[Option("none", value=False, label="No Maneuver Card"),
                     Option("one", value=True, label="There is one")],
        )  # fmt: skip


def _called(raw: Json, offered: Sequence[Option[str]]) -> Option[str] | None:
    """The Fighter or pilot among these that is called so."""
    code = called(raw, {option.name: option.label for option in offered})
    return next((option for option in offered if option.name == code), None)


def _rights_to(means: Sequence[str]) -> Cite:
    """Where the book gives the right to roll dice again."""
    falcon = [_FALCON] if FREE_REROLL in means else []
    return _FOCUS.also(*falcon) if FOCUS in means else _FALCON


_AIMED_ACTIONS = tuple(pilot.action for pilot in cards.PILOTS.values() if pilot.is_aimed)


def _is_aimed(option: Option[str]) -> bool:
    """Whether an action of a menu is done to another player, who may be named with it."""
    return option.sign == "attack" or option.name.startswith(_AIMED_ACTIONS)


def _listed(values: Sequence[int]) -> str:
    return ", ".join(str(value) for value in values)


def _goal(throw: Throw) -> str:
    """The Difficulty that the dice of a roll are held against, where there is one."""
    return f" against {throw.against}" if throw.against and not throw.brings else ""


def _brought(throw: Throw) -> str:
    """What the dice bring, where that is no Difficulty."""
    return f" {throw.brings}" if throw.brings else ""
