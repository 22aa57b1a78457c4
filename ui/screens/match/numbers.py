"""Numbers typed on a pad: what each figure makes of the number so far, and the pad's keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ui.scene.values import Key, KeyLook, PadGroup, PadKey

if TYPE_CHECKING:
    from ui.touch.actions import Action

FEW = 10
"""So many numbers have a key each; more are typed."""
FIGURES = (1, 2, 3, 4, 5, 6, 7, 8, 9, None, 0)
"""As they lie on the pad, three a row; where None stands lies the key that erases."""
_NEAR = (-2, -1, 1, 2)
_ONE_FIGURE = 9
"""The pad has a key for each number up to it."""

Touch = Callable[[int], "Action"]
"""What telling a number does."""


def typed(so_far: int | None, figure: int, most: int) -> int:
    """The number with one figure more; a figure that would lead beyond the most begins anew.

    >>> typed(None, 1, 30), typed(1, 7, 30), typed(17, 5, 30), typed(0, 4, 30)
    (1, 17, 5, 4)
    """
    longer = 10 * (so_far or 0) + figure
    return longer if longer <= most else figure


def erased(so_far: int) -> int | None:
    """The number with one figure fewer; None without the last one.

    >>> erased(17), erased(1)
    (1, None)
    """
    return so_far // 10 or None


def number_pad(
    so_far: int | None,
    allowed: Sequence[int],
    touch: Touch,
    erase: Callable[[int | None], Action],
    recorded: int | None = None,
) -> tuple[PadGroup, ...]:
    """A key for each of few numbers, else the figures to type one of many.

    `so_far` is what was typed, `erase` what the key that erases does with what is left of it.
    Beside the figures of a number that is `recorded` stand those next to it: most mistakes are one
    or two.
    """
    if len(allowed) <= FEW:
        few = [_number(value, touch, chosen=value == so_far) for value in allowed]
        return (PadGroup("", "", tuple(PadKey(key, *divmod(n, 3)) for n, key in enumerate(few))),)
    keys: list[Key] = []
    for figure in FIGURES:
        if figure is None:
            keys.append(_erasing(so_far, erase))
        else:
            keys.append(_figure(figure, typed(so_far, figure, max(allowed)), allowed, touch))
    placed = [PadKey(key, *divmod(n, 3)) for n, key in enumerate(keys)]
    near = _near(recorded, allowed, so_far, touch)
    placed += [PadKey(key, row, 3) for row, key in enumerate(near)]
    return (PadGroup("", "", tuple(placed)),)


def _figure(figure: int, number: int, allowed: Sequence[int], touch: Touch) -> Key:
    """A figure; one with which no number that is taken begins is an outline."""
    if any(str(one).startswith(str(number)) for one in allowed):
        return Key(str(figure), touch(number))
    return Key(str(figure), None, f"{min(allowed)} to {max(allowed)}", look=KeyLook.IMPOSSIBLE)


def _number(value: int, touch: Touch, *, chosen: bool, second: str = "") -> Key:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    return Key(str(value), touch(value), second, look=look)


def _erasing(so_far: int | None, erase: Callable[[int | None], Action]) -> Key:
    if so_far is None:
        return Key("", None, sign="erase", look=KeyLook.IMPOSSIBLE)
    return Key("", erase(erased(so_far)), sign="erase")


def _near(
    recorded: int | None, allowed: Sequence[int], so_far: int | None, touch: Touch
) -> list[Key]:
    """The numbers of two figures next to the one recorded, each with how far it is from it."""
    if recorded is None:
        return []
    around = [recorded + step for step in _NEAR if recorded + step in allowed]
    near = [value for value in around if value > _ONE_FIGURE]
    return [
        _number(
            value,
            touch,
            chosen=value == so_far,
            second=f"{abs(value - recorded)} {'more' if value > recorded else 'fewer'}",
        )
        for value in near
    ]
