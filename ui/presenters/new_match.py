"""New match: five choices in any order, four where no round is timed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.match.rulebook import Setup
from ui.presenters.figures import waiting_figures
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
from ui.scene.values import Frame, Key, KeyLook, Mark, Message, Refusal, Side
from ui.scene.words import Names
from ui.touch.actions import Panel, SetSetting, SetupChoice, Show, StartMatch
from ui.touch.view import SetupDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.board import BoardPlan
    from companion.core.ruling import Json
    from companion.match.rulebook import Rulebook, Switch
    from ui.scene.scene import Situation
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class Choice:
    """One of them: BOX, GAME, SEATS, TIMER, HOUSE RULES, with its present value."""

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
class SeatField:
    """A seat's name to type; `name` of the action is "seat.CODE"."""

    seat: str
    label: str
    player: str
    side: Side
    action_name: str
    error: str = ""


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
