"""Deeds in words: what hands do, how many are left then, and whether it was seen done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.ruling import Carry, Deed, Flip, Move, Ruling, Shuffle
from companion.sighting import settled_places

if TYPE_CHECKING:
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


def count_after(scene: Scene, deed: Carry | Shuffle, rulings: Sequence[Ruling]) -> str:
    """The pile that this deed takes from, before and after it: "Dan: deck 17, then 11".

    `rulings` are those from the deed's own on: what the later ones took is added back. Empty where
    the count is not public.
    """
    now = scene.values.get(f"{deed.owner}.{deed.source}")
    if not isinstance(now, int):
        return ""
    after = now
    for later in reversed([one for ruling in rulings for one in ruling.deeds]):
        if later is deed:
            break
        after -= _gain(later, deed.owner, deed.source)
    player = scene.names.player(deed.owner)
    return f"{player}: {deed.source} {after + deed.count}, then {after}"


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
