"""What the camera sees, held against the record: an answer, an echo, a lag or a contradiction.

Pure: a settled sighting, the open questions and the recorded placement go in, a Reading comes
out. Vision reports; this decides; nothing here changes a position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.offers import PictureState, SeenState, Sighting
from companion.ruling import Move

if TYPE_CHECKING:
    from companion.board import Piece, Pose
    from companion.question import Option, Question
    from companion.ruling import Ruling

Placement = Mapping["Piece", "Pose"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A settled piece that stands elsewhere than the record has it, with what would be legal."""

    piece: Piece
    seen: Pose
    recorded: Pose | None
    legal: tuple[Pose, ...] = ()


@dataclass(frozen=True, slots=True)
class Fit:
    """An open question's option that equals what is seen."""

    key: str
    option: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a settled picture means for the match.

    `explained`: pieces whose new place is what a fitting option would bring about.
    """

    fits: tuple[Fit, ...] = ()
    corroborated: tuple[str, ...] = ()
    contradicted: tuple[Fit, ...] = ()
    explained: frozenset[Piece] = frozenset()
    lagging: frozenset[Piece] = frozenset()
    differences: tuple[Difference, ...] = ()
    doubtful: Mapping[Piece, tuple[str, ...]] = field(default_factory=dict[Any, Any])
    unseen: frozenset[Piece] = frozenset()

    @property
    def agrees(self) -> bool:
        """Every piece was seen where the record has it."""
        return not (self.lagging or self.differences or self.doubtful or self.unseen)


@dataclass(slots=True)
class Lag:
    """Pieces that rulings have moved and hands may not have: where they may still stand."""

    stands: dict[Piece, set[Pose]] = field(default_factory=dict[Any, Any])

    def follow(self, rulings: Sequence[Ruling]) -> None:
        """Remember every pose that a ruling moved a piece away from."""
        for ruling in rulings:
            for deed in ruling.deeds:
                if isinstance(deed, Move) and deed.was is not None:
                    self.stands.setdefault(deed.piece, set()).add(deed.was)

    def excuse(self, differences: Sequence[Difference]) -> None:
        """Hands were told to bring these back: where they stand now is no news until they do."""
        for difference in differences:
            self.stands.setdefault(difference.piece, set()).add(difference.seen)

    def settle(self, piece: Piece) -> None:
        """The piece stands as recorded; from here on a move is a difference again."""
        self.stands.pop(piece, None)

    def excuses(self, piece: Piece, pose: Pose) -> bool:
        return pose in self.stands.get(piece, ())


def read_sighting(
    sighting: Sighting,
    recorded: Placement,
    questions: Mapping[str, Question[Any]],
    answered: Mapping[str, Any],
    lag: Lag,
) -> Reading | None:
    """What a sighting means; None while the picture is not settled."""
    if sighting.state is not PictureState.SETTLED:
        return None
    seen = settled_places(sighting)
    fits, corroborated, contradicted = _fits(seen, recorded, questions, answered, lag)
    told = [Fit(key, answered[key]) for key in corroborated]
    explained = _explained([*fits, *told], questions)
    lagging, differences = set[Any](), list[Difference]()
    for piece, pose in seen.items():
        home = recorded.get(piece)
        if pose == home or piece in explained:
            continue
        if lag.excuses(piece, pose):
            lagging.add(piece)
        else:
            legal = tuple(_legal_ends(piece, questions, answered))
            differences.append(Difference(piece, pose, home, legal))
    return Reading(
        fits=fits,
        corroborated=corroborated,
        contradicted=contradicted,
        explained=explained,
        lagging=frozenset(lagging),
        differences=tuple(differences),
        doubtful=_doubtful(sighting),
        unseen=frozenset(recorded.keys() - seen.keys() - _doubtful(sighting).keys()),
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


def looks_at(question: Question[Any]) -> frozenset[Piece]:
    """The pieces by which a camera could tell this question's options apart."""
    shown = (option.shows for option in question.options_now() if option.shows)
    return frozenset(piece for placement in shown for piece in placement)


def _doubtful(sighting: Sighting) -> dict[Piece, tuple[str, ...]]:
    return {
        piece: seen.spaces
        for piece, seen in sighting.pieces.items()
        if seen.state is SeenState.UNSURE or piece in sighting.conflicts
    }


def _fits(
    seen: Placement,
    recorded: Placement,
    questions: Mapping[str, Question[Any]],
    answered: Mapping[str, Any],
    lag: Lag,
) -> tuple[tuple[Fit, ...], tuple[str, ...], tuple[Fit, ...]]:
    """The one option that the picture equals, and what it says of answers already given.

    Two options that would look alike are no answer; nor is one that moves nothing, nor one that
    would leave a piece just where hands have not yet moved it away from. Where one of them was
    told, the picture says the same: a second source.
    """
    alike = [
        Fit(key, option.name)
        for key, question in questions.items()
        for option in _moving(question, recorded)
        if _equals(option, seen, recorded) and not _lags(option, lag)
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


def _moving(question: Question[Any], recorded: Placement) -> Iterator[Option[Any]]:
    """Options that leave at least one piece elsewhere than it is recorded."""
    for option in question.options_now():
        if option.shows and any(recorded.get(p) != pose for p, pose in option.shows.items()):
            yield option


def _lags(option: Option[Any], lag: Lag) -> bool:
    """Whether a piece at the option's end may only be one that hands still owe to a ruling."""
    return any(lag.excuses(piece, pose) for piece, pose in (option.shows or {}).items())


def _equals(option: Option[Any], seen: Placement, recorded: Placement) -> bool:
    """The option's pieces are seen at its end; all others that are seen stand as recorded."""
    shows = option.shows or {}
    if any(seen.get(piece) != pose for piece, pose in shows.items()):
        return False
    return all(recorded.get(p) == pose for p, pose in seen.items() if p not in shows)


def _explained(fits: Collection[Fit], questions: Mapping[str, Question[Any]]) -> frozenset[Piece]:
    """Pieces whose new place a fitting option explains."""
    pieces: set[Piece] = set()
    for fit in fits:
        for option in questions[fit.key].options_now():
            if option.name == fit.option and option.shows:
                pieces.update(option.shows)
    return frozenset(pieces)


def _legal_ends(
    piece: Piece, questions: Mapping[str, Question[Any]], answered: Mapping[str, Any]
) -> list[Pose]:
    ends = [
        option.shows[piece]
        for key, question in questions.items()
        if key not in answered
        for option in question.options_now()
        if option.shows and piece in option.shows
    ]
    return list(dict.fromkeys(ends))
