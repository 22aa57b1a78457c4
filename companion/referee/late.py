"""Cards laid after the buzzer, felt by slot sensors or seen by the camera, until they are ruled on.

For any box whose reports know `late card` and `cards counted`. A sensor feels that a card lies on
a section, never whose it is nor which. It answers for empty sections, its counts are compared with
what people tell, and a late card is named with the evidence until somebody says whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import BadCall, CompanionError
from companion.core.offers import LateCard, Offer
from companion.core.question import Declare
from companion.core.ruling import Seat
from companion.referee.desk import Happening

if TYPE_CHECKING:
    from companion.core.offers import AfterZero, CardEvent
    from companion.core.ruling import Json, Notice
    from companion.referee.desk import Desk
    from companion.referee.sight import LateKey


LATE, COUNTED = "late card", "cards counted"
SENSOR = "sensor"
TRACKS = 2

SETTLED_S = 0.3
"""After the buzzer: a card that came just before it has been told by then."""

Place = tuple[int, int]
"""Track (0: the first team's) and section (from 1)."""


class Tracks:
    """The tracks of one match. Owned by the referee's thread.

    While `live` is False nothing is answered by the sensors, and people tell. `felt` are the late
    cards of the last lock that nobody has ruled on yet; they wait until the next phase begins.
    """

    def __init__(self, desk: Desk) -> None:
        self.live = False
        self.counts = False  # whether the sensors tell how many cards lie on each other
        self.felt: list[LateCard] = []
        self._desk = desk
        self._lying: dict[Place, int] = {}
        self._at_zero: dict[Place, int] = {}
        self._lifted: dict[int, int] = {}  # by track: the section last lifted after zero
        self._told: set[str] = set()  # keys that the sensors have answered or held
        self._timed = False
        self._ripe_at: float | None = None  # when the lock has been open for long enough

    # -- what the sensors notice -----------------------------------------------------------

    def sense(self, slots: Sequence[int] | None, *, counts: bool = False) -> None:
        """Take in what lies on all slots, track after track; None: the sensors cannot be trusted.

        `counts`: they tell how many cards lie on each other, not only that some do.
        """
        if slots is not None and not self.live:
            sections = len(slots) // TRACKS
            for place, cards in enumerate(slots):
                self._lying[place // sections, place % sections + 1] = cards
            self._at_zero = dict(self._lying)
        self.live, self.counts = slots is not None, counts

    def notice(self, event: CardEvent) -> None:
        """Take in what a sensor noticed."""
        place = (event.track, event.section)
        before = self._lying.get(place, 0)
        self._lying[place] = event.cards
        after = event.after_zero
        if after is None or not after.is_certain or self._timed:
            self._at_zero[place] = event.cards  # while a phase runs, zero is that of the last one
        elif not self._lock_is_open:
            return  # what hands do with cards afterwards is the Resolution's, and Cleanup's
        elif event.cards < before:
            self._lifted[event.track] = event.section
        elif event.cards > before:
            self._laid_late(event, after)

    def _laid_late(self, event: CardEvent, after: AfterZero) -> None:
        team = self._team(event.track)
        if team is None or LATE not in self._desk.match.rulebook.report_words():
            return
        moved_from = self._lifted.pop(event.track, None)
        if moved_from == event.section:
            return  # lifted and put back: it lies where it lay
        whence = "" if moved_from is None else f"{team}.{moved_from}"
        held = self._is_held(event.track, event.section)
        late = LateCard(f"{team}.{event.section}", moved_from=whence, felt=after, held=held)
        self.felt.append(late)
        self._desk.listeners.tell(Happening.SEEN)

    def _is_held(self, track: int, section: int) -> bool:
        """Whether the lock is held to what lay on a section at zero: no late card counts."""
        told = COUNTED in self._desk.match.rulebook.report_words()
        return self.counts and told and self._at_zero.get((track, section), 0) > 0

    # -- what that answers -----------------------------------------------------------------

    def follow(self, now: float) -> None:
        """Follow the open questions: a phase began, or the lock opened or closed."""
        timed = self._desk.clock is not None
        if timed and not self._timed:
            self._at_zero = dict(self._lying)
        self._timed = timed
        if timed:
            self.felt.clear()
        if timed or not any(self._asked()):
            self._lifted.clear()
            self._told.clear()
            self._ripe_at = None
        elif self._ripe_at is None:
            self._ripe_at = now + SETTLED_S

    def tick(self, now: float) -> None:
        """Tell what lay there at the buzzer, once what settled at the last moment is known too."""
        if self._ripe_at is None or now < self._ripe_at or not self.live:
            return
        fresh = {question.key for question, _ in self._asked()} - self._told
        if not fresh:
            return
        self._told |= fresh
        if self.counts and COUNTED in self._desk.match.rulebook.report_words():
            self._hold(fresh, now)
        for question, place in list(self._asked()):
            if question.key in fresh and self._at_zero.get(place, 0) == 0:
                none: list[Json] = [0] * len(question.parts)
                said = Offer(question.key, none, SENSOR, question.by, question.opened, now)
                self._desk.take(said, now)

    def _hold(self, keys: set[str], now: float) -> None:
        """What is told of a section is held to what its sensor counted there."""
        for question, place in list(self._asked()):
            cards = self._at_zero.get(place, 0)
            if question.key in keys and cards > 0:
                fact: dict[str, Json] = {"what": COUNTED, "team": str(question.by)}
                with suppress(CompanionError):  # the box wants no count here: people tell
                    fact |= {"section": place[1], "cards": cards}
                    self._desk.report(fact, now, reason="slot sensor")

    def lay_in_time(self, late: LateCard) -> None:
        """Let a card that was felt late count as one that lay there at the buzzer."""
        self.felt.remove(late)
        place = (self._sides.index(late.team), late.number)
        self._at_zero[place] = self._lying.get(place, 0)
        self._desk.listeners.tell(Happening.SEEN)

    # -- which questions are the tracks' ---------------------------------------------------

    @property
    def _lock_is_open(self) -> bool:
        return self._desk.clock is None and any(self._asked())

    def _asked(self) -> Iterator[tuple[Declare, Place]]:
        """Open questions for what lies on a section, as its team is asked for it."""
        match = self._desk.match
        sides = self._sides
        for question in match.open.values():
            if isinstance(question, Declare) and question.by in sides and question.of.isdigit():
                yield question, (sides.index(question.by), int(question.of))

    @property
    def _sides(self) -> Sequence[Seat]:
        return self._desk.match.rulebook.buttons

    def _team(self, track: int) -> Seat | None:
        return self._sides[track] if track < len(self._sides) else None


# Late cards until somebody says whose they are.


class LateCards:
    """The late cards of one match that nobody has ruled on yet, felt or seen; and the two verbs.

    Owned by the referee's thread.
    """

    def __init__(self, desk: Desk, tracks: Tracks) -> None:
        self._desk, self._tracks = desk, tracks

    @property
    def waiting(self) -> tuple[LateCard, ...]:
        """Those that were felt, in the order in which they came, then those seen, by section."""
        return (*self._tracks.felt, *self._seen())

    def _seen(self) -> list[LateCard]:
        """Those that the camera saw; none where the box knows no such word."""
        sight = self._desk.sight
        if sight.sighting is None or LATE not in self._desk.match.rulebook.report_words():
            return []
        late = (one for one in sight.sighting.late if _key(one) not in sight.ruled_late)
        return sorted(late, key=_key)

    def whose(self, late: LateCard) -> tuple[Seat, ...]:
        """Who may have laid it: whoever's back was read on it, else its team's seats."""
        rulebook = self._desk.match.rulebook
        seats = rulebook.seats_taken()
        if late.owner in seats:
            return (Seat(late.owner),)
        return tuple(seat for seat in seats if rulebook.side_of.get(seat, seat) == late.team)

    def rule(self, late: LateCard, player: Seat, now: float, by: str = "") -> Notice | None:
        """It was late, and it is `player`'s: reported, with what was felt or seen as the reason.

        Error: BadCall where it waits no longer, or nobody of that name may have laid it.
        """
        self._check(late)
        if player not in self.whose(late):
            there = ", ".join(self.whose(late))
            raise BadCall(f"{player} lays no cards for {late.team}; there are {there}")
        fact: dict[str, Json] = {"what": LATE, "player": str(player), "section": late.number}
        if late.felt is None and late.left is not None:
            fact["moved_from"] = late.left  # what was felt is added to every report of it
        reason = late.evidence if late.felt is None else ""
        return self._desk.report(fact, now, reason=reason, by=by)

    def let_lie(self, late: LateCard, now: float) -> None:
        """It lay there at the buzzer, people say: it counts as whatever else lies there.

        Error: BadCall where it waits no longer.
        """
        self._check(late)
        if late.felt is not None:
            self._tracks.lay_in_time(late)
        else:
            self._desk.sight.let_lie(self._keys(late), now)

    def completed(self, fact: Mapping[str, Json]) -> tuple[Mapping[str, Json], str]:
        """A report with what a sensor knows of it, and its evidence; what was told stands."""
        late = self._felt_of(fact)
        if late is None:
            return fact, ""
        known: dict[str, Json] = {"late_ms": late.late_ms}
        if late.left is not None:
            known["moved_from"] = late.left
        if late.held:
            known["counted"] = False
        return {**known, **fact}, late.evidence

    def reported(self, fact: Mapping[str, Json]) -> None:
        """Somebody reported a late card: the one that waits at that place waits no longer."""
        felt = self._felt_of(fact)
        if felt is not None:
            self._tracks.felt.remove(felt)
        for late in self._seen():
            laid = self._laid_by(late, fact)
            if laid is not None:
                self._desk.sight.ruled_late |= {_key(late), (late.section, str(laid))}

    def _felt_of(self, fact: Mapping[str, Json]) -> LateCard | None:
        """The late card that a report is about, if a sensor felt it too."""
        felt = (one for one in self._tracks.felt if self._laid_by(one, fact) is not None)
        return next(felt, None)

    def _laid_by(self, late: LateCard, fact: Mapping[str, Json]) -> Seat | None:
        """Who laid this card as a report has it; None where that is about something else."""
        if fact.get("what") != LATE or fact.get("section") != late.number:
            return None
        named = str(fact.get("player")).lower()
        return next((seat for seat in self.whose(late) if str(seat).lower() == named), None)

    def _keys(self, late: LateCard) -> set[LateKey]:
        """The card by all the owners it may turn out to have, once its back is read."""
        owners = () if late.owner else self.whose(late)
        return {_key(late), *((late.section, str(seat)) for seat in owners)}

    def _check(self, late: LateCard) -> None:
        if late not in self.waiting:
            raise BadCall(f"{late.team} {late.number}: no late card waits to be ruled on")


def _key(late: LateCard) -> LateKey:
    return late.section, late.owner
