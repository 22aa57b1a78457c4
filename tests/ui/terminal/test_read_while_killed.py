"""Others read the record all the time while the program that writes it is killed.

`check`, `show` and `stats` find every confirmed line, nothing that is damaged, and never stop.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import pytest

from companion.record.record import Record
from tests.patience import PATIENCE_S, wait_until

TOP = Path(__file__).parents[3]
KILLS = 3
MANY_KILLS = 300

WRITER = """
import sys
import time
from random import Random
from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, playing
from companion.record.lines import Closing
from companion.record.record import Record

def done(call, *words):
    while True:
        try:
            return call(*words)
        except RecordError as wrong:  # a reader on a busy machine; it is written as soon as it goes
            assert "is held by another program" in str(wrong), wrong
            time.sleep(0.1)

record, seed = done(Record.open, sys.argv[1]), int(sys.argv[2])
for number in range(1000):
    stamp = Stamp("Ana", f"2026-11-28T10:00:{seed}.{number:03}Z", 0.0)
    match = Match.start(Setup("talespin-dogfight", (), {"A": "Ana", "B": "Bo"}, {}), stamp)
    match_id, written = done(record.create, match.setup, stamp), 1
    print(match_id, 0, flush=True)

    def confirm():
        global written
        done(record.append, match_id, match.entries[written:])
        written = len(match.entries)

    for _ in playing(match, bots_of(match.setup, Random(f"{seed}/{number}"))):
        confirm()
        print(match_id, written - 1, flush=True)
    confirm()
    done(record.finish, match_id, Closing.of(match, stamp.at_utc))
    print(match_id, written - 1, "ended", flush=True)
"""
"""Plays matches one after another, and says of each line that it is confirmed."""

READER = """
import contextlib, io, os, sys, time
from ui.terminal.app import run

os.nice = lambda by: 0  # `check` is nice once a call, and these are many calls
place, *words = sys.argv[1:]
while True:
    time.sleep(0.7)
    said, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
        status = run([*words, "--record", place])
    print(status, (said.getvalue() + told.getvalue()).replace(chr(10), " | "), flush=True)
"""
CONFIRMED = re.compile(r"[0-9a-f]{10} \d+( ended)?")
READ = (("check",), ("check", "--all"), ("show", "last"), ("stats", "--by", "player"))


def copied(folder: Path) -> Path:
    """The programs as they are now: each of 300 starts reads them, and meanwhile people work."""
    for room in ("companion", "hardware", "ui", "vision"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / room, folder / room, ignore=ignored)
    return folder


def started(program: str, *words: str, here: Path, out: IO[str] | None) -> subprocess.Popen[str]:
    """A program of that copy; it tells a file, or else whoever started it."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE if out is None else out,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(here)},
    )


def heard_until_killed(writer: subprocess.Popen[str], after_s: float) -> list[str]:
    """What it has confirmed when it is killed, so long after its first word."""
    assert writer.stdout is not None
    first = writer.stdout.readline()
    time.sleep(after_s)
    writer.kill()
    with writer:
        return [first, *writer.stdout.read().splitlines()]


def faults_of(told: str) -> Iterator[str]:
    """What a reader has said that is not of a sound record.

    It may say that it was kept waiting, and that a line is there again which nobody confirmed.
    """
    for line in told.splitlines()[:-1]:  # the last may be cut off: it was killed as well
        status, _, words = line.partition(" ")
        restored = "1 line restored from a torn log" in words
        if status == "2" and "is held by another program" in words:
            continue
        if status != "0" or "missing" in words or ("torn" in words and not restored):
            yield line


@pytest.mark.parametrize("kills", [KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.soak)])
def test_a_kill_while_others_read_loses_no_confirmed_line(tmp_path: Path, kills: int) -> None:
    """All that was confirmed stands there, and whoever reads meanwhile goes on reading."""
    place, chance = tmp_path / "record.db", random.Random(7)
    here = copied(tmp_path / "programs")
    confirmed: dict[str, int] = {}
    ended = set[str]()
    told: list[Path] = []
    with ExitStack() as readers:
        for number in range(kills):
            writer = started(WRITER, str(place), str(number), here=here, out=None)
            heard = heard_until_killed(writer, chance.uniform(0, 1))
            for line in heard:
                assert CONFIRMED.fullmatch(line.strip()), "\n".join(heard[-20:])
                match_id, seq, *end = line.split()
                confirmed[match_id] = int(seq)
                ended |= {match_id} if end else set()
            if not told:
                for words in READ:
                    told.append(tmp_path / f"{'-'.join(words)}.txt")
                    out = readers.enter_context(told[-1].open("w"))
                    reader = started(READER, str(place), *words, here=here, out=out)
                    readers.callback(reader.wait, PATIENCE_S)
                    readers.callback(reader.kill)
        wait_until(lambda: all("\n" in file.read_text("utf-8") for file in told))
    assert not [fault for file in told for fault in faults_of(file.read_text("utf-8"))]
    with Record.open(place) as record:
        assert not record.check()
        for match_id, last in confirmed.items():
            loaded = record.load(match_id)
            assert (loaded.damage, len(loaded.entries) > last) == (None, True)
            assert match_id not in ended or loaded.closing is not None
    assert sum(confirmed.values()) > kills
