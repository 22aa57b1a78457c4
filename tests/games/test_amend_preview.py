"""What an amend says before it counts is what it does, in every box and mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.ruling import Ruling
from companion.games import RULEBOOKS, find_rulebook
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.revision import Revision
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out

SETUPS = [Setup(box, (mode,)) for box in RULEBOOKS for mode in find_rulebook(box).variants]
ANSWERS, AMENDS = 70, 10


def _told(
    match: Match[Any], rulings: Iterable[tuple[str, Ruling | None]]
) -> Counter[tuple[str, str, str]]:
    """How often each is ruled in each round, by the keys of the questions that brought it."""
    split_key = match.rulebook.split_key
    return Counter(
        (split_key(key)[0], one.text, str(one.cite)) for key, one in rulings if one is not None
    )


def _ruled(match: Match[Any]) -> Counter[tuple[str, str, str]]:
    return _told(match, [(key, one) for _, key, said in match.ruled_by() for one in said])


def _amended(match: Match[Any], rng: Random) -> Revision | None:
    """Another answer to one of the last lines; None where it is refused or the same."""
    line = rng.choice([step for step in match.steps if step.answers][-30:])
    asked = match.asked_at(line.seq)
    assert asked is not None
    try:
        raw = RandomPlayer(rng).answer(asked)
        return match.amend(line.seq, raw, "misread") if raw != line.value else None
    except CompanionError:
        return None


@pytest.mark.slow(gate=5)
@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: "-".join((s.box, *s.variants)))
def test_an_amend_names_every_ruling_that_goes_or_comes_and_no_other(setup: Setup) -> None:
    """Rulings before and after it is put into effect differ by what was said before."""
    rng, shown = Random(7), 0
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, rng), ANSWERS)
    for _ in range(AMENDS):
        revision = _amended(match, rng)
        if revision is None:
            continue
        before, keys = _ruled(match), {step.seq: step.key for step in match.steps}
        flips, falling = revision.flips, revision.falling
        fall = [(keys[seq], one) for seq, said in falling.items() for one in said]
        gone = _told(match, [*((flip.key, flip.old) for flip in flips), *fall])
        new = _told(match, ((flip.key, flip.new) for flip in flips))
        revision.commit(STAMP)
        after = _ruled(match)
        assert (gone, new) == (before - after, after - before)
        assert list(falling) == sorted(step.seq for step in match.parked)
        for flip in flips:
            if flip.old is not None and flip.new is not None:
                assert (flip.old.by, flip.old.cite) == (flip.new.by, flip.new.cite)
        shown += gone.total() + new.total()
        if rng.random() < 0.5:  # else the next one finds lines that wait already
            match.undo(stamp=STAMP)
    assert shown
