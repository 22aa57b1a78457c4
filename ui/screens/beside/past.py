"""Past matches: the list, one of them in full, and where it is written to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, PastLook, PastMatch, Situation, pages_of, quiet_frame, recent_keys
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Line, Mark, Message, ScreenFrame
from ui.scene.words import first_names
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import ExportMatch, LookInto, Panel, Rematch, ResumeMatch, Show
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.lettering import lines_of
from ui.widgets.part import Part
from ui.widgets.pen import Pen, Tint, lines_high
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words, draw_mark

if TYPE_CHECKING:
    from ui.table.export import ExportPlace
    from ui.touch.view import View

# The list: the newest first.


@dataclass(frozen=True, slots=True)
class MatchRow(Line):
    """A match of the list: who played, how it ended, when."""

    shorter: tuple[str, ...] = ()
    """Who played in ever fewer words, for where all of it has no room."""


@dataclass(frozen=True, slots=True)
class PastState:
    """A line a match; a touch opens it."""

    frame: ScreenFrame
    lines: tuple[MatchRow, ...]
    page: int = 1
    pages: int = 1


LINES_A_PAGE, COLUMNS = 8, 2
"""So many matches at once: two columns of four, upright one column."""
TO_STATISTICS = Key("Statistics", Show(Panel.SEASON))
LONGEST_SUMMARY, _TOLD_PARTS = 55, 2
"""Letters of how a match ended in a line of the list; of a longer one so many parts."""
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def present_past(situation: Situation, view: View) -> PastState | PastMatchState:
    """The list, or of the match that the panel's part names all of it."""
    look = situation.past.look(view.part) if view.part else None
    if look is not None:
        return _present_look(situation, view, look)
    shown, page, pages = pages_of(situation.matches, view.page, LINES_A_PAGE)
    return PastState(
        quiet_frame(
            situation,
            view,
            "PAST MATCHES",
            f"{len(situation.matches)} on this table",
            keys=(BACK, TO_STATISTICS, *recent_keys(page, pages)),
        ),
        tuple(_line(situation, match) for match in shown),
        page,
        pages,
    )


def _line(situation: Situation, match: PastMatch) -> MatchRow:
    """A damaged match says so in its own line; no label: the whole line is touched."""
    key = Key("", Show(Panel.PAST, match.match_id))
    day = short_day(situation.day(match.at), situation.day(situation.matches[0].at))
    if match.trouble:
        return MatchRow(match.title or match.match_id, match.trouble, Mark.WARN, day, key)
    mark = Mark.OK if match.ended else Mark.ASK
    players, *shorter = people_in_words(match.players)
    fewer = tuple(shorter)
    if match.saved:
        return MatchRow(players, match.saved, Mark.WARN, day, key, shorter=fewer)
    asked = f"{match.summary[:1].lower()}{match.summary[1:]}"  # the one that home offers
    summary = f"{match.title} · {asked}" if match.teams else _in_short(match)
    return MatchRow(players, summary, mark, day, key, shorter=fewer)


_WINS = re.compile(r"(.+?) (?:has|have|is|are|wins?|won)\b.*\b(?:wins?|won)\b.*")


def _in_short(match: PastMatch) -> str:
    """Which game and who won; why where that is short, else the match itself tells it."""
    if len(match.summary) <= LONGEST_SUMMARY:
        return match.summary
    game, *told = match.summary.split(" · ")[:_TOLD_PARTS]
    for name, first in first_names(match.people).items():
        told = [one.replace(name, first) for one in told]
    return " · ".join((game, *(_WINS.sub(r"\1 won", one) for one in told)))


def short_day(day: str, newest: str) -> str:
    """When it was, as narrow as may be: the year only where the newest match has another.

    >>> short_day("2026-11-28 05:50", "2026-11-28 07:10"), short_day("2025-01-03 19:00", "2026")
    ('28 Nov 05:50', '3 Jan 2025')
    """
    date, _, time = day.partition(" ")
    year, *parts = date.split("-")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        return day
    told = f"{int(parts[1])} {_MONTHS[int(parts[0]) - 1]}"
    return f"{told} {time}" if newest.startswith(year) else f"{told} {year}"


def people_in_words(players: Sequence[str]) -> tuple[str, ...]:
    """All of them, then the same in ever fewer words; the match itself tells their whole names.

    A side's players stand together; whoever plays for both its seats is told once.

    >>> people_in_words(["Ana, Ana", "Bo, Cleo"])[:2]
    ('Ana / Bo, Cleo', 'Ana / Bo and 1 more')
    >>> for told in people_in_words(["Ana Quince", "Bartholomew Hohenzollern", "Cleopatra"]):
    ...     print(told)
    Ana Quince / Bartholomew Hohenzollern / Cleopatra
    Ana / Bartholomew / Cleopatra
    Ana / Bartholomew and 1 more
    Ana and 2 more
    3 players
    """
    sides = [[*dict.fromkeys(side.split(", "))] for side in players]
    named = [name for side in sides for name in side]
    short = first_names(named)
    told = [
        " / ".join(", ".join(called.get(name, name) for name in side) for side in sides)
        for called in ({}, short)
    ]
    for number in range(len(named) - 1, 0, -1):
        first = " / ".join(short.get(name, name) for name in named[:number])
        told.append(f"{first} and {len(named) - number} more")
    told.append(f"{len(named)} players" if len(named) > 1 else "1 player")
    return tuple(dict.fromkeys(told))


# One match.


@dataclass(frozen=True, slots=True)
class PastMatchState:
    """Who won and why, each seat's counts, and what may be done with the match."""

    frame: ScreenFrame
    band: Band
    sheet: tuple[Line, ...]
    facts: str
    page: int = 1
    pages: int = 1


SHEET_LINES = 6
TO_LIST = Key("Back", Show(Panel.PAST), sign="back")


def _present_look(situation: Situation, view: View, look: PastLook) -> PastMatchState:
    match = look.match
    sheet, page, pages = pages_of(look.sheet, view.page, SHEET_LINES)
    title = f"{match.title}, {situation.day(match.at)}"
    return PastMatchState(
        quiet_frame(
            situation,
            view,
            "PAST MATCH",
            title,
            keys=(TO_LIST, *_keys(look)),
            message=Message(),
            next_key=_go_on(look),
        ),
        _band(look),
        tuple(sheet),
        " · ".join(look.facts),
        page,
        pages,
    )


def _keys(look: PastLook) -> tuple[Key, ...]:
    """Log, evidence, export, rematch; of a match that cannot be read nothing but its export."""
    match_id = look.match.match_id
    export = Key("Export", Show(Panel.EXPORT, match_id), sign="save")
    if look.trouble:
        return (export,)
    seq = str(look.first_picture)
    evidence = Key("Evidence", None, "none", "eye", KeyLook.IMPOSSIBLE)
    if look.pictures:
        opens = LookInto(match_id, Panel.EVIDENCE, seq)
        evidence = Key("Evidence", opens, f"{look.pictures} kept", "eye")
    return (
        Key("Log", LookInto(match_id, Panel.LOG), sign="log"),
        evidence,
        export,
        Key("Rematch", Rematch(match_id), "again", "again"),
    )


def _go_on(look: PastLook) -> Key:
    """An open match goes on; one that ended is looked at as it ended."""
    match = look.match
    if look.trouble:
        return Key("Resume", None, "it cannot be read", "play", KeyLook.IMPOSSIBLE)
    resume = ResumeMatch(match.match_id, ended=match.ended or match.demonstration)
    if match.ended:
        return Key("Result", resume, "as it ended", "next", KeyLook.GO)
    if match.demonstration:
        return Key("Look", resume, "where it stopped", "next", KeyLook.GO)
    return Key("Resume", resume, "goes on", "play", KeyLook.GO)


def _band(look: PastLook) -> Band:
    match = look.match
    if look.trouble:
        return Band(("CANNOT BE READ",), mark=Mark.WARN, note=look.trouble)
    if not match.ended:
        return Band(("OPEN",), mark=Mark.ASK, note=match.saved or look.reason)
    side = look.winners[0] if len(look.winners) == 1 else None
    return Band((look.won or "DRAW",), side, note=look.reason)


# Where it is written to.


@dataclass(frozen=True, slots=True)
class ExportState:
    """A key a place, with its room or what is wrong with it."""

    frame: ScreenFrame
    places: tuple[Key, ...]
    told: str


NO_STICK = "No stick is plugged in. Plug one in: it appears here by itself."
WHAT = "The log, which another table takes in, its protocol, a page, a score sheet, every picture."


def present_export(situation: Situation, view: View) -> ExportState:
    """Every drive that is plugged in, and this machine itself; read anew all the time."""
    places = situation.past.places()
    told = WHAT if any(place.is_stick for place in places) else NO_STICK
    return ExportState(
        quiet_frame(
            situation,
            view,
            "EXPORT",
            "one match, into a folder of its own",
            keys=(BACK,),
            message=Message(second=WHAT if told == NO_STICK else ""),
        ),
        tuple(_place_key(place, view.part) for place in places),
        told,
    )


def _place_key(place: ExportPlace, match_id: str) -> Key:
    if place.trouble:
        return Key(place.title, None, place.trouble, "save", KeyLook.IMPOSSIBLE)
    action = ExportMatch(match_id, str(place.folder))
    return Key(place.title, action, f"{_room(place.free_mb)} free", "save")


def _room(free_mb: int) -> str:
    """In the unit in which people have the figure before them.

    >>> _room(61), _room(76152)
    ('61 MB', '76 GB')
    """
    return f"{free_mb} MB" if free_mb < 10_000 else f"{free_mb // 1000} GB"


# Layouts.

_BAND_HIGH, _PORTRAIT_BAND_HIGH = 112.0, 176.0
_PLACE_HIGH, _KEYS_HIGH = 76.0, 76.0
_ROW, _UPRIGHT_ROW, _LEAST_BAND, _FACTS_HIGH = 29.0, 43.0, 72.0, 50.0
"""A seat's counts; all seats are told before the band is as high as it may be."""


@dataclass(frozen=True, kw_only=True)
class CountsLine(Part):
    """A seat: emblem, player, what they played; its counts at the right edge, or below."""

    line: Line
    ground: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if self.ground:
            pen.fill(self.box, Colour.PANEL, 5)
        room = self.box.inset(10, 3)
        wide = pen.width(self.line.right, 15) + 4
        below = wide > (room.wide - 38) * 0.7
        upper, lower = room.rows([1, 1], gap=6)
        named = upper if below else room
        if self.line.side is not None:
            place = Box(named.x, named.y, 28, named.high).square(min(26.0, named.high))
            draw_emblem(pen, self.line.side, place)
        room = named.beside(38)
        tint = pen.theme.side(self.line.side.tint).text if self.line.side else Colour.INK
        if below:
            self._draw_name(pen, room, tint)
            pen.text(self.line.right, lower, 15, face=Face.MEDIUM)
            return
        self._draw_name(pen, room.left(room.wide - wide - 10), tint)
        pen.text(self.line.right, Box(room.right - wide, room.y, wide, room.high), 15,
                 align="right")  # fmt: skip

    def _draw_name(self, pen: Pen, room: Box, tint: Tint) -> None:
        name = pen.text(self.line.name, room, 17, tint)
        rest = room.beside(name.wide + 12)
        if self.line.value and pen.width(self.line.value, 14, Face.MEDIUM) <= rest.wide:
            pen.text(self.line.value, rest, 14, Colour.INK2, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class PastLine(Part):
    """A match of the list: who played, and when, over how it ended."""

    line: MatchRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, 6)
        pen.edge(self.box, Colour.EDGE, 1.5, 6)
        ink, second = (Colour.GO_INK,) * 2 if pressed else (Colour.INK, Colour.INK2)
        room = self.box.inset(8, 2)
        if self.line.mark:
            draw_mark(pen, self.line.mark, Box(room.x, room.y, 22, room.high).square(21))
            room = room.beside(25)
        lines = pen.lines(self.line.value, Caps.DETAIL, room.wide, Face.MEDIUM)
        spare = room.high - _PLAYERS_HIGH - lines_high(lines, Caps.DETAIL)
        room = room.inset(0, max(0.0, min(6.0, spare / 2)))
        wide = pen.width(self.line.right, Caps.DETAIL, Face.MEDIUM) + 4
        upper, words = room.top(16), room.below(_PLAYERS_HIGH)
        when = Box(upper.right - wide, upper.y, wide, upper.high)
        pen.text(self.line.right, when, 14, ink, face=Face.MEDIUM, align="right")
        self._draw_people(pen, upper.left(upper.wide - wide), ink)
        while lines > 1 and lines_high(lines, Caps.DETAIL) > words.high:
            lines -= 1
        pen.text(self.line.value, words, 14, second, face=Face.MEDIUM, lines=lines)

    def _draw_people(self, pen: Pen, room: Box, ink: Colour) -> None:
        """As many of their names as the room holds in the smallest letters."""
        ways = (self.line.name, *self.line.shorter)
        told = next((one for one in ways if pen.width(one, Caps.DETAIL) <= room.wide), ways[-1])
        pen.text(told, room, 16, ink)


_PLAYERS_HIGH = 21.0


def past(state: PastState, page: Page) -> Parts:
    """A line a match; a touch opens it."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    if not state.lines:
        text = "No match has been played here yet."
        yield "empty", Words(box=body, text=text, caps=Caps.NAME, tint=Colour.INK2,
                             align="centre", lines=3)  # fmt: skip
    yield from _lines(state.lines, body, page)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _lines(lines: Sequence[MatchRow], body: Box, page: Page) -> Parts:
    columns = 1 if page.portrait else COLUMNS
    rows = LINES_A_PAGE // columns
    rooms = body.columns([1] * columns, gap=Reach.GAP)
    places = [box for room in rooms for box in stacked(room, rows, high=78, gap=3)]
    for n, (box, line) in enumerate(zip(places, lines, strict=False)):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", PastLine(box=box, line=line, action=action)


def match_layout(state: PastMatchState, page: Page) -> Parts:
    """Band over the sheet over what else is known of the match."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    row = _UPRIGHT_ROW if page.portrait else _ROW
    keys_high = _KEYS_HIGH + Reach.GAP if page.portrait else 0.0
    left = body.high - keys_high - row * len(state.sheet) - (_FACTS_HIGH if state.facts else 0.0)
    usual = _PORTRAIT_BAND_HIGH if page.portrait else _BAND_HIGH
    high = max(_LEAST_BAND, min(usual, body.high * 0.45, left - Reach.GAP))
    yield "band", BandPart(box=body.top(high), band=state.band)
    rest = body.below(high + Reach.GAP)
    frame = state.frame
    if page.portrait:
        yield from _upright_keys(frame.bottom.keys[1:], rest.below(rest.high - _KEYS_HIGH))
        rest = rest.top(rest.high - _KEYS_HIGH - Reach.GAP)
        frame = replace(frame, bottom=replace(frame.bottom, keys=frame.bottom.keys[:1]))
    if state.facts:
        lines = lines_of(page.theme, state.facts, Caps.DETAIL, rest.wide - 8, Face.MEDIUM)
        facts = rest.below(rest.high - lines_high(lines, Caps.DETAIL) - 6).inset(4, 3)
        yield "facts", Words(box=facts, text=state.facts, caps=15, tint=Colour.INK2,
                             face=Face.MEDIUM, lines=lines)  # fmt: skip
        rest = rest.top(rest.high - facts.high - 10)
    most = max(1, int((rest.high + 4) // row))
    shown = state.sheet[:most]
    for n, (box, line) in enumerate(
        zip(stacked(rest, len(shown), high=56, gap=3), shown, strict=True)
    ):
        yield f"sheet/{n}", CountsLine(box=box, line=line, ground=n % 2 == 0)
    yield from page.around(frame, pages=(state.page, state.pages))


def _upright_keys(keys: Sequence[Key], room: Box) -> Parts:
    """What else may be done with the match: in portrait over the bottom row, side by side."""
    places = room.columns([1] * max(1, len(keys)), gap=6)
    for n, (box, key) in enumerate(zip(places, keys, strict=False)):
        yield f"deed/{n}", key_cap(box, key)


def export_layout(state: ExportState, page: Page) -> Parts:
    """What is written, then a key a place."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    lines = 2 if page.portrait else 1
    told = body.top(28 * lines)
    yield "told", Words(box=told, text=state.told, caps=18, lines=lines)
    across = 1 if page.portrait else 2
    room = body.below(told.high + 10)
    down = max(1, -(-len(state.places) // across))
    rows = stacked(room, down, high=_PLACE_HIGH)
    for n, key in enumerate(state.places):
        place = rows[n // across].columns([1] * across, gap=Reach.GAP)[n % across]
        yield f"place/{n}", key_cap(place, key, caps=20, align="left")
    yield from page.around(state.frame)
