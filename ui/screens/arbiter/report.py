"""Reports: what the table saw and no question asked, told as people put it, field by field.

A box says what is reported most in each phase, and how; what a field may hold follows from its
name, so that this screen knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.core.ruling import TABLE, Fact, Json, Seat
from companion.kit.reports import ASKED, asked_of, likely_reports, phrase_of
from ui.scene.scene import CANCEL, Scene, page_keys, pages_of
from ui.scene.theme import Caps, Colour, Face
from ui.scene.values import Key, KeyLook, Message, PadGroup, ScreenFrame
from ui.screens.match.numbers import number_pad
from ui.screens.page import Page, Parts
from ui.touch.actions import Panel, Report, SetField, SetReason, Show, TypeNumber
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.teams import pad
from ui.widgets.words import Words


@dataclass(frozen=True, slots=True)
class ReportState:
    """What is asked, what was told so far, and a page of keys; or the pad of a number.

    `large`: the few likely reports and the way to the others, one under another.
    """

    frame: ScreenFrame
    lead: str
    said: str
    keys: tuple[Key, ...] = ()
    groups: tuple[PadGroup, ...] = ()
    large: bool = False
    page: int = 1
    pages: int = 1


class FieldValue(NamedTuple):
    """One thing that a field may hold: its words, and a second line."""

    words: str
    value: Json
    second: str = ""


OTHERS = "others"
"""The part of the panel on which the less likely reports stand."""
KEYS_A_PAGE, PHRASES_A_PAGE = 12, 8
MOST_COUNTED, FEW_PIECES = 99, 6
REASONS = ("", "all saw it", "one says so", "counted")
"""Why something is reported; the first stands where nobody says."""


def present_report(scene: Scene) -> ReportState:
    """First what was seen, the likely ones before the others; then each field; then it counts."""
    told = scene.view.report
    rules = scene.match.rulebook
    if not told:
        likely, others = (
            [word for word in words if _can_be_told(scene, word)] for words in likely_reports(rules)
        )
        if scene.view.part == OTHERS:
            keys = [_word_key(scene, word) for word in others]
            return _page(scene, "What else did the table see?", keys)
        other = Key("Something else", Show(Panel.REPORT, OTHERS), sign="right")
        keys = [*(_word_key(scene, word) for word in likely), *([other] if others else [])]
        return _page(scene, "What did the table see?", keys, large=True)
    name = [*asked_of(rules, str(told[0][1]))][len(told) - 1]
    question = ASKED.get(name, f"{name.replace('_', ' ').capitalize()}?")
    if name in NUMBERS:
        return _number(scene, name, question)
    keys = [Key(one.words, _next(scene, name, one.value), one.second) for one in _of(scene, name)]
    return _page(scene, question, keys)


def _can_be_told(scene: Scene, word: str) -> bool:
    """Whether each of its fields has something to choose from by now: in set-up no round has."""
    needed = [name for name, must in asked_of(scene.match.rulebook, word).items() if must]
    if "round" in needed and not _this_round(scene):
        return False
    return all(name in NUMBERS or name == "pile" or _of(scene, name) for name in needed)


def _word_key(scene: Scene, word: str) -> Key:
    return Key(phrase_of(scene.match.rulebook, word).words, _next(scene, "what", word))


def _next(scene: Scene, name: str, value: Json) -> SetField | Report:
    """One field more; with the last one the report itself, without what nobody could name."""
    told = (*scene.view.report, (name, value))
    fields = asked_of(scene.match.rulebook, str(told[0][1]))
    if len(told) <= len(fields):
        return SetField(name, value)
    return Report(tuple(pair for pair in told if pair[1] is not None), scene.view.reason)


def _page(scene: Scene, lead: str, keys: Sequence[Key], *, large: bool = False) -> ReportState:
    size = KEYS_A_PAGE if scene.view.report else PHRASES_A_PAGE
    shown, page, pages = pages_of(keys, scene.view.page, size)
    turned = page_keys(page, pages, words=("Before", "After"))
    frame = _frame(scene, (CANCEL, _reason_key(scene), *turned))
    return ReportState(frame, lead, _said(scene), tuple(shown), large=large, page=page, pages=pages)


def _number(scene: Scene, name: str, question: str) -> ReportState:
    """A number is typed, and taken by the next tap."""
    so_far, recorded = scene.view.number, _recorded(scene)
    key = Key("Report", None, "type the number", "next", KeyLook.IMPOSSIBLE)
    if so_far is not None:
        action = _next(scene, name, so_far)
        label = "Report" if isinstance(action, Report) else "Go on"
        key = Key(label, action, str(so_far), "next", KeyLook.GO)
    rounds = range(1, max(1, _this_round(scene)) + 1)
    allowed = rounds if name == "round" else range(MOST_COUNTED + 1)
    groups = number_pad(so_far, allowed, TypeNumber, TypeNumber, recorded)
    frame = _frame(scene, (CANCEL, _reason_key(scene)), key)
    return ReportState(frame, question, _said(scene, so_far), groups=groups)


def _frame(scene: Scene, keys: Sequence[Key], next_key: Key | None = None) -> ScreenFrame:
    """The frame; what was reported before is not told here once more."""
    where = " · ".join(scene.place)
    message = Message("" if next_key is not None else "The last touch reports it.")
    shown = scene.frame("REPORT", where, keys=keys, message=message, next_key=next_key)
    return replace(shown, refusal=scene.view.refusal)


def _said(scene: Scene, number: int | None = None) -> str:
    """What was told so far: "A card came late · Dan"."""
    if not scene.view.report:
        return ""
    (_, word), *fields = scene.view.report
    told = [phrase_of(scene.match.rulebook, str(word)).words]
    told += [_in_words(scene, name, value) for name, value in fields]
    return " · ".join((*told, *([str(number)] if number is not None else [])))


def _in_words(scene: Scene, name: str, value: Json) -> str:
    return next((one.words for one in _of(scene, name) if one.value == value), str(value))


def _reason_key(scene: Scene) -> Key:
    """Why it is reported: each touch names the next reason; none costs no touch."""
    reason = scene.view.reason
    at = REASONS.index(reason) if reason in REASONS else 0
    return Key(f"Why: {reason or 'not said'}", SetReason(REASONS[(at + 1) % len(REASONS)]))


# What a field may hold.


def _of(scene: Scene, name: str) -> Sequence[FieldValue]:
    """Its choices; of a field that may be left out also that nobody's is meant."""
    chosen = scene.match.rulebook.reporting.choices.get(name)
    listed = VALUES.get(name)
    if chosen is not None and name != "pile":
        names = scene.match.position.moment_names
        found = [FieldValue(names.get(word, word.capitalize()), word) for word in chosen]
    else:
        found = [*listed(scene)] if listed is not None else []
    told = scene.view.report
    needed = asked_of(scene.match.rulebook, str(told[0][1])).get(name, True) if told else True
    if needed or name != "player":
        return found
    return [*found, FieldValue("The table's", None)]


def _teams(scene: Scene) -> Sequence[FieldValue]:
    return [FieldValue(scene.names.label(side), str(side)) for side in scene.names.sides]


def _players(scene: Scene) -> Sequence[FieldValue]:
    names = scene.names
    return [
        FieldValue(
            names.player(seat), str(seat), names.label(seat) if seat in names.players else ""
        )
        for seat in scene.match.rulebook.seats_taken()
    ]


def _pieces(scene: Scene) -> Sequence[FieldValue]:
    """All tokens; of many those that the record has on a board."""
    tokens, placed = scene.map.plan.tokens, scene.match.position.placement()
    shown = [one for one in tokens if one.piece in placed] if len(tokens) > FEW_PIECES else tokens
    return [FieldValue(token.label, str(token.piece)) for token in shown]


def _spaces(scene: Scene) -> Sequence[FieldValue]:
    boards = (board for board in scene.map.plan.boards if board.holds_pieces)
    return [
        FieldValue(f"{board.owner} {space.label}".strip() or space.name, space.name)
        for board in boards
        for space in board.spaces
    ]


def _sections(scene: Scene) -> Sequence[FieldValue]:
    """The numbers printed on boards that hold cards alone."""
    boards = (board for board in scene.map.plan.boards if not board.holds_pieces)
    labels = dict.fromkeys(space.label for board in boards for space in board.spaces)
    return [FieldValue(label, int(label)) for label in labels if label.isdecimal()]


def _piles(scene: Scene) -> Sequence[FieldValue]:
    """What is counted of the player who was named, else of the table, as the record has it."""
    said = dict(scene.view.report).get("player")
    seat = Seat(str(said)) if said is not None else TABLE
    counts = {
        pile: count
        for (owner, pile), count in scene.match.position.pile_counts().items()
        if owner == seat
    }
    counts |= {_pile(fact): fact.value for fact in _counted(scene, seat)}
    names = scene.match.position.pile_names
    few = scene.match.rulebook.reporting.choices.get("pile")
    shown = [pile for pile in counts if few is None or pile in few]
    if seat != TABLE and few is None:
        shown = [_pile(fact) for fact in _counted(scene, seat)]
    return [
        FieldValue(
            names.get(pile, pile.replace("-", " ")).capitalize(), pile, f"recorded: {counts[pile]}"
        )
        for pile in shown
    ]


def _counted(scene: Scene, seat: Seat) -> list[Fact]:
    return [fact for fact in scene.facts if fact.seat == seat and fact.shows.is_count]


def _pile(fact: Fact) -> str:
    return fact.name.rpartition(".")[2]


def _recorded(scene: Scene) -> int | None:
    """What the record has of the very thing that was counted; None where it has none."""
    told = dict(scene.view.report)
    thing = str(told.get("pile", told["what"]))
    owner = f"{told['player']}." if told.get("player") is not None else ""
    value = scene.values.get(f"{owner}{thing}")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _this_round(scene: Scene) -> int:
    """The number in the place where the match is, of the round or of the turn; 0 in set-up."""
    numbers = [part.rpartition("-")[2] for part in scene.match.position.where()]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def _flag(_: Scene) -> Sequence[FieldValue]:
    return [FieldValue("Yes", value=True), FieldValue("No", value=False)]


NUMBERS = frozenset(("cards", "count", "dice", "round"))
"""Fields that are typed."""
VALUES: Mapping[str, Callable[[Scene], Sequence[FieldValue]]] = {
    "team": _teams,
    "player": _players,
    "extra": _players,
    "piece": _pieces,
    "zone": _spaces,
    "section": _sections,
    "second": _sections,
    "pile": _piles,
    "smoke": _flag,
}
"""What a field of a report may hold, where the box itself does not say."""


# Layout.

_LEAD_HIGH, _SAID_HIGH = 42.0, 26.0
_LARGE_KEY, _KEY_HIGH = 92.0, 78.0
_UPRIGHT_KEY = 124.0
"""How high few keys become where the screen stands upright."""
_PAD_WIDE = 420.0


def layout(state: ReportState, page: Page) -> Parts:
    """What is asked over its keys; a refusal takes the question's place."""
    top, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(top, state.frame.refusal)
    else:
        yield "lead", Words(box=body.top(_LEAD_HIGH - 8), text=state.lead, caps=30)
        body = body.below(_LEAD_HIGH)
    if state.said:
        high = 2 * _SAID_HIGH if page.portrait else _SAID_HIGH
        yield (
            "said",
            Words(
                box=body.top(high - 6), text=state.said, caps=17, tint=Colour.INK2,
                face=Face.MEDIUM, lines=2 if page.portrait else 1, across="top",
            ),
        )  # fmt: skip
        body = body.below(high)
    if state.groups:
        room = body if page.portrait else body.left(_PAD_WIDE)
        yield from pad(room, state.groups, caps=Caps.NAME, most_high=96)
    else:
        yield from _keys(state, body, page)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _keys(state: ReportState, room: Box, page: Page) -> Parts:
    """The likely ones in a column; others side by side, as many as are needed."""
    number = len(state.keys)
    columns = 1 if state.large else 2 if number <= 8 or page.portrait else 3
    rows = max(1, -(-number // columns))
    most = _UPRIGHT_KEY if page.portrait else _LARGE_KEY if state.large else _KEY_HIGH
    high = min(most, (room.high - 8 * (rows - 1)) / rows)
    for n, key in enumerate(state.keys):
        row, column = divmod(n, columns)
        strip = Box(room.x, room.y + row * (high + 8), room.wide, high)
        box = strip.columns([1] * columns, gap=8)[column]
        caps = 17 if high < 60 else Caps.NAME if state.large and not page.portrait else 20
        yield f"key/{n}", key_cap(box, key, caps=caps, align="left", sign_side=32)
