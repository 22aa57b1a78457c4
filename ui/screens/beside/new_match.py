"""New match: box, game, seats, timer and house rules, chosen in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.match.rulebook import Setup
from ui.scene.books import cites_in
from ui.scene.draft import (
    TIMER,
    fault_of,
    house_rules,
    persons_of,
    players_in_words,
    rules_of,
    seat_faults,
    seating_of,
)
from ui.scene.map import MapState, MapView
from ui.scene.scene import BACK, page_keys, pages_of, quiet_frame, why_key
from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Frame, Key, KeyLook, Mark, Message, Refusal, SeatField, Side
from ui.scene.words import Names
from ui.screens.beside.figures import waiting_figures
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import EditName, Panel, SetSetting, SetupChoice, Show, StartMatch
from ui.touch.view import SetupDraft
from ui.widgets.board_map import in_a_row
from ui.widgets.box import Box
from ui.widgets.field_map import MapFrame
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.board import BoardPlan
    from companion.core.ruling import Json
    from companion.match.rulebook import Rulebook, Switch
    from ui.scene.scene import Situation
    from ui.touch.view import View


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
class NewMatchState:
    """Left the choices, right the chosen one: rows, or for seats the fields and the map."""

    frame: Frame
    choices: tuple[Choice, ...]
    title: str
    rows: tuple[ChoiceRow, ...] = ()
    seats: tuple[SeatField, ...] = ()
    map: MapState | None = None
    page: int = 1
    pages: int = 1


FIVE = ("BOX", "GAME", "SEATS", "TIMER", "HOUSE RULES")
NUMBERS = {4: "four", 5: "five"}
ROWS_A_PAGE = 2
LONGEST_VALUE = 27
"""Letters of what a choice shows as its present value."""
STORED = "Stored in the match and shown with every ruling that needs it."


def present_new_match(situation: Situation, view: View) -> NewMatchState:
    """Left the choices with their values, right the one being made."""
    draft = view.setup
    rulebook = rules_of(draft)
    names = _choices(rulebook)
    part = view.part if view.part in names else names[0]
    faults = seat_faults(draft, rulebook)
    rows, page, pages = pages_of(_rows(part, draft, rulebook, situation), view.page, ROWS_A_PAGE)
    seats = _seats(draft, rulebook, faults) if part == "SEATS" else ()
    fault = fault_of(draft.box, draft.variants, draft.options)
    if fault:
        faults = {**faults, "": "these do not go together"}
        view = replace(view, refusal=view.refusal or _refused(fault))
    return NewMatchState(
        frame=quiet_frame(
            situation,
            view,
            "NEW MATCH",
            f"{NUMBERS[len(names)]} choices, any order",
            keys=(BACK, *page_keys(page, pages), *why_key(draft.box, (row.cite for row in rows))),
            message=Message(second=STORED if pages == 1 else ""),
            next_key=_start_key(faults, len(names), waiting_figures(situation, draft)),
        ),
        choices=tuple(_choice(name, part, draft, rulebook, faults) for name in names),
        title=part,
        rows=tuple(rows),
        seats=seats,
        map=_map(draft, rulebook, situation) if seats and not fault else None,
        page=page,
        pages=pages,
    )


def _refused(fault: str) -> Refusal:
    """Why these house rules do not go together, in the place of a refused answer."""
    first, _, way_out = fault.partition(": ")
    return Refusal(first, way_out, "SET-UP", ", ".join(cites_in(fault)))


def _choices(rulebook: type[Rulebook[Any]]) -> tuple[str, ...]:
    """What there is to choose: a game without timed rounds has no timer."""
    return tuple(name for name in FIVE if name != "TIMER" or TIMER in rulebook.switches)


def _start_key(faults: dict[str, str], choices: int, waiting: int) -> Key:
    """On to the table check; before the first match of a box, to the figures nobody has seen."""
    if faults:
        return Key("Table check", None, next(iter(faults.values())), "next", KeyLook.IMPOSSIBLE)
    if waiting:
        return Key("Check the box", Show(Panel.FIGURES), f"{waiting} figures", "next", KeyLook.GO)
    return Key("Table check", StartMatch(), f"all {NUMBERS[choices]} chosen", "next", KeyLook.GO)


def _choice(
    name: str, part: str, draft: SetupDraft, rulebook: type[Rulebook[Any]], faults: dict[str, str]
) -> Choice:
    mark = Mark.WARN if name == "SEATS" and faults else Mark.OK
    look = KeyLook.CHOSEN if name == part else KeyLook.PLAIN
    value = _value(name, draft, rulebook)
    return Choice(name, value, mark, Key(name, Show(Panel.NEW_MATCH, name), value, look=look))


def _value(name: str, draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> str:
    """What is chosen so far, in a few words."""
    options = rulebook.read_options(dict(draft.options))
    match name:
        case "BOX":
            return rulebook.title
        case "GAME":
            words = ", ".join(_variant_in_words(name) for name in rulebook.usual(draft.variants))
            counted = f"{words} · {len(persons_of(draft, rulebook))} seats"
            return counted if len(counted) <= LONGEST_VALUE else words
        case "SEATS":
            return _seats_in_words(draft, rulebook)
        case "TIMER":
            return seconds_in_words(options.get(TIMER))
        case _:
            changed = sum(
                1 for switch in house_rules(rulebook) if options[switch.name] != switch.default
            )
            return f"{changed} changed" if changed else "as the book has it"


def _seats_in_words(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> str:
    """Who sits where; of many only how many have a name."""
    persons = persons_of(draft, rulebook)
    crews = (_crew(team, draft, rulebook, persons) for team in rulebook.sides)
    words = " / ".join(crew for crew in crews if crew)
    if len(words) <= LONGEST_VALUE:
        return words
    named = sum(1 for seat, _ in draft.seats if seat in persons)
    return f"{named} of {len(persons)} named"


def _variant_in_words(name: str) -> str:
    """A variant's name on a key: "Team battle"."""
    return name.replace("-", " ").capitalize()


def _crew(
    team: Any, draft: SetupDraft, rulebook: type[Rulebook[Any]], persons: Mapping[Seat, str]
) -> str:
    names = Names.of(rulebook, {Seat(seat): text for seat, text in draft.seats})
    seats = [seat for seat in names.crew(team) if seat in persons]
    return " ".join(names.players.get(seat) or str(seat) for seat in seats)


def seconds_in_words(value: Json) -> str:
    """A timer's value: "20 s, to the buzzer", "no timer"."""
    return f"{value} s, to the buzzer" if isinstance(value, int) else "no timer"


def _rows(
    part: str, draft: SetupDraft, rulebook: type[Rulebook[Any]], situation: Situation
) -> list[ChoiceRow]:
    options = rulebook.read_options(dict(draft.options))
    match part:
        case "BOX":
            boxes = [(find_rulebook(box).title, box) for box in RULEBOOKS]
            row = _chosen_row("Box", "box", boxes, draft.box)
            words = (players_in_words(box) for _, box in boxes)
            keys = zip(row.values, words, strict=True)
            return [replace(row, values=tuple(replace(key, second=text) for key, text in keys))]
        case "GAME":
            seating = seating_of(draft, rulebook)
            return [
                *_game_rows(draft, rulebook),
                *(_switch_row(switch, options) for switch in seating),
            ]
        case "SEATS":
            return [_screen_row(situation)]
        case "TIMER":
            return [_switch_row(rulebook.switches[TIMER], options)] if TIMER in options else []
        case _:
            with_game = {switch.name for switch in seating_of(draft, rulebook)}
            others = (switch for switch in house_rules(rulebook) if switch.name not in with_game)
            return [_switch_row(switch, options) for switch in others]


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


def _screen_row(situation: Situation) -> ChoiceRow:
    sides = ("near", "left", "far", "right")
    keys = tuple(
        Key(
            side.capitalize(),
            SetSetting("screen_side", side),
            look=_look(chosen=side == situation.settings.screen_side),
        )
        for side in sides
    )
    return ChoiceRow("The screen stands", keys, "The map turns by it.")


def _switch_row(switch: Switch, options: dict[str, Json]) -> ChoiceRow:
    """A house rule with its values; one given on a command line stands beside those listed."""
    present = options[switch.name]
    values = switch.values if present in switch.values else (*switch.values, present)
    keys = tuple(
        Key(
            _in_words(switch.name, value),
            SetupChoice(f"option.{switch.name}", value),
            look=_look(chosen=value == present and type(value) is type(present)),
        )
        for value in values
    )
    title = switch.name.removesuffix("_s").removesuffix("_ms").replace("_", " ").capitalize()
    return ChoiceRow(title, keys, switch.text, str(switch.cite), changed=present != switch.default)


def _in_words(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    words = str(value).replace("_", " ").capitalize()
    unit = " ms" if name.endswith("_ms") else " s" if name.endswith("_s") else ""
    return words + unit if isinstance(value, int) else words


def _look(*, chosen: bool) -> KeyLook:
    return KeyLook.CHOSEN if chosen else KeyLook.PLAIN


def _seats(
    draft: SetupDraft, rulebook: type[Rulebook[Any]], faults: dict[str, str]
) -> tuple[SeatField, ...]:
    names, players = Names.of(rulebook, {}), dict(draft.seats)
    return tuple(
        SeatField(
            seat=str(seat),
            label=label,
            player=players.get(seat, ""),
            side=names.side(seat) or Side(label),
            action_name=f"seat.{seat}",
            error=faults.get(str(seat), ""),
        )
        for seat, label in persons_of(draft, rulebook).items()
    )


def _map(draft: SetupDraft, rulebook: type[Rulebook[Any]], situation: Situation) -> MapState:
    """The boards as they lie before the screen."""
    plan = _plan(draft.box, draft.variants, draft.options)
    return MapView(plan, situation.settings.screen_side, rulebook.looks).draw({})


@lru_cache(maxsize=4)
def _plan(box: str, variants: tuple[str, ...], options: tuple[tuple[str, Json], ...]) -> BoardPlan:
    """The printed boards of a game; read once, for this screen is drawn anew while nobody acts."""
    setup = Setup(box, variants, options=dict(options))
    return rulebook_of(setup)(setup).plan


# Rows of values to choose from; the settings have them, too.

_MOST_HIGH = 158.0
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

_CHOICES_WIDE = 252.0
_SEAT_HIGH = 64.0
_ONE_COLUMN, _LISTED_HIGH, _SHORT = 5, 61.0, 20


@dataclass(frozen=True, kw_only=True)
class ChoicePart(Part):
    """One of the five: title, present value, and its signal or an arrow where it is open."""

    choice: Choice

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = (self.choice.key.look is KeyLook.CHOSEN) != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.GO if inverted else Colour.EDGE, Reach.EDGE)
        ink, second = (Colour.GO_INK, Colour.GO_INK) if inverted else (Colour.INK, Colour.INK2)
        room = self.box.inset(14, 7)
        at = Box(room.right - 20, room.y, 20, room.high / 2).square()
        if inverted:
            pen.sign("right", at, ink)
        elif self.choice.mark:
            pen.sign(self.choice.mark, at, ink)
        upper, lower = room.rows([1, 1.1])
        pen.text(self.choice.title, upper.left(room.wide - 28), 15, second)
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
        else:
            draw_emblem(pen, self.field.side, Box(self.box.x + 8, self.box.y, 26, self.box.high))
        indent = 27 if self.field.error else 42
        room = self.box.beside(indent).inset(0, 4 if self.field.error else 6)
        room = room.left(room.wide - 5)
        name = self.field.player or "Touch to name"
        if not self.field.player and pen.width(name, Caps.DETAIL) > room.wide:
            name = "Name?" if pen.width("Name?", Caps.DETAIL) <= room.wide else "?"
        label = self.field.label
        if pen.width(label, Caps.DETAIL, Face.MEDIUM) > room.wide:
            label = self.field.seat
        if self.field.error:
            pen.text(name, room.top(15), 15, ink if self.field.player else second)
            why = room.below(18)
            pen.text(self.field.error, why, 14, second, face=Face.MEDIUM, lines=2)
            return
        upper, lower = room.rows([1.1, 1])
        pen.text(name, upper, 17, ink if self.field.player else second)
        pen.text(label, lower, 14.5, second, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class TablePlan(Part):
    """The table between the seats: the boards as they lie before the screen."""

    map: MapState

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.edge(self.box, Colour.HAIR, 1.5, 5)
        frame = MapFrame.fit(self.box.inset(14, 8), self.map.bounds_mm, stretch=2.2)
        for board in self.map.boards:
            place = frame.around(board.outline_mm).inset(2)
            tint = pen.theme.side(board.side.tint).text
            pen.edge(place, tint, 1.6, 4)
            columns = len(board.cells) if in_a_row(board) else 1
            for cell in place.columns([1] * columns)[1:]:
                pen.fill(Box(cell.x, place.y + 2, 1, place.high - 4), Colour.GRID)


def layout(state: NewMatchState, page: Page) -> Parts:
    """Choices, then rows; or for seats the fields around the table."""
    left, right = page.sides(page.body.inset(0, 2), _CHOICES_WIDE)
    places = stacked(left, len(state.choices), high=60, gap=4)
    for n, (box, choice) in enumerate(zip(places, state.choices, strict=True)):
        yield f"choice/{n}", ChoicePart(box=box, choice=choice, action=choice.key.action)
    if state.frame.refusal is not None:
        yield from page.refusal(right.top(76), state.frame.refusal)
        right = right.below(82)
    if state.seats:
        yield from _seat_parts(state, right, page)
    elif len(state.rows) == 1 and (whole := state.rows[0].values) and _is_list(whole):
        columns = 1 if len(whole) <= _ONE_COLUMN else 2
        lines = stacked(right, -(-len(whole) // columns), high=_LISTED_HIGH, gap=5)
        for n, key in enumerate(whole):
            place = lines[n // columns].columns([1] * columns, gap=8)[n % columns]
            yield f"row/0/{n}", key_cap(place, key, caps=20, align="left")
    elif state.rows:
        yield from choice_rows(right, state.rows, page.theme)
    else:
        yield "title", Words(box=right.top(40), text=state.title)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _is_list(keys: Sequence[Key]) -> bool:
    """Whether keys need lines of their own: they have long words, or more to say."""
    return any(key.second or len(key.label) > _SHORT for key in keys)


def _seat_parts(state: NewMatchState, room: Box, page: Page) -> Parts:
    """Seats as the table lies: the far team above, the near one below, each behind its board."""
    rows_high = 0.0
    if state.rows:
        rows_high = 104.0
        yield from choice_rows(
            Box(room.x, room.bottom - rows_high, room.wide, rows_high), state.rows[:1], page.theme
        )
    table = room.top(room.high - rows_high - 6)
    far, near = _by_place(state)
    upper, lower = table.top(_SEAT_HIGH), table.below(table.high - _SEAT_HIGH)
    for name, row, seats in (("far", upper, far), ("near", lower, near)):
        boxes = row.columns([1] * max(1, len(seats)), gap=Reach.GAP)
        for n, (box, seat) in enumerate(zip(boxes, seats, strict=False)):
            edit = EditName(seat.action_name, seat.label, seat.side.name, seat.player)
            yield f"seat/{name}/{n}", SeatPart(box=box, field=seat, action=edit)
    middle = Box(table.x, upper.bottom + 6, table.wide, lower.y - upper.bottom - 12)
    if state.map is not None and middle.high > 30:
        yield "plan", TablePlan(box=middle, map=_bare(state.map))


def _bare(shown: MapState) -> MapState:
    """The boards alone: no piece stands yet."""
    return MapState(shown.boards, bounds_mm=shown.bounds_mm)


def _by_place(state: NewMatchState) -> tuple[list[SeatField], list[SeatField]]:
    """Seats of the far boards and of the near ones, each from left to right."""
    boards = {board.name: board for board in state.map.boards} if state.map else {}

    def board_of(seat: SeatField) -> str | None:
        return next((name for name in boards if name.startswith(seat.label)), None)

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
