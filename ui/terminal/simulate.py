"""`companion simulate`: bots play many matches; results, lengths, rates."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from socket import getaddrinfo
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self, cast
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.core.errors import BadCall, RecordError, RecordReadOnly
from companion.core.text import counted
from companion.games import find_bots
from companion.match.entry import app_version
from companion.match.match import Match
from companion.match.simulation import STAMP, BotMatch, play_one, played_out
from companion.record.file import Export
from companion.record.keeping import sealed
from companion.record.record import Record
from companion.record.store import is_url
from companion.season.balance import Balance
from ui.table.settings_file import SettingsFile
from ui.terminal.options import AsJson, Box, CardFile, HouseRules, PositionFile, Seats, Variants
from ui.terminal.record import now_utc
from ui.terminal.setting_up import WantedMatch, set_up
from ui.terminal.voice import say

if TYPE_CHECKING:
    from companion.match.rulebook import Setup

CHUNK = 20
"""At most so many matches are handed to a process at once; fewer where each would get few."""
AHEAD = 4
"""So many chunks a process are handed out before the first of them is taken."""
A_WHILE = 20
"""So many times a progress is told of, where it is written to a file."""


def simulate(  # noqa: PLR0913 - a command's options are its arguments
    box: Box,
    variant: Variants = None,
    matches: Annotated[int, typer.Option(help="How many matches bots play.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(help="On how many processes here; 1 if unsaid.")
    ] = None,
    seats: Seats = "",
    option: HouseRules = None,
    position: PositionFile = None,
    *,
    record: Annotated[
        str | None, typer.Option("--record", help="Keep them there, marked as simulated.")
    ] = None,
    cluster: Annotated[
        str, typer.Option(help="Play on a Dask cluster: its scheduler's address, tcp://HOST:8786.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a page with plots too: FILE.html.")
    ] = None,
    progress: Annotated[
        bool | None, typer.Option(help="Tell how far it is; else on a screen alone.")
    ] = None,
    data: CardFile = None,
    json: AsJson = False,
) -> int:
    """Let bots play many matches: results with their 95 % intervals, who beat whom, rates."""
    setup = set_up(WantedMatch(box, variant or (), seats, option or (), position, data))
    if matches < 1 or (jobs is not None and jobs < 1):
        raise BadCall("--matches and --jobs are 1 or more")
    if cluster and jobs is not None:
        raise BadCall("name one of --jobs, processes here, and --cluster, which has its own")
    if out is not None:
        _refuse_no_page(out)
    seeds = [f"{seed}/{number}" for number in range(matches)]
    is_shown = progress if progress is not None else sys.stderr.isatty() and not json
    with nullcontext() if record is None else _record_of_bots(record) as opened:
        play = _play_of(setup, kept=opened is not None)
        with _on_cluster(cluster, play) if cluster else _here(jobs or 1, setup, play) as played_by:
            began = time.perf_counter()
            done = _followed(played_by(seeds), matches, is_shown=is_shown)
            played = list(_kept(done, opened))
            balance = Balance(setup, played, time.perf_counter() - began)
        kept_in = "" if opened is None else opened.name
    _tell(balance, seeds, kept_in, json=json)
    if out is not None:
        _write_page(out, balance, told=not json)
    return 0 if balance.finished == matches else 1


_TROUBLES = 5
"""So many matches that found no end are told one by one: what stops one mostly stops all."""


def _tell(balance: Balance, seeds: Sequence[str], kept_in: str, *, json: bool) -> None:
    played = zip(seeds, balance.played, strict=True)
    troubles = [f"match {seed}: {one.trouble}" for seed, one in played if one.trouble]
    more = len(troubles) - _TROUBLES
    and_more = [f"{counted(more, 'more match', 'more matches')} like these"] if more > 0 else []
    for trouble in (*troubles[:_TROUBLES], *and_more):
        print(f"companion: {trouble}", file=sys.stderr)  # noqa: T201
    if json:
        _say_json(balance)
    else:
        _say(balance, kept_in)


def _refuse_no_page(out: Path) -> None:
    """BadCall before thousands of matches are played for a page that cannot be written."""
    from ui.sharing.season_page import refuse_no_page

    refuse_no_page(out)


def _write_page(out: Path, balance: Balance, *, told: bool) -> None:
    from ui.sharing.balance_page import write_balance_page

    write_balance_page(out, balance)
    if told:
        Console(highlight=False).print(
            f"{out} is written; open it in any browser", soft_wrap=True, markup=False
        )


Simulated = tuple[BotMatch, Export | None]
"""What a match came to, and its lines where they are to be kept."""
Play = Callable[[Sequence[str]], list[Simulated]]
"""Plays the matches of some seeds; it can be sent to another process."""
Played = Callable[[Sequence[str]], Iterator[Simulated]]
"""What came of the matches of all seeds, in their order, as they are done."""


def _play_of(setup: Setup, *, kept: bool) -> Play:
    """Each match by its own seed, so that the number of processes changes nothing."""
    if not kept:
        return partial(_seeded, setup, "")
    return partial(_seeded, replace(setup, demonstration=True, simulated=True), now_utc())


def _seeded(setup: Setup, at_utc: str, seeds: Sequence[str]) -> list[Simulated]:
    """A match of each seed; with its lines where a time says when it was played."""
    if not at_utc:
        return [(play_one(setup, Random(seed)), None) for seed in seeds]
    done: list[Simulated] = []
    for seed in seeds:
        match = Match[Any].start(setup, replace(STAMP, author=f"bots, seed {seed}", at_utc=at_utc))
        done.append((played_out(match, Random(seed)), sealed(match)))
    return done


@contextmanager
def _here(jobs: int, setup: Setup, play: Play) -> Generator[Played]:
    """In this process, or on several that are started once, with everything loaded."""
    if jobs == 1:
        yield lambda seeds: (one for seed in seeds for one in play([seed]))
        return
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__, find_bots(setup.box).__module__])
    with ProcessPoolExecutor(jobs, processes) as pool:
        try:
            with _interrupted_later():
                wait([pool.submit(int) for _ in range(jobs)])
            yield partial(_in_order, cast("Submit", pool.submit), play, jobs)
        except BrokenProcessPool as broken:
            raise BadCall("a process of ours was ended from outside; try fewer --jobs") from broken
        except KeyboardInterrupt:
            # Chunks under way are played to their end: of a process that is killed while it sends
            # one, the rest would be waited for in vain.
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interrupted_later() -> Generator[None]:
    """Ctrl-C is felt at the end of this, by this process alone: those begun in it never feel it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _in_order(submit: Submit, play: Play, jobs: int, seeds: Sequence[str]) -> Iterator[Simulated]:
    """Hand out chunks, a few for each process ahead of what is taken, and take them in order."""
    size = max(1, min(CHUNK, len(seeds) // (4 * jobs)))
    waiting: deque[Promised] = deque()
    for first in range(0, len(seeds), size):
        waiting.append(submit(play, seeds[first : first + size]))
        if len(waiting) > AHEAD * jobs:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


class Promised(Protocol):
    """A chunk of matches that another process plays, as concurrent.futures and Dask have it."""

    def result(self) -> list[Simulated]: ...


Submit = Callable[[Play, Sequence[str]], Promised]
"""Hands a chunk to a process."""


# On a Dask cluster.

ANSWERS_WITHIN_S = 10.0
"""So long a cluster's scheduler may take to answer at all."""


LOOKED_AT_EVERY_S = 2.0
"""So often it is looked whether anybody plays, while a chunk is waited for."""
WORKERS_BACK_WITHIN_S = 20.0
"""So long a cluster may be without workers: a nanny starts a new one in a few seconds."""


@contextmanager
def _on_cluster(address: str, play: Play) -> Generator[Played]:
    """On the workers of a Dask cluster; BadCall where it cannot be used, with the way out."""
    _refuse_no_address(address)
    with _reached(address) as client:
        try:
            threads = sum(client.nthreads(callback_timeout=ANSWERS_WITHIN_S).values())
            if not threads:
                raise BadCall(f"the cluster at {address} has no workers: dask worker {address}")
            _check_workers(client)
        except OSError as silent:
            raise BadCall(f"the cluster at {address} does not answer; start it again") from silent

        def submit(play: Play, seeds: Sequence[str]) -> Promised:
            return _ChunkOfCluster(address, client, client.submit(play, seeds, pure=False))

        yield partial(_in_order, submit, play, threads)


def _refuse_no_address(address: str) -> None:
    """BadCall for what Dask would look for at length and in many words, and cannot reach."""
    told, how = f"no Dask scheduler answers at {address}", "write it as tcp://HOST:8786"
    try:
        parts = urlsplit(address)
        if parts.scheme not in ("tcp", "tls") or not parts.hostname or parts.port is None:
            raise BadCall(f"{told}: {how}")
        getaddrinfo(parts.hostname, parts.port)
    except ValueError as wrong:
        raise BadCall(f"{told}: {how}") from wrong
    except OSError as unknown:
        raise BadCall(f"{told}: {unknown.strerror}; {how}") from unknown


def _reached(address: str) -> Cluster:
    """A client of the scheduler; what Dask logs of a lost cluster, pages of it, is not shown."""
    try:
        from distributed import Client
    except ModuleNotFoundError as missing:
        how = "pip install 'dogfight-companion[cluster]'"
        raise BadCall(f"--cluster needs Dask, which is not installed: {how}") from missing
    for name in [*logging.root.manager.loggerDict]:
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    if address.startswith("tls://"):
        _see_certificates(address)
    try:
        return cast("Cluster", Client(address, timeout=ANSWERS_WITHIN_S, set_as_default=False))
    except (OSError, ValueError) as unreachable:
        told = f"no Dask scheduler answers at {address}; start one with: dask scheduler"
        if address.startswith("tls://"):
            told = f"no Dask scheduler answers at {address}, or it trusts other certificates"
        raise BadCall(told) from unreachable


_CERTIFICATES = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
"""What Dask reads from the environment, each after DASK_DISTRIBUTED__COMM__TLS__."""


def _see_certificates(address: str) -> None:
    """BadCall where Dask has no certificates for a connection that is to be encrypted."""
    from distributed.security import Security

    names = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in _CERTIFICATES)
    try:
        there = cast("Certificates", Security()).get_connection_args("client").get("ssl_context")
    except (OSError, ValueError) as unread:
        told = f"the certificates for {address} cannot be read ({unread}); see {names}"
        raise BadCall(told) from unread
    if there is None:
        raise BadCall(f"{address} needs certificates: name their files in {names}")


class Certificates(Protocol):
    """The part of Dask's security that is used here; Dask has no types of its own."""

    def get_connection_args(self, role: str) -> Mapping[str, object]: ...


class _ChunkOfCluster:
    """What a worker plays; BadCall where nobody can any more."""

    def __init__(self, address: str, client: Cluster, played: PromisedByDask) -> None:
        self._address, self._client, self._played = address, client, played

    def result(self) -> list[Simulated]:
        """What came of it, however long that takes, as long as there are workers."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        worked = time.monotonic()
        while True:
            try:
                return self._played.result(timeout=LOOKED_AT_EVERY_S)
            except TimeoutError:
                worked = time.monotonic() if self._has_workers() else worked
            except (KilledWorker, FutureCancelledError) as lost:
                raise BadCall(self._lost) from lost
            if time.monotonic() - worked > WORKERS_BACK_WITHIN_S:
                raise BadCall(self._lost)

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.nthreads(callback_timeout=LOOKED_AT_EVERY_S))
        except OSError:
            return False

    @property
    def _lost(self) -> str:
        return f"the cluster at {self._address} lost its workers or its scheduler; call again"


class PromisedByDask(Protocol):
    """A chunk as Dask has it: whoever waits for it may look elsewhere meanwhile."""

    def result(self, *, timeout: float) -> list[Simulated]: ...


class Cluster(Protocol):
    """What is used of Dask's client, which has no types of its own."""

    def nthreads(self, *, callback_timeout: float) -> Mapping[str, int]: ...

    def run(self, function: Callable[[], str], *, callback_timeout: float) -> Mapping[str, str]: ...

    def submit(self, play: Play, seeds: Sequence[str], *, pure: bool) -> PromisedByDask: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> object: ...


def _check_workers(client: Cluster) -> None:
    """Refuse workers on which matches would be played by other rules, or by none."""
    try:
        found = client.run(app_version, callback_timeout=ANSWERS_WITHIN_S)
    except ModuleNotFoundError as missing:
        told = "a worker of the cluster lacks the companion; install it where workers run"
        raise BadCall(told) from missing
    own = _own_version()
    for worker, version in found.items():
        if version != own:
            told = f"worker {worker} has version {version} of the companion, not {own} as here"
            raise BadCall(f"{told}; install the same")


def _own_version() -> str:
    return app_version()


# Keeping them.


def _record_of_bots(place: str) -> Record:
    """The record that keeps simulated matches; BadCall for one in which people's matches are."""
    own = str(SettingsFile.load().settings.record_place)
    refused = "people's matches; bots' get a record of their own: name a file"
    if _is_same(place, own):
        raise BadCall(f"{own} is for {refused}")
    record = Record.open(place)
    if record.tally().matches:
        name = record.name
        record.close()
        raise BadCall(f"{name} has {refused}")
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
    for number, (played, lines) in enumerate(done):
        if record is not None and lines is not None:
            _keep(record, lines, number)
        yield played


def _keep(record: Record, lines: Export, before: int) -> None:
    """Put a match into the record; RecordError, where it takes no more, says what is kept."""
    try:
        record.take(lines)
    except RecordReadOnly as full:
        if not before:
            raise
        kept = f"The first {counted(before, 'match', 'matches')} {'is' if before == 1 else 'are'}"
        mends = f"; {full.way_out} or name another place with --record" if full.way_out else ""
        raise RecordError(f"{full.reason}. {kept} kept there, whole{mends}.") from full


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


def _say_json(balance: Balance) -> None:
    say(
        {
            "box": balance.setup.box,
            "variant": "+".join(balance.setup.variants),
            "matches": len(balance.played),
            "finished": balance.finished,
            "outcomes": balance.outcomes,
            "answers": balance.answers,
            "answers_per_s": balance.answers_per_s,
            "shares": {result: share.to_json() for result, share in balance.shares.items()},
            "beaten": [
                {"winner": one, "loser": two, **share.to_json()}
                for (one, two), share in balance.beaten.items()
            ],
        }
    )


def _say(balance: Balance, kept_in: str) -> None:
    variants = ", ".join(balance.setup.variants)
    table = Table(title=f"{len(balance.played)} matches of {balance.setup.box} ({variants})")
    table.add_column("result")
    table.add_column("matches", justify="right")
    table.add_column("share (95 % interval)", justify="right")
    for result, share in balance.shares.items():
        table.add_row(result, str(share.count), str(share))
    lengths = [one.answers for one in balance.played]
    console = Console(highlight=False)
    console.print(table)
    console.print(_pairs(balance))
    console.print(
        f"{balance.finished} finished; answers a match: {min(lengths)} to {max(lengths)}, median "
        f"{statistics.median(lengths):g}; {balance.answers_per_s:,.0f} answers/s",
        soft_wrap=True,
    )
    if kept_in:
        where = f"kept, marked as simulated: companion matches --record {kept_in}"
        console.print(where, soft_wrap=True, markup=False)


def _pairs(balance: Balance) -> Table:
    """Who beat whom: a row's side against a column's, where one of the two won."""
    sides, beaten = balance.sides, balance.beaten
    table = Table(title="How often a row beat a column, of the matches that one of them won")
    for heading in ("", *sides):
        table.add_column(heading, justify="left" if not heading else "right")
    for one in sides:
        met = (beaten[one, two] if one != two else None for two in sides)
        shares = (str(share) if share is not None and share.of else "" for share in met)
        table.add_row(one, *shares)
    return table
