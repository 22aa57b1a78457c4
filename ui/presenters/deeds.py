"""Deeds in words: what hands do, how many are left then, and whether it was seen done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.ruling import TABLE, Carry, Deed, Flip, Move, Ruling, Seat, SetTo, Shuffle
from companion.sighting import settled_places

if TYPE_CHECKING:
    from companion.board import Pose
    from ui.presenters.scene import Scene


def deed_in_words(scene: Scene, deed: Deed) -> str:
    """At most 22 characters where names allow it: "6 cards: deck to scrap"."""
    match deed:
        case Move(piece, _, now):
            token = scene.map.plan.token_of.get(piece)
            name = token.label if token is not None else str(piece)
            return f"{name} to {_label(scene, now.space)}" if now else f"{name} off the board"
        case Carry(_, count, source, target):
            return f"{_cards(count)}: {source} to {target}"
        case Shuffle(_, _, source, target):
            return f"Shuffle {source} into {target}"
        case Flip(thing, side):
            return f"{thing}: {side} up"
        case SetTo(_, _, thing, was, now):
            return f"{thing} {_value(scene, was)}, now {_value(scene, now)}"


def task_in_words(scene: Scene, task: Deed) -> str:
    """What hands do after a correction, as short as a deed."""
    words = f"Turn to {task.side}" if isinstance(task, Flip) else deed_in_words(scene, task)
    return words[:1].upper() + words[1:]


def tasked(task: Deed) -> Seat:
    """Whose hands a task is for; the table's where it has no owner."""
    return task.owner if isinstance(task, Carry | Shuffle | SetTo) else TABLE


def told(scene: Scene, task: Deed) -> tuple[str, str]:
    """A task in full: "Paws Gunner: deck 19, then 25", and what else it changes."""
    match task:
        case Carry(owner, count, source, target):
            who = scene.names.called(owner)
            return _pile(scene, who, owner, target, count), _pile(scene, who, owner, source, -count)
        case Move(_, was, now):
            places = (_place(was), _place(now))
            return task_in_words(scene, task), "from {}, now {}".format(*places)
        case Flip(thing):
            return f"{thing}: {_inside(task_in_words(scene, task))}", ""
        case SetTo(owner):
            words = task_in_words(scene, task)
            named = owner != TABLE
            return (f"{scene.names.called(owner)}: {_inside(words)}" if named else words), ""
        case Shuffle():
            return task_in_words(scene, task), ""


def _inside(words: str) -> str:
    """Words as they stand inside a sentence; names of places keep their letters."""
    return words[:1].lower() + words[1:]


def _pile(scene: Scene, who: str, owner: str, pile: str, gain: int) -> str:
    """A pile before and after; its name alone where the count is hidden."""
    now = scene.values.get(f"{owner}.{pile}", scene.values.get(pile))
    counts = f" {now - gain}, then {now}" if isinstance(now, int) else f": {gain:+d}"
    return f"{who}: {pile}{counts}"


def _place(pose: Pose | None) -> str:
    return pose.space if pose is not None else "off the boards"


def _value(scene: Scene, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return scene.names.label(Seat(value)) if isinstance(value, str) and value else str(value)


def count_after(scene: Scene, deed: Carry | Shuffle, rulings: Sequence[Ruling]) -> str:
    """The pile that this deed takes from, before and after it: "Dan: deck 17, then 11".

    `rulings` are those from the deed's own on: what the later ones took is added back. Empty where
    the count is not public, or stays as it is.
    """
    now = scene.values.get(f"{deed.owner}.{deed.source}")
    taken = -_gain(deed, deed.owner, deed.source)
    if not isinstance(now, int) or not taken:
        return ""
    after = now
    for later in reversed([one for ruling in rulings for one in ruling.deeds]):
        if later is deed:
            break
        after -= _gain(later, deed.owner, deed.source)
    player = scene.names.player(deed.owner)
    return f"{player}: {deed.source} {after + taken}, then {after}"


def _gain(deed: Deed, owner: str, pile: str) -> int:
    """By how many cards a deed makes a pile larger (smaller: negative)."""
    if not isinstance(deed, Carry | Shuffle) or deed.owner != owner:
        return 0
    return deed.count * ((deed.target == pile) - (deed.source == pile))


def is_done(scene: Scene, deed: Deed) -> bool:
    """Whether the camera has seen it done; what no camera can see is never said to be."""
    sighting = scene.referee.sight.sighting
    if not isinstance(deed, Move) or sighting is None or deed.now is None:
        return False
    return settled_places(sighting).get(deed.piece) == deed.now


def _label(scene: Scene, space: str) -> str:
    known = scene.map.plan.spaces.get(space)
    return known.label if known is not None else space


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
