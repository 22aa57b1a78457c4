"""Rows of statistics: by player, seat, side, fighter, pilot, card, mode, house rule and box.

Matches that people played and that have ended are counted; simulated ones are rows of their own
where they are asked for, and demonstrations never reach this module. Without a filter, or for one
box, a page is made of the sums that the record keeps; with days, of those of whole months and
years and of what each match of other days adds; with people, of what each of their matches adds.
Ratings are kept, too: whatever is chosen, a player's is that after all matches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.record.sums import NO_SUM, RatedPlayer, Sum, SumKey
from companion.season.adding import MatchCount, sums_of
from companion.season.counting import count_simulated
from companion.season.measured import FIGURES, Measured, ToldAs
from companion.season.seating import CountedBy, Seating
from companion.season.shares import Mean, Share

if TYPE_CHECKING:
    from companion.record.players import Players
    from companion.record.record import Record
    from companion.record.sums import KeptFigures


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, by Plackett and Luce's model of results (openskill).

    `mu` begins at 25; the true strength lies within `sigma` of it as often as not to a standard
    deviation. Who has played little has a wide one.
    """

    mu: float
    sigma: float


@dataclass(slots=True)
class Counted:
    """A row: what it is about, its figures, and a player's rating. Of players the box is empty.

    Of a box `won` counts the matches that anybody won; of a fighter, a pilot or a card the sides
    that had it.
    """

    by: CountedBy
    box: str
    name: str
    _figures: dict[tuple[str, str], Sum] = field(default_factory=dict[tuple[str, str], Sum])
    rating: Rating | None = None
    _kept: list[KeptFigures] = field(default_factory=list["KeptFigures"])
    """What is not in the figures yet: rows that no page shows are put in order unread."""

    @property
    def figures(self) -> Mapping[tuple[str, str], Sum]:
        """Every sum of it, by figure and detail."""
        kept, self._kept = self._kept, []
        for one in kept:
            for (figure, detail), more in one.figures.items():
                self.add(figure, detail, more)
        return self._figures

    def add(self, figure: str, detail: str, more: Sum) -> None:
        """More of a figure."""
        had = self._figures.get((figure, detail))
        self._figures[figure, detail] = more if had is None else had + more

    def add_kept(self, kept: KeptFigures) -> None:
        """More of all that a period has."""
        self._kept.append(kept)

    def sum(self, figure: Measured, detail: str | None = None) -> Sum:
        """A figure; over all its details, where none is said."""
        told = NO_SUM
        for (name, part), sum_ in self.figures.items():
            if name == figure and detail in (None, part):
                told += sum_
        return told

    def share_of(self, figure: Measured, detail: str | None = None) -> Share:
        """Of a figure that counts how often something came: hits, evasions."""
        told = self.sum(figure, detail)
        return Share(told.number, round(told.total))

    def mean_of(self, figure: Measured) -> Mean:
        """Of a figure that is measured: damage, seconds."""
        return Mean(*self.sum(figure))

    def details(self, figure: Measured) -> Sequence[str]:
        """By what a figure is parted, in order: the ranges, the means, the ends of disputes."""
        return sorted({part for name, part in self.figures if name == figure and part})

    @property
    def matches(self) -> int:
        """How many matches it tells of."""
        told = self._figures.get((Measured.WON, ""), NO_SUM).number
        return told + sum(one.matches for one in self._kept)

    @property
    def won(self) -> int:
        """How many of them it won."""
        return round(self.sum(Measured.WON).total)

    @property
    def drawn(self) -> int:
        """How many of them nobody won."""
        return round(self.sum(Measured.DRAWN).total)

    @property
    def share(self) -> Share:
        """How often it won; a draw is no win."""
        return Share(self.matches, self.won)

    def to_flat(self) -> dict[str, object]:
        """A cell a figure, as for a table; a figure is None where nothing of it was counted."""
        rating = self.rating
        return {
            "by": self.by.value,
            "box": self.box,
            "name": self.name,
            "matches": self.matches,
            "won": self.won,
            "drawn": self.drawn,
            "share": round(self.share.share, 4),
            "low": round(self.share.low, 4),
            "high": round(self.share.high, 4),
            "rating": None if rating is None else round(rating.mu, 2),
            "rating_sigma": None if rating is None else round(rating.sigma, 2),
            **self._cells(),
        }

    def to_json(self) -> dict[str, object]:
        """The same, and figures by their details: hits by range, evasions by means, disputes."""
        parted = {
            figure.parts: {
                part: self.sum(measured, part).number
                if figure.told is ToldAs.NUMBER
                else self.share_of(measured, part).to_json()
                for part in self.details(measured)
            }
            for measured, figure in FIGURES.items()
            if figure.parts
        }
        return {**self.to_flat(), **parted}

    def _cells(self) -> dict[str, object]:
        cells: dict[str, object] = {}
        for measured, figure in FIGURES.items():
            if figure.number_column:
                cells[figure.number_column] = self.sum(measured).number
            if figure.column and figure.told is ToldAs.SHARE:
                cells |= self._share_cells(figure.column, measured)
            elif figure.column:
                cells |= self._mean_cells(figure.column, measured)
        return cells

    def _share_cells(self, name: str, measured: Measured) -> dict[str, object]:
        share = self.share_of(measured)
        told = (share.share, share.low, share.high) if share.of else (None, None, None)
        names = (f"{name}_share", f"{name}_low", f"{name}_high")
        return {n: None if t is None else round(t, 4) for n, t in zip(names, told, strict=True)}

    def _mean_cells(self, name: str, measured: Measured) -> dict[str, object]:
        mean = self.mean_of(measured)
        told = (mean.mean, mean.spread) if mean.number else (None, None)
        names = (name, f"{name}_within")
        return {n: None if t is None else round(t, 2) for n, t in zip(names, told, strict=True)}


COLUMNS = tuple(Counted(CountedBy.BOX, "", "").to_flat())
"""The columns of a table of rows."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches count: of a box, begun from a day on until another, with all these people."""

    box: str = ""
    since: str = ""
    until: str = ""
    who: tuple[str, ...] = ()


# Making rows.


def count_season(
    record: Record, by: Collection[CountedBy] = (), wanted: MatchFilter | None = None, most: int = 0
) -> Sequence[Counted]:
    """The rows of what a record has counted; of all kinds where none is named.

    `most` rows of each kind, those with the most matches, where it is more than 0. What is not
    counted yet is not in them: see `count_logs`.
    """
    wanted, kinds = wanted or MatchFilter(), [*(by or CountedBy)]
    known = record.players(with_seats=False)
    if wanted.since or wanted.until or wanted.who:
        of_these = _of_people if wanted.who else _of_days
        rows = _in_order(of_these(record, known, wanted, kinds).values())
        return [one for kind in kinds for one in _busiest(rows, kind, most)]
    return [one for kind in kinds for one in _of_sums(record, known, kind, wanted.box, most)]


def count_simulated_season(
    record: Record, by: Collection[CountedBy] = (), wanted: MatchFilter | None = None
) -> Sequence[Counted]:
    """The rows of a record's simulated matches alone, of all kinds where none is named.

    Their logs are played again now: nothing of them is kept, and they are in no other rows.
    """
    wanted = wanted or MatchFilter()
    counts = [*count_simulated(record, wanted.box, wanted.since, wanted.until)]
    known = record.players(with_seats=False)
    return _counted_and_rated(counts, known, wanted.who, [*(by or CountedBy)])


_Rows = dict[tuple[str, str, str], Counted]
"""By what they are about, the box (of players none), and the name."""


def _of_days(
    record: Record, known: Players, wanted: MatchFilter, kinds: Collection[CountedBy]
) -> _Rows:
    since, until, box = wanted.since, wanted.until, wanted.box
    found = record.sums.between(kinds, since, until, box)
    rows: _Rows = {}
    _add_kept(rows, found.kept, known)
    counts = filter(None, map(MatchCount.read, found.told))
    _add_all(rows, sums_of(counts, kinds).items(), known)
    if CountedBy.PLAYER in kinds:
        _unite(rows, record, known, wanted)
        _put_ratings(rows, record)
    return rows


def _of_people(
    record: Record, known: Players, wanted: MatchFilter, kinds: Collection[CountedBy]
) -> _Rows:
    people = [known.seated_as(name) for name in wanted.who]
    told = record.sums.told(wanted.box, wanted.since, wanted.until, people)
    counts = filter(None, map(MatchCount.read, told))
    rows = _counted(_with(wanted.who, counts, known), known, kinds)
    _put_ratings(rows, record)
    return rows


def _with(who: Sequence[str], counts: Iterable[MatchCount], known: Players) -> list[MatchCount]:
    """Those in which all of these people sat."""
    people = {known.of(name) for name in who}
    sat = ((one, {*map(known.of, one.seating.people.values())}) for one in counts)
    return [one for one, names in sat if people <= names]


def _counted(counts: Iterable[MatchCount], known: Players, kinds: Collection[CountedBy]) -> _Rows:
    rows: _Rows = {}
    _add_all(rows, sums_of((one.named_by(known) for one in counts), kinds).items(), known)
    return rows


def _counted_and_rated(
    counts: Sequence[MatchCount], known: Players, who: Sequence[str], kinds: Collection[CountedBy]
) -> Sequence[Counted]:
    """Of matches that are in no ratings: the players are rated by these alone."""
    chosen = _with(who, counts, known)
    rows = _counted(chosen, known, kinds)
    if CountedBy.PLAYER in kinds:
        for name, rating in rate([one.seating for one in chosen], known).items():
            rows[CountedBy.PLAYER, "", name].rating = rating
    return _in_order(rows.values())


def _put_ratings(rows: _Rows, record: Record, names: Sequence[str] = ()) -> None:
    """Say of each player, or of these, how they are rated after all matches."""
    for name, rated in record.sums.ratings(names).items():
        row = rows.get((CountedBy.PLAYER, "", name))
        if row is not None:
            row.rating = Rating(rated.mu, rated.sigma)


def _of_sums(
    record: Record, known: Players, kind: CountedBy, box: str, most: int
) -> Sequence[Counted]:
    names: Sequence[str] = ()
    if kind is CountedBy.PLAYER and most:
        often: dict[str, int] = {}
        spelt: dict[str, list[str]] = {}
        for name, number in record.sums.busiest(kind, Measured.WON, box).items():
            player = known.of(name)
            often[player] = often.get(player, 0) + number
            spelt.setdefault(player, []).append(name)
        first = sorted(often, key=lambda player: (-often[player], player))[:most]
        names = [name for player in first for name in spelt[player]]
    rows: _Rows = {}
    _add_all(rows, record.sums.of(kind, box, names).items(), known)
    if kind is CountedBy.PLAYER:
        _unite(rows, record, known, MatchFilter(box))
        _put_ratings(rows, record, [name for _, _, name in rows] if names else ())
    return _busiest(_in_order(rows.values()), kind, most)


def _unite(rows: _Rows, record: Record, known: Players, wanted: MatchFilter) -> None:
    """Count a match once for a player who sat in it on two seats under two names.

    The sums have it once for each name.
    """
    told = record.sums.told_of_pairs(known.written_apart(), wanted.since, wanted.until)
    read = filter(None, map(MatchCount.read, told))
    counts = [one for one in read if wanted.box in ("", one.seating.box)]
    kinds = (CountedBy.PLAYER,)
    there = ((key, -sum_) for key, sum_ in sums_of(counts, kinds).items())
    once = sums_of((one.named_by(known) for one in counts), kinds).items()
    for key, more in (*there, *once):
        row = rows.get((key.about, "", known.of(key.name)))
        if row is not None:
            row.add(key.figure, key.detail, more)


def _add_all(rows: _Rows, sums: Iterable[tuple[SumKey, Sum]], known: Players) -> None:
    for (about, box, name, figure, detail), more in sums:
        at = (about, "", known.of(name)) if about == CountedBy.PLAYER else (about, box, name)
        row = rows.get(at)
        if row is None:
            row = rows[at] = Counted(CountedBy(about), *at[1:])
        row.add(figure, detail, more)


def _add_kept(rows: _Rows, kept: Iterable[KeptFigures], known: Players) -> None:
    """The same of sums that come a thing at a time."""
    for one in kept:
        about, box, name = one.about, one.box, one.name
        at = (about, "", known.of(name)) if about == CountedBy.PLAYER else (about, box, name)
        row = rows.get(at)
        if row is None:
            row = rows[at] = Counted(CountedBy(about), *at[1:])
        row.add_kept(one)


def _in_order(rows: Iterable[Counted]) -> Sequence[Counted]:
    order = {kind: at for at, kind in enumerate(CountedBy)}
    return sorted(rows, key=lambda r: (order[r.by], r.box, -r.matches, r.name))


def _busiest(rows: Iterable[Counted], kind: CountedBy, most: int) -> Sequence[Counted]:
    shown = [one for one in rows if one.by is kind]
    if most and len(shown) > most:
        shown = sorted(shown, key=lambda row: (-row.matches, row.name))[:most]
    return shown


# Ratings.


def rate(
    seatings: Iterable[Seating], known: Players, before: Mapping[str, Rating] | None = None
) -> Mapping[str, Rating]:
    """The rating of everybody who played against somebody with a name, after the last match.

    A side is a team of those who are named at it; who sat on both sides of a match is not rated
    by it. `before` are ratings after the matches before these; the others come out as they were.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated: dict[str, Any] = {
        name: model.rating(mu=one.mu, sigma=one.sigma) for name, one in (before or {}).items()
    }
    for seating in seatings:
        teams = _teams(seating, known)
        if len(teams) < 2 or not _apart([names for _, names in teams]):
            continue
        old = [[rated.get(name) or model.rating() for name in names] for _, names in teams]
        winners = seating.winners
        ranks = [1.0 if side in winners or not winners else 2.0 for side, _ in teams]
        new = model.rate(old, ranks=ranks)
        for (_, names), after in zip(teams, new, strict=True):
            rated.update(zip(names, after, strict=True))
    return {name: Rating(one.mu, one.sigma) for name, one in rated.items()}


def _teams(seating: Seating, known: Players) -> list[tuple[str, list[str]]]:
    """Who is named at each side, in the order of the seats' sides."""
    teams: dict[str, set[str]] = {}
    for seat, name in seating.people.items():
        teams.setdefault(seating.side_of[seat], set()).add(known.of(name))
    return [(side, sorted(names)) for side, names in teams.items()]


def _apart(teams: Sequence[Collection[str]]) -> bool:
    return len({name for team in teams for name in team}) == sum(map(len, teams))


def rate_season(record: Record) -> bool:
    """Bring the kept ratings up to date; whether anything was written.

    Nothing is where another program rates at the same time. Matches that were played after all
    that were rated go on from there. All are rated anew where an older one came, as from another
    table, one ended otherwise than it was counted, or names were said to be one player's since.
    """
    known, kept = record.players(with_seats=False), dict(record.sums.ratings())
    last = kept.pop("", None)
    namings = len(record.namings())
    played = record.played(since=last.begun if last is not None else "")
    after = [one for one in played if last is None or one.begun > last.begun]
    whole = record.tally()
    ended = sum(whole.outcomes.values())
    if last is not None and (int(last.mu), int(last.sigma)) == (ended, namings):
        return False
    goes_on = last is not None and (int(last.mu) + len(after), int(last.sigma)) == (ended, namings)
    if not goes_on:
        after, kept = [*record.played()], {}
    before = {name: Rating(one.mu, one.sigma) for name, one in kept.items()}
    rated = rate(map(Seating.of, after), known, before)
    changed = [RatedPlayer(name, *_pair(one)) for name, one in rated.items()
               if one != before.get(name)]  # fmt: skip
    begun = after[-1].begun if after else (last.begun if last is not None else "")
    done = RatedPlayer("", float(ended), float(namings), begun)
    return record.sums.put_ratings([*changed, done], last, anew=not goes_on)


def _pair(rating: Rating) -> tuple[float, float]:
    return rating.mu, rating.sigma
