"""New match on one page: the boxes with a picture each, who plays, and the way to all else.

What has many values (the game, the timer, house rules) opens as a list and leads back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.core.board import BoardPlan, Look, Piece, Pose, Space
from companion.core.errors import BadCall
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.match.house_rules import Switch
from companion.match.rulebook import Rulebook, Setup
from ui.scene import draft as drafts
from ui.scene.books import cites_in
from ui.scene.map import MapState, view_of
from ui.scene.scene import BACK, IN_ORDER, Situation, page_keys, pages_of, quiet_frame, why_key
from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Alert, Key, KeyLook, Mark, Message, ScreenFrame, SeatField, Side
from ui.scene.words import (
    Names,
    option_in_words,
    option_value_in_words,
    with_options_in_words,
)
from ui.screens.beside.figures import waiting_figures
from ui.screens.beside.seat import (
    TO_MATCH,
    brought_in_words,
    seat_opens,
)
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Panel, SetupChoice, Show, StartMatch
from ui.touch.view import SetupDraft, View
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.plan import draw_plan
from ui.widgets.teams import draw_emblem

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the choices: BOX, GAME, SEATS, TIMER, HOUSE RULES, with its present value."""

    title: str
    value: str
    mark: Mark
    key: Key


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One thing to choose: its values as keys, one line why, the ruling, barred if changed."""

    title: str
    values: tuple[Key, ...]
    why: str = ""
    cite: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """A box as a key: its boards in small, its title and how many play."""

    key: Key
    map: MapState


@dataclass(frozen=True, slots=True)
class NewMatchState:
    """The page: boxes, choices and seats; or with a title the rows of one of the choices."""

    frame: ScreenFrame
    title: str = ""
    boxes: tuple[BoxChoice, ...] = ()
    choices: tuple[Choice, ...] = ()
    seats: tuple[SeatField, ...] = ()
    map: MapState | None = None
    rows: tuple[ChoiceRow, ...] = ()
    page: int = 1
    pages: int = 1


LISTS = ("GAME", "TIMER", "HOUSE RULES")
"""The choices that open as a list."""
ROWS_A_PAGE, BESIDE_REFUSAL = 3, 2
LONGEST_VALUE = 19
"""Letters of what a choice shows as its present value."""
STORED = "Stored in the match and shown with every ruling that needs it."
NAMES_MAY_WAIT = "Names may wait: until then seats are called as they are here."
DONE = Key("Done", TO_MATCH, "to New match", "next", KeyLook.GO)


def present_new_match(situation: Situation, view: View) -> NewMatchState:
    """The page, or the list of it that was opened."""
    draft = view.setup
    rulebook = drafts.rules_of(draft)
    fault = drafts.fault_of(draft.box, draft.variants, draft.options)
    if fault:
        view = replace(view, refusal=view.refusal or _refused(fault))
    if view.part in _choices(rulebook):
        return _list(situation, view, rulebook)
    return _page(situation, view, rulebook, fault)


def read_ahead(box: str) -> None:
    """Find out of a box what its key shows; what was found is kept. On any thread."""
    drafts.players_in_words(box)
    _plan(box, (), ())


def _page(
    situation: Situation, view: View, rulebook: type[Rulebook[Any]], fault: str
) -> NewMatchState:
    draft = view.setup
    faults = drafts.seat_faults(draft, rulebook)
    if fault:
        faults = {**faults, "": "these do not go together"}
    return NewMatchState(
        frame=quiet_frame(
            situation,
            view,
            "NEW MATCH",
            f"{rulebook.title}, {_variants_in_words(draft, rulebook)}",
            keys=(BACK,),
            message=Message(second=_on_the_page(draft)),
            next_key=_start_key(faults, waiting_figures(situation, draft)),
        ),
        boxes=tuple(_box(box, draft, situation) for box in RULEBOOKS),
        choices=(
            *(_choice(name, draft, rulebook) for name in _choices(rulebook)),
            _first_match(situation, draft),
        ),
        seats=_seats(situation, draft, rulebook, faults),
        map=None if fault else _map(draft.box, draft.variants, draft.options, situation),
    )


def _on_the_page(draft: SetupDraft) -> str:
    """What may be left out; nothing once everybody is named."""
    return NAMES_MAY_WAIT if drafts.next_unnamed(draft, "") else ""


def _list(situation: Situation, view: View, rulebook: type[Rulebook[Any]]) -> NewMatchState:
    """The values of one choice; its key leads back to the page."""
    draft, part = view.setup, view.part
    most = ROWS_A_PAGE if view.refusal is None else BESIDE_REFUSAL
    rows, page, pages = pages_of(_rows(part, draft, rulebook), view.page, most)
    back = Key("Back", TO_MATCH, sign="back")
    turning = page_keys(page, pages, words=IN_ORDER)
    return NewMatchState(
        quiet_frame(
            situation,
            view,
            part,
            rulebook.title,
            keys=(back, *turning, *why_key(draft.box, (row.cite for row in rows))),
            message=Message(second=STORED if pages == 1 else ""),
            next_key=DONE,
        ),
        part,
        rows=tuple(rows),
        page=page,
        pages=pages,
    )


def _refused(fault: str) -> Alert:
    """Why these house rules do not go together, in the place of a refused answer."""
    first, _, way_out = fault.partition(": ")
    return Alert(first, way_out, "SET-UP", ", ".join(cites_in(fault)))


def _choices(rulebook: type[Rulebook[Any]]) -> tuple[str, ...]:
    """What there is to choose: a game without timed rounds has no timer."""
    return tuple(name for name in LISTS if name != "TIMER" or drafts.TIMER in rulebook.switches)


def _start_key(faults: dict[str, str], waiting: int) -> Key:
    """On to the table check; before the first match of a box, to the figures nobody has seen."""
    if faults:
        return Key("Table check", None, next(iter(faults.values())), "next", KeyLook.IMPOSSIBLE)
    if waiting:
        return Key("Check the box", Show(Panel.FIGURES), f"{waiting} figures", "next", KeyLook.GO)
    return Key("Table check", StartMatch(), "then the match", "next", KeyLook.GO)


def _box(box: str, draft: SetupDraft, situation: Situation) -> BoxChoice:
    look = KeyLook.CHOSEN if box == draft.box else KeyLook.PLAIN
    title, words = find_rulebook(box).title, drafts.players_in_words(box)
    key = Key(title, SetupChoice("box", box), words, look=look)
    return BoxChoice(key, _map(box, (), (), situation))


def _choice(name: str, draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> Choice:
    value = _value(name, draft, rulebook)
    return Choice(name, value, Mark.NONE, Key(name, Show(Panel.NEW_MATCH, name), value))


def _first_match(situation: Situation, draft: SetupDraft) -> Choice:
    """Help before the first match of a box; marked while nobody has played it here."""
    new = situation.past.is_new(draft.box)
    value = "new here? look" if new else "what lies where"
    key = Key("FIRST MATCH", Show(Panel.FIRST_MATCH), value)
    return Choice("FIRST MATCH", value, Mark.ASK if new else Mark.NONE, key)


def _value(name: str, draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> str:
    """What is chosen so far, in a few words."""
    options = rulebook.read_options(dict(draft.options))
    match name:
        case "GAME":
            words = _variants_in_words(draft, rulebook)
            counted = f"{words} · {len(drafts.persons_of(draft, rulebook))} seats"
            return counted if len(counted) <= LONGEST_VALUE else words
        case "TIMER":
            return seconds_in_words(options.get(drafts.TIMER))
        case _:
            changed = sum(
                options[switch.name] != switch.default for switch in _others(draft, rulebook)
            )
            return f"{changed} changed" if changed else "by the book"


def _variants_in_words(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> str:
    return ", ".join(_variant_in_words(name) for name in rulebook.usual(draft.variants))


def _variant_in_words(name: str) -> str:
    """A variant's name on a key: "Team battle"."""
    return name.replace("-", " ").capitalize()


def seconds_in_words(value: Json) -> str:
    """A timer's value: "20 s", "no timer"."""
    return f"{value} s" if isinstance(value, int) else "no timer"


def _rows(part: str, draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> list[ChoiceRow]:
    options = rulebook.read_options(dict(draft.options))
    match part:
        case "GAME":
            seats = (_switch_row(switch, options) for switch in drafts.seating_of(draft, rulebook))
            return [*_game_rows(draft, rulebook), *seats]
        case "TIMER":
            return [_switch_row(rulebook.switches[drafts.TIMER], options)]
        case _:
            return [_switch_row(switch, options) for switch in _others(draft, rulebook)]


def _others(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> list[Switch]:
    """The house rules that do not stand with the game."""
    with_game = {switch.name for switch in drafts.seating_of(draft, rulebook)}
    return [switch for switch in drafts.house_rules(rulebook) if switch.name not in with_game]


def _game_rows(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> list[ChoiceRow]:
    """The game, and what else of the box may be mixed into it."""
    box, chosen = find_rulebook(draft.box), rulebook.usual(draft.variants)
    games = [(_variant_in_words(name), name) for name in box.variants]
    rows = [_chosen_row("Game", "variants", games, chosen[0])]
    mixed = [name for name in box.variants if name != chosen[0] and _mixes(box, chosen[0], name)]
    if mixed:
        alone = [("Nothing", chosen[0])]
        also = [(_variant_in_words(name), f"{chosen[0]} {name}") for name in mixed]
        rows.append(_chosen_row("And with it", "variants", [*alone, *also], " ".join(chosen)))
    return rows


def _mixes(box: type[Rulebook[Any]], game: str, other: str) -> bool:
    """Whether the book lets two chapters be played together, and the other changes something."""
    try:
        return box.in_variants((game, other)) is not box.in_variants((game,))
    except BadCall:
        return False


def _chosen_row(title: str, name: str, values: list[tuple[str, str]], chosen: str) -> ChoiceRow:
    keys = tuple(
        Key(words, SetupChoice(name, value), look=_look(chosen=value == chosen))
        for words, value in values
    )
    return ChoiceRow(title, keys)


def _switch_row(switch: Switch, options: dict[str, Json]) -> ChoiceRow:
    """A house rule with its values; one given on a command line stands beside those listed.

    Numbers of players stand as they are counted, whichever is the usual one.
    """
    present = options[switch.name]
    values = switch.values if present in switch.values else (*switch.values, present)
    if switch.name == "players":
        values = tuple(sorted(values, key=lambda one: (not isinstance(one, int), str(one))))
    keys = tuple(
        Key(
            option_value_in_words(switch.name, value),
            SetupChoice(f"option.{switch.name}", value),
            look=_look(chosen=value == present and type(value) is type(present)),
        )
        for value in values
    )
    title, text = option_in_words(switch.name), with_options_in_words(switch.text, options)
    return ChoiceRow(title, keys, text, str(switch.cite), changed=present != switch.default)


def _look(*, chosen: bool) -> KeyLook:
    return KeyLook.CHOSEN if chosen else KeyLook.PLAIN


def _seats(
    situation: Situation, draft: SetupDraft, rulebook: type[Rulebook[Any]], faults: dict[str, str]
) -> tuple[SeatField, ...]:
    names, said = Names.of(rulebook, {}), dict(draft.seats)
    goods = drafts.offered_to(rulebook, situation.own_figures.get(draft.box, {}))
    return tuple(
        SeatField(
            seat=str(seat),
            label=_with_goods(label, brought_in_words(goods, said.get(seat, ""), rulebook)),
            player=rulebook.person(said.get(seat, "")),
            side=names.side(seat) or Side(label),
            opens=seat_opens(situation, draft, rulebook, seat),
            error=faults.get(str(seat), ""),
            board=label,
        )
        for seat, label in drafts.persons_of(draft, rulebook).items()
    )


def _with_goods(label: str, goods: str) -> str:
    return f"{label} · {goods}" if goods else label


def _map(
    box: str,
    variants: tuple[str, ...],
    options: tuple[tuple[str, Json], ...],
    situation: Situation,
) -> MapState:
    """The boards as they lie before the screen."""
    plan, looks, placement = _plan(box, variants, options)
    return view_of(plan, situation.settings.screen_side, looks).draw(placement)


@lru_cache(maxsize=16)
def _plan(
    box: str, variants: tuple[str, ...], options: tuple[tuple[str, Json], ...]
) -> tuple[BoardPlan, Mapping[str, Look], Mapping[Piece, Pose]]:
    """A game's boards, looks and first places; read once, for this screen is drawn anew."""
    setup = Setup(box, variants, options=dict(options))
    rules = rulebook_of(setup)(setup)
    placement = rules.position.placement() or _somewhere(rules.plan)
    return rules.plan, rules.looks, placement


_SPOTS = ((0.24, 0.3, 1), (0.76, 0.7, 4), (0.76, 0.28, 4), (0.24, 0.72, 1))
"""Where pieces stand in a picture of a board on which none stands yet: shares of its sides, and
where they look."""


def _somewhere(plan: BoardPlan) -> Mapping[Piece, Pose]:
    """A few pieces on the largest board, so that a picture of it tells what is played with."""
    board = max(plan.boards, key=lambda one: len(one.spaces))
    wide, high = board.size_mm

    def nearest(across: float, down: float) -> Space:
        return min(
            board.spaces, key=lambda one: math.dist(one.centre_mm, (wide * across, high * down))
        )

    firsts = {token.label.split()[-1]: token.piece for token in reversed(plan.tokens)}
    pieces = tuple(reversed(firsts.values()))[: len(_SPOTS)]
    return {
        piece: Pose(nearest(across, down).name, facing if board.facings else None)
        for piece, (across, down, facing) in zip(pieces, _SPOTS, strict=False)
    }


# Rows of values to choose from; the settings have them, too.

_MOST_HIGH = 184.0
_LEAST_ROW_HIGH, _ROW_GAP = 104.0, 4.0
_MOST_COLUMNS = 5
_KEY_HIGH = 51.0


@dataclass(frozen=True, kw_only=True)
class RowGround(Part):
    """Title, ruling and why around the keys; a bar marks a value that is not the book's.

    `why_box` is where the one line why stands: under the keys, or beside few of them.
    """

    row: ChoiceRow
    why_box: Box

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, 5)
        if self.row.changed:
            pen.fill(self.box.left(5), Colour.INK, 2)
        room = self.box.inset(13, 5)
        cite = self.row.cite + (" · changed" if self.row.changed and self.row.cite else "")
        wide = pen.width(cite, 14) + 8 if cite else 0.0
        pen.text(self.row.title, Box(room.x, room.y, room.wide - wide, 18), 16)
        if cite:
            tint = Colour.INK if self.row.changed else Colour.INK2
            at = Box(room.right - wide, room.y, wide, 18)
            pen.text(cite, at, 14, tint, align="right")
        if self.row.why:
            most = max(1, int((self.why_box.high + 9) // 22))
            pen.text(self.row.why, self.why_box, 15, Colour.INK2, face=Face.MEDIUM, lines=most)


def choice_rows(room: Box, rows: Sequence[ChoiceRow], theme: Theme, name: str = "row") -> Parts:
    """Rows one under another, each its title over its values over one line why."""
    for n, (box, row) in enumerate(
        zip(stacked(room, len(rows), high=_MOST_HIGH, gap=4), rows, strict=True)
    ):
        yield from _row(box, row, f"{name}/{n}", theme)


def _row(box: Box, row: ChoiceRow, name: str, theme: Theme) -> Parts:
    inner = Box(box.x + 12, box.y + 27, box.wide - 24, _KEY_HIGH)
    under = Box(inner.x + 1, inner.bottom + 2, inner.wide, box.bottom - inner.bottom - 4)
    columns, why = max(len(row.values), 3), under
    if columns > _MOST_COLUMNS:
        lower = under.below(_KEY_HIGH + 6)
        why = lower if lower.high >= 15 else under.top(0)
    too_long = text_wide(theme, row.why, 14, Face.MEDIUM) > under.wide
    if too_long and under.high < 34 and len(row.values) <= 2:
        columns = 4
        beside = inner.columns([1] * columns, gap=8)[2]
        why = Box(beside.x + 4, inner.y - 2, inner.right - beside.x - 4, box.bottom - inner.y)
    bare = ChoiceRow(row.title, (), row.why, row.cite, row.changed)
    yield name, RowGround(box=box, row=bare, why_box=why)
    for at, (place, key) in enumerate(zip(_places(inner, columns), row.values, strict=False)):
        yield f"{name}/{at}", key_cap(place, key)


def _places(inner: Box, columns: int) -> list[Box]:
    """A place for each key: beside one another, many in two lines."""
    if columns <= _MOST_COLUMNS:
        return inner.columns([1] * columns, gap=8)
    each = -(-columns // 2)
    below = inner.moved(down=_KEY_HIGH + 6)
    return [*inner.columns([1] * each, gap=8), *below.columns([1] * each, gap=8)]


# Parts and layout.

_SEAT_HIGH = (54.0, 74.0)
"""In landscape, and in portrait, where what is wrong with a name has two lines."""
_CHOICE_HIGH = 52.0
_TITLE_CAPS = 15.0
_ONE_COLUMN, _LISTED_HIGH, _SHORT = 5, 61.0, 20


@dataclass(frozen=True, kw_only=True)
class ChoicePart(Part):
    """A choice as a key: title, present value, and an arrow to where it is chosen."""

    choice: Choice

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.GO if pressed else Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink, second = (Colour.GO_INK, Colour.GO_INK) if pressed else (Colour.INK, Colour.INK2)
        room = self.box.inset(12, 6)
        sign = self.choice.mark or "right"
        pen.sign(sign, Box(room.right - 18, room.y, 18, room.high).square(18), second)
        room = room.left(room.wide - 24)
        upper, lower = room.rows([1, 1.1])
        pen.text(self.choice.title, upper, 14, second)
        pen.text(self.choice.value, lower, 17, ink)


@dataclass(frozen=True, kw_only=True)
class SeatPart(Part):
    """A seat as a key: emblem, the player's name (or that it is missing), the seat."""

    field: SeatField

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.field.side.tint)
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        edge = Colour.BAD if self.field.error else colours.text
        pen.edge(self.box, edge, 1.8, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else Colour.INK
        second = Colour.GO_INK if pressed else Colour.INK2
        if self.field.error:
            pen.sign(Mark.BAD, Box(self.box.x + 6, self.box.y, 18, self.box.high).square(18), ink)
            room = self.box.beside(27).inset(0, 4)
            self._draw_fault(pen, room.left(room.wide - 5), ink, second)
        else:
            draw_emblem(pen, self.field.side, Box(self.box.x + 8, self.box.y, 26, self.box.high))
            room = self.box.beside(42).inset(0, 6)
            self._draw_words(pen, room.left(room.wide - 5), ink, second)

    def _draw_fault(self, pen: Pen, room: Box, ink: Colour, second: Colour) -> None:
        """The name, and under it what is wrong with it."""
        pen.text(self.field.player, room.top(15), 15, ink)
        why = room.below(19)
        lines = 1 if pen.width(self.field.error, 14, Face.MEDIUM) <= why.wide else 2
        pen.text(self.field.error, why, 14, second, face=Face.MEDIUM, lines=lines, across="top")

    def _draw_words(self, pen: Pen, room: Box, ink: Colour, second: Colour) -> None:
        """The name over the seat; a long one has two lines."""
        name = self.field.player or "Touch to name"
        if not self.field.player and pen.width(name, Caps.DETAIL) > room.wide:
            name = "Name?" if pen.width("Name?", Caps.DETAIL) <= room.wide else "?"
        label = self.field.label
        if pen.width(label, Caps.DETAIL, Face.MEDIUM) > room.wide:
            label = self.field.seat
        tint = ink if self.field.player else second
        if pen.width(name, Caps.DETAIL) > room.wide:
            lines = pen.lines(name, Caps.DETAIL, room.wide)
            high = lines_high(lines, Caps.DETAIL) + 2
            if high + 22 > room.high:  # the emblem has the seat's letter
                pen.text(name, room, 15, tint, lines=lines)
                return
            pen.text(name, room.top(high), 15, tint, lines=lines)
            pen.text(label, room.below(room.high - 15), 14, second, face=Face.MEDIUM)
            return
        upper, lower = room.rows([1.1, 1])
        pen.text(name, upper, 17, tint)
        pen.text(label, lower, 14.5, second, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class BoxPart(Part):
    """A box as a key: its boards over its title and how many play."""

    choice: BoxChoice

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = (self.choice.key.look is KeyLook.CHOSEN) != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.GO if inverted else Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink, second = (Colour.GO_INK, Colour.GO_INK) if inverted else (Colour.INK, Colour.INK2)
        room = self.box.inset(8, 6)
        title = self.choice.key.label
        lines = min(2, pen.lines(title, _TITLE_CAPS, room.wide))
        words_high = lines_high(lines, _TITLE_CAPS) + 24
        words = room.below(room.high - words_high)
        view = Box(self.box.x + 4, self.box.y + 4, self.box.wide - 8, words.y - self.box.y - 9)
        pen.fill(view, Colour.LAND, 4)
        draw_plan(pen, view.inset(6, 4), self.choice.map)
        pen.text(title, words.top(words_high - 22), _TITLE_CAPS, ink, lines=lines)
        under = words.below(words_high - 18)
        pen.text(self.choice.key.second, under, Caps.DETAIL, second, face=Face.MEDIUM)


def layout(state: NewMatchState, page: Page) -> Parts:
    """Boxes over choices over seats; or the rows of one choice over the whole width."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    if not state.title:
        yield from _whole_page(state, body, page)
    elif len(state.rows) == 1 and (whole := state.rows[0].values) and _is_list(whole):
        columns = 1 if len(whole) <= _ONE_COLUMN else 2
        lines = stacked(body, -(-len(whole) // columns), high=_LISTED_HIGH, gap=5)
        for n, key in enumerate(whole):
            place = lines[n // columns].columns([1] * columns, gap=8)[n % columns]
            yield f"row/0/{n}", key_cap(place, key, caps=20, align="left")
    else:
        fitting = max(1, int((body.high + _ROW_GAP) // _LEAST_ROW_HIGH))
        yield from choice_rows(body, state.rows[:fitting], page.theme)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _is_list(keys: Sequence[Key]) -> bool:
    """Whether keys need lines of their own: they have long words, or more to say."""
    return any(key.second or len(key.label) > _SHORT for key in keys)


def _whole_page(state: NewMatchState, body: Box, page: Page) -> Parts:
    """From above: boxes (in portrait in two rows), choices, seats."""
    down, across = (2, 3) if page.portrait else (1, max(1, len(state.boxes)))
    choices_down = 2 if page.portrait else 1
    seat_high = _SEAT_HIGH[page.portrait]
    seats_high = 2 * seat_high + 6
    choices_high = choices_down * _CHOICE_HIGH + (choices_down - 1) * 6
    boxes = body.top(body.high - seats_high - choices_high - 2 * Reach.GAP)
    rows = boxes.rows([1] * down, gap=6)
    for n, choice in enumerate(state.boxes):
        place = rows[n // across].columns([1] * across, gap=6)[n % across]
        yield f"box/{n}", BoxPart(box=place, choice=choice, action=choice.key.action)
    under = body.below(boxes.high + Reach.GAP)
    yield from _choice_parts(state, under.top(choices_high), choices_down)
    yield from _seat_parts(state, under.below(choices_high + Reach.GAP))


def _choice_parts(state: NewMatchState, room: Box, down: int) -> Parts:
    rows = room.rows([1] * down, gap=6)
    across = -(-len(state.choices) // down)
    for n, choice in enumerate(state.choices):
        box = rows[n // across].columns([1] * across, gap=6)[n % across]
        yield f"choice/{n}", ChoicePart(box=box, choice=choice, action=choice.key.action)


def _seat_parts(state: NewMatchState, room: Box) -> Parts:
    """Seats as the table lies: the far team above, the near one below."""
    far, near = _by_place(state)
    rows = [(name, seats) for name, seats in (("far", far), ("near", near)) if seats]
    for row, (name, seats) in zip(room.rows([1] * max(1, len(rows)), gap=6), rows, strict=False):
        boxes = row.columns([1] * len(seats), gap=6)
        for n, (box, seat) in enumerate(zip(boxes, seats, strict=True)):
            yield f"seat/{name}/{n}", SeatPart(box=box, field=seat, action=seat.opens)


def _by_place(state: NewMatchState) -> tuple[list[SeatField], list[SeatField]]:
    """Seats of the far boards and of the near ones, each from left to right."""
    boards = {board.name: board for board in state.map.boards} if state.map else {}

    def board_of(seat: SeatField) -> str | None:
        return next((name for name in boards if name.startswith(seat.board)), None)

    def place(seat: SeatField) -> float:
        name = board_of(seat)
        return sum(x for x, _ in boards[name].outline_mm) if name else 0.0

    def is_far(seat: SeatField, at: int) -> bool:
        name = board_of(seat)
        return boards[name].turned if name else at >= len(state.seats) // 2

    far = [seat for at, seat in enumerate(state.seats) if is_far(seat, at)]
    near = [seat for at, seat in enumerate(state.seats) if not is_far(seat, at)]
    if not any(board_of(seat) for seat in state.seats):
        return far[::-1], near  # they sit around what lies between them
    return sorted(far, key=place), sorted(near, key=place)
