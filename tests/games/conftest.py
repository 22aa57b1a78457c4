"""What the tests of every box share: the boxes, their set-ups, a match that is offered nonsense.

The sixth box, `kites`, stands on the shelf for the tests in this folder alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Question
from companion.core.ruling import Json
from companion.games import RULEBOOKS, Shelf, find_rulebook, rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup


@contextmanager
def sixth_box_on_the_shelf() -> Generator[None]:
    """The box that lives in `tests/games/kites` is found by its name."""
    RULEBOOKS["kites"] = Shelf("tests.games.kites", "Kites", "PhysicalTable")
    try:
        yield
    finally:
        del RULEBOOKS["kites"]


@pytest.fixture(scope="module", autouse=True)
def sixth_box() -> Iterator[None]:
    """As above, while a module of this folder runs."""
    with sixth_box_on_the_shelf():
        yield


def set_ups_of(box: str) -> Iterator[Setup]:
    """Every game of a box, every two that go together, and an unusual number of players."""
    usual, *others = find_rulebook(box).variants
    for names in ((usual,), *((one,) for one in others), *combinations(others, 2)):
        setup = Setup(box, names)
        if not _can_be_played(setup):
            continue
        yield setup
        if len(names) == 1 and "players" in rulebook_of(setup).switches:
            yield _by_others(setup)


def _by_others(setup: Setup) -> Setup:
    """The same by as many as play seldom: by most, or by few where most play by default."""
    switch = rulebook_of(setup).switches["players"]
    counts = sorted((int(str(count)) for count in switch.values), reverse=True)
    tried = (Setup(setup.box, setup.variants, options={"players": count}) for count in counts)
    return next(s for s in tried if s.options["players"] != switch.default and _can_be_played(s))


def _can_be_played(setup: Setup) -> bool:
    try:
        rulebook_of(setup)(setup)
    except CompanionError:
        return False
    return True


with sixth_box_on_the_shelf():
    BOXES = tuple(RULEBOOKS)
    SET_UPS = [setup for box in BOXES for setup in set_ups_of(box)]


def _named(setup: Setup) -> str:
    options = (f"{name}={value}" for name, value in setup.options.items())
    return "-".join((setup.box, *setup.variants, *options))


@pytest.fixture(scope="module", params=BOXES)
def box(request: pytest.FixtureRequest) -> str:
    """Every box by its name, the sixth among them."""
    name: str = request.param
    return name


@pytest.fixture(scope="module", params=SET_UPS, ids=_named)
def setup(request: pytest.FixtureRequest) -> Setup:
    """Every way in which a box is set up, as the shelf has them."""
    made: Setup = request.param
    return made


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
