"""What the camera sees on sections for cards, as the lock and the counts of it say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.offers import SectionState
from ui.touch.actions import Answer, Answers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.question import Question
    from companion.core.ruling import Json
    from ui.scene.scene import Scene


def offered(scene: Scene, question: Question[Any]) -> Json:
    """What the camera offers as an answer; None where it is not sure, or does not look."""
    offer = scene.referee.sight.offered.get(question.key)
    return offer.raw if offer is not None else None


def is_told(scene: Scene, question: Question[Any]) -> bool:
    """Whether anybody has answered, or touched a key of it just now."""
    draft = scene.view.draft
    return question.key in scene.match.answered or (draft is not None and draft.key == question.key)


def is_in_doubt(scene: Scene, question: Question[Any]) -> bool:
    """Whether something lies on a section of which nothing was told, and nothing is offered."""
    if is_told(scene, question) or offered(scene, question) is not None:
        return False
    seen = scene.seen_there(question)
    return seen is not None and seen.state is not SectionState.EMPTY


def looks(scene: Scene) -> bool:
    """Whether a camera sees any section."""
    sight = scene.referee.sight
    return sight.sighting is not None and sight.reading is not None and bool(sight.sighting.cards)


def seen_note(scene: Scene, question: Question[Any]) -> str:
    """What the camera sees of a section of which nobody has told anything."""
    seen = scene.seen_there(question)
    if seen is None:
        return ""
    if is_in_doubt(scene, question):
        return f"seen: {cards_words(len(seen.cards))}?" if seen.cards else "something lies"
    return f"seen: {cards_words(len(seen.cards)) if seen.cards else 'empty'}"


def cards_words(count: int) -> str:
    """How many cards: "1 card".

    >>> cards_words(1), cards_words(3)
    ('1 card', '3 cards')
    """
    return f"{count} card" if count == 1 else f"{count} cards"


def as_shown(
    scene: Scene, asked: Sequence[Question[Any]], shown: Mapping[str, Json]
) -> Answer | Answers:
    """What is shown by question and nobody has answered yet, and the word that closes the form."""
    left = [question for question in asked if question.key not in scene.match.answered]
    closing = scene.closing
    if closing is None:
        return Answers(tuple(Answer(q.key, q.opened, shown[q.key]) for q in left))
    word = Answer(closing.key, closing.opened, closing.word)
    lit = [q for q in left if offered(scene, q) is not None]
    if not lit:
        return word  # silence says the rest
    return Answers((*(Answer(q.key, q.opened, shown[q.key]) for q in lit), word))
