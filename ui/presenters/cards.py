"""Cards: one tap a card that was turned over. A Reveal question, or a form of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.offers import SectionState
from companion.core.question import Reveal
from companion.core.ruling import Shows
from ui.presenters.pads import answer_pad
from ui.scene.map import MapState
from ui.scene.values import Frame, Key, Line, Mark, Message, PadGroup, Side
from ui.touch.actions import Panel

if TYPE_CHECKING:
    from companion.core.question import Question
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class CardsState:
    """The pad of one team's card: groups as the options lay them out.

    `left` groups have rows of movement keys, `right` the boards and "no effect"; `others` are the
    cards of the section already told, with source and age. `side` is who is asked, `asked` the
    words where Done will stand ("PAWS: FLIP 3").
    """

    frame: Frame
    side: Side
    asked: str
    left: tuple[PadGroup, ...]
    right: tuple[PadGroup, ...]
    others: tuple[Line, ...]
    map: MapState
    notes: tuple[str, ...] = ()


def present_cards(scene: Scene) -> CardsState:
    """One pad for the first card that is still to be told."""
    asked = next(q for q in scene.waiting if isinstance(q, Reveal))
    side = scene.side(asked.by)
    assert side is not None
    pad = answer_pad(scene, asked, scene.view.part if scene.view.panel is Panel.PAD else "")
    words = asked.headline or f"{side.name}: flip"
    return CardsState(
        frame=scene.frame(
            message=_message(scene, asked),
            next_key=Key(words.upper(), None, "touch the card"),
        ),
        side=side,
        asked=words.upper(),
        left=tuple(group for group in pad if _is_left(group)),
        right=tuple(group for group in pad if not _is_left(group)),
        others=_others(scene, asked),
        map=scene.map.draw(scene.match.position.placement()),
        notes=_notes(scene, asked),
    )


def _message(scene: Scene, asked: Reveal[Any]) -> Message:
    """What sight offers, and how to stop it."""
    seen = scene.seen(asked.key)
    if not seen:
        return Message(second=f"{asked.cite}")
    first = f"Camera: {asked.in_words(seen)}"  # its key says how long ago
    return Message(first, "Touch anything else to stop it.", Mark.OK)


def _is_left(group: PadGroup) -> bool:
    """Rows of four movements go left, boards of three and single keys right."""
    return group.columns > 3


def _others(scene: Scene, asked: Question[Any]) -> tuple[Line, ...]:
    """The cards of this form that were told already, with their source."""
    lines: list[Line] = []
    for key, question in scene.open.items():
        if key == asked.key or key not in scene.match.answered:
            continue
        words = question.in_words(scene.match.answered[key])
        side = scene.side(question.by)
        name = f"{side.name}: " if side is not None else ""
        lines.append(Line(f"{name}{words}", _source(scene, key), Mark.OK, side=side))
    return tuple(lines)


def _source(scene: Scene, key: str) -> str:
    """Whence an answer came and how long ago: "camera, 0.3 s ago"."""
    source = scene.referee.sources.get(key)
    if source is None:
        return "from the record"
    return f"{source.source}, {max(0.0, scene.now - source.at):.1f} s ago"


def _notes(scene: Scene, asked: Reveal[Any]) -> tuple[str, ...]:
    """What the camera sees lie there, and whose turn comes first, as the facts have it."""
    facts = [fact for fact in scene.facts if fact.shows is Shows.FIRST and fact.value]
    return (*_seen_note(scene, asked), *(f"{fact.value}: {fact.label}" for fact in facts))


def _seen_note(scene: Scene, asked: Reveal[Any]) -> tuple[str, ...]:
    """Which cards lie on the section and which way up, or that something does."""
    seen = scene.seen_there(asked)
    if seen is None:
        return ()
    if seen.state is SectionState.DOUBT:
        return ("Seen: something lies there",)
    lie = [" or ".join(card.faces) or "face down" for card in seen.cards]
    return (f"Seen: {', '.join(lie) or 'empty'}",)
