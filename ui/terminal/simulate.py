"""`companion simulate`: bots play many matches; results, lengths, rates."""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.core.errors import BadCall
from companion.match.simulation import BotMatch, play_one
from ui.terminal.options import AsJson, Box, CardFile, HouseRules, PositionFile, Seats, Variants
from ui.terminal.setting_up import WantedMatch, set_up
from ui.terminal.voice import say

if TYPE_CHECKING:
    from companion.match.rulebook import Setup

CHUNK = 20
"""Matches handed to a process at once."""


@dataclass(frozen=True, slots=True)
class Results:
    """What many matches came to."""

    setup: Setup
    played: Sequence[BotMatch]
    took_s: float

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
    data: CardFile = None,
    json: AsJson = False,
) -> int:
    """Let bots play many matches: results, lengths, rates."""
    setup = set_up(WantedMatch(box, variant or (), seats, option or (), position, data))
    if matches < 1 or jobs < 1:
        raise BadCall("--matches and --jobs are 1 or more")
    began = time.perf_counter()
    seeds = [f"{seed}/{number}" for number in range(matches)]
    playing = track(
        _play(setup, seeds, jobs),
        description="Playing",
        total=matches,
        console=Console(stderr=True),
        transient=True,
        disable=json or not sys.stderr.isatty(),
    )
    results = Results(setup, list(playing), time.perf_counter() - began)
    for seed_of_it, one in zip(seeds, results.played, strict=True):
        if one.trouble:
            print(f"companion: match {seed_of_it}: {one.trouble}", file=sys.stderr)  # noqa: T201
    if json:
        _say_json(results)
    else:
        _say(results)
    return 0 if results.finished == matches else 1


def _play(setup: Setup, seeds: Sequence[str], jobs: int) -> Iterator[BotMatch]:
    """Each match by its own seed, so that the number of processes changes nothing."""
    play = partial(_seeded, setup)
    if jobs == 1:
        yield from map(play, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, seeds, chunksize=CHUNK)


def _seeded(setup: Setup, seed: str) -> BotMatch:
    return play_one(setup, Random(seed))


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
        }
    )


def _say(results: Results) -> None:
    variants = ", ".join(results.setup.variants)
    table = Table(title=f"{len(results.played)} matches of {results.setup.box} ({variants})")
    table.add_column("result")
    table.add_column("matches", justify="right")
    for result, count in results.outcomes.items():
        table.add_row(result, str(count))
    lengths = [one.answers for one in results.played]
    console = Console(highlight=False)
    console.print(table)
    console.print(
        f"{results.finished} finished; answers a match: {min(lengths)} to {max(lengths)}, median "
        f"{statistics.median(lengths):g}; {results.answers_per_s:,.0f} answers/s",
        soft_wrap=True,
    )
