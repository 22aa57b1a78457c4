"""Finding the key on a screen that says what somebody wants to say.

The demonstration touches nothing but keys that a screen shows, as a person would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, cast

from ui.presenters.actions import Action, AddWords, Answer, Answers, Draft, Fill, Page, Panel, Show
from ui.presenters.common import Key
from ui.presenters.dice import Die
from ui.presenters.hex_poses import PoseSpace
from ui.presenters.map import MapCell

if TYPE_CHECKING:
    from companion.core.ruling import Json


_NOTHING = object()


def actions_on(state: object) -> Iterator[Action]:
    """Every action that a touch on this screen can mean, in the order of the screen."""
    if isinstance(state, Key | MapCell | PoseSpace | Die):
        if state.action is not None:
            yield state.action
    elif isinstance(state, tuple):
        for part in cast("tuple[object, ...]", state):
            yield from actions_on(part)
    elif is_dataclass(state) and not isinstance(state, type):
        for named in fields(state):
            yield from actions_on(getattr(state, named.name))


def touch_for(state: object, key: str, wanted: Json) -> Action | None:
    """The touch that answers question `key` as wanted, or that leads towards it; None: no key."""
    shown = list(actions_on(state))
    for action in shown:
        if isinstance(action, Answers):
            given = {answer.key: answer.raw for answer in action.answers}
            if given.get(key, _NOTHING) == wanted:
                return action
    for action in shown:
        if isinstance(action, Answer) and action.key == key and action.raw == wanted:
            return action
    typed = (action for action in shown if isinstance(action, AddWords))
    for title in typed:  # the keyboard lies between: what is taken there is the answer
        answer = title.answer
        if answer.key == key and f"{wanted} ".startswith(f"{answer.raw} "):
            return replace(answer, raw=wanted)
    return _put_together(shown, key, wanted) or _opened(shown, wanted) or _turned(state)


def _turned(state: object) -> Page | None:
    """The later page of a list whose screen turns it by keys of its own."""
    page, pages = getattr(state, "page", 1), getattr(state, "pages", 1)
    return Page(1) if page < pages else None


def _put_together(shown: Sequence[Action], key: str, wanted: Json) -> Action | None:
    """The touch after which most of an answer of several parts stands as wanted."""
    begun = [action for action in shown if isinstance(action, Draft | Fill)]
    begun = [action for action in begun if action.answer.key == key]
    if isinstance(wanted, int):
        return _stepped(begun, wanted)
    right = [(_right_parts(action.answer.raw, wanted), action) for action in begun]
    most = max((count for count, _ in right), default=0)
    return next((action for count, action in right if count == most > 0), None)


def _stepped(begun: Sequence[Draft | Fill], wanted: int) -> Action | None:
    """The touch that brings a number nearest to the one wanted."""
    numbers = [(action.answer.raw, action) for action in begun]
    steps = [(abs(raw - wanted), action) for raw, action in numbers if isinstance(raw, int)]
    return min(steps, key=lambda step: step[0])[1] if steps else None


def _opened(shown: Sequence[Action], wanted: Json) -> Action | None:
    """What opens the keys behind which the answer lies; else what turns the page."""
    pads = [action for action in shown if isinstance(action, Show) and action.panel is Panel.PAD]
    named = (pad for pad in pads if pad.part and str(wanted).startswith(f"{pad.part} "))
    later = (action for action in shown if isinstance(action, Page) and action.step > 0)
    return next(named, None) or next(later, None) or next(iter(pads), None)


def _right_parts(raw: Json, wanted: Json) -> int:
    """How many parts of an answer are as wanted; none where one is not.

    >>> _right_parts([5, 0], [5, 3]), _right_parts([3, 0], [5, 3]), _right_parts({"a": 1}, {"a": 2})
    (1, 0, 1)
    >>> _right_parts(["3"], ["1", "3"]), _right_parts(4, 4), _right_parts(4, 5)
    (1, 1, 0)
    """
    if isinstance(raw, Mapping) and isinstance(wanted, Mapping):
        counts = [(_number(count), _number(wanted.get(part))) for part, count in raw.items()]
        return sum(have for have, _ in counts) if all(h <= w for h, w in counts) else 0
    if isinstance(raw, list) and isinstance(wanted, list):
        return _right_items(raw, wanted)
    return int(raw == wanted)


def _right_items(raw: Sequence[Json], wanted: Sequence[Json]) -> int:
    """Dice by their place (0: not told yet), names in the order in which they are wanted."""
    if all(isinstance(item, str) for item in raw):
        return len(raw) if [*raw] == [*wanted[: len(raw)]] else 0
    told = [(have, want) for have, want in zip(raw, wanted, strict=False) if have]
    return len(told) if all(have == want for have, want in told) else 0


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0
