"""Counts: how many of each, told in a form of Count questions (or a Roll's dice), row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.offers import SectionState
from companion.core.question import Count, Declare, Roll
from companion.core.ruling import TABLE
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Frame, Key, KeyLook, Mark, Message, Side
from ui.screens.arbiter.late import as_shown, is_in_doubt, is_told, looks, offered, seen_note
from ui.screens.match.lock import counts, one_more
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, Answers, FillForm
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words, draw_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.question import Question, Ready
    from companion.core.ruling import Json
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class CountRow:
    """One number asked: who, what, its keys; `value` is the one given ("" none yet).

    `after` says what follows of it ("then draw 2: deck 11").
    """

    side: Side
    name: str
    prompt: str
    keys: tuple[Key, ...]
    value: str = ""
    after: str = ""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class CountsState:
    """Rows as the form asks them, at most four a page."""

    frame: Frame
    lead: str
    rows: tuple[CountRow, ...]
    page: int = 1
    pages: int = 1


ROWS_A_PAGE = 4
MOST_KEYS = 8
"""Keys in one row; a question with more answers is stepped through."""
_FIRST_STEPS = (0, 1, 2, 3, 5, 10, 25, 50)
_STEPS = (-50, -25, -5, -1, 0, 1, 5, 25)
NOBODY = Side("Table")


def present_counts(scene: Scene) -> CountsState:
    """A form of Count questions, or the dice of a Roll."""
    asked = [q for q in scene.open.values() if isinstance(q, Count | Roll | Declare)]
    rows = [row for question in asked for row in _rows(scene, question)]
    pages = max(1, -(-len(rows) // ROWS_A_PAGE))
    page = min(scene.view.page, pages - 1)
    return CountsState(
        frame=scene.frame(
            message=Message(_how(scene, asked), str(asked[0].cite)),
            next_key=_next_key(scene, asked),
        ),
        lead=_lead(scene, asked),
        rows=tuple(rows[page * ROWS_A_PAGE : (page + 1) * ROWS_A_PAGE]),
        page=page + 1,
        pages=pages,
    )


def _lead(scene: Scene, asked: Sequence[Question[Any]]) -> str:
    """What is asked; of several, who are named in their rows, only what."""
    first = asked[0]
    if len({question.by for question in asked}) == 1:
        return first.prompt
    return scene.names.without(first.prompt, first.by)


def _how(scene: Scene, asked: Sequence[Count | Roll | Declare]) -> str:
    """What is counted; where there are more numbers than keys, how to come to the right one."""
    if any(isinstance(q, Count) and len(q.options_now()) > MOST_KEYS for q in asked):
        return "Touch the nearest, then step."
    first = asked[0]
    if len({question.by for question in asked}) == 1:
        return scene.names.in_full(first.headline, first.by) or "How many?"
    return scene.names.without(first.headline, first.by) or "How many?"


def given(scene: Scene, question: Question[Any]) -> Any:
    """The answer told so far, the draft included, or what the camera offers; None without one."""
    draft = scene.view.draft
    if draft is not None and draft.key == question.key and draft.opened == question.opened:
        return draft.raw
    return scene.match.answered.get(question.key, offered(scene, question))


def _rows(scene: Scene, question: Count | Roll | Declare) -> list[CountRow]:
    if isinstance(question, Count):
        return [_count_row(scene, question)]
    if isinstance(question, Declare):
        return [_parts_row(scene, question)]
    return [_die_row(scene, question, die) for die in range(question.dice)]


def _count_row(scene: Scene, question: Count) -> CountRow:
    value = given(scene, question)
    names = [option.name for option in question.options_now()]
    keys = [
        Key(
            name,
            FillForm(Answer(question.key, question.opened, int(name))),
            look=KeyLook.CHOSEN if value is not None and str(value) == name else KeyLook.PLAIN,
        )
        for name in _nearby(names, value)
    ]
    shown = "" if value is None else str(value)
    row, note = _row(scene, question), _count_note(scene, question)
    besides = row.prompt if row.prompt != row.name or not note else ""
    prompt = " · ".join(filter(None, (besides, note)))
    mark = _mark(scene, question)
    return replace(row, prompt=prompt, keys=tuple(keys), value=shown, mark=mark)


def _count_note(scene: Scene, question: Count) -> str:
    """What the camera counts of a player's cards, or which sections keep it from counting them."""
    if is_told(scene, question):
        return ""
    if (seen := offered(scene, question)) is not None:
        return f"seen: {seen}"
    if not _is_count_in_doubt(scene, question):
        return ""
    where = ", ".join(one.of for one in _sections_in_doubt(scene, question))
    return f"in doubt: {where}" if where else "in doubt"


def _on_tracks(scene: Scene) -> list[Declare]:
    """The questions of the form that ask of a section for cards."""
    declares = [one for one in scene.open.values() if isinstance(one, Declare)]
    return [one for one in declares if scene.match.rulebook.seen_section(one)]


def _is_count_in_doubt(scene: Scene, question: Question[Any]) -> bool:
    """Whether a camera that looks at the tracks cannot say how many, and nobody has."""
    if not (isinstance(question, Count) and looks(scene) and _on_tracks(scene)):
        return False
    return offered(scene, question) is None and not is_told(scene, question)


def _sections_in_doubt(scene: Scene, question: Count) -> list[Declare]:
    """The sections of the player's side where something lies that the camera cannot tell."""
    side = scene.side(question.by)
    mine = [one for one in _on_tracks(scene) if scene.side(one.by) == side]
    seen = [(one, scene.seen_there(one)) for one in mine]
    return [one for one, lies in seen if lies is not None and lies.state is SectionState.DOUBT]


def _nearby(names: Sequence[str], value: object) -> list[str]:
    """Of more numbers than have a key each: the one told and steps from it, small and large.

    >>> _nearby([str(n) for n in range(201)], None)
    ['0', '1', '2', '3', '5', '10', '25', '50']
    >>> _nearby([str(n) for n in range(201)], 50)
    ['0', '25', '45', '49', '50', '51', '55', '75']
    """
    if len(names) <= MOST_KEYS:
        return list(names)
    told = names.index(str(value)) if str(value) in names else None
    places = _FIRST_STEPS if told is None else [told + step for step in _STEPS]
    within = {min(max(place, 0), len(names) - 1) for place in places}
    return [names[place] for place in sorted(within)]


def _row(scene: Scene, question: Question[Any]) -> CountRow:
    side = scene.side(question.by) or NOBODY
    who = "Table" if question.by == TABLE else scene.names.player(question.by)
    return CountRow(side, who, scene.names.label(question.by), ())


def _parts_row(scene: Scene, question: Declare) -> CountRow:
    """Several counts in one row: each key counts its part up, and begins again at none."""
    told = counts(scene, question)
    keys = tuple(
        Key(
            f"{part.capitalize()} {count}",
            FillForm(Answer(question.key, question.opened, dict(one_more(question, told, part)))),
            look=KeyLook.CHOSEN if count else KeyLook.PLAIN,
        )
        for part, count in told.items()
    )
    words = question.headline or question.prompt
    note = "" if is_told(scene, question) else seen_note(scene, question)
    mark = Mark.WARN if is_in_doubt(scene, question) else _mark(scene, question)
    return replace(_row(scene, question), prompt=words, keys=keys, after=note, mark=mark)


def _die_row(scene: Scene, question: Roll, die: int) -> CountRow:
    faces = faces_told(given(scene, question), question.dice)
    keys = tuple(
        Key(
            str(face),
            FillForm(
                Answer(question.key, question.opened, [*faces[:die], face, *faces[die + 1 :]])
            ),
            look=KeyLook.CHOSEN if faces[die] == face else KeyLook.PLAIN,
        )
        for face in range(1, question.faces + 1)
    )
    value = str(faces[die]) if faces[die] else ""
    return replace(_row(scene, question), prompt=f"die {die + 1}", keys=keys, value=value)


def faces_told(told: Json, dice: int) -> list[int]:
    """The dice told so far, 0 for each that is not."""
    listed = told if isinstance(told, list) else []
    faces = [face if isinstance(face, int) else 0 for face in listed]
    return (faces + [0] * dice)[:dice]


def _mark(scene: Scene, question: Question[Any]) -> Mark:
    return Mark.OK if question.key in scene.match.answered else Mark.NONE


def _next_key(scene: Scene, asked: list[Count | Roll | Declare]) -> Key:
    """Goes on once everybody has said a number; a draft that would close the form closes it."""
    silent = [q for q in asked if given(scene, q) is None and q.lapse is None]
    if silent:
        who = scene.names.player(silent[0].by)
        return Key("Next", None, f"{who}: no number yet", "next", KeyLook.IMPOSSIBLE)
    if scene.closing is not None:
        return _closing_key(scene, scene.closing, asked)
    answers = tuple(
        Answer(q.key, q.opened, q.lapse if given(scene, q) is None else given(scene, q))
        for q in asked
        if q.key not in scene.match.answered
    )
    return Key("Next", Answers(answers), "all have said", "next", KeyLook.GO)


def _closing_key(scene: Scene, closing: Ready, asked: list[Count | Roll | Declare]) -> Key:
    """Says the word for what is shown: what was not touched is as it is seen, else none.

    Held where something lies that would not count, and where nobody has told or seen anything.
    """
    shown = {q.key: _shown(scene, q) for q in asked}
    answer = as_shown(scene, asked, shown)
    doubts = sum(is_in_doubt(scene, q) or _is_count_in_doubt(scene, q) for q in asked)
    if doubts:
        second, look = f"hold: {doubts} in doubt, not counted", KeyLook.HOLD
    elif _on_tracks(scene) and not looks(scene) and not any(is_told(scene, q) for q in asked):
        return Key("No cards at all", answer, "hold, or tell who laid", "next", KeyLook.HOLD)
    else:
        second, look = "goes on", KeyLook.GO
    return Key(closing.word.capitalize(), answer, second, "next", look)


def _shown(scene: Scene, question: Count | Roll | Declare) -> Json:
    if isinstance(question, Declare):
        return dict(counts(scene, question))
    raw: Json = given(scene, question)
    return raw


# Parts and layout.

_LEAD_HIGH = 46.0
_NAME_WIDE = 272.0
_AFTER_WIDE = 132.0
_MARK_WIDE = 36.0
_MOST_HIGH = 84.0
_FEWEST, _FEWEST_WORDS = 5, 3
"""Fewer keys than this in a row are no wider; words need more room than figures."""


@dataclass(frozen=True, kw_only=True)
class CountGround(Part):
    """Who is asked at the left, what follows of the number at the right."""

    row: CountRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.row.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        draw_emblem(
            pen, self.row.side, Box(self.box.x + 12, self.box.y, 30, self.box.high).square(30)
        )
        room = Box(self.box.x + 50, self.box.y, _NAME_WIDE - 54, self.box.high).inset(0, 9)
        upper, lower = room.rows([1.2, 1], gap=2)
        pen.text(self.row.name, upper, 19, colours.text, lines=1)
        pen.text(self.row.prompt, lower, 15, Colour.INK2, face=Face.MEDIUM)
        after = Box(self.box.right - _AFTER_WIDE, self.box.y, _AFTER_WIDE - 10, self.box.high)
        if self.row.mark:
            draw_mark(pen, self.row.mark, Box(after.right - 22, after.y, 22, after.high).square(20))
            after = after.left(after.wide - 28)
        if self.row.after:
            pen.text(self.row.after, after.inset(0, 6), 16, lines=2, face=Face.MEDIUM)


def layout(state: CountsState, page: Page) -> Parts:
    """The lead line over a row for each number asked."""
    body = page.body
    lead = Box(body.x + 4, body.y - 2, body.wide - 8, _LEAD_HIGH - 4)
    if state.frame.refusal is not None:
        yield from page.refusal(Box(body.x, body.y - 6, body.wide, 53), state.frame.refusal)
    else:
        yield "lead", Words(box=lead, text=state.lead, caps=30)
    room = body.below(_LEAD_HIGH + 4)
    high = min(_MOST_HIGH, (room.high - 18) / 4 if len(state.rows) > 3 else _MOST_HIGH)
    for n, row in enumerate(state.rows[:4]):
        box = Box(room.x, room.y + n * (high + 6), room.wide, high)
        yield f"count/{n}", CountGround(box=box, row=replace(row, keys=()))
        right = _AFTER_WIDE if row.after else _MARK_WIDE if row.mark else 0.0
        keys = Box(box.x + _NAME_WIDE, box.y + 5, box.wide - _NAME_WIDE - right - 8, high - 10)
        least = _FEWEST_WORDS if any(len(key.label) > 3 for key in row.keys) else _FEWEST
        places = keys.columns([1] * max(least, len(row.keys)), gap=6)
        for at, (place, key) in enumerate(zip(places, row.keys, strict=False)):
            yield f"count/{n}/{at}", key_cap(place, key, caps=22)
    yield from page.around(state.frame, pages=(state.page, state.pages))
