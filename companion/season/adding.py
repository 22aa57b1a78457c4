"""What a match adds to the statistics, and what many add together.

By seat, side, mode, house rule and box the matches of one table (`_Table`: a box, its mode, its
seats) are added up as one, and put to their places once at the end. What is somebody's own, of a
player, a fighter, a pilot or a card, is added match by match.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.files import written
from companion.record.sums import Sum, SumKey
from companion.season.measured import BY_MATCH, Measured
from companion.season.seating import ALL_KINDS, FLOWN, CountedAt, CountedBy, Seating

if TYPE_CHECKING:
    from companion.record.players import Players


class Row(NamedTuple):
    """A figure of one seat in one match; of the whole table where the seat is empty.

    `card` is by what it was done: it counts for that card, too.
    """

    seat: str
    figure: str
    detail: str
    card: str
    number: int
    total: float
    squares: float

    @property
    def sum(self) -> Sum:
        """What is added up."""
        return Sum(self.number, self.total, self.squares)


@dataclass(frozen=True, slots=True)
class MatchCount:
    """All that one match adds: who sat there, how it ended, and a row a figure."""

    seating: Seating
    rows: tuple[Row, ...] = ()

    def to_json(self) -> str:
        """One line, for the record."""
        return written({**asdict(self.seating), "rows": [[*row] for row in self.rows]})

    @classmethod
    def read(cls, told: str) -> MatchCount | None:
        """What `to_json` wrote; None where that was another form's, or another hand's."""
        try:
            raw: dict[str, Any] = json.loads(told)
            rows = tuple(map(Row._make, raw.pop("rows")))
            for name in ("rules", "sides", "winners"):
                raw[name] = tuple(raw[name])
            return cls(Seating(**raw), rows)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def named_by(self, known: Players) -> MatchCount:
        """The same with every name as its player is called now."""
        people = {seat: known.of(name) for seat, name in self.seating.people.items()}
        return replace(self, seating=replace(self.seating, people=people))


# Adding up.

_Cells = dict[tuple[str, ...], list[float]]
"""Number, total and squares, by whatever they are of."""


def sums_of(
    counts: Iterable[MatchCount], kinds: Collection[CountedBy] = ALL_KINDS
) -> Mapping[SumKey, Sum]:
    """What these matches come to at each place; at those of some kinds, where they are named."""
    kinds = frozenset(kinds)
    tables: dict[object, _Table] = {}
    own: _Cells = {}
    for count in counts:
        one = count.seating
        alike = (one.box, one.mode, one.rules, one.sides, tuple(one.side_of.items()))
        if alike not in tables:
            tables[alike] = _Table(one, kinds)
        tables[alike].add(count)
        _add_own(own, count, kinds)
    for table in tables.values():
        table.put_in_places(own)
    return {SumKey(*key): Sum(int(cell[0]), cell[1], cell[2]) for key, cell in own.items()}


def _add(cells: _Cells, key: tuple[str, ...], number: float, total: float, squares: float) -> None:
    cell = cells.get(key)
    if cell is None:
        cells[key] = [number, total, squares]
    else:
        cell[0] += number
        cell[1] += total
        cell[2] += squares


_WON, _DRAWN = Measured.WON.value, Measured.DRAWN.value
_BY_MATCH = frozenset(figure.value for figure in BY_MATCH)


def _add_end(cells: _Cells, about: str, box: str, name: str, ends: tuple[int, int, int]) -> None:
    """So many matches, of which so many were won and drawn."""
    matches, won, drawn = ends
    _add(cells, (about, box, name, _WON, ""), matches, won, won)
    _add(cells, (about, box, name, _DRAWN, ""), matches, drawn, drawn)


class _Table:
    """Matches of a box in one mode with the same seats taken, whoever sat there."""

    def __init__(self, seating: Seating, kinds: Collection[CountedBy]) -> None:
        self._seating = replace(seating, people={}, flown={}, winners=())
        self._kinds = kinds
        self._places: dict[str, Sequence[CountedAt]] = {}
        self._ended: Counter[tuple[str, ...]] = Counter()
        self._figures: _Cells = {}
        self._by_match: _Cells = {}

    def add(self, count: MatchCount) -> None:
        """One match more."""
        self._ended[count.seating.winners] += 1
        figures = self._figures
        totals: dict[tuple[str, ...], float] = {}
        for seat, figure, detail, _, number, total, squares in count.rows:
            if figure not in _BY_MATCH:
                _add(figures, (seat, figure, detail), number, total, squares)
                continue
            for by, name in self._places_of(seat):
                place = (by.value, name, figure)
                totals[place] = totals.get(place, 0.0) + total
        for at, whole in totals.items():
            _add(self._by_match, at, 1, whole, whole**2)

    def _places_of(self, seat: str) -> Sequence[CountedAt]:
        places = self._places.get(seat)
        if places is None:
            found = {*_places(self._seating, seat)}
            places = self._places[seat] = [one for one in found if one.by in self._kinds]
        return places

    def put_in_places(self, cells: _Cells) -> None:
        """Add all of it where it counts."""
        box = self._seating.box
        for winners, many in self._ended.items():
            ended = replace(self._seating, winners=winners).results()
            for (by, name), (matches, won) in ended.items():
                if by in self._kinds:
                    drawn = 0 if winners else matches
                    ends = (matches * many, won * many, drawn * many)
                    _add_end(cells, by, box, name, ends)
        for (seat, figure, detail), cell in self._figures.items():
            for by, name in self._places_of(seat):
                _add(cells, (by, box, name, figure, detail), *cell)
        for (about, name, figure), cell in self._by_match.items():
            _add(cells, (about, box, name, figure, ""), *cell)


def _places(seating: Seating, seat: str) -> Iterable[CountedAt]:
    if not seat:
        return seating.everywhere()
    return seating.places(seat) if seat in seating.side_of else seating.places_of_side(seat)


# What is somebody's own.


def _add_own(cells: _Cells, count: MatchCount, kinds: Collection[CountedBy]) -> None:
    """What a match adds for its players, fighters, pilots and cards."""
    seating, box = count.seating, count.seating.box
    owners = {seat: [*_owners(seating, seat, kinds)] for seat in seating.side_of}
    sides: dict[tuple[str, str], set[str]] = {}
    for seat, those in owners.items():
        for one in those:
            sides.setdefault(one, set()).add(seating.side_of[seat])
    for (by, name), there in sides.items():
        won, several = len(there.intersection(seating.winners)), by in _FLOWN
        matches, won = (len(there), won) if several else (1, min(1, won))
        _add_end(cells, by, box, name, (matches, won, 0 if seating.winners else matches))
    owners[""] = [*sides]
    totals: dict[tuple[str, ...], float] = {}
    for seat, figure, detail, _, number, total, squares in count.rows:
        for by, name in owners.get(seat, ()):
            if figure in _BY_MATCH:
                place = (by, box, name, figure, "")
                totals[place] = totals.get(place, 0.0) + total
            else:
                _add(cells, (by, box, name, figure, detail), number, total, squares)
    for at, whole in totals.items():
        _add(cells, at, 1, whole, whole**2)
    if CountedBy.CARD in kinds:
        _add_cards(cells, seating, [row for row in count.rows if row.card])


_PLAYER = CountedBy.PLAYER.value
_FLOWN = frozenset(kind.value for kind in FLOWN)


def _owners(seating: Seating, seat: str, kinds: Collection[CountedBy]) -> Iterator[tuple[str, str]]:
    if seat in seating.people and _PLAYER in kinds:
        yield _PLAYER, seating.people[seat]
    for kind, name in seating.flown.get(seat, {}).items():
        if kind in _FLOWN and name and kind in kinds:
            yield kind, name


def _add_cards(cells: _Cells, seating: Seating, rows: Sequence[Row]) -> None:
    """What was done by cards, and whether the side that laid one won."""
    about, box, laid = CountedBy.CARD.value, seating.box, set[tuple[str, str]]()
    for row in rows:
        key = (about, box, row.card, row.figure, "")
        _add(cells, key, row.number, row.total, row.squares)
        laid.add((row.card, seating.side_of.get(row.seat, row.seat)))
    for card, side in laid:
        ends = (1, int(side in seating.winners), int(not seating.winners))
        _add_end(cells, about, box, card, ends)
