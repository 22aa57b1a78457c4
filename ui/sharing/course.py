"""The course of a match: what stood after each line of its log, for whoever looks back at it.

A board is drawn once however often it stood, and each of its parts once on however many boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.errors import Drift
from companion.match.match import Match
from companion.referee.protocol import quantities_in_words
from ui.scene.map import MapState, view_of
from ui.sharing.page_pen import SvgPen, symbol
from ui.widgets.board_map import board_map
from ui.widgets.box import Box

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.match.entry import Entry
    from ui.widgets.part import Part

WIDE_U, MOST_HIGH_U, LEAST_HIGH_U = 520.0, 560.0, 300.0
BEFORE = "where it stood before"
"""What a dashed outline on a board means; a page says so under it."""


def board_room(state: MapState) -> Box:
    """The room of a drawing: as wide as a page wants it, as high as these boards are."""
    _, _, wide, high = state.bounds_mm
    wanted = WIDE_U * high / wide + (0 if state.field else 60)
    return Box(0, 0, WIDE_U, max(LEAST_HIGH_U, min(MOST_HIGH_U, wanted)))


@dataclass(frozen=True, slots=True)
class Moment:
    """What stood after line `seq`: the number of its board, and everybody's quantities in words."""

    seq: int
    board: int
    score: tuple[str, ...]


@dataclass
class DrawnBoards:
    """Boards as numbers of the parts that they are made of; `parts` are pieces of SVG."""

    room: Box
    parts: list[str] = field(default_factory=list[str])
    boards: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    states: list[MapState] = field(default_factory=list["MapState"])
    signs: set[str] = field(default_factory=set[str])
    _known: dict[Part, int] = field(default_factory=dict["Part", int])
    _drawn: dict[str, int] = field(default_factory=dict[str, int])
    _of_state: dict[MapState, int] = field(default_factory=dict["MapState", int])

    def add(self, state: MapState) -> int:
        """Take a board in; its number, which the same board has again."""
        if state not in self._of_state:
            numbers = tuple(self._part(part) for _, part in board_map(self.room, state))
            self._of_state[state] = len(self.boards)
            self.states.append(state)
            self.boards.append(numbers)
        return self._of_state[state]

    def _part(self, part: Part) -> int:
        if part not in self._known:
            pen = SvgPen()
            part.draw(pen, pressed=False)
            self.signs |= pen.signs
            if pen.drawn not in self._drawn:
                self._drawn[pen.drawn] = len(self.parts)
                self.parts.append(pen.drawn)
            self._known[part] = self._drawn[pen.drawn]
        return self._known[part]

    def definitions(self) -> str:
        """Symbols and parts, once for all boards of a page: `part-7` is part 7."""
        symbols = "".join(symbol(name) for name in sorted(self.signs))
        parts = "".join(f'<g id="part-{n}">{part}</g>' for n, part in enumerate(self.parts))
        return f"<defs>{symbols}{parts}</defs>"

    def uses(self, board: int) -> str:
        """What a board is made of, as references to the definitions."""
        return "".join(f'<use href="#part-{n}"/>' for n in self.boards[board])

    @property
    def view_box(self) -> str:
        """The `viewBox` of an `svg` that shows a board: plates reach a little over its edge."""
        return f"-4 -4 {self.room.wide + 8:g} {self.room.high + 8:g}"


@dataclass
class Course:
    """All moments of a match, from its set-up (line 0) to the last line that replays."""

    moments: list[Moment]
    drawn: DrawnBoards

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Course | None:
        """Play a log once; None where not even its set-up can be played."""
        try:
            match = Match[Any].begun_by(entries)
        except Drift:
            return None
        drawn = DrawnBoards(board_room(board_of(match, {})))
        return cls(list(_moments(match, entries, drawn)), drawn)


def _moments(match: Match[Any], entries: Sequence[Entry], drawn: DrawnBoards) -> Iterator[Moment]:
    before: Mapping[Piece, Pose] = {}
    for entry in entries:
        if entry.seq:
            try:
                match.again(entry)
            except Drift:
                return
        now = match.position.placement()
        moved = {piece: pose for piece, pose in before.items() if now.get(piece, pose) != pose}
        before = dict(now)
        board = drawn.add(board_of(match, moved))
        yield Moment(entry.seq, board, tuple(quantities_in_words(match)))


def board_of(match: Match[Any], moved: Mapping[Piece, Pose]) -> MapState:
    """The boards as they stand; `moved` are drawn dashed where they stood before."""
    rulebook, position = match.rulebook, match.position
    return view_of(rulebook.plan, "near", rulebook.looks).draw(
        position.placement(), ghosts=moved, fires=position.lines_of_fire()
    )
