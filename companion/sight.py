"""The camera's side of the referee: what was last seen, and what it means for the match."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.errors import IllegalAnswer
from companion.lag import Lag
from companion.offers import Offer, PictureState
from companion.ruling import Level, Notice
from companion.sighting import looks_at, read_sighting, settled_places, with_cards

if TYPE_CHECKING:
    from companion.board import Piece, Pose
    from companion.match import Match
    from companion.offers import Json, Sighting
    from companion.question import Question
    from companion.sighting import Difference, Listed, Placement, Reading

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
        """Take in a sighting; whether anything follows from it.

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
        """Offers that have been lit since `before` or longer; they are no longer offered."""
        ripe = [offer for offer in self.offered.values() if offer.taken_at <= before]
        for offer in ripe:
            del self.offered[offer.key]
        return ripe

    @property
    def astray(self) -> frozenset[Piece]:
        """Pieces that were seen elsewhere than recorded, whoever is to move them."""
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
        """After an answer or a correction: look at the same picture with new eyes."""
        if not self.trusted:
            self._trusted_for = frozenset()
        self.offered.clear()
        self._since(now)
        if self.sighting is not None:
            self.look(self.sighting, now)

    def excuse_hands(self) -> None:
        """A correction moved pieces in the record: hands follow, as they follow a ruling."""
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
        """Pieces that the record has nowhere may lie where they are: no news while they do."""
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
        """Nothing was seen; the next settled picture decides."""
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
