"""A board of hexes, its fighters and what is asked about them, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ui.demo_terminal_words import colour_of, key_words, tint_of
from ui.presenters.actions import Answer

if TYPE_CHECKING:
    from companion.core.board import Look
    from ui.presenters.common import PadGroup
    from ui.presenters.dice import DicePad, Die, Gunsight
    from ui.presenters.fighters import FighterPanel
    from ui.presenters.hex import HexState
    from ui.presenters.hex_poses import PosePad
    from ui.presenters.map import MapCell, MapPiece, MapState

PITCH = 4
"""Characters from one column of spaces to the next; spaces beside each other are two columns
apart."""
ARROWS = "↑↗→↘↓↙←↖"
SIGNS = {"token-1": "①", "token-2": "②"}
BARE, END, SEEN = "·", "○", "●"
NO_FACE = "□"

Mark = tuple[str, str]
"""What stands on a space, and its style."""


def hex_screen(state: HexState) -> RenderableType:
    """The board, and beside it everybody's cards, the dice and the answers to choose from."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_row(_board(state.map, state.poses), Group(*_beside(state)))
    return grid


def _beside(state: HexState) -> Iterator[RenderableType]:
    yield fighters(state.panels)
    if state.gunsight is not None:
        yield _gunsight(state.gunsight)
    if state.pad is not None:
        yield _dice_pad(state.pad)
    if state.poses is not None:
        yield _ends(state.poses)
    yield from (_group(group) for group in state.menu)
    answers = [key for key in state.frame.bottom.keys if isinstance(key.action, Answer)]
    if answers:
        yield Text(" | ".join(key_words(key) for key in answers))


# -- the board -----------------------------------------------------------------------------


def hex_board(board: MapState) -> RenderableType:
    """The board, and under it who is who."""
    return Group(_board(board), _legend(board))


def _board(board: MapState, poses: PosePad | None = None) -> Text:
    """Each space where it lies: a plane as its letter with an arrow, where it may end as a ring.

    Round brackets stand around where a piece was, or where the record has it.
    """
    cells = [cell for one in board.boards for cell in one.cells]
    across = _places([cell.centre_mm[0] for cell in cells])
    down = _places([cell.centre_mm[1] for cell in cells])
    marks = _marks(board, poses)
    lines = [Text() for _ in set(down.values())]
    for cell in sorted(cells, key=lambda cell: cell.centre_mm[0]):
        line = lines[down[round(cell.centre_mm[1])]]
        mark, style = marks.get(cell.space, (_sign(cell), "dim"))
        at = PITCH * across[round(cell.centre_mm[0])] + (PITCH - len(mark)) // 2
        line.append(" " * max(0, at - line.cell_len))
        line.append(mark, style)
    return Text("\n").join(lines)


def _places(coordinates: Sequence[float]) -> Mapping[int, int]:
    """Which column or line each coordinate stands in, by whole millimetres."""
    return {mm: place for place, mm in enumerate(sorted({round(mm) for mm in coordinates}))}


def _sign(cell: MapCell) -> str:
    return SIGNS.get(cell.sign, BARE)


def _marks(board: MapState, poses: PosePad | None) -> Mapping[str, Mark]:
    """What stands on spaces; pieces above everything else, and where they are above ghosts."""
    marks: dict[str, Mark] = {}
    for end in poses.spaces if poses is not None else ():
        marks[end.space] = (SEEN if end.lit or end.chosen else END, "bold")
    for piece in sorted(board.pieces, key=lambda piece: not piece.dashed):
        marks[piece.space] = (_piece(piece), f"bold {colour_of(piece.tint)}")
    return marks


def _piece(piece: MapPiece) -> str:
    name = _letter(piece.tint, piece.label) + arrow(piece.heading_deg)
    return f"({name})" if piece.dashed else f"{name}✹" if piece.struck else name


def arrow(heading_deg: float | None) -> str:
    """An arrow that points about there, clockwise from the top.

    >>> "".join(arrow(deg) for deg in (0, 60, 120, 180, 240, 300)), arrow(90), arrow(None)
    ('↑↗↘↓↙↖', '→', '')
    """
    if heading_deg is None:
        return ""
    return ARROWS[round(heading_deg / 45.0) % len(ARROWS)]


def _legend(board: MapState) -> Text:
    """Where the first heading points, who is who, and what brackets mean."""
    name, at_deg = board.compass or ("", 0.0)
    text = Text(f"{name} {arrow(at_deg)}", style="dim")
    for piece in board.pieces:
        if not piece.dashed:
            text.append(f"  {_letter(piece.tint, piece.label)} {piece.label}", "not dim")
    return text.append(f"  ( ) {board.legend}" if board.legend else "")


def _letter(look: Look, label: str) -> str:
    return look.letter or label[:1]


# -- what is beside it ---------------------------------------------------------------------


def fighters(panels: Sequence[FighterPanel]) -> RenderableType:
    """A line a seat: who flies what, cards by pile, tokens, and why a plane is not there."""
    grid = Grid.grid(padding=(0, 1))
    piles = [pile.name for pile in panels[0].counts] if panels else []
    grid.add_row("", "", *(Text(pile, style="dim") for pile in piles), Text("tokens", style="dim"))
    for panel in panels:
        who = Text(f"{panel.side.name}", style=tint_of(panel.side))
        fighter = f"{_letter(panel.drawn, panel.fighter)} {panel.fighter}".strip()
        flown = " · ".join(part for part in (fighter, panel.pilot, panel.down) if part)
        who.append(f"\n{flown}", "dim")
        counts = [str(pile.count) for pile in panel.counts]
        tokens = "" if panel.tokens is None else str(panel.tokens)
        grid.add_row("▶" if panel.active else "", who, *counts, tokens)
    return grid


def _gunsight(gunsight: Gunsight) -> Text:
    fallen = f", rolled {_faces(gunsight.dice)}" if gunsight.dice else ""
    return Text(f"Gunsight: {gunsight.lying}{fallen}")


def _dice_pad(pad: DicePad) -> Text:
    text = Text(f"{pad.lead}: {_faces(pad.dice)}", style="bold")
    text.append(f"\n{pad.note}", "not bold dim")
    return text


def _faces(dice: Sequence[Die]) -> str:
    return " ".join(str(die.face) if die.face else NO_FACE for die in dice)


def _ends(poses: PosePad) -> Text:
    """How many spaces and headings are legal, and those of the chosen space."""
    headings = sum(len(space.headings_deg) for space in poses.spaces)
    text = Text(f"{END} {headings} ends on {len(poses.spaces)} spaces", style="dim")
    if poses.headings:
        named = ", ".join(heading.key.label for heading in poses.headings)
        text.append(f"\n{SEEN} {poses.chosen}: {named}", "not dim")
    return text


def _group(group: PadGroup) -> Text:
    text = Text(f"{group.title}: " if group.title else "", style="dim")
    text.append(" | ".join(key_words(pad.key) for pad in group.keys), "not dim")
    return text
