"""What a match has taught this table, such as cards declared in it: to be kept for later ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

from companion.core.text import counted
from ui.scene.values import Key, KeyLook, Mark, Message
from ui.touch.actions import KeepLearned

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.scene.scene import Scene


def taught_names(taught: Mapping[str, Json]) -> tuple[str, ...]:
    """What was taught, by name: every thing of every part.

    >>> taught_names({"cards": {"Tractor beam": {}, "Scout": {}}})
    ('Tractor beam', 'Scout')
    """
    parts = taught.values()
    return tuple(name for part in parts if isinstance(part, Mapping) for name in part)


def unkept(scene: Scene) -> tuple[str, ...]:
    """What this match has taught and the table's own file has not."""
    own = scene.situation.own_figures.get(scene.match.setup.box, {})
    kept = set(taught_names(own))
    names = taught_names(scene.match.rulebook.learned())
    return tuple(name for name in names if name not in kept)


def keep_keys(scene: Scene) -> tuple[Key, ...]:
    """The key that keeps it, where there is anything; once it is kept, the key says so."""
    names = taught_names(scene.match.rulebook.learned())
    if not names or scene.match.setup.demonstration:
        return ()
    left = unkept(scene)
    if not left:
        return (Key("Kept", None, counted(len(names), "card"), "tick", KeyLook.IMPOSSIBLE),)
    return (Key("Keep", KeepLearned(), counted(len(left), "card"), "save"),)


def kept_note(scene: Scene) -> tuple[str, ...]:
    """The same in one line, as the result has it."""
    told = kept_message(scene)
    if told is None:
        return ()
    file = PurePath(told.second).name
    return (f"{told.first}, in {file}" if told.mark is Mark.OK else told.first,)


def kept_message(scene: Scene) -> Message | None:
    """What is kept and in which file; before that, what may be; None where nothing was taught."""
    names = taught_names(scene.match.rulebook.learned())
    if not names or scene.match.setup.demonstration:
        return None
    left = unkept(scene)
    if left:
        return Message(f"Declared: {', '.join(left)}", "Keep: for later matches")
    place = scene.situation.own_files.get(scene.match.setup.box, "")
    return Message(f"Kept: {', '.join(names)}", place, Mark.OK)
