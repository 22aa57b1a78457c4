"""A match that has ended is signed: whose it is, and that nobody changed it, on any machine."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.errors import BadCall, BadFile
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record import record as record_place
from companion.record.lines import UNSEALED, Closing, seal
from companion.record.record import Record
from companion.record.signing import CHANGED, UNSIGNED, Signature, TableKey

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
DRAW = Closing("Draw.", "JP-11.2", (), (("Draw.", "JP-11.2"),))


@pytest.fixture(autouse=True)
def key_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key of the test's own, called Table 3."""
    path = tmp_path / "home" / "table-key.toml"
    TableKey.make(path, "Table 3")
    monkeypatch.setattr(record_place, "usual_key", lambda: path)
    return path


def exported(tmp_path: Path, *, ended: bool = True) -> Path:
    """A match of another table, as a file."""
    file = tmp_path / "match.jsonl"
    with Record.open(tmp_path / "theirs.db") as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.append(match_id, [Entry(n, "answer", f"q-{n}", "MPL own") for n in range(1, 9)])
        if ended:
            record.finish(match_id, DRAW)
        file.write_text(record.export(match_id), "utf-8")
    return file


def resealed(text: str, old: str, new: str) -> str:
    """An export with something changed, and every seal as it has to be."""
    objects = [json.loads(line) for line in text.replace(old, new).splitlines()]
    before = UNSEALED
    for n, whole in enumerate(objects):
        line = json.dumps(whole["line"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = whole["chain"] = seal(UNSEALED if n in (0, 1) else before, line)
    return "".join(json.dumps(whole, ensure_ascii=False) + "\n" for whole in objects)


def test_an_import_says_by_whom_a_match_is_signed(tmp_path: Path) -> None:
    """And so does the record that took it in, and its own export."""
    file = exported(tmp_path)
    with Record.open(tmp_path / "ours.db") as record:
        imported = record.import_file(file)
        assert imported.signed.startswith("signed by Table 3 (key ")
        loaded = record.load(imported.match_id)
        assert str(loaded.signature) == imported.signed
        assert record.export(imported.match_id) == file.read_text("utf-8")


def test_a_match_changed_and_sealed_anew_is_named(tmp_path: Path) -> None:
    file = exported(tmp_path)
    file.write_text(resealed(file.read_text("utf-8"), "MPL own", "MPR own"), "utf-8")
    with Record.open(tmp_path / "ours.db") as record:
        imported = record.import_file(file)
        assert imported.signed == CHANGED
        assert "changed after it was signed by Table 3" in str(
            record.load(imported.match_id).damage
        )


def test_a_signature_taken_away_leaves_it_unsigned(tmp_path: Path) -> None:
    file = exported(tmp_path)
    text = file.read_text("utf-8").replace('"signed"', '"signet"')
    file.write_text(resealed(text, "MPL own", "MPR own"), "utf-8")
    with Record.open(tmp_path / "ours.db") as record:
        assert record.import_file(file).signed == UNSIGNED


def test_another_name_under_the_same_signature_does_not_hold(tmp_path: Path) -> None:
    """The name is signed, too."""
    file = exported(tmp_path)
    file.write_text(resealed(file.read_text("utf-8"), "Table 3", "Table 4"), "utf-8")
    with Record.open(tmp_path / "ours.db") as record:
        assert record.import_file(file).signed == CHANGED


def test_a_match_that_goes_on_is_signed_when_it_ends_again(tmp_path: Path) -> None:
    with Record.open(tmp_path / "ours.db") as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.finish(match_id, DRAW)
        first = record.load(match_id).signature
        record.append(match_id, [Entry(1, "undo", target=0)])
        assert record.load(match_id).signature is None
        record.finish(match_id, DRAW)
        again = record.load(match_id)
        assert again.damage is None
        assert again.signature is not None
        assert again.signature != first


def test_an_open_match_is_unsigned(tmp_path: Path) -> None:
    file = exported(tmp_path, ended=False)
    with Record.open(tmp_path / "ours.db") as record:
        assert record.import_file(file).signed == UNSIGNED


@pytest.mark.parametrize(
    "said",
    [None, 3, {}, {"table": "T"}, {"table": 1, "public": "", "signature": ""}],
)
def test_what_is_no_signature_is_none(said: object) -> None:
    assert Signature.read(said) is None


@pytest.mark.parametrize("public", ["", "zz", "00", "00" * 32, "é"])
def test_a_key_that_is_none_holds_nothing(public: str) -> None:
    assert not Signature("T", public, "00" * 64).holds("a" * 32)


# -- the key ---------------------------------------------------------------------------------


def test_a_key_is_made_once_and_read_by_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key.toml"
    made = TableKey.at(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert TableKey.at(path).public == made.public
    assert made.sign("a" * 32).holds("a" * 32)
    assert not made.sign("a" * 32).holds("b" * 32)


def test_a_renewed_key_leaves_what_the_old_one_signed(tmp_path: Path) -> None:
    path = tmp_path / "key.toml"
    old = TableKey.make(path, "Club").sign("a" * 32)
    for n in (1, 2):
        key, told = TableKey.renew(path, "Club")
        assert f"key-old-{n}.toml" in told
        assert TableKey.at(path).public == key.public != old.public
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert old.holds("a" * 32)
    assert TableKey.renew(tmp_path / "none.toml")[1] == "There was no key yet."


def test_a_key_that_cannot_be_renewed_stays(tmp_path: Path) -> None:
    """A name that is none, a disk that takes nothing."""
    path = tmp_path / "own" / "key.toml"
    old = TableKey.make(path, "Club").public
    with pytest.raises(BadCall, match="1 to 40 letters"):
        TableKey.renew(path, "x" * 41)
    assert [file.name for file in path.parent.iterdir()] == ["key.toml"]
    assert TableKey.at(path).public == old


def test_a_machine_with_a_long_name_has_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.node", lambda: "raspberrypi-" * 5)
    assert TableKey.at(tmp_path / "key.toml").name == ("raspberrypi-" * 5)[:40]


@pytest.mark.parametrize("name", ["Club\nsigned by Table 3", "\x1b[2JClub", "C" * 41])
def test_a_signer_s_name_gives_no_orders_to_a_terminal(tmp_path: Path, name: str) -> None:
    """A name of another program's making is none: the match is taken for one without signature."""
    file = exported(tmp_path)
    text = file.read_text("utf-8").replace('"table":"Table 3"', f'"table":{json.dumps(name)}')
    file.write_text(resealed(text, "", ""), "utf-8")
    with Record.open(tmp_path / "ours.db") as record:
        assert record.import_file(file).signed == UNSIGNED


@pytest.mark.parametrize(
    "text",
    ["", "name = 'T'", "name = 3\nseed = '00'", "name = 'T'\nseed = 'xx'", "[[", "seed = 1"],
)
def test_a_torn_key_is_named_and_a_match_ends_unsigned(
    tmp_path: Path, key_path: Path, text: str
) -> None:
    """Nothing at the table waits for a key."""
    key_path.write_text(text)
    with pytest.raises(BadFile, match="no table's key"):
        TableKey.at(key_path)
    with Record.open(tmp_path / "ours.db") as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.finish(match_id, DRAW)
        assert record.load(match_id).signature is None
        assert record.load(match_id).damage is None


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "Club\ntable"])
def test_a_table_has_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadCall, match="1 to 40 letters"):
        TableKey.make(tmp_path / "key.toml", name)


def test_what_stands_beside_the_logs_outlives_a_damaged_file(tmp_path: Path) -> None:
    """Signatures, also one that no longer holds; from where a match came; whose names are whose."""
    place = tmp_path / "record.db"
    with Record.open(tmp_path / "theirs.db") as theirs, Record.open(place) as record:
        own, changed, came = [record.create(Setup("jaws-and-paws"), STAMP) for _ in range(2)] + [
            theirs.create(Setup("dogfight-1917"), STAMP)
        ]
        for match_id in (own, changed):
            record.append(match_id, [Entry(1, "answer", "q", "MPL own")])
            record.finish(match_id, DRAW)
        record.take(theirs.copy_of(came), theirs.outbox.identity())
        record.name_player(["Günther"], "Günther Plüschow", STAMP)
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE signatures SET value = ? WHERE match_id = ?", ("0" * 128, changed))
        was = sorted(database.execute("SELECT * FROM arrived").fetchall())
    raw = place.read_bytes()
    place.write_bytes(bytes(100) + raw[100:])
    with Record.open(place) as record:
        assert "was damaged" in record.said[0]
        assert str(record.load(own).signature).startswith("signed by Table 3")
        assert not record.load(own).troubles
        assert CHANGED not in str(record.load(own).damage)
        assert "was changed after" in str(record.load(changed).damage)
        assert record.players().of("günther") == "Günther Plüschow"
    with closing(sqlite3.connect(place)) as database:
        assert sorted(database.execute("SELECT * FROM arrived").fetchall()) == was
        assert len(was) == 1


def test_a_signature_with_torn_figures_is_not_taken_for_a_changed_match(tmp_path: Path) -> None:
    place = tmp_path / "record.db"
    with Record.open(place) as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.append(match_id, [Entry(1, "answer", "q", "MPL own")])
        record.finish(match_id, DRAW)
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE signatures SET value = replace(value, '0', '?')")
    raw = place.read_bytes()
    place.write_bytes(bytes(100) + raw[100:])
    with Record.open(place) as record:
        assert record.load(match_id).signature is None
        assert "changed" not in str(record.load(match_id).damage)
