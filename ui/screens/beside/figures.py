"""Assumed figures: what a book leaves open, held against the table's own copy before a match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from companion.core.text import counted
from companion.games import find_rulebook
from companion.kit.hexes import Hex
from companion.match.rulebook import Setup
from ui.scene.map import MapState, view_of
from ui.scene.scene import BACK, Situation, page_keys, pages_of, quiet_frame, why_key
from ui.scene.steps import without_coordinates
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Key, KeyLook, Mark, Message, PadGroup, PadKey, ScreenFrame
from ui.screens.match.field_poses import PosePad, space_pad, whole_board_key
from ui.screens.page import Page, Parts
from ui.touch.actions import (
    FIGURE,
    ConfirmFigures,
    EditName,
    Panel,
    SetFigure,
    Show,
    TurnPage,
)
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal
from ui.widgets.field_map import touched_board
from ui.widgets.key import key_cap, short_cites
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import pad
from ui.widgets.words import Words, draw_mark

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.core.ruling import Json
    from companion.kit.figures import AssumedFigure
    from ui.touch.view import SetupDraft, View


# One figure: state, and what it says.

LIST = Show(Panel.FIGURES)
"""Back to all of them."""


@dataclass(frozen=True, slots=True)
class FigureState:
    """What the figure is called and how it stands; spaces to touch on the map, or keys.

    Where `spaces` are asked, those that count are the chosen ones, and `map` lies under them.
    """

    frame: ScreenFrame
    label: str
    text: str
    cite: str
    groups: tuple[PadGroup, ...] = ()
    spaces: PosePad | None = None
    map: MapState | None = None


def is_changed_here(figure: AssumedFigure, plan: BoardPlan) -> bool:
    """Whether a screen of its own, or the keyboard, can change it."""
    by_keys = is_of_numbers(figure.value) or _is_heading(figure, plan) or figure.choices
    return bool(figure.is_name or by_keys or is_of_spaces(_spaces_of(figure)))


def _spaces_of(figure: AssumedFigure) -> Json:
    """The spaces that it is, or that its word stands for."""
    return figure.value if is_of_spaces(figure.value) else figure.spaces


def is_of_spaces(value: Json) -> bool:
    """Whether a figure is a list of spaces, each by its two coordinates.

    >>> is_of_spaces([[0, -3], [3, 0]]), is_of_spaces([]), is_of_spaces([1, 3]), is_of_spaces(4)
    (True, True, False, False)
    """
    return isinstance(value, list) and all(
        isinstance(item, list) and len(item) == 2 and is_of_numbers(item) for item in value
    )


def is_of_numbers(value: Json) -> bool:
    """Whether a figure is several whole numbers."""
    return isinstance(value, list) and bool(value) and all(type(item) is int for item in value)


def value_in_words(figure: AssumedFigure) -> str:
    """What holds now; spaces are counted here and lit on the map, for no board has coordinates."""
    if is_of_spaces(figure.value):
        return counted(len(cast("Sequence[Json]", figure.value)), "space")
    return dict(figure.choices).get(figure.text, figure.text) or "none"


def plan_of(situation: Situation, box: str) -> BoardPlan:
    """The board as this table has read it so far."""
    own = dict(situation.own_figures.get(box, {}))
    return find_rulebook(box)(Setup(box, cards=own)).plan


def _as_on_the_rows(
    frame: ScreenFrame, plan: BoardPlan, figures: Sequence[AssumedFigure]
) -> ScreenFrame:
    """A refusal names the figure as its row does, and no coordinates, which no board has in print.

    A place in the table's file that has no row is not named.
    """
    refusal = frame.refusal
    if refusal is None:
        return frame
    text = without_coordinates(plan, refusal.text, lambda how, _: f"{how} one space".strip())
    within = f"{refusal.code}."
    called = next((one.label for one in figures if within.startswith(f"{one.name}.")), "")
    return replace(frame, refusal=replace(refusal, text=text, code=called))


def present_figure(
    situation: Situation, view: View, figure: AssumedFigure, plan: BoardPlan
) -> FigureState:
    """The figure with whatever changes it; each touch is judged and kept at once."""
    on_map = is_of_spaces(_spaces_of(figure))
    pad = _spaces(situation, view, figure, plan) if on_map else None
    enlarged = (*whole_board_key(pad), *_choice_keys(figure, "ring")) if pad is not None else ()
    shown = view_of(plan, situation.settings.screen_side, {})
    return FigureState(
        frame=_as_on_the_rows(
            quiet_frame(
                situation,
                view,
                "CHECK THE BOX",
                find_rulebook(view.setup.box).title,
                keys=(Key("Back", LIST, sign="back"), *enlarged),
                message=Message("Touch the spaces." if pad is not None else "", str(figure.cite)),
                next_key=Key("It is right", LIST, "to the other figures", "next", KeyLook.GO),
            ),
            plan,
            listed_figures(situation, view.setup),
        ),
        label=figure.label,
        text=value_in_words(figure),
        cite=str(figure.cite),
        groups=_groups(figure, plan),
        spaces=pad,
        map=shown.draw({}) if pad is not None else None,
    )


def _spaces(situation: Situation, view: View, figure: AssumedFigure, plan: BoardPlan) -> PosePad:
    """Every space of the board; a touch puts it among those that count, or takes it out."""
    spaces = cast("Sequence[Sequence[int]]", _spaces_of(figure))
    listed = [(int(q), int(r)) for q, r in spaces]
    touches = {
        name: SetFigure(figure.name, _toggled(listed, Hex.read(name)))
        for board in plan.boards
        if board.facings
        for name in (space.name for space in board.spaces)
    }
    chosen = {str(Hex(q, r)) for q, r in listed}
    shown = view_of(plan, situation.settings.screen_side, {})
    return space_pad(shown, touches, chosen, view.near)


def _toggled(listed: Sequence[tuple[int, int]], space: Hex) -> Json:
    kept: list[Json] = [[q, r] for q, r in listed if (q, r) != space]
    return kept if len(kept) < len(listed) else [*kept, [space.q, space.r]]


def _groups(figure: AssumedFigure, plan: BoardPlan) -> tuple[PadGroup, ...]:
    if is_of_numbers(figure.value):
        numbers = cast("Sequence[int]", figure.value)
        called = _called(figure.label, len(numbers))
        return tuple(_number(figure.name, called[at], numbers, at) for at in range(len(numbers)))
    keys = _choice_keys(figure)
    if _is_heading(figure, plan):
        keys = tuple(_choice(figure, name, name) for name in _headings(plan))
    if not keys:
        return ()
    return (PadGroup("", "", tuple(PadKey(key, 0, n) for n, key in enumerate(keys))),)


def _choice_keys(figure: AssumedFigure, sign: str = "") -> tuple[Key, ...]:
    """A key for each word that it may be."""
    return tuple(_choice(figure, value, words, sign) for value, words in figure.choices)


def _choice(figure: AssumedFigure, value: str, words: str, sign: str = "") -> Key:
    look = KeyLook.CHOSEN if value == figure.value else KeyLook.PLAIN
    return Key(words, SetFigure(figure.name, value), sign=sign, look=look)


def _called(label: str, many: int) -> Sequence[str]:
    """What each of several numbers is, as the figure's label lists it; else which of them it is.

    >>> _called("Pilot card: PILOT, value, Damage", 3), _called("Lewis Guns, range", 2)
    (['PILOT', 'value', 'Damage'], ['1. of 2', '2. of 2'])
    """
    _, colon, names = label.rpartition(": ")
    listed = re.split(", | and ", names) if colon else []
    return listed if len(listed) == many else [f"{at}. of {many}" for at in range(1, many + 1)]


def _number(name: str, called: str, numbers: Sequence[int], at: int) -> PadGroup:
    """One of several numbers, with one less and one more."""

    def changed(by: int) -> SetFigure:
        return SetFigure(name, [*numbers[:at], numbers[at] + by, *numbers[at + 1 :]])

    less = Key("Less", changed(-1), f"to {numbers[at] - 1}", "minus")
    more = Key("More", changed(1), f"to {numbers[at] + 1}", "plus")
    if not numbers[at]:
        less = Key("Less", None, "none left", "minus", KeyLook.IMPOSSIBLE)
    return PadGroup(f"{called}: {numbers[at]}", "", (PadKey(less, 0, 0), PadKey(more, 0, 1)))


def _is_heading(figure: AssumedFigure, plan: BoardPlan) -> bool:
    return figure.value in _headings(plan)


def _headings(plan: BoardPlan) -> tuple[str, ...]:
    return next((board.facings for board in plan.boards if board.facings), ())


# All figures: state, and what they say.

ROWS_A_PAGE = 5


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure: what it is, where it belongs, what holds; keys where it is a whole number.

    `mark` is a tick once somebody has looked.
    """

    label: str
    cite: str
    text: str
    mark: Mark = Mark.NONE
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class FiguresState:
    """A page of figures; the next tap confirms them all as they stand."""

    frame: ScreenFrame
    lead: str
    rows: tuple[FigureRow, ...]
    page: int = 1
    pages: int = 1


def listed_figures(situation: Situation, draft: SetupDraft) -> Sequence[AssumedFigure]:
    """The figures of the chosen box, as this table has read them so far."""
    figures = find_rulebook(draft.box).figures
    own = situation.own_figures.get(draft.box, {})
    return figures.listed(own) if figures is not None else ()


def waiting_figures(situation: Situation, draft: SetupDraft) -> int:
    """How many figures of the chosen box nobody at this table has looked at."""
    return sum(not figure.confirmed for figure in listed_figures(situation, draft))


def present_figures(situation: Situation, view: View) -> FiguresState | FigureState:
    """Every figure to hold against the real components; confirmed once the last page was seen.

    A part of the panel is one figure with a screen of its own.
    """
    figures = listed_figures(situation, view.setup)
    plan = plan_of(situation, view.setup.box)
    for figure in figures:
        if figure.name == view.part:
            return present_figure(situation, view, figure, plan)
    title = find_rulebook(view.setup.box).title
    shown, page, pages = pages_of(figures, view.page, ROWS_A_PAGE)
    left = sum(not figure.confirmed for figure in figures)
    confirm = _confirm_key(left, len(figures))
    cites = (str(figure.cite) for figure in shown)
    return FiguresState(
        frame=_as_on_the_rows(
            quiet_frame(
                situation,
                view,
                "CHECK THE BOX",
                title,
                keys=(BACK, *page_keys(page, pages), *why_key(view.setup.box, cites)),
                message=_message(situation, view.setup),
                next_key=confirm if page == pages else _page_key(page, pages),
            ),
            plan,
            figures,
        ),
        lead="Hold these against the board and the cards.",
        rows=tuple(_row(figure, plan) for figure in shown),
        page=page,
        pages=pages,
    )


def _message(situation: Situation, draft: SetupDraft) -> Message:
    """How a figure is put right, and whether something else is to be looked at."""
    rules = find_rulebook(draft.box).figures
    own = situation.own_figures.get(draft.box, {})
    notices = rules.notices(own) if rules is not None else ()
    said = f"{counted(len(notices), 'card')} to look at: told as the match begins."
    return Message(said if notices else "", "Wrong? Put it right here.")


def _page_key(page: int, pages: int) -> Key:
    """On to what was not looked at yet."""
    return Key("These are right", TurnPage(1), f"then {page + 1} of {pages}", "next", KeyLook.GO)


def _confirm_key(left: int, total: int) -> Key:
    if not left:
        return Key("Go on", ConfirmFigures(), f"all {total} are confirmed", "next", KeyLook.GO)
    return Key("All are right", ConfirmFigures(), f"{left} of {total} assumed", "tick", KeyLook.GO)


def _row(figure: AssumedFigure, plan: BoardPlan) -> FigureRow:
    mark = Mark.OK if figure.confirmed else Mark.ASK
    words = value_in_words(figure)
    return FigureRow(figure.label, str(figure.cite), words, mark, _keys(figure, plan))


def _keys(figure: AssumedFigure, plan: BoardPlan) -> tuple[Key, ...]:
    """One less and one more, within the figure's limits; else its own screen."""
    value, low, high = figure.value, figure.low, figure.high
    if not isinstance(value, int) or low is None or high is None:
        if not is_changed_here(figure, plan):
            return ()
        if figure.is_name:
            typed = EditName(f"{FIGURE}{figure.name}", figure.label, "As it is printed", str(value))
            return (Key("Type", typed, sign="pen"),)
        label = "On the map" if is_of_spaces(_spaces_of(figure)) else "Change"
        return (Key(label, Show(Panel.FIGURES, figure.name), sign="pen"),)
    return (
        _step(figure, value - 1, "minus", possible=value > low, limit=f"min. {low}"),
        _step(figure, value + 1, "plus", possible=value < high, limit=f"max. {high}"),
    )


def _step(figure: AssumedFigure, value: int, sign: str, *, possible: bool, limit: str) -> Key:
    if not possible:
        return Key(limit, None, "the limit", look=KeyLook.IMPOSSIBLE)
    label = "Less" if sign == "minus" else "More"
    return Key(label, SetFigure(figure.name, value), sign=sign)


# All figures: parts and layout.

_LEAD_HIGH = 32.0
_ROW_HIGH = Reach.TARGET[1] + 3
_GAP = 4.0
_KEY_WIDE = 74.0
_UPRIGHT_ROW = 112.0
_VALUE_CAPS = 21.0
_MANY = 9
"""Lines: as many as the room has; the letters become as large as they may."""


@dataclass(frozen=True, kw_only=True)
class FigureGround(Part):
    """Whether somebody has looked, what it is, and what holds."""

    row: FigureRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        draw_mark(pen, self.row.mark, Box(self.box.x + 8, self.box.y, 24, self.box.high).square(24))
        room = Box(self.box.x + 42, self.box.y, self.box.wide - 54, self.box.high)
        if pen.theme.portrait:
            self._draw_upright(pen, room.inset(0, min(6.0, (room.high - 64) / 4)))
        else:
            self._draw_beside(pen, room.inset(0, min(6.0, (room.high - 43) / 2)))

    def _draw_beside(self, pen: Pen, room: Box) -> None:
        """What it is at the left; at the right what holds, over where that belongs."""
        told = self._cite(pen, room.wide * 0.5)
        cite_wide = pen.width(told, Caps.DETAIL, Face.MEDIUM)
        value_wide = pen.width(self.row.text, _VALUE_CAPS)
        wide = min(max(cite_wide, value_wide) + 4, room.wide * 0.5)
        words = room.left(room.wide - wide - 14)
        pen.text(self.row.label, words, 17, lines=_MANY)
        value, cite = Box(room.right - wide, room.y, wide, room.high).rows([20, 14], gap=7)
        pen.text(self.row.text, value, _VALUE_CAPS, align="right", lines=_MANY)
        pen.text(told, cite, 14, Colour.INK2, face=Face.MEDIUM, align="right")

    def _draw_upright(self, pen: Pen, room: Box) -> None:
        """What it is over where it belongs and what holds; a long value has lines of its own."""
        value_wide = pen.width(self.row.text, _VALUE_CAPS) + 14
        cite = self._cite(pen, room.wide - value_wide)
        cite_wide = pen.width(cite, Caps.DETAIL, Face.MEDIUM) + 4
        if cite_wide + value_wide <= room.wide:
            foot = room.below(room.high - 24)
            pen.text(cite, foot.left(room.wide - value_wide), 15, Colour.INK2, face=Face.MEDIUM,
                     across="bottom")  # fmt: skip
            pen.text(self.row.text, foot, _VALUE_CAPS, align="right", across="bottom")
            pen.text(self.row.label, room.top(room.high - 32), 18, lines=_MANY)
            return
        below = room.below(room.high - 15)
        shares = [lines_high(pen.lines(text, 15, room.wide), 15) for text in self._texts]
        label, value = room.top(room.high - 26).rows(shares, gap=6)
        pen.text(self.row.label, label, 17, lines=_MANY)
        pen.text(self.row.text, value, 17, lines=_MANY)
        pen.text(self._cite(pen, room.wide), below, 15, Colour.INK2, face=Face.MEDIUM)

    @property
    def _texts(self) -> tuple[str, str]:
        return self.row.label, self.row.text

    def _cite(self, pen: Pen, wide: float) -> str:
        """Where the figure belongs; in short where there is little room: Why? shows it all."""
        whole = pen.width(self.row.cite, Caps.DETAIL, Face.MEDIUM) + 4
        return self.row.cite if whole <= wide else short_cites(self.row.cite)


def layout(state: FiguresState, page: Page) -> Parts:
    """The lead line over a page of figures; a refusal takes the lead's place."""
    if state.frame.refusal is None:
        lead = Box(page.body.x + 4, page.body.y - 4, page.body.wide - 8, _LEAD_HIGH)
        yield "lead", Words(box=lead, text=state.lead, caps=26)
        room = page.body.below(_LEAD_HIGH + 4)
    else:
        above, room = page.refused(page.body, state.frame.refusal, tight=True)
        yield from page.refusal(above, state.frame.refusal)
    most = _UPRIGHT_ROW if page.portrait else _ROW_HIGH
    high = min(most, (room.high - _GAP * (ROWS_A_PAGE - 1)) / ROWS_A_PAGE)
    for n, row in enumerate(state.rows):
        box = Box(room.x, room.y + n * (high + _GAP), room.wide, high)
        keys_wide = (_KEY_WIDE + Reach.GAP) * 2 if any(row.keys for row in state.rows) else 0.0
        ground = box.left(box.wide - keys_wide) if row.keys else box
        yield f"figure/{n}", FigureGround(box=ground, row=replace(row, keys=()))
        for at, key in enumerate(row.keys):
            place = box.beside(box.wide - keys_wide + Reach.GAP).columns(
                [1] * len(row.keys), gap=Reach.GAP
            )[at]
            yield f"figure/{n}/{at}", key_cap(place, key, caps=15, sign_side=20)
    yield from page.around(state.frame, pages=(state.page, state.pages))


# One figure: parts and layout.

_MAP_WIDE = 484.0
_WORDS_HIGH = 146.0
_REFUSAL_HIGH = 160.0


@dataclass(frozen=True, kw_only=True)
class FigureWords(Part):
    """What the figure is, over how it stands now."""

    label: str
    text: str
    cite: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        room = self.box.inset(14, 12)
        cite = room.below(room.high - 17)
        pen.text(self.cite, cite, 15, Colour.INK2, face=Face.MEDIUM, across="bottom")
        room = room.top(room.high - 27)
        share = lines_high(pen.lines(self.label, 22, room.wide), 22) + 8
        first = room.top(min(share, room.high * 0.62))
        pen.text(self.label, first, 24, lines=_MANY, across="top")
        below = room.below(first.high + 10)
        pen.text(self.text, below, 24, lines=_MANY, across="top")


def figure_layout(state: FigureState, page: Page) -> Parts:
    """The map or the keys at one side, what they say at the other; upright one over the other."""
    if page.portrait:
        yield from _upright_figure(state, page)
        return
    shown, beside = page.sides(page.body, _MAP_WIDE)
    if state.spaces is not None and state.map is not None:
        yield from touched_board(shown, state.map, state.spaces)
    else:
        yield from pad(shown, state.groups, caps=20, most_high=72)
    words = beside
    if state.frame.refusal is not None:
        words = beside.top(beside.high - _REFUSAL_HIGH - 6)
        box = beside.below(beside.high - _REFUSAL_HIGH)
        yield "refusal", narrow_refusal(box, state.frame.refusal)
    yield "words", FigureWords(box=words, label=state.label, text=state.text, cite=state.cite)
    yield from page.around(state.frame)


def _upright_figure(state: FigureState, page: Page) -> Parts:
    """What the figure is, over its map or its keys."""
    words, shown = page.body.top(_WORDS_HIGH), page.body.below(_WORDS_HIGH + Reach.GAP)
    if state.frame.refusal is not None:
        yield from page.refusal(words, state.frame.refusal)
    else:
        yield "words", FigureWords(box=words, label=state.label, text=state.text, cite=state.cite)
    if state.spaces is None or state.map is None:
        yield from pad(shown, state.groups, caps=20, most_high=72)
    else:
        whole = Box(0, shown.y, page.wide, shown.high)  # fingers need all of the window's width
        yield from touched_board(whole, state.map, state.spaces)
    yield from page.around(state.frame)
