"""A record that stands in for one that cannot be opened, and what comes home of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

import pytest
from platformdirs import user_runtime_path, user_state_path

from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, played_out, playing
from companion.record import store
from companion.record.keeping import MatchKeeping, short_of_room
from companion.record.meanwhile import NAME, is_in_memory, open_or_stand_in, stand_in, stand_ins
from companion.record.place import usual_place
from companion.record.record import Record

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
PICTURE = "00001-reveal-before-20261121T193407.250Z.jpg"


def play(record: Record) -> str:
    """One match of two lines, with a picture."""
    match_id = record.create(Setup("jaws-and-paws"), STAMP)
    record.append(match_id, [Entry(1, "answer", "set-up/toss", "Jaws")])
    (record.evidence(match_id) / PICTURE).write_bytes(b"a picture")
    return match_id


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A place that no record can be opened at: a folder has its name."""
    place = tmp_path / "card" / "matches.sqlite"
    place.mkdir(parents=True)
    return place


def test_a_record_that_opens_is_the_one(tmp_path: Path) -> None:
    opened = open_or_stand_in(tmp_path / "matches.sqlite", [tmp_path / "spare"])
    assert (opened.why, opened.said) == ("", ())
    assert opened.record.name == str(tmp_path / "matches.sqlite")
    assert not (tmp_path / "spare").exists()
    opened.record.close()


WRONG = [
    "folder", "other program's file", "mistyped URL", "server", "NUL in it", "too long", "no home",
]  # fmt: skip


@pytest.mark.parametrize("wanted", WRONG)
def test_whatever_is_wrong_with_it_matches_are_kept_elsewhere(
    tmp_path: Path, broken: Path, wanted: str
) -> None:
    (tmp_path / "shopping.txt").write_text("milk " * 3000)
    place = {
        "folder": str(broken),
        "other program's file": str(tmp_path / "shopping.txt"),
        "mistyped URL": "postgrsql://club/matches",
        "server": "postgresql+psycopg://nobody@127.0.0.1:9/none",
        "NUL in it": "/tmp/a\0b.sqlite",  # noqa: S108 - nothing is made there
        "too long": "a" * 5000,
        "no home": "~nobody-of-this-name/matches.sqlite",
    }[wanted]
    opened = open_or_stand_in(place, [tmp_path / "spare"])
    assert opened.why
    assert opened.record.name == str(tmp_path / "spare" / NAME)
    assert play(opened.record)
    opened.record.close()


def test_a_server_that_never_answers_is_not_waited_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The app's first frame stands until the record is open; the URL itself may say how long."""
    made: list[object] = []
    monkeypatch.setattr(store, "create_engine", lambda _url, **how: made.append(how))
    for url in ("postgresql+psycopg://club@far/m", "postgresql://club@far/m?connect_timeout=60"):
        store.open_server(url)
    first, second = (how["connect_args"] for how in cast("list[dict[str, Any]]", made))
    assert first["connect_timeout"] == store.ANSWERS_WITHIN_S
    assert "statement_timeout=" in str(first["options"])
    assert "connect_timeout" not in second


def test_the_first_folder_that_takes_it_is_taken(tmp_path: Path, broken: Path) -> None:
    taken = tmp_path / "a file"
    taken.touch()
    opened = open_or_stand_in(broken, [taken, tmp_path / "spare"])
    assert opened.record.name == str(tmp_path / "spare" / NAME)
    opened.record.close()


def test_a_stand_in_in_memory_is_found_again_by_a_service_that_is_started_anew() -> None:
    """Its /tmp is its own and goes with it; the user's runtime folder stays."""
    last = stand_ins()[-1]
    assert last.is_relative_to(user_runtime_path())
    assert not last.is_relative_to(usual_place().parent)


def test_memory_is_the_last_way_out_and_known_as_such(tmp_path: Path, broken: Path) -> None:
    """Where the record's own card fails, the disk with the table's log takes what is played."""
    _, disk, memory = stand_ins()
    assert disk.is_relative_to(user_state_path())
    worn = tmp_path / "a file where the folder should be"
    worn.touch()
    for spare, lost in (((worn, disk, memory), False), ((worn, memory), True)):
        opened = open_or_stand_in(broken, spare)
        assert opened.why
        assert is_in_memory(opened.record) is lost
        opened.record.close()


def test_where_nothing_takes_it_the_wanted_one_is_named(tmp_path: Path, broken: Path) -> None:
    taken = tmp_path / "a file"
    taken.touch()
    with pytest.raises(RecordError, match="is a folder"):
        open_or_stand_in(broken, [taken])


def test_what_was_played_meanwhile_comes_home_once_with_its_pictures(
    tmp_path: Path, broken: Path
) -> None:
    """An open match goes on at home; the stand-in is put away, not thrown away."""
    spare = tmp_path / "spare"
    with open_or_stand_in(broken, [spare]).record as meanwhile:
        match_id = play(meanwhile)
    broken.rmdir()
    opened = open_or_stand_in(broken, [spare])
    assert opened.said == ("1 match that was kept elsewhere came home.",)
    with opened.record as record:
        record.append(match_id, [Entry(2, "answer", "set-up/sun", "Jaws.PL")])
        assert (record.evidence(match_id) / PICTURE).read_bytes() == b"a picture"
    assert not (spare / NAME).exists()
    assert (spare / f"brought-home-{NAME}").is_file()
    again = open_or_stand_in(broken, [spare])
    assert not again.said
    again.record.close()


def test_a_stand_in_that_cannot_be_read_stays_and_is_told(tmp_path: Path) -> None:
    spare = tmp_path / "spare"
    spare.mkdir()
    (spare / NAME).write_text("milk " * 3000)
    opened = open_or_stand_in(tmp_path / "matches.sqlite", [spare])
    (told,) = opened.said
    assert told.startswith(f"What was played meanwhile stays in {spare / NAME}: ")
    assert (spare / NAME).is_file()
    opened.record.close()


def test_the_usual_place_may_be_the_stand_in_itself(tmp_path: Path) -> None:
    """Nothing is brought from a record to itself."""
    opened = open_or_stand_in(tmp_path / NAME, [tmp_path])
    assert play(opened.record)
    opened.record.close()
    again = open_or_stand_in(tmp_path / NAME, [tmp_path])
    assert (again.said, again.record.count()) == ((), 1)
    again.record.close()


T = TypeVar("T")


class Stalling:
    """What bounds the wait for a server: it answers, until it stalls."""

    def __init__(self) -> None:
        self.stalls = False
        self.asked = 0

    def __call__(self, call: Callable[[], T], /) -> T:
        self.asked += 1
        if self.stalls:
            raise RecordError("the server does not answer within 2 s")
        return call()


def test_a_match_whose_server_stalls_goes_on_and_comes_home(tmp_path: Path) -> None:
    """Its record has the beginning, the stand-in all; afterwards the record has all of it."""
    stalling, spare = Stalling(), tmp_path / "spare"
    setup = Setup("jaws-and-paws", ("day",))
    match = Match[Any].start(setup, STAMP)
    game = playing(match, bots_of(setup, Random(1)), 20_000)

    def play_on(answers: int | None) -> None:
        """Bots answer, and every line is kept."""
        before = len(match.entries)
        for _ in islice(game, answers):
            pass
        keeping.append(match.entries[before:])

    home = Record.open(tmp_path / "home.db")
    keeping = MatchKeeping(home, match, "boot", "", stalling, lambda: stand_in([spare]))
    keeping.append(match.entries)
    play_on(5)
    stalling.stalls = True
    play_on(5)
    assert "does not answer" in keeping.away
    asked = stalling.asked
    keeping.note_rest("round-1", 7.0, 0.0)
    assert keeping.last_rest("round-1") == 7.0
    play_on(None)
    assert stalling.asked == asked, "a server that has stalled is not asked again"
    keeping.record.close()
    home.close()
    opened = open_or_stand_in(tmp_path / "home.db", [spare])
    assert opened.said == ("1 match that was kept elsewhere came home.",)
    (line,) = opened.record.matches()
    loaded = opened.record.load(keeping.match_id)
    assert line.match_id == keeping.match_id
    assert [entry[:6] for entry in loaded.entries] == [entry[:6] for entry in match.entries]
    assert loaded.closing is not None
    assert not opened.record.check()
    opened.record.close()


def test_a_server_that_stalls_in_a_round_is_waited_for_once(tmp_path: Path) -> None:
    """The rest is noted every second: each of these waits would hold up the screen."""
    stalling = Stalling()
    match = Match[Any].start(Setup("jaws-and-paws", ("day",)), STAMP)
    with Record.open(tmp_path / "home.db") as home:
        keeping = MatchKeeping(home, match, "boot", "", stalling, lambda: stand_in([tmp_path]))
        keeping.append(match.entries)
        stalling.stalls, stalling.asked = True, 0
        for rest_s in (9.0, 8.0, 7.0):
            keeping.note_rest("round-1", rest_s, 0.0)
        assert (stalling.asked, keeping.last_rest("round-1")) == (1, 7.0)
        assert len(keeping.record.load(keeping.match_id).entries) == len(match.entries)
        keeping.record.close()


def played(seed: int) -> Match[Any]:
    """A match to its end; all of them begin with the same line."""
    match = Match[Any].start(Setup("talespin-dogfight"), STAMP)
    played_out(match, Random(seed))
    return match


def test_a_match_that_took_another_course_elsewhere_loses_no_line(tmp_path: Path) -> None:
    """What was kept elsewhere has not come home yet, and the server stalls once more."""

    def stalls(_call: Callable[[], T], /) -> T:
        raise RecordError("the server does not answer within 2 s")

    for match in (played(1), played(2)):
        with Record.open(tmp_path / "home.db") as home:
            keeping = MatchKeeping(home, match, "boot", "", stalls, lambda: stand_in([tmp_path]))
            keeping.append(match.entries[1:])
        kept = keeping.record.load(keeping.match_id)
        assert [entry[:6] for entry in kept.entries] == [entry[:6] for entry in match.entries]
        assert kept.closing is not None
        keeping.record.close()
    opened = open_or_stand_in(tmp_path / "home.db", [tmp_path])
    assert opened.said == ("2 matches that were kept elsewhere came home.",)
    opened.record.close()


def test_a_server_that_wakes_up_late_writes_what_it_was_given(tmp_path: Path) -> None:
    """Its call ends while the match is kept elsewhere: no line goes there, no result comes here."""
    late: list[Callable[[], Any]] = []

    def stalls(call: Callable[[], T], /) -> T:
        late.append(call)
        raise RecordError("the server does not answer within 2 s")

    setup = Setup("talespin-dogfight")
    match = Match[Any].start(setup, STAMP)
    game = playing(match, bots_of(setup, Random(1)), 20_000)
    with Record.open(tmp_path / "home.db") as home:
        keeping = MatchKeeping(home, match, "boot", "", stalls, lambda: stand_in([tmp_path]))
        for _ in islice(game, 5):
            pass
        keeping.append(match.entries[1:])
        given = len(match.entries)
        for _ in game:
            pass
        keeping.append(match.entries[given:])
        away = keeping.record
        late[0]()
        assert keeping.record is away
        (there,) = home.matches()
        loaded = home.load(there.match_id)
        assert (len(loaded.entries), loaded.closing) == (given, None)
        assert len(away.load(keeping.match_id).entries) == len(match.entries)
        away.close()


def test_too_little_room_for_a_match_is_said_in_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of this machine's disk; nothing is known of a server's."""
    with Record.open(tmp_path / "record.db") as record:
        for free, said in ((60_000_000, ""), (3_000_000, "The disk has 3 MB left")):
            usage = type(shutil.disk_usage(tmp_path))(free, 0, free)
            monkeypatch.setattr(shutil, "disk_usage", lambda _path, usage=usage: usage)
            assert short_of_room(record).startswith(said)
            assert bool(short_of_room(record)) is bool(said)
        record.name = "postgresql://club/matches"
        assert not short_of_room(record)
