"""Deeds in words: what hands do, how many are left then, and whether it was seen done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Carry, Deed, Flip, Move, Ruling, Seat, SetTo, Shuffle
from companion.referee.sight import settled_places

if TYPE_CHECKING:
    from companion.core.board import Pose
    from companion.match.correction import Pile
    from companion.match.rulebook import Position
    from ui.scene.scene import Scene


def deed_in_words(scene: Scene, deed: Deed) -> str:
    """At most 22 characters where names allow it: "6 cards: deck to scrap"."""
    match deed:
        case Move(piece, _, now):
            token = scene.map.plan.token_of.get(piece)
            name = token.label if token is not None else str(piece)
            return f"{name} to {_label(scene, now)}" if now else f"{name} off the board"
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


def told(scene: Scene, task: Deed, later: Sequence[Deed] = ()) -> tuple[str, str]:
    """A task in full: "Paws Gunner: deck 19, then 25", and what else it changes.

    `later` are the tasks that come after it, and change the same piles again.
    """
    match task:
        case Carry(_, _, source, target):
            return _pile(scene, task, target, later), _pile(scene, task, source, later)
        case Move(_, was, now):
            places = (_place(scene, was), _place(scene, now))
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


def _pile(scene: Scene, carry: Carry, place: str, later: Sequence[Deed]) -> str:
    """A pile before and after; its gain alone where the count is hidden."""
    position = scene.match.position
    pile = position.pile_at(carry.owner, place) or (carry.owner, place)
    owner, name = pile
    called = name.replace("-", " ")
    called = f"{scene.names.called(owner)}: {called}" if owner != TABLE else called.capitalize()
    gain = _gained(position, carry, pile)
    if any(not fact.public and fact.name == f"{owner}.{name}" for fact in position.facts()):
        return f"{called}: {gain:+d}"
    after = position.pile_counts().get(pile, 0)
    after -= sum(_gained(position, one, pile) for one in later if isinstance(one, Carry))
    return f"{called} {after - gain}, then {after}"


def _gained(position: Position, carry: Carry, pile: Pile) -> int:
    """By how many cards a pile grows (shrinks: negative)."""
    into = position.pile_at(carry.owner, carry.target) == pile
    out = position.pile_at(carry.owner, carry.source) == pile
    return carry.count * (into - out)


def _place(scene: Scene, pose: Pose | None) -> str:
    return scene.map.plan.name_of(pose) if pose is not None else "off the boards"


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


def _label(scene: Scene, pose: Pose) -> str:
    """Where a piece goes, as the board prints it; in full where it has a heading besides.

    So, too, where a player's letter is printed, which would read like the player.
    """
    known = scene.map.plan.spaces.get(pose.space)
    if known is None:
        return pose.space
    in_full = pose.facing is not None or known.label in scene.names.seats
    return scene.map.plan.name_of(pose) if in_full else known.label


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
