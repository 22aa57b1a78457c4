"""The demonstration in a terminal: the states that the touch app draws, shown as text with rich."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from ui.demo.demo import DemoCall, Demonstration, Summary
from ui.scene.values import DeviceState, Line, Mark, RulingLine
from ui.screens.match.field import FieldState
from ui.screens.match.result import ResultState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.touch.actions import Answer

if TYPE_CHECKING:
    from types import TracebackType

    from companion.core.board import Look
    from ui.scene.map import MapBoard, MapCell, MapPiece, MapState
    from ui.scene.values import Band, Die, Gunsight, Key, PadGroup, Side
    from ui.screens.match.dice import DicePad
    from ui.screens.match.field_panels import FighterPanel
    from ui.screens.match.field_poses import PosePad
    from ui.screens.registry import ScreenState


# Colours of sides, and names of keys.

TINTS = ("dark_orange", "dodger_blue1", "chartreuse1", "misty_rose3", "orchid", "grey62")
"""A terminal's colours of sides, in the places that a box's looks name."""
PLAIN = "default"


def colour_of(look: Look, otherwise: str = PLAIN) -> str:
    """The colour of a look; `otherwise` where it has none of its own."""
    return TINTS[look.colour] if look.colour is not None else otherwise


def tint_of(side: Side | None) -> str:
    """The colour of a side, if there is one."""
    return colour_of(side.tint) if side is not None else PLAIN


def key_words(key: Key) -> str:
    """What stands on a key, on one line."""
    return f"{key.label}: {key.second}" if key.second else key.label


# A match on a field: its board, its fighters and what is asked about them.

PITCH = 4
"""Characters from one column of spaces to the next; spaces beside each other are two columns
apart."""
ARROWS = "↑↗→↘↓↙←↖"
TOKEN_SIGNS = {"token-1": "①", "token-2": "②"}
BARE, END, SEEN = "·", "○", "●"
NO_FACE = "□"

Lettering = tuple[str, str]
"""What stands on a space, and its style."""


def field_screen(state: FieldState) -> RenderableType:
    """The board, and beside it everybody's cards, the dice and the answers to choose from."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_row(_field_board(state.map, state.poses), Group(*_beside(state)))
    return grid


def _beside(state: FieldState) -> Iterator[RenderableType]:
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
    return Group(_field_board(board), _legend(board))


def _field_board(board: MapState, poses: PosePad | None = None) -> Text:
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
    return TOKEN_SIGNS.get(cell.sign, BARE)


def _marks(board: MapState, poses: PosePad | None) -> Mapping[str, Lettering]:
    """What stands on spaces; pieces above everything else, and where they are above ghosts."""
    marks: dict[str, Lettering] = {}
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


# A whole screen.

NO_SIDES = "yellow1"
SIGNS = {Mark.OK: "✓", Mark.WARN: "!", Mark.BAD: "✗", Mark.ASK: "?", Mark.FLIP: "⇄", Mark.NONE: " "}
DEVICE_SIGNS = {
    DeviceState.LIVE: "✓",
    DeviceState.FOUND: "○",
    DeviceState.ABSENT: "·",
    DeviceState.STALE: "~",
    DeviceState.LOST: "✗",
}
FRAMES_PER_S = 8


class TerminalScreen:
    """Shows a demonstration: live where the terminal can, else a line for each new ruling."""

    def __init__(self, out: TextIO, demonstration: Demonstration) -> None:
        self._console = Console(file=out)
        self._paced = demonstration.call.pace > 0
        self._live: Live | None = None
        self._told = 0
        self._match_id = ""
        self._unwritten = ""

    def __enter__(self) -> Self:
        if self._console.is_terminal and self._paced:
            self._live = Live(console=self._console, refresh_per_second=FRAMES_PER_S)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, state: ScreenState, demonstration: Demonstration) -> None:
        """One screen of the demonstration."""
        if self._live is not None:
            self._live.update(drawn(state, demonstration))
        else:
            self._tell_rulings(demonstration)

    def _tell_rulings(self, demonstration: Demonstration) -> None:
        """Without a live terminal: every ruling once, with its cite."""
        referee = demonstration.table.referee
        if referee is None:
            return
        if demonstration.table.match_id != self._match_id:
            self._match_id, self._told = demonstration.table.match_id, 0
            self._console.print(f"Match {self._match_id}", style="bold")
        self._tell_disk(referee.unwritten)
        for ruling in referee.match.rulings[self._told :]:
            self._line(f"  {ruling.text} [{ruling.cite}]")
        self._told = len(referee.match.rulings)

    def _tell_disk(self, unwritten: str) -> None:
        """Once when the record takes nothing more, and once when it does again."""
        if unwritten != self._unwritten:
            self._unwritten = unwritten
            self._line(f"! {unwritten or 'The record is written again.'}")

    def _line(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def drawn(state: ScreenState, demonstration: Demonstration) -> RenderableType:
    """A whole screen: top bar, band, body, bottom row, and what the demonstration has counted."""
    parts: list[RenderableType] = [_top(state)]
    frame = state.frame
    if frame.banner is not None:
        parts.append(Text(f"{frame.banner.text}: {frame.banner.way_out}", style="bold red"))
    band, deeds = getattr(state, "band", None), getattr(state, "deeds", ())
    parts.extend(map(_band, deeds))
    if band is not None and band not in deeds:
        parts.append(_band(band))
    parts.extend(_body(state))
    if frame.refusal is not None:
        parts.append(Text(f"✗ {frame.refusal.text} ({frame.refusal.code})", style="red"))
    parts.append(_bottom(state))
    parts.append(_counted(demonstration))
    return Panel(Group(*parts), title="Dogfight companion: demonstration", width=100)


def _top(state: ScreenState) -> Text:
    top = state.frame.top
    text = Text(f" {top.title} ", style="bold reverse")
    text.append(f"  {top.where}  ", style="not bold not reverse")
    for device in top.devices:
        age = f" {device.age_s:.1f} s" if device.age_s is not None else ""
        text.append(
            f" {DEVICE_SIGNS[device.state]} {device.name}{age}", style="not bold not reverse"
        )
    return text


def _band(band: Band) -> RenderableType:
    words = "\n".join(band.lines) + (f"   ({band.queue})" if band.queue else "")
    text = Text(words, style=f"bold {tint_of(band.side)}")
    if band.note:
        text.append(f"\n{band.note}", style="not bold default")
    return Panel(text)


def _body(state: ScreenState) -> list[RenderableType]:
    """What the state has, in the order in which a screen shows it."""
    if isinstance(state, FieldState):
        return [field_screen(state)]
    parts: list[RenderableType] = []
    if isinstance(state, RoundState):
        parts.append(_round(state))
    lead = getattr(state, "lead", "")
    if lead:
        parts.append(Text(lead, style="bold"))
    board = getattr(state, "map", None)
    if board is not None:
        parts.append(_map(board))
    if isinstance(state, RulingState):
        parts.extend(
            Text(f"{line.step or ' '}  {_both(line)} [{line.why.second}]") for line in state.lines
        )
    parts.extend(_rows(state))
    return parts


def _both(line: RulingLine) -> str:
    return " · ".join(part for part in (line.first, line.second) if part)


def _round(state: RoundState) -> RenderableType:
    """The count, its ticks, lamps and strips."""
    lamps = " ".join(f"({lamp.label})" if lamp.lit else f" {lamp.label} " for lamp in state.lamps)
    ticks = "■" * state.ticks_lit + "□" * (state.ticks - state.ticks_lit)
    grid = Grid.grid(padding=(0, 3))
    middle = Text(f"{state.big or state.count}\n{ticks}\n{lamps}", style="bold", justify="center")
    strips = [
        Text(
            "\n".join((s.side.name, *s.lines, *(b.title for b in s.badges))), style=tint_of(s.side)
        )
        for s in state.strips
    ]
    first, *others = strips or [Text("")]
    grid.add_row(first, middle, *others)
    return grid


def _map(board: MapState) -> RenderableType:
    """Boards in rows from far to near, pieces by name in their spaces; hexes as they lie."""
    if board.field:
        return hex_board(board)
    rows: dict[float, list[MapBoard]] = {}
    for one in board.boards:
        middle = sum(y for _, y in one.outline_mm) / len(one.outline_mm)
        rows.setdefault(round(middle, -1), []).append(one)
    grid = Grid.grid(padding=(0, 2))
    for _, boards in sorted(rows.items()):
        boards.sort(key=lambda one: min(x for x, _ in one.outline_mm))
        grid.add_row(*(_board(one, board) for one in boards))
    return grid


def _board(one: MapBoard, board: MapState) -> RenderableType:
    cells = Grid(show_header=True, header_style=tint_of(one.side), width=38)
    spaces = sorted(one.cells, key=lambda cell: cell.centre_mm[0])
    for cell in spaces:
        cells.add_column(cell.label, width=9)
    cells.add_row(*(Text.assemble(*_pieces(cell.space, board)) for cell in spaces))
    return cells


def _pieces(space: str, board: MapState) -> list[tuple[str, str]]:
    return [
        (
            f"{'(' if p.dashed else ''}{p.piece}{')' if p.dashed else ''} ",
            colour_of(p.tint, NO_SIDES),
        )
        for p in board.pieces
        if p.space == space
    ]


def _rows(state: ScreenState) -> list[RenderableType]:
    """Lists of any kind: teams of a lock, rows of counts, cards told, lines."""
    parts: list[RenderableType] = []
    for team in getattr(state, "teams", ()):
        sections = "   ".join(
            f"{section.label}: " + " ".join(f"{k.letter}{k.count}" for k in section.keys if k.count)
            for section in team.sections
        )
        parts.append(Text(f"{team.side.name}: {team.total}   {sections}", style=tint_of(team.side)))
    lines: Sequence[object] = (*getattr(state, "others", ()), *getattr(state, "lines", ()))
    parts.extend(
        Text(f"{SIGNS[line.mark]} {line.name}  {line.value}  {line.right}")
        for line in lines
        if isinstance(line, Line)
    )
    if isinstance(state, ResultState):
        parts.append(_sheet(state))
    else:
        parts.extend(_count_rows(state))
    return parts


def _count_rows(state: ScreenState) -> list[RenderableType]:
    return [
        Text(f"{row.name} ({row.prompt}): {row.value or '…'}", style=tint_of(row.side))
        for row in getattr(state, "rows", ())
        if hasattr(row, "value")
    ]


def _sheet(state: ResultState) -> RenderableType:
    sheet = Grid("", *state.columns)
    for row in state.rows:
        sheet.add_row(Text(f"{row.player} {row.role}", style=tint_of(row.side)), *row.values)
    return sheet


def _bottom(state: ScreenState) -> Text:
    bottom = state.frame.bottom
    text = Text(" · ".join(part for part in (bottom.message.first, bottom.message.second) if part))
    if bottom.next is not None:
        text.append(f"   [{key_words(bottom.next)}]", style="bold")
    return text


def _counted(demonstration: Demonstration) -> Text:
    tally, truth = demonstration.tally, demonstration.truth
    poses, place = tally.poses, demonstration.rulebook.rounds[-1]
    cards = tally.cards
    sleeves = f"cards: {cards.right} seen, {cards.asked} asked, {cards.wrong} wrong · "
    return Text(
        f"\n{place} {tally.rounds} · {truth.settled} sightings, {truth.wrong} wrong · "
        f"poses: {poses.right} seen, {poses.asked.total()} asked, {poses.wrong} wrong · "
        f"{sleeves if demonstration.call.sleeved else ''}"
        f"{tally.helped} {place}s helped · {tally.touches} touches",
        style="dim",
    )


# The demonstration played here.


def play_demo(call: DemoCall) -> Summary:
    """Play a demonstration with its screens shown in the terminal; what came of it."""
    demonstration = Demonstration(call)
    with TerminalScreen(sys.stdout, demonstration) as screen:
        return demonstration.play(screen.show)
