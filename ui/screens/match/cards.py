"""Cards that were turned over, told by one tap each; and the pads that other screens share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK, Look
from companion.core.offers import SectionState
from companion.core.question import Option, Question, Reveal
from companion.core.ruling import Shows
from ui.scene import values
from ui.scene.map import MapState
from ui.scene.theme import Colour, Face, Hand, Reach
from ui.scene.words import age_in_words
from ui.screens.match.ruled import map_told, ruled_bands, told_with
from ui.screens.page import Page, Parts
from ui.touch.actions import Action, Answer, Panel, Show
from ui.widgets.bars import KEY, message_part
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_keys import asked_band
from ui.widgets.key import BandPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import pad
from ui.widgets.words import LinePart

if TYPE_CHECKING:
    from ui.scene.scene import Scene


# Pads: options laid out as their groups, cells and signs say.

WIDEST, SHORT = 4, 14
"""Keys in a row where no option says which cell it takes; half of them where words are longer."""


def answer_pad(
    scene: Scene, question: Question[Any], only_cell: str = ""
) -> tuple[values.PadGroup, ...]:
    """Every option as a key that answers the question; lit where sight offers it.

    Options that share a cell open from one key; `only_cell` ("2,5") are those of one such key.
    """
    seen, age = scene.seen(question.key), scene.seen_age(question.key)
    given = scene.match.answered.get(question.key)

    def key(option: Option[Any]) -> values.Key:
        return values.Key(
            option.label,
            Answer(question.key, question.opened, option.name),
            sign=option.sign,
            look=values.KeyLook.CHOSEN if option.name == given else values.KeyLook.PLAIN,
            seen=age if option.name == seen else "",
        )

    options, looks = question.options_now(), scene.names.looks
    if only_cell:
        return pad_groups(
            [o._replace(cell=None) for o in options if cell_name(o) == only_cell], key, looks
        )
    return pad_groups(options, key, looks)


def cell_name(option: Option[Any]) -> str:
    """A cell as a panel's part: "2,5"."""
    return ",".join(str(at) for at in option.cell or ())


def choosing_pad(
    options: Sequence[Option[Any]],
    act: Callable[[Option[Any]], Action],
    looks: Mapping[str, Look],
    chosen: Collection[str] = (),
) -> tuple[values.PadGroup, ...]:
    """Options as keys that do something else than answer, as in an amend."""
    return pad_groups(
        options,
        lambda option: values.Key(
            option.label,
            act(option),
            sign=option.sign,
            look=values.KeyLook.CHOSEN if option.name in chosen else values.KeyLook.PLAIN,
        ),
        looks,
    )


def pad_groups(
    options: Sequence[Option[Any]],
    key: Callable[[Option[Any]], values.Key],
    looks: Mapping[str, Look],
) -> tuple[values.PadGroup, ...]:
    """Options of the same group become one group of keys, in the order of the first of each."""
    groups: dict[str, list[Option[Any]]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return tuple(
        values.PadGroup(*_title_and_note(name), _placed(group, key), look.sign, look)
        for name, group in groups.items()
        for look in (looks.get(group[0].about, NO_LOOK),)
    )


def _placed(
    options: list[Option[Any]], key: Callable[[Option[Any]], values.Key]
) -> tuple[values.PadKey, ...]:
    """Each key in its option's cell, counted from the group's own corner; else in rows."""
    cells = [option.cell for option in options if option.cell is not None]
    if len(cells) < len(options):
        short = all(len(option.label) <= SHORT for option in options)
        wide = WIDEST if short else WIDEST // 2
        return tuple(values.PadKey(key(o), *divmod(at, wide)) for at, o in enumerate(options))
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    sharing: dict[tuple[int, int], list[Option[Any]]] = {}
    for cell, option in zip(cells, options, strict=True):
        sharing.setdefault(cell, []).append(option)
    return tuple(
        values.PadKey(_key_of(group, key), row - top, column - left)
        for (row, column), group in sharing.items()
    )


def _key_of(options: list[Option[Any]], key: Callable[[Option[Any]], values.Key]) -> values.Key:
    """One option's own key, or the key from which all that share a cell open."""
    first = options[0]
    if len(options) == 1:
        return key(first)
    words = first.label.rpartition(": ")[2].capitalize()
    return values.Key(words, Show(Panel.PAD, cell_name(first)), "which card?", first.sign)


def _title_and_note(group: str) -> tuple[str, str]:
    """A group's name before and after its first comma: "Move Plane, own" is a title and a note.

    >>> _title_and_note("Move Plane, own plane"), _title_and_note("")
    (('MOVE PLANE', 'own plane'), ('', ''))
    """
    title, _, note = group.partition(",")
    return (title.strip().upper(), note.strip())


# State, and what it says.


@dataclass(frozen=True, slots=True)
class CardsState:
    """The pad of one team's card: groups as the options lay them out.

    `left` groups have rows of movement keys, `right` the boards and "no effect"; `others` are the
    cards of the section already told, with source and age. `side` is who is asked, `asked` the
    words where Done will stand ("PAWS: FLIP 3"). `deeds` are what hands do before: the card that
    is turned over then says that they have.
    """

    frame: values.ScreenFrame
    side: values.Side
    asked: str
    left: tuple[values.PadGroup, ...]
    right: tuple[values.PadGroup, ...]
    others: tuple[values.Line, ...]
    map: MapState
    notes: tuple[str, ...] = ()
    deeds: tuple[values.Band, ...] = ()


def present_cards(scene: Scene) -> CardsState:
    """One pad for the first card that is still to be told."""
    asked = next(q for q in scene.waiting if isinstance(q, Reveal))
    side = scene.side(asked.by)
    assert side is not None
    pad = answer_pad(scene, asked, scene.view.part if scene.view.panel is Panel.PAD else "")
    words = asked.headline or f"{side.name}: flip"
    return CardsState(
        frame=scene.frame(
            message=_message(scene, asked),
            next_key=values.Key(words.upper(), None, "touch the card"),
        ),
        side=side,
        asked=words.upper(),
        left=tuple(group for group in pad if _is_left(group)),
        right=tuple(group for group in pad if not _is_left(group)),
        others=_others(scene, asked),
        map=map_told(scene),
        notes=_notes(scene, asked),
        deeds=told_with(scene),
    )


def _message(scene: Scene, asked: Reveal[Any]) -> values.Message:
    """What sight offers, and how to stop it."""
    seen = scene.seen(asked.key)
    if not seen:
        return values.Message(second=f"{asked.cite}")
    first = f"Camera: {asked.in_words(seen)}"  # its key says how long ago
    return values.Message(first, "Touch anything else to stop it.", values.Mark.OK)


def _is_left(group: values.PadGroup) -> bool:
    """Rows of four movements go left, boards of three and single keys right."""
    return group.columns > 3


def _others(scene: Scene, asked: Question[Any]) -> tuple[values.Line, ...]:
    """The cards of this form that were told already, with their source."""
    lines: list[values.Line] = []
    for key, question in scene.open.items():
        if key == asked.key or key not in scene.match.answered:
            continue
        words = question.in_words(scene.match.answered[key])
        side = scene.side(question.by)
        name = f"{side.name}: " if side is not None else ""
        lines.append(values.Line(f"{name}{words}", _source(scene, key), values.Mark.OK, side=side))
    return tuple(lines)


def _source(scene: Scene, key: str) -> str:
    """Whence an answer came and how long ago: "camera", "camera, 3 s ago"."""
    source = scene.referee.sources.get(key)
    if source is None:
        return "from the record"
    age = age_in_words(scene.now - source.at)
    return f"{source.source}, {age} ago" if age else source.source


def _notes(scene: Scene, asked: Reveal[Any]) -> tuple[str, ...]:
    """What the camera sees lie there, and whose turn comes first, as the facts have it."""
    facts = [fact for fact in scene.facts if fact.shows is Shows.FIRST and fact.value]
    return (*_seen_note(scene, asked), *(f"{fact.value}: {fact.label}" for fact in facts))


def _seen_note(scene: Scene, asked: Reveal[Any]) -> tuple[str, ...]:
    """Which cards lie on the section and which way up, or that something does."""
    seen = scene.seen_there(asked)
    if seen is None:
        return ()
    if seen.state is SectionState.DOUBT:
        return ("Seen: something lies there",)
    lie = [" or ".join(card.faces) or "face down" for card in seen.cards]
    return (f"Seen: {', '.join(lie) or 'empty'}",)


# Parts and layout.

_PAD_WIDE = 522.0
_LEFT_WIDE = 288.0
_UPRIGHT_LEFT = 256.0
"""In portrait seven columns of keys share the width, four of them left."""
_UPRIGHT_PAD = 312.0
_MESSAGE_WIDE = 200.0
_LEAST_PAD = (165.0, 226.0)
"""Three rows of keys as high as a finger; in portrait with a title over each."""
_LOW_WIDE, _LOW_GAP, _LOW_TITLE = 576.0, 8.0, 20.0
_LOW_SHARES = (334.0, 234.0)
"""Of the pad under what hands do, in landscape."""
_UPRIGHT_MAP, _LEAST_MAP = 140.0, 110.0
_ROW_Y = 8.0


@dataclass(frozen=True, kw_only=True)
class Notes(Part):
    """Two lines on what is known of the card: first what matters more."""

    notes: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        rows = self.box.rows([1] * max(1, len(self.notes)))
        for n, (row, note) in enumerate(zip(rows, self.notes, strict=False)):
            face, tint = (Face.MEDIUM, Colour.INK) if n == 0 else (Face.REGULAR, Colour.INK2)
            pen.text(note, row, 15, tint, face=face)


def layout(state: CardsState, page: Page) -> Parts:
    """Pad at one side, the other team's card and the map at the other; deeds over them."""
    if state.deeds:
        yield from _under_deeds(state, page)
        yield from _bottom(state, page)
        return
    keys, beside = page.sides(page.body.moved(down=-4), _PAD_WIDE)
    left_wide, gap = _LEFT_WIDE, 20.0
    if page.portrait:
        keys, beside = page.body.top(_UPRIGHT_PAD), page.body.below(_UPRIGHT_PAD)
        left_wide, gap = _UPRIGHT_LEFT, 14.0
    left, right = keys.left(left_wide), keys.beside(left_wide + gap)
    left, right = left.below(4), right.below(4)
    yield from pad(left, state.left, "left")
    yield from pad(right, state.right, "right", caps=16)
    if page.portrait and state.frame.refusal is not None:
        yield from page.refusal(beside.inset(0, 6), state.frame.refusal)
    else:
        told, beside = page.refused_beside(beside, state.frame.refusal)
        yield from told
        yield from _beside(state, beside)
    yield from _bottom(state, page)


def _under_deeds(state: CardsState, page: Page) -> Parts:
    """What hands do over a lower pad; in landscape its groups are named beside their keys."""
    body, refusal = page.body, state.frame.refusal
    if refusal is not None and (page.portrait or refusal.key is not None):
        refused, body = page.refused(body, refusal, tight=True)
        yield from page.refusal(refused, refusal)
        refusal = None
    bands, room = ruled_bands(page, body, state.deeds, _LEAST_PAD[page.portrait])
    yield from bands
    if page.portrait:
        yield from _upright_pad(state, room)
        return
    keys, beside = page.sides(room, _LOW_WIDE + (page.wide - 800) / 2)
    left, right = keys.columns(_LOW_SHARES, gap=_LOW_GAP)
    yield from pad(left, state.left, "left", beside=True)
    yield from pad(right, state.right, "right", caps=16, beside=True)
    told, beside = page.refused_beside(beside, refusal)
    yield from told
    if beside.high >= _LEAST_MAP:
        yield from board_map(beside, state.map)


def _upright_pad(state: CardsState, room: Box) -> Parts:
    """The pad at the lower end, and over it the map where it has room."""
    spare = room.high - _UPRIGHT_PAD
    if spare > _UPRIGHT_MAP:
        yield from board_map(room.top(spare), state.map)
        room = room.below(spare)
    left, right = room.left(_UPRIGHT_LEFT), room.beside(_UPRIGHT_LEFT + 14)
    yield from pad(left, state.left, "left", title_high=_LOW_TITLE)
    yield from pad(right, state.right, "right", caps=16, title_high=_LOW_TITLE)


def _beside(state: CardsState, room: Box) -> Parts:
    """The other cards, the map and what is known; what a notice leaves no room is left out."""
    if room.high < _LEAST_MAP:
        return
    y = room.y + 4
    for n, line in enumerate(state.others[:2]):
        yield f"other/{n}", LinePart(box=Box(room.x, y, room.wide, 46), line=line)
        y += 52
    notes_high = 23.0 * min(2, len(state.notes))
    below = Box(room.x, y, room.wide, room.bottom - y - notes_high - 2)
    if below.high >= _LEAST_MAP:
        yield from board_map(below, state.map)
    if state.notes:
        box = Box(room.x, room.bottom - notes_high + 2, room.wide, notes_high)
        yield "notes", Notes(box=box, notes=state.notes[:2])


def _bottom(state: CardsState, page: Page) -> Parts:
    """Who is asked stands where Done will be, what sight offers beside it: no notice hides it."""
    frame = state.frame
    if frame.refusal is None and frame.bottom.next is not None and frame.bottom.next.action:
        yield from page.around(frame)
        return
    message = frame.bottom.message if frame.bottom.message.first else values.Message()
    beside = message != values.Message()
    row = _asked_row(page, len(frame.bottom.keys))
    around = [*page.around(replace(frame, bottom=values.Bottom(frame.bottom.keys)))]
    yield from around
    keys = [part.box for name, part in around if name.startswith("bottom/") and part.action]
    room, told = _asked_rooms(page, row, keys, beside=beside)
    yield "asked", _asked_part(page, room, state, short=beside and not page.portrait)
    if beside:
        yield "asked/message", message_part(told, message)


def _asked_part(page: Page, room: Box, state: CardsState, *, short: bool) -> BandPart:
    """Who does what, on one row 10 mm high; what alone, in the side's colour, where it is short."""
    who, _, what = state.asked.rpartition(": ")
    lines = (who, what) if who and not short else (what,)
    part = asked_band(page.theme, room, values.Band(lines, state.side), room.high)
    return replace(part, box=room)


def _asked_row(page: Page, keys: int) -> Box:
    """From the bottom keys to the other edge; in portrait the whole row over them."""
    if page.portrait:
        return _over(page)
    x = 10 + keys * (KEY[0] + 8) + 8
    room = Box(x, page.row.y + _ROW_Y, page.wide - 10 - x, KEY[1])
    return room if page.theme.hand is Hand.RIGHT else mirrored_box(room, page.wide)


def _over(page: Page) -> Box:
    """The row over the bottom keys, where there is one."""
    return Box(10, page.row.y + 2, page.wide - 20, page.row.high - KEY[1] - _ROW_Y - 3)


def _asked_rooms(page: Page, row: Box, keys: Sequence[Box], *, beside: bool) -> tuple[Box, Box]:
    """Who is asked, and what is told beside it; in portrait that stands beside the keys."""
    if page.portrait:
        left, right = 10.0, page.wide - 10
        if page.theme.hand is Hand.RIGHT:
            left = max((key.right + Reach.GAP for key in keys), default=left)
        else:
            right = min((key.x - Reach.GAP for key in keys), default=right)
        return row, Box(left, page.row.bottom - KEY[1] - _ROW_Y, right - left, KEY[1])
    wide = _MESSAGE_WIDE if beside else 0.0
    if page.theme.hand is Hand.RIGHT:
        return row.beside(wide), row.left(wide - 10)
    return row.left(row.wide - wide), Box(row.right - wide + 10, row.y, wide - 10, row.high)


def mirrored_box(box: Box, wide: float) -> Box:
    """A box on the other side of a window of this width, u."""
    return Box(wide - box.right, box.y, box.wide, box.high)
