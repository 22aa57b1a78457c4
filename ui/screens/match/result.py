"""The result: winner, reason, the count sheet that adds up, and the code for a logbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from companion.core.text import counted
from companion.referee.challenge import counted_corrections, counted_verdicts
from ui.scene.scene import Scene, pages_of
from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Band, Key, KeyLook, Mark, Message, ScreenFrame, Side
from ui.screens.page import Page, Parts
from ui.touch.actions import Back, KeepLearned, Leave, Panel, Show, StartMatch
from ui.widgets.box import Box
from ui.widgets.field_keys import with_reason
from ui.widgets.lettering import lines_of, text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Area, CodePart, Words, modules

if TYPE_CHECKING:
    from companion.core.ruling import Fact, Json, Outcome, Seat


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
    """Band: winner, `note` the reason; its rules stand above. `code` is the QR code's text.

    `code_large`: the code fills the screen; a touch closes it. It was agreed to before. Rows come
    in pages where more sat at the table than the sheet has lines.
    """

    frame: ScreenFrame
    band: Band
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]
    code: str
    code_caption: str
    code_large: bool
    page: int
    pages: int


MOST_COLUMNS, ROWS_A_PAGE, LONG_ROWS = 5, 6, 2
"""What is counted of a player, and rows on a page; fewer where a name needs two lines."""
LONG_NAME = 14
OTHERS, IN_ALL = "Others", "Sum"
"""Cards of a player that lie elsewhere, and all of them."""


def present_result(scene: Scene) -> ResultState:
    """Who won and why, once the match is over."""
    outcome = scene.match.outcome
    assert outcome is not None
    columns = _columns(scene)
    rows = [_row(scene, seat, columns) for seat in scene.match.rulebook.seats_taken()]
    long = any(len(row.player) > LONG_NAME for row in rows)
    shown, page, pages = pages_of(rows, scene.view.page, LONG_ROWS if long else ROWS_A_PAGE)
    frame = scene.frame(
        "RESULT",
        _where(scene),
        keys=(*scene.base_keys(), *_own_keys(scene)),
        next_key=Key("Home", Leave(), "the result is official", "next", KeyLook.GO),
    )
    return ResultState(
        frame=replace(frame, top=replace(frame.top, cite=str(outcome.ruling.cite))),
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


def _own_keys(scene: Scene) -> tuple[Key, ...]:
    """What is done with a result; while an undo is asked its goal needs the room."""
    if scene.view.asking_undo:
        return ()
    return (
        Key("Export", Show(Panel.EXPORT), "to a stick", "save"),
        Key("Rematch", StartMatch(rematch=True), "again", "again"),
        *keep_keys(scene),
    )


def _band(scene: Scene, outcome: Outcome) -> Band:
    note = outcome.ruling.text.partition(". ")[0].rstrip(".")
    last = scene.match.entries[scene.match.steps[-1].seq]
    note += f": {last.reason}." if last.kind == "close" and last.reason else "."
    winners = list(outcome.winners)
    if len(winners) == 1:
        winner = winners[0]
        return Band((scene.names.victory(winner).upper(),), scene.side(winner), note=note)
    words = " AND ".join(scene.names.player(seat).upper() for seat in winners)
    return Band((f"{words} WIN" if words else "DRAW",), note=note)


def _where(scene: Scene) -> str:
    title = scene.match.rulebook.title
    named = scene.match.setup.variants if len(scene.match.rulebook.variants) > 1 else ()
    spoken = [name.replace("-", " ") for name in named]
    variants = ", ".join(name for name in spoken if name not in title.lower())
    minutes = round(scene.match.entries[-1].match_s / 60)
    played = scene.history.round_of("/".join(scene.match.position.where())) or scene.title
    parts = (title, variants, played.lower(), f"{minutes}\u00a0min")
    return " · ".join(part for part in parts if part)


def _quantities(scene: Scene, seat: Seat) -> list[Fact]:
    """The counts of a seat, in the position's own order."""
    return [fact for fact in scene.facts if fact.seat == seat and fact.shows.is_count]


def _columns(scene: Scene) -> tuple[str, ...]:
    """What is counted; where all have as many cards of their own, their sum, and how it is made."""
    facts = [fact for seat in scene.names.seats for fact in _quantities(scene, seat)]
    labels = tuple(dict.fromkeys(fact.label for fact in facts))[:MOST_COLUMNS]
    totals = {sum(_piles(scene, seat).values()) for seat in scene.names.seats}
    if len(totals) != 1 or 0 in totals:
        return labels
    piles = {fact.label for fact in facts if _pile(fact) in _piles(scene, fact.seat)}
    counted_ones = [label for label in labels if label in piles]
    others = (OTHERS,) if any(_lie_elsewhere(scene, seat) for seat in scene.names.seats) else ()
    rest = [label for label in labels if label not in piles]
    return (*counted_ones, *others, IN_ALL, *rest)


def _pile(fact: Fact) -> str:
    return fact.name.rpartition(".")[2]


def _piles(scene: Scene, seat: Seat) -> Mapping[str, int]:
    """Where a player's own cards lie."""
    counts = scene.match.position.pile_counts()
    return {pile: count for (owner, pile), count in counts.items() if owner == seat}


def _lie_elsewhere(scene: Scene, seat: Seat) -> int:
    """How many of a player's cards lie where the sheet has no column."""
    piles = _piles(scene, seat)
    shown = {_pile(fact) for fact in _quantities(scene, seat)[:MOST_COLUMNS]}
    return sum(count for pile, count in piles.items() if pile not in shown)


def _row(scene: Scene, seat: Seat, columns: tuple[str, ...]) -> SheetRow:
    values = {fact.label: str(fact.value) for fact in _quantities(scene, seat)}
    values[OTHERS] = str(_lie_elsewhere(scene, seat))
    values[IN_ALL] = str(sum(_piles(scene, seat).values()))
    side = scene.side(seat)
    assert side is not None
    player, role = scene.names.player(seat), scene.names.role(seat)
    shown = tuple(values.get(column, "") for column in columns)
    return SheetRow(side, player, "" if player == scene.names.label(seat) else role, shown)


def _notes(scene: Scene) -> tuple[str, ...]:
    """How often the arbiter had a hand in it."""
    entries = scene.match.entries
    told = filter(None, (*counted_corrections(entries), counted_verdicts(entries)))
    return (" · ".join(told) or "nothing was corrected",)


# Parts and layout.

SCANNED = 3
"""Pixels of a module from which on a phone reads the code; a denser one waits for a touch."""
_CODE, _CODE_WIDE = 174.0, 208.0
_CAPTION = 30.0
_UPRIGHT_LINE, _UPRIGHT_EDGES = 28.0, 86.0
"""Of the sheet over a code: a player's line, and its head, notes and margins."""
_OF_A_LINE = 0.72
"""Capitals, of the height of a low line of the count sheet."""
_MOST_LINE = 46.0
_BAND, _LEAST_BAND, _UPRIGHT_BAND = 0.47, 0.37, 0.33
"""Of the body's height: winner and reason, as large as they go in so much; less over many rows."""
_SHEET_EDGES, _SHEET_LINE = 66.0, 30.0
_MOST_NAMES = 0.42
"""Of the sheet's width, with a role beside the name where there is room."""
_EMBLEM, _TITLE_GAP, _LEAST_GAP = 36.0, 8.0, 4.0
"""Beside a name, and between the titles of columns."""
_SHEET_MARGIN = 8.0


@dataclass(frozen=True, kw_only=True)
class CountSheet(Part):
    """The count sheet: a player a row, places across, notes under it."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(_SHEET_MARGIN, 8)
        notes = " · ".join(self.notes)
        note_lines = min(2, pen.lines(notes, 14, room.wide, Face.MEDIUM)) if notes else 0
        table = room.top(room.high - (0.0, 24.0, 46.0)[note_lines])
        names, cells = self._places(pen.theme, table.wide)
        head = (
            1 if all(pen.width(one, 14) <= wide - 3.9 for one, wide in self._titled(cells)) else 2
        )
        top = lines_high(head, 14) + 6
        line_high = min(_MOST_LINE, (table.high - top) / max(1, len(self.rows)))
        for x, wide, title in zip(
            *self._columns_at(table.x + names, cells), self.columns, strict=True
        ):
            at = Box(x + 2, table.y, wide - 4, top - 4)
            pen.text(title, at, 15, Colour.INK2, align="centre", lines=head)
        for n, row in enumerate(self.rows):
            line = Box(table.x, table.y + top + n * line_high, table.wide, line_high)
            pen.fill(Box(line.x, line.y, line.wide, 1), Colour.HAIR)
            over, under = line.rows([1, 1], gap=2)
            self._draw_name(pen, line.left(names - 6) if names else over, row)
            self._draw_figures(pen, line.beside(names) if names else under, cells, row)
        if notes:
            at = Box(room.x, table.bottom + 6, room.wide, room.bottom - table.bottom - 6)
            pen.text(notes, at, 15, Colour.INK2, face=Face.MEDIUM, lines=note_lines)

    def _draw_figures(self, pen: Pen, line: Box, cells: Sequence[float], row: SheetRow) -> None:
        at = zip(*self._columns_at(line.x, cells), row.values, strict=True)
        for x, wide, figure in at:
            place = Box(x + 2, line.y + 1, wide - 4, line.high - 1)
            caps = min(20.0, _OF_A_LINE * line.high)
            pen.text(figure, place, caps, face=Face.FIGURES, align="centre")

    def _titled(self, cells: Sequence[float]) -> Sequence[tuple[str, float]]:
        return list(zip(self.columns, cells, strict=True))

    def _places(self, theme: Theme, wide: float) -> tuple[float, list[float]]:
        """How wide the names are, and each column: by its title, the rest shared.

        Names that no such column holds stand over their figures: 0.
        """
        names, least = _beside_figures(theme, self.columns, self.rows, wide)
        spare = max(0.0, wide - names - sum(least)) / max(1, len(least))
        return names, [one + spare for one in least]

    def _columns_at(self, x: float, cells: Sequence[float]) -> tuple[list[float], Sequence[float]]:
        return [x + sum(cells[:n]) for n in range(len(cells))], cells

    def _draw_name(self, pen: Pen, line: Box, row: SheetRow) -> None:
        """Emblem and name; the role beside it where both have room."""
        tint = pen.theme.side(row.side.tint).text
        draw_emblem(
            pen,
            row.side,
            Box(line.x, line.y + 1, 26, line.high - 1).square(min(24.0, line.high - 3)),
        )
        room = Box(line.x + 30, line.y + 1, line.wide - 30, line.high - 1)
        wide = pen.width(row.player, 17)
        role = pen.width(row.role, 15, Face.MEDIUM) if row.role else 0.0
        longest = max(pen.width(one.player, 17) for one in self.rows)
        if role and wide + role + 8 <= room.wide:
            start = min(longest + 8, room.wide - role)
            pen.text(row.role, room.beside(start), 15, Colour.INK2, face=Face.MEDIUM)
        is_long = pen.width(row.player, Caps.DETAIL) > room.wide
        lines = 2 if is_long and room.high >= lines_high(2, Caps.DETAIL) else 1
        caps = max(14.0, min(17.0, _OF_A_LINE * line.high))
        pen.text(row.player, room, caps, tint, lines=lines)


def _beside_figures(
    theme: Theme, columns: Sequence[str], rows: Sequence[SheetRow], wide: float
) -> tuple[float, list[float]]:
    """How wide names are beside their figures, and what each column needs.

    Where no line holds them so the columns stand closer, then names take two lines, and where a
    word is too long for that they stand over their figures: 0.
    """
    named = [text_wide(theme, row.player, 17) + 40 for row in rows]
    roles = [text_wide(theme, row.role, 15, Face.MEDIUM) + 10 for row in rows if row.role]
    wanted = min(max(named, default=0.0) + max(roles, default=0.0), wide * _MOST_NAMES)
    one_line = max((text_wide(theme, row.player, Caps.DETAIL) for row in rows), default=0.0)
    titles = [max(text_wide(theme, word, 14) for word in title.split()) for title in columns]
    whole = [text_wide(theme, title, 14) for title in columns]
    least = [one + _TITLE_GAP for one in whole]
    if sum(least) > wide - wanted:
        least = [one + _TITLE_GAP for one in titles]
    if sum(least) + one_line + _EMBLEM > wide:
        least = [one + _LEAST_GAP for one in titles]
    names = min(wanted, wide - sum(least))
    parts = (word for row in rows for word in row.player.replace("-", "- ").split())
    longest = max((text_wide(theme, word, 14) for word in parts), default=0.0)
    room = names - _EMBLEM
    fits = longest <= room and all(lines_of(theme, row.player, 14, room) <= 2 for row in rows)
    return (names if fits else 0.0), least


def layout(state: ResultState, page: Page) -> Parts:
    """Band, sheet, code; the code alone where it was touched. In portrait one under another."""
    if state.code_large:
        yield from _large(state, page)
        return
    below, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(below, state.frame.refusal)
    else:
        rows = _SHEET_EDGES + _SHEET_LINE * len(state.rows)
        share = min(_BAND, max(_LEAST_BAND, 1 - rows / body.high))
        most = body.high * (_UPRIGHT_BAND if page.portrait else share)
        said = with_reason(page.theme, body, state.band, most)
        yield "band", said
        body = body.below(said.box.high + Reach.GAP)
    sheet, code = _places(state, body, page)
    if state.pages > 1:
        column = Box(sheet.right - 60, sheet.y, 60, sheet.high)
        yield from page.turning(column, state.page, state.pages)
        sheet = sheet.left(sheet.wide - 66)
    yield "sheet", CountSheet(box=sheet, columns=state.columns, rows=state.rows, notes=state.notes)
    if state.code:
        side = min(_CODE, code.high - _CAPTION, code.wide)
        place = Box(code.x, code.y, code.wide, side).square()
        yield "code", CodePart(box=place, text=state.code, least=SCANNED, action=Show(Panel.CODE))
        caption = Box(code.x, place.bottom + 8, code.wide, 20)
        yield "code/caption", Words(box=caption, text=state.code_caption, caps=15, align="centre")
    yield from page.around(state.frame)


def _places(state: ResultState, body: Box, page: Page) -> tuple[Box, Box]:
    """The room of the sheet and that of the code: beside each other, in portrait the code below."""
    if not state.code:
        return body, body
    if not page.portrait:
        return page.sides(body, body.wide - _CODE_WIDE - 12)
    wide = body.wide - 2 * _SHEET_MARGIN
    names, _ = _beside_figures(page.theme, state.columns, state.rows, wide)
    long = any(text_wide(page.theme, row.player, 14) > names - _EMBLEM for row in state.rows)
    line = _MOST_LINE if long else _UPRIGHT_LINE
    wanted = _UPRIGHT_EDGES + line * len(state.rows)
    sheet = max(min(wanted, body.high * 0.62), body.high - _CODE - _CAPTION - Reach.GAP)
    dense = _CODE * page.theme.unit_px // len(modules(state.code)) < SCANNED
    if dense:  # nothing is read there before it is touched
        sheet = max(sheet, min(wanted, body.high - Reach.TARGET[1] - _CAPTION - Reach.GAP))
    return body.top(sheet), body.below(sheet + Reach.GAP)


def _large(state: ResultState, page: Page) -> Parts:
    """The code over the whole screen: a touch anywhere closes it."""
    whole = page.whole
    yield "paper", Area(box=whole, tint=Colour.PAPER, radius=0, action=Back())
    side = min(page.wide, page.high)
    code = Box(0, 0, page.wide, page.high).square(side)
    yield "code/large", CodePart(box=code, text=state.code)
    words = Box(10, 200, code.x - 20, 80)
    if page.portrait:
        words = Box(10, code.bottom + 20, page.wide - 20, 80)
    yield (
        "code/close",
        Words(box=words, text="Touch to close", caps=16, tint=Colour.CODE, lines=3, align="centre"),
    )
