"""Counts: how many of each, told in a form of Count questions (or a Roll's dice), row by row.

A number of many is typed on a pad; of few each has its key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.offers import SectionState
from companion.core.question import Count, Declare, Question, Ready, Roll
from companion.core.ruling import TABLE, Json
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Mark, Message, PadGroup, ScreenFrame, Side
from ui.screens.arbiter.late import as_shown, is_in_doubt, is_told, looks, offered, seen_note
from ui.screens.match.lock import counts, one_more
from ui.screens.match.numbers import number_pad
from ui.screens.page import Page, Parts
from ui.touch.actions import Action, Answer, Answers, Fill, FillForm
from ui.widgets.box import Box
from ui.widgets.field_keys import asked_band
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import GAP, draw_emblem, pad
from ui.widgets.words import draw_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class CountRow:
    """One number asked: who, what, its keys; `value` is the one given ("" none yet).

    `chosen` is the row whose number is being typed, and `choose` chooses another one. `after` says
    what follows of it ("then draw 2: deck 11").
    """

    side: Side
    name: str
    prompt: str
    keys: tuple[Key, ...]
    value: str = ""
    after: str = ""
    mark: Mark = Mark.NONE
    chosen: bool = False
    choose: Action | None = None


@dataclass(frozen=True, slots=True)
class CountsState:
    """Rows as the form asks them, at most four a page; `pad` types the number of one of them.

    `band` says in few words what is counted, `lead` in a sentence.
    """

    frame: ScreenFrame
    band: Band
    lead: str
    rows: tuple[CountRow, ...]
    pad: tuple[PadGroup, ...] = ()
    page: int = 1
    pages: int = 1


ROWS_A_PAGE = 4
MOST_KEYS = 8
"""Keys in one row; a number of more is typed."""
NOBODY = Side("Table")
"""Whom a row has that no player answers for."""


def present_counts(scene: Scene) -> CountsState:
    """A form of Count questions, or the dice of a Roll."""
    asked = [q for q in scene.open.values() if isinstance(q, Count | Roll | Declare)]
    typing = _typed(scene, asked)
    rows = [row for question in asked for row in _rows(scene, question, typing)]
    pages = max(1, -(-len(rows) // ROWS_A_PAGE))
    page = min(scene.view.page, pages - 1)
    return CountsState(
        frame=scene.frame(
            message=Message(_lead(scene, asked, typing), str(asked[0].cite)),
            next_key=_taken_key(scene, asked, typing) or _next_key(scene, asked),
        ),
        band=_band(scene, asked, typing),
        lead=_lead(scene, asked, typing),
        rows=tuple(rows[page * ROWS_A_PAGE : (page + 1) * ROWS_A_PAGE]),
        pad=_pad(scene, typing) if typing is not None else (),
        page=page + 1,
        pages=pages,
    )


def _lead(scene: Scene, asked: Sequence[Question[Any]], typing: Count | None) -> str:
    """What is asked; of several, who are named in their rows, only what."""
    first = asked[0]
    if len({question.by for question in asked}) == 1:
        return first.prompt if typing is None else typing.prompt
    return scene.names.without(first.prompt, first.by)


def _band(scene: Scene, asked: Sequence[Count | Roll | Declare], typing: Count | None) -> Band:
    """What is counted, and who is asked where it is one."""
    first = asked[0] if typing is None else typing
    what = scene.names.without(first.headline, first.by) or "How many?"
    if len({question.by for question in asked}) > 1 or first.by == TABLE:
        return Band((what,))
    what = scene.names.after(first.headline, first.by) or what
    return Band((scene.names.player(first.by), what), scene.side(first.by))


def given(scene: Scene, question: Question[Any]) -> Json:
    """The answer told so far, the draft included, or what the camera offers; None without one."""
    draft = scene.view.draft
    if draft is not None and draft.key == question.key and draft.opened == question.opened:
        return draft.raw
    return scene.match.answered.get(question.key, offered(scene, question))


def _is_typed(question: Question[Any]) -> bool:
    """Whether it has more numbers than keys."""
    return isinstance(question, Count) and len(question.options_now()) > MOST_KEYS


def _typed(scene: Scene, asked: Sequence[Question[Any]]) -> Count | None:
    """Whose number the pad types: the one that was chosen, else the first that is not told."""
    listed = [q for q in asked if isinstance(q, Count) and _is_typed(q)]
    draft = scene.view.draft
    chosen = (q for q in listed if draft is not None and draft.key == q.key)
    silent = (q for q in listed if q.key not in scene.match.answered)
    return next(chosen, None) or next(silent, None) or next(iter(listed[::-1]), None)


def _so_far(scene: Scene, question: Count) -> int | None:
    """What was typed of it, and not taken yet."""
    draft = scene.view.draft
    typed = draft is not None and draft.key == question.key and draft.opened == question.opened
    raw = draft.raw if typed and draft is not None else None
    return raw if isinstance(raw, int) else None


def _pad(scene: Scene, question: Count) -> tuple[PadGroup, ...]:
    """Each figure makes the number longer; nothing is given before the next tap."""

    def fill(number: int | None) -> Fill:
        return Fill(Answer(question.key, question.opened, number))

    allowed = [int(option.name) for option in question.options_now()]
    return number_pad(_so_far(scene, question), allowed, fill, fill)


def _taken_key(scene: Scene, asked: Sequence[Question[Any]], question: Count | None) -> Key | None:
    """Takes the typed number, where others are still to be told, or it was told otherwise."""
    number = _so_far(scene, question) if question is not None else None
    if question is None or number is None:
        return None
    silent = [q for q in asked if given(scene, q) is None and q.lapse is None]
    if not silent and question.key not in scene.match.answered:
        return None
    answer = Answer(question.key, question.opened, number)
    who = _whose(scene, silent[0]) if silent else ""
    return Key("Next", FillForm(answer), f"then {who}" if who else "take it", "next", KeyLook.GO)


def _rows(scene: Scene, question: Count | Roll | Declare, typing: Count | None) -> list[CountRow]:
    if isinstance(question, Count):
        return [_count_row(scene, question, typing)]
    if isinstance(question, Declare):
        return [_parts_row(scene, question)]
    return [_die_row(scene, question, die) for die in range(question.dice)]


def _count_row(scene: Scene, question: Count, typing: Count | None) -> CountRow:
    """Every number with its key; of one that is typed the number itself, which chooses the row."""
    value = given(scene, question)
    names = [option.name for option in question.options_now()]
    keys = [
        Key(
            name,
            FillForm(Answer(question.key, question.opened, int(name))),
            look=KeyLook.CHOSEN if value is not None and str(value) == name else KeyLook.PLAIN,
        )
        for name in ([] if _is_typed(question) else names)
    ]
    shown = "" if value is None else str(value)
    row, note = _row(scene, question), _count_note(scene, question)
    besides = row.prompt if row.prompt != row.name else ""
    prompt = " · ".join(filter(None, (besides, note)))
    mark = _mark(scene, question)
    row = replace(row, prompt=prompt, keys=tuple(keys), value=shown, mark=mark)
    if not _is_typed(question):
        return row
    choose = Fill(Answer(question.key, question.opened, None))
    return replace(row, chosen=question is typing, choose=choose)


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


def _row(scene: Scene, question: Question[Any]) -> CountRow:
    side = scene.side(question.by) or NOBODY
    what = scene.names.label(question.by) if question.by != TABLE else question.headline
    who = _whose(scene, question)
    return CountRow(side, who, what or who, ())


def _whose(scene: Scene, question: Question[Any]) -> str:
    """Who is asked; of what the table counts which pile: "Draw pile"."""
    if question.by != TABLE:
        return scene.names.player(question.by)
    pile = question.headline.partition(": ")[2]
    return pile[:1].upper() + pile[1:] or "Table"


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
        who = _whose(scene, silent[0])
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

_BAND_HIGH = 72.0
"""Of what is counted, on one row."""
_BAND_GAP = 8.0
"""Letters that reach below their line end over the first row."""
_UPRIGHT_COLUMNS = 6
_NAME_WIDE = 272.0
_AFTER_WIDE = 132.0
_MARK_WIDE = 36.0
_MOST_HIGH = 84.0
_FEWEST, _FEWEST_WORDS = 5, 3
"""Fewer keys than this in a row are no wider; words need more room than figures."""


_ROWS_WIDE = 412.0
"""What the rows have beside a pad."""


@dataclass(frozen=True, kw_only=True)
class CountGround(Part):
    """Who is asked at the left, what follows of the number, or the number itself, at the right.

    The row of which a number is typed is edged; touching another one chooses it.
    """

    row: CountRow
    words_wide: float = _NAME_WIDE

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.row.side.tint)
        touched = self.row.choose is not None
        pen.fill(self.box, Colour.KEY if touched else Colour.PANEL, Reach.RADIUS)
        if self.row.chosen or pressed:
            pen.edge(self.box, Colour.GO, Reach.HOLD_EDGE, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        draw_emblem(
            pen, self.row.side, Box(self.box.x + 12, self.box.y, 30, self.box.high).square(30)
        )
        room = Box(self.box.x + 50, self.box.y, self.words_wide - 54, self.box.high).inset(0, 9)
        upper, lower = room.rows([1.2, 1], gap=2)
        if not self.row.prompt:
            upper = room
        pen.text(self.row.name, upper, 19, colours.text, lines=1)
        pen.text(self.row.prompt, lower, 15, Colour.INK2, face=Face.MEDIUM)
        after = Box(self.box.right - _AFTER_WIDE, self.box.y, _AFTER_WIDE - 10, self.box.high)
        if self.row.mark:
            draw_mark(pen, self.row.mark, Box(after.right - 22, after.y, 22, after.high).square(20))
            after = after.left(after.wide - 28)
        if touched:
            pen.text(self.row.value or "?", after, 36, align="right")
        elif self.row.after:
            pen.text(self.row.after, after.inset(0, 6), 16, lines=2, face=Face.MEDIUM)


def layout(state: CountsState, page: Page) -> Parts:
    """What is counted, large, over a row for each number; a pad beside them, or under them."""
    top, body = page.refused(page.body, state.frame.refusal)
    least = _least_high(state, page)
    if state.frame.refusal is not None:
        yield from page.refusal(top, state.frame.refusal)
    most = body.high - least - _BAND_GAP
    band = asked_band(page.theme, body, state.band, max(_BAND_HIGH, most))
    if state.frame.refusal is None or band.box.high <= most:
        yield "band", band
        body = body.below(band.box.high + _BAND_GAP)
    if not state.pad:
        yield from _rows_of_keys(state, body, page)
    else:
        rows, keys = page.sides(body, _ROWS_WIDE)
        shown = state.pad
        if page.portrait:
            shown, low = _two_rows(state.pad), 2 * Reach.TARGET[1] + 16
            wanted = _numbers_high(state)
            if body.high - wanted >= _pad_high(state.pad):
                shown, low = state.pad, _pad_high(state.pad)
            high = min(len(state.rows) * 70.0, body.high - low)
            rows, keys = body.top(high), body.below(high + 4)
        yield from _rows_of_numbers(state, rows)
        yield from pad(keys, shown, caps=26, most_high=90)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _least_high(state: CountsState, page: Page) -> float:
    """What rows and pad need at the least, u."""
    least = Reach.TARGET[1]
    if not state.pad:
        each = 2 * least + 3 if page.portrait else least + 10
        return len(state.rows) * (each + 6)
    if page.portrait:
        return _numbers_high(state) + 2 * least + 16
    return max(_numbers_high(state), _pad_high(state.pad))


def _numbers_high(state: CountsState) -> float:
    return len(state.rows) * (Reach.TARGET[1] + 6)


def _pad_high(groups: Sequence[PadGroup]) -> float:
    """So much the rows of a pad need at the least, and what is over them."""
    return sum(group.rows for group in groups) * (Reach.TARGET[1] + GAP) + 4


def _two_rows(groups: Sequence[PadGroup]) -> tuple[PadGroup, ...]:
    """The same keys in two rows, for a narrow screen with many numbers."""
    return tuple(
        replace(
            group,
            keys=tuple(
                replace(key, row=at // _UPRIGHT_COLUMNS, column=at % _UPRIGHT_COLUMNS)
                for at, key in enumerate(group.keys)
            ),
        )
        for group in groups
    )


def _rows_of_numbers(state: CountsState, room: Box) -> Parts:
    """Each number large in its row."""
    number = max(1, len(state.rows))
    high = min(_MOST_HIGH, (room.high - 6 * (number - 1)) / number)
    for n, row in enumerate(state.rows):
        box = Box(room.x, room.y + n * (high + 6), room.wide, high)
        words = box.wide - _AFTER_WIDE
        shown = replace(row, keys=(), choose=row.choose)
        yield f"count/{n}", CountGround(box=box, row=shown, words_wide=words, action=row.choose)


def _rows_of_keys(state: CountsState, room: Box, page: Page) -> Parts:
    """Who and what at the left of its keys; in portrait over them."""
    rows = state.rows[:ROWS_A_PAGE]
    most = _MOST_HIGH if not page.portrait else 2 * _MOST_HIGH
    number = max(3 if page.portrait else 4 if len(rows) > 3 else 1, len(rows))
    high = min(most, (room.high - 6 * (number - 1)) / number)
    for n, row in enumerate(rows):
        box = Box(room.x, room.y + n * (high + 6), room.wide, high)
        ground = box.top(high / 2) if page.portrait else box
        yield f"count/{n}", CountGround(box=ground, row=replace(row, keys=()))
        right = _AFTER_WIDE if row.after else _MARK_WIDE if row.mark else 0.0
        keys_high = max(Reach.TARGET[1], high - 10)
        keys = Box(box.x + _NAME_WIDE, box.y, box.wide - _NAME_WIDE - right - 8, high)
        keys = keys.inset(0, (high - keys_high) / 2)
        if page.portrait:
            keys = Box(box.x, ground.bottom + 3, box.wide, max(Reach.TARGET[1], high / 2 - 6))
        least = _FEWEST_WORDS if any(len(key.label) > 3 for key in row.keys) else _FEWEST
        places = keys.columns([1] * max(least, len(row.keys)), gap=6)
        for at, (place, key) in enumerate(zip(places, row.keys, strict=False)):
            yield f"count/{n}/{at}", key_cap(place, key, caps=22)
