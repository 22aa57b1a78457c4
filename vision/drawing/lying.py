"""What lies on the drawn table and where: boards as they really lie, tokens, cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from companion.core.board import Board, BoardPlan, Piece, Pose, Space, Token
from companion.core.errors import BadCall
from vision.drawing.dice import COLOURS, PIPS, DrawnDie, rest_beside
from vision.drawing.optics import Optics
from vision.drawing.sleeves import card_of
from vision.tracking.seen import Spaces


@dataclass(frozen=True, slots=True)
class TokenSpot:
    """Where a token's middle stands: in a board's own frame, or with no board in the table's.

    `heading_deg` is clockwise from the printed top of the board (or from the table's far edge).
    """

    board: str | None
    x_mm: float
    y_mm: float
    heading_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class TableSpot:
    """A spot on the table itself: x, y in mm, turned clockwise by `turn_deg`."""

    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass
class LyingThings:
    """Everything on the table. `changes` grows with each change of a board, `moves` with any other.

    Tokens stand on boards and go with them when a board is pushed.
    """

    plan: BoardPlan
    boards: dict[str, Board]
    tokens: dict[str, Token] = field(default_factory=dict[str, Token])
    standings: dict[str, TokenSpot] = field(default_factory=dict[str, TokenSpot])
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    dice: tuple[DrawnDie, ...] = ()
    stickers: bool = True
    changes: int = 0
    moves: int = 0

    @classmethod
    def about_as_planned(
        cls, plan: BoardPlan, chance: np.random.Generator, shift_mm: float, turn_deg: float
    ) -> LyingThings:
        """Every board near its nominal place, as people lay boards: a little off and turned."""
        boards = {
            board.name: _pushed(
                board,
                float(chance.uniform(-shift_mm, shift_mm)),
                float(chance.uniform(-shift_mm, shift_mm)),
                float(chance.uniform(-turn_deg, turn_deg)),
            )
            for board in plan.boards
        }
        return cls(plan, boards, tokens={str(token.piece): token for token in plan.tokens})

    def stand(self, key: str, standing: TokenSpot) -> None:
        """Put a token where it shall stand, on top of whatever lies there."""
        if standing.board is not None and standing.board not in self.boards:
            raise BadCall(f"no board {standing.board!r}; there are {', '.join(self.boards)}")
        self.standings.pop(key, None)
        self.standings[key] = standing
        self.moves += 1

    def remove(self, key: str) -> None:
        """Take a token off the table; one that is not there is no trouble."""
        if self.standings.pop(key, None) is not None:
            self.moves += 1

    def lay(self, cards: Mapping[str, Sequence[str]]) -> None:
        """The cards on the sections named, as `card_of` reads them; the others stay as they are."""
        for section, names in cards.items():
            space = self.space(section)
            for name in names:
                card_of(self.plan, name)
            self.cards[space.name] = tuple(names)
        self.moves += 1

    def throw(self, dice: Sequence[DrawnDie]) -> None:
        """These dice lie on the table now, and no others."""
        self.dice = tuple(dice)
        self.moves += 1

    def nudge(self, board: str, dx_mm: float, dy_mm: float, turn_deg: float) -> None:
        """Push a board over the table, with what stands on it."""
        if board not in self.boards:
            raise BadCall(f"no board {board!r}; there are {', '.join(self.boards)}")
        self.boards[board] = _pushed(self.boards[board], dx_mm, dy_mm, turn_deg)
        self.changes += 1

    def space(self, name: str) -> Space:
        """A space of the plan; BadCall with the names there are."""
        if name not in self.plan.spaces:
            raise BadCall(f"no space {name!r}; there are {', '.join(self.plan.spaces)}")
        return self.plan.spaces[name]

    def check(self, pose: Pose) -> None:
        """BadCall, with what there is, for a space or a facing that the plan has not."""
        self.space(pose.space)
        board = self.plan.board_of[pose.space]
        if pose.facing is not None and not 0 <= pose.facing < len(board.facings):
            there = ", ".join(board.facings) or "none"
            raise BadCall(f"no facing {pose.facing} on {board.name}; facings from 0: {there}")

    def place_of(self, standing: TokenSpot) -> TableSpot:
        """Where that is on the table."""
        if standing.board is None:
            return TableSpot(standing.x_mm, standing.y_mm, standing.heading_deg)
        board = self.boards[standing.board]
        x, y = board.to_table((standing.x_mm, standing.y_mm))
        return TableSpot(x, y, standing.heading_deg + board.turn_deg)

    def truth(self) -> dict[Piece, Pose]:
        """Where each piece of the plan stands, and faces; pieces on no space are left out."""
        found: dict[Piece, Pose] = {}
        for token in self.plan.tokens:
            standing = self.standings.get(str(token.piece))
            if standing is not None and (pose := self._pose_of(standing, token)) is not None:
                found[token.piece] = pose
        return found

    def _pose_of(self, standing: TokenSpot, token: Token) -> Pose | None:
        if standing.board is None:
            return None
        board = self.boards[standing.board]
        deepest = self._spaces[standing.board].nearest((standing.x_mm, standing.y_mm), 1)
        if not deepest or deepest[0][1] < 0:
            return None
        headed = token.headed and board.facings
        facing = board.facing_near(standing.heading_deg)[0] if headed else None
        return Pose(deepest[0][0], facing)

    @cached_property
    def _spaces(self) -> Mapping[str, Spaces]:
        return {name: Spaces(board) for name, board in self.boards.items()}


def thrown(
    lying: LyingThings,
    optics: Optics,
    values: Sequence[int],
    colours: Sequence[str],
    chance: np.random.Generator,
) -> list[DrawnDie]:
    """Dice that show these values, at rest beside the boards; BadCall for what cannot be thrown."""
    if strange := [value for value in values if value not in PIPS]:
        raise BadCall(f"no die shows {strange[0]}; a die shows 1 to 6")
    if strange_colour := [colour for colour in colours if colour not in COLOURS]:
        raise BadCall(f"no die is {strange_colour[0]!r}; dice are {', '.join(COLOURS)}")
    standing = (lying.place_of(one) for one in lying.standings.values())
    taken = [(place.x_mm, place.y_mm) for place in standing]
    spots = rest_beside(list(lying.boards.values()), optics, taken, len(values), chance)
    if spots is None:
        raise BadCall(f"no room for {len(values)} dice beside the boards")
    named = colours or ("white",)
    return [
        DrawnDie(value, named[at % len(named)], x, y, float(chance.uniform(0, 90)))
        for at, (value, (x, y)) in enumerate(zip(values, spots, strict=True))
    ]


def _pushed(board: Board, dx_mm: float, dy_mm: float, turn_deg: float) -> Board:
    x, y = board.centre_mm
    return replace(board, centre_mm=(x + dx_mm, y + dy_mm), turn_deg=board.turn_deg + turn_deg)
