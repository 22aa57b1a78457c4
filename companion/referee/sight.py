"""What the camera sees, compared with the record: an answer, an echo, a lag or a difference.

Reading a picture is pure: a settled sighting, the open questions and the recorded placement go in,
a `Reading` comes out, and nothing here changes a position. `Sight` keeps the latest of them for
the referee.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, PictureState, SeenState, Sighting
from companion.core.question import Roll
from companion.core.ruling import Level, Move, Notice

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Piece, Pose
    from companion.core.question import Option, Question
    from companion.core.ruling import Deed, Json, Ruling
    from companion.match.match import Match


# Lags: pieces that a ruling has moved and hands may not have moved yet.

LINGER = 2
"""After so many answers a piece that was sent there and back counts as moved."""


@dataclass(slots=True)
class _Way:
    """The poses a piece was moved away from since it last stood as recorded, in order.

    `reached` is the first of them that hands may be at. `home` says that the piece was last seen
    where it belongs although it may have the way round still before it, `lingers` for how many
    answers since.
    """

    poses: list[Pose]
    reached: int = 0
    home: bool = False
    lingers: int = 0

    def see(self, pose: Pose, belongs: Pose | None) -> bool:
        """Take in where the piece stands; whether it has surely come to the way's end."""
        self.home = pose == belongs
        ahead = self.poses[self.reached :]
        if pose not in ahead:
            return self.home
        self.reached += ahead.index(pose)
        return self.home and all(one == belongs for one in self.poses[self.reached :])


@dataclass(slots=True)
class Lag:
    """Pieces that hands have still to move; a piece may stand at every pose on its way meanwhile.

    A piece that was sent to another space and back may stand where it belongs because hands have
    not begun. So it counts as moved only once it was seen on the way, or when two more answers
    were given and it still stands there.
    """

    ways: dict[Piece, _Way] = field(default_factory=dict[Any, Any])
    lain: dict[Piece, Pose] = field(default_factory=dict[Any, Any])

    def follow(self, rulings: Sequence[Ruling]) -> None:
        """An answer was given: remember every pose that its rulings moved a piece away from."""
        self._grow_old()
        for ruling in rulings:
            for deed in ruling.deeds:
                if isinstance(deed, Move) and deed.was is not None:
                    self.excuse(deed.piece, deed.was)

    def excuse_moves(self, deeds: Sequence[Deed]) -> None:
        """A correction moved pieces: where they stood they may stand until hands have followed."""
        for deed in deeds:
            if isinstance(deed, Move) and deed.was and not self.owes(deed.piece, deed.was):
                self.excuse(deed.piece, deed.was)

    def excuse(self, piece: Piece, pose: Pose) -> None:
        """A piece is to leave that pose: until it has, standing there is no difference."""
        way = self.ways.setdefault(piece, _Way([]))
        way.poses.append(pose)
        way.home, way.lingers = False, 0

    def let_lie(self, piece: Piece, pose: Pose) -> None:
        """Let a piece that the record has nowhere lie where it was laid early."""
        self.lain[piece] = pose

    def lies(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece was let lie there before it had a place in the record."""
        return self.lain.get(piece) == pose

    def see(self, piece: Piece, pose: Pose, belongs: Pose | None) -> None:
        """The piece was seen, and this is where the record has it now."""
        if belongs is not None or not self.lies(piece, pose):
            self.lain.pop(piece, None)
        way = self.ways.get(piece)
        if way is not None and way.see(pose, belongs):
            del self.ways[piece]

    def excuses(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece may stand there: hands have not followed yet, or it was let lie."""
        return self.lies(piece, pose) or self.owes(piece, pose)

    def owes(self, piece: Piece, pose: Pose) -> bool:
        """Whether the piece may stand there because hands have not followed yet."""
        way = self.ways.get(piece)
        return way is not None and pose in way.poses

    def _grow_old(self) -> None:
        for way in self.ways.values():
            way.lingers += way.home
        self.ways = {p: way for p, way in self.ways.items() if way.lingers < LINGER}


# Reading one sighting.

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
        """Whether every piece was seen where the record has it."""
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
    """What a sighting means for the match; None while the picture is not settled.

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
    """The pieces that were read surely, and seen only once."""
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


# Sight: what was last seen, and what it means for the match.

LateKey = tuple[str, str]
"""A late card by its section and its owner, who is empty where no back was read."""


class Sight:
    """The last sighting, its reading, offers made of it, and pieces that hands still owe.

    `settled` is the last picture that was read, into `reading`; None while the camera sees nothing.
    `ruled_late`: the late cards that people have ruled on.
    """

    def __init__(self, match: Match[Any]) -> None:
        self.sighting: Sighting | None = None
        self.settled: Sighting | None = None
        self.reading: Reading | None = None
        self.notices: tuple[Notice, ...] = ()
        self.offered: dict[str, Offer] = {}
        self.lag = Lag()
        self.ruled_late: set[LateKey] = set()
        self._lain: set[LateKey] = set()  # those that were there at the buzzer, people say
        self._trusted_for: frozenset[str] = frozenset()  # keys answered without the camera
        self._match = match
        self._listed: tuple[int, list[Question[Any]], Listed] = (-1, [], {})
        self._asked_at: dict[str, float] = {}

    def look(self, sighting: Sighting, now: float) -> bool:
        """Take in a sighting; true where something follows from it.

        A rule of ours that fails on a picture is a notice: the table goes on by touch.
        """
        self.sighting = sighting
        try:
            return self._read(sighting, now)
        except Exception as bug:  # noqa: BLE001 - every picture would end the program anew
            self.settled = self.reading = None
            self.offered.clear()
            text = f"A rule of the companion failed on the picture: {bug!r}."
            cite = self._match.rulebook.corrections
            self.notices = (Notice("Q-BUG", text, cite, Level.NOTE, "Go on by touch."),)
            return True

    def _read(self, sighting: Sighting, now: float) -> bool:
        match = self._match
        placement = match.position.placement()
        reading = read_sighting(
            sighting,
            placement,
            match.open,
            match.answered,
            self.lag,
            plan=getattr(match.rulebook, "plan", None),  # a game may have no boards
            listed=self._options(),
            asked_at=self._since(now),
        )
        if reading is None:
            return self._went_blind(sighting)
        reading = with_cards(reading, self._told_by_cards(sighting, now), match.answered)
        self.settled, self.reading = sighting, reading
        on_their_way = reading.lagging | reading.explained | reading.early
        compared = match.rulebook.compare(self._without(sighting, self.ruled_late), on_their_way)
        misplaced = self._misplaced(reading, settled_places(sighting))
        self.notices = (*compared, *misplaced, *self._contradictions(reading))
        for piece, pose in settled_places(sighting).items():
            self.lag.see(piece, pose, placement.get(piece))
        self._offer(now)
        return True

    def _told_by_cards(self, sighting: Sighting, now: float) -> dict[str, Json]:
        """What cards on their sections say to the open questions, as the box reads them.

        A picture from before a question was asked answers none: cards may have come since.
        """
        if not sighting.cards:
            return {}
        since, answer = self._since(now), self._match.rulebook.seen_answer
        lain = self._without(sighting, self._lain)
        told = {
            key: answer(question, lain)
            for key, question in self._match.open.items()
            if since[key] <= sighting.taken_at
        }
        return {key: raw for key, raw in told.items() if raw is not None}

    def let_lie(self, cards: Collection[LateKey], now: float) -> None:
        """Cards that came late to a section were there at the buzzer, people say."""
        self._lain.update(cards)
        self.ruled_late.update(cards)
        if self.sighting is not None:
            self.look(self.sighting, now)

    def _without(self, sighting: Sighting, ruled: set[LateKey]) -> Sighting:
        """The sighting without some late cards; they are forgotten once their section has none."""
        sections = {late.section for late in sighting.late}
        ruled -= {key for key in ruled if key[0] not in sections}
        if not ruled:
            return sighting
        late = tuple(one for one in sighting.late if (one.section, one.owner) not in ruled)
        return replace(sighting, late=late)

    def _since(self, now: float) -> dict[str, float]:
        """Since when each question has been open, as far as sight has looked (monotonic s).

        One that a report or a correction opens anew has been open all along: the table is the same.
        """
        self._asked_at = {key: self._asked_at.get(key, now) for key in self._match.open}
        return self._asked_at

    def _options(self) -> Listed:
        """Every open question's options, listed once after each line of the log.

        Nothing else changes them, while pictures come many times a second.
        """
        lines, asked = len(self._match.entries), self._match.open
        if self._listed[:2] != (lines, [*asked.values()]):
            listed = {key: question.options_now() for key, question in asked.items()}
            self._listed = (lines, [*asked.values()], listed)
        return self._listed[2]

    def _contradictions(self, reading: Reading) -> Iterator[Notice]:
        """What was told and what is seen differ: both are said, neither wins by itself."""
        for fit in reading.contradicted:
            told = self._match.answered.get(fit.key)
            text = f"Told was {told}; the camera sees {fit.option}."
            cite = self._match.open[fit.key].cite
            yield Notice("Q-SEEN", text, cite, Level.WARN, "Revise the answer, or look again.")

    def _misplaced(self, reading: Reading, seen: Placement) -> Iterator[Notice]:
        """Pieces whose move is asked for, where it does not lead: in the question's own words."""
        plan = getattr(self._match.rulebook, "plan", None)
        if plan is None:
            return
        for piece in sorted(reading.early):
            place = plan.name_of(seen[piece])
            for key, options in self._options().items():
                named = any(
                    option.name == plan.name_of(option.shows[piece])
                    for option in options
                    if option.shows and piece in option.shows
                )
                if named and key not in self._match.answered:
                    yield from _refused(self._match.open[key], place)

    def _offer(self, now: float) -> None:
        """Options that the picture equals become offers: lit until tapped, or accepted."""
        fits = self.reading.fits if self.reading is not None else ()
        fitting = {fit.key: fit.option for fit in fits}
        for key in [key for key, offer in self.offered.items() if fitting.get(key) != offer.raw]:
            del self.offered[key]
        for key, option in fitting.items():
            if key not in self.offered:
                asked, since = self._match.open[key], self._lit_since(key, option, now)
                self.offered[key] = Offer(key, option, "camera", asked.by, asked.opened, since)

    def _lit_since(self, key: str, option: Json, now: float) -> float:
        """Now; of a piece laid before it was asked for never: that waits for a tap."""
        shown = (one.shows or {} for one in self._options()[key] if one.name == option)
        early = any(self.lag.lies(piece, pose) for shows in shown for piece, pose in shows.items())
        return math.inf if early else now

    def take_ripe(self, before: float) -> list[Offer]:
        """Take the offers that have been shown since `before` or longer."""
        ripe = [offer for offer in self.offered.values() if offer.taken_at <= before]
        for offer in ripe:
            del self.offered[offer.key]
        return ripe

    @property
    def astray(self) -> frozenset[Piece]:
        """Pieces that are seen elsewhere than recorded, also those that hands must still move."""
        if self.reading is None:
            return frozenset()
        differing = (difference.piece for difference in self.reading.differences)
        return frozenset((*self.reading.lagging, *differing))

    @property
    def held(self) -> tuple[str, ...]:
        """Keys of open questions that look at a piece which is not where the record has it."""
        astray = self.astray
        if self.trusted or not astray:
            return ()
        return tuple(key for key, options in self._options().items() if astray & looks_at(options))

    @property
    def trusted(self) -> bool:
        """Whether the table goes on without the camera, until all that was asked is answered."""
        return not self._trusted_for.isdisjoint(self._match.open)

    def trust(self) -> None:
        """Go on without the camera for what is asked now: every word of a form."""
        self._trusted_for = frozenset(self._match.open)

    @property
    def block(self) -> Notice | None:
        """Why no round may start over what is seen: it cannot be, is there twice, or elsewhere.

        None where all fits, while the camera sees nothing, and where the table does without it.
        """
        if self.reading is None or self.trusted:
            return None
        for notice in self.notices:
            if notice.level is Level.BLOCK:
                return notice
        for piece in self.reading.twice:
            text = f"{self._called(piece)} is seen twice."
            return self._blocking(text, "Leave one of them there.")
        for piece, pose in self.elsewhere().items():
            recorded = self._place(self._match.position.placement().get(piece))
            text = (
                f"{self._called(piece)} is seen on {self._place(pose)}; the record has {recorded}."
            )
            return self._blocking(text, "Put it there, or let the arbiter correct the record.")
        return None

    def _blocking(self, text: str, way_out: str) -> Notice:
        return Notice("Q-BLOCK", text, self._match.rulebook.corrections, Level.BLOCK, way_out)

    def _called(self, piece: Piece) -> str:
        plan = getattr(self._match.rulebook, "plan", None)  # a game may have no boards
        token = plan.token_of.get(piece) if plan is not None else None
        return str(piece) if token is None else token.label

    def _place(self, pose: Pose | None) -> str:
        plan = getattr(self._match.rulebook, "plan", None)
        if pose is None:
            return "no board"
        return plan.name_of(pose) if plan and pose.space in plan.board_of else str(pose)

    def elsewhere(self) -> dict[Piece, Pose]:
        """Pieces that do not stand where the record has them, with where they are seen.

        First those of which nobody was told yet, then what hands still owe. What was let lie where
        it was laid early is none of them.
        """
        if self.reading is None or self.settled is None:
            return {}
        seen, recorded = settled_places(self.settled), self._match.position.placement()
        owed = (p for p in sorted(self.reading.lagging) if not self.lag.lies(p, seen[p]))
        away = (*(one.piece for one in self.differences), *owed)
        return {piece: seen[piece] for piece in away if seen[piece] != recorded.get(piece)}

    def _went_blind(self, sighting: Sighting) -> bool:
        """A camera that is lost holds nothing up and offers nothing; whether it is lost now."""
        if sighting.state is not PictureState.BLIND or self.reading is None:
            return False
        self.settled = self.reading = None
        self.notices = ()
        self.offered.clear()
        return True

    def match_changed(self, now: float) -> None:
        """After an answer or a correction: read the same picture once more."""
        if not self.trusted:
            self._trusted_for = frozenset()
        self.offered.clear()
        self._since(now)
        if self.sighting is not None:
            self.look(self.sighting, now)

    def excuse_hands(self) -> None:
        """A correction moved pieces in the record: hands will follow, as they follow a ruling."""
        if self.sighting is None:
            return
        placement = self._match.position.placement()
        for piece, pose in settled_places(self.sighting).items():
            if placement.get(piece) != pose:
                self.lag.excuse(piece, pose)

    def follow_record(self, now: float) -> None:
        """Whatever differs is to be moved back by hands: no news until it is.

        What the record has nowhere was laid early, and may lie there until it is asked for.
        """
        for difference in self.differences:
            if not difference.is_early:
                self.lag.excuse(difference.piece, difference.seen)
        self.let_early_lie(now)

    def let_early_lie(self, now: float) -> None:
        """Pieces that the record has nowhere may lie where they are: they are no difference."""
        for difference in self.differences:
            if difference.is_early:
                self.lag.let_lie(difference.piece, difference.seen)
        if self.sighting is not None:
            self.look(self.sighting, now)

    @property
    def differences(self) -> Sequence[Difference]:
        """Settled pieces that stand elsewhere than recorded, as far as nobody was told yet."""
        return self.reading.differences if self.reading is not None else ()

    def forget(self) -> None:
        """Forget what was seen; the next settled picture decides."""
        self.sighting = self.settled = self.reading = None
        self.notices = ()
        self.offered.clear()


def _refused(question: Question[Any], place: str) -> Iterator[Notice]:
    """Why a place that is seen is no answer; nothing where it is one."""
    try:
        question.judge(place)
    except IllegalAnswer as refused:
        text, stop, way_out = refused.text.partition(". ")
        yield Notice(refused.code, f"{text}{stop.strip()}", refused.cite, Level.WARN, way_out)
