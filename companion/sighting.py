"""What the camera sees, held against the record: an answer, an echo, a lag or a contradiction.

Pure: a settled sighting, the open questions and the recorded placement go in, a Reading comes
out. Vision reports; this decides; nothing here changes a position.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.lag import Lag
from companion.offers import PictureState, SeenState, Sighting
from companion.question import Roll

if TYPE_CHECKING:
    from companion.board import BoardPlan, Piece, Pose
    from companion.offers import Json
    from companion.question import Option, Question

Placement = Mapping["Piece", "Pose"]
Listed = Mapping[str, Sequence["Option[Any]"]]
"""The options of each open question, by its key."""

FEW = 8
"""So many legal poses are named in the book's order; of more, the nearest come first."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A settled piece that stands elsewhere than the record has it, with what would be legal.

    Of more than a few legal poses those nearest to where it stands come first.
    """

    piece: Piece
    seen: Pose
    recorded: Pose | None
    legal: tuple[Pose, ...] = ()

    @property
    def is_early(self) -> bool:
        """Whether the record has the piece on no board (yet): it was laid there before its turn."""
        return self.recorded is None


@dataclass(frozen=True, slots=True)
class Fit:
    """An open question's option that equals what is seen; of a roll, the values as they lie."""

    key: str
    option: Json


@dataclass(frozen=True, slots=True)
class Reading:
    """What a settled picture means for the match.

    `explained`: pieces whose new place is what a fitting option would bring about. `early`: pieces
    away from their place that an open question lets hands move already. `doubtful`: pieces too
    close to call, with the spaces they may stand on; `unclear`: the facings they may have. `twice`:
    pieces of which there are two tokens.
    """

    fits: tuple[Fit, ...] = ()
    corroborated: tuple[str, ...] = ()
    contradicted: tuple[Fit, ...] = ()
    explained: frozenset[Piece] = frozenset()
    early: frozenset[Piece] = frozenset()
    lagging: frozenset[Piece] = frozenset()
    differences: tuple[Difference, ...] = ()
    doubtful: Mapping[Piece, tuple[str, ...]] = field(default_factory=dict[Any, Any])
    unclear: Mapping[Piece, tuple[int, ...]] = field(default_factory=dict[Any, Any])
    unseen: frozenset[Piece] = frozenset()
    twice: tuple[Piece, ...] = ()

    @property
    def agrees(self) -> bool:
        """Every piece was seen where the record has it."""
        return not (self.early or self.lagging or self.differences or self.doubtful or self.unseen)


def read_sighting(
    sighting: Sighting,
    recorded: Placement,
    questions: Mapping[str, Question[Any]],
    answered: Mapping[str, Any],
    lag: Lag,
    *,
    plan: BoardPlan | None = None,
    listed: Listed | None = None,
    asked_at: Mapping[str, float] = MappingProxyType({}),
) -> Reading | None:
    """What a sighting means; None while the picture is not settled.

    `plan` tells which legal poses are near; `listed` saves listing the questions' options again;
    `asked_at` is since when (monotonic s) each question has been open: older dice answer none.
    """
    if sighting.state is not PictureState.SETTLED:
        return None
    if listed is None:
        listed = {key: question.options_now() for key, question in questions.items()}
    seen = settled_places(sighting)
    free = _free(questions, answered)
    fits, corroborated, contradicted = _fits(_Table(seen, recorded, free, lag), listed, answered)
    told = [Fit(key, answered[key]) for key in corroborated]
    explained = _explained([*fits, *told], listed)
    away = {p: pose for p, pose in seen.items() if pose != recorded.get(p) and p not in explained}
    early = free & away.keys()
    lagging = {p for p, pose in away.items() if p not in early and lag.excuses(p, pose)}
    return Reading(
        fits=(*fits, *_rolled(sighting, questions, answered, asked_at)),
        corroborated=corroborated,
        contradicted=contradicted,
        explained=explained,
        early=early,
        lagging=frozenset(lagging),
        differences=tuple(
            Difference(p, pose, recorded.get(p), _legal_ends(p, pose, listed, answered, plan))
            for p, pose in away.items()
            if p not in early and p not in lagging
        ),
        doubtful=_doubtful(sighting),
        unclear={p: one.facings for p, one in sighting.pieces.items() if len(one.facings) > 1},
        unseen=frozenset(recorded.keys() - seen.keys() - _doubtful(sighting).keys()),
        twice=sighting.conflicts,
    )


def with_cards(reading: Reading, cards: Mapping[str, Json], answered: Mapping[str, Any]) -> Reading:
    """The reading with what cards on their sections answer, by the question's key."""
    fits = [Fit(key, raw) for key, raw in cards.items()]
    told = [fit for fit in fits if fit.key in answered]
    same = [fit.key for fit in told if answered[fit.key] == fit.option]
    return replace(
        reading,
        fits=(*reading.fits, *(fit for fit in fits if fit.key not in answered)),
        corroborated=(*reading.corroborated, *same),
        contradicted=(*reading.contradicted, *(fit for fit in told if fit.key not in same)),
    )


def settled_places(sighting: Sighting) -> dict[Piece, Pose]:
    """The pieces that were read for sure, and only once each."""
    return {
        piece: seen.pose
        for piece, seen in sighting.pieces.items()
        if seen.state is SeenState.SEEN
        and seen.pose is not None
        and piece not in sighting.conflicts
    }


def looks_at(options: Iterable[Option[Any]]) -> frozenset[Piece]:
    """The pieces by which a camera could tell these options apart."""
    return frozenset(piece for option in options for piece in option.shows or ())


def _free(questions: Mapping[str, Question[Any]], answered: Mapping[str, Any]) -> frozenset[Piece]:
    """Pieces that hands may be moving already, before it is told what they do."""
    waiting = (question for key, question in questions.items() if key not in answered)
    return frozenset(piece for question in waiting for piece in question.may_move)


def _doubtful(sighting: Sighting) -> dict[Piece, tuple[str, ...]]:
    return {
        piece: seen.spaces
        for piece, seen in sighting.pieces.items()
        if seen.state is SeenState.UNSURE or piece in sighting.conflicts
    }


@dataclass(frozen=True, slots=True)
class _Table:
    """What is seen and what is recorded, the pieces free to move, and what hands still owe."""

    seen: Placement
    recorded: Placement
    free: frozenset[Piece]
    lag: Lag

    def shows(self, option: Option[Any]) -> bool:
        """Whether the picture is what the option would bring about.

        It must move something; its pieces are seen at its end, and none of them may only be there
        because hands still owe it to a ruling; all others that are seen, and that nobody may be
        moving yet, stand as recorded.
        """
        shows = option.shows or {}
        if not any(self.recorded.get(piece) != pose for piece, pose in shows.items()):
            return False
        if any(self.seen.get(piece) != pose for piece, pose in shows.items()):
            return False
        if any(self.lag.owes(piece, pose) for piece, pose in shows.items()):
            return False
        others = self.seen.keys() - shows.keys() - self.free
        return all(self._stands(piece) for piece in others)

    def _stands(self, piece: Piece) -> bool:
        """Whether a piece stands as recorded, or was let lie where it was laid early."""
        pose = self.seen[piece]
        return self.recorded.get(piece) == pose or self.lag.lies(piece, pose)


def _fits(
    table: _Table, listed: Listed, answered: Mapping[str, Any]
) -> tuple[tuple[Fit, ...], tuple[str, ...], tuple[Fit, ...]]:
    """The one option that the picture equals, and what it says of answers already given.

    Two options that would look alike are no answer. Where one of them was told, the picture says
    the same: a second source.
    """
    alike = [
        Fit(key, option.name)
        for key, options in listed.items()
        for option in options
        if table.shows(option)
    ]
    told = tuple(fit.key for fit in alike if answered.get(fit.key) == fit.option)
    if told:
        return (), told, ()
    if len(alike) != 1:
        return (), (), ()
    (fit,) = alike
    if fit.key not in answered:
        return (fit,), (), ()
    return (), (), (fit,)


def _rolled(
    sighting: Sighting,
    questions: Mapping[str, Question[Any]],
    answered: Mapping[str, Any],
    asked_at: Mapping[str, float],
) -> Iterator[Fit]:
    """The roll that the dice on the table answer: all of them, thrown since it was asked for.

    Another number of dice, one in doubt, or one that lay there before, is nobody's answer; nor is
    any where two rolls are open.
    """
    rolls = [
        (key, question)
        for key, question in questions.items()
        if isinstance(question, Roll) and key not in answered
    ]
    if len(rolls) != 1:
        return
    ((key, roll),) = rolls
    sure = [value for value in sighting.dice if value is not None]
    complete = bool(sure) and len(sure) == len(sighting.dice) == roll.dice
    if complete and sighting.thrown_at > asked_at.get(key, math.inf):
        yield Fit(key, [*sure])


def _explained(fits: Collection[Fit], listed: Listed) -> frozenset[Piece]:
    """Pieces whose new place a fitting option explains."""
    return frozenset(
        piece
        for fit in fits
        for option in listed[fit.key]
        if option.name == fit.option
        for piece in option.shows or ()
    )


def _legal_ends(
    piece: Piece,
    seen: Pose,
    listed: Listed,
    answered: Mapping[str, Any],
    plan: BoardPlan | None,
) -> tuple[Pose, ...]:
    """Where an unanswered question would let the piece stand."""
    options = (one for key in listed if key not in answered for one in listed[key])
    ends = dict.fromkeys(
        option.shows[piece] for option in options if option.shows and piece in option.shows
    )
    if len(ends) <= FEW or plan is None or seen.space not in plan.spaces:
        return tuple(ends)
    return tuple(sorted(ends, key=lambda end: _apart(plan, seen, end)))


def _apart(plan: BoardPlan, seen: Pose, end: Pose) -> tuple[float, int]:
    """How far a pose is from another: by the way between the spaces in mm, then by the turn."""
    if end.space not in plan.spaces:
        return (math.inf, 0)
    here, there = plan.centre_on_table(seen.space), plan.centre_on_table(end.space)
    around = len(plan.board_of[end.space].facings) or 1
    turn = ((end.facing or 0) - (seen.facing or 0)) % around
    return (round(math.dist(here, there), 3), min(turn, around - turn))
