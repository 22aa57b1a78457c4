"""The lock: whose cards lie on which section. A form of Declare questions, a row a team."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from companion.core.board import Look
from companion.core.question import Declare
from companion.referee.late import SENSOR
from ui.scene.scene import Scene, pages_of
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Mark, Message, ScreenFrame, Side
from ui.screens.arbiter import late
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, FillForm
from ui.widgets.box import Box
from ui.widgets.field_keys import said_band
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class BorderKey:
    """How many cards of one border lie there: letter, count, the card's border (light, dark)."""

    letter: str
    count: int
    border: str
    key: Key


@dataclass(frozen=True, slots=True)
class LockSection:
    """One section: number, note ("seen: 1 card", "something lies", ""), a key a border."""

    label: str
    note: str
    keys: tuple[BorderKey, ...]
    doubled: bool = False
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class LockTeam:
    """One team's row: "4 cards", "Pilot 2, Gunner 2", its sections."""

    side: Side
    total: str
    split: str
    sections: tuple[LockSection, ...]


@dataclass(frozen=True, slots=True)
class LockState:
    """Next tap: take the lock as shown, or the deed for a doubled section. Two teams a page."""

    frame: ScreenFrame
    lead: str
    teams: tuple[LockTeam, ...]
    page: int = 1
    pages: int = 1


BORDERS = ("light", "dark")
"""How a card's border is drawn: the first part of a Declare is the light one."""

DEVICES = {SENSOR: "sensor", "camera": "seen"}
"""How a section's note names the device that told it, or that saw what a hand told."""

TEAMS_A_PAGE = 2

MOST_ON_A_SECTION = 2
"""One tap each: none, one, two, none again. More is told by the arbiter's report."""


def present_lock(scene: Scene) -> LockState:
    """A form of Declare questions: a row a team, a key a border."""
    asked = [question for question in scene.open.values() if isinstance(question, Declare)]
    teams = as_they_stand(
        scene, [list(group) for _, group in groupby(asked, key=lambda question: question.by)]
    )
    doubled = [question for question in asked if sum(counts(scene, question).values()) > 1]
    shown, page, pages = pages_of(teams, scene.view.page, TEAMS_A_PAGE)
    return LockState(
        frame=scene.frame(
            message=_message(scene, asked) if pages == 1 else None,
            next_key=_next_key(scene, asked, doubled),
        ),
        lead=_lead(scene, [question for group in shown for question in group]),
        teams=tuple(_team(scene, group) for group in shown),
        page=page,
        pages=pages,
    )


def as_they_stand(scene: Scene, teams: Sequence[list[Declare]]) -> list[list[Declare]]:
    """The tracks as they lie before the screen: far ones first, each from left to right.

    A track across the screen's direction is told from its far end. In the order of the questions
    where the plan does not know where the sections are.
    """
    places = {question: _seen_at(scene, question) for team in teams for question in team}
    if None in places.values():
        return [*teams]
    known = {question: place for question, place in places.items() if place is not None}

    def middle(team: Sequence[Declare]) -> tuple[float, float]:
        xs, ys = zip(*(known[question] for question in team), strict=True)
        return round(sum(ys) / len(team)), round(sum(xs) / len(team))

    def along(team: Sequence[Declare]) -> list[Declare]:
        xs, ys = zip(*(known[question] for question in team), strict=True)
        lies_across = max(xs) - min(xs) >= max(ys) - min(ys)
        return sorted(team, key=lambda question: known[question][0 if lies_across else 1])

    return [along(team) for team in sorted(teams, key=middle)]


def _seen_at(scene: Scene, question: Declare) -> tuple[float, float] | None:
    """Where a question's section lies before the screen, mm; None where the plan lacks it."""
    space = scene.match.rulebook.seen_section(question)
    if space not in scene.map.plan.board_of:
        return None
    x, y = scene.map.seen_mm(scene.map.plan.centre_on_table(space))
    return x, y


def _is_known(scene: Scene, asked: list[Declare]) -> bool:
    """Whether anybody has told a card yet, or a camera has seen the tracks."""
    return late.looks(scene) or any(late.is_told(scene, q) or scene.seen(q.key) for q in asked)


def _lead(scene: Scene, asked: list[Declare]) -> str:
    """What to touch, and whose cards are asked for; first where something lies that is not told."""
    doubts = [_place(scene, question) for question in asked if late.is_in_doubt(scene, question)]
    if doubts:
        more = f" +{len(doubts) - 1}" if len(doubts) > 1 else ""
        return f"Whose? {doubts[0]}{more}"
    return "Where do cards lie?"


def _message(scene: Scene, asked: list[Declare]) -> Message:
    if _is_known(scene, asked):
        return Message("Wrong? Tap a border.", "A second tap makes two.")
    return Message("No card is told yet.", "One tap a card, two for a double.")


def counts(scene: Scene, question: Declare) -> Mapping[str, int]:
    """What is told of one section so far: answered, drafted, or nothing yet."""
    draft = scene.view.draft
    if draft is not None and draft.key == question.key and draft.opened == question.opened:
        return question.read(draft.raw)
    given = scene.match.answered.get(question.key, late.offered(scene, question))
    return question.read(given) if given is not None else dict.fromkeys(question.parts, 0)


def _place(scene: Scene, question: Declare) -> str:
    return f"{scene.names.label(question.by)} {question.of}"


def _team(scene: Scene, asked: list[Declare]) -> LockTeam:
    side = scene.side(asked[0].by)
    assert side is not None
    told = [counts(scene, question) for question in asked]
    sums = {part: sum(one[part] for one in told) for part in asked[0].parts}
    return LockTeam(
        side=side,
        total=late.cards_words(sum(sums.values())),
        split=", ".join(f"{part.capitalize()} {n}" for part, n in sums.items()),
        sections=tuple(_section(scene, question) for question in asked),
    )


def _section(scene: Scene, question: Declare) -> LockSection:
    told = counts(scene, question)
    total = sum(told.values())
    doubled, doubt = total > 1, late.is_in_doubt(scene, question)
    known = Mark.OK if late.is_told(scene, question) else Mark.NONE
    return LockSection(
        label=question.of,
        note="doubled" if doubled else _note(scene, question, total),
        keys=tuple(
            _border_key(question, told, part, border)
            for part, border in zip(question.parts, _borders(question), strict=True)
        ),
        doubled=doubled,
        mark=Mark.WARN if doubled or doubt else known,
    )


def _note(scene: Scene, question: Declare, total: int) -> str:
    """What is told of a section without two cards, and which device told it."""
    if not late.is_told(scene, question):
        return late.seen_note(scene, question)
    by = _device(scene, question.key)
    return f"{by}: empty" if by and not total else by or ("" if total else "empty")


def _device(scene: Scene, key: str) -> str:
    """The device whose word stands, as the note calls it; empty where a hand told it."""
    draft, source = scene.view.draft, scene.referee.sources.get(key)
    if source is None or (draft is not None and draft.key == key):
        return ""
    return DEVICES.get(source.second) or DEVICES.get(source.source, "")


def _borders(question: Declare) -> Iterable[str]:
    return (BORDERS[at % len(BORDERS)] for at in range(len(question.parts)))


def _border_key(question: Declare, told: Mapping[str, int], part: str, border: str) -> BorderKey:
    letter = part[:1].upper()
    touch = FillForm(Answer(question.key, question.opened, dict(one_more(question, told, part))))
    look = KeyLook.CHOSEN if told[part] else KeyLook.PLAIN
    return BorderKey(letter, told[part], border, Key(letter, touch, look=look))


def one_more(question: Declare, told: Mapping[str, int], part: str) -> dict[str, int]:
    """One card more of a border; after the most that a touch can say, none again."""
    most = min(MOST_ON_A_SECTION, question.most)
    return {**told, part: (told[part] + 1) % (most + 1)}


def _next_key(scene: Scene, asked: list[Declare], doubled: list[Declare]) -> Key:
    """Take the lock as shown: what was not touched is as it is seen, else empty."""
    label, second = _next_words(scene, asked, doubled)
    doubts = sum(late.is_in_doubt(scene, question) for question in asked)
    unsure = bool(doubts) or not _is_known(scene, asked)
    if doubts:
        second = f"hold: {doubts} in doubt, not counted"
    look = KeyLook.HOLD if unsure else KeyLook.GO
    answer = late.as_shown(scene, asked, {q.key: dict(counts(scene, q)) for q in asked})
    return Key(label, answer, second, "next", look)


def _next_words(scene: Scene, asked: list[Declare], doubled: list[Declare]) -> tuple[str, str]:
    if not _is_known(scene, asked):
        return ("No cards at all", "hold to say so")
    if doubled:
        return (f"Discard {_place(scene, doubled[0])}", "all of them, unseen")
    total = sum(sum(counts(scene, question).values()) for question in asked)
    return ("Lock is right", late.cards_words(total))


# Parts and layout.

_HEAD_WIDE = 168.0
_KEY_HIGH = 88.0
_TWO_LINES = 36.0
_NARROW_GAP = 7.0
_MOST_HIGH = 236.0
_OVER_HIGH = 54.0
"""Of a team's name over its sections, in portrait."""


@dataclass(frozen=True, kw_only=True)
class TeamHead(Part):
    """The row's ground, the team's name and how many cards it laid."""

    team: LockTeam
    over: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.team.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        if self.over:
            self._draw_over(pen, Box(self.box.x + 14, self.box.y + 8, self.box.wide - 24, 40))
            return
        room = Box(self.box.x + 18, self.box.y, _HEAD_WIDE - 26, self.box.high)
        draw_emblem(pen, self.team.side, Box(room.x + 2, room.y + 14, 38, 38))
        name = Box(room.x + 50, room.y + 20, room.wide - 50, 26)
        pen.text(self.team.side.name.upper(), name, 25, colours.text)
        pen.text(self.team.total, Box(room.x, room.bottom - 54, room.wide, 16), 15)
        split = Box(room.x, room.bottom - 30, room.wide, 16)
        pen.text(self.team.split, split, 14.5, Colour.INK2, face=Face.MEDIUM)

    def _draw_over(self, pen: Pen, room: Box) -> None:
        """Over the sections: the name at the left, what was told at the right."""
        tint = pen.theme.side(self.team.side.tint).text
        draw_emblem(pen, self.team.side, room.left(36).square(36))
        name, told = room.beside(48).columns([1.2, 1], gap=8)
        pen.text(self.team.side.name.upper(), name, 25, tint)
        upper, lower = told.rows([1, 1], gap=4)
        pen.text(self.team.total, upper, 15, align="right")
        pen.text(self.team.split, lower, 14.5, Colour.INK2, face=Face.MEDIUM, align="right")


@dataclass(frozen=True, kw_only=True)
class SectionHead(Part):
    """A section's number, what was seen of it, and a line under it if it is doubled or in doubt."""

    section: LockSection
    line_y: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        number = self.box.left(24)
        pen.text(self.section.label, number, 19, face=Face.FIGURES)
        warned = self.section.mark is Mark.WARN
        tint = Colour.INK if warned else Colour.INK2
        face = Face.BOLD if self.section.doubled else Face.MEDIUM
        lines = 2 if self.box.high >= _TWO_LINES else 1
        note = self.box.beside(19)
        pen.text(self.section.note, note, 14.5, tint, face=face, align="right", lines=lines)
        if warned:
            pen.fill(Box(self.box.x, self.line_y, self.box.wide, 3), Colour.WARN_LINE)


@dataclass(frozen=True, kw_only=True)
class BorderPart(Part):
    """A card's back as a key: the team's fill in a light or dark border, letter and count."""

    border: BorderKey
    tint: Look

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        letter, count = self.box.inset(6, 10).rows([1.35, 1])
        if not self.border.count and not pressed:
            pen.fill(self.box, Colour.PANEL, 6)
            pen.edge(self.box, Colour.EDGE, 1.5, 6)
            pen.text(self.border.letter, letter, 22, Colour.INK2, align="centre")
            return
        colours = pen.theme.side(self.tint)
        light = self.border.border == "light"
        pen.fill(self.box, Colour.PLATE_INK if light else Colour.PLATE, 6)
        pen.edge(self.box, Colour.EDGE if light else colours.text, 1.5, 6)
        pen.fill(self.box.inset(5.5), colours.fill, 3)
        pen.text(self.border.letter, letter, 22, colours.on_fill, align="centre")
        figure = str(self.border.count) if self.border.count else "+"
        pen.text(figure, count, 18, colours.on_fill, face=Face.FIGURES, align="centre")


def layout(state: LockState, page: Page) -> Parts:
    """Two rows of four sections; a refusal takes the lead line's place."""
    body = page.body
    lead = said_band(page.theme, body, Band((state.lead,)), low=True)
    room = body.below(lead.box.high + 4)
    if state.frame.refusal is not None:
        refused, room = page.refused(body, state.frame.refusal, tight=True)
        yield from page.refusal(refused, state.frame.refusal)
    else:
        yield "lead", lead
    rows = room.rows([1] * max(1, len(state.teams)), gap=6)
    for n, (room, team) in enumerate(zip(rows, state.teams, strict=True)):
        row = room.top(min(room.high, _MOST_HIGH))
        yield f"team/{n}", TeamHead(box=row, team=_bare(team), over=page.portrait)
        place = Box(row.x + _HEAD_WIDE + 8, row.y, row.wide - _HEAD_WIDE - 22, row.high)
        if page.portrait:
            place = Box(row.x + 8, row.y + _OVER_HIGH, row.wide - 10, row.high - _OVER_HIGH)
        yield from _sections(place, team, n, gap=_NARROW_GAP if page.portrait else 10.0)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _bare(team: LockTeam) -> LockTeam:
    return LockTeam(team.side, team.total, team.split, ())


def _sections(room: Box, team: LockTeam, n: int, *, gap: float) -> Parts:
    boxes = room.columns([1] * max(1, len(team.sections)), gap=gap)
    for place, section in zip(boxes, team.sections, strict=True):
        name = f"section/{n}.{section.label}"
        high = min(_KEY_HIGH, max(Reach.TARGET[1], room.high - _TWO_LINES - 22))
        keys = Box(place.x, room.bottom - high - 8, place.wide, high)
        bare = LockSection(section.label, section.note, (), section.doubled, section.mark)
        head = Box(place.x, room.y + 8, place.wide, keys.y - room.y - 12)
        yield name, SectionHead(box=head, section=bare, line_y=keys.bottom + 3)
        columns = keys.columns([1] * max(1, len(section.keys)), gap=min(6.0, gap - 2))
        for column, border in zip(columns, section.keys, strict=True):
            yield (
                f"{name}/{border.letter}",
                BorderPart(
                    box=column, border=border, tint=team.side.tint, action=border.key.action,
                    held=border.key.look is KeyLook.HOLD,
                ),
            )  # fmt: skip
