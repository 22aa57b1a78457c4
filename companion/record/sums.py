"""What matches add to the statistics, a row a match, and the sums of all of them.

Both are derived from the logs and may be thrown away. This module keeps them and knows nothing of
what they mean: `companion.season` derives them. A match's row bears the seal of its closing, so one
that went on, or was amended after its end, is found however that came about; what it had added is
still in its row, and is taken out of the sums when it is counted anew.

What each month and each year comes to lies beside them (a period). It is not changed: it goes with
the first match of it that is counted otherwise, by triggers (`FORGETTING`), and is made anew.
"""

from __future__ import annotations

import json
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Select, Text, and_, cast, delete, func, insert, or_, select
from sqlalchemy.dialects import sqlite

from companion.core.files import written
from companion.record.lines import UNSEALED, seal
from companion.record.listing import PlayedMatch, played_of, played_query, read_simulated
from companion.record.match import MatchState
from companion.record.store import (
    FORGETTING,
    behind,
    closings,
    counted,
    listed,
    matches,
    periods,
    ratings,
    read_once,
    seated,
    sums,
)

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.dialects import postgresql

    from companion.core.ruling import Json


class SumKey(NamedTuple):
    """What a sum is of: by which kind of thing ("seat"), in which box, which one, which figure.

    `detail` parts a figure further, as hits by range; empty where nothing does.
    """

    about: str
    box: str
    name: str
    figure: str
    detail: str = ""


class Sum(NamedTuple):
    """How many there were, what they add up to, and their squares, for the error of a mean."""

    number: int
    total: float
    squares: float

    def __add__(self, other: object) -> Sum:
        if not isinstance(other, Sum):
            return NotImplemented
        number, total, squares = other
        return Sum(self[0] + number, self[1] + total, self[2] + squares)

    def __neg__(self) -> Sum:
        return Sum(-self.number, -self.total, -self.squares)


NO_SUM = Sum(0, 0.0, 0.0)


class CountedRow(NamedTuple):
    """What a match adds, in JSON, and the seal of the closing under which that was derived."""

    match_id: str
    seal: str
    told: str


class RatedPlayer(NamedTuple):
    """A player's rating; of the row of no player see `store.ratings`."""

    player: str
    mu: float
    sigma: float
    begun: str = ""


class KeptFigures(NamedTuple):
    """What a period comes to for one thing.

    `matches`: how many it tells of. `told`: every figure, as it is kept. It is read when it is
    asked for: of the thousand players of a year a page shows fifty.
    """

    about: str
    box: str
    name: str
    matches: int
    told: str

    @property
    def figures(self) -> dict[tuple[str, str], Sum]:
        """Every sum, by figure and detail."""
        rows = json.loads(self.told)
        return {(figure, detail): Sum(*sum_) for figure, detail, *sum_ in rows}


class SomeDays(NamedTuple):
    """What some days come to: what is kept of periods, and what each match beside these adds."""

    kept: Sequence[KeptFigures] = ()
    told: Sequence[str] = ()


class PeriodOfMatches(NamedTuple):
    """What each match of a period adds, and the seal over all of them."""

    seals: str
    told: Sequence[str]


class Sums:
    """The statistics of one record: whoever derives them writes here, whoever shows them reads.

    `reading` and `writing` open its transactions; `lacks` says that an older program wrote it,
    without these tables, and it takes nothing: there is nothing to read then.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Connection]],
        writing: Callable[[], AbstractContextManager[Connection]],
        lacks: Callable[..., bool],
    ) -> None:
        self._reading, self._writing, self._lacks = reading, writing, lacks

    def _lacking(self, *more: Table | str) -> bool:
        return self._lacks(counted, sums, ratings, *more)

    def _lacks_periods(self) -> bool:
        return self._lacking(periods, *FORGETTING)

    def lacks_counts(self, form: int) -> bool:
        """Whether any of the newest matches is still to be counted, or to be in this form."""
        if self._lacking():
            return False
        with self._reading() as database:
            return lacks_counts(database, form)

    def uncounted(self, form: int, most: int, after: str = "") -> Mapping[str, str]:
        """So many matches to be counted, by ids that come `after` one: what each told so far."""
        if self._lacking():
            return {}
        with self._reading() as database:
            return read_uncounted(database, form, most, after)

    def played(self, match_ids: Sequence[str]) -> Mapping[str, tuple[PlayedMatch, str]]:
        """Those of some matches that people played to their end, each with the seal of that."""
        with self._reading() as database:
            return read_played_matches(database, match_ids)

    def simulated(self, box: str, since: str, until: str) -> Mapping[str, PlayedMatch]:
        """Matches that bots played without a table, of a box and between two days, by their ids.

        They are in no sums.
        """
        if self._lacking():
            return {}
        with self._reading() as database:
            return read_simulated(database, box, since, until)

    def put(
        self,
        form: int,
        rows: Sequence[CountedRow],
        before: Mapping[str, str],
        added: Mapping[SumKey, Sum],
    ) -> bool:
        """Write what matches add in place of what they had told `before`; see `put_counted`."""
        with self._writing() as database:
            return put_counted(database, form, rows, before, added)

    def forget(self) -> None:
        """Throw all of it away, to be made anew."""
        with self._writing() as database:
            forget_sums(database)

    def of(self, about: str, box: str = "", names: Sequence[str] = ()) -> Mapping[SumKey, Sum]:
        """All sums of one kind of thing; of one box or of some names alone, where said."""
        if self._lacking():
            return {}
        with self._reading() as database:
            return read_sums(database, about, box, names)

    def busiest(self, about: str, figure: str, box: str = "") -> Mapping[str, int]:
        """How large a figure's number is, by name."""
        if self._lacking():
            return {}
        with self._reading() as database:
            return read_busiest(database, about, figure, box)

    def told(
        self, box: str = "", since: str = "", until: str = "", people: Sequence[Sequence[str]] = ()
    ) -> Iterable[str]:
        """What each match adds, of a box and between two days, in order of their beginning.

        `people`: for each who sat there, all texts of seats that may mean them.
        """
        if self._lacking():
            return ()
        with self._reading() as database:
            return read_counted(database, box, since, until, people)

    def told_of_pairs(
        self, groups: Sequence[Sequence[str]], since: str = "", until: str = ""
    ) -> Iterable[str]:
        """What each match adds in which two texts of one of these groups sit on different seats.

        Of those between two days, where they are said.
        """
        if self._lacking() or not groups:
            return ()
        with self._reading() as database:
            return read_pairs(database, groups, since, until)

    def between(self, kinds: Collection[str], since: str, until: str, box: str = "") -> SomeDays:
        """What some days come to, of some kinds of things and of one box, where it is said."""
        if self._lacking():
            return SomeDays()
        with self._reading() as database:
            within = () if self._lacks_periods() else periods_within(database, since, until)
            kept = read_kept(database, kinds, within, box)
            rest = read_counted(database, box, since, until, but=kept)
            return SomeDays([one for rows in kept.values() for one in rows], [*rest])

    def missing_periods(self, since: str = "", until: str = "") -> Sequence[str]:
        """The periods to be added up, the newest first.

        Between two days, where they are said, the months alone.
        """
        if self._lacks_periods():
            return ()
        with self._reading() as database:
            found = read_missing_periods(database, since[:_MONTH], until[:_MONTH])
        return [one for one in found if len(one) == _MONTH or not (since or until)]

    def period(self, period: str) -> PeriodOfMatches:
        """What each match of a period adds, and what they are known by."""
        with self._reading() as database:
            told = [*read_counted(database, "", period, period)]
            return PeriodOfMatches(read_seal(database, period), told)

    def put_period(
        self, period: str, seals: str, added: Mapping[SumKey, Sum], matches: str
    ) -> None:
        """Keep what a period comes to; nothing, where its matches are not those of `seals` now.

        `matches`: the figure whose number is that of a thing's matches.
        """
        with self._writing() as database:
            if read_seal(database, period) == seals:
                rows = [(_DONE, ""), *_written_down(added, matches)]
                put_period(database, period, seals, rows)

    def ratings(self, players: Sequence[str] = ()) -> Mapping[str, RatedPlayer]:
        """Ratings by player; of some alone, where they are named."""
        if self._lacking():
            return {}
        with self._reading() as database:
            return read_ratings(database, players)

    def put_ratings(
        self, rated: Sequence[RatedPlayer], last: RatedPlayer | None, *, anew: bool
    ) -> bool:
        """Write ratings; in place of all, where they are made anew. See `put_ratings`."""
        with self._writing() as database:
            return put_ratings(database, rated, last, anew=anew)


# Which matches are to be counted.


def read_uncounted(database: Connection, form: int, most: int, after: str) -> Mapping[str, str]:
    """Matches whose row is missing, of another form or of another end: ids, and what is told yet.

    Those that people played to their end, and those that are in the sums and did not end so. What
    is told is empty where nothing of a match is in the sums. In the order of ids, from `after` on:
    who counts all goes once through the table, whatever it holds.
    """
    ended = and_(listed.c.state == MatchState.ENDED, listed.c.demonstration == 0)
    fits = and_(counted.c.seal == closings.c.chain, counted.c.form == form)
    joined = closings.join(listed, listed.c.match_id == closings.c.match_id)
    joined = joined.outerjoin(counted, counted.c.match_id == closings.c.match_id)
    new = select(closings.c.match_id, counted.c.told).select_from(joined)
    new = new.where(ended, or_(counted.c.match_id.is_(None), ~fits), closings.c.match_id > after)
    there = select(closings.c.match_id).join(listed, listed.c.match_id == closings.c.match_id)
    there = there.where(ended, closings.c.match_id == counted.c.match_id)
    gone = select(counted.c.match_id, counted.c.told)
    gone = gone.where(~there.exists(), counted.c.match_id > after)
    found: dict[str, str] = {}
    for query, place in ((gone, counted.c.match_id), (new, closings.c.match_id)):
        rows = database.execute(query.order_by(place).limit(most))
        found |= {match_id: told or "" for match_id, told in rows}
    return {match_id: found[match_id] for match_id in sorted(found)[:most]}


_NEWEST = 100


def lacks_counts(database: Connection, form: int) -> bool:
    """Whether any of the newest matches is still to be counted: asked before a page is shown."""
    newest = select(matches.c.id).order_by(matches.c.number.desc()).limit(_NEWEST).subquery()
    joined = newest.join(closings, closings.c.match_id == newest.c.id)
    joined = joined.join(listed, listed.c.match_id == newest.c.id)
    joined = joined.outerjoin(counted, counted.c.match_id == newest.c.id)
    fits = and_(counted.c.seal == closings.c.chain, counted.c.form == form)
    missing = or_(counted.c.match_id.is_(None), ~fits)
    people = and_(listed.c.demonstration == 0, listed.c.state == MatchState.ENDED)
    query = select(newest.c.id).select_from(joined).where(and_(people, missing)).limit(1)
    return database.execute(query).first() is not None


def read_played_matches(
    database: Connection, match_ids: Sequence[str]
) -> Mapping[str, tuple[PlayedMatch, str]]:
    """Those of some matches that people played to their end, each with the seal of that.

    One whose row in the list holds what this program never wrote is left out.
    """
    query = played_query().where(listed.c.match_id.in_(match_ids))
    sealed = select(closings.c.match_id, closings.c.chain)
    ended = database.execute(sealed.where(closings.c.match_id.in_(match_ids)))
    seals = {row.match_id: str(row.chain) for row in ended}
    rows = [{**row} for row in database.execute(query).mappings().all()]
    read = ((row["match_id"], played_of(row)) for row in rows)
    return {
        match_id: (match, seals[match_id])
        for match_id, match in read
        if match is not None and match_id in seals
    }


# Writing.


def put_counted(
    database: Connection,
    form: int,
    rows: Iterable[CountedRow],
    before: Mapping[str, str],
    added: Mapping[SumKey, Sum],
) -> bool:
    """Write what matches add, and change the sums by as much; whether that was done.

    `before`: what each match had told when it was read, as `read_uncounted` has it; of those
    without a row nothing stays. Where another program has counted one meanwhile nothing is
    written: it would be in the sums twice. Where one was counted before it may have ended otherwise
    now: ratings are thrown away.
    """
    rows, is_one = list(rows), counted.c.match_id.in_([*before])
    there = database.execute(select(counted.c.match_id, counted.c.told).where(is_one))
    if {row.match_id: row.told for row in there} != {
        one: told for one, told in before.items() if told
    }:
        return False
    database.execute(delete(counted).where(is_one))
    if any(before.values()):
        database.execute(delete(ratings))
    if rows:
        database.execute(insert(counted), [{**row._asdict(), "form": form} for row in rows])
    _add_up(database, added)
    return True


def _add_up(database: Connection, added: Mapping[SumKey, Sum]) -> None:
    """Let sums grow, all in one statement."""
    rows = [{**key._asdict(), **more._asdict()} for key, more in added.items() if more != NO_SUM]
    new = _inserted(database)
    grown = {name: sums.c[name] + new.excluded[name] for name in Sum._fields}
    if rows:
        database.execute(new.on_conflict_do_update(index_elements=SumKey._fields, set_=grown), rows)


def _inserted(database: Connection) -> postgresql.Insert | sqlite.Insert:
    if database.dialect.name != "postgresql":
        return sqlite.insert(sums)
    from sqlalchemy.dialects import postgresql  # loaded by a club's server alone

    return postgresql.insert(sums)


def forget_sums(database: Connection) -> None:
    """Throw away all that is derived here."""
    for table in (counted, sums, ratings, periods):
        database.execute(delete(table))


def put_ratings(
    database: Connection, rated: Sequence[RatedPlayer], last: RatedPlayer | None, *, anew: bool
) -> bool:
    """Write ratings in place of those of the same players; of all, where they are made `anew`.

    `last` is the row of no player as it was read. Where another program has rated meanwhile nothing
    is written, and False returned: a match would be in some ratings twice.
    """
    if read_ratings(database, [""]).get("") != last:
        return False
    names = [one.player for one in rated]
    gone = delete(ratings) if anew else delete(ratings).where(ratings.c.player.in_(names))
    database.execute(gone)
    if rated:
        database.execute(insert(ratings), [one._asdict() for one in rated])
    return True


# Reading.


def read_sums(
    database: Connection, about: str, box: str = "", names: Sequence[str] = ()
) -> Mapping[SumKey, Sum]:
    """All sums of one kind; of one box, or of some names alone, where they are said."""
    query = select(*sums.c).where(sums.c.about == about)
    is_one = sums.c.about == about
    boxes = [box] if box else read_once(database, sums.c.box, is_one) if names else []
    if boxes:
        query = query.where(sums.c.box.in_(boxes))
    if names:  # with their boxes: so the table's key leads to each
        query = query.where(sums.c.name.in_(names))
    rows = database.execute(query).all()
    read = ((SumKey._make(row[:5]), Sum._make(row[5:])) for row in rows)
    return {key: sum_ for key, sum_ in read if sum_.number}


def read_busiest(database: Connection, about: str, figure: str, box: str) -> Mapping[str, int]:
    """How large a figure's number is by name: which names come first on a page."""
    query = select(sums.c.name, func.sum(sums.c.number)).group_by(sums.c.name)
    query = query.where(sums.c.about == about, sums.c.figure == figure)
    if box:
        query = query.where(sums.c.box == box)
    return {name: int(number) for name, number in database.execute(query).all()}


_IS_COUNTED = listed.c.match_id == counted.c.match_id


def _of_days(query: Select[Any], since: str, until: str) -> Select[Any]:
    if since:
        query = query.where(listed.c.begun >= since)
    return query.where(listed.c.begun < behind(until)) if until else query


def read_counted(
    database: Connection,
    box: str,
    since: str,
    until: str,
    people: Sequence[Sequence[str]] = (),
    but: Collection[str] = (),
) -> Iterable[str]:
    """What each match of a box and between two days adds, as told; all `people` may sit there.

    Those of some periods are left out.
    """
    query = _of_days(select(counted.c.told).join(listed, _IS_COUNTED), since, until)
    if box:
        query = query.where(listed.c.box == box)
    for names in people:
        sat = select(seated.c.match_id).where(seated.c.name.in_(names))
        query = query.where(counted.c.match_id.in_(sat))
    for length in _LENGTHS:
        if left_out := [one for one in but if len(one) == length]:
            query = query.where(func.substr(listed.c.begun, 1, length).not_in(left_out))
    return [str(row.told) for row in database.execute(query.order_by(listed.c.begun))]


def read_pairs(
    database: Connection, groups: Sequence[Sequence[str]], since: str = "", until: str = ""
) -> Iterable[str]:
    """What each match adds in which two texts of one of these groups sit on different seats."""
    group_of = {text: at for at, group in enumerate(groups) for text in group}
    several = select(seated.c.match_id).where(seated.c.name.in_(group_of))
    several = several.group_by(seated.c.match_id).having(func.count() > 1)
    sat = select(seated.c.match_id, seated.c.name).where(
        seated.c.match_id.in_(several), seated.c.name.in_(group_of)
    )
    seen: dict[str, list[int]] = {}
    for match_id, name in database.execute(sat).all():
        seen.setdefault(match_id, []).append(group_of[name])
    twice = [match_id for match_id, those in seen.items() if len({*those}) < len(those)]
    query = select(counted.c.told).where(counted.c.match_id.in_(twice))
    if since or until:
        query = _of_days(query.join(listed, _IS_COUNTED), since, until)
    return [str(row.told) for row in database.execute(query)] if twice else []


def read_ratings(database: Connection, players: Sequence[str] = ()) -> Mapping[str, RatedPlayer]:
    """Every rating by player, the row of no player among them; or those of some players."""
    query = select(*ratings.c)
    if players:
        query = query.where(ratings.c.player.in_(players))
    return {row[0]: RatedPlayer(*row) for row in database.execute(query).all()}


# Periods.

_YEAR, _MONTH, _DAY = len("2026"), len("2026-11"), len("2026-11-30")
_LENGTHS = (_YEAR, _MONTH)


def periods_within(database: Connection, since: str, until: str) -> Sequence[str]:
    """The fewest kept years and months that fill what lies between two days, as far as they go.

    A day that is the first or last of its month, or of its year, stands for that.
    """
    first, last = since, until[:-3] if _ends_month(until) else until
    first = first.removesuffix("-01") if len(first) == _DAY else first
    first = first.removesuffix("-01") if len(first) == _MONTH else first
    last = last.removesuffix("-12") if len(last) == _MONTH else last
    within = [
        one
        for one in _periods_there(database, first, last)
        if not last or behind(one) <= behind(last)
    ]
    return [one for one in within if len(one) == _YEAR or one[:_YEAR] not in within]


def _ends_month(day: str) -> bool:
    year, month, last = day[:_YEAR], day[_YEAR + 1 : _MONTH], day[_MONTH + 1 :]
    if len(day) != _DAY or not (year + month + last).isdecimal():
        return False
    is_month = 0 < int(month) <= 12 and int(year) > 0
    return is_month and int(last) == monthrange(int(year), int(month))[1]


def read_seal(database: Connection, period: str) -> str:
    """A seal over all that counts in a period."""
    row = counted.c.match_id + " " + counted.c.seal + " " + cast(counted.c.form, Text)
    query = _of_days(select(row.label("row")).join(listed, _IS_COUNTED), period, period)
    return seal(UNSEALED, "\n".join(sorted(database.execute(query).scalars())))


def read_missing_periods(database: Connection, since: str, until: str) -> Sequence[str]:
    """The periods in which matches began, and that were not added up; the newest first.

    Those between two months: so is a year of which these leave any out.
    """
    begun = func.substr(listed.c.begun, 1, _MONTH)
    days = [listed.c.begun >= since, *([listed.c.begun < behind(until)] if until else ())]
    months = database.execute(select(begun).distinct().where(*days)).scalars()
    there = {period for month in months for period in (month, month[:_YEAR]) if _is_period(month)}
    return sorted(there.difference(_periods_there(database)), reverse=True)


def _periods_there(database: Connection, first: str = "", last: str = "") -> Sequence[str]:
    """The periods that were added up, in the form of today: all, or from one to another."""
    wanted = [periods.c.about == _DONE]
    wanted += [periods.c.period >= first] if first else []
    wanted += [periods.c.period < behind(last)] if last else []
    return read_once(database, periods.c.period, *wanted)


def _is_period(text: str) -> bool:
    year, dash, month = text[:_YEAR], text[_YEAR : _YEAR + 1], text[_YEAR + 1 :]
    is_month = dash == "-" and len(text) == _MONTH
    return (is_month or len(text) == _YEAR) and (year + month).isdecimal()


def put_period(
    database: Connection, period: str, seals: str, rows: Sequence[tuple[str, str]]
) -> None:
    """Write what a period comes to, a text a kind, in place of what was there."""
    database.execute(delete(periods).where(periods.c.period == period))
    for about, told in rows:
        values = {"period": period, "about": about, "seals": seals, "told": told}
        database.execute(insert(periods), values)


_DONE = "form 3"
"""The row of a period that says that all of it was added up, and in which form.

In form 2 a server whose language passes over signs had added up months without their matches.
"""


def _written_down(added: Mapping[SumKey, Sum], matches: str) -> Iterator[tuple[str, str]]:
    """A text a kind of thing: a seal, what its things are, and a line of figures for each of them.

    What they are is three lists: their boxes, their names, and how many matches each tells of. The
    seal is over all that follows it.
    """
    kinds: dict[str, dict[tuple[str, str], list[Json]]] = {}
    for (about, box, name, figure, detail), sum_ in added.items():
        figures = kinds.setdefault(about, {}).setdefault((box, name), [])
        figures.append([figure, detail, *sum_])
    for about, of in kinds.items():
        numbers = [added.get(SumKey(about, *thing, matches), NO_SUM).number for thing in of]
        boxes, names = zip(*of, strict=True)
        things = written([[*boxes], [*names], [*numbers]])
        told = "\n".join((things, *map(written, of.values())))
        yield about, f"{seal(about, told)}\n{told}"


def _read_down(about: str, told: str, box: str) -> Iterator[KeptFigures]:
    """What `_written_down` wrote; ValueError where another program did, or it was damaged."""
    sealed, _, rest = told.partition("\n")
    if sealed != seal(about, rest):
        raise ValueError("a period is not as it was written")
    things, *lines = rest.split("\n")
    for where, *thing in zip(*json.loads(things), lines, strict=True):
        if box in ("", where):
            yield KeptFigures(about, where, *thing)


def read_kept(
    database: Connection, kinds: Collection[str], within: Sequence[str], box: str
) -> Mapping[str, Sequence[KeptFigures]]:
    """What is kept of those periods, as far as it can be read."""
    query = select(periods.c.period, periods.c.about, periods.c.told)
    query = query.where(periods.c.period.in_(within), periods.c.about.in_([_DONE, *kinds]))
    kept: defaultdict[str, list[KeptFigures]] = defaultdict(list)
    wrong = set[str]()
    for period, about, told in database.execute(query).all() if within else ():
        try:
            kept[period] += _read_down(about, told, box) if about != _DONE else ()
        except ValueError:
            wrong.add(period)
    return {period: told for period, told in kept.items() if period not in wrong}
