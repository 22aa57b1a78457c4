"""The screens in a terminal: the same states that the touch app draws, shown with rich."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from ui.demo_terminal_hex import hex_board, hex_screen
from ui.demo_terminal_words import colour_of, key_words, tint_of
from ui.presenters.common import DeviceState, Line, Mark
from ui.presenters.hex import HexState
from ui.presenters.round import RoundState
from ui.presenters.ruling import RulingLine, RulingState

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from ui.demo import Demonstration
    from ui.presenters.common import Band
    from ui.presenters.map import MapState
    from ui.presenters.states import ScreenState

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
    band = getattr(state, "band", None)
    if band is not None:
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
    if isinstance(state, HexState):
        return [hex_screen(state)]
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
    rows: dict[float, list[Any]] = {}
    for one in board.boards:
        middle = sum(y for _, y in one.outline_mm) / len(one.outline_mm)
        rows.setdefault(round(middle, -1), []).append(one)
    grid = Grid.grid(padding=(0, 2))
    for _, boards in sorted(rows.items()):
        boards.sort(key=lambda one: min(x for x, _ in one.outline_mm))
        grid.add_row(*(_board(one, board) for one in boards))
    return grid


def _board(one: Any, board: MapState) -> RenderableType:
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
    if hasattr(state, "columns"):
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


def _sheet(state: Any) -> RenderableType:
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
