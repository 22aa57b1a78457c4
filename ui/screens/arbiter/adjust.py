"""Adjust: the arbiter says what the table shows otherwise: whose, what, its value, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.ruling import Fact, Json
from companion.core.text import counted, inside
from companion.match.correction import RECOUNT
from ui.scene.map import MapState
from ui.scene.scene import CANCEL, IN_ORDER, Scene, page_keys, pages_of
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Key, KeyLook, Line, Mark, Message, PadGroup, PadKey, ScreenFrame, Side
from ui.screens.arbiter.owned import (
    COUNT,
    FEW_SPACES,
    OFF_THE_BOARD,
    OTHER,
    Owned,
    has_more_values,
    heading_of,
    is_number,
    kind_of,
    made_up,
    named,
    owned,
    value_in_words,
    values_of,
)
from ui.screens.match.field_poses import PosePad, space_pad, whole_board_key
from ui.screens.match.menu import Menu
from ui.screens.match.numbers import number_pad
from ui.screens.page import Page, Parts
from ui.touch.actions import Adjust, ChooseQuantity, SetAdjust, SetReason
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal
from ui.widgets.field_map import touched_board
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import draw_emblem, pad, too_many
from ui.widgets.words import Words, draw_mark

if TYPE_CHECKING:
    from companion.core.board import BoardPlan

REASONS = (RECOUNT, "knocked over", "told wrongly", "arbiter")
"""Why something is set; a recount says what lies there, and moves nothing."""
EVERYTHING = ChooseQuantity("")
"""Back to what may be set of everybody."""
AT_ONCE, ROWS_A_PAGE, IN_A_ROW = 5, 5, 4
"""Of each owner so many counts and places stand on the first screen, on so many rows; everything
in rows of so many on the owner's own, and so headings."""
VALUES_IN_A_ROW = 3
OTHER_PILES = 4
"""Of the other piles so many have a key beside the one that is set: none needs the list again."""


# The first screen: what may be set of everybody, or all of one owner.


@dataclass(frozen=True, slots=True)
class AdjustRow:
    """One owner and what is most often set of it; without an owner a row of the chosen one's."""

    owner: Key | None
    keys: tuple[Key, ...]
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class AdjustState:
    """Rows of quantities: a key's label is what the record has, its second line what it is.

    Those that are written so far are the chosen ones.
    """

    frame: ScreenFrame
    lead: str
    rows: tuple[AdjustRow, ...]
    page: int
    pages: int


def present_adjust(scene: Scene) -> AdjustState | ValueState:
    """Whose and what first; then its value: typed, touched on a map, or one of few keys."""
    one = next((one for one in owned(scene) if one.fact.name == scene.view.quantity), None)
    if one is None:
        return _everybody(scene) if not scene.view.thing else _of_one(scene, scene.view.thing)
    return _on_a_map(scene, one) if _needs_map(scene, one.fact) else _value(scene, one)


def _everybody(scene: Scene) -> AdjustState:
    """Every owner; the rows are put together once for what is written."""
    rows = scene.history.found(
        ("rows", repr(scene.view.adjusting)), lambda: tuple(_owner_rows(scene))
    )
    return _rows(scene, "What is different on the table?", rows, CANCEL)


def _owner_rows(scene: Scene) -> Iterator[AdjustRow]:
    by_owner: dict[str, list[Owned]] = {}
    for one in owned(scene):
        by_owner.setdefault(one.owner, []).append(one)
    for owner, theirs in by_owner.items():
        yield _owner_row(scene, owner, theirs)


def _owner_row(scene: Scene, owner: str, theirs: Sequence[Owned]) -> AdjustRow:
    """Counts and places at once, the rest behind the owner's name."""
    seat = next(one.fact.seat for one in theirs)
    most = AT_ONCE if seat in scene.names.seats else IN_A_ROW
    counts = [one for one in theirs if kind_of(scene, one.fact) != OTHER][:most]
    shown = counts or theirs[:IN_A_ROW]
    more = len(theirs) - len(shown)
    key = Key(owner, ChooseQuantity(owner), f"{more} more" if more else "", sign="right")
    keys = tuple(_quantity_key(scene, one, short=True) for one in shown)
    return AdjustRow(key, keys, scene.side(seat))


def _of_one(scene: Scene, owner: str) -> AdjustState:
    keys = [_quantity_key(scene, one) for one in owned(scene) if one.owner == owner]
    starts = range(0, len(keys), IN_A_ROW)
    rows = [AdjustRow(None, tuple(keys[at : at + IN_A_ROW])) for at in starts]
    back = Key("Back", EVERYTHING, sign="back")
    return _rows(scene, f"{owner}: what is different?", rows, back)


def _rows(scene: Scene, lead: str, rows: Sequence[AdjustRow], back: Key) -> AdjustState:
    shown, page, pages = pages_of(rows, scene.view.page, ROWS_A_PAGE)
    keys = (back, *page_keys(page, pages, words=IN_ORDER))
    written = scene.view.adjusting
    told = ", ".join(
        f"{named(scene, name)} {value_in_words(scene, name, v)}" for name, v in written
    )
    shown_frame = scene.frame(
        "ADJUST",
        " · ".join(scene.place),
        keys=keys,
        message=Message(told or "Touch what is to be set.", "to be set" if written else ""),
        next_key=_go_on_key(scene),
    )
    return AdjustState(
        frame=replace(shown_frame, refusal=scene.view.refusal),
        lead=lead,
        rows=tuple(shown),
        page=page,
        pages=pages,
    )


def _go_on_key(scene: Scene) -> Key | None:
    """Back to the last of those that are written, where they are held."""
    if not scene.view.adjusting:
        return None
    name, _ = scene.view.adjusting[-1]
    one = next((one for one in owned(scene) if one.fact.name == name), None)
    if one is None:
        return None
    return Key("Go on", ChooseQuantity(one.owner, name), "nothing more", "next", KeyLook.GO)


def _quantity_key(scene: Scene, one: Owned, *, short: bool = False) -> Key:
    """What the record has, or what is written, over what it is; a place on a map by its name."""
    name, written = one.fact.name, dict(scene.view.adjusting)
    look = KeyLook.CHOSEN if name in written else KeyLook.PLAIN
    value = written.get(name, one.fact.value)
    on_a_map = _needs_map(scene, one.fact) and value
    words = "On the map" if on_a_map else value_in_words(scene, name, value)
    label = one.fact.short if short and one.fact.short else one.label
    return Key(words, ChooseQuantity(one.owner, name), label, look=look)


def _needs_map(scene: Scene, fact: Fact) -> bool:
    """Whether it is a place among too many for a key each, or one with a heading."""
    facing = heading_of(scene, fact)
    return bool(facing) or (facing == "" and has_more_values(scene, fact, FEW_SPACES))


def _parts(plan: BoardPlan, place: str) -> tuple[str, str]:
    """Space and heading of a place as people write it; both empty if it is none."""
    if place in plan.board_of:
        return place, ""
    space, _, heading = place.rpartition(" ")
    board = plan.board_of.get(space)
    return (space, heading) if board is not None and heading in board.facings else ("", "")


# One quantity: state, and what it says.


@dataclass(frozen=True, slots=True)
class ValueState:
    """The keys that set the value; beside them what that changes, in words, and why it is set.

    A place is touched on the `map`, its heading is one of the keys. `fault` is why it cannot be as
    it is written, `offers` are held and set another pile, too. `near`: while nothing is written, a
    count that is one off, each held with what makes up for it, under its words.
    """

    frame: ScreenFrame
    label: str
    was: str
    now: str
    groups: tuple[PadGroup, ...]
    pad_page: int
    effect: str = ""
    fault: Line | None = None
    offers: tuple[Key, ...] = ()
    reasons: tuple[Key, ...] = ()
    near: tuple[tuple[str, tuple[Key, ...]], ...] = ()
    spaces: PosePad | None = None
    map: MapState | None = None


EVERYBODY = Key("Back", EVERYTHING, sign="back")


def _value(scene: Scene, one: Owned) -> ValueState:
    """Typed, or one of few keys."""
    name, written = one.fact.name, dict(scene.view.adjusting)
    return ValueState(
        frame=_frame(scene, (EVERYBODY, *_other_piles(scene, one)), _message(scene, one)),
        label=named(scene, name),
        was=value_in_words(scene, name, one.fact.value),
        now=value_in_words(scene, name, written[name]) if name in written else "",
        groups=_groups(scene, one),
        pad_page=scene.view.page,
        effect=_effect(scene),
        fault=_fault(scene),
        offers=_offers(scene, one),
        near=_one_off(scene, one),
        reasons=_reasons(scene),
    )


def _other_piles(scene: Scene, one: Owned) -> tuple[Key, ...]:
    """What may be wrong with it, a touch each: what is written, the owner's, others' of its kind.

    A key has the pile's number, with a tick where it is written.
    """
    written = dict(scene.view.adjusting)
    if _count_of(one.fact) is None:
        return ()
    counts = [other for other in owned(scene) if _is_another_count(scene, other, one)]
    counts.sort(
        key=lambda other: (
            other.fact.name not in written,
            other.owner != one.owner,
            other.label != one.label,
        )
    )
    return tuple(_pile_key(scene, other, one) for other in counts[:OTHER_PILES])


def _is_another_count(scene: Scene, other: Owned, one: Owned) -> bool:
    if other.fact.name == one.fact.name or kind_of(scene, other.fact) != COUNT:
        return False
    alike = other.owner == one.owner or other.label == one.label
    return alike or other.fact.name in dict(scene.view.adjusting)


def _pile_key(scene: Scene, other: Owned, one: Owned) -> Key:
    """The owner's by its name alone, another's by whose it is."""
    written, fact = dict(scene.view.adjusting), other.fact
    label = (fact.short or other.label) if other.owner == one.owner else other.owner
    number = value_in_words(scene, fact.name, written.get(fact.name, fact.value))
    sign, look = ("tick", KeyLook.CHOSEN) if fact.name in written else ("pen", KeyLook.PLAIN)
    return Key(label, ChooseQuantity(other.owner, fact.name), number, sign, look)


def _on_a_map(scene: Scene, one: Owned) -> ValueState:
    """A touch puts the thing on a space, looking as it does; then which way it looks."""
    name, written = one.fact.name, dict(scene.view.adjusting)
    stands = str(written.get(name, one.fact.value))
    space, _ = _parts(scene.map.plan, stands)
    spaces = space_pad(scene.map, _touches(scene, one, stands), {space}, scene.view.near)
    lies = "Lit: where the record has it." if space else "The record has it off the board."
    return ValueState(
        frame=_frame(scene, (EVERYBODY, *whole_board_key(spaces)), Message()),
        label=named(scene, name),
        was=lies,
        now="",
        groups=_headings(scene, one.fact),
        pad_page=scene.view.page,
        effect=_effect(scene) or f"Touch the space where it lies. {lies}",
        fault=_fault(scene),
        reasons=_reasons(scene),
        spaces=spaces,
        map=scene.map.draw(scene.match.position.placement()),
    )


def _touches(scene: Scene, one: Owned, stands: str) -> dict[str, SetAdjust]:
    """What a touch on each space sets: the place, with the heading that the thing has."""
    facing = heading_of(scene, one.fact)
    _, heading = _parts(scene.map.plan, stands)
    return {
        space.name: SetAdjust(
            one.fact.name, f"{space.name} {heading or facing}" if facing else space.name
        )
        for board in scene.map.plan.boards
        if board.holds_pieces and (board.facings or not facing)
        for space in board.spaces
    }


def _frame(scene: Scene, keys: Sequence[Key], message: Message) -> ScreenFrame:
    """The frame; what stands blocked until it is adjusted is not told here once more."""
    where = " · ".join(scene.place)
    shown = scene.frame("ADJUST", where, keys=keys, message=message, next_key=_hold_key(scene))
    return replace(shown, refusal=scene.view.refusal)


def _reasons(scene: Scene) -> tuple[Key, ...]:
    reason = _reason(scene)
    return tuple(
        Key(word, SetReason(word), look=KeyLook.CHOSEN if word == reason else KeyLook.PLAIN)
        for word in REASONS
    )


def _groups(scene: Scene, one: Owned) -> tuple[PadGroup, ...]:
    fact, written = one.fact, dict(scene.view.adjusting).get(one.fact.name)
    if heading_of(scene, fact) is not None:
        return _boards(scene, fact)
    allowed = values_of(scene, fact)
    is_now = _count_of(fact)
    if is_now is not None:
        so_far = written if isinstance(written, int) else None
        return number_pad(
            so_far,
            [int(str(value)) for value in allowed],
            lambda number: SetAdjust(fact.name, number),
            lambda rest: SetAdjust(fact.name, rest),
            is_now,
        )
    stands = fact.value if written is None else written
    keys = [_value_key(scene, fact.name, value, chosen=value == stands) for value in allowed]
    return (PadGroup("", "", _placed(keys, VALUES_IN_A_ROW)),)


def _placed(keys: Sequence[Key], in_a_row: int) -> tuple[PadKey, ...]:
    return tuple(PadKey(key, *divmod(n, in_a_row)) for n, key in enumerate(keys))


def _count_of(fact: Fact) -> int | None:
    """The number that people count; None for others, and for a heading that they call by name."""
    return fact.value if is_number(fact.value) and not fact.words else None


def _value_key(scene: Scene, name: str, value: Json, *, chosen: bool, label: str = "") -> Key:
    words = label or value_in_words(scene, name, value)
    return Key(words, SetAdjust(name, value), look=KeyLook.CHOSEN if chosen else KeyLook.PLAIN)


def _boards(scene: Scene, fact: Fact) -> tuple[PadGroup, ...]:
    """Few spaces, as they are printed: board by board."""
    stands = dict(scene.view.adjusting).get(fact.name, fact.value)
    allowed = values_of(scene, fact)
    groups: list[PadGroup] = []
    for board in scene.map.plan.boards:
        spaces = [space for space in board.spaces if space.name in allowed]
        keys = [
            _value_key(scene, fact.name, one.name, chosen=one.name == stands, label=one.label)
            for one in spaces
        ]
        if keys:
            title = board.owner or board.name
            groups.append(PadGroup(title, "", _placed(keys, VALUES_IN_A_ROW)))
    return tuple(groups)


def _headings(scene: Scene, fact: Fact) -> tuple[PadGroup, ...]:
    """The headings of the space that was touched, and off the board."""
    plan, name = scene.map.plan, fact.name
    stands = str(dict(scene.view.adjusting).get(name, fact.value))
    space, heading = _parts(plan, stands)
    facings = plan.board_of[space].facings if heading else ()
    keys = [
        _value_key(scene, name, f"{space} {facing}", chosen=facing == heading, label=facing)
        for facing in facings
    ]
    if scene.history.can_adjust(name, OFF_THE_BOARD):
        label = "Off board"
        keys.append(_value_key(scene, name, OFF_THE_BOARD, chosen=not stands, label=label))
    return (PadGroup("", "", _placed(keys, IN_A_ROW)),) if keys else ()


# What is written: whether it can be, what it changes, why it is set.


def _reason(scene: Scene) -> str:
    """The one that was chosen; counts alone are a recount where nobody says otherwise."""
    written = scene.view.adjusting
    counts = all(is_number(value) for _, value in written)
    return scene.view.reason or (RECOUNT if written and counts else "")


def _effect(scene: Scene) -> str:
    """What hands will have to do with it, before anything is held."""
    written = scene.view.adjusting
    if not written:
        return ""
    if _reason(scene) == RECOUNT:
        return "The record alone changes: so it lies there, and nobody moves anything."
    facts = {one.fact.name: one.fact for one in owned(scene)}
    moved = [n for n, _ in written if n in facts and heading_of(scene, facts[n]) is not None]
    if moved:
        return "Hands are then told to put it there. Does it stand there already? Then: recount."
    return "The record changes; whatever hands must follow is then told."


def _fault(scene: Scene) -> Line | None:
    """Why what is written so far cannot be, as the position itself judges it."""
    if not scene.view.adjusting:
        return None
    fault = scene.history.refusal_of_adjusting(dict(scene.view.adjusting))
    return Line(*fault_in_words(fault), Mark.BAD) if fault else None


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


def _offers(scene: Scene, one: Owned) -> tuple[Key, ...]:
    """Other piles with which the sum holds again: one key, held, sets both."""
    changes, name = dict(scene.view.adjusting), one.fact.name
    if name not in changes or _fault(scene) is None:
        return ()
    reason = _reason(scene) or RECOUNT
    return scene.history.found(
        ("offers", repr(changes), name, reason), lambda: _offered_keys(scene, one, changes, reason)
    )


def _offered_keys(
    scene: Scene, one: Owned, changes: Mapping[str, Json], reason: str
) -> tuple[Key, ...]:
    written = (*scene.view.adjusting,)
    return tuple(
        Key(f"{named(scene, other)}{words}", Adjust((*written, (other, value)), reason), was,
            look=KeyLook.HOLD)
        for other, value, words, was in made_up(scene, one, changes)
    )  # fmt: skip


def _one_off(scene: Scene, one: Owned) -> tuple[tuple[str, tuple[Key, ...]], ...]:
    """A count that is hardly off, as most are: one key, held, with whatever makes up for it."""
    was, written = _count_of(one.fact), dict(scene.view.adjusting)
    if one.fact.name in written or was is None:
        return ()
    reason = scene.view.reason or RECOUNT
    return scene.history.found(
        ("one off", one.fact.name, reason, repr(written)),
        lambda: (*_alone(scene, one, was, reason), *_one_off_rows(scene, one, was, reason)),
    )


def _alone(
    scene: Scene, one: Owned, was: int, reason: str
) -> Iterator[tuple[str, tuple[Key, ...]]]:
    """The numbers next to it for which nothing else must change."""
    name, written = one.fact.name, scene.view.adjusting
    keys = tuple(
        Key(f"{inside(one.label)} {number}", Adjust((*written, (name, number)), reason),
            f"was {was}", look=KeyLook.HOLD)
        for number in (was - 2, was - 1, was + 1, was + 2)
        if scene.history.adds_up({**dict(written), name: number})
    )  # fmt: skip
    if keys:
        yield "HOLD: THEN IT ADDS UP" if written else "HOLD: NOTHING ELSE CHANGES", keys


def _one_off_rows(
    scene: Scene, one: Owned, was: int, reason: str
) -> list[tuple[str, tuple[Key, ...]]]:
    """For one fewer and one more a row of what makes up for it; first what needs the least."""
    name, written = one.fact.name, scene.view.adjusting
    called = {other.fact.name: inside(other.label) for other in owned(scene)}
    rows: list[tuple[int, str, tuple[Key, ...]]] = []
    for number in (was - 1, was + 1):
        changes = {**dict(written), name: number}
        more = () if scene.history.adds_up(changes) else made_up(scene, one, changes)
        keys = tuple(
            Key(f"{called[other]}{words}", Adjust((*changes.items(), (other, value)), reason),
                second, look=KeyLook.HOLD)
            for other, value, words, second in more
        )  # fmt: skip
        if keys:
            rows.append(
                (_most_moved(scene, more), f"HOLD: {one.label.upper()} {number}, AND", keys)
            )
    return [(head, keys) for _, head, keys in sorted(rows, key=lambda row: row[0])]


def _most_moved(scene: Scene, more: Sequence[tuple[str, Json, str, str]]) -> int:
    """By how many another pile would have to differ too."""
    return max(
        abs(now - was) if is_number(now) and is_number(was := scene.values.get(other)) else 0
        for other, now, _, _ in more
    )


def _message(scene: Scene, one: Owned) -> Message:
    """What is written besides, where it has no key of its own."""
    keyed = {key.action for key in _other_piles(scene, one)}
    others = {name for name, _ in scene.view.adjusting} - {one.fact.name}
    hidden = [o for o in owned(scene) if o.fact.name in others]
    hidden = [o for o in hidden if ChooseQuantity(o.owner, o.fact.name) not in keyed]
    if hidden:
        return Message(f"With it: {', '.join(named(scene, o.fact.name) for o in hidden)}")
    return Message("" if keyed or scene.view.adjusting else "What lies there?")


def _hold_key(scene: Scene) -> Key:
    reason = _reason(scene)
    if not scene.view.adjusting:
        return Key("Hold to adjust", None, "nothing is set yet", "tick", KeyLook.IMPOSSIBLE)
    if _fault(scene) is not None:
        return Key("Hold to adjust", None, "that cannot be", "cancel", KeyLook.IMPOSSIBLE)
    if not reason:
        return Key("Hold to adjust", None, "choose a reason first", "tick", KeyLook.IMPOSSIBLE)
    number = len(scene.view.adjusting)
    words = f"{counted(number, 'change')}: {reason}"
    return Key("Hold to adjust", Adjust(scene.view.adjusting, reason), words, "tick", KeyLook.HOLD)


# Parts.


@dataclass(frozen=True, kw_only=True)
class QuantityPart(Part):
    """A key of two sizes: what the record has, large, under what it is."""

    key: Key

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = (self.key.look is KeyLook.CHOSEN) != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink = Colour.GO_INK if inverted else Colour.INK
        room = self.box.inset(5, 4)
        second = ink if inverted else Colour.INK2
        lines = 1 if pen.width(self.key.second, Caps.DETAIL, Face.MEDIUM) <= room.wide else 2
        lines = lines if room.high > 56 else 1
        high = lines_high(lines, Caps.DETAIL)
        pen.text(self.key.second, room.top(high), 14, second, face=Face.MEDIUM, lines=lines)
        below = room.below(high + (3 if room.high > 46 else 6))
        is_long = pen.width(self.key.label, _ONE_ROW_CAPS) > below.wide
        most = 2 if is_long and below.high >= lines_high(2, 14) - 1 else 1
        pen.text(self.key.label, below, 22 if room.high > 44 else 20, ink, lines=most)


_ONE_ROW_CAPS = 16.0
"""What a row has room for in such capitals is not parted."""


@dataclass(frozen=True, kw_only=True)
class OwnerPart(Part):
    """Whose a row is: emblem, name, and how much more there is of it."""

    key: Key
    side: Side | None

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        tint = pen.theme.side(self.side.tint).text if self.side is not None else Colour.INK
        pen.edge(self.box, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else tint
        room = self.box.inset(6, 5)
        if self.side is not None and not pressed:
            draw_emblem(pen, self.side, Box(room.x, room.y, 22, room.high).square(22))
            room = room.beside(27)
        words = room.top(room.high - 17) if self.key.second else room
        pen.text(self.key.label, words, 17, ink, lines=2 if words.high > 38 else 1)
        if self.key.second:
            below = Box(room.x, room.bottom - 14, room.wide, 14)
            second = Colour.GO_INK if pressed else Colour.INK2
            pen.text(self.key.second, below, 14, second, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class WasThen(Part):
    """What is set: as it was, and large as it is written."""

    label: str
    was: str
    now: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        room = self.box.inset(14, 9)
        pen.text(self.label, room.top(24), 24)
        rest = room.below(33)
        if not self.now:
            pen.text(f"recorded: {self.was}", rest, 24, Colour.INK2)
            return
        ink = pen.text(self.now, rest.left(rest.wide * 0.62), min(36.0, rest.high))
        was = rest.beside(ink.wide + 22)
        pen.text(f"was {self.was}", was, 20, Colour.INK2, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class EffectPart(Part):
    """What follows of it, or why it cannot be: whole sentences."""

    text: str
    cite: str = ""
    mark: Mark = Mark.NONE

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = self.box
        if self.mark:
            draw_mark(pen, self.mark, Box(room.x, room.y, 24, 28).square(24))
            room = room.beside(34)
        words = f"{self.text} ({self.cite})" if self.cite else self.text
        lines = next(n for n in (5, 4, 3, 2, 1) if n == 1 or lines_high(n, 14.5) <= room.high)
        pen.text(words, room, 17, face=Face.MEDIUM, across="top", lines=lines)


# Layout.

_OWNER_WIDE = 160.0
_PAD_WIDE, _MAP_WIDE = 372.0, 470.0
_LEAD_HIGH, _HEAD_HIGH = 34.0, 76.0
_UPRIGHT_OWNER, _UPRIGHT_ROW = 152.0, 148.0
_UPRIGHT_TOLD, _UPRIGHT_WORDS = 296.0, 150.0
_OFFERED = 71.0
"""How high a row of offers is with its head."""
_ONE_ROW = 380.0
"""So wide is a column in which all reasons stand side by side."""


def layout(state: AdjustState, page: Page) -> Parts:
    """Rows of owners with what is most often set; a refusal takes the lead's place."""
    if page.portrait:
        yield from _upright_rows(state, page)
        yield from page.around(state.frame, pages=(state.page, state.pages))
        return
    body, gap = page.body, 6.0
    if state.frame.refusal is not None:
        top, body = page.refused(body, state.frame.refusal, tight=True)
        yield from page.refusal(top, state.frame.refusal)
        gap = 4.0
    else:
        yield "lead", Words(box=body.top(_LEAD_HIGH - 8), text=state.lead, caps=24)
        body = body.below(_LEAD_HIGH)
    number = max(3, len(state.rows))
    high = min(84.0, (body.high - gap * (number - 1)) / number)
    columns = max((len(row.keys) for row in state.rows), default=0)
    for n, row in enumerate(state.rows):
        box = Box(body.x, body.y + n * (high + gap), body.wide, high)
        yield from _row(box, row, n, max(IN_A_ROW, columns))
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _row(box: Box, row: AdjustRow, n: int, columns: int) -> Parts:
    """The owner, and the keys of a row; fewer than the others have are wider."""
    if row.owner is not None:
        whose, action = box.left(_OWNER_WIDE), row.owner.action
        yield f"owner/{n}", OwnerPart(box=whose, key=row.owner, side=row.side, action=action)
        box = box.beside(_OWNER_WIDE + 6)
    columns = IN_A_ROW if len(row.keys) <= IN_A_ROW else columns
    for at, (place, key) in enumerate(
        zip(box.columns([1] * columns, gap=6), row.keys, strict=False)
    ):
        yield f"quantity/{n}/{at}", QuantityPart(box=place, key=key, action=key.action)


def _upright_rows(state: AdjustState, page: Page) -> Parts:
    """In portrait: each owner beside two rows of keys; under a refusal fewer owners at once."""
    top, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(top, state.frame.refusal)
    number = ROWS_A_PAGE if state.frame.refusal is None else ROWS_A_PAGE - 2
    if state.frame.refusal is None and len(state.rows) < ROWS_A_PAGE:
        yield "lead", Words(box=body.top(_LEAD_HIGH - 8), text=state.lead, caps=24)
        body, number = body.below(_LEAD_HIGH), max(3, len(state.rows))
    gap = 2.0 if number >= ROWS_A_PAGE else 8.0
    high = min(_UPRIGHT_ROW, (body.high - gap * (number - 1)) / number)
    for n, row in enumerate(state.rows[:number]):
        box = Box(body.x, body.y + n * (high + gap), body.wide, high)
        columns = 3 if row.owner is not None and len(row.keys) > IN_A_ROW else 2
        strips = box.rows([1, 1], gap=min(gap, 4.0))
        if row.owner is not None:
            whose, action = box.left(_UPRIGHT_OWNER), row.owner.action
            yield f"owner/{n}", OwnerPart(box=whose, key=row.owner, side=row.side, action=action)
            box = box.beside(_UPRIGHT_OWNER + 4)
            strips = box.rows([1, 1], gap=2) if len(row.keys) > columns else [box]
        cells = [cell for strip in strips for cell in strip.columns([1] * columns, gap=4)]
        for at, (place, key) in enumerate(zip(cells, row.keys, strict=False)):
            yield f"quantity/{n}/{at}", QuantityPart(box=place, key=key, action=key.action)


def value_layout(state: ValueState, page: Page) -> Parts:
    """What sets it at one side; what that changes, and why, at the other."""
    spaces = state.spaces
    wide = _PAD_WIDE if spaces is None else _MAP_WIDE + page.wide - 800
    keys, told = page.sides(page.body, wide)
    if page.portrait:
        rows = sum(group.rows for group in state.groups)
        high = _UPRIGHT_TOLD if spaces is None else _UPRIGHT_WORDS + rows * 57.0
        above = page.body.high - high
        keys, told = page.body.top(above - 8), page.body.below(above)
    if spaces is not None and state.map is not None:
        yield from touched_board(keys, state.map, spaces)
        yield from _told_of_place(state, told)
    elif too_many(state.groups, keys):
        yield from Menu(state.groups, page.theme).parts(keys, state.pad_page, page)
        yield from _told(state, told)
    else:
        yield from pad(keys, state.groups, caps=24, most_high=77)
        yield from _told(state, told)
    yield from page.around(state.frame)


def _told(state: ValueState, room: Box) -> Parts:
    """What is written, what that changes, what would make up for it, and why it is set."""
    reasons = Box(room.x, room.bottom - 54, room.wide, 54)
    yield from _reason_keys(state, reasons.columns([1] * len(state.reasons), gap=6))
    if state.frame.refusal is not None:
        yield "refusal", narrow_refusal(room.top(room.high - 62), state.frame.refusal)
        return
    head = room.top(_HEAD_HIGH)
    yield "what", WasThen(box=head, label=state.label, was=state.was, now=state.now)
    middle = Box(room.x, room.y + _HEAD_HIGH + 8, room.wide, room.high - _HEAD_HIGH - 68)
    if state.near:
        rows = zip(middle.rows([1, 1]), state.near, strict=False)
        for n, (place, (words, keys)) in enumerate(rows):
            yield from _offered(place.below(place.high - _OFFERED), words, keys, f"near/{n}")
        return
    if state.fault is not None:
        high = middle.high - _OFFERED - 8 if state.offers else middle.high
        yield "effect", _fault_part(middle.top(high), state.fault)
    elif state.effect:
        yield "effect", EffectPart(box=middle, text=state.effect)
    if state.offers:
        below, words = middle.below(middle.high - _OFFERED), "HOLD: IT ADDS UP WITH"
        yield from _offered(below, words, state.offers, "offer")


def _fault_part(room: Box, fault: Line) -> EffectPart:
    return EffectPart(box=room, text=fault.name, cite=fault.value, mark=fault.mark)


def _reason_keys(state: ValueState, boxes: Sequence[Box]) -> Parts:
    for n, (box, key) in enumerate(zip(boxes, state.reasons, strict=True)):
        yield f"reason/{n}", key_cap(box, key)


def _offered(room: Box, head: str, offered: Sequence[Key], name: str) -> Parts:
    """The piles that would make up for it, held."""
    yield f"{name}s", Words(box=room.top(15), text=head, caps=Caps.DETAIL, tint=Colour.INK2)
    boxes = room.below(20).top(51).columns([1] * max(2, len(offered)), gap=6)
    for n, (box, key) in enumerate(zip(boxes, offered, strict=False)):
        yield f"{name}/{n}", key_cap(box, key, caps=17)


def _told_of_place(state: ValueState, room: Box) -> Parts:
    """Beside a map: whose place, what follows; headings, and reasons two in a row."""
    two = room.wide < _ONE_ROW
    reasons = Box(room.x, room.bottom - (108 if two else 54), room.wide, 108 if two else 54)
    rows = reasons.rows([1, 1], gap=6) if two else [reasons]
    cells = [box for row in rows for box in row.columns([1] * (2 if two else 4), gap=6)]
    yield from _reason_keys(state, cells[: len(state.reasons)])
    if state.frame.refusal is not None:
        above = room.top(room.high - reasons.high - 8)
        yield "refusal", narrow_refusal(above, state.frame.refusal)
        return
    high = sum(group.rows for group in state.groups) * 57.0
    headings = Box(room.x, reasons.y - high - 4, room.wide, high)
    yield from pad(headings, state.groups, caps=16, most_high=51)
    words = room.top(room.high - reasons.high - high - 10)
    yield "what", Words(box=words.top(22), text=state.label, caps=22)
    below = words.below(28)
    if state.fault is not None:
        yield "effect", _fault_part(below, state.fault)
    else:
        yield "effect", EffectPart(box=below, text=state.effect)
