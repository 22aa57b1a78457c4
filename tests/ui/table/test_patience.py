"""A table whose record is on a server that stalls: nobody waits for it twice, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.meanwhile import NAME
from companion.record.record import Record
from tests.patience import STALL_S
from ui.table.club import (
    SERVER_ANSWERS,
    SERVER_IS_SILENT,
    Patience,
    ServerWatch,
    keeping_of,
    open_soon,
)
from ui.table.past_matches import PastShelf

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
SHORT_S = 0.05
T = TypeVar("T")


class Server:
    """A record's server that hangs whatever it is asked, until `answers` is set."""

    name = "postgresql+psycopg://club@there/dogfights"

    def __init__(self) -> None:
        self.answers = threading.Event()

    def count(self) -> int:
        self.answers.wait(STALL_S)
        return 3

    def create(self, _setup: Setup, _stamp: Stamp) -> str:
        self.answers.wait(STALL_S)
        raise RecordError("the connection was lost")


@pytest.fixture
def server() -> Iterator[Any]:
    server = Server()
    yield server
    server.answers.set()


def test_nobody_waits_twice(server: Any) -> None:
    """Once it has answered a thread that asks again, it is asked as before."""
    patience = Patience(server, SHORT_S)
    with pytest.raises(RecordError, match="does not answer within"):
        patience(server.count)
    asked: list[str] = []
    with pytest.raises(RecordError, match="has not answered for a while"):
        patience(lambda: asked.append("again"))
    assert not asked, "it is not even asked"
    server.answers.set()
    for thread in threading.enumerate():
        if thread.name == "record-asked":
            thread.join(STALL_S)
    assert patience(server.count) == 3
    patience.close()


@pytest.fixture
def opening(server: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is opened hangs until the server answers, and notes here when it is closed."""
    noted: list[str] = []

    class Opened:
        def close(self) -> None:
            noted.append("closed")

    def opens(place: str) -> Any:
        assert server.answers.wait(STALL_S)
        noted.append(place)
        return Opened()

    def engine(_url: str) -> Any:
        return SimpleNamespace(dispose=lambda: None)

    monkeypatch.setattr("ui.table.club.Record.open", opens)
    monkeypatch.setattr("ui.table.club.open_server", engine)
    return noted


PLACE = "postgresql://club:geheim@there/dogfights"


def test_the_first_screen_waits_for_no_server(server: Any, opening: list[str]) -> None:
    """A record that comes later is closed again."""
    with pytest.raises(RecordError, match=r"club:\*\*\*@there/dogfights does not answer within"):
        open_soon(PLACE, SHORT_S)
    late = [thread for thread in threading.enumerate() if thread.name == "record"]
    server.answers.set()
    for thread in late:
        thread.join(STALL_S)
    assert opening == [PLACE, "closed"]
    assert open_soon(PLACE, STALL_S) is not None
    assert opening == [PLACE, "closed", PLACE]


def test_a_file_is_waited_for(tmp_path: Path) -> None:
    """A card is slow before it is broken: there is nothing else to open on it."""
    with open_soon(tmp_path / "record.db", 0.0) as record:
        assert record.count() == 0


def test_home_says_that_the_server_answers_now(server: Any, opening: list[str]) -> None:
    """In a round it is not asked."""
    watch = ServerWatch(PLACE)
    assert watch.line == SERVER_IS_SILENT
    server.answers.set()
    watch.busy = True
    watch.look()
    assert watch.line == SERVER_IS_SILENT
    watch.busy = False
    watch.look()
    assert watch.line == SERVER_ANSWERS
    assert opening == [PLACE, "closed"]


def test_what_a_server_refuses_is_told_as_it_is(server: Any) -> None:
    server.answers.set()
    patience = Patience(server)
    with pytest.raises(RecordError, match="the connection was lost"):
        patience(partial(server.create, Setup("jaws-and-paws"), STAMP))
    assert patience(server.count) == 3, "an answer, though no good one: it is asked again"


def test_a_match_that_begins_meanwhile_is_on_disk_elsewhere(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first line is confirmed once it stands in the record that stands in."""
    monkeypatch.setattr("ui.table.club.stand_ins", lambda: (tmp_path,))
    match = Match[Any].start(Setup("jaws-and-paws", ("day",)), STAMP)
    keeping = keeping_of(server, match, "boot", Patience(server, SHORT_S))
    keeping.append(match.entries)
    assert keeping.away
    keeping.record.close()
    with Record.open(tmp_path / NAME) as there:
        loaded = there.load(keeping.match_id)
        assert (len(loaded.entries), loaded.damage) == (1, None)


def test_the_list_stays_as_it_was_read_last(tmp_path: Path) -> None:
    with Record.open(tmp_path / "record.db") as record:
        record.create(Setup("jaws-and-paws", ("day",)), STAMP)
        silent = False

        def asked(call: Callable[[], T], /) -> T:
            if silent:
                raise RecordError("the record's server has not answered for a while")
            return call()

        shelf = PastShelf(record, asked)
        (listed,) = shelf.matches
        silent = True
        shelf.forget()
        assert shelf.matches == (listed,)
        look = shelf.look(listed.match_id)
        assert look is not None
        assert look.trouble.endswith("not answered for a while")
        record.create(Setup("dogfight-1917"), STAMP)
        silent = False
        assert len(shelf.matches) == 2, "read anew as soon as it answers"
        look = shelf.look(listed.match_id)
        assert look is not None
        assert not look.trouble
