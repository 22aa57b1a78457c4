"""Adjust: the arbiter sets quantities and places together: thing, quantity, value, reason."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.ruling import TABLE
from companion.core.text import inside
from ui.scene.scene import CANCEL, page_keys
from ui.scene.theme import Caps, Colour, Theme
from ui.scene.values import Frame, Key, KeyLook, Line, Mark, Message, PadGroup, PadKey
from ui.screens.beside.figures import FigureState
from ui.screens.match.field_poses import enlarged, space_pad
from ui.screens.match.menu import two_lines_of
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Adjust, ChooseQuantity, Panel, SetAdjust, SetReason, Show, TurnPage
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.words import LinePart, Words

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.core.ruling import Fact, Json, Seat
    from ui.scene.scene import Scene
    from ui.screens.match.field_poses import PosePad


# Choosing a place: a space on the map, then a heading.

WHOLE = Show(Panel.ADJUST)
"""Back to everything that is being set."""
HEADING = "/heading"
"""After the name of a place: its heading is asked."""
OFF_THE_BOARD = ""


def is_place(plan: BoardPlan, choices: Sequence[Json]) -> bool:
    """Whether a quantity is a place with a heading: whatever may be chosen is one, or nothing."""
    places = [str(choice) for choice in choices if choice != OFF_THE_BOARD]
    return bool(places) and all(_parts(plan, place) is not None for place in places)


def present_place(scene: Scene, fact: Fact) -> FigureState:
    """The board to touch, or the headings of the space that stands."""
    asks_heading = scene.view.panels[-1][1].endswith(HEADING)
    pad = None if asks_heading else _spaces(scene, fact)
    pages = page_keys(pad.page, pad.pages) if pad is not None else ()
    back = Show(Panel.ADJUST, fact.name) if asks_heading else WHOLE
    placed = scene.map.draw(scene.match.position.placement())
    return FigureState(
        frame=scene.frame(
            "ADJUST",
            "space, then heading",
            keys=(Key("Back", back, sign="back"), *pages),
            message=Message("Touch the space." if pad is not None else "Which way does it look?"),
            next_key=_next_key(fact, pad),
        ),
        label=f"{scene.names.player(fact.seat)}: {fact.label.lower()}",
        text=_stands(scene, fact) or "off the board",
        cite=str(scene.match.rulebook.corrections),
        groups=_headings(scene, fact) if asks_heading else (),
        spaces=pad,
        map=enlarged(placed, pad) if pad is not None else None,
    )


def _next_key(fact: Fact, pad: PosePad | None) -> Key:
    """On to the heading, then back to what is written."""
    if pad is None:
        return Key("It is right", WHOLE, "then a reason", "next", KeyLook.GO)
    heading = Show(Panel.ADJUST, fact.name + HEADING)
    return Key("Heading", heading, "or off the board", "next", KeyLook.GO)


def _stands(scene: Scene, fact: Fact) -> str:
    """The place as it is written here, else as it is recorded."""
    return str(dict(scene.view.adjusting).get(fact.name, fact.value))


def _spaces(scene: Scene, fact: Fact) -> PosePad:
    """Every space on which pieces stand; a touch puts the piece there, looking as it does."""
    plan = scene.map.plan
    space, heading = _parts(plan, _stands(scene, fact)) or ("", "")
    touches = {
        name: SetAdjust(fact.name, f"{name} {heading or board.facings[0]}")
        for name, board in plan.board_of.items()
        if board.facings
    }
    return space_pad(scene.map, touches, {space}, scene.view.page)


def _headings(scene: Scene, fact: Fact) -> tuple[PadGroup, ...]:
    """The headings of the space that stands, and off the board."""
    plan, stands = scene.map.plan, _stands(scene, fact)
    space, heading = _parts(plan, stands) or ("", "")
    names = plan.board_of[space].facings if space else ()
    keys = [
        Key(name, SetAdjust(fact.name, f"{space} {name}"), look=_look(chosen=name == heading))
        for name in names
    ]
    off = Key("Off the board", SetAdjust(fact.name, OFF_THE_BOARD), look=_look(chosen=not stands))
    turned = PadGroup("", "", tuple(PadKey(key, 0, n) for n, key in enumerate(keys)))
    gone = PadGroup("", "", (PadKey(off, 0, 0),))
    return (turned, gone) if keys else (gone,)


def _look(*, chosen: bool) -> KeyLook:
    return KeyLook.CHOSEN if chosen else KeyLook.PLAIN


def _parts(plan: BoardPlan, place: str) -> tuple[str, str] | None:
    """Space and heading of a place as people write it; None if it is none."""
    space, _, heading = place.rpartition(" ")
    board = plan.board_of.get(space)
    return (space, heading) if board is not None and heading in board.facings else None


# State, and what it says.


@dataclass(frozen=True, slots=True)
class AdjustState:
    """Four columns touched from left to right; `changes` are those written so far.

    `sums` tells per owner whether the invariant holds ("Dan 30 of 30", ok).
    """

    frame: Frame
    things: tuple[Key, ...]
    quantities: tuple[Key, ...]
    values: tuple[Key, ...]
    reasons: tuple[Key, ...]
    changes: tuple[Line, ...]
    sums: tuple[Line, ...] = ()


REASONS = ("recount", "knocked over", "told wrongly", "arbiter")
FEW_TEAMS = 2
VALUES_SHOWN = 6
SPREAD = 30
"""So many more than there are are tried; the box itself knows its limits."""


def present_adjust(scene: Scene) -> AdjustState | FigureState:
    """Thing, quantity, value, reason: four touches, held at the end.

    A part of the panel is a place with a heading, which is touched on the map.
    """
    part = scene.view.panels[-1][1].removesuffix(HEADING)
    for fact in scene.facts:
        if part and fact.name == part:
            return present_place(scene, fact)
    return _columns(scene)


def _columns(scene: Scene) -> AdjustState:
    """What may be set, in columns from the thing to the reason."""
    things = _things(scene)
    thing = scene.view.thing or next(iter(things), "")
    quantities = things.get(thing, {})
    quantity = (
        scene.view.quantity if scene.view.quantity in quantities else next(iter(quantities), "")
    )
    return AdjustState(
        frame=scene.frame(
            "ADJUST",
            "thing, quantity, value, reason",
            keys=(CANCEL, *_window_keys(scene, quantity)),
            message=_message(scene),
            next_key=_hold_key(scene),
        ),
        things=tuple(_key(name, ChooseQuantity(name), chosen=name == thing) for name in things),
        quantities=tuple(
            _key(words, _opening(scene, thing, name), chosen=name == quantity)
            for name, words in quantities.items()
        ),
        values=_values(scene, quantity),
        reasons=tuple(
            _key(reason, SetReason(reason), chosen=reason == scene.view.reason)
            for reason in REASONS
        ),
        changes=tuple(
            Line(_named(scene, name), f"{value}, was {_present(scene, name)}")
            for name, value in scene.view.adjusting
        ),
        sums=_sums(scene),
    )


def _things(scene: Scene) -> dict[str, dict[str, str]]:
    """What can be adjusted: by player, team or piece, its quantities by fact name."""
    things: dict[str, dict[str, str]] = {}
    for fact in scene.facts:
        if not _can_be_set(scene, fact):
            continue
        owner, label = _owner(scene, fact)
        things.setdefault(owner, {})[fact.name] = label
    return things


def _owner(scene: Scene, fact: Fact) -> tuple[str, str]:
    """Whose a quantity is, and what it is called there.

    What lies on the table is a thing of its own, but for the pieces of many teams: they are the
    team's, so that there are no more things than a screen has room for.
    """
    if fact.seat != TABLE:
        return _person(scene, fact.seat), fact.label
    sides = scene.names.sides if len(scene.names.sides) > FEW_TEAMS else ()
    for side in sides:
        rest = fact.label.removeprefix(f"{scene.names.label(side)} ")
        if rest != fact.label:
            return scene.names.label(side), rest[:1].upper() + rest[1:]
    return fact.label, fact.label


def _person(scene: Scene, seat: Seat) -> str:
    """A player; somebody who plays with both hands is told with the role of each."""
    player = scene.names.player(seat)
    seats = [other for other in scene.names.seats if scene.names.players.get(other) == player]
    return f"{player} {scene.names.role(seat)}" if len(seats) > 1 else player


def _named(scene: Scene, name: str) -> str:
    """A quantity in words, and whose it is: "Dan: deck"."""
    fact = next((fact for fact in scene.facts if fact.name == name), None)
    if fact is None:
        return name
    owner, label = _owner(scene, fact)
    return label if owner == label else f"{owner}: {inside(label)}"


def _key(words: str, action: Any, *, chosen: bool) -> Key:
    return Key(words, action, look=KeyLook.CHOSEN if chosen else KeyLook.PLAIN)


def _present(scene: Scene, name: str) -> Json:
    value: Json = scene.values.get(name)
    return value


def _opening(scene: Scene, thing: str, name: str) -> ChooseQuantity | Show:
    """What touching a quantity does: its values stand beside it, or the board is shown."""
    if is_place(scene.map.plan, scene.match.position.choices(name)):
        return Show(Panel.ADJUST, name)
    return ChooseQuantity(thing, name)


def _values(scene: Scene, name: str) -> tuple[Key, ...]:
    """A window of values round the present one; pages move it."""
    allowed, start = _window(scene, name)
    written = dict(scene.view.adjusting).get(name, _present(scene, name))
    return tuple(
        _key(_in_words(value), SetAdjust(name, value), chosen=value == written)
        for value in allowed[start : start + VALUES_SHOWN]
    )


def _window(scene: Scene, name: str) -> tuple[list[Json], int]:
    """All that a quantity may be set to, and the first of them that is shown."""
    fact = next((fact for fact in scene.facts if fact.name == name), None)
    allowed = _allowed(scene, fact) if fact is not None else []
    written = dict(scene.view.adjusting).get(name, _present(scene, name))
    at = allowed.index(written) if written in allowed else 0
    start = at - VALUES_SHOWN // 2 + scene.view.page * VALUES_SHOWN
    return allowed, max(0, min(start, len(allowed) - VALUES_SHOWN))


def _window_keys(scene: Scene, name: str) -> tuple[Key, Key]:
    """Values before the window and after it, where there are any."""
    allowed, start = _window(scene, name)
    less, more = start > 0, start + VALUES_SHOWN < len(allowed)
    return (
        Key("Less", TurnPage(-1), sign="left")
        if less
        else Key("Less", None, "no less", "left", KeyLook.IMPOSSIBLE),
        Key("More", TurnPage(1), sign="right")
        if more
        else Key("More", None, "no more", "right", KeyLook.IMPOSSIBLE),
    )


def _in_words(value: Json) -> str:
    """A value on its key."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value).capitalize() if str(value).islower() else str(value) or "none"


def _sums(scene: Scene) -> tuple[Line, ...]:
    """Whether everything written so far can be, as the position itself judges it."""
    if not scene.view.adjusting:
        return ()
    fault = scene.history.refusal_of_adjusting(dict(scene.view.adjusting))
    return (
        (Line(*fault_in_words(fault), Mark.BAD),) if fault else (Line("It adds up", "", Mark.OK),)
    )


def fault_in_words(fault: str) -> tuple[str, str]:
    """Why an adjustment cannot be, without its place in a file; and the rule.

    >>> fault_in_words("adjustment: planes.Jaws: the plane stands on PC [JP-21.2] (and 1 more)")
    ('The plane stands on PC', 'JP-21.2')
    >>> fault_in_words("nothing is called 'x'")
    ("Nothing is called 'x'", '')
    """
    text, found, cite = fault.partition(" [")
    words = text.split(": ", 2)[-1] if text.startswith("adjustment: ") else text
    return words[:1].upper() + words[1:], cite.partition("]")[0] if found else ""


def _faults(scene: Scene) -> list[Line]:
    return [line for line in _sums(scene) if line.mark is Mark.BAD]


def _can_be_set(scene: Scene, fact: Fact) -> bool:
    """Whether there is anything that a quantity or place may be set to."""
    if scene.match.position.choices(fact.name):
        return True
    of_a_kind = isinstance(fact.value, bool | int | str)
    return of_a_kind and scene.history.can_adjust(fact.name, fact.value)


def _allowed(scene: Scene, fact: Fact) -> list[Json]:
    """What a quantity or place may be set to; nothing where the box sets no such thing."""
    if not _can_be_set(scene, fact):
        return []
    choices = scene.match.position.choices(fact.name)
    if choices:
        return list(choices)
    if isinstance(fact.value, bool):
        return [True, False]
    if isinstance(fact.value, int):
        return _numbers(scene, fact.name, fact.value)
    if fact.value in scene.map.plan.spaces:
        return [name for name, board in scene.map.plan.board_of.items() if board.holds_pieces]
    if fact.value in scene.names.sides:
        return [str(side) for side in scene.names.sides]
    return ["", *(str(seat) for seat in scene.names.crew(fact.seat))]


def _numbers(scene: Scene, name: str, value: int) -> list[Json]:
    """The numbers that the box takes, from its least to far more than there are now."""

    def is_refused(number: int) -> bool:
        return not scene.history.can_adjust(name, number)

    least = next(number for number in (0, 1, value) if number == value or not is_refused(number))
    over = bisect_left(range(value, value + SPREAD), 1, key=is_refused)
    return [*range(least, value + over)]


def _message(scene: Scene) -> Message:
    faults = _faults(scene)
    if faults:
        return Message(faults[0].name)  # the last key has the cross
    written = scene.view.adjusting
    if not written:
        return Message("Choose what is to be set.")
    name, value = written[-1]
    return Message(f"{len(written)} to be set", f"{_named(scene, name)} {value}")


def _hold_key(scene: Scene) -> Key:
    if not scene.view.adjusting:
        return Key("Hold to adjust", None, "nothing is set yet", "tick", KeyLook.IMPOSSIBLE)
    if _faults(scene):
        return Key("Hold to adjust", None, "that cannot be", "cancel", KeyLook.IMPOSSIBLE)
    if not scene.view.reason:
        return Key("Hold to adjust", None, "choose a reason first", "tick", KeyLook.IMPOSSIBLE)
    adjust = Adjust(scene.view.adjusting, scene.view.reason)
    return Key("Hold to adjust", adjust, "together, at once", "tick", KeyLook.HOLD)


# Parts and layout.

_HEADS = ("THING", "QUANTITY", "VALUE", "REASON")
_WRITTEN_WIDE, _LEAST_WRITTEN_WIDE = 186.0, 184.0
_ROWS = 5
_NARROWEST = 56.0


def layout(state: AdjustState, page: Page) -> Parts:
    """Four columns of keys; beside them what was written, and whether the sums hold."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    rows = _ROWS if state.frame.refusal is None else _ROWS - 1
    groups = (state.things, state.quantities, state.values, state.reasons)
    shares = [
        _share(group, rows, head, page.theme) for head, group in zip(_HEADS, groups, strict=True)
    ]
    keys, written = _sides(state, page, body, sum(shares) + 7 * (len(shares) - 1))
    columns = keys.columns(shares, gap=7)
    for head, column, group in zip(_HEADS, columns, groups, strict=True):
        yield (
            f"head/{head}",
            Words(box=column.top(20), text=head, caps=Caps.DETAIL, tint=Colour.INK2),
        )
        yield from _column(column.below(24), group, head, rows)
    if written.wide >= _LEAST_WRITTEN_WIDE:
        yield from _written(state, written)
    yield from page.around(state.frame)


def _sides(state: AdjustState, page: Page, body: Box, wanted: float) -> tuple[Box, Box]:
    """The keys' room and what is left for what was written: none while there is nothing.

    The message and the last key tell it too, so that the keys may take its room.
    """
    beside = body.wide - wanted - 12
    if beside < _LEAST_WRITTEN_WIDE or (beside < _WRITTEN_WIDE and not state.changes):
        return body, body.left(0)
    return page.sides(body, body.wide - min(beside, _WRITTEN_WIDE) - 12)


def _share(group: Sequence[Key], rows: int, head: str, theme: Theme) -> float:
    """As wide as its longest line; more keys than fit one under another stand side by side."""
    words = [line for key in group for line in two_lines_of(key.label)]
    widest = max((text_wide(theme, word, Caps.DETAIL + 0.5) for word in words), default=0.0)
    each = max(_NARROWEST, widest + 5)
    wide = -(-max(1, len(group)) // rows)
    return max(wide * each + 6 * (wide - 1), text_wide(theme, head, Caps.DETAIL) + 6)


def _column(room: Box, group: Sequence[Key], head: str, rows: int) -> Parts:
    wide = -(-max(1, len(group)) // rows)
    boxes = [
        box
        for strip in stacked(room, min(rows, len(group)), high=54, gap=5)
        for box in strip.columns([1] * wide, gap=6)
    ]
    for n, (box, key) in enumerate(zip(boxes, group, strict=False)):
        yield f"{head}/{n}", key_cap(box, key)


def _written(state: AdjustState, room: Box) -> Parts:
    yield (
        "head/written",
        Words(box=room.top(20), text="WRITTEN", caps=Caps.DETAIL, tint=Colour.INK2),
    )
    lines = (*state.changes[-2:], *state.sums[:3])
    for n, (box, line) in enumerate(
        zip(stacked(room.below(24), len(lines), high=62, gap=3), lines, strict=True)
    ):
        yield f"written/{n}", LinePart(box=box, line=line)
