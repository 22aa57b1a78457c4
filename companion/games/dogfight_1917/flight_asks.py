"""The questions about flying: where a plane ends, which way it went, whether it turns.  (DF-9)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.question import Choose, Option
from companion.core.ruling import Cite
from companion.core.text import counted
from companion.games.dogfight_1917 import refusals
from companion.games.dogfight_1917.asking import Asking
from companion.games.dogfight_1917.end_poses import EndPoses, option_at
from companion.games.dogfight_1917.flight import Arrival, Due, Readings, Way, bands, ways_to
from companion.kit.hexes import pose_of

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Maneuver
    from companion.games.dogfight_1917.late_stall import LateStall
    from companion.games.dogfight_1917.player import Player
    from companion.kit.hexes import Heading, Hex, HexMap

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
            headline=self.head(player.seat, "fly once more?"), offered=offered, named=named,
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
            return [Option(end.name(), end, end.name(), {piece: pose_of(end)}) for end in ends()]

        return Choose(
            law=None if stall is None else lambda end: stall.refusal(end, ends()),
            caution=None if stall is None else lambda end: stall.word_before(end, ends()),
            key=self.key(place, player.seat), by=player.seat, cite=cite,
            prompt=f"{self.names[player.seat]}: {why}.", headline=self.head(player.seat, place),
            offered=offered, named=lambda raw: option_at(raw, offered()),
            may_move=self.may_move(piece),
            unlisted=lambda raw: refusals.pose(
                raw, ends(), cite, self.position.occupied(player.seat), self.board
            ),
        )  # fmt: skip


def _flown(card: Maneuver) -> str:
    """To fly a card, or to advance as far as an effect allows."""
    if card.fewest:
        return f"fly the {card.name}"
    return f"you may advance up to {counted(card.most, 'space')} ({card.name})"


def _or_none(option: Option[Arrival]) -> Option[Arrival | None]:
    """The same option, beside one that means no flight at all."""
    return Option(option.name, option.value, option.label, option.shows)


def _turn_option(piece: Piece, end: Heading, *, stays: bool) -> Option[Heading]:
    name = STAY if stays else end.name()
    return Option(name, end, "Stay" if stays else end.name(), {piece: pose_of(end)})


def _told(way: Way, due: Due) -> str:
    return f"{way}: roll, {' / '.join(bands(due))}" if due else f"{way}: nothing to roll"
