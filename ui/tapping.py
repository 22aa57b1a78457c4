"""Finding the key on a screen that says what somebody wants to say.

The demonstration touches nothing but keys that a screen shows, as a person would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, cast

from ui.presenters.actions import Action, Answer, Answers, Draft, Panel, Show
from ui.presenters.common import Key
from ui.presenters.map import MapCell

if TYPE_CHECKING:
    from companion.offers import Json


_NOTHING = object()


def actions_on(state: object) -> Iterator[Action]:
    """Every action that a touch on this screen can mean, in the order of the screen."""
    if isinstance(state, Key | MapCell):
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
    for action in shown:
        if isinstance(action, Draft) and action.answer.key == key:
            raw = action.answer.raw
            if raw == wanted or _nearer(raw, wanted):
                return action
    return next((a for a in shown if isinstance(a, Show) and a.panel is Panel.PAD), None)


def _nearer(raw: Json, wanted: Json) -> bool:
    """Whether a count of several parts has one part more of what is wanted, and none too many."""
    if not isinstance(raw, Mapping) or not isinstance(wanted, Mapping):
        return False
    return all(_number(count) <= _number(wanted.get(part)) for part, count in raw.items()) and any(
        raw.values()
    )


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
