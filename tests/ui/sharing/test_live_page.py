"""The live page: what is public alone, nothing comes in, and nobody is kept waiting."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import Stamp
from companion.core.round_clock import RoundClock
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out, playing
from tests.patience import PATIENCE_S, wait_until
from tests.ui.sharing.browser import ABSENT, CHROMIUM, Browser
from ui.live.feed import LiveFeed, LiveShow, placed
from ui.live.mqtt import BROKER_IN, Topics, topics_of
from ui.live.server import main
from ui.live.shown import NOTHING, LiveClock, LiveView

ANA = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
LIVE_BOXES = (("jaws-and-paws", "day"), ("dogfight-1917", "base"), ("dogfight-hex", "base"))


def played(box: str = "jaws-and-paws", variant: str = "day", lines: int = 40) -> Match[Any]:
    setup = Setup(box, (variant,), {}, {})
    match = Match[Any].start(setup, ANA)
    play_out(match, bots_of(setup, Random(4)), lines)
    return match


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def asked(port: int, place: str, method: str = "GET") -> tuple[int, bytes]:
    """Status and body of one request."""
    import http.client

    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request(method, place)
        answer = connection.getresponse()
        return answer.status, answer.read()


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def feed(port: int) -> Iterator[LiveFeed]:
    """A server on loopback that is up."""
    made = LiveFeed("--port", str(port))
    wait_until(lambda: made.trouble or is_up(port))
    assert not made.trouble
    yield made
    made.close()


def is_up(port: int) -> bool:
    with closing(socket.socket()) as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


class Reader:
    """One browser, as bytes: it has asked for the events."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: table\r\n\r\n")
        self.heard = b""

    def read_until(self, words: bytes, seconds: float = PATIENCE_S) -> float:
        """When these words came, monotonic s."""
        end = time.monotonic() + seconds
        while words not in self.heard:
            assert time.monotonic() < end
            read = self.socket.recv(1 << 16)
            assert read, "dropped"
            self.heard += read
        now = time.monotonic()
        self.heard = self.heard[self.heard.index(words) + len(words) :]
        return now


# What is shown.


@pytest.mark.parametrize(("box", "variant"), LIVE_BOXES)
def test_nothing_is_shown_that_the_table_does_not_show(box: str, variant: str) -> None:
    """Of quantities, those whose fact is public; no answer, no option, no card."""
    match = played(box, variant, 60)
    said = json.loads(LiveView().of(match, "m", LiveClock(3.0, running=True, total_s=20.0)))
    assert set(said) == {
        "match", "title", "place", "sides", "score", "rulings", "asked", "outcome", "clock",
        "board",
    }  # fmt: skip
    told = " ".join(said["score"])
    secret = [fact for fact in match.position.facts() if not fact.public and fact.value]
    for fact in secret:
        assert f"{fact.label} {fact.value}" not in told
    assert len(said["rulings"]) <= 4
    assert said["board"].startswith("<svg")


def test_a_board_on_which_nothing_moved_is_drawn_as_before() -> None:
    match, view = played(), LiveView()
    one, other = (json.loads(view.of(match, "m", None))["board"] for _ in range(2))
    assert one == other


def test_without_a_match_it_says_so() -> None:
    assert json.loads(LiveView().of(None, "", None)) == dict(NOTHING)


@pytest.mark.parametrize("said", ["http://x", "x:70000", ":80", "", "x:y", "x/y"])
def test_a_place_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(BadCall, match="no place for a live page"):
        placed(said)


# The server.


def test_only_reading_is_answered(feed: LiveFeed, port: int) -> None:
    """Three places, GET alone; what a page may do is written in its head."""
    for place in ("/", "/overlay"):
        status, page = asked(port, place)
        assert status == 200
        assert b"http" not in page.replace(b"http-equiv", b"")
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        for place in ("/", "/events", "/overlay"):
            assert asked(port, place, method)[0] == 405
    for place in ("/x", "/../etc/passwd", "/%2e%2e/x", "/events/"):
        assert asked(port, place)[0] in (404, 307)


def test_a_port_that_is_taken_is_told_and_keeps_nobody(port: int) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        show = LiveShow(f"127.0.0.1:{port}")
        wait_until(lambda: show.trouble)
        show.tick(played(lines=3), "m", None, 0.0)
        show.close()
    assert f"cannot be served at 127.0.0.1, port {port}" in show.trouble


def test_a_server_that_cannot_read_ends_and_says_so(feed: LiveFeed) -> None:
    """It would show the same for ever, and look as if all were well."""
    feed.show("{")
    wait_until(lambda: feed.trouble)
    assert "JSONDecodeError" in feed.trouble


def test_a_brokers_password_is_in_no_list_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody on a machine can read what its programs were called with."""
    begun: list[tuple[Sequence[str], Mapping[str, str]]] = []

    def begin(arguments: Sequence[str], *, env: Mapping[str, str], **_: object) -> None:
        begun.append((arguments, env))
        raise FileNotFoundError(2, "No such file")

    monkeypatch.setattr("ui.live.feed.subprocess.Popen", begin)
    broker = "mqtt://ana:geheim@localhost"
    show = LiveShow("127.0.0.1:8080", broker)
    wait_until(lambda: show.trouble)
    ((arguments, env),) = begun
    assert not any("geheim" in one for one in arguments)

    served: list[str] = []

    async def serve(_address: str, _port: int, named: str, _idle_s: int) -> None:
        served.append(named)

    monkeypatch.setattr("ui.live.server.serve", serve)
    monkeypatch.setenv(BROKER_IN, env[BROKER_IN])
    main([])
    assert served == [broker]


def test_a_brokers_address_is_read_as_a_url() -> None:
    """Its usual port is that of the scheme; a word may have any sign in it."""
    topics = Topics("mqtts://ana:a%40b%2Fc@localhost/hall/one")
    client = topics._client
    assert (client.port, client.username, client.password) == (8883, "ana", "a@b/c")
    assert topics.prefix == "hall/one"
    topics.close()


@pytest.mark.parametrize("address", ["mqtt://ana:ge#heim@host", "mqtt://host/a+b", "http://host"])
def test_what_is_no_brokers_address_is_refused_without_its_word(address: str) -> None:
    with pytest.raises(BadCall, match="is written mqtt://HOST") as wrong:
        Topics(address)
    assert "heim" not in str(wrong.value)


def test_a_server_ends_with_whoever_feeds_it(port: int) -> None:
    feed = LiveFeed("--port", str(port))
    wait_until(lambda: is_up(port))
    feed.close()
    assert not is_up(port)


def test_a_hung_server_keeps_nobody_waiting(feed: LiveFeed) -> None:
    """It is stopped dead, and half a gigabyte is shown: each takes no time, none is kept."""
    assert feed.pid is not None
    os.kill(feed.pid, signal.SIGSTOP)
    try:
        state = json.dumps({**NOTHING, "title": "x" * 1_000_000})
        took = []
        for _ in range(500):
            before = time.thread_time()
            feed.show(state)
            took.append(time.thread_time() - before)
        assert sorted(took)[len(took) // 2] < 0.02
    finally:
        os.kill(feed.pid, signal.SIGCONT)


@pytest.mark.slow
def test_a_reader_that_never_reads_is_dropped_and_delays_nobody(feed: LiveFeed, port: int) -> None:
    """Each state is large: its buffers are full soon."""
    idle, other = Reader(port), Reader(port)
    with closing(idle.socket), closing(other.socket):
        other.read_until(b"No match")
        end, n = time.monotonic() + PATIENCE_S, 0
        dropped = False
        while not dropped:
            assert time.monotonic() < end
            n += 1
            title = f"<{n}>"
            feed.show(json.dumps({"title": title, "rulings": [{"text": "x" * 400_000}]}))
            other.read_until(title.encode())
            other.heard = b""
            dropped = _is_dropped(idle) if n % 10 == 0 else False
        assert n > 10


def _is_dropped(reader: Reader) -> bool:
    """The server has let go of it: the system knows no such connection as established."""
    own = f"{reader.socket.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    theirs = [row for row in rows if row[2].endswith(f":{own}")]
    return not any(row[3] == "01" for row in theirs)


def test_whoever_asks_for_nothing_is_let_go(port: int) -> None:
    """Also one that began to ask; who looks on stays however long nothing happens."""
    feed = LiveFeed("--port", str(port), "--idle", "1")
    wait_until(lambda: feed.trouble or is_up(port))
    silent, slow = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
    reader = Reader(port)
    with closing(silent), closing(slow), closing(reader.socket), closing(feed):
        slow.sendall(b"GET /events HTTP/1.1\r\nHost: ta")
        for one in (silent, slow):
            one.settimeout(PATIENCE_S)
            assert one.recv(1) == b""
        reader.read_until(b"No match")
        feed.show(json.dumps({**NOTHING, "title": "still there"}))
        reader.read_until(b"still there")


def test_a_server_that_complains_at_length_is_served_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a pipe holds; its last word is told once it has ended."""
    script = (
        "import sys; sys.stdin.readline(); sys.stderr.write('x' * 1_000_000 + '\\n');"
        "sys.stdin.readline(); print('the last word', file=sys.stderr)"
    )
    whole = subprocess.Popen

    def instead(call: list[str], **how: Any) -> Any:
        return whole([call[0], "-c", script], **how)

    monkeypatch.setattr(subprocess, "Popen", instead)
    feed = LiveFeed()
    with closing(feed):
        for n in range(10_000):
            feed.show(json.dumps({"title": n}))
            if feed.trouble:
                break
            time.sleep(0.02)
        assert feed.trouble == "the last word"


@pytest.mark.bench
def test_rulings_reach_200_browsers_soon(feed: LiveFeed, port: int) -> None:
    """p95 under 300 ms from the ruling to the last byte of it in each of 200 open connections."""
    setup = Setup("jaws-and-paws", ("day",), {}, {})
    match, bots, view = Match[Any].start(setup, ANA), bots_of(setup, Random(4)), LiveView()
    play = playing(match, bots, 100)
    with ExitStack() as stack:
        readers = [Reader(port) for _ in range(200)]
        for reader in readers:
            stack.callback(reader.socket.close)
            reader.read_until(b"No match")
        took: list[float] = []
        for n in range(20):
            for _ in range(3):
                _ = next(play)
            before = time.monotonic()
            said = json.loads(view.of(match, f"m{n}", None))
            feed.show(json.dumps(said))
            took += [reader.read_until(f'"m{n}"'.encode()) - before for reader in readers]
        took.sort()
        middle, most = took[len(took) // 2], took[len(took) * 95 // 100]
        assert most < 0.3, f"median {middle * 1000:.0f} ms, p95 {most * 1000:.0f} ms"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason=ABSENT)
def test_a_browser_shows_board_clock_and_ruling(feed: LiveFeed, port: int, tmp_path: Path) -> None:
    """The clock counts there; the overlay's ground is transparent."""
    match = played(lines=30)
    clock = LiveClock(17.0, running=True, total_s=20.0)
    feed.show(LiveView().of(match, "m", clock))
    with Browser(tmp_path / "browser", online=True) as browser:
        browser.open(f"http://127.0.0.1:{port}/", (1920, 1080))
        browser.wait("document.querySelector('#board svg') !== null")
        browser.wait("+document.getElementById('clock').textContent < 17")
        assert str(match.rulings[-1].cite) in browser.ask(
            "document.getElementById('rulings').textContent"
        )
        assert browser.ask("document.documentElement.scrollHeight <= innerHeight")
        browser.open(f"http://127.0.0.1:{port}/", (844, 390))  # a phone that lies on its side
        browser.wait("document.querySelector('#rulings li') !== null")
        assert browser.ask("document.documentElement.scrollHeight <= innerHeight")
        newest = "document.querySelector('#rulings li').getBoundingClientRect()"
        assert browser.ask(f"{newest}.bottom <= innerHeight && {newest}.height > 0")
        browser.open(f"http://127.0.0.1:{port}/overlay", (1280, 720))
        browser.wait("document.getElementById('clock').textContent !== ''")
        ground = "getComputedStyle(document.body).backgroundColor"
        assert browser.ask(ground) == "rgba(0, 0, 0, 0)"
        assert not browser.said


def test_whoever_is_asked_is_called_by_name() -> None:
    """The seat's code is for the log."""
    people = {"JP": "Ana", "JG": "Bo", "PP": "Cleo", "PG": "Dan"}
    seats = {Seat(code): name for code, name in people.items()}
    setup = Setup("jaws-and-paws", ("day",), seats, {})
    match = Match[Any].start(setup, ANA)
    view, told = LiveView(), set[str]()
    for _ in playing(match, bots_of(setup, Random(1))):
        told.add(json.loads(view.of(match, "m", None))["asked"])
    assert "Cleo: shuffle" in told
    assert not [words for words in told if words.startswith(tuple(f"{seat}: " for seat in seats))]


# Topics.

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")


def test_topics_say_what_the_table_in_the_readme_says() -> None:
    state = json.loads(LiveView().of(played(), "m", LiveClock(3.0, running=True, total_s=20.0)))
    named = {name for name, _ in topics_of(state)} | {"online"}
    readme = (Path(__file__).parents[3] / "ui/README.md").read_text("utf-8")
    rows = {row.split("`")[1] for row in readme.splitlines() if row.startswith("| `companion/")}
    assert rows == {f"companion/{name}" for name in named}


@pytest.mark.parametrize("said", ["localhost", "http://x", "mqtt://", "mqtt:x"])
def test_a_broker_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(BadCall, match="mqtt://HOST"):
        Topics(said)


@pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed: `make services`")
def test_topics_are_kept_by_a_real_broker(tmp_path: Path) -> None:
    """Mosquitto: whoever comes later is told; a broker that came late is told everything."""
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.enums import CallbackAPIVersion

    port = free_port()
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    topics = Topics(f"mqtt://127.0.0.1:{port}/club/table-2")
    topics.show(LiveView().of(played(), "m7", None))  # nobody is there yet
    assert MOSQUITTO is not None
    broker = subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.DEVNULL)
    heard: dict[str, tuple[str, bool]] = {}

    def on_message(_client: Client, _data: Any, message: MQTTMessage) -> None:
        heard[message.topic] = (message.payload.decode(), message.retain)

    later = Client(CallbackAPIVersion.VERSION2)
    later.on_message = on_message
    try:
        wait_until(lambda: is_up(port))
        wait_until(lambda: topics.connected)
        wait_until(lambda: later.connect("127.0.0.1", port) == 0)
        later.loop_start()
        later.subscribe("club/#")
        wait_until(lambda: "club/table-2/ruling" in heard)
        assert heard["club/table-2/match"] == ("m7", True)
        topics.close()
        wait_until(lambda: heard.get("club/table-2/online", ("",))[0] == "no")
    finally:
        later.disconnect()
        later.loop_stop()
        broker.terminate()
        broker.wait(PATIENCE_S)


def test_a_clock_that_the_log_tells_runs_on() -> None:
    """`companion live` has no clock but the log's."""
    from datetime import UTC, datetime

    from companion.match.entry import Entry
    from ui.terminal.sharing import clock_in

    begun = Entry(1, "clock", "round-1", {"event": "started", "rest_s": 20.0},
                  at_utc="2026-11-21T19:00:00.000Z")  # fmt: skip
    now = datetime(2026, 11, 21, 19, 0, 5, tzinfo=UTC)
    setup = Entry(0, "setup", "", {})
    clock = clock_in([setup, begun])
    assert isinstance(clock, RoundClock)
    assert clock.rest(now.timestamp()) == pytest.approx(15.0)
    paused = begun._replace(seq=2, answer={"event": "paused", "rest_s": 12.0})
    stands = clock_in([setup, begun, paused])
    assert stands is not None
    assert not stands.running
    zero = Entry(2, "answer", "round-1/locked", "zero", source="clock")
    assert clock_in([setup, begun, zero]) is None
