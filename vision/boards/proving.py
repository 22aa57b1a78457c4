"""The proof of a calibration: one token is put on three named spaces, and must be read there.

A board that lies turned, or is taken for another, fits as well as any; what stands on it is then
read on the wrong spaces all evening. Three spaces far apart tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.core.board import BoardPlan, Piece, PointMm
from companion.core.errors import BadCall
from companion.core.offers import PictureState, Seen, SeenState, Sighting

SPACES = 3
MOVED_MM = 15.0
"""A token that is not this far from where it stood when it was asked for was not moved yet."""


class ProofStage(StrEnum):
    """How far a proof is: a space is asked for, was read wrong, or all were read right."""

    ASKED = "asked"
    WRONG = "wrong"
    PROVED = "proved"


@dataclass(frozen=True, slots=True)
class ProofState:
    """What to do next, how many spaces were read right of how many, and the one asked for."""

    stage: ProofStage
    words: str
    right: int
    of: int
    space: str = ""


class Proof:
    """One token through three spaces; `look` at each sighting in turn.

    `piece` is the token that is carried about, `spaces` where to: without them one is chosen that
    points somewhere, with no other side if there is such a one, and spaces as far apart as can be.
    Raises `BadCall` for a plan with no token or no space, or names that it has not.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> proof = Proof(board_plan())
    >>> proof.state.words
    'Put the Jaws plane on Jaws.PL.'
    """

    def __init__(
        self, plan: BoardPlan, piece: Piece | None = None, spaces: Sequence[str] = ()
    ) -> None:
        self.plan = plan
        self.piece = piece or _usual_piece(plan)
        self.spaces = tuple(spaces) or far_apart(plan, SPACES)
        unknown = [name for name in self.spaces if name not in plan.spaces]
        if self.piece not in plan.token_of or unknown or not self.spaces:
            raise BadCall(f"{plan.box} has no {unknown[0] if unknown else self.piece} to prove")
        self._right = 0
        self._stood: Seen | None = None
        self._wrong = ""
        self._read = ""

    @property
    def state(self) -> ProofState:
        """Where it stands."""
        of = len(self.spaces)
        if self._right == of:
            words = f"All {of} spaces were read right."
            return ProofState(ProofStage.PROVED, words, of, of)
        asked = self.spaces[self._right]
        if self._wrong:
            return ProofState(ProofStage.WRONG, self._wrong, self._right, of, asked)
        now = f" (It is read on {self._read} now.)" if self._read else ""
        words = f"Put the {self.plan.token_of[self.piece].label} on {asked}.{now}"
        return ProofState(ProofStage.ASKED, words, self._right, of, asked)

    def look(self, sighting: Sighting) -> ProofState:
        """Take in a sighting; only a settled one, in which the token was moved, says anything."""
        seen = sighting.pieces.get(self.piece)
        if self._right == len(self.spaces) or sighting.state is not PictureState.SETTLED:
            return self.state
        if seen is None or seen.state not in {SeenState.SEEN, SeenState.UNSURE}:
            return self.state
        asked = self.spaces[self._right]
        self._read = _places(seen)
        if seen.pose is not None and seen.pose.space == asked:
            self._right, self._stood, self._wrong = self._right + 1, seen, ""
        elif self._stood is None:
            self._stood = seen  # where it stood before anything was asked
        elif _apart_mm(self._stood, seen) >= MOVED_MM:
            self._wrong = self._told(asked, seen)
        return self.state

    def _told(self, asked: str, seen: Seen) -> str:
        label = self.plan.token_of[self.piece].label
        board = self.plan.board_of[asked].name
        return (
            f"The {label} is read on {_places(seen)}. If it does lie on {asked}: {board} is taken "
            "for another, or lies turned; see that it has its own printed corners, and calibrate "
            "again."
        )


def far_apart(plan: BoardPlan, count: int) -> tuple[str, ...]:
    """So many spaces for pieces, as far apart as can be; the first is the plan's own first.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> far_apart(board_plan(), 3)
    ('Jaws.PL', 'Paws.PL', 'Jaws.GL')
    """
    boards = [board for board in plan.boards if board.holds_pieces]
    left = [space.name for board in boards for space in board.spaces]
    chosen = left[:1]
    while len(chosen) < min(count, len(left)):
        chosen.append(max(left, key=lambda name: _nearest_mm(plan, name, chosen)))
    return tuple(chosen)


def _places(seen: Seen) -> str:
    return " or ".join(seen.spaces) or "no space"


def _nearest_mm(plan: BoardPlan, name: str, others: Sequence[str]) -> float:
    here = plan.centre_on_table(name)
    return min(_length_mm(here, plan.centre_on_table(other)) for other in others)


def _length_mm(one: PointMm, other: PointMm) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def _usual_piece(plan: BoardPlan) -> Piece:
    """A token that people carry about: one that points somewhere and has no other side, if any."""
    if not plan.tokens:
        raise BadCall(f"{plan.box} has no token to prove the camera with")
    headed = [token for token in plan.tokens if token.headed]
    plain = [token for token in headed if token.other_side is None]
    return (plain or headed or list(plan.tokens))[0].piece


def _apart_mm(one: Seen, other: Seen) -> float:
    """How far a token was moved; infinitely far on another board, or off it."""
    if one.board != other.board:
        return math.inf
    if None in (one.x_mm, one.y_mm, other.x_mm, other.y_mm):
        return 0.0
    return _length_mm((one.x_mm or 0, one.y_mm or 0), (other.x_mm or 0, other.y_mm or 0))
