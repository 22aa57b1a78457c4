"""The result: winner, reason, the count sheet that adds up, and the code for a logbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from companion.core.text import counted
from companion.referee.challenge import counted_verdicts
from ui.scene.scene import pages_of
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Band, Frame, Key, KeyLook, Mark, Message, Side
from ui.screens.page import Page, Parts
from ui.touch.actions import Back, KeepLearned, Leave, Panel, Show, StartMatch
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Area, CodePart, Words

if TYPE_CHECKING:
    from companion.core.ruling import Fact, Json, Outcome, Seat
    from ui.scene.scene import Scene


# What a match has taught, such as cards declared in it: kept by one touch.


def taught_names(taught: Mapping[str, Json]) -> tuple[str, ...]:
    """What was taught, by name: every thing of every part.

    >>> taught_names({"cards": {"Tractor beam": {}, "Scout": {}}})
    ('Tractor beam', 'Scout')
    """
    parts = taught.values()
    return tuple(name for part in parts if isinstance(part, Mapping) for name in part)


def unkept(scene: Scene) -> tuple[str, ...]:
    """What this match has taught and the table's own file has not."""
    own = scene.situation.own_figures.get(scene.match.setup.box, {})
    kept = set(taught_names(own))
    names = taught_names(scene.match.rulebook.learned())
    return tuple(name for name in names if name not in kept)


def keep_keys(scene: Scene) -> tuple[Key, ...]:
    """The key that keeps it, where there is anything; once it is kept, the key says so."""
    names = taught_names(scene.match.rulebook.learned())
    if not names or scene.match.setup.demonstration:
        return ()
    left = unkept(scene)
    if not left:
        return (Key("Kept", None, counted(len(names), "card"), "tick", KeyLook.IMPOSSIBLE),)
    return (Key("Keep", KeepLearned(), counted(len(left), "card"), "save"),)


def kept_note(scene: Scene) -> tuple[str, ...]:
    """What was taught and is kept, or may be, in one line, as the result has it."""
    told = kept_message(scene)
    if told is None:
        return ()
    file = PurePath(told.second).name
    return (f"{told.first}, in {file}" if told.mark is Mark.OK else told.first,)


def kept_message(scene: Scene) -> Message | None:
    """What is kept and in which file; before that, what may be; None where nothing was taught."""
    names = taught_names(scene.match.rulebook.learned())
    if not names or scene.match.setup.demonstration:
        return None
    left = unkept(scene)
    if left:
        return Message(f"Declared: {', '.join(left)}", "Keep: for later matches")
    place = scene.situation.own_files.get(scene.match.setup.box, "")
    return Message(f"Kept: {', '.join(names)}", place, Mark.OK)


# State, and what it says.


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One player's counts; `values` in the order of the sheet's columns."""

    side: Side
    player: str
    role: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultState:
    """Band: winner, `note` the reason with its ids. `code` is the text of the QR code.

    `code_large`: the code fills the screen; a touch closes it. It was agreed to before. Rows come
    in pages where more sat at the table than the sheet has lines.
    """

    frame: Frame
    band: Band
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]
    code: str
    code_caption: str
    code_large: bool = False
    page: int = 1
    pages: int = 1


MOST_COLUMNS, ROWS_A_PAGE = 5, 6


def present_result(scene: Scene) -> ResultState:
    """Who won and why, once the match is over."""
    outcome = scene.match.outcome
    assert outcome is not None
    columns = _columns(scene)
    rows = [_row(scene, seat, columns) for seat in scene.match.rulebook.seats_taken()]
    shown, page, pages = pages_of(rows, scene.view.page, ROWS_A_PAGE)
    return ResultState(
        frame=scene.frame(
            "RESULT",
            _where(scene),
            keys=(
                *scene.base_keys(),
                Key("Export", Show(Panel.EXPORT), "to a stick", "save"),
                Key("Rematch", StartMatch(rematch=True), "again", "again"),
                *keep_keys(scene),
            ),
            next_key=Key("Home", Leave(), "the result is official", "next", KeyLook.GO),
        ),
        band=_band(scene, outcome),
        columns=columns,
        rows=tuple(shown),
        notes=(*_notes(scene), *kept_note(scene)),
        code=scene.situation.code,
        code_caption="BG Stats · touch: large",
        code_large=scene.view.panel is Panel.CODE,
        page=page,
        pages=pages,
    )


def _band(scene: Scene, outcome: Outcome) -> Band:
    note = f"{outcome.ruling.text.partition('. ')[0]} ({outcome.ruling.cite})"
    winners = list(outcome.winners)
    if len(winners) == 1:
        winner = winners[0]
        return Band((scene.names.victory(winner).upper(),), scene.side(winner), note=note)
    words = " AND ".join(scene.names.player(seat).upper() for seat in winners)
    return Band((f"{words} WIN" if words else "DRAW",), note=note)


def _where(scene: Scene) -> str:
    title = scene.match.rulebook.title
    named = scene.match.setup.variants if len(scene.match.rulebook.variants) > 1 else ()
    variants = ", ".join(name.replace("-", " ") for name in named)
    minutes = round(scene.match.entries[-1].match_s / 60)
    played = scene.history.round_of("/".join(scene.match.position.where())) or scene.title
    parts = (title, variants, played.lower(), f"{minutes} min")
    return " · ".join(part for part in parts if part)


def _quantities(scene: Scene, seat: Seat) -> list[Fact]:
    """The counts of a seat, in the position's own order."""
    return [fact for fact in scene.facts if fact.seat == seat and fact.shows.is_count]


def _columns(scene: Scene) -> tuple[str, ...]:
    labels = [fact.label for seat in scene.names.seats for fact in _quantities(scene, seat)]
    return tuple(dict.fromkeys(labels))[:MOST_COLUMNS]


def _row(scene: Scene, seat: Seat, columns: tuple[str, ...]) -> SheetRow:
    values = {fact.label: str(fact.value) for fact in _quantities(scene, seat)}
    side = scene.side(seat)
    assert side is not None
    player, role = scene.names.player(seat), scene.names.role(seat)
    shown = tuple(values.get(column, "") for column in columns)
    return SheetRow(side, player, "" if player == scene.names.label(seat) else role, shown)


def _notes(scene: Scene) -> tuple[str, ...]:
    """How often the arbiter had a hand in it."""
    kinds = [entry.kind for entry in scene.match.entries]
    counted = [
        (kinds.count(kind), word)
        for kind, word in (("amend", "amended"), ("adjust", "adjusted"), ("undo", "undone"))
    ]
    told = [f"{count} {word}" for count, word in counted if count]
    told += [words for words in (counted_verdicts(scene.match.entries),) if words]
    return (" · ".join(told) or "nothing was corrected",)


# Parts and layout.

_BAND_HIGH = 92.0
_CODE = 174.0


@dataclass(frozen=True, kw_only=True)
class CountSheet(Part):
    """The count sheet: a player a row, places across, notes under it."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 8)
        notes = " · ".join(self.notes)
        note_lines = min(2, pen.lines(notes, 14, room.wide, Face.MEDIUM)) if notes else 0
        notes_high = (0.0, 26.0, 46.0)[note_lines]
        table = room.top(room.high - notes_high)
        lines = table.rows([0.8, *[1] * max(1, len(self.rows))])
        self._draw_head(pen, lines[0])
        for line, row in zip(lines[1:], self.rows, strict=False):
            pen.fill(Box(line.x, line.y, line.wide, 1), Colour.HAIR)
            self._draw_row(pen, line, row)
        if self.notes:
            at = Box(room.x, room.bottom - notes_high + 6, room.wide, notes_high - 6)
            pen.text(notes, at, 15, Colour.INK2, face=Face.MEDIUM, lines=note_lines)

    def _cells(self, line: Box) -> list[Box]:
        names = line.wide * 0.34
        return line.beside(names).columns([1] * max(1, len(self.columns)))

    def _draw_head(self, pen: Pen, line: Box) -> None:
        for cell, title in zip(self._cells(line), self.columns, strict=False):
            pen.text(title, cell.inset(2, 0), 15, Colour.INK2, align="centre")

    def _draw_row(self, pen: Pen, line: Box, row: SheetRow) -> None:
        tint = pen.theme.side(row.side.tint).text
        draw_emblem(pen, row.side, Box(line.x, line.y, 26, line.high).square(24))
        names = Box(line.x + 34, line.y, line.wide * 0.34 - 36, line.high)
        role_wide = pen.width(row.role, 15, Face.MEDIUM)
        name = pen.text(row.player, names.left(max(60, names.wide - role_wide - 8)), 17, tint)
        pen.text(row.role, names.beside(name.wide + 8), 15, Colour.INK2, face=Face.MEDIUM)
        for cell, figure in zip(self._cells(line), row.values, strict=False):
            pen.text(figure, cell.inset(2, 0), 17, face=Face.FIGURES, align="centre")


def layout(state: ResultState, page: Page) -> Parts:
    """Band, sheet, code; the code alone where it was touched."""
    if state.code_large:
        yield from _large(state, page)
        return
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=True)
    below = body.below(_BAND_HIGH + 10)
    code_wide = 208.0 if state.code else 0.0
    sheet, code = page.sides(below, below.wide - code_wide - (12 if state.code else 0))
    if state.pages > 1:
        yield from page.turning(
            Box(sheet.right - 60, sheet.y, 60, sheet.high), state.page, state.pages
        )
        sheet = sheet.left(sheet.wide - 66)
    yield "sheet", CountSheet(box=sheet, columns=state.columns, rows=state.rows, notes=state.notes)
    if state.code:
        place = code.top(min(_CODE, code.high - 30)).square()
        touched = Show(Panel.CODE)
        yield "code", CodePart(box=place, text=state.code, action=touched)
        caption = Box(code.x, place.bottom + 8, code.wide, 20)
        yield "code/caption", Words(box=caption, text=state.code_caption, caps=15, align="centre")
    yield from page.around(state.frame)


def _large(state: ResultState, page: Page) -> Parts:
    """The code over the whole screen: a touch anywhere closes it."""
    whole = Box(0, 0, page.wide, 480)
    yield "paper", Area(box=whole, tint=Colour.PAPER, radius=0, action=Back())
    yield "code/large", CodePart(box=Box(0, 0, page.wide, 480).square(), text=state.code)
    words = Box(10, 200, (page.wide - 480) / 2 - 20, 80)
    yield (
        "code/close",
        Words(box=words, text="Touch to close", caps=16, tint=Colour.CODE, lines=3, align="centre"),
    )
