"""What matches add to the statistics, a row a match, and the sums of all of them.

Both are derived from the logs and may be thrown away. This module keeps them and knows nothing of
what they mean: `companion.season` derives them. A match's row bears the seal of its closing, so one
that went on, or was amended after its end, is found however that came about; what it had added is
still in its row, and is taken out of the sums when it is counted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select
from sqlalchemy.dialects import sqlite

from companion.record.listing import PlayedMatch, played_of, played_query, read_simulated
from companion.record.match import MatchState
from companion.record.store import (
    closings,
    counted,
    listed,
    matches,
    ratings,
    read_once,
    seated,
    sums,
)

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.dialects import postgresql


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


class Sums:
    """The statistics of one record: whoever derives them writes here, whoever shows them reads.

    `reading` and `writing` open its transactions; `lacking` says that an older program wrote it and
    it takes nothing: there is nothing to read then.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Connection]],
        writing: Callable[[], AbstractContextManager[Connection]],
        lacking: Callable[[], bool],
    ) -> None:
        self._reading, self._writing, self._lacking = reading, writing, lacking

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

    def told_of_pairs(self, groups: Sequence[Sequence[str]]) -> Iterable[str]:
        """What each match adds in which two texts of one of these groups sit on different seats."""
        if self._lacking() or not groups:
            return ()
        with self._reading() as database:
            return read_pairs(database, groups)

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
    for table in (counted, sums, ratings):
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


def read_counted(
    database: Connection, box: str, since: str, until: str, people: Sequence[Sequence[str]] = ()
) -> Iterable[str]:
    """What each match of a box and between two days adds, as told; all `people` may sit there."""
    query: Select[tuple[str]] = select(counted.c.told).join(
        listed, listed.c.match_id == counted.c.match_id
    )
    if box:
        query = query.where(listed.c.box == box)
    if since:
        query = query.where(listed.c.begun >= since)
    if until:
        query = query.where(listed.c.begun < f"{until}~")
    for names in people:
        sat = select(seated.c.match_id).where(seated.c.name.in_(names))
        query = query.where(counted.c.match_id.in_(sat))
    return [str(row.told) for row in database.execute(query.order_by(listed.c.begun))]


def read_pairs(database: Connection, groups: Sequence[Sequence[str]]) -> Iterable[str]:
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
    return [str(row.told) for row in database.execute(query)] if twice else []


def read_ratings(database: Connection, players: Sequence[str] = ()) -> Mapping[str, RatedPlayer]:
    """Every rating by player, the row of no player among them; or those of some players."""
    query = select(*ratings.c)
    if players:
        query = query.where(ratings.c.player.in_(players))
    return {row[0]: RatedPlayer(*row) for row in database.execute(query).all()}
