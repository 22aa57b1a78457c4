"""What the tests of every box share: a match that is offered nonsense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Question
from companion.core.ruling import Json
from companion.match.match import Match

Bear = Callable[[Match[Any], Sequence[Json]], list[IllegalAnswer]]


@pytest.fixture(scope="session")
def bear_nonsense() -> Bear:
    """Offers nonsense to the first question that waits, as in `bear_nonsense(match, NONSENSE)`.

    What is legal after all is left alone; the rest is refused with code, sentence and rule, by the
    question and by the match, and changes nothing. Gives the refusals back.
    """
    return _bear


def _bear(match: Match[Any], nonsense: Sequence[Json]) -> list[IllegalAnswer]:
    before, refusals = _state_of(match), list[IllegalAnswer]()
    question = next(q for key, q in match.open.items() if key not in match.answered)
    for raw in nonsense:
        refusal = _refusal(question, raw)
        if refusal is None:
            continue
        assert refusal.code
        assert refusal.cite.rules or refusal.cite.rulings
        assert refusal.text.strip().endswith((".", "?")), refusal.text
        with pytest.raises(IllegalAnswer) as refused:
            match.answer(Offer(question.key, raw, "bot", question.by), Stamp("test", "", 0.0))
        assert (refused.value.code, refused.value.text) == (refusal.code, refusal.text)
        assert _state_of(match) == before
        refusals.append(refusal)
    return refusals


def _refusal(question: Question[Any], raw: Json) -> IllegalAnswer | None:
    """Why an answer is not taken; None where it is legal."""
    try:
        question.judge(raw)
    except IllegalAnswer as refusal:
        return refusal
    return None


def _state_of(match: Match[Any]) -> Mapping[str, Any]:
    """Whatever an answer could change."""
    return {
        "position": match.position.digest(),
        "open": [*match.open],
        "answered": {**match.answered},
        "entries": len(match.entries),
        "rulings": len(match.rulings),
    }
