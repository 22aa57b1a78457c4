"""Makes records of very many matches in minutes, and says what is waited for with each of them.

    python -m tests.benchmarks.grown_record FOLDER 10 1000 10000 100000

writes a record of each number into the folder, unless it is there, and prints a table. Times are
the medians of interleaved rounds, each on a record that was just opened: of the processor, which
what else runs on a machine disturbs little, and by the clock. Memory is the most that a process
took that did it once.
"""

from __future__ import annotations

import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.backup import back_up
from companion.record.file import read_export
from companion.record.keeping import MatchKeeping
from companion.record.lines import (
    UNSEALED,
    Closing,
    Length,
    StoredLine,
    next_row,
    read_entry,
    seal,
    write_closing,
)
from companion.record.listing import PlayedMatch
from companion.record.record import Record
from companion.record.sums import CountedRow, RatedPlayer
from companion.season.adding import MatchCount, sums_of
from companion.season.counting import FORM, count_match, keep_periods
from companion.season.measured import Measured
from companion.season.seating import CountedBy, Seating
from companion.season.statistics import MatchFilter, count_season
from ui.table.past_matches import past_matches
from ui.terminal.past_match import read_printed

GOLDEN = Path(__file__).parents[1] / "golden"
PLAYED = (
    "jaws-and-paws-edition-2-day-2",
    "starship-edition-edition-3-base-1",
    "talespin-dogfight-edition-2-two-1",
)
"""Real matches, of which all others are made; the first most often."""
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
ROUNDS = 9


class Played(NamedTuple):
    """A real match: its lines, and what it ended with."""

    first: dict[str, Any]
    lines: tuple[str, ...]
    closing: str


class Grown(NamedTuple):
    """One of many: its rows, and the row of what it ended with."""

    match_id: str
    rows: tuple[StoredLine, ...]
    closing: StoredLine


# Growing.


def played(name: str) -> Played:
    """A golden match that somebody won."""
    rows = read_export(GOLDEN / f"{name}.jsonl").rows
    first: Any = read_entry(rows[0].line).answer
    seats = list(first["seats"] or {"P1": "", "P2": ""})
    end = Closing(f"{seats[0]} wins.", "JP-11.1", (seats[0],), ())
    return Played(first, tuple(row.line for row in rows[1:]), write_closing(end, len(rows)))


def of_many(number: int) -> Iterator[Grown]:
    """Real matches, so many times; each is sealed anew from a first line of its own.

    The last is the same match whatever the number, so that what is done with it compares.
    """
    kinds = [played(name) for name in PLAYED]
    for n in range(number):
        kind = kinds[(number - 1 - n) % 7 % len(kinds)]
        seats = {
            seat: f"Player {(n * 7 + at) % 997}" for at, seat in enumerate(kind.first["seats"])
        }
        at_utc = f"{2000 + n % 26}-{n // 26 % 12 + 1:02}-{n // 312 % 28 + 1:02}T19:00:00.{n:06}Z"
        answer = {**kind.first, "seats": seats}
        head = next_row(UNSEALED, read_entry(_HEAD)._replace(answer=answer, at_utc=at_utc))
        rows = [head]
        for seq, line in enumerate(kind.lines, 1):
            rows.append(StoredLine(seq, line, seal(rows[-1].chain, line)))
        last = rows[-1]
        end = StoredLine(last.seq + 1, kind.closing, seal(last.chain, kind.closing))
        yield Grown(head.chain[:10], tuple(rows), end)


_HEAD = '{"kind":"setup","seq":0}'


def grow(path: Path, number: int) -> Path:
    """A record of so many matches, with its list and all else that is derived from them."""
    if path.exists():
        return path
    Record.open(path).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous=OFF")
        for match in of_many(number):
            _insert(database, match)
    witness(path)
    Record.open(path).close()  # it makes the list, once
    fill_sums(path)
    return path


def _insert(database: sqlite3.Connection, match: Grown) -> None:
    match_id, rows, last = match.match_id, match.rows, Length.up_to(match.rows[-1])
    head = (match_id, rows[0].line, rows[0].chain)
    database.execute("INSERT INTO matches (id, line, chain) VALUES (?, ?, ?)", head)
    lines = [(match_id, row.seq, row.line, row.chain) for row in rows]
    database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", lines)
    length = (match_id, last.lines, last.chain, last.seal(match_id))
    database.execute("INSERT INTO lengths VALUES (?, ?, ?, ?)", length)
    end = (match_id, match.closing.line, match.closing.chain)
    database.execute("INSERT INTO closings VALUES (?, ?, ?)", end)


def witness(path: Path) -> None:
    """Let the witness have seen every line of a grown record, as it has of one that was played."""
    folder = path.with_name(f"{path.name}-witness")
    folder.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT match_id, seq, chain FROM entries ORDER BY rowid")
        while part := rows.fetchmany(LINES_AT_ONCE):
            seen: defaultdict[str, list[str]] = defaultdict(list)
            for match_id, seq, chain in part:
                seen[match_id[:2]].append(f"{match_id} {seq} {chain}\n")
            for name, lines in seen.items():
                with (folder / name).open("a", encoding="ascii") as file:
                    file.writelines(lines)


LINES_AT_ONCE = 500_000


def fill_sums(path: Path) -> None:
    """Count every match, as `count_logs` does, but for playing each log again: three tell all.

    Ratings are made up; a page only reads them.
    """
    kinds = [counted_kind(name) for name in PLAYED]
    with Record.open(path) as record:
        after = ""
        while wanted := record.sums.uncounted(FORM, AT_ONCE, after):
            after = max(wanted)
            rows: list[CountedRow] = []
            counts: list[MatchCount] = []
            for match_id, (found, seal_) in record.sums.played([*wanted]).items():
                kind = next(one for one in kinds if one.seating.box == found.box)
                people = Seating.of(found).people
                count = replace(kind, seating=replace(kind.seating, people=people))
                rows.append(CountedRow(match_id, seal_, count.to_json()))
                counts.append(count)
            record.sums.put(FORM, rows, {}, sums_of(counts))
        for _ in keep_periods(record):
            pass
        names = record.sums.busiest(CountedBy.PLAYER, Measured.WON)
        record.sums.put_ratings([RatedPlayer(name, 25.0, 4.0) for name in names], None, anew=True)


AT_ONCE = 2000


def counted_kind(name: str) -> MatchCount:
    """What one of the real matches adds."""
    rows = read_export(GOLDEN / f"{name}.jsonl").rows
    match = Match[Any].replay([read_entry(row.line, row.chain) for row in rows])
    setup, winner = match.setup, str(match.rulebook.seats_taken()[0])
    listed = PlayedMatch("2000", setup.box, setup.variants, setup.seats, setup.options, (winner,))
    return count_match(match, listed)


# What people wait for.


def show_last(record: Record) -> None:
    """`companion show last`, but for printing it."""
    assert record.load(record.find("last")).damage is None


def replay_last(record: Record) -> None:
    """`companion replay last`."""
    assert Match[Any].replay(record.load(record.find("last")).entries).open is not None


def export_last(record: Record) -> None:
    """`companion export last`, but for writing the file."""
    assert record.export(record.find("last"))


def resume_last(record: Record) -> None:
    """Resume on the first screen, but for drawing it."""
    loaded = record.load(record.find("last"))
    match = Match[Any].replay(loaded.entries)
    assert callable(MatchKeeping(record, match, "boot", loaded.match_id).for_referee().append)


def home_page(record: Record) -> None:
    """What home asks of the record: the hundred newest matches."""
    assert past_matches(record)


def page_in_the_middle(record: Record) -> None:
    """The page of `companion matches` that is farthest from either end."""
    assert record.matches(50, skip=record.count() // 2)


def statistics_page(record: Record) -> None:
    """`companion stats`."""
    assert record.tally().matches


def statistics_of_players(record: Record) -> None:
    """The page of the busiest players, with all that logs tell."""
    assert count_season(record, [CountedBy.PLAYER], most=50)


def statistics_of_sides(record: Record) -> None:
    """The page of sides."""
    assert count_season(record, [CountedBy.SIDE])


def statistics_of_a_month(record: Record) -> None:
    """All that the first month of play tells; it has matches in a record of any size."""
    assert count_season(record, (), MatchFilter(since="2000-01", until="2000-01"))


def statistics_of_a_year(record: Record) -> None:
    """All that the first year tells."""
    assert count_season(record, (), MatchFilter(since="2000", until="2000"))


def players_page(record: Record) -> None:
    """`companion players`."""
    assert record.players().known


def page_of_the_last(record: Record) -> None:
    """`companion page last`, but for writing the file."""
    from ui.sharing.page import page_of

    printed = read_printed("last", record)
    assert page_of(printed, record.export(printed.loaded.match_id), printed.thumbnail)


def protocol_of_the_last(record: Record) -> None:
    """`companion show last --out FILE.pdf`, but for writing it."""
    from ui.sharing.protocol_pdf import protocol_pdf

    printed = read_printed("last", record)
    assert protocol_pdf(printed, printed.thumbnail)


def sheet_of_the_last(record: Record) -> None:
    """`companion sheet last`, but for writing it."""
    from ui.sharing.sheet import score_sheet

    assert score_sheet(read_printed("last", record))


def back_up_all(record: Record) -> None:
    """`companion backup`: it takes longer the more there is to copy and to verify."""
    with tempfile.TemporaryDirectory(dir=Path(record.name).parent) as folder:
        assert not back_up(Path(record.name), Path(folder), "2026-11-21T19:00:00.000Z").troubles


def check_again(record: Record) -> None:
    """`companion check`, with every match verified before."""
    assert not record.check_file()


def check_all(record: Record) -> None:
    """`companion check --all`, but for counting anew."""
    assert not record.check_file()
    assert not [told for found in record.verify(record.unverified()) for told in found]


def create(record: Record) -> None:
    """A match begins."""
    record.create(Setup("jaws-and-paws", ("day",)), STAMP)


def import_one(record: Record) -> None:
    """`companion import` of a match that is new the first time, and known from then on."""
    record.import_file(GOLDEN / f"{PLAYED[0]}.jsonl")


Verb = Callable[[Record], None]
VERBS: Mapping[str, Verb] = {
    "show last": show_last,
    "replay last": replay_last,
    "export last": export_last,
    "resume last": resume_last,
    "create a match": create,
    "import a match": import_one,
}
PAGES: Mapping[str, Verb] = {
    "home": home_page,
    "page of the list": page_in_the_middle,
    "statistics": statistics_page,
    "statistics of players": statistics_of_players,
    "statistics of sides": statistics_of_sides,
    "statistics of a month": statistics_of_a_month,
    "statistics of a year": statistics_of_a_year,
    "players": players_page,
}
SHARED: Mapping[str, Verb] = {
    "page": page_of_the_last,
    "protocol as PDF": protocol_of_the_last,
    "score sheet": sheet_of_the_last,
}
WHOLE: Mapping[str, Verb] = {
    "check": check_again,
    "check --all": check_all,
    "backup": back_up_all,
}
"""They read everything, and take longer the more there is: done once each."""


EVERYTHING = {**VERBS, **PAGES, **SHARED, **WHOLE}


class Times(NamedTuple):
    """How long something took, in milliseconds: of the processor, and by the clock."""

    processor: float
    clock: float

    @classmethod
    def now(cls) -> Times:
        return cls(time.process_time() * 1000, time.perf_counter() * 1000)

    def since(self, start: Times) -> Times:
        return Times(self.processor - start.processor, self.clock - start.clock)


def once(path: Path, verb: Verb, *, opening: bool = True) -> Times:
    """Opening the record and the verb; or the verb alone."""
    start = Times.now()
    with Record.open(path) as record:
        opened = Times.now()
        verb(record)
        return Times.now().since(start if opening else opened)


def medians(
    paths: Sequence[Path], verb: Verb, *, opening: bool = True, rounds: int = ROUNDS
) -> Sequence[Times]:
    """The same verb on several records, each in its turn: what else runs here disturbs all."""
    taken = [[once(path, verb, opening=opening) for path in paths] for _ in range(rounds)]
    return [
        Times(*map(statistics.median, zip(*one, strict=True))) for one in zip(*taken, strict=True)
    ]


def most_memory_mb() -> float:
    """The most that this process has taken; getrusage tells its parent's, where that is more."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(found.split()[1]) / 1024


def memory_mb(path: Path, name: str) -> float:
    """The most that a process takes which opens the record for one of the verbs."""
    call = [sys.executable, "-m", "tests.benchmarks.grown_record", "--once", str(path), name]
    done = subprocess.run(call, check=True, capture_output=True, text=True, cwd=GOLDEN.parents[1])
    return float(done.stdout)


def main(arguments: Sequence[str]) -> None:
    """Grow what is wanted, and print the table."""
    if arguments[0] == "--once":
        once(Path(arguments[1]), EVERYTHING[arguments[2]])
        print(most_memory_mb())  # noqa: T201 - a script
        return
    folder, numbers = Path(arguments[0]), [int(number) for number in arguments[1:]]
    paths = [grow(folder / f"of-{number}.db", number) for number in numbers]
    sizes = (
        f"{number:,} ({path.stat().st_size / 1e6:.0f} MB)"
        for number, path in zip(numbers, paths, strict=True)
    )
    print("matches", *sizes, sep="\t")  # noqa: T201 - a script
    for name, verb in EVERYTHING.items():
        rounds = 1 if name in WHOLE else ROUNDS
        taken = medians(paths, verb, opening=name not in PAGES, rounds=rounds)
        memory = [memory_mb(path, name) for path in paths]
        cells = (
            f"{one.processor:.1f} ({one.clock:.0f}) ms, {mb:.0f} MB"
            for one, mb in zip(taken, memory, strict=True)
        )
        print(name, *cells, f"{taken[-1].processor / taken[0].processor:.2f}", sep="\t", flush=True)  # noqa: T201 - a script


if __name__ == "__main__":
    main(sys.argv[1:])
