"""Menus: the options of a question as large keys, a row or more for each of their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.question import ChooseSome, Count, Declare
from ui.presenters.choose import Several
from ui.scene.values import Key, KeyLook, PadGroup, PadKey
from ui.touch.actions import AddWords, Answer, Fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.question import Option, Question
    from ui.scene.scene import Scene


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


def done_key(question: Question[Any], raw: Any, label: str, second: str) -> Key:
    """The next tap that gives what was put together."""
    return Key(label, Answer(question.key, question.opened, raw), second, "next", KeyLook.GO)


def numbers(question: Count) -> tuple[PadGroup, ...]:
    """Every number the question takes, as a key that answers it."""
    keys = [
        Key(option.label, Answer(question.key, question.opened, int(option.name)))
        for option in question.options_now()
    ]
    return (_in_one(keys),)


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
    return (_in_one(keys),)


MOST = 20
"""Counted up by touches, one after the other."""


def grouped(
    options: Sequence[Option[Any]], key: Callable[[Option[Any]], Key]
) -> tuple[PadGroup, ...]:
    """Groups in the order of the first option of each; the screen lays their keys out."""
    groups: dict[str, list[Key]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(key(option))
    return tuple(
        PadGroup(name, "", tuple(PadKey(one, 0, column) for column, one in enumerate(keys)))
        for name, keys in groups.items()
    )


def _in_one(keys: Sequence[Key]) -> PadGroup:
    return PadGroup("", "", tuple(PadKey(key, 0, column) for column, key in enumerate(keys)))


def _fill(question: Question[Any], raw: Any) -> Fill:
    return Fill(Answer(question.key, question.opened, raw))
