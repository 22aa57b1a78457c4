"""A program killed in the middle of writing: what it had confirmed is there, and it goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.record.record import Record

KILLS = 5
MANY_KILLS = 300

WRITER = """
import sys
from companion.match.entry import Entry
from companion.core.offers import Stamp
from companion.record.record import Record
from companion.match.rulebook import Setup
record = Record.open(sys.argv[1])
assert not record.said, record.said
listed = record.matches()
setup = Setup("jaws-and-paws")
match_id = listed[0].match_id if listed else record.create(setup, Stamp("", "", 0.0))
first = len(record.load(match_id).entries)
for seq in range(first, first + 100_000):
    record.append(match_id, [Entry(seq, "answer", f"q-{seq}", reason="x" * (seq % 700))])
    record.note_rest(match_id, "round-1", float(seq), "boot", 0.0)
    print(seq, flush=True)
"""


@pytest.mark.parametrize("kills", [KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.soak)])
def test_a_kill_at_any_moment_loses_no_confirmed_line(tmp_path: Path, kills: int) -> None:
    """Killed again and again, the same match goes on each time, whole.

    A kill between a line's last byte and its commit leaves a line that nobody was told of, and that
    follows: it is put back, and said.
    """
    place = tmp_path / "record.db"
    rng = random.Random(1)
    confirmed = 0
    for _ in range(kills):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            assert writer.stderr is not None
            writer.stdout.readline()
            time.sleep(rng.uniform(0.0, 0.3))
            writer.kill()
            heard = writer.stdout.read().splitlines()
            assert not writer.stderr.read()
        confirmed = int(heard[-1]) if heard else confirmed
        with Record.open(place) as record:
            assert all("1 line restored from a torn log" in said for said in record.said)
            (line,) = record.matches()
            assert not line.damage
            assert line.entries > confirmed
            assert [number for number, _ in record.outbox.changes(0, 9)] == [record.outbox.newest()]
    assert confirmed > kills
