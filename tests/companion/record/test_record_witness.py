"""The witness beside the record: what a hand sealed anew is named all the same."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.errors import RecordDamaged
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.lines import UNSEALED, Closing, Length, StoredLine, seal, write_closing
from companion.record.record import Record
from companion.record.witness import SealWitness

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
DRAW = Closing("Draw.", "JP-11.2", (), ())
LINES = 12


def answers(first: int, last: int) -> list[Entry]:
    return [Entry(n, "answer", f"q-{n}", "MPL own", author="Ana") for n in range(first, last)]


def play(path: Path, *, ended: bool) -> str:
    with Record.open(path) as record:
        match_id = record.create(Setup("jaws-and-paws", ("day",)), STAMP)
        record.append(match_id, answers(1, LINES))
        if ended:
            record.finish(match_id, DRAW)
    return match_id


def forge(path: Path, rows: list[str], *, ended: bool) -> None:
    """Write these lines in place of a match's own, with every seal and length as it has to be."""
    with closing(sqlite3.connect(path)) as database, database:
        (match_id,) = database.execute("SELECT id FROM matches").fetchone()
        database.execute("DELETE FROM entries")
        before = UNSEALED
        for seq, line in enumerate(rows):
            before = seal(before, line)
            row = (match_id, seq, line, before)
            database.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", row)
            if seq == 0:
                database.execute("UPDATE matches SET line = ?, chain = ?", (line, before))
        length = Length.up_to(StoredLine(len(rows) - 1, rows[-1], before))
        new = (length.lines, length.chain, length.seal(match_id))
        database.execute("UPDATE lengths SET lines = ?, chain = ?, seal = ?", new)
        if ended:
            text = write_closing(DRAW, len(rows))
            database.execute("UPDATE closings SET line = ?, chain = ?", (text, seal(before, text)))


def change_signatures(path: Path) -> None:
    """Take away what cannot be forged."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM signatures")


def lines_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("SELECT line FROM entries ORDER BY seq")]


def forgeries(rows: list[str], chance: random.Random) -> list[str]:
    """Lines cut off, changed, swapped or left out."""
    at = chance.randrange(1, len(rows))
    match chance.choice(("cut", "change", "swap", "leave out")):
        case "cut":
            return rows[:at]
        case "change":
            return [*rows[:at], rows[at].replace("Ana", "Bo"), *rows[at + 1 :]]
        case "swap":
            other = at - 1 or 2
            kept = [json.loads(row) for row in rows]
            for one, two in ((at, other), (other, at)):
                kept[one] = {**json.loads(rows[two]), "seq": one}
            return [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in kept]
        case _:
            left = [json.loads(row) for n, row in enumerate(rows) if n != at]
            numbered = [{**row, "seq": n} for n, row in enumerate(left)]
            return [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in numbered]


@pytest.mark.slow(gate=8)
@pytest.mark.parametrize("seed", range(30))
def test_what_a_hand_sealed_anew_is_named(tmp_path: Path, seed: int) -> None:
    """Cut, changed, swapped, left out: sound in itself, and not what was seen."""
    path, chance = tmp_path / "record.db", random.Random(seed)
    ended = bool(seed % 2)
    match_id = play(path, ended=ended)
    forge(path, forgeries(lines_of(path), chance), ended=ended)
    with Record.open(path) as record:
        assert "witness" in str(record.load(match_id).damage)
        assert any("witness" in told for told in record.check())
        with pytest.raises(RecordDamaged, match="witness"):
            record.append(match_id, answers(LINES, LINES + 1))
    for file in (path.with_name("record.db-witness")).iterdir():
        file.unlink()
    with Record.open(path) as record:
        if ended:
            assert "changed after it was signed by" in str(record.load(match_id).damage)
        change_signatures(path)
        assert record.load(match_id).damage is None, "the forgery is sound in itself"


def test_a_match_that_goes_on_is_witnessed_line_by_line(tmp_path: Path) -> None:
    """Also after a kill, when nothing was closed in order."""
    path = tmp_path / "record.db"
    record = Record.open(path)
    match_id = record.create(Setup("jaws-and-paws"), STAMP)
    witness = SealWitness(path.with_name("record.db-witness"))
    for seq in range(1, 5):
        (sealed,) = record.append(match_id, answers(seq, seq + 1))
        seen = witness.of(match_id)
        assert seen is not None
        assert (seen.seq, seen.chain) == (seq, sealed.chain)
    record.close()
    with Record.open(path) as again:
        assert not again.check()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_witness_tells_what_it_still_knows(tmp_path: Path, cut: int) -> None:
    """A power cut in its last line: the line before it stands, and the next one is added."""
    path = tmp_path / "record.db"
    match_id = play(path, ended=False)
    (file,) = path.with_name("record.db-witness").iterdir()
    file.write_bytes(file.read_bytes()[:-cut])
    with Record.open(path) as record:
        assert not record.check()
        (sealed,) = record.append(match_id, answers(LINES, LINES + 1))
        assert SealWitness(file.parent).of(match_id) is not None
        assert SealWitness(file.parent).of(match_id).chain == sealed.chain  # type: ignore[union-attr]


@pytest.mark.parametrize("noise", [b"", bytes(4096), b"\xff\xfe" * 99, b"x 1 y\n" * 9])
def test_a_witness_of_noise_knows_nothing(tmp_path: Path, noise: bytes) -> None:
    path = tmp_path / "record.db"
    match_id = play(path, ended=True)
    (file,) = path.with_name("record.db-witness").iterdir()
    file.write_bytes(noise)
    with Record.open(path) as record:
        assert record.load(match_id).damage is None


def test_a_record_without_room_for_a_witness_plays_on(tmp_path: Path) -> None:
    """A file where its folder should be: no answer is lost for it."""
    path = tmp_path / "record.db"
    path.with_name("record.db-witness").touch()
    match_id = play(path, ended=True)
    with Record.open(path) as record:
        assert len(record.load(match_id).entries) == LINES


def test_another_program_that_has_no_witness_may_go_on(tmp_path: Path) -> None:
    """Its lines come after those that were seen."""
    path = tmp_path / "record.db"
    match_id = play(path, ended=False)
    (file,) = path.with_name("record.db-witness").iterdir()
    before = file.read_bytes()
    with Record.open(path) as record:
        record.append(match_id, answers(LINES, LINES + 3))
    file.write_bytes(before)
    with Record.open(path) as record:
        assert not record.check()
        assert len(record.load(match_id).entries) == LINES + 3


def take_out(path: Path, wanted: str, lines_after: int = -1) -> None:
    """What a torn log does: the lines of a match after one are gone, or the whole match."""
    with closing(sqlite3.connect(path)) as database, database:
        if lines_after >= 0:
            database.execute("DELETE FROM closings WHERE match_id = ?", [wanted])
            gone = "DELETE FROM entries WHERE match_id = ? AND seq > ?"
            database.execute(gone, [wanted, lines_after])
            return
        database.execute("DELETE FROM matches WHERE id = ?", [wanted])
        for table in ("entries", "closings", "lengths", "listed", "signatures"):
            database.execute(f"DELETE FROM {table} WHERE match_id = ?", [wanted])  # noqa: S608


@pytest.mark.parametrize("left", [-1, 3])
def test_lines_that_a_torn_log_has_lost_are_told_at_the_start(tmp_path: Path, left: int) -> None:
    """SQLite drops the torn end of its log in silence; what it leaves is sound in itself."""
    path = tmp_path / "record.db"
    older = play(path, ended=True)
    newest = play(path, ended=False)
    with Record.open(path) as record:
        assert not record.said
        assert not record.check()
    take_out(path, newest, left)
    with Record.open(path) as record:
        (said,) = record.said
        assert f"line {LINES - 1} of match {newest} was confirmed" in said
        found = " ".join(record.check())
        assert newest in found
        assert older not in found
        assert ("`companion check --witness` takes the record as it stands" in found) == (left < 0)
        fresh = record.create(Setup("jaws-and-paws"), STAMP)
    with Record.open(path) as record:
        assert not record.said, "the newest line is there"
        assert newest in " ".join(record.check()) or left >= 0
        assert fresh in {line.match_id for line in record.matches()}


def test_a_torn_witness_tells_of_the_lines_before(tmp_path: Path) -> None:
    """Its own last line may be the torn one; without any it tells nothing."""
    path = tmp_path / "record.db"
    match_id = play(path, ended=False)
    witness = SealWitness(tmp_path / "record.db-witness")
    newest = witness.newest()
    assert newest is not None
    assert newest[0] == match_id
    (file,) = witness.folder.iterdir()
    with file.open("ab") as torn:
        torn.write(b"torn 1")
    assert witness.newest() == newest
    assert witness.besides(set()) == {match_id}
    assert not witness.besides({match_id})
    file.write_bytes(b"torn")
    assert witness.newest() is None
    assert not SealWitness(tmp_path / "none").besides(set())


def lengthy(folder: Path, chance: random.Random, matches: int, lines: int) -> SealWitness:
    """A witness of many lines in one file; here and there one is torn, and play went on."""
    witness = SealWitness(folder)
    ids = [f"ab{n:08x}" for n in range(matches)]
    said: list[str] = []
    for seq in range(lines):
        match_id = ids[min(matches - 1, seq * matches // lines + chance.randrange(3))]
        line = f"{match_id} {seq} {chance.getrandbits(128):032x}\n"
        said.append(line if chance.random() > 0.01 else line[: chance.randrange(1, len(line))])
    folder.mkdir()
    (folder / "ab").write_text("".join(said), encoding="ascii")
    return witness


@pytest.mark.parametrize("seed", range(3))
def test_the_last_line_of_each_match_is_found_however_long_its_file_is(
    tmp_path: Path, seed: int
) -> None:
    """One by one from the end of the file, and all in one go: the same."""
    witness = lengthy(tmp_path / "w", random.Random(seed), matches=60, lines=4_000)
    text = (witness.folder / "ab").read_text(encoding="ascii")
    last = {found[1]: found for found in re.finditer(r"(ab[0-9a-f]{8}) (\d+) (\w{32})\n", text)}
    assert len(last) == 60
    many = witness.of_many({*last, "ab99999999", "cd00000000"})
    assert {one: (seen.seq, seen.chain) for one, seen in many.items()} == {
        one: (int(found[2]), found[3]) for one, found in last.items()
    }
    assert all(witness.of(one) == many[one] for one in last)
    newest = witness.newest()
    assert newest is not None
    assert newest[1] == many[newest[0]]


def test_many_matches_are_verified_with_each_file_of_the_witness_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked up one by one, a hundred thousand would read each file some hundred times."""
    path = tmp_path / "record.db"
    play(path, ended=True)
    with Record.open(path) as record:
        for _ in range(9):
            record.create(Setup("jaws-and-paws"), STAMP)
        monkeypatch.setattr(SealWitness, "of", lambda *_: pytest.fail("looked up by itself"))
        assert not record.check()
    rows = lines_of(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM lengths")
        database.execute("DELETE FROM closings")
        database.execute("DELETE FROM entries WHERE seq > 5")
    assert len(rows) > 6
    with Record.open(path) as record:
        assert any("which the witness" in told for told in record.check())


def test_a_match_is_played_while_the_witness_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading all of it may take longer than a writer waits, and nothing is written for it."""
    path = tmp_path / "record.db"
    match_id = play(path, ended=False)
    reads = SealWitness.besides
    confirmed: list[Entry] = []

    def read(witness: SealWitness, known: AbstractSet[str]) -> AbstractSet[str]:
        with Record.open_again(path) as table:
            confirmed.extend(table.append(match_id, answers(LINES, LINES + 1)))
            table.create(Setup("jaws-and-paws"), STAMP)
        return reads(witness, known)

    monkeypatch.setattr(SealWitness, "besides", read)
    with Record.open(path) as record:
        assert not record.check_file(), "the match that was begun meanwhile is not missing"
    assert len(confirmed) == 1


def emptied(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(b"\x07" * 300)


def of_another(folder: Path) -> None:
    """The witness of another table lies there."""
    other = folder.parent / "elsewhere" / "other.db"
    other.parent.mkdir()
    for box in ("dogfight-1917", "dogfight-hex"):
        with Record.open(other) as record:
            match_id = record.create(Setup(box), STAMP)
            record.append(match_id, answers(1, LINES))
    shutil.rmtree(folder)
    other.with_name("other.db-witness").rename(folder)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (shutil.rmtree, "the folder record.db-witness, is gone: whether lines were cut off"),
        (emptied, "it has seen none of the 2 matches that ended here"),
        (of_another, "it has seen none of the 2 matches that ended here"),
    ],
)
def test_a_witness_that_is_gone_or_another_s_is_missed(
    tmp_path: Path, done: Callable[[Path], None], told: str
) -> None:
    """Whoever cuts a match takes its witness away, too; until a new one is begun it is told."""
    path = tmp_path / "record.db"
    folder = tmp_path / "record.db-witness"
    ids = [play(path, ended=True), play(path, ended=True)]
    with Record.open(path) as record:
        assert not record.check()
        assert not record.against_witness(ids[0])
    done(folder)
    with Record.open(path) as record:
        said = record.check_file()
        assert told in said[-1]
        assert "`companion check --witness`" in said[-1]
        (of_one,) = record.against_witness(ids[0])
        assert ids[0] in of_one or "is gone" in of_one
        aside = record.begin_witness_anew("2026-11-28T14:00:00.000Z")
        assert (aside is None) == (done is shutil.rmtree)
        assert not record.check_file()


def test_the_witness_of_one_match_is_missed_alone(tmp_path: Path) -> None:
    """Its lines were taken out of the files, and none of any other; one that goes on may lack."""
    path = tmp_path / "record.db"
    older, newer, goes_on = (play(path, ended=ended) for ended in (True, True, False))
    for match_id in (older, goes_on):
        file = tmp_path / "record.db-witness" / match_id[:2]
        kept = [line for line in file.read_text().splitlines(keepends=True) if match_id not in line]
        file.write_text("".join(kept))
    with Record.open(path) as record:
        (told,) = record.check_file()
        assert f"has seen nothing of 1 match ({older})" in told
        assert record.against_witness(older)
        assert not record.against_witness(newer)
        assert not record.against_witness(goes_on)


def test_what_was_played_before_there_was_a_witness_is_not_missed(tmp_path: Path) -> None:
    """As a record of an older release has it: nothing notes there that there was one."""
    path = tmp_path / "record.db"
    play(path, ended=True)
    shutil.rmtree(tmp_path / "record.db-witness")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM about WHERE name = 'witness'")
    with Record.open(path) as record:
        assert not record.check_file()
        record.create(Setup("jaws-and-paws"), STAMP)
        assert not record.check_file()
