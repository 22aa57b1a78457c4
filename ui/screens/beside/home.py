"""Home: the open match, and what else can be done."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.scene.scene import PastMatch, Situation, quiet_frame
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Alert, Key, KeyLook, Line, Mark, Message, ScreenFrame
from ui.screens.beside.lists import device_lines
from ui.screens.page import Page, Parts
from ui.touch.actions import Panel, ResumeMatch, Show, ShowDemo
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Area, Words, draw_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.board import Look
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """The match to go on with: title, game and place, a line a team (`right`: decks).

    `pieces` are the looks of what the sides fly.
    """

    title: str
    subtitle: str
    saved: str
    teams: tuple[Line, ...]
    asked_next: str
    resume: Key
    pieces: tuple[Look, ...] = ()


@dataclass(frozen=True, slots=True)
class HomeState:
    """`keys`: New match, Past matches, Rules, Show a demo, Settings; `devices`: the foot."""

    frame: ScreenFrame
    open: OpenMatch | None
    keys: tuple[Key, ...]
    devices: tuple[Line, ...]


NEW_HERE = "New match begins one, and shows step by step what lies where. A demo plays by itself."
KEYS = (
    Key("New match", Show(Panel.NEW_MATCH), "box, seats, timer, house rules", "cards"),
    Key("Past matches", Show(Panel.PAST), sign="log"),
    Key("Rules", Show(Panel.RULES), sign="eye"),
    Key("Show a demo", ShowDemo(), sign="play"),
    Key("Settings", Show(Panel.SETTINGS), sign="settings"),
)


def present_home(situation: Situation, view: View) -> HomeState:
    """The newest match that people began and can go on with, and the table's devices."""
    open_match = next((m for m in situation.matches if m.offered), None)
    frame = quiet_frame(situation, view, "DOGFIGHT COMPANION", message=Message())
    if frame.refusal is not None:
        short = _without_folders(frame.refusal.text)
        frame = replace(frame, refusal=replace(frame.refusal, text=short))
    if situation.settings_trouble and frame.refusal is None:
        frame = replace(frame, refusal=_file_refusal(situation.settings_trouble))
    return HomeState(
        frame=frame,
        open=_open_match(situation, open_match) if open_match is not None else None,
        keys=KEYS if open_match is not None else (replace(KEYS[0], look=KeyLook.GO), *KEYS[1:]),
        devices=(*_foot(situation), *situation.parts),
    )


def _without_folders(text: str) -> str:
    """A text that names files, without where they lie.

    >>> _without_folders("/home/ana/matches.sqlite has no match '276b94b3de'")
    "matches.sqlite has no match '276b94b3de'"
    >>> _without_folders("Input/output error")
    'Input/output error'
    """
    return re.sub(r"(?<!\S)[~.]?/\S*/(?=[^/\s]+)", "", text)


def _file_refusal(trouble: str) -> Alert:
    """What is wrong with a file of this table, without the folders that it lies in; the way out.

    >>> _file_refusal("/home/ana/settings.toml: this is no TOML").text
    'settings.toml: this is no TOML'
    """
    told = _without_folders(trouble)
    unread = "settings.toml" in told and "cannot be written" not in told
    way_out = "The usual settings hold. Settings begin the file anew." if unread else ""
    return Alert(told, way_out, "", "", Mark.WARN)


def _foot(situation: Situation) -> list[Line]:
    """The devices in a word each: more, and the way out, stands in their own list."""
    alarms = {device.label or device.name: device.alarm for device in situation.devices}
    return [
        replace(line, value=alarms.get(line.name) or line.value.partition(". ")[0])
        for line in device_lines(situation)
    ]


def _open_match(situation: Situation, match: PastMatch) -> OpenMatch:
    teams = match.teams or tuple(Line(players) for players in match.players)
    resume = ResumeMatch(match.match_id)
    return OpenMatch(
        title=match.title.upper(),
        subtitle=match.subtitle,
        saved=f"SAVED {situation.clock(match.at)}",
        teams=teams,
        asked_next=match.summary,
        resume=Key("Resume", resume, "goes on where it was left", "play", KeyLook.GO),
        pieces=match.pieces,
    )


# Parts and layout.

_KEYS_WIDE = 300.0
_TEAMS_A_COLUMN = 2
_TEAM_HIGH = 20.0
"""Of a team's line, at least: its letters can be no smaller."""
_SUBTITLED_HIGH = 206.0
_BANK_DEG = (-28.0, 32.0)
_PLANES_WIDE = 168.0
"""So wide are both silhouettes, with their distance from the card's edge."""


@dataclass(frozen=True, kw_only=True)
class OpenMatchPart(Part):
    """The match to go on with: what, where in it, who, and what is asked next."""

    match: OpenMatch

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, Colour.HAIR, 1.5, Reach.BAND_RADIUS)
        self._draw_planes(pen)
        room = self.box.inset(18, 14)
        pen.text(self.match.saved, room.top(18), 14.5, Colour.INK2)
        pen.text(self.match.title, Box(room.x, room.y + 28, room.wide - 130, 32), 31)
        under = Box(room.x, room.y + 70, room.wide, 20)
        if room.high >= _SUBTITLED_HIGH:
            pen.text(self.match.subtitle, under, 16, Colour.INK2, face=Face.MEDIUM)
        hair = Box(room.x, room.bottom - 121, room.wide, 1)
        self._draw_teams(pen, Box(room.x, room.y + 104, room.wide, hair.y - room.y - 104))
        pen.fill(hair, Colour.HAIR)
        asked = Box(room.x, hair.bottom + 5, room.wide, 37)
        pen.text(self.match.asked_next, asked, 16, face=Face.MEDIUM, lines=2)

    def _draw_planes(self, pen: Pen) -> None:
        """Two silhouettes as in a title picture, no louder than an edge, none under the title."""
        planes = [look.sign for look in self.match.pieces if look.sign in SIGNS]
        free = self.box.wide - 18 - min(pen.width(self.match.title, 31), self.box.wide - 166)
        for n, plane in enumerate(planes[:2]):
            from_right = _PLANES_WIDE - 78 * n
            if from_right > free:
                continue
            at = Box(self.box.right - from_right, self.box.y + 3, 80, 80)
            pen.silhouette(plane, at, Colour.KEY, _BANK_DEG[n])
            pen.halo(plane, at, Colour.HAIR, _BANK_DEG[n])

    def _draw_teams(self, pen: Pen, room: Box) -> None:
        """A line each; more than two stand in two columns. None where a refusal needs the room."""
        teams = self.match.teams
        across = 1 if len(teams) <= _TEAMS_A_COLUMN else 2
        down = max(_TEAMS_A_COLUMN, -(-len(teams) // across))
        if room.high / down < _TEAM_HIGH:
            return
        for n, line in enumerate(teams):
            column = room.columns([1] * across, gap=12)[n % across]
            row = Box(column.x, room.y + n // across * room.high / down, column.wide, 28)
            self._draw_team(pen, row.top(min(28, room.high / down)), line)

    def _draw_team(self, pen: Pen, row: Box, line: Line) -> None:
        tint = Colour.INK if line.side is None else pen.theme.side(line.side.tint).text
        room = row
        if line.side is not None:
            emblem = min(25, row.high - 2)
            draw_emblem(pen, line.side, Box(row.x, row.y, emblem + 1, row.high).square(emblem))
            room = row.beside(emblem + (11 if row.high > emblem + 2 else 6))
        caps = min(18, row.high - 6)
        least = min(caps, Caps.DETAIL)
        name, right = pen.width(line.name, least) + 2, pen.width(line.right, least) + 4
        if name + right + 8 > room.wide:  # who plays is worth more than a count
            pen.text(line.name, room, caps, tint)
            return
        wide = max(
            right, min(room.wide - name - 8, pen.width(line.right, max(least, caps - 1)) + 4)
        )
        pen.text(line.name, room.left(room.wide - wide - 8), caps, tint)
        pen.text(line.right, Box(room.right - wide, room.y, wide, room.high), max(least, caps - 1),
                 align="right")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FootLine(Part):
    """One device at the foot: signal, name, what is known of it."""

    line: Line

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        draw_mark(pen, self.line.mark, Box(self.box.x, self.box.y, 22, 22).square(20))
        room = self.box.beside(28)
        pen.text(self.line.name, room.top(22), 15.5)
        pen.text(self.line.value, room.below(23), 14.5, Colour.INK2, face=Face.MEDIUM, lines=2,
                 across="top")  # fmt: skip


def layout(state: HomeState, page: Page) -> Parts:
    """Open match, five keys, four device lines; in portrait one under another."""
    above, body = page.refused(page.body.inset(0, 4), state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    card, keys = page.sides(body, body.wide - _KEYS_WIDE - 12)
    if page.portrait:
        many = state.open is not None and len(state.open.teams) > _TEAMS_A_COLUMN
        keys_high = max(3 * Reach.TARGET[1] + 2 * Reach.GAP, body.high * (0.34 if many else 0.42))
        card = body.top(body.high - keys_high - Reach.GAP)
        keys = body.below(body.high - keys_high)
    yield from _open_match_parts(state, card)
    yield from _keys(state, keys)
    yield from page.around(state.frame)
    yield from _foot_parts(state, page)


def _open_match_parts(state: HomeState, card: Box) -> Parts:
    if state.open is None:
        yield "open", Area(box=card, tint=Colour.PANEL, edge=Colour.HAIR)
        title, words = card.inset(24).rows([1, 1], gap=12)
        yield "open/none", Words(
            box=title, text="NO MATCH IS OPEN", caps=Caps.LEAD, tint=Colour.INK2,
            align="centre", across="bottom",
        )  # fmt: skip
        yield "open/new", Words(
            box=words, text=NEW_HERE, caps=20, tint=Colour.INK2, align="centre", lines=4,
            across="top",
        )  # fmt: skip
        return
    yield "open", OpenMatchPart(box=card, match=state.open)
    resume = Box(card.x + 12, card.bottom - 88, card.wide - 24, 76)
    yield "resume", key_cap(resume, state.open.resume, caps=24, primary=True)


def _keys(state: HomeState, room: Box) -> Parts:
    """New match wide, the others two by two."""
    first, second, third = room.rows([1, 1, 1], gap=Reach.GAP)
    places = [first, *second.columns([1, 1], gap=8), *third.columns([1, 1], gap=8)]
    for n, (box, key) in enumerate(zip(places, state.keys, strict=False)):
        caps = 20 if n == 0 else 17
        yield f"key/{n}", key_cap(box, key, caps=caps, sign_side=42)


_WEIGHT = (Mark.BAD, Mark.WARN, Mark.ASK, Mark.OK)


def _at_the_foot(lines: Sequence[Line]) -> Sequence[Line]:
    """The four that matter most, in their order; all of them stand in the list of devices."""
    weights = {mark: n for n, mark in enumerate(_WEIGHT)}
    heaviest = sorted(range(len(lines)), key=lambda n: weights.get(lines[n].mark, len(_WEIGHT)))
    return [lines[n] for n in sorted(heaviest[:4])]


def _foot_parts(state: HomeState, page: Page) -> Parts:
    """Where other screens have their bottom row: beside one another, in portrait two by two."""
    room = page.row.inset(14, 5)
    yield "foot/title", Words(box=room.top(14), text="TABLE", caps=Caps.DETAIL, tint=Colour.INK2)
    shown, across = _at_the_foot(state.devices), 2 if page.portrait else 4
    rows = room.below(18).rows([1] * (4 // across), gap=4)
    across = min(across, max(1, len(shown)))
    for n, line in enumerate(shown):
        box = rows[n // across].columns([1] * across)[n % across]
        yield f"foot/{n}", FootLine(box=box, line=line)
