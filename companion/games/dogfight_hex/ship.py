"""One player's ship: where it is, what is left of it, and what its cards have brought upon it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.games.dogfight_hex.cards import SHIELDS
from companion.games.dogfight_hex.layout import HULL_POINTS
from companion.games.dogfight_hex.seats import DEBRIS_OF, HULLS, SHIPS
from companion.kit.hexes import Heading, Hex


@dataclass(slots=True, eq=False)
class Ship:
    """One seat: its ship, or the debris that it has become.

    `at` is None before the ship is placed and once it is destroyed; `debris` is the space of the
    debris. `fell` numbers the destructions from 1 on, 0 while the ship lives; ships destroyed
    together share it. `owes` are hull points lost whose tokens are still to be laid, `aside` those
    that never were. `retired`: the player left the table, the debris does not move.

    Of the turn: `card` is the kind that lies face up ("" = none, or face down), `stopped` that its
    shield has stopped a hit, `no_draw` that no card is drawn at its end, `claims` whose card is
    taken at its end, `fresh` that the ship was destroyed in it. For the next: `bound` is the attack
    to be used again, `anchored` that no space may be entered.
    """

    seat: Seat
    at: Heading | None = None
    hull: int = HULL_POINTS
    debris: Hex | None = None
    fell: int = 0
    owes: int = 0
    aside: int = 0
    retired: bool = False
    card: str = ""
    stopped: bool = False
    no_draw: bool = False
    claims: Seat | None = None
    fresh: bool = False
    bound: str = ""
    anchored: bool = False

    @property
    def piece(self) -> Piece:
        """The ship token."""
        return SHIPS[self.seat]

    @property
    def debris_piece(self) -> Piece:
        """The other side of the ship token.  (HX-MAT-02)"""
        return DEBRIS_OF[self.seat]

    @property
    def lives(self) -> bool:
        """Whether it is not destroyed."""
        return not self.fell

    @property
    def place(self) -> Heading:
        """Where the ship stands and looks; only asked of one that does."""
        if self.at is None:
            raise ValueError(f"ship {self.seat} is not on the map")
        return self.at

    @property
    def shielded(self) -> bool:
        """Whether its card is a shield that has stopped nothing yet.  (HX-SHD-02)"""
        return self.card in SHIELDS and not self.stopped

    def next_hull(self, laid: Collection[Piece]) -> Piece:
        """The hull point token that is laid next, of those that are not.  (HX-DMG-01)"""
        tokens = HULLS[self.seat]
        given = HULL_POINTS - self.hull - self.owes
        return next(token for token in (*tokens[given:], *tokens) if token not in laid)

    def forget_turn(self) -> None:
        """A turn is over: its card counts for nothing any more."""
        self.card, self.claims = "", None
        self.stopped = self.no_draw = self.fresh = False
