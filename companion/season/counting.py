"""What a match adds to the statistics, out of its log: fire and damage, cards, rounds, disputes.

A match is played again, line by line; its rulings say what happened (`Rulebook.happened_in`). What
comes of that is kept with the record (`MatchCount`, as JSON) together with how the match ended, and
the sums of all matches beside it. So a page of statistics reads no log and no match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.ruling import AttackMade, CardLaid, DamageTaken, EvasionTried, Seat
from companion.games import find_rulebook
from companion.match.match import Match
from companion.record.sums import NO_SUM, CountedRow, Sum, SumKey
from companion.referee.challenge import challenges_in, left_open
from companion.season.adding import MatchCount, Row, sums_of
from companion.season.measured import BY_MATCH, Measured
from companion.season.seating import Seating

if TYPE_CHECKING:
    from companion.core.ruling import Occurrence
    from companion.record.listing import PlayedMatch
    from companion.record.record import Record

FORM = 1
"""Raised when matches have to be counted anew, as when a box tells more of its rulings."""


# Reading one log.


def count_match(match: Match[Any], played: PlayedMatch) -> MatchCount:
    """What a match that ended adds, replayed from its log."""
    rules, listed = match.rulebook, Seating.of(played)
    seats = rules.seats_taken()
    named = {seat: listed.people.get(rules.held_by.get(seat, seat), "") for seat in seats}
    flown = {str(seat): dict(rules.flown_by(seat)) for seat in seats}
    seating = replace(
        listed,
        sides=tuple(map(str, rules.sides_taken())),
        side_of={str(seat): str(rules.side_of.get(seat, seat)) for seat in seats},
        people={str(seat): name for seat, name in named.items() if name},
        flown={seat: what for seat, what in flown.items() if what},
    )
    return MatchCount(seating, _Log(match).rows())


class _Log:
    """One match, read once for all figures."""

    def __init__(self, match: Match[Any]) -> None:
        self._match = match
        self._sums: defaultdict[tuple[str, str, str, str], Sum] = defaultdict(lambda: NO_SUM)
        self._attacks: list[AttackMade] = []

    def rows(self) -> tuple[Row, ...]:
        """All that is told of it."""
        self._read_rounds()
        for seat in self._match.rulebook.seats_taken():
            for figure in BY_MATCH:
                self._add(seat, figure, amount=0.0)
        for seq, began_s, happened in self._happened():
            self._tell(happened, self._match.entries[seq].match_s - began_s)
        for attack in self._attacks:
            self._add(
                attack.by, Measured.HITS, attack.reach, attack.means, amount=float(attack.hit)
            )
        undecided = left_open(self._match.entries)
        for challenge in challenges_in(self._match.entries):
            by = str(challenge.by) if challenge.named else ""
            sides = (*self._match.rulebook.seats_taken(), *self._match.rulebook.sides_taken())
            ended = challenge.verdict.value if challenge.verdict is not None else "decided"
            if undecided is not None and challenge.seq == undecided.seq:
                ended = "open"
            self._add(by if by in sides else "", Measured.DISPUTES, ended)
        return tuple(Row(*key, *sum_) for key, sum_ in self._sums.items())

    def _add(
        self, seat: str, figure: Measured, detail: str = "", card: str = "", *, amount: float = 1.0
    ) -> None:
        self._sums[self._whose(seat), figure.value, detail, card] += Sum(1, amount, amount**2)

    def _whose(self, seat: str) -> str:
        """The seat that somebody took; whoever plays alone has the other hands of the side, too."""
        rules = self._match.rulebook
        taken = rules.seats_taken()
        if seat in taken or not seat:
            return str(seat)
        usual = find_rulebook(rules.box).side_of
        side = rules.side_of.get(Seat(seat), usual.get(Seat(seat)))
        alone = [one for one in taken if rules.side_of.get(one, usual.get(one)) == side]
        return str(alone[0] if len(alone) == 1 else seat)

    def _read_rounds(self) -> None:
        """How long each round was, from its first answer to its last."""
        times: dict[str, list[float]] = {}
        for step in self._match.steps:
            place = self._match.rulebook.split_key(step.key)[0]
            if place and step.answers:
                times.setdefault(place, []).append(self._match.entries[step.seq].match_s)
        self._began = {place: min(seconds) for place, seconds in times.items()}
        for place, seconds in times.items():
            self._add("", Measured.ROUND, amount=max(seconds) - self._began[place])

    def _happened(self) -> Iterator[tuple[int, float, Occurrence]]:
        """Everything that rulings tell: the line that brought it, and when its round began."""
        rules = self._match.rulebook
        for seq, key, rulings in self._match.ruled_by():
            place = rules.split_key(key)[0]
            began_s = self._began.get(place, self._match.entries[seq].match_s)
            told = [one for ruling in rulings for one in rules.happened_in(ruling)]
            laid = dict.fromkeys(one for one in told if isinstance(one, CardLaid) and one.card)
            others = (one for one in told if one not in laid)
            yield from ((seq, began_s, one) for one in (*laid, *others))

    def _tell(self, happened: Occurrence, since_s: float) -> None:
        match happened:
            case AttackMade(instead=instead):
                if instead and self._attacks:
                    self._attacks.pop()
                self._attacks.append(happened)
            case DamageTaken(by, amount, dealt_by):
                self._more(by, Measured.TAKEN, amount)
                if dealt_by is not None and dealt_by != by:
                    self._more(dealt_by, Measured.DEALT, amount)
            case CardLaid(by, card):
                self._add(by, Measured.LAID, "", card, amount=max(0.0, since_s))
            case EvasionTried(by, means, averted, saved):
                self._add(by, Measured.EVADED, means, amount=float(saved))
                self._add(by, Measured.AVERTED, means, amount=float(averted))

    def _more(self, seat: str, figure: Measured, amount: int) -> None:
        """A figure of a whole match grows."""
        key = (self._whose(seat), figure.value, "", "")
        total = self._sums[key].total + amount
        self._sums[key] = Sum(1, total, total**2)


# Counting all that a record has.

AT_ONCE = 50
"""Matches whose counts are written in one transaction."""


class CountedNow(NamedTuple):
    """How many matches were just counted, and those whose row in the list cannot be read.

    These are in no statistics until a check has made their row anew.
    """

    number: int
    unread: tuple[str, ...]


def count_logs(record: Record) -> Iterator[CountedNow]:
    """Count every match that is not counted yet; after each few, how many that were.

    It may be left at any time and begun again, and several programs may count at once. A log that
    this program cannot play again counts as far as the list of matches tells: who won.
    """
    after = ""
    last: Mapping[str, str] = {}
    while wanted := record.sums.uncounted(FORM, AT_ONCE, after):
        before = {match_id: MatchCount.read(told) for match_id, told in wanted.items() if told}
        if None in before.values():  # nobody can tell what it has added
            record.sums.forget()
            after = ""
            continue
        rows, added = _counted_rows(record, [*wanted])
        for key, sum_ in sums_of(filter(None, before.values())).items():
            added[key] += -sum_
        if not record.sums.put(FORM, rows, wanted, added) and wanted != last:
            last = wanted
            continue  # another program has counted some of these meanwhile: look again
        after = max(wanted)
        unread = {*wanted} - {*before} - {row.match_id for row in rows}
        yield CountedNow(len(wanted) - len(unread), tuple(sorted(unread)))


def keep_periods(record: Record, since: str = "", until: str = "") -> Iterator[str]:
    """Add up every month and year that is not; after each, which.

    Between two days, where they are said, the months alone. It may be left at any time. One in
    which another program counts meanwhile is found again.
    """
    for period in record.sums.missing_periods(since, until):
        found = record.sums.period(period)
        counts = filter(None, map(MatchCount.read, found.told))
        record.sums.put_period(period, found.seals, sums_of(counts), Measured.WON)
        yield period


def count_simulated(
    record: Record, box: str = "", since: str = "", until: str = ""
) -> Iterator[MatchCount]:
    """What each simulated match adds, out of its log; it is kept nowhere and in no sums."""
    for match_id, played in record.sums.simulated(box, since, until).items():
        yield _counted(record, match_id, played)


def _counted_rows(
    record: Record, wanted: Sequence[str]
) -> tuple[list[CountedRow], defaultdict[SumKey, Sum]]:
    """A row for each match that people ended, and what these rows add together."""
    played = record.sums.played(wanted)
    counts = {match_id: _counted(record, match_id, one) for match_id, (one, _) in played.items()}
    rows = [CountedRow(one, played[one][1], count.to_json()) for one, count in counts.items()]
    return rows, defaultdict(lambda: NO_SUM, sums_of(counts.values()))


def _counted(record: Record, match_id: str, played: PlayedMatch) -> MatchCount:
    """What a match adds, by its log; who won alone, where that cannot be played again."""
    try:
        match = Match[Any].replay(record.load(match_id).entries)
        return count_match(match, played)
    except CompanionError:
        return MatchCount(Seating.of(played))
