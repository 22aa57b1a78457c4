"""Pads: a question's options laid out as their groups, cells and signs say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK
from ui.scene.values import Key, KeyLook, PadGroup, PadKey
from ui.touch.actions import Answer, Panel, Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.board import Look
    from companion.core.question import Option, Question
    from ui.scene.scene import Scene
    from ui.touch.actions import Action

WIDEST, SHORT = 4, 14
"""Keys in a row where no option says which cell it takes; half of them where words are longer."""


def answer_pad(scene: Scene, question: Question[Any], only_cell: str = "") -> tuple[PadGroup, ...]:
    """Every option as a key that answers the question; lit where sight offers it.

    Options that share a cell open from one key; `only_cell` ("2,5") are those of one such key.
    """
    seen, age = scene.seen(question.key), scene.seen_age(question.key)
    given = scene.match.answered.get(question.key)

    def key(option: Option[Any]) -> Key:
        return Key(
            option.label,
            Answer(question.key, question.opened, option.name),
            sign=option.sign,
            look=KeyLook.CHOSEN if option.name == given else KeyLook.PLAIN,
            seen=age if option.name == seen else "",
        )

    options, looks = question.options_now(), scene.names.looks
    if only_cell:
        return pad_groups(
            [replace(o, cell=None) for o in options if cell_name(o) == only_cell], key, looks
        )
    return pad_groups(options, key, looks)


def cell_name(option: Option[Any]) -> str:
    """A cell as a panel's part: "2,5"."""
    return ",".join(str(at) for at in option.cell or ())


def choosing_pad(
    options: Sequence[Option[Any]],
    act: Callable[[Option[Any]], Action],
    looks: Mapping[str, Look],
    chosen: object = None,
) -> tuple[PadGroup, ...]:
    """The same options as keys that do something else with them, as in an amend."""
    return pad_groups(
        options,
        lambda option: Key(
            option.label,
            act(option),
            sign=option.sign,
            look=KeyLook.CHOSEN if option.name == chosen else KeyLook.PLAIN,
        ),
        looks,
    )


def pad_groups(
    options: Sequence[Option[Any]],
    key: Callable[[Option[Any]], Key],
    looks: Mapping[str, Look],
) -> tuple[PadGroup, ...]:
    """Options of the same group become one group of keys, in the order of the first of each."""
    groups: dict[str, list[Option[Any]]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return tuple(
        PadGroup(*_title_and_note(name), _placed(group, key), look.sign, look)
        for name, group in groups.items()
        for look in (looks.get(group[0].about, NO_LOOK),)
    )


def _placed(options: list[Option[Any]], key: Callable[[Option[Any]], Key]) -> tuple[PadKey, ...]:
    """Each key in its option's cell, counted from the group's own corner; else in rows."""
    cells = [option.cell for option in options if option.cell is not None]
    if len(cells) < len(options):
        short = all(len(option.label) <= SHORT for option in options)
        wide = WIDEST if short else WIDEST // 2
        return tuple(PadKey(key(o), *divmod(at, wide)) for at, o in enumerate(options))
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    sharing: dict[tuple[int, int], list[Option[Any]]] = {}
    for cell, option in zip(cells, options, strict=True):
        sharing.setdefault(cell, []).append(option)
    return tuple(
        PadKey(_key_of(group, key), row - top, column - left)
        for (row, column), group in sharing.items()
    )


def _key_of(options: list[Option[Any]], key: Callable[[Option[Any]], Key]) -> Key:
    """One option's own key, or the key from which all that share a cell open."""
    first = options[0]
    if len(options) == 1:
        return key(first)
    words = first.label.rpartition(": ")[2].capitalize()
    return Key(words, Show(Panel.PAD, cell_name(first)), f"{len(options)} cards", first.sign)


def _title_and_note(group: str) -> tuple[str, str]:
    """A group's name before and after its first comma: "Move Plane, own" is a title and a note.

    >>> _title_and_note("Move Plane, own plane"), _title_and_note("")
    (('MOVE PLANE', 'own plane'), ('', ''))
    """
    title, _, note = group.partition(",")
    return (title.strip().upper(), note.strip())
