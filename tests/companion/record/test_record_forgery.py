"""Matches of every box as files and back; and whatever a hand may change in such a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadFile
from companion.core.files import written
from companion.games import RULEBOOKS, find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record.file import read_export
from companion.record.lines import Closing, seal
from companion.record.record import Record
from companion.record.signing import CHANGED

BOXES = sorted(RULEBOOKS)
MOST = 300


def kept(record: Record, box: str, seed: int) -> str:
    """A random match of a box, in the record; it is closed there, whether or not it has ended."""
    rulebook = find_rulebook(box)
    setup = Setup(rulebook.box, rulebook.usual(()))
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)), MOST)
    match_id = record.create(match.setup, STAMP)
    record.append(match_id, match.entries)
    at_utc = match.entries[-1].at_utc
    ended = match.outcome is not None
    record.finish(
        match_id, Closing.of(match, at_utc) if ended else Closing("Left.", "", (), (), at_utc)
    )
    return match_id


@pytest.mark.seeds(1, 200)
@pytest.mark.parametrize("box", BOXES)
def test_a_random_match_is_the_same_after_its_way_through_a_file(
    box: str, seed: int, tmp_path: Path
) -> None:
    """The same seals, the same digests, and replayed the same position."""
    file = tmp_path / "match.jsonl"
    with Record.open(tmp_path / "here.db") as here, Record.open(tmp_path / "there.db") as there:
        match_id = kept(here, box, seed)
        file.write_text(here.export(match_id), "utf-8")
        imported = there.import_file(file)
        loaded, before = there.load(imported.match_id), here.load(match_id)
        assert loaded.entries == before.entries
        assert loaded.signature == before.signature
        assert imported.signed.startswith("signed by ")
        again = Match[Any].replay(loaded.entries)
        assert again.entries[-1].digest == before.entries[-1].digest
        assert there.export(imported.match_id) == here.export(match_id)


def changed_bytes(raw: bytes, chance: Random, most: int) -> Iterator[bytes]:
    """One byte of a file is another one; every place where there are no more than `most`."""
    places = range(len(raw)) if len(raw) <= most else sorted(chance.sample(range(len(raw)), most))
    for at in places:
        yield raw[:at] + bytes([raw[at] ^ (1 << chance.randrange(7))]) + raw[at + 1 :]


def cut_tails(raw: bytes) -> Iterator[bytes]:
    """Lines are missing at the end, one, two, to all but the first."""
    lines = raw.splitlines(keepends=True)
    yield from (b"".join(lines[:end]) for end in range(1, len(lines)))


def swapped_lines(raw: bytes) -> Iterator[bytes]:
    lines = raw.splitlines(keepends=True)
    for at in range(len(lines) - 1):
        yield b"".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])


def is_seen(file: Path, raw: bytes, whole: bytes) -> bool:
    """Whether a changed file is refused; or says the very same, as another blank does."""
    file.write_bytes(raw)
    try:
        taken = read_export(file)
    except BadFile:
        return True
    if taken.signed == CHANGED:
        return True
    file.write_bytes(whole)
    return taken == read_export(file)


@pytest.mark.seeds(1, 200)
def test_whatever_is_changed_in_a_file_is_named(seed: int, tmp_path: Path) -> None:
    """Single bytes, a tail that was cut off, lines that were swapped."""
    chance, file = Random(seed), tmp_path / "match.jsonl"
    with Record.open(tmp_path / "here.db") as here:
        whole = here.export(kept(here, BOXES[seed % len(BOXES)], seed)).encode()
    bytes_tried = 200 if seed == 0 else len(whole)
    changed = changed_bytes(whole, chance, bytes_tried)
    for forged in chain(changed, cut_tails(whole), swapped_lines(whole)):
        assert is_seen(file, forged, whole)


@pytest.mark.seeds(1, 200)
def test_a_file_that_is_sealed_anew_is_no_longer_signed(seed: int, tmp_path: Path) -> None:
    """Who knows how seals are made changes an answer, and every seal after it: the key tells."""
    chance, file = Random(seed), tmp_path / "match.jsonl"
    with Record.open(tmp_path / "here.db") as here:
        text = here.export(kept(here, BOXES[seed % len(BOXES)], seed))
    said = [json.loads(line)["line"] for line in text.splitlines()]
    said[chance.randrange(2, len(said) - 2)]["author"] = "Mallory"
    before, lines = "", list[str]()
    for at, line in enumerate(said):
        sealed = written(line)
        before = seal("" if at <= 1 else before, sealed)
        lines.append(f'{{"chain":"{before}","line":{sealed}}}\n')
    file.write_text("".join(lines), "utf-8")
    assert read_export(file).signed == CHANGED
