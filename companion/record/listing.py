"""The list of matches: a row a match, kept as matches begin and end, so that no log is read for it.

It is derived: a row that is missing or not to be read, as after an older program or another hand,
is made again of the match's first line and of what it ended with. Only a check reads whole logs;
each row tells when that was last done, and what was found.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Join,
    ScalarSelect,
    Select,
    delete,
    func,
    insert,
    null,
    select,
    update,
)

from companion.core.errors import RecordDamaged
from companion.core.files import written
from companion.record.lines import Closing, json_object, read_closing, read_entry
from companion.record.match import LoadedMatch, MatchLine, MatchState, setup_of
from companion.record.store import behind, closings, entries, listed, matches, saved, seated

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.match.rulebook import Setup

FILLED_AT_ONCE = 500
"""Rows written in one statement."""


@dataclass(frozen=True, slots=True)
class Standings:
    """How often each outcome came: by box and winners (none: a draw), and by state.

    Demonstrations and simulated matches are counted by themselves, and in nothing else.
    """

    states: Mapping[MatchState, int]
    outcomes: Mapping[tuple[str, tuple[str, ...]], int]
    demonstrations: int
    simulated: int = 0

    @classmethod
    def of(cls, lines: Sequence[MatchLine]) -> Standings:
        """The tally of matches in a list."""
        played = [line for line in lines if not line.demonstration]
        states = Counter(line.state for line in played)
        ended = [line for line in played if line.state is MatchState.ENDED]
        simulated = sum(line.simulated for line in lines)
        outcomes = Counter((line.box, line.winners) for line in ended)
        return cls(states, outcomes, len(lines) - len(played) - simulated, simulated)

    @property
    def matches(self) -> int:
        """How many matches people have played, or play."""
        return sum(self.states.values())


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that people played to its end; `begun` is ISO 8601, no `winners` a draw."""

    begun: str
    box: str
    variants: tuple[str, ...]
    seats: Mapping[Seat, str]
    options: Mapping[str, Json]
    winners: tuple[str, ...]

    @classmethod
    def of(cls, line: MatchLine) -> PlayedMatch:
        """The match of a line in the list."""
        return cls(line.begun, line.box, line.variants, line.seats, line.options, line.winners)


# A match's row.

_STORED_LINES = select(matches.c.id, matches.c.line, closings.c.line).select_from(
    matches.outerjoin(closings, closings.c.match_id == matches.c.id)
)


def list_match(
    database: Connection, match_id: str, setup: Setup, begun: str, closing: Closing | None = None
) -> None:
    """Write a match's row: how it began, and what it ended with. It counts as unverified."""
    _put(database, _row(match_id, setup, begun, closing))


def list_ended(database: Connection, match_id: str, closing: Closing) -> None:
    """A match has its outcome. It counts as unverified."""
    ended = {"state": MatchState.ENDED, "verified": "", "fault": "", **_told_by(closing)}
    database.execute(update(listed).where(listed.c.match_id == match_id).values(ended))


def list_goes_on(database: Connection, match_id: str) -> None:
    """A match that had ended has more lines."""
    values = {"state": MatchState.OPEN, **_told_by(None)}
    database.execute(update(listed).where(listed.c.match_id == match_id).values(values))


def list_verified(database: Connection, loaded: LoadedMatch, at_utc: str) -> None:
    """Write the row anew from a match whose every line was read."""
    row = _row(loaded.match_id, loaded.setup, loaded.entries[0].at_utc, loaded.closing)
    if loaded.damage is not None:
        row |= {"state": MatchState.DAMAGED, "fault": loaded.damage}
    _put(database, {**row, "verified": at_utc})


def list_lost(database: Connection, match_id: str, fault: str, at_utc: str = "") -> None:
    """Write the row of a match of which nothing can be shown."""
    _put(database, {**_lost(match_id, fault), "verified": at_utc})


def list_stored(database: Connection, match_id: str) -> None:
    """Write the row of a match whose lines are there already."""
    row = database.execute(_STORED_LINES.where(matches.c.id == match_id)).one()
    _put(database, _row_of(*row))


def fill(database: Connection) -> None:
    """Write the rows that are missing: those of an older program's matches, or of saved ones."""
    missing = matches.c.id.not_in(select(listed.c.match_id))
    for part in database.execute(_STORED_LINES.where(missing)).partitions(FILLED_AT_ONCE):
        rows = [_row_of(*found) for found in part]
        database.execute(insert(listed), rows)
        _seat(database, rows)


_NEWEST = 100
"""So many are held against the list at each start."""


def lacks_rows(database: Connection) -> bool:
    """Whether `fill` has anything to do: an older program's matches are the newest.

    A row that is gone elsewhere is made anew as it is read, and written again by a check.
    """
    newest = select(matches.c.id).order_by(matches.c.number.desc()).limit(_NEWEST).subquery()
    missing = select(newest.c.id).where(newest.c.id.not_in(select(listed.c.match_id)))
    return database.execute(missing.limit(1)).first() is not None


def _put(database: Connection, row: Mapping[str, object]) -> None:
    changed = update(listed).where(listed.c.match_id == row["match_id"]).values(row)
    if database.execute(changed).rowcount == 0:
        database.execute(insert(listed), row)
    _seat(database, [row])


def _seat(database: Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Write who sits where, in place of what was written of these matches before."""
    ids = [row["match_id"] for row in rows]
    database.execute(delete(seated).where(seated.c.match_id.in_(ids)))
    seats = [
        {"match_id": row["match_id"], "seat": seat, "name": name}
        for row in rows
        if not row["demonstration"]
        for seat, name in _named_seats(str(row["setup"]))
    ]
    if seats:
        database.execute(insert(seated), seats)


def _named_seats(setup: str) -> Iterator[tuple[str, str]]:
    seats: Mapping[str, object] = json_object(setup).get("seats", {})
    for seat, said in seats.items():
        name = storable(str(said).strip())
        if name:
            yield storable(seat), name


def storable(text: str) -> str:
    r"""What every database takes: half a letter, or a NUL, becomes "?".

    >>> storable("Ana"), storable("A\ud800na\0")
    ('Ana', 'A?na?')
    """
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


def _row(
    match_id: str, setup: Setup, begun: str, closing: Closing | None = None
) -> dict[str, object]:
    seats = {str(seat): name for seat, name in setup.seats.items()}
    said: Any = {"variants": setup.variants, "seats": seats, "options": setup.options}
    return {
        "match_id": match_id,
        "box": storable(setup.box),
        "demonstration": _played_by(setup),
        "begun": storable(begun),
        "setup": written(said),
        "state": MatchState.OPEN if closing is None else MatchState.ENDED,
        **_told_by(closing),
        "verified": "",
        "fault": "",
    }


_BY_PEOPLE, _DEMONSTRATED, _SIMULATED = range(3)
"""Who played a match, in the column `demonstration`: it counts where that is 0."""


def _played_by(setup: Setup) -> int:
    if setup.simulated:
        return _SIMULATED
    return _DEMONSTRATED if setup.demonstration else _BY_PEOPLE


def _told_by(closing: Closing | None) -> dict[str, object]:
    if closing is None:
        return {"winners": "[]", "outcome": ""}
    return {"winners": json.dumps(closing.winners), "outcome": storable(closing.outcome)}


def _lost(match_id: str, fault: str) -> dict[str, object]:
    texts = dict.fromkeys(("box", "begun", "outcome", "verified"), "")
    state = {"state": MatchState.DAMAGED, "fault": fault, "demonstration": 0}
    return {"match_id": match_id, "setup": "{}", "winners": "[]", **texts, **state}


def _row_of(match_id: str, head: str, ending: str | None) -> dict[str, object]:
    """The row that a match's stored first line and closing make; no seal is looked at."""
    try:
        first = read_entry(head)
        closing = read_closing(ending)[0] if ending is not None else None
        return _row(match_id, setup_of(match_id, first), first.at_utc, closing)
    except RecordDamaged as damage:
        return _lost(match_id, str(damage))
    except (ValueError, RecursionError):
        return _lost(match_id, _unread(match_id))


def _unread(match_id: str) -> str:
    return f"Match {match_id}: what the list tells of it cannot be read."


# Reading the list.


def read_page(
    database: Connection, most: int | None, skip: int, *, is_older: bool = False
) -> Sequence[MatchLine]:
    """So many matches after those skipped, the newest first; all where no number is said.

    `is_older`: the record lacks the tables of this program, and nothing can be added to it.
    """
    query = _of_older() if is_older else _of_list()
    query = query.order_by(matches.c.number.desc()).limit(most)
    if skip:
        query = query.where(matches.c.number <= _number_after(database, skip))
    return [_line({**row}) for row in database.execute(query).mappings()]


def _number_after(database: Connection, skip: int) -> int:
    """The number of the match that so many newer ones stand before; 0 if there is none."""
    number = matches.c.number
    lowest, highest = (select(find(number)).scalar_subquery() for find in (func.min, func.max))
    whole = select(func.count()).select_from(matches).scalar_subquery()
    # Each by itself: none of them scans.
    first, last, count = database.execute(select(lowest, highest, whole)).one()
    if skip >= count:
        return 0
    if last - first + 1 == count:  # no gap, as in any record that no server numbers
        return int(last - skip)
    query = select(number).order_by(number.desc()).offset(skip).limit(1)
    found: int = database.execute(query).scalar_one()
    return found


def read_tally(database: Connection) -> Standings:
    """Who won how often."""
    counted = select(
        listed.c.box, listed.c.winners, listed.c.state, listed.c.demonstration, func.count()
    ).group_by(listed.c.box, listed.c.winners, listed.c.state, listed.c.demonstration)
    states: dict[MatchState, int] = {}
    outcomes: dict[tuple[str, tuple[str, ...]], int] = {}
    by_bots: Counter[int] = Counter()
    for box, winners, named, played_by, count in database.execute(counted):
        state = MatchState(named)
        if played_by != _BY_PEOPLE:
            by_bots[played_by] += count
            continue
        states[state] = states.get(state, 0) + count
        if state is MatchState.ENDED:
            won = (box, tuple(json.loads(winners)))
            outcomes[won] = outcomes.get(won, 0) + count
    return Standings(states, outcomes, by_bots[_DEMONSTRATED], by_bots[_SIMULATED])


def read_played(
    database: Connection, box: str = "", since: str = "", until: str = ""
) -> Sequence[PlayedMatch]:
    """Every match that people played to its end, in the order in which they began; no log is read.

    Of one box, and begun from a day or time on until another, that day included (ISO 8601).
    """
    return played_in(database, _between(played_query(), box, since, until))


def read_simulated(
    database: Connection, box: str, since: str, until: str
) -> Mapping[str, PlayedMatch]:
    """The same of those that bots played without a table, by their ids."""
    query = _between(played_query(simulated=True), box, since, until)
    rows = [{**row} for row in database.execute(query).mappings().all()]
    read = ((row["match_id"], played_of(row)) for row in rows)
    return {match_id: match for match_id, match in read if match is not None}


def _between(
    query: Select[Any, Any, Any, Any, Any], box: str, since: str, until: str
) -> Select[Any, Any, Any, Any, Any]:
    query = query.order_by(listed.c.begun)
    if box:
        query = query.where(listed.c.box == box)
    if since:
        query = query.where(listed.c.begun >= since)
    if until:
        query = query.where(listed.c.begun < behind(until))
    return query


def played_query(*, simulated: bool = False) -> Select[Any, Any, Any, Any, Any]:
    """The rows of matches that people played to their end; or those of simulated ones alone."""
    columns = (listed.c.match_id, listed.c.begun, listed.c.box, listed.c.setup, listed.c.winners)
    by = _SIMULATED if simulated else _BY_PEOPLE
    query = select(*columns).where(listed.c.demonstration == by)
    return query.where(listed.c.state == MatchState.ENDED)


def played_in(
    database: Connection, query: Select[Any, Any, Any, Any, Any]
) -> Sequence[PlayedMatch]:
    """The matches of such rows; one that holds what this program never wrote is left out."""
    found = (played_of({**row}) for row in database.execute(query).mappings())
    return [match for match in found if match is not None]


def played_of(row: Mapping[str, Any]) -> PlayedMatch | None:
    """A match of such a row; None where it holds what no program wrote there: a check mends it."""
    try:
        said = json_object(row["setup"])
        return PlayedMatch(
            row["begun"],
            row["box"],
            tuple(said.get("variants", ())),
            dict(said.get("seats", {})),
            dict(said.get("options", {})),
            tuple(map(str, cast("list[Any]", json.loads(row["winners"])))),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _newest(column: ColumnElement[Any]) -> ScalarSelect[Any]:
    """A column of a match's last line."""
    query = select(column).where(entries.c.match_id == matches.c.id)
    return query.order_by(entries.c.seq.desc()).limit(1).scalar_subquery()


_STORED = (
    matches.c.id,
    matches.c.number,
    matches.c.line.label("head"),
    closings.c.line.label("ending"),
    _newest(entries.c.seq).label("seq"),
    _newest(entries.c.line).label("last"),
)


def _joined() -> Join:
    return matches.outerjoin(closings, closings.c.match_id == matches.c.id)


def _of_list() -> Select[Any]:
    joined = _joined().outerjoin(listed, listed.c.match_id == matches.c.id)
    joined = joined.outerjoin(saved, saved.c.match_id == matches.c.id)
    columns = (column for column in listed.c if column is not listed.c.match_id)
    return select(*_STORED, saved.c.text.label("saved"), *columns).select_from(joined)


def _of_older() -> Select[Any]:
    missing = (null().label(name) for name in ("saved", "state", "setup"))
    return select(*_STORED, *missing).select_from(_joined())


def _line(row: Mapping[str, Any]) -> MatchLine:
    """A match's line of the list, out of its row; made anew where that is not to be trusted."""
    is_ended = row["ending"] is not None
    states = (MatchState.DAMAGED, MatchState.ENDED if is_ended else MatchState.OPEN)
    known = _read(row) if row["setup"] is not None and row["state"] in states else None
    if known is not None:
        return known
    anew = _read({**row, **_row_of(row["id"], row["head"], row["ending"])})
    assert anew is not None, "a row of our own making"
    return anew


def _read(row: Mapping[str, Any]) -> MatchLine | None:
    """None where the row holds what this program never wrote there."""
    try:
        said = json_object(row["setup"])
        winners = tuple(map(str, cast("list[Any]", json.loads(row["winners"]))))
        line = MatchLine(
            match_id=row["id"],
            number=row["number"],
            box=row["box"],
            variants=tuple(said.get("variants", ())),
            seats=dict(said.get("seats", {})),
            begun=row["begun"],
            last=row["begun"],
            entries=0 if row["seq"] is None else row["seq"] + 1,
            state=MatchState(row["state"]),
            outcome=row["outcome"],
            winners=winners,
            damage=row["fault"],
            demonstration=row["demonstration"] != _BY_PEOPLE,
            simulated=row["demonstration"] == _SIMULATED,
            options=dict(said.get("options", {})),
            saved=row["saved"] or "",
            verified=row["verified"],
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return replace(line, last=_last_at(row["last"]) or line.begun)


def _last_at(last: str | None) -> str:
    """When a match's last line was written; empty where that cannot be read."""
    try:
        return read_entry(last or "").at_utc
    except (ValueError, RecursionError):
        return ""
