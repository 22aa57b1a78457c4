"""Pads: a question's options laid out as their groups, cells and signs say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ui.presenters.actions import Answer
from ui.presenters.common import Key, KeyLook, PadGroup, PadKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.question import Option, Question
    from ui.presenters.actions import Action
    from ui.presenters.scene import Scene

WIDEST = 4
"""Keys in a row where no option says which cell it takes."""

KeyMaker = "Callable[[Option[Any]], Key]"


def answer_pad(scene: Scene, question: Question[Any]) -> tuple[PadGroup, ...]:
    """Every option as a key that answers the question; lit where sight offers it."""
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

    return pad_groups(question.options_now(), key)


def choosing_pad(
    options: Sequence[Option[Any]], act: Callable[[Option[Any]], Action], chosen: object = None
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
    )


def pad_groups(
    options: Sequence[Option[Any]], key: Callable[[Option[Any]], Key]
) -> tuple[PadGroup, ...]:
    """Options that follow one another with the same group become one group of keys."""
    return tuple(
        PadGroup(*_title_and_note(name), keys=_placed(list(group), key))
        for name, group in groupby(options, key=lambda option: option.group)
    )


def _placed(options: list[Option[Any]], key: Callable[[Option[Any]], Key]) -> tuple[PadKey, ...]:
    """Each key in the option's cell, counted from the group's own corner; else in rows."""
    cells = [option.cell for option in options]
    if any(cell is None for cell in cells):
        cells = [divmod(at, WIDEST) for at in range(len(options))]
    top = min(cell[0] for cell in cells if cell is not None)
    left = min(cell[1] for cell in cells if cell is not None)
    return tuple(
        PadKey(key(option), cell[0] - top, cell[1] - left)
        for option, cell in zip(options, cells, strict=True)
        if cell is not None
    )


def _title_and_note(group: str) -> tuple[str, str]:
    """A group's name before and after its first comma: "Move Plane, own" is a title and a note.

    >>> _title_and_note("Move Plane, own plane"), _title_and_note("")
    (('MOVE PLANE', 'own plane'), ('', ''))
    """
    title, _, note = group.partition(",")
    return (title.strip().upper(), note.strip())
