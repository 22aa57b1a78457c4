"""Menus: the options of a question as large keys, a row or more for each of their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.core.question import ChooseSome, Count, Declare, Option, Order, Question
from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Key, KeyLook, PadGroup, PadKey
from ui.screens.match.numbers import FEW, number_pad
from ui.screens.page import Page, Parts
from ui.touch.actions import AddWords, Answer, Fill
from ui.widgets.box import Box
from ui.widgets.field_keys import MenuKey
from ui.widgets.lettering import text_wide
from ui.widgets.signs import SIGNS
from ui.widgets.words import Words

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.scene.scene import Scene


Several = ChooseSome[Any] | Order[Any]


def menu_of(
    scene: Scene, question: Question[Any], options: Sequence[Option[Any]]
) -> tuple[PadGroup, ...]:
    """A key that answers for each option, under the names of their groups."""

    def key(option: Option[Any]) -> Key:
        return answer_key(scene, question, option)

    return grouped(options, key)


def answer_key(scene: Scene, question: Question[Any], option: Option[Any]) -> Key:
    """One option as a key; lit where sight offers it."""
    first, second = two_lines(option.label)
    return Key(
        first,
        answering(question, option),
        second,
        option.sign,
        seen=scene.seen_age(question.key) if option.name == scene.seen(question.key) else "",
    )


def answering(question: Question[Any], option: Option[Any]) -> Answer | AddWords:
    """What touching an option does: it answers, or opens the keyboard where words may be added."""
    answer = Answer(question.key, question.opened, option.name)
    if not option.letters_more:
        return answer
    return AddWords(answer, option.label, option.letters_more)


def two_lines(label: str) -> tuple[str, str]:
    """A label's words, and what of them is said smaller: at whom, for what, with what in train.

    >>> two_lines("Guns at Ben, 2 tokens"), two_lines("Focus, 1 token"), two_lines("Regroup")
    (('Guns', 'at Ben, 2 tokens'), ('Focus', '1 token'), ('Regroup', ''))
    >>> two_lines("straight, left: roll a die")
    ('straight, left', 'roll a die')
    """
    for stop in (": ", " at ", ", "):
        first, found, second = label.partition(stop)
        if found:
            return first, f"at {second}" if stop == " at " else second
    return label, ""


def some_of(question: Several, chosen: list[str]) -> tuple[PadGroup, ...]:
    """Options that are put together one by one."""

    def key(option: Option[Any]) -> Key:
        look = KeyLook.CHOSEN if option.name in chosen else KeyLook.PLAIN
        first, second = two_lines(option.label)
        return Key(first, toggling(question, chosen, option.name), second, option.sign, look)

    return grouped(question.offered, key)


def chosen_names(scene: Scene, question: Question[Any]) -> list[str]:
    """The options chosen so far on the screen, in the order of the touches."""
    draft = scene.view.draft
    if draft is None or draft.key != question.key or not isinstance(draft.raw, list):
        return []
    return [str(name) for name in draft.raw]


def toggling(question: Several, chosen: list[str], name: str) -> Fill:
    """A touch that chooses one more or one less; beyond the most the first makes room."""
    if name in chosen:
        return _fill(question, [other for other in chosen if other != name])
    _, most = limits_of(question)
    kept = chosen[len(chosen) + 1 - most :] if len(chosen) >= most else chosen
    return _fill(question, [*kept, name])


def limits_of(question: Several) -> tuple[int, int]:
    """The fewest and the most options that an answer has; an order has them all."""
    every = len(question.offered)
    if isinstance(question, ChooseSome):
        return question.fewest, min(question.most, every)
    return every, every


def done_key(question: Question[Any], raw: Json, label: str, second: str) -> Key:
    """The next tap that gives what was put together."""
    return Key(label, Answer(question.key, question.opened, raw), second, "next", KeyLook.GO)


def numbers(question: Count, so_far: int | None = None) -> tuple[PadGroup, ...]:
    """A key that answers for each of few numbers; one of many is typed, and given by the next tap.

    `so_far` is what was typed of it.
    """

    def answer(number: int | None) -> Answer:
        return Answer(question.key, question.opened, number)

    allowed = [int(option.name) for option in question.options_now()]
    if len(allowed) <= FEW:
        return in_rows([Key(str(number), answer(number)) for number in allowed])
    return number_pad(so_far, allowed, lambda n: Fill(answer(n)), lambda n: Fill(answer(n)))


def number_key(question: Count, so_far: int | None = None) -> Key | None:
    """The next tap that gives a typed number, as soon as it is one; None where each has a key."""
    allowed = [int(option.name) for option in question.options_now()]
    if len(allowed) <= FEW:
        return None
    if so_far in allowed:
        return done_key(question, so_far, str(so_far), "take it")
    bounds = f"{min(allowed)} to {max(allowed)}"
    if so_far is None:
        return Key("Type it", None, bounds, "next", KeyLook.IMPOSSIBLE)
    return Key(str(so_far), None, f"it is {bounds}", "next", KeyLook.IMPOSSIBLE)


def parts_of(question: Declare, told: dict[str, Any]) -> tuple[PadGroup, ...]:
    """Each part with how many of it were told: a touch counts one more, and begins anew."""
    keys = [
        Key(
            part,
            _fill(question, {**told, part: (told[part] + 1) % (min(question.most, MOST) + 1)}),
            str(told[part]) if told[part] else "none",
            look=KeyLook.CHOSEN if told[part] else KeyLook.PLAIN,
        )
        for part in question.parts
    ]
    return in_rows(keys)


MOST = 20
"""Counted up by touches, one after the other."""


def grouped(
    options: Sequence[Option[Any]], key: Callable[[Option[Any]], Key]
) -> tuple[PadGroup, ...]:
    """Groups in the order of the first option of each.

    Where each option of a group has a cell of its own the keys lie so; else the screen lays them
    out.
    """
    groups: dict[str, list[Option[Any]]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return tuple(PadGroup(name, "", _placed(group, key)) for name, group in groups.items())


def _placed(
    options: Sequence[Option[Any]], key: Callable[[Option[Any]], Key]
) -> tuple[PadKey, ...]:
    """Keys in their cells, counted from the group's own corner; else one after the other."""
    cells = [option.cell for option in options if option.cell is not None]
    if len(set(cells)) < len(options):
        return tuple(PadKey(key(option), 0, column) for column, option in enumerate(options))
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(
        PadKey(key(option), row - top, column - left)
        for option, (row, column) in sorted(
            zip(options, cells, strict=True), key=lambda pair: pair[1]
        )
    )


def in_rows(keys: Sequence[Key]) -> tuple[PadGroup, ...]:
    """Keys that belong together, as many in a row as there is room for."""
    return (PadGroup("", "", tuple(PadKey(key, 0, column) for column, key in enumerate(keys))),)


def _fill(question: Question[Any], raw: Json) -> Fill:
    return Fill(Answer(question.key, question.opened, raw))


# Layout: rows under their groups' names, in pages where they must be.

MOST_KEY_HIGH = 84.0
_GAP = 5.0
_LABEL_WIDE = (60.0, 122.0)
"""Of the groups' names: as wide as the longest of their words, within these."""
_THREE_LINES_HIGH = 58.0
_TURN_WIDE = 58.0
_MOST_COLUMNS = 6


@dataclass(frozen=True)
class Menu:
    """Groups of keys as one theme lays them out."""

    groups: Sequence[PadGroup]
    theme: Theme

    @cached_property
    def _label_wide(self) -> float:
        words = [word for group in self.groups for word in group.title.split()]
        widest = max((text_wide(self.theme, word, Caps.DETAIL + 0.5) for word in words), default=0)
        return min(_LABEL_WIDE[1], max(_LABEL_WIDE[0], widest + 10))

    def parts(self, room: Box, page: int, on: Page) -> Parts:
        """A page of rows of keys; a column that turns pages only where it must be."""
        pages = self.paged(room)
        if len(pages) > 1:
            column = Box(room.right - _TURN_WIDE, room.y, _TURN_WIDE, room.high)
            room = room.left(room.wide - _TURN_WIDE - _GAP)
            pages = self.paged(room)
            yield from on.turning(column, min(page, len(pages) - 1) + 1, len(pages))
        rows = pages[min(page, len(pages) - 1)]
        high = min(MOST_KEY_HIGH, (room.high - _GAP * (len(rows) - 1)) / len(rows))
        for n, row in enumerate(rows):
            yield from self._row(Box(room.x, room.y + n * (high + _GAP), room.wide, high), row, n)

    def paged(self, room: Box) -> list[list[PadGroup]]:
        """Rows in pages of as many as the room holds; keys of a page are alike in height."""
        pages: list[list[PadGroup]] = [[]]
        for row in self._rows(room.wide):
            page = [*pages[-1], row]
            least = max(self._least_high(each, room.wide) for each in page)
            if pages[-1] and len(page) * (least + _GAP) - _GAP > room.high + 0.1:
                pages.append([row])
            else:
                pages[-1] = page
        return pages

    def least_high(self, wide: float) -> float:
        """What all rows need, one under another."""
        return sum(self._least_high(row, wide) + _GAP for row in self._rows(wide))

    def _least_high(self, row: PadGroup, wide: float) -> float:
        """Higher where a key has two lines of words and a second line below."""
        columns = int(row.note)
        label = self._label_wide if row.sign else 0.0
        room = (wide - label - _GAP * (columns - 1)) / columns - 10
        three = any(
            pad.key.second and text_wide(self.theme, pad.key.label, Caps.DETAIL) > room
            for pad in row.keys
        )
        return _THREE_LINES_HIGH if three else Reach.TARGET[1]

    def _rows(self, wide: float) -> list[PadGroup]:
        """Groups broken into rows of as many keys as their words leave room for."""
        rows: list[PadGroup] = []
        for group in self._paired(wide) if self.theme.portrait else self.groups:
            columns, broken = self._broken(group, wide)
            for n, keys in enumerate(broken):
                title = group.title if n == 0 else ""
                sign = "group" if group.title else ""
                rows.append(PadGroup(title, str(columns), keys, sign=sign))
        return rows

    def _paired(self, wide: float) -> Iterator[PadGroup]:
        """Groups of one key two in a row, under which their names stand: a map has room so."""
        left = [*self.groups]
        while left:
            group = left.pop(0)
            if left and len(group.keys) == len(left[0].keys) == 1 and group.title and left[0].title:
                both = (_titled(group, 0), _titled(left[0], 1))
                pair = PadGroup("", "", both)
                if self._fitting(pair, wide) > 1:
                    left.pop(0)
                    group = pair
            yield group

    def _broken(self, group: PadGroup, wide: float) -> tuple[int, list[tuple[PadKey, ...]]]:
        """How many columns, and the keys of each row: in their cells where they fit so."""
        fitting = self._fitting(group, wide)
        if group.rows > 1 and group.columns <= fitting:
            ordered = sorted(group.keys, key=lambda pad: (pad.row, pad.column))
            return group.columns, [
                tuple(pad for pad in ordered if pad.row == row)
                for row in sorted({pad.row for pad in ordered})
            ]
        wanted = min(max(1, fitting), _MOST_COLUMNS, len(group.keys))
        columns = -(-len(group.keys) // -(-len(group.keys) // wanted))
        broken = [group.keys[at : at + columns] for at in range(0, len(group.keys), columns)]
        return columns, [
            tuple(replace(pad, row=0, column=n) for n, pad in enumerate(keys)) for keys in broken
        ]

    def _fitting(self, group: PadGroup, wide: float) -> int:
        """How many keys have room side by side so that every word of them is whole."""
        room = wide - (self._label_wide if group.title else 0.0)
        widest = max(
            (
                text_wide(self.theme, word, 14)
                for pad in group.keys
                for word in two_lines_of(pad.key.label)
            ),
            default=0.0,
        )
        seconds = (text_wide(self.theme, pad.key.second, 14, Face.MEDIUM) for pad in group.keys)
        signs = 46.0 if any(pad.key.sign in SIGNS for pad in group.keys) else 0.0
        widest = max(widest, *seconds, 40.0) + signs
        return int((room + _GAP) // (widest + 12 + _GAP))

    def _row(self, box: Box, row: PadGroup, n: int) -> Parts:
        room = box
        if row.sign:
            label = self._label_wide
            if row.title:
                title = Box(box.x + 2, box.y, label - 7, box.high)
                text = _title_of(row)
                yield (
                    f"menu/{n}",
                    Words(box=title, text=text, caps=15, tint=Colour.INK2, lines=2),
                )
            room = box.beside(label)
        places = room.columns([1] * int(row.note), gap=_GAP)
        for at, pad in enumerate(row.keys):
            place = places[pad.column]
            caps = 28.0 if len(pad.key.label) <= 3 else 18.0
            yield (
                f"menu/{n}/{at}",
                MenuKey(box=place, key=pad.key, caps=caps, action=pad.key.action),
            )


def _title_of(group: PadGroup) -> str:
    return group.title.capitalize() if group.title.isupper() else group.title


def _titled(group: PadGroup, column: int) -> PadKey:
    """A group's one key with the group's name on it."""
    (pad,) = group.keys
    second = f"{_title_of(group)}: {pad.key.second}" if pad.key.second else _title_of(group)
    return PadKey(replace(pad.key, second=second), 0, column)


def two_lines_of(label: str) -> list[str]:
    """A label's words; up to two of them stand on a line each."""
    words = label.split()
    if len(words) <= 2:
        return words
    ways = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return list(min(ways, key=lambda lines: max(map(len, lines))))
