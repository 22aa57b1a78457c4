"""`companion simulate`: bots play many matches; results, lengths, rates."""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.core.errors import BadCall
from companion.games import rulebook_of
from companion.match.match import Match
from companion.match.simulation import STAMP, BotMatch, play_one, played_out
from companion.record.file import Export
from companion.record.keeping import sealed
from companion.record.record import Record
from companion.record.store import is_url
from companion.season.shares import Share, who_beat_whom
from ui.table.settings_file import SettingsFile
from ui.terminal.options import AsJson, Box, CardFile, HouseRules, PositionFile, Seats, Variants
from ui.terminal.record import now_utc
from ui.terminal.setting_up import WantedMatch, set_up
from ui.terminal.voice import say

if TYPE_CHECKING:
    from companion.match.rulebook import Setup

CHUNK = 20
"""At most so many matches are handed to a process at once; fewer where each would get few."""
A_WHILE = 20
"""So many times a progress is told of, where it is written to a file."""


@dataclass(frozen=True, slots=True)
class Results:
    """What many matches came to."""

    setup: Setup
    played: Sequence[BotMatch]
    took_s: float
    kept_in: str = ""
    """The record that has the matches; empty where nobody wanted them kept."""

    @property
    def sides(self) -> Sequence[str]:
        """Who could win."""
        return rulebook_of(self.setup)(self.setup).sides_taken()

    @property
    def beaten(self) -> dict[tuple[str, str], Share]:
        """For each two sides, how often the first beat the second."""
        return who_beat_whom(self.sides, (one.winners for one in self.played if one.finished))

    @property
    def finished(self) -> int:
        return sum(one.finished for one in self.played)

    @property
    def answers(self) -> int:
        return sum(one.answers for one in self.played)

    @property
    def outcomes(self) -> dict[str, int]:
        """How many matches each result ended, the most frequent first."""
        return dict(Counter(one.result for one in self.played if one.finished).most_common())

    @property
    def answers_per_s(self) -> float:
        return round(self.answers / self.took_s, 1) if self.took_s else 0.0


def simulate(  # noqa: PLR0913 - a command's options are its arguments
    box: Box,
    variant: Variants = None,
    matches: Annotated[int, typer.Option(help="How many matches bots play.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    jobs: Annotated[int, typer.Option(help="On how many processes.")] = 1,
    seats: Seats = "",
    option: HouseRules = None,
    position: PositionFile = None,
    *,
    record: Annotated[
        str | None, typer.Option("--record", help="Keep them there, marked as simulated.")
    ] = None,
    progress: Annotated[
        bool | None, typer.Option(help="Tell how far it is; else on a screen alone.")
    ] = None,
    data: CardFile = None,
    json: AsJson = False,
) -> int:
    """Let bots play many matches: results with their 95 % intervals, who beat whom, rates."""
    setup = set_up(WantedMatch(box, variant or (), seats, option or (), position, data))
    if matches < 1 or jobs < 1:
        raise BadCall("--matches and --jobs are 1 or more")
    began = time.perf_counter()
    seeds = [f"{seed}/{number}" for number in range(matches)]
    is_shown = progress if progress is not None else sys.stderr.isatty() and not json
    with nullcontext() if record is None else _record_of_bots(record) as opened:
        done = _play(setup, seeds, jobs, kept=opened is not None)
        played = list(_kept(_followed(done, matches, is_shown=is_shown), opened))
    took_s = time.perf_counter() - began
    results = Results(setup, played, took_s, "" if opened is None else opened.name)
    for seed_of_it, one in zip(seeds, results.played, strict=True):
        if one.trouble:
            print(f"companion: match {seed_of_it}: {one.trouble}", file=sys.stderr)  # noqa: T201
    if json:
        _say_json(results)
    else:
        _say(results)
    return 0 if results.finished == matches else 1


Simulated = tuple[BotMatch, Export | None]
"""What a match came to, and its lines where they are to be kept."""


def _play(
    setup: Setup, seeds: Sequence[str], jobs: int, *, kept: bool = False
) -> Iterator[Simulated]:
    """Each match by its own seed, so that the number of processes changes nothing.

    The processes are started once, with everything loaded, and play until nothing is left.
    """
    setup = replace(setup, demonstration=True, simulated=True) if kept else setup
    play = partial(_seeded, setup, now_utc() if kept else "")
    if jobs == 1:
        yield from map(play, seeds)
        return
    chunk = max(1, min(CHUNK, len(seeds) // (4 * jobs)))
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__, type(rulebook_of(setup)(setup)).__module__])
    with processes.Pool(jobs) as pool:
        yield from pool.imap(play, seeds, chunk)


def _seeded(setup: Setup, at_utc: str, seed: str) -> Simulated:
    """A match of that seed; with its lines where a time says when it was played."""
    if not at_utc:
        return play_one(setup, Random(seed)), None
    match = Match[Any].start(setup, replace(STAMP, author=f"bots, seed {seed}", at_utc=at_utc))
    played = played_out(match, Random(seed))
    return played, sealed(match)


def _record_of_bots(place: str) -> Record:
    """The record that keeps simulated matches; BadCall for one in which people's matches are."""
    own = str(SettingsFile.load().settings.record_place)
    refused = "has people's matches; bots' get a record of their own: name a file"
    if _is_same(place, own):
        raise BadCall(f"{own} {refused}")
    record = Record.open(place)
    if record.tally().matches:
        name = record.name
        record.close()
        raise BadCall(f"{name} {refused}")
    return record


def _is_same(place: str, own: str) -> bool:
    """Whether two names are one record's; neither is opened."""
    here, there = place.removeprefix(_FILE), own.removeprefix(_FILE)
    if is_url(here) or is_url(there):
        return here == there
    try:
        return Path(here).expanduser().resolve() == Path(there).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # no path: opening it says why
        return False


_FILE = "sqlite:///"


def _kept(done: Iterable[Simulated], record: Record | None) -> Iterator[BotMatch]:
    """What each match came to, once it is in the record, if there is one."""
    for played, lines in done:
        if record is not None and lines is not None:
            record.take(lines)
        yield played


def _followed(done: Iterable[Simulated], of: int, *, is_shown: bool) -> Iterable[Simulated]:
    """The same, with a bar on standard error, or lines where that is no screen."""
    if is_shown and not sys.stderr.isatty():
        return _told_of(done, of)
    bar = Console(stderr=True)
    return track(done, "Playing", of, console=bar, transient=True, disable=not is_shown)


def _told_of(done: Iterable[Simulated], of: int) -> Iterator[Simulated]:
    step = max(1, of // A_WHILE)
    for number, one in enumerate(done, 1):
        if number % step == 0 or number == of:
            print(f"companion: {number} of {of} played", file=sys.stderr)  # noqa: T201
        yield one


def _say_json(results: Results) -> None:
    say(
        {
            "box": results.setup.box,
            "variant": "+".join(results.setup.variants),
            "matches": len(results.played),
            "finished": results.finished,
            "outcomes": results.outcomes,
            "answers": results.answers,
            "answers_per_s": results.answers_per_s,
            "shares": {
                result: Share(results.finished, count).to_json()
                for result, count in results.outcomes.items()
            },
            "beaten": [
                {"winner": one, "loser": two, **share.to_json()}
                for (one, two), share in results.beaten.items()
            ],
        }
    )


def _say(results: Results) -> None:
    variants = ", ".join(results.setup.variants)
    table = Table(title=f"{len(results.played)} matches of {results.setup.box} ({variants})")
    table.add_column("result")
    table.add_column("matches", justify="right")
    table.add_column("share (95 % interval)", justify="right")
    for result, count in results.outcomes.items():
        table.add_row(result, str(count), str(Share(results.finished, count)))
    lengths = [one.answers for one in results.played]
    console = Console(highlight=False)
    console.print(table)
    console.print(_pairs(results))
    console.print(
        f"{results.finished} finished; answers a match: {min(lengths)} to {max(lengths)}, median "
        f"{statistics.median(lengths):g}; {results.answers_per_s:,.0f} answers/s",
        soft_wrap=True,
    )
    if results.kept_in:
        where = f"kept, marked as simulated: companion matches --record {results.kept_in}"
        console.print(where, soft_wrap=True, markup=False)


def _pairs(results: Results) -> Table:
    """Who beat whom: a row's side against a column's, where one of the two won."""
    sides, beaten = results.sides, results.beaten
    table = Table(title="How often a row beat a column, of the matches that one of them won")
    for heading in ("", *sides):
        table.add_column(heading, justify="left" if not heading else "right")
    for one in sides:
        shares = ("" if one == two else str(beaten[one, two]) for two in sides)
        table.add_row(one, *shares)
    return table
